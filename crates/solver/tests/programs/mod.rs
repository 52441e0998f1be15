//! Random terms: programs whose steps each make a term of earlier ones, and what they mean by
//! arithmetic written down once more, on numbers.

#![allow(dead_code)]

pub mod shapes;

use pleach_solver::{Binary, Compare, Model, TermId, Terms};
use pleach_unit::random::Random;

/// Steps at random.
pub fn steps(random: &mut Random, count: usize) -> Vec<Step> {
    (0..count)
        .map(|_| Step {
            kind: random.draw() as u8,
            a: random.draw() as u16,
            b: random.draw() as u16,
            c: random.draw() as u16,
            number: wide(random),
        })
        .collect()
}

/// A number of 128 bits.
pub fn wide(random: &mut Random) -> u128 {
    u128::from(random.draw()) << 64 | u128::from(random.draw())
}

/// One step: which operation, and what its operands are chosen by.
#[derive(Clone, Debug)]
pub struct Step {
    pub kind: u8,
    pub a: u16,
    pub b: u16,
    pub c: u16,
    pub number: u128,
}

/// A term and its values under each model.
pub type Made = (TermId, Vec<u128>);

pub const BINARIES: [Binary; 13] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::UDiv,
    Binary::URem,
    Binary::SDiv,
    Binary::SRem,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Shl,
    Binary::LShr,
    Binary::AShr,
];

pub const COMPARES: [Compare; 5] =
    [Compare::Eq, Compare::Ult, Compare::Ule, Compare::Slt, Compare::Sle];

pub fn ones(width: u8) -> u128 {
    if width == 128 { u128::MAX } else { (1 << width) - 1 }
}

fn signed(value: u128, width: u8) -> i128 {
    if width < 128 && value >> (width - 1) == 1 {
        (value as i128).wrapping_sub((1i128 << (width - 1)).wrapping_mul(2))
    } else {
        value as i128
    }
}

/// What SMT-LIB says of an operation.
pub fn binary(op: Binary, width: u8, a: u128, b: u128) -> u128 {
    let negative = |value: u128| value >> (width - 1) == 1;
    let minus = |value: u128| value.wrapping_neg() & ones(width);
    let size = |value: u128| if negative(value) { minus(value) } else { value };
    let divide = |a: u128, b: u128| a.checked_div(b).unwrap_or(ones(width));
    let rest = |a: u128, b: u128| a.checked_rem(b).unwrap_or(a);
    let far = b >= u128::from(width);
    let result = match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_add(minus(b)),
        Binary::Mul => a.wrapping_mul(b),
        Binary::UDiv => divide(a, b),
        Binary::URem => rest(a, b),
        Binary::SDiv => {
            let quotient = divide(size(a), size(b));
            if negative(a) != negative(b) { minus(quotient) } else { quotient }
        }
        Binary::SRem => {
            let left = rest(size(a), size(b));
            if negative(a) { minus(left) } else { left }
        }
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl => {
            if far {
                0
            } else {
                a << b
            }
        }
        Binary::LShr => {
            if far {
                0
            } else {
                a >> b
            }
        }
        Binary::AShr => match (negative(a), far) {
            (false, true) => 0,
            (true, true) => ones(width),
            (false, false) => a >> b,
            (true, false) => a >> b | ones(width) & !(ones(width) >> b),
        },
    };
    result & ones(width)
}

pub fn compare(op: Compare, width: u8, a: u128, b: u128) -> bool {
    match op {
        Compare::Eq => a == b,
        Compare::Ult => a < b,
        Compare::Ule => a <= b,
        Compare::Slt => signed(a, width) < signed(b, width),
        Compare::Sle => signed(a, width) <= signed(b, width),
    }
}

/// Runs a program: variables of the given widths first, then a term for each step.
pub fn run(terms: &mut Terms, widths: &[u8], steps: &[Step], models: &[Model]) -> Vec<Made> {
    let mut made: Vec<Made> = Vec::new();
    for (number, &width) in (0..).zip(widths) {
        let variable = terms.variable(number, width);
        let values = models.iter().map(|model| model.get(number) & ones(width)).collect();
        made.push((variable, values));
    }
    for step in steps {
        let next = take(terms, &made, step, models.len());
        made.push(next);
    }
    made
}

