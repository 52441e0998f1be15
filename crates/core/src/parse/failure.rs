//! Reading a whole text by the chart: where it leaves the grammar, and what was expected there.

use super::chart::{Chart, PendingId};
use super::compiled::{Compiled, Kind};
use super::error::{Error, SyntaxError};
use super::id::{NodeId, NonterminalId, Offset, PositionId, SymbolId, SymbolSort, TokenId};
use super::id_vec::IdRange;
use super::scan;
use super::states::States;
use super::work::Work;
use crate::id::Id as _;
use crate::table::TerminalId;

impl Chart {
    /// Reads a whole text. Gives the node of all of it; with `TREE` unset that node says nothing.
    #[cfg_attr(fuzzing, inline(always))]
    pub(super) fn read<const TREE: bool>(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
    ) -> Result<NodeId, Error> {
        match self.recognise::<TREE>(work, states)? {
            Ok(node) => Ok(node),
            Err(last) if work.explains => self.failure::<TREE>(work, states, last),
            Err(last) => Err(Error::Syntax(SyntaxError::unexplained(last.index()))),
        }
    }

    /// Says where the text leaves the grammar: makes the last set once more without a look ahead.
    #[cfg_attr(fuzzing, inline(always))]
    fn failure<const TREE: bool>(
        &mut self,
        work: &Work<'_>,
        states: &mut States,
        last: Offset,
    ) -> Result<NodeId, Error> {
        work.budget.spare(ITEMS_OF_A_MESSAGE);
        let mut at = last.max(self.rejected_at);
        if at > last {
            self.waiting[at] = PendingId::NONE;
        }
        if at == self.rejected_at {
            for (before, state) in std::mem::take(&mut self.rejected) {
                self.wait(work, before, state, at)?;
            }
        }
        let mut expected = Vec::new();
        if self.furthest > at {
            for &(terminal, from) in &self.broken {
                match work.grammar.token(terminal) {
                    Some(token) => inside_names(work, token, from, self.furthest, &mut expected),
                    None => note_name(terminal_name(work, terminal), &mut expected),
                }
            }
            let at = self.furthest.index();
            return Err(Error::Syntax(SyntaxError::new(work.text, at, expected)));
        }
        if self.furthest == at {
            for &(terminal, from) in self.broken.iter().filter(|broken| broken.1 < at) {
                match work.grammar.token(terminal) {
                    Some(token) => inside_names(work, token, from, at, &mut expected),
                    None => note_name(terminal_name(work, terminal), &mut expected),
                }
            }
        }
        let is_start = at == Offset::START;
        let first = self.entries.end();
        // Without a budget the message names less.
        match self.set::<TREE>(work, states, at, true) {
            Ok(_) | Err(Error::Budget { .. } | Error::Memory { .. }) => {}
            Err(error) => return Err(error),
        }
        let entries = IdRange::new(first, self.entries.end());
        let is_layout =
            |&position: &PositionId| work.grammar.positions[position].symbol == work.grammar.layout;
        let mut positions =
            entries.into_iter().flat_map(|it| states.positions(self.entries[it].state));
        // What stands behind layout is in the way, and no more of what stands before.
        if let Some(end) = behind_layout(work, at).filter(|_| positions.any(is_layout)) {
            expected.clear();
            at = end;
        }
        for entry in entries {
            let state = self.entries[entry].state;
            if states.state(state).access == SymbolId::NONE && !is_start {
                continue;
            }
            for &position in states.positions(state) {
                let mut position = &work.grammar.positions[position];
                // Inside a word nothing but layout may come, but what is expected need not be of the word.
                if position.symbol != SymbolId::NONE && position.symbol == work.grammar.layout {
                    position = &work.grammar.positions[position.target];
                }
                if is_start && position.owner != NonterminalId::TEXT {
                    continue;
                }
                if position.symbol != SymbolId::NONE {
                    names(work, position.symbol, &mut expected);
                } else if position.owner == NonterminalId::TEXT {
                    note_name(END.to_owned(), &mut expected);
                }
            }
        }
        Err(Error::Syntax(SyntaxError::new(work.text, at.index(), expected)))
    }
}

/// How the end of a text is called where it is expected.
const END: &str = "the end of the text";

