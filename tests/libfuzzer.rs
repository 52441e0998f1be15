//! The README's target in a crate made by `pleach init`, built for libFuzzer and run in every way that
//! the engine has: `cargo test --test libfuzzer -- --ignored`. Building takes a minute the first time.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// What cargo-fuzz builds with, less the sanitizer: as good on a stable toolchain.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
     -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares \
     -Cllvm-args=-simplifycfg-branch-fold-threshold=0 -Cdebug-assertions -Ccodegen-units=1";

/// A target that fails on what only a grammar finds soon, and sooner where trees grow freely and few calls are
/// of bytes: coverage says little about it.
const PLANTED: &str = r#"#![no_main]

pleach::fuzz_target!(
    grammar: "../grammars/json.pleach",
    start: "array",
    bytes: 8,
    free_size: usize::MAX,
    |data: &[u8]| {
    if let Ok(serde_json::Value::Array(items)) = serde_json::from_slice(data) {
        let bad = items.iter().filter(|item| item.is_object() && item.as_object().unwrap().len() > 1);
        assert!(bad.count() < 2, "two objects of two members");
    }
});
"#;

/// A target whose shortest sentence is long.
const LONG: &str = r#"#![no_main]

pleach::fuzz_target!(grammar: "../grammars/long.pleach", |data: &[u8]| -> libfuzzer_sys::Corpus {
    if data.len() > 100 { libfuzzer_sys::Corpus::Reject } else { libfuzzer_sys::Corpus::Keep }
});
"#;

/// Targets that do nothing, which only k-paths can tell inputs apart in. One has no use for tabs, which
/// some k-paths need.
const BLIND: &str = r#"#![no_main]

pleach::fuzz_target!(grammar: "../grammars/json.pleach", |_data: &[u8]| ());
"#;
const NOVEL: &str = r#"#![no_main]

use libfuzzer_sys::Corpus;

pleach::fuzz_target!(
    grammar: "../grammars/json.pleach",
    k: 2,
    novelty: true,
    |text: &str| -> Corpus { if text.contains('\t') { Corpus::Reject } else { Corpus::Keep } }
);
"#;

/// A command whose fault needs an option, a file and standard input that agree, and the grammar of its inputs.
const LIMITS: &str = r#"#![no_main]

#[path = "../limits.rs"]
mod limits;

pleach::fuzz_target!(grammar: "../grammars/limits.pleach", |input: &Parts| {
    let _ = limits::run(input.arguments(), input.file("limits.ini"), input.stdin());
});
"#;
const LIMITS_GRAMMAR: &str = r#"
%start input;
%part args options;
%part file "limits.ini" settings;
%part stdin requests;

input    = options settings? requests ;
options  = ( "--strict\n" | "--verbose\n" | "--section=" name "\n" )* ;
settings = ( "[" name "]\n" ( key "=" number "\n" )* )* ;
key      = "limit" | "burst" | "weight" ;
requests = ( name " " number "\n" )* ;
name     = [a-z] [a-z0-9-]* ;
number   = [1-9] [0-9]* ;
"#;

/// The same without the engine's mutators, which take up addresses from its table of recent comparisons:
/// the system chooses those anew for each process.
const OWN: &str = r#"#![no_main]

pleach::fuzz_target!(
    grammar: "../grammars/json.pleach",
    k: 2,
    novelty: true,
    bytes: 0,
    words: 0,
    without: ["havoc", "garble"],
    |_text: &str| {}
);
"#;

/// A fault in a hand-written parser of URIs, which the grammar tells; and the same oracle with the engine's
/// own mutators.
const DEVIANT: &str = r#"#![no_main]

#[path = "../uri.rs"]
mod uri;

pleach::differential_target!(
    grammar: ["../grammars/uri.pleach", "../grammars/ip.pleach"],
    start: "URI",
    |text: &str| -> bool { uri::is_uri::<true>(text) }
);
"#;
const BYTEWISE: &str = r#"#![no_main]

use std::cell::RefCell;
use std::sync::OnceLock;

use pleach::differential::target::Oracle;
use pleach::fuzz::TargetOptions;
use pleach::table::Table;

