//! A parser of RFC 3986's URIs, as one would write it by hand, into which a fault can be planted.
//!
//! With `PLANTED` the last octet of an IPv4 address at the end of an IPv6 address is not compared with 255.

/// Whether a text is a URI.
pub fn is_uri<const PLANTED: bool>(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    if !is_scheme(scheme) {
        return false;
    }
    let (rest, fragment) = match rest.split_once('#') {
        Some((rest, fragment)) => (rest, Some(fragment)),
        None => (rest, None),
    };
    let (hierarchy, query) = match rest.split_once('?') {
        Some((hierarchy, query)) => (hierarchy, Some(query)),
        None => (rest, None),
    };
    let is_tail = |tail: &str| consists_of(tail, |c| is_pchar(c) || matches!(c, '/' | '?'));
    query.is_none_or(is_tail) && fragment.is_none_or(is_tail) && is_hierarchy::<PLANTED>(hierarchy)
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

fn is_hierarchy<const PLANTED: bool>(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("//") else {
        return consists_of(text, |c| is_pchar(c) || c == '/');
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    is_authority::<PLANTED>(authority) && consists_of(path, |c| is_pchar(c) || c == '/')
}

fn is_authority<const PLANTED: bool>(text: &str) -> bool {
    let (user, host) = match text.rsplit_once('@') {
        Some((user, host)) => (user, host),
        None => ("", text),
    };
    if !consists_of(user, |c| is_unreserved(c) || is_sub_delim(c) || c == ':') {
        return false;
    }
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(literal) = host.strip_prefix('[') {
        let Some((literal, port)) = literal.split_once(']') else { return false };
        let port = match port.strip_prefix(':') {
            Some(port) => port,
            None if port.is_empty() => "",
            None => return false,
        };
        return is_port(port) && (is_future(literal) || is_ipv6::<PLANTED>(literal));
    }
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    is_port(port) && consists_of(name, |c| is_unreserved(c) || is_sub_delim(c))
}

fn is_future(text: &str) -> bool {
    let Some((version, address)) = text.strip_prefix(['v', 'V']).and_then(|it| it.split_once('.'))
    else {
        return false;
    };
    let is_part = |c| is_unreserved(c) || is_sub_delim(c) || c == ':';
    !version.is_empty()
        && version.bytes().all(|byte| byte.is_ascii_hexdigit())
        && !address.is_empty()
        && address.chars().all(is_part)
}

fn is_ipv6<const PLANTED: bool>(text: &str) -> bool {
    match text.split_once("::") {
        None => groups::<PLANTED>(text, true) == Some(8),
        Some((before, after)) => {
            let count = |text: &str, last: bool| match text {
                "" => Some(0),
                _ => groups::<PLANTED>(text, last),
            };
            matches!((count(before, false), count(after, true)), (Some(a), Some(b)) if a + b <= 7)
        }
    }
}

/// How many groups of 16 bits a text has; an IPv4 address in the last place counts as two.
fn groups<const PLANTED: bool>(text: &str, last: bool) -> Option<usize> {
    let pieces: Vec<&str> = text.split(':').collect();
    let mut count = 0;
    for (index, piece) in pieces.iter().enumerate() {
        if (1..=4).contains(&piece.len()) && piece.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            count += 1;
        } else if last && index + 1 == pieces.len() && is_ipv4::<PLANTED>(piece) {
            count += 2;
        } else {
            return None;
        }
    }
    Some(count)
}

fn is_ipv4<const PLANTED: bool>(text: &str) -> bool {
    let octets: Vec<&str> = text.split('.').collect();
    let is_octet = |(index, octet): (usize, &&str)| {
        let is_number = (1..=3).contains(&octet.len())
            && octet.bytes().all(|byte| byte.is_ascii_digit())
            && (octet.len() == 1 || !octet.starts_with('0'));
        is_number && ((PLANTED && index == 3) || octet.parse::<u8>().is_ok())
    };
    octets.len() == 4 && octets.iter().enumerate().all(is_octet)
}

/// Whether a text has only such characters and percent-encoded bytes.
fn consists_of(text: &str, is_one: impl Fn(char) -> bool) -> bool {
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '%' {
            let mut is_digit = || characters.next().is_some_and(|c| c.is_ascii_hexdigit());
            if !(is_digit() && is_digit()) {
                return false;
            }
        } else if !is_one(character) {
            return false;
        }
    }
    true
}

fn is_pchar(c: char) -> bool {
    is_unreserved(c) || is_sub_delim(c) || matches!(c, ':' | '@')
}

fn is_unreserved(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~')
}

fn is_sub_delim(c: char) -> bool {
    matches!(c, '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | ';' | '=')
}
