//! Google Guava, `InetAddresses.isInetAddress`, its part for IPv6.
//!
//! Faulty: a group of hexadecimal digits may have any number of leading zeros, for only its value is
//! checked. RFC 3986, section 3.2.2: `h16 = 1*4HEXDIG`.

const GROUPS: usize = 8;

/// The eight groups of an IPv6 address, if it is one.
pub fn parse_ipv6(text: &str) -> Option<[u16; GROUPS]> {
    let mut has_dot = false;
    for c in text.chars() {
        match c {
            '.' => has_dot = true,
            // Colons do not follow dots.
            ':' if has_dot => return None,
            ':' => {}
            c if c.is_ascii_hexdigit() => {}
            _ => return None,
        }
    }
    if has_dot { numeric_v6(&dotted_quad_to_hex(text)?) } else { numeric_v6(text) }
}

fn numeric_v6(text: &str) -> Option<[u16; GROUPS]> {
    let mut groups = [0; GROUPS];
    match text.split_once("::") {
        Some((high, low)) => {
            let (high, low) = (hextets(high)?, hextets(low)?);
            // What is skipped is one group at least.
            if high.len() + low.len() >= GROUPS {
                return None;
            }
            groups[..high.len()].copy_from_slice(&high);
            groups[GROUPS - low.len()..].copy_from_slice(&low);
        }
        None => {
            let all = hextets(text)?;
            if all.len() != GROUPS {
                return None;
            }
            groups.copy_from_slice(&all);
        }
    }
    Some(groups)
}

fn hextets(text: &str) -> Option<Vec<u16>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    text.split(':').map(parse_hextet).collect()
}

fn parse_hextet(text: &str) -> Option<u16> {
    u16::from_str_radix(text, 16).ok()
}

/// The same address with its last four bytes as two groups.
fn dotted_quad_to_hex(text: &str) -> Option<String> {
    let colon = text.rfind(':')?;
    let (initial, quad) = text.split_at(colon + 1);
    let [a, b, c, d] = numeric_v4(quad)?;
    let high = u16::from_be_bytes([a, b]);
    let low = u16::from_be_bytes([c, d]);
    Some(format!("{initial}{high:x}:{low:x}"))
}

fn numeric_v4(text: &str) -> Option<[u8; 4]> {
    let octets: Option<Vec<u8>> = text.split('.').map(parse_octet).collect();
    octets?.try_into().ok()
}

fn parse_octet(text: &str) -> Option<u8> {
    // With a leading zero it is unclear whether the number is octal.
    if text.len() > 1 && text.starts_with('0') {
        return None;
    }
    text.parse().ok()
}
