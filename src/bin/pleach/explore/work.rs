//! The threads that search, and what they tell each other.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pleach::explore::search::{Counts, Event, Explorer, Failure, OneSided, Options, Report};
use pleach::explore::subject::Subject;
use pleach::explore::symbolic::SymbolicLimits;
use pleach::inside::build::{Entry, Native};
use pleach::inside::ir::Module;
use pleach::inside::vm::Options as Machine;
use pleach::table::{RuleId, Table};

use crate::inputs::Bounds;

use super::rest::Rest;
use super::shape::InGrammar;

/// How long a worker with nothing to do waits for another input.
const REST: Duration = Duration::from_millis(50);
/// How often a worker says how far it is, and what blocks it.
const SAY: Duration = Duration::from_millis(100);

/// What is searched, and how.
#[derive(Clone)]
pub(super) struct Task {
    pub(super) module: Arc<Module>,
    pub(super) entry: Entry,
    pub(super) native: Native,
    pub(super) table: Option<Arc<Table>>,
    /// Rules whose text may become anything.
    pub(super) free: Vec<RuleId>,
    pub(super) machine: Machine,
    pub(super) limits: SymbolicLimits,
    pub(super) options: Options,
    /// What parsing an input may take.
    pub(super) bounds: Bounds,
    /// Whether who finds nothing rests.
    pub(super) rests: bool,
}

/// What a worker has to say.
pub(super) enum Message {
    /// An input that took a new edge, and on which nothing fails.
    Kept {
        worker: usize,
        input: Vec<u8>,
    },
    Failed(Failure),
    /// An input that is no sentence of the grammar.
    Misshapen(Vec<u8>),
    /// An input that gets to a target.
    Reached(Vec<u8>),
    /// The end.
    Ended {
        report: Report,
        edges: Vec<u64>,
        /// All its failures, with how often they were met.
        failures: Vec<Failure>,
        /// How often the program itself could not be run, and why it could not first.
        unjudged: Option<(u64, String)>,
    },
    /// It can't go on.
    Broken(String),
}

/// What one says, or how far it is.
enum Said {
    Message(Message),
    Progress { worker: usize, state: State },
}

/// How far a worker is.
#[derive(Default)]
struct State {
    counts: Counts,
    waiting: usize,
    obstacle: Option<OneSided>,
    /// How many inputs it has taken.
    taken: u64,
    /// Whether it had nothing left to do then.
    idle: bool,
}

struct Worker {
    inputs: Sender<Vec<u8>>,
    given: u64,
    state: State,
    thread: Option<JoinHandle<()>>,
}

/// All workers.
pub(super) struct Crew {
    workers: Vec<Worker>,
    pending: Vec<Receiver<Vec<u8>>>,
    heard: Receiver<Said>,
    say: Option<Sender<Said>>,
    stopped: Arc<AtomicBool>,
    /// Whether a worker panicked.
    pub(super) panicked: bool,
}

/// What all have done together.
pub(super) struct Totals {
    pub(super) counts: Counts,
    /// Whether a target was reached.
    pub(super) reached: bool,
    waiting: usize,
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { paths, inputs, queries, edges, unsatisfiable, unknown, diverged, .. } =
            self.counts;
        write!(
            f,
            "{paths} paths, {inputs} inputs with new edges, {edges} edges, {queries} queries ({unsatisfiable} \
             unsatisfiable, {unknown} given up), {diverged} went elsewhere, {} to try",
            self.waiting
        )
    }
}

impl Crew {
    /// Workers that have not begun.
    pub(super) fn new(jobs: u16) -> Self {
        let (say, heard) = channel();
        let (mut workers, mut pending) = (Vec::new(), Vec::new());
        for _ in 0..jobs {
            let (inputs, taken) = channel();
            workers.push(Worker { inputs, given: 0, state: State::default(), thread: None });
            pending.push(taken);
        }
        let stopped = Arc::new(AtomicBool::new(false));
        Self { workers, pending, heard, say: Some(say), stopped, panicked: false }
    }

    /// Gives an input to all but the one that it comes from.
    pub(super) fn share(&mut self, input: &[u8], from: Option<usize>) {
        for (number, worker) in self.workers.iter_mut().enumerate() {
            // One that has ended needs no more.
            if from != Some(number) && worker.inputs.send(input.to_vec()).is_ok() {
                worker.given += 1;
            }
        }
    }

    /// Has them begin.
    pub(super) fn begin(&mut self, task: &Task) {
        let Some(say) = self.say.take() else { return };
        for (number, inputs) in self.pending.drain(..).enumerate() {
            let mut task = task.clone();
            let seed = task.options.get_seed().wrapping_add(number as u64);
            task.options = task.options.seed(seed);
            let (say, stopped) = (say.clone(), Arc::clone(&self.stopped));
            let thread = std::thread::spawn(move || work(number, task, &inputs, &say, &stopped));
            self.workers[number].thread = Some(thread);
        }
    }

