//! Targets of every kind, built and run natively.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use pleach_concolic::build::{BuildError, Builder, Built, End, Entry, Input, Target};
use pleach_concolic::ir::Module;
use pleach_concolic::program::Program;
use pleach_concolic::vm::{Machine, Options, Outcome, Plain};

/// One kept folder for all: std is optimized for each program, but crates are compiled once.
fn builder() -> Builder {
    Builder::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("build"))
}

/// A package of its own, at a path that stays the same, so that what was built is fresh.
fn package(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages").join(name);
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n"
    );
    let own = !files.iter().any(|(path, _)| *path == "Cargo.toml");
    for (path, text) in files.iter().copied().chain(own.then_some(("Cargo.toml", &manifest[..]))) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder");
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        fs::write(path, text).expect("a file");
    }
    folder
}

fn build(folder: &Path, target: &str) -> Result<Built, BuildError> {
    builder().build(&Target::parse(target, folder).expect("a target"))
}

fn refused(folder: &Path, target: &str) -> String {
    build(folder, target).expect_err(target).to_string()
}

fn stdout(built: &Built, bytes: &[u8]) -> String {
    let ran = built.native.run(&Input::bytes(bytes)).expect("it runs");
    assert_eq!(ran.end, End::Exited(0), "{ran:?}");
    String::from_utf8(ran.stdout).expect("it is text")
}

/// The body of the one function of the text whose symbol has a part.
fn body(ir: &str, part: &str) -> String {
    let mut found = ir
        .split("\ndefine ")
        .skip(1)
        .filter(|it| it.lines().next().is_some_and(|line| line.contains(part)));
    let only = found.next().unwrap_or_else(|| panic!("no function has {part} in its name"));
    assert!(found.next().is_none(), "{part}");
    only.split("\n}\n").next().unwrap_or_default().to_owned()
}

