//! Searches through small programs: in IR by hand, and one that the compiler made.

use pleach_concolic::build::{Builder, Built, Entry, Target};
use pleach_concolic::ir::Module;
use pleach_concolic::vm::{Machine, Options as Bounds, Outcome, Plain};
use pleach_explore::native::{Fault, Judge, Verdict};
use pleach_explore::path::Kind;
use pleach_explore::search::{
    Assumption, ByteSet, Event, Explorer, Options, Shape, Target as Goal, Why,
};
use pleach_explore::subject::{Run, Subject, model};
use pleach_explore::symbolic::{Loss, SymbolicLimits};
use pleach_solver::{Compare, Terms};
use pleach_testing::copied;
use std::path::Path;
use std::sync::{Arc, OnceLock};

const ENTRY: Entry = Entry::Bytes { symbol: "entry", initialize: None };

/// The machine without terms, in place of the program itself.
struct InMachine(Arc<Module>);

impl Judge for InMachine {
    fn judge(&mut self, input: &[u8], _: Option<&Run>) -> Verdict {
        let module = Arc::clone(&self.0);
        let mut machine = Machine::new(module, Plain, Bounds::default()).expect("it fits");
        let data = machine.allocate(input).expect("it fits");
        let entry = machine.module().find_function("entry").expect("it is there");
        machine.call(entry, &[data.into(), input.len() as u128]);
        match machine.run() {
            Outcome::Returned(_) => Verdict::Passed,
            outcome => Verdict::Failed(Fault {
                kind: outcome.to_string(),
                location: None,
                message: String::new(),
            }),
        }
    }
}

fn module(text: &str) -> Arc<Module> {
    Arc::new(Module::read(text).unwrap_or_else(|error| panic!("{error} of\n{text}")))
}

fn subject(module: &Arc<Module>) -> Subject {
    let limits = SymbolicLimits::new().terms(200_000);
    Subject::new(Arc::clone(module), &ENTRY, Bounds::default(), limits).expect("it begins")
}

fn explorer(text: &str, options: Options) -> (Explorer, InMachine) {
    let module = module(text);
    (Explorer::new(subject(&module), options), InMachine(module))
}

/// The path's conditions hold for the run's own input.
fn assert_path_holds(subject: &mut Subject, input: &[u8], run: &Run) {
    let module = Arc::clone(subject.module());
    let (terms, values) = (&subject.symbolic().terms, model(input));
    for decision in &run.trail.decisions {
        let text = || {
            let site = pleach_explore::subject::Site::of(&module, decision.at);
            format!("{decision:?} at {site:?} on {input:?}")
        };
        assert_eq!(terms.evaluate(decision.holds, &values), 1, "{}", text());
    }
}

const MAGIC: &str = "define i32 @entry(ptr %d, i64 %n) {
start:
  %long = icmp ugt i64 %n, 10
  br i1 %long, label %check, label %end
check:
  %p = getelementptr i8, ptr %d, i64 3
  %x = load i64, ptr %p
  %is = icmp eq i64 %x, 1311768467463790320
  br i1 %is, label %found, label %end
found:
  call void @abort()
  unreachable
end:
  ret i32 0
}
declare void @abort()
";

/// What is decided without a branch, and only seen by who called.
const VERDICT: &str = "define i32 @entry(ptr %d, i64 %n) {
start:
  %long = icmp ugt i64 %n, 7
  br i1 %long, label %check, label %end
check:
  %x = load i64, ptr %d
  %is = icmp eq i64 %x, 1311768467463790320
  %verdict = zext i1 %is to i32
  ret i32 %verdict
end:
  ret i32 0
}
";

#[test]
fn what_is_returned_without_a_branch_is_turned_around() {
    let (mut explorer, mut judge) = explorer(VERDICT, Options::default());
    explorer.add(b"12345678");
    let wanted = 1311768467463790320u64.to_le_bytes();
    let mut found = false;
    for _ in 0..50 {
        if let Event::Ran { input, .. } = explorer.step(&mut judge) {
            found |= input.starts_with(&wanted);
        }
    }
    assert!(found, "{:?}", explorer.counts());
}

#[test]
fn an_input_grows_and_has_a_number_of_eight_bytes() {
    let (mut explorer, mut judge) = explorer(MAGIC, Options::default());
    explorer.add(b"");
    let mut steps = 0;
    while explorer.step(&mut judge) != Event::Finished {
        steps += 1;
        assert!(steps < 100, "{:?}", explorer.counts());
    }
    let [failure] = explorer.failures() else { panic!("{:?}", explorer.failures()) };
    assert_eq!(&failure.input[3..11], &0x1234_5678_9abc_def0u64.to_le_bytes());
    let counts = explorer.counts();
    assert_eq!((counts.diverged, counts.disagreements), (0, 0), "{counts:?}");
}

