//! The EBNF of XML 1.0.

use pleach::import::{Importer, Notation};

use super::{expect, folder, grammars, import, prove_all, same_as_ours};

#[test]
fn what_each_construct_becomes() {
    expect::become_native(
        Notation::W3c,
        &[
            // Section 6 of XML 1.0, in its order.
            ("a ::= #x41", "a = [A] ;\n"),
            ("a ::= #x00000041", "a = [A] ;\n"),
            ("a ::= [a-zA-Z] | [#x41-#x43]", "a = [A-Za-z] | [A-C] ;\n"),
            ("a ::= [abc] | [#xA#xD]", "a = [a-c] | [\\n\\r] ;\n"),
            ("a ::= [^a-z] | [^#x1-#x10FFFF]", "a = [^a-z] | [\\x00] ;\n"),
            ("a ::= [^abc] | [^#x0-#x60#x62-#x10FFFF]", "a = [^a-c] | [a] ;\n"),
            ("a ::= \"x'\" 'y\"'", "a = \"x'\" \"y\\\"\" ;\n"),
            ("a ::= (b) b ::= 'x'", "a = b ;\nb = \"x\" ;\n"),
            ("a ::= b? b* b+ b ::= #x41", "a = b? b* b+ ;\nb = [A] ;\n"),
            (
                "a ::= 'x' 'y' | 'z' | ('x' | 'y') 'z'",
                "a = \"x\" \"y\" | \"z\" | (\"x\" | \"y\") \"z\" ;\n",
            ),
            ("a ::= [a-z]+ - ('if' | 'of')", "a = ([a-z]+) except (\"if\" | \"of\") ;\n"),
            ("a ::= 'x' [a-z]+ - 'if' 'y'", "a = \"x\" ([a-z]+) except \"if\" \"y\" ;\n"),
            ("a ::= [a-z] - 'a' - 'b' | 'x'", "a = [a-z] except \"a\" except \"b\" | \"x\" ;\n"),
            ("a ::= ([a-z]* - 'a'*)+", "a = ([a-z]*) except (\"a\"*)+ ;\n"),
            ("a ::= 'x' /* not 'y' */ 'z'", "a = \"x\" \"z\" ;\n"),
            // What documents have around it.
            ("[1]  a ::= b\n[12a] b ::= 'y'", "a = b ;\nb = \"y\" ;\n"),
            ("a ::= [12] b\nb ::= [12]\nc ::= b", "a = [12] b ;\nb = [12] ;\nc = b ;\n"),
            (
                "\u{FEFF}a\n   ::=\u{A0}b.c-d_e b.c-d_e ::= 'x'",
                "a = b.c-d_e ;\nb.c-d_e = \"x\" ;\n",
            ),
            ("a ::= [a-c#x64-#x66^]", "a = [\\^a-f] ;\n"),
            ("a ::= ([^<>\"{}|^`\\]-[#x00-#x20])*", "a = [^\"<>\\\\\\^`{-}] except [\\x00- ]* ;\n"),
            ("a ::= '\\' [tbnrf\\\"']", "a = \"\\\\\" [\"'\\\\bfnrt] ;\n"),
            (
                "a ::= [-a] | [a-] | [#xD7FF-#xE000]",
                "a = [\\-a] | [\\-a] | [\\u{D7FF}-\\u{E000}] ;\n",
            ),
            ("a ::= ('x' | )", "a = \"x\" | ;\n"),
            ("a ::=", "a = ;\n"),
        ],
    );
}

#[test]
fn losses() {
    expect::lose(
        Notation::W3c,
        &[
            (
                "a ::= 'x'\n  [ wfc: Unique ] b ::= 'y'\n[VC: One\nID]",
                &[
                    "2:3: the constraint `[ wfc: Unique ]` is left out; texts that break it are derived, too",
                    "3:1: the constraint `[VC: One\nID]` is left out; texts that break it are derived, too",
                ],
            ),
            (
                "a ::= 'x' b ::= c",
                &[
                    "1:17: rule `b` needs what is not defined; the start rule does not need it, and it is left out",
                ],
            ),
        ],
    );
}

