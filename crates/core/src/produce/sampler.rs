//! Random production by prefixes, with choices made one by one only where a budget is near.
//!
//! The loop takes a pending symbol, draws one of its prefixes and copies it. Each draw takes from
//! the slack what it can add at most; what is really used is reckoned only when the slack is
//! spent. A symbol near the depth limit, or near the end of the budget, is expanded by
//! [`Expansion`] under the exact budget. Trees have the same probabilities either way.

use super::budget::Spending;
use super::costs::SymbolCosts;
use super::expand::Expansion;
use super::leaf;
use super::pool::{NODE_PIECE, Pool, TEXT_PIECE};
use super::prefix::{BYTES_A_NODE, Choice, NO_NODE, NODES, Pending, Prefix, Prefixes, TAIL, TEXT};
use super::random::RandomChoices;
use super::weights::Weights;
use crate::entropy::Entropy;
use crate::table::{Cost, OccurrenceId, Symbol, SymbolKind};
use crate::tree::{Node, Tree};

/// The memory of sampling: buffers that stay as long as they have once been, for what is beyond
/// the written part is never read.
#[derive(Clone, Default)]
pub(super) struct Sampler {
    text: Vec<u8>,
    nodes: Vec<Node>,
    stack: Vec<Pending>,
    /// Bytes written.
    at: usize,
    /// Nodes written, or counted where they are not recorded.
    node: usize,
    /// Symbols pending, and one below them that is none.
    top: usize,
    /// What is left of the budget, at least, when all that is pending is closed.
    slack: Cost,
    /// What choices made one by one append to.
    scratch: Tree,
}

/// What a sampler works with.
pub(super) struct Setting<'p, 't> {
    pub(super) costs: &'p SymbolCosts<'t>,
    pub(super) prefixes: &'p Prefixes,
    pub(super) weights: &'p Weights,
    /// Empty where every choice is drawn afresh.
    pub(super) pool: &'p Pool,
}

/// How large a derivation may become that is drawn beforehand.
#[derive(Clone, Copy)]
pub(super) struct Size<'s> {
    /// It ends after the draw that passes one of these.
    pub(super) bytes: usize,
    pub(super) nodes: usize,
    /// It ends before a draw that may leave more symbols pending.
    pub(super) pending: usize,
    /// Whether leaves of each terminal are written; others are left pending.
    pub(super) short: &'s [bool],
}

/// Why drawing stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// The slack is spent, by what draws may add at most.
    Slack,
    /// The next symbol needs care, or there is none.
    Care,
    /// A buffer is full, or the slack is more than one series of draws can spend.
    Room,
}

impl Sampler {
    /// Appends a sentence to `text`, and its nodes to `nodes` if `RECORD`.
    pub(super) fn sentence<E: Entropy, const RECORD: bool>(
        &mut self,
        setting: &Setting<'_, '_>,
        expansion: &mut Expansion,
        entropy: &mut E,
        text: &mut Vec<u8>,
        nodes: &mut Vec<Node>,
    ) {
        let root = Symbol::root(setting.costs.table.start());
        let root = (root, setting.costs.budget.depth);
        self.derivation::<E, RECORD>(setting, expansion, entropy, root, (text, nodes));
    }

