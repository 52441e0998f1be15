//! The machine as the oracle of the terms: a term that was made on one input has on another input the value that the
//! machine computes from that.

use pleach_concolic::ir::Module;
use pleach_concolic::vm::{Domain, Machine, Options, Outcome, Plain, Source};
use pleach_explore::subject::model;
use pleach_explore::symbolic::{Symbolic, SymbolicLimits};
use std::sync::Arc;

const BYTES: usize = 64;

/// A function of four numbers of `W` bits, and of what type the result is.
struct Case {
    lines: &'static str,
    result: &'static str,
}

const fn case(lines: &'static str, result: &'static str) -> Case {
    Case { lines, result }
}

/// `W` is the width; a shift is by less.
const ANY: &[Case] = &[
    case("%r = add iW %a, %b", "iW"),
    case("%r = sub iW %a, %b", "iW"),
    case("%r = mul iW %a, %b", "iW"),
    case("%r = udiv iW %a, %b", "iW"),
    case("%r = urem iW %a, %b", "iW"),
    case("%r = sdiv iW %a, %b", "iW"),
    case("%r = srem iW %a, %b", "iW"),
    case("%r = and iW %a, %b", "iW"),
    case("%r = or iW %a, %b", "iW"),
    case("%r = xor iW %a, %b", "iW"),
    case("%s = urem iW %b, MOST\n%r = shl iW %a, %s", "iW"),
    case("%s = urem iW %b, MOST\n%r = lshr iW %a, %s", "iW"),
    case("%s = urem iW %b, MOST\n%r = ashr iW %a, %s", "iW"),
    case("%r = icmp eq iW %a, %b", "i1"),
    case("%r = icmp ne iW %a, %b", "i1"),
    case("%r = icmp ult iW %a, %b", "i1"),
    case("%r = icmp ule iW %a, %b", "i1"),
    case("%r = icmp ugt iW %a, %b", "i1"),
    case("%r = icmp uge iW %a, %b", "i1"),
    case("%r = icmp slt iW %a, %b", "i1"),
    case("%r = icmp sle iW %a, %b", "i1"),
    case("%r = icmp sgt iW %a, %b", "i1"),
    case("%r = icmp sge iW %a, %b", "i1"),
    case("%c1 = icmp ult iW %a, %b\n%r = select i1 %c1, iW %c, iW %a", "iW"),
    case(
        "%c1 = icmp slt iW %a, %b\n%s = select i1 %c1, i8 7, i8 -56\n%r = sext i8 %s to i64",
        "i64",
    ),
    case(
        "%p = call {iW, i1} @llvm.uadd.with.overflow.iW(iW %a, iW %b)\n%r = extractvalue {iW, i1} %p, 0",
        "iW",
    ),
    case(
        "%p = call {iW, i1} @llvm.uadd.with.overflow.iW(iW %a, iW %b)\n%r = extractvalue {iW, i1} %p, 1",
        "i1",
    ),
    case(
        "%p = call {iW, i1} @llvm.sadd.with.overflow.iW(iW %a, iW %b)\n%r = extractvalue {iW, i1} %p, 1",
        "i1",
    ),
    case(
        "%p = call {iW, i1} @llvm.usub.with.overflow.iW(iW %a, iW %b)\n%r = extractvalue {iW, i1} %p, 1",
        "i1",
    ),
    case(
        "%p = call {iW, i1} @llvm.ssub.with.overflow.iW(iW %a, iW %b)\n%r = extractvalue {iW, i1} %p, 1",
        "i1",
    ),
    case(
        "%p = call {iW, i1} @llvm.umul.with.overflow.iW(iW %a, iW %b)\n%r = extractvalue {iW, i1} %p, 1",
        "i1",
    ),
    case(
        "%p = call {iW, i1} @llvm.smul.with.overflow.iW(iW %a, iW %b)\n%r = extractvalue {iW, i1} %p, 1",
        "i1",
    ),
    case(
        "%p = call {iW, i1} @llvm.umul.with.overflow.iW(iW %a, iW 10)\n%r = extractvalue {iW, i1} %p, 1",
        "i1",
    ),
    case(
        "%p = call {iW, i1} @llvm.smul.with.overflow.iW(iW 10, iW %a)\n%r = extractvalue {iW, i1} %p, 1",
        "i1",
    ),
    case(
        "%p = call {iW, i1} @llvm.smul.with.overflow.iW(iW %a, iW -3)\n%r = extractvalue {iW, i1} %p, 1",
        "i1",
    ),
    case(
        "%p = call {iW, i1} @llvm.smul.with.overflow.iW(iW %a, iW -1)\n%r = extractvalue {iW, i1} %p, 1",
        "i1",
    ),
    case(
        "%p = call {iW, i1} @llvm.ssub.with.overflow.iW(iW %a, iW %b)\n%r = extractvalue {iW, i1} %p, 0",
        "iW",
    ),
    case(
        "%p = call {iW, i1} @llvm.smul.with.overflow.iW(iW %a, iW %b)\n%r = extractvalue {iW, i1} %p, 0",
        "iW",
    ),
    case("%r = call iW @llvm.uadd.sat.iW(iW %a, iW %b)", "iW"),
    case("%r = call iW @llvm.usub.sat.iW(iW %a, iW %b)", "iW"),
    case("%r = call iW @llvm.sadd.sat.iW(iW %a, iW %b)", "iW"),
    case("%r = call iW @llvm.ssub.sat.iW(iW %a, iW %b)", "iW"),
    case("%s = urem iW %b, MOST\n%r = call iW @llvm.ushl.sat.iW(iW %a, iW %s)", "iW"),
    case("%s = urem iW %b, MOST\n%r = call iW @llvm.sshl.sat.iW(iW %a, iW %s)", "iW"),
    case("%r = call iW @llvm.umin.iW(iW %a, iW %b)", "iW"),
    case("%r = call iW @llvm.umax.iW(iW %a, iW %b)", "iW"),
    case("%r = call iW @llvm.smin.iW(iW %a, iW %b)", "iW"),
    case("%r = call iW @llvm.smax.iW(iW %a, iW %b)", "iW"),
    case("%r = call i8 @llvm.ucmp.i8.iW(iW %a, iW %b)", "i8"),
    case("%r = call i8 @llvm.scmp.i8.iW(iW %a, iW %b)", "i8"),
    case("%r = call iW @llvm.abs.iW(iW %a, i1 false)", "iW"),
    case("%r = call iW @llvm.ctpop.iW(iW %a)", "iW"),
    case("%r = call iW @llvm.ctlz.iW(iW %a, i1 false)", "iW"),
    case("%r = call iW @llvm.cttz.iW(iW %a, i1 false)", "iW"),
    case("%r = call iW @llvm.bitreverse.iW(iW %a)", "iW"),
    case("%r = call iW @llvm.fshl.iW(iW %a, iW %b, iW %c)", "iW"),
    case("%r = call iW @llvm.fshr.iW(iW %a, iW %b, iW %c)", "iW"),
    case("%r = sext iW %a to i128", "i128"),
    case("%r = zext iW %a to i128", "i128"),
    case("%r = trunc iW %a to i1", "i1"),
    case(
        "store iW %a, ptr %o\n%q = atomicrmw nand ptr %o, iW %b seq_cst\n%r = load iW, ptr %o",
        "iW",
    ),
    case(
        "store iW %a, ptr %o\n%q = atomicrmw max ptr %o, iW %b seq_cst\n%r = load iW, ptr %o",
        "iW",
    ),
    case(
        "store iW %a, ptr %o\n%q = atomicrmw min ptr %o, iW %b seq_cst\n%r = load iW, ptr %o",
        "iW",
    ),
    case(
        "store iW %a, ptr %o\n%q = atomicrmw umax ptr %o, iW %b seq_cst\n%r = load iW, ptr %o",
        "iW",
    ),
    case(
        "store iW %a, ptr %o\n%q = atomicrmw umin ptr %o, iW %b seq_cst\n%r = load iW, ptr %o",
        "iW",
    ),
    case(
        "store iW %a, ptr %o\n%q = atomicrmw xchg ptr %o, iW %b seq_cst\n%r = xor iW %q, %c",
        "iW",
    ),
];

