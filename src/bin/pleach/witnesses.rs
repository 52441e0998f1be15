//! Witnesses of deviations as Rust tests, which fail until the deviations are mended.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use pleach::differential::suite::{DeviationKind, Group};

use crate::compiled::Called;
use crate::failure::Failure;
use crate::inputs::shown;
use crate::unfinished::Unfinished;

/// The longest name of a test.
const NAME: usize = 60;

/// What accepts, whatever is returned: an impl for a type is found before the one for all, which stands one reference further.
const ACCEPTS: &str = "\
struct Of<'a, T>(&'a T);
#[allow(dead_code)]
trait Verdict {
    fn accepts(&self) -> bool;
}
impl Verdict for &Of<'_, bool> {
    fn accepts(&self) -> bool {
        *self.0
    }
}
impl<T> Verdict for &Of<'_, Option<T>> {
    fn accepts(&self) -> bool {
        self.0.is_some()
    }
}
impl<T, E> Verdict for &Of<'_, Result<T, E>> {
    fn accepts(&self) -> bool {
        self.0.is_ok()
    }
}
#[allow(dead_code)]
trait Otherwise {
    fn accepts(&self) -> bool;
}
impl<T> Otherwise for Of<'_, T> {
    fn accepts(&self) -> bool {
        true
    }
}
";

/// Refuses a file that is there.
pub(crate) fn refuse(path: &Path) -> Result<(), Failure> {
    match path.symlink_metadata() {
        Ok(_) => Err(failure(path, &io::ErrorKind::AlreadyExists.into())),
        Err(_) => Ok(()),
    }
}

/// Writes tests of a function to a new file, whole or not at all, and none where there is no test. Wrong values are left out: of
/// what type they are is not known.
pub(crate) fn write(
    path: &Path,
    called: &Called,
    command: &str,
    groups: &[Group],
) -> Result<(), Failure> {
    let groups: Vec<&Group> =
        groups.iter().filter(|it| it.kind != DeviationKind::WrongValue).collect();
    if groups.is_empty() {
        return Ok(());
    }
    let text = text(called, command, &groups);
    let written = Unfinished::beside(path).and_then(|(unfinished, mut file)| {
        file.write_all(text.as_bytes())?;
        // Unlike a new name, a link replaces nothing.
        fs::hard_link(unfinished.path(), path)
    });
    written.map_err(|error| failure(path, &error))
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    let mend = match error.kind() {
        io::ErrorKind::AlreadyExists => ": name a new file, or remove it",
        _ => "",
    };
    Failure::input(format!("error: --tests {}: {error}{mend}", shown(path)))
}

fn text(called: &Called, command: &str, groups: &[&Group]) -> String {
    // Writing to a string cannot fail.
    let mut out = format!("// What `{}` found.\n", command.escape_debug());
    if called.path.starts_with("super::") {
        out += "// It belongs in a module inside of the file with the function.\n";
    }
    out += "#![allow(dead_code, unused_imports)]\n\nuse std::str::FromStr as _;\n\n";
    if called.path.starts_with("super::") {
        out = out.replace("#![allow(dead_code, unused_imports)]\n\n", "");
    }
    out += ACCEPTS;
    let mut names = HashSet::new();
    for group in groups {
        let mut name = name(group);
        while !names.insert(name.clone()) {
            name.push('_');
        }
        let argument = called.argument.replace("text", &format!("{:?}", group.witness));
        let call = format!("{}({argument})", called.path);
        let check = match group.kind {
            DeviationKind::OverAccepted => format!("assert!(!(&&Of(&{call})).accepts());"),
            DeviationKind::OverRejected => format!("assert!((&&Of(&{call})).accepts());"),
            DeviationKind::WrongValue | DeviationKind::Failed => format!("let _ = {call};"),
        };
        let said = group.fault.escape_debug();
        let _ = write!(
            out,
            "\n/// {said}: {} of {} inputs.\n#[test]\nfn {name}() {{\n    {check}\n}}\n",
            group.count, group.of
        );
    }
    out
}

/// A name of a test: the kind, and the words of the cause.
fn name(group: &Group) -> String {
    let words = format!("{} {}", crate::baseline::name(group.kind), group.fault);
    let mut name = String::new();
    for c in words.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }) {
        if c != '_' || !name.ends_with('_') {
            name.push(c.to_ascii_lowercase());
        }
    }
    name.truncate(NAME);
    name.trim_end_matches('_').to_owned()
}
