//! The one door for what is not followed.
//!
//! A call that is not understood may write to all that it is given a way to: what mutable
//! references lead to, and what closures see of the variables around them. It may also panic. So
//! each such call comes through here, which doubts what is behind it and forgets those variables.
//! Only of some methods of the standard library is known that they do not panic by themselves.

use fxhash::FxHashSet;
use proc_macro2::{TokenStream, TokenTree};
use syn::visit;
use syn::{BinOp, Expr, Stmt, UnOp};

use super::calls::sees_more;
use super::interp::{Interp, doubt, held};
use super::patterns::{bindings, lends};
use super::source::{Crate, formatted_names};
use super::state::{Exit, Outs, State};
use super::value::{Closure, Iter, Target, Value};
use super::visit::{Visit, Walk};

/// Methods of the standard library that do not panic by themselves, whatever they are called on.
const CALM: &[&str] = &[
    "all",
    "any",
    "as_bytes",
    "as_deref",
    "as_mut",
    "as_ref",
    "as_slice",
    "as_str",
    "bytes",
    "chain",
    "char_indices",
    "chars",
    "checked_add",
    "checked_div",
    "checked_mul",
    "checked_neg",
    "checked_pow",
    "checked_rem",
    "checked_sub",
    "clear",
    "clone",
    "cloned",
    "cmp",
    "collect",
    "concat",
    "contains",
    "contains_key",
    "copied",
    "count",
    "dedup",
    "ends_with",
    "entry",
    "enumerate",
    "eq",
    "eq_ignore_ascii_case",
    "err",
    "extend",
    "filter",
    "filter_map",
    "find",
    "first",
    "flat_map",
    "flatten",
    "fuse",
    "get",
    "get_mut",
    "into",
    "into_bytes",
    "into_iter",
    "into_keys",
    "into_values",
    "is_alphabetic",
    "is_alphanumeric",
    "is_empty",
    "is_err",
    "is_finite",
    "is_infinite",
    "is_nan",
    "is_none",
    "is_ok",
    "is_some",
    "is_sorted",
    "iter",
    "iter_mut",
    "join",
    "keys",
    "last",
    "len",
    "lines",
    "map",
    "map_err",
    "max",
    "max_by_key",
    "min",
    "min_by_key",
    "ne",
    "next",
    "next_back",
    "nth",
    "ok",
    "ok_or",
    "or",
    "overflowing_add",
    "overflowing_mul",
    "overflowing_sub",
    "partial_cmp",
    "peek",
    "peekable",
    "pop",
    "pop_back",
    "pop_front",
    "position",
    "push",
    "push_back",
    "push_front",
    "push_str",
    "rev",
    "reverse",
    "rfind",
    "rposition",
    "rsplit",
    "rsplit_once",
    "saturating_add",
    "saturating_mul",
    "saturating_sub",
    "skip",
    "skip_while",
    "sort",
    "sort_unstable",
    "split",
    "split_ascii_whitespace",
    "split_once",
    "split_whitespace",
    "splitn",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
    "take",
    "take_while",
    "to_ascii_lowercase",
    "to_ascii_uppercase",
    "to_bits",
    "to_lowercase",
    "to_owned",
    "to_string",
    "to_uppercase",
    "to_vec",
    "trim",
    "trim_end",
    "trim_matches",
    "trim_start",
    "try_from",
    "try_into",
    "unwrap_or",
    "unwrap_or_default",
    "values",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_sub",
    "zip",
];

/// Those of them that may write to what they are called on.
const WRITING: &[&str] = &[
    "all",
    "any",
    "as_mut",
    "clear",
    "dedup",
    "entry",
    "extend",
    "find",
    "get_mut",
    "iter_mut",
    "next",
    "next_back",
    "nth",
    "peek",
    "pop",
    "pop_back",
    "pop_front",
    "position",
    "push",
    "push_back",
    "push_front",
    "push_str",
    "reverse",
    "rposition",
    "sort",
    "sort_unstable",
    "take",
];

/// Methods that may panic, but do not write.
const READING: &[&str] = &[
    "abs",
    "and_then",
    "chunks",
    "expect",
    "is_char_boundary",
    "is_digit",
    "is_none_or",
    "is_ok_and",
    "is_some_and",
    "map_or",
    "map_or_else",
    "matches",
    "ok_or_else",
    "or_else",
    "parse",
    "pow",
    "rsplitn",
    "split_at",
    "split_inclusive",
    "split_terminator",
    "to_digit",
    "trim_end_matches",
    "trim_start_matches",
    "unwrap",
    "unwrap_or_else",
    "windows",
];

/// The names in a piece of source.
struct Mentioned<'k> {
    krate: &'k Crate<'k>,
    names: FxHashSet<String>,
    /// Whether a macro of the source is called, which may mention any.
    any: bool,
}

