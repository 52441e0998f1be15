//! What terms mean after all rewriting is what they mean as they were written.

mod programs;

use pleach_solver::{Binary, Compare, Evaluator, Model, Terms};
use pleach_unit::random::Random;
use programs::{Step, run, wide};
use proptest::prelude::*;

fn step() -> impl Strategy<Value = Step> {
    (any::<u8>(), any::<u16>(), any::<u16>(), any::<u16>(), any::<u128>())
        .prop_map(|(kind, a, b, c, number)| Step { kind, a, b, c, number })
}

/// Models of random bytes and of bytes that text is made of.
fn models(seed: u64) -> Vec<Model> {
    let mut random = Random(seed);
    let mut models: Vec<Model> =
        [0, 1, 127, 128, 255].map(|byte| Model::from_bytes(&[byte; 6])).into();
    for _ in 0..11 {
        let bytes: Vec<u8> = (0..6).map(|_| random.draw() as u8).collect();
        let mut model = Model::from_bytes(&bytes);
        model.set(6, u128::from(random.draw()));
        model.set(7, wide(&mut random));
        models.push(model);
    }
    models
}

const WIDTHS: [u8; 8] = [8, 8, 8, 8, 8, 8, 64, 128];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn simplified_terms_mean_what_was_written(
        steps in prop::collection::vec(step(), 1..60),
        seed in any::<u64>(),
    ) {
        let models = models(seed);
        let mut terms = Terms::new(1 << 20);
        let made = run(&mut terms, &WIDTHS, &steps, &models);
        prop_assert!(!terms.is_full());
        let mut evaluator = Evaluator::new();
        for (at, model) in models.iter().enumerate() {
            evaluator.forget();
            for (term, values) in &made {
                prop_assert_eq!(evaluator.value(&terms, *term, model), values[at]);
            }
            let (last, values) = &made[made.len() - 1];
            prop_assert_eq!(terms.evaluate(*last, model), values[at]);
        }
    }

    /// Variables that a term no longer has do not matter; those that it has are all there.
    #[test]
    fn variables_that_are_not_listed_change_nothing(
        steps in prop::collection::vec(step(), 1..40),
        seed in any::<u64>(),
    ) {
        let models = models(seed);
        let mut terms = Terms::new(1 << 20);
        let (last, _) = run(&mut terms, &WIDTHS, &steps, &models).pop().expect("steps");
        let variables = terms.variables(last);
        prop_assert!(variables.is_sorted_by(|a, b| a < b));
        for pair in models.windows(2) {
            let mut mixed = pair[0].clone();
            for &variable in variables {
                mixed.set(variable, pair[1].get(variable));
            }
            prop_assert_eq!(terms.evaluate(last, &mixed), terms.evaluate(last, &pair[1]));
        }
    }
}

#[test]
fn bytes_that_are_stored_and_loaded_again_meet() {
    let mut terms = Terms::new(1000);
    let word = terms.variable(0, 32);
    let bytes = [0, 8, 16, 24].map(|low| terms.extract(word, low, 8));
    let loaded = bytes.into_iter().reduce(|low, high| terms.concat(high, low));
    assert_eq!(loaded, Some(word));
    // The same by shifts and disjunctions, as compilers write it.
    let mut shifted = terms.zext(bytes[0], 32);
    for (at, &byte) in bytes.iter().enumerate().skip(1) {
        let wide = terms.zext(byte, 32);
        let by = terms.constant(32, 8 * at as u128);
        let up = terms.binary(Binary::Shl, wide, by);
        shifted = terms.binary(Binary::Or, up, shifted);
    }
    assert_eq!(shifted, word);
}

#[test]
fn a_comparison_with_a_word_is_one_with_each_of_its_bytes() {
    let mut terms = Terms::new(1000);
    let bytes = [0, 1, 2, 3].map(|number| terms.variable(number, 8));
    let word = bytes.into_iter().reduce(|low, high| terms.concat(high, low)).expect("four");
    let text = terms.constant(32, u128::from(u32::from_le_bytes(*b"true")));
    let same = terms.compare(Compare::Eq, word, text);
    let mut each = terms.constant(1, 1);
    for (&byte, letter) in bytes.iter().zip(*b"true") {
        let letter = terms.constant(8, u128::from(letter));
        let equal = terms.compare(Compare::Eq, byte, letter);
        each = terms.binary(Binary::And, equal, each);
    }
    let mut model = Model::from_bytes(b"true");
    assert_eq!((terms.evaluate(same, &model), terms.evaluate(each, &model)), (1, 1));
    model.set(2, u128::from(b'e'));
    assert_eq!((terms.evaluate(same, &model), terms.evaluate(each, &model)), (0, 0));
    // Whatever order the conjunction has, no comparison is wider than a byte.
    assert!(!terms.to_smtlib(&[same]).contains("BitVec 32"));
}

