//! The page: bugs found over CPU time, a curve for each method, and the same for the rows that no one may
//! tune by.
//!
//! It needs no network, and no script.

use std::fmt::Write as _;

use crate::plan::Method;
use crate::row::Row;
use crate::table::Cells;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
/// What is left of the drawing for the labels of the axes.
const LEFT: f64 = 50.0;
const BELOW: f64 = 40.0;
/// The time at the left end of the axis, which is logarithmic.
const SOONEST: f64 = 0.01;
/// Colours that are apart for any eye, after Okabe and Ito.
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/// The page.
pub fn html(rows: &[&Row], methods: &[Method], cells: &Cells, seconds: u64, when: &str) -> String {
    let said = format!(
        "{when}; at most {seconds} s of CPU time a run. A bug counts from the median of its runs on, \
         where at least two of three found it."
    );
    let mut out = head("Bugs over time", &said);
    let with_grammar: Vec<&Row> =
        rows.iter().copied().filter(|row| row.grammar().is_some()).collect();
    let unseen: Vec<&Row> = rows.iter().copied().filter(|row| !row.facts.tuning).collect();
    for (title, rows) in [
        ("All rows", rows),
        ("Rows with a grammar", &with_grammar),
        ("Rows that are not for tuning", &unseen),
    ] {
        let _ = writeln!(out, "<h2>{title}: {}</h2>", rows.len());
        chart(rows, methods, cells, seconds as f64, &mut out);
    }
    out.push_str("</html>\n");
    out
}

/// How a page begins.
pub fn head(title: &str, said: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>body{{font:15px sans-serif;max-width:760px;margin:2em auto}}\
         text{{font:12px sans-serif}}</style>\n<h1>{title}</h1>\n<p>{said}</p>\n"
    )
}

/// After which times a method has found one more bug.
fn times(rows: &[&Row], method: Method, cells: &Cells) -> Vec<f64> {
    let mut times: Vec<f64> = rows
        .iter()
        .filter_map(|row| cells.get(&(row.name.clone(), method)))
        .filter(|cell| cell.is_found())
        .filter_map(|cell| cell.median())
        .collect();
    times.sort_by(f64::total_cmp);
    times
}

/// A line that goes up in steps.
pub struct Curve {
    /// What it is called.
    pub name: String,
    /// From when on it is how high, in order.
    pub points: Vec<(f64, f64)>,
}

/// A chart of some rows: how many faults each method has found, over time.
pub fn chart(rows: &[&Row], methods: &[Method], cells: &Cells, limit: f64, out: &mut String) {
    let curve = |&method: &Method| {
        let times = times(rows, method, cells);
        let points = times.iter().enumerate().map(|(found, &time)| (time, found as f64 + 1.0));
        Curve { name: format!("{method}: {}", times.len()), points: points.collect() }
    };
    let curves: Vec<Curve> = methods.iter().map(curve).collect();
    draw(&curves, rows.len().max(1) as f64, limit, out);
}

/// Draws curves over a time that ends with the limit.
pub fn draw(curves: &[Curve], top: f64, limit: f64, out: &mut String) {
    let x = |time: f64| {
        let share = (time.max(SOONEST) / SOONEST).ln() / (limit / SOONEST).ln();
        LEFT + share * (WIDTH - LEFT - 10.0)
    };
    let y = |count: f64| HEIGHT - BELOW - count / top * (HEIGHT - BELOW - 10.0);
    let _ = writeln!(out, "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">");
    let mut tick = SOONEST;
    while tick <= limit {
        let at = x(tick);
        let _ = writeln!(
            out,
            "<path d=\"M{at:.1} 10V{:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick} s</text>",
            y(0.0),
            HEIGHT - BELOW + 16.0
        );
        tick *= 10.0;
    }
    for count in [0.0, top] {
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT} {0:.1}H{1:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{count}</text>",
            y(count),
            x(limit),
            LEFT - 6.0,
            y(count) + 4.0
        );
    }
    for ((at, Curve { name, points }), colour) in curves.iter().enumerate().zip(COLOURS) {
        let mut path = format!("M{:.1} {:.1}", x(SOONEST), y(0.0));
        for &(time, height) in points {
            let _ = write!(path, "H{:.1}V{:.1}", x(time), y(height));
        }
        let _ = write!(path, "H{:.1}", x(limit));
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{name}</text>",
            LEFT + 10.0,
            24.0 + 16.0 * at as f64,
        );
    }
    out.push_str("</svg>\n");
}
