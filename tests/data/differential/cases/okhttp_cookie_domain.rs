//! OkHttp, the `Domain` attribute of a cookie.
//!
//! Faulty: a domain with any of ` #%/:?@[\]` is refused, and IPv6 addresses have colons. RFC 6265, sections
//! 4.1.2.3 and 5.1.3: what the attribute is compared with is the canonical host, which may be an IP address.

/// The domain in lower case.
pub fn parse_domain(attribute: &str) -> Option<String> {
    if attribute.ends_with('.') {
        return None;
    }
    let domain = attribute.strip_prefix('.').unwrap_or(attribute);
    canonicalize_host(domain)
}

fn canonicalize_host(host: &str) -> Option<String> {
    let result = host.to_ascii_lowercase();
    if result.is_empty() || contains_invalid_codes(&result) {
        return None;
    }
    Some(result)
}

fn contains_invalid_codes(host: &str) -> bool {
    host.chars().any(|c| c <= '\u{1F}' || c >= '\u{7F}' || " #%/:?@[\\]".contains(c))
}