    /// As [`Sampler::sentence`], from any symbol that closes within the budget, with so much height
    /// left for the rule it stands in.
    #[cfg_attr(fuzzing, inline(always))]
    pub(super) fn derivation<E: Entropy, const RECORD: bool>(
        &mut self,
        setting: &Setting<'_, '_>,
        expansion: &mut Expansion,
        entropy: &mut E,
        (symbol, height): (Symbol, u32),
        (text, nodes): (&mut Vec<u8>, &mut Vec<Node>),
    ) {
        let table = setting.costs.table;
        (self.at, self.node, self.top) = (0, 0, 0);
        self.push(Pending::NONE);
        self.push(setting.prefixes.pending(table, symbol, height, 1));
        self.slack = self.exact_slack(setting);
        let mut steps = 0;
        while self.top > 1 {
            if !entropy.is_exhausted() {
                let stop = if setting.pool.is_empty() {
                    self.draw::<E, RECORD, false>(setting, entropy)
                } else {
                    self.draw::<E, RECORD, true>(setting, entropy)
                };
                match stop {
                    Stop::Room => {
                        self.make_room::<RECORD>(setting.prefixes, setting.pool);
                        continue;
                    }
                    // To reckon the slack exactly looks at all that is pending: only now and then.
                    Stop::Slack if 8 * steps >= self.top => {
                        steps = 0;
                        let exact = self.exact_slack(setting);
                        if std::mem::replace(&mut self.slack, exact) != exact {
                            continue;
                        }
                    }
                    Stop::Slack | Stop::Care => {}
                }
            }
            steps += 1;
            self.step::<E, RECORD>(setting, expansion, entropy);
        }
        text.extend_from_slice(&self.text[..self.at]);
        if RECORD {
            nodes.extend_from_slice(&self.nodes[..self.node]);
        }
    }

    /// How many nodes the derivation has that was made last.
    pub(super) fn node_count(&self) -> usize {
        self.node
    }

    /// Draws a derivation from a symbol until it is complete, needs more than its height or what
    /// `size` does not allow, or is about as large as that. [`Sampler::drawn`] says what it is.
    pub(super) fn derive<E: Entropy>(
        &mut self,
        setting: &Setting<'_, '_>,
        expansion: &mut Expansion,
        entropy: &mut E,
        root: Pending,
        Size { bytes, nodes, pending, short }: Size<'_>,
    ) {
        // A draw ends for want of room.
        self.text.resize(bytes + TEXT, 0);
        self.nodes.resize(nodes + NODES, NO_NODE);
        self.stack.resize(pending + 1, Pending::NONE);
        (self.at, self.node, self.top) = (0, 0, 0);
        self.push(Pending::NONE);
        self.push(root);
        self.slack = Cost { bytes: u64::MAX, nodes: u64::MAX };
        while self.top > 1 && self.at < bytes && self.node < nodes {
            match self.draw::<E, true, false>(setting, entropy) {
                Stop::Room => return,
                Stop::Care | Stop::Slack => {
                    let pending = self.stack[self.top - 1];
                    let is_written = match pending.symbol().kind() {
                        SymbolKind::Terminal(occurrence) => {
                            let terminal = setting.costs.table.terminal_at(occurrence);
                            setting.costs.budget.bytes == u64::MAX
                                && terminal.is_some_and(|terminal| short[terminal.index()])
                        }
                        _ => false,
                    };
                    if self.top <= 1 || !(is_written || pending.choice() == TAIL) {
                        return;
                    }
                    self.step::<E, true>(setting, expansion, entropy);
                }
            }
        }
    }

    /// The text and the nodes of what [`Sampler::derive`] has drawn, and what it leaves pending,
    /// the last first.
    pub(super) fn drawn(&self) -> (&[u8], &[Node], &[Pending]) {
        (&self.text[..self.at], &self.nodes[..self.node], &self.stack[1..self.top])
    }

    /// Makes the buffers that are too short for a draw, and for all that it may leave to be
    /// expanded, larger; the others stay, for one may need thousands of times the other's length.
    #[cfg_attr(fuzzing, inline(always))]
    fn make_room<const RECORD: bool>(&mut self, prefixes: &Prefixes, pool: &Pool) {
        let (text, nodes) = (TEXT.max(pool.most_text), NODES.max(pool.most_nodes));
        let pending = prefixes.most_pending.max(pool.most_pending);
        if self.text.len() < self.at + text {
            self.text.resize(2 * (self.at + text), 0);
        }
        if RECORD && self.nodes.len() < self.node + nodes {
            self.nodes.resize(2 * (self.node + nodes), NO_NODE);
        }
        if self.stack.len() < self.top + pending {
            self.stack.resize(2 * (self.top + pending), Pending::NONE);
        }
    }

    fn push(&mut self, pending: Pending) {
        if self.top == self.stack.len() {
            self.stack.resize(2 * self.top + 16, Pending::NONE);
        }
        self.stack[self.top] = pending;
        self.top += 1;
    }

