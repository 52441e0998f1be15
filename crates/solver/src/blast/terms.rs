//! The bits of terms.

use super::Circuit;
use super::arithmetic::inverted;
use crate::terms::{Binary, Compare, Node, TermId, Terms};
use batsat::Lit;

impl Circuit {
    /// The literal of a boolean, if its circuit does not make the solver larger than it may be.
    pub(crate) fn literal(&mut self, terms: &Terms, term: TermId, largest: u32) -> Option<Lit> {
        debug_assert_eq!(terms.width(term), 1);
        let mut stack = vec![(term, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.places.contains_key(&term) {
                continue;
            }
            if !ready {
                stack.push((term, true));
                stack.extend(terms.node(term).operands().map(|operand| (operand, false)));
                continue;
            }
            if self.size() > largest {
                return None;
            }
            let row = self.row(terms, term);
            debug_assert_eq!(row.len(), usize::from(terms.width(term)));
            self.places.insert(term, self.bits.len() as u32);
            self.bits.extend(row);
        }
        Some(self.bits_of(terms, term)[0])
    }

    fn bits_of(&self, terms: &Terms, term: TermId) -> &[Lit] {
        let from = self.places[&term] as usize;
        &self.bits[from..from + usize::from(terms.width(term))]
    }

    /// The bits of a variable that some literal depends on.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (u32, &[Lit])> {
        self.inputs.iter().map(|&(variable, from, width)| {
            (variable, &self.bits[from as usize..from as usize + usize::from(width)])
        })
    }

    /// The bits of a term whose operands have theirs.
    fn row(&mut self, terms: &Terms, term: TermId) -> Vec<Lit> {
        let width = terms.width(term);
        let bits = |circuit: &Circuit, term| circuit.bits_of(terms, term).to_vec();
        match terms.node(term) {
            Node::Constant(_) => self.number(terms.as_constant(term).unwrap_or(0), width),
            Node::Variable(number) => {
                self.inputs.push((number, self.bits.len() as u32, width));
                (0..width).map(|_| self.fresh()).collect()
            }
            Node::Binary(Binary::UDiv, a, b) => self.quotient(terms, a, b, false).0.clone(),
            Node::Binary(Binary::URem, a, b) => self.quotient(terms, a, b, false).1.clone(),
            Node::Binary(Binary::SDiv, a, b) => self.quotient(terms, a, b, true).0.clone(),
            Node::Binary(Binary::SRem, a, b) => self.quotient(terms, a, b, true).1.clone(),
            Node::Binary(op, a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                self.binary(op, &a, &b)
            }
            Node::Compare(op, a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                vec![self.compare(op, a, b)]
            }
            Node::Not(a) => inverted(&bits(self, a)),
            Node::Ite(c, a, b) => {
                let (c, a, b) = (bits(self, c)[0], bits(self, a), bits(self, b));
                self.choose_row(c, &a, &b)
            }
            Node::Extract(a, low) => {
                self.bits_of(terms, a)[usize::from(low)..][..usize::from(width)].to_vec()
            }
            Node::Concat(high, low) => [bits(self, low), bits(self, high)].concat(),
            Node::ZeroExtend(a) => {
                let mut row = bits(self, a);
                row.resize(usize::from(width), self.constant(false));
                row
            }
            Node::SignExtend(a) => {
                let mut row = bits(self, a);
                let sign = row[row.len() - 1];
                row.resize(usize::from(width), sign);
                row
            }
        }
    }

    /// Quotient and remainder of two terms: who asks for one often asks for the other.
    fn quotient(
        &mut self,
        terms: &Terms,
        a: TermId,
        b: TermId,
        signed: bool,
    ) -> &(Vec<Lit>, Vec<Lit>) {
        let key = (signed, a, b);
        if !self.quotients.contains_key(&key) {
            let (a, b) = (self.bits_of(terms, a).to_vec(), self.bits_of(terms, b).to_vec());
            let both = if signed { self.divide_signed(&a, &b) } else { self.divide(&a, &b) };
            self.quotients.insert(key, both);
        }
        &self.quotients[&key]
    }

    fn binary(&mut self, op: Binary, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let none = self.constant(false);
        let gates = |circuit: &mut Circuit, gate: fn(&mut Circuit, Lit, Lit) -> Lit| -> Vec<Lit> {
            a.iter().zip(b).map(|(&x, &y)| gate(circuit, x, y)).collect()
        };
        match op {
            Binary::Add => self.add(a, b),
            Binary::Sub => self.subtract(a, b),
            Binary::Mul => self.multiply(a, b),
            Binary::UDiv | Binary::URem | Binary::SDiv | Binary::SRem => {
                unreachable!("quotients are made by terms")
            }
            Binary::And => gates(self, Circuit::and),
            Binary::Or => gates(self, Circuit::or),
            Binary::Xor => gates(self, Circuit::xor),
            Binary::Shl => self.shifted(a, b, true, none),
            Binary::LShr => self.shifted(a, b, false, none),
            Binary::AShr => self.shifted(a, b, false, a[a.len() - 1]),
        }
    }

    fn compare(&mut self, op: Compare, mut a: Vec<Lit>, mut b: Vec<Lit>) -> Lit {
        if matches!(op, Compare::Slt | Compare::Sle) {
            // With the signs turned over the order is that without sign.
            let sign = a.len() - 1;
            a[sign] = !a[sign];
            b[sign] = !b[sign];
        }
        match op {
            Compare::Eq => self.same(&a, &b),
            Compare::Ult | Compare::Slt => self.less(&a, &b),
            Compare::Ule | Compare::Sle => !self.less(&b, &a),
        }
    }
}
