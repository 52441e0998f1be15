//! curl before 7.51: the host of a URL.
//!
//! Faulty: the authority ends at `/` and at `?`, but not at `#`, and what stands before the last `@` is taken for a
//! user, so a fragment can name the host (CVE-2016-8624). RFC 3986, section 3.2: the authority "is terminated by
//! the next slash, question mark, or number sign character, or by the end of the URI".

/// Whom to connect to.
pub fn host(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let authority = &rest[..end];
    let address = match authority.rfind('@') {
        Some(at) => &authority[at + 1..],
        None => authority,
    };
    match address.split_once(':') {
        Some((host, _)) => Some(host),
        None => Some(address),
    }
}
