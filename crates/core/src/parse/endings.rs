//! Ends of tokens that no derivation of the order needs.
//!
//! Some tokens can be cut in very many ways, and the order of derivations wants one of them. Three
//! kinds of ends are left out, by the state in which a token ends and the byte that follows:
//!
//! - The token could take that byte and be in the same state again, and whatever may follow it and
//!   begins with that byte can take any number of it too: white space before white space. What
//!   follows can spare its first symbol, and the longer left child comes first. This does not hold
//!   inside a repetition whose elements may be empty, for there the count could change.
//! - The token stands only as the element of a repetition without a greatest count, and whatever
//!   it goes on to from here is one or more elements as well. More elements come first, so it need
//!   not go on at all. This does not hold where the least count may be reached by empty elements.
//! - The end is inside a word, which the token goes on with, and only layout may follow there: so it
//!   is with all beginnings of a name.

use fxhash::FxHashSet;

use super::analysis::{Analysis, has};
use super::compiled::{Compiled, Kind, Position, is_word};
use super::id::{NonterminalId, PositionId, SymbolId, SymbolSort};
use super::id_vec::{IdRange, IdVec};
use super::next::{Look, NextId};
use super::scanner::{Endings, Scanner};
use crate::id::Id as _;
use crate::regular::{Dfa, StateId};
use crate::table::{Table, TerminalId};

/// Pairs of a state and a set of states that are looked at for one token before the answer is no.
const MOST_PAIRS: usize = 1000;
/// Tokens with more states than this are not looked at.
const MOST_STATES: usize = 64;

/// The endings of each terminal that has some; nothing where none has.
pub(super) fn endings(table: &Table, grammar: &Compiled) -> IdVec<TerminalId, Option<Endings>> {
    let count = grammar.terminals.len();
    let mut loose: IdVec<TerminalId, Look> = vec![Look::default(); count].into();
    let mut elements: IdVec<TerminalId, bool> = vec![true; count].into();
    // What is inside a token shares the terminals of the whole, and has few of them.
    let mut is_used: IdVec<TerminalId, bool> = vec![false; count].into();
    for position in &grammar.positions {
        let Some(terminal) = position.symbol.terminal() else { continue };
        is_used[terminal] = true;
        let look = &mut loose[terminal];
        look.join(&grammar.first[position.target]);
        let owner = &grammar.nonterminals[position.owner];
        if grammar.rest_nullable[position.target] {
            look.join(&owner.follow);
        }
        elements[terminal] &= match owner.kind {
            Kind::Repetition(repetition) => {
                let repetition = table.repetition(repetition);
                let may_be_empty = repetition.min > 1 && grammar.is_nullable(position.symbol);
                repetition.max == crate::table::Repetition::UNBOUNDED && !may_be_empty
            }
            _ => false,
        };
    }
    let unsafe_terminals = below_empty_elements(grammar);
    let mut analysis = None;
    // Found once: each is asked for with each state and byte of each terminal.
    let begins = is_used.pairs().map(|(terminal, &is_used)| {
        let loops = |scanner: &Scanner| loops(scanner, scanner.automaton.start().index());
        grammar.scanner(terminal).filter(|_| is_used).map_or(0, loops)
    });
    let begins: IdVec<TerminalId, u128> = begins.collect();
    let mut all: IdVec<TerminalId, Option<Endings>> = vec![None; count].into();
    for terminal in all.ids() {
        let Some(scanner) = grammar.scanner(terminal) else { continue };
        let is_layout = grammar.layout == terminal.into();
        if is_layout || !is_used[terminal] {
            continue;
        }
        let states = scanner.automaton.state_count();
        let mut endings = Endings { skip: vec![0; states], stop: vec![0; states] };
        if grammar.layout != SymbolId::NONE {
            endings.skip = in_words(grammar, scanner, loose[terminal]);
        }
        let is_small = states <= MOST_STATES;
        if is_small && !unsafe_terminals[terminal] {
            let token = (terminal, scanner, loose[terminal]);
            skip(table, grammar, token, &begins, &mut analysis)
                .into_iter()
                .for_each(|(state, mask)| endings.skip[state] |= mask);
        }
        if is_small && elements[terminal] && grammar.layout == SymbolId::NONE {
            stop(scanner).into_iter().for_each(|(state, mask)| endings.stop[state] = mask);
        }
        let has_some = |masks: &[u128]| masks.iter().any(|&mask| mask != 0);
        if has_some(&endings.skip) || has_some(&endings.stop) {
            all[terminal] = Some(endings);
        }
    }
    if all.iter().all(Option::is_none) { IdVec::default() } else { all }
}

