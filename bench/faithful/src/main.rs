//! Whether programs do the same in the machine and natively: released crates on seeds and changed seeds, and random
//! functions on random arguments. Prints a table, with how many million instructions a second the machine executes, and all
//! disagreements; exit code 1 if there is one. `uses` prints instead
//! which crates' subjects use hash maps, floats or vector instructions.
//!
//! `cargo run --release -p pleach-faithful -- [crates|functions|uses] [--quick] [--seed N] [--only NAME] [--keep FOLDER]`

#![allow(clippy::print_stdout)]

mod compare;
mod functions;
mod inputs;
mod uses;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use compare::{Both, Judged};
use fastrand::Rng;
use pleach_concolic::build::{Builder, Input, Target};
use pleach_concolic::program::Program;

/// How much is run: inputs for each crate, programs of functions, functions in each, runs of each function.
struct Size {
    inputs: usize,
    batches: usize,
    functions: usize,
    runs: usize,
}

const FULL: Size = Size { inputs: 130, batches: 4, functions: 500, runs: 4 };
const QUICK: Size = Size { inputs: 12, batches: 1, functions: 60, runs: 2 };

/// How many instructions a run may execute in the machine.
const STEPS: u64 = 1_000_000_000;

/// How many disagreements of one subject are shown.
const SHOWN: usize = 12;

struct Asked {
    crates: bool,
    functions: bool,
    uses: bool,
    size: Size,
    seed: u64,
    only: Option<String>,
    keep: PathBuf,
}

/// What came of many inputs.
#[derive(Default)]
struct Tally {
    inputs: usize,
    panics: usize,
    disagreements: usize,
    gave_up: usize,
    steps: u64,
    taken: Duration,
}

impl Tally {
    /// Counts a run, and shows what differs.
    fn add(&mut self, name: &str, input: &[u8], judged: Judged) {
        self.inputs += 1;
        self.panics += usize::from(judged.panicked);
        self.steps += judged.steps;
        self.taken += judged.taken;
        let Some(difference) = judged.difference else { return };
        let count = if difference.gave_up { &mut self.gave_up } else { &mut self.disagreements };
        *count += 1;
        if *count <= SHOWN {
            println!("  {name} on \"{}\": {}", input.escape_ascii(), difference.text);
        }
    }

    fn row(&self, name: &str, seconds: f64) {
        println!(
            "{name:<16} {:>7} {:>7} {:>13} {:>8} {:>10.1} {:>8.1} {:>8.1}",
            self.inputs,
            self.panics,
            self.disagreements,
            self.gave_up,
            self.steps as f64 / 1e6,
            self.steps as f64 / 1e6 / self.taken.as_secs_f64().max(1e-9),
            seconds
        );
    }

    fn join(&mut self, other: &Self) {
        self.inputs += other.inputs;
        self.panics += other.panics;
        self.disagreements += other.disagreements;
        self.gave_up += other.gave_up;
        self.steps += other.steps;
        self.taken += other.taken;
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let asked = asked()?;
    if asked.uses {
        return used(&asked);
    }
    println!("seed {}", asked.seed);
    let mut all = Tally::default();
    println!(
        "{:<16} {:>7} {:>7} {:>13} {:>8} {:>10} {:>8} {:>8}",
        "subject", "inputs", "panics", "disagreements", "gave up", "M steps", "M/s", "seconds"
    );
    let began = Instant::now();
    if asked.crates {
        all.join(&crates(&asked)?);
    }
    if asked.functions {
        all.join(&random_functions(&asked)?);
    }
    all.row("all", began.elapsed().as_secs_f64());
    Ok(ExitCode::from(u8::from(all.disagreements + all.gave_up > 0)))
}

fn asked() -> Result<Asked, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut asked = Asked {
        crates: true,
        functions: true,
        uses: false,
        size: FULL,
        seed: 1,
        only: None,
        keep: root.join("../../target/faithful"),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} wants a value"));
        match argument.as_str() {
            "crates" => asked.functions = false,
            "functions" => asked.crates = false,
            "uses" => asked.uses = true,
            "--quick" => asked.size = QUICK,
            "--seed" => asked.seed = value()?.parse()?,
            "--only" => asked.only = Some(value()?),
            "--keep" => asked.keep = value()?.into(),
            other => {
                return Err(format!("{other} is no option: see the head of src/main.rs").into());
            }
        }
    }
    Ok(asked)
}

