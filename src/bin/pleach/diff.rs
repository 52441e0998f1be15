//! `pleach diff`: strings on which a specification and an implementation differ.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum, value_parser};
use pleach::Seeded;
use pleach::differential::judge::{Answer, Judge, Judged, Verdict};
use pleach::differential::{self, Difference, Language, Side, Specials, TestString};
use pleach::regular::{Alphabet, AutomatonLimits};
use pleach::report::visible;
use serde::Serialize;

use crate::check::Format;
use crate::failure::{Failure, print, to_stderr};
use crate::implementation::{Implementation, returns_values};
use crate::known::KnownFiles;
use crate::operand::{Expectation, Loaded, Means, Operand, RuleReader, failed};
use crate::reduce::seconds;
use crate::report::json;

/// Finds strings on which a specification and an implementation differ
///
/// SPEC is a regex, GRAMMAR#rule or known:NAME; without it, what is found covers the implementation by
/// itself, and nothing is said of what is right. IMPL is a regex, GRAMMAR#rule, FILE.rs#function[:parameter]
/// or cmd:COMMAND. A regex has the syntax of the regex crate and matches whole strings; what stands in a
/// group whose name begins with `data` is the same character in another role, as the second colon in
/// '[^:]*:([^:]|(?<data>:))*'. Where a text may be taken for something else, write regex: before a
/// regex.
///
/// The strings are of the symmetric difference of the two languages, the telling ones first: those
/// with special characters, of each of them and of both sides in turn, shorter before longer.
///
/// With cmd:COMMAND nothing is known of the language, so the strings cover the specification and what
/// is next to it, and COMMAND is run on each: the string is its standard input, exit status 0 accepts,
/// and standard output less one final newline is the value it returns. --run does the same for a
/// function, and with --command for any implementation. A value is judged with --expect; without it,
/// strings and values are shown, smallest first.
///
/// What is run is not shut in: a command, and what a function calls, may do all that you may.
///
/// With --format json, one object is printed: {"spec_states","impl_states","difference_states","equal",
/// "exact","imprecisions":[...],"seed","strings":[{"text","accepted_by":"spec"|"impl","rank","differs",
/// "roles","transition":{"from","symbol","at","to","special"}}]}; where strings are run, each has
/// "answer", "value", "expected" and "verdict" as well, and the object "runs" and "deviations".
#[derive(Args)]
#[command(after_long_help = "\
Exit codes: 0 no difference; 1 a difference was found; 2 usage or bad input; 3 the automata are too \
large.

Examples:
  pleach diff --spec '[0-9]{1,3}' --impl '[0-9]+'
  pleach diff --spec grammars/semver.pleach#version --impl '[0-9]+(\\.[0-9]+){2}' -n 20
  pleach diff --spec '[^:]*:(?<pwd>([^:]|(?<data>:))*)' --impl 'cmd:cut -d: -f2' --expect pwd
  pleach diff --spec '(a|b)*' --impl 'a*' --strategy paper-dfs --format json")]
