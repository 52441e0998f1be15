//! The native notation, which NOTATION.md describes: text to [`Grammar`] and back.
//!
//! Reading goes through [`nesting`] (a scan that bounds what the parser may recurse into),
//! [`syntax`] (the parser and its errors), [`read`] (one file's tree) and [`mod@include`] (the files
//! joined); [`mod@print`] is the way back.

#[rustfmt::skip]
#[allow(dead_code, clippy::all)]
mod generated;
pub(crate) mod include;
mod literal;
pub(crate) mod nesting;
pub(crate) mod print;
pub(crate) mod read;
mod same;
mod syntax;

pub use include::{Files, NoIncludes, Resolver};
pub(crate) use print::Labels;

use super::{Grammar, GrammarError};

impl Grammar {
    /// Reads a grammar in the native notation.
    ///
    /// `name` is what messages call the text, and what the resolver is told of includes in it.
    /// Names that no rule defines, and all else that needs the grammar as a whole, are not
    /// looked at here but where its table is built.
    ///
    /// # Errors
    ///
    /// Mistakes in the notation, in this text or in an included one: the first of syntax in each
    /// file, or else all in what its literals, classes and numbers say.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::grammar::{Grammar, NoIncludes};
    ///
    /// let error = Grammar::read("a.pleach", "a = \"x\" ", &NoIncludes).unwrap_err();
    /// assert_eq!(error.diagnostics()[0].message, "missing `;` before the end of the file");
    /// ```
    pub fn read(name: &str, text: &str, resolver: &dyn Resolver) -> Result<Self, GrammarError> {
        include::read(name, text, resolver)
    }

    /// Reads a grammar in the native notation, without includes.
    ///
    /// # Errors
    ///
    /// As [`Grammar::read`]; an include is a mistake.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::grammar::Grammar;
    ///
    /// let grammar = Grammar::parse("list = \"[\" list* \"]\" ;").unwrap();
    /// assert_eq!(grammar.to_string(), "list = \"[\" list* \"]\" ;\n");
    /// ```
    pub fn parse(text: &str) -> Result<Self, GrammarError> {
        Self::read("grammar", text, &NoIncludes)
    }
}
