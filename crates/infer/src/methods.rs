//! Methods by what they are called on: characters, bytes, numbers, iterators, lists.

use std::rc::Rc;

use syn::{Expr, GenericArgument};

use super::bodies::address;
use super::calls::Hint;
use super::interp::Interp;
use super::iter::Next;
use super::names::Found;
use super::numbers::Compare;
use super::patterns::member;
use super::state::{Exit, Out, Outs, State, one};
use super::stop::Flow;
use super::value::{Byte, Int, Iter, Pieces, Source, Step2, Style, Target, Text, Value};
use super::view::Op;

/// Whether what a method is called on has the type of what it gives, within an `Option` or a
/// `Result` or not.
fn keeps_type(method: &str) -> bool {
    matches!(
        method,
        "unwrap"
            | "expect"
            | "unwrap_or"
            | "unwrap_or_else"
            | "unwrap_or_default"
            | "ok"
            | "ok_or"
            | "ok_or_else"
            | "map_err"
            | "or"
            | "or_else"
            | "filter"
            | "inspect"
            | "inspect_err"
            | "context"
            | "with_context"
            | "wrap_err"
            | "clone"
            | "copied"
            | "cloned"
    )
}

/// The type of what is good of a receiver, where a closure that is called with it says so.
fn taken(call: &syn::ExprMethodCall) -> Option<Hint> {
    let method = call.method.to_string();
    let takes = matches!(
        &*method,
        "map"
            | "and_then"
            | "is_ok_and"
            | "is_some_and"
            | "is_none_or"
            | "filter"
            | "inspect"
            | "map_or"
            | "map_or_else"
    );
    let Some(Expr::Closure(closure)) = call.args.last().filter(|_| takes) else { return None };
    match closure.inputs.first() {
        Some(syn::Pat::Type(typed)) => Some(Hint::of(&typed.ty)),
        _ => None,
    }
}

