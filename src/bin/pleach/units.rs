//! What commands have in common that take functions out of a program's runs: what they begin with, and how they say it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use pleach::explore::subject::{Site, Subject};
use pleach::explore::symbolic::SymbolicLimits;
use pleach::inside::build::{Built, Entry, Target};
use pleach::inside::ir::{FunctionId, Module};
use pleach::inside::vm::Options as Machine;
use pleach::parts::Parts;
use pleach::report::on_one_line;
use serde_json::{Value, json};

use crate::explore::{duration, length, remedy};
use crate::failure::{Failure, to_stderr};
use crate::inputs::{self, Bounds};
use crate::output::Folder;
use crate::run::no_parts;
use crate::sources::Sources;

/// How many bytes of a text are shown.
const BYTES: usize = 60;

/// How long a campaign goes on, and how far its runs do.
#[derive(Args)]
pub(crate) struct Running {
    /// Take units of dependencies' functions, too
    #[arg(long)]
    pub(crate) all: bool,
    /// How long to go on, at most, once the program is built: 60s, 5m, 1h
    #[arg(long, alias = "seconds", value_name = "T", default_value = "60s", value_parser = duration)]
    pub(crate) time: Duration,
    /// End with the first input that fails
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Make no input of more bytes than this
    #[arg(long, value_name = "B", default_value_t = 4096, value_parser = length)]
    pub(crate) max_length: usize,
    /// How many instructions one run of the program may execute
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    pub(crate) steps: u64,
}

/// Where what is found is written, and inputs on which the program fails.
pub(crate) struct Output {
    pub(crate) found: Folder,
    pub(crate) crashes: Folder,
}

impl Output {
    /// A folder, and its folder `crashes`.
    pub(crate) fn folder(folder: &Path) -> Result<Self, Failure> {
        let found = Folder::new(folder, String::new())?;
        Ok(Self { found, crashes: Folder::later(&folder.join("crashes")) })
    }
}

/// What a campaign begins with: the empty input, if there is nothing else.
pub(crate) fn seeds(
    target: &Target,
    paths: &[PathBuf],
    bounds: &Bounds,
) -> Result<Vec<Vec<u8>>, Failure> {
    texts(paths, bounds, |name, bytes| {
        if matches!(target, Target::Program { .. }) && bytes.starts_with(b"%parts\n") {
            Parts::read(bytes).map_err(|error| no_parts(name, &error))?;
        }
        Ok(())
    })
}

/// The same of a program that is no target; what is checked is each text, with its name.
pub(crate) fn texts(
    paths: &[PathBuf],
    bounds: &Bounds,
    check: impl Fn(&str, &[u8]) -> Result<(), Failure>,
) -> Result<Vec<Vec<u8>>, Failure> {
    let mut seeds = Vec::new();
    for input in inputs::find(paths)? {
        let mut bytes = Vec::new();
        match input.read(bounds, &mut bytes) {
            Ok(()) => {
                check(&input.name(), &bytes)?;
                seeds.push(bytes);
            }
            Err(unread) => to_stderr(format_args!("{}: {}", input.name(), unread.reason())),
        }
    }
    if seeds.is_empty() {
        seeds.push(Vec::new());
    }
    Ok(seeds)
}

/// Refuses to begin with nothing where a program reads standard input: no call is given anything of it then.
pub(crate) fn refuse_empty(built: &Built, seeds: &[Vec<u8>], name: &str) -> Result<(), Failure> {
    if built.entry == Entry::Main && seeds.iter().all(Vec::is_empty) {
        return Err(Failure::input(format!(
            "error: {name}: it reads standard input: name a SEED that is not empty"
        )));
    }
    Ok(())
}

/// The program in the machine, before it has seen its input.
pub(crate) fn subject(module: &Arc<Module>, built: &Built, steps: u64) -> Result<Subject, Failure> {
    let machine = Machine::new().steps(steps);
    let subject =
        Subject::new(Arc::clone(module), &built.entry, machine, SymbolicLimits::default());
    subject.map_err(|outcome| {
        Failure::input(format!("error: before the program sees its input: {outcome}"))
    })
}

/// Whether a function is one of the program's own, or of its dependencies' where these count.
pub(crate) fn is_own(id: FunctionId, module: &Module, built: &Built, all: bool) -> bool {
    module.definition(id).is_some_and(|place| {
        let caller = built.caller.as_ref();
        let of_caller = caller.is_some_and(|folder| place.path().starts_with(folder));
        !place.in_std() && !of_caller && (all || !place.is_downloaded())
    })
}

/// Bytes as text, not too many.
pub(crate) fn bytes(bytes: &[u8]) -> String {
    let more = if bytes.len() > BYTES { "..." } else { "" };
    format!("\"{}\"{more}", bytes[..bytes.len().min(BYTES)].escape_ascii())
}

/// An input as text, all of it: what fails is nowhere else if it is written to no file.
pub(crate) fn whole(input: &[u8]) -> String {
    format!("\"{}\"", input.escape_ascii())
}

/// What a value was changed into, as text: where both are long, the parts that differ and at which byte they begin.
pub(crate) fn change(old: &[u8], new: &[u8]) -> String {
    if old.len().max(new.len()) <= BYTES {
        return format!("{} for {}", bytes(new), bytes(old));
    }
    let both = old.len().min(new.len());
    let before = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let pairs = old.iter().rev().zip(new.iter().rev());
    let behind = pairs.take(both - before).take_while(|(a, b)| a == b).count();
    let [old, new] = [old, new].map(|it| bytes(&it[before..it.len() - behind]));
    format!("{new} for {old} at byte {before}")
}

/// File and line.
pub(crate) fn place(site: &Site, sources: &Sources) -> String {
    format!("{}:{}", sources.location(&site.file), site.line)
}

/// Runs of the program that broke off: why, and how many.
pub(crate) fn unfollowed(all: &BTreeMap<String, u64>) -> String {
    let mut text = String::new();
    for (why, count) in all {
        let runs = if *count == 1 { "run was" } else { "runs were" };
        let why = on_one_line(why);
        text += &format!("{count} {runs} not followed to the end: {why}{}\n", remedy(&why));
    }
    text
}

/// The same as a list.
pub(crate) fn unfollowed_list(all: &BTreeMap<String, u64>) -> Vec<Value> {
    all.iter().map(|(why, count)| json!({ "why": why, "count": count })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_long_values_that_were_changed_the_parts_that_differ_are_shown() {
        assert_eq!(change(b"old", b"new"), "\"new\" for \"old\"");
        let long = [b'-'; BYTES + 1];
        let with = |part: &str| [&long, part.as_bytes(), &long].concat();
        let at = BYTES + 1;
        assert_eq!(change(&with("a="), &with("a==")), format!("\"=\" for \"\" at byte {}", at + 2));
        assert_eq!(
            change(&with("abc"), &with("axc")),
            format!("\"x\" for \"b\" at byte {}", at + 1)
        );
        assert_eq!(change(&long, &long[1..]), format!("\"\" for \"-\" at byte {BYTES}"));
    }
}
