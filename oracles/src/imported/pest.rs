//! `.pest` files, run by `pest_vm`.

use pest_meta::optimizer::optimize;
use pest_meta::parser::{Rule, consume_rules, parse};
use pest_vm::Vm;

use super::{check, compare, folder, import};

/// The grammars, with their start rules.
const GRAMMARS: &[(&str, &str)] = &[
    ("graphql", "document"),
    ("json", "json"),
    ("ntriples", "ntriples_doc"),
    ("rfc3339", "timestamp"),
    ("semver", "valid_semver"),
    ("template", "program"),
    ("uri", "uri_reference"),
];

#[test]
fn pest_reads_what_its_grammars_derive() {
    let files = std::fs::read_dir(folder("pest")).unwrap();
    assert_eq!(files.count(), GRAMMARS.len(), "a grammar is not judged");
    let mut failed = Vec::new();
    for &(name, start) in GRAMMARS {
        let path = folder("pest").join(format!("{name}.pest"));
        let text = std::fs::read_to_string(&path).unwrap();
        let pairs = parse(Rule::grammar_rules, &text).unwrap_or_else(|error| panic!("{error}"));
        let rules = consume_rules(pairs).unwrap_or_else(|errors| panic!("{errors:?}"));
        let vm = Vm::new(optimize(rules));
        let findings = compare(&import(&path), |text| vm.parse(start, text).is_ok(), |_| false);
        failed.extend(check(name, &findings).err());
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
