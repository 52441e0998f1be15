//! The parser of the native notation is what pest makes of its grammar.
//!
//! It is committed, for pest's generator and all that it needs would otherwise be built by everyone who
//! fuzzes with pleach. `PLEACH_BLESS=1 cargo test -p pleach-core --test notation_parser` writes it anew.

use std::fs;
use std::path::Path;

#[test]
fn the_committed_parser_is_the_one_that_pest_makes_of_the_grammar() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/grammar/notation");
    let grammar = fs::read_to_string(folder.join("notation.pest")).expect("the grammar is there");
    let derived = format!("#[grammar_inline = {grammar:?}] pub(super) struct Syntax;");
    let made = pest_generator::derive_parser(derived.parse().expect("it is Rust"), false);
    let made = prettyplease::unparse(&syn::parse2(made).expect("it is Rust"));
    let header = "//! Made by pest from `notation.pest`: `tests/notation_parser.rs` says how.\n\n";
    let made = format!("{header}pub(super) struct Syntax;\n{made}");
    let path = folder.join("generated.rs");
    if std::env::var_os("PLEACH_BLESS").is_some() {
        fs::write(&path, &made).expect("the file can be written");
    }
    let committed = fs::read_to_string(&path).expect("the parser is there");
    assert!(
        committed == made,
        "`PLEACH_BLESS=1 cargo test -p pleach-core --test notation_parser` is due"
    );
}