#[test]
fn inputs_do_not_grow_beyond_their_limit() {
    let (mut explorer, mut judge) = explorer(MAGIC, Options::new().max_length(10));
    explorer.add(b"");
    explorer.add(b"eleven bytes");
    while let event = explorer.step(&mut judge)
        && event != Event::Finished
    {
        if let Event::Ran { input, .. } = event {
            assert!(input.len() <= 10, "{input:?}");
        }
    }
    assert!(explorer.failures().is_empty());
    assert_eq!(explorer.counts().paths, 1, "{:?}", explorer.counts());
}

const SWITCH: &str = "define i32 @entry(ptr %d, i64 %n) {
start:
  %x = load i8, ptr %d
  switch i8 %x, label %other [ i8 1, label %a
    i8 2, label %a
    i8 77, label %b
    i8 -1, label %c ]
a:
  ret i32 1
b:
  %q = getelementptr i8, ptr %d, i64 1
  %y = load i8, ptr %q
  %never = icmp ugt i8 %x, 100
  br i1 %never, label %found, label %more
more:
  %twice = mul i8 %y, 3
  %is = icmp eq i8 %twice, 7
  br i1 %is, label %found, label %c
c:
  ret i32 3
found:
  call void @abort()
  unreachable
other:
  ret i32 4
}
declare void @abort()
";

#[test]
fn every_case_of_a_switch_is_taken_and_what_nothing_reaches_is_said() {
    let (mut explorer, mut judge) = explorer(SWITCH, Options::default());
    explorer.add(b"ab");
    while explorer.step(&mut judge) != Event::Finished {}
    // What reads beyond a shorter input fails too.
    let failures = explorer.failures().iter().filter(|failure| failure.input.len() > 1);
    let [failure] = failures.collect::<Vec<_>>()[..] else { panic!("{:?}", explorer.failures()) };
    assert_eq!(failure.input[0], 77);
    assert_eq!(failure.input[1].wrapping_mul(3), 7);
    // There is no debug information, so no place.
    assert!(explorer.report().branches.is_empty());
}

#[test]
fn the_same_seed_does_the_same_and_another_something_else() {
    let events = |seed| {
        let (mut explorer, mut judge) = explorer(SWITCH, Options::new().seed(seed));
        explorer.add(b"ab");
        let mut events = Vec::new();
        while events.last() != Some(&Event::Finished) {
            events.push(explorer.step(&mut judge));
        }
        events
    };
    assert_eq!(events(1), events(1));
    assert!((2..10).any(|seed| events(seed) != events(1)));
}

#[test]
fn bounds_of_loops_and_of_places_are_widened_until_every_path_is_found() {
    let text = "define i32 @entry(ptr %d, i64 %n) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %j, %next ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %next, label %end
next:
  %p = getelementptr i8, ptr %d, i64 %i
  %x = load i8, ptr %p
  %j = add i64 %i, 1
  %a = icmp eq i8 %x, 97
  br i1 %a, label %loop, label %end
end:
  ret i32 0
}
";
    let paths = |most: usize, repeats: u32| {
        let options = Options::new().max_length(most).repeats(repeats).varies_lengths(false);
        let (mut explorer, mut judge) = explorer(text, options);
        explorer.add(b"a");
        while explorer.step(&mut judge) != Event::Finished {}
        explorer.counts().paths
    };
    // As many letters as there are, or so many and then another one: rounds in the middle are not negated at first.
    for most in [5, 40, 100] {
        assert_eq!(paths(most, 2), 2 * most as u64 + 1);
    }
    assert_eq!(paths(40, 200), 81);
}

#[test]
fn a_word_becomes_as_long_as_its_length_is_compared_with() {
    // A word to the first space, of 40 letters, the last of which is a Z.
    let text = "define i32 @entry(ptr %d, i64 %n) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %j, %next ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %next, label %end
next:
  %p = getelementptr i8, ptr %d, i64 %i
  %x = load i8, ptr %p
  %j = add i64 %i, 1
  %a = icmp eq i8 %x, 32
  br i1 %a, label %behind, label %loop
behind:
  %is = icmp eq i64 %i, 40
  br i1 %is, label %read, label %end
read:
  %q = getelementptr i8, ptr %d, i64 39
  %y = load i8, ptr %q
  %found = icmp eq i8 %y, 90
  br i1 %found, label %fails, label %end
fails:
  call void @abort()
  unreachable
end:
  ret i32 0
}
declare void @abort()
";
    let found = |varies: bool| {
        let (mut explorer, mut judge) = explorer(text, Options::new().varies_lengths(varies));
        explorer.add(b"key and value");
        let mut steps = (0..100).map(|_| explorer.step(&mut judge));
        steps.any(|event| matches!(event, Event::Ran { failure: Some(_), .. }))
    };
    assert!(found(true));
    assert!(!found(false), "the same would be found by going round the loop");
}

