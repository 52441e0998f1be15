//! Apache Commons Validator, `UrlValidator`: the authority of a URL, a host name and a port.
//!
//! Faulty: a port is one to five digits, whatever their value. RFC 9293, section 3.1: ports have 16 bits.

/// Whether the authority of a URL is a host name, or a host name and a port.
pub fn is_valid_authority(authority: &str) -> bool {
    match authority.split_once(':') {
        Some((host, port)) => is_valid_host(host) && is_valid_port(port),
        None => is_valid_host(authority),
    }
}

fn is_valid_port(port: &str) -> bool {
    (1..=5).contains(&port.len()) && port.bytes().all(|b| b.is_ascii_digit())
}

fn is_valid_host(host: &str) -> bool {
    host.split('.').all(is_valid_label)
}

fn is_valid_label(label: &str) -> bool {
    !label.is_empty()
        && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}
