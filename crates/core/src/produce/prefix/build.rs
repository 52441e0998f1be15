//! Making prefixes: the likeliest derivation is expanded until a choice has its share of them.

use std::collections::BinaryHeap;

use fxhash::FxHashMap;

use super::pending::{BITS, LEAF, Pending, TAIL, below};
use super::{
    Alias, BYTES_A_NODE, Choice, Lead, NO_NODE, NO_PREFIX, NODES, Prefix, Prefixes, TEXT, plain,
    visits,
};
use crate::produce::characters::{self, Characters};
use crate::produce::costs::Dearest;
use crate::produce::weights::Weights;
use crate::table::{
    AlternativeId, Cost, Objective, Repetition, RepetitionId, RuleId, Symbol, SymbolKind, Table,
    Terminal, encode,
};
use crate::tree::Node;

/// The most symbols that a prefix leaves to be expanded, if it need not leave more.
const PENDING: usize = 4;

/// Slots for each prefix, at least.
const SLOTS: usize = 8;

/// Prefixes of all choices together, about.
const PREFIXES: usize = 1 << 12;

/// So many literals at most are drawn with what stands before them.
const LITERALS: usize = 2;

/// No literals are drawn with what stands before them when there are so many choices.
const CHOICES: usize = 1 << 7;

/// No further choices are made when their least prefixes are so many: slots have 16 bits for one,
/// and those that the shares allow come on top.
const FULL: usize = 60_000;

/// The most prefixes of one choice, and the least where it has more.
const MOST: usize = 1 << 11;
const LEAST: usize = 4;

/// Classes of at most this many symbols are part of prefixes.
const SMALL_CLASS: u64 = 64;

/// So many counts of a repetition are choices of their own; more are drawn apart.
const COUNTS: u32 = 6;

/// A derivation that is being expanded.
#[derive(Clone, Default)]
struct Partial {
    chance: f64,
    text: Vec<u8>,
    nodes: Vec<Node>,
    /// Symbols to be expanded, the first last, and how far below the root of the prefix the
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

/// What a choice is of: a rule or repetition as in [`Prefixes::plain`], and literals after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    plain: u32,
    literals: Vec<Symbol>,
}

/// Builds prefixes.
struct Builder<'t> {
    table: &'t Table,
    weights: &'t Weights,
    characters: Characters,
    dearest: &'t Dearest,
    /// By rule, the most items that an alternative has from its first on that is no literal.
    longest: Vec<usize>,
    found: Prefixes,
    /// Choices by what they are of, and in the order in which they were met.
    known: FxHashMap<Key, u32>,
    keys: Vec<Key>,
    /// How many prefixes the choices have at least, together.
    least: usize,
    leads: Vec<Lead>,
}

/// The prefixes of a table, not linked yet.
#[pleach_unhooked::unhooked]
pub(super) fn build(
    table: &Table,
    weights: &Weights,
    characters: Characters,
    objective: Objective,
    whole: bool,
) -> Prefixes {
    // With few prefixes each, to learn which choices there are and how often each is made.
    let dearest = Dearest::new(table, objective);
    let few = Builder::new(table, weights, characters, &dearest);
    let few = few.build(&FxHashMap::default(), whole);
    let shares = few.shares();
    let built = Builder::new(table, weights, characters, &dearest).build(&shares, whole);
    Prefixes { leads: built.leads, ..built.found }
}

impl<'t> Builder<'t> {
    #[pleach_unhooked::unhooked]
    fn new(
        table: &'t Table,
        weights: &'t Weights,
        characters: Characters,
        dearest: &'t Dearest,
    ) -> Self {
        let plain = vec![LEAF; table.rule_count() + table.repetition_count()];
        let longest = |rule| {
            let left = table.alternatives(RuleId::new(rule)).map(|alternative| {
                let items = table.items(alternative);
                items.len()
                    - items.iter().take_while(|item| literal(table, **item).is_some()).count()
            });
            left.max().unwrap_or(0)
        };
        Self {
            table,
            weights,
            characters,
            dearest,
            longest: (0..table.rule_count() as u32).map(longest).collect(),
            found: Prefixes { plain, ..Prefixes::default() },
            known: FxHashMap::default(),
            keys: Vec::new(),
            least: 0,
            leads: Vec::new(),
        }
    }

    #[pleach_unhooked::unhooked]
    fn build(mut self, shares: &FxHashMap<Key, usize>, whole: bool) -> Self {
        self.choice(Key { plain: self.table.start().get(), literals: Vec::new() });
        self.fill_from(0, shares);
        if whole {
            let filled = self.keys.len();
            for plain in 0..self.table.rule_count() as u32 {
                self.choice(Key { plain, literals: Vec::new() });
            }
            self.fill_from(filled, shares);
        }
        self
    }

    /// Fills the choices from a number on, and those that they lead to.
    #[pleach_unhooked::unhooked]
    fn fill_from(&mut self, mut next: usize, shares: &FxHashMap<Key, usize>) {
        while let Some(key) = self.keys.get(next).cloned() {
            let share = shares.get(&key).copied().unwrap_or(LEAST);
            self.fill(next as u32, &key, share);
            next += 1;
        }
    }

