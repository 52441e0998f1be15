//! Parts: what can be read of a text that is not of the grammar.
//!
//! A part is a stretch of the text that is a sentence of some named rule. All of them are found in
//! one pass of the chart, in which every rule may begin at every place and anything may follow it.
//! Of those that overlap the longest is taken, of equally long ones the first: a bracket that is
//! never closed costs what is around it, and not what is inside.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::compiled::{Compiled, Kind};
use super::error::{Error, SyntaxError};
use super::id::Offset;
use super::inside::Insides;
use super::limits::Limits;
use super::parser::{Parser, Scratch};
use super::prepared::Prepared;
use super::work::Work;
use crate::table::Table;
use crate::tree::Tree;

/// Finds the largest parts of texts that are sentences of some rule.
///
/// Built once, `Send + Sync`, and shared between threads. Its [`Scratch`] is best one of its own.
///
/// # Examples
///
/// ```
/// use pleach::parse::{PartialParser, Scratch};
/// use pleach::table::Table;
/// use pleach::tree::Tree;
///
/// let table = Table::parse(r#"list = "[" ( item ( "," item )* )? "]" ; item = "a" | list ;"#)?;
/// let (parts, mut scratch, mut tree) = (PartialParser::new(&table), Scratch::new(), Tree::new());
/// let text = b"[[a,[]],a";
/// let found = parts.find(text, &mut scratch)?;
/// assert_eq!(found.parts, [1..7, 8..9]);
/// parts.read(&text[1..7], &mut scratch, &mut tree)?;
/// assert_eq!(tree.text(), b"[a,[]]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartialParser<'t> {
    parser: Parser<'t>,
}

/// The parts of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Where they stand, from left to right. None is empty, and no two overlap.
    pub parts: Vec<Range<usize>>,
    /// How many bytes were looked through: all, unless the [`Limits`] were reached before.
    pub looked: usize,
}

impl<'t> PartialParser<'t> {
    /// With the default limits.
    pub fn new(table: &'t Table) -> Self {
        let start = Kind::Text;
        let grammar = Compiled::new(table, start).with_bindings(table, start);
        let prepared = Prepared { grammar, insides: Insides::new(table), program: None };
        let prepared = Arc::new(prepared);
        Self { parser: Parser { table, prepared, limits: Limits::default() } }
    }

    /// For the table of a parser, with its limits.
    #[cfg(feature = "front")]
    pub(crate) fn of(parser: &Parser<'t>) -> Self {
        Self::new(parser.table).limits(parser.limits.clone())
    }

    /// Sets the bounds on the work for each text. The default is [`Limits::default`].
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { parser: self.parser.limits(limits) }
    }

    /// Finds the parts of a text: the longest sentence of any rule, of equally long ones the first;
    /// then the longest that does not overlap it, and so on.
    ///
    /// In a grammar with layout only tokens begin inside a word. Where the limits are reached, the
    /// parts are those of the text before.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`], [`Error::TooLong`] and [`Error::Memory`].
    pub fn find(&self, text: &[u8], scratch: &mut Scratch) -> Result<Found, Error> {
        let mut looked = text.len();
        self.parser.bounded(text, scratch, &mut Tree::new(), |work, scratch, _| {
            let work = Work { explains: false, everywhere: true, ..work };
            match scratch.chart.read::<false>(&work, &mut scratch.states) {
                Ok(_) | Err(Error::Syntax(_)) => looked = text.len(),
                Err(Error::Budget { at }) => looked = at,
                Err(error) => return Err(error),
            }
            Ok(())
        })?;
        Ok(Found { parts: largest(&mut scratch.chart.parts), looked })
    }

    /// Reads a part into a tree. Its root is the rule that the grammar writes first, of those that
    /// derive all of it; in all else the tree is as [`Parser::parse`] makes it.
    ///
    /// # Errors
    ///
    /// As for [`Parser::parse`].
    pub fn read(&self, part: &[u8], scratch: &mut Scratch, tree: &mut Tree) -> Result<(), Error> {
        if part.is_empty() {
            tree.clear();
            return Err(Error::Syntax(SyntaxError::new(part, 0, Vec::new())));
        }
        self.parser.parse(part, scratch, tree)
    }
}

