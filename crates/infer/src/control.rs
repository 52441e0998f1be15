//! Blocks, branches and loops.

use super::bodies::address;
use super::interp::{Interp, doubt, name_of};
use super::loops::Loop;
use super::patterns::lends;
use super::source::Indices;
use super::state::{Exit, Out, Outs, State, one, unite};
use super::stop::Flow;
use super::value::{Int, Name, Unit, Value};
use std::rc::Rc;
use syn::{BinOp, Block, Expr, Pat, Stmt, UnOp};

/// Where a condition holds, where it does not, and how else it may end.
pub(super) struct Tested {
    pub(super) yes: Vec<State>,
    pub(super) no: Vec<State>,
    pub(super) others: Outs,
}

impl<'a> Interp<'a> {
    /// A block with its own variables.
    pub(super) fn eval_block(&mut self, state: State, block: &'a Block) -> Flow<Outs> {
        let base = state.vars.len();
        let mut outs = one(state, Value::Unit)?;
        for statement in &block.stmts {
            if outs.is_empty() {
                break;
            }
            outs = self.then(outs, |interp, state, _| interp.eval_statement(state, statement))?;
            if matches!(statement, Stmt::Expr(Expr::If(_) | Expr::Match(_), _) | Stmt::Local(_)) {
                let behind = self.span(statement).1;
                outs = self.forget(outs, behind)?;
            }
        }
        self.out_of_scope(&mut outs, base);
        self.bounded(outs)
    }

    pub(super) fn eval_labelled(&mut self, state: State, block: &'a syn::ExprBlock) -> Flow<Outs> {
        let mut outs = self.eval_block(state, &block.block)?;
        if let Some(label) = &block.label {
            let label = name_of(&label.name.ident);
            for out in &mut outs {
                if let Exit::Break(Some(to), value) = &out.exit
                    && *to == label
                {
                    out.exit = Exit::Value(value.clone());
                }
            }
        }
        self.bounded(outs)
    }

    pub(super) fn eval_statement(&mut self, state: State, statement: &'a Stmt) -> Flow<Outs> {
        match statement {
            Stmt::Item(_) => one(state, Value::Unit),
            Stmt::Macro(call) => self.eval_macro(state, &call.mac, &call.mac),
            Stmt::Expr(expr, None) => self.eval(state, expr),
            Stmt::Expr(expr, Some(_)) => {
                let outs = self.hinted(None, |interp| interp.eval(state, expr))?;
                self.then(outs, |_, state, _| one(state, Value::Unit))
            }
            Stmt::Local(local) => {
                let Some(init) = &local.init else {
                    let mut state = state;
                    if let Some(name) = super::source::variable(&local.pat) {
                        state.vars.push((name, Value::Gone));
                    }
                    return one(state, Value::Unit);
                };
                let hint = match &local.pat {
                    Pat::Type(typed) => Some(super::calls::Hint::of(&typed.ty)),
                    _ => None,
                };
                let outer = std::mem::replace(&mut self.hint, hint);
                let is_place = lends(&local.pat);
                let outs = match is_place {
                    true => self.scrutinee(state, &init.expr, is_place),
                    false => self.eval(state, &init.expr),
                };
                self.hint = outer;
                self.then(outs?, |interp, state, value| {
                    let base = state.vars.len();
                    let matched = interp.matches_place(state, value, is_place, &local.pat)?;
                    let mut outs: Outs =
                        matched.yes.into_iter().map(|state| state.with(Value::Unit)).collect();
                    if let Some((_, otherwise)) = &init.diverge {
                        for state in matched.no {
                            let mut ends = interp.eval(state, otherwise)?;
                            ends.retain(|out| !matches!(out.exit, Exit::Value(_)));
                            interp.out_of_scope(&mut ends, base);
                            outs.extend(ends);
                        }
                    }
                    Ok(outs)
                })
            }
        }
    }

    pub(super) fn tested(&mut self, tested: Tested) -> Flow<Outs> {
        let mut outs = tested.others;
        outs.extend(tested.yes.into_iter().map(|state| state.with(Value::known(true))));
        outs.extend(tested.no.into_iter().map(|state| state.with(Value::known(false))));
        self.bounded(outs)
    }

