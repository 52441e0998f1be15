//! Known defects of libraries, ported: what each function returns, and what it should.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::net::Ipv6Addr;
use std::path::Path;
use std::sync::LazyLock;

use pleach::regular::{Alphabet, AutomatonLimits, Dfa};
use regex::Regex;
use toml_edit::Table;

use crate::data::{Data, string, whole};
use crate::ported;

/// What a function returned: whether it accepted, and the value if it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) accepted: bool,
    pub(crate) value: String,
}

/// What a function may return.
pub(crate) trait Answer {
    /// The value, where a string is accepted.
    fn value(self) -> Option<impl Debug>;
}

impl Answer for &str {
    fn value(self) -> Option<impl Debug> {
        Some(self.to_owned())
    }
}

impl Answer for bool {
    fn value(self) -> Option<impl Debug> {
        self.then_some(())
    }
}

impl<T: Debug> Answer for Option<T> {
    fn value(self) -> Option<impl Debug> {
        self
    }
}

impl<T: Debug, E> Answer for Result<T, E> {
    fn value(self) -> Option<impl Debug> {
        self.ok()
    }
}

impl Outcome {
    /// Errors are not told apart, for no standard says which there are.
    pub(crate) fn of(answer: impl Answer) -> Self {
        let value = answer.value().map(|value| format!("{value:?}"));
        Self { accepted: value.is_some(), value: value.unwrap_or_default() }
    }
}

/// What is right, found out without the specification's regex and without the ported function.
#[derive(Clone, Copy)]
pub(crate) enum Reference {
    /// Whether a string is valid.
    Valid(fn(&str) -> bool),
    /// What is to be returned.
    Returns(fn(&str) -> Outcome),
}

/// One function.
pub(crate) struct Ported {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&str) -> Outcome,
    pub(crate) reference: Reference,
}

macro_rules! ported {
    ($($name:literal $module:ident::$function:ident $kind:ident($reference:expr))*) => {
        &[$(Ported {
            name: $name,
            run: |text| Outcome::of(ported::$module::$function(text)),
            reference: Reference::$kind($reference),
        }),*]
    };
}

/// All functions.
pub(crate) const PORTED: &[Ported] = ported! {
    "shiro-basic-auth" shiro_basic_auth::principals_and_credentials
        Returns(|text| Outcome::of(text.split_once(':')))
    "guava-file-extension" guava_file_extension::file_extension
        Returns(|text| Outcome::of(last_extension(file_name(text))))
    "commons-io-directory-contains" commons_io_directory_contains::is_below_foo
        Returns(|text| Outcome::of(text != "/foo" && Path::new(text).starts_with("/foo")))
    "commons-io-extension" commons_io_extension::extension
        Returns(|text| Outcome::of(last_extension(before_stream(file_name(text)))))
    "guava-inet-address" guava_inet_address::parse_ipv6 Valid(is_ipv6)
    "okhttp-host" okhttp_host::bracketed_host Valid(is_bracketed_ipv6)
    "okhttp-cookie-domain" okhttp_cookie_domain::parse_domain
        Valid(|text| is_host(text) || is_ipv6(text))
    "okhttp-challenge" okhttp_challenge::parse_challenge Valid(is_challenge)
    "spring-boot-json-commas" spring_boot_json_commas::parse_map
        Returns(|text| Outcome::of(members(text)))
    "spring-boot-json-closing" spring_boot_json_closing::parse_map
        Valid(|text| members(text).is_some())
    "commons-validator-port" commons_validator_port::is_valid_authority Valid(is_host_and_port)
    "commons-validator-ipv6" commons_validator_ipv6::is_valid_inet6_address Valid(is_ipv6)
    "commons-validator-url" commons_validator_url::is_valid Valid(is_uri)
    "libphonenumber-parse" libphonenumber_parse::parse Valid(is_global_number)
    "commons-text-unescape-json" commons_text_unescape_json::unescape
        Returns(|text| Outcome::of(code_unit(text)))
    "greenmail-login" greenmail_login::parse_user Valid(is_login)
    "openjdk-duration" openjdk_duration::parse Returns(|text| Outcome::of(duration(text)))
    "dayjs-fraction" dayjs_fraction::milliseconds
        Returns(|text| Outcome::of(since_midnight(text)))
    "curl-host" curl_host::host Returns(|text| Outcome::of(url_host(text)))
    "netmask-octal" netmask_octal::parse Returns(|text| Outcome::of(inet_addr(text)))
    "httplib-disposition" httplib_disposition::parameters
        Returns(|text| Outcome::of(form_data(text)))
    "nanohttpd-path" nanohttpd_path::decode
        Returns(|text| Outcome::of(percent_decoded(text)))
};

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn before_stream(name: &str) -> &str {
    name.split(':').next().unwrap_or(name)
}

