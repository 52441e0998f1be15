//! Grammars in other notations: what each construct becomes, what is lost, and that the way back is none
//! to another language.

use pleach::Seeded;
use pleach::export::{Exporter, Target};
use pleach::grammar::{Encoding, Expr, Grammar, NoIncludes, Span};
use pleach::import::{Importer, Notation};
use pleach::parse::{Parser, Scratch};
use pleach::produce::{Mode, Options, Producer};
use pleach::table::{Lowering, Table};
use pleach::tree::Tree;

use super::agree::accept_the_same;
use super::expect::{ours, said};
use super::lower;

#[track_caller]
fn exported(grammar: &Grammar, target: Target) -> String {
    Exporter::new(target).write(grammar).unwrap_or_else(|error| panic!("{error}")).text
}

/// The table of a grammar that went to a notation and came back.
#[track_caller]
fn back(grammar: &Grammar, target: Target, notation: Notation) -> Table {
    let text = exported(grammar, target);
    let importer = Importer::new().notation(notation);
    let imported = importer.read("exported", &text, &NoIncludes);
    let imported = imported.unwrap_or_else(|error| panic!("{target}: {error}"));
    assert!(imported.warnings.is_empty(), "{target}: {:?}", imported.warnings);
    lower(&imported).table
}

#[test]
fn what_each_construct_becomes() {
    // Native, then W3C's, llama.cpp's and ABNF.
    for (text, w3c, gbnf, abnf) in [
        ("a = \"x\" ;", "a ::= \"x\"", "a ::= \"x\"", "a = %s\"x\""),
        ("a = i\"x-y\" ;", "a ::= [Xx] \"-\" [Yy]", "a ::= [Xx] \"-\" [Yy]", "a = \"x-y\""),
        ("a = \"1\\n2\" ;", "a ::= \"1\" #xA \"2\"", "a ::= \"1\\n2\"", "a = \"1\" %x0A \"2\""),
        ("a = \"'\\\"\" ;", "a ::= \"'\" '\"'", "a ::= \"'\\\"\"", "a = \"'\" %x22"),
        (
            "a = \"\\\\\\r\\n\" ;",
            "a ::= \"\\\" #xD #xA",
            "a ::= \"\\\\\\r\\n\"",
            "a = \"\\\" %x0D.0A",
        ),
        ("a = \"\" ;", "a ::= \"\"", "a ::= \"\"", "a = \"\""),
        ("a = \"x\" | ;", "a ::= \"x\" | \"\"", "a ::= \"x\" | \"\"", "a = %s\"x\" / \"\""),
        ("a = \"😀\" ;", "a ::= \"😀\"", "a ::= \"😀\"", "a = %x1F600"),
        (
            "a = [a-z0-9_] ;",
            "a ::= [0-9#x5F#x61-#x7A]",
            "a ::= [0-9_a-z]",
            "a = %x30-39 / %x5F / %x61-7A",
        ),
        (
            "a = [\\]^\\-12] ;",
            "a ::= [#x2D#x31#x32#x5D#x5E]",
            "a ::= [\\x2D12\\x5D\\x5E]",
            "a = %x2D / %x31-32 / %x5D-5E",
        ),
        ("a = [b] ;", "a ::= \"b\"", "a ::= \"b\"", "a = %x62"),
        (
            "a = ( \"1\" | \"2\" ) \"3\" ;",
            "a ::= (\"1\" | \"2\") \"3\"",
            "a ::= (\"1\" | \"2\") \"3\"",
            "a = (\"1\" / \"2\") \"3\"",
        ),
        (
            "a = ( \"1\" \"2\" )? \"3\"* \"4\"+ ;",
            "a ::= (\"1\" \"2\")? \"3\"* \"4\"+",
            "a ::= (\"1\" \"2\")? \"3\"* \"4\"+",
            "a = [\"1\" \"2\"] *\"3\" 1*\"4\"",
        ),
        ("a = ( \"1\"* )+ ;", "a ::= (\"1\"*)+", "a ::= (\"1\"*)+", "a = 1*(*\"1\")"),
        (
            "a = \"1\"{2,4} ;",
            "a ::= \"1\" \"1\" (\"1\" \"1\"?)?",
            "a ::= \"1\"{2,4}",
            "a = 2*4\"1\"",
        ),
        (
            "a = \"1\"{2} \"2\"{2,} \"3\"{,2} ;",
            "a ::= \"1\" \"1\" \"2\" \"2\" \"2\"* (\"3\" \"3\"?)?",
            "a ::= \"1\"{2} \"2\"{2,} \"3\"{0,2}",
            "a = 2\"1\" 2*\"2\" *2\"3\"",
        ),
        (
            "a = ( \"1\" \"2\" ){2} ;",
            "a ::= a-2 a-2\na-2 ::= \"1\" \"2\"",
            "a ::= (\"1\" \"2\"){2}",
            "a = 2(\"1\" \"2\")",
        ),
        ("a = \"1\"{0} \"2\" ;", "a ::= \"2\"", "a ::= \"2\"", "a = \"2\""),
        (
            "a = /1[23]?|(?:4{2})+/ ;",
            "a ::= \"1\" [2-3]? | (\"4\" \"4\")+",
            "a ::= \"1\" [23]? | (\"4\"{2})+",
            "a = \"1\" [%x32-33] / 1*(2\"4\")",
        ),
        (
            "a = [1-3] except \"2\" ;",
            "a ::= [1-3] - \"2\"",
            "a ::= a-2\na-2 ::= [13]",
            "a = a-2\na-2 = %x31 / %x33",
        ),
        (
            "a = /[12]+/ except \"2\" ;",
            "a ::= ([1-2]+) - \"2\"",
            "a ::= a-2\na-2 ::= \"1\" a-3 | \"2\" a-4\na-3 ::= [12] a-3 | \"\"\na-4 ::= [12] a-3",
            "a = a-2\na-2 = %x31 a-3 / %x32 a-4\na-3 = %x31-32 a-3 / \"\"\na-4 = %x31-32 a-3",
        ),
        (
            "a = \"1\" | [a&&b] ;",
            "a ::= \"1\" | nothing\nnothing ::= \"x\" nothing",
            "a ::= \"1\" | nothing\nnothing ::= \"x\" nothing",
            "a = \"1\" / nothing\nnothing = %s\"x\" nothing",
        ),
        // The start comes first.
        (
            "%start b; a = \"1\" ; b = a ;",
            "b ::= a\na ::= \"1\"",
            "b ::= a\na ::= \"1\"",
            "b = a\na = \"1\"",
        ),
        // Names.
        (
            "a_b = a-b ; a-b = A-B ; A-B = \"1\" ;",
            "a_b ::= a-b\na-b ::= A-B\nA-B ::= \"1\"",
            "a-b-2 ::= a-b\na-b ::= A-B\nA-B ::= \"1\"",
            "a-b-3 = a-b\na-b = A-B-2\nA-B-2 = \"1\"",
        ),
        (
            "/// One.\na = \"1\" ;",
            "/* One. */\na ::= \"1\"",
            "# One.\na ::= \"1\"",
            "; One.\na = \"1\"",
        ),
    ] {
        let grammar = Grammar::parse(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(exported(&grammar, Target::W3c), format!("{w3c}\n"), "{text}");
        assert_eq!(exported(&grammar, Target::Abnf), format!("{abnf}\n"), "{text}");
        let start = gbnf.trim_start_matches("# One.\n").split(' ').next().unwrap_or_default();
        let comment = if gbnf.starts_with('#') { "\n" } else { "" };
        assert_eq!(
            exported(&grammar, Target::Gbnf),
            format!("root ::= {start}\n{comment}{gbnf}\n"),
            "{text}"
        );
        assert!(
            Exporter::new(Target::Native).write(&grammar).is_ok_and(|it| it.warnings.is_empty())
        );
    }
}

#[test]
fn the_start_of_llama_cpp_is_root() {
    for (text, gbnf) in [
        ("root = a ; a = \"1\" ;", "root ::= a\na ::= \"1\"\n"),
        ("%start root; a = \"1\" ; root = a ;", "root ::= a\na ::= \"1\"\n"),
        ("a = root ; root = \"1\" ;", "root ::= a\na ::= root-2\nroot-2 ::= \"1\"\n"),
    ] {
        assert_eq!(exported(&Grammar::parse(text).unwrap(), Target::Gbnf), gbnf, "{text}");
    }
}

#[test]
fn layout_is_written_out_after_tokens() {
    for (text, w3c) in [
        (
            "%layout s; %lexical n; a = \"1\" n [23]* ; n = \"4\" d ; d = \"5\" ; s = \" \"* ;",
            "a-text ::= s a\na ::= \"1\" s n s ([2-3] s)*\nn ::= \"4\" d\nd ::= \"5\"\ns ::= \" \"*\n",
        ),
        // Not empty; and a rule that is used inside tokens and outside.
        (
            "%layout s; %lexical n; a = d n ; n = \"4\" d ; d = \"5\" ; s = \" \"+ ;",
            "a-text ::= s? a\na ::= d n s?\nn ::= \"4\" d-token\nd ::= \"5\" s?\nd-token ::= \"5\"\ns ::= \" \"+\n",
        ),
        (
            "%layout s; %lexical a; a = \"1\" ; s = \" \"* ;",
            "a-text ::= s a s\na ::= \"1\"\ns ::= \" \"*\n",
        ),
    ] {
        assert_eq!(exported(&Grammar::parse(text).unwrap(), Target::W3c), w3c, "{text}");
    }
}

#[test]
fn losses() {
    let weights = "the weights of this rule are left out; its alternatives and repetitions are as likely as the target makes them";
    let bindings = "how tightly the operators of this rule bind is left out; the language is the same, but the target may read another tree";
    let read = "what is read only is written as the other alternatives; it is produced there, too";
    let bytes = "bytes above 0x7F become the characters of their numbers; the target writes each in UTF-8, as two bytes";
    for (target, text, losses) in [
        (Target::W3c, "a = @2 \"1\" | @3 \"2\" ;\nb = \"1\"*@5 a@7* ;".replace("a@7*", "a*@7"), vec![format!("1:5: {weights}"), format!("2:5: {weights}")]),
        (Target::Gbnf, "a = \"1\" |\n @left 1 \"(\" a | @2 @prec 2 \"-\" a ;".into(), vec![
            format!("1:5: {bindings}"), format!("1:5: {weights}"),
        ]),
        (Target::Abnf, "a = \"1\"\n | @read \"2\" | @read \"3\" ;".into(), vec![format!("2:10: {read}"), format!("2:22: {read}")]),
        (Target::Gbnf, "%layout s;\na = \"1\" ;\ns = \" \"* ;".into(), vec![
            "1:9: layout is written out after each token; two words or numbers need none between them there".into(),
        ]),
        (Target::Gbnf, "a = a \"1\" | b ;\nb = c? a ;\nc = \"1\" c | \"2\" ;\nd = \"3\" ;".into(), vec![
            "1:1: this rule is left recursive; llama.cpp refuses it".into(),
            "2:1: this rule is left recursive; llama.cpp refuses it".into(),
        ]),
        (Target::Gbnf, "%encoding bytes;\na = \"\\xFF\" [\\x80-\\x90] ;\nb = /\\xFE/ ;".into(), vec![format!("2:5: {bytes}"), format!("3:5: {bytes}")]),
        (Target::W3c, "%encoding bytes;\na = \"\\x7F\" ;".into(), vec![]),
        (Target::Abnf, "%encoding bytes;\na = \"\\xFF\" ;".into(), vec![]),
        (Target::Abnf, "a = \"1\" \"é\" ;".into(), vec![
            "1:9: numbers up to 0xFF do not say that they are of characters; readers may take them for bytes".into(),
        ]),
        (Target::Abnf, "a = \"é\" \"😀\" ;".into(), vec![]),
        (Target::Gbnf, "a = /[ab]*a[ab]{11}/ except \"x\" ;".into(), vec![
            "1:5: what this takes away has too many states to be written out; it is not taken away".into(),
        ]),
    ] {
        let grammar = Grammar::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let exported = Exporter::new(target).write(&grammar).unwrap();
        let found = said(&grammar.files, &exported.warnings);
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, losses, "{target} {text}");
        let strict = Exporter::new(target).strict(true).write(&grammar);
        assert_eq!(strict.err().map_or(0, |error| error.diagnostics().len()), losses.len(), "{text}");
    }
}

