//! Bit-vector terms: one flat arena, each term once, simplified as it is made.
//!
//! A term has a width of 1 to 128 bits; those of width 1 are booleans too. Operands come before what
//! is made of them, so the order of the ids is an order of evaluation, and two terms are the same
//! exactly if their ids are. What the constructors rewrite is in `simplify` and `comparisons`.

mod comparisons;
mod evaluate;
mod lanes;
mod semantics;
mod sets;
mod simplify;
mod substitute;

pub use evaluate::Evaluator;
pub(crate) use lanes::Lanes;
pub use semantics::{Binary, Compare};
pub(crate) use semantics::{mask, signed};
pub use substitute::Substitution;

use crate::Model;
use fxhash::{FxBuildHasher, FxHashMap};
use hashbrown::HashTable;
use sets::{SetId, Sets};
use std::hash::BuildHasher;
use std::num::NonZeroU32;

/// The number of a term in its [`Terms`]; of one table, equal numbers are equal terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(NonZeroU32);

impl TermId {
    fn new(index: usize) -> TermId {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        TermId(number.expect("the limit keeps terms below two to the 32"))
    }

    /// Its place, from 0.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// How a term is made; its width stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// A number, by its place among the constants.
    Constant(u32),
    /// A variable, by its number.
    Variable(u32),
    Binary(Binary, TermId, TermId),
    Compare(Compare, TermId, TermId),
    Not(TermId),
    Ite(TermId, TermId, TermId),
    /// The bits from this one on.
    Extract(TermId, u8),
    /// The high part and the low part.
    Concat(TermId, TermId),
    ZeroExtend(TermId),
    SignExtend(TermId),
}