#[path = "../uri.rs"]
mod uri;

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let files = [
            ("../grammars/uri.pleach", include_str!("../grammars/uri.pleach")),
            ("../grammars/ip.pleach", include_str!("../grammars/ip.pleach")),
        ];
        TargetOptions::new().start("URI").table(&files).unwrap()
    })
}

thread_local! {
    static ORACLE: RefCell<Oracle<'static>> = RefCell::new(Oracle::new(table()));
}

libfuzzer_sys::fuzz_target!(|text: &str| {
    let found = ORACLE.with_borrow_mut(|oracle| oracle.verdict(text, uri::is_uri::<true>));
    if let Some(found) = found {
        panic!("{found}");
    }
});
"#;

/// What lies behind a seal that is in no input but one that was given, for the bridge.
const SEALED: &str = r#"
const fn sum(seal: &[u8]) -> u64 {
    let (mut sum, mut at) = (0xcbf2_9ce4_8422_2325_u64, 0);
    while at < seal.len() {
        sum = (sum ^ seal[at] as u64).wrapping_mul(0x100_0000_01b3);
        at += 1;
    }
    sum
}

const SEAL: u64 = sum(b"a seal of pleach");

pub fn open(data: &[u8]) -> u8 {
    let Some((seal, rest)) = data.split_at_checked(16) else { return 0 };
    if sum(seal) != SEAL {
        return 1;
    }
    match rest {
        [b'x', rest @ ..] => unsealed(rest),
        _ => 2,
    }
}

#[inline(never)]
fn unsealed(rest: &[u8]) -> u8 {
    match rest {
        [b'!', ..] => panic!("it is open"),
        _ => 1,
    }
}
"#;
const SEALED_TARGET: &str = r#"#![no_main]

#[path = "../sealed.rs"]
mod sealed;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    sealed::open(data);
});
"#;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("libfuzzer")
}

/// What the compiler calls this machine.
fn host() -> String {
    let version = Command::new("rustc").arg("-vV").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

/// The first block of Rust in the README.
fn target_of_the_readme() -> String {
    let readme = include_str!("../README.md");
    let start = readme.find("```rust,ignore\n#![no_main]").expect("the README has a target");
    let code = &readme[start + "```rust,ignore\n".len()..];
    code[..code.find("```").expect("the block ends")].to_owned()
}

/// Builds the targets once, and gives the folder of the executables.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let package = folder().join("package");
        let _ = fs::remove_dir_all(&package);
        fs::create_dir_all(package.join("src")).unwrap();
        fs::write(package.join("src/lib.rs"), "").unwrap();
        let manifest = "[package]\nname = \"fuzzed\"\nedition = \"2021\"\n";
        fs::write(package.join("Cargo.toml"), manifest).unwrap();
        let root = env!("CARGO_MANIFEST_DIR");
        for arguments in [
            "--grammar json",
            "--name planted",
            "--name long",
            "--name blind",
            "--name novel",
            "--name own",
            "--name limits",
            "--name sealed",
            // The others have no use for the feature, and it makes them no slower.
            "--name deviant --differential",
            "--grammar uri --differential",
            "--name bytewise",
        ] {
            let mut init = Command::new(env!("CARGO_BIN_EXE_pleach"));
            init.arg("init")
                .args(arguments.split(' '))
                .args(["--path", root])
                .current_dir(&package);
            assert!(init.status().unwrap().success());
        }
        let fuzz = package.join("fuzz");
        fs::write(fuzz.join("fuzz_targets/json.rs"), target_of_the_readme()).unwrap();
        fs::write(fuzz.join("fuzz_targets/planted.rs"), PLANTED).unwrap();
        fs::write(fuzz.join("fuzz_targets/long.rs"), LONG).unwrap();
        fs::write(fuzz.join("fuzz_targets/blind.rs"), BLIND).unwrap();
        fs::write(fuzz.join("fuzz_targets/novel.rs"), NOVEL).unwrap();
        fs::write(fuzz.join("fuzz_targets/own.rs"), OWN).unwrap();
        fs::write(fuzz.join("fuzz_targets/limits.rs"), LIMITS).unwrap();
        fs::write(fuzz.join("grammars/limits.pleach"), LIMITS_GRAMMAR).unwrap();
        fs::write(fuzz.join("limits.rs"), include_str!("data/libfuzzer/limits.rs")).unwrap();
        fs::write(fuzz.join("fuzz_targets/sealed.rs"), SEALED_TARGET).unwrap();
        fs::write(fuzz.join("sealed.rs"), SEALED).unwrap();
        fs::write(fuzz.join("fuzz_targets/deviant.rs"), DEVIANT).unwrap();
        fs::write(fuzz.join("fuzz_targets/bytewise.rs"), BYTEWISE).unwrap();
        fs::write(fuzz.join("uri.rs"), include_str!("data/differential/uri.rs")).unwrap();
        let long = "a = \"begin \" [a-z]{20,} \" end\" ;";
        fs::write(fuzz.join("grammars/long.pleach"), long).unwrap();
        let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
        let manifest = manifest.replace("[dependencies]", "[dependencies]\nserde_json = \"1\"");
        fs::write(fuzz.join("Cargo.toml"), manifest).unwrap();

        assert!(build(&["--bins"]).status().unwrap().success());
        folder().join("target").join(host()).join("release")
    })
}

