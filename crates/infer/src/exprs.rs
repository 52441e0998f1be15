//! Expressions and statements.

use std::rc::Rc;

use syn::Expr;

use super::bodies::address;
use super::calls::OWN;
use super::interp::{Frame, Interp, doubt, name_of, returned};
use super::names::{Found, Kind};
use super::numbers::{LEAST, MOST};
use super::patterns::{literal_value, member};
use super::source::{names, names_of};
use super::state::{Exit, Out, Outs, State, one};
use super::stop::Flow;
use super::value::{Int, Name, Range, Struct, Value};
use super::widths::Width;

/// What is said of a value of too many parts.
const HEAVY: &str = "a value of so many parts is not followed";

/// Whether an expression may make a value larger than those that it is made from.
fn puts_together(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Array(_)
            | Expr::Assign(_)
            | Expr::Call(_)
            | Expr::Macro(_)
            | Expr::MethodCall(_)
            | Expr::Repeat(_)
            | Expr::Struct(_)
            | Expr::Tuple(_)
    )
}

/// The variable that a place begins with, and whether no index on the way to it is evaluated.
fn root(mut place: &Expr) -> Option<(String, bool)> {
    let mut is_fixed = true;
    loop {
        place = match place {
            Expr::Path(path) => return Some((path.path.get_ident()?.to_string(), is_fixed)),
            Expr::Paren(inner) => &inner.expr,
            Expr::Field(field) => &field.base,
            Expr::Index(index) => {
                is_fixed &= matches!(&*index.index, Expr::Lit(_));
                &index.expr
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => &unary.expr,
            _ => return None,
        };
    }
}

impl<'a> Interp<'a> {
    /// Evaluates an expression.
    pub(super) fn eval(&mut self, state: State, expr: &'a Expr) -> Flow<Outs> {
        self.spend(1)?;
        let outer = self.current.replace(expr);
        let mut outs = if super::calls::hands_on(expr) {
            self.eval_kind(state, expr)
        } else {
            self.hinted(None, |interp| interp.eval_kind(state, expr))
        };
        if puts_together(expr)
            && let Ok(outs) = &mut outs
        {
            outs.iter_mut().for_each(|out| self.lighten(out));
        }
        self.current = outer;
        outs
    }

    /// Forgets what there is too much of.
    fn lighten(&mut self, out: &mut Out) {
        if let Exit::Value(value) = &mut out.exit
            && value.is_heavy()
        {
            let note = self.lost_note(HEAVY);
            let given = std::mem::replace(value, Value::Unknown(note));
            self.opaque_writes(&mut out.state, note, &[given]);
        }
        self.lighten_vars(&mut out.state, |_, value| value.is_heavy());
    }

    /// Forgets variables in which there is too much.
    fn lighten_vars(&mut self, state: &mut State, is_heavy: impl Fn(usize, &Value) -> bool) {
        for slot in 0..state.vars.len() {
            if is_heavy(slot, &state.vars[slot].1) {
                let note = self.lost_note(HEAVY);
                let given = std::mem::replace(&mut state.vars[slot].1, Value::Unknown(note));
                self.opaque_writes(state, note, &[given]);
            }
        }
    }

    /// Forgets what grew in a round of a loop, and may grow in each.
    pub(super) fn lighten_grown(&mut self, state: &mut State, before: &[(Name, Value)]) {
        self.lighten_vars(state, |slot, value| {
            before.get(slot).is_some_and(|(_, old)| value.has_outgrown(old))
        });
    }

    pub(super) fn eval_kind(&mut self, state: State, expr: &'a Expr) -> Flow<Outs> {
        match expr {
            Expr::Lit(literal) => match self.literal(&literal.lit) {
                Some(value) => one(state, value),
                None => {
                    let value = self.unknown(expr, "a literal of this kind is not followed");
                    one(state, value)
                }
            },
            Expr::Paren(inner) => self.eval(state, &inner.expr),
            Expr::Group(inner) => self.eval(state, &inner.expr),
            Expr::Path(path) => self.eval_path(state, path, expr),
            Expr::Block(block) => self.eval_labelled(state, block),
            Expr::Unsafe(block) => self.eval_block(state, &block.block),
            Expr::Const(block) => self.eval_block(state, &block.block),
            Expr::If(branch) => self.eval_if(state, branch),
            Expr::Match(matched) => self.eval_match(state, matched),
            Expr::Let(_) => {
                let tested = self.test(state, expr)?;
                self.tested(tested)
            }
            Expr::Binary(binary) => self.eval_binary(state, binary, expr),
            Expr::Unary(unary) => self.eval_unary(state, unary, expr),
            Expr::Assign(assign) => {
                let outs = self.eval(state, &assign.right)?;
                self.then(outs, |interp, state, value| interp.assign(state, &assign.left, value))
            }
            Expr::Call(call) => self.eval_call(state, call, expr),
            Expr::MethodCall(call) => self.eval_method(state, call, expr),
            Expr::Field(field) => {
                let outs = self.eval(state, &field.base)?;
                let member = member(&field.member);
                self.then(outs, |interp, state, value| {
                    let value = interp.field(&state, value, &member);
                    one(state, value)
                })
            }
            Expr::Index(index) => self.eval_index(state, index),
            Expr::Range(range) => {
                let ends = [range.start.as_deref(), range.end.as_deref()];
                let outs = self.eval_all(state, ends.into_iter().flatten())?;
                let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
                self.then_all(outs, |interp, state, values| {
                    let mut values = values
                        .into_iter()
                        .map(|value| interp.deref(&state, value))
                        .collect::<Vec<_>>()
                        .into_iter();
                    let from = range.start.as_ref().and_then(|_| values.next());
                    let to = range.end.as_ref().and_then(|_| values.next());
                    one(state, Value::Range(Rc::new(Range { from, to, inclusive })))
                })
            }
            Expr::Reference(reference) => {
                if reference.mutability.is_some() {
                    return self.lend(state, &reference.expr);
                }
                self.eval(state, &reference.expr)
            }
            Expr::Tuple(tuple) => {
                let outs = self.eval_all(state, tuple.elems.iter())?;
                self.then_all(outs, |_, state, values| one(state, Value::tuple(values)))
            }
            Expr::Array(array) => {
                let outs = self.eval_all(state, array.elems.iter())?;
                self.then_all(outs, |_, state, values| one(state, Value::List(Rc::new(values))))
            }
            Expr::Repeat(repeat) => self.eval_repeat(state, &repeat.expr, &repeat.len),
            Expr::Return(ret) => match &ret.expr {
                None => returned(state, Value::Unit),
                Some(value) => {
                    let hint = self.returns();
                    let outs = self.hinted(hint, |interp| interp.eval(state, value))?;
                    self.then(outs, |_, state, value| returned(state, value))
                }
            },
            Expr::Break(exit) => {
                let label = exit.label.as_ref().map(|label| name_of(&label.ident));
                let outs = match &exit.expr {
                    None => one(state, Value::Unit)?,
                    Some(value) => self.eval(state, value)?,
                };
                self.then(outs, |_, state, value| {
                    Ok(vec![Out { state, exit: Exit::Break(label.clone(), value) }])
                })
            }
            Expr::Continue(exit) => {
                let label = exit.label.as_ref().map(|label| name_of(&label.ident));
                Ok(vec![Out { state, exit: Exit::Continue(label) }])
            }
            Expr::Loop(inner) => self.eval_loop(state, inner, expr),
            Expr::While(inner) => self.eval_while(state, inner, expr),
            Expr::ForLoop(inner) => self.eval_for(state, inner, expr),
            Expr::Try(inner) => {
                let outs = self.eval(state, &inner.expr)?;
                self.then(outs, |interp, state, value| {
                    let value = interp.deref(&state, value);
                    match value {
                        Value::Opt(Some(inner)) | Value::Res(Ok(inner)) => {
                            one(state, (*inner).clone())
                        }
                        Value::Opt(None) => returned(state, Value::none()),
                        Value::Res(Err(inner)) => returned(state, Value::Res(Err(inner))),
                        other => {
                            let note = match other {
                                Value::Unknown(note) => note,
                                _ => interp.lost_note("what `?` is applied to is not followed"),
                            };
                            let mut state = state;
                            doubt(&mut state, note);
                            // What is returned early is never what is good.
                            let early = match interp.returns().as_ref().map(|hint| &*hint.name) {
                                Some("Option") => Value::none(),
                                Some("Result") => Value::err(Value::Unknown(note)),
                                _ => Value::Unknown(note),
                            };
                            let mut outs = returned(state.clone(), early)?;
                            outs.push(state.with(Value::Unknown(note)));
                            Ok(outs)
                        }
                    }
                })
            }
            Expr::Closure(closure) => {
                let mut state = state;
                let value = self.closure(&mut state, closure);
                one(state, value)
            }
            Expr::Macro(call) => self.eval_macro(state, &call.mac, expr),
            Expr::Cast(cast) => {
                let outs = self.eval(state, &cast.expr)?;
                let to = super::source::type_name(&cast.ty);
                self.then(outs, |interp, state, value| {
                    let value = interp.deref(&state, value);
                    interp.cast(state, value, &to)
                })
            }
            Expr::Struct(made) => {
                let exprs = made.fields.iter().map(|field| &field.expr).chain(made.rest.as_deref());
                let outs = self.eval_all(state, exprs)?;
                self.then_all(outs, |interp, state, values| {
                    let made = interp.made_struct(&state, made, values);
                    interp.made(state, made)
                })
            }
            other => {
                let value = self.unknown(other, "an expression of this kind is not followed");
                let mut state = state;
                if let Value::Unknown(note) = value {
                    doubt(&mut state, note);
                }
                one(state, value)
            }
        }
    }

    /// An item of something. What is a place is read behind the index, which may write to it.
    fn eval_index(&mut self, state: State, index: &'a syn::ExprIndex) -> Flow<Outs> {
        let (base, at) = (&*index.expr, &*index.index);
        let root = root(base).filter(|_| self.may_write(at));
        if let Some((_, true)) = root {
            let outs = self.eval_all(state, [at, base].into_iter())?;
            return self.then_all(outs, |interp, state, values| {
                let [at, base] = &values[..] else { return Ok(Vec::new()) };
                let base = interp.deref(&state, base.clone());
                let at = interp.deref(&state, at.clone());
                interp.index(state, base, at)
            });
        }
        let outs = self.eval(state, base)?;
        self.then(outs, |interp, state, base| {
            let slot = root.as_ref().and_then(|(name, _)| interp.slot(&state, name));
            let held = |interp: &Self, state: &State| {
                slot.map(|slot| interp.deref(state, state.vars[slot].1.clone()))
            };
            let before = held(interp, &state);
            let outs = interp.eval(state, at)?;
            interp.then(outs, |interp, mut state, at| {
                if held(interp, &state) != before {
                    let note = interp.lost_note("what an index writes to is not followed here");
                    doubt(&mut state, note);
                    return one(state, Value::Unknown(note));
                }
                let base = interp.deref(&state, base.clone());
                let at = interp.deref(&state, at);
                interp.index(state, base, at)
            })
        })
    }

    /// A field of a struct or a tuple.
    pub(super) fn field(&mut self, state: &State, value: Value, member: &str) -> Value {
        let value = self.deref(state, value);
        let found = match &value {
            Value::Tuple(values) => member.parse().ok().and_then(|i: usize| values.get(i).cloned()),
            Value::Struct(fields) => {
                fields.fields.iter().find(|field| *field.0 == *member).map(|field| field.1.clone())
            }
            Value::Unknown(_) => Some(value),
            _ => None,
        };
        found.unwrap_or_else(|| self.lost("a field of something is not followed"))
    }

    /// A struct of the values of its fields and, behind them, what the others are taken from.
    fn made_struct(
        &mut self,
        state: &State,
        made: &'a syn::ExprStruct,
        values: Vec<Value>,
    ) -> Struct {
        let mut name = names(&made.path).pop().unwrap_or_default();
        if name == "Self" {
            name = self.krate.owner(self.origin()).to_owned();
        }
        let mut values = values.into_iter();
        let mut fields: Vec<(Name, Value)> = made
            .fields
            .iter()
            .zip(values.by_ref())
            .map(|(field, value)| (member(&field.member).into(), value))
            .collect();
        if let Some(rest) = values.next() {
            match self.deref(state, rest) {
                Value::Struct(rest) => {
                    for field in &rest.fields {
                        if fields.iter().all(|own| own.0 != field.0) {
                            fields.push(field.clone());
                        }
                    }
                }
                // That there are more fields is not forgotten.
                _ => fields.push(("..".into(), self.lost("what `..` adds is not followed"))),
            }
        }
        // In whatever order they are written, they are the same; and numbers are in theirs.
        fields.sort_by(|a, b| (a.0.len(), &a.0).cmp(&(b.0.len(), &b.0)));
        Struct { name: name.into(), fields }
    }

    /// What a literal is.
    pub(super) fn literal(&self, literal: &syn::Lit) -> Option<Value> {
        literal_value(literal)
    }

    /// Something that is not followed, at the expression at hand.
    pub(super) fn lost(&mut self, message: &str) -> Value {
        Value::Unknown(self.lost_note(message))
    }

    pub(super) fn lost_note(&mut self, message: &str) -> u32 {
        let spot = match self.current {
            Some(expr) => self.spot(expr),
            None => {
                let frame = self.frame();
                super::interp::Spot { file: frame.file, line: frame.end.line, column: 1 }
            }
        };
        self.note(spot, message)
    }

    /// Evaluates expressions one after the other, each in what the one before left.
    pub(super) fn eval_all(
        &mut self,
        state: State,
        exprs: impl Iterator<Item = &'a Expr>,
    ) -> Flow<Vec<(Out, Vec<Value>)>> {
        let mut ways = vec![(state.with(Value::Unit), Vec::new())];
        for expr in exprs {
            let mut next = Vec::new();
            for (out, values) in ways {
                if !matches!(out.exit, Exit::Value(_)) {
                    next.push((out, values));
                    continue;
                }
                for out in self.eval(out.state, expr)? {
                    let mut values: Vec<Value> = values.clone();
                    if let Exit::Value(value) = &out.exit {
                        values.push(value.clone());
                    }
                    next.push((out, values));
                }
            }
            ways = next;
        }
        Ok(ways)
    }

    pub(super) fn then_all(
        &mut self,
        ways: Vec<(Out, Vec<Value>)>,
        mut next: impl FnMut(&mut Self, State, Vec<Value>) -> Flow<Outs>,
    ) -> Flow<Outs> {
        let mut outs = Vec::new();
        for (out, values) in ways {
            match out.exit {
                Exit::Value(_) => outs.extend(next(self, out.state, values)?),
                _ => outs.push(out),
            }
        }
        self.bounded(outs)
    }

    pub(super) fn eval_path(
        &mut self,
        state: State,
        path: &'a syn::ExprPath,
        expr: &'a Expr,
    ) -> Flow<Outs> {
        let names = names_of(path);
        if let [name] = &names[..]
            && let Some(slot) = self.slot(&state, name)
        {
            let value = state.vars[slot].1.clone();
            return one(state, value);
        }
        let value = self.path_value(&names)?;
        let value = match value {
            Some(value) => value,
            None => self.unknown(expr, format!("`{}` is not known", names.join("::"))),
        };
        let mut state = state;
        match &value {
            Value::Struct(made) => return self.made(state, (**made).clone()),
            // It may be of what does something where it is dropped.
            Value::Unknown(note) if self.krate.has_drops() => doubt(&mut state, *note),
            _ => {}
        }
        one(state, value)
    }

    /// What a path that is no variable means.
    pub(super) fn path_value(&mut self, names: &[String]) -> Flow<Option<Value>> {
        let last = names.last().map_or("", String::as_str);
        if last == "None" && names.len() <= 2 {
            return Ok(Some(Value::none()));
        }
        if let Some(value) = self.constant(names)? {
            return Ok(Some(value));
        }
        let number = match (names.iter().rev().nth(1).map_or("", String::as_str), last) {
            (of, "MAX") => self.krate.types.named(of).map(Width::max),
            (of, "MIN") => self.krate.types.named(of).map(Width::min),
            _ => None,
        };
        if let Some(number) = number.filter(|number| (LEAST..=MOST).contains(number)) {
            return Ok(Some(Value::int(number)));
        }
        if self.krate.may_be_constant(names) {
            return Ok(None);
        }
        if self.krate.units.contains(last) {
            let unit = Struct { name: last.into(), fields: Vec::new() };
            return Ok(Some(Value::Struct(Rc::new(unit))));
        }
        let from = self.origin();
        let path: Vec<Name> = match self.krate.found(Kind::Function, names, Some(from)) {
            Found::One(number) => vec![OWN.into(), number.to_string().into()],
            Found::Many => return Ok(None),
            Found::Outside if last == "Self" => vec![self.krate.owner(from).into()],
            Found::Outside => names.iter().map(|name| Name::from(&**name)).collect(),
        };
        Ok(Some(Value::Function(path.into())))
    }

    /// The value of a `const` or `static`.
    pub(super) fn constant(&mut self, names: &[String]) -> Flow<Option<Value>> {
        let from = self.frames.last().map(|_| self.origin());
        let Some(found) = self.krate.constant_at(names, from) else { return Ok(None) };
        if found.changes {
            return Ok(Some(self.lost("what is in a `static mut` is not followed")));
        }
        let (file, expr) = (found.file, found.value);
        let key = address(expr);
        if let Some(value) = self.constants.get(&key) {
            return Ok(Some(value.clone()));
        }
        // A constant may not be made from itself.
        self.constants.insert(key, Value::Gone);
        self.constant_exprs.push((file, expr));
        let end = self.span(expr).1;
        let constant = Some(found.number);
        let outer = self.frame();
        let frame =
            Frame { constant, file, base: 0, captured: None, loop_start: None, end, ..outer };
        self.frames.push(frame);
        let state = State { lang: super::pool::ALL, vars: Vec::new(), doubt: 0 };
        let outs = self.eval(state, expr);
        self.frames.pop();
        let mut outs = outs?;
        let value = match (outs.pop(), outs.is_empty()) {
            (Some(Out { exit: Exit::Value(value), .. }), true) => value,
            _ => self.unknown(expr, "a constant is not followed"),
        };
        self.constants.insert(key, value.clone());
        Ok(Some(value))
    }

    pub(super) fn eval_repeat(
        &mut self,
        state: State,
        value: &'a Expr,
        count: &'a Expr,
    ) -> Flow<Outs> {
        let outs = self.eval_all(state, [value, count].into_iter())?;
        self.then_all(outs, |interp, state, values| {
            let value = match &values[..] {
                [value, Value::Int(Int::Known(count @ 0..=64))] => {
                    Value::List(Rc::new(vec![value.clone(); *count as usize]))
                }
                _ => interp.lost("an array of many values is not followed"),
            };
            one(state, value)
        })
    }
}
