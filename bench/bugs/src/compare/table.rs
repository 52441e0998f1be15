//! What the records come to, as Markdown and as a page.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{Arm, Record, SUBJECTS};
use crate::lifting::{Lifting, share};
use crate::page::{Curve, draw, head};

/// The arms with units.
const UNITS: [Arm; 3] = [Arm::Concolic, Arm::Fuzz, Arm::Native];

/// The runs of a subject by an arm.
fn runs<'r>(records: &'r [Record], subject: &str, arm: Arm) -> Vec<&'r Record> {
    records.iter().filter(|it| it.subject == subject && it.arm == arm).collect()
}

/// The run in the middle by its edges; of an even number, the later one.
fn median(mut runs: Vec<&Record>) -> Option<&Record> {
    runs.sort_by_key(|run| run.edges.len());
    runs.get(runs.len() / 2).copied()
}

/// The median of the edges that an arm takes of a subject.
fn edges(records: &[Record], subject: &str, arm: Arm) -> Option<usize> {
    median(runs(records, subject, arm)).map(|run| run.edges.len())
}

/// Edges that any run of a subject takes.
fn union(records: &[Record], subject: &str) -> usize {
    let of = records.iter().filter(|it| it.subject == subject);
    of.flat_map(|run| &run.edges).collect::<BTreeSet<_>>().len()
}

/// After how many seconds one run has more edges than another one for good; nothing if that has as many in the end.
fn passes(run: &Record, other: &Record) -> Option<f64> {
    let at = |curve: &[(f64, u64)], time: f64| {
        curve[..curve.partition_point(|&(at, _)| at <= time)].last().map_or(0, |it| it.1)
    };
    let mut times: Vec<f64> = run.curve.iter().chain(&other.curve).map(|it| it.0).collect();
    times.sort_by(f64::total_cmp);
    let ahead = |time: &f64| at(&run.curve, *time) > at(&other.curve, *time);
    let since = times.iter().rev().take_while(|time| ahead(time)).last();
    since.copied()
}

/// The same of the runs in the middle.
fn passed(records: &[Record], subject: &str, other: Arm) -> Option<f64> {
    let [run, other] = [Arm::Concolic, other].map(|arm| median(runs(records, subject, arm)));
    passes(run?, other?)
}

/// How many times as many, as far as both were run.
fn ratio(some: Option<usize>, others: Option<usize>) -> Option<f64> {
    Some(some? as f64 / others.filter(|&it| it > 0)? as f64)
}

fn shown(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "–".into(), |number| number.to_string())
}

/// The tables.
pub fn markdown(records: &[Record], seconds: u64) -> String {
    let made: BTreeSet<&str> = records.iter().map(|it| it.made.as_str()).collect();
    let seeds = records.iter().map(|it| it.seed).collect::<BTreeSet<_>>().len();
    let mut out = format!(
        "# {seconds} s of CPU time a run\n\n{}. Seeds: {seeds}; medians where there are several.\n\n",
        made.into_iter().collect::<Vec<_>>().join("; ")
    );
    out += "Edges in the subject's own crates, and the bridge with each tester of units beside Radamsa and pleach alone:\n\n\
            | subject | Radamsa | pleach | bridge, concolic | bridge, fuzzer | bridge, native | all together | concolic by Radamsa, by pleach | \
            fuzzer by Radamsa, by pleach | native by Radamsa, by pleach | concolic of all | concolic passes Radamsa, pleach, after seconds |\n\
            | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- | --- | ---: | --- |\n";
    let (mut beside_radamsa, mut asked, mut above, mut below, mut both) = (0, 0, 0, 0, 0);
    for of in &SUBJECTS {
        let [radamsa, pleach, concolic, fuzz, native] =
            Arm::ALL.map(|arm| edges(records, of.name, arm));
        let all = union(records, of.name);
        if all == 0 {
            continue;
        }
        let times = |bridge, other| shown(ratio(bridge, other).map(|it| format!("{it:.2}")));
        let after = |other| shown(passed(records, of.name, other).map(|it| format!("{it:.1}")));
        let part = ratio(concolic, Some(all));
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {all} | {}, {} | {}, {} | {}, {} | {} | {}, {} |",
            of.name,
            shown(radamsa),
            shown(pleach),
            shown(concolic),
            shown(fuzz),
            shown(native),
            times(concolic, radamsa),
            times(concolic, pleach),
            times(fuzz, radamsa),
            times(fuzz, pleach),
            times(native, radamsa),
            times(native, pleach),
            shown(part.map(|it| format!("{:.0} %", 100.0 * it))),
            after(Arm::Radamsa),
            after(Arm::Pleach)
        );
        if let (Some(times), Some(part)) = (ratio(concolic, radamsa), part) {
            beside_radamsa += 1;
            asked += u32::from(times >= 1.2 || part >= 0.95);
        }
        if let Some(times) = ratio(concolic, pleach) {
            both += 1;
            above += u32::from(times >= 1.05);
            below += u32::from(times < 0.95);
        }
    }
    let mut said = Vec::new();
    if beside_radamsa > 0 {
        said.push(format!(
            "at least 1.2 times Radamsa, or 95 % of all together, on {asked} of {beside_radamsa}"
        ));
    }
    if both > 0 {
        said.push(format!(
            "at least 1.05 times pleach alone on {above} of {both}, below 0.95 times on {below}"
        ));
    }
    if !said.is_empty() {
        let _ = writeln!(out, "\nWith the concolic engine: {}.", said.join("; "));
    }
    out += "\nWhat was lifted, effective if it took a new edge of the program or failed:\n\n\
            | units | lifted with the prefix, effective | from the unit alone, effective | call not reached | with the new values | \
            with the old ones | with others | edges first taken by what was lifted, of all in the machine |\n\
            | --- | --- | --- | ---: | ---: | ---: | ---: | --- |\n";
    for arm in UNITS {
        let mut sum = Lifting::default();
        let of = records.iter().filter(|it| it.arm == arm);
        if of.clone().next().is_none() {
            continue;
        }
        of.filter_map(|it| it.lifting.as_ref()).for_each(|it| sum.add(it));
        let [never, new, old, another] = sum.outcomes;
        let _ = writeln!(
            out,
            "| {arm} | {} | {} | {never} | {new} | {old} | {another} | {} of {} |",
            share(sum.prefix),
            share(sum.alone),
            sum.edges_lifted,
            sum.edges
        );
    }
    out += "\nWhat the bridge did with each subject, sums of all seeds:\n\n\
            | subject | units | processes | runs of units | lifted with the prefix, effective | from the unit alone, effective |\n\
            | --- | --- | ---: | ---: | --- | --- |\n";
    for of in &SUBJECTS {
        for arm in UNITS {
            let runs = runs(records, of.name, arm);
            let mut sum = Lifting::default();
            runs.iter().filter_map(|it| it.lifting.as_ref()).for_each(|it| sum.add(it));
            if runs.is_empty() {
                continue;
            }
            let _ = writeln!(
                out,
                "| {} | {arm} | {} | {} | {} | {} |",
                of.name,
                runs.iter().map(|it| it.processes).sum::<u64>(),
                sum.unit_runs,
                share(sum.prefix),
                share(sum.alone)
            );
        }
    }
    out
}

