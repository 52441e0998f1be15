//! Texts to read, the same each time.

use std::fmt::Write as _;

use pleach::produce::{Mode, Options, Producer};
use pleach::table::Table;
use pleach::tree::Tree;
use pleach::{Entropy, Seeded};

const NAMES: [&str; 16] = [
    "value", "index", "items", "result", "node", "callback", "options", "element", "count",
    "total", "handler", "data", "buffer", "offset", "key", "state",
];

fn name(words: &mut Seeded) -> &'static str {
    NAMES[words.below(NAMES.len() as u64) as usize]
}

/// JSON of at least so many bytes: objects, arrays, strings with some escapes and some characters
/// beyond ASCII, numbers of all forms; half of the records are indented.
pub fn json(bytes: usize) -> Vec<u8> {
    let (mut words, mut text) = (Seeded::new(1), "[".to_owned());
    while text.len() < bytes {
        if text.len() > 1 {
            text.push(',');
        }
        let indented = words.below(2) == 0;
        value(&mut words, 0, indented, &mut text);
    }
    text.push_str("]\n");
    text.into_bytes()
}

fn value(words: &mut Seeded, depth: usize, indented: bool, text: &mut String) {
    let line = |depth: usize, text: &mut String| {
        if indented {
            text.push('\n');
            text.push_str(&"  ".repeat(depth));
        }
    };
    let (kind, count) = (words.below(if depth > 4 { 5 } else { 10 }), 1 + words.below(7));
    // Writing to a string can't fail.
    match kind {
        0 | 1 => string(words, text),
        2 => _ = write!(text, "{}", words.below(2_000_000) as i64 - 1_000_000),
        3 => _ = write!(text, "{}.{}e-{}", words.below(100), words.below(10_000), words.below(9)),
        4 => text.push_str(["true", "false", "null"][words.below(3) as usize]),
        5..=7 => {
            text.push('{');
            for i in 0..count {
                text.push_str(if i > 0 { "," } else { "" });
                line(depth + 1, text);
                let _ = write!(text, "\"{}\":", name(words));
                text.push_str(if indented { " " } else { "" });
                value(words, depth + 1, indented, text);
            }
            line(depth, text);
            text.push('}');
        }
        _ => {
            text.push('[');
            for i in 0..count {
                text.push_str(if i > 0 { "," } else { "" });
                line(depth + 1, text);
                value(words, depth + 1, indented, text);
            }
            line(depth, text);
            text.push(']');
        }
    }
}

fn string(words: &mut Seeded, text: &mut String) {
    text.push('"');
    for _ in 0..3 + words.below(37) {
        match words.below(40) {
            0 => text.push_str("\\n"),
            1 => text.push_str("\\u00e9"),
            2 => text.push('é'),
            3..=7 => text.push(' '),
            _ => text.push(char::from(b'a' + words.below(26) as u8)),
        }
    }
    text.push('"');
}

/// A program in JavaScript of at least so many bytes, of functions as people write them.
pub fn javascript(bytes: usize) -> Vec<u8> {
    let (mut words, mut text) = (Seeded::new(2), String::new());
    let mut count = 0;
    while text.len() < bytes {
        count += 1;
        let _ = writeln!(text, "function f{count}({}, {}x) {{", name(&mut words), name(&mut words));
        statements(&mut words, 1, &mut text);
        text.push_str("}\n\n");
    }
    text.into_bytes()
}

fn statements(words: &mut Seeded, depth: usize, text: &mut String) {
    for _ in 0..1 + words.below(5) {
        let space = "  ".repeat(depth);
        let _ = match words.below(if depth > 4 { 7 } else { 10 }) {
            0 | 1 => write!(text, "{space}var {} = {};", name(words), expression(words, 3)),
            2 | 3 => {
                let (object, key) = (name(words), name(words));
                write!(text, "{space}{object}.{key} = {};", expression(words, 3))
            }
            4 | 5 => write!(text, "{space}{}.push({});", name(words), expression(words, 2)),
            6 => write!(text, "{space}// {} {} {}", name(words), name(words), name(words)),
            7 => {
                let _ = writeln!(text, "{space}if ({}) {{", expression(words, 2));
                statements(words, depth + 1, text);
                write!(text, "{space}}}")
            }
            8 => {
                let list = name(words);
                let _ = writeln!(text, "{space}for (var i = 0; i < {list}.length; i += 1) {{");
                statements(words, depth + 1, text);
                write!(text, "{space}}}")
            }
            _ => {
                let _ = writeln!(text, "{space}{} = function (a, b) {{", name(words));
                statements(words, depth + 1, text);
                write!(text, "{space}  return (a + b);\n{space}}};")
            }
        };
        text.push('\n');
    }
}

fn expression(words: &mut Seeded, depth: u32) -> String {
    let kind = if depth == 0 { words.below(3) } else { words.below(10) };
    let mut inner = || expression(words, depth.saturating_sub(1));
    match kind {
        0 | 1 => name(words).to_owned(),
        2 => words.below(1000).to_string(),
        3 => format!("{} + {}", inner(), inner()),
        4 => format!("{} === {}", inner(), inner()),
        5 => format!("({} && {})", inner(), inner()),
        6 => format!("[{}, {}]", inner(), inner()),
        7 => format!("\"{} {}\"", name(words), name(words)),
        8 => format!("{}.{}({})", name(words), name(words), expression(words, depth - 1)),
        _ => format!("{}[{}]", name(words), expression(words, depth - 1)),
    }
}

