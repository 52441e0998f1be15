//! Where inputs come from: one of the library's producers, by mode.

use std::sync::Arc;

use clap::ValueEnum;
use pleach::Seeded;
use pleach::kpath::{Coverage, CoverageSummary, Feasibility, Reason, Scope};
use pleach::learn::Model;
use pleach::produce::{
    self, BySize, Characters, Cover, CoverError, CoverOptions, Measure as Unit, Options, Producer,
    Purdom, PurdomOptions,
};
use pleach::table::{OccurrenceId, Table};
use pleach::tree::Tree;

use crate::failure::{Failure, to_stderr};
use crate::generate::{Generate, Range};

/// How inputs are produced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Towards uncovered k-paths, until all are covered
    Kpath,
    /// At random, as people write: by the grammar's weights, in texts of moderate sizes
    Random,
    /// At random, every alternative alike
    Uniform,
    /// At random, by the grammar's weights
    Weighted,
    /// At random, by the inverse of the grammar's weights
    Inverted,
    /// As kpath, again and again with other choices; needs -n
    Recurrent,
    /// Few inputs that use every alternative of the grammar, by Purdom's algorithm
    Purdom,
}

/// Which symbol of a class is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Symbols {
    /// Letters, digits and other printable ASCII, else letters of common scripts
    Plain,
    /// As mixed, with numbers at the ends of integer types and long repetitions in random modes
    Exotic,
    /// Half printable ASCII, the rest boundaries of ranges and others
    Mixed,
    /// Printable ASCII where the class has it
    Ascii,
    /// Every symbol alike
    Uniform,
}

impl From<Symbols> for Characters {
    fn from(symbols: Symbols) -> Self {
        match symbols {
            Symbols::Plain => Self::Plain,
            Symbols::Exotic => Self::Exotic,
            Symbols::Mixed => Self::Mixed,
            Symbols::Ascii => Self::Ascii,
            Symbols::Uniform => Self::Uniform,
        }
    }
}

