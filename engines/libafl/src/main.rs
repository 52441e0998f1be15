//! A fuzzer made with LibAFL, with pleach's producer for seeds and its mutators for mutants.
//!
//! `cargo run --release -- SEED RUNS` ends when the fault is found, or after so many runs. The same seed
//! does the same.

use std::ptr::NonNull;

use libafl::corpus::{Corpus, InMemoryCorpus};
use libafl::events::SimpleEventManager;
use libafl::executors::{ExitKind, InProcessExecutor};
use libafl::feedbacks::{CrashFeedback, MaxMapFeedback};
use libafl::inputs::{BytesInput, HasMutatorBytes, HasTargetBytes};
use libafl::monitors::SimpleMonitor;
use libafl::mutators::HavocScheduledMutator;
use libafl::observers::{ConstMapObserver, HitcountsMapObserver};
use libafl::schedulers::QueueScheduler;
use libafl::stages::StdMutationalStage;
use libafl::state::{HasCorpus, HasExecutions, HasMaxSize, HasSolutions, StdState};
use libafl::{Error, Fuzzer as _, StdFuzzer};
use libafl_bolts::rands::StdRand;
use libafl_bolts::tuples::tuple_list;
use pleach::fuzz::{Fuzzer, Options};
use pleach::produce::{self, Characters, Producer};
use pleach::table::Table;
use pleach_libafl::target::{self, PASSED, PLACES, Stop};
use pleach_libafl::{GrammarGenerator, GrammarMutator};

/// Sentences to begin with, and the most bytes of an input.
const SEEDS: usize = 16;
const MAX_SIZE: usize = 256;

/// What a run of the fuzzer came to.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    runs: u64,
    corpus: Vec<Vec<u8>>,
    fault: Option<Vec<u8>>,
}

fn table() -> Result<Table, Box<dyn std::error::Error>> {
    Ok(Table::parse(include_str!("../calc.pleach"))?)
}

/// Fuzzes until the fault is found, or the target has run so often.
fn fuzz(table: &Table, seed: u64, runs: u64) -> Result<Outcome, Box<dyn std::error::Error>> {
    // What every fuzzer of LibAFL has: an observer of the target's map, what is interesting in it,
    // and a state.
    let map = NonNull::from(&PASSED).cast::<[u8; PLACES]>();
    // SAFETY: the map is static, of as many bytes, and each may be written at any time, since it is
    // atomic. This is the only thread.
    let observer = unsafe { ConstMapObserver::from_mut_ptr("passed", map) };
    let observer = HitcountsMapObserver::new(observer);
    let (mut feedback, mut objective) = (MaxMapFeedback::new(&observer), CrashFeedback::new());
    let mut state = StdState::new(
        StdRand::with_seed(seed),
        InMemoryCorpus::<BytesInput>::new(),
        InMemoryCorpus::new(),
        &mut feedback,
        &mut objective,
    )?;
    state.set_max_size(MAX_SIZE);
    let mut manager = SimpleEventManager::new(SimpleMonitor::new(|line| println!("{line}")));
    let mut fuzzer = StdFuzzer::builder()
        .scheduler(QueueScheduler::new())
        .feedback(feedback)
        .objective(objective)
        .build();
    let mut harness = |input: &BytesInput| match target::run(&input.target_bytes()) {
        Err(Stop::Fault) => ExitKind::Crash,
        Ok(_) | Err(Stop::Rejected) => ExitKind::Ok,
    };
    let mut executor = InProcessExecutor::builder()
        .harness(&mut harness)
        .observers(tuple_list!(observer))
        .fuzzer(&mut fuzzer)
        .state(&mut state)
        .event_mgr(&mut manager)
        .build()?;

    // pleach: sentences to begin with, and mutants, of which up to four are made one of the other.
    let producer = Producer::new(
        table,
        produce::Options::new().characters(Characters::Mixed).max_bytes(MAX_SIZE as u64),
    )?;
    let mut generator = GrammarGenerator::new(producer);
    state.generate_initial_inputs(
        &mut fuzzer,
        &mut executor,
        &mut generator,
        &mut manager,
        SEEDS,
    )?;
    let mutator = GrammarMutator::new(Fuzzer::new(table, Options::new())?);
    let stacked = HavocScheduledMutator::with_max_stack_pow(tuple_list!(mutator), 2);
    let mut stages = tuple_list!(StdMutationalStage::new(stacked));

    while state.solutions().is_empty() && *state.executions() < runs {
        fuzzer.fuzz_one(&mut stages, &mut executor, &mut state, &mut manager)?;
    }
    let solutions = texts(state.solutions())?;
    Ok(Outcome {
        runs: *state.executions(),
        corpus: texts(state.corpus())?,
        fault: solutions.into_iter().next(),
    })
}

/// The texts of a corpus.
fn texts(corpus: &impl Corpus<BytesInput>) -> Result<Vec<Vec<u8>>, Error> {
    let text = |id| Ok(corpus.get(id)?.borrow_mut().load_input(corpus)?.mutator_bytes().to_vec());
    corpus.ids().map(text).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|number| number.parse());
    let seed = arguments.next().transpose()?.unwrap_or(1);
    let runs = arguments.next().transpose()?.unwrap_or(1_000_000);
    let Outcome { runs, corpus, fault } = fuzz(&table()?, seed, runs)?;
    println!("{runs} runs, {} inputs in the corpus", corpus.len());
    match fault {
        Some(text) => println!("fault:\n{}", String::from_utf8_lossy(&text)),
        None => println!("no fault"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach::parse::{Parser, Scratch};

    /// One test: LibAFL's executor is one to a process.
    #[test]
    fn the_fault_is_found_and_the_same_seed_does_the_same() {
        let table = table().unwrap();
        let parser = Parser::new(&table);
        for seed in 1..4 {
            let outcome = fuzz(&table, seed, 200_000).unwrap();
            let fault = outcome.fault.as_ref().expect("the fault is found");
            assert_eq!(target::run(fault), Err(Stop::Fault));
            // Not by a seed, but in mutants of mutants.
            assert!(outcome.runs > 10 * SEEDS as u64, "{}", outcome.runs);
            let is_sentence = |text: &&Vec<u8>| parser.recognise(text, &mut Scratch::new()).is_ok();
            let sentences = outcome.corpus.iter().filter(is_sentence).count();
            // By default half of the mutants are changed as bytes, and some of them are of interest.
            let share = (sentences, outcome.corpus.len());
            assert!(share.0 > SEEDS && share.0 * 5 > share.1, "{share:?}");
            assert!(outcome.corpus.iter().all(|text| text.len() <= MAX_SIZE));
            assert_eq!(fuzz(&table, seed, 200_000).unwrap(), outcome);
        }
    }
}
