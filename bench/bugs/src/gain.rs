//! What a user of libFuzzer gains by pleach, and where nothing: the table and the chart of the repository's README.

use std::fmt::Write as _;

use crate::page;
use crate::plan::Method;
use crate::row::Row;
use crate::table::{Cell, Cells};

/// The two that are compared.
const METHODS: [Method; 2] = [Method::LibFuzzer, Method::Pleach];

/// How many times sooner is sooner: seeds of one fuzzer differ by as much.
const SOONER: f64 = 2.0;

/// The least time that counts, in seconds: what the system counts in.
const TICK: f64 = 0.01;

/// What stands around the table in the README.
pub const MARKS: [&str; 2] = ["<!-- bugs -->\n", "<!-- /bugs -->\n"];

/// The two side by side, on some rows that both run.
struct Gain<'r> {
    pairs: Vec<(&'r str, [&'r Cell; 2])>,
    limit: f64,
}

impl<'r> Gain<'r> {
    fn new(rows: &[&'r Row], cells: &'r Cells, seconds: u64) -> Self {
        let pair = |row: &&'r Row| {
            let cell = |method| cells.get(&(row.name.clone(), method));
            Some((&*row.name, [cell(METHODS[0])?, cell(METHODS[1])?]))
        };
        Self { pairs: rows.iter().filter_map(pair).collect(), limit: seconds as f64 }
    }

    /// How many faults each finds in so much time, where at least two of three runs do.
    fn found(&self, within: f64) -> [usize; 2] {
        [0, 1].map(|at| {
            let cells = self.pairs.iter().map(|(_, pair)| pair[at]);
            let is_found = |cell: &&Cell| {
                cell.is_found() && cell.median().is_some_and(|median| median <= within)
            };
            cells.filter(is_found).count()
        })
    }

    /// How many faults both find within a second, and how many of these the first finds sooner.
    fn quick(&self) -> (usize, usize) {
        let median = |cell: &Cell| cell.median().filter(|&median| cell.is_found() && median <= 1.0);
        let both = self.pairs.iter().filter_map(|(_, [a, b])| Some((median(a)?, median(b)?)));
        let both: Vec<(f64, f64)> = both.collect();
        (both.len(), both.iter().filter(|(a, b)| a < b).count())
    }

    /// The rows whose fault only one of the two finds.
    fn alone(&self) -> [Vec<&'r str>; 2] {
        [0, 1].map(|at| {
            let is_alone =
                |(_, pair): &&(_, [&Cell; 2])| pair[at].is_found() && !pair[1 - at].is_found();
            self.pairs.iter().filter(is_alone).map(|&(row, _)| row).collect()
        })
    }

    /// The time of libFuzzer in the time with pleach, of each row that either finds, where one of them takes more than some
    /// seconds; a miss counts as the limit.
    fn ratios(&self, above: f64) -> Vec<f64> {
        let found = self.pairs.iter().filter(|(_, pair)| pair.iter().any(|cell| cell.is_found()));
        let time = |cell: &Cell| cell.median().unwrap_or(self.limit).max(TICK);
        let times = found.map(|(_, [a, b])| (time(a), time(b)));
        let mut ratios: Vec<f64> =
            times.filter(|(a, b)| a.max(*b) > above).map(|(a, b)| a / b).collect();
        ratios.sort_by(f64::total_cmp);
        ratios
    }
}

/// The table, of the rows that have a grammar.
pub fn table(rows: &[&Row], cells: &Cells, seconds: u64) -> String {
    let gain = Gain::new(rows, cells, seconds);
    let unseen: Vec<&Row> = rows.iter().copied().filter(|row| !row.facts.tuning).collect();
    let unseen = Gain::new(&unseen, cells, seconds);
    let mut out = String::from("| | libFuzzer | with pleach |\n| --- | ---: | ---: |\n");
    let mut line = |what: String, [a, b]: [String; 2]| {
        let _ = writeln!(out, "| {what} | {a} | {b} |");
    };
    let tenth = gain.limit / 10.0;
    let counts = |counts: [usize; 2]| counts.map(|count| count.to_string());
    line(format!("faults found, of {}", gain.pairs.len()), counts(gain.found(gain.limit)));
    line(format!("in the first {tenth:.0} s"), counts(gain.found(tenth)));
    line(
        format!("of the {} that nothing was tuned by", unseen.pairs.len()),
        counts(unseen.found(gain.limit)),
    );
    line(format!("of these in the first {tenth:.0} s"), counts(unseen.found(tenth)));
    let ratios = gain.ratios(0.0);
    let sooner = [
        ratios.iter().filter(|&&ratio| ratio <= 1.0 / SOONER).count(),
        ratios.iter().filter(|&&ratio| ratio >= SOONER).count(),
    ];
    line(format!("at least {SOONER} times as soon"), counts(sooner));
    let names = gain.alone().map(|names| match names.len() {
        0 => "–".into(),
        _ => names.join(", "),
    });
    line("found by this one alone".into(), names);
    let (quick, sooner) = gain.quick();
    let median = |ratios: Vec<f64>| {
        ratios.get(ratios.len() / 2).map_or_else(|| "–".into(), |median| format!("{median:.2}"))
    };
    let _ = writeln!(
        out,
        "\nBoth find {quick} faults within a second, libFuzzer alone {sooner} of these sooner. The median of the ratios of times is \
         {}, and {} on the rows that nothing was tuned by; where one of the two takes more than a second it is {} and {}.",
        median(gain.ratios(0.0)),
        median(unseen.ratios(0.0)),
        median(gain.ratios(1.0)),
        median(unseen.ratios(1.0))
    );
    out
}

