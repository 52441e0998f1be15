//! Causes that are planted in validators, two in each: each is one group, named so that it leads to the line.
//!
//! A line with a plant ends in a comment that says which it is.

use pleach_core::regular::AutomatonLimits;
use pleach_differential::Language;
use pleach_differential::known::Known;
use pleach_differential::suite::{Conformance, DeviationKind, Options, Suite};

use DeviationKind::{OverAccepted, OverRejected};

fn conformance(pattern: &str, accepts: fn(&str) -> bool) -> Conformance {
    let limits = AutomatonLimits::default();
    let language = Language::regex(pattern, &limits).expect(pattern);
    Suite::new(&language, &Options::new(), &limits).expect(pattern).check(accepts)
}

fn digits(text: &str, count: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let is_number = count.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

fn is_ipv4(text: &str) -> bool {
    let octets: Vec<&str> = text.split('.').collect();
    // Zeros in front are not looked at, and the bound is that of a slip of the finger.
    octets.len() == 4 && octets.iter().all(|octet| digits(octet, 1..=3).is_some_and(|it| it <= 259))
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}

fn is_date_time(text: &str) -> bool {
    let text = text.strip_suffix('Z').filter(|rest| rest.ends_with(['Z', 'z'])).unwrap_or(text); // a second Z
    let Some((date, time)) = text.split_once(['T', 't']) else { return false };
    let date: Vec<&str> = date.split('-').collect();
    let [year, month, day] = date[..] else { return false };
    let (Some(year), Some(month), Some(day)) =
        (digits(year, 4..=4), digits(month, 2..=2), digits(day, 2..=2))
    else {
        return false;
    };
    if year < 1970 {
        return false; // years before 1970
    }
    let last = match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=last).contains(&day) && is_time(time)
}

fn is_time(text: &str) -> bool {
    let Some(at) = text.find(['Z', 'z', '+', '-']) else { return false };
    let (time, offset) = text.split_at(at);
    let clock = |text: &str| {
        let mut parts = text.split(':');
        let hour = parts.next().and_then(|part| digits(part, 2..=2));
        let minute = parts.next().and_then(|part| digits(part, 2..=2));
        let is_clock = hour.is_some_and(|it| it < 24) && minute.is_some_and(|it| it < 60);
        (is_clock, parts.map(str::to_owned).collect::<Vec<_>>())
    };
    let (is_clock, rest) = clock(time);
    let [second] = &rest[..] else { return false };
    let (second, fraction) = match second.split_once('.') {
        Some((second, fraction)) => (second, fraction),
        None => (&**second, "0"),
    };
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit());
    let is_offset = matches!(offset, "Z" | "z") || {
        let (is_clock, rest) = clock(&offset[1..]);
        offset.starts_with(['+', '-']) && is_clock && rest.is_empty()
    };
    is_clock && is_fraction && digits(second, 2..=2).is_some_and(|it| it <= 60) && is_offset
}

fn is_port(text: &str) -> bool {
    if text.starts_with('0') {
        return false; // port 0
    }
    text.parse::<u16>().is_ok() && !text.starts_with("+0") // a sign
}

fn is_semver(text: &str) -> bool {
    let (text, build) = match text.split_once('+') {
        Some((text, build)) => (text, Some(build)),
        None => (text, None),
    };
    let (core, pre) = match text.split_once('-') {
        Some((core, pre)) => (core, Some(pre)),
        None => (text, None),
    };
    let core: Vec<&str> = core.split('.').collect();
    let is_plain = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_strict = |text: &str| is_plain(text) && (text == "0" || !text.starts_with('0'));
    let [major, minor, patch] = core[..] else { return false };
    let is_core = is_strict(major) && is_strict(minor) && is_plain(patch); // zeros in front of the patch
    let is_identifier = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let is_pre = |text: &str| is_identifier(text) && (!is_plain(text) || is_strict(text));
    let is_build = |text: &str| is_identifier(text) && !text.contains('-'); // hyphens in build metadata
    is_core
        && pre.is_none_or(|pre| pre.split('.').all(is_pre))
        && build.is_none_or(|build| build.split('.').all(is_build))
}

