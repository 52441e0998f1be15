//! Mutation over every grammar with its corpus, and each mutator for what it says.

use std::collections::BTreeMap;
use std::path::Path;

use naive::random;
use pleach::grammar::{Files, Grammar};
use pleach::kpath::{Coverage, Scope};
use pleach::mutate::{MUTATORS, Mutation, Options, Sources};
use pleach::parse::{self, Parser, Scratch};
use pleach::produce::{self, Producer, TreeLimits};
use pleach::table::{Lowering, Table};
use pleach::tree::{Outline, SizedTree, Tree};
use pleach::{Entropy, Seeded};
use proptest::prelude::*;

mod naive;

/// Mutants of each grammar by default; `PLEACH_MUTANTS=100000 cargo test --release --test mutate`
/// takes more.
const MUTANTS: usize = 200;

fn mutants() -> usize {
    std::env::var("PLEACH_MUTANTS").map_or(MUTANTS, |count| count.parse().expect("a number"))
}

fn lower(grammar: &Grammar) -> Table {
    Lowering::new().lower(grammar).unwrap_or_else(|error| panic!("{error}")).table
}

fn table(text: &str) -> Table {
    lower(&Grammar::parse(text).unwrap_or_else(|error| panic!("{error}")))
}

/// The names of all grammar files, and their tables.
fn grammars() -> Vec<(String, Table)> {
    let files = pleach_testing::grammar_files("grammars");
    let resolver = Files::new(files.clone());
    files
        .iter()
        .map(|(name, text)| {
            let grammar = Grammar::read(name, text, &resolver);
            let grammar = grammar.unwrap_or_else(|error| panic!("{name}: {error}"));
            (name.trim_end_matches(".pleach").to_owned(), lower(&grammar))
        })
        .collect()
}

/// Some of a grammar's committed corpus, and random sentences, which have layout of all kinds.
fn bases(name: &str, table: &Table, parser: &Parser<'_>) -> Vec<SizedTree> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default();
    paths.sort();
    let step = (paths.len() / 16).max(1);
    let mut texts: Vec<Vec<u8>> =
        paths.iter().step_by(step).map(|path| std::fs::read(path).unwrap()).collect();
    texts.retain(|text| text.len() < 4096);
    let options = produce::Options::new().max_bytes(400).max_nodes(600);
    let mut producer = Producer::new(table, options).unwrap();
    let mut tree = Tree::new();
    for seed in 0..16 {
        producer.produce(&mut Seeded::new(seed), &mut tree);
        texts.push(tree.text().to_vec());
    }
    let mut scratch = Scratch::new();
    let read = |text: &Vec<u8>| {
        let parsed = parser.parse(text, &mut scratch, &mut tree);
        parsed.unwrap_or_else(|error| panic!("{name}: {error}: {}", shown(text)));
        SizedTree::of(table, &tree)
    };
    texts.iter().map(read).collect()
}

fn shown(text: &[u8]) -> String {
    text.escape_ascii().to_string()
}

/// Whether a tree is one, and its sizes are those of its nodes.
fn check(table: &Table, tree: &SizedTree, what: &str) {
    if let Err(error) = tree.tree().check(table) {
        panic!("{what}: {error}: {}", shown(tree.text()));
    }
    let outline = Outline::new(table, tree.tree());
    for node in 0..tree.tree().nodes().len() {
        assert_eq!(tree.sizes()[node], outline.size(node), "{what}: node {node}");
    }
}