pub(crate) struct Diff {
    /// What should be accepted
    #[arg(long, value_name = "SPEC", default_value = "", hide_default_value = true)]
    #[arg(allow_hyphen_values = true)]
    spec: String,
    /// What accepts
    #[arg(long = "impl", value_name = "IMPL", allow_hyphen_values = true)]
    implementation: String,
    /// How many strings, at most
    #[arg(short, value_name = "N", default_value_t = 100, value_parser = value_parser!(u32).range(1..))]
    n: u32,
    /// How strings are picked
    #[arg(long, value_enum, default_value_t = Strategy::EdgeCover)]
    strategy: Strategy,
    /// Run the implementation on the strings
    #[arg(long)]
    run: bool,
    /// Run this command of the shell in the implementation's place
    #[arg(long, value_name = "COMMAND", conflicts_with = "run", allow_hyphen_values = true)]
    command: Option<String>,
    /// The value of a string is what this group of the regex, or this rule of the grammar, has of it. Strings that both
    /// accept are run as well then, and told apart by what is in the group
    #[arg(long, value_name = "GROUP|RULE", allow_hyphen_values = true)]
    expect: Option<String>,
    #[command(flatten)]
    known: KnownFiles,
    /// More special characters
    #[arg(long, value_name = "CHARS", default_value = "", hide_default_value = true)]
    #[arg(allow_hyphen_values = true)]
    special: String,
    /// Follow rules that are not regular so many levels deep, and leave out what is below
    #[arg(long, value_name = "LEVELS")]
    depth: Option<usize>,
    /// A table of more functions for what is inferred of a Rust function, in the notation of
    /// `pleach infer`; may be repeated
    #[arg(long, value_name = "FILE")]
    functions: Vec<PathBuf>,
    #[cfg(all(feature = "inside", unix))]
    #[command(flatten)]
    inside: crate::inside::Inside,
    /// Keep what is built of a function in this folder [default: `pleach` in Cargo's target folder]
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// End each run after so many seconds, which is a failure of the implementation
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    timeout: Duration,
    /// The seed of all random choices
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How to print what was found
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How strings are picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Strategy {
    /// Every transition of the difference once
    EdgeCover,
    /// The walk of the published method
    PaperDfs,
    /// Random strings of the specification
    Undirected,
}

impl From<Strategy> for differential::Strategy {
    fn from(strategy: Strategy) -> Self {
        match strategy {
            Strategy::EdgeCover => Self::EdgeCover,
            Strategy::PaperDfs => Self::PaperDfs,
            Strategy::Undirected => Self::Undirected,
        }
    }
}

/// What `pleach diff` found. Field names are part of the interface.
#[derive(Serialize)]
struct DiffReport<'a> {
    spec_states: usize,
    impl_states: Option<usize>,
    difference_states: Option<usize>,
    equal: bool,
    exact: bool,
    imprecisions: &'a [String],
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deviations: Option<usize>,
    strings: Vec<StringReport<'a>>,
}

#[derive(Serialize)]
struct StringReport<'a> {
    text: &'a str,
    accepted_by: String,
    rank: usize,
    differs: bool,
    /// Whether some of its characters are in their other role.
    roles: bool,
    transition: Option<TransitionReport>,
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    run: Option<RunReport<'a>>,
}

#[derive(Serialize)]
struct TransitionReport {
    from: usize,
    symbol: Option<char>,
    at: usize,
    to: usize,
    special: bool,
}

#[derive(Serialize)]
struct RunReport<'a> {
    answer: &'static str,
    value: Option<&'a str>,
    expected: Option<&'a str>,
    verdict: String,
}

/// The difference of two languages, or all that is known where there is but one.
struct Found {
    impl_states: Option<usize>,
    difference_states: Option<usize>,
    equal: bool,
    imprecisions: Vec<String>,
    strings: Vec<TestString>,
}

