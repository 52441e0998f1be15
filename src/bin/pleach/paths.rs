//! `pleach paths`: how many k-paths there are, and which.

use std::io::{self, BufWriter, Write};

use clap::{Args, value_parser};
use pleach::kpath::{PathIndex, Scope, WalkCounts};

use crate::failure::{Failure, print};
use crate::load::Load;
use pleach::report::PathNames;

/// Counts a grammar's k-paths, or lists them
///
/// A k-path is a chain of k places in the grammar, each in the body of the rule that the one before
/// it refers to. Without --list their number is printed, however large. With --list each is a line:
/// `member: value > array > value#2` begins at the place `value` in the rule `member`, goes on to
/// `array` in the rule `value`, and ends in the second use of `value` in the rule `array`. A list of
/// more than 67,108,864 is refused with exit code 3.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  pleach paths grammars/json.pleach -k 4
  pleach paths grammars/json.pleach -k 2 --exact --list | grep '^member: '")]
pub(crate) struct Paths {
    #[command(flatten)]
    load: Load,
    /// The greatest length, 1 to 64
    #[arg(short, value_parser = value_parser!(u8).range(1..=PathIndex::LONGEST as i64))]
    k: u8,
    /// Only the paths of exactly K places, instead of 1 to K
    #[arg(long)]
    exact: bool,
    /// Print the paths, one a line
    #[arg(long)]
    list: bool,
}

impl Paths {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let table = self.load.load_quietly()?.table;
        let k = usize::from(self.k);
        if !self.list {
            let counts = WalkCounts::new(&table, k);
            let count = if self.exact { counts.exact(k) } else { counts.up_to(k) };
            return print(format!("{count}\n").as_bytes());
        }
        let scope = if self.exact { Scope::Exact } else { Scope::UpTo };
        let index = PathIndex::new(&table, k, scope, PathIndex::DEFAULT_LIMIT)
            .map_err(|error| Failure::Budget(format!("error: {error}")))?;
        let names = PathNames::new(&table);
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        let (mut walk, mut line) = (Vec::new(), Vec::new());
        for rank in index.goals() {
            index.walk(rank, &mut walk);
            line.clear();
            names.write(&walk, &mut line);
            line.push(b'\n');
            out.write_all(&line).map_err(Failure::stdout)?;
        }
        out.flush().map_err(Failure::stdout)
    }
}
