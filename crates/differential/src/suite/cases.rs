//! The inputs: a cover of the transitions, and its edits.

use std::collections::VecDeque;

use fxhash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::Hasher;

use super::Suite;
use crate::{IMPLICIT, Language};
use pleach_core::regular::{Alphabet, Dfa, StateId};
use pleach_core::{Entropy, Seeded};

/// Characters that a hand-written check may take for others: a digit and a space outside ASCII, and the sign
/// whose small letter is `k`.
pub(super) const LOOK_ALIKES: &[char] = &['٣', '\u{A0}', '\u{212A}'];

/// What makes a string readable, best first.
const READABLE: &[(u32, u32)] =
    &[(0x61, 0x7A), (0x41, 0x5A), (0x31, 0x39), (0x30, 0x30), (0x21, 0x7E), (0x20, 0x20)];

/// Ranges of a class whose ends are tried.
const RANGES: usize = 4;

/// The bytes of all texts at most: offsets are `u32`.
const BYTES: usize = 1 << 30;

/// The settings of a [`Suite`]: how many inputs, and which characters are tried.
#[derive(Clone, Debug)]
pub struct Options {
    specials: Vec<char>,
    most: usize,
    variants: usize,
    marked: Option<Dfa>,
    nearer: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { specials: Vec::new(), most: 100_000, variants: 2, marked: None, nearer: true }
    }
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Characters that are tried wherever a symbol may stand, besides a few of each class and some that are
    /// known to make trouble.
    #[must_use]
    pub fn specials(mut self, specials: impl IntoIterator<Item = char>) -> Self {
        self.specials = specials.into_iter().collect();
        self
    }

    /// How many beginnings and ends are put around each symbol: the most readable ones, and others at random.
    /// An implementation that rejects the year 0000 says nothing about all that comes after it. The
    /// default is 2.
    #[must_use]
    pub fn variants(mut self, variants: usize) -> Self {
        self.variants = variants.max(1);
        self
    }

    /// The same texts as those of the specification, where more is told apart: characters in their other role are
    /// others. What takes its transitions is among the valid inputs as well. The default is none.
    #[must_use]
    pub fn marked(mut self, language: &Language) -> Self {
        self.marked = Some(language.dfa().clone());
        self
    }

    /// Whether strings are run one by one to make [`Group::nearest`](super::Group::nearest) as like the witness as may be.
    /// The default is that they are.
    #[must_use]
    pub fn nearer(mut self, nearer: bool) -> Self {
        self.nearer = nearer;
        self
    }

    /// How many inputs there may be: valid ones come first, the shortest of them at most half of all, then
    /// edits of these. The default is 100,000.
    #[must_use]
    pub fn most(mut self, inputs: usize) -> Self {
        self.most = inputs;
        self
    }
}

/// Makes the inputs of a minimal automaton.
pub(super) fn suite(dfa: Dfa, options: &Options) -> Suite {
    let probes = probes(&dfa, &options.specials);
    let cover = Cover::new(&dfa, &probes);
    let mut texts = Texts::new(dfa.alphabet(), options.most.div_ceil(2));
    let mut inputs = cover.inputs(options.variants);
    if let Some(marked) = &options.marked {
        inputs.extend(marked_inputs(&dfa, marked, options));
        inputs.sort_by_key(|(symbols, _)| symbols.len());
    }
    // The number that each has among the texts.
    let mut numbers = Vec::new();
    while numbers.len() < inputs.len() && !texts.full {
        let number = texts.push(&inputs[numbers.len()].0);
        numbers.extend((!texts.full).then_some(number));
    }
    let (kept, left) = inputs.split_at(numbers.len());
    let mut valid = texts.ends.len();
    texts.allow(options.most);
    // Edits where it matters most are there before the bound is reached.
    let mut origins = Vec::new();
    for everywhere in [false, true] {
        for ((symbols, at), number) in kept.iter().zip(&numbers) {
            edits(&dfa, &probes, symbols, (!everywhere).then_some(*at), &mut texts);
            origins.resize(texts.ends.len() - valid, number.unwrap_or(0));
        }
    }
    // Of a language that has all strings there are no edits.
    if texts.ends.len() == valid {
        for (symbols, _) in left {
            texts.push(symbols);
        }
        valid = texts.ends.len();
    }
    let complete = !texts.full && (left.is_empty() || texts.ends.len() == valid);
    let Texts { texts, ends, .. } = texts;
    Suite { dfa, texts, ends, valid, origins, complete, nearer: options.nearer }
}

