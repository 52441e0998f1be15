//! The programs of a row: its driver in the harness, for each way to run it.
//!
//! They are written into Cargo's folder as a package for each row, which begins with the row's lock file:
//! rows need versions of crates that no other row and no workspace could share.

use std::hash::{DefaultHasher, Hash};
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

    /// The folder that it is built in. Each has flags of its own; what rows have in common, pleach's crates above
    /// all, is built there once for all rows whose lock files agree on it.
    fn target(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Plain => "plain",
            Self::LibFuzzer | Self::Pleach => "engines",
            Self::Nautilus => "nautilus-target",
        }
    }

    /// The flags that all its crates are compiled with. What old crates are warned of is not ours to mend.
    fn flags(self) -> String {
        match self {
            Self::Check | Self::Plain | Self::Nautilus => "--cap-lints=allow".into(),
            Self::LibFuzzer | Self::Pleach => format!("{} --cap-lints=allow", libfuzzer::FLAGS),
        }
    }
}

/// The row's lock file as its package has it: Cargo adds to `Cargo.lock`, so a second copy tells whether the row's own has
/// changed.
const LOCKED: &str = "row.lock";

/// The folder of a row's package.
fn place(row: &Row, program: Program, folder: &Path) -> PathBuf {
    // The crates of LibAFL would bind the versions of others, and a lock file without pleach's is the same
    // whatever these are.
    let packages = match program {
        Program::Check | Program::Plain | Program::LibFuzzer => "packages",
        Program::Pleach => "pleach",
        Program::Nautilus => "nautilus",
    };
    folder.join(packages).join(&row.name)
}

/// Builds a program of a row in a folder, and gives its path.
///
/// # Errors
///
/// Where Cargo fails, or the row has no grammar for it.
pub fn build(row: &Row, program: Program, folder: &Path) -> io::Result<PathBuf> {
    let place = place(row, program, folder);
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
        .env("RUSTFLAGS", program.flags());
    if program == Program::Check {
        // Names of functions that were inlined have their paths, so two of one name are told apart.
        command.env("CARGO_PROFILE_RELEASE_DEBUG", "limited");
    }
    if program == Program::Nautilus {
        let crates = counted()?;
        discard_other(&target, &format!("{}\n{crates}\n", libfuzzer::COUNTERS))?;
        command
            .env("RUSTC_WRAPPER", std::env::current_exe()?)
            .env(wrapper::CRATES, crates)
            .env(wrapper::ADDED, libfuzzer::COUNTERS);
    }
    if !command.stdout(Stdio::null()).status()?.success() {
        return Err(io::Error::other(format!("{name} was not built")));
    }
    Ok(target.join(host).join("release").join(name))
}

/// The crates that have counters for LibAFL, which reads them in the same process: subjects and drivers alone. It
/// is all subjects for each row, for Cargo does not know of a wrapper's flags.
fn counted() -> io::Result<String> {
    let names: Vec<String> = NAUTILUS.map(String::from).to_vec();
    let rows = rows(&names).map_err(io::Error::other)?;
    let subjects = rows.iter().map(|row| row.facts.subject.replace('-', "_"));
    Ok(subjects.chain(["row".into()]).collect::<Vec<_>>().join(","))
}

