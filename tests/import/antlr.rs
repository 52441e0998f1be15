//! ANTLR 4.

use pleach::grammar::{Files, NoIncludes};
use pleach::import::{Imported, Importer, Notation};

use crate::{agree, grammars, lower, proves, same_as_ours};

/// The native grammar that a text becomes.
#[track_caller]
fn native(text: &str) -> String {
    read(text).grammar.to_string()
}

#[track_caller]
fn read(text: &str) -> Imported {
    let importer = Importer::new().notation(Notation::Antlr);
    importer.read("test.g4", text, &NoIncludes).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// Rules of a combined grammar, and what they become.
#[test]
fn what_each_construct_becomes() {
    for (rules, expected) in [
        // Rules of the parser.
        ("a : b? b* b+ ; b : 'x' ;", "a = b? b* b+ ;\nb = \"x\" ;\n"),
        ("a : ('x' | 'y' | ) EOF ;", "a = \"x\" | \"y\" | ;\n"),
        ("a : 'x' # one | 'y' # two ;", "a = \"x\" | \"y\" ;\n"),
        // Of a token that the parser never sees every other is another.
        (
            "a : ~W 'z' ; X : 'x' ; W : ' ' -> skip ;",
            "%layout layout;\n%lexical X;\n\na = (\"z\" | X) \"z\" ;\nX = \"x\" ;\nW = \" \" ;\nlayout = W* ;\n",
        ),
        // A group may have a head, or the colon of one.
        ("a : ( : 'x' )* ( : 'y' | ) ;", "a = \"x\"* (\"y\" | ) ;\n"),
        ("a : ( options { } : 'x' | 'y' )+ ;", "a = (\"x\" | \"y\")+ ;\n"),
        ("a : ( options { } @init { i = ':'; } : 'x' )? ;", "a = \"x\"? ;\n"),
        // The first letter of a command is of either case.
        (
            "a : X X ; X : 'x' ; W : ' ' -> Channel(OTHER) ; V : '_' -> Skip ;",
            "%layout layout;\n%lexical X;\n\na = X X ;\nX = \"x\" ;\nW = \" \" ;\nV = \"_\" ;\nlayout = (W | V)* ;\n",
        ),
        ("a : n='x' m+=a? o=(a | 'y') ;", "a = \"x\" a? (a | \"y\") ;\n"),
        ("a : <assoc=right> a '^' a | 'x' ;", "a = @right 1 a \"^\" a | \"x\" ;\n"),
        (
            "a : 'x' | a '!' | '-' a | a ('*' | '/') a | <assoc=right>a '?' a ':' a | '(' a ')' ;",
            "a\n    = \"x\"\n    | @prec 4 a \"!\"\n    | @prec 3 \"-\" a\n    | @left 2 a (\"*\" | \"/\") a\n    \
             | @right 1 a \"?\" a \":\" a\n    | \"(\" a \")\"\n    ;\n",
        ),
        // Only rules that begin with themselves have operators.
        ("a : 'x' a | 'y' ;", "a = \"x\" a | \"y\" ;\n"),
        ("a options { } : 'x' ;", "a = \"x\" ;\n"),
        ("a returns [int i] locals [int j] throws X, Y : 'x' ;", "a = \"x\" ;\n"),
        ("a : X '\\'' ; X : 'x' ;", "a = X \"'\" ;\nX = \"x\" ;\n"),
        ("a : 'x' ; X : 'x' ;", "a = X ;\nX = \"x\" ;\n"),
        ("a : . X Y ; X : 'x' ; Y : 'y' ;", "a = (X | Y) X Y ;\nX = \"x\" ;\nY = \"y\" ;\n"),
        ("a : ~X 'z' ; X : 'x' ; Y : 'y' ;", "a = (\"z\" | Y) \"z\" ;\nY = \"y\" ;\n"),
        (
            "a : ~(X | 'z') 'z' X ; X : 'x' ; Y : 'y' ;",
            "a = Y \"z\" X ;\nX = \"x\" ;\nY = \"y\" ;\n",
        ),
        // Texts and sets.
        (
            "a : X ; X : '\\n\\r\\t\\b\\f\\\\\\u0041\\u{1F600}' ;",
            "a = X ;\nX = \"\\n\\r\\t\\u{8}\\u{c}\\\\A😀\" ;\n",
        ),
        ("a : X ; X : '\\uD83D\\uDE00' ;", "a = X ;\nX = \"😀\" ;\n"),
        ("a : X ; X : [a-cx\\]\\-\\u0030-\\u{39}] ;", "a = X ;\nX = [\\-0-9\\]a-cx] ;\n"),
        (
            "a : X ; X : 'a'..'c' . ~'x' ~[x-z] ~('a' | [b-y] | 'z') ;",
            "a = X ;\nX = [a-c] [\\x00-\\u{10FFFF}] [^x] [^x-z] [^a-z] ;\n",
        ),
        (
            "a : X ; X : [\\p{ASCII}\\P{ASCII}\\p{Script=Ogham}] ;",
            "a = X ;\nX = [\\x00-\\u{10FFFF}] ;\n",
        ),
        (
            "a : X ; X : [\\p{Script=Ogham}\\p{Zl}] ;",
            "a = X ;\nX = [\\u{1680}-\u{169C}\\u{2028}] ;\n",
        ),
        ("a : X ; X : F+ ; fragment F : 'f' | [0-9] ;", "a = X ;\nF = \"f\" | [0-9] ;\nX = F+ ;\n"),
        // Loops that take as little as they can.
        (
            "a : X ; X : '/*' .*? '*/' ;",
            "a = X ;\nX = \"/*\" ([\\x00-\\u{10FFFF}]* \"*/\") except ([\\x00-\\u{10FFFF}]* \"*/\" [\\x00-\\u{10FFFF}]+) ;\n",
        ),
        (
            "a : X ; X : 'b' .?? 'e'+ ;",
            "a = X ;\nX = \"b\" ([\\x00-\\u{10FFFF}]? \"e\"{1}) except ([\\x00-\\u{10FFFF}]? \"e\"{1} [\\x00-\\u{10FFFF}]+) \"e\"* ;\n",
        ),
        (
            "a : X ; X : '\"' ('\\\\\"' | .)*? '\"' ;",
            "a = X ;\nX = \"\\\"\" ([\\x00-\\u{10FFFF}]* \"\\\\\\\"\") except ([\\x00-\\u{10FFFF}]* (\"\\\\\\\"\" | \"\\\"\") [\\x00-\\u{10FFFF}]+)* \
             ([\\x00-\\u{10FFFF}]* \"\\\"\") except ([\\x00-\\u{10FFFF}]* \"\\\\\\\"\" [\\x00-\\u{10FFFF}]* | [\\x00-\\u{10FFFF}]* \"\\\"\" [\\x00-\\u{10FFFF}]+) ;\n",
        ),
        // What could not be taken for a character needs no such care.
        (
            "a : X ; X : '\"' ('\\\\\"' | ~[\\\\\"])*? '\"' ;",
            "a = X ;\nX = \"\\\"\" ((\"\\\\\\\"\" | [^\"\\\\])* \"\\\"\") except ((\"\\\\\\\"\" | [^\"\\\\])* \"\\\"\" [\\x00-\\u{10FFFF}]+) ;\n",
        ),
        ("a : X ; X : 'b' [a-z]+? ;", "a = X ;\nX = \"b\" [a-z]{1} ;\n"),
        // The first rule of those that match the same text.
        ("a : 'if' X ; X : [a-z]+ ;", "a = \"if\" X ;\nX = ([a-z]+) except \"if\" ;\n"),
        (
            "a : X Y ; X : [0-9]+ ; Y : [0-9a-f]+ ;",
            "a = X Y ;\nX = [0-9]+ ;\nY = ([0-9a-f]+) except X ;\n",
        ),
        ("a : X Y ; X : [0-9] ; Y : '.' [0-9]+ ;", "a = X Y ;\nX = [0-9] ;\nY = \".\" [0-9]+ ;\n"),
        (
            "a : 'i' X Y ; X : [a-z] ; Y : X X ;",
            "a = \"i\" X Y ;\nX-text = [a-z] ;\nX = X-text except \"i\" ;\nY = X-text X-text ;\n",
        ),
        // Either case.
        (
            "options { caseInsensitive = true; } a : 'x1' X ; X : [a-b] 'é' ~'z' ;",
            "a = i\"x1\" X ;\nX = [ABab] [Éé] [^Zz] ;\n",
        ),
        (
            "a : X Y ; X options { caseInsensitive = true; } : 'x' ; Y : 'y' ;",
            "a = X Y ;\nX = i\"x\" ;\nY = \"y\" ;\n",
        ),
        // Layout.
        (
            "a : X ; X : 'x' ; W : ' '+ -> skip ; C : '#' -> channel(HIDDEN) ;",
            "%layout layout;\n%lexical X;\n\na = X ;\nX = \"x\" ;\nW = \" \"+ ;\nC = \"#\" ;\nlayout = (W | C)* ;\n",
        ),
        ("a : X ; X : 'x' -> channel(DEFAULT_TOKEN_CHANNEL) ;", "a = X ;\nX = \"x\" ;\n"),
        // A comment up to the end of its line.
        (
            "a : X ; X : 'x' ; W : [ \\n] -> skip ; C : '#' ~'\\n'* -> skip ;",
            "%layout layout;\n%lexical X last;\n\na = X ( | @read last) ;\nX = \"x\" ;\nW = [\\n ] ;\nC = \"#\" [^\\n]* ;\nlayout = (W | C W except ([^\\n] [\\x00-\\u{10FFFF}]*))* ;\nlast = C ;\n",
        ),
        (
            "a : X ; X : 'x' ; C : '#' ~'\\n'* ('\\n' | EOF) -> skip ;",
            "%layout layout;\n%lexical X last;\n\na = X ( | @read last) ;\nX = \"x\" ;\nC = \"#\" [^\\n]* \"\\n\" ;\nlayout = C* ;\nlast = \"#\" [^\\n]* (\"\\n\" | ) ;\n",
        ),
        // It ends before a token, where that is no part of it.
        (
            "a : X N ; X : 'x' ; N : '\\n' ; W : ' ' -> skip ; C : '#' ~'\\n'* -> skip ;",
            "%layout layout;\n%lexical C X N-token last;\n\na = (X N) ( | @read last) ;\nX = \"x\" ;\nN-token = \"\\n\" ;\nW = \" \" ;\nC = \"#\" [^\\n]* ;\nN = ( | @read C) N-token ;\nlayout = W* ;\nlast = C ;\n",
        ),
        // What else is done with tokens.
        (
            "a : X Y ; X : 'x' ; Z : 'y' -> type(Y) ;",
            "a = X Y ;\nX = \"x\" ;\nZ = \"y\" ;\nY = Z ;\n",
        ),
        (
            "a : X Y ; X : 'x' | 'y' -> type(Y) ;",
            "a = X Y ;\nX = \"x\" ;\nX-2 = \"y\" ;\nY = X-2 ;\n",
        ),
        (
            "a : S ; B : '\"' -> more, pushMode(M) ; mode M ; S : '\"' -> popMode ; T : . -> more ;",
            "a = S ;\nB = \"\\\"\" ;\nS-own = \"\\\"\" ;\nM-begun = B ;\nS = M-begun ([\\x00-\\u{10FFFF}]* S-own) except ([\\x00-\\u{10FFFF}]* S-own [\\x00-\\u{10FFFF}]+) ;\n",
        ),
        (
            "tokens { X } channels { C } a : 'x' ; Y : 'y' -> channel(C) ;",
            "%layout layout;\n\na = \"x\" ;\nY = \"y\" ;\nlayout = Y* ;\n",
        ),
    ] {
        let text = format!("grammar test; {rules}");
        let found = native(&text);
        assert_eq!(found, expected, "{rules}");
        lower(&read(&text));
    }
}

/// What imported grammars accept and refuse.
#[test]
fn what_is_accepted() {
    for (rules, good, bad) in [
        (
            "a : X* ; X : '/*' .*? '*/' ; W : ' ' -> skip ;",
            &["", "/**/", "/***/ /*/*/", "/* a */"][..],
            &["/*", "/*/", "/* */ */"][..],
        ),
        // An escaped end is taken before the characters that it is made of, and ends nothing.
        (
            "a : S+ ; S : '\"' ('\\\\\"' | .)*? '\"' ;",
            &["\"\"", "\"a\\\"b\"\"\\\"\"", "\"\\a\""],
            &["\"", "\"\\\"", "\"\\\\\"", "\"a\"b\""],
        ),
        (
            "a : S+ ; S : '\"' (ESC | .)*? '\"' ; fragment ESC : '\\\\' [btn\"\\\\] | '\\\\u' HEX HEX ; fragment HEX : [0-9a-f] ;",
            &["\"\"", "\"\\\\\"", "\"\\\"\\\\\\q\"", "\"\\u22\""],
            &["\"\\\"", "\"\\\\\"\"", "\"a\"b\""],
        ),
        // An end is taken before it: ANTLR reads two texts.
        (
            "a : S S ; S : '\\'' ('\\'\\'' | .)*? '\\'' ;",
            &["'a''b'", "''''"],
            &["'a'b'", "'a'", "'a''b''c'"],
        ),
        // After the characters that it is made of it is never taken.
        ("a : S ; S : '\"' (. | '\\\\\"')*? '\"' ;", &["\"\"", "\"\\\""], &["\"\\\"\""]),
        (
            "a : X (';' X)* EOF ; X : 'x' ; W : [ \\n] -> skip ; C : '//' ~[\\r\\n]* '\\r'? '\\n'? -> skip ;",
            &["x//\n;x", "//\nx // ; \r\n//\n;x//", "//x\n//\nx"],
            &["//\n", "//x", "x;//x"],
        ),
        (
            "a : S+ ; B : '\"' -> more, pushMode(M) ; mode M ; S : '\"' -> popMode ; E : '\\\\' . -> more ; T : . -> more ;",
            &["\"\"", "\"ab\\\"c\"", "\"\\\\\""],
            &["\"", "\"\\\"", "\"a\"b"],
        ),
        (
            "a : 'x'+ ; O : '(*' -> skip, pushMode(M) ; W : ' ' -> skip ; mode M ; C : '*)' -> skip, popMode ; T : . -> skip ;",
            &["x", "x(* x *) x", "x(***)x", "(**)x"],
            &["(**)", "x (* *", "x (* *) *)"],
        ),
        (
            "a : 'x'+ ; C : '(*' ( C | . )*? '*)' -> skip ;",
            &["x(*a*)x", "x(*(*a*) b*)x"],
            &["x(*(* *)x", "x*)"],
        ),
        (
            "a : (X N)* ; X : 'x' ; N : '\\n' ; W : ' ' -> skip ; C : '#' ~'\\n'* -> skip ;",
            &["x\n", "x #y\n", "x  # x \n x\n"],
            &["x #\n\n", "x # x"],
        ),
        (
            "a : X EOF ; X : 'x' ; C : '#' ~'\\n'* -> skip ; W : '\\n' -> skip ;",
            &["x", "x#x", "x #\nx"][..1],
            &["x#\nx", "#x"],
        ),
        ("a : (l ';' | l EOF)+ ; l : 'x' ;", &["x;x;", "x;x"], &["", ";"]),
        (
            "a : 'x' T 'y' ; T : '<' -> type(T), pushMode(I) ; mode I ; I : '>' -> type(T), popMode ;",
            &["x<y", "x>y"],
            &["xy"],
        ),
    ] {
        let table = lower(&read(&format!("grammar test; {rules}"))).table;
        let parser = pleach::parse::Parser::new(&table);
        let mut scratch = pleach::parse::Scratch::new();
        let mut accepts = |text: &str| parser.recognise(text.as_bytes(), &mut scratch).is_ok();
        for text in good {
            assert!(accepts(text), "{rules}: {text:?}");
        }
        for text in bad {
            assert!(!accepts(text), "{rules}: {text:?}");
        }
        agree::reads_back(&table, rules);
    }
}

/// What is lost is said, with its line.
#[test]
fn losses() {
    for (text, line, expected) in [
        ("grammar t;\n@header { x }\na : 'x' ;", 2, "this code is left out"),
        (
            "grammar t;\n@parser::members { int x() { return '}'; } }\na : 'x' ;",
            2,
            "this code is left out",
        ),
        ("grammar t;\na : {x(\"}\")}? 'x' ;", 2, "this predicate is left out"),
        ("grammar t;\na : 'x'\n { y(); } ;", 3, "this code is left out"),
        ("grammar t;\na[int i] : 'x' ;", 2, "arguments are left out"),
        ("grammar t;\na :\nb[1 + 2] ; b : 'x' ;", 3, "arguments are left out"),
        ("grammar t;\na : 'x' ;\ncatch [E e] { }", 3, "this handler is left out"),
        ("grammar t;\na : 'x' ;\nfinally { }", 3, "this handler is left out"),
        (
            "grammar t;\noptions { superClass = X; }\na : 'x' ;",
            2,
            "the option `superClass` is left out",
        ),
        (
            "grammar t;\na : ( options { greedy=false; } : 'x' )* ;",
            2,
            "the option `greedy` is left out",
        ),
        ("grammar t;\na : 'x'*? 'y' ;", 2, "this loop is read as any other"),
        (
            "grammar t;\na : X ;\nX : '\"' ('\\\\\"' | .)+? '\"' ;",
            3,
            "this loop ends at its end, even where another of its texts holds that",
        ),
        (
            "grammar t;\na : b ;\nb : 'x' EOF ;",
            3,
            "the end of the text is demanded here, not in the first rule",
        ),
        (
            "grammar t;\na : X ;\nX : 'x' EOF? ;",
            3,
            "`X` is read where characters stand, not at the end of the text",
        ),
        (
            "grammar t;\na : X Y ;\nX : '\\uD800' ; Y : 'y' ;",
            3,
            "half of a surrogate pair is left out",
        ),
        (
            "grammar t;\na :\nW? X ; X : 'x' ; W : ' ' -> skip ;",
            3,
            "the parser never sees the token `W`",
        ),
        (
            "grammar t;\na : X |\nC ; X : 'x' ; C : '#' -> channel(HIDDEN) ;",
            3,
            "the parser never sees the token `C`",
        ),
        (
            "grammar t;\na : X |\n'#' ; X : 'x' ; C : '#' -> channel(2) ;",
            3,
            "the parser never sees the token `C`",
        ),
        (
            "grammar t;\na : X |\nC ; X : 'x' ; C : 'c' -> type(X) ;",
            3,
            "the parser never sees the token `C`",
        ),
        (
            "grammar t;\na : X |\nC ; X : 'x' ; C : 'c' -> more ;",
            3,
            "the parser never sees the token `C`",
        ),
        (
            "grammar t;\na : X Y ; X : 'x' -> pushMode(M) ; W : ' ' -> skip ;\nmode M; Y : 'y' ;",
            3,
            "the mode `M` hides other texts than the default mode",
        ),
    ] {
        let imported = read(text);
        let warning = imported.warnings.first().unwrap_or_else(|| panic!("{text}: no warning"));
        assert_eq!(warning.message, expected, "{text}");
        let at =
            imported.grammar.files[0].text[..warning.span.start as usize].matches('\n').count();
        assert_eq!(at + 1, line, "{text}");
        assert!(warning.help.is_some(), "{text}");
        let strict = Importer::new().notation(Notation::Antlr).strict(true);
        assert!(strict.read("test.g4", text, &NoIncludes).is_err(), "{text}");
    }
}

/// Once the automata of such tokens took the square of their number, none of which counted as work.
#[test]
fn tokens_that_hold_each_other_are_compared_within_a_budget() {
    let rules: String = (0..3000).map(|at| format!("X{at} : 'x' X{} ;\n", at + 1)).collect();
    let imported = read(&format!("grammar t; a : X0 ;\n{rules}X3000 : 'y' ;"));
    let [warning] = &imported.warnings[..] else { panic!("{:?}", imported.warnings) };
    assert!(warning.message.ends_with("tokens are not compared with all before them"));
}

/// What the parser never sees derives nothing: once it was produced, and ANTLR accepts none of it.
#[test]
fn tokens_that_the_lexer_keeps_derive_nothing() {
    let read = |rules: &str| {
        let imported = read(&format!("grammar t; {rules}"));
        pleach::table::Lowering::new().lower(&imported.grammar)
    };
    let error = read("s : A B ; A : [a] -> skip ; B : [b] ;").unwrap_err().to_string();
    assert!(error.contains("rule `s` derives no string"), "{error}");
    let table = read("s : A? (B | A B) ; A : [a] -> type(Z) ; B : [b] ;").unwrap().table;
    let parser = pleach::parse::Parser::new(&table);
    let mut scratch = pleach::parse::Scratch::new();
    assert!(parser.recognise(b"b", &mut scratch).is_ok());
    assert!(parser.recognise(b"ab", &mut scratch).is_err());
    let error = read("tokens { A } s : A ; A : [a] -> skip ;").unwrap_err().to_string();
    assert!(error.contains("rule `s` derives no string"), "{error}");
    // Another rule makes it.
    let table = read("s : A ; A : 'a' -> skip ; B : 'b' -> type(A) ;").unwrap().table;
    let parser = pleach::parse::Parser::new(&table);
    assert!(parser.recognise(b"b", &mut scratch).is_ok());
}

/// What names parts of trees and says what is generated is no loss: docs/importing.md says so.
#[test]
fn what_does_not_touch_the_language_is_no_loss() {
    let text = "grammar t; options { language = Java; accessLevel = public; } \
                a returns [int i] locals [int j] throws E : l=b m+=b # one ; b : <assoc=right> 'x' ;";
    let importer = Importer::new().notation(Notation::Antlr).strict(true);
    importer.read("test.g4", text, &NoIncludes).unwrap_or_else(|error| panic!("{error}"));
}

/// Mistakes are reported where they stand.
#[test]
fn mistakes() {
    for (text, line, column, expected) in [
        ("a : 'x' ;", 1, 1, "the grammar has no head"),
        ("grammar t\na : 'x' ;", 2, 1, "`;` is missing here"),
        ("grammar t;\na 'x' ;", 2, 3, "`:` is missing after `a`"),
        ("grammar t;\na : 'x'", 2, 8, "`;` is missing after `a`"),
        ("grammar t;\na : ('x' ;", 2, 5, "this group is not closed"),
        ("grammar t;\na : 'x') ;", 2, 8, "no group is open here"),
        ("grammar t;\na : * ;", 2, 5, "`*` follows nothing"),
        ("grammar t;\na : '' ;", 2, 5, "this text is empty"),
        ("grammar t;\na : 'x' $ ;", 2, 9, "`$` begins nothing here"),
        ("grammar t;\na : '\\q' ;", 2, 5, "`\\q` is no escape"),
        ("grammar t;\na : 'a'..'b' ;", 2, 5, "the parser has no ranges"),
        ("grammar t;\na : X ; X : 'b'..'a' ;", 2, 13, "this is no range of two characters"),
        ("grammar t;\na : X ; X : [] ;", 2, 13, "this set is empty"),
        ("grammar t;\na : X ; X : [z-a] ;", 2, 13, "a range of this set ends before it begins"),
        ("grammar t;\na : X ; X : [\\p{Nothing}] ;", 2, 13, "no property `Nothing` is known"),
        ("grammar t;\na : X ; X : '\\u{110000}' ;", 2, 13, "there is no such character"),
        ("grammar t;\na : X ; X : ~'ab' ;", 2, 14, "this cannot be negated"),
        ("grammar t;\na : ~b ; b : 'x' ;", 2, 6, "this cannot be negated"),
        (
            "grammar t;\na : X F ; X : 'x' ; fragment F : 'f' ;",
            2,
            7,
            "`F` is a fragment, which makes no token for the parser",
        ),
        (
            "grammar t;\na : ~(X | F) X ; X : 'x' ; fragment F : 'f' ;",
            2,
            11,
            "`F` is a fragment, which makes no token for the parser",
        ),
        // Once it was any token without a word.
        ("grammar t;\na : X | ~Y ; X : 'x' ;", 2, 10, "token `Y` is not defined"),
        ("grammar t;\na : 'x ;\nb : 'y' ;", 2, 5, "this text is not closed on its line"),
        ("grammar t;\na : X ; X : ~[a-z ;", 2, 14, "this set is not closed on its line"),
        ("grammar t;\na : X /* ;", 2, 7, "this comment is not closed"),
        ("grammar t;\na : \"x\" ;", 2, 5, "texts do not stand in double quotes"),
        ("grammar t;\na : X X\nX : [a] ;", 3, 1, "`;` is missing before `X`"),
        ("grammar t;\na : X ; X : a ;", 2, 13, "the lexer has no rule `a`"),
        ("grammar t;\na : X ; X : 'x' -> jump ;", 2, 20, "`jump` is no command of a lexer"),
        ("grammar t;\na : X ; X : 'x' -> pushMode(M) ;", 2, 9, "there is no mode `M`"),
        ("grammar t;\na : 'x' ;\na : 'y' ;", 3, 1, "rule `a` is defined twice"),
        ("grammar t;\na : b ;", 2, 5, "rule `b` is not defined"),
        (
            "grammar t;\ntokens { X }\na : X ;",
            2,
            10,
            "token `X` is declared, and no rule of the lexer makes it",
        ),
        ("lexer grammar t;\nX : 'x' ;", 1, 1, "there are no rules of a parser here"),
        (
            "parser grammar t;\na : 'x' ;",
            1,
            1,
            "a parser grammar has its tokens from a lexer grammar",
        ),
        (
            "grammar t;\nimport u;\na : 'x' ;",
            2,
            8,
            "the grammar `u` is not found: no other files are at hand here (`Grammar::read` takes a resolver for them)",
        ),
        ("grammar t;\na : { ;", 2, 5, "this is not closed"),
    ] {
        let importer = Importer::new().notation(Notation::Antlr);
        let Err(error) = importer.read("test.g4", text, &NoIncludes) else {
            panic!("{text}: no error")
        };
        let shown = error.to_string();
        let first = error.diagnostics().first().unwrap();
        assert_eq!(first.message, expected, "{text}");
        assert!(shown.contains(&format!("test.g4:{line}:{column}")), "{text}\n{shown}");
    }
}

/// Grammars of several files.
#[test]
fn files() {
    let files = Files::new([
        ("L.g4", "lexer grammar L; import M; X : 'x' ; W : ' ' -> skip ;"),
        ("M.g4", "lexer grammar M; X : 'no' ; Y : 'y' ;"),
        ("P.g4", "parser grammar P; a : X ; b : 'y' ;"),
    ]);
    let text = "parser grammar T; options { tokenVocab = L; } import P; a : X b ;";
    let importer = Importer::new();
    let imported = importer.read("T.g4", text, &files).unwrap();
    assert_eq!(
        imported.grammar.to_string(),
        "%layout layout;\n%lexical X Y;\n\na = X b ;\nb = Y ;\nX = \"x\" ;\nW = \" \" ;\nY = \"y\" ;\nlayout = W* ;\n"
    );
    let wrong = "parser grammar T; options { tokenVocab = L; } a : 'z' ;";
    let error = importer.read("T.g4", wrong, &files).unwrap_err().to_string();
    assert!(error.contains("no rule of the lexer is this text alone"), "{error}");
}

/// What the importer's folder holds: all of it is used by one of the grammars.
fn mains() -> Vec<std::path::PathBuf> {
    let mut files = grammars("antlr", "g4");
    files.retain(|path| !path.ends_with("Numbers.g4") && !path.to_string_lossy().contains("Lexer"));
    files
}

#[test]
fn real_grammars_read_back_what_they_produce() {
    let files = mains();
    assert!(files.len() >= 5);
    let rules: Vec<usize> = files.iter().map(|path| proves(path)).collect();
    assert!(rules.iter().any(|&count| count > 150), "{rules:?}");
}

#[test]
fn the_native_grammars_accept_the_same() {
    let others = [
        ("csv", "records of a file may be of any widths"),
        ("lua", "jumps, labels and what may be assigned to are not in it"),
    ];
    same_as_ours(&Importer::new(), "antlr", "g4", &others);
}

/// No text makes the importer panic, hang or overflow.
#[test]
fn any_text() {
    let importer = Importer::new().notation(Notation::Antlr);
    let try_one = |text: &str| {
        // Whatever it says.
        let _ = importer.read("test.g4", text, &NoIncludes);
    };
    for path in grammars("antlr", "g4") {
        let text = std::fs::read_to_string(path).unwrap();
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for step in 0..60 {
            let at = places[places.len() * step / 60];
            try_one(&text[..at]);
            let next = text[at..].chars().next().map_or(at, |char| at + char.len_utf8());
            try_one(&format!("{}{}", &text[..at], &text[next..]));
            try_one(&format!("{}{}", &text[..next], &text[at..]));
            for other in ["'", "[", "{", ";", "|", "~", "->", "(", "\\", "EOF", "\u{0}"] {
                if step % 6 == 0 {
                    try_one(&format!("{}{other}{}", &text[..at], &text[next..]));
                }
            }
        }
    }
    for deep in ["(", "((", "~(", "{", "[", "'x'*(", "(a|", "a : ("] {
        try_one(&format!("grammar t; a : {}", deep.repeat(100_000)));
        try_one(&format!("grammar t; a : X ; X : {}", deep.repeat(100_000)));
    }
    let nested = format!("{}'x'{}", "(".repeat(100_000), ")*".repeat(100_000));
    try_one(&format!("grammar t; a : {nested} ;"));
    try_one(&format!("grammar t; a : X ; X : {nested} ;"));
    try_one(&format!("grammar t; a : X ; X : 'a' {} 'b' ;", ".*? ".repeat(1000)));
    try_one(&format!("grammar t; a : X ; X : 'x' ; {}", "mode M; ".repeat(10_000)));
    let modes: String = (0..20_000).map(|at| format!("mode M{at}; ")).collect();
    try_one(&format!("grammar t; a : X ; X : 'x' ; {modes}"));
    let tokens: String = (0..10_000).map(|at| format!("X{at} : [a-z]+ 'x{at}' ; ")).collect();
    try_one(&format!("grammar t; a : X1 ; {tokens}"));
    let fragments: String =
        (0..60).map(|at| format!("fragment F{at} : F{} F{} ; ", at + 1, at + 1)).collect();
    try_one(&format!("grammar t; a : X ; X : F0 ; {fragments} fragment F60 : 'x' ;"));
}

/// Another rule with the literal, which gives its token a type and a channel, left the literal without a token.
#[test]
fn a_rule_with_two_commands_is_no_name_of_its_literal() {
    let lexer = "lexer grammar L; COMMA : ',' ; X : 'x' -> pushMode(M) ; mode M; \
                 OTHER : ',' -> channel(C), type(COMMA) ; END : ';' -> popMode ;";
    let files = Files::new([("L.g4", lexer)]);
    let importer = Importer::new().notation(Notation::Antlr);
    let read = |text: &str| importer.read("P.g4", text, &files);
    let good = read("parser grammar P; options { tokenVocab = L; } a : X ',' ;").unwrap();
    assert!(good.grammar.to_string().contains("a = X COMMA ;"), "{}", good.grammar);
    // A text that is one alternative of several is the token of none.
    let lexer = "lexer grammar L; X : ',' | 'x' ;";
    let files = Files::new([("L.g4", lexer)]);
    let bad =
        importer.read("P.g4", "parser grammar P; options { tokenVocab = L; } a : X ',' ;", &files);
    assert!(bad.unwrap_err().to_string().contains("no rule of the lexer is this text alone"));
    assert_eq!(
        native("grammar t; a : X ',' ; X : ',' | 'x' ;"),
        "a = X \",\" ;\nX = (\",\" | \"x\") except \",\" ;\n"
    );
}

/// A mode that another one put itself above was written out with all tokens in each, and had no automaton; and what
/// one took another mode for was taken for its end.
#[test]
fn directives_that_hold_directives_are_layout() {
    let lexer = "grammar t; a : X+ EOF ; X : 'x' ; W : [ \\n]+ -> skip ; C : '/*' .*? '*/' -> skip ; \
        HASH : '#' -> channel(D), pushMode(DIR) ; \
        mode DIR ; DEFINE : 'define' -> skip, mode(TEXT) ; IF : 'if' -> skip, mode(COND) ; \
        ENDIF : 'endif' -> skip, popMode, popMode, popMode ; S : ' '+ -> skip ; E : '\\n' -> skip, popMode ; \
        mode TEXT ; SLASH : '/' -> more ; C1 : '/*' .*? '*/' -> skip ; T : ~[/\\n]+ -> skip ; E1 : '\\n' -> skip, popMode ; ";
    let nested = "mode COND ; COND0 : ~[\\n]+ -> skip ; E2 : '\\n' -> skip, pushMode(BODY) ; \
        mode BODY ; HASH2 : '#' -> skip, pushMode(DIR) ; BODY0 : ~[#]+ -> skip ;";
    let flat = "mode COND ; COND0 : ~[\\n]+ -> skip ; E2 : '\\n' -> skip, popMode ;";
    for (rest, is_told, body) in [(nested, false, "x#if a\nx"), (flat, true, "x#if a\nx#if b\nx")] {
        let imported = read(&format!("{lexer}{rest}"));
        let warns =
            imported.warnings.iter().any(|it| it.message.contains("within others in itself"));
        assert_eq!(warns, !is_told, "{:?}", imported.warnings);
        let table = lower(&imported).table;
        let parser = pleach::parse::Parser::new(&table);
        let mut scratch = pleach::parse::Scratch::new();
        let mut reads = |text: &str| parser.recognise(text.as_bytes(), &mut scratch).is_ok();
        for text in ["x#define A 1\nx", "x# define A /b\n x", "x/* # */x", body] {
            assert!(reads(text), "{text:?} of {}", imported.grammar);
        }
        for text in ["x#define A x", "x/* # x"] {
            assert!(!reads(text), "{text:?} of {}", imported.grammar);
        }
        assert_eq!(reads("x#define A 1 /* \n */ \nx"), is_told);
        assert_eq!(reads("x#undef A\nx"), !is_told);
    }
}
