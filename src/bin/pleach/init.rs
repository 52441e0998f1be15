//! `pleach init`: a fuzz target for a crate, ready to run.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use pleach::Seeded;
use pleach::build::FileSystem;
use pleach::grammar::{Encoding, Files, Grammar, Resolver, SourceFile};
use pleach::import::Notation;
use pleach::produce::{Cover, CoverOptions};
use pleach::table::{Lowering, Table};
use pleach::tree::Tree;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table as TomlTable, value};

use crate::bundled;
use crate::dict::dictionary;
use crate::failure::{Failure, many, print, to_stderr};
use crate::inputs::shown;
use crate::load::Foreign;
use crate::output::{Sink, write_named};
use crate::source::uncovered;

/// The part of pleach that targets need, in its folder below `crates` without the first word.
const PART: &str = "pleach-target";

/// More seeds than this are no help to a fuzzer.
const SEEDS: usize = 4096;

/// A grammar to begin with, for a format of one's own.
const TEMPLATE: &str = r#"// The grammar of your format; NOTATION.md of pleach is its whole syntax.
%start list;

list = "[" ( item ( "," item )* )? "]" ;
item = /[a-z]+/ | list ;
"#;

/// Adds a fuzz target to the crate in the current folder
///
/// Written are fuzz/fuzz_targets/NAME.rs, the grammar fuzz/grammars/NAME.pleach and what it includes
/// beside it, a dictionary fuzz/NAME.dict, and a seed corpus of all k-paths in fuzz/corpus/NAME/,
/// where cargo-fuzz looks for it. A grammar of another notation, or with another --start, is written anew in
/// the native one.
/// fuzz/Cargo.toml gets the target and its dependencies, and is made where it is missing. No file is
/// overwritten without --force. Where the grammar has parts (%part), the target gets arguments, standard input,
/// files and variables of each input.
///
/// With --differential the target fails where the crate accepts what the grammar does not have, or
/// rejects what it has. On standard output is the command that runs the target.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  pleach init --grammar json
  pleach init --grammar notes/config.pleach --name config
  pleach init --grammar uri --differential
  pleach init --name mine             # with a grammar to be written")]
pub(crate) struct Init {
    /// One of the grammars that come with pleach, or a grammar's file; without it, a small one to be
    /// rewritten
    #[arg(long, value_name = "GRAMMAR")]
    grammar: Option<String>,
    /// Start from this rule instead of the grammar's start rule
    #[arg(long, value_name = "RULE", requires = "grammar")]
    start: Option<String>,
    /// The target's name; the grammar's where there is none
    #[arg(long, value_name = "NAME", value_parser = target_name)]
    name: Option<String>,
    /// The greatest length of the k-paths that the seeds cover
    #[arg(short, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=8))]
    k: u8,
    /// Overwrite what is there
    #[arg(long)]
    force: bool,
    /// Compare what the crate accepts with the grammar, instead of waiting for a crash
    #[arg(long)]
    differential: bool,
    /// Depend on the pleach in this folder instead of the released one
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
    #[command(flatten)]
    foreign: Foreign,
}

/// Folders of a build, which Cargo has no executable for.
const BUILD_FOLDERS: [&str; 4] = ["build", "deps", "examples", "incremental"];

/// Names that no file may have on Windows, whatever its extension; `com` and `lpt` with a digit, too.
const DEVICES: [&str; 4] = ["aux", "con", "nul", "prn"];

/// The greatest depth of the inputs of a target that is written, as in the README's: for parsers that
/// recurse.
const MAX_DEPTH: u32 = 64;