impl Diff {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        // Six automata of this size are within 500 MB.
        let limits = AutomatonLimits::new().cells(1 << 21);
        let operands =
            [Operand::specification(&self.spec)?, Operand::implementation(&self.implementation)?];
        let runs = match (&self.command, &operands[1]) {
            (Some(command), _) => Some(Operand::Command(command.clone())),
            (None, command @ Operand::Command(_)) => Some(command.clone()),
            (None, function @ Operand::Function { .. }) => self.run.then(|| function.clone()),
            (None, _) if self.run => {
                return Err(Failure::input(
                    "error: --run: there is nothing to run; --command COMMAND names what is run",
                ));
            }
            _ => None,
        };
        if self.expect.is_some() && runs.is_none() {
            return Err(Failure::input(
                "error: --expect needs something that is run: --run, --command COMMAND or \
                 --impl cmd:COMMAND",
            ));
        }
        #[cfg(all(feature = "inside", unix))]
        self.inside.refuse(runs.as_ref())?;
        let means = Means { known: &self.known, depth: self.depth, functions: &self.functions };
        let load = |operand| Loaded::new(operand, &means, &limits);
        let (specification, implementation) = (load(&operands[0])?, load(&operands[1])?);
        let expectation = match &self.expect {
            Some(name) => Some(specification.expectation(name, &limits)?),
            None => None,
        };
        let marked = self.expect.as_deref().and_then(|name| specification.marked(name, &limits));
        let Some(spec) = specification.language else {
            return Err(Failure::input("error: a command cannot be the specification"));
        };
        let mut found = match &implementation.language {
            Some(language) => self.compare(&spec, language, &limits)?,
            None => self.surround(&spec, &limits)?,
        };
        if found.equal && runs.is_some() {
            // Values may be wrong of strings that both accept.
            to_stderr(format_args!("the languages are equal: the strings cover the specification"));
            found.strings = self.surround(&spec, &limits)?.strings;
            found.strings.iter_mut().for_each(|string| string.differs = false);
        }
        if self.expect.is_some() {
            // So they may where the languages differ: every second string is one that should be accepted.
            let mut covering = self.cover(marked.as_ref().unwrap_or(&spec), &limits)?;
            covering.iter_mut().for_each(|string| string.differs = false);
            found.strings = in_turn([found.strings, covering], self.n as usize);
        }
        // Strings behind these are of interest only if they show a deviation.
        #[cfg_attr(not(all(feature = "inside", unix)), expect(unused_mut))]
        let mut told = usize::MAX;
        #[cfg(all(feature = "inside", unix))]
        if let Some(operand) = &runs {
            told = self.look_inside(operand, &spec, &mut found.strings)?;
        }
        let judged = match &runs {
            Some(operand) => {
                let judge = match self.spec.is_empty() {
                    true => Judge::unspecified(),
                    false => judge(&spec, expectation.as_ref()),
                };
                let implementation = Implementation::new(operand, None, self.keep.as_deref())?;
                Some(self.try_all(&implementation, &judge, &found.strings)?)
            }
            None => None,
        };
        self.tell(&spec, &found, judged.as_deref(), told)
    }

    /// The difference of two languages that are known.
    fn compare(
        &self,
        spec: &Language,
        implementation: &Language,
        limits: &AutomatonLimits,
    ) -> Result<Found, Failure> {
        let specials = Specials::of(spec, implementation).user(self.special.chars());
        let difference = self.difference(spec, implementation, specials, limits)?;
        let strings = self.strings(&difference, self.n as usize);
        Ok(Found {
            impl_states: Some(difference.implementation_states()),
            difference_states: Some(difference.states()),
            equal: difference.is_empty(),
            imprecisions: difference.imprecisions().to_vec(),
            strings,
        })
    }

    /// Strings that cover a language, and strings next to it, in turn.
    fn surround(&self, spec: &Language, limits: &AutomatonLimits) -> Result<Found, Failure> {
        let specials = || Specials::of(spec, spec).user(self.special.chars());
        let mut strings = self.cover(spec, limits)?;
        if self.strategy != Strategy::Undirected {
            let outside = self.difference(spec, &Language::everything(), specials(), limits)?;
            strings = in_turn([strings, self.strings(&outside, self.n as usize)], self.n as usize);
        }
        let imprecisions = spec.imprecisions().iter().map(|why| format!("spec: {why}")).collect();
        Ok(Found {
            impl_states: None,
            difference_states: None,
            equal: false,
            imprecisions,
            strings,
        })
    }

    /// Strings that cover a language.
    fn cover(
        &self,
        language: &Language,
        limits: &AutomatonLimits,
    ) -> Result<Vec<TestString>, Failure> {
        let specials = Specials::of(language, language).user(self.special.chars());
        let inside = self.difference(language, &Language::nothing(), specials, limits)?;
        Ok(self.strings(&inside, self.n as usize))
    }

    fn difference(
        &self,
        spec: &Language,
        implementation: &Language,
        specials: Specials,
        limits: &AutomatonLimits,
    ) -> Result<Difference, Failure> {
        Difference::with_specials(spec, implementation, specials, limits)
            .map_err(|error| failed(&error, format!("error: {error}")))
    }

    fn strings(&self, difference: &Difference, most: usize) -> Vec<TestString> {
        difference.strings(self.strategy.into(), most, &mut Seeded::new(self.seed))
    }

    /// Adds strings that the branches of a function ask for: those that reach code that no string before did come first, and the others
    /// last. The number is that of all strings but these.
    #[cfg(all(feature = "inside", unix))]
    fn look_inside(
        &self,
        operand: &Operand,
        spec: &Language,
        strings: &mut Vec<TestString>,
    ) -> Result<usize, Failure> {
        let texts: Vec<_> = strings.iter().map(TestString::bytes).collect();
        let texts = texts.iter().map(AsRef::as_ref);
        let found = self.inside.search(operand, self.keep.as_deref(), texts)?;
        let string = |text: String| TestString {
            accepted_by: if spec.accepts(&text) {
                Side::Specification
            } else {
                Side::Implementation
            },
            symbols: spec.reading(&text).unwrap_or_else(|| text.chars().map(u32::from).collect()),
            text,
            differs: false,
            rank: 0,
            transition: None,
        };
        let mut all: Vec<TestString> = found.fresh.into_iter().map(string).collect();
        all.append(strings);
        let told = all.len();
        all.extend(found.others.into_iter().map(string));
        for (index, string) in all.iter_mut().enumerate() {
            string.rank = index + 1;
        }
        *strings = all;
        Ok(told)
    }

    /// Runs an implementation on all strings.
    fn try_all(
        &self,
        implementation: &Implementation,
        judge: &Judge<'_>,
        strings: &[TestString],
    ) -> Result<Vec<Judged>, Failure> {
        let texts: Vec<_> = strings.iter().map(TestString::bytes).collect();
        let answers = implementation.answers(&texts, self.timeout)?;
        if self.expect.is_some() {
            returns_values("--expect", "what is run", &answers)?;
        }
        let judged = strings.iter().zip(answers).map(|(string, answer)| {
            let (verdict, expected) = judge.judge(string, &answer);
            Judged { string: string.clone(), answer, expected, verdict }
        });
        Ok(judged.collect())
    }

    fn tell(
        &self,
        spec: &Language,
        found: &Found,
        judged: Option<&[Judged]>,
        told: usize,
    ) -> Result<(), Failure> {
        let is_shown = |it: &&Judged| is_shown(it) && (it.string.rank <= told || deviates(it));
        let deviations = judged.map(|judged| judged.iter().filter(|it| deviates(it)).count());
        let exact = found.imprecisions.is_empty() && found.impl_states.is_some();
        let equal = match (found.impl_states, deviations) {
            (None, Some(deviations)) => deviations == 0,
            _ => found.equal,
        };
        match self.format {
            Format::Json => {
                let strings = match judged {
                    Some(judged) => judged.iter().filter(is_shown).map(of_run).collect(),
                    None => found.strings.iter().map(of_string).collect(),
                };
                let report = DiffReport {
                    spec_states: spec.states(),
                    impl_states: found.impl_states,
                    difference_states: found.difference_states,
                    equal,
                    exact,
                    imprecisions: &found.imprecisions,
                    seed: self.seed,
                    runs: judged.map(<[Judged]>::len),
                    deviations,
                    strings,
                };
                print(json(&report)?.as_bytes())?;
            }
            Format::Text => {
                to_stderr(format_args!("seed {}", self.seed));
                for why in &found.imprecisions {
                    to_stderr(format_args!("not exact: {why}"));
                }
                let shown = judged.map(|judged| judged.iter().filter(is_shown).collect());
                print(self.text(found, shown).as_bytes())?;
            }
        }
        match (judged, deviations) {
            (Some(judged), Some(deviations)) if deviations > 0 => Err(Failure::No(format!(
                "{deviations} of {} strings show a deviation",
                judged.len()
            ))),
            // What was returned is for a person to read.
            (Some(_), _) if self.expect.is_some() || self.spec.is_empty() || equal || !exact => {
                Ok(())
            }
            // One language differs from nothing.
            _ if self.spec.is_empty() => Ok(()),
            _ if equal => {
                to_stderr(if exact {
                    "the specification and the implementation are equal"
                } else {
                    "no difference is known of the specification and the implementation"
                });
                Ok(())
            }
            _ => Err(Failure::No(
                match (spec.states(), found.impl_states, found.difference_states) {
                    (spec, Some(code), Some(states)) => format!(
                        "the specification ({spec} states) and the implementation ({code}) differ \
                     ({states})"
                    ),
                    _ => "the specification and the implementation differ".into(),
                },
            )),
        }
    }

    fn text(&self, found: &Found, shown: Option<Vec<&Judged>>) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let Some(mut shown) = shown else {
            for string in &found.strings {
                let quoted = quoted(&string.text);
                let side =
                    if string.differs { string.accepted_by.to_string() } else { "both".into() };
                let _ =
                    writeln!(out, "{:>4}  {side}  {quoted:<30}  {}", string.rank, reason(string));
            }
            return out.lines().flat_map(|line| [line.trim_end(), "\n"]).collect();
        };
        if self.expect.is_some() {
            shown.retain(|it| deviates(it));
        } else {
            shown.sort_by_key(|it| (it.string.text.chars().count(), it.string.rank));
        }
        for it in shown {
            let input = quoted(&it.string.text);
            let answer = match &it.answer {
                Answer::Accepted(Some(value)) => quoted(value),
                Answer::Accepted(None) => "accepted".into(),
                Answer::Rejected => "rejected".into(),
                Answer::Failed(how) => how.clone(),
            };
            let _ = write!(out, "{:>4}  {input:<30}  {answer}", it.string.rank);
            match (&it.expected, it.verdict) {
                (Some(expected), Verdict::WrongValue) => {
                    let _ = writeln!(out, "  wrong: expected {}", quoted(expected));
                }
                (_, verdict) if verdict.is_deviation() => {
                    let _ = writeln!(out, "  {verdict}");
                }
                _ => out.push('\n'),
            }
        }
        out
    }
}

