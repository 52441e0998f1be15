//! Fragments: pre-expanded beginnings of derivations, drawn in one step.
//!
//! What random production by a table costs is not copying but branches that no processor can
//! predict, a few for each choice. So the choices at the left end of a rule's derivations are
//! fused ahead of time. A fragment of a rule is a leftmost derivation from it, cut somewhere: the
//! nodes and the text it has produced so far, and the symbols still to be expanded. The fragments
//! of a rule are the leaves of a tree of choices, so their probabilities, products of those of
//! the choices, add up to one, and drawing a fragment is drawing all its choices at once.
//!
//! A draw is bound by the latency from one fragment to what it leaves to be expanded, so that
//! way is short: the high bits of a random word index a table of slots, in which a fragment has as
//! many as its probability has whole shares, and the fragment itself is one cache line with its
//! text and what to expand next. What is left of the probabilities beyond whole shares is one
//! slot in some tens, which leads to a second draw by the alias method (Walker, 1977): the
//! probabilities are exact to 32 bits.
//!
//! Literals that follow a pending symbol are drawn with it: a choice is made for each rule and the
//! literals after it that some fragment leaves pending. Which fragments a choice has: the likeliest
//! that can go on is expanded by its leftmost symbol until there are as many as the choice's share
//! of the tables' memory, which goes by how often it is expected in a derivation.

use std::collections::BinaryHeap;

use fxhash::FxHashMap;

use super::expand::Dearest;
use super::leaf::{self, Characters};
use super::weights::Weights;
use crate::table::{
    AlternativeId, Cost, Repetition, RepetitionId, RuleId, Saving, Symbol, SymbolKind, Table,
    Terminal, encode,
};
use crate::tree::Node;

/// The most text of a fragment.
pub(super) const TEXT: usize = 16;

/// The most nodes of a fragment.
pub(super) const NODES: usize = 16;

/// A node is taken for as many bytes at most where both are bounded by one number.
pub(super) const BYTES_A_NODE: u64 = 4;

/// The most symbols that a fragment leaves to be expanded, if it need not leave more.
const PENDING: usize = 4;

/// Slots for each fragment, at least.
const SLOTS: usize = 8;

/// Fragments of all choices together, about.
const FRAGMENTS: usize = 1 << 12;

/// So many literals at most are drawn with what stands before them.
const LITERALS: usize = 2;

/// No literals are drawn with what stands before them when there are so many choices.
const CHOICES: usize = 1 << 7;

/// No further choices are made when their least fragments are so many: slots have 16 bits for one,
/// and those that the shares allow come on top.
const FULL: usize = 60_000;

/// The most fragments of one choice, and the least where it has more.
const MOST: usize = 1 << 11;
const LEAST: usize = 4;

/// Classes of at most this many symbols are part of fragments.
const SMALL_CLASS: u64 = 64;

/// So many counts of a repetition are choices of their own; more are drawn apart.
const COUNTS: u32 = 6;

/// Repetitions of more than this are expanded with care.
const MOST_COPIES: u32 = 1 << 12;

/// No choice: the symbol is a terminal, or is expanded with care.
pub(super) const LEAF: u32 = 0xFFFF;

/// No choice: the rest of a repetition's count is to be drawn.
pub(super) const TAIL: u32 = 0xFFFE;

/// A symbol to be expanded: two words.
///
/// The way from one draw to the next leads through here, so what it needs is in these words and
/// not behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub(super) struct Pending {
    /// The symbol in the high half. In the low half the first slot of the choice to make, and in
    /// its low bits how many bits index its slots.
    place: u64,
    /// In the high half the height that is left for what the symbol expands to; in a fragment, less
    /// the height that is left for what the fragment expands (wrapping). Below that the number of
    /// the choice, or what it is instead, in 16 bits, and how often in 16.
    state: u64,
}

/// How many bits say how many bits index slots.
const BITS: u32 = 5;

impl Pending {
    pub(super) const NONE: Self = Self::new(Symbol::LAYOUT, LEAF, 0, 0);

