//! `pleach-bugs speed`: how long a native run of a unit takes, beside the subject as a process and in one process again and again.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use experiment::{cargo, circumstances, remove};
use pleach_explore::parts;

use super::{Subject, native, subjects};
use crate::explore::now;
use crate::since::median;

/// How many times as fast as the subject as a process a run of a unit is wanted, and as the subject in process; and the call in it as the
/// latter.
const WANTED: [f64; 3] = [300.0, 3.0, 50.0];

#[derive(Args)]
pub struct Speed {
    /// Subjects [default: all]
    subjects: Vec<String>,
    /// Seconds for each of what is measured of a subject
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Writes the table to `SPEED.md` in `bench/bridge`
    #[arg(long)]
    write: bool,
}

/// Seconds of CPU time that a run takes, on average.
struct Measured {
    name: &'static str,
    process: f64,
    in_process: f64,
    unit: f64,
    /// The function's own part of the same.
    call: f64,
    /// How many runs of units there were.
    runs: u64,
}

impl Measured {
    /// The ratios, in the order of [`WANTED`].
    fn ratios(&self) -> [f64; 3] {
        [self.process / self.unit, self.in_process / self.unit, self.in_process / self.call]
    }
}

impl Speed {
    /// Measures subjects one after the other.
    pub fn run(&self, folder: &Path) -> Result<ExitCode, String> {
        let subjects = super::chosen(&self.subjects)?;
        // What is built for the comparison is built for this.
        let folder = folder.join("compare");
        let mut all = Vec::new();
        for of in subjects {
            let measured = self.measure(of, &folder).map_err(|it| format!("{}: {it}", of.name))?;
            println!("{}", line(&measured));
            all.push(measured);
        }
        let text = self.markdown(&all);
        print!("\n{text}");
        if self.write {
            let path = super::subjects().join("../SPEED.md");
            fs::write(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn measure(&self, of: &'static Subject, folder: &Path) -> Result<Measured, String> {
        let said = |error: io::Error| error.to_string();
        let seeds = of.seeds().map_err(said)?;
        let alone = build(&subjects(), of.name, of.name, &folder.join("alone")).map_err(said)?;
        let looped = subjects().join("../looped");
        let looped = build(&looped, "looped", of.name, &folder.join("looped").join(of.name))
            .map_err(said)?;
        let time = self.seconds as f64 / seeds.len() as f64;
        let (mut process, mut in_process) = (0.0, 0.0);
        for seed in &seeds {
            let place = folder.join("place");
            remove(&place).and_then(|()| fs::create_dir_all(&place)).map_err(said)?;
            let run = |program: &Path, first: Option<String>| {
                let mut command = command(program, first, seed, &place)?;
                command.status()
            };
            let (begun, mut runs) = (now()?, 0);
            while now()? - begun < time {
                run(&alone, None).map_err(said)?;
                runs += 1;
            }
            process += (now()? - begun) / f64::from(runs);
            in_process += often(time, |runs| run(&looped, Some(runs.to_string())).map(|_| ()))?;
        }
        let report = native::report(of.name, self.seconds, folder)?;
        let number = |key: &str| report[key].as_f64().unwrap_or_default();
        let runs = number("tested").max(1.0);
        Ok(Measured {
            name: of.name,
            process: process / seeds.len() as f64,
            in_process: in_process / seeds.len() as f64,
            unit: number("nanoseconds") / 1e9 / runs,
            call: number("call_nanoseconds") / 1e9 / runs,
            runs: runs as u64,
        })
    }

    fn markdown(&self, all: &[Measured]) -> String {
        let mut out = format!(
            "# How long runs take\n\n{}. {} s for each cell but the last two, which are of one campaign.\n\nMicroseconds of CPU time, on average; \
             what stands behind are medians and what is wanted.\n\n\
             | subject | process | in process | run of a unit | the call in it | process by run | in process by run | in process by call | runs of units |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
            circumstances(),
            self.seconds
        );
        for it in all {
            let _ = writeln!(out, "{}", line(it));
        }
        let names = [
            "the subject as a process by a run of a unit",
            "the subject in process by a run of a unit",
            "the subject in process by a call",
        ];
        out += "\n| medians of the ratios | wanted | measured |\n| --- | ---: | ---: |\n";
        for (at, name) in names.iter().enumerate() {
            let median = median(all.iter().map(|it| it.ratios()[at]).collect()).unwrap_or_default();
            let _ = writeln!(out, "| {name} | {} | {median:.1} |", WANTED[at]);
        }
        out
    }
}

/// A line of the table.
fn line(it: &Measured) -> String {
    let [process, in_process, unit, call] =
        [it.process, it.in_process, it.unit, it.call].map(|it| format!("{:.2}", it * 1e6));
    let [by_process, by_run, by_call] = it.ratios().map(|it| format!("{it:.1}"));
    format!(
        "| {} | {process} | {in_process} | {unit} | {call} | {by_process} | {by_run} | {by_call} | {} |",
        it.name, it.runs
    )
}

/// How long one run takes, of as many as take so long.
fn often(time: f64, mut run: impl FnMut(u64) -> io::Result<()>) -> Result<f64, String> {
    let mut runs = 1;
    loop {
        let begun = now()?;
        run(runs).map_err(|error| error.to_string())?;
        let taken = now()? - begun;
        if taken >= time / 2.0 {
            return Ok(taken / runs as f64);
        }
        runs *= 2;
    }
}

/// A program of a package with the feature of a subject, as released.
fn build(package: &Path, program: &str, subject: &str, target: &Path) -> io::Result<PathBuf> {
    let status = Command::new(cargo())
        .args(["build", "--quiet", "--release", "--locked", "--bin", program])
        .args(["--features", subject, "--target-dir"])
        .arg(target)
        .arg("--manifest-path")
        .arg(package.join("Cargo.toml"))
        .env_remove("RUSTFLAGS")
        .status()?;
    match status.success() {
        true => Ok(target.join("release").join(program)),
        false => Err(io::Error::other(format!("{program} was not built"))),
    }
}

/// A program with the parts of an input, in a folder that has its files.
fn command(
    program: &Path,
    first: Option<String>,
    text: &[u8],
    place: &Path,
) -> io::Result<Command> {
    let input = parts::input(text);
    for (path, text) in &input.files {
        fs::write(place.join(path.file_name().unwrap_or_default()), text)?;
    }
    let stdin = place.with_extension("stdin");
    fs::write(&stdin, &input.bytes)?;
    let mut command = Command::new(program);
    command.args(first);
    command.args(input.arguments.iter().map(|it| std::ffi::OsStr::from_bytes(it)));
    command.stdin(File::open(stdin)?).stdout(Stdio::null()).stderr(Stdio::null());
    command.current_dir(place);
    Ok(command)
}
