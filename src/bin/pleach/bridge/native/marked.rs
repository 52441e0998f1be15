//! A program that marks nothing, built so that its own functions can be units: `--units native`.
//!
//! Its sources are copied with marks on the functions that have values for arguments, and a wrapper has the compiler read the copies in the
//! place of the sources. All else is Cargo's: manifests, features, build scripts, and what sources include. The crate `pleach-unit` is built
//! beside, from the text of it that this program has, and each crate is told where it is.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use pleach::explore::parts;
use pleach::inside::build::{BuildError, Builder, Hooks, Input, Native, Target};
use pleach::native::marks::{self, Mark};
use pleach::native::unit::sources;
use pleach::native::words;
use rustix::fs::FlockOperation;
use rustix::io::Errno;
use serde_json::Value;

use super::super::Bridge;
use super::super::since::Changes;
use crate::failure::Failure;
use crate::kept::tool;

/// What has each edge and comparison of a program told.
const FLAGS: [&str; 5] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=3",
    "-Cllvm-args=-sanitizer-coverage-trace-pc-guard",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-max-loads-per-memcmp=0",
];
/// How often marks are taken off that the compiler refuses.
const ROUNDS: usize = 64;
/// After how many of these a package has no marks any more.
const REFUSALS: u32 = 4;
/// How many words there are at most.
const WORDS: usize = 1024;
/// How deep folders of a package may be.
const DEPTH: usize = 32;

/// What is missing in a program without `pleach-unit`.
const HOOK: &str = "__sanitizer_cov_trace_pc_guard_init";
/// That there is no unit.
const NONE: &str = "error: --units native: no function of the program can be a unit natively: it would take text, bytes or numbers, and its context by \
                    reference; try --units fuzz, or --all for those of dependencies";

