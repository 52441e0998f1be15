//! Comments of ISO/IEC 14977, which nest, and in which quotes are nothing.

use crate::import::comments;

/// The text with spaces for comments, byte for byte; and where a comment begins that does not end.
pub(super) fn blank(text: &str) -> (String, Option<usize>) {
    comments::blank(text, [b"(*", b"*)"], |rest| match rest {
        [b'(', b'*', b')', ..] => Some(3),
        [quote @ (b'"' | b'\'' | b'?'), rest @ ..] => {
            // What is not closed ends with its line.
            let end = rest.iter().position(|&byte| byte == b'\n' || byte == *quote);
            Some(end.map_or(rest.len(), |end| end + usize::from(rest[end] != b'\n')) + 1)
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_nest_and_texts_have_none() {
        for (text, blanked, open) in [
            ("a (* b *) c", "a         c", None),
            ("a (* b (* ' *) *) c", "a                 c", None),
            ("'(*' (*é\n*) \"*)\"", "'(*'     \n   \"*)\"", None),
            ("? (* ? (**)", "? (* ?     ", None),
            ("a (* (*", "a      ", Some(2)),
            ("a ' (* \nb (* *)", "a ' (* \nb      ", None),
        ] {
            assert_eq!(blank(text), (blanked.to_owned(), open), "{text}");
        }
    }
}