impl Node {
    /// What it is made of.
    pub(crate) fn operands(self) -> impl DoubleEndedIterator<Item = TermId> {
        let row = match self {
            Node::Constant(_) | Node::Variable(_) => [None; 3],
            Node::Not(a) | Node::Extract(a, _) | Node::ZeroExtend(a) | Node::SignExtend(a) => {
                [Some(a), None, None]
            }
            Node::Binary(_, a, b) | Node::Compare(_, a, b) | Node::Concat(a, b) => {
                [Some(a), Some(b), None]
            }
            Node::Ite(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        row.into_iter().flatten()
    }
}

/// How many times the limit constructors go on for a caller that stops late.
const LATE: usize = 4;

/// How many numbers all sets of variables may have for each term.
const SET_SHARE: usize = 16;

/// A hash-consed table of bit-vector terms, simplified as they are made.
///
/// # Examples
/// ```
/// use pleach_solver::{Binary, Compare, Model, Terms};
/// let mut terms = Terms::new(1000);
/// let byte = terms.variable(0, 8);
/// let zero = terms.constant(8, u128::from(b'0'));
/// let ten = terms.constant(8, 10);
/// let digit = terms.binary(Binary::Sub, byte, zero);
/// let is_digit = terms.compare(Compare::Ult, digit, ten);
/// let mut model = Model::new();
/// model.set(0, u128::from(b'7'));
/// assert_eq!(terms.evaluate(digit, &model), 7);
/// assert_eq!(terms.evaluate(is_digit, &model), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    widths: Vec<u8>,
    /// The free variables of each term.
    free: Vec<SetId>,
    sets: Sets,
    constants: Vec<u128>,
    /// All terms but constants by how they are made, as ids alone: what lies beside the nodes of one run is in the processor's caches when
    /// the next one makes them again, and a table of nodes is not.
    known: HashTable<TermId>,
    known_constants: FxHashMap<(u8, u128), TermId>,
    /// The width of each variable.
    variable_widths: FxHashMap<u32, u8>,
    limit: usize,
    exhausted: bool,
}

impl Terms {
    /// No terms yet, and room for that many.
    pub fn new(limit: usize) -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            widths: Vec::new(),
            free: Vec::new(),
            sets: Sets::new(),
            constants: Vec::new(),
            known: HashTable::new(),
            known_constants: FxHashMap::default(),
            variable_widths: FxHashMap::default(),
            // What stands for all terms beyond the limit takes 128, and ids are 32 bits wide.
            limit: limit.clamp(256, 1 << 24),
            exhausted: false,
        };
        for width in 1..=128 {
            terms.constant(width, 0);
        }
        terms
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no terms; there always are some constants.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether the limit is reached: the caller should stop making terms.
    ///
    /// Constructors go on to four times the limit, and then [`Terms::is_exhausted`].
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= self.limit || self.sets.len() >= self.limit * SET_SHARE
    }

    /// Whether so many terms were asked for beyond the limit that new ones have lost their meaning.
    ///
    /// They are zeros of their width then. Terms from before mean what they did, and a solver answers
    /// no question any more.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// How many bits it has.
    ///
    /// # Panics
    ///
    /// Where the term is of other [`Terms`] that have more of them.
    pub fn width(&self, term: TermId) -> u8 {
        self.widths[term.index()]
    }

    /// Its value if it has no variables.
    ///
    /// # Panics
    ///
    /// Where the term is of other [`Terms`] that have more of them.
    pub fn as_constant(&self, term: TermId) -> Option<u128> {
        match self.node(term) {
            Node::Constant(at) => Some(self.constants[at as usize]),
            _ => None,
        }
    }

    /// The variable that it is, if it is one.
    ///
    /// # Panics
    ///
    /// Where the term is of other [`Terms`] that have more of them.
    pub fn as_variable(&self, term: TermId) -> Option<u32> {
        match self.node(term) {
            Node::Variable(number) => Some(number),
            _ => None,
        }
    }

    /// How many bits the variable of that number has, if there is one.
    pub fn variable_width(&self, number: u32) -> Option<u8> {
        self.variable_widths.get(&number).copied()
    }

    /// The variables in it, sorted.
    ///
    /// # Panics
    ///
    /// Where the term is of other [`Terms`] that have more of them.
    pub fn variables(&self, term: TermId) -> &[u32] {
        self.sets.get(self.free[term.index()])
    }

    /// Its value where the variables have the model's.
    ///
    /// Who evaluates much under one model keeps an [`Evaluator`].
    pub fn evaluate(&self, term: TermId, model: &Model) -> u128 {
        evaluate::once(self, term, model)
    }

    pub(crate) fn node(&self, term: TermId) -> Node {
        self.nodes[term.index()]
    }

    /// A number; what is above the width is cut off.
    ///
    /// # Panics
    /// The width is none of 1 to 128; so say all constructors.
    pub fn constant(&mut self, width: u8, value: u128) -> TermId {
        assert!((1..=128).contains(&width), "a width of {width} bits");
        let value = value & mask(width);
        if let Some(&known) = self.known_constants.get(&(width, value)) {
            return known;
        }
        let Some(term) = self.room() else { return self.zero(width) };
        self.push(Node::Constant(self.constants.len() as u32), width, Sets::EMPTY);
        self.constants.push(value);
        self.known_constants.insert((width, value), term);
        term
    }

    /// The variable of that number.
    ///
    /// # Panics
    /// There is one of the same number and another width.
    pub fn variable(&mut self, number: u32, width: u8) -> TermId {
        assert!((1..=128).contains(&width), "a width of {width} bits");
        let node = Node::Variable(number);
        if let Some(known) = self.find(node, width) {
            return known;
        }
        let Some(term) = self.room() else { return self.zero(width) };
        let other = self.variable_widths.insert(number, width);
        assert!(other.is_none(), "variable {number} has {width} bits and others");
        let set = self.sets.single(number);
        self.push(node, width, set);
        self.enter(term);
        term
    }

    /// The zero of a width: they were made first.
    pub(crate) fn zero(&self, width: u8) -> TermId {
        TermId::new(usize::from(width) - 1)
    }

    /// The next term's id, if there may be one.
    fn room(&mut self) -> Option<TermId> {
        let late = self.limit * LATE;
        if self.nodes.len() >= late || self.sets.len() >= late * SET_SHARE {
            self.exhausted = true;
            return None;
        }
        Some(TermId::new(self.nodes.len()))
    }

    fn push(&mut self, node: Node, width: u8, set: SetId) {
        self.nodes.push(node);
        self.widths.push(width);
        self.free.push(set);
    }

    /// The term of a node as it stands.
    fn make(&mut self, node: Node, width: u8) -> TermId {
        if let Some(known) = self.find(node, width) {
            return known;
        }
        let Some(term) = self.room() else { return self.zero(width) };
        let mut set = Sets::EMPTY;
        for operand in node.operands() {
            set = self.sets.union(set, self.free[operand.index()]);
        }
        self.push(node, width, set);
        self.enter(term);
        term
    }

    fn find(&self, node: Node, width: u8) -> Option<TermId> {
        let is =
            |term: &TermId| self.nodes[term.index()] == node && self.widths[term.index()] == width;
        self.known.find(hash(node, width), is).copied()
    }

    /// Lets the last term be found.
    fn enter(&mut self, term: TermId) {
        let hash_of = |term: &TermId| hash(self.nodes[term.index()], self.widths[term.index()]);
        self.known.insert_unique(hash_of(&term), term, hash_of);
    }
}

fn hash(node: Node, width: u8) -> u64 {
    FxBuildHasher.hash_one((node, width))
}
