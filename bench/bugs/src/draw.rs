//! `pleach-bugs draw`: in which order the candidates of `pool.tsv` are tried, which rows are not for tuning, and
//! which of the deep ones have long runs.
//!
//! All go by a hash of the seed and the name, so that a candidate or a row that is added changes the order
//! of no others.

use std::collections::BTreeSet;
use std::process::ExitCode;

use crate::row::{Row, package};

/// The seed of all draws: the number of the issue that asked for the benchmark, chosen before any row was.
const SEED: u64 = 23;

/// How many of the deep rows have long runs too.
const DEEP: usize = 10;

/// A candidate: a line of `pool.tsv`.
struct Candidate {
    subject: String,
    version: String,
    source: String,
    /// The row that it became, why it became none, or nothing where it was not tried.
    fate: String,
}

/// Prints the candidates with their places in the draw, and how far the draw was followed.
pub fn print() -> Result<ExitCode, String> {
    let candidates = candidates()?;
    for (at, Candidate { subject, version, source, fate }) in candidates.iter().enumerate() {
        let fate = if fate.is_empty() { "not tried" } else { fate };
        println!("{}. {subject} {version}, {source}: {fate}", at + 1);
    }
    println!("{}", followed(&candidates));
    Ok(ExitCode::SUCCESS)
}

/// The names of the rows that were drawn in turn: all before them in the draw were tried.
///
/// # Errors
///
/// Where the candidates cannot be read.
pub fn in_turn() -> Result<BTreeSet<String>, String> {
    let candidates = candidates()?.into_iter().map(|candidate| candidate.fate);
    Ok(candidates
        .take_while(|fate| !fate.is_empty())
        .filter(|fate| !fate.starts_with("out: "))
        .collect())
}

/// How far the candidates were tried in their order, and how many further down were tried before their turn.
fn followed(candidates: &[Candidate]) -> String {
    let is_tried = |candidate: &&Candidate| !candidate.fate.is_empty();
    let in_order = candidates.iter().take_while(is_tried).count();
    let counts = |candidates: &[Candidate]| {
        let tried = candidates.iter().filter(is_tried);
        let rows = tried.clone().filter(|candidate| !candidate.fate.starts_with("out: ")).count();
        (tried.count(), rows)
    };
    let (first, rest) = candidates.split_at(in_order);
    let ((_, rows), (early, early_rows)) = (counts(first), counts(rest));
    format!(
        "Of {} candidates the first {in_order} were tried, and {rows} became rows; {early} of the {} after them were \
         tried before their turn, and {early_rows} became rows.",
        candidates.len(),
        rest.len()
    )
}

/// The candidates in the order of the draw.
fn candidates() -> Result<Vec<Candidate>, String> {
    let path = package().join("pool.tsv");
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut candidates = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut fields = line.split('\t').map(str::to_owned);
        let (Some(subject), Some(version), Some(source)) =
            (fields.next(), fields.next(), fields.next())
        else {
            return Err(format!(
                "{}:{}: crate, version and source are wanted",
                path.display(),
                at + 1
            ));
        };
        let fate = fields.next().unwrap_or_default();
        candidates.push(Candidate { subject, version, source, fate });
    }
    candidates.sort_by_key(|candidate| drawn(&candidate.source));
    Ok(candidates)
}

/// The names of the deep rows that are drawn for long runs. The draw is another one than that of the rows that
/// are not for tuning, so there are some of either sort.
pub fn deep(rows: &[Row]) -> BTreeSet<String> {
    let mut deep: Vec<&Row> = rows.iter().filter(|row| row.facts.deep).collect();
    deep.sort_by_key(|row| drawn(&format!("deep {}", row.name)));
    deep.iter().take(DEEP).map(|row| row.name.clone()).collect()
}

