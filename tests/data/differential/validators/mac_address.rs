//! A MAC address: six pairs of hexadecimal digits with colons or with hyphens between them.

fn is_pair(text: &str) -> bool {
    text.len() == 2 && text.chars().all(|c| c.is_ascii_hexdigit())
}

/// Whether a text is an address.
pub fn is_mac_address(text: &str) -> bool {
    let separator = if text.contains('-') { '-' } else { ':' };
    let mut pairs = 0;
    for pair in text.split(separator) {
        if !is_pair(pair) {
            return false;
        }
        pairs += 1;
    }
    pairs == 6
}