/// Where the longest layout ends that begins at a place, if there is one.
fn behind_layout(work: &Work<'_>, at: Offset) -> Option<Offset> {
    let layout = work.table.layout().filter(|_| work.grammar.layout != SymbolId::NONE)?;
    let mut end = at.index();
    let (encoding, automaton) = (work.table.encoding(), layout.automaton());
    scan::automaton_ends(encoding, automaton, work.text, at.index(), |found| end = found);
    (end > at.index()).then(|| Offset::at(end))
}

/// Items that are left to a message at least.
const ITEMS_OF_A_MESSAGE: u64 = 1 << 16;

#[pleach_unhooked::unhooked]
fn terminal_name(work: &Work<'_>, terminal: TerminalId) -> String {
    work.table.names().terminal(terminal).to_owned()
}

/// The grammar inside a token.
fn inside<'p>(work: &Work<'p>, token: TokenId) -> Option<&'p Compiled> {
    let kind = work.grammar.tokens[token];
    work.insides.map(|insides| &insides.get(work.table, work.grammar, kind).grammar)
}

/// Names what was expected inside a token that did not fit.
#[pleach_unhooked::unhooked]
fn inside_names(
    work: &Work<'_>,
    token: TokenId,
    from: Offset,
    at: Offset,
    expected: &mut Vec<String>,
) {
    let end = (at.index() + 4).min(work.text.len());
    let text = &work.text[from.index()..end];
    let Some(grammar) = inside(work, token) else { return };
    let inside = Work { grammar, insides: None, text, ..*work };
    let reserved = work.budget.reserved();
    let mut chart = Chart::default();
    if let Err(Error::Syntax(error)) = chart.read::<false>(&inside, &mut States::default()) {
        let names = error.expected.into_iter().filter(|name| name != END);
        names.for_each(|name| note_name(name, expected));
    }
    work.budget.give_back(reserved);
}

fn note_name(name: String, expected: &mut Vec<String>) {
    if !name.is_empty() && !expected.contains(&name) && expected.len() < 256 {
        expected.push(name);
    }
}

/// Names a terminal: a token that is a rule by that, another one by what stands first in it.
#[pleach_unhooked::unhooked]
fn name_terminal(work: &Work<'_>, terminal: TerminalId, expected: &mut Vec<String>) {
    let Some(token) = work.grammar.token(terminal) else {
        note_name(terminal_name(work, terminal), expected);
        return;
    };
    match work.grammar.tokens[token] {
        Kind::Rule(rule) if rule.index() < work.table.named_rule_count() => {
            note_name(work.table.names().rule(rule).to_owned(), expected);
        }
        _ => {
            let Some(inside) = inside(work, token) else { return };
            let first = inside.nonterminals[NonterminalId::TEXT].starts[0];
            let inside = Work { grammar: inside, insides: None, ..*work };
            names(&inside, inside.grammar.positions[first].symbol, expected);
        }
    }
}

/// Names what a symbol begins with: a rule or a terminal by itself, a group or repetition by what
/// stands first in it.
#[pleach_unhooked::unhooked]
fn names(work: &Work<'_>, symbol: SymbolId, expected: &mut Vec<String>) {
    let mut queue = vec![symbol];
    let mut seen = queue.clone();
    let mut next = 0;
    while let Some(&symbol) = queue.get(next) {
        next += 1;
        if symbol == work.grammar.layout {
            continue;
        }
        let nonterminal = match symbol.sort() {
            SymbolSort::Nonterminal(nonterminal) => &work.grammar.nonterminals[nonterminal],
            SymbolSort::Terminal(terminal) => {
                name_terminal(work, terminal, expected);
                continue;
            }
        };
        if let Kind::Rule(rule) = nonterminal.kind
            && rule.index() < work.table.named_rule_count()
        {
            note_name(work.table.names().rule(rule).to_owned(), expected);
            continue;
        }
        for &start in &nonterminal.starts {
            let mut position = start;
            while let symbol = work.grammar.positions[position].symbol
                && symbol != SymbolId::NONE
            {
                if !seen.contains(&symbol) {
                    seen.push(symbol);
                    queue.push(symbol);
                }
                let next = work.grammar.positions[position].target;
                if !work.grammar.is_nullable(symbol) || next <= position {
                    break;
                }
                position = next;
            }
        }
    }
}
