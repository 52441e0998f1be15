//! Released parsers of standard strings, tested with inputs from the standards alone.
//!
//! A [`Parser`] is a function of a crate with the specification that it implements by its documentation, or by the
//! name of what it parses. What its author decided otherwise is a [`Departure`]: where it is documented or the
//! standard leaves it open, it explains deviations; where it is neither, they are listed as what was found.

mod parsers;

pub use parsers::PARSERS;

use pleach::differential::known::Known;
use pleach::differential::suite::{Case, Options, Suite};
use pleach::regular::AutomatonLimits;

/// A parser under test.
pub struct Parser {
    /// The crate, with the version's leading numbers, and what is called.
    pub name: &'static str,
    /// The specification, by its name in `pleach::differential::known`.
    pub specification: &'static str,
    /// Whether it accepts.
    pub accepts: fn(&str) -> bool,
    /// How it departs from the specification; the first that applies counts.
    pub departures: &'static [Departure],
}

/// A way in which a parser departs from its specification.
pub struct Departure {
    /// What it does.
    pub what: &'static str,
    /// What is said of that, and where.
    pub clause: &'static str,
    /// Whether it explains a deviation, by the input and whether that is valid.
    pub applies: fn(&str, bool) -> bool,
}

/// What came of a parser.
pub struct Conformance {
    /// How many inputs there were, and how many were valid.
    pub inputs: (usize, usize),
    /// How often each departure showed, accepting too much and too little, and the shortest input that shows it.
    pub departures: Vec<Shown>,
    /// Deviations that nothing explains: inputs, and whether each is valid.
    pub unexplained: Vec<(String, bool)>,
}

/// How often something showed.
#[derive(Clone, Default)]
pub struct Shown {
    /// Inputs that are accepted and should not be.
    pub over_accepted: usize,
    /// Inputs that should be accepted and are not.
    pub over_rejected: usize,
    /// The shortest input.
    pub witness: String,
}

impl Conformance {
    /// Runs a parser on the inputs of its specification.
    ///
    /// # Panics
    ///
    /// Where the specification is none of those that ship.
    pub fn of(parser: &Parser) -> Self {
        let limits = AutomatonLimits::default();
        let known = Known::shipped();
        let structure = known.find(parser.specification).expect("a specification that ships");
        let language = structure.language(&limits).expect("specifications that ship are small");
        let suite = Suite::new(&language, &Options::new(), &limits).expect("it is small");
        let mut found = Self {
            inputs: (suite.len(), suite.valid()),
            departures: vec![Shown::default(); parser.departures.len()],
            unexplained: Vec::new(),
        };
        for Case { text, valid } in suite.cases() {
            if (parser.accepts)(text) == valid {
                continue;
            }
            let mut departures = parser.departures.iter().zip(&mut found.departures);
            match departures.find(|(departure, _)| (departure.applies)(text, valid)) {
                Some((_, shown)) => shown.add(text, valid),
                None => found.unexplained.push((text.to_owned(), valid)),
            }
        }
        found
    }
}

impl Shown {
    fn add(&mut self, text: &str, valid: bool) {
        let is_first = self.over_accepted + self.over_rejected == 0;
        if is_first || text.chars().count() < self.witness.chars().count() {
            text.clone_into(&mut self.witness);
        }
        *(if valid { &mut self.over_rejected } else { &mut self.over_accepted }) += 1;
    }
}

/// The head of the table.
pub const CONFORMANCE_HEAD: &str = "| parser | specification | inputs, valid | too much, too little | shortest | what it does | clause |\n\
     | --- | --- | ---: | ---: | --- | --- | --- |";

