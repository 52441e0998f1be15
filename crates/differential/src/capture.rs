//! What a named group of a regex has of a string, symbol by symbol.
//!
//! The `regex` crate knows no symbols that look the same, so a group is found here as it does: by
//! a simulation of the nondeterministic automaton whose threads are ordered by preference
//! (Pike's, as described by Cox, "Regular Expression Matching: the Virtual Machine Approach",
//! 2009). The whole string is matched, so preference decides only which group has what.

use regex_syntax::hir::{Class, Hir, HirKind};

use super::DifferentialError;
use pleach_core::internal::{is_data, pattern, written_name};
use pleach_core::regular::{Alphabet, AutomatonLimits};

/// A matcher that finds where the groups of one name in a regex match in a string.
///
/// Several groups may have the name; the last that takes part in the match is meant.
///
/// # Examples
///
/// ```
/// use pleach::differential::{Groups, Language};
/// use pleach::regular::AutomatonLimits;
///
/// let limits = AutomatonLimits::default();
/// let pattern = "[^:]*:(?<password>(?:[^:]|(?<data>:))*)";
/// let password = Groups::new(pattern, "password", &limits)?;
/// let symbols = Language::regex(pattern, &limits)?.reading("foo:this:bar").unwrap();
/// assert_eq!(password.find(&symbols), Some(Some(4..12)));
/// # Ok::<(), pleach::differential::DifferentialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Groups {
    program: Vec<Step>,
    start: usize,
}

#[derive(Clone, Debug)]
enum Step {
    /// Takes a symbol of these ranges, and goes on.
    Take(Box<[(u32, u32)]>, usize),
    /// Goes on at the first, or at the second.
    Split(usize, usize),
    /// Notes where the group begins, or ends.
    Begin(usize),
    End(usize),
    Match,
    /// Goes nowhere.
    Fail,
}

/// Where a group begins and ends, as far as a thread knows.
type Found = (Option<usize>, Option<(usize, usize)>);

impl Groups {
    /// Finds the groups of a name in a pattern, which is over [`Alphabet::Roles`].
    ///
    /// # Errors
    ///
    /// Where the pattern is malformed, has no such group, or passes [`AutomatonLimits::nfa`].
    pub fn new(
        regex: &str,
        name: &str,
        limits: &AutomatonLimits,
    ) -> Result<Self, DifferentialError> {
        let hir = pattern(regex, Alphabet::Roles)?;
        let mut compiler =
            Compiler { program: vec![Step::Match], name, found: false, limit: limits.get_nfa() };
        let start = compiler.add(&hir, 0, false)?;
        if !compiler.found {
            return Err(DifferentialError::no_group(name));
        }
        Ok(Self { program: compiler.program, start })
    }

    /// Which symbols of a string the group has.
    ///
    /// None where the string does not match as a whole, and none inside where the group takes no
    /// part in the match.
    pub fn find(&self, symbols: &[u32]) -> Option<Option<std::ops::Range<usize>>> {
        let mut threads: Vec<(usize, Found)> = Vec::new();
        let mut next = Vec::new();
        let mut seen = vec![usize::MAX; self.program.len()];
        self.follow(self.start, (None, None), 0, &mut seen, &mut threads);
        for (at, &symbol) in symbols.iter().enumerate() {
            for &(step, found) in &threads {
                if let Step::Take(ranges, then) = &self.program[step]
                    && ranges.iter().any(|&(low, high)| low <= symbol && symbol <= high)
                {
                    self.follow(*then, found, at + 1, &mut seen, &mut next);
                }
            }
            std::mem::swap(&mut threads, &mut next);
            next.clear();
        }
        let done = threads.iter().find(|(step, _)| matches!(self.program[*step], Step::Match));
        done.map(|&(_, (_, range))| range.map(|(start, end)| start..end))
    }

    /// Adds the threads that a step leads to without a symbol, best first.
    fn follow(
        &self,
        step: usize,
        found: Found,
        at: usize,
        seen: &mut [usize],
        threads: &mut Vec<(usize, Found)>,
    ) {
        let mut stack = vec![(step, found)];
        while let Some((step, found)) = stack.pop() {
            if std::mem::replace(&mut seen[step], at) == at {
                continue;
            }
            match self.program[step] {
                Step::Take(..) | Step::Match => threads.push((step, found)),
                Step::Split(first, second) => stack.extend([(second, found), (first, found)]),
                Step::Begin(then) => stack.push((then, (Some(at), found.1))),
                Step::End(then) => {
                    let range = found.0.map(|start| (start, at)).or(found.1);
                    stack.push((then, (found.0, range)));
                }
                Step::Fail => {}
            }
        }
    }
}

struct Compiler<'n> {
    program: Vec<Step>,
    name: &'n str,
    found: bool,
    limit: usize,
}

