//! How likely alternatives and repetitions are in random production.

use super::characters::printable_count;
use super::random::recursive;
use super::spread::{referred, spread};
use crate::table::{AlternativeId, RepetitionId, RuleId, SymbolKind, Table, Terminal};

/// How random production weighs its choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Every alternative alike, but for those of weight 0, which plain texts do not have; and every repetition as likely to
    /// end as to go on.
    #[default]
    Uniform,
    /// By the grammar's weights.
    Weighted,
    /// By the inverse of the grammar's weights: what is rare becomes common. An alternative of
    /// weight 0 stays at 0.
    Inverted,
    /// As people write: by the grammar's weights, and where a rule has none, by how many symbols
    /// alternatives have that are one symbol each; in a grammar that has none at all, lists of what
    /// nests are longer. A [`Producer`](super::Producer) makes texts of moderate sizes then.
    Typical,
}

/// Weights of a table's choices in one mode.
///
/// All are integers over a common scale, so that no platform rounds them otherwise.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// By alternative.
    alternatives: Vec<u64>,
    /// Whether the weight of every alternative is 1.
    ones: bool,
    /// By repetition, the odds of going on: so many, to so many.
    repetitions: Vec<(u64, u64)>,
}

/// The odds of going on of a list of what nests, where a grammar has no weights, to 1.
const LISTED: u64 = 4;

/// The weight that an inverse is taken of: divisible by all small weights.
const SCALE: u64 = 232_792_560;

impl Weights {
    /// In exotic text, alternatives and repetitions of weight 0 are as those of weight 1.
    #[pleach_unhooked::unhooked]
    pub(super) fn new(table: &Table, mode: Mode, exotic: bool) -> Self {
        let least = u32::from(exotic);
        let mut alternatives: Vec<u64> = (0..table.alternative_count() as u32)
            .map(|alternative| {
                match (mode, table.weight(AlternativeId::new(alternative)).max(least)) {
                    (_, 0) => 0,
                    (Mode::Uniform, _) => 1,
                    (Mode::Weighted | Mode::Typical, weight) => u64::from(weight),
                    (Mode::Inverted, weight) => (SCALE / u64::from(weight)).max(1),
                }
            })
            .collect();
        if mode == Mode::Typical {
            weigh_symbols(table, &mut alternatives);
        }
        let mut repetitions: Vec<(u64, u64)> = (0..table.repetition_count() as u32)
            .map(|repetition| {
                let weight = table.repetition(RepetitionId::new(repetition)).weight.max(least);
                match (mode, u64::from(weight)) {
                    (_, 0) => (0, 1),
                    (Mode::Uniform, _) => (1, 1),
                    (Mode::Weighted | Mode::Typical, weight) => (weight, 1),
                    (Mode::Inverted, weight) => (1, weight),
                }
            })
            .collect();
        if mode == Mode::Typical && is_unweighted(table) {
            lengthen_lists(table, &mut repetitions);
        }
        let ones = alternatives.iter().all(|&weight| weight == 1);
        Self { alternatives, ones, repetitions }
    }

    /// Whether the weight of every alternative is 1.
    #[inline]
    pub(super) fn are_ones(&self) -> bool {
        self.ones
    }

    #[inline]
    pub(super) fn alternative(&self, alternative: AlternativeId) -> u64 {
        self.alternatives[alternative.index()]
    }

    /// The odds that a repetition goes on: the first number to the second.
    #[inline]
    pub(super) fn going_on(&self, repetition: RepetitionId) -> (u64, u64) {
        self.repetitions[repetition.index()]
    }
}

/// Whether a grammar says nothing of what is more likely.
pub(super) fn is_unweighted(table: &Table) -> bool {
    let mut alternatives = (0..table.alternative_count() as u32).map(AlternativeId::new);
    let mut repetitions = (0..table.repetition_count() as u32).map(RepetitionId::new);
    alternatives.all(|alternative| table.weight(alternative) == 1)
        && repetitions.all(|repetition| table.repetition(repetition).weight == 1)
}

