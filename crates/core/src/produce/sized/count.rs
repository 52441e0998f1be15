//! Counting: for each state and size, how many derivations there are.

use num_bigint::BigUint;

use super::states::{Inside, State, States, Way};
use crate::entropy::Entropy;

/// Exact counts by state and size.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    /// Of state `s` and size `n` at `s * sizes + n`.
    counts: Vec<BigUint>,
    sizes: usize,
}

/// Why states cannot be counted.
pub(super) enum Uncountable {
    /// A state leads to itself without growing.
    Endless(State),
    /// It takes more work than is allowed.
    Work,
}

/// Words that are read, multiplied or kept in the time of one product of short counts.
const WORDS_A_PRODUCT: u64 = 16;

impl Counts {
    /// Counts sizes of up to `high` of what a state leads to, by so many products at most: of long counts the
    /// words count, too.
    ///
    /// Sizes in rising order, and of each the states in an order in which each comes after those whose counts
    /// of the same size it is made of.
    pub(super) fn new(
        states: &States,
        root: State,
        high: u32,
        most: u64,
    ) -> Result<Self, Uncountable> {
        let order = order(states, root, &empties(states)).map_err(Uncountable::Endless)?;
        let sizes = high as usize + 1;
        let mut counts = Self { counts: vec![BigUint::default(); states.count() * sizes], sizes };
        let mut work = 0_u64;
        for size in 0..=high {
            for &state in &order {
                let mut sum = BigUint::default();
                for &way in states.ways(state) {
                    let is_product = matches!(way, Way::Item(_, Inside::State(..), _));
                    counts.splits(way, size, |_, count| {
                        let words = count.bits() / 64;
                        // Each word of the one with each of the other: of so many, a quarter of their square at most.
                        let read = if is_product { words * words / 4 } else { words };
                        work += 1 + read / WORDS_A_PRODUCT;
                        sum += count;
                        work > most
                    });
                }
                work += sum.bits() / 64;
                if work > most {
                    return Err(Uncountable::Work);
                }
                counts.counts[state.index() * sizes + size as usize] = sum;
            }
        }
        Ok(counts)
    }

    pub(super) fn of(&self, state: State, size: u32) -> &BigUint {
        &self.counts[state.index() * self.sizes + size as usize]
    }

    /// Goes through the sizes that the first part of a way may have, where it has so much in all, with how many
    /// derivations there are; ends when `each` says so.
    fn splits(&self, way: Way, size: u32, mut each: impl FnMut(u32, BigUint) -> bool) -> bool {
        let behind =
            |then: State, first: u32| size.checked_sub(first).map(|rest| self.of(then, rest));
        let zero = BigUint::default();
        match way {
            Way::End => size == 0 && each(0, BigUint::from(1_u32)),
            Way::Alternative(_, then) => each(size, self.of(then, size).clone()),
            Way::Item(_, Inside::Fixed(first), then) => {
                behind(then, first).is_some_and(|count| each(first, count.clone()))
            }
            Way::Move { bytes: first, then, .. } => {
                behind(then, first).is_some_and(|count| each(first, count.clone()))
            }
            Way::Item(_, Inside::Lengths(lengths), then) => (1..=4)
                .filter(|first| lengths & 1 << first != 0)
                .any(|first| behind(then, first).is_some_and(|count| each(first, count.clone()))),
            Way::Item(_, Inside::State(state, more), then) => {
                let Some(size) = size.checked_sub(more) else { return false };
                (0..=size).any(|first| {
                    let (own, rest) = (self.of(state, first), self.of(then, size - first));
                    *own != zero && *rest != zero && each(first + more, own * rest)
                })
            }
        }
    }

    /// A way to go on from a state of so much, and the size of its first part, in proportion to what is behind.
    pub(super) fn draw(
        &self,
        states: &States,
        state: State,
        size: u32,
        entropy: &mut impl Entropy,
    ) -> Option<(Way, u32)> {
        let mut left = below(entropy, self.of(state, size));
        let mut found = None;
        for &way in states.ways(state) {
            let done = self.splits(way, size, |first, count| {
                let here = left < count;
                if here {
                    found = Some((way, first));
                } else {
                    left -= count;
                }
                here
            });
            if done {
                break;
            }
        }
        found
    }
}

