//! Answers beside those of z3: `pip install z3-solver` brings it, and `PLEACH_Z3` names it where it is
//! not found by its name. `PLEACH_QUERIES` says how many random questions are asked, `PLEACH_RECORDED`
//! names another folder of recorded ones.

mod programs;
mod z3;

use pleach_solver::{Answer, Compare, Options, Question, Solver, TermId, Terms};
use pleach_unit::random::Random;
use programs::shapes;
use z3::program;

/// Answers, and what z3 is asked to confirm them: of one that is excluded only the core.
#[derive(Default)]
struct Asked {
    scripts: Vec<String>,
    expected: Vec<(&'static str, String)>,
    sat: usize,
    unsat: usize,
    unknown: usize,
    undecided: usize,
}

impl Asked {
    fn ask(&mut self, terms: &mut Terms, question: &Question, what: String) {
        let Question { path, goal, old } = question;
        let answer = Solver::new(Options::new()).solve(terms, path, *goal, old);
        let mut asked: Vec<TermId> = path.clone();
        let expected = match answer {
            Answer::Sat(model) => {
                self.sat += 1;
                let held = path.iter().chain([goal]).all(|&t| terms.evaluate(t, &model) == 1);
                assert!(held, "{what}: the model does not hold");
                // That there is a model needs no search where it is given.
                for (variable, value) in model.iter() {
                    if let Some(width) = terms.variable_width(variable) {
                        let (variable, value) =
                            (terms.variable(variable, width), terms.constant(width, value));
                        asked.push(terms.compare(Compare::Eq, variable, value));
                    }
                }
                "sat"
            }
            Answer::Unsat(core) => {
                self.unsat += 1;
                asked = core.iter().map(|&place| path[place]).collect();
                "unsat"
            }
            Answer::Unknown(_) => {
                self.unknown += 1;
                ""
            }
        };
        asked.push(*goal);
        self.scripts.push(terms.to_smtlib(&asked));
        self.expected.push((expected, what));
    }

    /// Asks z3 what has gathered.
    fn confirm(&mut self, program: &str, name: &str) {
        let answers = z3::answers(program, name, &self.scripts);
        assert_eq!(answers.len(), self.expected.len(), "{answers:?}");
        for ((expected, what), answer) in self.expected.iter().zip(&answers) {
            assert!(
                matches!(&**answer, "sat" | "unsat" | "unknown" | "timeout"),
                "{what}: {answer}"
            );
            let decided = matches!(&**answer, "sat" | "unsat");
            self.undecided += usize::from(!decided);
            let agree = !decided || expected.is_empty() || expected == answer;
            assert!(agree, "{what}: {expected} here, {answer} there");
        }
        self.scripts.clear();
        self.expected.clear();
    }

    fn say(&self) {
        let Asked { sat, unsat, unknown, undecided, .. } = self;
        println!(
            "{sat} sat, {unsat} unsat, {unknown} unknown here, {undecided} there; no disagreement"
        );
        assert!(*sat > 0 && *unsat > 0);
    }
}

#[test]
fn z3_agrees() {
    let Some(program) = program() else {
        println!("no z3: nothing is compared");
        return;
    };
    let count: u64 = std::env::var("PLEACH_QUERIES").map_or(300, |s| s.parse().expect("a number"));
    let seed: u64 = std::env::var("PLEACH_SEED").map_or(1, |s| s.parse().expect("a number"));
    let mut asked = Asked::default();
    for number in 0..count {
        let mut terms = Terms::new(1 << 20);
        let question = shapes::question(&mut terms, &mut Random(seed << 32 | number));
        asked.ask(&mut terms, &question, format!("seed {seed}, number {number}"));
        if asked.scripts.len() == 100 || number + 1 == count {
            asked.confirm(&program, "random");
        }
    }
    asked.say();
}

#[test]
fn z3_agrees_about_recorded_questions() {
    let folder = std::env::var("PLEACH_RECORDED").unwrap_or_else(|_| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/questions").to_owned()
    });
    let program = program();
    let mut asked = Asked::default();
    let files = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<_> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a script");
        let mut terms = Terms::new(1 << 20);
        let question = terms.question_from_smtlib(&text).expect("a question");
        for &constraint in &question.path {
            assert_eq!(terms.evaluate(constraint, &question.old), 1, "{}", file.display());
        }
        asked.ask(&mut terms, &question, file.display().to_string());
        match &program {
            Some(program) if asked.scripts.len() == 100 => asked.confirm(program, "recorded"),
            _ => {}
        }
    }
    if let Some(program) = &program {
        asked.confirm(program, "recorded");
    }
    assert_eq!(asked.unknown, 0, "recorded questions are answered");
    asked.say();
}
