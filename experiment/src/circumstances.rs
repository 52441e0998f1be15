//! Where a table was made.

use std::process::Command;

/// The day, the processor and the compiler, for the head of a table.
pub fn circumstances() -> String {
    let said = |program: &str, argument: &str| {
        let output = Command::new(program).arg(argument).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let date = said("date", "+%F").unwrap_or_default();
    let rustc = said("rustc", "-V").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("an unnamed processor", |(_, model)| model);
    format!("{date}, {cores} cores of {model}, {rustc}")
}
