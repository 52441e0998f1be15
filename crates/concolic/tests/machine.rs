//! The machine on small texts of IR: what instructions do, how runs end, snapshots, traces.

use pleach_concolic::ir::{Compare, Module, Place};
use pleach_concolic::trace::{ComparisonMode, Event, Filter, Profile, Recorder, Tracer, What};
use pleach_concolic::vm::{Domain, Fault, Flow, Machine, Options, Outcome, Plain, Source, Value};
use std::sync::Arc;

fn module(text: &str) -> Arc<Module> {
    Arc::new(Module::read(text).unwrap_or_else(|error| panic!("{error} of\n{text}")))
}

fn machine(text: &str) -> Machine<Plain> {
    let options = Options::new().steps(100_000).stack(1 << 20);
    Machine::new(module(text), Plain, options).expect("variables fit into memory")
}

/// Calls the function `f`.
fn call(text: &str, arguments: &[u128]) -> Outcome {
    let mut machine = machine(text);
    let f = machine.module().find_function("f").expect("there is an f");
    assert_eq!(machine.initialize(), Ok(None));
    machine.call(f, arguments);
    machine.run()
}

fn returned(text: &str, arguments: &[u128]) -> Vec<u128> {
    match call(text, arguments) {
        Outcome::Returned(values) => values,
        outcome => panic!("{outcome} of\n{text}"),
    }
}

/// A function of 64 bits that returns the register `%r`.
fn body(lines: &str) -> String {
    format!("define i64 @f(i64 %a, i64 %b) {{\nstart:\n{lines}\n  ret i64 %r\n}}\n")
}

#[test]
fn registers_that_a_loop_exchanges_are_read_before_they_are_written() {
    let text = "define i64 @f(i64 %n) {
start:
  br label %loop
loop:
  %x = phi i64 [ 1, %start ], [ %y, %loop ]
  %y = phi i64 [ 2, %start ], [ %x, %loop ]
  %i = phi i64 [ 0, %start ], [ %j, %loop ]
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %tens = mul i64 %x, 10
  %r = add i64 %tens, %y
  ret i64 %r
}
";
    assert_eq!(returned(text, &[1]), [12]);
    assert_eq!(returned(text, &[4]), [21]);
}

#[test]
fn a_first_block_without_a_name_has_the_number_behind_the_parameters() {
    let text = "define i64 @f(i64 %0) {
  br label %2
2:
  %3 = phi i64 [ 7, %1 ], [ %4, %2 ]
  %4 = add i64 %3, %0
  %5 = icmp ult i64 %4, 20
  br i1 %5, label %2, label %6
6:
  ret i64 %4
}
";
    assert_eq!(returned(text, &[5]), [22]);
}

#[test]
fn lanes_are_compared_and_packed_into_bits() {
    let text = "define i64 @f(i64 %a, i64 %b) {
start:
  %v = insertelement <4 x i8> <i8 1, i8 2, i8 poison, i8 4>, i8 9, i64 2
  %w = shufflevector <4 x i8> %v, <4 x i8> zeroinitializer, <4 x i32> <i32 3, i32 2, i32 1, i32 4>
  %c = icmp ugt <4 x i8> %w, splat (i8 1)
  %m = bitcast <4 x i1> %c to i4
  %r = zext i4 %m to i64
  ret i64 %r
}
";
    // The lanes are 4, 9, 2, 0.
    assert_eq!(returned(text, &[0, 0]), [0b0111]);
}

#[test]
fn vectors_of_booleans_lie_bit_by_bit_in_memory() {
    let text = body(
        "  %p = alloca [2 x i8], align 2
  store <16 x i1> <i1 true, i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 true>, ptr %p, align 2
  %x = load i16, ptr %p, align 2
  %v = load <16 x i1>, ptr %p, align 2
  %e = extractelement <16 x i1> %v, i64 15
  %z = zext i16 %x to i64
  %s = sext i1 %e to i64
  %r = add i64 %z, %s",
    );
    assert_eq!(returned(&text, &[0, 0]), [0x8105 - 1]);
}

#[test]
fn integers_of_256_bits_are_multiplied() {
    let text = "define i128 @f(i128 %a) {
start:
  %w = zext i128 %a to i256
  %p = mul nuw i256 %w, 76624777043294442917917351357515459181
  %h = lshr i256 %p, 179
  %r = trunc nuw i256 %h to i128
  ret i128 %r
}
";
    // How the standard library divides by ten to the sixteenth.
    let number = 123_456_789_012_345_678_901_234_567_890_123_456u128;
    assert_eq!(returned(text, &[number]), [number / 10_000_000_000_000_000]);
}

