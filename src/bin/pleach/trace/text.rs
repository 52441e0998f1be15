//! A path for people: a line for a call, two for a branch, and loops folded.

use std::hash::Hash;
use std::ops::Range;
use std::path::Path;

use pleach::inside::ir::{Instruction, Module, Place};
use pleach::inside::trace::{ByteSet, ByteSets, Event, Recorder, What};
use pleach::inside::vm::{Machine, Outcome, Panic};
use pleach::report::on_one_line;

use super::fold::{Item, fold};
use crate::sources::function;

use super::names::Names;
use super::values;

/// How far lines are indented at most.
const INDENTED: u32 = 24;

/// What an event is, but for values.
#[derive(Hash, PartialEq, Eq)]
enum Key {
    Call(u32, pleach::inside::ir::Pc, pleach::inside::ir::FunctionId),
    Branch(u32, pleach::inside::ir::Pc, u32),
    Hidden(u32),
    /// What was left out, which nothing is like.
    Gap,
}

/// Writes lines.
struct Lines<'a> {
    names: &'a Names<'a>,
    module: &'a Module,
    recorder: &'a Recorder,
    /// Its own, for it makes further ones.
    sets: ByteSets,
    /// The events, and where some were left out.
    events: Vec<Option<&'a Event>>,
    lines: Vec<String>,
    /// The depth and the source line of the branch that the last line is about.
    shown: Option<(u32, String)>,
}