fn is_hostname(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-') // and nothing about the end
    };
    text.split('.').all(is_label) && !text.contains("--") // two hyphens in a row
}

fn is_uuid(text: &str) -> bool {
    let text = text.trim_end(); // white space at the end
    let groups: Vec<&str> = text.split('-').collect();
    let is_group = |(group, length): (&&str, &usize)| {
        // No capital letters.
        group.len() == *length && group.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    groups.len() == 5 && groups.iter().zip(&[8, 4, 4, 4, 12]).all(is_group)
}

fn is_mac_address(text: &str) -> bool {
    // Both separators in one address.
    let pairs: Vec<&str> = text.split([':', '-']).collect();
    let is_digit = |b: u8| b.is_ascii_hexdigit() || b == b'g'; // one letter more
    pairs.len() == 6 && pairs.iter().all(|pair| pair.len() == 2 && pair.bytes().all(is_digit))
}

fn is_http_date(text: &str) -> bool {
    const DAYS: &str = "Mon Tue Wed Thu Fri Sat Sun";
    const MONTHS: &str = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
    let parts: Vec<&str> = text.split(' ').collect();
    let [weekday, day, month, year, time, "GMT"] = parts[..] else { return false };
    let Some(weekday) = weekday.strip_suffix(',') else { return false };
    let clock: Vec<&str> = time.split(':').collect();
    let [hour, minute, second] = clock[..] else { return false };
    let is_clock = digits(hour, 2..=2).is_some_and(|it| it < 24)
        && digits(minute, 2..=2).is_some_and(|it| it < 60)
        && digits(second, 2..=2).is_some_and(|it| it < 60); // no leap second
    DAYS.split(' ').any(|it| it.eq_ignore_ascii_case(weekday)) // the weekday in any case
        && MONTHS.split(' ').any(|it| it == month)
        && digits(day, 2..=2).is_some_and(|it| (1..=31).contains(&it))
        && digits(year, 4..=4).is_some()
        && is_clock
}

fn is_base64(text: &str) -> bool {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"; // no slash
    let data = text.trim_end_matches('=');
    let value = |b: u8| letters.iter().position(|&letter| letter == b);
    if data.bytes().any(|b| value(b).is_none()) {
        return false;
    }
    let padding = text.len() - data.len();
    let last = data.bytes().last().and_then(value).unwrap_or(0);
    // Padding may be cut short.
    match data.len() % 4 {
        0 => padding == 0,
        2 => padding <= 2 && last.is_multiple_of(16),
        3 => padding <= 1 && last.is_multiple_of(4),
        _ => false,
    }
}

fn is_json_number(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text); // a plus sign
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent)),
        None => (text, None),
    };
    let is_plain = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) => (whole, fraction),
        None => (number, "0"),
    };
    let is_whole =
        !whole.is_empty() && is_plain(whole) && (whole == "0" || !whole.starts_with('0'));
    let is_exponent = |text: &str| {
        let text = text.strip_prefix(['-', '+']).unwrap_or(text);
        !text.is_empty() && is_plain(text)
    };
    // A fraction may be empty.
    is_whole && is_plain(fraction) && exponent.is_none_or(is_exponent)
}

/// A validator, by the name of its specification, and what is planted in it.
type Planted = (&'static str, fn(&str) -> bool, [(DeviationKind, &'static str); 2]);

