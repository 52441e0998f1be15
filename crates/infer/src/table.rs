//! The table of functions that are known without their source.
//!
//! `std.table` ships; a user's own is read behind it.

use std::sync::OnceLock;

use fxhash::FxHashMap;

use super::error::InferError;
use super::pool::{Lang, Pool};
use super::stop::Flow;
use pleach_core::regular::{Alphabet, AutomatonLimits, Dfa};

/// What a function means for the text that it is called on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    In(String),
    /// A character of which a function of the standard library is true.
    Property(Property),
    Fallible {
        regex: String,
        option: bool,
        own: bool,
    },
    Integer {
        min: i128,
        max: u128,
    },
    Same,
    Trim {
        start: bool,
        end: bool,
        class: String,
    },
    Map {
        class: String,
        to: String,
    },
    Lower,
    Upper,
}

/// What Unicode says of characters, as the standard library has it: a regex may have another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Property {
    Alphabetic,
    Alphanumeric,
    Lowercase,
    Numeric,
    Uppercase,
}

impl Property {
    const ALL: [(&str, Self); 5] = [
        ("alphabetic", Self::Alphabetic),
        ("alphanumeric", Self::Alphanumeric),
        ("lowercase", Self::Lowercase),
        ("numeric", Self::Numeric),
        ("uppercase", Self::Uppercase),
    ];

    /// The characters that have it, which takes a look at all of them at first.
    fn ranges(self) -> &'static [(u32, u32)] {
        static RANGES: [OnceLock<Vec<(u32, u32)>>; 5] = [const { OnceLock::new() }; 5];
        let has = match self {
            Self::Alphabetic => char::is_alphabetic,
            Self::Alphanumeric => char::is_alphanumeric,
            Self::Lowercase => char::is_lowercase,
            Self::Numeric => char::is_numeric,
            Self::Uppercase => char::is_uppercase,
        };
        RANGES[self as usize].get_or_init(|| {
            let mut ranges: Vec<(u32, u32)> = Vec::new();
            for code in ('\0'..=char::MAX).filter(|&c| has(c)).map(u32::from) {
                match ranges.last_mut() {
                    Some(last) if last.1 + 1 == code => last.1 = code,
                    _ => ranges.push((code, code)),
                }
            }
            ranges
        })
    }
}

impl Meaning {
    /// Where it is true, if it is a condition.
    pub(super) fn language(&self, pool: &mut Pool) -> Flow<Option<Lang>> {
        match self {
            Self::In(regex) => pool.regex(regex).map(Some),
            Self::Property(property) => pool.set(property.ranges()).map(Some),
            _ => Ok(None),
        }
    }
}

/// Meanings by receiver and name.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    meanings: FxHashMap<String, Meaning>,
}

const STD: &str = include_str!("std.table");

impl Table {
    /// The table that ships, and then others, each given by name and text.
    pub(super) fn new(others: &[(String, String)]) -> Result<Self, InferError> {
        let mut table = Self::default();
        table.read("std.table", STD)?;
        for (name, text) in others {
            table.read(name, text)?;
        }
        Ok(table)
    }