impl<'a> Interp<'a> {
    pub(super) fn eval_method(
        &mut self,
        state: State,
        call: &'a syn::ExprMethodCall,
        expr: &'a Expr,
    ) -> Flow<Outs> {
        let name = call.method.to_string();
        let hint = call.turbofish.as_ref().and_then(|turbofish| {
            turbofish.args.iter().find_map(|arg| match arg {
                GenericArgument::Type(of) => Some(Hint::of(of)),
                _ => None,
            })
        });
        // What a method may write to is a place.
        let place = match &*call.receiver {
            Expr::Path(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Unary(_)
            | Expr::Paren(_)
            | Expr::Reference(_) => self.place(state.clone(), &call.receiver)?,
            _ => None,
        };
        let receivers = match place {
            Some((state, target)) => {
                let target = Rc::new(target);
                let value = if self.is_lent(&state, &call.receiver, &target, &name)? {
                    Value::iter(Iter::By(target))
                } else {
                    Value::Ref(target)
                };
                one(state, value)?
            }
            None if super::places::is_reached(&call.receiver) && !self.reads(&name) => {
                self.reach(state, &call.receiver)?
            }
            None if self.may_write_in(&state, &call.receiver, &name) => {
                self.lend(state, &call.receiver)?
            }
            None => {
                let kept = self.hint.clone().filter(|_| keeps_type(&name));
                self.hinted(taken(call).or(kept), |interp| interp.eval(state, &call.receiver))?
            }
        };
        let mut outs = Vec::new();
        for out in receivers {
            let Exit::Value(receiver) = out.exit else {
                outs.push(out);
                continue;
            };
            let before = match &receiver {
                Value::Ref(_) if !call.args.is_empty() => {
                    Some(self.deref(&out.state, receiver.clone()))
                }
                _ => None,
            };
            let outer = self.hint.take();
            let args = self.eval_all(out.state, call.args.iter());
            self.hint = outer;
            outs.extend(self.then_all(args?, |interp, mut state, args| {
                let receiver = match &before {
                    Some(before) => interp.read_first(&mut state, &receiver, before, &name),
                    None => receiver.clone(),
                };
                let hint = hint.clone().or_else(|| interp.hint.clone());
                interp.receiver = interp.width_of(&call.receiver);
                interp.dispatch(state, receiver, &name, args, hint, address(expr))
            })?);
        }
        self.bounded(outs)
    }

    /// What a method is called on whose arguments wrote to it: what it was before them, for it was
    /// copied or moved then. What is lent to the method they do not write to, and it is only known
    /// less of it.
    fn read_first(
        &mut self,
        state: &mut State,
        receiver: &Value,
        before: &Value,
        name: &str,
    ) -> Value {
        if self.deref(state, receiver.clone()) == *before {
            return receiver.clone();
        }
        let own = match before {
            Value::Struct(of) => self.krate.method_of(&of.name, name),
            _ => Found::Outside,
        };
        let is_iter = matches!(before, Value::Iter(_));
        let (copied, lent) = match own {
            Found::One(number) => match self.krate.get(number).sig.inputs.first() {
                Some(syn::FnArg::Receiver(own)) => {
                    let by_value = own.reference.is_none() && own.colon_token.is_none();
                    (by_value, own.reference.is_some())
                }
                _ => (false, false),
            },
            Found::Many => (false, false),
            Found::Outside if is_iter && super::iterators::is_adaptor(name) => (true, false),
            Found::Outside => (self.reads(name), self.writes(name)),
        };
        if copied {
            return before.clone();
        }
        if !lent {
            let note = self.lost_note("what a method is called on is written to before");
            self.opaque_writes(state, note, std::slice::from_ref(receiver));
        }
        receiver.clone()
    }

    /// Whether what a method takes by value is a reference to an iterator, so that it moves on
    /// the iterator of somebody else.
    fn is_lent(
        &mut self,
        state: &State,
        mut receiver: &'a Expr,
        target: &Target,
        method: &str,
    ) -> Flow<bool> {
        let is_taken = super::iterators::is_adaptor(method) || method == "collect";
        if !is_taken || !matches!(self.read(state, target), Some(Value::Iter(_))) {
            return Ok(false);
        }
        while let Expr::Paren(paren) = receiver {
            receiver = &paren.expr;
        }
        Ok(match receiver {
            Expr::Path(path) => {
                let slot =
                    path.path.get_ident().and_then(|name| self.slot(state, &name.to_string()));
                slot.is_some_and(|slot| matches!(state.vars[slot].1, Value::Ref(_)))
            }
            Expr::Reference(reference) => reference.mutability.is_some(),
            Expr::Field(field) => match self.place(state.clone(), &field.base)? {
                Some((state, mut target)) => {
                    target.path.push(Step2::Field(member(&field.member).into()));
                    matches!(self.read(&state, &target), Some(Value::Ref(_)))
                }
                None => false,
            },
            _ => false,
        })
    }

    /// Calls a method: of the source, or one that is known.
    fn dispatch(
        &mut self,
        state: State,
        receiver: Value,
        name: &str,
        args: Vec<Value>,
        hint: Option<Hint>,
        site: usize,
    ) -> Flow<Outs> {
        let value = self.deref(&state, receiver.clone());
        if let Value::Struct(of) = &value {
            match self.krate.method_of(&of.name, name) {
                Found::One(number) => {
                    let mut all = vec![receiver];
                    all.extend(args);
                    return self.call(state, number, all, site);
                }
                Found::Many => return self.unknown_method(state, name, &receiver, &args),
                Found::Outside => {}
            }
        }
        self.method(state, receiver, name, args, hint)
    }

    /// Calls a method.
    pub(super) fn method(
        &mut self,
        state: State,
        receiver: Value,
        name: &str,
        args: Vec<Value>,
        hint: Option<Hint>,
    ) -> Flow<Outs> {
        let value = self.deref(&state, receiver.clone());
        if let (Value::Struct(of), Value::Ref(target), "push", [more]) =
            (&value, &receiver, name, &args[..])
            && &*of.name == super::bags::BAG
            && let (Value::Int(length), Value::List(items)) = (&of.fields[0].1, &of.fields[1].1)
        {
            let mut items = (**items).clone();
            items.push(self.deref(&state, more.clone()));
            let grown = super::bags::bag(self.add(length, 1), items);
            let mut state = state;
            self.write(&mut state, target, grown);
            return one(state, Value::Unit);
        }
        if let Value::Ref(target) = &receiver
            && let Some(outs) = self.writing_method(state.clone(), target, &value, name, &args)?
        {
            return Ok(outs);
        }
        let found = match &value {
            Value::Str(text) => {
                let text = text.clone();
                self.string_method(state.clone(), &text, name, &args, hint.as_ref())?
            }
            Value::Opt(_) | Value::Res(_) => {
                self.option_method(state.clone(), &receiver, &value, name, &args)?
            }
            Value::Char(text) => {
                let text = text.clone();
                self.char_method(state.clone(), &text, name, &args)?
            }
            Value::Byte(byte) => {
                let byte = byte.clone();
                self.byte_method(state.clone(), &byte, name, &args)?
            }
            Value::Int(int) => {
                let int = int.clone();
                self.int_method(state.clone(), &int, name, &args)?
            }
            Value::Bool(_) => self.bool_method(state.clone(), &value, name, &args)?,
            Value::Range(_) => {
                self.range_method(state.clone(), &receiver, &value, name, &args, hint.as_ref())?
            }
            Value::Iter(_) => {
                self.iter_method(state.clone(), &receiver, &value, name, &args, hint.as_ref())?
            }
            Value::List(_) | Value::Items(_) | Value::Bytes(_) => {
                self.list_method(state.clone(), &receiver, &value, name, &args, hint.as_ref())?
            }
            _ => None,
        };
        if let Some(outs) = found {
            return self.bounded(outs);
        }
        if let Value::Struct(of) = &value
            && &*of.name == super::bags::BAG
        {
            let length = of.fields[0].1.clone();
            match (name, &args[..]) {
                ("len", []) => return one(state, length),
                ("is_empty", []) => {
                    let empty = self.compare_values(&length, Compare::Equal, &Value::int(0))?;
                    return one(state, empty);
                }
                _ => {}
            }
            if let Some(iter) = self.iterate(&state, &value) {
                let iter = match &receiver {
                    Value::Ref(_) if name == "drain" => Value::iter(iter),
                    _ if matches!(name, "iter" | "into_iter") => {
                        return one(state, Value::iter(iter));
                    }
                    _ => Value::iter(iter),
                };
                if let Some(outs) =
                    self.list_method(state.clone(), &iter, &value, name, &args, None)?
                {
                    return Ok(outs);
                }
            }
        }
        match (name, &args[..]) {
            (
                "clone" | "to_owned" | "borrow" | "as_ref" | "by_ref" | "into" | "deref" | "cloned"
                | "copied" | "as_slice" | "to_vec" | "unwrap_inner",
                [],
            ) => one(state, value),
            ("eq" | "ne", [other]) => {
                let runs = |value: &Value| matches!(value, Value::Iter(_) | Value::Range(_));
                let given = self.deref(&state, other.clone());
                if runs(&value) || runs(&given) {
                    return self.unknown_method(state, name, &receiver, &args);
                }
                let how = if name == "eq" { Compare::Equal } else { Compare::Other };
                let value = self.compare_values(&value, how, &given)?;
                one(state, value)
            }
            _ => self.unknown_method(state, name, &receiver, &args),
        }
    }

    /// What a loop over a value runs over.
    pub(super) fn iterate(&mut self, state: &State, value: &Value) -> Option<Iter> {
        match value {
            Value::Iter(iter) => Some((**iter).clone()),
            Value::Items(iter) => Some((**iter).clone()),
            Value::List(values) => Some(Iter::Values(Rc::clone(values))),
            Value::Bytes(text) => self.bytes_of_text(text),
            Value::Struct(of) if &*of.name == super::bags::BAG => match &of.fields[1].1 {
                Value::List(items) => Some(Iter::Bag(Rc::clone(items), 0)),
                _ => None,
            },
            Value::Opt(inner) => {
                Some(Iter::Values(Rc::new(inner.iter().map(|value| (**value).clone()).collect())))
            }
            Value::Ref(target) => match self.read(state, target)? {
                Value::Iter(_) => Some(Iter::By(Rc::clone(target))),
                // The items are places, for the loop may write to them.
                Value::List(values) => Some(Iter::Values(Rc::new(
                    (0..values.len())
                        .map(|i| {
                            let mut item = (**target).clone();
                            item.path.push(Step2::Index(i));
                            Value::Ref(Rc::new(item))
                        })
                        .collect(),
                ))),
                value => self.iterate(state, &value),
            },
            Value::Range(range) => {
                let from = match &range.from {
                    Some(Value::Int(from)) => from.clone(),
                    _ => return self.char_range(range),
                };
                let to = match &range.to {
                    Some(Value::Int(to)) if range.inclusive => Some(self.add(to, 1)),
                    Some(Value::Int(to)) => Some(to.clone()),
                    None => None,
                    Some(_) => return None,
                };
                // Indices into a text are followed as such.
                if let (Int::Known(0), Some(Int::Of(number))) = (&from, &to)
                    && let Source::Length(text, unit) = &number.source
                    && let (Some(view), true) = (text.as_view(), number.steps.is_empty())
                {
                    return Some(Iter::Places(super::iter::at_start(view, *unit)));
                }
                if let (Int::At(at), Some(Int::Of(number))) = (&from, &to)
                    && let Source::Length(text, unit) = &number.source
                    && text.as_view() == Some(at.base)
                    && *unit == at.unit
                    && number.steps.is_empty()
                {
                    return Some(Iter::Places((**at).clone()));
                }
                Some(Iter::Numbers(from, to))
            }
            _ => None,
        }
    }

    pub(super) fn char_range(&self, range: &super::value::Range) -> Option<Iter> {
        let (Some(Value::Char(from)), Some(Value::Char(to))) = (&range.from, &range.to) else {
            return None;
        };
        let (from, to) = (Self::constant_char(from)?, Self::constant_char(to)?);
        let chars: Vec<char> =
            if range.inclusive { (from..=to).collect() } else { (from..to).collect() };
        if chars.len() > 256 {
            return None;
        }
        let values =
            chars.into_iter().map(|c| Value::Char(Text::literal(c.encode_utf8(&mut [0; 4]))));
        Some(Iter::Values(Rc::new(values.collect())))
    }

    /// The next item that counts, if there is one, and what is left.
    pub(super) fn take_one(
        &mut self,
        state: State,
        iter: Iter,
    ) -> Flow<Vec<(State, Option<Value>, Iter)>> {
        let mut ways = Vec::new();
        let mut pending = vec![(state, iter)];
        for _ in 0..64 {
            let mut skipped = Vec::new();
            for (state, iter) in pending {
                for (state, next) in self.next(state, &iter)? {
                    match next {
                        Next::Item(value, iter) => ways.push((state, Some(value), iter)),
                        Next::End(iter) => ways.push((state, None, iter)),
                        Next::Skip(iter) => skipped.push((state, iter)),
                    }
                }
            }
            pending = skipped;
            if pending.is_empty() {
                return Ok(ways);
            }
            if pending.iter().any(|(_, iter)| unbounded(iter)) {
                break;
            }
        }
        // Any number of items may be skipped: that is a loop.
        for (state, iter) in pending {
            let outs = self.drain(
                state,
                iter,
                Vec::new(),
                &mut |_, state, value, _| {
                    Ok(vec![Out { state, exit: Exit::Break(None, Value::some(value)) }])
                },
                &mut |_, state, _| one(state, Value::none()),
            )?;
            for (state, value, iter) in outs {
                let item = match value {
                    Value::Opt(Some(value)) => Some((*value).clone()),
                    _ => None,
                };
                ways.push((state, item, iter));
            }
        }
        Ok(ways)
    }

    /// What is left after some items, and nothing where there are not so many.
    pub(super) fn skip_items(
        &mut self,
        state: State,
        iter: Iter,
        count: i128,
    ) -> Flow<Vec<(State, Option<Iter>)>> {
        let mut ways = vec![(state, Some(iter))];
        for _ in 0..count.clamp(0, 256) {
            let mut next = Vec::new();
            for (state, iter) in ways {
                let Some(iter) = iter else {
                    next.push((state, None));
                    continue;
                };
                for (state, item, iter) in self.take_one(state, iter)? {
                    next.push((state, item.map(|_| iter)));
                }
            }
            ways = next;
        }
        Ok(ways)
    }

    /// The same items, from the last to the first.
    pub(super) fn backwards(&mut self, iter: &Iter) -> Option<Iter> {
        match iter {
            Iter::Chars(rest) => Some(Iter::Chars(self.views.make(*rest, Op::Reverse))),
            Iter::Bytes { rest, pending, backwards } => {
                let byte = if *backwards { Byte::High } else { Byte::Inner };
                let last = vec![Value::Byte(byte); usize::from(*pending)];
                let rest = self.views.make(*rest, Op::Reverse);
                let rest = Iter::Bytes { rest, pending: 0, backwards: !backwards };
                // The bytes that are left of a character come last then.
                Some(match &last[..] {
                    [] => rest,
                    _ => Iter::Chain(Rc::new(rest), Rc::new(Iter::Values(Rc::new(last)))),
                })
            }
            Iter::Chain(a, b) => {
                let (a, b) = (self.backwards(a)?, self.backwards(b)?);
                Some(match b {
                    Iter::Values(values) if values.is_empty() => a,
                    b => Iter::Chain(Rc::new(b), Rc::new(a)),
                })
            }
            Iter::Pieces(pieces)
                if pieces.limit.is_none() && pieces.style == Style::All && !pieces.done =>
            {
                let rest = self.views.make(pieces.rest, Op::Reverse);
                Some(Iter::Pieces(Pieces { rest, backwards: !pieces.backwards, ..pieces.clone() }))
            }
            Iter::Pieces(pieces) if pieces.style == Style::NonEmpty => {
                let rest = self.views.make(pieces.rest, Op::Reverse);
                Some(Iter::Pieces(Pieces { rest, backwards: !pieces.backwards, ..pieces.clone() }))
            }
            Iter::Pieces(pieces) if pieces.done => Some(iter.clone()),
            Iter::Values(values) => {
                Some(Iter::Values(Rc::new(values.iter().rev().cloned().collect())))
            }
            Iter::Numbers(Int::Known(from), Some(Int::Known(to))) if to - from <= 256 => {
                Some(Iter::Values(Rc::new((*from..*to).rev().map(Value::int).collect())))
            }
            Iter::Map(inner, _)
            | Iter::Filter(inner, _)
            | Iter::FilterMap(inner, _)
            | Iter::Inspect(inner, _) => {
                let inner = self.backwards(&inner.clone())?;
                Some(iter.with_inner(Rc::new(inner)))
            }
            Iter::Empty => Some(Iter::Empty),
            _ => None,
        }
    }
}

/// Whether an iterator may skip any number of items.
fn unbounded(iter: &Iter) -> bool {
    match iter {
        Iter::Filter(..) | Iter::FilterMap(..) | Iter::SkipWhile(..) => true,
        Iter::Skip(inner, Int::Known(_)) => unbounded(inner),
        other => other.inner().is_some_and(|inner| unbounded(inner)),
    }
}