/// What can be a target: cargo makes an executable of that name, and its source is a file.
fn target_name(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) || !text.chars().all(fits) {
        return Err("a name begins with a letter, and goes on with letters, digits, - and _".into());
    }
    if BUILD_FOLDERS.contains(&text) {
        return Err(format!("Cargo has a folder of that name; take another, as fuzz-{text}"));
    }
    let name = text.to_ascii_lowercase();
    let port = name.strip_prefix("com").or_else(|| name.strip_prefix("lpt"));
    let is_port = port.is_some_and(|port| matches!(port.as_bytes(), [b'1'..=b'9']));
    if is_port || DEVICES.contains(&&*name) {
        return Err(format!("it is a device on Windows; take another, as fuzz-{text}"));
    }
    Ok(text.into())
}

/// A folder with pleach in it.
fn is_pleach(folder: &Path) -> bool {
    let read = fs::read_to_string(folder.join("Cargo.toml")).ok();
    let document = read.and_then(|text| text.parse::<DocumentMut>().ok());
    let name =
        document.as_ref().and_then(|document| document.get("package")?.get("name")?.as_str());
    name == Some("pleach")
}

/// A grammar to be copied: its files, the main one first, by the names that they get.
struct Chosen {
    name: String,
    files: Vec<(String, String)>,
}

impl Chosen {
    /// Gives the main file a name.
    fn rename(&mut self, name: String) -> Result<(), Failure> {
        if self.files.iter().skip(1).any(|(included, _)| *included == name) {
            return Err(Failure::Input(format!(
                "error: the grammar includes a {name}, so its own file cannot have that name; take another \
                 by --name"
            )));
        }
        if let Some((main, _)) = self.files.first_mut() {
            *main = name;
        }
        Ok(())
    }
}

impl Init {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let package = package(Path::new("Cargo.toml"))?;
        if let Some(folder) = self.path.as_deref().filter(|folder| !is_pleach(folder)) {
            return Err(Failure::Input(format!(
                "error: --path {}: there is no pleach; name the folder of a copy of its repository, the one \
                 with its Cargo.toml",
                shown(folder)
            )));
        }
        let mut chosen = self.chosen()?;
        let name = self.name.clone().unwrap_or_else(|| chosen.name.replace('.', "-"));
        target_name(&name).map_err(|error| {
            Failure::Input(format!(
                "error: `{name}` cannot be a target: {error}; name it by --name"
            ))
        })?;
        chosen.rename(format!("{name}.pleach"))?;
        let table = table(&chosen)?;
        if self.differential && table.has_parts() {
            return Err(Failure::Input(format!(
                "error: --differential asks whether one text is accepted, and the inputs of {name} have several \
                 parts: leave it out"
            )));
        }

        let cover = Cover::new(&table, CoverOptions::new(self.k.into())).map_err(uncovered)?;
        let fuzz = Path::new("fuzz");
        let mut written: Vec<(PathBuf, String)> = Vec::new();
        let source = self.target(&package, &chosen, &table);
        written.push((fuzz.join("fuzz_targets").join(format!("{name}.rs")), source));
        for (file, text) in &chosen.files {
            written.push((fuzz.join("grammars").join(file), text.clone()));
        }
        written.push((fuzz.join(format!("{name}.dict")), dictionary(&table)));
        let manifest = self.manifest(&fuzz.join("Cargo.toml"), &package, &name)?;
        self.refuse_what_is_there(&written)?;

