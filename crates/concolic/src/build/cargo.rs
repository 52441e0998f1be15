//! Compiles a program with Cargo, under the flags that the machine needs, and reads what Cargo says of it.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use super::toolchain::Host;
use super::{BuildError, Builder, Wanted, foreign};

/// What the profile `release` becomes for both forms of a program; the module's docs say why.
const PROFILE: [&str; 6] = [
    "opt-level=1",
    "overflow-checks=true",
    "debug-assertions=false",
    "debug=\"line-tables-only\"",
    "strip=\"none\"",
    "incremental=false",
];

/// And for the one that has a text.
const WHOLE: [&str; 3] = ["lto=\"fat\"", "codegen-units=1", "panic=\"abort\""];

/// And for the one whose panics unwind.
const UNWINDING: [&str; 2] = ["lto=\"off\"", "panic=\"unwind\""];

/// What each crate of the program is compiled with.
const FLAGS: [&str; 3] =
    ["-Cllvm-args=-inline-threshold=-100000", "-Cno-vectorize-loops", "-Cno-vectorize-slp"];

/// What stands between flags in `CARGO_ENCODED_RUSTFLAGS`.
const SEPARATOR: &str = "\x1f";

/// The compiler for C: Clang, which prints the IR of what it compiles beside the object.
const CLANG: &str = include_str!("clang.sh");

/// A program to be compiled.
pub(super) struct Compile<'a> {
    pub(super) builder: &'a Builder,
    pub(super) host: &'a Host,
    pub(super) manifest: &'a Path,
    pub(super) name: &'a str,
    pub(super) features: &'a [String],
    /// Under `cfg(fuzzing)`, as cargo-fuzz does it.
    pub(super) fuzzing: bool,
    /// Where its text goes, if one is made.
    pub(super) ir: PathBuf,
    pub(super) wanted: Wanted<'a>,
    /// The builder's folder, by its full path.
    pub(super) folder: &'a Path,
}

/// A form of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// With its text, and with panics that end it.
    Whole,
    /// With panics that unwind.
    Unwinding,
    /// With these and with hooks.
    Hooked,
}

/// A compiled program.
pub(super) struct Artifact {
    pub(super) program: PathBuf,
    /// The same with panics that unwind, where it has a use for them.
    pub(super) unwinding: Option<PathBuf>,
    pub(super) ir: PathBuf,
    pub(super) fresh: bool,
    pub(super) scripts: Vec<Script>,
}

/// What a build script linked in.
pub(super) struct Script {
    /// Its package.
    pub(super) package: String,
    /// Libraries, and folders to look for them, as the linker is told.
    pub(super) libraries: Vec<String>,
    pub(super) folders: Vec<PathBuf>,
    /// Where it put what it made.
    pub(super) out: PathBuf,
}

/// What one call of Cargo made.
struct Made {
    program: PathBuf,
    fresh: bool,
    scripts: Vec<Script>,
}

/// What the compiler refused.
pub(super) struct Refused {
    /// What it said.
    pub(super) text: String,
    /// The errors' codes.
    pub(super) codes: Vec<String>,
}