impl Compiler<'_> {
    fn push(&mut self, step: Step) -> Result<usize, DifferentialError> {
        if self.program.len() >= self.limit {
            return Err(DifferentialError::too_large(
                "the program of a pattern's group",
                self.limit,
            ));
        }
        self.program.push(step);
        Ok(self.program.len() - 1)
    }

    /// Adds what a part does before `then`, back to front, and gives where it begins. Patterns nest 200
    /// levels at most, and so does this.
    fn add(&mut self, hir: &Hir, then: usize, is_data: bool) -> Result<usize, DifferentialError> {
        match hir.kind() {
            // Those that do not hold where they stand are refused when the language is made.
            HirKind::Empty | HirKind::Look(_) => Ok(then),
            HirKind::Literal(literal) => {
                let text = String::from_utf8_lossy(&literal.0);
                let mut then = then;
                for character in text.chars().rev() {
                    then = self.take(&[(character.into(), character.into())], then, is_data)?;
                }
                Ok(then)
            }
            HirKind::Class(Class::Unicode(class)) => {
                let ranges: Vec<_> =
                    class.iter().map(|range| (range.start().into(), range.end().into())).collect();
                self.take(&ranges, then, is_data)
            }
            // In Unicode, a class of bytes is of ASCII.
            HirKind::Class(Class::Bytes(class)) => {
                let ranges: Vec<_> =
                    class.iter().map(|range| (range.start().into(), range.end().into())).collect();
                self.take(&ranges, then, is_data)
            }
            HirKind::Capture(capture) => {
                let name = capture.name.as_deref();
                let is_data = is_data || self::is_data(name);
                if name.map(written_name) != Some(self.name) {
                    return self.add(&capture.sub, then, is_data);
                }
                self.found = true;
                let end = self.push(Step::End(then))?;
                let inside = self.add(&capture.sub, end, is_data)?;
                self.push(Step::Begin(inside))
            }
            HirKind::Concat(parts) => {
                parts.iter().rev().try_fold(then, |then, part| self.add(part, then, is_data))
            }
            HirKind::Alternation(parts) => {
                let mut rest = None;
                for part in parts.iter().rev() {
                    let first = self.add(part, then, is_data)?;
                    rest = Some(match rest {
                        Some(rest) => self.push(Step::Split(first, rest))?,
                        None => first,
                    });
                }
                rest.map_or_else(|| self.push(Step::Fail), Ok)
            }
            HirKind::Repetition(repetition) => {
                let (sub, greedy) = (&*repetition.sub, repetition.greedy);
                let split = |first, second| {
                    if greedy { Step::Split(first, second) } else { Step::Split(second, first) }
                };
                let mut entry = match repetition.max {
                    None => {
                        let again = self.push(Step::Fail)?;
                        let body = self.add(sub, again, is_data)?;
                        self.program[again] = split(body, then);
                        again
                    }
                    Some(max) => {
                        let mut entry = then;
                        for _ in repetition.min..max {
                            let body = self.add(sub, entry, is_data)?;
                            entry = self.push(split(body, then))?;
                        }
                        entry
                    }
                };
                for _ in 0..repetition.min {
                    entry = self.add(sub, entry, is_data)?;
                }
                Ok(entry)
            }
        }
    }

    fn take(
        &mut self,
        ranges: &[(u32, u32)],
        then: usize,
        is_data: bool,
    ) -> Result<usize, DifferentialError> {
        let shift = if is_data { Alphabet::role('\0') } else { 0 };
        let ranges = ranges.iter().map(|&(low, high)| (low + shift, high + shift)).collect();
        self.push(Step::Take(ranges, then))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_those_of_the_regex_crate() {
        let limits = AutomatonLimits::default();
        for (pattern, texts) in [
            ("(?<g>a*)(a*)", &["", "aaa"][..]),
            ("(?<g>a*?)(a*)b?", &["aab", "b"]),
            ("(?:(?<g>a|ab)(?:c|bcd)?)+x?", &["abcdx", "ac", "ababcd"]),
            ("(?:(?<g>a)|b)*", &["aab", "bb", ""]),
            ("(?<g>(?:a*)*)b", &["aab", "b"]),
            ("(?:x{2,4}|(?<g>x{1,3}?))(?:x*)y", &["xxxy", "xy", "y"]),
            ("(?<g>[^.]*)(?:\\.[^.]*){0,2}", &["a.b.c", "é", ".."]),
        ] {
            let groups = Groups::new(pattern, "g", &limits).expect(pattern);
            let oracle = regex::Regex::new(&format!("^(?:{pattern})$")).expect(pattern);
            for text in texts {
                let symbols: Vec<u32> = text.chars().map(u32::from).collect();
                let expected =
                    oracle.captures(text).map(|found| found.name("g").map(|it| it.as_str()));
                let found = groups
                    .find(&symbols)
                    .map(|range| range.map(|range| super::super::printed(&symbols[range])));
                assert_eq!(found.as_ref().map(Option::as_deref), expected, "{pattern} on {text:?}");
            }
        }
    }

    #[test]
    fn groups_of_one_name_and_roles() {
        let limits = AutomatonLimits::default();
        let groups = Groups::new("(?<g>a)(?<data>:)|b:(?<g>c)", "g", &limits).expect("well formed");
        assert_eq!(groups.find(&[0x61, Alphabet::role(':')]), Some(Some(0..1)));
        assert_eq!(groups.find(&[0x61, 0x3A]), None);
        assert_eq!(groups.find(&[0x62, 0x3A, 0x63]), Some(Some(2..3)));
        assert!(Groups::new("a(b)", "g", &limits).is_err());
    }
}
