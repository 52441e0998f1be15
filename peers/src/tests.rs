//! The contenders draw from the same distribution: else their speeds say nothing.

use crate::baseline::record::Node;
use crate::baseline::wyrand::WyRand;
use crate::baseline::{json64_generator, layered_generator};
use crate::nautilus::{self, Nautilus};
use crate::own;
use json64_generator::symbol;
use pleach::produce::Mode;
use serde_json::Value;

const SENTENCES: usize = 20_000;

/// Bytes a sentence on average, and how often each byte stands in one.
fn profile(mut produce: impl FnMut(&mut Vec<u8>) -> usize) -> (f64, [f64; 256]) {
    let mut out = Vec::new();
    let mut counts = [0_usize; 256];
    let mut bytes = 0;
    for _ in 0..SENTENCES {
        produce(&mut out);
        bytes += out.len();
        for &byte in &out {
            counts[usize::from(byte)] += 1;
        }
    }
    (bytes as f64 / SENTENCES as f64, counts.map(|count| count as f64 / SENTENCES as f64))
}

/// `tolerance` is a share of the expected figure.
fn assert_same(name: &str, one: &(f64, [f64; 256]), other: &(f64, [f64; 256]), tolerance: f64) {
    let near = |a: f64, b: f64| (a - b).abs() <= tolerance * a.max(b);
    assert!(near(one.0, other.0), "{name}: mean lengths {} and {}", one.0, other.0);
    for (byte, (&a, &b)) in one.1.iter().zip(&other.1).enumerate() {
        assert!(near(a, b), "{name}: byte {byte:#04x} {a} and {b} times a sentence");
    }
}

fn json64_by_hand() -> (f64, [f64; 256]) {
    let mut words = WyRand::new(11);
    profile(|out| {
        json64_generator::write(&mut words, out, &mut ());
        0
    })
}

/// Counts the kinds of values: object, array, string, number, true, false, null.
fn count(value: &Value, kinds: &mut [usize; 7]) {
    let kind = match value {
        Value::Object(members) => {
            members.values().for_each(|value| count(value, kinds));
            0
        }
        Value::Array(elements) => {
            elements.iter().for_each(|value| count(value, kinds));
            1
        }
        Value::String(_) => 2,
        Value::Number(_) => 3,
        Value::Bool(true) => 4,
        Value::Bool(false) => 5,
        Value::Null => 6,
    };
    kinds[kind] += 1;
}

#[test]
fn json64_is_json_of_64_values_with_kinds_alike() {
    let mut words = WyRand::new(12);
    let mut out = Vec::new();
    let mut kinds = [0; 7];
    for _ in 0..SENTENCES {
        json64_generator::write(&mut words, &mut out, &mut ());
        let text = std::str::from_utf8(&out).expect("ASCII");
        let Value::Array(values) = read(text) else { panic!("no array: {text}") };
        assert_eq!(values.len(), 64, "{text}");
        values.iter().for_each(|value| count(value, &mut kinds));
    }
    let all: usize = kinds.iter().sum();
    for kind in kinds {
        let share = kind as f64 / all as f64;
        // A member that a later one of the same name replaces is not counted, whatever its kind.
        assert!((share - 1.0 / 7.0).abs() < 0.001, "{kinds:?}");
    }
}

/// Reads json64, which allows what JSON does not: leading zeros of numbers.
fn read(text: &str) -> Value {
    let mut plain = String::with_capacity(text.len());
    let mut bytes = text.bytes().peekable();
    let (mut in_string, mut in_number) = (false, false);
    while let Some(byte) = bytes.next() {
        in_string ^= byte == b'"';
        if !in_string && byte.is_ascii_digit() {
            // A zero that another digit follows leads, unless the number has begun.
            let leads = byte == b'0' && bytes.peek().is_some_and(u8::is_ascii_digit);
            if leads && !in_number {
                continue;
            }
            in_number = true;
        } else {
            in_number = in_number && byte == b'.';
        }
        plain.push(char::from(byte));
    }
    serde_json::from_str(&plain).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn json64_has_the_mean_length_that_the_grammar_has() {
    // By linearity: a value has 17/3 bytes, and brackets and commas add 65.
    let expected = 64.0 * 17.0 / 3.0 + 65.0;
    let (mean, _) = json64_by_hand();
    assert!((mean - expected).abs() < 2.0, "{mean}");
}

#[test]
fn a_recorded_tree_yields_the_text() {
    let (mut words, mut again) = (WyRand::new(13), WyRand::new(13));
    let (mut out, mut text) = (Vec::new(), Vec::new());
    let mut nodes: Vec<Node> = Vec::new();
    for _ in 0..1000 {
        nodes.clear();
        json64_generator::write(&mut words, &mut out, &mut nodes);
        json64_generator::write(&mut again, &mut text, &mut ());
        assert_eq!(out, text);
        let leaves = |of: u32| nodes.iter().filter(move |node| node.symbol == of);
        let digits: Vec<u8> = leaves(symbol::DIGIT).map(|node| b'0' + node.choice as u8).collect();
        let chars: Vec<u8> =
            leaves(symbol::CHAR).map(|node| b"abcdef01"[node.choice as usize]).collect();
        let (mut said_digits, mut said_chars, mut in_string) = (Vec::new(), Vec::new(), false);
        for &byte in &out {
            in_string ^= byte == b'"';
            match byte {
                b'"' => {}
                _ if in_string => said_chars.push(byte),
                b'0'..=b'9' => said_digits.push(byte),
                _ => {}
            }
        }
        assert_eq!((digits, chars), (said_digits, said_chars));
        let values = leaves(symbol::VALUE).count();
        let below = leaves(symbol::PAIR).count() + leaves(symbol::ELEMENTS).count();
        assert_eq!(values, 64 + below);
    }
}

#[test]
fn nautilus_and_pleach_draw_json64_from_the_same_distribution() {
    let by_hand = json64_by_hand();
    let context = nautilus::json64();
    let mut nautilus = Nautilus::new(&context, 14);
    assert_same("nautilus", &by_hand, &profile(|out| nautilus.write(out)), 0.03);
    let table = own::json64();
    let pleach = profile(own::text(&table, Mode::Uniform, WyRand::new(15)));
    assert_same("pleach", &by_hand, &pleach, 0.03);
}

#[test]
fn pleach_draws_the_layered_language_from_the_same_distribution() {
    let mut words = WyRand::new(16);
    let by_hand = profile(|out| {
        layered_generator::write(&mut words, out);
        0
    });
    let table = own::layered();
    let pleach = profile(own::text(&table, Mode::Weighted, WyRand::new(17)));
    assert_same("pleach", &by_hand, &pleach, 0.05);
}
