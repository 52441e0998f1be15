//! Released parsers, each by the entry point that its users call.
//!
//! Beside that nothing panics, what a crate has read and writes again it must read again. Where a crate
//! promises more, more is asked.

use sqlparser::dialect::SQLiteDialect;
use sqlparser::parser::Parser;

/// `serde_json`: a value is written and read again, both ways of writing.
pub fn json(text: &str) {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return };
    let written = serde_json::to_string(&value).expect("a value can be written");
    let again: serde_json::Value = serde_json::from_str(&written).expect("what was written");
    // Floats are read to within a last place, so the shape alone is compared.
    assert_eq!(shape(&value), shape(&again));
    let pretty = serde_json::to_string_pretty(&value).expect("a value can be written");
    assert!(serde_json::from_str::<serde_json::Value>(&pretty).is_ok());
}

/// How many values of each kind there are.
fn shape(value: &serde_json::Value) -> [usize; 6] {
    use serde_json::Value;
    let (mut counts, mut open) = ([0; 6], vec![value]);
    while let Some(value) = open.pop() {
        let kind = match value {
            Value::Null => 0,
            Value::Bool(_) => 1,
            Value::Number(_) => 2,
            Value::String(_) => 3,
            Value::Array(items) => {
                open.extend(items);
                4
            }
            Value::Object(members) => {
                open.extend(members.values());
                5
            }
        };
        counts[kind] += 1;
    }
    counts
}

/// `url`: what is serialized parses, and joins with itself.
pub fn url(text: &str) {
    let base = url::Url::parse("http://example.org/a/b?c#d").expect("a URL");
    for url in [url::Url::parse(text), base.join(text)].into_iter().flatten() {
        assert!(url::Url::parse(url.as_str()).is_ok(), "{url:?}");
        let _ = (url.host(), url.port_or_known_default(), url.query_pairs().count());
        let _ = url.path_segments().map(Iterator::count);
        let _ = base.make_relative(&url);
    }
}

/// `sqlparser` with its SQLite dialect: statements are read and written.
pub fn sql(text: &str) {
    if let Ok(statements) = Parser::parse_sql(&SQLiteDialect {}, text) {
        for statement in statements {
            let _ = statement.to_string();
        }
    }
}

/// `boa_parser`: a script.
pub fn javascript(text: &str) {
    let _ = script(text);
}

/// Reads a script.
fn script(text: &str) -> Result<boa_ast::Script, boa_parser::Error> {
    let mut interner = boa_interner::Interner::default();
    let scope = boa_ast::scope::Scope::new_global();
    let source = boa_parser::Source::from_bytes(text.as_bytes());
    boa_parser::Parser::new(source).parse_script(&scope, &mut interner)
}

/// `roxmltree`: a document and its nodes.
///
/// It promises the range of each node in the text; version 0.21.2 does not keep that where entities have
/// elements: `fuzz/README.md` has an input. Until that is mended only texts without entities are checked.
pub fn xml(text: &str) {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let Ok(document) = roxmltree::Document::parse_with_options(text, options) else { return };
    for node in document.descendants() {
        assert!(text.contains("<!ENTITY") || text.get(node.range()).is_some());
        let _ = (node.tag_name(), node.text(), node.attributes().len());
    }
}

/// `toml`: a table is written and read again.
pub fn toml(text: &str) {
    let Ok(table) = text.parse::<toml::Table>() else { return };
    if let Ok(written) = toml::to_string(&table) {
        assert!(written.parse::<toml::Table>().is_ok(), "{written}");
    }
}

/// `full_moon`: what is read is written again.
///
/// It promises the text byte for byte; version 3.0.0 does not keep that, and panics at a backtick:
/// `fuzz/README.md` has the inputs. Until that is mended texts with a backtick are passed over, and what
/// is written need not be the text.
pub fn lua(text: &str) {
    if text.contains('`') {
        return;
    }
    if let Ok(syntax) = full_moon::parse(text) {
        let _ = syntax.to_string();
    }
}

/// `regex-syntax`: a pattern, and what it means.
pub fn regex(text: &str) {
    if let Ok(hir) = regex_syntax::parse(text) {
        assert!(regex_syntax::parse(&hir.to_string()).is_ok());
    }
}

#[cfg(test)]
mod tests {
    use pleach::Seeded;
    use pleach::parse::{Parser, Scratch};
    use pleach::produce::{Mode, Options, Producer};
    use pleach::table::Table;
    use pleach::tree::Tree;

    fn table(grammar: &str) -> Table {
        Table::parse(grammar).unwrap()
    }

    fn ecmascript() -> Table {
        table(include_str!("../grammars/ecmascript.pleach"))
    }

    fn url() -> Table {
        table(include_str!("../grammars/url.pleach"))
    }

    /// Asserts how many of 300 sentences are read at the least; a reader gives a message for one that
    /// is not.
    fn assert_read(table: &Table, mode: Mode, least: usize, read: impl Fn(&str) -> Option<String>) {
        let mut producer = Producer::new(table, Options::new().mode(mode)).unwrap();
        let (mut seed, mut tree, mut refused) = (Seeded::new(1), Tree::new(), Vec::new());
        for _ in 0..300 {
            producer.produce(&mut seed, &mut tree);
            refused.extend(read(std::str::from_utf8(tree.text()).unwrap()));
        }
        let read = 300 - refused.len();
        assert!(read >= least, "{mode:?}: {read} of 300 are read: {refused:#?}");
    }

