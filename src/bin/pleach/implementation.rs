//! Runs implementations on texts: a command, a function of Rust source, or what a language accepts.

use std::cell::Cell;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use pleach::differential::Language;
use pleach::differential::infer::Infer;
use pleach::differential::judge::Answer;
use pleach::regular::Alphabet;

use crate::compiled::{Called, Compiled, Outcome};
use crate::failure::Failure;
use crate::infer::sources;
use crate::inputs::shown;
use crate::operand::Operand;
use crate::runs::{Ending, Runs, TemporaryFolder};
use crate::unfinished::interruption;

/// Something that answers on texts.
pub(crate) enum Implementation {
    /// A command of the shell: a text is its standard input, exit status 0 accepts, and standard output less
    /// one final newline is the value.
    Command {
        line: String,
        /// Whether the shell is known to find it.
        is_found: Cell<bool>,
    },
    /// A function, in a program of its own. A value of several parts has one a line.
    Function(Compiled),
    /// Whatever has the language that an operand names.
    Language(Box<Language>),
}

impl Implementation {
    /// What is run for an operand, of which the language is given where it is known. What has to be built is kept in a folder,
    /// where one is named.
    pub(crate) fn new(
        operand: &Operand,
        language: Option<Language>,
        keep: Option<&Path>,
    ) -> Result<Self, Failure> {
        match (operand, language) {
            (Operand::Command(command), _) => {
                Ok(Self::Command { line: command.clone(), is_found: Cell::new(false) })
            }
            (Operand::Function { file, function, .. }, _) => {
                // The compiler's words are the last resort.
                let built = Compiled::build(file, function, keep);
                Ok(Self::Function(built.map_err(|error| unfit(file, function).unwrap_or(error))?))
            }
            (_, Some(language)) => Ok(Self::Language(language.into())),
            (_, None) => Err(Failure::input("error: there is nothing to run")),
        }
    }

    /// How tests call it, if it is a function.
    pub(crate) fn called(&self) -> Option<&Called> {
        match self {
            Self::Function(compiled) => Some(&compiled.called),
            _ => None,
        }
    }

    /// The answer on each text; a run that takes longer than `timeout` fails.
    pub(crate) fn answers(
        &self,
        texts: &[impl AsRef<[u8]> + Sync],
        timeout: Duration,
    ) -> Result<Vec<Answer>, Failure> {
        match self {
            Self::Language(language) => {
                let accepts = |text: &[u8]| match language.dfa().alphabet() {
                    Alphabet::Bytes => language.dfa().contains_bytes(text),
                    _ => std::str::from_utf8(text).is_ok_and(|text| language.accepts(text)),
                };
                let answer = |text: &[u8]| match accepts(text) {
                    true => Answer::Accepted(None),
                    false => Answer::Rejected,
                };
                Ok(texts.iter().map(|text| answer(text.as_ref())).collect())
            }
            Self::Function(compiled) => {
                let interrupted = interruption()?;
                let texts = texts.iter().map(AsRef::as_ref);
                let outcomes =
                    compiled.outcomes(texts, timeout, &interrupted).map_err(|error| match error
                        .kind()
                    {
                        io::ErrorKind::Interrupted => Failure::Budget("interrupted".into()),
                        _ => Failure::input(format!("error: {error}")),
                    })?;
                Ok(outcomes.into_iter().map(of_outcome).collect())
            }
            Self::Command { line: command, is_found } => {
                let shell = if cfg!(windows) { ["cmd", "/C"] } else { ["sh", "-c"] };
                let shell: Vec<OsString> =
                    shell.into_iter().chain([command.as_str()]).map(Into::into).collect();
                let runs = Runs::new(&shell, true).timeout(timeout);
                let cannot = |error: io::Error| Failure::Input(format!("error: {error}"));
                let interrupted = interruption()?;
                let answers = by_command(&runs, texts, &interrupted).map_err(cannot)?;
                // A few strings may well be those on which it ends with such a status by itself.
                let is_missing = |answer: &Option<Answer>| answer == &Some(missing());
                if !is_found.get() && !answers.is_empty() && answers.iter().all(is_missing) {
                    return Err(Failure::Input(format!(
                        "error: cmd:{command}: the shell finds no such command, or may not run it: it ends \
                         each run with status 126 or 127"
                    )));
                }
                is_found.set(true);
                // Where it was interrupted some are missing.
                answers
                    .into_iter()
                    .collect::<Option<Vec<_>>>()
                    .ok_or_else(|| Failure::Budget("interrupted".into()))
            }
        }
    }
}