/// Strings of both in turn, so many at most and no text twice: a text may be in both, in one role here and in another there.
fn in_turn(both: [Vec<TestString>; 2], most: usize) -> Vec<TestString> {
    let mut both = both.map(Vec::into_iter);
    let mut seen = HashSet::new();
    let mut merged: Vec<TestString> = Vec::new();
    loop {
        let pair = [both[0].next(), both[1].next()];
        if pair.iter().all(Option::is_none) || merged.len() >= most {
            break;
        }
        for string in pair.into_iter().flatten() {
            if merged.len() < most && seen.insert(string.text.clone()) {
                merged.push(string);
            }
        }
    }
    for (index, string) in merged.iter_mut().enumerate() {
        string.rank = index + 1;
    }
    merged
}

/// A text between quotes, on one line.
fn quoted(text: &str) -> String {
    format!("\"{}\"", visible(text.as_bytes()).replace('"', "\\\""))
}

fn deviates(judged: &Judged) -> bool {
    judged.verdict.is_deviation()
}

/// Whether anybody accepts a string, or the implementation fails on it.
fn is_shown(judged: &Judged) -> bool {
    deviates(judged) || matches!(judged.answer, Answer::Accepted(_))
}

fn judge<'a>(spec: &'a Language, expectation: Option<&'a Expectation>) -> Judge<'a> {
    match expectation {
        None => Judge::verdicts(spec),
        Some(Expectation::Group(group)) => Judge::group(spec, group.clone()),
        Some(Expectation::Rule(table, rule)) => {
            let reader = RuleReader::new(table, rule);
            Judge::expected(spec, move |string| reader.value(&string.bytes()))
        }
    }
}

