//! RFC 3986's formats as regexes, some of them loosened.

/// RFC 3986's IPv6address with another `h16` and another `dec-octet`.
pub fn ipv6(h16: &str, octet: &str) -> String {
    let last = format!("(?:{h16}:{h16}|{octet}(?:\\.{octet}){{3}})");
    let mut forms = vec![format!("(?:{h16}:){{6}}{last}")];
    forms.push(format!("::(?:{h16}:){{5}}{last}"));
    for before in 0..5 {
        let after = match 4 - before {
            0 => String::new(),
            after => format!("(?:{h16}:){{{after}}}"),
        };
        forms.push(format!("(?:(?:{h16}:){{0,{before}}}{h16})?::{after}{last}"));
    }
    forms.push(format!("(?:(?:{h16}:){{0,5}}{h16})?::{h16}"));
    forms.push(format!("(?:(?:{h16}:){{0,6}}{h16})?::"));
    format!("(?:{})", forms.join("|"))
}

/// A group of an IPv6 address.
pub const H16: &str = "[0-9A-Fa-f]{1,4}";
/// A part of an IPv4 address.
pub const OCTET: &str = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

/// RFC 3986's URI with more characters in paths.
pub fn uri(more: &str) -> String {
    let pchar = format!("(?:[A-Za-z0-9._~!$&'()*+,;=:@{more}-]|%[0-9A-Fa-f]{{2}})");
    let query = "(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*";
    let name = "(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})";
    let user = "(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*";
    let address = ipv6(H16, OCTET);
    let host = format!("(?:\\[{address}\\]|{name}*)");
    let authority = format!("(?:{user}@)?{host}(?::[0-9]*)?");
    let absolute = format!("/(?:{pchar}+(?:/{pchar}*)*)?");
    let rootless = format!("{pchar}+(?:/{pchar}*)*");
    format!(
        "[A-Za-z][A-Za-z0-9+.-]*:(?://{authority}(?:/{pchar}*)*|{absolute}|{rootless}|)(?:\\?{query})?(?:#{query})?"
    )
}