/// Gives greater odds to repetitions of what has something recursive in it: documents are made of these.
fn lengthen_lists(table: &Table, repetitions: &mut [(u64, u64)]) {
    let mut nests = recursive(table);
    spread(table, |rule| {
        let before = nests[rule.index()];
        nests[rule.index()] = before || referred(table, rule).any(|used| nests[used.index()]);
        nests[rule.index()] != before
    });
    for (repetition, odds) in repetitions.iter_mut().enumerate() {
        let element = table.repetition(RepetitionId::new(repetition as u32)).element;
        if table.rule_behind(element).is_some_and(|rule| nests[rule.index()]) {
            *odds = (LISTED, 1);
        }
    }
}

/// Weighs alternatives of one symbol each by the bits of how many printable ones there are, in rules
/// whose alternatives the grammar weighs alike.
fn weigh_symbols(table: &Table, weights: &mut [u64]) {
    for rule in (0..table.rule_count() as u32).map(RuleId::new) {
        let alike = |alternative| table.weight(alternative) == 1;
        if !table.alternatives(rule).all(alike) {
            continue;
        }
        for alternative in table.alternatives(rule) {
            let bits = u64::BITS - symbols(table, alternative).leading_zeros();
            weights[alternative.index()] = u64::from(bits).max(1);
        }
    }
}

/// How many printable symbols an alternative has that is one symbol of a class; 0 for any other.
fn symbols(table: &Table, mut alternative: AlternativeId) -> u64 {
    /// Rules between an alternative and its class, at most.
    const RULES: usize = 8;
    for _ in 0..RULES {
        let [item] = *table.items(alternative) else { return 0 };
        if let SymbolKind::Terminal(occurrence) = item.kind() {
            let terminal = table.terminal_at(occurrence).map(|terminal| table.terminal(terminal));
            let Some(Terminal::Class { ranges }) = terminal else { return 0 };
            return printable_count(ranges);
        }
        let Some(rule) = table.rule_behind(item) else { return 0 };
        let mut alternatives = table.alternatives(rule);
        let (Some(only), None) = (alternatives.next(), alternatives.next()) else { return 0 };
        alternative = only;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(text: &str, mode: Mode, exotic: bool) -> (Vec<u64>, Vec<(u64, u64)>) {
        let table = Table::parse(text).unwrap();
        let Weights { alternatives, repetitions, .. } = Weights::new(&table, mode, exotic);
        (alternatives, repetitions)
    }

    #[test]
    fn what_weighs_nothing_is_for_exotic_text() {
        let text = r#"s = @2 "a"*@0 | @0 "b" ;"#;
        for (mode, plain, exotic) in [
            (Mode::Uniform, [1, 0], [1, 1]),
            (Mode::Weighted, [2, 0], [2, 1]),
            (Mode::Typical, [2, 0], [2, 1]),
            (Mode::Inverted, [SCALE / 2, 0], [SCALE / 2, SCALE]),
        ] {
            assert_eq!(weights(text, mode, false), (plain.into(), vec![(0, 1)]), "{mode:?}");
            assert_eq!(weights(text, mode, true), (exotic.into(), vec![(1, 1)]), "{mode:?}");
        }
    }

    #[test]
    fn symbols_weigh_as_there_are_of_them_where_the_grammar_weighs_none() {
        let text = r#"s = c | "-" c ; c = d ; d = [a-zÀ-ÿ] ;"#;
        assert_eq!(weights(text, Mode::Typical, false).0, [5, 1, 5, 5]);
        let text = r#"s = c | @2 "-" c ; c = [a-z] ;"#;
        assert_eq!(weights(text, Mode::Typical, false).0, [1, 2, 5]);
    }

    #[test]
    fn lists_of_what_nests_are_longer_where_the_grammar_has_no_weights() {
        let text = r#"s = "x"* ( a "," )* ; a = "(" s? ")" | "a"+ ;"#;
        let odds = weights(text, Mode::Typical, false).1;
        assert_eq!(odds, [(1, 1), (4, 1), (4, 1), (1, 1)]);
        let text = r#"s = "x"*@2 ( a "," )* ; a = "(" s? ")" | "a"+ ;"#;
        let odds = weights(text, Mode::Typical, false).1;
        assert_eq!(odds, [(2, 1), (1, 1), (1, 1), (1, 1)]);
    }
}
