//! The core of a semantic version: three numbers without leading zeros.

fn is_numeric(identifier: &str) -> bool {
    if identifier.is_empty() {
        return false;
    }
    if identifier.len() > 1 && identifier.starts_with('0') {
        return false;
    }
    identifier.chars().all(|c| c.is_ascii_digit())
}

fn numeric(identifier: Option<&str>) -> Option<&str> {
    identifier.filter(|text| is_numeric(text))
}

/// Major, minor and patch.
pub fn parse_core(version: &str) -> Option<(&str, &str, &str)> {
    let mut identifiers = version.split('.');
    let major = numeric(identifiers.next())?;
    let minor = numeric(identifiers.next())?;
    let patch = numeric(identifiers.next())?;
    if identifiers.next().is_some() {
        return None;
    }
    Some((major, minor, patch))
}
