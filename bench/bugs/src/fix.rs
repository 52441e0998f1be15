//! Fixes of rows' faults, in later releases of the crates, and what takes them back: a folder each under `fixes/`.
//!
//! A fix that is taken back is a change as any other that brings a fault in, and one that has really been wrong. The release
//! that has the fix is committed to a Git repository of its own, and what takes the fix back, and nothing else of the
//! release, is then applied to the files.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

use experiment::{cargo, remove};
use pleach_bridge::campaign::{Campaign, Event, Options};
use pleach_bridge::system::SystemTester;
use pleach_concolic::build::{Builder, Built, Target};
use pleach_concolic::vm::Options as Machine;
use pleach_explore::subject::Subject;
use pleach_explore::symbolic::SymbolicLimits;
use serde::Deserialize;
use serde_json::Value;

use crate::explore::STEPS;
use crate::row::{Row, package, rows};

/// What takes a fix back, in a fix's folder.
const PATCH: &str = "reverse.patch";

/// What `fix.toml` says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// The release that has the fix, the one that `Cargo.toml` asks for.
    pub version: String,
    /// Where the fix is told of.
    pub source: String,
    /// Where the package without the fix fails, from the repository's folder on.
    pub place: String,
}

/// A fix of a row's fault.
#[derive(Debug)]
pub struct Fix {
    /// The row: its name is that of the fix's folder.
    pub row: Row,
    /// What `fix.toml` says.
    pub facts: Facts,
    folder: PathBuf,
}

/// A fix that is taken back.
pub struct Reversed {
    /// The folder of the repository, whose last commit has the fix.
    pub repository: PathBuf,
    /// The folder in which programs are kept.
    pub kept: PathBuf,
}

