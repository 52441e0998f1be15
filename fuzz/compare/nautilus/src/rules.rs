//! A grammar of pleach's as rules of Nautilus.
//!
//! Nautilus has nonterminals, each with rules that are equally likely, and a rule is a sequence of
//! strings and nonterminals. From a table to that:
//!
//! - A rule or group is a nonterminal, its alternatives that are produced are its rules. One that
//!   weighs n times as much as another stands there n times.
//! - `x*` is a nonterminal with the rules "nothing" and `x` before itself; other repetitions begin or
//!   end with a fixed number of the same.
//! - A class is a nonterminal with a rule for each byte; beyond ASCII, for each range of sequences of
//!   UTF-8, whose bytes are nonterminals in turn. LibAFL has regular expressions in rules, too, but
//!   0.16.1 generates no character beyond ASCII by them: it panics.
//! - A regular language is the right-linear rules of its automaton, which has no exclusions left.
//!
//! So far the language is the same, with each sentence's probability roughly what it is by weights.
//! It is smaller in three ways, all about tokens of grammars with a layout:
//!
//! - Between any two tokens stands layout: what would read as others without is not told apart. As
//!   nodes for it would take half of all mutations, the first token of an alternative has one, where
//!   other layout than the shortest stands once in sixteen times; before the others it is a string.
//! - No layout stands after the last token.
//! - Literals whose letters may be in either case are as written, which the parsers read alike.

use std::collections::HashMap;

use libafl::generators::NautilusContext;
use libafl::nautilus::grammartec::context::Context;
use pleach::grammar::Encoding;
use pleach::regular::{Dfa, StateId};
use pleach::table::{
    AlternativeId, OccurrenceId, Repetition, RuleId, Symbol, SymbolKind, Table, Terminal,
    TerminalId,
};
use regex_syntax::utf8::Utf8Sequences;

/// How many rules layout has. In all but one it is the shortest, as often as in what pleach produces.
const LAYOUTS: usize = 16;

/// The most copies of a rule; where weights ask for more, they are rounded.
const COPIES: u32 = 64;

/// As many of an element as this stand in a rule one beside the other; of more, halves do.
const BESIDE: u32 = 8;

/// The rules of a table, for trees that are grown to at most some number of nodes.
pub fn context(table: &Table, nodes: usize) -> NautilusContext {
    let mut rules =
        Rules { table, context: Context::new(), names: HashMap::new(), open: Vec::new() };
    // LibAFL's generator begins there.
    let start = rules.part(Key::Rule(table.start(), rules.place_in(table.start())));
    rules.add("START", &[start]);
    while let Some((key, name)) = rules.open.pop() {
        rules.define(&key, &name);
    }
    let mut context = rules.context;
    context.initialize(nodes);
    NautilusContext { ctx: context }
}

/// Where a symbol stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// In a token, or in a grammar without a layout.
    Inside,
    /// Outside tokens, where layout stands before each.
    Outside,
}

/// What a nonterminal stands for.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    /// A rule or a group.
    Rule(RuleId, Place),
    /// So many of an element.
    Exactly(u32, Symbol, Place),
    /// From none to so many of an element, whose odds of going on are the last number to one.
    UpTo(u32, Symbol, Place, u32),
    /// What stands before a token.
    Layout,
    /// A string that a rule of several parts cannot hold.
    Literal(Vec<u8>),
    /// One symbol of a class.
    Class(Vec<(u32, u32)>),
    /// One byte of a range.
    Byte(u8, u8),
    /// What an automaton accepts from a state.
    State(Automaton, StateId),
    /// The same, but for nothing at all.
    Moves(Automaton, StateId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Automaton {
    Terminal(TerminalId),
    Layout,
}

/// A part of a rule.
#[derive(Clone)]
enum Part {
    Bytes(Vec<u8>),
    Name(String),
}

struct Rules<'t> {
    table: &'t Table,
    context: Context,
    names: HashMap<Key, String>,
    /// Nonterminals without rules so far.
    open: Vec<(Key, String)>,
}

impl<'t> Rules<'t> {
    /// Adds a rule. In Nautilus' notation names stand in braces, and a brace of the language has a
    /// backslash before it, so other backslashes stand alone.
    fn add(&mut self, name: &str, parts: &[Part]) {
        if let [Part::Bytes(bytes)] = parts {
            self.context.add_term_rule(name, bytes);
            return;
        }
        let mut format = Vec::new();
        for part in parts {
            match part {
                Part::Bytes(bytes) if bytes.contains(&b'\\') => {
                    let Part::Name(name) = self.part(Key::Literal(bytes.clone())) else { continue };
                    format.extend_from_slice(format!("{{{name}}}").as_bytes());
                }
                Part::Bytes(bytes) => {
                    for &byte in bytes {
                        if matches!(byte, b'{' | b'}') {
                            format.push(b'\\');
                        }
                        format.push(byte);
                    }
                }
                Part::Name(name) => format.extend_from_slice(format!("{{{name}}}").as_bytes()),
            }
        }
        self.context.add_rule(name, &format);
    }