impl<'ast> Visit<'ast> for Mentioned<'_> {
    fn walk(&mut self) -> Walk<'_, 'ast> {
        Walk(self)
    }

    fn visit_ident(&mut self, ident: &'ast proc_macro2::Ident) {
        self.names.insert(ident.to_string());
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.any |= self.krate.defines(call);
        names_in(call.tokens.clone(), &mut self.names, true);
        visit::visit_macro(&mut self.walk(), call);
    }
}

/// The names in tokens, with or without those in format strings, which are only read.
fn names_in(tokens: TokenStream, names: &mut FxHashSet<String>, formatted: bool) {
    let mut streams = vec![tokens.into_iter()];
    while let Some(stream) = streams.last_mut() {
        match stream.next() {
            Some(TokenTree::Group(group)) => streams.push(group.stream().into_iter()),
            Some(TokenTree::Ident(ident)) => {
                names.insert(ident.to_string());
            }
            Some(TokenTree::Literal(literal)) if formatted => {
                let literal = literal.to_string();
                names.extend(formatted_names(&literal).map(str::to_owned));
            }
            Some(_) => {}
            None => {
                streams.pop();
            }
        }
    }
}

/// Whether there is what may write to something.
struct Writing<'i, 'a> {
    interp: &'i Interp<'a>,
    found: bool,
}

impl<'ast> Visit<'ast> for Writing<'_, '_> {
    fn walk(&mut self) -> Walk<'_, 'ast> {
        Walk(self)
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.found |= match expr {
            Expr::Assign(_) | Expr::Macro(_) => true,
            Expr::Reference(reference) => reference.mutability.is_some(),
            Expr::Binary(binary) => !is_test(&binary.op) && !is_sum(&binary.op),
            Expr::MethodCall(call) => !self.interp.reads(&call.method.to_string()),
            Expr::Let(bound) => lends(&bound.pat),
            Expr::Match(matched) => matched.arms.iter().any(|arm| lends(&arm.pat)),
            _ => false,
        };
        visit::visit_expr(&mut self.walk(), expr);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        self.found |= match statement {
            Stmt::Macro(_) => true,
            Stmt::Local(local) => lends(&local.pat),
            _ => false,
        };
        visit::visit_stmt(&mut self.walk(), statement);
    }
}

/// Whether an operator only makes a value of two others.
fn is_sum(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Add(_)
            | BinOp::Sub(_)
            | BinOp::Mul(_)
            | BinOp::Div(_)
            | BinOp::Rem(_)
            | BinOp::BitXor(_)
            | BinOp::BitAnd(_)
            | BinOp::BitOr(_)
            | BinOp::Shl(_)
            | BinOp::Shr(_)
    )
}

/// Whether an operator compares values or joins conditions.
fn is_test(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::And(_)
            | BinOp::Or(_)
            | BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_)
    )
}

