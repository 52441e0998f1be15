//! Languages and their differences: automata, membership, strings.

#[path = "../tests/differential/formats.rs"]
mod formats;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pleach::Seeded;
use pleach::differential::{Difference, Language, Matcher, Strategy, Walker};
use pleach::regular::{Alphabet, AutomatonLimits, Dfa};

/// A URI as somebody in a hurry writes it.
const SLOPPY: &str = r"[A-Za-z][A-Za-z0-9+.-]*:(?://[^/?#]*)?[^?#]*(?:\?[^#]*)?(?:#.*)?";

fn uri() -> String {
    formats::uri("")
}

/// From two patterns to the minimal automaton of their symmetric difference.
fn automata(criterion: &mut Criterion) {
    let limits = AutomatonLimits::default();
    let (strict, sloppy) = (uri(), SLOPPY);
    criterion.bench_function("difference/automaton/uri", |bench| {
        bench.iter(|| {
            let a = Dfa::from_regex(&strict, Alphabet::Unicode, &limits).expect("small");
            let b = Dfa::from_regex(sloppy, Alphabet::Unicode, &limits).expect("small");
            a.symmetric_difference(&b, &limits).expect("small").minimize()
        });
    });
}

/// Bytes of URIs.
fn membership(criterion: &mut Criterion) {
    let limits = AutomatonLimits::default();
    let dfa = Dfa::from_regex(&uri(), Alphabet::Unicode, &limits).expect("small");
    let matcher = Matcher::new(&dfa, &limits).expect("small");
    let texts: Vec<String> = (0..1000)
        .map(|index| {
            let path = "/some-path/to;v=1.2".repeat(1 + index % 7);
            format!("https://user@example.org:8080{path}?q={index}&lang=en#part-{index}")
        })
        .collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    let mut group = criterion.benchmark_group("difference/membership");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("matcher", |bench| {
        bench.iter(|| texts.iter().filter(|text| matcher.is_match(text)).count());
    });
    group.bench_function("automaton", |bench| {
        bench.iter(|| texts.iter().filter(|text| dfa.contains_bytes(text.as_bytes())).count());
    });
    group.finish();
}

/// Bytes of strings, and strings of a difference.
fn strings(criterion: &mut Criterion) {
    let limits = AutomatonLimits::default();
    let dfa = Dfa::from_regex(&uri(), Alphabet::Unicode, &limits).expect("small");
    let walker = Walker::new(&dfa).longest(60);
    let draw = |entropy: &mut Seeded, text: &mut String| {
        text.clear();
        for _ in 0..1000 {
            walker.string(entropy, text);
        }
        text.len()
    };
    let mut text = String::new();
    let bytes = draw(&mut Seeded::new(1), &mut text);
    let mut group = criterion.benchmark_group("difference/strings");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("walk", |bench| {
        bench.iter(|| draw(&mut Seeded::new(1), &mut text));
    });
    group.finish();

    let [spec, code] =
        [uri().as_str(), SLOPPY].map(|pattern| Language::regex(pattern, &limits).expect("small"));
    let mut group = criterion.benchmark_group("difference/edge-cover");
    for most in [10, 1000] {
        group.bench_function(format!("uri, {most}"), |bench| {
            bench.iter(|| {
                let difference = Difference::new(&spec, &code, &limits).expect("small");
                difference.strings(Strategy::EdgeCover, most, &mut Seeded::new(1))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, automata, membership, strings);
criterion_main!(benches);
