//! Grammars and texts on which all readers have to agree: by prediction, by the chart, and by the slow definitions.

use toml_edit::{DocumentMut, Item};

/// A grammar, and texts that it derives and does not derive.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it is about.
    pub name: String,
    /// The grammar in the native notation.
    pub grammar: String,
    /// Whether the next token decides every choice, so that texts are read by prediction.
    pub predicted: bool,
    /// Texts of the grammar.
    pub accepted: Vec<String>,
    /// Texts that are not of it.
    pub refused: Vec<String>,
}

/// The cases of `readers.toml`.
///
/// # Panics
///
/// Where that file is malformed, or a case has nothing to accept or nothing to refuse.
pub fn readers() -> Vec<Case> {
    let text = include_str!("../readers.toml");
    let document: DocumentMut =
        text.parse().unwrap_or_else(|error| panic!("readers.toml: {error}"));
    let of = |(name, case): (&str, &Item)| {
        let texts = |key: &str| -> Vec<String> {
            let texts = case[key].as_array().unwrap_or_else(|| panic!("{name} has no {key}"));
            texts.iter().map(|text| text.as_str().expect("it is a string").to_owned()).collect()
        };
        let case = Case {
            name: name.to_owned(),
            grammar: case["grammar"].as_str().expect("it has a grammar").to_owned(),
            predicted: case["predicted"].as_bool().expect("it says whether it is predicted"),
            accepted: texts("accepted"),
            refused: texts("refused"),
        };
        assert!(!case.accepted.is_empty() && !case.refused.is_empty(), "{name} tells nothing");
        case
    };
    document.iter().map(of).collect()
}