#[test]
fn mutants_are_sentences_in_every_grammar() {
    for (name, table) in grammars() {
        // White space in several places of a rule is read in very many ways.
        let parser = Parser::new(&table).limits(parse::Limits::new().items_per_byte(1 << 16));
        let bases = bases(&name, &table, &parser);
        // Thousands of operators side by side are read in more ways than there is memory for.
        let options = Options::new().breaking(0).without(["deepen"]);
        let mut mutation = Mutation::new(&table, options).unwrap();
        let mut coverage = Coverage::new(&table, 2, Scope::UpTo, 1 << 20).unwrap();
        for base in bases.iter().take(2) {
            coverage.add(base.tree());
        }
        let (mut scratch, mut read) = (Scratch::new(), Tree::new());
        let (mut base, mut out) = (SizedTree::new(), SizedTree::new());
        let (mut calls, mut unchanged) = (0, 0);
        let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
        for seed in 0..mutants() as u64 {
            let mut words = Seeded::new(seed);
            let pick = |words: &mut Seeded| words.below(bases.len() as u64) as usize;
            // Stacked, as an engine does it.
            if seed % 4 == 0 {
                base.copy_from(bases[pick(&mut words)].as_ref());
            }
            let donor = bases[pick(&mut words)].as_ref();
            let sources = Sources {
                donor: (seed % 2 == 0).then_some(donor),
                coverage: Some(&coverage),
                bytes: None,
            };
            calls += 1;
            let most = 2000.max(base.text().len() + 10);
            let Some(by) = mutation.mutate(base.as_ref(), sources, most, &mut words, &mut out)
            else {
                unchanged += 1;
                continue;
            };
            *by_name.entry(by).or_default() += 1;
            let what = format!("{name}, seed {seed}, {by}");
            assert_ne!(out.text(), base.text(), "{what}");
            assert!(out.text().len() <= most, "{what}");
            check(&table, &out, &what);
            if let Err(error) = parser.parse(out.text(), &mut scratch, &mut read) {
                panic!("{what}: {error}\n{}\n{}", shown(base.text()), shown(out.text()));
            }
            std::mem::swap(&mut base, &mut out);
        }
        assert!(unchanged * 100 < calls, "{name}: {unchanged} of {calls} change nothing");
        println!("{name}: {by_name:?}");
    }
}

#[test]
fn recursions_are_as_deep_as_there_is_room_in_every_grammar() {
    let (mut recursive, mut long, mut deep, mut readable) = (0, 0, 0, 0);
    for (name, table) in grammars() {
        let parser = Parser::new(&table).limits(parse::Limits::new().items_per_byte(1 << 16));
        let bases = bases(&name, &table, &parser);
        let parser = Parser::new(&table);
        let options = Options::new().only(["deepen"]);
        let mut mutation = Mutation::new(&table, options).unwrap();
        let (mut scratch, mut out, mut lengths) = (Scratch::new(), SizedTree::new(), Vec::new());
        for seed in 0..12 {
            let base = &bases[seed as usize % bases.len()];
            let most = 4096.max(base.text().len());
            let mut words = Seeded::new(seed);
            let sources = Sources::default();
            if mutation.mutate(base.as_ref(), sources, most, &mut words, &mut out).is_none() {
                continue;
            }
            let what = format!("{name}, seed {seed}");
            assert!(out.text().len() <= most, "{what}");
            check(&table, &out, &what);
            let read = parser.recognise(out.text(), &mut scratch);
            if let Err(error @ parse::Error::Syntax(_)) = &read {
                panic!("{what}: {error}\n{}\n{}", shown(base.text()), shown(out.text()));
            }
            readable += usize::from(read.is_ok());
            lengths.push(out.text().len());
        }
        println!("{name}: {lengths:?}");
        deep += lengths.len();
        recursive += usize::from(!lengths.is_empty());
        long += usize::from(lengths.iter().any(|&length| length > 4000));
    }
    println!("{readable} of {deep} are read within the budget");
    assert!(recursive > 10 && long * 10 >= recursive * 9, "{long} of {recursive}");
    assert!(readable * 10 >= deep * 9, "{readable} of {deep}");
}

/// Lists of numbers and switches, in which every mutator has something to do.
const LIST: &str =
    r#"list = "[" ( item ( "," item )* )? "]" ; item = /[0-9]{1,9}/ | "Y" | "N" | list ;"#;
const TEXT: &str = "[1,[Y,22],[[333],N,[4,[5]]],66,[[7,[N]]]]";

fn tree(table: &Table, text: &str) -> SizedTree {
    let mut tree = Tree::new();
    let parsed = Parser::new(table).parse(text.as_bytes(), &mut Scratch::new(), &mut tree);
    parsed.unwrap_or_else(|error| panic!("{error}: {text}"));
    SizedTree::of(table, &tree)
}

