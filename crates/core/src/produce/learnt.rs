//! Random choices by what was learnt of a corpus.

use std::sync::Arc;

use super::expand::{Choices, Place};
use super::random::{RandomChoices, draw};
use super::weights::Mode;
use crate::entropy::Entropy;
use crate::learn::{Model, PointId, StateId};
use crate::table::{
    AlternativeId, OccurrenceId, RepetitionId, RuleId, Symbol, SymbolKind, Table, Terminal,
};

/// What a model is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taste {
    /// What the corpus does.
    Common,
    /// What it does seldom, and most of all what it never does.
    Rare,
}

/// What was learnt, and how choices go by it.
#[derive(Clone, Debug)]
pub(super) struct Learnt {
    pub(super) model: Arc<Model>,
    pub(super) taste: Taste,
    /// How many choices of 256 go by it.
    pub(super) share: u64,
    /// Whether alternatives are alike all the same.
    pub(super) alike: bool,
    /// The contexts of open references.
    pub(super) states: Vec<StateId>,
}

impl Learnt {
    pub(super) fn new(model: Arc<Model>, share: u64, mode: Mode) -> Self {
        let taste = if mode == Mode::Inverted { Taste::Rare } else { Taste::Common };
        let alike = mode == Mode::Uniform;
        Self { model, taste, share, alike, states: Vec::new() }
    }
}

/// Choices by a model, and others where it has none.
pub(super) struct LearntChoices<'p, E> {
    pub(super) random: RandomChoices<'p, E>,
    pub(super) learnt: &'p mut Learnt,
    /// The terminal that was begun last.
    pub(super) occurrence: Option<OccurrenceId>,
}

/// What an inverse is taken of.
const SCALE: u64 = 1 << 40;

/// The greatest odds of what is rare to what is common, where a repetition goes on or ends: a tree may have no end
/// else.
const ODDS: u64 = 8;

impl<E: Entropy> LearntChoices<'_, E> {
    fn state(&self) -> StateId {
        self.learnt.states.last().copied().unwrap_or(StateId::EMPTY)
    }

    /// Whether the next choice goes by the model.
    fn goes(&mut self) -> bool {
        let share = self.learnt.share;
        !self.random.entropy.is_exhausted()
            && (share > 255 || self.random.entropy.bits(8) & 0xFF < share)
    }

    /// One of the alternatives by how often they were taken, in the longest context that is drawn.
    fn common(&mut self, point: PointId, fitting: &[AlternativeId]) -> Option<AlternativeId> {
        let (model, mut state) = (&*self.learnt.model, Some(self.state()));
        while let Some(from) = state {
            state = model.shorter(from);
            let Some(row) = model.row(from, point) else { continue };
            let number = self.random.entropy.below(row.total() + row.len());
            if number >= row.total() {
                continue;
            }
            let found = row.choice(number).map(AlternativeId::new);
            if found.is_some_and(|found| fitting.binary_search(&found).is_ok()) {
                return found;
            }
            // Near a budget, and where what was read is never produced.
            let counts = fitting.iter().map(|one| row.count(one.get()));
            let sum = counts.sum();
            let mut number = self.random.entropy.below(sum);
            for &alternative in fitting {
                let count = row.count(alternative.get());
                if number < count {
                    return Some(alternative);
                }
                number -= count;
            }
        }
        None
    }

    /// One of the alternatives, the more likely the less often it was taken in the longest context known.
    fn rare(&mut self, point: PointId, fitting: &[AlternativeId]) -> Option<AlternativeId> {
        let (model, mut state) = (&*self.learnt.model, Some(self.state()));
        while let Some(from) = state {
            if let Some(row) = model.row(from, point) {
                let weight = |one: AlternativeId| SCALE / (row.count(one.get()) + 1);
                return Some(draw(self.random.entropy, fitting, weight));
            }
            state = model.shorter(from);
        }
        None
    }

    /// Whether a repetition goes on after so many times, by the counts of at least so many.
    fn goes_on(&mut self, point: PointId, done: u32) -> Option<bool> {
        let (model, mut state) = (&*self.learnt.model, Some(self.state()));
        while let Some(from) = state {
            state = model.shorter(from);
            let Some(row) = model.row(from, point) else { continue };
            let ((all, kinds), (more, _)) = (row.from(done), row.from(done.saturating_add(1)));
            if all == 0 {
                continue;
            }
            if self.learnt.taste == Taste::Rare {
                let (on, off) = (all - more + 1, more + 1);
                let (on, off) =
                    (on.min(off.saturating_mul(ODDS)), off.min(on.saturating_mul(ODDS)));
                return Some(self.random.entropy.below(on + off) < on);
            }
            let number = self.random.entropy.below(all + kinds);
            if number < all {
                return Some(number < more);
            }
        }
        None
    }

    /// A text of a terminal, as often as it was taken; where the rare is wanted, each alike.
    fn drawn(&mut self, point: PointId) -> Option<u32> {
        let (model, mut state) = (&*self.learnt.model, Some(self.state()));
        while let Some(from) = state {
            state = model.shorter(from);
            let Some(row) = model.row(from, point) else { continue };
            if self.learnt.taste == Taste::Rare {
                // As many others as there are.
                return row.nth(self.random.entropy.below(2 * row.len()));
            }
            let number = self.random.entropy.below(row.total() + row.len());
            if number < row.total() {
                return row.choice(number);
            }
        }
        None
    }
}

