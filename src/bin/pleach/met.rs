//! A failure as commands tell of it: when it was met, and where the input is on which the program fails.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pleach::explore::search::Failure as Fault;
use pleach::report::on_one_line;
use serde_json::{Value, json};

use crate::check::Format;
use crate::failure::{Failure, to_stderr};
use crate::inputs::shown;
use crate::sources::Sources;
use crate::units::{Output, whole};

/// When a failure was first met, and the file that its input was written to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Met {
    pub(crate) seconds: f64,
    pub(crate) file: Option<PathBuf>,
}

impl Met {
    /// The failure in a line, and its input or the file that has it in another one.
    pub(crate) fn text(&self, fault: &Fault, sources: &Sources) -> String {
        let input = self.file.as_ref().map_or_else(|| whole(&fault.input), |file| shown(file));
        format!("{}\n  {input}\n", said(fault, sources))
    }

    /// The failure as a part of a report.
    pub(crate) fn object(&self, fault: &Fault, sources: &Sources) -> Value {
        json!({
            "file": self.file.as_ref().map(|file| file.to_string_lossy()),
            "input": fault.input.escape_ascii().to_string(),
            "kind": fault.kind,
            "message": fault.message,
            "location": sources.location(&fault.location),
            "count": fault.count,
            "seconds": self.seconds,
        })
    }
}

/// Says that a failure is new.
pub(crate) fn say(fault: &Fault, seconds: f64, format: Format) {
    if format == Format::Text {
        to_stderr(format_args!("{seconds:.1} s: {}", said(fault, &Sources::new())));
    }
}

/// The failures of a campaign, by its numbers.
#[derive(Debug, Default)]
pub(crate) struct Failures(BTreeMap<usize, Met>);

impl Failures {
    /// Notes that a failure is met, which is said where it is new, and writes its input, which may be another one than before.
    pub(crate) fn meet(
        &mut self,
        at: usize,
        fault: &Fault,
        seconds: f64,
        output: Option<&mut Output>,
        format: Format,
    ) -> Result<(), Failure> {
        let file = output.map(|output| output.crashes.put(&fault.input)).transpose()?;
        let met = self.0.entry(at).or_insert_with(|| {
            say(fault, seconds, format);
            Met { seconds, file: None }
        });
        met.file = file.or(met.file.take());
        Ok(())
    }

    /// Meets those that were not met, and writes what was not written.
    pub(crate) fn finish(
        &mut self,
        faults: &[Fault],
        seconds: f64,
        output: &mut Option<Output>,
        format: Format,
    ) -> Result<(), Failure> {
        for (at, fault) in faults.iter().enumerate() {
            if self.0.get(&at).is_none_or(|met| met.file.is_none()) {
                self.meet(at, fault, seconds, output.as_mut(), format)?;
            }
        }
        Ok(())
    }

    /// All that were met, with their numbers.
    pub(crate) fn of<'a>(
        &'a self,
        faults: &'a [Fault],
    ) -> impl Iterator<Item = (usize, &'a Fault, &'a Met)> {
        faults.iter().enumerate().filter_map(|(at, fault)| Some((at, fault, self.0.get(&at)?)))
    }
}

/// A failure in a line.
pub(crate) fn said(fault: &Fault, sources: &Sources) -> String {
    let at = match fault.location.is_empty() {
        true => "an unknown place".to_owned(),
        false => sources.location(&fault.location),
    };
    match fault.message.is_empty() {
        true => format!("{} at {at}", fault.kind),
        false => format!("{} at {at}: {}", fault.kind, on_one_line(&fault.message)),
    }
}
