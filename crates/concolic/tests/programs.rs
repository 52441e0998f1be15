//! A whole program, natively and in the machine: the same status, outputs, panic message and location.

use pleach_concolic::ir::{Instruction, Module, Pc};
use pleach_concolic::trace::Tracer;
use pleach_concolic::vm::{Machine, Options, Outcome, Plain};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

struct Program {
    native: PathBuf,
    module: Arc<Module>,
}

/// The program, built once.
fn program() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/program.rs");
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("programs");
        std::fs::create_dir_all(&folder).expect("a folder for what is built");
        let native = folder.join("program");
        let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
        let status = Command::new(rustc)
            .args(["--edition=2024", "--emit=llvm-ir,link", "-Copt-level=1", "-Clto=fat"])
            .args(["-Ccodegen-units=1", "-Cpanic=abort", "-Coverflow-checks=on", "-Cdebuginfo=1"])
            .args(["-Cno-vectorize-loops", "-Cno-vectorize-slp", "-Awarnings"])
            .args(["-Cllvm-args=-inline-threshold=-100000", source, "-o"])
            .arg(&native)
            .status()
            .expect("there is a compiler");
        assert!(status.success());
        let text = std::fs::read_to_string(folder.join("program.ll")).expect("there is IR");
        let module = Arc::new(Module::read(&text).unwrap_or_else(|error| panic!("{error}")));
        Program { native, module }
    })
}

fn in_machine(input: &str) -> (Outcome, Machine<Plain>) {
    let options = Options::new()
        .input(input)
        .arguments([b"it".to_vec(), b"two words".to_vec()])
        .environment([(b"ANSWER".to_vec(), b"42".to_vec())]);
    let module = Arc::clone(&program().module);
    let mut machine = Machine::new(module, Plain, options).expect("variables fit into memory");
    machine.start().expect("there is a main");
    (machine.run(), machine)
}

/// Natively: the status, or else the signal below zero, and both outputs.
fn natively(input: &str) -> (i32, Vec<u8>, String) {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    let mut child = Command::new(&program().native)
        .arg0("it")
        .arg("two words")
        .env_clear()
        .env("ANSWER", "42")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it was built");
    // Who does not read its input closes it.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let status = output.status.code().or(output.status.signal().map(|signal| -signal));
    let mut error = String::from_utf8_lossy(&output.stderr).into_owned();
    // The number of the thread differs.
    if let Some((before, rest)) = error.split_once("thread 'main' (")
        && let Some((_, after)) = rest.split_once(')')
    {
        error = format!("{before}thread 'main' (1){after}");
    }
    (status.expect("it ended"), output.stdout, error)
}

const INPUTS: [&str; 64] = [
    "integers 17, -5",
    "integers 9223372036854775807, 2",
    "integers -9223372036854775808, -1",
    "integers 5, 0",
    "integers 300000, 70000",
    "integers x, 1",
    "integers 4",
    "floats 3.14159",
    "floats -0.0",
    "floats 1e308",
    "floats NaN",
    "floats 5e-324",
    "floats 123456789.123456789",
    "floats inf",
    "floats -300.5",
    "floats 1e-7",
    "floats q",
    "wide 170141183460469231731687303715884105727 3",
    "wide -99999999999999999999999 1000000007",
    "wide 1 0",
    "wide -170141183460469231731687303715884105728 1",
    "wide 12345678901234567890 98765432109876543210",
    "bits",
    "bits a",
    "bits abcdefgh",
    "bits The quick brown fox jumps over the lazy dog and then some more",
    "text Hello World 12",
    "text äöü ßab x",
    "text ab",
    "text true",
    "text 127.0.0.1",
    "text ::1 €uro",
    "collect the cat the dog",
    "collect a b c",
    "collect x y",
    "objects",
    "objects 3",
    "files some text",
    "corners",
    "opened",
    "paths",
    "sections",
    "descriptors",
    "locals",
    "locks",
    "lanes  x y zzzzzzzzzzzzzzzzzzzzzzzz",
    "lanes ab c",
    "lanes",
    "environment",
    "signals",
    "rest\nand more\0lines\n",
    "exit 3",
    "exit -1",
    "abort",
    "deep 10",
    "deep 20000",
    "hook",
    "caught 5",
    "caught x",
    "",
    "unknown",
    "split short",
    "split long enough",
    "integers 1,",
];

