//! The specifications that ship, and which of them phrases mean.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, Ipv6Addr};

use pleach::differential::known::{Known, Structure};
use pleach::regular::AutomatonLimits;
use pleach_testing::is_json;

use crate::data::{Data, strings};
use crate::validators::Edits;

/// What a structure has to have, and how small its automaton is.
#[test]
fn every_specification_has_a_source_and_examples_that_agree() {
    let known = Known::shipped();
    assert!(known.structures().len() >= 48);
    let limits = AutomatonLimits::default();
    for structure in known.structures() {
        let name = structure.name();
        assert!(structure.description().len() >= 40, "{name}");
        assert!(structure.description().ends_with('.'), "{name}");
        assert!(structure.source().len() >= 8, "{name}");
        for examples in [structure.valid(), structure.invalid()] {
            assert_eq!(examples.len(), 10, "{name}");
            assert_eq!(examples.iter().collect::<BTreeSet<_>>().len(), 10, "{name}");
        }
        structure.check(&limits).unwrap_or_else(|error| panic!("{error}"));
        let language = structure.language(&limits).unwrap();
        assert!(language.states() < 5_000, "{name}: {} states", language.states());
    }
}

/// The file that ships is held to what is asked of a person's own.
#[test]
fn the_shipped_file_reads_as_any_other() {
    let text = include_str!("../../crates/differential/src/known/known.toml");
    let mut known = Known::default();
    known.read("known.toml", text).unwrap_or_else(|error| panic!("{error}"));
    let shipped = Known::shipped();
    assert_eq!(known.structures(), shipped.structures());
}