fn constant(terms: &mut Terms, width: u8, step: &Step, models: usize) -> Made {
    let near = [0, 1, 2, 10, 48, u128::MAX, u128::MAX >> 1, 1 << (width - 1)];
    let value = match step.c % 4 {
        0 => step.number,
        1 => near[usize::from(step.c / 4) % near.len()],
        2 => 1 << (step.number as u8 % width),
        _ => near[usize::from(step.c / 4) % near.len()].wrapping_add(step.number % 4),
    } & ones(width);
    (terms.constant(width, value), vec![value; models])
}

/// A term of a width out of another: cut, or extended.
fn fitted(terms: &mut Terms, (term, values): &Made, width: u8, with_sign: bool) -> Made {
    let had = terms.width(*term);
    let map = |f: &dyn Fn(u128) -> u128| values.iter().map(|&value| f(value)).collect();
    if had >= width {
        (terms.extract(*term, 0, width), map(&|value| value & ones(width)))
    } else if with_sign {
        let values = map(&|value| signed(value, had) as u128 & ones(width));
        (terms.sext(*term, width), values)
    } else {
        (terms.zext(*term, width), values.clone())
    }
}

fn take(terms: &mut Terms, made: &[Made], step: &Step, models: usize) -> Made {
    let pick = |choice: u16| &made[made.len() - 1 - usize::from(choice) % made.len().min(12)];
    let a = pick(step.a).clone();
    let width = terms.width(a.0);
    let second = |terms: &mut Terms| match step.b % 3 {
        0 => constant(terms, width, step, models),
        _ => fitted(terms, pick(step.b / 3), width, step.b % 3 == 2),
    };
    let zip = |x: &Made, y: &Made, f: &dyn Fn(u128, u128) -> u128| -> Vec<u128> {
        x.1.iter().zip(&y.1).map(|(&x, &y)| f(x, y)).collect()
    };
    let map = |x: &Made, f: &dyn Fn(u128) -> u128| x.1.iter().map(|&value| f(value)).collect();
    match step.kind % 32 {
        kind @ 0..13 => {
            let op = BINARIES[usize::from(kind)];
            let b = second(terms);
            let (x, y) = if step.c % 8 < 6 { (&a, &b) } else { (&b, &a) };
            (terms.binary(op, x.0, y.0), zip(x, y, &|x, y| binary(op, width, x, y)))
        }
        kind @ 13..18 => {
            let op = COMPARES[usize::from(kind) - 13];
            let b = second(terms);
            let (x, y) = if step.c % 8 < 6 { (&a, &b) } else { (&b, &a) };
            let values = zip(x, y, &|x, y| u128::from(compare(op, width, x, y)));
            (terms.compare(op, x.0, y.0), values)
        }
        18 => (terms.not(a.0), map(&a, &|value| !value & ones(width))),
        19 => (terms.neg(a.0), map(&a, &|value| value.wrapping_neg() & ones(width))),
        20 | 21 => {
            let condition = fitted(terms, pick(step.c), 1, false);
            let b = second(terms);
            let values = (0..models)
                .map(|at| if condition.1[at] == 1 { a.1[at] } else { b.1[at] })
                .collect();
            (terms.ite(condition.0, a.0, b.0), values)
        }
        22..25 => {
            let low = step.c as u8 % width;
            let bits = 1 + (step.number as u8 % (width - low));
            (terms.extract(a.0, low, bits), map(&a, &|value| value >> low & ones(bits)))
        }
        25..28 => {
            let b = pick(step.b).clone();
            let below = terms.width(b.0);
            if u32::from(width) + u32::from(below) > 128 {
                return a;
            }
            (terms.concat(a.0, b.0), zip(&a, &b, &|x, y| x << below | y))
        }
        28 | 29 => {
            fitted(terms, &a, [16, 32, 64, 128][usize::from(step.c) % 4], step.kind & 1 == 1)
        }
        30 => fitted(terms, &a, 1 + step.c as u8 % 128, step.c >= 1 << 15),
        _ => {
            // A shift and a mask by constants: what layout is made of.
            let by = step.c as u8 % width;
            let by_term = terms.constant(width, u128::from(by));
            let op = [Binary::Shl, Binary::LShr, Binary::AShr][usize::from(step.b) % 3];
            let values = map(&a, &|value| binary(op, width, value, u128::from(by)));
            (terms.binary(op, a.0, by_term), values)
        }
    }
}
