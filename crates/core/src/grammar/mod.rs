//! Grammars as people write them: the syntax tree every front end builds, the native notation,
//! and the messages about both.

#[cfg(feature = "front")]
mod ast;
#[cfg(feature = "front")]
mod diagnostic;
mod kept;
#[cfg(feature = "front")]
pub(crate) mod near;
#[cfg(feature = "front")]
pub(crate) mod notation;

#[cfg(feature = "front")]
pub use ast::{Alternative, Expr, ExprId, Grammar, Mark, Name, PartRule, Rule, SourceFile};
#[cfg(feature = "front")]
pub use diagnostic::{Diagnostic, GrammarError, Location, Severity, SourceMap};
pub use kept::{Associativity, Binding, Encoding, Span};
#[cfg(feature = "front")]
pub use notation::{Files, NoIncludes, Resolver};

#[cfg(feature = "front")]
pub(crate) use notation::Labels;
