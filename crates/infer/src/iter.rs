//! Iterators: what comes next.
//!
//! An iterator over a text is a view of what is left of it, so taking an item divides the path by
//! whether there is one, and gives views: the item, and what is left then. Adaptors are made of
//! the iterators that they adapt.

use std::rc::Rc;

use super::interp::{Interp, NOWHERE};
use super::pool::{ALL, Lang, NON_EMPTY};
use super::state::State;
use super::stop::Flow;
use super::value::{
    At, Byte, Carried, Int, Iter, Number, Part, Pieces, Range, Source, Style, Target, Text, Unit,
    Value,
};
use super::view::{AFTER_ONE, END, Needle, Op, START, View, Which};

/// What comes next of an iterator.
#[derive(Clone, Debug)]
pub(super) enum Next {
    Item(Value, Iter),
    /// Nothing that counts; go on.
    Skip(Iter),
    End(Iter),
}

pub(super) type Nexts = Vec<(State, Next)>;

/// What divides characters by how long they are in UTF-8.
const WIDTHS: [&[(u32, u32)]; 4] =
    [&[(0, 0x7F)], &[(0x80, 0x7FF)], &[(0x800, 0xFFFF)], &[(0x1_0000, 0x10_FFFF)]];

impl Interp<'_> {
    /// The paths on which a view is in a language and on which it is not.
    pub(super) fn divide(
        &mut self,
        state: State,
        view: View,
        lang: Lang,
    ) -> Flow<(Option<State>, Option<State>)> {
        let bool = self.text_in(&Text::view(view), lang)?;
        self.branch(state, &bool.map_or(Value::Gone, Value::Bool))
    }

    /// What comes next.
    pub(super) fn next(&mut self, state: State, iter: &Iter) -> Flow<Nexts> {
        self.spend(1)?;
        match iter {
            Iter::Empty => Ok(vec![(state, Next::End(Iter::Empty))]),
            Iter::Chars(rest) => {
                let (some, none) = self.divide(state, *rest, NON_EMPTY)?;
                let item = Value::Char(Text::view(self.views.cut(*rest, START, AFTER_ONE)));
                let after = Iter::Chars(self.views.cut(*rest, AFTER_ONE, END));
                Ok(both(some, Next::Item(item, after), none, Next::End(iter.clone())))
            }
            Iter::Indices(at) => {
                let (some, none) = self.divide(state, at.rest, NON_EMPTY)?;
                let mut nexts = Vec::new();
                if let Some(state) = some {
                    let c = Value::Char(Text::view(self.views.cut(at.rest, START, AFTER_ONE)));
                    let item = Value::tuple(vec![Value::Int(Int::At(Rc::new(at.clone()))), c]);
                    let mut after = at.clone();
                    after.rest = self.views.cut(at.rest, AFTER_ONE, END);
                    // How many bytes the character has is not followed, only that it has some.
                    after.count = match after.count {
                        Int::Known(n) => Int::AtLeast(n + 1, NOWHERE),
                        other => other,
                    };
                    nexts.push((state, Next::Item(item, Iter::Indices(after))));
                }
                nexts.extend(none.map(|state| (state, Next::End(iter.clone()))));
                Ok(nexts)
            }
            Iter::Bytes { rest, pending, backwards } => {
                self.next_byte(state, *rest, *pending, *backwards)
            }
            Iter::Pieces(pieces) => self.next_piece(state, pieces),
            Iter::Values(values) => Ok(vec![(
                state,
                match values.split_first() {
                    Some((first, rest)) => {
                        Next::Item(first.clone(), Iter::Values(Rc::new(rest.to_vec())))
                    }
                    None => Next::End(Iter::Empty),
                },
            )]),
            Iter::Numbers(from, to) => self.next_number(state, from, to.as_ref()),
            Iter::Places(at) => {
                let (some, none) = match at.pending {
                    0 => self.divide(state, at.rest, NON_EMPTY)?,
                    // Bytes of the last character are left.
                    _ => (Some(state), None),
                };
                let mut nexts = Vec::new();
                if let Some(state) = some {
                    let item = Value::Int(Int::At(Rc::new(at.clone())));
                    for (state, at) in self.advance(state, at, 1)? {
                        nexts.push((state, Next::Item(item.clone(), Iter::Places(at))));
                    }
                }
                nexts.extend(none.map(|state| (state, Next::End(iter.clone()))));
                Ok(nexts)
            }
            Iter::Bag(items, seen) => {
                let note =
                    self.lost_note("the order of a list that grows in a loop is not followed");
                let mut nexts = Vec::new();
                for (i, item) in items.iter().enumerate().take(32) {
                    let mut state = state.clone();
                    super::interp::doubt(&mut state, note);
                    let rest = Iter::Bag(Rc::clone(items), seen | 1 << i);
                    nexts.push((state, Next::Item(item.clone(), rest)));
                }
                if seen.count_ones() as usize >= items.len() {
                    let mut state = state;
                    super::interp::doubt(&mut state, note);
                    nexts.push((state, Next::End(Iter::Empty)));
                }
                Ok(nexts)
            }
            Iter::By(target) => self.next_by(state, target),
            Iter::Before(first, inner) => match first {
                Some(value) => Ok(vec![(state, Next::Item((**value).clone(), (**inner).clone()))]),
                None => Ok(vec![(state, Next::End((**inner).clone()))]),
            },
            Iter::Windows(inner, size, slide) => self.next_window(state, inner, *size, *slide),
            Iter::Chain(a, b) => {
                let mut nexts = Vec::new();
                for (state, next) in self.next(state, a)? {
                    match next {
                        Next::Item(value, a) => {
                            let iter = Iter::Chain(Rc::new(a), Rc::clone(b));
                            nexts.push((state, Next::Item(value, iter)));
                        }
                        Next::Skip(a) => {
                            nexts.push((state, Next::Skip(Iter::Chain(Rc::new(a), Rc::clone(b)))));
                        }
                        Next::End(_) => nexts.extend(self.next(state, b)?),
                    }
                }
                Ok(nexts)
            }
            Iter::Zip(a, b) => {
                let mut nexts = Vec::new();
                for (state, next) in self.next(state, a)? {
                    match next {
                        Next::Item(first, a) => {
                            for (state, next) in self.next(state, b)? {
                                let next = match next {
                                    Next::Item(second, b) => Next::Item(
                                        Value::tuple(vec![first.clone(), second]),
                                        Iter::Zip(Rc::new(a.clone()), Rc::new(b)),
                                    ),
                                    Next::Skip(b) => Next::Skip(Iter::Zip(
                                        Rc::new(Iter::Before(
                                            Some(Rc::new(first.clone())),
                                            Rc::new(a.clone()),
                                        )),
                                        Rc::new(b),
                                    )),
                                    Next::End(b) => {
                                        Next::End(Iter::Zip(Rc::new(a.clone()), Rc::new(b)))
                                    }
                                };
                                nexts.push((state, next));
                            }
                        }
                        Next::Skip(a) => {
                            nexts.push((state, Next::Skip(Iter::Zip(Rc::new(a), Rc::clone(b)))));
                        }
                        Next::End(a) if a.may_go_on() => {
                            nexts.push((state, Next::End(Iter::Zip(Rc::new(a), Rc::clone(b)))));
                        }
                        Next::End(_) => nexts.push((state, Next::End(Iter::Empty))),
                    }
                }
                Ok(nexts)
            }
            Iter::Take(_, Int::Known(..=0)) => Ok(vec![(state, Next::End(iter.clone()))]),
            // How many are taken is not followed: here may be the end, or not.
            Iter::Take(inner, count @ (Int::Of(_) | Int::At(_) | Int::AtLeast(..))) => {
                let note = self.lost_note("how many items are taken is not followed");
                let mut state = state;
                super::interp::doubt(&mut state, note);
                let mut nexts = vec![(state.clone(), Next::End(Iter::Empty))];
                for (state, next) in self.next(state, inner)? {
                    let again = |inner| Iter::Take(Rc::new(inner), count.clone());
                    nexts.push(match next {
                        Next::Item(value, inner) => (state, Next::Item(value, again(inner))),
                        Next::Skip(inner) => (state, Next::Skip(again(inner))),
                        Next::End(inner) => (state, Next::End(again(inner))),
                    });
                }
                Ok(nexts)
            }
            Iter::Enumerate(inner, _)
            | Iter::Map(inner, _)
            | Iter::Filter(inner, _)
            | Iter::FilterMap(inner, _)
            | Iter::TakeWhile(inner, _)
            | Iter::SkipWhile(inner, _)
            | Iter::MapWhile(inner, _)
            | Iter::Inspect(inner, _)
            | Iter::Take(inner, _)
            | Iter::Skip(inner, _)
            | Iter::StepBy(inner, ..) => {
                let mut nexts = Vec::new();
                for (state, next) in self.next(state, inner)? {
                    match next {
                        Next::Item(value, inner) => {
                            nexts.extend(self.adapt(state, iter, value, Rc::new(inner))?);
                        }
                        Next::Skip(inner) => {
                            nexts.push((state, Next::Skip(iter.with_inner(Rc::new(inner)))));
                        }
                        Next::End(inner) => {
                            nexts.push((state, Next::End(iter.with_inner(Rc::new(inner)))));
                        }
                    }
                }
                Ok(nexts)
            }
        }
    }

    /// What an adaptor makes of an item.
    fn adapt(&mut self, state: State, iter: &Iter, value: Value, inner: Rc<Iter>) -> Flow<Nexts> {
        let again = iter.with_inner(Rc::clone(&inner));
        match iter {
            Iter::Enumerate(_, index) => {
                let next = self.add(index, 1);
                let item = Value::tuple(vec![Value::Int(index.clone()), value]);
                Ok(vec![(state, Next::Item(item, Iter::Enumerate(inner, next)))])
            }
            Iter::Map(_, f) => {
                let outs = self.apply(state, f, vec![value])?;
                Ok(values_of(outs).map(|(s, v)| (s, Next::Item(v, again.clone()))).collect())
            }
            Iter::Inspect(_, f) => {
                let outs = self.apply(state, f, vec![value.clone()])?;
                let nexts = values_of(outs).map(|(state, _)| state);
                Ok(nexts.map(|s| (s, Next::Item(value.clone(), again.clone()))).collect())
            }
            Iter::Filter(_, f) | Iter::TakeWhile(_, f) | Iter::SkipWhile(_, f) => {
                let mut nexts = Vec::new();
                for (state, holds) in values_of(self.apply(state, f, vec![value.clone()])?) {
                    let (yes, no) = self.branch(state, &holds)?;
                    let item = |iter: Iter| Next::Item(value.clone(), iter);
                    let (hit, miss) = match iter {
                        Iter::Filter(..) => (item(again.clone()), Next::Skip(again.clone())),
                        Iter::TakeWhile(..) => (item(again.clone()), Next::End(Iter::Empty)),
                        _ => (Next::Skip(again.clone()), item((*inner).clone())),
                    };
                    nexts.extend(both(yes, hit, no, miss));
                }
                Ok(nexts)
            }
            Iter::FilterMap(_, f) | Iter::MapWhile(_, f) => {
                let mut nexts = Vec::new();
                // What ends by what is made of an item goes on if it is asked again.
                let ends = matches!(iter, Iter::MapWhile(..));
                for (state, made) in values_of(self.apply(state, f, vec![value])?) {
                    let made = self.deref(&state, made);
                    let none = || match ends {
                        true => Next::End(again.clone()),
                        false => Next::Skip(again.clone()),
                    };
                    match made {
                        Value::Opt(Some(value)) | Value::Res(Ok(value)) => {
                            nexts.push((state, Next::Item((*value).clone(), again.clone())));
                        }
                        Value::Opt(None) | Value::Res(Err(_)) => nexts.push((state, none())),
                        made => {
                            let note = match made {
                                Value::Unknown(note) => note,
                                _ => self.lost_note("what is made of an item is not followed"),
                            };
                            let mut state = state;
                            super::interp::doubt(&mut state, note);
                            nexts.push((state.clone(), none()));
                            nexts.push((state, Next::Item(Value::Unknown(note), again.clone())));
                        }
                    }
                }
                Ok(nexts)
            }
            Iter::Take(_, left) => {
                let left = self.add(left, -1);
                Ok(vec![(state, Next::Item(value, Iter::Take(inner, left)))])
            }
            Iter::Skip(_, Int::Known(left)) if *left > 0 => {
                let iter = if *left == 1 {
                    (*inner).clone()
                } else {
                    Iter::Skip(inner, Int::Known(left - 1))
                };
                Ok(vec![(state, Next::Skip(iter))])
            }
            Iter::StepBy(_, by, first) => {
                if *first {
                    let rest = Iter::Skip(inner, Int::Known(by - 1));
                    let rest = Iter::StepBy(Rc::new(rest), *by, true);
                    return Ok(vec![(state, Next::Item(value, rest))]);
                }
                Ok(vec![(state, Next::Item(value, again))])
            }
            Iter::Skip(_, Int::Known(_)) => Ok(vec![(state, Next::Item(value, (*inner).clone()))]),
            _ => Ok(vec![(state, Next::Item(value, again))]),
        }
    }

    fn next_byte(&mut self, state: State, rest: View, pending: u8, backwards: bool) -> Flow<Nexts> {
        let with = |rest: View, pending: u8| Iter::Bytes { rest, pending, backwards };
        if pending > 0 {
            let byte = if backwards { Byte::High } else { Byte::Inner };
            return Ok(vec![(state, Next::Item(Value::Byte(byte), with(rest, pending - 1)))]);
        }
        let first = Text::view(self.views.cut(rest, START, AFTER_ONE));
        let after = self.views.cut(rest, AFTER_ONE, END);
        let mut nexts = Vec::new();
        for (state, width) in self.widths(state, rest)? {
            let next = match width {
                0 => Next::End(with(rest, 0)),
                1 => Next::Item(Value::Byte(Byte::Ascii(first.clone())), with(after, 0)),
                _ if backwards => Next::Item(Value::Byte(Byte::High), with(after, width - 1)),
                _ => Next::Item(Value::Byte(Byte::Lead(first.clone())), with(after, width - 1)),
            };
            nexts.push((state, next));
        }
        Ok(nexts)
    }

    /// The paths by how many bytes the first character has, 0 where there is none.
    fn widths(&mut self, state: State, rest: View) -> Flow<Vec<(State, u8)>> {
        let mut ways = Vec::new();
        let mut left = Some(state);
        for (i, ranges) in WIDTHS.iter().enumerate() {
            let Some(state) = left else { break };
            let chars = self.pool.set(ranges)?;
            let lang = self.pool.concat(chars, ALL)?;
            let (yes, no) = self.divide(state, rest, lang)?;
            ways.extend(yes.map(|state| (state, i as u8 + 1)));
            left = no;
        }
        ways.extend(left.map(|state| (state, 0)));
        Ok(ways)
    }

    /// An index that is moved on.
    pub(super) fn advance(&mut self, state: State, at: &At, by: i128) -> Flow<Vec<(State, At)>> {
        let mut ways = vec![(state, at.clone())];
        for _ in 0..by.clamp(0, 64) {
            let mut next = Vec::new();
            for (state, mut at) in ways {
                at.count = self.add(&at.count, 1);
                if at.beyond > 0 {
                    at.beyond += 1;
                    next.push((state, at));
                    continue;
                }
                if at.pending > 0 {
                    at.pending -= 1;
                    next.push((state, at));
                    continue;
                }
                let after = self.views.cut(at.rest, AFTER_ONE, END);
                let widths = match at.unit {
                    Unit::Bytes => self.widths(state, at.rest)?,
                    Unit::Chars => {
                        let (some, none) = self.divide(state, at.rest, NON_EMPTY)?;
                        some.map(|s| (s, 1)).into_iter().chain(none.map(|s| (s, 0))).collect()
                    }
                };
                for (state, width) in widths {
                    let mut at = at.clone();
                    if width == 0 {
                        at.beyond = 1;
                    } else {
                        at.rest = after;
                        at.pending = width - 1;
                    }
                    next.push((state, at));
                }
            }
            ways = next;
        }
        Ok(ways)
    }

    fn next_number(&mut self, state: State, from: &Int, to: Option<&Int>) -> Flow<Nexts> {
        let next = Iter::Numbers(self.add(from, 1), to.cloned());
        let item = Next::Item(Value::Int(from.clone()), next);
        let Some(to) = to else { return Ok(vec![(state, item)]) };
        let less = self.compare(from, super::numbers::Compare::Less, to)?;
        let less = match less {
            Some(bool) => Value::Bool(bool),
            None => self.lost("a range of numbers is not followed"),
        };
        let (some, none) = self.branch(state, &less)?;
        let end = Next::End(Iter::Numbers(from.clone(), Some(to.clone())));
        Ok(both(some, item, none, end))
    }

    fn next_by(&mut self, state: State, target: &Rc<Target>) -> Flow<Nexts> {
        let by = Iter::By(Rc::clone(target));
        let Some(Value::Iter(iter)) = self.read(&state, target) else {
            let note = self.lost_note("an iterator behind a reference is not followed");
            let mut state = state;
            super::interp::doubt(&mut state, note);
            let item = Next::Item(Value::Unknown(note), by.clone());
            return Ok(vec![(state.clone(), Next::End(by)), (state, item)]);
        };
        let mut nexts = self.next(state, &iter)?;
        for (state, next) in &mut nexts {
            let (Next::Item(_, after) | Next::Skip(after) | Next::End(after)) = next;
            let after = std::mem::replace(after, by.clone());
            self.write(state, target, Value::iter(after));
        }
        Ok(nexts)
    }

    fn next_window(
        &mut self,
        state: State,
        inner: &Rc<Iter>,
        size: usize,
        slide: bool,
    ) -> Flow<Nexts> {
        let mut skipped = Vec::new();
        let mut ways = vec![(state, Vec::new(), (**inner).clone(), (**inner).clone(), false)];
        for i in 0..size {
            let mut next = Vec::new();
            for (state, values, iter, second, done) in ways {
                if done {
                    next.push((state, values, iter, second, done));
                    continue;
                }
                for (state, step) in self.next(state, &iter)? {
                    let mut values: Vec<Value> = values.clone();
                    match step {
                        Next::Item(value, iter) => {
                            values.push(value);
                            let second = if i == 0 { iter.clone() } else { second.clone() };
                            next.push((state, values, iter, second, false));
                        }
                        // What was taken is put back, to go on from there.
                        Next::Skip(iter) => {
                            let again = values.into_iter().rev().fold(iter, |iter, value| {
                                Iter::Before(Some(Rc::new(value)), Rc::new(iter))
                            });
                            let again = Iter::Windows(Rc::new(again), size, slide);
                            skipped.push((state, Next::Skip(again)));
                        }
                        Next::End(iter) => {
                            next.push((state, values, iter, second.clone(), true));
                        }
                    }
                }
            }
            ways = next;
        }
        let mut nexts = skipped;
        for (state, values, iter, second, _) in ways {
            if values.is_empty() || slide && values.len() < size {
                nexts.push((state, Next::End(Iter::Empty)));
                continue;
            }
            let rest = Rc::new(if slide { second } else { iter });
            let item = Value::List(Rc::new(values));
            nexts.push((state, Next::Item(item, Iter::Windows(rest, size, slide))));
        }
        Ok(nexts)
    }

    fn next_piece(&mut self, state: State, pieces: &Pieces) -> Flow<Nexts> {
        if pieces.done {
            return Ok(vec![(state, Next::End(Iter::Pieces(pieces.clone())))]);
        }
        let rest = pieces.rest;
        let mut done = pieces.clone();
        done.done = true;
        let end = Next::End(Iter::Pieces(done.clone()));
        let last = |interp: &mut Self| {
            let piece = interp.piece(pieces, rest);
            Next::Item(piece, Iter::Pieces(done.clone()))
        };
        if pieces.style == Style::NonEmpty {
            return self.next_word(state, pieces);
        }
        match pieces.limit {
            Some(0) => return Ok(vec![(state, end)]),
            Some(1) => {
                let item = last(self);
                return Ok(vec![(state, item)]);
            }
            _ => {}
        }
        let needle = match (&pieces.needle, pieces.backwards) {
            (Needle::Text(text), true) => {
                Needle::Text(text.chars().rev().collect::<String>().into())
            }
            (needle, _) => needle.clone(),
        };
        let found = needle.contained(&mut self.pool)?;
        let (before, after) = self.views.find(&mut self.pool, &needle, Which::First)?;
        let (some, none) = self.divide(state, rest, found)?;
        let mut nexts = Vec::new();
        if let Some(state) = some {
            let mut next = pieces.clone();
            next.rest = self.views.cut(rest, after, END);
            next.limit = pieces.limit.map(|limit| limit - 1);
            let piece = match pieces.style {
                Style::Inclusive => self.views.cut(rest, START, after),
                Style::Matches => {
                    let behind = self.views.cut(rest, before, END);
                    let lang = needle.lang(&mut self.pool)?;
                    let to = self.views.behind_prefix(&mut self.pool, lang)?;
                    self.views.cut(behind, START, to)
                }
                _ => self.views.cut(rest, START, before),
            };
            let piece = self.piece(pieces, piece);
            for (state, piece) in self.line(state, pieces, piece)? {
                nexts.push((state, Next::Item(piece, Iter::Pieces(next.clone()))));
            }
        }
        if let Some(state) = none {
            match pieces.style {
                Style::Matches => nexts.push((state, end)),
                Style::Terminated | Style::Inclusive | Style::Lines => {
                    let (some, none) = self.divide(state, rest, NON_EMPTY)?;
                    let item = last(self);
                    nexts.extend(both(some, item, none, end));
                }
                _ => {
                    let item = last(self);
                    nexts.push((state, item));
                }
            }
        }
        Ok(nexts)
    }

    /// A piece the right way round.
    fn piece(&mut self, pieces: &Pieces, piece: View) -> Value {
        let piece = if pieces.backwards { self.views.make(piece, Op::Reverse) } else { piece };
        Value::Str(Text::view(piece))
    }

    /// A line without the carriage return at its end.
    fn line(&mut self, state: State, pieces: &Pieces, piece: Value) -> Flow<Vec<(State, Value)>> {
        let Value::Str(text) = &piece else { return Ok(vec![(state, piece)]) };
        let (Style::Lines, Some(view)) = (pieces.style, text.as_view()) else {
            return Ok(vec![(state, piece)]);
        };
        let returns = self.pool.literal("\r")?;
        let ending = self.pool.concat(ALL, returns)?;
        let (yes, no) = self.divide(state, view, ending)?;
        let to = self.views.before_suffix(&mut self.pool, returns)?;
        let shorter = Value::Str(Text::view(self.views.cut(view, START, to)));
        let ways = yes.map(|state| (state, shorter)).into_iter();
        Ok(ways.chain(no.map(|state| (state, piece))).collect())
    }

    fn next_word(&mut self, state: State, pieces: &Pieces) -> Flow<Nexts> {
        let set = pieces.needle.lang(&mut self.pool)?;
        let from = self.views.behind_all(&mut self.pool, set)?;
        let rest = self.views.cut(pieces.rest, from, END);
        let (some, none) = self.divide(state, rest, NON_EMPTY)?;
        let mut done = pieces.clone();
        (done.rest, done.done) = (rest, true);
        let mut nexts = Vec::new();
        if let Some(state) = some {
            let others = self.pool.minus(super::pool::ANY_CHAR, set)?;
            let to = self.views.behind_all(&mut self.pool, others)?;
            let item = self.views.cut(rest, START, to);
            let item = self.piece(pieces, item);
            let mut next = pieces.clone();
            next.rest = self.views.cut(rest, to, END);
            nexts.push((state, Next::Item(item, Iter::Pieces(next))));
        }
        nexts.extend(none.map(|state| (state, Next::End(Iter::Pieces(done)))));
        Ok(nexts)
    }
}

