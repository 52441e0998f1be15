//! The library in a real `afl-fuzz`: `cargo test -p pleach-afl -- --ignored`, after
//! `cargo install cargo-afl --locked`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use pleach_testing::is_json;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// How often the target is run.
const RUNS: u32 = 20_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("afl")
}

/// The library, which is built beside this test.
fn library() -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let name =
        format!("{}pleach_afl{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    here.with_file_name(name)
}

/// Builds the target once.
fn target() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let built = folder().join("target");
        let mut build = Command::new(env!("CARGO"));
        build.args(["afl", "build", "--release", "--manifest-path"]);
        build.arg(Path::new(HERE).join("../json/Cargo.toml"));
        let status = build.env("CARGO_TARGET_DIR", &built).status().unwrap();
        assert!(status.success(), "is cargo-afl there? cargo install cargo-afl --locked");
        built.join("release/pleach-afl-json")
    })
}

/// Runs `afl-fuzz` on seeds in a folder of its own, and gives the folder and what was said.
fn run(name: &str, seeds: &[&str], runs: u32, variables: &[(&str, &str)]) -> (PathBuf, Output) {
    let here = folder().join(name);
    let _ = fs::remove_dir_all(&here);
    fs::create_dir_all(here.join("seeds")).unwrap();
    for (index, seed) in seeds.iter().enumerate() {
        fs::write(here.join(format!("seeds/{index}")), seed).unwrap();
    }
    let mut afl = Command::new(env!("CARGO"));
    // `-c -`: cargo-afl turns CMPLOG on, and its stage writes bytes even where the library is to be
    // the only mutator. `-Z`: seeds in their order.
    afl.args(["afl", "fuzz", "-c", "-", "-Z", "-s", "1", "-V", "300", "-E", &runs.to_string()]);
    afl.args(["-i", "seeds", "-o", "out"])
        .arg(target())
        .current_dir(&here)
        .env("AFL_CUSTOM_MUTATOR_LIBRARY", library());
    for name in [
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES",
        "AFL_NO_AFFINITY",
        "AFL_NO_UI",
        "AFL_SKIP_CPUFREQ",
    ] {
        afl.env(name, "1");
    }
    let output = afl.envs(variables.iter().copied()).output().unwrap();
    (here.join("out/default"), output)
}

fn grammar() -> String {
    format!("{HERE}/../../../grammars/json.pleach")
}

/// As [`run`] with the grammar, which must succeed; gives the texts of the queue by file name.
fn queue(
    name: &str,
    seeds: &[&str],
    runs: u32,
    variables: &[(&str, &str)],
) -> Vec<(String, Vec<u8>)> {
    let grammar = grammar();
    let variables = [&[("PLEACH_GRAMMAR", &*grammar)], variables].concat();
    let (out, output) = run(name, seeds, runs, &variables);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let stats = fs::read_to_string(out.join("fuzzer_stats")).unwrap();
    let done = stats.lines().find(|line| line.starts_with("execs_done")).unwrap();
    let done: u32 = done.split(": ").nth(1).unwrap().parse().unwrap();
    assert!(done > 1000, "{stats}");
    let files = fs::read_dir(out.join("queue")).unwrap().map(|entry| entry.unwrap());
    let files = files.filter(|entry| entry.file_type().unwrap().is_file());
    files
        .map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap()))
        .collect()
}

#[test]
#[ignore = "needs cargo-afl"]
fn alone_it_keeps_the_queue_in_the_language_if_so_asked() {
    let only = ("AFL_CUSTOM_MUTATOR_ONLY", "1");
    let queue_of = |name, breaking| {
        queue(name, &["[1, {\"a\": true}]"], RUNS, &[only, ("PLEACH_BREAKING", breaking)])
    };
    let pure = queue_of("pure", "0");
    assert!(pure.len() > 100, "{}", pure.len());
    for (name, text) in &pure {
        // What AFL++ tries by itself at the beginning.
        assert!(is_json(text) || name.contains("op:(null)"), "{name}: {}", text.escape_ascii());
    }
    let mixed = queue_of("mixed", "32");
    let valid = mixed.iter().filter(|(_, text)| is_json(text)).count();
    assert!(valid < mixed.len() && valid * 2 > mixed.len(), "{valid} of {}", mixed.len());
}

#[test]
#[ignore = "needs cargo-afl"]
fn beside_the_stages_of_afl_it_finds_most() {
    let queue = queue("beside", &["[1, {\"a\": true}]", "no sentence"], RUNS, &[]);
    let own = queue.iter().filter(|(name, _)| name.contains("op:libpleach_afl")).count();
    assert!(own * 2 > queue.len(), "{own} of {}", queue.len());
    assert!(queue.iter().any(|(name, _)| name.contains("op:havoc")));
}

#[test]
#[ignore = "needs cargo-afl"]
fn a_seed_is_trimmed_by_its_tree() {
    // The first input is never trimmed: what happens once in a process is in its coverage.
    let elements = "1, ".repeat(60);
    let seed = format!("[1, {{\"a\": [{elements}null], \"a\":{:100}{{\"b\": true}}}}]", "");
    // And what smaller inputs cover as well is seldom taken up: none of four bytes has a member.
    let variables = [("AFL_CUSTOM_MUTATOR_ONLY", "1"), ("PLEACH_MAX_SIZE", "4")];
    let queue = queue("trim", &["[0]", &seed], 3 * RUNS, &variables);
    let (_, text) = queue.iter().find(|(name, _)| name.contains("orig:1")).unwrap();
    assert!(text.len() < seed.len() && is_json(text), "{}", text.escape_ascii());
}

#[test]
#[ignore = "needs cargo-afl"]
fn a_mistake_ends_it_with_a_message() {
    for (variables, expected) in [
        (&[][..], "pleach: no grammar; set PLEACH_GRAMMAR"),
        (&[("PLEACH_GRAMMAR", "/no/such/file")], "PLEACH_GRAMMAR: /no/such/file: "),
        (&[("PLEACH_GRAMMAR", &*grammar()), ("PLEACH_START", "vlaue")], "vlaue"),
        (&[("PLEACH_GRAMMAR", &*grammar()), ("PLEACH_ONLY", "graft")], "no mutator `graft`"),
    ] {
        let (_, output) = run("mistake", &["[]"], RUNS, variables);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(expected), "{said}");
    }
}
