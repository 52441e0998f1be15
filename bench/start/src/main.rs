//! What it costs to start a fuzz target over each bundled grammar, beside one without pleach.
//!
//! Targets with an empty body are built with the flags of cargo-fuzz, and take turns. Printed is the CPU time of whole
//! processes, the least of several: of one that runs one file, as a replay does, and of one that goes on to 100 runs,
//! with all that mutates made by then, as each child of `-fork` does; and how many counters the engine goes through after
//! each input.
//!
//! `cargo run --release -p pleach-start -- [--asan] [--facade | --differential] [--rounds N] [GRAMMAR...]`

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, io};

use experiment::{cargo, circumstances, host, libfuzzer};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// Of how many processes of each kind the least time counts.
const ROUNDS: usize = 5;

/// The target without pleach.
const PLAIN: &str = "plain";

/// Runs after which all that mutates is made: libFuzzer runs nothing and the seed first.
const RUNS: &str = "-runs=102";

/// What targets are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pleach {
    /// `pleach-target` alone.
    Target,
    /// `pleach`.
    Facade,
    /// `differential_target!` of `pleach`.
    Differential,
}

impl Pleach {
    /// The end of the folder's name.
    fn suffix(self) -> &'static str {
        match self {
            Self::Target => "",
            Self::Facade => "-facade",
            Self::Differential => "-differential",
        }
    }

    /// The dependency, of the repository's root.
    fn dependency(self, root: &str) -> String {
        let features = match self {
            Self::Target => {
                return format!("package = \"pleach-target\", path = '{root}/crates/target'");
            }
            Self::Facade => "",
            Self::Differential => ", features = [\"differential\"]",
        };
        format!("path = '{root}', default-features = false{features}")
    }

    /// A target over a grammar, with a body that does nothing.
    fn target(self, grammar: &str) -> String {
        match self {
            Self::Target | Self::Facade => {
                format!("pleach::fuzz_target!(grammar: {grammar:?}, {BODY});")
            }
            Self::Differential => format!(
                "pleach::differential_target!(grammar: {grammar:?}, |text: &str| text.len(), |other: &str| other.len());"
            ),
        }
    }
}

/// A body that does nothing.
const BODY: &str = "|data: &[u8]| { std::hint::black_box(data); }";

struct Asked {
    asan: bool,
    pleach: Pleach,
    rounds: usize,
    only: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let asked = asked()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let names = names(&root, &asked.only)?;
    let kind = format!("{}{}", if asked.asan { "asan" } else { "none" }, asked.pleach.suffix());
    let folder = root.join("target/start").join(kind);
    write(&folder, &root, &names, asked.pleach)?;
    let programs = build(&folder, asked.asan)?;
    let sanitizer = if asked.asan { "AddressSanitizer" } else { "no sanitizer" };
    println!("{}; {sanitizer}; ms of CPU time, the least of {}", circumstances(), asked.rounds);
    println!("| target | one file | 100 runs | counters |\n| --- | ---: | ---: | ---: |");
    let mut rows = vec![([Duration::MAX; 2], 0); names.len()];
    for _ in 0..asked.rounds {
        for (name, (least, counters)) in names.iter().zip(&mut rows) {
            for (mutates, least) in [false, true].into_iter().zip(least) {
                let run = run(&programs.join(name), &folder, &seed(&root, name)?, mutates)?;
                (*least, *counters) = ((*least).min(run.time), run.counters);
            }
        }
    }
    for (name, ([replay, mutants], counters)) in names.iter().zip(rows) {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!("| {name} | {:.1} | {:.1} | {counters} |", ms(replay), ms(mutants));
    }
    Ok(())
}

fn asked() -> Result<Asked, Box<dyn Error>> {
    let mut asked = Asked { asan: false, pleach: Pleach::Target, rounds: ROUNDS, only: Vec::new() };
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--asan" => asked.asan = true,
            "--facade" => asked.pleach = Pleach::Facade,
            "--differential" => asked.pleach = Pleach::Differential,
            "--rounds" => {
                asked.rounds = arguments.next().ok_or("--rounds takes a number")?.parse()?
            }
            name if name.starts_with('-') => {
                return Err(format!("there is no option {name}").into());
            }
            name => asked.only.push(name.to_owned()),
        }
    }
    Ok(asked)
}

