//! What happens before the first tree: reading, lowering, counting walks, making a producer.

mod support;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pleach::grammar::Grammar;
use pleach::kpath::WalkCounts;
use pleach::produce::{Options, Producer};
use support::{LAYERED, generated};

/// The grammars that all groups measure.
fn sources() -> [(&'static str, String); 3] {
    [
        ("layered", LAYERED.1.to_owned()),
        ("thousand", generated::thousand(false)),
        ("thousand with layout", generated::thousand(true)),
    ]
}

/// Reading and lowering, one by one and together.
fn building(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build");
    for (name, text) in &sources() {
        let grammar = support::read((name, text));
        group.bench_function(BenchmarkId::new("parse", name), |bench| {
            bench.iter(|| Grammar::parse(black_box(text)));
        });
        group.bench_function(BenchmarkId::new("lower", name), |bench| {
            bench.iter(|| support::lower(black_box(&grammar)));
        });
        group.bench_function(BenchmarkId::new("table", name), |bench| {
            bench.iter(|| support::table((name, black_box(text))));
        });
    }
    group.finish();
}

/// All walks of 1 to k nodes.
fn counting(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("count");
    for (name, text) in &sources() {
        let table = support::table((name, text));
        for k in 1..=8 {
            group.bench_with_input(BenchmarkId::new(*name, k), &k, |bench, &k| {
                bench.iter(|| WalkCounts::new(black_box(&table), k));
            });
        }
    }
    group.finish();
}

/// A random producer, prefixes included where the grammar has no layout.
fn producers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("producer");
    for (name, text) in &sources() {
        let table = support::table((name, text));
        group.bench_function(*name, |bench| {
            bench.iter(|| Producer::new(black_box(&table), Options::new()));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = support::short();
    targets = building, counting, producers
}
criterion_main!(benches);
