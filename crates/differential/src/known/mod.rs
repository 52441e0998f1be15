//! Specifications of standard string structures: a repository that ships, and people's own.
//!
//! What a parameter may be is mostly written down somewhere: an RFC's URI, an ISO date, a version, a
//! host name. [`Known::shipped`] has the languages of some seventy such [structures](Structure), each
//! with a description, its source and examples. A person's own file of the same form is
//! [read](Known::read) beside it, and what has been found for one function can be [added](Known::add)
//! for the next. Which structure a phrase of a documentation means is [suggested](Known::suggest) by
//! the likeness of the phrase and the descriptions.
//!
//! # The form
//!
//! Files are TOML. A table is a structure, and its key the name:
//!
//! ```toml
//! [fragments]
//! hex = '[0-9A-F]'
//!
//! [part-number]
//! description = "The number of a part: two letters, a hyphen and four hexadecimal digits."
//! keywords = "SKU article item"
//! source = "Handbook, section 7"
//! specification = '[A-Z]{2}-{hex}{4}'
//! valid = ["AB-00FF"]
//! invalid = ["AB-00ff", "A-00FF"]
//! ```
//!
//! `{name}` stands for a fragment that is defined before, in this file or one that was read earlier.
//! `keywords`, `valid` and `invalid` may be left out. Roles are as in
//! [`Language::regex`](super::Language::regex).
//!
//! # Examples
//!
//! ```
//! use pleach::differential::Language;
//! use pleach::differential::known::Known;
//! use pleach::regular::AutomatonLimits;
//!
//! let known = Known::shipped();
//! let found = known.suggest("the timestamp, in RFC 3339 format");
//! assert_eq!(found[0].structure.name(), "date-time");
//! let language = Language::regex(known.find("date-time")?.pattern(), &AutomatonLimits::default())?;
//! assert!(language.accepts("2026-11-22T09:20:42Z"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod fragments;
mod read;
mod suggest;

pub use error::KnownError;
pub use suggest::Suggestion;

use std::fmt::Write;

use error::Kind;
use fragments::{Fragments, is_name};

use super::{DifferentialError, Language};
use pleach_core::internal::near;
use pleach_core::regular::AutomatonLimits;

/// The file that ships.
const SHIPPED: &str = include_str!("known.toml");

/// A named specification of a string format, with its source, keywords and examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    name: String,
    description: String,
    keywords: String,
    source: String,
    specification: String,
    pattern: String,
    valid: Vec<String>,
    invalid: Vec<String>,
}

/// A collection of specifications by name, those that ship and those of files.
#[derive(Clone, Debug, Default)]
pub struct Known {
    structures: Vec<Structure>,
    fragments: Fragments,
}