/// Whether `longer` has one run more than `shorter`, and what that is fits.
fn inserted(longer: &str, shorter: &str, fits: impl Fn(&str) -> bool) -> bool {
    let Some(more) = longer.len().checked_sub(shorter.len()).filter(|&more| more > 0) else {
        return false;
    };
    (0..=shorter.len()).any(|at| {
        longer[..at] == shorter[..at]
            && longer[at + more..] == shorter[at..]
            && fits(&longer[at..at + more])
    })
}

fn without(text: &str, drop: impl Fn(char) -> bool) -> String {
    text.chars().filter(|&char| !drop(char)).collect()
}

fn sorted(text: &str) -> Vec<char> {
    let mut chars: Vec<char> = text.chars().collect();
    chars.sort_unstable();
    chars
}

/// Whether a text is another with one run of it replaced, and what then stands there is a sentence
/// of the grammar, or of items one after the other.
fn replaced(old: &str, new: &str, is_one: impl Fn(&str) -> bool) -> bool {
    let head = old.bytes().zip(new.bytes()).take_while(|(one, other)| one == other).count();
    (0..=head).rev().any(|from| {
        let most = old.len().min(new.len()) - from;
        (0..=most).any(|tail| {
            old[old.len() - tail..] == new[new.len() - tail..]
                && is_one(&new[from..new.len() - tail])
        })
    })
}

/// Whether a text is another in which a run and a later one stand several times, as often.
fn repeated(old: &str, new: &str) -> bool {
    let more = new.len().saturating_sub(old.len());
    let runs = || (0..old.len()).flat_map(|from| (from..=old.len()).map(move |to| (from, to)));
    runs().filter(|&(from, to)| new[to..].starts_with(&old[from..to])).any(|(from, to)| {
        runs().filter(|&(after, _)| after >= to).any(|(after, end)| {
            let both = to - from + end - after;
            if both == 0 || more == 0 || !more.is_multiple_of(both) {
                return false;
            }
            let times = more / both + 1;
            let (first, second) = (old[from..to].repeat(times), old[after..end].repeat(times));
            let parts = [&old[..from], &first, &old[to..after], &second, &old[end..]];
            times.is_power_of_two() && parts.concat() == new
        })
    })
}

/// The text that stands several times at the front of another, and how often.
fn repetitions(text: &str) -> impl Iterator<Item = (&str, usize)> {
    (1..=text.len() / 4).filter_map(move |length| {
        let unit = &text[..length];
        let times = text.as_bytes().chunks(length).take_while(|&part| part == unit.as_bytes());
        let times = times.count();
        (times >= 4).then_some((unit, times))
    })
}

/// Whether a text is another with a sentence around a run of it: openings, as many times as closings or, where it is cut
/// off, with nothing behind.
fn deepened(old: &str, new: &str, is_cut: bool) -> bool {
    let same = old.bytes().zip(new.bytes()).take_while(|(one, other)| one == other).count();
    (0..=same).any(|from| {
        repetitions(&new[from..]).any(|(open, times)| {
            let rest = &new[from + open.len() * times..];
            if is_cut {
                return rest.is_empty();
            }
            (from..=old.len()).any(|to| {
                let both = rest.strip_prefix(&old[from..to]);
                let closings = both.and_then(|rest| rest.strip_suffix(&old[to..]));
                closings.is_some_and(|text| {
                    text.len() % times == 0 && text == text[..text.len() / times].repeat(times)
                })
            })
        })
    })
}

/// Texts in the place of items, one of them an item.
const IMPLANTS: [&str; 4] = ["<7>", "Y", "", "[,]"];

