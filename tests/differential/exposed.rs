//! Known defects from source to witness: the language is inferred, strings are made of the difference, the
//! function is run on them and judged. Beside it stand the same without the analysis, the published
//! strategy and analysis, and random strings of the specification.

use std::convert::Infallible;

use pleach::Seeded;
use pleach::differential::infer::{Infer, Mode};
use pleach::differential::judge::Answer;
use pleach::differential::suite::{Options, Suite};
use pleach::differential::{Difference, Language, Specials, Strategy};
use pleach::regular::AutomatonLimits;

use crate::cases::{Case, Reference};

/// Strings that are tried at most.
const STRINGS: usize = 100;

/// Inputs of a suite at most.
const INPUTS: usize = 100_000;

/// Runs of the random baseline.
const SEEDS: u64 = 10;

/// The rank of the first string that shows the fault.
type Rank = Option<usize>;

/// The ranks of one case by each way.
struct Row {
    name: String,
    inferred: Rank,
    published_walk: Rank,
    published_analysis: Rank,
    nothing: Rank,
    everything: Rank,
    /// Strings of both in turn, as `pleach diff` runs a command of which it knows nothing on them.
    run: Rank,
    random: Vec<Rank>,
    /// Of the first group of the suite.
    suite: Rank,
}

impl Row {
    fn of(case: &Case) -> Self {
        let limits = AutomatonLimits::default();
        let specification = Language::regex(&case.spec, &limits).unwrap();
        let implementation = |mode: Mode| {
            let source = std::fs::read_to_string(&case.file).unwrap();
            let files = [(case.file.clone(), source)];
            match Infer::new().mode(mode).run(&files, &case.function, None) {
                Ok(found) => Some(Language::of(found.language).with_specials(found.specials)),
                Err(error) => {
                    assert!(error.is_budget_exceeded(), "{}: {error}", case.name);
                    None
                }
            }
        };
        let rank =
            |language: &Language, specials: Specials, strategy: Strategy, seed: u64| -> Rank {
                let difference =
                    Difference::with_specials(&specification, language, specials, &limits).unwrap();
                let strings = difference.strings(strategy, STRINGS, &mut Seeded::new(seed));
                strings.iter().position(|string| case.is_exposed_by(&string.text)).map(|at| at + 1)
            };
        let of = |language: &Option<Language>, strategy| {
            let language = language.as_ref()?;
            rank(language, Specials::of(&specification, language), strategy, 1)
        };
        let found = implementation(Mode::View);
        let published = implementation(Mode::Paper);
        // Without an analysis nothing is known of the code, its special characters neither.
        let without = |language: Language| {
            let specials = Specials::new().specification(specification.specials().iter().copied());
            rank(&language, specials, Strategy::EdgeCover, 1)
        };
        Self {
            name: case.name.clone(),
            inferred: of(&found, Strategy::EdgeCover),
            published_walk: of(&found, Strategy::PaperDfs),
            published_analysis: of(&published, Strategy::PaperDfs),
            nothing: without(Language::nothing()),
            everything: without(Language::everything()),
            run: in_turn(case, &specification, &limits),
            random: (0..SEEDS)
                .map(|seed| {
                    let nothing = Language::nothing();
                    rank(&nothing, Specials::new(), Strategy::Undirected, seed)
                })
                .collect(),
            suite: in_suite(case, &specification),
        }
    }

    /// The row of the table in the docs.
    fn text(&self) -> String {
        let shown = |rank: Rank| rank.map_or("-".to_owned(), |rank| rank.to_string());
        let mut random: Vec<usize> = self.random.iter().flatten().copied().collect();
        random.sort_unstable();
        let random = match random.get(random.len() / 2) {
            Some(median) => format!("{} of {SEEDS}, {median}", random.len()),
            None => "-".to_owned(),
        };
        format!(
            "| {} | {} | {} | {} | {} | {} | {} | {random} | {} |",
            self.name,
            shown(self.inferred),
            shown(self.published_walk),
            shown(self.published_analysis),
            shown(self.nothing),
            shown(self.everything),
            shown(self.run),
            shown(self.suite),
        )
    }
}

/// The rank among strings that cover the specification and strings that are next to it, in turn.
fn in_turn(case: &Case, specification: &Language, limits: &AutomatonLimits) -> Rank {
    let strings = |other: Language| {
        let specials = Specials::of(specification, specification);
        let difference =
            Difference::with_specials(specification, &other, specials, limits).unwrap();
        difference.strings(Strategy::EdgeCover, STRINGS, &mut Seeded::new(1))
    };
    let [covering, beside] = [Language::nothing(), Language::everything()].map(strings);
    let mut tried = Vec::<&str>::new();
    for at in 0..STRINGS {
        for string in [covering.get(at), beside.get(at)].into_iter().flatten() {
            if !tried.contains(&&*string.text) {
                tried.push(&string.text);
            }
        }
    }
    let tried = tried.into_iter().take(STRINGS);
    tried.enumerate().find(|(_, text)| case.is_exposed_by(text)).map(|(at, _)| at + 1)
}

/// The first group of a suite whose witness shows the fault: the function is run, and nothing is known of it.
fn in_suite(case: &Case, specification: &Language) -> Rank {
    let options = Options::new().marked(specification).most(INPUTS);
    let suite = Suite::new(specification, &options, &AutomatonLimits::default()).unwrap();
    let value = |text: &str| match case.ported.reference {
        Reference::Returns(reference) => {
            let outcome = reference(text);
            outcome.accepted.then_some(outcome.value)
        }
        Reference::Valid(_) => None,
    };
    let answer = |text: &&str| match (case.ported.run)(text) {
        outcome if outcome.accepted => Answer::Accepted(Some(outcome.value)),
        _ => Answer::Rejected,
    };
    let run = |texts: &[&str]| Ok::<_, Infallible>(texts.iter().map(answer).collect());
    let Ok(found) = suite.examine_values(value, run);
    found.groups.iter().position(|group| case.is_exposed_by(&group.witness)).map(|at| at + 1)
}

/// The table is in docs/differential.md; `--nocapture` prints it.
#[test]
fn defects_are_exposed_from_source() {
    let rows: Vec<Row> = Case::all().iter().map(Row::of).collect();
    for row in &rows {
        println!("{}", row.text());
    }
    let within = |rows: &[Row], rank: fn(&Row) -> Rank, most: usize| {
        rows.iter().filter(|row| rank(row).is_some_and(|rank| rank <= most)).count()
    };
    // Those that the paper's authors collected come first.
    let (collected, by_value) = rows.split_at(16);
    assert!(within(collected, |row| row.inferred, STRINGS) >= 15);
    assert!(within(collected, |row| row.inferred, 10) >= 14);
    assert!(within(collected, |row| row.suite, 10) >= 14);
    assert!(within(by_value, |row| row.inferred, 10) >= 3);
    assert!(within(by_value, |row| row.suite, 10) >= 5);
    let docs = include_str!("../../docs/differential.md");
    for row in &rows {
        assert!(docs.contains(&row.text()), "not in docs/differential.md: {}", row.text());
    }
}
