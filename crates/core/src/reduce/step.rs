//! The operators at a node, one candidate after the other.

use super::assemble::{NO_TOKEN, Piece, closes_small};
use super::shape::{NONE, Shape, token_at};
use super::symbols;
use crate::table::{AlternativeId, Repetition, Symbol, SymbolKind};

/// What is looked for in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// What most often gains much.
    Swift,
    /// Every operator between nodes.
    Thorough,
    /// Bytes inside tokens.
    Tokens,
}

/// A candidate at a node: which operator, and which of its ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The cheapest subtree instead.
    Smallest,
    /// Without `size` links of the chain of its kind that begins here, up to the one before `end`.
    Chain { size: u32, end: u32 },
    /// In the place of the farthest ancestor of the same kind.
    Farthest,
    /// In the place of the nearest.
    Nearest,
    /// Without `size` elements of a repetition, up to the one before `end`.
    Delete { size: u32, end: u32 },
    /// A neighbour takes the content of a repetition's first or last element, which goes.
    MoveUp { last: bool },
    /// In the place of this ancestor of the same kind.
    Ancestor { index: u32 },
    /// Derived by another alternative, from its own parts after the first `skip`.
    Alternative { alternative: u32, skip: u32 },
    /// An element becomes the elements of the list that begins at this node.
    Unwrap { index: u32 },
    /// Without `size` symbols of a token, up to the one before `end`.
    Symbols { size: u32, end: u32 },
    /// The symbol at `at - 1` becomes its plainest; with 0, all of them.
    Plain { at: u32 },
    /// Without `size` of all layout leaves, up to the one before `end`.
    Layout { size: u32, end: u32 },
}

/// More parts of a node than this are not tried in other alternatives.
const MOST_PARTS: usize = 32;
/// Parts are looked for among so many nodes, lest every node look through all under it.
const MOST_SEEN: usize = 1 << 14;

/// Chains of fewer links are left to hoisting one by one.
const SHORT_CHAIN: u32 = 4;

/// In chains of this many links, a list in all but name, not every pair is tried: chunks must do.
const LONG_CHAIN: u32 = 32;

/// The step of a chunk of a chain; single links are left to hoisting one by one.
fn chain_step(chunk: Option<(u32, u32)>) -> Step {
    match chunk {
        Some((size, end)) if size > 1 => Step::Chain { size, end },
        _ => Step::Farthest,
    }
}

/// The first chunk to delete: all that may go.
fn whole(count: u32) -> (u32, u32) {
    (count, count)
}

/// The chunk after a refused one: the one before it, or the last one of half the size.
fn next_chunk(count: u32, size: u32, end: u32) -> Option<(u32, u32)> {
    if end > size {
        return Some((size, end - size));
    }
    if size <= 1 {
        return None;
    }
    Some((size.div_ceil(2), count))
}

