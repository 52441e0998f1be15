//! The smallest input on which two still disagree.

use crate::parse::{Parser, Scratch};
use crate::reduce::{Options, Reducer};
use crate::tree::Tree;

/// Inputs that are tried at most: who waits for the message is a fuzzer.
const TRIES: usize = 4_000;

/// Makes a text small: by its tree while it is a sentence, and then by leaving out characters.
///
/// `disagree` says whether two disagree on a text; they do on the one that is given.
pub(super) fn smallest(
    parser: &Parser<'_>,
    text: &str,
    mut disagree: impl FnMut(&str) -> bool,
) -> String {
    let mut left = TRIES;
    let mut try_one = |text: &str| {
        left = left.saturating_sub(1);
        left > 0 && disagree(text)
    };
    let text = by_tree(parser, text, &mut try_one).unwrap_or_else(|| text.to_owned());
    by_characters(text, &mut try_one)
}

/// None where the text is no sentence.
fn by_tree(
    parser: &Parser<'_>,
    text: &str,
    disagree: &mut impl FnMut(&str) -> bool,
) -> Option<String> {
    let mut tree = Tree::new();
    parser.parse(text.as_bytes(), &mut Scratch::new(), &mut tree).ok()?;
    let mut reducer = Reducer::new(parser.table(), tree, Options::new().tokens(true)).ok()?;
    for _ in 0..TRIES {
        let Some(candidate) = reducer.propose() else { break };
        let keeps = std::str::from_utf8(&candidate.text).is_ok_and(&mut *disagree);
        reducer.answer(candidate.ticket, keeps);
    }
    String::from_utf8(reducer.text().to_vec()).ok()
}

/// Leaves out runs of characters, halves first (Zeller and Hildebrandt, "Simplifying and Isolating
/// Failure-Inducing Input", 2002, of which only the complements).
fn by_characters(text: String, disagree: &mut impl FnMut(&str) -> bool) -> String {
    let mut kept: Vec<char> = text.chars().collect();
    let mut run = kept.len() / 2;
    while run > 0 {
        let (mut at, mut gained) = (0, false);
        while at < kept.len() {
            let end = (at + run).min(kept.len());
            let candidate: String = kept[..at].iter().chain(&kept[end..]).collect();
            if disagree(&candidate) {
                kept.drain(at..end);
                gained = true;
            } else {
                at = end;
            }
        }
        if !gained || run > 1 {
            run /= 2;
        }
    }
    kept.into_iter().collect()
}