    /// The nonterminal for something.
    fn part(&mut self, key: Key) -> Part {
        if let Some(name) = self.names.get(&key) {
            return Part::Name(name.clone());
        }
        let name = format!("N{}", self.names.len());
        self.names.insert(key.clone(), name.clone());
        self.open.push((key, name.clone()));
        Part::Name(name)
    }

    /// Adds the rules of a nonterminal.
    fn define(&mut self, key: &Key, name: &str) {
        match key {
            &Key::Rule(rule, place) => {
                for (alternative, copies) in self.copies(rule) {
                    let parts = self.alternative(alternative, place);
                    (0..copies).for_each(|_| self.add(name, &parts));
                }
            }
            &Key::Exactly(count, element, place) => {
                let parts = [count / 2, count - count / 2]
                    .map(|count| self.exactly(count, element, place))
                    .concat();
                self.add(name, &parts);
            }
            &Key::UpTo(most, element, place, weight) => {
                self.add(name, &[]);
                let mut parts = self.element(element, place);
                match most {
                    1 => {}
                    Repetition::UNBOUNDED => parts.push(Part::Name(name.to_owned())),
                    _ => parts.push(self.part(Key::UpTo(most - 1, element, place, weight))),
                }
                (0..weight.clamp(1, COPIES)).for_each(|_| self.add(name, &parts));
            }
            Key::Layout => {
                let Some(layout) = self.table.layout() else { return };
                let separator = Part::Bytes(layout.separator().to_vec());
                (1..LAYOUTS).for_each(|_| self.add(name, std::slice::from_ref(&separator)));
                let start = layout.between().start();
                if layout.between().distance(start).is_some() {
                    let between = self.part(Key::State(Automaton::Layout, start));
                    self.add(name, &[separator.clone(), between, separator]);
                }
            }
            Key::Literal(bytes) => self.add(name, &[Part::Bytes(bytes.clone())]),
            Key::Class(ranges) => self.class(name, ranges),
            &Key::Byte(low, high) => {
                (low..=high).for_each(|byte| self.add(name, &[Part::Bytes(vec![byte])]));
            }
            &Key::State(automaton, state) => {
                let dfa = self.automaton(automaton);
                if dfa.is_accepting(state) {
                    self.add(name, &[]);
                    if !dfa.transitions(state).is_empty() {
                        // Else the more symbols may follow, the longer strings would be.
                        let moves = self.part(Key::Moves(automaton, state));
                        self.add(name, &[moves]);
                    }
                } else {
                    self.moves(name, automaton, state);
                }
            }
            &Key::Moves(automaton, state) => self.moves(name, automaton, state),
        }
    }

    /// The alternatives of a rule, and how many copies the weights make of each.
    fn copies(&self, rule: RuleId) -> Vec<(AlternativeId, u32)> {
        let weights = || self.table.alternatives(rule).map(|it| self.table.weight(it));
        let common = weights().fold(0, gcd).max(1);
        let most = (weights().max().unwrap_or(1) / common).max(1);
        self.table
            .alternatives(rule)
            .map(|alternative| {
                let weight = u64::from(self.table.weight(alternative) / common);
                let copies = weight * u64::from(most.min(COPIES)) / u64::from(most);
                (alternative, copies.max(1) as u32)
            })
            .collect()
    }

    fn alternative(&mut self, alternative: AlternativeId, place: Place) -> Vec<Part> {
        let (mut parts, mut bare) = (Vec::new(), true);
        for &item in self.table.items(alternative) {
            self.symbol(item, place, &mut bare, &mut parts);
        }
        parts
    }

    fn element(&mut self, element: Symbol, place: Place) -> Vec<Part> {
        let mut parts = Vec::new();
        self.symbol(element, place, &mut true, &mut parts);
        parts
    }

    fn exactly(&mut self, count: u32, element: Symbol, place: Place) -> Vec<Part> {
        if count <= BESIDE {
            let element = self.element(element, place);
            return vec![element; count as usize].concat();
        }
        vec![self.part(Key::Exactly(count, element, place))]
    }

