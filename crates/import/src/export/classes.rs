//! Large classes that a grammar has more than once, as rules: properties of Unicode have hundreds of ranges, and
//! an automaton has one class for each of its states.
//!
//! What such classes have in common is what is beyond ASCII: that is what is named, so that letters without
//! `i` and letters without `f` share nearly all of their ranges.

use std::collections::BTreeMap;

use super::names::Names;
use pleach_core::grammar::{Alternative, Expr, Grammar, Name, Rule, Span};

/// The fewest ranges that are worth a name.
const MANY: usize = 8;

/// Names what is beyond ASCII in classes where more than one has it.
pub(super) fn name(grammar: &mut Grammar, names: &mut Names) {
    let mut uses: BTreeMap<&[(u32, u32)], Vec<usize>> = BTreeMap::new();
    for (index, expr) in grammar.exprs.iter().enumerate() {
        if let Expr::Class(ranges) = expr {
            let beyond = &ranges[split(ranges)..];
            if beyond.len() >= MANY {
                uses.entry(beyond).or_default().push(index);
            }
        }
    }
    let mut shared: Vec<Vec<usize>> = uses.into_values().filter(|uses| uses.len() > 1).collect();
    shared.sort_unstable();
    let span = Span::default();
    for uses in shared {
        let text = names.take("beyond-ascii");
        let mut body = Vec::new();
        for index in uses {
            let Expr::Class(ranges) = &mut grammar.exprs[index] else { continue };
            body = ranges.split_off(split(ranges));
            let ascii = std::mem::take(ranges);
            let reference = Expr::Reference(text.clone());
            grammar.exprs[index] = match ascii.is_empty() {
                true => reference,
                false => {
                    let parts = [Expr::Class(ascii), reference];
                    let plain = Alternative::plain;
                    Expr::Choice(parts.map(|part| plain(grammar.push(part, span))).to_vec())
                }
            };
        }
        let body = grammar.push(Expr::Class(body), span);
        let name = Name { text, span };
        grammar.rules.push(Rule { name, docs: String::new(), body });
    }
}

/// The first range of those beyond ASCII. One that goes from ASCII on counts as ASCII.
fn split(ranges: &[(u32, u32)]) -> usize {
    ranges.partition_point(|range| range.0 < 0x80)
}