/// What a mutator says it does, judged by the texts alone.
fn is_made(name: &str, old: &str, new: &str, parses: &dyn Fn(&str) -> bool) -> bool {
    let digits = |text: &str| without(text, |char| char.is_ascii_digit());
    let is_item = |text: &str| parses(&format!("[{text}]"));
    let is_elements = |text: &str| {
        is_item(text) || text.is_empty() || text.strip_prefix(',').is_some_and(is_item)
    };
    match name {
        "regrow" | "splice" | "toward" => replaced(old, new, is_elements),
        "replicate" => inserted(new, old, |more| {
            (1..=more.len())
                .any(|of| more.len() % of == 0 && more == more[..of].repeat(more.len() / of))
        }),
        "populate" => inserted(new, old, is_elements),
        "delete" => inserted(old, new, is_elements),
        "exchange" | "shuffle" | "swap" => sorted(old) == sorted(new),
        "recursion" => repeated(old, new),
        "deepen" => deepened(old, new, false),
        "plunge" => deepened(old, new, true),
        // The old subtree stands between two parts of the new one.
        "nest" => (0..old.len()).any(|from| {
            let rest = &new[..].strip_prefix(&old[..from]);
            rest.is_some_and(|rest| {
                (from + 1..=old.len()).any(|to| {
                    let new = rest.strip_suffix(&old[to..]);
                    new.is_some_and(|new| {
                        new.len() > to - from && is_item(new) && new.contains(&old[from..to])
                    })
                })
            })
        }),
        "hoist" => (0..old.len()).any(|from| {
            (from..=old.len()).any(|to| {
                let cut = format!("{}{}", &old[..from], &old[to..]);
                cut.len() >= new.len() && (cut == new || inserted(&cut, new, |_| true))
            })
        }),
        "echo" => {
            let items = |text: &str| {
                let items = text.split(|char: char| !char.is_ascii_alphanumeric());
                items.map(String::from).collect::<std::collections::BTreeSet<_>>()
            };
            parses(new) && items(new).is_subset(&items(old))
        }
        "keyword" => {
            let differ = old.chars().zip(new.chars()).filter(|(one, other)| one != other);
            let differ: Vec<_> = differ.collect();
            old.len() == new.len() && (differ == [('Y', 'N')] || differ == [('N', 'Y')])
        }
        "token" | "havoc" => digits(old) == digits(new),
        "dictionary" => {
            digits(old) == digits(new) && new.matches("888").count() > old.matches("888").count()
        }
        "omit" => inserted(old, new, |_| true),
        "stammer" => inserted(new, old, |_| true),
        "widen" => replaced(old, new, |part| !part.is_empty() && !part.is_ascii()),
        "displace" => replaced(old, new, |part| old.contains(part)),
        "truncate" => old.starts_with(new) && new.len() < old.len(),
        "garble" => old != new,
        "implant" => replaced(old, new, |part| IMPLANTS.contains(&part)),
        _ => panic!("{name} is not known here"),
    }
}

#[test]
fn each_mutator_does_what_it_says() {
    let table = table(LIST);
    let parser = Parser::new(&table);
    let parses = |text: &str| parser.recognise(text.as_bytes(), &mut Scratch::new()).is_ok();
    let base = tree(&table, TEXT);
    let donor = tree(&table, "[[99],[8,[Y]]]");
    let mut coverage = Coverage::new(&table, 3, Scope::UpTo, 1000).unwrap();
    coverage.add(tree(&table, "[1]").tree());
    for name in MUTATORS {
        let options = Options::new().only([name]).dictionary(["888"]).implants("item", IMPLANTS);
        let mut mutation = Mutation::new(&table, options).unwrap();
        let mut texts = std::collections::BTreeSet::new();
        let mut out = SizedTree::new();
        for seed in 0..500 {
            let sources = Sources {
                donor: (seed % 2 == 0).then_some(donor.as_ref()),
                coverage: Some(&coverage),
                bytes: None,
            };
            let mut words = Seeded::new(seed);
            let made = mutation.mutate(base.as_ref(), sources, 10_000, &mut words, &mut out);
            assert_eq!(made, Some(name), "seed {seed}");
            let new = String::from_utf8_lossy(out.text()).into_owned();
            assert!(is_made(name, TEXT, &new, &parses), "{name}, seed {seed}: {new}");
            if name == "toward" {
                let mut coverage = coverage.clone();
                assert!(coverage.add(out.tree()) > 0, "seed {seed}: {new}");
            }
            texts.insert(new);
        }
        assert!(texts.len() > 1 || name == "keyword", "{name}: {texts:?}");
        if name == "populate" {
            // Several elements, and no copies.
            let differ = |text: &&String| {
                let same = text.bytes().zip(TEXT.bytes()).take_while(|(one, other)| one == other);
                let from = same.count();
                let elements: Vec<_> =
                    text[from..from + text.len() - TEXT.len()].split(',').collect();
                elements.len() > 4 && elements.windows(2).any(|pair| pair[0] != pair[1])
            };
            assert!(texts.iter().filter(differ).count() > 10, "{texts:?}");
        }
    }
}

