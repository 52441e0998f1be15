//! What is inferred from source: small functions for each construct, the validators, the cases.

use std::collections::BTreeSet;

use pleach::Seeded;
use pleach::differential::infer::{Derived, Infer, Inference, Mode};
use pleach::differential::{Language, Walker, to_regex};
use pleach::regular::{Alphabet, AutomatonLimits, Dfa};

use crate::cases::Case;
use crate::data::{Data, string};
use crate::validators::{Edits, WRITTEN};

mod effects;
mod items;
mod numbers;

use effects::EFFECTS;
use items::ITEMS;
use numbers::NUMBERS;

fn infer(name: &str, source: &str, function: &str) -> Inference {
    let files = [(name.to_owned(), source.to_owned())];
    Infer::new().run(&files, function, None).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn dfa(pattern: &str) -> Dfa {
    Dfa::from_regex(pattern, Alphabet::Unicode, &AutomatonLimits::default())
        .unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

fn shown(language: &Dfa) -> String {
    to_regex(language, 2_000).unwrap_or_else(|error| error.to_string())
}

/// A shortest string on which two languages differ, for messages.
fn witness(a: &Dfa, b: &Dfa) -> String {
    let difference = a.symmetric_difference(b, &AutomatonLimits::default()).unwrap();
    let symbols = difference.shortest().unwrap_or_default();
    symbols.into_iter().filter_map(char::from_u32).collect()
}

/// The body of `fn f(s: &str) -> R`, its language, and what is said to be inexact.
const CONSTRUCTS: &[(&str, &str, &str, &[&str])] = &[
    // Conditions on the whole.
    (
        "bool",
        "s.len() == 3",
        "(?s)[\\x00-\\x7F]{3}|[\\x00-\\x7F][\\x{80}-\\x{7FF}]|[\\x{80}-\\x{7FF}][\\x00-\\x7F]|[\\x{800}-\\x{FFFF}]",
        &[],
    ),
    ("bool", "s.chars().count() >= 2 && !s.contains('x')", "[^x]{2,}", &[]),
    ("bool", "s.eq_ignore_ascii_case(\"aB\") || matches!(s, \"x\" | \"yz\")", "[aA][bB]|x|yz", &[]),
    ("bool", "s.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')", "[0-9A-Fa-f-]*", &[]),
    ("bool", "s.chars().any(char::is_whitespace)", r"(?s).*\s.*", &[]),
    // Views.
    (
        "bool",
        "s.split_once(':').is_some_and(|(a, b)| a == \"x\" && !b.is_empty())",
        "(?s)x:.+",
        &[],
    ),
    (
        "Option<()>",
        "let i = s.find('=')?; (&s[..i] == \"k\" && &s[i + 1..] == \"v\").then_some(())",
        "k=v",
        &[],
    ),
    ("bool", "s.trim() == \"a\"", r"\s*a\s*", &[]),
    ("bool", "s.trim_matches('-') == \"a\"", "-*a-*", &[]),
    ("bool", "s.split(',').nth(1) == Some(\"b\")", "(?s)[^,]*,b(?:,.*)?", &[]),
    (
        "bool",
        "let p: Vec<&str> = s.splitn(2, '-').collect(); p.len() == 2 && p[0] == \"a\"",
        "(?s)a-.*",
        &[],
    ),
    ("bool", "s.rsplit('/').next() == Some(\"x\")", "(?s)(?:.*/)?x", &[]),
    ("bool", "s.split_whitespace().count() == 2", r"\s*\S+\s+\S+\s*", &[]),
    ("bool", "s.chars().rev().next() == Some('!')", "(?s).*!", &[]),
    ("bool", "s.to_ascii_lowercase() == \"ab\"", "[aA][bB]", &[]),
    ("bool", "s.replace('-', \"\") == \"ab\"", "-*a-*b-*", &[]),
    ("bool", "s.chars().filter(|c| c.is_ascii_digit()).count() == 1", "[^0-9]*[0-9][^0-9]*", &[]),
    // Numbers.
    ("bool", "s.parse::<u8>().is_ok_and(|n| n >= 200)", r"\+?0*(?:2[0-4][0-9]|25[0-5])", &[]),
    (
        "bool",
        "s.parse::<i8>().is_ok()",
        r"\+?0*(?:[0-9]{1,2}|1[01][0-9]|12[0-7])|-0*(?:[0-9]{1,2}|1[01][0-9]|12[0-8])",
        &[],
    ),
    ("bool", "u8::from_str_radix(s, 16).is_ok()", r"\+?0*[0-9A-Fa-f]{1,2}", &[]),
    ("bool", "s.len() % 2 == 0 && s.is_ascii()", r"(?:[\x00-\x7F]{2})*", &[]),
    // Loops.
    (
        "bool",
        "let mut n = 0; for c in s.chars() { if c == '.' { n += 1; } } n == 2",
        r"(?:[^.]*\.){2}[^.]*",
        &[],
    ),
    ("bool", "let mut odd = false; for _ in s.chars() { odd = !odd; } odd", "(?s).(?:..)*", &[]),
    (
        "bool",
        "let b = s.as_bytes(); let mut i = 0; while i < b.len() && b[i] == b'a' { i += 1; } i == b.len()",
        "a*",
        &[],
    ),
    (
        "bool",
        "let mut it = s.chars().peekable(); while it.peek() == Some(&'a') { it.next(); } it.next() == Some('b') && it.next().is_none()",
        "a*b",
        &[],
    ),
    (
        "bool",
        "let mut rest = s; while let Some(r) = rest.strip_prefix(\"ab\") { rest = r; } rest.is_empty()",
        "(?:ab)*",
        &[],
    ),
    (
        "bool",
        "'o: for p in s.split(',') { for c in p.chars() { if c == '!' { break 'o; } if c != 'a' { return false; } } } true",
        "(?s)[a,]*(?:!.*)?",
        &[],
    ),
    (
        "bool",
        "let mut w = String::new(); for c in s.chars() { if c == ',' { if w != \"ab\" { return false; } w.clear(); } else { w.push(c); } } w == \"c\"",
        "(?:ab,)*c",
        &[],
    ),
    (
        "bool",
        "let mut v = 0; for c in s.chars() { let Some(d) = c.to_digit(10) else { return false }; v = v * 10 + d; if v > 12 { return false; } } !s.is_empty()",
        "0*(?:[0-9]|1[0-2])",
        &[],
    ),
    ("bool", "s.chars().zip(\"ab\".chars()).all(|(a, b)| a == b)", "(?s)|a|ab.*", &[]),
    // Panics.
    (
        "()",
        "assert!(s.len() > 1); let c = s.chars().nth(2).unwrap(); if c == 'x' { panic!(\"no\") }",
        "(?s)..[^x].*",
        &[],
    ),
    ("&str", "&s[2..]", "(?s)[\\x00-\\x7F]{2}.*|[\\x{80}-\\x{7FF}].*", &[]),
    // Options and results that are compared.
    ("bool", "s.strip_prefix('a').ok_or(1) == Err(1)", "(?s)(?:[^a].*)?", &[]),
    ("bool", "s.strip_prefix('a').ok_or(1) != Err(2)", "(?s).*", &[]),
    ("bool", "s.strip_prefix('a').ok_or(1) > Ok(\"z\")", "(?s).*", &["comparison"]),
    ("bool", "s.strip_prefix('a').map(|_| 1) >= None", "(?s).*", &[]),
    ("bool", "s.strip_prefix('a').map(|_| 1) < Some(1)", "(?s)(?:[^a].*)?", &[]),
    ("bool", "s.strip_prefix('a').ok_or(()) <= Ok(\"\")", "(?s)a.*", &["comparison"]),
    ("bool", "s.parse::<u8>() == \"x\".parse::<u8>() && s.len() < 1", "", &["wrong with a number"]),
    // Bytes within characters.
    (
        "bool",
        "let b = s.as_bytes(); b.len() > 1 && b[1..].iter().all(|b| *b != b'a')",
        "(?:[\\x00-\\x7F][^a]|[^\\x00-\\x7F])[^a]*",
        &[],
    ),
    ("bool", "s.as_bytes()[1..].is_empty()", r"[\x00-\x7F]", &[]),
    ("bool", "s.as_bytes()[1..] == b\"\\xA9b\"[..]", r"[\x{80}-\x{7FF}]b", &["comparison"]),
    ("bool", "matches!(s.as_bytes(), b\"\\xC3\\xA9\" | b\"\\xC3\" | b\"ab\")", "é|ab", &[]),
    ("bool", "s.as_bytes() == b\"\\xC3\\xA9\"", "é", &[]),
    ("bool", "s.as_bytes() == [0xC3, 0xA9]", "é", &[]),
    ("bool", "s.as_bytes() == [b'a', b'b'] || s.as_bytes() != b\"\\xC3\"", "(?s).*", &[]),
    ("bool", "s.as_bytes().get(..2) == Some(b\"ab\".as_slice())", "(?s)ab.*", &[]),
    ("bool", "matches!(&s.as_bytes()[..2], b\"ab\" | b\"\\xC3\\xA9\")", "(?s)(?:ab|é).*", &[]),
    ("bool", "s.as_bytes().get(2..1).is_none()", "(?s).*", &[]),
    (
        "bool",
        "s.as_bytes().get(1..2).is_some_and(|b| b.len() == 1)",
        "(?s)[^\\x00-\\x7F].*|..+",
        &[],
    ),
    (
        "bool",
        "let i = s.find('é').unwrap(); s.as_bytes()[i + 1] == 0xA9",
        "(?s).*é.*",
        &["within a character"],
    ),
    (
        "bool",
        "let i = s.find(':').unwrap_or(0); s.as_bytes()[i + 1..] == *b\"x\"",
        "[^:]*:x|[\\x00-9;-\\x7F]x",
        &[],
    ),
    (
        "bool",
        "let t = &s[1..]; for (i, c) in t.char_indices() { if c == 'x' { return &s[i..] == \"ax\"; } } false",
        "(?s)[\\x00-\\x7F].*x.*",
        &["not followed"],
    ),
    // Lists.
    (
        "bool",
        "let mut v: Vec<char> = s.chars().collect(); let n = v.drain(..).count(); n == 2 && v.is_empty()",
        "(?s)..",
        &[],
    ),
    (
        "bool",
        "let mut v = vec![1, 2, 3]; let n: i32 = v.drain(..=1).sum(); n == 3 && v == [3] && s == \"a\"",
        "a",
        &[],
    ),
    ("bool", "let p: Vec<&str> = s.split(',').collect(); p.get(..=1).is_some()", "(?s).*,.*", &[]),
    ("bool", "let p: Vec<&str> = s.split(',').collect(); p.get(2..1).is_none()", "(?s).*", &[]),
    (
        "bool",
        "let v: Vec<char> = s.chars().filter(|c| *c != '-').collect(); v.windows(2).any(|w| w[0] == '.' && w[1] == ':')",
        r"(?s).*\.-*:.*",
        &[],
    ),
    (
        "bool",
        "let v: Vec<char> = s.chars().filter(|c| *c != '-').collect(); v.chunks(2).all(|w| w.len() == 2)",
        "(?s)-*(?:[^-]-*[^-]-*)*",
        &[],
    ),
    // Pieces and iterators from the end.
    ("bool", "s.rsplit_terminator(':').next() == Some(\"a\")", "(?s)(?:.*:)?a:?", &[]),
    ("bool", "s.rsplit_terminator(':').count() == 1", "[^:]+:?|:", &[]),
    ("bool", "s.rsplit_terminator(\"::\").count() == 0", "", &[]),
    ("bool", "s.chars().take(s.len()).all(|c| c == 'a')", "(?s).*", &["how many"]),
    ("bool", "s.chars().take(s.len() % 2).count() == 0", "(?s).*", &["how many"]),
    (
        "bool",
        "let mut b = s.bytes(); b.next_back() == Some(0xA9) && b.next() == Some(0xC3) && b.next().is_none()",
        r"[\x{80}-\x{7FF}]",
        &["comparison"],
    ),
    (
        "bool",
        "let mut b = s.bytes(); b.next_back(); b.next_back(); b.next() == Some(b'a')",
        "(?s)a(?:..+|[^\\x00-\\x7F].*)|a[\\x00-\\x7F]{2}",
        &[],
    ),
    (
        "bool",
        "let mut b = s.bytes(); b.next_back(); b.count() == 1",
        r"[\x00-\x7F]{2}|[\x{80}-\x{7FF}]",
        &[],
    ),
    // Numbers that are divided.
    ("bool", "s.len() as i32 / -2 < 0", "(?s)..+|[^\\x00-\\x7F]", &[]),
    ("bool", "s.len() as i32 % -2 == 1 && s.is_ascii()", r"[\x00-\x7F](?:[\x00-\x7F]{2})*", &[]),
    ("bool", "10 / s.len() < 11", "(?s).+", &[]),
    ("bool", "10 / s.chars().count() == 3", "(?s)...", &[]),
    ("bool", "10 % s.len() < 11", "(?s).*", &["arithmetic"]),
    ("bool", "s.len() / 0 < 1", "[a&&b]", &[]),
    ("bool", "s.chars().count() << 4 >= 0", "(?s).*", &[]),
    ("bool", "s.chars().count() >> 1 == 1", "(?s)...?", &[]),
    ("bool", "s.parse::<i8>().is_ok_and(|n| n / -1 == 5)", r"-0*5", &["overflows"]),
    (
        "bool",
        "s.parse::<u128>().is_ok_and(|n| n > 7) && s.len() == 39 && s.starts_with(\"34028236692093846346337460743176821145\")",
        "34028236692093846346337460743176821145[0-5]",
        &[],
    ),
    // Alternatives with a guard.
    (
        "bool",
        "match (s.chars().next(), s.chars().last()) { (Some(c), _) | (_, Some(c)) if c == 'a' => true, _ => false }",
        "(?s)a.*|.*a",
        &[],
    ),
    (
        "bool",
        "matches!((s.chars().next(), s.chars().last()), (Some(c), _) | (_, Some(c)) if c == 'a')",
        "(?s)a.*|.*a",
        &[],
    ),
    (
        "bool",
        "match Some((s.chars().next(), s.chars().last())) { Some((Some(c), _) | (_, Some(c))) if c == 'a' => true, _ => false }",
        "(?s).*",
        &["pattern"],
    ),
    (
        "bool",
        "match s.chars().next() { Some('a' | 'b') if s.len() > 1 => true, _ => false }",
        "(?s)[ab].+",
        &[],
    ),
    // What is not followed.
    ("bool", "s.starts_with('a') && mystery(s)", "(?s)a.*", &["mystery"]),
    ("bool", "s.contains('a') || s.parse::<Thing>().is_ok()", "(?s).*", &["Thing"]),
    (
        "bool",
        "let mut v = 0u8; for c in s.chars() { let Some(d) = c.to_digit(10) else { return false }; v = v * 10 + d as u8; } true",
        "[0-9]*",
        &["overflows"],
    ),
    (
        "bool",
        "s.parse::<u8>().is_ok_and(|n| n * 2 >= 0)",
        r"\+?0*(?:[0-9]{1,2}|1[0-9]{2}|2[0-4][0-9]|25[0-5])",
        &["overflows"],
    ),
    ("bool", "other!(s) && s.len() < 2", "(?s).*", &["other!"]),
];

#[test]
fn constructs_are_inferred() {
    let mut faults = Vec::new();
    for &(returns, body, pattern, notes) in CONSTRUCTS {
        let source = format!("pub fn f(s: &str) -> {returns} {{\n{body}\n}}\n");
        let inference = infer("f.rs", &source, "f");
        let expected = dfa(pattern);
        if !inference.language.equivalent(&expected) {
            let text = witness(&inference.language, &expected);
            faults.push(format!("{body}: differs on {text:?}: {}", shown(&inference.language)));
        }
        if inference.exact != notes.is_empty() {
            faults.push(format!("{body}: exact {}: {:?}", inference.exact, inference.imprecisions));
        }
        for (note, found) in notes.iter().zip(&inference.imprecisions) {
            if !found.message.contains(note) || found.line != 2 || found.file != "f.rs" {
                faults.push(format!("{body}: {found}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn items_are_inferred() {
    let mut faults = Vec::new();
    for &(source, pattern, notes) in [ITEMS, EFFECTS, NUMBERS].into_iter().flatten() {
        let inference = infer("f.rs", source, "f");
        let expected = dfa(pattern);
        if !inference.language.equivalent(&expected) {
            let text = witness(&inference.language, &expected);
            faults.push(format!("{source}: differs on {text:?}: {}", shown(&inference.language)));
        }
        let told = |note: &&str| inference.imprecisions.iter().any(|i| i.message.contains(*note));
        if inference.exact != notes.is_empty() || !notes.iter().all(told) {
            faults
                .push(format!("{source}: exact {}: {:?}", inference.exact, inference.imprecisions));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn source_that_nests_is_refused_or_read() {
    let run = |source: &str| {
        // As small a stack as threads have: the analysis has its own.
        let files = [("deep.rs".to_owned(), source.to_owned())];
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(256 << 10);
            thread
                .spawn_scoped(scope, || Infer::new().run(&files, "f", None))
                .unwrap()
                .join()
                .unwrap()
        })
    };
    let within = |body: &str| format!("fn f(s: &str) -> bool {{ {body} }}");
    for (open, close) in [("(", ")"), ("{", "}"), ("[", "]"), ("!", ""), ("-", ""), ("&", "")] {
        let (few, many) = (100, 100_000);
        assert!(
            run(&within(&format!("{}s.is_empty(){};  true", open.repeat(few), close.repeat(few))))
                .is_ok()
        );
        let error =
            run(&within(&format!("{}s{}", open.repeat(many), close.repeat(many)))).unwrap_err();
        assert!(error.is_too_deep(), "{open}: {error}");
    }
    let error = run(&within(&format!("s{}.is_empty()", ".trim()".repeat(50_000)))).unwrap_err();
    assert!(error.is_too_deep(), "{error}");
    let trims = run(&within(&format!("s{}.is_empty()", ".trim()".repeat(300)))).unwrap();
    assert!(trims.exact && trims.language.equivalent(&dfa(r"\s*")));
    let chain = "if s == \"x\" { true } else ".repeat(200);
    assert!(run(&within(&format!("{chain} {{ false }}"))).unwrap().language.equivalent(&dfa("x")));
    for source in
        ["fn f(s: &str) -> bool {", "fn f(s: &str", "\"", "fn f(s: &str) -> bool { '", "\u{0}"]
    {
        assert!(run(source).is_err(), "{source}");
    }
    assert!(run("fn g(s: &str) {}").unwrap_err().is_missing());
    assert!(run("fn f(n: u8) {}").unwrap_err().is_missing());
}

/// Conditions with numbers that no length reaches: whatever is said of them, `ab:c:` is accepted.
#[test]
fn large_numbers_are_no_trouble() {
    const HUGE: &str = "20000000000000000000000000000000000000";
    for condition in [
        "s.len() as u128 + H + H + H + H + H + H + H + H + H > 3",
        "s.len() as i128 - H - H - H - H - H - H - H - H - H < 3",
        "s.find(':').unwrap_or(0) + 100000000000 > s.rfind(':').unwrap_or(0)",
        "s.find(':').unwrap_or(0) + 100000000000 > s.len()",
        "s.len() as u128 * H / 7 + H > 1",
        "1u128 << 70 > s.len() as u128",
        "(H - 1).checked_mul(H).is_none() || s.len() < 9",
        "s.len().min(100000000000) < 100000000000",
        "s.len() / 100000000000 % 100000000000 == 0",
    ] {
        let source = format!("fn f(s: &str) -> bool {{ {} }}", condition.replace('H', HUGE));
        let found = infer("large.rs", &source, "f");
        assert!(found.language.contains_bytes(b"ab:c:"), "{source}: {}", shown(&found.language));
    }
}

/// Modules are files, by their names and those of their folders.
#[test]
fn files_are_modules() {
    let files = [
        (
            "src/lib.rs",
            "mod a; mod sub; use a::is_b; \
             pub fn f(s: &str) -> bool { a::is_x(s) && is_b(s) && crate::sub::deep::is_c(s) } \
             fn helper(s: &str) -> bool { s.starts_with('x') }",
        ),
        (
            "src/a.rs",
            "pub fn is_x(s: &str) -> bool { super::helper(s) } \
             pub fn is_b(s: &str) -> bool { s.ends_with('b') }",
        ),
        ("src/sub/mod.rs", "pub mod deep; pub fn is_d(s: &str) -> bool { s != \"b\" }"),
        (
            "src/sub/deep.rs",
            "use crate::a::*; pub fn is_c(s: &str) -> bool { s.len() < 3 && is_b(s) && super::is_d(s) }",
        ),
    ];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let inference = Infer::new().run(&files, "f", None).expect("small");
    assert!(inference.exact, "{:?}", inference.imprecisions);
    let expected = dfa("xb");
    assert!(
        inference.language.equivalent(&expected),
        "{}",
        witness(&inference.language, &expected)
    );
}

/// What grows without end, or by doubling, and is not followed so far.
#[test]
fn what_grows_is_given_up() {
    let doubled: String = (0..40).map(|_| "o = format!(\"{o}{o}\");").collect();
    let pairs: String = (0..60).map(|_| "let p = (p, p);").collect();
    // Each with a string that is accepted, if there is one.
    for (body, accepted) in [
        ("let mut n = s.len(); while n > 0 { n >>= 7; } n == 0".to_owned(), Some("x")),
        ("let mut n = s.len(); while n < 1 << 40 { n = n * 3 % 1_000_003 + 1; } n > 0".into(), None),
        (
            "let mut o = String::new(); while o.len() < 1 << 30 { o.push_str(\"0123456789\"); } s < &*o"
                .into(),
            Some("0"),
        ),
        (
            "let mut o = String::from(\"x\"); for _ in 0..40 { o = format!(\"{o}{o}\"); } s == o".into(),
            None,
        ),
        (format!("let mut o = s.to_owned(); {doubled} s == o"), Some("")),
        (format!("let p = 1; {pairs} s.len() == 1"), Some("x")),
        (
            "struct P { v: Vec<char>, n: usize } let mut p = P { v: Vec::new(), n: 0 }; \
             for c in s.chars() { p.v.push(c); p.n += 1; } p.n == 3"
                .into(),
            Some("abc"),
        ),
        (
            "let mut p = (1, 1); for _ in 0..60 { p.0 = p.clone(); p.1 = p.clone(); } s.len() == 1"
                .into(),
            Some("x"),
        ),
        (
            "let (mut a, mut b, mut c) = (0, 0, 0); for x in s.chars() { match x { 'a' => a += 1, \
             'b' => b += 1, 'c' => c += 1, _ => {} } } a < 60 && b < 60 && c < 60"
                .into(),
            Some("abc"),
        ),
    ] {
        let source = format!("pub fn f(s: &str) -> bool {{ {body} }}");
        match Infer::new().run(&[("it.rs".to_owned(), source)], "f", None) {
            Ok(inference) => {
                let has = |text: &str| inference.language.contains_bytes(text.as_bytes());
                assert!(accepted.is_none_or(has), "{body}: {}", shown(&inference.language));
            }
            Err(error) => assert!(error.is_budget_exceeded(), "{body}: {error}"),
        }
    }
}

#[test]
fn conditions_on_derived_values_count_or_do_not() {
    let unknown = "fn f(s: &str) -> bool { mystery(s).starts_with(\"a\") && !s.is_empty() }";
    let published = "fn f(s: &str) -> bool { s.ends_with(\"b\") && s.starts_with(\"a\") }";
    for (source, mode, derived, language) in [
        (unknown, Mode::View, Derived::Possible, "(?s).+"),
        (unknown, Mode::View, Derived::Strict, "(?s)a.*"),
        (published, Mode::Paper, Derived::Strict, "(?s).*ba.*"),
        (published, Mode::Paper, Derived::Possible, "(?s)(.*b)?(a.*)?"),
        // No value is derived here that is not followed.
        (published, Mode::View, Derived::Strict, "(?s)a.*b"),
    ] {
        let files = [("f.rs".to_owned(), source.to_owned())];
        let found = Infer::new().mode(mode).derived(derived).run(&files, "f", None).unwrap();
        assert_eq!(found.exact, source == published && mode == Mode::View, "{source}");
        assert!(
            found.language.equivalent(&dfa(language)),
            "{source} {mode:?} {derived:?}: {}",
            shown(&found.language)
        );
    }
}

#[test]
fn validators_are_inferred() {
    let data = Data::read("validators.toml");
    let mut exact = 0;
    let mut faults = Vec::new();
    for (name, entry) in data.entries() {
        let file = string(entry, "file");
        let path = format!("tests/data/differential/validators/{file}");
        let source = std::fs::read_to_string(path).unwrap();
        let files = [(file.to_owned(), source)];
        let before = std::time::Instant::now();
        let inference = match Infer::new().run(&files, string(entry, "function"), None) {
            Ok(inference) => inference,
            Err(error) => {
                faults.push(format!("{name}: {error}"));
                continue;
            }
        };
        eprintln!("{name}: {} ms, exact {}", before.elapsed().as_millis(), inference.exact);
        for imprecision in &inference.imprecisions {
            eprintln!("    {imprecision}");
        }
        let language = dfa(&data.spell(string(entry, "language")));
        if inference.exact {
            exact += 1;
            if !inference.language.equivalent(&language) {
                let text = witness(&inference.language, &language);
                faults.push(format!("{name}: differs on {text:?}: {}", shown(&inference.language)));
            }
        } else {
            assert!(!inference.imprecisions.is_empty(), "{name}");
            let missing =
                language.difference(&inference.language, &AutomatonLimits::default()).unwrap();
            if !missing.is_empty() {
                faults.push(format!(
                    "{name}: lacks {:?}",
                    missing
                        .shortest()
                        .unwrap()
                        .into_iter()
                        .filter_map(char::from_u32)
                        .collect::<String>()
                ));
            }
        }
    }
    eprintln!("exact {exact} of {}", WRITTEN.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(exact >= 26, "only {exact} are exact");
}

#[test]
fn cases_are_inferred() {
    let mut agreeing = 0;
    let mut faults = Vec::new();
    for case in Case::all() {
        let file = case.file.clone();
        let source = std::fs::read_to_string(&file).unwrap();
        let before = std::time::Instant::now();
        let inference = match Infer::new().run(&[(file, source)], &case.function, None) {
            Ok(inference) => inference,
            // A budget may be spent; nothing else may go wrong.
            Err(error) if error.is_budget_exceeded() => {
                eprintln!("{}: {error}", case.name);
                continue;
            }
            Err(error) => {
                faults.push(format!("{}: {error}", case.name));
                continue;
            }
        };
        let time = before.elapsed().as_millis();
        let mut texts = BTreeSet::new();
        let mut specification: Vec<String> =
            case.ordinary.iter().cloned().chain([case.exposed_by.clone()]).collect();
        let language = Language::regex(&case.spec, &AutomatonLimits::default()).unwrap();
        let (walker, mut entropy) = (Walker::new(language.dfa()).longest(24), Seeded::new(7));
        for _ in 0..2_000 {
            let mut text = String::new();
            walker.string(&mut entropy, &mut text);
            specification.push(text);
        }
        let mut edits = Edits::new(7);
        texts.extend(specification.iter().cloned());
        while texts.len() < 10_000 {
            texts.insert(edits.edit(&specification));
        }
        let mut agree = 0;
        let mut example = None;
        for text in &texts {
            let accepts = case.run(text).accepted;
            let inferred = inference.language.contains_bytes(text.as_bytes());
            assert!(!accepts || inferred, "{}: lacks {text:?}", case.name);
            if accepts == inferred {
                agree += 1;
            } else {
                example.get_or_insert(text.clone());
            }
        }
        eprintln!(
            "{}: {time} ms, exact {}, agrees on {agree} of {} {example:?}",
            case.name,
            inference.exact,
            texts.len()
        );
        for imprecision in &inference.imprecisions {
            eprintln!("    {imprecision}");
        }
        assert!(!inference.exact || agree == texts.len(), "{}: {example:?}", case.name);
        agreeing += usize::from(agree * 100 >= texts.len() * 95);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(agreeing >= 14, "{agreeing} agree");
}