    /// Evaluates a condition, with `let` in it: where it holds, its variables are bound.
    pub(super) fn test(&mut self, state: State, expr: &'a Expr) -> Flow<Tested> {
        let base = state.vars.len();
        let mut tested = Tested { yes: Vec::new(), no: Vec::new(), others: Vec::new() };
        match expr {
            Expr::Paren(inner) => return self.test(state, &inner.expr),
            Expr::Let(bound) => {
                let is_place = lends(&bound.pat);
                for out in self.scrutinee(state, &bound.expr, is_place)? {
                    let Exit::Value(value) = out.exit else {
                        tested.others.push(out);
                        continue;
                    };
                    let matched = self.matches_place(out.state, value, is_place, &bound.pat)?;
                    tested.yes.extend(matched.yes);
                    tested.no.extend(matched.no);
                }
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
                let first = self.test(state, &binary.left)?;
                tested.no = first.no;
                tested.others = first.others;
                for state in first.yes {
                    let second = self.test(state, &binary.right)?;
                    tested.yes.extend(second.yes);
                    tested.no.extend(second.no);
                    tested.others.extend(second.others);
                }
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::Or(_)) => {
                let first = self.test(state, &binary.left)?;
                tested.yes = first.yes;
                tested.others = first.others;
                for state in first.no {
                    let second = self.test(state, &binary.right)?;
                    tested.yes.extend(second.yes);
                    tested.no.extend(second.no);
                    tested.others.extend(second.others);
                }
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                let inner = self.test(state, &unary.expr)?;
                tested = Tested { yes: inner.no, no: inner.yes, others: inner.others };
            }
            _ => {
                let hint = super::calls::Hint { name: "bool".into(), ..Default::default() };
                for out in self.hinted(Some(hint), |interp| interp.eval(state, expr))? {
                    let Exit::Value(value) = out.exit else {
                        tested.others.push(out);
                        continue;
                    };
                    let (yes, no) = self.branch(out.state, &value)?;
                    tested.yes.extend(yes);
                    tested.no.extend(no);
                }
            }
        }
        for state in &mut tested.no {
            state.vars.truncate(base);
        }
        tested.yes = unite(&mut self.pool, self.level, tested.yes)?;
        tested.no = unite(&mut self.pool, self.level, tested.no)?;
        Ok(tested)
    }

    pub(super) fn eval_if(&mut self, state: State, branch: &'a syn::ExprIf) -> Flow<Outs> {
        let base = state.vars.len();
        let tested = self.test(state, &branch.cond)?;
        let mut outs = tested.others;
        for state in tested.yes {
            outs.extend(self.eval_block(state, &branch.then_branch)?);
        }
        for state in tested.no {
            match &branch.else_branch {
                Some((_, otherwise)) => outs.extend(self.eval(state, otherwise)?),
                None => outs.push(state.with(Value::Unit)),
            }
        }
        self.out_of_scope(&mut outs, base);
        self.bounded(outs)
    }

    pub(super) fn eval_match(&mut self, state: State, matched: &'a syn::ExprMatch) -> Flow<Outs> {
        let base = state.vars.len();
        let is_place = matched.arms.iter().any(|arm| lends(&arm.pat));
        let scrutinee = self.scrutinee(state, &matched.expr, is_place)?;
        let mut outs = Vec::new();
        for out in scrutinee {
            let Exit::Value(value) = out.exit else {
                outs.push(out);
                continue;
            };
            let mut left = vec![out.state];
            for arm in &matched.arms {
                let mut next = Vec::new();
                for state in left {
                    let guard = arm.guard.as_ref().map(|(_, guard)| &**guard);
                    let tested = self.guarded(state, &value, is_place, &arm.pat, guard)?;
                    outs.extend(tested.others);
                    for state in tested.yes {
                        outs.extend(self.eval(state, &arm.body)?);
                    }
                    next.extend(tested.no);
                }
                for state in &mut next {
                    state.vars.truncate(base);
                }
                left = unite(&mut self.pool, self.level, next)?;
                if left.is_empty() {
                    break;
                }
            }
        }
        self.out_of_scope(&mut outs, base);
        self.bounded(outs)
    }

