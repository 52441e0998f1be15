//! What is exotic in a text beyond its characters: numbers at the ends of integer types, and long repetitions.
//!
//! A number is spelled by whatever rules a grammar has for digits: where a symbol derives digits alone, any
//! number of them, a numeral is taken up, and below that symbol the alternatives, repetitions and symbols
//! are those that go on with its next digit. Where none does the numeral is given up, so nothing is written
//! that the grammar does not derive.

use super::random::Growth;
use super::spread::spread;
use crate::entropy::Entropy;
use crate::regular::Dfa;
use crate::table::{
    AlternativeId, Repetition, RepetitionId, RuleId, Symbol, SymbolKind, Table, Terminal,
};

/// Numbers at which readers overflow or lose precision: the ends of integers of 8 to 128 bits and of those
/// that a double holds, and some that are just long.
const NUMERALS: [&str; 22] = [
    "127",
    "128",
    "255",
    "256",
    "32767",
    "32768",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740991",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "170141183460469231731687303715884105728",
    "340282366920938463463374607431768211456",
    "99999999999999999999",
    "1000000000000000000000000000000000000000000000000000000000000",
];

/// One of how many numbers is such a one, and one of how many repetitions is long.
const NUMBER: u64 = 2;
const LONG: u64 = 64;

/// The odds of going on in a long repetition, to 1.
const GOING_ON: u64 = 63;

/// The digits of ASCII.
const DIGITS: std::ops::RangeInclusive<u32> = 0x30..=0x39;

/// What is exotic in the text at hand.
#[derive(Clone, Debug)]
pub(super) struct Exotic {
    /// By rule, the digits that what it derives may begin with, a bit each.
    first: Vec<u16>,
    /// By rule, whether it derives digits alone, and whether any number of them.
    digits: Vec<bool>,
    unbounded: Vec<bool>,
    /// How many nodes are open.
    open: u32,
    /// How many were when a numeral was taken up, and what is left of it.
    numeral: Option<(u32, &'static [u8])>,
    /// How many were when a long repetition began.
    long: Option<u32>,
}

impl Exotic {
    pub(super) fn new(table: &Table) -> Self {
        let rules = table.rule_count();
        let growth = Growth::new(table);
        let grows = |rule| table.alternatives(rule).any(|one| growth.alternative(one));
        let mut found = Self {
            first: vec![0; rules],
            digits: vec![true; rules],
            unbounded: (0..rules as u32).map(RuleId::new).map(grows).collect(),
            open: 0,
            numeral: None,
            long: None,
        };
        // The least digits that may come first, and the most rules that derive digits alone.
        spread(table, |rule| {
            let before = (found.first[rule.index()], found.digits[rule.index()]);
            let (mut first, mut digits) = before;
            for alternative in table.alternatives(rule) {
                first |= found.first_of(table, alternative);
                let mut items = table.items(alternative).iter();
                digits &= items.all(|&item| found.is_of_digits(table, item));
            }
            (found.first[rule.index()], found.digits[rule.index()]) = (first, digits);
            (first, digits) != before
        });
        found
    }

    /// Forgets the text before.
    pub(super) fn reset(&mut self) {
        (self.open, self.numeral, self.long) = (0, None, None);
    }

    /// A node is about to be placed.
    pub(super) fn begin(&mut self, table: &Table, symbol: Symbol, entropy: &mut impl Entropy) {
        if let SymbolKind::Terminal(occurrence) = symbol.kind() {
            if let Some((_, left)) = &mut self.numeral
                && let Some(terminal) = table.terminal_at(occurrence)
                && let Terminal::Literal { bytes, .. } = table.terminal(terminal)
            {
                match left.strip_prefix(bytes) {
                    Some(rest) => *left = rest,
                    None => self.numeral = None,
                }
            }
            return;
        }
        if symbol.is_leaf() {
            return;
        }
        self.open += 1;
        if self.numeral.is_none() && self.is_number(table, symbol) && entropy.below(NUMBER) == 0 {
            self.numeral = Some((self.open, numeral(entropy)));
        } else if self.long.is_none()
            && let SymbolKind::Repetition(id) = symbol.kind()
            && table.repetition(id).max == Repetition::UNBOUNDED
            && entropy.below(LONG) == 0
        {
            self.long = Some(self.open);
        }
    }

    /// A node that is no leaf has all its children.
    pub(super) fn end(&mut self) {
        self.numeral = self.numeral.filter(|&(open, _)| open != self.open);
        self.long = self.long.filter(|&open| open != self.open);
        self.open -= 1;
    }

    /// An alternative that goes on with the numeral, each as likely; none where there is no numeral, or no
    /// such alternative.
    pub(super) fn alternative(
        &mut self,
        table: &Table,
        fitting: &[AlternativeId],
        entropy: &mut impl Entropy,
    ) -> Option<AlternativeId> {
        let digit = self.next_digit()?;
        let goes_on = |&&one: &&AlternativeId| self.first_of(table, one) & 1 << digit != 0;
        let count = fitting.iter().filter(goes_on).count();
        let drawn = entropy.below(count as u64) as usize;
        let found = fitting.iter().filter(goes_on).nth(drawn).copied();
        if found.is_none() {
            self.numeral = None;
        }
        found
    }