fn both(yes: Option<State>, hit: Next, no: Option<State>, miss: Next) -> Nexts {
    let hit = yes.map(|state| (state, hit));
    hit.into_iter().chain(no.map(|state| (state, miss))).collect()
}

/// The ends that are values.
pub(super) fn values_of(outs: super::state::Outs) -> impl Iterator<Item = (State, Value)> {
    outs.into_iter().filter_map(|out| match out.exit {
        super::state::Exit::Value(value) => Some((out.state, value)),
        _ => None,
    })
}

/// The whole of a view as an index.
pub(super) fn at_start(base: View, unit: Unit) -> At {
    At { base, unit, rest: base, pending: 0, beyond: 0, count: Int::Known(0) }
}

impl Iter {
    /// The same adaptor of another iterator.
    pub(super) fn with_inner(&self, inner: Rc<Self>) -> Self {
        match self {
            Self::Enumerate(_, n) => Self::Enumerate(inner, n.clone()),
            Self::Map(_, f) => Self::Map(inner, f.clone()),
            Self::Filter(_, f) => Self::Filter(inner, f.clone()),
            Self::FilterMap(_, f) => Self::FilterMap(inner, f.clone()),
            Self::TakeWhile(_, f) => Self::TakeWhile(inner, f.clone()),
            Self::SkipWhile(_, f) => Self::SkipWhile(inner, f.clone()),
            Self::MapWhile(_, f) => Self::MapWhile(inner, f.clone()),
            Self::Inspect(_, f) => Self::Inspect(inner, f.clone()),
            Self::Take(_, n) => Self::Take(inner, n.clone()),
            Self::Skip(_, n) => Self::Skip(inner, n.clone()),
            Self::StepBy(_, n, first) => Self::StepBy(inner, *n, *first),
            Self::Windows(_, n, slide) => Self::Windows(inner, *n, *slide),
            Self::Before(first, _) => Self::Before(first.clone(), inner),
            other => other.clone(),
        }
    }

