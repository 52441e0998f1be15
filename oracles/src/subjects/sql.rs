//! SQL, judged by SQLite itself and by sqlparser.

use std::cell::RefCell;
use std::sync::LazyLock;

use pleach::produce::Options;
use regex::{Match, Regex};
use rusqlite::Connection;
use sqlparser::dialect::SQLiteDialect;
use sqlparser::parser::Parser;

use crate::{Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "sql",
    standard: "SQL As Understood By SQLite, 3.53",
    k: 3,
    // SQLite's expressions nest 1,000 levels deep and sqlparser's 50; each level is a dozen edges.
    options: || Options::new().max_depth(80).max_nodes(400),
    oracles: &[
        Oracle {
            name: "rusqlite 0.41",
            read: Reader::Text(prepare),
            clauses: &[],
            accepted: &["SELECT 1"],
            refused: &["SELECT"],
        },
        Oracle {
            name: "sqlparser 0.63",
            read: Reader::Text(parse),
            clauses: &[],
            accepted: &["SELECT 1"],
            refused: &["SELECT"],
        },
    ],
};

/// The schema in the grammar's head comment.
const SCHEMA: &str = "
    ATTACH ':memory:' AS other;
    CREATE TABLE t (id TEXT PRIMARY KEY, qty INT UNIQUE, tag);
    CREATE TABLE u (id TEXT PRIMARY KEY, qty INT UNIQUE, tag);
    CREATE TABLE v (id TEXT PRIMARY KEY, qty INT UNIQUE, tag);
    CREATE UNIQUE INDEX t_expr ON t (id, lower(qty));
    CREATE UNIQUE INDEX u_expr ON u (id, lower(qty));
    CREATE UNIQUE INDEX v_expr ON v (id, lower(qty));
    CREATE INDEX t_tag ON t (tag);
    CREATE TABLE k (id);
    CREATE VIEW w AS SELECT id, qty, tag FROM t;
    CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END;
    CREATE TABLE other.t (id TEXT PRIMARY KEY, qty INT UNIQUE, tag);
    CREATE TABLE other.u (id TEXT PRIMARY KEY, qty INT UNIQUE, tag);
    CREATE TABLE other.v (id TEXT PRIMARY KEY, qty INT UNIQUE, tag);
    CREATE UNIQUE INDEX other.t_expr ON t (id, lower(qty));
    CREATE UNIQUE INDEX other.u_expr ON u (id, lower(qty));
    CREATE UNIQUE INDEX other.v_expr ON v (id, lower(qty));
    CREATE INDEX other.t_tag ON t (tag);
    CREATE TABLE other.k (id);
    CREATE VIEW other.w AS SELECT id, qty, tag FROM t;
    CREATE TRIGGER other.r AFTER INSERT ON t BEGIN SELECT 1; END;";

/// How SQLite's messages begin where a name stands for nothing, or for more than one thing, in its
/// place: the statement is one, but not of this schema.
const NAMES: &[&str] = &[
    "no such ",
    "ambiguous column name: ",
    "ambiguous reference to ",
    "cannot join using column ",
    "unknown column ",
];

/// Prepares each statement in turn. Nothing is run, but SQLite obeys some pragmas as it prepares
/// them, so what follows one gets a new connection.
fn prepare(text: &[u8]) -> Result<(), String> {
    thread_local! {
        static CONNECTION: RefCell<Option<Connection>> = const { RefCell::new(None) };
    }
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    CONNECTION.with_borrow_mut(|slot| {
        if slot.is_none() {
            let connection = Connection::open_in_memory().map_err(|error| error.to_string())?;
            connection.execute_batch(SCHEMA).map_err(|error| error.to_string())?;
            *slot = Some(connection);
        }
        let connection = slot.as_ref().expect("a connection was made");
        let verdict = prepare_all(connection, text);
        if text.to_ascii_lowercase().contains("pragma") {
            *slot = None;
        }
        verdict
    })
}

fn prepare_all(connection: &Connection, text: &str) -> Result<(), String> {
    for statement in statements(text) {
        match connection.prepare(statement) {
            Ok(_) => {}
            Err(
                rusqlite::Error::SqlInputError { msg, .. }
                | rusqlite::Error::SqliteFailure(_, Some(msg)),
            ) if NAMES.iter().any(|name| msg.starts_with(name)) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(())
}

/// The statements of a list. A semicolon in the body of a trigger ends none: the one after END does.
fn statements(text: &str) -> Vec<&str> {
    let (mut found, mut words, mut start) = (Vec::new(), Vec::new(), 0);
    for token in tokens(text) {
        words.push(token.as_str());
        if token.as_str() == ";" {
            let trigger = is_trigger(&words);
            let ended = words.len() > 2
                && words[words.len() - 2].eq_ignore_ascii_case("END")
                && words[words.len() - 3] == ";";
            if !trigger || ended {
                found.push(&text[start..token.end()]);
                start = token.end();
                words.clear();
            }
        }
    }
    found.push(&text[start..]);
    found.retain(|statement| tokens(statement).any(|token| token.as_str() != ";"));
    found
}

/// Whether a statement begins as CREATE TRIGGER does.
fn is_trigger(words: &[&str]) -> bool {
    let prefix = ["EXPLAIN", "QUERY", "PLAN", "CREATE", "TEMP", "TEMPORARY"];
    let is = |word: &str, keyword: &str| word.eq_ignore_ascii_case(keyword);
    let rest = words.iter().find(|word| !prefix.iter().any(|keyword| is(word, keyword)));
    rest.is_some_and(|word| is(word, "TRIGGER"))
}

/// The tokens, without white space and comments.
fn tokens(text: &str) -> impl Iterator<Item = Match<'_>> {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        let layout = r"(?s:[ \t\n\r\x0C]+|--[^\n]*\n?|/\*.*?(?:\*/|\z))";
        let quoted = r#"[xX]?'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]"#;
        let parameter = r"[?:@$#][A-Za-z0-9_$]*(?:::[A-Za-z0-9_$]+)*(?:\([A-Za-z0-9_]*\))?";
        let number = r"0[xX][0-9a-fA-F]+|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?";
        let word = r"[A-Za-z_\x{80}-\x{10FFFF}][A-Za-z0-9_$\x{80}-\x{10FFFF}]*";
        let operator = r"->>|->|\|\||<<|>>|<=|>=|<>|!=|==|.";
        let pattern = format!("{layout}|({quoted}|{parameter}|{number}|{word}|{operator})");
        Regex::new(&pattern).expect("a valid pattern")
    });
    TOKEN.captures_iter(text).filter_map(|token| token.get(1))
}

fn parse(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    let dialect = SQLiteDialect {};
    let parser = Parser::new(&dialect).with_recursion_limit(200);
    let statements = parser.try_with_sql(text).and_then(|mut parser| parser.parse_statements());
    statements.map(drop).map_err(|error| error.to_string())
}
