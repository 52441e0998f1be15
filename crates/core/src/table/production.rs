//! The table: a grammar's productions in flat arrays.

use std::fmt;
use std::sync::Arc;

use super::id::{AlternativeId, OccurrenceId, RepetitionId, RuleId, TerminalId, ids};
use super::layout::Layout;
use super::minima::Minima;
use super::names::Names;
use super::symbol::{Symbol, SymbolKind};
use super::terminal::{Terminal, Terminals};
use crate::grammar::{Binding, Encoding};
use crate::pack::{Pack, packed};
use crate::rows::Rows;

/// An item that stands for one element so many times: its bounds, and the odds of going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// What is repeated: a reference, a terminal or a group.
    pub element: Symbol,
    /// The least count.
    pub min: u32,
    /// The greatest count; [`Repetition::UNBOUNDED`] where there is none.
    pub max: u32,
    /// The odds of going on, to 1.
    pub weight: u32,
    /// The alternative among whose items it stands.
    pub alternative: AlternativeId,
}

impl Repetition {
    /// The `max` of a repetition without a greatest count.
    pub const UNBOUNDED: u32 = u32::MAX;
}

/// The one alternative, and repetition if any, in which a group stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The alternative among whose items it, or the repetition around it, stands.
    pub alternative: AlternativeId,
    /// The repetition of which it is the element, if it is one.
    pub repetition: Option<RepetitionId>,
}

/// A grammar compiled for one start rule: flat arrays, built once, immutable, `Send + Sync`.
///
/// Only what some finite derivation from the start rule uses is in it: alternatives that derive
/// nothing, rules that nothing reaches and repetitions of at most zero are left out, and lowering
/// has warned about them. Alternatives of a rule, items of an alternative and occurrences of a
/// named rule's body are consecutive, in the order of the text.
///
/// Alternatives that are **parse-only** are no part of what is produced and covered: they come last
/// among the alternatives of their rule, and the occurrences in them, and in rules that only they
/// lead to, come after all others and are no nodes of k-paths. What is said of "all" alternatives
/// and occurrences means these as well.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) encoding: Encoding,
    pub(crate) start: RuleId,
    /// Rules below this index have names; the others are groups, outer before inner.
    pub(crate) named: u32,
    /// The alternatives of rule `r` are `alternatives[r]..alternatives[r + 1]`.
    pub(crate) alternatives: Vec<u32>,
    /// The alternatives of rule `r` that may be produced are `alternatives[r]..produced_ends[r]`.
    pub(crate) produced_ends: Vec<u32>,
    /// Whether nothing that is produced leads to each alternative.
    pub(crate) parse_only: Vec<bool>,
    /// Occurrences below this index stand in alternatives that are produced.
    pub(crate) goals: u32,
    /// The items of each alternative.
    pub(crate) items: Rows<Symbol>,
    /// The weight of each alternative.
    pub(crate) weights: Vec<u32>,
    /// How tightly each alternative binds; empty where the grammar says so of none.
    pub(crate) bindings: Vec<Option<Binding>>,
    /// The rule of each alternative.
    pub(crate) alternative_rules: Vec<RuleId>,
    /// What each occurrence refers to: a rule or a terminal, as its symbol says.
    pub(crate) targets: Vec<u32>,
    /// Whether each occurrence is a terminal.
    pub(crate) terminal_flags: Vec<bool>,
    /// The alternative that each occurrence, or the repetition around it, stands in.
    pub(crate) occurrence_sites: Vec<Site>,
    /// The occurrences in the body of named rule `r` are `bodies[r]..bodies[r + 1]`, but for those
    /// that are parse-only.
    pub(crate) bodies: Vec<u32>,
    /// Where each group stands.
    pub(crate) group_sites: Vec<Site>,
    pub(crate) repetitions: Vec<Repetition>,
    pub(crate) terminals: Terminals,
    pub(crate) layout: Option<Layout>,
    /// Whether sentences are texts of parts.
    pub(crate) has_parts: bool,
    pub(crate) names: Names,
    pub(crate) minima: Minima,
    /// What was made ahead.
    pub(crate) ahead: Ahead,
}

/// What later stages made of a table ahead, each as bytes of its own; none of a table that was lowered here.
#[derive(Clone, Default)]
pub(crate) struct Ahead {
    /// What a parser prepares.
    pub(crate) parser: Option<Arc<[u8]>>,
    /// The trees that a mutation begins with.
    pub(crate) trees: Option<Arc<[u8]>>,
}

impl fmt::Debug for Ahead {
    /// Nothing of it: the table is the same without.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ahead")
    }
}