    /// The most times that one entry says.
    pub(super) const MOST: u32 = 0xFFFF;

    const fn new(symbol: Symbol, choice: u32, height: u32, count: u32) -> Self {
        Self {
            place: (symbol.to_bits() as u64) << 32 | 1,
            state: (height as u64) << 32 | (choice as u64) << 16 | count as u64,
        }
    }

    fn set_slots(&mut self, slots: u32) {
        self.place = self.place >> 32 << 32 | u64::from(slots);
    }

    #[inline]
    pub(super) fn symbol(self) -> Symbol {
        Symbol::from_bits((self.place >> 32) as u32)
    }

    /// The number of the choice, [`LEAF`] or [`TAIL`].
    #[inline]
    pub(super) fn choice(self) -> u32 {
        (self.state as u32) >> 16
    }

    /// The height that is left for what the symbol expands to.
    #[inline]
    pub(super) fn height(self) -> u32 {
        (self.state >> 32) as u32
    }

    /// How often.
    #[inline]
    pub(super) fn count(self) -> u32 {
        self.state as u32 & Self::MOST
    }

    /// The slot that a word means.
    #[inline]
    pub(super) fn slot(self, word: u64) -> usize {
        let slots = self.place as u32;
        let bits = slots & ((1 << BITS) - 1);
        (slots >> BITS) as usize + (word >> (u64::BITS - bits)) as usize
    }

    /// The same once less.
    #[inline]
    pub(super) fn less(self) -> Self {
        Self { state: self.state.wrapping_sub(1), ..self }
    }

    /// The same, so often.
    pub(super) fn times(self, count: u32) -> Self {
        Self { state: self.state >> 16 << 16 | u64::from(count.min(Self::MOST)), ..self }
    }

    /// The same, of a fragment, where so much height is left for what the fragment expands.
    #[inline]
    pub(super) fn within(self, height: u32) -> Self {
        Self { state: self.state.wrapping_add(u64::from(height) << 32), ..self }
    }

    /// This if `condition`, else the other; without a branch, for which it is cannot be predicted.
    #[inline]
    pub(super) fn select(self, condition: bool, other: Self) -> Self {
        let word = |this, other| std::hint::select_unpredictable(condition, this, other);
        Self { place: word(self.place, other.place), state: word(self.state, other.state) }
    }

    /// The height that is left for the rule that the symbol stands in.
    pub(super) fn height_around(self) -> u32 {
        self.height() + below(self.symbol())
    }
}

/// How much deeper what a symbol expands to is than the symbol.
fn below(symbol: Symbol) -> u32 {
    u32::from(matches!(symbol.kind(), SymbolKind::Reference(_)))
}

/// A fragment: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Fragment {
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
    /// Words whose upper half is below this mean the fragment of this place.
    pub(super) threshold: u32,
    /// The fragment that the others mean.
    pub(super) other: u32,
}

/// The fragments of one rule or repetition, with the literals after it.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct Choice {
    /// Its first fragment, which stands for a second draw; the others follow.
    pub(super) start: u32,
    /// How many there are, the first not counted.
    pub(super) len: u32,
    /// The first of its places for the second draw.
    pub(super) aliases: u32,
    /// Its first slot, and how many bits index its slots, as in a pending symbol.
    slots: u32,
    /// With this height left, every fragment can be taken and what it leaves can be closed.
    pub(super) height: u32,
    /// What a draw adds at most, closing what the fragment leaves included: nodes, or bytes over
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

