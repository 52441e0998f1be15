//! What every subject must stand up to: the tests' body.

use crate::oracle::{Beyond, Oracle, Reader, Subject};
use crate::row::timeless;
use crate::{Acceptance, SUBJECTS, row, texts};

/// Of a grammar's sentences, at most one in so many may be excused.
const EXCUSED: u64 = 100;

pub fn check(subject: &Subject) {
    let name = subject.grammar;
    for oracle in subject.oracles {
        samples(oracle);
    }
    texts::check(subject);
    let acceptance = Acceptance::of(subject);
    println!(
        "{name}: {:?}, {} sentences, not asked {:?}, excused {:?}",
        acceptance.corpus, acceptance.sentences, acceptance.not_asked, acceptance.excused
    );
    assert!(
        acceptance.refused == 0,
        "{name}: {} refused, among them\n{}",
        acceptance.refused,
        acceptance.refusals.join("\n")
    );
    assert!(acceptance.never_accepted.is_empty(), "{:?}", acceptance.never_accepted);
    assert!(
        acceptance.exceptions() * EXCUSED < acceptance.sentences,
        "{name}: {} of {} excused",
        acceptance.exceptions(),
        acceptance.sentences
    );
    let row = row(subject, &acceptance);
    assert!(is_in_table(&row), "write into grammars/README.md:\n{row}");
}

/// Whether the table of `grammars/README.md` says of a grammar what was measured.
fn is_in_table(row: &str) -> bool {
    let readme = std::fs::read_to_string(crate::folder().join("README.md"));
    let readme = readme.expect("the grammars have a README");
    readme.lines().any(|line| timeless(line) == timeless(row))
}

/// The oracle's own samples, where it reads text.
fn samples(oracle: &Oracle) {
    let (read, beyond) = match oracle.read {
        Reader::Text(read) | Reader::Rewritten(_, read) => (read, &[][..]),
        Reader::Part(read, beyond) => (read, beyond),
        Reader::Tree(_) => return,
    };
    let excuse =
        |text: &str| oracle.clauses.iter().find(|clause| (clause.applies)(text.as_bytes()));
    let name = oracle.name;
    assert!(!oracle.accepted.is_empty() && !oracle.refused.is_empty(), "{name} has no samples");
    for text in oracle.accepted {
        assert_eq!(read(text.as_bytes()), Ok(()), "{name}: {text:?}");
        let clause = excuse(text).map(|clause| clause.name);
        assert_eq!(clause, None, "{name}: excuses {text:?}");
    }
    for text in oracle.refused {
        assert!(read(text.as_bytes()).is_err(), "{name} accepts {text:?}");
        let clause = excuse(text).map(|clause| clause.name);
        assert_eq!(clause, None, "{name}: excuses {text:?}");
    }
    for Beyond { rule, reason, witness } in beyond {
        assert!(read(witness.as_bytes()).is_err(), "{name} reads {witness:?}: ask about {rule}");
        assert!(excuse(witness).is_none(), "{name}: excuses {witness:?}");
        assert!(!reason.is_empty(), "{name}: {rule}");
    }
    for clause in oracle.clauses {
        let text = clause.witness;
        assert!(read(text.as_bytes()).is_err(), "{name} reads {text:?}: drop the clause");
        assert!((clause.applies)(text.as_bytes()), "{name}: {}: {text:?}", clause.name);
    }
}

#[test]
fn subjects_stand_in_order() {
    assert!(SUBJECTS.is_sorted_by_key(|subject| subject.grammar));
}

/// A grammar without a subject would go unjudged.
#[test]
fn every_grammar_has_a_subject() {
    for entry in std::fs::read_dir(crate::folder()).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        if path.extension().is_some_and(|extension| extension == "pleach") {
            let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
            assert!(SUBJECTS.iter().any(|subject| subject.grammar == name), "{name}");
        }
    }
}
