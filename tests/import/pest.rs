//! Grammars of pest.

use pleach::grammar::NoIncludes;
use pleach::import::{Importer, Notation};

use crate::expect::{self, Said, losses, mistakes, survive};
use crate::{agree, grammars, import, lower, prove_all, same_as_ours};

const PEST: Notation = Notation::Pest;

#[test]
fn what_each_construct_becomes() {
    let mut wrong = Vec::new();
    for (text, rules) in [
        // Terminals.
        (r#"a = { "x\n\r\t\0\\\"\'\x41\u{1F600}" }"#, "a = \"x\\n\\r\\t\\0\\\\\\\"'A😀\" ;\n"),
        (r#"a = { ^"xY" }"#, "a = i\"xY\" ;\n"),
        (r#"a = { 'a'..'f' | '\''..'\u{2F}' }"#, "a = [a-f] | ['-/] ;\n"),
        // Operators.
        (r#"a = { "x" ~ "y" | "z" }"#, "a = \"x\" \"y\" | \"z\" ;\n"),
        (r#"a = { | "x" | "y" }"#, "a = \"x\" | \"y\" ;\n"),
        (r#"a = { "x"? ~ "y"* ~ "z"+ }"#, "a = \"x\"? \"y\"* \"z\"+ ;\n"),
        (
            r#"a = { "x"{2} ~ "y"{2,} ~ "z"{,3} ~ "w"{2,3} }"#,
            "a = \"x\"{2} \"y\"{2,} \"z\"{,3} \"w\"{2,3} ;\n",
        ),
        (r#"a = { "x"{4294967295} ~ "y"+? ~ ("x"?)* }"#, "a = \"x\"{4294967295} \"y\"* \"x\"* ;\n"),
        (r#"a = { ("x" | "y") ~ ("z") }"#, "a = (\"x\" | \"y\") \"z\" ;\n"),
        // Rules, tags and comments.
        (
            "/// One.\n///two\na = { b } // no\nb = _{ /* /* no */ */ \"x\" }",
            "/// One.\n/// two\na = b ;\nb = \"x\" ;\n",
        ),
        (r##"a = { #t = b ~ #u = ("y")* } b = { "x" }"##, "a = b \"y\"* ;\nb = \"x\" ;\n"),
        // Built-in rules.
        (
            "a = { ANY ~ ASCII ~ NEWLINE }",
            "a = [\\x00-\\u{10FFFF}] [\\x00-\\x7F] (\"\\n\" | \"\\r\\n\" | \"\\r\") ;\n",
        ),
        (
            "a = { ASCII_DIGIT ~ ASCII_NONZERO_DIGIT ~ ASCII_BIN_DIGIT ~ ASCII_OCT_DIGIT ~ ASCII_HEX_DIGIT }",
            "a = [0-9] [1-9] [01] [0-7] [0-9A-Fa-f] ;\n",
        ),
        (
            "a = { ASCII_ALPHA_LOWER ~ ASCII_ALPHA_UPPER ~ ASCII_ALPHA ~ ASCII_ALPHANUMERIC }",
            "a = [a-z] [A-Z] [A-Za-z] [0-9A-Za-z] ;\n",
        ),
        (
            "a = { UPPERCASE_LETTER ~ XID_START ~ HAN }",
            "a = /\\p{UPPERCASE_LETTER}/ /\\p{XID_START}/ /\\p{HAN}/ ;\n",
        ),
        ("a = { SOI ~ \"x\" ~ EOI }", "a = \"x\" ;\n"),
        // Predicates.
        (r#"a = { !"x" ~ ANY }"#, "a = [^x] ;\n"),
        (r#"a = { (!("x" | NEWLINE) ~ ASCII)* }"#, "a = [\\x00-\\t\\x0B\\x0C\\x0E-wy-\\x7F]* ;\n"),
        (
            r#"a = @{ "<" ~ (!"->" ~ ANY)* ~ "->" }"#,
            "a = \"<\" ([\\x00-\\u{10FFFF}]*) except ([\\x00-\\u{10FFFF}]* (\"->\" [\\x00-\\u{10FFFF}]*)) \"->\" ;\n",
        ),
        (
            r#"a = @{ !k ~ b } b = @{ ASCII_ALPHA+ } k = @{ "if" ~ !ASCII_ALPHA }"#,
            "a = b except (\"if\" ([^A-Za-z] [\\x00-\\u{10FFFF}]*)?) ;\nb = [A-Za-z]+ ;\n",
        ),
        (r#"a = { !EOI ~ ANY }"#, "a = [\\x00-\\u{10FFFF}] ;\n"),
        (r#"a = { !"x" ~ "y" ~ b } b = { "z" ~ !"q" }"#, "a = \"y\" b ;\nb = \"z\" ;\n"),
        (
            r#"a = { !!"x" ~ ("x" | "y") }"#,
            "a = (\"x\" | \"y\") except (([\\x00-\\u{10FFFF}]*) except (\"x\" [\\x00-\\u{10FFFF}]*)) ;\n",
        ),
        (r#"a = { &"x" ~ "xy" }"#, "a = \"xy\" ;\n"),
        (
            r#"a = { SOI ~ &"z" ~ b ~ !"if" ~ b ~ EOI } b = @{ ASCII_ALPHA+ } WHITESPACE = _{ " " }"#,
            "%layout layout ;\n%lexical b WHITESPACE ;\n\
             a = b except (([\\x00-\\u{10FFFF}]*) except (\"z\" [\\x00-\\u{10FFFF}]*)) \
             b except (\"if\" [\\x00-\\u{10FFFF}]*) ;\nb = [A-Za-z]+ ;\nWHITESPACE = \" \" ;\nlayout = WHITESPACE* ;\n",
        ),
        // Layout.
        (
            "WHITESPACE = _{ \" \" } a = { \"x\" }",
            "%start a; %layout layout; %lexical WHITESPACE; WHITESPACE = \" \" ; a = \"x\" ; layout = WHITESPACE* ;",
        ),
        (
            r#"a = { b ~ "=" } b = @{ c ~ c } c = { ASCII_DIGIT } WHITESPACE = _{ " " } e = { SOI ~ a ~ EOI }"#,
            "%start e ;\n%layout layout ;\n%lexical b WHITESPACE ;\na = b \"=\" ;\nb = c c ;\nc = [0-9] ;\n\
             WHITESPACE = \" \" ;\ne = a ;\nlayout = WHITESPACE* ;\n",
        ),
        (
            r#"a = { SOI ~ ASCII_DIGIT+ ~ EOI } COMMENT = { "(" ~ ")" }"#,
            "%layout layout ;\n%lexical a_1 COMMENT ;\na = a_1 ;\na_1 = [0-9] (layout [0-9])* ;\n\
             COMMENT = \"(\" \")\" ;\nlayout = COMMENT* ;\n",
        ),
        // In an atomic rule layout is written out, of what is not atomic.
        (
            r#"a = { SOI ~ b ~ EOI } b = @{ "<" ~ c ~ ">" } c = !{ "{" ~ d* ~ (b | "x"{2})+ } d = { "d" ~ e } e = @{ "e" ~ "f" } WHITESPACE = _{ " " }"#,
            "%layout layout ;\n%lexical b e WHITESPACE ;\na = b ;\nb = \"<\" c-spaced \">\" ;\ne = \"e\" \"f\" ;\n\
             WHITESPACE = \" \" ;\n\
             c-spaced = \"{\" layout (d-spaced (layout d-spaced)*)? layout (c-spaced_1 (layout c-spaced_1)*) ;\n\
             c-spaced_1 = b | \"x\" (layout \"x\"){1} ;\n\
             d-spaced = \"d\" layout e ;\nlayout = WHITESPACE* ;\n",
        ),
    ] {
        let found = expect::native(PEST, text);
        let squeeze =
            |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ;", ";");
        if squeeze(&found) != squeeze(rules) {
            wrong.push(format!("{text}\n{found}"));
        }
        // The native notation says the same.
        let again = pleach::grammar::Grammar::parse(&found);
        again.unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_lost_is_said() {
    for (text, line, column, what) in [
        ("a = { \"x\"\n| \"xy\" }", 2, 3, "the order of these alternatives"),
        ("a = { b | b ~ \"y\" }\nb = { \"x\" }", 1, 11, "the order of these alternatives"),
        ("a = { \"x\"? | \"y\" }", 1, 14, "the order of these alternatives"),
        ("a = { ASCII_DIGIT | ASCII_DIGIT+ ~ \".\" }", 1, 21, "the order of these alternatives"),
        ("a = { \"x\"* ~ \"xy\" }", 1, 7, "pest repeats this as often as it can"),
        (
            "a = { SOI ~ b ~ \"x\" }\nb = { \"y\" ~ EOI }",
            2,
            13,
            "`EOI` stands where text may follow",
        ),
        (
            "a = { b ~ c }\nb = { \"x\" } c = { SOI ~ \"y\" }",
            2,
            19,
            "`SOI` stands where text may precede it",
        ),
        ("a = { b ~ \"z\" }\nb = { \"y\" ~ !\"z\" }", 2, 13, "this looks at what follows the rule"),
        (
            "a = { !\"y\" ~ b }\nb = { \"(\" ~ b ~ \")\" | \"y\" | \"x\" }",
            1,
            7,
            "this cannot be said",
        ),
        ("a = @{ !\"xy\" ~ \"x\" }", 1, 8, "this looks further"),
        ("a = { \"x\" }\nWHITESPACE = { \" \" }", 1, 1, "rule `a` is not a normal one"),
        (
            "a = { SOI ~ b ~ n ~ EOI }\nb = @{ n } n = { c }\nc = !{ \"x\" ~ \"y\" }\nWHITESPACE = { \" \" }",
            3,
            1,
            "rule `c` is not atomic",
        ),
        ("a = { \"x\" }\nb = { POP }", 2, 7, "rule `b` cannot be said: `POP` uses the stack"),
        ("a = { \"x\" }\nb = { c }", 2, 7, "rule `b` needs what is not defined"),
        (
            "a = { SOI ~ ANY ~ EOI }\nCOMMENT = { \"#\" ~ ASCII* }",
            2,
            13,
            "this comment goes on as long as it can",
        ),
    ] {
        let found = losses(PEST, text);
        let fits = |said: &Said| {
            (said.line, said.column) == (line, column) && said.message.starts_with(what)
        };
        assert!(found.iter().any(fits), "{text}: {found:?}");
    }
    // What looks like it and is not.
    for text in [
        "a = { \"xy\" | \"x\" }",
        "a = { \"x\" ~ !b ~ ASCII } b = { \"y\" }",
        "a = { (\"x\" ~ \",\")* ~ \"x\" }",
        "a = { SOI ~ b ~ EOI } b = { \"x\" ~ EOI }",
        "a = { SOI ~ (b | c)+ ~ EOI } b = @{ \"if\" ~ !ASCII_ALPHA } c = { \"+\" } WHITESPACE = { \" \" }",
    ] {
        let found = losses(PEST, text);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

/// Once nothing said that a rule after a predicate is to be atomic.
#[test]
fn a_predicate_before_a_rule_with_layout_says_why_it_is_lost() {
    for predicate in ["&\"z\"", "!\"if\""] {
        let text = format!(
            "a = {{ SOI ~ {predicate} ~ b ~ EOI }}\nb = {{ ASCII_ALPHA+ }}\nWHITESPACE = _{{ \" \" }}"
        );
        let found = losses(PEST, &text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].line, found[0].column), (1, 13));
        assert!(found[0].help.contains("which is not atomic"), "{found:?}");
    }
}

/// A rule that is written twice, with its layout and without, has lost a predicate once.
#[test]
fn what_is_lost_is_said_once() {
    let text = "a = { SOI ~ b ~ c ~ EOI }\nb = @{ c }\nc = !{ \"x\" ~ d }\nd = { \"y\" ~ !\"z\" ~ e }\n\
                e = { \"(\" ~ e ~ \")\" | \"z\" }\nWHITESPACE = { \" \" }";
    let found = losses(PEST, text);
    let lost: Vec<&Said> = found.iter().filter(|said| said.line == 4).collect();
    assert_eq!(lost.len(), 1, "{found:?}");
}

/// Once a comment whose line end pest takes where there is one ended anywhere, and its rule was left behind unused.
#[test]
fn a_comment_ends_with_its_line_where_its_end_is_optional() {
    for (comment, ends) in [
        ("\"#\" ~ (!\"\\n\" ~ ANY)* ~ \"\\n\"?", "\n"),
        ("\"#\" ~ (!NEWLINE ~ ANY)* ~ (NEWLINE | EOI)", "\r"),
        ("\"#\" ~ (!NEWLINE ~ ANY)* ~ \"\\r\"? ~ \"\\n\"?", "\r\n"),
        ("\"(\" ~ ASCII_DIGIT* ~ \")\" | \"#\" ~ (!\"\\n\" ~ ANY)* ~ \"\\n\"? ~ EOI?", "\n"),
        ("\"(\" ~ \")\" | \"#\" ~ (!\"\\n\" ~ ANY)*", "\n "),
    ] {
        let text = format!(
            "a = {{ SOI ~ \"x\" ~ (\",\" ~ \"x\")* ~ EOI }}\nCOMMENT = _{{ {comment} }}\nWHITESPACE = _{{ \" \" | \"\\n\" }}"
        );
        let imported = Importer::new().read("a.pest", &text, &NoIncludes).unwrap();
        assert!(imported.warnings.is_empty(), "{text}: {:?}", imported.warnings);
        let lowered = lower(&imported);
        assert!(lowered.warnings.is_empty(), "{text}: {:?}", lowered.warnings);
        agree::reads_back(&lowered.table, &text);
        let parser = pleach::parse::Parser::new(&lowered.table);
        let mut scratch = pleach::parse::Scratch::new();
        let mut reads = |text: &str| parser.recognise(text.as_bytes(), &mut scratch).is_ok();
        assert!(reads(&format!("x#,x{ends},x")) && reads("x#,x"), "{text}");
        // What stands behind a comment on its line is of the comment.
        assert!(!reads(&format!("x,#y x{ends}")), "{text}");
    }
}

/// Once no predicate in a rule that leads to itself was looked at.
#[test]
fn a_predicate_beside_recursion_is_kept() {
    let text = "a = @{ \"(\" ~ a ~ \")\" | !\"if\" ~ b ~ a? } b = @{ ASCII_ALPHA{2} }";
    let found = expect::native(PEST, text);
    assert!(found.contains("b except (\"if\" "), "{found}");
    assert!(losses(PEST, text).is_empty());
    // A rule that leads to itself by a predicate alone is none that could be taken away.
    let found = losses(PEST, "a = @{ \"x\" ~ !a ~ b }\nb = @{ ASCII_ALPHA{2} }");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].message.starts_with("this cannot be said"), "{found:?}");
}

/// Once the closing quote of an escape was taken for one that opens, and parentheses were counted wrong.
#[test]
fn a_quote_closes_an_escaped_character() {
    let group = "('\\''..')' | '\\x41'..'\\u{D6}') ~ ";
    let text = format!("a = {{ {} \"x\" }}", group.repeat(150));
    losses(PEST, &text);
}

#[test]
fn mistakes_are_placed() {
    for (text, line, column, message) in [
        ("a = { \"x\"\n  ~ }", 2, 5, "this is no grammar of pest: expected"),
        ("a = \"x\"", 1, 5, "this is no grammar of pest"),
        ("", 1, 1, "there is no rule"),
        ("a = { b }", 1, 7, "rule `b` is not defined"),
        ("a = { 'z'..'a' }", 1, 7, "this range ends before it begins"),
        ("a = { \"x\"{4294967296} }", 1, 10, "this count is too large"),
        ("a = { \"x\"{3,2} }", 1, 10, "the greatest count is below the least"),
        ("a = { \"\\u{D800}\" }", 1, 7, "there is no such character"),
        ("a = { \"x\"{2}{2}{2}{2}{2} }", 1, 7, "too many counts"),
        ("a = {\n  PUSH(\"x\") ~ \"y\" ~ POP }", 2, 3, "`PUSH` uses the stack"),
        ("a = {\n  \"x\" ~ PEEK[0..2] }", 2, 9, "`PEEK` uses the stack"),
        ("a = { DROP }", 1, 7, "`DROP` uses the stack"),
        ("\u{FEFF}a = { \"x\" }", 1, 1, "the text begins with a byte order mark"),
        ("a = { PEEK_ALL ~ POP_ALL }", 1, 18, "`POP_ALL` uses the stack"),
    ] {
        let found = mistakes(PEST, text);
        let fits = |said: &Said| {
            (said.line, said.column) == (line, column) && said.message.starts_with(message)
        };
        assert!(found.iter().any(fits), "{text}: {found:?}");
    }
}

#[test]
fn symbols_are_characters() {
    let importer = Importer::new().encoding(pleach::grammar::Encoding::Bytes);
    for (name, text) in [
        ("a.pest", "a = { ANY }"),
        ("a.json", "{\"name\": \"a\", \"rules\": {\"a\": {\"type\": \"BLANK\"}}}"),
    ] {
        let error = importer.read(name, text, &NoIncludes).unwrap_err().to_string();
        assert!(error.contains("not bytes"), "{error}");
    }
}

#[test]
fn grammars_are_produced_from_and_read_back() {
    prove_all("pest", "pest");
    for path in grammars("pest", "pest") {
        let warnings = import(Importer::new(), &path).warnings;
        // The line ends of N-Triples are tokens, so its comments end with none.
        let most = usize::from(path.ends_with("ntriples.pest"));
        assert_eq!(warnings.len(), most, "{}: {warnings:?}", path.display());
    }
}

#[test]
fn the_native_grammars_accept_the_same() {
    let others = [
        ("graphql", "a selection set follows any definition, which ours has after some only"),
        ("rfc3339", "it is section 5.6 alone: which days a month has is said in section 5.7"),
    ];
    same_as_ours(&Importer::new(), "pest", "pest", &others);
}

#[test]
fn no_text_is_too_much() {
    let deep = |open: &str, close: &str| {
        format!("a = {{ {}\"x\"{} }}", open.repeat(100_000), close.repeat(100_000))
    };
    let texts = [
        deep("(", ")"),
        deep("(", ""),
        deep("!", ""),
        deep("", "*"),
        deep("", "{2}"),
        deep("PUSH(", ")"),
        deep("\"x\" ~ ", " | \"y\""),
        format!("a = {{ \"x\" }} {}", "/*".repeat(100_000)),
        format!("a = {{ \"{}\" }}", "\\n".repeat(100_000)),
        format!("a = {{ {} \"x\" }}", "'('..')' ~ ".repeat(10_000)),
    ];
    survive(PEST, &texts, &grammars("pest", "pest"));
}