/// Builds targets of the crate.
fn build(targets: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--release", "--target", &host()])
        .args(targets)
        .env("RUSTFLAGS", FLAGS)
        .env("CARGO_TARGET_DIR", folder().join("target"))
        .current_dir(folder().join("package/fuzz"));
    cargo
}

/// Runs a target in an empty folder of its own, on a corpus there.
fn run(target: &str, name: &str, arguments: &[&str]) -> (Output, PathBuf) {
    let executable = built().join(target);
    let here = folder().join("runs").join(name);
    fs::create_dir_all(here.join("corpus")).unwrap();
    let output = Command::new(executable).args(arguments).current_dir(&here).output().unwrap();
    (output, here)
}

fn fresh(name: &str) -> PathBuf {
    let here = folder().join("runs").join(name);
    let _ = fs::remove_dir_all(&here);
    fs::create_dir_all(here.join("corpus")).unwrap();
    here
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn succeeds(target: &str, name: &str, arguments: &[&str]) -> PathBuf {
    let (output, here) = run(target, name, arguments);
    assert!(output.status.success(), "{name}: {}", said(&output));
    here
}

fn files(folder: &Path) -> BTreeSet<Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| fs::read(path).unwrap()).collect()
}

#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
fn a_corpus_grows_from_nothing_and_much_of_it_is_of_the_grammar() {
    let here = fresh("empty");
    succeeds("json", "empty", &["corpus", "-runs=20000", "-seed=1", "-max_len=256"]);
    let corpus = files(&here.join("corpus"));
    let valid =
        corpus.iter().filter(|text| serde_json::from_slice::<serde_json::Value>(text).is_ok());
    let valid = valid.count();
    assert!(corpus.len() > 100 && valid * 5 > corpus.len(), "{valid} of {}", corpus.len());
    assert!(corpus.iter().all(|text| text.len() <= 256 && std::str::from_utf8(text).is_ok()));

    // Merged into an empty folder, it covers the same with no more files.
    fs::create_dir_all(here.join("merged")).unwrap();
    succeeds("json", "empty", &["-merge=1", "merged", "corpus"]);
    let merged = files(&here.join("merged"));
    assert!(!merged.is_empty() && merged.len() <= corpus.len());
}

#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
fn a_mistake_in_a_grammar_is_an_error_of_the_compiler() {
    built();
    let examples = folder().join("package/fuzz/examples");
    fs::create_dir_all(&examples).unwrap();
    let target =
        "#![no_main]\npleach::fuzz_target!(grammar: \"wrong.pleach\", |_data: &[u8]| ());\n";
    fs::write(examples.join("wrong.rs"), target).unwrap();
    fs::write(examples.join("wrong.pleach"), "a = \"x\"\n  | nothing;\n").unwrap();
    let output = build(&["--example", "wrong"]).output().unwrap();
    assert!(!output.status.success());
    let said = said(&output);
    assert!(said.contains("wrong.pleach:2:5") && said.contains("examples/wrong.rs:2"), "{said}");
    assert_eq!(said.matches("error: could not compile").count(), 1, "{said}");
}

