//! A grammar's row in the table of `grammars/README.md`.

use pleach::kpath::WalkCounts;

use crate::acceptance::{Acceptance, Corpus};
use crate::grammars;
use crate::oracle::Subject;

/// The head of the table.
pub const HEAD: &str = "\
| grammar | standard | rules | alternatives | occurrences | k = 1 | 2 | 3 | 4 | corpus | files | bytes \
| seconds | judged by | accepted |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- | ---: |";

/// A grammar's row, with what judging it gave. The seconds are those of producing the corpus; all
/// else is the same on every machine.
pub fn row(subject: &Subject, acceptance: &Acceptance) -> String {
    let table = grammars::table(subject.grammar);
    let walks = WalkCounts::new(&table, 4);
    let counts: Vec<String> = (1..=4).map(|k| walks.exact(k).to_string()).collect();
    let Corpus { files, bytes, time } = acceptance.corpus;
    let oracles: Vec<String> = (subject.oracles.iter())
        .map(|oracle| match acceptance.not_asked.get(oracle.name) {
            Some(sentences) => format!("{} (not asked: {sentences})", oracle.name),
            None => oracle.name.to_owned(),
        })
        .collect();
    let judgements = acceptance.judgements(subject);
    let accepted = judgements - acceptance.refused - acceptance.exceptions();
    format!(
        "| `{}` | {} | {} | {} | {} | {} | k <= {} | {files} | {bytes} | {:.4} | {} | {:.2} % of {judgements} |",
        subject.grammar,
        subject.standard,
        table.produced_rules().count(),
        table.written_alternative_count(),
        table.occurrence_count(),
        counts.join(" | "),
        subject.k,
        time.as_secs_f64(),
        oracles.join(", "),
        100.0 * accepted as f64 / judgements as f64,
    )
}

/// A row without its seconds, the only cell that differs from run to run.
#[cfg(test)]
pub(crate) fn timeless(row: &str) -> Vec<&str> {
    row.split(" | ").enumerate().filter(|&(cell, _)| cell != 12).map(|(_, text)| text).collect()
}
