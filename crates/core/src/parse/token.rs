//! Rules that are regular are read as one token each.
//!
//! A rule or repetition outside which no recursion leads, and in which no layout stands, has a
//! regular language. Its automaton finds all its ends at once, so that the chart has a step for
//! each number or string and none for each digit or character. What is inside a token is read
//! when a tree is wanted and its text is known.

use super::budget::Budget;
use super::compile::{Compiled, Kind, NONE};
use super::endings::Endings;
use super::error::Error;
use super::flow::Rows;
use crate::grammar::Encoding;
use crate::regular::{Alphabet, Dfa, Limits, Nfa, StateId};
use crate::table::{RuleId, Symbol, SymbolKind, Table, Terminal, TerminalId};
use crate::tree::{Node, Tree};

/// Bounds on one token's automaton: rules with larger ones are not tokens.
const LIMITS: Limits = Limits { states: 1024, cells: 1 << 18, nfa: 1 << 13, steps: 1 << 21 };

/// An automaton with a row of bytes for each state, to be run fast.
#[derive(Clone, Debug)]
pub(super) struct Scanner {
    pub(super) automaton: Dfa,
    /// The target of each state on each ASCII symbol, [`ACCEPTING`] added; 0 where it is dead.
    rows: Vec<u16>,
    /// Whether bytes beyond ASCII are symbols by themselves.
    is_bytes: bool,
}

const ACCEPTING: u16 = 1 << 15;

/// The room that is left for the rows of a grammar's scanners.
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        // 64 MiB.
        Self(1 << 25)
    }
}

impl Scanner {
    /// None where there are too many states.
    pub(super) fn new(automaton: &Dfa, room: &mut Room) -> Option<Self> {
        let states = automaton.state_count();
        if states >= usize::from(ACCEPTING) || states > 4096 {
            return None;
        }
        room.0 = room.0.checked_sub(128 * states)?;
        let target = |state: StateId, symbol: u32| {
            let target = automaton.step(state, symbol);
            if automaton.is_dead(target) {
                return 0;
            }
            let accepting = if automaton.is_accepting(target) { ACCEPTING } else { 0 };
            target.index() as u16 | accepting
        };
        let rows = automaton.states().flat_map(|state| (0..128).map(move |s| (state, s)));
        let rows = rows.map(|(state, symbol)| target(state, symbol)).collect();
        let is_bytes = automaton.alphabet() == Alphabet::Bytes;
        Some(Self { automaton: automaton.clone(), rows, is_bytes })
    }

    /// Tells where strings that begin at an offset end, nearest first, the empty one left out;
    /// gives the furthest offset that was looked at and did not fit.
    #[inline]
    pub(super) fn ends(&self, text: &[u8], mut at: usize, mut found: impl FnMut(usize)) -> usize {
        let mut state = self.automaton.start().index();
        while let Some(&byte) = text.get(at) {
            if byte < 0x80 {
                let target = self.rows[state * 128 + usize::from(byte)];
                if target == 0 {
                    return at;
                }
                at += 1;
                if target & ACCEPTING != 0 {
                    found(at);
                }
                state = usize::from(target & !ACCEPTING);
                continue;
            }
            let Some((next, length)) = self.beyond_ascii(state, text, at) else { return at };
            state = next;
            at += length;
            if self.automaton.is_accepting(self.automaton.state(state)) {
                found(at);
            }
        }
        at
    }

