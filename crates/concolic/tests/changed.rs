//! Changed texts of IR: the reader and the machine neither panic nor hang, and use bounded memory.

use pleach_concolic::ir::Module;
use pleach_concolic::trace::Tracer;
use pleach_concolic::vm::{Machine, Options, Outcome};
use pleach_unit::random::Random;
use std::sync::Arc;

/// Small texts that use everything that is read.
const TEXTS: [&str; 2] = [include_str!("data/mixed.ll"), include_str!("data/system.ll")];

/// The tokens of a text, white space between them included.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        let end = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "8",
    "64",
    "65",
    "127",
    "255",
    "4096",
    "4294967296",
    "9223372036854775807",
    "-170141183460469231731687303715884105728",
];
const TYPES: [&str; 14] = [
    "i1",
    "i8",
    "i7",
    "i32",
    "i64",
    "i128",
    "i256",
    "ptr",
    "double",
    "float",
    "void",
    "<4 x i32>",
    "{ i64, [3 x i8] }",
    "[4096 x i64]",
];

fn changed(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=random.below(4) {
        let at = random.below(lines.len());
        let other = random.below(lines.len());
        match random.below(8) {
            0 => {
                lines.remove(at);
            }
            1 => lines.swap(at, other),
            2 => lines.insert(at, lines[other].clone()),
            _ => {
                let line = lines[at].clone();
                let mut tokens: Vec<String> =
                    tokens(&line).into_iter().map(str::to_owned).collect();
                if tokens.is_empty() {
                    continue;
                }
                let token = random.below(tokens.len());
                let digits =
                    tokens[token].trim_start_matches('-').bytes().all(|b| b.is_ascii_digit());
                tokens[token] = match random.below(5) {
                    0 if digits => NUMBERS[random.below(NUMBERS.len())].to_owned(),
                    0 | 1 => TYPES[random.below(TYPES.len())].to_owned(),
                    2 => String::new(),
                    3 => tokens[random.below(tokens.len())].clone(),
                    _ => {
                        let donor = self::tokens(&lines[other]);
                        donor
                            .get(random.below(donor.len()))
                            .map_or_else(String::new, |t| t.to_string())
                    }
                };
                lines[at] = tokens.concat();
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    let mut text = lines.join("\n");
    if random.below(20) == 0 {
        let end = random.below(text.len());
        let end = (0..=end).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
    }
    text
}

#[test]
fn changed_texts_are_read_and_run_without_a_panic() {
    let rounds = std::env::var("PLEACH_CHANGED").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let seed = std::env::var("PLEACH_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let (mut read, mut ran) = (0, 0);
    for round in 0..rounds {
        let mut random = Random(seed * 1_000_003 + round);
        let text = changed(TEXTS[random.below(TEXTS.len())], &mut random);
        let result = std::panic::catch_unwind(|| run(&text));
        match result {
            Ok(outcome) => {
                read += usize::from(outcome.is_some());
                ran +=
                    usize::from(matches!(outcome, Some(Outcome::Returned(_) | Outcome::Exit(_))));
            }
            Err(_) => panic!("seed {seed}, round {round}: a panic on\n{text}"),
        }
    }
    // Otherwise the changes are too wild to say anything.
    assert!(read > rounds as usize / 4, "{read} of {rounds} are IR");
    assert!(ran > rounds as usize / 8, "{ran} of {rounds} ran to the end");
}

fn run(text: &str) -> Option<Outcome> {
    let module = Arc::new(Module::read(text).ok()?);
    let options = Options::new()
        .steps(20_000)
        .memory(1 << 24)
        .stack(1 << 16)
        .input(*b"some input 12345")
        .files([(b"/a/b".to_vec(), b"contents".to_vec())]);
    let mut machine = Machine::new(Arc::clone(&module), Tracer::new(100, true), options).ok()?;
    let outcome = match machine.start() {
        Ok(()) => machine.run(),
        Err(outcome) => outcome,
    };
    for pc in machine.trace() {
        let _ = module.places(pc).count();
    }
    let _ = machine.subject_place();
    let _ = machine.domain.profile.calls(&module);
    Some(outcome)
}

#[test]
fn the_texts_run_to_the_end_unchanged() {
    assert_eq!(run(TEXTS[0]), Some(Outcome::Exit(42)));
    assert_eq!(run(TEXTS[1]), Some(Outcome::Exit(0)));
}

#[test]
fn a_few_steps_do_not_take_for_ever() {
    // Each of these would be gigabytes of work, or of memory, if it counted as one step.
    let looping = |lines: &str| {
        let text = format!(
            "@large = global [8000000 x i8] zeroinitializer\n@name = constant [3 x i8] c\"/x\\00\"\n\
             define i32 @main(i32 %c, ptr %v) {{\nstart:\n  br label %l\nl:\n{lines}\n  br label %l\n}}\n\
             declare ptr @malloc(i64)\ndeclare i64 @getrandom(ptr, i64, i32)\n\
             declare i32 @__cxa_thread_atexit_impl(ptr, ptr, ptr)\n\
             declare i32 @open64(ptr, i32, ...)\ndeclare i32 @ftruncate64(i32, i64)\n"
        );
        let began = std::time::Instant::now();
        let outcome = run(&text).expect("it is IR");
        assert!(began.elapsed().as_secs() < 20, "{lines}");
        outcome
    };
    let copy = "  call void @llvm.memcpy.p0.p0.i64(ptr @large, ptr @large, i64 8000000, i1 false)";
    assert_eq!(looping(copy), Outcome::Budget);
    let random = "  %x = call i64 @getrandom(ptr @large, i64 8000000, i32 0)";
    assert_eq!(looping(random), Outcome::Budget);
    assert_eq!(
        looping("  %p = alloca [0 x i8]\n  %q = call ptr @malloc(i64 10000)"),
        Outcome::OutOfMemory
    );
    let file = "  %f = call i32 (ptr, i32, ...) @open64(ptr @name, i32 66, i32 0)\n  \
                %g = call i32 @ftruncate64(i32 %f, i64 100000000)";
    assert_eq!(looping(file), Outcome::OutOfMemory);
}

#[test]
fn a_few_words_do_not_ask_for_gigabytes() {
    // A megabyte of text at most may mean so much.
    let error = |text: &str| Module::read(text).expect_err("this asks for too much").message;
    let gap =
        "@x = global <{ [2147483000 x i8], i8 }> <{ [2147483000 x i8] zeroinitializer, i8 1 }>\n";
    assert!(error(gap).contains("bytes"), "{}", error(gap));
    let large = "@x = global [3000000000 x i8] zeroinitializer\n";
    assert!(error(large).contains("2 GB"), "{}", error(large));
    let mut doubled = String::from("%t0 = type { i8, i8 }\n");
    for i in 1..60 {
        doubled += &format!("%t{i} = type {{ %t{}, %t{} }}\n", i - 1, i - 1);
    }
    assert!(error(&doubled).contains("2 GB"), "{}", error(&doubled));
    let nested = "[2 x ".repeat(100_000);
    assert!(error(&format!("@x = global {nested}")).contains("deep"));
    let inner = "getelementptr (i8, ptr ".repeat(100_000);
    assert!(error(&format!("@x = global ptr {inner}")).contains("deep"));
    let circle = "%a = type { %b }\n%b = type { %a }\n";
    assert!(error(circle).contains("unknown"), "{}", error(circle));
}
