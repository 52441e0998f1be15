//! The grammars under grammars/, judged by readers that know nothing of them.
//!
//! Each grammar's k-path corpus and a thousand random sentences of each mode go to an independent
//! parser of the same standard. Where the standard lets a reader refuse what its grammar derives,
//! the clause is a predicate of its own here, written over the text alone: a refusal without a
//! clause fails, and so does a corpus that is mostly exceptions.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::Path;
use std::str;
use std::sync::LazyLock;

use pleach::Seeded;
use pleach::grammar::{Files, Grammar};
use pleach::kpath::WalkCounts;
use pleach::produce::{Cover, CoverOptions, Mode, Options, Producer};
use pleach::table::{Lowering, Table};
use pleach::tree::Tree;
use regex::Regex;

const MODES: [Mode; 3] = [Mode::Uniform, Mode::Weighted, Mode::Inverted];
const SENTENCES: u64 = 1000;

/// The grammar files of a folder, by name, in order.
fn files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<(String, String)> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("the folder is readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pleach"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a grammar is UTF-8");
            (path.file_name().expect("a file").to_string_lossy().into_owned(), text)
        })
        .collect();
    files.sort();
    files
}

fn grammar(folder: &str, name: &str) -> Grammar {
    let files = files(folder);
    let (_, text) = files.iter().find(|(file, _)| file == name).expect("the grammar is there");
    Grammar::read(name, text, &Files::new(files.clone())).unwrap_or_else(|error| panic!("{error}"))
}

fn table(folder: &str, name: &str) -> Table {
    let lowered = Lowering::new().lower(&grammar(folder, name));
    let lowered = lowered.unwrap_or_else(|error| panic!("{error}"));
    assert!(lowered.warnings.is_empty(), "{name}: {:?}", lowered.warnings);
    lowered.table
}

/// What a reader made of a text.
enum Verdict {
    Accepted,
    /// Refused by right of the clause of this name.
    Excepted(&'static str),
    Refused(String),
}

/// Produces every corpus of a grammar, and gives each text to its reader.
fn judge(name: &str, options: Options, read: impl Fn(&str) -> Verdict) {
    let table = table("grammars", name);
    let mut tree = Tree::new();

    let mut cover = Cover::new(&table, CoverOptions::new(3)).expect("a small grammar");
    let mut tally = Tally::new(format!("{name}, k-paths up to 3"));
    let mut entropy = Seeded::new(3);
    while cover.next_tree(&mut entropy, &mut tree) {
        tally.count(tree.text(), &read);
    }
    let summary = cover.summary();
    assert_eq!((summary.covered, summary.infeasible), (summary.total, 0), "{name}");
    assert_eq!(u128::from(summary.total), WalkCounts::new(&table, 3).up_to(3).exact().unwrap());
    tally.close();

    for mode in MODES {
        let mut producer =
            Producer::new(&table, options.clone().mode(mode)).expect("budget enough");
        let mut tally = Tally::new(format!("{name}, {mode:?}"));
        for seed in 0..SENTENCES {
            producer.produce(&mut Seeded::new(seed), &mut tree);
            tally.count(tree.text(), &read);
        }
        tally.close();
    }
}

struct Tally {
    corpus: String,
    texts: u64,
    bytes: usize,
    /// By clause.
    excepted: BTreeMap<&'static str, u64>,
}

impl Tally {
    fn new(corpus: String) -> Self {
        Self { corpus, texts: 0, bytes: 0, excepted: BTreeMap::new() }
    }

    /// Texts are numbered as they are produced: of random ones, the number is the seed.
    fn count(&mut self, text: &[u8], read: impl Fn(&str) -> Verdict) {
        let (corpus, number) = (&self.corpus, self.texts);
        let text = str::from_utf8(text)
            .unwrap_or_else(|error| panic!("{corpus}, {number}: {error}: {text:?}"));
        match read(text) {
            Verdict::Accepted => {}
            Verdict::Excepted(clause) => *self.excepted.entry(clause).or_default() += 1,
            Verdict::Refused(reason) => panic!("{corpus}, {number}: {reason}: {text:?}"),
        }
        self.texts += 1;
        self.bytes += text.len();
    }

