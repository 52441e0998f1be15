//! Macros of the standard library.

use super::interp::Interp;
use super::numbers::Compare;
use super::source::{MacroBody, names};
use super::state::{Outs, State, one};
use super::stop::Flow;
use super::value::{Bool, Int, Text, Value};
use std::rc::Rc;
use syn::Expr;
use syn::spanned::Spanned;

impl<'a> Interp<'a> {
    pub(super) fn eval_macro(
        &mut self,
        state: State,
        call: &'a syn::Macro,
        expr: &'a Expr,
    ) -> Flow<Outs> {
        self.eval_macro_at(state, call, expr)
    }

    pub(super) fn eval_macro_at<T: Spanned>(
        &mut self,
        state: State,
        call: &'a syn::Macro,
        node: &T,
    ) -> Flow<Outs> {
        let name = names(&call.path).pop().unwrap_or_default();
        let body = self.krate.body(call);
        match (&*name, body) {
            ("matches", MacroBody::Matches(value, pat, guard)) => {
                let base = state.vars.len();
                let outs = self.eval(state, value)?;
                self.then(outs, |interp, state, value| {
                    let tested = interp.guarded(state, &value, pat, guard.as_deref())?;
                    let mut outs = tested.others;
                    outs.extend(tested.yes.into_iter().map(|s| s.with(Value::known(true))));
                    outs.extend(tested.no.into_iter().map(|s| s.with(Value::known(false))));
                    Self::truncate(&mut outs, base);
                    Ok(outs)
                })
            }
            ("panic" | "unreachable" | "todo" | "unimplemented" | "bail" | "compile_error", _) => {
                Ok(Vec::new())
            }
            ("assert" | "debug_assert", MacroBody::Exprs(exprs)) if !exprs.is_empty() => {
                let base = state.vars.len();
                let tested = self.test(state, &exprs[0])?;
                let mut outs = tested.others;
                outs.extend(tested.yes.into_iter().map(|state| state.with(Value::Unit)));
                Self::truncate(&mut outs, base);
                Ok(outs)
            }
            (
                "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne",
                MacroBody::Exprs(exprs),
            ) if exprs.len() >= 2 => {
                let how = if name.ends_with("eq") { Compare::Equal } else { Compare::Other };
                let outs = self.eval_all(state, exprs[..2].iter())?;
                self.then_all(outs, |interp, state, values| {
                    let [a, b] = &values[..] else { return Ok(Vec::new()) };
                    let (a, b) = (interp.deref(&state, a.clone()), interp.deref(&state, b.clone()));
                    let holds = interp.compare_values(&a, how, &b)?;
                    let (yes, _) = interp.branch(state, &holds)?;
                    Ok(yes.map(|state| state.with(Value::Unit)).into_iter().collect())
                })
            }
            ("vec", MacroBody::Repeat(value, count)) => self.eval_repeat(state, value, count),
            ("vec", MacroBody::Exprs(exprs)) => {
                let outs = self.eval_all(state, exprs.iter())?;
                self.then_all(outs, |_, state, values| one(state, Value::List(Rc::new(values))))
            }
            ("format" | "concat", MacroBody::Exprs(exprs)) => self.eval_format(state, exprs, node),
            (
                "println" | "print" | "eprintln" | "eprint" | "debug" | "info" | "warn" | "trace"
                | "error" | "log" | "dbg",
                _,
            ) => one(state, Value::Unit),
            _ => {
                let message = format!("the macro `{name}!` is not followed");
                let value = self.unknown(node, message);
                one(state, value)
            }
        }
    }

    /// `format!` and `concat!`: text put together.
    pub(super) fn eval_format<T: Spanned>(
        &mut self,
        state: State,
        exprs: &'a [Expr],
        node: &T,
    ) -> Flow<Outs> {
        let outs = self.eval_all(state, exprs.iter())?;
        let lost = self.unknown(node, "text that is put together in this way is not followed");
        self.then_all(outs, |interp, state, values| {
            let values: Vec<Value> =
                values.into_iter().map(|value| interp.deref(&state, value)).collect();
            let text = match values.split_first() {
                None => Some(Text::default()),
                Some((Value::Str(first), rest)) => match first.constant() {
                    Some(pattern) => interp.formatted(&state, &pattern, rest),
                    None => None,
                },
                Some(_) => None,
            };
            let text = text.or_else(|| {
                values
                    .iter()
                    .try_fold(Text::default(), |text, value| Some(text.then(&shown(value)?)))
            });
            one(state, text.map_or(lost.clone(), Value::Str))
        })
    }

    pub(super) fn formatted(
        &mut self,
        state: &State,
        pattern: &str,
        values: &[Value],
    ) -> Option<Text> {
        let mut text = Text::default();
        let mut rest = pattern;
        let mut values = values.iter();
        while let Some(at) = rest.find(['{', '}']) {
            text = text.then(&Text::literal(&rest[..at]));
            let brace = &rest[at..];
            if brace.starts_with("{{") || brace.starts_with("}}") {
                text = text.then(&Text::literal(&brace[..1]));
                rest = &brace[2..];
                continue;
            }
            let (name, after) = brace.strip_prefix('{')?.split_once('}')?;
            let value = if name.is_empty() {
                values.next()?.clone()
            } else {
                let slot = self.slot(state, name)?;
                self.deref(state, state.vars[slot].1.clone())
            };
            text = text.then(&shown(&value)?);
            rest = after;
        }
        // Arguments that are left belong to `concat!`.
        if values.next().is_some() {
            return None;
        }
        Some(text.then(&Text::literal(rest)))
    }
}

/// What a value is written as.
pub(super) fn shown(value: &Value) -> Option<Text> {
    match value {
        Value::Str(text) | Value::Char(text) => Some(text.clone()),
        Value::Int(Int::Known(n)) => Some(Text::literal(&n.to_string())),
        Value::Bool(Bool::Known(bool)) => Some(Text::literal(&bool.to_string())),
        _ => None,
    }
}
