//! How much slower runs with terms are than runs without: `cargo run --release -p pleach-explore --example slowdown -- KEEP
//! TARGET INPUT...` builds a target of bytes in the folder KEEP, and runs each input a thousand times either way, in turns.
//!
//! Times are the shortest of each input's runs, so that what else runs counts little. Terms are there
//! from the first of the runs on, as in a search, which runs much alike.

use pleach_concolic::build::{Builder, Entry, Target};
use pleach_concolic::vm::{Machine, Options, Plain};
use pleach_explore::subject::Subject;
use pleach_explore::symbolic::SymbolicLimits;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often each input runs either way.
const RUNS: u32 = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [keep, target, inputs @ ..] = &arguments[..] else {
        return Err("KEEP TARGET INPUT... are expected".into());
    };
    let built = Builder::new(keep).build(&Target::parse(target, Path::new("."))?)?;
    let Entry::Bytes { symbol, .. } = built.entry else {
        return Err("a target of bytes is expected".into());
    };
    let mut subject = Subject::open(&built, Options::default(), SymbolicLimits::default())?;
    let module = Arc::clone(subject.module());
    let function = module.find_function(symbol).ok_or("the target is not there")?;
    let mut machine = Machine::new(module, Plain, Options::default())?;
    machine.initialize()?;
    let start = machine.snapshot();
    let (mut steps, mut plain, mut symbolic) = (0, Duration::ZERO, Duration::ZERO);
    for path in inputs {
        let input = std::fs::read(path)?;
        let (mut fastest, mut fastest_symbolic) = (Duration::MAX, Duration::MAX);
        for round in 0..RUNS {
            let begin = Instant::now();
            machine.resume(&start);
            let before = machine.steps();
            let data = machine.allocate(&input)?;
            machine.call(function, &[data.into(), input.len() as u128]);
            machine.run();
            if round == 0 {
                steps += machine.steps() - before;
            }
            let middle = Instant::now();
            subject.run(&input, None);
            fastest = fastest.min(middle - begin);
            fastest_symbolic = fastest_symbolic.min(middle.elapsed());
        }
        plain += fastest;
        symbolic += fastest_symbolic;
    }
    let (plain, symbolic) = (plain.as_secs_f64(), symbolic.as_secs_f64());
    println!(
        "{} inputs, {:.2} M instructions: {:.1} M/s without terms, {:.1} M/s with, {:.2} times slower",
        inputs.len(),
        steps as f64 / 1e6,
        steps as f64 / 1e6 / plain,
        steps as f64 / 1e6 / symbolic,
        symbolic / plain
    );
    Ok(())
}