/// A name's place in a draw: FNV-1a of the seed and the name, then the mixing of SplitMix64, so that names
/// that differ in their last letter are far apart.
fn drawn(name: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in format!("{SEED} {name}").bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Method, NAUTILUS, QUICK};
    use crate::row::{Kind, rows};

    /// The rows that the benchmark began with: for tuning, and not drawn.
    const NAMED: [&str; 7] = [
        "chrono-rfc2822",
        "cron",
        "csscolorparser",
        "hjson-comment",
        "hjson-number",
        "sqlformat",
        "tinytemplate",
    ];

    #[test]
    fn half_of_the_rows_that_were_drawn_are_not_for_tuning() {
        let rows = rows(&[]).unwrap();
        let mut drawn: Vec<_> =
            rows.iter().filter(|row| !NAMED.contains(&row.name.as_str())).collect();
        drawn.sort_by_key(|row| super::drawn(&row.name));
        let kept = rows.len() / 2;
        for (at, row) in drawn.iter().enumerate() {
            assert_eq!(
                row.facts.tuning,
                at >= kept,
                "{}: `tuning` is as the draw has it",
                row.name
            );
        }
        assert!(rows.iter().all(|row| row.facts.tuning || !NAMED.contains(&row.name.as_str())));
    }

    #[test]
    fn every_row_is_drawn_named_or_planted_and_every_fate_is_a_row_or_a_reason() {
        let rows = rows(&[]).unwrap();
        let candidates = candidates().unwrap();
        let names: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        let fates: BTreeSet<&str> = candidates.iter().map(|one| one.fate.as_str()).collect();
        for row in &rows {
            let name = row.name.as_str();
            let is_drawn = fates.contains(name);
            let is_named = NAMED.contains(&name);
            assert_eq!(
                u8::from(is_drawn) + u8::from(is_named) + u8::from(row.is_planted()),
                1,
                "{name}"
            );
        }
        for Candidate { source, fate, .. } in &candidates {
            let is_told =
                fate.is_empty() || fate.starts_with("out: ") || names.contains(fate.as_str());
            assert!(is_told, "{source}: {fate}");
        }
    }

    #[test]
    fn the_readme_says_how_far_the_draw_was_followed() {
        let candidates = candidates().unwrap();
        let readme = std::fs::read_to_string(package().join("README.md")).unwrap();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let followed = followed(&candidates);
        assert!(words(&readme).contains(&words(&followed)), "the README does not say: {followed}");
    }

    #[test]
    fn rows_are_whole_and_ask_for_the_version_that_they_name() {
        for row in rows(&[]).unwrap() {
            let folder = row.folder().display().to_string();
            let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
            if row.facts.subject != "none" {
                let locked = format!(
                    "name = \"{}\"\nversion = \"{}\"",
                    row.facts.subject, row.facts.version
                );
                assert!(read("Cargo.lock").contains(&locked), "{folder}");
                assert!(
                    read("Cargo.toml").contains(&format!("={}\"", row.facts.version)),
                    "{folder}"
                );
            }
            assert!(row.witness().exists(), "{folder}");
            assert!(row.facts.place.contains(".rs:"), "{folder}: {}", row.facts.place);
            assert!(row.seeds().is_ok(), "{folder}");
            assert!(row.grammar().is_none_or(|grammar| grammar.exists()), "{folder}");
            let is_traced = !matches!(row.facts.kind, Kind::Stack | Kind::Hang);
            assert!(is_traced || !row.facts.deep, "{folder}: `deep` is counted in a trace");
        }
    }

    #[test]
    fn there_are_rows_enough_of_each_sort() {
        let rows = rows(&[]).unwrap();
        let known =
            |is: fn(&&Row) -> bool| rows.iter().filter(|row| !row.is_planted()).filter(is).count();
        assert!(known(|_| true) >= 40);
        assert!(known(|row| row.facts.deep) >= 10);
        assert!(known(|row| row.grammar().is_some()) >= 25);
        assert!(known(|row| row.grammar().is_none()) >= 5);
        assert_eq!(rows.iter().filter(|row| row.is_planted()).count(), 10);
    }

    #[test]
    fn ten_deep_rows_are_drawn_for_long_runs_some_of_either_sort() {
        let rows = rows(&[]).unwrap();
        let names = deep(&rows);
        let of = |tuning: bool| {
            let drawn = rows.iter().filter(|row| names.contains(&row.name));
            drawn.filter(|row| row.facts.deep && row.facts.tuning == tuning).count()
        };
        assert_eq!(of(true) + of(false), 10, "{names:?}");
        assert!(of(true) >= 3 && of(false) >= 3, "{names:?}");
    }

    #[test]
    fn the_rows_that_methods_name_are_there() {
        let names =
            |names: &[&str]| rows(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(names(&QUICK).unwrap().len(), 3);
        for row in names(&NAUTILUS).unwrap() {
            assert!(Method::Nautilus.runs(&row) && Method::Pleach.runs(&row), "{}", row.name);
            assert!(!row.facts.bytes && row.facts.kind != Kind::Stack, "{}", row.name);
        }
    }
}
