//! One table of what is asked of pleach and what is measured here and now:
//! `cargo bench --bench figures`.
//!
//! Times are medians of several runs, and ratios medians over rounds in which contenders take
//! turns. Nothing is asserted, for a busy machine is no defect. LibAFL is left to `pleach-peers`,
//! so that this needs nothing heavy.

mod baseline;
mod support;

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::hint::black_box;

use baseline::wyrand::WyRand;
use baseline::{json64_generator, layered_generator};
use pleach::kpath::{Coverage, PathIndex, Scope, WalkCounts};
use pleach::produce::{Cover, CoverOptions, Mode};
use pleach::table::Table;
use pleach::tree::Tree;
use pleach::{Entropy, Seeded};
use support::turns::{Produce, rates, seconds, spread};
use support::{EXPR, JSON, JSON64, LAYERED, LAYERED_PLAIN, Source, URI, generated};

/// Runs of which the median is taken.
const RUNS: usize = 11;

fn main() {
    // `cargo test --all-targets` runs this unoptimized, where no figure means anything.
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("nothing to test here; `cargo bench --bench figures` prints the table");
        return;
    }
    println!("| {:<68} | {:<12} | {:<44} |", "figure", "asked", "measured");
    println!("| {0:-<68} | {0:-<12} | {0:-<44} |", "");
    // First, since the peak of memory is of the whole process so far.
    covering();
    packing();
    counting();
    building();
    tracking();
    json64("wyrand", WyRand::new);
    json64("seeded", Seeded::new);
    layered_plain("wyrand", WyRand::new);
    layered_plain("seeded", Seeded::new);
    row(
        "json64: text and with tree, to LibAFL's Nautilus",
        ">= 15",
        "by `cargo run --profile bench -p pleach-peers`".to_owned(),
    );
    distinct();
    large();
    support::reading::rows(&mut |figure, asked, measured| row(figure, asked, measured));
    support::mutants::rows(&mut |figure, asked, measured| row(figure, asked, measured));
}

/// One row of the table.
fn row(figure: &str, asked: &str, measured: String) {
    println!("| {figure:<68} | {asked:<12} | {measured:<44} |");
}

/// What covering to the end took.
struct Covered {
    goals: u64,
    total: u64,
    files: u64,
    bytes: u64,
}

/// From the table to the last tree.
fn cover(table: &Table, options: CoverOptions) -> Covered {
    let mut cover = Cover::new(table, options).expect("the grammars of the benches can be covered");
    let (mut words, mut tree) = (Seeded::new(1), Tree::new());
    let (mut files, mut bytes) = (0, 0);
    while cover.next_tree(&mut words, &mut tree) {
        files += 1;
        bytes += tree.text().len() as u64;
    }
    let summary = cover.summary();
    Covered { goals: summary.covered, total: summary.total, files, bytes }
}

/// The most memory that this process has had, in MB, where the system says.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
        .map_or("unknown".to_owned(), |kilobytes: f64| format!("{:.0} MB", kilobytes / 1e3))
}

fn covering() {
    let table = support::table(LAYERED);
    let options = CoverOptions::new(4).scope(Scope::Exact);
    let mut covered = None;
    let (_, time, _) = seconds(3, || covered = Some(cover(&table, options.clone())));
    let Covered { goals, total, .. } = covered.expect("it ran");
    row(
        "layered, exactly 4: newly covered goals a second",
        ">= 50,000",
        format!("{:.0} ({goals} of {total} in {time:.2} s)", goals as f64 / time),
    );
    row("layered, exactly 4: peak memory of the process", "< 500 MB", peak());
    let table = support::table(JSON);
    let (_, time, _) = seconds(RUNS, || cover(&table, CoverOptions::new(5)));
    let Covered { goals, total, .. } = cover(&table, CoverOptions::new(5));
    row(
        "json, up to 5: complete coverage",
        "< 0.1 s",
        format!("{time:.4} s ({goals} of {total} goals)"),
    );
}

