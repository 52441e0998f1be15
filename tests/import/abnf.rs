//! Augmented BNF: RFC 5234 and RFC 7405, alone and in documents.

use std::path::Path;

use pleach::grammar::{Diagnostic, Encoding, Expr, Grammar, GrammarError, NoIncludes, SourceFile};
use pleach::import::{Imported, Importer, Notation};
use pleach::table::{Lowering, Table};
use pleach::{Entropy, Seeded};

use super::expect::{Said, said};
use super::{agree, folder, lower};

fn importer() -> Importer {
    Importer::new().notation(Notation::Abnf)
}

fn read(text: &str) -> Result<Imported, GrammarError> {
    importer().read("test", text, &NoIncludes)
}

#[track_caller]
fn native(text: &str) -> String {
    let imported = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let text = imported.grammar.to_string();
    text.strip_prefix("%encoding bytes;\n\n").map(str::to_owned).unwrap_or(text)
}

/// `3:7 what: effect`, one a line.
fn shown(files: &[SourceFile], diagnostics: &[Diagnostic]) -> String {
    let show = |one: &Said| format!("{}:{} {}: {}\n", one.line, one.column, one.message, one.help);
    said(files, diagnostics).iter().map(show).collect()
}

#[test]
fn what_each_construct_becomes() {
    for (text, rules) in [
        // Section 3.1 to 3.3: concatenations, alternatives, incremental alternatives.
        ("a = \"x\" \"1\"", "a = i\"x\" \"1\" ;\n"),
        ("a = \"x\" / \"y\" \"z\"", "a = i\"x\" | i\"y\" i\"z\" ;\n"),
        (
            "a = \"x\" / \"y\"\na =/ \"z\"\na =/ b\nb = a",
            "a = i\"x\" | i\"y\" | i\"z\" | b ;\nb = a ;\n",
        ),
        ("a =/ \"z\"\nb = a\na = \"1\"", "a = \"1\" | i\"z\" ;\nb = a ;\n"),
        // Section 2.3 and 3.4: values, concatenated and as ranges.
        ("a = %x41", "a = \"A\" ;\n"),
        ("a = %d13.10 %b1000001 %X7e", "a = \"\\r\\n\" \"A\" \"~\" ;\n"),
        ("a = %x30-39 %d65-70 %b0-1", "a = [0-9] [A-F] [\\x00\\x01] ;\n"),
        ("a = %x80-FF %xE9", "a = [\\x80-\\xFF] \"\\xE9\" ;\n"),
        ("a = %xE9 %x1F600", "a = \"\u{E9}\" \"\u{1F600}\" ;\n"),
        // RFC 7405.
        ("a = %s\"aB\" %i\"aB\" %S\"c\" \"\"", "a = \"aB\" i\"aB\" \"c\" \"\" ;\n"),
        // Sections 3.5 to 3.8: groups, repetitions, options.
        ("a = (\"x\" / \"y\") \"z\"", "a = (i\"x\" | i\"y\") i\"z\" ;\n"),
        (
            "a = *b 1*b *2b 1*2b 3b 0b 0*b\nb = %x1",
            "a = b* b+ b{,2} b{1,2} b{3} b{0} b* ;\nb = \"\\u{1}\" ;\n",
        ),
        (
            "a = *( \"x\" \"y\" ) [ \"x\" / \"y\" ] 2[\"z\"]",
            "a = (i\"x\" i\"y\")* (i\"x\" | i\"y\")? (i\"z\"?){2} ;\n",
        ),
        ("a = 1000000000b\nb = \"1\"", "a = b{1000000000} ;\nb = \"1\" ;\n"),
        // Section 2.1: names in any case; 3.9: comments.
        ("Aa = BB ; (no\n; no\nbb = aA / \"1\"", "Aa = bb ;\nbb = Aa | \"1\" ;\n"),
        ("a = <B> / \"1\"\nb = 0<c>\nc = <a>", "a = b | \"1\" ;\nb = c{0} ;\nc = a ;\n"),
        (
            "a = <b, see [X], Section 3>\nb = <c as in [X]>\nc = <a> / \"1\"",
            "a = b ;\nb = c ;\nc = a | \"1\" ;\n",
        ),
        // What is no name in the native notation.
        ("a = except\nexcept = \"1\"", "a = except2 ;\nexcept2 = \"1\" ;\n"),
        // Appendix B.1.
        (
            "a = CRLF digit",
            "a = CRLF DIGIT ;\nCR = \"\\r\" ;\nCRLF = CR LF ;\nDIGIT = [0-9] ;\nLF = \"\\n\" ;\n",
        ),
        ("a = DIGIT\ndigit = \"1\"", "a = digit ;\ndigit = \"1\" ;\n"),
        // RFC 9110, section 5.6.1.
        (
            "a = 1#b\nb = \"1\"\nOWS = *\" \"",
            "a = b (OWS \",\" OWS b)* ;\nb = \"1\" ;\nOWS = \" \"* ;\n",
        ),
        (
            "a = #b\nb = \"1\"\nOWS = *\" \"",
            "a = (b (OWS \",\" OWS b)*)? ;\nb = \"1\" ;\nOWS = \" \"* ;\n",
        ),
        (
            "a = 2#3(\"1\" / \"2\")\nOWS = *\" \"",
            "a = (\"1\" | \"2\") (OWS \",\" OWS (\"1\" | \"2\")){1,2} ;\nOWS = \" \"* ;\n",
        ),
        // Where rules end.
        ("a = \"1\" /\n    \"2\"\n  / \"3\"\nb = a", "a = \"1\" | \"2\" | \"3\" ;\nb = a ;\n"),
        ("  a = \"1\"\r\n      \"2\"\r\n  b = a\r\n", "a = \"1\" \"2\" ;\nb = a ;\n"),
        ("\u{FEFF}  a = \"1\"\n      b\n\n    b\n     = a\n", "a = \"1\" b ;\nb = a ;\n"),
        ("a = (\n\n  \"1\"\n)\n\nb = a\n", "a = \"1\" ;\nb = a ;\n"),
        ("a=\"1\"\nb=a;no\nc =\n  b", "a = \"1\" ;\nb = a ;\nc = b ;\n"),
    ] {
        assert_eq!(native(text), rules, "{text}");
    }
}

