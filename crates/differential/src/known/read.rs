//! Reads files of specifications.

use toml_edit::{Document, Item, Key, Table, Value};

use super::error::{Kind, KnownError};
use super::fragments::is_name;
use super::{Known, Structure};
use pleach_core::regular::{Alphabet, AutomatonLimits, Nfa};

/// The table that has parts of regexes.
pub(super) const FRAGMENTS: &str = "fragments";

/// The keys of a structure.
const KEYS: [&str; 6] = ["description", "keywords", "source", "specification", "valid", "invalid"];

/// A file while it is read.
struct Reader<'t> {
    file: &'t str,
    text: &'t str,
    /// Whether patterns and examples are checked.
    checks: bool,
}

impl Known {
    /// Reads a file's text and adds what is in it; structures and fragments of the same names are
    /// replaced, for what is read later.
    ///
    /// The file's name is for messages.
    ///
    /// # Errors
    ///
    /// Where the text is not of the form that the [module](super) describes, a pattern is malformed
    /// or too large, or an example contradicts its specification: with the line, the column and the
    /// way to mend it. Nothing is added then.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::differential::known::Known;
    ///
    /// let mut known = Known::shipped();
    /// let error = known.read("own.toml", "[part]\ndescription = 'A part.'\n").unwrap_err();
    /// assert!(error.to_string().starts_with("own.toml:1:1: `part` has no `source`"));
    /// ```
    pub fn read(&mut self, file: &str, text: &str) -> Result<(), KnownError> {
        let mut read = self.clone();
        Reader { file, text, checks: true }.read(&mut read)?;
        *self = read;
        Ok(())
    }

    /// Reads the file that ships. Its patterns and examples are checked by tests.
    pub(super) fn read_shipped(text: &str) -> Result<Self, KnownError> {
        let mut known = Self::default();
        Reader { file: "known.toml", text, checks: false }.read(&mut known)?;
        Ok(known)
    }
}

