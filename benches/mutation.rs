//! Mutation of json64 trees to trees and bytes: all mutators in their default shares, and each by
//! itself.
//!
//! A base is one of 256 random sentences, about 430 bytes and 310 nodes each; a mutant is written
//! whole: nodes, sizes and text. `cargo bench --bench figures` prints what is asked beside what is
//! measured, and `pleach-peers` has LibAFL's Nautilus on the same language.

mod baseline;
mod support;

use baseline::wyrand::WyRand;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pleach::kpath::{Coverage, Scope};
use pleach::mutate::{MUTATORS, Mutation, Options, Sources};
use pleach::tree::SizedTree;
use support::{JSON64, mutants};

fn mutation(criterion: &mut Criterion) {
    let table = support::table(JSON64);
    let bases = mutants::bases(&table);
    let mut group = criterion.benchmark_group("json64 mutants");
    group.throughput(Throughput::Elements(bases.len() as u64));
    let mut bench = |name: &str, options: Options, coverage: Option<&Coverage>| {
        let mut mutation = Mutation::new(&table, options).expect("the names are known");
        let (mut words, mut out) = (WyRand::new(1), SizedTree::new());
        let donor = bases.last().expect("there are some");
        let mut round = |bases: &[SizedTree]| {
            let mut done = 0;
            for base in bases {
                let sources =
                    Sources { donor: Some(donor.as_ref()), coverage, ..Sources::default() };
                let most = usize::MAX;
                done += usize::from(
                    mutation.mutate(base.as_ref(), sources, most, &mut words, &mut out).is_some(),
                );
            }
            done
        };
        if round(&bases) == 0 {
            return;
        }
        group.bench_function(name, |bench| bench.iter(|| round(&bases)));
    };
    bench("all, default shares", Options::new(), None);
    let coverage = Coverage::new(&table, 3, Scope::UpTo, 1 << 20).expect("it is small");
    for name in MUTATORS {
        bench(name, Options::new().only([name]), Some(&coverage));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = support::short();
    targets = mutation
}
criterion_main!(benches);