fn packing() {
    let cases: [(Source, CoverOptions); 4] = [
        (JSON, CoverOptions::new(3)),
        (URI, CoverOptions::new(3)),
        (EXPR, CoverOptions::new(3)),
        (LAYERED, CoverOptions::new(4).scope(Scope::Exact)),
    ];
    for (source, options) in cases {
        let table = support::table(source);
        let packed = cover(&table, options.clone());
        let single = cover(&table, options.size(0));
        row(
            &format!("{}: files, packed and one goal a tree", source.0),
            "<= 0.2 times",
            ratio(packed.files, single.files),
        );
        row(
            &format!("{}: bytes, packed and one goal a tree", source.0),
            "<= 1 times",
            ratio(packed.bytes, single.bytes),
        );
    }
}

fn ratio(packed: u64, single: u64) -> String {
    format!("{:.3} times ({packed} and {single})", packed as f64 / single as f64)
}

/// The grammars on which counting and building are measured.
fn sources() -> [(&'static str, String); 3] {
    [
        ("1,000 alternatives", generated::thousand(false)),
        ("1,000 alternatives, layout", generated::thousand(true)),
        ("layered", LAYERED.1.to_owned()),
    ]
}

fn counting() {
    for (name, text) in sources() {
        let table = support::table((name, &text));
        let (_, time, _) = seconds(RUNS, || {
            for k in 1..=8 {
                black_box(WalkCounts::new(&table, k));
            }
        });
        row(
            &format!("{name}: counting for each k of 1..8"),
            "< 0.1 s",
            format!("{time:.6} s ({} walks up to 8)", WalkCounts::new(&table, 8).up_to(8)),
        );
    }
}

fn building() {
    for (name, text) in sources() {
        let grammar = support::read((name, &text));
        let alternatives = support::lower(&grammar).written_alternative_count();
        let (_, read, _) = seconds(RUNS, || support::read((name, &text)));
        let (_, lower, _) = seconds(RUNS, || support::lower(&grammar));
        let (_, both, _) = seconds(RUNS, || support::table((name, &text)));
        row(
            &format!("{name}: building the table ({alternatives} alternatives)"),
            "< 20 ms",
            format!("{:.1} ms ({:.1} read, {:.1} lower)", both * 1e3, read * 1e3, lower * 1e3),
        );
    }
}

fn tracking() {
    let cases = [(JSON64, 3, Scope::UpTo), (LAYERED, 3, Scope::UpTo), (LAYERED, 4, Scope::Exact)];
    for (source, k, scope) in cases {
        let table = support::table(source);
        let trees = support::trees(&table, Mode::Uniform, 1000);
        let nodes: usize = trees.iter().map(|tree| tree.nodes().len()).sum();
        let empty = Coverage::new(&table, k, scope, PathIndex::DEFAULT_LIMIT)
            .expect("the grammars of the benches have fewer walks than that");
        let add =
            |coverage: &mut Coverage| -> u64 { trees.iter().map(|tree| coverage.add(tree)).sum() };
        let mut known = empty.clone();
        let (_, first, _) = seconds(1, || add(&mut known));
        let (least, time, _) = seconds(101, || add(&mut known));
        let each = |time: f64| time * 1e9 / nodes as f64;
        row(
            &format!("{}, {scope} {k}: tracking 1,000 trees, each node", source.0),
            "<= 2 ns",
            format!(
                "{:.2} ns ({:.2} at best, {:.2} at first)",
                each(time),
                each(least),
                each(first)
            ),
        );
    }
}

/// Rows of ratios of bytes per second: contender, baseline, what they are, what is asked.
fn ratios(contenders: &mut [Produce<'_>], rows: &[(usize, usize, String, &str)]) {
    let rounds = rates(contenders);
    for (contender, baseline, figure, asked) in rows {
        let (least, median, most) =
            spread(rounds.iter().map(|round| round[*contender] / round[*baseline]));
        let (_, rate, _) = spread(rounds.iter().map(|round| round[*contender] / 1e6));
        row(figure, asked, format!("{median:.2} ({least:.2} to {most:.2}; {rate:.0} MB/s)"));
    }
}

fn json64<E: Entropy + 'static>(kind: &str, source: impl Fn(u64) -> E) {
    let table = support::table(JSON64);
    let (mut plain, mut treed, mut nodes) = (source(1), source(2), Vec::new());
    let uniform = || support::unbound(Mode::Uniform);
    let mut contenders: [Produce<'_>; 6] = [
        Box::new(|out| json64_generator::write(&mut plain, out, &mut ())),
        Box::new(|out| {
            nodes.clear();
            json64_generator::write(&mut treed, out, &mut nodes);
        }),
        Box::new(support::text(&table, uniform(), source(3))),
        Box::new(support::tree(&table, uniform(), source(4))),
        Box::new(support::text(&table, uniform().pool(1), source(5))),
        Box::new(support::tree(&table, uniform().pool(1), source(6))),
    ];
    let rows = [
        (2, 0, format!("json64, {kind}: text, to hand-written"), ">= 1.5"),
        (3, 0, format!("json64, {kind}: with tree, to hand-written without"), ">= 1.0"),
        (3, 1, format!("json64, {kind}: with tree, to hand-written with tree"), ""),
        (4, 0, format!("json64, {kind}, pool: text, to hand-written"), ">= 1.5"),
        (5, 0, format!("json64, {kind}, pool: with tree, to hand-written without"), ">= 1.0"),
    ];
    ratios(&mut contenders, &rows);
}

fn layered_plain<E: Entropy + 'static>(kind: &str, source: impl Fn(u64) -> E) {
    let table = support::table(LAYERED_PLAIN);
    let mut plain = source(1);
    let weighted = || support::unbound(Mode::Weighted);
    let mut contenders: [Produce<'_>; 5] = [
        Box::new(|out| layered_generator::write(&mut plain, out)),
        Box::new(support::text(&table, weighted(), source(3))),
        Box::new(support::tree(&table, weighted(), source(4))),
        Box::new(support::text(&table, weighted().pool(1), source(5))),
        Box::new(support::tree(&table, weighted().pool(1), source(6))),
    ];
    let rows = [
        (1, 0, format!("layered_plain, {kind}: text, to hand-written"), ">= 1.5"),
        (2, 0, format!("layered_plain, {kind}: with tree, to hand-written without"), ">= 1.0"),
        (3, 0, format!("layered_plain, {kind}, pool: text, to hand-written"), ">= 1.5"),
        (
            4,
            0,
            format!("layered_plain, {kind}, pool: with tree, to hand-written without"),
            ">= 1.0",
        ),
    ];
    ratios(&mut contenders, &rows);
}

