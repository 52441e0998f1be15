//! Complete coverage, in goals, and the tracking of coverage, in nodes.

mod support;

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pleach::Seeded;
use pleach::kpath::{Coverage, PathIndex, Scope};
use pleach::produce::{Cover, CoverOptions, Mode};
use pleach::table::Table;
use pleach::tree::Tree;
use support::{JSON, JSON64, LAYERED, Source};

/// From the table to the last tree; gives the goals covered.
fn cover(table: &Table, options: CoverOptions) -> u64 {
    let mut cover = Cover::new(table, options).expect("the grammars of the benches can be covered");
    let (mut words, mut tree) = (Seeded::new(1), Tree::new());
    while cover.next_tree(&mut words, &mut tree) {}
    cover.summary().covered
}

/// Complete coverage.
fn complete(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cover");
    let cases: [(&str, Source, CoverOptions); 2] = [
        ("layered, exactly 4", LAYERED, CoverOptions::new(4).scope(Scope::Exact)),
        ("json, up to 5", JSON, CoverOptions::new(5)),
    ];
    for (name, source, options) in cases {
        let table = support::table(source);
        group.throughput(Throughput::Elements(cover(&table, options.clone())));
        // Ten runs of half a second, where a hundred are the default.
        group.sample_size(10).measurement_time(Duration::from_secs(5));
        group.bench_function(name, |bench| bench.iter(|| cover(&table, options.clone())));
    }
    group.finish();
}

/// A thousand trees added to a coverage that knows them, and to an empty one.
fn tracking(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("track");
    let cases = [
        (JSON64, Mode::Uniform, 3, Scope::UpTo),
        (LAYERED, Mode::Uniform, 3, Scope::UpTo),
        (LAYERED, Mode::Uniform, 4, Scope::Exact),
    ];
    for ((name, text), mode, k, scope) in cases {
        let table = support::table((name, text));
        let trees = support::trees(&table, mode, 1000);
        let nodes: usize = trees.iter().map(|tree| tree.nodes().len()).sum();
        group.throughput(Throughput::Elements(nodes as u64));
        let empty = Coverage::new(&table, k, scope, PathIndex::DEFAULT_LIMIT)
            .expect("the grammars of the benches have fewer walks than that");
        let add =
            |coverage: &mut Coverage| -> u64 { trees.iter().map(|tree| coverage.add(tree)).sum() };
        let mut known = empty.clone();
        add(&mut known);
        group.bench_function(format!("{name}, {scope} {k}, known"), |bench| {
            bench.iter(|| add(&mut known));
        });
        group.bench_function(format!("{name}, {scope} {k}, from nothing"), |bench| {
            bench.iter_batched_ref(|| empty.clone(), add, criterion::BatchSize::LargeInput);
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = support::short();
    targets = complete, tracking
}
criterion_main!(benches);
