//! The executables.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use experiment::{
    Instrumented, Made, cargo, dictionary, discard_other, host, libfuzzer, remove, wrapper,
};
use pleach_fuzz_compare::Target;

use crate::plan::{Fuzzer, Job, Start};

/// What a failure is, beside a panic of the parser's own.
const ASSERTIONS: &str = "-Cdebug-assertions";

/// The executables, built, and the folder that all is kept in.
pub struct Builds {
    folder: PathBuf,
    engines: PathBuf,
    nautilus: PathBuf,
    replay: PathBuf,
}

impl Builds {
    /// Builds what some runs need: the fuzzers, the program that replays, and the dictionaries.
    ///
    /// # Errors
    ///
    /// Where Cargo fails.
    pub fn make(folder: Option<PathBuf>, jobs: &[Job]) -> io::Result<Self> {
        let folder = folder_or_own(folder)?;
        let host = host()?;
        for fuzzer in [Fuzzer::Plain, Fuzzer::Pleach] {
            let names: BTreeSet<_> = jobs.iter().filter(|job| job.fuzzer == fuzzer).collect_names();
            if !names.is_empty() {
                eprintln!("building targets for libFuzzer, in {}", folder.display());
                engines(fuzzer, &names, &host, &folder.join("engines"))?;
            }
        }
        let third: Vec<_> = jobs.iter().filter(|job| job.fuzzer == Fuzzer::Nautilus).collect();
        if !third.is_empty() {
            let names = third.into_iter().collect_names();
            nautilus(&names, &host, &folder.join("nautilus"))?;
        }
        let replay = Instrumented {
            manifest: &package().join("Cargo.toml"),
            program: "replay",
            feature: "replay",
            crates: &pleach_fuzz_compare::crates(),
        };
        let replay = replay.build(&folder.join("replay"))?;
        let [engines, nautilus] =
            ["engines", "nautilus"].map(|kind| folder.join(kind).join(&host).join("release"));
        let builds = Self { folder, engines, nautilus, replay };
        builds.dictionaries(jobs)?;
        builds.inputs(jobs)?;
        Ok(builds)
    }

    /// Builds the program that prints how fast mutants are made, and gives it with a folder to run it in.
    ///
    /// # Errors
    ///
    /// Where Cargo fails.
    pub fn speed(folder: Option<PathBuf>) -> io::Result<(PathBuf, PathBuf)> {
        let folder = folder_or_own(folder)?;
        let (host, target) = (host()?, folder.join("engines"));
        let mut command = build(&host, &target, "Cargo.toml");
        command.args(["--no-default-features", "--features", "speed", "--bin", "speed"]);
        with_flags(command)?;
        let here = folder.join("speed");
        std::fs::create_dir_all(&here)?;
        Ok((target.join(host).join("release/speed"), here))
    }

    /// Where a run's corpus and result are kept.
    pub fn folder_of(&self, job: Job) -> PathBuf {
        let Job { target, budget, start, fuzzer, seed } = job;
        let kind = format!("{start}, {budget}").replace(' ', "-").replace(',', "");
        self.folder.join("runs").join(target.name).join(kind).join(format!("{fuzzer}-{seed}"))
    }

    /// The executable of a fuzzer.
    pub fn engine(&self, target: &Target, fuzzer: Fuzzer) -> PathBuf {
        let folder = match fuzzer {
            Fuzzer::Plain | Fuzzer::Pleach => &self.engines,
            Fuzzer::Nautilus => &self.nautilus,
        };
        folder.join(executable(target.name, fuzzer))
    }

    /// The grammar of a target.
    pub fn grammar(&self, target: &Target) -> PathBuf {
        root().join(format!("{}.pleach", target.grammar))
    }

    /// The program that replays corpora.
    pub fn replay(&self) -> &Path {
        &self.replay
    }

    /// The dictionary of a target.
    pub fn dictionary(&self, target: &Target) -> PathBuf {
        self.folder.join("dictionaries").join(format!("{}.dict", target.name))
    }

    /// The folder of what a target's grammar makes.
    pub fn made(&self, target: &Target, made: Made) -> PathBuf {
        self.folder.join("made").join(target.name).join(made.to_string())
    }

    /// What tells executables of one name apart, and what the runs begin with that grammars make.
    ///
    /// # Errors
    ///
    /// Where one cannot be read.
    pub fn stamp(&self, Job { target, fuzzer, start, .. }: Job) -> io::Result<String> {
        let mut hasher = DefaultHasher::new();
        if let Start::Made(made) = start {
            let files = std::fs::read_dir(self.made(target, made))?.map(|entry| Ok(entry?.path()));
            let mut files = files.collect::<io::Result<Vec<_>>>()?;
            files.sort_unstable();
            for file in files {
                std::fs::read(file)?.hash(&mut hasher);
            }
        }
        std::fs::read(self.engine(target, fuzzer))?.hash(&mut hasher);
        std::fs::read(&self.replay)?.hash(&mut hasher);
        match fuzzer {
            Fuzzer::Plain | Fuzzer::Pleach => std::fs::read(self.dictionary(target))?,
            Fuzzer::Nautilus => std::fs::read(self.grammar(target))?,
        }
        .hash(&mut hasher);
        Ok(format!("{:016x}", hasher.finish()))
    }

