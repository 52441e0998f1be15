//! The program itself runs with what was composed, and with less and less of it.

use pleach_explore::native::Judge;
use pleach_explore::subject::{Site, model};

use super::judged::Judged;
use super::{Campaign, Change, Event, Found, Next};
use crate::formula::Formula;
use crate::reduce::Reduction;
use crate::summary::PROGRAM;

impl Campaign {
    /// Runs the program on what was composed.
    pub(super) fn validate(
        &mut self,
        target: usize,
        formula: &Formula,
        judge: &mut dyn Judge,
    ) -> Event {
        self.targets[target].formulas += 1;
        let program = &mut self.summaries[PROGRAM];
        let input = program.subject.mend(&formula.base, formula.input.clone());
        let run = match program.record(&input, &self.units) {
            Some(run) => run,
            None => program.subject.run(&input, None),
        };
        let edges = self.note_edges(&run);
        let judged = self.judge(&input, &run, judge);
        if judged.is_same && run.place.as_ref() == Some(&self.targets[target].site) {
            let chain = formula.chain.iter().filter(|&&unit| unit != PROGRAM);
            let site = self.targets[target].site.clone();
            let chain = chain.map(|&unit| self.site(unit, &site)).collect();
            let (changes, composed) = (self.changes(formula), input.clone());
            let found = &mut self.targets[target];
            found.validating += 1;
            found.found = Some(Found { failure: judged.failure, chain, composed, changes });
        }
        judged.event(input, edges)
    }

    /// The bytes that were changed, before marks were set behind new line feeds, each with the places whose conditions it did not fulfil before.
    fn changes(&mut self, formula: &Formula) -> Vec<Change> {
        let Formula { base, input, .. } = formula;
        // Where a search has made it, rather than the solver of one input, it is compared with what is nearest to it.
        let base = if base == input { nearest(&self.begun, input) } else { base };
        let pairs = base.iter().zip(input).enumerate().filter(|(_, (old, new))| old != new);
        let mut changes: Vec<Change> =
            pairs.map(|(at, (&old, &new))| Change { at, old, new, why: Vec::new() }).collect();
        let (terms, before) = (&self.summaries[PROGRAM].subject.symbolic().terms, model(base));
        for condition in formula.conditions.iter().rev() {
            if terms.evaluate(condition.holds, &before) == 1 {
                continue;
            }
            let Some(site) = Site::of(&self.module, condition.at) else { continue };
            let variables = terms.variables(condition.holds);
            for change in &mut changes {
                let depends = variables.binary_search(&(change.at as u32)).is_ok();
                if depends && !change.why.contains(&site) {
                    change.why.push(site.clone());
                }
            }
        }
        changes
    }

    /// Makes the input of a failure shorter, before anything else is done, if the machine follows it to where it fails.
    pub(super) fn begin_reduction(&mut self, failure: usize) {
        let input = self.failures.all()[failure].input.clone();
        let run = self.summaries[PROGRAM].subject.run(&input, Some(&[]));
        if run.outcome.is_crash() {
            let reduction = Reduction::new(failure, run.place, input.len());
            let then = std::mem::replace(&mut self.next, Next::Over);
            self.next = Next::Reduce(Box::new(reduction), Box::new(then));
        }
    }

    /// Leaves a part of an input out and sees whether the program still fails so. What is still made shorter is told of when it is.
    pub(super) fn reduce(
        &mut self,
        mut reduction: Reduction,
        then: Next,
        judge: &mut dyn Judge,
    ) -> Event {
        let at = reduction.failure;
        let shortest = self.failures.all()[at].input.clone();
        let Some(input) = reduction.next(&shortest) else {
            self.next = then;
            let failure = Some(at);
            return Event::Ran { input: shortest, edges: 0, failure, fails: true, error: None };
        };
        let run = self.summaries[PROGRAM].subject.run(&input, Some(&[]));
        self.note(&run);
        let mut judged = Judged::default();
        if run.outcome.is_crash() && run.place == reduction.place {
            judged = self.judge(&input, &run, judge);
        }
        let is_same = judged.failure == Some(at);
        judged.failure = judged.failure.filter(|_| !is_same);
        reduction.tell(is_same, run.steps);
        self.next = Next::Reduce(Box::new(reduction), Box::new(then));
        judged.event(input, 0)
    }
}

/// The most similar one, of as many bytes, of inputs; itself if there is none.
fn nearest<'a>(inputs: &'a [Vec<u8>], input: &'a [u8]) -> &'a [u8] {
    let distance = |other: &[u8]| other.iter().zip(input).filter(|(a, b)| a != b).count();
    let others = inputs.iter().map(|it| &it[..]).filter(|it| it.len() == input.len());
    others.min_by_key(|it| distance(it)).unwrap_or(input)
}