/// What takes the transitions of an automaton with roles, as far as it is of the language.
fn marked_inputs(dfa: &Dfa, marked: &Dfa, options: &Options) -> Vec<(Vec<u32>, usize)> {
    let probes = probes(marked, &options.specials);
    let mut inputs = Cover::new(marked, &probes).inputs(options.variants);
    for (symbols, _) in &mut inputs {
        for symbol in symbols {
            *symbol = Alphabet::character(*symbol).map_or(*symbol, u32::from);
        }
    }
    inputs.retain(|(symbols, _)| dfa.contains(symbols.iter().copied()));
    inputs
}

/// Symbols to try: of each class the most readable one, the ends of its first ranges, and special ones.
fn probes(dfa: &Dfa, specials: &[char]) -> Vec<u32> {
    let mut probes = Vec::new();
    for class in dfa.classes() {
        let ranges = dfa.class_ranges(class);
        let common = |&(low, high): &(u32, u32)| {
            let within = ranges.iter().map(move |range| (range.0.max(low), range.1.min(high)));
            within.filter(|range| range.0 <= range.1).map(|range| range.0).next()
        };
        let role = Alphabet::role('\0');
        let in_role = READABLE.iter().map(|&(low, high)| (low + role, high + role));
        let plain = READABLE.iter().find_map(common);
        let roles = in_role.into_iter().find_map(|range| common(&range));
        probes.extend(plain.or(roles).or(Some(ranges[0].0)).into_iter().chain(roles));
        probes.extend(ranges.iter().take(RANGES).flat_map(|&(low, high)| [low, high]));
    }
    let given = specials.iter().chain(IMPLICIT).chain(LOOK_ALIKES);
    let given = given.flat_map(|&special| [u32::from(special), Alphabet::role(special)]);
    probes.extend(given.filter(|&it| dfa.class(it).is_some()));
    let mut seen = FxHashSet::default();
    probes.retain(|&probe| seen.insert(probe));
    probes
}

/// The shortest ways to each state and from it.
struct Cover<'a> {
    dfa: &'a Dfa,
    probes: &'a [u32],
    /// Per state: the states before it and the symbols between them; none for the start and what is not
    /// reached.
    before: Vec<Vec<(StateId, u32)>>,
    /// In the order in which they are reached.
    states: Vec<StateId>,
    /// Per state that is not accepting: the symbols that bring it nearer to acceptance.
    after: Vec<Vec<u32>>,
}

impl<'a> Cover<'a> {
    fn new(dfa: &'a Dfa, probes: &'a [u32]) -> Self {
        let count = dfa.state_count();
        let (mut before, mut after) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let (mut states, mut depths) = (Vec::new(), vec![u32::MAX; count]);
        let mut queue = VecDeque::new();
        if !dfa.is_dead(dfa.start()) {
            queue.push_back(dfa.start());
            depths[dfa.start().index()] = 0;
        }
        while let Some(state) = queue.pop_front() {
            states.push(state);
            let (depth, distance) = (depths[state.index()], dfa.distance(state));
            for &probe in probes {
                let target = dfa.step(state, probe);
                let Some(left) = dfa.distance(target) else { continue };
                if Some(left + 1) == distance {
                    after[state.index()].push(probe);
                }
                if depths[target.index()] == u32::MAX {
                    depths[target.index()] = depth + 1;
                    queue.push_back(target);
                }
                if depths[target.index()] == depth + 1 {
                    before[target.index()].push((state, probe));
                }
            }
        }
        Self { dfa, probes, before, states, after }
    }

    /// The shortest string, and for each transition and probe one with the most readable beginning and end and
    /// some with others, shortest first; each with the place of the symbol that it is there for.
    fn inputs(&self, variants: usize) -> Vec<(Vec<u32>, usize)> {
        let mut entropy = Seeded::new(0);
        let mut inputs = Vec::new();
        for &state in &self.states {
            if state == self.dfa.start() {
                let mut shortest = Vec::new();
                self.end(state, &mut shortest, &mut |_| 0);
                inputs.push((shortest, 0));
            }
            for &probe in self.probes {
                let target = self.dfa.step(state, probe);
                if self.dfa.is_dead(target) {
                    continue;
                }
                for variant in 0..variants {
                    let mut choose = |count: usize| match variant {
                        0 => 0,
                        _ => entropy.below(count as u64) as usize,
                    };
                    let mut symbols = self.beginning(state, &mut choose);
                    let at = symbols.len();
                    symbols.push(probe);
                    self.end(target, &mut symbols, &mut choose);
                    inputs.push((symbols, at));
                }
            }
        }
        inputs.sort_by_key(|(symbols, _)| symbols.len());
        inputs
    }

