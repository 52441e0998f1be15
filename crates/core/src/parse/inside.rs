//! What is inside tokens, when a tree is wanted.
//!
//! A token's text is read by prediction where its grammar allows. Elsewhere the parts of its
//! productions are tokens once more, so that the chart is about how they share the text, and what
//! is inside them is read next. No token leads to itself, so that ends; it is done level by level,
//! for grammars may be deep.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use fxhash::FxHashMap;

use super::budget::Budget;
use super::chart::{Chart, Work};
use super::compiled::{Compiled, Kind};
use super::error::Error;
use super::extract::{Extraction, Source};
use super::predict::{Program, Stack, Stop};
use super::recent::{Key, Recent};
use super::states::States;
use super::token;
use crate::table::{Symbol, Table};
use crate::tree::{Node, Tree};

/// What is inside tokens. It is made when it is first wanted: texts have few kinds of tokens, and of
/// many the inside is never looked at.
#[derive(Clone, Debug)]
pub(super) struct Insides {
    /// Of rules, and after them of repetitions.
    all: Vec<OnceLock<Box<Inside>>>,
    rules: usize,
    /// Those that were made ahead.
    packed: Option<Packed>,
    /// Whether only the chart is to read, symbol by symbol.
    #[cfg(test)]
    pub(super) is_plain: bool,
}

/// What is inside tokens, as bytes.
#[derive(Clone)]
pub(super) struct Packed {
    pub(super) bytes: Arc<[u8]>,
    /// Where the bytes of each number are.
    spans: FxHashMap<u32, Range<usize>>,
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Packed({} tokens)", self.spans.len())
    }
}

impl Packed {
    pub(super) fn new(bytes: Arc<[u8]>) -> Self {
        Self { bytes, spans: FxHashMap::default() }
    }

    /// Says where the bytes of a number are.
    pub(super) fn add(&mut self, number: u32, span: Range<usize>) {
        self.spans.insert(number, span);
    }

    fn get(&self, grammar: &Compiled, number: usize) -> Option<Inside> {
        let span = self.spans.get(&(number as u32))?;
        Inside::unpack(grammar, &mut self.bytes.get(span.clone())?)
    }
}

impl Insides {
    #[cfg(feature = "front")]
    pub(super) fn new(table: &Table) -> Self {
        Self::of(table, None)
    }

    /// Those that were made ahead.
    pub(super) fn packed(table: &Table, packed: Packed) -> Self {
        Self::of(table, Some(packed))
    }

    fn of(table: &Table, packed: Option<Packed>) -> Self {
        let rules = table.rule_count();
        Self {
            all: vec![OnceLock::new(); rules + table.repetition_count()],
            rules,
            packed,
            #[cfg(test)]
            is_plain: false,
        }
    }

    /// The number of a kind of tokens.
    fn number(&self, kind: Kind) -> usize {
        match kind {
            Kind::Text => unreachable!("a whole text is no token"),
            Kind::Rule(rule) => rule.index(),
            Kind::Repetition(repetition) => self.rules + repetition.index(),
        }
    }

    /// What is inside a kind of tokens; the grammar is that of whole texts.
    #[inline]
    pub(super) fn get(&self, table: &Table, grammar: &Compiled, kind: Kind) -> &Inside {
        let number = self.number(kind);
        self.all[number].get_or_init(|| Box::new(self.make(table, grammar, kind, number)))
    }

    #[cold]
    #[pleach_unhooked::unhooked]
    fn make(&self, table: &Table, grammar: &Compiled, kind: Kind, number: usize) -> Inside {
        #[cfg(test)]
        if self.is_plain {
            return Inside { grammar: grammar.inside(table, kind), program: None, parts: None };
        }
        match &self.packed {
            Some(packed) => packed
                .get(grammar, number)
                .expect("all that parsing comes to was packed by this version"),
            None => Inside::new(table, grammar, kind),
        }
    }

    /// What was made ahead of a number.
    #[cfg(test)]
    pub(super) fn unpacked(&self, grammar: &Compiled, number: usize) -> Option<Inside> {
        self.packed.as_ref()?.get(grammar, number)
    }

