//! The two sides that are compared, as they are named on the command line.

use std::path::{Path, PathBuf};

use pleach::differential::{DifferentialError, Groups, Language, TestString};
use pleach::grammar::Grammar;
use pleach::parse::{Parser, Scratch};
use pleach::regular::Limits;
use pleach::table::{Lowering, Table};
use pleach::tree::{Outline, Tree};

use crate::failure::Failure;
use crate::load::grammar;

/// A specification or an implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// No string at all.
    Nothing,
    /// What a regex matches.
    Regex(String),
    /// What a rule of a grammar derives.
    Rule { grammar: PathBuf, rule: String },
    /// A specification of the repository.
    Known(String),
    /// A function of Rust source, and which of its parameters.
    Function { file: PathBuf, function: String, parameter: Option<String> },
    /// A command of the shell, of whose language nothing is known.
    Command(String),
}

impl Side {
    /// A specification: nothing, `known:NAME`, `GRAMMAR#rule` or a regex.
    pub(crate) fn specification(text: &str) -> Self {
        match text {
            "" => Self::Nothing,
            _ => match text.strip_prefix("known:") {
                Some(name) => Self::Known(name.into()),
                None => Self::either(text),
            },
        }
    }

    /// An implementation: `cmd:COMMAND`, `FILE.rs#function[:parameter]`, `GRAMMAR#rule` or a
    /// regex.
    pub(crate) fn implementation(text: &str) -> Self {
        if let Some(command) = text.strip_prefix("cmd:") {
            return Self::Command(command.into());
        }
        match text.split_once(".rs#") {
            Some((file, function)) if !file.is_empty() && !text.starts_with("regex:") => {
                // A path has two colons, and a parameter is after one.
                let at = function
                    .rfind(':')
                    .filter(|&at| !function[..at].ends_with(':') && !function[at + 1..].is_empty());
                let (function, parameter) = match at {
                    Some(at) => (&function[..at], Some(function[at + 1..].into())),
                    None => (function, None),
                };
                let file = PathBuf::from(format!("{file}.rs"));
                Self::Function { file, function: function.into(), parameter }
            }
            _ => Self::either(text),
        }
    }

    /// What either side can be.
    fn either(text: &str) -> Self {
        if let Some(pattern) = text.strip_prefix("regex:") {
            return Self::Regex(pattern.into());
        }
        match text.rsplit_once('#') {
            Some((path, rule)) if is_grammar(Path::new(path)) && is_name(rule) => {
                Self::Rule { grammar: path.into(), rule: rule.into() }
            }
            _ => Self::Regex(text.into()),
        }
    }
}

/// Whether a path is more likely that of a grammar than a part of a regex.
fn is_grammar(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pleach") || path.is_file()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_alphanumeric() || "_-.".contains(it))
}

/// What is known about a side.
pub(crate) struct Loaded {
    /// Its strings; none where only running it tells.
    pub(crate) language: Option<Language>,
    source: Source,
}

enum Source {
    Pattern(String),
    Grammar(Box<Grammar>, String),
    Other,
}

impl Loaded {
    /// Reads what a side names; a rule that is not regular is followed to `depth`, if that is
    /// given.
    pub(crate) fn new(side: &Side, depth: Option<usize>, limits: &Limits) -> Result<Self, Failure> {
        let (language, source) = match side {
            Side::Nothing => (Some(Language::nothing()), Source::Other),
            Side::Regex(pattern) => {
                let language = Language::regex(pattern, limits)
                    .map_err(|error| in_pattern(pattern, &error))?;
                (Some(language), Source::Pattern(pattern.clone()))
            }
            Side::Rule { grammar: path, rule } => {
                let grammar = grammar(path)?;
                let language = Language::rule(&grammar, rule, depth, limits).map_err(|error| {
                    let hint = match error.is_not_regular() {
                        true => "\n--depth N follows it N levels deep",
                        false => "",
                    };
                    failed(&error, format!("{}{hint}", error.to_string().trim_end()))
                })?;
                (Some(language), Source::Grammar(grammar.into(), rule.clone()))
            }
            Side::Known(name) => return Err(not_built_in(format_args!("known:{name}"))),
            Side::Function { file, function, .. } => {
                return Err(not_built_in(format_args!("{}#{function}", file.display())));
            }
            Side::Command(_) => (None, Source::Other),
        };
        Ok(Self { language, source })
    }

