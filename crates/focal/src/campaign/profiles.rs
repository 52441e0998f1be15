//! Profiles and units: the program runs, calls are counted and carved, and functions that were not called looked for.

use fxhash::FxHashSet;
use pleach_bridge::carve::Unit;
use pleach_concolic::ir::FunctionId;
use pleach_explore::native::Judge;
use pleach_explore::path::Decision;
use pleach_explore::search::{self, Explorer};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Campaign, Event, Next};
use crate::options::Variant;
use crate::profile::Node;
use crate::refine::Later;
use crate::summary::{Carved, PROGRAM, Summary};

/// How many terms all of them may have together, some 80 bytes each, and how many decisions what waits in their searches, some 40
/// bytes each; and how many of these are for a unit at least.
const TERMS: usize = 1 << 24;
const LEAST_TERMS: usize = 1 << 16;
const DECISIONS: usize = 1 << 25;
const LEAST_DECISIONS: usize = 1 << 17;
/// How many inputs the program's own summary is made of, those with the most new first.
const KEPT: usize = 256;
/// How many instructions the runs of inputs that are made at random may execute.
const FUZZED: u64 = 30_000_000;
/// How many instructions the search for functions that were not called may execute.
const REACHED: u64 = 20_000_000;

impl Campaign {
    /// Runs an input that was added, or one that is made of those that were run, once the program was searched.
    pub(super) fn profile(&mut self, is_searched: bool, judge: &mut dyn Judge) -> Event {
        self.next = Next::Profile(is_searched);
        if let Some(input) = self.waiting.pop_front() {
            let cold = self.summaries[PROGRAM].subject.warm_by(&input);
            let event = self.carve(input, true, judge);
            if let Some(cold) = cold {
                self.profiles.add(self.functions.calls(&self.module, &cold.trail.calls));
                self.note_edges(&cold);
            }
            return event;
        }
        if !is_searched && self.begin_program() {
            return Event::Tested;
        }
        let is_over = self.made >= self.options.fuzz || self.fuzzed > FUZZED;
        if is_over || self.kept.is_empty() {
            self.next = self.towards_uncalled();
            return Event::Tested;
        }
        self.made += 1;
        let input = match self.tester.next() {
            Ok(Some(input)) => input,
            // What is made may be too long.
            Ok(None) => return Event::Tested,
            Err(broken) => {
                self.made = self.options.fuzz;
                return Event::Broken(broken);
            }
        };
        let run = self.summaries[PROGRAM].subject.run(&input, Some(&[]));
        self.fuzzed += run.steps;
        let is_known =
            run.trail.edges.iter().zip(&self.taken).all(|(own, known)| own & !known == 0);
        if !is_known || run.outcome.is_crash() {
            return self.carve(input, false, judge);
        }
        self.note(&run);
        self.profiles.add(self.functions.calls(&self.module, &run.trail.calls));
        self.judge(&input, &run, judge).event(input, 0)
    }

    /// The program's own functions that no run has called.
    pub(super) fn uncalled(&self) -> Vec<FunctionId> {
        self.functions.all(|node| !self.profiles.occurs(node))
    }

    /// A search towards functions that were not called, if there are some; else what comes then.
    fn towards_uncalled(&mut self) -> Next {
        let uncalled = self.uncalled();
        if self.options.reach == 0 || uncalled.is_empty() || self.kept.is_empty() {
            return self.enter();
        }
        let options = search::Options::new()
            .seed(self.options.seed)
            .max_length(self.options.max_length)
            .targets(uncalled.into_iter().map(search::Target::Entry))
            .keeps_on(true)
            .varies_lengths(false);
        let mut explorer = Explorer::new(self.summaries[PROGRAM].subject.again(), options);
        for (_, input) in &self.kept {
            explorer.add(input);
        }
        Next::Reach(Box::new(explorer), self.options.reach)
    }

    /// Takes a step towards functions that were not called. What takes edges that are new there may call one.
    pub(super) fn reach(
        &mut self,
        mut explorer: Box<Explorer>,
        left: u32,
        judge: &mut dyn Judge,
    ) -> Event {
        let step = explorer.step(&mut Later);
        let is_over =
            step == search::Event::Finished || left == 1 || explorer.counts().steps > REACHED;
        let event = match step {
            search::Event::Ran { input, edges, .. }
                if edges > 0 && !self.kept.iter().any(|(_, kept)| *kept == input) =>
            {
                self.carve(input, false, judge)
            }
            _ => Event::Tested,
        };
        self.next = if is_over { self.enter() } else { Next::Reach(explorer, left - 1) };
        event
    }

