//! From the texts of a grammar to the bytes of its table and parser.

use pleach_core::grammar::{Files, Grammar, GrammarError};
use pleach_core::internal::pack;
use pleach_core::table::Lowering;

/// A packed table with its parser.
#[derive(Debug)]
pub(crate) struct Compiled(pub(crate) Vec<u8>);

impl Compiled {
    /// Compiles the first of some files, by name and text, which may include the others; or says what is wrong.
    pub(crate) fn new(files: &[(String, String)], start: Option<&str>) -> Result<Self, String> {
        let grammar = read(files, start).map_err(|error| error.to_string())?;
        let mut lowering = Lowering::new();
        if let Some(start) = start {
            lowering = lowering.start(start);
        }
        let lowered = lowering.lower(&grammar).map_err(|error| error.to_string())?;
        let names = lowered.table.names();
        let rules = grammar.rules.iter().map(|rule| rule.name.text.as_str());
        let left_out = rules.filter(|name| names.find_rule(name).is_none());
        Ok(Self(pack(&lowered.table, left_out)))
    }
}

/// A grammar in any notation.
#[cfg(feature = "import")]
fn read(files: &[(String, String)], start: Option<&str>) -> Result<Grammar, GrammarError> {
    let (name, text) = main(files);
    let mut importer = pleach_import::import::Importer::new();
    if let Some(start) = start {
        importer = importer.start(start);
    }
    Ok(importer.read(name, text, &Files::new(files.iter().cloned()))?.grammar)
}

/// A grammar in the native notation.
#[cfg(not(feature = "import"))]
fn read(files: &[(String, String)], _: Option<&str>) -> Result<Grammar, GrammarError> {
    let (name, text) = main(files);
    Grammar::read(name, text, &Files::new(files.iter().cloned()))
}

fn main(files: &[(String, String)]) -> (&str, &str) {
    files.first().map_or(("", ""), |(name, text)| (name, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_core::internal::unpack;

    fn compiled(text: &str, start: Option<&str>) -> Result<Compiled, String> {
        Compiled::new(&[("it.pleach".into(), text.into())], start)
    }

    #[test]
    fn what_the_start_rule_does_not_lead_to_is_known_by_name() {
        let bytes = compiled("a = b; b = [0-9]+; c = \"x\" | a;", None).unwrap().0;
        let (table, left_out) = unpack(&bytes).unwrap();
        assert_eq!(table.named_rule_count(), 2);
        assert_eq!(left_out, ["c"]);
        let (table, left_out) =
            unpack(&compiled("a = \"x\"; b = \"y\";", Some("b")).unwrap().0).unwrap();
        assert_eq!((table.names().rule(table.start()), left_out), ("b", vec!["a".to_owned()]));
    }

    #[test]
    fn a_mistake_is_named_by_its_place() {
        let message = compiled("a = b;\n", None).unwrap_err();
        assert!(message.contains("it.pleach:1:5"), "{message}");
    }
}
