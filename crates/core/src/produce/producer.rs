//! Random production: one tree a call, by static weights.
//!
//! Most texts are plain: the others, which are rare, have several exotic things each, so that a reader that
//! trips over one of them is asked about the rest of the language as well. Plain ones are what has to be
//! fast, so they alone are made by prefixes.

use super::budget::{Budget, BudgetError, TreeLimits, shared_setters};
use super::characters::Characters;
use super::costs::SymbolCosts;
use super::exotic::Exotic;
use super::expand::Expansion;
#[cfg(feature = "front")]
use super::learnt::{Learnt, LearntChoices};
use super::pool::Pool;
use super::prefix::Prefixes;
use super::random::{Growing, Growth, RandomChoices};
use super::sampler::{Sampler, Setting};
use super::typical::Typical;
use super::weights::{Mode, Weights};
use crate::entropy::Entropy;
use crate::table::{Objective, Table};
use crate::tree::Tree;

/// The settings of a [`Producer`]: how choices are weighed, bounds of trees, characters and pools.
#[derive(Clone, Debug, Default)]
pub struct Options {
    mode: Option<Mode>,
    limits: TreeLimits,
    size: Option<u64>,
    characters: Option<Characters>,
    exotic: Option<u8>,
    pool: Option<u64>,
    singly: bool,
    #[cfg(feature = "front")]
    learnt: Option<std::sync::Arc<crate::learn::Model>>,
    #[cfg(feature = "front")]
    learnt_share: Option<u8>,
}

impl Options {
    /// Beyond the least height of the start rule, how much deeper a tree may be by default.
    pub const DEFAULT_DEPTH: u32 = 256;

    /// The node budget by default: a tree of some kilobytes, for many grammars derive endless ones
    /// if nothing stops them.
    pub const DEFAULT_NODES: u64 = 4096;

    /// How many texts of 256 are exotic, by default: two.
    pub const DEFAULT_EXOTIC: u8 = 2;

    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// How choices are weighed. The default is [`Mode::Uniform`], in which of the grammar's weights 0 alone counts;
    /// [`Mode::Typical`] is that of `pleach generate --mode random`.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = Some(mode);
        self
    }

    shared_setters!(
        "[`Options::DEFAULT_DEPTH`] more than the least height of the start rule.",
        "[`Options::DEFAULT_NODES`], or what the smallest tree needs if that is more; less, and another \
         number for each text, in [`Mode::Typical`].",
        " but that on nodes."
    );

    /// Which symbols of classes are shown, in all texts. The default is [`Characters::Exotic`] in the texts
    /// that [`Options::exotic`] speaks of, and [`Characters::Plain`] in the others.
    #[must_use]
    pub fn characters(mut self, characters: Characters) -> Self {
        self.characters = Some(characters);
        self
    }

    /// How many texts of 256 are exotic. The default is [`Options::DEFAULT_EXOTIC`]; it has no effect beside
    /// [`Options::characters`].
    #[must_use]
    pub fn exotic(mut self, of_256: u8) -> Self {
        self.exotic = Some(of_256);
        self
    }

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

    /// Goes by what was learnt of a corpus, in all choices or as many as [`Options::learnt_share`] says.
    ///
    /// In [`Mode::Weighted`] and [`Mode::Typical`] alternatives, counts and texts are as frequent as they were in the
    /// corpus, and where it says nothing the mode decides. In [`Mode::Inverted`] what it does seldom is likely, and
    /// what it never does most of all. In [`Mode::Uniform`] alternatives are alike, and counts and texts
    /// as in the corpus. Texts of terminals that the corpus does not have come as often as something new did
    /// when it was read. Exotic texts ([`Options::exotic`]) are made without, and so are trees that grow towards a size.
    /// The default is nothing learnt.
    #[cfg(feature = "front")]
    #[must_use]
    pub fn learnt(mut self, model: std::sync::Arc<crate::learn::Model>) -> Self {
        self.learnt = Some(model);
        self
    }

    /// How many choices of 256 go by what was learnt; the others are made as without. The default is all.
    #[cfg(feature = "front")]
    #[must_use]
    pub fn learnt_share(mut self, of_256: u8) -> Self {
        self.learnt_share = Some(of_256);
        self
    }

    /// Whether something was learnt.
    fn is_learnt(&self) -> bool {
        #[cfg(feature = "front")]
        let is_learnt = self.learnt.is_some();
        #[cfg(not(feature = "front"))]
        let is_learnt = false;
        is_learnt
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
                .closing(Objective::Nodes, table.start(), depth)
                .map_or(0, |point| point.cost.nodes.saturating_add(1));
            let grown = self.size.map_or(0, |size| size.saturating_mul(8));
            smallest.max(grown).clamp(Self::DEFAULT_NODES, Budget::DEFAULT_NODES)
        })
    }

    /// What texts are mostly of, and how many of 256 are exotic.
    fn characters_and_share(&self) -> (Characters, u64) {
        match self.characters {
            None => (Characters::Plain, self.exotic.unwrap_or(Self::DEFAULT_EXOTIC).into()),
            Some(Characters::Exotic) => (Characters::Plain, 256),
            Some(characters) => (characters, 0),
        }
    }

    /// The sizes of texts, where nothing is said of them.
    fn typical(&self, table: &Table, least: u64) -> Option<Typical> {
        let TreeLimits { nodes, bytes, .. } = self.limits;
        (self.mode == Some(Mode::Typical) && self.size.is_none() && nodes.or(bytes).is_none())
            .then(|| Typical::new(table, least, self.is_learnt()))
    }
}

