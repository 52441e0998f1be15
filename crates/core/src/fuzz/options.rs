//! How a fuzzer goes.

use crate::mutate;

/// The settings of a [`Fuzzer`](super::Fuzzer): shares of 256 calls, bounds in bytes, and the
/// options of mutation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub(super) mutation: mutate::Options,
    pub(super) k: Option<usize>,
    pub(super) novelty: bool,
    pub(super) cache: Option<usize>,
    pub(super) words: Option<u8>,
    pub(super) bytes: Option<u8>,
    pub(super) fresh: Option<u8>,
    pub(super) recall: Option<u8>,
    pub(super) free: Option<u8>,
    pub(super) max_parse: Option<usize>,
    pub(super) max_bytes: Option<usize>,
    pub(super) free_size: Option<usize>,
    pub(super) replayable: bool,
    pub(super) clock: Option<fn() -> u64>,
}

impl Options {
    /// The length of the k-paths that mutants are grown towards, by default.
    pub const DEFAULT_K: usize = 3;
    /// The memory of the cache by default: 64 MB.
    pub const DEFAULT_CACHE: usize = 64 << 20;
    /// Calls of 256 that change one word, by default.
    pub const DEFAULT_WORDS: u8 = 32;
    /// Calls of 256 that leave all to the engine's mutator, by default: half.
    pub const DEFAULT_BYTES: u8 = 128;
    /// Calls of 256 on what is no sentence that write a fresh one, by default.
    pub const DEFAULT_FRESH: u8 = 16;
    /// Calls of 256 on what is no sentence that mutate a remembered one, by default: half.
    pub const DEFAULT_RECALL: u8 = 128;
    /// Calls of 256 whose result may be much larger than what they are given, by default.
    pub const DEFAULT_FREE: u8 = 32;
    /// The size in bytes up to which inputs grow at once, by default.
    pub const DEFAULT_FREE_SIZE: usize = 48;
    /// The longest input that is parsed, by default.
    pub const DEFAULT_MAX_PARSE: usize = 1 << 20;
    /// The most k-paths that are told apart: a few megabytes, and some milliseconds once.
    pub const MOST_PATHS: u64 = 1 << 20;

    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// How trees are mutated: which mutators, how many of 256 mutations leave the language, limits.
    /// The default is [`mutate::Options::new`].
    #[must_use]
    pub fn mutation(mut self, options: mutate::Options) -> Self {
        self.mutation = options;
        self
    }

    /// The length of the k-paths that mutants are grown towards: those that no input has, of all that
    /// the engine has handed over to be mutated. The mutator is `toward`. Grammars with more than
    /// [`Options::MOST_PATHS`] of them take the greatest length with no more; [`Fuzzer::coverage`] has
    /// what it came to. The default is [`Options::DEFAULT_K`]; with 0 nothing is counted and `toward`
    /// does nothing.
    ///
    /// [`Fuzzer::coverage`]: super::Fuzzer::coverage
    #[must_use]
    pub fn k(mut self, k: usize) -> Self {
        self.k = Some(k);
        self
    }

    /// Whether [`Fuzzer::mark`] sets counters, by the k-paths of [`Options::k`]. The default is
    /// `false`.
    ///
    /// An engine that sees the counters keeps inputs for the k-paths in them, whatever the target does
    /// with them: its corpus covers the grammar, and is larger for it. It costs a step a node of each
    /// input that is executed, in all about as much as mutating it, and what the engine takes for so
    /// many more counters. What marks is coverage too, some hundred edges.
    ///
    /// [`Fuzzer::mark`]: super::Fuzzer::mark
    #[must_use]
    pub fn novelty(mut self, novelty: bool) -> Self {
        self.novelty = novelty;
        self
    }

    /// The most bytes of memory for trees that were read or written. The default is
    /// [`Options::DEFAULT_CACHE`]; with 0 every input is parsed, and more than 4 GB are not taken.
    #[must_use]
    pub fn cache(mut self, bytes: usize) -> Self {
        self.cache = Some(bytes);
        self
    }

    /// How many calls of 256 change one word of the input: a run of letters, digits and bytes beyond
    /// ASCII, found without looking at the tree, so that the engine's table of recent comparisons is
    /// still that of the target when its mutator is called. What is a sentence then is taken; where it is
    /// none, the tree is mutated instead. The default is [`Options::DEFAULT_WORDS`].
    ///
    /// In the place of a number there is, half of the time, another of this crate's: one at which a type
    /// of integers or the exponent of a float ends, or one of many more digits. Half of those that the grammar has no
    /// room for are taken all the same, unless no mutation leaves the language: programs take more digits than
    /// specifications do.
    #[must_use]
    pub fn words(mut self, of_256: u8) -> Self {
        self.words = Some(of_256);
        self
    }

