//! Loops, as machines that read what they move along.
//!
//! A loop is read one level deeper: there, the root is what is left of the text that the loop moves
//! along when a round begins. A round is interpreted once for each *configuration*, which is what
//! the other variables are at its beginning, and what is already known of what is left. Each way
//! through the round that goes on consumes something, a place in what is left: so the round is a
//! move of a nondeterministic automaton, labelled with a language, to another configuration. Ways
//! that leave the loop are its exits. There are finitely many configurations if variables are
//! few-valued; numbers are followed as far as they are compared with constants, and of texts of
//! earlier rounds only those states of automata are kept that something asked for.
//!
//! What consumes is found out by trying: a variable that holds less of the same text behind a
//! round than before it moves along that text.

use std::rc::Rc;

use fxhash::{FxHashMap, FxHashSet};
use proc_macro2::LineColumn;

use super::interp::{Interp, doubt};
use super::iter::map_views;
use super::pool::{ALL, EMPTY, Lang, NONE};
use super::state::{Exit, Out, Outs, SURE, State, map_inside, merge};
use super::stop::{Flow, Stop};
use super::texts::bool_of;
use super::value::{
    Bool, Byte, Carried, Cond, Int, Iter, LoopKey, Name, Part, Source, Text, Value,
};
use super::view::{END, Place, START, View};
use crate::regular::{Alphabet, Nfa};

/// How many configurations a loop may have.
const MAX_CONFIGURATIONS: usize = 20_000;
/// How many different items of a list that grows in a loop are told apart.
const MAX_ITEMS: usize = 6;
/// How long a list may grow in a loop over constants.
const MAX_LIST: usize = 32;
/// How far a counter is followed below zero.
const LOWEST: i128 = -1;
/// The name of a list that grew in a loop: how long it is, and which items there are.
pub(super) const BAG: &str = "#bag";

/// What a loop is, beside its rounds.
pub(super) struct Loop<'l> {
    pub(super) key: LoopKey,
    pub(super) label: Option<Name>,
    /// Variables of which is known that they move along.
    pub(super) movers: &'l [usize],
    /// Where the loop ends in the source, if it is written there.
    pub(super) behind: Option<LineColumn>,
}

