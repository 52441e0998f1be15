//! Composition, backwards from a target to the entry; and in its place the search of the whole program.

use pleach_explore::native::Judge;
use pleach_explore::search::{self, Explorer};
use std::collections::VecDeque;

use super::{Campaign, Event, Next, Way};
use crate::compose::Composer;
use crate::formula::{Combined, Composition};
use crate::options::Variant;
use crate::refine::{Later, line};
use crate::summary::PROGRAM;

impl Campaign {
    /// The paths of targets that were not composed yet, and after the last unit of a round all of those for which there is something new to do so with.
    pub(super) fn composition(&mut self) -> Next {
        if self.options.variant == Variant::W {
            return if self.order.is_empty() { Next::Explore } else { Next::Test };
        }
        let (known, is_over) = (self.known(), self.order.is_empty());
        let mut waiting = VecDeque::new();
        for (target, paths) in self.paths.iter().enumerate() {
            if self.targets[target].found.is_none() {
                let new = paths.iter().enumerate();
                let is_new = |at: Option<usize>| match at {
                    None => true,
                    Some(at) => is_over && at != known,
                };
                let new = new.filter(|(_, path)| is_new(path.composed_at));
                waiting.extend(new.map(|(path, _)| (target, path)));
            }
        }
        Next::Compose(waiting, None)
    }

    /// Combines a formula with a path of a caller.
    pub(super) fn compose(
        &mut self,
        mut waiting: VecDeque<(usize, usize)>,
        way: Option<Way>,
        judge: &mut dyn Judge,
    ) -> Event {
        let known = way.as_ref().map_or_else(|| self.known(), |way| way.known);
        let may_refine = self.may_refine();
        let target = way.as_ref().map(|way| way.target);
        let target = target.or(waiting.front().map(|&(target, _)| target));
        let site = target.map(|target| self.targets[target].site.clone());
        let mut combined = Combined::default();
        let mut parts = Composition {
            options: &self.options,
            summaries: &mut self.summaries,
            units: &self.units,
            profiles: &self.profiles,
            begun: &self.begun,
            combined: &mut combined,
            may_refine,
            refinement: &mut self.refinement,
            refined: &mut self.refined,
            done: &mut self.done,
            known,
            site,
            ran: None,
            is_deferred: false,
        };
        let Some(mut way) = way else {
            let Some((target, path)) = waiting.pop_front() else {
                self.next = self.program();
                return Event::Tested;
            };
            if self.targets[target].found.is_none() {
                self.targets[target].followed += 1;
                let composed = &mut self.paths[target][path];
                composed.composed_at = Some(known);
                let composer = Composer::new(&parts, composed.formula.clone());
                let way = Way { target, path, composer, left: self.options.attempts, known };
                self.next = Next::Compose(waiting, Some(way));
            } else {
                self.next = Next::Compose(waiting, None);
            }
            return Event::Combined;
        };
        let whole = way.composer.step(&mut parts);
        let Composition { ran, is_deferred, .. } = parts;
        way.left = way.left.saturating_sub(u32::from(self.refinement.is_none()));
        let target = way.target;
        self.counts.combined += combined;
        self.targets[target].combined += combined;
        // What it had no attempts left for is combined later, after what was not tried yet.
        let is_cut = way.left == 0 && !way.composer.is_over();
        if is_deferred || is_cut {
            self.paths[target][way.path].composed_at = None;
        }
        let event = match (whole, ran) {
            (Some(formula), _) => self.validate(target, &formula, judge),
            (None, Some((place, input, run))) => self.note_run(place, input, &run, judge),
            (None, None) => Event::Combined,
        };
        if way.composer.is_over() || way.left == 0 || self.targets[target].found.is_some() {
            if let Some(refinement) = self.refinement.take() {
                refinement.end(&mut self.summaries[refinement.caller()], &mut self.refined);
            }
            self.next = Next::Compose(waiting, None);
        } else {
            self.next = Next::Compose(waiting, Some(way));
        }
        event
    }

    /// How many steps refinement may still take: as many as tests of units have, and all that it asks for when these are over.
    fn may_refine(&self) -> u64 {
        match self.is_over() {
            true => u64::MAX,
            false => self.tested.saturating_sub(self.refined.steps),
        }
    }

    /// Takes a step of a search of the whole program towards the targets.
    pub(super) fn explore(&mut self, judge: &mut dyn Judge) -> Event {
        let open = self.targets.iter().filter(|target| target.found.is_none());
        let open: Vec<search::Target> = open.map(|target| line(&target.site)).collect();
        if self.may_refine() == 0 || open.is_empty() {
            self.next = if self.is_over() { Next::Over } else { self.tests() };
            return Event::Tested;
        }
        let (_, explorer) = match &mut self.whole {
            Some(whole) if whole.0 == open => whole,
            whole => {
                let options = search::Options::new()
                    .seed(self.options.seed)
                    .max_length(self.options.max_length)
                    .targets(open.clone())
                    .keeps_on(true)
                    .varies_lengths(false);
                let program = &mut self.summaries[PROGRAM];
                let mut explorer = Explorer::new(program.subject.again(), options);
                let kept = self.kept.iter().map(|(_, input)| input);
                self.begun.iter().chain(kept).for_each(|input| explorer.add(input));
                whole.insert((open, explorer))
            }
        };
        self.refined.steps += 1;
        match explorer.step(&mut Later) {
            search::Event::Ran { input, .. } => {
                self.next = Next::Explore;
                let run = self.summaries[PROGRAM].subject.run(&input, Some(&[]));
                self.refined.runs += 1;
                let event = self.note_run(PROGRAM, input, &run, judge);
                // It begins there when the targets are others.
                if let Event::Ran { input, edges: 1.., .. } = &event {
                    self.kept.push((0, input.clone()));
                }
                event
            }
            search::Event::Asked { .. } => {
                self.next = Next::Explore;
                Event::Combined
            }
            search::Event::Finished => {
                // There is something new for it when there are other targets.
                self.next = if self.is_over() { Next::Over } else { self.tests() };
                Event::Tested
            }
        }
    }
}
