//! Which bytes of a sentence may change while its tree keeps its shape, and sentences of other shapes.

use std::sync::Arc;

use pleach::Seeded;
use pleach::explore::search::{ByteSet, Shape};
use pleach::grammar::Encoding;
use pleach::mutate::{Mutation, Options, Sources};
use pleach::parse::{Limits, Parser, Scratch};
use pleach::regular::{Dfa, StateId};
use pleach::table::{RuleId, SymbolKind, Table, Terminal};
use pleach::tree::{Outline, SizedTree, Tree};

/// In how many states, over all places of a word, its symbols are looked for: what has more stays as it is.
const STATES: usize = 1 << 22;

/// How many sentences of other shapes are made of one at a time.
const RESHAPED: usize = 16;
/// The mutators that grow subtrees, move them and take them out.
const RESHAPING: [&str; 9] = [
    "regrow",
    "splice",
    "replicate",
    "populate",
    "delete",
    "exchange",
    "recursion",
    "nest",
    "hoist",
];

/// The sentences of a grammar.
pub(super) struct InGrammar {
    table: Arc<Table>,
    /// Rules whose text may become anything.
    free: Vec<RuleId>,
    limits: Limits,
    scratch: Scratch,
}

impl InGrammar {
    /// Those that can be parsed within some limits, but for the text of some rules.
    pub(super) fn new(table: Arc<Table>, free: Vec<RuleId>, limits: Limits) -> Self {
        Self { table, free, limits, scratch: Scratch::new() }
    }

    fn parse(&mut self, input: &[u8]) -> Option<Tree> {
        let mut tree = Tree::new();
        let parser = Parser::new(&self.table).limits(self.limits.clone());
        parser.parse(input, &mut self.scratch, &mut tree).ok()?;
        Some(tree)
    }
}

impl Shape for InGrammar {
    fn allowed(&mut self, input: &[u8], of: Option<&[ByteSet]>) -> Option<Vec<ByteSet>> {
        let Some(tree) = self.parse(input) else {
            // What was free in the sentence that it was made of is what makes it none.
            return of.filter(|_| !self.free.is_empty()).map(<[ByteSet]>::to_vec);
        };
        let outline = Outline::new(&self.table, &tree);
        let mut sets: Vec<ByteSet> = input.iter().map(|&byte| ByteSet::single(byte)).collect();
        for (index, node) in tree.nodes().iter().enumerate() {
            if let SymbolKind::Terminal(occurrence) = node.symbol.kind()
                && let Some(terminal) = self.table.terminal_at(occurrence)
            {
                let sets = &mut sets[outline.span(index)];
                free(self.table.terminal(terminal), self.table.encoding(), sets);
            }
        }
        for (index, node) in tree.nodes().iter().enumerate() {
            if self.table.rule_behind(node.symbol).is_some_and(|rule| self.free.contains(&rule)) {
                sets[outline.span(index)].fill(ByteSet::FULL);
            }
        }
        Some(sets)
    }

    fn reshaped(&mut self, input: &[u8], number: u64, most: usize) -> Vec<Vec<u8>> {
        let Some(tree) = self.parse(input) else { return Vec::new() };
        let options = Options::new().breaking(0).only(RESHAPING);
        let Ok(mut mutation) = Mutation::new(&self.table, options) else { return Vec::new() };
        let base = SizedTree::of(&self.table, &tree);
        let (mut words, mut mutant) = (Seeded::new(number), SizedTree::new());
        let mut all = Vec::new();
        for _ in 0..RESHAPED {
            let sources = Sources::default();
            if mutation.mutate(base.as_ref(), sources, most, &mut words, &mut mutant).is_some() {
                all.push(mutant.text().to_vec());
            }
        }
        all
    }
}

/// What the bytes of a terminal may become; each begins as the set of what it is. Symbols of several bytes stay as
/// they are.
fn free(terminal: Terminal<'_>, encoding: Encoding, sets: &mut [ByteSet]) {
    let single = if encoding == Encoding::Bytes { 0xff } else { 0x7f };
    let is = |set: &ByteSet| (0..=255u8).find(|&byte| set.contains(byte)).unwrap_or(0);
    if sets.iter().any(|set| u32::from(is(set)) > single) {
        return;
    }
    match terminal {
        Terminal::Literal { ignore_case: false, .. } => {}
        Terminal::Literal { .. } => {
            for set in sets {
                let byte = is(set);
                set.insert(byte.to_ascii_lowercase());
                set.insert(byte.to_ascii_uppercase());
            }
        }
        Terminal::Class { ranges } => {
            if let [set] = sets {
                insert(set, ranges, single);
            }
        }
        Terminal::Regular { automaton } => within(automaton, sets, single),
    }
}

fn insert(set: &mut ByteSet, ranges: &[(u32, u32)], most: u32) {
    for &(first, last) in ranges {
        for symbol in first..=last.min(most) {
            set.insert(symbol as u8);
        }
    }
}

