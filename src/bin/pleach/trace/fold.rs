//! Folds what repeats: rounds of a loop are alike but for values, and a person wants to see one of them.
//!
//! A run of equal blocks becomes one of them and a count, from the left, the shortest block first. What is
//! folded is one step then, so loops around loops fold in the next pass.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

/// How many steps a round has at most.
const LONGEST: usize = 48;
/// How often something stands in a row before it is folded.
const LEAST: usize = 3;
/// How deep loops fold.
const PASSES: usize = 4;

/// A step, or rounds of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The same for what is alike.
    key: u32,
    /// Which steps it stands for.
    pub(super) steps: Range<usize>,
    /// The first round, and how many there are; one step has none.
    pub(super) rounds: Option<(Vec<Item>, usize)>,
}

/// Folds steps that are alike where their keys are equal.
pub(super) fn fold<K: Hash + Eq>(keys: impl Iterator<Item = K>) -> Vec<Item> {
    let mut known: HashMap<K, u32> = HashMap::new();
    let mut items: Vec<Item> = Vec::new();
    for (index, key) in keys.enumerate() {
        let next = known.len() as u32;
        let key = *known.entry(key).or_insert(next);
        items.push(Item { key, steps: index..index + 1, rounds: None });
    }
    let mut next = known.len() as u32;
    let mut blocks: HashMap<Vec<u32>, u32> = HashMap::new();
    for _ in 0..PASSES {
        let before = items.len();
        items = pass(items, |block| {
            *blocks.entry(block).or_insert_with(|| {
                next += 1;
                next
            })
        });
        if items.len() == before {
            break;
        }
    }
    items
}

fn pass(items: Vec<Item>, mut key_of: impl FnMut(Vec<u32>) -> u32) -> Vec<Item> {
    let mut folded = Vec::with_capacity(items.len());
    let mut at = 0;
    while at < items.len() {
        let found = (1..=LONGEST).find_map(|length| {
            let rounds = rounds(&items[at..], length);
            (rounds >= LEAST).then_some((length, rounds))
        });
        let Some((length, rounds)) = found else {
            folded.push(items[at].clone());
            at += 1;
            continue;
        };
        let end = at + length * rounds;
        let first = items[at..at + length].to_vec();
        let key = key_of(first.iter().map(|item| item.key).collect());
        let steps = items[at].steps.start..items[end - 1].steps.end;
        folded.push(Item { key, steps, rounds: Some((first, rounds)) });
        at = end;
    }
    folded
}

/// How often the first items of a length stand at the beginning.
fn rounds(items: &[Item], length: usize) -> usize {
    let same =
        items.iter().zip(items.iter().skip(length)).take_while(|(a, b)| a.key == b.key).count();
    if items.len() < length { 0 } else { 1 + same / length }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a`, or rounds in parentheses with their number.
    fn shown(items: &[Item], text: &str) -> String {
        let one = |item: &Item| match &item.rounds {
            Some((first, rounds)) => format!("({}){rounds}", shown(first, text)),
            None => text[item.steps.clone()].to_owned(),
        };
        items.iter().map(one).collect()
    }

    #[test]
    fn rounds_fold_and_loops_around_them() {
        let folded = |text: &str| shown(&fold(text.chars()), text);
        assert_eq!(folded(""), "");
        assert_eq!(folded("abcabc"), "abcabc");
        assert_eq!(folded("xabcabcabcab"), "x(abc)3ab");
        assert_eq!(folded("aaaabaaabaaaaab"), "((a)4b)3");
        assert_eq!(folded("aaaaaaaaaaaaa"), "(a)13");
    }

    #[test]
    fn rounds_stand_for_all_their_steps() {
        let items = fold("zababab".chars());
        assert_eq!(items[1].steps, 1..7);
    }

    #[test]
    fn steps_that_never_repeat_are_left_as_they_are_in_little_time() {
        let items = fold(0..200_000);
        assert_eq!(items.len(), 200_000);
        let many = fold((0..200_000).map(|it| it % 47));
        assert_eq!(many.len(), 1 + 200_000 % 47);
    }
}
