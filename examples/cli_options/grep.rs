//! GNU grep as a subject: the program itself, and a model of its options that knows nothing of the
//! grammar: it reads arguments as GNU getopt_long does, by a table after the manual.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use pleach::parts::Parts;

/// What follows an option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Argument {
    No,
    /// In the same word or the next one.
    Required,
    /// After `=` in the same word, or none.
    Optional,
}
use Argument::{No, Optional, Required};

/// Options: the letter, the long names, and what follows. The first name stands for the option.
const OPTIONS: &[(Option<char>, &[&str], Argument)] = &[
    (Some('A'), &["after-context"], Required),
    (Some('B'), &["before-context"], Required),
    (Some('C'), &["context"], Required),
    (Some('D'), &["devices"], Required),
    (Some('E'), &["extended-regexp"], No),
    (Some('F'), &["fixed-strings"], No),
    (Some('G'), &["basic-regexp"], No),
    (Some('H'), &["with-filename"], No),
    (Some('I'), &["I"], No),
    (Some('L'), &["files-without-match"], No),
    (Some('R'), &["dereference-recursive"], No),
    (Some('T'), &["initial-tab"], No),
    (Some('U'), &["binary"], No),
    (Some('Z'), &["null"], No),
    (Some('a'), &["text"], No),
    (Some('b'), &["byte-offset"], No),
    (Some('c'), &["count"], No),
    (Some('d'), &["directories"], Required),
    (Some('e'), &[REGEXP], Required),
    (Some('f'), &[FILE_OF_PATTERNS], Required),
    (Some('h'), &["no-filename"], No),
    (Some('i'), &["ignore-case"], No),
    (Some('l'), &["files-with-matches"], No),
    (Some('m'), &["max-count"], Required),
    (Some('n'), &["line-number"], No),
    (Some('o'), &["only-matching"], No),
    (Some('q'), &["quiet", "silent"], No),
    (Some('r'), &["recursive"], No),
    (Some('s'), &["no-messages"], No),
    (Some('v'), &["invert-match"], No),
    (Some('w'), &["word-regexp"], No),
    (Some('x'), &["line-regexp"], No),
    (Some('z'), &["null-data"], No),
    (None, &["binary-files"], Required),
    (None, &["color", "colour"], Optional),
    (None, &["exclude"], Required),
    (None, &["exclude-dir"], Required),
    (None, &["exclude-from"], Required),
    (None, &["group-separator"], Required),
    (None, &["include"], Required),
    (None, &["label"], Required),
    (None, &["line-buffered"], No),
    (None, &["no-group-separator"], No),
    (None, &["no-ignore-case"], No),
];

const MATCHERS: [&str; 3] = ["extended-regexp", "fixed-strings", "basic-regexp"];
const REGEXP: &str = "regexp";
const FILE_OF_PATTERNS: &str = "file";
/// `-NUM`, the context in digits.
const NUMBER: &str = "NUM";
const PATTERN: &str = "PATTERN";
const OPERAND: &str = "FILE";
/// `--`.
const TERMINATOR: &str = "--";

/// All that may stand on a command line: options by their names, and operands.
pub fn events() -> Vec<&'static str> {
    let options = OPTIONS.iter().map(|(_, names, _)| names[0]);
    options.chain([NUMBER, PATTERN, OPERAND, TERMINATOR]).collect()
}

/// Where the patterns come from.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Patterns {
    #[default]
    Unknown,
    /// From `-e` or `-f`: operands are files.
    Options,
    /// From the first operand.
    Operand,
}

/// What the words so far have settled.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    patterns: Patterns,
    matcher: Option<&'static str>,
    terminated: bool,
}

impl State {
    /// The state after an event, where grep would take it.
    pub fn after(mut self, event: &'static str) -> Option<Self> {
        match event {
            PATTERN if self.patterns == Patterns::Unknown => self.patterns = Patterns::Operand,
            PATTERN => return None,
            OPERAND if self.patterns == Patterns::Unknown => return None,
            OPERAND => {}
            _ if self.terminated => return None,
            TERMINATOR => self.terminated = true,
            REGEXP | FILE_OF_PATTERNS if self.patterns == Patterns::Operand => return None,
            REGEXP | FILE_OF_PATTERNS => self.patterns = Patterns::Options,
            _ if MATCHERS.contains(&event) => match self.matcher {
                Some(matcher) if matcher != event => return None,
                _ => self.matcher = Some(event),
            },
            _ => {}
        }
        Some(self)
    }
}

/// The arguments of an input.
pub fn words(parts: &Parts) -> Result<Vec<&str>, String> {
    let words = parts.arguments().map(str::from_utf8).collect::<Result<_, _>>();
    words.map_err(|error| error.to_string())
}