/// Hashes what a program that [`build`] built was made of: sources, versions and flags. Its bytes would tell
/// in which folder it was built, too, and a record is as good in another copy of the repository.
///
/// # Errors
///
/// Where a source cannot be read.
pub fn hash(
    row: &Row,
    program: Program,
    folder: &Path,
    hasher: &mut DefaultHasher,
) -> io::Result<()> {
    let place = place(row, program, folder);
    let here = package().display().to_string();
    for text in [manifest(row, program), source(row, program)?] {
        text.replace(&here, "").hash(hasher);
    }
    // What Cargo adds to it builds and links the engine, whose version the manifest has, and is another every week.
    std::fs::read(place.join(LOCKED))?.hash(hasher);
    Command::new("rustc").arg("-vV").output()?.stdout.hash(hasher);
    program.flags().hash(hasher);
    if program == Program::Nautilus {
        (libfuzzer::COUNTERS, counted()?).hash(hasher);
    }
    let name = format!("{}-{}.d", row.name, program.feature());
    let listed = folder.join(program.target()).join(host()?).join("release").join(name);
    let root = root().canonicalize()?;
    let mut sources = Vec::new();
    for path in listed_sources(&std::fs::read_to_string(&listed)?) {
        let path = path.canonicalize()?;
        // The others are what is generated, and hashed above.
        if let Ok(name) = path.strip_prefix(&root)
            && !path.starts_with(&place)
        {
            sources.push((name.to_owned(), std::fs::read(&path)?));
        }
    }
    sources.sort_unstable();
    sources.hash(hasher);
    Ok(())
}

/// The files that Cargo lists beside a program, as for `make`: all sources but those of a registry's crates.
fn listed_sources(text: &str) -> Vec<PathBuf> {
    let mut paths = vec![String::new()];
    let mut characters = text.split_once(": ").map_or("", |(_, files)| files).trim_end().chars();
    while let Some(character) = characters.next() {
        let last = paths.last_mut().expect("there is one from the start");
        match character {
            ' ' => paths.push(String::new()),
            '\\' if characters.as_str().starts_with(' ') => last.extend(characters.next()),
            other => last.push(other),
        }
    }
    paths.into_iter().filter(|path| !path.is_empty()).map(PathBuf::from).collect()
}

/// Writes the package of a row, as far as it differs from what is there.
fn write(row: &Row, program: Program, place: &Path) -> io::Result<()> {
    std::fs::create_dir_all(place)?;
    let locked = std::fs::read_to_string(row.folder().join("Cargo.lock"))?;
    if update(&place.join(LOCKED), &locked)? {
        std::fs::write(place.join("Cargo.lock"), &locked)?;
    }
    update(&place.join("Cargo.toml"), &manifest(row, program))?;
    let source = source(row, program)?;
    update(&place.join(format!("{}.rs", program.feature())), &source)?;
    Ok(())
}

/// Writes a file where it is not so already, and tells whether it did: Cargo goes by the time of the last change.
fn update(path: &Path, text: &str) -> io::Result<bool> {
    if std::fs::read_to_string(path).is_ok_and(|before| before == text) {
        return Ok(false);
    }
    std::fs::write(path, text)?;
    Ok(true)
}

/// The package's `Cargo.toml`.
fn manifest(row: &Row, program: Program) -> String {
    let path = |path: PathBuf| format!("{:?}", path.display().to_string());
    let optional = |name: &str, at: &str| format!("{name} = {{ {at}, optional = true }}\n");
    let libfuzzer = optional("libfuzzer-sys", "version = \"=0.4.13\"");
    let engines: &[(&str, &str, String)] = match program {
        Program::Check | Program::Plain | Program::LibFuzzer => {
            &[("check", "", String::new()), ("libfuzzer", "\"dep:libfuzzer-sys\"", libfuzzer)]
        }
        Program::Pleach => {
            let target = path(root().join("crates/target"));
            let pleach =
                optional("pleach", &format!("package = \"pleach-target\", path = {target}"));
            &[("pleach", "\"dep:libfuzzer-sys\", \"dep:pleach\"", libfuzzer + &pleach)]
        }
        Program::Nautilus => {
            let nautilus = path(root().join("fuzz/compare/nautilus"));
            let nautilus = format!("path = {nautilus}, default-features = false");
            let nautilus = optional("pleach-fuzz-nautilus", &nautilus);
            &[("nautilus", "\"dep:pleach-fuzz-nautilus\"", nautilus)]
        }
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
                "#![no_main]\npleach::fuzz_target!(grammar: {grammar}, |{input}| {{ {data}{run} }});\n"
            )
        }
        Program::Nautilus => format!(
            "fn main() -> std::process::ExitCode {{\n    pleach_fuzz_nautilus::main(|text| {{ \
             let data = text.as_bytes(); {run} }})\n}}\n"
        ),
    })
}

