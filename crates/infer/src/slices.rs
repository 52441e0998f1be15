//! Parts of texts and lists by index and range.

use super::interp::Interp;
use super::patterns::known_bytes;
use super::pool::{ALL, Lang, NONE};
use super::state::{Exit, Out, Outs, State, one};
use super::stop::Flow;
use super::value::{At, Int, Iter, Number, Range, Source, Text, Unit, Value};
use super::view::{END, Op, Place, START, View};
use std::rc::Rc;

/// What is said of an index that may be within a character.
const INSIDE: &str = "bytes within a character are not followed here";

impl<'a> Interp<'a> {
    /// A place as an index.
    pub(super) fn index_at(&mut self, view: View, place: Place) -> Value {
        let before = Text::view(self.views.cut(view, START, place));
        Value::Int(Int::Of(Rc::new(Number {
            source: Source::Length(before, Unit::Bytes),
            steps: Vec::new(),
        })))
    }

    /// The place in a text that an index means, and the text.
    pub(super) fn place_of(&mut self, view: View, int: &Int) -> Flow<Option<(View, Place)>> {
        match int {
            Int::Known(n) => Ok(match u32::try_from(*n) {
                Ok(n) if n <= 1024 => {
                    let before =
                        self.lengths(Unit::Bytes, i128::from(n) + 1, 1, |m| m == i128::from(n))?;
                    let place = self.views.place(&mut self.pool, vec![(before, ALL)])?;
                    Some((view, self.views.name(place, || format!("byte {n}"))))
                }
                _ => None,
            }),
            Int::Of(number) => {
                let Some((base, Unit::Bytes, place, more)) = self.as_place(number) else {
                    return Ok(None);
                };
                let place = if base == view {
                    place
                } else {
                    // The length of a text that is a beginning of this one.
                    match self.views.made_from(base) {
                        Some((under, Op::Cut(START, inner))) if under == view && place == END => {
                            inner
                        }
                        _ => return Ok(None),
                    }
                };
                Ok(self.shifted(place, more)?.map(|place| (view, place)))
            }
            Int::At(at) if at.unit == Unit::Bytes && at.base == view => {
                if at.pending > 0 || at.beyond > 0 {
                    // No boundary of a character: a panic.
                    return Ok(Some((view, self.views.place(&mut self.pool, Vec::new())?)));
                }
                let place = self.views.suffix_of(&mut self.pool, view, at.rest)?;
                Ok(place.map(|place| (view, place)))
            }
            _ => Ok(None),
        }
    }

    /// A place so many bytes further on or back.
    pub(super) fn shifted(&mut self, place: Place, more: i128) -> Flow<Option<Place>> {
        if more == 0 {
            return Ok(Some(place));
        }
        let Ok(count @ 1..=64) = u32::try_from(more.unsigned_abs()) else { return Ok(None) };
        let bytes = i128::from(count);
        let mut pairs = Vec::new();
        let exact = self.lengths(Unit::Bytes, bytes + 1, 1, |n| n == bytes)?;
        for &(before, after) in self.views.pairs(place).iter() {
            let (side, forth) = if more > 0 { (after, true) } else { (before, false) };
            for &(first, second) in self.pool.split(side)?.iter() {
                if forth {
                    let step = self.pool.both(first, exact)?;
                    pairs.push((self.pool.concat(before, step)?, second));
                } else {
                    let step = self.pool.both(second, exact)?;
                    pairs.push((first, self.pool.concat(step, after)?));
                }
            }
        }
        let shifted = self.views.place(&mut self.pool, pairs)?;
        Ok(Some(shifted))
    }

    /// A part of a text, and none where it has no such part.
    pub(super) fn slice(
        &mut self,
        view: View,
        from: Option<&Int>,
        to: Option<&Int>,
    ) -> Flow<Option<(View, Lang)>> {
        // What stands behind an index in what is left of a text.
        if let Some(Int::At(at)) = from
            && at.unit == Unit::Bytes
            && at.base == view
        {
            if at.pending > 0 || at.beyond > 0 {
                return Ok(Some((view, NONE)));
            }
            let Some(to) = to else { return Ok(Some((at.rest, ALL))) };
            let Int::At(end) = to else {
                if let Int::Of(number) = to
                    && self.as_place(number) == Some((view, Unit::Bytes, END, 0))
                {
                    return Ok(Some((at.rest, ALL)));
                }
                return Ok(None);
            };
            if end.pending > 0 || end.beyond > 0 {
                return Ok(Some((view, NONE)));
            }
            let place = self.views.suffix_of(&mut self.pool, at.rest, end.rest)?;
            return Ok(place.map(|place| (self.views.cut(at.rest, START, place), ALL)));
        }
        let mut places = [START, END];
        for (i, end) in [from, to].into_iter().enumerate() {
            let Some(end) = end else { continue };
            match self.place_of(view, end)? {
                Some((_, place)) => places[i] = place,
                None => return Ok(None),
            }
        }
        let part = self.views.cut(view, places[0], places[1]);
        // That is at the level of the root.
        let has = self.views.lift(&mut self.pool, part, ALL)?;
        Ok(Some((part, has)))
    }