    /// Where a pattern and its guard hold. The guard is asked of each alternative that matches, with
    /// what that one binds.
    pub(super) fn guarded(
        &mut self,
        state: State,
        value: &Value,
        is_place: bool,
        pat: &'a Pat,
        guard: Option<&'a Expr>,
    ) -> Flow<Tested> {
        let base = state.vars.len();
        let mut tested = Tested { yes: Vec::new(), no: vec![state], others: Vec::new() };
        let alternatives = match guard {
            Some(_) => self.alternatives(pat),
            None => vec![pat],
        };
        for pat in alternatives {
            let mut next = Vec::new();
            for mut state in std::mem::take(&mut tested.no) {
                state.vars.truncate(base);
                let found = match guard {
                    Some(_) if self.chooses(pat) => {
                        self.match_unknown_place(state, value, is_place, pat)?
                    }
                    _ => self.matches_place(state, value.clone(), is_place, pat)?,
                };
                next.extend(found.no);
                let Some(guard) = guard else {
                    tested.yes.extend(found.yes);
                    continue;
                };
                for state in found.yes {
                    let more = self.test(state, guard)?;
                    tested.yes.extend(more.yes);
                    tested.others.extend(more.others);
                    next.extend(more.no);
                }
            }
            tested.no = next;
        }
        for state in &mut tested.no {
            state.vars.truncate(base);
        }
        Ok(tested)
    }

    pub(super) fn eval_loop(
        &mut self,
        state: State,
        inner: &'a syn::ExprLoop,
        expr: &'a Expr,
    ) -> Flow<Outs> {
        let label = inner.label.as_ref().map(|label| name_of(&label.name.ident));
        let mut outs = Vec::new();
        for state in self.indices(state, &[], Some(&inner.body))? {
            outs.extend(self.in_loop(expr, label.clone(), &[], state, &mut |interp, state| {
                interp.eval_block(state, &inner.body)
            })?);
        }
        self.bounded(outs)
    }

    pub(super) fn eval_while(
        &mut self,
        state: State,
        inner: &'a syn::ExprWhile,
        expr: &'a Expr,
    ) -> Flow<Outs> {
        let label = inner.label.as_ref().map(|label| name_of(&label.name.ident));
        let mut ends = Vec::new();
        for state in self.indices(state, &[&inner.cond], Some(&inner.body))? {
            ends.extend(self.in_loop(expr, label.clone(), &[], state, &mut |interp, state| {
                let base = state.vars.len();
                let tested = interp.test(state, &inner.cond)?;
                let mut outs = tested.others;
                for state in tested.yes {
                    outs.extend(interp.eval_block(state, &inner.body)?);
                }
                for state in tested.no {
                    outs.push(Out { state, exit: Exit::Break(None, Value::Unit) });
                }
                interp.out_of_scope(&mut outs, base);
                Ok(outs)
            })?);
        }
        self.bounded(ends)
    }

    pub(super) fn eval_for(
        &mut self,
        state: State,
        inner: &'a syn::ExprForLoop,
        expr: &'a Expr,
    ) -> Flow<Outs> {
        let base = state.vars.len();
        let label = inner.label.as_ref().map(|label| name_of(&label.name.ident));
        let outs = self.eval(state, &inner.expr)?;
        let outs = self.then(outs, |interp, state, value| {
            let Some(iter) = interp.iterate(&state, &value) else {
                return interp.lost_loop(state, inner, &value);
            };
            let slot = base;
            let mut ends = Vec::new();
            for mut state in interp.indices(state, &[], Some(&inner.body))? {
                state.vars.push(("#for".into(), Value::iter(iter.clone())));
                ends.extend(interp.in_loop(
                    expr,
                    label.clone(),
                    &[slot],
                    state,
                    &mut |interp, state| {
                        let Value::Iter(iter) = state.vars[slot].1.clone() else {
                            let lost = interp.lost_note("what a loop runs over is not followed");
                            let mut state = state;
                            doubt(&mut state, lost);
                            let end =
                                Out { state: state.clone(), exit: Exit::Break(None, Value::Unit) };
                            let mut outs = interp.bind_item(state, Value::Unknown(lost), inner)?;
                            outs.push(end);
                            return Ok(outs);
                        };
                        let mut outs = Vec::new();
                        for (mut state, next) in interp.next(state, &iter)? {
                            use super::iter::Next;
                            match next {
                                Next::Item(value, iter) => {
                                    state.vars[slot].1 = Value::iter(iter);
                                    outs.extend(interp.bind_item(state, value, inner)?);
                                }
                                Next::Skip(iter) => {
                                    state.vars[slot].1 = Value::iter(iter);
                                    outs.push(state.with(Value::Unit));
                                }
                                Next::End(iter) => {
                                    state.vars[slot].1 = Value::iter(iter);
                                    outs.push(Out { state, exit: Exit::Break(None, Value::Unit) });
                                }
                            }
                        }
                        Ok(outs)
                    },
                )?);
            }
            interp.bounded(ends)
        })?;
        let mut outs = outs;
        self.out_of_scope(&mut outs, base);
        self.bounded(outs)
    }