/// A producer, and what it covers.
pub(crate) enum Source<'t> {
    /// Ends at full coverage, and knows what it covers.
    Cover(Box<Cover<'t>>),
    /// The same over and over; its own figures are of one round.
    Recurrent(Box<Cover<'t>>, Measure),
    Random(Box<Producer<'t>>, Measure),
    /// All derivations of some sizes alike.
    BySize(Box<BySize<'t>>, Measure),
    /// Ends when all alternatives are used.
    Purdom(Box<Purdom<'t>>, Measure),
}

/// The coverage of produced trees, where somebody wants to know.
pub(crate) type Measure = Option<(Box<Coverage>, u64)>;

impl<'t> Source<'t> {
    /// The producer that the options ask for; `measured` where its coverage will be asked for.
    pub(crate) fn new(
        table: &'t Table,
        options: &Generate,
        learnt: Option<Arc<Model>>,
        measured: bool,
    ) -> Result<Self, Failure> {
        let sizes = options.nodes.map(|sizes| (Unit::Nodes, sizes));
        if let Some((unit, Range(low, high))) =
            sizes.or(options.bytes.map(|sizes| (Unit::Bytes, sizes)))
        {
            if !matches!(options.mode, Mode::Random | Mode::Uniform) {
                let message =
                    "error: --nodes and --bytes have a meaning in random and uniform mode alone";
                return Err(Failure::input(message));
            }
            let characters = options.characters.map_or(Characters::Plain, Into::into);
            let sized = BySize::new(table, unit, low..=high, characters).map_err(|error| {
                let message = format!("error: {error}");
                if error.is_size_limit_exceeded() {
                    Failure::Budget(message)
                } else {
                    Failure::Input(message)
                }
            })?;
            to_stderr(format_args!("derivations: {}", sized.derivations()));
            let measure = measure(table, options, measured, u32::MAX);
            return Ok(Self::BySize(Box::new(sized), measure));
        }
        let mode = match options.mode {
            Mode::Kpath => return Ok(Self::Cover(Box::new(cover(table, options)?))),
            Mode::Recurrent => {
                let cover = cover(table, options)?;
                let measure = measure(table, options, measured, cover.budget().depth);
                return Ok(Self::Recurrent(Box::new(cover), measure));
            }
            Mode::Purdom => {
                let purdom = purdom(table, options)?;
                let measure = measure(table, options, measured, purdom.budget().depth);
                return Ok(Self::Purdom(Box::new(purdom), measure));
            }
            Mode::Random => produce::Mode::Typical,
            Mode::Uniform => produce::Mode::Uniform,
            Mode::Weighted => produce::Mode::Weighted,
            Mode::Inverted => produce::Mode::Inverted,
        };
        let mut chosen = Options::new().mode(mode).limits(options.limits()).exotic(options.exotic);
        if let Some(symbols) = options.characters {
            chosen = chosen.characters(symbols.into());
        }
        if let Some(size) = options.size {
            chosen = chosen.size(size);
        }
        if let Some(model) = learnt {
            chosen = chosen.learnt(model);
            // 256 are all.
            if let Ok(share) = u8::try_from(options.weights_share) {
                chosen = chosen.learnt_share(share);
            }
        }
        let producer = Producer::new(table, chosen)
            .map_err(|error| Failure::Input(format!("error: {error}")))?;
        let measure = measure(table, options, measured, producer.budget().depth);
        Ok(Self::Random(Box::new(producer), measure))
    }

    /// Counts as covered what existing inputs cover, and tells how many goals that is; none where
    /// the mode has no goals.
    pub(crate) fn settle(&mut self, others: &Coverage) -> Option<u64> {
        let Self::Cover(cover) = self else { return None };
        cover.settle(others);
        Some(cover.summary().covered)
    }

    /// Produces the next tree; false where there is none.
    pub(crate) fn next(&mut self, entropy: &mut Seeded, tree: &mut Tree) -> bool {
        let measure = match self {
            Self::Cover(cover) => return cover.next_tree(entropy, tree),
            Self::Recurrent(cover, measure) => {
                if !cover.next_tree(entropy, tree) {
                    return false;
                }
                measure
            }
            Self::Random(producer, measure) => {
                producer.produce(entropy, tree);
                measure
            }
            Self::BySize(sized, measure) => {
                sized.produce(entropy, tree);
                measure
            }
            Self::Purdom(purdom, measure) => {
                if !purdom.next_tree(entropy, tree) {
                    return false;
                }
                measure
            }
        };
        if let Some((coverage, _)) = measure {
            coverage.add(tree);
        }
        true
    }

    /// What the trees cover so far; none where it is not measured.
    pub(crate) fn summary(&self) -> Option<CoverageSummary> {
        match self {
            Self::Cover(cover) => Some(cover.summary()),
            Self::Recurrent(_, measure)
            | Self::Random(_, measure)
            | Self::BySize(_, measure)
            | Self::Purdom(_, measure) => measure.as_ref().map(|(coverage, infeasible)| {
                let all = coverage.summary();
                CoverageSummary { total: all.total - infeasible, infeasible: *infeasible, ..all }
            }),
        }
    }

    /// Goals that cannot be covered, and why; those found first.
    pub(crate) fn infeasible(&self) -> impl Iterator<Item = (&[OccurrenceId], Reason)> {
        let cover = match self {
            Self::Cover(cover) | Self::Recurrent(cover, _) => Some(cover),
            Self::Random(..) | Self::BySize(..) | Self::Purdom(..) => None,
        };
        cover.into_iter().flat_map(|cover| cover.infeasible())
    }

    /// How much is done of what ends production, and of how much; none where only -n ends it.
    pub(crate) fn done(&self) -> Option<(u64, u64)> {
        match self {
            Self::Cover(cover) => {
                let summary = cover.summary();
                Some((summary.covered, summary.total))
            }
            Self::Purdom(purdom, _) => Some((purdom.covered(), purdom.total())),
            Self::Recurrent(..) | Self::Random(..) | Self::BySize(..) => None,
        }
    }
}

fn cover<'t>(table: &'t Table, options: &Generate) -> Result<Cover<'t>, Failure> {
    let mut chosen = CoverOptions::new(options.k.into())
        .scope(options.scope())
        .limits(options.limits())
        .characters(options.characters.map_or_else(Characters::default, Into::into))
        .repetition_goals(options.repetition_goals)
        .limit(options.limit)
        .shard(options.shard.index, options.shard.count)
        .recurrent(options.mode == Mode::Recurrent);
    if let Some(size) = options.size {
        chosen = chosen.size(size);
    }
    Cover::new(table, chosen).map_err(uncovered)
}

/// Why there is no covering.
pub(crate) fn uncovered(error: CoverError) -> Failure {
    let message = format!("error: {error}");
    if error.is_size_limit_exceeded() { Failure::Budget(message) } else { Failure::Input(message) }
}

fn purdom<'t>(table: &'t Table, options: &Generate) -> Result<Purdom<'t>, Failure> {
    let refused = |option| {
        Failure::Input(format!("error: {option} has no meaning in purdom mode; leave it out"))
    };
    if options.shard.count > 1 {
        return Err(refused("--shard"));
    }
    if options.size.is_some() {
        return Err(refused("--size"));
    }
    let chosen = PurdomOptions::new()
        .limits(options.limits())
        .characters(options.characters.map_or_else(Characters::default, Into::into));
    Purdom::new(table, chosen).map_err(|error| Failure::Input(format!("error: {error}")))
}

/// The coverage to add trees of at most this depth to, with the goals that they cannot cover.
fn measure(table: &Table, options: &Generate, measured: bool, depth: u32) -> Measure {
    if !measured {
        return None;
    }
    let (k, scope) = (usize::from(options.k), options.scope());
    let mut coverage = match Coverage::new(table, k, scope, options.limit) {
        Ok(coverage) => coverage,
        Err(error) => {
            to_stderr(format_args!("coverage is not measured: {error}"));
            return None;
        }
    };
    if options.repetition_goals {
        coverage = coverage.with_repetitions(table);
    }
    let infeasible = infeasible(table, &coverage, k, scope, depth);
    Some((Box::new(coverage), infeasible))
}

/// How many k-paths no tree of this depth covers.
fn infeasible(table: &Table, coverage: &Coverage, k: usize, scope: Scope, depth: u32) -> u64 {
    if Feasibility::least_depth(table, k, scope) <= depth {
        return 0;
    }
    let feasibility = Feasibility::new(table, depth);
    let mut walk = Vec::new();
    let index = coverage.index();
    index
        .goals()
        .filter(|&rank| {
            index.walk(rank, &mut walk);
            !feasibility.contains(&walk)
        })
        .count() as u64
}
