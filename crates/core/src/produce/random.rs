//! Random choices by static weights, and towards a size.

use super::exotic::Exotic;
use super::expand::{Choices, Place};
use super::spread::referred;
use super::weights::Weights;
use crate::entropy::Entropy;
use crate::table::{AlternativeId, RepetitionId, RuleId, Symbol, SymbolKind, Table, Terminal};

/// Before one token in so many stands layout of any kind.
pub(super) const LAYOUT: u64 = 16;

/// Choices drawn from weights.
pub(super) struct RandomChoices<'p, E> {
    pub(super) weights: &'p Weights,
    pub(super) entropy: &'p mut E,
    /// None in plain text.
    pub(super) exotic: Option<&'p mut Exotic>,
}

/// Random choices that grow a tree towards a size.
pub(super) struct Growing<'p, E> {
    pub(super) random: RandomChoices<'p, E>,
    pub(super) growth: &'p Growth,
    /// The bytes to reach.
    pub(super) size: u64,
    /// Whether they are reached.
    pub(super) closing: bool,
}

impl<E: Entropy> Choices for RandomChoices<'_, E> {
    type Source = E;

    fn source(&mut self) -> &mut E {
        self.entropy
    }

    fn is_closing(&self) -> bool {
        self.entropy.is_exhausted()
    }

    fn begin(&mut self, place: &Place<'_>, symbol: Symbol) {
        if let Some(exotic) = &mut self.exotic {
            exotic.begin(place.table, symbol, self.entropy);
        }
    }

    fn end(&mut self, _symbol: Symbol, _choice: u32) {
        if let Some(exotic) = &mut self.exotic {
            exotic.end();
        }
    }

    fn text(&mut self, terminal: Terminal<'_>, bytes: u64) -> Option<&'static [u8]> {
        self.exotic.as_mut()?.text(terminal, bytes, self.entropy)
    }

    fn layout(&mut self) -> bool {
        !self.is_closing() && self.entropy.below(LAYOUT) == 0
    }

    fn alternative(
        &mut self,
        place: &Place<'_>,
        _rule: RuleId,
        fitting: &[AlternativeId],
    ) -> Option<AlternativeId> {
        if let Some(exotic) = &mut self.exotic
            && let found @ Some(_) = exotic.alternative(place.table, fitting, self.entropy)
        {
            return found;
        }
        if self.weights.are_ones() {
            return fitting.get(self.entropy.below(fitting.len() as u64) as usize).copied();
        }
        Some(draw(self.entropy, fitting, |alternative| self.weights.alternative(alternative)))
    }

    fn more(&mut self, place: &Place<'_>, repetition: RepetitionId, _done: u32) -> bool {
        if let Some(exotic) = &mut self.exotic
            && let Some(more) = exotic.more(place.table, repetition, self.entropy)
        {
            return more;
        }
        let (on, off) = self.weights.going_on(repetition);
        self.entropy.below(on + off) < on
    }
}

impl<E: Entropy> Choices for Growing<'_, E> {
    type Source = E;

    fn source(&mut self) -> &mut E {
        self.random.source()
    }

    fn is_closing(&self) -> bool {
        self.closing || self.random.is_closing()
    }

    fn layout(&mut self) -> bool {
        !self.closing && self.random.layout()
    }

    fn alternative(
        &mut self,
        place: &Place<'_>,
        rule: RuleId,
        fitting: &[AlternativeId],
    ) -> Option<AlternativeId> {
        let Self { random, growth, .. } = self;
        if place.spent.used.bytes < self.size
            && fitting.iter().any(|&alternative| growth.alternative(alternative))
        {
            let grows = |a: AlternativeId| {
                if growth.alternative(a) { random.weights.alternative(a).max(1) } else { 0 }
            };
            return Some(draw(random.entropy, fitting, grows));
        }
        random.alternative(place, rule, fitting)
    }

    fn more(&mut self, place: &Place<'_>, repetition: RepetitionId, done: u32) -> bool {
        let unbounded =
            || place.table.repetition(repetition).max == crate::table::Repetition::UNBOUNDED;
        (place.spent.used.bytes < self.size && unbounded())
            || self.random.more(place, repetition, done)
    }

    fn begin(&mut self, place: &Place<'_>, symbol: Symbol) {
        self.closing = place.spent.total().bytes >= self.size;
        self.random.begin(place, symbol);
    }

    fn end(&mut self, symbol: Symbol, choice: u32) {
        self.random.end(symbol, choice);
    }

    fn text(&mut self, terminal: Terminal<'_>, bytes: u64) -> Option<&'static [u8]> {
        self.random.text(terminal, bytes)
    }
}

/// Draws by weight; alike where every weight is 0.
pub(super) fn draw<E: Entropy>(
    entropy: &mut E,
    from: &[AlternativeId],
    weight: impl Fn(AlternativeId) -> u64,
) -> AlternativeId {
    let total: u64 = from.iter().map(|&alternative| weight(alternative)).sum();
    if total == 0 {
        return from[entropy.below(from.len() as u64) as usize];
    }
    let mut index = entropy.below(total);
    for &alternative in from {
        let weight = weight(alternative);
        if index < weight {
            return alternative;
        }
        index -= weight;
    }
    from[0]
}

/// Which alternatives derive strings of any length.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    alternatives: Vec<bool>,
}

impl Growth {
    /// An alternative grows if an unbounded repetition or a recursive rule is reachable from it;
    /// found backwards from these.
    pub(super) fn new(table: &Table) -> Self {
        let mut users: Vec<Vec<AlternativeId>> = vec![Vec::new(); table.rule_count()];
        let mut growth = Self { alternatives: vec![false; table.alternative_count()] };
        let mut queue = Vec::new();
        let recursive = recursive(table);
        let alternatives = (0..table.alternative_count() as u32).map(AlternativeId::new);
        for alternative in alternatives.filter(|&alternative| !table.is_marked(alternative)) {
            let mut grows = false;
            for &item in table.items(alternative) {
                let element = match item.kind() {
                    SymbolKind::Repetition(id) => {
                        let repetition = table.repetition(id);
                        grows |= repetition.max == crate::table::Repetition::UNBOUNDED;
                        repetition.element
                    }
                    _ => item,
                };
                if let SymbolKind::Terminal(occurrence) = element.kind()
                    && let Some(terminal) = table.terminal_at(occurrence)
                    && let crate::table::Terminal::Regular { automaton } = table.terminal(terminal)
                {
                    grows |= automaton.is_infinite();
                }
                if let Some(rule) = table.rule_behind(element) {
                    grows |= recursive[rule.index()];
                    users[rule.index()].push(alternative);
                }
            }
            if grows {
                growth.alternatives[alternative.index()] = true;
                queue.push(alternative);
            }
        }
        while let Some(alternative) = queue.pop() {
            for &user in &users[table.rule_of(alternative).index()] {
                if !std::mem::replace(&mut growth.alternatives[user.index()], true) {
                    queue.push(user);
                }
            }
        }
        growth
    }

    pub(super) fn alternative(&self, alternative: AlternativeId) -> bool {
        self.alternatives[alternative.index()]
    }
}

/// Which rules can contain themselves.
#[pleach_unhooked::unhooked]
pub(super) fn recursive(table: &Table) -> Vec<bool> {
    let rules = (0..table.rule_count() as u32).map(RuleId::new);
    let edges: Vec<Vec<u32>> =
        rules.map(|rule| referred(table, rule).map(RuleId::get).collect()).collect();
    crate::table::cyclic(&edges)
}
