//! Bytes of the input that the program has found to be text before a call.
//!
//! That a `&str` is UTF-8 is checked where it is made of bytes, by the standard library, and nowhere behind that. So a unit that gets
//! one would fail on values that no caller passes: it would cut letters in two, and read behind the end for the rest of one. Which bytes
//! are of texts, what was decided in the check says. A byte of a long letter stays one of as long a letter. ASCII may become long
//! letters within blocks of a few bytes: programs that take a byte for a letter fail on these.

use super::Context;
use pleach_concolic::ir::{Module, Pc};
use pleach_explore::path::Decision;
use pleach_explore::search::{Assumption, ByteSet};
use pleach_solver::{Binary, TermId, Terms};
use std::ops::Range;
use std::sync::Arc;

/// Where the standard library checks whether bytes are a text, and reads letters of texts.
const CHECKS: &str = "core/src/str/validations.rs";

/// The first bytes of letters by their lengths, without those behind which less may come than behind others.
const FIRST: [(u8, u8); 4] = [(0, 0x7f), (0xc2, 0xdf), (0xe1, 0xec), (0xf1, 0xf3)];
/// The other bytes of letters.
const OTHER: (u8, u8) = (0x80, 0xbf);
/// The most bytes of ASCII that may become other letters together.
const BLOCK: usize = FIRST.len();

fn within((first, last): (u8, u8)) -> ByteSet {
    (first..=last).collect()
}

/// Free bytes that are of texts, and what they may become.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    /// By its number, what a byte may become while all others do so, too.
    bytes: Vec<(u32, ByteSet)>,
    /// Those of these that may become any letters together.
    blocks: Vec<Range<usize>>,
}

impl Kinds {
    /// Of bytes, each with its number and with where it is in the input. Blocks begin at some places in one run and at others in
    /// another, so that a letter may come to be at each place.
    fn new(texts: Vec<(u32, u32, ByteSet)>, phase: usize) -> Kinds {
        let ascii = within(FIRST[0]);
        let mut blocks = Vec::new();
        let mut begin = 0;
        let is_next = |a: &(u32, u32, ByteSet), b: &(u32, u32, ByteSet)| {
            (b.0, b.1) == (a.0 + 1, a.1 + 1) && a.2 == ascii && b.2 == ascii
        };
        for run in texts.chunk_by(is_next) {
            let end = begin + run.len();
            let mut next = begin + 1 + phase % BLOCK;
            while begin < end {
                if next.min(end) - begin > 1 {
                    blocks.push(begin..next.min(end));
                }
                (begin, next) = (next, next + BLOCK);
            }
            begin = end;
        }
        Kinds { bytes: texts.into_iter().map(|(at, _, set)| (at, set)).collect(), blocks }
    }

    /// That what is a text stays one, in conditions on few bytes each.
    pub(super) fn assumed(&self) -> Vec<Assumption> {
        // A set has up to 128 ranges, of a few terms each.
        let mut terms = Terms::new((self.bytes.len() + 1) << 10);
        let mut holds = Vec::new();
        let mut blocks = self.blocks.iter().peekable();
        let mut next = 0;
        while let Some((at, set)) = self.bytes.get(next) {
            match blocks.next_if(|block| block.start == next) {
                Some(block) => {
                    holds.push(is_text(&mut terms, *at, block.len()));
                    next = block.end;
                }
                None => {
                    holds.push(set.contains_term(&mut terms, *at));
                    next += 1;
                }
            }
        }
        let terms = Arc::new(terms);
        holds.into_iter().map(|holds| Assumption { terms: Arc::clone(&terms), holds }).collect()
    }

    /// Makes texts of values that are to be some and are none.
    pub fn mend(&self, values: &mut [u8]) {
        let mut blocks = self.blocks.iter().peekable();
        let mut kept = 0;
        for (index, (at, set)) in self.bytes.iter().enumerate() {
            let at = *at as usize;
            if let Some(block) = blocks.next_if(|block| block.start == index) {
                let letters = values.get(at..at + block.len());
                if letters.is_some_and(|letters| std::str::from_utf8(letters).is_ok()) {
                    kept = block.end;
                }
            }
            if index >= kept
                && let Some(value) = values.get_mut(at)
            {
                *value = set.nearest(*value);
            }
        }
    }
}

