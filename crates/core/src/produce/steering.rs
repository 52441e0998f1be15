//! The choices of a tree that covers: on its way to one goal, and greedy for others beside it.

use super::expand::{Choices, Place};
use super::random::{LAYOUT, draw};
use super::route::Route;
use crate::entropy::Entropy;
use crate::kpath::{Goals, RepetitionCounts};
use crate::table::{AlternativeId, OccurrenceId, RepetitionId, RuleId, Symbol, SymbolKind, Table};

/// The occurrences that each alternative and each repetition contains: they are consecutive.
pub(super) struct Spans {
    alternatives: Vec<(u32, u32)>,
    repetitions: Vec<(u32, u32)>,
}

impl Spans {
    pub(super) fn new(table: &Table) -> Self {
        let mut spans = Self {
            alternatives: vec![(u32::MAX, 0); table.alternative_count()],
            repetitions: vec![(u32::MAX, 0); table.repetition_count()],
        };
        for occurrence in (0..table.occurrence_count() as u32).map(OccurrenceId::new) {
            let widen = |span: &mut (u32, u32)| {
                *span = (span.0.min(occurrence.get()), span.1.max(occurrence.get() + 1));
            };
            let mut site = Some(table.occurrence_site(occurrence));
            while let Some(here) = site {
                if let Some(repetition) = here.repetition {
                    widen(&mut spans.repetitions[repetition.index()]);
                }
                widen(&mut spans.alternatives[here.alternative.index()]);
                site = table.group_site(table.rule_of(here.alternative));
            }
        }
        spans
    }
}

/// The memory of steering.
#[derive(Default)]
pub(super) struct Memory {
    /// For each reference on the chain, the first occurrence of the body behind it.
    starts: Vec<u32>,
    /// For each reference on the chain, the ranks of the walks of 1 to k - 1 nodes that end there.
    ranks: Vec<u32>,
    /// For each open node, the progress when it was last asked whether to go on.
    asked: Vec<u64>,
}

impl Memory {
    pub(super) fn clear(&mut self) {
        self.starts.clear();
        self.ranks.clear();
        self.asked.clear();
    }
}

/// The choices of a tree that covers.
pub(super) struct Steering<'c, E> {
    pub(super) entropy: &'c mut E,
    pub(super) goals: &'c mut Goals,
    pub(super) repetitions: Option<&'c mut RepetitionCounts>,
    pub(super) spans: &'c Spans,
    pub(super) route: &'c mut Route,
    pub(super) memory: &'c mut Memory,
    pub(super) size: u64,
    pub(super) patience: u64,
    /// Whether choices off the way are random, where no goal is wanted.
    pub(super) varied: bool,
    /// Whether no further goals are taken up.
    pub(super) full: bool,
    /// How many goals this tree has covered.
    pub(super) progress: u64,
    /// How many nodes there were when it last did.
    pub(super) fresh_at: u64,
}

impl<E: Entropy> Steering<'_, E> {
    /// How many ranks are kept for a reference.
    fn stride(&self) -> usize {
        self.goals.index().k() - 1
    }

    /// The length of the chain of references, and the ranks of the walks that end in the last.
    fn context(&self) -> (usize, &[u32]) {
        let (length, stride) = (self.memory.starts.len(), self.stride());
        let longest = length.min(stride);
        let ranks =
            &self.memory.ranks[self.memory.ranks.len() - if length == 0 { 0 } else { stride }..];
        (longest, &ranks[..longest])
    }

    /// Covers the walks that end in an occurrence; a reference is put on the chain.
    fn see(&mut self, occurrence: OccurrenceId, reference: bool, nodes: u64) {
        let stride = self.stride();
        let from = self.memory.ranks.len().saturating_sub(stride);
        let longest = self.memory.starts.len().min(stride);
        let local = occurrence.get() - self.memory.starts.last().copied().unwrap_or(0);
        let to = self.memory.ranks.len();
        if reference {
            self.memory.ranks.resize(to + stride, 0);
        }
        let mut new = false;
        for above in (0..=longest).rev() {
            let rank = match above {
                0 => occurrence.get(),
                _ => self.goals.first_child(self.memory.ranks[from + above - 1]) + local,
            };
            new |= self.goals.settle(rank);
            if reference && above < stride {
                self.memory.ranks[to + above] = rank;
            }
        }
        if new {
            self.progress += 1;
            self.fresh_at = nodes;
        }
        if reference {
            self.memory.starts.push(self.goals.index().body(occurrence).0);
        }
    }

    /// How many goals are wanted behind the occurrences of a span, were they to follow here.
    fn gain(&self, (low, high): (u32, u32), height: u32) -> u64 {
        if low >= high {
            return 0;
        }
        let (longest, ranks) = self.context();
        let k = self.goals.index().k();
        let start = self.memory.starts.last().copied().unwrap_or(0);
        let mut gain = 0_u64;
        let mut count = |first: u32, length: usize| {
            let shift = 8 * (k - length).min(7);
            let (mut now, mut later) = (0, 0);
            for (rank, node) in (first..).zip(low..high) {
                if self.goals.is_wanted(rank) && self.goals.need(node) <= height {
                    now += 1;
                }
                if length < k && self.goals.least(rank) <= height {
                    later += u64::from(self.goals.below(rank));
                }
            }
            let all = (now.min(255) << 56) + (later.min(255) << (56 - shift));
            gain = gain.saturating_add(all);
        };
        count(low, 1);
        for above in 1..=longest {
            count(self.goals.first_child(ranks[above - 1]) + (low - start), above + 1);
        }
        gain
    }

    /// Whether a choice that no goal decides is random, not the cheapest.
    fn strays(&self) -> bool {
        self.varied && !self.entropy.is_exhausted()
    }
}

