//! The choice among mutators, and what they share.

use super::capabilities::Capabilities;
use super::edit::mend;
use super::invalid::Implant;
use super::options::Implants;
use super::work::{Memory, Room, Work};
use super::{ALL, Bytes, Listed as _, MutateError, Mutator, Options, Pool, SplitMix64, seeds};
use crate::entropy::Entropy;
use crate::kpath::{Coverage, Feasibility};
use crate::produce::SubtreeGenerator;
use crate::table::{RuleId, Table, Terminal, TerminalId};
use crate::tree::{SizedTree, Tree, TreeRef};

/// What a mutation may draw from beside its base.
#[derive(Default)]
pub struct Sources<'s> {
    /// Another tree, of which `splice` takes subtrees.
    pub donor: Option<TreeRef<'s>>,
    /// What a corpus covers: `toward` grows subtrees along k-paths that are not in it. The caller
    /// adds to it what enters the corpus.
    pub coverage: Option<&'s Coverage>,
    /// What changes bytes, for `havoc` and `garble`.
    pub bytes: Option<&'s mut dyn Bytes>,
}

/// Mutates trees of one table, in memory that it keeps: once that has grown to what the inputs need,
/// nothing is allocated.
#[derive(Clone)]
pub struct Mutation<'t> {
    table: &'t Table,
    capabilities: Capabilities,
    generator: SubtreeGenerator<'t>,
    pool: Pool,
    dictionary: Vec<Box<[u8]>>,
    implants: Implants<RuleId>,
    /// The mutators that stay in the language, and those that leave it.
    valid: Choice,
    invalid: Choice,
    /// What mixes two trees.
    crossing: Choice,
    /// How many mutations of 256 leave the language.
    breaking: u16,
    /// The greatest depth, and that of what goes as deep as it is let: only what the caller bounds.
    depth: u32,
    deepest: u32,
    nodes: usize,
    feasibility: Option<Feasibility>,
    memory: Memory,
}

/// Some mutators, to be drawn by weight.
#[derive(Clone, Default)]
struct Choice {
    mutators: Vec<&'static dyn Mutator>,
    /// The one that each number below the sum of weights means.
    slots: Vec<u8>,
}

impl Choice {
    fn new(mutators: Vec<&'static dyn Mutator>) -> Self {
        let of = |(at, mutator): (usize, &&dyn Mutator)| {
            std::iter::repeat_n(at as u8, mutator.weight() as usize)
        };
        let slots = mutators.iter().enumerate().flat_map(of).collect();
        Self { mutators, slots }
    }

    fn draw(&self, random: &mut SplitMix64) -> Option<&'static dyn Mutator> {
        let slot = *self.slots.get(random.index(self.slots.len()))?;
        self.mutators.get(usize::from(slot)).copied()
    }
}

/// All of 256 mutations.
const ALWAYS: u16 = 256;

/// How many mutators are drawn before each is tried in turn.
const DRAWS: usize = 8;

impl<'t> Mutation<'t> {
    /// A mutation for a table.
    ///
    /// Its pool has subtrees of trees that cover the grammar's k-paths up to 2, always the same ones.
    ///
    /// # Errors
    ///
    /// Where a name in the options is of no mutator or no rule, or no mutator is left.
    #[pleach_unhooked::unhooked]
    pub fn new(table: &'t Table, options: Options) -> Result<Self, MutateError> {
        let capabilities = Capabilities::new(table);
        let chosen = options.chosen()?;
        let implants = options.rules(table)?;
        let of = |breaks: bool| {
            let mutators = chosen.iter().map(|&at| ALL[at]).filter(|mutator| {
                mutator.breaks() == breaks
                    && (mutator.needs() == 0 || capabilities.has(mutator.needs()))
                    && (mutator.name() != Implant.name() || !implants.is_empty())
            });
            Choice::new(mutators.collect())
        };
        let (valid, invalid) = (of(false), of(true));
        // Whether the caller has left any, not whether they have anything to do here.
        let only_invalid = chosen.iter().all(|&at| ALL[at].breaks());
        let breaking = match invalid.mutators.is_empty() {
            true => 0,
            false if only_invalid => ALWAYS,
            false => u16::from(options.get_breaking()),
        };
        let least = table.minima().rule_height(table.start());
        let deep = || least.saturating_add(Options::DEFAULT_DEPTH);
        let nodes = options.limits.nodes.unwrap_or(Options::DEFAULT_NODES);
        let mut dictionary = options.dictionary;
        dictionary.extend(literals(table));
        Ok(Self {
            generator: SubtreeGenerator::new(table, options.mode, options.characters),
            pool: grown(table),
            depth: options.limits.depth.unwrap_or_else(deep),
            deepest: options.limits.depth.unwrap_or(u32::MAX),
            nodes: usize::try_from(nodes).unwrap_or(usize::MAX),
            feasibility: None,
            memory: Memory::default(),
            table,
            capabilities,
            dictionary,
            implants,
            valid,
            invalid,
            crossing: Choice::new(vec![&super::valid::Splice]),
            breaking,
        })
    }