impl Structure {
    /// A structure without keywords and examples.
    ///
    /// A name is made of ASCII letters, digits, hyphens and underscores. The specification is a
    /// regex that matches whole strings; [`Known::add`] replaces references to fragments in it and
    /// checks it.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        source: impl Into<String>,
        specification: impl Into<String>,
    ) -> Self {
        let specification = specification.into();
        Self {
            name: name.into(),
            description: description.into(),
            keywords: String::new(),
            source: source.into(),
            pattern: specification.clone(),
            specification,
            valid: Vec::new(),
            invalid: Vec::new(),
        }
    }

    /// The same with other words for it, by which it is suggested. The default is none.
    #[must_use]
    pub fn keywords(mut self, keywords: impl Into<String>) -> Self {
        self.keywords = keywords.into();
        self
    }

    /// The same with examples of strings that are of this structure, and of such as are not. The
    /// default is none.
    #[must_use]
    pub fn examples(
        mut self,
        valid: impl IntoIterator<Item = String>,
        invalid: impl IntoIterator<Item = String>,
    ) -> Self {
        self.valid = valid.into_iter().collect();
        self.invalid = invalid.into_iter().collect();
        self
    }

    /// What it is called, as in `known:NAME`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in a sentence or two.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The document and section that define it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The specification as it is written, with references to fragments.
    pub fn specification(&self) -> &str {
        &self.specification
    }

    /// The specification as a regex that matches whole strings, with no references to fragments.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Examples of strings that are of this structure.
    pub fn valid(&self) -> &[String] {
        &self.valid
    }

    /// Examples of strings that are not.
    pub fn invalid(&self) -> &[String] {
        &self.invalid
    }

    /// The language of the pattern.
    ///
    /// # Errors
    ///
    /// As [`Language::regex`].
    pub fn language(&self, limits: &AutomatonLimits) -> Result<Language, DifferentialError> {
        Language::regex(&self.pattern, limits)
    }

    /// Whether the examples are as they should be.
    ///
    /// # Errors
    ///
    /// Where an example is not, or the language passes a bound of `limits`.
    pub fn check(&self, limits: &AutomatonLimits) -> Result<(), KnownError> {
        let language = self.language(limits).map_err(|error| self.fault(&error))?;
        let wrong = |text: &&String, wanted: bool| language.accepts(text) != wanted;
        let refuse = |text: &String, is: &str, mend: &str| {
            let message = format!(
                "`{}` has {text:?} as an example of what {is}: mend the specification, or move it \
                 to `{mend}`",
                self.name
            );
            Err(KnownError::new(Kind::Example, message))
        };
        if let Some(text) = self.valid.iter().find(|text| wrong(text, true)) {
            return refuse(text, "is valid, and its specification does not allow it", "invalid");
        }
        if let Some(text) = self.invalid.iter().find(|text| wrong(text, false)) {
            return refuse(text, "is not valid, and its specification allows it", "valid");
        }
        Ok(())
    }

    /// The structure as a table of TOML, to be appended to a file.
    ///
    /// Where the specification refers to fragments, they are taken for those of the file.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::differential::known::{Known, Structure};
    ///
    /// let structure = Structure::new("part", "The number of a part.", "Handbook", "[A-Z]-[0-9]+");
    /// let mut known = Known::default();
    /// known.read("own.toml", &structure.to_toml())?;
    /// assert_eq!(known.find("part")?, &structure);
    /// # Ok::<(), pleach::differential::known::KnownError>(())
    /// ```
    pub fn to_toml(&self) -> String {
        let quote = |text: &str| toml_edit::Value::from(text).to_string();
        let list = |texts: &[String]| {
            let array: toml_edit::Array = texts.iter().map(String::as_str).collect();
            array.to_string()
        };
        let mut text = format!("[{}]\n", self.name);
        let mut line = |key: &str, value: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{key} = {}", value.trim());
        };
        line("description", quote(&self.description));
        if !self.keywords.is_empty() {
            line("keywords", quote(&self.keywords));
        }
        line("source", quote(&self.source));
        line("specification", quote(&self.specification));
        if !self.valid.is_empty() {
            line("valid", list(&self.valid));
        }
        if !self.invalid.is_empty() {
            line("invalid", list(&self.invalid));
        }
        text
    }

    /// What is wrong with the pattern.
    fn fault(&self, error: &DifferentialError) -> KnownError {
        let kind = if error.is_size_limit_exceeded() { Kind::TooLarge } else { Kind::Syntax };
        KnownError::new(kind, format!("the specification of `{}`: {error}", self.name))
    }
}

impl Known {
    /// The specifications that ship.
    #[expect(clippy::missing_panics_doc, reason = "a test reads the file that ships")]
    pub fn shipped() -> Self {
        Self::read_shipped(SHIPPED).expect("a test reads this file")
    }

    /// All structures, in the order in which they were read.
    pub fn structures(&self) -> &[Structure] {
        &self.structures
    }

    /// The structure of a name.
    ///
    /// # Errors
    ///
    /// Where there is none; the message has the names that are most alike.
    pub fn find(&self, name: &str) -> Result<&Structure, KnownError> {
        self.structures.iter().find(|structure| structure.name == name).ok_or_else(|| {
            let mut message = format!("no structure is called `{name}`");
            let alike = self.alike(name);
            if alike.is_empty() {
                message.push_str(": `pleach suggest --list` shows the names");
            } else {
                let _ = write!(message, ": did you mean {}?", alike.join(" or "));
            }
            KnownError::new(Kind::Missing, message)
        })
    }