    /// Expands the symbol pending first with care.
    #[cfg_attr(fuzzing, inline(always))]
    fn step<E: Entropy, const RECORD: bool>(
        &mut self,
        setting: &Setting<'_, '_>,
        expansion: &mut Expansion,
        entropy: &mut E,
    ) {
        if self.top <= 1 {
            return;
        }
        self.top -= 1;
        let pending = self.stack[self.top];
        if pending.choice() == TAIL {
            let count = self.tail(setting, entropy, pending);
            if RECORD {
                self.nodes[self.node - 1].choice = count;
            }
            return;
        }
        if pending.count() > 1 {
            self.push(pending.less());
        }
        // With care goes the symbol alone: the literals that its choice takes along follow it.
        let around = pending.height_around();
        if let Some(literals) = setting.prefixes.literals.get(pending.choice() as usize) {
            for &literal in literals.iter().rev() {
                let table = setting.costs.table;
                self.push(setting.prefixes.pending(table, literal, for_literals(around), 1));
            }
        }
        if let SymbolKind::Terminal(occurrence) = pending.symbol().kind()
            && setting.costs.budget.bytes == u64::MAX
        {
            self.leaf::<E, RECORD>(setting, entropy, occurrence);
            return;
        }
        let used = self.used();
        let cost = setting.costs.symbol_cost(pending.symbol(), around);
        let reserved = setting.budget().minus(used).minus(self.slack).minus(cost);
        let mut choices = RandomChoices { weights: setting.weights, entropy, exotic: None };
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        let expanded = (pending.symbol(), around, true);
        expansion.symbol(
            setting.costs,
            expanded,
            Spending { used, reserved },
            &mut choices,
            &mut scratch,
        );
        write_at(&mut self.text, self.at, &scratch.text, 0);
        self.at += scratch.text.len();
        if RECORD {
            write_at(&mut self.nodes, self.node, &scratch.nodes, NO_NODE);
        }
        self.node += scratch.nodes.len();
        self.scratch = scratch;
        self.slack = setting.budget().minus(self.used()).minus(reserved);
    }

    /// Writes a terminal that is no part of a prefix, and that may be of any length.
    #[cfg_attr(fuzzing, inline(always))]
    fn leaf<E: Entropy, const RECORD: bool>(
        &mut self,
        setting: &Setting<'_, '_>,
        entropy: &mut E,
        occurrence: OccurrenceId,
    ) {
        let SymbolCosts { table, characters, .. } = *setting.costs;
        let Some(terminal) = table.terminal_at(occurrence) else { return };
        let text = &mut self.scratch.text;
        text.clear();
        leaf::write(table, terminal, characters, u64::MAX, entropy, text);
        write_at(&mut self.text, self.at, text, 0);
        let length = text.len();
        self.at += length;
        if RECORD {
            let node = Node { symbol: table.symbol(occurrence), choice: length as u32 };
            write_at(&mut self.nodes, self.node, &[node], NO_NODE);
        }
        self.node += 1;
    }

    fn used(&self) -> Cost {
        Cost { bytes: self.at as u64, nodes: self.node as u64 }
    }

    /// What is left of the budget when all that is pending is closed.
    #[pleach_unhooked::unhooked]
    fn exact_slack(&self, setting: &Setting<'_, '_>) -> Cost {
        let pending = self.stack[1..self.top].iter();
        let reserved = pending.map(|&pending| setting.cost(pending));
        setting.budget().minus(reserved.fold(self.used(), Cost::plus))
    }

    /// Draws the rest of a repetition's count, as far as the budget allows, and leaves so many
    /// elements pending.
    #[cfg_attr(fuzzing, inline(always))]
    fn tail<E: Entropy>(
        &mut self,
        setting: &Setting<'_, '_>,
        entropy: &mut E,
        pending: Pending,
    ) -> u32 {
        let SymbolKind::Repetition(id) = pending.symbol().kind() else { return pending.count() };
        let table = setting.costs.table;
        let repetition = *table.repetition(id);
        let cost = setting.costs.symbol_cost(repetition.element, pending.height_around());
        let (on, off) = setting.weights.going_on(id);
        let (height, least) = (pending.height(), pending.count());
        self.push(setting.prefixes.pending(table, repetition.element, height, least));
        let mut count = least;
        while count < repetition.max.min(Pending::MOST)
            && self.slack.nodes >= cost.nodes
            && self.slack.bytes >= cost.bytes
            && !entropy.is_exhausted()
            && entropy.below(on + off) < on
        {
            self.slack = self.slack.minus(cost);
            count += 1;
        }
        let elements = self.stack[self.top - 1];
        self.stack[self.top - 1] = elements.times(count);
        count
    }

