//! Trimming: a queue's entry made shorter as long as it takes the same paths.
//!
//! A sentence is trimmed by its tree with [`Reducer`], so it stays one; the longest parts are tried
//! first, so that few steps gain most. From any other text blocks of bytes are cut, as AFL++ does
//! where no custom mutator trims.

use pleach::parse::{Limits, Parser, Scratch};
use pleach::reduce::{Options, Reducer, Ticket};
use pleach::table::Table;
use pleach::tree::Tree;

/// The longest text that is parsed.
const MAX_PARSE: usize = 1 << 16;

/// As the loop's own: `afl-fuzz` runs no clock over its mutators.
const ITEMS_PER_BYTE: u32 = 64;
const PARSE_MEMORY: u64 = 256 << 20;

/// Reads texts that are to be trimmed.
pub(crate) struct Trimmer<'t> {
    parser: Parser<'t>,
    scratch: Scratch,
}

impl<'t> Trimmer<'t> {
    pub(crate) fn new(table: &'t Table) -> Self {
        let limits = Limits::new().items_per_byte(ITEMS_PER_BYTE).memory(PARSE_MEMORY);
        Self { parser: Parser::new(table).limits(limits), scratch: Scratch::new() }
    }

    /// Begins to trim; none where there is nothing to be tried.
    pub(crate) fn begin(&mut self, text: &[u8]) -> Option<Trim<'t>> {
        let mut tree = Tree::new();
        let is_sentence = text.len() <= MAX_PARSE
            && self.parser.parse(text, &mut self.scratch, &mut tree).is_ok();
        let reducer = is_sentence
            .then(|| Reducer::new(self.parser.table(), tree, Options::new()).ok())
            .flatten();
        let kind = match reducer {
            Some(reducer) => Kind::Tree { reducer: Box::new(reducer), ticket: None },
            None => Kind::Blocks(Blocks::new(text)),
        };
        let mut trim = Trim { kind, text: Vec::new(), steps: 0 };
        trim.propose().then_some(trim)
    }
}

/// A text that is being trimmed.
pub(crate) struct Trim<'t> {
    kind: Kind<'t>,
    /// What is to be tried.
    text: Vec<u8>,
    steps: u32,
}

enum Kind<'t> {
    Tree { reducer: Box<Reducer<'t>>, ticket: Option<Ticket> },
    Blocks(Blocks),
}

impl Trim<'_> {
    /// The most steps: runs of the target for one entry of the queue.
    pub(crate) const STEPS: u32 = 512;

    /// What is to be tried.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Takes the answer, and gives how many steps are done: all where there is no more to be tried.
    pub(crate) fn answer(&mut self, success: bool) -> u32 {
        match &mut self.kind {
            Kind::Tree { reducer, ticket } => {
                if let Some(ticket) = ticket.take() {
                    reducer.answer(ticket, success);
                }
            }
            Kind::Blocks(blocks) => blocks.answer(success),
        }
        self.steps += 1;
        if self.steps < Self::STEPS && self.propose() { self.steps } else { Self::STEPS }
    }

    fn propose(&mut self) -> bool {
        match &mut self.kind {
            Kind::Tree { reducer, ticket } => loop {
                let Some(candidate) = reducer.propose() else { return false };
                // `afl-fuzz` does not run the target on nothing.
                if candidate.text.is_empty() {
                    reducer.answer(candidate.ticket, false);
                    continue;
                }
                (*ticket, self.text) = (Some(candidate.ticket), candidate.text);
                return true;
            },
            Kind::Blocks(blocks) => blocks.propose(&mut self.text),
        }
    }
}

/// Blocks of bytes that are cut out: sixteenths of the text first, then halves of those.
struct Blocks {
    text: Vec<u8>,
    size: usize,
    at: usize,
}

/// The shortest block, and into how many the text is cut first.
const LEAST_BLOCK: usize = 4;
const BLOCKS: usize = 16;

impl Blocks {
    fn new(text: &[u8]) -> Self {
        let size = (text.len() / BLOCKS).next_power_of_two().max(LEAST_BLOCK);
        Self { text: text.to_vec(), size, at: 0 }
    }

    /// Puts the text without a block in place of what `out` holds; false where all were tried.
    fn propose(&mut self, out: &mut Vec<u8>) -> bool {
        // Halves follow where all blocks were tried, or one is as much as is left.
        while self.at >= self.text.len() || self.size >= self.text.len() {
            (self.at, self.size) = (0, self.size / 2);
            if self.size < LEAST_BLOCK {
                return false;
            }
        }
        out.clear();
        out.extend_from_slice(&self.text[..self.at]);
        out.extend_from_slice(&self.text[self.end()..]);
        true
    }

    fn answer(&mut self, success: bool) {
        if success {
            self.text.drain(self.at..self.end());
        } else {
            self.at += self.size;
        }
    }

    fn end(&self) -> usize {
        (self.at + self.size).min(self.text.len())
    }
}
