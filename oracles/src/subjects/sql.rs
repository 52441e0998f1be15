//! SQL, judged by SQLite itself and by sqlparser.

use std::cell::RefCell;
use std::sync::LazyLock;

use pleach::produce::Options;
use regex::{Match, Regex};
use rusqlite::Connection;
use sqlparser::dialect::SQLiteDialect;
use sqlparser::parser::Parser;

use crate::{Beyond, Clause, Kind, Oracle, Reader, Subject};

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
            clauses: &[
                Clause {
                    name: "lang_createview.html, lang_createtrigger.html: no parameters",
                    kind: Kind::BeyondGrammar,
                    applies: has_parameter_in_schema,
                    witness: "CREATE VIEW n AS SELECT ?1",
                },
                Clause {
                    name: "rowvalue.html: a row value compares with a query of its width",
                    kind: Kind::Deviation,
                    applies: changes_by_comparison_with_rows,
                    witness: "DELETE FROM t WHERE (1, 2) = (VALUES (1, 2), (3, 4))",
                },
            ],
            accepted: &[
                "",
                ";;",
                "SELECT 1; SELECT 2",
                "SELECT missing FROM nowhere WHERE unknown(1)",
                "SELECT id FROM t, u",
                "SELECT (1, 2) = (VALUES (1, 2), (3, 4))",
                "DELETE FROM t WHERE (1, 2) = (VALUES (1, 2))",
                "SELECT ?, ?2, :a, @b, $c::d(e)",
                "PRAGMA foreign_keys = OFF; SELECT 'PRAGMA;'",
                "CREATE TRIGGER n DELETE ON t BEGIN SELECT 1; DELETE FROM u; END; SELECT 1",
                "CREATE VIEW n AS SELECT '?1', \"?\", [?] /* ? */ -- ?",
            ],
            refused: &[
                "SELECT",
                "SELECT 1,",
                "SELECT *",
                "SELECT 1; SELECT",
                "SELECT missing FROM",
                "SELECT 1and 2",
                "SELECT 1 UNION SELECT 1, 2",
                "SELECT 1 ORDER BY 2",
                "SELECT 1 FROM t WHERE count(*)",
                "SELECT abs(1, 2)",
                "SELECT (1, 2)",
                "SELECT x'0'",
                "SELECT 'a",
                "SELECT 1 FROM t WINDOW g AS (ROWS UNBOUNDED FOLLOWING)",
                "INSERT INTO t VALUES (1)",
                "INSERT INTO t (id) VALUES (1) ON CONFLICT (tag) DO NOTHING",
                "CREATE TABLE t (id)",
                "CREATE TABLE n (id, id)",
                "CREATE TABLE n (id) WITHOUT ROWID",
                "CREATE TABLE n (id CHECK (SELECT 1))",
                "CREATE INDEX n ON t (?1)",
                "CREATE TRIGGER n DELETE ON t BEGIN SELECT 1 END",
                "DELETE t",
                "?1",
            ],
        },
        Oracle {
            name: "sqlparser 0.63",
            read: Reader::Part(parse, BEYOND),
            clauses: &[
                Clause {
                    name: "lang_explain.html: any statement is explained, ANALYZE too",
                    kind: Kind::Deviation,
                    applies: explains_analyze,
                    witness: "EXPLAIN ANALYZE",
                },
                Clause {
                    name: "lang_expr.html, section 13: a list of IN begins with any expression",
                    kind: Kind::Deviation,
                    applies: has_list_beginning_with_query,
                    witness: "SELECT 1 IN ((SELECT 2) + 3)",
                },
                Clause {
                    name: "lang_expr.html, section 2: NULL is an operand of NOT REGEXP",
                    kind: Kind::Deviation,
                    applies: has_null_after_not_regexp,
                    witness: "SELECT 1 NOT REGEXP NULL",
                },
                Clause {
                    name: "windowfunctions.html, section 2.2: an offset is any expression",
                    kind: Kind::Deviation,
                    applies: has_offset_beginning_with_string,
                    witness: "SELECT 1 FROM t WINDOW g AS (ROWS '1' + 2 PRECEDING)",
                },
                Clause {
                    name: "lang_select.html: VALUES as the first part of a compound",
                    kind: Kind::Deviation,
                    applies: has_compound_of_values,
                    witness: "SELECT (VALUES (1) UNION SELECT 2)",
                },
                Clause {
                    name: "lang_expr.html, section 2: ~ and ~ are two operators",
                    kind: Kind::Deviation,
                    applies: has_adjacent_tildes,
                    witness: "SELECT ~~1",
                },
            ],
            accepted: &[
                "",
                "SELECT ~ ~1",
                "SELECT id FROM t WHERE qty GLOB '~~' ORDER BY tag COLLATE NOCASE DESC LIMIT 1, 2",
                "INSERT OR IGNORE INTO t (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 2",
                "CREATE TABLE n (id INTEGER PRIMARY KEY AUTOINCREMENT, qty AS (id) STORED)",
            ],
            refused: &[
                "SELECT",
                "SELECT 1,",
                "SELECT (1",
                "SELECT 'a",
                "SELECT 1 FROM t WHERE",
                "SELECT 1 BETWEEN 2",
                "SELECT CASE 1 END",
                "INSERT t",
                "UPDATE t id = 1",
                "CREATE TABLE",
                "CREATE INDEX n ON t",
                "DROP t",
            ],
        },
    ],
};

