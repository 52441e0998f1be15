//! Which rules are regular, so that each is read as one token: see [`scanner`](super::scanner).

use super::compiled::Kind;
use super::scanner::{Room, Scanner};
use crate::grammar::Encoding;
use crate::id::Id as _;
use crate::regular::{Alphabet, AutomatonLimits, Dfa, Nfa};
use crate::table::{AlternativeId, RuleId, Symbol, SymbolKind, Table, Terminal, spread};

/// Bounds on one token's automaton: rules with larger ones are not tokens.
const LIMITS: AutomatonLimits =
    AutomatonLimits::new().states(1024).cells(1 << 18).nfa(1 << 13).steps(1 << 21);

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
        if least > LIMITS.get_nfa() {
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
    for root in (0..table.rule_count()).map(RuleId::at) {
        stack.push(root);
        while let Some(&rule) = stack.last() {
            let open = stack.len();
            if least[rule.index()].is_none() {
                let items = || table.all_alternatives(rule).flat_map(|it| table.items(it));
                let behind = items().filter_map(|&item| table.rule_behind(table.element(item)));
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
    for alternative in (0..table.alternative_count()).map(AlternativeId::at) {
        let rule = table.rule_of(alternative);
        let behind = table
            .items(alternative)
            .iter()
            .filter_map(|&item| table.rule_behind(table.element(item)));
        edges[rule.index()].extend(behind.map(RuleId::get));
    }
    let mut recursive = crate::table::cyclic(&edges);
    spread(&edges, &mut recursive);
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
    let given = LIMITS.get_steps().min(*left);
    let (mut rest, size) = (given, nfa.size() as u64);
    let found = nfa.determinize_within(start, accept, &LIMITS, &mut rest);
    *left = left.saturating_sub(given - rest + size);
    Some(found.ok()?.minimize())
}