/// The fragments of a table for some weights.
#[derive(Clone, Debug, Default)]
pub(super) struct Fragments {
    pub(super) choices: Vec<Choice>,
    /// What the root of each choice's fragments is, before it is renamed to what is expanded.
    roots: Vec<Symbol>,
    /// One for each fragment and what it leaves to choices.
    pub(super) leads: Vec<Lead>,
    /// The literals after the rule of each choice.
    pub(super) literals: Vec<Vec<Symbol>>,
    /// Fragments by choice and the high bits of a word.
    pub(super) slots: Vec<u16>,
    pub(super) fragments: Vec<Fragment>,
    pub(super) aliases: Vec<Alias>,
    /// The nodes of each fragment; beyond its own there is no meaning.
    pub(super) nodes: Vec<[Node; NODES]>,
    pub(super) rest: Vec<Pending>,
    /// The most that a fragment leaves to be expanded, 2 at least.
    pub(super) most_pending: usize,
    /// The choice of each rule, then of each repetition, with nothing after it; [`LEAF`] where
    /// there is none.
    plain: Vec<u32>,
}

pub(super) const NO_NODE: Node = Node { symbol: Symbol::LAYOUT, choice: 0 };
const NO_FRAGMENT: Fragment = Fragment {
    text: [0; TEXT],
    first: Pending::NONE,
    second: Pending::NONE,
    nodes: 0,
    rest: 0,
    pending_len: 0,
    text_len: 0,
    node_len: 0,
};

/// A derivation that is being expanded.
#[derive(Clone, Default)]
struct Partial {
    chance: f64,
    text: Vec<u8>,
    nodes: Vec<Node>,
    /// Symbols to be expanded, the first last, and how far below the root of the fragment the
    /// rule stands in which each is.
    pending: Vec<(Symbol, u32, u32)>,
    /// The height that the root needs for the nodes so far.
    reach: u32,
    /// Whether the first pending symbol is a repetition whose count is being drawn from here on.
    tail: bool,
}

struct ByChance(usize, f64);

impl PartialEq for ByChance {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ByChance {}

impl PartialOrd for ByChance {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByChance {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.1.total_cmp(&other.1).then(other.0.cmp(&self.0))
    }
}

/// What a choice is of: a rule or repetition as in [`Fragments::plain`], and literals after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    plain: u32,
    literals: Vec<Symbol>,
}

/// Builds fragments.
struct Builder<'t> {
    table: &'t Table,
    weights: &'t Weights,
    characters: Characters,
    dearest: &'t Dearest,
    found: Fragments,
    /// Choices by what they are of, and in the order in which they were met.
    known: FxHashMap<Key, u32>,
    keys: Vec<Key>,
    /// How many fragments the choices have at least, together.
    least: usize,
    leads: Vec<Lead>,
}

impl Fragments {
    /// The choices that production from the start rule needs, of a table without layout between
    /// tokens.
    pub(super) fn new(
        table: &Table,
        weights: &Weights,
        characters: Characters,
        saving: Saving,
    ) -> Self {
        // With few fragments each, to learn which choices there are and how often each is made.
        let dearest = Dearest::new(table, saving);
        let few = Builder::new(table, weights, characters, &dearest).build(&FxHashMap::default());
        let shares = few.shares();
        let built = Builder::new(table, weights, characters, &dearest).build(&shares);
        let mut found = built.found;
        found.leads = built.leads;
        found.link();
        found
    }

    /// What the root of a derivation is that begins with a choice, with so much height left.
    pub(super) fn root(&self, choice: usize, height: u32) -> Pending {
        let mut root = Pending::new(self.roots[choice], choice as u32, height, 1);
        root.set_slots(self.choices[choice].slots);
        root
    }