#[test]
fn a_loop_does_not_keep_the_search_from_what_comes_behind_it() {
    let text = "define i32 @entry(ptr %d, i64 %n) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %j, %next ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %next, label %end
next:
  %p = getelementptr i8, ptr %d, i64 %i
  %x = load i8, ptr %p
  %j = add i64 %i, 1
  %a = icmp eq i8 %x, 97
  br i1 %a, label %loop, label %behind
behind:
  %q = getelementptr i8, ptr %d, i64 %j
  %is = icmp ult i64 %j, %n
  br i1 %is, label %read, label %end
read:
  %y = load i32, ptr %q
  %found = icmp eq i32 %y, 1684234849
  br i1 %found, label %fails, label %end
fails:
  call void @abort()
  unreachable
end:
  ret i32 0
}
declare void @abort()
";
    let options = Options::new().max_length(100_000).repeats(20);
    let (mut explorer, mut judge) = explorer(text, options);
    explorer.add(b"a");
    let mut steps = 0;
    while !explorer.failures().iter().any(|it| it.kind == "abort") {
        assert_ne!(explorer.step(&mut judge), Event::Finished);
        steps += 1;
        assert!(steps < 3000, "{:?}", explorer.counts());
    }
}

#[test]
fn what_is_made_once_is_made_before_the_search() {
    // The first call makes a table, which takes far longer than a run may.
    let text = "@made = internal global i8 0
define i32 @entry(ptr %d, i64 %n) {
start:
  %is = load i8, ptr @made
  %not = icmp eq i8 %is, 0
  br i1 %not, label %make, label %go
make:
  %i = phi i64 [ 0, %start ], [ %j, %make ]
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, 100000
  br i1 %more, label %make, label %made
made:
  store i8 1, ptr @made
  br label %go
go:
  %long = icmp ugt i64 %n, 0
  br i1 %long, label %read, label %end
read:
  %x = load i8, ptr %d
  %found = icmp eq i8 %x, 55
  br i1 %found, label %fails, label %end
fails:
  call void @abort()
  unreachable
end:
  ret i32 0
}
declare void @abort()
";
    let module = module(text);
    let bounds = Bounds::new().steps(250_000);
    let subject = Subject::new(Arc::clone(&module), &ENTRY, bounds, SymbolicLimits::default());
    let mut explorer = Explorer::new(subject.expect("it begins"), Options::default());
    explorer.add(b"1");
    let edges = module.edges();
    let mut judge = InMachine(module);
    while explorer.step(&mut judge) != Event::Finished {}
    let [failure] = explorer.failures() else { panic!("{:?}", explorer.failures()) };
    assert_eq!(failure.input.first(), Some(&55));
    // All edges are taken: what makes the table, too.
    let taken: u32 = explorer.edges().iter().map(|word| word.count_ones()).sum();
    assert_eq!(taken, edges);
    let counts = explorer.counts();
    assert!(counts.runs > 2 && counts.steps < 2 * 250_000, "{counts:?}");
    assert!(explorer.report().unfollowed.is_empty());
}

#[test]
fn a_loop_is_gone_through_as_often_as_a_fault_asks_for_that_no_branch_on_the_input_shows() {
    let text = "define i32 @entry(ptr %d, i64 %n) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %j, %next ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %read, label %end
read:
  %p = getelementptr i8, ptr %d, i64 %i
  %x = load i8, ptr %p
  %is = icmp eq i8 %x, 55
  br i1 %is, label %next, label %end
next:
  %j = add i64 %i, 1
  br label %loop
end:
  %deep = icmp ugt i64 %i, 23
  br i1 %deep, label %found, label %out
found:
  call void @abort()
  unreachable
out:
  ret i32 0
}
declare void @abort()
";
    let (mut explorer, mut judge) = explorer(text, Options::default());
    explorer.add(b"7");
    let mut steps = 0;
    while explorer.failures().is_empty() {
        assert_ne!(explorer.step(&mut judge), Event::Finished);
        steps += 1;
        assert!(steps < 2000, "{:?}", explorer.counts());
    }
}

#[test]
fn of_many_inputs_that_are_added_each_is_run_soon_and_followed_in_the_end() {
    let (mut explorer, mut judge) = explorer(MAGIC, Options::default());
    let inputs: Vec<Vec<u8>> = (100..300).map(|number| format!("{number:015}").into()).collect();
    inputs.iter().for_each(|input| explorer.add(input));
    let mut times = vec![0; inputs.len()];
    let (mut steps, mut all_at) = (0, None);
    while let event = explorer.step(&mut judge)
        && event != Event::Finished
    {
        steps += 1;
        if let Event::Ran { input, .. } = event
            && let Some(at) = inputs.iter().position(|it| *it == input)
        {
            times[at] += 1;
        }
        if all_at.is_none() && !times.contains(&0) {
            all_at = Some(steps);
        }
    }
    assert!(all_at.is_some_and(|steps| steps < 3 * inputs.len()), "{all_at:?}");
    // The first ones have their paths from the start, the others are run for them once more.
    assert!(times[..50].iter().all(|&times| times == 1), "{times:?}");
    assert!(times[64..].iter().all(|&times| times >= 2), "{times:?}");
    assert!(!explorer.failures().is_empty());
}

