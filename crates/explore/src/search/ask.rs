//! Questions to the solver, and the inputs that its answers mean.

use super::queue::Class;
use super::queue::{Candidate, Parent};
use super::report::Why;
use super::text::repair;
use super::{Explorer, Goal, Reason, Waiting};
use crate::path::condition;
use crate::subject::model;
use crate::symbolic::{LENGTH, LENGTH_BITS, LONGEST};
use fxhash::FxHashMap;
use pleach_solver::{Answer, Binary, Compare, Model, TermId, Terms};
use std::sync::Arc;

/// By how many bytes an input grows where fewer than all that are allowed do.
const GROWTH: usize = 8;
/// How many conflicts, and how large a circuit, a question may have at first.
const EASY: u64 = 100;
const EASY_CIRCUIT: u32 = 30_000;
/// How many conflicts of the SAT solver are as dear as another question, and what a question costs that was given up.
const CONFLICTS: u64 = 50;
const GIVEN_UP: u32 = 8;

/// How often an edge is asked for, for a place, whatever comes before; later at every power of two.
const HOPES: u32 = 8;

/// That an input grows little by little, as each byte more is work for all that come of it; nothing where it may not.
fn growth(terms: &mut Terms, parent: &Parent) -> Option<TermId> {
    parent.length_is_free.then(|| {
        let length = terms.variable(LENGTH, LENGTH_BITS);
        let most = parent.input.len() + GROWTH;
        let most = terms.constant(LENGTH_BITS, most.min(LONGEST) as u128);
        terms.compare(Compare::Ule, length, most)
    })
}

impl Explorer {
    /// Draws a candidate.
    pub(super) fn choose(&mut self) -> Option<Candidate> {
        let taken = &self.taken;
        loop {
            let candidate =
                self.queue.pop(&mut self.random, |it| taken.class(it.edge, it.from()))?;
            if self.queue.tried(candidate.place) <= self.repeats() {
                return Some(candidate);
            }
            self.queue.leave(&candidate.parent);
        }
    }

    /// Asks the solver for an input that decides otherwise. True if there is one that was not run before.
    /// For a loop that is followed it is said for how many rounds it was.
    pub(super) fn ask(&mut self, candidate: &Candidate, rounds: u32) -> bool {
        self.asked += 1;
        self.shapes.barren += 1;
        let parent = &candidate.parent;
        let (before, rest) = parent.decisions.split_at(candidate.index as usize);
        let Some(decision) = rest.first() else {
            return false;
        };
        let module = Arc::clone(self.subject.module());
        let (terms, old) = (&mut self.subject.symbolic().terms, model(&parent.input));
        self.widened.note(&parent.input, before, terms, candidate.edge);
        let goal = match candidate.edge {
            Some(edge) => condition(terms, &module, decision.at, decision.value, edge),
            None => {
                // None of the values that it had in any run.
                let mut goal = terms.not(decision.holds);
                for &known in self.pinned.get(&decision.value).into_iter().flatten() {
                    let other = terms.not(known);
                    goal = terms.binary(Binary::And, goal, other);
                }
                goal
            }
        };
        let conflicts = self.solver.statistics().conflicts;
        let mut path = parent.assumptions.clone();
        path.extend(before.iter().map(|before| before.holds));
        let mut asked: Vec<usize> = (0..before.len()).collect();
        path.extend(growth(terms, parent));
        // What has never taken long gets little first: what takes more is asked again when the rest has had its turn.
        let hard = self.hard.contains(&candidate.place);
        self.solver.limit(if hard {
            self.options.solver
        } else {
            self.options.solver.at_most(EASY, EASY_CIRCUIT)
        });
        let mut answer = self.solve(&path, goal, &old);
        let fixed = parent.assumptions.len();
        let is_optional = |at: &usize| {
            let decision = at.checked_sub(fixed);
            decision.is_some_and(|at| before.get(at).is_none_or(|it| !it.is_necessary()))
        };
        let in_the_way = match &answer {
            Answer::Sat(_) => false,
            Answer::Unsat(core) => core.iter().any(is_optional),
            Answer::Unknown(_) => (0..path.len()).any(|at| is_optional(&at)),
        };
        if in_the_way {
            // What is not necessary is left out.
            path.truncate(fixed);
            asked.retain(|&at| before[at].is_necessary());
            path.extend(asked.iter().map(|&at| before[at].holds));
            answer = self.solve(&path, goal, &old);
        }
        let conflicts = (self.solver.statistics().conflicts - conflicts) / CONFLICTS;
        if matches!(answer, Answer::Unknown(_)) {
            self.hard.insert(candidate.place);
        }
        let given_up = if matches!(answer, Answer::Unknown(_)) { GIVEN_UP } else { 0 };
        self.queue.charge(candidate, given_up.max(u32::try_from(conflicts).unwrap_or(u32::MAX)));
        if !hard && matches!(answer, Answer::Unknown(_)) {
            let class = self.taken.class(candidate.edge, candidate.from());
            self.queue.push(class, candidate.clone(), &mut self.random);
        }
        let why = match &answer {
            Answer::Sat(_) => None,
            Answer::Unsat(_) => Some(Why::Unsatisfiable),
            Answer::Unknown(_) => Some(Why::Budget),
        };
        if let (Some(edge), Some(why)) = (candidate.edge, why) {
            self.facts.refused(edge, why);
        }
        let solution = match answer {
            Answer::Sat(solution) => solution,
            Answer::Unsat(core) => {
                if parent.sets.is_some() && core.iter().any(|&at| at < fixed) {
                    self.note_blocked(&parent.input);
                }
                let core = core.iter().filter_map(|at| asked.get(at.checked_sub(fixed)?));
                self.unblock(candidate, core.copied().collect());
                return self.hope(candidate, goal);
            }
            Answer::Unknown(_) => return false,
        };
        let input = self.input(parent, &solution, rounds > 0);
        let new = self.is_new(&input, false);
        if new {
            let goal = Goal { holds: goal, value: decision.value, edge: candidate.edge, rounds };
            let of = parent.sets.clone();
            self.waiting.push_back(Waiting { input, reason: Reason::Goal(goal), of });
        }
        new
    }