        let ignored = fuzz.join(".gitignore");
        if !ignored.exists() && !fuzz.join("Cargo.toml").exists() {
            written.push((ignored, "target\ncorpus\nartifacts\ncoverage\n".into()));
        }
        written.push((fuzz.join("Cargo.toml"), manifest));
        for (path, text) in &written {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(|error| {
                    Failure::Input(format!("error: cannot make {}: {error}", shown(folder)))
                })?;
            }
            write_named(path, text.as_bytes())?;
            to_stderr(format_args!("wrote {}", shown(path)));
        }
        let corpus = fuzz.join("corpus").join(&name);
        let (files, bytes) = seeds(cover, &corpus)?;
        let (files, bytes) = (many(files, "seed"), many(bytes, "byte"));
        to_stderr(format_args!("wrote {}, {files} of {bytes}", shown(&corpus)));
        let source = fuzz.join("fuzz_targets").join(format!("{name}.rs"));
        to_stderr(format_args!(
            "next: call your code in {}, and run this (with -s none on a stable toolchain):",
            shown(&source)
        ));
        let run = format!("cargo fuzz run --target-dir target {name} -- -dict=fuzz/{name}.dict\n");
        print(run.as_bytes())
    }

    /// The grammar that is meant.
    fn chosen(&self) -> Result<Chosen, Failure> {
        let Some(grammar) = &self.grammar else {
            if self.foreign.is_given() {
                return Err(Failure::input(
                    "error: without --grammar nothing is read: name the grammar's file by --grammar",
                ));
            }
            let name = self.name.clone().unwrap_or_else(|| "list".into());
            let files = vec![(format!("{name}.pleach"), TEMPLATE.to_owned())];
            return Ok(Chosen { name, files });
        };
        let file = format!("{grammar}.pleach");
        if let Some(&(_, text)) = bundled::FILES.iter().find(|(name, _)| *name == file) {
            let all = Files::new(bundled::FILES.iter().copied());
            let main = SourceFile::new(&file, text);
            return self.copied(grammar.clone(), &main, &all);
        }
        let path = Path::new(grammar);
        if !path.exists() {
            let names: Vec<&str> = bundled::names().collect();
            return Err(Failure::Input(format!(
                "error: `{grammar}` is no file, and no grammar that comes with pleach; these do: {}",
                names.join(", ")
            )));
        }
        let files = FileSystem::new();
        let main = files.read(path).map_err(|error| Failure::Input(format!("error: {error}")))?;
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("target").to_owned();
        self.copied(stem, &main, &files)
    }

    /// A grammar's files as they are, or what it is in the native notation.
    fn copied(
        &self,
        name: String,
        main: &SourceFile,
        included: &dyn Resolver,
    ) -> Result<Chosen, Failure> {
        let read = self.foreign.read(main, self.start.as_deref(), included)?;
        let is_native = self.foreign.notation(main) == Notation::Native;
        if !is_native || self.start.is_some() {
            if !read.warnings.is_empty() {
                let warnings = many(read.warnings.len() as u64, "warning");
                to_stderr(format_args!(
                    "importing it gave {warnings}, which `pleach import` shows"
                ));
            }
            let files = vec![(format!("{name}.pleach"), read.grammar.to_string())];
            return Ok(Chosen { name, files });
        }
        let folder = Path::new(&main.name).parent().unwrap_or(Path::new(""));
        let copied = read.grammar.files.iter().map(|file| {
            let inside = Path::new(&file.name).strip_prefix(folder).ok();
            let inside = inside.filter(|path| path.components().count() == 1);
            let name = inside.and_then(Path::to_str).ok_or_else(|| {
                Failure::Input(format!(
                    "error: {} is not beside {}: put the grammar and what it includes into one folder",
                    file.name, main.name
                ))
            })?;
            Ok((name.to_owned(), file.text.clone()))
        });
        let files = copied.collect::<Result<Vec<_>, Failure>>()?;
        Ok(Chosen { name, files })
    }

    fn refuse_what_is_there(&self, written: &[(PathBuf, String)]) -> Result<(), Failure> {
        let other = |(path, text): &&(PathBuf, String)| {
            path.symlink_metadata().is_ok()
                && fs::read(path).ok().as_deref() != Some(text.as_bytes())
        };
        match written.iter().find(other) {
            Some((path, _)) if !self.force => Err(Failure::Input(format!(
                "error: {} is there already; --force overwrites it, --name takes another name",
                shown(path)
            ))),
            _ => Ok(()),
        }
    }

    /// The manifest of the fuzz crate with the target and what it depends on.
    fn manifest(&self, path: &Path, package: &str, name: &str) -> Result<String, Failure> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => new_manifest(package),
            Err(error) => {
                return Err(Failure::Input(format!("error: cannot read {}: {error}", shown(path))));
            }
        };
        let mut document: DocumentMut = text
            .parse()
            .map_err(|error| Failure::Input(format!("error: {}: {error}", shown(path))))?;
        let wrong = |what: &str| {
            Failure::Input(format!("error: {}: `{what}` is not as cargo has it", shown(path)))
        };
        let dependencies = document.entry("dependencies").or_insert(Item::Table(TomlTable::new()));
        let dependencies = dependencies.as_table_like_mut().ok_or_else(|| wrong("dependencies"))?;
        if !dependencies.contains_key("libfuzzer-sys") {
            dependencies.insert("libfuzzer-sys", value("0.4"));
        }
        if !dependencies.contains_key("pleach") {
            dependencies.insert("pleach", value(self.dependency()?));
        }
        if self.differential
            && let Some(pleach) = dependencies.get_mut("pleach")
        {
            // What compares with a grammar reads it when it runs, and that takes the whole.
            make_whole(pleach);
            add_feature(pleach, "differential").ok_or_else(|| wrong("pleach"))?;
        }
        let bins = document.entry("bin").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
        let bins = bins.as_array_of_tables_mut().ok_or_else(|| wrong("bin"))?;
        let named = |bin: &TomlTable| bin.get("name").and_then(Item::as_str) == Some(name);
        if !bins.iter().any(named) {
            let mut bin = TomlTable::new();
            bin.insert("name", value(name));
            bin.insert("path", value(format!("fuzz_targets/{name}.rs")));
            for unwanted in ["test", "doc", "bench"] {
                bin.insert(unwanted, value(false));
            }
            bins.push(bin);
        }
        Ok(document.to_string())
    }

    /// How a fuzz crate depends on pleach, or on the part of it that targets need.
    fn dependency(&self) -> Result<InlineTable, Failure> {
        let mut pleach = InlineTable::new();
        if !self.differential {
            pleach.insert("package", PART.into());
        }
        match &self.path {
            Some(folder) => {
                // From the fuzz crate's own folder.
                let folder = fs::canonicalize(folder).map_err(|error| {
                    Failure::Input(format!("error: cannot read {}: {error}", shown(folder)))
                })?;
                let folder = if self.differential { folder } else { folder.join("crates/target") };
                pleach.insert("path", folder.to_string_lossy().into_owned().into())
            }
            None => pleach.insert("version", env!("CARGO_PKG_VERSION").into()),
        };
        if self.differential {
            pleach.insert("default-features", false.into());
        }
        Ok(pleach)
    }

    /// The source of the target.
    fn target(&self, package: &str, chosen: &Chosen, table: &Table) -> String {
        let files: Vec<String> =
            chosen.files.iter().map(|(name, _)| format!("\"../grammars/{name}\"")).collect();
        let grammar = match &files[..] {
            [one] => one.clone(),
            several => format!("[{}]", several.join(", ")),
        };
        let library = package.replace('-', "_");
        let (name, kind) = match table.encoding() {
            _ if table.has_parts() => ("input", "&Parts"),
            Encoding::Bytes if !self.differential => ("data", "&[u8]"),
            _ => ("text", "&str"),
        };
        let call = match table.has_parts() {
            true => format!("run({name}.arguments(), {name}.stdin())"),
            false => format!("parse({name})"),
        };
        let (target, answer, body) = match self.differential {
            false => (
                "fuzz_target",
                "",
                format!(
                    "// Call what is to be fuzzed, as in: let _ = {library}::{call};\n        \
                     let _ = {name};"
                ),
            ),
            true => (
                "differential_target",
                " -> bool",
                format!(
                    "// Whether the text is accepted, as in: {library}::parse({name}).is_ok()\n        \
                     todo!(\"say whether {{{name}:?}} is accepted\")"
                ),
            ),
        };
        // A tree that nests as the grammar asks has to fit.
        let depth = MAX_DEPTH.max(table.minima().rule_height(table.start()).saturating_mul(2));
        format!(
            "#![no_main]\n\npleach::{target}!(\n    grammar: {grammar},\n    max_depth: {depth},\n    \
             |{name}: {kind}|{answer} {{\n        {body}\n    }}\n);\n"
        )
    }
}