/// What reads a bracket, and then something else as often as is said, calls itself for the rest.
fn nested(others: usize) -> String {
    let period = 1 + others;
    let others: String = (1..=others)
        .map(|at| {
            format!(
                "  %p{at} = getelementptr i8, ptr %d, i64 {at}
  %x{at} = load i8, ptr %p{at}
  %is{at} = icmp eq i8 %x{at}, 91
  br i1 %is{at}, label %end, label %next{at}
next{at}:
"
            )
        })
        .collect();
    format!(
        "define void @nested(ptr %d, i64 %n) {{
start:
  %frame = alloca [16384 x i8]
  %more = icmp uge i64 %n, {period}
  br i1 %more, label %read, label %end
read:
  %x = load i8, ptr %d
  %opens = icmp eq i8 %x, 91
  br i1 %opens, label %inner, label %end
inner:
{others}  %rest = getelementptr i8, ptr %d, i64 {period}
  %m = sub i64 %n, {period}
  call void @nested(ptr %rest, i64 %m)
  br label %end
end:
  ret void
}}
define i32 @entry(ptr %d, i64 %n) {{
start:
  call void @nested(ptr %d, i64 %n)
  ret i32 0
}}
"
    )
}

#[test]
fn a_recursion_that_goes_on_is_made_as_deep_as_an_input_may_be() {
    for others in 0..6 {
        let (mut explorer, mut judge) = explorer(&nested(others), Options::new().max_length(4096));
        explorer.add(b"(abcdefgh)");
        let mut steps = 0;
        while explorer.failures().is_empty() {
            assert_ne!(explorer.step(&mut judge), Event::Finished);
            steps += 1;
            assert!(steps < 500, "{others} others: {:?}", explorer.counts());
        }
        let [failure] = explorer.failures() else { panic!("{:?}", explorer.failures()) };
        let opening = failure.input.chunks(others + 1).filter(|round| round[0] == b'[').count();
        assert!(opening > 500, "{others} others: {:?}", failure.input.escape_ascii());
        assert!(failure.input.len() <= 4096);
    }
}

#[test]
fn an_edge_that_is_excluded_is_hoped_for_and_a_text_stays_one() {
    // A loop over all bytes lets none but ASCII, and letters of two bytes, through; then the third byte is looked at.
    let text = "define i32 @entry(ptr %d, i64 %n) {
start:
  %long = icmp eq i64 %n, 4
  br i1 %long, label %loop, label %out
loop:
  %i = phi i64 [ 0, %start ], [ %k, %next ]
  %p = getelementptr i8, ptr %d, i64 %i
  %x = load i8, ptr %p
  %ascii = icmp sge i8 %x, 0
  br i1 %ascii, label %next, label %letter
letter:
  %leads = icmp eq i8 %x, -61
  br i1 %leads, label %second, label %out
second:
  %j = add i64 %i, 1
  %inside = icmp ult i64 %j, %n
  br i1 %inside, label %follows, label %out
follows:
  %q = getelementptr i8, ptr %d, i64 %j
  %y = load i8, ptr %q
  %high = and i8 %y, -64
  %goes = icmp eq i8 %high, -128
  br i1 %goes, label %next, label %out
next:
  %step = phi i64 [ 1, %loop ], [ 2, %follows ]
  %k = add i64 %i, %step
  %more = icmp ult i64 %k, %n
  br i1 %more, label %loop, label %look
look:
  %r = getelementptr i8, ptr %d, i64 2
  %z = load i8, ptr %r
  %cut = icmp slt i8 %z, -64
  br i1 %cut, label %found, label %out
found:
  call void @abort()
  unreachable
out:
  ret i32 0
}
declare void @abort()
";
    let (mut explorer, mut judge) = explorer(text, Options::default());
    explorer.add(b"abcd");
    let mut steps = 0;
    while explorer.failures().is_empty() {
        assert_ne!(explorer.step(&mut judge), Event::Finished);
        steps += 1;
        assert!(steps < 30, "{:?}", explorer.counts());
    }
    let failure = &explorer.failures()[0];
    assert!(std::str::from_utf8(&failure.input).is_ok(), "{failure:?}");
}

