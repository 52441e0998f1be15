//! NanoHTTPD: the path of a request, decoded.
//!
//! Faulty: a plus sign becomes a space, as in forms (issue 537). RFC 3986, section 2: what is encoded is so by a
//! percent sign; a plus in a path is one of the `sub-delims`, and stands for itself.

/// The bytes of the path.
pub fn decode(path: &str) -> Option<Vec<u8>> {
    let mut decoded = Vec::new();
    let mut bytes = path.bytes();
    while let Some(byte) = bytes.next() {
        let byte = match byte {
            b'%' => 16 * digit(bytes.next()?)? + digit(bytes.next()?)?,
            b'+' => b' ',
            _ => byte,
        };
        decoded.push(byte);
    }
    Some(decoded)
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}
