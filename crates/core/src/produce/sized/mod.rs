//! Trees of a given size, each derivation as likely as any other.
//!
//! How many derivations of each size every part of the grammar has is counted beforehand, exactly, and a tree is
//! drawn from the top down in proportion to what is behind each choice: the recursive method of Flajolet,
//! Zimmermann and Van Cutsem, "A calculus for the random generation of labelled combinatorial structures", 1994.
//! A class is one choice, in bytes one for each length that its symbols have; so is a literal in any case. A
//! regular terminal is one in nodes, and in bytes a walk through its automaton.

mod count;
mod states;

use std::fmt;
use std::ops::RangeInclusive;

use num_bigint::BigUint;

use super::characters::{Characters, choose_symbol};
use super::leaf;
use crate::entropy::Entropy;
use crate::table::{Symbol, SymbolKind, Table, Terminal, TerminalId, Token, encode};
use crate::tree::{Node, Tree};
use count::{Counts, Uncountable, below};
use states::{State, States, Way, encoded};

/// The unit in which the size of a tree is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Nodes of the tree: occurrences, groups, repetitions and the root.
    Nodes,
    /// Bytes of the text.
    Bytes,
}

/// Why derivations cannot be counted or drawn by size.
#[derive(Clone, PartialEq, Eq)]
pub struct SizeError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    None(Measure, u32, u32),
    Cyclic(String),
    Layout,
    Work(u32),
}

impl SizeError {
    /// Whether counting would take more than [`BySize::MOST_WORK`].
    pub fn is_size_limit_exceeded(&self) -> bool {
        matches!(self.kind, Kind::Work(..))
    }
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::None(measure, low, high) => {
                let unit = match measure {
                    Measure::Nodes => "nodes",
                    Measure::Bytes => "bytes",
                };
                write!(f, "the grammar has no derivation of {low} to {high} {unit}")
            }
            Kind::Cyclic(rule) => write!(
                f,
                "{rule} derives itself, or repeats, without a byte more, so there are endless derivations of \
                 one size in bytes; ask for a size in nodes"
            ),
            Kind::Layout => write!(
                f,
                "what layout stands between tokens depends on the tokens, so texts cannot be counted by their \
                 bytes; ask for a size in nodes, or leave out %layout"
            ),
            Kind::Work(high) => write!(
                f,
                "counting all derivations of up to {high} takes more than {} products; ask for smaller ones",
                BySize::MOST_WORK
            ),
        }
    }
}

crate::displayed::displayed!(SizeError);

impl std::error::Error for SizeError {}

/// A producer of trees by size: uniform over all derivations of the sizes of a range.
///
/// Layout between tokens, where a grammar has one, is written where tokens would fuse, and is not counted.
///
/// # Examples
///
/// ```
/// use pleach::{Seeded, table::Table, tree::Tree};
/// use pleach::produce::{BySize, Characters, Measure};
///
/// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
/// let mut sized = BySize::new(&table, Measure::Bytes, 5..=5, Characters::Plain)?;
/// // [a,a] and [[a]].
/// assert_eq!(sized.derivations(), "2");
/// let mut tree = Tree::new();
/// sized.produce(&mut Seeded::new(1), &mut tree);
/// assert_eq!(tree.text().len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BySize<'t> {
    table: &'t Table,
    characters: Characters,
    states: States,
    counts: Counts,
    /// The least size, and of it and each after it how many derivations there are.
    least: u32,
    totals: Vec<BigUint>,
    sum: BigUint,
    tasks: Vec<Task>,
    last_token: Option<Token>,
}

/// What is still to be written.
#[derive(Clone, Copy, Debug)]
struct Task {
    part: Part,
    size: u32,
    /// Whether it stands inside a token; where there is no layout, everything does.
    inside: bool,
}

#[derive(Clone, Copy, Debug)]
enum Part {
    Symbol(Symbol),
    /// What a state stands for, and the node whose choice counts it: a repetition's its elements, a leaf's
    /// its bytes.
    State(State, Option<u32>),
}

impl<'t> BySize<'t> {
    /// The most products of counts, of which long ones count as several: more are refused. Counts themselves
    /// are exact, however large.
    pub const MOST_WORK: u64 = 1 << 28;

