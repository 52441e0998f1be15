//! Grammars of 5,000 lines from other notations, for which less than 100 ms are asked.

#[path = "../tests/large/mod.rs"]
mod large;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use pleach::grammar::NoIncludes;
use pleach::import::{Importer, Notation};

fn importing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("import");
    group.sample_size(20);
    let texts = large::grammars().into_iter().map(|(notation, text)| (notation, notation, text));
    for (name, notation, text) in texts.chain([("antlr lexer", "antlr", large::lexer())]) {
        let notation: Notation = notation.parse().expect("it is the name of a notation");
        let importer = Importer::new().notation(notation);
        let read = || importer.read("large", black_box(&text), &NoIncludes);
        if let Err(error) = read() {
            panic!("{name}: {error}");
        }
        group.bench_function(name, |bench| bench.iter(read));
    }
    group.finish();
}

criterion_group!(benches, importing);
criterion_main!(benches);
