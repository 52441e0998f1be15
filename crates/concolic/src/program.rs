//! A target that was built, read and ready to be run in the machine.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::build::{Built, Entry, Input};
use crate::ir::{FunctionId, Meaning, Module, ReadError};
use crate::vm::{Domain, Machine, Options, Outcome, Source};

/// What a program is called.
const NAME: &[u8] = b"program";

/// The variables that are always the same.
fn environment() -> impl Iterator<Item = (Vec<u8>, Vec<u8>)> {
    std::iter::once((b"RUST_BACKTRACE".to_vec(), b"0".to_vec()))
}

/// An IR module, where it is entered, and what is called once before.
///
/// # Examples
///
/// ```
/// use pleach_concolic::build::{Builder, Input, Target};
/// use pleach_concolic::program::Program;
/// use pleach_concolic::vm::{Options, Outcome, Plain};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("it.rs");
/// std::fs::write(&file, "pub fn half(text: &str) -> Option<u8> { Some(text.parse::<u8>().ok()? / 2) }")?;
/// let target = Target::parse("it.rs#half", folder.path())?;
/// let program = Program::read(&Builder::new(folder.path().join("kept")).build(&target)?)?;
/// let mut machine = program.enter(Plain, &Input::bytes(b"84"), Options::default())?;
/// assert_eq!(machine.run(), Outcome::Returned(vec![0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    module: Arc<Module>,
    enters: Enters,
}

/// Where it is entered.
#[derive(Clone, Copy, Debug)]
enum Enters {
    /// A function of bytes, and what is called once before.
    Bytes {
        function: FunctionId,
        initialize: Option<FunctionId>,
    },
    Main,
}

/// Why what was built can't be run.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProgramError {
    /// A text can't be read as a file.
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// A text is not the IR that is known here.
    Ir {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: ReadError,
    },
    /// The text has no such function.
    NoEntry {
        /// The file.
        path: PathBuf,
        /// The function's name.
        symbol: &'static str,
    },
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Ir { path, error } => {
                let ReadError { line, column, message, .. } = error;
                write!(
                    f,
                    "{}:{line}:{column}: {message}: see which compilers are supported",
                    path.display()
                )
            }
            Self::NoEntry { path, symbol } => {
                write!(f, "{}: there is no function `{symbol}`: build it again", path.display())
            }
        }
    }
}

impl std::error::Error for ProgramError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            Self::Ir { error, .. } => Some(error),
            Self::NoEntry { .. } => None,
        }
    }
}

impl Program {
    /// Reads the texts of what was built.
    ///
    /// # Errors
    ///
    /// A text can't be read, or has nothing to be entered at.
    pub fn read(built: &Built) -> Result<Self, ProgramError> {
        let paths: Vec<&PathBuf> = [&built.ir].into_iter().chain(&built.more).collect();
        let read = |path: &&PathBuf| {
            fs::read_to_string(path)
                .map_err(|error| ProgramError::Io { path: path.to_path_buf(), error })
        };
        let texts = paths.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let module = Module::read_all(&texts).map_err(|error| {
            let path = paths.get(error.text).unwrap_or(&&built.ir).to_path_buf();
            ProgramError::Ir { path, error }
        })?;
        let symbol = match built.entry {
            Entry::Bytes { symbol, .. } => symbol,
            Entry::Main => "main",
        };
        Self::new(Arc::new(module), &built.entry)
            .ok_or_else(|| ProgramError::NoEntry { path: built.ir.clone(), symbol })
    }

    /// What was read and where it is entered; nothing if there is no such function.
    pub fn new(module: Arc<Module>, entry: &Entry) -> Option<Self> {
        let function = |name: &str| match module.meaning(module.symbol(name)?) {
            Meaning::Function(id) => Some(id),
            _ => None,
        };
        let enters = match *entry {
            Entry::Bytes { symbol, initialize } => Enters::Bytes {
                function: function(symbol)?,
                initialize: initialize.and_then(function),
            },
            Entry::Main => {
                function("main")?;
                Enters::Main
            }
        };
        Some(Self { module, enters })
    }

    /// What was read.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }

    /// A machine that has entered the program on an input, as [`crate::build::Native::run`] does it: what runs
    /// next is the function of bytes, or the program's start.
    ///
    /// Of the options, arguments, environment, standard input and files become the input's; a function gets its
    /// bytes as an argument, and they are [`Source::Input`] to the domain.
    ///
    /// # Errors
    ///
    /// What ends the program before it gets the input: no memory, a failed initializer.
    pub fn enter<D: Domain>(
        &self,
        domain: D,
        input: &Input,
        options: Options,
    ) -> Result<Machine<D>, Outcome> {
        let mut machine = self.prepare(domain, options)?;
        self.give(&mut machine, input)?;
        Ok(machine)
    }

    /// A machine in which what comes before the input has run. Its environment is that of [`crate::build::Native::run`],
    /// and it has no standard input.
    ///
    /// # Errors
    ///
    /// What ends the program there: no memory, a failed initializer.
    pub fn prepare<D: Domain>(&self, domain: D, options: Options) -> Result<Machine<D>, Outcome> {
        let options =
            options.arguments([NAME.to_vec()]).environment(environment()).input([]).files([]);
        let mut machine = Machine::new(self.module.clone(), domain, options)?;
        let Enters::Bytes { initialize, .. } = self.enters else { return Ok(machine) };
        if let Some(failed) = machine.initialize()? {
            return Err(failed);
        }
        if let Some(initialize) = initialize {
            // No arguments, and where they would be.
            let places = machine.allocate(&[0; 16])?;
            machine.call(initialize, &[places.into(), (places + 8).into()]);
            match machine.run() {
                Outcome::Returned(_) => {}
                failed => return Err(failed),
            }
        }
        Ok(machine)
    }

    /// Gives such a machine, or one that went back to where it was such, its input: what runs next is the function that takes
    /// the bytes, or the program's start. A function's bytes are [`Source::Input`] to the domain.
    ///
    /// # Errors
    ///
    /// No memory is left for them.
    pub fn give<D: Domain>(&self, machine: &mut Machine<D>, input: &Input) -> Result<(), Outcome> {
        let bytes = &input.bytes[..];
        let Enters::Bytes { function, .. } = self.enters else {
            machine.give(|options| {
                let named = input.environment.iter();
                let named = named.map(|(name, value)| (name.clone().into_bytes(), value.clone()));
                let path = |path: &Path| path.as_os_str().as_encoded_bytes().to_owned();
                let files = input.files.iter().map(|(name, text)| (path(name), text.clone()));
                options
                    .arguments(
                        std::iter::once(NAME.to_vec()).chain(input.arguments.iter().cloned()),
                    )
                    .environment(named.chain(environment()))
                    .files(files)
                    .input(bytes)
            });
            return machine.start();
        };
        let address = machine.allocate(bytes)?;
        let length = bytes.len() as u64;
        if D::SHADOWED {
            let marked = machine.mark_input(address, length, Source::Input);
            marked.map_err(|fault| Outcome::Memory { fault, address })?;
        }
        machine.call(function, &[address.into(), length.into()]);
        Ok(())
    }

    /// Whether a function takes the bytes and their number, which are its arguments then.
    pub fn takes_bytes(&self) -> bool {
        matches!(self.enters, Enters::Bytes { .. })
    }
}