/// The rows of a parser: one for each departure that showed, or one that there is none.
pub fn conformance_rows(parser: &Parser, found: &Conformance) -> String {
    let source = format!("`known:{}`", parser.specification);
    let head = format!("| {} | {source} | {}, {} |", parser.name, found.inputs.0, found.inputs.1);
    let mut rows = Vec::new();
    for (departure, shown) in parser.departures.iter().zip(&found.departures) {
        if shown.over_accepted + shown.over_rejected > 0 {
            let witness = format!("{:?}", shown.witness).replace('|', "\\|");
            rows.push(format!(
                "{head} {}, {} | `{witness}` | {} | {} |",
                shown.over_accepted, shown.over_rejected, departure.what, departure.clause
            ));
        }
    }
    if !found.unexplained.is_empty() {
        let shortest = found.unexplained.iter().min_by_key(|(text, _)| text.chars().count());
        let (text, _) = shortest.expect("there is one");
        let too_much = found.unexplained.iter().filter(|(_, valid)| !valid).count();
        let too_little = found.unexplained.len() - too_much;
        rows.push(format!("{head} {too_much}, {too_little} | `{text:?}` | **unexplained** | |"));
    }
    if rows.is_empty() {
        rows.push(format!("{head} 0, 0 | | no deviation | |"));
    }
    rows.join("\n")
}

#[cfg(test)]
mod tests {
    use pleach::differential::suite::DeviationKind;

    use super::*;

    /// What is listed for a parser explains all that was found, and nothing is listed that was not.
    #[test]
    fn every_deviation_is_explained_and_every_departure_shows() {
        for parser in PARSERS {
            let found = Conformance::of(parser);
            let some: Vec<_> = found.unexplained.iter().take(20).collect();
            assert!(
                some.is_empty(),
                "{}: {} unexplained, {some:?}",
                parser.name,
                found.unexplained.len()
            );
            for (departure, shown) in parser.departures.iter().zip(&found.departures) {
                let count = shown.over_accepted + shown.over_rejected;
                assert!(count > 0, "{}: {} does not show", parser.name, departure.what);
            }
        }
    }

    /// The lines that `pleach suite` prints of the one that the README shows.
    #[test]
    fn the_readme_shows_what_is_found() {
        let limits = AutomatonLimits::default();
        let known = Known::shipped();
        let language = known.find("date-time").expect("it ships").language(&limits).expect("small");
        let suite = Suite::new(&language, &Options::new(), &limits).expect("small");
        let found = suite.check(|text| humantime::parse_rfc3339(text).is_ok());
        let groups = found.groups.iter().filter(|group| group.kind == DeviationKind::OverAccepted);
        let lines: Vec<String> = groups
            .map(|group| {
                let witness = format!("\"{}\"", group.witness);
                let (count, of, fault) = (group.count, group.of, &group.fault);
                format!("  over-accepted  {witness:<24}  {count} of {of}: {fault}")
            })
            .collect();
        let readme = include_str!("../../../README.md");
        let shown: Vec<&str> =
            readme.lines().filter(|line| line.starts_with("  over-accepted")).collect();
        assert_eq!(shown, lines);
    }

    /// Parsers that deviate most: by the states of the specification they have hundreds of groups.
    #[test]
    fn thousands_of_deviations_have_few_causes() {
        let limits = AutomatonLimits::default();
        let known = Known::shipped();
        let docs = include_str!("../../../docs/conformance.md").replace('\n', " ").replace(',', "");
        let is_cookie = |text: &str| cookie::Cookie::parse(text).is_ok();
        let email: fn(&str) -> bool = email_address::EmailAddress::is_valid;
        for (name, accepts) in [("email", email), ("set-cookie", is_cookie)] {
            let language = known.find(name).expect("it ships").language(&limits).expect("small");
            let suite = Suite::new(&language, &Options::new(), &limits).expect("small");
            let found = suite.check(accepts);
            let deviations = found.over_accepted + found.over_rejected;
            let of_groups: usize = found.groups.iter().map(|group| group.count).sum();
            assert_eq!(of_groups, deviations, "{name}: every deviation is in a group");
            let said = format!("{} groups of {deviations} deviations", found.groups.len());
            assert!(found.groups.len() <= 15, "{said}");
            assert!(docs.contains(&said), "docs/conformance.md should say {said}");
        }
    }

    #[test]
    fn the_table_of_the_docs_is_what_is_measured() {
        let docs = include_str!("../../../docs/conformance.md");
        for parser in PARSERS {
            let rows = conformance_rows(parser, &Conformance::of(parser));
            for row in rows.lines() {
                assert!(
                    docs.contains(row),
                    "run the bin `conformance` and put its table in: {row}"
                );
            }
        }
    }
}
