//! Candidates that wait for answers, which are settled in the order of the candidates.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hasher};

use fxhash::FxHashSet;

/// Which candidate an answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(u64);

/// A candidate by what it was made of.
#[derive(Clone, Debug)]
struct Pending<T> {
    ticket: Ticket,
    hash: u64,
    made_of: T,
    answer: Option<bool>,
}

/// The candidates that wait, and what was refused before.
#[derive(Clone, Debug)]
pub(super) struct Open<T> {
    pending: VecDeque<Pending<T>>,
    /// Hashes of texts that were refused, and how many of them are remembered.
    refused: FxHashSet<u64>,
    memory: usize,
    next_ticket: u64,
    tried: u64,
}

impl<T> Open<T> {
    /// None yet; so many refused texts are remembered before all are forgotten.
    pub(super) fn new(memory: usize) -> Self {
        let (pending, refused) = (VecDeque::new(), FxHashSet::default());
        Self { pending, refused, memory, next_ticket: 0, tried: 0 }
    }

    /// How many have been settled.
    pub(super) fn tried(&self) -> u64 {
        self.tried
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.pending.len()
    }

    /// Whether an answer still matters.
    pub(super) fn has(&self, ticket: Ticket) -> bool {
        self.pending.iter().any(|pending| pending.ticket == ticket && pending.answer.is_none())
    }

    /// Whether one is interesting that waits for those before it.
    pub(super) fn is_decided(&self) -> bool {
        self.pending.iter().any(|pending| pending.answer == Some(true))
    }

    /// The hash of a text that was not refused and does not wait.
    pub(super) fn fresh(&self, text: &[u8]) -> Option<u64> {
        let hash = hash(text);
        let is_known =
            self.refused.contains(&hash) || self.pending.iter().any(|pending| pending.hash == hash);
        (!is_known).then_some(hash)
    }

    /// Adds a candidate behind all others.
    pub(super) fn add(&mut self, hash: u64, made_of: T) -> Ticket {
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.pending.push_back(Pending { ticket, hash, made_of, answer: None });
        ticket
    }

    /// Notes an answer, if it still matters.
    pub(super) fn answer(&mut self, ticket: Ticket, is_interesting: bool) {
        let open = self.pending.iter_mut().find(|pending| pending.ticket == ticket);
        if let Some(pending) = open.filter(|pending| pending.answer.is_none()) {
            pending.answer = Some(is_interesting);
        }
    }

    /// Settles the first one, if it is answered, as one who tries them one by one: what it was made of, and
    /// whether it is interesting. If so, all others are void.
    pub(super) fn settle(&mut self) -> Option<(T, bool)> {
        let is_interesting = self.pending.front()?.answer?;
        let first = self.pending.pop_front()?;
        self.tried += 1;
        if is_interesting {
            self.pending.clear();
        } else {
            if self.refused.len() >= self.memory {
                self.refused.clear();
            }
            self.refused.insert(first.hash);
        }
        Some((first.made_of, is_interesting))
    }
}

/// A text by 64 bits: that two of a million have the same has a probability of 3 in 100 million.
fn hash(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text);
    hasher.finish()
}
