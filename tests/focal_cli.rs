//! `pleach focal`, driven as a person drives it.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use pleach_testing::{Pleach, text};

const PLEACH: Pleach = pleach_testing::pleach!();

const SEED: &str = "Dear Madam, it is late#abcdefgh";

/// A folder for a test, empty, with a seed.
fn folder(name: &str) -> PathBuf {
    let folder = PLEACH.folder(Path::new("focal").join(name));
    fs::write(folder.join("seed"), SEED).unwrap();
    folder
}

/// The letter's source in a file of its own, at a path that stays the same, so that what was built is fresh.
fn target() -> [String; 3] {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("focal");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("letter.rs");
    let source = include_str!("data/inside/letter.rs");
    if fs::read_to_string(&file).ok().as_deref() != Some(source) {
        fs::write(&file, source).unwrap();
    }
    let keep = folder.join("keep").display().to_string();
    [format!("{}#letter", file.display()), "--keep".into(), keep]
}

fn arguments<'a>(target: &'a [String; 3], more: &[&'a str]) -> Vec<&'a str> {
    ["focal"].into_iter().chain(target.iter().map(String::as_str)).chain(more.to_vec()).collect()
}

#[test]
fn a_failure_is_composed_of_functions_and_written_with_what_was_changed() {
    let (folder, target) = (folder("fault"), target());
    let (seed, out) = (folder.join("seed").display().to_string(), folder.join("out"));
    let written = out.display().to_string();
    let (object, code) = PLEACH.json(&arguments(&target, &[&seed, "-o", &written, "--fail-fast"]));
    assert_eq!(code, 1, "{object}");
    let [crash] = &object["crashes"].as_array().expect("there is a list")[..] else {
        panic!("{object}");
    };
    assert_eq!(crash["message"], "attempt to divide by zero");
    assert!(crash["location"].as_str().unwrap().contains("letter.rs:"), "{crash}");
    let chain: Vec<&str> = { crash["chain"].as_array().expect("it was composed").iter() }
        .map(|site| site["function"].as_str().unwrap().rsplit("::").next().unwrap())
        .collect();
    assert_eq!(chain, ["letter", "stamp"]);
    let file = Path::new(crash["file"].as_str().expect("it was written"));
    assert_eq!(file.parent().unwrap(), out.join("crashes"));
    let seconds = [&crash["seconds"], &object["seconds"]].map(|it| it.as_f64().unwrap());
    assert!(0.0 < seconds[0] && seconds[0] <= seconds[1], "{object}");
    let mut changed = SEED.as_bytes().to_vec();
    for part in crash["bytes"].as_array().unwrap() {
        let (at, new) = (part["at"].as_u64().unwrap() as usize, part["new"].as_str().unwrap());
        assert!(at > SEED.find('#').unwrap(), "{part}");
        changed[at..at + new.len()].copy_from_slice(new.as_bytes());
    }
    assert_eq!(crash["composed"].as_str().unwrap().as_bytes(), changed);
    // Of the letter only the seal is left, with what it begins with.
    let reduced = fs::read(file).unwrap();
    assert_eq!((reduced.len(), reduced[0]), (9, b'#'));
    assert_eq!(changed[changed.len() - 9..], reduced);
    assert_eq!((&object["validated"], &object["validating"]), (&1.into(), &1.into()), "{object}");
    for phase in ["profiles", "targets", "satisfiability", "reduction"] {
        assert!(object["phases"][phase].as_f64() > Some(0.0), "{object}");
    }
}

#[test]
fn inputs_to_begin_with_are_of_a_corpus_and_changed_by_a_grammar() {
    let (folder, target) = (folder("grammar"), target());
    let grammar = folder.join("letter.pleach");
    fs::write(&grammar, r##"letter = /[A-Za-z, ]{1,40}/ "#" /[a-z]{8}/ ;"##).unwrap();
    let (grammar, corpus) = (grammar.display().to_string(), folder.join("corpus"));
    fs::create_dir(&corpus).unwrap();
    fs::rename(folder.join("seed"), corpus.join("seed")).unwrap();
    let corpus = corpus.display().to_string();
    let more = ["--corpus", &corpus, "--grammar", &grammar, "--fail-fast"];
    let (object, code) = PLEACH.json(&arguments(&target, &more));
    assert_eq!(code, 1, "{object}");
    assert_eq!(object["crashes"][0]["message"], "attempt to divide by zero");
    let output = PLEACH.run(&arguments(&target, &["--corpus", &corpus, "--grammar", &corpus]));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

/// Fails on one text, which no solver finds: it would have to undo a hash.
const SEALED: &str = r#"const SECRET: u64 = mixed(b"violet and indigo");

const fn mixed(text: &[u8]) -> u64 {
    let (mut hash, mut at) = (0xcbf2_9ce4_8422_2325_u64, 0);
    while at < 4 * text.len() {
        hash = (hash ^ text[at % text.len()] as u64).wrapping_mul(0x100_0000_01b3);
        hash = (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        at += 1;
    }
    hash
}

pub fn sealed(text: &[u8]) -> u64 {
    let hash = mixed(text);
    assert!(hash != SECRET, "the secret is known");
    hash
}
"#;

#[test]
fn what_is_made_at_random_are_sentences_of_the_grammar() {
    let folder = folder("sentences");
    let [file, seed, grammar] = ["sealed.rs", "seed", "sealed.pleach"].map(|it| folder.join(it));
    fs::write(&file, SEALED).unwrap();
    fs::write(&seed, "red and green").unwrap();
    fs::write(&grammar, r#"sealed = ("red" | "violet") " and " ("green" | "indigo") ;"#).unwrap();
    let target = [format!("{}#sealed", file.display()), "--keep".into(), target()[2].clone()];
    let (seed, grammar) = (seed.display().to_string(), grammar.display().to_string());
    let (object, code) = PLEACH.json(&arguments(&target, &[&seed, "--time", "5s"]));
    assert_eq!((code, &object["crashes"]), (0, &serde_json::json!([])), "{object}");
    let more = [&*seed, "--grammar", &grammar, "--fail-fast"];
    let (object, code) = PLEACH.json(&arguments(&target, &more));
    assert_eq!((code, &object["crashes"][0]["message"]), (1, &"the secret is known".into()));
}

#[test]
fn a_program_that_does_not_fail_is_no_failure() {
    let folder = folder("none");
    let (file, seed) = (folder.join("half.rs"), folder.join("seed").display().to_string());
    fs::write(&file, "pub fn half(text: &[u8]) -> usize {\n    text.len() / 2\n}\n").unwrap();
    let target = [format!("{}#half", file.display()), "--keep".into(), target()[2].clone()];
    let (object, code) = PLEACH.json(&arguments(&target, &[&seed, "--fuzz", "8"]));
    assert_eq!((code, &object["targets"]), (0, &0.into()), "{object}");
    assert_eq!(object["crashes"], serde_json::json!([]));
}

#[test]
fn a_relevance_of_more_than_all_pairs_is_refused() {
    let target = target();
    let output = PLEACH.run(&arguments(&target, &["--relevance", "101"]));
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--relevance"), "{output:?}");
}

#[test]
fn variants_are_known_by_their_letters() {
    let (folder, target) = (folder("variants"), target());
    let seed = folder.join("seed").display().to_string();
    for variant in ["I", "E", "R", "W", "M"] {
        // Without summaries the one path of 256 has to be come upon from the entry, which may take a minute.
        let composes = !matches!(variant, "W" | "M");
        let time = if composes { "60s" } else { "2s" };
        // By most seeds composition is sooner than the exploration beside, and so by this one.
        let first = [&*seed, "--seed", "1", "--variant", variant, "--fail-fast"];
        let more = [&first[..], &["--fuzz", "0", "--time", time]].concat();
        let (object, code) = PLEACH.json(&arguments(&target, &more));
        assert!(code == 1 || (code == 0 && !composes), "{variant}: {object}");
        let composed = object["combined"].as_u64().unwrap();
        assert_eq!(composed > 0, composes, "{variant}: {object}");
    }
    let output = PLEACH.run(&arguments(&target, &["--variant", "X"]));
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("I, E, R, W and M"), "{output:?}");
}