/// Writes inputs that cover the k-paths.
fn seeds(mut cover: Cover<'_>, folder: &Path) -> Result<(u64, u64), Failure> {
    let mut sink = Sink::folder(folder, String::new())?;
    let (mut entropy, mut tree) = (Seeded::new(0), Tree::new());
    for _ in 0..SEEDS {
        if !cover.next_tree(&mut entropy, &mut tree) {
            break;
        }
        sink.put(tree.text())?;
    }
    sink.finish()?;
    Ok(sink.written())
}

/// The name of the package in the current folder.
fn package(manifest: &Path) -> Result<String, Failure> {
    let text = fs::read_to_string(manifest).map_err(|error| {
        Failure::Input(format!(
            "error: cannot read Cargo.toml: {error}; run this in the folder of the crate to be fuzzed"
        ))
    })?;
    let document: DocumentMut =
        text.parse().map_err(|error| Failure::Input(format!("error: Cargo.toml: {error}")))?;
    let name = document.get("package").and_then(|package| package.get("name"));
    name.and_then(Item::as_str).map(str::to_owned).ok_or_else(|| {
        let message = "error: Cargo.toml has no package; run this in the folder of one";
        Failure::Input(message.into())
    })
}

/// Lowers the grammar, and says what is wrong with it.
fn table(chosen: &Chosen) -> Result<Table, Failure> {
    let [(name, text), ..] = &chosen.files[..] else {
        return Err(Failure::Input("error: the grammar has no file".into()));
    };
    let files = Files::new(chosen.files.iter().cloned());
    let grammar = Grammar::read(name, text, &files).map_err(Failure::input)?;
    let lowered = Lowering::new().lower(&grammar).map_err(Failure::grammar)?;
    Ok(lowered.table)
}

