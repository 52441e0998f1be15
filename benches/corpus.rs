//! `pleach cover` over 10,000 files of 1 kB, beside reading and parsing them alone:
//! `cargo bench --bench corpus`.
//!
//! Times are medians of several runs; nothing is asserted, for a busy machine is no defect.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};

use pleach::kpath::Scope;
use pleach::parse::{Parser, Scratch};
use pleach::report::Corpus;
use pleach::tree::Tree;
use support::turns::seconds;
use support::{JSON, texts};

const FILES: usize = 10_000;
const RUNS: usize = 5;

fn main() {
    // `cargo test --all-targets` runs this unoptimized, where no figure means anything.
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("nothing to test here; `cargo bench --bench corpus` prints the figures");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-corpus");
    std::fs::create_dir_all(&folder).expect("the folder of the target can be written");
    // Records of one stream, cut at another length each.
    let inputs: Vec<Vec<u8>> = (0..FILES).map(|index| texts::json(700 + index % 600)).collect();
    let bytes: usize = inputs.iter().map(Vec::len).sum();
    for (index, input) in inputs.iter().enumerate() {
        let path = folder.join(format!("{index:05}.json"));
        std::fs::write(path, input).expect("the folder of the target can be written");
    }
    println!("{FILES} files, {:.1} MB", bytes as f64 / 1e6);

    let table = support::table(JSON);
    let parser = Parser::new(&table);
    let (mut scratch, mut tree) = (Scratch::new(), Tree::new());
    let (_, parsing, _) = seconds(RUNS, || {
        for input in &inputs {
            parser.parse(input, &mut scratch, &mut tree).expect("it is JSON");
        }
    });
    println!("parsing alone, in memory, 1 thread     {parsing:.3} s");
    let (_, measuring, _) = seconds(RUNS, || {
        let mut corpus = Corpus::new(&table, 3, Scope::UpTo, 1 << 20).expect("there are few");
        let mut worker = corpus.worker();
        for input in &inputs {
            parser.parse(input, &mut scratch, &mut tree).expect("it is JSON");
            corpus.merge(&worker.measure(&tree));
        }
        corpus.absorb(&worker);
    });
    println!("parsing and measuring, 1 thread        {measuring:.3} s");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for jobs in [1, cores] {
        let (_, time, _) = seconds(RUNS, || {
            let status = Command::new(env!("CARGO_BIN_EXE_pleach"))
                .args(["cover", "grammars/json.pleach", "--jobs", &jobs.to_string()])
                .arg(&folder)
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .stdout(Stdio::null())
                .status();
            assert!(status.expect("the command runs").success());
        });
        println!("pleach cover --jobs {jobs:<2}                 {time:.3} s");
    }
    std::fs::remove_dir_all(&folder).expect("the folder was written");
}
