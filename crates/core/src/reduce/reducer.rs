//! The reducer: candidates out, answers in.

use std::sync::Arc;

use super::assemble::{Assembly, Piece, least_bytes};
use super::open::{Open, Ticket};
use super::round::{Place, Round};
use super::shape::Shape;
use super::step::{Effort, Step};
use super::units::Units;
use crate::table::Table;
use crate::tree::{Tree, TreeError};

/// The settings of a reducer: what it may shorten, and its bounds on memory and runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    tokens: Option<bool>,
    memory: Option<usize>,
    runs: Option<u64>,
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether to shorten and simplify the texts of regular terminals, classes and layout when the
    /// tree can lose no more. The default is `false`.
    #[must_use]
    pub fn tokens(mut self, tokens: bool) -> Self {
        self.tokens = Some(tokens);
        self
    }

    /// How many texts to remember as refused, in 8 bytes or so each; when there are more all are
    /// forgotten. The default is 1,048,576.
    #[must_use]
    pub fn memory(mut self, texts: usize) -> Self {
        self.memory = Some(texts);
        self
    }

    /// How many candidates there are at most, counted as [`Reducer::tried`] does. The default is no
    /// bound for a tree, and [`TextReducer::DEFAULT_RUNS`] for a text that is no sentence.
    ///
    /// [`TextReducer::DEFAULT_RUNS`]: super::TextReducer::DEFAULT_RUNS
    #[must_use]
    pub fn runs(mut self, candidates: u64) -> Self {
        self.runs = Some(candidates);
        self
    }

    pub(super) fn get_memory(self) -> usize {
        self.memory.unwrap_or(1 << 20)
    }

    pub(super) fn get_runs(self) -> Option<u64> {
        self.runs
    }

    /// The same for a part of what is reduced.
    pub(super) fn without_runs(self) -> Self {
        Self { runs: None, ..self }
    }
}

/// A smaller text that a reducer asks about, with the ticket that its answer must name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What to answer with.
    pub ticket: Ticket,
    /// The text.
    pub text: Vec<u8>,
    /// How many bytes shorter it is than the text it was made from; 0 where it is only plainer.
    pub gain: usize,
}

/// Makes a tree small while its text stays interesting.
///
/// Ask for candidates with [`Reducer::propose`], one at a time or several ahead, find out whether
/// each text is interesting, and say so with [`Reducer::answer`], in any order. When `propose` gives
/// none and no answer is due, [`Reducer::text`] is the result.
///
/// The caller must know that the first text is interesting; it is not asked for. An answer should
/// depend on the text alone: if it does not, the work still ends, but what is left is interesting
/// only by what was answered.
///
/// # Examples
///
/// ```
/// use pleach::produce::{Options, Producer};
/// use pleach::reduce::{self, Reducer};
/// use pleach::{Seeded, table::Table, tree::Tree};
///
/// let table = Table::parse(r#"list = "[" ( item ( "," item )* )? "]" ; item = /[a-z]+/ | list ;"#)?;
/// let (mut producer, mut seed) = (Producer::new(&table, Options::new())?, Seeded::new(1));
/// let mut tree = Tree::new();
/// let nested = |text: &[u8]| text.windows(2).any(|two| two == b"[[");
/// while !nested(tree.text()) {
///     producer.produce(&mut seed, &mut tree);
/// }
///
/// let mut reducer = Reducer::new(&table, tree, reduce::Options::new())?;
/// while let Some(candidate) = reducer.propose() {
///     reducer.answer(candidate.ticket, nested(&candidate.text));
/// }
/// assert_eq!(reducer.text(), b"[[]]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reducer<'t> {
    shape: Shape<'t>,
    options: Options,
    round: Round,
    /// Rounds in a row, this one included, in which nothing was taken.
    barren: u32,
    open: Open<(Vec<Piece>, Place)>,
    fresh: u32,
    taken: u64,
    finished: bool,
    /// Bytes at the beginning of the round.
    bytes_before: usize,
}

impl<'t> Reducer<'t> {
    /// A reducer of a tree whose text is interesting.
    ///
    /// # Errors
    ///
    /// If the tree is no derivation of the table.
    pub fn new(table: &'t Table, tree: Tree, options: Options) -> Result<Self, TreeError> {
        tree.check(table)?;
        Ok(Self::of(table, tree, options))
    }

    /// A reducer of a derivation from any rule, the one that its root names.
    pub(super) fn of_part(
        table: &'t Table,
        tree: Tree,
        options: Options,
    ) -> Result<Self, TreeError> {
        tree.check_from(table, tree.root_rule().unwrap_or(table.start()))?;
        Ok(Self::of(table, tree, options))
    }

    fn of(table: &'t Table, tree: Tree, options: Options) -> Self {
        let fresh = tree.nodes().len() as u32;
        let units = Arc::new(Units::new(table));
        let shape = Shape::new(table, units, tree, (0..fresh).collect());
        let round = Round::new(&shape, Effort::Swift);
        Self {
            bytes_before: shape.tree.text().len(),
            shape,
            options,
            round,
            barren: 1,
            open: Open::new(options.get_memory()),
            fresh,
            taken: 0,
            finished: false,
        }
    }

