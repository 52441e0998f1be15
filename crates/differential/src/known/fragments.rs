//! Parts of regexes that have names, and patterns that refer to them.
//!
//! `{name}` stands for a fragment wherever the syntax of regexes has a repetition, whose bounds are
//! digits. A fragment is put in as a group, and as it is where it is a bracketed class, so that
//! classes can be made of classes: `[{hex}_]`.

use super::error::KnownError;
use pleach_core::regular::{Alphabet, class_ranges};

/// How long a pattern may become: fragments of fragments can double it at each step.
const LONGEST: usize = 1 << 20;

/// A part of regexes.
#[derive(Clone, Debug)]
pub(super) struct Fragment {
    pub(super) name: String,
    /// Its regex, with no references to others.
    pattern: String,
    is_class: bool,
}

/// All parts that are known so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Fragments {
    all: Vec<Fragment>,
}

/// A pattern without references.
#[derive(Debug)]
pub(super) struct Spelled {
    pub(super) text: String,
    /// Where pieces of it begin, and where they come from: offsets in it and in what was written.
    places: Vec<(usize, usize)>,
}

impl Spelled {
    /// The place in what was written of one in the pattern.
    pub(super) fn written(&self, offset: usize) -> usize {
        let piece = self.places.partition_point(|place| place.0 <= offset).saturating_sub(1);
        // Inside a fragment it is where the reference begins.
        match (self.places.get(piece), self.places.get(piece + 1)) {
            (Some(&(start, from)), Some(&(_, next))) => (from + offset - start).min(next),
            (Some(&(start, from)), None) => from + offset - start,
            (None, _) => offset,
        }
    }
}

/// Which part of a bracketed class a scan is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// At its beginning, where `]` is a symbol like others.
    Beginning,
    Inside,
}

impl Fragments {
    /// Adds a part; one of the same name is replaced for all that comes later.
    pub(super) fn add(&mut self, name: &str, pattern: String) {
        let is_class = class_ranges(&pattern, Alphabet::Unicode).is_ok();
        let fragment = Fragment { name: name.to_owned(), pattern, is_class };
        match self.all.iter_mut().find(|other| other.name == name) {
            Some(other) => *other = fragment,
            None => self.all.push(fragment),
        }
    }

    /// A pattern with its references replaced; where one is bad, the offset of it and what is wrong.
    pub(super) fn spell(&self, pattern: &str) -> Result<Spelled, (usize, KnownError)> {
        let mut spelled =
            Spelled { text: String::with_capacity(pattern.len()), places: Vec::new() };
        let mut classes: Vec<Class> = Vec::new();
        let mut at = 0;
        spelled.places.push((0, 0));
        while let Some(symbol) = pattern[at..].chars().next() {
            let mut taken = symbol.len_utf8();
            match symbol {
                '\\' => taken = escape(&pattern[at..]),
                '[' => {
                    settle(&mut classes);
                    classes.push(Class::Beginning);
                    taken += usize::from(pattern[at + 1..].starts_with('^'));
                }
                ']' if classes.last() == Some(&Class::Inside) => {
                    classes.pop();
                }
                '{' if begins_name(&pattern[at + 1..]) => {
                    settle(&mut classes);
                    let fragment = self.refer(&pattern[at..]).map_err(|error| (at, error))?;
                    spelled.put(fragment, !classes.is_empty()).map_err(|error| (at, error))?;
                    at += fragment.name.len() + 2;
                    spelled.places.push((spelled.text.len(), at));
                    continue;
                }
                _ => settle(&mut classes),
            }
            if symbol == '\\' || symbol == ']' {
                settle(&mut classes);
            }
            spelled.text.push_str(&pattern[at..at + taken]);
            at += taken;
        }
        Ok(spelled)
    }

    /// The fragment to which the beginning of a text refers.
    fn refer(&self, text: &str) -> Result<&Fragment, KnownError> {
        let brace = "write a brace that stands for itself as `\\{`";
        let end = text.find(|c: char| !is_name(c) && c != '{').unwrap_or(text.len());
        let name = &text[1..end];
        if !text[end..].starts_with('}') {
            let message = format!("`{{{name}` is not closed: write `{{{name}}}`, or {brace}");
            return Err(KnownError::syntax(message));
        }
        self.all.iter().find(|fragment| fragment.name == name).ok_or_else(|| {
            let message =
                format!("no fragment `{name}` comes before: define it in [fragments], or {brace}");
            KnownError::syntax(message)
        })
    }
}