    /// Whether there may be items behind its end.
    pub(super) fn may_go_on(&self) -> bool {
        match self {
            Self::MapWhile(..) | Self::Before(None, _) => true,
            Self::Zip(a, b) => a.may_go_on() || b.may_go_on(),
            Self::Chain(_, b) => b.may_go_on(),
            other => other.inner().is_some_and(|inner| inner.may_go_on()),
        }
    }

    /// The iterator that this one adapts.
    pub(super) fn inner(&self) -> Option<&Rc<Self>> {
        match self {
            Self::Enumerate(inner, _)
            | Self::Map(inner, _)
            | Self::Filter(inner, _)
            | Self::FilterMap(inner, _)
            | Self::TakeWhile(inner, _)
            | Self::SkipWhile(inner, _)
            | Self::MapWhile(inner, _)
            | Self::Inspect(inner, _)
            | Self::Take(inner, _)
            | Self::Skip(inner, _)
            | Self::StepBy(inner, ..)
            | Self::Windows(inner, ..)
            | Self::Before(_, inner) => Some(inner),
            _ => None,
        }
    }

    /// Whether there are more values and iterators in it than so many, of which they are taken off.
    pub(super) fn outweighs(&self, room: &mut usize) -> bool {
        let Some(left) = room.checked_sub(1) else { return true };
        *room = left;
        match self {
            Self::Values(values) | Self::Bag(values, _) => {
                values.iter().any(|value| value.outweighs(room))
            }
            Self::Chain(a, b) | Self::Zip(a, b) => a.outweighs(room) || b.outweighs(room),
            Self::Before(Some(value), rest) => value.outweighs(room) || rest.outweighs(room),
            _ => self.inner().is_some_and(|inner| inner.outweighs(room)),
        }
    }

