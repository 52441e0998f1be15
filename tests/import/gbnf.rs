//! The grammars of llama.cpp.

use pleach::grammar::{Grammar, NoIncludes};
use pleach::import::{Importer, Notation};

use super::{expect, grammars, prove_all, same_as_ours};

#[test]
fn what_each_construct_becomes() {
    expect::become_native(
        Notation::Gbnf,
        &[
            // In the order of `grammars/README.md`.
            ("root ::= \"x\" # the start\n", "%start root;\n\nroot = \"x\" ;\n"),
            (
                "a ::= \"x\" root\nroot ::= \"y\" # a",
                "%start root;\n\na = \"x\" root ;\nroot = \"y\" ;\n",
            ),
            ("a ::= [1-9] [0-9]", "a = [1-9] [0-9] ;\n"),
            ("a ::= [^\\n] [^\"\\\\] [\\t\\r]", "a = [^\\n] [^\"\\\\] [\\t\\r] ;\n"),
            ("a ::= \"\\x41\\u0042\\U00000043\\n\\\"\\\\\\[\\]\"", "a = \"ABC\\n\\\"\\\\[]\" ;\n"),
            (
                "a ::= [\\x41-\\u0043\\U00010000]",
                "a = [A-C\\u{10000}] ;\n".replace("\\u{10000}", "𐀀").as_str(),
            ),
            ("a ::= . \"x\"", "a = [\\x00-\\u{10FFFF}] \"x\" ;\n"),
            ("a ::= (\"x\" | \"y\") \"z\" | \"\"", "a = (\"x\" | \"y\") \"z\" | \"\" ;\n"),
            ("a ::= \"x\"? \"x\"* \"x\"+", "a = \"x\"? \"x\"* \"x\"+ ;\n"),
            (
                "a ::= \"x\"{2} \"x\"{2,} \"x\"{2,3} \"x\"{0,4} \"x\"{,5}",
                "a = \"x\"{2} \"x\"{2,} \"x\"{2,3} \"x\"{,4} \"x\"{,5} ;\n",
            ),
            ("a ::= (\"x\" b){ 2 , 3 } # no\nb ::= [y-]", "a = (\"x\" b){2,3} ;\nb = [\\-y] ;\n"),
            // Where a rule goes on.
            ("a ::= (\n  \"x\" # one\n  | \"y\"\n)\nb ::= a", "a = \"x\" | \"y\" ;\nb = a ;\n"),
            ("a ::=\n  \"x\" |\n  \"y\"\nb ::= a", "a = \"x\" | \"y\" ;\nb = a ;\n"),
            ("a ::= \"x\"\n  | \"y\"\r\n\r\nb ::= a", "a = \"x\" | \"y\" ;\nb = a ;\n"),
            ("ws ::= | \" \" | \"\\n\" [ \\t]{0,20}", "ws = | \" \" | \"\\n\" [\\t ]{,20} ;\n"),
            ("a-b2_c ::= [a\\-^] [\\^a] []", "a-b2_c = [\\-\\^a] [\\^a] [a&&b] ;\n"),
            ("a ::= a \"x\" | \"x\"", "a = a \"x\" | \"x\" ;\n"),
        ],
    );
}

#[test]
fn losses() {
    let unused = "1:21: rule `b` needs what is not defined; the start rule does not need it, and it is left out";
    expect::lose(Notation::Gbnf, &[("root ::= \"x\"\nb ::= c", &[&unused.replace("1:21", "2:7")])]);
}

#[test]
fn mistakes() {
    let tokens = "supply a grammar that defines";
    expect::refuse(
        Notation::Gbnf,
        &[
            ("", &["1:1: there is no rule; a rule is written: name ::= ..."]),
            (
                "a ::= \"x\"\n\"y\"",
                &[
                    "2:1: no rule has begun here; a rule is written `name ::= ...`, and goes on after \
                its line in parentheses or after `|`",
                ],
            ),
            (
                "a ::= \"x\" b ::= \"y\"",
                &["1:11: a rule begins inside another; begin each rule on a line of its own"],
            ),
            (
                "a ::= (\"x\"\nb ::= \"y\"",
                &["1:7: this bracket is not closed; close it before the rule ends"],
            ),
            ("a ::= \"x\")", &["1:10: no bracket is open here; leave it out"]),
            ("a ::= \"x\n", &["1:7: this is not closed on its line; close the `\"`"]),
            ("a ::= [x", &["1:7: this is not closed on its line; close the `[`"]),
            ("a ::= [z-a]", &["1:7: a range of this class ends before it begins; turn it round"]),
            (
                "a ::= * \"x\"",
                &["1:7: this quantifier follows nothing; a quantifier follows what it repeats"],
            ),
            ("a ::= \"x\"{3,2}", &["1:10: the greatest count is below the least; exchange them"]),
            ("a ::= \"x\"{,}", &["1:10: a count has no number; write `{n}`, `{n,}` or `{n,m}`"]),
            ("a ::= \"x\"{5000000000}", &["1:11: this count is too large; the last is 4294967295"]),
            (
                "a ::= 'x'",
                &[
                    "1:7: `'` begins nothing here; texts stand in double quotes",
                    "1:9: `'` begins nothing here; texts stand in double quotes",
                ],
            ),
            (
                "a ::= \"\\q\"",
                &[
                    r#"1:7: there is no escape `\q`; there are \n \r \t \\ \" \[ \] \xHH \uHHHH \UHHHHHHHH"#,
                ],
            ),
            (
                "a ::= \"\\x4\" [\\uD800]",
                &[
                    "1:7: `\\x` is not followed by a character's number; write 2 hexadecimal digits, and no surrogate",
                    "1:13: `\\u` is not followed by a character's number; write 4 hexadecimal digits, and no surrogate",
                ],
            ),
            (
                "root ::= <think> !<[1000]>",
                &[
                    &format!(
                        "1:10: `<think>` is a token of a model, not a text; {tokens} `token_think` (--with FILE)"
                    ),
                    &format!(
                        "1:18: `!<[1000]>` is a token of a model, not a text; {tokens} `token-not_1000` (--with FILE)"
                    ),
                ],
            ),
        ],
    );
}

#[test]
fn tokens_of_a_model_can_be_supplied() {
    let with = Grammar::parse("token_think = \"<think>\" ;").unwrap();
    let importer = Importer::new().notation(Notation::Gbnf).with(with);
    let imported = importer.read("test", "root ::= <think> \"x\"", &NoIncludes).unwrap();
    let native = "%start root;\n\nroot = token_think \"x\" ;\ntoken_think = \"<think>\" ;\n";
    assert_eq!(imported.grammar.to_string(), native);
}

#[test]
fn real_grammars_are_produced_and_read_back() {
    prove_all("gbnf", "gbnf");
}

#[test]
fn the_same_texts_as_the_native_grammars() {
    same_as_ours(&Importer::new(), "gbnf", "gbnf", &[]);
}

#[test]
fn no_text_is_too_much() {
    expect::survive(Notation::Gbnf, &expect::nested("a ::= \"x\" "), &grammars("gbnf", "gbnf"));
}