impl<E: Entropy> Choices for Steering<'_, E> {
    type Source = E;

    fn source(&mut self) -> &mut E {
        self.entropy
    }

    fn is_closing(&self) -> bool {
        self.full && !self.route.is_here()
    }

    fn plain_leaves(&self) -> bool {
        self.full
    }

    fn layout(&mut self) -> bool {
        !self.full && self.strays() && self.entropy.below(LAYOUT) == 0
    }

    fn begin(&mut self, place: &Place<'_>, symbol: Symbol) {
        self.route.begin(symbol);
        let nodes = place.spent.used.nodes;
        if self.route.is_here() {
            self.fresh_at = nodes;
        }
        self.full |= place.spent.used.bytes >= self.size || nodes - self.fresh_at > self.patience;
        match symbol.kind() {
            SymbolKind::Terminal(occurrence) => self.see(occurrence, false, nodes),
            SymbolKind::Reference(occurrence) => self.see(occurrence, true, nodes),
            _ => {}
        }
        if !symbol.is_leaf() {
            self.memory.asked.push(self.progress);
        }
    }

    fn end(&mut self, symbol: Symbol, choice: u32) {
        self.route.end();
        self.memory.asked.pop();
        match symbol.kind() {
            SymbolKind::Reference(_) => {
                self.memory.starts.pop();
                let left = self.memory.ranks.len() - self.stride();
                self.memory.ranks.truncate(left);
            }
            SymbolKind::Repetition(repetition) => {
                if let Some(counts) = &mut self.repetitions
                    && counts.see(repetition, choice)
                {
                    self.progress += 1;
                }
            }
            _ => {}
        }
    }

    fn demanded(&self) -> Option<AlternativeId> {
        self.route.alternative()
    }

    fn alternative(
        &mut self,
        place: &Place<'_>,
        _rule: RuleId,
        fitting: &[AlternativeId],
    ) -> Option<AlternativeId> {
        if self.full {
            return None;
        }
        let (mut best, mut most, mut weight) = (None, 0, 0);
        for &alternative in fitting {
            let gain = self.gain(self.spans.alternatives[alternative.index()], place.height);
            if gain == 0 || gain < most {
                continue;
            }
            if gain > most {
                (most, weight) = (gain, 0);
            }
            // One of equals, by weight.
            let own = u64::from(place.table.weight(alternative)).max(1);
            weight += own;
            if self.entropy.below(weight) < own {
                best = Some(alternative);
            }
        }
        if best.is_none() && self.strays() {
            let weight = |alternative| u64::from(place.table.weight(alternative));
            return Some(draw(self.entropy, fitting, weight));
        }
        best
    }

    fn more(&mut self, place: &Place<'_>, repetition: RepetitionId, done: u32) -> bool {
        if let Some(demanded) = self.route.more(done) {
            return demanded;
        }
        if self.full {
            return false;
        }
        if let Some(counts) = &self.repetitions {
            let least = place.table.repetition(repetition).min;
            if done < 2 && counts.wants(repetition, 2) {
                return true;
            }
            if done >= least && counts.wants(repetition, done) && done < 2 {
                return false;
            }
        }
        let asked = self.memory.asked.last_mut();
        let before = asked.map_or(0, |asked| std::mem::replace(asked, self.progress));
        let wanted = (done == 0 || before != self.progress)
            && self.gain(self.spans.repetitions[repetition.index()], place.height) > 0;
        if wanted || !self.strays() {
            return wanted;
        }
        let on = u64::from(place.table.repetition(repetition).weight);
        self.entropy.below(on + 1) < on
    }
}