const LIBRARY: &str = "
pub mod inner;
mod hidden;
pub use hidden::shown_elsewhere;
pub fn pair(text: &str) -> Result<(u8, u8), std::num::ParseIntError> {
    println!(\"read\");
    Ok((only_caller(text)?, 255))
}
fn only_caller(text: &str) -> Result<u8, std::num::ParseIntError> { text.parse() }
pub fn twin(_: &str) -> u8 { 0 }
pub fn sum(bytes: [u8; 2]) -> u8 { bytes[0] + bytes[1] }
pub fn order(text: String) -> Vec<(char, f64)> {
    text.chars().zip(0..).map(|(c, n)| (c, f64::from(n) / 10.0)).collect::<std::collections::HashMap<_, _>>().into_iter().collect()
}
pub fn late(bytes: &[u8]) -> bool {
    debug_assert!(bytes.is_empty());
    bytes.first() == Some(&b'y')
}
pub struct Own;
impl std::str::FromStr for Own {
    type Err = ();
    fn from_str(text: &str) -> Result<Own, ()> { if text == \"own\" { Ok(Own) } else { Err(()) } }
}
";
const HIDDEN: &str = "
pub fn shown_elsewhere(bytes: Vec<u8>) -> Option<usize> { bytes.iter().position(|it| *it == 0) }
pub fn twin(_: &str) -> u8 { 1 }
";

fn library() -> PathBuf {
    package(
        "functions",
        &[
            ("src/lib.rs", LIBRARY),
            ("src/hidden.rs", HIDDEN),
            ("src/inner.rs", "pub fn deep(text: &str) -> usize { text.len() }"),
        ],
    )
}

#[test]
fn a_function_keeps_its_boundaries_and_answers_the_same_natively() {
    let folder = library();
    let built = build(&folder, "src/lib.rs#pair").expect("it is built");
    assert_eq!(built.entry, Entry::Bytes { symbol: "__pleach_entry", initialize: None });
    let ir = fs::read_to_string(&built.ir).expect("the text");
    assert!(body(&ir, "@__pleach_entry(").contains("4call"), "the entry is kept");
    assert!(
        body(&ir, "9functions4pair").contains("9functions11only_caller"),
        "a private function with one caller is kept"
    );
    assert!(ir.contains("std2rt") && ir.contains("from_utf8"), "std is in it");
    assert!(ir.contains("!DILocation("), "places are in it");
    assert_eq!(stdout(&built, b"7"), "read\n\n=> accepted Ok((7, 255))\n");
    assert!(stdout(&built, b"x").contains("=> rejected Err(ParseIntError"));
    assert_eq!(stdout(&built, b"\xff"), "\n=> unfit \n");
    assert!(built.foreign.is_empty() && built.more.is_empty());
}

#[test]
fn a_second_call_finds_all_fresh() {
    let folder = library();
    build(&folder, "src/lib.rs#sum").expect("it is built");
    let before = Instant::now();
    let built = build(&folder, "src/lib.rs#sum").expect("it is built");
    let taken = before.elapsed();
    assert!(built.fresh);
    // How long it takes depends on who else holds the processors.
    println!("a second call: {taken:?}");

    fs::remove_file(&built.ir).expect("the text");
    let again = build(&folder, "src/lib.rs#sum").expect("it is built");
    assert!(again.ir.is_file() && !again.fresh, "a text that is missing is printed again");
}

#[test]
fn panics_have_messages_and_places_and_overflow_is_checked() {
    let built = build(&library(), "src/lib.rs#sum").expect("it is built");
    assert_eq!(stdout(&built, &[1, 2]), "\n=> accepted 3\n");
    assert_eq!(stdout(&built, &[1]), "\n=> unfit \n");
    let ran = built.native.run(&Input::bytes([255, 1])).expect("it runs");
    assert_eq!(ran.end, End::Killed(6));
    let panic = ran.panic.expect("it panics");
    assert_eq!(panic.message, "attempt to add with overflow");
    assert!(panic.file.ends_with("src/lib.rs"), "{panic:?}");
    assert_eq!((panic.line, panic.column), (11, 36));
}

#[test]
fn the_machine_enters_a_function_with_bytes_and_fails_where_it_fails_natively() {
    let built = build(&library(), "src/lib.rs#sum").expect("it is built");
    let text = fs::read_to_string(&built.ir).expect("the text");
    let module = Arc::new(Module::read(&text).expect("it is read"));
    let Entry::Bytes { symbol, initialize: None } = built.entry else {
        panic!("{:?}", built.entry)
    };
    let entry = module.find_function(symbol).expect("it is there");
    let enter = |bytes: &[u8]| {
        let mut machine =
            Machine::new(module.clone(), Plain, Options::default()).expect("there is memory");
        assert_eq!(machine.initialize(), Ok(None));
        let address = machine.allocate(bytes).expect("there is memory");
        machine.call(entry, &[address.into(), bytes.len() as u128]);
        machine.run()
    };
    assert_eq!(enter(&[1, 2]), Outcome::Returned(vec![0]), "accepted");
    assert_eq!(enter(&[]), Outcome::Returned(vec![2]), "unfit");
    let Outcome::Panic(inside) = enter(&[255, 1]) else { panic!("it overflows") };
    let outside =
        built.native.run(&Input::bytes([255, 1])).expect("it runs").panic.expect("it panics");
    let place = inside.location.expect("it has a place");
    assert_eq!((inside.message, place.file), (outside.message, outside.file));
    assert_eq!((place.line, place.column), (outside.line, outside.column));
}

#[test]
fn debug_assertions_are_off_and_hash_maps_have_the_same_order_in_each_run() {
    let folder = library();
    let late = build(&folder, "src/lib.rs#late").expect("it is built");
    assert_eq!(stdout(&late, b"yes"), "\n=> accepted true\n");
    let order = build(&folder, "src/lib.rs#order").expect("it is built");
    let text = "abcdefghijklmnopqrstuvwxyz";
    let first = stdout(&order, text.as_bytes());
    assert!((0..5).all(|_| stdout(&order, text.as_bytes()) == first));
}

#[test]
fn functions_are_reached_through_modules_types_and_public_uses() {
    let folder = library();
    assert_eq!(
        stdout(&build(&folder, "src/inner.rs#deep").expect("it is built"), b"ab"),
        "\n=> accepted 2\n"
    );
    assert_eq!(
        stdout(&build(&folder, "src/lib.rs#Own::from_str").expect("it is built"), b"own"),
        "\n=> accepted \n"
    );
    let elsewhere = build(&folder, "src/hidden.rs#shown_elsewhere").expect("it is built");
    assert_eq!(stdout(&elsewhere, b"a\0"), "\n=> accepted Some(1)\n");
}

#[test]
fn another_function_of_the_same_name_is_not_taken_for_a_private_one() {
    let said = refused(&library(), "src/hidden.rs#twin");
    assert!(said.contains("`twin` is private") && said.contains("hidden.rs:3:8"), "{said}");
}

#[test]
fn what_does_not_compile_is_said_with_what_the_compiler_says() {
    let folder =
        package("broken", &[("src/lib.rs", "pub fn f(text: &str) -> bool { missing(text) }")]);
    let said = refused(&folder, "src/lib.rs#f");
    assert!(said.contains("does not compile") && said.contains("missing"), "{said}");
    let folder = package("bad", &[("src/lib.rs", ""), ("Cargo.toml", "[package]\nname = 1\n")]);
    assert!(refused(&folder, "bin:x").contains("does not compile"));
    fs::write(folder.join("src/lib.rs"), "pub fn f(text: &str) {}").expect("a file");
    assert!(refused(&folder, "src/lib.rs#f").contains("does not compile"));
    assert!(refused(&folder, "none.rs#f").contains("none.rs"));
}

#[test]
fn a_file_of_no_package_is_a_crate_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("alone.rs");
    // An identifier that is a keyword since 2024.
    fs::write(&file, "pub fn f(text: &str) -> usize { let gen = text.len(); gen }\nfn main() {}")
        .expect("a file");
    let built = build(folder.path(), "alone.rs#f").expect("it is built");
    assert_eq!(stdout(&built, b"abc"), "\n=> accepted 3\n");
    fs::write(&file, "use regex::Regex; pub fn f(text: &str) {}").expect("a file");
    assert!(refused(folder.path(), "alone.rs#f").contains("a crate without dependencies"));
}

#[test]
fn the_text_is_of_the_features_that_were_asked_for_last() {
    let manifest = "[package]\nname = \"chosen\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n\
        [features]\nextra = []\n";
    let source = "fn main() { println!(\"{}\", if cfg!(feature = \"extra\") { \"w-i-t-h\" } else { \"w-o\" }); }";
    let folder = package("chosen", &[("Cargo.toml", manifest), ("src/main.rs", source)]);
    let target = Target::parse("bin:chosen", &folder).expect("a target");
    for features in [&[][..], &["extra"], &[], &["extra"]] {
        let builder = builder().features(features.iter().map(ToString::to_string));
        let built = builder.build(&target).expect("it is built");
        let text = fs::read_to_string(&built.ir).expect("it is there");
        assert_eq!(text.contains("w-i-t-h"), !features.is_empty(), "{features:?}");
    }
}

#[test]
fn patches_of_the_workspace_hold_for_a_function_too() {
    let manifest = "[package]\nname = \"patched\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n\
        [dependencies]\nitoa = \"1\"\n[patch.crates-io]\nitoa = { path = \"own\" }\n";
    let files = [
        ("Cargo.toml", manifest),
        ("src/lib.rs", "pub fn f(text: &str) -> usize { itoa::only_here(text) }"),
        (
            "own/Cargo.toml",
            "[package]\nname = \"itoa\"\nversion = \"1.0.999\"\nedition = \"2021\"\n",
        ),
        ("own/src/lib.rs", "pub fn only_here(text: &str) -> usize { text.len() }"),
    ];
    let built = build(&package("patched", &files), "src/lib.rs#f").expect("it is built");
    assert_eq!(stdout(&built, b"abc"), "\n=> accepted 3\n");
}

#[test]
fn a_function_of_a_program_has_what_the_program_depends_on() {
    let manifest = "[package]\nname = \"alone\"\nversion = \"3.2.1\"\nedition = \"2018\"\n[workspace]\n\
        [features]\ndefault = [\"loud\"]\nloud = []\n\
        [dependencies]\ngiven = { package = \"helper\", path = \"helper\", features = [\"twice\"] }\n";
    let source = "mod parts;\npub use parts::shown;\nfn main() {}\n\
        pub fn f(text: &str) -> (usize, bool, &'static str) {\n    \
        (given::size(text), cfg!(feature = \"loud\"), env!(\"CARGO_PKG_VERSION\"))\n}\n";
    let files = [
        ("Cargo.toml", manifest),
        ("src/main.rs", source),
        ("src/parts.rs", "pub fn shown(text: &str) -> usize { given::size(text) + 1 }"),
        (
            "helper/Cargo.toml",
            "[package]\nname = \"helper\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[features]\ntwice = []\n",
        ),
        (
            "helper/src/lib.rs",
            "pub fn size(text: &str) -> usize { text.len() * if cfg!(feature = \"twice\") { 2 } else { 1 } }",
        ),
    ];
    let folder = package("alone", &files);
    let built = build(&folder, "src/main.rs#f").expect("it is built");
    assert_eq!(stdout(&built, b"abc"), "\n=> accepted (6, true, \"3.2.1\")\n");
    let built = build(&folder, "src/parts.rs#shown").expect("it is built");
    assert_eq!(stdout(&built, b"abc"), "\n=> accepted 7\n");
}

const PROGRAM: &str = "
use std::io::Read;
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let file = std::fs::read_to_string(&arguments[0]).unwrap_or_default();
    let name = std::env::args().next().unwrap();
    print!(\"{name} {text}{file}{}\", std::time::UNIX_EPOCH.elapsed().unwrap().as_secs());
    std::process::exit(arguments.len() as i32);
}
";

#[test]
fn a_program_has_arguments_standard_input_files_and_a_fixed_clock() {
    let manifest = "[package]\nname = \"programs\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n\
        [features]\nextra = []\n[[bin]]\nname = \"one\"\npath = \"one.rs\"\nrequired-features = [\"extra\"]\n\
        [[bin]]\nname = \"two\"\npath = \"one.rs\"\n";
    let folder = package("programs", &[("Cargo.toml", manifest), ("one.rs", PROGRAM)]);
    let built = build(&folder, "bin:one").expect("it is built");
    assert_eq!(built.entry, Entry::Main);
    let input = Input {
        bytes: b"in ".to_vec(),
        arguments: vec![b"a/b".to_vec(), b"more".to_vec()],
        files: vec![("a/b".into(), b"file ".to_vec())],
        ..Input::default()
    };
    let ran = built.native.run(&input).expect("it runs");
    let clock = pleach_concolic::build::CLOCK_SECONDS;
    assert_eq!(
        (ran.end, ran.stdout),
        (End::Exited(2), format!("program in file {clock}").into_bytes())
    );
    let ran = built.native.run(&Input::default()).expect("it runs");
    assert_eq!(ran.panic.map(|it| (it.file, it.line)), Some(("one.rs".to_owned(), 7)));

    let said = refused(&folder, "bin:three");
    assert!(said.contains("named `three`: name one of one, two"), "{said}");
}

const WAITS: &str = "
use std::sync::{Condvar, Mutex, mpsc};
use std::time::{Duration, Instant};
unsafe extern \"C\" {
    fn pthread_cond_timedwait(condition: *mut u64, mutex: *mut u64, end: *const [i64; 2]) -> i32;
    fn syscall(number: i64, ...) -> i64;
}
fn main() {
    let began = Instant::now();
    let hour = Duration::from_secs(3600);
    let (_kept, nothing) = mpsc::channel::<u8>();
    println!(\"{:?} {}\", nothing.recv_timeout(hour), began.elapsed() >= hour);
    std::thread::park_timeout(hour);
    println!(\"{}\", began.elapsed() >= 2 * hour);
    let (lock, condition) = (Mutex::new(false), Condvar::new());
    let guard = lock.lock().unwrap();
    let (_guard, waited) = condition.wait_timeout_while(guard, hour, |set| !*set).unwrap();
    println!(\"{} {}\", waited.timed_out(), began.elapsed() >= 3 * hour);
    let seconds = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs() as i64 + 3600;
    let (mut places, end) = ([0; 16], [seconds, 0]);
    let (condition, mutex) = places.split_at_mut(8);
    // SAFETY: zeros are a condition and a mutex.
    let ended = unsafe { pthread_cond_timedwait(condition.as_mut_ptr(), mutex.as_mut_ptr(), &end) };
    println!(\"{ended} {}\", began.elapsed() >= 4 * hour);
    let (word, time) = (5_u32, [3600_i64, 0]);
    // SAFETY: the word and the time are there.
    let ended = unsafe { [syscall(202, &word, 128, 5, &time), syscall(202, &word, 128, 6, &time)] };
    println!(\"{ended:?} {:?} {}\", std::io::Error::last_os_error().raw_os_error(), began.elapsed() >= 5 * hour);
    if std::env::args().count() > 1 {
        let (says, hears) = mpsc::channel();
        std::thread::spawn(move || says.send(7));
        println!(\"{:?}\", hears.recv_timeout(hour));
    }
}
";

#[test]
fn waits_with_an_end_come_to_it_where_nobody_else_can_run() {
    let manifest = "[package]\nname = \"waits\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
        [[bin]]\nname = \"waits\"\npath = \"waits.rs\"\n";
    let folder = package("waits", &[("Cargo.toml", manifest), ("waits.rs", WAITS)]);
    let built = build(&folder, "bin:waits").expect("it is built");
    let said = stdout(&built, b"");
    let expected = "Err(Timeout) true\ntrue\ntrue true\n110 true\n[-1, -1] Some(11) true\n";
    assert_eq!(said, expected);
    let program = Program::read(&built).expect("it is IR");
    let options = Options::default();
    let mut machine = program.enter(Plain, &Input::default(), options).expect("it begins");
    assert_eq!(machine.run(), Outcome::Exit(0));
    assert_eq!(String::from_utf8_lossy(machine.output()), expected);
    // Another thread ends a wait before that.
    let input = Input { arguments: vec![b"more".to_vec()], ..Input::default() };
    let ran = built.native.run(&input).expect("it runs");
    assert_eq!(String::from_utf8_lossy(&ran.stdout), format!("{expected}Ok(7)\n"));
}

#[test]
fn a_panic_counts_natively_where_the_program_does_not_catch_it() {
    let file = "
pub fn only(text: &str) -> bool { std::panic::catch_unwind(|| checked(text)).is_ok() }
pub fn twice(text: &str) -> bool { only(text) || checked(\"no number\") }
fn checked(text: &str) -> bool { text.parse::<u8>().expect(\"a number\") > 0 }
";
    let folder = package("caught", &[("src/lib.rs", file)]);
    let built = build(&folder, "src/lib.rs#only").expect("it is built");
    let program = Program::read(&built).expect("it is read");
    let mut machine =
        program.enter(Plain, &Input::bytes("x"), Options::default()).expect("it fits");
    assert!(matches!(machine.run(), Outcome::Panic(_)));
    let ran = built.native.run(&Input::bytes("x")).expect("it runs");
    assert_eq!((ran.end, ran.panic), (End::Exited(0), None));
    assert_eq!(ran.stdout, b"\n=> rejected false\n");
    assert!(build(&folder, "src/lib.rs#only").expect("it is built").fresh);

    let built = build(&folder, "src/lib.rs#twice").expect("it is built");
    let ran = built.native.run(&Input::bytes("x")).expect("it runs");
    let panic = ran.panic.expect("the second is not caught");
    assert!(panic.message.contains("a number"), "{panic:?}");
    assert_eq!(ran.end, End::Exited(101));
    assert_eq!(built.native.run(&Input::bytes("1")).expect("it runs").panic, None);
}

#[test]
fn c_code_is_named_with_its_package_and_functions() {
    let script = "
use std::process::Command;
fn main() {
    let out = std::env::var(\"OUT_DIR\").unwrap();
    let run = |command: &mut Command| assert!(command.status().unwrap().success());
    run(Command::new(\"cc\").args([\"-c\", \"it.c\", \"-o\"]).arg(format!(\"{out}/it.o\")));
    run(Command::new(\"ar\").arg(\"crs\").arg(format!(\"{out}/libit.a\")).arg(format!(\"{out}/it.o\")));
    println!(\"cargo:rustc-link-search=native={out}\");
    println!(\"cargo:rustc-link-lib=static=it\");
}
";
    let source = "
extern \"C\" { fn twice_in_c(n: i32) -> i32; }
pub fn f(text: &str) -> i32 { unsafe { twice_in_c(text.len() as i32) } }
";
    let c = "int twice_in_c(int n) { return 2 * n; }\nint unused_in_c(void) { return 1; }\n";
    let folder = package("mixed", &[("build.rs", script), ("src/lib.rs", source), ("it.c", c)]);
    let built = build(&folder, "src/lib.rs#f").expect("it is built");
    assert_eq!(stdout(&built, b"abc"), "\n=> accepted 6\n");
    let [foreign] = &built.foreign[..] else { panic!("{:?}", built.foreign) };
    assert_eq!((&foreign.package[..], &foreign.library[..]), ("mixed", "it"));
    assert_eq!(foreign.functions, ["twice_in_c"]);
}

#[test]
#[ignore = "needs Clang: PLEACH_TEST_CLANG names it"]
fn c_code_that_clang_compiles_has_a_text_and_is_not_foreign() {
    let clang = std::env::var("PLEACH_TEST_CLANG").unwrap_or_else(|_| "clang".to_owned());
    let manifest = "[package]\nname = \"clanged\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n\
        [build-dependencies]\ncc = \"1\"\n";
    let script =
        "fn main() { cc::Build::new().file(\"one.c\").file(\"two.c\").compile(\"both\"); }";
    let source = "extern \"C\" { fn one(n: i32) -> i32; }\n\
        pub fn f(text: &str) -> i32 { unsafe { one(text.len() as i32) } }\n";
    let files = [
        ("Cargo.toml", manifest),
        ("build.rs", script),
        ("src/lib.rs", source),
        ("one.c", "int two(int n); int one(int n) { return 2 * two(n); }\n"),
        ("two.c", "int two(int n) { return n + 1; }\n"),
    ];
    let folder = package("clanged", &files);
    let target = Target::parse("src/lib.rs#f", &folder).expect("a target");
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clanged-kept");
    let built = Builder::new(kept).clang(clang).build(&target).expect("it is built");
    assert_eq!(stdout(&built, b"abc"), "\n=> accepted 8\n");
    assert!(built.foreign.is_empty(), "{:?}", built.foreign);
    let paths = [&built.ir].into_iter().chain(&built.more);
    let texts: Vec<String> = paths.map(|it| fs::read_to_string(it).expect("a text")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let module = Arc::new(Module::read_all(&texts).expect("they are read"));
    let options = Options::new().input(*b"abc");
    let mut machine = Machine::new(module, Plain, options).expect("there is memory");
    machine.start().expect("there is a main");
    assert_eq!(machine.run(), Outcome::Exit(0));
    assert_eq!(machine.output(), b"\n=> accepted 8\n");
}
