//! Reading texts of 1 MB: with a tree and without, and `serde_json` beside it.
//!
//! `cargo bench --bench figures` prints what is asked beside what is measured, and `pleach-peers`
//! has general parsers by others.

mod support;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pleach::parse::{Parser, Scratch};
use pleach::tree::Tree;
use support::{JAVASCRIPT, JSON, SQL, reading};

fn parsing(criterion: &mut Criterion) {
    for source in [JSON, SQL, JAVASCRIPT] {
        let (table, text) = (support::table(source), reading::text(source, 1_000_000));
        let parser = Parser::new(&table);
        let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
        let mut group = criterion.benchmark_group(source.0);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("recognise", |bench| {
            bench.iter(|| parser.recognise(&text, &mut scratch));
        });
        group.bench_function("tree", |bench| {
            bench.iter(|| parser.parse(&text, &mut scratch, &mut tree));
        });
        if source == JSON {
            group.bench_function("serde_json, Value", |bench| {
                bench.iter(|| serde_json::from_slice::<serde_json::Value>(&text).is_ok());
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = support::short();
    targets = parsing
}
criterion_main!(benches);