/// The path of a run, one line after the other; of more than `limit` lines the first and the last ones, unless it is 0.
pub(super) fn path(
    machine: &Machine<Recorder>,
    names: &Names<'_>,
    folds: bool,
    limit: usize,
) -> String {
    let recorder = &machine.domain;
    let (left_out, before) = recorder.left_out();
    let mut events: Vec<Option<&Event>> = recorder.events().map(Some).collect();
    if left_out > 0 {
        events.insert(before, None);
    }
    let module = machine.module();
    let mut all = Lines {
        names,
        module,
        recorder,
        sets: recorder.sets.clone(),
        events,
        lines: Vec::new(),
        shown: None,
    };
    let items = match folds {
        true => fold(all.events.iter().map(|event| event.map_or(Key::Gap, key))),
        false => Vec::new(),
    };
    if folds {
        all.items(&items);
    } else {
        (0..all.events.len()).for_each(|step| all.step(step, None));
    }
    let mut lines = all.lines;
    if limit > 0 && lines.len() > limit {
        let (head, tail) = (limit.div_ceil(2), limit / 2);
        let cut = lines.len() - head - tail;
        let said =
            format!("... {cut} lines left out: --limit shows more, --function less of the run");
        lines.splice(head..head + cut, [said]);
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn key(event: &Event) -> Key {
    match event.what {
        What::Call { at, callee, .. } => Key::Call(event.depth, at, callee),
        What::Branch { at, edge, .. } => Key::Branch(event.depth, at, edge),
        What::Hidden { .. } => Key::Hidden(event.depth),
    }
}

impl Lines<'_> {
    fn push(&mut self, depth: u32, text: &str) {
        self.shown = None;
        let indented = "  ".repeat(depth.min(INDENTED) as usize);
        let deeper = if depth > INDENTED { format!("({depth}) ") } else { String::new() };
        self.lines.push(format!("{indented}{deeper}{text}"));
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            let Some((first, rounds)) = &item.rounds else {
                self.step(item.steps.start, None);
                continue;
            };
            // A step alone says itself how often; of several the first round is shown.
            if let [Item { rounds: None, .. }] = &first[..] {
                self.step(item.steps.start, Some(item.steps.clone()));
                continue;
            }
            self.items(first);
            let depth = self.events[item.steps.start].map_or(0, |event| event.depth);
            let others =
                first.last().map_or(item.steps.start, |last| last.steps.end)..item.steps.end;
            let bytes = self.bytes(others);
            let on = self.on(bytes);
            let more = rounds - 1;
            self.push(depth, &format!("... and so {more} times more{on}"));
        }
    }

    /// What some steps depend on.
    fn bytes(&mut self, steps: Range<usize>) -> ByteSet {
        let mut all = ByteSet::EMPTY;
        for event in self.events[steps].iter().flatten() {
            let (What::Call { bytes, .. }
            | What::Branch { bytes, .. }
            | What::Hidden { bytes, .. }) = event.what;
            all = self.sets.union(all, bytes);
        }
        all
    }

    fn on(&self, bytes: ByteSet) -> String {
        match bytes {
            ByteSet::EMPTY => String::new(),
            bytes => format!(", by {}", self.names.set(&self.sets, bytes)),
        }
    }

    /// A step; with its rounds, one that stands for them.
    fn step(&mut self, step: usize, rounds: Option<Range<usize>>) {
        let Some(event) = self.events[step] else {
            let (count, _) = self.recorder.left_out();
            self.push(
                0,
                &format!("... {count} steps were not kept: --function shows less of the run"),
            );
            return;
        };
        let times = match &rounds {
            Some(rounds) => format!(", {} times", rounds.len()),
            None => String::new(),
        };
        let bytes = self.bytes(rounds.unwrap_or(step..step + 1));
        let depth = event.depth;
        match &event.what {
            What::Call { at, callee, .. } => {
                let name = function(self.module.name(self.module.function(*callee).symbol));
                let from = self.recorder.caller(*at);
                let from = from.map_or_else(String::new, |from| {
                    format!(" from {}", self.names.sources.place(&from))
                });
                let on = self.on(bytes);
                self.push(depth, &format!("-> {name}{from}{times}{on}"));
            }
            What::Branch { at, edge, .. } => {
                let place = self.recorder.place(*at);
                let shown =
                    place.map_or_else(|| "?".to_owned(), |it| self.names.sources.place(&it));
                let line = place.and_then(|it| self.names.sources.line(&it));
                let line = line.map_or_else(String::new, |line| format!(": {line}"));
                let head = (depth, format!("{shown}{line}"));
                // Of several branches of one place it stands there once.
                if self.shown.as_ref() != Some(&head) {
                    self.push(depth, &head.1);
                }
                let decided = self.decided(event);
                let to = self.goes_to(*edge, place.as_ref());
                let on = self.on(bytes);
                self.push(depth + 2, &format!("{decided}{times}{on}{to}"));
                self.shown = Some(head);
            }
            What::Hidden { .. } => {
                let count = self.hidden(step, &times);
                let on = self.on(bytes);
                self.push(depth, &format!("... {count} elsewhere{on}"));
            }
        }
    }

    /// How many branches were not shown.
    fn hidden(&self, step: usize, times: &str) -> String {
        match self.events[step] {
            Some(Event { what: What::Hidden { count: 1, .. }, .. }) => format!("1 branch{times}"),
            Some(Event { what: What::Hidden { count, .. }, .. }) => {
                format!("{count} branches{times}")
            }
            _ => String::new(),
        }
    }

    /// What decided.
    fn decided(&self, event: &Event) -> String {
        let What::Branch { at, value, comparison, .. } = &event.what else { return String::new() };
        if let Some(comparison) = comparison {
            return values::comparison(comparison);
        }
        match self.module.instruction(*at) {
            Some(Instruction::Switch { .. }) => {
                // Of which width it is, the value alone tells.
                let width = if *value < 256 { 8 } else { 64 };
                format!("switch on {}", values::integer(*value, width, false))
            }
            _ => (if *value & 1 == 1 { "true" } else { "false" }).to_owned(),
        }
    }

    /// The line that a branch went on to, if it is another.
    fn goes_to(&self, edge: u32, from: Option<&Place<'_>>) -> String {
        let to = self.module.edge(edge).and_then(|(_, to)| self.recorder.place(to));
        match (to, from) {
            (Some(to), Some(from)) if to.line > 0 && to.path() != from.path() => {
                format!(", to {}", self.names.sources.place(&to))
            }
            (Some(to), Some(from)) if to.line > 0 && to.line != from.line => {
                format!(", to line {}", to.line)
            }
            _ => String::new(),
        }
    }
}

/// How the run ended: in words, with the functions on the stack, and what it took.
pub(super) fn end(
    machine: &Machine<Recorder>,
    outcome: &Outcome,
    verdict: Option<&str>,
    names: &Names<'_>,
) -> String {
    let mut text = match outcome {
        Outcome::Panic(Panic { message, location: Some(at), .. }) => {
            let file = names.sources.path(Path::new(&at.file));
            format!("panic at {file}:{}:{}: {}", at.line, at.column, on_one_line(message))
        }
        other => on_one_line(&other.to_string()),
    };
    if let Some(verdict) = verdict {
        text += &format!(": {verdict}");
    }
    text.push('\n');
    if !outcome.is_end() {
        for place in super::stack(machine) {
            text +=
                &format!("  in {} at {}\n", function(place.function), names.sources.place(&place));
        }
    }
    let (output, error) = (machine.output().len(), machine.error_output().len());
    text += &format!("{} instructions", machine.steps());
    for (bytes, stream) in [(output, "output"), (error, "error")] {
        if bytes > 0 {
            text += &format!(", {bytes} bytes to standard {stream}");
        }
    }
    text + "\n"
}
