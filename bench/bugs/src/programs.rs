//! The programs of a row: its driver in the harness, for each way to run it.
//!
//! They are written into Cargo's folder as a package for each row, which begins with the row's lock file:
//! rows need versions of crates that no other row and no workspace could share.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use experiment::{cargo, discard_other, host, libfuzzer, wrapper};
use harness::Fault;

use crate::plan::NAUTILUS;
use crate::row::{Row, package, root, rows};

/// What a program does with the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Runs it on one file.
    Check,
    /// The same without checks for overflow: what a release of the subject does.
    Plain,
    /// Fuzzes it by libFuzzer's own mutators.
    LibFuzzer,
    /// Fuzzes it by pleach's.
    Pleach,
    /// Fuzzes it by LibAFL with its Nautilus stages.
    Nautilus,
}

impl Program {
    /// The feature that has what it needs, and the name of its source.
    fn feature(self) -> &'static str {
        match self {
            Self::Check | Self::Plain => "check",
            Self::LibFuzzer => "libfuzzer",
            Self::Pleach => "pleach",
            Self::Nautilus => "nautilus",
        }
    }

    /// The folder that it is built in: each has flags of its own.
    fn target(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Plain => "plain",
            Self::LibFuzzer | Self::Pleach => "engines",
            Self::Nautilus => "nautilus-target",
        }
    }
}

/// Builds a program of a row in a folder, and gives its path.
///
/// # Errors
///
/// Where Cargo fails, or the row has no grammar for it.
pub fn build(row: &Row, program: Program, folder: &Path) -> io::Result<PathBuf> {
    // The crates of LibAFL would bind the versions of others.
    let package = match program {
        Program::Nautilus => "nautilus",
        _ => "packages",
    };
    let place = folder.join(package).join(&row.name);
    write(row, program, &place)?;
    let target = folder.join(program.target());
    let host = host()?;
    let name = format!("{}-{}", row.name, program.feature());
    let mut command = Command::new(cargo());
    command
        .args(["build", "--quiet", "--release", "--target", &host, "--target-dir"])
        .arg(&target)
        .args(["--features", program.feature(), "--bin", &name])
        .arg("--manifest-path")
        .arg(place.join("Cargo.toml"))
        .env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", (program != Program::Plain).to_string())
        // What old crates are warned of is not ours to mend.
        .env("RUSTFLAGS", "--cap-lints=allow");
    match program {
        Program::Check | Program::Plain => {}
        Program::LibFuzzer | Program::Pleach => {
            command.env("RUSTFLAGS", format!("{} --cap-lints=allow", libfuzzer::FLAGS));
        }
        Program::Nautilus => {
            // Only subjects and drivers have counters: LibAFL reads them in the same process. It is all
            // subjects for each row, for Cargo does not know of a wrapper's flags.
            let names: Vec<String> = NAUTILUS.map(String::from).to_vec();
            let rows = rows(&names).map_err(io::Error::other)?;
            let subjects = rows.iter().map(|row| row.facts.subject.replace('-', "_"));
            let crates = subjects.chain(["row".into()]).collect::<Vec<_>>().join(",");
            discard_other(&target, &format!("{}\n{crates}\n", libfuzzer::COUNTERS))?;
            command
                .env("RUSTC_WRAPPER", std::env::current_exe()?)
                .env(wrapper::CRATES, crates)
                .env(wrapper::ADDED, libfuzzer::COUNTERS);
        }
    }
    if !command.stdout(Stdio::null()).status()?.success() {
        return Err(io::Error::other(format!("{name} was not built")));
    }
    Ok(target.join(host).join("release").join(name))
}

/// Writes the package of a row, as far as it differs from what is there.
fn write(row: &Row, program: Program, place: &Path) -> io::Result<()> {
    std::fs::create_dir_all(place)?;
    if !place.join("Cargo.lock").exists() {
        std::fs::copy(row.folder().join("Cargo.lock"), place.join("Cargo.lock"))?;
    }
    update(&place.join("Cargo.toml"), &manifest(row, program))?;
    let source = source(row, program)?;
    update(&place.join(format!("{}.rs", program.feature())), &source)
}

/// Writes a file where it is not so already: Cargo goes by the time of the last change.
fn update(path: &Path, text: &str) -> io::Result<()> {
    if std::fs::read_to_string(path).is_ok_and(|before| before == text) {
        return Ok(());
    }
    std::fs::write(path, text)
}

