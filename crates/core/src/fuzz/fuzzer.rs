//! One function for each hook of an engine.

use std::sync::atomic::AtomicU8;

use super::cache::{Refusals, TreeCache};
use super::goals::Goals;
use super::numbers;
use super::options::Options;
use super::statistics::Statistics;
use crate::entropy::Entropy;
use crate::kpath::Coverage;
use crate::mutate::{self, ByteMutator, Bytes, MutateError, Mutation, Sources, SplitMix64, mix};
use crate::parse::{Limits, Parser, Scratch};
use crate::table::{Objective, Table};
use crate::tree::{SizedTree, TreeRef};

/// Mutates bytes by the trees behind them.
///
/// # What a call does
///
/// By default, of 256 calls of [`Fuzzer::mutate`]:
///
/// - 128 leave the input to the engine's mutator of bytes ([`Options::bytes`]);
/// - 32 let it change one word, and take the result if it is a sentence, or put another number in the place of
///   one ([`Options::words`]);
/// - the others, and those whose word came out wrong, mutate the tree; one in eight of them leaves
///   the language ([`mutate::Options::breaking`](crate::mutate::Options::breaking)).
///
/// In the place of an input that is no sentence, half of the calls mutate one that the engine has handed
/// over before ([`Options::recall`]); one call of 16, and each where it has at most one byte, writes a
/// fresh sentence ([`Options::fresh`]); the others leave it to the engine's mutator. Inputs grow slowly
/// ([`Options::free_size`]), but for one call of eight ([`Options::free`]), and for those of `deepen` and `plunge`.
///
/// What mutates is made at the first mutation: who only runs inputs, as a replay does, has no use for it,
/// and to make it takes as long as all else together. A clone goes on as the original would have, and
/// is made in a fraction of that time.
///
/// # Examples
///
/// ```
/// use pleach::fuzz::{Fuzzer, Options};
/// use pleach::{table::Table};
///
/// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = /[a-z]+/ | list;"#)?;
/// let mut fuzzer = Fuzzer::new(&table, Options::new())?;
/// let mut data = b"[one,two]".to_vec();
/// data.resize(100, 0);
/// let size = fuzzer.mutate(&mut data, 9, 100, 1, None);
/// assert!(size > 0 && data[..size] != *b"[one,two]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Fuzzer<'t> {
    parser: Parser<'t>,
    mutation: Deferred<'t>,
    cache: TreeCache,
    refusals: Refusals,
    goals: Goals,
    shares: Shares,
    max_parse: usize,
    max_bytes: usize,
    free_size: usize,
    replayable: bool,
    novelty: bool,
    scratch: Scratch,
    base: SizedTree,
    donor: SizedTree,
    out: SizedTree,
    text: Vec<u8>,
    /// What wrote the last result.
    by: &'static str,
    statistics: Option<Statistics>,
}

/// What writes an input beside the mutators of trees.
const BYTES: &str = "bytes";
const WORD: &str = "word";
const FRESH: &str = "fresh";
const JOIN: &str = "join";

/// A mutation that is made when it is first asked for.
#[derive(Clone)]
struct Deferred<'t> {
    table: &'t Table,
    options: mutate::Options,
    made: Option<Box<Mutation<'t>>>,
}

impl<'t> Deferred<'t> {
    fn new(table: &'t Table, options: mutate::Options) -> Result<Self, MutateError> {
        options.check(table)?;
        Ok(Self { table, options, made: None })
    }

    fn get(&mut self) -> &mut Mutation<'t> {
        let Self { table, options, made } = self;
        made.get_or_insert_with(|| {
            let mutation = Mutation::new(table, std::mem::take(options));
            Box::new(mutation.expect("its options were checked"))
        })
    }
}

/// Calls of 256.
#[derive(Clone, Copy, Debug)]
struct Shares {
    words: u8,
    bytes: u8,
    fresh: u8,
    recall: u8,
    free: u8,
}

