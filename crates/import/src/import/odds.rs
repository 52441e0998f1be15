//! Probabilities of alternatives, as weights.

use super::builder::Builder;
use pleach_core::grammar::{Alternative, Diagnostic, ExprId, Mark, Span};

/// How far a sum or a ratio may be from what it is meant to be.
const NEARLY: f64 = 1e-9;

/// How far above 1 a sum of rounded probabilities may be.
const ROUNDED: f64 = 1e-5;

/// The greatest sum of weights that are exact.
const SEARCHED: u64 = 10_000;

/// The sum of weights that are not.
const FINE: f64 = 1e6;

/// A probability, where one is given, and where it stands.
pub(super) type Given = Option<(f64, Span)>;

/// The alternatives of a choice with the weights that their probabilities come to. Those without one
/// share what the others leave; probabilities that are less than 1 together keep their ratio.
pub(super) fn weighted(
    builder: &mut Builder,
    exprs: &[ExprId],
    given: &[Given],
    span: Span,
) -> Vec<Alternative> {
    let weights = weights(builder, given, span);
    let weight = |at: usize| weights.as_ref().map(|weights| Mark::Weight(weights[at]));
    exprs
        .iter()
        .enumerate()
        .map(|(at, &expr)| Alternative {
            mark: weight(at).filter(|&mark| mark != Mark::Weight(1)),
            binding: None,
            expr,
        })
        .collect()
}

/// A weight for each alternative; none where all are equally likely, or the probabilities cannot be.
fn weights(builder: &mut Builder, given: &[Given], span: Span) -> Option<Vec<u32>> {
    let &(_, last) = given.iter().flatten().last()?;
    let mut known = 0.0;
    for &(probability, span) in given.iter().flatten() {
        if !(0.0..=1.0).contains(&probability) {
            let message = format!("{probability} is no probability");
            builder.error(Diagnostic::error(span, message).help("probabilities are from 0 to 1"));
            return None;
        }
        known += probability;
    }
    if known > 1.0 + ROUNDED {
        let message = format!("the probabilities of these alternatives add up to {known:.6}");
        builder.error(Diagnostic::error(last, message).help("together they are 1 at most"));
        return None;
    }
    let unknown = given.iter().filter(|given| given.is_none()).count();
    let rest = (1.0 - known).max(0.0);
    // What is within rounding of nothing is nothing.
    let share = if rest < NEARLY { 0.0 } else { rest / unknown.max(1) as f64 };
    let parts: Vec<f64> =
        given.iter().map(|given| given.map_or(share, |(probability, _)| probability)).collect();
    let sum: f64 = parts.iter().sum();
    if sum <= 0.0 {
        let effect = "one is as likely as another";
        builder.lose(last, "all these alternatives have the probability 0", effect);
        return None;
    }
    let parts: Vec<f64> = parts.iter().map(|part| part / sum).collect();
    let sum = parts.iter().try_fold(1, |sum, &part| {
        let sum = common(sum, denominator(part)?);
        (sum <= SEARCHED).then_some(sum)
    });
    let exact = sum.and_then(|sum| {
        let whole = |&part: &f64| {
            let weight = (part * sum as f64).round();
            // What is possible stays so.
            (weight >= 1.0 || part == 0.0).then_some(weight as u32)
        };
        parts.iter().map(whole).collect::<Option<Vec<u32>>>()
    });
    let weights = exact.unwrap_or_else(|| {
        builder.lose(span, "no small whole numbers are in the ratio of these probabilities", {
            "the weights are rounded to millionths"
        });
        let rounded = |&part: &f64| match part {
            0.0 => 0,
            _ => ((part * FINE).round() as u32).max(1),
        };
        parts.iter().map(rounded).collect()
    });
    let first = weights.first().copied()?;
    if weights.iter().all(|&weight| weight == first) { None } else { Some(weights) }
}

/// The least denominator of a fraction from 0 to 1, by its continued fraction; none where it is great.
fn denominator(part: f64) -> Option<u64> {
    // Of the last two fractions, the later one last.
    let (mut numerators, mut denominators) = ((1, part.floor() as u64), (0, 1));
    let mut rest = part - part.floor();
    while (part - numerators.1 as f64 / denominators.1 as f64).abs() > NEARLY {
        let whole = (1.0 / rest).floor();
        rest = 1.0 / rest - whole;
        let next = |last: (u64, u64)| -> Option<(u64, u64)> {
            Some((last.1, last.1.checked_mul(whole as u64)?.checked_add(last.0)?))
        };
        (numerators, denominators) = (next(numerators)?, next(denominators)?);
        if denominators.1 > SEARCHED {
            return None;
        }
    }
    Some(denominators.1)
}

/// The least common multiple.
fn common(one: u64, other: u64) -> u64 {
    let (mut divisor, mut rest) = (one, other);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    one / divisor * other
}

/// A number as Java's `Double.parseDouble` reads it, decimal or hexadecimal.
pub(super) fn java_double(text: &str) -> Option<f64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) else {
        let digits = digits.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(digits);
        let is_number = digits.starts_with(|first: char| first.is_ascii_digit() || first == '.');
        return if is_number { digits.parse().ok().map(|value: f64| sign * value) } else { None };
    };
    let (mantissa, exponent) = hex.split_once(['p', 'P'])?;
    let exponent = exponent.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(exponent);
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let exponent = f64::from(exponent) - 4.0 * fraction.len() as f64;
    Some(sign * value * exponent.exp2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_java_s() {
        for (text, value) in [
            ("0.25", Some(0.25)),
            (".5", Some(0.5)),
            ("1.", Some(1.0)),
            ("5e-1", Some(0.5)),
            ("0.5d", Some(0.5)),
            ("0x1p-2", Some(0.25)),
            ("0x.8p0", Some(0.5)),
            ("-1", Some(-1.0)),
            ("0x1", None),
            ("e", None),
            ("1.2.3", None),
        ] {
            assert_eq!(java_double(text), value, "{text}");
        }
    }

    #[test]
    fn ratios_are_kept() {
        let span = Span::default();
        type Row<'r> = (&'r [Option<f64>], Option<&'r [u32]>);
        let table: [Row<'_>; 10] = [
            (&[Some(0.5), None, None], Some(&[2, 1, 1])),
            (&[Some(0.25), Some(0.25)], None),
            (&[Some(0.1), Some(0.3)], Some(&[1, 3])),
            (&[Some(1.0), None], Some(&[1, 0])),
            (&[Some(0.3), Some(0.3), None], Some(&[3, 3, 4])),
            (&[None, None], None),
            (&[Some(0.3333), Some(0.6667)], Some(&[3333, 6667])),
            (&[Some(1.0 / 3.0), Some(2.0 / 3.0)], Some(&[1, 2])),
            (&[Some(1e-12), Some(0.5)], Some(&[1, 1_000_000])),
            (&[Some(0.301), Some(0.176), None], Some(&[301, 176, 523])),
        ];
        for (given, expected) in table {
            let given: Vec<Given> = given.iter().map(|one| one.map(|one| (one, span))).collect();
            let weights = weights(&mut Builder::new(None), &given, span);
            assert_eq!(weights.as_deref(), expected, "{given:?}");
        }
    }
}