    /// The table whose trees it mutates.
    pub fn table(&self) -> &'t Table {
        self.table
    }

    /// The subtrees that `splice` draws from; add to it what should be found there.
    pub fn pool_mut(&mut self) -> &mut Pool {
        &mut self.pool
    }

    /// Writes a mutant of a tree in place of what `out` holds, of at most `max_bytes` bytes, and
    /// gives the mutator's name.
    ///
    /// The tree must be of the table. One word is drawn from the source, and all choices follow from
    /// it. A mutant that left the language has a text and no nodes.
    ///
    /// None where no mutator found anything to change within the bounds; `out` is empty then.
    ///
    /// # Panics
    ///
    /// May panic where the tree, or one of the sources, is of another table;
    /// [`Tree::check`](crate::tree::Tree::check) tells.
    pub fn mutate(
        &mut self,
        base: TreeRef<'_>,
        sources: Sources<'_>,
        max_bytes: usize,
        entropy: &mut impl Entropy,
        out: &mut SizedTree,
    ) -> Option<&'static str> {
        let mut random = SplitMix64::new(entropy.next_u64());
        self.mutate_by(base, sources, (max_bytes, max_bytes), &mut random, out)
    }

    /// Mutants of one tree, of at most `max_bytes` bytes each, without end, or until the source is exhausted or nothing can be
    /// changed within the bounds. By default one in eight is not of the language ([`Options::breaking`]); the same mutant
    /// may come again.
    ///
    /// Each is allocated; [`Mutation::mutate`] need not, and gives the mutant's tree and its mutator's name, too.
    ///
    /// # Panics
    ///
    /// May panic where the tree is of another table.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::mutate::{Mutation, Options};
    /// use pleach::parse::Parser;
    /// use pleach::{Seeded, table::Table};
    ///
    /// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = /[a-z]+/ | list;"#)?;
    /// let tree = Parser::new(&table).tree(b"[one,[two,three]]")?;
    /// let mut mutation = Mutation::new(&table, Options::new().breaking(0))?;
    /// for mutant in mutation.mutants(&tree, 100, Seeded::new(1)).take(10) {
    ///     assert!(Parser::new(&table).tree(&mutant).is_ok() && mutant != tree.text());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mutants(
        &mut self,
        tree: &Tree,
        max_bytes: usize,
        mut entropy: impl Entropy,
    ) -> impl Iterator<Item = Vec<u8>> {
        let (base, mut mutant) = (SizedTree::of(self.table, tree), SizedTree::new());
        std::iter::from_fn(move || {
            if entropy.is_exhausted() {
                return None;
            }
            let sources = Sources::default();
            self.mutate(base.as_ref(), sources, max_bytes, &mut entropy, &mut mutant)?;
            Some(mutant.text().to_vec())
        })
    }

    /// As [`Mutation::mutate`], with a second bound for what need not grow slowly.
    #[pleach_unhooked::unhooked]
    pub(crate) fn mutate_by(
        &mut self,
        base: TreeRef<'_>,
        sources: Sources<'_>,
        (most, far): (usize, usize),
        random: &mut SplitMix64,
        out: &mut SizedTree,
    ) -> Option<&'static str> {
        if base.nodes.is_empty() {
            out.clear();
            return None;
        }
        let breaks = random.below(ALWAYS.into()) < u64::from(self.breaking);
        let Sources { donor, coverage, mut bytes } = sources;
        // Behind a reference that lives as long as the work does.
        let mut bytes = bytes.as_mut().map(|bytes| {
            move |buffer: &mut [u8], size: usize, most: usize| bytes.mutate(buffer, size, most)
        });
        let room = Room { bytes: most, nodes: self.nodes.max(base.nodes.len()), depth: self.depth };
        let mut work = Work {
            table: self.table,
            capabilities: &self.capabilities,
            base,
            room,
            far: Room { bytes: far, depth: self.deepest, ..room },
            random,
            generator: &mut self.generator,
            pool: &self.pool,
            dictionary: &self.dictionary,
            implants: &self.implants,
            donor,
            coverage,
            feasibility: &mut self.feasibility,
            bytes: bytes.as_mut().map(|bytes| bytes as &mut dyn Bytes),
            memory: &mut self.memory,
            out,
        };
        let (first, second) = if breaks {
            (&self.invalid, None)
        } else {
            (&self.valid, (self.breaking > 0).then_some(&self.invalid))
        };
        for _ in 0..DRAWS {
            let Some(mutator) = first.draw(work.random) else { break };
            if apply(mutator, &mut work) {
                return Some(mutator.name());
            }
        }
        let rest = first.mutators.iter().chain(second.into_iter().flat_map(|all| &all.mutators));
        for &mutator in rest {
            if apply(mutator, &mut work) {
                return Some(mutator.name());
            }
        }
        out.clear();
        None
    }

    /// Whether some mutations leave the language.
    pub(crate) fn is_breaking(&self) -> bool {
        self.breaking > 0
    }

    /// As [`Mutation::mutate_by`], by `splice` with the donor first if there is one, whichever
    /// mutators are allowed.
    pub(crate) fn cross(
        &mut self,
        base: TreeRef<'_>,
        donor: Option<TreeRef<'_>>,
        bounds: (usize, usize),
        random: &mut SplitMix64,
        out: &mut SizedTree,
    ) -> Option<&'static str> {
        let sources = Sources { donor, ..Sources::default() };
        if donor.is_some() {
            let breaking = std::mem::replace(&mut self.breaking, 0);
            std::mem::swap(&mut self.valid, &mut self.crossing);
            let changed =
                self.mutate_by(base, Sources { donor, ..Sources::default() }, bounds, random, out);
            std::mem::swap(&mut self.valid, &mut self.crossing);
            self.breaking = breaking;
            if changed.is_some() {
                return changed;
            }
        }
        self.mutate_by(base, sources, bounds, random, out)
    }

    /// Puts a fresh random sentence of at most so many bytes, and about so many nodes, in place of
    /// what `out` holds; false where none is so short.
    #[pleach_unhooked::unhooked]
    pub(crate) fn sentence(
        &mut self,
        max_bytes: usize,
        nodes: u64,
        random: &mut SplitMix64,
        out: &mut SizedTree,
    ) -> bool {
        let inside = self.table.layout().is_none_or(|layout| layout.is_lexical(self.table.start()));
        let request = crate::produce::Request {
            symbol: crate::table::Symbol::root(self.table.start()),
            height: self.depth,
            inside,
            most: crate::table::Cost { bytes: max_bytes as u64, nodes: self.nodes as u64 },
            nodes,
        };
        out.clear();
        let grown = self.generator.grow(&request, random, &mut out.tree);
        out.measure(self.table);
        grown
    }
}