    /// Goes through what is inside the tokens of a grammar, and inside those, by their numbers.
    #[cfg(feature = "front")]
    pub(super) fn each(
        &self,
        table: &Table,
        grammar: &Compiled,
        mut of: impl FnMut(usize, &Inside),
    ) {
        let mut seen = vec![false; self.all.len()];
        let mut queue = grammar.tokens.to_vec();
        while let Some(kind) = queue.pop() {
            let number = self.number(kind);
            if !std::mem::replace(&mut seen[number], true) {
                // Not kept: all of them together may be large.
                let inside = Inside::new(table, grammar, kind);
                of(number, &inside);
                queue.extend(inside.parts.iter().flat_map(|parts| &parts.tokens));
            }
        }
    }
}

/// What is inside a token.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    /// Its grammar, symbol by symbol.
    pub(super) grammar: Compiled,
    pub(super) program: Option<Program>,
    /// Where there is no program and texts may be long, its grammar by tokens.
    pub(super) parts: Option<Compiled>,
}

impl Inside {
    #[cfg(feature = "front")]
    fn new(table: &Table, grammar: &Compiled, kind: Kind) -> Self {
        let flat = grammar.inside(table, kind);
        let program = Program::new(table, &flat);
        let has_parts = program.is_none() && may_be_long(table, &flat);
        let parts = has_parts.then(|| grammar.within(table, kind));
        Self { grammar: flat, program, parts }
    }

    /// There is no table that was not made ahead.
    #[cfg(not(feature = "front"))]
    fn new(_: &Table, _: &Compiled, _: Kind) -> Self {
        unreachable!("a table that was made ahead has what is inside its tokens")
    }
}

/// Whether a grammar has texts of any length.
#[cfg(feature = "front")]
fn may_be_long(table: &Table, grammar: &Compiled) -> bool {
    let unbounded = crate::table::Repetition::UNBOUNDED;
    let is_long = |kind| match kind {
        Kind::Repetition(repetition) => table.repetition(repetition).max == unbounded,
        _ => false,
    };
    let symbols = grammar.positions.iter().map(|position| position.symbol);
    let mut terminals = symbols.filter_map(|symbol| symbol.terminal());
    grammar.nonterminals.iter().any(|nonterminal| is_long(nonterminal.kind))
        || terminals.any(|terminal| grammar.scanner(terminal).is_some())
}

/// The memory for what is inside tokens.
#[derive(Clone, Debug, Default)]
pub(super) struct TokenScratch {
    /// The states of the grammars inside tokens, by their numbers.
    states: Vec<Option<Box<States>>>,
    chart: Chart,
    extraction: Extraction,
    stack: Stack,
    recent: Recent,
    parts: Vec<Part>,
    /// An empty list, for the parts of the next level.
    spare: Vec<Part>,
    nodes: Vec<Node>,
}

impl TokenScratch {
    /// About how many bytes the states take.
    pub(super) fn states_memory(&self) -> u64 {
        self.states.iter().flatten().map(|states| states.memory()).sum()
    }
}

/// A token that is to be read: its node holds its length.
#[derive(Clone, Copy, Debug)]
struct Part {
    node: usize,
    kind: Kind,
    from: usize,
    to: usize,
}

/// What stays the same for all tokens of a text.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'p> {
    pub(super) table: &'p Table,
    pub(super) grammar: &'p Compiled,
    pub(super) insides: &'p Insides,
    pub(super) budget: &'p Budget<'p>,
    pub(super) text: &'p [u8],
}

