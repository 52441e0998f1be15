//! netmask before 2.0, of npm: an IPv4 address in dotted parts.
//!
//! Faulty: every part is read as a decimal number, so that a loopback address passes for a public one
//! (CVE-2021-28918). POSIX, `inet_addr`: "A leading 0 implies octal".

/// The four bytes.
pub fn parse(text: &str) -> Option<[u8; 4]> {
    let mut parts = text.split('.');
    let address =
        [byte(parts.next()?)?, byte(parts.next()?)?, byte(parts.next()?)?, byte(parts.next()?)?];
    match parts.next() {
        Some(_) => None,
        None => Some(address),
    }
}

fn byte(part: &str) -> Option<u8> {
    part.parse().ok()
}