    /// Counts the derivations of up to the greatest size.
    ///
    /// # Errors
    ///
    /// Where there is no derivation of these sizes, where counting them takes more than
    /// [`BySize::MOST_WORK`], and by bytes where there are endless ones of one size or the grammar has a layout.
    pub fn new(
        table: &'t Table,
        measure: Measure,
        sizes: RangeInclusive<u32>,
        characters: Characters,
    ) -> Result<Self, SizeError> {
        let (low, high) = (*sizes.start(), *sizes.end());
        let fail = |kind| Err(SizeError { kind });
        if measure == Measure::Bytes && table.layout().is_some() {
            return fail(Kind::Layout);
        }
        let none = Kind::None(measure, low, high);
        if low > high {
            return fail(none);
        }
        let Some(states) = States::new(table, measure, high, Self::MOST_WORK) else {
            return fail(Kind::Work(high));
        };
        let root = states.rule(table.start());
        let counts = match Counts::new(&states, root, high, Self::MOST_WORK) {
            Ok(counts) => counts,
            Err(Uncountable::Work) => return fail(Kind::Work(high)),
            Err(Uncountable::Endless(state)) => {
                let rule = states.rule_of(state);
                return fail(Kind::Cyclic(table.names().rule(rule).to_owned()));
            }
        };
        let own = states.node();
        let totals: Vec<BigUint> = (low..=high)
            .map(|size| {
                size.checked_sub(own)
                    .map_or_else(BigUint::default, |rest| counts.of(root, rest).clone())
            })
            .collect();
        let sum = totals.iter().sum();
        if sum == BigUint::default() {
            return fail(none);
        }
        let tasks = Vec::new();
        Ok(Self {
            table,
            characters,
            states,
            counts,
            least: low,
            totals,
            sum,
            tasks,
            last_token: None,
        })
    }

    /// How many derivations there are of all sizes of the range, in decimal.
    pub fn derivations(&self) -> String {
        self.sum.to_string()
    }

    /// Draws a tree in place of what `tree` holds.
    pub fn produce(&mut self, entropy: &mut impl Entropy, tree: &mut Tree) {
        tree.clear();
        let mut left = below(entropy, &self.sum);
        let mut size = self.least;
        for total in &self.totals {
            if left < *total {
                break;
            }
            left -= total;
            size += 1;
        }
        let start = self.table.start();
        let inside = self.table.layout().is_none_or(|layout| layout.is_lexical(start));
        self.last_token = None;
        self.tasks.clear();
        self.tasks.push(Task { part: Part::Symbol(Symbol::root(start)), size, inside });
        while let Some(task) = self.tasks.pop() {
            match task.part {
                Part::Symbol(symbol) => self.symbol(symbol, task, entropy, tree),
                Part::State(state, counting) => self.state(state, counting, task, entropy, tree),
            }
        }
    }

    /// Writes a node, and leaves what is below it as a task.
    fn symbol(&mut self, symbol: Symbol, task: Task, entropy: &mut impl Entropy, tree: &mut Tree) {
        let Task { size, mut inside, .. } = task;
        if !inside && let Some(token) = self.table.token_at(symbol) {
            self.separate(token, tree);
            inside = true;
        }
        let of = tree.nodes.len() as u32;
        let below = size.saturating_sub(self.states.node());
        match symbol.kind() {
            SymbolKind::Terminal(occurrence) => {
                let Some(terminal) = self.table.terminal_at(occurrence) else { return };
                let start = tree.text.len();
                if let Some(state) = self.states.walk(self.table, terminal) {
                    self.tasks.push(Task { part: Part::State(state, Some(of)), size, inside });
                } else {
                    self.leaf(terminal, size, entropy, &mut tree.text);
                }
                let choice = (tree.text.len() - start) as u32;
                tree.nodes.push(Node { symbol, choice });
            }
            SymbolKind::Repetition(id) => {
                let part = Part::State(self.states.repetition(id), Some(of));
                self.tasks.push(Task { part, size: below, inside });
                tree.nodes.push(Node { symbol, choice: 0 });
            }
            _ => {
                let Some(rule) = self.table.rule_behind(symbol) else { return };
                let state = self.states.rule(rule);
                let drawn = self.counts.draw(&self.states, state, below, entropy);
                let Some((Way::Alternative(alternative, state), _)) = drawn else { return };
                self.tasks.push(Task { part: Part::State(state, None), size: below, inside });
                tree.nodes.push(Node { symbol, choice: alternative.get() });
            }
        }
    }

