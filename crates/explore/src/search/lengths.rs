//! Inputs of other lengths than the solver was asked for: cut off, and as long as they may be.
//!
//! What a thousand rounds spend, as a stack or a number, no branch says before it is spent, and a question for each of them takes too
//! long. Such an input costs a run of the program itself: the machine would take a hundred times as long, and what it would say of many
//! rounds is what it says of few.

use super::queue::Parent;
use super::{Event, Explorer, Reason, Waiting};
use crate::native::Judge;
use crate::parts;
use crate::path::Decision;
use fxhash::{FxHashMap, FxHashSet, FxHasher};
use pleach_concolic::ir::Pc;
use pleach_unit::lengths::resized;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

/// How often a byte behind another one is repeated; later at every power of two.
const TRIES: u32 = 4;
/// How many rounds of a branch, that differ, are repeated and left out.
const ROUNDS: usize = 4;

/// How many lengths of words are made others for a place.
const LENGTHS: usize = 8;
/// After how many questions without a new edge.
const BARREN: u32 = 16;
/// Which part of all instructions is for inputs with words of other lengths that take no new edge.
const PART: u64 = 8;

/// How many bytes the inputs may have together that wait.
const WAITING: usize = 16 << 20;

/// Words of other lengths.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Which lengths were made others, for which place.
    tried: FxHashMap<Pc, FxHashSet<(u8, u8)>>,
    /// Inputs that wait.
    waiting: VecDeque<Vec<u8>>,
    /// How many instructions were executed for those that came to nothing.
    vain: u64,
}

impl Words {
    pub(super) fn next(&mut self) -> Option<Waiting> {
        self.waiting.pop_front().map(|input| Waiting::new(input, Reason::Hope))
    }
}

impl Explorer {
    /// Repeats each byte of an input that has done something new, and lets the input end and begin there: short ones are cheap to search.
    pub(super) fn vary_length(&mut self, input: &[u8]) {
        for at in 0..input.len() {
            let (before, byte) = (at.checked_sub(1).map(|before| input[before]), input[at]);
            let tries = self.ends.entry((before, byte)).or_default();
            *tries += 1;
            let tries = *tries;
            if tries == 1 {
                for part in [&input[..at + 1], &input[at..]] {
                    self.vary(part.to_vec(), Reason::Hope);
                }
            }
            if tries <= TRIES || tries.is_power_of_two() {
                self.pump(input, at + 1, 1);
            }
        }
    }

    /// Repeats what a loop, or a recursion, has read in its last round: what was read between two decisions at the same branch.
    pub(super) fn go_round(&mut self, parent: &Parent, gone_on: &Decision, ended: &Decision) {
        if parent.sets.is_some() {
            return;
        }
        let length = parent.input.len();
        let (Some(end), Some(next)) =
            (self.last_byte(gone_on, length), self.last_byte(ended, length))
        else {
            return;
        };
        let period = next.saturating_sub(end);
        if period > 0 && period <= end + 1 {
            self.pump(&parent.input, end + 1, period);
        }
    }

    /// The last byte that decides, of an input of this length.
    fn last_byte(&mut self, decision: &Decision, length: usize) -> Option<usize> {
        let bytes = self.subject.symbolic().terms.variables(decision.value).iter().rev();
        bytes.map(|&offset| offset as usize).find(|&offset| offset < length)
    }

    /// Repeats each round of a loop once and often, and leaves it out, where it has more bytes than one: what was read between two
    /// decisions at the same branch for the same place.
    pub(super) fn vary_rounds(&mut self, input: &[u8], decisions: &[Decision]) {
        let mut ends: FxHashMap<(Pc, Pc), usize> = FxHashMap::default();
        for decision in decisions.iter().filter(|it| it.is_necessary()) {
            let Some(end) = self.last_byte(decision, input.len()) else { continue };
            let Some(before) = ends.insert((decision.at, decision.from), end) else { continue };
            let (from, to) = (before + 1, end + 1);
            if to < from + 2 {
                continue;
            }
            let mut hasher = FxHasher::default();
            (decision.at, &input[from..to]).hash(&mut hasher);
            let tries = self.rounds.entry(decision.at).or_default();
            if tries.len() >= ROUNDS || !tries.insert(hasher.finish()) {
                continue;
            }
            self.pump(input, to, to - from);
            self.vary([&input[..to], &input[from..]].concat(), Reason::Hope);
            self.vary([&input[..from], &input[to..]].concat(), Reason::Hope);
        }
    }

    /// Makes words of an input as long as what may be their lengths was compared with: what is decided by a length sees no byte of the input, so nothing asks for
    /// another one.
    pub(super) fn vary_words(&mut self, input: &[u8], lengths: &FxHashSet<(Pc, u8, u8)>) {
        // In an order that does not depend on how the set is made.
        let mut lengths: Vec<_> = lengths.iter().copied().collect();
        lengths.sort_unstable();
        if lengths.is_empty() {
            return;
        }
        let texts = parts::texts(input).unwrap_or_else(|| vec![input.to_vec()]);
        for (from, a, b) in lengths {
            for (length, wanted) in [(a, b), (b, a)] {
                let tries = self.words.tried.entry(from).or_default();
                if tries.len() >= LENGTHS || tries.contains(&(length, wanted)) {
                    continue;
                }
                let mut others = Vec::new();
                for (part, text) in texts.iter().enumerate() {
                    resized(text, length.into(), wanted.into(), &mut |other| {
                        others.push(parts::replace(input, part, &other).unwrap_or(other));
                    });
                }
                if !others.is_empty() {
                    tries.insert((length, wanted));
                }
                for other in others {
                    let is_room =
                        self.words.waiting.len() < WAITING / self.options.max_length.max(1);
                    if is_room && self.is_to_be_run(&other, false) {
                        self.words.waiting.push_back(other);
                    }
                }
            }
        }
    }

    /// Runs an input with a word of another length, if there is one and questions lead to nothing new: those that came to nothing have a part of the
    /// instructions.
    pub(super) fn run_word(&mut self, judge: &mut dyn Judge) -> Option<Event> {
        let is_barren = self.shapes.barren >= BARREN;
        if !is_barren || self.words.vain.saturating_mul(PART) > self.counts.steps {
            return None;
        }
        let (waiting, before) = (self.words.next()?, self.counts.steps);
        let event = self.execute(waiting, judge);
        if let Event::Ran { edges: 0, .. } = event {
            self.words.vain += self.counts.steps - before;
        }
        Some(event)
    }

    /// Adds an input in which so many bytes before a place are repeated until there is room for no more.
    fn pump(&mut self, input: &[u8], at: usize, period: usize) {
        let room = self.options.max_length.saturating_sub(input.len());
        if room < period {
            return;
        }
        let (before, rest) = input.split_at(at);
        let repeated = before[at - period..].iter().cycle().take(room - room % period);
        let longer: Vec<u8> = before.iter().chain(repeated).chain(rest).copied().collect();
        self.vary(longer, Reason::Rounds);
    }

    /// Lets an input wait, if there is room and it was not made before.
    fn vary(&mut self, input: Vec<u8>, reason: Reason) {
        let is_room = self.varied.len() < WAITING / self.options.max_length.max(1);
        if is_room && self.is_to_be_run(&input, matches!(reason, Reason::Rounds)) {
            self.varied.push_back(Waiting::new(input, reason));
        }
    }

    /// Whether an input is one that may be run, and was not.
    fn is_to_be_run(&mut self, input: &[u8], alone: bool) -> bool {
        input.len() <= self.options.max_length
            && self.is_as_assumed(input)
            && self.is_new(input, alone)
    }
}
