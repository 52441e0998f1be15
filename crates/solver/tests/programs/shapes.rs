//! Questions of the shapes that parsers make: numbers from digits, words, tables, code points,
//! comparisons in chains, words searched eight bytes at a time; and random ones.

use super::{run, steps};
use pleach_solver::{Binary, Compare, Model, Question, TermId, Terms};
use pleach_unit::random::Random;

/// A question of some shape; the path holds under the old values.
pub fn question(terms: &mut Terms, random: &mut Random) -> Question {
    let text =
        b"2024-02-29T23:59:60Z,true,-17.5e3,\xc3\xa9\xe2\x82\xac,Content-Length: 042\r\n\0\x7f";
    let bytes: Vec<u8> = (0..24)
        .map(|_| match random.below(4) {
            0 => random.draw() as u8,
            1 => b'0' + random.below(10) as u8,
            _ => text[random.below(text.len())],
        })
        .collect();
    let old = Model::from_bytes(&bytes);
    let mut booleans = Vec::new();
    for _ in 0..1 + random.below(4) {
        let from = random.below(16) as u32;
        match random.below(7) {
            0 => number(terms, random, from, &mut booleans),
            1 => keyword(terms, random, from, &mut booleans),
            2 => table(terms, random, from, &mut booleans),
            3 => code_point(terms, random, from, &mut booleans),
            4 => word_search(terms, random, from, &mut booleans),
            5 => ranges(terms, random, from, &mut booleans),
            _ => any(terms, random, &mut booleans),
        }
    }
    booleans.retain(|&term| terms.as_constant(term).is_none());
    if booleans.is_empty() {
        ranges(terms, random, 0, &mut booleans);
    }
    let turned = |terms: &mut Terms, term: TermId, wanted: u128| {
        if terms.evaluate(term, &old) == wanted { term } else { terms.not(term) }
    };
    let at = random.below(booleans.len());
    let goal = booleans.swap_remove(at);
    let goal = turned(terms, goal, 0);
    let path = booleans.into_iter().map(|term| turned(terms, term, 1)).collect();
    Question { path, goal, old }
}

fn byte(terms: &mut Terms, at: u32) -> TermId {
    terms.variable(at, 8)
}

fn against(terms: &mut Terms, op: Compare, term: TermId, value: u128) -> TermId {
    let constant = terms.constant(terms.width(term), value);
    terms.compare(op, term, constant)
}

fn with(terms: &mut Terms, op: Binary, term: TermId, value: u128) -> TermId {
    let constant = terms.constant(terms.width(term), value);
    terms.binary(op, term, constant)
}

/// Digits make a number, which is checked for overflow, divided and compared.
fn number(terms: &mut Terms, random: &mut Random, from: u32, out: &mut Vec<TermId>) {
    let width = [16, 32, 64][random.below(3)];
    let digits = 1 + random.below(6) as u32;
    let mut sum = terms.constant(width, 0);
    for at in from..from + digits {
        let digit = byte(terms, at);
        let digit = with(terms, Binary::Sub, digit, 48);
        out.push(against(terms, Compare::Ult, digit, 10));
        let (wide, sum_wide) = (terms.zext(digit, 2 * width), terms.zext(sum, 2 * width));
        let tens = with(terms, Binary::Mul, sum_wide, 10);
        let all = terms.binary(Binary::Add, tens, wide);
        let above = terms.extract(all, width, width);
        out.push(against(terms, Compare::Eq, above, 0));
        sum = terms.extract(all, 0, width);
    }
    let limit = random.below(10usize.pow(digits)) as u128;
    out.push(match random.below(6) {
        0 => against(terms, Compare::Eq, sum, limit),
        1 => against(terms, Compare::Slt, sum, limit),
        2 => {
            let by = (2 + random.below(400)) as u128;
            let rest = with(terms, Binary::URem, sum, by);
            against(terms, Compare::Eq, rest, limit % by)
        }
        3 => {
            let by = (2 + random.below(98)) as u128;
            let quotient = with(terms, Binary::SDiv, sum, by);
            against(terms, Compare::Eq, quotient, limit / by)
        }
        4 => {
            // As days are counted: years with a leap day every fourth, but for the hundredth.
            let fourth = with(terms, Binary::UDiv, sum, 4);
            let hundredth = with(terms, Binary::UDiv, sum, 100);
            let days = with(terms, Binary::Mul, sum, 365);
            let days = terms.binary(Binary::Add, days, fourth);
            let days = terms.binary(Binary::Sub, days, hundredth);
            let rest = with(terms, Binary::URem, days, 7);
            against(terms, Compare::Eq, rest, limit % 7)
        }
        _ => {
            let other = byte(terms, (from + 9) % 24);
            let other = terms.sext(other, width);
            terms.compare(Compare::Sle, sum, other)
        }
    });
}

