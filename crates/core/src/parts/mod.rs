//! Inputs of several parts: arguments, standard input, files and variables in one text.
//!
//! ```text
//! %parts
//! args
//! |--config
//! |settings.toml
//! file settings.toml
//! |level = 1
//! |
//! stdin
//! |hello
//! ```
//!
//! The first line says what the text is. Each part begins with a line that says what it is, and the lines of its own
//! text follow, each behind a [`MARK`]: so a part may hold anything, lines like these among it, and still ends where a
//! person sees it end. The lines of a part are joined by line feeds, so a text that ends in one has a last line of the
//! mark alone, as the file above. Bytes are as they are; nothing is escaped.
//!
//! As the mark stands after every line feed of a part and nowhere else, writing a part is a homomorphism: each symbol
//! becomes a string, whatever stands around it. So what parts derive by a grammar is again derived by a grammar, with
//! the same rules, alternatives and occurrences, and a leaf's text for a leaf's text: `%part` in
//! the notation is no more than that. Escapes that depend on how a line begins would not keep trees as they are, a
//! boundary that the first line declares or a length would not be context-free, and neither could be written by hand.
//!
//! Texts come from anywhere, so what a part is called is checked: a file's path leads nowhere but below the folder that
//! it is written to.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use crate::regular::marked::Marking;

/// The first line.
pub(crate) const SIGNATURE: &str = "%parts\n";

/// What ends a part's text.
pub(crate) const END: &str = "\n";

/// What stands before each line of a part's text.
pub const MARK: u8 = b'|';

/// The most parts of one input.
const MAX_PARTS: usize = 1000;

/// The most bytes of a part's name.
const MAX_NAME: usize = 1000;

/// The channel by which a program reads a part: an argument, standard input, a file or a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PartKind {
    /// `args`: arguments, one a line; no text is no argument, and a line feed at the end begins none. There may be
    /// several such parts, in their order.
    Arguments,
    /// `arg`: one argument, which may have line feeds; counted among the others by its place.
    Argument,
    /// `stdin`: standard input.
    Stdin,
    /// `file PATH`: a file, by its path below the folder in which a command runs, with `/` between names.
    File(String),
    /// `env NAME`: a variable of the environment.
    Variable(String),
}

impl PartKind {
    /// What a word, and a name behind it, say.
    ///
    /// # Errors
    ///
    /// [`Fault::Unknown`], or what is wrong with the name.
    pub fn new(word: &str, name: Option<&str>) -> Result<Self, Fault> {
        let kind = match (word, name) {
            ("args", None) => Self::Arguments,
            ("arg", None) => Self::Argument,
            ("stdin", None) => Self::Stdin,
            ("file", Some(path)) => Self::File(path.into()),
            ("env", Some(name)) => Self::Variable(name.into()),
            ("args" | "arg" | "stdin", Some(_)) => return Err(Fault::Named(word.into())),
            ("file" | "env", None) => return Err(Fault::Unnamed(word.into())),
            _ => return Err(Fault::Unknown(word.into())),
        };
        kind.check()?;
        Ok(kind)
    }

    /// Checks the name.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        match self {
            Self::File(path) if !is_path(path) => Err(Fault::Path(path.clone())),
            Self::Variable(name) if !is_variable(name) => Err(Fault::Variable(name.clone())),
            _ => Ok(()),
        }
    }

    /// What stands before the part's text: its own line, and the first mark.
    pub(crate) fn header(&self) -> String {
        format!("{self}\n{}", char::from(MARK))
    }

    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Arguments => "args",
            Self::Argument => "arg",
            Self::Stdin => "stdin",
            Self::File(_) => "file",
            Self::Variable(_) => "env",
        }
    }

    /// The name, where there is one.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::File(name) | Self::Variable(name) => Some(name),
            _ => None,
        }
    }
}

impl fmt::Display for PartKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        self.name().map_or(Ok(()), |name| write!(f, " {name}"))
    }
}

/// Whether a path leads to a file below the folder that it is taken from, on every system.
fn is_path(path: &str) -> bool {
    let is_plain = |c: char| !c.is_control() && !matches!(c, '\\' | ':');
    path.len() <= MAX_NAME
        && path.chars().all(is_plain)
        && path.split('/').all(|name| !matches!(name, "" | "." | ".."))
}

/// Whether shells can set a variable of that name.
fn is_variable(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.len() <= MAX_NAME
        && name.bytes().all(is_word)
        && name.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

/// The kind and the bytes of one of the parts that an input consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// What it holds, without marks.
    pub text: Vec<u8>,
}

/// An input taken apart into arguments, standard input, files and variables, in their order.
///
/// # Examples
///
/// ```
/// use pleach::parts::Parts;
///
/// let parts = Parts::read(b"%parts\nargs\n|--level\n|two words\nstdin\n|a\n|\n")?;
/// assert_eq!(parts.arguments().collect::<Vec<_>>(), [&b"--level"[..], b"two words"]);
/// assert_eq!(parts.stdin(), b"a\n");
/// assert_eq!(parts.file("settings.toml"), None);
/// # Ok::<(), pleach::parts::PartsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    parts: Vec<Part>,
}

