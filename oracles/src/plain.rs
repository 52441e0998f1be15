//! What parsers say of random documents as `pleach generate --mode random` makes them by default.
//!
//! No clause excuses anything here: what a user wants of plain documents is that a reader takes them.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::{Command, Stdio};

use pleach::Seeded;
use pleach::produce::{Mode, Options, Producer};
use pleach::table::Table;
use pleach::tree::Tree;

use crate::acceptance::{beyond, mark};
use crate::{Reader, Subject, grammars};

/// Readers of Python's standard library that are stricter than the grammar's standard.
const STRICT: [(&str, &str, &str); 2] = [
    ("xml", "expat (XML 1.0, fourth edition)", include_str!("plain/expat.py")),
    ("toml", "tomllib (no leap seconds)", include_str!("plain/tomllib.py")),
];

/// What came of the documents of a grammar.
pub struct Plain {
    /// How many there are, all different, as `pleach generate` passes over what was made before.
    pub documents: usize,
    /// How many were drawn for that.
    pub draws: usize,
    /// Half of them have no more bytes than this.
    pub median: usize,
    /// What each parser says.
    pub verdicts: Vec<Verdicts>,
}

/// What one parser says.
pub struct Verdicts {
    /// The parser and its version.
    pub parser: &'static str,
    /// Of the documents, those that have nothing that the parser lacks.
    pub asked: usize,
    /// Those that it accepts.
    pub accepted: usize,
    /// Of the refused ones, the shortest, and why.
    pub refused: Option<(Vec<u8>, String)>,
}

impl Verdicts {
    fn new(parser: &'static str) -> Self {
        Self { parser, asked: 0, accepted: 0, refused: None }
    }

    fn hear(&mut self, text: &[u8], verdict: Result<(), String>) {
        self.asked += 1;
        match verdict {
            Ok(()) => self.accepted += 1,
            Err(reason) => {
                if self.refused.as_ref().is_none_or(|(shortest, _)| text.len() < shortest.len()) {
                    self.refused = Some((text.to_vec(), reason));
                }
            }
        }
    }

    /// The share of documents that are accepted.
    pub fn share(&self) -> f64 {
        self.accepted as f64 / self.asked.max(1) as f64
    }
}

impl Plain {
    /// Judges so many documents of a grammar.
    ///
    /// # Errors
    ///
    /// Where Python cannot be run.
    ///
    /// # Panics
    ///
    /// Where the grammar is wrong.
    pub fn of(subject: &Subject, documents: usize) -> io::Result<Self> {
        let table = grammars::table(subject.grammar);
        let (trees, draws) = trees(&table, documents);
        let mut verdicts = Vec::new();
        for oracle in subject.oracles {
            let (beyond, mut held) = (beyond(&table, oracle), vec![false; table.rule_count()]);
            let mut heard = Verdicts::new(oracle.name);
            for tree in &trees {
                held.fill(false);
                mark(&mut held, &table, tree);
                if held.iter().zip(&beyond).any(|(held, beyond)| held & beyond) {
                    continue;
                }
                let verdict = match oracle.read {
                    Reader::Text(read) | Reader::Part(read, _) => read(tree.text()),
                    Reader::Rewritten(rewrite, read) => read(&rewrite(&table, tree)),
                    Reader::Tree(read) => read(&table, tree),
                };
                heard.hear(tree.text(), verdict);
            }
            verdicts.push(heard);
        }
        for (_, parser, program) in STRICT.iter().filter(|(of, ..)| *of == subject.grammar) {
            let mut heard = Verdicts::new(parser);
            for (tree, refusal) in trees.iter().zip(ask(program, &trees)?) {
                let verdict = if refusal.is_empty() { Ok(()) } else { Err(refusal) };
                heard.hear(tree.text(), verdict);
            }
            verdicts.push(heard);
        }
        let mut sizes: Vec<usize> = trees.iter().map(|tree| tree.text().len()).collect();
        sizes.sort_unstable();
        let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0);
        Ok(Self { documents: trees.len(), draws, median, verdicts })
    }
}

/// So many different documents, and how often one was drawn for that; fewer where ten times as many draws are not
/// enough.
fn trees(table: &Table, count: usize) -> (Vec<Tree>, usize) {
    let mut producer = Producer::new(table, Options::new().mode(Mode::Typical))
        .expect("the default budget holds the smallest tree");
    let (mut seed, mut seen, mut trees, mut draws) =
        (Seeded::new(1), BTreeSet::new(), Vec::new(), 0);
    while trees.len() < count && draws < 10 * count {
        let mut tree = Tree::new();
        producer.produce(&mut seed, &mut tree);
        draws += 1;
        if seen.insert(tree.text().to_vec()) {
            trees.push(tree);
        }
    }
    (trees, draws)
}

/// Why each document is refused by a program for Python, empty where it is not.
fn ask(program: &str, trees: &[Tree]) -> io::Result<Vec<String>> {
    let mut python = Command::new("python3")
        .args(["-c", program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = python.stdin.take().expect("it is piped");
    // All is read before anything is answered.
    for tree in trees {
        input.write_all(&(tree.text().len() as u32).to_le_bytes())?;
        input.write_all(tree.text())?;
    }
    drop(input);
    let answer = String::from_utf8_lossy(&python.wait_with_output()?.stdout).into_owned();
    let lines: Vec<String> = answer.lines().map(str::to_owned).collect();
    if lines.len() == trees.len() {
        Ok(lines)
    } else {
        Err(io::Error::other("python3 does not answer: it must be 3.11 or newer"))
    }
}