    /// What one says next, if it does in that time.
    pub(super) fn hear(&mut self, wait: Duration) -> Option<Message> {
        match self.heard.recv_timeout(wait) {
            Ok(said) => self.take(said),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                // All have ended, which is not what they do while nobody has stopped them.
                std::thread::sleep(wait);
                None
            }
        }
    }

    fn take(&mut self, said: Said) -> Option<Message> {
        match said {
            Said::Message(message) => Some(message),
            Said::Progress { worker, state } => {
                self.workers[worker].state = state;
                None
            }
        }
    }

    /// Whether none has anything left to do.
    pub(super) fn is_idle(&self) -> bool {
        let ended = |worker: &Worker| worker.thread.as_ref().is_some_and(JoinHandle::is_finished);
        let idle = |it: &Worker| it.state.idle && it.state.taken == it.given;
        self.workers.iter().all(|worker| idle(worker) || ended(worker))
    }

    /// Has them end what they are at.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// What they said last, until all have ended.
    pub(super) fn last(&mut self) -> Option<Message> {
        while let Ok(said) = self.heard.recv() {
            if let Some(message) = self.take(said) {
                return Some(message);
            }
        }
        for worker in &mut self.workers {
            // Who panicked has said so on standard error.
            self.panicked |= worker.thread.take().is_some_and(|thread| thread.join().is_err());
        }
        None
    }

    /// The branch that blocks most.
    pub(super) fn obstacle(&self) -> Option<&OneSided> {
        let obstacles = self.workers.iter().filter_map(|worker| worker.state.obstacle.as_ref());
        obstacles.max_by_key(|obstacle| obstacle.tries)
    }

    /// What was done so far. Edges of several workers are those of the one that has most, and inputs are all that each has.
    pub(super) fn totals(&self) -> Totals {
        let mut all = Totals { counts: Counts::default(), reached: false, waiting: 0 };
        for worker in &self.workers {
            let (sum, one) = (&mut all.counts, &worker.state.counts);
            sum.runs += one.runs;
            sum.paths += one.paths;
            sum.native += one.native;
            sum.inputs += one.inputs;
            sum.edges = sum.edges.max(one.edges);
            sum.steps += one.steps;
            sum.queries += one.queries;
            sum.satisfiable += one.satisfiable;
            sum.unsatisfiable += one.unsatisfiable;
            sum.unknown += one.unknown;
            sum.diverged += one.diverged;
            all.waiting += worker.state.waiting;
        }
        all
    }
}

/// What a thread does.
fn work(
    worker: usize,
    task: Task,
    inputs: &Receiver<Vec<u8>>,
    say: &Sender<Said>,
    stopped: &AtomicBool,
) {
    let Task { module, entry, mut native, table, free, machine, limits, options, bounds, rests } =
        task;
    // Nobody listens any more once the command has ended.
    let tell = |message| drop(say.send(Said::Message(message)));
    let subject = match Subject::new(module, &entry, machine, limits) {
        Ok(subject) => subject,
        Err(outcome) => {
            return tell(Message::Broken(format!("before the program sees its input: {outcome}")));
        }
    };
    let mut explorer = Explorer::new(subject, options);
    if let Some(table) = table {
        explorer = explorer.with_shape(Box::new(InGrammar::new(table, free, bounds.limits())));
    }
    let (mut begun, mut reached, mut taken) = (false, false, 0);
    let mut unjudged: Option<(u64, String)> = None;
    let mut next = Instant::now();
    let mut rest = Rest::default();
    let progress = |explorer: &Explorer, taken, idle| State {
        counts: explorer.counts(),
        waiting: explorer.candidates(),
        obstacle: explorer.obstacle(),
        taken,
        idle,
    };
    while !stopped.load(Ordering::Relaxed) {
        if rests {
            rest.take(stopped);
        }
        while let Ok(input) = inputs.try_recv() {
            explorer.add(&input);
            taken += 1;
        }
        let misshapen = explorer.counts().misshapen;
        let begun_at = Instant::now();
        let event = explorer.step(&mut native);
        rest.note(begun_at.elapsed(), matches!(event, Event::Ran { edges: 1.., .. }));
        let idle = event == Event::Finished;
        if idle || Instant::now() >= next {
            next = Instant::now() + SAY;
            let state = progress(&explorer, taken, idle);
            drop(say.send(Said::Progress { worker, state }));
        }
        match event {
            Event::Ran { input, edges, failure, fails, error } => {
                if explorer.counts().misshapen > misshapen {
                    tell(Message::Misshapen(input));
                    continue;
                }
                match error {
                    Some(error) if !begun => return tell(Message::Broken(error)),
                    Some(error) => unjudged.get_or_insert((0, error)).0 += 1,
                    // Not each run is judged.
                    None => begun |= explorer.counts().native > 0,
                }
                if edges > 0 && !fails {
                    tell(Message::Kept { worker, input });
                }
                if let Some(failure) = failure.and_then(|at| explorer.failures().get(at)) {
                    tell(Message::Failed(failure.clone()));
                }
            }
            Event::Asked { .. } => {}
            Event::Finished => std::thread::sleep(REST),
        }
        if let Some(input) = explorer.reached_target().filter(|_| !reached) {
            reached = true;
            tell(Message::Reached(input.to_vec()));
        }
    }
    let state = progress(&explorer, taken, true);
    drop(say.send(Said::Progress { worker, state }));
    tell(Message::Ended {
        report: explorer.report(),
        edges: explorer.edges().to_vec(),
        failures: explorer.failures().to_vec(),
        unjudged,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_panics_is_noted_and_the_others_are_heard() {
        let mut crew = Crew::new(2);
        let say = crew.say.take().expect("it has not begun");
        let broken = std::thread::spawn(|| panic!("a worker panics, as a test has it"));
        let other = std::thread::spawn(move || {
            drop(say.send(Said::Message(Message::Reached(b"input".to_vec()))));
        });
        crew.workers[0].thread = Some(broken);
        crew.workers[1].thread = Some(other);
        assert!(matches!(crew.last(), Some(Message::Reached(input)) if input == b"input"));
        assert!(crew.last().is_none());
        assert!(crew.panicked);
    }
}
