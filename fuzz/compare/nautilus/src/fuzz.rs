//! The fuzzer.

use std::borrow::Cow;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use libafl::corpus::{InMemoryCorpus, NopCorpus, Testcase};
use libafl::events::SimpleEventManager;
use libafl::executors::{ExitKind, InProcessExecutor};
use libafl::feedbacks::{
    CrashFeedback, Feedback, MaxMapFeedback, NautilusChunksMetadata, NautilusFeedback,
    StateInitializer,
};
use libafl::generators::{NautilusContext, NautilusGenerator};
use libafl::inputs::{NautilusBytesConverter, NautilusInput};
use libafl::monitors::NopMonitor;
use libafl::mutators::{
    HavocScheduledMutator, NautilusRandomMutator, NautilusRecursionMutator, NautilusSpliceMutator,
};
use libafl::observers::{HitcountsMapObserver, StdMapObserver};
use libafl::schedulers::QueueScheduler;
use libafl::stages::StdMutationalStage;
use libafl::state::{HasExecutions, StdState};
use libafl::{Error, Fuzzer, HasMetadata, StdFuzzer, feedback_or};
use libafl_bolts::Named;
use libafl_bolts::rands::StdRand;
use libafl_bolts::tuples::tuple_list;
use libafl_targets::extra_counters;
use pleach::table::Table;

use crate::rules;

/// To how many nodes trees are grown at most, and subtrees. Of 40, 100, 300 and 1000 none is better on
/// both targets: `README.md`.
const NODES: usize = 100;

/// How many sentences there are in the beginning.
const SENTENCES: usize = 8;

/// The most bytes of an input, as libFuzzer's default is. Longer ones are not run.
const BYTES: usize = 4096;

/// Whether the body runs: its panics are failures that are counted, any other is a fault of ours.
static WITHIN: AtomicBool = AtomicBool::new(false);

/// Fuzzes until the body has run so often or SIGUSR1 comes.
///
/// What it has done is on standard error at the end, in lines as libFuzzer writes them.
///
/// # Errors
///
/// Where LibAFL or the file system fails, or no part of the program counts.
pub fn fuzz(table: &Table, body: fn(&str), seed: u64, runs: u64) -> Result<(), Error> {
    let stop = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGUSR1, Arc::clone(&stop))
        .map_err(|error| Error::os_error(error, "no handler for SIGUSR1"))?;
    let context = rules::context(table, NODES);

    // SAFETY: the counters are static. The parser's code adds to them and this observer reads and
    // clears them, all in this thread, and no reference to one outlives a call of the observer.
    let counters = unsafe { extra_counters() }.pop();
    let counters = counters.ok_or_else(|| Error::empty("built without counters"))?;
    let observer = HitcountsMapObserver::new(StdMapObserver::from_ownedref("counters", counters));
    let mut feedback = feedback_or!(
        MaxMapFeedback::new(&observer),
        NautilusFeedback::new(&context),
        Texts { context: &context, folder: Path::new("corpus") }
    );
    let mut objective = CrashFeedback::new();
    let mut state = StdState::new(
        StdRand::with_seed(seed),
        InMemoryCorpus::<NautilusInput>::new(),
        NopCorpus::new(),
        &mut feedback,
        &mut objective,
    )?;
    state.add_metadata(NautilusChunksMetadata::new(".".into()));
    let mut manager = SimpleEventManager::new(NopMonitor::new());
    let mut fuzzer = StdFuzzer::builder()
        .scheduler(QueueScheduler::new())
        .feedback(feedback)
        .objective(objective)
        .target_bytes_converter::<NautilusInput, _>(NautilusBytesConverter::new(&context))
        .build();

    let (failures, mut text) = (Cell::new(0_u64), Vec::new());
    let mut harness = |input: &NautilusInput| {
        input.unparse(&context, &mut text);
        if text.len() > BYTES {
            return ExitKind::Ok;
        }
        let Ok(text) = str::from_utf8(&text) else { return ExitKind::Ok };
        WITHIN.store(true, Ordering::Relaxed);
        let result = catch_unwind(AssertUnwindSafe(|| body(text)));
        WITHIN.store(false, Ordering::Relaxed);
        if result.is_ok() {
            return ExitKind::Ok;
        }
        failures.set(failures.get() + 1);
        ExitKind::Crash
    };
    let told = std::panic::take_hook();
    let mut executor = InProcessExecutor::builder()
        .harness(&mut harness)
        .observers(tuple_list!(observer))
        .fuzzer(&mut fuzzer)
        .state(&mut state)
        .event_mgr(&mut manager)
        .build()?;
    // In place of LibAFL's, which ends the process.
    std::panic::set_hook(Box::new(move |panic| {
        if !WITHIN.load(Ordering::Relaxed) {
            told(panic);
        }
    }));

    state.generate_initial_inputs_forced(
        &mut fuzzer,
        &mut executor,
        &mut NautilusGenerator::new(&context),
        &mut manager,
        SENTENCES,
    )?;
    let regrow = || NautilusRandomMutator::new(&context);
    let splice = || NautilusSpliceMutator::new(&context);
    let mutator = HavocScheduledMutator::with_max_stack_pow(
        tuple_list!(
            regrow(),
            regrow(),
            regrow(),
            regrow(),
            regrow(),
            regrow(),
            NautilusRecursionMutator::new(&context),
            splice(),
            splice(),
            splice(),
        ),
        2,
    );
    let mut stages = tuple_list!(StdMutationalStage::new(mutator));
    while !stop.load(Ordering::Relaxed) && *state.executions() < runs {
        fuzzer.fuzz_one(&mut stages, &mut executor, &mut state, &mut manager)?;
    }
    eprintln!("stat::number_of_executed_units: {}", state.executions());
    eprintln!("stat::failures: {}", failures.get());
    Ok(())
}

/// Writes the text of each input that is kept: never itself a reason to keep one.
struct Texts<'c> {
    context: &'c NautilusContext,
    folder: &'c Path,
}

impl Named for Texts<'_> {
    fn name(&self) -> &Cow<'static, str> {
        &Cow::Borrowed("Texts")
    }
}

impl<S> StateInitializer<S> for Texts<'_> {}

impl<EM, OT, S: HasExecutions> Feedback<EM, NautilusInput, OT, S> for Texts<'_> {
    fn append_metadata(
        &mut self,
        state: &mut S,
        _manager: &mut EM,
        _observers: &OT,
        testcase: &mut Testcase<NautilusInput>,
    ) -> Result<(), Error> {
        let Some(input) = testcase.input() else { return Ok(()) };
        let mut text = Vec::new();
        input.unparse(self.context, &mut text);
        let executions = state.executions();
        // Where the process dies, the last of these lines tells how far it came.
        eprintln!("#{executions} NEW");
        std::fs::write(self.folder.join(format!("{executions:012}")), text)?;
        Ok(())
    }
}
