//! cpp-httplib before September 2026: the parameters of a part of a form.
//!
//! Faulty: parameters end at every `;`, in quotes too, and a value begins after its last `=` (issue 2568).
//! RFC 9110, section 5.6.6: `parameter-value = ( token / quoted-string )`.

/// Names and values, without quotation marks.
pub fn parameters(disposition: &str) -> Option<Vec<(&str, &str)>> {
    let mut parts = disposition.split(';');
    if parts.next()? != "form-data" {
        return None;
    }
    let mut found = Vec::new();
    for part in parts {
        let part = part.trim_matches(' ');
        let name = part.split('=').next()?;
        let value = part.rsplit('=').next()?;
        found.push((name, value.trim_matches('"')));
    }
    Some(found)
}