    /// Appends what stands for a symbol. Layout has a node where `bare` says so, which it does once.
    fn symbol(&mut self, symbol: Symbol, place: Place, bare: &mut bool, parts: &mut Vec<Part>) {
        match symbol.kind() {
            SymbolKind::Reference(occurrence) => {
                let rule = self.table.target(occurrence).expect("it refers to a rule");
                let within = match place {
                    Place::Inside => Place::Inside,
                    Place::Outside => self.place_in(rule),
                };
                if within != place {
                    self.layout(bare, parts);
                }
                parts.push(self.part(Key::Rule(rule, within)));
            }
            SymbolKind::Terminal(occurrence) => {
                if place == Place::Outside {
                    self.layout(bare, parts);
                }
                parts.push(self.terminal(occurrence));
            }
            SymbolKind::Group(rule) | SymbolKind::Root(rule) => {
                parts.push(self.part(Key::Rule(rule, place)));
            }
            SymbolKind::Repetition(repetition) => {
                let Repetition { element, min, max, weight, .. } =
                    *self.table.repetition(repetition);
                parts.extend(self.exactly(min, element, place));
                let more = if max == Repetition::UNBOUNDED { max } else { max - min };
                if more > 0 {
                    parts.push(self.part(Key::UpTo(more, element, place, weight)));
                }
            }
            SymbolKind::Layout => {}
        }
    }

    /// Whether the items of a rule stand in a token, where it stands in none itself.
    fn place_in(&self, rule: RuleId) -> Place {
        match self.table.layout() {
            Some(layout) if !layout.is_lexical(rule) => Place::Outside,
            _ => Place::Inside,
        }
    }

    fn layout(&mut self, bare: &mut bool, parts: &mut Vec<Part>) {
        if std::mem::take(bare) {
            parts.push(self.part(Key::Layout));
        } else if let Some(layout) = self.table.layout() {
            parts.push(Part::Bytes(layout.separator().to_vec()));
        }
    }

    fn terminal(&mut self, occurrence: OccurrenceId) -> Part {
        let id = self.table.terminal_at(occurrence).expect("it is a terminal");
        match self.table.terminal(id) {
            Terminal::Literal { bytes, .. } => Part::Bytes(bytes.to_vec()),
            Terminal::Class { ranges } => self.one_of(ranges),
            Terminal::Regular { automaton } => {
                self.part(Key::State(Automaton::Terminal(id), automaton.start()))
            }
        }
    }

    fn automaton(&self, automaton: Automaton) -> &'t Dfa {
        match automaton {
            Automaton::Terminal(id) => match self.table.terminal(id) {
                Terminal::Regular { automaton } => automaton,
                _ => unreachable!("only regular terminals have states"),
            },
            Automaton::Layout => self.table.layout().expect("it has states").between(),
        }
    }

    /// Adds a rule for each move from a state.
    fn moves(&mut self, name: &str, automaton: Automaton, state: StateId) {
        let dfa = self.automaton(automaton);
        for transition in dfa.transitions(state) {
            let target = transition.target;
            let mut parts = vec![self.one_of(dfa.class_ranges(transition.class))];
            if !(dfa.is_accepting(target) && dfa.transitions(target).is_empty()) {
                parts.push(self.part(Key::State(automaton, target)));
            }
            self.add(name, &parts);
        }
    }

    fn one_of(&mut self, ranges: &[(u32, u32)]) -> Part {
        match (ranges, self.table.encoding()) {
            (&[(low, high)], Encoding::Bytes) if low == high => Part::Bytes(vec![low as u8]),
            (&[(low, high)], Encoding::Unicode) if low == high => {
                let text = char::from_u32(low).map(String::from).unwrap_or_default();
                Part::Bytes(text.into_bytes())
            }
            _ => self.part(Key::Class(ranges.to_vec())),
        }
    }

    fn class(&mut self, name: &str, ranges: &[(u32, u32)]) {
        let last = match self.table.encoding() {
            Encoding::Bytes => 0xFF,
            Encoding::Unicode => 0x7F,
        };
        for &(low, high) in ranges {
            (low..=high.min(last))
                .for_each(|byte| self.add(name, &[Part::Bytes(vec![byte as u8])]));
            for (low, high) in scalars(low.max(last + 1), high) {
                for sequence in Utf8Sequences::new(low, high) {
                    let parts: Vec<_> = sequence
                        .as_slice()
                        .iter()
                        .map(|range| match (range.start, range.end) {
                            (low, high) if low == high => Part::Bytes(vec![low]),
                            (low, high) => self.part(Key::Byte(low, high)),
                        })
                        .collect();
                    self.add(name, &parts);
                }
            }
        }
    }
}

/// The scalar values of a range: all but surrogates.
fn scalars(low: u32, high: u32) -> impl Iterator<Item = (char, char)> {
    let below = (low, high.min(0xD7FF));
    let above = (low.max(0xE000), high);
    [below, above]
        .into_iter()
        .filter(|(low, high)| low <= high)
        .filter_map(|(low, high)| char::from_u32(low).zip(char::from_u32(high)))
}

fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use libafl::generators::NautilusGenerator;
    use libafl::inputs::NautilusInput;
    use libafl_bolts::rands::StdRand;
    use pleach::grammar::Grammar;
    use pleach::parse::{Parser, Scratch};
    use pleach::table::Lowering;

    use super::*;

    fn table(grammar: &str) -> Table {
        Table::parse(grammar).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Calls a function with sentences that Nautilus generates, the same ones each time.
    fn generate(table: &Table, nodes: usize, count: usize, mut each: impl FnMut(&[u8])) {
        let context = context(table, nodes);
        let generator = NautilusGenerator::new(&context);
        let start = generator.nonterminal("START");
        let (mut random, mut text) = (StdRand::with_seed(1), Vec::new());
        let mut tree = NautilusInput::empty();
        for _ in 0..count {
            generator.generate_from_nonterminal(&mut random, &mut tree, start, nodes);
            tree.unparse(&context, &mut text);
            each(&text);
        }
    }

    /// Grammars of the repository, whether a target with such an executable has them or not.
    #[test]
    fn sentences_of_nautilus_are_sentences_of_the_grammar() {
        for name in ["javascript", "json", "lua", "regex", "sql", "xml"] {
            let path = format!("{}/../../../grammars/{name}.pleach", env!("CARGO_MANIFEST_DIR"));
            let table = table(&std::fs::read_to_string(path).unwrap());
            let (parser, mut scratch) = (Parser::new(&table), Scratch::new());
            let mut different = BTreeSet::new();
            for nodes in [30, 300] {
                generate(&table, nodes, 1000, |text| {
                    if let Err(error) = parser.recognise(text, &mut scratch) {
                        panic!("{name}: {error}\n{}", String::from_utf8_lossy(text));
                    }
                    different.insert(text.to_vec());
                });
            }
            assert!(different.len() > 500, "{name}: {}", different.len());
        }
    }

    /// Of finite languages every sentence is generated, and nothing else.
    #[test]
    fn finite_languages_are_the_same() {
        let all = |grammar: &str| {
            let (table, mut texts) = (table(grammar), BTreeSet::new());
            let (parser, mut scratch) = (Parser::new(&table), Scratch::new());
            generate(&table, 200, 5000, |text| {
                parser.recognise(text, &mut scratch).unwrap_or_else(|error| panic!("{error}"));
                texts.insert(String::from_utf8(text.to_vec()).unwrap());
            });
            texts.into_iter().collect::<Vec<_>>()
        };
        for (grammar, sentences) in [
            (
                r#"a = "{" b "}" | "\\{" | "\\" b | "{b}" ; b = "}" | "" ;"#,
                &["\\", "\\{", "\\}", "{b}", "{}", "{}}"][..],
            ),
            (r#"a = "x"{0,2} "y"{2} ;"#, &["xxyy", "xyy", "yy"]),
            (r#"a = b{20} ; b = "a" ;"#, &["aaaaaaaaaaaaaaaaaaaa"]),
            (r#"a = ( "x" | "y" "z"? )? ;"#, &["", "x", "y", "yz"]),
            (
                r"a = [a\\é\u{D7FF}\u{E000}😀-😁] ;",
                &["\\", "a", "é", "\u{D7FF}", "\u{E000}", "😀", "😁"],
            ),
            (r#"a = /[ab]{1,2}/ except ( "a" | "bb" ) ;"#, &["aa", "ab", "b", "ba"]),
            (r#"a = @3 "a" | @0 "b" | @9 "c" | @read "d" ;"#, &["a", "b", "c"]),
        ] {
            assert_eq!(all(grammar), sentences, "{grammar}");
        }
    }

    #[test]
    fn layout_stands_between_tokens_and_varies_before_the_first() {
        let table = table(
            r#"%start a; %layout l; %lexical n; l = " "* ; a = "a" n "b" "c" ; n = "1" "2" ;"#,
        );
        let mut indents = BTreeSet::new();
        generate(&table, 200, 1000, |text| {
            let text = str::from_utf8(text).unwrap();
            assert_eq!(text.trim_start(), "a 12 b c");
            indents.insert(text.len());
        });
        assert!(indents.len() > 3, "{indents:?}");
    }

    #[test]
    fn weights_are_copies() {
        let table = table(r#"a = @30 "a" | @10 "b" | @0 "c" ;"#);
        let mut counts = [0; 3];
        generate(&table, 10, 5000, |text| counts[usize::from(text[0] - b'a')] += 1);
        // 3 to 1 to 1: what weighs nothing has one rule, as there is no other way to have it.
        assert!(counts.iter().zip([3, 1, 1]).all(|(&is, of)| (800 * of..1200 * of).contains(&is)));
    }
}
