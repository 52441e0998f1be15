//! Domains other than text: options of a program, events of a form, commands of a protocol.
//!
//! Each has a state machine that knows nothing of the grammar. Whatever two events it allows in a row
//! must stand in a row in some sentence of the k = 2 corpus, repetition goals included, and it must
//! take every sentence.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::Path;

use pleach::Seeded;
use pleach::parts::Parts;
use pleach::produce::{Cover, CoverOptions};
use pleach::table::Table;
use pleach::tree::Tree;

#[allow(dead_code)] // The examples use the rest.
#[path = "../examples/ui_events/form.rs"]
mod form;
#[allow(dead_code)] // The examples use the rest.
#[path = "../examples/cli_options/grep.rs"]
mod grep;
#[allow(dead_code)] // The examples use the rest.
#[path = "../examples/smtp_session/server.rs"]
mod server;

type Pairs<E> = BTreeSet<(E, E)>;

/// What a state machine allows in a row, from a state on.
fn allowed<S: Copy + Ord, E: Copy + Ord>(
    start: S,
    events: &[E],
    after: impl Fn(S, E) -> Option<S>,
) -> Pairs<E> {
    let (mut seen, mut queue) = (BTreeSet::from([start]), vec![start]);
    let mut pairs = Pairs::new();
    while let Some(state) = queue.pop() {
        for &first in events {
            let Some(next) = after(state, first) else { continue };
            pairs.extend(events.iter().filter(|&&e| after(next, e).is_some()).map(|&e| (first, e)));
            if seen.insert(next) {
                queue.push(next);
            }
        }
    }
    pairs
}

/// What stands in a row in the sentences of a grammar's corpus, each read by its subject.
fn occurring<E: Copy + Ord>(name: &str, read: impl Fn(&str) -> Result<Vec<E>, String>) -> Pairs<E> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("grammars/{name}.pleach"));
    let grammar = std::fs::read_to_string(path).expect("the grammar is there");
    let table = Table::parse(&grammar).unwrap_or_else(|error| panic!("{error}"));
    let options = CoverOptions::new(2).repetition_goals(true);
    let mut cover = Cover::new(&table, options).expect("the goals are few");
    let (mut entropy, mut tree, mut pairs) = (Seeded::new(0), Tree::new(), Pairs::new());
    while cover.next_tree(&mut entropy, &mut tree) {
        let text = str::from_utf8(tree.text()).expect("the grammars derive ASCII and UTF-8");
        let events = read(text).unwrap_or_else(|error| panic!("{error} in {text:?}"));
        pairs.extend(events.windows(2).map(|pair| (pair[0], pair[1])));
    }
    let summary = cover.summary();
    assert_eq!((summary.covered, summary.infeasible), (summary.total, 0), "{name}");
    pairs
}

/// `count` is what the machine allows: a machine that allows nothing would prove nothing.
fn compare<E: Ord + Debug>(allowed: &Pairs<E>, occurring: &Pairs<E>, count: usize) {
    let missing: Vec<_> = allowed.difference(occurring).collect();
    assert!(missing.is_empty(), "{} pairs are missing: {missing:?}", missing.len());
    let excess: Vec<_> = occurring.difference(allowed).collect();
    assert!(excess.is_empty(), "{} pairs are not allowed: {excess:?}", excess.len());
    assert_eq!(allowed.len(), count);
}

#[test]
fn every_two_options_of_grep_that_go_together_stand_in_a_row() {
    let allowed = allowed(grep::State::default(), &grep::events(), grep::State::after);
    let occurring = occurring("cli-options", |text| {
        let parts = Parts::read(text.as_bytes()).map_err(|error| error.to_string())?;
        grep::read(&grep::words(&parts)?)
    });
    // Of 40 options without a rule of their own, 1600 pairs; with matchers, -e and -f around them 240,
    // 160 and 12; a matcher with itself 3, -e and -f 4; with operands and `--` 227.
    compare(&allowed, &occurring, 2246);
}

#[test]
fn every_two_events_that_the_form_allows_stand_in_a_row() {
    let allowed = allowed(form::Form::default(), &form::events(), form::Form::after);
    compare(&allowed, &occurring("ui-events", form::play), 231);
}

#[test]
fn every_two_commands_that_the_mail_server_allows_stand_in_a_row() {
    let allowed = allowed(server::State::default(), &server::Command::ALL, server::State::after);
    // After EHLO, HELO, RSET, MAIL and DATA 9 commands each, after RCPT 10, after the other four 11.
    compare(&allowed, &occurring("smtp-session", |text| server::hear(text.as_bytes())), 99);
}
