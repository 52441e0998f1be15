//! `grammar.json` of tree-sitter.

use pleach::grammar::{Grammar, GrammarError, NoIncludes};
use pleach::import::{Imported, Importer, Notation};

use crate::expect::{self, Said, losses, mistakes, said, survive};
use crate::{grammars, prove_all, same_as_ours};

const TREE_SITTER: Notation = Notation::TreeSitter;

fn read(text: &str) -> Result<Imported, GrammarError> {
    expect::read(TREE_SITTER, text)
}

/// A grammar by its rules and what stands beside them.
fn grammar(rules: &str, more: &str) -> String {
    // Spares the quotes of the tests.
    let text = format!("{{'name': 'test', 'rules': {{\n{rules}\n}}{more}}}");
    text.replace('\'', "\"")
}

const NONE: &str = ", 'extras': []";

#[test]
fn what_each_construct_becomes() {
    let mut wrong = Vec::new();
    for (rules, more, native) in [
        ("'a': {'type': 'STRING', 'value': 'x'}", NONE, "a = \"x\" ;"),
        ("'a': {'type': 'PATTERN', 'value': '\\\\d+'}", NONE, "a = /[0-9]+/ ;"),
        ("'a': {'type': 'PATTERN', 'value': 'x', 'flags': 'i'}", NONE, "a = /(?i)x/ ;"),
        ("'a': {'type': 'BLANK'}", NONE, "a = ;"),
        (
            "'a': {'type': 'SEQ', 'members': [{'type': 'STRING', 'value': 'x'}, {'type': 'SYMBOL', 'name': 'b'}]},
             'b': {'type': 'STRING', 'value': 'y'}",
            NONE,
            "a = \"x\" b ; b = \"y\" ;",
        ),
        (
            "'a': {'type': 'CHOICE', 'members': [{'type': 'STRING', 'value': 'x'}, {'type': 'STRING', 'value': 'y'}, {'type': 'BLANK'}]}",
            NONE,
            "a = (\"x\" | \"y\")? ;",
        ),
        ("'a': {'type': 'REPEAT', 'content': {'type': 'STRING', 'value': 'x'}}", NONE, "a = \"x\"* ;"),
        ("'a': {'type': 'REPEAT1', 'content': {'type': 'STRING', 'value': 'x'}}", NONE, "a = \"x\"+ ;"),
        (
            "'a': {'type': 'PREC', 'value': 1, 'content': {'type': 'PREC_LEFT', 'value': 'p', 'content':
             {'type': 'PREC_RIGHT', 'value': 0, 'content': {'type': 'PREC_DYNAMIC', 'value': 1, 'content':
             {'type': 'FIELD', 'name': 'f', 'content': {'type': 'ALIAS', 'named': true, 'value': 'z', 'content':
             {'type': 'RESERVED', 'context_name': 'c', 'content': {'type': 'STRING', 'value': 'x'}}}}}}}}",
            NONE,
            "a = \"x\" ;",
        ),
        // Operators, in the rule itself and in rules of their own.
        (
            "'e': {'type': 'CHOICE', 'members': [
             {'type': 'PREC_LEFT', 'value': 2, 'content': {'type': 'SEQ', 'members': [
              {'type': 'SYMBOL', 'name': 'e'}, {'type': 'STRING', 'value': '*'}, {'type': 'SYMBOL', 'name': 'e'}]}},
             {'type': 'PREC_RIGHT', 'value': -1, 'content': {'type': 'SEQ', 'members': [
              {'type': 'SYMBOL', 'name': 'e'}, {'type': 'STRING', 'value': '+'}, {'type': 'SYMBOL', 'name': 'e'}]}},
             {'type': 'SEQ', 'members': [{'type': 'SYMBOL', 'name': 'e'}, {'type': 'STRING', 'value': '!'}]},
             {'type': 'STRING', 'value': '1'}]}",
            NONE,
            "e = @left 3 e \"*\" e | @right 1 e \"+\" e | @prec 2 e \"!\" | \"1\" ;",
        ),
        (
            "'e': {'type': 'CHOICE', 'members': [{'type': 'SYMBOL', 'name': 'b'}, {'type': 'SYMBOL', 'name': 'u'}, {'type': 'STRING', 'value': '1'}]},
             'b': {'type': 'PREC_LEFT', 'value': 'sum', 'content': {'type': 'SEQ', 'members': [
              {'type': 'FIELD', 'name': 'l', 'content': {'type': 'SYMBOL', 'name': 'e'}}, {'type': 'STRING', 'value': '+'}, {'type': 'SYMBOL', 'name': 'e'}]}},
             'u': {'type': 'SEQ', 'members': [{'type': 'STRING', 'value': '-'}, {'type': 'SYMBOL', 'name': 'e'}]}",
            ", 'extras': [], 'precedences': [[{'type': 'SYMBOL', 'name': 'u'}, {'type': 'STRING', 'value': 'sum'}]]",
            "e = b | u | \"1\" ; b = @left 1 e \"+\" e ; u = @prec 2 \"-\" e ;",
        ),
        // Around the part of an alternative that has its operand.
        (
            "'e': {'type': 'CHOICE', 'members': [
             {'type': 'SEQ', 'members': [{'type': 'PREC', 'value': 1, 'content': {'type': 'SEQ', 'members': [
              {'type': 'SYMBOL', 'name': 'e'}, {'type': 'STRING', 'value': '.'}]}}, {'type': 'STRING', 'value': 'f'}]},
             {'type': 'SEQ', 'members': [{'type': 'STRING', 'value': '-'}, {'type': 'SYMBOL', 'name': 'e'}]},
             {'type': 'STRING', 'value': '1'}]}",
            NONE,
            "e = @prec 2 (e \".\") \"f\" | @prec 1 \"-\" e | \"1\" ;",
        ),
        // Layout is white space where nothing is said.
        (
            "'a': {'type': 'REPEAT', 'content': {'type': 'STRING', 'value': 'x'}}",
            "",
            "%layout layout; a = \"x\"* ; layout = /[\\t-\\r\\x20]/* ;",
        ),
        (
            "'a': {'type': 'REPEAT', 'content': {'type': 'SYMBOL', 'name': 'b'}},
             'b': {'type': 'TOKEN', 'content': {'type': 'SEQ', 'members': [{'type': 'STRING', 'value': 'x'}, {'type': 'STRING', 'value': 'y'}]}}",
            ", 'extras': [{'type': 'STRING', 'value': ' '}]",
            "%layout layout; %lexical b; a = b* ; b = \"x\" \"y\" ; layout = \" \"* ;",
        ),
        // A token inside a rule is a rule of its own.
        (
            "'a': {'type': 'REPEAT', 'content': {'type': 'TOKEN', 'content': {'type': 'REPEAT1', 'content': {'type': 'STRING', 'value': 'x'}}}}",
            ", 'extras': [{'type': 'STRING', 'value': ' '}]",
            "%layout layout; %lexical a_1; a = a_1* ; a_1 = \"x\"+ ; layout = \" \"* ;",
        ),
        // What follows immediately is one token with what it follows.
        (
            "'a': {'type': 'SEQ', 'members': [{'type': 'STRING', 'value': '<'}, {'type': 'REPEAT', 'content':
             {'type': 'IMMEDIATE_TOKEN', 'content': {'type': 'PATTERN', 'value': '[a-z]'}}}, {'type': 'STRING', 'value': '>'}]}",
            ", 'extras': [{'type': 'STRING', 'value': ' '}]",
            "%layout layout; %lexical a_1; a = a_1 \">\" ; a_1 = \"<\" /[a-z]/* ; layout = \" \"* ;",
        ),
        // A comment ends where it cannot go on, or with the text.
        (
            "'a': {'type': 'REPEAT', 'content': {'type': 'STRING', 'value': 'x'}},
             'c': {'type': 'TOKEN', 'content': {'type': 'SEQ', 'members': [{'type': 'STRING', 'value': '#'}, {'type': 'PATTERN', 'value': '.*'}]}}",
            ", 'extras': [{'type': 'PATTERN', 'value': '\\\\s'}, {'type': 'SYMBOL', 'name': 'c'}]",
            "%layout layout; %lexical c last_extra; a = \"x\"* ( | @read last_extra) ; c = \"#\" /[^\\n\\x00]*/ ; \
             layout = (/[\\t-\\r\\x20]/ | (\"#\" /[^\\n\\x00]*/) /[\\t-\\r\\x20]/ except \
             ([^\\x00\\n] [\\x00-\\u{10FFFF}]*))* ; last_extra = \"#\" /[^\\n\\x00]*/ ;",
        ),
        // Keywords are no words.
        (
            "'a': {'type': 'SEQ', 'members': [{'type': 'STRING', 'value': 'if'}, {'type': 'SYMBOL', 'name': 'w'}, {'type': 'STRING', 'value': '+'}]},
             'w': {'type': 'PATTERN', 'value': '[a-z]+'}",
            ", 'extras': [], 'word': 'w'",
            "a = \"if\" w \"+\" ; w = /[a-z]+/ except \"if\" ;",
        ),
    ] {
        let text = grammar(rules, more);
        let found = read(&text).unwrap_or_else(|error| panic!("{text}: {error}")).grammar;
        let squeeze = |text: &str| {
            text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ;", ";")
        };
        if squeeze(&found.to_string()) != squeeze(native) {
            wrong.push(format!("{text}\n{found}"));
        }
        Grammar::parse(&found.to_string()).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_lost_is_said() {
    let immediate = "'a': {'type': 'SEQ', 'members': [{'type': 'REPEAT1', 'content': {'type': 'STRING', 'value': 'x'}},
        {'type': 'IMMEDIATE_TOKEN', 'content': {'type': 'STRING', 'value': '('}}]}";
    let word = "'a': {'type': 'SEQ', 'members': [{'type': 'STRING', 'value': 'if'}, {'type': 'SYMBOL', 'name': 'w'}]},
        'w': {'type': 'PATTERN', 'value': '[a-z]+'}";
    let x = "'a': {'type': 'STRING', 'value': 'x'}";
    let precedence = "'a': {'type': 'IMMEDIATE_TOKEN', 'content':
        {'type': 'PREC', 'value': 1, 'content': {'type': 'PATTERN', 'value': '[a-z]+'}}}";
    for (rules, more, line, what) in [
        (immediate, "", 3, "what must follow immediately here"),
        (word, ",\n'word': 'w'", 5, "a keyword is no `w` here"),
        (x, ",\n'externals': [{'type': 'SYMBOL', 'name': 'a'}]", 4, "`a` is read by a scanner"),
        (
            x,
            ",\n'extras': [{'type': 'BLANK'}, {'type': 'STRING', 'value': ' '}]",
            4,
            "this extra is neither",
        ),
        ("'a': {'type': 'PATTERN', 'value': 'x', 'flags': 'q'}", "", 2, "the flags `q`"),
        (precedence, "", 3, "the precedence of this token"),
        (
            "'a': {'type': 'SEQ', 'members': [{'type': 'STRING', 'value': 'x'},\n{'type': 'PREC_RIGHT', 'value': 0, 'content': {'type': 'STRING', 'value': 'y'}}]}",
            "",
            3,
            "this precedence is around nothing",
        ),
        (
            "'a': {'type': 'CHOICE', 'members': [{'type': 'STRING', 'value': 'x'},\n{'type': 'PREC', 'value': 'p', 'content': \
             {'type': 'SEQ', 'members': [{'type': 'STRING', 'value': '-'}, {'type': 'SYMBOL', 'name': 'a'}]}}]}",
            "",
            3,
            "this precedence stands in no list",
        ),
        (
            "'a':\n{'type': 'PREC_DYNAMIC', 'value': 1, 'content': {'type': 'STRING', 'value': 'x'}}",
            "",
            3,
            "a dynamic precedence",
        ),
    ] {
        let text = grammar(rules, more);
        let found = losses(TREE_SITTER, &text);
        let fits = |said: &Said| said.line == line && said.message.starts_with(what);
        assert!(found.iter().any(fits), "{text}: {found:?}");
    }
    let plain = precedence.replace("'value': 1", "'value': 0");
    for text in [grammar(immediate, NONE), grammar(&plain, "")] {
        assert_eq!(read(&text).unwrap().warnings, [], "{text}");
    }
}