/// Of one width only.
const OTHERS: &[(u32, Case)] = &[
    (16, case("%r = call i16 @llvm.bswap.i16(i16 %a)", "i16")),
    (32, case("%r = call i32 @llvm.bswap.i32(i32 %a)", "i32")),
    (128, case("%r = call i128 @llvm.bswap.i128(i128 %a)", "i128")),
    (
        64,
        case(
            "%v = bitcast i64 %a to <8 x i8>\n%x = extractelement <8 x i8> %v, i64 5\n%r = zext i8 %x to i64",
            "i64",
        ),
    ),
    (
        64,
        case(
            "%v = bitcast i64 %a to <4 x i16>\n%w = bitcast i64 %b to <4 x i16>\n%s = add <4 x i16> %v, %w\n%r = bitcast <4 x i16> %s to i64",
            "i64",
        ),
    ),
    (
        128,
        case(
            "%v = bitcast i128 %a to <16 x i8>\n%m = icmp sgt <16 x i8> %v, zeroinitializer\n%r = bitcast <16 x i1> %m to i16",
            "i16",
        ),
    ),
    (
        64,
        case(
            "%v = bitcast i64 %a to <4 x i16>\n%r = call i16 @llvm.vector.reduce.smax.v4i16(<4 x i16> %v)",
            "i16",
        ),
    ),
    (
        64,
        case(
            "%v = bitcast i64 %a to <4 x i16>\n%r = call i16 @llvm.vector.reduce.umin.v4i16(<4 x i16> %v)",
            "i16",
        ),
    ),
    (
        64,
        case(
            "%v = bitcast i64 %a to <4 x i16>\n%r = call i16 @llvm.vector.reduce.add.v4i16(<4 x i16> %v)",
            "i16",
        ),
    ),
    (
        64,
        case(
            "%i = and i64 %a, 7\n%p = getelementptr i8, ptr %d, i64 %i\n%x = load i8, ptr %p\n%r = zext i8 %x to i64",
            "i64",
        ),
    ),
    (
        8,
        case(
            "%i = zext i8 %u to i64\n%p = getelementptr [256 x i16], ptr @table, i64 0, i64 %i\n%r = load i16, ptr %p",
            "i16",
        ),
    ),
    (
        8,
        case(
            "%i = zext i8 %a to i64\n%p = getelementptr {i8, i32}, ptr @pairs, i64 %i, i32 1\n%r = load i32, ptr %p",
            "i32",
        ),
    ),
    (64, case("%q = call i32 @memcmp(ptr %d, ptr %e, i64 8)\n%r = icmp slt i32 %q, 0", "i1")),
    (64, case("%q = call i32 @bcmp(ptr %d, ptr %e, i64 3)\n%r = icmp eq i32 %q, 0", "i1")),
    (
        8,
        case(
            "%q = zext i8 %b to i32\n%x = call ptr @memchr(ptr %d, i32 %q, i64 9)\n%y = ptrtoint ptr %x to i64\n%z = ptrtoint ptr %d to i64\n%n = icmp eq i64 %y, 0\n%w = sub i64 %y, %z\n%r = select i1 %n, i64 -1, i64 %w",
            "i64",
        ),
    ),
    (
        8,
        case(
            "%q = zext i8 %b to i32\n%x = call ptr @memrchr(ptr %d, i32 %q, i64 9)\n%y = ptrtoint ptr %x to i64\n%z = ptrtoint ptr %d to i64\n%n = icmp eq i64 %y, 0\n%w = sub i64 %y, %z\n%r = select i1 %n, i64 -1, i64 %w",
            "i64",
        ),
    ),
];

