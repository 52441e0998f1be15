//! The EBNF of ISO/IEC 14977.

use pleach::grammar::{Grammar, NoIncludes};
use pleach::import::{Importer, Notation};

use super::{expect, grammars, prove_all, same_as_ours};

#[test]
fn what_each_construct_becomes() {
    expect::become_native(
        Notation::Iso,
        &[
            ("a = 'x' ;", "a = \"x\" ;\n"),
            ("a = \"x'\" , 'y\"' .", "a = \"x'\" \"y\\\"\" ;\n"),
            ("a = 'x' | 'y' / 'z' ! 'u' ;", "a = \"x\" | \"y\" | \"z\" | \"u\" ;\n"),
            ("a = ['x'] , {'y'} , ('z' | 'u') ;", "a = \"x\"? \"y\"* (\"z\" | \"u\") ;\n"),
            ("a = (/'x'/) , (:'y':) , ('z') ;", "a = \"x\"? \"y\"* \"z\" ;\n"),
            ("a = 3 * 'x' , 2 * ['y' , 2 * 'z'] ;", "a = \"x\"{3} ((\"y\" \"z\"{2})?){2} ;\n"),
            ("a = b - 'x' ; b = 'x' | 'y' ;", "a = b except \"x\" ;\nb = \"x\" | \"y\" ;\n"),
            (
                "a = 'z' , b - ('x' | 'y') , 'z' ; b = 'x' | 'y' ;",
                "a = \"z\" b except (\"x\" | \"y\") \"z\" ;\nb = \"x\" | \"y\" ;\n",
            ),
            (
                "a = 2 * b - 'xx' ; b = 'x' | 'y' ;",
                "a = (b{2}) except \"xx\" ;\nb = \"x\" | \"y\" ;\n",
            ),
            ("a = {b}- ; b = 'x' ;", "a = b+ ;\nb = \"x\" ;\n"),
            ("a = (b | )- , 'y' ; b = 'x' ;", "a = (b | ) except \"\" \"y\" ;\nb = \"x\" ;\n"),
            ("a = 'x' | ; b = ;", "a = \"x\" | ;\nb = ;\n"),
            ("a = 'x' , , 'y' ;", "a = \"x\" \"y\" ;\n"),
            // Comments nest, and quotes in them are nothing.
            ("(* a (* 'b *) *) a = 'x' (* don't *) , 'y' ;", "a = \"x\" \"y\" ;\n"),
            ("a = '(*' , \"*)\" ;", "a = \"(*\" \"*)\" ;\n"),
            // Spaces in names make no difference.
            (
                "syntax rule = meta\n identifier ; metaidentifier = 'x' ;",
                "syntax_rule = metaidentifier ;\nmetaidentifier = \"x\" ;\n",
            ),
            // As people write it besides.
            ("a_1 = 'x' b 'y' ; b = 'z' ;", "a_1 = \"x\" b \"y\" ;\nb = \"z\" ;\n"),
            ("a = b c ; b = 'x' ; c = 'y' ;", "a = b c ;\nb = \"x\" ;\nc = \"y\" ;\n"),
            ("a = ‘x’ , ’y’ , “z” ;", "a = \"x\" \"y\" \"z\" ;\n"),
            ("a = 'x'* , ('y')+ ;", "a = \"x\"* \"y\"+ ;\n"),
            ("a = '\\' , 'é' , '' ;", "a = \"\\\\\" \"é\" \"\" ;\n"),
        ],
    );
}

#[test]
fn losses() {
    let known = "is prose; it is taken for the characters that are known by these words";
    expect::lose(
        Notation::Iso,
        &[
            (
                "a = ? ISO 6429 character Horizontal Tabulation ?\n , ? any  Unicode character ? ;",
                &[
                    &format!("1:5: `? ISO 6429 character Horizontal Tabulation ?` {known}"),
                    &format!("2:4: `? any Unicode character ?` {known}"),
                ],
            ),
            (
                "a = 'x' ; b = ? a moon ? ;",
                &[
                    "1:15: rule `b` needs what is not defined; the start rule does not need it, and it is left out",
                ],
            ),
        ],
    );
}

