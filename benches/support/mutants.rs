//! Bases to be mutated, how fast that goes, and how much of them mutants keep.

use std::time::Instant;

use pleach::Seeded;
use pleach::mutate::{Mutation, Options, Sources};
use pleach::produce::{Mode, Producer};
use pleach::table::Table;
use pleach::tree::{SizedTree, Tree};

/// Random sentences of json64.
pub fn bases(table: &Table) -> Vec<SizedTree> {
    let mut producer = Producer::new(table, super::unbound(Mode::Uniform)).expect("no bound");
    let (mut words, mut tree) = (Seeded::new(1), Tree::new());
    let mut next = |_| {
        producer.produce(&mut words, &mut tree);
        SizedTree::of(table, &tree)
    };
    (0..256).map(&mut next).collect()
}

/// The share of a base's bytes that its median mutant keeps at its beginning and its end, all
/// mutators in their default shares.
pub fn kept(table: &Table, bases: &[SizedTree]) -> f64 {
    let mut mutation = Mutation::new(table, Options::new()).expect("the defaults are good");
    let (mut words, mut out) = (Seeded::new(2), SizedTree::new());
    let mut shares: Vec<f64> = Vec::new();
    for base in bases.iter().cycle().take(10_000) {
        let sources = Sources::default();
        mutation.mutate(base.as_ref(), sources, usize::MAX, &mut words, &mut out);
        let (old, new) = (base.text(), out.text());
        let same = |(one, other): &(&u8, &u8)| one == other;
        let head = old.iter().zip(new).take_while(same).count();
        let most = old.len().min(new.len()) - head;
        let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
        shares.push((head + tail) as f64 / old.len() as f64);
    }
    shares.sort_by(f64::total_cmp);
    shares[shares.len() / 2]
}

/// Rounds of which the best is taken: what disturbs a round only makes it slower.
const ROUNDS: usize = 11;

/// Mutants a second of trees to trees and bytes.
fn rate(table: &Table, bases: &[SizedTree], options: Options) -> f64 {
    let mut mutation = Mutation::new(table, options).expect("the names are known");
    bases.iter().for_each(|base| mutation.pool_mut().add(base.as_ref()));
    let (mut words, mut out) = (Seeded::new(3), SizedTree::new());
    let mut round = || {
        let start = Instant::now();
        for base in bases.iter().cycle().take(64 * bases.len()) {
            let sources = Sources::default();
            mutation.mutate(base.as_ref(), sources, usize::MAX, &mut words, &mut out);
        }
        (64 * bases.len()) as f64 / start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(|_| round()).fold(0.0, f64::max)
}

/// The figures of mutation.
pub fn rows(row: &mut impl FnMut(&str, &str, String)) {
    let table = super::table(super::JSON64);
    let bases = bases(&table);
    let all = rate(&table, &bases, Options::new());
    row("json64: mutants, default shares", ">= 1,000,000", format!("{all:.0} a second"));
    for name in ["regrow", "splice"] {
        let figure = format!("json64: mutants by {name}; to Nautilus, see pleach-peers-mutation");
        let rate = rate(&table, &bases, Options::new().only([name]));
        row(&figure, "", format!("{rate:.0} a second"));
    }
    let share = 100.0 * kept(&table, &bases);
    row(
        "json64: bytes of its base that the median mutant keeps",
        ">= 50 %",
        format!("{share:.0} %"),
    );
}
