//! Methods of characters, bytes, numbers, truth values and ranges.

use super::calls::Hint;
use super::interp::{Interp, NOWHERE, doubt};
use super::numbers::{Compare, LEAST, MOST, length, step};
use super::pool::ALL;
use super::state::{Outs, State, one};
use super::stop::Flow;
use super::table::Meaning;
use super::texts::not;
use super::value::{Bool, Byte, Int, Number, Source, Step, Text, Unit, Value};
use super::widths::{U8, Width};
use std::rc::Rc;

impl<'a> Interp<'a> {
    pub(super) fn answer(&mut self, bool: Option<Bool>) -> Value {
        match bool {
            Some(bool) => Value::Bool(bool),
            None => self.lost("a condition is not followed"),
        }
    }

    pub(super) fn char_method(
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

    pub(super) fn digit_set(&mut self, radix: u32) -> Flow<super::pool::Lang> {
        let digits: Vec<(u32, u32)> = (0..128_u32)
            .filter(|&c| char::from_u32(c).is_some_and(|c| c.is_digit(radix)))
            .map(|c| (c, c))
            .collect();
        self.pool.set(&digits)
    }

    pub(super) fn byte_method(
        &mut self,
        state: State,
        byte: &Byte,
        name: &str,
        args: &[Value],
    ) -> Flow<Option<Outs>> {
        let meaning = self.table.get("u8", name).or_else(|| self.table.get("char", name)).cloned();
        match (meaning, byte) {
            (Some(meaning @ Meaning::In(_)), _) => {
                // Of a byte that is no ASCII only its number counts.
                let lang = meaning.language(&mut self.pool)?.unwrap_or(ALL);
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
                    Some(int) => {
                        self.receiver = Some(U8);
                        self.int_method(state, &int, name, args)
                    }
                    None => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// A method of a number; what it is called on is of the type in [`Interp::receiver`], if that is
    /// known.
    pub(super) fn int_method(
        &mut self,
        state: State,
        int: &Int,
        name: &str,
        args: &[Value],
    ) -> Flow<Option<Outs>> {
        let args: Vec<Value> = args.iter().map(|arg| self.deref(&state, arg.clone())).collect();
        let other = args.first().and_then(|arg| self.as_int(arg));
        let width = self.receiver;
        match (name, other) {
            ("checked_add" | "checked_sub" | "checked_mul", Some(other)) => {
                self.checked(state, name, int, &other, width).map(Some)
            }
            ("saturating_sub", Some(Int::Known(n))) => {
                let signed = match int {
                    Int::Of(number) => Some(number.is_signed()),
                    _ => width.map(|width| width.signed),
                };
                let less = match (int, signed) {
                    (Int::Known(a), Some(false)) => Value::int((a - n).max(0)),
                    (Int::Known(a), None) if *a >= n => Value::int(a - n),
                    (Int::Known(a), Some(true)) => {
                        Value::int((a - n).max(width.map_or(LEAST, Width::min)))
                    }
                    (Int::AtLeast(least, _), Some(true)) => {
                        Value::Int(Int::AtLeast(least - n, NOWHERE))
                    }
                    (Int::Of(_), Some(true)) => Value::Int(self.add(int, -n)),
                    (_, Some(false)) => {
                        let enough = self.int_in(int, &[(n, MOST)])?;
                        let enough = self.answer(enough);
                        let less = self.add(int, -n);
                        let outs = self.either(
                            state,
                            &enough,
                            |_, state| one(state, Value::Int(less)),
                            |_, state| one(state, Value::int(0)),
                        )?;
                        return Ok(Some(outs));
                    }
                    _ => self.lost("a number below zero is not followed"),
                };
                one(state, less).map(Some)
            }
            ("saturating_add", Some(Int::Known(n))) => {
                let most = width.map_or(127, Width::max);
                let more = match self.add(int, n) {
                    Int::Known(sum) if sum > most && width.is_some() => Int::Known(most),
                    Int::Known(sum) if sum > most => return Ok(None),
                    Int::Of(_) if width.is_none_or(Width::is_narrow) => return Ok(None),
                    sum => sum,
                };
                one(state, Value::Int(more)).map(Some)
            }
            ("wrapping_sub" | "wrapping_add", Some(Int::Known(n))) => {
                let Some(width) = width.filter(|width| width.bits < 128) else { return Ok(None) };
                let n = if name == "wrapping_sub" { -n } else { n };
                let sum = match int {
                    Int::Known(a) => Int::Known(width.wrapped(a + n)),
                    Int::Of(number)
                        if matches!(number.source, Source::Code(_)) && !width.signed =>
                    {
                        let Int::Of(sum) = step(number, Step::Add(n)) else { return Ok(None) };
                        step(&sum, Step::Wrap(1 << width.bits))
                    }
                    _ => return Ok(None),
                };
                one(state, Value::Int(sum)).map(Some)
            }
            ("min" | "max", Some(Int::Known(n))) => {
                let is_min = name == "min";
                if let Int::Known(a) = int {
                    let value = if is_min { *a.min(&n) } else { *a.max(&n) };
                    return one(state, Value::int(value)).map(Some);
                }
                let own = self.int_in(int, &[if is_min { (LEAST, n) } else { (n, MOST) }])?;
                let own = self.answer(own);
                self.either(
                    state,
                    &own,
                    |_, state| one(state, Value::Int(int.clone())),
                    |_, state| one(state, Value::int(n)),
                )
                .map(Some)
            }
            ("pow", Some(Int::Known(n))) => {
                let (Int::Known(a), Ok(n)) = (int, u32::try_from(n)) else { return Ok(None) };
                let most = width.map_or(127, Width::max).min(MOST);
                let power = a.checked_pow(n).filter(|power| (0..=most).contains(power));
                Ok(power.map(|power| vec![state.with(Value::int(power))]))
            }
            ("is_multiple_of", Some(Int::Known(n))) if n > 0 => {
                let rest: syn::BinOp = syn::parse_quote!(%);
                let outs = self.compute(state, &rest, int, &Int::Known(n), width)?;
                self.then(outs, |interp, state, value| {
                    let value = interp.compare_values(&value, Compare::Equal, &Value::int(0))?;
                    one(state, value)
                })
                .map(Some)
            }
            ("clone", _) => one(state, Value::Int(int.clone())).map(Some),
            ("abs", _) => Ok(match int {
                // Any type has room for 127.
                Int::Known(n) if n.saturating_abs() <= width.map_or(127, Width::max) => {
                    Some(vec![state.with(Value::int(n.saturating_abs()))])
                }
                _ => None,
            }),
            // Whether the type of the result has a sign is not known.
            ("into", _) => {
                let value = match int {
                    Int::Known(_) => Value::Int(int.clone()),
                    _ => self.lost("a conversion is not followed"),
                };
                one(state, value).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Arithmetic that gives nothing where the type has no room for the result.
    fn checked(
        &mut self,
        state: State,
        name: &str,
        a: &Int,
        b: &Int,
        width: Option<Width>,
    ) -> Flow<Outs> {
        let op: syn::BinOp = match name {
            "checked_add" => syn::parse_quote!(+),
            "checked_sub" => syn::parse_quote!(-),
            _ => syn::parse_quote!(*),
        };
        if let (Int::Known(a), Int::Known(b)) = (a, b) {
            let result = match op {
                syn::BinOp::Add(_) => a.checked_add(*b),
                syn::BinOp::Sub(_) => a.checked_sub(*b),
                _ => a.checked_mul(*b),
            };
            let result = result.filter(|result| (LEAST..=MOST).contains(result));
            let value = match (result, width) {
                (Some(result), Some(width)) if result < width.min() || result > width.max() => {
                    Value::none()
                }
                // Any type has room for 127.
                (Some(result), None) if !(0..=127).contains(&result) => {
                    self.lost("where a checked operation overflows is not followed")
                }
                (Some(result), _) => Value::some(Value::int(result)),
                (None, _) => Value::none(),
            };
            return one(state, value);
        }
        if let syn::BinOp::Sub(_) = op {
            let enough = match (a, b) {
                (Int::Of(number), Int::Known(n)) if !number.is_signed() => {
                    Some((self.int_in(a, &[(*n, MOST)])?, step(number, Step::Add(-n))))
                }
                (Int::Known(n), Int::Of(number)) if !number.is_signed() => {
                    Some((self.int_in(b, &[(LEAST, *n)])?, step(number, Step::From(*n))))
                }
                _ => None,
            };
            if let Some((enough, less)) = enough {
                let enough = self.answer(enough);
                return self.either(
                    state,
                    &enough,
                    |_, state| one(state, Value::some(Value::Int(less))),
                    |_, state| one(state, Value::none()),
                );
            }
        }
        // What falls below zero is no panic here, so nothing is left out of the paths.
        let note = self.lost_note("where a checked operation overflows is not followed");
        let mut nothing = state.clone();
        doubt(&mut nothing, note);
        let outs = self.compute(state, &op, a, b, width)?;
        let mut outs = self.then(outs, |_, mut state, value| {
            doubt(&mut state, note);
            one(state, Value::some(value))
        })?;
        outs.push(nothing.with(Value::none()));
        Ok(outs)
    }

    pub(super) fn bool_method(
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

    pub(super) fn range_method(
        &mut self,
        mut state: State,
        receiver: &Value,
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
                if let Value::Ref(target) = receiver
                    && super::iterators::moves(name)
                {
                    // From now on it is no range, but what is left of one.
                    self.write(&mut state, target, iter.clone());
                    return self.iter_method(state, receiver, &iter, name, args, hint);
                }
                self.iter_method(state, &iter, &iter, name, args, hint)
            }
            None => Ok(None),
        }
    }
}