impl Parts {
    /// No parts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part behind the others.
    ///
    /// # Errors
    ///
    /// What no command could be given: a second standard input, file or variable of one name; a file in the place of a
    /// folder; a name as [`Fault`] says; a zero byte in an argument or a variable; over 1,000 parts.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::parts::{Fault, PartKind, Parts};
    ///
    /// let mut parts = Parts::new();
    /// parts.push(PartKind::Stdin, "a\nb")?;
    /// assert_eq!(parts.write(), b"%parts\nstdin\n|a\n|b\n");
    /// assert_eq!(parts.push(PartKind::Stdin, "c"), Err(Fault::Twice(PartKind::Stdin)));
    /// # Ok::<(), Fault>(())
    /// ```
    pub fn push(&mut self, kind: PartKind, text: impl Into<Vec<u8>>) -> Result<(), Fault> {
        let text = text.into();
        kind.check()?;
        if self.parts.len() >= MAX_PARTS {
            return Err(Fault::TooMany);
        }
        if !matches!(kind, PartKind::Stdin | PartKind::File(_)) && text.contains(&0) {
            return Err(Fault::Nul(kind));
        }
        if !matches!(kind, PartKind::Arguments | PartKind::Argument) {
            for other in &self.parts {
                if other.kind == kind {
                    return Err(Fault::Twice(kind));
                }
                if let (PartKind::File(ours), PartKind::File(theirs)) = (&kind, &other.kind) {
                    let (file, path) =
                        if ours.len() < theirs.len() { (ours, theirs) } else { (theirs, ours) };
                    if path.strip_prefix(&**file).is_some_and(|rest| rest.starts_with('/')) {
                        let (file, path) = (file.clone(), path.clone());
                        return Err(Fault::Clash { file, path });
                    }
                }
            }
        }
        self.parts.push(Part { kind, text });
        Ok(())
    }

    /// Reads the parts of a text. The line feed at its end may be missing.
    ///
    /// # Errors
    ///
    /// What is no text of parts, by line and column, and what [`Parts::push`] refuses.
    pub fn read(text: &[u8]) -> Result<Self, PartsError> {
        let mut lines = text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n');
        if lines.next() != Some(SIGNATURE.trim_end().as_bytes()) {
            return Err(Fault::Unsigned.at(1));
        }
        let (mut ahead, mut number) = (lines.next(), 2);
        let mut parts = Self::new();
        while let Some(line) = ahead {
            let at = number;
            let header = std::str::from_utf8(line);
            let header = header.map_err(|_| Fault::Unknown(String::from_utf8_lossy(line).into()));
            let kind = header.and_then(|header| match header.split_once(' ') {
                Some((word, name)) => PartKind::new(word, Some(name)),
                None => PartKind::new(header, None),
            });
            let kind = kind.map_err(|fault| fault.at(at))?;
            let mut text = Vec::new();
            let mut is_first = true;
            loop {
                ahead = lines.next();
                number += 1;
                let Some((&MARK, line)) = ahead.and_then(<[u8]>::split_first) else { break };
                if !std::mem::take(&mut is_first) {
                    text.push(b'\n');
                }
                text.extend_from_slice(line);
            }
            if is_first {
                return Err(Fault::Bare(kind).at(at));
            }
            parts.push(kind, text).map_err(|fault| fault.at(at))?;
        }
        Ok(parts)
    }

    /// The text of the parts, which [`Parts::read`] reads.
    pub fn write(&self) -> Vec<u8> {
        let mut out = SIGNATURE.as_bytes().to_vec();
        for part in &self.parts {
            out.extend_from_slice(part.kind.header().as_bytes());
            out.extend_from_slice(&marked(&part.text));
            out.extend_from_slice(END.as_bytes());
        }
        out
    }

    /// All parts.
    pub fn iter(&self) -> std::slice::Iter<'_, Part> {
        self.parts.iter()
    }

    /// The arguments, without the name of a program.
    pub fn arguments(&self) -> impl Iterator<Item = &[u8]> {
        self.parts.iter().flat_map(|part| {
            let (text, is_one) = match part.kind {
                PartKind::Argument => (&*part.text, true),
                PartKind::Arguments => (&*part.text, false),
                _ => (&[][..], false),
            };
            let lines = text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n');
            let lines = lines.take(if is_one || text.is_empty() { 0 } else { usize::MAX });
            is_one.then_some(text).into_iter().chain(lines)
        })
    }

    /// The standard input; no text where there is none.
    pub fn stdin(&self) -> &[u8] {
        self.find(&PartKind::Stdin).unwrap_or_default()
    }

    /// What a file holds.
    pub fn file(&self, path: &str) -> Option<&[u8]> {
        self.files().find_map(|(known, text)| (known == path).then_some(text))
    }

    /// The files by their paths, each of which is relative and leads below the folder that it is joined to.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.parts.iter().filter_map(|part| match &part.kind {
            PartKind::File(path) => Some((&**path, &*part.text)),
            _ => None,
        })
    }

    /// What a variable of the environment holds.
    pub fn variable(&self, name: &str) -> Option<&[u8]> {
        self.variables().find_map(|(known, text)| (known == name).then_some(text))
    }

    /// The variables of the environment by their names.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Variable(name) => Some((&**name, &*part.text)),
            _ => None,
        })
    }

    fn find(&self, kind: &PartKind) -> Option<&[u8]> {
        self.parts.iter().find(|part| part.kind == *kind).map(|part| &*part.text)
    }
}

