//! Random strings of the specification: the baseline.

use std::collections::HashSet;

use super::super::{Difference, Side, Walker};
use super::TestString;
use pleach_core::Entropy;
use pleach_core::regular::Dfa;

/// How often a string is drawn for each that is wanted, at most.
const TRIES: usize = 20;

pub(crate) fn strings(
    difference: &Difference,
    specification: &Dfa,
    most: usize,
    entropy: &mut impl Entropy,
) -> Vec<TestString> {
    let walker = Walker::new(specification);
    let mut seen = HashSet::new();
    let mut strings = Vec::new();
    let mut symbols = Vec::new();
    for _ in 0..most.saturating_mul(TRIES) {
        symbols.clear();
        if strings.len() == most || !walker.symbols(entropy, &mut symbols) {
            break;
        }
        let text = difference.text(&symbols);
        if seen.insert(text.clone()) {
            strings.push(TestString {
                text,
                symbols: symbols.clone(),
                accepted_by: Side::Specification,
                differs: difference.side(&symbols).is_some(),
                rank: strings.len() + 1,
                transition: None,
            });
        }
    }
    strings
}