    /// As [`Scanner::ends`], without the ends that are not needed.
    pub(super) fn needed_ends(
        &self,
        text: &[u8],
        mut at: usize,
        endings: &Endings,
        mut found: impl FnMut(usize),
    ) -> usize {
        let mut state = self.automaton.start().index();
        while let Some(&byte) = text.get(at) {
            let is_accepting;
            if byte < 0x80 {
                let target = self.rows[state * 128 + usize::from(byte)];
                if target == 0 {
                    return at;
                }
                at += 1;
                state = usize::from(target & !ACCEPTING);
                is_accepting = target & ACCEPTING != 0;
            } else {
                let Some((next, length)) = self.beyond_ascii(state, text, at) else { return at };
                at += length;
                state = next;
                is_accepting = self.automaton.is_accepting(self.automaton.state(state));
            }
            if is_accepting {
                let is_in = |mask: u128| {
                    text.get(at).is_some_and(|&next| next < 0x80 && mask >> next & 1 == 1)
                };
                if !is_in(endings.skip[state]) {
                    found(at);
                }
                if is_in(endings.stop[state]) {
                    return at;
                }
            }
        }
        at
    }

    /// Where a state leads by an ASCII symbol.
    #[inline]
    pub(super) fn target(&self, state: usize, symbol: usize) -> Option<usize> {
        match self.rows[state * 128 + symbol] {
            0 => None,
            target => Some(usize::from(target & !ACCEPTING)),
        }
    }

    #[cold]
    fn beyond_ascii(&self, state: usize, text: &[u8], at: usize) -> Option<(usize, usize)> {
        let encoding = if self.is_bytes { Encoding::Bytes } else { Encoding::Unicode };
        let (symbol, length) = super::scan::symbol(encoding, text, at)?;
        let target = self.automaton.step(self.automaton.state(state), symbol);
        (!self.automaton.is_dead(target)).then_some((target.index(), length))
    }

    /// Where the longest string that begins at an offset ends, the empty one included.
    #[cfg_attr(not(fuzzing), inline)]
    #[pleach_unhooked::unhooked]
    pub(super) fn longest(&self, text: &[u8], at: usize) -> Option<usize> {
        let start = self.automaton.start();
        let mut longest = self.automaton.is_accepting(start).then_some(at);
        self.ends(text, at, |end| longest = Some(end));
        longest
    }
}

/// The rules that may be tokens.
pub(super) struct Regular {
    /// What the automaton of each takes to be written at least; [`TOO_LARGE`] where the rule leads to
    /// recursion.
    least: Vec<usize>,
    /// The steps and the room that are left for all of them.
    steps: u64,
    room: Room,
}

const TOO_LARGE: usize = usize::MAX;
/// Steps that all automata of a grammar may take together, in the order of a second.
const MOST_STEPS: u64 = 1 << 28;

impl Regular {
    pub(super) fn new(table: &Table) -> Self {
        let recursive = recursive(table);
        Self { least: least(table, &recursive), steps: MOST_STEPS, room: Room::default() }
    }

    /// What finds a rule or repetition as a token; none for what is no token.
    pub(super) fn scanner(&mut self, table: &Table, kind: Kind) -> Option<Scanner> {
        let least = match kind {
            Kind::Text => return None,
            Kind::Rule(rule) => self.least[rule.index()],
            Kind::Repetition(id) => item_least(table, &self.least, Symbol::repetition(id)),
        };
        // Its parts would be tried one after the other, and written nearly to the bound each time.
        if least > LIMITS.nfa {
            return None;
        }
        Scanner::new(&automaton(table, kind, &mut self.steps)?, &mut self.room)
    }
}

/// What the automaton of each rule without recursion takes to be written at least.
fn least(table: &Table, recursive: &[bool]) -> Vec<usize> {
    let mut least: Vec<Option<usize>> =
        recursive.iter().map(|&is_recursive| is_recursive.then_some(TOO_LARGE)).collect();
    let mut stack = Vec::new();
    for root in (0..table.rule_count() as u32).map(RuleId::new) {
        stack.push(root);
        while let Some(&rule) = stack.last() {
            let open = stack.len();
            if least[rule.index()].is_none() {
                let items = || table.all_alternatives(rule).flat_map(|it| table.items(it));
                let behind = items().filter_map(|&item| rule_of_item(table, item));
                stack.extend(behind.filter(|rule| least[rule.index()].is_none()));
                if stack.len() == open {
                    let of = |rule: RuleId| least[rule.index()].unwrap_or(TOO_LARGE);
                    let sizes = items().map(|&item| size_of_item(table, item, of));
                    least[rule.index()] = Some(sizes.fold(0, usize::saturating_add));
                }
            }
            if stack.len() == open {
                stack.pop();
            }
        }
    }
    least.into_iter().map(|least| least.unwrap_or(TOO_LARGE)).collect()
}

