//! Lifting what was found: what is tried one after the other, and what came of it.

use super::{Alarm, Campaign, EFFECTIVE, Event, LIFTED, Mapped, SUSPICIONS, Suspicion};
use crate::carve::{Call, Unit};
use crate::depends::Depends;
use crate::lift::{self, Unliftable, Way};
use crate::tester::Finding;
use pleach_concolic::vm::Machine;
use pleach_explore::native::Judge;
use pleach_explore::subject::Site;
use pleach_explore::symbolic::Symbolic;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// How many detours are made to lift a finding.
const DETOURS: u32 = 32;
/// How many guesses of a kind are made before it is asked how many came true, and every how many one has to.
const GUESSES: u32 = 8;
const TRUE: u32 = 12;

/// What is tried without knowing that the program does what was decided before the call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Guess {
    /// A way to lift.
    Way(Way),
    /// Detours.
    Detours,
    /// A failure of the unit, by its place and kind.
    Failure(Option<Site>, &'static str),
}

/// What is to be lifted.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) unit: usize,
    pub(super) finding: Finding,
    /// What is tried next: how, and from which run.
    ways: VecDeque<(Way, Rc<Call>)>,
    /// Runs that made the call otherwise, each with how many values it admits, and inputs that may.
    calls: Vec<(usize, Rc<Call>)>,
    detours: Vec<Vec<u8>>,
    seen: BTreeSet<Vec<u8>>,
    /// How many of these were run.
    made: u32,
    /// Whether the last ways were tried, an input was made, the call came with the new values, the machine did what was
    /// predicted, and the program did.
    last: bool,
    tried: bool,
    reached: bool,
    shown: bool,
    lifted: bool,
    /// Whether nothing is left to do.
    done: bool,
}

impl Waiting {
    pub(super) fn new(unit: usize, finding: Finding) -> Waiting {
        Waiting {
            unit,
            finding,
            ways: VecDeque::new(),
            calls: Vec::new(),
            detours: Vec::new(),
            seen: BTreeSet::new(),
            made: 0,
            last: false,
            tried: false,
            reached: false,
            shown: false,
            lifted: false,
            done: false,
        }
    }
}

/// What a lifted input is to do.
pub(super) struct Expected<'a> {
    pub(super) unit: &'a Unit,
    pub(super) finding: &'a Finding,
    pub(super) changed: Vec<u32>,
    /// How it was made; nothing if it is a detour.
    pub(super) way: Option<Way>,
}

impl Expected<'_> {
    /// How the call came that a machine has just entered.
    pub(super) fn came(&self, machine: &Machine<Symbolic>) -> Came {
        let context = &self.unit.call.context;
        let seen = context.observe(machine, &self.changed);
        let is = |values: &[u8]| {
            let wanted = self.changed.iter().map(|&at| values.get(at as usize).copied());
            seen.iter().copied().eq(wanted)
        };
        match () {
            () if is(&self.finding.values) => Came::New,
            () if is(&context.values) => Came::Old,
            () => Came::Another,
        }
    }
}

/// How a call came.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Came {
    New,
    Old,
    Another,
}

impl Campaign {
    /// Notes that a failure was found by lifting, if nothing else has found it.
    pub(super) fn alarm(&mut self, failure: usize, is_first: bool, expected: &Expected<'_>) {
        let known = self.alarms.iter().position(|alarm| alarm.failure == failure);
        if known.is_none() && !is_first {
            return;
        }
        let mapping = self.mapping(expected.unit, &expected.finding.values, &expected.changed);
        let unit = expected.unit.site.clone();
        let alarm = Alarm { failure, unit, way: expected.way, mapping };
        match known {
            Some(at) => self.alarms[at] = alarm,
            None => self.alarms.push(alarm),
        }
    }

    /// What changed in a unit's context, and from where it comes.
    fn mapping(&mut self, unit: &Unit, values: &[u8], changed: &[u32]) -> Vec<Mapped> {
        let terms = &self.system.symbolic().terms;
        let context = &unit.call.context;
        let mut mapped = Vec::new();
        for group in &context.groups {
            let range = group.begin..group.end;
            if !changed.iter().any(|at| range.contains(at)) {
                continue;
            }
            let bytes = group.begin as usize..group.end as usize;
            let from = Depends::new(terms, &unit.call.input, &context.terms[bytes.clone()], &[]);
            let (first, last) = (from.bytes.first(), from.bytes.last());
            mapped.push(Mapped {
                place: context.describe(&range),
                from: (first.copied().unwrap_or(0), last.copied().unwrap_or(0)),
                copy: range.clone().all(|at| context.is_copy(terms, at)),
                old: context.values[bytes.clone()].to_vec(),
                new: values[bytes].to_vec(),
            });
        }
        mapped
    }