    /// What `ecmascript` produces is what `boa_parser` reads. It is not all: early errors that no rule tells,
    /// and what `fuzz/README.md` has of boa's, are left. The bounds are the least of ten seeds.
    #[test]
    fn sentences_of_ecmascript_are_scripts() {
        let measure = || {
            let table = ecmascript();
            for (mode, least) in [(Mode::Weighted, 297), (Mode::Uniform, 283)] {
                assert_read(&table, mode, least, refusal_of_script);
            }
        };
        // Uniform sentences are 200 deep, which is more than boa has stack for in a test's thread.
        let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(measure);
        thread.unwrap().join().unwrap();
    }

    /// Asserts that the files of folders that a crate reads are sentences, and that they are so many at least.
    fn assert_texts(
        table: &Table,
        folders: &[&str],
        least: usize,
        read: impl Fn(&str) -> Option<String>,
    ) {
        let (parser, mut scratch) = (Parser::new(table), Scratch::new());
        let mut count = 0;
        for folder in folders {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let text = std::fs::read_to_string(&path).unwrap();
                if read(&text).is_some() {
                    continue;
                }
                if let Err(error) = parser.recognise(text.as_bytes(), &mut scratch) {
                    panic!("{}: {error}", path.display());
                }
                count += 1;
            }
        }
        assert!(count >= least, "{count}");
    }

    fn refusal_of_script(text: &str) -> Option<String> {
        super::script(text).err().map(|error| error.to_string())
    }

    fn refusal_of_url(text: &str) -> Option<String> {
        let base = url::Url::parse("http://example.org/a/b?c#d").expect("a URL");
        base.join(text).err().map(|error| format!("{error}: {text}"))
    }

    /// Texts as people write them.
    #[test]
    fn texts_are_sentences() {
        let scripts = ["texts", "../oracles/texts/javascript"];
        assert_texts(&ecmascript(), &scripts, 11, refusal_of_script);
        // The standard has no addresses of a future version, which one text of a URI has.
        assert_texts(&url(), &["../oracles/texts/uri"], 10, refusal_of_url);
        let (url, mut scratch) = (url(), Scratch::new());
        for text in ["http://[zz]/", "http://a b/", "foo://a:99999/", "https://x:y/", "foo://[::1"]
        {
            assert!(refusal_of_url(text).is_some(), "{text}");
            assert!(Parser::new(&url).recognise(text.as_bytes(), &mut scratch).is_err(), "{text}");
        }
    }

    /// What `url` produces is what the crate reads, but for hosts: numbers that are too large, and what the
    /// tables of international names forbid. The bounds are the least of eleven seeds.
    #[test]
    fn sentences_of_url_are_urls() {
        for (mode, least) in [(Mode::Weighted, 294), (Mode::Uniform, 298)] {
            assert_read(&url(), mode, least, refusal_of_url);
        }
    }

    /// What `fuzz/README.md` says was found is still so.
    #[test]
    fn findings_stand() {
        // The element `a` ends where the entity has its end tag, which is before it begins.
        let text = "<!DOCTYPE a[<!ENTITY t '<b></b></a>'>]><a>&t;";
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let document = roxmltree::Document::parse_with_options(text, options).unwrap();
        assert_eq!(document.root_element().range(), std::ops::Range { start: 39, end: 35 });
        let syntax = full_moon::parse("break return").expect("it is read");
        assert_eq!(syntax.to_string(), "break ");
        assert!(std::panic::catch_unwind(|| full_moon::parse("`").is_ok()).is_err());
        for text in [
            "[(a)] = b",
            "({[a]: b = 1} = c)",
            "({0: []} = b)",
            "({0: []}) => 1",
            "for ({0: a = 1} of b);",
            "let a\n, b",
            "if (a) b\n; else c",
            "do a\n; while (b)",
            "async(a)",
            "a = async",
            "async / a",
            "a[() => {}] / b",
            "function* a() { yield of }",
            "class A { static { class B { #a() { arguments } } } }",
            "-->a",
            "debugger\n-->a",
        ] {
            assert!(super::script(text).is_err(), "{text}");
        }
    }

    /// Some inputs that are read and some that are not.
    #[test]
    fn bodies_run() {
        type Body = fn(&str);
        let bodies: [(Body, &[&str]); 8] = [
            (super::json, &[r#"{"a": [1, null, "x", true, 1e3]}"#, "[1,", ""]),
            (super::url, &["http://a:80/b?c#d", "//x", "http://[::1", ""]),
            (super::sql, &["SELECT a FROM b WHERE c = 1; DROP TABLE d", "SELECT (", ""]),
            (super::javascript, &["for (var a = 1; a < 2; ++a) b(a);", "var", ""]),
            (super::xml, &["<a b='c'>&lt;<d/></a>", "<a>", ""]),
            (super::toml, &["a = [1, 2]\n[b]\nc = 1979-05-27\n", "a = ", ""]),
            (super::lua, &["local a = 1 + 2 return a", "local = 1", ""]),
            (super::regex, &["(a|b)*[c-d]{2,3}", "(a", ""]),
        ];
        for (body, inputs) in bodies {
            inputs.iter().for_each(|input| body(input));
        }
    }
}
