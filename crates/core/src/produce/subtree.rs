//! The generator of single subtrees, which mutation puts in the place of others.

use super::budget::{Budget, Spending};
use super::characters::Characters;
use super::costs::SymbolCosts;
use super::expand::{Choices, Expansion, Place};
use super::leaf;
use super::pool::Pool;
use super::prefix::Prefixes;
use super::random::RandomChoices;
use super::route::Route;
use super::sampler::{Sampler, Setting};
use super::weights::{Mode, Weights};
use crate::entropy::Entropy;
use crate::table::{
    AlternativeId, Cost, Objective, OccurrenceId, RepetitionId, RuleId, Symbol, Table, TerminalId,
};
use crate::tree::Tree;

/// A request for a subtree: where it is to stand, and how large it may become.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    /// What its root stands for.
    pub(crate) symbol: Symbol,
    /// The height that is left for the rule that the symbol stands in.
    pub(crate) height: u32,
    /// Whether it stands inside a token; true where there is no layout.
    pub(crate) inside: bool,
    /// The nodes and bytes that it may have at the most.
    pub(crate) most: Cost,
    /// The nodes that it may have beyond those of the smallest; then it is closed.
    pub(crate) nodes: u64,
}

/// Grows random subtrees, in memory that it keeps.
#[derive(Clone)]
pub(crate) struct SubtreeGenerator<'t> {
    costs: SymbolCosts<'t>,
    weights: Weights,
    /// None where layout stands between tokens.
    prefixes: Option<Prefixes>,
    pool: Pool,
    expansion: Expansion,
    sampler: Sampler,
    route: Route,
}

impl<'t> SubtreeGenerator<'t> {
    pub(crate) fn new(table: &'t Table, mode: Mode, characters: Characters) -> Self {
        let objective = Objective::Bytes;
        let budget = Budget { depth: u32::MAX, nodes: u64::MAX, bytes: u64::MAX };
        let weights = Weights::new(table, mode, mode == Mode::Uniform);
        let prefixes = table
            .layout()
            .is_none()
            .then(|| Prefixes::of_all_rules(table, &weights, characters, objective));
        Self {
            costs: SymbolCosts::new(table, budget, objective, characters),
            weights,
            prefixes,
            pool: Pool::default(),
            expansion: Expansion::default(),
            sampler: Sampler::default(),
            route: Route::default(),
        }
    }

    /// Sets the budget for a request; false where its symbol does not close within it.
    fn prepare(&mut self, request: &Request) -> bool {
        let cost = self.costs.closing_cost(request.symbol, request.height);
        let Some(cost) = cost else { return false };
        if cost.nodes > request.most.nodes || cost.bytes > request.most.bytes {
            return false;
        }
        let nodes = request.nodes.saturating_add(cost.nodes).min(request.most.nodes);
        self.costs.budget = Budget { depth: request.height, nodes, bytes: request.most.bytes };
        self.expansion.last_token = None;
        true
    }

    /// Puts a random subtree in place of what `tree` holds; false where none fits.
    #[cfg_attr(fuzzing, inline(always))]
    pub(crate) fn grow(
        &mut self,
        request: &Request,
        entropy: &mut impl Entropy,
        tree: &mut Tree,
    ) -> bool {
        tree.clear();
        if !self.prepare(request) {
            return false;
        }
        match &self.prefixes {
            Some(prefixes) => {
                let setting = Setting {
                    costs: &self.costs,
                    prefixes,
                    weights: &self.weights,
                    pool: &self.pool,
                };
                let Tree { text, nodes } = tree;
                let (root, out) = ((request.symbol, request.height), (text, nodes));
                let expansion = &mut self.expansion;
                self.sampler.derivation::<_, true>(&setting, expansion, entropy, root, out);
            }
            None => {
                let mut choices = RandomChoices { weights: &self.weights, entropy, exotic: None };
                let root = (request.symbol, request.height, request.inside);
                let nothing = Spending::default();
                self.expansion.symbol(&self.costs, root, nothing, &mut choices, tree);
            }
        }
        true
    }

    /// As [`SubtreeGenerator::grow`], with a chain of occurrences from the body of the root's rule down; false
    /// also where the chain does not fit.
    #[cfg_attr(fuzzing, inline(always))]
    pub(crate) fn grow_along(
        &mut self,
        request: &Request,
        chain: &[OccurrenceId],
        entropy: &mut impl Entropy,
        tree: &mut Tree,
    ) -> bool {
        tree.clear();
        if !self.prepare(request) {
            return false;
        }
        self.route.set_below(self.costs.table, request.symbol, chain);
        let random = RandomChoices { weights: &self.weights, entropy, exotic: None };
        let mut choices = Led { random, route: &mut self.route };
        let root = (request.symbol, request.height, request.inside);
        let nothing = Spending::default();
        self.expansion.symbol(&self.costs, root, nothing, &mut choices, tree);
        self.route.is_complete()
    }

    /// Appends a random text of a terminal to `out`, of at most so many bytes where its shortest
    /// text is.
    pub(crate) fn leaf(
        &self,
        terminal: TerminalId,
        bytes: u64,
        entropy: &mut impl Entropy,
        out: &mut Vec<u8>,
    ) {
        leaf::write(self.costs.table, terminal, self.costs.characters, bytes, entropy, out);
    }
}

/// Random choices off a way, and the way's own on it.
struct Led<'p, E> {
    random: RandomChoices<'p, E>,
    route: &'p mut Route,
}

impl<E: Entropy> Choices for Led<'_, E> {
    type Source = E;

    fn source(&mut self) -> &mut E {
        self.random.source()
    }

    fn is_closing(&self) -> bool {
        self.random.is_closing() && !self.route.is_here()
    }

    fn layout(&mut self) -> bool {
        self.random.layout()
    }

    fn begin(&mut self, _place: &Place<'_>, symbol: Symbol) {
        self.route.begin(symbol);
    }

    fn end(&mut self, _symbol: Symbol, _choice: u32) {
        self.route.end();
    }

    fn demanded(&self) -> Option<AlternativeId> {
        self.route.alternative()
    }

    fn alternative(
        &mut self,
        place: &Place<'_>,
        rule: RuleId,
        fitting: &[AlternativeId],
    ) -> Option<AlternativeId> {
        self.random.alternative(place, rule, fitting)
    }

    fn more(&mut self, place: &Place<'_>, repetition: RepetitionId, done: u32) -> bool {
        match self.route.more(done) {
            Some(demanded) => demanded,
            None => self.random.more(place, repetition, done),
        }
    }
}
