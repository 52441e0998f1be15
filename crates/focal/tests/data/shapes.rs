//! Failures of several shapes: the first sign says which.

/// What the text comes to.
pub fn shapes(text: &[u8]) -> u32 {
    match text.split_first() {
        Some((b'1', rest)) => figure(rest),
        Some((b'2', rest)) => sum(rest),
        Some((b'3', rest)) => setting(rest),
        Some((b'4', rest)) => rank(rest),
        Some((b'5', rest)) => gates(rest),
        Some((b'6', rest)) => painted(rest),
        Some((b'7', rest)) => parted(rest),
        Some((b'8', rest)) => numbered(rest),
        Some((b'9', rest)) => ended(rest),
        Some((b'0', rest)) => told(rest),
        _ => 0,
    }
}

/// A caller of two: one is called by the other, too, and never as it would have to be by this one.
fn figure(text: &[u8]) -> u32 {
    let Ok(signs) = <[u8; 6]>::try_from(text) else { return 0 };
    if signs[0] == b'b' { word(signs) } else { kinds(signs) }
}

/// Of six signs there are 4,096 paths.
fn kinds(signs: [u8; 6]) -> u32 {
    let mut all = 0;
    for sign in signs {
        all += match sign {
            b'a'..=b'm' => 1,
            b'n'..=b'z' => 2,
            b'0'..=b'9' => 3,
            _ => 4,
        };
    }
    all + word(signs)
}

fn word(signs: [u8; 6]) -> u32 {
    let key = *b"p3-c1t";
    let mut at = 0;
    while at < 6 {
        if signs[at] != key[at] {
            return 1;
        }
        at += 1;
    }
    1000 / (6 - at as u32)
}

/// A loop over the input computes what the failure depends on.
fn sum(text: &[u8]) -> u32 {
    let mut sum = 0u32;
    for &byte in text {
        sum = match byte {
            b'+' => sum + 2,
            b'0'..=b'9' => 2 * sum % 997 + u32::from(byte - b'0'),
            _ => sum,
        };
    }
    evaluate(sum)
}

fn evaluate(sum: u32) -> u32 {
    100 / (sum ^ 78)
}

/// Strings are taken apart, compared and read.
fn setting(text: &[u8]) -> u32 {
    let Ok(text) = str::from_utf8(text) else { return 0 };
    let Some((name, value)) = text.split_once('=') else { return 0 };
    let factor = match name {
        "size" => 2,
        "depth" => 3,
        _ => 1,
    };
    value.parse::<u8>().map_or(0, |value| width(factor, value))
}

fn width(factor: u32, value: u8) -> u32 {
    if factor == 3 { 60 / (u32::from(value) ^ 173) } else { factor }
}

/// How much a sign weighs.
static WEIGHTS: [u8; 32] = [
    7, 3, 9, 1, 4, 8, 2, 6, 5, 0, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71,
    73, 79, 83, 89, 97, 101,
];

fn rank(text: &[u8]) -> u32 {
    let Ok([first, second]) = <[u8; 2]>::try_from(text) else { return 0 };
    balance(weight(first), weight(second))
}

fn weight(sign: u8) -> u8 {
    WEIGHTS[usize::from(sign & 31)]
}

fn balance(left: u8, right: u8) -> u32 {
    if left == 97 { 10 / u32::from(right ^ 61) } else { 1 }
}

/// Behind its first gates it gives the callee one of both that the failure needs, and behind all of them both.
fn gates(text: &[u8]) -> u32 {
    let Ok(signs) = <[u8; 12]>::try_from(text) else { return 0 };
    if (signs[0] ^ signs[1]) != 0x11 {
        return pair(signs[9], signs[10] & 15);
    }
    if (signs[1] ^ signs[2]) != 0x32 {
        return pair(signs[9], signs[10] & 15);
    }
    if (signs[2] ^ signs[3]) != 0x13 {
        return pair(signs[9], signs[10] & 15);
    }
    if (signs[3] ^ signs[4]) != 0x24 {
        return pair(signs[9], signs[10] & 15);
    }
    if (signs[4] ^ signs[5]) != 0x35 {
        return pair(signs[9], signs[10] & 15);
    }
    if (signs[5] ^ signs[6]) != 0x16 {
        return pair(signs[9] & 15, signs[10] ^ signs[11]);
    }
    if (signs[6] ^ signs[7]) != 0x27 {
        return pair(signs[9] & 15, signs[10] ^ signs[11]);
    }
    pair(signs[9], signs[10] ^ signs[11])
}

