//! The tester of a unit, in the process of a batch: values by comparisons and at random.

use super::apart::{self, Page};
use super::hooks;
use super::pieces::candidates;
use super::{Call, Values, said};
use crate::mutate;
use crate::random::Random;
use crate::wire::{self, Batch, Kind, LONGEST, Row, Told, Value};
use std::collections::{HashSet, VecDeque};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How much a value is made longer, so that all of what it is compared with is seen.
const LONGER: usize = 64;
/// One in so many random values has its comparisons recorded, and one in how many after others had nothing new in them again and again.
const RECORDED: u64 = 16;
const SELDOM: u64 = 1024;
/// One in so many runs is looked at the time, and of the call, if its comparisons are not recorded, how long it took.
const TIMED: u64 = 16;
/// One in so many changes of a value puts a word into it, if there are any.
const WORDS: usize = 8;
/// How many values wait, and how many are known to have been run.
const WAITING: usize = 4096;
const KNOWN: usize = 1 << 16;
/// How much CPU time a batch takes at most.
const TIME: Duration = Duration::from_secs(2);

/// What the last panic said.
static PANIC: Mutex<Option<(String, String)>> = Mutex::new(None);

pub(super) struct Tester<'a> {
    values: &'a [Value],
    batch: Batch,
    page: &'static Page,
    stream: &'a mut UnixStream,
    function: &'a mut dyn FnMut(&Values),
    random: Random,
    /// Values to go on from.
    kept: Vec<Row>,
    /// Those of which the comparisons are not recorded yet.
    new: VecDeque<Row>,
    waiting: VecDeque<Row>,
    known: HashSet<u64>,
    /// Comparisons of random values of which something came already.
    met: HashSet<u64>,
    /// How much CPU time there was when it was last looked at.
    used: Duration,
    /// How many calls had their time taken, and what it was together, less what looking takes.
    timed: (u32, Duration),
    looking: Duration,
}