/// Whether so many bytes from one on are letters.
fn is_text(terms: &mut Terms, from: u32, length: usize) -> TermId {
    // Whether those from each byte on are.
    let mut are = vec![terms.constant(1, 1); length + 1];
    for at in (0..length).rev() {
        let mut any = terms.constant(1, 0);
        for (others, &first) in FIRST.iter().enumerate().take(length - at) {
            let mut all = are[at + others + 1];
            let other = (1..=others).map(|other| (other, OTHER));
            for (byte, set) in [(0, first)].into_iter().chain(other) {
                let fits = within(set).contains_term(terms, from + (at + byte) as u32);
                all = terms.binary(Binary::And, all, fits);
            }
            any = terms.binary(Binary::Or, any, all);
        }
        are[at] = any;
    }
    are[0]
}

/// Which bytes of a run's input are of texts, as far as its decisions were looked at.
pub(super) struct Texts<'a> {
    module: &'a Module,
    terms: &'a Terms,
    decisions: &'a [Decision],
    looked: usize,
    /// What each byte may become, and whether it is of a text.
    bytes: Vec<(ByteSet, bool)>,
    /// The instruction that was looked at last, and whether it is of the check.
    last: Option<(Pc, bool)>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(
        module: &'a Module,
        terms: &'a Terms,
        input: &[u8],
        decisions: &'a [Decision],
    ) -> Texts<'a> {
        let bytes = kinds(input).into_iter().map(|set| (set, false)).collect();
        Texts { module, terms, decisions, looked: 0, bytes, last: None }
    }

    /// The free bytes of a context that are of texts, where so many decisions were made before the call.
    pub(super) fn of(&mut self, context: &Context, before: usize) -> Kinds {
        let terms = self.terms;
        let texts = (0..).zip(&context.terms).filter_map(|(at, &term)| {
            let offset = terms.as_variable(term)?;
            Some((at, offset, self.byte(offset, before)?))
        });
        Kinds::new(texts.collect(), before)
    }

    /// What a byte may become of which it was decided before so many decisions that it is of a text; nothing if it was not.
    fn byte(&mut self, offset: u32, before: usize) -> Option<ByteSet> {
        while let Some(decision) =
            self.decisions[..before.min(self.decisions.len())].get(self.looked)
        {
            self.looked += 1;
            if self.is_check(decision.at) {
                for &byte in self.terms.variables(decision.value) {
                    if let Some((_, is_text)) = self.bytes.get_mut(byte as usize) {
                        *is_text = true;
                    }
                }
            }
        }
        self.bytes.get(offset as usize).filter(|it| it.1).map(|it| it.0)
    }

    fn is_check(&mut self, at: Pc) -> bool {
        match self.last {
            Some((last, is_check)) if last == at => is_check,
            _ => {
                let is_check = self.module.places(at).any(|it| it.file.ends_with(CHECKS));
                self.last = Some((at, is_check));
                is_check
            }
        }
    }
}