/// The rule behind an item, or behind the element of a repetition.
fn rule_of_item(table: &Table, mut item: Symbol) -> Option<RuleId> {
    if let SymbolKind::Repetition(repetition) = item.kind() {
        item = table.repetition(repetition).element;
    }
    table.rule_behind(item)
}

fn item_least(table: &Table, least: &[usize], item: Symbol) -> usize {
    size_of_item(table, item, |rule| least[rule.index()])
}

/// What an item takes at least: a state, and what is behind it as often as it has to be there.
fn size_of_item(table: &Table, item: Symbol, of: impl Fn(RuleId) -> usize) -> usize {
    let (element, times) = match item.kind() {
        SymbolKind::Repetition(repetition) => {
            let repetition = table.repetition(repetition);
            let times = if repetition.max == 0 { 0 } else { repetition.min.max(1) };
            (repetition.element, times as usize)
        }
        _ => (item, 1),
    };
    let behind = table.rule_behind(element).map_or(0, of);
    behind.saturating_mul(times).saturating_add(1)
}

/// Which rules lead to recursion, and so are no tokens.
fn recursive(table: &Table) -> Vec<bool> {
    let mut edges = vec![Vec::new(); table.rule_count()];
    for alternative in 0..table.alternative_count() as u32 {
        let alternative = crate::table::AlternativeId::new(alternative);
        let rule = table.rule_of(alternative);
        let behind = table.items(alternative).iter().filter_map(|&item| rule_of_item(table, item));
        edges[rule.index()].extend(behind.map(RuleId::get));
    }
    let mut recursive = crate::table::cyclic(&edges);
    let pairs =
        edges.iter().zip(0..).flat_map(|(targets, rule)| targets.iter().map(move |&to| (to, rule)));
    let users = Rows::new(edges.len(), pairs);
    let mut queue: Vec<u32> =
        (0..edges.len() as u32).filter(|&rule| recursive[rule as usize]).collect();
    while let Some(rule) = queue.pop() {
        for &user in users.get(rule) {
            if !std::mem::replace(&mut recursive[user as usize], true) {
                queue.push(user);
            }
        }
    }
    recursive
}

/// The automaton of a rule or repetition without recursion; none where it grows too large. Its steps are
/// taken off those that are left.
fn automaton(table: &Table, kind: Kind, left: &mut u64) -> Option<Dfa> {
    let alphabet = match table.encoding() {
        Encoding::Bytes => Alphabet::Bytes,
        Encoding::Unicode => Alphabet::Unicode,
    };
    let mut nfa = Nfa::new(alphabet);
    let (start, accept) = (nfa.state(), nfa.state());
    let symbol = match kind {
        Kind::Text => return None,
        Kind::Rule(rule) => Symbol::group(rule),
        Kind::Repetition(repetition) => Symbol::repetition(repetition),
    };
    let mut queue = vec![(symbol, start, accept)];
    while let Some((symbol, from, to)) = queue.pop() {
        nfa.check(&LIMITS).ok()?;
        match symbol.kind() {
            SymbolKind::Terminal(occurrence) => {
                match table.terminal(table.terminal_at(occurrence)?) {
                    Terminal::Literal { bytes, ignore_case } => {
                        nfa.literal(from, bytes, ignore_case, to, &LIMITS).ok()?;
                    }
                    Terminal::Class { ranges } => nfa.edge(from, ranges, to),
                    Terminal::Regular { automaton } => {
                        nfa.dfa(from, automaton, to, &LIMITS).ok()?;
                    }
                }
            }
            SymbolKind::Repetition(id) => {
                let repetition = table.repetition(id);
                let bounded = repetition.max != crate::table::Repetition::UNBOUNDED;
                let most = bounded.then_some(repetition.max);
                let copies = nfa.repeat(from, repetition.min, most, to, &LIMITS).ok()?;
                let copies = copies.into_iter();
                queue.extend(copies.map(|(from, to)| (repetition.element, from, to)));
            }
            _ => {
                for alternative in table.all_alternatives(table.rule_behind(symbol)?) {
                    let items = table.items(alternative);
                    let mut at = from;
                    for &item in items {
                        let next = nfa.state();
                        queue.push((item, at, next));
                        at = next;
                    }
                    nfa.epsilon(at, to);
                }
            }
        }
    }
    let given = LIMITS.steps.min(*left);
    let (mut rest, size) = (given, nfa.size() as u64);
    let found = nfa.determinize_within(start, accept, &LIMITS, &mut rest);
    *left = left.saturating_sub(given - rest + size);
    Some(found.ok()?.minimize())
}

