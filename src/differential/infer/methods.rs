//! Methods by what they are called on: characters, bytes, numbers, iterators, lists.

use std::rc::Rc;

use super::calls::Hint;
use super::interp::{Interp, doubt};
use super::iter::Next;
use super::loops::Loop;
use super::numbers::{Compare, length};
use super::pool::ANY_CHAR;
use super::source::address;
use super::state::{Exit, Out, Outs, State, one};
use super::stop::Flow;
use super::table::Meaning;
use super::texts::not;
use super::value::{
    Bool, Byte, Int, Iter, Number, Pieces, Source, Step, Step2, Style, Text, Unit, Value,
};
use super::view::{Needle, Op};

/// What is done with an item, and at the end: the variables from a position on are its own.
type Each<'f, 'a> = &'f mut dyn FnMut(&mut Interp<'a>, State, Value, usize) -> Flow<Outs>;
type AtEnd<'f, 'a> = &'f mut dyn FnMut(&mut Interp<'a>, State, usize) -> Flow<Outs>;

impl<'a> Interp<'a> {
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
            && &*of.name == super::loops::BAG
            && let (Value::Int(length), Value::List(items)) = (&of.fields[0].1, &of.fields[1].1)
        {
            let mut items = (**items).clone();
            items.push(self.deref(&state, more.clone()));
            let grown = super::loops::bag(self.add(length, 1), items);
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
                self.range_method(state.clone(), &value, name, &args, hint.as_ref())?
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
            && &*of.name == super::loops::BAG
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
                let other = self.deref(&state, other.clone());
                let how = if name == "eq" { Compare::Equal } else { Compare::Other };
                let value = self.compare_values(&value, how, &other)?;
                one(state, value)
            }
            _ => self.unknown_method(state, name, &receiver),
        }
    }

    fn answer(&mut self, bool: Option<Bool>) -> Value {
        match bool {
            Some(bool) => Value::Bool(bool),
            None => self.lost("a condition is not followed"),
        }
    }

    fn char_method(
        &mut self,
        state: State,
        text: &Text,
        name: &str,
        args: &[Value],
    ) -> Flow<Option<Outs>> {
        if let Some(meaning) = self.table.get("char", name).cloned() {
            return self.known(state, &meaning, text, &Value::Char).map(Some);
        }
        let value = match (name, args) {
            ("is_digit", [radix]) => {
                let Value::Int(Int::Known(radix @ 2..=36)) = self.deref(&state, radix.clone())
                else {
                    return Ok(None);
                };
                let lang = self.digit_set(radix as u32)?;
                let holds = self.text_in(text, lang)?;
                self.answer(holds)
            }
            ("to_digit", [radix]) => {
                let Value::Int(Int::Known(radix @ 2..=36)) = self.deref(&state, radix.clone())
                else {
                    return Ok(None);
                };
                let radix = radix as u32;
                if let Some(c) = Self::constant_char(text) {
                    let digit = c.to_digit(radix).map(|n| Rc::new(Value::int(n.into())));
                    return one(state, Value::Opt(digit)).map(Some);
                }
                let lang = self.digit_set(radix)?;
                let number =
                    Number { source: Source::Digit(text.clone(), radix), steps: Vec::new() };
                let good = Value::some(Value::Int(Int::Of(Rc::new(number))));
                return self.fallible(state, text, lang, good, Value::none()).map(Some);
            }
            ("eq_ignore_ascii_case", [other]) => match self.deref(&state, other.clone()) {
                Value::Char(other) => match (text.constant(), other.constant()) {
                    (_, Some(c)) => {
                        let lang = self.pool.literal_ignoring_case(&c)?;
                        let holds = self.text_in(text, lang)?;
                        self.answer(holds)
                    }
                    (Some(c), _) => {
                        let lang = self.pool.literal_ignoring_case(&c)?;
                        let holds = self.text_in(&other, lang)?;
                        self.answer(holds)
                    }
                    _ => return Ok(None),
                },
                _ => return Ok(None),
            },
            ("len_utf8", []) => Value::Int(length(text, Unit::Bytes)),
            ("to_string", []) => Value::Str(text.clone()),
            ("encode_utf8", [_]) => Value::Str(text.clone()),
            ("to_lowercase" | "to_uppercase", []) => {
                let outs = self.cased(state, text, name == "to_lowercase")?;
                return Ok(Some(outs));
            }
            ("clone", []) => Value::Char(text.clone()),
            _ => return Ok(None),
        };
        one(state, value).map(Some)
    }

    fn digit_set(&mut self, radix: u32) -> Flow<super::pool::Lang> {
        let digits: Vec<(u32, u32)> = (0..128_u32)
            .filter(|&c| char::from_u32(c).is_some_and(|c| c.is_digit(radix)))
            .map(|c| (c, c))
            .collect();
        self.pool.set(&digits)
    }

    fn byte_method(
        &mut self,
        state: State,
        byte: &Byte,
        name: &str,
        args: &[Value],
    ) -> Flow<Option<Outs>> {
        let meaning = self.table.get("u8", name).or_else(|| self.table.get("char", name)).cloned();
        match (meaning, byte) {
            (Some(Meaning::In(regex)), _) => {
                // Of a byte that is no ASCII only its number counts.
                let lang = self.pool.regex(&regex)?;
                let ranges = self.pool.ranges(lang);
                let set = std::array::from_fn(|b| {
                    ranges.iter().any(|&(low, high)| low <= b as u32 && b as u32 <= high)
                });
                let holds = self.byte_in(byte, &set)?;
                let value = self.answer(holds);
                return one(state, value).map(Some);
            }
            (Some(meaning), Byte::Ascii(text)) => {
                let wrap = |text| Value::Byte(Byte::Ascii(text));
                return self.known(state, &meaning, text, &wrap).map(Some);
            }
            (Some(Meaning::Lower), Byte::Known(b)) => {
                return one(state, Value::Byte(Byte::Known(b.to_ascii_lowercase()))).map(Some);
            }
            (Some(Meaning::Upper), Byte::Known(b)) => {
                return one(state, Value::Byte(Byte::Known(b.to_ascii_uppercase()))).map(Some);
            }
            // ASCII letters alone have another case.
            (Some(Meaning::Lower | Meaning::Upper), _) => {
                return one(state, Value::Byte(byte.clone())).map(Some);
            }
            _ => {}
        }
        match (name, args, byte) {
            ("eq_ignore_ascii_case", [other], _) => {
                let Value::Byte(Byte::Known(other)) = self.deref(&state, other.clone()) else {
                    return Ok(None);
                };
                let set = std::array::from_fn(|b| (b as u8).eq_ignore_ascii_case(&other));
                let holds = self.byte_in(byte, &set)?;
                let value = self.answer(holds);
                one(state, value).map(Some)
            }
            ("is_digit" | "to_digit" | "len_utf8", _, Byte::Ascii(text)) => {
                self.char_method(state, text, name, args)
            }
            ("is_digit", ..) => one(state, Value::known(false)).map(Some),
            ("to_digit", ..) => one(state, Value::none()).map(Some),
            ("clone" | "into", [], _) => one(state, Value::Byte(byte.clone())).map(Some),
            ("wrapping_sub" | "saturating_sub" | "checked_sub" | "wrapping_add", [_], _) => {
                match self.as_int(&Value::Byte(byte.clone())) {
                    Some(int) => self.int_method(state, &int, name, args),
                    None => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    fn int_method(
        &mut self,
        state: State,
        int: &Int,
        name: &str,
        args: &[Value],
    ) -> Flow<Option<Outs>> {
        let args: Vec<Value> = args.iter().map(|arg| self.deref(&state, arg.clone())).collect();
        let other = args.first().and_then(|arg| self.as_int(arg));
        match (name, other) {
            ("checked_add" | "checked_sub" | "checked_mul", Some(other)) => {
                let op: syn::BinOp = match name {
                    "checked_add" => syn::parse_quote!(+),
                    "checked_sub" => syn::parse_quote!(-),
                    _ => syn::parse_quote!(*),
                };
                // Of which type the number is, is not known: any type has room for 127.
                let negative = match (int, &other, name) {
                    (Int::Known(a), Int::Known(b), "checked_sub") => a < b,
                    _ => false,
                };
                if negative {
                    let lost = self.lost("whether a difference below zero is one is not followed");
                    return one(state, lost).map(Some);
                }
                let outs = self.compute(state, &op, int, &other)?;
                let note = self.lost_note("where a checked operation overflows is not followed");
                let outs = self.then(outs, |_, state, value| {
                    if matches!(value, Value::Int(Int::Known(0..=127))) {
                        return one(state, Value::some(value));
                    }
                    let mut state = state;
                    doubt(&mut state, note);
                    Ok(vec![state.clone().with(Value::none()), state.with(Value::some(value))])
                })?;
                Ok(Some(outs))
            }
            ("saturating_sub", Some(Int::Known(n))) => match int {
                Int::Known(a) => one(state, Value::int((a - n).max(0))).map(Some),
                _ => {
                    let enough = self.int_in(int, &[(n, super::numbers::MOST)])?;
                    let enough = self.answer(enough);
                    let less = self.add(int, -n);
                    self.either(
                        state,
                        &enough,
                        |_, state| one(state, Value::Int(less)),
                        |_, state| one(state, Value::int(0)),
                    )
                    .map(Some)
                }
            },
            ("saturating_add", Some(Int::Known(n))) => {
                one(state, Value::Int(self.add(int, n))).map(Some)
            }
            ("wrapping_sub", Some(Int::Known(n))) => match int {
                Int::Of(number) if matches!(number.source, Source::Code(_)) => {
                    let less = super::numbers::step(number, Step::Add(-n));
                    let Int::Of(less) = less else { return Ok(None) };
                    one(state, Value::Int(super::numbers::step(&less, Step::Modulo(256)))).map(Some)
                }
                Int::Known(a) if *a >= n => one(state, Value::int(a - n)).map(Some),
                _ => Ok(None),
            },
            ("min" | "max", Some(Int::Known(n))) => {
                let Int::Known(a) = int else { return Ok(None) };
                one(state, Value::int(if name == "min" { *a.min(&n) } else { *a.max(&n) }))
                    .map(Some)
            }
            ("pow", Some(Int::Known(n))) => {
                let (Int::Known(a), Ok(n)) = (int, u32::try_from(n)) else { return Ok(None) };
                Ok(a.checked_pow(n).map(|n| vec![state.with(Value::int(n))]))
            }
            ("is_multiple_of", Some(Int::Known(n))) if n > 0 => {
                let rest: syn::BinOp = syn::parse_quote!(%);
                let outs = self.compute(state, &rest, int, &Int::Known(n))?;
                self.then(outs, |interp, state, value| {
                    let value = interp.compare_values(&value, Compare::Equal, &Value::int(0))?;
                    one(state, value)
                })
                .map(Some)
            }
            ("is_power_of_two" | "count_ones", _) => Ok(None),
            ("clone" | "into" | "abs", _) => one(state, Value::Int(int.clone())).map(Some),
            ("try_into", _) => one(state, Value::ok(Value::Int(int.clone()))).map(Some),
            _ => Ok(None),
        }
    }

    fn bool_method(
        &mut self,
        state: State,
        value: &Value,
        name: &str,
        args: &[Value],
    ) -> Flow<Option<Outs>> {
        let outs = match (name, args) {
            ("then_some", [inner]) => self.either(
                state,
                value,
                |_, state| one(state, Value::some(inner.clone())),
                |_, state| one(state, Value::none()),
            )?,
            ("then", [f]) => self.either(
                state,
                value,
                |interp, state| {
                    let outs = interp.apply(state, f, Vec::new())?;
                    interp.then(outs, |_, state, value| one(state, Value::some(value)))
                },
                |_, state| one(state, Value::none()),
            )?,
            ("not", []) => one(state, not(value.clone()))?,
            _ => return Ok(None),
        };
        Ok(Some(outs))
    }

    fn range_method(
        &mut self,
        state: State,
        value: &Value,
        name: &str,
        args: &[Value],
        hint: Option<&Hint>,
    ) -> Flow<Option<Outs>> {
        let Value::Range(range) = value else { return Ok(None) };
        if let ("contains", [item]) = (name, args) {
            let item = self.deref(&state, item.clone());
            let mut holds = Value::known(true);
            for (end, how) in [
                (&range.from, Compare::AtLeast),
                (&range.to, if range.inclusive { Compare::AtMost } else { Compare::Less }),
            ] {
                if let Some(end) = end {
                    let end = self.deref(&state, end.clone());
                    let one = self.compare_values(&item, how, &end)?;
                    holds = self.and(&holds, &one)?;
                }
            }
            return one(state, holds).map(Some);
        }
        match self.iterate(&state, value) {
            Some(iter) => {
                let iter = Value::iter(iter);
                self.iter_method(state, &iter, &iter, name, args, hint)
            }
            None => Ok(None),
        }
    }

    /// What a loop over a value runs over.
    pub(super) fn iterate(&mut self, state: &State, value: &Value) -> Option<Iter> {
        match value {
            Value::Iter(iter) => Some((**iter).clone()),
            Value::Items(iter) => Some((**iter).clone()),
            Value::List(values) => Some(Iter::Values(Rc::clone(values))),
            Value::Bytes(text) => self.bytes_of_text(text),
            Value::Struct(of) if &*of.name == super::loops::BAG => match &of.fields[1].1 {
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

    fn char_range(&self, range: &super::value::Range) -> Option<Iter> {
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
            Iter::Bytes { rest, pending: 0, backwards } => {
                let rest = self.views.make(*rest, Op::Reverse);
                Some(Iter::Bytes { rest, pending: 0, backwards: !backwards })
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
            | Iter::Inspect(inner) => {
                let inner = self.backwards(&inner.clone())?;
                Some(iter.with_inner(Rc::new(inner)))
            }
            Iter::Empty => Some(Iter::Empty),
            _ => None,
        }
    }

    /// Runs over an iterator: what a `Break` ends with, or what is made of the end, and what is
    /// left then.
    fn drain(
        &mut self,
        state: State,
        iter: Iter,
        own: Vec<Value>,
        each: Each<'_, 'a>,
        at_end: AtEnd<'_, 'a>,
    ) -> Flow<Vec<(State, Value, Iter)>> {
        let base = state.vars.len();
        let mut state = state;
        state.vars.push(("#iter".into(), Value::iter(iter)));
        state.vars.extend(own.into_iter().map(|value| ("#own".into(), value)));
        let site = self.current.map_or(0, |expr| address(expr));
        let key = self.key(site ^ 0x5bd1_e995);
        let this = Loop { key, label: None, movers: &[base], behind: None };
        let outs = self.run_loop(&this, state, &mut |interp, state| {
            let Value::Iter(iter) = state.vars[base].1.clone() else {
                let lost = interp.lost_note("an iterator is not followed");
                let mut state = state;
                doubt(&mut state, lost);
                let end = at_end(interp, state.clone(), base + 1)?;
                let mut outs = each(interp, state, Value::Unknown(lost), base + 1)?;
                for out in end {
                    if let Exit::Value(value) = out.exit {
                        outs.push(Out { state: out.state, exit: Exit::Break(None, value) });
                    }
                }
                return Ok(outs);
            };
            let mut outs = Vec::new();
            for (mut state, next) in interp.next(state, &iter)? {
                match next {
                    Next::Item(value, iter) => {
                        state.vars[base].1 = Value::iter(iter);
                        outs.extend(each(interp, state, value, base + 1)?);
                    }
                    Next::Skip(iter) => {
                        state.vars[base].1 = Value::iter(iter);
                        outs.push(state.with(Value::Unit));
                    }
                    Next::End(iter) => {
                        state.vars[base].1 = Value::iter(iter);
                        for out in at_end(interp, state, base + 1)? {
                            if let Exit::Value(value) = out.exit {
                                outs.push(Out { state: out.state, exit: Exit::Break(None, value) });
                            }
                        }
                    }
                }
            }
            Ok(outs)
        })?;
        let mut ways = Vec::new();
        for mut out in outs {
            let Exit::Value(value) = out.exit else { continue };
            let iter = match out.state.vars.get(base).map(|var| var.1.clone()) {
                Some(Value::Iter(iter)) => (*iter).clone(),
                _ => Iter::Empty,
            };
            out.state.vars.truncate(base);
            ways.push((out.state, value, iter));
        }
        Ok(ways)
    }

    /// Puts back what is left of an iterator that is a variable.
    fn put_back(&mut self, receiver: &Value, ways: Vec<(State, Value, Iter)>) -> Flow<Outs> {
        let mut outs = Vec::new();
        for (mut state, value, iter) in ways {
            if let Value::Ref(target) = receiver
                && let Some(Value::Iter(_)) = self.read(&state, target)
            {
                self.write(&mut state, target, Value::iter(iter));
            }
            outs.push(state.with(value));
        }
        self.bounded(outs)
    }

    pub(super) fn iter_method(
        &mut self,
        state: State,
        receiver: &Value,
        value: &Value,
        name: &str,
        args: &[Value],
        hint: Option<&Hint>,
    ) -> Flow<Option<Outs>> {
        let Value::Iter(iter) = value else { return Ok(None) };
        let inner = Rc::clone(iter);
        let number = |arg: &Value| match arg {
            Value::Int(int) => Some(int.clone()),
            _ => None,
        };
        let adapted = match (name, args) {
            ("enumerate", []) => Some(Iter::Enumerate(inner.clone(), Int::Known(0))),
            ("map", [f]) => Some(Iter::Map(inner.clone(), f.clone())),
            ("filter", [f]) => Some(Iter::Filter(inner.clone(), f.clone())),
            ("filter_map", [f]) => Some(Iter::FilterMap(inner.clone(), f.clone())),
            ("take_while", [f]) => Some(Iter::TakeWhile(inner.clone(), f.clone())),
            ("skip_while", [f]) => Some(Iter::SkipWhile(inner.clone(), f.clone())),
            ("map_while", [f]) => Some(Iter::MapWhile(inner.clone(), f.clone())),
            ("inspect", [_]) => Some(Iter::Inspect(inner.clone())),
            ("take", [n]) => number(n).map(|n| Iter::Take(inner.clone(), n)),
            ("skip", [n]) => match number(n) {
                Some(n @ Int::Known(1..)) => Some(Iter::Skip(inner.clone(), n)),
                Some(Int::Known(_)) => Some((*inner).clone()),
                _ => None,
            },
            ("step_by", [Value::Int(Int::Known(n @ 1..))]) => {
                Some(Iter::StepBy(inner.clone(), *n, true))
            }
            ("chain", [other]) => {
                self.iterate(&state, other).map(|b| Iter::Chain(inner.clone(), Rc::new(b)))
            }
            ("zip", [other]) => {
                self.iterate(&state, other).map(|b| Iter::Zip(inner.clone(), Rc::new(b)))
            }
            ("rev", []) => self.backwards(&inner),
            ("by_ref", []) => {
                return one(
                    state,
                    match receiver {
                        Value::Ref(target) => Value::iter(Iter::By(Rc::clone(target))),
                        _ => value.clone(),
                    },
                )
                .map(Some);
            }
            ("peekable" | "cloned" | "copied" | "into_iter" | "iter" | "fuse" | "clone", []) => {
                Some((*inner).clone())
            }
            _ => None,
        };
        if let Some(adapted) = adapted {
            return one(state, Value::iter(adapted)).map(Some);
        }
        let own = (*inner).clone();
        let ways = match (name, args) {
            ("next", []) => {
                let ways = self.take_one(state, own)?;
                ways.into_iter().map(|(s, v, i)| (s, Value::Opt(v.map(Rc::new)), i)).collect()
            }
            ("next_back", []) => {
                let Some(backwards) = self.backwards(&own) else { return Ok(None) };
                let mut ways = Vec::new();
                for (state, item, left) in self.take_one(state, backwards)? {
                    let left = self.backwards(&left).unwrap_or(Iter::Empty);
                    ways.push((state, Value::Opt(item.map(Rc::new)), left));
                }
                ways
            }
            ("peek", []) => {
                let ways = self.take_one(state, own.clone())?;
                ways.into_iter()
                    .map(|(s, v, _)| (s, Value::Opt(v.map(Rc::new)), own.clone()))
                    .collect()
            }
            ("next_if" | "next_if_eq", [f]) => {
                let mut ways = Vec::new();
                for (state, item, left) in self.take_one(state, own.clone())? {
                    let Some(item) = item else {
                        ways.push((state, Value::none(), own.clone()));
                        continue;
                    };
                    let outs = if name == "next_if" {
                        self.apply(state, f, vec![item.clone()])?
                    } else {
                        let wanted = self.deref(&state, f.clone());
                        let same = self.compare_values(&item, Compare::Equal, &wanted)?;
                        one(state, same)?
                    };
                    for (state, holds) in super::iter::values_of(outs) {
                        let (yes, no) = self.branch(state, &holds)?;
                        ways.extend(yes.map(|s| (s, Value::some(item.clone()), left.clone())));
                        ways.extend(no.map(|s| (s, Value::none(), own.clone())));
                    }
                }
                ways
            }
            ("nth", [n]) => {
                let Value::Int(Int::Known(n @ 0..=256)) = self.deref(&state, n.clone()) else {
                    return Ok(None);
                };
                let mut ways = Vec::new();
                for (state, left) in self.skip_items(state, own, n)? {
                    match left {
                        None => ways.push((state, Value::none(), Iter::Empty)),
                        Some(iter) => {
                            for (state, item, iter) in self.take_one(state, iter)? {
                                ways.push((state, Value::Opt(item.map(Rc::new)), iter));
                            }
                        }
                    }
                }
                ways
            }
            ("all" | "any", [f]) => {
                let all = name == "all";
                self.drain(
                    state,
                    own,
                    Vec::new(),
                    &mut |interp, state, item, _| {
                        let outs = interp.apply(state, f, vec![item])?;
                        interp.then(outs, |interp, state, holds| {
                            let (yes, no) = interp.branch(state, &holds)?;
                            let (on, off) = if all { (yes, no) } else { (no, yes) };
                            let mut outs: Outs =
                                on.map(|s| s.with(Value::Unit)).into_iter().collect();
                            outs.extend(off.map(|state| Out {
                                state,
                                exit: Exit::Break(None, Value::known(!all)),
                            }));
                            Ok(outs)
                        })
                    },
                    &mut |_, state, _| one(state, Value::known(all)),
                )?
            }
            ("find" | "find_map" | "position", [f]) => {
                let position = name == "position";
                self.drain(
                    state,
                    own,
                    if position { vec![Value::int(0)] } else { Vec::new() },
                    &mut |interp, state, item, slot| {
                        let outs = interp.apply(state, f, vec![item.clone()])?;
                        interp.then(outs, |interp, state, found| {
                            if name == "find_map" {
                                return Ok(match found {
                                    Value::Opt(Some(_)) => {
                                        vec![Out { state, exit: Exit::Break(None, found) }]
                                    }
                                    Value::Opt(None) => vec![state.with(Value::Unit)],
                                    other => {
                                        let note = match other {
                                            Value::Unknown(note) => note,
                                            _ => interp.lost_note("what is found is not followed"),
                                        };
                                        let mut state = state;
                                        doubt(&mut state, note);
                                        let end = Out {
                                            state: state.clone(),
                                            exit: Exit::Break(None, Value::Unknown(note)),
                                        };
                                        vec![end, state.with(Value::Unit)]
                                    }
                                });
                            }
                            let (yes, no) = interp.branch(state, &found)?;
                            let mut outs = Vec::new();
                            if let Some(state) = yes {
                                let value = if position {
                                    state.vars[slot].1.clone()
                                } else {
                                    item.clone()
                                };
                                outs.push(Out {
                                    state,
                                    exit: Exit::Break(None, Value::some(value)),
                                });
                            }
                            if let Some(mut state) = no {
                                if position && let Value::Int(int) = &state.vars[slot].1 {
                                    state.vars[slot].1 = Value::Int(interp.add(int, 1));
                                }
                                outs.push(state.with(Value::Unit));
                            }
                            Ok(outs)
                        })
                    },
                    &mut |_, state, _| one(state, Value::none()),
                )?
            }
            ("count", []) => {
                if let Iter::Chars(rest) = own {
                    let length = length(&Text::view(rest), Unit::Chars);
                    return one(state, Value::Int(length)).map(Some);
                }
                self.drain(
                    state,
                    own,
                    vec![Value::int(0)],
                    &mut |interp, mut state, _, slot| {
                        if let Value::Int(int) = &state.vars[slot].1 {
                            state.vars[slot].1 = Value::Int(interp.add(int, 1));
                        }
                        one(state, Value::Unit)
                    },
                    &mut |_, state, slot| {
                        let count = state.vars[slot].1.clone();
                        one(state, count)
                    },
                )?
            }
            ("last", []) => {
                if let Some(backwards) = self.backwards(&own) {
                    let ways = self.take_one(state, backwards)?;
                    ways.into_iter()
                        .map(|(s, v, _)| (s, Value::Opt(v.map(Rc::new)), Iter::Empty))
                        .collect()
                } else {
                    self.drain(
                        state,
                        own,
                        vec![Value::none()],
                        &mut |_, mut state, item, slot| {
                            state.vars[slot].1 = Value::some(item);
                            one(state, Value::Unit)
                        },
                        &mut |_, state, slot| {
                            let last = state.vars[slot].1.clone();
                            one(state, last)
                        },
                    )?
                }
            }
            ("for_each" | "try_for_each", [f]) => self.drain(
                state,
                own,
                Vec::new(),
                &mut |interp, state, item, _| {
                    let outs = interp.apply(state, f, vec![item])?;
                    interp.then(outs, |_, state, made| {
                        Ok(vec![match made {
                            made @ (Value::Opt(None) | Value::Res(Err(_))) => {
                                Out { state, exit: Exit::Break(None, made) }
                            }
                            made => state.with(made),
                        }])
                    })
                },
                &mut |_, state, _| {
                    one(
                        state,
                        if name == "for_each" { Value::Unit } else { Value::ok(Value::Unit) },
                    )
                },
            )?,
            ("fold" | "try_fold", [init, f]) => self.drain(
                state,
                own,
                vec![init.clone(), Value::Unit],
                &mut |interp, state, item, slot| {
                    let sum = state.vars[slot].1.clone();
                    let outs = interp.apply(state, f, vec![sum, item])?;
                    interp.then(outs, |_, mut state, made| {
                        let going_on = match (name, made) {
                            ("fold", made) => made,
                            (_, made @ (Value::Opt(None) | Value::Res(Err(_)))) => {
                                return Ok(vec![Out { state, exit: Exit::Break(None, made) }]);
                            }
                            (_, Value::Opt(Some(inner))) => {
                                state.vars[slot + 1].1 = Value::none();
                                (*inner).clone()
                            }
                            (_, Value::Res(Ok(inner))) => (*inner).clone(),
                            (_, made) => made,
                        };
                        state.vars[slot].1 = going_on;
                        one(state, Value::Unit)
                    })
                },
                &mut |interp, state, slot| {
                    let sum = state.vars[slot].1.clone();
                    let option = state.vars[slot + 1].1 == Value::none();
                    let hinted = interp.hint.as_ref().is_some_and(|hint| hint.name == "Option");
                    one(
                        state,
                        match name {
                            "fold" => sum,
                            _ if option || hinted => Value::some(sum),
                            _ => Value::ok(sum),
                        },
                    )
                },
            )?,
            ("sum" | "product", []) => {
                let op: syn::BinOp =
                    if name == "sum" { syn::parse_quote!(+) } else { syn::parse_quote!(*) };
                self.drain(
                    state,
                    own,
                    vec![Value::int(i128::from(name == "product"))],
                    &mut |interp, state, item, slot| {
                        let sum = state.vars[slot].1.clone();
                        let item = interp.deref(&state, item);
                        let outs = match (interp.as_int(&sum), interp.as_int(&item)) {
                            (Some(a), Some(b)) => interp.compute(state, &op, &a, &b)?,
                            _ => {
                                let lost = interp.lost("a sum is not followed");
                                one(state, lost)?
                            }
                        };
                        interp.then(outs, |_, mut state, sum| {
                            state.vars[slot].1 = sum;
                            one(state, Value::Unit)
                        })
                    },
                    &mut |_, state, slot| {
                        let sum = state.vars[slot].1.clone();
                        one(state, sum)
                    },
                )?
            }
            ("as_str" | "remainder", []) => match &own {
                Iter::Chars(rest) => vec![(state, Value::Str(Text::view(*rest)), own.clone())],
                _ => return Ok(None),
            },
            ("len", []) => {
                return self.list_method(
                    state,
                    receiver,
                    &Value::Items(Rc::clone(&inner)),
                    "len",
                    args,
                    hint,
                );
            }
            ("collect", []) => return self.collect(state, own, hint).map(Some),
            ("eq" | "ne", [other]) => return self.iters_equal(state, own, other, name == "eq"),
            _ => return Ok(None),
        };
        self.put_back(receiver, ways).map(Some)
    }

    fn iters_equal(
        &mut self,
        state: State,
        own: Iter,
        other: &Value,
        equal: bool,
    ) -> Flow<Option<Outs>> {
        let other = self.deref(&state, other.clone());
        if let (Iter::Chars(view), Some(Iter::Values(values))) =
            (&own, self.iterate(&state, &other))
        {
            let mut text = Text::default();
            for value in values.iter() {
                let Value::Char(c) = value else { return Ok(None) };
                text = text.then(c);
            }
            let how = if equal { Compare::Equal } else { Compare::Other };
            let own = Value::Str(Text::view(*view));
            let value = self.compare_values(&own, how, &Value::Str(text))?;
            return one(state, value).map(Some);
        }
        Ok(None)
    }

    /// `collect`, by the type that is wanted.
    fn collect(&mut self, state: State, iter: Iter, hint: Option<&Hint>) -> Flow<Outs> {
        let name = hint.map_or("", |hint| hint.name.as_str());
        match name {
            "String" | "Box" | "Cow" => {
                let text = match &iter {
                    Iter::Chars(rest) => Some(Text::view(*rest)),
                    _ => self.collected_text(&state, &iter)?,
                };
                match text {
                    Some(text) => one(state, Value::Str(text)),
                    None => {
                        let outs = self.drain(
                            state,
                            iter,
                            vec![Value::Str(Text::default())],
                            &mut |interp, mut state, item, slot| {
                                let item = interp.deref(&state, item);
                                let all = match (&state.vars[slot].1, &item) {
                                    (Value::Str(all), Value::Char(item) | Value::Str(item)) => {
                                        Value::Str(all.then(item))
                                    }
                                    _ => interp.lost("a collected text is not followed"),
                                };
                                state.vars[slot].1 = all;
                                one(state, Value::Unit)
                            },
                            &mut |_, state, slot| {
                                let all = state.vars[slot].1.clone();
                                one(state, all)
                            },
                        )?;
                        let outs = outs.into_iter().map(|(s, v, _)| s.with(v)).collect();
                        self.bounded(outs)
                    }
                }
            }
            "Result" | "Option" => self.collect_fallible(state, iter, name == "Option"),
            _ => match &iter {
                Iter::Values(values) => one(state, Value::List(Rc::clone(values))),
                _ if few(&iter) => self.collect_few(state, iter),
                _ => one(state, Value::Items(Rc::new(iter))),
            },
        }
    }

    /// Characters that a predicate lets pass, as a text of their own.
    fn collected_text(&mut self, state: &State, iter: &Iter) -> Flow<Option<Text>> {
        let Iter::Filter(inner, f) = iter else { return Ok(None) };
        let Iter::Chars(rest) = **inner else { return Ok(None) };
        let Some(kept) = self.predicate(state, f)? else { return Ok(None) };
        let dropped = self.pool.minus(ANY_CHAR, kept)?;
        let images = vec![(self.pool.ranges(dropped), String::new())];
        let mapping = self.views.mapping(images);
        Ok(Some(Text::view(self.views.make(rest, Op::Map(mapping)))))
    }

    /// Items of which there can only be few, one by one.
    fn collect_few(&mut self, state: State, iter: Iter) -> Flow<Outs> {
        let mut outs = Vec::new();
        let mut ways = vec![(state, Vec::new(), iter)];
        while let Some((state, values, iter)) = ways.pop() {
            for (state, item, iter) in self.take_one(state, iter)? {
                let mut values: Vec<Value> = values.clone();
                match item {
                    Some(item) => {
                        values.push(item);
                        ways.push((state, values, iter));
                    }
                    None => outs.push(state.with(Value::List(Rc::new(values)))),
                }
            }
            self.spend(1)?;
        }
        self.bounded(outs)
    }

    /// Items that are all good, or the first that is not.
    fn collect_fallible(&mut self, state: State, iter: Iter, option: bool) -> Flow<Outs> {
        let source = iter.clone();
        let note = self.lost_note("the items of a collection that may fail are not followed");
        let ways = self.drain(
            state,
            iter,
            Vec::new(),
            &mut |interp, state, item, _| {
                let item = interp.deref(&state, item);
                Ok(match item {
                    bad @ (Value::Opt(None) | Value::Res(Err(_))) => {
                        vec![Out { state, exit: Exit::Break(None, bad) }]
                    }
                    Value::Opt(Some(_)) | Value::Res(Ok(_)) => vec![state.with(Value::Unit)],
                    _ => {
                        let mut state = state;
                        doubt(&mut state, note);
                        let bad = if option { Value::none() } else { Value::err(Value::Unit) };
                        let end = Out { state: state.clone(), exit: Exit::Break(None, bad) };
                        vec![end, state.with(Value::Unit)]
                    }
                })
            },
            &mut |_, state, _| one(state, Value::Gone),
        )?;
        let mut outs = Vec::new();
        for (state, value, _) in ways {
            if value != Value::Gone {
                outs.push(state.with(value));
                continue;
            }
            // All are good, so those that are good are all.
            let good: Rc<[super::value::Name]> = Rc::from(vec!["#good".into()]);
            let items = Iter::FilterMap(Rc::new(source.clone()), Value::Function(good));
            let items = Value::Items(Rc::new(items));
            outs.push(state.with(if option { Value::some(items) } else { Value::ok(items) }));
        }
        self.bounded(outs)
    }

    /// Methods of arrays, slices and vectors.
    pub(super) fn list_method(
        &mut self,
        state: State,
        receiver: &Value,
        value: &Value,
        name: &str,
        args: &[Value],
        hint: Option<&Hint>,
    ) -> Flow<Option<Outs>> {
        let Some(iter) = self.iterate(&state, value) else { return Ok(None) };
        let outs = match (name, args) {
            ("len", []) => {
                let length = match (value, &iter) {
                    (Value::List(values), _) => Some(Int::Known(values.len() as i128)),
                    (Value::Bytes(text), _) => Some(length(text, Unit::Bytes)),
                    (_, Iter::Chars(rest)) => Some(length(&Text::view(*rest), Unit::Chars)),
                    (_, Iter::Bytes { rest, pending: 0, .. }) => {
                        Some(length(&Text::view(*rest), Unit::Bytes))
                    }
                    _ => None,
                };
                match length {
                    Some(length) => one(state, Value::Int(length))?,
                    None => {
                        let iter = Value::iter(iter);
                        return self.iter_method(state, &iter, &iter, "count", &[], hint);
                    }
                }
            }
            ("is_empty", []) => {
                let mut outs = Vec::new();
                for (state, item, _) in self.take_one(state, iter)? {
                    outs.push(state.with(Value::known(item.is_none())));
                }
                outs
            }
            ("iter_mut", []) => match receiver {
                Value::Ref(_) => match self.iterate(&state, receiver) {
                    Some(iter) => one(state, Value::iter(iter))?,
                    None => return Ok(None),
                },
                _ => return Ok(None),
            },
            ("iter" | "into_iter" | "drain", _) => one(state, Value::iter(iter))?,
            ("first" | "last" | "split_first" | "split_last", []) => {
                let from_end = name.ends_with("last");
                let iter = if from_end {
                    match self.backwards(&iter) {
                        Some(iter) => iter,
                        None => return Ok(None),
                    }
                } else {
                    iter
                };
                let mut outs = Vec::new();
                for (state, item, left) in self.take_one(state, iter)? {
                    let value = match item {
                        Some(item) if name.starts_with("split") => {
                            let left = if from_end { self.backwards(&left) } else { Some(left) };
                            let left = super::patterns::collected(left.unwrap_or(Iter::Empty));
                            Some(Value::tuple(vec![item, left]))
                        }
                        item => item,
                    };
                    outs.push(state.with(Value::Opt(value.map(Rc::new))));
                }
                outs
            }
            ("get", [index]) => {
                let index = self.deref(&state, index.clone());
                self.get(state, value.clone(), index)?
            }
            ("contains", [item]) => {
                let item = self.deref(&state, item.clone());
                if let Value::List(values) = value {
                    let mut any = Value::known(false);
                    for value in values.iter() {
                        let value = self.deref(&state, value.clone());
                        let same = self.compare_values(&value, Compare::Equal, &item)?;
                        any = self.or(&any, &same)?;
                    }
                    return one(state, any).map(Some);
                }
                if let (Value::Bytes(text), Value::Byte(Byte::Known(b @ 0..128))) = (value, &item) {
                    let lang = self.pool.literal(&char::from(*b).to_string())?;
                    let lang = Needle::Set(lang).contained(&mut self.pool)?;
                    let holds = self.text_in(text, lang)?;
                    let value = self.answer(holds);
                    return one(state, value).map(Some);
                }
                let ways = self.drain(
                    state,
                    iter,
                    Vec::new(),
                    &mut |interp, state, own, _| {
                        let same = interp.compare_values(&own, Compare::Equal, &item)?;
                        let (yes, no) = interp.branch(state, &same)?;
                        let mut outs: Outs = no.map(|s| s.with(Value::Unit)).into_iter().collect();
                        outs.extend(yes.map(|state| Out {
                            state,
                            exit: Exit::Break(None, Value::known(true)),
                        }));
                        Ok(outs)
                    },
                    &mut |_, state, _| one(state, Value::known(false)),
                )?;
                ways.into_iter().map(|(state, value, _)| state.with(value)).collect()
            }
            ("starts_with" | "ends_with", [other]) => {
                let (Value::Bytes(text), Value::Bytes(other)) =
                    (value, self.deref(&state, other.clone()))
                else {
                    return Ok(None);
                };
                let other = Value::Str(other);
                return self.string_method(state, text, name, &[other], hint);
            }
            ("windows" | "chunks" | "chunks_exact", [Value::Int(Int::Known(n @ 1..=16))]) => {
                let iter = Iter::Windows(Rc::new(iter), *n as usize, name != "chunks");
                let iter = match (name, iter) {
                    ("windows" | "chunks", iter) => iter,
                    _ => return Ok(None),
                };
                one(state, Value::iter(iter))?
            }
            ("as_slice" | "as_ref" | "to_vec" | "clone" | "into_boxed_slice" | "as_bytes", []) => {
                one(state, value.clone())?
            }
            ("try_into", []) => {
                let Some(length) = hint.and_then(|hint| hint.leaf().length) else {
                    return Ok(None);
                };
                let outs = self.list_method(state, receiver, value, "len", &[], None)?;
                let Some(outs) = outs else { return Ok(None) };
                self.then(outs, |interp, state, counted| {
                    let wanted = Value::int(length as i128);
                    let same = interp.compare_values(&counted, Compare::Equal, &wanted)?;
                    interp.either(
                        state,
                        &same,
                        |_, state| one(state, Value::ok(value.clone())),
                        |_, state| one(state, Value::err(value.clone())),
                    )
                })?
            }
            ("is_ascii", []) => match value {
                Value::Bytes(text) => return self.string_method(state, text, name, args, hint),
                _ => return Ok(None),
            },
            ("concat", []) | ("join", [_]) => {
                let separator = match args {
                    [separator] => match self.deref(&state, separator.clone()) {
                        Value::Str(text) => text,
                        _ => return Ok(None),
                    },
                    _ => Text::default(),
                };
                let Value::List(values) = value else { return Ok(None) };
                let mut text = Text::default();
                for (i, value) in values.iter().enumerate() {
                    let Value::Str(part) = self.deref(&state, value.clone()) else {
                        return Ok(None);
                    };
                    if i > 0 {
                        text = text.then(&separator);
                    }
                    text = text.then(&part);
                }
                one(state, Value::Str(text))?
            }
            _ => return Ok(None),
        };
        Ok(Some(outs))
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

/// Whether an iterator has few items, whatever the text.
fn few(iter: &Iter) -> bool {
    match iter {
        Iter::Pieces(Pieces { limit: Some(limit), .. }) => *limit <= 4,
        Iter::Take(_, Int::Known(n)) => *n <= 4,
        Iter::Values(values) => values.len() <= 16,
        Iter::Map(inner, _) | Iter::Enumerate(inner, _) | Iter::Skip(inner, _) => few(inner),
        _ => false,
    }
}
