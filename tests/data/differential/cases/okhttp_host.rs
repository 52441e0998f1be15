//! OkHttp, the host of a URL, its part for IPv6 in brackets.
//!
//! Faulty: a group's value is read digit by digit and only its size is checked, so that leading zeros
//! are unlimited. RFC 3986, section 3.2.2: `IP-literal = "[" IPv6address "]"`, `h16 = 1*4HEXDIG`.

use std::net::Ipv6Addr;

/// The address in the brackets.
pub fn bracketed_host(host: &str) -> Option<Ipv6Addr> {
    let inner = host.strip_prefix('[')?.strip_suffix(']')?;
    decode_ipv6(inner)
}

fn decode_ipv6(input: &str) -> Option<Ipv6Addr> {
    let mut groups: Vec<u16> = Vec::with_capacity(8);
    let mut compress = None;
    let mut rest = input;
    while !rest.is_empty() {
        if groups.len() == 8 {
            return None;
        }
        // A delimiter: the double colon may be anywhere, a single one only between groups.
        if let Some(after) = rest.strip_prefix("::") {
            if compress.is_some() {
                return None;
            }
            groups.push(0);
            compress = Some(groups.len());
            rest = after;
            if rest.is_empty() {
                break;
            }
            if groups.len() == 8 {
                return None;
            }
        } else if !groups.is_empty() {
            rest = rest.strip_prefix(':')?;
        }
        let end = rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len());
        let (group, after) = rest.split_at(end);
        if after.starts_with('.') {
            // What was taken for a group is the beginning of an IPv4 suffix.
            if groups.len() > 6 {
                return None;
            }
            let [a, b, c, d] = decode_ipv4_suffix(rest)?;
            groups.push(u16::from_be_bytes([a, b]));
            groups.push(u16::from_be_bytes([c, d]));
            break;
        }
        groups.push(decode_group(group)?);
        rest = after;
    }
    if groups.len() < 8 {
        let compress = compress?;
        let missing = 8 - groups.len();
        groups.splice(compress..compress, std::iter::repeat_n(0, missing));
    }
    <[u16; 8]>::try_from(groups).ok().map(Ipv6Addr::from)
}

fn decode_group(digits: &str) -> Option<u16> {
    if digits.is_empty() {
        return None;
    }
    let mut value: u32 = 0;
    for c in digits.chars() {
        value = (value << 4) + c.to_digit(16)?;
        if value > 0xFFFF {
            return None;
        }
    }
    u16::try_from(value).ok()
}

fn decode_ipv4_suffix(input: &str) -> Option<[u8; 4]> {
    let mut address = [0; 4];
    let mut octets = input.split('.');
    for byte in &mut address {
        *byte = decode_octet(octets.next()?)?;
    }
    octets.next().is_none().then_some(address)
}

fn decode_octet(digits: &str) -> Option<u8> {
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    let mut value: u32 = 0;
    for c in digits.chars() {
        value = value * 10 + c.to_digit(10)?;
        if value > 255 {
            return None;
        }
    }
    u8::try_from(value).ok()
}
