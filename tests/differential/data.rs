//! Data files of languages, their patterns spelled out.

use std::path::Path;

use regex::Regex;
use toml_edit::{DocumentMut, Table};

/// A file of `tests/data/differential/`, with its fragments.
pub(crate) struct Data {
    document: DocumentMut,
    fragments: Vec<(String, String)>,
}

impl Data {
    pub(crate) fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/differential").join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let document: DocumentMut = text.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut fragments = Vec::new();
        let named = document.get("fragments").and_then(|item| item.as_table());
        for (name, pattern) in named.into_iter().flatten() {
            let pattern = spell(pattern.as_str().unwrap(), &fragments);
            fragments.push((name.to_owned(), pattern));
        }
        Self { document, fragments }
    }

    /// The entries and their names, in order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &Table)> {
        let tables = self.document.iter().filter_map(|(name, item)| Some((name, item.as_table()?)));
        tables.filter(|&(name, _)| name != "fragments")
    }

    /// A pattern with every `{name}` replaced.
    pub(crate) fn spell(&self, pattern: &str) -> String {
        spell(pattern, &self.fragments)
    }
}

fn spell(pattern: &str, fragments: &[(String, String)]) -> String {
    let mut spelled = pattern.to_owned();
    for (name, fragment) in fragments {
        // `\u{...}` takes no name.
        spelled = spelled.replace(&format!("{{{name}}}"), &format!("(?:{fragment})"));
    }
    spelled
}

/// A pattern for the `regex` crate, to which roles mean nothing and whose groups have different names.
pub(crate) fn whole(pattern: &str) -> Regex {
    let pattern = pattern.replace("(?<data>", "(?:");
    Regex::new(&format!(r"\A(?:{pattern})\z")).unwrap_or_else(|error| panic!("{error}"))
}

/// The string of a key.
pub(crate) fn string<'t>(entry: &'t Table, key: &str) -> &'t str {
    entry.get(key).and_then(|item| item.as_str()).unwrap_or_else(|| panic!("no `{key}`"))
}

/// The strings of a key.
pub(crate) fn strings(entry: &Table, key: &str) -> Vec<String> {
    let array =
        entry.get(key).and_then(|item| item.as_array()).unwrap_or_else(|| panic!("no `{key}`"));
    array.iter().map(|value| value.as_str().unwrap().to_owned()).collect()
}
