//! Inputs of other lengths than the solver was asked for: cut off, and as long as they may be.
//!
//! What a thousand rounds spend, as a stack or a number, no branch says before it is spent, and a question for each of them takes too
//! long. Such an input costs a run of the program itself: the machine would take a hundred times as long, and what it would say of many
//! rounds is what it says of few.

use super::queue::Parent;
use super::{Explorer, Reason, Waiting};
use crate::path::Decision;
use fxhash::{FxHashMap, FxHasher};
use pleach_concolic::ir::Pc;
use std::hash::{Hash, Hasher};

/// How often a byte behind another one is repeated; later at every power of two.
const TRIES: u32 = 4;
/// How many rounds of a branch, that differ, are repeated and left out.
const ROUNDS: usize = 4;

/// How many bytes the inputs may have together that wait.
const WAITING: usize = 16 << 20;

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
        let alone = matches!(reason, Reason::Rounds);
        if is_room
            && input.len() <= self.options.max_length
            && self.is_as_assumed(&input)
            && self.is_new(&input, alone)
        {
            self.varied.push_back(Waiting::new(input, reason));
        }
    }
}