#[test]
fn what_is_written_as_toml_reads_as_it_was() {
    let mut known = Known::shipped();
    let added = Structure::new("odd", "It's \"odd\".\n", "here", r#"\"'{hex}\\"#)
        .keywords("a b")
        .examples(["\"'f\\".into()], ["\u{0}\n\t'".into(), "'''".into(), String::new()]);
    known.add(added).unwrap();
    let mut text = String::new();
    for structure in known.structures() {
        text.push_str(&structure.to_toml());
        text.push('\n');
    }
    let mut again = Known::shipped();
    again.read("again.toml", &text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.structures(), known.structures());
}

/// The table of the documentation is made of the file that ships.
#[test]
fn the_documentation_has_every_structure() {
    let mut table = String::from("| name | what | source |\n| --- | --- | --- |\n");
    for structure in Known::shipped().structures() {
        let description = structure.description().replace('|', "\\|");
        table.push_str(&format!(
            "| `{}` | {description} | {} |\n",
            structure.name(),
            structure.source()
        ));
    }
    let text = std::fs::read_to_string("docs/known.md").unwrap();
    assert!(text.ends_with(&table), "docs/known.md should end with:\n{table}");
}

/// Languages that other code decides, on edits of the examples.
#[test]
fn specifications_agree_with_other_implementations() {
    type Oracle = (&'static str, fn(&str) -> bool);
    let oracles: [Oracle; 5] = [
        ("ipv4", |text| text.parse::<Ipv4Addr>().is_ok()),
        ("ipv6", |text| text.parse::<Ipv6Addr>().is_ok()),
        ("port", |text| text.parse::<u16>().is_ok_and(|port| port.to_string() == text)),
        ("json-string", |text| text.starts_with('"') && is_bare_json(text)),
        ("json-number", |text| {
            !text.starts_with(['"', '[', '{', 't', 'f', 'n']) && is_bare_json(text)
        }),
    ];
    let known = Known::shipped();
    let mut edits = Edits::new(0xED17);
    for (name, oracle) in oracles {
        let structure = known.find(name).unwrap();
        let language = structure.language(&AutomatonLimits::default()).unwrap();
        let examples = [structure.valid(), structure.invalid()].concat();
        let mut accepted = 0;
        for _ in 0..20_000 {
            let text = edits.edit(&examples);
            assert_eq!(language.accepts(&text), oracle(&text), "{name}: {text:?}");
            accepted += usize::from(language.accepts(&text));
        }
        assert!(accepted > 1_000, "{name}: {accepted}");
    }
}

/// Whether another parser takes a text without white space around it for JSON; numbers of any size.
fn is_bare_json(text: &str) -> bool {
    text.trim() == text && is_json(text.as_bytes())
}

/// Every date of four centuries, and no other day of them.
#[test]
fn dates_are_those_of_the_calendar() {
    let known = Known::shipped();
    let language = |name| known.find(name).unwrap().language(&AutomatonLimits::default()).unwrap();
    let (date, iso, ordinal) =
        (language("rfc3339-date"), language("iso-date"), language("iso-ordinal-date"));
    for year in (0..=400).chain([1900, 2000, 2023, 2024, 9999]) {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        for month in 0..=13 {
            let days = match month {
                2 if leap => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                1..=12 => 31,
                _ => 0,
            };
            for day in 0..=32 {
                let is_day = (1..=days).contains(&day);
                let text = format!("{year:04}-{month:02}-{day:02}");
                assert_eq!(date.accepts(&text), is_day, "{text}");
                assert_eq!(iso.accepts(&text), is_day, "{text}");
                let basic = text.replace('-', "");
                assert_eq!(iso.accepts(&basic), is_day, "{basic}");
            }
        }
        for day in 0..=367 {
            let is_day = day > 0 && day <= if leap { 366 } else { 365 };
            assert_eq!(ordinal.accepts(&format!("{year:04}-{day:03}")), is_day, "{year} {day}");
        }
    }
}

/// Phrases of a table, and what they mean.
fn phrases(table: &str) -> Vec<(String, String)> {
    let data = Data::read("phrases.toml");
    let (_, phrases) = data.entries().find(|&(name, _)| name == table).unwrap();
    let named = |(phrase, name): (&str, &toml_edit::Item)| {
        (phrase.to_owned(), name.as_str().unwrap().to_owned())
    };
    phrases.iter().map(named).collect()
}

/// How many phrases have what they mean first; those that have not are printed.
fn right(phrases: &[(String, String)]) -> usize {
    let known = Known::shipped();
    let (mut right, mut least) = (0, f64::INFINITY);
    for (phrase, expected) in phrases {
        let found = known.suggest(phrase);
        if found.first().is_some_and(|first| first.structure.name() == expected) {
            right += 1;
            least = least.min(found[0].score);
            continue;
        }
        let names: Vec<String> = found
            .iter()
            .take(3)
            .map(|found| format!("{} {:.2}", found.structure.name(), found.score))
            .collect();
        println!("{phrase}: {expected}, but {}", names.join(", "));
    }
    println!("{right} of {} are right first, with scores from {least:.2}", phrases.len());
    right
}

#[test]
fn phrases_are_understood() {
    let phrases = phrases("phrases");
    assert_eq!(phrases.len(), 60);
    assert!(right(&phrases) >= 55);
}

#[test]
fn short_phrases_are_understood() {
    let phrases = phrases("short");
    assert_eq!(phrases.len(), 22);
    assert!(right(&phrases) >= 17);
}

/// Neither do the phrases repeat the descriptions.
#[test]
fn phrases_are_worded_otherwise() {
    let known = Known::shipped();
    let words = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase();
        lower.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect()
    };
    for (phrase, name) in phrases("phrases") {
        let description = words(known.find(&name).unwrap().description()).join(" ");
        for six in words(&phrase).windows(6) {
            let six = six.join(" ");
            assert!(!description.contains(&six), "{name}: {six}");
        }
    }
}

#[test]
fn others_reach_nothing() {
    let data = Data::read("phrases.toml");
    let (_, others) = data.entries().find(|&(name, _)| name == "others").unwrap();
    for phrase in strings(others, "phrases") {
        let found = Known::shipped()
            .suggest(&phrase)
            .first()
            .map(|found| format!("{} {:.3}", found.structure.name(), found.score));
        assert_eq!(found, None, "{phrase}");
    }
}