/// The symbols that words of that many symbols have at each place. A word made of them need not be one of the
/// language: who parses it sees.
fn within(automaton: &Dfa, sets: &mut [ByteSet], most: u32) {
    let count = automaton.state_count();
    if count.saturating_mul(sets.len()) > STATES {
        return;
    }
    let steps = |state: StateId| automaton.transitions(state).iter();
    // For each place the states from which as many symbols as are left lead to an end.
    let mut ends = vec![vec![false; count]; sets.len() + 1];
    let states: Vec<StateId> = automaton.states().collect();
    for &state in &states {
        ends[sets.len()][state.index()] = automaton.is_accepting(state);
    }
    for at in (0..sets.len()).rev() {
        for &state in &states {
            ends[at][state.index()] = steps(state).any(|step| ends[at + 1][step.target.index()]);
        }
    }
    let mut here = vec![false; count];
    here[automaton.start().index()] = true;
    for (at, set) in sets.iter_mut().enumerate() {
        let mut next = vec![false; count];
        for &state in states.iter().filter(|state| here[state.index()]) {
            for step in steps(state).filter(|step| ends[at + 1][step.target.index()]) {
                insert(set, automaton.class_ranges(step.class), most);
                next[step.target.index()] = true;
            }
        }
        here = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach::grammar::Grammar;
    use pleach::table::Lowering;

    #[test]
    fn characters_change_within_their_terminals() {
        let text =
            r#"pair = name "=" number ; name = [a-c] /[x-z][0-9]?/ ; number = (i"0x" [0-9])+ ;"#;
        let table = Table::parse(text).unwrap();
        let mut shape = InGrammar::new(Arc::new(table), Vec::new(), Limits::new());
        assert_eq!(shape.allowed(b"ax=1", None), None);
        let sets = shape.allowed(b"ax7=0x5", None).expect("it is a sentence");
        let members: Vec<String> = sets
            .iter()
            .map(|set| (0..=255u8).filter(|&byte| set.contains(byte)).map(char::from).collect())
            .collect();
        assert_eq!(members, ["abc", "xyz", "0123456789", "=", "0", "Xx", "0123456789"]);
    }

    #[test]
    fn what_takes_too_much_is_no_sentence_or_stays_as_it_is() {
        let grammar = Grammar::parse("word = /[a-c]{1,3000}/ ;").unwrap();
        let table = Arc::new(Lowering::new().lower(&grammar).unwrap().table);
        let mut within = InGrammar::new(Arc::clone(&table), Vec::new(), Limits::new());
        assert!(within.allowed(b"abc", None).is_some_and(|sets| sets[0].len() > 1));
        let sets = within.allowed(&[b'a'; 2000], None).expect("it is a sentence");
        assert!(sets.iter().all(|set| set.len() == 1));
        let mut without = InGrammar::new(table, Vec::new(), Limits::new().memory(1));
        assert_eq!(without.allowed(b"abc", None), None);
    }

    #[test]
    fn the_text_of_a_free_rule_may_become_anything_and_what_is_made_of_it_keeps_that() {
        let grammar =
            Grammar::parse(r#"pair = name "=" value ; name = [a-c] ; value = [0-9]{2} ;"#);
        let table = Lowering::new().lower(&grammar.unwrap()).unwrap().table;
        let value = table.names().find_rule("value").unwrap();
        let mut shape = InGrammar::new(Arc::new(table), vec![value], Limits::new());
        let sets = shape.allowed(b"a=12", None).expect("it is a sentence");
        let sizes: Vec<u32> = sets.iter().map(ByteSet::len).collect();
        assert_eq!(sizes, [3, 1, 256, 256]);
        assert_eq!(shape.allowed(b"b=?!", Some(&sets)), Some(sets));
        assert_eq!(shape.allowed(b"b=?!", None), None);
    }

    #[test]
    fn sentences_of_other_shapes_are_sentences_and_the_same_ones_for_a_number() {
        let grammar =
            Grammar::parse(r#"list = "[" (item ("," item)*)? "]" ; item = [0-9] | list ;"#);
        let table = Arc::new(Lowering::new().lower(&grammar.unwrap()).unwrap().table);
        let mut shape = InGrammar::new(table, Vec::new(), Limits::new());
        let others = shape.reshaped(b"[1,[2,3]]", 5, 100);
        assert_eq!(others, shape.reshaped(b"[1,[2,3]]", 5, 100));
        let lengths: std::collections::BTreeSet<usize> = others.iter().map(Vec::len).collect();
        assert!(lengths.len() > 3, "{lengths:?}");
        assert!(others.iter().all(|other| shape.allowed(other, None).is_some()));
        assert!(shape.reshaped(b"[1", 5, 100).is_empty());
    }
}
