//! Answers beside those of z3: `pip install z3-solver` brings it, and `PLEACH_Z3` names it where it is
//! not found by its name. `PLEACH_QUERIES` says how many questions are asked.

mod programs;

use pleach_solver::{Answer, Options, Question, Solver, TermId, Terms};
use programs::{Random, shapes};
use std::process::Command;

/// What z3 says of each script, in one process.
fn z3(program: &str, scripts: &[String]) -> Vec<String> {
    let file = std::env::temp_dir().join(format!("pleach-{}.smt2", std::process::id()));
    let all = scripts.join("(reset)\n");
    std::fs::write(&file, all).expect("a file is written");
    let output = Command::new(program).arg("-t:20000").arg(&file).output().expect("z3 runs");
    std::fs::remove_file(&file).expect("the file is removed");
    let text = String::from_utf8(output.stdout).expect("z3 prints text");
    text.lines().map(str::to_owned).collect()
}

fn program() -> Option<String> {
    let named = std::env::var("PLEACH_Z3").ok();
    let program = named.clone().unwrap_or_else(|| "z3".to_owned());
    let found = Command::new(&program).arg("-version").output().is_ok();
    assert!(found || named.is_none(), "{program} does not run");
    found.then_some(program)
}

#[test]
fn z3_agrees() {
    let Some(program) = program() else {
        println!("no z3: nothing is compared");
        return;
    };
    let count: u64 = std::env::var("PLEACH_QUERIES").map_or(300, |s| s.parse().expect("a number"));
    let seed: u64 = std::env::var("PLEACH_SEED").map_or(1, |s| s.parse().expect("a number"));
    let (mut sat, mut unsat, mut unknown, mut undecided) = (0, 0, 0, 0);
    for batch in 0..count.div_ceil(100) {
        let mut expected = Vec::new();
        let mut scripts = Vec::new();
        for number in batch * 100..count.min((batch + 1) * 100) {
            let mut terms = Terms::new(1 << 20);
            let mut random = Random(seed << 32 | number);
            let question = shapes::question(&mut terms, &mut random);
            let Question { path, goal, old } = &question;
            let answer = Solver::new(Options::new()).solve(&mut terms, path, *goal, old);
            let what = format!("seed {seed}, number {number}");
            let mut asked: Vec<TermId> = path.clone();
            match answer {
                Answer::Sat(model) => {
                    sat += 1;
                    let held = path.iter().chain([goal]).all(|&t| terms.evaluate(t, &model) == 1);
                    assert!(held, "{what}: the model does not hold");
                    expected.push(("sat", what));
                }
                // The core alone, so that it is one.
                Answer::Unsat(core) => {
                    unsat += 1;
                    asked = core.iter().map(|&place| path[place]).collect();
                    expected.push(("unsat", what));
                }
                Answer::Unknown(_) => {
                    unknown += 1;
                    expected.push(("", what));
                }
            }
            asked.push(*goal);
            scripts.push(terms.to_smtlib(&asked));
        }
        let answers = z3(&program, &scripts);
        assert_eq!(answers.len(), expected.len(), "{answers:?}");
        for ((expected, what), answer) in expected.iter().zip(&answers) {
            assert!(
                matches!(&**answer, "sat" | "unsat" | "unknown" | "timeout"),
                "{what}: {answer}"
            );
            let decided = matches!(&**answer, "sat" | "unsat");
            undecided += usize::from(!decided);
            let agree = !decided || expected.is_empty() || expected == answer;
            assert!(agree, "{what}: {expected} here, {answer} there");
        }
    }
    println!(
        "{sat} sat, {unsat} unsat, {unknown} unknown here, {undecided} there; no disagreement"
    );
    assert!(sat > 0 && unsat > 0);
}