    /// Runs an input and takes units out of its run.
    pub(super) fn carve(&mut self, input: Vec<u8>, is_given: bool, judge: &mut dyn Judge) -> Event {
        let system = &mut self.summaries[PROGRAM].subject;
        if system.symbolic().terms.is_full() {
            // What the bytes of contexts are computed from is not asked for in profiles, and without room nothing is carved.
            system.symbolic().clear();
        }
        system.symbolic().watched = self.carver.begin();
        let carver = &mut self.carver;
        let run = system.run_watched(&input, None, &mut |machine| {
            carver.look(machine, None);
        });
        system.symbolic().watched.clear();
        self.profiles.add(self.functions.calls(&self.module, &run.trail.calls));
        let whole: Arc<[u8]> = input.as_slice().into();
        let path: Arc<[Decision]> = run.trail.decisions.as_slice().into();
        let edges = self.note_edges(&run);
        let is_wanted = is_given || edges > 0;
        let terms = &self.summaries[PROGRAM].subject.symbolic().terms;
        for mut unit in self.carver.end(&whole, &path, terms, is_wanted) {
            unit.forget_path();
            self.keep(unit);
        }
        if is_given || edges > 0 {
            self.tester.learn(&input);
            self.kept.push((edges, input.clone()));
        }
        let judged = self.judge(&input, &run, judge);
        if judged.is_same {
            self.note_met(&input, &run, judged.failure);
        }
        judged.event(input, edges)
    }

    /// Keeps a unit if there is room; where there is none, the first one of a function takes the place of another function's second one.
    fn keep(&mut self, unit: Unit) {
        if self.carved.len() < self.options.units {
            self.carved.push(unit);
            return;
        }
        let units = &self.carved;
        let many = |of: &Unit| units.iter().filter(|it| it.function == of.function).count();
        let second = units.iter().rposition(|it| many(it) > 1).filter(|_| many(&unit) == 0);
        let released = match second {
            Some(at) => std::mem::replace(&mut self.carved[at], unit),
            None => unit,
        };
        self.carver.release(&released);
    }

    /// Makes searches of all units, and begins with the program's own summary.
    fn enter(&mut self) -> Next {
        let percent = match self.options.variant {
            Variant::E => 0,
            _ => self.options.percent,
        };
        let mut extended = self.profiles.extended(percent);
        if self.options.variant == Variant::R {
            let random = &mut self.random;
            self.profiles.redraw(&mut extended, &mut |limit| random.below(limit));
        }
        let carved = std::mem::take(&mut self.carved);
        let share = |all: usize, least: usize| (all / carved.len().max(1)).max(least);
        let (terms, decisions) = (share(TERMS, LEAST_TERMS), share(DECISIONS, LEAST_DECISIONS));
        for mut unit in carved {
            let kept = Arc::new(unit.kept());
            // One table is that of its search, and one that of its summary, in which what it was carved with has terms, too.
            unit.narrow(terms / 2 + kept.len());
            let Some(node) = self.functions.node(unit.function) else { continue };
            let place = self.summaries.len();
            let context = &unit.call.context;
            let carved = Carved { place, context: Arc::clone(context), kept: Arc::clone(&kept) };
            self.units.entry(unit.function).or_default().push(carved);
            let without = self.without(node, &extended);
            let options = search::Options::new()
                .seed(self.options.seed.wrapping_add(place as u64))
                .max_length(context.values.len())
                .decisions(decisions)
                .assumed(unit.assumed())
                .without(without.iter().copied())
                .preferred(self.functions.all(|it| it == node));
            let mut explorer = Explorer::new(unit.subject(), options);
            explorer.add(&context.values);
            self.explorers.insert(place, explorer);
            let subject = unit.recorder(kept);
            let solver = self.options.solver;
            self.summaries.push(Summary::new(Some(unit), node, subject, solver, without));
        }
        self.summaries[PROGRAM].subject.symbolic().clear();
        let mut kept = std::mem::take(&mut self.kept);
        kept.sort_by_key(|(edges, _)| std::cmp::Reverse(*edges));
        kept.truncate(KEPT);
        self.begun = kept.into_iter().map(|(_, input)| input).collect();
        if let Some(program) = &mut self.program {
            self.begun.iter().for_each(|input| program.add(input));
        }
        Next::Enter(self.begun.iter().rev().cloned().collect())
    }

    /// The functions of which a unit's search leaves decisions as they are: those that profiles have and that are not relevant.
    pub(super) fn without(
        &self,
        node: Node,
        extended: &BTreeMap<Node, BTreeSet<Node>>,
    ) -> FxHashSet<FunctionId> {
        let unit = extended.get(&node);
        let is_alone = self.options.variant == Variant::E;
        let is_out = |other| {
            other != node
                && (is_alone || self.profiles.occurs(other))
                && !unit.is_some_and(|unit| unit.contains(&other))
        };
        self.functions.all(is_out).into_iter().collect()
    }
}
