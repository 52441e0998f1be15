//! Expansion: a symbol into a subtree, choice by choice, within a budget.
//!
//! The tree is written in preorder from an explicit stack. What every pending symbol costs when it
//! is closed by the table's cheapest way is reserved at any time; an alternative fits if what is
//! used, reserved and needed for it stays within the budget. The cheapest way always fits, so
//! expansion always ends and never exceeds a budget that it could start with.

use super::budget::Spending;
use super::costs::{Bounds, NODE, SymbolCosts};
use super::leaf;
use crate::entropy::Entropy;
use crate::table::{
    AlternativeId, Cost, Repetition, RepetitionId, RuleId, Symbol, SymbolKind, Table, Terminal,
    TerminalId, Token,
};
use crate::tree::{Node, Tree};

/// Who makes the choices of an expansion, and is told of it.
pub(super) trait Choices {
    /// What leaves are drawn from.
    type Source: Entropy;

    /// The source of leaves.
    fn source(&mut self) -> &mut Self::Source;

    /// Whether what is placed now should be closed by the cheapest way.
    fn is_closing(&self) -> bool {
        false
    }

    /// Whether leaves should be the shortest of their terminals.
    fn plain_leaves(&self) -> bool {
        self.is_closing()
    }

    /// The text of a leaf of at most so many bytes, where it is not to be drawn.
    fn text(&mut self, _terminal: Terminal<'_>, _bytes: u64) -> Option<&'static [u8]> {
        None
    }

    /// Writes the text of the leaf begun last, of at most so many bytes, where it is not to be drawn; tells whether
    /// it did.
    fn write(&mut self, _table: &Table, _bytes: u64, _out: &mut Vec<u8>) -> bool {
        false
    }

    /// Whether layout of any kind is to stand before the next token, whether it needs any or not.
    fn layout(&mut self) -> bool {
        false
    }

    /// A node is about to be placed. For what is no leaf, [`Choices::end`] follows after its
    /// children.
    fn begin(&mut self, _place: &Place<'_>, _symbol: Symbol) {}

    /// A node that is no leaf has all its children: the alternative, or the count of a repetition.
    fn end(&mut self, _symbol: Symbol, _choice: u32) {}

    /// An alternative that the node begun last is to have, where that is known without a look at
    /// the others.
    fn demanded(&self) -> Option<AlternativeId> {
        None
    }

    /// One of the alternatives that fit, of which there are at least two, for the node begun last;
    /// none for the cheapest.
    fn alternative(
        &mut self,
        place: &Place<'_>,
        rule: RuleId,
        fitting: &[AlternativeId],
    ) -> Option<AlternativeId>;

    /// Whether a repetition that may end or go on after `done` times goes on.
    fn more(&mut self, place: &Place<'_>, repetition: RepetitionId, done: u32) -> bool;
}

/// Where in a tree a choice is made.
pub(super) struct Place<'t> {
    pub(super) table: &'t Table,
    /// The height that is left for the items to be placed.
    pub(super) height: u32,
    pub(super) spent: Spending,
}

#[derive(Clone, Copy)]
struct Frame {
    /// The node that the frame completes.
    symbol: Symbol,
    /// Its alternative; its index in the tree for a repetition, whose count is known last.
    of: u32,
    /// The next item of an alternative and the end of its items; how often a repetition's element
    /// has been placed, and 0.
    next: u32,
    end: u32,
    /// The height that is left for the items.
    height: u32,
    /// Whether the items are inside a token.
    inside_token: bool,
}

/// The most bytes of layout beyond what separates: comments should not outweigh the rest.
const LAYOUT_BYTES: u64 = 32;

/// The memory of expansions: reused, so that the steady state does not allocate.
#[derive(Clone, Default)]
pub(super) struct Expansion {
    frames: Vec<Frame>,
    fitting: Vec<AlternativeId>,
    spent: Spending,
    /// The token that was written last, for layout.
    pub(super) last_token: Option<Token>,
}

impl Expansion {
    /// Expands the root into a whole tree.
    pub(super) fn tree<C: Choices>(
        &mut self,
        costs: &SymbolCosts<'_>,
        choices: &mut C,
        tree: &mut Tree,
    ) {
        tree.clear();
        self.last_token = None;
        let root = Symbol::root(costs.table.start());
        let nothing = Spending::default();
        let table = costs.table;
        let inside = table.layout().is_none_or(|layout| layout.is_lexical(table.start()));
        self.symbol(costs, (root, costs.budget.depth, inside), nothing, choices, tree);
    }

    /// Appends the expansion of one symbol, with a height left for the rule it stands in and inside
    /// a token or not, to a tree of which so much is used and for whose rest so much is reserved.
    /// Gives what is used then. Where there is no layout, everything is inside a token.
    #[cfg_attr(fuzzing, inline(always))]
    pub(super) fn symbol<C: Choices>(
        &mut self,
        costs: &SymbolCosts<'_>,
        (symbol, height, inside_token): (Symbol, u32, bool),
        mut spent: Spending,
        choices: &mut C,
        tree: &mut Tree,
    ) -> Cost {
        self.frames.clear();
        spent.reserve(costs.symbol_cost(symbol, height));
        self.spent = spent;
        self.place(costs, symbol, height, inside_token, choices, tree);
        while let Some(frame) = self.frames.last_mut() {
            let Frame { symbol, of, height, inside_token, .. } = *frame;
            if frame.next < frame.end {
                let item = costs.table.items.items()[frame.next as usize];
                frame.next += 1;
                self.place(costs, item, height, inside_token, choices, tree);
                continue;
            }
            let mut choice = of;
            if let SymbolKind::Repetition(id) = symbol.kind() {
                let Repetition { element, min, max, .. } = *costs.table.repetition(id);
                let done = frame.next;
                frame.next = done.wrapping_add(1);
                if done < min
                    || (done < max && self.goes_on(costs, (id, element), done, height, choices))
                {
                    self.place(costs, element, height, inside_token, choices, tree);
                    continue;
                }
                tree.nodes[of as usize].choice = done;
                choice = done;
            }
            self.frames.pop();
            choices.end(symbol, choice);
        }
        self.spent.used
    }

    /// Whether a repetition beyond its least count goes on; what the element needs is reserved
    /// then.
    #[cfg_attr(fuzzing, inline(always))]
    fn goes_on<C: Choices>(
        &mut self,
        costs: &SymbolCosts<'_>,
        (id, element): (RepetitionId, Symbol),
        done: u32,
        height: u32,
        choices: &mut C,
    ) -> bool {
        if choices.is_closing() {
            return false;
        }
        let Some(cost) = costs.closing_cost(element, height) else { return false };
        if !self.fits(costs, cost) {
            return false;
        }
        let place = self.at(costs.table, height);
        if !choices.more(&place, id, done) {
            return false;
        }
        self.spent.reserve(cost);
        true
    }

    fn at<'t>(&self, table: &'t Table, height: u32) -> Place<'t> {
        Place { table, height, spent: self.spent }
    }