/// A producer of random trees, with the memory it works in.
///
/// # Examples
///
/// ```
/// use pleach::{Seeded, table::Table, tree::Tree};
/// use pleach::produce::{Mode, Options, Producer};
///
/// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
/// let mut producer = Producer::new(&table, Options::new().mode(Mode::Uniform).max_bytes(64))?;
/// let (mut entropy, mut tree) = (Seeded::new(1), Tree::new());
/// producer.produce(&mut entropy, &mut tree);
/// assert!(tree.text().starts_with(b"[") && tree.text().len() <= 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Producer<'t> {
    costs: SymbolCosts<'t>,
    /// The budget that no tree exceeds.
    budget: Budget,
    typical: Option<Typical>,
    #[cfg(feature = "front")]
    learnt: Option<Learnt>,
    mode: Mode,
    weights: Weights,
    growth: Option<(Growth, u64)>,
    /// None where trees grow towards a size, and where layout stands between tokens.
    prefixes: Option<Prefixes>,
    pool: Pool,
    /// How many texts of 256 are exotic, and what these are made with, from the first on.
    share: u64,
    exotic: Option<Box<(Weights, Exotic)>>,
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
    ///
    /// # Panics
    ///
    /// Where what was learnt is of another table.
    pub fn new(table: &'t Table, options: Options) -> Result<Self, BudgetError> {
        let budget = options.budget(table);
        let objective = budget.objective(table)?;
        let (characters, share) = options.characters_and_share();
        let mode = options.mode.unwrap_or_default();
        // Whoever asks for other characters asks for all alternatives, where they are alike.
        let whole = characters != Characters::Plain && mode == Mode::Uniform;
        let weights = Weights::new(table, mode, whole);
        let is_singly = options.singly || options.is_learnt();
        let prefixes = (options.size.is_none() && table.layout().is_none() && !is_singly)
            .then(|| Prefixes::new(table, &weights, characters, objective));
        let costs = SymbolCosts::new(table, budget, objective, characters);
        let mut pool = Pool::default();
        if let (Some(prefixes), Some(seed)) = (&prefixes, options.pool) {
            let none = &Pool::default();
            let setting = Setting { costs: &costs, prefixes, weights: &weights, pool: none };
            pool = Pool::new(&setting, seed);
        }
        Ok(Self {
            typical: options.typical(table, budget.least(table, objective).nodes),
            #[cfg(feature = "front")]
            learnt: options.learnt.filter(|_| options.size.is_none()).map(|model| {
                assert!(model.is_of(table), "what was learnt is of another table");
                Learnt::new(model, options.learnt_share.map_or(256, u64::from), mode)
            }),
            costs,
            budget,
            mode,
            weights,
            growth: options.size.map(|size| (Growth::new(table), size)),
            prefixes,
            pool,
            share,
            exotic: None,
            expansion: Expansion::default(),
            sampler: Sampler::default(),
            scratch: Tree::new(),
        })
    }

    /// The budget that no tree exceeds.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Produces a tree in place of what `tree` holds.
    pub fn produce(&mut self, entropy: &mut impl Entropy, tree: &mut Tree) {
        let (is_exotic, mut draws) = (self.begin(entropy), 0);
        loop {
            tree.clear();
            match &self.prefixes {
                Some(prefixes) if !is_exotic => {
                    let setting = Setting {
                        costs: &self.costs,
                        prefixes,
                        weights: &self.weights,
                        pool: &self.pool,
                    };
                    let Tree { text, nodes } = tree;
                    let expansion = &mut self.expansion;
                    self.sampler.sentence::<_, true>(&setting, expansion, entropy, text, nodes);
                }
                _ => self.expand(is_exotic, entropy, tree),
            }
            draws += 1;
            if self.is_kept((tree.nodes().len(), tree.text().len()), draws, entropy) {
                return;
            }
        }
    }

    /// Random sentences, of which some may be equal, without end, or until the source is exhausted.
    ///
    /// Each is allocated; [`Producer::write`] and [`Producer::produce`] need not.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::produce::{Options, Producer};
    /// use pleach::{Seeded, table::Table};
    ///
    /// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = /[a-z]+/ | list;"#)?;
    /// let mut producer = Producer::new(&table, Options::new().max_bytes(40))?;
    /// let sentences: Vec<Vec<u8>> = producer.sentences(Seeded::new(1)).take(100).collect();
    /// assert!(sentences.iter().all(|it| it.starts_with(b"[") && it.len() <= 40));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sentences(&mut self, mut entropy: impl Entropy) -> impl Iterator<Item = Vec<u8>> {
        std::iter::from_fn(move || {
            let mut sentence = Vec::new();
            (!entropy.is_exhausted()).then(|| self.write(&mut entropy, &mut sentence))?;
            Some(sentence)
        })
    }

    /// Appends a sentence to `out` without keeping its tree: the same bytes as
    /// [`Producer::produce`] yields from the same source.
    pub fn write(&mut self, entropy: &mut impl Entropy, out: &mut Vec<u8>) {
        let (start, is_exotic, mut draws) = (out.len(), self.begin(entropy), 0);
        loop {
            out.truncate(start);
            let count = match &self.prefixes {
                Some(prefixes) if !is_exotic => {
                    let setting = Setting {
                        costs: &self.costs,
                        prefixes,
                        weights: &self.weights,
                        pool: &self.pool,
                    };
                    let (expansion, nodes) = (&mut self.expansion, &mut Vec::new());
                    self.sampler.sentence::<_, false>(&setting, expansion, entropy, out, nodes);
                    self.sampler.node_count()
                }
                _ => {
                    let mut tree = std::mem::take(&mut self.scratch);
                    self.expand(is_exotic, entropy, &mut tree);
                    out.extend_from_slice(tree.text());
                    let count = tree.nodes().len();
                    self.scratch = tree;
                    count
                }
            };
            draws += 1;
            if self.is_kept((count, out.len() - start), draws, entropy) {
                return;
            }
        }
    }

    /// Draws what holds for the next text as a whole; tells whether it is exotic.
    #[inline]
    fn begin(&mut self, entropy: &mut impl Entropy) -> bool {
        if let Some(typical) = &self.typical {
            self.costs.budget.nodes = typical.nodes(entropy).min(self.budget.nodes);
        }
        self.share > 0 && !entropy.is_exhausted() && entropy.bits(8) & 0xFF < self.share
    }

    /// Whether a text of so many nodes and bytes is kept, after so many draws.
    #[inline]
    fn is_kept(&self, size: (usize, usize), draws: u32, entropy: &impl Entropy) -> bool {
        let Some(typical) = &self.typical else { return true };
        typical.keeps(size, self.costs.budget.nodes, draws) || entropy.is_exhausted()
    }

    /// Makes every choice by itself. Apart from the loops that draw, which lose speed with it among them.
    #[inline(never)]
    fn expand(&mut self, is_exotic: bool, entropy: &mut impl Entropy, tree: &mut Tree) {
        #[cfg(feature = "front")]
        if let (false, Some(learnt)) = (is_exotic, &mut self.learnt) {
            let random = RandomChoices { weights: &self.weights, entropy, exotic: None };
            let mut choices = LearntChoices { random, learnt, occurrence: None };
            return self.expansion.tree(&self.costs, &mut choices, tree);
        }
        if !is_exotic {
            let expansion = (&mut self.expansion, &self.costs);
            return grow(expansion, (&self.weights, None), self.growth.as_ref(), entropy, tree);
        }
        let (table, mode) = (self.costs.table, self.mode);
        let made = || Box::new((Weights::new(table, mode, true), Exotic::new(table)));
        let (weights, exotic) = &mut **self.exotic.get_or_insert_with(made);
        exotic.reset();
        let plain = std::mem::replace(&mut self.costs.characters, Characters::Exotic);
        let expansion = (&mut self.expansion, &self.costs);
        grow(expansion, (weights, Some(exotic)), self.growth.as_ref(), entropy, tree);
        self.costs.characters = plain;
    }
}

fn grow(
    (expansion, costs): (&mut Expansion, &SymbolCosts<'_>),
    (weights, exotic): (&Weights, Option<&mut Exotic>),
    growth: Option<&(Growth, u64)>,
    entropy: &mut impl Entropy,
    tree: &mut Tree,
) {
    let mut random = RandomChoices { weights, entropy, exotic };
    match growth {
        Some(&(ref growth, size)) => {
            let mut choices = Growing { random, growth, size, closing: false };
            expansion.tree(costs, &mut choices, tree);
        }
        None => expansion.tree(costs, &mut random, tree),
    }
}
