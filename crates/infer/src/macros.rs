//! Macros of the standard library.

use super::bodies::MacroBody;
use super::interp::{Interp, doubt, returned};
use super::numbers::Compare;
use super::source::names;
use super::state::{Exit, Out, Outs, State, one};
use super::stop::Flow;
use super::value::{Bool, Int, Text, Value};
use std::rc::Rc;
use syn::Expr;
use syn::spanned::Spanned;

impl<'a> Interp<'a> {
    pub(super) fn eval_macro<T: Spanned>(
        &mut self,
        state: State,
        call: &'a syn::Macro,
        node: &T,
    ) -> Flow<Outs> {
        let name = names(&call.path).pop().unwrap_or_default();
        let body = self.krate.body(call);
        if self.krate.defines(call) {
            return self.eval_opaque(state, call, &name, node);
        }
        match (&*name, body) {
            ("matches", MacroBody::Matches(value, pat, guard)) => {
                let base = state.vars.len();
                let is_place = super::patterns::lends(pat);
                let outs = self.scrutinee(state, value, is_place)?;
                self.then(outs, |interp, state, value| {
                    let tested = interp.guarded(state, &value, is_place, pat, guard.as_deref())?;
                    let mut outs = tested.others;
                    outs.extend(tested.yes.into_iter().map(|s| s.with(Value::known(true))));
                    outs.extend(tested.no.into_iter().map(|s| s.with(Value::known(false))));
                    interp.out_of_scope(&mut outs, base);
                    Ok(outs)
                })
            }
            ("panic" | "unreachable" | "todo" | "unimplemented" | "compile_error", _) => {
                Ok(Vec::new())
            }
            ("bail", _) => {
                let error = self.unknown(node, "an error is not followed");
                returned(state, Value::err(error))
            }
            ("ensure", MacroBody::Exprs(exprs)) if !exprs.is_empty() => {
                let base = state.vars.len();
                let error = self.unknown(node, "an error is not followed");
                let tested = self.test(state, &exprs[0])?;
                let mut outs = tested.others;
                outs.extend(tested.yes.into_iter().map(|state| state.with(Value::Unit)));
                for state in tested.no {
                    outs.extend(returned(state, Value::err(error.clone()))?);
                }
                self.out_of_scope(&mut outs, base);
                Ok(outs)
            }
            ("assert" | "debug_assert", MacroBody::Exprs(exprs)) if !exprs.is_empty() => {
                let base = state.vars.len();
                let tested = self.test(state, &exprs[0])?;
                let mut outs = tested.others;
                outs.extend(tested.yes.into_iter().map(|state| state.with(Value::Unit)));
                self.out_of_scope(&mut outs, base);
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
            ("concat", MacroBody::Exprs(exprs)) => {
                let outs = self.eval_all(state, exprs.iter())?;
                let lost = self.unknown(node, UNWRITTEN);
                self.then_all(outs, |_, state, values| {
                    let text = values
                        .iter()
                        .try_fold(Text::default(), |text, value| Some(text.then(&shown(value)?)));
                    one(state, text.map_or(lost.clone(), Value::Str))
                })
            }
            ("format" | "format_args", MacroBody::Exprs(exprs)) => {
                let ways = self.eval_arguments(state, exprs)?;
                let spot = self.spot(node);
                let note = self.note(spot, UNWRITTEN);
                self.then_all(ways, |interp, mut state, values| {
                    let text = interp.formatted(&state, exprs, &values);
                    // What writes a value may be of the source, and panic.
                    if text.is_none() && interp.krate.has_function("fmt") {
                        doubt(&mut state, note);
                    }
                    one(state, text.map_or(Value::Unknown(note), Value::Str))
                })
            }
            ("write" | "writeln", MacroBody::Exprs(exprs)) if !exprs.is_empty() => {
                self.eval_write(state, exprs, name == "writeln", node)
            }
            ("println" | "print" | "eprintln" | "eprint", MacroBody::Exprs(exprs)) => {
                let ways = self.eval_arguments(state, exprs)?;
                self.then_all(ways, |_, state, _| one(state, Value::Unit))
            }
            ("dbg", MacroBody::Exprs(exprs)) if exprs.len() == 1 => self.eval(state, &exprs[0]),
            ("debug" | "info" | "warn" | "trace" | "error" | "log", MacroBody::Exprs(exprs)) => {
                // What is logged may not be evaluated at all.
                let ways = self.eval_arguments(state.clone(), exprs)?;
                if let [(Out { state: after, exit: Exit::Value(_) }, _)] = &ways[..]
                    && *after == state
                {
                    return one(state, Value::Unit);
                }
                self.eval_opaque(state, call, &name, node)
            }
            (
                "line" | "column" | "file" | "module_path" | "stringify" | "env" | "option_env"
                | "include_str" | "include_bytes" | "cfg",
                _,
            ) => {
                let value = self.unknown(node, format!("the macro `{name}!` is not followed"));
                one(state, value)
            }
            _ => self.eval_opaque(state, call, &name, node),
        }
    }

    /// A macro that is not followed: it may write to what it sees, panic, and return.
    fn eval_opaque<T: Spanned>(
        &mut self,
        state: State,
        call: &'a syn::Macro,
        name: &str,
        node: &T,
    ) -> Flow<Outs> {
        let spot = self.spot(node);
        let note = self.note(spot, format!("the macro `{name}!` is not followed"));
        let mut state = state;
        self.opaque_macro(&mut state, note, call);
        // Where it leaves a loop, what is behind that loop returns something, after it wrote to
        // anything.
        let mut left = state.clone();
        for (name, value) in &mut left.vars {
            if self.krate.parsed.mutable(name) {
                *value = Value::Unknown(note);
            }
        }
        let value = Value::Unknown(note);
        Ok(vec![Out { state: left, exit: Exit::Return(value.clone()) }, state.with(value)])
    }

    /// The arguments of a macro that formats, those with names included.
    fn eval_arguments(&mut self, state: State, exprs: &'a [Expr]) -> Flow<Vec<(Out, Vec<Value>)>> {
        self.eval_all(state, exprs.iter().map(|expr| named(expr).map_or(expr, |(_, value)| value)))
    }

    /// `write!` and `writeln!`: text put behind that of a variable.
    fn eval_write<T: Spanned>(
        &mut self,
        state: State,
        exprs: &'a [Expr],
        line: bool,
        node: &T,
    ) -> Flow<Outs> {
        let spot = self.spot(node);
        let note = self.note(spot, UNWRITTEN);
        let targets = self.lend(state, &exprs[0])?;
        self.then(targets, |interp, state, target| {
            let ways = interp.eval_arguments(state, &exprs[1..])?;
            interp.then_all(ways, |interp, mut state, values| {
                let text = match &exprs[1..] {
                    [] => Some(Text::default()),
                    exprs => interp.formatted(&state, exprs, &values),
                };
                if let (Value::Ref(place), Value::Str(old), Some(text)) =
                    (&target, interp.deref(&state, target.clone()), text)
                {
                    let end = if line { "\n" } else { "" };
                    let all = old.then(&text).then(&Text::literal(end));
                    if interp.write(&mut state, place, Value::Str(all)) {
                        return one(state, Value::ok(Value::Unit));
                    }
                }
                interp.opaque(&mut state, note, std::slice::from_ref(&target));
                one(state, Value::Unknown(note))
            })
        })
    }

    /// What a pattern and its arguments are written as.
    fn formatted(&self, state: &State, exprs: &[Expr], values: &[Value]) -> Option<Text> {
        let Some((Value::Str(pattern), values)) = values.split_first() else {
            return exprs.is_empty().then(Text::default);
        };
        let pattern = pattern.constant()?;
        let names: Vec<Option<String>> =
            exprs[1..].iter().map(|expr| named(expr).map(|(name, _)| name)).collect();
        let mut text = Text::default();
        let mut rest = &*pattern;
        let mut next = 0;
        while let Some(at) = rest.find(['{', '}']) {
            text = text.then(&Text::literal(&rest[..at]));
            let brace = &rest[at..];
            if brace.starts_with("{{") || brace.starts_with("}}") {
                text = text.then(&Text::literal(&brace[..1]));
                rest = &brace[2..];
                continue;
            }
            let (what, after) = brace.strip_prefix('{')?.split_once('}')?;
            let (name, how) = what.split_once(':').unwrap_or((what, ""));
            let name = name.trim();
            let value = if name.is_empty() {
                next += 1;
                values.get(next - 1)?.clone()
            } else if let Ok(index) = name.parse::<usize>() {
                values.get(index)?.clone()
            } else if let Some(at) = names.iter().position(|own| own.as_deref() == Some(name)) {
                values.get(at)?.clone()
            } else {
                state.vars[self.slot(state, name)?].1.clone()
            };
            let value = self.deref(state, value);
            match (how.trim(), &value) {
                // A number and a truth value are shown as they are to who debugs.
                ("", _) | ("?", Value::Int(_) | Value::Bool(_)) => {}
                _ => return None,
            }
            text = text.then(&shown(&value)?);
            rest = after;
        }
        Some(text.then(&Text::literal(rest)))
    }
}

/// What is said of text that is put together in a way that is not followed.
const UNWRITTEN: &str = "text that is put together in this way is not followed";

/// The name and the value of an argument with a name.
fn named(expr: &Expr) -> Option<(String, &Expr)> {
    let Expr::Assign(assign) = expr else { return None };
    let Expr::Path(path) = &*assign.left else { return None };
    Some((path.path.get_ident()?.to_string(), &assign.right))
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