/// Nodes of a fresh sentence beyond the smallest: 16, or up to 128.
const FRESH_NODES: u64 = 16;

/// Of how many sentences that are remembered the shortest is recalled: most are longer than what an
/// engine hands over, and cost goes by length.
const RECALLED: usize = 2;

/// How many times the size up to which inputs grow at once a call may write that is free to.
const FREELY: usize = 8;

/// The bounds of a parse: an engine's clock does not run while its mutator does.
const ITEMS_PER_BYTE: u32 = 64;
const PARSE_MEMORY: u64 = 256 << 20;

/// How many words are looked for, how long one may be, and how much longer it may become: by as much as
/// the largest number has digits.
const PLACES: usize = 4;
const WORD_BYTES: usize = 32;
const GAIN: usize = 39;

impl<'t> Fuzzer<'t> {
    /// A fuzzer for a table.
    ///
    /// # Errors
    ///
    /// As [`Mutation::new`].
    #[pleach_unhooked::unhooked]
    pub fn new(table: &'t Table, options: Options) -> Result<Self, MutateError> {
        let limits = Limits::new().items_per_byte(ITEMS_PER_BYTE).memory(PARSE_MEMORY);
        // What was met before is not to matter where a call is to be replayed by itself.
        let k = if options.replayable { 0 } else { options.k.unwrap_or(Options::DEFAULT_K) };
        let memory = options.cache.unwrap_or(Options::DEFAULT_CACHE);
        Ok(Self {
            parser: Parser::new(table).limits(limits),
            mutation: Deferred::new(table, options.mutation)?,
            cache: TreeCache::new(memory),
            refusals: Refusals::new(memory),
            goals: Goals::new(table, k),
            shares: Shares {
                words: options.words.unwrap_or(Options::DEFAULT_WORDS),
                bytes: options.bytes.unwrap_or(Options::DEFAULT_BYTES),
                fresh: options.fresh.unwrap_or(Options::DEFAULT_FRESH),
                // What is remembered is not to matter there, either.
                recall: match options.replayable {
                    true => 0,
                    false => options.recall.unwrap_or(Options::DEFAULT_RECALL),
                },
                free: options.free.unwrap_or(Options::DEFAULT_FREE),
            },
            max_parse: options.max_parse.unwrap_or(Options::DEFAULT_MAX_PARSE),
            max_bytes: options.max_bytes.unwrap_or(usize::MAX),
            free_size: options.free_size.unwrap_or_else(|| free_size(table)),
            replayable: options.replayable,
            novelty: options.novelty,
            scratch: Scratch::new(),
            base: SizedTree::new(),
            donor: SizedTree::new(),
            out: SizedTree::new(),
            text: Vec::new(),
            by: BYTES,
            statistics: options.clock.map(Statistics::new),
        })
    }

    /// What the inputs cover that an engine has handed over to be mutated, but for those that are the
    /// last call's result: an engine hands it over again where it was of no interest. None where
    /// nothing is counted: with [`Options::k`] at 0, with [`Options::replayable`], and where even the
    /// k-paths of one node are too many.
    pub fn coverage(&self) -> Option<&Coverage> {
        self.goals.coverage()
    }

    /// What the mutators have done so far; none without [`Options::clock`].
    pub fn statistics(&self) -> Option<&Statistics> {
        self.statistics.as_ref()
    }