#[test]
fn a_target_is_gone_to_first() {
    let cases: String = (0..120).map(|case| format!("i8 {case}, label %c{case} ")).collect();
    let blocks: String = (0..120).map(|case| format!("c{case}:\n  ret i32 {case}\n")).collect();
    let text = format!(
        "define void @goal() {{
start:
  ret void
}}
define i32 @entry(ptr %d, i64 %n) {{
start:
  %p = getelementptr i8, ptr %d, i64 1
  %q = getelementptr i8, ptr %d, i64 2
  %r = getelementptr i8, ptr %d, i64 3
  %x = load i8, ptr %d
  %y = load i8, ptr %p
  %z = load i8, ptr %q
  %w = load i8, ptr %r
  %a = icmp eq i8 %x, 65
  br i1 %a, label %second, label %many
second:
  %b = icmp eq i8 %y, 66
  br i1 %b, label %third, label %many
third:
  %c = icmp eq i8 %z, 67
  br i1 %c, label %reach, label %many
reach:
  call void @goal()
  ret i32 -1
many:
  switch i8 %w, label %other [ {cases} ]
{blocks}other:
  ret i32 -2
}}
"
    );
    let steps = |targets: Vec<Goal>| {
        let (mut explorer, mut judge) = explorer(&text, Options::new().targets(targets));
        explorer.add(b"zzzz");
        let mut steps = 0;
        let mut inputs = Vec::new();
        while !inputs.iter().any(|input: &Vec<u8>| input.starts_with(b"ABC")) {
            if let Event::Ran { input, .. } = explorer.step(&mut judge) {
                inputs.push(input);
            }
            steps += 1;
            assert!(steps < 5000, "{:?}", explorer.counts());
        }
        (steps, explorer.reached_target().map(<[u8]>::to_vec))
    };
    let (there, reached) = steps(vec![Goal::parse("goal")]);
    assert!(reached.is_some_and(|input| input.starts_with(b"ABC")));
    assert!(there < 40, "{there} steps");
    let (anywhere, reached) = steps(Vec::new());
    assert_eq!(reached, None);
    assert!(anywhere > 2 * there, "{anywhere} steps without a target, {there} with it");
}

/// A program that goes to one of its blocks, `end` and `other`, where its input begins with an A, and else to the other one.
fn by_first_letter(letter: &str, other: &str) -> String {
    let otherwise = if letter == "end" { "other" } else { "end" };
    format!(
        "define i32 @entry(ptr %d, i64 %n) {{
start:
  %x = load i8, ptr %d
  %is = icmp eq i8 %x, 65
  br i1 %is, label %{letter}, label %{otherwise}
other:
  {other}
end:
  ret i32 0
}}
"
    )
}

#[test]
fn an_edge_is_reached_only_by_itself() {
    let text = &by_first_letter("end", "br label %end");
    let reached = |edge: u32| {
        let targets = vec![Goal::Edge(edge)];
        let (mut explorer, mut judge) = explorer(text, Options::new().targets(targets));
        explorer.add(b"z");
        explorer.step(&mut judge);
        let first = explorer.reached_target().is_some();
        while explorer.step(&mut judge) != Event::Finished {}
        (first, explorer.reached_target().map(<[u8]>::to_vec))
    };
    let module = module(text);
    let edges: Vec<u32> = (0..module.edges()).collect();
    let late = edges.iter().filter(|&&edge| !reached(edge).0);
    let late: Vec<Option<Vec<u8>>> = late.map(|&edge| reached(edge).1).collect();
    assert_eq!(late, [Some(b"A".to_vec())]);
}

#[test]
fn a_question_that_was_hard_is_asked_again_with_all_that_it_may_take() {
    let powers: String = (0..15).map(|n| format!("  %x{} = mul i64 %x{n}, %x0\n", n + 1)).collect();
    let text = format!(
        "define i32 @entry(ptr %d, i64 %n) {{
start:
  %x0 = load i64, ptr %d
{powers}  %is = icmp eq i64 %x15, 1
  br i1 %is, label %found, label %end
found:
  call void @abort()
  unreachable
end:
  ret i32 0
}}
declare void @abort()
"
    );
    let solver = pleach_solver::Options::new();
    let (mut explorer, mut judge) = explorer(&text, Options::new().solver(solver));
    explorer.add(b"00000000");
    while explorer.step(&mut judge) != Event::Finished {}
    let counts = explorer.counts();
    assert!(counts.unknown > 0, "{counts:?}");
    assert!(explorer.failures().iter().any(|it| it.kind == "abort"), "{counts:?}");
}

#[test]
fn runs_that_are_not_followed_to_their_end_are_counted_by_their_reasons() {
    let text = by_first_letter("other", "br label %other");
    let (mut explorer, _) = explorer(&text, Options::default());
    explorer.add(b"z");
    while explorer.step(&mut Passes) != Event::Finished {}
    // The only one is run again when nothing else is left.
    let unfollowed = explorer.report().unfollowed;
    assert_eq!(unfollowed.into_iter().collect::<Vec<_>>(), [(Outcome::Budget.to_string(), 2)]);
}

/// A program that always ends well.
struct Passes;

impl Judge for Passes {
    fn judge(&mut self, _: &[u8], _: Option<&Run>) -> Verdict {
        Verdict::Passed
    }
}

