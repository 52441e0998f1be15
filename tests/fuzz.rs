//! The functions behind an engine's hooks: whatever comes in, within bounds, and reproducible.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicU8;

use pleach::fuzz::{Fuzzer, Options, TreeCache};
use pleach::kpath::{Coverage, Scope};
use pleach::mutate;
use pleach::parse::{Parser, Scratch};
use pleach::table::Table;
use pleach::tree::{SizedTree, Tree};
use pleach::{Entropy, Seeded};
use proptest::prelude::*;
use tables::{grammar, table};

mod tables;

/// Options by which sentences become sentences alone.
fn faithful() -> Options {
    Options::new().bytes(0).words(0).fresh(255).mutation(mutate::Options::new().breaking(0))
}

fn parses(parser: &Parser<'_>, text: &[u8]) -> bool {
    parser.recognise(text, &mut Scratch::new()).is_ok()
}

/// Texts that an engine hands over, sentences of JSON or not.
const TEXTS: [&[u8]; 10] = [
    b"",
    b"\n",
    b" ",
    b"[1, {\"a\": [true, null, \"x\\u0041\"]}, -2.5e+7]",
    b"{}",
    b"[1, 2",
    b"\xFF\xFE\x00",
    b"\"\xC3\xA9\xED\xA0\x80\"",
    b"nul",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
];

#[test]
fn whatever_comes_in_bounds_hold_and_something_changes() {
    let table = grammar("json.pleach");
    let parser = Parser::new(&table);
    for (options, faithful) in [(Options::new(), false), (faithful(), true)] {
        let mut fuzzer = Fuzzer::new(&table, options).unwrap();
        let (mut calls, mut unchanged, mut sentences) = (0, 0, 0);
        for text in TEXTS {
            for most in [0, 1, 2, 3, 10, 64, 4096] {
                for seed in 0..50 {
                    let mut data = text.to_vec();
                    data.resize(text.len().max(most), b'x');
                    let size = fuzzer.mutate(&mut data, text.len(), most, seed, None);
                    assert!(size <= most && (size > 0 || most == 0), "{size} of {most}");
                    if most == 0 {
                        continue;
                    }
                    calls += 1;
                    unchanged += usize::from(data[..size] == *text);
                    let is_one = parses(&parser, &data[..size]);
                    sentences += usize::from(is_one);
                    // A fresh sentence, or a mutant, is one; the 256th call is the engine's.
                    if faithful && parses(&parser, text) {
                        assert!(is_one, "seed {seed}: {}", data[..size].escape_ascii());
                    }
                }
            }
        }
        assert!(unchanged * 100 < calls, "{unchanged} of {calls}");
        // Most of what comes in is none, and then left to the engine by default.
        assert!(sentences * if faithful { 2 } else { 10 } > calls, "{sentences} of {calls}");
    }
}

#[test]
fn what_is_shorter_than_any_sentence_is_changed_all_the_same() {
    let table = table(r#"s = "begin" item* "end" ; item = "," ;"#);
    let mut fuzzer = Fuzzer::new(&table, Options::new()).unwrap();
    for most in 1..8 {
        for seed in 0..100 {
            let mut data = b"begin,end".to_vec();
            let size = fuzzer.mutate(&mut data, 9, most, seed, None);
            assert!((1..=most).contains(&size));
        }
    }
}

/// How deep brackets nest in a text.
fn depth(text: &[u8]) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    for &byte in text {
        open = open.saturating_add((byte == b'[').into()).saturating_sub((byte == b']').into());
        deepest = deepest.max(open);
    }
    deepest
}

