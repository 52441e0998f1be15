//! From the texts of a grammar to the bytes of its table and parser.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use pleach_core::grammar::{Files, Grammar, GrammarError, Resolver, SourceFile};
use pleach_core::internal::{pack, resolved};
use pleach_core::table::Lowering;

/// A grammar, and the files that were included without being named.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) grammar: Grammar,
    pub(crate) included: Vec<PathBuf>,
}

impl Source {
    /// Reads the first of some files, by name and text, which may include the others and what else there is, from a folder that
    /// names are relative to; or says what is wrong.
    pub(crate) fn new(
        files: &[(String, String)],
        folder: &Path,
        start: Option<&str>,
    ) -> Result<Self, String> {
        let named = Files::new(files.iter().cloned());
        let beside = Beside { named, folder, included: RefCell::default() };
        let grammar = read(files, &beside, start).map_err(|error| error.to_string())?;
        Ok(Self { grammar, included: beside.included.into_inner() })
    }

    /// The packed table of the grammar, with its parser; or what is wrong.
    pub(crate) fn table(&self, start: Option<&str>) -> Result<Vec<u8>, String> {
        let mut lowering = Lowering::new();
        if let Some(start) = start {
            lowering = lowering.start(start);
        }
        let lowered = lowering.lower(&self.grammar).map_err(|error| error.to_string())?;
        let names = lowered.table.names();
        let rules = self.grammar.rules.iter().map(|rule| rule.name.text.as_str());
        let left_out = rules.filter(|name| names.find_rule(name).is_none());
        Ok(pack(&lowered.table, left_out))
    }
}

/// The files that are named, and those that are not where they are included.
struct Beside<'f> {
    named: Files,
    folder: &'f Path,
    included: RefCell<Vec<PathBuf>>,
}

impl Resolver for Beside<'_> {
    fn resolve(&self, including: &str, path: &str) -> Result<SourceFile, String> {
        if let Ok(named) = self.named.resolve(including, path) {
            return Ok(named);
        }
        let name = resolved(including, path);
        let path = self.folder.join(&name);
        let text = fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        self.included.borrow_mut().push(path);
        Ok(SourceFile::new(name, text))
    }
}

/// A grammar in any notation.
#[cfg(feature = "import")]
fn read(
    files: &[(String, String)],
    beside: &Beside<'_>,
    start: Option<&str>,
) -> Result<Grammar, GrammarError> {
    let (name, text) = main(files);
    let mut importer = pleach_import::import::Importer::new();
    if let Some(start) = start {
        importer = importer.start(start);
    }
    Ok(importer.read(name, text, beside)?.grammar)
}

/// A grammar in the native notation.
#[cfg(not(feature = "import"))]
fn read(
    files: &[(String, String)],
    beside: &Beside<'_>,
    _: Option<&str>,
) -> Result<Grammar, GrammarError> {
    let (name, text) = main(files);
    Grammar::read(name, text, beside)
}

fn main(files: &[(String, String)]) -> (&str, &str) {
    files.first().map_or(("", ""), |(name, text)| (name, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_core::internal::unpack;

    fn compiled(text: &str, start: Option<&str>) -> Result<Vec<u8>, String> {
        Source::new(&[("it.pleach".into(), text.into())], Path::new(""), start)?.table(start)
    }

    #[test]
    fn what_the_start_rule_does_not_lead_to_is_known_by_name() {
        let bytes = compiled("a = b; b = [0-9]+; c = \"x\" | a;", None).unwrap();
        let (table, left_out) = unpack(&bytes).unwrap();
        assert_eq!(table.named_rule_count(), 2);
        assert_eq!(left_out, ["c"]);
        let bytes = compiled("a = \"x\"; b = \"y\";", Some("b")).unwrap();
        let (table, left_out) = unpack(&bytes).unwrap();
        assert_eq!((table.names().rule(table.start()), left_out), ("b", vec!["a".to_owned()]));
    }

    #[test]
    fn a_mistake_is_named_by_its_place() {
        let message = compiled("a = b;\n", None).unwrap_err();
        assert!(message.contains("it.pleach:1:5"), "{message}");
    }

    #[test]
    fn what_is_included_is_read_from_where_it_is() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let name = "src/../../../grammars/uri.pleach";
        let main = || vec![(name.to_owned(), fs::read_to_string(folder.join(name)).unwrap())];
        let alone = Source::new(&main(), folder, None).unwrap();
        let [ip] = &alone.included[..] else { panic!("{:?}", alone.included) };
        let mut both = main();
        both.push(("src/../../../grammars/ip.pleach".into(), fs::read_to_string(ip).unwrap()));
        let named = Source::new(&both, folder, None).unwrap();
        assert!(named.included.is_empty());
        assert!(named.table(None).unwrap() == alone.table(None).unwrap());
    }

    #[test]
    fn an_include_that_is_not_there_is_named_with_its_path() {
        let message = compiled("%include \"other.pleach\"; a = b;", None).unwrap_err();
        assert!(message.contains("it.pleach:1:"), "{message}");
        assert!(
            message.contains("cannot include `other.pleach`: cannot read other.pleach: "),
            "{message}"
        );
    }
}