#[test]
fn inputs_that_are_added_late_do_not_keep_the_search_from_its_questions() {
    let (mut explorer, mut judge) = explorer(SWITCH, Options::default());
    for byte in 0..=255 {
        explorer.add(&[byte, 0, 0]);
    }
    let events: Vec<Event> = (0..100).map(|_| explorer.step(&mut judge)).collect();
    assert!(events[..64].iter().all(|event| matches!(event, Event::Ran { .. })));
    assert!(events[64..].iter().any(|event| matches!(event, Event::Asked { .. })));
}

/// A loop over the input, which computes ever larger terms.
const LOOP: &str = "define i32 @entry(ptr %d, i64 %n) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %j, %next ]
  %h = phi i64 [ 5, %start ], [ %k, %next ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %next, label %end
next:
  %p = getelementptr i8, ptr %d, i64 %i
  %x = load i8, ptr %p
  %w = zext i8 %x to i64
  %y = xor i64 %h, %w
  %k = mul i64 %y, 31
  %l = trunc i64 %k to i8
  %j = add i64 %i, 1
  %a = icmp eq i8 %l, 7
  br i1 %a, label %end, label %loop
end:
  ret i32 0
}
";

#[test]
fn what_is_forgotten_is_made_again() {
    let module = module(LOOP);
    let limits = SymbolicLimits::new().terms(256);
    let subject = Subject::new(Arc::clone(&module), &ENTRY, Bounds::default(), limits);
    let mut explorer = Explorer::new(subject.expect("it begins"), Options::default());
    explorer.add(b"seed");
    let mut judge = InMachine(module);
    let mut paths = 0;
    for _ in 0..2000 {
        if explorer.step(&mut judge) == Event::Finished {
            break;
        }
        if explorer.counts().forgotten == 0 {
            paths = explorer.counts().paths;
        }
    }
    assert!(explorer.counts().forgotten > 0, "{:?}", explorer.counts());
    assert!(explorer.counts().paths > paths, "{:?}", explorer.counts());
}

/// Digits stay digits.
struct Digits;

impl Shape for Digits {
    fn allowed(&mut self, input: &[u8], _: Option<&[ByteSet]>) -> Option<Vec<ByteSet>> {
        let mut digits = ByteSet::EMPTY;
        (b'0'..=b'9').for_each(|byte| digits.insert(byte));
        input.iter().all(u8::is_ascii_digit).then(|| vec![digits; input.len()])
    }
}

#[test]
fn with_a_shape_inputs_keep_their_length_and_their_bytes_stay_in_their_sets() {
    let text = "define i32 @entry(ptr %d, i64 %n) {
start:
  %x = load i16, ptr %d
  %is = icmp eq i16 %x, 14641
  br i1 %is, label %found, label %next
next:
  %letter = icmp ugt i16 %x, 16191
  br i1 %letter, label %end, label %long
long:
  %more = icmp ugt i64 %n, 2
  br i1 %more, label %found, label %end
found:
  call void @abort()
  unreachable
end:
  ret i32 0
}
declare void @abort()
";
    let (explorer, mut judge) = explorer(text, Options::default());
    let mut explorer = explorer.with_shape(Box::new(Digits));
    explorer.add(b"00");
    explorer.add(b"0x");
    while let event = explorer.step(&mut judge)
        && event != Event::Finished
    {
        if let Event::Ran { input, .. } = event {
            assert_eq!(input.len(), 2);
        }
    }
    // "19" read as a number is 14641.
    let [failure] = explorer.failures() else { panic!("{:?}", explorer.failures()) };
    assert_eq!(failure.input, b"19");
    assert_eq!(explorer.counts().misshapen, 1);
    assert!(explorer.report().unfollowed.is_empty());
}

#[test]
fn with_a_shape_of_many_inputs_those_that_do_not_have_it_are_not_run() {
    let (explorer, mut judge) = explorer(MAGIC_DIGITS, Options::default());
    let mut explorer = explorer.with_shape(Box::new(Digits));
    (100..200).for_each(|number| explorer.add(number.to_string().as_bytes()));
    (100..200).for_each(|number| explorer.add(format!("{number:x}-longer").as_bytes()));
    let mut misshapen = 0;
    while let event = explorer.step(&mut judge)
        && event != Event::Finished
    {
        let Event::Ran { input, edges, .. } = event else { continue };
        if !input.iter().all(u8::is_ascii_digit) {
            misshapen += 1;
            assert_eq!(edges, 0);
        }
    }
    assert_eq!((misshapen, explorer.counts().misshapen), (100, 100));
}

/// Digits, of which there may be more.
struct MoreDigits;

impl Shape for MoreDigits {
    fn allowed(&mut self, input: &[u8], of: Option<&[ByteSet]>) -> Option<Vec<ByteSet>> {
        Digits.allowed(input, of)
    }

