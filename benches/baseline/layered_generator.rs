//! The language of `benches/data/layered_plain.pleach` by hand: statements, expressions in eleven
//! binary layers, calls, literals, each alternative as likely as the grammar's weights say.
//!
//! Recursive descent with the tricks of [`super::json64_generator`], and two more. The binary
//! layers are no functions: an operand is followed by an operator of the tightest layer with
//! odds 1 to 15, failing that of the next one with the same odds, and so on, which is what
//! descending through all of them comes to; the first layer that says yes is found by counting
//! trailing zeros. A chain of suffixes is counted before its primary is written, since the
//! grammar's left recursion decides from the outside in.

use pleach::Entropy;

/// How deep expressions and blocks nest before the shortest stands instead. The language is
/// subcritical, and no sentence gets there in practice; the check is what real code needs.
const DEEPEST: u32 = 256;

/// A text of at most 16 bytes: all are copied, the length says how many are kept.
type Text = ([u8; 16], u8);

const fn text(from: &str) -> Text {
    let mut bytes = [0; 16];
    let mut at = 0;
    while at < from.len() {
        bytes[at] = from.as_bytes()[at];
        at += 1;
    }
    (bytes, from.len() as u8)
}

/// The operators by layer, the tightest first, and two of each layer.
const BINARY: [[Text; 2]; 11] = [
    [text(" * "), text(" / ")],
    [text(" + "), text(" - ")],
    [text(" << "), text(" >> ")],
    [text(" < "), text(" > ")],
    [text(" == "), text(" != ")],
    [text(" & "); 2],
    [text(" ^ "); 2],
    [text(" | "); 2],
    [text(" && "); 2],
    [text(" || "); 2],
    [text(" ?? "); 2],
];

const ASSIGNMENT: [Text; 8] = [
    text(" = "),
    text(" += "),
    text(" -= "),
    text(" *= "),
    text(" /= "),
    text(" &= "),
    text(" |= "),
    text(" ^= "),
];

const CONSTANT: [Text; 4] = [text("true"), text("false"), text("null"), text("this")];

const LETTERS: [u8; 8] = *b"abcdxyz_";

/// A letter seven times in eight or a digit, for six bits.
const IDENTIFIER: [u8; 64] = letters_and_digits();
/// A letter three times in four or a digit, for five bits.
const CHARACTER: [u8; 32] = letters_and_digits();

/// Digits in the first eight places, letters in turn in the others.
const fn letters_and_digits<const N: usize>() -> [u8; N] {
    let mut table = [0; N];
    let mut at = 0;
    while at < N {
        table[at] = if at < 8 { b'0' + at as u8 } else { LETTERS[at % 8] };
        at += 1;
    }
    table
}

/// Puts one sentence, 32 statements, in place of what `out` holds.
pub fn write<E: Entropy>(words: &mut E, out: &mut Vec<u8>) {
    // All of the buffer is writable at any time; where writing goes on is a local variable.
    out.resize(out.capacity(), 0);
    let mut writer = Writer { words, out };
    let mut at = 0;
    for _ in 0..32 {
        at = writer.statement(at, 0);
        at = writer.put(at, *b"\n");
    }
    out.truncate(at - 1);
}

struct Writer<'a, E> {
    words: &'a mut E,
    out: &'a mut Vec<u8>,
}

