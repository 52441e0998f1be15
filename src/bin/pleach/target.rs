//! The target of a command that looks inside programs: what it is, and how it is built.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;
use pleach::inside::build::{BuildError, Builder, Built, Target};
use pleach::inside::program::Program;

use crate::failure::{Failure, to_stderr};
use crate::kept::cache;

/// Which program, and how it is built.
#[derive(Args)]
pub(crate) struct Targeted {
    /// A function as FILE.rs#FUNCTION, a cargo-fuzz target as fuzz:NAME, or a program of the package in the current
    /// folder as bin:NAME
    target: String,
    /// Features of the target's package
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Building")]
    features: Vec<String>,
    /// Keep what is built in this folder [default: `pleach` in Cargo's target folder]
    #[arg(long, value_name = "DIR", help_heading = "Building")]
    keep: Option<PathBuf>,
    /// Compile C code of dependencies by this Clang, so that it can be followed
    #[arg(long, value_name = "PROGRAM", help_heading = "Building")]
    clang: Option<PathBuf>,
}

impl Targeted {
    /// A function of a file.
    pub(crate) fn function(file: &Path, function: &str, keep: Option<&Path>) -> Self {
        Self {
            target: format!("{}#{function}", file.display()),
            features: Vec::new(),
            keep: keep.map(Path::to_owned),
            clang: None,
        }
    }

    /// The target as it was written.
    pub(crate) fn name(&self) -> &str {
        &self.target
    }

    /// What is named.
    pub(crate) fn target(&self) -> Result<Target, Failure> {
        Target::parse(&self.target, Path::new(".")).map_err(failure)
    }

    /// What builds the target, and the folder in which it does.
    pub(crate) fn builder(&self, target: &Target) -> Result<(Builder, PathBuf), Failure> {
        let folder = match &self.keep {
            Some(folder) => folder.clone(),
            None => match Builder::folder_of(target).map_err(failure)? {
                Some(folder) => folder,
                None => cache()?,
            },
        };
        let mut builder = Builder::new(&folder).features(self.features.iter().cloned());
        if let Some(clang) = &self.clang {
            // Build scripts run it in their own folders; a name alone is looked for in the path.
            let clang = match clang.components().count() {
                1 => Ok(clang.clone()),
                _ => std::path::absolute(clang),
            };
            let clang =
                clang.map_err(|error| Failure::input(format!("error: --clang: {error}")))?;
            builder = builder.clang(clang);
        }
        if io::stderr().is_terminal() {
            to_stderr(format_args!("building {}", self.target));
        }
        Ok((builder, folder))
    }

    /// Builds the target, or finds it built, and reads it.
    pub(crate) fn build(&self, target: &Target) -> Result<(Built, Program), Failure> {
        let (builder, _) = self.builder(target)?;
        let built = builder.build(target).map_err(failure)?;
        let program =
            Program::read(&built).map_err(|error| Failure::input(format!("error: {error}")))?;
        Ok((built, program))
    }
}

fn failure(error: BuildError) -> Failure {
    Failure::input(format!("error: {}", error.to_string().trim_end()))
}
