//! What iterators are collected into: texts, lists, and either of these where items may fail.

use std::rc::Rc;

use super::calls::Hint;
use super::interp::{Interp, doubt};
use super::pool::ANY_CHAR;
use super::state::{Exit, Out, Outs, State, one};
use super::stop::Flow;
use super::value::{Int, Iter, Pieces, Text, Value};
use super::view::Op;

impl<'a> Interp<'a> {
    /// `collect`, by the type that is wanted.
    pub(super) fn collect(&mut self, state: State, iter: Iter, hint: Option<&Hint>) -> Flow<Outs> {
        match Kind::of(hint) {
            Kind::Text => self.collect_text(state, iter),
            Kind::Fallible(option) => {
                let inner = hint.and_then(|hint| hint.inner.as_deref());
                self.collect_fallible(state, iter, option, inner)
            }
            Kind::List if few(&iter) => self.collect_few(state, iter),
            kind => {
                let mut outs = Vec::new();
                let steady = self.is_steady(&state, &iter);
                for state in self.run_through(state, &iter)? {
                    let value = self.kept(&iter, kind, steady);
                    outs.push(state.with(value));
                }
                self.bounded(outs)
            }
        }
    }

    /// The items of an iterator that was run through as a collection.
    fn kept(&mut self, iter: &Iter, kind: Kind, steady: bool) -> Value {
        match (kind, iter) {
            (Kind::List, Iter::Values(values)) => Value::List(Rc::clone(values)),
            (Kind::List, _) if steady => Value::Items(Rc::new(iter.clone())),
            (Kind::List, _) => self.lost("what is collected depends on what changes"),
            _ => self.lost("a collection of this kind is not followed"),
        }
    }

    fn collect_text(&mut self, state: State, iter: Iter) -> Flow<Outs> {
        let text = match &iter {
            Iter::Chars(rest) => Some(Text::view(*rest)),
            _ => self.collected_text(&state, &iter)?,
        };
        if let Some(text) = text {
            return one(state, Value::Str(text));
        }
        let ways = self.drain(
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
        let outs = ways.into_iter().map(|(s, v, _)| s.with(v)).collect();
        self.bounded(outs)
    }

    /// Characters that a predicate lets pass, as a text of their own.
    pub(super) fn collected_text(&mut self, state: &State, iter: &Iter) -> Flow<Option<Text>> {
        let Iter::Filter(inner, f) = iter else { return Ok(None) };
        let Iter::Chars(rest) = **inner else { return Ok(None) };
        let Some(kept) = self.predicate(state, f)? else { return Ok(None) };
        let dropped = self.pool.minus(ANY_CHAR, kept)?;
        let images = vec![(self.pool.ranges(dropped), String::new())];
        let mapping = self.views.mapping(&images);
        Ok(Some(Text::view(self.views.make(rest, Op::Map(mapping)))))
    }

    /// Items of which there can only be few, one by one.
    pub(super) fn collect_few(&mut self, state: State, iter: Iter) -> Flow<Outs> {
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
    pub(super) fn collect_fallible(
        &mut self,
        state: State,
        iter: Iter,
        option: bool,
        inner: Option<&Hint>,
    ) -> Flow<Outs> {
        let source = iter.clone();
        let steady = self.is_steady(&state, &iter);
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
                        let bad =
                            if option { Value::none() } else { Value::err(Value::Unknown(note)) };
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
            let wrap = if option { Value::some } else { Value::ok };
            let kind = Kind::of(inner);
            if steady && kind == Kind::Text {
                let texts = self.collect_text(state, items)?;
                outs.extend(self.then(texts, |_, state, text| one(state, wrap(text)))?);
            } else {
                let items = self.kept(&items, kind, steady);
                outs.push(state.with(wrap(items)));
            }
        }
        self.bounded(outs)
    }
}

/// What is collected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    /// All items, in order.
    List,
    /// What is good of items that may fail, as an `Option` or a `Result`.
    Fallible(bool),
    /// A set, a map, or something that is not known.
    Other,
}

impl Kind {
    fn of(hint: Option<&Hint>) -> Self {
        let Some(hint) = hint else { return Self::Other };
        let inner = hint.inner.as_ref().map_or("", |inner| inner.name.as_str());
        match (hint.name.as_str(), inner) {
            ("String", _) | ("Box" | "Rc" | "Arc" | "Cow", "str") => Self::Text,
            ("Vec" | "VecDeque" | "LinkedList", _) | ("Box" | "Rc" | "Arc", "[]") => Self::List,
            ("Option", _) => Self::Fallible(true),
            ("Result", _) => Self::Fallible(false),
            _ => Self::Other,
        }
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