    fn fits(&self, costs: &SymbolCosts<'_>, cost: Cost) -> bool {
        self.spent.leaves(costs.budget, cost)
    }

    /// Writes a node and leaves its children as a frame.
    #[cfg_attr(fuzzing, inline(always))]
    fn place<C: Choices>(
        &mut self,
        costs: &SymbolCosts<'_>,
        symbol: Symbol,
        height: u32,
        inside_token: bool,
        choices: &mut C,
        tree: &mut Tree,
    ) {
        let table = costs.table;
        let bounds = costs.bounds(symbol);
        self.spent.release(costs.symbol_cost(symbol, height));
        choices.begin(&self.at(table, height), symbol);
        let mut inside = inside_token;
        let height = match symbol.kind() {
            SymbolKind::Terminal(_) => {
                self.leaf(costs, (symbol, bounds, height), inside_token, choices, tree);
                return;
            }
            SymbolKind::Repetition(id) => {
                let repetition = table.repetition(id);
                if repetition.min > 0 {
                    let element = costs.symbol_cost(repetition.element, height);
                    self.spent.reserve(element.times(repetition.min));
                }
                let of = tree.nodes.len() as u32;
                self.frames.push(Frame { symbol, of, next: 0, end: 0, height, inside_token });
                tree.nodes.push(Node { symbol, choice: 0 });
                self.spent.take(NODE);
                return;
            }
            SymbolKind::Reference(_) => {
                let rule = RuleId::new(bounds.behind);
                if !inside_token
                    && let Some(layout) = table.layout()
                    && layout.is_lexical(rule)
                {
                    let token = (layout.rule_token(rule), costs.symbol_cost(symbol, height));
                    self.separate(costs, token, choices, tree);
                    inside = true;
                }
                // What closes within its height has some left.
                height.wrapping_sub(1)
            }
            SymbolKind::Group(_) | SymbolKind::Root(_) => height,
            SymbolKind::Layout => return,
        };
        let (alternative, height) = self.choose(costs, bounds, height, choices);
        let (cost, (next, end)) = costs.body(alternative, height);
        self.spent.reserve(cost);
        let of = alternative.get();
        self.frames.push(Frame { symbol, of, next, end, height, inside_token: inside });
        tree.nodes.push(Node { symbol, choice: of });
        self.spent.take(NODE);
    }