/// Of places where texts begin and end, the longest that do not overlap; from left to right.
fn largest(all: &mut [(Offset, Offset)]) -> Vec<Range<usize>> {
    all.sort_unstable_by_key(|&(from, to)| (Reverse(to.since(from)), from));
    let mut taken: BTreeMap<Offset, Offset> = BTreeMap::new();
    for &(from, to) in &*all {
        // Those taken do not overlap, so the last that begins before the end is the one to ask.
        let is_free = taken.range(..to).next_back().is_none_or(|(_, &end)| end <= from);
        if from < to && is_free {
            taken.insert(from, to);
        }
    }
    taken.into_iter().map(|(from, to)| from.index()..to.index()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::Seeded;
    use crate::grammar::Grammar;
    use crate::produce::{Options, Producer};
    use crate::table::{Lowering, RuleId, SymbolKind};

    fn table(text: &str) -> Table {
        Table::parse(text).expect("it reads")
    }

    fn bundled(name: &str) -> (Grammar, Table) {
        let path = format!("{}/../../grammars/{name}.pleach", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the grammar is there");
        let grammar = Grammar::parse(&text).expect("it reads");
        let table = Lowering::new().lower(&grammar).expect("it lowers").table;
        (grammar, table)
    }

    fn texts(table: &Table, text: &str) -> Vec<String> {
        let found =
            PartialParser::new(table).find(text.as_bytes(), &mut Scratch::new()).expect("it ends");
        assert_eq!(found.looked, text.len());
        found.parts.into_iter().map(|part| text[part].to_owned()).collect()
    }

    #[test]
    fn a_missing_quote_costs_one_member() {
        let json = bundled("json").1;
        let text = r#"{"a:1,"b":[1,2,3],"c":{"d":"x"}}"#;
        let found = texts(&json, text);
        assert!(found.contains(&r#""b":[1,2,3]"#.to_owned()), "{found:?}");
        assert!(found.contains(&r#""c":{"d":"x"}"#.to_owned()), "{found:?}");
    }

    #[test]
    fn parts_may_begin_and_end_with_layout_and_not_within_words() {
        let table = table(
            "%layout ws ; %lexical name ; sum = sum \"+\" name | name ; name = /[a-z]+/ ; ws = [ ]* ;",
        );
        assert_eq!(texts(&table, "ab + + cd+e )"), ["ab", " cd+e"]);
    }

    #[test]
    fn operators_nest_as_their_bindings_say() {
        let table =
            table(r#"e = @left 1 e "+" e | @left 2 e "*" e | n ; n = [0-9] ; s = "(" e ")" ";" ;"#);
        let text = b"1+2*3+4";
        let (parts, mut scratch) = (PartialParser::new(&table), Scratch::new());
        let (mut part, mut whole) = (Tree::new(), Tree::new());
        assert_eq!(
            parts.find(b"((1+2*3+4", &mut scratch).expect("it ends").parts,
            std::slice::from_ref(&(2..9))
        );
        parts.read(text, &mut scratch, &mut part).expect("it is a part");
        Parser::new(&table).parse(text, &mut Scratch::new(), &mut whole).expect("it is a text");
        assert_eq!(part, whole);
    }

    #[test]
    fn the_longest_part_is_that_of_all_spans_and_rules() {
        for name in ["json", "csv", "ip", "semver"] {
            let (grammar, table) = bundled(name);
            let rules = (0..table.named_rule_count() as u32).map(RuleId::new);
            let tables: Vec<Table> = rules
                .map(|rule| {
                    let start = table.names().rule(rule);
                    Lowering::new().start(start).lower(&grammar).expect("it lowers").table
                })
                .collect();
            let parsers: Vec<Parser<'_>> = tables.iter().map(Parser::new).collect();
            let mut scratches = vec![Scratch::new(); parsers.len()];
            let (parts, mut scratch, mut tree) =
                (PartialParser::new(&table), Scratch::new(), Tree::new());
            let options = Options::new().max_bytes(12);
            let mut producer = Producer::new(&table, options).expect("they fit");
            for seed in 0..40 {
                producer.produce(&mut Seeded::new(seed), &mut tree);
                let mut text = tree.text().to_vec();
                text.remove(seed as usize % text.len().max(1));
                let is_part = |part: &[u8], scratches: &mut [Scratch]| {
                    let mut all = parsers.iter().zip(scratches);
                    all.any(|(parser, scratch)| parser.recognise(part, scratch).is_ok())
                };
                let mut longest = 0;
                for from in 0..text.len() {
                    let ends = (from + longest + 1..=text.len()).rev();
                    let end = { ends }.find(|&to| is_part(&text[from..to], &mut scratches));
                    longest = end.map_or(longest, |to| to - from);
                }
                let found = parts.find(&text, &mut scratch).expect("it ends").parts;
                let shown = String::from_utf8_lossy(&text).into_owned();
                let most = found.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
                assert_eq!(most, longest, "{name}, seed {seed}: {shown:?}: {found:?}");
                for part in found {
                    let part = &text[part];
                    parts.read(part, &mut scratch, &mut tree).expect("it is a part");
                    assert_eq!(tree.text(), part);
                    let root =
                        tree.nodes().iter().find(|node| node.symbol.kind() != SymbolKind::Layout);
                    let Some(SymbolKind::Root(rule)) = root.map(|node| node.symbol.kind()) else {
                        panic!("{name}, seed {seed}: {shown:?}: no root");
                    };
                    let first = (0..parsers.len()).find(|&index| {
                        parsers[index].recognise(part, &mut scratches[index]).is_ok()
                    });
                    assert_eq!(first, Some(rule.index()), "{name}, seed {seed}: {shown:?}");
                }
            }
        }
    }

    #[test]
    fn work_is_bounded_and_what_was_found_is_kept() {
        let table = table("s = s s | a ; a = \"a\" ;");
        let parts = PartialParser::new(&table).limits(Limits::new().items_per_byte(8));
        let text = "a".repeat(10_000);
        let found = parts.find(text.as_bytes(), &mut Scratch::new()).expect("it ends");
        assert!((1..text.len()).contains(&found.looked), "{}", found.looked);
        assert!(found.parts[0].len() > 1 && found.parts[0].end <= found.looked, "{found:?}");
    }
}
