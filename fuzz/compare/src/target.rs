//! The targets that are compared.

/// A target: a body of `fuzz/src/crates.rs`.
pub struct Target {
    /// The name of the body and of the executable.
    pub name: &'static str,
    /// The path of the grammar in the repository, without its suffix.
    pub grammar: &'static str,
    /// The name of the format: of its folder in `oracles/texts`, and of its grammar in the experiment.
    pub format: &'static str,
    /// The parser's crate, with its version.
    pub parser: &'static str,
    /// The crates whose edges count, as the compiler names them.
    pub crates: &'static [&'static str],
    /// Whether `nautilus/` has an executable.
    pub nautilus: bool,
    /// The body.
    #[cfg(feature = "replay")]
    pub body: fn(&str),
}

macro_rules! targets {
    ($($name:ident $grammar:literal $format:literal $parser:literal [$($part:literal)*] $nautilus:literal)*) => {
        /// All targets, by name.
        pub const TARGETS: &[Target] = &[$(Target {
            name: stringify!($name),
            grammar: $grammar,
            format: $format,
            parser: $parser,
            crates: &[$($part),*],
            nautilus: $nautilus,
            #[cfg(feature = "replay")]
            body: pleach_fuzz::crates::$name,
        }),*];
    };
}

targets! {
    javascript "fuzz/grammars/ecmascript" "javascript" "boa_parser 0.22" ["boa_parser"] false
    json "grammars/json" "json" "serde_json 1" ["serde_json"] true
    lua "grammars/lua" "lua" "full_moon 3" ["full_moon"] false
    regex "grammars/regex" "regex" "regex-syntax 0.8" ["regex_syntax"] false
    sql "grammars/sql" "sql" "sqlparser 0.63" ["sqlparser"] true
    toml "grammars/toml" "toml" "toml 1" ["toml" "toml_datetime" "toml_parser" "toml_writer" "winnow"] false
    url "fuzz/grammars/url" "uri" "url 2" ["url"] false
    xml "grammars/xml" "xml" "roxmltree 0.21" ["roxmltree"] false
}

/// The crates to build with coverage flags: those that count, and the bodies', in which the generic
/// functions that they call are compiled.
pub fn crates() -> Vec<&'static str> {
    let mut all: Vec<_> = TARGETS.iter().flat_map(|target| target.crates).copied().collect();
    all.push("pleach_fuzz");
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use experiment::SUBJECTS;

    use super::*;

    /// What is measured is what the experiment measures, and what writes where the body writes, too.
    /// URLs are read by another parser here.
    #[test]
    fn parsers_and_their_crates_are_those_of_the_experiment() {
        for target in TARGETS.iter().filter(|target| target.name != "url") {
            let subject = SUBJECTS.iter().find(|subject| subject.grammar == target.format);
            let subject = subject.expect("the experiment has the grammar");
            assert_eq!(target.parser, subject.parser);
            let is_here = |name| target.crates.contains(name);
            assert!(subject.crates.iter().all(is_here), "{}: {:?}", target.name, subject.crates);
        }
    }

    #[test]
    fn targets_are_sorted_and_have_grammars_texts_and_both_executables() {
        assert!(TARGETS.windows(2).all(|pair| pair[0].name < pair[1].name));
        let fuzz = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        for Target { name, grammar, format, nautilus, .. } in TARGETS {
            let third = std::fs::exists(format!("{fuzz}/compare/nautilus/targets/{name}.rs"));
            assert_eq!(third.unwrap(), *nautilus, "{name}");
            for path in [
                format!("fuzz_targets/{name}.rs"),
                format!("compare/plain/{name}.rs"),
                format!("../{grammar}.pleach"),
                format!("../oracles/texts/{format}"),
            ] {
                assert!(std::fs::exists(format!("{fuzz}/{path}")).unwrap(), "{path}");
            }
        }
    }
}