    /// Something by its index or range; what is not there is a panic.
    pub(super) fn index(&mut self, state: State, base: Value, index: Value) -> Flow<Outs> {
        let outs = self.get(state, base, index)?;
        self.then(outs, |interp, state, value| match value {
            Value::Opt(Some(value)) => one(state, (*value).clone()),
            Value::Opt(None) => Ok(Vec::new()),
            other => {
                // It may be none, which is a panic.
                let note = match other {
                    Value::Unknown(note) => note,
                    _ => interp.lost_note("an index is not followed"),
                };
                let mut state = state;
                super::interp::doubt(&mut state, note);
                one(state, Value::Unknown(note))
            }
        })
    }

    /// Something by its index or range, if it is there.
    pub(super) fn get(&mut self, state: State, base: Value, index: Value) -> Flow<Outs> {
        match (&base, &index) {
            (Value::Str(text) | Value::Bytes(text), Value::Range(range)) => {
                let bytes = matches!(base, Value::Bytes(_));
                let wrap = |text: Text| if bytes { Value::Bytes(text) } else { Value::Str(text) };
                let int = |value: &Option<Value>| match value {
                    None => Some(None),
                    Some(Value::Int(int)) => Some(Some(int.clone())),
                    Some(_) => None,
                };
                let (Some(from), Some(mut to)) = (int(&range.from), int(&range.to)) else {
                    return Ok(self.no_view(state, &[])?.unwrap_or_default());
                };
                if range.inclusive {
                    to = to.map(|to| self.add(&to, 1));
                }
                if let Some(constant) = text.constant() {
                    let number = |int: &Option<Int>, other: usize| match int {
                        None => Some(other),
                        Some(Int::Known(n)) => usize::try_from(*n).ok(),
                        Some(_) => None,
                    };
                    if let (Some(from), Some(to)) = (number(&from, 0), number(&to, constant.len()))
                    {
                        let part = match (constant.get(from..to), constant.as_bytes().get(from..to))
                        {
                            (Some(part), _) => Some(wrap(Text::literal(part))),
                            (None, Some(part)) if bytes => Some(Value::List(known_bytes(part))),
                            _ => None,
                        };
                        return one(state, Value::Opt(part.map(Rc::new)));
                    }
                }
                let Some(view) = text.as_view() else {
                    return Ok(self.no_view(state, &[])?.unwrap_or_default());
                };
                let Some((part, has)) = self.slice(view, from.as_ref(), to.as_ref())? else {
                    return Ok(self.no_view(state, &[])?.unwrap_or_default());
                };
                let good = Value::some(wrap(Text::view(part)));
                if has == ALL {
                    return one(state, good);
                }
                let level = self.views.level(part);
                let no = self.pool.complement(has)?;
                let cond = super::texts::bool_of(super::value::Cond { level, yes: has, no });
                let (yes, no) = self.branch(state, &Value::Bool(cond))?;
                let mut outs: Outs = yes.map(|state| state.with(good)).into_iter().collect();
                match no {
                    Some(state) if bytes => {
                        outs.extend(self.get_within(state, view, from.as_ref(), to.as_ref())?);
                    }
                    no => outs.extend(no.map(|state| state.with(Value::none()))),
                }
                Ok(outs)
            }
            (Value::Items(iter), Value::Range(range)) => {
                let (Some(from), to) = (known(&range.from, 0), known(&range.to, i128::MAX)) else {
                    return Ok(self.no_view(state, &[])?.unwrap_or_default());
                };
                let Some(to) = to else { return Ok(self.no_view(state, &[])?.unwrap_or_default()) };
                let to = if range.inclusive { to.saturating_add(1) } else { to };
                if from > to {
                    return one(state, Value::none());
                }
                if from > 256 || (to > 256 && to != i128::MAX) {
                    return Ok(self.no_view(state, &[])?.unwrap_or_default());
                }
                let mut part = (**iter).clone();
                if to != i128::MAX {
                    part = Iter::Take(Rc::new(part), Int::Known(to));
                }
                if from > 0 {
                    part = Iter::Skip(Rc::new(part), Int::Known(from));
                }
                // The list must be long enough.
                let least = if to == i128::MAX { from } else { to };
                let ways = self.skip_items(state, (**iter).clone(), least)?;
                let mut outs = Vec::new();
                for (state, left) in ways {
                    let value = match left {
                        // What is left of bytes is known better than how many are left out.
                        Some(left @ Iter::Bytes { .. }) if to == i128::MAX => {
                            Value::some(Value::Items(Rc::new(left)))
                        }
                        Some(_) => Value::some(Value::Items(Rc::new(part.clone()))),
                        None => Value::none(),
                    };
                    outs.push(state.with(value));
                }
                Ok(outs)
            }
            (Value::List(values), Value::Range(range)) => {
                let (Some(from), Some(to)) =
                    (known(&range.from, 0), known(&range.to, values.len() as i128))
                else {
                    return Ok(self.no_view(state, &[])?.unwrap_or_default());
                };
                let to = if range.inclusive { to + 1 } else { to };
                let part = usize::try_from(from).ok().zip(usize::try_from(to).ok());
                let part = part.and_then(|(from, to)| values.get(from..to));
                let part = part.map(|part| Rc::new(Value::List(Rc::new(part.to_vec()))));
                one(state, Value::Opt(part))
            }
            (Value::List(values), Value::Int(Int::Known(n))) => {
                let value = usize::try_from(*n).ok().and_then(|n| values.get(n).cloned());
                one(state, Value::Opt(value.map(Rc::new)))
            }
            (Value::Bytes(_) | Value::Items(_), Value::Int(int)) => {
                self.get_item(state, &base, int)
            }
            (Value::Unknown(note), _) | (_, Value::Unknown(note)) => {
                one(state, Value::Unknown(*note))
            }
            _ => Ok(self.no_view(state, &[])?.unwrap_or_default()),
        }
    }

