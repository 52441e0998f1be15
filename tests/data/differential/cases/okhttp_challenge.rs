//! OkHttp, a challenge in a `WWW-Authenticate` header.
//!
//! Faulty: the first parameter must be the realm, in quotes, so a scheme alone is refused, and so is one
//! with a token or with its parameters in another order. RFC 9110, section 11.3:
//! `challenge = auth-scheme [ 1*SP ( token68 / #auth-param ) ]`.

const REALM: &str = "realm=\"";

/// The scheme and the realm.
pub fn parse_challenge(header: &str) -> Option<(&str, &str)> {
    let (scheme, parameters) = header.split_once(' ')?;
    let parameters = parameters.trim_start_matches(' ');
    let start = parameters.get(..REALM.len())?;
    if !start.eq_ignore_ascii_case(REALM) {
        return None;
    }
    let (realm, _) = parameters[REALM.len()..].split_once('"')?;
    Some((scheme, realm))
}