/// The chart: faults found over time.
pub fn chart(rows: &[&Row], cells: &Cells, seconds: u64) -> String {
    let both: Vec<&Row> = rows.iter().copied().filter(|row| row.grammar().is_some()).collect();
    let mut out = String::new();
    page::chart(&both, &METHODS, cells, seconds as f64, &mut out);
    // Its colours show on white and on black.
    let root = r##"<svg xmlns="http://www.w3.org/2000/svg" font-family="system-ui, sans-serif" font-size="12" fill="#737b85" "##;
    out.replacen("<svg ", root, 1)
}

/// The README with a table between the marks.
///
/// # Errors
///
/// Where it has no marks.
pub fn put(readme: &str, table: &str) -> Result<String, String> {
    let parts = readme.split_once(MARKS[0]).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(MARKS[1])?;
        Some((before, after))
    });
    let (before, after) = parts.ok_or("README.md: there is no place for the table of bugs")?;
    Ok(format!("{before}{}\n{table}\n{}{after}", MARKS[0], MARKS[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{LIMITS, committed};
    use crate::row::{root, rows};
    use crate::table::cells;

    #[test]
    fn the_readme_has_the_table_and_the_chart_of_the_records() {
        let seconds = LIMITS[0];
        let (rows, cells) = (rows(&[]).unwrap(), cells(&committed(seconds).unwrap()));
        let rows: Vec<&Row> = rows.iter().collect();
        let paths = ["README.md", "docs/bugs.svg"].map(|path| root().join(path));
        let [readme, _] =
            paths.each_ref().map(|path| std::fs::read_to_string(path).unwrap_or_default());
        let found =
            [put(&readme, &table(&rows, &cells, seconds)).unwrap(), chart(&rows, &cells, seconds)];
        for (path, found) in paths.iter().zip(found) {
            if std::env::var_os("PLEACH_BLESS").is_some() {
                std::fs::write(path, &found).unwrap();
            }
            assert_eq!(std::fs::read_to_string(path).unwrap(), found, "{}", path.display());
        }
    }

    #[test]
    fn a_miss_counts_as_the_limit_and_what_neither_finds_not_at_all() {
        let rows = rows(&["adsb".into(), "cron".into(), "rnix".into(), "ron".into()]).unwrap();
        let rows: Vec<&Row> = rows.iter().collect();
        let mut cells = Cells::new();
        for (row, method, hits) in [
            ("cron", Method::LibFuzzer, &[4.0, 8.0, 9.0][..]),
            ("cron", Method::Pleach, &[1.0, 2.0]),
            ("rnix", Method::LibFuzzer, &[30.0, 30.0, 40.0]),
            ("rnix", Method::Pleach, &[5.0]),
            ("ron", Method::LibFuzzer, &[]),
            ("ron", Method::Pleach, &[]),
            ("adsb", Method::LibFuzzer, &[0.0, 0.0, 0.0]),
            ("adsb", Method::Pleach, &[0.0, 0.0, 0.01]),
        ] {
            cells.insert((row.into(), method), Cell::of(hits, 3));
        }
        let gain = Gain::new(&rows, &cells, 120);
        assert_eq!(gain.ratios(0.0), [0.25, 1.0, 4.0]);
        assert_eq!(gain.ratios(8.5), [0.25]);
        assert_eq!(gain.found(12.0), [2, 2]);
        assert_eq!(gain.alone(), [vec!["rnix"], vec![]]);
        assert!(table(&rows, &cells, 120).contains("| faults found, of 4 | 3 | 2 |\n"));
    }
}