#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
#[cfg(target_os = "linux")]
fn functions_in_which_mutators_spend_their_time_have_names_that_the_pass_skips() {
    let executable = fs::read(built().join("json")).unwrap();
    let prefix = b"pleach-core-";
    let names = executable.windows(prefix.len()).enumerate().filter(|(_, here)| here == prefix);
    let names = names.filter_map(|(at, _)| executable[at..].split(|&byte| byte == 0).next());
    let skipped: BTreeSet<&[u8]> =
        names.filter(|name| name.windows(13).any(|here| here == b".module_ctor.")).collect();
    assert!(skipped.len() > 30, "{} functions", skipped.len());
}

#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
#[cfg(target_os = "linux")]
fn the_same_seed_gives_the_same_corpus() {
    let corpora = ["first", "second"].map(|name| {
        fresh(name);
        // Looking for new files in the folder goes by the clock.
        let arguments = ["corpus", "-runs=30000", "-seed=1", "-max_len=256", "-reload=0"];
        files(&succeeds("own", name, &arguments).join("corpus"))
    });
    assert!(corpora[0].len() > 20, "{}", corpora[0].len());
    assert!(corpora[0] == corpora[1]);
}

#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
#[cfg(target_os = "linux")]
fn k_paths_are_counters_where_they_are_asked_for() {
    let grown = |target: &str| {
        fresh(target);
        let arguments = ["corpus", "-runs=30000", "-seed=1", "-max_len=256", "-reload=0"];
        let here = succeeds(target, target, &arguments);
        let mut cover = Command::new(env!("CARGO_BIN_EXE_pleach"));
        cover.args(["cover", concat!(env!("CARGO_MANIFEST_DIR"), "/grammars/json.pleach")]);
        let output = cover.arg(here.join("corpus")).args(["-k", "2"]).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let all = said.lines().find_map(|line| line.trim_start().strip_prefix("all "));
        let covered = all.and_then(|all| all.split_whitespace().next());
        let covered = covered.map_or(0, |covered| covered.parse::<u32>().unwrap());
        (files(&here.join("corpus")), covered)
    };
    let (blind, novel) = (grown("blind"), grown("novel"));
    let (few, many) = (blind.0.len(), novel.0.len());
    println!("{few} files, {} k-paths without counters, {many}, {} with", blind.1, novel.1);
    assert!(few < 5);
    // Of 266.
    assert!(many > 50 && novel.1 > 200);
    // What the body rejects is not kept, nor is what does not reach it.
    assert!(novel.0.iter().all(|text| !text.contains(&b'\t') && str::from_utf8(text).is_ok()));
}

#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
fn statistics_are_told_at_the_end_where_they_are_asked_for() {
    let here = fresh("statistics");
    let said = |asked: bool| {
        let mut run = Command::new(built().join("json"));
        run.args(["corpus", "-runs=20000", "-seed=1", "-max_len=256"]).current_dir(&here);
        if asked {
            run.env("PLEACH_STATISTICS", "1");
        }
        let output = run.output().unwrap();
        assert!(output.status.success());
        said(&output)
    };
    assert!(!said(false).contains("mutator "));
    let said = said(true);
    let lines = said.lines().skip_while(|line| !line.starts_with("mutator "));
    let lines: Vec<Vec<&str>> = lines.map(|line| line.split_whitespace().collect()).collect();
    let row = |name: &str| lines.iter().find(|row| row.first() == Some(&name)).map(|row| &row[1..]);
    let number = |text: &str| text.parse::<u64>().unwrap();
    let all = row("all").expect("there is a last line");
    assert!(number(all[0]) > 15_000 && number(all[1]) > 20, "{said}");
    assert!(row("bytes").is_some() && row("splice").is_some() && row("echo").is_some(), "{said}");
}