/// Alternatives that are looked at before [`single`] gives up.
const MOST_ALTERNATIVES: usize = 256;

/// Reads a token that one alternative after the other narrows down to one terminal, as names and
/// keywords often are; tells whether it is one, and has appended its nodes then.
pub(super) fn single(
    table: &Table,
    grammar: &Compiled,
    budget: &Budget<'_>,
    text: &[u8],
    tree: &mut Tree,
) -> Result<bool, Error> {
    let base = tree.nodes.len();
    let mut looks = 0;
    // The symbol to read, and for each node since `base` the production that was tried last.
    let mut tried: [(u32, usize); 16] = [(0, 0); 16];
    let mut depth = 0;
    budget.room(&mut tree.nodes, tried.len() + 1)?;
    let mut place = grammar.positions[grammar.nonterminals[0].starts[0] as usize];
    loop {
        let found = match grammar.terminal(place.symbol) {
            Some(terminal) => {
                if is_whole(table, grammar, terminal, text) {
                    tree.nodes.push(Node { symbol: place.item, choice: text.len() as u32 });
                    return Ok(true);
                }
                false
            }
            None => {
                if depth == tried.len() {
                    break;
                }
                tried[depth] = (place.symbol, 0);
                tree.nodes.push(Node { symbol: place.item, choice: NONE });
                depth += 1;
                true
            }
        };
        // The next alternative of the nearest rule that has one more.
        if !found {
            while depth > 0 {
                let (symbol, production) = &mut tried[depth - 1];
                *production += 1;
                if *production < grammar.nonterminals[*symbol as usize].starts.len() {
                    break;
                }
                depth -= 1;
                tree.nodes.pop();
            }
        }
        looks += 1;
        if depth == 0 || looks > MOST_ALTERNATIVES {
            break;
        }
        let (symbol, production) = tried[depth - 1];
        let nonterminal = &grammar.nonterminals[symbol as usize];
        let start = nonterminal.starts[production];
        tree.nodes[base + depth - 1].choice = nonterminal.productions[production];
        place = grammar.positions[start as usize];
        let is_single =
            place.symbol != NONE && grammar.positions[place.target as usize].symbol == NONE;
        if !is_single || matches!(nonterminal.kind, Kind::Repetition(_)) {
            // An alternative of another shape may be the one.
            break;
        }
    }
    tree.nodes.truncate(base);
    Ok(false)
}

/// Whether a terminal has this text.
fn is_whole(table: &Table, grammar: &Compiled, terminal: u32, text: &[u8]) -> bool {
    if let Some(scanner) = grammar.scanner(terminal) {
        return scanner.longest(text, 0) == Some(text.len());
    }
    let mut last = None;
    let terminal = TerminalId::new(terminal);
    super::scan::ends(table, terminal, text, 0, |end| last = Some(end));
    last == Some(text.len())
}
