//! Which languages may have a text in common with one, by what all their texts begin with.
//!
//! Nearly all tokens of a large lexer begin with a word or sign of their own, so a tree of these beginnings
//! leaves few to be compared: a language can meet those on the way to its beginning, which have a shorter one,
//! and those below. An edge is a set of symbols, for a letter may stand for both of its cases; sets that meet
//! are followed alike.

use super::automata::{self, Budget};
use crate::import::ranges::{Ranges, union};
use pleach_core::regular::Dfa;

/// Symbols of a beginning that are looked at.
const LONGEST: usize = 32;

/// Languages by their beginnings.
#[derive(Default)]
pub(super) struct Index {
    nodes: Vec<Node>,
}

#[derive(Default)]
struct Node {
    edges: Vec<(Ranges, usize)>,
    /// The languages whose beginning ends here.
    here: Vec<usize>,
}

impl Index {
    /// Adds a language, which is known by a number.
    pub(super) fn add(&mut self, beginning: &[Ranges], number: usize, budget: &mut Budget) {
        if self.nodes.is_empty() {
            self.nodes.push(Node::default());
        }
        let mut at = 0;
        for symbols in beginning {
            let edges = &self.nodes[at].edges;
            if !budget.spend(edges.len()) {
                break;
            }
            at = match edges.iter().find(|(edge, _)| edge == symbols) {
                Some(&(_, to)) => to,
                None => {
                    let to = self.nodes.len();
                    self.nodes[at].edges.push((symbols.clone(), to));
                    self.nodes.push(Node::default());
                    to
                }
            };
        }
        self.nodes[at].here.push(number);
    }

    /// The languages that may meet one with some beginning, in the order of their numbers; those that were
    /// found where the budget ends.
    pub(super) fn near(&self, beginning: &[Ranges], budget: &mut Budget) -> Vec<usize> {
        let mut found = Vec::new();
        let mut stack: Vec<(usize, usize)> =
            (0..self.nodes.len().min(1)).map(|at| (at, 0)).collect();
        while let Some((at, depth)) = stack.pop() {
            let node = &self.nodes[at];
            if !budget.spend(node.edges.len() + node.here.len()) {
                break;
            }
            found.extend(&node.here);
            let meets = |edge: &Ranges| match beginning.get(depth) {
                Some(symbols) => automata::meets(edge, symbols),
                None => true,
            };
            let edges = node.edges.iter().filter(|(edge, _)| meets(edge));
            stack.extend(edges.map(|&(_, to)| (to, depth + 1)));
        }
        found.sort_unstable();
        found
    }
}

/// What all texts of a language begin with.
pub(super) fn of_language(language: &Dfa) -> Vec<Ranges> {
    let mut out = Vec::new();
    let mut state = language.start();
    while out.len() < LONGEST && !language.is_accepting(state) {
        let mut next = language.transitions(state).iter().map(|transition| transition.target);
        let Some(target) = next.next().filter(|&target| next.all(|other| other == target)) else {
            break;
        };
        let classes = language.transitions(state).iter().map(|transition| transition.class);
        out.push(union(classes.flat_map(|class| language.class_ranges(class).to_vec()).collect()));
        state = target;
    }
    out
}

/// A text as such a beginning; ASCII letters stand for both cases if `ignore_case`.
pub(super) fn of_text(text: &str, ignore_case: bool) -> Vec<Ranges> {
    let forms = |char: char| match ignore_case {
        true => [char.to_ascii_uppercase(), char.to_ascii_lowercase()],
        false => [char, char],
    };
    let range = |char: char| (u32::from(char), u32::from(char));
    text.chars().take(LONGEST).map(|char| union(forms(char).map(range).to_vec())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_core::regular::{Alphabet, AutomatonLimits};

    #[test]
    fn what_may_meet_is_found() {
        let mut budget = Budget::new(1_000);
        let mut index = Index::default();
        let texts = ["if", "IF", "i", "iffy", "ok", ""];
        for (number, text) in texts.iter().enumerate() {
            index.add(&of_text(text, false), number, &mut budget);
        }
        index.add(&of_text("If", true), texts.len(), &mut budget);
        assert_eq!(index.near(&of_text("if", false), &mut budget), [0, 2, 3, 5, 6]);
        assert_eq!(index.near(&of_text("if", true), &mut budget), [0, 1, 2, 3, 5, 6]);
        assert_eq!(index.near(&of_text("o", false), &mut budget), [4, 5]);
        assert_eq!(index.near(&[], &mut budget), [0, 1, 2, 3, 4, 5, 6]);
        assert!(Index::default().near(&[], &mut budget).is_empty());
        assert!(budget.is_left());
        assert!(index.near(&[], &mut Budget::new(1)).is_empty());
    }

    #[test]
    fn a_beginning_ends_where_texts_part_or_end() {
        let (limits, alphabet) = (AutomatonLimits::default(), Alphabet::Unicode);
        let language = |regex: &str| Dfa::from_regex(regex, alphabet, &limits).unwrap();
        assert_eq!(of_language(&language("(?i-u:ok)[a-z]*")), of_text("ok", true));
        assert!(of_language(&language("ok|of|x")).is_empty());
        assert_eq!(of_language(&language("ok|off")), of_text("o", false));
        // Sets of symbols after which texts go on alike.
        assert_eq!(
            of_language(&language("o[kf]")),
            [vec![(111, 111)], vec![(102, 102), (107, 107)]]
        );
        assert_eq!(of_language(&language("okay|ok")), of_text("ok", false));
        assert_eq!(of_language(&language("x{50}")).len(), LONGEST);
    }
}