/// What sqlparser does not parse at all.
const BEYOND: &[Beyond] = &[
    beyond("bracketed-tables", "tables in parentheses that no JOIN joins", "SELECT 1 FROM (t)"),
    beyond("capital-hexadecimal", "0X for 0x", "SELECT 0X1 + 1"),
    beyond(
        "comma-constrained",
        "ON and USING after a comma or CROSS JOIN",
        "SELECT 1 FROM t, u ON 1",
    ),
    beyond(
        "constraint-conflict",
        "ON CONFLICT of a table's constraints",
        "CREATE TABLE n (id, UNIQUE (id, qty) ON CONFLICT FAIL)",
    ),
    beyond("detach-stmt", "DETACH", "DETACH main"),
    beyond(
        "exclusion",
        "EXCLUDE in the frame of a window",
        "SELECT 1 FROM t WINDOW h AS (ORDER BY id ROWS CURRENT ROW EXCLUDE TIES)",
    ),
    beyond(
        "repeated-actions",
        "two actions of a foreign key for one event",
        "CREATE TABLE n (id REFERENCES t MATCH FULL MATCH FULL)",
    ),
    beyond("in-table", "IN with a table", "SELECT 1 IN k"),
    beyond("index-hint", "INDEXED BY and NOT INDEXED", "DELETE FROM t NOT INDEXED"),
    beyond("insert-alias", "an alias of INSERT's table", "INSERT INTO t AS d DEFAULT VALUES"),
    beyond("is-operator", "IS with an expression", "SELECT 1 IS 2"),
    beyond("isnull", "ISNULL", "SELECT 1 ISNULL = 0"),
    beyond("journal", "words as values of pragmas", "PRAGMA journal_mode = OFF"),
    beyond(
        "lower-comparison",
        "a comparison as the lower bound of BETWEEN",
        "SELECT 1 BETWEEN 2 > 3 AND 4",
    ),
    beyond("materialization", "MATERIALIZED", "WITH p AS MATERIALIZED (SELECT 1) SELECT 1"),
    beyond(
        "module-option",
        "arguments of modules that are not names",
        "CREATE VIRTUAL TABLE n USING fts5 (x = '')",
    ),
    beyond("negated-glob", "NOT before GLOB", "SELECT 1 NOT GLOB 2"),
    beyond("negated-match", "NOT before MATCH", "SELECT 1 NOT MATCH 2"),
    beyond("pragma-table", "names as values of pragmas", "PRAGMA table_info(t)"),
    beyond(
        "qualified-target",
        "what is no name in the target of an upsert",
        "INSERT INTO t (id) VALUES (1) ON CONFLICT (id ASC) DO NOTHING",
    ),
    beyond("recollated", "two COLLATE in a row", "SELECT 1 COLLATE BINARY COLLATE NOCASE"),
    beyond("reindex-stmt", "REINDEX", "REINDEX"),
    beyond(
        "generated-test",
        "COLLATE and NOT NULL in generated columns",
        "CREATE TABLE n (id, qty AS (id COLLATE BINARY))",
    ),
    beyond(
        "several-upserts",
        "more than one ON CONFLICT",
        "INSERT INTO t (id) VALUES (1) ON CONFLICT (id) DO NOTHING ON CONFLICT DO NOTHING",
    ),
    beyond("shift", "<< and >>", "SELECT 1 << 2"),
    beyond("signed-integer", "signs in the sizes of types", "SELECT CAST(1 AS DECIMAL(+1, 2))"),
    beyond("tableless-window", "WINDOW without FROM", "SELECT 1 WINDOW g AS ()"),
    beyond("tcl-parameter", "$ parameters with :: and parentheses", "SELECT $a(b)"),
    beyond(
        "trigger-unless",
        "IF NOT EXISTS of CREATE TRIGGER",
        "CREATE TRIGGER IF NOT EXISTS n DELETE ON t BEGIN SELECT 1; END",
    ),
    beyond(
        "two-table-options",
        "two options of a table",
        "CREATE TABLE n (id INT PRIMARY KEY) STRICT, WITHOUT ROWID",
    ),
    beyond("vacuum-into", "INTO of VACUUM", "VACUUM INTO 'a'"),
    beyond(
        "wide-identifier",
        "$ in names, and characters beyond the Basic Multilingual Plane",
        "SELECT 1 AS n$",
    ),
    beyond(
        "with-replace",
        "REPLACE after WITH",
        "WITH p AS (SELECT 1) REPLACE INTO u DEFAULT VALUES",
    ),
    beyond("word-switch", "words as values of pragmas", "PRAGMA query_only = OFF"),
    beyond("wordy-type", "types of several words", "SELECT CAST(1 AS x y)"),
];

