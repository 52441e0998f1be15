//! Command lines as a language: every option of GNU grep, and every two of them in a row, are run.
//!
//! `cargo run --no-default-features --example cli_options`

#[allow(dead_code)] // Tests use all of it.
mod grep;

use std::path::Path;

use pleach::Seeded;
use pleach::grammar::Grammar;
use pleach::produce::{Cover, CoverOptions};
use pleach::table::Lowering;
use pleach::tree::Tree;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/cli_options/data");
    println!("{}", grep::version(&folder)?);

    let grammar = Grammar::parse(include_str!("../../grammars/cli-options.pleach"))?;
    let table = Lowering::new().lower(&grammar)?.table;
    // A matcher twice in a row is a count of a repetition. Deeper trees than the paths need hold
    // more options a line, so that fewer processes run.
    let options = CoverOptions::new(2).repetition_goals(true).max_depth(40);
    let mut cover = Cover::new(&table, options)?;
    let (mut random, mut tree) = (Seeded::new(0), Tree::new());
    let (mut lines, mut found, mut options) = (0, 0, 0);
    while cover.next_tree(&mut random, &mut tree) {
        let line = str::from_utf8(tree.text())?;
        let words = grep::words(line)?;
        options += grep::read(&words).map_err(|error| format!("{line}: {error}"))?.len();
        found += u32::from(grep::run(&folder, &words).map_err(|error| format!("{line}: {error}"))?);
        lines += 1;
    }
    let summary = cover.summary();
    println!(
        "{lines} command lines with {options} options and operands cover {} of {} goals",
        summary.covered, summary.total
    );
    println!("grep took every one; {found} of them found something");
    Ok(())
}
