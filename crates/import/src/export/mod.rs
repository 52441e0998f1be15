//! Grammars in other notations, from a [`Grammar`]: the way back from [`mod@crate::import`].
//!
//! | target | |
//! | --- | --- |
//! | `abnf` | RFC 5234, with the case-sensitive strings of RFC 7405 |
//! | `gbnf` | the grammars of llama.cpp |
//! | `native` | NOTATION.md |
//! | `w3c` | the EBNF of XML 1.0, section 6 |
//!
//! The native notation says all. The others get a grammar of the same language where they can say it, and a
//! warning, with place and effect, where they cannot (an error if the caller is strict):
//!
//! - **Regexes** are written out as groups, classes and repetitions.
//! - **Classes** of many ranges that come more than once, as properties of Unicode do, share a rule for what is
//!   beyond ASCII.
//! - **`except`** is `-` in W3C's notation, and elsewhere rules, one for each state of its automaton; one of too many
//!   states is written without what is taken away: lost.
//! - **Counts** that W3C's notation lacks are written out, by rules that double where they are large.
//! - **Layout** is written out where it may stand: after each token, and before the first. Whoever takes the grammar
//!   elsewhere has no other place for it, and reads with it what was read before. Lost is that two words need it
//!   between them: `ifx` is accepted where only `if x` was.
//!   A rule that is used inside tokens and outside is there twice.
//! - **Weights** are left out: lost. **`@read`** alternatives are written as the others: lost, for what is
//!   produced elsewhere has them. **Bindings** (`@left 1`) are left out: lost, for the trees of texts with
//!   several operators.
//! - **Bytes** above 0x7F are characters in W3C's notation and in llama.cpp's: lost. ABNF's numbers are whatever the
//!   encoding says; a Unicode grammar whose last symbol is between U+0080 and U+00FF is read as bytes: lost.
//! - **Parts** are written as the one text that they are kept in.
//! - **Names** that the target does not know as such, or does not tell apart, are replaced by similar ones. llama.cpp
//!   begins with `root`.
//! - **Left recursion** is there in all, with a warning for llama.cpp, which refuses it.
//! - Comments on rules are kept.
//!
//! # Examples
//!
//! ```
//! use pleach::export::{Exporter, Target};
//! use pleach::grammar::Grammar;
//!
//! let grammar = Grammar::parse("list = \"[\" ( item ( \",\" item ){2} )? \"]\" ; item = /[a-z]+/ ;").unwrap();
//! let exported = Exporter::new(Target::Gbnf).write(&grammar)?;
//! assert!(exported.warnings.is_empty());
//! assert_eq!(
//!     exported.text,
//!     "root ::= list\nlist ::= \"[\" (item (\",\" item){2})? \"]\"\nitem ::= [a-z]+\n"
//! );
//! # Ok::<(), pleach::grammar::GrammarError>(())
//! ```

mod abnf;
mod automaton;
mod classes;
mod counts;
mod gbnf;
mod names;
mod pattern;
mod plain;
mod recursion;
mod w3c;
mod write;

use std::fmt;
use std::str::FromStr;

use pleach_core::grammar::{Diagnostic, Grammar, GrammarError, Severity};
use pleach_core::internal;

/// A notation that grammars can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Target {
    /// ABNF: RFC 5234 and RFC 7405.
    Abnf,
    /// The grammars of llama.cpp.
    Gbnf,
    /// The notation of this crate.
    Native,
    /// The EBNF of XML 1.0.
    W3c,
}

/// All targets, by name.
const ALL: [(&str, Target); 4] = [
    ("abnf", Target::Abnf),
    ("gbnf", Target::Gbnf),
    ("native", Target::Native),
    ("w3c", Target::W3c),
];

impl Target {
    /// The names of all targets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|&(name, _)| name)
    }
}

impl fmt::Display for Target {
    /// The name, as [`Target::names`] has it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = ALL.iter().find(|(_, target)| target == self);
        out.write_str(found.map_or("", |&(name, _)| name))
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = ALL.iter().find(|&&(known, _)| known == name).map(|&(_, target)| target);
        found.ok_or_else(|| {
            let names: Vec<&str> = Self::names().collect();
            format!("no such notation; there are {}", names.join(", "))
        })
    }
}

/// The text of a grammar in another notation, and warnings of what that cannot say.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The grammar, lines ended by line feeds.
    pub text: String,
    /// What the notation cannot say, and the effect; spans are of the grammar's files.
    pub warnings: Vec<Diagnostic>,
}

/// Writes grammars in other notations.
#[derive(Clone, Debug)]
pub struct Exporter {
    target: Target,
    strict: bool,
}

impl Exporter {
    /// Writes this notation.
    pub fn new(target: Target) -> Self {
        Self { target, strict: false }
    }

    /// Whether what the notation cannot say is an error. The default is a warning.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Writes a grammar.
    ///
    /// # Errors
    ///
    /// Names that are undefined or defined twice and regular expressions that are none, as where
    /// the table is built; and, if this is strict, what the notation cannot say.
    pub fn write(&self, grammar: &Grammar) -> Result<Exported, GrammarError> {
        if self.target == Target::Native {
            return Ok(Exported { text: grammar.to_string(), warnings: Vec::new() });
        }
        let joined = internal::join_parts(grammar)?;
        let plain = plain::write(joined.as_ref().unwrap_or(grammar), self.target)?;
        let mut warnings = plain.warnings;
        if joined.is_some()
            && let Some(layout) = &grammar.layout
        {
            let what = "layout stands before the headers of parts there, too";
            warnings.push(Diagnostic::warning(layout.span, what).help("such texts are no inputs"));
        }
        if self.strict && !warnings.is_empty() {
            let errors = warnings
                .into_iter()
                .map(|warning| Diagnostic { severity: Severity::Error, ..warning });
            return Err(GrammarError::new(grammar.files.clone(), errors.collect()));
        }
        let text = match self.target {
            Target::Abnf => write::text(&plain.grammar, &abnf::Abnf),
            Target::Gbnf => write::text(&plain.grammar, &gbnf::Gbnf),
            _ => write::text(&plain.grammar, &w3c::W3c),
        };
        Ok(Exported { text, warnings })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_documented() {
        let text = include_str!("mod.rs");
        for name in Target::names() {
            assert_eq!(name.parse::<Target>().unwrap().to_string(), name);
            assert_eq!(text.matches(&format!("//! | `{name}` |")).count(), 1, "{name}");
        }
        assert!("g4".parse::<Target>().unwrap_err().contains("w3c"));
    }
}