impl Spelled {
    fn put(&mut self, fragment: &Fragment, in_class: bool) -> Result<(), KnownError> {
        if in_class && !fragment.is_class {
            let message = format!(
                "fragment `{}` is no class, and stands in one: write it outside, or as `[...]`",
                fragment.name
            );
            return Err(KnownError::syntax(message));
        }
        if self.text.len() + fragment.pattern.len() > LONGEST {
            let message = format!(
                "with its fragments the pattern is longer than {LONGEST} bytes: refer to fewer"
            );
            return Err(KnownError::new(super::error::Kind::TooLarge, message));
        }
        if fragment.is_class {
            self.text.push_str(&fragment.pattern);
        } else {
            self.text.push_str("(?:");
            self.text.push_str(&fragment.pattern);
            self.text.push(')');
        }
        Ok(())
    }
}

/// What follows the beginning of a class is inside it.
fn settle(classes: &mut [Class]) {
    if let Some(class) = classes.last_mut() {
        *class = Class::Inside;
    }
}

/// How many bytes an escape has, at whose backslash a text begins.
fn escape(text: &str) -> usize {
    let mut chars = text[1..].chars();
    let Some(kind) = chars.next() else { return 1 };
    let end = 1 + kind.len_utf8();
    match text[end..].find('}') {
        Some(close) if "pPxuU".contains(kind) && text[end..].starts_with('{') => end + close + 1,
        _ => end,
    }
}

/// Whether a text begins as names do.
fn begins_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether a character may stand in a name.
pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fragments() -> Fragments {
        let mut fragments = Fragments::default();
        fragments.add("hex", "[0-9a-f]".into());
        fragments.add("two", "a|b".into());
        fragments
    }

    #[test]
    fn references_are_replaced_and_nothing_else() {
        for (written, spelled) in [
            ("{hex}{2}", "[0-9a-f]{2}"),
            ("x{two}*", "x(?:a|b)*"),
            ("[{hex}_]{two}", "[[0-9a-f]_](?:a|b)"),
            ("[^]{hex}]{two}", "[^][0-9a-f]](?:a|b)"),
            ("[]]{two}", "[]](?:a|b)"),
            ("a{2,}b{,3}", "a{2,}b{,3}"),
            (r"\{two}\p{Greek}\x{41}", r"\{two}\p{Greek}\x{41}"),
            (r"[\]{hex}]", r"[\][0-9a-f]]"),
            (r"[a\\]{two}", r"[a\\](?:a|b)"),
            ("[[:alpha:]{hex}]", "[[:alpha:][0-9a-f]]"),
            ("é{two}é", "é(?:a|b)é"),
            ("\\", "\\"),
            ("", ""),
        ] {
            assert_eq!(fragments().spell(written).unwrap().text, spelled, "{written}");
        }
    }

    #[test]
    fn bad_references_say_where_and_what_to_do() {
        for (written, offset, words) in [
            ("a{none}", 1, "no fragment `none`"),
            ("ab{two", 2, "`{two` is not closed"),
            ("[x{two}]", 2, "is no class"),
            ("{two two}", 0, "is not closed"),
        ] {
            let (at, error) = fragments().spell(written).unwrap_err();
            assert_eq!(at, offset, "{written}");
            assert!(error.to_string().contains(words), "{written}: {error}");
        }
    }

    #[test]
    fn fragments_that_double_do_not_exhaust_memory() {
        let mut fragments = Fragments::default();
        fragments.add("a0", "ab".into());
        let mut failed = false;
        for i in 1..64 {
            match fragments.spell(&format!("{{a{0}}}{{a{0}}}", i - 1)) {
                Ok(spelled) => fragments.add(&format!("a{i}"), spelled.text),
                Err((_, error)) => {
                    assert!(error.is_size_limit_exceeded());
                    failed = true;
                    break;
                }
            }
        }
        assert!(failed);
    }

    #[test]
    fn places_lead_back_to_what_was_written() {
        let spelled = fragments().spell("x{two}yz").unwrap();
        assert_eq!(spelled.text, "x(?:a|b)yz");
        assert_eq!(spelled.written(0), 0);
        assert_eq!(spelled.written(8), 6);
        assert_eq!(spelled.written(9), 7);
        assert!((1..=6).contains(&spelled.written(4)));
    }
}