#[test]
fn externals_are_supplied() {
    let rules = "'a': {'type': 'SEQ', 'members': [{'type': 'STRING', 'value': 'x'}, {'type': 'SYMBOL', 'name': 'e'}]}";
    let text = grammar(rules, ",\n'externals': [{'type': 'SYMBOL', 'name': 'e'}], 'extras': []");
    let error = read(&text).unwrap_err();
    assert_eq!(said(error.files(), error.diagnostics())[0].line, 4);
    assert!(error.to_string().contains("--with"), "{error}");
    let with = Grammar::parse("e = \"!\" ;").unwrap();
    let importer = Importer::new().notation(Notation::TreeSitter).with(with);
    let imported = importer.read("grammar.json", &text, &NoIncludes).unwrap();
    assert_eq!(imported.grammar.to_string(), "a = \"x\" e ;\ne = \"!\" ;\n");
    assert_eq!(said(&imported.grammar.files, &imported.warnings)[0].line, 4);
}

#[test]
fn mistakes_are_placed() {
    for (text, line, message) in [
        ("{\"rules\": [1],\n}".to_owned(), 2, "no JSON: a name is expected here, not `}`"),
        ("{}".to_owned(), 1, "this is no grammar of tree-sitter"),
        (grammar("'a': {'type': 'SEQ'}", ""), 2, "this rule has no members"),
        (grammar("'a': {'type': 'REPEAT'}", ""), 2, "this rule has no content"),
        (grammar("'a': {'type': 'STRING'}", ""), 2, "this rule has no value"),
        (grammar("'a': {'type': 'SEQUENCE'}", ""), 2, "there is no type `SEQUENCE`"),
        (grammar("'a': 1", ""), 2, "this is no rule"),
        (grammar("", ""), 1, "there is no rule"),
        (
            grammar("'a': {'type': 'PATTERN', 'value': '(?=x)'}", ""),
            2,
            "this pattern cannot be used",
        ),
        (grammar("\n'a': {'type': 'SYMBOL', 'name': 'b'}", ""), 3, "rule `b` is not defined"),
        (grammar("'a': {'type': 'BLANK'}", ",\n'word': 'b'"), 4, "rule `b` is not defined"),
    ] {
        let found = mistakes(TREE_SITTER, &text);
        let fits = |said: &Said| said.line == line && said.message.starts_with(message);
        assert!(found.iter().any(fits), "{text}: {found:?}");
    }
}

