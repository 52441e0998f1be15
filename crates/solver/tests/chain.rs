//! The chain and each of its links alone, beside all values of the variables.

mod programs;

use pleach_solver::{Answer, Binary, Compare, Model, Options, Reason, Solver, TermId, Terms};
use pleach_unit::random::Random;
use programs::{ones, run, steps};

/// Options without any link but those that are switched on.
fn alone() -> Options {
    Options::new()
        .independence(false)
        .cache(false)
        .bytes(false)
        .intervals(false)
        .subsets(false)
        .polish(false)
}

fn chains() -> [(&'static str, Options); 9] {
    [
        ("sat", alone()),
        ("asserted", alone().shared(0)),
        ("independence", alone().independence(true)),
        ("cache", alone().cache(true)),
        ("bytes", alone().bytes(true)),
        ("intervals", alone().intervals(true)),
        ("subsets", alone().subsets(true)),
        ("polish", alone().polish(true)),
        ("all", Options::new()),
    ]
}

/// All values of variables of these widths.
fn all_models(widths: &[u8]) -> Vec<Model> {
    let bits: u32 = widths.iter().map(|&width| u32::from(width)).sum();
    (0..1u128 << bits)
        .map(|mut number| {
            let mut model = Model::new();
            for (variable, &width) in (0..).zip(widths) {
                model.set(variable, number & ones(width));
                number >>= width;
            }
            model
        })
        .collect()
}

/// Booleans and under which of the models each is true.
type Truths = Vec<(TermId, Vec<bool>)>;

fn booleans(terms: &mut Terms, widths: &[u8], random: &mut Random, models: &[Model]) -> Truths {
    let steps = steps(random, 24);
    let made = run(terms, widths, &steps, models);
    let mut found = Truths::new();
    for (at, (term, values)) in made.iter().enumerate() {
        let width = terms.width(*term);
        // Compared with a value that it has, so that the answer is not always the same.
        let value = values[random.below(values.len())];
        let constant = terms.constant(width, value);
        let op = programs::COMPARES[at % 5];
        let boolean = terms.compare(op, *term, constant);
        let truth = values.iter().map(|&x| programs::compare(op, width, x, value)).collect();
        if terms.as_constant(boolean).is_none() {
            found.push((boolean, truth));
        }
    }
    found
}

struct Question {
    path: Vec<(TermId, Vec<bool>)>,
    goal: (TermId, Vec<bool>),
    old: Model,
}

fn question(terms: &mut Terms, truths: &Truths, random: &mut Random, models: &[Model]) -> Question {
    let old = random.below(models.len());
    let mut pick = |terms: &mut Terms, wanted: bool| {
        let (term, truth) = truths[random.below(truths.len())].clone();
        if truth[old] == wanted {
            return (term, truth);
        }
        (terms.not(term), truth.into_iter().map(|holds| !holds).collect())
    };
    let path = (0..5).map(|_| pick(terms, true)).collect();
    let goal = pick(terms, false);
    Question { path, goal, old: models[old].clone() }
}

/// Checks an answer against all values; whether it was one.
fn check(answer: &Answer, question: &Question, models: &[Model], what: &str) -> bool {
    let Question { path, goal, .. } = question;
    match answer {
        Answer::Sat(model) => {
            let at = models.iter().position(|other| other == model);
            let at = at.unwrap_or_else(|| panic!("{what}: {model:?} is no model"));
            let held = path.iter().chain([goal]).all(|(_, truth)| truth[at]);
            assert!(held, "{what}: {model:?} does not hold");
        }
        Answer::Unsat(core) => {
            assert!(core.is_sorted_by(|a, b| a < b), "{what}: {core:?}");
            let held = (0..models.len())
                .find(|&at| goal.1[at] && core.iter().all(|&place| path[place].1[at]));
            assert_eq!(held, None, "{what}: {core:?} is no core");
        }
        Answer::Unknown(_) => return false,
    }
    true
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let seed: u64 = std::env::var("PLEACH_SEED").map_or(1, |s| s.parse().expect("a number"));
    let cases: u64 = std::env::var("PLEACH_QUERIES").map_or(60, |s| s.parse().expect("a number"));
    let shapes: [&[u8]; 5] = [&[4, 4, 4], &[8, 3], &[2, 2, 2, 2, 2], &[11], &[1, 8, 1]];
    let (mut sat, mut unsat) = (0, 0);
    for case in 0..cases {
        let mut random = Random(seed << 32 | case);
        let widths = shapes[case as usize % shapes.len()];
        let models = all_models(widths);
        let mut terms = Terms::new(1 << 20);
        let truths = booleans(&mut terms, widths, &mut random, &models);
        if truths.is_empty() {
            continue;
        }
        let mut solvers = chains().map(|(name, options)| (name, Solver::new(options)));
        for number in 0..4 {
            let question = question(&mut terms, &truths, &mut random, &models);
            let path: Vec<TermId> = question.path.iter().map(|&(term, _)| term).collect();
            for (name, solver) in &mut solvers {
                let what = format!("seed {seed}, case {case}, question {number}, {name}");
                let answer = solver.solve(&mut terms, &path, question.goal.0, &question.old);
                assert!(check(&answer, &question, &models, &what), "{what}: {answer:?}");
                sat += usize::from(matches!(answer, Answer::Sat(_)));
                unsat += usize::from(matches!(answer, Answer::Unsat(_)));
            }
        }
    }
    assert!(sat > 100 && unsat > 100, "{sat} and {unsat}");
}

/// A decimal number of the digits in some bytes, at 64 bits, as parsers compute it.
fn number(terms: &mut Terms, bytes: std::ops::Range<u32>, path: &mut Vec<TermId>) -> TermId {
    let mut sum = terms.constant(64, 0);
    for byte in bytes {
        let byte = terms.variable(byte, 8);
        let zero = terms.constant(8, u128::from(b'0'));
        let digit = terms.binary(Binary::Sub, byte, zero);
        let ten = terms.constant(8, 10);
        path.push(terms.compare(Compare::Ult, digit, ten));
        let wide = terms.zext(digit, 64);
        let ten = terms.constant(64, 10);
        let tens = terms.binary(Binary::Mul, sum, ten);
        sum = terms.binary(Binary::Add, tens, wide);
    }
    sum
}

fn equals(terms: &mut Terms, term: TermId, value: u128) -> TermId {
    let constant = terms.constant(terms.width(term), value);
    terms.compare(Compare::Eq, term, constant)
}

#[test]
fn digits_are_found_by_intervals_and_by_circuits() {
    for (name, options) in chains() {
        let mut terms = Terms::new(1 << 16);
        let mut path = Vec::new();
        let parsed = number(&mut terms, 0..6, &mut path);
        let old = Model::from_bytes(b"000000");
        let mut solver = Solver::new(options);
        let goal = equals(&mut terms, parsed, 731_024);
        let answer = solver.solve(&mut terms, &path, goal, &old);
        assert_eq!(answer, Answer::Sat(Model::from_bytes(b"731024")), "{name}");
        if name == "all" {
            assert_eq!(solver.statistics().by_intervals, 1);
        }
        // Six digits make no seven.
        let limit = terms.constant(64, 999_999);
        let beyond = terms.compare(Compare::Ult, limit, parsed);
        let answer = solver.solve(&mut terms, &path, beyond, &old);
        assert!(matches!(answer, Answer::Unsat(_)), "{name}: {answer:?}");
    }
}

#[test]
fn remainders_and_quotients_by_constants_are_solved() {
    for (name, options) in chains() {
        let mut terms = Terms::new(1 << 16);
        let mut path = Vec::new();
        let year = number(&mut terms, 0..4, &mut path);
        let mut conditions = Vec::new();
        for (by, wanted) in [(400, 0), (7, 5)] {
            let by = terms.constant(64, by);
            let rest = terms.binary(Binary::URem, year, by);
            conditions.push(equals(&mut terms, rest, wanted));
        }
        let hundred = terms.constant(64, 100);
        let century = terms.binary(Binary::SDiv, year, hundred);
        conditions.push(equals(&mut terms, century, 16));
        let goal = conditions.into_iter().reduce(|a, b| terms.binary(Binary::And, a, b));
        let old = Model::from_bytes(b"1999");
        let answer = Solver::new(options).solve(&mut terms, &path, goal.expect("three"), &old);
        // 1600 = 228 * 7 + 4, so nothing of that century is a multiple of 400 with rest 5.
        assert!(matches!(answer, Answer::Unsat(_)), "{name}: {answer:?}");
        let four = terms.constant(64, 7);
        let rest = terms.binary(Binary::URem, year, four);
        let rest = equals(&mut terms, rest, 4);
        let sixteen = equals(&mut terms, century, 16);
        let goal = terms.binary(Binary::And, rest, sixteen);
        let Answer::Sat(model) = Solver::new(options).solve(&mut terms, &path, goal, &old) else {
            panic!("{name}: no year of that century with rest 4");
        };
        assert_eq!((terms.evaluate(century, &model), terms.evaluate(year, &model) % 7), (16, 4));
    }
}

#[test]
fn cores_leave_out_what_is_not_needed() {
    for (name, options) in chains() {
        let mut terms = Terms::new(1 << 16);
        let mut path = Vec::new();
        let first = number(&mut terms, 0..2, &mut path);
        let second = number(&mut terms, 2..4, &mut path);
        let limit = terms.constant(64, 24);
        path.push(terms.compare(Compare::Ult, second, limit));
        path.push(terms.compare(Compare::Ult, first, limit));
        let goal = equals(&mut terms, first, 30);
        let old = Model::from_bytes(b"1112");
        let answer = Solver::new(options).solve(&mut terms, &path, goal, &old);
        assert_eq!(answer, Answer::Unsat(vec![5]), "{name}");
    }
}

#[test]
fn constraints_that_are_no_business_of_the_goal_keep_their_values() {
    let mut terms = Terms::new(1 << 16);
    let old = Model::from_bytes(b"\x80x7/");
    let bytes = [0, 1, 2, 3].map(|byte| terms.variable(byte, 8));
    let sum = terms.binary(Binary::Add, bytes[0], bytes[1]);
    let path = [equals(&mut terms, sum, u128::from(0x80u8.wrapping_add(b'x')))];
    let goal = equals(&mut terms, bytes[2], u128::from(b'8'));
    for (name, options) in chains() {
        let answer = Solver::new(options).solve(&mut terms, &path, goal, &old);
        assert_eq!(answer, Answer::Sat(Model::from_bytes(b"\x80x8/")), "{name}");
    }
}

#[test]
fn found_bytes_can_be_printed_where_they_may() {
    let mut terms = Terms::new(1 << 16);
    let bytes = [0, 1].map(|byte| terms.variable(byte, 8));
    let differ = terms.binary(Binary::Sub, bytes[0], bytes[1]);
    let path = [equals(&mut terms, differ, 255)];
    let comma = equals(&mut terms, bytes[0], u128::from(b','));
    let goal = terms.not(comma);
    let old = Model::from_bytes(b",-");
    let answer = Solver::new(Options::new()).solve(&mut terms, &path, goal, &old);
    let Answer::Sat(model) = answer else { panic!("{answer:?}") };
    assert!((0..2).all(|byte| (32..127).contains(&model.get(byte))), "{model:?}");
}

#[test]
fn a_question_that_was_answered_is_looked_up() {
    let mut terms = Terms::new(1 << 16);
    let mut path = Vec::new();
    let first = number(&mut terms, 0..2, &mut path);
    let old = Model::from_bytes(b"11");
    let beyond = equals(&mut terms, first, 120);
    let found = equals(&mut terms, first, 42);
    let mut solver = Solver::new(Options::new());
    let answers = [beyond, found].map(|goal| solver.solve(&mut terms, &path, goal, &old));
    assert_eq!(solver.statistics().by_cache, 0);
    let again = [beyond, found].map(|goal| solver.solve(&mut terms, &path, goal, &old));
    assert_eq!(answers, again);
    assert_eq!(solver.statistics().by_cache, 2);
    // What a longer path adds makes a core no less one.
    path.push(equals(&mut terms, first, 11));
    assert!(matches!(solver.solve(&mut terms, &path, beyond, &old), Answer::Unsat(_)));
    assert_eq!(solver.statistics().by_cache, 3);
}

#[test]
fn what_takes_many_conflicts_is_answered_by_a_circuit_of_its_own() {
    for (product, composite) in [(64_507u128 * 65_521, true), (2_147_483_647, false)] {
        let mut terms = Terms::new(1 << 16);
        let factors = [0, 1].map(|number| terms.variable(number, 16));
        let wide = factors.map(|factor| terms.zext(factor, 32));
        let both = terms.binary(Binary::Mul, wide[0], wide[1]);
        let path = factors.map(|factor| {
            let one = terms.constant(16, 1);
            terms.compare(Compare::Ult, one, factor)
        });
        let goal = equals(&mut terms, both, product);
        let mut solver = Solver::new(alone().conflicts(1_000_000));
        let old = Model::from_bytes(&[2, 2]);
        match solver.solve(&mut terms, &path, goal, &old) {
            Answer::Sat(model) => {
                assert!(composite);
                assert_eq!(model.get(0) * model.get(1), product);
            }
            Answer::Unsat(_) => assert!(!composite),
            Answer::Unknown(reason) => panic!("{product}: {reason:?}"),
        }
        assert!(solver.statistics().conflicts > 100, "{:?}", solver.statistics());
    }
}

#[test]
fn limits_end_a_question_that_is_too_hard() {
    let mut terms = Terms::new(1 << 16);
    let factors = [0, 1].map(|number| terms.variable(number, 64));
    let wide = factors.map(|factor| terms.zext(factor, 128));
    let product = terms.binary(Binary::Mul, wide[0], wide[1]);
    // Two primes below two to the 64, and no factor may be one.
    let goal = equals(&mut terms, product, 18_446_744_073_709_551_557 * 18_446_744_073_709_551_533);
    let ones = factors.map(|factor| equals(&mut terms, factor, 1));
    let path = ones.map(|one| terms.not(one));
    let old = Model::new();
    let ask = |terms: &mut Terms, options| Solver::new(options).solve(terms, &path, goal, &old);
    let answer = ask(&mut terms, Options::new().conflicts(100));
    assert_eq!(answer, Answer::Unknown(Reason::Conflicts));
    let answer = ask(&mut terms, Options::new().decisions(50));
    assert_eq!(answer, Answer::Unknown(Reason::Conflicts));
    let answer = ask(&mut terms, Options::new().circuit(1000));
    assert_eq!(answer, Answer::Unknown(Reason::Size));
}

#[test]
fn an_exhausted_arena_is_asked_nothing() {
    let mut terms = Terms::new(256);
    let mut solver = Solver::new(Options::new());
    let goal = terms.variable(0, 1);
    for number in 1..2000 {
        terms.variable(number, 8);
    }
    let answer = solver.solve(&mut terms, &[], goal, &Model::new());
    assert_eq!(answer, Answer::Unknown(Reason::Terms));
}

#[test]
fn goals_that_are_constants_need_no_path() {
    let mut terms = Terms::new(1000);
    let mut solver = Solver::new(Options::new());
    let byte = terms.variable(0, 8);
    let path = [equals(&mut terms, byte, 7)];
    let old = Model::from_bytes(&[7]);
    let [no, yes] = [0, 1].map(|value| terms.constant(1, value));
    assert_eq!(solver.solve(&mut terms, &path, no, &old), Answer::Unsat(vec![]));
    assert_eq!(solver.solve(&mut terms, &path, yes, &old), Answer::Sat(old.clone()));
}

#[test]
fn the_same_questions_have_the_same_answers() {
    let ask = || {
        let mut random = Random(7);
        let widths = [8; 6];
        let models: Vec<Model> =
            (0..4).map(|_| Model::from_bytes(&[(); 6].map(|()| random.draw() as u8))).collect();
        let mut terms = Terms::new(1 << 20);
        let truths = booleans(&mut terms, &widths, &mut random, &models);
        let mut solver = Solver::new(Options::new().conflicts(200));
        let mut answers = Vec::new();
        for _ in 0..20 {
            let question = question(&mut terms, &truths, &mut random, &models);
            let path: Vec<TermId> = question.path.iter().map(|&(term, _)| term).collect();
            answers.push(solver.solve(&mut terms, &path, question.goal.0, &question.old));
        }
        (answers, solver.statistics())
    };
    assert_eq!(ask(), ask());
}