    /// At most one text in ten may be an exception.
    fn close(self) {
        let Self { corpus, texts, bytes, excepted } = self;
        println!("{corpus}: {texts} texts, {bytes} bytes, excepted: {excepted:?}");
        let count: u64 = excepted.values().sum();
        assert!(texts > 0 && count * 10 <= texts, "{corpus}: {count} of {texts} excepted");
    }
}

// ---- JSON: serde_json

/// RFC 8259, section 6: the specification "allows implementations to set limits on the range and
/// precision of numbers accepted". serde_json's limit is the range of a double.
fn has_number_out_of_range(text: &str) -> bool {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#""(?:[^"\\]|\\.)*"|(-?[0-9][0-9.eE+-]*)"#).expect("a valid pattern")
    });
    TOKEN.captures_iter(text).filter_map(|token| token.get(1)).any(|number| {
        number.as_str().parse::<f64>().expect("a number of JSON is one of Rust").is_infinite()
    })
}

/// RFC 8259, section 8.2: the grammar "allows member names and string values to contain bit
/// sequences that cannot encode Unicode characters".
fn has_lone_surrogate(text: &str) -> bool {
    static ESCAPE: LazyLock<Regex> = LazyLock::new(|| {
        let pair = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}";
        let lone = r"(\\u[dD][89a-fA-F][0-9a-fA-F]{2})";
        Regex::new(&format!(r"{pair}|{lone}|\\.")).expect("a valid pattern")
    });
    ESCAPE.captures_iter(text).any(|escape| escape.get(1).is_some())
}

fn read_json(text: &str) -> Verdict {
    // A raw value is read by syntax alone.
    if let Err(error) = serde_json::from_str::<&serde_json::value::RawValue>(text) {
        return Verdict::Refused(error.to_string());
    }
    let value = serde_json::from_str::<serde_json::Value>(text);
    match (value, has_number_out_of_range(text), has_lone_surrogate(text)) {
        (Ok(_), false, false) => Verdict::Accepted,
        (Err(_), true, _) => Verdict::Excepted("RFC 8259, section 6"),
        (Err(_), _, true) => Verdict::Excepted("RFC 8259, section 8.2"),
        (Err(error), false, false) => Verdict::Refused(error.to_string()),
        (Ok(_), ..) => Verdict::Refused("read in spite of an exception".into()),
    }
}

#[test]
fn json_is_read_by_serde_json() {
    // Two edges a level, and serde_json reads 127 levels.
    judge("json.pleach", Options::new().max_depth(200), read_json);
}

#[test]
fn the_json_reader_and_its_exceptions() {
    for text in ["", "[1,]", "01", "\"\u{1}\"", "nul", "{\"a\" 1}", "[1] 2", "\"\\x\""] {
        assert!(matches!(read_json(text), Verdict::Refused(_)), "{text:?}");
    }
    for text in ["1e308", "\"\\\\ud800\"", "\"\\uD834\\uDD1E\"", "\"1e999\"", "\"\\\"1e999\""] {
        assert!(matches!(read_json(text), Verdict::Accepted), "{text:?}");
    }
    for text in ["1e309", "[-1E999]", "\"\\ud800\"", "\"\\uDD1E\\uD834\"", "\"\\ud800\\ud800\""] {
        assert!(matches!(read_json(text), Verdict::Excepted(_)), "{text:?}");
    }
}

// ---- URIs: fluent-uri

fn read_uri(text: &str) -> Verdict {
    match fluent_uri::UriRef::parse(text) {
        Ok(_) => Verdict::Accepted,
        Err(error) => Verdict::Refused(error.to_string()),
    }
}

#[test]
fn uris_are_read_by_fluent_uri() {
    judge("uri.pleach", Options::new(), read_uri);
}

#[test]
fn the_uri_reader_is_strict() {
    for text in ["1:a", "http://[::1", "http://[v.a]", "%4", "a b", "http://a:b", "é", "a^"] {
        assert!(matches!(read_uri(text), Verdict::Refused(_)), "{text:?}");
    }
}

// ---- IP addresses: the standard library

fn read_ip(text: &str) -> Verdict {
    if text.parse::<Ipv4Addr>().is_ok() || text.parse::<Ipv6Addr>().is_ok() {
        Verdict::Accepted
    } else {
        Verdict::Refused("no address".into())
    }
}

#[test]
fn ip_addresses_are_read_by_the_standard_library() {
    judge("ip.pleach", Options::new(), read_ip);
}

#[test]
fn the_ip_reader_is_strict() {
    for text in ["256.0.0.1", "01.2.3.4", "1.2.3", "::1::", "1:2:3:4:5:6:7", "12345::", "::1.2.3"] {
        assert!(matches!(read_ip(text), Verdict::Refused(_)), "{text:?}");
    }
}

// ---- Arithmetic: cel

