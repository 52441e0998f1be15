//! Patterns of slices.

use std::rc::Rc;

use syn::Pat;

use super::interp::{Interp, name_of};
use super::patterns::{Matched, Standing, lends};
use super::state::State;
use super::stop::Flow;
use super::value::{Iter, Step2, Text, Value};

impl<'a> Interp<'a> {
    /// Matches a list, or what is as one, with patterns for its items.
    pub(super) fn match_slice(
        &mut self,
        state: State,
        value: Value,
        target: Option<Standing>,
        slice: &'a syn::PatSlice,
        pat: &'a Pat,
    ) -> Flow<Matched> {
        let is_rest = |pat: &Pat| match pat {
            Pat::Rest(_) => true,
            Pat::Ident(ident) => {
                matches!(&ident.subpat, Some((_, pat)) if matches!(**pat, Pat::Rest(_)))
            }
            _ => false,
        };
        let rest = slice.elems.iter().position(is_rest);
        let items = match &value {
            Value::List(values) => Iter::Values(Rc::clone(values)),
            Value::Items(iter) => (**iter).clone(),
            Value::Bytes(text) => match self.bytes_of_text(text) {
                Some(iter) => iter,
                None => return self.match_lost(state, &value, target.as_ref(), pat),
            },
            _ => return self.match_lost(state, &value, target.as_ref(), pat),
        };
        let before = rest.unwrap_or(slice.elems.len());
        let behind = rest.map_or(0, |rest| slice.elems.len() - rest - 1);
        let mut done = Matched::default();
        // Take as many items as there are patterns, and see whether that was all.
        let mut ways = vec![(state, Vec::new(), items.clone())];
        for _ in 0..before {
            let mut next = Vec::new();
            for (state, values, iter) in ways {
                for (state, item, iter) in self.take_one(state, iter)? {
                    match item {
                        Some(item) => {
                            let mut values: Vec<Value> = values.clone();
                            values.push(item);
                            next.push((state, values, iter));
                        }
                        None => done.no.push(state),
                    }
                }
            }
            ways = next;
        }
        let mut whole = Vec::new();
        for (state, values, iter) in ways {
            if rest.is_none() {
                for (state, item, iter) in self.take_one(state, iter)? {
                    match item {
                        Some(_) => done.no.push(state),
                        None => whole.push((state, values.clone(), Vec::new(), iter)),
                    }
                }
                continue;
            }
            if behind == 0 {
                whole.push((state, values, Vec::new(), iter));
                continue;
            }
            let Some(backwards) = self.backwards(&iter) else {
                let more = self.match_lost(state, &value, target.as_ref(), pat)?;
                done.yes.extend(more.yes);
                done.no.extend(more.no);
                continue;
            };
            let mut ways = vec![(state, Vec::new(), backwards)];
            for _ in 0..behind {
                let mut next = Vec::new();
                for (state, last, iter) in ways {
                    for (state, item, iter) in self.take_one(state, iter)? {
                        match item {
                            Some(item) => {
                                let mut last: Vec<Value> = last.clone();
                                last.insert(0, item);
                                next.push((state, last, iter));
                            }
                            None => done.no.push(state),
                        }
                    }
                }
                ways = next;
            }
            for (state, last, iter) in ways {
                let Some(middle) = self.backwards(&iter) else {
                    let more = self.match_lost(state, &value, target.as_ref(), pat)?;
                    done.yes.extend(more.yes);
                    done.no.extend(more.no);
                    continue;
                };
                whole.push((state, values.clone(), last, middle));
            }
        }
        for (state, first, last, middle) in whole {
            let mut matched = vec![state];
            for (i, pat) in slice.elems.iter().enumerate() {
                let value = if i < before {
                    first[i].clone()
                } else if Some(i) == rest {
                    match pat {
                        Pat::Rest(_) => continue,
                        _ => collected(middle.clone()),
                    }
                } else {
                    last[i - before - 1].clone()
                };
                let place = match (&items, i < before) {
                    (_, true) => Some(i),
                    (Iter::Values(values), false) if Some(i) != rest => {
                        Some(values.len() + i - slice.elems.len())
                    }
                    _ => None,
                };
                // Which one it is that is lent is not known.
                let lent = target.as_ref().filter(|target| target.is_lent || lends(pat));
                let hidden = lent.filter(|_| place.is_none() && self.binds(pat));
                let part = target
                    .as_ref()
                    .zip(place)
                    .map(|(target, place)| target.inside(Step2::Index(place)));
                let mut next = Vec::new();
                for mut state in matched {
                    let mut value = value.clone();
                    if let Some(target) = hidden {
                        let note = self.lost_note("a part of a list is not followed");
                        self.forget_standing(&mut state, note, target);
                        value = Value::Unknown(note);
                    }
                    let more = if Some(i) == rest
                        && let Pat::Ident(ident) = pat
                    {
                        state.vars.push((name_of(&ident.ident), value));
                        Matched { yes: vec![state], no: Vec::new() }
                    } else {
                        self.match_at(state, value, part.clone(), pat)?
                    };
                    next.extend(more.yes);
                    done.no.extend(more.no);
                }
                matched = next;
            }
            done.yes.extend(matched);
        }
        Ok(done)
    }
}

/// What is left of an iterator, as a slice.
pub(super) fn collected(iter: Iter) -> Value {
    match iter {
        Iter::Bytes { rest, pending: 0, backwards: false } => Value::Bytes(Text::view(rest)),
        Iter::Values(values) => Value::List(values),
        Iter::Empty => Value::List(Rc::new(Vec::new())),
        other => Value::Items(Rc::new(other)),
    }
}