/// The wrapper, but for the cases.
const WRAPPER: &str = "#!/bin/sh
# Has the compiler read copies of sources in which functions are marked. What Cargo builds for itself, such as build scripts, has no target.
compiler=$1
shift
case \" $* \" in
*' --target '*) ;;
*) exec \"$compiler\" \"$@\" ;;
esac
for argument; do
  shift
  case $argument in
  /*.rs) path=$argument ;;
  *.rs) path=$PWD/$argument ;;
  *) path= ;;
  esac
  case $path in
@CASES@  esac
  set -- \"$@\" \"$argument\"
done
exec \"$compiler\" \"$@\"
";

/// A program in both forms, to be run natively.
pub(super) struct Marked {
    /// With marks.
    pub(super) program: Native,
    /// As it is.
    pub(super) plain: Native,
    /// Where copies are, and what they are copies of.
    pub(super) copies: Vec<(PathBuf, PathBuf)>,
    /// What it compares values with of which it does not tell.
    pub(super) words: Vec<Vec<u8>>,
    /// That its executables stay what they are.
    _lock: File,
}

impl Marked {
    /// What the program gets of an input.
    pub(super) fn input(&self, input: &[u8]) -> Input {
        if self.program.takes_all() { parts::input(input) } else { Input::bytes(input) }
    }
}

impl std::fmt::Debug for Marked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Marked").field("program", &self.program).finish_non_exhaustive()
    }
}

/// A source that has functions to be marked.
struct Source {
    /// Its package, by its place among those that are copied.
    package: usize,
    /// What it is a copy of.
    path: PathBuf,
    text: String,
    /// Of the text.
    hash: u64,
    marks: Vec<Mark>,
}

impl Source {
    /// Without marks.
    fn new(package: usize, path: PathBuf, text: String) -> Self {
        Self { package, path, hash: hashed(&text), text, marks: Vec::new() }
    }

    /// Finds the marks that it may have.
    fn find(
        &mut self,
        refused: &BTreeSet<u64>,
        changes: Option<&Changes>,
        entry: Option<(&Path, &str)>,
    ) {
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let entry = entry.filter(|it| it.0 == path).map(|it| it.1);
        // To read one takes longer than all else, and few have changed.
        if changes.is_none_or(|changes| entry.is_some() || changes.are_in(&path)) {
            self.marks = marks::find(&self.text);
            self.marks.retain(|mark| !refused.contains(&hashed((self.hash, &mark.lines))));
            changes.inspect(|changes| self.keep(&path, changes, entry));
        }
    }

    /// Keeps the marks of functions that have changed. Where something has that is in none, which may be called by any of them, all that are in the file
    /// with it; and that of the target's own function, by which everything gets in.
    fn keep(&mut self, path: &Path, changes: &Changes, entry: Option<&str>) {
        let Self { text, marks, .. } = self;
        let lines: Vec<_> = marks.iter().map(|mark| mark.lines.clone()).collect();
        if changes.touch_beside(path, &lines) {
            return;
        }
        let is_entry = |mark: &Mark| entry.is_some_and(|name| begins(text, mark, name));
        marks.retain(|mark| changes.touch(path, &mark.lines) || is_entry(mark));
    }

    /// Takes these marks off, and notes that; whether there is one.
    fn refuse(&mut self, refused: &mut BTreeSet<u64>, is: impl Fn(&Mark) -> bool) -> bool {
        let Self { hash, marks, .. } = self;
        let before = marks.len();
        marks.retain(|mark| {
            let goes = is(mark);
            if goes {
                refused.insert(hashed((*hash, &mark.lines)));
            }
            !goes
        });
        marks.len() < before
    }
}

/// All sources, by the paths of their copies.
#[derive(Default)]
struct Sources {
    files: BTreeMap<PathBuf, Source>,
    /// Marks that the compiler has refused, hashed with their sources: they are not tried again.
    refused: BTreeSet<u64>,
    /// How often the compiler refused marks, by package.
    refusals: Vec<u32>,
}

impl Sources {
    /// Copies a package's folder, so many folders deep: sources are read, and what is none is linked, links with it. The folder of what is kept
    /// is left out. What stands there of a package that has changed goes: a link would have its source written, and a file that was moved would be found twice.
    fn copy(&mut self, from: &Path, to: &Path, depth: usize, kept: &Path) -> io::Result<()> {
        clear(to, Is::Folder)?;
        fs::create_dir_all(to)?;
        let mut copied = BTreeSet::new();
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            let (kind, copy) = (entry.file_type()?, to.join(&name));
            // Cargo marks the folders that it builds in.
            let is_kept = || fs::canonicalize(&path).is_ok_and(|it| it == kept);
            if name.as_encoded_bytes().starts_with(b".")
                || (kind.is_dir() && (path.join("CACHEDIR.TAG").exists() || is_kept()))
            {
                continue;
            }
            let is_source = kind.is_file() && path.extension().is_some_and(|it| it == "rs");
            copied.insert(name);
            if kind.is_dir() && depth > 0 {
                self.copy(&path, &copy, depth - 1, kept)?;
            } else if is_source && let Ok(text) = fs::read_to_string(&path) {
                clear(&copy, Is::File)?;
                self.files.insert(copy, Source::new(self.refusals.len(), path, text));
            } else {
                clear(&copy, Is::LinkTo(&path))?;
                if !copy.is_symlink() {
                    symlink(&path, &copy)?;
                }
            }
        }
        drop_others(to, &copied)
    }

    /// Words of all sources but tests, of each package as many as of the others, as far as it has them. Where packages are is given.
    fn words(&self, folders: &[PathBuf]) -> Vec<Vec<u8>> {
        let mut packages = vec![BTreeSet::new(); folders.len()];
        for Source { package, path, text, .. } in self.files.values() {
            // What is around a package may have such a name, too.
            let within = path.strip_prefix(&folders[*package]).unwrap_or(path);
            let is_test = |it: &OsStr| it == "tests" || it == "benches" || it == "examples";
            if !within.iter().next().is_some_and(is_test) {
                words::find(text, &mut packages[*package]);
            }
        }
        let mut open: Vec<_> = packages.into_iter().map(BTreeSet::into_iter).collect();
        let mut all = BTreeSet::new();
        while !open.is_empty() && all.len() < WORDS {
            open.retain_mut(|words| words.next().map(|word| all.insert(word)).is_some());
        }
        all.into_iter().take(WORDS).collect()
    }

    /// What tells all sources, and marks that were refused, from others.
    fn state(&self) -> u64 {
        let files = self.files.iter().map(|(path, source)| (path, source.hash));
        hashed((files.collect::<Vec<_>>(), &self.refused))
    }

    /// Writes the copies as they are marked; whether there is a mark.
    fn write(&self) -> io::Result<bool> {
        let mut is_marked = false;
        for (path, Source { text, marks, .. }) in &self.files {
            write(path, &marks::write(text, marks)).map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", path.display()))
            })?;
            is_marked |= !marks.is_empty();
        }
        Ok(is_marked)
    }

    /// Takes marks off functions in which the compiler sees errors; off all of a source in which they are elsewhere, and off all of a package
    /// in which they come again and again. False if there is none.
    fn unmark(&mut self, said: &str) -> bool {
        // Notes and suggestions may be of functions that are in order. They count where no error is in a source.
        self.unmark_where(said, false) || self.unmark_where(said, true)
    }

    /// The same by the places of errors alone, or by all that are named.
    fn unmark_where(&mut self, said: &str, all: bool) -> bool {
        let mut packages = BTreeSet::new();
        let mut is_error = false;
        for line in said.lines() {
            is_error |= all || line.starts_with("error");
            let Some((_, place)) = line.split_once("--> ").filter(|_| is_error) else { continue };
            is_error = false;
            let mut parts = place.trim_end().rsplitn(3, ':');
            let (Some(_), Some(line), Some(path)) = (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            let (Ok(line), Some(source)) =
                (line.parse::<u32>(), self.files.get_mut(&without_parents(Path::new(path))))
            else {
                continue;
            };
            let is_there = |mark: &Mark| mark.lines.contains(&line);
            let is_known = source.marks.iter().any(is_there);
            if source.refuse(&mut self.refused, |mark| !is_known || is_there(mark)) {
                packages.insert(source.package);
            }
        }
        for &package in &packages {
            self.refusals[package] += 1;
            if self.refusals[package] >= REFUSALS {
                let own = self.files.values_mut().filter(|it| it.package == package);
                own.for_each(|it| {
                    it.refuse(&mut self.refused, |_| true);
                });
            }
        }
        !packages.is_empty()
    }

    /// Reads which marks were refused before.
    fn recall(&mut self, path: &Path) {
        let text = fs::read_to_string(path).unwrap_or_default();
        self.refused.extend(text.lines().filter_map(|line| u64::from_str_radix(line, 16).ok()));
    }

    /// Writes which marks were refused.
    fn remember(&self, path: &Path) -> io::Result<()> {
        write(path, &self.refused.iter().map(|it| format!("{it:016x}\n")).collect::<String>())
    }
}

/// Builds a target in both forms.
pub(super) fn build(bridge: &Bridge, target: &Target) -> Result<Marked, Failure> {
    let (builder, folder) = bridge.targeted.builder(target)?;
    let plain = builder.build_native(target).map_err(refused_by)?;
    let failed = |error: io::Error| Failure::Input(format!("error: {}: {error}", folder.display()));
    fs::create_dir_all(&folder).map_err(failed)?;
    let folder = fs::canonicalize(&folder).map_err(failed)?;
    let lock = lock(&folder.join("marked"))?;
    let changes = bridge.since.as_deref().map(Changes::since).transpose()?;
    let mut copies = Vec::new();
    let mut sources = Sources::default();
    let [refused, known] = ["refused", "known"].map(|name| folder.join("marked").join(name));
    sources.recall(&refused);
    let entry = match target {
        Target::Function { file, function } => {
            let file = fs::canonicalize(file).map_err(failed)?;
            let name = function.rsplit("::").next().unwrap_or_default();
            Some((file, name))
        }
        _ => None,
    };
    let entry = entry.as_ref().map(|(file, name)| (file.as_path(), *name));
    let host = builder.host().map_err(refused_by)?;
    let Packages { near, folders: packages, root, depth } =
        Packages::of(target, bridge.running.all, &host)?;
    for package in &packages {
        let place = folder.join("marked").join(format!("{:016x}", hashed(package)));
        let within = root.as_ref().and_then(|root| package.strip_prefix(root).ok());
        if let (Some(root), Some(within)) = (&root, within) {
            surround(root, &place, within, &folder).map_err(failed)?;
        }
        let copy = place.join(within.unwrap_or(Path::new("")));
        sources.copy(package, &copy, depth, &folder).map_err(failed)?;
        sources.refusals.push(0);
        copies.push((copy, package.clone()));
    }
    // What is in another package's folder is its own.
    copies.sort_by_key(|(_, package)| std::cmp::Reverse(package.as_os_str().len()));
    let mut flags = flags(&folder, &near, &host)?;
    // What was made of other sources is not fresh.
    flags.push(format!("--cfg=pleach_marked=\"{:016x}\"", hashed((&copies, sources::FILES))));
    let hooks = Hooks { flags, wrapper: wrapper(&folder, &copies).map_err(failed)? };
    // What has compiled does so again, and to find all marks in what hundreds of packages consist of takes seconds.
    let state = changes.is_none().then(|| format!("{:016x}", sources.state()));
    let is_known = state.is_some() && fs::read_to_string(&known).ok() == state;
    let words = sources.words(&packages);
    if is_known && let Ok(program) = builder.build_hooked(target, &hooks) {
        return Ok(Marked { program, plain, copies, words, _lock: lock });
    }
    for source in sources.files.values_mut() {
        source.find(&sources.refused, changes.as_ref(), entry);
    }
    // From here on copies are others.
    remove(&known).map_err(failed)?;
    let program = compile(&builder, target, &hooks, &mut sources);
    sources.remember(&refused).map_err(failed)?;
    let program = program?;
    if changes.is_none() {
        write(&known, &format!("{:016x}", sources.state())).map_err(failed)?;
    }
    Ok(Marked { program, plain, copies, words, _lock: lock })
}

/// Has the copies and what is made of them for this campaign alone, for as long as the file is open: another one may set other marks.
fn lock(folder: &Path) -> Result<File, Failure> {
    let failed = |error: io::Error| Failure::Input(format!("error: {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    let file = File::create(folder.join("lock")).map_err(failed)?;
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(Errno::WOULDBLOCK) => Err(Failure::input(format!(
            "error: {}: another campaign has it: wait until that has ended, or have this one build in a folder of its own, by --keep DIR",
            folder.display()
        ))),
        Err(error) => Err(failed(error.into())),
    }
}

/// Whether the function that is marked has a name.
fn begins(text: &str, mark: &Mark, name: &str) -> bool {
    let line = text.lines().nth(*mark.lines.start() as usize - 1).unwrap_or_default();
    let behind =
        line.split_once("fn ").and_then(|(_, behind)| behind.trim_start().strip_prefix(name));
    behind.is_some_and(|it| !it.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}

fn hashed(it: impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(it)
}

fn refused_by(error: BuildError) -> Failure {
    Failure::input(format!("error: {}", error.to_string().trim_end()))
}

/// The packages whose functions are to be units.
struct Packages {
    /// Where the target is.
    near: PathBuf,
    /// Where they are: those that are not downloaded, or all that the target consists of.
    folders: Vec<PathBuf>,
    /// Where their workspace is.
    root: Option<PathBuf>,
    /// How deep their folders may be.
    depth: usize,
}

impl Packages {
    fn of(target: &Target, all: bool, host: &str) -> Result<Self, Failure> {
        let near = match target {
            Target::Function { file, .. } => file.parent().unwrap_or(file),
            Target::Fuzz { folder, .. } | Target::Program { folder, .. } => folder,
        };
        let near = std::path::absolute(near)
            .map_err(|error| Failure::Input(format!("error: {}: {error}", near.display())))?;
        if !near.ancestors().any(|it| it.join("Cargo.toml").is_file()) {
            // What is around a file of no package is not its own.
            return Ok(Self { folders: vec![near.clone()], near, root: None, depth: 0 });
        }
        let mut command = Command::new(tool("CARGO", "cargo"));
        command
            .args(["metadata", "--all-features", "--format-version=1", "--filter-platform", host])
            .current_dir(&near)
            .stdin(Stdio::null());
        let output =
            command.output().map_err(|error| Failure::Input(format!("error: cargo: {error}")))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(Failure::Input(format!("error: {}", said.trim_end())));
        }
        let metadata: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let is_macro = |package: &Value| {
            let targets = package["targets"].as_array().into_iter().flatten();
            let mut kinds = targets.flat_map(|it| it["kind"].as_array().into_iter().flatten());
            kinds.any(|kind| kind == "proc-macro")
        };
        let packages = metadata["packages"].as_array().into_iter().flatten();
        let wanted = packages.filter(|it| (all || it["source"].is_null()) && !is_macro(it));
        let folders = wanted
            .filter_map(|it| Some(Path::new(it["manifest_path"].as_str()?).parent()?.to_owned()))
            .collect();
        let root = metadata["workspace_root"].as_str().map(PathBuf::from);
        Ok(Self { near, folders, root, depth: DEPTH })
    }
}

/// What all crates are compiled with; `pleach-unit` is built for that, where it is not, by the compiler of the packages and for the same machine.
fn flags(folder: &Path, near: &Path, host: &str) -> Result<Vec<String>, Failure> {
    let place = folder.join("unit");
    let failed = |error: io::Error| Failure::Input(format!("error: {}: {error}", place.display()));
    for (path, text) in sources::FILES {
        write(&place.join(path), text).map_err(failed)?;
    }
    let mut command = Command::new(tool("CARGO", "cargo"));
    command.args(["build", "--release", "--message-format=json", "--target-dir"]);
    command.arg(place.join("target")).arg("--manifest-path").arg(place.join("Cargo.toml"));
    // Cargo and rustup look for their settings from there upwards.
    command.args(["--target", host]).current_dir(near);
    command.env_remove("RUSTFLAGS").env("CARGO_ENCODED_RUSTFLAGS", "").env("RUSTC", "rustc");
    let output = command.stdin(Stdio::null()).output().map_err(failed)?;
    let messages = serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>();
    let library = messages.map_while(Result::ok).find_map(|message| {
        let is_it =
            message["reason"] == "compiler-artifact" && message["target"]["name"] == "pleach_unit";
        let mut files = message["filenames"].as_array()?.iter().filter_map(Value::as_str);
        is_it.then(|| files.find(|it| it.ends_with(".rlib")).map(str::to_owned)).flatten()
    });
    let Some(library) = library.filter(|_| output.status.success()) else {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::Input(format!(
            "error: pleach-unit was not built: {}",
            said.trim_end()
        )));
    };
    let mut flags: Vec<String> = FLAGS.map(str::to_owned).into();
    // The attribute is built for this machine, and the rest for what Cargo may be told to build for.
    let own = Path::new(&library).with_file_name("deps");
    for dependencies in [own, place.join("target/release/deps")] {
        flags.push(format!("-Ldependency={}", dependencies.display()));
    }
    flags.push(format!("--extern=pleach_unit={library}"));
    // Marks are no lines of the program's author.
    flags.push("--cap-lints=allow".to_owned());
    Ok(flags)
}

/// The wrapper of the compiler for these copies.
fn wrapper(folder: &Path, copies: &[(PathBuf, PathBuf)]) -> io::Result<PathBuf> {
    use super::super::outside::quoted;
    // What calls a function stands there, and is no source of the user's.
    let mut cases = format!("  {}/*) ;;\n", quoted(folder));
    for (copy, package) in copies {
        let (copy, package) = (quoted(copy), quoted(package));
        cases += &format!("  {package}/*) argument={copy}/${{path#{package}/}} ;;\n");
    }
    let path = folder.join("marked.sh");
    write(&path, &WRAPPER.replace("@CASES@", &cases))?;
    fs::set_permissions(&path, Permissions::from_mode(0o755))?;
    Ok(path)
}

/// Compiles the program with as many marks as the compiler admits.
fn compile(
    builder: &Builder,
    target: &Target,
    hooks: &Hooks,
    sources: &mut Sources,
) -> Result<Native, Failure> {
    for _ in 0..ROUNDS {
        let is_marked = sources.write();
        if !is_marked.map_err(|error| Failure::Input(format!("error: {error}")))? {
            return Err(Failure::input(NONE));
        }
        let text = match builder.build_hooked(target, hooks) {
            Ok(native) => return Ok(native),
            // Nothing that was compiled has a mark.
            Err(BuildError::Compile { text, .. }) if text.contains(HOOK) => {
                return Err(Failure::input(NONE));
            }
            Err(BuildError::Compile { text, .. }) => text,
            Err(error) => return Err(refused_by(error)),
        };
        if !sources.unmark(&text) {
            return Err(Failure::input(format!(
                "error: --units native: the program does not compile with marks: {}",
                text.trim_end()
            )));
        }
    }
    Err(Failure::input(
        "error: --units native: the compiler refuses too many functions as units: name some by --since, or try --units fuzz",
    ))
}

/// A path without `..`, as a module that another folder has is called by the compiler.
fn without_parents(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// Links beside a copy what is around a package in its workspace, as sources may include that. The folder of what is kept is left out.
fn surround(root: &Path, to: &Path, within: &Path, kept: &Path) -> io::Result<()> {
    let (mut from, mut to) = (root.to_owned(), to.to_owned());
    for part in within.components() {
        clear(&to, Is::Folder)?;
        fs::create_dir_all(&to)?;
        let mut linked = BTreeSet::from([part.as_os_str().to_owned()]);
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            let is_left_out = name.as_encoded_bytes().starts_with(b".")
                || path.join("CACHEDIR.TAG").exists()
                || fs::canonicalize(&path).is_ok_and(|it| it == kept);
            if !is_left_out && linked.insert(name.clone()) {
                let link = to.join(name);
                clear(&link, Is::LinkTo(&path))?;
                if !link.is_symlink() {
                    symlink(&path, &link)?;
                }
            }
        }
        drop_others(&to, &linked)?;
        (from, to) = (from.join(part), to.join(part));
    }
    Ok(())
}

/// Removes what is in a folder and has none of these names.
fn drop_others(folder: &Path, names: &BTreeSet<OsString>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !names.contains(&entry.file_name()) {
            clear(&entry.path(), Is::Nothing)?;
        }
    }
    Ok(())
}

/// What is to stand at a path.
#[derive(Clone, Copy)]
enum Is<'a> {
    Folder,
    File,
    LinkTo(&'a Path),
    Nothing,
}

/// Removes what stands at a path, if it is something else. No link is followed.
fn clear(path: &Path, is: Is<'_>) -> io::Result<()> {
    let kind = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?.file_type(),
    };
    let stays = match is {
        Is::Folder => kind.is_dir(),
        Is::File => kind.is_file(),
        Is::LinkTo(to) => kind.is_symlink() && fs::read_link(path)? == to,
        Is::Nothing => false,
    };
    match kind.is_dir() {
        _ if stays => Ok(()),
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    }
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes a file, and the folders around it, if that changes it: Cargo goes by the time of its last change.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_those_of_the_guide() {
        let guide = include_str!("../../../../../docs/bridge.md");
        assert!(guide.contains(&format!("RUSTFLAGS=\"{}\"", FLAGS.join(" "))));
    }

    #[test]
    fn copies_are_for_one_campaign_at_a_time() {
        let folder = crate::runs::TemporaryFolder::new("marked-lock").unwrap();
        let first = lock(folder.path()).ok();
        assert!(first.is_some());
        let second = lock(folder.path());
        let is_said = |text: &str| text.contains("another campaign has it: wait");
        assert!(matches!(second, Err(Failure::Input(text)) if is_said(&text)));
        drop(first);
        assert!(lock(folder.path()).is_ok());
    }

    #[test]
    fn what_is_built_and_what_links_lead_to_is_not_copied() {
        let folder = crate::runs::TemporaryFolder::new("marked-test").unwrap();
        let at = |name: &str| folder.path().join("from").join(name);
        for name in ["deep/more", "kept", "target"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        for name in ["a.rs", "deep/more/b.rs", "kept/c.rs", "target/d.rs"] {
            fs::write(at(name), "fn a(text: &str) {}").unwrap();
        }
        fs::write(at("target/CACHEDIR.TAG"), "").unwrap();
        fs::write(at("data"), "").unwrap();
        // Twice, each level would be twice as large as the one before.
        symlink(at(""), at("again")).unwrap();
        symlink(at(""), at("deep/again")).unwrap();
        let kept = fs::canonicalize(at("kept")).unwrap();
        let to = folder.path().join("to");
        let copied = |depth| {
            let mut sources = Sources::default();
            sources.copy(&at(""), &to, depth, &kept).unwrap();
            let names = sources.files.into_keys();
            names.map(|it| it.strip_prefix(&to).unwrap().display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(copied(DEPTH), ["a.rs", "deep/more/b.rs"]);
        assert!(to.join("data").is_symlink() && to.join("again").is_symlink());
        fs::remove_dir_all(&to).unwrap();
        assert_eq!(copied(0), ["a.rs"]);
        assert!(to.join("deep").is_symlink());
    }

    #[test]
    fn copies_are_of_what_stands_there_now_and_no_source_is_written() {
        let folder = crate::runs::TemporaryFolder::new("marked-again-test").unwrap();
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        let text = "fn a(text: &str) {}";
        for name in ["more", "other"] {
            fs::create_dir_all(from.join(name)).unwrap();
        }
        for name in ["a.rs", "moved.rs", "was.rs", "other/d.rs"] {
            fs::write(from.join(name), text).unwrap();
        }
        symlink(from.join("a.rs"), from.join("link.rs")).unwrap();
        symlink(from.join("other"), from.join("folder")).unwrap();
        let copied = || {
            let mut sources = Sources::default();
            sources.copy(&from, &to, DEPTH, Path::new("/nowhere")).unwrap();
            sources.files.values_mut().for_each(|it| it.find(&BTreeSet::new(), None, None));
            assert!(sources.write().unwrap());
        };
        copied();
        // Links become what they led to, a module gets a folder, and a source becomes a link.
        for link in ["link.rs", "folder", "was.rs"] {
            fs::remove_file(from.join(link)).unwrap();
        }
        fs::write(from.join("link.rs"), text).unwrap();
        fs::create_dir(from.join("folder")).unwrap();
        fs::write(from.join("folder/d.rs"), text).unwrap();
        fs::create_dir(from.join("moved")).unwrap();
        fs::rename(from.join("moved.rs"), from.join("moved/mod.rs")).unwrap();
        symlink(from.join("a.rs"), from.join("was.rs")).unwrap();
        copied();
        for name in ["a.rs", "other/d.rs", "link.rs", "folder/d.rs", "moved/mod.rs"] {
            assert_eq!(fs::read_to_string(from.join(name)).unwrap(), text, "{name}");
            let copy = fs::read_to_string(to.join(name)).unwrap();
            assert!(copy.contains("pleach_unit"), "{name}");
        }
        assert!(!to.join("moved.rs").exists() && to.join("was.rs").is_symlink());
    }

    #[test]
    fn what_a_source_includes_of_its_workspace_is_there_from_its_copy_on() {
        let folder = crate::runs::TemporaryFolder::new("marked-around-test").unwrap();
        let [root, to] = ["root", "to"].map(|name| folder.path().join(name));
        for name in ["crates/one/src", "crates/two", "target"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        fs::write(root.join("README.md"), "it").unwrap();
        fs::write(root.join("target/CACHEDIR.TAG"), "").unwrap();
        let around = || surround(&root, &to, Path::new("crates/one"), Path::new("/nowhere"));
        around().unwrap();
        fs::create_dir_all(to.join("crates/one/src")).unwrap();
        assert_eq!(fs::read_to_string(to.join("crates/one/../../README.md")).unwrap(), "it");
        assert!(to.join("crates/two").is_symlink() && !to.join("target").exists());
        fs::remove_file(root.join("README.md")).unwrap();
        around().unwrap();
        assert!(!to.join("README.md").is_symlink() && to.join("crates/one/src").is_dir());
    }

    #[test]
    fn words_are_of_all_packages_alike_and_of_no_tests() {
        let source = |package, path: &str, words: std::ops::Range<usize>| {
            let text = words.map(|it| format!("b\"{package}word{it:04}\";")).collect();
            (PathBuf::from(path), Source::new(package, path.into(), text))
        };
        let files = [
            source(0, "/examples/x/src/a.rs", 0..2 * WORDS),
            source(1, "/y/src/b.rs", 0..3),
            source(1, "/y/tests/c.rs", 5..9),
        ];
        let sources =
            Sources { files: files.into(), refusals: vec![0; 2], refused: BTreeSet::new() };
        let words = sources.words(&["/examples/x".into(), "/y".into()]);
        assert_eq!(words.len(), WORDS);
        assert_eq!(words.iter().filter(|it| it.starts_with(b"1")).count(), 3);
    }

    #[test]
    fn of_a_change_functions_are_marked_or_else_all_of_its_file_and_the_entry_always() {
        let text = "use std::fmt;\nfn a(text: &str) {}\nfn run_all(text: &str) {}\nfn run(text: &str) {}\nfn b() {}\n";
        let folder = crate::runs::TemporaryFolder::new("marked-since-test").unwrap();
        let path = fs::canonicalize(folder.path()).unwrap().join("a.rs");
        fs::write(&path, text).unwrap();
        let marked = |changed: &[u32], name: Option<&str>| -> Vec<u32> {
            let changes = Changes::of(&path, changed);
            let mut source = Source::new(0, path.clone(), text.into());
            source.find(&BTreeSet::new(), Some(&changes), name.map(|name| (path.as_path(), name)));
            source.marks.iter().map(|mark| *mark.lines.start()).collect()
        };
        assert_eq!(marked(&[2], None), [2]);
        assert_eq!(marked(&[2], Some("run")), [2, 4], "not what begins with the name alone");
        assert_eq!(marked(&[2, 5], None), [2, 3, 4], "one of the two changes is in none");
        assert_eq!(marked(&[], Some("run")), [4]);
        let elsewhere = Changes::of(Path::new("/elsewhere.rs"), &[2]);
        let mut source = Source::new(0, path.clone(), text.into());
        source.find(&BTreeSet::new(), Some(&elsewhere), None);
        assert!(source.marks.is_empty());
    }

    #[test]
    fn marks_go_where_the_compiler_sees_errors() {
        let text = "fn a(text: &str) {}\nfn b(text: &str) {}\nfn c(text: &str) {}\n";
        let source = |package| {
            let mut source = Source::new(package, PathBuf::new(), text.into());
            source.find(&BTreeSet::new(), None, None);
            source
        };
        let files = [("/x/a.rs", 0), ("/x/b.rs", 0), ("/y/c.rs", 1)]
            .map(|(path, it)| (path.into(), source(it)));
        let mut sources =
            Sources { files: files.into(), refusals: vec![0; 2], refused: BTreeSet::new() };
        let left =
            |sources: &Sources| sources.files.values().map(|it| it.marks.len()).collect::<Vec<_>>();
        let said =
            "error[E0277]: no\n --> /x/a.rs:2:4\n  |\nwarning: it\n --> /elsewhere/a.rs:1:1\n";
        assert!(sources.unmark(said));
        assert_eq!(left(&sources), [2, 3, 3]);
        // That function has none any more, so the others are suspected.
        assert!(sources.unmark(said));
        assert_eq!(left(&sources), [0, 3, 3]);
        assert!(!sources.unmark(said));
        let noted = "error: no\n --> /y/c.rs:1:1\nnote: it\n --> /x/b.rs:1:1\n";
        assert!(sources.unmark(noted));
        assert_eq!(left(&sources), [0, 3, 2], "notes are of others");
        sources.refusals[0] = REFUSALS - 1;
        assert!(sources.unmark(" --> /x/../x/b.rs:1:1\n"));
        assert_eq!(left(&sources), [0, 0, 2]);
    }
}