fn last_extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// What `std` takes for an IPv6 address is RFC 3986's `IPv6address`.
fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

fn is_bracketed_ipv6(text: &str) -> bool {
    text.len() > 2
        && text.starts_with('[')
        && text.ends_with(']')
        && is_ipv6(&text[1..text.len() - 1])
}

fn is_host(text: &str) -> bool {
    text.split('.').all(|label| {
        let ends = (label.bytes().next(), label.bytes().last());
        let is_good = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_alphanumeric());
        is_good(ends.0)
            && is_good(ends.1)
            && label.bytes().all(|b| b == b'-' || b.is_ascii_alphanumeric())
    })
}

fn is_host_and_port(text: &str) -> bool {
    let (host, port) = text.rsplit_once(':').unwrap_or((text, "0"));
    let is_port = port.len() <= 5 && !port.starts_with('+') && port.parse::<u16>().is_ok();
    is_host(host) && is_port
}

/// Reads a text from left to right.
struct Cursor<'t> {
    rest: &'t str,
}

impl<'t> Cursor<'t> {
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// What stands in quotation marks, escapes as they are, where every character is `allowed`.
    fn quoted(&mut self, allowed: impl Fn(char) -> bool) -> Option<&'t str> {
        if !self.eat("\"") {
            return None;
        }
        let content = self.rest;
        loop {
            let plain = self.take(|c| c != '"' && c != '\\');
            if !plain.chars().all(&allowed) {
                return None;
            }
            let end = content.len() - self.rest.len();
            if self.eat("\"") {
                return Some(&content[..end]);
            }
            self.eat("\\");
            let escaped = self.rest.chars().next()?;
            if !allowed(escaped) {
                return None;
            }
            self.rest = &self.rest[escaped.len_utf8()..];
        }
    }
}

fn is_token(text: &str) -> bool {
    const OTHERS: &str = "!#$%&'*+-.^_`|~";
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || OTHERS.contains(c))
}

fn is_challenge(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(' ') else { return is_token(text) };
    let rest = rest.trim_start_matches(' ');
    let token68 = rest.trim_end_matches('=');
    let is_token68 = !token68.is_empty()
        && token68.chars().all(|c| c.is_ascii_alphanumeric() || "-._~+/".contains(c));
    is_token(scheme) && (is_token68 || is_parameters(rest))
}

fn is_parameters(text: &str) -> bool {
    let space = |c| c == ' ' || c == '\t';
    let is_text = |c: char| c == '\t' || (c >= ' ' && c != '\u{7F}');
    let mut cursor = Cursor { rest: text };
    loop {
        if !is_token(cursor.take(|c| !space(c) && c != '=')) {
            return false;
        }
        cursor.take(space);
        if !cursor.eat("=") {
            return false;
        }
        cursor.take(space);
        let good = match cursor.rest.starts_with('"') {
            true => cursor.quoted(is_text).is_some(),
            false => is_token(cursor.take(|c| !space(c) && c != ',')),
        };
        if !good || cursor.rest.is_empty() {
            return good;
        }
        cursor.take(space);
        if !cursor.eat(",") {
            return false;
        }
        cursor.take(space);
    }
}

/// The members of a JSON object of strings, without white space, and with one member at least.
fn members(text: &str) -> Option<Vec<(String, String)>> {
    let mut cursor = Cursor { rest: text };
    let mut members = Vec::new();
    let mut before = "{";
    loop {
        if !cursor.eat(before) {
            return (before == "," && cursor.rest == "}").then_some(members);
        }
        let name = json_string(&mut cursor)?;
        if !cursor.eat(":") {
            return None;
        }
        let value = json_string(&mut cursor)?;
        members.push((name, value));
        before = ",";
    }
}

