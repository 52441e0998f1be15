//! BNF.

use pleach::import::{Importer, Notation};

use super::{expect, grammars, prove_all, same_as_ours};

#[test]
fn what_each_construct_becomes() {
    expect::become_native(
        Notation::Bnf,
        &[
            // ALGOL's report: everything stands for itself.
            ("<a> ::= <b> | <a> <b>\n<b> ::= x | y", "a = b | a b ;\nb = \"x\" | \"y\" ;\n"),
            (
                "<a> ::= begin <b c> end\n<b  c> ::= ; | :=",
                "a = \"begin\" b_c \"end\" ;\nb_c = \";\" | \":=\" ;\n",
            ),
            (
                "<a> ::= <b>[<b>] | (<b>)*?\n<b> ::= + | -",
                "a = b \"[\" b \"]\" | \"(\" b \")*?\" ;\nb = \"+\" | \"-\" ;\n",
            ),
            (
                "<op> ::= < | <= | = | >= | > | <>",
                "op = \"<\" | \"<=\" | \"=\" | \">=\" | \">\" | \"<>\" ;\n",
            ),
            (
                "<a> ::= <empty> | x\n  | y <a>\n\n<b> ::= ε | z",
                "a = | \"x\" | \"y\" a ;\nb = | \"z\" ;\n",
            ),
            ("<a> ::= <empty>\n<empty> ::= x", "a = empty ;\nempty = \"x\" ;\n"),
            ("<a> ::= | x |", "a = | \"x\" | ;\n"),
            (
                "<bar> ::= |\n<or> ::= ||\n<def> ::= ::=",
                "bar = \"|\" ;\nor = \"||\" ;\ndef = \"::=\" ;\n",
            ),
            ("<a> ::= x <b> ::= y\n<b> ::= z", "a = \"x\" b \"::=\" \"y\" ;\nb = \"z\" ;\n"),
            // SQL's standard.
            (
                "<a> ::= SELECT [ ALL ] { <b> | * } [ , <b> ]...\n<b> ::= x...",
                "a = \"SELECT\" \"ALL\"? (b | \"*\") ((\",\" b)?)+ ;\nb = \"x\"+ ;\n",
            ),
            (
                "<a> ::= { x }\n<left brace> ::= {\n<p> ::= ( x )",
                "a = \"x\" ;\nleft_brace = \"{\" ;\np = \"(\" \"x\" \")\" ;\n",
            ),
            // What is quoted.
            (
                "<a> ::= \"x\" | 'y' <b>* (\"z\" | u)+ [<b>]? {v}\n<b> ::= \"\" | w",
                "a = \"x\" | \"y\" b* (\"z\" | \"u\")+ (b?)? \"v\"* ;\nb = \"\" | \"w\" ;\n",
            ),
            (
                "<a> ::= \"|\" | '\"' | \"<b>\" | 'a::='",
                "a = \"|\" | \"\\\"\" | \"<b>\" | \"a::=\" ;\n",
            ),
            // Comments.
            ("-- one\n<a> ::= x\n; two\n# three\n// <b> ::= y\n  | z", "a = \"x\" | \"z\" ;\n"),
        ],
    );
}

#[test]
fn losses() {
    expect::lose(
        Notation::Bnf,
        &[
            (
                "3.1 Names\n  (all of them)\n<a> ::= x",
                &["1:1: this stands before the first rule; it is taken for prose and left out"],
            ),
            (
                "<a> ::= x\n<b> ::= <c>\n<c> ::= !! See the rules",
                &[
                    "2:9: rule `b` needs what is not defined; the start rule does not need it, and it is left out",
                ],
            ),
        ],
    );
}

#[test]
fn mistakes() {
    expect::refuse(
        Notation::Bnf,
        &[
            ("", &["1:1: there is no rule; a rule is written: <name> ::= ..."]),
            ("a ::= b", &["1:1: there is no rule; a rule is written: <name> ::= ..."]),
            (
                "<a> ::= <b>",
                &[
                    "1:9: rule `b` is not defined; define it, or supply a grammar that does (--with FILE)",
                ],
            ),
            (
                "<a> ::= (\"x\"\n<b> ::= \"y\")",
                &[
                    "1:9: this bracket is not closed; close it before the rule ends",
                    "2:12: no bracket is open here; leave it out",
                ],
            ),
            (
                "<a> ::= [ x } ...",
                &["1:13: another kind of bracket is open; close them from the inside out"],
            ),
            (
                "<a> ::= + 'x'",
                &["1:9: this quantifier follows nothing; a quantifier follows what it repeats"],
            ),
            (
                "<a> ::= <c>\n<c> ::= !! See the rules",
                &[
                    "2:1: `<c>` is described in prose; supply a grammar that defines it (--with FILE)",
                ],
            ),
        ],
    );
}

#[test]
fn real_grammars_are_produced_and_read_back() {
    prove_all("bnf", "bnf");
}

#[test]
fn the_same_texts_as_the_native_grammars() {
    same_as_ours(&Importer::new(), "bnf", "bnf", &["json", "semver", "toml"]);
}

#[test]
fn no_text_is_too_much() {
    expect::survive(Notation::Bnf, &expect::nested("<a> ::= \"x\" "), &grammars("bnf", "bnf"));
}