    /// A round of a loop over something, with an item.
    pub(super) fn bind_item(
        &mut self,
        state: State,
        value: Value,
        inner: &'a syn::ExprForLoop,
    ) -> Flow<Outs> {
        let matched = self.matches(state, value, &inner.pat)?;
        let mut outs = Vec::new();
        for state in matched.yes {
            outs.extend(self.eval_block(state, &inner.body)?);
        }
        Ok(outs)
    }

    /// A loop over something that is not followed: any number of rounds with any items.
    pub(super) fn lost_loop(
        &mut self,
        state: State,
        inner: &'a syn::ExprForLoop,
        value: &Value,
    ) -> Flow<Outs> {
        let note = match value {
            Value::Unknown(note) => *note,
            _ => match self.unknown(&*inner.expr, "what a loop runs over is not followed") {
                Value::Unknown(note) => note,
                _ => 0,
            },
        };
        let mut state = state;
        self.opaque_block(&mut state, note, &inner.body);
        let mut outs = self.bind_item(state.clone(), Value::Unknown(note), inner)?;
        outs.push(state.with(Value::Unit));
        for out in &mut outs {
            match &out.exit {
                Exit::Break(None, _) | Exit::Continue(None) => out.exit = Exit::Value(Value::Unit),
                _ => {}
            }
        }
        Ok(outs)
    }

    pub(super) fn in_loop(
        &mut self,
        expr: &'a Expr,
        label: Option<Name>,
        movers: &[usize],
        state: State,
        round: &mut super::loops::Round<'_, 'a>,
    ) -> Flow<Outs> {
        let (start, end) = self.span(expr);
        let key = self.key(address(expr));
        let frame = self.frames.last_mut().expect("a loop is in a function");
        let outermost = frame.loop_start.is_none();
        if outermost {
            frame.loop_start = Some(start);
        }
        let this = Loop { key, label, movers, behind: Some(end), rounds: None };
        let outs = self.run_loop(&this, state, round);
        if outermost {
            self.frames.last_mut().expect("a loop is in a function").loop_start = None;
        }
        outs
    }

    /// Numbers that a loop uses as indices into a text become indices of it.
    pub(super) fn indices(
        &mut self,
        state: State,
        exprs: &[&'a Expr],
        body: Option<&'a Block>,
    ) -> Flow<Vec<State>> {
        let found = Indices::of(self.krate, exprs, body);
        let mut states = vec![state];
        for (base, name) in found.used {
            if !found.assigned.contains(&name) {
                continue;
            }
            let mut next = Vec::new();
            for state in states {
                let number =
                    self.slot(&state, &name).map(|slot| (slot, state.vars[slot].1.clone()));
                let Some((slot, Value::Int(Int::Known(n @ 0..=64)))) = number else {
                    next.push(state);
                    continue;
                };
                let Some((at, unit)) = self.indexed(&state, base)? else {
                    next.push(state);
                    continue;
                };
                let index = super::iter::at_start(at, unit);
                for (mut state, at) in self.advance(state, &index, n)? {
                    state.vars[slot].1 = Value::Int(Int::At(Rc::new(at)));
                    next.push(state);
                }
            }
            states = next;
        }
        Ok(states)
    }

    /// The text that an expression is the characters or bytes of.
    pub(super) fn indexed(
        &mut self,
        state: &State,
        base: &'a Expr,
    ) -> Flow<Option<(super::view::View, Unit)>> {
        let mut outs = self.eval(state.clone(), base)?;
        let (Some(Out { exit: Exit::Value(value), state }), true) = (outs.pop(), outs.is_empty())
        else {
            return Ok(None);
        };
        let value = self.deref(&state, value);
        Ok(match &value {
            Value::Bytes(text) | Value::Str(text) => text.as_view().map(|view| (view, Unit::Bytes)),
            Value::Items(iter) | Value::Iter(iter) => match &**iter {
                super::value::Iter::Chars(view) => Some((*view, Unit::Chars)),
                super::value::Iter::Bytes { rest, pending: 0, backwards: false } => {
                    Some((*rest, Unit::Bytes))
                }
                _ => None,
            },
            _ => None,
        })
    }
}
