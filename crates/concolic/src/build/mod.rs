//! From a target of the user's to one text of LLVM IR of the whole program, and to the same program natively.
//!
//! A target is a function of a source file, a fuzz target of a cargo-fuzz folder or a program of a package. What
//! is built is unmodified: a function is called by a program of its own that depends on the function's package; the
//! others are built as they are, by `cargo rustc`. One compilation makes both the IR, which
//! `--emit=llvm-ir` prints after link-time optimization (so std is in it), and the program: what they do is
//! the same but for what the machine gets wrong.
//!
//! - `lto = "fat"` with one codegen unit is what makes it one text.
//! - `-inline-threshold=-100000` keeps every function that its author has not marked `#[inline(always)]`,
//!   private ones with one caller included; a thousand is not enough for those. Std comes compiled, and inlined, already.
//! - `opt-level = 1` keeps the text short without MIR's inliner; loops are not made vectors.
//! - `panic = "abort"`, overflow checks on, debug assertions off: one profile for all that is compared. A program that catches
//!   panics is compiled a second time with those that unwind, which alone can say whether one is caught.
//! - Flags go to the host's triple by name (`--target`), so that build scripts and macros are built without them.
//!
//! Everything is kept in one folder, where Cargo knows what is fresh.

mod cargo;
mod error;
mod fixed;
mod foreign;
mod function;
mod manifest;
mod native;
mod package;
mod stub;
mod target;
mod toolchain;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

pub use error::BuildError;
pub use fixed::{CLOCK_SECONDS, RANDOM_BYTE};
pub use foreign::Foreign;
pub use native::{End, Input, Native, Panic, Ran};
pub use target::Target;
pub use toolchain::{LLVM, RUST};

use cargo::{Artifact, Compile};
use native::Takes;
use package::Metadata;

/// Builds targets, in a folder that it keeps.
///
/// # Examples
///
/// ```
/// use pleach_concolic::build::{Builder, Entry, Input, Target};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("it.rs");
/// std::fs::write(&file, "pub fn half(text: &str) -> Option<u8> { Some(text.parse::<u8>().ok()? / 2) }")?;
/// let target = Target::parse("it.rs#half", folder.path())?;
/// let built = Builder::new(folder.path().join("kept")).build(&target)?;
/// assert!(matches!(built.entry, Entry::Bytes { .. }));
/// assert!(std::fs::read_to_string(&built.ir)?.contains("define"));
/// let ran = built.native.run(&Input::bytes(b"84"))?;
/// assert_eq!(ran.stdout, b"\n=> accepted Some(42)\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    folder: PathBuf,
    cargo: PathBuf,
    rustc: PathBuf,
    clang: Option<PathBuf>,
    features: Vec<String>,
}

/// The files of a program that was built: its IR, and the same program to be run natively.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Built {
    /// The text of the whole program.
    pub ir: PathBuf,
    /// The texts of C code that was compiled by Clang as well: their definitions are those that `ir` only declares.
    pub more: Vec<PathBuf>,
    /// Where the machine enters.
    pub entry: Entry,
    /// The same program, to be run natively.
    pub native: Native,
    /// Code of other languages that the program has in it and that no text defines.
    pub foreign: Vec<Foreign>,
    /// The folder of the source that calls a function, which is none of the user's.
    pub caller: Option<PathBuf>,
    /// Whether nothing was compiled, as nothing had changed.
    pub fresh: bool,
}

/// How a program is compiled to be run natively alone, and to tell of itself.
#[derive(Clone, Debug)]
pub struct Hooks {
    /// What each crate of the program is compiled with.
    pub flags: Vec<String>,
    /// What runs the compiler: its first argument is the compiler, and the others are for that.
    pub wrapper: PathBuf,
}

/// What a program is compiled for.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    /// Its text, and to be run natively beside that.
    Text,
    /// To be run natively alone.
    Native,
    /// The same, and to tell of itself.
    Hooked(&'a Hooks),
}

