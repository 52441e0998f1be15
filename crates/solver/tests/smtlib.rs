//! Questions as text, and back.

mod programs;

use pleach_solver::{Model, Options, Solver, Terms};
use pleach_unit::random::Random;
use programs::shapes;

#[test]
fn what_is_written_is_read_as_the_same_question() {
    for seed in 0..60 {
        let mut terms = Terms::new(1 << 20);
        let question = shapes::question(&mut terms, &mut Random(seed));
        let text = terms.question_to_smtlib(&question);
        // In the same arena the same terms are found again.
        let again =
            terms.question_from_smtlib(&text).unwrap_or_else(|e| panic!("{seed}: {e}\n{text}"));
        assert_eq!(
            (&again.path, again.goal),
            (&question.path, question.goal),
            "seed {seed}\n{text}"
        );
        // In another one the answer is the same.
        let mut other = Terms::new(1 << 20);
        let read = other.question_from_smtlib(&text).expect("it was read before");
        for &term in read.path.iter().chain([&read.goal]) {
            for &variable in other.variables(term) {
                assert_eq!(read.old.get(variable), question.old.get(variable));
            }
        }
        let ask = |terms: &mut Terms, question: &pleach_solver::Question| {
            let mut solver = Solver::new(Options::new());
            let answer = solver.solve(terms, &question.path, question.goal, &question.old);
            std::mem::discriminant(&answer)
        };
        assert_eq!(ask(&mut terms, &question), ask(&mut other, &read), "seed {seed}\n{text}");
    }
}

#[test]
fn scripts_of_others_are_read() {
    let text = "; a comment\n(set-logic QF_BV)(declare-fun x () (_ BitVec 8))\n\
        (declare-fun y () (_ BitVec 8)) (define-fun z () (_ BitVec 16) (concat x #x0f))\n\
        (assert (bvugt (bvadd x y #b00000001) (_ bv7 8)))\n\
        (assert (not (= ((_ extract 11 4) z) (bvneg y))))\n(check-sat)\n(exit)\n";
    let mut terms = Terms::new(1000);
    let question = terms.question_from_smtlib(text).expect("a script");
    assert_eq!(question.path.len(), 1);
    let mut model = Model::from_bytes(&[3, 4]);
    assert_eq!(terms.evaluate(question.path[0], &model), 1);
    assert_eq!(terms.evaluate(question.goal, &model), 1);
    model.set(1, 256 - 0x30);
    assert_eq!(terms.evaluate(question.goal, &model), 0);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, expected) in [
        ("", "line 1, column 1: nothing is asserted; add (assert ...)"),
        ("(assert true", "line 1, column 13: a bracket is not closed"),
        ("(assert true))", "line 1, column 15: a bracket too many"),
        ("assert", "line 1, column 7: a word outside of brackets"),
        ("\n(assert x)", "line 2, column 11: no command that is read here"),
        ("(assert (bvult x #b1))", "line 1, column 22: `x` is not defined before"),
        (
            "(assert (bvult #b11 #b1))",
            "line 1, column 25: `bvult` is not read here with these operands",
        ),
        (
            "(declare-const a (_ BitVec 129))",
            "line 1, column 32: a width of 129 bits; 1 to 128 are read",
        ),
        (
            "(assert (= ((_ extract 9 0) #x00) #x00))",
            "line 1, column 34: `extract` is not read here with these numbers",
        ),
        (
            "(declare-const v1 (_ BitVec 8))(declare-const x (_ BitVec 8))",
            "line 1, column 62: `x` has the number of another variable",
        ),
        ("(set-info :pleach-old \"3:4\")", "line 1, column 29: `3:4` is no value; write 3=48"),
    ] {
        let error = Terms::new(1000).question_from_smtlib(text).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn changed_scripts_are_read_or_refused() {
    let mut random = Random(5);
    for round in 0..2000 {
        let mut terms = Terms::new(1 << 16);
        let question = shapes::question(&mut terms, &mut Random(round % 20));
        let mut text = terms.question_to_smtlib(&question).into_bytes();
        for _ in 0..1 + random.below(4) {
            let at = random.below(text.len());
            let other = random.below(text.len());
            match random.below(3) {
                0 => text[at] = b"() #b_019vtx\"|;-\xc3"[random.below(17)],
                1 => drop(text.drain(at.min(other)..at.max(other).min(at.min(other) + 9))),
                _ => text.swap(at, other),
            }
            if text.is_empty() {
                break;
            }
        }
        let text = String::from_utf8_lossy(&text);
        // Whatever it is, it does not panic.
        let _ = Terms::new(1 << 16).question_from_smtlib(&text);
    }
}
