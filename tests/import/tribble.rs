//! Text grammars of tribble.

use pleach::grammar::{Grammar, NoIncludes};
use pleach::import::{Importer, Notation};
use pleach::kpath::WalkCounts;
use pleach::parse::{Parser, Scratch};
use pleach::table::Lowering;
use pleach::{Entropy, Seeded};

use crate::brics;
use crate::expect::{lose, mistakes, native, refuse, survive};
use crate::naive::Naive;
use crate::{grammars, import, lower, prove_all, same_as_ours};

const TRIBBLE: Notation = Notation::Tribble;

#[test]
fn what_each_construct_becomes() {
    for (text, rules) in [
        (r#"A = "x" B | B ; B = "" ;"#, "A = \"x\" B | B ;\nB = \"\" ;\n"),
        // Names, with a quote before them or not.
        (r#"'Aa_$1 = 'b b ; b = 'c'd ; c'd = "" ;"#, "Aa__1 = b b ;\nb = c_d ;\nc_d = \"\" ;\n"),
        (r#"A = 'b b ; b = "1" ; 'b = "2" ;"#, "A = _b b ;\nb = \"1\" ;\n_b = \"2\" ;\n"),
        // Strings.
        (r#"A = "\n\r\t\"\\/'é" ;"#, "A = \"\\n\\r\\t\\\"\\\\/'é\" ;\n"),
        // Quantifiers.
        (
            r#"A=B?B*B+B{2}B{2,}B{,3}B{ 2 , /**/ 3 };B="b";"#,
            "A = B? B* B+ B{2} B{2,} B{,3} B{2,3} ;\nB = \"b\" ;\n",
        ),
        (r#"A = ("a" "b"){0,1} ("a"?)* ;"#, "A = (\"a\" \"b\")? (\"a\"?)* ;\n"),
        (r#"A = B{1000000000} B{,0} ; B = "b" ;"#, "A = B{1000000000} B{0} ;\nB = \"b\" ;\n"),
        // Groups.
        (r#"A = (("a" | ("b")) "c") ;"#, "A = (\"a\" | \"b\") \"c\" ;\n"),
        // Comments.
        ("/* a /* b */ c */ A /*/**/*/ = \"/*\" ; /* /* // */ */", "A = \"/*\" ;\n"),
        ("// a ; b\nA /* = */ = \"x\" // y\n ; /* * // \"*/", "A = \"x\" ;\n"),
        // The start is the rule that no rule refers to, or else no other.
        (r#"A = "a" ; B = A ;"#, "%start B;\n\nA = \"a\" ;\nB = A ;\n"),
        (r#"A = "a" ; B = A B? ;"#, "%start B;\n\nA = \"a\" ;\nB = A B? ;\n"),
        (r#"A = A "a" | "" ; B = A ;"#, "%start B;\n\nA = A \"a\" | \"\" ;\nB = A ;\n"),
        // Probabilities, and what is left over for the others.
        (r#"A = "a" @@ 0.5 | "b" | "c" ;"#, "A = @2 \"a\" | \"b\" | \"c\" ;\n"),
        (r#"A = ("a" @@ 0.25) | "b" "c" @@ 75e-2d ;"#, "A = \"a\" | @3 \"b\" \"c\" ;\n"),
        (r#"A = "x" ( "a" @@ 0x1p-2 | "b" ) ;"#, "A = \"x\" (\"a\" | @3 \"b\") ;\n"),
        (r#"A = "a" @@ .1 | "b" @@ .3 ;"#, "A = \"a\" | @3 \"b\" ;\n"),
        (r#"A = "a" @@ 1 | "b" ;"#, "A = \"a\" | @0 \"b\" ;\n"),
    ] {
        assert_eq!(native(TRIBBLE, text), rules, "{text}");
    }
}

#[test]
fn equal_alternatives_are_one() {
    for (text, rule) in [
        (r#"A = "a" | "b" | "a" ;"#, "A = \"a\" | \"b\" ;\n"),
        // What is built alike is equal: the quantifier, the comment and the parentheses do not tell.
        (r#"A = "a"? | ("a"){0,1} | (("a") ?) /* a */ ;"#, "A = \"a\"? ;\n"),
        (r#"A = "a" "b" | "a""b" | ("a" "b") ;"#, "A = \"a\" \"b\" ;\n"),
        (r#"A = ("a" "b") "c" | "a" "b" "c" ;"#, "A = (\"a\" \"b\") \"c\" | \"a\" \"b\" \"c\" ;\n"),
        (r#"A = "a" | /a/ | /a/ | /(a)/ ;"#, "A = \"a\" | /a/ | /a/ ;\n"),
        (
            r#"A = ("a" | "b") | ("a" | "b" | "a") | ("b" | "a") ;"#,
            "A = (\"a\" | \"b\") | (\"b\" | \"a\") ;\n",
        ),
        (
            r#"A = "\n" | "
" ;"#,
            "A = \"\\n\" ;\n",
        ),
        // Equal terms that are no alternatives of one alternation stay.
        (r#"A = "a" "a" ("a" | "b") ;"#, "A = \"a\" \"a\" (\"a\" | \"b\") ;\n"),
        // A probability is of none of them but the first.
        (r#"A = "a" @@ 0.25 | "b" | "a" ;"#, "A = \"a\" | @3 \"b\" ;\n"),
    ] {
        assert_eq!(native(TRIBBLE, text), rule, "{text}");
    }
    // In the native notation they are two.
    let two = Grammar::parse("A = \"a\" | \"a\" ;").unwrap();
    assert_eq!(two.to_string(), "A = \"a\" | \"a\" ;\n");
}

#[test]
fn what_each_regex_becomes() {
    for (regex, term) in [
        ("abc", "/abc/"),
        ("a|b|", "error"),
        ("[a-z0]", "[0a-z]"),
        ("[^a-y]", "[^a-y]"),
        ("a[^b]*", "/a[^b]*/"),
        ("[a-][-b][]c]", "/[\\-a][\\-b][\\]c]/"),
        ("(ab|c)+d{2}e{2,}f{2,3}g?", "/(?:ab|c)+d{2}e{2,}f{2,3}g?/"),
        ("((((a))))", "/a/"),
        (".", "[\\x00-\\u{10FFFF}]"),
        (".*", "/(?s:.)*/"),
        ("()", "/(?:)/"),
        // The reverse solidus of the regex is written twice; `\(` is as `(`.
        ("\\\\(a\\\\)\\(b\\)\\\\.\\\\d", "/\\(a\\)b\\.d/"),
        ("\\\"a.b\\\"c", "/a\\.bc/"),
        ("\\/\\n\\t\\\\\\\\", "/\\/\\n\\t\\\\/"),
        // Extensions that tribble turns off are characters, and so is what cannot be an operator.
        ("#@<1-9>", "/\\#@<1\\-9>/"),
        ("|a&*b", "/\\|a/ except (/(?s:.*)/ except /\\*b/)"),
        ("a b", "/a b/"),
        ("é😀", "/\\x{E9}\\x{1F600}/"),
        // Complement and intersection.
        ("~a", "/(?s:.*)/ except /a/"),
        ("~~a", "/a/"),
        ("[a-z]+&~(if|of)", "/[a-z]+/ except /if|of/"),
        ("~x&[a-z]&~y", "[a-z] except (/x/ | /y/)"),
        ("[a-z]+&.*x&~y", "/[a-z]+/ except (/(?s:.*)/ except /(?s:.)*x/ | /y/)"),
        ("~a&~b", "/(?s:.*)/ except (/a/ | /b/)"),
        ("a~b*c", "/(?s:.*)/ except (/(?s:.*)/ except (/a/ /(?s:.*)/ except /b/* /c/))"),
        ("a|~b", "/(?s:.*)/ except (/(?s:.*)/ except (/a/ | /(?s:.*)/ except /b/))"),
    ] {
        let text = format!("A = /{regex}/ ;");
        match term {
            "error" => assert_eq!(mistakes(TRIBBLE, &text).len(), 1, "{regex}"),
            _ => assert_eq!(native(TRIBBLE, &text), format!("A = {term} ;\n"), "{regex}"),
        }
    }
}

#[test]
fn regexes_derive_what_they_do_there() {
    for (regex, accepted, rejected) in [
        ("[a-z]+&~(if|of)", &["i", "iff", "a"][..], &["if", "of", "", "A"][..]),
        ("a~b*c", &["ac", "abbc", "axc"], &["a", "c", "ab", "abc"]),
        ("a~(b*)c", &["axc", "aaacc", "abxc"], &["ac", "abc", "abbc"]),
        ("~(.*x.*)", &["", "a\nb", "é"], &["x", "axb"]),
        (".*a.*&.*b.*&.{2}", &["ab", "ba"], &["a", "aa", "abb"]),
        ("a|~(a|b|.{2,})", &["a", "c", ""], &["b", "cc"]),
        (".", &["\n", "😀", "\u{FFFF}"], &["", "ab"]),
        ("[^\\n]", &["a", "\r"], &["\n"]),
        ("()", &[""], &["a"]),
        ("|&~a", &["|"], &["", "a"]),
    ] {
        let text = format!("A = /{regex}/ ;");
        let imported = Importer::new().notation(TRIBBLE).read("test", &text, &NoIncludes).unwrap();
        let lowered = lower(&imported);
        assert_eq!(lowered.table.occurrence_count(), 1, "{regex} is one terminal");
        assert!(lowered.warnings.is_empty(), "{regex}: {:?}", lowered.warnings);
        let (parser, mut scratch) = (Parser::new(&lowered.table), Scratch::new());
        let mut accepts = |text: &str| parser.recognise(text.as_bytes(), &mut scratch).is_ok();
        assert!(accepted.iter().all(|text| accepts(text)), "{regex}");
        assert!(!rejected.iter().any(|text| accepts(text)), "{regex}");
    }
}

/// All words of some characters up to a length.
fn words(symbols: &[char], most: usize) -> Vec<Vec<char>> {
    let mut words = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..most {
        let to = words.len();
        for at in from..to {
            for &symbol in symbols {
                words.push([words[at].as_slice(), &[symbol]].concat());
            }
        }
        from = to;
    }
    words
}

#[test]
fn regexes_derive_what_a_second_reader_says() {
    const SIGNS: &[char] = &[
        'a', 'a', 'a', 'b', 'b', '|', '&', '&', '~', '~', '*', '+', '?', '(', '(', ')', ')', '[',
        ']', '^', '-', '.', '{', '}', '1', '2', ',', '#', '<', '"', '\\',
    ];
    let mut words = [words(&['a', 'b'], 5), words(&['a', '|', '*', ')', ','], 3)].concat();
    words.dedup();
    let mut seed = Seeded::new(1);
    let mut seen = [0, 0, 0];
    for _ in 0..6000 {
        let length = 1 + seed.below(10);
        let draw = |_| SIGNS[seed.below(SIGNS.len() as u64) as usize];
        let regex: String = (0..length).map(draw).collect();
        // That would be a comment.
        if regex.starts_with('*') {
            continue;
        }
        let text = format!("A = /{}/ ;", regex.replace('\\', "\\\\").replace('"', "\\\""));
        let imported = Importer::new().notation(TRIBBLE).read("test", &text, &NoIncludes);
        let (imported, language) = match (imported, brics::language(&regex)) {
            (Ok(imported), Some(language)) => (imported, language),
            (Err(_), None) => {
                seen[0] += 1;
                continue;
            }
            (imported, language) => panic!("{text}: {} {}", imported.is_ok(), language.is_some()),
        };
        let Ok(lowered) = Lowering::new().lower(&imported.grammar) else {
            assert!(!words.iter().any(|word| language(word)), "{text} derives something");
            seen[1] += 1;
            continue;
        };
        let (parser, mut scratch) = (Parser::new(&lowered.table), Scratch::new());
        for word in &words {
            let bytes: String = word.iter().collect();
            let accepted = parser.recognise(bytes.as_bytes(), &mut scratch).is_ok();
            assert_eq!(accepted, language(word), "{text}: {bytes:?}");
        }
        seen[2] += 1;
    }
    assert!(seen.iter().all(|&seen| seen > 20), "{seen:?}");
}

#[test]
fn what_is_lost() {
    lose(
        TRIBBLE,
        &[
            ("A = \"a\" @@ 0.5 ;", &["1:9: this probability is of no alternative beside others"]),
            (
                "A =\n (\"a\" @@ 1)? ;",
                &["2:7: this probability is of no alternative beside others"],
            ),
            (
                "A = \"a\" | \"b\" | \"a\" @@ 0.5 ;",
                &["1:21: this probability is of an alternative that stands there before"],
            ),
            (
                "A = \"a\" @@ 0 | \"b\" @@ 0 ;",
                &["1:20: all these alternatives have the probability 0"],
            ),
            (
                "A = ( \"a\" @@ 0.123456 | \"b\" @@ 0.7654321 ) ;",
                &["1:5: no small whole numbers are in the ratio of these probabilities"],
            ),
        ],
    );
}

#[test]
fn mistakes_are_told() {
    refuse(
        TRIBBLE,
        &[
            ("", &["1:1: no rules"]),
            ("x", &["1:1: no rule has begun here"]),
            ("A = ;", &["1:5: there is an empty alternative before this"]),
            ("A = \"a\" | ;", &["1:11: there is an empty alternative before this"]),
            ("A = () ;", &["1:6: there is an empty alternative before this"]),
            ("A = (\"a\" ;", &["1:5: this group is not closed"]),
            ("A = \"a\") ;", &["1:8: no group is open here"]),
            ("A = \"a\" ? + ;", &["1:11: this follows another quantifier"]),
            ("A = ? \"a\" ;", &["1:5: this follows nothing"]),
            ("A = \"a\"{} ;", &["1:8: no count"]),
            ("A = \"a\"{3,2} ;", &["1:8: this count ends before it begins"]),
            ("A = \"a\"{99999999999} ;", &["1:8: this count is too large"]),
            ("A = \"é\" \"a\\x\" ;", &["1:11: no such escape"]),
            ("A = \"a\" @@ 0.5 \"b\" | \"c\" ;", &["1:16: this follows a probability"]),
            ("A = \"a\" @@ 0.5 ? | \"c\" ;", &["1:16: this follows a probability"]),
            ("A = \"a\" @@ 0.5 @@ 0.5 | \"c\" ;", &["1:16: this alternative has a probability"]),
            ("A = \"a\" @@ x | \"c\" ;", &["1:9: no probability"]),
            ("A = \"a\" @@ -1 | \"c\" ;", &["1:9: -1 is no probability"]),
            (
                "A = \"a\" @@ 0.7 | \"b\" @@ 0.7 | \"c\" ;",
                &["1:22: the probabilities of these alternatives add up to 1.400000"],
            ),
            ("A = \"a\"\nB = A ;", &["1:8: this rule is not ended"]),
            ("A = \"a\" ; A = \"b\" ;", &["1:11: `A` is defined before"]),
            (
                "A = B ;\n B = A ;",
                &["1:1: every rule is referred to by another, so none is the start"],
            ),
            (
                "A = \"a\" ; B = \"b\" ;",
                &["1:11: no rule refers to `A`, and none to `B`: either may be the start"],
            ),
            ("A = \"é\" B ;", &["1:9: rule `B` is not defined"]),
            ("A = ! \"a\" ;", &["1:5: `!` begins nothing here"]),
            ("A = \"a ;", &["1:5: this string is not closed"]),
            ("A = \"a\" /b ;", &["1:9: this regex is not closed"]),
            ("A = \"a\" ; /* b", &["1:11: this comment is not closed"]),
            // Regexes.
            ("A = /é\"/ ;", &["1:7: a quotation mark in a regex"]),
            ("A = /a\\d/ ;", &["1:7: no such escape"]),
            ("A = /a)/ ;", &["1:7: no group is open here"]),
            ("A = /\\((a/ ;", &["1:10: a group is not closed"]),
            ("A = /[a/ ;", &["1:8: this class is not closed"]),
            ("A = /[\\\\]/ ;", &["1:10: this class is not closed"]),
            ("A = /[z-a]/ ;", &["1:9: this range ends before it begins"]),
            ("A = /a{x/ ;", &["1:8: no number"]),
            ("A = /a{1/ ;", &["1:9: this count is not closed"]),
            ("A = /a{2,1}/ ;", &["1:12: the count before this ends before it begins"]),
            ("A = /a{99999999999}/ ;", &["1:17: this count is too large"]),
            ("A = /a|/ ;", &["1:8: the regex ends here"]),
        ],
    );
    // Several at once, and a start that the caller names.
    assert_eq!(mistakes(TRIBBLE, "A = /a)/ | ; B = (\"x ;").len(), 5);
    let importer = Importer::new().notation(TRIBBLE).start("B");
    let imported = importer.read("test", "A = \"a\" ; B = \"b\" ;", &NoIncludes).unwrap();
    assert_eq!(imported.grammar.start.unwrap().text, "B");
}

/// The exact k-path counts of a text for k = 1..5.
fn counts(text: &str) -> Vec<u64> {
    let imported = Importer::new().notation(TRIBBLE).read("test", text, &NoIncludes).unwrap();
    let table = lower(&imported).table;
    let counts = WalkCounts::new(&table, 5);
    (1..=5).map(|k| counts.exact(k).to_u64().unwrap()).collect()
}

#[test]
fn k_paths_are_counted_by_hand() {
    for (text, expected) in [
        (
            r#"list = "[" ( item ( "," item )* )? "]" ; item = "a" | list ; S = list ;"#,
            [8, 14, 18, 28, 36],
        ),
        (r#"E = E "+" T | T ; T = "1" ; S = E ;"#, [6, 10, 12, 12, 12]),
        // Three occurrences: the second `B` is dropped. The start rule is no node.
        (r#"A = B | "x" | B ; B = "b" ;"#, [3, 1, 0, 0, 0]),
        // Dropped in an inner alternation, which makes it equal to the first: one `B` is left.
        (r#"A = (B | B) | B ; B = "b" ;"#, [2, 1, 0, 0, 0]),
        // Quantifiers and groups are no nodes, counts multiply none, and `""` and `{0,0}` are none.
        (r#"A = B{2,3} (B "")? B{0,0} ; B = /b+&~bb/ ;"#, [3, 2, 0, 0, 0]),
        // Two literals that are equal are two, where they are no alternatives of one alternation.
        (r#"A = "," ("," | ";") "," ;"#, [4, 0, 0, 0, 0]),
    ] {
        assert_eq!(counts(text), expected, "{text}");
    }
}

#[test]
fn k_paths_are_counted_as_by_the_definition() {
    for path in grammars("tribble", "tribble") {
        let imported = import(Importer::new(), &path);
        let lowered = Lowering::new().lower(&imported.grammar).unwrap();
        let naive = Naive::new(&imported.grammar).unwrap();
        assert_eq!(lowered.table.occurrence_count(), naive.occurrences.len(), "{}", path.display());
        let walks = naive.walks(4, 20_000);
        assert!(walks.len() >= 2, "{}", path.display());
        let counts = WalkCounts::new(&lowered.table, walks.len());
        for (walks, k) in walks.iter().zip(1..) {
            assert_eq!(
                counts.exact(k).to_u64(),
                Some(walks.len() as u64),
                "{}: {k}",
                path.display()
            );
        }
    }
}

#[test]
fn grammars_are_produced_from_and_read_back() {
    prove_all("tribble", "tribble");
}

#[test]
fn grammars_here_accept_the_same() {
    same_as_ours(
        &Importer::new().strict(true),
        "tribble",
        "tribble",
        &[("http-request", "ours reads fields of any name, which this has not")],
    );
}

#[test]
fn no_text_is_too_much() {
    let deep = 100_000;
    let rule = |body: String| format!("A = {body} ;");
    survive(
        TRIBBLE,
        &[
            rule("(".repeat(deep)),
            rule(format!("{}\"a\"{}", "(".repeat(deep), ")*".repeat(deep))),
            rule(format!("{}\"a\"{}", "(".repeat(deep), "|\"b\")".repeat(deep))),
            rule(")".repeat(deep)),
            rule("\"a\" | ".repeat(deep)),
            rule("\"\\".repeat(deep)),
            rule("/\\".repeat(deep)),
            rule(" /*".repeat(deep)),
            rule(format!("{}{}\"a\"", "/*".repeat(deep), "*/".repeat(deep))),
            rule("{".repeat(deep)),
            rule("{1,".repeat(deep)),
            rule("@@".repeat(deep)),
            rule("'".repeat(deep)),
            "A = ".repeat(deep),
            "a ".repeat(deep),
            rule(format!("/{}a{}/", "(".repeat(deep), ")*".repeat(deep))),
            rule(format!("/{}/", "[".repeat(deep))),
            rule(format!("/{}a/", "~".repeat(deep))),
            rule(format!("/a{}/", "*".repeat(deep))),
            rule(format!("/a{}/", "&a".repeat(deep))),
            rule(format!("/a{}/", "{1000000000}".repeat(8))),
            rule(format!("/{}/", "\\(".repeat(deep))),
        ],
        &grammars("tribble", "tribble"),
    );
}
