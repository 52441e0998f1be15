//! Left-corner prefixes: pre-expanded beginnings of derivations, drawn in one step.
//!
//! What random production by a table costs is not copying but branches that no processor can
//! predict, a few for each choice. So the choices at the left end of a rule's derivations are
//! fused ahead of time. A prefix of a rule is a leftmost derivation from it, cut somewhere: the
//! nodes and the text it has produced so far, and the symbols still to be expanded. The prefixes
//! of a rule are the leaves of a tree of choices, so their probabilities, products of those of
//! the choices, add up to one, and drawing a prefix is drawing all its choices at once.
//!
//! A draw is bound by the latency from one prefix to what it leaves to be expanded, so that
//! way is short: the high bits of a random word index a table of slots, in which a prefix has as
//! many as its probability has whole shares, and the prefix itself is one cache line with its
//! text and what to expand next. What is left of the probabilities beyond whole shares is one
//! slot in some tens, which leads to a second draw by the alias method (Walker, 1977): the
//! probabilities are exact to 32 bits.
//!
//! Literals that follow a pending symbol are drawn with it: a choice is made for each rule and the
//! literals after it that some prefix leaves pending. Which prefixes a choice has: the likeliest
//! that can go on is expanded by its leftmost symbol until there are as many as the choice's share
//! of the tables' memory, which goes by how often it is expected in a derivation.

mod build;
mod pending;

use super::characters::Characters;
use super::weights::Weights;
use crate::table::{Objective, RuleId, Symbol, SymbolKind, Table};
use crate::tree::Node;
use pending::below;
pub(super) use pending::{LEAF, Pending, TAIL};

/// The most text of a prefix.
pub(super) const TEXT: usize = 16;

/// The most nodes of a prefix.
pub(super) const NODES: usize = 16;

/// A node is taken for as many bytes at most where both are bounded by one number.
pub(super) const BYTES_A_NODE: u64 = 4;

/// Repetitions of more than this are expanded with care.
const MOST_COPIES: u32 = 1 << 12;

/// A left-corner prefix of derivations: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Prefix {
    pub(super) text: [u8; TEXT],
    /// What is to be expanded first, and what after it.
    pub(super) first: Pending,
    pub(super) second: Pending,
    /// The index of its nodes.
    pub(super) nodes: u32,
    /// Where what is to be expanded from the second on begins, if that is more than one; the last
    /// first.
    pub(super) rest: u32,
    pub(super) pending_len: u32,
    pub(super) text_len: u8,
    /// 0 where this is none, but stands for the slots of a second draw.
    pub(super) node_len: u8,
}

/// A place of the alias method.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alias {
    /// Words whose upper half is below this mean the prefix of this place.
    pub(super) threshold: u32,
    /// The prefix that the others mean.
    pub(super) other: u32,
}

/// The prefixes of one rule or repetition, with the literals after it.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct Choice {
    /// Its first prefix, which stands for a second draw; the others follow.
    pub(super) start: u32,
    /// How many there are, the first not counted.
    pub(super) len: u32,
    /// The first of its places for the second draw.
    pub(super) aliases: u32,
    /// Its first slot, and how many bits index its slots, as in a pending symbol.
    slots: u32,
    /// With this height left, every prefix can be taken and what it leaves can be closed.
    pub(super) height: u32,
    /// What a draw adds at most, closing what the prefix leaves included: nodes, or bytes over
    /// [`BYTES_A_NODE`] if that is more.
    pub(super) growth: u32,
}

/// How often a choice leads to another, on average.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lead {
    from: u32,
    to: u32,
    times: f64,
}

/// The prefixes of a table for some weights.
#[derive(Clone, Debug, Default)]
pub(super) struct Prefixes {
    pub(super) choices: Vec<Choice>,
    /// What the root of each choice's prefixes is, before it is renamed to what is expanded.
    roots: Vec<Symbol>,
    /// One for each prefix and what it leaves to choices.
    pub(super) leads: Vec<Lead>,
    /// The literals after the rule of each choice.
    pub(super) literals: Vec<Vec<Symbol>>,
    /// Prefixes by choice and the high bits of a word.
    pub(super) slots: Vec<u16>,
    pub(super) prefixes: Vec<Prefix>,
    pub(super) aliases: Vec<Alias>,
    /// The nodes of each prefix; beyond its own there is no meaning.
    pub(super) nodes: Vec<[Node; NODES]>,
    pub(super) rest: Vec<Pending>,
    /// The most that a prefix leaves to be expanded, 2 at least.
    pub(super) most_pending: usize,
    /// The choice of each rule, then of each repetition, with nothing after it; [`LEAF`] where
    /// there is none.
    plain: Vec<u32>,
}

