//! Parsers with planted failures.

use std::ops::ControlFlow;

use boa_ast::function::{FunctionDeclaration, FunctionExpression};
use boa_ast::scope::Scope;
use boa_ast::statement::iteration::ForLoop;
use boa_ast::statement::{Block, Try};
use boa_ast::visitor::{VisitWith, Visitor as ScriptVisitor};
use boa_interner::Interner;
use pleach::produce::{Characters, Mode, Options};
use roxmltree::{Document, ParsingOptions};
use serde_json::Value;
use sqlparser::ast::{Expr, Query, Visit, Visitor};
use sqlparser::dialect::SQLiteDialect;

/// A parser that fails on some inputs.
#[derive(Debug)]
pub struct Planted {
    /// What it fails on.
    pub failure: &'static str,
    /// The parser, with its version.
    pub parser: &'static str,
    /// The grammar of its inputs.
    pub grammar: &'static str,
    /// How inputs are generated.
    pub options: fn() -> Options,
    /// What joins generated sentences to one input, and how many; none where one is long enough.
    pub join: Option<Join>,
    /// Whether the parser reads a text and fails on it.
    pub fails: fn(&[u8]) -> bool,
}

/// Sentences in a row.
#[derive(Debug)]
pub struct Join {
    /// What stands before, between and after them.
    pub around: [&'static str; 3],
    /// How many.
    pub count: usize,
}

fn weighted() -> Options {
    Options::new().mode(Mode::Weighted).characters(Characters::Mixed).max_nodes(20_000)
}

/// Five of them.
pub const PLANTED: &[Planted] = &[
    Planted {
        failure: "arrays four deep in a member",
        parser: "serde_json 1",
        grammar: "json",
        options: weighted,
        join: Some(Join { around: ["[", ",", "]"], count: 400 }),
        fails: nests_arrays_in_a_member,
    },
    Planted {
        failure: "a window function in a sub-query",
        parser: "sqlparser 0.63",
        grammar: "sql",
        options: || weighted().max_depth(80),
        join: None,
        fails: has_window_in_sub_query,
    },
    Planted {
        failure: "an inline table in an array in a table of an array",
        parser: "toml 1",
        grammar: "toml",
        options: weighted,
        join: None,
        fails: has_inline_table_in_array_of_tables,
    },
    Planted {
        failure: "an element after a comment, in one with an attribute",
        parser: "roxmltree 0.21",
        grammar: "xml",
        options: weighted,
        join: None,
        fails: has_element_after_comment,
    },
    Planted {
        failure: "a for loop in a function in a try block",
        parser: "boa_parser 0.22",
        grammar: "javascript",
        options: || weighted().max_depth(150),
        join: None,
        fails: has_loop_in_function_in_try,
    },
];

fn nests_arrays_in_a_member(text: &[u8]) -> bool {
    fn arrays(value: &Value) -> usize {
        match value {
            Value::Array(elements) => 1 + elements.iter().map(arrays).max().unwrap_or(0),
            _ => 0,
        }
    }
    fn any(value: &Value) -> bool {
        match value {
            Value::Array(elements) => elements.iter().any(any),
            Value::Object(members) => {
                members.values().any(|value| arrays(value) >= 4 || any(value))
            }
            _ => false,
        }
    }
    serde_json::from_slice(text).is_ok_and(|value| any(&value))
}

fn has_window_in_sub_query(text: &[u8]) -> bool {
    struct Windows(usize);
    impl Visitor for Windows {
        type Break = ();
        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.0 += 1;
            ControlFlow::Continue(())
        }
        fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.0 -= 1;
            ControlFlow::Continue(())
        }
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Function(call) if call.over.is_some() && self.0 >= 2 => {
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            }
        }
    }
    let Ok(text) = str::from_utf8(text) else { return false };
    let statements = sqlparser::parser::Parser::parse_sql(&SQLiteDialect {}, text);
    statements.is_ok_and(|statements| statements.visit(&mut Windows(0)).is_break())
}

fn has_inline_table_in_array_of_tables(text: &[u8]) -> bool {
    use toml::Value;
    /// Whether a table with a member stands in an array that stands in a table of an array.
    fn any(value: &Value, arrays: usize) -> bool {
        match value {
            Value::Array(elements) => elements.iter().any(|value| any(value, arrays + 1)),
            Value::Table(members) => {
                (arrays >= 2 && !members.is_empty())
                    || members.values().any(|value| any(value, arrays))
            }
            _ => false,
        }
    }
    let Ok(text) = str::from_utf8(text) else { return false };
    toml::from_str::<toml::Table>(text).is_ok_and(|table| any(&Value::Table(table), 0))
}

fn has_element_after_comment(text: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).is_ok_and(|document| {
        document.descendants().any(|node| {
            node.is_element()
                && node.prev_siblings().skip(1).any(|before| before.is_comment())
                && node.parent_element().is_some_and(|above| above.attributes().len() > 0)
        })
    })
}

fn has_loop_in_function_in_try(text: &[u8]) -> bool {
    /// How deep: 1 in a try block, 2 in a function in one.
    struct Loops(usize);
    impl<'ast> ScriptVisitor<'ast> for Loops {
        type BreakTy = ();
        fn visit_try(&mut self, node: &'ast Try) -> ControlFlow<()> {
            let before = self.0;
            self.0 = before.max(1);
            let block: &Block = node.block();
            let found = block.visit_with(self);
            self.0 = before;
            found?;
            node.catch().map_or(ControlFlow::Continue(()), |catch| catch.visit_with(self))?;
            node.finally().map_or(ControlFlow::Continue(()), |last| last.visit_with(self))
        }
        fn visit_function_expression(&mut self, node: &'ast FunctionExpression) -> ControlFlow<()> {
            let before = self.0;
            self.0 = if before > 0 { 2 } else { 0 };
            let found = node.visit_with(self);
            self.0 = before;
            found
        }
        fn visit_function_declaration(
            &mut self,
            node: &'ast FunctionDeclaration,
        ) -> ControlFlow<()> {
            let before = self.0;
            self.0 = if before > 0 { 2 } else { 0 };
            let found = node.visit_with(self);
            self.0 = before;
            found
        }
        fn visit_for_loop(&mut self, node: &'ast ForLoop) -> ControlFlow<()> {
            if self.0 == 2 { ControlFlow::Break(()) } else { node.visit_with(self) }
        }
    }
    if str::from_utf8(text).is_err() {
        return false;
    }
    let mut parser = boa_parser::Parser::new(boa_parser::Source::from_bytes(text));
    let script = parser.parse_script(&Scope::new_global(), &mut Interner::default());
    script.is_ok_and(|script| script.visit_with(&mut Loops(0)).is_break())
}