#[test]
fn comparisons_lose_zeros_and_signs_that_decide_nothing() {
    let mut terms = Terms::new(1000);
    let byte = terms.variable(0, 8);
    let wide = terms.zext(byte, 64);
    for (op, value, expected) in [
        (Compare::Ult, 256u128, Some(1)),
        (Compare::Ule, 255, Some(1)),
        (Compare::Eq, 256, Some(0)),
        (Compare::Slt, u128::from(u64::MAX), Some(0)),
        (Compare::Slt, 300, Some(1)),
        (Compare::Ult, 200, None),
    ] {
        let constant = terms.constant(64, value);
        let answer = terms.compare(op, wide, constant);
        assert_eq!(terms.as_constant(answer), expected, "{op:?} {value}");
    }
    let limit = terms.constant(64, 200);
    let wide_answer = terms.compare(Compare::Slt, wide, limit);
    let limit = terms.constant(8, 200);
    assert_eq!(wide_answer, terms.compare(Compare::Ult, byte, limit));
}

#[test]
fn pointer_differences_lose_their_base() {
    let mut terms = Terms::new(1000);
    let base = terms.variable(0, 64);
    let [first, second] = [24, 7].map(|offset| {
        let offset = terms.constant(64, offset);
        terms.binary(Binary::Add, base, offset)
    });
    let difference = terms.binary(Binary::Sub, first, second);
    assert_eq!(terms.as_constant(difference), Some(17));
}

#[test]
fn what_is_added_and_taken_away_is_not_there() {
    let mut terms = Terms::new(1000);
    let [start, length, taken, other] = [0, 1, 2, 3].map(|name| terms.variable(name, 64));
    let mut make = |op, a, b| terms.binary(op, a, b);
    let end = make(Binary::Add, start, length);
    let rest = make(Binary::Sub, end, taken);
    assert_eq!(make(Binary::Sub, end, rest), taken);
    assert_eq!(make(Binary::Sub, rest, start), make(Binary::Sub, length, taken));
    let further = make(Binary::Add, start, other);
    assert_eq!(make(Binary::Sub, end, further), make(Binary::Sub, length, other));
    let less = make(Binary::Sub, taken, end);
    let none = make(Binary::Add, less, rest);
    assert_eq!(terms.as_constant(none), Some(0));
}

#[test]
fn a_full_arena_goes_on_and_an_exhausted_one_says_so() {
    let mut terms = Terms::new(300);
    let mut sum = terms.variable(0, 8);
    let mut number = 1;
    while !terms.is_full() {
        let next = terms.variable(number, 8);
        sum = terms.binary(Binary::Add, sum, next);
        number += 1;
    }
    assert!(!terms.is_exhausted());
    let (kept, model) = (sum, Model::from_bytes(&[3; 200]));
    let value = terms.evaluate(kept, &model);
    while !terms.is_exhausted() {
        let next = terms.variable(number, 8);
        sum = terms.binary(Binary::Mul, sum, next);
        number += 1;
    }
    assert!(number < 5000, "{number} variables");
    let len = terms.len();
    for more in 0..1000 {
        let next = terms.variable(number + more, 8);
        sum = terms.binary(Binary::Xor, sum, next);
    }
    assert_eq!(terms.len(), len);
    assert_eq!(terms.evaluate(kept, &model), value);
}

#[test]
fn a_chain_of_a_million_is_made_and_evaluated_without_recursion() {
    let mut terms = Terms::new(1 << 22);
    let byte = terms.variable(0, 8);
    let wide = terms.zext(byte, 32);
    let mut chain = wide;
    for step in 0..250_000u32 {
        let number = terms.constant(32, u128::from(step.wrapping_mul(2_654_435_761)));
        chain = terms.binary(Binary::Xor, chain, number);
        chain = terms.binary(Binary::Mul, chain, wide);
        chain = terms.not(chain);
        chain = terms.binary(Binary::Or, chain, wide);
    }
    let low = terms.extract(chain, 3, 8);
    let zero = terms.constant(32, 0);
    let equal = terms.compare(Compare::Eq, chain, zero);
    let model = Model::from_bytes(&[7]);
    let expected = (0..250_000u32)
        .fold(7u32, |value, step| !(value ^ step.wrapping_mul(2_654_435_761)).wrapping_mul(7) | 7);
    assert_eq!(terms.evaluate(chain, &model), u128::from(expected));
    assert_eq!(terms.evaluate(low, &model), u128::from(expected >> 3 & 255));
    assert_eq!(terms.evaluate(equal, &model), u128::from(expected == 0));
}

#[test]
fn what_was_taken_apart_is_joined_without_what_lies_between() {
    let mut terms = Terms::new(10_000);
    let (whole, other) = (terms.variable(0, 64), terms.variable(1, 8));
    let parts: Vec<_> = (0..8).map(|at| terms.extract(whole, 8 * at, 8)).collect();
    let before = terms.len();
    assert_eq!(terms.join(&parts), Some(whole));
    assert_eq!(terms.len(), before);
    let middle = terms.extract(whole, 16, 24);
    assert_eq!(terms.join(&parts[2..5]), Some(middle));
    assert_eq!(terms.join(&[]), None);
    let mixed = terms.join(&[parts[1], other, parts[0], parts[1]]).expect("there are parts");
    let mut model = Model::new();
    model.set(0, 0x1122);
    model.set(1, 0x33);
    assert_eq!((terms.width(mixed), terms.evaluate(mixed, &model)), (32, 0x1122_3311));
}