/// Refuses answers of which all that accept have no value, where an option asks for values: nothing would be judged.
pub(crate) fn returns_values(option: &str, what: &str, answers: &[Answer]) -> Result<(), Failure> {
    let mut accepted = answers.iter().filter(|it| matches!(it, Answer::Accepted(_))).peekable();
    if accepted.peek().is_some() && accepted.all(|it| *it == Answer::Accepted(None)) {
        return Err(Failure::Input(format!(
            "error: {option} asks for values, and {what} returns none: it says only whether it accepts"
        )));
    }
    Ok(())
}

/// Why a function cannot be run on a text, as far as its source tells.
fn unfit(file: &Path, function: &str) -> Option<Failure> {
    let parameters = Infer::new().parameters(&sources(file).ok()?, function);
    match parameters {
        Err(error) if error.is_missing() => Some(crate::infer::failure(error)),
        Ok(parameters) if parameters.len() != 1 => Some(Failure::Input(format!(
            "error: {}: `{function}` takes {} texts, and only a function of one text can be run: write one \
             that calls it",
            shown(file),
            parameters.len()
        ))),
        _ => None,
    }
}

/// What a function's outcome says.
fn of_outcome(outcome: Outcome) -> Answer {
    match outcome {
        Outcome::Failed(how) => Answer::Failed(how),
        Outcome::Returned { accepted: false, .. } => Answer::Rejected,
        Outcome::Returned { parts, .. } => {
            Answer::Accepted((!parts.is_empty()).then(|| parts.join("\n")))
        }
    }
}

/// What is made of the status by which a shell says that it finds no command, or may not run it.
fn missing() -> Answer {
    Answer::Failed("the shell finds no such command, or may not run it".into())
}

/// What the end of a run and its output say.
fn of_run(ending: Ending, output: &[u8]) -> Answer {
    match ending {
        Ending::Code(0) => {
            let value = String::from_utf8_lossy(output).into_owned();
            let value = value.strip_suffix('\n').map(str::to_owned).unwrap_or(value);
            Answer::Accepted(Some(value))
        }
        Ending::Code(126 | 127) => missing(),
        Ending::Code(_) => Answer::Rejected,
        ending => Answer::Failed(ending.to_string()),
    }
}

/// What a command answers on each text, several at a time; none where it was interrupted.
fn by_command(
    runs: &Runs,
    texts: &[impl AsRef<[u8]> + Sync],
    interrupted: &AtomicBool,
) -> io::Result<Vec<Option<Answer>>> {
    let temporary = TemporaryFolder::new("runs")?;
    let workers = thread::available_parallelism().map_or(1, usize::from).min(texts.len());
    let mut paths = Vec::new();
    for worker in 0..workers {
        paths.push(temporary.file(worker, "input".as_ref())?);
    }
    let next = AtomicUsize::new(0);
    let stop = || interrupted.load(Ordering::Relaxed);
    let work = |path: &Path| {
        let mut answers = Vec::new();
        while !stop() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(text) = texts.get(index) else { break };
            let Some((ending, output)) = runs.capture(path, text.as_ref(), &stop)? else { break };
            answers.push((index, of_run(ending, &output)));
        }
        Ok(answers)
    };
    let mut answers = vec![None; texts.len()];
    thread::scope(|scope| {
        let workers: Vec<_> = paths.iter().map(|path| scope.spawn(|| work(path))).collect();
        for worker in workers {
            let done: io::Result<Vec<_>> =
                worker.join().unwrap_or_else(|_| Err(io::Error::other("a worker panicked")));
            for (index, answer) in done? {
                answers[index] = Some(answer);
            }
        }
        Ok(answers)
    })
}