    /// Calls a function on the values in an iterator.
    pub(super) fn visit(&self, f: &mut dyn FnMut(&Value)) {
        match self {
            Self::Values(values) | Self::Bag(values, _) => values.iter().for_each(&mut *f),
            Self::Map(_, value)
            | Self::Filter(_, value)
            | Self::FilterMap(_, value)
            | Self::TakeWhile(_, value)
            | Self::SkipWhile(_, value)
            | Self::MapWhile(_, value)
            | Self::Inspect(_, value) => f(value),
            Self::By(target) => f(&Value::Ref(Rc::clone(target))),
            Self::Chain(a, b) | Self::Zip(a, b) => {
                a.visit(f);
                b.visit(f);
            }
            Self::Before(Some(value), _) => f(value),
            _ => {}
        }
        if let Some(inner) = self.inner() {
            inner.visit(f);
        }
    }
}

/// Replaces the views in a value, those that an index counts from included.
pub(super) fn map_views(value: &Value, f: &mut dyn FnMut(View) -> View) -> Value {
    let list = |values: &Rc<Vec<Value>>, f: &mut dyn FnMut(View) -> View| {
        Rc::new(values.iter().map(|value| map_views(value, f)).collect::<Vec<_>>())
    };
    match value {
        Value::Char(text) => Value::Char(map_text(text, f)),
        Value::Str(text) => Value::Str(map_text(text, f)),
        Value::Bytes(text) => Value::Bytes(map_text(text, f)),
        Value::Byte(Byte::Ascii(text)) => Value::Byte(Byte::Ascii(map_text(text, f))),
        Value::Byte(Byte::Lead(text)) => Value::Byte(Byte::Lead(map_text(text, f))),
        Value::Int(int) => Value::Int(map_int(int, f)),
        Value::Opt(Some(inner)) => Value::some(map_views(inner, f)),
        Value::Res(Ok(inner)) => Value::ok(map_views(inner, f)),
        Value::Res(Err(inner)) => Value::err(map_views(inner, f)),
        Value::Tuple(values) => Value::Tuple(list(values, f)),
        Value::List(values) => Value::List(list(values, f)),
        Value::Struct(fields) => {
            let mut fields = (**fields).clone();
            for (_, value) in &mut fields.fields {
                *value = map_views(value, f);
            }
            Value::Struct(Rc::new(fields))
        }
        Value::Iter(iter) => Value::iter(map_iter(iter, f)),
        Value::Items(iter) => Value::Items(Rc::new(map_iter(iter, f))),
        Value::Range(range) => {
            let mut end = |end: &Option<Value>| end.as_ref().map(|value| map_views(value, f));
            let (from, to) = (end(&range.from), end(&range.to));
            Value::Range(Rc::new(Range { from, to, inclusive: range.inclusive }))
        }
        other => other.clone(),
    }
}

