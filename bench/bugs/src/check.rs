//! `pleach-bugs check`: what the rows say, tried natively.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};

use clap::Args;
use harness::{ELSEWHERE, HIT, TRACE};

use crate::programs::{self, Program};
use crate::row::{Kind, Row, rows};

/// How many functions of the subject a fault comes through at least, itself included, where it is deep.
const DEEP: usize = 3;

#[derive(Args)]
pub struct Check {
    /// Rows [default: all]
    rows: Vec<String>,
    /// Checks also what a plain release build does, which takes a second build of each
    #[arg(long)]
    plain: bool,
    /// Prints what the witness does instead, as for a row that is being written
    #[arg(long)]
    show: bool,
}

/// What a program did with one file.
struct Outcome {
    hit: bool,
    /// What else it said to have happened.
    elsewhere: Vec<String>,
    /// All that it said.
    said: String,
}

impl Check {
    /// Checks the rows; the answer is "no" where one is not as it says.
    pub fn run(&self, folder: &Path) -> Result<ExitCode, String> {
        let mut wrong = 0;
        for row in rows(&self.rows)? {
            match self.check(&row, folder) {
                Ok(functions) => {
                    let Row { name, facts, .. } = &row;
                    let (subject, version) = (&facts.subject, &facts.version);
                    let through = match functions {
                        Some(functions) => format!("through {functions} functions"),
                        None => "without a trace".into(),
                    };
                    println!(
                        "{name}: {subject} {version}, {}, {}, {through}",
                        facts.kind, facts.place
                    );
                }
                Err(error) => {
                    wrong += 1;
                    println!("{}: wrong: {error}", row.name);
                }
            }
        }
        println!("{wrong} rows are wrong");
        Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }

    /// Checks a row, and gives how many functions of the subject the fault came through.
    fn check(&self, row: &Row, folder: &Path) -> Result<Option<usize>, String> {
        let program = build(row, Program::Check, folder)?;
        let execute = |path: &Path| {
            execute(&program, path, folder).map_err(|error| format!("{}: {error}", path.display()))
        };
        let witness = execute(&row.witness())?;
        if self.show {
            print!("{}", witness.said);
        }
        if !witness.hit {
            return Err(format!(
                "the witness does not fail there: {}",
                witness.elsewhere.join(", ")
            ));
        }
        for seed in row.seeds()? {
            let outcome = execute(&seed)?;
            if outcome.hit || !outcome.elsewhere.is_empty() {
                return Err(format!("{} fails: {}", seed.display(), outcome.elsewhere.join(", ")));
            }
        }
        if self.plain {
            let program = build(row, Program::Plain, folder)?;
            let outcome = self::execute(&program, &row.witness(), folder)
                .map_err(|error| format!("a plain release: {error}"))?;
            let fails = outcome.hit || !outcome.elsewhere.is_empty();
            if fails != row.facts.plain {
                return Err(format!("`plain` is {}, and it is {fails}", row.facts.plain));
            }
        }
        if matches!(row.facts.kind, Kind::Stack | Kind::Hang) {
            return Ok(None);
        }
        let functions = functions(&witness.said, row);
        if (functions >= DEEP) != row.facts.deep {
            return Err(format!("`deep` is {}, through {functions} functions", row.facts.deep));
        }
        Ok(Some(functions))
    }
}

fn build(row: &Row, program: Program, folder: &Path) -> Result<std::path::PathBuf, String> {
    programs::build(row, program, folder).map_err(|error| error.to_string())
}

/// Runs a program on a file, with the stack that fuzzers have.
fn execute(program: &Path, path: &Path, folder: &Path) -> io::Result<Outcome> {
    let scratch = folder.join("scratch");
    std::fs::create_dir_all(&scratch)?;
    let output = with_stack(program).arg(path).current_dir(scratch).env(TRACE, "1").output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut elsewhere: Vec<String> = said
        .lines()
        .filter_map(|line| line.strip_prefix("bugs: elsewhere "))
        .map(str::to_owned)
        .collect();
    let code = output.status.code();
    if !matches!(code, Some(0 | HIT | ELSEWHERE)) {
        elsewhere.push(format!("{}: {}", output.status, said.lines().last().unwrap_or_default()));
    }
    Ok(Outcome { hit: code == Some(HIT), elsewhere, said })
}

/// A command whose stack is a mebibyte: what a main thread has on Windows, and little enough for inputs
/// that fuzzers make to spend it.
pub fn with_stack(program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -s 1024 && exec \"$0\" \"$@\""]).arg(program);
    command
}

/// How many functions of the subject are in a backtrace as the standard library prints it: a line for a
/// function, and one for its place.
fn functions(said: &str, row: &Row) -> usize {
    let subject = match row.is_planted() {
        true => format!("/rows/{}/", row.name),
        false => format!("/{}-{}/", row.facts.subject, row.facts.version),
    };
    let lines: Vec<&str> = said.lines().collect();
    let functions: BTreeSet<&str> = lines
        .windows(2)
        .filter(|pair| pair[1].trim_start().starts_with("at ") && pair[1].contains(&subject))
        .filter_map(|pair| pair[0].trim_start().split_once(": ").map(|(_, name)| name))
        .collect();
    functions.len()
}