/// Runs the released crates.
fn crates(asked: &Asked) -> Result<Tally, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("subjects");
    let built = Builder::new(&asked.keep).build(&Target::parse("bin:subjects", &folder)?)?;
    let both = Both::new(&built, STEPS)?;
    let mut all = Tally::default();
    for (number, seeds) in inputs::SEEDS.iter().enumerate() {
        if asked.only.as_ref().is_some_and(|only| only != seeds.name) {
            continue;
        }
        // Each subject's inputs are the same with and without the others.
        let mut random = Rng::with_seed(asked.seed.wrapping_mul(1000).wrapping_add(number as u64));
        let mut tally = Tally::default();
        let began = Instant::now();
        let input = |bytes| Input { bytes, arguments: vec![seeds.name.into()], ..Input::default() };
        let panics = |bytes: &[u8]| Ok(built.native.run(&input(bytes.to_vec()))?.panic.is_some());
        for bytes in seeds.inputs(asked.size.inputs, &mut random, panics)? {
            let input = input(bytes);
            let judged = both.judge(&input)?;
            tally.add(seeds.name, &input.bytes, judged);
        }
        tally.row(seeds.name, began.elapsed().as_secs_f64());
        all.join(&tally);
    }
    Ok(all)
}

/// Says what the crates' subjects use, by their seeds; the answer is "no" where less than half use any of it.
fn used(asked: &Asked) -> Result<ExitCode, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("subjects");
    let built = Builder::new(&asked.keep).build(&Target::parse("bin:subjects", &folder)?)?;
    let program = Program::read(&built)?;
    println!("{:<16} {:>9} {:>6} {:>7}", "subject", "hash maps", "floats", "vectors");
    let mut any = 0;
    for seeds in &inputs::SEEDS {
        let all = seeds.harmless.iter().chain(seeds.crashing);
        let input = |text: &&str| Input {
            bytes: text.as_bytes().to_vec(),
            arguments: vec![seeds.name.into()],
            ..Input::default()
        };
        let uses = uses::of(&program, &all.map(input).collect::<Vec<_>>(), STEPS)?;
        any += usize::from(uses.any());
        let [maps, floats, vectors] =
            [uses.hash_maps, uses.floats, uses.vectors].map(|it| if it { "yes" } else { "-" });
        println!("{:<16} {maps:>9} {floats:>6} {vectors:>7}", seeds.name);
    }
    println!("{any} of {} use any of these", inputs::SEEDS.len());
    Ok(ExitCode::from(u8::from(2 * any < inputs::SEEDS.len())))
}

/// Writes, builds and runs random functions.
fn random_functions(asked: &Asked) -> Result<Tally, Box<dyn Error>> {
    let size = &asked.size;
    let mut all = Tally::default();
    for batch in 0..size.batches {
        let name = format!("functions-{}-{batch}", asked.seed);
        if asked.only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let mut random =
            Rng::with_seed(asked.seed.wrapping_mul(1000).wrapping_add(500 + batch as u64));
        let source = functions::program(size.functions, &mut random);
        let folder = asked.keep.join("functions").join(&name);
        fs::create_dir_all(&folder)?;
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
             [[bin]]\nname = \"{name}\"\npath = \"main.rs\"\n"
        );
        for (file, text) in [("Cargo.toml", &manifest), ("main.rs", &source)] {
            let path = folder.join(file);
            if fs::read_to_string(&path).ok().as_ref() != Some(text) {
                fs::write(path, text)?;
            }
        }
        let built =
            Builder::new(&asked.keep).build(&Target::parse(&format!("bin:{name}"), &folder)?)?;
        let both = Both::new(&built, STEPS)?;
        let mut tally = Tally::default();
        let began = Instant::now();
        for function in 0..size.functions {
            for _ in 0..size.runs {
                let bytes = functions::arguments(&mut random);
                let input = Input {
                    bytes,
                    arguments: vec![function.to_string().into()],
                    ..Input::default()
                };
                let judged = both.judge(&input)?;
                tally.add(&format!("{name} {function}"), &input.bytes, judged);
            }
        }
        tally.row(&name, began.elapsed().as_secs_f64());
        all.join(&tally);
    }
    Ok(all)
}