fn map_text(text: &Text, f: &mut dyn FnMut(View) -> View) -> Text {
    let part = |part: &Part| match part {
        Part::View(view) => Part::View(f(*view)),
        Part::Literal(text) => Part::Literal(Rc::clone(text)),
        Part::Carried(Carried { key, states }) => {
            Part::Carried(Carried { key: *key, states: Rc::clone(states) })
        }
    };
    Text(Rc::new(text.0.iter().map(part).collect()))
}

fn map_int(int: &Int, f: &mut dyn FnMut(View) -> View) -> Int {
    match int {
        Int::Of(number) => {
            let source = match &number.source {
                Source::Length(text, unit) => Source::Length(map_text(text, f), *unit),
                Source::Parsed(text, digits) => Source::Parsed(map_text(text, f), *digits),
                Source::Code(text) => Source::Code(map_text(text, f)),
                Source::Digit(text, radix) => Source::Digit(map_text(text, f), *radix),
            };
            Int::Of(Rc::new(Number { source, steps: number.steps.clone() }))
        }
        Int::At(at) => Int::At(Rc::new(map_at(at, f))),
        other => other.clone(),
    }
}

fn map_at(at: &At, f: &mut dyn FnMut(View) -> View) -> At {
    At { base: f(at.base), rest: f(at.rest), count: map_int(&at.count, f), ..at.clone() }
}

