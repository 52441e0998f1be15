//! The table that is compiled with a target is the one that is read when it starts.
#![cfg(feature = "ahead")]

use pleach_core::grammar::{Files, Grammar};
use pleach_core::table::{Lowering, Table};
use pleach_target::fuzz::TargetOptions;

fn read(files: &[(&str, &str)], start: Option<&str>) -> Table {
    let (name, text) = files[0];
    let grammar = Grammar::read(name, text, &Files::new(files.iter().copied())).unwrap();
    let mut lowering = Lowering::new();
    if let Some(start) = start {
        lowering = lowering.start(start);
    }
    lowering.lower(&grammar).unwrap().table
}

#[test]
fn a_table_made_ahead_is_the_one_that_is_read() {
    let target = TargetOptions::new();
    let made = pleach_target::__table!(target ["../../../grammars/json.pleach"] []).unwrap();
    let text = include_str!("../../../grammars/json.pleach");
    let read = read(&[("../../../grammars/json.pleach", text)], None);
    assert_eq!(format!("{made:?}"), format!("{read:?}"));
}

#[test]
fn what_is_included_and_the_start_rule_are_found_among_files_and_options() {
    let target = TargetOptions::new();
    let made = pleach_target::__table!(target
        ["../../../grammars/uri.pleach", "../../../grammars/ip.pleach"]
        [max_depth: 64, without: ["recursion"], start: "URI", k: 2]
    )
    .unwrap();
    let files = [
        ("../../../grammars/uri.pleach", include_str!("../../../grammars/uri.pleach")),
        ("../../../grammars/ip.pleach", include_str!("../../../grammars/ip.pleach")),
    ];
    assert_eq!(format!("{made:?}"), format!("{:?}", read(&files, Some("URI"))));
    let alone =
        pleach_target::__table!(target ["../../../grammars/uri.pleach"] [start: "URI"]).unwrap();
    assert_eq!(format!("{made:?}"), format!("{alone:?}"));
    assert_eq!(made.names().rule(made.start()), "URI");
}

#[test]
fn texts_are_given_for_rules_of_the_grammar() {
    // A rule that the start rule does not lead to has no place, which is no mistake.
    let target = TargetOptions::new().implants([("member", ["x"])]);
    pleach_target::__table!(target ["../../../grammars/json.pleach"] [start: "string"]).unwrap();
    let target = TargetOptions::new().implants([("membre", ["x"])]);
    let error = pleach_target::__table!(target ["../../../grammars/json.pleach"] []).unwrap_err();
    assert!(error.to_string().contains("no rule `membre`"), "{error}");
}

#[cfg(feature = "differential")]
#[test]
fn implants_made_ahead_are_those_that_are_made_of_the_grammar() {
    let files = [
        ("../../../grammars/uri.pleach", include_str!("../../../grammars/uri.pleach")),
        ("../../../grammars/ip.pleach", include_str!("../../../grammars/ip.pleach")),
    ];
    let grammar = Grammar::read(files[0].0, files[0].1, &Files::new(files)).unwrap();
    let of_grammar = |against: &[(&str, &str)]| {
        let implants = pleach_differential::implants(&grammar, against).unwrap();
        assert!(implants.iter().any(|(_, texts)| texts.len() > 9), "{implants:?}");
        format!("{implants:?}")
    };
    let made: &[(&str, &[&str])] =
        pleach_target::ahead::implants!(["../../../grammars/uri.pleach"] [start: "URI"] []);
    assert_eq!(format!("{made:?}"), of_grammar(&[]));
    let made: &[(&str, &[&str])] = pleach_target::ahead::implants!(
        ["../../../grammars/uri.pleach"] [] [("scheme", r"[a-z][a-z\\]*"), ("port", "[0-9]{1,5}")]
    );
    assert_eq!(
        format!("{made:?}"),
        of_grammar(&[("scheme", r"[a-z][a-z\\]*"), ("port", "[0-9]{1,5}")])
    );
}
