//! Comments in `/* */`, which nest in tribble's grammars, so that no parser need recurse for them.

/// The text with spaces for such comments, byte for byte. One that does not end is left as it is.
pub(super) fn blank(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    // From where on the text is not yet copied.
    let (mut at, mut copied) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        let end = match (byte, bytes.get(at + 1)) {
            (b'/', Some(b'*')) => {
                let end = comment(bytes, at);
                if let Some(end) = end {
                    out.push_str(&text[copied..at]);
                    let blank = |byte| if byte == b'\n' { '\n' } else { ' ' };
                    out.extend(text[at..end].bytes().map(blank));
                    copied = end;
                }
                end
            }
            (b'/', Some(b'/')) => {
                bytes[at..].iter().position(|&byte| byte == b'\n').map(|n| at + n)
            }
            (b'"' | b'/', _) => quoted(bytes, at),
            _ => Some(at + 1),
        };
        // What is not closed goes on to the end of the text.
        let Some(end) = end else { break };
        at = end;
    }
    out.push_str(&text[copied..]);
    out
}

/// Where a comment ends.
fn comment(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    loop {
        match bytes.get(at..at + 2)? {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Where a text ends that its first byte closes as well.
fn quoted(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            byte if *byte == bytes[start] => return Some(at + 1),
            _ => at += 1,
        }
    }
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
