//! Special characters: those that stand in the code.

use std::collections::BTreeSet;

use syn::visit;
use syn::{Block, Expr, Lit};

use super::bodies::MacroBody;
use super::source::{Crate, names};
use super::visit::{Visit, Walk};

/// Collects the characters of literals, messages left out.
pub(super) struct Specials<'a> {
    krate: &'a Crate<'a>,
    pub(super) found: BTreeSet<char>,
}

impl<'a> Specials<'a> {
    pub(super) fn new(krate: &'a Crate<'a>) -> Self {
        Self { krate, found: BTreeSet::new() }
    }

    pub(super) fn block(&mut self, block: &'a Block) {
        self.visit_block(block);
    }

    pub(super) fn expr(&mut self, expr: &'a Expr) {
        self.visit_expr(expr);
    }
}

impl<'a> Visit<'a> for Specials<'a> {
    fn walk(&mut self) -> Walk<'_, 'a> {
        Walk(self)
    }

    fn visit_lit(&mut self, literal: &'a Lit) {
        match literal {
            Lit::Str(text) => self.found.extend(text.value().chars()),
            Lit::ByteStr(bytes) => {
                self.found.extend(bytes.value().into_iter().filter(u8::is_ascii).map(char::from));
            }
            Lit::Char(c) => {
                self.found.insert(c.value());
            }
            Lit::Byte(byte) if byte.value().is_ascii() => {
                self.found.insert(byte.value().into());
            }
            _ => {}
        }
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        // What stands in an error is a message.
        if let Expr::Path(path) = &*call.func
            && names(&path.path).last().is_some_and(|name| name == "Err")
        {
            return;
        }
        visit::visit_expr_call(&mut self.walk(), call);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        let name = call.method.to_string();
        let message = matches!(
            &*name,
            "expect"
                | "expect_err"
                | "ok_or"
                | "ok_or_else"
                | "map_err"
                | "context"
                | "with_context"
        );
        if message {
            self.visit_expr(&call.receiver);
        } else {
            visit::visit_expr_method_call(&mut self.walk(), call);
        }
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        let name = names(&call.path).pop().unwrap_or_default();
        match (self.krate.body(call), &*name) {
            (MacroBody::Matches(value, pat, guard), _) => {
                self.visit_expr(value);
                self.visit_pat(pat);
                if let Some(guard) = guard {
                    self.visit_expr(guard);
                }
            }
            (MacroBody::Exprs(exprs), "format") => {
                // Braces are of the notation, not of the text.
                if let Some(Expr::Lit(literal)) = exprs.first()
                    && let Lit::Str(text) = &literal.lit
                {
                    let text = text.value();
                    let mut depth = 0;
                    for c in text.chars() {
                        match c {
                            '{' => depth += 1,
                            '}' => depth -= 1,
                            c if depth == 0 => {
                                self.found.insert(c);
                            }
                            _ => {}
                        }
                    }
                }
                exprs.iter().skip(1).for_each(|expr| self.visit_expr(expr));
            }
            (MacroBody::Exprs(exprs), "concat" | "vec") => {
                exprs.iter().for_each(|expr| self.visit_expr(expr));
            }
            (MacroBody::Exprs(exprs), "assert" | "debug_assert") => {
                exprs.iter().take(1).for_each(|expr| self.visit_expr(expr));
            }
            (MacroBody::Exprs(exprs), "assert_eq" | "assert_ne") => {
                exprs.iter().take(2).for_each(|expr| self.visit_expr(expr));
            }
            (MacroBody::Repeat(value, _), _) => self.visit_expr(value),
            _ => {}
        }
    }
}
