//! Inputs of several parts: what a program gets of one text, and which byte of the text is where.
//!
//! A program has arguments, standard input, files and variables. The text of [`pleach_core::parts`] has them all, and it is
//! the input: what is symbolic are its bytes, so that solving, changing and lifting need not know of parts. Only the text's own
//! lines are no variables, and where a part gets a line feed, [`mend`] sets the mark behind it.

use pleach_concolic::build::Input;
use pleach_concolic::vm::Source;
use pleach_core::parts::{PartKind, Parts};
use std::path::PathBuf;

/// How a text of parts begins.
const SIGNATURE: &[u8] = b"%parts\n";

/// Where the bytes of what a program gets stand in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Of the arguments after the program's name.
    arguments: Vec<Vec<u32>>,
    stdin: Vec<u32>,
    files: Vec<Vec<u32>>,
}

impl Layout {
    /// Where a byte stands; nothing if it comes from no text.
    pub fn offset(&self, source: Source, at: u64) -> Option<u32> {
        let offsets = match source {
            Source::Input => &self.stdin,
            Source::File(number) => self.files.get(number as usize)?,
            Source::Argument(number) => self.arguments.get(number.checked_sub(1)? as usize)?,
        };
        offsets.get(at as usize).copied()
    }
}

/// The bytes of each part in the text, by their offsets.
fn offsets(parts: &Parts) -> Vec<Vec<u32>> {
    let mut at = SIGNATURE.len();
    let each = parts.iter().map(|part| {
        // The part's own line and the first mark.
        at += part.kind.to_string().len() + 2;
        let offsets = part.text.iter().map(|&byte| {
            let own = at as u32;
            at += if byte == b'\n' { 2 } else { 1 };
            own
        });
        let offsets = offsets.collect();
        at += 1;
        offsets
    });
    each.collect()
}

fn parts(text: &[u8]) -> Option<Parts> {
    if !text.starts_with(SIGNATURE) {
        return None;
    }
    Parts::read(text).ok()
}

/// What a program gets of a text of parts, and from where in the text; nothing if it is none.
///
/// Variables that say how a program is loaded, or how it tells of a panic, are left out.
pub fn read(text: &[u8]) -> Option<(Input, Layout)> {
    let parts = parts(text)?;
    let (mut input, mut layout) = (Input::default(), Layout::default());
    for (part, offsets) in parts.iter().zip(offsets(&parts)) {
        match &part.kind {
            PartKind::Argument => {
                input.arguments.push(part.text.clone());
                layout.arguments.push(offsets);
            }
            PartKind::Arguments if part.text.is_empty() => {}
            PartKind::Arguments => {
                let whole = part.text.strip_suffix(b"\n").unwrap_or(&part.text);
                let mut begin = 0;
                for argument in whole.split(|&byte| byte == b'\n') {
                    let end = begin + argument.len();
                    input.arguments.push(argument.to_vec());
                    layout.arguments.push(offsets[begin..end].to_vec());
                    begin = end + 1;
                }
            }
            PartKind::Stdin => (input.bytes, layout.stdin) = (part.text.clone(), offsets),
            PartKind::File(path) => {
                input.files.push((PathBuf::from(path), part.text.clone()));
                layout.files.push(offsets);
            }
            PartKind::Variable(name) if name.starts_with("LD_") || name == "RUST_BACKTRACE" => {}
            PartKind::Variable(name) => input.environment.push((name.clone(), part.text.clone())),
        }
    }
    Some((input, layout))
}

/// What a program gets: the parts of a text, or else the bytes as standard input.
pub fn input(text: &[u8]) -> Input {
    match read(text) {
        Some((input, _)) => input,
        None => Input::bytes(text),
    }
}

/// A text in which some bytes of parts of an old one are others, as a text of parts: it has a mark behind each line feed and nowhere
/// else, and no zero where there can be none. What is no change of such bytes alone stays as it is.
pub fn mend(old: &[u8], new: Vec<u8>) -> Vec<u8> {
    let Some(known) = parts(old).filter(|_| old.len() == new.len() && old != new) else {
        return new;
    };
    let offsets = offsets(&known);
    change(&known, |at, _| offsets[at].iter().map(|&at| new[at as usize]).collect()).unwrap_or(new)
}

