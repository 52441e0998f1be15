//! Inputs that a grammar makes for a fuzzer to begin with.

use std::path::Path;
use std::str::FromStr;
use std::{fmt, fs, io};

use crate::{pleach, remove};

/// What a fuzzer may begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Made {
    /// Inputs that cover all k-paths of up to so many nodes.
    Paths(usize),
    /// As many bytes of random sentences as those have.
    Sentences(usize),
}

/// So many bytes of random sentences are asked for at least by one more sentence: most have more.
const SENTENCE: usize = 16;

impl Made {
    /// The inputs, as the command `pleach` of a copy of the repository writes them into a folder, which is removed first.
    ///
    /// # Errors
    ///
    /// Where Cargo or the command fails, or the folder cannot be written or read.
    pub fn texts(self, root: &Path, grammar: &Path, folder: &Path) -> io::Result<Vec<Vec<u8>>> {
        let generated = |arguments: &[&str]| {
            remove(folder)?;
            let first =
                ["generate".as_ref(), grammar.as_os_str(), "-o".as_ref(), folder.as_os_str()];
            pleach(root, first.into_iter().chain(arguments.iter().map(AsRef::as_ref)))?;
            let files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
            let mut files = files.collect::<io::Result<Vec<_>>>()?;
            files.sort_unstable();
            files.iter().map(fs::read).collect::<io::Result<Vec<_>>>()
        };
        match self {
            Self::Paths(k) => generated(&["-k", &k.to_string()]),
            Self::Sentences(k) => {
                let paths = Self::Paths(k).texts(root, grammar, folder)?;
                let bytes: usize = paths.iter().map(Vec::len).sum();
                let number = (bytes / SENTENCE + 1).to_string();
                Ok(as_many(generated(&["--mode", "random", "-n", &number])?, bytes))
            }
        }
    }
}

/// The first of some texts, until they have so many bytes.
fn as_many(mut texts: Vec<Vec<u8>>, bytes: usize) -> Vec<Vec<u8>> {
    let mut sum = 0;
    let taken = texts.iter().take_while(|text| {
        let more = sum < bytes;
        sum += text.len();
        more
    });
    let taken = taken.count();
    texts.truncate(taken);
    texts
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paths(k) => write!(f, "paths-{k}"),
            Self::Sentences(k) => write!(f, "sentences-{k}"),
        }
    }
}

impl FromStr for Made {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is neither `paths-K` nor `sentences-K`");
        let (kind, k) = text.split_once('-').ok_or_else(wrong)?;
        match (kind, k.parse()) {
            ("paths", Ok(k)) => Ok(Self::Paths(k)),
            ("sentences", Ok(k)) => Ok(Self::Sentences(k)),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_taken_until_there_are_as_many_bytes() {
        let texts = || vec![vec![b'a'; 4], vec![b'b'; 3], vec![b'c'; 9]];
        for (bytes, count) in [(0, 0), (1, 1), (4, 1), (5, 2), (8, 3), (99, 3)] {
            assert_eq!(as_many(texts(), bytes).len(), count, "{bytes}");
        }
    }

    #[test]
    fn what_is_made_is_read_as_it_is_shown() {
        for made in [Made::Paths(1), Made::Sentences(3)] {
            assert_eq!(made.to_string().parse(), Ok(made));
        }
        assert!("paths".parse::<Made>().is_err());
    }
}
