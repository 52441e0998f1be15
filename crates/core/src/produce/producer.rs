//! Random production: one tree a call, by static weights.

use super::budget::{Budget, BudgetError, Limits, shared_setters};
use super::expand::Expansion;
use super::fragment::Fragments;
use super::frugality::Frugality;
use super::leaf::Characters;
use super::pool::Pool;
use super::random::{Growing, Growth, RandomChoices};
use super::sampler::{Sampler, Setting};
use super::weights::{Mode, Weights};
use crate::entropy::Entropy;
use crate::table::{Saving, Table};
use crate::tree::Tree;

/// How random production goes.
#[derive(Clone, Debug, Default)]
pub struct Options {
    mode: Option<Mode>,
    limits: Limits,
    size: Option<u64>,
    characters: Characters,
    pool: Option<u64>,
    singly: bool,
}

impl Options {
    /// Beyond the least height of the start rule, how much deeper a tree may be by default.
    pub const DEFAULT_DEPTH: u32 = 256;

    /// The node budget by default: a tree of some kilobytes, for many grammars derive endless ones
    /// if nothing stops them.
    pub const DEFAULT_NODES: u64 = 4096;

    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// How choices are weighed. The default is [`Mode::Uniform`].
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = Some(mode);
        self
    }

    shared_setters!(
        "[`Options::DEFAULT_DEPTH`] more than the least height of the start rule.",
        "[`Options::DEFAULT_NODES`], or what the smallest tree needs if that is more.",
        " but that on nodes."
    );

    /// A size in bytes to aim at: trees grow where they can until closing them reaches it. The
    /// default is none.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Draws small subtrees beforehand, from this seed, and takes most of each sentence from them:
    /// sentences come faster, and within one pool the same small subtrees come again, so every
    /// other producer of a long campaign had better have another seed. Each choice is as likely as
    /// without a pool, over all seeds. It has no effect where trees grow towards a size or the
    /// grammar has a layout. The default is no pool: every choice is drawn afresh.
    ///
    /// `cargo bench --bench figures` measures both.
    #[must_use]
    pub fn pool(mut self, seed: u64) -> Self {
        self.pool = Some(seed);
        self
    }

    /// Makes every choice by itself: for sources that must last, and where little is produced.
    #[doc(hidden)]
    pub fn singly(mut self) -> Self {
        self.singly = true;
        self
    }

    /// The budget that these options mean for a table.
    fn budget(&self, table: &Table) -> Budget {
        let minima = table.minima();
        let deep = || minima.rule_height(table.start()).saturating_add(Self::DEFAULT_DEPTH);
        self.limits.or(deep, |depth| {
            let smallest = minima
                .closing(Saving::Nodes, table.start(), depth)
                .map_or(0, |step| step.cost.nodes.saturating_add(1));
            let grown = self.size.map_or(0, |size| size.saturating_mul(8));
            smallest.max(grown).clamp(Self::DEFAULT_NODES, Budget::DEFAULT_NODES)
        })
    }
}

/// A producer of random trees, with the memory it works in.
///
/// # Examples
///
/// ```
/// use pleach::{Seeded, grammar::Grammar, table::Lowering, tree::Tree};
/// use pleach::produce::{Mode, Options, Producer};
///
/// let grammar = Grammar::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
/// let table = Lowering::new().lower(&grammar)?.table;
/// let mut producer = Producer::new(&table, Options::new().mode(Mode::Uniform).max_bytes(64))?;
/// let (mut entropy, mut tree) = (Seeded::new(1), Tree::new());
/// producer.produce(&mut entropy, &mut tree);
/// assert!(tree.text().starts_with(b"[") && tree.text().len() <= 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Producer<'t> {
    frugality: Frugality<'t>,
    weights: Weights,
    growth: Option<(Growth, u64)>,
    /// None where trees grow towards a size, and where layout stands between tokens.
    fragments: Option<Fragments>,
    pool: Pool,
    expansion: Expansion,
    sampler: Sampler,
    scratch: Tree,
}

impl<'t> Producer<'t> {
    /// A producer for a table.
    ///
    /// # Errors
    ///
    /// Where no tree fits the budget.
    pub fn new(table: &'t Table, options: Options) -> Result<Self, BudgetError> {
        let budget = options.budget(table);
        let saving = budget.saving(table)?;
        let characters = options.characters;
        let weights = Weights::new(table, options.mode.unwrap_or_default());
        let fragments = (options.size.is_none() && table.layout().is_none() && !options.singly)
            .then(|| Fragments::new(table, &weights, characters, saving));
        let frugality = Frugality::new(table, budget, saving, characters);
        let mut pool = Pool::default();
        if let (Some(fragments), Some(seed)) = (&fragments, options.pool) {
            let none = &Pool::default();
            let setting =
                Setting { frugality: &frugality, fragments, weights: &weights, pool: none };
            pool = Pool::new(&setting, seed);
        }
        Ok(Self {
            frugality,
            weights,
            growth: options.size.map(|size| (Growth::new(table), size)),
            fragments,
            pool,
            expansion: Expansion::default(),
            sampler: Sampler::default(),
            scratch: Tree::new(),
        })
    }

    /// The budget that no tree exceeds.
    pub fn budget(&self) -> Budget {
        self.frugality.budget
    }

    /// Produces a tree in place of what `tree` holds.
    pub fn produce(&mut self, entropy: &mut impl Entropy, tree: &mut Tree) {
        tree.clear();
        match &self.fragments {
            Some(fragments) => {
                let setting = Setting {
                    frugality: &self.frugality,
                    fragments,
                    weights: &self.weights,
                    pool: &self.pool,
                };
                let Tree { text, nodes } = tree;
                let expansion = &mut self.expansion;
                self.sampler.sentence::<_, true>(&setting, expansion, entropy, text, nodes);
            }
            None => self.expand(entropy, tree),
        }
    }

    /// Appends a sentence to `out` without keeping its tree: the same bytes as
    /// [`Producer::produce`] yields from the same source.
    pub fn write(&mut self, entropy: &mut impl Entropy, out: &mut Vec<u8>) {
        match &self.fragments {
            Some(fragments) => {
                let setting = Setting {
                    frugality: &self.frugality,
                    fragments,
                    weights: &self.weights,
                    pool: &self.pool,
                };
                let (expansion, nodes) = (&mut self.expansion, &mut Vec::new());
                self.sampler.sentence::<_, false>(&setting, expansion, entropy, out, nodes);
            }
            None => {
                let mut tree = std::mem::take(&mut self.scratch);
                self.expand(entropy, &mut tree);
                out.extend_from_slice(tree.text());
                self.scratch = tree;
            }
        }
    }

    /// Makes every choice by itself.
    fn expand(&mut self, entropy: &mut impl Entropy, tree: &mut Tree) {
        let (expansion, frugality) = (&mut self.expansion, &self.frugality);
        let mut random = RandomChoices { weights: &self.weights, entropy };
        match self.growth {
            Some((ref growth, size)) => {
                let mut choices = Growing { random, growth, size, closing: false };
                expansion.tree(frugality, &mut choices, tree);
            }
            None => expansion.tree(frugality, &mut random, tree),
        }
    }
}