    /// Adds a structure, in place of one of the same name if there is one.
    ///
    /// References to fragments in its specification are replaced, and its examples are checked.
    ///
    /// # Errors
    ///
    /// Where its name, description, source or specification cannot be used, or an example
    /// contradicts the specification. Nothing is added then.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::differential::known::{Known, Structure};
    ///
    /// let mut known = Known::shipped();
    /// let plate = Structure::new("plate", "A number plate of a car.", "Act 12", "{alnum}{3,7}");
    /// known.add(plate)?;
    /// assert_eq!(known.find("plate")?.pattern(), "[0-9A-Za-z]{3,7}");
    /// assert_eq!(known.suggest("number plate")[0].structure.name(), "plate");
    /// # Ok::<(), pleach::differential::known::KnownError>(())
    /// ```
    pub fn add(&mut self, mut structure: Structure) -> Result<(), KnownError> {
        let name = &structure.name;
        if name.is_empty() || name == read::FRAGMENTS || !name.chars().all(is_name) {
            let message = format!(
                "`{name}` is no name of a structure: use letters, digits, `-` and `_`, and not \
                 `{}`",
                read::FRAGMENTS
            );
            return Err(KnownError::syntax(message));
        }
        for (what, text) in [("description", &structure.description), ("source", &structure.source)]
        {
            if text.trim().is_empty() {
                let message =
                    format!("`{name}` has no {what}: say what it is and where it is from");
                return Err(KnownError::syntax(message));
            }
        }
        let spelled = self.fragments.spell(&structure.specification);
        structure.pattern = spelled.map_err(|(_, error)| error)?.text;
        structure.check(&AutomatonLimits::default())?;
        self.put(structure);
        Ok(())
    }

    fn put(&mut self, structure: Structure) {
        match self.structures.iter_mut().find(|other| other.name == structure.name) {
            Some(other) => *other = structure,
            None => self.structures.push(structure),
        }
    }

    /// At most three names that have most in common with a name, in quotation marks.
    fn alike(&self, name: &str) -> Vec<String> {
        let names = self.structures.iter().map(|structure| structure.name.as_str());
        near(name, names, 3).into_iter().map(|name| format!("`{name}`")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_structure_of_the_same_name_is_replaced() {
        let mut known = Known::shipped();
        let count = known.structures().len();
        known.add(Structure::new("port", "A port.", "here", "[0-9]+")).unwrap();
        assert_eq!(known.structures().len(), count);
        assert_eq!(known.find("port").unwrap().pattern(), "[0-9]+");
    }

    #[test]
    fn what_cannot_be_used_is_not_added() {
        let good = Structure::new("good", "Good.", "here", "a");
        let mut known = Known::default();
        for (bad, words) in [
            (Structure::new("", "d", "s", "a"), "is no name"),
            (Structure::new("fragments", "d", "s", "a"), "is no name"),
            (Structure::new("a b", "d", "s", "a"), "is no name"),
            (Structure::new("a", " ", "s", "a"), "no description"),
            (Structure::new("a", "d", "", "a"), "no source"),
            (Structure::new("a", "d", "s", "("), "unclosed group"),
            (Structure::new("a", "d", "s", "{b}"), "no fragment `b`"),
            (good.clone().examples(["b".into()], []), "as an example of what is valid"),
            (good.clone().examples([], ["a".into()]), "as an example of what is not valid"),
        ] {
            let error = known.add(bad).unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
        }
        assert!(known.structures().is_empty());
        let large = Structure::new("a", "d", "s", "(a|b)*a(a|b){30}");
        assert!(known.add(large).unwrap_err().is_size_limit_exceeded());
        known.add(good.examples(["a".into()], ["".into(), "b".into()])).unwrap();
        assert_eq!(known.structures().len(), 1);
    }

    #[test]
    fn a_name_that_is_nearly_right_is_helped() {
        let known = Known::shipped();
        let error = known.find("IPv5").unwrap_err();
        assert!(error.is_missing());
        assert!(error.to_string().ends_with("did you mean `ipv4` or `ipv6`?"), "{error}");
        let error = known.find("zzzzzzzz").unwrap_err();
        assert!(error.to_string().contains("suggest --list"), "{error}");
    }
}