#[test]
fn rules_are_found_in_documents() {
    for (text, rules) in [
        // Prose, headings, tables; a note that is indented more than the rule before it.
        (
            "2.1.  Words\n\n   Words are as\n   follows:\n\n   a = b\n\n      Note: b is a word.\n\n   b = \"1\"\n\n   +---+\n",
            "a = b ;\nb = \"1\" ;\n",
        ),
        // Text directly before rules.
        ("The rules are:\na = b\nb = \"1\"\n", "a = b ;\nb = \"1\" ;\n"),
        // A page break inside a rule, after `/`, and where only the column shows that it goes on.
        (
            "   a = b /\n         ;\n\n\nDoe  Standards Track  [Page 1]\n\u{C}\nRFC 1  Words  May 1990\n\n\n       c\n   b = \"1\"\n   c = \"2\"\n",
            "a = b | c ;\nb = \"1\" ;\nc = \"2\" ;\n",
        ),
        (
            "   a = b\n\nDoe, et al.     Standards Track     [Page 1]\n\nRFC 1     Words     May 1990\n\n       c\n   b = \"1\"\n   c = \"2\"\n",
            "a = b c ;\nb = \"1\" ;\nc = \"2\" ;\n",
        ),
        // Rules under a rule, indented more than it.
        ("   a = b\n\n      b = c\n\n         c = \"1\"\n", "a = b ;\nb = c ;\nc = \"1\" ;\n"),
        // A prose value over two lines.
        ("   a = <b,\n        see [X]>\n   b = \"1\"\n", "a = b ;\nb = \"1\" ;\n"),
    ] {
        assert_eq!(native(text), rules, "{text}");
    }
}