    /// Bytes of a text that has no boundary of characters where they begin or end, or no such bytes.
    fn get_within(
        &mut self,
        state: State,
        view: View,
        from: Option<&Int>,
        to: Option<&Int>,
    ) -> Flow<Outs> {
        let mut outs = Vec::new();
        let mut inside = Some(state);
        for end in [from, to].into_iter().flatten() {
            let Some(state) = inside else { return Ok(outs) };
            let Some(reached) = self.reached(view, end)? else {
                let note = self.lost_note(INSIDE);
                outs.push(doubted(state, note));
                return Ok(outs);
            };
            let (yes, no) = self.divide(state, view, reached)?;
            outs.extend(no.map(|state| state.with(Value::none())));
            inside = yes;
        }
        let Some(state) = inside else { return Ok(outs) };
        let bytes = |rest: View, pending: u8| Iter::Bytes { rest, pending, backwards: false };
        match (from, to) {
            (None | Some(Int::Known(0..=32)), None | Some(Int::Known(0..=32))) => {
                let end = |end: Option<&Int>| end.map(|end| Value::Int(end.clone()));
                let range = Range { from: end(from), to: end(to), inclusive: false };
                let items = Value::Items(Rc::new(bytes(view, 0)));
                outs.extend(self.get(state, items, Value::Range(Rc::new(range)))?);
            }
            (Some(Int::At(at)), None) if at.beyond == 0 => {
                let items = Value::Items(Rc::new(bytes(at.rest, at.pending)));
                outs.push(state.with(Value::some(items)));
            }
            _ => {
                let note = self.lost_note(INSIDE);
                outs.push(doubted(state, note));
            }
        }
        self.bounded(outs)
    }

    /// The texts that have so many bytes as an index says, if that is known.
    fn reached(&mut self, view: View, index: &Int) -> Flow<Option<Lang>> {
        Ok(match index {
            Int::Known(n @ 0..=1024) => {
                Some(self.lengths(Unit::Bytes, n + 1, 1, |length| length >= *n)?)
            }
            Int::At(at) if at.unit == Unit::Bytes && at.base == view => {
                Some(if at.beyond > 0 { NONE } else { ALL })
            }
            Int::Of(number) => {
                let Some((base, Unit::Bytes, place, more)) = self.as_place(number) else {
                    return Ok(None);
                };
                if base != view || !(0..=64).contains(&more) {
                    return Ok(None);
                }
                let enough = self.lengths(Unit::Bytes, more + 1, 1, |length| length >= more)?;
                let mut ways = Vec::new();
                for &(before, after) in self.views.pairs(place).iter() {
                    ways.push(vec![before, self.pool.both(after, enough)?]);
                }
                Some(self.pool.sum(ways)?)
            }
            _ => None,
        })
    }

