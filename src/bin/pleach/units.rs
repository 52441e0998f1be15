//! What commands have in common that take functions out of a program's runs: what they begin with, and how they say it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pleach::explore::subject::{Site, Subject};
use pleach::explore::symbolic::Limits;
use pleach::inside::build::{Built, Entry};
use pleach::inside::ir::{FunctionId, Module};
use pleach::inside::vm::Options as Machine;

use crate::failure::{Failure, talk};
use crate::inputs::{self, Bounds};
use crate::output::{Sink, content_name};
use crate::sources::Sources;

/// How many bytes of a text are shown.
const BYTES: usize = 60;

/// Where what is found is written.
pub(crate) struct Output {
    pub(crate) found: Sink,
    crashes: Sink,
    /// The folder of the crashes.
    folder: PathBuf,
}

impl Output {
    /// A folder, and its folder `crashes`.
    pub(crate) fn folder(folder: &Path) -> Result<Self, Failure> {
        let found = Sink::folder(folder, String::new())?;
        let folder = folder.join("crashes");
        let crashes = Sink::folder(&folder, String::new())?;
        Ok(Self { found, crashes, folder })
    }

    /// Writes an input on which the program fails, and says where.
    pub(crate) fn crash(&mut self, input: &[u8]) -> Result<PathBuf, Failure> {
        self.crashes.put(input)?;
        Ok(self.folder.join(format!("{:016x}", content_name(input))))
    }
}

/// What a campaign begins with: the empty input, if there is nothing else.
pub(crate) fn seeds(paths: &[PathBuf], bounds: &Bounds) -> Result<Vec<Vec<u8>>, Failure> {
    let mut seeds = Vec::new();
    for input in inputs::find(paths)? {
        let mut bytes = Vec::new();
        match input.read(bounds, &mut bytes) {
            Ok(()) => seeds.push(bytes),
            Err(unread) => talk(format_args!("{}: {}", input.name(), unread.reason())),
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
    let machine = Machine { steps, ..Machine::default() };
    let subject = Subject::new(Arc::clone(module), &built.entry, machine, Limits::default());
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

/// A number of things.
pub(crate) fn many(count: u64, what: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {what}{end}")
}

/// Bytes as text, not too many.
pub(crate) fn bytes(bytes: &[u8]) -> String {
    let more = if bytes.len() > BYTES { "..." } else { "" };
    format!("\"{}\"{more}", bytes[..bytes.len().min(BYTES)].escape_ascii())
}

/// File and line.
pub(crate) fn place(site: &Site, sources: &Sources) -> String {
    format!("{}:{}", sources.location(&site.file), site.line)
}
