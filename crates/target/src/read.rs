//! A grammar that is read when the target starts.

use pleach_core::grammar::{Diagnostic, Files, Grammar, GrammarError, Resolver, SourceFile};
use pleach_core::internal::resolved;
use pleach_core::table::{Lowering, Table};

use crate::fuzz::TargetOptions;

impl TargetOptions {
    /// Reads the grammar, the first of some files by name and text; it may include the others.
    ///
    /// # Errors
    ///
    /// What is wrong with the grammar, or that it has no rule that texts are given for.
    pub fn table(&self, files: &[(&str, &str)]) -> Result<Table, GrammarError> {
        let grammar = read_grammar(files, self.start.as_deref())?;
        let has = |name: &str| grammar.rules.iter().any(|rule| rule.name.text == name);
        if let Some((missing, _)) = self.implants.iter().find(|(rule, _)| !has(rule)) {
            let span = grammar.rules.first().map(|rule| rule.name.span).unwrap_or_default();
            let message = format!("there is no rule `{missing}` for the texts of `implants`");
            let found = Diagnostic::error(span, message).help("name a rule of this grammar");
            return Err(GrammarError::new(grammar.files.clone(), vec![found]));
        }
        table_of(&grammar, self.start.as_deref())
    }
}

/// The table of the first of some files, which may include the others, from a start rule.
///
/// # Errors
///
/// Where a file does not parse, an include is missing, or the grammar cannot be lowered.
pub fn read_table(files: &[(&str, &str)], start: Option<&str>) -> Result<Table, GrammarError> {
    table_of(&read_grammar(files, start)?, start)
}

fn table_of(grammar: &Grammar, start: Option<&str>) -> Result<Table, GrammarError> {
    let mut lowering = Lowering::new();
    if let Some(start) = start {
        lowering = lowering.start(start);
    }
    Ok(lowering.lower(grammar)?.table)
}

/// The first of some files, which may include the others.
///
/// # Errors
///
/// Where a file does not parse, an include is missing, or the grammar cannot be lowered.
pub fn read_grammar(files: &[(&str, &str)], start: Option<&str>) -> Result<Grammar, GrammarError> {
    let (name, text) = files.first().copied().unwrap_or_default();
    read(name, text, start, &Named(Files::new(files.iter().copied())))
}

/// The files that the macro names.
struct Named(Files);

impl Resolver for Named {
    fn resolve(&self, including: &str, path: &str) -> Result<SourceFile, String> {
        self.0.resolve(including, path).map_err(|_| {
            let name = resolved(including, path);
            format!("it is not named in the macro: write `{name}` behind the grammar, `grammar: [\"...\", \"{name}\"]`")
        })
    }
}

/// A grammar in any notation.
#[cfg(feature = "read-import")]
fn read(
    name: &str,
    text: &str,
    start: Option<&str>,
    files: &Named,
) -> Result<Grammar, GrammarError> {
    let mut importer = pleach_import::import::Importer::new();
    if let Some(start) = start {
        importer = importer.start(start);
    }
    Ok(importer.read(name, text, files)?.grammar)
}

/// A grammar in the native notation.
#[cfg(not(feature = "read-import"))]
fn read(name: &str, text: &str, _: Option<&str>, files: &Named) -> Result<Grammar, GrammarError> {
    Grammar::read(name, text, files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_included_and_not_named_is_named_in_the_message() {
        let main = ("../grammars/a.pleach", "%include \"parts/b.pleach\"; a = b;");
        let message = read_table(&[main], None).unwrap_err().to_string();
        assert!(message.contains("../grammars/a.pleach:1:"), "{message}");
        assert!(
            message.contains("grammar: [\"...\", \"../grammars/parts/b.pleach\"]"),
            "{message}"
        );
        let both = [main, ("../grammars/parts/b.pleach", "b = \"x\";")];
        assert!(read_table(&both, None).is_ok());
    }
}
