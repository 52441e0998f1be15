//! From values of a unit back to an input of the program.
//!
//! Each free byte has a term over the input, and the solver is asked for an input for which the terms of those that
//! changed have the new values. First with what the program decided up to the call, so that the call comes; then of the
//! unit alone.
//!
//! Terms say how a run computed, and another input may be computed otherwise: a digit and a letter of base64 have
//! different terms. So where what a run decided excludes the values, a [`detours`] input decides otherwise there, and
//! the same call is lifted from its run. What no input of the same length does may be a number in another one: if
//! what a value was computed from is its own decimal text, the new value's takes its place.

use crate::carve::{Call, Kind};
use crate::depends::Depends;
use pleach_explore::subject::model;
use pleach_explore::symbolic::{LENGTH, LENGTH_BITS};
use pleach_solver::{Answer, Binary, Compare, Solver, TermId, Terms};

/// How many values are to be had one after the other in looking for what excludes them.
const VALUES: usize = 32;
/// How many decisions that exclude values are made otherwise.
const DETOURS: usize = 6;

/// How an input is made of a unit's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// With all that the program decided up to the call, and every other free byte as it was.
    Context,
    /// With what the program decided up to the call.
    Prefix,
    /// With what it decided of no other bytes of the input than those of the values.
    Local,
    /// With the values that changed alone.
    Alone,
    /// As decimal text, of which the length may change.
    Decimal,
}

impl Way {
    /// All, in the order in which they are tried.
    pub const ALL: [Way; 5] = [Way::Context, Way::Prefix, Way::Local, Way::Alone, Way::Decimal];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Way::Context => "context",
            Way::Prefix => "prefix",
            Way::Local => "local",
            Way::Alone => "alone",
            Way::Decimal => "decimal",
        }
    }
}

/// Why there is no input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unliftable {
    /// No input has these values.
    Unsatisfiable,
    /// The solver gave up.
    Budget,
}

/// The free bytes that are not as the program had them.
pub fn changed(call: &Call, values: &[u8]) -> Vec<u32> {
    let old = call.context.values.iter().zip(values);
    (0..).zip(old).filter(|(_, (old, new))| old != new).map(|(at, _)| at).collect()
}

/// A question about the values of a call.
struct Question<'a> {
    terms: &'a mut Terms,
    solver: &'a mut Solver,
    call: &'a Call,
    values: &'a [u8],
}

