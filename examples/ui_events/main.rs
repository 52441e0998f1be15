//! Sessions with a form as a language: every two events that the form's states allow in a row.
//!
//! `cargo run --no-default-features --example ui_events`

#[allow(dead_code)] // Tests use all of it.
mod form;

use std::collections::BTreeSet;

use pleach::Seeded;
use pleach::produce::{Cover, CoverOptions};
use pleach::table::Table;
use pleach::tree::Tree;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let table = Table::parse(include_str!("../../grammars/ui-events.pleach"))?;
    let mut cover = Cover::new(&table, CoverOptions::new(2))?;
    let (mut random, mut tree) = (Seeded::new(0), Tree::new());
    let (mut sessions, mut count, mut pairs) = (0, 0, BTreeSet::new());
    while cover.next_tree(&mut random, &mut tree) {
        let session = str::from_utf8(tree.text())?;
        let events = form::play(session).map_err(|error| format!("{error} in\n{session}"))?;
        pairs.extend(events.windows(2).map(|pair| (pair[0], pair[1])));
        sessions += 1;
        count += events.len();
    }
    let summary = cover.summary();
    println!("{sessions} sessions cover {} of {} k-paths", summary.covered, summary.total);
    println!("the form took all {count} events, {} different pairs in a row", pairs.len());
    Ok(())
}