#[test]
fn losses_are_warnings_that_say_where_and_what_follows() {
    for (text, warnings) in [
        (
            "a = %xD7FF-E000",
            "1:5 surrogates (%xD800-DFFF) are no characters: they are left out of the range\n",
        ),
        (
            "a = \"1\" / %xD834.DD1E",
            "1:11 surrogates (%xD800-DFFF) are no characters: nothing that needs this can be produced\n",
        ),
        (
            "a = \"1\" / %xD800-D801",
            "1:11 surrogates (%xD800-DFFF) are no characters: the range is empty, and nothing that needs it can be produced\n",
        ),
        (
            "a = \"\u{E9}\"",
            "1:5 a text in quotes is of ASCII: the characters beyond it are taken for their UTF-8\n",
        ),
        (
            "a = b\nb = \"1\"\nB = \"1\"",
            "3:1 rule `b` is defined again: the two are alike, and one is left out\n",
        ),
        (
            "a = b\nb = \"1\"\nb = \"2\"",
            "3:1 rule `b` is defined again, and otherwise: this definition counts, and the one before it is left out\n",
        ),
        (
            "a = b\nb = \"1\"\nb = c",
            "3:1 rule `b` is defined again, and otherwise: this one refers to rules that are not known: it is left out\n",
        ),
        (
            "a =/ \"1\"",
            "1:1 rule `a` is added to and nowhere defined: what is added is all that it derives\n",
        ),
        (
            "a = \"1\"\nb = c\nd = b",
            "2:5 rule `b` needs what is not defined: the start rule does not need it, and it is left out\n\
             3:5 rule `d` needs what is not defined: the start rule does not need it, and it is left out\n",
        ),
        (
            "a = \"1\"\n\nAs in\n\n  scheme = $2\n",
            "5:12 `$` is not of this notation: rule `scheme` is taken for an example, and left out\n",
        ),
        (
            "a = \"1\"\n\nThis is\nb = c, or not.\n",
            "4:1 `b =` stands inside a paragraph: it is taken for prose: an empty line stands before a rule\n",
        ),
        (
            "a = \"1\"\n\n  a_b = \"1\"\n\n  <c> ::= \"1\"\n\n  c ::= \"1\"\n",
            "3:3 `a_b` begins what looks like a rule: it is taken for prose: a rule is written `name = elements`, and a name has letters, digits and `-`\n\
             7:3 `c` begins what looks like a rule: it is taken for prose: a rule is written `name = elements`, and a name has letters, digits and `-`\n",
        ),
        (
            " a = \"1\"\n \"2\"\n",
            "2:2 this line is part of no rule: it is taken for prose: a rule goes on over lines that are indented more than its name\n",
        ),
    ] {
        let imported = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(shown(&imported.grammar.files, &imported.warnings), warnings, "{text}");
        let strict = importer().strict(true).read("test", text, &NoIncludes).unwrap_err();
        assert_eq!(shown(strict.files(), strict.diagnostics()), warnings, "{text}");
    }
}