fn json_string(cursor: &mut Cursor<'_>) -> Option<String> {
    let content = cursor.quoted(|c| c >= ' ')?;
    // Escapes are judged by another parser of JSON.
    let is_valid = |text: &str| pleach_testing::is_json(text.as_bytes());
    is_valid(&format!("\"{content}\"")).then(|| content.to_owned())
}

fn is_global_number(text: &str) -> bool {
    let Some(number) = text.strip_prefix('+') else { return false };
    let digits = number.chars().filter(char::is_ascii_digit).count();
    let separators = number.chars().filter(|&c| "().-".contains(c)).count();
    digits > 0 && digits + separators == number.chars().count()
}

fn code_unit(text: &str) -> Option<u16> {
    let escapes = [
        ("\"", 0x22),
        ("\\", 0x5C),
        ("/", 0x2F),
        ("b", 8),
        ("f", 12),
        ("n", 10),
        ("r", 13),
        ("t", 9),
    ];
    let name = text.strip_prefix('\\')?;
    if let Some(&(_, unit)) = escapes.iter().find(|&&(escape, _)| escape == name) {
        return Some(unit);
    }
    let digits = name.strip_prefix('u')?;
    let is_hex = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    if is_hex { u16::from_str_radix(digits, 16).ok() } else { None }
}

/// `login:password`: whatever follows may be read as a password.
fn is_login(text: &str) -> bool {
    let Some((login, password)) = text.split_once(':') else { return false };
    !login.is_empty() && !login.contains('@') && !password.is_empty()
}

/// RFC 3986, appendix B takes a URI apart; then each part's characters are looked at.
fn is_uri(text: &str) -> bool {
    let parts =
        Regex::new(r"\A(?s:([^:/?#]+):(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?)\z").unwrap();
    let Some(parts) = parts.captures(text) else { return false };
    let part = |i: usize| parts.get(i).map_or("", |found| found.as_str());
    let scheme = part(1).as_bytes();
    scheme[0].is_ascii_alphabetic()
        && scheme.iter().all(|&b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
        && (parts.get(2).is_none() || is_authority(part(3)))
        && is_encoded(part(4), ":@/")
        && is_encoded(part(6), ":@/?")
        && is_encoded(part(8), ":@/?")
}

fn is_authority(text: &str) -> bool {
    let (user, rest) = text.split_once('@').unwrap_or(("", text));
    let (host, port) = match rest.rfind(']') {
        Some(end) => rest.split_at(end + 1),
        None => rest.split_at(rest.find(':').unwrap_or(rest.len())),
    };
    let is_future = |text: &str| {
        let Some((version, address)) = text.split_once('.') else { return false };
        version.len() > 1
            && version.starts_with(['v', 'V'])
            && version[1..].bytes().all(|b| b.is_ascii_hexdigit())
            && !address.is_empty()
            && !address.contains('%')
            && is_encoded(address, ":")
    };
    let is_literal = || {
        let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        inner.is_some_and(|inner| is_ipv6(inner) || is_future(inner))
    };
    let is_port = port.is_empty() || port.starts_with(':');
    is_encoded(user, ":")
        && (is_encoded(host, "") || is_literal())
        && is_port
        && port.bytes().skip(1).all(|b| b.is_ascii_digit())
}

/// Whether a text is made of unreserved characters, delimiters, percent-encoded bytes and `others`.
fn is_encoded(text: &str, others: &str) -> bool {
    const ALLOWED: &str = "-._~!$&'()*+,;=";
    text.char_indices().all(|(i, c)| match c {
        '%' => text
            .as_bytes()
            .get(i + 1..i + 3)
            .is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        _ => c.is_ascii_alphanumeric() || ALLOWED.contains(c) || others.contains(c),
    })
}

/// Nanoseconds of ISO 8601's hours, minutes and seconds, each with a sign of its own.
fn duration(text: &str) -> Option<i128> {
    static PARTS: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"\APT(?:([+-]?[0-9]+)H)?(?:([+-]?[0-9]+)M)?(?:([+-]?[0-9]+)(\.[0-9]+)?S)?\z";
        Regex::new(pattern).unwrap()
    });
    let parts = PARTS.captures(text)?;
    let part = |i: usize| parts.get(i).map_or("0", |found| found.as_str());
    let number = |i: usize| part(i).parse::<i128>().ok();
    // A fraction belongs to the digits before it, whatever they are worth.
    let digits = part(4).trim_start_matches('.');
    let fraction = format!("{digits:0<9}").get(..9)?.parse::<i128>().ok()?;
    let seconds = match part(3).strip_prefix('-') {
        Some(_) => number(3)? * 1_000_000_000 - fraction,
        None => number(3)? * 1_000_000_000 + fraction,
    };
    Some((number(1)? * 60 + number(2)?) * 60_000_000_000 + seconds)
}

