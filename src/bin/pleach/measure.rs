//! Inputs read and measured in parallel, with the same result whatever the number of threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use pleach::parse::{Error, Parser, Scratch};
use pleach::report::{Corpus, CorpusWorker};
use pleach::tree::Tree;
use serde::Serialize;

use crate::inputs::{Bounds, Input, Reading, Unread};
use crate::progress::Progress;

/// An input that is not measured.
#[derive(Debug, Serialize)]
pub(crate) struct Rejected {
    pub(crate) file: String,
    pub(crate) reason: String,
    /// The place in the input, where it is one of syntax; lines and columns from 1.
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
    pub(crate) offset: Option<usize>,
    /// Whether a bound was reached before the answer was known.
    #[serde(skip)]
    pub(crate) unknown: bool,
}

impl Rejected {
    fn new(input: &Input, reason: String) -> Self {
        let file = input.name();
        Self { file, reason, line: None, column: None, offset: None, unknown: false }
    }

    fn unread(input: &Input, unread: Unread) -> Self {
        let unknown = matches!(unread, Unread::TooLarge(_));
        Self { unknown, ..Self::new(input, unread.reason()) }
    }

    fn unparsed(input: &Input, error: &Error) -> Self {
        let rejected = Self::new(input, error.to_string());
        match error {
            Error::Syntax(syntax) => Self {
                line: Some(syntax.line()),
                column: Some(syntax.column()),
                offset: Some(syntax.at()),
                ..rejected
            },
            _ => Self { unknown: true, ..rejected },
        }
    }
}

/// An input that was measured.
#[derive(Debug)]
pub(crate) struct Measured {
    /// Its index among the inputs.
    pub(crate) index: usize,
    pub(crate) bytes: u64,
    /// The ranks of all k-paths that it covers, where they are asked for.
    pub(crate) ranks: Vec<u32>,
}

/// What came of all inputs, in their order.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) measured: Vec<Measured>,
    pub(crate) rejected: Vec<Rejected>,
}

/// Reads all inputs and adds them to the corpus; `whole` asks for the ranks of each.
pub(crate) fn measure(
    inputs: &[Input],
    parser: &Parser<'_>,
    corpus: &mut Corpus<'_>,
    reading: &Reading,
    whole: bool,
) -> Outcome {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let jobs = reading.jobs.map_or_else(cores, usize::from).min(inputs.len().max(1));
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::sync_channel::<(usize, Result<(u64, Vec<u32>), Rejected>)>(1024);
    let workers: Vec<CorpusWorker> = (0..jobs).map(|_| corpus.worker()).collect();
    let mut outcome = Outcome::default();
    let mut progress = Progress::new("files");
    let all = inputs.len() as u64;
    thread::scope(|scope| {
        let handles: Vec<_> = workers
            .into_iter()
            .map(|worker| {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    let mut reader = Reader::new(parser, worker, &reading.bounds, whole);
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(input) = inputs.get(index) else { break };
                        if send.send((index, reader.read(input))).is_err() {
                            break;
                        }
                    }
                    reader.worker
                })
            })
            .collect();
        drop(send);
        // What came before its turn.
        let mut early = BTreeMap::new();
        let mut turn = 0;
        for (index, found) in receive {
            early.insert(index, found);
            while let Some(found) = early.remove(&turn) {
                match found {
                    Ok((bytes, ranks)) => {
                        corpus.merge(&ranks);
                        let ranks = if whole { ranks } else { Vec::new() };
                        outcome.measured.push(Measured { index: turn, bytes, ranks });
                    }
                    Err(rejected) => outcome.rejected.push(rejected),
                }
                turn += 1;
                progress.tick(|| (turn as u64, all));
            }
        }
        for handle in handles {
            match handle.join() {
                Ok(worker) => corpus.absorb(&worker),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    outcome
}

/// What one thread reads with.
struct Reader<'p, 't> {
    parser: &'p Parser<'t>,
    worker: CorpusWorker,
    bounds: &'p Bounds,
    whole: bool,
    scratch: Scratch,
    tree: Tree,
    buffer: Vec<u8>,
}

impl<'p, 't> Reader<'p, 't> {
    fn new(parser: &'p Parser<'t>, worker: CorpusWorker, bounds: &'p Bounds, whole: bool) -> Self {
        let (scratch, tree, buffer) = (Scratch::new(), Tree::new(), Vec::new());
        Self { parser, worker, bounds, whole, scratch, tree, buffer }
    }

    fn read(&mut self, input: &Input) -> Result<(u64, Vec<u32>), Rejected> {
        input
            .read(self.bounds, &mut self.buffer)
            .map_err(|unread| Rejected::unread(input, unread))?;
        self.parser
            .parse(&self.buffer, &mut self.scratch, &mut self.tree)
            .map_err(|error| Rejected::unparsed(input, &error))?;
        let ranks = match self.whole {
            true => self.worker.measure_whole(&self.tree),
            false => self.worker.measure(&self.tree),
        };
        Ok((self.buffer.len() as u64, ranks))
    }
}