    fn reshaped(&mut self, input: &[u8], number: u64, most: usize) -> Vec<Vec<u8>> {
        let longer = [input, &b"0000"[..number as usize % 4 + 1]].concat();
        if longer.len() > most { Vec::new() } else { vec![longer] }
    }
}

#[test]
fn where_shape_is_what_blocks_inputs_get_other_shapes() {
    let (explorer, mut judge) = explorer(MAGIC_DIGITS, Options::new().max_length(9));
    let mut explorer = explorer.with_shape(Box::new(MoreDigits));
    explorer.add(b"00");
    let mut steps = 0;
    while explorer.step(&mut judge) != Event::Finished {
        steps += 1;
        assert!(steps < 1000, "{:?}", explorer.counts());
    }
    let [failure] = explorer.failures() else { panic!("{:?}", explorer.failures()) };
    assert!(failure.input.len() > 6);
    assert_eq!(failure.input[6], b'7');
    assert_eq!(explorer.counts().misshapen, 0);
}

const MAGIC_DIGITS: &str = "define i32 @entry(ptr %d, i64 %n) {
start:
  %long = icmp ugt i64 %n, 6
  br i1 %long, label %check, label %end
check:
  %p = getelementptr i8, ptr %d, i64 6
  %x = load i8, ptr %p
  %is = icmp eq i8 %x, 55
  br i1 %is, label %found, label %end
found:
  call void @abort()
  unreachable
end:
  ret i32 0
}
declare void @abort()
";

/// The program that reads settings, built once.
fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("settings");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/settings.rs");
        let target = Target::Function { file: copied(&source, &folder), function: "read".into() };
        let built = Builder::new(folder.join("kept")).build(&target);
        built.unwrap_or_else(|error| panic!("{error}"))
    })
}

fn settings() -> Subject {
    let bounds = Bounds::new().steps(5_000_000);
    Subject::open(built(), bounds, SymbolicLimits::default()).expect("it begins")
}

#[test]
fn the_conditions_of_a_whole_programs_paths_hold_for_its_inputs() {
    let mut subject = settings();
    let inputs = [
        "",
        "=",
        "width=12",
        "width=4242",
        "width=99999999",
        "date=31-2",
        "date=4-12",
        "list=[[]]",
        "list=[[[]]]",
        "kind=eg",
        "kind=e",
        "name=one",
        "name=1.5e3",
        "name=ß€😀",
        "  width =+7",
        "date=ßß-ß",
        "no setting at all, and long enough that words are compared eight bytes at once",
    ];
    let mut decisions = 0;
    for input in inputs {
        let run = subject.run(input.as_bytes(), None);
        assert_path_holds(&mut subject, input.as_bytes(), &run);
        decisions += run.trail.decisions.len();
        if input.starts_with("name=") {
            let lost = |loss| run.trail.lost.keys().any(|&(_, known)| known == loss);
            assert!(lost(Loss::Address) || lost(Loss::Deep) || lost(Loss::Function), "{input}");
        }
    }
    assert!(decisions > 200, "{decisions} decisions");
}

#[test]
fn reasons_say_why_a_branch_was_taken_one_way_only() {
    let mut explorer = Explorer::new(settings(), Options::default());
    let mut native = built().native.clone();
    explorer.add(b"date=1-1");
    assert!(matches!(explorer.step(&mut native), Event::Ran { .. }));
    let before = explorer.report();
    assert!(before.branches.iter().any(|branch| branch.why == Why::Untried), "{before:?}");
    for _ in 0..1500 {
        explorer.step(&mut native);
    }
    let untried = |report: &pleach_explore::search::Report| {
        report.branches.iter().filter(|branch| branch.why == Why::Untried).count()
    };
    assert!(untried(&explorer.report()) < untried(&before));
}

#[test]
fn what_a_table_gave_is_not_taken_for_another_table() {
    let text = "@a = private constant [4 x i8] c\"wxyz\"
@b = private constant [4 x i8] c\"abcd\"
define i32 @entry(ptr %d, i64 %n) {
start:
  %x = load i8, ptr %d
  %q = getelementptr i8, ptr %d, i64 1
  %y = load i8, ptr %q
  %c = icmp eq i8 %x, 0
  %t = select i1 %c, ptr @a, ptr @b
  %z = and i8 %y, 3
  %i = zext i8 %z to i64
  %p = getelementptr i8, ptr %t, i64 %i
  %l = load i8, ptr %p
  %is = icmp eq i8 %l, 99
  br i1 %is, label %found, label %end
found:
  ret i32 1
end:
  ret i32 0
}
";
    let mut subject = subject(&module(text));
    for input in [[0, 1], [1, 1], [0, 2], [1, 2]] {
        let run = subject.run(&input, None);
        assert_path_holds(&mut subject, &input, &run);
    }
}