const PLANTED: [Planted; 10] = [
    (
        "ipv4",
        is_ipv4,
        [(OverAccepted, "leading zeros"), (OverAccepted, "above 255, if it is below 260")],
    ),
    (
        "date-time",
        is_date_time,
        [(OverRejected, "the first number below 1970"), (OverAccepted, "a second `Z`")],
    ),
    ("port", is_port, [(OverAccepted, "a sign `\\+`"), (OverRejected, "a number below 1")]),
    (
        "semver",
        is_semver,
        [(OverAccepted, "leading zeros in the third number"), (OverRejected, "`-`")],
    ),
    (
        "hostname",
        is_hostname,
        [(OverRejected, "`-` right after `-`"), (OverAccepted, "an empty part after `-`")],
    ),
    (
        "uuid",
        is_uuid,
        [
            (OverRejected, "`[A-F]` wherever it stands"),
            (OverAccepted, "white space around it at the end"),
        ],
    ),
    (
        "mac-address",
        is_mac_address,
        [(OverAccepted, "`[\\-:]`"), (OverAccepted, "`[g-z]` in the place")],
    ),
    (
        "http-date",
        is_http_date,
        [(OverAccepted, "a letter in the other case"), (OverRejected, "number above 59")],
    ),
    (
        "base64",
        is_base64,
        [(OverRejected, "`/` wherever it stands"), (OverAccepted, "the end, where `=` is missing")],
    ),
    (
        "json-number",
        is_json_number,
        [(OverAccepted, "a sign `\\+`"), (OverAccepted, "an empty part after `\\.`")],
    ),
];

