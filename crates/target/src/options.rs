//! What a target can be told.

use pleach_core::fuzz::{Fuzzer, Options};
use pleach_core::internal::marked;
use pleach_core::mutate::{self, MutateError};
use pleach_core::produce::TreeLimits;
use pleach_core::table::Table;

use crate::session::{STATISTICS, Session, nanoseconds};

/// The settings of a fuzz target: each method is an option of [`fuzz_target!`](crate::fuzz_target).
#[derive(Clone, Debug, Default)]
pub struct TargetOptions {
    pub(crate) start: Option<String>,
    limits: TreeLimits,
    fuzzer: Options,
    mutation: mutate::Options,
    pub(crate) implants: Vec<(String, Vec<Box<[u8]>>)>,
}

impl TargetOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Inputs are what this rule derives, instead of the grammar's start rule.
    #[must_use]
    pub fn start(mut self, rule: &str) -> Self {
        self.start = Some(rule.into());
        self
    }

    /// The greatest depth of a derivation tree: for targets that recurse, and whose stacks may be spent.
    #[must_use]
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.limits = self.limits.max_depth(depth);
        self
    }

    /// Only these mutators, of [`MUTATORS`](pleach_core::mutate::MUTATORS).
    #[must_use]
    pub fn only<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.mutation = self.mutation.only(names);
        self
    }

    /// Not these mutators, of [`MUTATORS`](pleach_core::mutate::MUTATORS).
    #[must_use]
    pub fn without<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.mutation = self.mutation.without(names);
        self
    }

    /// How many mutations of 256 leave the language: [`mutate::Options::breaking`].
    #[must_use]
    pub fn breaking(mut self, of_256: u8) -> Self {
        self.mutation = self.mutation.breaking(of_256);
        self
    }

    /// Texts to be put in the place of what some rules derive: [`mutate::Options::implants`]. Rules that the
    /// start rule does not lead to have no place.
    #[must_use]
    pub fn implants<R: AsRef<str>, T: AsRef<[u8]>, A: IntoIterator<Item = T>>(
        mut self,
        implants: impl IntoIterator<Item = (R, A)>,
    ) -> Self {
        for (rule, texts) in implants {
            let texts = texts.into_iter().map(|text| text.as_ref().into()).collect();
            self.implants.push((rule.as_ref().to_owned(), texts));
        }
        self
    }

    /// How many calls of 256 leave all to the engine's own mutator: [`Options::bytes`].
    #[must_use]
    pub fn bytes(mut self, of_256: u8) -> Self {
        self.fuzzer = self.fuzzer.bytes(of_256);
        self
    }

    /// How many calls of 256 change one word: [`Options::words`].
    #[must_use]
    pub fn words(mut self, of_256: u8) -> Self {
        self.fuzzer = self.fuzzer.words(of_256);
        self
    }

    /// The length of the k-paths that mutants are grown towards: [`Options::k`].
    #[must_use]
    pub fn k(mut self, k: usize) -> Self {
        self.fuzzer = self.fuzzer.k(k);
        self
    }

    /// Whether the k-paths of inputs are counters for the engine: [`Options::novelty`]. They are seen
    /// by libFuzzer on Linux.
    #[must_use]
    pub fn novelty(mut self, novelty: bool) -> Self {
        self.fuzzer = self.fuzzer.novelty(novelty);
        self
    }

    /// The most bytes of an input, where the engine allows more: [`Options::max_bytes`].
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.fuzzer = self.fuzzer.max_bytes(bytes);
        self
    }

    /// The size in bytes up to which inputs grow at once: [`Options::free_size`].
    #[must_use]
    pub fn free_size(mut self, bytes: usize) -> Self {
        self.fuzzer = self.fuzzer.free_size(bytes);
        self
    }

    /// The most bytes of memory for trees: [`Options::cache`].
    #[must_use]
    pub fn cache(mut self, bytes: usize) -> Self {
        self.fuzzer = self.fuzzer.cache(bytes);
        self
    }

    /// Checks what the compiler has not: the names of mutators. [`TargetOptions::fuzzer`] does so, too.
    ///
    /// # Errors
    ///
    /// As [`Fuzzer::new`].
    pub fn check(&self, table: &Table) -> Result<(), MutateError> {
        self.mutation.check(table)
    }

    /// The fuzzer of a table.
    ///
    /// # Errors
    ///
    /// As [`Fuzzer::new`].
    pub fn fuzzer(self, table: &Table) -> Result<Fuzzer<'_>, MutateError> {
        let mut mutation = self.mutation.limits(self.limits);
        for (rule, texts) in self.implants {
            if table.names().find_rule(&rule).is_some() {
                let texts = texts.into_iter().map(|text| match table.has_parts() {
                    true => marked(&text).into(),
                    false => text,
                });
                mutation = mutation.implants(&rule, texts);
            }
        }
        Fuzzer::new(table, self.fuzzer.mutation(mutation))
    }

    /// The fuzzer of a table, with statistics where the environment asks for them.
    #[doc(hidden)]
    pub fn session(mut self, table: &Table) -> Result<Session<'_>, MutateError> {
        if std::env::var_os(STATISTICS).is_some() {
            self.fuzzer = self.fuzzer.clock(nanoseconds);
        }
        Ok(Session::new(self.fuzzer(table)?))
    }
}