    /// A byte or an item by its index.
    pub(super) fn get_item(&mut self, state: State, base: &Value, int: &Int) -> Flow<Outs> {
        let iter = match base {
            Value::Items(iter) => Some((**iter).clone()),
            Value::Bytes(text) => self.bytes_of_text(text),
            _ => None,
        };
        let Some(iter) = iter else { return Ok(self.no_view(state, &[])?.unwrap_or_default()) };
        match int {
            Int::Known(n) if (0..=128).contains(n) => {
                let mut outs = Vec::new();
                for (state, left) in self.skip_items(state, iter, *n)? {
                    let Some(iter) = left else {
                        outs.push(state.with(Value::none()));
                        continue;
                    };
                    for (state, item, _) in self.take_one(state, iter)? {
                        outs.push(state.with(Value::Opt(item.map(Rc::new))));
                    }
                }
                self.bounded(outs)
            }
            Int::At(at) => {
                let matches = match &iter {
                    Iter::Chars(view) => *view == at.base && at.unit == Unit::Chars,
                    Iter::Bytes { rest, .. } => *rest == at.base && at.unit == Unit::Bytes,
                    _ => false,
                };
                if !matches {
                    return Ok(self.no_view(state, &[])?.unwrap_or_default());
                }
                if at.beyond > 0 {
                    return one(state, Value::none());
                }
                let At { rest, pending, .. } = **at;
                let iter = match at.unit {
                    Unit::Chars => Iter::Chars(rest),
                    Unit::Bytes => Iter::Bytes { rest, pending, backwards: false },
                };
                let mut outs = Vec::new();
                for (state, item, _) in self.take_one(state, iter)? {
                    outs.push(state.with(Value::Opt(item.map(Rc::new))));
                }
                self.bounded(outs)
            }
            // So many before the end.
            Int::Of(number) => {
                let place = self.as_place(number);
                let view = match &iter {
                    Iter::Chars(view) => Some((*view, Unit::Chars)),
                    Iter::Bytes { rest, .. } => Some((*rest, Unit::Bytes)),
                    _ => None,
                };
                if let (Some((base, unit, place, more)), Some((view, own))) = (place, view)
                    && base == view
                    && unit == own
                {
                    if place == END && (-64..0).contains(&more) {
                        let Some(backwards) = self.backwards(&iter) else {
                            return Ok(self.no_view(state, &[])?.unwrap_or_default());
                        };
                        let mut outs = Vec::new();
                        for (state, left) in self.skip_items(state, backwards, -more - 1)? {
                            let Some(iter) = left else {
                                outs.push(state.with(Value::none()));
                                continue;
                            };
                            for (state, item, _) in self.take_one(state, iter)? {
                                outs.push(state.with(Value::Opt(item.map(Rc::new))));
                            }
                        }
                        return self.bounded(outs);
                    }
                    if unit == Unit::Bytes
                        && let Some(place) = self.shifted(place, more)?
                    {
                        let rest = self.views.cut(view, place, END);
                        let iter = Iter::Bytes { rest, pending: 0, backwards: false };
                        let mut outs = Vec::new();
                        let having = self.views.having(&mut self.pool, place)?;
                        let (state, within) = self.divide(state, view, having)?;
                        if let Some(state) = within {
                            for mut out in self.get_within(state, view, Some(int), None)? {
                                // A byte of what begins within a character.
                                if out.exit != Exit::Value(Value::none()) {
                                    let note = self.lost_note(INSIDE);
                                    out = doubted(out.state, note);
                                }
                                outs.push(out);
                            }
                        }
                        let Some(state) = state else { return self.bounded(outs) };
                        for (state, item, _) in self.take_one(state, iter)? {
                            outs.push(state.with(Value::Opt(item.map(Rc::new))));
                        }
                        return self.bounded(outs);
                    }
                }
                Ok(self.no_view(state, &[])?.unwrap_or_default())
            }
            _ => Ok(self.no_view(state, &[])?.unwrap_or_default()),
        }
    }
}

/// Something that is there or not.
fn doubted(mut state: State, note: u32) -> Out {
    super::interp::doubt(&mut state, note);
    state.with(Value::Unknown(note))
}

/// The end of a range that is a constant.
fn known(value: &Option<Value>, otherwise: i128) -> Option<i128> {
    match value {
        None => Some(otherwise),
        Some(Value::Int(Int::Known(n))) => Some(*n),
        Some(_) => None,
    }
}