/// What each part of a text of parts holds; nothing if it is none.
pub fn texts(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    Some(parts(text)?.iter().map(|part| part.text.clone()).collect())
}

/// A text of parts in which one part, by its number, holds something else; nothing if it is none.
pub fn replace(text: &[u8], which: usize, new: &[u8]) -> Option<Vec<u8>> {
    let parts = parts(text)?;
    change(&parts, |at, old| if at == which { new } else { old }.to_vec())
}

/// The text of parts with other texts.
fn change(parts: &Parts, mut text: impl FnMut(usize, &[u8]) -> Vec<u8>) -> Option<Vec<u8>> {
    let mut changed = Parts::new();
    for (at, part) in parts.iter().enumerate() {
        let mut text = text(at, &part.text);
        if !matches!(part.kind, PartKind::Stdin | PartKind::File(_)) {
            text.retain(|&byte| byte != 0);
        }
        changed.push(part.kind.clone(), text).ok()?;
    }
    Some(changed.write())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"%parts\nargs\n|-d\n|xy\nfile a/b\n|1\n|2\narg\n|p\n|q\nenv LIKE\n|this\n\
        env LD_PRELOAD\n|it\nstdin\n|in\n|\n";

    #[test]
    fn each_byte_that_a_program_gets_stands_where_the_layout_says() {
        let (input, layout) = read(TEXT).expect("it is of parts");
        let arguments: Vec<&[u8]> = input.arguments.iter().map(|it| &it[..]).collect();
        assert_eq!(arguments, [&b"-d"[..], b"xy", b"p\nq"]);
        assert_eq!((&input.bytes[..], &input.files[0].1[..]), (&b"in\n"[..], &b"1\n2"[..]));
        assert_eq!(input.environment, [("LIKE".to_owned(), b"this".to_vec())]);
        let mut seen = 0;
        let arguments = (1..).map(Source::Argument).zip(&input.arguments);
        let files = (0..).map(Source::File).zip(input.files.iter().map(|it| &it.1));
        for (source, bytes) in arguments.chain(files).chain([(Source::Input, &input.bytes)]) {
            for (at, &byte) in (0..).zip(bytes) {
                let offset = layout.offset(source, at).expect("it has a place");
                assert_eq!(TEXT[offset as usize], byte, "{source:?} {at}");
                seen += 1;
            }
            assert_eq!(layout.offset(source, bytes.len() as u64), None);
        }
        assert_eq!(seen, 2 + 2 + 3 + 3 + 3);
        assert_eq!(layout.offset(Source::Argument(0), 0), None);
    }

    #[test]
    fn line_feeds_and_zeros_that_come_and_go_are_mended() {
        let old = b"%parts\narg\n|abc\nstdin\n|x\n|y\n";
        let at = |byte| old.iter().position(|&it| it == byte).expect("it is there");
        let mut new = old.to_vec();
        (new[at(b'b')], new[at(b'x')]) = (0, b'\n');
        new[at(b'x') + 1] = b'z';
        assert_eq!(mend(old, new), b"%parts\narg\n|ac\nstdin\n|\n|zy\n");
        assert_eq!(mend(old, old.to_vec()), old);
        assert_eq!(mend(b"abc", b"a\nc".to_vec()), b"a\nc");
        assert_eq!(mend(old, b"other".to_vec()), b"other");
    }

    #[test]
    fn one_part_changes_alone() {
        let texts = texts(TEXT).expect("it is of parts");
        assert_eq!((texts.len(), &texts[5][..]), (6, &b"in\n"[..]));
        let expected = [&TEXT[..TEXT.len() - 1], b"\n|!\n"].concat();
        assert_eq!(replace(TEXT, 5, b"in\n\n!"), Some(expected));
        assert_eq!(replace(b"%parts\nwhat\n", 0, b""), None);
    }
}
