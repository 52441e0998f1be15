//! Which tokens can come first, and next, in each production; and where tokens end clearly.

use fxhash::FxHashMap;

use super::compiled::Compiled;
use super::first_follow::{First, Flow, Known};
use super::id::{NonterminalId, PositionId, SymbolId, SymbolSort};
use super::id_vec::IdVec;
use super::next::{NextId, Set};
use super::scan;
use crate::id::Id as _;
use crate::regular::Dfa;
use crate::table::{Table, Terminal, TerminalId};

/// A set of tokens; the end of the text is one of them, with the number behind the last terminal.
pub(super) type Tokens = Vec<u64>;

pub(super) fn has(tokens: &Tokens, token: TerminalId) -> bool {
    tokens[token.index() / 64] >> (token.get() % 64) & 1 == 1
}

impl Set for Tokens {
    fn join(&mut self, other: &Self) -> bool {
        let mut changed = 0;
        for (word, &more) in self.iter_mut().zip(other) {
            changed |= more & !*word;
            *word |= more;
        }
        changed != 0
    }
}

/// The analysis of a grammar.
pub(super) struct Analysis<'c> {
    table: &'c Table,
    grammar: &'c Compiled,
    /// The tokens that may come first at each position, in its production.
    pub(super) first: First<Tokens>,
    /// The tokens that may come after each production.
    pub(super) follow: Known<Tokens>,
    /// The tokens that begin with each byte; with the end of the text, itself.
    pub(super) by_byte: IdVec<NextId, Vec<TerminalId>>,
    automata: FxHashMap<TerminalId, Option<Dfa>>,
    disjoint: FxHashMap<(TerminalId, TerminalId), bool>,
}

/// Products of automata larger than this are not looked at.
const MOST_PAIRS: usize = 10_000;
/// Grammars with more tokens than this are not analysed.
const MOST_TOKENS: usize = 2048;
/// Nor are those whose sets of tokens would take more words than this, one for each position.
const MOST_WORDS: usize = 1 << 24;

impl<'c> Analysis<'c> {
    /// All of a grammar, unless that is very large.
    pub(super) fn new(table: &'c Table, grammar: &'c Compiled) -> Option<Self> {
        let mut analysis = Self::of(table, grammar)?;
        let next = (0..=NextId::END.get()).map(NextId::new);
        analysis.by_byte = next.map(|next| begun(grammar, next)).collect();
        Some(analysis)
    }

    /// What comes first and what follows in a grammar, unless that is very large.
    pub(super) fn of(table: &'c Table, grammar: &'c Compiled) -> Option<Self> {
        let tokens = grammar.terminals.len();
        let words = (tokens + 1).div_ceil(64);
        if tokens > MOST_TOKENS || grammar.positions.len().saturating_mul(words) > MOST_WORDS {
            return None;
        }
        let none = vec![0; words];
        let flow = Flow::new(grammar);
        let (first, _) = flow.first(&none, |at, first: &First<Tokens>, known: &Known<Tokens>| {
            let position = &grammar.positions[at];
            if position.symbol == SymbolId::NONE {
                return None;
            }
            let mut found = match position.symbol.sort() {
                SymbolSort::Terminal(terminal) => only(&none, terminal),
                SymbolSort::Nonterminal(nonterminal) => known[nonterminal].clone(),
            };
            if grammar.is_nullable(position.symbol) {
                found.join(&first[position.target]);
            }
            Some(found)
        });
        let follow = flow.follow(&first, &none, &only(&none, TerminalId::at(tokens)));
        let (automata, disjoint) = (FxHashMap::default(), FxHashMap::default());
        Some(Self { table, grammar, first, follow, by_byte: IdVec::default(), automata, disjoint })
    }

    /// The tokens that may come after one, wherever that stands.
    pub(super) fn after_token(&self, token: TerminalId) -> Tokens {
        let mut next = vec![0; (self.grammar.terminals.len() + 1).div_ceil(64)];
        for position in &self.grammar.positions {
            if position.symbol == token.into() {
                next.join(&self.after(position.target, position.owner));
            }
        }
        next
    }

    /// The tokens that may come at a position, those after its production included.
    pub(super) fn after(&self, position: PositionId, owner: NonterminalId) -> Tokens {
        let mut next = self.first[position].clone();
        if self.grammar.rest_nullable[position] {
            next.join(&self.follow[owner]);
        }
        next
    }

