//! How mutation goes, and why it cannot begin.

use std::fmt;

use super::{ALL, MUTATORS};
use crate::produce::{Characters, Mode, TreeLimits};
use crate::table::{RuleId, Table};

/// Texts for what some rules derive.
pub(crate) type Implants<R> = Vec<(R, Vec<Box<[u8]>>)>;

/// The settings of a [`Mutation`](super::Mutation): mutators, bounds of mutants, and texts to put
/// in.
#[derive(Clone, Debug, Default)]
pub struct Options {
    only: Option<Vec<String>>,
    without: Vec<String>,
    breaking: Option<u8>,
    pub(super) limits: TreeLimits,
    pub(super) characters: Characters,
    pub(super) mode: Mode,
    pub(super) dictionary: Vec<Box<[u8]>>,
    pub(super) implants: Implants<String>,
}

impl Options {
    /// How many mutations of 256 leave the language, by default: an eighth.
    pub const DEFAULT_BREAKING: u8 = 32;

    /// The greatest depth of a mutant by default, beyond the least height of the start rule.
    pub const DEFAULT_DEPTH: u32 = 256;

    /// The most nodes of a mutant by default.
    pub const DEFAULT_NODES: u64 = 1 << 20;

    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only the mutators of these names, of [`MUTATORS`]. The default is all.
    #[must_use]
    pub fn only<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.only = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Not the mutators of these names, of [`MUTATORS`]. The default is none.
    #[must_use]
    pub fn without<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.without = names.into_iter().map(Into::into).collect();
        self
    }

    /// How many mutations of 256 leave the language. The default is
    /// [`Options::DEFAULT_BREAKING`]; with 0 every mutant is a sentence. Where only mutators of one
    /// kind are left, this has no effect.
    #[must_use]
    pub fn breaking(mut self, of_256: u8) -> Self {
        self.breaking = Some(of_256);
        self
    }

    /// The greatest depth and the most nodes of a mutant; bytes are given with each base. What a
    /// base exceeds already its mutants may exceed as far. The defaults are
    /// [`Options::DEFAULT_DEPTH`] more than the least height of the start rule, but for `deepen` and `plunge`,
    /// which have none, and [`Options::DEFAULT_NODES`].
    #[must_use]
    pub fn limits(mut self, limits: TreeLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Which symbols of classes are shown. The default is [`Characters::Mixed`].
    #[must_use]
    pub fn characters(mut self, characters: Characters) -> Self {
        self.characters = characters;
        self
    }

    /// How choices are weighed where something grows. The default is [`Mode::Uniform`].
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Words to be put into tokens, beside the literals of the grammar. The default is none.
    #[must_use]
    pub fn dictionary<W: AsRef<[u8]>>(mut self, words: impl IntoIterator<Item = W>) -> Self {
        self.dictionary = words.into_iter().map(|word| word.as_ref().into()).collect();
        self
    }

    /// Texts to be put in the place of what a rule derives, whether they are of the rule or not: strings
    /// on which implementations are known or suspected to go wrong. More may be added for other rules.
    /// The default is none, and without any `implant` has nothing to do.
    #[must_use]
    pub fn implants<T: AsRef<[u8]>>(
        mut self,
        rule: &str,
        texts: impl IntoIterator<Item = T>,
    ) -> Self {
        let texts = texts.into_iter().map(|text| text.as_ref().into()).collect();
        self.implants.push((rule.into(), texts));
        self
    }

    pub(super) fn get_breaking(&self) -> u8 {
        self.breaking.unwrap_or(Self::DEFAULT_BREAKING)
    }

    /// Finds what [`Mutation::new`](super::Mutation::new) would refuse, in next to no time.
    #[doc(hidden)]
    pub fn check(&self, table: &Table) -> Result<(), MutateError> {
        self.chosen()?;
        self.rules(table)?;
        Ok(())
    }

    /// The rules that texts are given for, with these texts.
    #[pleach_unhooked::unhooked]
    pub(super) fn rules(&self, table: &Table) -> Result<Implants<RuleId>, MutateError> {
        let given = self.implants.iter().filter(|(_, texts)| !texts.is_empty());
        let found = given.map(|(name, texts)| {
            let rule = table.names().find_rule(name);
            let rule = rule.ok_or_else(|| MutateError { kind: Kind::NoRule(name.clone()) })?;
            Ok((rule, texts.clone()))
        });
        found.collect()
    }

    /// The mutators that are left, as places in the table of all.
    #[pleach_unhooked::unhooked]
    pub(super) fn chosen(&self) -> Result<Vec<usize>, MutateError> {
        let names = self.only.iter().flatten().chain(&self.without);
        let unknown = names.into_iter().find(|name| !MUTATORS.contains(&name.as_str()));
        if let Some(name) = unknown {
            return Err(MutateError { kind: Kind::Unknown(name.clone()) });
        }
        let has = |names: &[String], at: usize| names.iter().any(|name| name == ALL[at].name());
        let chosen: Vec<usize> = (0..ALL.len())
            .filter(|&at| self.only.as_ref().is_none_or(|only| has(only, at)))
            .filter(|&at| !has(&self.without, at))
            .collect();
        if chosen.is_empty() { Err(MutateError { kind: Kind::None }) } else { Ok(chosen) }
    }
}

/// Why mutation cannot begin.
#[derive(Clone, PartialEq, Eq)]
pub struct MutateError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Unknown(String),
    NoRule(String),
    None,
}

impl MutateError {
    /// Whether a name is of no mutator.
    pub fn is_unknown_name(&self) -> bool {
        matches!(self.kind, Kind::Unknown(_))
    }
}

impl fmt::Display for MutateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Unknown(name) => {
                write!(f, "there is no mutator `{name}`; there are {}", MUTATORS.join(", "))
            }
            Kind::NoRule(name) => {
                write!(f, "there is no rule `{name}` in whose place a text could stand")
            }
            Kind::None => f.write_str("no mutator is left; allow one"),
        }
    }
}

crate::displayed::displayed!(MutateError);

impl std::error::Error for MutateError {}