/// The package's `Cargo.toml`.
fn manifest(row: &Row, program: Program) -> String {
    let path = |path: PathBuf| format!("{:?}", path.display().to_string());
    let engines: &[(&str, &str, String)] = match program {
        Program::Nautilus => &[(
            "nautilus",
            "\"dep:pleach-fuzz-nautilus\"",
            format!(
                "pleach-fuzz-nautilus = {{ path = {}, default-features = false, optional = true }}\n",
                path(root().join("fuzz/compare/nautilus"))
            ),
        )],
        _ => &[
            ("check", "", String::new()),
            (
                "libfuzzer",
                "\"dep:libfuzzer-sys\"",
                "libfuzzer-sys = { version = \"0.4.13\", optional = true }\n".into(),
            ),
            (
                "pleach",
                "\"libfuzzer\", \"dep:pleach\"",
                format!(
                    "pleach = {{ package = \"pleach-target\", path = {}, optional = true }}\n",
                    path(root().join("crates/target"))
                ),
            ),
        ],
    };
    let (mut bins, mut features, mut dependencies) = (String::new(), String::new(), String::new());
    for (feature, needs, dependency) in engines {
        bins.push_str(&format!(
            "[[bin]]\nname = \"{}-{feature}\"\npath = \"{feature}.rs\"\n\
             required-features = [\"{feature}\"]\n\n",
            row.name
        ));
        features.push_str(&format!("{feature} = [{needs}]\n"));
        dependencies.push_str(dependency);
    }
    format!(
        "[package]\nname = \"programs\"\nversion = \"0.0.0\"\nedition = \"2024\"\nautobins = false\n\n\
         [workspace]\n\n[features]\n{features}\n{bins}\
         [dependencies]\n\
         row = {{ path = {} }}\n\
         harness = {{ package = \"pleach-bugs-harness\", path = {} }}\n\
         {dependencies}\n\
         [profile.release]\ndebug = \"line-tables-only\"\npanic = \"unwind\"\ncodegen-units = 1\n",
        path(row.folder().to_owned()),
        path(package().join("harness"))
    )
}

/// A program's source.
fn source(row: &Row, program: Program) -> io::Result<String> {
    let fault = match row.fault() {
        Fault::Panic(place) => format!("harness::Fault::Panic({place:?})"),
        Fault::Stack => "harness::Fault::Stack".into(),
        Fault::Hang => "harness::Fault::Hang".into(),
    };
    let run = match row.facts.bytes {
        true => format!("harness::run({fault}, data, || row::run(data))"),
        false => format!("harness::run_text({fault}, data, row::run)"),
    };
    Ok(match program {
        Program::Check | Program::Plain => format!(
            "fn main() {{\n    let path = std::env::args_os().nth(1).expect(\"a file is named\");\n    \
             let data = &std::fs::read(path).expect(\"the file can be read\")[..];\n    {run};\n}}\n"
        ),
        Program::LibFuzzer => format!(
            "#![no_main]\nlibfuzzer_sys::fuzz_target!(|data: &[u8]| -> libfuzzer_sys::Corpus {{\n    \
             if {} && std::str::from_utf8(data).is_err() {{\n        \
             return libfuzzer_sys::Corpus::Reject;\n    }}\n    {run};\n    \
             libfuzzer_sys::Corpus::Keep\n}});\n",
            !row.facts.bytes
        ),
        Program::Pleach => {
            let grammar = grammar(row)?;
            let (input, data) = match row.facts.bytes {
                true => ("data: &[u8]", ""),
                false => ("text: &str", "let data = text.as_bytes(); "),
            };
            format!(
                "#![no_main]\npleach::fuzz_target!(grammar: {grammar:?}, |{input}| {{ {data}{run} }});\n"
            )
        }
        Program::Nautilus => format!(
            "fn main() -> std::process::ExitCode {{\n    pleach_fuzz_nautilus::main(|text| {{ \
             let data = text.as_bytes(); {run} }})\n}}\n"
        ),
    })
}

/// The path of a row's grammar.
fn grammar(row: &Row) -> io::Result<String> {
    let grammar =
        row.grammar().ok_or_else(|| io::Error::other(format!("{} has no grammar", row.name)))?;
    Ok(grammar.display().to_string())
}