#[test]
fn the_machine_does_what_the_processor_does() {
    let mut panics = 0;
    for input in INPUTS {
        let (status, output, error) = natively(input);
        let (outcome, machine) = in_machine(input);
        assert_eq!(
            String::from_utf8_lossy(machine.output()),
            String::from_utf8_lossy(&output),
            "{input:?} ends with {outcome}"
        );
        assert_eq!(String::from_utf8_lossy(machine.error_output()), error, "{input:?}: {outcome}");
        match outcome {
            Outcome::Exit(code) => assert_eq!(code & 0xff, status, "{input:?}"),
            Outcome::Panic(panic) => {
                panics += 1;
                assert_eq!(status, -6, "{input:?}: {panic:?}");
                let at = panic.location.expect("a panic has a place");
                if !input.starts_with("hook") {
                    let place =
                        format!("{}:{}:{}:\n{}\n", at.file, at.line, at.column, panic.message);
                    assert!(error.contains(&place), "{place} in {error}");
                }
            }
            Outcome::Abort => assert_eq!(status, -6, "{input:?}"),
            outcome => panic!("{input:?}: {outcome}"),
        }
    }
    assert!(panics > 10, "{panics} panics");
}

#[test]
fn a_panic_in_the_standard_library_has_a_place_in_the_subject() {
    let (outcome, machine) = in_machine("split ab");
    let Outcome::Panic(panic) = outcome else { panic!("{outcome}") };
    let at = panic.location.expect("a panic has a place");
    assert!(!at.file.ends_with("program.rs"), "{at:?}");
    let place = machine.subject_place().expect("main is on the stack");
    assert!(place.file.ends_with("program.rs"), "{place:?}");
    let line = include_str!("data/program.rs").lines().nth(place.line as usize - 1);
    assert_eq!(line.map(str::trim), Some("\"split\" => println!(\"{:?}\", rest.split_at(9)),"));
}

#[test]
fn what_the_machine_cannot_do_says_so() {
    assert_eq!(in_machine("thread").0, Outcome::Thread);
    assert_eq!(in_machine("socket").0, Outcome::Socket);
    assert_eq!(in_machine("endless").0, Outcome::Budget);
    assert_eq!(in_machine("deep 1000000").0, Outcome::StackOverflow);
}

#[test]
fn branches_are_told_with_their_lines_and_the_bytes_they_depend_on() {
    let options = Options::new().input(*b"integers 17, 5");
    let tracer = Tracer::new(1 << 20, false);
    let module = Arc::clone(&program().module);
    let mut machine = Machine::new(Arc::clone(&module), tracer, options).expect("it fits");
    machine.start().expect("there is a main");
    assert_eq!(machine.run(), Outcome::Exit(0));
    let tracer = &machine.domain;
    let told = tracer.branches().iter().map(|branch| tracer.describe(&module, branch));
    let told: Vec<String> = told.collect();
    // `a.checked_rem(b)` asks whether the 5 is a zero.
    let line = include_str!("data/program.rs")
        .lines()
        .position(|line| line.contains("a.checked_rem(b)"))
        .expect("it is there");
    let begin = format!("program.rs:{}:", line + 1);
    let of = "program::integers: 0 of input 13";
    assert!(
        told.iter().any(|text| text.contains(&begin) && text.contains(of)),
        "{}",
        told.join("\n")
    );
    let calls = tracer.profile.calls(&module);
    let integers = module.find_function("program::integers").expect("it is kept");
    let main = module.find_function("program::main").expect("it is kept");
    assert!(calls.iter().any(|call| call.caller == Some(main) && call.callee == integers));
    assert!(calls.iter().any(|call| call.indirect));
}

#[test]
fn what_stands_on_several_lines_has_a_place() {
    let module = &program().module;
    let all = module.functions().flat_map(|id| module.pcs(id));
    let is_switch = |at: &Pc| matches!(module.instruction(*at), Some(Instruction::Switch { .. }));
    let (with, without): (Vec<Pc>, Vec<Pc>) =
        all.filter(is_switch).partition(|at| module.places(*at).next().is_some());
    assert!(without.len() * 4 < with.len(), "{}, {}", with.len(), without.len());
    let of = |at: &Pc| module.places(*at).any(|place| place.file.ends_with("program.rs"));
    assert!(with.iter().any(of));
}

#[test]
fn two_runs_of_one_input_are_the_same() {
    let all = |input| {
        let (outcome, machine) = in_machine(input);
        (outcome, machine.steps(), machine.output().to_vec(), machine.memory().live())
    };
    for input in ["collect a b a", "locks", "files x", "integers 1,"] {
        assert_eq!(all(input), all(input));
    }
}
