//! The published walk.
//!
//! Each transition of the difference, special characters split off, is a node; a node leads to
//! those transitions that leave the state it ends in. A search, depth first, visits every node at most once,
//! special ones first, appends a random symbol of each, and gives the string it has wherever the
//! node's state accepts (Sondhi and Purandare, 2019, the algorithm "Generate test strings").
//!
//! What a published tool does by chance, it does here by the order of the table: neighbours that
//! are equally special. The alphabet is not ASCII, so a symbol is printable ASCII where it can be.

use std::collections::HashSet;

use super::super::Difference;
use super::super::specials::Tier;
use super::split::Split;
use super::{Covered, TestString};
use pleach_core::Entropy;
use pleach_core::regular::Alphabet;

/// A node on the way: the edges that are still to be tried after it, and the length of the string before
/// it.
struct Open {
    next: std::vec::IntoIter<usize>,
    length: usize,
}

pub(crate) fn strings(
    difference: &Difference,
    most: usize,
    entropy: &mut impl Entropy,
) -> Vec<TestString> {
    let dfa = &difference.dfa;
    let known = difference.specials.published();
    let tier = |symbol: u32| match Alphabet::character(symbol) {
        _ if Alphabet::is_role(symbol) => Tier::Role,
        Some(character) if known.contains(&character) => Tier::Code,
        _ => Tier::Ordinary,
    };
    let split = Split::new(dfa, known.iter().copied(), tier);
    let neighbours = |state| {
        let mut edges: Vec<usize> = split.leaving(state).collect();
        edges.sort_by_key(|&edge| !split.parts[split.edges[edge].part].is_special());
        edges.into_iter()
    };
    let mut visited = vec![false; split.edges.len()];
    let mut seen = HashSet::new();
    let mut strings: Vec<TestString> = Vec::new();
    let mut symbols = Vec::new();
    let mut open = vec![Open { next: neighbours(dfa.start()), length: 0 }];
    while let Some(node) = open.last_mut() {
        if strings.len() == most {
            break;
        }
        symbols.truncate(node.length);
        let Some(index) = node.next.next() else {
            open.pop();
            continue;
        };
        if std::mem::replace(&mut visited[index], true) {
            continue;
        }
        let edge = split.edges[index];
        let part = &split.parts[edge.part];
        let symbol = part.ascii(entropy);
        symbols.push(symbol);
        if dfa.is_accepting(edge.to) {
            let text = difference.text(&symbols);
            if seen.insert(text.clone())
                && let Some(accepted_by) = difference.side(&symbols)
            {
                strings.push(TestString {
                    text,
                    symbols: symbols.clone(),
                    accepted_by,
                    differs: true,
                    rank: strings.len() + 1,
                    transition: Some(Covered {
                        from: edge.from.index(),
                        symbol,
                        at: symbols.len() - 1,
                        to: edge.to.index(),
                        special: part.is_special(),
                    }),
                });
            }
        }
        open.push(Open { next: neighbours(edge.to), length: symbols.len() });
    }
    strings
}