#[test]
fn mistakes_have_a_place_and_a_way_to_mend_them() {
    for (text, errors) in [
        ("", "1:1 there is no rule: a rule is written: name = elements\n"),
        ("no rules here", "1:1 there is no rule: a rule is written: name = elements\n"),
        ("a =", "1:1 an element is missing after this: write an element; \"\" is the empty text\n"),
        (
            "a = \"1\" /",
            "1:9 an element is missing after this: write an element; \"\" is the empty text\n",
        ),
        (
            "a = / \"1\"",
            "1:5 an element is missing before this: write an element; \"\" is the empty text\n",
        ),
        (
            "a = ()",
            "1:6 an element is missing before this: write an element; \"\" is the empty text\n",
        ),
        ("a = (\"1\"", "1:5 this group is not closed: close it before the rule ends\n"),
        ("a = \"1\")", "1:8 no group is open here: leave out the `)`\n"),
        ("a = (\"1\"]", "1:9 `]` ends a group that another bracket began: write `)`\n"),
        ("a = *", "1:5 nothing follows this repetition: write what is repeated right after it\n"),
        (
            "a = (2* / \"1\")",
            "1:6 nothing follows this repetition: write what is repeated right after it\n",
        ),
        ("a = 1* 2*\"1\"", "1:8 a repetition follows another: put the second one in a group\n"),
        (
            "a = 3*2\"1\"",
            "1:5 the least count is more than the most: the least count stands first\n",
        ),
        ("a = 4294967296\"1\"", "1:5 this count is too large: the largest is 4294967295\n"),
        ("a = \"1", "1:5 this text in quotes does not end on its line: write `\"` after it\n"),
        ("a = <b", "1:5 this prose value does not end in its rule: write `>` after it\n"),
        ("a = %x", "1:5 this is no value: values are written: %x41, %d65, %b1000001\n"),
        ("a = %o17", "1:5 this is no value: values are written: %x41, %d65, %b1000001\n"),
        ("a = %b12", "1:5 `12` is no number here: values with `%b` have digits of base 2\n"),
        ("a = %x39-30", "1:5 this range ends before it begins: turn it round\n"),
        ("a = %x110000", "1:5 there is no such symbol: the last one is %x10FFFF\n"),
        ("a = %xFFFFFFFFFF", "1:5 there is no such symbol: the last one is %x10FFFF\n"),
        (
            "a = \"1\" | \"2\"",
            "1:9 `|` is not of this notation: alternatives are separated by `/`\n",
        ),
        (
            "a = 'x'",
            "1:5 `'` is not of this notation: texts are written in double quotes\n1:7 `'` is not of this notation: texts are written in double quotes\n",
        ),
        (
            "a = \"1\" {b}\nb = \"2\"\n",
            "1:9 `{` is not of this notation: repetition stands before an element: *a, 1*a, 2*4a\n1:11 `}` is not of this notation: repetition stands before an element: *a, 1*a, 2*4a\n",
        ),
        (
            "a = b?\nb = \"2\"\n",
            "1:6 `?` is not of this notation: [a] is an option, and repetition stands before an element: 1*a\n",
        ),
        (
            "a = b_c\nb = \"2\"\nc = b",
            "1:6 a name has no `_`: a name has letters, digits and `-`\n",
        ),
        (
            "a_b = \"x\"",
            "1:1 there is no rule, but `a_b` begins what looks like a rule: it is taken for prose: a rule is written `name = elements`, and a name has letters, digits and `-`\n",
        ),
        (
            "a = b\n",
            "1:5 rule `b` is not defined: define it, or supply a grammar that does (--with FILE)\n",
        ),
        (
            "a = <b, see [X]>\n",
            "1:5 rule `b` is defined elsewhere: <b, see [X]>: supply a grammar that defines it (--with FILE)\n",
        ),
        (
            "a = b\nb = <b, see [X]>\n",
            "2:5 rule `b` is defined elsewhere: <b, see [X]>: supply a grammar that defines it (--with FILE)\n",
        ),
        (
            "a = <any octet but LF>\n",
            "1:5 what stands here is said in words only: supply a grammar with a rule `any-octet-but-lf` (--with FILE)\n",
        ),
        (
            "a = <8 bits>\n",
            "1:5 what stands here is said in words only: supply a grammar with a rule `prose-8-bits` (--with FILE)\n",
        ),
        (
            "a = <>\n",
            "1:5 what stands here is said in words only: supply a grammar with a rule `prose` (--with FILE)\n",
        ),
        // In a document, what looks like a rule may be an example, unless it is needed.
        (
            "Text:\n\n  a = b\n\n  b = c,\n\n  c = \"1\"\n",
            "5:8 `,` is not of this notation: an element is a name, a text in double quotes, a value as %x41, or a group\n",
        ),
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(shown(error.files(), error.diagnostics()), errors, "{text}");
    }
}

#[test]
fn what_a_text_does_not_define_can_be_supplied() {
    let with = importer().partial(true);
    let with =
        with.read("with", "Any-Octet-But-LF = %x00-09 / %x0B-FF\nHOST = name\n", &NoIncludes);
    let names = "name = 1*ALPHA\n";
    let names = importer().partial(true).read("names", names, &NoIncludes).unwrap().grammar;
    let text = "a = <any octet but LF> <host, see [URI]>\n";
    let importer = importer().with(with.unwrap().grammar).with(names);
    let imported = importer.read("test", text, &NoIncludes).unwrap();
    assert_eq!(
        imported.grammar.to_string(),
        "%encoding bytes;\n\na = Any-Octet-But-LF HOST ;\n\
         Any-Octet-But-LF = [\\x00-\\t] | [\\x0B-\\xFF] ;\nHOST = name ;\nname = ALPHA+ ;\n\
         ALPHA = [A-Z] | [a-z] ;\n"
    );
}