#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
fn any_file_can_be_a_seed() {
    let here = fresh("seeds");
    let deep = [vec![b'['; 50_000], vec![b']'; 50_000]].concat();
    let long = format!("[{}1]", "123456789,".repeat(100_000));
    let seeds: [&[u8]; 6] = [b"", b"\xFF\xFE[", b"[1,", b"{\"a\": [1, 2]}", &deep, long.as_bytes()];
    for (index, seed) in seeds.iter().enumerate() {
        fs::write(here.join(format!("corpus/{index}")), seed).unwrap();
    }
    // The greatest length is that of the largest seed unless it is given.
    succeeds("planted", "seeds", &["corpus", "-runs=300", "-seed=2", "-timeout=60"]);
    succeeds("planted", "seeds", &["corpus", "-runs=300", "-seed=3", "-max_len=4096"]);
}

#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
fn lengths_below_the_shortest_sentence_are_kept() {
    for length in [1, 2, 5, 29, 30, 4096] {
        let name = format!("short-{length}");
        fresh(&name);
        let limit = format!("-max_len={length}");
        let here = succeeds("long", &name, &["corpus", "-runs=3000", "-seed=1", &limit]);
        let corpus = files(&here.join("corpus"));
        assert!(corpus.iter().all(|text| text.len() <= length.min(100)), "{corpus:?}");
    }
}

#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
fn crashes_are_found_reproduce_and_shrink() {
    fresh("crash");
    let (output, here) = run("planted", "crash", &["corpus", "-runs=2000000", "-seed=1"]);
    assert_eq!(output.status.code(), Some(77), "{}", said(&output));
    assert!(said(&output).contains("two objects of two members"));
    let crash = fs::read_dir(&here).unwrap().map(|entry| entry.unwrap().path());
    let is_crash = |path: &PathBuf| path.to_string_lossy().contains("crash-");
    let crash = crash.into_iter().find(is_crash).expect("a crash is written");
    let text = fs::read(&crash).unwrap();
    assert!(serde_json::from_slice::<serde_json::Value>(&text).is_ok(), "it is JSON as it stands");
    let name = crash.file_name().unwrap().to_str().unwrap().to_owned();
    let (output, _) = run("planted", "crash", &[&name]);
    assert_eq!(output.status.code(), Some(77));

    let arguments = ["-minimize_crash=1", "-runs=20000", "-exact_artifact_path=small", &name];
    run("planted", "crash", &arguments);
    let small = fs::read(here.join("small")).unwrap_or(text.clone());
    assert!(small.len() <= text.len());
    fs::write(here.join("small"), small).unwrap();
    let (output, _) = run("planted", "crash", &["small"]);
    assert_eq!(output.status.code(), Some(77));
}

/// At most of five seeds, from nothing: the engine draws on addresses too, so none gives the same run twice.
/// CONTRIBUTING.md has how soon.
#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
fn a_fault_that_needs_an_option_a_file_and_standard_input_is_found() {
    let mut found = 0;
    for seed in 1..=5 {
        let name = format!("limits-{seed}");
        let here = fresh(&name);
        let arguments = ["corpus", "-runs=2000000", &format!("-seed={seed}")];
        let (output, _) = run("limits", &name, &arguments);
        if output.status.success() {
            continue;
        }
        found += 1;
        let said = said(&output);
        assert_eq!(output.status.code(), Some(77), "{said}");
        assert!(said.contains("attempt to divide by zero"), "{said}");
        // It reproduces without the target, and what reproduces it is a file that a person can read.
        let mut files = fs::read_dir(&here).unwrap().map(|entry| entry.unwrap().path());
        let crash = files.find(|path| path.to_string_lossy().contains("crash-")).unwrap();
        let mut extract = Command::new(env!("CARGO_BIN_EXE_pleach"));
        extract.arg("run").arg(&crash).arg("--extract").arg(here.join("parts"));
        assert!(extract.status().unwrap().success());
        assert!(fs::read_to_string(here.join("parts/run.sh")).unwrap().contains("--section="));
        assert!(here.join("parts/files/limits.ini").exists() && here.join("parts/stdin").exists());
    }
    assert!(found >= 3, "found at {found} of 5 seeds");
}

