//! Which bytes of the input matter to which terms, for the input of a run.
//!
//! The variables of a term say too much: where an address was computed, all that may have been read there is in it. So
//! bytes are changed one by one, and what then has another value depends on them.

use pleach_explore::subject::model;
use pleach_explore::symbolic::LENGTH;
use pleach_solver::{Evaluator, Model, TermId, Terms};

/// How many bytes are tried, and how many of them are told apart.
const TRIED: usize = 256;
const BYTES: usize = 64;
/// What a byte is changed to.
const OTHERS: [fn(u8) -> u8; 5] =
    [|it| it ^ 0x20, |it| it ^ 1, |_| b'0', |_| b'A', |it| it.wrapping_add(0x80)];

/// What depends on the bytes on which some values depend.
#[derive(Debug)]
pub(crate) struct Depends {
    /// These bytes, by their offsets: at most 64.
    pub(crate) bytes: Vec<u32>,
    /// Of each value a bit for each of the bytes.
    pub(crate) values: Vec<u64>,
    /// The conditions that depend on some of these and on nothing else, by their places, with these bits.
    pub(crate) conditions: Vec<(usize, u64)>,
}

impl Depends {
    /// Of an input the values and the conditions.
    pub(crate) fn new(
        terms: &Terms,
        input: &[u8],
        values: &[TermId],
        conditions: &[TermId],
    ) -> Depends {
        let mut variables: Vec<u32> =
            values.iter().flat_map(|&it| terms.variables(it)).copied().collect();
        variables.sort_unstable();
        variables.dedup();
        variables.retain(|&it| it != LENGTH);
        variables.truncate(TRIED);
        let old = evaluate(terms, &model(input), values);
        let mut bytes = Vec::new();
        let mut of_values = vec![0; values.len()];
        for variable in variables {
            let mut is_one = false;
            for new in others(input, variable) {
                for (at, value) in evaluate(terms, &new, values).into_iter().enumerate() {
                    if value != old[at] {
                        is_one = true;
                        of_values[at] |= 1 << bytes.len();
                    }
                }
            }
            if is_one {
                bytes.push(variable);
            }
            if bytes.len() == BYTES {
                break;
            }
        }
        let old = evaluate(terms, &model(input), conditions);
        let mut of_conditions = vec![0; conditions.len()];
        for (bit, &byte) in bytes.iter().enumerate() {
            for new in others(input, byte) {
                for (at, value) in evaluate(terms, &new, conditions).into_iter().enumerate() {
                    of_conditions[at] |= u64::from(value != old[at]) << bit;
                }
            }
        }
        // All other bytes at once: what that changes depends on them.
        for other in OTHERS {
            let changed: Vec<u8> = (0..)
                .zip(input)
                .map(
                    |(at, &byte)| {
                        if bytes.binary_search(&at).is_ok() { byte } else { other(byte) }
                    },
                )
                .collect();
            for (at, value) in evaluate(terms, &model(&changed), conditions).into_iter().enumerate()
            {
                if value != old[at] {
                    of_conditions[at] = 0;
                }
            }
        }
        let conditions = of_conditions.into_iter().enumerate().filter(|it| it.1 != 0).collect();
        Depends { bytes, values: of_values, conditions }
    }
}

fn evaluate(terms: &Terms, model: &Model, all: &[TermId]) -> Vec<u128> {
    let mut evaluator = Evaluator::new();
    all.iter().map(|&term| evaluator.value(terms, term, model)).collect()
}

/// The input with another byte at a place.
fn others(input: &[u8], at: u32) -> impl Iterator<Item = Model> + '_ {
    let old = input.get(at as usize).copied().unwrap_or(0);
    OTHERS.iter().map(move |other| {
        let mut model = model(input);
        model.set(at, other(old).into());
        model
    })
}