/// Each method writes at a place and says where the next byte goes.
impl<E: Entropy> Writer<'_, E> {
    fn statement(&mut self, at: usize, depth: u32) -> usize {
        let word = self.words.next_u64();
        let coin = word >> 63 == 0;
        let at = match word & 15 {
            0..=4 => self.expression(at, depth),
            5..=7 => {
                let at = self.text(at, if coin { text("let ") } else { text("const ") });
                let at = self.identifier(at);
                let at = self.put(at, *b" = ");
                self.expression(at, depth)
            }
            8..=9 => {
                let at = self.identifier(at);
                let at = self.text(at, ASSIGNMENT[(word >> 4) as usize & 7]);
                self.expression(at, depth)
            }
            10 => {
                let at = self.put(at, *b"if (");
                let at = self.expression(at, depth);
                let at = self.block(at, depth);
                if coin {
                    return at;
                }
                let at = self.put(at, *b" else { ");
                return self.items(at, depth);
            }
            11 => {
                let at = self.put(at, *b"while (");
                let at = self.expression(at, depth);
                return self.block(at, depth);
            }
            12 => {
                let at = self.put(at, *b"for (");
                let at = self.identifier(at);
                let at = self.put(at, *b" of ");
                let at = self.expression(at, depth);
                return self.block(at, depth);
            }
            13 if coin => self.put(at, *b"return"),
            13 => {
                let at = self.put(at, *b"return ");
                self.expression(at, depth)
            }
            14 => self.text(at, if coin { text("break") } else { text("continue") }),
            _ => {
                let at = self.put(at, *b"function ");
                let at = self.identifier(at);
                let mut at = self.put(at, *b"(");
                if coin {
                    at = self.identifier(at);
                    for _ in 0..(word >> 4).trailing_zeros() {
                        at = self.put(at, *b", ");
                        at = self.identifier(at);
                    }
                }
                return self.block(at, depth);
            }
        };
        self.put(at, *b";")
    }

    /// A block after a closing parenthesis.
    fn block(&mut self, at: usize, depth: u32) -> usize {
        let at = self.put(at, *b") { ");
        self.items(at, depth)
    }

    fn items(&mut self, at: usize, depth: u32) -> usize {
        let items = if depth == DEEPEST { 0 } else { self.words.next_u64().trailing_zeros() };
        let mut at = at;
        for _ in 0..items {
            at = self.statement(at, depth + 1);
            at = self.put(at, *b" ");
        }
        self.put(at, *b"}")
    }

    fn expression(&mut self, at: usize, depth: u32) -> usize {
        if depth == DEEPEST {
            return self.put(at, *b"a");
        }
        let mut at = at;
        loop {
            at = self.operand(at, depth);
            let word = self.words.next_u64();
            match first_yes(word) {
                layer @ 0..11 => at = self.text(at, BINARY[layer][(word >> 63) as usize]),
                11 => {
                    at = self.put(at, *b" ? ");
                    at = self.expression(at, depth + 1);
                    at = self.put(at, *b" : ");
                }
                _ => return at,
            }
        }
    }

    /// A unary expression: operators, a primary, suffixes.
    fn operand(&mut self, at: usize, depth: u32) -> usize {
        let mut at = at;
        let mut word = self.words.next_u64();
        while word & 15 >= 14 {
            at = match (word & 1, word >> 63) {
                (0, 0) => self.put(at, *b"!"),
                (0, _) => self.put(at, *b"~"),
                _ => self.put(at, *b"typeof "),
            };
            word = self.words.next_u64();
        }
        at = self.primary(at, (word >> 4) & 15, depth);
        // "++" is 1 of the 12 ways in 16 in which the chain ends.
        if (word >> 40) * 12 < 1 << 24 {
            at = self.put(at, *b"++");
        }
        // A suffix for each leading pair of zeros, which is odds 1 to 3.
        let suffixes = ((word >> 8) as u32).trailing_zeros() / 2;
        for _ in 0..suffixes {
            at = self.suffix(at, depth);
        }
        at
    }

    fn suffix(&mut self, at: usize, depth: u32) -> usize {
        let word = self.words.next_u64();
        match word & 3 {
            0 | 1 => {
                let at = self.put(at, *b".");
                self.identifier(at)
            }
            2 => {
                let mut at = self.put(at, *b"(");
                if word & 4 == 0 {
                    at = self.arguments(at, depth);
                }
                self.put(at, *b")")
            }
            _ => {
                let at = self.put(at, *b"[");
                let at = self.expression(at, depth + 1);
                self.put(at, *b"]")
            }
        }
    }

    fn arguments(&mut self, at: usize, depth: u32) -> usize {
        let mut at = self.expression(at, depth + 1);
        for _ in 0..self.words.next_u64().trailing_zeros() / 2 {
            at = self.put(at, *b", ");
            at = self.expression(at, depth + 1);
        }
        at
    }

    #[inline]
    fn primary(&mut self, at: usize, kind: u64, depth: u32) -> usize {
        match kind {
            0..=7 => self.identifier(at),
            8..=10 => self.number(at),
            11..=12 => self.string(at),
            13 => {
                let pick = self.words.next_u64() >> 62;
                self.text(at, CONSTANT[pick as usize])
            }
            14 => {
                let mut at = self.put(at, *b"[");
                if self.words.next_u64() >> 63 == 0 {
                    at = self.arguments(at, depth);
                }
                self.put(at, *b"]")
            }
            _ => {
                let at = self.put(at, *b"(");
                let at = self.expression(at, depth + 1);
                self.put(at, *b")")
            }
        }
    }

    fn identifier(&mut self, at: usize) -> usize {
        let word = self.words.next_u64();
        let at = self.put(at, [LETTERS[(word >> 61) as usize]]);
        self.run(at, word.trailing_zeros() as usize, |word| {
            std::array::from_fn(|i| IDENTIFIER[(word >> (6 * i)) as usize & 63])
        })
    }

    #[inline]
    fn string(&mut self, at: usize) -> usize {
        let at = self.put(at, *b"\"");
        let characters = self.words.next_u64().trailing_zeros() as usize;
        let at = self.run(at, characters, |word| {
            std::array::from_fn(|i| CHARACTER[(word >> (5 * i)) as usize & 31])
        });
        self.put(at, *b"\"")
    }

    #[inline]
    fn number(&mut self, at: usize) -> usize {
        let word = self.words.next_u64();
        let mut at = self.digits(at, word as u32);
        if word >> 62 == 0 {
            at = self.put(at, *b".");
            let word = self.words.next_u64();
            at = self.digits(at, word as u32);
        }
        at
    }

    #[inline]
    fn digits(&mut self, at: usize, length: u32) -> usize {
        self.run(at, length.trailing_zeros() as usize + 1, |word| {
            ((word & 0x0707_0707_0707_0707) + 0x3030_3030_3030_3030).to_le_bytes()
        })
    }

    /// A run of `left` characters, made eight at a time and all eight written.
    #[inline]
    fn run(&mut self, at: usize, left: usize, eight: impl Fn(u64) -> [u8; 8]) -> usize {
        let (mut at, mut left) = (at, left);
        loop {
            let word = self.words.next_u64();
            self.put(at, eight(word));
            if left <= 8 {
                return at + left;
            }
            at += 8;
            left -= 8;
        }
    }

    #[inline]
    fn text(&mut self, at: usize, (bytes, length): Text) -> usize {
        self.put(at, bytes);
        at + usize::from(length)
    }

    #[inline]
    fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> usize {
        if self.out.len() < at + N {
            self.out.resize(2 * (at + N), 0);
        }
        self.out[at..at + N].copy_from_slice(&bytes);
        at + N
    }
}

/// Which of twelve questions is the first to be answered "yes", each with odds 1 to 15: four bits
/// a question, and "yes" is four zeros. From 12 on it is none.
#[inline]
fn first_yes(word: u64) -> usize {
    const LOWEST: u64 = 0x1111_1111_1111;
    let yes = !(word | (word >> 1) | (word >> 2) | (word >> 3)) & LOWEST;
    yes.trailing_zeros() as usize / 4
}