    /// Writes the dictionaries that `pleach dict` prints.
    fn dictionaries(&self, jobs: &[Job]) -> io::Result<()> {
        std::fs::create_dir_all(self.folder.join("dictionaries"))?;
        let targets: BTreeSet<_> = jobs.iter().map(|job| job.target.name).collect();
        for name in targets {
            let Ok(target) = crate::plan::target(name) else { continue };
            let words = dictionary(&root(), &self.grammar(target))?;
            std::fs::write(self.dictionary(target), words)?;
        }
        Ok(())
    }

    /// Writes what grammars make for runs to begin with.
    fn inputs(&self, jobs: &[Job]) -> io::Result<()> {
        let made = jobs.iter().filter_map(|job| match job.start {
            Start::Made(made) => Some((job.target.name, made)),
            Start::Empty | Start::Texts => None,
        });
        for (name, made) in made.collect::<BTreeSet<_>>() {
            let Ok(target) = crate::plan::target(name) else { continue };
            let scratch = self.folder.join("generated");
            let texts = made.texts(&root(), &self.grammar(target), &scratch)?;
            let folder = self.made(target, made);
            remove(&folder)?;
            std::fs::create_dir_all(&folder)?;
            for (number, text) in texts.iter().enumerate() {
                std::fs::write(folder.join(format!("{number:05}")), text)?;
            }
        }
        Ok(())
    }
}

/// The folder of the repository.
fn root() -> PathBuf {
    package().join("../..")
}

/// The folder of this package.
pub fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

trait Names {
    fn collect_names(self) -> BTreeSet<&'static str>;
}

impl<'j, I: Iterator<Item = &'j Job>> Names for I {
    fn collect_names(self) -> BTreeSet<&'static str> {
        self.map(|job| job.target.name).collect()
    }
}

fn executable(name: &str, fuzzer: Fuzzer) -> String {
    match fuzzer {
        Fuzzer::Plain => format!("plain-{name}"),
        Fuzzer::Pleach => name.to_owned(),
        Fuzzer::Nautilus => format!("nautilus-{name}"),
    }
}

/// Builds executables of libFuzzer, all with the same flags and versions.
fn engines(fuzzer: Fuzzer, names: &BTreeSet<&str>, host: &str, target: &Path) -> io::Result<()> {
    let mut command = match fuzzer {
        Fuzzer::Plain => {
            let mut command = build(host, target, "Cargo.toml");
            command.args(["--no-default-features", "--features", "plain"]);
            command
        }
        Fuzzer::Pleach => build(host, target, "../Cargo.toml"),
        Fuzzer::Nautilus => return Err(io::Error::other("libFuzzer has no such mutators")),
    };
    for name in names {
        command.args(["--bin", &executable(name, fuzzer)]);
    }
    with_flags(command)
}

/// Cargo's command that builds programs of a manifest beside this package's.
fn build(host: &str, target: &Path, manifest: &str) -> Command {
    let mut command = Command::new(cargo());
    command.args(["build", "--release", "--target", host, "--target-dir"]).arg(target);
    command.arg("--manifest-path").arg(package().join(manifest));
    command
}

/// Runs a command of Cargo's with the flags of targets for libFuzzer.
fn with_flags(mut command: Command) -> io::Result<()> {
    finish(command.env("RUSTFLAGS", format!("{} {ASSERTIONS}", libfuzzer::FLAGS)))
}

fn finish(command: &mut Command) -> io::Result<()> {
    if command.stdout(Stdio::null()).status()?.success() {
        return Ok(());
    }
    Err(io::Error::other("the targets were not built"))
}

/// Builds executables of LibAFL. It reads its map of counters in code of the same program, so only the
/// crates that count, and the bodies', have counters: LibAFL itself is built as it is for anyone.
fn nautilus(names: &BTreeSet<&str>, host: &str, target: &Path) -> io::Result<()> {
    eprintln!("building targets for LibAFL, in {}", target.display());
    let added = format!("{} {ASSERTIONS}", libfuzzer::COUNTERS);
    let flags = format!("{added}\n{}", pleach_fuzz_compare::crates().join(","));
    discard_other(target, &flags)?;
    let mut command = build(host, target, "nautilus/Cargo.toml");
    for name in names {
        command.args(["--bin", &executable(name, Fuzzer::Nautilus)]);
    }
    command
        .env("RUSTC_WRAPPER", std::env::current_exe()?)
        .env(wrapper::CRATES, pleach_fuzz_compare::crates().join(","))
        .env(wrapper::ADDED, added)
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
    finish(&mut command)
}

/// The folder that is asked for, or one in Cargo's; made if it is not there.
fn folder_or_own(folder: Option<PathBuf>) -> io::Result<PathBuf> {
    let folder = match folder {
        Some(folder) => std::path::absolute(folder)?,
        None => target_folder(&std::env::current_exe()?).join("compare"),
    };
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Cargo's folder, which this program is in: `target/release/compare`.
fn target_folder(this: &Path) -> PathBuf {
    let folder = this.parent().and_then(Path::parent);
    folder.map_or_else(|| package().join("../target"), Path::to_owned)
}