    /// Draws prefixes until nothing is pending or a symbol needs care, be it that the slack, of
    /// which each draw takes the most that it may add, does not allow another draw.
    #[cfg_attr(fuzzing, inline(always))]
    fn draw<E: Entropy, const RECORD: bool, const POOL: bool>(
        &mut self,
        setting: &Setting<'_, '_>,
        entropy: &mut E,
    ) -> Stop {
        let pool = setting.pool;
        let Prefixes { choices, slots, prefixes, nodes: prefix_nodes, .. } = setting.prefixes;
        // Growth of `u32::MAX` may be any more, and no draw is to fit it.
        let most = self.slack_in_nodes().min(u64::from(u32::MAX) - 1) as u32;
        let (text, nodes, stack) = (&mut self.text[..], &mut self.nodes[..], &mut self.stack[..]);
        let (mut at, mut node, mut top) = (self.at, self.node, self.top - 1);
        let most_pending = setting.prefixes.most_pending.max(pool.most_pending);
        let (most_text, most_nodes) = (TEXT.max(pool.most_text), NODES.max(pool.most_nodes));
        let mut slack = most;
        let mut entry = stack[top];
        let stop = loop {
            let Some(choice) = choices.get(entry.choice() as usize) else { break Stop::Care };
            let height = entry.height();
            if height < choice.height || entropy.is_exhausted() {
                break Stop::Care;
            }
            let Some(left) = slack.checked_sub(choice.growth) else { break Stop::Slack };
            // The symbol itself may stay pending below what its prefix leaves.
            if text.len() < at + most_text
                || stack.len() <= top + most_pending
                || (RECORD && nodes.len() < node + most_nodes)
            {
                break Stop::Room;
            }

            // What comes next if the prefix leaves nothing: the same once more, or what is
            // pending below. It is known before the prefix is.
            stack[top] = entry.less();
            let base = top + usize::from(entry.count() > 1);
            let below = stack[base - 1];

            let word = entropy.next_u64();
            if POOL && let Some(drawn) = pool.entry(entry.choice(), word, height, slack) {
                slack -= drawn.growth;
                let (from, len) = (drawn.text as usize, drawn.text_len as usize);
                copy_pieces::<_, TEXT_PIECE>(&pool.text[from..], &mut text[at..], len);
                at += len;
                let (from, len) = (drawn.nodes as usize, drawn.node_len as usize);
                if RECORD {
                    copy_pieces::<_, NODE_PIECE>(&pool.nodes[from..], &mut nodes[node..], len);
                    nodes[node].symbol = entry.symbol();
                }
                node += len;
                // Most leave nothing: what comes next does not wait for the entry.
                if drawn.pending_len == 0 {
                    entry = below;
                    top = base - 1;
                    continue;
                }
                let pending = drawn.pending_len as usize;
                let from = &pool.pending[drawn.pending as usize..][..pending];
                for (to, from) in stack[base..].iter_mut().zip(from) {
                    *to = from.within(height);
                }
                top = base + pending - 1;
                entry = stack[top];
                continue;
            }

            slack = left;
            let mut prefix = &prefixes[usize::from(slots[entry.slot(word)])];
            if prefix.node_len == 0 {
                prefix = second_draw(setting.prefixes, choice, entropy);
            }
            let to_text = text.get_mut(at..).and_then(|text| text.first_chunk_mut::<TEXT>());
            if let Some(to_text) = to_text {
                *to_text = prefix.text;
            }
            at += usize::from(prefix.text_len);
            if RECORD {
                let to_nodes =
                    nodes.get_mut(node..).and_then(|nodes| nodes.first_chunk_mut::<NODES>());
                if let (Some(to), Some(from)) = (to_nodes, prefix_nodes.get(prefix.nodes as usize))
                {
                    *to = *from;
                    to[0].symbol = entry.symbol();
                }
            }
            node += usize::from(prefix.node_len);

            let pending = prefix.pending_len as usize;
            stack[base] = prefix.second.within(height);
            if pending > 2 {
                let from = prefix.rest as usize;
                let rest = &setting.prefixes.rest[from..from + pending - 1];
                for (to, from) in stack[base..].iter_mut().zip(rest) {
                    *to = from.within(height);
                }
            }
            entry = prefix.first.within(height).select(pending > 0, below);
            top = base + pending - 1;
        };
        let spent = u64::from(most - slack);
        self.slack = self.slack.minus(Cost { bytes: spent * BYTES_A_NODE, nodes: spent });
        (self.at, self.node) = (at, node);
        stack[top] = entry;
        self.top = top + 1;
        match stop {
            // There is more than 32 bits hold. If draws did not go on with it, where they stop would
            // depend on when buffers are full.
            Stop::Slack if spent > 0 && self.slack_in_nodes() > u64::from(slack) => Stop::Room,
            _ => stop,
        }
    }

