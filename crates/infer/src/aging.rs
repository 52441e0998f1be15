//! What values are in the next round of a loop.
//!
//! What was left of the text that the loop moves along is gone then. Of texts of earlier rounds is kept
//! in which states automata are that something asks about; counters are followed as far as something
//! compares them; conditions divide the path.

use std::rc::Rc;

use super::bags::{BAG, bag};
use super::interp::{Interp, NOWHERE, doubt};
use super::loops::LOWEST;
use super::numbers::LEAST;
use super::pool::{Lang, NONE};
use super::state::{State, map_inside};
use super::stop::Flow;
use super::value::{Bool, Byte, Carried, Int, Iter, LoopKey, Part, Source, Struct, Text, Value};

impl Interp<'_> {
    /// A counter that is compared with nothing is not followed.
    pub(super) fn counted(&self, int: &Int, key: (LoopKey, usize)) -> Int {
        let cap = self.registry.caps.get(&key).copied().unwrap_or(0);
        match int {
            Int::Known(n) if *n > cap => Int::AtLeast(cap + 1, key),
            // One that falls is not followed for ever.
            Int::AtLeast(least, _) if *least < LOWEST => Int::AtLeast(LEAST, NOWHERE),
            Int::AtLeast(least, other) if *least > cap || *other == NOWHERE => {
                Int::AtLeast((*least).min(cap + 1), key)
            }
            other => other.clone(),
        }
    }

    /// The counters in an iterator or index.
    pub(super) fn settle(&self, value: &Value, key: (LoopKey, usize)) -> Value {
        match value {
            Value::Iter(iter) => Value::iter(self.settle_iter(iter, key)),
            Value::Int(Int::At(at)) => {
                let mut at = (**at).clone();
                at.count = self.counted(&at.count, key);
                Value::Int(Int::At(Rc::new(at)))
            }
            other => other.clone(),
        }
    }

    fn settle_iter(&self, iter: &Iter, key: (LoopKey, usize)) -> Iter {
        let inner = (key.0, key.1 + 1);
        match iter {
            Iter::Enumerate(i, n) => {
                Iter::Enumerate(Rc::new(self.settle_iter(i, inner)), self.counted(n, key))
            }
            Iter::Indices(at) => {
                let mut at = at.clone();
                at.count = self.counted(&at.count, key);
                Iter::Indices(at)
            }
            Iter::Places(at) => {
                let mut at = at.clone();
                at.count = self.counted(&at.count, key);
                Iter::Places(at)
            }
            Iter::Numbers(from, to) => Iter::Numbers(self.counted(from, key), to.clone()),
            Iter::Zip(a, b) => Iter::Zip(
                Rc::new(self.settle_iter(a, inner)),
                Rc::new(self.settle_iter(b, (key.0, key.1 + 8))),
            ),
            Iter::Chain(a, b) => Iter::Chain(Rc::new(self.settle_iter(a, inner)), Rc::clone(b)),
            other => match other.inner() {
                Some(i) => other.with_inner(Rc::new(self.settle_iter(i, inner))),
                None => other.clone(),
            },
        }
    }

    /// What a value is in the next round, where what was left in this one is gone.
    pub(super) fn age(
        &mut self,
        state: State,
        value: &Value,
        key: LoopKey,
        at: &mut usize,
    ) -> Flow<Vec<(State, Value)>> {
        let own = (key, *at);
        match value {
            Value::Bool(Bool::When(cond)) if cond.level == self.level => {
                let (yes, no) = self.branch(state, value)?;
                let yes = yes.map(|state| (state, Value::known(true)));
                Ok(yes.into_iter().chain(no.map(|state| (state, Value::known(false)))).collect())
            }
            Value::Int(int) => {
                *at += 1;
                self.age_int(state, int, own)
            }
            Value::Char(text) => {
                *at += 1;
                Ok(self.age_text(state, text, own)?.map_values(Value::Char))
            }
            Value::Str(text) => {
                *at += 1;
                Ok(self.age_text(state, text, own)?.map_values(Value::Str))
            }
            Value::Bytes(text) => {
                *at += 1;
                Ok(self.age_text(state, text, own)?.map_values(Value::Bytes))
            }
            Value::Byte(Byte::Ascii(text)) => {
                *at += 1;
                Ok(self
                    .age_text(state, text, own)?
                    .map_values(|text| Value::Byte(Byte::Ascii(text))))
            }
            Value::Byte(Byte::Lead(text)) => {
                *at += 1;
                Ok(self
                    .age_text(state, text, own)?
                    .map_values(|text| Value::Byte(Byte::Lead(text))))
            }
            Value::Struct(of) if &*of.name == BAG => self.age_bag(state, of, key, at),
            Value::Opt(Some(_))
            | Value::Res(_)
            | Value::Tuple(_)
            | Value::List(_)
            | Value::Struct(_) => {
                // Part by part, each with the paths that the parts before it divided into.
                let mut parts = Vec::new();
                map_inside(value, &mut |part| {
                    parts.push(part.clone());
                    Ok(part.clone())
                })?;
                let mut ways = vec![(state, Vec::new())];
                for part in &parts {
                    let mut next = Vec::new();
                    let mut end = *at;
                    for (state, values) in ways {
                        let mut from = *at;
                        for (state, aged) in self.age(state, part, key, &mut from)? {
                            let mut values: Vec<Value> = values.clone();
                            values.push(aged);
                            next.push((state, values));
                        }
                        end = end.max(from);
                    }
                    *at = end;
                    ways = next;
                }
                let mut aged = Vec::new();
                for (state, values) in ways {
                    let mut values = values.into_iter();
                    let value = map_inside(value, &mut |part| {
                        Ok(values.next().unwrap_or_else(|| part.clone()))
                    })?;
                    aged.push((state, value));
                }
                Ok(aged)
            }
            Value::Iter(_) | Value::Items(_) | Value::Range(_) => {
                let value = self.settle(value, own);
                if self.is_rooted(&value, self.level) {
                    let message = "an iterator of an earlier round of a loop is not followed";
                    return Ok(vec![(state, self.lost(message))]);
                }
                Ok(vec![(state, value)])
            }
            other => Ok(vec![(state, other.clone())]),
        }
    }

    /// Items that an iterator took from its text and holds, aged.
    pub(super) fn age_held(
        &mut self,
        state: State,
        value: &Value,
        key: LoopKey,
        at: &mut usize,
    ) -> Flow<Vec<(State, Value)>> {
        let Value::Iter(iter) = value else { return Ok(vec![(state, value.clone())]) };
        let mut holds = false;
        iter.visit(&mut |value| holds |= self.is_rooted(value, self.level));
        if !holds {
            return Ok(vec![(state, value.clone())]);
        }
        let ways = self.age_items(state, iter, key, at)?;
        Ok(ways.into_iter().map(|(state, iter)| (state, Value::iter(iter))).collect())
    }

    fn age_items(
        &mut self,
        state: State,
        iter: &Iter,
        key: LoopKey,
        at: &mut usize,
    ) -> Flow<Vec<(State, Iter)>> {
        let (held, rest) = match iter {
            Iter::Before(Some(held), rest) => ((**held).clone(), Some(rest)),
            Iter::Values(values) => (Value::List(Rc::clone(values)), None),
            Iter::Chain(a, b) | Iter::Zip(a, b) => {
                let mut ways = Vec::new();
                for (state, a) in self.age_items(state, a, key, at)? {
                    for (state, b) in self.age_items(state, b, key, at)? {
                        let (a, b) = (Rc::new(a.clone()), Rc::new(b));
                        let both = match iter {
                            Iter::Chain(..) => Iter::Chain(a, b),
                            _ => Iter::Zip(a, b),
                        };
                        ways.push((state, both));
                    }
                }
                return Ok(ways);
            }
            other => {
                let Some(inner) = other.inner() else { return Ok(vec![(state, other.clone())]) };
                let ways = self.age_items(state, inner, key, at)?;
                return Ok(ways
                    .into_iter()
                    .map(|(state, inner)| (state, other.with_inner(Rc::new(inner))))
                    .collect());
            }
        };
        let mut ways = Vec::new();
        let from = *at;
        for (state, held) in self.age(state, &held, key, at)? {
            let Some(rest) = rest else {
                let Value::List(values) = held else {
                    unreachable!("a list ages part by part, and is one still")
                };
                ways.push((state, Iter::Values(values)));
                continue;
            };
            let mut next = from + 1;
            for (state, rest) in self.age_items(state, rest, key, &mut next)? {
                let before = Iter::Before(Some(Rc::new(held.clone())), Rc::new(rest));
                ways.push((state, before));
            }
        }
        Ok(ways)
    }

    /// As [`Interp::age`], with all items of a bag as one: they differ in what is known of them.
    fn age_bag(
        &mut self,
        state: State,
        of: &Struct,
        key: LoopKey,
        at: &mut usize,
    ) -> Flow<Vec<(State, Value)>> {
        let [(_, Value::Int(length)), (_, Value::List(items))] = &of.fields[..] else {
            return Ok(vec![(state, Value::Gone)]);
        };
        let length = self.counted(length, (key, *at));
        let first = *at + 1;
        let mut ways = vec![(state, Vec::new())];
        for item in items.iter() {
            let mut next = Vec::new();
            for (state, items) in ways {
                let mut from = first;
                for (state, item) in self.age(state, item, key, &mut from)? {
                    let mut items: Vec<Value> = items.clone();
                    items.push(item);
                    next.push((state, items));
                }
                *at = from.max(*at);
            }
            ways = next;
        }
        Ok(ways.into_iter().map(|(state, items)| (state, bag(length.clone(), items))).collect())
    }

    fn age_int(
        &mut self,
        state: State,
        int: &Int,
        key: (LoopKey, usize),
    ) -> Flow<Vec<(State, Value)>> {
        match int {
            Int::Known(n) if *n < LOWEST => {
                Ok(vec![(state, self.lost("a counter that falls below zero is not followed"))])
            }
            Int::Known(_) | Int::AtLeast(..) => {
                Ok(vec![(state, Value::Int(self.counted(int, key)))])
            }
            Int::Of(number) if self.is_rooted(&Value::Int(int.clone()), self.level) => {
                let cap = self.registry.caps.get(&key).copied().unwrap_or(0);
                let mut ways = Vec::new();
                let mut rest = Some(state);
                let digit = matches!(number.source, Source::Digit(..));
                let mut above = match number.is_signed() {
                    true => Int::AtLeast(LEAST, NOWHERE),
                    false => Int::AtLeast(cap + 1, key),
                };
                for n in 0..=if digit { cap.max(9) } else { cap } {
                    let Some(state) = rest.take() else { break };
                    let Some(same) = self.int_in(int, &[(n, n)])? else {
                        // It may be any of those that were not divided off.
                        above = Int::AtLeast(if number.is_signed() { LEAST } else { n }, NOWHERE);
                        rest = Some(state);
                        break;
                    };
                    let (yes, no) = self.branch(state, &Value::Bool(same))?;
                    ways.extend(yes.map(|s| (s, Value::Int(self.counted(&Int::Known(n), key)))));
                    rest = no;
                }
                ways.extend(rest.map(|s| (s, Value::Int(above))));
                Ok(ways)
            }
            Int::At(at) if self.views.level(at.rest) == self.level => {
                let lost = self.lost("an index of an earlier round of a loop is not followed");
                Ok(vec![(state, lost)])
            }
            other => Ok(vec![(state, Value::Int(other.clone()))]),
        }
    }

    fn age_text(
        &mut self,
        state: State,
        text: &Text,
        key: (LoopKey, usize),
    ) -> Flow<Vec<(State, Text)>> {
        let old = text.0.iter().any(|part| match part {
            Part::Carried(_) => true,
            Part::View(view) => self.views.level(*view) == self.level,
            Part::Literal(_) => false,
        });
        // A constant may grow by a constant each round.
        let grows = text.0.len() > 1 || text.constant().is_some_and(|text| text.len() > 64);
        if !old && !grows {
            return Ok(vec![(state, text.clone())]);
        }
        let asked = self.registry.asked.get(&key).cloned().unwrap_or_default();
        let mut ways = vec![(state, Vec::new())];
        for lang in asked {
            let mut next = Vec::new();
            for (state, known) in ways {
                let driven = self.drive(text, lang)?;
                let Some((level, driven)) = driven else {
                    let message = "a text that grows in a loop is not followed";
                    let lost = self.lost(message);
                    let mut state = state;
                    if let Value::Unknown(note) = lost {
                        doubt(&mut state, note);
                    }
                    next.push((state, known));
                    continue;
                };
                for (end, when) in driven {
                    let lang_there = if level == self.level {
                        self.pool.both(state.lang, when)?
                    } else {
                        state.lang
                    };
                    if lang_there == NONE {
                        continue;
                    }
                    let mut known: Vec<(Lang, usize)> = known.clone();
                    known.push((lang, end));
                    next.push((state.within(lang_there), known));
                }
            }
            ways = next;
        }
        let carried = |states: Vec<(Lang, usize)>| {
            let carried = Carried { key, states: Rc::new(states) };
            Text(Rc::new(vec![Part::Carried(carried)]))
        };
        Ok(ways.into_iter().map(|(state, known)| (state, carried(known))).collect())
    }
}

trait MapValues {
    fn map_values(self, f: impl Fn(Text) -> Value) -> Vec<(State, Value)>;
}

impl MapValues for Vec<(State, Text)> {
    fn map_values(self, f: impl Fn(Text) -> Value) -> Vec<(State, Value)> {
        self.into_iter().map(|(state, text)| (state, f(text))).collect()
    }
}