/// The bundled grammars that are asked for, behind the target without one.
fn names(root: &Path, only: &[String]) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("grammars"))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_asked = only.is_empty() || only.contains(&name);
        if is_asked && path.extension().is_some_and(|it| it == "pleach") {
            names.push(name);
        }
    }
    names.sort();
    names.insert(0, PLAIN.to_owned());
    Ok(names)
}

/// Writes a crate with a target for each grammar.
fn write(folder: &Path, root: &Path, names: &[String], pleach: Pleach) -> io::Result<()> {
    let root = root.display().to_string();
    let mut manifest = format!(
        "[package]\nname = \"starts\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\nlibfuzzer-sys = \"0.4.13\"\n\
         pleach = {{ {} }}\n",
        pleach.dependency(&root)
    );
    fs::create_dir_all(folder.join("fuzz_targets"))?;
    for name in names {
        let target = match &**name {
            PLAIN => format!("libfuzzer_sys::fuzz_target!({BODY});"),
            _ => pleach.target(&format!("{root}/grammars/{name}.pleach")),
        };
        fs::write(
            folder.join(format!("fuzz_targets/{name}.rs")),
            format!("#![no_main]\n\n{target}\n"),
        )?;
        manifest += &format!("\n[[bin]]\nname = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\n");
    }
    fs::write(folder.join("Cargo.toml"), manifest)
}

/// Builds the targets, and gives the folder that they are in.
fn build(folder: &Path, asan: bool) -> Result<PathBuf, Box<dyn Error>> {
    let (host, target) = (host()?, folder.join("target"));
    let mut flags = format!("{} -Cdebug-assertions", libfuzzer::FLAGS);
    let mut command = Command::new(cargo());
    if asan {
        flags += " -Zsanitizer=address";
        // As good as a nightly compiler, in a folder of its own.
        command.env("RUSTC_BOOTSTRAP", "1");
    }
    command.args(["build", "--release", "--bins", "--target", &host, "--target-dir"]).arg(&target);
    let status = command.env("RUSTFLAGS", flags).current_dir(folder).status()?;
    if !status.success() {
        return Err("the targets were not built".into());
    }
    Ok(target.join(host).join("release"))
}

/// The longest of a grammar's seeds.
fn seed(root: &Path, name: &str) -> io::Result<Vec<u8>> {
    if name == PLAIN {
        return Ok(b"plain".to_vec());
    }
    let mut longest = Vec::new();
    for entry in fs::read_dir(root.join("corpus").join(name))? {
        let text = fs::read(entry?.path())?;
        if (text.len(), &text) > (longest.len(), &longest) {
            longest = text;
        }
    }
    Ok(longest)
}

/// What a process took, and how many counters it has.
struct Run {
    time: Duration,
    counters: u64,
}

/// Runs a target on a file, and goes on with mutants of it or not.
fn run(program: &Path, folder: &Path, seed: &[u8], mutates: bool) -> Result<Run, Box<dyn Error>> {
    let corpus = folder.join("corpus");
    match fs::remove_dir_all(&corpus) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => fs::create_dir_all(&corpus)?,
    }
    fs::write(corpus.join("seed"), seed)?;
    let mut command = Command::new(program);
    match mutates {
        true => command.args([RUNS, "-seed=1", "corpus"]),
        false => command.arg("corpus/seed"),
    };
    let before = used()?;
    let output = command.current_dir(folder).output()?;
    let time = used()? - before;
    let said = String::from_utf8_lossy(&output.stderr);
    // As in `INFO: Loaded 1 modules   (123 inline 8-bit counters): 123 [...]`.
    let counters =
        said.split_once(" inline 8-bit counters)").and_then(|(before, _)| before.rsplit_once('('));
    let counters = counters.and_then(|(_, number)| number.parse().ok());
    match (output.status.success(), counters) {
        (true, Some(counters)) => Ok(Run { time, counters }),
        _ => Err(format!("{} failed: {said}", program.display()).into()),
    }
}

/// The CPU time of all children so far that were waited for.
fn used() -> Result<Duration, Box<dyn Error>> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let time = usage.user_time() + usage.system_time();
    Ok(Duration::from_micros(time.num_microseconds().try_into()?))
}