#[test]
fn one_call_nests_as_deep_as_the_engine_has_room() {
    // With layout, which must stand between two names, and without.
    let spaced =
        "%layout space; list = \"in\" list \"out\" | \"[\" list \"]\" | \"x\"; space = \" \"*;";
    for (table, text) in [(grammar("json.pleach"), &b"[1]"[..]), (table(spaced), b"[in x out]")] {
        let parser = Parser::new(&table);
        for (name, breaking, most) in [("deepen", 0, 2048), ("plunge", 255, 4096)] {
            let mutation = mutate::Options::new().only([name]).breaking(breaking);
            let mut fuzzer =
                Fuzzer::new(&table, Options::new().bytes(0).words(0).mutation(mutation)).unwrap();
            let (mut longest, mut deepest) = (0, 0);
            for seed in 0..200 {
                let mut data = text.to_vec();
                data.resize(4096, 0);
                let mut size = fuzzer.mutate(&mut data, text.len(), 4096, seed, None);
                assert!(size <= 4096);
                longest = longest.max(size);
                deepest = deepest.max(depth(&data[..size]));
                if name == "deepen" {
                    assert!(parses(&parser, &data[..size]), "{}", data[..size].escape_ascii());
                    // An engine stacks calls, and a sentence is still one then.
                    size = fuzzer.mutate(&mut data, size, 4096, seed, None);
                    assert!(parses(&parser, &data[..size]), "{}", data[..size].escape_ascii());
                }
            }
            assert!(longest > 4000 && deepest * 10 > most * 9, "{name}: {longest}, {deepest}");
        }
    }
}

#[test]
fn depth_that_is_asked_for_bounds_what_goes_deepest() {
    let table = table(r#"list = "[" list "]" | "x";"#);
    for name in ["deepen", "plunge"] {
        let limits = pleach::produce::TreeLimits::new().max_depth(20);
        let mutation = mutate::Options::new().only([name]).limits(limits);
        let mut fuzzer =
            Fuzzer::new(&table, Options::new().bytes(0).words(0).mutation(mutation)).unwrap();
        let mut deepest = 0;
        for seed in 0..200 {
            let mut data = b"[[x]]".to_vec();
            data.resize(4096, 0);
            let size = fuzzer.mutate(&mut data, 5, 4096, seed, None);
            deepest = deepest.max(depth(&data[..size]));
        }
        assert!((10..=20).contains(&deepest), "{name}: {deepest}");
    }
}

/// A clock that goes on by one each time that it is looked at.
fn ticks() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NOW: AtomicU64 = AtomicU64::new(0);
    NOW.fetch_add(1, Ordering::Relaxed)
}

#[test]
fn statistics_count_calls_and_what_comes_back() {
    let table = grammar("json.pleach");
    let mut plain = Fuzzer::new(&table, Options::new()).unwrap();
    let mut fuzzer = Fuzzer::new(&table, Options::new().clock(ticks)).unwrap();
    let mut results: Vec<Vec<u8>> = Vec::new();
    let mut calls = 0;
    let mut call = |text: &[u8], seed| {
        let [mut data, mut same] = [(); 2].map(|()| {
            let mut data = text.to_vec();
            data.resize(200, 0);
            data
        });
        let size = fuzzer.mutate(&mut data, text.len(), 200, seed, None);
        assert_eq!(size, plain.mutate(&mut same, text.len(), 200, seed, None));
        assert_eq!(data[..size], same[..size]);
        calls += 1;
        data[..size].to_vec()
    };
    for seed in 0..500 {
        results.push(call(b"[1, {\"a\": 2}]", seed));
    }
    // Each is handed over twice, and counts once.
    let distinct: BTreeSet<&Vec<u8>> = results.iter().collect();
    for (seed, text) in distinct.iter().chain(&distinct).enumerate() {
        call(text, 1000 + seed as u64);
        call(b"[]", seed as u64);
    }
    assert!(plain.statistics().is_none());
    let statistics = fuzzer.statistics().unwrap();
    assert_eq!(statistics.calls(), calls);
    let kept: u64 = statistics.shares().iter().map(|share| share.kept).sum();
    // Some were written again by the calls between, and some were the last result.
    assert!(kept * 10 >= distinct.len() as u64 * 9, "{kept} of {}", distinct.len());
    assert!(statistics.shares().iter().all(|share| share.time == share.calls));
    let names: BTreeSet<&str> = statistics.shares().iter().map(|share| share.name).collect();
    assert_eq!(names.len(), statistics.shares().len());
    assert!(names.contains("bytes") && names.contains("word") && names.contains("regrow"));
    assert!(statistics.to_string().contains("all"), "{statistics}");
}