    /// Draws a way to go on from a state.
    fn state(
        &mut self,
        state: State,
        counting: Option<u32>,
        task: Task,
        entropy: &mut impl Entropy,
        tree: &mut Tree,
    ) {
        let Some((way, first)) = self.counts.draw(&self.states, state, task.size, entropy) else {
            return;
        };
        let (then, counted) = match way {
            Way::End | Way::Alternative(..) => return,
            Way::Item(_, _, then) => (then, 1),
            Way::Move { then, .. } => (then, first),
        };
        if let Some(of) = counting {
            tree.nodes[of as usize].choice += counted;
        }
        self.tasks.push(Task {
            part: Part::State(then, counting),
            size: task.size - first,
            ..task
        });
        match way {
            Way::Item(symbol, ..) => {
                self.tasks.push(Task { part: Part::Symbol(symbol), size: first, ..task });
            }
            Way::Move { terminal, index, bytes, .. } => {
                let Terminal::Regular { automaton } = self.table.terminal(terminal) else { return };
                let from = self.states.position(terminal, state);
                let from = automaton.states().nth(from).unwrap_or(automaton.start());
                let class = automaton.transitions(from)[index as usize].class;
                self.symbol_of(automaton.class_ranges(class), bytes, entropy, &mut tree.text);
            }
            Way::End | Way::Alternative(..) => {}
        }
    }

    /// Writes a leaf whose text has so many bytes, if sizes are in bytes.
    fn leaf(
        &self,
        terminal: TerminalId,
        bytes: u32,
        entropy: &mut impl Entropy,
        out: &mut Vec<u8>,
    ) {
        match self.table.terminal(terminal) {
            Terminal::Class { ranges } if self.states.node() == 0 => {
                self.symbol_of(ranges, bytes, entropy, out);
            }
            _ => leaf::write(self.table, terminal, self.characters, u64::MAX, entropy, out),
        }
    }

    /// Writes a symbol of some ranges that takes so many bytes.
    fn symbol_of(
        &self,
        ranges: &[(u32, u32)],
        bytes: u32,
        entropy: &mut impl Entropy,
        out: &mut Vec<u8>,
    ) {
        let encoding = self.table.encoding();
        let ranges: Vec<(u32, u32)> = encoded(encoding, ranges, bytes).collect();
        encode(encoding, choose_symbol(self.characters, &ranges, entropy), out);
    }

    /// Writes layout before a token that would fuse with the one before it.
    fn separate(&mut self, token: Token, tree: &mut Tree) {
        let Some(last) = self.last_token.replace(token) else { return };
        let layout = self.table.layout();
        if let Some(between) = layout.and_then(|layout| layout.between_tokens(last, token)) {
            tree.text.extend_from_slice(between);
            let choice = between.len() as u32;
            tree.nodes.push(Node { symbol: Symbol::LAYOUT, choice });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::entropy::Seeded;

    fn table(text: &str) -> Table {
        Table::parse(text).unwrap()
    }

    fn by_size<'t>(
        table: &'t Table,
        measure: Measure,
        sizes: RangeInclusive<u32>,
    ) -> Result<BySize<'t>, SizeError> {
        BySize::new(table, measure, sizes, Characters::Plain)
    }

    /// Texts with one derivation each, by brute force over all words of their letters.
    #[test]
    fn every_derivation_of_a_size_is_as_likely() {
        const DRAWS: u32 = 40_000;
        let list = r#"list = "[" ( item ( "," item )* )? "]" ; item = "a" | list ;"#;
        let nested = |word: &str| {
            let mut rest = word.to_owned();
            loop {
                let next = rest.replace("[a,a", "[a").replace("[a]", "a").replace("[]", "a");
                if next == rest {
                    return rest == "a" && word.starts_with('[');
                }
                rest = next;
            }
        };
        let counted = r#"s = "a"{2,3} "b"* | /(?:ac)*b/ ( "a" | "b" ){1,2} ;"#;
        let is_counted = |word: &str| {
            let bs = word.trim_start_matches('a');
            let first =
                (2..=3).contains(&(word.len() - bs.len())) && bs.bytes().all(|byte| byte == b'b');
            let mut rest = word;
            while let Some(shorter) = rest.strip_prefix("ac") {
                rest = shorter;
            }
            let second = rest
                .strip_prefix('b')
                .is_some_and(|rest| (1..=2).contains(&rest.len()) && !rest.contains('c'));
            u32::from(first) + u32::from(second)
        };
        for (text, letters, sizes, derivations) in [
            (list, "[a,]", 5..=7, &(|word: &str| u32::from(nested(word))) as &dyn Fn(&str) -> u32),
            (counted, "abc", 2..=5, &is_counted),
        ] {
            let table = table(text);
            let mut sized = by_size(&table, Measure::Bytes, sizes.clone()).unwrap();
            let mut expected: BTreeMap<String, u32> = BTreeMap::new();
            for size in sizes {
                for word in words(letters, size) {
                    let count = derivations(&word);
                    if count > 0 {
                        expected.insert(word, count);
                    }
                }
            }
            let total: u32 = expected.values().sum();
            assert_eq!(sized.derivations(), total.to_string(), "{text}");
            let (mut entropy, mut tree, mut drawn) = (Seeded::new(3), Tree::new(), BTreeMap::new());
            for _ in 0..DRAWS {
                sized.produce(&mut entropy, &mut tree);
                let word = String::from_utf8(tree.text().to_vec()).unwrap();
                *drawn.entry(word).or_insert(0) += 1;
            }
            let each = f64::from(DRAWS) / f64::from(total);
            // Pearson's statistic; beyond four deviations above its mean once in some ten thousand seeds.
            let (mut sum, degrees) = (0.0, expected.len() as f64 - 1.0);
            for (word, count) in &expected {
                let mean = each * f64::from(*count);
                let apart = f64::from(drawn.remove(word).unwrap_or(0)) - mean;
                sum += apart * apart / mean;
            }
            assert!(drawn.is_empty(), "{text}: {drawn:?}");
            assert!(sum < degrees + 4.0 * (2.0 * degrees).sqrt(), "{text}: {sum} for {degrees}");
        }
    }

