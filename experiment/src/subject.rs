//! The subjects: a grammar, and a parser of its format.

/// A grammar with a parser whose code is measured.
pub struct Subject {
    /// The name of the grammar's file, without its suffix.
    pub grammar: &'static str,
    /// The parser's crate, with its version.
    pub parser: &'static str,
    /// The crates whose edges count, as the compiler names them: the parser, and what it is made
    /// of as far as that parses this format.
    pub crates: &'static [&'static str],
    /// Whether the parser accepts a text.
    #[cfg(feature = "measure")]
    pub read: fn(&[u8]) -> bool,
}

macro_rules! subjects {
    ($($grammar:literal $parser:literal [$($name:literal)*] $read:ident)*) => {
        /// All subjects, by grammar.
        pub const SUBJECTS: &[Subject] = &[$(Subject {
            grammar: $grammar,
            parser: $parser,
            crates: &[$($name),*],
            #[cfg(feature = "measure")]
            read: crate::parsers::$read,
        }),*];
    };
}

subjects! {
    "css" "cssparser 0.38" ["cssparser"] css
    "csv" "csv 1.4" ["csv" "csv_core"] csv
    "expr" "cel 0.15" ["antlr4rust" "cel"] expr
    "graphql" "graphql-parser 0.4" ["combine" "graphql_parser"] graphql
    "http-request" "httparse 1.10" ["httparse"] http_request
    "javascript" "boa_parser 0.22" ["boa_parser"] javascript
    "json" "serde_json 1" ["serde_json"] json
    "lua" "full_moon 3" ["full_moon"] lua
    "markdown" "pulldown-cmark 0.13" ["pulldown_cmark"] markdown
    "protobuf" "protox-parse 0.10" ["logos" "protox_parse"] protobuf
    "regex" "regex-syntax 0.8" ["regex_syntax"] regex
    "sql" "sqlparser 0.63" ["sqlparser"] sql
    "toml" "toml 1" ["toml" "toml_datetime" "toml_parser" "winnow"] toml
    "uri" "fluent-uri 0.4" ["fluent_uri"] uri
    "xml" "roxmltree 0.21" ["roxmltree"] xml
}

/// The crates to build with coverage flags: those that count, and this library, in which the
/// generic functions that it calls are compiled.
pub fn crates() -> Vec<&'static str> {
    let mut all: Vec<_> = SUBJECTS.iter().flat_map(|subject| subject.crates).copied().collect();
    all.push(env!("CARGO_CRATE_NAME"));
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_sorted_and_none_is_twice() {
        assert!(SUBJECTS.windows(2).all(|pair| pair[0].grammar < pair[1].grammar));
    }

    #[test]
    fn crates_are_named_as_the_compiler_names_them() {
        for name in crates() {
            assert!(
                name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
                "{name}"
            );
        }
    }
}
