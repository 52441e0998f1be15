//! A grammar and the parsers that judge it.

use pleach::produce::Options;
use pleach::table::Table;
use pleach::tree::Tree;

/// A grammar with its oracles.
pub struct Subject {
    /// The name of the grammar's file, without its suffix.
    pub grammar: &'static str,
    /// The standard, with its edition.
    pub standard: &'static str,
    /// The greatest k of the corpus that goes to the oracles: 3 where that is under 20,000 files,
    /// otherwise 2.
    pub k: usize,
    /// Budgets of random sentences, within which each oracle reads every sentence: without them,
    /// nested sentences meet the limits that parsers set to nesting.
    pub options: fn() -> Options,
    /// The parsers.
    pub oracles: &'static [Oracle],
}

/// A parser that knows nothing of the grammar.
pub struct Oracle {
    /// The crate and its version, as `serde_json 1`.
    pub name: &'static str,
    /// The parser's answer: the reason where it refuses.
    pub read: Reader,
    /// Why it may refuse what the grammar derives.
    pub clauses: &'static [Clause],
    /// Sentences that it must accept and that no clause excuses.
    pub accepted: &'static [&'static str],
    /// What it must refuse, and no clause excuses: an oracle that accepts everything is none.
    pub refused: &'static [&'static str],
}

/// What a parser judges.
#[derive(Clone, Copy)]
pub enum Reader {
    /// The text: UTF-8 or not.
    Text(fn(&[u8]) -> Result<(), String>),
    /// The text, by a parser that lacks whole constructs: it is not asked about sentences that hold
    /// one of these rules. Another oracle must judge them.
    Part(fn(&[u8]) -> Result<(), String>, &'static [Beyond]),
    /// The text as the first function rewrites it, where a parser trips over something that stands
    /// anywhere; a list of deviations must show it.
    Rewritten(fn(&Table, &Tree) -> Vec<u8>, fn(&[u8]) -> Result<(), String>),
    /// The text against its derivation tree, where a parser refuses nothing.
    Tree(fn(&Table, &Tree) -> Result<(), String>),
}

/// A rule that an oracle knows nothing of.
pub struct Beyond {
    /// The rule's name in the grammar.
    pub rule: &'static str,
    /// What the parser lacks.
    pub reason: &'static str,
    /// A short sentence that holds the rule and that the oracle refuses.
    pub witness: &'static str,
}

/// An excuse for a refusal.
pub struct Clause {
    /// The clause of the standard.
    pub name: &'static str,
    /// Whose fault the refusal is.
    pub kind: Kind,
    /// Whether the clause has to do with a sentence. Judged only where the oracle refuses, and
    /// over the sentence alone.
    pub applies: fn(&[u8]) -> bool,
    /// A short sentence of the grammar that the oracle refuses under this clause.
    pub witness: &'static str,
}

/// Whose fault a refusal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The standard demands, or lets a reader demand, what no context-free grammar says.
    BeyondGrammar,
    /// The parser deviates from the standard.
    Deviation,
}