    /// The number of a choice, which is made up if it is new.
    #[pleach_unhooked::unhooked]
    fn choice(&mut self, key: Key) -> u32 {
        if let Some(&choice) = self.known.get(&key) {
            return choice;
        }
        // What has no number is expanded with care. Every way to expand the root is a prefix.
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

    /// How many prefixes each choice may have: by how often it is made.
    fn shares(&self) -> FxHashMap<Key, usize> {
        let visits = visits(self.keys.len(), &self.leads, |_| 1.0);
        let total: f64 = visits.iter().sum();
        let share = |visits: f64| ((visits / total * PREFIXES as f64) as usize).clamp(LEAST, MOST);
        self.keys.iter().cloned().zip(visits.into_iter().map(share)).collect()
    }

    #[pleach_unhooked::unhooked]
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
        let prefixes = self.expand(root, &key.literals, share);
        let mut filled = Choice {
            start: self.found.prefixes.len() as u32,
            len: prefixes.len() as u32,
            aliases: self.found.aliases.len() as u32,
            height,
            ..Choice::default()
        };
        self.found.roots.push(root);
        self.found.literals.push(key.literals.clone());
        self.found.prefixes.push(NO_PREFIX);
        for prefix in &prefixes {
            let (height, growth) = self.store(choice, prefix);
            let growth = growth.nodes.max(growth.bytes.div_ceil(BYTES_A_NODE));
            filled.height = filled.height.max(height);
            filled.growth = filled.growth.max(u32::try_from(growth).unwrap_or(u32::MAX));
        }
        let mut chances: Vec<f64> = prefixes.iter().map(|prefix| prefix.chance).collect();
        let count = (SLOTS * prefixes.len()).next_power_of_two().max(2);
        filled.slots = (self.found.slots.len() as u32) << BITS | count.trailing_zeros();
        let mut left = count;
        for (prefix, chance) in (filled.start + 1..).zip(&mut chances) {
            let shares = *chance * count as f64;
            let whole = (shares as usize).min(left);
            left -= whole;
            *chance = shares - whole as f64;
            self.found.slots.extend(std::iter::repeat_n(in_slot(prefix), whole));
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
    /// size of a prefix.
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
                // Making all ways to find that one is too large would take their square.
                let longest = self.longest[rule.index()];
                if !is_root && longest > 0 && rest.pending.len() + longest > PENDING {
                    return false;
                }
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
                        let way = self.by_alternative(symbol, alternative, below, chance, &rest);
                        if !fits(&way) {
                            return false;
                        }
                        next.push(way);
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
    #[pleach_unhooked::unhooked]
    fn settle(&self, partial: &mut Partial) {
        while let Some(&(symbol, depth, count)) = partial.pending.last() {
            let Some(bytes) = literal(self.table, symbol) else { return };
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
        for (symbol_chance, scalar) in characters::chances(self.characters, ranges) {
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
    /// prefix together, and gives the height that the prefix's root needs for them.
    fn take_literals(
        &self,
        pending: &[(Symbol, u32, u32)],
        index: &mut usize,
        literals: &mut Vec<Symbol>,
    ) -> u32 {
        let (mut length, mut height) = (0, 0);
        while let Some((symbol, depth, 1)) = index.checked_sub(1).map(|before| pending[before])
            && let Some(bytes) = literal(self.table, symbol)
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

    /// Stores a prefix, and gives the height that it needs and what it adds, closing included.
    fn store(&mut self, from: u32, prefix: &Partial) -> (u32, Cost) {
        let minima = self.table.minima();
        let mut stored = Prefix {
            nodes: self.found.nodes.len() as u32,
            rest: self.found.rest.len() as u32,
            text_len: prefix.text.len() as u8,
            node_len: prefix.nodes.len() as u8,
            ..NO_PREFIX
        };
        stored.text[..prefix.text.len()].copy_from_slice(&prefix.text);
        let mut nodes = [NO_NODE; NODES];
        nodes[..prefix.nodes.len()].copy_from_slice(&prefix.nodes);
        self.found.nodes.push(nodes);
        let mut height = prefix.reach;
        let mut growth = Cost { bytes: prefix.text.len() as u64, nodes: prefix.nodes.len() as u64 };
        let mut entries = Vec::with_capacity(prefix.pending.len());
        let mut index = prefix.pending.len();
        while index > 0 {
            index -= 1;
            let (symbol, depth, count) = prefix.pending[index];
            let tail = prefix.tail && index + 1 == prefix.pending.len();
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
                        reach = self.take_literals(&prefix.pending, &mut after, &mut literals);
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
                        let times = prefix.chance * f64::from(count);
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
        self.found.prefixes.push(stored);
        (height, growth)
    }
}

/// The text of a literal in which no case is to be chosen.
fn literal(table: &Table, symbol: Symbol) -> Option<&[u8]> {
    let SymbolKind::Terminal(occurrence) = symbol.kind() else { return None };
    match table.terminal(table.terminal_at(occurrence)?) {
        Terminal::Literal { bytes, ignore_case: false } => Some(bytes),
        _ => None,
    }
}

/// A prefix's number as a slot holds it.
fn in_slot(prefix: u32) -> u16 {
    u16::try_from(prefix).expect("choices are refused before there are so many prefixes")
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