/// Makes a dependency on the part of pleach that targets need one on pleach, from the same place.
fn make_whole(dependency: &mut Item) {
    let is_part = dependency.get("package").and_then(Item::as_str) == Some(PART);
    let Some(table) = dependency.as_table_like_mut().filter(|_| is_part) else { return };
    table.remove("package");
    let path = table.get("path").and_then(Item::as_str).map(Path::new);
    if let Some(whole) = path.and_then(|path| path.parent()?.parent()?.to_str()).map(str::to_owned)
    {
        table.insert("path", value(whole));
    }
    table.insert("default-features", value(false));
}

/// Adds a feature to a dependency, however that is written; none where it is no dependency.
fn add_feature(dependency: &mut Item, feature: &str) -> Option<()> {
    if let Some(version) = dependency.as_str().map(str::to_owned) {
        *dependency = value(InlineTable::from_iter([("version", version)]));
    }
    let features = dependency.as_table_like_mut()?.entry("features");
    let features = features.or_insert_with(|| value(Array::new())).as_array_mut()?;
    if !features.iter().any(|known| known.as_str() == Some(feature)) {
        features.push(feature);
    }
    Some(())
}

/// The manifest of a new fuzz crate, as cargo-fuzz has it.
fn new_manifest(package: &str) -> String {
    format!(
        "[package]\nname = \"{package}-fuzz\"\nversion = \"0.0.0\"\npublish = false\nedition = \"2021\"\n\n\
         [package.metadata]\ncargo-fuzz = true\n\n\
         # A workspace of its own: cargo-fuzz builds with other flags.\n[workspace]\n\n\
         # Nobody debugs what mutates, and a fifth of building it goes into what debuggers read.\n\
         [profile.release.package.pleach-core]\ndebug = false\n\n\
         [dependencies]\n{package} = {{ path = \"..\" }}\n"
    )
}
