//! Methods of `Option` and `Result`.
//!
//! A value of these types always is one of its variants, so a method either calls what it is given
//! or does not.

use std::rc::Rc;

use super::interp::Interp;
use super::numbers::Compare;
use super::state::{Outs, State, one};
use super::stop::Flow;
use super::value::{Step2, Target, Value};

impl Interp<'_> {
    /// A method of an `Option` or a `Result`; none where there is no such method here.
    pub(super) fn option_method(
        &mut self,
        state: State,
        receiver: &Value,
        value: &Value,
        name: &str,
        args: &[Value],
    ) -> Flow<Option<Outs>> {
        // `Option` and `Result` as one: what is in it, if it is good, and the error otherwise.
        let (good, bad, option) = match value {
            Value::Opt(inner) => (inner.as_deref().cloned(), None, true),
            Value::Res(Ok(inner)) => (Some((**inner).clone()), None, false),
            Value::Res(Err(inner)) => (None, Some((**inner).clone()), false),
            _ => return Ok(None),
        };
        let wrap = |value: Value| if option { Value::some(value) } else { Value::ok(value) };
        let outs = match (name, args) {
            ("is_some" | "is_ok", []) => one(state, Value::known(good.is_some()))?,
            ("is_none" | "is_err", []) => one(state, Value::known(good.is_none()))?,
            ("is_some_and" | "is_ok_and", [f]) => match good {
                Some(inner) => self.apply(state, f, vec![inner])?,
                None => one(state, Value::known(false))?,
            },
            ("is_none_or", [f]) => match good {
                Some(inner) => self.apply(state, f, vec![inner])?,
                None => one(state, Value::known(true))?,
            },
            ("is_err_and", [f]) => match bad {
                Some(inner) => self.apply(state, f, vec![inner])?,
                None => one(state, Value::known(false))?,
            },
            ("unwrap" | "expect", _) => match good {
                Some(inner) => one(state, inner)?,
                None => Vec::new(),
            },
            ("unwrap_err" | "expect_err", _) => match bad {
                Some(inner) => one(state, inner)?,
                None => Vec::new(),
            },
            ("unwrap_or", [other]) => one(state, good.unwrap_or_else(|| other.clone()))?,
            ("unwrap_or_else", [f]) => match good {
                Some(inner) => one(state, inner)?,
                None => {
                    let args = if option { Vec::new() } else { vec![bad.unwrap_or(Value::Gone)] };
                    self.apply(state, f, args)?
                }
            },
            ("unwrap_or_default", []) => match good {
                Some(inner) => one(state, inner)?,
                None => {
                    let lost = self.lost("a default value is not followed");
                    one(state, lost)?
                }
            },
            ("map", [f]) => match good {
                Some(inner) => {
                    let outs = self.apply(state, f, vec![inner])?;
                    self.then(outs, |_, state, value| one(state, wrap(value)))?
                }
                None => one(state, value.clone())?,
            },
            ("map_or", [other, f]) => match good {
                Some(inner) => self.apply(state, f, vec![inner])?,
                None => one(state, other.clone())?,
            },
            ("map_or_else", [other, f]) => match good {
                Some(inner) => self.apply(state, f, vec![inner])?,
                None => {
                    let args = if option { Vec::new() } else { vec![bad.unwrap_or(Value::Gone)] };
                    self.apply(state, other, args)?
                }
            },
            ("map_err", [f]) => match bad {
                Some(inner) => {
                    let outs = self.apply(state, f, vec![inner])?;
                    self.then(outs, |_, state, value| one(state, Value::err(value)))?
                }
                None => one(state, value.clone())?,
            },
            ("and_then", [f]) => match good {
                Some(inner) => self.apply(state, f, vec![inner])?,
                None => one(state, value.clone())?,
            },
            ("and", [other]) => {
                one(state, if good.is_some() { other.clone() } else { value.clone() })?
            }
            ("or", [other]) => {
                one(state, if good.is_some() { value.clone() } else { other.clone() })?
            }
            ("or_else", [f]) => match (good, bad) {
                (Some(_), _) => one(state, value.clone())?,
                (None, Some(error)) => self.apply(state, f, vec![error])?,
                (None, None) => self.apply(state, f, Vec::new())?,
            },
            ("xor", [other]) => match (&good, self.deref(&state, other.clone())) {
                (Some(_), Value::Opt(None)) => one(state, value.clone())?,
                (None, Value::Opt(other)) => one(state, Value::Opt(other))?,
                (Some(_), Value::Opt(Some(_))) => one(state, Value::none())?,
                (_, other) => {
                    let lost = self.still_lost(&other);
                    one(state, lost)?
                }
            },
            ("zip", [other]) => match (good, self.deref(&state, other.clone())) {
                (Some(a), Value::Opt(Some(b))) => {
                    one(state, Value::some(Value::tuple(vec![a, (*b).clone()])))?
                }
                (None, _) | (_, Value::Opt(None)) => one(state, Value::none())?,
                (Some(_), other) => {
                    let lost = self.still_lost(&other);
                    one(state, lost)?
                }
            },
            ("filter", [f]) => match good {
                Some(inner) => {
                    let outs = self.apply(state, f, vec![inner])?;
                    self.then(outs, |interp, state, holds| {
                        interp.either(
                            state,
                            &holds,
                            |_, state| one(state, value.clone()),
                            |_, state| one(state, Value::none()),
                        )
                    })?
                }
                None => one(state, Value::none())?,
            },
            ("ok", []) => one(state, Value::Opt(good.map(Rc::new)))?,
            ("err", []) => one(state, Value::Opt(bad.map(Rc::new)))?,
            ("ok_or", [error]) => one(
                state,
                match good {
                    Some(inner) => Value::ok(inner),
                    None => Value::err(error.clone()),
                },
            )?,
            ("ok_or_else", [f]) => match good {
                Some(inner) => one(state, Value::ok(inner))?,
                None => {
                    let outs = self.apply(state, f, Vec::new())?;
                    self.then(outs, |_, state, error| one(state, Value::err(error)))?
                }
            },
            ("transpose", []) => match good.map(|inner| self.deref(&state, inner)) {
                Some(Value::Opt(Some(inner))) => one(state, Value::some(Value::Res(Ok(inner))))?,
                Some(Value::Opt(None)) => one(state, Value::none())?,
                Some(Value::Res(Ok(inner))) => one(state, Value::ok(Value::Opt(Some(inner))))?,
                Some(Value::Res(Err(inner))) => one(state, Value::Res(Err(inner)))?,
                None if option => one(state, Value::ok(Value::none()))?,
                None => one(state, Value::some(value.clone()))?,
                Some(inner) => {
                    let lost = self.still_lost(&inner);
                    one(state, lost)?
                }
            },
            ("flatten", []) => match good.map(|inner| self.deref(&state, inner)) {
                Some(inner @ (Value::Opt(_) | Value::Res(_))) => one(state, inner)?,
                None => one(state, value.clone())?,
                Some(inner) => {
                    let lost = self.still_lost(&inner);
                    one(state, lost)?
                }
            },
            ("inspect" | "inspect_err", [f]) => match if name == "inspect" { good } else { bad } {
                Some(inner) => {
                    let outs = self.apply(state, f, vec![inner])?;
                    self.then(outs, |_, state, _| one(state, value.clone()))?
                }
                None => one(state, value.clone())?,
            },
            (
                "context" | "with_context" | "as_ref" | "as_deref" | "copied" | "cloned" | "clone"
                | "wrap_err" | "into",
                _,
            ) => one(state, value.clone())?,
            ("as_mut" | "as_deref_mut", []) => match (receiver, good) {
                (Value::Ref(target), Some(_)) => {
                    let mut target = (**target).clone();
                    target.path.push(Step2::Inner);
                    one(state, wrap(Value::Ref(Rc::new(target))))?
                }
                _ => one(state, value.clone())?,
            },
            ("take", []) => match receiver {
                Value::Ref(target) => self.take_value(state, target)?,
                _ => one(state, value.clone())?,
            },
            ("insert", [new]) => match receiver {
                Value::Ref(target) => {
                    let mut state = state;
                    self.write(&mut state, target, Value::some(new.clone()));
                    let mut target = (**target).clone();
                    target.path.push(Step2::Inner);
                    one(state, Value::Ref(Rc::new(target)))?
                }
                _ => one(state, new.clone())?,
            },
            ("replace", [new]) => match receiver {
                Value::Ref(target) => {
                    let mut state = state;
                    self.write(&mut state, target, Value::some(new.clone()));
                    one(state, value.clone())?
                }
                _ => one(state, value.clone())?,
            },
            ("get_or_insert_with", [_]) => return Ok(None),
            ("iter" | "into_iter", []) => {
                let values = good.into_iter().collect();
                one(state, Value::iter(super::value::Iter::Values(Rc::new(values))))?
            }
            ("eq" | "ne", [other]) => {
                let other = self.deref(&state, other.clone());
                let how = if name == "eq" { Compare::Equal } else { Compare::Other };
                let value = self.compare_values(value, how, &other)?;
                one(state, value)?
            }
            _ => return Ok(None),
        };
        Ok(Some(outs))
    }

    /// Something unknown, for the reason that another value is.
    fn still_lost(&mut self, other: &Value) -> Value {
        match other {
            Value::Unknown(_) => other.clone(),
            _ => self.lost("an option of this kind is not followed"),
        }
    }

    /// A method that writes to a text or a list that is a variable.
    pub(super) fn writing_method(
        &mut self,
        state: State,
        target: &Rc<Target>,
        value: &Value,
        name: &str,
        args: &[Value],
    ) -> Flow<Option<Outs>> {
        let args: Vec<Value> = args.iter().map(|arg| self.deref(&state, arg.clone())).collect();
        let (new, result) = match (value, name, &args[..]) {
            (Value::Str(text), "push" | "push_str", [more]) => match more {
                Value::Char(more) | Value::Str(more) => (Value::Str(text.then(more)), Value::Unit),
                _ => (self.lost("what is appended to a text is not followed"), Value::Unit),
            },
            (Value::Str(_), "clear", []) => {
                (Value::Str(super::value::Text::default()), Value::Unit)
            }
            (Value::Str(text), "pop", []) => {
                let (Some(view), false) = (text.as_view(), text.constant().is_some()) else {
                    let constant = text.constant();
                    let Some(constant) = constant else {
                        let lost = self.lost("what is taken off a text is not followed");
                        let mut state = state;
                        self.write(&mut state, target, lost.clone());
                        return one(state, lost).map(Some);
                    };
                    let mut left = constant.to_string();
                    let last = left.pop().map(|c| {
                        let c = super::value::Text::literal(c.encode_utf8(&mut [0; 4]));
                        Rc::new(Value::Char(c))
                    });
                    let mut state = state;
                    let left = Value::Str(super::value::Text::literal(&left));
                    self.write(&mut state, target, left);
                    return one(state, Value::Opt(last)).map(Some);
                };
                let (some, none) = self.divide(state, view, super::pool::NON_EMPTY)?;
                let place = self
                    .views
                    .place(&mut self.pool, vec![(super::pool::ALL, super::pool::ANY_CHAR)])?;
                let left = self.views.cut(view, super::view::START, place);
                let last = self.views.cut(view, place, super::view::END);
                let mut outs: Outs = none.map(|s| s.with(Value::none())).into_iter().collect();
                if let Some(mut state) = some {
                    let left = Value::Str(super::value::Text::view(left));
                    self.write(&mut state, target, left);
                    let last = Value::Char(super::value::Text::view(last));
                    outs.push(state.with(Value::some(last)));
                }
                return Ok(Some(outs));
            }
            (Value::List(values), "push", [more]) => {
                let mut values = (**values).clone();
                values.push(more.clone());
                (Value::List(Rc::new(values)), Value::Unit)
            }
            (Value::List(values), "pop", []) => {
                let mut values = (**values).clone();
                let last = values.pop();
                (Value::List(Rc::new(values)), Value::Opt(last.map(Rc::new)))
            }
            (Value::List(_) | Value::Items(_), "clear", []) => {
                (Value::List(Rc::new(Vec::new())), Value::Unit)
            }
            _ => return Ok(None),
        };
        let mut state = state;
        self.write(&mut state, target, new);
        one(state, result).map(Some)
    }
}