/// The events of a command line, if the model takes them all and knows the patterns in the end.
pub fn read(words: &[&str]) -> Result<Vec<&'static str>, String> {
    let mut line = Line::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let takes_next = if line.state.terminated || word == "-" || !word.starts_with('-') {
            line.operand()?;
            false
        } else if word == TERMINATOR {
            line.event(TERMINATOR)?;
            false
        } else if let Some(long) = word.strip_prefix("--") {
            line.long(long)?
        } else {
            line.letters(&word[1..])?
        };
        if takes_next && words.next().is_none() {
            return Err(format!("{word:?} lacks its argument"));
        }
    }
    match line.state.patterns {
        Patterns::Unknown => Err("there is no pattern".into()),
        _ => Ok(line.events),
    }
}

#[derive(Default)]
struct Line {
    state: State,
    events: Vec<&'static str>,
}

impl Line {
    fn event(&mut self, event: &'static str) -> Result<(), String> {
        self.state =
            self.state.after(event).ok_or_else(|| format!("{event} is not allowed here"))?;
        self.events.push(event);
        Ok(())
    }

    fn operand(&mut self) -> Result<(), String> {
        let unknown = self.state.patterns == Patterns::Unknown;
        self.event(if unknown { PATTERN } else { OPERAND })
    }

    /// A long option without its hyphens; whether the next word is its argument.
    fn long(&mut self, word: &str) -> Result<bool, String> {
        let (name, value) = match word.split_once('=') {
            Some((name, _)) => (name, true),
            None => (word, false),
        };
        let (_, names, argument) = OPTIONS
            .iter()
            .find(|(_, names, _)| name.len() > 1 && names.contains(&name))
            .ok_or_else(|| format!("unknown option --{name}"))?;
        if *argument == No && value {
            return Err(format!("--{name} takes no argument"));
        }
        self.event(names[0])?;
        Ok(*argument == Required && !value)
    }

    /// A word of option letters without its hyphen; whether the next word is the last one's
    /// argument.
    fn letters(&mut self, word: &str) -> Result<bool, String> {
        let mut letters = word.chars().peekable();
        while let Some(letter) = letters.next() {
            if letter.is_ascii_digit() {
                while letters.next_if(char::is_ascii_digit).is_some() {}
                self.event(NUMBER)?;
                continue;
            }
            let (_, names, argument) = OPTIONS
                .iter()
                .find(|(short, _, _)| *short == Some(letter))
                .ok_or_else(|| format!("unknown option -{letter}"))?;
            self.event(names[0])?;
            if *argument == Required {
                return Ok(letters.peek().is_none());
            }
        }
        Ok(false)
    }
}

/// A folder for the files of one input, which is removed with what is in it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("grep-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = Self(std::env::temp_dir().join(name));
        fs::create_dir(&folder.0).map_err(|error| error.to_string())?;
        Ok(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs grep on an input: whether it found a line.
///
/// # Errors
///
/// What it said, where its exit status is neither 0 nor 1, or it said anything, or how it is used.
pub fn run(parts: &Parts) -> Result<bool, String> {
    let folder = Folder::new()?;
    for (path, text) in parts.files() {
        fs::write(folder.0.join(path), text).map_err(|error| error.to_string())?;
    }
    let mut grep = Command::new("grep")
        .args(words(parts)?)
        .current_dir(&folder.0)
        .env("LC_ALL", "C")
        .env_remove("GREP_COLORS")
        .env_remove("POSIXLY_CORRECT")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("grep does not start: {error}"))?;
    if let Some(mut stdin) = grep.stdin.take() {
        // It need not read all of it, or any.
        let _ = stdin.write_all(parts.stdin());
    }
    let output = grep.wait_with_output().map_err(|error| error.to_string())?;
    let talk = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        // Some mistakes are answered with the help text and status 0.
        Some(0) if output.stdout.starts_with(b"Usage:") => Err("grep shows how it is used".into()),
        Some(status @ (0 | 1)) if talk.is_empty() => Ok(status == 0),
        _ => Err(format!("{}: {}", output.status, talk.trim_end())),
    }
}

/// The first line of `grep --version`, where it is GNU grep.
pub fn version() -> Result<String, String> {
    let output = Command::new("grep").arg("--version").output();
    let output = output.map_err(|error| format!("grep does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().next() {
        Some(line) if line.contains("GNU grep") => Ok(line.to_owned()),
        line => Err(format!("GNU grep is needed, and this is {:?}", line.unwrap_or(""))),
    }
}