    fn read(&mut self, name: &str, text: &str) -> Result<(), InferError> {
        for (i, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let rest = rest.trim();
            let (kind, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let fault = |message: &str| InferError::table(name, i + 1, message);
            if !key.split_once('.').is_some_and(|(receiver, name)| {
                matches!(receiver, "char" | "u8" | "str" | "parse" | "fn") && !name.is_empty()
            }) {
                return Err(fault("expected RECEIVER.NAME first, as in `str.is_empty`"));
            }
            let meaning = meaning(kind, rest.trim()).map_err(|message| fault(&message))?;
            self.meanings.insert(key.to_owned(), meaning);
        }
        Ok(())
    }

    pub(super) fn get(&self, receiver: &str, name: &str) -> Option<&Meaning> {
        self.meanings.get(&format!("{receiver}.{name}"))
    }

    /// What the end of a path means that is in the table.
    pub(super) fn function(&self, path: &[String]) -> Option<&Meaning> {
        (0..path.len()).find_map(|from| self.get("fn", &path[from..].join("::")))
    }
}

fn meaning(kind: &str, rest: &str) -> Result<Meaning, String> {
    let regex = |pattern: &str| {
        Dfa::from_regex(pattern, Alphabet::Unicode, &AutomatonLimits::default())
            .map(|_| pattern.to_owned())
            .map_err(|error| error.to_string())
    };
    let class = |class: &str| regex(&format!("[{class}]"));
    Ok(match kind {
        "in" => Meaning::In(regex(rest)?),
        "ok" | "some" | "ok-self" | "some-self" => Meaning::Fallible {
            regex: regex(rest)?,
            option: kind.starts_with("some"),
            own: kind.ends_with("self"),
        },
        "integer" => {
            let (min, max) = rest.split_once(char::is_whitespace).ok_or("expected MIN and MAX")?;
            let fault = |error: std::num::ParseIntError| error.to_string();
            let min = min.trim().parse::<i128>().map_err(fault)?;
            Meaning::Integer { min, max: max.trim().parse().map_err(fault)? }
        }
        "property" => match Property::ALL.iter().find(|property| property.0 == rest) {
            Some(property) => Meaning::Property(property.1),
            None => {
                let names = Property::ALL.map(|property| property.0).join(", ");
                return Err(format!("there is no property `{rest}`; there are {names}"));
            }
        },
        "same" => Meaning::Same,
        "trim" => {
            let (place, set) =
                rest.split_once(char::is_whitespace).ok_or("expected WHERE and CLASS")?;
            let (start, end) = match place {
                "both" => (true, true),
                "start" => (true, false),
                "end" => (false, true),
                _ => return Err("expected `both`, `start` or `end`".into()),
            };
            Meaning::Trim { start, end, class: class(set.trim())? }
        }
        "map" => {
            let (set, to) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            Meaning::Map { class: class(set)?, to: to.trim().into() }
        }
        "lower" => Meaning::Lower,
        "upper" => Meaning::Upper,
        _ => return Err(format!("unknown meaning `{kind}`: the head of `std.table` lists them")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_lines_correct_those_that_ship() {
        let own =
            ("own".to_owned(), "# mine\nchar.is_ascii_digit in [01]\nfn.a::b ok x+\n".to_owned());
        let table = Table::new(&[own]).unwrap();
        assert_eq!(table.get("char", "is_ascii_digit"), Some(&Meaning::In("[01]".into())));
        assert!(table.function(&["crate".into(), "a".into(), "b".into()]).is_some());
        assert!(table.function(&["b".into()]).is_none());
        for (text, word) in [
            ("x\n", "RECEIVER"),
            ("str.x nonsense", "nonsense"),
            ("str.x in [", "]"),
            ("str.x trim here a", "both"),
            ("char.x property blue", "uppercase"),
        ] {
            let error = Table::new(&[("own".into(), text.into())]).unwrap_err().to_string();
            assert!(error.starts_with("own:1: ") && error.contains(word), "{error}");
        }
    }

    #[test]
    fn addresses_are_those_that_the_standard_library_parses() {
        let table = Table::new(&[]).unwrap();
        let Some(Meaning::Fallible { regex, .. }) = table.get("parse", "IpAddr") else { panic!() };
        let dfa = Dfa::from_regex(regex, Alphabet::Unicode, &AutomatonLimits::default()).unwrap();
        for text in [
            "1.2.3.4",
            "01.2.3.4",
            "1.2.3",
            "::",
            "::1",
            "1::",
            "1:2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7::",
            "::2:3:4:5:6:7:8",
            "1::3:4:5:6:7:8",
            "1:2:3:4:5:6:7:8::",
            "::1.2.3.4",
            "1:2:3:4:5:6:1.2.3.4",
            "1:2:3:4:5::1.2.3.4",
            "1:2:3:4:5:6::1.2.3.4",
            "12345::",
            "1::2::3",
            ":1",
            "1:",
            "::ffff:0:1.2.3.4",
            "1:2:3:4:5:6:7:1.2.3.4",
            "::1.2.3.4:5",
            "1.2.3.4::",
            "0000::00000",
            "",
        ] {
            let parsed = text.parse::<std::net::IpAddr>().is_ok();
            assert_eq!(dfa.contains_bytes(text.as_bytes()), parsed, "{text}");
        }
    }
}