    /// The smallest tree so far.
    pub fn tree(&self) -> &Tree {
        &self.shape.tree
    }

    /// The smallest text so far.
    pub fn text(&self) -> &[u8] {
        self.shape.tree.text()
    }

    /// Takes the smallest tree out.
    pub fn into_tree(self) -> Tree {
        self.shape.tree
    }

    /// How many candidates have been settled: taken, or refused with none before them open. This
    /// does not depend on how many candidates are asked for ahead.
    pub fn tried(&self) -> u64 {
        self.open.tried()
    }

    /// How many candidates were taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// How many candidates wait for an answer or for the answers before theirs.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Whether the work is done: there are no more candidates, and no answer is due. It is not where
    /// [`Options::runs`] has ended it.
    pub fn is_done(&self) -> bool {
        self.finished
    }

    /// Whether an answer still matters: those after a candidate that was taken do not.
    pub fn is_open(&self, ticket: Ticket) -> bool {
        self.open.has(ticket)
    }

    /// The next candidate if all that are open are refused.
    ///
    /// None where there is no more, or where the next one depends on answers that are due.
    pub fn propose(&mut self) -> Option<Candidate> {
        if self.finished || self.open.is_decided() {
            return None;
        }
        let most = self.options.get_runs().unwrap_or(u64::MAX);
        if self.tried() + self.open.len() as u64 >= most {
            return None;
        }
        loop {
            while let Some((index, place)) = self.round.advance(&self.shape) {
                if let Some(candidate) = self.candidate(index, place) {
                    return Some(candidate);
                }
            }
            if self.open.len() > 0 {
                return None;
            }
            if !self.next_round() {
                self.finished = true;
                return None;
            }
        }
    }

    /// Makes a candidate, if the step can be taken, gains something, and the text is new.
    fn candidate(&mut self, index: Option<usize>, place: Place) -> Option<Candidate> {
        let pieces = self.shape.pieces(index.unwrap_or(0), place.step)?;
        let bytes = self.text().len();
        // Plainer symbols need not be shorter: each is plainest at once, so this ends.
        let limit = if matches!(place.step, Step::Plain { .. }) { bytes + 1 } else { bytes };
        if least_bytes(&self.shape, &pieces) >= limit {
            return None;
        }
        let text = Assembly::text(&self.shape, &pieces);
        if text.len() >= limit || text == self.text() {
            return None;
        }
        let hash = self.open.fresh(&text)?;
        debug_assert!(
            self.is_derivation(&pieces),
            "{:?} of {:?}",
            place.step,
            String::from_utf8_lossy(self.text())
        );
        let gain = bytes - text.len();
        let ticket = self.open.add(hash, (pieces, place));
        Some(Candidate { ticket, text, gain })
    }

    fn is_derivation(&self, pieces: &[Piece]) -> bool {
        let (tree, ..) = Assembly::tree(&self.shape, pieces, 0);
        tree.check_from(self.shape.table, self.shape.root).is_ok()
    }

    /// Says whether a candidate is interesting, and gives whether the smallest tree is another now.
    ///
    /// Answers about candidates that are no longer open change nothing.
    pub fn answer(&mut self, ticket: Ticket, interesting: bool) -> bool {
        self.open.answer(ticket, interesting);
        while let Some(((pieces, place), is_taken)) = self.open.settle() {
            if is_taken {
                self.take(&pieces, place);
                return true;
            }
        }
        false
    }

    fn take(&mut self, pieces: &[Piece], place: Place) {
        let (tree, ids, fresh) = Assembly::tree(&self.shape, pieces, self.fresh);
        self.shape = Shape::new(self.shape.table, Arc::clone(&self.shape.units), tree, ids);
        self.fresh = fresh;
        self.taken += 1;
        self.barren = 0;
        self.round.resume(&self.shape, place);
    }

    /// Begins another round; false where each kind has just found nothing.
    fn next_round(&mut self) -> bool {
        let tokens = self.options.tokens.unwrap_or(false);
        let kinds = if tokens { 3 } else { 2 };
        if self.barren >= kinds {
            return false;
        }
        let bytes = self.text().len();
        // While swift rounds gain much, others can wait.
        let again = bytes < self.bytes_before - self.bytes_before / 4;
        let effort = match self.round.effort {
            Effort::Swift if again => Effort::Swift,
            Effort::Swift => Effort::Thorough,
            Effort::Thorough if tokens => Effort::Tokens,
            Effort::Thorough | Effort::Tokens => Effort::Swift,
        };
        self.barren += 1;
        self.bytes_before = bytes;
        // Identities are renewed, so that they last however long this goes on.
        self.fresh = self.shape.ids.len() as u32;
        self.shape.ids = (0..self.fresh).collect();
        self.round = Round::new(&self.shape, effort);
        true
    }
}
