//! Inputs read and measured in parallel, with the same result whatever the number of threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use pleach::parse::{Error, Limits, Parser, PartialParser, Scratch};
use pleach::report::{Corpus, CorpusWorker, PartsSummary};
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

    pub(crate) fn unread(input: &Input, unread: Unread) -> Self {
        let unknown = matches!(unread, Unread::TooLarge(_));
        Self { unknown, ..Self::new(input, unread.reason()) }
    }

    pub(crate) fn unparsed(input: &Input, error: &Error) -> Self {
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

/// What an input holds that is not of the grammar, and is measured by its parts.
#[derive(Debug, Default)]
struct InParts {
    parts: usize,
    /// Bytes of these, and of the input.
    bytes: u64,
    of: u64,
    /// The ranks of the k-paths that no earlier part covers.
    ranks: Vec<u32>,
}

/// Parts of fewer bytes say nothing: a character is of some rule nearly everywhere.
const LEAST: usize = 2;
/// Memory that is spent on finding the parts of one input.
const MEMORY: u64 = 256 << 20;

/// Inputs that are not of the grammar, measured by their parts.
pub(crate) struct Partly<'t> {
    parts: PartialParser<'t>,
    corpus: Corpus<'t>,
    found: InParts,
    files: usize,
}

impl<'t> Partly<'t> {
    /// With an empty corpus.
    pub(crate) fn new(corpus: Corpus<'t>) -> Self {
        let parts = PartialParser::new(corpus.table()).limits(Limits::new().memory(MEMORY));
        Self { parts, corpus, found: InParts::default(), files: 0 }
    }

    fn merge(&mut self, found: &InParts) {
        self.files += 1;
        self.found.parts += found.parts;
        self.found.bytes += found.bytes;
        self.found.of += found.of;
        self.corpus.merge(&found.ranks);
    }

    /// The figures, beside those of whole inputs.
    pub(crate) fn summary(&self, whole: &Corpus<'_>) -> PartsSummary {
        PartsSummary {
            files: self.files,
            parts: self.found.parts,
            bytes: self.found.bytes,
            of: self.found.of,
            kpath: self.corpus.summary(),
            new: self.corpus.beyond(whole),
        }
    }
}

/// What a thread hands over of an input.
type Read = Result<(u64, Vec<u32>), Box<(Rejected, Option<InParts>)>>;

/// Reads all inputs and adds them to the corpus, and what is not of the grammar by its parts to
/// `partly`; `whole` asks for the ranks of each input.
pub(crate) fn measure(
    inputs: &[Input],
    parser: &Parser<'_>,
    corpus: &mut Corpus<'_>,
    mut partly: Option<&mut Partly<'_>>,
    reading: &Reading,
    whole: bool,
) -> Outcome {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let jobs = reading.jobs.map_or_else(cores, usize::from).min(inputs.len().max(1));
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::sync_channel::<(usize, Read)>(1024);
    let workers: Vec<_> = (0..jobs)
        .map(|_| {
            let in_parts = partly.as_ref().map(|partly| InPartsReader {
                parts: partly.parts.clone(),
                worker: partly.corpus.worker(),
                scratch: Scratch::new(),
            });
            (corpus.worker(), in_parts)
        })
        .collect();
    let mut outcome = Outcome::default();
    let mut progress = Progress::new("files");
    let all = inputs.len() as u64;
    thread::scope(|scope| {
        let handles: Vec<_> = workers
            .into_iter()
            .map(|(worker, in_parts)| {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    let bounds = &reading.bounds;
                    let mut reader = Reader::new(parser, worker, in_parts, bounds, whole);
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
                    Err(refused) => {
                        let (rejected, parts) = *refused;
                        outcome.rejected.push(rejected);
                        if let (Some(partly), Some(parts)) = (&mut partly, parts) {
                            partly.merge(&parts);
                        }
                    }
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

/// What one thread reads parts with.
struct InPartsReader<'t> {
    parts: PartialParser<'t>,
    worker: CorpusWorker,
    scratch: Scratch,
}

impl InPartsReader<'_> {
    /// The parts of an input, added to what the worker covers.
    fn read(&mut self, text: &[u8], tree: &mut Tree) -> InParts {
        let mut found = InParts { of: text.len() as u64, ..InParts::default() };
        // Without a flag it is not cancelled, and a text that is too long has no parts.
        let Ok(all) = self.parts.find(text, &mut self.scratch) else { return found };
        for part in all.parts.into_iter().filter(|part| part.len() >= LEAST) {
            let part = &text[part];
            if self.parts.read(part, &mut self.scratch, tree).is_ok() {
                found.parts += 1;
                found.bytes += part.len() as u64;
                found.ranks.append(&mut self.worker.measure(tree));
            }
        }
        found
    }
}

/// What one thread reads with.
struct Reader<'p, 't> {
    parser: &'p Parser<'t>,
    worker: CorpusWorker,
    in_parts: Option<InPartsReader<'p>>,
    bounds: &'p Bounds,
    whole: bool,
    scratch: Scratch,
    tree: Tree,
    buffer: Vec<u8>,
}

impl<'p, 't> Reader<'p, 't> {
    fn new(
        parser: &'p Parser<'t>,
        worker: CorpusWorker,
        in_parts: Option<InPartsReader<'p>>,
        bounds: &'p Bounds,
        whole: bool,
    ) -> Self {
        let (scratch, tree, buffer) = (Scratch::new(), Tree::new(), Vec::new());
        Self { parser, worker, in_parts, bounds, whole, scratch, tree, buffer }
    }

    fn read(&mut self, input: &Input) -> Read {
        let Self { parser, buffer, scratch, tree, .. } = self;
        let read = input.read(self.bounds, buffer);
        read.map_err(|unread| Box::new((Rejected::unread(input, unread), None)))?;
        if let Err(error) = parser.parse(buffer, scratch, tree) {
            let in_parts = match (&error, &mut self.in_parts) {
                (Error::Syntax(_), Some(reader)) => Some(reader.read(buffer, tree)),
                _ => None,
            };
            return Err(Box::new((Rejected::unparsed(input, &error), in_parts)));
        }
        let ranks = match self.whole {
            true => self.worker.measure_whole(&self.tree),
            false => self.worker.measure(&self.tree),
        };
        Ok((self.buffer.len() as u64, ranks))
    }
}
