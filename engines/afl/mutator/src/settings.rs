//! What the environment says.

use std::ffi::OsString;
use std::path::PathBuf;

use pleach::build::FileSystem;
use pleach::fuzz::TargetOptions;
use pleach::grammar::Grammar;
use pleach::table::{Lowering, Table};

/// What the environment says.
///
/// | variable | what it is | default |
/// | --- | --- | --- |
/// | `PLEACH_GRAMMAR` | the grammar's file | must be given |
/// | `PLEACH_START` | the rule that inputs are derived from | the grammar's |
/// | `PLEACH_MAX_SIZE` | the most bytes of a mutant, or of its base if that is longer | 4096 |
/// | `PLEACH_MAX_DEPTH` | the greatest depth of a derivation tree | 256 more than the least |
/// | `PLEACH_BREAKING` | how many mutations of 256 leave the language | 32 |
/// | `PLEACH_ONLY` | only these mutators, with commas between them | all |
/// | `PLEACH_WITHOUT` | not these mutators | none |
///
/// `AFL_CUSTOM_MUTATOR_ONLY=1` with `PLEACH_BREAKING=0` keeps all inputs in the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    grammar: PathBuf,
    start: Option<String>,
    pub(crate) max_size: usize,
    max_depth: Option<u32>,
    breaking: Option<u8>,
    only: Option<Vec<String>>,
    without: Vec<String>,
}

impl Settings {
    /// The most bytes of a mutant by default: libFuzzer's. AFL++ itself would take 1 MiB.
    pub const DEFAULT_MAX_SIZE: usize = 4096;

    /// Reads the variables by a function such as `std::env::var_os`.
    ///
    /// # Errors
    ///
    /// Where the grammar is not named, or a value is of another kind: which, and what is expected.
    pub fn read(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, String> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let text = |name: &str| match set(name).map(OsString::into_string) {
            None => Ok(None),
            Some(Ok(text)) => Ok(Some(text)),
            Some(Err(_)) => Err(format!("{name} is not UTF-8")),
        };
        let number = |name: &str, most: u64| {
            let Some(text) = text(name)? else { return Ok(None) };
            match text.parse::<u64>() {
                Ok(number) if number <= most => Ok(Some(number)),
                _ => Err(format!("{name} is `{text}`; it must be a number from 0 to {most}")),
            }
        };
        let names = |name: &str| {
            let split = |text: String| text.split(',').map(|name| name.trim().to_owned()).collect();
            text(name).map(|text| text.map(split))
        };
        let grammar = set("PLEACH_GRAMMAR")
            .ok_or("no grammar; set PLEACH_GRAMMAR to the path of a .pleach file")?;
        let max_size = number("PLEACH_MAX_SIZE", u32::MAX.into())?;
        Ok(Self {
            grammar: grammar.into(),
            start: text("PLEACH_START")?,
            max_size: max_size.map_or(Self::DEFAULT_MAX_SIZE, |size| size as usize),
            max_depth: number("PLEACH_MAX_DEPTH", u32::MAX.into())?.map(|depth| depth as u32),
            breaking: number("PLEACH_BREAKING", u8::MAX.into())?.map(|share| share as u8),
            only: names("PLEACH_ONLY")?,
            without: names("PLEACH_WITHOUT")?.unwrap_or_default(),
        })
    }

    /// Reads the grammar and what it includes.
    ///
    /// # Errors
    ///
    /// What is wrong with the files or the grammar, with file, line and column.
    pub fn table(&self) -> Result<Table, String> {
        let files = FileSystem::new();
        let main = files.read(&self.grammar).map_err(|error| format!("PLEACH_GRAMMAR: {error}"))?;
        let grammar = Grammar::read(&main.name, &main.text, &files)
            .map_err(|error| format!("PLEACH_GRAMMAR: {error}"))?;
        let mut lowering = Lowering::new();
        if let Some(start) = &self.start {
            lowering = lowering.start(start);
        }
        Ok(lowering.lower(&grammar).map_err(|error| error.to_string())?.table)
    }

    /// How a fuzzer goes.
    pub(crate) fn options(&self) -> TargetOptions {
        // AFL++ has stages for bytes; with `AFL_CUSTOM_MUTATOR_ONLY` they are not wanted.
        let mut options = TargetOptions::new().bytes(0).max_bytes(self.max_size);
        if let Some(depth) = self.max_depth {
            options = options.max_depth(depth);
        }
        if let Some(of_256) = self.breaking {
            options = options.breaking(of_256);
        }
        if let Some(only) = &self.only {
            options = options.only(only.iter().map(String::as_str));
        }
        options.without(self.without.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, String> {
        Settings::read(|name| {
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into())
        })
    }

    #[test]
    fn what_is_wrong_is_named() {
        let path = "PLEACH_GRAMMAR";
        for (variables, expected) in [
            (&[][..], "set PLEACH_GRAMMAR"),
            (&[(path, "")], "set PLEACH_GRAMMAR"),
            (&[(path, "a"), ("PLEACH_BREAKING", "256")], "PLEACH_BREAKING is `256`"),
            (&[(path, "a"), ("PLEACH_MAX_SIZE", "1k")], "from 0 to 4294967295"),
        ] {
            let error = read(variables).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        let error = read(&[(path, "no/such.pleach")]).unwrap().table().unwrap_err();
        assert!(error.contains("PLEACH_GRAMMAR: no/such.pleach: "), "{error}");
        let error = read(&[(path, "Cargo.toml")]).unwrap().table().unwrap_err();
        assert!(error.contains("Cargo.toml:1:"), "{error}");
    }

    #[test]
    fn what_is_said_is_taken() {
        let settings = read(&[
            ("PLEACH_GRAMMAR", "../../../grammars/json.pleach"),
            ("PLEACH_START", "array"),
            ("PLEACH_ONLY", "regrow, splice"),
            ("PLEACH_MAX_SIZE", "100"),
        ])
        .unwrap();
        assert_eq!(settings.only, Some(vec!["regrow".into(), "splice".into()]));
        assert_eq!(settings.max_size, 100);
        let table = settings.table().unwrap();
        assert_eq!(table.names().find_rule("array"), Some(table.start()));
        assert!(settings.options().fuzzer(&table).is_ok());
        let settings = read(&[
            ("PLEACH_GRAMMAR", "../../../grammars/json.pleach"),
            ("PLEACH_WITHOUT", "graft"),
        ]);
        let error = settings.unwrap().options().fuzzer(&table).err().unwrap().to_string();
        assert!(error.contains("no mutator `graft`"), "{error}");
    }
}