impl<'a> Tester<'a> {
    pub(super) fn new(
        call: &'a Call,
        mut batch: Batch,
        page: &'static Page,
        stream: &'a mut UnixStream,
        function: &'a mut dyn FnMut(&Values),
    ) -> Tester<'a> {
        let values = &call.values[..];
        // What has another form is no row of this call.
        batch.kept.retain(|row| row.len() == values.len());
        batch.free.retain(|value| (*value as usize) < values.len());
        let base: Row = values.iter().map(|value| value.bytes.clone()).collect();
        let kept: Vec<Row> = std::iter::once(base).chain(std::mem::take(&mut batch.kept)).collect();
        Tester {
            values,
            page,
            stream,
            function,
            random: Random(batch.seed),
            new: kept.iter().skip(batch.compared as usize).rev().cloned().collect(),
            kept,
            waiting: VecDeque::new(),
            known: batch.avoided.iter().copied().collect(),
            met: HashSet::new(),
            batch,
            used: apart::used(),
            timed: (0, Duration::ZERO),
            looking: looking(),
        }
    }

    /// Runs the unit as often as it should; not to the end if it fails.
    pub(super) fn run(mut self) {
        std::panic::set_hook(Box::new(|panic| {
            if let Ok(mut last) = PANIC.lock() {
                *last = Some(said(panic));
            }
        }));
        hooks::begin_unit(&self.batch.seen);
        // What the call does with its own values is no news, if it is recorded or not.
        let base = self.kept[0].clone();
        let mut goes_on = self.call(&base, false, false) && self.call(&base, true, false);
        let (mut left, mut every) = (RECORDED, RECORDED);
        while goes_on
            && self.page.runs.load(Ordering::Relaxed) < self.batch.runs
            && self.used < TIME
        {
            goes_on = if let Some(row) = self.waiting.pop_front() {
                self.call(&row, false, true)
            } else if let Some(row) = self.new.pop_front() {
                self.compared(&row)
            } else if self.batch.free.is_empty() {
                false
            } else {
                let row = self.changed();
                left -= 1;
                let records = left == 0;
                let goes_on = self.call(&row, records, true);
                if records && goes_on {
                    let mut met = std::mem::take(&mut self.met);
                    every = match self.candidates(&row, &mut met) {
                        true => RECORDED,
                        false => (2 * every).min(SELDOM),
                    };
                    self.met = met;
                    left = every;
                }
                goes_on
            };
        }
        self.page.nanoseconds.store(apart::used().as_nanos() as u64, Ordering::Relaxed);
        let (timed, time) = self.timed;
        let runs = self.page.runs.load(Ordering::Relaxed);
        let calls = time.as_nanos() as u64 * runs / u64::from(timed.max(1));
        self.page.calls.store(calls, Ordering::Relaxed);
    }

    /// Records what values are compared with, as they are and longer.
    fn compared(&mut self, row: &Row) -> bool {
        if !self.call(row, true, true) {
            return false;
        }
        self.candidates(row, &mut HashSet::new());
        for value in self.batch.free.clone() {
            let value = value as usize;
            if self.values[value].kind != (Kind::Number { signed: true })
                && self.values[value].kind != (Kind::Number { signed: false })
                && row[value].len() + LONGER <= LONGEST
            {
                let mut longer = row.clone();
                longer[value].extend([b'x'; LONGER]);
                if !self.call(&longer, true, true) {
                    return false;
                }
                self.candidates(&longer, &mut HashSet::new());
            }
        }
        true
    }

    /// Has values wait that come of the comparisons that were recorded last, but for those that were met; whether there are some.
    fn candidates(&mut self, row: &Row, met: &mut HashSet<u64>) -> bool {
        let Self { values, batch, waiting, known, .. } = self;
        let before = waiting.len();
        for pair in hooks::pairs() {
            let length = usize::from(pair.length);
            let sides = [&pair.left[..length], &pair.right[..length]];
            if met.len() >= KNOWN || !met.insert(wire::hash(sides.into_iter())) {
                continue;
            }
            for &value in &batch.free {
                let value = value as usize;
                candidates(&values[value], &row[value], pair, &mut |bytes| {
                    if waiting.len() >= WAITING || known.len() >= KNOWN {
                        return;
                    }
                    let is = |at: usize| if at == value { &bytes[..] } else { &row[at][..] };
                    let hash = wire::hash((0..row.len()).map(is));
                    if is_text(&values[value], &bytes) && known.insert(hash) {
                        let mut other = row.clone();
                        other[value] = bytes;
                        waiting.push_back(other);
                    }
                });
            }
        }
        waiting.len() > before
    }

    /// Kept values with something else in one of those that are free.
    fn changed(&mut self) -> Row {
        let random = &mut self.random;
        let mut row = self.kept[random.below(self.kept.len())].clone();
        // Mostly once, seldom often.
        for _ in 0..1 << random.below(4).min(random.below(4)) {
            let value = self.batch.free[random.below(self.batch.free.len())] as usize;
            let bytes = &mut row[value];
            let words = &self.batch.words;
            let has_word = !words.is_empty() && random.below(WORDS) == 0;
            match self.values[value].kind {
                Kind::Bytes | Kind::Text if has_word => {
                    let before = bytes.clone();
                    mutate::word(bytes, &words[random.below(words.len())], LONGEST, random);
                    if !is_text(&self.values[value], bytes) {
                        *bytes = before;
                    }
                }
                Kind::Number { .. } => mutate::number(bytes, random),
                Kind::Bytes => mutate::input(bytes, LONGEST, random),
                Kind::Text if random.below(8) == 0 => mutate::character(bytes, LONGEST, random),
                Kind::Text => {
                    mutate::input(bytes, LONGEST, random);
                    while let Err(error) = std::str::from_utf8(bytes) {
                        bytes[error.valid_up_to()] &= 0x7f;
                    }
                }
            }
        }
        row
    }

    /// Runs the unit, and tells what is new; whether to go on.
    fn call(&mut self, row: &Row, records: bool, tells: bool) -> bool {
        let is_avoided = tells
            && !self.batch.avoided.is_empty()
            && self.batch.avoided.contains(&wire::hash(row.iter().map(Vec::as_slice)));
        let Some(values) = (!is_avoided).then(|| self.page.write(row)).flatten() else {
            return true;
        };
        let number = self.page.runs.fetch_add(1, Ordering::Relaxed);
        let begun = number.is_multiple_of(TIMED).then(apart::used);
        let mut ended = Ok(());
        let function = &mut *self.function;
        let edges = hooks::edges(records, &mut || {
            ended = catch_unwind(AssertUnwindSafe(|| function(&Values(values))));
        });
        if let Some(begun) = begun {
            self.used = apart::used();
            if !records {
                let time = (self.used - begun).saturating_sub(self.looking);
                self.timed = (self.timed.0 + 1, self.timed.1 + time);
            }
        }
        if ended.is_err() {
            let (message, place) =
                PANIC.lock().ok().and_then(|mut last| last.take()).unwrap_or_default();
            // Whoever does not listen any more ends all this.
            let _ = Told::Failed { row: row.clone(), message, place }.send(self.stream);
            return false;
        }
        if edges.is_empty() || !tells {
            return true;
        }
        self.kept.push(row.clone());
        self.new.push_back(row.clone());
        Told::Found { row: row.clone(), edges: edges.to_vec() }.send(self.stream).is_ok()
    }
}

/// How long it takes to look at the time.
fn looking() -> Duration {
    let once = |_| {
        let begun = apart::used();
        apart::used() - begun
    };
    (0..8).map(once).min().unwrap_or_default()
}

/// Whether text stays text.
fn is_text(value: &Value, bytes: &[u8]) -> bool {
    value.kind != Kind::Text || std::str::from_utf8(bytes).is_ok()
}