pub(super) const NO_NODE: Node = Node { symbol: Symbol::LAYOUT, choice: 0 };
const NO_PREFIX: Prefix = Prefix {
    text: [0; TEXT],
    first: Pending::NONE,
    second: Pending::NONE,
    nodes: 0,
    rest: 0,
    pending_len: 0,
    text_len: 0,
    node_len: 0,
};

impl Prefixes {
    /// The choices that production from the start rule needs, of a table without layout between
    /// tokens.
    pub(super) fn new(
        table: &Table,
        weights: &Weights,
        characters: Characters,
        objective: Objective,
    ) -> Self {
        let mut found = build::build(table, weights, characters, objective, false);
        found.link();
        found
    }

    /// As [`Prefixes::new`], and derivations may begin with any rule.
    pub(super) fn of_all_rules(
        table: &Table,
        weights: &Weights,
        characters: Characters,
        objective: Objective,
    ) -> Self {
        let mut found = build::build(table, weights, characters, objective, true);
        found.link();
        found
    }

    /// What the root of a derivation is that begins with a choice, with so much height left.
    pub(super) fn root(&self, choice: usize, height: u32) -> Pending {
        let mut root = Pending::new(self.roots[choice], choice as u32, height, 1);
        root.set_slots(self.choices[choice].slots);
        root
    }

    /// Whether a prefix of a choice leaves something to be expanded.
    pub(super) fn leaves_pending(&self, choice: usize) -> bool {
        let Choice { start, len, .. } = self.choices[choice];
        let own = &self.prefixes[start as usize + 1..(start + 1 + len) as usize];
        own.iter().any(|prefix| prefix.pending_len > 0)
    }

    /// A symbol to be expanded by choices, where there are some for it.
    pub(super) fn pending(
        &self,
        table: &Table,
        symbol: Symbol,
        height: u32,
        count: u32,
    ) -> Pending {
        let choice = plain(table, symbol).map_or(LEAF, |plain| self.plain[plain as usize]);
        let mut pending = Pending::new(symbol, choice, height - below(symbol), count);
        pending.set_slots(self.choices.get(choice as usize).map_or(1, |choice| choice.slots));
        pending
    }

    /// Tells each pending symbol where the slots of its choice are.
    fn link(&mut self) {
        let choices = &self.choices;
        let link = |pending: &mut Pending| {
            let choice = choices.get(pending.choice() as usize);
            pending.set_slots(choice.map_or(1, |choice| choice.slots));
        };
        self.rest.iter_mut().for_each(link);
        for prefix in &mut self.prefixes {
            link(&mut prefix.first);
            link(&mut prefix.second);
        }
    }
}

/// The number of a rule or repetition among both; none for what choices do not expand.
fn plain(table: &Table, symbol: Symbol) -> Option<u32> {
    match symbol.kind() {
        SymbolKind::Repetition(id) if table.repetition(id).min > MOST_COPIES => None,
        SymbolKind::Repetition(id) => Some(table.rule_count() as u32 + id.get()),
        _ => table.rule_behind(symbol).map(RuleId::get),
    }
}

/// How often each choice is made in a derivation, on average, where each leads to others so often
/// and only a share of the times that it is made.
pub(super) fn visits(choices: usize, leads: &[Lead], share: impl Fn(u32) -> f64) -> Vec<f64> {
    /// Enough for a rule deep in a layered grammar to be reached.
    const ROUNDS: usize = 64;
    let mut visits = vec![0.0; choices];
    for _ in 0..ROUNDS {
        let mut next = vec![0.0; choices];
        if let Some(start) = next.first_mut() {
            *start = 1.0;
        }
        for lead in leads {
            // A grammar may derive endless trees: then only the order of magnitude is kept.
            let led = visits[lead.from as usize] * share(lead.from) * lead.times;
            next[lead.to as usize] = f64::min(next[lead.to as usize] + led, 1e9);
        }
        visits = next;
    }
    visits
}
