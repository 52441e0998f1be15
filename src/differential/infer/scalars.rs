//! Methods of characters, bytes, numbers, truth values and ranges.

use super::calls::Hint;
use super::interp::{Interp, doubt};
use super::numbers::{Compare, length};
use super::state::{Outs, State, one};
use super::stop::Flow;
use super::table::Meaning;
use super::texts::not;
use super::value::{Bool, Byte, Int, Number, Source, Step, Text, Unit, Value};
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

    pub(super) fn int_method(
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
}