impl Tokens<'_> {
    /// Appends the nodes of a token.
    #[inline]
    pub(super) fn read(
        &self,
        scratch: &mut TokenScratch,
        tree: &mut Tree,
        item: Symbol,
        kind: Kind,
        (from, to): (usize, usize),
    ) -> Result<(), Error> {
        if self.recall(scratch, tree, item, (from, to))? {
            return Ok(());
        }
        let base = tree.nodes.len();
        scratch.parts.clear();
        self.level(scratch, tree, item, kind, (from, to))?;
        while !scratch.parts.is_empty() {
            self.next_level(scratch, tree, base)?;
        }
        Ok(())
    }

    /// Appends the nodes of a token, if they are known.
    #[cfg_attr(not(fuzzing), inline)]
    #[pleach_unhooked::unhooked]
    fn recall(
        &self,
        scratch: &TokenScratch,
        tree: &mut Tree,
        item: Symbol,
        (from, to): (usize, usize),
    ) -> Result<bool, Error> {
        let Some(key) = Key::new(item, &self.text[from..to]) else { return Ok(false) };
        let base = tree.nodes.len();
        let is_known = scratch.recent.append(key, self.budget, &mut tree.nodes)?;
        self.count(tree, base, to)?;
        Ok(is_known)
    }

    /// Counts the nodes of a token that took no other work: as many whether it was known or not.
    fn count(&self, tree: &Tree, base: usize, at: usize) -> Result<(), Error> {
        self.budget.spend(at, (tree.nodes.len() - base) as u64)
    }

    /// Puts the nodes of all parts in their places.
    fn next_level(
        &self,
        scratch: &mut TokenScratch,
        tree: &mut Tree,
        base: usize,
    ) -> Result<(), Error> {
        let mut nodes = std::mem::take(&mut scratch.nodes);
        let spare = std::mem::take(&mut scratch.spare);
        let mut parts = std::mem::replace(&mut scratch.parts, spare);
        nodes.clear();
        self.budget.room(&mut nodes, tree.nodes.len() - base)?;
        nodes.extend(tree.nodes.drain(base..));
        let mut next = 0;
        for Part { node, kind, from, to } in parts.drain(..) {
            let node = node - base;
            self.budget.room(&mut tree.nodes, node - next)?;
            tree.nodes.extend_from_slice(&nodes[next..node]);
            let item = nodes[node].symbol;
            if !self.recall(scratch, tree, item, (from, to))? {
                self.level(scratch, tree, item, kind, (from, to))?;
            }
            next = node + 1;
        }
        self.budget.room(&mut tree.nodes, nodes.len() - next)?;
        tree.nodes.extend_from_slice(&nodes[next..]);
        scratch.nodes = nodes;
        scratch.spare = parts;
        Ok(())
    }

    /// Appends the nodes of a token down to its parts.
    #[pleach_unhooked::unhooked]
    fn level(
        &self,
        scratch: &mut TokenScratch,
        tree: &mut Tree,
        item: Symbol,
        kind: Kind,
        (from, to): (usize, usize),
    ) -> Result<(), Error> {
        let text = &self.text[from..to];
        let inside = self.insides.get(self.table, self.grammar, kind);
        let Inside { grammar, program, parts: deeper } = inside;
        let base = tree.nodes.len();
        let TokenScratch { states, chart, extraction, stack, recent, parts, .. } = scratch;
        let read = match program {
            None => token::single(self.table, grammar, self.budget, text, tree)?,
            Some(program) => {
                let none = |_: &mut Tree, _, _, _| unreachable!("a token has none inside");
                let grammar = (grammar, self.table);
                match program.read::<true>(grammar, self.budget, text, stack, tree, none) {
                    Ok(_) => true,
                    Err(Stop::Left { .. }) => false,
                    Err(Stop::Spent(error)) => return Err(error),
                }
            }
        };
        // What is known by the next time counts as much then.
        self.count(tree, base, to)?;
        if read {
            tree.nodes[base].symbol = item;
            if let Some(key) = Key::new(item, text) {
                recent.keep(key, &tree.nodes[base..]);
            }
        } else {
            tree.nodes.truncate(base);
            let grammar = deeper.as_ref().unwrap_or(grammar);
            let inside = Work::new(self.table, (grammar, None), self.budget, text)?;
            if states.is_empty() {
                states.resize_with(self.insides.all.len(), || None);
            }
            let states = &mut **states[self.insides.number(kind)].get_or_insert_default();
            let root = chart.read::<true>(&inside, states)?;
            let source = Source { work: &inside, states };
            extraction.tree(&source, chart, root, tree, |tree, item, part, (begin, end)| {
                let kind = grammar.tokens[part];
                let node = tree.nodes.len();
                self.budget.room(parts, 1)?;
                self.budget.room(&mut tree.nodes, 1)?;
                parts.push(Part { node, kind, from: from + begin, to: from + end });
                tree.nodes.push(Node { symbol: item, choice: (end - begin) as u32 });
                Ok(())
            })?;
            tree.nodes[base].symbol = item;
        }
        Ok(())
    }
}
