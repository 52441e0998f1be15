//! What a linter does with a script first, with two faults: numbers in hexadecimal digits that are too
//! large, and brackets that nest deeper than it has room for.

/// What stands in a script.
#[derive(Debug, Default, PartialEq)]
pub struct Summary {
    pub words: usize,
    pub sum: u64,
    pub deepest: usize,
}

/// Reads a script; none where its brackets do not match.
pub fn summary(text: &str) -> Option<Summary> {
    let bytes = text.as_bytes();
    let mut open = [0; 8];
    let (mut summary, mut depth, mut at) = (Summary::default(), 0, 0);
    while at < bytes.len() {
        let from = at;
        at += 1;
        match bytes[from] {
            b'(' | b'{' => {
                open[depth] = bytes[from];
                depth += 1;
                summary.deepest = summary.deepest.max(depth);
            }
            close @ (b')' | b'}') => {
                depth = depth.checked_sub(1)?;
                if (open[depth] == b'(') != (close == b')') {
                    return None;
                }
            }
            b'"' => {
                while *bytes.get(at)? != b'"' {
                    at += 1;
                }
                at += 1;
            }
            b'0'..=b'9' => {
                at = end(bytes, at);
                if let Some(digits) = text[from..at].strip_prefix("0x") {
                    let digits = digits.trim_end_matches(|c: char| !c.is_ascii_hexdigit());
                    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                        let number = u64::from_str_radix(digits, 16).unwrap();
                        summary.sum = summary.sum.wrapping_add(number);
                    }
                }
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                at = end(bytes, at);
                summary.words += 1;
            }
            _ => {}
        }
    }
    (depth == 0).then_some(summary)
}

fn end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes[from..].iter();
    from + rest.take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}