    fn words(letters: &str, size: u32) -> Vec<String> {
        (0..size).fold(vec![String::new()], |words, _| {
            let longer =
                |word: String| letters.chars().map(move |letter| format!("{word}{letter}"));
            words.into_iter().flat_map(longer).collect()
        })
    }

    #[test]
    fn sizes_in_nodes_are_those_of_the_trees() {
        let text =
            r#"s = e ; e = e "+" e | "x" | "(" e ")" | [a-z]{2,} | /[0-9]+/ | ( "y" | "z" )? ;"#;
        let (table, mut tree) = (table(text), Tree::new());
        for size in [3, 5, 9, 40] {
            let mut sized = by_size(&table, Measure::Nodes, size..=size).unwrap();
            for seed in 0..50 {
                sized.produce(&mut Seeded::new(seed), &mut tree);
                assert_eq!(tree.nodes().len(), size as usize);
                assert!(tree.check(&table).is_ok());
            }
        }
    }

    #[test]
    fn counts_are_exact_beyond_all_integers() {
        let table = table(r#"s = ( "a" | "b" )* ;"#);
        // The root, the repetition, and for each letter a group and a literal.
        let sized = by_size(&table, Measure::Nodes, 1002..=1002).unwrap();
        let power = BigUint::from(1_u32) << 500_u32;
        assert_eq!(sized.derivations(), power.to_string());
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        let said = |text: &str, measure, sizes| {
            let table = table(text);
            by_size(&table, measure, sizes).unwrap_err().to_string()
        };
        for text in [
            "s = s | \"a\" ;",
            "s = \"a\" t* ; t = \"\" | \"b\" ;",
            "s = t ; t = u? t | \"a\" ; u = \"b\" ;",
        ] {
            assert!(said(text, Measure::Bytes, 1..=3).contains("endless derivations"), "{text}");
            assert!(by_size(&table(text), Measure::Nodes, 1..=9).is_ok(), "{text}");
        }
        let read = "s = \"a\" | @read t ; t = t | \"b\" ;";
        assert!(by_size(&table(read), Measure::Bytes, 1..=1).is_ok());
        let layout = "%layout w; w = \" \" ; s = \"a\" s | \"b\" ;";
        assert!(said(layout, Measure::Bytes, 1..=3).contains("layout"));
        let list = "s = \"a\"* ;";
        assert_eq!(
            said("s = \"ab\"* ;", Measure::Bytes, 3..=3),
            "the grammar has no derivation of 3 to 3 bytes"
        );
        assert!(said(list, Measure::Nodes, 1..=u32::MAX - 1).contains("takes more than"));
        assert!(
            said("s = \"a\"{400000000} ;", Measure::Nodes, 1..=100).contains("takes more than")
        );
    }

    #[test]
    fn long_counts_are_more_work() {
        let nested = table(r#"s = "(" s ")" s | "[" s "]" s | "{" s "}" s | "" ;"#);
        let is_counted = |high: u32| {
            let states = States::new(&nested, Measure::Bytes, high, BySize::MOST_WORK).unwrap();
            let most = u64::from(high).pow(2);
            Counts::new(&states, states.rule(nested.start()), high, most).is_ok()
        };
        // Three products for an eighth of the square, of counts of up to 5 words and of 45.
        assert!(is_counted(200));
        assert!(!is_counted(1600));
    }
}