    fn automaton(&mut self, token: TerminalId) -> Option<&Dfa> {
        let (table, grammar) = (self.table, self.grammar);
        self.automata
            .entry(token)
            .or_insert_with(|| {
                if let Some(scanner) = grammar.scanner(token) {
                    return Some(scanner.automaton.clone());
                }
                let alphabet = match table.encoding() {
                    crate::grammar::Encoding::Bytes => crate::regular::Alphabet::Bytes,
                    crate::grammar::Encoding::Unicode => crate::regular::Alphabet::Unicode,
                };
                match table.terminal(token) {
                    Terminal::Literal { bytes, ignore_case } => {
                        Dfa::literal(bytes, ignore_case, alphabet, &Default::default()).ok()
                    }
                    Terminal::Class { ranges } => Some(Dfa::ranges(ranges, alphabet)),
                    Terminal::Regular { automaton } => Some(automaton.clone()),
                }
            })
            .as_ref()
    }

    /// Whether no text begins with a string of both of two tokens, empty ones left out.
    pub(super) fn are_disjoint(&mut self, left: TerminalId, right: TerminalId) -> bool {
        let pair = (left.min(right), left.max(right));
        if let Some(&known) = self.disjoint.get(&pair) {
            return known;
        }
        let found = left != right && self.find_disjoint(left, right).unwrap_or(false);
        self.disjoint.insert(pair, found);
        found
    }

    fn find_disjoint(&mut self, left: TerminalId, right: TerminalId) -> Option<bool> {
        self.automaton(left)?;
        self.automaton(right)?;
        let (left, right) = (self.automata[&left].as_ref()?, self.automata[&right].as_ref()?);
        let mut seen = fxhash::FxHashSet::default();
        let mut queue = vec![(left.start(), right.start())];
        while let Some((at, beside)) = queue.pop() {
            for a in left.transitions(at) {
                for b in right.transitions(beside) {
                    if !meet(left.class_ranges(a.class), right.class_ranges(b.class)) {
                        continue;
                    }
                    if left.is_accepting(a.target) || right.is_accepting(b.target) {
                        return Some(false);
                    }
                    if seen.insert((a.target, b.target)) {
                        queue.push((a.target, b.target));
                    }
                }
            }
            if seen.len() > MOST_PAIRS {
                return None;
            }
        }
        Some(true)
    }

    /// Whether a token ends at its longest end wherever one of some tokens follows.
    pub(super) fn ends_clearly(&mut self, token: TerminalId, follow: &Tokens) -> bool {
        if let Some(TerminalOf::Fixed) = self.fixed(token) {
            return true;
        }
        let tokens = (0..self.grammar.terminals.len()).map(TerminalId::at);
        let followers: Vec<TerminalId> = tokens.filter(|&next| has(follow, next)).collect();
        for &next in &followers {
            if self.automaton(next).is_none() {
                return false;
            }
        }
        if self.automaton(token).is_none() {
            return false;
        }
        let automaton = self.automata[&token].as_ref().expect("it was just looked for");
        for state in automaton.states().filter(|&state| automaton.is_accepting(state)) {
            for transition in automaton.transitions(state) {
                let ranges = automaton.class_ranges(transition.class);
                let stays = transition.target == state;
                for next in &followers {
                    let next = self.automata[next].as_ref().expect("it was just looked for");
                    if !takes_up(next, ranges, stays) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn fixed(&self, token: TerminalId) -> Option<TerminalOf> {
        if self.grammar.scanner(token).is_some() {
            return None;
        }
        match self.table.terminal(token) {
            Terminal::Regular { .. } => None,
            _ => Some(TerminalOf::Fixed),
        }
    }
}

/// The set of one token.
fn only(none: &Tokens, token: TerminalId) -> Tokens {
    let mut one = none.clone();
    one[token.index() / 64] |= 1 << (token.get() % 64);
    one
}

/// The tokens that can begin with a byte; for the end of the text, that.
fn begun(grammar: &Compiled, next: NextId) -> Vec<TerminalId> {
    let Some(byte) = next.byte() else { return vec![grammar.terminals.end()] };
    let tokens = (0..grammar.terminals.len()).map(TerminalId::at);
    let begun = tokens.zip(grammar.terminals.iter());
    let begun = begun.filter(|(_, (bytes, _))| scan::has_byte(bytes, byte));
    begun.map(|(token, _)| token).collect()
}

/// A terminal whose strings do not begin with one another.
enum TerminalOf {
    Fixed,
}

fn meet(left: &[(u32, u32)], right: &[(u32, u32)]) -> bool {
    left.iter().any(|a| right.iter().any(|b| a.0 <= b.1 && b.0 <= a.1))
}

/// Whether a token that follows cannot begin with some symbols, or, where the token before can take
/// any number of them, takes any number of them too.
fn takes_up(next: &Dfa, ranges: &[(u32, u32)], stays: bool) -> bool {
    let start = next.start();
    next.transitions(start).iter().all(|transition| {
        (stays && transition.target == start) || !meet(ranges, next.class_ranges(transition.class))
    })
}