const fn beyond(rule: &'static str, reason: &'static str, witness: &'static str) -> Beyond {
    Beyond { rule, reason, witness }
}
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
            let trigger = creates(&words, "TRIGGER");
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

/// Whether a statement, explained or not, creates an object of this kind.
fn creates(words: &[&str], kind: &str) -> bool {
    let is = |word: &str, keyword: &str| word.eq_ignore_ascii_case(keyword);
    let any = |word: &str, keywords: &[&str]| keywords.iter().any(|keyword| is(word, keyword));
    let mut words = words.iter().skip_while(|word| any(word, &["EXPLAIN", "QUERY", "PLAN"]));
    words.next().is_some_and(|word| is(word, "CREATE"))
        && words.find(|word| !any(word, &["TEMP", "TEMPORARY"])).is_some_and(|word| is(word, kind))
}

/// The tokens, without white space and comments.
fn tokens(text: &str) -> impl Iterator<Item = Match<'_>> {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        let layout = r"(?s:[ \t\n\r\x0C]+|--[^\n]*\n?|/\*.*?(?:\*/|\z))";
        let quoted = r#"[xX]?'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]"#;
        let parameter = r"[?:@$#][A-Za-z0-9_$]*(?:::[A-Za-z0-9_$]+)*(?:\([A-Za-z0-9_]*\))?";
        let number =
            r"0[xX][0-9a-fA-F]+|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?";
        let word = r"[A-Za-z_\x{80}-\x{10FFFF}][A-Za-z0-9_$\x{80}-\x{10FFFF}]*";
        let operator = r"->>|->|\|\||<<|>>|<=|>=|<>|!=|==|.";
        let pattern = format!("{layout}|({quoted}|{parameter}|{number}|{word}|{operator})");
        Regex::new(&pattern).expect("a valid pattern")
    });
    TOKEN.captures_iter(text).filter_map(|token| token.get(1))
}

/// Parameters belong to statements that are run, and views and triggers are text of the schema.
fn has_parameter_in_schema(text: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    statements(text).into_iter().any(|statement| {
        let words: Vec<&str> = tokens(statement).map(|token| token.as_str()).collect();
        (creates(&words, "VIEW") || creates(&words, "TRIGGER"))
            && words.iter().any(|word| word.starts_with(['?', ':', '@', '$']))
    })
}

/// SQLite 3.54 answers "row value misused" to `(1, 2) = (VALUES (1, 2), (3, 4))` in the expressions
/// of DELETE, INSERT and UPDATE; in SELECT it prepares it.
fn changes_by_comparison_with_rows(text: &[u8]) -> bool {
    const CHANGES: &[&str] = &["DELETE", "INSERT", "REPLACE", "UPDATE"];
    const COMPARISONS: &[&str] = &["=", "<>", "<", "<=", ">", ">=", "IS", "NOT"];
    let Ok(text) = str::from_utf8(text) else { return false };
    let any =
        |word: &str, words: &[&str]| words.iter().any(|other| word.eq_ignore_ascii_case(other));
    statements(text).into_iter().any(|statement| {
        let words: Vec<&str> = tokens(statement).map(|token| token.as_str()).collect();
        let compares = words.windows(2).enumerate().any(|(index, pair)| {
            any(pair[0], COMPARISONS) && pair[1] == "(" && has_values_of_rows(&words[index + 2..])
        });
        compares && words.iter().any(|word| any(word, CHANGES))
    })
}

