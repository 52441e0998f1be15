//! Apache Commons Validator, `InetAddressValidator.isValidInet6Address`.
//!
//! Faulty: the numbers of an IPv4 address at the end may have any three digits. RFC 3986, section 3.2.2:
//! `dec-octet` is 0 to 255, without leading zeros.

const MAX_GROUPS: usize = 8;
const MAX_DIGITS: usize = 4;

/// Whether a text is an IPv6 address.
pub fn is_valid_inet6_address(address: &str) -> bool {
    let compressed = address.contains("::");
    if compressed && address.find("::") != address.rfind("::") {
        return false;
    }
    if (address.starts_with(':') && !address.starts_with("::"))
        || (address.ends_with(':') && !address.ends_with("::"))
    {
        return false;
    }
    let last = address.split(':').count() - 1;
    let mut groups = 0;
    for (index, group) in address.split(':').enumerate() {
        if group.is_empty() {
            // Beside the double colon; a text that is empty has too few groups.
            continue;
        }
        if index == last && group.contains('.') {
            if !is_dotted_quad(group) {
                return false;
            }
            groups += 2;
            continue;
        }
        if group.len() > MAX_DIGITS || !group.chars().all(|c| c.is_ascii_hexdigit()) {
            return false;
        }
        groups += 1;
    }
    if compressed { groups < MAX_GROUPS } else { groups == MAX_GROUPS }
}

fn is_dotted_quad(text: &str) -> bool {
    let mut count = 0;
    for octet in text.split('.') {
        if !matches!(octet.len(), 1..=3) || !octet.bytes().all(|b| b.is_ascii_digit()) {
            return false;
        }
        count += 1;
    }
    count == 4
}