#[test]
fn parts_of_aggregates_are_found_in_their_slots() {
    let text = "define i64 @f(i64 %a, i64 %b) {
start:
  %0 = insertvalue { i8, { i64, [2 x i16] } } { i8 3, { i64, [2 x i16] } { i64 4, [2 x i16] [i16 5, i16 6] } }, i64 %a, 1, 0
  %p = alloca { i8, { i64, [2 x i16] } }, align 8
  store { i8, { i64, [2 x i16] } } %0, ptr %p, align 8
  %q = getelementptr inbounds { i8, { i64, [2 x i16] } }, ptr %p, i64 0, i32 1, i32 1, i64 %b
  %x = load i16, ptr %q, align 2
  %y = extractvalue { i8, { i64, [2 x i16] } } %0, 1, 0
  %z = zext i16 %x to i64
  %r = add i64 %y, %z
  ret i64 %r
}
";
    assert_eq!(returned(text, &[100, 1]), [106]);
}

#[test]
fn constants_of_floats_are_exact() {
    let text = "define float @f() {\nstart:\n  %x = fadd float 0x3FB99999A0000000, 1.000000e+00\n  ret float %x\n}\n";
    assert_eq!(returned(text, &[]), [u128::from((0.1f32 + 1.0).to_bits())]);
}

