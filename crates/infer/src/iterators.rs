//! Methods of iterators.
//!
//! Those that run over all items are loops, read as such.

use super::bodies::address;
use super::calls::Hint;
use super::interp::{Interp, doubt};
use super::iter::Next;
use super::loops::Loop;
use super::numbers::{Compare, length};
use super::state::{Exit, Out, Outs, State, one, unite};
use super::stop::{Flow, Stop};
use super::value::{Int, Iter, Target, Text, Unit, Value};
use std::rc::Rc;

/// What is done with an item, and at the end: the variables from a position on are its own.
type Each<'f, 'a> = &'f mut dyn FnMut(&mut Interp<'a>, State, Value, usize) -> Flow<Outs>;
type AtEnd<'f, 'a> = &'f mut dyn FnMut(&mut Interp<'a>, State, usize) -> Flow<Outs>;

/// For how many items something is called that are no part of a text.
const MAX_ROUNDS: usize = 1024;

impl<'a> Interp<'a> {
    /// Runs over an iterator: what a `Break` ends with, or what is made of the end, and what is
    /// left then.
    pub(super) fn drain(
        &mut self,
        state: State,
        iter: Iter,
        own: Vec<Value>,
        each: Each<'_, 'a>,
        at_end: AtEnd<'_, 'a>,
    ) -> Flow<Vec<(State, Value, Iter)>> {
        self.drain_within(None, state, iter, own, each, at_end)
    }