#[test]
fn an_empty_sentence_is_not_written() {
    let table = table(r#"s = "a"* ;"#);
    let mut fuzzer = Fuzzer::new(&table, faithful()).unwrap();
    for seed in 0..1000 {
        let mut data = *b"aaaa";
        assert!(fuzzer.mutate(&mut data, (seed % 5) as usize, 4, seed, None) > 0, "seed {seed}");
    }
}

#[test]
fn a_megabyte_is_taken() {
    let table = grammar("json.pleach");
    let parser = Parser::new(&table);
    let text =
        format!("[{}1]", "[true, \"some text\", {\"key\": -1.5}], ".repeat(27_000)).into_bytes();
    assert!(text.len() > 900_000 && parses(&parser, &text));
    for most in [4096, text.len() - 1, 1 << 20] {
        let mut fuzzer = Fuzzer::new(&table, faithful()).unwrap();
        for seed in 0..4 {
            let mut data = text.clone();
            data.resize(data.len().max(most), 0);
            let size = fuzzer.mutate(&mut data, text.len(), most, seed, None);
            assert!(size > 0 && size <= most && data[..size] != text, "{size} of {most}");
            assert!(parses(&parser, &data[..size]));
        }
    }
    // And what is none, and longer than is parsed.
    let mut fuzzer = Fuzzer::new(&table, Options::new().max_parse(1000)).unwrap();
    let mut data = vec![b'['; 1 << 20];
    let length = data.len();
    assert!(fuzzer.mutate(&mut data, length, length, 1, None) > 0);
}

#[test]
fn mutants_grow_to_the_most_bytes_that_are_asked_for_and_no_further() {
    let table = grammar("json.pleach");
    let long = format!("[{}1]", "12345,".repeat(20)).into_bytes();
    let mut fuzzer = Fuzzer::new(&table, Options::new().max_bytes(60)).unwrap();
    let mut longest = 0;
    for (text, most) in [(&b"[1, {\"a\": [true, null]}]"[..], 60), (&long, long.len())] {
        for seed in 0..500 {
            let mut data = vec![0; 1 << 12];
            data[..text.len()].copy_from_slice(text);
            let size = fuzzer.mutate(&mut data, text.len(), 1 << 12, seed, None);
            assert!(size <= most, "{size} of {most}");
            let crossed = fuzzer.crossover(text, &long, &mut data, seed);
            assert!(crossed <= most, "{crossed} of {most}");
            longest = longest.max(size).max(crossed);
        }
    }
    // Nor where the long one stands in for what is no sentence.
    let broken = b"[1, 2";
    for seed in 0..2000 {
        let mut data = vec![0; 1 << 12];
        data[..broken.len()].copy_from_slice(broken);
        let size = fuzzer.mutate(&mut data, broken.len(), 1 << 12, seed, None);
        assert!(size <= 60, "{size}");
    }
    assert!(longest > 60);
}

#[test]
fn the_engine_is_called_with_the_share_that_is_asked_for() {
    let table = grammar("json.pleach");
    let text = b"{\"key\": [\"value\", false]}";
    let calls = |options: Options| {
        let mut fuzzer = Fuzzer::new(&table, options).unwrap();
        let (mut whole, mut part) = (0, 0);
        for seed in 0..4096 {
            let mut engine = |buffer: &mut [u8], size: usize, most: usize| {
                assert!(size <= most && most <= buffer.len());
                if size == text.len() {
                    whole += 1;
                } else {
                    assert!(text.windows(size).any(|window| *window == buffer[..size]));
                    part += 1;
                }
                buffer[0] = b'7';
                size.max(1)
            };
            let mut data = text.to_vec();
            data.resize(100, 0);
            let size = fuzzer.mutate(&mut data, text.len(), 100, seed, Some(&mut engine));
            assert!(size > 0 && size <= 100);
        }
        (whole, part)
    };
    let trees = mutate::Options::new().without(["havoc", "garble"]);
    let options = || Options::new().mutation(trees.clone());
    assert_eq!(calls(options().bytes(0).words(0)), (0, 0));
    let (whole, part) = calls(options().bytes(128).words(0));
    assert!((1900..2200).contains(&whole) && part == 0, "{whole}, {part}");
    let (whole, part) = calls(options().bytes(0).words(128));
    // Now and then four places have no word.
    assert!(whole == 0 && (1700..2200).contains(&part), "{whole}, {part}");
}

#[test]
fn numbers_become_those_at_which_types_end() {
    let table = grammar("json.pleach");
    let parser = Parser::new(&table);
    let options = Options::new().mutation(mutate::Options::new().only(["shuffle"]));
    let mut fuzzer = Fuzzer::new(&table, options.bytes(0).words(255)).unwrap();
    let mut texts = BTreeSet::new();
    for seed in 0..4000 {
        // What the engine makes of a word is none here.
        let mut engine = |buffer: &mut [u8], _: usize, _: usize| {
            buffer[0] = b'?';
            1
        };
        let mut data = b"[\"a\", 12]".to_vec();
        let size = data.len();
        data.resize(100, 0);
        let size = fuzzer.mutate(&mut data, size, 100, seed, Some(&mut engine));
        texts.insert(String::from_utf8_lossy(&data[..size]).into_owned());
    }
    for number in ["255", "256", "32767", "4294967296", "18446744073709551615", "309"] {
        assert!(texts.contains(&format!("[\"a\", {number}]")), "{number}");
    }
    for long in [(1_u128 << 127).to_string(), "9".repeat(30)] {
        assert!(texts.contains(&format!("[\"a\", {long}]")), "{long}");
    }
    for text in texts {
        assert!(parses(&parser, text.as_bytes()) || text.len() < 4, "{text}");
    }
}

#[test]
fn numbers_beyond_the_grammar_are_written_where_mutations_may_leave_the_language() {
    let table = Table::parse(r#"call = "f" argument; argument = "?" [0-9]{1,3};"#).unwrap();
    let parser = Parser::new(&table);
    let overflowing = |mutation: mutate::Options| {
        let options = Options::new().mutation(mutation).bytes(0).words(255);
        let mut fuzzer = Fuzzer::new(&table, options).unwrap();
        let mutants = (0..2000).map(|seed| call(&mut fuzzer, b"f?1", seed));
        mutants.filter(|text| !parses(&parser, text)).collect::<BTreeSet<_>>()
    };
    let texts = overflowing(mutate::Options::new());
    assert!(texts.contains(&b"f?18446744073709551616"[..]));
    assert_eq!(overflowing(mutate::Options::new().breaking(0)), BTreeSet::new());
    // Without an invalid mutator nothing leaves the language, whatever the share.
    assert_eq!(overflowing(mutate::Options::new().only(["token"])), BTreeSet::new());
}

/// What mutants a fuzzer makes of each other; `each` is called with what a call got and gave.
fn chain(fuzzer: &mut Fuzzer<'_>, mut each: impl FnMut(u64, &[u8], &[u8])) {
    let mut words = Seeded::new(1);
    let mut last = Vec::new();
    for round in 0..400_u64 {
        if round % 5 == 0 {
            last = TEXTS[words.below(TEXTS.len() as u64) as usize].to_vec();
        }
        let mutant = call(fuzzer, &last, round);
        each(round, &last, &mutant);
        last = mutant;
    }
}

fn call(fuzzer: &mut Fuzzer<'_>, text: &[u8], seed: u64) -> Vec<u8> {
    let mut data = text.to_vec();
    data.resize(text.len().max(200), 0);
    let size = fuzzer.mutate(&mut data, text.len(), 200, seed, None);
    data.truncate(size);
    data
}

#[test]
fn the_same_calls_give_the_same_bytes() {
    let table = grammar("json.pleach");
    let run = || {
        let mut all = Vec::new();
        let mut fuzzer = Fuzzer::new(&table, Options::new().cache(1 << 16)).unwrap();
        chain(&mut fuzzer, |_, _, mutant| all.push(mutant.to_vec()));
        all
    };
    assert_eq!(run(), run());
}

#[test]
fn a_clone_goes_on_as_the_original_would_have() {
    let table = grammar("json.pleach");
    let mut fuzzer = Fuzzer::new(&table, Options::new().cache(1 << 16)).unwrap();
    chain(&mut fuzzer, |_, _, _| ());
    let mut clone = fuzzer.clone();
    let [mut ours, mut theirs] = [Vec::new(), Vec::new()];
    chain(&mut fuzzer, |_, _, mutant| ours.push(mutant.to_vec()));
    chain(&mut clone, |_, _, mutant| theirs.push(mutant.to_vec()));
    assert_eq!(ours, theirs);
    assert_eq!(fuzzer.coverage().unwrap().summary(), clone.coverage().unwrap().summary());
}

#[test]
fn what_is_read_and_what_is_written_is_remembered() {
    let table = grammar("json.pleach");
    let mut fuzzer = Fuzzer::new(&table, faithful()).unwrap();
    let mutant = call(&mut fuzzer, b"[1, 2]", 1);
    for text in [b"[1, 2]", &mutant[..]] {
        let tree = fuzzer.cached(text).unwrap();
        assert_eq!(tree.text(), text);
        let mut copy = SizedTree::new();
        copy.copy_from(tree);
        copy.tree().check(&table).unwrap();
    }
    assert!(fuzzer.cached(b"[1, 3]").is_none());
    let mut forgetful = Fuzzer::new(&table, faithful().cache(0)).unwrap();
    call(&mut forgetful, b"[1, 2]", 1);
    assert!(forgetful.cached(b"[1, 2]").is_none());
}

#[test]
fn one_call_is_replayed_by_itself() {
    // Where each text has one derivation nothing has to be asked for.
    let list =
        r#"list = "[" ( item ( "," item )* )? "]" ; item = /[0-9]/ | "null" | list | "{}" ;"#;
    let cases = [
        (grammar("json.pleach"), Options::new().replayable(true)),
        (table(list), Options::new().k(0).recall(0)),
    ];
    for (table, options) in cases {
        let mut busy = Fuzzer::new(&table, options.clone().cache(1 << 16)).unwrap();
        chain(&mut busy, |round, text, mutant| {
            if round % 40 < 5 {
                let mut fresh = Fuzzer::new(&table, options.clone().cache(0)).unwrap();
                assert_eq!(call(&mut fresh, text, round), mutant, "round {round}");
            }
        });
    }
}

/// Only what grows towards goals, and nothing that an engine does to bytes.
#[test]
fn a_crossover_is_replayed_where_the_cache_is_small() {
    // Once, an input that the cache forgot while the other was read was no donor.
    let table = grammar("json.pleach");
    let options = Options::new().replayable(true).bytes(0);
    let list = |items: u64| {
        let items: Vec<_> = (0..items).map(|item| (item * items).to_string()).collect();
        format!("[{}]", items.join(",")).into_bytes()
    };
    let texts: Vec<_> = (1..30).map(list).collect();
    let mut busy = Fuzzer::new(&table, options.clone().cache(1 << 15)).unwrap();
    let mut fresh = Fuzzer::new(&table, options.cache(0)).unwrap();
    let mut words = Seeded::new(1);
    for round in 0..400 {
        let [first, second] = [(); 2].map(|()| &texts[words.below(texts.len() as u64) as usize]);
        let [ours, theirs] = [&mut busy, &mut fresh].map(|fuzzer| {
            let mut out = vec![0; 200];
            let size = fuzzer.crossover(first, second, &mut out, round);
            out.truncate(size);
            out
        });
        assert_eq!(ours, theirs, "round {round}");
    }
}

fn toward(k: usize) -> Options {
    let mutation = mutate::Options::new().only(["toward"]);
    Options::new().bytes(0).words(0).fresh(255).k(k).mutation(mutation)
}

#[test]
fn a_corpus_grows_towards_what_it_does_not_cover() {
    let table = grammar("json.pleach");
    let mut fuzzer = Fuzzer::new(&table, toward(3)).unwrap();
    let total = fuzzer.coverage().unwrap().total();
    assert_eq!(total, 521);
    // An engine that finds every mutant of interest hands it over again before long.
    let mut corpus = vec![b"0".to_vec()];
    for round in 0..600 {
        let mutant = call(&mut fuzzer, &corpus[(round / 2) as usize], round);
        corpus.push(mutant);
    }
    let covered = fuzzer.coverage().unwrap().covered();
    assert!(covered * 100 > total * 95, "{covered} of {total}");
    // What it says is what the inputs cover that it got.
    let parser = Parser::new(&table);
    let mut coverage = Coverage::new(&table, 3, Scope::UpTo, 1 << 20).unwrap();
    let mut tree = Tree::new();
    for text in &corpus[..300] {
        parser.parse(text, &mut Scratch::new(), &mut tree).unwrap();
        coverage.add(&tree);
    }
    let missing = coverage.covered().saturating_sub(covered);
    assert!(missing * 50 < covered, "{missing} beside {covered}");
}

#[test]
fn mutants_of_no_interest_cover_nothing() {
    let table = grammar("json.pleach");
    for options in [toward(2), Options::new().k(2), Options::new().k(2).cache(0)] {
        let mut fuzzer = Fuzzer::new(&table, options).unwrap();
        let mut covered = 0;
        for seed in 0..100 {
            let mut last = b"[1,2]".to_vec();
            for step in 0..5 {
                last = call(&mut fuzzer, &last, seed * 5 + step);
            }
            let now = fuzzer.coverage().unwrap().covered();
            // The first calls may have left it to the bytes.
            assert!(covered == 0 || now == covered, "seed {seed}");
            covered = now;
        }
        assert!(covered > 0);
    }
}

#[test]
fn an_input_marks_the_counters_of_its_k_paths() {
    let table = grammar("json.pleach");
    let marked = |fuzzer: &mut Fuzzer<'_>, text: &[u8]| {
        let counters = [const { AtomicU8::new(0) }; 4096];
        fuzzer.mark(text, &counters);
        let values = counters.into_iter().map(AtomicU8::into_inner).enumerate();
        values.filter(|&(_, value)| value > 0).collect::<BTreeSet<_>>()
    };
    let mut fuzzer = Fuzzer::new(&table, Options::new().novelty(true)).unwrap();
    let few = marked(&mut fuzzer, b"[1,2]");
    let many = marked(&mut fuzzer, b"[1,2,{\"a\":null}]");
    assert!(few.len() > 5 && few.is_subset(&many) && few != many);
    // The more so from the cache, and by whatever it was filled.
    assert_eq!(marked(&mut fuzzer, b"[1,2]"), few);
    assert_eq!(marked(&mut Fuzzer::new(&table, faithful().novelty(true)).unwrap(), b"[1,2]"), few);
    assert!(marked(&mut fuzzer, b"[1,2").is_empty());
    fuzzer.mark(b"[1,2]", &[]);
    // Mutants by their trees as by the parser's, where each text has one tree.
    let list = crate::table(r#"list = "[" ( item ( "," item )* )? "]" ; item = /[0-9]/ | list ;"#);
    let mut fuzzer = Fuzzer::new(&list, Options::new().bytes(0).novelty(true)).unwrap();
    let mut sentences = 0;
    for seed in 0..200 {
        let mutant = call(&mut fuzzer, b"[1,2]", seed);
        let known = marked(&mut fuzzer, &mutant);
        if !known.is_empty() {
            let mut fresh = Fuzzer::new(&list, Options::new().novelty(true)).unwrap();
            assert_eq!(marked(&mut fresh, &mutant), known, "{}", mutant.escape_ascii());
            sentences += 1;
        }
    }
    assert!(sentences > 100, "{sentences}");
    for options in [Options::new(), Options::new().novelty(true).k(0)] {
        assert!(marked(&mut Fuzzer::new(&table, options).unwrap(), b"[1,2]").is_empty());
    }
}

#[test]
fn a_sentence_that_was_handed_over_is_mutated_where_there_is_none() {
    let table = grammar("json.pleach");
    let parser = Parser::new(&table);
    let sentence = b"[\"something that no other sentence has\", 123456]";
    let recalled = |options: Options| {
        let mut fuzzer = Fuzzer::new(&table, options.fresh(0)).unwrap();
        call(&mut fuzzer, sentence, 0);
        let mutants = (0..512).map(|seed| call(&mut fuzzer, b"[1, 2 and no more", seed));
        // Hardly any of the others becomes one by its bytes.
        let sentences: Vec<_> = mutants.filter(|text| parses(&parser, text)).collect();
        let known =
            sentences.iter().filter(|text| text.windows(9).any(|part| part == b"something"));
        (sentences.len(), known.count())
    };
    let options = || faithful().recall(128);
    for none in [options().recall(0), options().replayable(true)] {
        let (sentences, known) = recalled(none);
        assert!(sentences < 20 && known == 0, "{sentences}, {known}");
    }
    let (sentences, known) = recalled(options());
    assert!((220..300).contains(&sentences) && known > 100, "{sentences}, {known}");
}

#[test]
fn one_in_eight_may_grow_at_once() {
    let table = grammar("json.pleach");
    let text = format!("[{}1]", "12345,".repeat(20)).into_bytes();
    let large = |options: Options| {
        let options = options.mutation(mutate::Options::new().only(["replicate"]));
        let mut fuzzer = Fuzzer::new(&table, options.bytes(0).words(0)).unwrap();
        let sizes = (0..4000).map(|seed| {
            let mut data = text.clone();
            data.resize(4096, 0);
            fuzzer.mutate(&mut data, text.len(), 4096, seed, None)
        });
        let mut sizes: Vec<_> = sizes.filter(|&size| size > text.len() * 5 / 4).collect();
        sizes.sort_unstable();
        (sizes.len(), sizes.last().copied())
    };
    assert_eq!(large(Options::new().free(0)), (0, None));
    let (all, longest) = large(Options::new().free_size(usize::MAX));
    assert!(longest > Some(500));
    let (some, longest) = large(Options::new());
    assert!(some > 0 && (all / 16..all / 4).contains(&some), "{some} of {all}");
    let bound = 8 * Options::DEFAULT_FREE_SIZE;
    assert!(longest > Some(bound * 3 / 4) && longest <= Some(bound), "{longest:?}");
}

/// What is remembered is of every length, and cost goes by it.
#[test]
fn the_shorter_of_two_sentences_is_recalled() {
    let table = grammar("json.pleach");
    let options = faithful().recall(255).fresh(0).mutation(mutate::Options::new().only(["token"]));
    let mut fuzzer = Fuzzer::new(&table, options).unwrap();
    let long = format!("[{}1]", "12345,".repeat(20)).into_bytes();
    for text in [&long[..], b"[[7]]"] {
        call(&mut fuzzer, text, 0);
    }
    let sizes: Vec<_> = (0..400).map(|seed| call(&mut fuzzer, b"[[[[[[[[", seed).len()).collect();
    let short = sizes.iter().filter(|&&size| size < 20).count();
    assert!((260..340).contains(&short), "{short} of 400");
}

/// Sizes along chains of mutants of mutants, as many as an engine would never stack.
#[test]
fn sizes_drift_neither_to_the_limit_nor_to_nothing() {
    for name in ["json.pleach", "expr.pleach"] {
        let table = grammar(name);
        let mut fuzzer = Fuzzer::new(&table, Options::new()).unwrap();
        let mut sizes = Vec::new();
        for chain in 0..8 {
            let mut text = b"1".to_vec();
            for step in 0..600 {
                let size = text.len();
                text.resize(4096, 0);
                let seed = chain * 10_000 + step;
                let size = fuzzer.mutate(&mut text, size, 4096, seed, None);
                text.truncate(size);
                sizes.push(size);
            }
        }
        sizes.sort_unstable();
        let (median, high) = (sizes[sizes.len() / 2], sizes[sizes.len() * 95 / 100]);
        assert!(median > 2 && median < 1000, "{name}: {median}");
        assert!(high < 4000, "{name}: {high}");
    }
}

#[test]
fn as_many_nodes_are_counted_as_there_is_room_for() {
    let k = |name: &str, options: Options| {
        let table = grammar(name);
        let fuzzer = Fuzzer::new(&table, options).unwrap();
        fuzzer.coverage().map(|coverage| coverage.index().k())
    };
    assert_eq!(k("json.pleach", Options::new()), Some(Options::DEFAULT_K));
    assert_eq!(k("json.pleach", Options::new().k(0)), None);
    assert_eq!(k("json.pleach", Options::new().replayable(true)), None);
    assert_eq!(k("json.pleach", Options::new().k(5)), Some(5));
    // 387,427 k-paths up to 3, and 15,951,718 up to 4.
    assert_eq!(k("cli-options.pleach", Options::new().k(4)), Some(3));
    let most = k("json.pleach", Options::new().k(usize::MAX)).unwrap();
    assert!((6..64).contains(&most), "{most}");
}

#[test]
fn a_crossover_has_of_both() {
    let table = grammar("json.pleach");
    let parser = Parser::new(&table);
    let mut fuzzer = Fuzzer::new(&table, faithful()).unwrap();
    let (first, second) = (b"[1, 2, {\"a\": 3}]", b"{\"other\": [\"donated\", 777]}");
    let mut of_both = 0;
    for seed in 0..500 {
        let mut out = [0; 100];
        let size = fuzzer.crossover(first, second, &mut out, seed);
        let out = &out[..size];
        assert!(parses(&parser, out), "{}", out.escape_ascii());
        assert_ne!(out, first);
        let has = |part: &[u8]| out.windows(part.len()).any(|window| window == part);
        of_both += usize::from(
            (has(b"donated") || has(b"777") || has(b"other")) && (has(b"[1") || has(b"3}")),
        );
    }
    assert!(of_both > 100, "{of_both}");
    // By default a text of both need not be a sentence.
    let mut fuzzer = Fuzzer::new(&table, Options::new()).unwrap();
    for first in TEXTS {
        for second in TEXTS {
            for (seed, most) in [0, 1, 2, 5, 100].into_iter().enumerate() {
                let mut out = vec![0; most];
                let size = fuzzer.crossover(first, second, &mut out, seed as u64);
                assert!(size <= most && (size > 0 || most == 0));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_bytes_are_taken(
        text in proptest::collection::vec(prop_oneof![
            Just(b'['), Just(b']'), Just(b','), Just(b'"'), Just(b'1'), any::<u8>(),
        ], 0..60),
        extra in 0..40_usize,
        seed in any::<u64>(),
    ) {
        let table = grammar("json.pleach");
        let mut fuzzer = Fuzzer::new(&table, Options::new()).unwrap();
        let mut data = text.clone();
        data.resize(text.len() + extra, 0);
        let most = data.len() / 2 + 1;
        let most = most.min(data.len());
        let size = fuzzer.mutate(&mut data, text.len(), most, seed, None);
        prop_assert!(size <= most && (size > 0 || most == 0));
    }

    #[test]
    fn a_cached_tree_yields_its_bytes(seed in any::<u64>(), memory in 0..100_000_usize) {
        let table = table(r#"list = "[" ( item ( "," item )* )? "]" ; item = /[0-9]/ | list ;"#);
        let parser = Parser::new(&table);
        let mut cache = TreeCache::new(memory);
        let (mut words, mut tree) = (Seeded::new(seed), Tree::new());
        for _ in 0..500 {
            let digits = words.below(6);
            let items: Vec<_> = (0..digits).map(|_| words.below(10).to_string()).collect();
            let text = format!("[{}]", items.join(",")).into_bytes();
            if let Some(found) = cache.get(&text) {
                prop_assert_eq!(found.text(), &text[..]);
                parser.parse(&text, &mut Scratch::new(), &mut tree).unwrap();
                prop_assert_eq!(found.nodes(), tree.nodes());
            } else {
                parser.parse(&text, &mut Scratch::new(), &mut tree).unwrap();
                let sized = SizedTree::of(&table, &tree);
                if words.below(2) == 0 {
                    cache.insert(sized.as_ref());
                } else {
                    cache.insert_passing(sized.as_ref());
                }
            }
        }
    }
}