#[test]
fn mistakes() {
    expect::refuse(
        Notation::W3c,
        &[
            ("x", &["1:1: no rule has begun here; a rule is written: name ::= ..."]),
            ("", &["1:1: there is no rule; a rule is written: name ::= ..."]),
            ("a ::= 'x' ::= 'y'", &["1:11: `::=` follows no name; begin a rule: name ::= ..."]),
            // Once it was a range of other characters.
            (
                "a ::= [#x20-#xZZ]",
                &[
                    "1:7: no hexadecimal number follows this `#x`; write the character's number, `#x20`, or `x#` for these two signs",
                ],
            ),
            ("a ::= )\n| x", &["1:7: no bracket is open here; leave it out"]),
            (
                "a ::= ('x'\nb ::= (",
                &[
                    "1:7: this bracket is not closed; close it before the rule ends",
                    "2:7: this bracket is not closed; close it before the rule ends",
                ],
            ),
            (
                "a ::= + 'x'",
                &["1:7: this quantifier follows nothing; a quantifier follows what it repeats"],
            ),
            (
                "a ::= 'x' 'y' - *",
                &[
                    "1:17: this quantifier follows nothing; a quantifier follows what it repeats",
                    "1:18: nothing follows the `-`; write what is taken away",
                ],
            ),
            ("a ::= - 'x'", &["1:7: `-` follows nothing; write what is to be taken from"]),
            ("a ::= 'x' -| 'y'", &["1:12: nothing follows the `-`; write what is taken away"]),
            (
                "a ::= 'x\nb ::= \"y'",
                &[
                    "1:7: this is not closed on its line; close the `'`",
                    "2:7: this is not closed on its line; close the `\"`",
                ],
            ),
            ("a ::= [a\n", &["1:7: this is not closed on its line; close the `[`"]),
            ("a ::= 'x' /* b ::= 'y'", &["1:11: this comment does not end; write `*/` after it"]),
            (
                "a ::= [z-a] #x110000",
                &[
                    "1:7: a range of this class ends before it begins; turn it round",
                    "1:13: there is no such character; the last is #x10FFFF",
                ],
            ),
            (
                "a ::= 'x' ; b",
                &["1:11: `;` begins nothing here; texts are quoted, and classes closed"],
            ),
            (
                "a ::= b c\nc ::= 'x'",
                &[
                    "1:7: rule `b` is not defined; define it, or supply a grammar that does (--with FILE)",
                ],
            ),
            (
                "a ::= b\nb ::= [http://www.w3.org/TR/REC-xml#NT-S]XML",
                &[
                    "2:7: rule `b` is one of another document: [http://www.w3.org/TR/REC-xml#NT-S]XML; supply a \
                 grammar that defines it (--with FILE)",
                ],
            ),
        ],
    );
}

#[test]
fn real_grammars_are_produced_and_read_back() {
    prove_all("w3c", "ebnf");
}

#[test]
fn each_constraint_of_a_recommendation_is_a_warning() {
    let path = folder("w3c").join("xml.ebnf");
    let constraints = std::fs::read_to_string(&path).unwrap();
    let constraints = constraints.matches("[VC: ").count() + constraints.matches("[WFC: ").count();
    assert_eq!(import(Importer::new(), &path).warnings.len(), constraints);
    assert!(constraints > 40);
}

#[test]
fn the_same_texts_as_the_native_grammars() {
    let others =
        [("xml", "constraints of the recommendation, as of names, are not in its grammar")];
    same_as_ours(&Importer::new(), "w3c", "ebnf", &others);
}

#[test]
fn no_text_is_too_much() {
    expect::survive(Notation::W3c, &expect::nested("a ::= \"x\" "), &grammars("w3c", "ebnf"));
}
