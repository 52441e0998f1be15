//! The operands, a specification and an implementation, as they are named on the command line.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use pleach::differential::infer::Infer;
use pleach::differential::{DifferentialError, Groups, Language, printed};
use pleach::grammar::Grammar;
use pleach::parse::{Parser, Scratch};
use pleach::regular::AutomatonLimits;
use pleach::table::{Lowering, RuleId, Table};
use pleach::tree::{Outline, Tree};

use crate::failure::Failure;
use crate::infer::{divide, sources, with_tables};
use crate::known::{KnownFiles, failure};
use crate::load::grammar;

/// One of the two that are compared: a specification or an implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// No string at all.
    Nothing,
    /// What a regex matches.
    Regex(String),
    /// What a rule of a grammar derives; without a name, the start rule.
    Rule { grammar: PathBuf, rule: String },
    /// A specification of the repository.
    Known(String),
    /// A function of Rust source, and which of its parameters.
    Function { file: PathBuf, function: String, parameter: Option<String> },
    /// A command of the shell, of whose language nothing is known.
    Command(String),
}

impl Operand {
    /// A specification: nothing, `known:NAME`, `GRAMMAR#rule` or a regex.
    pub(crate) fn specification(text: &str) -> Result<Self, Failure> {
        let refused = |what| {
            Err(Failure::Input(format!(
                "error: --spec {text}: {what} cannot be the specification: name it with --impl, or write \
                 `regex:` before a regex"
            )))
        };
        match text {
            "" => Ok(Self::Nothing),
            _ if text.starts_with("cmd:") => refused("a command"),
            _ if is_function(text) => refused("a function"),
            _ => Self::either(text),
        }
    }

    /// An implementation: `cmd:COMMAND`, `FILE.rs#function[:parameter]`, `known:NAME`,
    /// `GRAMMAR#rule` or a regex.
    pub(crate) fn implementation(text: &str) -> Result<Self, Failure> {
        if let Some(command) = text.strip_prefix("cmd:") {
            return Ok(Self::Command(command.into()));
        }
        if is_function(text) {
            let (file, function, parameter) = divide(text)?;
            return Ok(Self::Function { file, function, parameter });
        }
        Self::either(text)
    }

    /// What either operand can be.
    fn either(text: &str) -> Result<Self, Failure> {
        if let Some(pattern) = text.strip_prefix("regex:") {
            return Ok(Self::Regex(pattern.into()));
        }
        if let Some(name) = text.strip_prefix("known:") {
            return Ok(Self::Known(name.into()));
        }
        match text.rsplit_once('#') {
            Some((path, rule)) if is_grammar(Path::new(path)) && is_name(rule) => {
                Ok(Self::Rule { grammar: path.into(), rule: rule.into() })
            }
            None if has_extension(Path::new(text)) => {
                Ok(Self::Rule { grammar: text.into(), rule: String::new() })
            }
            None if Path::new(text).is_file() => Err(Failure::Input(format!(
                "error: {text} is a file: name a function in it as {text}#FUNCTION or a rule as {text}#RULE, \
                 or write `regex:` before a regex"
            ))),
            None if text.strip_prefix("bin:").is_some_and(is_name) => Err(Failure::Input(format!(
                "error: {text} is no language: name a function as FILE.rs#FUNCTION or a command as `cmd:COMMAND`, or write `regex:` before a regex"
            ))),
            _ => Ok(Self::Regex(text.into())),
        }
    }
}

/// Whether a text names a function of a source file.
fn is_function(text: &str) -> bool {
    !text.starts_with("regex:")
        && text
            .rsplit_once('#')
            .is_some_and(|(path, name)| path.ends_with(".rs") && !name.is_empty())
}

/// Whether a path is more likely that of a grammar than a part of a regex.
fn is_grammar(path: &Path) -> bool {
    has_extension(path) || path.is_file()
}

fn has_extension(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pleach")
}

/// Whether a text may name a rule; the empty one is the start rule's.
fn is_name(text: &str) -> bool {
    text.chars().all(|it| it.is_alphanumeric() || "_-.".contains(it))
}

