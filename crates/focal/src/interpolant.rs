//! Which conditions of a failure a path excludes: interpolants from cores.
//!
//! A failure's conditions A and a path B of a caller up to the call have what the callee is given in common. Where both exclude each
//! other, some of A's conditions alone exclude B. Their conjunction I is an interpolant of A and B (W. Craig 1957): A implies it, it
//! excludes B, and it speaks of what is given alone. Several paths exclude what each of them does, so that the interpolant of all is
//! the conjunction of those of each.

use pleach_solver::{Answer, Binary, Model, Solver, TermId, Terms};

/// How many conditions are found by counterexamples, at most, before all are taken; and how many all may be then.
const FOUND: usize = 64;
const ALL: usize = 256;
/// How many conflicts of the SAT solver all questions about a path may have together, before no more are asked; one alone may have half
/// of that.
const CONFLICTS: u64 = 20_000;

/// What a path and conditions come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// They go together.
    None,
    /// The path excludes these of the conditions, by their places, and with less of them it does not, as far as it was asked; these of its own
    /// conditions do so.
    Core(Vec<usize>, Vec<usize>),
    /// The solver gave up.
    Unknown,
}

/// Which of some conditions a path excludes that holds under `old`. Those that are `assumed`, by their places, come first: where they
/// are enough, no other is looked for.
///
/// A model of the path, and of what was chosen so far, shows a condition that is to be chosen too, as in refinement by
/// counterexamples; what the rest does without is left out in the end.
pub(crate) fn conflict(
    terms: &mut Terms,
    solver: &mut Solver,
    path: &[TermId],
    conditions: &[TermId],
    assumed: &[usize],
    old: &Model,
) -> Conflict {
    let begun = solver.statistics().conflicts;
    let is_over = |solver: &Solver| solver.statistics().conflicts - begun > CONFLICTS;
    let mut chosen = assumed.to_vec();
    let mut reasons = loop {
        if is_over(solver) {
            return Conflict::Unknown;
        }
        match ask(terms, solver, path, conditions, &chosen, old) {
            Answer::Unsat(core) => break core,
            Answer::Unknown(_) => return Conflict::Unknown,
            Answer::Sat(model) => {
                // The last one is nearest to the failure.
                let fails = |&at: &usize| terms.evaluate(conditions[at], &model) == 0;
                match (0..conditions.len()).rev().find(fails) {
                    None => return Conflict::None,
                    Some(_) if chosen.len() >= FOUND + assumed.len() => {
                        // Each of them is a question.
                        if conditions.len() > ALL {
                            return Conflict::Unknown;
                        }
                        chosen = (0..conditions.len()).collect();
                    }
                    Some(at) => chosen.push(at),
                }
            }
        }
    };
    // What is chosen from each one on, as one term, so that leaving one out takes a term more.
    let mut rest = vec![terms.constant(1, 1)];
    for &at in chosen.iter().rev() {
        let last = rest[rest.len() - 1];
        rest.push(terms.binary(Binary::And, conditions[at], last));
    }
    rest.pop();
    let (mut needed, mut core) = (terms.constant(1, 1), Vec::new());
    for at in chosen {
        let behind = rest.pop().unwrap_or(needed);
        let goal = terms.binary(Binary::And, needed, behind);
        let path: Vec<TermId> = reasons.iter().map(|&at| path[at]).collect();
        let without = (!is_over(solver)).then(|| solver.solve(terms, &path, goal, old));
        if let Some(Answer::Unsat(fewer)) = without {
            reasons = fewer.into_iter().map(|at| reasons[at]).collect();
        } else {
            needed = terms.binary(Binary::And, needed, conditions[at]);
            core.push(at);
        }
    }
    core.sort_unstable();
    Conflict::Core(core, reasons)
}

fn ask(
    terms: &mut Terms,
    solver: &mut Solver,
    path: &[TermId],
    conditions: &[TermId],
    chosen: &[usize],
    old: &Model,
) -> Answer {
    let goal = all(terms, chosen.iter().map(|&at| conditions[at]));
    solver.solve(terms, path, goal, old)
}

/// The conjunction of conditions.
pub(crate) fn all(terms: &mut Terms, conditions: impl IntoIterator<Item = TermId>) -> TermId {
    let all = terms.constant(1, 1);
    conditions.into_iter().fold(all, |all, holds| terms.binary(Binary::And, all, holds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_explore::random::Random;
    use pleach_solver::{Compare, Options};

    /// A condition on two variables of four bits.
    fn condition(terms: &mut Terms, random: &mut Random) -> TermId {
        let (first, second) = (terms.variable(0, 4), terms.variable(1, 4));
        let mut value = |terms: &mut Terms| terms.constant(4, random.below(16) as u128);
        let (number, factor) = (value(terms), value(terms));
        let left = match random.below(4) {
            0 => first,
            1 => second,
            2 => terms.binary(Binary::Xor, first, second),
            _ => terms.binary(Binary::Mul, first, factor),
        };
        let compare = [Compare::Ult, Compare::Ule, Compare::Slt][random.below(3)];
        match random.below(2) {
            0 => terms.compare(compare, left, number),
            _ => terms.compare(compare, number, left),
        }
    }

    /// For how many values of both some conditions hold.
    fn models(terms: &Terms, conditions: &[TermId]) -> usize {
        let holds = |&pair: &u8| {
            let model = Model::from_bytes(&[pair % 16, pair / 16]);
            conditions.iter().all(|&it| terms.evaluate(it, &model) == 1)
        };
        (0..=u8::MAX).filter(holds).count()
    }

    #[test]
    fn a_core_excludes_and_no_part_of_it_does_as_all_values_say() {
        let (mut conflicts, mut others) = (0, 0);
        for seed in 0..120 {
            let mut random = Random(seed);
            let mut terms = Terms::new(10_000);
            let old = [random.below(16) as u8, random.below(16) as u8];
            let model = Model::from_bytes(&old);
            let mut path = Vec::new();
            while path.len() < 3 {
                let condition = condition(&mut terms, &mut random);
                if terms.evaluate(condition, &model) == 1 {
                    path.push(condition);
                }
            }
            let conditions: Vec<TermId> =
                (0..4).map(|_| condition(&mut terms, &mut random)).collect();
            let mut solver = Solver::new(Options::new());
            let assumed = if seed % 2 == 0 { &[][..] } else { &[3] };
            let conflict = conflict(&mut terms, &mut solver, &path, &conditions, assumed, &model);
            let both = |terms: &Terms, chosen: &[usize], reasons: &[usize]| {
                let chosen = chosen.iter().map(|&at| conditions[at]);
                let all: Vec<TermId> = chosen.chain(reasons.iter().map(|&at| path[at])).collect();
                models(terms, &all)
            };
            match conflict {
                Conflict::Unknown => panic!("seed {seed}: that is too much"),
                Conflict::None => {
                    others += 1;
                    assert!(both(&terms, &[0, 1, 2, 3], &[0, 1, 2]) > 0, "seed {seed}");
                }
                Conflict::Core(chosen, reasons) => {
                    conflicts += 1;
                    assert_eq!(both(&terms, &chosen, &reasons), 0, "seed {seed}");
                    for &left in &chosen {
                        let fewer: Vec<usize> =
                            chosen.iter().copied().filter(|&it| it != left).collect();
                        assert!(both(&terms, &fewer, &reasons) > 0, "seed {seed}: {chosen:?}");
                    }
                }
            }
        }
        assert!(conflicts > 20 && others > 20, "{conflicts} and {others}");
    }
}