/// Whether VALUES with more than one row stands before the parenthesis that closes.
fn has_values_of_rows(words: &[&str]) -> bool {
    let mut words = level(words).skip_while(|word| !word.eq_ignore_ascii_case("VALUES"));
    words.next().is_some() && words.next() == Some(",")
}

/// The words up to the parenthesis that closes, without those within others.
fn level<'w>(words: &'w [&str]) -> impl Iterator<Item = &'w str> {
    let mut depth = 0_isize;
    let depths = words.iter().map(move |&word| {
        depth += isize::from(word == "(") - isize::from(word == ")");
        (word, depth)
    });
    depths
        .take_while(|&(_, depth)| depth >= 0)
        .filter(|&(word, depth)| depth == 0 && word != ")")
        .map(|(word, _)| word)
}

/// sqlparser reads EXPLAIN ANALYZE as PostgreSQL does: run the statement that follows, and explain it.
fn explains_analyze(text: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    statements(text).into_iter().any(|statement| {
        let mut words = tokens(statement).map(|token| token.as_str().to_ascii_uppercase());
        words.next().is_some_and(|word| word == "EXPLAIN")
            && words
                .find(|word| !matches!(word.as_str(), "QUERY" | "PLAN"))
                .is_some_and(|word| word == "ANALYZE")
    })
}

/// sqlparser takes two parentheses and a query after IN for a query in parentheses, whatever follows.
fn has_list_beginning_with_query(text: &[u8]) -> bool {
    const QUERIES: &[&str] = &["SELECT", "VALUES", "WITH"];
    let Ok(text) = str::from_utf8(text) else { return false };
    let words: Vec<&str> = tokens(text).map(|token| token.as_str()).collect();
    words.windows(3).enumerate().any(|(index, words_here)| {
        let mut rest = words[index + 1..].iter().skip_while(|&&word| word == "(");
        words_here[0].eq_ignore_ascii_case("IN")
            && words_here[1..] == ["(", "("]
            && rest
                .next()
                .is_some_and(|word| QUERIES.iter().any(|query| word.eq_ignore_ascii_case(query)))
    })
}

/// sqlparser skips NULL after NOT REGEXP and looks for a pattern behind it.
fn has_null_after_not_regexp(text: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    let words: Vec<String> =
        tokens(text).map(|token| token.as_str().to_ascii_uppercase()).collect();
    words.windows(3).any(|words| words == ["NOT", "REGEXP", "NULL"])
}

/// sqlparser takes a string at the beginning of a frame's offset for an interval, and for all of it.
fn has_offset_beginning_with_string(text: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    let words: Vec<String> =
        tokens(text).map(|token| token.as_str().to_ascii_uppercase()).collect();
    let frames = words.iter().any(|word| matches!(word.as_str(), "PRECEDING" | "FOLLOWING"));
    frames
        && words.windows(3).any(|words| {
            matches!(words[0].as_str(), "ROWS" | "RANGE" | "GROUPS" | "BETWEEN" | "AND")
                && words[1].starts_with('\'')
                && !matches!(words[2].as_str(), "PRECEDING" | "FOLLOWING")
        })
}

/// sqlparser takes VALUES at the beginning of an expression in parentheses for a query that no
/// UNION, INTERSECT or EXCEPT follows.
fn has_compound_of_values(text: &[u8]) -> bool {
    const OPERATORS: &[&str] = &["UNION", "INTERSECT", "EXCEPT"];
    let Ok(text) = str::from_utf8(text) else { return false };
    let words: Vec<&str> = tokens(text).map(|token| token.as_str()).collect();
    words.windows(2).enumerate().any(|(index, pair)| {
        pair[0] == "("
            && pair[1].eq_ignore_ascii_case("VALUES")
            && level(&words[index + 1..])
                .any(|word| OPERATORS.iter().any(|operator| word.eq_ignore_ascii_case(operator)))
    })
}

/// sqlparser reads `~~` as an operator of PostgreSQL.
fn has_adjacent_tildes(text: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    let tildes: Vec<usize> =
        tokens(text).filter(|token| token.as_str() == "~").map(|token| token.start()).collect();
    tildes.windows(2).any(|pair| pair[0] + 1 == pair[1])
}

fn parse(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    let dialect = SQLiteDialect {};
    let parser = Parser::new(&dialect).with_recursion_limit(200);
    let statements = parser.try_with_sql(text).and_then(|mut parser| parser.parse_statements());
    statements.map(drop).map_err(|error| error.to_string())
}