impl Interp<'_> {
    /// What a call that is not followed leaves: it may panic, and write to what it is given.
    pub(super) fn opaque(&mut self, state: &mut State, note: u32, given: &[Value]) {
        doubt(state, note);
        self.opaque_writes(state, note, given);
    }

    /// The same for a method by its name, which may be one that does not panic.
    pub(super) fn opaque_method(
        &mut self,
        state: &mut State,
        note: u32,
        name: &str,
        given: &[Value],
    ) {
        let receiver = given.first().map(|receiver| self.deref(state, receiver.clone()));
        if !self.is_calm_method(name) || matches!(receiver, Some(Value::Struct(_))) {
            doubt(state, note);
        }
        self.opaque_writes(state, note, given);
    }

    /// Forgets what a call may write to, by what it is given; it may call what it is given, too.
    pub(super) fn opaque_writes(&mut self, state: &mut State, note: u32, given: &[Value]) {
        let mut seen: FxHashSet<Target> = FxHashSet::default();
        let mut pending: Vec<Value> = given.to_vec();
        while let Some(value) = pending.pop() {
            match &value {
                Value::Ref(target) => {
                    if !seen.insert((**target).clone()) {
                        continue;
                    }
                    pending.extend(self.read(state, target));
                    if !self.write(state, target, Value::Unknown(note))
                        && let Some(var) = state.vars.get_mut(target.slot)
                    {
                        var.1 = Value::Unknown(note);
                    }
                }
                Value::Closure(closure) => {
                    if !self.is_calm(state, &value) {
                        doubt(state, note);
                    }
                    for slot in self.changing(state, *closure) {
                        let old = state.vars[slot].1.clone();
                        if !sees_more(&old) {
                            state.vars[slot].1 = Value::Unknown(note);
                        } else if seen.insert(Target { slot, path: Vec::new() }) {
                            pending.push(old);
                        }
                    }
                }
                Value::Opt(Some(inner)) | Value::Res(Ok(inner) | Err(inner)) => {
                    pending.push((**inner).clone());
                }
                Value::Tuple(values) | Value::List(values) => {
                    pending.extend(values.iter().cloned());
                }
                Value::Struct(of) => {
                    pending.extend(of.fields.iter().map(|field| field.1.clone()));
                }
                Value::Function(_) if !self.is_calm(state, &value) => doubt(state, note),
                Value::Iter(iter) | Value::Items(iter) => {
                    iter.visit(&mut |value| match value {
                        // Perhaps it is called for the items.
                        Value::Unknown(called) => doubt(state, *called),
                        value => pending.push(value.clone()),
                    });
                }
                _ => {}
            }
        }
    }

    /// The variables around a closure that it mentions and that it, or something else, may change.
    pub(super) fn changing(&self, state: &State, closure: Closure) -> Vec<usize> {
        let mut slots = self.seen(state, closure);
        slots.retain(|&slot| {
            let (name, value) = &state.vars[slot];
            self.krate.parsed.mutable(name) || sees_more(value)
        });
        slots
    }

    /// The variables around a closure that it mentions, and that are not hidden by its own.
    pub(super) fn seen(&self, state: &State, closure: Closure) -> Vec<usize> {
        let mut found = Mentioned { krate: self.krate, names: FxHashSet::default(), any: false };
        let expr = self.closures[closure.number];
        found.visit_expr(&expr.body);
        let mut own = Vec::new();
        expr.inputs.iter().for_each(|pat| bindings(pat, &mut own));
        own.iter().for_each(|name| {
            found.names.remove(name);
        });
        let slots = closure.from..closure.to.min(state.vars.len());
        slots.filter(|&slot| found.any || found.names.contains(&*state.vars[slot].0)).collect()
    }

    /// Leaves the scope of the variables from a position on: what sees them any longer, such as an
    /// iterator with a closure, is not followed.
    pub(super) fn out_of_scope(&mut self, outs: &mut Outs, base: usize) {
        for out in outs.iter_mut().filter(|out| out.state.vars.len() > base) {
            for slot in 0..base {
                if self.sees_from(&out.state, &out.state.vars[slot].1, base) {
                    let lost = self.outlives();
                    let old = std::mem::replace(&mut out.state.vars[slot].1, Value::Unknown(lost));
                    self.opaque_writes(&mut out.state, lost, &[old]);
                }
            }
            if let Exit::Value(value) | Exit::Return(value) | Exit::Break(_, value) = &mut out.exit
                && self.sees_from(&out.state, value, base)
            {
                let lost = self.outlives();
                let old = std::mem::replace(value, Value::Unknown(lost));
                self.opaque_writes(&mut out.state, lost, &[old]);
            }
            out.state.vars.truncate(base);
        }
    }

    fn outlives(&mut self) -> u32 {
        self.lost_note("what outlives the variables that it sees is not followed")
    }

    /// Whether there is a closure in a value that sees variables from a position on.
    fn sees_from(&self, state: &State, value: &Value, base: usize) -> bool {
        if !sees_more(value) {
            return false;
        }
        let mut closures = Vec::new();
        held(value, &mut FxHashSet::default(), &mut closures);
        closures.iter().any(|closure| self.seen(state, *closure).iter().any(|&slot| slot >= base))
    }

    /// Whether something may write to anything, by how it is written.
    pub(super) fn may_write(&self, expr: &Expr) -> bool {
        let mut found = Writing { interp: self, found: false };
        found.visit_expr(expr);
        found.found
    }

    /// Whether a method only reads what it is called on, by its name.
    pub(super) fn reads(&self, name: &str) -> bool {
        (self.is_calm_method(name) && !WRITING.contains(&name))
            || READING.contains(&name) && !self.krate.has_function(name)
    }

    /// Whether a method is one of those that may write to what they are called on, by its name.
    pub(super) fn writes(&self, name: &str) -> bool {
        WRITING.contains(&name) && !self.krate.has_function(name)
    }

    /// Whether a method does not panic by itself, by its name.
    fn is_calm_method(&self, name: &str) -> bool {
        let in_table = ["char", "u8", "str"].iter().any(|of| self.table.get(of, name).is_some());
        // Functions of the source may have the same name, or be what a method calls.
        let within: &[&str] = match name {
            "collect" => &["from_iter"],
            "into" => &["from"],
            "to_owned" => &["clone"],
            "to_string" => &["fmt"],
            "try_into" => &["try_from"],
            "unwrap_or_default" => &["default"],
            "max" | "max_by_key" | "min" | "min_by_key" | "sort" | "sort_unstable"
            | "is_sorted" => &["cmp", "partial_cmp"],
            "contains" | "contains_key" | "dedup" | "ne" => &["cmp", "eq", "hash"],
            _ => &[],
        };
        (in_table || CALM.contains(&name))
            && !within.iter().chain([&name]).any(|name| self.krate.has_function(name))
    }

    /// Whether what is called can neither panic nor write to anything, as far as can be seen.
    pub(super) fn is_calm(&self, state: &State, called: &Value) -> bool {
        match called {
            Value::Closure(closure) => {
                self.changing(state, *closure).is_empty()
                    && self.is_calm_expr(&self.closures[closure.number].body)
            }
            Value::Function(path) => match &path[..] {
                [.., of, name] => {
                    matches!(&**of, "char" | "u8" | "str" | "String" | "ToOwned" | "ToString")
                        && self.is_calm_method(name)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn is_calm_expr(&self, expr: &Expr) -> bool {
        let compares =
            ["eq", "partial_cmp", "cmp"].iter().any(|name| self.krate.has_function(name));
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            match expr {
                Expr::Lit(_) | Expr::Path(_) => {}
                Expr::Paren(inner) => pending.push(&inner.expr),
                Expr::Group(inner) => pending.push(&inner.expr),
                Expr::Field(field) => pending.push(&field.base),
                Expr::Cast(cast) => pending.push(&cast.expr),
                Expr::Tuple(tuple) => pending.extend(&tuple.elems),
                Expr::Closure(closure) => pending.push(&closure.body),
                Expr::Reference(reference) if reference.mutability.is_none() => {
                    pending.push(&reference.expr);
                }
                Expr::Unary(unary) if !matches!(unary.op, UnOp::Neg(_)) => {
                    pending.push(&unary.expr);
                }
                Expr::Binary(binary) if is_test(&binary.op) && !compares => {
                    pending.extend([&*binary.left, &*binary.right]);
                }
                Expr::MethodCall(call) if self.is_calm_method(&call.method.to_string()) => {
                    // What is named may be a function.
                    if call.args.iter().any(|arg| matches!(arg, Expr::Path(_))) {
                        return false;
                    }
                    pending.push(&call.receiver);
                    pending.extend(&call.args);
                }
                _ => return false,
            }
        }
        true
    }

    /// Whether an iterator gives the same items however often it is run, with no effect.
    pub(super) fn is_steady(&self, state: &State, iter: &Iter) -> bool {
        let mut steady = true;
        iter.visit(&mut |value| {
            steady &= match value {
                Value::Closure(closure) => self.changing(state, *closure).is_empty(),
                Value::Ref(_) => false,
                _ => true,
            };
        });
        steady
    }

    /// Forgets what a macro that is not followed may write to: what it mentions, and where it is
    /// one of the source, all that is in scope.
    pub(super) fn opaque_macro(&mut self, state: &mut State, note: u32, call: &syn::Macro) {
        doubt(state, note);
        let mut names = FxHashSet::default();
        names_in(call.tokens.clone(), &mut names, false);
        let any = self.krate.defines(call);
        self.opaque_mentioned(state, note, if any { None } else { Some(&names) });
    }

    /// Forgets what a block may write to that runs any number of times.
    pub(super) fn opaque_block(&mut self, state: &mut State, note: u32, block: &syn::Block) {
        doubt(state, note);
        let mut found = Mentioned { krate: self.krate, names: FxHashSet::default(), any: false };
        found.visit_block(block);
        self.opaque_mentioned(state, note, if found.any { None } else { Some(&found.names) });
    }

    /// Forgets what may be written to of what an expression mentions.
    pub(super) fn opaque_expr(&mut self, state: &mut State, note: u32, expr: &Expr) {
        let mut found = Mentioned { krate: self.krate, names: FxHashSet::default(), any: false };
        found.visit_expr(expr);
        self.opaque_mentioned(state, note, if found.any { None } else { Some(&found.names) });
    }

    /// Forgets what is in scope and may be written to, of all names where none are given.
    fn opaque_mentioned(
        &mut self,
        state: &mut State,
        note: u32,
        names: Option<&FxHashSet<String>>,
    ) {
        let frame = self.frame();
        let (from, to) = frame.captured.unwrap_or((frame.base, frame.base));
        let slots = (from..to.min(frame.base)).chain(frame.base..state.vars.len());
        for slot in slots {
            let (name, value) = &state.vars[slot];
            if names.is_some_and(|names| !names.contains(&**name)) {
                continue;
            }
            let value = value.clone();
            if sees_more(&value) {
                self.opaque(state, note, &[value]);
            } else if self.krate.parsed.mutable(&state.vars[slot].0) {
                state.vars[slot].1 = Value::Unknown(note);
            }
        }
    }
}
