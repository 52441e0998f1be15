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

use fxhash::{FxHashMap, FxHashSet};
use proc_macro2::LineColumn;

use super::bags::{bagged, is_of_bag};
use super::interp::Interp;
use super::iter::map_views;
use super::pool::{ALL, EMPTY, Lang, NONE};
use super::state::{Exit, Out, Outs, SURE, State, map_inside, merge};
use super::stop::{Flow, Stop};
use super::streams::{stream, with_stream};
use super::texts::bool_of;
use super::value::{Bool, Cond, Int, LoopKey, Name, Value};
use super::view::{END, Place, START, View};
use pleach_core::regular::{Alphabet, Nfa};

/// How many configurations a loop may have.
const MAX_CONFIGURATIONS: usize = 20_000;
/// How long a list may grow in a loop over constants.
const MAX_LIST: usize = 32;
/// How far a counter is followed below zero.
pub(super) const LOWEST: i128 = -1;

/// What a loop is, beside its rounds.
pub(super) struct Loop<'l> {
    pub(super) key: LoopKey,
    pub(super) label: Option<Name>,
    /// Variables of which is known that they move along.
    pub(super) movers: &'l [usize],
    /// Where the loop ends in the source, if it is written there.
    pub(super) behind: Option<LineColumn>,
    /// After how many rounds it may be given up, where it moves along no text.
    pub(super) rounds: Option<usize>,
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
            self.spend(10)?;
            if this.rounds.is_some_and(|rounds| seen.len() > rounds) {
                return Err(Stop::Long);
            }
            if seen.len() > MAX_CONFIGURATIONS {
                let what = "configurations of a loop";
                return Err(Stop::Budget(what, MAX_CONFIGURATIONS as u64));
            }
            let before = state.vars.clone();
            let mut ends = round(self, state)?;
            self.out_of_scope(&mut ends, count);
            for mut out in merge(&mut self.pool, self.level, ends)? {
                if !goes_on(&out.exit, this) {
                    leave_loop(&mut out.exit, this);
                    outs.push(out);
                    continue;
                }
                self.forget_round(this, &mut out.state);
                self.lighten_grown(&mut out.state, &before);
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
            self.out_of_scope(&mut outs, count);
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
        self.lighten_grown(&mut state, before);
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
                let mut next = Vec::new();
                for state in states {
                    let value = self.settle(&state.vars[slot].1, (this.key, slot * 64));
                    let ways = self.age_held(state, &value, this.key, &mut (slot * 64 + 32))?;
                    next.extend(ways.into_iter().map(|(mut state, value)| {
                        state.vars[slot].1 = value;
                        state
                    }));
                }
                states = next;
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
                    pairs.push((self.pool.determinize(nfa, states[0], accept)?, after));
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
                self.pool.determinize(nfa, states[0], accept)?
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
