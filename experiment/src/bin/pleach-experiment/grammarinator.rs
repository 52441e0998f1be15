//! Grammarinator, from PyPI, in an environment of its own.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::produce::{Corpus, Plan};

/// The version that is compared.
pub const VERSION: &str = "26.1";

/// The grammars, by ours, with the greatest depth of a tree, without which trees have no end: of
/// the round numbers tried, the one with most edges.
const GRAMMARS: &[(&str, &str, u32)] =
    &[("expr", "Expr", 30), ("json", "Json", 30), ("uri", "Uri", 30)];

/// The tool, with a generator for each grammar.
pub struct Grammarinator {
    python: PathBuf,
    generators: PathBuf,
}

impl Grammarinator {
    /// Installs it into a folder, unless it is there.
    ///
    /// # Errors
    ///
    /// Where there is no Python 3 with `venv`, or PyPI cannot be reached.
    pub fn install(folder: &Path) -> io::Result<Self> {
        let environment = folder.join(format!("grammarinator-{VERSION}"));
        let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
        let stamp = environment.join("installed");
        if !stamp.exists() {
            eprintln!("installing Grammarinator {VERSION} from PyPI");
            run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
            let package = format!("grammarinator=={VERSION}");
            let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
            run(Command::new(programs.join("python")).args(install).arg(package))?;
            std::fs::write(stamp, VERSION)?;
        }
        let generators = folder.join("generators");
        std::fs::create_dir_all(&generators)?;
        for (_, name, _) in GRAMMARS {
            let process = programs.join("grammarinator-process");
            let grammar = sources().join(format!("{name}.g4"));
            run(Command::new(process).arg(grammar).arg("-o").arg(&generators).arg("--no-actions"))?;
        }
        Ok(Self { python: programs.join("python"), generators })
    }

    /// Makes a corpus; none where there is no such grammar.
    ///
    /// # Errors
    ///
    /// Where the generator fails.
    pub fn corpus(&self, grammar: &str, seed: u64, plan: &Plan) -> io::Result<Option<Corpus>> {
        let Some((_, name, depth)) = GRAMMARS.iter().find(|(of, ..)| *of == grammar) else {
            return Ok(None);
        };
        let bytes = plan.last();
        let seconds = plan.times.last().copied().unwrap_or_default().as_secs_f64();
        let output = Command::new(&self.python)
            .arg(sources().join("produce.py"))
            .arg(&self.generators)
            .args([&format!("{name}Generator"), &depth.to_string(), &seed.to_string()])
            .args([bytes.to_string(), seconds.to_string()])
            .stderr(Stdio::inherit())
            .output()?;
        if !output.status.success() {
            return Err(io::Error::other(format!("Grammarinator failed: {}", output.status)));
        }
        received(&output.stdout, plan).map(Some).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// Where the grammars are.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("grammarinator")
}

/// Reads what `produce.py` writes.
fn received(mut rest: &[u8], plan: &Plan) -> Option<Corpus> {
    let mut corpus = Corpus::default();
    while !rest.is_empty() {
        let (length, further) = rest.split_first_chunk()?;
        let (time, further) = further.split_first_chunk()?;
        let text = further.get(..u32::from_le_bytes(*length) as usize)?;
        corpus.texts.push_with(|out| out.extend_from_slice(text));
        corpus.look(plan, Duration::from_nanos(u64::from_le_bytes(*time)));
        rest = &further[text.len()..];
    }
    corpus.is_complete(plan).then_some(corpus)
}

fn run(command: &mut Command) -> io::Result<()> {
    let status = command.stdout(Stdio::null()).status()?;
    if status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("{} failed: {status}", command.get_program().display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_received_with_their_times() {
        let plan = Plan { bytes: vec![2, 3], times: vec![Duration::from_nanos(7)] };
        let mut sent = Vec::new();
        for (text, time) in [("ab", 5_u64), ("cd", 9)] {
            sent.extend_from_slice(&(text.len() as u32).to_le_bytes());
            sent.extend_from_slice(&time.to_le_bytes());
            sent.extend_from_slice(text.as_bytes());
        }
        let corpus = received(&sent, &plan).expect("whole texts");
        assert_eq!((corpus.by_bytes, corpus.by_time), (vec![1, 2], vec![2]));
        assert_eq!(corpus.filled, Duration::from_nanos(9));
        assert!(received(&sent[..sent.len() - 1], &plan).is_none(), "a text is cut short");
        assert!(received(&sent[..14], &plan).is_none(), "a point is missing");
    }

    #[test]
    fn each_grammar_is_there_and_is_that_of_a_subject() {
        for (grammar, name, _) in GRAMMARS {
            assert!(experiment::SUBJECTS.iter().any(|subject| subject.grammar == *grammar));
            let text = std::fs::read_to_string(sources().join(format!("{name}.g4")));
            assert!(text.is_ok_and(|text| text.contains(&format!("grammar {name};"))), "{name}");
        }
    }
}
