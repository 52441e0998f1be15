//! Comments of ISO/IEC 14977, which nest, and in which quotes are nothing.

/// The text with spaces for comments, byte for byte; and where a comment begins that does not end.
pub(super) fn blank(text: &str) -> (String, Option<usize>) {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    // Where each open comment begins, and from where on the text is not yet copied.
    let (mut open, mut copied) = (Vec::new(), 0);
    let mut at = 0;
    while at < bytes.len() {
        let two = bytes.get(at..at + 2);
        if two == Some(b"(*") && !(open.is_empty() && bytes.get(at + 2) == Some(&b')')) {
            if open.is_empty() {
                out.push_str(&text[copied..at]);
            }
            open.push(at);
            at += 2;
        } else if let Some(&from) = open.last() {
            if two == Some(b"*)") {
                open.pop();
                at += 2;
                if open.is_empty() {
                    spaces(&text[from..at], &mut out);
                    copied = at;
                }
            } else {
                at += 1;
            }
        } else {
            let end = |quote: u8| {
                let mut line = bytes[at + 1..].iter().take_while(|&&byte| byte != b'\n');
                line.position(|&byte| byte == quote)
            };
            at += match bytes[at] {
                quote @ (b'"' | b'\'' | b'?') => match end(quote) {
                    Some(length) => length + 2,
                    // What is not closed ends with its line.
                    None => bytes[at..].iter().take_while(|&&byte| byte != b'\n').count(),
                },
                _ => 1,
            };
        }
    }
    match open.first() {
        Some(&from) => spaces(&text[from..], &mut out),
        None => out.push_str(&text[copied..]),
    }
    (out, open.first().copied())
}

/// Writes as many spaces as a text has bytes; lines end where they did.
fn spaces(text: &str, out: &mut String) {
    out.extend(text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
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
