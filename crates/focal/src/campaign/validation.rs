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
    ) -> (Event, Option<Reduction>) {
        let mut reduction = None;
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
            let (reduced, failure) = (input.clone(), judged.failure);
            let found = &mut self.targets[target];
            found.validating += 1;
            found.found = Some(Found { failure, chain, composed, changes, reduced });
            reduction = Some(Reduction::new(target, input.len()));
        }
        (judged.event(input, edges), reduction)
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

    /// Leaves a part of an input out and sees whether the program still fails so.
    pub(super) fn reduce(
        &mut self,
        mut reduction: Reduction,
        then: Next,
        judge: &mut dyn Judge,
    ) -> Event {
        let target = reduction.target;
        let found = self.targets[target].found.as_ref();
        let (reduced, failure) =
            found.map_or((Vec::new(), None), |it| (it.reduced.clone(), it.failure));
        let Some(input) = reduction.next(&reduced) else {
            self.next = then;
            return Event::Ran { input: reduced, edges: 0, failure, fails: true, error: None };
        };
        let run = self.summaries[PROGRAM].subject.run(&input, Some(&[]));
        self.note(&run);
        let is_there = run.place.as_ref() == Some(&self.targets[target].site);
        let mut judged = Judged::default();
        if is_there {
            judged = self.judge(&input, &run, judge);
        }
        // What is still made shorter is told of when it is.
        let failure = judged.failure.take();
        if judged.is_same
            && let Some(found) = &mut self.targets[target].found
        {
            found.reduced = input.clone();
            found.failure = failure.or(found.failure);
        }
        reduction.tell(judged.is_same);
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