impl Shape<'_> {
    /// The first step at a node.
    pub(super) fn first_step(&self, index: usize, effort: Effort) -> Option<Step> {
        match effort {
            Effort::Swift => Some(Step::Smallest),
            Effort::Thorough => self.ancestor_step(index, self.above[index]),
            Effort::Tokens => {
                let count = symbols::count(self, index)?;
                let (size, end) = whole(count);
                Some(Step::Symbols { size, end })
            }
        }
    }

    /// The step that follows when one was refused or could not be taken.
    pub(super) fn next_step(&self, index: usize, step: Step) -> Option<Step> {
        let choice = self.tree.nodes()[index].choice;
        match step {
            Step::Smallest => {
                let links = self.links(index);
                let (size, end) = whole(links);
                Some(if links < SHORT_CHAIN { Step::Farthest } else { Step::Chain { size, end } })
            }
            Step::Chain { size, end } => Some(chain_step(next_chunk(self.links(index), size, end))),
            Step::Farthest => Some(Step::Nearest),
            Step::Nearest => {
                let size = choice.checked_sub(self.repetition(index)?.min)?;
                (size > 0).then_some(Step::Delete { size, end: choice })
            }
            Step::Delete { size, end } => match next_chunk(choice, size, end) {
                Some((size, end)) => Some(Step::Delete { size, end }),
                None => Some(Step::MoveUp { last: false }),
            },
            Step::MoveUp { last: false } => Some(Step::MoveUp { last: true }),
            Step::MoveUp { last: true } => None,
            Step::Ancestor { index: above } => {
                self.ancestor_step(index, self.above[above as usize])
            }
            Step::Alternative { alternative, skip } => {
                let parts = self.parts_for(index, alternative).len() as u32;
                if skip + 1 < parts {
                    return Some(Step::Alternative { alternative, skip: skip + 1 });
                }
                let rule = self.table.rule_behind(self.symbol(index))?;
                let next = alternative + 1;
                if next < self.table.alternative_range(rule).end {
                    return Some(Step::Alternative { alternative: next, skip: 0 });
                }
                self.unwrap_step(index, index + 1)
            }
            Step::Unwrap { index: list } => self.unwrap_step(index, self.end(list as usize)),
            Step::Symbols { size, end } => {
                match next_chunk(symbols::count(self, index)?, size, end) {
                    Some((size, end)) => Some(Step::Symbols { size, end }),
                    None => Some(Step::Plain { at: 0 }),
                }
            }
            Step::Plain { at } => {
                (at < symbols::count(self, index)?).then_some(Step::Plain { at: at + 1 })
            }
            Step::Layout { size, end } => {
                let (size, end) = next_chunk(self.layout.len() as u32, size, end)?;
                Some(Step::Layout { size, end })
            }
        }
    }

    /// The step to go on with at the same node after one was taken; the shape is the new one.
    pub(super) fn step_after(&self, index: usize, step: Step) -> Option<Step> {
        let chunk = |count: u32, size: u32, end: u32| {
            let (size, end) = (size.min(count), (end - size.min(end)).min(count));
            if size > 0 && end > 0 { Some((size, end)) } else { next_chunk(count, size, end) }
        };
        match step {
            Step::Smallest | Step::Plain { at: 0 } => None,
            Step::Chain { size, end } => Some(chain_step(chunk(self.links(index), size, end))),
            Step::Farthest | Step::Nearest => Some(Step::Farthest),
            Step::Delete { size, end } => {
                let count = self.tree.nodes()[index].choice;
                match chunk(count, size, end) {
                    Some((size, end)) => Some(Step::Delete { size, end }),
                    None => Some(Step::MoveUp { last: false }),
                }
            }
            Step::MoveUp { .. } => Some(step),
            Step::Ancestor { .. } => self.ancestor_step(index, self.above[index]),
            Step::Alternative { .. } | Step::Unwrap { .. } => None,
            Step::Symbols { size, end } => match chunk(symbols::count(self, index)?, size, end) {
                Some((size, end)) => Some(Step::Symbols { size, end }),
                None => Some(Step::Plain { at: 0 }),
            },
            Step::Plain { .. } => self.next_step(index, step),
            Step::Layout { size, end } => {
                let (size, end) = chunk(self.layout.len() as u32, size, end)?;
                Some(Step::Layout { size, end })
            }
        }
    }

    /// The first step over layout.
    pub(super) fn first_layout_step(&self) -> Option<Step> {
        let (size, end) = whole(self.layout.len() as u32);
        (size > 0).then_some(Step::Layout { size, end })
    }

    /// The pieces of a candidate; none where the step cannot be taken here.
    pub(super) fn pieces(&self, index: usize, step: Step) -> Option<Vec<Piece>> {
        match step {
            Step::Smallest => self.smallest(index),
            Step::Chain { size, end } => {
                let chain = self.chain(index);
                let from = *chain.get(end.saturating_sub(size) as usize)?;
                self.hoist(*chain.get(end as usize)? as usize, from as usize)
            }
            Step::Farthest => {
                let farthest = std::iter::successors(Some(index as u32), |&at| {
                    Some(self.above[at as usize]).filter(|&above| above != NONE)
                });
                farthest.last().and_then(|above| self.hoist(index, above as usize))
            }
            Step::Nearest => match self.above[index] {
                NONE => None,
                above => self.hoist(index, above as usize),
            },
            Step::Delete { size, end } => self.delete(index, size, end),
            Step::MoveUp { last } => self.move_up(index, last),
            Step::Ancestor { index: above } => self.hoist(index, above as usize),
            Step::Alternative { alternative, skip } => self.rederive(index, alternative, skip),
            Step::Unwrap { index: list } => self.unwrap(index, list as usize),
            Step::Symbols { size, end } => symbols::without(self, index, size, end),
            Step::Plain { at } => symbols::plainer(self, index, at),
            Step::Layout { size, end } => self.without_layout(size, end),
        }
    }

    /// The links of the chain that begins at a node.
    fn links(&self, index: usize) -> u32 {
        (self.chain(index).len() as u32).saturating_sub(1)
    }

    fn repetition(&self, index: usize) -> Option<&Repetition> {
        match self.symbol(index).kind() {
            SymbolKind::Repetition(id) => Some(self.table.repetition(id)),
            _ => None,
        }
    }

    /// Everything but the subtree of a node, with something in its place.
    pub(super) fn instead(
        &self,
        index: usize,
        middle: impl IntoIterator<Item = Piece>,
    ) -> Vec<Piece> {
        let mut pieces = vec![Piece::Copy(0, index as u32)];
        pieces.extend(middle);
        pieces.push(Piece::Copy(self.end(index) as u32, self.tree.nodes().len() as u32));
        pieces
    }

    fn smallest(&self, index: usize) -> Option<Vec<Piece>> {
        let symbol = self.symbol(index);
        // A repetition's smallest is the first chunk of `Delete`.
        if symbol == Symbol::LAYOUT || self.repetition(index).is_some() {
            return None;
        }
        closes_small(self.table, symbol)
            .then(|| self.instead(index, [Piece::Close { symbol, inside: self.inside[index] }]))
    }

    fn hoist(&self, index: usize, above: usize) -> Option<Vec<Piece>> {
        if above == index || self.width(above) == self.width(index) {
            return None;
        }
        let (symbol, inside) = (self.symbol(above), self.inside[above]);
        Some(self.instead(above, [Piece::As { symbol, content: index as u32, inside }]))
    }

    fn ancestor_step(&self, index: usize, mut above: u32) -> Option<Step> {
        let (head, links) = self.chains[index];
        if links >= LONG_CHAIN && above != NONE && above >= head {
            above = self.above[head as usize];
        }
        if above != NONE {
            return Some(Step::Ancestor { index: above });
        }
        let rule = self.table.rule_behind(self.symbol(index))?;
        let alternative = self.table.alternative_range(rule).start;
        Some(Step::Alternative { alternative, skip: 0 })
    }

    fn delete(&self, index: usize, size: u32, end: u32) -> Option<Vec<Piece>> {
        let (repetition, count) = (self.repetition(index)?, self.tree.nodes()[index].choice);
        let start = end.saturating_sub(size);
        let left = count.checked_sub(end - start)?;
        if start == end || end > count || left < repetition.min {
            return None;
        }
        let bounds = self.bounds(index);
        Some(vec![
            Piece::Copy(0, index as u32),
            Piece::Node(index as u32, left),
            Piece::Copy(index as u32 + 1, bounds[start as usize]),
            Piece::Copy(bounds[end as usize], self.tree.nodes().len() as u32),
        ])
    }

    /// The neighbour before a repetition takes the content of the first element's part that is
    /// like it, and the element goes; or the neighbour after it that of the last.
    fn move_up(&self, index: usize, last: bool) -> Option<Vec<Piece>> {
        let (repetition, count) = (self.repetition(index)?, self.tree.nodes()[index].choice);
        if count <= repetition.min || self.parents[index] == NONE {
            return None;
        }
        let bounds = self.bounds(index);
        let number = if last { count as usize - 1 } else { 0 };
        let (from, to) = (bounds[number], bounds[number + 1]);
        let element =
            (from as usize..to as usize).find(|&node| self.symbol(node) != Symbol::LAYOUT)?;
        let siblings = self.children(self.parents[index] as usize);
        let neighbour = if last {
            siblings.filter(|&sibling| sibling > index).find_map(|at| self.part_like(element, at))
        } else {
            let before = siblings.filter(|&sibling| sibling < index);
            before.collect::<Vec<_>>().into_iter().rev().find_map(|at| self.part_like(element, at))
        };
        let (neighbour, content) = neighbour?;
        let taken = Piece::As {
            symbol: self.symbol(neighbour),
            content: content as u32,
            inside: self.inside[neighbour],
        };
        let list = [
            Piece::Node(index as u32, count - 1),
            Piece::Copy(index as u32 + 1, from),
            Piece::Copy(to, self.end(index) as u32),
        ];
        let (at, end, all) =
            (neighbour as u32, self.end(neighbour) as u32, self.tree.nodes().len() as u32);
        let mut pieces = Vec::with_capacity(8);
        if last {
            pieces.push(Piece::Copy(0, index as u32));
            pieces.extend(list);
            pieces.push(Piece::Copy(self.end(index) as u32, at));
            pieces.push(taken);
            pieces.push(Piece::Copy(end, all));
        } else {
            pieces.extend([Piece::Copy(0, at), taken, Piece::Copy(end, index as u32)]);
            pieces.extend(list);
            pieces.push(Piece::Copy(self.end(index) as u32, all));
        }
        Some(pieces)
    }

    /// The neighbour with the part of an element, or the element itself, that is like it.
    fn part_like(&self, element: usize, neighbour: usize) -> Option<(usize, usize)> {
        let symbol = self.symbol(neighbour);
        let mut parts = std::iter::once(element).chain(self.parts(element));
        // A literal is like itself wherever it stands, and moving it changes nothing.
        let content =
            parts.find(|&part| self.alike(self.symbol(part), symbol) && !self.is_literal(part))?;
        Some((neighbour, content))
    }

    fn is_literal(&self, index: usize) -> bool {
        use crate::table::Terminal::Literal;
        let SymbolKind::Terminal(occurrence) = self.symbol(index).kind() else { return false };
        let terminal = self.table.terminal_at(occurrence);
        terminal.is_some_and(|id| matches!(self.table.terminal(id), Literal { .. }))
    }

    /// The occurrences in the body of a node: through groups and repetitions, not into rules.
    fn parts(&self, index: usize) -> Vec<usize> {
        let mut parts = Vec::new();
        let (mut next, end) = (index + 1, self.end(index));
        while next < end && parts.len() < MOST_PARTS {
            let symbol = self.symbol(next);
            if symbol.occurrence().is_some() {
                parts.push(next);
                next = self.end(next);
            } else {
                next += 1;
            }
        }
        parts
    }

    /// The outermost descendants of a node that are like items of an alternative, in order; what
    /// the node itself has there is among them.
    fn parts_for(&self, index: usize, alternative: u32) -> Vec<usize> {
        let mut parts = Vec::new();
        if self.tree.nodes()[index].choice == alternative {
            return parts;
        }
        let items = self.table.items(AlternativeId::new(alternative));
        let (mut next, end) = (index + 1, self.end(index).min(index + MOST_SEEN));
        while next < end && parts.len() < MOST_PARTS {
            let symbol = self.symbol(next);
            let wanted = symbol.occurrence().is_some()
                && !self.is_literal(next)
                && items.iter().any(|&item| self.fits(item, symbol));
            if wanted {
                parts.push(next);
                next = self.end(next);
            } else {
                next += 1;
            }
        }
        parts
    }

    /// Whether an item derives a symbol alone.
    fn fits(&self, item: Symbol, symbol: Symbol) -> bool {
        if self.alike(item, symbol) {
            return true;
        }
        match (self.table.rule_behind(item), self.table.rule_behind(symbol)) {
            (Some(from), Some(to)) => self.units.reaches(from, to),
            _ => false,
        }
    }

    /// An item with a part that fits it; none where that would bring layout into a token.
    fn fill(
        &self,
        mut item: Symbol,
        part: usize,
        mut inside: bool,
        pieces: &mut Vec<Piece>,
    ) -> Option<()> {
        while !self.alike(item, self.symbol(part)) {
            let from = self.table.rule_behind(item)?;
            let to = self.table.rule_behind(self.symbol(part))?;
            let (alternative, next) = self.units.step(self.table, from, to)?;
            pieces.push(Piece::Choice {
                symbol: item,
                id: None,
                choice: alternative.get(),
                inside,
            });
            inside |= token_at(self.table, item, inside) != NO_TOKEN;
            item = next;
        }
        if inside && !self.inside[part] && self.tokens[part] == NO_TOKEN {
            return None;
        }
        pieces.push(Piece::As { symbol: item, content: part as u32, inside });
        Some(())
    }

    /// The node by another alternative, which takes parts of it in their order.
    fn rederive(&self, index: usize, alternative: u32, skip: u32) -> Option<Vec<Piece>> {
        let symbol = self.symbol(index);
        let inside = self.inside[index] || self.tokens[index] != NO_TOKEN;
        let parts = self.parts_for(index, alternative);
        let mut parts = parts.get(skip as usize..)?.iter();
        let mut middle = vec![Piece::Choice {
            symbol,
            id: Some(self.ids[index]),
            choice: alternative,
            inside: self.inside[index],
        }];
        let mut reused = false;
        for &item in self.table.items(AlternativeId::new(alternative)) {
            let rest = parts.clone();
            let found = parts.find(|&&part| self.fits(item, self.symbol(part)));
            match found {
                Some(&part) => {
                    reused = true;
                    self.fill(item, part, inside, &mut middle)?;
                }
                None if closes_small(self.table, item) => {
                    parts = rest;
                    middle.push(Piece::Close { symbol: item, inside });
                }
                None => return None,
            }
        }
        // Without parts it would be no smaller than the smallest.
        reused.then(|| self.instead(index, middle))
    }

    /// The first list at or after a node, inside an element of a list, whose elements could stand
    /// for it.
    fn unwrap_step(&self, index: usize, from: usize) -> Option<Step> {
        let outer = *self.repetition(self.list_of(index)?.0)?;
        let like = |&at: &usize| {
            self.repetition(at).is_some_and(|inner| {
                self.tree.nodes()[at].choice > 0
                    && (inner.element == outer.element || self.alike(inner.element, outer.element))
            })
        };
        let found = (from..self.end(index)).find(like)?;
        Some(Step::Unwrap { index: found as u32 })
    }

    /// The repetition in which a node is an element or, if so it says, before which it stands as
    /// the first one.
    fn list_of(&self, index: usize) -> Option<(usize, bool)> {
        let parent = (self.parents[index] != NONE).then_some(self.parents[index] as usize)?;
        if self.repetition(parent).is_some() {
            return Some((parent, false));
        }
        let mut after = self.children(parent).filter(|&sibling| sibling > index);
        after.find(|&sibling| self.repetition(sibling).is_some()).map(|list| (list, true))
    }

    /// As [`Self::unwrap`], for the first of `item ( "," item )*`.
    fn unwrap_first(&self, index: usize, inner: usize, list: usize) -> Option<Vec<Piece>> {
        let (outer, nodes) = (*self.repetition(list)?, self.tree.nodes());
        let mut before =
            self.children(self.parents[inner] as usize).take_while(|&sibling| sibling < inner);
        let head = before.find(|&head| self.alike(self.symbol(head), self.symbol(index)))?;
        let count = nodes[list].choice.checked_add(nodes[inner].choice)?;
        if count > outer.max {
            return None;
        }
        let taken =
            |symbol, content: usize, inside| Piece::As { symbol, content: content as u32, inside };
        let mut pieces = vec![
            Piece::Copy(0, index as u32),
            taken(self.symbol(index), head, self.inside[index]),
            Piece::Copy(self.end(index) as u32, list as u32),
            Piece::Node(list as u32, count),
        ];
        let elements = self.children(inner);
        pieces.extend(elements.map(|at| taken(outer.element, at, self.inside[list])));
        pieces.push(Piece::Copy(list as u32 + 1, nodes.len() as u32));
        Some(pieces)
    }

    /// An element of a list becomes the elements of one inside it. Where the inner one has its first
    /// before the repetition, as in `item ( "," item )*`, that one stands for the part of the element
    /// that holds the inner list.
    fn unwrap(&self, index: usize, inner: usize) -> Option<Vec<Piece>> {
        let (list, first) = self.list_of(index)?;
        if first {
            return self.unwrap_first(index, inner, list);
        }
        let outer = *self.repetition(list)?;
        let nodes = self.tree.nodes();
        let whole = self.parts(index).into_iter().find(|&at| at < inner && inner < self.end(at));
        let head = whole.and_then(|whole| {
            let symbol = self.symbol(whole);
            let siblings = self.children(self.parents[inner] as usize);
            let mut before = siblings.take_while(|&sibling| sibling < inner);
            before.find(|&head| self.alike(self.symbol(head), symbol)).map(|head| (whole, head))
        });
        let kept = u32::from(head.is_some());
        let count = (nodes[list].choice - 1 + kept).checked_add(nodes[inner].choice)?;
        if count > outer.max || count < outer.min {
            return None;
        }
        let mut pieces = vec![
            Piece::Copy(0, list as u32),
            Piece::Node(list as u32, count),
            Piece::Copy(list as u32 + 1, index as u32),
        ];
        if let Some((whole, head)) = head {
            pieces.extend([
                Piece::Copy(index as u32, whole as u32),
                Piece::As {
                    symbol: self.symbol(whole),
                    content: head as u32,
                    inside: self.inside[whole],
                },
                Piece::Copy(self.end(whole) as u32, self.end(index) as u32),
            ]);
        }
        pieces.extend(self.children(inner).map(|element| Piece::As {
            symbol: outer.element,
            content: element as u32,
            inside: self.inside[index],
        }));
        pieces.push(Piece::Copy(self.end(index) as u32, nodes.len() as u32));
        Some(pieces)
    }

    fn without_layout(&self, size: u32, end: u32) -> Option<Vec<Piece>> {
        let dropped = self.layout.get(end.saturating_sub(size) as usize..end as usize)?;
        let mut from = 0;
        let mut pieces = Vec::with_capacity(dropped.len() + 1);
        for &leaf in dropped {
            pieces.push(Piece::Copy(from, leaf));
            from = leaf + 1;
        }
        pieces.push(Piece::Copy(from, self.tree.nodes().len() as u32));
        Some(pieces)
    }
}