#[test]
fn special_sequences_are_known_by_their_words() {
    for (words, native) in [
        ("any character", "[\\x00-\\u{10FFFF}]"),
        ("U+0041-U+005A", "[A-Z]"),
        ("#x41", "[A]"),
        ("U+1F600..U+1F64F", "[😀-🙏]"),
        ("the line feed", "[\\n]"),
        ("ISO 6429 character Carriage Return", "[\\r]"),
        ("all visible characters", "[ -\\~]"),
    ] {
        let importer = Importer::new().notation(Notation::Iso);
        let imported = importer.read("test", &format!("a = ? {words} ? ;"), &NoIncludes).unwrap();
        assert_eq!(imported.grammar.to_string(), format!("a = {native} ;\n"), "{words}");
    }
}

#[test]
fn special_sequences_can_be_supplied() {
    let with = Grammar::parse("a_moon = \"Io\" | \"Europa\" ;").unwrap();
    let importer = Importer::new().notation(Notation::Iso).with(with);
    let imported = importer.read("test", "a = ? a moon ? ;", &NoIncludes).unwrap();
    assert_eq!(imported.grammar.to_string(), "a = a_moon ;\na_moon = \"Io\" | \"Europa\" ;\n");
}

#[test]
fn mistakes() {
    expect::refuse(
        Notation::Iso,
        &[
            ("", &["1:1: there is no rule; a rule is written: name = ... ;"]),
            ("'x' = a ;", &["1:1: no rule has begun here; a rule is written: name = ... ;"]),
            ("a = 'x'\n", &["1:8: the last rule does not end; write `;` after it"]),
            (
                "a = 'x'\nb = 'y' ;",
                &["2:1: the rule before this one does not end; write `;` before the name"],
            ),
            ("a = ('x' ;", &["1:5: this bracket is not closed; close it before the rule ends"]),
            (
                "a = ['x') ;",
                &["1:9: another kind of bracket is open; close them from the inside out"],
            ),
            ("a = 'x'] ;", &["1:8: no bracket is open here; leave it out"]),
            (
                "a = 'x ;\nb = 'y' ;",
                &[
                    "1:5: this is not closed on its line; write ' after it",
                    "2:1: the rule before this one does not end; write `;` before the name",
                ],
            ),
            (
                "a = 'x' (* (* *) ;",
                &[
                    "1:9: this comment does not end; write `*)` after it",
                    "1:8: the last rule does not end; write `;` after it",
                ],
            ),
            (
                "a = 3 , 3 * ;",
                &[
                    "1:5: a number stands alone; a count is written: 3 * term; a text stands in quotes",
                    "1:13: nothing follows the count; write what stands so often",
                ],
            ),
            ("a = 5000000000 * 'x' ;", &["1:5: this count is too large; the last is 4294967295"]),
            ("a = - 'x' ;", &["1:5: `-` follows nothing; write what is to be taken from"]),
            (
                "a = 'x' = 'y' ;",
                &[
                    "1:9: `=` has no place here; a rule is written: name = ... ; with one name before the `=`",
                ],
            ),
            ("a = & ;", &["1:5: `&` begins nothing here; texts stand in quotes"]),
            (
                "a = ? a moon ? ;",
                &[
                    "1:5: `? a moon ?` is prose; supply a grammar that defines `a_moon` (--with FILE)",
                ],
            ),
            (
                "a = ? a ? ;",
                &["1:5: `? a ?` is prose; supply a grammar that defines `special_a` (--with FILE)"],
            ),
            (
                "a = b c ; b = 'x' ;",
                &[
                    "1:5: rule `b c` is not defined; define it, or supply a grammar that does (--with FILE)",
                ],
            ),
        ],
    );
}

#[test]
fn it_is_told_from_the_notation_of_the_w3c() {
    for (text, notation) in [
        ("a = '::=' ;", Notation::Iso),
        ("rule = name , '::=' , body ;", Notation::Iso),
        ("(* a ::= b *) a = 'x' ;", Notation::Iso),
        ("/* = */ a ::= 'x'", Notation::W3c),
        ("[12] a\n  ::= 'x'", Notation::W3c),
    ] {
        assert_eq!(Notation::of("grammar.ebnf", text), notation, "{text}");
    }
}

#[test]
fn real_grammars_are_produced_and_read_back() {
    prove_all("iso", "ebnf");
}

#[test]
fn the_same_texts_as_the_native_grammars() {
    same_as_ours(&Importer::new(), "iso", "ebnf", &[]);
}

#[test]
fn no_text_is_too_much() {
    expect::survive(Notation::Iso, &expect::nested("a = 'x' "), &grammars("iso", "ebnf"));
}
