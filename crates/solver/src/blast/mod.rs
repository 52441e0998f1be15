//! Terms as circuits, and circuits as clauses of a SAT solver.
//!
//! [`Circuit`] makes gates, each once, and leaves out what constants decide. Its clauses only define:
//! whatever the inputs are, there are values for all gates. So a solver can be asked again and again
//! under assumptions, and what it has learnt stays true.

mod arithmetic;
mod circuit;
mod terms;

pub(crate) use circuit::{Circuit, Found};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::budget::Budget;
    use crate::terms::{Binary, Compare, TermId, Terms};

    const BUDGET: Budget = Budget { conflicts: 1000, decisions: 100_000 };

    /// Whether a boolean can be true and can be false while two variables have these values.
    fn possible(
        circuit: &mut Circuit,
        terms: &Terms,
        term: TermId,
        values: [u128; 2],
    ) -> [bool; 2] {
        let goal = circuit.literal(terms, term, u32::MAX).expect("there is room");
        let mut given = Vec::new();
        for (variable, bits) in circuit.inputs() {
            let value = values[variable as usize];
            let bits = bits.iter().enumerate();
            given.extend(bits.map(|(at, &bit)| bit.apply_sign(value >> at & 1 == 1)));
        }
        [goal, !goal].map(|lit| {
            given.push(lit);
            let found = circuit.search(&given, BUDGET);
            given.pop();
            found == Found::Sat
        })
    }

    /// Every bit of a term is what evaluation says, for all values of two variables.
    fn check(terms: &mut Terms, term: TermId, width: u8) {
        let bits: Vec<TermId> =
            (0..terms.width(term)).map(|bit| terms.extract(term, bit, 1)).collect();
        let mut circuit = Circuit::new();
        for a in 0..1u128 << width {
            for b in 0..1u128 << width {
                let mut model = Model::new();
                model.set(0, a);
                model.set(1, b);
                for &bit in &bits {
                    let value = terms.evaluate(bit, &model) == 1;
                    let possible = possible(&mut circuit, terms, bit, [a, b]);
                    assert_eq!(possible, [value, !value], "{term:?} of {a} and {b}, width {width}");
                }
            }
        }
    }

    #[test]
    fn circuits_of_two_unknowns_compute_what_evaluation_does() {
        use Binary::*;
        for width in 1..=4 {
            let ops = [Add, Sub, Mul, UDiv, URem, SDiv, SRem, And, Or, Xor, Shl, LShr, AShr];
            for op in ops {
                let mut terms = Terms::new(1000);
                let [a, b] = [0, 1].map(|number| terms.variable(number, width));
                let term = terms.binary(op, a, b);
                check(&mut terms, term, width);
            }
            for op in [Compare::Eq, Compare::Ult, Compare::Ule, Compare::Slt, Compare::Sle] {
                let mut terms = Terms::new(1000);
                let [a, b] = [0, 1].map(|number| terms.variable(number, width));
                let less = terms.compare(op, a, b);
                let chosen = terms.ite(less, b, a);
                check(&mut terms, chosen, width);
            }
        }
    }

    #[test]
    fn circuits_with_constants_compute_what_evaluation_does() {
        use Binary::*;
        for constant in 0..16 {
            for op in [Mul, UDiv, URem, SDiv, SRem, Shl] {
                for turned in [false, true] {
                    let mut terms = Terms::new(1000);
                    let [a, b] = [0, 1].map(|number| terms.variable(number, 2));
                    let both = terms.concat(a, b);
                    let constant = terms.constant(4, constant);
                    let (x, y) = if turned { (constant, both) } else { (both, constant) };
                    let term = terms.binary(op, x, y);
                    check(&mut terms, term, 2);
                }
            }
        }
    }
}
