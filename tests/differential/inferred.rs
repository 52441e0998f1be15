//! What is inferred from source: small functions for each construct, the validators, the cases.

use std::collections::BTreeSet;

use pleach::differential::infer::{Infer, Inference};
use pleach::differential::to_regex;
use pleach::regular::{Alphabet, Dfa, Limits};

use crate::cases::Case;
use crate::data::{Data, string, strings};
use crate::validators::{Edits, WRITTEN};

fn infer(name: &str, source: &str, function: &str) -> Inference {
    let files = [(name.to_owned(), source.to_owned())];
    Infer::new().run(&files, function, None).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn dfa(pattern: &str) -> Dfa {
    Dfa::from_regex(pattern, Alphabet::Unicode, &Limits::default())
        .unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

fn shown(language: &Dfa) -> String {
    to_regex(language, 2_000).unwrap_or_else(|error| error.to_string())
}

/// A shortest string on which two languages differ, for messages.
fn witness(a: &Dfa, b: &Dfa) -> String {
    let difference = a.symmetric_difference(b, &Limits::default()).unwrap();
    let symbols = difference.shortest().unwrap_or_default();
    symbols.into_iter().filter_map(char::from_u32).collect()
}

#[test]
fn validators_are_inferred() {
    let data = Data::read("validators.toml");
    let mut exact = 0;
    let mut faults = Vec::new();
    for (name, entry) in data.entries() {
        let file = string(entry, "file");
        let path = format!("tests/data/differential/validators/{file}");
        let source = std::fs::read_to_string(path).unwrap();
        let files = [(file.to_owned(), source)];
        let before = std::time::Instant::now();
        let inference = match Infer::new().run(&files, string(entry, "function"), None) {
            Ok(inference) => inference,
            Err(error) => {
                faults.push(format!("{name}: {error}"));
                continue;
            }
        };
        eprintln!("{name}: {} ms, exact {}", before.elapsed().as_millis(), inference.exact);
        for imprecision in &inference.imprecisions {
            eprintln!("    {imprecision}");
        }
        let language = dfa(&data.spell(string(entry, "language")));
        if inference.exact {
            exact += 1;
            if !inference.language.equivalent(&language) {
                let text = witness(&inference.language, &language);
                faults.push(format!("{name}: differs on {text:?}: {}", shown(&inference.language)));
            }
        } else {
            assert!(!inference.imprecisions.is_empty(), "{name}");
            let missing = language.difference(&inference.language, &Limits::default()).unwrap();
            if !missing.is_empty() {
                faults.push(format!("{name}: lacks {:?}", missing.shortest().unwrap()
                    .into_iter().filter_map(char::from_u32).collect::<String>()));
            }
        }
    }
    eprintln!("exact {exact} of {}", WRITTEN.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(exact >= 20, "only {exact} are exact");
}

#[test]
fn cases_are_inferred() {
    let mut agreeing = 0;
    let mut faults = Vec::new();
    for case in Case::all() {
        let file = case.file.clone();
        let source = std::fs::read_to_string(&file).unwrap();
        let before = std::time::Instant::now();
        let inference = match Infer::new().run(&[(file, source)], &case.function, None) {
            Ok(inference) => inference,
            Err(error) => {
                faults.push(format!("{}: {error}", case.name));
                continue;
            }
        };
        let time = before.elapsed().as_millis();
        let mut texts = BTreeSet::new();
        let specification: Vec<String> = case.ordinary.iter().cloned().chain([case.exposed_by.clone()]).collect();
        let mut edits = Edits::new(7);
        texts.extend(specification.iter().cloned());
        while texts.len() < 10_000 {
            texts.insert(edits.edit(&specification));
        }
        let mut agree = 0;
        let mut example = None;
        for text in &texts {
            let accepts = case.run(text).accepted;
            let inferred = inference.language.contains_bytes(text.as_bytes());
            assert!(!accepts || inferred, "{}: lacks {text:?}", case.name);
            if accepts == inferred {
                agree += 1;
            } else {
                example.get_or_insert(text.clone());
            }
        }
        eprintln!(
            "{}: {time} ms, exact {}, agrees on {agree} of {} {example:?}",
            case.name,
            inference.exact,
            texts.len()
        );
        for imprecision in &inference.imprecisions {
            eprintln!("    {imprecision}");
        }
        assert!(!inference.exact || agree == texts.len(), "{}: {example:?}", case.name);
        agreeing += usize::from(agree * 100 >= texts.len() * 95);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(agreeing >= 13, "{agreeing}");
}