#[test]
fn what_is_said_to_be_elsewhere_is_named_just_so() {
    let with = importer().read("uri", "host = 1*ALPHA\n", &NoIncludes).unwrap().grammar;
    let text = "Host = uri-host\nuri-host = <host, see [URI], Section 3.2.2>\n";
    let imported = importer().with(with).start("HOST").read("test", text, &NoIncludes).unwrap();
    assert_eq!(
        imported.grammar.to_string(),
        "%encoding bytes;\n%start Host;\n\nHost = uri-host ;\nuri-host = host ;\nhost = ALPHA+ ;\n\
         ALPHA = [A-Z] | [a-z] ;\n"
    );
    let error = read(text).unwrap_err();
    assert_eq!(
        shown(error.files(), error.diagnostics()),
        "2:12 rule `host` is defined elsewhere: <host, see [URI], Section 3.2.2>: supply a grammar that \
         defines it (--with FILE)\n"
    );
}

#[test]
fn a_rule_that_both_have_and_otherwise_is_a_warning_where_both_need_it() {
    let with = "mail = word\nword = *ALPHA\nother = \"1\"\n";
    let with = importer().read("mail", with, &NoIncludes).unwrap().grammar;
    let text = "a = word mail other\nword = 1*ALPHA\nother = \"2\"\n";
    let imported = importer().with(with).read("test", text, &NoIncludes).unwrap();
    assert_eq!(
        shown(&imported.grammar.files, &imported.warnings),
        "2:1 rule `word` is another one in mail, which needs it as well: this one stands for both\n"
    );
}

#[test]
fn the_encoding_follows_from_the_values() {
    for (text, chosen, encoding) in [
        ("a = %xFF", None, Encoding::Bytes),
        ("a = %d256", None, Encoding::Unicode),
        ("a = \"1\"\nb = \"2\" / %b0-100000000", None, Encoding::Unicode),
        ("a = %xFF", Some(Encoding::Unicode), Encoding::Unicode),
    ] {
        let mut importer = importer();
        if let Some(chosen) = chosen {
            importer = importer.encoding(chosen);
        }
        let imported = importer.read("test", text, &NoIncludes).unwrap();
        assert_eq!(imported.grammar.encoding, encoding, "{text}");
    }
    let importer = importer().encoding(Encoding::Bytes);
    let error = importer.read("test", "a = %x100", &NoIncludes).unwrap_err();
    assert_eq!(
        shown(error.files(), error.diagnostics()),
        "1:5 0x100 is no byte: read the grammar in Unicode (--encoding unicode)\n"
    );
}

/// A grammar of the folder, and what it takes to read it.
struct Case {
    file: &'static str,
    start: Option<&'static str>,
    with: &'static [&'static str],
    /// The rules that can be produced.
    rules: usize,
    warnings: &'static str,
}

const GRAMMARS: &[Case] = &[
    Case {
        file: "http-fields.abnf",
        start: None,
        with: &["rfc9110.abnf", "rfc3986.abnf", "rfc5322.abnf", "rfc5646.abnf", "rfc4647.abnf"],
        rules: 220,
        warnings: "94:4 rule `comment` is another one in rfc5322.abnf, which needs it as well: this one stands for both\n\
         192:4 rule `quoted-pair` is another one in rfc5322.abnf, which needs it as well: this one stands for both\n\
         193:4 rule `quoted-string` is another one in rfc5322.abnf, which needs it as well: this one stands for both\n",
    },
    Case { file: "rfc3986.abnf", start: None, with: &[], rules: 30, warnings: "" },
    Case { file: "rfc3986.abnf", start: Some("uri-reference"), with: &[], rules: 35, warnings: "" },
    Case { file: "rfc4647.abnf", start: None, with: &[], rules: 4, warnings: "" },
    Case { file: "rfc5234.abnf", start: None, with: &[], rules: 33, warnings: "" },
    Case { file: "rfc5322.abnf", start: Some("message"), with: &[], rules: 142, warnings: "" },
    Case { file: "rfc5646.abnf", start: None, with: &[], rules: 16, warnings: "" },
    Case {
        file: "rfc8259.abnf",
        start: None,
        with: &[],
        rules: 32,
        warnings: "91:39 surrogates (%xD800-DFFF) are no characters: they are left out of the range\n",
    },
    Case {
        file: "rfc9110.abnf",
        start: None,
        with: &["rfc3986.abnf"],
        rules: 23,
        warnings: "12:26 rule `Accept-Language` needs what is not defined: the start rule does not need it, and it is left out\n\
         25:23 rule `Content-Language` needs what is not defined: the start rule does not need it, and it is left out\n\
         36:11 rule `From` needs what is not defined: the start rule does not need it, and it is left out\n\
         145:19 rule `language-tag` needs what is not defined: the start rule does not need it, and it is left out\n",
    },
    Case { file: "semver.abnf", start: None, with: &[], rules: 12, warnings: "" },
];