    /// Whether a fragment of a choice leaves something to be expanded.
    pub(super) fn leaves_pending(&self, choice: usize) -> bool {
        let Choice { start, len, .. } = self.choices[choice];
        let own = &self.fragments[start as usize + 1..(start + 1 + len) as usize];
        own.iter().any(|fragment| fragment.pending_len > 0)
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
        for fragment in &mut self.fragments {
            link(&mut fragment.first);
            link(&mut fragment.second);
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

impl<'t> Builder<'t> {
    fn new(
        table: &'t Table,
        weights: &'t Weights,
        characters: Characters,
        dearest: &'t Dearest,
    ) -> Self {
        let plain = vec![LEAF; table.rule_count() + table.repetition_count()];
        Self {
            table,
            weights,
            characters,
            dearest,
            found: Fragments { plain, ..Fragments::default() },
            known: FxHashMap::default(),
            keys: Vec::new(),
            least: 0,
            leads: Vec::new(),
        }
    }

    fn build(mut self, shares: &FxHashMap<Key, usize>) -> Self {
        self.choice(Key { plain: self.table.start().get(), literals: Vec::new() });
        let mut next = 0;
        while let Some(key) = self.keys.get(next).cloned() {
            let share = shares.get(&key).copied().unwrap_or(LEAST);
            self.fill(next as u32, &key, share);
            next += 1;
        }
        self
    }

    /// The number of a choice, which is made up if it is new.
    fn choice(&mut self, key: Key) -> u32 {
        if let Some(&choice) = self.known.get(&key) {
            return choice;
        }
        // What has no number is expanded with care. Every way to expand the root is a fragment.
        let ways = match key.plain.checked_sub(self.table.rule_count() as u32) {
            None => self.table.alternatives(RuleId::new(key.plain)).len(),
            Some(_) => COUNTS as usize + 2,
        };
        let least = self.least + ways.max(LEAST) + 1;
        if ways > MOST || least > FULL {
            return LEAF;
        }
        self.least = least;
        let choice = self.keys.len() as u32;
        if key.literals.is_empty() {
            self.found.plain[key.plain as usize] = choice;
        }
        self.known.insert(key.clone(), choice);
        self.keys.push(key);
        choice
    }

    /// How many fragments each choice may have: by how often it is made.
    fn shares(&self) -> FxHashMap<Key, usize> {
        let visits = visits(self.keys.len(), &self.leads, |_| 1.0);
        let total: f64 = visits.iter().sum();
        let share = |visits: f64| ((visits / total * FRAGMENTS as f64) as usize).clamp(LEAST, MOST);
        self.keys.iter().cloned().zip(visits.into_iter().map(share)).collect()
    }

    fn fill(&mut self, choice: u32, key: &Key, share: usize) {
        let rules = self.table.rule_count() as u32;
        // The root's node is renamed when it is drawn, to the symbol that refers to the rule.
        let (root, height) = match key.plain.checked_sub(rules) {
            None => {
                let rule = RuleId::new(key.plain);
                (Symbol::group(rule), self.table.minima().rule_height(rule))
            }
            Some(repetition) => (Symbol::repetition(RepetitionId::new(repetition)), 0),
        };
        let fragments = self.expand(root, &key.literals, share);
        let mut filled = Choice {
            start: self.found.fragments.len() as u32,
            len: fragments.len() as u32,
            aliases: self.found.aliases.len() as u32,
            height,
            ..Choice::default()
        };
        self.found.roots.push(root);
        self.found.literals.push(key.literals.clone());
        self.found.fragments.push(NO_FRAGMENT);
        for fragment in &fragments {
            let (height, growth) = self.store(choice, fragment);
            let growth = growth.nodes.max(growth.bytes.div_ceil(BYTES_A_NODE));
            filled.height = filled.height.max(height);
            filled.growth = filled.growth.max(u32::try_from(growth).unwrap_or(u32::MAX));
        }
        let mut chances: Vec<f64> = fragments.iter().map(|fragment| fragment.chance).collect();
        let count = (SLOTS * fragments.len()).next_power_of_two().max(2);
        filled.slots = (self.found.slots.len() as u32) << BITS | count.trailing_zeros();
        let mut left = count;
        for (fragment, chance) in (filled.start + 1..).zip(&mut chances) {
            let shares = *chance * count as f64;
            let whole = (shares as usize).min(left);
            left -= whole;
            *chance = shares - whole as f64;
            self.found.slots.extend(std::iter::repeat_n(in_slot(fragment), whole));
        }
        self.found.slots.extend(std::iter::repeat_n(in_slot(filled.start), left));
        self.found.aliases.extend(alias(&chances, filled.start + 1));
        self.found.choices.push(filled);
    }

    /// The likeliest leftmost derivations from a symbol.
    fn expand(&self, root: Symbol, literals: &[Symbol], share: usize) -> Vec<Partial> {
        let mut first = Partial { chance: 1.0, ..Partial::default() };
        // A literal may stand in a rule further up, where more height is left; to reckon as if it
        // stood beside the root asks for no more than one level.
        first.pending.extend(literals.iter().rev().map(|&literal| (literal, 0, 1)));
        first.pending.push((root, 0, 1));
        let mut all = vec![first];
        let mut order = BinaryHeap::from([ByChance(0, 1.0)]);
        let mut next = Vec::new();
        while let Some(ByChance(index, _)) = order.pop() {
            next.clear();
            if !self.expand_first(&all[index], &mut next) {
                continue;
            }
            // The root has to be expanded; after that, memory decides.
            if all.len() + next.len() > share + 1 && !all[index].nodes.is_empty() {
                break;
            }
            for (position, partial) in next.drain(..).enumerate() {
                let place = if position == 0 { index } else { all.len() };
                order.push(ByChance(place, partial.chance));
                if position == 0 {
                    all[place] = partial;
                } else {
                    all.push(partial);
                }
            }
        }
        all
    }

    /// Expands the first pending symbol in every way; false where that is not possible within the
    /// size of a fragment.
    fn expand_first(&self, from: &Partial, next: &mut Vec<Partial>) -> bool {
        let Some(&(symbol, depth, count)) = from.pending.last() else { return false };
        if from.tail {
            return false;
        }
        let mut rest = from.clone();
        rest.pending.pop();
        if count > 1 {
            rest.pending.push((symbol, depth, count - 1));
        }
        let is_root = from.nodes.is_empty();
        let fits = |partial: &Partial| {
            is_root
                || (partial.nodes.len() <= NODES
                    && partial.text.len() <= TEXT
                    && partial.pending.len() <= PENDING)
        };
        match symbol.kind() {
            SymbolKind::Terminal(_) => self.expand_terminal(symbol, depth, &rest, next),
            SymbolKind::Repetition(_) if plain(self.table, symbol).is_none() => return false,
            SymbolKind::Repetition(id) => {
                let repetition = *self.table.repetition(id);
                self.expand_repetition(symbol, repetition, depth, &rest, next);
            }
            _ => {
                let Some(rule) = self.table.rule_behind(symbol) else { return false };
                let below = depth + u32::from(symbol.occurrence().is_some());
                let total: u64 = self
                    .table
                    .alternatives(rule)
                    .map(|alternative| self.weights.alternative(alternative))
                    .sum();
                let count = self.table.alternatives(rule).len() as f64;
                for alternative in self.table.alternatives(rule) {
                    let chance = match total {
                        0 => 1.0 / count,
                        _ => self.weights.alternative(alternative) as f64 / total as f64,
                    };
                    if chance > 0.0 {
                        next.push(self.by_alternative(symbol, alternative, below, chance, &rest));
                    }
                }
            }
        }
        !next.is_empty() && next.iter().all(fits)
    }

    fn by_alternative(
        &self,
        symbol: Symbol,
        alternative: AlternativeId,
        depth: u32,
        chance: f64,
        rest: &Partial,
    ) -> Partial {
        let mut partial = rest.clone();
        partial.chance *= chance;
        partial.nodes.push(Node { symbol, choice: alternative.get() });
        partial.reach = partial.reach.max(depth);
        let items = self.table.items(alternative).iter().rev();
        partial.pending.extend(items.map(|&item| (item, depth, 1)));
        self.settle(&mut partial);
        partial
    }

    /// Writes literals that stand first: there is no choice in them.
    fn settle(&self, partial: &mut Partial) {
        while let Some(&(symbol, depth, count)) = partial.pending.last() {
            let SymbolKind::Terminal(occurrence) = symbol.kind() else { return };
            let Some(terminal) = self.table.terminal_at(occurrence) else { return };
            let Terminal::Literal { bytes, ignore_case: false } = self.table.terminal(terminal)
            else {
                return;
            };
            if partial.text.len() + bytes.len() > TEXT || partial.nodes.len() >= NODES {
                return;
            }
            partial.pending.pop();
            if count > 1 {
                partial.pending.push((symbol, depth, count - 1));
            }
            partial.text.extend_from_slice(bytes);
            partial.reach = partial.reach.max(depth + 1);
            partial.nodes.push(Node { symbol, choice: bytes.len() as u32 });
        }
    }

    fn expand_terminal(&self, symbol: Symbol, depth: u32, rest: &Partial, next: &mut Vec<Partial>) {
        let SymbolKind::Terminal(occurrence) = symbol.kind() else { return };
        let Some(terminal) = self.table.terminal_at(occurrence) else { return };
        let Terminal::Class { ranges } = self.table.terminal(terminal) else { return };
        let size: u64 = ranges.iter().map(|&(low, high)| u64::from(high - low) + 1).sum();
        if size > SMALL_CLASS {
            return;
        }
        for (symbol_chance, scalar) in leaf::chances(self.characters, ranges) {
            let mut partial = rest.clone();
            partial.chance *= symbol_chance;
            partial.reach = partial.reach.max(depth + 1);
            let start = partial.text.len();
            encode(self.table.encoding(), scalar, &mut partial.text);
            let length = (partial.text.len() - start) as u32;
            partial.nodes.push(Node { symbol, choice: length });
            self.settle(&mut partial);
            next.push(partial);
        }
    }

    fn expand_repetition(
        &self,
        symbol: Symbol,
        Repetition { element, min, max, .. }: Repetition,
        depth: u32,
        rest: &Partial,
        next: &mut Vec<Partial>,
    ) {
        let SymbolKind::Repetition(id) = symbol.kind() else { return };
        let (on, off) = self.weights.going_on(id);
        let (going_on, ending) = (on as f64 / (on + off) as f64, off as f64 / (on + off) as f64);
        let mut left = 1.0;
        let mut count = min;
        loop {
            let mut partial = rest.clone();
            partial.nodes.push(Node { symbol, choice: count });
            if count < max && count - min == COUNTS && going_on > 0.0 {
                // The node's count and the elements are completed when the tail is drawn.
                partial.chance *= left;
                partial.pending.push((symbol, depth, count));
                partial.tail = true;
                next.push(partial);
                return;
            }
            let last = count == max || going_on == 0.0;
            partial.chance *= left * if last { 1.0 } else { ending };
            left *= going_on;
            if count > 0 {
                partial.pending.push((element, depth, count));
            }
            self.settle(&mut partial);
            if partial.chance > 0.0 {
                next.push(partial);
            }
            if last {
                return;
            }
            count += 1;
        }
    }

    /// Takes the literals that stand before `index` among the pending symbols, as far as they fit a
    /// fragment together, and gives the height that the fragment's root needs for them.
    fn take_literals(
        &self,
        pending: &[(Symbol, u32, u32)],
        index: &mut usize,
        literals: &mut Vec<Symbol>,
    ) -> u32 {
        let (mut length, mut height) = (0, 0);
        while let Some((symbol, depth, 1)) = index.checked_sub(1).map(|before| pending[before])
            && let SymbolKind::Terminal(occurrence) = symbol.kind()
            && let Some(terminal) = self.table.terminal_at(occurrence)
            && let Terminal::Literal { bytes, ignore_case: false } = self.table.terminal(terminal)
            && literals.len() < LITERALS
            && length + bytes.len() <= TEXT / 2
        {
            length += bytes.len();
            literals.push(symbol);
            height = height.max(depth + 1);
            *index -= 1;
        }
        height
    }

    /// Stores a fragment, and gives the height that it needs and what it adds, closing included.
    fn store(&mut self, from: u32, fragment: &Partial) -> (u32, Cost) {
        let minima = self.table.minima();
        let mut stored = Fragment {
            nodes: self.found.nodes.len() as u32,
            rest: self.found.rest.len() as u32,
            text_len: fragment.text.len() as u8,
            node_len: fragment.nodes.len() as u8,
            ..NO_FRAGMENT
        };
        stored.text[..fragment.text.len()].copy_from_slice(&fragment.text);
        let mut nodes = [NO_NODE; NODES];
        nodes[..fragment.nodes.len()].copy_from_slice(&fragment.nodes);
        self.found.nodes.push(nodes);
        let mut height = fragment.reach;
        let mut growth =
            Cost { bytes: fragment.text.len() as u64, nodes: fragment.nodes.len() as u64 };
        let mut entries = Vec::with_capacity(fragment.pending.len());
        let mut index = fragment.pending.len();
        while index > 0 {
            index -= 1;
            let (symbol, depth, count) = fragment.pending[index];
            let tail = fragment.tail && index + 1 == fragment.pending.len();
            let closed = match symbol.kind() {
                SymbolKind::Repetition(id) if tail => self.table.repetition(id).element,
                _ => symbol,
            };
            let needs = minima.symbol_height(self.table, closed);
            height = height.max(depth + needs);
            growth = growth.plus(self.dearest.symbol(self.table, closed).times(count));
            let choice = match plain(self.table, symbol) {
                _ if tail => TAIL,
                None => LEAF,
                Some(plain) => {
                    let mut literals = Vec::new();
                    let (mut after, mut reach) = (index, 0);
                    if count == 1 && self.keys.len() < CHOICES {
                        reach = self.take_literals(&fragment.pending, &mut after, &mut literals);
                    }
                    let mut following = Cost::default();
                    for &literal in &literals {
                        following = following.plus(self.dearest.symbol(self.table, literal));
                    }
                    let to = self.choice(Key { plain, literals });
                    if to != LEAF {
                        index = after;
                        height = height.max(reach);
                        growth = growth.plus(following);
                        let times = fragment.chance * f64::from(count);
                        self.leads.push(Lead { from, to, times });
                    }
                    to
                }
            };
            let height = 0_u32.wrapping_sub(depth + below(symbol));
            entries.push(Pending::new(symbol, choice, height, count));
        }
        let most = &mut self.found.most_pending;
        *most = (*most).max(entries.len()).max(2);
        stored.pending_len = entries.len() as u32;
        match entries[..] {
            [] => {}
            [first] => stored.first = first,
            [first, second] => (stored.first, stored.second) = (first, second),
            [first, ref rest @ ..] => {
                stored.first = first;
                self.found.rest.extend(rest.iter().rev());
            }
        }
        self.found.fragments.push(stored);
        (height, growth)
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

/// A fragment's number as a slot holds it.
fn in_slot(fragment: u32) -> u16 {
    u16::try_from(fragment).expect("choices are refused before there are so many fragments")
}

/// The places of the alias method for some chances, whose sum counts as one; any where it is 0
/// (Vose's construction, 1991).
fn alias(chances: &[f64], start: u32) -> Vec<Alias> {
    let total: f64 = chances.iter().sum();
    let count = chances.len() as f64;
    let mut left: Vec<f64> = chances.iter().map(|chance| chance / total * count).collect();
    let mut places: Vec<Alias> = (0..chances.len() as u32)
        .map(|index| Alias { threshold: u32::MAX, other: start + index })
        .collect();
    let (mut small, mut large): (Vec<usize>, Vec<usize>) =
        (0..chances.len()).partition(|&index| left[index] < 1.0);
    while let (Some(poor), Some(&rich)) = (small.pop(), large.last()) {
        places[poor].threshold = (left[poor] * f64::from(u32::MAX)) as u32;
        places[poor].other = start + rich as u32;
        left[rich] -= 1.0 - left[poor];
        if left[rich] < 1.0 {
            large.pop();
            small.push(rich);
        }
    }
    places
}