/// The page: of each subject, edges over time for each arm, the run in the middle.
pub fn page(records: &[Record], seconds: u64) -> String {
    let said = format!(
        "{seconds} s of CPU time a run; edges in the subject's own crates, of the run in the middle by its edges."
    );
    let mut out = head("Edges over time", &said);
    for of in &SUBJECTS {
        let curves: Vec<Curve> = Arm::ALL
            .into_iter()
            .filter_map(|arm| {
                let run = median(runs(records, of.name, arm))?;
                let points = run.curve.iter().map(|&(time, edges)| (time, edges as f64)).collect();
                Some(Curve { name: format!("{arm}: {}", run.edges.len()), points })
            })
            .collect();
        if !curves.is_empty() {
            let _ = writeln!(out, "<h2>{}</h2>", of.name);
            draw(&curves, union(records, of.name) as f64, seconds as f64, &mut out);
        }
    }
    out.push_str("</html>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(arm: Arm, edges: u32, lifting: Option<Lifting>) -> Record {
        Record {
            subject: "dc".into(),
            arm,
            seed: 1,
            seconds: 10,
            made: "there".into(),
            stamp: String::new(),
            processes: 7,
            killed: Default::default(),
            counters: 200,
            edges: (0..edges).collect(),
            curve: vec![(0.5, u64::from(edges))],
            lifting,
        }
    }

    #[test]
    fn arms_stand_beside_each_other_and_what_was_not_run_is_left_open() {
        let lifting = Lifting { prefix: (4, 1), outcomes: [1, 2, 3, 4], ..Lifting::default() };
        let records = [
            record(Arm::Radamsa, 100, None),
            record(Arm::Pleach, 125, None),
            record(Arm::Concolic, 150, Some(lifting)),
        ];
        let tables = markdown(&records, 10);
        assert!(
            tables.contains(
                "| dc | 100 | 125 | 150 | – | – | 150 | 1.50, 1.20 | –, – | –, – | 100 % | 0.5, 0.5 |"
            ),
            "{tables}"
        );
        assert!(
            tables.contains(
                "on 1 of 1; at least 1.05 times pleach alone on 1 of 1, below 0.95 times on 0."
            ),
            "{tables}"
        );
        assert!(
            tables.contains("| bridge, concolic | 4, 1 (25.0 %) | 0 | 1 | 2 | 3 | 4 |"),
            "{tables}"
        );
        let page = page(&records, 10);
        assert!(
            page.contains("<h2>dc</h2>") && page.contains("Radamsa: 100") && !page.contains("cut"),
            "{page}"
        );
    }

    #[test]
    fn a_run_passes_another_one_when_it_stays_ahead() {
        let run =
            |curve: &[(f64, u64)]| Record { curve: curve.to_vec(), ..record(Arm::Pleach, 0, None) };
        let slow = run(&[(0.1, 5), (3.0, 20), (9.0, 30)]);
        let quick = run(&[(0.2, 10), (5.0, 25)]);
        assert_eq!(passes(&quick, &quick), None);
        assert_eq!((passes(&slow, &quick), passes(&quick, &slow)), (Some(9.0), None));
        assert_eq!(passes(&run(&[(0.2, 10), (2.0, 31)]), &slow), Some(0.2));
        assert_eq!(passes(&run(&[(0.2, 10), (4.0, 31)]), &slow), Some(4.0));
        assert_eq!(passes(&slow, &run(&[])), Some(0.1));
    }

    #[test]
    fn a_subject_owns_its_sources_of_any_version_and_no_others() {
        let dc = SUBJECTS.iter().find(|of| of.name == "dc").unwrap();
        assert!(dc.owns("/r/dc-ock-2.0.1/src/lib.rs"));
        assert!(!dc.owns("/r/dc-ock-more-2.0.1/src/lib.rs"));
        assert!(!dc.owns("/r/subjects/src/bin/dc.rs"));
        let toml = SUBJECTS.iter().find(|of| of.name == "toml").unwrap();
        assert!(toml.owns("/r/toml_edit-0.25.18+spec-1.1.0/src/lib.rs"));
    }
}