    /// Whether a repetition goes on, where something exotic decides it.
    pub(super) fn more(
        &mut self,
        table: &Table,
        repetition: RepetitionId,
        entropy: &mut impl Entropy,
    ) -> Option<bool> {
        if self.numeral.is_some() {
            let first = self.first(table, table.repetition(repetition).element);
            return Some(self.next_digit().is_some_and(|digit| first & 1 << digit != 0));
        }
        (self.long == Some(self.open)).then(|| entropy.below(GOING_ON + 1) > 0)
    }

    /// The text of a leaf of at most so many bytes, where a numeral is to stand there.
    pub(super) fn text(
        &mut self,
        terminal: Terminal<'_>,
        bytes: u64,
        entropy: &mut impl Entropy,
    ) -> Option<&'static [u8]> {
        match terminal {
            Terminal::Class { ranges } => {
                let (open, left) = self.numeral?;
                let (&digit, rest) = left.split_first()?;
                let is_of_class = is_in(ranges, digit.into());
                self.numeral = is_of_class.then_some((open, rest));
                is_of_class.then(|| &left[..1])
            }
            Terminal::Regular { automaton } => {
                self.numeral = None;
                let numeral = takes_digits(automaton).then(|| numeral(entropy))?;
                let fits = numeral.len() as u64 <= bytes && entropy.below(NUMBER) == 0;
                let symbols = || numeral.iter().map(|&digit| u32::from(digit));
                (fits && automaton.contains(symbols())).then_some(numeral)
            }
            Terminal::Literal { .. } => None,
        }
    }

    fn next_digit(&self) -> Option<u32> {
        let (_, left) = self.numeral?;
        left.first().map(|&digit| u32::from(digit) - DIGITS.start())
    }

    fn is_number(&self, table: &Table, symbol: Symbol) -> bool {
        match symbol.kind() {
            SymbolKind::Repetition(id) => {
                let Repetition { element, max, .. } = *table.repetition(id);
                max == Repetition::UNBOUNDED && self.is_of_digits(table, element)
            }
            _ => table
                .rule_behind(symbol)
                .is_some_and(|rule| self.digits[rule.index()] && self.unbounded[rule.index()]),
        }
    }

    /// The digits that an alternative may begin with.
    fn first_of(&self, table: &Table, alternative: AlternativeId) -> u16 {
        let mut first = 0;
        for &item in table.items(alternative) {
            first |= self.first(table, item);
            let SymbolKind::Repetition(id) = item.kind() else { break };
            if table.repetition(id).min > 0 {
                break;
            }
        }
        first
    }

    /// The digits that a symbol may begin with.
    #[pleach_unhooked::unhooked]
    fn first(&self, table: &Table, symbol: Symbol) -> u16 {
        let bit = |symbol: u32| {
            if DIGITS.contains(&symbol) { 1_u16 << (symbol - DIGITS.start()) } else { 0 }
        };
        match symbol.kind() {
            SymbolKind::Terminal(occurrence) => {
                match table.terminal_at(occurrence).map(|terminal| table.terminal(terminal)) {
                    Some(Terminal::Literal { bytes: [digit, ..], .. }) => bit((*digit).into()),
                    Some(Terminal::Class { ranges }) => DIGITS
                        .filter(|&symbol| is_in(ranges, symbol))
                        .fold(0, |first, symbol| first | bit(symbol)),
                    _ => 0,
                }
            }
            SymbolKind::Repetition(id) => self.first(table, table.repetition(id).element),
            _ => table.rule_behind(symbol).map_or(0, |rule| self.first[rule.index()]),
        }
    }

    /// Whether a symbol derives digits alone, as far as is known of rules.
    #[pleach_unhooked::unhooked]
    fn is_of_digits(&self, table: &Table, symbol: Symbol) -> bool {
        match symbol.kind() {
            SymbolKind::Terminal(occurrence) => {
                match table.terminal_at(occurrence).map(|terminal| table.terminal(terminal)) {
                    Some(Terminal::Literal { bytes, .. }) => bytes.iter().all(u8::is_ascii_digit),
                    Some(Terminal::Class { ranges }) => ranges
                        .iter()
                        .all(|(low, high)| DIGITS.contains(low) && DIGITS.contains(high)),
                    _ => false,
                }
            }
            SymbolKind::Repetition(id) => self.is_of_digits(table, table.repetition(id).element),
            _ => table.rule_behind(symbol).is_some_and(|rule| self.digits[rule.index()]),
        }
    }
}

fn is_in(ranges: &[(u32, u32)], symbol: u32) -> bool {
    ranges.iter().any(|&(low, high)| (low..=high).contains(&symbol))
}

/// Whether a numeral of some length may be of an automaton: a quick look at its first move.
fn takes_digits(automaton: &Dfa) -> bool {
    let mut moves = automaton.transitions(automaton.start()).iter();
    moves.any(|next| is_in(automaton.class_ranges(next.class), *DIGITS.end()))
}

fn numeral(entropy: &mut impl Entropy) -> &'static [u8] {
    NUMERALS[entropy.below(NUMERALS.len() as u64) as usize].as_bytes()
}