impl Question<'_> {
    /// That a free byte has its value.
    fn is(&mut self, at: usize) -> TermId {
        let value = self.terms.constant(8, self.values[at].into());
        self.terms.compare(Compare::Eq, self.call.context.terms[at], value)
    }

    /// That all of these have.
    fn all(&mut self, changed: &[u32]) -> TermId {
        let mut goal = self.terms.constant(1, 1);
        for &at in changed {
            let holds = self.is(at as usize);
            goal = self.terms.binary(Binary::And, goal, holds);
        }
        goal
    }

    /// That the length stays, where it is a variable.
    fn same_length(&mut self) -> TermId {
        let length = self.terms.variable(LENGTH, LENGTH_BITS);
        let old = self.terms.constant(LENGTH_BITS, self.call.input.len() as u128);
        self.terms.compare(Compare::Eq, length, old)
    }

    fn solve(&mut self, path: &[TermId], goal: TermId) -> Answer {
        self.solver.solve(self.terms, path, goal, &model(&self.call.input))
    }

    /// The input that a solution means.
    fn input(&self, solution: &pleach_solver::Model) -> Vec<u8> {
        let mut input = self.call.input.to_vec();
        for (variable, value) in solution.iter() {
            if let Some(byte) = input.get_mut(variable as usize) {
                *byte = value as u8;
            }
        }
        input
    }

    /// What depends on the bytes that these values depend on: values, and branches before the call by their places.
    fn depends(&self, changed: &[u32]) -> Depends {
        let of = |&at: &u32| self.call.context.terms[at as usize];
        let values: Vec<TermId> = changed.iter().map(of).collect();
        let branches = self.call.prefix().iter().enumerate().filter(|it| it.1.is_necessary());
        let (places, holds): (Vec<usize>, Vec<TermId>) =
            branches.map(|(at, decision)| (at, decision.holds)).unzip();
        let mut depends = Depends::new(self.terms, &self.call.input, &values, &holds);
        for (at, _) in &mut depends.conditions {
            *at = places[*at];
        }
        depends
    }

    /// The free bytes besides these that are computed from some of these bytes of the input.
    fn beside(&self, changed: &[u32], bytes: &[u32]) -> Vec<u32> {
        let is_of = |at: &u32| {
            let variables = self.terms.variables(self.call.context.terms[*at as usize]);
            variables.iter().any(|it| bytes.contains(it)) && !changed.contains(at)
        };
        (0..self.values.len() as u32).filter(is_of).collect()
    }

    /// That other bytes of the input than these are as they were, if the goal is about them at all.
    fn fixed(&mut self, goal: TermId, bytes: &[u32]) -> Vec<TermId> {
        let variables = self.terms.variables(goal).to_vec();
        let others = variables.into_iter().filter(|it| *it != LENGTH && !bytes.contains(it));
        let same = others.map(|byte| {
            let variable = self.terms.variable(byte, 8);
            let old = self.call.input.get(byte as usize).copied().unwrap_or(0);
            let old = self.terms.constant(8, old.into());
            self.terms.compare(Compare::Eq, variable, old)
        });
        same.collect()
    }
}

/// An input with which the program should make the call with other values.
///
/// # Errors
/// There is none, as far as this way can say.
pub fn lift(
    terms: &mut Terms,
    solver: &mut Solver,
    call: &Call,
    values: &[u8],
    changed: &[u32],
    way: Way,
) -> Result<Vec<u8>, Unliftable> {
    if way == Way::Decimal {
        return decimal(terms, call, values, changed).ok_or(Unliftable::Unsatisfiable);
    }
    let mut question = Question { terms, solver, call, values };
    let goal = question.all(changed);
    let mut path = vec![question.same_length()];
    let prefix = call.prefix();
    match way {
        Way::Context => {
            let same = |at: &usize| call.context.values[*at] == values[*at];
            let same: Vec<usize> = (0..values.len()).filter(same).collect();
            path.extend(same.into_iter().map(|at| question.is(at)));
            path.extend(prefix.iter().map(|decision| decision.holds));
        }
        Way::Prefix => path.extend(prefix.iter().map(|decision| decision.holds)),
        Way::Local => {
            let depends = question.depends(changed);
            path.extend(question.fixed(goal, &depends.bytes));
            path.extend(depends.conditions.iter().map(|&(at, _)| prefix[at].holds));
            // Other values that come from these bytes are to stay, if they can.
            let beside = question.beside(changed, &depends.bytes);
            let both = question.all(&beside);
            let both = question.terms.binary(Binary::And, goal, both);
            match question.solve(&path, both) {
                Answer::Sat(solution) => return Ok(question.input(&solution)),
                Answer::Unsat(_) | Answer::Unknown(_) => {}
            }
        }
        Way::Alone | Way::Decimal => {}
    }
    let mut answer = question.solve(&path, goal);
    if !matches!(answer, Answer::Sat(_)) && way == Way::Prefix {
        // What the program did not decide may be otherwise: the program says whether that matters.
        path.truncate(1);
        let decided = prefix.iter().filter(|it| it.is_necessary());
        path.extend(decided.map(|decision| decision.holds));
        answer = question.solve(&path, goal);
    }
    match answer {
        Answer::Sat(solution) => Ok(question.input(&solution)),
        Answer::Unsat(_) => Err(Unliftable::Unsatisfiable),
        Answer::Unknown(_) => Err(Unliftable::Budget),
    }
}

