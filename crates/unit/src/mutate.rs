//! Other values: the operators of the paper's fuzzer, and tokens.

use crate::random::Random;

/// Changes a number, its lowest byte first: a bit, something random, 0, the greatest and least ones, a little more or less.
pub fn number(bytes: &mut [u8], random: &mut Random) {
    let Some(last) = bytes.len().checked_sub(1) else { return };
    match random.below(7) {
        0 => flip(bytes, random),
        1 => bytes.fill_with(|| random.draw() as u8),
        2 => bytes.fill(0),
        3 => bytes.fill(0xff),
        // The greatest and the least one with a sign.
        4 => {
            bytes.fill(0xff);
            bytes[last] = 0x7f;
        }
        5 => {
            bytes.fill(0);
            bytes[last] = 0x80;
        }
        _ => {
            let by = random.below(32) as i16 - 16;
            let mut carry = by;
            for byte in bytes {
                let sum = i16::from(*byte) + carry;
                *byte = sum as u8;
                carry = sum >> 8;
            }
        }
    }
}

/// Changes text without changing its length: bits, runs of random bytes, of ASCII, of zeros and of 0xff, parts of it again, tokens of it
/// elsewhere.
pub fn text(bytes: &mut [u8], random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    match random.below(8) {
        0 => flip(bytes, random),
        1 => part(bytes, random).fill_with(|| random.draw() as u8),
        2 => part(bytes, random).fill_with(|| ascii(random)),
        3 => part(bytes, random).fill(0),
        4 => part(bytes, random).fill(0xff),
        5 => repeat(bytes, random),
        6 => token(bytes, random),
        _ => {
            let at = random.below(bytes.len());
            bytes[at] = ascii(random);
        }
    }
}

/// Changes an input: as text, or its length too.
pub fn input(bytes: &mut Vec<u8>, most: usize, random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let length = 1 + random.below(16);
    match random.below(4) {
        0 if !bytes.is_empty() => {
            let end = (at + length).min(bytes.len());
            bytes.drain(at..end);
        }
        1 => {
            let new: Vec<u8> = (0..length).map(|_| ascii(random)).collect();
            bytes.splice(at..at, new);
        }
        2 => {
            let end = (at + length).min(bytes.len());
            let again = bytes[at..end].repeat(1 + random.below(8));
            bytes.splice(at..at, again);
        }
        _ => text(bytes, random),
    }
    bytes.truncate(most);
}

/// Puts a character of two to four bytes into text, in the place of another one or before it: what cuts text by bytes fails within one.
pub fn character(text: &mut Vec<u8>, most: usize, random: &mut Random) {
    let is_within = |byte: &u8| byte & 0xc0 == 0x80;
    let mut at = random.below(text.len() + 1);
    while at > 0 && text.get(at).is_some_and(is_within) {
        at -= 1;
    }
    let old = match random.below(2) {
        0 if at < text.len() => 1 + text[at + 1..].iter().take_while(|it| is_within(it)).count(),
        _ => 0,
    };
    let (least, count) = [(0x80, 0x780), (0x800, 0xd000), (0x1_0000, 0x10_0000)][random.below(3)];
    let code = least + random.below(count) as u32;
    let new = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    if text.len() - old + new.len_utf8() <= most {
        text.splice(at..at + old, new.encode_utf8(&mut [0; 4]).bytes());
    }
}

/// Puts a word in the place of all, of a part as long as it is, or of nothing.
pub fn word(bytes: &mut Vec<u8>, word: &[u8], most: usize, random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let replaced = match random.below(4) {
        0 => 0..bytes.len(),
        1 => 0..word.len().min(bytes.len()),
        2 => at..(at + word.len()).min(bytes.len()),
        _ => at..at,
    };
    bytes.splice(replaced, word.iter().copied());
    bytes.truncate(most);
}

fn ascii(random: &mut Random) -> u8 {
    0x20 + random.below(0x5f) as u8
}

fn flip(bytes: &mut [u8], random: &mut Random) {
    let at = random.below(bytes.len());
    bytes[at] ^= 1 << random.below(8);
}

/// A part, short ones as often as long ones.
fn part<'a>(bytes: &'a mut [u8], random: &mut Random) -> &'a mut [u8] {
    let begin = random.below(bytes.len());
    let most = (bytes.len() - begin).min(1 << random.below(8));
    &mut bytes[begin..begin + 1 + random.below(most)]
}

/// Writes a part over what follows it.
fn repeat(bytes: &mut [u8], random: &mut Random) {
    let begin = random.below(bytes.len());
    let length = 1 + random.below((bytes.len() - begin).min(16));
    for at in begin + length..bytes.len() {
        bytes[at] = bytes[at - length];
    }
}

/// Writes a token over another place.
fn token(bytes: &mut [u8], random: &mut Random) {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => 1,
        b' ' | b'\t' | b'\r' | b'\n' => 2,
        _ => 3,
    };
    let inside = random.below(bytes.len());
    let is_same = |byte: &u8| class(*byte) == class(bytes[inside]);
    let begin = inside - bytes[..inside].iter().rev().take_while(|it| is_same(it)).count();
    let end = inside + bytes[inside..].iter().take_while(|it| is_same(it)).count();
    let to = random.below(bytes.len() - (end - begin) + 1);
    bytes.copy_within(begin..end, to);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_leave_text_what_it_is() {
        let mut random = Random(1);
        let mut text = b"a\xc3\xa9".to_vec();
        let mut firsts = std::collections::BTreeSet::new();
        for _ in 0..1000 {
            character(&mut text, 12, &mut random);
            assert!(std::str::from_utf8(&text).is_ok() && text.len() <= 12, "{text:?}");
            firsts.extend(text.iter().map(|byte| byte >> 4));
        }
        assert!([0x6, 0xc, 0xe, 0xf].iter().all(|it| firsts.contains(it)), "{firsts:?}");
    }

    #[test]
    fn a_word_takes_the_place_of_all_of_a_part_or_of_nothing() {
        let mut random = Random(1);
        let mut made = std::collections::BTreeSet::new();
        for _ in 0..1000 {
            let mut bytes = b"abc".to_vec();
            word(&mut bytes, b"XY", 4, &mut random);
            made.insert(bytes);
        }
        let all = ["XY", "XYc", "aXY", "abXY", "abcX", "XYab", "aXYb"];
        assert!(all.iter().all(|it| made.contains(it.as_bytes())), "{made:?}");
        assert_eq!(made.len(), all.len());
    }

    #[test]
    fn each_operator_keeps_within_what_it_is_given_and_changes_something() {
        let mut random = Random(1);
        for length in 0..9 {
            let old: Vec<u8> = (b'0'..).take(length).collect();
            let mut changed = 0;
            for _ in 0..1000 {
                let (mut one, mut other, mut third) = (old.clone(), old.clone(), old.clone());
                number(&mut one, &mut random);
                text(&mut other, &mut random);
                input(&mut third, 12, &mut random);
                assert_eq!((one.len(), other.len()), (length, length));
                assert!(third.len() <= 12);
                changed += u32::from(one != old) + u32::from(other != old);
            }
            assert!(length == 0 || changed > 1000, "{length}: {changed}");
        }
    }
}
