//! Whether a grammar and an implementation, or two implementations, disagree on an input.

use std::fmt;

use super::smallest::smallest;
use crate::parse::{Error, Limits, Parser, Scratch};
use crate::table::{Objective, RuleId, Table};
use crate::tree::{Outline, Tree};

/// The bounds of a parse: what passes them is not judged.
const ITEMS_PER_BYTE: u32 = 256;
const MEMORY: u64 = 256 << 20;

/// Compares verdicts, and makes inputs small on which they differ.
pub struct Oracle<'t> {
    parser: Parser<'t>,
    scratch: Scratch,
}

/// An input on which specification and implementation disagree, as it was found and at its
/// smallest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// What was found.
    pub text: String,
    /// The smallest input that was found from there on which the two disagree in the same way.
    pub smallest: String,
    /// Who does what, in words.
    pub message: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}\n  smallest input: {:?}\n  found as: {:?}",
            self.message, self.smallest, self.text
        )
    }
}

impl<'t> Oracle<'t> {
    /// An oracle for the language of a table.
    pub fn new(table: &'t Table) -> Self {
        let limits = Limits::new().items_per_byte(ITEMS_PER_BYTE).memory(MEMORY);
        Self { parser: Parser::new(table).limits(limits), scratch: Scratch::new() }
    }

    /// Whether the grammar has a text; none where its parser's bounds were reached before that was known.
    pub fn has(&mut self, text: &str) -> Option<bool> {
        match self.parser.recognise(text.as_bytes(), &mut self.scratch) {
            Ok(()) => Some(true),
            Err(Error::Syntax(_)) => Some(false),
            Err(_) => None,
        }
    }

    /// Compares the grammar's verdict with an implementation's.
    ///
    /// None where they agree, and where the grammar's is not known.
    pub fn verdict(
        &mut self,
        text: &str,
        mut accepts: impl FnMut(&str) -> bool,
    ) -> Option<Disagreement> {
        let has = self.has(text)?;
        if accepts(text) == has {
            return None;
        }
        let parser = self.parser.clone();
        let smallest =
            smallest(&parser, text, |text| self.has(text) == Some(has) && accepts(text) != has);
        let message = match has {
            true => {
                let part = self.part(&smallest);
                format!("the implementation rejects what the grammar has{part}")
            }
            false => {
                let why = self.parser.recognise(smallest.as_bytes(), &mut self.scratch);
                let why = why.err().map(|error| format!(": {error}")).unwrap_or_default();
                format!("the implementation accepts what the grammar does not have{why}")
            }
        };
        Some(Disagreement { text: text.to_owned(), smallest, message })
    }

    /// Compares what two implementations return.
    pub fn results<A, B>(
        &mut self,
        text: &str,
        mut first: impl FnMut(&str) -> A,
        mut second: impl FnMut(&str) -> B,
    ) -> Option<Disagreement>
    where
        A: PartialEq<B> + fmt::Debug,
        B: fmt::Debug,
    {
        if first(text) == second(text) {
            return None;
        }
        let smallest = smallest(&self.parser, text, |text| first(text) != second(text));
        let (a, b) = (first(&smallest), second(&smallest));
        let message = format!("one returns {a:?}, the other {b:?}");
        Some(Disagreement { text: text.to_owned(), smallest, message })
    }

    /// The smallest part of a small sentence that is longer than it needs to be: all else is there only
    /// because the grammar asks for it.
    fn part(&mut self, text: &str) -> String {
        let mut tree = Tree::new();
        if self.parser.parse(text.as_bytes(), &mut self.scratch, &mut tree).is_err() {
            return String::new();
        }
        let table = self.parser.table();
        let outline = Outline::new(table, &tree);
        let mut best: Option<(usize, String)> = None;
        for (index, node) in tree.nodes().iter().enumerate() {
            let named = |rule: &RuleId| rule.index() < table.named_rule_count();
            let Some(rule) = table.rule_behind(node.symbol).filter(named) else { continue };
            let span = outline.span(index);
            let least = table.minima().front(Objective::Bytes, rule).last();
            let is_longer = least.is_some_and(|least| span.len() as u64 > least.cost.bytes);
            // Deeper ones come later.
            if is_longer && best.as_ref().is_none_or(|&(most, _)| span.len() <= most) {
                let part = String::from_utf8_lossy(&tree.text()[span.clone()]).into_owned();
                let name = table.names().rule(rule);
                best = Some((span.len(), format!(": there `{name}` is {part:?}")));
            }
        }
        best.map(|(_, part)| part).unwrap_or_default()
    }
}

impl fmt::Debug for Oracle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Oracle").finish_non_exhaustive()
    }
}