/// Milliseconds: each digit of a fraction is worth a tenth of the one before.
fn since_midnight(text: &str) -> Option<u32> {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let fraction = shape.strip_prefix("00:00:00")?;
    let is_fraction = fraction
        .strip_prefix('.')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b == b'0'));
    if !fraction.is_empty() && !is_fraction {
        return None;
    }
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    let pair = |at: usize| 10 * digits[at] + digits[at + 1];
    let (hour, minute, second) = (pair(0), pair(2), pair(4));
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let worth = digits[6..].iter().zip([100, 10, 1]).map(|(digit, worth)| digit * worth);
    Some(((hour * 60 + minute) * 60 + second) * 1000 + worth.sum::<u32>())
}

/// RFC 3986, section 3.2: what ends an authority, a user and a host.
fn url_host(text: &str) -> Option<&str> {
    static HOST: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\Ahttps?://(?:[^/?#@]*@)?([^/?#:@]*)").unwrap());
    HOST.captures(text)?.get(1).map(|host| host.as_str())
}

fn inet_addr(text: &str) -> Option<[u8; 4]> {
    let parts = text.split('.').map(|part| match part.strip_prefix('0') {
        Some("") => Some(0),
        Some(octal) => u8::from_str_radix(octal, 8).ok(),
        None => part.parse().ok(),
    });
    parts.collect::<Option<Vec<u8>>>()?.try_into().ok()
}

fn form_data(text: &str) -> Option<Vec<(String, String)>> {
    let mut cursor = Cursor { rest: text };
    let mut found = Vec::new();
    if !cursor.eat("form-data") {
        return None;
    }
    while cursor.eat(";") {
        cursor.take(|c| c == ' ');
        let name = cursor.take(|c| c != '=');
        if !is_token(name) || !cursor.eat("=") {
            return None;
        }
        let value = match cursor.rest.starts_with('"') {
            true => cursor.quoted(|c| c >= ' ')?,
            false => Some(cursor.take(|c| c != ';')).filter(|value| is_token(value))?,
        };
        found.push((name.to_owned(), value.to_owned()));
    }
    cursor.rest.is_empty().then_some(found)
}

/// Cut at the percent signs, behind each of which stand two digits.
fn percent_decoded(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.split('%');
    let mut decoded = parts.next()?.as_bytes().to_vec();
    for part in parts {
        decoded.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        decoded.extend(part[2..].bytes());
    }
    Some(decoded)
}

/// On which strings a wrong answer is the fault of the case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    Inside,
    Outside,
    Anywhere,
}

/// A case of `cases.toml` with its function.
pub(crate) struct Case {
    pub(crate) name: String,
    /// The file of the function, from the package's folder.
    pub(crate) file: String,
    pub(crate) function: String,
    /// The specification with its fragments spelled out and with data groups.
    pub(crate) spec: String,
    /// The same without roles.
    pub(crate) valid: Regex,
    pub(crate) place: Where,
    pub(crate) exposed_by: String,
    pub(crate) ordinary: BTreeSet<String>,
    pub(crate) ported: &'static Ported,
}

impl Case {
    /// All cases, in the order of the file.
    pub(crate) fn all() -> Vec<Self> {
        let data = Data::read("cases.toml");
        data.entries().map(|(name, entry)| Self::read(&data, name, entry)).collect()
    }

