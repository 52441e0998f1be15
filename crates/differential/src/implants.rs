//! Strings that a rule's yield is exchanged for.

use pleach_core::Seeded;
use pleach_core::grammar::Grammar;
use pleach_core::regular::AutomatonLimits;

use crate::suite::{Options, Suite};
use crate::{Difference, DifferentialError, Language, Strategy};

/// Strings of a difference, and strings beside a language, at most.
const DIFFERENT: usize = 200;
const NEAR: usize = 200;

/// The bounds of what is made for a rule when nothing is said about it: who waits is a compiler, or a fuzzer that begins.
const QUICK: AutomatonLimits =
    AutomatonLimits::new().states(512).cells(1 << 16).nfa(1 << 13).steps(1 << 20);

/// Strings for rules of a grammar, which mutants have in the place of what these derive.
///
/// `against` has rules, and for each a regex of what the implementation takes for it. Their strings are those of the
/// [`Difference`], and some that are a symbol away from the rule's language. Without any, there are strings of the
/// second kind for all rules that are regular and not too large.
///
/// # Errors
///
/// What is wrong with a regex; where a rule that is named is missing or not regular.
pub fn implants<T: AsRef<str>>(
    grammar: &Grammar,
    against: &[(T, T)],
) -> Result<Vec<(String, Vec<String>)>, DifferentialError> {
    if against.is_empty() {
        return Ok(beside_all(grammar));
    }
    let limits = AutomatonLimits::default();
    let of = |(rule, regex): &(T, T)| {
        let (rule, regex) = (rule.as_ref(), regex.as_ref());
        let specification = Language::rule(grammar, rule, None, &limits)?;
        let implementation = Language::regex(regex, &limits)?;
        let difference = Difference::new(&specification, &implementation, &limits)?;
        let strings = difference.strings(Strategy::EdgeCover, DIFFERENT, &mut Seeded::new(1));
        let mut texts: Vec<String> = strings.into_iter().map(|string| string.text).collect();
        texts.extend(beside(&specification, &limits)?);
        Ok((rule.to_owned(), texts))
    };
    against.iter().map(of).collect()
}

/// Strings beside all rules that are regular.
fn beside_all(grammar: &Grammar) -> Vec<(String, Vec<String>)> {
    let rules = grammar.rules.iter().map(|rule| rule.name.text.as_str());
    let of = |rule: &str| {
        let language = Language::rule(grammar, rule, None, &QUICK).ok()?;
        let texts = beside(&language, &QUICK).ok()?;
        (!texts.is_empty()).then(|| (rule.to_owned(), texts))
    };
    rules.filter_map(of).collect()
}

/// Strings that are a symbol away from a language, from all of its parts.
fn beside(language: &Language, limits: &AutomatonLimits) -> Result<Vec<String>, DifferentialError> {
    let suite = Suite::new(language, &Options::new().most(NEAR * 64), limits)?;
    let near: Vec<&str> = suite.cases().skip(suite.valid()).map(|case| case.text).collect();
    let step = near.len().div_ceil(NEAR).max(1);
    Ok(near.into_iter().step_by(step).map(str::to_owned).collect())
}
