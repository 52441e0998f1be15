//! Which variable a name in a function means, where several share it.

use fxhash::FxHashMap;
use syn::visit;
use syn::{Expr, Pat};

use super::bodies::{MacroBody, address};
use super::source::{Crate, Function, formatted_names};
use super::visit::{Visit, Walk};

/// The variables of some functions, by the addresses of the patterns that make them and of the paths that
/// mean them.
#[derive(Default)]
pub(super) struct Variables {
    places: FxHashMap<usize, u32>,
    count: u32,
}

impl Variables {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }

    /// Adds those of a function; gives those that macros may use which are not read.
    pub(super) fn read<'a>(&mut self, krate: &'a Crate<'a>, function: &Function<'a>) -> Vec<u32> {
        let scopes = vec![Vec::new()];
        let mut reader = Reader { krate, found: self, scopes, pattern: 0, hidden: Vec::new() };
        for input in &function.sig.inputs {
            if let syn::FnArg::Typed(typed) = input {
                reader.declare(&typed.pat);
            }
        }
        reader.visit_block(function.block);
        reader.hidden
    }

    /// The variable that a path means.
    pub(super) fn meant(&self, path: &syn::ExprPath) -> Option<u32> {
        self.places.get(&address(path)).copied()
    }

    /// The variable that a pattern is, by itself or with its type.
    pub(super) fn made(&self, pattern: &Pat) -> Option<u32> {
        match pattern {
            Pat::Ident(ident) => self.places.get(&address(ident)).copied(),
            Pat::Type(typed) => self.made(&typed.pat),
            Pat::Paren(inner) => self.made(&inner.pat),
            Pat::Reference(inner) => self.made(&inner.pat),
            _ => None,
        }
    }
}

struct Reader<'v, 'a> {
    krate: &'a Crate<'a>,
    found: &'v mut Variables,
    scopes: Vec<Vec<(String, u32)>>,
    /// Where the variables of the pattern begin that is being read, in the last scope.
    pattern: usize,
    /// What macros may use that are not read.
    hidden: Vec<u32>,
}

impl<'a> Reader<'_, 'a> {
    fn declare(&mut self, pattern: &'a Pat) {
        self.pattern = self.scopes.last().map_or(0, Vec::len);
        self.visit_pat(pattern);
    }

    /// The variable that a name means here.
    fn find(&self, name: &str) -> Option<u32> {
        let mut all = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev());
        all.find(|(other, _)| name == other).map(|&(_, number)| number)
    }

    fn hide(&mut self, tokens: proc_macro2::TokenStream) {
        let mut pending = vec![tokens];
        while let Some(tokens) = pending.pop() {
            for token in tokens {
                match token {
                    proc_macro2::TokenTree::Ident(name) => {
                        self.hidden.extend(self.find(&name.to_string()));
                    }
                    proc_macro2::TokenTree::Literal(literal) => {
                        for name in formatted_names(&literal.to_string()) {
                            self.hidden.extend(self.find(name));
                        }
                    }
                    proc_macro2::TokenTree::Group(group) => pending.push(group.stream()),
                    _ => {}
                }
            }
        }
    }

    fn within(&mut self, read: impl FnOnce(&mut Self)) {
        self.scopes.push(Vec::new());
        read(self);
        self.scopes.pop();
    }
}

/// Whether a format string takes widths or precisions from numbers, which have a type then.
fn has_widths(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(literal) if matches!(&literal.lit, syn::Lit::Str(text)
        if text.value().contains('$') || text.value().contains(".*")))
}

impl<'a> Visit<'a> for Reader<'_, 'a> {
    fn walk(&mut self) -> Walk<'_, 'a> {
        Walk(self)
    }

    fn visit_pat_ident(&mut self, ident: &'a syn::PatIdent) {
        let name = ident.ident.to_string();
        if name == "None" || self.krate.units.contains(&name) {
            return;
        }
        let Some(scope) = self.scopes.last_mut() else { return };
        // The ways of a pattern have the same variables.
        let same = scope[self.pattern..].iter().find(|(other, _)| *other == name);
        let number = match same {
            Some(&(_, number)) => number,
            None => {
                let number = self.found.count;
                self.found.count += 1;
                scope.push((name, number));
                number
            }
        };
        self.found.places.insert(address(ident), number);
        visit::visit_pat_ident(&mut self.walk(), ident);
    }

    fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
        if let Some(number) = path.path.get_ident().and_then(|name| self.find(&name.to_string())) {
            self.found.places.insert(address(path), number);
        }
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
        self.declare(&local.pat);
    }

    fn visit_expr_let(&mut self, binding: &'a syn::ExprLet) {
        self.visit_expr(&binding.expr);
        self.declare(&binding.pat);
    }

    fn visit_block(&mut self, block: &'a syn::Block) {
        self.within(|reader| visit::visit_block(&mut reader.walk(), block));
    }

    fn visit_expr_if(&mut self, branch: &'a syn::ExprIf) {
        self.within(|reader| {
            reader.visit_expr(&branch.cond);
            reader.visit_block(&branch.then_branch);
        });
        if let Some((_, otherwise)) = &branch.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_while(&mut self, each: &'a syn::ExprWhile) {
        self.within(|reader| visit::visit_expr_while(&mut reader.walk(), each));
    }

    fn visit_expr_for_loop(&mut self, each: &'a syn::ExprForLoop) {
        self.visit_expr(&each.expr);
        self.within(|reader| {
            reader.declare(&each.pat);
            reader.visit_block(&each.body);
        });
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        self.within(|reader| {
            reader.declare(&arm.pat);
            if let Some((_, guard)) = &arm.guard {
                reader.visit_expr(guard);
            }
            reader.visit_expr(&arm.body);
        });
    }

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        self.within(|reader| {
            for input in &closure.inputs {
                reader.declare(input);
            }
            reader.visit_expr(&closure.body);
        });
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        match self.krate.body(call) {
            MacroBody::Matches(value, pattern, guard) => {
                self.visit_expr(value);
                self.within(|reader| {
                    reader.declare(pattern);
                    if let Some(guard) = guard {
                        reader.visit_expr(guard);
                    }
                });
            }
            MacroBody::Exprs(exprs) => {
                exprs.iter().for_each(|expr| self.visit_expr(expr));
                if exprs.iter().any(has_widths) {
                    self.hide(call.tokens.clone());
                }
            }
            MacroBody::Repeat(value, count) => {
                self.visit_expr(value);
                self.visit_expr(count);
            }
            MacroBody::Opaque => self.hide(call.tokens.clone()),
        }
    }

    // A function within a function has variables of its own.
    fn visit_item(&mut self, _: &'a syn::Item) {}

    fn visit_type(&mut self, _: &'a syn::Type) {}
}
