//! Random functions, as a grammar derives them, run and inferred: a language that is called exact is
//! that of the function, and any other misses nothing that it accepts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use pleach::Seeded;
use pleach::differential::Walker;
use pleach::differential::infer::{Infer, Inference};
use pleach::produce::{Mode, Options, Producer};
use pleach::table::Table;
use pleach::tree::Tree;

/// What texts are made of: each character that the functions name, and one of three bytes.
const LETTERS: [char; 10] = ['a', 'b', ':', '.', '1', '-', 'é', 'A', ' ', '€'];

/// So many functions with this seed.
fn functions(count: usize, seed: u64) -> Vec<String> {
    let source = std::fs::read_to_string("tests/data/differential/functions.pleach").unwrap();
    let table = Table::parse(&source).unwrap();
    let options = Options::new().mode(Mode::Weighted).max_bytes(700);
    let mut producer = Producer::new(&table, options).unwrap();
    let (mut entropy, mut tree) = (Seeded::new(seed), Tree::new());
    (0..count)
        .map(|_| {
            producer.produce(&mut entropy, &mut tree);
            String::from_utf8(tree.text().to_vec()).unwrap()
        })
        .collect()
}

/// All short texts, some longer ones, and some that are longer than the small integer types count.
fn texts() -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut from = 0;
    for _ in 0..4 {
        let to = texts.len();
        for at in from..to {
            for letter in LETTERS {
                texts.push(format!("{}{letter}", texts[at]));
            }
        }
        from = to;
    }
    for length in [254, 255, 256, 257, 300, 515] {
        for letter in LETTERS {
            texts.push(letter.to_string().repeat(length));
            texts.push(format!("a:{}", letter.to_string().repeat(length)));
        }
    }
    let mut entropy = Seeded::new(1);
    for _ in 0..1500 {
        let length = 5 + pleach::Entropy::below(&mut entropy, 8);
        let letter =
            |_| LETTERS[pleach::Entropy::below(&mut entropy, LETTERS.len() as u64) as usize];
        texts.push((0..length).map(letter).collect());
    }
    texts
}

/// What each of the functions says of each text: a row a function.
fn run(folder: &Path, functions: &[String], texts: &[String]) -> Vec<Vec<bool>> {
    let mut program = String::from(
        "#![allow(warnings)]\n\
         trait Yes { fn yes(self) -> bool; }\n\
         impl Yes for bool { fn yes(self) -> bool { self } }\n\
         impl Yes for Option<()> { fn yes(self) -> bool { self.is_some() } }\n",
    );
    for (number, function) in functions.iter().enumerate() {
        writeln!(program, "mod f{number} {{\n{function}}}").unwrap();
    }
    program.push_str("fn all() -> Vec<fn(&str) -> bool> { vec![\n");
    for number in 0..functions.len() {
        writeln!(program, "    |text| f{number}::accepts(text).yes(),").unwrap();
    }
    program.push_str(
        "] }\n\
         fn main() {\n\
             std::panic::set_hook(Box::new(|_| {}));\n\
             let texts = std::fs::read_to_string(\"texts\").unwrap();\n\
             let texts: Vec<&str> = texts.split('\\n').collect();\n\
             let mut out = Vec::new();\n\
             for f in all() {\n\
                 out.extend(texts.iter().map(|text| {\n\
                     b'0' + u8::from(std::panic::catch_unwind(|| f(text)).unwrap_or(false))\n\
                 }));\n\
             }\n\
             std::fs::write(\"verdicts\", out).unwrap();\n\
         }\n",
    );
    std::fs::write(folder.join("functions.rs"), program).unwrap();
    std::fs::write(folder.join("texts"), texts.join("\n")).unwrap();
    let built = Command::new("rustc")
        .args(["--edition=2024", "--cap-lints=allow", "-Coverflow-checks=on", "functions.rs"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let mut running = Command::new(folder.join("functions")).current_dir(folder).spawn().unwrap();
    let begun = Instant::now();
    while running.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(300) {
            running.kill().unwrap();
            panic!("a function does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(running.wait().unwrap().success());
    let verdicts = std::fs::read(folder.join("verdicts")).unwrap();
    let rows = verdicts.chunks_exact(texts.len());
    rows.map(|row| row.iter().map(|&verdict| verdict == b'1').collect()).collect()
}

/// Why languages are not exact, the most frequent reasons first.
fn reasons(inferences: &[Option<Inference>]) -> Vec<(String, usize)> {
    let mut counts = BTreeMap::new();
    for imprecision in inferences.iter().flatten().flat_map(|inference| &inference.imprecisions) {
        *counts.entry(imprecision.message.clone()).or_insert(0) += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|reason| std::cmp::Reverse(reason.1));
    counts.truncate(12);
    counts
}

#[test]
fn random_functions_are_inferred() {
    let number = |name: &str, or: u64| {
        std::env::var(name).map_or(or, |text| text.parse().expect("a number"))
    };
    let count = number("PLEACH_FUNCTIONS", 150) as usize;
    let functions = functions(count, number("PLEACH_SEED", 1));
    let mut texts = texts();
    let inferences: Vec<Option<Inference>> = functions
        .iter()
        .map(|function| {
            let files = [("f.rs".to_owned(), function.clone())];
            match Infer::new().run(&files, "accepts", None) {
                Ok(inference) => Some(inference),
                Err(error) if error.is_budget_exceeded() => None,
                Err(error) => panic!("{function}{error}"),
            }
        })
        .collect();
    for inference in inferences.iter().flatten() {
        let walker = Walker::new(&inference.language).longest(12);
        let mut entropy = Seeded::new(1);
        for _ in 0..20 {
            let mut text = String::new();
            if walker.string(&mut entropy, &mut text) && text.len() < 400 && !text.contains('\n') {
                texts.push(text);
            }
        }
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated");
    std::fs::create_dir_all(&folder).unwrap();
    let verdicts = run(&folder, &functions, &texts);
    let (mut exact, mut close, mut faults) = (0, 0, String::new());
    for ((function, inference), row) in functions.iter().zip(&inferences).zip(&verdicts) {
        let Some(inference) = inference else { continue };
        let mut agree = true;
        for (text, &accepts) in texts.iter().zip(row) {
            let inferred = inference.language.contains_bytes(text.as_bytes());
            agree &= accepts == inferred;
            if accepts != inferred && (accepts || inference.exact) {
                let what = if accepts { "lacks" } else { "is exact, and has" };
                writeln!(faults, "{function}{what} {text:?}\n").unwrap();
                break;
            }
        }
        exact += usize::from(inference.exact);
        close += usize::from(agree);
    }
    let followed = inferences.iter().flatten().count();
    eprintln!("{count} functions: {followed} within the budget, {exact} exact, {close} agree");
    for (reason, times) in reasons(&inferences) {
        eprintln!("{times:5} {reason}");
    }
    assert!(faults.is_empty(), "{faults}");
}
