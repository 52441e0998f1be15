//! Terms of one table made again in another one, with other terms in place of variables.

use super::{Node, TermId, Terms};
use fxhash::FxHashMap;

/// What was made in one table of terms of another one.
///
/// A substitution is of two tables, always the same ones; what was made once is not made again.
///
/// # Examples
/// ```
/// use pleach_solver::{Binary, Substitution, Terms};
/// let mut callee = Terms::new(1000);
/// let (argument, one) = (callee.variable(0, 8), callee.constant(8, 1));
/// let next = callee.binary(Binary::Add, argument, one);
///
/// let mut caller = Terms::new(1000);
/// let given = caller.variable(5, 8);
/// let mut substitution = Substitution::new(vec![Some(given)]);
/// let there = substitution.apply(&callee, &mut caller, next).expect("it has one variable");
/// assert_eq!(caller.variables(there), [5]);
/// ```
#[derive(Clone, Debug)]
pub struct Substitution {
    /// What stands for each variable, by its number.
    variables: Vec<Option<TermId>>,
    known: FxHashMap<TermId, TermId>,
}

impl Substitution {
    /// Of variables, by their numbers; nothing stands for one that is not there.
    pub fn new(variables: Vec<Option<TermId>>) -> Substitution {
        Substitution { variables, known: FxHashMap::default() }
    }

    /// A term of one table in the other one; nothing if a variable in it stands for nothing, or for a term of another width, or
    /// if the other table is full.
    pub fn apply(&mut self, from: &Terms, to: &mut Terms, term: TermId) -> Option<TermId> {
        self.there(Some(from), to, term)
    }

    /// The same where both tables are one.
    pub fn apply_within(&mut self, terms: &mut Terms, term: TermId) -> Option<TermId> {
        self.there(None, terms, term)
    }

    fn there(&mut self, from: Option<&Terms>, to: &mut Terms, term: TermId) -> Option<TermId> {
        let mut stack = vec![(term, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.known.contains_key(&term) {
                continue;
            }
            if !ready {
                stack.push((term, true));
                let node = from.unwrap_or(to).node(term);
                stack.extend(node.operands().map(|operand| (operand, false)));
                continue;
            }
            if to.is_full() {
                return None;
            }
            let made = self.make(from, to, term)?;
            self.known.insert(term, made);
        }
        self.known.get(&term).copied()
    }

    /// A term whose operands were made.
    fn make(&self, from: Option<&Terms>, to: &mut Terms, term: TermId) -> Option<TermId> {
        let there = from.unwrap_or(to);
        let (node, width) = (there.node(term), there.width(term));
        let known = |operand: TermId| self.known[&operand];
        Some(match node {
            Node::Constant(at) => {
                let value = there.constants[at as usize];
                to.constant(width, value)
            }
            Node::Variable(number) => {
                let stands = self.variables.get(number as usize).copied().flatten();
                return stands.filter(|&stands| to.width(stands) == width);
            }
            Node::Binary(op, a, b) => to.binary(op, known(a), known(b)),
            Node::Compare(op, a, b) => to.compare(op, known(a), known(b)),
            Node::Not(a) => to.not(known(a)),
            Node::Ite(c, a, b) => to.ite(known(c), known(a), known(b)),
            Node::Extract(a, low) => to.extract(known(a), low, width),
            Node::Concat(high, low) => to.concat(known(high), known(low)),
            Node::ZeroExtend(a) => to.zext(known(a), width),
            Node::SignExtend(a) => to.sext(known(a), width),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Binary, Compare, Model};

    #[test]
    fn a_term_has_the_value_that_it_has_where_its_variables_have_those_of_what_stands_for_them() {
        let mut from = Terms::new(1000);
        let (a, b) = (from.variable(0, 8), from.variable(1, 8));
        let pair = from.concat(a, b);
        let wide = from.zext(pair, 32);
        let signed = from.sext(b, 32);
        let product = from.binary(Binary::Mul, wide, signed);
        let low = from.extract(product, 3, 16);
        let less = from.compare(Compare::Slt, a, b);
        let not = from.not(low);
        let term = from.ite(less, low, not);
        let mut to = Terms::new(1000);
        let (x, y) = (to.variable(7, 8), to.constant(8, 200));
        let first = to.binary(Binary::Xor, x, y);
        let mut substitution = Substitution::new(vec![Some(first), Some(x)]);
        let made = substitution.apply(&from, &mut to, term).unwrap();
        for byte in 0..=255 {
            let (mut inner, mut outer) = (Model::new(), Model::new());
            outer.set(7, byte);
            inner.set(0, byte ^ 200);
            inner.set(1, byte);
            assert_eq!(to.evaluate(made, &outer), from.evaluate(term, &inner), "{byte}");
        }
    }

    #[test]
    fn within_one_table_other_variables_take_the_place_of_some() {
        let mut terms = Terms::new(1000);
        let [a, b] = [0, 1].map(|number| terms.variable(number, 8));
        let sum = terms.binary(Binary::Add, a, b);
        let twice = terms.binary(Binary::Mul, sum, b);
        let mut substitution = Substitution::new(vec![Some(b), Some(sum)]);
        let made = substitution.apply_within(&mut terms, twice).unwrap();
        let mut model = Model::new();
        model.set(0, 3);
        model.set(1, 10);
        assert_eq!(terms.evaluate(twice, &model), 130);
        assert_eq!(terms.evaluate(made, &model), 23 * 13 % 256);
    }

    #[test]
    fn what_has_a_variable_for_which_nothing_stands_is_nothing() {
        let mut from = Terms::new(1000);
        let (a, b) = (from.variable(0, 8), from.variable(1, 8));
        let sum = from.binary(Binary::Add, a, b);
        let mut to = Terms::new(1000);
        let (x, wide) = (to.variable(0, 8), to.variable(1, 16));
        assert_eq!(Substitution::new(vec![Some(x)]).apply(&from, &mut to, sum), None);
        let other = Substitution::new(vec![Some(x), Some(wide)]).apply(&from, &mut to, sum);
        assert_eq!(other, None);
    }
}