#[test]
fn mistakes_are_those_of_the_grammar() {
    for (text, message) in [("a = b ;", "rule `b` is not defined"), ("a = /(/ ;", "unclosed group")]
    {
        let error = Exporter::new(Target::Abnf).write(&Grammar::parse(text).unwrap()).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn large_counts_are_few_rules() {
    for (text, longest) in
        [("a = \"1\"{7,100} ;", 100), ("a = ( \"1\" | \"2\"{9} \"3\" ){9,30} ;", 30)]
    {
        let grammar = Grammar::parse(text).unwrap();
        let table = Lowering::new().lower(&grammar).unwrap().table;
        let back = back(&grammar, Target::W3c, Notation::W3c);
        let (one, other) = (Parser::new(&table), Parser::new(&back));
        let mut scratch = Scratch::new();
        for length in 0..longest + 3 {
            let text = "1".repeat(length);
            let verdict = one.recognise(text.as_bytes(), &mut scratch).is_ok();
            assert_eq!(other.recognise(text.as_bytes(), &mut scratch).is_ok(), verdict, "{length}");
        }
    }
    let grammar = Grammar::parse("a = ( ( \"1\"{1000000000} ){,1000000000} ){3,} ;").unwrap();
    assert!(exported(&grammar, Target::W3c).len() < 10_000);
}

#[test]
fn nothing_nests_too_deep() {
    let mut text = String::from("a = b ; b = ");
    text.push_str(&"( \"1\" ".repeat(190));
    text.push_str(&")* ".repeat(190));
    text.push(';');
    let grammar = Grammar::parse(&text).unwrap();
    for target in [Target::Abnf, Target::Gbnf, Target::W3c] {
        assert!(exported(&grammar, target).matches('(').count() >= 188);
    }
    // Deeper than the native notation takes.
    let mut deep = Grammar::parse("a = \"x\" ;").unwrap();
    let span = Span::default();
    for _ in 0..50_000 {
        let body = deep.rules[0].body;
        let first = deep.push(Expr::Literal { bytes: b"y".to_vec(), ignore_case: false }, span);
        let expr = deep.push(Expr::Sequence(vec![first, body]), span);
        deep.rules[0].body =
            deep.push(Expr::Repeat { expr, min: 0, max: None, weight: None }, span);
    }
    for target in [Target::Abnf, Target::Gbnf, Target::W3c] {
        assert!(exported(&deep, target).len() > 100_000);
    }
}

/// The targets that are not the native notation, and the notations that they are read back in.
const TARGETS: [(Target, Notation); 3] =
    [(Target::Abnf, Notation::Abnf), (Target::Gbnf, Notation::Gbnf), (Target::W3c, Notation::W3c)];

#[test]
fn the_way_back_is_to_the_same_texts() {
    for name in ["json", "uri", "rfc3339", "semver", "csv", "toml", "http-request"] {
        let grammar = ours(name);
        let table = Lowering::new().lower(&grammar).unwrap().table;
        for (target, notation) in TARGETS {
            let back = back(&grammar, target, notation);
            // The characters of a grammar in bytes are others, but for ABNF.
            if grammar.encoding == Encoding::Unicode || target == Target::Abnf {
                accept_the_same(&table, &back, &format!("{name} {target}"));
            }
        }
    }
}

#[test]
fn large_classes_are_written_once() {
    let text = "a = b \" \" c ; b = /\\p{L}+/ except ( \"if\" | \"of\" ) ; c = /[\\p{L}_$]/ ;";
    let grammar = Grammar::parse(text).unwrap();
    let table = Lowering::new().lower(&grammar).unwrap().table;
    let one = Parser::new(&table);
    let letters = Grammar::parse("a = /\\p{L}/ ;").unwrap();
    for (target, notation) in TARGETS {
        let text = exported(&grammar, target);
        let once = exported(&letters, target).len();
        assert_eq!(text.matches("\nbeyond-ascii ").count(), 1, "{target}");
        assert!(text.len() < once + 1000, "{target}: {} and {once}", text.len());
        let back = back(&grammar, target, notation);
        let (other, mut scratch) = (Parser::new(&back), Scratch::new());
        let mut verdicts = [0, 0];
        for text in ["if $", "iff $", "o $", "\u{E9}if \u{E9}", "\u{E9}of$", "of _", "f", "i 1"] {
            let verdict = one.recognise(text.as_bytes(), &mut scratch).is_ok();
            let again = other.recognise(text.as_bytes(), &mut scratch).is_ok();
            assert_eq!(again, verdict, "{target} {text}");
            verdicts[usize::from(verdict)] += 1;
        }
        assert_eq!(verdicts, [5, 3]);
    }
}

#[test]
fn what_layout_loses_is_only_that_more_is_read() {
    for name in ["expr", "graphql"] {
        let grammar = ours(name);
        let table = Lowering::new().lower(&grammar).unwrap().table;
        for (target, notation) in TARGETS {
            let back = back(&grammar, target, notation);
            let parser = Parser::new(&back);
            let (mut seed, mut tree, mut scratch) = (Seeded::new(1), Tree::new(), Scratch::new());
            let options = Options::new().mode(Mode::Uniform).size(60);
            let mut producer = Producer::new(&table, options).unwrap();
            for _ in 0..500 {
                producer.produce(&mut seed, &mut tree);
                if let Err(error) = parser.recognise(tree.text(), &mut scratch) {
                    panic!("{name} {target}: {error}: {}", String::from_utf8_lossy(tree.text()));
                }
            }
        }
    }
    assert!(exported(&ours("expr"), Target::Abnf).starts_with("Expr-text = layout Expr\n"));
}