fn pair(left: u8, right: u8) -> u32 {
    if left == b'q' && right > 1 { 1000 / u32::from(right ^ 0x55) } else { 1 }
}

trait Paint {
    fn paint(&self, text: &[u8]) -> u32;
}

struct Plain;
struct Striped(u8);

impl Paint for Plain {
    fn paint(&self, text: &[u8]) -> u32 {
        text.len() as u32
    }
}

impl Paint for Striped {
    fn paint(&self, text: &[u8]) -> u32 {
        stripes(self.0, text)
    }
}

/// What is called is known only when it runs.
fn painted(text: &[u8]) -> u32 {
    let Some((&first, rest)) = text.split_first() else { return 0 };
    let paint: Box<dyn Paint> =
        if first > b'm' { Box::new(Striped(first)) } else { Box::new(Plain) };
    paint.paint(rest)
}

fn stripes(width: u8, text: &[u8]) -> u32 {
    match text {
        [b'/', last, ..] if *last == width => 8 / u32::from(width ^ b'x'),
        _ => 2,
    }
}

/// Three callers, of which each gives parts of a length of its own, and the last one alone what makes the call fail.
fn parted(text: &[u8]) -> u32 {
    let Ok(signs) = <&[u8; 9]>::try_from(text) else { return 0 };
    small(&signs[..2]) + middle(&signs[2..5]) + large(&signs[5..])
}

fn small(part: &[u8]) -> u32 {
    if part.contains(&b'!') { 0 } else { marks(part) }
}

fn middle(part: &[u8]) -> u32 {
    if part.contains(&b'!') { 0 } else { marks(part) }
}

fn large(part: &[u8]) -> u32 {
    if part.starts_with(b"z") { 0 } else { marks(part) }
}

fn marks(part: &[u8]) -> u32 {
    let mut all = 0;
    for &sign in part {
        assert!(sign != b'!', "a mark");
        all += u32::from(sign.is_ascii_lowercase());
    }
    all
}

/// How many signs were taken: no byte of the input, and yet what decides.
struct Count(u32);

fn numbered(text: &[u8]) -> u32 {
    let Ok(signs) = <[u8; 3]>::try_from(text) else { return 0 };
    let mut count = Count(0);
    passed(&mut count, signs[0]) + passed(&mut count, signs[1]) + passed(&mut count, signs[2])
}

fn passed(count: &mut Count, sign: u8) -> u32 {
    taken(count, sign)
}

fn taken(count: &mut Count, sign: u8) -> u32 {
    count.0 += 1;
    match sign {
        b'!' if count.0 == 2 => 8 / u32::from(sign ^ b'!'),
        _ => 1,
    }
}

/// Ends in several ways.
fn ended(text: &[u8]) -> u32 {
    let Ok([way, value]) = <[u8; 2]>::try_from(text) else { return 0 };
    end(way, value)
}

fn end(way: u8, value: u8) -> u32 {
    match way {
        b'a' if value == 0x8d => std::process::abort(),
        b'o' => u32::from(value + 47),
        b'i' => u32::from(WEIGHTS[usize::from(value & 63)]),
        b'u' if value == b'!' => unreachable!("nobody asks so"),
        b's' => {
            assert_ne!(value ^ way, 0x11, "as its author has it");
            1
        }
        _ => 0,
    }
}

/// Fails by what a callee has decided.
fn told(text: &[u8]) -> u32 {
    let Ok([left, right]) = <[u8; 2]>::try_from(text) else { return 0 };
    decide(left, right)
}

fn decide(left: u8, right: u8) -> u32 {
    match verdict(left, right).len() {
        5 => panic!("it is found guilty"),
        length => length as u32,
    }
}

#[inline(never)]
fn verdict(left: u8, right: u8) -> String {
    if left ^ right == 0x55 { "wrong".to_owned() } else { format!("right by {left}") }
}