    /// The tree that is remembered for a text, if one is: [`Options::cache`].
    pub fn cached(&self, text: &[u8]) -> Option<TreeRef<'_>> {
        self.cache.get(text)
    }

    /// Changes the first `size` bytes of `data`, and gives how many there are then.
    ///
    /// At most `max_size` bytes, and no more than the buffer has and [`Options::max_bytes`] allows,
    /// are written; at least one, unless that is none. The bytes differ from those before as long as
    /// the grammar and the bounds allow that and `engine` does not leave them as they are, which is the engine's own
    /// mutator, libFuzzer's `fuzzer_mutate`; calls that begin with it do nothing before.
    /// Without it bytes are changed at random.
    ///
    /// Input that is no sentence, is not UTF-8, is empty, or is longer than `max_size` is as good as
    /// any other.
    #[pleach_unhooked::unhooked]
    pub fn mutate(
        &mut self,
        data: &mut [u8],
        size: usize,
        max_size: usize,
        seed: u64,
        engine: Option<&mut dyn Bytes>,
    ) -> usize {
        self.begin(&[&data[..size.min(data.len())]]);
        let size = self.mutant(data, size, max_size, seed, engine);
        self.end(&data[..size]);
        size
    }

    /// A call begins, for which these were handed over.
    #[pleach_unhooked::unhooked]
    fn begin(&mut self, handed: &[&[u8]]) {
        let Self { statistics, goals, .. } = self;
        let Some(statistics) = statistics else { return };
        statistics.begin();
        for text in handed.iter().filter(|text| !goals.is_last(text)) {
            statistics.keep(text);
        }
    }

    #[pleach_unhooked::unhooked]
    fn end(&mut self, result: &[u8]) {
        self.goals.set_last(result);
        if let Some(statistics) = &mut self.statistics {
            statistics.end(self.by, result);
        }
    }

    fn mutant(
        &mut self,
        data: &mut [u8],
        size: usize,
        max_size: usize,
        seed: u64,
        mut engine: Option<&mut dyn Bytes>,
    ) -> usize {
        let size = size.min(data.len());
        let mut random = SplitMix64::new(mix(seed));
        let far = max_size.min(data.len()).min(self.max_bytes.max(size));
        let is_free = random.below(256) < u64::from(self.shares.free);
        let most = far.min(self.grown(size, is_free));
        self.by = BYTES;
        if most == 0 {
            return 0;
        }
        let share = random.below(256) as u32;
        let [bytes, in_words] = [self.shares.bytes, self.shares.words].map(u32::from);
        if share < bytes {
            return by_bytes(data, size, most, &mut random, &mut engine);
        }
        if share < bytes + in_words
            && size <= most.min(self.max_parse)
            && let Some(size) = self.in_a_word(data, size, most, &mut random, &mut engine)
        {
            return size;
        }
        let is_known = self.read(&data[..size]);
        let Self { mutation, cache, goals, base, out, shares, .. } = self;
        let tree = if is_known { cache.get(&data[..size]) } else { base.as_whole() };
        let Some(tree) = tree else {
            let fresh = u64::from(self.shares.fresh);
            let fresh = fresh > 0 && (size <= 1 || random.below(256) < fresh);
            if fresh && let Some(size) = self.fresh(data, size, most, &mut random) {
                return size;
            }
            if random.below(256) < u64::from(self.shares.recall)
                && let Some(size) =
                    self.recalled(data, size, far, is_free, &mut random, &mut engine)
            {
                return size;
            }
            return by_bytes(data, size, most, &mut random, &mut engine);
        };
        let bytes = engine.as_mut().map(|engine| &mut **engine as _);
        let donor = if shares.recall > 0 { cache.any(&mut random) } else { None };
        let sources = Sources { bytes, coverage: goals.coverage(), donor };
        let changed = mutation.get().mutate_by(tree, sources, (most, far), &mut random, out);
        match changed {
            Some(by) if !out.text().is_empty() => {
                self.by = by;
                self.write(data)
            }
            _ => match self.fresh(data, size, most, &mut random) {
                Some(size) => size,
                None => by_bytes(data, size, most, &mut random, &mut engine),
            },
        }
    }

    /// Writes a mix of two inputs to `out` and gives how many bytes it has: the first with a subtree
    /// of the second in the place of one of the same rule.
    ///
    /// Where one of them is no sentence, the other is mutated; where none is, and in three calls of
    /// four by default ([`Options::bytes`]), it is a beginning of the first and an end of the second.
    /// At least one byte is written, unless `out` has none, and at most as many as `out` has and
    /// [`Options::max_bytes`] allows.
    #[pleach_unhooked::unhooked]
    pub fn crossover(&mut self, first: &[u8], second: &[u8], out: &mut [u8], seed: u64) -> usize {
        self.begin(&[first, second]);
        let size = self.mix(first, second, out, seed);
        self.end(&out[..size]);
        size
    }

    fn mix(&mut self, first: &[u8], second: &[u8], out: &mut [u8], seed: u64) -> usize {
        let mut random = SplitMix64::new(mix(seed));
        let is_free = random.below(256) < u64::from(self.shares.free);
        let far = out.len().min(self.max_bytes.max(first.len()));
        let most = far.min(self.grown(first.len(), is_free));
        self.by = JOIN;
        if most == 0 {
            return 0;
        }
        if random.below(256) < u64::from(self.shares.bytes) * 3 / 2 {
            let out = &mut out[..most];
            let size = spliced(first, second, out, &mut random);
            if out[..size] != *first {
                return size;
            }
        }
        // The one that is read is kept apart before the other is.
        let is_known = self.read(second);
        if !is_known {
            std::mem::swap(&mut self.base, &mut self.donor);
        }
        let first_known = self.read(first);
        // Reading the first may have made the cache forget the second: it is read once more, and not
        // kept, as the cache might then forget the first.
        let second_known = is_known && self.cache.get(second).is_some();
        if is_known && !second_known {
            let Self { parser, scratch, donor, .. } = self;
            donor.clear();
            if parser.try_parse(second, scratch, &mut donor.tree) {
                donor.measure(parser.table());
            } else {
                donor.clear();
            }
        }
        let Self { mutation, cache, base, donor, out: mutant, .. } = self;
        let base = if first_known { cache.get(first) } else { base.as_whole() };
        let donor = if second_known { cache.get(second) } else { donor.as_whole() };
        let (base, donor) = match (base, donor) {
            (Some(base), donor) => (base, donor),
            (None, Some(donor)) => (donor, None),
            (None, None) => return spliced(first, second, &mut out[..most], &mut random),
        };
        let changed = mutation.get().cross(base, donor, (most, far), &mut random, mutant);
        match changed {
            Some(by) if !mutant.text().is_empty() => {
                self.by = by;
                self.write(out)
            }
            _ => match self.fresh(out, 0, most, &mut random) {
                Some(size) => size,
                None => spliced(first, second, &mut out[..most], &mut random),
            },
        }
    }

    /// Sets a counter to 1 for each k-path that an input covers, which is about to be executed: one of
    /// them by a hash, and that of the longest walk that ends at each node. With
    /// [`Options::novelty`] off it does nothing, nor where the input is no sentence.
    ///
    /// The result of the last call is known by its tree, so that nothing is parsed while an engine
    /// watches; other inputs are read if they are not in the cache.
    pub fn mark(&mut self, text: &[u8], counters: &[AtomicU8]) {
        if !self.novelty {
            return;
        }
        let Self { parser, cache, goals, scratch, base, out, .. } = self;
        let tree = match cache.get(text) {
            None if out.text() == text => out.as_whole(),
            tree => tree,
        };
        if let Some(tree) = tree {
            goals.mark(tree.nodes, counters);
        } else if !goals.is_last(text)
            && text.len() <= self.max_parse
            && parser.try_parse(text, scratch, &mut base.tree)
        {
            base.measure(parser.table());
            goals.mark(base.tree.nodes(), counters);
            cache.insert_passing(base.as_ref());
        }
    }

    /// How large what is made of an input of a size may be, but for what may use all room there is.
    fn grown(&self, size: usize, is_free: bool) -> usize {
        match is_free {
            true => size.saturating_mul(2).max(self.free_size.saturating_mul(FREELY)),
            false => size.saturating_add(size / 4).max(self.free_size),
        }
    }

    /// Reads a text, unless the cache has its tree, and tells whether it has; else the base is the
    /// tree, and empty where the text is no sentence.
    #[pleach_unhooked::unhooked]
    fn read(&mut self, text: &[u8]) -> bool {
        let Self { parser, scratch, base, out, cache, refusals, goals, .. } = self;
        if cache.get(text).is_some() {
            if !goals.is_last(text)
                && let Some(tree) = cache.keep(text)
            {
                goals.count(tree.nodes);
            }
            return true;
        }
        base.clear();
        if text.len() > self.max_parse || refusals.has(text) {
            return false;
        }
        // What is too large to be kept for a while is still there if it is the last result.
        let is_there = !self.replayable && !out.is_empty() && out.text() == text;
        if is_there {
            base.copy_from(out.as_ref());
        } else if parser.try_parse(text, scratch, &mut base.tree) {
            base.measure(parser.table());
        } else {
            base.clear();
        }
        if !base.is_empty() {
            if goals.is_last(text) {
                cache.insert_passing(base.as_ref());
            } else {
                goals.count(base.tree.nodes());
                cache.insert(base.as_ref());
            }
        } else {
            refusals.insert(text);
        }
        false
    }

    /// Copies the mutant to a buffer that has room for it.
    fn write(&mut self, data: &mut [u8]) -> usize {
        let text = self.out.text();
        data[..text.len()].copy_from_slice(text);
        if !self.out.is_empty() && !self.replayable {
            self.cache.insert_passing(self.out.as_ref());
        }
        text.len()
    }

    /// Writes a fresh sentence that differs from what is there.
    #[pleach_unhooked::unhooked]
    fn fresh(
        &mut self,
        data: &mut [u8],
        size: usize,
        most: usize,
        random: &mut SplitMix64,
    ) -> Option<usize> {
        const TRIES: usize = 4;
        for _ in 0..TRIES {
            let nodes = FRESH_NODES << random.index(4);
            if !self.mutation.get().sentence(most, nodes, random, &mut self.out) {
                return None;
            }
            let text = self.out.text();
            if !text.is_empty() && *text != data[..size] {
                self.by = FRESH;
                return Some(self.write(data));
            }
        }
        None
    }

    /// Writes a mutant of a sentence that was read before, which differs from what is there.
    fn recalled(
        &mut self,
        data: &mut [u8],
        size: usize,
        far: usize,
        is_free: bool,
        random: &mut SplitMix64,
        engine: &mut Option<&mut dyn Bytes>,
    ) -> Option<usize> {
        let tree = self.cache.shortest_of(RECALLED, random)?;
        let donor = self.cache.any(random);
        // The sentence may be longer than what it stands in for.
        let most = far.min(self.grown(tree.text().len(), is_free));
        let Self { mutation, goals, out, .. } = self;
        let bytes = engine.as_mut().map(|engine| &mut **engine as _);
        let sources = Sources { bytes, coverage: goals.coverage(), donor };
        let by = mutation.get().mutate_by(tree, sources, (most, far), random, out)?;
        let text = self.out.text();
        if text.is_empty() || *text == data[..size] {
            return None;
        }
        self.by = by;
        Some(self.write(data))
    }

    /// Lets the engine change one word, and keeps that if it is a sentence; or makes it a number at a bound if it is
    /// a number, and keeps that in half of the calls even if it is none.
    fn in_a_word(
        &mut self,
        data: &mut [u8],
        size: usize,
        most: usize,
        random: &mut SplitMix64,
        engine: &mut Option<&mut dyn Bytes>,
    ) -> Option<usize> {
        let (from, to) = word(&data[..size], random)?;
        let room = (to - from + GAIN).min(to - from + most - size);
        let Self { text, base, .. } = self;
        text.clear();
        let is_number = data[from..to].iter().all(u8::is_ascii_digit) && random.once_in(2);
        if is_number {
            numbers::write(room, random, text);
        } else {
            text.extend_from_slice(&data[from..to]);
            text.resize(room, 0);
            let length = by_bytes(text, to - from, room, random, engine);
            text.truncate(length);
        }
        let length = text.len();
        // The whole, with the word as it is now.
        let rest = (from + length, data[to..size].len());
        text.extend_from_slice(&data[to..size]);
        text.extend_from_slice(&data[..from]);
        text.rotate_right(from);
        debug_assert_eq!(text.len(), rest.0 + rest.1);
        if **text == data[..size] || text.is_empty() {
            return None;
        }
        let Self { parser, scratch, cache, refusals, mutation, .. } = self;
        if parser.try_parse(text, scratch, &mut base.tree) {
            base.measure(parser.table());
            cache.insert_passing(base.as_ref());
        } else if is_number && mutation.get().is_breaking() && random.once_in(2) {
            refusals.insert(text);
        } else {
            return None;
        }
        data[..text.len()].copy_from_slice(text);
        self.by = WORD;
        Some(text.len())
    }
}

