//! A run as one JSON object.

use std::cell::Cell;

use pleach::inside::ir::{Module, Place};
use pleach::inside::trace::{
    ByteSet, ByteSets, Call, Comparison, ComparisonMode, Event, Recorder, What,
};
use pleach::inside::vm::{Machine, Outcome};
use serde_json::{Value, json};

use crate::sources::function;

use super::names::Names;
use super::values;

/// How many ranges of bytes are listed in all.
const RANGES: usize = 1 << 18;

/// What is said of a run besides its path.
pub(super) struct Run<'a> {
    pub(super) target: &'a str,
    /// How many bytes INPUT has.
    pub(super) bytes: usize,
    pub(super) outcome: &'a Outcome,
    pub(super) verdict: Option<&'a str>,
    /// Whether the input is of the grammar, where there is one.
    pub(super) parsed: Option<bool>,
}

/// The object, on a line.
pub(super) fn object(machine: &Machine<Recorder>, run: &Run<'_>, names: &Names<'_>) -> String {
    let recorder = &machine.domain;
    let (left_out, _) = recorder.left_out();
    let one = Object { module: machine.module(), recorder, names, left: Cell::new(RANGES) };
    let object = json!({
        "target": run.target,
        "bytes": run.bytes,
        "parsed": run.parsed,
        "outcome": one.outcome(machine, run),
        "steps": machine.steps(),
        "stdout": String::from_utf8_lossy(machine.output()),
        "stderr": String::from_utf8_lossy(machine.error_output()),
        "events": recorder.events().map(|event| one.event(event)).collect::<Vec<_>>(),
        "left_out": left_out,
        "calls": recorder.profile.calls(one.module).iter().map(|call| one.call(call)).collect::<Vec<_>>(),
        "edges": recorder.profile.edges().count(),
    });
    format!("{object}\n")
}

struct Object<'a> {
    module: &'a Module,
    recorder: &'a Recorder,
    names: &'a Names<'a>,
    /// How many ranges may still be listed.
    left: Cell<usize>,
}

impl Object<'_> {
    fn place(&self, place: Option<&Place<'_>>) -> Value {
        match place {
            Some(place) => {
                let file = self.names.sources.file(place);
                json!({"file": file, "line": place.line, "column": place.column})
            }
            None => Value::Null,
        }
    }

    fn outcome(&self, machine: &Machine<Recorder>, run: &Run<'_>) -> Value {
        let mut object = json!({
            "kind": run.outcome.kind(),
            "message": run.outcome.to_string(),
            "location": Value::Null,
            "stack": [],
        });
        match run.outcome {
            Outcome::Returned(_) => object["verdict"] = run.verdict.into(),
            Outcome::Exit(status) => object["status"] = (*status).into(),
            ended => {
                if let Outcome::Panic(panic) = ended {
                    object["message"] = panic.message.as_str().into();
                    if let Some(at) = &panic.location {
                        object["location"] =
                            json!({"file": at.file, "line": at.line, "column": at.column});
                    }
                }
                let frame = |place: Place<'_>| json!({"function": function(place.function), "place": self.place(Some(&place))});
                object["stack"] = super::stack(machine).map(frame).collect();
            }
        }
        object
    }

    fn call(&self, call: &Call) -> Value {
        let name = |id| function(self.module.name(self.module.function(id).symbol));
        json!({
            "caller": call.caller.map(name),
            "callee": name(call.callee),
            "count": call.count,
            "indirect": call.indirect,
        })
    }

    fn event(&self, event: &Event) -> Value {
        let sets = &self.recorder.sets;
        match &event.what {
            What::Call { at, callee, bytes } => {
                let from = self.recorder.caller(*at);
                json!({
                    "event": "call",
                    "depth": event.depth,
                    "function": function(self.module.name(self.module.function(*callee).symbol)),
                    "defined": self.place(self.module.definition(*callee).as_ref()),
                    "from": self.place(from.as_ref()),
                    "bytes": self.bytes(sets, *bytes),
                })
            }
            What::Branch { at, edge, value, bytes, comparison } => {
                let place = self.recorder.place(*at);
                let to = self.module.edge(*edge).and_then(|(_, to)| self.recorder.place(to));
                json!({
                    "event": "branch",
                    "depth": event.depth,
                    "place": self.place(place.as_ref()),
                    "source": place.and_then(|it| self.names.sources.line(&it)),
                    "edge": edge,
                    "to": self.place(to.as_ref()),
                    "value": decimal(*value),
                    "bytes": self.bytes(sets, *bytes),
                    "comparison": comparison.as_ref().map(|it| self.comparison(sets, it)),
                })
            }
            What::Hidden { count, bytes } => json!({
                "event": "elsewhere",
                "depth": event.depth,
                "branches": count,
                "bytes": self.bytes(sets, *bytes),
            }),
        }
    }

    fn comparison(&self, sets: &ByteSets, comparison: &Comparison) -> Value {
        let [left, right] = match &comparison.mode {
            ComparisonMode::Integers(_, _, values)
            | ComparisonMode::Floats(_, _, values)
            | ComparisonMode::Overflow(_, _, values) => values.map(decimal),
            ComparisonMode::Bytes(texts) => {
                texts.each_ref().map(|text| String::from_utf8_lossy(text).into_owned().into())
            }
        };
        let [left_bytes, right_bytes] = comparison.bytes.map(|set| self.bytes(sets, set));
        json!({
            "text": values::comparison(comparison),
            "left": {"value": left, "bytes": left_bytes},
            "right": {"value": right, "bytes": right_bytes},
        })
    }

    /// Ranges of bytes; null where they can't be told apart, or where too many were listed.
    fn bytes(&self, sets: &ByteSets, set: ByteSet) -> Value {
        let ranges = self.names.ranges(sets, set).filter(|it| it.len() <= self.left.get());
        let Some(ranges) = ranges else { return Value::Null };
        self.left.set(self.left.get() - ranges.len());
        let range = |named: &super::names::Named<'_>| {
            let node = named
                .node
                .as_ref()
                .map(|(rule, bytes)| json!({"rule": rule, "start": bytes.start, "end": bytes.end}));
            json!({
                "source": named.source,
                "start": named.range.start,
                "end": named.range.end,
                "node": node,
            })
        };
        ranges.iter().map(range).collect()
    }
}

/// A number; one of more than 64 bits is a string.
fn decimal(value: u128) -> Value {
    u64::try_from(value).map_or_else(|_| value.to_string().into(), Value::from)
}
