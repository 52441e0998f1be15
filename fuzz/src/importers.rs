//! The importers of other notations.

use pleach::grammar::{Grammar, NoIncludes};
use pleach::import::{Importer, Notation};

use crate::own::lower_grammar;

/// No text panics. What is read is the same when it is written in the native notation and
/// read again, and is lowered within budgets; a strict reader refuses what came with warnings.
pub fn import(notation: &str, text: &str) {
    let notation: Notation = notation.parse().expect("a target names a notation that there is");
    let importer = Importer::new().notation(notation);
    let read = |importer: Importer| importer.read("fuzz", text, &NoIncludes);
    let Ok(imported) = read(importer.clone()) else { return };
    assert_eq!(read(importer.strict(true)).is_ok(), imported.warnings.is_empty());
    let written = imported.grammar.to_string();
    // Counts that contradict themselves, and groups that are deeper than the notation has them, are
    // written as they are.
    if let Ok(again) = Grammar::parse(&written) {
        assert_eq!(again.to_string(), written);
    }
    let _ = lower_grammar(&imported.grammar);
}

#[cfg(test)]
mod tests {
    use pleach::Seeded;
    use pleach::grammar::{Files, Grammar, NoIncludes};
    use pleach::import::{Importer, Notation};
    use pleach::produce::{Options, Producer};
    use pleach::table::Lowering;
    use pleach::tree::Tree;

    /// Each importer over sentences of the grammar that its target has, and over parts of them.
    #[test]
    fn importers_run() {
        let read = |path: &str| {
            let whole = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(&whole).unwrap_or_else(|error| panic!("{whole}: {error}"))
        };
        let json = ("grammars/json.pleach".to_owned(), read("grammars/json.pleach"));
        let mut accepted = Vec::new();
        for notation in Notation::names().filter(|&name| name != "native") {
            // The two of The Fuzzing Book have one target.
            let target = notation.trim_end_matches("-bnf");
            let name = format!("fuzz/grammars/{target}.pleach");
            let main = read(&name);
            let files = Files::new([json.clone(), (name.clone(), main.clone())]);
            let grammar = Grammar::read(&name, &main, &files).unwrap();
            let table = Lowering::new().lower(&grammar).unwrap().table;
            let mut producer = Producer::new(&table, Options::new().size(200)).unwrap();
            let (mut seed, mut tree, mut read) = (Seeded::new(1), Tree::new(), 0);
            for _ in 0..100 {
                producer.produce(&mut seed, &mut tree);
                let text = std::str::from_utf8(tree.text()).unwrap();
                super::import(notation, text);
                let importer = Importer::new().notation(notation.parse().unwrap());
                read += usize::from(importer.read("test", text, &NoIncludes).is_ok());
                let cut = text.len() / 2;
                super::import(notation, text.get(..cut).unwrap_or_default());
            }
            accepted.push((notation, read));
        }
        assert!(accepted.iter().all(|&(_, read)| read > 0), "of 100 each: {accepted:?}");
    }
}