    /// Asks for an edge that nothing has taken, for its place, as if nothing were decided before: where other decisions lead to the same
    /// branch that input takes it all the same. After I. Yun and others, "QSYM", USENIX Security 2018. A text stays one, as no program
    /// that reads texts sees what is none. True if there is an input that was not run before.
    fn hope(&mut self, candidate: &Candidate, goal: TermId) -> bool {
        let Candidate { parent, edge, .. } = candidate;
        let (Some(edge), Some(from), None) = (*edge, candidate.from(), &parent.sets) else {
            return false;
        };
        if !matches!(self.taken.class(Some(edge), Some(from)), Class::New | Class::Called) {
            return false;
        }
        let hopes = self.hopes.entry((edge, from)).or_default();
        *hopes += 1;
        if *hopes > HOPES && !hopes.is_power_of_two() {
            return false;
        }
        let mut path = parent.assumptions.clone();
        path.extend(growth(&mut self.subject.symbolic().terms, parent));
        let old = model(&parent.input);
        let Answer::Sat(solution) = self.solve(&path, goal, &old) else { return false };
        let mut input = self.input(parent, &solution, false);
        if std::str::from_utf8(&parent.input).is_ok() {
            repair(&mut input);
        }
        let new = self.is_as_assumed(&input) && self.is_new(&input, false);
        if new {
            self.waiting.push_back(Waiting::new(input, Reason::Hope));
        }
        new
    }

    fn solve(&mut self, path: &[TermId], goal: TermId, old: &Model) -> Answer {
        let answer = self.solver.solve(&mut self.subject.symbolic().terms, path, goal, old);
        self.counts.queries += 1;
        match &answer {
            Answer::Sat(_) => self.counts.satisfiable += 1,
            Answer::Unsat(_) => self.counts.unsatisfiable += 1,
            Answer::Unknown(_) => self.counts.unknown += 1,
        }
        answer
    }

    /// The input that a solution means: what it does not say is as in the parent, and what is longer than that goes
    /// on as the parent did somewhere, or ended.
    fn input(&mut self, parent: &Parent, solution: &Model, repeats: bool) -> Vec<u8> {
        let mut model = model(&parent.input);
        for (variable, value) in solution.iter() {
            model.set(variable, value);
        }
        let old = parent.input.len();
        let length = match parent.length_is_free {
            true => usize::try_from(model.get(LENGTH)).unwrap_or(usize::MAX),
            false => old,
        };
        let length = length.min(self.options.max_length);
        let mut input: Vec<u8> =
            (0..length.min(old)).map(|offset| model.get(offset as u32) as u8).collect();
        let said: FxHashMap<u32, u128> = solution.iter().collect();
        let source = if parent.input.is_empty() { &b"0"[..] } else { &parent.input[..] };
        let from = match repeats || self.random.below(2) == 0 {
            // The byte at its end again and again.
            true => None,
            false => Some(self.random.below(source.len())),
        };
        for offset in input.len()..length {
            let plausible = match from {
                Some(from) => source[(from + offset) % source.len()],
                None => source[source.len() - 1],
            };
            input.push(said.get(&(offset as u32)).map_or(plausible, |&value| value as u8));
        }
        self.subject.mend(&parent.input, input)
    }
}