    /// What the value of a string should be: the part that a group of the regex or a rule of the
    /// grammar has of it.
    pub(crate) fn expectation(&self, name: &str, limits: &Limits) -> Result<Expectation, Failure> {
        match &self.source {
            Source::Pattern(pattern) => {
                let group = Groups::new(pattern, name, limits)
                    .map_err(|error| failed(&error, format!("error: --expect: {error}")))?;
                Ok(Expectation::Group(group))
            }
            Source::Grammar(grammar, start) => {
                let lowered =
                    Lowering::new().start(start).lower(grammar).map_err(Failure::input)?;
                if lowered.table.names().find_rule(name).is_none() {
                    let message =
                        format!("error: --expect: rule `{start}` does not lead to a rule `{name}`");
                    return Err(Failure::Input(message));
                }
                Ok(Expectation::Rule(Box::new(lowered.table), name.into()))
            }
            Source::Other => Err(Failure::input(
                "error: --expect needs a specification that is a regex with groups, or a rule of a \
                 grammar",
            )),
        }
    }
}

fn not_built_in(what: std::fmt::Arguments<'_>) -> Failure {
    Failure::Input(format!("error: {what}: this kind of side is not built in"))
}

/// A failure with the exit code that an error has.
pub(crate) fn failed(error: &DifferentialError, message: String) -> Failure {
    match error.is_size_limit_exceeded() {
        true => Failure::Budget(message),
        false => Failure::Input(message),
    }
}

/// What is wrong with a pattern, and where.
fn in_pattern(pattern: &str, error: &DifferentialError) -> Failure {
    let place = match error.span().filter(|_| !pattern.contains('\n')) {
        Some((start, end)) => {
            let column = pattern.get(..start).map_or(0, |before| before.chars().count());
            let width = pattern.get(start..end).map_or(1, |part| part.chars().count().max(1));
            format!("\n  {pattern}\n  {}{}", " ".repeat(column), "^".repeat(width))
        }
        None => String::new(),
    };
    failed(error, format!("error: {error}{place}"))
}

/// Which part of a string its value should be.
pub(crate) enum Expectation {
    Group(Groups),
    Rule(Box<Table>, String),
}

impl Expectation {
    /// The text that a rule has of a string: the first of it, and none where the string has no
    /// tree.
    pub(crate) fn of_rule(table: &Table, rule: &str, string: &TestString) -> Option<String> {
        let wanted = table.names().find_rule(rule)?;
        let text = string.text.as_bytes();
        let mut tree = Tree::new();
        Parser::new(table).parse(text, &mut Scratch::new(), &mut tree).ok()?;
        let outline = Outline::new(table, &tree);
        let mut nodes = tree.nodes().iter();
        let found = nodes.position(|node| table.rule_behind(node.symbol) == Some(wanted));
        // A part that may be left out is then empty.
        let span = found.map_or(0..0, |node| outline.span(node));
        Some(String::from_utf8_lossy(&text[span]).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_told_apart() {
        let regex = |pattern: &str| Side::Regex(pattern.into());
        let rule = Side::Rule { grammar: "x.pleach".into(), rule: "a.b".into() };
        for (text, expected) in [
            ("", Side::Nothing),
            ("regex:", regex("")),
            ("known:port", Side::Known("port".into())),
            ("x.pleach#a.b", rule.clone()),
            ("#[0-9a-f]{6}", regex("#[0-9a-f]{6}")),
            ("a#b", regex("a#b")),
            ("regex:x.pleach#a", regex("x.pleach#a")),
        ] {
            assert_eq!(Side::specification(text), expected, "{text}");
        }
        let function = |function: &str, parameter: Option<&str>| Side::Function {
            file: "src/a.rs".into(),
            function: function.into(),
            parameter: parameter.map(Into::into),
        };
        for (text, expected) in [
            ("cmd:grep -q x", Side::Command("grep -q x".into())),
            ("src/a.rs#f", function("f", None)),
            ("src/a.rs#f:text", function("f", Some("text"))),
            ("src/a.rs#m::T::f", function("m::T::f", None)),
            ("src/a.rs#m::f:text", function("m::f", Some("text"))),
            ("x.pleach#a.b", rule),
            ("[a-z]+", regex("[a-z]+")),
        ] {
            assert_eq!(Side::implementation(text), expected, "{text}");
        }
    }
}