/// One round.
pub(super) type Round<'r, 'a> = dyn FnMut(&mut Interp<'a>, State) -> Flow<Outs> + 'r;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Configuration {
    vars: Vec<(Name, Value)>,
    doubt: u32,
    /// What is known of what is left.
    pending: Lang,
}

/// What is known so far.
struct Machine {
    configurations: Vec<Configuration>,
    numbers: FxHashMap<Configuration, usize>,
    moves: Vec<(usize, Lang, usize)>,
    exits: Vec<(usize, Out)>,
}

impl Machine {
    fn number(&mut self, configuration: Configuration) -> usize {
        if let Some(&number) = self.numbers.get(&configuration) {
            return number;
        }
        let number = self.configurations.len();
        self.numbers.insert(configuration.clone(), number);
        self.configurations.push(configuration);
        number
    }
}

impl<'a> Interp<'a> {
    /// All ends of a loop.
    pub(super) fn run_loop(
        &mut self,
        this: &Loop<'_>,
        entry: State,
        round: &mut Round<'_, 'a>,
    ) -> Flow<Outs> {
        let mut parts = vec![entry.lang];
        for lang in self.registry.splits.get(&this.key).cloned().unwrap_or_default() {
            let mut divided = Vec::new();
            for part in parts {
                divided.push(self.pool.both(part, lang)?);
                divided.push(self.pool.minus(part, lang)?);
            }
            parts = divided;
        }
        let known = self.registry.movers.entry(this.key).or_default();
        known.extend(this.movers);
        let mut outs = Vec::new();
        for part in parts.into_iter().filter(|&part| part != NONE) {
            let state = entry.within(part);
            loop {
                if let Some(found) = self.read_loop(this, &state, round)? {
                    outs.extend(found);
                    break;
                }
            }
        }
        self.bounded(outs)
    }

    /// All ends of a loop, and none where another variable was found to move along.
    fn read_loop(
        &mut self,
        this: &Loop<'_>,
        entry: &State,
        round: &mut Round<'_, 'a>,
    ) -> Flow<Option<Outs>> {
        let mut movers: Vec<usize> =
            self.registry.movers.get(&this.key).into_iter().flatten().copied().collect();
        movers.sort_unstable();
        let along = movers
            .iter()
            .filter_map(|&slot| stream(&entry.vars.get(slot)?.1))
            .find(|&view| self.views.level(view) == self.level);
        let Some(along) = along else {
            return self.unroll(this, entry, &movers, round);
        };
        let level = self.level + 1;
        let root = self.views.root(level);
        let mut vars = entry.vars.clone();
        for &slot in &movers {
            if let Some(var) = vars.get_mut(slot)
                && stream(&var.1) == Some(along)
            {
                var.1 = with_stream(&var.1, root);
            }
        }
        self.entries.push((entry.lang, this.key));
        self.level = level;
        let machine = self.explore(this, entry, vars, &movers, round);
        self.level -= 1;
        self.entries.pop();
        let Some(machine) = machine? else { return Ok(None) };
        self.leave(this, entry, along, machine).map(Some)
    }

    /// A loop that moves along no text: round after round, as long as there are new paths.
    fn unroll(
        &mut self,
        this: &Loop<'_>,
        entry: &State,
        movers: &[usize],
        round: &mut Round<'_, 'a>,
    ) -> Flow<Option<Outs>> {
        let count = entry.vars.len();
        let mut seen: FxHashSet<State> = FxHashSet::default();
        let mut pending = vec![entry.clone()];
        let mut outs = Vec::new();
        while let Some(state) = pending.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            if seen.len() > MAX_CONFIGURATIONS {
                let what = "configurations of a loop";
                return Err(Stop::Budget(what, MAX_CONFIGURATIONS as u64));
            }
            let before = state.vars.clone();
            let mut ends = round(self, state)?;
            Self::truncate(&mut ends, count);
            for mut out in merge(&mut self.pool, self.level, ends)? {
                if !goes_on(&out.exit, this) {
                    leave_loop(&mut out.exit, this);
                    outs.push(out);
                    continue;
                }
                self.forget_round(this, &mut out.state);
                let any_order = out.state.vars.iter().any(|var| is_of_bag(&var.1));
                for (slot, old) in before.iter().enumerate() {
                    let new = &out.state.vars[slot].1;
                    if !movers.contains(&slot) && *new != old.1 && self.begins_along(&old.1, new)? {
                        self.registry.movers.entry(this.key).or_default().insert(slot);
                        return Ok(None);
                    }
                    let new = &mut out.state.vars[slot].1;
                    let long = matches!(new, Value::List(values) if values.len() > MAX_LIST);
                    if any_order || long {
                        *new = bagged(&old.1, new.clone());
                    }
                    if matches!(new, Value::Int(Int::Known(n)) if *n < LOWEST) {
                        *new = self.lost("a counter that falls below zero is not followed");
                    } else if let Value::Int(int) = new {
                        // Counters of rounds end by themselves; others are followed as elsewhere.
                        *new = Value::Int(self.counted(int, (this.key, slot * 64)));
                    }
                }
                pending.push(out.state);
            }
        }
        if let Some(behind) = this.behind {
            outs = self.forget(outs, behind)?;
        }
        self.bounded(outs).map(Some)
    }

    /// Whether a variable begins to move along a text of this level.
    fn begins_along(&mut self, old: &Value, new: &Value) -> Flow<bool> {
        let (Some(old_view), Some(new_view)) = (stream(old), stream(new)) else { return Ok(false) };
        if self.views.level(old_view) != self.level || self.views.level(new_view) != self.level {
            return Ok(false);
        }
        if old_view == new_view {
            return Ok(matches!(old, Value::Iter(_)));
        }
        Ok(self.views.suffix_of(&mut self.pool, old_view, new_view)?.is_some())
    }

    /// Forgets what no further round and nothing behind the loop mentions.
    fn forget_round(&mut self, this: &Loop<'_>, state: &mut State) {
        let frame = self.frame();
        if this.behind.is_some()
            && let Some(start) = frame.loop_start
            && frame.captured.is_none()
        {
            self.forget_in(state, frame, start);
        }
    }

    fn explore(
        &mut self,
        this: &Loop<'_>,
        entry: &State,
        vars: Vec<(Name, Value)>,
        movers: &[usize],
        round: &mut Round<'_, 'a>,
    ) -> Flow<Option<Machine>> {
        let count = vars.len();
        let mut machine = Machine {
            configurations: Vec::new(),
            numbers: FxHashMap::default(),
            moves: Vec::new(),
            exits: Vec::new(),
        };
        machine.number(Configuration { vars, doubt: entry.doubt, pending: ALL });
        let mut at = 0;
        while at < machine.configurations.len() {
            if at > MAX_CONFIGURATIONS {
                let what = "configurations of a loop";
                return Err(Stop::Budget(what, MAX_CONFIGURATIONS as u64));
            }
            self.spend(10)?;
            let Configuration { vars, doubt, pending } = machine.configurations[at].clone();
            let before = vars.clone();
            let mut outs = round(self, State { lang: pending, vars, doubt })?;
            Self::truncate(&mut outs, count);
            let outs = merge(&mut self.pool, self.level, outs)?;
            for mut out in outs {
                if !goes_on(&out.exit, this) {
                    leave_loop(&mut out.exit, this);
                    machine.exits.push((at, out));
                    continue;
                }
                let Some(next) = self.go_on(this, &before, out.state, movers)? else {
                    return Ok(None);
                };
                for (label, configuration) in next {
                    let to = machine.number(configuration);
                    machine.moves.push((at, label, to));
                }
            }
            at += 1;
        }
        Ok(Some(machine))
    }

    /// Where a round that is over leads; none where another variable was found to move along.
    fn go_on(
        &mut self,
        this: &Loop<'_>,
        before: &[(Name, Value)],
        mut state: State,
        movers: &[usize],
    ) -> Flow<Option<Vec<(Lang, Configuration)>>> {
        let root = self.views.root(self.level);
        self.forget_round(this, &mut state);
        if state.doubt != SURE {
            // One doubt a loop is enough, and more would be told apart in each configuration.
            state.doubt = *self.loop_doubts.entry(this.key).or_insert(state.doubt);
        }
        let mut place: Option<Place> = None;
        for (slot, (_, old)) in before.iter().enumerate() {
            let new = &state.vars[slot].1;
            if !movers.contains(&slot) {
                if new != old && self.moves_along(old, new)? {
                    self.registry.movers.entry(this.key).or_default().insert(slot);
                    return Ok(None);
                }
                continue;
            }
            let Some(view) = stream(new) else { continue };
            if self.views.level(view) != self.level {
                if new != old {
                    state.vars[slot].1 = self.lost("a loop moves along two texts at once");
                }
                continue;
            }
            match self.views.suffix_of(&mut self.pool, root, view)? {
                Some(found) if place.is_none_or(|place| place == found) => {
                    place = Some(found);
                    state.vars[slot].1 = with_stream(new, root);
                }
                _ => {
                    let message = "a loop moves along a text in a way that is not followed";
                    state.vars[slot].1 = self.lost(message);
                }
            }
        }
        // Values of this round become values of an earlier round.
        let mut states = vec![state];
        for (slot, (_, old)) in before.iter().enumerate() {
            if movers.contains(&slot)
                && states.iter().all(|s| stream(&s.vars[slot].1) == Some(root))
            {
                for state in &mut states {
                    let value = &mut state.vars[slot].1;
                    *value = self.settle(value, (this.key, slot * 64));
                }
                continue;
            }
            // What a round did not touch is as it was.
            if states.iter().all(|state| state.vars[slot].1 == *old)
                && !self.is_rooted(old, self.level)
            {
                continue;
            }
            let mut next = Vec::new();
            for state in states {
                let value = bagged(old, state.vars[slot].1.clone());
                let mut ways = self.age(state, &value, this.key, &mut (slot * 64))?;
                for (state, value) in &mut ways {
                    state.vars[slot].1 = value.clone();
                }
                next.extend(ways.into_iter().map(|way| way.0));
            }
            states = next;
        }
        let mut moves = Vec::new();
        for state in states {
            let place = place.unwrap_or(START);
            for (label, pending) in self.views.restrict(&mut self.pool, place, state.lang)? {
                let State { vars, doubt, .. } = &state;
                let vars = vars.clone();
                moves.push((label, Configuration { vars, doubt: *doubt, pending }));
            }
        }
        Ok(Some(moves))
    }

    /// Whether a variable holds less of a text than before, or another state of an iterator.
    fn moves_along(&mut self, old: &Value, new: &Value) -> Flow<bool> {
        let (Some(old_view), Some(new_view)) = (stream(old), stream(new)) else { return Ok(false) };
        if self.views.level(new_view) != self.level - 1 {
            return Ok(false);
        }
        if old_view == new_view {
            return Ok(matches!(old, Value::Iter(_)) && old != new);
        }
        Ok(self.views.suffix_of(&mut self.pool, old_view, new_view)?.is_some())
    }

    /// A counter that is compared with nothing is not followed.
    fn counted(&self, int: &Int, key: (LoopKey, usize)) -> Int {
        let cap = self.registry.caps.get(&key).copied().unwrap_or(0);
        match int {
            Int::Known(n) if *n > cap => Int::AtLeast(cap + 1, key),
            Int::AtLeast(least, other) if *least > cap || *other == super::interp::NOWHERE => {
                Int::AtLeast((*least).min(cap + 1), key)
            }
            other => other.clone(),
        }
    }

    /// The counters in an iterator or index.
    fn settle(&self, value: &Value, key: (LoopKey, usize)) -> Value {
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
    fn age(
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

    /// As [`Interp::age`], with all items of a bag as one: they differ in what is known of them.
    fn age_bag(
        &mut self,
        state: State,
        of: &super::value::Struct,
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
                for n in 0..=if digit { cap.max(9) } else { cap } {
                    let Some(state) = rest.take() else { break };
                    let Some(same) = self.int_in(int, &[(n, n)])? else {
                        rest = Some(state);
                        break;
                    };
                    let (yes, no) = self.branch(state, &Value::Bool(same))?;
                    ways.extend(yes.map(|s| (s, Value::Int(self.counted(&Int::Known(n), key)))));
                    rest = no;
                }
                ways.extend(rest.map(|s| (s, Value::Int(Int::AtLeast(cap + 1, key)))));
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

    /// Whether a value is made from the root of a level.
    pub(super) fn is_rooted(&mut self, value: &Value, level: usize) -> bool {
        if let Value::Bool(Bool::When(cond)) = value {
            return cond.level == level;
        }
        let mut found = false;
        let views = &self.views;
        map_views(value, &mut |view| {
            found |= views.level(view) == level;
            view
        });
        if !found {
            let _ = map_inside(value, &mut |part| {
                found |= matches!(part, Value::Bool(Bool::When(cond)) if cond.level == level);
                Ok(part.clone())
            });
        }
        found
    }

    /// The ends of a loop whose machine is known.
    fn leave(
        &mut self,
        this: &Loop<'_>,
        entry: &State,
        along: View,
        mut machine: Machine,
    ) -> Flow<Outs> {
        let level = self.level + 1;
        let frame = self.frame();
        if let Some(behind) = this.behind
            && frame.captured.is_none()
        {
            for (_, out) in &mut machine.exits {
                if !matches!(out.exit, Exit::Return(_)) {
                    self.forget_in(&mut out.state, frame, behind);
                }
            }
        }
        // Exits that end in the same values, by configuration and language.
        let mut groups: Vec<(Out, Vec<(usize, Lang)>)> = Vec::new();
        let mut places: FxHashMap<Out, usize> = FxHashMap::default();
        for (from, mut out) in machine.exits {
            let lang = std::mem::replace(&mut out.state.lang, NONE);
            let place = *places.entry(out.clone()).or_insert_with(|| {
                groups.push((out, Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push((from, lang));
        }
        let mut nfa = Nfa::new(Alphabet::Unicode);
        let states: Vec<_> = machine.configurations.iter().map(|_| nfa.state()).collect();
        machine.moves.sort_unstable();
        machine.moves.dedup();
        for &(from, label, to) in &machine.moves {
            if label == EMPTY {
                nfa.epsilon(states[from], states[to]);
            } else {
                nfa.dfa(states[from], &self.pool.dfa(label), states[to], self.pool.limits())?;
            }
        }
        let mut outs = Vec::new();
        for (mut out, ways) in groups {
            let rooted = out.state.vars.iter().any(|var| self.is_rooted(&var.1, level))
                || match &out.exit {
                    Exit::Value(value) | Exit::Return(value) | Exit::Break(_, value) => {
                        self.is_rooted(value, level)
                    }
                    Exit::Continue(_) => false,
                };
            let mut view = along;
            let lang = if rooted {
                let mut afters: Vec<Lang> = ways.iter().map(|way| way.1).collect();
                afters.sort_unstable();
                afters.dedup();
                let mut pairs = Vec::new();
                for after in afters {
                    let mut nfa = nfa.clone();
                    let accept = nfa.state();
                    for way in ways.iter().filter(|way| way.1 == after) {
                        nfa.epsilon(states[way.0], accept);
                    }
                    let made = nfa.determinize(states[0], accept, self.pool.limits());
                    pairs.push((self.pool.add(made)?, after));
                }
                let place = self.views.place(&mut self.pool, pairs)?;
                view = self.views.cut(along, place, END);
                self.views.having(&mut self.pool, place)?
            } else {
                let mut nfa = nfa.clone();
                let accept = nfa.state();
                for &(from, after) in &ways {
                    nfa.dfa(states[from], &self.pool.dfa(after), accept, self.pool.limits())?;
                }
                let made = nfa.determinize(states[0], accept, self.pool.limits());
                self.pool.add(made)?
            };
            let lifted = self.views.lift(&mut self.pool, along, lang)?;
            out.state.lang = self.pool.both(lifted, entry.lang)?;
            if out.state.lang == NONE {
                continue;
            }
            if rooted {
                let root = self.views.root(level);
                for var in &mut out.state.vars {
                    var.1 = self.rebase(&var.1, root, view)?;
                }
                if let Exit::Value(value) | Exit::Return(value) | Exit::Break(_, value) =
                    &mut out.exit
                {
                    *value = self.rebase(value, root, view)?;
                }
            }
            outs.push(out);
        }
        Ok(outs)
    }

    /// A value with another view in place of a root.
    fn rebase(&mut self, value: &Value, root: View, view: View) -> Flow<Value> {
        let level = self.views.level(root);
        if let Value::Bool(Bool::When(cond)) = value
            && cond.level == level
        {
            let yes = self.views.lift(&mut self.pool, view, cond.yes)?;
            let no = self.views.lift(&mut self.pool, view, cond.no)?;
            let level = self.views.level(view);
            return Ok(Value::Bool(bool_of(Cond { level, yes, no })));
        }
        let views = &mut self.views;
        let moved = map_views(value, &mut |old| views.replace(old, root, view));
        map_inside(&moved, &mut |part| match part {
            Value::Bool(Bool::When(_)) | Value::Opt(_) | Value::Tuple(_) => {
                self.rebase(part, root, view)
            }
            other => Ok(other.clone()),
        })
    }
}

/// Whether a value goes over a list in any order.
fn is_of_bag(value: &Value) -> bool {
    let Value::Iter(iter) = value else { return false };
    let mut at = iter;
    loop {
        match (&**at, at.inner()) {
            (Iter::Bag(..), _) => return true,
            (_, Some(inner)) => at = inner,
            (_, None) => return false,
        }
    }
}

/// A list that grew in a round as a bag: how often an item is in it, and where, is forgotten.
fn bagged(old: &Value, new: Value) -> Value {
    match (old, &new) {
        (Value::List(before), Value::List(values)) if values.len() != before.len() => {
            bag(Int::Known(values.len() as i128), (**values).clone())
        }
        _ => new,
    }
}

/// A bag of some length with some items.
pub(super) fn bag(length: Int, items: Vec<Value>) -> Value {
    let fields =
        vec![("len".into(), Value::Int(length)), ("items".into(), Value::List(Rc::new(items)))];
    distinct(Value::Struct(Rc::new(super::value::Struct { name: BAG.into(), fields })))
}

/// A bag with each item once; of too many, some are forgotten.
fn distinct(value: Value) -> Value {
    let Value::Struct(of) = &value else { return value };
    if &*of.name != BAG {
        return value;
    }
    let mut of = (**of).clone();
    if let Some((_, Value::List(items))) = of.fields.last_mut() {
        let mut kept: Vec<Value> = Vec::new();
        for item in items.iter() {
            let item = numberless(item);
            if !kept.contains(&item) {
                kept.push(item);
            }
        }
        if kept.len() > MAX_ITEMS {
            kept = vec![Value::Gone];
        }
        kept.sort_by_cached_key(|item| {
            let mut hasher = fxhash::FxHasher::default();
            std::hash::Hash::hash(item, &mut hasher);
            std::hash::Hasher::finish(&hasher)
        });
        *items = Rc::new(kept);
    }
    Value::Struct(Rc::new(of))
}

/// An item of a bag, in which numbers are not told apart.
fn numberless(item: &Value) -> Value {
    match item {
        Value::Int(_) | Value::Byte(_) => Value::Int(Int::AtLeast(0, super::interp::NOWHERE)),
        other => map_inside(other, &mut |part| Ok(numberless(part))).unwrap_or(Value::Gone),
    }
}

/// Whether another round follows.
fn goes_on(exit: &Exit, this: &Loop<'_>) -> bool {
    match exit {
        Exit::Value(_) | Exit::Continue(None) => true,
        Exit::Continue(label) => *label == this.label,
        _ => false,
    }
}

/// What a loop ends with, where a `break` is its own.
fn leave_loop(exit: &mut Exit, this: &Loop<'_>) {
    if let Exit::Break(label, value) = exit
        && (label.is_none() || *label == this.label)
    {
        *exit = Exit::Value(value.clone());
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

/// The text that a value moves along, as what is left of it.
pub(super) fn stream(value: &Value) -> Option<View> {
    match value {
        Value::Iter(iter) => stream_of(iter),
        Value::Str(text) | Value::Bytes(text) => text.as_view(),
        Value::Int(Int::At(at)) => Some(at.rest),
        Value::Struct(fields) => fields.fields.iter().find_map(|field| match &field.1 {
            value @ (Value::Iter(_) | Value::Int(Int::At(_))) => stream(value),
            _ => None,
        }),
        Value::Opt(Some(inner)) => stream(inner),
        Value::Tuple(values) => values.iter().find_map(stream),
        _ => None,
    }
}

fn stream_of(iter: &Iter) -> Option<View> {
    match iter {
        Iter::Chars(rest) | Iter::Bytes { rest, .. } => Some(*rest),
        Iter::Indices(at) | Iter::Places(at) => Some(at.rest),
        Iter::Pieces(pieces) => Some(pieces.rest),
        Iter::Chain(a, b) | Iter::Zip(a, b) => stream_of(a).or_else(|| stream_of(b)),
        other => stream_of(other.inner()?),
    }
}

/// A value that moves along, with something else left.
fn with_stream(value: &Value, rest: View) -> Value {
    match value {
        Value::Iter(iter) => Value::iter(with_stream_of(iter, rest)),
        Value::Str(_) => Value::Str(Text::view(rest)),
        Value::Bytes(_) => Value::Bytes(Text::view(rest)),
        Value::Int(Int::At(at)) => {
            let mut at = (**at).clone();
            at.rest = rest;
            Value::Int(Int::At(Rc::new(at)))
        }
        Value::Struct(fields) => {
            let mut fields = (**fields).clone();
            let field = fields.fields.iter_mut().find(|field| {
                matches!(field.1, Value::Iter(_) | Value::Int(Int::At(_)))
                    && stream(&field.1).is_some()
            });
            if let Some(field) = field {
                field.1 = with_stream(&field.1, rest);
            }
            Value::Struct(Rc::new(fields))
        }
        Value::Opt(Some(inner)) => Value::some(with_stream(inner, rest)),
        Value::Tuple(values) => {
            let mut values = (**values).clone();
            if let Some(value) = values.iter_mut().find(|value| stream(value).is_some()) {
                *value = with_stream(value, rest);
            }
            Value::Tuple(Rc::new(values))
        }
        other => other.clone(),
    }
}

fn with_stream_of(iter: &Iter, rest: View) -> Iter {
    match iter {
        Iter::Chars(_) => Iter::Chars(rest),
        Iter::Bytes { pending, backwards, .. } => {
            Iter::Bytes { rest, pending: *pending, backwards: *backwards }
        }
        Iter::Indices(at) => Iter::Indices(super::value::At { rest, ..at.clone() }),
        Iter::Places(at) => Iter::Places(super::value::At { rest, ..at.clone() }),
        Iter::Pieces(pieces) => Iter::Pieces(super::value::Pieces { rest, ..pieces.clone() }),
        Iter::Chain(a, b) if stream_of(a).is_some() => {
            Iter::Chain(Rc::new(with_stream_of(a, rest)), Rc::clone(b))
        }
        Iter::Chain(a, b) => Iter::Chain(Rc::clone(a), Rc::new(with_stream_of(b, rest))),
        Iter::Zip(a, b) if stream_of(a).is_some() => {
            Iter::Zip(Rc::new(with_stream_of(a, rest)), Rc::clone(b))
        }
        Iter::Zip(a, b) => Iter::Zip(Rc::clone(a), Rc::new(with_stream_of(b, rest))),
        other => match other.inner() {
            Some(inner) => other.with_inner(Rc::new(with_stream_of(inner, rest))),
            None => other.clone(),
        },
    }
}