#[test]
fn subtrees_of_a_donor_are_found_in_the_mutant() {
    let table = table(LIST);
    let (base, donor) = (tree(&table, TEXT), tree(&table, "[98765]"));
    let mut mutation = Mutation::new(&table, Options::new().only(["splice"])).unwrap();
    let mut out = SizedTree::new();
    let mut found = 0;
    for seed in 0..200 {
        let sources = Sources { donor: Some(donor.as_ref()), ..Sources::default() };
        mutation.mutate(base.as_ref(), sources, 1000, &mut Seeded::new(seed), &mut out).unwrap();
        found += usize::from(out.text().windows(5).any(|window| window == b"98765"));
    }
    assert!(found > 50, "{found}");
}

#[test]
fn a_pool_has_the_rare_as_often_as_the_common() {
    let table = table(r#"s = item* ; item = "common" ";" | "rare" ";" | "once" ";" ;"#);
    let mut mutation = Mutation::new(&table, Options::new().only(["splice"])).unwrap();
    let many = tree(&table, &format!("{}rare;", "common;".repeat(50)));
    mutation.pool_mut().add(many.as_ref());
    let base = tree(&table, "once;");
    let mut out = SizedTree::new();
    let mut rare = 0;
    for seed in 0..300 {
        let mut words = Seeded::new(seed);
        mutation.mutate(base.as_ref(), Sources::default(), 1000, &mut words, &mut out);
        rare += usize::from(out.text() == b"rare;");
    }
    assert!((75..225).contains(&rare), "{rare}");
}

#[test]
fn an_engines_bytes_are_asked_for_and_checked() {
    let table = table(LIST);
    let base = tree(&table, TEXT);
    let mut mutation = Mutation::new(&table, Options::new().only(["havoc"])).unwrap();
    let mut out = SizedTree::new();
    let mut asked = Vec::new();
    for (seed, write) in [b"777", b"a77"].into_iter().cycle().take(100).enumerate() {
        let mut engine = |buffer: &mut [u8], size: usize, most: usize| {
            assert!(size <= most && most <= buffer.len());
            asked.push(buffer[..size].to_vec());
            buffer[..3].copy_from_slice(write);
            3
        };
        let sources = Sources { bytes: Some(&mut engine), ..Sources::default() };
        let mut words = Seeded::new(seed as u64);
        let made = mutation.mutate(base.as_ref(), sources, 1000, &mut words, &mut out);
        assert_eq!(made.is_some(), write == b"777", "{}", shown(out.text()));
        let found = out.text().windows(3).any(|window| window == b"777");
        assert_eq!(found, made.is_some());
    }
    assert!(asked.iter().all(|token| token.iter().all(u8::is_ascii_digit) && !token.is_empty()));
}

#[test]
fn one_in_eight_leaves_the_language_and_none_if_so_asked() {
    let table = table(LIST);
    let base = tree(&table, TEXT);
    for (breaking, range) in [(None, 1100..1400), (Some(0), 0..1), (Some(128), 4700..5300)] {
        let options = Options::new();
        let options = breaking.map_or(options.clone(), |share| options.breaking(share));
        let mut mutation = Mutation::new(&table, options).unwrap();
        let mut out = SizedTree::new();
        let mut words = Seeded::new(1);
        let broken = (0..10_000).filter(|_| {
            let sources = Sources::default();
            assert!(mutation.mutate(base.as_ref(), sources, 1000, &mut words, &mut out).is_some());
            out.is_empty()
        });
        let broken = broken.count();
        assert!(range.contains(&broken), "{breaking:?}: {broken}");
    }
}

#[test]
fn the_same_seed_is_the_same_mutant() {
    let table = table(LIST);
    let base = tree(&table, TEXT);
    let mut first = Mutation::new(&table, Options::new()).unwrap();
    let mut second = Mutation::new(&table, Options::new()).unwrap();
    let (mut one, mut other) = (SizedTree::new(), SizedTree::new());
    for seed in 0..1000 {
        first.mutate(base.as_ref(), Sources::default(), 100, &mut Seeded::new(seed), &mut one);
        // Whatever was done before.
        let before = &mut Seeded::new(seed + 1);
        second.mutate(base.as_ref(), Sources::default(), 100, before, &mut other);
        second.mutate(base.as_ref(), Sources::default(), 100, &mut Seeded::new(seed), &mut other);
        assert_eq!(one.text(), other.text(), "seed {seed}");
        assert_eq!(one.tree(), other.tree(), "seed {seed}");
    }
}

#[test]
fn budgets_hold() {
    let height = |table: &Table, tree: &SizedTree| Outline::new(table, tree.tree()).height();
    // A third of them: the bounds are kept by code that all grammars share.
    for (name, table) in grammars().into_iter().step_by(3) {
        let parser = Parser::new(&table);
        let bases = bases(&name, &table, &parser);
        let depth = bases.iter().map(|base| height(&table, base)).max().unwrap();
        let nodes = bases.iter().map(|base| base.tree().nodes().len() as u64).max().unwrap() + 20;
        let limits = TreeLimits::new().max_depth(depth).max_nodes(nodes);
        let mut mutation =
            Mutation::new(&table, Options::new().breaking(0).limits(limits)).unwrap();
        let (mut base, mut out) = (SizedTree::new(), SizedTree::new());
        for seed in 0..(mutants() / 2) as u64 {
            if seed % 8 == 0 {
                base.copy_from(bases[seed as usize / 8 % bases.len()].as_ref());
            }
            let most = base.text().len() + (seed % 16) as usize;
            let mut words = Seeded::new(seed);
            let made =
                mutation.mutate(base.as_ref(), Sources::default(), most, &mut words, &mut out);
            let what = format!("{name}, seed {seed}, {made:?}");
            assert!(out.text().len() <= most, "{what}");
            assert!(out.tree().nodes().len() as u64 <= nodes, "{what}");
            assert!(height(&table, &out) <= depth, "{what}: {} of {depth}", height(&table, &out));
            if made.is_some() {
                std::mem::swap(&mut base, &mut out);
            }
        }
    }
}

#[test]
fn names_are_checked() {
    let table = table(LIST);
    let error = Mutation::new(&table, Options::new().only(["regrwo"])).err().unwrap();
    assert!(error.is_unknown_name());
    assert!(error.to_string().contains("no mutator `regrwo`; there are regrow, "), "{error}");
    assert!(Mutation::new(&table, Options::new().without(["x"])).is_err());
    let error = Mutation::new(&table, Options::new().without(MUTATORS)).err().unwrap();
    assert!(!error.is_unknown_name());
    let error = Mutation::new(&table, Options::new().implants("itme", ["x"])).err().unwrap();
    assert!(error.to_string().contains("no rule `itme`"), "{error}");
    // What has nothing to do in a grammar is no error, and changes nothing.
    let single = self::table(r#"s = "only" ;"#);
    let base = tree(&single, "only");
    let mut mutation = Mutation::new(&single, Options::new().breaking(0)).unwrap();
    let mut out = SizedTree::of(&single, base.tree());
    let made =
        mutation.mutate(base.as_ref(), Sources::default(), 100, &mut Seeded::new(1), &mut out);
    assert_eq!((made, out.text()), (None, &b""[..]));
    let options = Options::new().without(["regrow", "splice"]);
    let mut mutation = Mutation::new(&table, options).unwrap();
    let base = tree(&table, TEXT);
    let mut words = Seeded::new(1);
    for _ in 0..1000 {
        let made = mutation.mutate(base.as_ref(), Sources::default(), 100, &mut words, &mut out);
        assert!(!["regrow", "splice"].contains(&made.unwrap()));
    }
}

/// Tokens that fuse, comments, and rules that derive nothing.
const STATEMENTS: &str = r#"
%start program; %layout space; %lexical name number;
program = statement* ;
statement = name "=" sum ";" | "{" statement* "}" | "if" sum statement ( "else" statement )? ;
sum = sum "+" product | product ;
product = name | number | "(" sum ")" | name "(" ( sum ( "," sum )* )? ")" | "-" mark name ;
mark = "!"? ;
name = /[a-z]+/ except ( "if" | "else" ) ;
number = [0-9]+ ;
space = ( " " | "\n" | "/*" /[a-z ]*/ "*/" | "//" /[a-z ]*\n/ )* ;
"#;

/// Tokens and rules that stand in what is only read are in the trees of what others wrote.
const READ: &str = r#"
%start s; %layout space; %lexical name; %lexical token;
s = "x" | @read ("do" name)* ("," pair)*;
name = /[a-z]+/;
pair = token | @read "(" item item ")";
token = "<" item item ">";
item = "a" | "b" item | "c";
space = " "*;
"#;

#[test]
fn layout_stands_where_tokens_would_fuse() {
    fuses_nowhere(
        STATEMENTS,
        &[
            "if a b=1;else{c=d;}//x\n",
            "a=1+b;/*x*/ /*y*/if(2)b=-!c;\n//z\nelse c=-d;",
            "  a = f ( 1 , b ( ) ) + ( 22 ) ; { }  ",
        ],
    );
    fuses_nowhere(READ, &["do ab do cd", "do a , ( b a  c ) ,<bcba>", ",<ac>,(a b c)"]);
}

/// Mutants of texts, and those of mutants, are texts.
fn fuses_nowhere(grammar: &str, texts: &[&str]) {
    let table = table(grammar);
    let parser = Parser::new(&table);
    let mut mutation = Mutation::new(&table, Options::new().breaking(0)).unwrap();
    let (mut scratch, mut read) = (Scratch::new(), Tree::new());
    let mut out = SizedTree::new();
    for text in texts {
        let mut base = tree(&table, text);
        for seed in 0..20 * mutants() as u64 {
            if seed % 16 == 0 {
                base = tree(&table, text);
            }
            let mut words = Seeded::new(seed);
            let made =
                mutation.mutate(base.as_ref(), Sources::default(), 500, &mut words, &mut out);
            let what = format!("{made:?}, seed {seed}: {}", shown(out.text()));
            assert!(made.is_some() || base.text().len() < 5, "{what}");
            if made.is_none() {
                continue;
            }
            check(&table, &out, &what);
            let parsed = parser.parse(out.text(), &mut scratch, &mut read);
            parsed.unwrap_or_else(|error| panic!("{what}: {error}"));
            std::mem::swap(&mut base, &mut out);
        }
    }
}

proptest! {
    /// Rules that derive nothing, cycles, ambiguity, alternatives that are parse-only.
    #[test]
    fn on_random_grammars_mutants_are_derivations(
        grammar in random::grammar(),
        seed in any::<u64>(),
    ) {
        let Ok(lowered) = Lowering::new().lower(&grammar) else { return Ok(()) };
        let table = &lowered.table;
        let options = produce::Options::new().max_nodes(60).max_depth(12);
        let Ok(mut producer) = Producer::new(table, options) else { return Ok(()) };
        let (mut words, mut tree) = (Seeded::new(seed), Tree::new());
        producer.produce(&mut words, &mut tree);
        let mut base = SizedTree::of(table, &tree);
        let mut out = SizedTree::new();
        let mut mutation = Mutation::new(table, Options::new().breaking(0)).unwrap();
        let coverage = Coverage::new(table, 2, Scope::UpTo, 1 << 20).ok();
        for _ in 0..40 {
            let sources = Sources { coverage: coverage.as_ref(), ..Sources::default() };
            if mutation.mutate(base.as_ref(), sources, 400, &mut words, &mut out).is_some() {
                prop_assert_ne!(out.text(), base.text());
                check(table, &out, "a mutant");
                let parser = Parser::new(table);
                let read = parser.recognise(out.text(), &mut Scratch::new());
                prop_assert!(!matches!(read, Err(parse::Error::Syntax(_))), "{:?}", read);
                std::mem::swap(&mut base, &mut out);
            }
        }
    }
}
