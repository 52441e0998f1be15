//! Inputs of several parts: their text, and grammars that derive it.

use pleach::Seeded;
use pleach::fuzz::{Fuzzer, Options as FuzzOptions, TargetOptions};
use pleach::grammar::Grammar;
use pleach::kpath::WalkCounts;
use pleach::parse::{Parser, Scratch};
use pleach::parts::{Fault, PartKind, Parts};
use pleach::produce::{Cover, CoverOptions, Options, Producer};
use pleach::table::{Lowering, Table};
use pleach::tree::Tree;
use proptest::prelude::*;

fn table(grammar: &Grammar) -> Table {
    Lowering::new().lower(grammar).unwrap_or_else(|error| panic!("{error}")).table
}

/// Texts that look like the container itself, and all that may stand in a terminal.
const UNICODE: &str = r##"
    %start input;
    %part args command;
    %part arg program;
    %part file "conf/a b.ini" settings;
    %part env "LANG" language;
    %part stdin text;

    input = command ( program language? )? settings* text ;
    command = ( flag "\n" )* ;
    flag = i"--quiet" | "--name=" word | "two words" ;
    program = /(?s)[a-c\n]{0,4}/ | "{\n" program "}" ;
    settings = ( "[" word "]" [\r\n] | "%parts\nargs\n|--quiet\n" )* ;
    language = /[a-z]{2}/ except ( "xx" | "yy" ) ;
    text = line* "stdin\n|" | line except "\n" ;
    line = /[^\n]*\n|\n\n/ ;
    word = [A-Z]+ ;
"##;

const BYTES: &str = r##"
    %encoding bytes;
    %part stdin data;
    %part file "b" other;

    input = other? data other? ;
    data = [\x00-\xFF]{1,5} "\n\xFF" | /(?s-u:.\x0A.)/ ;
    other = "x" ;
"##;

/// White space and comments between the tokens of one part; the others have none.
const LAID_OUT: &str = r##"
    %start input;
    %layout space;
    %lexical command;
    %part args command;
    %part stdin script;
    %part file "again" again;

    input = command script again? ;
    command = "-e\n" "now\n"? ;
    script = statement* ;
    again = statement ;
    statement = name "=" number ";" ;
    name = [a-z]+ ;
    number = [0-9]+ ;
    space = ( [ \n] | "/*" /[^*]*/ "*/" )* ;
"##;

/// The rule of each kind of part.
fn rules(grammar: &Grammar) -> Vec<(PartKind, String)> {
    grammar.parts.iter().map(|part| (part.kind.clone(), part.rule.text.clone())).collect()
}

