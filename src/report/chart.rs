//! The curve of coverage over inputs, as SVG.

use std::fmt::Write;

use super::escape::grouped;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 40.0;
/// Points of the curve that are drawn.
const POINTS: usize = 600;

/// Draws how many of `total` k-paths are covered by the first input, the first two, and so on. The
/// styles are the page's.
pub(super) fn growth(covered: &[u64], total: u64) -> String {
    let inputs = covered.len() as u64;
    let most = total.max(1) as f64;
    let x = |input: f64| LEFT + (WIDTH - LEFT - RIGHT) * input / inputs.max(1) as f64;
    let y = |count: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - count / most);
    let base = y(0.0);
    let mut out = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"k-paths covered over inputs\">"
    );
    // Writing to a string cannot fail.
    for percent in [0_u64, 25, 50, 75, 100] {
        let line = y(most * percent as f64 / 100.0);
        let _ = write!(
            out,
            "<path class=\"grid\" d=\"M{LEFT} {line:.1}H{}\"/>\
             <text class=\"end\" x=\"{}\" y=\"{:.1}\">{percent}%</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            line + 4.0
        );
    }
    for tick in ticks(inputs) {
        let at = x(tick as f64);
        let class = if tick == inputs && tick > 0 { "end" } else { "middle" };
        let _ = write!(
            out,
            "<path class=\"grid\" d=\"M{at:.1} {base:.1}v5\"/>\
             <text class=\"{class}\" x=\"{at:.1}\" y=\"{:.1}\">{}</text>",
            base + 18.0,
            grouped(tick)
        );
    }
    let _ = write!(
        out,
        "<text class=\"middle\" x=\"{:.1}\" y=\"{:.1}\">inputs, in the order they were read</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 4.0
    );
    let mut line = format!("M{:.1} {base:.1}", x(0.0));
    for index in sampled(covered) {
        // A step: the count holds until the next input.
        let _ = write!(line, "H{:.1}V{:.1}", x(index as f64 + 1.0), y(covered[index] as f64));
    }
    let end = x(inputs as f64);
    let _ = write!(
        out,
        "<path class=\"area\" d=\"{line}V{base:.1}Z\"/><path class=\"curve\" d=\"{line}\"/>"
    );
    if let Some(&last) = covered.last() {
        let _ = write!(
            out,
            "<circle class=\"dot\" cx=\"{end:.1}\" cy=\"{:.1}\" r=\"3.5\"><title>{} of {} k-paths \
             after {} inputs</title></circle>",
            y(last as f64),
            grouped(last),
            grouped(total),
            grouped(inputs)
        );
    }
    out + "</svg>"
}

/// Where the curve rises, thinned out where that is too often; the first and the last always.
fn sampled(covered: &[u64]) -> Vec<usize> {
    let mut rises: Vec<usize> = (0..covered.len())
        .filter(|&index| index == 0 || covered[index] != covered[index - 1])
        .collect();
    if rises.last().is_some_and(|&last| last + 1 < covered.len()) {
        rises.push(covered.len() - 1);
    }
    let step = rises.len().div_ceil(POINTS).max(1);
    let last = rises.len().saturating_sub(1);
    rises.iter().enumerate().filter(|&(i, _)| i % step == 0 || i == last).map(|(_, &r)| r).collect()
}

/// Round numbers from 0 to the number of inputs, and that number itself.
fn ticks(inputs: u64) -> Vec<u64> {
    let mut step = 1;
    while inputs / step > 5 {
        step *= if step.to_string().starts_with('2') { 5 } else { 2 };
        if step.to_string().starts_with('1') && step > 1 && inputs / step <= 5 {
            break;
        }
    }
    let mut ticks: Vec<u64> = (0..=inputs).step_by(step as usize).collect();
    if let Some(&last) = ticks.last()
        && last != inputs
    {
        // Two numbers side by side need room.
        if inputs - last < step * 3 / 5 && ticks.len() > 1 {
            ticks.pop();
        }
        ticks.push(inputs);
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_few_and_end_at_the_last_input() {
        for inputs in (0..3000).chain([10_000, 123_456, u64::from(u32::MAX)]) {
            let ticks = ticks(inputs);
            assert!((1..=8).contains(&ticks.len()), "{inputs}: {ticks:?}");
            assert_eq!((ticks[0], ticks.last()), (0, Some(&inputs)));
            assert!(ticks.is_sorted_by(|a, b| a < b), "{ticks:?}");
        }
    }

    #[test]
    fn a_long_curve_is_thinned_and_keeps_its_ends() {
        let covered: Vec<u64> = (0..100_000).map(|n| n / 3).collect();
        let points = sampled(&covered);
        assert!(points.len() <= POINTS + 2);
        assert_eq!((points[0], points.last()), (0, Some(&99_999)));
        assert_eq!(sampled(&[5, 5, 5]), [0, 2]);
        assert!(sampled(&[]).is_empty());
        assert!(!growth(&[], 0).contains("NaN"));
    }
}