/// Where a program is entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A function that takes a pointer to bytes and their number, as `LLVMFuzzerTestOneInput` does, and returns an `i32`.
    Bytes {
        /// Its name in the text.
        symbol: &'static str,
        /// What is called once before, with a pointer to the number of arguments and one to the arguments.
        initialize: Option<&'static str>,
    },
    /// `main`, with arguments, standard input and files.
    Main,
}

impl Builder {
    /// One that keeps all in a folder, with the `cargo` and `rustc` of the path. The folder is made where it is missing.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            cargo: "cargo".into(),
            rustc: "rustc".into(),
            clang: None,
            features: Vec::new(),
        }
    }

    /// With other tools. Default: those of the path.
    pub fn tools(mut self, cargo: impl Into<PathBuf>, rustc: impl Into<PathBuf>) -> Self {
        (self.cargo, self.rustc) = (cargo.into(), rustc.into());
        self
    }

    /// With Clang, which then compiles C code of dependencies and prints its IR. Default: none, and C code is foreign.
    pub fn clang(mut self, clang: impl Into<PathBuf>) -> Self {
        self.clang = Some(clang.into());
        self
    }

    /// With features of the target's package. Default: its default ones, and those that a program requires.
    pub fn features(mut self, features: impl IntoIterator<Item = String>) -> Self {
        self.features = features.into_iter().collect();
        self
    }

    /// The folder in which a target's package has its own things kept: `pleach` in Cargo's target folder. `None` where
    /// the target is in no package.
    ///
    /// # Errors
    ///
    /// Cargo can't be asked, or refuses the package's manifest.
    pub fn folder_of(target: &Target) -> Result<Option<PathBuf>, BuildError> {
        let near = match target {
            Target::Function { file, .. } => file.parent().unwrap_or(file),
            Target::Fuzz { folder, .. } | Target::Program { folder, .. } => folder,
        };
        let near = if near.as_os_str().is_empty() { Path::new(".") } else { near };
        match package::manifest_above(near) {
            Some(_) => Ok(Some(Metadata::of(Path::new("cargo"), near)?.target.join("pleach"))),
            None => Ok(None),
        }
    }

    /// Builds a target, or finds it built.
    ///
    /// # Errors
    ///
    /// [`BuildError`] says what to do: the compiler is none that is supported, the target is not found or of a kind that can't
    /// be built, or it does not compile.
    pub fn build(&self, target: &Target) -> Result<Built, BuildError> {
        let place = self.place()?;
        let (mut artifact, entry) = self.artifact(target, &place, Wanted::Text)?;
        let (foreign, more) = foreign::find(&artifact)?;
        let native = match artifact.unwinding.take() {
            None => self.native(target, &place, artifact.program)?,
            Some(unwinding) => self.native(target, &place, artifact.program)?.beside(unwinding),
        };
        let caller =
            matches!(target, Target::Function { .. }).then(|| place.folder.join(stub::FOLDER));
        Ok(Built { ir: artifact.ir, more, entry, native, foreign, caller, fresh: artifact.fresh })
    }

    /// Builds a target to be run natively alone: that takes a part of the time of [`Builder::build`].
    ///
    /// # Errors
    ///
    /// As [`Builder::build`].
    pub fn build_native(&self, target: &Target) -> Result<Native, BuildError> {
        self.build_alone(target, Wanted::Native)
    }

    /// The same with hooks, in a folder beside.
    ///
    /// # Errors
    ///
    /// As [`Builder::build`].
    pub fn build_hooked(&self, target: &Target, hooks: &Hooks) -> Result<Native, BuildError> {
        self.build_alone(target, Wanted::Hooked(hooks))
    }

    fn build_alone(&self, target: &Target, wanted: Wanted<'_>) -> Result<Native, BuildError> {
        let place = self.place()?;
        let (artifact, _) = self.artifact(target, &place, wanted)?;
        Ok(self.native(target, &place, artifact.program)?.unwinding())
    }

    /// The machine that is compiled for, as the compiler calls it.
    ///
    /// # Errors
    ///
    /// The compiler is none that is supported.
    pub fn host(&self) -> Result<String, BuildError> {
        Ok(toolchain::check(&self.rustc)?.triple)
    }

    /// Where all is kept, and the machine that is compiled for.
    fn place(&self) -> Result<Place, BuildError> {
        fs::create_dir_all(self.folder.join("ir")).map_err(BuildError::io(&self.folder))?;
        let folder = fs::canonicalize(&self.folder).map_err(BuildError::io(&self.folder))?;
        Ok(Place { folder, host: toolchain::check(&self.rustc)? })
    }

    /// Compiles a target.
    fn artifact(
        &self,
        target: &Target,
        place: &Place,
        wanted: Wanted<'_>,
    ) -> Result<(Artifact, Entry), BuildError> {
        Ok(match target {
            Target::Function { file, function } => {
                let stub = stub::build(self, place, file, function, wanted)?;
                (stub, Entry::Bytes { symbol: stub::ENTRY, initialize: None })
            }
            Target::Fuzz { name, folder: near } => {
                let metadata = Metadata::of_fuzz(&self.cargo, near, name)?;
                let entry = Entry::Bytes {
                    symbol: "LLVMFuzzerTestOneInput",
                    initialize: Some("LLVMFuzzerInitialize"),
                };
                (self.program(place, &metadata, name, true, wanted)?, entry)
            }
            Target::Program { name, folder: near } => {
                let metadata = Metadata::of(&self.cargo, near)?;
                (self.program(place, &metadata, name, false, wanted)?, Entry::Main)
            }
        })
    }

    /// A compiled program, to be run natively.
    fn native(
        &self,
        target: &Target,
        place: &Place,
        program: PathBuf,
    ) -> Result<Native, BuildError> {
        let takes = match target {
            Target::Fuzz { .. } => Takes::File,
            Target::Function { .. } => Takes::Bytes,
            Target::Program { .. } => Takes::All,
        };
        let preload = fixed::preload(&self.rustc, &place.folder, &place.host)?;
        Ok(Native::new(program, preload, takes))
    }

    /// Builds a program of the user's own.
    fn program(
        &self,
        Place { folder, host }: &Place,
        metadata: &Metadata,
        name: &str,
        fuzzing: bool,
        wanted: Wanted<'_>,
    ) -> Result<Artifact, BuildError> {
        let program = metadata.program(name)?;
        let mut features = self.features.clone();
        features.extend(program.required_features.iter().cloned());
        let compile = Compile {
            builder: self,
            host,
            manifest: &program.manifest,
            name,
            features: &features,
            fuzzing,
            ir: ir_path(folder, name, &program.manifest),
            wanted,
            folder,
        };
        compile.run()?.map_err(|refused| BuildError::Compile {
            target: format!("{}:{name}", if fuzzing { "fuzz" } else { "bin" }),
            text: refused.text,
        })
    }
}

/// Where a builder works.
struct Place {
    /// Its folder, by its full path.
    folder: PathBuf,
    host: toolchain::Host,
}

/// Where the text of a program is kept: by its name, and by where it is of several of that name.
fn ir_path(folder: &Path, name: &str, manifest: &Path) -> PathBuf {
    use std::hash::{BuildHasher, BuildHasherDefault};
    let hash = BuildHasherDefault::<fxhash::FxHasher>::default().hash_one(manifest);
    folder.join("ir").join(format!("{name}-{hash:016x}.ll"))
}

/// Writes a file, if that changes it: Cargo goes by the time of its last change.
fn write(path: &Path, text: &str) -> Result<(), BuildError> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let mut file = fs::File::create(path).map_err(BuildError::io(path))?;
    file.write_all(text.as_bytes()).map_err(BuildError::io(path))
}