    /// Does one thing to lift a finding. If that does not do what was predicted, the next one comes next.
    pub(super) fn lift(&mut self, mut waiting: Waiting, judge: &mut dyn Judge) -> Event {
        let at = waiting.unit;
        let Some(state) = self.units.get_mut(at).and_then(Option::take) else {
            return Event::Unliftable;
        };
        let unit = &state.unit;
        let mut event = None;
        if waiting.finding.is_still_new(&self.taken) {
            if let Some((way, call)) = waiting.ways.pop_front() {
                event = self.try_way(unit, &mut waiting, way, call, judge);
            } else if let Some(input) = waiting.detours.pop() {
                event = self.try_detour(unit, &mut waiting, input, judge);
            } else if !self.next_ways(unit, &mut waiting) {
                self.give_up(unit, &waiting);
                waiting.done = true;
            }
            if waiting.done {
                self.learn(unit, &waiting);
            }
            if !waiting.done {
                self.lifts.push_front(waiting);
            }
        }
        self.units[at] = Some(state);
        event.unwrap_or(Event::Unliftable)
    }

    /// What is tried when all before has led to nothing: from the run of the unit, by detours from the runs that admit most of the
    /// values, and without what was decided. False if nothing is left.
    fn next_ways(&mut self, unit: &Unit, waiting: &mut Waiting) -> bool {
        if waiting.calls.is_empty() && !waiting.last && waiting.made == 0 {
            let failure = waiting.finding.failure.as_ref();
            let guess = failure.map(|it| Guess::Failure(it.site.clone(), it.kind));
            if guess.is_some_and(|guess| self.is_vain(unit, guess)) {
                // What it does on the way may still be lifted.
                waiting.finding.failure = None;
                if waiting.finding.edges.is_empty() {
                    return false;
                }
            }
            let call = Rc::new(unit.call.clone());
            let ways = [Way::Context, Way::Prefix, Way::Local];
            waiting.ways.extend(ways.map(|way| (way, Rc::clone(&call))));
            waiting.calls.push((0, call));
            return true;
        }
        let best = (0..waiting.calls.len()).max_by_key(|&at| waiting.calls[at].0);
        let goes_on = waiting.made < DETOURS && !self.is_vain(unit, Guess::Detours);
        if let Some(best) = best.filter(|_| goes_on) {
            let (_, call) = waiting.calls.swap_remove(best);
            let terms = &mut self.system.symbolic().terms;
            let values = &waiting.finding.values;
            let changed = lift::changed(&unit.call, values);
            let (_, inputs) = lift::detours(terms, &mut self.solver, &call, values, &changed);
            let mended = inputs.into_iter().map(|it| self.system.mend(&call.input, it));
            waiting.detours = mended.collect();
            waiting.made += 1;
            return true;
        }
        if waiting.last {
            return false;
        }
        let call = Rc::new(unit.call.clone());
        let ways = [Way::Alone, Way::Decimal].into_iter();
        let ways = ways.filter(|&way| !self.is_vain(unit, Guess::Way(way)));
        waiting.ways.extend(ways.map(|way| (way, Rc::clone(&call))));
        waiting.last = true;
        true
    }

    /// Whether a kind of guess has come true too seldom to be made again for this function.
    fn is_vain(&self, unit: &Unit, guess: Guess) -> bool {
        let (made, came) = self.guesses.get(&(unit.function, guess)).copied().unwrap_or_default();
        made >= GUESSES && came * TRUE < made
    }

    /// A finding is over: notes whether its failure, and its detours, came to something.
    fn learn(&mut self, unit: &Unit, waiting: &Waiting) {
        let is_lifted = waiting.lifted;
        let mut note = |guess| {
            let (made, came) = self.guesses.entry((unit.function, guess)).or_default();
            *made += 1;
            *came += u32::from(is_lifted);
        };
        if !waiting.seen.is_empty() {
            note(Guess::Detours);
        }
        if let Some(failing) = &waiting.finding.failure {
            note(Guess::Failure(failing.site.clone(), failing.kind));
        }
    }