#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
fn it_makes_the_inputs_of_a_bridge_with_any_unit_tester() {
    let program = format!("libfuzzer:{}", built().join("sealed").display());
    let here = fresh("bridge");
    // Its unit is called first when the engine has gone on from the seed, which it was told of.
    fs::write(here.join("seed"), "a seal of pleach...").unwrap();
    fs::write(here.join("sealed.rs"), SEALED).unwrap();
    for units in ["concolic", "fuzz", r#"cmd:printf ! | "$UNIT"; true"#] {
        let mut bridge = Command::new(env!("CARGO_BIN_EXE_pleach"));
        bridge.args(["bridge", "sealed.rs#open", "seed", "--focus", "unsealed", "--fail-fast"]);
        bridge.args(["--keep", "kept", "--units", units, "--system", &program]);
        let output = bridge.current_dir(&here).output().unwrap();
        let told = String::from_utf8(output.stdout.clone()).unwrap();
        assert_eq!(output.status.code(), Some(1), "{units}: {told}{}", said(&output));
        assert!(told.contains("it is open") && told.contains("1 carved"), "{units}: {told}");
    }
    let mut bridge = Command::new(env!("CARGO_BIN_EXE_pleach"));
    bridge.args(["bridge", "sealed.rs#open", "seed", "--system", "libfuzzer:seed"]);
    let output = bridge.current_dir(&here).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
fn processes_of_a_fork_share_a_corpus() {
    fresh("fork");
    let here =
        succeeds("json", "fork", &["corpus", "-fork=2", "-max_total_time=10", "-max_len=256"]);
    assert!(files(&here.join("corpus")).len() > 20);
}

/// The engine's own mutators do not find it in ten minutes; CONTRIBUTING.md says how to see that.
#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
fn what_only_lies_beside_the_language_is_found_and_made_small() {
    fresh("deviant");
    let (output, _) = run("deviant", "deviant", &["corpus", "-runs=2000000", "-seed=1"]);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(77), "{said}");
    assert!(said.contains("the implementation accepts what the grammar does not have"), "{said}");
    let smallest = said.lines().find_map(|line| line.trim().strip_prefix("smallest input: "));
    let smallest = smallest.expect("the smallest input is shown");
    // An address, its last number, and the least that stands around it.
    assert!(smallest.contains("://[") || smallest.contains("//["), "{smallest}");
    assert!(smallest.len() < 40, "{smallest}");
}

#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
fn a_differential_target_that_is_new_says_what_to_write() {
    fresh("new");
    let (output, _) = run("uri", "new", &["-runs=1"]);
    let said = said(&output);
    assert!(!output.status.success() && said.contains("say whether"), "{said}");
}

#[test]
#[ignore = "builds a crate, which takes a while"]
fn a_differential_target_without_the_feature_names_it() {
    let package = folder().join("featureless");
    let _ = fs::remove_dir_all(&package);
    fs::create_dir_all(package.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"featureless\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n\
         pleach = {{ path = {:?}, default-features = false }}\n",
        env!("CARGO_MANIFEST_DIR")
    );
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    let source =
        "pleach::differential_target!(grammar: \"a.pleach\", |text: &str| -> bool { true });\n";
    fs::write(package.join("src/lib.rs"), source).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["check", "--quiet"])
        .env("CARGO_TARGET_DIR", folder().join("target"))
        .current_dir(&package)
        .output()
        .unwrap();
    let said = said(&output);
    assert!(!output.status.success() && said.contains("features = [\"differential\"]"), "{said}");
}

/// Does of `cargo fuzz run` what docs/fuzzing.md needs, on a stable toolchain; a run ends whatever happens.
const CARGO_FUZZ: &str = r#"set -eu
[ "$1 $2 $3" = "fuzz run --target-dir" ]
out=$4/$HOST/release name=$5
RUSTFLAGS=$FLAGS cargo build --quiet --release --manifest-path fuzz/Cargo.toml --target "$HOST" --target-dir "$4" --bin "$5"
shift 6
mkdir -p "fuzz/artifacts/$name"
exec "$out/$name" "-artifact_prefix=fuzz/artifacts/$name/" -seed=1 -max_total_time=300 "$@" "fuzz/corpus/$name"
"#;

