//! Grammars as people write them: the syntax tree every front end builds.

mod ast;

pub use ast::{Alternative, Encoding, Expr, ExprId, Grammar, Name, Rule, SourceFile, Span};