    /// What is left of the budget at least, as draws reckon with it.
    fn slack_in_nodes(&self) -> u64 {
        self.slack.nodes.min(self.slack.bytes / BYTES_A_NODE)
    }
}

/// The height to reckon with for literals that are drawn with what stands before them, of the
/// height around that: they may stand in a rule further up, which has more left, and as long as
/// there is some a literal costs the same.
fn for_literals(around: u32) -> u32 {
    around.max(1)
}

/// Draws among what is left of the probabilities of a choice.
#[cold]
fn second_draw<'f, E: Entropy>(
    prefixes: &'f Prefixes,
    choice: &Choice,
    entropy: &mut E,
) -> &'f Prefix {
    let word = entropy.next_u64();
    let place = ((word & 0xFFFF_FFFF) * u64::from(choice.len)) >> 32;
    let alias = prefixes.aliases[choice.aliases as usize + place as usize];
    let own = (word >> 32) as u32 <= alias.threshold;
    let drawn = if own { choice.start + 1 + place as u32 } else { alias.other };
    &prefixes.prefixes[drawn as usize]
}

/// Copies at least `len` items, in whole pieces and one at least, for the length cannot be
/// predicted.
#[inline]
fn copy_pieces<T: Copy, const PIECE: usize>(from: &[T], to: &mut [T], len: usize) {
    let mut done = 0;
    for (from, to) in from.as_chunks::<PIECE>().0.iter().zip(to.as_chunks_mut::<PIECE>().0) {
        *to = *from;
        done += PIECE;
        if done >= len {
            return;
        }
    }
}

/// Writes into a buffer that is made longer where it must be.
fn write_at<T: Copy>(buffer: &mut Vec<T>, at: usize, items: &[T], filler: T) {
    let end = at + items.len();
    if end > buffer.len() {
        buffer.resize(2 * end, filler);
    }
    buffer[at..end].copy_from_slice(items);
}

impl Setting<'_, '_> {
    /// The most that a tree may cost.
    fn budget(&self) -> Cost {
        let budget = self.costs.budget;
        Cost { bytes: budget.bytes, nodes: budget.nodes }
    }

    /// What closing a pending symbol costs, as often as it is pending, with the literals after it.
    fn cost(&self, pending: Pending) -> Cost {
        let symbol = match (pending.choice(), pending.symbol().kind()) {
            (TAIL, SymbolKind::Repetition(id)) => self.costs.table.repetition(id).element,
            _ => pending.symbol(),
        };
        let cost = self.costs.symbol_cost(symbol, pending.height_around()).times(pending.count());
        let literals = self.prefixes.literals.get(pending.choice() as usize).into_iter().flatten();
        let around = for_literals(pending.height_around());
        literals.fold(cost, |sum, &literal| sum.plus(self.costs.symbol_cost(literal, around)))
    }
}
