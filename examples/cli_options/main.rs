//! Calls of a command as a language: every option of GNU grep, and every two of them in a row, are run, with files and
//! standard input of the same trees.
//!
//! `cargo run --no-default-features --example cli_options`

#[allow(dead_code)] // Tests use all of it.
mod grep;

use pleach::Seeded;
use pleach::parts::Parts;
use pleach::produce::{Cover, CoverOptions};
use pleach::table::Table;
use pleach::tree::Tree;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}", grep::version()?);

    let table = Table::parse(include_str!("../../grammars/cli-options.pleach"))?;
    // A matcher twice in a row is a count of a repetition. Deeper trees than the paths need hold
    // more options a line, so that fewer processes run.
    let options = CoverOptions::new(2).repetition_goals(true).max_depth(40);
    let mut cover = Cover::new(&table, options)?;
    let (mut random, mut tree) = (Seeded::new(0), Tree::new());
    let (mut lines, mut found, mut options) = (0, 0, 0);
    while cover.next_tree(&mut random, &mut tree) {
        let parts = Parts::read(tree.text())?;
        let words = grep::words(&parts)?;
        options += grep::read(&words).map_err(|error| format!("{words:?}: {error}"))?.len();
        found += u32::from(grep::run(&parts).map_err(|error| format!("{words:?}: {error}"))?);
        lines += 1;
    }
    let summary = cover.summary();
    println!(
        "{lines} calls with {options} options and operands cover {} of {} goals",
        summary.covered, summary.total
    );
    println!("grep took every one; {found} of them found something");
    Ok(())
}
