//! Apache Shiro, `getPrincipalsAndCredentials`: user and password of HTTP basic authentication.
//!
//! Faulty: the decoded text is split at every colon and its first two pieces are taken, so a password
//! with a colon is cut short. RFC 7617, section 2: a user-id has no colon, and a password may.

/// The user and the password, from `user:password`.
pub fn principals_and_credentials(decoded: &str) -> Option<(&str, &str)> {
    let mut pieces = decoded.split(':');
    let user = pieces.next()?;
    let password = pieces.next()?;
    Some((user, password))
}
