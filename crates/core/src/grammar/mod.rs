//! Grammars as people write them: the syntax tree every front end builds, the native notation,
//! and the messages about both.

mod ast;
mod diagnostic;
pub(crate) mod notation;

pub use ast::{
    Alternative, Associativity, Binding, Encoding, Expr, ExprId, Grammar, Mark, Name, PartRule,
    Rule, SourceFile, Span,
};
pub use diagnostic::{Diagnostic, GrammarError, Location, Severity, Sources};
pub use notation::{Files, NoIncludes, Resolver};

pub(crate) use notation::Labels;