#[track_caller]
fn import(file: &str, start: Option<&str>, with: &[&str]) -> Imported {
    let mut importer = Importer::new();
    for file in with {
        let part = Importer::new().partial(true);
        importer = importer.with(super::import(part, &folder("abnf").join(file)).grammar);
    }
    if let Some(start) = start {
        importer = importer.start(start);
    }
    super::import(importer, &folder("abnf").join(file))
}

#[test]
fn what_rfcs_print_is_read_produced_and_read_back() {
    let mut most = 0;
    for case in GRAMMARS {
        let imported = import(case.file, case.start, case.with);
        let warnings = shown(&imported.grammar.files, &imported.warnings);
        let warnings = warnings.replace(&format!("{}/", folder("abnf").display()), "");
        let rules = if case.start.is_none() && case.with.is_empty() {
            super::proves(&folder("abnf").join(case.file))
        } else {
            let table = lower(&imported).table;
            agree::reads_back(&table, case.file);
            table.produced_rules().count()
        };
        assert_eq!((rules, warnings.as_str()), (case.rules, case.warnings), "{}", case.file);
        most = most.max(rules);
    }
    assert!(most > 150, "{most}");
    for path in super::grammars("abnf", "abnf") {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(GRAMMARS.iter().any(|case| case.file == name), "{name} is not tested");
    }
}

#[test]
fn lines_may_end_in_any_way_and_pages_anywhere() {
    for case in GRAMMARS {
        let text = std::fs::read_to_string(folder("abnf").join(case.file)).unwrap();
        let read = |text: &str| {
            let part = Importer::new().notation(Notation::Abnf).partial(true);
            let imported = part.read("test", text, &NoIncludes).unwrap();
            (imported.grammar.to_string(), imported.warnings.len())
        };
        let expected = read(&text);
        assert_eq!(read(&text.replace('\n', "\r\n")), expected, "{}", case.file);
        for (at, _) in text.match_indices('\n') {
            let (before, after) = text.split_at(at + 1);
            // A page ends before its last line, and begins with its first one.
            if after.trim_start().starts_with("RFC ") {
                continue;
            }
            let page = "\n\nDoe, et al.   Standards Track   [Page 1]\n\u{C}\nRFC 1   Words   May 1990\n\n\n";
            let paged = read(&format!("{before}{page}{after}"));
            let line = before.lines().count();
            assert!(paged == expected, "{}:{line}: {} is not {}", case.file, paged.0, expected.0);
        }
    }
}

/// A native grammar of this project, from a start rule.
fn of_the_project(name: &str, start: &str) -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars").join(name);
    let grammar = super::import(Importer::new(), &path).grammar;
    Lowering::new().start(start).lower(&grammar).unwrap().table
}

#[test]
fn native_grammars_accept_the_same() {
    for (file, start, native, native_start) in [
        ("rfc8259.abnf", "JSON-text", "json.pleach", "JSON-text"),
        ("rfc3986.abnf", "URI-reference", "uri.pleach", "URI-reference"),
        ("rfc3986.abnf", "IPv6address", "ip.pleach", "IPv6address"),
        ("semver.abnf", "valid-semver", "semver.pleach", "valid-semver"),
    ] {
        let table = lower(&import(file, Some(start), &[])).table;
        agree::accept_the_same(&table, &of_the_project(native, native_start), native);
    }
}