/// How many of the values that changed a run admits, from the first one on; and inputs that decide otherwise where
/// it excludes the next one.
pub fn detours(
    terms: &mut Terms,
    solver: &mut Solver,
    call: &Call,
    values: &[u8],
    changed: &[u32],
) -> (usize, Vec<Vec<u8>>) {
    let changed = &changed[..changed.len().min(VALUES)];
    let mut question = Question { terms, solver, call, values };
    let goal = question.all(changed);
    let depends = question.depends(changed);
    let local = &depends.conditions;
    let prefix = call.prefix();
    let mut path = vec![question.same_length()];
    path.extend(question.fixed(goal, &depends.bytes));
    let fixed = path.len();
    path.extend(local.iter().map(|&(at, _)| prefix[at].holds));
    let (mut admitted, mut excluding) = (changed.len(), 0);
    for count in 1..=changed.len() {
        let goal = question.all(&changed[..count]);
        if let Answer::Unsat(core) = question.solve(&path, goal) {
            admitted = count - 1;
            let core = core.iter().filter_map(|at| local.get(at.checked_sub(fixed)?));
            excluding = core.fold(0, |all, it| all | it.1);
            break;
        }
    }
    // What was decided of the same bytes before may be what it takes.
    let about = (0..local.len()).rev().filter(|&it| local[it].1 & excluding != 0);
    let mut inputs = Vec::new();
    for before in about.take(DETOURS) {
        let (at, bytes) = local[before];
        let mut goal = question.terms.not(prefix[at].holds);
        for (&value, own) in changed[..admitted].iter().zip(&depends.values) {
            if own & bytes == 0 {
                let holds = question.is(value as usize);
                goal = question.terms.binary(Binary::And, goal, holds);
            }
        }
        if let Answer::Sat(solution) = question.solve(&path[..fixed + before], goal) {
            inputs.push(question.input(&solution));
        }
    }
    (admitted, inputs)
}

/// The input with the decimal text of each number that changed in place of that of the old one; nothing if what changed is
/// not all such numbers.
fn decimal(terms: &Terms, call: &Call, values: &[u8], changed: &[u32]) -> Option<Vec<u8>> {
    let mut texts: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    let mut rest = changed;
    while let Some(&first) = rest.first() {
        let groups = &call.context.groups;
        let group = groups.iter().find(|it| (it.begin..it.end).contains(&first))?;
        let range = group.begin as usize..group.end as usize;
        if group.kind != Kind::Number || range.len() > 16 {
            return None;
        }
        let number = |bytes: &[u8]| {
            let mut all = [0; 16];
            all[..bytes.len()].copy_from_slice(bytes);
            u128::from_le_bytes(all)
        };
        let old = number(&call.context.values[range.clone()]).to_string();
        let new = number(&values[range.clone()]).to_string();
        let place = span(terms, &call.context.terms[range], &call.input, &old)?;
        texts.push((place, new));
        rest = &rest[rest.iter().take_while(|&&at| at < group.end).count()..];
    }
    // From the end on, so that the places before stay.
    texts.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    if texts.is_empty() || texts.windows(2).any(|pair| pair[1].0.end > pair[0].0.start) {
        return None;
    }
    let mut input = call.input.to_vec();
    for (place, text) in texts {
        input.splice(place, text.into_bytes());
    }
    Some(input)
}

/// Where the decimal text of a number stands among the bytes that it is computed from.
fn span(
    terms: &Terms,
    number: &[TermId],
    input: &[u8],
    text: &str,
) -> Option<std::ops::Range<usize>> {
    let variables = number.iter().flat_map(|&term| terms.variables(term));
    let variables = variables.filter(|&&it| it != LENGTH).map(|&it| it as usize);
    let (first, last) =
        variables.fold((usize::MAX, 0), |(first, last), it| (first.min(it), last.max(it)));
    let around = input.get(first..=last)?;
    let at = around.windows(text.len()).position(|window| window == text.as_bytes())?;
    Some(first + at..first + at + text.len())
}