impl Fix {
    /// All fixes by name, or those of some names.
    ///
    /// # Errors
    ///
    /// Where one cannot be read, or there is none of a name.
    pub fn all(names: &[String]) -> Result<Vec<Self>, String> {
        let folder = package().join("fixes");
        let said = |error: io::Error| format!("{}: {error}", folder.display());
        let mut names = names.to_vec();
        if names.is_empty() {
            for entry in fs::read_dir(&folder).map_err(said)? {
                names.push(entry.map_err(said)?.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort_unstable();
        let read = |row: Row| Self::read(folder.join(&row.name), row);
        rows(&names)?.into_iter().map(read).collect()
    }

    fn read(folder: PathBuf, row: Row) -> Result<Self, String> {
        let path = folder.join("fix.toml");
        let said = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = fs::read_to_string(&path).map_err(|error| said(&error))?;
        let facts = toml_edit::de::from_str(&text).map_err(|error| said(&error))?;
        Ok(Self { row, facts, folder })
    }

    /// The folder, from the repository's.
    pub fn path(&self) -> String {
        format!("bench/bugs/fixes/{}", self.row.name)
    }

    /// A file of the fix's own, or that of the row where there is none: the release may be called otherwise than the one with
    /// the fault, or need another input.
    fn file(&self, name: &str) -> PathBuf {
        let own = self.folder.join(name);
        if own.exists() { own } else { self.row.folder().join(name) }
    }

    /// The name of the folder with the release.
    fn release(&self) -> String {
        format!("{}-{}", self.row.facts.subject, self.facts.version)
    }

    /// Whether a failure's location is the fault. Where the standard library panics it is the innermost place outside, whose path
    /// is from the release's folder on.
    pub fn is_at(&self, location: &str) -> bool {
        let at = location.rsplit_once(':').map_or("", |(at, _)| at);
        let place = self.facts.place.as_str();
        let before = at.strip_suffix(place);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
            || place.split_once('/').is_some_and(|(_, within)| within == at)
    }

    /// The inputs to begin with.
    pub fn seeds(&self) -> Result<Vec<Vec<u8>>, String> {
        self.row.seeds()?.iter().map(|path| read(path)).collect()
    }

    /// The repository, made and checked where it was not yet from sources with the same stamp.
    ///
    /// # Errors
    ///
    /// As of [`Fix::reverse`].
    pub fn reversed(&self, folder: &Path, stamp: &str) -> Result<Reversed, String> {
        let checked = self.checked(folder);
        if fs::read_to_string(&checked).is_ok_and(|before| before == stamp) {
            return Ok(self.at(folder));
        }
        let reversed = self.reverse(folder)?;
        fs::write(&checked, stamp).map_err(|error| format!("{}: {error}", checked.display()))?;
        Ok(reversed)
    }

    /// The file that says of which sources the repository was checked.
    fn checked(&self, folder: &Path) -> PathBuf {
        folder.join("repositories").join(format!("{}.checked", self.row.name))
    }

    /// Where it is in a folder.
    fn at(&self, folder: &Path) -> Reversed {
        let of = |kind: &str| folder.join(kind).join(&self.row.name);
        Reversed { repository: of("repositories"), kept: of("kept") }
    }

    /// Makes the repository, and checks it: with the fix the witness does not fail, and without it does at the place. No
    /// seed fails.
    ///
    /// # Errors
    ///
    /// Where it can't be made, or is not so.
    pub fn reverse(&self, folder: &Path) -> Result<Reversed, String> {
        let said = |error: io::Error| format!("{}: {error}", self.row.name);
        let reversed = self.at(folder);
        remove(&reversed.repository).map_err(said)?;
        let driver = reversed.repository.join("driver");
        fs::create_dir_all(driver.join("src")).map_err(said)?;
        fs::write(self.checked(folder), "").map_err(said)?;
        for name in ["Cargo.toml", "Cargo.lock", "src/lib.rs"] {
            fs::copy(self.file(name), driver.join(name)).map_err(said)?;
        }
        let manifest = driver.join("Cargo.toml");
        let (subject, version) = (&self.row.facts.subject, &self.facts.version);
        let source = released(&manifest, subject, Some(version))?;
        copy(&source, &reversed.repository.join(self.release())).map_err(said)?;
        let own = fs::read_to_string(&manifest).map_err(said)?;
        let (subject, release) = (&self.row.facts.subject, self.release());
        let patch = format!("[patch.crates-io]\n{subject} = {{ path = \"../{release}\" }}\n");
        fs::write(&manifest, format!("{own}\n{patch}")).map_err(said)?;
        git(&reversed.repository, &["init", "--quiet"])?;
        git(&reversed.repository, &["add", "--force", "--all"])?;
        git(&reversed.repository, &["commit", "--quiet", "--message", "The release with the fix"])?;
        let (witness, seeds) = ([read(&self.file("witness"))?], self.seeds()?);
        let built = reversed.build()?;
        if let Some(location) =
            [failures(&built, &witness)?, failures(&built, &seeds)?].concat().pop()
        {
            return Err(format!("{}: with the fix it fails at {location}", self.row.name));
        }
        let patch = self.folder.join(PATCH).display().to_string();
        git(&reversed.repository, &["apply", &patch])?;
        let built = reversed.build()?;
        let fails = failures(&built, &witness)?;
        if !fails.iter().any(|location| self.is_at(location)) {
            let name = &self.row.name;
            return Err(format!("{name}: without the fix the witness fails elsewhere: {fails:?}"));
        }
        match failures(&built, &seeds)?.pop() {
            Some(at) => Err(format!("{}: without the fix a seed fails at {at}", self.row.name)),
            None => Ok(reversed),
        }
    }
}

impl Reversed {
    /// The driver's file.
    pub fn driver(&self) -> PathBuf {
        self.repository.join("driver/src/lib.rs")
    }

    /// Builds the driver as the command does, or finds it built.
    pub fn build(&self) -> Result<Built, String> {
        let target = Target::Function { file: self.driver(), function: "run".into() };
        let built = Builder::new(&self.kept).build(&target);
        built.map_err(|error| format!("{}: {error}", self.repository.display()))
    }
}

/// A campaign without units.
pub fn unitless(
    built: &Built,
    tester: Option<Box<dyn SystemTester>>,
    seeds: &[Vec<u8>],
) -> Result<Campaign, String> {
    let machine = Machine::new().steps(STEPS);
    let subject = Subject::open(built, machine, SymbolicLimits::default())?;
    let mut campaign = Campaign::new(subject, [], Options::new());
    if let Some(tester) = tester {
        campaign = campaign.with_system_tester(tester);
    }
    seeds.iter().for_each(|seed| campaign.add(seed));
    Ok(campaign)
}

/// Where a program fails on inputs, natively.
fn failures(built: &Built, inputs: &[Vec<u8>]) -> Result<Vec<String>, String> {
    let mut campaign = unitless(built, None, inputs)?;
    let mut native = built.native.clone();
    loop {
        match campaign.step(&mut native) {
            Event::Finished => break,
            Event::Ran { error: Some(error), .. } => return Err(error.to_string()),
            _ => {}
        }
    }
    Ok(campaign.failures().iter().map(|failure| failure.location.clone()).collect())
}

/// Runs Git in a folder, by none of the user's settings.
fn git(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let status = Command::new("git")
        .args(["-c", "user.name=pleach", "-c", "user.email=pleach@example.org"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .current_dir(folder)
        .status()
        .map_err(|error| format!("git can't be run: {error}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{}: `git {}` failed", folder.display(), arguments.join(" "))),
    }
}

/// The folder in which Cargo keeps a package of those that a manifest asks for, of a version or of whichever, downloaded where it is not yet.
pub fn released(manifest: &Path, name: &str, version: Option<&str>) -> Result<PathBuf, String> {
    let said = |why: &dyn std::fmt::Display| format!("{}: {why}", manifest.display());
    let output = Command::new(cargo())
        .args(["metadata", "--format-version", "1", "--locked", "--all-features"])
        .arg("--manifest-path")
        .arg(manifest)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| said(&error))?;
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| said(&error))?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let is_it =
        |it: &&Value| it["name"] == *name && version.is_none_or(|own| it["version"] == *own);
    let package = packages.find(is_it);
    let path = package.and_then(|it| it["manifest_path"].as_str()).map(Path::new);
    let folder = path.and_then(Path::parent).map(Path::to_owned);
    folder.ok_or_else(|| said(&format_args!("its packages have no {name}")))
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &to)?,
            false => fs::write(&to, fs::read(entry.path())?)?,
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Kind;

    #[test]
    fn a_location_is_the_fault_by_file_and_line() {
        let fix = &Fix::all(&["cron".into()]).unwrap()[0];
        let place = &fix.facts.place;
        assert!(fix.is_at(&format!("{place}:7")));
        assert!(fix.is_at(&format!("/kept/{place}:7")));
        let (_, within) = place.split_once('/').unwrap();
        assert!(fix.is_at(&format!("{within}:7")));
        assert!(!fix.is_at(&format!("driver/{within}:7")), "another package");
        assert!(!fix.is_at(&format!("other-{place}:7")), "another folder");
        assert!(!fix.is_at(&format!("{place}1:7")), "another line");
        assert!(!fix.is_at(place), "a line is no column");
        assert!(!fix.is_at(""));
    }

    /// What a fix is said to be is what its files are: a few lines of the release, and of nothing else.
    #[test]
    fn fixes_are_as_they_say() {
        let fixes = Fix::all(&[]).unwrap();
        assert!(fixes.len() >= 5);
        for fix in &fixes {
            let (name, facts) = (&fix.row.name, &fix.row.facts);
            assert!(!fix.row.is_planted(), "{name}");
            assert!(!matches!(facts.kind, Kind::Stack | Kind::Hang), "{name}");
            assert_ne!(facts.version, fix.facts.version, "{name}");
            assert!(fix.facts.source.starts_with("https://"), "{name}");
            let text = |file: &str| fs::read_to_string(fix.folder.join(file)).unwrap();
            assert!(text("Cargo.toml").contains(&format!("\"={}\"", fix.facts.version)), "{name}");
            let release = format!("{}/", fix.release());
            assert!(fix.facts.place.starts_with(&release), "{name}");
            let patch = text(PATCH);
            let files = patch.lines().filter_map(|line| line.strip_prefix("+++ b/"));
            let files: Vec<&str> = files.collect();
            assert!(files.len() == 1 && files[0].starts_with(&release), "{name}: {files:?}");
            let changed = |line: &&str| line.starts_with(['+', '-']) && !line.starts_with("+++");
            assert!(patch.lines().filter(changed).count() <= 24, "{name}");
        }
    }

    #[test]
    fn folders_are_copied_whole() {
        let folder = std::env::temp_dir().join(format!("pleach-bugs-fix-{}", std::process::id()));
        fs::create_dir_all(folder.join("a/b")).unwrap();
        fs::write(folder.join("a/b/c"), "d").unwrap();
        copy(&folder.join("a"), &folder.join("e")).unwrap();
        let copied = fs::read(folder.join("e/b/c"));
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(copied.unwrap(), b"d");
    }
}
