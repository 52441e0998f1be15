//! `pleach-bugs draw`: in which order the candidates of `pool.tsv` are tried, and which rows are not for
//! tuning.
//!
//! Both go by a hash of the seed and the name, so that a candidate or a row that is added changes the order
//! of no others.

use std::process::ExitCode;

use crate::row::package;

/// The seed of both draws: the number of the issue that asked for the benchmark, chosen before any row was.
const SEED: u64 = 23;

/// A candidate: a line of `pool.tsv`.
struct Candidate {
    subject: String,
    version: String,
    source: String,
    /// The row that it became, why it became none, or nothing where it was not tried.
    fate: String,
}

/// Prints the candidates and the rows in the order of the draws.
pub fn print() -> Result<ExitCode, String> {
    for Candidate { subject, version, source, fate } in candidates()? {
        println!(
            "{subject} {version}, {source}: {}",
            if fate.is_empty() { "not tried" } else { &fate }
        );
    }
    Ok(ExitCode::SUCCESS)
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
    use std::collections::BTreeSet;

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
