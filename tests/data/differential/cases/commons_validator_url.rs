//! Apache Commons Validator, `UrlValidator.isValid`.
//!
//! Faulty: a path may have spaces. RFC 3986, section 3.3: `pchar` has none.

use std::net::Ipv6Addr;

/// Whether a text is a URI.
pub fn is_valid(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once(':') else { return false };
    if !is_valid_scheme(scheme) {
        return false;
    }
    let (rest, fragment) = match rest.split_once('#') {
        Some((rest, fragment)) => (rest, Some(fragment)),
        None => (rest, None),
    };
    let (hierarchical, query) = match rest.split_once('?') {
        Some((hierarchical, query)) => (hierarchical, Some(query)),
        None => (rest, None),
    };
    let path = match hierarchical.strip_prefix("//") {
        Some(network) => {
            let end = network.find('/').unwrap_or(network.len());
            if !is_valid_authority(&network[..end]) {
                return false;
            }
            &network[end..]
        }
        None => hierarchical,
    };
    is_made_of(path, is_path_char)
        && query.is_none_or(|query| is_made_of(query, is_query_char))
        && fragment.is_none_or(|fragment| is_made_of(fragment, is_query_char))
}

fn is_valid_scheme(scheme: &str) -> bool {
    let mut chars = scheme.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

fn is_valid_authority(authority: &str) -> bool {
    let host_and_port = match authority.split_once('@') {
        Some((user, rest)) if is_made_of(user, |c| is_name_char(c) || c == ':') => rest,
        Some(_) => return false,
        None => authority,
    };
    let port = match host_and_port.strip_prefix('[') {
        Some(literal) => match literal.split_once(']') {
            Some((literal, port)) if is_ip_literal(literal) => port,
            _ => return false,
        },
        None => {
            let end = host_and_port.find(':').unwrap_or(host_and_port.len());
            let (name, port) = host_and_port.split_at(end);
            if !is_made_of(name, is_name_char) {
                return false;
            }
            port
        }
    };
    match port.strip_prefix(':') {
        Some(digits) => digits.bytes().all(|b| b.is_ascii_digit()),
        None => port.is_empty(),
    }
}

fn is_ip_literal(literal: &str) -> bool {
    match literal.strip_prefix(['v', 'V']) {
        Some(future) => future.split_once('.').is_some_and(|(version, address)| {
            !version.is_empty()
                && version.chars().all(|c| c.is_ascii_hexdigit())
                && !address.is_empty()
                && address.chars().all(|c| is_unreserved_or_delim(c) || c == ':')
        }),
        None => literal.parse::<Ipv6Addr>().is_ok(),
    }
}

fn is_unreserved_or_delim(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=".contains(c)
}

fn is_name_char(c: char) -> bool {
    is_unreserved_or_delim(c)
}

fn is_path_char(c: char) -> bool {
    is_unreserved_or_delim(c) || matches!(c, ':' | '@' | '/' | ' ')
}

fn is_query_char(c: char) -> bool {
    is_unreserved_or_delim(c) || matches!(c, ':' | '@' | '/' | '?')
}

/// Whether all characters are allowed or percent-encoded.
fn is_made_of(text: &str, allowed: impl Fn(char) -> bool) -> bool {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let good = if c == '%' {
            let mut is_digit = || chars.next().is_some_and(|c| c.is_ascii_hexdigit());
            is_digit() && is_digit()
        } else {
            allowed(c)
        };
        if !good {
            return false;
        }
    }
    true
}