/// Bytes are a word, compared as one integer or by the differences of its parts.
fn keyword(terms: &mut Terms, random: &mut Random, from: u32, out: &mut Vec<TermId>) {
    let word: &[u8] = [&b"true"[..], b"null", b"GET ", b"gzip", b"chunked!"][random.below(5)];
    let mut whole: Option<TermId> = None;
    for at in 0..word.len() as u32 {
        let next = byte(terms, (from + at) % 24);
        whole = Some(whole.map_or(next, |low| terms.concat(next, low)));
    }
    let whole = whole.expect("no word is empty");
    let mut letters = [0; 16];
    letters[..word.len()].copy_from_slice(word);
    let value = u128::from_le_bytes(letters);
    let differ = with(terms, Binary::Xor, whole, value);
    let differ =
        if random.below(2) == 0 { with(terms, Binary::And, differ, !0x2020) } else { differ };
    out.push(against(terms, Compare::Eq, differ, 0));
    out.push(against(terms, Compare::Ult, whole, value));
}

/// A byte chooses from a table of constants.
fn table(terms: &mut Terms, random: &mut Random, from: u32, out: &mut Vec<TermId>) {
    let index = byte(terms, from);
    let index = with(terms, Binary::And, index, 15);
    let mut chosen = terms.constant(16, 7);
    for at in 0..16 {
        let here = against(terms, Compare::Eq, index, at);
        let entry = terms.constant(16, random.below(300) as u128);
        chosen = terms.ite(here, entry, chosen);
    }
    let other = byte(terms, from + 1);
    let other = terms.zext(other, 16);
    let sum = terms.binary(Binary::Add, chosen, other);
    out.push(against(terms, Compare::Ult, sum, random.below(400) as u128));
    out.push(against(terms, Compare::Eq, chosen, random.below(300) as u128));
    out.push(terms.compare(Compare::Ule, chosen, other));
}

/// UTF-8 becomes a code point.
fn code_point(terms: &mut Terms, random: &mut Random, from: u32, out: &mut Vec<TermId>) {
    let first = byte(terms, from);
    out.push(against(terms, Compare::Ule, first, 0xdf));
    let wide = terms.zext(first, 32);
    let mut point = with(terms, Binary::And, wide, 0x1f);
    for at in 1..2 + random.below(3) as u32 {
        let next = byte(terms, from + at);
        let mark = with(terms, Binary::And, next, 0xc0);
        out.push(against(terms, Compare::Eq, mark, 0x80));
        let wide = terms.zext(next, 32);
        let low = with(terms, Binary::And, wide, 0x3f);
        let up = with(terms, Binary::Shl, point, 6);
        point = terms.binary(Binary::Or, up, low);
    }
    let shifted = with(terms, Binary::Sub, point, 0xd800);
    out.push(against(terms, Compare::Ult, shifted, 0x800));
    out.push(against(terms, Compare::Ult, point, random.below(0x11_0000) as u128));
}

/// Whether one of eight bytes is a given one, by arithmetic on all of them.
fn word_search(terms: &mut Terms, random: &mut Random, from: u32, out: &mut Vec<TermId>) {
    let mut whole = byte(terms, from);
    for at in 1..8 {
        let next = byte(terms, from + at);
        whole = terms.concat(next, whole);
    }
    let sought = random.below(256) as u128 * 0x0101_0101_0101_0101;
    let differ = with(terms, Binary::Xor, whole, sought);
    let less = with(terms, Binary::Sub, differ, 0x0101_0101_0101_0101);
    let not = terms.not(differ);
    let both = terms.binary(Binary::And, less, not);
    let marks = with(terms, Binary::And, both, 0x8080_8080_8080_8080);
    out.push(against(terms, Compare::Eq, marks, 0));
    let ascii = with(terms, Binary::And, whole, 0x8080_8080_8080_8080);
    out.push(against(terms, Compare::Eq, ascii, 0));
}

/// Bytes in ranges, beside each other.
fn ranges(terms: &mut Terms, random: &mut Random, from: u32, out: &mut Vec<TermId>) {
    for at in from..from + 2 + random.below(4) as u32 {
        let (here, next) = (byte(terms, at), byte(terms, at + 1));
        let shifted = with(terms, Binary::Sub, here, random.below(128) as u128);
        let inside = against(terms, Compare::Ult, shifted, (1 + random.below(64)) as u128);
        let signed = against(terms, Compare::Slt, next, 0);
        out.push(terms.binary(Binary::Or, inside, signed));
        out.push(terms.compare(Compare::Ule, here, next));
    }
}

fn any(terms: &mut Terms, random: &mut Random, out: &mut Vec<TermId>) {
    let steps = steps(random, 12);
    let made = run(terms, &[8; 6], &steps, &[]);
    for (term, _) in made.iter().skip(6) {
        // Products and quotients of wide unknowns are hard for everyone, and no question of ours.
        if terms.width(*term) <= 24 {
            let value = u128::from(random.draw());
            let op = super::COMPARES[random.below(5)];
            out.push(against(terms, op, *term, value));
        }
    }
    out.truncate(out.len().min(12));
}
