//! The campaign: runs of the program, units forked out of them, and what is found lifted back.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pleach::bridge::system::{Broken, SystemTester};
use pleach::explore::native::Verdict;
use pleach::explore::random::Random;
use pleach::explore::search::Failure as Fault;
use pleach::native::places::{self, Form, How, Place};
use pleach::native::unit::wire::{self, Batch, Row, Told, Value};

use super::ear::{Called, Ear, Fork, Panicked};
use super::outcome::{Outcome, Outcomes, outcome};
use super::suspicion::{Suspicion, is_so, is_there};
use super::system::System;
use crate::runs::Ending;

/// How many units of a function there are at a time, and how many of all: each is a process with the program's memory.
const UNITS: usize = 4;
const ALL_UNITS: usize = 64;
/// How many runs a batch has, and after how many without anything new a unit is given up.
const RUNS: u64 = 20_000;
const IDLE: u32 = 20;
/// How long a unit may say nothing in a batch.
const PATIENCE: Duration = Duration::from_secs(15);
/// How many values of a unit are kept to go on from.
const KEPT: usize = 64;
/// How many findings of a batch are lifted.
const LIFTED: usize = 64;
/// For how many runs of units there is an input of the system's tester, which takes some hundred times as long as one. For each run of the program
/// there is one, too: each of the two finds what the other one does not.
const RUNS_A_PROCESS: u64 = 512;
/// How many there are at a time if there is nothing else to do.
const BESIDE: u64 = 64;
/// At how many places of the input a value of a function is changed without ever coming of one, before it is given up.
const IN_VAIN: u32 = 24;
/// How many inputs wait for being carved.
const WAITING: usize = 256;

/// What became of a value of a function.
#[derive(Clone, Debug)]
pub(super) struct Mapping {
    pub(super) value: String,
    pub(super) place: Option<Place>,
    /// What it was in the call.
    pub(super) bytes: Vec<u8>,
    /// How often it was to be seen in the input, changed there or not.
    pub(super) places: usize,
}

/// A value that was lifted.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) value: String,
    pub(super) place: Place,
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
}

/// What was found in a unit and is so in the program.
#[derive(Clone, Debug)]
pub(super) struct Lift {
    pub(super) function: String,
    pub(super) input: Vec<u8>,
    pub(super) parts: Vec<Part>,
    pub(super) encoded: bool,
    /// How many edges are new, and whether some of the unit's are among them; or which failure it is.
    pub(super) edges: usize,
    pub(super) failure: Option<usize>,
    pub(super) predicted: bool,
    pub(super) seconds: f64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) runs: u64,
    pub(super) inputs: u64,
    pub(super) edges: u64,
    pub(super) edges_lifted: u64,
    pub(super) units: u64,
    pub(super) lost: u64,
    pub(super) unit_runs: u64,
    pub(super) unit_nanoseconds: u64,
    /// That of their calls alone.
    pub(super) call_nanoseconds: u64,
    pub(super) found: u64,
    pub(super) lifted: u64,
    pub(super) effective: u64,
}

/// A function of which there are units.
#[derive(Clone, Debug, Default)]
pub(super) struct Function {
    pub(super) carved: u64,
    pub(super) tested: bool,
    pub(super) lifted: bool,
    pub(super) effective: bool,
    pub(super) mappings: Vec<Mapping>,
    /// Of each value at how many places it was changed, until it came of one.
    vain: Vec<u32>,
}

#[derive(Debug)]
struct Unit {
    fork: Fork,
    call: Called,
    input: Vec<u8>,
    /// Of each value the place that it comes of.
    places: Vec<Option<Place>>,
    kept: VecDeque<Row>,
    /// Of how many, the call's own values and then these, comparisons were looked at.
    compared: usize,
    avoided: Vec<u64>,
    seen: BTreeSet<u32>,
    idle: u32,
}

/// Something that a unit did.
enum Finding {
    Edges(Row, Vec<u32>),
    /// Its place or how it ended, and what is said of it.
    Failure(Row, String, String),
}