/// A crate that pleach has never seen, and the commands of the guide as they stand there, but for the name
/// and the grammar.
#[cfg(target_os = "linux")]
fn follow_the_guide(name: &str, grammar: &str, library: &str, call: &str) {
    let host = host();
    let package = folder().join(name);
    let _ = fs::remove_dir_all(&package);
    fs::create_dir_all(package.join("src")).unwrap();
    fs::write(package.join("src/lib.rs"), library).unwrap();
    let manifest = format!("[package]\nname = {name:?}\nedition = \"2021\"\n[workspace]\n");
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    fs::write(package.join("cargo-fuzz"), CARGO_FUZZ).unwrap();
    // The guide's folder for what is built is that of the other tests.
    built();
    std::os::unix::fs::symlink(folder().join("target"), package.join("target")).unwrap();
    let own = Path::new(env!("CARGO_BIN_EXE_pleach")).parent().unwrap().to_path_buf();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(own).chain(std::env::split_paths(&others));
    let path = std::env::join_paths(path).unwrap();
    let shell = |script: &str| {
        let cargo = "cargo() { sh \"$OURS\" \"$@\"; }";
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec 2>&1\n{cargo}\n{script}")]).current_dir(&package);
        shell.env("PATH", &path).env("OURS", package.join("cargo-fuzz"));
        shell.env("HOST", &host).env("FLAGS", FLAGS).env_remove("CARGO_TARGET_DIR");
        String::from_utf8_lossy(&shell.output().unwrap().stdout).into_owned()
    };

    let guide = include_str!("../docs/fuzzing.md");
    assert!(guide.contains("let _ = tiny::parse(text);"));
    let guide = guide.replace("--grammar json", &format!("--grammar {grammar}"));
    let guide = guide.replace("tiny", name);
    let mut blocks = guide.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    let init = blocks.next().unwrap();
    assert!(
        init.starts_with(&format!("pleach init --grammar {grammar} --name {name}\n")),
        "{init}"
    );
    shell(&format!("{} --path {}", init.trim(), env!("CARGO_MANIFEST_DIR")));
    let target = package.join(format!("fuzz/fuzz_targets/{name}.rs"));
    let source = fs::read_to_string(&target).unwrap();
    let hint = format!("let _ = {name}::parse(text);");
    assert!(source.contains(&hint) && source.contains("let _ = text;"), "{source}");
    fs::write(&target, source.replace("let _ = text;", call)).unwrap();

    let rest: Vec<&str> = blocks.collect();
    let rest = rest.join("").replace("x86_64-unknown-linux-gnu", &host);
    let said = shell(&rest.replace("-max_total_time=60", "-max_total_time=30"));
    assert!(said.contains("in the output"), "{said}");
    let small = fs::read_to_string(package.join("small.json")).unwrap();
    assert!(small.len() < 32, "{small:?} after\n{said}");
    // Both faults are met: the list of crashes has both places.
    let place = |line: &str| {
        let (place, _) = line.split_once("panicked at ")?.1.split_once(": fuzz/artifacts/")?;
        Some(place.to_owned())
    };
    let places: BTreeSet<String> = said.lines().filter_map(place).collect();
    assert!(places.len() > 1, "{places:?}:\n{said}");
    assert!(package.join("page.html").exists(), "{said}");
    assert!(said.contains(" k-paths up to 3 covered"), "{said}");
}

#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
#[cfg(target_os = "linux")]
fn the_guide_leads_from_nothing_to_a_small_crash_and_a_page() {
    let library = include_str!("data/libfuzzer/tiny.rs");
    follow_the_guide("tiny", "json", library, "let _ = tiny::parse(text);");
}

/// The same with a grammar of over a thousand lines in another notation.
#[test]
#[ignore = "builds a crate for libFuzzer, which takes a minute"]
#[cfg(target_os = "linux")]
fn the_guide_leads_there_by_an_imported_grammar_too() {
    let grammar = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/import/tree-sitter/lua.json");
    assert!(fs::read_to_string(grammar).unwrap().lines().count() > 900);
    let library = include_str!("data/libfuzzer/script.rs");
    follow_the_guide("script", grammar, library, "let _ = script::summary(text);");
}