    fn read(data: &Data, name: &str, entry: &Table) -> Self {
        let find = PORTED.iter().find(|ported| ported.name == name);
        let ported = find.unwrap_or_else(|| panic!("no function for {name}"));
        let judge = match ported.reference {
            Reference::Valid(_) => "verdict",
            Reference::Returns(_) => "value",
        };
        assert_eq!(string(entry, "judge"), judge, "{name}");
        let place = match string(entry, "where") {
            "inside" => Where::Inside,
            "outside" => Where::Outside,
            "anywhere" => Where::Anywhere,
            other => panic!("{name}: where = {other}"),
        };
        let mut ordinary = vec![String::new()];
        for part in entry["ordinary"].as_array().unwrap() {
            let choices = part.as_array().unwrap();
            let longer = |text: &String| -> Vec<String> {
                choices.iter().map(|choice| format!("{text}{}", choice.as_str().unwrap())).collect()
            };
            ordinary = ordinary.iter().flat_map(longer).collect();
        }
        let spec = data.spell(string(entry, "spec"));
        Self {
            name: name.to_owned(),
            file: format!("tests/data/differential/cases/{}", string(entry, "file")),
            function: string(entry, "function").to_owned(),
            valid: whole(&spec),
            spec,
            place,
            exposed_by: string(entry, "exposed_by").to_owned(),
            ordinary: ordinary.into_iter().collect(),
            ported,
        }
    }

    /// What the ported function makes of a string.
    pub(crate) fn run(&self, text: &str) -> Outcome {
        (self.ported.run)(text)
    }

    /// Whether a string shows the fault.
    pub(crate) fn is_exposed_by(&self, text: &str) -> bool {
        let is_here = match self.place {
            Where::Inside => self.valid.is_match(text),
            Where::Outside => !self.valid.is_match(text),
            Where::Anywhere => true,
        };
        is_here && self.differs(text)
    }

    /// Whether the function and the reference disagree.
    fn differs(&self, text: &str) -> bool {
        let outcome = self.run(text);
        match self.ported.reference {
            Reference::Valid(is_valid) => outcome.accepted != is_valid(text),
            Reference::Returns(returns) => outcome != returns(text),
        }
    }
}

#[test]
fn every_function_has_the_fault_of_its_case() {
    let cases = Case::all();
    assert_eq!(cases.len(), PORTED.len());
    for case in cases {
        assert!(case.is_exposed_by(&case.exposed_by), "{}: {:?}", case.name, case.exposed_by);
        let source = std::fs::read_to_string(&case.file).unwrap();
        assert!(source.contains(&format!("pub fn {}(", case.function)), "{}", case.name);
    }
}

/// So the fault is as described, and no cruder one.
#[test]
fn no_function_is_wrong_on_ordinary_strings() {
    for case in Case::all() {
        assert!(case.ordinary.len() >= 50, "{}: {}", case.name, case.ordinary.len());
        let pattern = case.spec.replace("(?<data>", "(?:");
        let spec =
            Dfa::from_regex(&pattern, Alphabet::Unicode, &AutomatonLimits::default()).unwrap();
        let mut sides = [0; 2];
        for text in &case.ordinary {
            assert!(!case.is_exposed_by(text), "{}: {text:?} -> {:?}", case.name, case.run(text));
            assert_eq!(spec.contains_bytes(text.as_bytes()), case.valid.is_match(text), "{text:?}");
            sides[usize::from(case.valid.is_match(text))] += 1;
        }
        assert!(sides[1] >= 10, "{}: {} are valid", case.name, sides[1]);
    }
}

/// The references and the specifications were written apart from each other.
#[test]
fn references_agree_with_the_specifications() {
    let mut edits = crate::validators::Edits::new(0x5EED);
    for case in Case::all() {
        let mut texts: Vec<String> = case.ordinary.iter().cloned().collect();
        texts.push(case.exposed_by.clone());
        let seeds: Vec<String> =
            texts.iter().filter(|text| case.valid.is_match(text)).cloned().collect();
        texts.extend((0..5_000).map(|_| edits.edit(&seeds)));
        let mut valid = 0;
        for text in &texts {
            let is_valid = case.valid.is_match(text);
            valid += usize::from(is_valid);
            match case.ported.reference {
                Reference::Valid(reference) => {
                    assert_eq!(reference(text), is_valid, "{}: {text:?}", case.name);
                }
                // What is valid must be accepted; what is not may be, as in the original.
                Reference::Returns(reference) if is_valid => {
                    assert!(reference(text).accepted, "{}: {text:?}", case.name);
                }
                Reference::Returns(_) => {}
            }
        }
        assert!(valid > 50 && valid < texts.len(), "{}: {valid}", case.name);
    }
}
