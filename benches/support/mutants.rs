//! Bases to be mutated, and how much of them mutants keep.

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
