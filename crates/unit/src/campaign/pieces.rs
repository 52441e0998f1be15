//! Other values by what a run compared: a piece of a value becomes what it was compared with.

use super::hooks::{LONGEST, Pair};
use crate::lengths::resized;
use crate::wire::{Kind, Value};

/// At how many places of a value a piece is looked for.
const PLACES: usize = 8;
/// How long a value or a word becomes at most because its length is compared with that.
const MOST: usize = 1024;

/// Calls with what a value becomes by a comparison, in each way.
pub(super) fn candidates(value: &Value, now: &[u8], pair: &Pair, take: &mut dyn FnMut(Vec<u8>)) {
    let length = usize::from(pair.length).min(LONGEST);
    let sides = (&pair.left[..length], &pair.right[..length]);
    for (mine, other) in [sides, (sides.1, sides.0)] {
        match (value.kind, pair.number) {
            (Kind::Number { .. }, true) => number(now, mine, other, take),
            (Kind::Number { .. }, false) => {}
            (_, false) => pieces(now, mine, other, take),
            (_, true) => {
                let reversed = |bytes: &[u8]| bytes.iter().rev().copied().collect::<Vec<u8>>();
                pieces(now, mine, other, take);
                if length > 1 {
                    pieces(now, &reversed(mine), &reversed(other), take);
                }
                let decimal = |bytes: &[u8]| value_of(bytes).to_string().into_bytes();
                pieces(now, &decimal(mine), &decimal(other), take);
                lengths(now, mine, other, take);
            }
        }
    }
}

/// A number whose lowest byte is first.
fn value_of(bytes: &[u8]) -> u128 {
    bytes.iter().rev().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// What was compared may have been made wider, so as many bytes count as both have.
fn number(now: &[u8], mine: &[u8], other: &[u8], take: &mut dyn FnMut(Vec<u8>)) {
    let width = now.len().min(mine.len());
    if now[..width] != mine[..width] || now[width..].iter().any(|&it| it != 0 && it != 0xff) {
        return;
    }
    let sign = if other.last().is_some_and(|it| it & 0x80 != 0) { u128::MAX } else { 0 };
    let wide = value_of(other) | if other.len() < 16 { sign << (8 * other.len()) } else { 0 };
    for number in [wide, wide.wrapping_add(1), wide.wrapping_sub(1)] {
        take(number.to_le_bytes()[..now.len().min(16)].to_vec());
    }
}

/// What may be a length becomes the other one.
fn lengths(now: &[u8], mine: &[u8], other: &[u8], take: &mut dyn FnMut(Vec<u8>)) {
    let (length, wanted) = (value_of(mine), value_of(other));
    if mine.len() == size_of::<usize>() && wanted.max(length) <= MOST as u128 {
        resized(now, length as usize, wanted as usize, take);
    }
}

/// The piece becomes the other one: with what is behind it, and as the end.
fn pieces(now: &[u8], mine: &[u8], other: &[u8], take: &mut dyn FnMut(Vec<u8>)) {
    let Some((first, rest)) = mine.split_first() else { return };
    // Most of what is compared is nowhere, and mostly its first byte tells.
    let begins = now.iter().enumerate().filter(|(_, byte)| *byte == first);
    let places = begins.map(|(at, _)| at).filter(|at| now[at + 1..].starts_with(rest));
    for at in places.take(PLACES) {
        let with = [&now[..at], other].concat();
        if at + mine.len() < now.len() {
            take([&with, &now[at + mine.len()..]].concat());
        }
        take(with);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(value: &Value, left: &[u8], right: &[u8], number: bool) -> Vec<Vec<u8>> {
        let mut pair =
            Pair { left: [0; LONGEST], right: [0; LONGEST], length: left.len() as u8, number };
        pair.left[..left.len()].copy_from_slice(left);
        pair.right[..right.len()].copy_from_slice(right);
        let mut all = Vec::new();
        candidates(value, &value.bytes, &pair, &mut |it| all.push(it));
        all
    }

    #[test]
    fn a_piece_becomes_what_it_was_compared_with_from_either_side() {
        let value = Value::text("it", "a: key, more");
        for (left, right) in [("key", "XYZ"), ("XYZ", "key")] {
            let all = all(&value, left.as_bytes(), right.as_bytes(), false);
            assert_eq!(all, [b"a: XYZ, more".to_vec(), b"a: XYZ".to_vec()]);
        }
        assert!(all(&value, b"none", b"what", false).is_empty());
    }

    #[test]
    fn numbers_are_pieces_in_both_orders_and_as_digits() {
        let value = Value::bytes("it", b"\x01\x02 258");
        let found = all(&value, &[2, 1], &[7, 0], true);
        assert!(
            found.contains(&b"\x00\x07 258".to_vec()) && found.contains(&b"\x01\x02 7".to_vec()),
            "{found:?}"
        );
    }

    #[test]
    fn a_value_becomes_as_long_as_its_length_is_compared_with() {
        let resized = |length: usize, wanted: usize| {
            let pair = [length, wanted].map(usize::to_le_bytes);
            all(&Value::text("it", "abc"), &pair[0], &pair[1], true)
        };
        assert!(resized(3, 5).contains(&b"abccc".to_vec()));
        assert!(resized(5, 3).contains(&b"abccc".to_vec()));
        assert!(resized(3, 1 << 16).is_empty());
    }

    #[test]
    fn a_number_becomes_the_other_one_or_one_beside_it() {
        let value = Value::number("it", 5, 4, true);
        let found = all(&value, &[5, 0, 0, 0, 0, 0, 0, 0], &[0xff; 8], true);
        let wanted: Vec<Vec<u8>> = [-1i32, 0, -2].map(|it| it.to_le_bytes().to_vec()).into();
        assert_eq!(found, wanted);
        // It was cut.
        let found = all(&value, &[5], &[9], true);
        assert_eq!(found[0], [9, 0, 0, 0]);
        assert!(all(&value, &[6, 0, 0, 0], &[9, 0, 0, 0], true).is_empty());
    }
}