fn distinct() {
    const SENTENCES: usize = 100_000;
    let (uniform, weighted) = (support::unbound(Mode::Uniform), support::unbound(Mode::Weighted));
    for (source, pool, options) in [
        (JSON64, "", uniform.clone()),
        (LAYERED_PLAIN, "", weighted.clone()),
        (JSON64, ", pool", uniform.pool(1)),
        (LAYERED_PLAIN, ", pool", weighted.pool(1)),
    ] {
        let table = support::table(source);
        let mut produce = support::text(&table, options, Seeded::new(1));
        let hasher = RandomState::new();
        let mut out = Vec::new();
        let seen: HashSet<u64> = (0..SENTENCES)
            .map(|_| {
                produce(&mut out);
                hasher.hash_one(&out)
            })
            .collect();
        row(
            &format!("{}{pool}: distinct among 100,000", source.0),
            ">= 99 %",
            format!("{:.3} %", seen.len() as f64 * 100.0 / SENTENCES as f64),
        );
    }
}

fn large() {
    let chain = generated::chain(100_000);
    let (_, time, _) = seconds(3, || WalkCounts::new(&support::table(("chain", &chain)), 8));
    row("100,000 rules: read, lower, count to 8", "< 2 s", format!("{time:.2} s"));
    let bush = generated::bush();
    let mut said = String::new();
    let (_, time, _) = seconds(3, || {
        let table = support::table(("bush", &bush));
        let counts = WalkCounts::new(&table, 6);
        let refusal = Cover::new(&table, CoverOptions::new(6)).err();
        said = refusal.map_or("not refused".to_owned(), |_| "refused".to_owned());
        counts
    });
    let count = WalkCounts::new(&support::table(("bush", &bush)), 6).exact(6);
    row(
        "6-path count above u64: read, lower, count, refuse",
        "< 2 s",
        format!("{time:.3} s, {said} ({count})"),
    );
}