impl<E: Entropy> Choices for LearntChoices<'_, E> {
    type Source = E;

    fn source(&mut self) -> &mut E {
        self.random.source()
    }

    fn is_closing(&self) -> bool {
        self.random.is_closing()
    }

    fn begin(&mut self, place: &Place<'_>, symbol: Symbol) {
        match symbol.kind() {
            SymbolKind::Root(_) => {
                self.learnt.states.clear();
                self.learnt.states.push(StateId::EMPTY);
            }
            SymbolKind::Reference(occurrence) => {
                let below = self.learnt.model.step(self.state(), occurrence);
                self.learnt.states.push(below);
            }
            SymbolKind::Terminal(occurrence) => self.occurrence = Some(occurrence),
            SymbolKind::Group(_) | SymbolKind::Repetition(_) | SymbolKind::Layout => {}
        }
        self.random.begin(place, symbol);
    }

    fn end(&mut self, symbol: Symbol, choice: u32) {
        if matches!(symbol.kind(), SymbolKind::Reference(_)) {
            self.learnt.states.pop();
        }
        self.random.end(symbol, choice);
    }

    fn write(&mut self, table: &Table, bytes: u64, out: &mut Vec<u8>) -> bool {
        let point = self.occurrence.and_then(|occurrence| PointId::terminal(table, occurrence));
        let Some(point) = point else { return false };
        if !self.goes() {
            return false;
        }
        let Some(text) = self.drawn(point) else { return false };
        let text = self.learnt.model.text(text);
        if text.len() as u64 > bytes {
            return false;
        }
        out.extend_from_slice(text);
        true
    }

    fn text(&mut self, terminal: Terminal<'_>, bytes: u64) -> Option<&'static [u8]> {
        self.random.text(terminal, bytes)
    }

    fn layout(&mut self) -> bool {
        self.random.layout()
    }

    fn alternative(
        &mut self,
        place: &Place<'_>,
        rule: RuleId,
        fitting: &[AlternativeId],
    ) -> Option<AlternativeId> {
        if !self.learnt.alike
            && let Some(point) = PointId::rule(place.table, rule)
            && self.goes()
        {
            let found = match self.learnt.taste {
                Taste::Common => self.common(point, fitting),
                Taste::Rare => self.rare(point, fitting),
            };
            if found.is_some() {
                return found;
            }
            // What weighs nothing is possible, too.
            let weights = self.random.weights;
            let weight = |alternative| weights.alternative(alternative).max(1);
            return Some(draw(self.random.entropy, fitting, weight));
        }
        self.random.alternative(place, rule, fitting)
    }

    fn more(&mut self, place: &Place<'_>, repetition: RepetitionId, done: u32) -> bool {
        if let Some(point) = PointId::repetition(place.table, repetition)
            && self.goes()
        {
            if let Some(more) = self.goes_on(point, done) {
                return more;
            }
            let (on, off) = self.random.weights.going_on(repetition);
            return self.random.entropy.below(on.max(1) + off) < on.max(1);
        }
        self.random.more(place, repetition, done)
    }
}