/// A row's grammar as the macro takes it: the path of its file, or a list of that and of the files that it includes.
fn grammar(row: &Row) -> io::Result<String> {
    let grammar =
        row.grammar().ok_or_else(|| io::Error::other(format!("{} has no grammar", row.name)))?;
    let files: Vec<String> =
        included(grammar)?.iter().map(|path| format!("{:?}", path.display().to_string())).collect();
    Ok(match &files[..] {
        [one] => one.clone(),
        all => format!("[{}]", all.join(", ")),
    })
}

/// A grammar's file and those that it includes, each once.
fn included(grammar: PathBuf) -> io::Result<Vec<PathBuf>> {
    let mut files = vec![grammar];
    let mut read = 0;
    while let Some(file) = files.get(read) {
        let text = std::fs::read_to_string(file)?;
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        for line in text.lines() {
            let name = line.strip_prefix("%include \"").and_then(|rest| rest.split_once('"'));
            if let Some(path) = name.map(|(name, _)| folder.join(name))
                && !files.contains(&path)
            {
                files.push(path);
            }
        }
        read += 1;
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::hash::Hasher;

    use super::*;

    #[test]
    fn sources_are_listed_as_for_make() {
        let paths = |text| {
            let shown = listed_sources(text)
                .iter()
                .map(|path| path.display().to_string())
                .collect::<Vec<_>>();
            shown.join("|")
        };
        assert_eq!(paths("/t/a: /b/c.rs /d\\ e/f.rs\n"), "/b/c.rs|/d e/f.rs");
        assert_eq!(paths("/t/a:\n"), "");
    }

    #[test]
    fn a_grammar_comes_with_what_it_includes() {
        let folder = root().join("grammars");
        let files = |name: &str| included(folder.join(name)).unwrap();
        assert_eq!(files("json.pleach"), [folder.join("json.pleach")]);
        let names = ["http-request.pleach", "uri.pleach", "ip.pleach"];
        assert_eq!(files(names[0]), names.map(|name| folder.join(name)));
    }

    /// What was built in one folder need not be run again when it is built in another.
    #[test]
    fn a_program_is_told_by_its_sources_and_not_by_where_it_was_built() {
        let rows = rows(&["cron".into()]).unwrap();
        let hashed = |folder: &str, lock: &str, listed: &str| {
            let folder =
                std::env::temp_dir().join(format!("pleach-bugs-{folder}-{}", std::process::id()));
            let release = folder.join("engines").join(host().unwrap()).join("release");
            for inner in [&release, &folder.join("pleach/cron")] {
                std::fs::create_dir_all(inner).unwrap();
            }
            std::fs::write(folder.join("pleach/cron").join(LOCKED), lock).unwrap();
            let source = package().join(listed).display().to_string();
            let listed = format!("{}/cron-pleach: {source}\n", release.display());
            std::fs::write(release.join("cron-pleach.d"), listed).unwrap();
            let mut hasher = DefaultHasher::new();
            let hashed = hash(&rows[0], Program::Pleach, &folder, &mut hasher);
            std::fs::remove_dir_all(&folder).unwrap();
            hashed.unwrap();
            hasher.finish()
        };
        let one = hashed("one", "a", "rows/cron/src/lib.rs");
        assert_eq!(one, hashed("two", "a", "rows/cron/src/lib.rs"));
        assert_ne!(one, hashed("one", "b", "rows/cron/src/lib.rs"), "other versions");
        assert_ne!(one, hashed("one", "a", "rows/ron/src/lib.rs"), "another source");
    }
}
