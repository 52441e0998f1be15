//! Makes a model that was found nicer: old values where they do, else printable ones.

use super::Slice;
use crate::Model;
use crate::bytes::ByteSet;
use crate::terms::{Evaluator, Lanes, TermId, Terms};

/// For how many bytes of a model other values are looked for.
const BYTES: usize = 16;

#[derive(Clone, Debug, Default)]
pub(crate) struct Polish {
    evaluator: Evaluator,
    lanes: Lanes,
}

impl Polish {
    /// A model that holds too, closer to the old one and with more bytes that can be printed.
    pub(crate) fn polish(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        old: &Model,
        model: &Model,
    ) -> Model {
        let mut model = model.clone();
        let mut looked = 0;
        for &variable in &slice.variables {
            let (value, before) = (model.get(variable), old.get(variable));
            if value == before {
                continue;
            }
            model.set(variable, before);
            if self.holds(terms, slice, variable, &model) {
                continue;
            }
            model.set(variable, value);
            let byte = terms.variable_width(variable).is_some_and(|width| width <= 8);
            if byte && looked < BYTES && !printable(value as u8) {
                looked += 1;
                let values = self.values(terms, slice, variable, &model);
                let best = values.and_then(|values| preferred(values, before as u8));
                model.set(variable, best.map_or(value, u128::from));
            }
        }
        model
    }

    fn holds(&mut self, terms: &Terms, slice: &Slice, variable: u32, model: &Model) -> bool {
        self.evaluator.forget();
        let evaluator = &mut self.evaluator;
        with(terms, slice, variable).all(|term| evaluator.value(terms, term, model) == 1)
    }

    /// The values that a byte can have while all else stays.
    fn values(
        &mut self,
        terms: &Terms,
        slice: &Slice,
        variable: u32,
        model: &Model,
    ) -> Option<ByteSet> {
        self.evaluator.forget();
        self.lanes.forget();
        let mut values = ByteSet::FULL;
        for term in with(terms, slice, variable) {
            let truth = self.lanes.truth(terms, term, variable, &mut self.evaluator, model)?;
            values = values.and(truth);
        }
        Some(values)
    }
}

/// The constraints that a variable is in.
pub(super) fn with<'a>(
    terms: &'a Terms,
    slice: &'a Slice,
    variable: u32,
) -> impl Iterator<Item = TermId> + 'a {
    let constraints = slice.constraints.iter().copied();
    constraints.filter(move |&term| terms.variables(term).binary_search(&variable).is_ok())
}

/// What shows as a character of its own.
fn printable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// The value to have: the old one, else the least letter, digit, other sign that can be printed, or
/// any.
pub(super) fn preferred(values: ByteSet, old: u8) -> Option<u8> {
    if values.contains(old) {
        return Some(old);
    }
    let ranges = [(b'a', b'z'), (b'0', b'9'), (b'A', b'Z'), (b' ', b'~')];
    let range = |(low, high)| values.and(ByteSet::range(low, high)).min();
    ranges.into_iter().find_map(range).or_else(|| values.min())
}
