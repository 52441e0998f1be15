//! What is written to.

use std::rc::Rc;

use super::calls::sees_more;
use super::interp::{Interp, doubt};
use super::patterns::member;
use super::state::{Exit, Out, Outs, State, one};
use super::stop::Flow;
use super::value::{Int, Step2, Target, Value};
use syn::{Expr, UnOp};

impl<'a> Interp<'a> {
    /// Where an expression can be written to.
    pub(super) fn place(&mut self, state: State, expr: &'a Expr) -> Flow<Option<(State, Target)>> {
        match expr {
            Expr::Paren(inner) => self.place(state, &inner.expr),
            Expr::Path(path) => {
                let Some(name) = path.path.get_ident() else { return Ok(None) };
                let Some(slot) = self.slot(&state, &name.to_string()) else { return Ok(None) };
                let target = match &state.vars[slot].1 {
                    Value::Ref(target) => (**target).clone(),
                    _ => Target { slot, path: Vec::new() },
                };
                Ok(Some((state, target)))
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                self.place(state, &unary.expr)
            }
            Expr::Reference(reference) => self.place(state, &reference.expr),
            Expr::Field(field) => {
                let Some((state, mut target)) = self.place(state, &field.base)? else {
                    return Ok(None);
                };
                target.path.push(Step2::Field(member(&field.member).into()));
                let target = match self.read(&state, &target) {
                    Some(Value::Ref(inner)) => (*inner).clone(),
                    _ => target,
                };
                Ok(Some((state, target)))
            }
            Expr::Index(index) => {
                let Some((state, mut target)) = self.place(state, &index.expr)? else {
                    return Ok(None);
                };
                let mut outs = self.eval(state, &index.index)?;
                match (outs.pop(), outs.is_empty()) {
                    (Some(Out { state, exit: Exit::Value(Value::Int(Int::Known(n))) }), true) => {
                        let Ok(n) = usize::try_from(n) else { return Ok(None) };
                        target.path.push(Step2::Index(n));
                        Ok(Some((state, target)))
                    }
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// A mutable reference to what an expression means. Where it is not known which item of
    /// something that is, nothing is known of all of it from then on.
    pub(super) fn lend(&mut self, state: State, expr: &'a Expr) -> Flow<Outs> {
        if let Some((state, target)) = self.place(state.clone(), expr)? {
            return one(state, Value::Ref(Rc::new(target)));
        }
        let outs = self.eval(state, expr)?;
        if !asked_by(expr).1 {
            return Ok(outs);
        }
        let lost = self.unknown(expr, "what is lent here is not followed");
        self.then(outs, |interp, mut state, _| {
            interp.havoc(&mut state, expr, &lost);
            one(state, lost.clone())
        })
    }

    /// Whether a method may write to an item of something that can be written to, by its name.
    pub(super) fn may_write_in(&self, state: &State, place: &Expr, method: &str) -> bool {
        let mut root = place;
        let mut is_index = false;
        let path = loop {
            root = match root {
                Expr::Field(field) => &field.base,
                Expr::Index(index) => {
                    is_index = true;
                    &index.expr
                }
                Expr::Unary(unary) => &unary.expr,
                Expr::Paren(inner) => &inner.expr,
                Expr::Reference(reference) => &reference.expr,
                Expr::Path(path) => break path,
                _ => return false,
            };
        };
        let Some(name) = path.path.get_ident().map(ToString::to_string) else { return false };
        let Some(slot) = self.slot(state, &name) else { return false };
        let value = &state.vars[slot].1;
        // Of a text there are only parts, and those are not written to but by these.
        if let Value::Str(_) = self.deref(state, value.clone()) {
            return is_index && method.starts_with("make_");
        }
        is_index && !self.reads(method) && (self.krate.parsed.mutable(&name) || sees_more(value))
    }

    pub(super) fn assign(&mut self, state: State, to: &'a Expr, value: Value) -> Flow<Outs> {
        self.assign_to(state, to, value, false)
    }

    /// Assigns to what was read before or was not; where it was, there was a panic if there is one.
    pub(super) fn assign_to(
        &mut self,
        state: State,
        to: &'a Expr,
        value: Value,
        was_read: bool,
    ) -> Flow<Outs> {
        match to {
            Expr::Tuple(tuple) => {
                let Value::Tuple(values) = &value else {
                    let lost = self.unknown(to, "an assignment is not followed");
                    let mut outs = one(state, Value::Unit)?;
                    for expr in &tuple.elems {
                        outs = self.then(outs, |interp, state, _| {
                            interp.assign(state, expr, lost.clone())
                        })?;
                    }
                    return Ok(outs);
                };
                let mut outs = one(state, Value::Unit)?;
                for (expr, value) in tuple.elems.iter().zip(values.iter()) {
                    outs = self
                        .then(outs, |interp, state, _| interp.assign(state, expr, value.clone()))?;
                }
                return Ok(outs);
            }
            Expr::Infer(_) => return one(state, Value::Unit),
            _ => {}
        }
        let backup = state.clone();
        if let Some((mut state, target)) = self.place(state, to)? {
            // A variable that holds a reference is assigned another one.
            let direct = match to {
                Expr::Path(path) if matches!(value, Value::Ref(_)) => path
                    .path
                    .get_ident()
                    .and_then(|name| self.slot(&state, &name.to_string()))
                    .map(|slot| Target { slot, path: Vec::new() }),
                _ => None,
            };
            if self.write(&mut state, &direct.unwrap_or(target), value) {
                return one(state, Value::Unit);
            }
        }
        // What is written to is not known, so nothing is that could be it.
        let lost = self.unknown(to, "what is assigned to is not followed");
        let (within, is_index) = if was_read { (Vec::new(), false) } else { asked_by(to) };
        let ways = self.eval_all(backup, within.into_iter())?;
        self.then_all(ways, |interp, mut state, _| {
            interp.havoc(&mut state, to, &lost);
            // Out of bounds is a panic.
            if let (true, Value::Unknown(note)) = (is_index, &lost) {
                doubt(&mut state, *note);
            }
            one(state, Value::Unit)
        })
    }

    /// Forgets the variable that an expression begins with.
    pub(super) fn havoc(&mut self, state: &mut State, mut expr: &'a Expr, lost: &Value) {
        loop {
            expr = match expr {
                Expr::Field(field) => &field.base,
                Expr::Index(index) => &index.expr,
                Expr::Unary(unary) => &unary.expr,
                Expr::Paren(inner) => &inner.expr,
                Expr::Reference(reference) => &reference.expr,
                Expr::MethodCall(call) => &call.receiver,
                Expr::Path(path) => {
                    let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
                    let Some(slot) = self.slot(state, &name) else { break };
                    let target = match &state.vars[slot].1 {
                        Value::Ref(target) => (**target).clone(),
                        _ => Target { slot, path: Vec::new() },
                    };
                    let target = Target { slot: target.slot, path: Vec::new() };
                    self.write(state, &target, lost.clone());
                    return;
                }
                _ => break,
            };
        }
        if let Value::Unknown(note) = lost {
            doubt(state, *note);
        }
    }
}

/// What is evaluated to find the place that an expression means, and whether there is an index.
fn asked_by(mut place: &Expr) -> (Vec<&Expr>, bool) {
    let (mut within, mut is_index) = (Vec::new(), false);
    loop {
        place = match place {
            Expr::Field(field) => &field.base,
            Expr::Index(index) => {
                is_index = true;
                within.push(&*index.index);
                &index.expr
            }
            Expr::Unary(unary) => &unary.expr,
            Expr::Paren(inner) => &inner.expr,
            Expr::Reference(reference) => &reference.expr,
            Expr::Path(_) => break,
            other => {
                within.push(other);
                break;
            }
        };
    }
    within.reverse();
    (within, is_index)
}
