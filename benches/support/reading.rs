//! Reading texts: the rows of figures.

use std::hint::black_box;

use pleach::parse::{Parser, Scratch};
use pleach::tree::Tree;

use super::turns::{seconds, spread};
use super::{JAVASCRIPT, JSON, SQL, Source, table, texts};

/// Rounds in which contenders take turns.
const ROUNDS: usize = 11;

/// Writes the rows: a figure, what is asked, and what is measured.
pub fn rows(row: &mut dyn FnMut(&str, &str, String)) {
    json(row);
    for source in [SQL, JAVASCRIPT] {
        language(source, ("", ">= 8 MB/s"), text(source, 1_000_000), row);
    }
    let sentences = texts::sentences(&table(SQL), b"\n;\n", 1_000_000);
    language(SQL, (" of random sentences", ""), sentences, row);
    growth(row);
    ambiguous(row);
}

/// A text of a grammar that has so many bytes, or a little more.
pub fn text(source: Source, bytes: usize) -> Vec<u8> {
    match source.0 {
        "json" => texts::json(bytes),
        "javascript" => texts::javascript(bytes),
        _ => texts::sql(bytes),
    }
}

fn json(row: &mut dyn FnMut(&str, &str, String)) {
    let (table, text) = (table(JSON), text(JSON, 1_000_000));
    let parser = Parser::new(&table);
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    let rate = |seconds: f64| text.len() as f64 / seconds / 1e6;
    let mut rounds: [Vec<f64>; 3] = Default::default();
    for _ in 0..ROUNDS {
        let read = || parser.recognise(&text, &mut scratch);
        rounds[0].push(rate(seconds(1, read).1));
        let read = || parser.parse(&text, &mut scratch, &mut tree);
        rounds[1].push(rate(seconds(1, read).1));
        let read = || black_box(serde_json::from_slice::<serde_json::Value>(&text)).is_ok();
        rounds[2].push(rate(seconds(1, read).1));
    }
    parser.parse(&text, &mut scratch, &mut tree).expect("the text is JSON");
    let median = |of: usize| spread(rounds[of].iter().copied()).1;
    let ratio =
        |of: usize| spread(rounds[of].iter().zip(&rounds[2]).map(|(own, theirs)| own / theirs)).1;
    row("json, 1 MB: recognise", ">= 60 MB/s", format!("{:.0} MB/s", median(0)));
    row("json, 1 MB: with tree", ">= 45 MB/s", format!("{:.0} MB/s", median(1)));
    row(
        "json, 1 MB: with tree, to serde_json into a Value",
        ">= 0.25",
        format!("{:.2} ({:.0} MB/s)", ratio(1), median(2)),
    );
    row("json, 1 MB: memory a byte, tree included", "<= 150", memory(&scratch, &tree, &text));
}

fn memory(scratch: &Scratch, tree: &Tree, text: &[u8]) -> String {
    let tree = 8 * tree.nodes().len() as u64 + text.len() as u64;
    let each = |bytes: u64| bytes as f64 / text.len() as f64;
    format!("{:.0} (of these {:.0} the tree)", each(scratch.memory() + tree), each(tree))
}

/// The rows of a text: what it is, and the speed that is asked.
fn language(
    source: Source,
    (what, asked): (&str, &str),
    text: Vec<u8>,
    row: &mut dyn FnMut(&str, &str, String),
) {
    let (name, table) = (source.0, table(source));
    let (_, prepare, _) = seconds(3, || Parser::new(&table));
    let parser = Parser::new(&table);
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    parser.parse(&text, &mut scratch, &mut tree).expect("the text is of the grammar");
    let rate = |seconds: f64| format!("{:.1} MB/s", text.len() as f64 / seconds / 1e6);
    let (_, time, _) = seconds(ROUNDS, || parser.recognise(&text, &mut scratch));
    row(&format!("{name}, 1 MB{what}: recognise"), asked, rate(time));
    let (_, time, _) = seconds(ROUNDS, || parser.parse(&text, &mut scratch, &mut tree));
    row(&format!("{name}, 1 MB{what}: with tree"), asked, rate(time));
    row(
        &format!("{name}, 1 MB{what}: memory a byte, tree included"),
        "<= 500",
        memory(&scratch, &tree, &text),
    );
    row(
        &format!("{name}, 1 MB{what}: items a byte"),
        "<= 256",
        format!("{:.1}", scratch.items() as f64 / text.len() as f64),
    );
    if what.is_empty() {
        row(&format!("{name}: preparing the parser"), "", format!("{:.0} ms", prepare * 1e3));
    }
}

/// Time and memory a byte from 10 kB to 10 MB.
fn growth(row: &mut dyn FnMut(&str, &str, String)) {
    for source in [JSON, SQL, JAVASCRIPT] {
        let table = table(source);
        let parser = Parser::new(&table);
        let measured: Vec<String> = [10_000, 100_000, 1_000_000, 10_000_000]
            .map(|bytes| {
                let text = text(source, bytes);
                let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
                parser.parse(&text, &mut scratch, &mut tree).expect("the text is of the grammar");
                let runs = (10_000_000 / bytes).min(ROUNDS);
                let (_, time, _) = seconds(runs, || parser.parse(&text, &mut scratch, &mut tree));
                format!("{:.0}", time * 1e9 / text.len() as f64)
            })
            .into();
        row(
            &format!("{}: ns a byte with tree, 10 kB, 100 kB, 1 MB, 10 MB", source.0),
            "alike",
            measured.join(", "),
        );
    }
}

/// How soon the budget ends what would take too long.
fn ambiguous(row: &mut dyn FnMut(&str, &str, String)) {
    for (grammar, unit) in [
        (r#"s = s s | "a" ;"#, "a"),
        (r#"e = e "+" e | "1" ;"#, "1+"),
        (r#"s = s s s | s s | "a" | ;"#, "a"),
    ] {
        let table = table(("ambiguous", grammar));
        let parser = Parser::new(&table);
        let mut text = unit.repeat(100_000 / unit.len()).into_bytes();
        if unit == "1+" {
            text.push(b'1');
        }
        let mut tree = Tree::new();
        let mut answer = String::new();
        let (_, time, _) = seconds(1, || {
            let result = parser.parse(&text, &mut Scratch::new(), &mut tree);
            answer = format!("{:?}", result.expect_err("there are too many ways"));
        });
        row(&format!("{grammar} at 100 kB"), "< 3 s", format!("{time:.2} s: {answer}"));
    }
}
