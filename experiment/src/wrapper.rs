//! The compiler's stand-in: adds coverage flags for the crates whose edges count.
//!
//! Cargo runs `RUSTC_WRAPPER RUSTC ARGUMENTS...`; this program is its own wrapper when the
//! environment says so, and names the crates there.

use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode};

/// The variable with the crates' names, with commas between.
pub const CRATES: &str = "PLEACH_EXPERIMENT_CRATES";

/// The variable with the flags to add in place of [`FLAGS`], with spaces between.
pub const ADDED: &str = "PLEACH_EXPERIMENT_FLAGS";

/// What is added: a flag and a block's address for each edge, as libFuzzer's users have them but
/// for flags in place of counters, and names that tell the crate of a function.
///
/// `passes` runs after all optimization, so edges are those of the code that is run.
pub const FLAGS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=3",
    "-Cllvm-args=-sanitizer-coverage-inline-bool-flag",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Csymbol-mangling-version=v0",
];

/// Runs the compiler with the arguments of this program.
pub fn run(crates: &OsStr) -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(compiler) = arguments.next() else {
        eprintln!("pleach-experiment: `{CRATES}` is set, so the compiler is to be run, but which?");
        return ExitCode::from(2);
    };
    let arguments: Vec<OsString> = arguments.collect();
    let mut command = Command::new(&compiler);
    command.args(&arguments);
    if is_instrumented(&arguments, crates) {
        match std::env::var(ADDED) {
            Ok(flags) => command.args(flags.split_ascii_whitespace()),
            Err(_) => command.args(FLAGS),
        };
    }
    match command.status() {
        Ok(status) => status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code as u8)),
        Err(error) => {
            eprintln!("pleach-experiment: {}: {error}", compiler.display());
            ExitCode::FAILURE
        }
    }
}

/// Whether the compiler is to build one of the crates for the program that measures: what is for
/// build scripts and macros is compiled without `--target`.
fn is_instrumented(arguments: &[OsString], crates: &OsStr) -> bool {
    let name = arguments.iter().position(|argument| argument == "--crate-name");
    let name = name.and_then(|at| arguments.get(at + 1)).and_then(|name| name.to_str());
    let crates = crates.to_str().unwrap_or_default();
    arguments.iter().any(|argument| argument == "--target")
        && name.is_some_and(|name| crates.split(',').any(|one| one == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_crates_of_the_target_are_instrumented() {
        let is = |line: &str| {
            let arguments: Vec<_> = line.split(' ').map(OsString::from).collect();
            is_instrumented(&arguments, OsStr::new("csv,csv_core"))
        };
        assert!(is("--crate-name csv_core src/lib.rs --target x"));
        assert!(!is("--crate-name csv_core src/lib.rs"), "for the host");
        assert!(!is("--crate-name core src/lib.rs --target x"), "another crate");
        assert!(!is("-vV --target x"), "no crate");
    }
}