const WIDE: &[&str] = &[
    "%w = add i256 %x, %y",
    "%w = sub i256 %x, %y",
    "%w = mul i256 %x, %y",
    "%w = and i256 %x, %y",
    "%w = or i256 %x, %y",
    "%w = xor i256 %x, %y",
    "%s = zext i8 %u to i256\n%w = shl i256 %x, %s",
    "%s = zext i8 %u to i256\n%w = lshr i256 %x, %s",
];

/// The reader wants instructions to begin behind the margin.
fn indented(text: &str) -> String {
    let line = |line: &str| match line.starts_with(['%', 's', 'r']) && line != "start:" {
        true => format!("  {line}\n"),
        false => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

fn text(width: u32, case: &Case) -> String {
    let lines = case.lines.replace("iW", &format!("i{width}")).replace("MOST", &width.to_string());
    let result = case.result.replace("iW", &format!("i{width}"));
    let table: Vec<String> = (0..256).map(|i| format!("i16 {}", i * i / 3)).collect();
    let pairs: Vec<String> =
        (0..256).map(|i| format!("{{i8, i32}} {{i8 {i}, i32 {}}}", i / 40 * 1_000_003)).collect();
    let text = format!(
        "@table = private constant [256 x i16] [{}]\n@pairs = private constant [256 x {{i8, i32}}] [{}]\n\
         define void @f(ptr %d, ptr %o) {{\nstart:\n%e = getelementptr i8, ptr %d, i64 16\n\
         %pc = getelementptr i8, ptr %d, i64 32\n%pu = getelementptr i8, ptr %d, i64 48\n\
         %a = load i{width}, ptr %d\n%b = load i{width}, ptr %e\n%c = load i{width}, ptr %pc\n\
         %u = load i8, ptr %pu\n{lines}\nstore {result} %r, ptr %o\nret void\n}}\n\
         declare i32 @memcmp(ptr, ptr, i64)\ndeclare i32 @bcmp(ptr, ptr, i64)\n\
         declare ptr @memchr(ptr, i32, i64)\ndeclare ptr @memrchr(ptr, i32, i64)\n",
        table.join(", "),
        pairs.join(", ")
    );
    indented(&text)
}

fn wide_text(lines: &str) -> String {
    let text = format!(
        "define void @f(ptr %d, ptr %o) {{\nstart:\n%e = getelementptr i8, ptr %d, i64 16\n\
         %pc = getelementptr i8, ptr %d, i64 32\n%pu = getelementptr i8, ptr %d, i64 48\n\
         %a = load i128, ptr %d\n%b = load i128, ptr %e\n%c = load i128, ptr %pc\n%g = load i128, ptr %pu\n\
         %u = load i8, ptr %pu\n\
         %a2 = zext i128 %a to i256\n%b2 = zext i128 %b to i256\n%b3 = shl i256 %b2, 128\n%x = or i256 %a2, %b3\n\
         %c2 = zext i128 %c to i256\n%g2 = zext i128 %g to i256\n%g3 = shl i256 %g2, 128\n%y = or i256 %c2, %g3\n\
         {lines}\n%low = trunc i256 %w to i128\n%v = lshr i256 %w, 128\n%high = trunc i256 %v to i128\n\
         store i128 %low, ptr %o\n%o2 = getelementptr i8, ptr %o, i64 16\nstore i128 %high, ptr %o2\nret void\n}}\n"
    );
    indented(&text)
}

/// Runs `f` on an input; the result's address, if it returned.
fn run<D: Domain>(machine: &mut Machine<D>, input: &[u8]) -> Option<u64> {
    let data = machine.allocate(input).expect("there is room");
    let out = machine.allocate(&[0; 32]).expect("there is room");
    machine.mark_input(data, BYTES as u64, Source::Input).expect("it is there");
    let f = machine.module().find_function("f").expect("there is an f");
    machine.call(f, &[data.into(), out.into()]);
    match machine.run() {
        Outcome::Returned(_) => Some(out),
        Outcome::Division => None,
        outcome => panic!("{outcome}"),
    }
}

/// Bytes that are often 0, all ones, the least or the greatest number, or the same as another.
fn input(random: &mut u64) -> Vec<u8> {
    let mut next = || {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        *random
    };
    let mut bytes: Vec<u8> = (0..BYTES).map(|_| next() as u8).collect();
    for at in [0, 16, 32, 48] {
        let part = &mut bytes[at..at + 16];
        let size = [1, 2, 4, 8, 16][next() as usize % 5];
        match next() % 8 {
            0 => part.fill(0),
            1 => part.fill(0xff),
            2 => {
                part.fill(0);
                part[size - 1] = 0x80;
            }
            3 => {
                part.fill(0xff);
                part[size - 1] = 0x7f;
            }
            4 => part[1..].fill(0),
            _ => {}
        }
        if at > 0 && next().is_multiple_of(4) {
            bytes.copy_within(0..16, at);
        }
    }
    bytes
}

/// A term made on the first input is right on the others.
fn check(text: &str, random: &mut u64) {
    let module = Module::read(text);
    // Without the tables.
    let text = text.split_once("%u = ").map_or(text, |(_, rest)| rest);
    let module = module.unwrap_or_else(|error| panic!("{error} of\n{text}"));
    let module = Arc::new(module);
    let domain = Symbolic::new(Arc::clone(&module), SymbolicLimits::default());
    let mut symbolic =
        Machine::new(Arc::clone(&module), domain, Options::default()).expect("it fits");
    symbolic.domain.begin(None);
    let mut plain = Machine::new(module, Plain, Options::default()).expect("it fits");
    let mut followed = 0;
    for _ in 0..12 {
        let Some(out) = run(&mut symbolic, &input(random)) else { continue };
        let mut shadows = [None; 32];
        symbolic.memory().shadows(out, &mut shadows).expect("it is there");
        let bytes = symbolic.memory().bytes(out, 32).expect("it is there");
        for _ in 0..12 {
            let other = input(random);
            let Some(out) = run(&mut plain, &other) else { continue };
            let expected = plain.memory().bytes(out, 32).expect("it is there");
            let values = model(&other);
            let terms = &symbolic.domain.terms;
            let by_terms: Vec<u8> = shadows
                .iter()
                .zip(&bytes)
                .map(|(shadow, &byte)| {
                    followed += u32::from(shadow.is_some());
                    shadow.map_or(byte, |term| terms.evaluate(term, &values) as u8)
                })
                .collect();
            assert_eq!(by_terms, expected, "on {other:?} of\n{text}");
        }
    }
    assert!(followed > 0, "nothing is followed in\n{text}");
    let trail = symbolic.domain.end(&[]);
    assert!(trail.lost.is_empty(), "{:?} in\n{text}", trail.lost);
}

#[test]
fn terms_have_the_values_that_the_machine_computes() {
    let mut random = 0x1234_5678_9abc_def1;
    for width in [1, 8, 16, 24, 32, 64, 65, 128] {
        for case in ANY {
            // What a constant is wider than has no such case, nor has a type that is no wider.
            let tiny =
                width == 1 && case.lines.contains("with.overflow") && case.lines.contains("10");
            let same = case.lines.contains("to i128") && width == 128
                || case.lines.contains("to i1") && !case.lines.contains("to i128") && width == 1;
            let odd = case.lines.contains("atomicrmw") && ![8, 16, 32, 64].contains(&width);
            if !(tiny || same || odd) {
                check(&text(width, case), &mut random);
            }
        }
    }
    for (width, case) in OTHERS {
        check(&text(*width, case), &mut random);
    }
}

#[test]
fn terms_of_wide_integers_have_the_values_that_the_machine_computes() {
    let mut random = 0x9e37_79b9_7f4a_7c15;
    for lines in WIDE {
        check(&wide_text(lines), &mut random);
    }
}
