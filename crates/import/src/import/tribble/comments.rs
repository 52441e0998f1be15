//! Comments in `/* */`, which nest in tribble's grammars.

use crate::import::comments;

/// The text with spaces for such comments, byte for byte. One that does not end is left as it is.
pub(super) fn blank(text: &str) -> String {
    let (mut out, open) = comments::blank(text, [b"/*", b"*/"], |rest| match rest {
        [b'/', b'*', ..] => None,
        [b'/', b'/', ..] => Some(rest.iter().take_while(|&&byte| byte != b'\n').count()),
        [b'"' | b'/', ..] => Some(quoted(rest)),
        _ => None,
    });
    if let Some(at) = open {
        out.replace_range(at.., &text[at..]);
    }
    out
}

/// How long a text is that its first byte closes as well: what is not closed goes on to the end.
fn quoted(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != bytes[0] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_nest_and_texts_have_none() {
        for (text, blanked) in [
            ("a /* b */ c", "a         c"),
            ("a /* b /* \" */ */ c", "a                 c"),
            ("\"/*\" /*\u{e9}\n*/ \"\\\"*/\"", "\"/*\"     \n   \"\\\"*/\""),
            ("/[/*]\\//* b", "/[/*]\\//* b"),
            ("// /*\n/**/ a // */", "// /*\n     a // */"),
            ("a /* /* */", "a /* /* */"),
            ("/*/ a */ b", "         b"),
            ("\" /* */", "\" /* */"),
            ("/", "/"),
        ] {
            assert_eq!(blank(text), blanked, "{text}");
        }
    }
}