/// Lets a mutator write, and makes a whole of it; false where that is no mutant.
#[pleach_unhooked::unhooked]
fn apply(mutator: &dyn Mutator, work: &mut Work<'_, '_>) -> bool {
    let room = work.room;
    if mutator.is_far() {
        work.room = work.far;
    }
    let mut done = mutator.mutate(work);
    if done && !mutator.breaks() {
        mend(work.table, work.out, &work.memory.seams, &mut work.memory.path, &mut []);
    }
    let text = work.out.text();
    done &= text.len() <= work.room.bytes
        && work.out.sizes.len() <= work.room.nodes
        && text != work.base.text;
    work.room = room;
    done
}

/// The pool that a mutation begins with.
fn grown(table: &Table) -> Pool {
    let (mut pool, mut sized) = (Pool::new(table), SizedTree::new());
    seeds::each(table, |tree| {
        std::mem::swap(&mut sized.tree, tree);
        sized.measure(table);
        pool.add(sized.as_ref());
        std::mem::swap(&mut sized.tree, tree);
    });
    pool
}

/// The literals of a table that are longer than a byte.
fn literals(table: &Table) -> impl Iterator<Item = Box<[u8]>> + '_ {
    (0..table.terminal_count() as u32).filter_map(|id| match table.terminal(TerminalId::new(id)) {
        Terminal::Literal { bytes, .. } if bytes.len() > 1 => Some(bytes.into()),
        _ => None,
    })
}