/// It is packed beside the table.
impl Pack for Ahead {
    #[cfg(feature = "front")]
    fn pack(&self, _: &mut Vec<u8>) {}

    fn unpack(_: &mut &[u8]) -> Option<Self> {
        Some(Self::default())
    }
}

impl Table {
    /// Whether symbols are bytes or Unicode scalar values.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Whether a sentence is an input of several parts, which [`Parts`](crate::parts::Parts) takes apart.
    pub fn has_parts(&self) -> bool {
        self.has_parts
    }

    /// The start rule.
    #[inline]
    pub fn start(&self) -> RuleId {
        self.start
    }

    /// The number of all rules, groups included.
    pub fn rule_count(&self) -> usize {
        self.alternatives.len() - 1
    }

    /// The rules with a name that production can reach: all but those that are parse-only.
    pub fn produced_rules(&self) -> impl Iterator<Item = RuleId> + '_ {
        let produced = |&rule: &RuleId| {
            !self.is_parse_only(AlternativeId::new(self.alternatives[rule.index()]))
        };
        (0..self.named).map(RuleId::new).filter(produced)
    }

    /// The number of all rules with a name; they come first.
    pub fn named_rule_count(&self) -> usize {
        self.named as usize
    }

    /// The number of all alternatives, those of groups included.
    pub fn alternative_count(&self) -> usize {
        self.weights.len()
    }

    /// The number of alternatives to choose from as the grammar's author sees them: those of
    /// named rules, and those of groups with more than one; none that is parse-only.
    pub fn written_alternative_count(&self) -> usize {
        let written = (0..self.rule_count() as u32).map(RuleId::new).map(|rule| {
            let alternatives = self.alternatives(rule);
            let group = rule.get() >= self.named;
            let count =
                alternatives.filter(|&alternative| !self.is_parse_only(alternative)).count();
            if group && count == 1 { 0 } else { count }
        });
        written.sum()
    }

    /// The number of alternatives that are marked as parse-only.
    pub fn marked_alternative_count(&self) -> usize {
        let all = (0..self.alternative_count() as u32).map(AlternativeId::new);
        all.filter(|&alternative| self.is_marked(alternative)).count()
    }

    /// The number of occurrences: the nodes of k-paths.
    #[inline]
    pub fn occurrence_count(&self) -> usize {
        self.goals as usize
    }

    /// The number of all occurrences.
    pub fn all_occurrence_count(&self) -> usize {
        self.targets.len()
    }

    /// The number of different terminals.
    pub fn terminal_count(&self) -> usize {
        self.terminals.len()
    }

    /// The number of all repetitions.
    pub fn repetition_count(&self) -> usize {
        self.repetitions.len()
    }

    /// The alternatives of a rule that may be produced; never none.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn alternatives(
        &self,
        rule: RuleId,
    ) -> impl ExactSizeIterator<Item = AlternativeId> + use<> {
        ids!(AlternativeId, self.alternative_range(rule))
    }

    /// All alternatives of a rule: those that may be produced, and then those that are marked as
    /// parse-only.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn all_alternatives(
        &self,
        rule: RuleId,
    ) -> impl ExactSizeIterator<Item = AlternativeId> + use<> {
        let range = self.alternatives[rule.index()]..self.alternatives[rule.index() + 1];
        ids!(AlternativeId, range)
    }

    /// The indices of the alternatives of a rule that may be produced.
    #[inline]
    pub(crate) fn alternative_range(&self, rule: RuleId) -> std::ops::Range<u32> {
        self.alternatives[rule.index()]..self.produced_ends[rule.index()]
    }

    /// Whether an alternative is marked as parse-only.
    #[inline]
    pub(crate) fn is_marked(&self, alternative: AlternativeId) -> bool {
        alternative.get() >= self.produced_ends[self.rule_of(alternative).index()]
    }

    /// Whether nothing that is produced from the start rule leads to an alternative: it is marked as
    /// parse-only, or stands in one that is, or in a rule that only such lead to.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn is_parse_only(&self, alternative: AlternativeId) -> bool {
        self.parse_only[alternative.index()]
    }

    /// The items of an alternative: references, terminals, groups and repetitions.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn items(&self, alternative: AlternativeId) -> &[Symbol] {
        self.items.row(alternative.index())
    }

    /// How many items an alternative has.
    #[inline]
    pub(crate) fn arity(&self, alternative: AlternativeId) -> u32 {
        self.items.width(alternative.index())
    }

    /// The weight of an alternative.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn weight(&self, alternative: AlternativeId) -> u32 {
        self.weights[alternative.index()]
    }

    /// How tightly an alternative binds its operands, where the grammar says it: only reading asks.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    pub fn binding(&self, alternative: AlternativeId) -> Option<Binding> {
        self.bindings.get(alternative.index()).copied().flatten()
    }

    /// The rule or group that an alternative belongs to.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn rule_of(&self, alternative: AlternativeId) -> RuleId {
        self.alternative_rules[alternative.index()]
    }

    /// The rule that an occurrence references; none where it is a terminal.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn target(&self, occurrence: OccurrenceId) -> Option<RuleId> {
        if self.terminal_flags[occurrence.index()] {
            None
        } else {
            Some(RuleId::new(self.targets[occurrence.index()]))
        }
    }

    /// The rule behind a symbol that expands to one: a reference, a group or the root.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn rule_behind(&self, symbol: Symbol) -> Option<RuleId> {
        match symbol.kind() {
            SymbolKind::Reference(occurrence) => {
                Some(RuleId::new(self.targets[occurrence.index()]))
            }
            SymbolKind::Group(rule) | SymbolKind::Root(rule) => Some(rule),
            _ => None,
        }
    }

    /// What an item is once, or several times: the element of a repetition, else itself.
    #[inline]
    pub(crate) fn element(&self, item: Symbol) -> Symbol {
        match item.kind() {
            SymbolKind::Repetition(id) => self.repetition(id).element,
            _ => item,
        }
    }

    /// The terminal that stands at an occurrence; none where it is a reference.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn terminal_at(&self, occurrence: OccurrenceId) -> Option<TerminalId> {
        if self.terminal_flags[occurrence.index()] {
            Some(TerminalId::new(self.targets[occurrence.index()]))
        } else {
            None
        }
    }

    /// What a terminal stands for: its string, symbols or automaton.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn terminal(&self, terminal: TerminalId) -> Terminal<'_> {
        self.terminals.get(terminal)
    }

    /// A string of a terminal with the fewest bytes.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn shortest(&self, terminal: TerminalId) -> &[u8] {
        self.terminals.shortest.row(terminal.index())
    }

    /// The symbol of an occurrence.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn symbol(&self, occurrence: OccurrenceId) -> Symbol {
        if self.terminal_flags[occurrence.index()] {
            Symbol::terminal(occurrence)
        } else {
            Symbol::reference(occurrence)
        }
    }

    /// Where an occurrence stands.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn occurrence_site(&self, occurrence: OccurrenceId) -> Site {
        self.occurrence_sites[occurrence.index()]
    }

    /// Where a group stands; none for a named rule.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn group_site(&self, rule: RuleId) -> Option<Site> {
        rule.index().checked_sub(self.named as usize).map(|group| self.group_sites[group])
    }

    /// The named rule whose body an alternative stands in.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    pub fn owner(&self, alternative: AlternativeId) -> RuleId {
        let mut rule = self.rule_of(alternative);
        while let Some(site) = self.group_site(rule) {
            rule = self.rule_of(site.alternative);
        }
        rule
    }

    /// The occurrences in the body of a named rule that are nodes of k-paths, those in its groups and
    /// repetitions included; none for a group.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn body(&self, rule: RuleId) -> impl ExactSizeIterator<Item = OccurrenceId> + use<> {
        ids!(OccurrenceId, self.body_range(rule))
    }

    /// The indices of the occurrences in the body of a named rule.
    #[inline]
    pub(crate) fn body_range(&self, rule: RuleId) -> std::ops::Range<u32> {
        if rule.get() < self.named {
            self.bodies[rule.index()]..self.bodies[rule.index() + 1]
        } else {
            0..0
        }
    }

    /// The element, bounds and odds of a repetition.
    ///
    /// # Panics
    ///
    /// Where the identifier is of another table that has more of them.
    #[inline]
    pub fn repetition(&self, repetition: RepetitionId) -> &Repetition {
        &self.repetitions[repetition.index()]
    }

    /// What may stand between tokens, where the grammar names a layout.
    #[inline]
    pub fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// Names and places, for display.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The least heights and the cheapest ways to close.
    #[inline]
    pub fn minima(&self) -> &Minima {
        &self.minima
    }
}

packed!(struct Repetition { element, min, max, weight, alternative });
packed!(struct Site { alternative, repetition });
packed!(struct Table {
    encoding, start, named, alternatives, produced_ends, parse_only, goals, items, weights, bindings,
    alternative_rules, targets, terminal_flags, occurrence_sites, bodies, group_sites, repetitions,
    terminals, layout, has_parts, names, minima, ahead
});
