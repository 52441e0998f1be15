//! One target under libFuzzer and under libafl_libfuzzer: `cargo test --test libafl_libfuzzer -- --ignored`.
//!
//! The latter builds LibAFL, which takes some minutes, and needs libclang with its headers, `llvm-nm` and
//! `llvm-objcopy`; docs/engines.md says where from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What cargo-fuzz builds with, less the sanitizer: as good on a stable toolchain.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
     -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares \
     -Cllvm-args=-simplifycfg-branch-fold-threshold=0 -Cdebug-assertions -Ccodegen-units=1";

/// The longest input that the target asks for.
const MOST: usize = 4096;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("libafl_libfuzzer")
}

/// Builds the target with the manifest in a folder of `engines`, and gives the executable.
fn built(package: &str) -> PathBuf {
    let version = Command::new("rustc").arg("-vV").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let target = folder().join("target");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines").join(package);
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--bin", "json", "--target", host, "--manifest-path"])
        .arg(manifest.join("Cargo.toml"))
        .env("RUSTFLAGS", FLAGS)
        .env("CARGO_TARGET_DIR", &target)
        .status()
        .unwrap();
    assert!(status.success());
    // Both packages write an executable of this name to the same place.
    let own = folder().join(package.replace('/', "-"));
    fs::copy(target.join(host).join("release/json"), &own).unwrap();
    own
}

/// Runs an executable on a corpus of one seed, and gives the corpus.
fn corpus(executable: &Path, arguments: &[&str]) -> Vec<Vec<u8>> {
    let corpus = executable.with_extension("corpus");
    let _ = fs::remove_dir_all(&corpus);
    fs::create_dir_all(&corpus).unwrap();
    fs::write(corpus.join("seed"), "[1, {\"a\": true}]").unwrap();
    let output =
        Command::new(executable).arg(&corpus).args(arguments).current_dir(folder()).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files = fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().path());
    // LibAFL keeps what it knows of an input in a hidden file beside it.
    let files =
        files.filter(|path| !path.file_name().unwrap().as_encoded_bytes().starts_with(b"."));
    files.map(|path| fs::read(path).unwrap()).collect()
}

#[test]
#[ignore = "builds LibAFL, which takes minutes, and needs libclang"]
fn the_same_target_runs_under_both() {
    // A run of libafl_libfuzzer is an input of the corpus that is mutated some hundred times.
    for (package, runs) in
        [("libafl_libfuzzer/libfuzzer", "-runs=20000"), ("libafl_libfuzzer", "-runs=200")]
    {
        let corpus = corpus(&built(package), &[runs]);
        let is_json = |text: &&Vec<u8>| serde_json::from_slice::<serde_json::Value>(text).is_ok();
        let valid = corpus.iter().filter(is_json).count();
        let longest = corpus.iter().map(Vec::len).max();
        println!("{package}: {} files, {valid} JSON, {longest:?} bytes", corpus.len());
        assert!(corpus.len() > 50 && valid * 3 > corpus.len(), "{valid} of {}", corpus.len());
        assert!(longest <= Some(MOST), "{longest:?}");
    }
}
