//! How fast mutants are made where the mutator has counters of edges and hooks at comparisons as the
//! target has, and what part of a run over serde_json that takes.
//!
//! With the first input it prints mutants a second; then it is a target like `json`, and prints the
//! mutators' share of the time at each 200,000 inputs: of all since then, by the clock, so that what
//! disturbs the one disturbs the other.

#![no_main]

use std::cell::RefCell;
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};
use pleach::Seeded;
use pleach::fuzz::{Fuzzer, Options};
use pleach::mutate::Bytes;
use pleach::parse::{Parser, Scratch};
use pleach::produce::{self, Mode, Producer};
use pleach::table::{Lowering, Table};
use pleach::tree::Tree;

/// What is measured by itself: mutants of these sizes.
const SIZES: std::ops::Range<usize> = 360..441;

/// Calls in a round, and rounds; the best counts.
const CALLS: usize = 1 << 15;
const ROUNDS: usize = 5;

/// Inputs after which the share is printed.
const INPUTS: u64 = 200_000;

/// How long mutators have run since when, and how many inputs there were.
struct State {
    fuzzer: Fuzzer<'static>,
    spent: Duration,
    start: Instant,
    inputs: u64,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State {
        fuzzer: Fuzzer::new(table(), Options::new()).expect("the default mutators"),
        spent: Duration::ZERO,
        start: Instant::now(),
        inputs: 0,
    });
}

fn lowered(text: &str) -> Table {
    let grammar = pleach::grammar::Grammar::parse(text).expect("a grammar of the repository");
    Lowering::new().lower(&grammar).expect("a grammar of the repository").table
}

/// RFC 8259.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| lowered(include_str!("../../../grammars/json.pleach")))
}

/// Random sentences of `json64`, of about 400 bytes.
fn bases() -> Vec<Vec<u8>> {
    let table = lowered(include_str!("../../../benches/data/json64.pleach"));
    // Its numbers may begin with several zeros.
    let json = Parser::new(self::table());
    let options = produce::Options::new().mode(Mode::Uniform).max_depth(64).max_nodes(1 << 20);
    let mut producer = Producer::new(&table, options).expect("the budget is large");
    let (mut seed, mut tree, mut bases) = (Seeded::new(1), Tree::new(), Vec::new());
    while bases.len() < 256 {
        producer.produce(&mut seed, &mut tree);
        let is_json = || json.recognise(tree.text(), &mut Scratch::new()).is_ok();
        if SIZES.contains(&tree.text().len()) && is_json() {
            bases.push(tree.text().to_vec());
        }
    }
    bases
}

/// Calls a second of a fuzzer with these options.
fn rate(bases: &[Vec<u8>], options: Options, engine: bool) -> f64 {
    let mut fuzzer = Fuzzer::new(table(), options).expect("the default mutators");
    let mut data = vec![0; 1 << 12];
    let mut round = |from: usize| {
        let start = Instant::now();
        for (seed, base) in (from..from + CALLS).zip(bases.iter().cycle()) {
            data[..base.len()].copy_from_slice(base);
            let mut by_engine = fuzzer_mutate;
            let engine = engine.then_some(&mut by_engine as &mut dyn Bytes);
            let most = data.len();
            fuzzer.mutate(&mut data, base.len(), most, seed as u64, engine);
        }
        CALLS as f64 / start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(|index| round(index * CALLS)).fold(0.0, f64::max)
}

fn rates() {
    let bases = bases();
    let trees = || Options::new().bytes(0).words(0);
    for (what, options, engine) in [
        ("trees alone, from the cache", trees(), false),
        ("trees alone, each read first", trees().cache(0), false),
        ("the default shares, with the engine's mutator", Options::new(), true),
    ] {
        eprintln!("mutants a second, {what}: {:.0}", rate(&bases, options, engine));
    }
}

/// Calls the fuzzer, and adds the time.
fn timed(call: impl FnOnce(&mut Fuzzer<'static>) -> usize) -> usize {
    STATE.with_borrow_mut(|state| {
        let start = Instant::now();
        let size = call(&mut state.fuzzer);
        state.spent += start.elapsed();
        size
    })
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut engine = fuzzer_mutate;
    timed(|fuzzer| fuzzer.mutate(data, size, max_size, u64::from(seed), Some(&mut engine)))
});

fuzz_crossover!(|first: &[u8], second: &[u8], out: &mut [u8], seed: u32| {
    timed(|fuzzer| fuzzer.crossover(first, second, out, u64::from(seed)))
});

fuzz_target!(|text: &str| {
    // The engine's mutator is there once the first input is.
    static ONCE: Once = Once::new();
    ONCE.call_once(rates);
    STATE.with_borrow_mut(|state| {
        state.inputs += 1;
        if state.inputs.is_multiple_of(INPUTS) {
            let share = 100.0 * state.spent.as_secs_f64() / state.start.elapsed().as_secs_f64();
            eprintln!("the mutators' share after {} inputs: {share:.0} %", state.inputs);
        }
    });
    pleach_fuzz::crates::json(text);
});