    fn beginning(&self, mut state: StateId, choose: &mut impl FnMut(usize) -> usize) -> Vec<u32> {
        let mut symbols = Vec::new();
        while !self.before[state.index()].is_empty() {
            let ways = &self.before[state.index()];
            let (before, symbol) = ways[choose(ways.len())];
            symbols.push(symbol);
            state = before;
        }
        symbols.reverse();
        symbols
    }

    fn end(
        &self,
        mut state: StateId,
        symbols: &mut Vec<u32>,
        choose: &mut impl FnMut(usize) -> usize,
    ) {
        while !self.dfa.is_accepting(state) && !self.after[state.index()].is_empty() {
            let ways = &self.after[state.index()];
            let symbol = ways[choose(ways.len())];
            symbols.push(symbol);
            state = self.dfa.step(state, symbol);
        }
    }
}

/// Adds what is a symbol away from a string of the language and is not in it; at one place, or at every one.
fn edits(dfa: &Dfa, probes: &[u32], symbols: &[u32], at: Option<usize>, texts: &mut Texts) {
    let ends = |mut state: StateId, rest: &[u32]| {
        for &symbol in rest {
            state = dfa.step(state, symbol);
        }
        dfa.is_accepting(state)
    };
    let mut edited = Vec::with_capacity(symbols.len() + 1);
    let mut state = dfa.start();
    for place in 0..=symbols.len() {
        if texts.full {
            return;
        }
        let (before, rest) = symbols.split_at(place);
        if at.is_none_or(|at| at == place) {
            let mut add = |middle: Option<u32>, rest: &[u32]| {
                edited.clear();
                edited.extend(before.iter().chain(&middle).chain(rest));
                texts.push(&edited);
            };
            if let Some((_, after)) = rest.split_first() {
                if !ends(state, after) {
                    add(None, after);
                }
                for &probe in probes {
                    if !ends(dfa.step(state, probe), after) {
                        add(Some(probe), after);
                    }
                }
            }
            for &probe in probes {
                if !ends(dfa.step(state, probe), rest) {
                    add(Some(probe), rest);
                }
            }
        }
        if let Some(&symbol) = rest.first() {
            state = dfa.step(state, symbol);
        }
    }
}

/// Texts, none twice.
struct Texts {
    alphabet: Alphabet,
    texts: String,
    ends: Vec<u32>,
    /// Hashes of 64 bits: that two of some hundred thousand texts share one is less likely than one in 10^8.
    seen: FxHashMap<u64, u32>,
    most: usize,
    /// Whether there was one more than fits.
    full: bool,
    bytes: Vec<u8>,
}

impl Texts {
    fn new(alphabet: Alphabet, most: usize) -> Self {
        Self {
            alphabet,
            texts: String::new(),
            ends: Vec::new(),
            seen: FxHashMap::default(),
            most,
            full: false,
            bytes: Vec::new(),
        }
    }

    /// From here on so many fit.
    fn allow(&mut self, most: usize) {
        self.most = most;
        self.full = false;
    }

    /// Adds a text, if there is room and it is one, and gives the number that it has now or had before.
    fn push(&mut self, symbols: &[u32]) -> Option<u32> {
        self.bytes.clear();
        for &symbol in symbols {
            match (self.alphabet, char::from_u32(symbol)) {
                (Alphabet::Bytes, _) => self.bytes.push(symbol as u8),
                (_, Some(character)) => {
                    self.bytes.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                (_, None) => return None,
            }
        }
        let text = std::str::from_utf8(&self.bytes).ok()?;
        let mut hasher = FxHasher::default();
        hasher.write(text.as_bytes());
        hasher.write_usize(text.len());
        if let Some(&known) = self.seen.get(&hasher.finish()) {
            return Some(known);
        }
        if self.ends.len() >= self.most || self.texts.len() + text.len() > BYTES {
            self.full = true;
            return None;
        }
        let number = self.ends.len() as u32;
        self.seen.insert(hasher.finish(), number);
        self.texts.push_str(text);
        self.ends.push(self.texts.len() as u32);
        Some(number)
    }
}