    /// How many calls of 256 leave the whole input to the engine's mutator, whatever it makes of it;
    /// and one and a half times as many crossovers, at most all, join a beginning of one input and an
    /// end of the other. The default is [`Options::DEFAULT_BYTES`]; with 0, [`Options::words`] at 0 too,
    /// and a mutation that breaks nothing, sentences become sentences alone.
    ///
    /// Half is much. But this costs next to nothing, and errors of the lowest level, an escape that is
    /// cut off or a number that overflows, are found by it: `fuzz/compare` has the figures. Where an
    /// engine has stages of its own that change bytes, less is better.
    #[must_use]
    pub fn bytes(mut self, of_256: u8) -> Self {
        self.bytes = Some(of_256);
        self
    }

    /// How many calls of 256 on what is no sentence write a fresh one. What has one byte or none
    /// always becomes a fresh one, unless this is 0. The default is [`Options::DEFAULT_FRESH`]: what an
    /// engine hands over was of interest.
    #[must_use]
    pub fn fresh(mut self, of_256: u8) -> Self {
        self.fresh = Some(of_256);
        self
    }

    /// How many calls of 256 on what is no sentence, and does not become a fresh one, mutate a sentence
    /// that is remembered in its place: the shorter of two of those that the engine has handed over.
    /// The others leave it to the engine's mutator. The default is [`Options::DEFAULT_RECALL`]:
    /// corpora fill with what is no sentence, as there are more ways to be wrong, and what is right
    /// would hardly be mutated any more. With 0 no remembered sentence is a donor of subtrees, either.
    #[must_use]
    pub fn recall(mut self, of_256: u8) -> Self {
        self.recall = Some(of_256);
        self
    }

    /// Whether one call can be repeated by itself. The default is `false`.
    ///
    /// The same calls in the same order always give the same bytes. A call by itself depends on its
    /// data and seed, on what the inputs before cover ([`Options::k`]), on those of them that are
    /// remembered ([`Options::recall`]), and where the grammar derives the data in several ways on the
    /// derivation that is remembered: that of the mutation that wrote them. With `true` nothing else
    /// than data and seed matters: the derivation is always the one that the parser prefers, so mutants
    /// are not remembered and every one that is mutated again is read first; nothing is counted, and no
    /// sentence is recalled.
    #[must_use]
    pub fn replayable(mut self, replayable: bool) -> Self {
        self.replayable = replayable;
        self
    }

    /// The longest input, in bytes, that is parsed; longer ones are treated as no sentences. The
    /// default is [`Options::DEFAULT_MAX_PARSE`].
    #[must_use]
    pub fn max_parse(mut self, bytes: usize) -> Self {
        self.max_parse = Some(bytes);
        self
    }

    /// The most bytes that are written, where the engine allows more; an input that is longer may
    /// stay as long. The default is what the engine allows: libFuzzer says what is useful, AFL++ and
    /// libafl_libfuzzer allow 1 MiB whatever the corpus is.
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = Some(bytes);
        self
    }

    /// The size in bytes up to which a mutant may grow at once; larger mutants are larger than what
    /// they were made of by a quarter at most, but for those of [`Options::free`], and of `deepen` and `plunge`, which
    /// may be as long as the engine allows. The default is
    /// [`Options::DEFAULT_FREE_SIZE`], or twice the grammar's shortest sentence where that is more.
    ///
    /// An engine keeps what is new, however long it is, and cost goes by length: growing slowly it
    /// finds the same in less time. With `usize::MAX` only the engine's own bound is left.
    #[must_use]
    pub fn free_size(mut self, bytes: usize) -> Self {
        self.free_size = Some(bytes);
        self
    }

    /// How many calls of 256 may write twice as much as they are given, or eight times
    /// [`Options::free_size`] where that is more. The default is [`Options::DEFAULT_FREE`]: some faults
    /// need much at a time.
    #[must_use]
    pub fn free(mut self, of_256: u8) -> Self {
        self.free = Some(of_256);
        self
    }

    /// A clock in any unit, by which [`Fuzzer::statistics`] are taken: how often each mutator was called, how long that took
    /// and how much of it the engine kept. The default is none, and no statistics: a call takes two looks at the clock more,
    /// and they take 8 MB.
    ///
    /// [`Fuzzer::statistics`]: super::Fuzzer::statistics
    #[must_use]
    pub fn clock(mut self, clock: fn() -> u64) -> Self {
        self.clock = Some(clock);
        self
    }
}