/// A run of the program.
#[derive(Debug)]
pub(super) struct Ran {
    calls: Vec<Called>,
    edges: Vec<u32>,
    failure: Option<usize>,
    /// Whether the process has forked for the unit that was wanted.
    forked: bool,
}

/// What happened.
#[derive(Debug)]
pub(super) enum Event {
    /// An input did something new.
    Input(Vec<u8>),
    /// A failure is new, or its input is smaller.
    Failure(usize),
    Lifted(usize),
}

pub(super) struct Campaign {
    ear: Ear,
    system: System,
    beside: Option<Box<dyn SystemTester>>,
    broken: Option<Broken>,
    focus: Vec<String>,
    random: Random,
    longest: usize,
    begun: Instant,
    /// When it is to end, and whether somebody interrupts.
    until: Option<Instant>,
    stopped: Arc<AtomicBool>,
    known: Vec<bool>,
    waiting: VecDeque<Vec<u8>>,
    units: VecDeque<Unit>,
    next: u32,
    pub(super) counts: Counts,
    /// Of the places of values, and of what was lifted.
    pub(super) mapped: Outcomes,
    pub(super) outcomes: Outcomes,
    pub(super) functions: BTreeMap<String, Function>,
    pub(super) failures: Vec<Fault>,
    pub(super) lifts: Vec<Lift>,
    pub(super) suspicions: Vec<Suspicion>,
    /// What is to be told.
    pub(super) events: VecDeque<Event>,
}

impl Campaign {
    pub(super) fn new(
        ear: Ear,
        system: System,
        beside: Option<Box<dyn SystemTester>>,
        focus: &[String],
        (seed, longest): (u64, usize),
        (time, stopped): (Duration, Arc<AtomicBool>),
    ) -> Self {
        let begun = Instant::now();
        Self {
            ear,
            system,
            beside,
            broken: None,
            focus: focus.to_vec(),
            random: Random(seed),
            longest,
            begun,
            until: begun.checked_add(time),
            stopped,
            known: Vec::new(),
            waiting: VecDeque::new(),
            units: VecDeque::new(),
            next: 0,
            counts: Counts::default(),
            mapped: Outcomes::default(),
            outcomes: Outcomes::default(),
            functions: BTreeMap::new(),
            failures: Vec::new(),
            lifts: Vec::new(),
            suspicions: Vec::new(),
            events: VecDeque::new(),
        }
    }