/// What operands are read with.
pub(crate) struct Means<'a> {
    pub(crate) known: &'a KnownFiles,
    /// How deep a rule is followed that is not regular, if it is.
    pub(crate) depth: Option<usize>,
    /// Tables of what functions of libraries mean.
    pub(crate) functions: &'a [PathBuf],
}

/// What is known about an operand.
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
    /// Reads what an operand names.
    pub(crate) fn new(
        operand: &Operand,
        means: &Means<'_>,
        limits: &AutomatonLimits,
    ) -> Result<Self, Failure> {
        let (language, source) = match operand {
            Operand::Nothing => (Some(Language::nothing()), Source::Other),
            Operand::Regex(pattern) => {
                let language = Language::regex(pattern, limits)
                    .map_err(|error| in_pattern(pattern, &error))?;
                (Some(language), Source::Pattern(pattern.clone()))
            }
            Operand::Rule { grammar: path, rule } => {
                let grammar = grammar(path)?;
                let first = || grammar.rules.first().map(|rule| &rule.name);
                let start = grammar.start.as_ref().or_else(first).map(|name| &name.text);
                let rule = if rule.is_empty() { start.unwrap_or(rule) } else { rule }.clone();
                let language =
                    Language::rule(&grammar, &rule, means.depth, limits).map_err(|error| {
                        let hint = match error.is_not_regular() {
                            true => "\n--depth N follows it N levels deep",
                            false => "",
                        };
                        let message = error.to_string();
                        let prefix = if message.starts_with("error") { "" } else { "error: " };
                        failed(&error, format!("{prefix}{}{hint}", message.trim_end()))
                    })?;
                (Some(language), Source::Grammar(grammar.into(), rule))
            }
            Operand::Known(name) => {
                let known = means.known.read()?;
                let structure = known.find(name).map_err(failure)?;
                let language = structure
                    .language(limits)
                    .map_err(|error| in_pattern(structure.pattern(), &error))?;
                (Some(language), Source::Pattern(structure.pattern().to_owned()))
            }
            Operand::Function { file, function, parameter } => {
                let inference = with_tables(Infer::new(), means.functions)?
                    .run(&sources(file)?, function, parameter.as_deref())
                    .map_err(crate::infer::failure)?;
                let mut language =
                    Language::of(inference.language).with_specials(inference.specials);
                for imprecision in &inference.imprecisions {
                    language = language.inexact(imprecision.to_string());
                }
                (Some(language), Source::Other)
            }
            Operand::Command(_) => (None, Source::Other),
        };
        Ok(Self { language, source })
    }

    /// What the value of a string should be: the part that a group of the regex or a rule of the
    /// grammar has of it.
    pub(crate) fn expectation(
        &self,
        name: &str,
        limits: &AutomatonLimits,
    ) -> Result<Expectation, Failure> {
        match &self.source {
            Source::Pattern(pattern) => {
                let group = Groups::new(pattern, name, limits)
                    .map_err(|error| failed(&error, format!("error: --expect: {error}")))?;
                Ok(Expectation::Group(group))
            }
            Source::Grammar(grammar, start) => {
                let lowered =
                    Lowering::new().start(start).lower(grammar).map_err(Failure::grammar)?;
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

impl Loaded {
    /// The same language with the characters of a group in their other role, so that what is in the group and what is
    /// outside are told apart; none where that cannot be.
    pub(crate) fn marked(&self, group: &str, limits: &AutomatonLimits) -> Option<Language> {
        let (Some(language), Source::Pattern(pattern)) = (&self.language, &self.source) else {
            return None;
        };
        let marked = ["(?<", "(?P<"].iter().fold(pattern.clone(), |pattern, begins| {
            pattern.replace(&format!("{begins}{group}>"), &format!("{begins}data_{group}>"))
        });
        let marked = Language::regex(&marked, limits).ok()?;
        // What looks like a group may be none, where a bracket is escaped.
        let same =
            language.texts(limits).ok()?.symmetric_difference(&marked.texts(limits).ok()?, limits);
        same.is_ok_and(|difference| difference.is_empty()).then_some(marked)
    }
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

/// Tells of a text what its value should be, where that is known.
pub(crate) type Values<'e> = Box<dyn Fn(&str) -> Option<String> + 'e>;

/// Which part of a string its value should be.
pub(crate) enum Expectation {
    Group(Groups),
    Rule(Box<Table>, String),
}

impl Expectation {
    /// What the values of texts should be that the specification has; none where a text has no reading or tree.
    pub(crate) fn values<'e>(&'e self, specification: &'e Language) -> Values<'e> {
        match self {
            Self::Group(group) => Box::new(|text| {
                let symbols = specification.reading(text)?;
                let range = group.find(&symbols)?;
                Some(range.map(|range| printed(&symbols[range])).unwrap_or_default())
            }),
            Self::Rule(table, rule) => {
                let reader = RuleReader::new(table, rule);
                Box::new(move |text| reader.value(text.as_bytes()))
            }
        }
    }
}

/// Reads what a rule has of texts.
pub(crate) struct RuleReader<'t> {
    table: &'t Table,
    rule: Option<RuleId>,
    parser: Parser<'t>,
    memory: RefCell<(Scratch, Tree)>,
}

impl<'t> RuleReader<'t> {
    pub(crate) fn new(table: &'t Table, rule: &str) -> Self {
        Self {
            table,
            rule: table.names().find_rule(rule),
            parser: Parser::new(table),
            memory: RefCell::default(),
        }
    }

    /// The text that the rule has of another: the first of it, and none where that has no tree.
    pub(crate) fn value(&self, text: &[u8]) -> Option<String> {
        let wanted = self.rule?;
        let (scratch, tree) = &mut *self.memory.borrow_mut();
        self.parser.parse(text, scratch, tree).ok()?;
        let outline = Outline::new(self.table, tree);
        let mut nodes = tree.nodes().iter();
        let found = nodes.position(|node| self.table.rule_behind(node.symbol) == Some(wanted));
        // A part that may be left out is then empty.
        let span = found.map_or(0..0, |node| outline.span(node));
        Some(String::from_utf8_lossy(&text[span]).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_specification_is_refused() {
        for text in ["cmd:true", "src/a.rs#f", "Cargo.toml", "bin:tool"] {
            assert!(Operand::specification(text).is_err(), "{text}");
        }
        assert!(Operand::implementation("Cargo.toml").is_err());
    }

    #[test]
    fn sides_are_told_apart() {
        let regex = |pattern: &str| Operand::Regex(pattern.into());
        let rule = Operand::Rule { grammar: "x.pleach".into(), rule: "a.b".into() };
        for (text, expected) in [
            ("", Operand::Nothing),
            ("regex:", regex("")),
            ("known:port", Operand::Known("port".into())),
            ("x.pleach#a.b", rule.clone()),
            ("x.pleach", Operand::Rule { grammar: "x.pleach".into(), rule: String::new() }),
            ("#[0-9a-f]{6}", regex("#[0-9a-f]{6}")),
            ("a#b", regex("a#b")),
            ("regex:x.pleach#a", regex("x.pleach#a")),
        ] {
            assert_eq!(Operand::specification(text).ok(), Some(expected), "{text}");
        }
        let function = |function: &str, parameter: Option<&str>| Operand::Function {
            file: "src/a.rs".into(),
            function: function.into(),
            parameter: parameter.map(Into::into),
        };
        for (text, expected) in [
            ("known:port", Operand::Known("port".into())),
            ("cmd:grep -q x", Operand::Command("grep -q x".into())),
            ("src/a.rs#f", function("f", None)),
            ("src/a.rs#f:text", function("f", Some("text"))),
            ("src/a.rs#m::T::f", function("m::T::f", None)),
            ("src/a.rs#m::f:text", function("m::f", Some("text"))),
            ("x.pleach#a.b", rule),
            ("[a-z]+", regex("[a-z]+")),
        ] {
            assert_eq!(Operand::implementation(text).ok(), Some(expected), "{text}");
        }
    }
}