/// How line feeds are written in a text of parts.
pub(crate) const MARKING: Marking = Marking { symbol: b'\n', mark: MARK };

/// What a part, or a piece of one, holds as it stands in a text of parts, less the mark before its first line.
#[doc(hidden)]
#[pleach_unhooked::unhooked]
pub fn marked(text: &[u8]) -> Cow<'_, [u8]> {
    MARKING.literal(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The reason for which a text is no input of several parts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The text does not begin as one of parts does.
    Unsigned,
    /// A line is neither a part's first one nor of its text.
    Unknown(String),
    /// No line of text follows.
    Bare(PartKind),
    /// There should be a name, of a part that this word begins.
    Unnamed(String),
    /// There should be no name, of a part that this word begins.
    Named(String),
    /// A file's path has an empty name, `.` or `..`, begins or ends with `/`, has a control character, `\` or `:`,
    /// which systems do not agree about, or over 1,000 bytes.
    Path(String),
    /// A variable's name is not of ASCII letters, digits and `_`, or begins with a digit, or has over 1,000 bytes.
    Variable(String),
    /// It is there already.
    Twice(PartKind),
    /// A file stands where another's folder does.
    Clash {
        /// The file.
        file: String,
        /// The one in a folder of that name.
        path: String,
    },
    /// A zero byte ends arguments and variables.
    Nul(PartKind),
    /// There are over 1,000 parts.
    TooMany,
}

impl Fault {
    fn at(self, line: usize) -> PartsError {
        // A name stands behind a word and a space.
        let column = match &self {
            Self::Path(_) => "file ".len() + 1,
            Self::Variable(_) => "env ".len() + 1,
            Self::Named(word) => word.len() + 2,
            _ => 1,
        };
        PartsError { line, column, fault: self }
    }
}

impl Fault {
    /// What is wrong, and what to do.
    pub(crate) fn said(&self) -> (String, &'static str) {
        match self {
            Self::Unsigned => (
                "this is no input of several parts: its first line is not `%parts`".into(),
                "write it there, and the parts on the next lines",
            ),
            Self::Unknown(line) => (
                format!("`{}` begins no part", Shown(line)),
                "write `args`, `arg`, `stdin`, `file PATH` or `env NAME`, or `|` before a line of text",
            ),
            Self::Bare(kind) => (
                format!("`{}` has no text", Shown(&kind.to_string())),
                "write `|` on the next line, and the text behind it",
            ),
            Self::Unnamed(word) => (format!("`{word}` without a name"), "write the name behind it"),
            Self::Named(word) => (format!("`{word}` takes no name"), "leave the name out"),
            Self::Path(path) => (
                format!("`{}` is no path of a part", Shown(path)),
                "write a relative one of at most 1000 bytes, with `/` between names and without `.`, `..`, `\\`, \
                 `:` and control characters",
            ),
            Self::Variable(name) => (
                format!("`{}` is no name of a variable", Shown(name)),
                "write at most 1000 ASCII letters, digits and `_`, no digit first",
            ),
            Self::Twice(kind) => {
                (format!("a second `{}`", Shown(&kind.to_string())), "an input has one: keep one")
            }
            Self::Clash { file, path } => (
                format!("`{}` is a file, and the folder of `{}`", Shown(file), Shown(path)),
                "rename one",
            ),
            Self::Nul(kind) => (
                format!("a zero byte in `{}`", Shown(&kind.to_string())),
                "take it out: no argument and no variable can have one",
            ),
            Self::TooMany => (format!("over {MAX_PARTS} parts"), "leave some out"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (message, fix) = self.said();
        write!(f, "{message}: {fix}")
    }
}

impl Error for Fault {}

/// A text as messages show it: in one line of bounded length.
struct Shown<'t>(&'t str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 60;
        let mut symbols = self.0.chars();
        symbols
            .by_ref()
            .take(MOST)
            .try_for_each(|symbol| write!(f, "{}", symbol.escape_debug()))?;
        if symbols.next().is_some() { f.write_str("...") } else { Ok(()) }
    }
}

/// Why a text is no input of several parts, and where.
#[derive(Clone, PartialEq, Eq)]
pub struct PartsError {
    line: usize,
    column: usize,
    fault: Fault,
}

impl PartsError {
    /// Where the fault is: a line of the text, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column in bytes, from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong there.
    pub fn fault(&self) -> &Fault {
        &self.fault
    }
}

impl fmt::Display for PartsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.fault)
    }
}

crate::displayed::displayed!(PartsError);

impl Error for PartsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.fault)
    }
}