/// An integer below a bound, each as likely; 0 where that is 0.
pub(super) fn below(entropy: &mut impl Entropy, bound: &BigUint) -> BigUint {
    /// Each draw is below the bound with a probability of a half or more.
    const DRAWS: u32 = 128;
    let zero = BigUint::default();
    if *bound == zero {
        return zero;
    }
    let bits = bound.bits();
    let mut drawn = zero;
    for _ in 0..DRAWS {
        let words: Vec<u32> = (0..bits.div_ceil(32)).map(|_| entropy.next_u64() as u32).collect();
        drawn = BigUint::new(words) >> (bits.div_ceil(32) * 32 - bits);
        if drawn < *bound {
            return drawn;
        }
    }
    drawn % bound
}

/// Which states may be empty.
fn empties(states: &States) -> Vec<bool> {
    let mut empty = vec![false; states.count()];
    let mut users: Vec<Vec<State>> = vec![Vec::new(); states.count()];
    let mut queue: Vec<State> = states.all().collect();
    for state in states.all() {
        for way in states.ways(state) {
            let (first, then) = parts(*way);
            first.into_iter().chain(then).for_each(|used| users[used.index()].push(state));
        }
    }
    while let Some(state) = queue.pop() {
        let is_empty = states.ways(state).iter().any(|&way| {
            let (first, then) = parts(way);
            !grows(way) && first.into_iter().chain(then).all(|part| empty[part.index()])
        });
        if is_empty && !std::mem::replace(&mut empty[state.index()], true) {
            queue.extend(&users[state.index()]);
        }
    }
    empty
}

/// The states that a way goes through, the first of which is not always one.
fn parts(way: Way) -> (Option<State>, Option<State>) {
    match way {
        Way::End => (None, None),
        Way::Alternative(_, then) | Way::Move { then, .. } => (None, Some(then)),
        Way::Item(_, Inside::State(state, _), then) => (Some(state), Some(then)),
        Way::Item(_, _, then) => (None, Some(then)),
    }
}

/// Whether a way has a size of its own, beyond that of its states.
fn grows(way: Way) -> bool {
    match way {
        Way::End | Way::Alternative(..) => false,
        Way::Move { .. } | Way::Item(_, Inside::Lengths(_), _) => true,
        Way::Item(_, Inside::Fixed(more) | Inside::State(_, more), _) => more > 0,
    }
}

/// The states that one leads to.
fn reached(states: &States, root: State) -> Vec<State> {
    let mut is_found = vec![false; states.count()];
    is_found[root.index()] = true;
    let (mut found, mut next) = (vec![root], 0);
    while let Some(&state) = found.get(next) {
        next += 1;
        for (first, then) in states.ways(state).iter().map(|&way| parts(way)) {
            for part in first.into_iter().chain(then) {
                if !std::mem::replace(&mut is_found[part.index()], true) {
                    found.push(part);
                }
            }
        }
    }
    found
}

/// The states that one leads to, each after those whose counts of a size its own count of the same size is made of; one that is
/// among these where there is no such order.
fn order(states: &States, root: State, empty: &[bool]) -> Result<Vec<State>, State> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let needs = |state: State| {
        states.ways(state).iter().flat_map(|&way| {
            let (first, then) = parts(way);
            let grows = grows(way);
            // Each is as large as the whole where the other may be empty.
            let first_counts = !grows && then.is_none_or(|then| empty[then.index()]);
            let then_counts = !grows && first.is_none_or(|first| empty[first.index()]);
            first.filter(|_| first_counts).into_iter().chain(then.filter(|_| then_counts))
        })
    };
    let mut marks = vec![Mark::New; states.count()];
    let mut order = Vec::with_capacity(states.count());
    let mut open: Vec<(State, Vec<State>)> = Vec::new();
    for root in reached(states, root) {
        if marks[root.index()] != Mark::New {
            continue;
        }
        marks[root.index()] = Mark::Open;
        open.push((root, needs(root).collect()));
        while let Some((state, left)) = open.last_mut() {
            let Some(next) = left.pop() else {
                marks[state.index()] = Mark::Done;
                order.push(*state);
                open.pop();
                continue;
            };
            match marks[next.index()] {
                Mark::Done => {}
                Mark::Open => return Err(next),
                Mark::New => {
                    marks[next.index()] = Mark::Open;
                    open.push((next, needs(next).collect()));
                }
            }
        }
    }
    Ok(order)
}
