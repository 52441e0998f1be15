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
            // Names that begin with digits, and hold other signs than letters.
            (
                "<a> ::= <b> <1-9>\n<b> ::= <7-bit char> x <foo(s)>\n<7-bit  char> ::= q\n<1-9> ::= 1\n<foo(s)> ::= y",
                "a = b _1-9 ;\nb = _7-bit_char \"x\" foo_s_ ;\n_7-bit_char = \"q\" ;\n_1-9 = \"1\" ;\nfoo_s_ = \"y\" ;\n",
            ),
            // `<` with white space after it is a sign.
            (
                "<a> ::= <b> < 2 > 1 <= <b>\n<b> ::= z",
                "a = b \"<\" \"2\" \">\" \"1\" \"<=\" b ;\nb = \"z\" ;\n",
            ),
            // SQL's standard.
            (
                "<a> ::= SELECT [ ALL ] { <b> | * } [ , <b> ]...\n<b> ::= x...",
                "a = \"SELECT\" \"ALL\"? (b | \"*\") (\",\" b)* ;\nb = \"x\"+ ;\n",
            ),
            (
                "<a> ::= { x }\n<left brace> ::= {\n<p> ::= ( x )",
                "a = \"x\" ;\nleft_brace = \"{\" ;\np = \"(\" \"x\" \")\" ;\n",
            ),
            // What is quoted.
            (
                "<a> ::= \"x\" | 'y' <b>* (\"z\" | u)+ [<b>]? {v}\n<b> ::= \"\" | w",
                "a = \"x\" | \"y\" b* (\"z\" | \"u\")+ b? \"v\"* ;\nb = \"\" | \"w\" ;\n",
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
            // What would be taken for a part of the rule before it.
            (
                "<a> ::= x <b> ::= y\n<b> ::= z",
                &[
                    "1:15: no rule begins with this `::=`; a rule begins on a line of its own, with `<name> ::=`, and its name with a letter or a digit; the text `::=` is quoted, or all that a rule of its own is",
                ],
            ),
            ("<a> ::= <b>\n< b > ::= x", &["2:7: no rule begins with this `::=`"]),
            ("<a> ::= <b>\n<-b> ::= x", &["2:6: no rule begins with this `::=`"]),
            ("< a > ::= x\n<b> ::= y", &["1:7: no rule begins with this `::=`"]),
            ("<a> ::= x =::= y", &["1:12: no rule begins with this `::=`"]),
            (
                "<a> ::= x <b\n<b> ::= z",
                &[
                    "1:11: this name is not closed on its line; write `>` after the name, or white space after a `<` that begins none",
                ],
            ),
            ("<a> ::= <a|b>", &["1:9: this name is not closed on its line"]),
            (
                "<a> ::= x\n<a> ::= y",
                &[
                    "2:1: rule `a` is defined twice; the other is at test:1:1: rename one, or put them together",
                ],
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
    same_as_ours(&Importer::new(), "bnf", "bnf", &[]);
}

#[test]
fn no_text_is_too_much() {
    expect::survive(Notation::Bnf, &expect::nested("<a> ::= \"x\" "), &grammars("bnf", "bnf"));
}