    /// An alternative of a rule that fits, and the height that is left for its items.
    #[cfg_attr(fuzzing, inline(always))]
    fn choose<C: Choices>(
        &mut self,
        costs: &SymbolCosts<'_>,
        bounds: &Bounds,
        height: u32,
        choices: &mut C,
    ) -> (AlternativeId, u32) {
        let table = costs.table;
        let Bounds { dearest, behind, alternatives: (start, end), .. } = *bounds;
        let rule = RuleId::new(behind);
        let slack = costs.has_height_slack(height);
        let roomy = self.fits(costs, if slack { dearest } else { costs.roomy });
        if end == start.wrapping_add(1) {
            let only = AlternativeId::new(start);
            if roomy || self.fits_at(costs, only, height) {
                return (only, height);
            }
            return self.cheapest(costs, rule, height);
        }
        if choices.is_closing() {
            return self.cheapest(costs, rule, height);
        }
        let fits = |this: &Self, alternative: AlternativeId| {
            (slack || table.minima().alternative_height(alternative) <= height)
                && (roomy || this.fits_at(costs, alternative, height))
        };
        let demanded = choices.demanded().filter(|&alternative| fits(self, alternative));
        let chosen = if let Some(demanded) = demanded {
            Some(demanded)
        } else if roomy && slack {
            choices.alternative(&self.at(table, height), rule, costs.every(start..end))
        } else {
            let mut fitting = std::mem::take(&mut self.fitting);
            fitting.clear();
            fitting.extend((start..end).map(AlternativeId::new).filter(|&one| fits(self, one)));
            let chosen = match fitting[..] {
                [] => None,
                [only] => Some(only),
                _ => choices.alternative(&self.at(table, height), rule, &fitting),
            };
            self.fitting = fitting;
            chosen
        };
        match chosen {
            Some(alternative) => (alternative, height),
            None => self.cheapest(costs, rule, height),
        }
    }

    fn fits_at(&self, costs: &SymbolCosts<'_>, alternative: AlternativeId, height: u32) -> bool {
        self.fits(costs, costs.alternative_cost(alternative, height).plus(NODE))
    }

    /// The cheapest alternative, and the height at which it costs what is reserved for it: with
    /// more height, rules of many points may save a little of one thing for more of the other.
    fn cheapest(&self, costs: &SymbolCosts<'_>, rule: RuleId, height: u32) -> (AlternativeId, u32) {
        let point = costs
            .table
            .minima()
            .closing(costs.objective, rule, height)
            .expect("only rules that close within their height are placed");
        if self.fits_at(costs, point.alternative, height) {
            return (point.alternative, height);
        }
        (point.alternative, point.height)
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn leaf<C: Choices>(
        &mut self,
        costs: &SymbolCosts<'_>,
        (symbol, bounds, height): (Symbol, &Bounds, u32),
        inside_token: bool,
        choices: &mut C,
        tree: &mut Tree,
    ) {
        let table = costs.table;
        let terminal = TerminalId::new(bounds.behind);
        if !inside_token && let Some(layout) = table.layout() {
            let token = (layout.terminal_token(terminal), costs.symbol_cost(symbol, height));
            self.separate(costs, token, choices, tree);
        }
        let (from, to) = bounds.literal;
        let length = if from < to {
            let text = &table.terminals.literals.items()[from as usize..to as usize];
            tree.text.extend_from_slice(text);
            text.len()
        } else {
            let start = tree.text.len();
            if choices.plain_leaves() {
                tree.text.extend_from_slice(table.shortest(terminal));
            } else {
                let bound = self.spent.bytes_beside(costs.budget, Cost::default());
                if let Some(text) = choices.text(table.terminal(terminal), bound) {
                    tree.text.extend_from_slice(text);
                } else if !choices.write(table, bound, &mut tree.text) {
                    let (characters, source) = (costs.characters, choices.source());
                    leaf::write(table, terminal, characters, bound, source, &mut tree.text);
                }
            }
            tree.text.len().saturating_sub(start)
        };
        tree.nodes.push(Node { symbol, choice: length as u32 });
        self.spent.take(Cost { bytes: length as u64, nodes: 1 });
    }

    /// Writes layout before a token of a cost: a separator if it would fuse with the one before it,
    /// and any layout if that is asked for and fits. More than a separator is, for safety, layout
    /// between two of them.
    #[cfg_attr(fuzzing, inline(always))]
    fn separate<C: Choices>(
        &mut self,
        costs: &SymbolCosts<'_>,
        (token, cost): (Token, Cost),
        choices: &mut C,
        tree: &mut Tree,
    ) {
        let table = costs.table;
        let Some(layout) = table.layout() else { return };
        let Some(last) = self.last_token.replace(token) else { return };
        if layout.is_glued(token) {
            return;
        }
        let (start, separator) = (tree.text.len(), layout.separator());
        if choices.layout() && self.fits(costs, cost.plus(NODE)) {
            let bytes = self.spent.bytes_beside(costs.budget, cost);
            let (characters, between) = (costs.characters, layout.between());
            tree.text.extend_from_slice(separator);
            let bound = bytes.saturating_sub(2 * separator.len() as u64).min(LAYOUT_BYTES);
            let source = choices.source();
            let whole = leaf::walk(table, between, characters, bound, source, &mut tree.text);
            tree.text.extend_from_slice(separator);
            if !whole || (tree.text.len() - start) as u64 > bytes {
                tree.text.truncate(start);
            }
        }
        if tree.text.len() == start && layout.fuses(last, token) {
            tree.text.extend_from_slice(separator);
        }
        let length = tree.text.len() - start;
        if length > 0 {
            tree.nodes.push(Node { symbol: Symbol::LAYOUT, choice: length as u32 });
            self.spent.take(Cost { bytes: length as u64, nodes: 1 });
        }
    }
}