#[test]
fn grammars_are_produced_from_and_read_back() {
    prove_all("tree-sitter", "json");
}

#[test]
fn the_native_grammars_accept_the_same() {
    let others = [
        ("lua", "jumps, labels and what may be assigned to are not in it"),
        ("sql", "it is of SQL's standard, and ours of SQLite"),
    ];
    same_as_ours(&Importer::new(), "tree-sitter", "json", &others);
}

#[test]
fn a_grammar_is_told_by_its_text() {
    let text = grammar("'a': {'type': 'BLANK'}", "");
    assert_eq!(Notation::of("src/grammar.json", &text), Notation::TreeSitter);
    assert_eq!(Notation::of("src/grammar.json", "{\"<start>\": [\"a\"]}"), Notation::Fuzzingbook);
}

#[test]
fn no_text_is_too_much() {
    let nested = |depth: usize| {
        let open = "{\"type\": \"REPEAT\", \"content\": ".repeat(depth);
        let inner = "{\"type\": \"STRING\", \"value\": \"x\"}";
        format!("{{\"name\": \"t\", \"rules\": {{\"a\": {open}{inner}{}}}}}", "}".repeat(depth))
    };
    assert!(read(&nested(300)).is_ok());
    let texts = [nested(100_000), "[".repeat(100_000), "{\"a\":".repeat(100_000)];
    assert!(texts.iter().all(|text| read(text).is_err()));
    survive(TREE_SITTER, &texts, &grammars("tree-sitter", "json"));
}
