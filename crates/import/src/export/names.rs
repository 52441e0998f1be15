//! Names that a notation takes, each for one rule.

use std::collections::{HashMap, HashSet};

use super::Target;

/// The names that are taken.
pub(super) struct Names {
    target: Target,
    taken: HashSet<String>,
    /// By name, the last number that was put after it.
    numbers: HashMap<String, usize>,
}

impl Names {
    /// No name is taken, but for `root` if that is given away otherwise.
    pub(super) fn new(target: Target, root: bool) -> Self {
        let taken = root.then(|| "root".to_owned()).into_iter().collect();
        Self { target, taken, numbers: HashMap::new() }
    }

    /// Whether the notation takes a name as it is.
    pub(super) fn is_name(&self, name: &str) -> bool {
        let first = |first: char| match self.target {
            Target::Abnf => first.is_ascii_alphabetic(),
            Target::Gbnf => first.is_ascii_alphanumeric(),
            _ => first.is_ascii_alphabetic() || first == '_',
        };
        let other = |other: char| {
            other.is_ascii_alphanumeric()
                || other == '-'
                || (matches!(self.target, Target::W3c) && matches!(other, '_' | '.'))
        };
        name.starts_with(first) && name.chars().all(other)
    }

    /// Takes a name, or a similar one where the notation does not take it or it is taken.
    pub(super) fn take(&mut self, name: &str) -> String {
        let similar = self.similar(name);
        if self.taken.insert(self.key(&similar)) {
            return similar;
        }
        let key = self.key(&similar);
        loop {
            let number = self.numbers.entry(key.clone()).or_insert(1);
            *number += 1;
            let numbered = format!("{similar}-{number}");
            if self.taken.insert(self.key(&numbered)) {
                return numbered;
            }
        }
    }

    /// What is the same for names that the notation does not tell apart.
    fn key(&self, name: &str) -> String {
        match self.target {
            Target::Abnf => name.to_ascii_lowercase(),
            _ => name.to_owned(),
        }
    }

    fn similar(&self, name: &str) -> String {
        if self.is_name(name) {
            return name.to_owned();
        }
        let filler = if self.target == Target::W3c { '_' } else { '-' };
        let keep = |symbol: char| {
            symbol.is_ascii_alphanumeric()
                || symbol == '-'
                || (self.target == Target::W3c && matches!(symbol, '_' | '.'))
        };
        let shown: String =
            name.chars().map(|symbol| if keep(symbol) { symbol } else { filler }).collect();
        let begun = format!("r{filler}{shown}");
        if self.is_name(&shown) { shown } else { begun }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_unique() {
        for (target, names) in [
            (Target::Abnf, [("a_b", "a-b"), ("A-B", "A-B-2"), ("é", "r--"), ("1", "r-1")]),
            (Target::Gbnf, [("root", "root-2"), ("a.b", "a-b"), ("A-b", "A-b"), ("_", "r--")]),
            (Target::W3c, [("a b", "a_b"), ("a.b", "a.b"), ("-", "r_-"), ("", "r_")]),
        ] {
            let mut taken = Names::new(target, target == Target::Gbnf);
            for (name, expected) in names {
                assert_eq!(taken.take(name), expected, "{target} {name}");
                assert!(taken.is_name(expected));
            }
            let again = taken.take(names[0].0);
            assert!(taken.is_name(&again), "{again}");
            assert!(names.iter().all(|&(_, other)| other != again), "{again}");
        }
    }
}
