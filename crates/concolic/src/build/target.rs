//! How a target is written.

use std::fmt;
use std::path::{Path, PathBuf};

use super::BuildError;

/// The code that is to be built and looked into: a function, a fuzz target or a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A function of one text or bytes, by its path in a source file: `parse`, `module::parse` or `Type::parse`.
    Function {
        /// The file.
        file: PathBuf,
        /// The path in the file.
        function: String,
    },
    /// A fuzz target of the cargo-fuzz folder of a package.
    Fuzz {
        /// The target's name.
        name: String,
        /// A folder in the package, or in its cargo-fuzz folder.
        folder: PathBuf,
    },
    /// A program of a package or workspace.
    Program {
        /// The program's name.
        name: String,
        /// A folder in the package or workspace.
        folder: PathBuf,
    },
}

impl Target {
    /// Reads `FILE.rs#FUNCTION`, `fuzz:NAME` or `bin:NAME`, said in a folder.
    ///
    /// # Errors
    ///
    /// [`BuildError::NoTarget`].
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach_concolic::build::Target;
    ///
    /// let target = Target::parse("src/lib.rs#Uri::parse", "/home/me/uri".as_ref())?;
    /// let file = "/home/me/uri/src/lib.rs".into();
    /// assert_eq!(target, Target::Function { file, function: "Uri::parse".to_owned() });
    /// assert_eq!(target.to_string(), "/home/me/uri/src/lib.rs#Uri::parse");
    /// # Ok::<(), pleach_concolic::build::BuildError>(())
    /// ```
    pub fn parse(text: &str, folder: &Path) -> Result<Self, BuildError> {
        let no_target = || BuildError::NoTarget { text: text.to_owned() };
        let named = |name: &str| match name {
            "" => Err(no_target()),
            _ => Ok((name.to_owned(), folder.to_owned())),
        };
        if let Some(name) = text.strip_prefix("fuzz:") {
            return named(name).map(|(name, folder)| Self::Fuzz { name, folder });
        }
        if let Some(name) = text.strip_prefix("bin:") {
            return named(name).map(|(name, folder)| Self::Program { name, folder });
        }
        let (file, function) = text.rsplit_once('#').ok_or_else(no_target)?;
        let identifier = |part: &str| {
            let part = part.strip_prefix("r#").unwrap_or(part);
            let word = |c: char| c == '_' || c.is_alphanumeric();
            part.chars().all(word) && part.starts_with(|c: char| word(c) && !c.is_numeric())
        };
        if !file.ends_with(".rs") || !function.split("::").all(identifier) {
            return Err(no_target());
        }
        Ok(Self::Function { file: folder.join(file), function: function.to_owned() })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function { file, function } => write!(f, "{}#{function}", file.display()),
            Self::Fuzz { name, .. } => write!(f, "fuzz:{name}"),
            Self::Program { name, .. } => write!(f, "bin:{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_target_is_said() {
        for text in [
            "",
            "fuzz:",
            "bin:",
            "lib.rs",
            "lib.rs#",
            "lib.rs#a b",
            "lib.rs#a::",
            "lib.c#a",
            "a.rs#1",
        ] {
            let error = Target::parse(text, Path::new("here")).expect_err(text);
            assert!(error.to_string().contains("FILE.rs#FUNCTION"), "{error}");
        }
    }
}
