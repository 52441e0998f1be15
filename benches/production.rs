//! Random production beside generators written by hand, in bytes.
//!
//! Contenders run one after the other here, so a machine that drifts skews their ratio;
//! `cargo bench --bench figures` measures ratios in turns.

mod baseline;
mod support;

use baseline::wyrand::WyRand;
use baseline::{json64_generator, layered_generator};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use pleach::produce::Mode;
use pleach::{Entropy, Seeded};
use support::{JSON64, LAYERED_PLAIN};

/// Sentences that one iteration writes: enough for all iterations to be much alike.
const SENTENCES: usize = 64;

/// Measures a contender by the bytes that an iteration has on average.
fn bench(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    mut produce: impl FnMut(&mut Vec<u8>),
) {
    let mut out = Vec::new();
    let mut batches = |count: usize| -> usize {
        (0..count * SENTENCES)
            .map(|_| {
                produce(&mut out);
                out.len()
            })
            .sum()
    };
    const SAMPLE: usize = 256;
    group.throughput(Throughput::Bytes((batches(SAMPLE) / SAMPLE) as u64));
    group.bench_function(name, |bench| bench.iter(|| batches(1)));
}

/// The contenders on json64 that draw from one kind of source.
fn json64_from<E: Entropy>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    kind: &str,
    source: impl Fn(u64) -> E,
) {
    let table = support::table(JSON64);
    let (mut plain, mut treed, mut nodes) = (source(1), source(2), Vec::new());
    bench(group, &format!("hand-written, {kind}"), |out| {
        json64_generator::write(&mut plain, out, &mut ());
    });
    bench(group, &format!("hand-written, tree, {kind}"), |out| {
        nodes.clear();
        json64_generator::write(&mut treed, out, &mut nodes);
    });
    let text = support::text(&table, support::unbound(Mode::Uniform), source(3));
    bench(group, &format!("pleach, {kind}"), text);
    let tree = support::tree(&table, support::unbound(Mode::Uniform), source(4));
    bench(group, &format!("pleach, tree, {kind}"), tree);
}

/// As [`json64_from`], on layered_plain.
fn layered_from<E: Entropy>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    kind: &str,
    source: impl Fn(u64) -> E,
) {
    let table = support::table(LAYERED_PLAIN);
    let mut plain = source(1);
    bench(group, &format!("hand-written, {kind}"), |out| {
        layered_generator::write(&mut plain, out);
    });
    let text = support::text(&table, support::unbound(Mode::Weighted), source(3));
    bench(group, &format!("pleach, {kind}"), text);
    let tree = support::tree(&table, support::unbound(Mode::Weighted), source(4));
    bench(group, &format!("pleach, tree, {kind}"), tree);
}

/// 64 JSON values, uniform.
fn json64(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("json64");
    json64_from(&mut group, "wyrand", WyRand::new);
    json64_from(&mut group, "seeded", Seeded::new);
    group.finish();
}

/// 32 statements, by weights.
fn layered_plain(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("layered_plain");
    layered_from(&mut group, "wyrand", WyRand::new);
    layered_from(&mut group, "seeded", Seeded::new);
    group.finish();
}

criterion_group! {
    name = benches;
    config = support::short();
    targets = json64, layered_plain
}
criterion_main!(benches);