#[test]
fn addresses_in_variables_lead_to_functions_and_their_parts() {
    let text = "@table = private constant [2 x ptr] [ptr @one, ptr @two], align 8
@second = internal global ptr getelementptr inbounds ([2 x ptr], ptr @table, i64 0, i64 1), align 8
@text = constant <{ [3 x i8], [5 x i8] }> <{ [3 x i8] c\"a\\22\\\\\", [5 x i8] zeroinitializer }>, align 1
define internal i64 @one() {\nstart:\n  ret i64 1\n}
define internal i64 @two() {\nstart:\n  ret i64 2\n}
define i64 @f() {
start:
  %p = load ptr, ptr @second, align 8
  %g = load ptr, ptr %p, align 8
  %x = call i64 %g()
  %c = load i32, ptr @text, align 1
  %y = zext i32 %c to i64
  %z = shl i64 %y, 8
  %r = add i64 %z, %x
  ret i64 %r
}
";
    assert_eq!(returned(text, &[]), [0x5c22_6102]);
}

#[test]
fn texts_are_linked_by_their_names_and_keep_their_own() {
    let rust = "%pair = type { i64, i64 }
@own = private constant i64 100
@shared = external global i64
define i64 @f() !dbg !1 {
start:
  %p = alloca %pair
  store i64 5, ptr %p
  %x = call i64 @other(ptr byval(%pair) align 8 %p), !dbg !2
  %y = load i64, ptr %p
  %z = load i64, ptr @own
  %s = load i64, ptr @shared
  %a = add i64 %x, %y
  %b = add i64 %a, %z
  %r = add i64 %b, %s
  ret i64 %r
}
declare i64 @other(ptr)
define weak i64 @hook() {\n  ret i64 0\n}
!0 = !DIFile(filename: \"rust.rs\", directory: \"/d\")
!1 = distinct !DISubprogram(name: \"f\", file: !0, line: 1)
!2 = !DILocation(line: 7, column: 3, scope: !1)
";
    let c = "%pair = type { i64, i64 }
@own = private constant i64 2000
@shared = global i64 30000
define i64 @other(ptr byval(%pair) align 8 %0) {
  %2 = load i64, ptr @own
  %3 = load i64, ptr %0, !dbg !2
  store i64 7, ptr %0
  %4 = add i64 %2, %3
  %5 = call i64 @hook()
  %6 = add i64 %4, %5
  ret i64 %6
}
define i64 @hook() {\n  ret i64 400000\n}
!0 = !DIFile(filename: \"c.c\", directory: \"/d\")
!1 = distinct !DISubprogram(name: \"other\", file: !0, line: 1)
!2 = !DILocation(line: 9, column: 3, scope: !1)
";
    let module = Arc::new(Module::read_all(&[rust, c]).expect("both are IR"));
    let mut machine =
        Machine::new(Arc::clone(&module), Plain, Options::default()).expect("it fits");
    machine.call(module.find_function("f").expect("there is an f"), &[]);
    // A copy is passed, so what is written to it is not seen.
    assert_eq!(machine.run(), Outcome::Returned(vec![400_000 + 2000 + 5 + 5 + 100 + 30_000]));
    let places: Vec<_> = module
        .functions()
        .flat_map(|id| module.pcs(id))
        .flat_map(|pc| module.places(pc).map(|place| (place.file, place.line)).collect::<Vec<_>>())
        .collect();
    assert!(places.contains(&("rust.rs", 7)) && places.contains(&("c.c", 9)), "{places:?}");
    let error = Module::read_all(&[c, c]).expect_err("all is there twice");
    assert_eq!((error.text, error.line), (1, 3));
}

#[test]
fn an_alias_lies_where_the_other_one_does() {
    let text = "@at = constant ptr @second, align 8
@pair = internal global { i64, i64 } { i64 3, i64 40 }
@first = alias i64, ptr @pair
@second = weak hidden alias i64, getelementptr inbounds (i8, ptr @again, i64 8)
@again = internal alias i8, ptr @first
@same = unnamed_addr alias i64 (), ptr @one
define internal i64 @one() {\n  ret i64 100\n}
define i64 @f(ptr %p) {
start:
  %w = load i64, ptr @first
  store i64 5, ptr @first
  %x = load i64, ptr @pair
  %p1 = load ptr, ptr @at
  %y = load i64, ptr %p1
  %z = call i64 @same()
  %c = icmp eq ptr @same, @one
  %d = zext i1 %c to i64
  %a = add i64 %w, %x
  %b = add i64 %a, %y
  %e = add i64 %b, %z
  %r = add i64 %e, %d
  ret i64 %r
}
";
    assert_eq!(returned(text, &[0]), [3 + 5 + 40 + 100 + 1]);
}

const EXTERNAL: &str = "@there = extern_weak global i64
@none = extern_weak global i64
@nowhere = external global { i64, i64 }
@there_at = internal global ptr @there
define i64 @f(i64 %a) {
start:
  %n = icmp eq ptr @none, null
  %m = zext i1 %n to i64
  %p = load ptr, ptr @there_at
  %t = icmp eq ptr %p, null
  br i1 %t, label %missing, label %defined
missing:
  %s = icmp eq i64 %a, 0
  br i1 %s, label %end, label %reads
reads:
  %q = getelementptr i8, ptr @nowhere, i64 8
  %v = load i64, ptr %q
  ret i64 %v
defined:
  %x = load i64, ptr @there
  %y = add i64 %x, %m
  ret i64 %y
end:
  ret i64 %m
}
";

#[test]
fn a_weak_variable_may_be_missing_and_any_other_says_its_name_when_it_is_read() {
    assert_eq!(returned(EXTERNAL, &[0]), [1]);
    let expected = Outcome::Unsupported { what: "nowhere".into(), line: 0 };
    assert_eq!(call(EXTERNAL, &[1]), expected);
    let other = "@there = global i64 7\n";
    let module = Arc::new(Module::read_all(&[EXTERNAL, other]).expect("both are IR"));
    let f = module.find_function("f").expect("there is an f");
    let mut machine = Machine::new(module, Plain, Options::default()).expect("it fits");
    machine.call(f, &[0]);
    assert_eq!(machine.run(), Outcome::Returned(vec![8]));
}

#[test]
fn the_variables_of_a_section_lie_between_its_bounds_in_a_row() {
    let rust = "@two = global i16 2, section \"words\", align 2
@__start_words = external global [0 x i8]
@__stop_words = external hidden global [0 x i8]
@eight = constant i64 80, section \"words\", align 8
@elsewhere = constant i64 1000, section \"others\", align 8
define i64 @f() {
start:
  %n = sub i64 ptrtoint (ptr @__stop_words to i64), ptrtoint (ptr @__start_words to i64)
  store i16 3, ptr @two
  %a = load i16, ptr @__start_words
  %b = load i64, ptr getelementptr (i8, ptr @__start_words, i64 8)
  %c = load i16, ptr getelementptr (i8, ptr @__stop_words, i64 -4)
  %x = zext i16 %a to i64
  %y = zext i16 %c to i64
  %d = add i64 %x, %b
  %e = add i64 %d, %y
  %m = mul i64 %n, 10000
  %r = add i64 %e, %m
  ret i64 %r
}
";
    let c = "@four = global i32 500, section \"words\", align 4\n";
    let module = Arc::new(Module::read_all(&[rust, c]).expect("both are IR"));
    let f = module.find_function("f").expect("there is an f");
    let mut machine = Machine::new(module, Plain, Options::default()).expect("it fits");
    machine.call(f, &[]);
    assert_eq!(machine.run(), Outcome::Returned(vec![20 * 10_000 + 3 + 80 + 500]));
}

#[test]
fn copies_that_are_passed_end_with_the_call() {
    let text = "%large = type [1000 x i64]
@kept = global ptr null
define void @keeps(ptr byval(%large) align 8 %p) {\n  store ptr %p, ptr @kept\n  ret void\n}
define i64 @f(i64 %n) {
start:
  %p = alloca %large
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %j, %loop ]
  call void @keeps(ptr byval(%large) align 8 %p)
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %end
end:
  %q = load ptr, ptr @kept
  %r = load i64, ptr %q
  ret i64 %r
}
";
    let options = Options::new().memory(100_000);
    let mut machine = Machine::new(module(text), Plain, options).expect("it fits");
    machine.call(machine.module().find_function("f").expect("there is an f"), &[100]);
    let outcome = machine.run();
    assert!(matches!(outcome, Outcome::Memory { fault: Fault::AfterFree, .. }), "{outcome}");
}

#[test]
fn constructors_run_by_their_numbers_and_unknown_sizes_have_the_width_that_is_asked_for() {
    let text = "@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @last, ptr null }, { i32, ptr, ptr } { i32 101, ptr @first, ptr null }]
@word = internal global i64 1
define internal void @first() {\n  %v = load i64, ptr @word\n  %w = mul i64 %v, 10\n  store i64 %w, ptr @word\n  ret void\n}
define internal void @last() {\n  %v = load i64, ptr @word\n  %w = add i64 %v, 3\n  store i64 %w, ptr @word\n  ret void\n}
define i64 @f(ptr %p) {
start:
  %s = call i32 @llvm.objectsize.i32.p0(ptr %p, i1 false, i1 true, i1 false)
  %c = icmp eq i32 %s, -1
  %z = zext i1 %c to i64
  %w = load i64, ptr @word
  %h = mul i64 %w, 10
  %r = add i64 %h, %z
  ret i64 %r
}
";
    assert_eq!(returned(text, &[0]), [131]);
}

/// How `f` ends, of the lines of its body.
fn ends(lines: &str) -> Outcome {
    let declared = "declare ptr @malloc(i64)\ndeclare void @free(ptr)\ndeclare void @abort()\n\
                    declare i32 @pthread_create()\ndeclare i32 @socket(i32)\ndeclare i64 @syscall(i64, ...)\n\
                    declare void @llvm.trap()\ndeclare i64 @nowhere(i64)\n@c = constant i64 1\n";
    call(&format!("{declared}{}", body(lines)), &[0, 0])
}

#[test]
fn each_way_to_fail_is_an_outcome_of_its_own() {
    let fault = |lines: &str| match ends(lines) {
        Outcome::Memory { fault, .. } => fault,
        outcome => panic!("{outcome} of\n{lines}"),
    };
    let heap = "  %p = call ptr @malloc(i64 8)\n";
    let end =
        |at| format!("{heap}  %q = getelementptr i8, ptr %p, i64 {at}\n  %r = load i64, ptr %q\n");
    assert_eq!(fault(&end(1)), Fault::OutOfBounds);
    assert_eq!(fault(&end(-1)), Fault::OutOfBounds);
    assert_eq!(fault("  %r = load i64, ptr null\n"), Fault::Null);
    assert_eq!(fault("  %r = load i64, ptr inttoptr (i64 -8 to ptr)\n"), Fault::Wild);
    let freed = format!("{heap}  call void @free(ptr %p)\n");
    assert_eq!(fault(&format!("{freed}  %r = load i64, ptr %p\n")), Fault::AfterFree);
    assert_eq!(
        fault(&format!("{freed}  call void @free(ptr %p)\n  %r = add i64 0, 0\n")),
        Fault::DoubleFree
    );
    let local = "  %p = alloca i64\n  call void @free(ptr %p)\n  %r = add i64 0, 0\n";
    assert_eq!(fault(local), Fault::NotAllocated);
    assert_eq!(fault("  store i64 2, ptr @c\n  %r = add i64 0, 0\n"), Fault::ReadOnly);
    assert_eq!(fault("  %r = load i64, ptr @f\n"), Fault::Function);
    assert_eq!(fault("  %r = call i64 @c()\n"), Fault::Function);
    assert_eq!(ends("  %r = udiv i64 1, %a\n"), Outcome::Division);
    assert_eq!(ends("  %r = sdiv i64 -9223372036854775808, -1\n"), Outcome::Division);
    assert_eq!(ends("  %r = call i64 @f(i64 %a, i64 %b)\n"), Outcome::StackOverflow);
    assert_eq!(ends("  call void @abort()\n  %r = add i64 0, 0\n"), Outcome::Abort);
    assert_eq!(ends("  call void @llvm.trap()\n  %r = add i64 0, 0\n"), Outcome::Trap);
    assert_eq!(ends("  unreachable\nnext:\n  %r = add i64 0, 0\n"), Outcome::Unreachable);
    assert_eq!(
        ends("  br label %l\nl:\n  br label %l\nm:\n  %r = add i64 0, 0\n"),
        Outcome::Budget
    );
    assert_eq!(
        ends("  %p = call ptr @malloc(i64 1099511627776)\n  %r = add i64 0, 0\n"),
        Outcome::OutOfMemory
    );
    let null = "  %p = call ptr @malloc(i64 -1)\n  %r = ptrtoint ptr %p to i64\n";
    assert_eq!(ends(null), Outcome::Returned(vec![0]));
    assert_eq!(ends("  %x = call i32 @pthread_create()\n  %r = add i64 0, 0\n"), Outcome::Thread);
    assert_eq!(ends("  %x = call i32 @socket(i32 2)\n  %r = add i64 0, 0\n"), Outcome::Socket);
    let waits = "  %p = alloca i32\n  store i32 5, ptr %p\n  %r = call i64 (i64, ...) @syscall(i64 202, ptr %p, i32 128, i32 5)\n";
    assert_eq!(ends(waits), Outcome::Deadlock);
}

#[test]
fn what_is_unknown_fails_when_it_is_executed_and_says_its_line() {
    let lines = "  %x = icmp eq i64 %a, 0\n  br i1 %x, label %good, label %bad\nbad:\n  \
                 %y = frobnicate i64 %a, 1\n  br label %good\ngood:\n  %r = add i64 3, 0\n";
    let text = body(lines);
    assert_eq!(returned(&text, &[0, 0]), [3]);
    match call(&text, &[1, 0]) {
        Outcome::Unsupported { what, line: 6 } => assert!(what.contains("frobnicate"), "{what}"),
        outcome => panic!("{outcome:?}"),
    }
    let missing =
        "declare i64 @nowhere(i64)\n".to_owned() + &body("  %r = call i64 @nowhere(i64 1)\n");
    let expected = Outcome::Unsupported { what: "nowhere".into(), line: 0 };
    assert_eq!(call(&missing, &[0, 0]), expected);
}

#[test]
fn what_is_no_ir_is_an_error_with_its_place() {
    let at = |text: &str| {
        let error = Module::read(text).expect_err("this is no IR");
        (error.line, error.column)
    };
    assert_eq!(at("\nhello\n"), (2, 1));
    assert_eq!(at("@x = global i64 zz\n"), (1, 17));
    assert_eq!(at("define i64 @f() {\nstart:\n  br label %nowhere\n}\n"), (4, 1));
    assert_eq!(at("define i64 @f() {\nstart:\n  ret i64 0\n"), (4, 1));
    assert_eq!(at("@x = global i8 0\n@x = global i8 1\n").0, 2);
}

/// Stops at calls of one function.
#[derive(Clone, Debug)]
struct StopAt(&'static str, Arc<Module>);

impl Domain for StopAt {
    type Shadow = ();
    const SHADOWED: bool = false;
    const WATCHED: bool = true;

    fn call(
        &mut self,
        _: pleach_concolic::ir::Pc,
        callee: pleach_concolic::ir::FunctionId,
        _: &[u128],
        _: &[()],
    ) -> Flow {
        if self.1.source_name(callee) == self.0 { Flow::Pause } else { Flow::Continue }
    }
}

#[test]
fn a_run_is_resumed_from_a_call_any_number_of_times_with_other_arguments_and_memory() {
    let text = "@state = internal global i64 5
define internal i64 @g(i64 %x) {
start:
  %s = load i64, ptr @state
  %t = add i64 %s, 1
  store i64 %t, ptr @state
  %r = mul i64 %x, %s
  ret i64 %r
}
define i64 @f(i64 %n) {
start:
  %x = call i64 @g(i64 %n)
  %y = call i64 @g(i64 %x)
  %r = sub i64 %y, %x
  ret i64 %r
}
";
    let module = module(text);
    let domain = StopAt("g", Arc::clone(&module));
    let mut machine =
        Machine::new(Arc::clone(&module), domain, Options::default()).expect("it fits");
    machine.call(module.find_function("f").expect("there is an f"), &[2]);
    assert_eq!(machine.run(), Outcome::Paused);
    let first = machine.snapshot();
    assert_eq!(machine.run(), Outcome::Paused);
    assert_eq!((machine.frame()[0], machine.depth()), (10, 2));
    let second = machine.snapshot();
    assert_eq!(machine.run(), Outcome::Returned(vec![50]));
    machine.resume(&second);
    machine.frame_mut().0[0] = 7;
    assert_eq!(machine.run(), Outcome::Returned(vec![32]));
    machine.resume(&first);
    let state = machine.memory().read(1 << 32 | 4096, 8);
    assert_eq!(state, Ok(5));
    machine.memory_mut().write(1 << 32 | 4096, 8, 100).expect("it is a variable");
    assert_eq!(machine.run(), Outcome::Paused);
    assert_eq!(machine.run(), Outcome::Returned(vec![200 * 101 - 200]));
    machine.resume(&second);
    assert_eq!(machine.run(), Outcome::Returned(vec![50]));
}

const READS: &str = "declare i64 @read(i32, ptr, i64)
declare i32 @memcmp(ptr, ptr, i64)
@word = constant [3 x i8] c\"abc\"
@table = constant [4 x i8] c\"\\00\\01\\02\\03\"
define internal i64 @look(i64 %i) {
start:
  %p = getelementptr i8, ptr @table, i64 %i
  %x = load i8, ptr %p
  %c = icmp eq i8 %x, 2
  br i1 %c, label %two, label %other
two:
  ret i64 2
other:
  ret i64 0
}
define i64 @f() {
start:
  %b = alloca [8 x i8]
  %n = call i64 @read(i32 0, ptr %b, i64 8)
  %m = call i32 @memcmp(ptr %b, ptr @word, i64 3)
  %z = icmp eq i32 %m, 0
  br i1 %z, label %yes, label %no
yes:
  ret i64 1
no:
  %p = getelementptr i8, ptr %b, i64 4
  %x = load i16, ptr %p
  %d = icmp ugt i16 %x, 1000
  br i1 %d, label %yes, label %small
small:
  %q = getelementptr i8, ptr %b, i64 6
  %y = load i8, ptr %q
  %i = zext i8 %y to i64
  %r = call i64 @look(i64 %i)
  ret i64 %r
}
";

#[test]
fn branches_depend_on_the_bytes_that_were_looked_at() {
    let module = module(READS);
    let depends = |through_addresses| {
        let input = b"abx\0\x02\0\x02".to_vec();
        let options = Options::new().input(input);
        let tracer = Tracer::new(100, through_addresses);
        let mut machine = Machine::new(Arc::clone(&module), tracer, options).expect("it fits");
        assert_eq!(machine.initialize(), Ok(None));
        machine.call(module.find_function("f").expect("there is an f"), &[]);
        assert_eq!(machine.run(), Outcome::Returned(vec![2]));
        let tracer = &machine.domain;
        let look = module.find_function("look").expect("there is a look");
        assert_eq!(tracer.sets.describe(tracer.argument(look, 0)), "input 6");
        let calls = tracer.profile.calls(&module);
        assert_eq!(calls.len(), 1, "{calls:?}");
        assert_eq!((calls[0].callee, calls[0].count, calls[0].indirect), (look, 1, false));
        tracer
            .branches()
            .iter()
            .map(|branch| tracer.sets.describe(branch.bytes))
            .collect::<Vec<_>>()
    };
    assert_eq!(depends(false), ["input 0..3", "input 4..6"]);
    assert_eq!(depends(true), ["input 0..3", "input 4..6", "input 6"]);
}

#[test]
fn what_is_written_to_a_file_and_read_again_depends_on_what_it_was_made_of() {
    let text = "declare i64 @read(i32, ptr, i64)
declare i64 @write(i32, ptr, i64)
declare i64 @lseek64(i32, i64, i32)
declare i32 @open64(ptr, i32, ...)
@path = constant [3 x i8] c\"/n\\00\"
define i64 @f() {
start:
  %b = alloca [8 x i8]
  %n = call i64 @read(i32 0, ptr %b, i64 8)
  %fd = call i32 (ptr, i32, ...) @open64(ptr @path, i32 66, i32 438)
  %x = call i64 @write(i32 %fd, ptr @path, i64 2)
  %w = call i64 @write(i32 %fd, ptr %b, i64 8)
  %s = call i64 @lseek64(i32 %fd, i64 3, i32 0)
  %c = alloca [16 x i8]
  %m = call i64 @read(i32 %fd, ptr %c, i64 2)
  %v = load i16, ptr %c
  %d = icmp ugt i16 %v, 1000
  br i1 %d, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}
";
    let tracer = Tracer::new(100, false);
    let options = Options::new().input(*b"abcdefgh");
    let mut machine = Machine::new(module(text), tracer, options).expect("it fits");
    assert_eq!(machine.initialize(), Ok(None));
    machine.call(machine.module().find_function("f").expect("there is an f"), &[]);
    assert_eq!(machine.run(), Outcome::Returned(vec![1]));
    let branches = machine.domain.branches().iter();
    let bytes: Vec<_> = branches.map(|it| machine.domain.sets.describe(it.bytes)).collect();
    assert_eq!(bytes, ["input 1..3"]);
    assert_eq!(machine.file(b"/n").as_deref(), Some(&b"/nabcdefgh"[..]));
}

#[test]
fn what_the_system_is_asked_by_is_told() {
    let text = "declare i64 @read(i32, ptr, i64)
declare ptr @malloc(i64)
declare ptr @getenv(ptr)
declare i32 @open64(ptr, i32, ...)
declare i32 @nanosleep(ptr, ptr)
declare i64 @strlen(ptr)
define i64 @f() {
start:
  %b = alloca [32 x i8]
  %t = alloca { i64, i64 }
  %n = call i64 @read(i32 0, ptr %b, i64 8)
  %s = load i8, ptr %b
  %z = zext i8 %s to i64
  %m = call ptr @malloc(i64 %z)
  %q = getelementptr i8, ptr %b, i64 1
  %e = call ptr @getenv(ptr %q)
  %r = getelementptr i8, ptr %b, i64 2
  %o = call i32 (ptr, i32, ...) @open64(ptr %r, i32 0)
  store i64 %z, ptr %t
  %w = call i32 @nanosleep(ptr %t, ptr null)
  %l = call i64 @strlen(ptr %r)
  ret i64 %l
}
";
    let (module, tracer) = (module(text), Tracer::new(100, false));
    let options = Options::new().input(*b"\x09NAM");
    let mut machine = Machine::new(Arc::clone(&module), tracer, options).expect("it fits");
    assert_eq!(machine.initialize(), Ok(None));
    let f = module.find_function("f").expect("there is an f");
    machine.call(f, &[]);
    assert_eq!(machine.run(), Outcome::Returned(vec![2]));
    let calls = module.pcs(f).filter(|&at| module.is_call(at));
    let told = calls.map(|at| machine.domain.sets.describe(machine.domain.addresses_at(at)));
    let expected = ["nothing", "input 0", "input 1..4", "input 2..4", "input 0", "nothing"];
    assert_eq!(told.collect::<Vec<_>>(), expected);
}

#[test]
fn work_on_long_texts_is_counted() {
    let text = "declare i64 @strlen(ptr)
declare ptr @getenv(ptr)
@text = global [1000001 x i8] zeroinitializer
define i64 @f() {
start:
  call void @llvm.memset.p0.i64(ptr @text, i8 7, i64 1000000, i1 false)
  %r = call i64 @strlen(ptr @text)
  %e = call ptr @getenv(ptr @text)
  ret i64 %r
}
";
    let mut machine = machine(text);
    assert_eq!(machine.initialize(), Ok(None));
    machine.call(machine.module().find_function("f").expect("there is an f"), &[]);
    assert_eq!(machine.run(), Outcome::Returned(vec![1_000_000]));
    assert!(machine.steps() > 3 * 1_000_000 / 64, "{}", machine.steps());
}

#[test]
fn a_profile_adds_up_over_runs() {
    let module = module(READS);
    let mut profile = Profile::default();
    for input in [&b"abc"[..], b"abd\0\0\xff", b"abc"] {
        let options = Options::new().input(input);
        let mut machine = Machine::new(Arc::clone(&module), profile, options).expect("it fits");
        assert_eq!(machine.initialize(), Ok(None));
        machine.call(module.find_function("f").expect("there is an f"), &[]);
        assert!(matches!(machine.run(), Outcome::Returned(_)));
        profile = machine.domain;
    }
    let counts: Vec<u64> = profile.edges().map(|(_, count)| count).collect();
    assert_eq!(counts, [2, 1, 1], "two equal words, one other, and its two bytes");
}

#[test]
fn a_shadow_is_kept_by_the_memory_that_a_value_is_written_to() {
    let text = "define i64 @f(i64 %a, i64 %b) {
start:
  %p = alloca [16 x i8]
  store i64 %a, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  store i32 0, ptr %q
  %x = load i32, ptr %q
  %y = icmp eq i32 %x, 0
  br i1 %y, label %l, label %l
l:
  %z = load i32, ptr %p
  %w = icmp eq i32 %z, 0
  br i1 %w, label %m, label %m
m:
  ret i64 0
}
";
    let module = module(text);
    let tracer = Tracer::new(10, false);
    let mut machine = Machine::new(module, tracer, Options::default()).expect("it fits");
    machine.call(machine.module().find_function("f").expect("there is an f"), &[0, 0]);
    let byte = machine.domain.sets.byte(Source::Input, 3);
    let (slots, shadows) = machine.frame_mut();
    slots[0] = 9;
    shadows[0] = byte;
    assert_eq!(machine.run(), Outcome::Returned(vec![0]));
    let branches: Vec<_> = machine.domain.branches().iter().map(|b| (b.value, b.bytes)).collect();
    assert_eq!(branches, [(0, byte)], "the upper half was overwritten");
    let _: Value<()> = Value { bits: 0, shadow: () };
}

/// Places in two files, and functions of each: `outer` of one calls `inner` of another, which branches.
const PATH: &str = "
@word = constant [2 x i8] c\"no\"
define i64 @outer(ptr %p) !dbg !3 {
  %r = call i64 @inner(ptr %p), !dbg !6
  %a = load i8, ptr %p, !dbg !6
  %is = icmp ult i8 %a, 7, !dbg !6
  %slot = alloca i8
  %byte = zext i1 %is to i8
  store i8 %byte, ptr %slot
  %back = load i8, ptr %slot
  %bit = trunc i8 %back to i1
  br i1 %bit, label %less, label %more, !dbg !6
less:
  ret i64 %r
more:
  ret i64 0
}
define i64 @inner(ptr %p) !dbg !4 {
start:
  %q = getelementptr i8, ptr %p, i64 1
  %order = call i32 @memcmp(ptr %q, ptr @word, i64 2), !dbg !7
  %same = icmp eq i32 %order, 0, !dbg !7
  br i1 %same, label %end, label %start, !dbg !7
end:
  ret i64 3
}
declare i32 @memcmp(ptr, ptr, i64)
!1 = !DIFile(filename: \"a.rs\", directory: \"/own\")
!2 = !DIFile(filename: \"b.rs\", directory: \"/home/.cargo/registry/src/x/b-1.0.0\")
!3 = distinct !DISubprogram(name: \"outer\", scope: !1, file: !1, line: 1)
!4 = distinct !DISubprogram(name: \"inner\", scope: !2, file: !2, line: 5)
!6 = !DILocation(line: 2, column: 3, scope: !3)
!7 = !DILocation(line: 6, column: 4, scope: !4)
";

/// The events of a run of `outer` on five, `n`, `o`.
fn events(filter: Filter, limit: usize) -> (Vec<Event>, (u64, usize), Recorder) {
    let module = module(PATH);
    let recorder = Recorder::new(module.clone(), filter, limit);
    let mut machine =
        Machine::new(module.clone(), recorder, Options::default()).expect("there is memory");
    assert_eq!(machine.initialize(), Ok(None));
    let place = machine.allocate(b"\x05no").expect("there is memory");
    machine.mark_input(place, 3, Source::Input).expect("it is there");
    machine.call(module.find_function("outer").expect("it is there"), &[place.into()]);
    assert_eq!(machine.run(), Outcome::Returned(vec![3]));
    let recorder = machine.domain;
    (recorder.events().cloned().collect(), recorder.left_out(), recorder)
}

fn filter(shows: fn(&Place<'_>) -> bool, function: Option<&str>) -> Filter {
    let functions = function.into_iter().map(str::to_owned).collect();
    Filter { shows: Box::new(shows), functions, independent: false }
}

fn mode(event: &Event) -> Option<(&ComparisonMode, bool)> {
    match &event.what {
        What::Branch { comparison: Some(it), .. } => Some((&it.mode, it.holds)),
        _ => None,
    }
}

#[test]
fn a_path_has_what_was_compared_also_by_a_function_and_through_memory() {
    let (all, left_out, _) = events(filter(|_| true, None), 100);
    assert_eq!((all.len(), left_out.0), (3, 0), "a call and two branches: {all:?}");
    assert!(matches!(all[0], Event { depth: 0, what: What::Call { .. } }));
    assert_eq!(all[1].depth, 1);
    let texts = [Box::from(*b"no"), Box::from(*b"no")];
    assert_eq!(mode(&all[1]), Some((&ComparisonMode::Bytes(texts), true)));
    assert_eq!(all[2].depth, 0);
    assert_eq!(
        mode(&all[2]),
        Some((&ComparisonMode::Integers(Compare::UnsignedLess, 8, [5, 7]), true))
    );
}

#[test]
fn what_a_path_does_not_show_is_counted_where_it_was() {
    let (own, _, recorder) = events(filter(|place| !place.is_downloaded(), None), 100);
    let What::Hidden { count: 1, bytes } = own[0].what else { panic!("{own:?}") };
    assert_eq!(recorder.sets.describe(bytes), "input 1..3");
    assert!(matches!(own[1].what, What::Branch { .. }) && own.len() == 2, "{own:?}");
    let (inner, _, recorder) = events(filter(|place| !place.is_downloaded(), Some("inner")), 100);
    assert!(matches!(inner[0].what, What::Call { .. }) && inner.len() == 2, "{inner:?}");
    let What::Branch { at, .. } = inner[1].what else { panic!("{inner:?}") };
    assert_eq!(recorder.place(at).map(|place| (place.line, place.column)), Some((6, 4)));
}

#[test]
fn of_a_long_path_the_first_and_the_last_events_are_kept() {
    let (kept, left_out, _) = events(filter(|_| true, None), 1);
    assert_eq!((kept.len(), left_out), (2, (1, 1)));
    assert!(matches!(kept[0].what, What::Call { .. }));
    assert!(matches!(kept[1], Event { depth: 0, what: What::Branch { .. } }));
}