#[test]
fn what_a_grammar_derives_is_what_its_rules_derive_part_by_part() {
    for text in [UNICODE, BYTES, LAID_OUT] {
        let grammar = Grammar::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let whole = table(&grammar);
        assert!(whole.has_parts());
        let tables: Vec<(PartKind, Table)> = rules(&grammar)
            .into_iter()
            .map(|(kind, rule)| (kind, Lowering::new().start(rule).lower(&grammar).unwrap().table))
            .collect();
        let parsers: Vec<(&PartKind, Parser<'_>)> =
            tables.iter().map(|(kind, table)| (kind, Parser::new(table))).collect();
        let parser = Parser::new(&whole);
        let (mut scratch, mut tree, mut read) = (Scratch::new(), Tree::new(), Tree::new());
        let mut producer = Producer::new(&whole, Options::new().max_bytes(400)).unwrap();
        let (mut seen, mut twice) = (0, 0);
        for seed in 0..600 {
            producer.produce(&mut Seeded::new(seed), &mut tree);
            parser.parse(tree.text(), &mut scratch, &mut read).unwrap();
            read.check(&whole).unwrap();
            let parts = match Parts::read(tree.text()) {
                Ok(parts) => parts,
                // A grammar may derive what no command can be given.
                Err(error) => {
                    assert!(matches!(error.fault(), Fault::Twice(_)), "seed {seed}: {error}");
                    twice += 1;
                    continue;
                }
            };
            for part in parts.iter() {
                let (_, parser) = parsers.iter().find(|(kind, _)| **kind == part.kind).unwrap();
                parser.parse(&part.text, &mut scratch, &mut read).unwrap_or_else(|error| {
                    panic!("seed {seed}: {error} in {}", part.text.escape_ascii())
                });
                seen += 1;
            }
            assert_eq!(parts.write(), tree.text(), "seed {seed}");
        }
        assert!(seen > 600 && twice < 400, "{seen} parts, {twice} twice");
    }
}

#[test]
fn what_rules_derive_part_by_part_is_what_the_grammar_derives() {
    for text in [UNICODE, BYTES, LAID_OUT] {
        let grammar = Grammar::parse(text).unwrap();
        let whole = table(&grammar);
        let parser = Parser::new(&whole);
        let (mut scratch, mut tree, mut read) = (Scratch::new(), Tree::new(), Tree::new());
        let tables: Vec<(PartKind, Table)> = rules(&grammar)
            .into_iter()
            .map(|(kind, rule)| {
                let lowered = Lowering::new().start(rule).lower(&grammar).unwrap();
                assert!(!lowered.table.has_parts());
                (kind, lowered.table)
            })
            .collect();
        for seed in 0..200 {
            let mut parts = Parts::new();
            for (kind, table) in &tables {
                let mut producer = Producer::new(table, Options::new().max_bytes(80)).unwrap();
                producer.produce(&mut Seeded::new(seed), &mut tree);
                parts.push(kind.clone(), tree.text()).unwrap();
            }
            // In the order in which the grammars have them.
            let order = match text {
                UNICODE => ["args", "arg", "env LANG", "file conf/a b.ini", "stdin"].as_slice(),
                BYTES => &["file b", "stdin"],
                _ => &["args", "stdin", "file again"],
            };
            let mut ordered = Parts::new();
            for kind in order {
                let part = parts.iter().find(|part| part.kind.to_string() == *kind).unwrap();
                ordered.push(part.kind.clone(), &*part.text).unwrap();
            }
            let written = ordered.write();
            parser.parse(&written, &mut scratch, &mut read).unwrap_or_else(|error| {
                panic!("seed {seed}: {error} in\n{}", String::from_utf8_lossy(&written))
            });
        }
    }
}

/// Parts add occurrences for what stands around them, and nothing else.
#[test]
fn k_paths_of_parts_are_those_of_one_text() {
    let plain = r#"input = a b? b ; a = [x\n] a | "\n" ; b = ( "y" | /z\n/ )* ;"#;
    let parted = format!("%part stdin a; %part arg b; {plain}");
    let [plain, parted] = [plain, &parted].map(|text| table(&Grammar::parse(text).unwrap()));
    let exact = |table: &Table| -> Vec<Option<u64>> {
        let counts = WalkCounts::new(table, 4);
        (1..=4).map(|k| counts.exact(k).to_u64()).collect()
    };
    let mut expected = exact(&plain);
    // The first line, three headers and three ends, all in the body of the start rule.
    expected[0] = expected[0].map(|count| count + 7);
    assert_eq!(exact(&parted), expected);
    assert_eq!(parted.named_rule_count(), plain.named_rule_count());
    // The names are those of the notation, not of what marks make of it.
    let names: Vec<_> = (0..parted.terminal_count())
        .map(|index| {
            parted.names().terminal(pleach::table::TerminalId::new(index as u32)).to_owned()
        })
        .collect();
    assert!(
        names.contains(&r"[x\n]".to_owned()) && names.contains(&r"/z\n/".to_owned()),
        "{names:?}"
    );
}

#[test]
fn a_file_that_was_edited_by_hand_is_read() {
    let grammar = Grammar::parse(UNICODE).unwrap();
    let whole = table(&grammar);
    // As it stands here, with all that looks like the container's own lines inside of a part.
    let text = "\
%parts
args
|--name=X
|two words
|
arg
|{
|ab}
env LANG
|de
file conf/a b.ini
|%parts
|args
||--quiet
|[X]
|
stdin
|a line
|stdin
||
";
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    Parser::new(&whole).parse(text.as_bytes(), &mut scratch, &mut tree).unwrap();
    let parts = Parts::read(text.as_bytes()).unwrap();
    let arguments: Vec<&[u8]> = parts.arguments().collect();
    assert_eq!(arguments, [&b"--name=X"[..], b"two words", b"{\nab}"]);
    assert_eq!(parts.variable("LANG"), Some(&b"de"[..]));
    assert_eq!(parts.file("conf/a b.ini"), Some(&b"%parts\nargs\n|--quiet\n[X]\n"[..]));
    assert_eq!(parts.stdin(), b"a line\nstdin\n|");
    assert_eq!((parts.file("conf"), parts.variable("HOME")), (None, None));
    // An editor may leave out the last line end.
    assert_eq!(Parts::read(&text.as_bytes()[..text.len() - 1]).unwrap(), parts);
}

#[test]
fn arguments_are_lines_or_parts_of_their_own() {
    for (text, expected) in [
        ("%parts\nargs\n|\n", &[][..]),
        ("%parts\nargs\n|\n|\n", &[""]),
        ("%parts\nargs\n|a\n", &["a"]),
        ("%parts\nargs\n|a\n|\n", &["a"]),
        ("%parts\nargs\n|a\n|\n|b c\n|\n", &["a", "", "b c"]),
        ("%parts\narg\n|\n", &[""]),
        ("%parts\narg\n|a\n|\nargs\n|b\n|c\narg\n|d\n", &["a\n", "b", "c", "d"]),
        ("%parts\nstdin\n|x\n", &[]),
        ("%parts\n", &[]),
    ] {
        let parts = Parts::read(text.as_bytes()).unwrap();
        let arguments: Vec<&str> =
            parts.arguments().map(|argument| str::from_utf8(argument).unwrap()).collect();
        assert_eq!(arguments, expected, "{text:?}");
    }
}

#[test]
fn faults_are_named_with_their_place() {
    for (text, expected) in [
        (
            "",
            "line 1, column 1: this is no input of several parts: its first line is not `%parts`: \
             write it there, and the parts on the next lines",
        ),
        ("[1]\n", "line 1, column 1: this is no input"),
        (" %parts\nargs\n|\n", "line 1, column 1: this is no input"),
        ("%parts\nhello\n|\n", "line 2, column 1: `hello` begins no part: write `args`"),
        ("%parts\nstdin\n|a\nb\n", "line 4, column 1: `b` begins no part"),
        ("%parts\nstdin\r\n|a\n", "line 2, column 1: `stdin\\r` begins no part"),
        ("%parts\nstdin\nargs\n|\n", "line 2, column 1: `stdin` has no text: write `|`"),
        ("%parts\nstdin\n", "line 2, column 1: `stdin` has no text"),
        ("%parts\nstdin x\n|\n", "line 2, column 7: `stdin` takes no name"),
        ("%parts\nfile\n|\n", "line 2, column 1: `file` without a name"),
        ("%parts\nenv 9\n|\n", "line 2, column 5: `9` is no name of a variable"),
        ("%parts\nenv A=B\n|\n", "line 2, column 5: `A=B` is no name"),
        ("%parts\nstdin\n|\nstdin\n|\n", "line 4, column 1: a second `stdin`"),
        ("%parts\nfile a\n|\nfile a\n|\n", "line 4, column 1: a second `file a`"),
        (
            "%parts\nfile a\n|\nfile a/b\n|\n",
            "line 4, column 1: `a` is a file, and the folder of `a/b`",
        ),
        (
            "%parts\nfile a/b/c\n|\nfile a/b\n|\n",
            "line 4, column 1: `a/b` is a file, and the folder",
        ),
        ("%parts\nargs\n|a\0b\n", "line 2, column 1: a zero byte in `args`"),
    ] {
        let said = Parts::read(text.as_bytes()).unwrap_err().to_string();
        assert!(said.starts_with(expected), "{text:?}: {said}");
    }
    for path in [
        "",
        "/etc/passwd",
        "..",
        ".",
        "a/../../b",
        "a//b",
        "a/",
        "./a",
        "a\\b",
        "C:x",
        "a\tb",
        "a\u{85}b",
    ] {
        let text = format!("%parts\nfile {path}\n|x\n");
        let error = Parts::read(text.as_bytes()).unwrap_err();
        assert!(matches!(error.fault(), Fault::Path(it) if it == path), "{path}: {error}");
        assert_eq!((error.line(), error.column()), (2, 6));
    }
    let long = "x".repeat(1001);
    assert_eq!(PartKind::new("file", Some(&long)), Err(Fault::Path(long)));
    for path in ["a", "a b/ü.txt", "...", "-rf", "a.b/c"] {
        assert_eq!(PartKind::new("file", Some(path)), Ok(PartKind::File(path.into())));
    }
    let many = format!("%parts\n{}", "arg\n|x\n".repeat(1001));
    let error = Parts::read(many.as_bytes()).unwrap_err();
    assert_eq!((error.fault(), error.line()), (&Fault::TooMany, 2002));
}

/// A part that looks like a number of others can't be told from them where the grammar has it optional or repeated.
#[test]
fn parts_may_be_missing_repeated_and_chosen() {
    let grammar = Grammar::parse(
        "%part args help; %part args check; %part file \"a\" text; %part stdin input;
         start = help | check+ text input? ;
         help = \"--help\" ; check = \"--check\\n\" ; text = \"stdin\\n\" ; input = text ;",
    )
    .unwrap();
    let whole = table(&grammar);
    let parser = Parser::new(&whole);
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    for (text, is) in [
        ("%parts\nargs\n|--help\n", true),
        ("%parts\nargs\n|--check\n|\nargs\n|--check\n|\nfile a\n|stdin\n|\n", true),
        ("%parts\nargs\n|--check\n|\nfile a\n|stdin\n|\nstdin\n|stdin\n|\n", true),
        ("%parts\nargs\n|--check\n|\n", false),
        ("%parts\nargs\n|--help\nstdin\n|stdin\n|\n", false),
    ] {
        assert_eq!(parser.parse(text.as_bytes(), &mut scratch, &mut tree).is_ok(), is, "{text}");
    }
    // Covering has one tree for all parts: an option that only goes with a file is with one in every input.
    let mut cover = Cover::new(&whole, CoverOptions::new(3)).unwrap();
    let (mut entropy, mut count) = (Seeded::new(0), 0);
    while cover.next_tree(&mut entropy, &mut tree) {
        let parts = Parts::read(tree.text()).unwrap();
        let has_check = parts.arguments().any(|argument| argument == b"--check");
        assert_eq!(has_check, parts.file("a").is_some());
        count += 1;
    }
    let summary = cover.summary();
    assert!(count > 1 && (summary.covered, summary.infeasible) == (summary.total, 0));
}

#[test]
fn mutants_stay_inputs_of_several_parts() {
    let grammar = Grammar::parse(UNICODE).unwrap();
    let whole = table(&grammar);
    let parser = Parser::new(&whole);
    let options = FuzzOptions::new().bytes(0).words(0);
    let mutation = pleach::mutate::Options::new().breaking(0);
    let mut fuzzer = Fuzzer::new(&whole, options.mutation(mutation)).unwrap();
    let seed = b"%parts\nargs\n|--name=X\n|\nfile conf/a b.ini\n|[X]\n|\nstdin\n|a\n|stdin\n||\n";
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    parser.parse(seed, &mut scratch, &mut tree).unwrap();
    let mut changed = 0;
    for number in 0..2000 {
        let mut data = [0; 400];
        data[..seed.len()].copy_from_slice(seed);
        let size = fuzzer.mutate(&mut data, seed.len(), 400, number, None);
        let mutant = &data[..size];
        parser
            .parse(mutant, &mut scratch, &mut tree)
            .unwrap_or_else(|error| panic!("seed {number}: {error} in {}", mutant.escape_ascii()));
        match Parts::read(mutant) {
            Ok(_) => changed += usize::from(mutant != seed),
            Err(error) => assert!(matches!(error.fault(), Fault::Twice(_)), "{error}"),
        }
    }
    assert!(changed > 1000, "{changed}");
}

fn kinds() -> impl Strategy<Value = PartKind> {
    prop_oneof![
        Just(PartKind::Arguments),
        Just(PartKind::Argument),
        Just(PartKind::Stdin),
        "[a-c ]{1,2}(/[a-c|]{1,2})?".prop_map(PartKind::File),
        "[A-C_]{1,2}".prop_map(PartKind::Variable),
    ]
}

proptest! {
    #[test]
    fn parts_are_read_as_they_were_written(
        all in prop::collection::vec((kinds(), prop::collection::vec(any::<u8>(), 0..12)), 0..8),
        lines in prop::collection::vec("(args|stdin|file a|%parts|\\|)?\n", 0..4),
    ) {
        let mut parts = Parts::new();
        for (index, (kind, mut text)) in all.into_iter().enumerate() {
            if let Some(line) = lines.get(index) {
                text.extend_from_slice(line.as_bytes());
            }
            let count = parts.iter().len();
            let was_taken = parts.push(kind, text).is_ok();
            prop_assert_eq!(parts.iter().len(), count + usize::from(was_taken));
        }
        let written = parts.write();
        prop_assert_eq!(Parts::read(&written), Ok(parts.clone()));
        prop_assert_eq!(Parts::read(&written[..written.len() - 1]), Ok(parts));
    }

    #[test]
    fn any_text_is_refused_or_read(text in "(%parts\n)?((args|stdin|file .?|env [AB]|\\|.?|.)\n?){0,8}") {
        if let Ok(parts) = Parts::read(text.as_bytes()) {
            prop_assert_eq!(Parts::read(&parts.write()), Ok(parts.clone()));
            for (path, _) in parts.files() {
                let path = std::path::Path::new(path);
                let is_below = |it| matches!(it, std::path::Component::Normal(_));
                prop_assert!(path.components().all(is_below), "{}", path.display());
            }
        }
    }
}

/// What is put in the place of a part, or of what is inside of one, has marks as all else has.
#[test]
fn texts_for_rules_of_parts_are_what_the_parts_hold() {
    let grammar = "%part stdin line; input = line ; line = /[a-z]+/ ;";
    let options = || {
        let options = TargetOptions::new().implants([("line", ["x\ny"])]);
        options.breaking(255).bytes(0).words(0)
    };
    let table = options().table(&[("g.pleach", grammar)]).unwrap();
    let mut fuzzer = options().fuzzer(&table).unwrap();
    let seed = b"%parts\nstdin\n|abc\n";
    let is_found = (0..1000).any(|number| {
        let mut data = [0; 100];
        data[..seed.len()].copy_from_slice(seed);
        let size = fuzzer.mutate(&mut data, seed.len(), 100, number, None);
        Parts::read(&data[..size]).is_ok_and(|parts| parts.stdin() == b"x\ny")
    });
    assert!(is_found);
}

#[cfg(feature = "import")]
#[test]
fn other_notations_get_the_text_of_all_parts() {
    use pleach::export::{Exporter, Target};
    let grammar = Grammar::parse("%part stdin a; input = a ; a = \"x\\n\" ;").unwrap();
    let written = |target| Exporter::new(target).write(&grammar).unwrap().text;
    assert_eq!(
        written(Target::Gbnf),
        "root ::= input\ninput ::= \"%parts\\n\" \"stdin\\n|\" a \"\\n\"\na ::= \"x\\n|\"\n"
    );
    assert_eq!(written(Target::Native), "%part stdin a;\n\ninput = a ;\na = \"x\\n\" ;\n");
}