pub(super) fn map_iter(iter: &Iter, f: &mut dyn FnMut(View) -> View) -> Iter {
    let value = |value: &Value, f: &mut dyn FnMut(View) -> View| map_views(value, f);
    let inner = |iter: &Rc<Iter>, f: &mut dyn FnMut(View) -> View| Rc::new(map_iter(iter, f));
    match iter {
        Iter::Chars(view) => Iter::Chars(f(*view)),
        Iter::Indices(at) => Iter::Indices(map_at(at, f)),
        Iter::Places(at) => Iter::Places(map_at(at, f)),
        Iter::Bytes { rest, pending, backwards } => {
            Iter::Bytes { rest: f(*rest), pending: *pending, backwards: *backwards }
        }
        Iter::Pieces(pieces) => Iter::Pieces(Pieces { rest: f(pieces.rest), ..pieces.clone() }),
        Iter::Values(values) => {
            Iter::Values(Rc::new(values.iter().map(|v| value(v, f)).collect::<Vec<_>>()))
        }
        Iter::Bag(values, seen) => {
            Iter::Bag(Rc::new(values.iter().map(|v| value(v, f)).collect::<Vec<_>>()), *seen)
        }
        Iter::Numbers(from, to) => {
            Iter::Numbers(map_int(from, f), to.as_ref().map(|to| map_int(to, f)))
        }
        Iter::Enumerate(i, n) => Iter::Enumerate(inner(i, f), map_int(n, f)),
        Iter::Map(i, v) => Iter::Map(inner(i, f), value(v, f)),
        Iter::Filter(i, v) => Iter::Filter(inner(i, f), value(v, f)),
        Iter::FilterMap(i, v) => Iter::FilterMap(inner(i, f), value(v, f)),
        Iter::TakeWhile(i, v) => Iter::TakeWhile(inner(i, f), value(v, f)),
        Iter::SkipWhile(i, v) => Iter::SkipWhile(inner(i, f), value(v, f)),
        Iter::MapWhile(i, v) => Iter::MapWhile(inner(i, f), value(v, f)),
        Iter::Chain(a, b) => Iter::Chain(inner(a, f), inner(b, f)),
        Iter::Zip(a, b) => Iter::Zip(inner(a, f), inner(b, f)),
        Iter::Take(i, n) => Iter::Take(inner(i, f), map_int(n, f)),
        Iter::Skip(i, n) => Iter::Skip(inner(i, f), map_int(n, f)),
        Iter::Before(first, i) => {
            let first = first.as_ref().map(|v| Rc::new(value(v, f)));
            Iter::Before(first, inner(i, f))
        }
        Iter::By(_) | Iter::Empty => iter.clone(),
        Iter::Inspect(i, v) => Iter::Inspect(inner(i, f), value(v, f)),
        Iter::StepBy(i, ..) | Iter::Windows(i, ..) => iter.with_inner(inner(i, f)),
    }
}
