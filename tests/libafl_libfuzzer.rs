//! One target under libFuzzer and under libafl_libfuzzer: `cargo test --test libafl_libfuzzer -- --ignored`.
//!
//! The latter builds LibAFL, which takes some minutes, and needs libclang with its headers, `llvm-nm` and
//! `llvm-objcopy`; docs/engines.md says where from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use pleach_testing::is_json;

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

/// Builds the targets with the manifest in a folder of `engines`, each once, and gives an executable.
fn built(package: &str, target: &str) -> PathBuf {
    static BUILD: Mutex<()> = Mutex::new(());
    let _guard = BUILD.lock().unwrap_or_else(PoisonError::into_inner);
    let version = Command::new("rustc").arg("-vV").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let folder_of_target = folder().join("target");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines").join(package);
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--bin", target, "--target", host, "--manifest-path"])
        .arg(manifest.join("Cargo.toml"))
        .env("RUSTFLAGS", FLAGS)
        .env("CARGO_TARGET_DIR", &folder_of_target)
        .status()
        .unwrap();
    assert!(status.success());
    // Both packages write executables of these names to the same place.
    let own = folder().join(format!("{}-{target}", package.replace('/', "-")));
    let built = folder_of_target.join(host).join("release").join(target);
    // A test that runs has the file open.
    let fresh = own.with_extension(format!("{}", std::process::id()));
    fs::copy(built, &fresh).unwrap();
    fs::rename(fresh, &own).unwrap();
    own
}

/// An empty folder to run in, with a corpus of one seed.
fn fresh(name: &str) -> PathBuf {
    let here = folder().join("runs").join(name);
    let _ = fs::remove_dir_all(&here);
    fs::create_dir_all(here.join("corpus")).unwrap();
    fs::write(here.join("corpus/seed"), "[1, {\"a\": true}]").unwrap();
    here
}

fn run(executable: &Path, here: &Path, arguments: &[&str]) -> Output {
    Command::new(executable).args(arguments).current_dir(here).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The files of a folder that have a prefix. LibAFL keeps what it knows of an input in a hidden file
/// beside it.
fn files(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = files.filter(|entry| entry.file_type().unwrap().is_file());
    let names = files.map(|entry| entry.file_name().into_string().unwrap());
    let names = names.filter(|name| !name.starts_with('.') && name.starts_with(prefix));
    names.map(|name| folder.join(name)).collect()
}

fn texts(files: &[PathBuf]) -> Vec<Vec<u8>> {
    files.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
#[ignore = "builds LibAFL, which takes minutes, and needs libclang"]
fn the_same_target_runs_under_both() {
    // A run of libafl_libfuzzer is an input of the corpus that is mutated some hundred times.
    for (package, runs) in
        [("libafl_libfuzzer/libfuzzer", "-runs=20000"), ("libafl_libfuzzer", "-runs=200")]
    {
        let here = fresh(&format!("{}-corpus", package.replace('/', "-")));
        let output = run(&built(package, "json"), &here, &["corpus", runs]);
        assert!(output.status.success(), "{}", said(&output));
        let corpus = texts(&files(&here.join("corpus"), ""));
        let valid = corpus.iter().filter(|text| is_json(text)).count();
        let longest = corpus.iter().map(Vec::len).max();
        println!("{package}: {} files, {valid} JSON, {longest:?} bytes", corpus.len());
        assert!(corpus.len() > 50 && valid * 3 > corpus.len(), "{valid} of {}", corpus.len());
        assert!(longest <= Some(MOST), "{longest:?}");
    }
}

#[test]
#[ignore = "builds LibAFL, which takes minutes, and needs libclang"]
fn a_crash_is_found_and_its_file_reproduces_it_anywhere() {
    let executable = built("libafl_libfuzzer", "planted");
    let here = fresh("crash");
    let output = run(&executable, &here, &["corpus", "-runs=5000"]);
    assert!(!output.status.success(), "nothing was found: {}", said(&output));
    let crashes = files(&here, "crash-");
    assert!(!crashes.is_empty(), "{}", said(&output));
    assert!(texts(&crashes).iter().all(|text| is_json(text)), "they are JSON as they stand");
    for engine in ["libafl_libfuzzer", "libafl_libfuzzer/libfuzzer"] {
        let output = run(&built(engine, "planted"), &here, &[crashes[0].to_str().unwrap()]);
        assert!(!output.status.success(), "{engine}");
        assert!(
            said(&output).contains("two objects of two members"),
            "{engine}: {}",
            said(&output)
        );
    }
}

#[test]
#[ignore = "builds LibAFL, which takes minutes, and needs libclang"]
#[cfg(unix)]
fn processes_of_a_fork_share_a_corpus() {
    use std::os::unix::process::CommandExt;

    let executable = built("libafl_libfuzzer", "json");
    let here = fresh("fork");
    // The processes end after their runs, and the one that waits for news of them does not: it is a child of
    // the first one, and a group is ended as a whole.
    let mut fork = Command::new(executable)
        .args(["corpus", "-fork=2", "-runs=20"])
        .current_dir(&here)
        .stderr(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let grown = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        files(&here.join("corpus"), "").len() > 50
    });
    let group = format!("-{}", fork.id());
    assert!(Command::new("kill").args(["-KILL", "--", &group]).status().unwrap().success());
    fork.wait().unwrap();
    assert!(grown, "{} files", files(&here.join("corpus"), "").len());
}