/// The size up to which inputs grow at once, where that is not said: room for some sentences.
fn free_size(table: &Table) -> usize {
    let shortest = table.minima().closing(Objective::Bytes, table.start(), u32::MAX);
    let shortest =
        shortest.map_or(0, |point| usize::try_from(point.cost.bytes).unwrap_or(usize::MAX));
    shortest.saturating_mul(2).max(Options::DEFAULT_FREE_SIZE)
}

/// The ends of a run of letters, digits, `_` and bytes beyond ASCII, around a random place.
fn word(text: &[u8], random: &mut SplitMix64) -> Option<(usize, usize)> {
    let is_part = |&&byte: &&u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    for _ in 0..PLACES {
        let at = random.index(text.len());
        let before = text[..at].iter().rev().take(WORD_BYTES / 2).take_while(is_part).count();
        let after = text[at..].iter().take(WORD_BYTES / 2).take_while(is_part).count();
        if before + after > 0 {
            return Some((at - before, at + after));
        }
    }
    None
}

/// Lets the engine change the data, as far as there is room for them; at least one byte is left.
fn by_bytes(
    data: &mut [u8],
    size: usize,
    most: usize,
    random: &mut SplitMix64,
    engine: &mut Option<&mut dyn Bytes>,
) -> usize {
    let size = size.min(most);
    let size = match engine {
        Some(engine) => engine.mutate(data, size, most),
        None => ByteMutator::new(random).mutate(data, size, most),
    };
    if size == 0 {
        data[0] = b' ';
    }
    size.clamp(1, most)
}

