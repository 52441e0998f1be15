//! Bytes of the input that the program has found to be text before a call.
//!
//! That a `&str` is UTF-8 is checked where it is made of bytes, by the standard library, and nowhere behind that. So a unit that gets
//! one would fail on values that no caller passes: it would cut letters in two, and read behind the end for the rest of one. Of a text a byte
//! that is ASCII stays so, and one of a longer letter stays one of as long a letter: which bytes are of texts, what was decided in
//! the check says.

use super::Context;
use pleach_concolic::ir::{Module, Pc};
use pleach_explore::path::Decision;
use pleach_explore::search::ByteSet;
use pleach_solver::Terms;

/// Where the standard library checks whether bytes are a text, and reads letters of texts.
const CHECKS: &str = "core/src/str/validations.rs";

/// Free bytes that are of texts, each with what it may become.
#[derive(Clone, Debug, Default)]
pub struct Kinds(pub(super) Vec<(u32, ByteSet)>);

impl Kinds {
    /// Makes texts of values that are to be some and are none.
    pub fn mend(&self, values: &mut [u8]) {
        for (at, set) in &self.0 {
            if let Some(value) = values.get_mut(*at as usize) {
                *value = set.nearest(*value);
            }
        }
    }
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
        let free = (0..).zip(&context.terms);
        let texts =
            free.filter_map(|(at, &term)| Some((at, self.byte(terms.as_variable(term)?, before)?)));
        Kinds(texts.collect())
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
    let within = |first: u8, last: u8| (first..=last).collect::<ByteSet>();
    for chunk in input.utf8_chunks() {
        for letter in chunk.valid().chars() {
            let mut bytes = [0; 4];
            let bytes = letter.encode_utf8(&mut bytes).as_bytes();
            // What may come behind some first bytes is less than behind others, which stay.
            let first = match bytes[0] {
                0..=0x7f => within(0, 0x7f),
                0xc2..=0xdf => within(0xc2, 0xdf),
                0xe1..=0xec => within(0xe1, 0xec),
                0xf1..=0xf3 => within(0xf1, 0xf3),
                other => ByteSet::single(other),
            };
            let second = match bytes[0] {
                0xe0 => within(0xa0, 0xbf),
                0xed => within(0x80, 0x9f),
                0xf0 => within(0x90, 0xbf),
                0xf4 => within(0x80, 0x8f),
                _ => within(0x80, 0xbf),
            };
            kinds.push(first);
            kinds.extend(bytes.get(1).map(|_| second));
            kinds.extend(bytes.iter().skip(2).map(|_| within(0x80, 0xbf)));
        }
        kinds.extend(chunk.invalid().iter().map(|_| ByteSet::FULL));
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn what_is_no_text_may_become_anything() {
        let kinds = kinds(b"a\xffb");
        assert_eq!(kinds[1], ByteSet::FULL);
        assert!(!kinds[0].contains(0x80) && !kinds[2].contains(0x80));
    }
}