#[test]
fn a_case_beyond_what_a_value_can_be_is_not_cut_to_it() {
    let text = "define i32 @entry(ptr %d, i64 %n) {
start:
  %x = load i8, ptr %d
  %c = icmp eq i8 %x, 0
  %v = select i1 %c, i64 0, i64 5
  switch i64 %v, label %other [ i64 -9223372036854775808, label %a
    i64 5, label %b ]
a:
  ret i32 1
b:
  ret i32 2
other:
  ret i32 3
}
";
    let mut subject = subject(&module(text));
    for input in [[0], [1]] {
        let run = subject.run(&input, None);
        assert_path_holds(&mut subject, &input, &run);
    }
}

#[test]
fn a_pinned_value_is_on_the_path_and_is_not_necessary() {
    let text = "@names = private constant [3 x ptr] [ptr @a, ptr @b, ptr @c]
define internal i32 @a() {
start:
  ret i32 1
}
define internal i32 @b() {
start:
  ret i32 2
}
define internal i32 @c() {
start:
  ret i32 3
}
define i32 @entry(ptr %d, i64 %n) {
start:
  %x = load i8, ptr %d
  %in = icmp ult i8 %x, 3
  br i1 %in, label %call, label %end
call:
  %i = zext i8 %x to i64
  %p = getelementptr ptr, ptr @names, i64 %i
  %f = load ptr, ptr %p
  %r = call i32 %f()
  ret i32 %r
end:
  ret i32 0
}
";
    let module = module(text);
    let mut subject = subject(&module);
    let run = subject.run(&[1], None);
    assert_path_holds(&mut subject, &[1], &run);
    let pinned: Vec<_> = run.trail.decisions.iter().filter(|it| !it.is_necessary()).collect();
    assert!(pinned.iter().any(|it| matches!(it.kind, Kind::Pinned(_))), "{pinned:?}");
    // All three are called in the end.
    let mut explorer = Explorer::new(subject, Options::default());
    explorer.add(&[1]);
    let mut judge = InMachine(module);
    let mut called = std::collections::BTreeSet::new();
    while let event = explorer.step(&mut judge)
        && event != Event::Finished
    {
        if let Event::Ran { input, .. } = event {
            called.extend(input.first().filter(|&&it| it < 3).copied());
        }
    }
    assert_eq!(called.len(), 3);
}

#[test]
fn a_search_without_a_function_leaves_its_branches_as_they_are() {
    let text = "define i32 @entry(ptr %d, i64 %n) {
start:
  %long = icmp ugt i64 %n, 1
  br i1 %long, label %first, label %end
first:
  %a = load i8, ptr %d
  %is = icmp eq i8 %a, 97
  br i1 %is, label %second, label %end
second:
  %p = getelementptr i8, ptr %d, i64 1
  %b = load i8, ptr %p
  call void @inner(i8 %b)
  br label %end
end:
  ret i32 0
}
define void @inner(i8 %b) {
start:
  %is = icmp eq i8 %b, 7
  br i1 %is, label %found, label %end
found:
  call void @abort()
  unreachable
end:
  ret void
}
declare void @abort()
";
    let inner = module(text).find_function("inner").expect("it is there");
    for (options, failures) in [(Options::new(), 1), (Options::new().without([inner]), 0)] {
        let (mut explorer, mut judge) = explorer(text, options);
        explorer.add(b"xx");
        let mut inputs = Vec::new();
        for _ in 0..1000 {
            match explorer.step(&mut judge) {
                Event::Finished => break,
                Event::Ran { input, .. } => inputs.push(input),
                Event::Asked { .. } => {}
            }
        }
        assert!(inputs.iter().any(|input| input.first() == Some(&b'a')), "{inputs:?}");
        assert_eq!(explorer.failures().len(), failures, "{inputs:?}");
    }
}

#[test]
fn what_is_assumed_holds_for_all_that_is_made_also_when_terms_are_forgotten() {
    let mut terms = Terms::new(100);
    let (first, most) = (terms.variable(0, 8), terms.constant(8, 50));
    let holds = terms.compare(Compare::Ult, first, most);
    let assumed = Assumption { terms: Arc::new(terms), holds };
    let module = module(LOOP);
    let limits = SymbolicLimits::new().terms(256);
    let subject = Subject::new(Arc::clone(&module), &ENTRY, Bounds::default(), limits).unwrap();
    let mut explorer = Explorer::new(subject, Options::new().assumed([assumed]));
    explorer.add(b"\x20eed");
    // Nothing is made of what does not fulfil it.
    explorer.add(b"\xf0eed");
    let (mut made, mut judge) = (0, InMachine(module));
    for _ in 0..2000 {
        if let Event::Ran { input, .. } = explorer.step(&mut judge) {
            made += u64::from(explorer.counts().forgotten > 0);
            let is_as_assumed = input.first().is_none_or(|&first| first < 50);
            assert!(is_as_assumed || input == b"\xf0eed", "{}", input.escape_ascii());
        }
    }
    assert!(made > 10, "{:?}", explorer.counts());
}
