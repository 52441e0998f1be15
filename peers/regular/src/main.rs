//! pleach's regular languages beside `regexsolver` and `rand_regex`, in turns of one run.
//!
//! `cargo run --profile bench -p pleach-regular-peers` prints the table. Ratios are medians of the turns and hold
//! on a busy machine, where times do not.

#[path = "../../../tests/differential/formats.rs"]
mod formats;

use std::hint::black_box;
use std::time::Instant;

use pleach::Seeded;
use pleach::differential::{Matcher, Walker};
use pleach::regular::{Alphabet, AutomatonLimits, Dfa};
use rand::SeedableRng;
use rand::distr::Distribution;
use rand_chacha::ChaCha8Rng;
use regexsolver::Term;

/// A URI as somebody in a hurry writes it.
const SLOPPY: &str = r"[A-Za-z][A-Za-z0-9+.-]*:(//[^/?#]*)?[^?#]*(\?[^#]*)?(#.*)?";

/// How often the two sides of a comparison take turns.
const TURNS: usize = 15;

/// Seconds that some work takes.
fn seconds<R>(work: impl FnOnce() -> R) -> f64 {
    let started = Instant::now();
    black_box(work());
    started.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The median seconds of both sides, and the median of how many times longer the second takes.
fn turns(mut ours: impl FnMut() -> f64, mut theirs: impl FnMut() -> f64) -> (f64, f64, f64) {
    let (mut a, mut b, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TURNS {
        a.push(ours());
        b.push(theirs());
        ratios.push(b[b.len() - 1] / a[a.len() - 1]);
    }
    (median(a), median(b), median(ratios))
}

/// From two patterns to the minimal automaton of their symmetric difference.
fn automaton() {
    let limits = AutomatonLimits::default();
    let strict = formats::uri("");
    // What the other crate takes has no groups that do not capture.
    let plain = strict.replace("(?:", "(");
    let dot = format!("(?s:{SLOPPY})");
    let ours = || {
        let a = Dfa::from_regex(&strict, Alphabet::Unicode, &limits).expect("well formed");
        let b = Dfa::from_regex(&dot, Alphabet::Unicode, &limits).expect("well formed");
        a.symmetric_difference(&b, &limits).expect("small").minimize()
    };
    let theirs = || {
        let [a, b] = [plain.as_str(), SLOPPY].map(|pattern| {
            let term = Term::from_pattern(pattern).expect("well formed");
            term.minimize().expect("small")
        });
        let both = [a.difference(&b), b.difference(&a)].map(|it| it.expect("small"));
        both[0].union([&both[1]]).expect("small").minimize().expect("small")
    };
    let (a, b, ratio) = turns(|| seconds(ours), || seconds(theirs));
    println!(
        "symmetric difference of URIs, {} states: {:.2} ms, regexsolver {:.2} ms: {ratio:.1} times",
        ours().state_count() - 1,
        a * 1e3,
        b * 1e3
    );
}

/// Texts in and out of a language.
fn membership() {
    let limits = AutomatonLimits::default();
    let strict = formats::uri("");
    let dfa = Dfa::from_regex(&strict, Alphabet::Unicode, &limits).expect("well formed");
    let matcher = Matcher::new(&dfa, &limits).expect("small");
    let term = Term::from_pattern(&strict.replace("(?:", "(")).expect("well formed");
    let term = term.minimize().expect("small");
    let texts: Vec<String> = (0..200)
        .map(|index| {
            let path = "/some-path/to;v=1.2".repeat(1 + index % 7);
            format!("https://user@example.org:8080{path}?q={index}&lang=en#part-{index}")
        })
        .collect();
    let bytes = texts.iter().map(String::len).sum::<usize>() as f64;
    assert!(texts.iter().all(|text| matcher.is_match(text) && term.matches(text) == Ok(true)));
    let ours = || {
        let found = || texts.iter().filter(|text| matcher.is_match(text)).count();
        seconds(|| (0..50).map(|_| found()).sum::<usize>()) / 50.0
    };
    let theirs = || seconds(|| texts.iter().filter(|text| term.matches(text) == Ok(true)).count());
    let (a, b, ratio) = turns(ours, theirs);
    println!(
        "membership: {:.0} MB/s, regexsolver {:.0} MB/s: {ratio:.0} times",
        bytes / a / 1e6,
        bytes / b / 1e6
    );
}

/// Random strings, with the same random words on both sides.
fn strings() {
    let limits = AutomatonLimits::default();
    let patterns = [
        ("user@host", "[a-z0-9]{4,32}@[a-z0-9]{4,32}\\.(?:com|org|net)"),
        ("date", "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"),
        ("json string", r#""(?:[ !#-\[\]-~]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*""#),
        ("words", r"(?:[a-z]+ ){1,20}[a-z]+\."),
        ("Greek", r"\p{Greek}{5,40}"),
        ("URI", &formats::uri("")),
    ];
    for (name, pattern) in patterns {
        let dfa = Dfa::from_regex(pattern, Alphabet::Unicode, &limits).expect("well formed");
        let generator = rand_regex::Regex::compile(pattern, 100).expect("well formed");
        let mut random = ChaCha8Rng::seed_from_u64(1);
        // Strings about as long on both sides.
        let theirs: usize = (0..500)
            .map(|_| Distribution::<String>::sample(&generator, &mut random).chars().count())
            .sum();
        let walker = Walker::new(&dfa).longest(2 * theirs / 500);
        let mut entropy = Seeded::new(1);
        let per_byte = |bytes: usize, seconds: f64| seconds / bytes as f64;
        // The other crate makes a new string each time.
        let mut text = String::new();
        let ours = || {
            let mut bytes = 0;
            let seconds = seconds(|| {
                for _ in 0..2000 {
                    text.clear();
                    walker.string(&mut entropy, &mut text);
                    bytes += black_box(&text).len();
                }
            });
            per_byte(bytes, seconds)
        };
        let theirs = || {
            let mut bytes = 0;
            let seconds = seconds(|| {
                for _ in 0..2000 {
                    let text: String = generator.sample(&mut random);
                    bytes += black_box(text).len();
                }
            });
            per_byte(bytes, seconds)
        };
        let (a, b, ratio) = turns(ours, theirs);
        println!(
            "strings, {name}: {:.0} MB/s, rand_regex {:.0} MB/s: {ratio:.1} times",
            1e-6 / a,
            1e-6 / b
        );
    }
}

fn main() {
    automaton();
    membership();
    strings();
}