/// For each byte what it may become, while all others do so too, that letters stay letters of the same lengths. What is no text may
/// become anything.
fn kinds(input: &[u8]) -> Vec<ByteSet> {
    let mut kinds = Vec::with_capacity(input.len());
    for chunk in input.utf8_chunks() {
        for letter in chunk.valid().chars() {
            let mut bytes = [0; 4];
            let bytes = letter.encode_utf8(&mut bytes).as_bytes();
            // What may come behind some first bytes is less than behind others, which stay.
            let first = FIRST[bytes.len() - 1];
            let is_usual = (first.0..=first.1).contains(&bytes[0]);
            let first = if is_usual { within(first) } else { ByteSet::single(bytes[0]) };
            let second = match bytes[0] {
                0xe0 => (0xa0, 0xbf),
                0xed => (0x80, 0x9f),
                0xf0 => (0x90, 0xbf),
                0xf4 => (0x80, 0x8f),
                _ => OTHER,
            };
            kinds.push(first);
            kinds.extend(bytes.get(1).map(|_| within(second)));
            kinds.extend(bytes.iter().skip(2).map(|_| within(OTHER)));
        }
        kinds.extend(chunk.invalid().iter().map(|_| ByteSet::FULL));
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_solver::Model;

    /// Of each letter of one kind all bytes that its kind admits, one at a time and all at their ends, are a text again.
    #[test]
    fn what_the_bytes_of_a_text_may_become_is_a_text() {
        for letter in [
            '\0',
            'a',
            '\u{7f}',
            'ä',
            '\u{7ff}',
            'ࠀ',
            '€',
            '퟿',
            '\u{e000}',
            '😀',
            '\u{10ffff}',
            '\u{90000}',
        ] {
            let text = format!("a{letter}b");
            let kinds = kinds(text.as_bytes());
            assert_eq!(kinds.len(), text.len());
            let mut first_and_last = [text.clone().into_bytes(), text.clone().into_bytes()];
            for (at, kind) in kinds.iter().enumerate() {
                let all: Vec<u8> = (0..=255).filter(|&byte| kind.contains(byte)).collect();
                assert!(all.contains(&text.as_bytes()[at]), "{letter:?}");
                for &byte in &all {
                    let mut bytes = text.clone().into_bytes();
                    bytes[at] = byte;
                    assert!(std::str::from_utf8(&bytes).is_ok(), "{letter:?}: {bytes:x?}");
                }
                first_and_last[0][at] = all[0];
                first_and_last[1][at] = all[all.len() - 1];
            }
            for bytes in first_and_last {
                assert!(std::str::from_utf8(&bytes).is_ok(), "{letter:?}: {bytes:x?}");
            }
        }
    }

    /// Free bytes that are copies of the input's, from an offset on.
    fn copies(input: &str, offset: u32, phase: usize) -> Kinds {
        let kinds = kinds(input.as_bytes());
        let texts = (0..).zip(kinds).map(|(at, set)| (at, offset + at, set));
        Kinds::new(texts.collect(), phase)
    }

    fn holds(assumed: &[Assumption], values: &[u8]) -> bool {
        let model = Model::from_bytes(values);
        assumed.iter().all(|it| it.terms.evaluate(it.holds, &model) == 1)
    }

    /// All that a few bytes of ASCII may become is a text, and all texts of usual letters they may become; what is made of others is one.
    #[test]
    fn a_block_may_become_all_letters_that_it_has_room_for() {
        let bytes =
            [0, b'a', 0x7f, 0x80, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xf1, 0xf3, 0xf4];
        for length in 1..=BLOCK {
            let kinds = copies(&"a".repeat(length), 7, length - 1);
            assert_eq!(kinds.blocks.len(), usize::from(length > 1));
            let assumed = kinds.assumed();
            for number in 0..bytes.len().pow(length as u32) {
                let digits =
                    (0..length as u32).map(|at| number / bytes.len().pow(at) % bytes.len());
                let mut values: Vec<u8> = digits.map(|digit| bytes[digit]).collect();
                let is_text = std::str::from_utf8(&values).is_ok();
                let is_usual = !values.iter().any(|byte| matches!(byte, 0xe0 | 0xed | 0xf4));
                assert_eq!(holds(&assumed, &values), is_text && is_usual, "{values:x?}");
                let before = values.clone();
                kinds.mend(&mut values);
                assert!(std::str::from_utf8(&values).is_ok(), "{before:x?}");
                assert!(values == before || !is_text);
            }
        }
    }

    #[test]
    fn blocks_are_of_neighbours_and_begin_where_the_phase_says() {
        let blocks = |kinds: Kinds| kinds.blocks;
        assert_eq!(blocks(copies("abcdefghij", 0, 0)), [1..5, 5..9]);
        assert_eq!(blocks(copies("abcdefghij", 0, 1)), [0..2, 2..6, 6..10]);
        assert_eq!(blocks(copies("abc\u{e4}def", 0, 3)), [0..3, 5..8]);
        let ascii = within(FIRST[0]);
        let apart = [(0, 0, ascii), (1, 1, ascii), (2, 5, ascii), (4, 6, ascii), (5, 7, ascii)];
        assert_eq!(blocks(Kinds::new(apart.to_vec(), 3)), [0..2, 3..5]);
    }

    #[test]
    fn what_is_no_text_may_become_anything() {
        let kinds = kinds(b"a\xffb");
        assert_eq!(kinds[1], ByteSet::FULL);
        assert!(!kinds[0].contains(0x80) && !kinds[2].contains(0x80));
    }
}