#[test]
fn each_planted_cause_is_one_group_that_leads_to_it() {
    let known = Known::shipped();
    let mut wrong = Vec::new();
    for (name, accepts, planted) in PLANTED {
        let found = conformance(known.find(name).expect(name).pattern(), accepts);
        println!("{name}: {} deviations", found.over_accepted + found.over_rejected);
        for group in &found.groups {
            println!(
                "  {:?}  {:?} beside {:?}  {} of {}: {}",
                group.kind, group.witness, group.nearest, group.count, group.of, group.fault
            );
        }
        let leads = |(kind, words): (DeviationKind, &str)| {
            let of = found.groups.iter().take(10);
            of.filter(|group| group.kind == kind && group.fault.contains(words)).count()
        };
        if planted.map(leads) != [1, 1] || found.groups.len() != 2 {
            wrong.push(name);
        }
        let count: usize = found.groups.iter().map(|group| group.count).sum();
        assert_eq!(count, found.over_accepted + found.over_rejected, "{name}");
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// A mask in dotted quads, in which no one may follow a zero.
#[test]
fn what_depends_on_what_comes_before_is_few_groups() {
    let byte = "(?:128|192|224|240|248|252|254|255|0)";
    let part = "(?:128|192|224|240|248|252|254)";
    let pattern = format!(
        "255\\.255\\.255\\.{byte}|255\\.255\\.(?:{part}|0)\\.0|255\\.(?:{part}|0)\\.0\\.0|(?:{part}|0)\\.0\\.0\\.0"
    );
    let found = conformance(&pattern, is_ipv4);
    for group in &found.groups {
        println!(
            "  {:?} {:?} {} of {}: {}",
            group.kind, group.witness, group.count, group.of, group.fault
        );
    }
    assert!(found.over_accepted > 100 && found.over_rejected == 0);
    assert!(found.groups.len() <= 15, "{}", found.groups.len());
    assert_eq!(found.groups.iter().map(|group| group.count).sum::<usize>(), found.over_accepted);
}

/// A parser that takes what it knows off the front, and does not look at what is left: hundreds of deviations in as many states.
#[test]
fn what_is_not_looked_at_is_told_by_what_is_due_there() {
    let clock = "(?:[01][0-9]|2[0-4]):?[0-5]?[0-9]";
    let front = format!(
        "^[+-]?[0-9]{{4,}}-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12][0-9]|3[01])T{clock}(?::?[0-5]?[0-9])?"
    );
    let front = regex::Regex::new(&front).expect("a regex");
    let known = Known::shipped();
    let limits = AutomatonLimits::default();
    let pattern = known.find("date-time").expect("it ships").pattern();
    let language = Language::regex(pattern, &limits).expect("small");
    let suite = Suite::new(&language, &Options::new(), &limits).expect("small");
    let found = suite.check(|text| front.is_match(text));
    for group in &found.groups {
        println!("  {:?} {:?} {}: {}", group.kind, group.witness, group.count, group.fault);
    }
    assert!(found.over_accepted > 1_000 && found.groups.len() <= 15, "{}", found.groups.len());
    let counted = found.groups.iter().map(|group| group.count).sum::<usize>();
    assert_eq!(counted, found.over_accepted + found.over_rejected);
    for (kind, words) in [
        (OverRejected, "`t`"),
        (OverAccepted, "any other symbol behind a part,"),
        (OverAccepted, "any other symbol where a part has to begin,"),
        (OverAccepted, "a number above 28, 29 or 30, if it is below 32"),
        (OverAccepted, "a sign `\\+` or a sign `-` at the beginning"),
    ] {
        let leads = found.groups.iter().filter(|it| it.kind == kind && it.fault.contains(words));
        assert_eq!(leads.count(), 1, "{words}");
    }
}

/// A slice at a place that may be inside of a character, and a part that is taken for granted.
#[test]
fn failures_of_valid_and_invalid_inputs_have_one_cause() {
    use pleach_differential::judge::Answer;
    let limits = AutomatonLimits::default();
    let language = Language::regex("[a-z]{2,5}:[0-9]+", &limits).expect("small");
    let suite = Suite::new(&language, &Options::new(), &limits).expect("small");
    let accepts = regex::Regex::new("^[a-z]{2,5}:[0-9]+$").expect("a regex");
    let answer = |text: &&str| match text {
        text if !text.is_ascii() => Answer::Failed("a slice".into()),
        text if text.contains("::") => Answer::Failed("an index".into()),
        text if accepts.is_match(text) => Answer::Accepted(None),
        _ => Answer::Rejected,
    };
    let found = suite.examine(|texts| Ok::<_, ()>(texts.iter().map(answer).collect()));
    let found = found.expect("nothing fails");
    let groups: Vec<_> =
        found.groups.iter().map(|it| (it.kind, &*it.fault, &*it.witness)).collect();
    assert_eq!(groups.len(), 2, "{groups:?}");
    assert!(groups.iter().all(|group| group.0 == DeviationKind::Failed), "{groups:?}");
    assert!(groups[0].1.contains("beyond ASCII"), "{groups:?}");
    assert!(groups[1].1.contains("`:` right after `:`"), "{groups:?}");
}

/// What is exchanged for nothing at all, and for everything.
#[test]
fn whoever_accepts_everything_or_nothing_has_one_cause() {
    for (accepts, kind) in
        [((|_| true) as fn(&str) -> bool, OverAccepted), (|_| false, OverRejected)]
    {
        let found = conformance("[a-z]+(?:-[a-z]+)*", accepts);
        let groups: Vec<_> = found.groups.iter().map(|it| (it.kind, &*it.fault)).collect();
        assert_eq!(groups, [(kind, "whatever the input")]);
    }
}

/// What the deviating input has, all others have as well.
#[test]
fn what_nothing_tells_from_the_others_is_a_group_all_the_same() {
    let found = conformance("a|b", |text| text == "a");
    assert_eq!((found.over_rejected, found.groups.len()), (1, 1), "{found:?}");
    let limits = AutomatonLimits::default();
    let [specification, implementation] =
        ["[A-Z]:", "[A-Y]:"].map(|it| Language::regex(it, &limits).expect("small"));
    let suite = Suite::new(&specification, &Options::new(), &limits).expect("small");
    let found = suite.check(|text| implementation.accepts(text));
    let deviations = found.over_accepted + found.over_rejected;
    let counted = found.groups.iter().map(|group| group.count).sum::<usize>();
    assert!(deviations > 0 && counted == deviations && !found.is_conforming(), "{found:?}");
    assert!(found.groups.iter().all(|it| it.count == it.of || it.fault != "whatever the input"));
}