impl Reader<'_> {
    fn read(&self, known: &mut Known) -> Result<(), KnownError> {
        let document = Document::parse(self.text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            let message = error.message().replace('\n', ", ");
            self.fault(offset, format!("not TOML: {message}"))
        })?;
        let root = document.as_table();
        if let Some(item) = root.get(FRAGMENTS) {
            let table = self.table(FRAGMENTS, item, self.place(root, FRAGMENTS))?;
            self.fragments(table, known)?;
        }
        for (name, item) in root.iter().filter(|&(name, _)| name != FRAGMENTS) {
            let place = self.place(root, name);
            self.name(name, place)?;
            let structure = self.structure(name, self.table(name, item, place)?, place, known)?;
            known.put(structure);
        }
        Ok(())
    }

    fn fragments(&self, table: &Table, known: &mut Known) -> Result<(), KnownError> {
        for (name, item) in table.iter() {
            let place = self.place(table, name);
            self.name(name, place)?;
            let value = self.string(name, item, place)?;
            let pattern = self.pattern(value.0, value.1, known)?;
            known.fragments.add(name, pattern);
        }
        Ok(())
    }

    fn structure(
        &self,
        name: &str,
        table: &Table,
        place: usize,
        known: &Known,
    ) -> Result<Structure, KnownError> {
        if let Some((key, _)) = table.iter().find(|(key, _)| !KEYS.contains(key)) {
            let message =
                format!("`{name}` has an unknown key `{key}`: the keys are {}", KEYS.join(", "));
            return Err(self.fault(self.place(table, key), message));
        }
        let optional = |key: &str| -> Result<Option<(&str, usize)>, KnownError> {
            let item = table.get(key);
            item.map(|item| self.string(key, item, self.place(table, key))).transpose()
        };
        let required = |key: &str| -> Result<(&str, usize), KnownError> {
            let Some((text, place)) = optional(key)? else {
                let message = format!("`{name}` has no `{key}`: add `{key} = \"...\"`");
                return Err(self.fault(place, message));
            };
            if text.trim().is_empty() && key != "specification" {
                return Err(self.fault(place, format!("`{key}` is empty: write a sentence")));
            }
            Ok((text, place))
        };
        let description = required("description")?.0;
        let source = required("source")?.0;
        let (specification, at) = required("specification")?;
        let mut structure = Structure::new(name, description, source, specification)
            .keywords(optional("keywords")?.map_or("", |found| found.0))
            .examples(self.strings(table, "valid")?, self.strings(table, "invalid")?);
        structure.pattern = self.pattern(specification, at, known)?;
        if self.checks && !(structure.valid.is_empty() && structure.invalid.is_empty()) {
            let check = structure.check(&AutomatonLimits::default());
            check.map_err(|error| error.at(self.file, self.text, at))?;
        }
        Ok(structure)
    }

    /// A pattern with no references in it, which is found to be well formed.
    fn pattern(&self, written: &str, place: usize, known: &Known) -> Result<String, KnownError> {
        // In a literal string everything stands for itself.
        let source = &self.text[place.min(self.text.len())..];
        let literal = source.starts_with('\'') && !source.starts_with("'''");
        let within = |offset: usize| if literal { place + 1 + offset } else { place };
        let spelled = known
            .fragments
            .spell(written)
            .map_err(|(offset, error)| error.at(self.file, self.text, within(offset)))?;
        if self.checks {
            let mut nfa = Nfa::new(Alphabet::Roles);
            let (from, to) = (nfa.state(), nfa.state());
            nfa.regex(from, &spelled.text, to, &AutomatonLimits::default()).map_err(|error| {
                let offset = error.span().map_or(0, |span| spelled.written(span.0));
                let size = error.is_size_limit_exceeded();
                let kind = if size { Kind::TooLarge } else { Kind::Syntax };
                KnownError::new(kind, error.to_string()).at(self.file, self.text, within(offset))
            })?;
        }
        Ok(spelled.text)
    }

    fn name(&self, name: &str, place: usize) -> Result<(), KnownError> {
        if name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_name) {
            return Ok(());
        }
        let message = format!(
            "`{name}` is no name: begin with a letter, and use letters, digits, `-` and `_`"
        );
        Err(self.fault(place, message))
    }

    fn table<'i>(&self, name: &str, item: &'i Item, place: usize) -> Result<&'i Table, KnownError> {
        item.as_table().ok_or_else(|| {
            let message = format!("`{name}` is no table: begin one with `[{name}]`");
            self.fault(place, message)
        })
    }

    /// A string and where its value begins.
    fn string<'i>(
        &self,
        key: &str,
        item: &'i Item,
        place: usize,
    ) -> Result<(&'i str, usize), KnownError> {
        match item.as_str() {
            Some(text) => Ok((text, item.span().map_or(place, |span| span.start))),
            None => Err(self.fault(place, format!("`{key}` is no string: put it in quotes"))),
        }
    }

    fn strings(&self, table: &Table, key: &str) -> Result<Vec<String>, KnownError> {
        let Some(item) = table.get(key) else { return Ok(Vec::new()) };
        let mend = || {
            let message = format!("`{key}` is no list of strings: write `{key} = [\"...\"]`");
            self.fault(self.place(table, key), message)
        };
        let array = item.as_array().ok_or_else(mend)?;
        let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(mend);
        array.iter().map(text).collect()
    }

    /// Where a key of a table stands, as well as that is known.
    fn place(&self, table: &Table, key: &str) -> usize {
        let found = table.get_key_value(key);
        let header = found.and_then(|(_, item)| item.as_table()).and_then(Table::span);
        let span = header.or_else(|| found.and_then(|(key, _)| Key::span(key)));
        span.map_or(0, |span| span.start)
    }

    fn fault(&self, offset: usize, message: String) -> KnownError {
        KnownError::syntax(message).at(self.file, self.text, offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with one line in place of a good one.
    fn with(line: &str) -> String {
        format!(
            "[fragments]\nhex = '[0-9a-f]'\n\n[part]\ndescription = \"A part.\"\n\
             source = \"here\"\n{line}\n"
        )
    }

    #[test]
    fn faults_say_where_they_are_and_how_to_mend_them() {
        for (text, start) in [
            ("x = 1", "own:1:1: `x` is no table: begin one with `[x]`"),
            ("[a]\nb = ", "own:2:5: not TOML"),
            ("[1a]\n", "own:1:1: `1a` is no name"),
            ("[a]\n", "own:1:1: `a` has no `description`"),
            ("[fragments]\nx = 1", "own:2:1: `x` is no string"),
            ("[fragments]\nx = 'a('", "own:2:7: unclosed group"),
            ("[fragments]\nx = '{y}'\ny = 'a'", "own:2:6: no fragment `y` comes before"),
            ("fragments = 1", "own:1:1: `fragments` is no table"),
            (&with(""), "own:4:1: `part` has no `specification`"),
            (&with("specification = 1"), "own:7:1: `specification` is no string"),
            (&with("specification = 'ab{hex}('"), "own:7:25: unclosed group"),
            (&with("specification = '{hex}{none}'"), "own:7:23: no fragment `none`"),
            (&with("specification = \"\\u0061(\""), "own:7:17: unclosed group"),
            (&with("specification = 'a'\nspec = 'a'"), "own:8:1: `part` has an unknown key `spec`"),
            (&with("specification = 'a'\nvalid = 'a'"), "own:8:1: `valid` is no list of strings"),
            (&with("specification = 'a'\nvalid = [1]"), "own:8:1: `valid` is no list of strings"),
            (&with("specification = 'a'\nvalid = ['b']"), "own:7:17: `part` has \"b\" as"),
            (&with("specification = 'a'\ninvalid = ['a']"), "own:7:17: `part` has \"a\" as"),
            (&with("specification = 'a{9999999}'"), "own:7:18: the automaton needs more"),
        ] {
            let mut known = Known::default();
            let error = known.read("own", text).unwrap_err();
            assert!(error.to_string().starts_with(start), "{text}\n{error}");
            assert!(known.structures().is_empty());
        }
    }

    #[test]
    fn what_is_read_later_sees_what_was_read_before() {
        let mut known = Known::default();
        known.read("a", &with("specification = '{hex}+'")).unwrap();
        let later = "[fragments]\nhex = '[0-9A-F]'\n[other]\ndescription = 'd'\nsource = 's'\n\
                     specification = '{hex}'\nvalid = ['F']\ninvalid = ['f', '']\n";
        known.read("b", later).unwrap();
        assert_eq!(known.find("part").unwrap().pattern(), "[0-9a-f]+");
        assert_eq!(known.find("other").unwrap().pattern(), "[0-9A-F]");
        assert_eq!(known.structures().len(), 2);
    }

    #[test]
    fn deep_text_is_refused_and_does_not_recurse() {
        for text in ["[".repeat(100_000), format!("a = {}", "[".repeat(100_000))] {
            assert!(Known::default().read("deep", &text).is_err());
        }
        let deep =
            format!("[a]\ndescription='d'\nsource='s'\nspecification='{}'", "(".repeat(100_000));
        assert!(Known::default().read("deep", &deep).is_err());
    }
}