/// Why a string is there.
fn reason(string: &TestString) -> String {
    let Some(covered) = string.transition else { return String::new() };
    let Some(symbol) = Alphabet::character(covered.symbol) else { return String::new() };
    let shown = visible(symbol.to_string().as_bytes());
    match (Alphabet::is_role(covered.symbol), covered.special) {
        (true, _) => format!("'{shown}' as data at {}", covered.at),
        (_, true) => format!("'{shown}' at {}", covered.at),
        _ => String::new(),
    }
}

fn of_string(string: &TestString) -> StringReport<'_> {
    StringReport {
        text: &string.text,
        accepted_by: string.accepted_by.to_string(),
        rank: string.rank,
        differs: string.differs,
        roles: string.has_roles(),
        transition: string.transition.map(|covered| TransitionReport {
            from: covered.from,
            symbol: Alphabet::character(covered.symbol),
            at: covered.at,
            to: covered.to,
            special: covered.special,
        }),
        run: None,
    }
}

fn of_run(judged: &Judged) -> StringReport<'_> {
    let (answer, value) = match &judged.answer {
        Answer::Accepted(value) => ("accepted", value.as_deref()),
        Answer::Rejected => ("rejected", None),
        Answer::Failed(how) => ("failed", Some(how.as_str())),
    };
    let mut report = of_string(&judged.string);
    report.accepted_by = match judged.verdict {
        Verdict::OverAccepts => Side::Implementation.to_string(),
        Verdict::OverRejects | Verdict::WrongValue => Side::Specification.to_string(),
        _ => report.accepted_by,
    };
    report.run = Some(RunReport {
        answer,
        value,
        expected: judged.expected.as_deref(),
        verdict: judged.verdict.to_string(),
    });
    report
}