    pub(super) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// Whether its time is over, or somebody interrupts.
    pub(super) fn has_ended(&self) -> bool {
        self.is_stopped() || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Whether somebody interrupts.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// How many processes have said that they are there, and how many edges they have.
    pub(super) fn heard(&self) -> io::Result<(u32, usize)> {
        Ok((self.ear.processes()?, self.known.len()))
    }

    /// Why no more inputs come from beside, once.
    pub(super) fn broken(&mut self) -> Option<Broken> {
        self.broken.take()
    }

    /// A function as it is named, or the end of its name.
    fn admits(&self, function: &str) -> bool {
        let is_it = |focus: &String| {
            let before = function.strip_suffix(focus.as_str());
            before.is_some_and(|before| before.is_empty() || before.ends_with("::"))
        };
        self.focus.is_empty() || self.focus.iter().any(is_it)
    }

    /// Runs the program; nothing if somebody interrupts, or the time is over. What did something new will be carved.
    fn run(&mut self, input: &[u8], wanted: Option<(&Called, u32)>) -> io::Result<Option<Ran>> {
        if self.counts.runs > 0 && self.has_ended() {
            return Ok(None);
        }
        self.ear.begin(wanted)?;
        let Some(ended) = self.system.run(input, &self.stopped)? else { return Ok(None) };
        let heard = self.ear.end()?;
        self.counts.runs += 1;
        let edges = self.ear.new_edges(&mut self.known)?;
        for call in &heard.calls {
            if !self.functions.contains_key(&call.function) && self.admits(&call.function) {
                self.functions.insert(call.function.clone(), Function::default());
            }
        }
        let failure = self.failed(heard.panics, ended, input);
        if !edges.is_empty() {
            self.counts.inputs += 1;
            self.counts.edges += edges.len() as u64;
            if failure.is_none() {
                self.events.push_back(Event::Input(input.to_vec()));
                if let Some(beside) = &mut self.beside {
                    beside.learn(input);
                }
                if self.waiting.len() < WAITING {
                    self.waiting.push_back(input.to_vec());
                }
            }
        }
        Ok(Some(Ran { calls: heard.calls, edges, failure, forked: heard.forked }))
    }

    /// How a run has failed, if it has: by its panics or its end, or as the program does it itself where that is another one.
    fn failed(
        &mut self,
        panics: Vec<Panicked>,
        ended: Option<String>,
        input: &[u8],
    ) -> Option<usize> {
        if panics.is_empty() && ended.is_none() {
            return None;
        }
        match self.system.judge(input) {
            // That it can't be run at all its form with marks says, too.
            Some(Verdict::Passed | Verdict::Unknown(_)) => return None,
            Some(Verdict::Failed(fault)) => {
                let location = fault.location.map_or_else(String::new, |(file, line, column)| {
                    format!("{file}:{line}:{column}")
                });
                return Some(self.fails(&fault.kind, location, fault.message, input));
            }
            None => {}
        }
        let mut failure = None;
        for Panicked { message, place } in panics {
            failure = Some(self.fails("panic", place, message, input));
        }
        if let Some(how) = ended
            && failure.is_none()
        {
            failure = Some(self.fails("end", String::new(), how, input));
        }
        failure
    }

    /// Notes a failure.
    fn fails(&mut self, kind: &str, location: String, message: String, input: &[u8]) -> usize {
        let is_same = |it: &Fault| {
            it.location == location
                && (!location.is_empty() || (&it.kind[..], &it.message) == (kind, &message))
        };
        if let Some(at) = self.failures.iter().position(is_same) {
            let known = &mut self.failures[at];
            known.count += 1;
            if (input.len(), input) < (known.input.len(), &known.input[..]) {
                (known.input, known.kind) = (input.to_vec(), kind.to_owned());
                known.message = message;
                self.events.push_back(Event::Failure(at));
            }
            return at;
        }
        let kind = kind.to_owned();
        let input = input.to_vec();
        self.failures.push(Fault { input, kind, location, message, count: 1 });
        let at = self.failures.len() - 1;
        // Whichever function failed there alone: callers do so with it.
        for suspicion in &mut self.suspicions {
            suspicion.confirmed |= is_there(&self.failures[at], &suspicion.place);
        }
        self.events.push_back(Event::Failure(at));
        at
    }

    /// Runs an input to begin with; whether nobody interrupts.
    pub(super) fn seed(&mut self, input: &[u8]) -> io::Result<bool> {
        let Some(ran) = self.run(input, None)? else { return Ok(false) };
        // One that does nothing new may have calls with other values.
        if ran.edges.is_empty() && ran.failure.is_none() && self.waiting.len() < WAITING {
            self.waiting.push_back(input.to_vec());
        }
        Ok(true)
    }

    /// Carves an input, or runs a batch of a unit and lifts what it found, and runs some inputs from beside; whether there is more to do.
    pub(super) fn step(&mut self) -> io::Result<bool> {
        let (mut goes_on, before) = (false, self.counts);
        if let Some(input) = self.waiting.pop_front() {
            self.carve(&input)?;
            goes_on = true;
        } else if let Some(mut unit) = self.units.pop_front() {
            goes_on = true;
            // One goes on in any case: what else there is to do takes longer.
            if self.batch(&mut unit)? && (unit.idle < IDLE || self.units.is_empty()) {
                self.units.push_back(unit);
            }
        }
        let Counts { runs, unit_runs, .. } = self.counts;
        // A batch that came to nothing has taken its time, too.
        let batches = (unit_runs - before.unit_runs).div_ceil(RUNS_A_PROCESS).max(1);
        let spent = runs - before.runs + batches;
        for _ in 0..if goes_on { spent } else { BESIDE } {
            let Some(beside) = &mut self.beside else { break };
            match beside.next() {
                Ok(Some(input)) => {
                    goes_on = true;
                    if self.run(&input, None)?.is_none() {
                        break;
                    }
                }
                Ok(None) => break,
                Err(broken) => {
                    self.broken = Some(broken);
                    self.beside = None;
                }
            }
        }
        Ok(goes_on)
    }

    /// Takes units out of the run of an input.
    fn carve(&mut self, input: &[u8]) -> io::Result<()> {
        let Some(ran) = self.run(input, None)? else { return Ok(()) };
        let mut taken = BTreeSet::new();
        for call in &ran.calls {
            let living = self.units.iter().filter(|it| it.call.function == call.function).count();
            if !self.admits(&call.function) || living >= UNITS || taken.contains(&call.function) {
                continue;
            }
            if self.units.len() >= ALL_UNITS && !self.make_room() {
                break;
            }
            let Some(places) = self.map(call, input)? else { return Ok(()) };
            // Another call of the function may have values of the input.
            if places.iter().all(Option::is_none) {
                continue;
            }
            taken.insert(&call.function);
            let number = self.next;
            self.next += 1;
            let Some(again) = self.run(input, Some((call, number)))? else { return Ok(()) };
            let Some(fork) = again.forked.then(|| self.ear.unit(number)).flatten() else {
                self.counts.lost += 1;
                continue;
            };
            fork.stream.set_read_timeout(Some(PATIENCE))?;
            self.counts.units += 1;
            self.functions.entry(call.function.clone()).or_default().carved += 1;
            self.units.push_back(Unit {
                fork,
                call: call.clone(),
                input: input.to_vec(),
                places,
                kept: VecDeque::new(),
                compared: 0,
                avoided: Vec::new(),
                seen: BTreeSet::new(),
                idle: 0,
            });
        }
        Ok(())
    }

    /// Ends the unit that has done nothing new for longest; whether there is one.
    fn make_room(&mut self) -> bool {
        let idle = (0..self.units.len()).max_by_key(|&at| self.units[at].idle);
        let idle = idle.filter(|&at| self.units[at].idle > 0);
        idle.is_some_and(|at| self.units.remove(at).is_some())
    }

    /// At how many places a value of a function was changed since it came of one.
    fn vain(&mut self, function: &str, index: usize) -> Option<&mut u32> {
        let vain = &mut self.functions.get_mut(function)?.vain;
        vain.resize(vain.len().max(index + 1), 0);
        vain.get_mut(index)
    }

    /// Of each value the place in the input that it comes of, as changing that shows; nothing if somebody interrupts.
    fn map(&mut self, call: &Called, input: &[u8]) -> io::Result<Option<Vec<Option<Place>>>> {
        let (mut all, mut mappings) = (Vec::new(), Vec::new());
        for (index, value) in call.values.iter().enumerate() {
            let places = places::places(value, input);
            let mut found = None;
            for place in &places {
                if self.vain(&call.function, index).is_some_and(|vain| *vain >= IN_VAIN) {
                    break;
                }
                let other = places::another(value);
                if other == value.bytes {
                    break;
                }
                let how = if place.form == Form::Percent { How::Encoded } else { How::Plain };
                let changed = places::put(input, &[(*place, value, &other)], how);
                let Some(ran) = self.run(&changed, None)? else { return Ok(None) };
                let outcome = outcome(&ran.calls, call, &[(index, &other)]);
                self.mapped.count(outcome);
                let is_it = outcome == Outcome::New;
                if let Some(vain) = self.vain(&call.function, index) {
                    *vain = if is_it { 0 } else { *vain + 1 };
                }
                if is_it {
                    found = Some(*place);
                    break;
                }
            }
            all.push(found);
            mappings.push(Mapping {
                value: value.name.clone(),
                place: found,
                bytes: value.bytes.clone(),
                places: places.len(),
            });
        }
        let function = self.functions.entry(call.function.clone()).or_default();
        // What is said is what the call of most values that come of the input had.
        let count = |of: &[Mapping]| of.iter().filter(|it| it.place.is_some()).count();
        if function.mappings.is_empty() || count(&mappings) > count(&function.mappings) {
            function.mappings = mappings;
        }
        Ok(Some(all))
    }

    /// Runs a unit for a while, and lifts what that found; whether the unit is still there.
    fn batch(&mut self, unit: &mut Unit) -> io::Result<bool> {
        let free = (0u32..).zip(&unit.places).filter(|(_, place)| place.is_some());
        let batch = Batch {
            seed: self.random.draw(),
            runs: RUNS,
            free: free.map(|(value, _)| value).collect(),
            kept: unit.kept.iter().cloned().collect(),
            compared: unit.compared as u32,
            avoided: unit.avoided.clone(),
            seen: unit.seen.iter().copied().collect(),
            words: self.system.words().to_vec(),
        };
        self.functions.entry(unit.call.function.clone()).or_default().tested = true;
        let mut findings = Vec::new();
        let is_there = match self.tested(unit, &batch, &mut findings) {
            Ok(is_there) => is_there,
            Err(_) => {
                self.counts.lost += 1;
                false
            }
        };
        let is_new = |it: &Finding| match it {
            Finding::Edges(..) => true,
            Finding::Failure(_, place, _) => !self.is_over(&unit.call.function, place),
        };
        unit.idle = if findings.iter().any(is_new) { 0 } else { unit.idle + 1 };
        for finding in findings.into_iter().take(LIFTED) {
            if !self.lift(unit, finding)? {
                break;
            }
        }
        Ok(is_there)
    }

    /// Has a batch run, and takes down what is found.
    fn tested(
        &mut self,
        unit: &mut Unit,
        batch: &Batch,
        findings: &mut Vec<Finding>,
    ) -> io::Result<bool> {
        batch.send(&mut unit.fork.stream)?;
        let (mut all, begun) = (1 + batch.kept.len(), Instant::now());
        while let Some(told) = Told::receive(&mut unit.fork.stream)? {
            // It has so much time of the processor at most, and may sleep.
            if begun.elapsed() > PATIENCE {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let own = unit.call.values.iter().map(|value| &value.bytes);
            if let Told::Failed { row, .. } | Told::Ended { row, .. } = &told
                && row.iter().eq(own)
            {
                // The program has not failed with these, so it is the fork that can't run them: one without the threads that it would need.
                self.counts.lost += 1;
                return Ok(false);
            }
            let (row, place, what) = match told {
                Told::Found { row, edges } => {
                    unit.seen.extend(&edges);
                    if unit.kept.len() >= KEPT {
                        unit.kept.pop_front();
                        // The call's own values stay.
                        all -= usize::from(all > 1);
                        unit.compared -= usize::from(unit.compared > 1);
                    }
                    unit.kept.push_back(row.clone());
                    if row.len() == unit.places.len() {
                        findings.push(Finding::Edges(row, edges));
                    }
                    continue;
                }
                Told::Failed { row, message, place } => {
                    let place = self.system.place(place);
                    let what = format!("panic at {place}: {message}");
                    (row, place, what)
                }
                Told::Ended { row, signal: None } => {
                    (row, Ending::TimedOut.to_string(), "no end".to_owned())
                }
                // It has exited, as it may.
                Told::Ended { row, signal: Some(0) } => {
                    unit.avoided.push(wire::hash(row.iter().map(Vec::as_slice)));
                    continue;
                }
                Told::Ended { row, signal: Some(signal) } => {
                    let how = Ending::Signal(signal as i32).to_string();
                    (row, how.clone(), how)
                }
                Told::Done { runs, nanoseconds, calls } => {
                    // One that came to its end has looked at all that it was given.
                    if nanoseconds > 0 {
                        unit.compared = all;
                        self.counts.unit_runs += runs;
                        self.counts.unit_nanoseconds += nanoseconds;
                        self.counts.call_nanoseconds += calls;
                    }
                    return Ok(true);
                }
                _ => return Err(io::ErrorKind::InvalidData.into()),
            };
            unit.avoided.push(wire::hash(row.iter().map(Vec::as_slice)));
            if row.len() == unit.places.len() {
                findings.push(Finding::Failure(row, place, what));
            }
        }
        Ok(false)
    }

    /// Puts the values of a finding into the input; whether nobody interrupts.
    fn lift(&mut self, unit: &Unit, finding: Finding) -> io::Result<bool> {
        self.counts.found += 1;
        let (row, predicted, what) = match finding {
            Finding::Edges(row, edges) => (row, edges, None),
            Finding::Failure(row, place, what) => (row, Vec::new(), Some((place, what))),
        };
        let suspicion =
            what.map(|(place, what)| self.suspect(&unit.call.function, place, what, &row));
        if suspicion.is_some_and(|at| self.suspicions[at].is_over()) {
            return Ok(true);
        }
        let values = &unit.call.values;
        let mut changes: Vec<(usize, Place, &Value, &[u8])> = Vec::new();
        for (index, value) in values.iter().enumerate() {
            if let Some(place) = unit.places[index]
                && row[index] != value.bytes
            {
                changes.push((index, place, value, &row[index]));
            }
        }
        let new: Vec<(usize, &[u8])> = changes.iter().map(|it| (it.0, it.3)).collect();
        let put: Vec<(Place, &Value, &[u8])> =
            changes.iter().map(|it| (it.1, it.2, it.3)).collect();
        let inputs = How::ALL.map(|how| places::put(&unit.input, &put, how));
        let (mut last, mut is_effective) = (None, false);
        for (at, (input, how)) in inputs.iter().zip(How::ALL).enumerate() {
            if input.len() > self.longest || inputs[..at].contains(input) {
                continue;
            }
            let Some(ran) = self.run(input, None)? else { return Ok(false) };
            let outcome = outcome(&ran.calls, &unit.call, &new);
            last = Some(outcome);
            if !ran.edges.is_empty() || ran.failure.is_some() {
                is_effective = true;
                let predicted = match suspicion {
                    None => ran.edges.iter().any(|edge| predicted.contains(edge)),
                    Some(at) => ran.failure.is_some_and(|failure| {
                        is_so(&self.failures[failure], &self.suspicions[at].place)
                    }),
                };
                if let Some(at) = suspicion.filter(|_| predicted) {
                    self.suspicions[at].confirmed = true;
                }
                self.counts.edges_lifted += ran.edges.len() as u64;
                let parts = changes.iter().map(|(_, place, value, new)| Part {
                    value: value.name.clone(),
                    place: *place,
                    old: value.bytes.clone(),
                    new: new.to_vec(),
                });
                let lift = Lift {
                    function: unit.call.function.clone(),
                    input: input.clone(),
                    parts: parts.collect(),
                    encoded: how == How::Encoded,
                    edges: ran.edges.len(),
                    failure: ran.failure,
                    predicted,
                    seconds: self.seconds(),
                };
                self.lifts.push(lift);
                self.events.push_back(Event::Lifted(self.lifts.len() - 1));
            }
            if outcome == Outcome::New {
                break;
            }
        }
        if let Some(outcome) = last {
            self.outcomes.count(outcome);
            self.counts.lifted += 1;
            self.counts.effective += u64::from(is_effective);
            let function = self.functions.entry(unit.call.function.clone()).or_default();
            function.lifted = true;
            function.effective |= is_effective;
        }
        Ok(true)
    }

    /// Whether a failure of a unit is known so well that it is not lifted again.
    fn is_over(&self, function: &str, place: &str) -> bool {
        let mut all = self.suspicions.iter();
        all.any(|it| it.function == function && it.place == place && it.is_over())
    }

    /// Notes a failure of a unit.
    fn suspect(&mut self, function: &str, place: String, what: String, row: &Row) -> usize {
        let is_same = |it: &Suspicion| it.function == function && it.place == place;
        if let Some(at) = self.suspicions.iter().position(is_same) {
            self.suspicions[at].count += 1;
            return at;
        }
        let (function, row) = (function.to_owned(), row.clone());
        let confirmed = self.failures.iter().any(|failure| is_there(failure, &place));
        self.suspicions.push(Suspicion { function, place, what, row, count: 1, confirmed });
        self.suspicions.len() - 1
    }
}
