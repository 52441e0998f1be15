//! Prints the table of grammars/README.md: what each grammar holds, and what judged it.
//!
//! `cargo run --release -p pleach-oracles [GRAMMAR...]`

use pleach::kpath::WalkCounts;
use pleach_oracles::{Acceptance, Corpus, SUBJECTS, Subject, table};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "| grammar | rules | alternatives | occurrences | k = 1 | 2 | 3 | 4 \
         | corpus | files | bytes | seconds | judged by | accepted |"
    );
    println!(
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: \
         | --- | ---: | ---: | ---: | --- | ---: |"
    );
    for subject in SUBJECTS {
        if wanted.is_empty() || wanted.iter().any(|name| name == subject.grammar) {
            println!("{}", row(subject));
        }
    }
}

fn row(subject: &Subject) -> String {
    let table = table(subject.grammar);
    let walks = WalkCounts::new(&table, 4);
    let counts: Vec<String> = (1..=4).map(|k| walks.exact(k).to_string()).collect();
    let Corpus { files, bytes, time } = Corpus::produce(&table, subject.k, |_| ());
    let acceptance = Acceptance::of(subject);
    let refused = acceptance.refused + acceptance.exceptions();
    let judgements = acceptance.judgements(subject);
    let oracles: Vec<String> = (subject.oracles.iter())
        .map(|oracle| match acceptance.not_asked.get(oracle.name) {
            Some(sentences) => format!("{} (not asked: {sentences})", oracle.name),
            None => oracle.name.to_owned(),
        })
        .collect();
    format!(
        "| `{}` | {} | {} | {} | {} | k <= {} | {files} | {bytes} | {:.3} | {} | {:.2} % of {judgements} |",
        subject.grammar,
        table.named_rule_count(),
        table.written_alternative_count(),
        table.occurrence_count(),
        counts.join(" | "),
        subject.k,
        time.as_secs_f64(),
        oracles.join(", "),
        100.0 * (judgements - refused) as f64 / judgements as f64,
    )
}