#[test]
fn addresses_without_obsolete_syntax_are_those_of_the_native_grammar() {
    // The native grammar has what may be generated: it leaves out what begins with `obs-`.
    let mut imported = import("rfc5322.abnf", Some("addr-spec"), &[]);
    let Grammar { exprs, .. } = &mut imported.grammar;
    let is_obsolete: Vec<bool> = exprs
        .iter()
        .map(|expr| matches!(expr, Expr::Reference(name) if name.starts_with("obs-")))
        .collect();
    for expr in exprs {
        if let Expr::Choice(alternatives) = expr {
            alternatives.retain(|one| !is_obsolete[one.expr.0 as usize]);
        }
    }
    let table = lower(&imported).table;
    let native = of_the_project("addr-spec.pleach", "addr-spec");
    agree::accept_the_same(&table, &native, "addr-spec.pleach");
}

#[test]
fn a_file_named_after_the_notation_is_read_in_it() {
    assert_eq!(Notation::of("rfc.abnf", ""), Notation::Abnf);
    assert_eq!(Notation::of("RFC.ABNF", ""), Notation::Abnf);
}

#[test]
fn no_text_is_too_deep_too_long_or_too_strange() {
    let deep = 100_000;
    for (text, is_read) in [
        (format!("a = {}\"1\"{}", "(".repeat(deep), ")".repeat(deep)), true),
        (format!("a = {}\"1\"{}", "[".repeat(deep), "]".repeat(deep)), true),
        (format!("a = {}", "(".repeat(deep)), false),
        (format!("a = {}", "[ ( ".repeat(deep)), false),
        (format!("a = {}", ") ".repeat(deep)), false),
        (format!("a = {}", "<".repeat(deep)), false),
        (format!("a = {}", "\"\n ".repeat(deep)), false),
        (format!("a = {}", "1*".repeat(deep)), false),
        (format!("a = {}\"1\"", "1#( ".repeat(deep)), false),
        (format!("a = {}\"1\"{}", "1#( ".repeat(100), ")".repeat(100)), false),
        (format!("a = {}\"1\"", "%x31.".repeat(deep)), false),
        (format!("a = \"1\"{}", " / \"1\"".repeat(deep)), true),
        (format!("a = \"1\"{}", "\n /\"1\"".repeat(deep)), true),
        (format!("a = \"1\"\n{}", "a =/ \"1\"\n".repeat(deep)), true),
        (format!("a = \"1\"\n{}", "a = \"1\"\n".repeat(deep)), true),
        (format!("a = \"1\"\n{}", "b = (a\n\n".repeat(deep)), false),
        (format!("a = \"1\"\n\n{}", "words\n".repeat(deep)), true),
        (format!("a = \"1\"\n\n{}", "a\n\n".repeat(deep)), true),
        (format!("a = <{}>", "word ".repeat(deep)), false),
        (format!("a = {}", "<a word> ".repeat(deep)), false),
        ("\u{C}\n".repeat(deep), false),
        (format!("a = 4000000000(4000000000(4000000000({}\"1\")))", "9*9"), true),
    ] {
        let shown: String = text.chars().take(40).collect();
        assert_eq!(read(&text).is_ok(), is_read, "{shown}");
    }
}

#[test]
fn changed_texts_are_read_or_refused() {
    let mut seed = Seeded::new(1);
    let mut draw = |bound: usize| seed.below(bound as u64) as usize;
    let signs: Vec<char> = "()[]/<>\"%x*#=;-.a1 \n\r\t\u{C}\u{E9}\u{1F600}".chars().collect();
    for case in GRAMMARS {
        let text = std::fs::read_to_string(folder("abnf").join(case.file)).unwrap();
        let symbols: Vec<char> = text.chars().collect();
        for round in 0..60 {
            let mut changed = symbols.clone();
            for _ in 0..=round % 5 {
                let at = draw(changed.len());
                match draw(5) {
                    0 => drop(changed.remove(at)),
                    1 => changed.insert(at, changed[at]),
                    2 => changed[at] = signs[draw(signs.len())],
                    3 => changed.insert(at, signs[draw(signs.len())]),
                    _ => {
                        let end = changed.len().min(at + draw(30));
                        drop(changed.drain(at..end));
                    }
                }
            }
            if round % 10 == 9 {
                changed.truncate(draw(changed.len()));
            }
            let changed: String = changed.into_iter().collect();
            // What is read can be lowered, or says why not.
            if let Ok(imported) = read(&changed) {
                drop(Lowering::new().lower(&imported.grammar));
                assert!(Grammar::read("again", &imported.grammar.to_string(), &NoIncludes).is_ok());
            }
        }
    }
}