/// CEL's Language Definition, Numeric Values: "CEL supports only 64-bit integers and 64-bit IEEE
/// double-precision floating-point".
fn has_literal_out_of_range(text: &str) -> bool {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        let (skipped, hex) = (r"//[^\n]*|[_a-zA-Z][_a-zA-Z0-9]*", r"0x([0-9a-fA-F]+)([uU])?");
        let integer = r"([0-9]+)([uU])?";
        let float = r"([0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)";
        Regex::new(&format!("{skipped}|{hex}|{float}|{integer}")).expect("a valid pattern")
    });
    let out = |digits: &str, radix, unsigned: bool| match u64::from_str_radix(digits, radix) {
        Ok(value) => !unsigned && i64::try_from(value).is_err(),
        Err(_) => true,
    };
    TOKEN.captures_iter(text).any(|token| match (token.get(1), token.get(3), token.get(4)) {
        (Some(hex), _, _) => out(hex.as_str(), 16, token.get(2).is_some()),
        (_, Some(float), _) => {
            float.as_str().parse::<f64>().expect("a float of CEL is one of Rust").is_infinite()
        }
        (_, _, Some(integer)) => out(integer.as_str(), 10, token.get(5).is_some()),
        _ => false,
    })
}

fn read_expr(text: &str) -> Verdict {
    match cel::Program::compile(text) {
        Ok(_) => Verdict::Accepted,
        Err(_) if has_literal_out_of_range(text) => Verdict::Excepted("CEL, Numeric Values"),
        Err(error) => Verdict::Refused(error.to_string()),
    }
}

#[test]
fn arithmetic_is_read_by_cel() {
    // Five edges a level of parentheses; CEL asks of a reader for 32 levels, and for 32 operators
    // in a row, each of which is an edge.
    // The more literals, the more exponents beyond 308: the nodes keep texts short.
    judge("expr.pleach", Options::new().max_depth(40).max_nodes(100), read_expr);
}

#[test]
fn the_arithmetic_reader_and_its_exceptions() {
    for text in ["", "1+", "(1", "1 2", "*1", "+1", "1.", "2**3", "if", "0x", "a b", "1 /* */"] {
        assert!(matches!(read_expr(text), Verdict::Refused(_)), "{text:?}");
    }
    for text in ["9223372036854775807", "18446744073709551615u", "x1e999", "1 //1e999\n", ".5e-1"] {
        assert!(matches!(read_expr(text), Verdict::Accepted), "{text:?}");
    }
    for text in ["9223372036854775809", "18446744073709551616u", "1e999", "0x8000000000000001"] {
        assert!(matches!(read_expr(text), Verdict::Excepted(_)), "{text:?}");
    }
}

// ---- The files themselves

#[test]
fn every_grammar_lowers_without_warnings_and_prints_to_the_same_table() {
    let counts = |table: &Table| {
        let walks = WalkCounts::new(table, 5);
        (
            table.named_rule_count(),
            table.alternative_count(),
            table.occurrence_count(),
            table.repetition_count(),
            table.terminal_count(),
            (1..=5).map(|k| walks.exact(k)).collect::<Vec<_>>(),
        )
    };
    for folder in ["grammars", "benches/data"] {
        for (name, _) in files(folder) {
            let printed = grammar(folder, &name).to_string();
            let again = Grammar::parse(&printed).unwrap_or_else(|error| panic!("{error}"));
            let again = Lowering::new().lower(&again).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(counts(&table(folder, &name)), counts(&again.table), "{name}:\n{printed}");
        }
    }
}

/// Counted by hand for k = 1; a change to a grammar or to what an occurrence is shows here.
#[test]
fn the_grammars_have_these_many_paths() {
    for (name, exact) in [
        ("expr.pleach", [43, 80, 139, 271, 549]),
        ("ip.pleach", [74, 158, 252, 465, 454]),
        ("json.pleach", [91, 175, 255, 469, 866]),
        ("uri.pleach", [181, 389, 653, 1128, 1413]),
    ] {
        let counts = WalkCounts::new(&table("grammars", name), 5);
        let counts: Vec<_> = (1..=5).map(|k| counts.exact(k).to_u64()).collect();
        assert_eq!(counts, exact.map(Some), "{name}");
    }
}

/// The layered language stands for a programming language: about 100,000 4-paths.
#[test]
fn the_layered_language_is_large() {
    let count = WalkCounts::new(&table("benches/data", "layered.pleach"), 4).exact(4).to_u64();
    assert!(count.is_some_and(|count| (90_000..=130_000).contains(&count)), "{count:?}");
}