    /// Runs an input with which the call may have other terms, from which the values may be had.
    fn try_detour(
        &mut self,
        unit: &Unit,
        waiting: &mut Waiting,
        input: Vec<u8>,
        judge: &mut dyn Judge,
    ) -> Option<Event> {
        // Its run may have been made for something else: what is wanted now is this call.
        if !waiting.seen.insert(input.clone()) {
            return None;
        }
        self.is_new(&input);
        self.counts.detours += 1;
        waiting.made += 1;
        let changed = lift::changed(&unit.call, &waiting.finding.values);
        let expected = Expected { unit, finding: &waiting.finding, changed, way: None };
        let ran = self.run(input, Some(&expected), false, judge);
        if let Some(call) = ran.call {
            let call = Rc::new(call);
            let terms = &mut self.system.symbolic().terms;
            let values = &waiting.finding.values;
            let changed = lift::changed(&unit.call, values);
            let (admitted, _) = lift::detours(terms, &mut self.solver, &call, values, &changed);
            let ways = [Way::Prefix, Way::Local];
            waiting.ways.extend(ways.map(|way| (way, Rc::clone(&call))));
            waiting.calls.push((admitted, call));
        }
        waiting.lifted = ran.failed_so || (ran.predicted && waiting.finding.failure.is_none());
        waiting.done = waiting.lifted;
        Some(ran.event)
    }

    fn try_way(
        &mut self,
        unit: &Unit,
        waiting: &mut Waiting,
        way: Way,
        call: Rc<Call>,
        judge: &mut dyn Judge,
    ) -> Option<Event> {
        let number = Way::ALL.iter().position(|&it| it == way)?;
        let terms = &mut self.system.symbolic().terms;
        let values = &waiting.finding.values;
        let changed = lift::changed(&unit.call, values);
        let input = match lift::lift(terms, &mut self.solver, &call, values, &changed, way) {
            Ok(input) => self.system.mend(&call.input, input),
            Err(Unliftable::Unsatisfiable) => {
                self.ways[number].unsatisfiable += 1;
                return None;
            }
            Err(Unliftable::Budget) => {
                self.ways[number].unknown += 1;
                return None;
            }
        };
        waiting.tried = true;
        if !self.is_new(&input) {
            return None;
        }
        let expected = Expected { unit, finding: &waiting.finding, changed, way: Some(way) };
        let ran = self.run(input, Some(&expected), false, judge);
        self.functions[LIFTED].insert(unit.function);
        let outcomes = &mut self.counts.outcomes;
        *match ran.came {
            None => &mut outcomes.never,
            Some(Came::New) => &mut outcomes.new,
            Some(Came::Old) => &mut outcomes.old,
            Some(Came::Another) => &mut outcomes.another,
        } += 1;
        self.counts.edges_lifted += ran.edges;
        let lifted = &mut self.ways[number];
        lifted.inputs += 1;
        if ran.predicted {
            lifted.predicted += 1;
            self.functions[EFFECTIVE].insert(unit.function);
        } else if ran.edges > 0 || ran.is_failure {
            lifted.other += 1;
        }
        if matches!(way, Way::Alone | Way::Decimal) {
            let guess = (unit.function, Guess::Way(way));
            let (made, came) = self.guesses.entry(guess).or_default();
            *made += 1;
            *came += u32::from(ran.predicted || ran.edges > 0);
        }
        waiting.reached |= ran.came == Some(Came::New);
        waiting.shown |= ran.shown;
        // Of a failure the edges on the way to it may come without it.
        waiting.lifted = ran.failed_so || (ran.predicted && waiting.finding.failure.is_none());
        waiting.done = waiting.lifted;
        Some(ran.event)
    }

    /// All ways were tried.
    fn give_up(&mut self, unit: &Unit, waiting: &Waiting) {
        let causes = &mut self.counts.causes;
        *match waiting {
            // No way was begun.
            Waiting { tried: false, last: false, .. } if waiting.calls.is_empty() => {
                &mut causes.repeated
            }
            Waiting { tried: false, .. } => &mut causes.unliftable,
            Waiting { shown: true, .. } => &mut causes.nondeterminism,
            Waiting { reached: true, .. } => &mut causes.context,
            _ => &mut causes.mapping,
        } += 1;
        let Some(failing) = &waiting.finding.failure else { return };
        let key = (failing.site.clone(), failing.kind);
        if let Some(known) = self.suspicions.get_mut(&key) {
            known.count += 1;
        } else if self.suspicions.len() < SUSPICIONS {
            let values = &waiting.finding.values;
            let mapping = self.mapping(unit, values, &lift::changed(&unit.call, values));
            let (unit, failing) = (unit.site.clone(), failing.clone());
            self.suspicions.insert(key, Suspicion { unit, failing, mapping, count: 1 });
        }
    }
}