/// The terminals inside elements of repetitions that may be empty.
fn below_empty_elements(grammar: &Compiled) -> IdVec<TerminalId, bool> {
    let mut below = IdVec::from(vec![false; grammar.terminals.len()]);
    let mut seen = IdVec::from(vec![false; grammar.nonterminals.len()]);
    let mut queue = Vec::new();
    for position in grammar.positions.iter().filter(|position| position.symbol != SymbolId::NONE) {
        let kind = grammar.nonterminals[position.owner].kind;
        let is_element = matches!(kind, Kind::Repetition(_)) && position.symbol != grammar.layout;
        if is_element && grammar.is_nullable(position.symbol) {
            queue.push(position.symbol);
        }
    }
    while let Some(symbol) = queue.pop() {
        match symbol.sort() {
            SymbolSort::Terminal(terminal) => below[terminal] = true,
            SymbolSort::Nonterminal(nonterminal) => {
                if !std::mem::replace(&mut seen[nonterminal], true) {
                    let of = positions_of(grammar, nonterminal).iter();
                    let symbols = of.map(|position| position.symbol);
                    queue.extend(symbols.filter(|&symbol| symbol != SymbolId::NONE));
                }
            }
        }
    }
    below
}

/// The ASCII bytes by which a state leads to itself.
fn loops(scanner: &Scanner, state: usize) -> u128 {
    (0..128).filter(|&byte| scanner.target(state, byte) == Some(state)).fold(0, |m, b| m | 1 << b)
}

/// By state the bytes with which a token goes on inside a word where nothing can follow but layout.
fn in_words(grammar: &Compiled, scanner: &Scanner, loose: Look) -> Vec<u128> {
    let automaton = &scanner.automaton;
    let classes = &grammar.next_classes;
    let layout = grammar.layout.terminal();
    let layout = layout.map_or([0; 4], |layout| grammar.terminals[layout].0);
    let inside = (0..128_usize).filter(|&byte| {
        is_word(byte as u8)
            && loose.at_once >> classes.class(NextId::at(byte)) & 1 == 0
            && !super::scan::has_byte(&layout, byte as u8)
    });
    let inside: u128 = inside.fold(0, |mask, byte| mask | 1 << byte);
    let mut skip = vec![0; automaton.state_count()];
    // Where a state is reached by what is of no word, it may be the end of one.
    let mut is_in_word = vec![true; automaton.state_count()];
    is_in_word[automaton.start().index()] = false;
    for state in automaton.states() {
        for transition in automaton.transitions(state) {
            for &(low, high) in automaton.class_ranges(transition.class) {
                if high < 128 {
                    let bytes = (low..=high).fold(0_u128, |mask, byte| mask | 1 << byte);
                    skip[state.index()] |= bytes & inside;
                }
                if high >= 128 || (low..=high).any(|byte| !is_word(byte as u8)) {
                    is_in_word[transition.target.index()] = false;
                }
            }
        }
    }
    for (mask, is_in_word) in skip.iter_mut().zip(is_in_word) {
        *mask = if is_in_word { *mask } else { 0 };
    }
    skip
}

