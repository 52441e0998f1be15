//! What is written to.

use std::rc::Rc;

use fxhash::FxHashSet;

use super::calls::sees_more;
use super::interp::{Interp, doubt, held};
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
            Expr::Group(inner) => self.place(state, &inner.expr),
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
        if is_reached(expr) {
            let outs = self.reach(state, expr)?;
            return self.then(outs, |interp, mut state, value| {
                if !matches!(value, Value::Ref(_)) {
                    let note = interp.lost_note("what is lent here is not followed");
                    interp.opaque_expr(&mut state, note, expr);
                }
                one(state, value)
            });
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

    /// What an expression means that is a part of what a call or a branch leads to, each part of it
    /// evaluated once: a reference, where it is a place.
    pub(super) fn reach(&mut self, state: State, expr: &'a Expr) -> Flow<Outs> {
        match expr {
            Expr::Paren(inner) => self.reach(state, &inner.expr),
            Expr::Group(inner) => self.reach(state, &inner.expr),
            Expr::Reference(inner) => self.reach(state, &inner.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                let outs = self.reach(state, &unary.expr)?;
                self.then(outs, |interp, state, value| {
                    let inner = match &value {
                        Value::Ref(target) => interp.read(&state, target),
                        _ => None,
                    };
                    let on = inner.filter(|inner| matches!(inner, Value::Ref(_)));
                    one(state, on.unwrap_or(value))
                })
            }
            Expr::Field(field) => {
                let member = member(&field.member);
                let outs = self.reach(state, &field.base)?;
                self.then(outs, |interp, mut state, base| {
                    if let Some(part) = interp.part(&state, &base, Step2::Field((&*member).into()))
                    {
                        return one(state, part);
                    }
                    let value = interp.field(&state, base.clone(), &member);
                    interp.forget_reached(&mut state, &base);
                    one(state, value)
                })
            }
            Expr::Index(index) => {
                let outs = self.reach(state, &index.expr)?;
                self.then(outs, |interp, state, base| {
                    let outs = interp.eval(state, &index.index)?;
                    interp.then(outs, |interp, mut state, at| {
                        let at = interp.deref(&state, at);
                        if let Value::Int(Int::Known(n)) = at
                            && let Ok(n) = usize::try_from(n)
                            && let Some(part) = interp.part(&state, &base, Step2::Index(n))
                        {
                            return one(state, part);
                        }
                        let known = interp.deref(&state, base.clone());
                        interp.forget_reached(&mut state, &base);
                        interp.index(state, known, at)
                    })
                })
            }
            _ => self.eval(state, expr),
        }
    }

    /// A reference to a part of what a reference leads to, if it is known.
    fn part(&self, state: &State, base: &Value, step: Step2) -> Option<Value> {
        let Value::Ref(target) = base else { return None };
        let mut part = (**target).clone();
        part.path.push(step);
        match self.read(state, &part)? {
            Value::Unknown(_) | Value::Gone => None,
            inner @ Value::Ref(_) => Some(inner),
            _ => Some(Value::Ref(Rc::new(part))),
        }
    }

    /// Forgets what a part that is not known may be one of.
    fn forget_reached(&mut self, state: &mut State, base: &Value) {
        if matches!(base, Value::Ref(_)) {
            let note = self.lost_note("what is lent here is not followed");
            self.opaque_writes(state, note, std::slice::from_ref(base));
        }
    }

    /// What a compound assignment writes to, evaluated once: a reference, or what it is now.
    pub(super) fn read_place(&mut self, state: State, expr: &'a Expr) -> Flow<Outs> {
        if is_reached(expr) {
            return self.reach(state, expr);
        }
        if let Some((after, target)) = self.place(state.clone(), expr)? {
            let is_read = match self.read(&after, &target) {
                None => false,
                // Out of bounds is a panic.
                Some(Value::Unknown(_)) => {
                    !target.path.iter().any(|step| matches!(step, Step2::Index(_)))
                }
                Some(_) => true,
            };
            if is_read {
                return one(after, Value::Ref(Rc::new(target)));
            }
        }
        self.eval(state, expr)
    }

    /// Writes to what [`Interp::read_place`] or [`Interp::reach`] found.
    pub(super) fn write_place(
        &mut self,
        state: &mut State,
        expr: &'a Expr,
        place: &Value,
        value: Value,
    ) {
        if let Value::Ref(target) = place
            && self.write(state, target, value)
        {
            return;
        }
        let lost = self.unknown(expr, "what is assigned to is not followed");
        if is_reached(expr) {
            let Value::Unknown(note) = lost else { return };
            self.opaque_writes(state, note, std::slice::from_ref(place));
            self.opaque_expr(state, note, expr);
        } else {
            self.havoc(state, expr, &lost);
        }
    }

    pub(super) fn assign(&mut self, state: State, to: &'a Expr, value: Value) -> Flow<Outs> {
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
        if let Value::Ref(_) = value
            && !matches!(to, Expr::Path(_))
        {
            return self.lead_on(state, to, value);
        }
        if is_reached(to) {
            let outs = self.reach(state, to)?;
            return self.then(outs, |interp, mut state, place| {
                interp.write_place(&mut state, to, &place, value.clone());
                one(state, Value::Unit)
            });
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
        let (within, is_index) = asked_by(to);
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

    /// Assigns a reference to a place that holds one.
    fn lead_on(&mut self, state: State, to: &'a Expr, value: Value) -> Flow<Outs> {
        if let Expr::Field(field) = to
            && let Some((mut state, mut target)) = self.place(state.clone(), &field.base)?
        {
            target.path.push(Step2::Field(member(&field.member).into()));
            if self.write(&mut state, &target, value.clone()) {
                return one(state, Value::Unit);
            }
        }
        // A place that is reached by a reference to it is taken for what it leads to: so all are
        // forgotten that lead there.
        let note = self.lost_note("what is assigned to is not followed");
        let found = self.place(state.clone(), to)?;
        let ways = self.eval_all(state, asked_by(to).0.into_iter())?;
        self.then_all(ways, |interp, mut state, _| {
            interp.opaque(&mut state, note, std::slice::from_ref(&value));
            interp.opaque_expr(&mut state, note, to);
            for slot in 0..state.vars.len() {
                let mut slots = FxHashSet::default();
                held(&state.vars[slot].1, &mut slots, &mut Vec::new());
                let leads = match &found {
                    Some((_, target)) => slots.contains(&target.slot),
                    None => !slots.is_empty(),
                };
                if leads {
                    let old = std::mem::replace(&mut state.vars[slot].1, Value::Unknown(note));
                    interp.opaque_writes(&mut state, note, &[old]);
                }
            }
            one(state, Value::Unit)
        })
    }

    /// Forgets the variable that an expression begins with, and what it leads to; where it begins
    /// with none, all that it mentions.
    pub(super) fn havoc(&mut self, state: &mut State, whole: &'a Expr, lost: &Value) {
        let Value::Unknown(note) = *lost else { return };
        let mut expr = whole;
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
                    self.opaque_writes(state, note, &[Value::Ref(Rc::new(target))]);
                    return;
                }
                _ => break,
            };
        }
        doubt(state, note);
        self.opaque_expr(state, note, whole);
    }
}

/// Whether an expression means a part of something that is no variable: of what a call returns, or
/// one of several branches.
pub(super) fn is_reached(mut expr: &Expr) -> bool {
    let mut is_part = false;
    loop {
        expr = match expr {
            Expr::Paren(inner) => &inner.expr,
            Expr::Group(inner) => &inner.expr,
            Expr::Reference(inner) => &inner.expr,
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                is_part = true;
                &unary.expr
            }
            Expr::Field(field) => {
                is_part = true;
                &field.base
            }
            Expr::Index(index) => {
                is_part = true;
                &index.expr
            }
            Expr::Path(_) => return false,
            _ => return is_part,
        };
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