impl Compile<'_> {
    /// Compiles it, where Cargo doesn't call it fresh.
    pub(super) fn run(self) -> Result<Result<Artifact, Refused>, BuildError> {
        let run = |command: Command| BuildError::run(command, &self.builder.cargo);
        let form = match self.wanted {
            Wanted::Text => Form::Whole,
            Wanted::Native => Form::Unwinding,
            Wanted::Hooked(_) => Form::Hooked,
        };
        let mut output = run(self.command(form)?)?;
        if form == Form::Whole && output.status.success() && !self.has_text(&output.stdout) {
            // Cargo does not know of the text: where it is none of this program, all of its package is to be made again.
            run(self.clean(&output.stdout))?;
            output = run(self.command(form)?)?;
        }
        let made = match self.made(&output) {
            Ok(made) => made,
            Err(refused) => return Ok(Err(refused)),
        };
        let mut artifact = Artifact {
            program: made.program,
            unwinding: None,
            fresh: made.fresh,
            scripts: made.scripts,
            ir: self.ir.clone(),
        };
        // Under libFuzzer, a panic ends the process before anything can catch it.
        if form == Form::Whole && !self.fuzzing && foreign::catches(&self.ir)? {
            match self.made(&run(self.command(Form::Unwinding)?)?) {
                Ok(made) => {
                    artifact.unwinding = Some(made.program);
                    artifact.fresh &= made.fresh;
                }
                Err(refused) => return Ok(Err(refused)),
            }
        }
        Ok(Ok(artifact))
    }

    /// What Cargo made, by what it printed.
    fn made(&self, output: &Output) -> Result<Made, Refused> {
        let (program, scripts, mut refused) = read(&output.stdout, self.name);
        match program {
            Some((program, fresh)) if output.status.success() => {
                Ok(Made { program, fresh, scripts })
            }
            _ => {
                if refused.text.is_empty() {
                    refused.text = String::from_utf8_lossy(&output.stderr).into_owned();
                }
                Err(refused)
            }
        }
    }

    /// Whether the text is there and of the program that Cargo has. A program is linked after its text is written: one that is
    /// older is of other features, dependencies or compilers, which Cargo keeps apart, and the text is of theirs.
    fn has_text(&self, messages: &[u8]) -> bool {
        let changed = |path: &Path| fs::metadata(path).and_then(|it| it.modified()).ok();
        let (program, ..) = read(messages, self.name);
        let program = program.and_then(|(path, _)| changed(&path));
        changed(&self.ir).zip(program).is_some_and(|(text, program)| text <= program)
    }

    /// Where Cargo works. Flags are not part of what tells crates apart in a folder: those of fuzz targets have their own. Nor
    /// would several forms of a program have room in one.
    fn target_folder(&self, form: Form) -> PathBuf {
        self.folder.join(match (self.fuzzing, form) {
            (_, Form::Hooked) => "hooked-target",
            (true, _) => "fuzz-target",
            (false, Form::Whole) => "target",
            (false, Form::Unwinding) => "unwinding-target",
        })
    }

    /// Forgets what was made of the program's package.
    fn clean(&self, messages: &[u8]) -> Command {
        let of_program = |message: &Value| {
            message["reason"] == "compiler-artifact" && message["target"]["name"] == self.name
        };
        let id = each(messages)
            .find(of_program)
            .map(|it| package(it["package_id"].as_str().unwrap_or_default()));
        let mut command = Command::new(&self.builder.cargo);
        command
            .args(["clean", "--release", "--target", &self.host.triple, "--manifest-path"])
            .arg(self.manifest);
        command.arg("--target-dir").arg(self.target_folder(Form::Whole));
        command.arg("-p").arg(id.unwrap_or_default());
        command
    }

    fn command(&self, form: Form) -> Result<Command, BuildError> {
        let mut flags = match self.wanted {
            Wanted::Hooked(hooks) => hooks.flags.iter().map(String::as_str).collect(),
            Wanted::Text | Wanted::Native => FLAGS.to_vec(),
        };
        if self.fuzzing {
            flags.extend(["--cfg", "fuzzing"]);
        }
        let mut command = Command::new(&self.builder.cargo);
        command.args([
            "rustc",
            "--release",
            "--message-format=json",
            "--target",
            &self.host.triple,
        ]);
        command.arg("--manifest-path").arg(self.manifest).args(["--bin", self.name]);
        command.arg("--target-dir").arg(self.target_folder(form));
        if !self.features.is_empty() {
            command.arg("--features").arg(self.features.join(","));
        }
        let options: &[&str] = if form == Form::Whole { &WHOLE } else { &UNWINDING };
        for option in PROFILE.iter().chain(options) {
            command.args(["--config", &format!("profile.release.{option}")]);
        }
        if form == Form::Whole {
            let mut emit = std::ffi::OsString::from("--emit=link,llvm-ir=");
            emit.push(&self.ir);
            command.arg("--").arg(emit);
        }
        command
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join(SEPARATOR))
            .env("RUSTC", &self.builder.rustc)
            .env_remove("RUSTC_WORKSPACE_WRAPPER");
        if let Wanted::Hooked(hooks) = self.wanted {
            command.env("RUSTC_WRAPPER", &hooks.wrapper);
            // All that is refused is wanted at once.
            command.arg("--keep-going");
        }
        // Cargo looks for its settings from here upwards.
        command.current_dir(self.manifest.parent().unwrap_or(self.folder));
        if let Some(clang) = &self.builder.clang {
            let wrapper = self.folder.join("clang.sh");
            super::write(&wrapper, CLANG)?;
            let runs = Permissions::from_mode(0o755);
            fs::set_permissions(&wrapper, runs).map_err(BuildError::io(&wrapper))?;
            command.env(format!("CC_{}", self.host.triple.replace('-', "_")), wrapper);
            command.env("PLEACH_CLANG", clang);
        }
        Ok(command)
    }
}

/// Reads Cargo's messages: the program and whether it was fresh, what build scripts linked, what was refused.
fn read(messages: &[u8], name: &str) -> (Option<(PathBuf, bool)>, Vec<Script>, Refused) {
    let mut program = None;
    let mut scripts = Vec::new();
    let mut refused = Refused { text: String::new(), codes: Vec::new() };
    let texts = |value: &Value| -> Vec<String> {
        let list = value.as_array().into_iter().flatten();
        list.filter_map(|it| it.as_str().map(str::to_owned)).collect()
    };
    for message in
        serde_json::Deserializer::from_slice(messages).into_iter::<Value>().map_while(Result::ok)
    {
        match message["reason"].as_str() {
            Some("compiler-artifact") if message["target"]["name"] == name => {
                if let Some(path) = message["executable"].as_str() {
                    program = Some((path.into(), message["fresh"] == true));
                }
            }
            Some("build-script-executed") => scripts.push(Script {
                package: package(message["package_id"].as_str().unwrap_or_default()),
                libraries: texts(&message["linked_libs"]),
                folders: texts(&message["linked_paths"])
                    .iter()
                    .map(|it| it.split_once('=').map_or(it.as_str(), |(_, path)| path).into())
                    .collect(),
                out: message["out_dir"].as_str().unwrap_or_default().into(),
            }),
            Some("compiler-message") if message["message"]["level"] == "error" => {
                refused.text += message["message"]["rendered"].as_str().unwrap_or_default();
                refused
                    .codes
                    .extend(message["message"]["code"]["code"].as_str().map(str::to_owned));
            }
            _ => {}
        }
    }
    (program, scripts, refused)
}

fn each(messages: &[u8]) -> impl Iterator<Item = Value> + '_ {
    serde_json::Deserializer::from_slice(messages).into_iter().map_while(Result::ok)
}

/// A package's name in its id: `registry+https://...#name@1.0.0`, or `path+file:///.../name#1.0.0`.
fn package(id: &str) -> String {
    let (source, end) = id.rsplit_once('#').unwrap_or(("", id));
    match end.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => source.rsplit('/').next().unwrap_or(source).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_named_by_their_ids() {
        assert_eq!(package("registry+https://github.com/rust-lang/crates.io-index#cc@1.0.0"), "cc");
        assert_eq!(package("path+file:///home/me/own#0.1.0"), "own");
        assert_eq!(package("path+file:///home/me/folder#own@0.1.0"), "own");
    }
}