/// The ends to be skipped; `begins` has the bytes by which each terminal's start leads to itself.
fn skip<'c>(
    table: &'c Table,
    grammar: &'c Compiled,
    (terminal, scanner, loose): (TerminalId, &Scanner, Look),
    begins: &IdVec<TerminalId, u128>,
    analysis: &mut Option<Analysis<'c>>,
) -> Vec<(usize, u128)> {
    let automaton = &scanner.automaton;
    let classes = &grammar.next_classes;
    let follows = (0..128).filter(|&byte| {
        // Behind a word there may have to be layout.
        loose.at_once >> classes.class(byte.into()) & 1 == 1
            && (grammar.layout == SymbolId::NONE || !is_word(byte))
    });
    let follows: u128 = follows.fold(0, |mask, byte| mask | 1 << byte);
    let mut found = Vec::new();
    if follows == 0 {
        return found;
    }
    let mut next = None;
    for state in automaton.states().filter(|&state| automaton.is_accepting(state)) {
        let mut mask = loops(scanner, state.index()) & follows;
        if mask == 0 {
            continue;
        }
        if analysis.is_none() {
            *analysis = Analysis::of(table, grammar);
        }
        let Some(analysis) = analysis else { return found };
        let next = next.get_or_insert_with(|| analysis.after_token(terminal));
        for byte in (0..128_usize).filter(|byte| mask >> byte & 1 == 1).collect::<Vec<_>>() {
            let mut others = grammar.terminals.iter().zip(begins.pairs());
            let all = others.all(|((bytes, _), (other, begins))| {
                begins >> byte & 1 == 1
                    || !has(next, other)
                    || !super::scan::has_byte(bytes, byte as u8)
            });
            if !all {
                mask &= !(1 << byte);
            }
        }
        if mask != 0 {
            found.push((state.index(), mask));
        }
    }
    found
}

fn stop(scanner: &Scanner) -> Vec<(usize, u128)> {
    let automaton = &scanner.automaton;
    let mut found = Vec::new();
    let mut pairs = MOST_PAIRS;
    for state in automaton.states().filter(|&state| automaton.is_accepting(state)) {
        let mut mask = 0;
        for transition in automaton.transitions(state) {
            let begun = after(automaton, &[automaton.start()], transition.class.index());
            if is_within(automaton, transition.target, begun, &mut pairs) {
                for &(low, high) in automaton.class_ranges(transition.class) {
                    (low..=high.min(127)).for_each(|byte| mask |= 1 << byte);
                }
            }
        }
        if mask != 0 {
            found.push((state.index(), mask));
        }
    }
    found
}

/// The states behind a symbol of a class, where an element that ends may be followed by another.
fn after(automaton: &Dfa, states: &[StateId], class: usize) -> Vec<StateId> {
    // As numbers: each type that is sorted has its own copy of a long routine.
    let mut next: Vec<u32> = states
        .iter()
        .flat_map(|&state| automaton.transitions(state))
        .filter(|transition| transition.class.index() == class)
        .map(|transition| transition.target)
        .filter(|&state| !automaton.is_dead(state))
        .map(|state| state.index() as u32)
        .collect();
    let state = |index: u32| automaton.state(index as usize);
    if next.iter().any(|&index| automaton.is_accepting(state(index))) {
        next.push(automaton.start().index() as u32);
    }
    next.sort_unstable();
    next.dedup();
    next.into_iter().map(state).collect()
}

/// Whether each string that is accepted from a state is a sequence of elements, from some states.
fn is_within(automaton: &Dfa, state: StateId, states: Vec<StateId>, pairs: &mut usize) -> bool {
    let mut seen = FxHashSet::default();
    let mut queue = vec![(state, states)];
    while let Some((state, states)) = queue.pop() {
        if automaton.is_dead(state) || seen.contains(&(state, states.clone())) {
            continue;
        }
        let ends = |state: &StateId| automaton.is_accepting(*state);
        // The start stands for elements that are still to come, unless it was passed already.
        if ends(&state) && !states.iter().any(ends) || *pairs == 0 {
            return false;
        }
        *pairs -= 1;
        for transition in automaton.transitions(state) {
            let next = after(automaton, &states, transition.class.index());
            queue.push((transition.target, next));
        }
        seen.insert((state, states));
    }
    true
}

/// The positions of a nonterminal's productions: they are built one nonterminal after the other.
fn positions_of(grammar: &Compiled, nonterminal: NonterminalId) -> &[Position] {
    let first = grammar.positions.partition_point(|position| position.owner < nonterminal);
    let last = grammar.positions.partition_point(|position| position.owner <= nonterminal);
    &grammar.positions[IdRange::new(PositionId::at(first), PositionId::at(last))]
}
