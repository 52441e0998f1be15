//! Witnesses of deviations as Rust tests, which fail until the deviations are mended.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use pleach::differential::suite::{Group, Kind};

use crate::compiled::Called;
use crate::failure::Failure;
use crate::inputs::shown;

/// The longest name of a test.
const NAME: usize = 60;

const ACCEPTS: &str = "\
trait Accepts {
    fn accepts(&self) -> bool;
}
impl Accepts for bool {
    fn accepts(&self) -> bool {
        *self
    }
}
impl<T> Accepts for Option<T> {
    fn accepts(&self) -> bool {
        self.is_some()
    }
}
impl<T, E> Accepts for Result<T, E> {
    fn accepts(&self) -> bool {
        self.is_ok()
    }
}
";

/// Writes tests of a function to a new file. Wrong values are left out: of what type they are is not known.
pub(crate) fn write(
    path: &Path,
    called: &Called,
    command: &str,
    groups: &[Group],
) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        let mend = match error.kind() {
            std::io::ErrorKind::AlreadyExists => ": name a new file, or remove it",
            _ => "",
        };
        Failure::input(format!("error: --tests {}: {error}{mend}", shown(path)))
    };
    let text = text(called, command, groups);
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)
}

fn text(called: &Called, command: &str, groups: &[Group]) -> String {
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
    for group in groups.iter().filter(|group| group.kind != Kind::WrongValue) {
        let mut name = name(group);
        while !names.insert(name.clone()) {
            name.push('_');
        }
        let argument = called.argument.replace("text", &format!("{:?}", group.witness));
        let call = format!("{}({argument})", called.path);
        let check = match group.kind {
            Kind::OverAccepted => format!("assert!(!{call}.accepts());"),
            Kind::OverRejected => format!("assert!({call}.accepts());"),
            Kind::WrongValue | Kind::Failed => format!("let _ = {call};"),
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
