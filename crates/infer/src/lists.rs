//! Methods of arrays, slices and vectors.

use super::calls::Hint;
use super::interp::Interp;
use super::numbers::{Compare, length};
use super::state::{Exit, Out, Outs, State, one};
use super::stop::Flow;
use super::value::{Byte, Int, Iter, Text, Unit, Value};
use super::view::Needle;
use std::rc::Rc;

impl<'a> Interp<'a> {
    /// What is taken out of a vector, which is without it from then on.
    fn drained(
        &mut self,
        mut state: State,
        receiver: &Value,
        value: &Value,
        iter: Iter,
        range: &Value,
    ) -> Flow<Option<Outs>> {
        let (Value::Ref(target), Value::Range(range)) =
            (receiver, self.deref(&state, range.clone()))
        else {
            return Ok(None);
        };
        let (taken, left) = match (&range.from, &range.to, value) {
            (None, None, _) => (iter, Vec::new()),
            (from, to, Value::List(values)) => {
                let known = |end: &Option<Value>, otherwise: usize| match end {
                    None => Some(otherwise),
                    Some(Value::Int(Int::Known(n))) => usize::try_from(*n).ok(),
                    Some(_) => None,
                };
                let (Some(from), Some(to)) = (known(from, 0), known(to, values.len())) else {
                    return Ok(None);
                };
                let to = if range.inclusive { to.saturating_add(1) } else { to };
                // Out of bounds is a panic.
                let Some(taken) = values.get(from..to) else { return Ok(Some(Vec::new())) };
                let left = values[..from].iter().chain(&values[to..]).cloned().collect();
                (Iter::Values(Rc::new(taken.to_vec())), left)
            }
            _ => return Ok(None),
        };
        if !self.write(&mut state, target, Value::List(Rc::new(left))) {
            return Ok(None);
        }
        one(state, Value::iter(taken)).map(Some)
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
            ("iter" | "into_iter", _) => one(state, Value::iter(iter))?,
            ("drain", [range]) => return self.drained(state, receiver, value, iter, range),
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
                            let Some(left) = left else { return Ok(None) };
                            Some(Value::tuple(vec![item, super::parts::collected(left)]))
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
            ("windows" | "chunks", [Value::Int(Int::Known(n @ 1..=16))]) => {
                let iter = Iter::Windows(Rc::new(iter), *n as usize, name == "windows");
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