    /// The same, given up after some rounds if a number of them is given.
    fn drain_within(
        &mut self,
        rounds: Option<usize>,
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
        let site = self.current.map_or(0, address);
        let key = self.key(site ^ 0x5bd1_e995);
        let this = Loop { key, label: None, movers: &[base], behind: None, rounds };
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
    pub(super) fn put_back(
        &mut self,
        receiver: &Value,
        ways: Vec<(State, Value, Iter)>,
    ) -> Flow<Outs> {
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
        if let Iter::By(target) = &**iter {
            match name {
                _ if is_adaptor(name) => {}
                _ => return self.lent_method(state, target, name, args, hint),
            }
        }
        let inner = Rc::clone(iter);
        // What counts items, or keeps one, would have to count behind the end.
        let counts = matches!(name, "nth" | "peekable" | "skip" | "step_by" | "take");
        if counts && self.may_go_on(&state, iter) {
            return Ok(None);
        }
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
            ("inspect", [f]) => Some(Iter::Inspect(inner.clone(), f.clone())),
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
            // Behind its end there is another that has none.
            ("fuse", []) if self.may_go_on(&state, iter) => {
                Some(Iter::Chain(inner.clone(), Rc::new(Iter::Empty)))
            }
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
            // What is peeked at is taken from what is lent.
            ("peekable", []) if lends(iter) => {
                Some(Iter::Chain(inner.clone(), Rc::new(Iter::Empty)))
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
                    let Some(left) = self.backwards(&left) else { return Ok(None) };
                    ways.push((state, Value::Opt(item.map(Rc::new)), left));
                }
                ways
            }
            ("peek", []) => {
                let steady = self.is_steady(&state, &own);
                let mut ways = Vec::new();
                for (state, item, left) in self.take_one(state, own.clone())? {
                    let item = item.map(Rc::new);
                    let left = if steady { own.clone() } else { before(item.clone(), left) };
                    ways.push((state, Value::Opt(item), left));
                }
                ways
            }
            ("next_if" | "next_if_eq", [f]) => {
                let steady = self.is_steady(&state, &own);
                let mut ways = Vec::new();
                for (state, item, left) in self.take_one(state, own.clone())? {
                    let held = item.clone().map(Rc::new);
                    let kept = if steady { own.clone() } else { before(held, left.clone()) };
                    let Some(item) = item else {
                        ways.push((state, Value::none(), kept));
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
                        ways.extend(no.map(|s| (s, Value::none(), kept.clone())));
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
                    vec![(state, Value::Int(length), Iter::Empty)]
                } else {
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
            }
            ("last", []) => {
                let backwards = self.backwards(&own).filter(|_| self.is_steady(&state, &own));
                if let Some(backwards) = backwards {
                    let mut ways = Vec::new();
                    for state in self.run_through(state, &own)? {
                        ways.extend(self.take_one(state, backwards.clone())?);
                    }
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
            ("for_each", [f]) => self.drain(
                state,
                own,
                Vec::new(),
                &mut |interp, state, item, _| interp.apply(state, f, vec![item]),
                &mut |_, state, _| one(state, Value::Unit),
            )?,
            ("fold", [init, f]) => self.drain(
                state,
                own,
                vec![init.clone()],
                &mut |interp, state, item, slot| {
                    let sum = state.vars[slot].1.clone();
                    let outs = interp.apply(state, f, vec![sum, item])?;
                    interp.then(outs, |_, mut state, made| {
                        state.vars[slot].1 = made;
                        one(state, Value::Unit)
                    })
                },
                &mut |_, state, slot| {
                    let sum = state.vars[slot].1.clone();
                    one(state, sum)
                },
            )?,
            ("try_for_each", [f]) => self.try_fold(state, own, None, f)?,
            ("try_fold", [init, f]) => self.try_fold(state, own, Some(init), f)?,
            ("sum" | "product", []) => {
                let op: syn::BinOp =
                    if name == "sum" { syn::parse_quote!(+) } else { syn::parse_quote!(*) };
                let width = hint.and_then(|hint| self.krate.types.named(&hint.name));
                self.drain(
                    state,
                    own,
                    vec![Value::int(i128::from(name == "product"))],
                    &mut |interp, state, item, slot| {
                        let sum = state.vars[slot].1.clone();
                        let item = interp.deref(&state, item);
                        let outs = match (interp.as_int(&sum), interp.as_int(&item)) {
                            (Some(a), Some(b)) => interp.compute(state, &op, &a, &b, width)?,
                            _ => {
                                // It may overflow.
                                let note = interp.lost_note("a sum is not followed");
                                let mut state = state;
                                doubt(&mut state, note);
                                one(state, Value::Unknown(note))?
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
                // How many there are is known without what would be called for them.
                let mut counted = inner;
                while let Iter::Map(on, _) | Iter::Inspect(on, _) | Iter::Enumerate(on, _) =
                    &*counted
                {
                    counted = Rc::clone(on);
                }
                let mut calls = false;
                counted.visit(&mut |value| {
                    calls |= matches!(
                        value,
                        Value::Closure(_) | Value::Function(_) | Value::Ref(_) | Value::Unknown(_)
                    );
                });
                if calls {
                    return Ok(None);
                }
                return self.list_method(
                    state,
                    receiver,
                    &Value::Items(counted),
                    "len",
                    args,
                    hint,
                );
            }
            ("collect", []) => return self.collect(state, own, hint).map(Some),
            ("eq" | "ne", [other]) => {
                let ways = self.iters_equal(state.clone(), own, other, name == "eq")?;
                let Some(ways) = ways else {
                    return self.unknown_method(state, name, receiver, args).map(Some);
                };
                ways
            }
            _ => return Ok(None),
        };
        self.put_back(receiver, ways).map(Some)
    }

    /// Whether two iterators have the same items, and what is left of the first: where one of them
    /// is of few values.
    fn iters_equal(
        &mut self,
        state: State,
        own: Iter,
        other: &Value,
        equal: bool,
    ) -> Flow<Option<Vec<(State, Value, Iter)>>> {
        let Some(other) = self.iterate(&state, other) else { return Ok(None) };
        // Where both know how many items they have, others may not be asked for.
        let in_turn = [&own, &other].iter().any(|iter| self.is_counted_out(&state, iter))
            || ![&own, &other].iter().any(|iter| self.runs(&state, iter));
        if !in_turn || ![&own, &other].iter().any(|iter| self.is_short(&state, iter)) {
            return Ok(None);
        }
        let mut done = Vec::new();
        let mut ways = vec![state.with(Value::tuple(vec![Value::iter(own), Value::iter(other)]))];
        while !ways.is_empty() {
            let mut next = Vec::new();
            for (state, sides) in super::iter::values_of(ways) {
                let Value::Tuple(sides) = sides else { continue };
                let [Value::Iter(a), Value::Iter(b)] = &sides[..] else { continue };
                for (state, first, a) in self.take_one(state, (**a).clone())? {
                    for (state, second, b) in self.take_one(state, (**b).clone())? {
                        let (Some(first), Some(second)) = (&first, &second) else {
                            let both = first.is_none() && second.is_none();
                            done.push((state, Value::known(both == equal), a.clone()));
                            continue;
                        };
                        let first = self.deref(&state, first.clone());
                        let second = self.deref(&state, second.clone());
                        let same = self.compare_values(&first, Compare::Equal, &second)?;
                        let (yes, no) = self.branch(state, &same)?;
                        let sides = || vec![Value::iter(a.clone()), Value::iter(b.clone())];
                        next.extend(yes.map(|state| state.with(Value::tuple(sides()))));
                        done.extend(no.map(|s| (s, Value::known(!equal), a.clone())));
                    }
                }
            }
            ways = self.bounded(next)?;
        }
        Ok(Some(done))
    }

    /// Whether an iterator is of few values.
    fn is_short(&self, state: &State, iter: &Iter) -> bool {
        match iter {
            Iter::Values(values) => values.len() <= 64,
            Iter::By(target) => match self.read(state, target) {
                Some(Value::Iter(iter)) => self.is_short(state, &iter),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether how many items an iterator has is only known from what is taken from it.
    fn is_counted_out(&self, state: &State, iter: &Iter) -> bool {
        match iter {
            Iter::Chars(_)
            | Iter::Indices(_)
            | Iter::Pieces(_)
            | Iter::Filter(..)
            | Iter::FilterMap(..)
            | Iter::TakeWhile(..)
            | Iter::SkipWhile(..)
            | Iter::MapWhile(..) => true,
            Iter::Chain(a, b) | Iter::Zip(a, b) => {
                self.is_counted_out(state, a) && self.is_counted_out(state, b)
            }
            Iter::By(target) => match self.read(state, target) {
                Some(Value::Iter(iter)) => self.is_counted_out(state, &iter),
                _ => false,
            },
            other => other.inner().is_some_and(|inner| self.is_counted_out(state, inner)),
        }
    }

    /// Whether there may be items behind the end of an iterator, or of one that is lent to it.
    fn may_go_on(&self, state: &State, iter: &Iter) -> bool {
        let mut goes_on = iter.may_go_on();
        iter.visit(&mut |value| {
            if let Value::Ref(target) = value
                && let Some(Value::Iter(lent)) = self.read(state, target)
            {
                goes_on |= self.may_go_on(state, &lent);
            }
        });
        goes_on
    }

    /// A method of an iterator that somebody else goes on with.
    fn lent_method(
        &mut self,
        state: State,
        target: &Rc<Target>,
        name: &str,
        args: &[Value],
        hint: Option<&Hint>,
    ) -> Flow<Option<Outs>> {
        let lent = Value::Ref(Rc::clone(target));
        let value = self.deref(&state, lent.clone());
        let Some(mut outs) = self.iter_method(state, &lent, &value, name, args, hint)? else {
            return Ok(None);
        };
        if name == "collect" {
            for out in &mut outs {
                self.write(&mut out.state, target, Value::iter(Iter::Empty));
            }
        }
        Ok(Some(outs))
    }

    /// `try_fold`, or `try_for_each` where there is nothing to begin with.
    fn try_fold(
        &mut self,
        state: State,
        own: Iter,
        init: Option<&Value>,
        f: &Value,
    ) -> Flow<Vec<(State, Value, Iter)>> {
        // Whether what is called gives an `Option`, and whether it is not known what it gives.
        let (mut option, mut lost) = (None, None);
        let ways = self.drain(
            state,
            own,
            vec![init.cloned().unwrap_or(Value::Unit)],
            &mut |interp, state, item, slot| {
                let mut given = vec![item];
                if init.is_some() {
                    given.insert(0, state.vars[slot].1.clone());
                }
                let outs = interp.apply(state, f, given)?;
                interp.then(outs, |interp, mut state, made| {
                    let made = interp.deref(&state, made);
                    match &made {
                        Value::Opt(_) => option = Some(true),
                        Value::Res(_) => option = Some(false),
                        _ => {}
                    }
                    let mut outs = Vec::new();
                    let sum = match made {
                        made @ (Value::Opt(None) | Value::Res(Err(_))) => {
                            return Ok(vec![Out { state, exit: Exit::Break(None, made) }]);
                        }
                        Value::Opt(Some(inner)) | Value::Res(Ok(inner)) => (*inner).clone(),
                        other => {
                            let note = match other {
                                Value::Unknown(note) => note,
                                _ => interp.lost_note("what may end a loop is not followed"),
                            };
                            lost = Some(note);
                            doubt(&mut state, note);
                            let end = Exit::Break(None, Value::Unknown(note));
                            outs.push(Out { state: state.clone(), exit: end });
                            Value::Unknown(note)
                        }
                    };
                    if init.is_some() {
                        state.vars[slot].1 = sum;
                    }
                    outs.push(state.with(Value::Unit));
                    Ok(outs)
                })
            },
            &mut |_, state, slot| {
                let sum = state.vars[slot].1.clone();
                one(state, Value::ok(sum))
            },
        )?;
        let hinted = self.hint.as_ref().map(|hint| hint.name == "Option");
        let ways = ways.into_iter().map(|(state, value, iter)| {
            let value = match (value, option.or(hinted), lost) {
                (Value::Res(Ok(sum)), Some(true), _) => Value::Opt(Some(sum)),
                (Value::Res(Ok(_)), None, Some(note)) => Value::Unknown(note),
                (value, ..) => value,
            };
            (state, value, iter)
        });
        Ok(ways.collect())
    }

    /// Whether running over an iterator may panic, or do more than give items.
    fn runs(&self, state: &State, iter: &Iter) -> bool {
        let mut runs = false;
        iter.visit(&mut |value| {
            runs |= match value {
                Value::Closure(_) | Value::Function(_) => !self.is_calm(state, value),
                Value::Unknown(_) | Value::Ref(_) => true,
                _ => false,
            };
        });
        runs
    }

    /// Runs over an iterator whose items are kept as they are, for what is called on the way, which
    /// may panic or have an effect, and for what another iterator is lent for, which moves on.
    pub(super) fn run_through(&mut self, state: State, iter: &Iter) -> Flow<Vec<State>> {
        if !self.runs(&state, iter) {
            return Ok(vec![state]);
        }
        let mut left = state.clone();
        let ways = self.drain_within(
            Some(MAX_ROUNDS),
            state,
            iter.clone(),
            Vec::new(),
            &mut |_, state, _, _| one(state, Value::Unit),
            &mut |_, state, _| one(state, Value::Unit),
        );
        let ways = match ways {
            Err(Stop::Long) => {
                let note = self.lost_note("what is called for so many items is not followed");
                self.opaque(&mut left, note, &[Value::iter(iter.clone())]);
                return Ok(vec![left]);
            }
            ways => ways?,
        };
        unite(&mut self.pool, self.level, ways.into_iter().map(|way| way.0).collect())
    }
}

/// Whether an iterator takes items from what is lent to it.
fn lends(iter: &Iter) -> bool {
    let mut lends = false;
    iter.visit(&mut |value| lends |= matches!(value, Value::Ref(_)));
    lends
}

/// An iterator after what was looked at of it.
fn before(item: Option<Rc<Value>>, left: Iter) -> Iter {
    Iter::Before(item, Rc::new(left))
}

/// Whether a method of an iterator only makes another one of it.
pub(super) fn is_adaptor(method: &str) -> bool {
    matches!(
        method,
        "by_ref"
            | "chain"
            | "cloned"
            | "copied"
            | "enumerate"
            | "filter"
            | "filter_map"
            | "fuse"
            | "inspect"
            | "into_iter"
            | "map"
            | "map_while"
            | "peekable"
            | "rev"
            | "skip"
            | "skip_while"
            | "step_by"
            | "take"
            | "take_while"
            | "zip"
    )
}

/// Whether a method takes an iterator by reference, and takes items from it.
pub(super) fn moves(method: &str) -> bool {
    matches!(
        method,
        "all"
            | "any"
            | "by_ref"
            | "find"
            | "find_map"
            | "next"
            | "next_back"
            | "nth"
            | "nth_back"
            | "position"
            | "rposition"
            | "try_fold"
            | "try_for_each"
    )
}