/// SQL of at least so many bytes, as programs and migrations have it: queries with joins and
/// sub-queries, rows that are written, tables that are made.
pub fn sql(bytes: usize) -> Vec<u8> {
    let (mut words, mut text) = (Seeded::new(4), String::new());
    let mut count = 0;
    while text.len() < bytes {
        count += 1;
        let table = column(&mut words);
        let list = |words: &mut Seeded, what: fn(&mut Seeded) -> String| {
            (0..1 + words.below(5)).map(|_| what(words)).collect::<Vec<_>>().join(", ")
        };
        let _ = match words.below(8) {
            0..=2 => {
                let columns = 1 + words.below(4);
                query(&mut words, (columns, 2), &mut text);
                writeln!(text, ";")
            }
            3 => {
                let columns = list(&mut words, |words| column(words).to_owned());
                let rows = columns.split(", ").map(|_| operand(&mut words)).collect::<Vec<_>>();
                writeln!(text, "INSERT INTO {table} ({columns}) VALUES ({});", rows.join(", "))
            }
            4 => {
                let set = |words: &mut Seeded| format!("{} = {}", column(words), value_of(words));
                let (set, limit) = (list(&mut words, set), condition(&mut words, 1));
                writeln!(text, "UPDATE {table} SET {set} WHERE {limit};")
            }
            5 => writeln!(text, "DELETE FROM {table} WHERE {};", condition(&mut words, 2)),
            6 => writeln!(text, "-- {table} {}", column(&mut words)),
            _ => {
                let column = |words: &mut Seeded| {
                    let kind = ["INTEGER", "TEXT NOT NULL", "VARCHAR(80) DEFAULT 'x'", "REAL"];
                    format!("\n  {} {}", column(words), kind[words.below(4) as usize])
                };
                let columns = list(&mut words, column);
                writeln!(
                    text,
                    "CREATE TABLE IF NOT EXISTS {table}_{count} (\n  id INTEGER PRIMARY KEY,{columns}\n);"
                )
            }
        };
    }
    text.into_bytes()
}

/// A name that is no keyword of SQL.
fn column(words: &mut Seeded) -> &'static str {
    match name(words) {
        "index" => "place",
        name => name,
    }
}

/// Writes a query of so many columns, with queries in it to some depth.
fn query(words: &mut Seeded, (columns, depth): (u64, u32), text: &mut String) {
    let columns: Vec<String> = (0..columns).map(|_| value_of(words)).collect();
    let _ = write!(text, "SELECT {} FROM {} AS a", columns.join(", "), column(words));
    if words.below(3) == 0 {
        let (table, key) = (column(words), column(words));
        let _ = write!(text, "\n  LEFT JOIN {table} b ON a.{key} = b.{key}");
    }
    let _ = write!(text, "\n  WHERE {}", condition(words, depth));
    if depth > 0 && words.below(3) == 0 {
        let _ = write!(text, " AND {} IN (", column(words));
        query(words, (1, depth - 1), text);
        text.push(')');
    }
    if words.below(3) == 0 {
        let _ = write!(text, "\n  ORDER BY {} DESC LIMIT {}", column(words), words.below(100));
    }
}

fn condition(words: &mut Seeded, depth: u32) -> String {
    let kind = if depth == 0 { words.below(4) } else { words.below(7) };
    match kind {
        0 | 1 => format!("{} = {}", column(words), operand(words)),
        2 => format!("a.{} >= {}", column(words), words.below(1000)),
        3 => format!("{} IS NOT NULL", column(words)),
        4 => format!("{} AND {}", condition(words, depth - 1), condition(words, depth - 1)),
        5 => format!("({} OR {})", condition(words, depth - 1), condition(words, depth - 1)),
        _ => format!("{} LIKE '%{}%'", column(words), column(words)),
    }
}

fn value_of(words: &mut Seeded) -> String {
    match words.below(6) {
        0 | 1 => column(words).to_owned(),
        2 => format!("a.{}", column(words)),
        3 => format!("coalesce({}, {})", column(words), operand(words)),
        4 => format!("{} * 2 + {}", column(words), operand(words)),
        _ => format!("CASE WHEN {} THEN 1 ELSE 0 END", condition(words, 0)),
    }
}

fn operand(words: &mut Seeded) -> String {
    match words.below(5) {
        0 | 1 => words.below(10_000).to_string(),
        2 => format!("'{} {}'", column(words), column(words)),
        3 => "?".to_owned(),
        _ => "NULL".to_owned(),
    }
}

/// Sentences of a grammar with something between, of at least so many bytes.
pub fn sentences(table: &Table, between: &[u8], bytes: usize) -> Vec<u8> {
    let options = Options::new().mode(Mode::Weighted).max_bytes(500);
    let mut producer = Producer::new(table, options).expect("the smallest sentence fits");
    let (mut words, mut tree, mut text) = (Seeded::new(3), Tree::new(), Vec::new());
    while text.len() < bytes {
        producer.produce(&mut words, &mut tree);
        text.extend_from_slice(tree.text());
        text.extend_from_slice(between);
    }
    text
}