/// A beginning of one text and an end of another.
fn spliced(first: &[u8], second: &[u8], out: &mut [u8], random: &mut SplitMix64) -> usize {
    let head = random.index(first.len() + 1).min(out.len());
    let tail = second.len() - random.index(second.len() + 1);
    let tail = &second[second.len() - tail..];
    let tail = &tail[..tail.len().min(out.len() - head)];
    out[..head].copy_from_slice(&first[..head]);
    out[head..head + tail.len()].copy_from_slice(tail);
    match head + tail.len() {
        0 => {
            out[0] = b' ';
            1
        }
        size => size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::Grammar;
    use crate::table::Lowering;

    #[test]
    fn a_run_over_a_file_makes_no_mutator_and_still_says_what_is_wrong() {
        let grammar = Grammar::parse("a = [0-9]+ ;").unwrap();
        let table = Lowering::new().lower(&grammar).unwrap().table;
        let mut fuzzer = Fuzzer::new(&table, Options::new().bytes(0).novelty(true)).unwrap();
        let counters = [const { AtomicU8::new(0) }; 64];
        fuzzer.mark(b"123", &counters);
        assert!(fuzzer.mutation.made.is_none());
        let mut data = *b"123.....";
        fuzzer.mutate(&mut data, 3, 8, 1, None);
        assert!(fuzzer.mutation.made.is_some());
        let wrong = mutate::Options::new().without(["splise"]);
        assert!(Fuzzer::new(&table, Options::new().mutation(wrong)).is_err());
        let wrong = mutate::Options::new().implants("b", ["x"]);
        assert!(Fuzzer::new(&table, Options::new().mutation(wrong)).is_err());
    }
}
