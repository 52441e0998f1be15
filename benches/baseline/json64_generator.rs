//! `json64` by hand: 64 JSON values in brackets, each alternative of the grammar equally likely.
//!
//! ```text
//! value = object | array | string | number | "true" | "false" | "null" ;
//! object = "{}" | "{" members "}" ;      members = pair | pair "," members ;
//! array = "[]" | "[" elements "]" ;      elements = value | value "," elements ;
//! string = '""' | '"' chars '"' ;        chars = char | char chars ;
//! number = digits | "-" digits | digits "." digits ;   digits = digit | digit digits ;
//! pair = string ":" value ;   char = "a".."f" | "0" | "1" ;   digit = "0".."9" ;
//! ```
//!
//! Recursive descent, as one writes it who wants speed: a fair coin thrown until it shows heads
//! is the count of trailing zeros of one random word, so a run is one draw, with "none" as its
//! first case; characters are taken from further words, many a word; text goes into one reused
//! buffer. A right-recursive chain is a loop, since that is how one would write it.

use super::record::Record;
use pleach::Entropy;
use std::array;

/// How deep values nest before "null" stands instead. A value has 2/7 nested values on average,
/// so no sentence ever gets there; the check is what real code needs.
const DEEPEST: u32 = 64;

/// What a recorded node stands for, in the order in which the grammar's rules are listed.
pub mod symbol {
    /// The 64 values.
    pub const ROOT: u32 = 0;
    /// A rule of the grammar; so are those that follow.
    pub const VALUE: u32 = 1;
    pub const OBJECT: u32 = 2;
    pub const MEMBERS: u32 = 3;
    pub const PAIR: u32 = 4;
    pub const ARRAY: u32 = 5;
    pub const ELEMENTS: u32 = 6;
    pub const STRING: u32 = 7;
    pub const CHARS: u32 = 8;
    pub const CHAR: u32 = 9;
    pub const NUMBER: u32 = 10;
    pub const DIGITS: u32 = 11;
    pub const DIGIT: u32 = 12;
}

/// The characters of a string, twice, for four bits each.
const CHARS: [u8; 16] = *b"abcdef01abcdef01";

/// The literals by the lowest two bits of their alternative, with their lengths.
const LITERALS: [([u8; 8], usize); 4] =
    [(*b"true    ", 4), (*b"false   ", 5), (*b"null    ", 4), (*b"null    ", 4)];

/// More than the longest leaf: a run is at most 65 long, and a number has two of them.
const ROOM: usize = 256;

/// Puts one sentence in place of what `out` holds, and its nodes at the end of `nodes`.
pub fn write<E: Entropy, R: Record>(words: &mut E, out: &mut Vec<u8>, nodes: &mut R) {
    nodes.node(symbol::ROOT, 0);
    // All of the buffer is writable at any time, and where writing goes on is a local variable:
    // a vector's own length would go through memory with every byte.
    out.resize(out.capacity().max(ROOM), 0);
    let mut writer = Writer { words, out, nodes };
    let mut at = writer.byte(0, b'[');
    for _ in 0..64 {
        at = writer.value(at, 0);
        at = writer.byte(at, b',');
    }
    writer.byte(at - 1, b']');
    out.truncate(at);
}

struct Writer<'a, E, R> {
    words: &'a mut E,
    out: &'a mut Vec<u8>,
    nodes: &'a mut R,
}

/// Each method writes at a place and says where the next byte goes.
impl<E: Entropy, R: Record> Writer<'_, E, R> {
    fn value(&mut self, at: usize, depth: u32) -> usize {
        if self.out.len() - at < 2 * ROOM {
            self.out.resize(2 * self.out.len() + 2 * ROOM, 0);
        }
        // One word says which kind and how many: from its upper half and from its lowest bits.
        let word = self.words.next_u64();
        let kind = if depth == DEEPEST { 6 } else { upper_below(word, 7) };
        let run = word.trailing_zeros();
        self.nodes.node(symbol::VALUE, kind as u32);
        match kind {
            0 => self.object(at, run, depth),
            1 => self.array(at, run, depth),
            2 => self.string(at, run),
            3 => self.number(at, run),
            _ => {
                // One branch for the three; all eight bytes are copied, the length moves `at`.
                let (text, length) = LITERALS[kind & 3];
                self.bytes(at, text);
                at + length
            }
        }
    }

    fn object(&mut self, at: usize, members: u32, depth: u32) -> usize {
        self.nodes.node(symbol::OBJECT, u32::from(members > 0));
        let mut at = self.byte(at, b'{');
        for left in (0..members).rev() {
            self.nodes.node(symbol::MEMBERS, u32::from(left > 0));
            self.nodes.node(symbol::PAIR, 0);
            let chars = self.words.next_u64().trailing_zeros();
            at = self.string(at, chars);
            at = self.byte(at, b':');
            at = self.value(at, depth + 1);
            at = self.byte(at, b',');
        }
        self.byte(at - usize::from(members > 0), b'}')
    }

    fn array(&mut self, at: usize, elements: u32, depth: u32) -> usize {
        self.nodes.node(symbol::ARRAY, u32::from(elements > 0));
        let mut at = self.byte(at, b'[');
        for left in (0..elements).rev() {
            self.nodes.node(symbol::ELEMENTS, u32::from(left > 0));
            at = self.value(at, depth + 1);
            at = self.byte(at, b',');
        }
        self.byte(at - usize::from(elements > 0), b']')
    }

    #[inline]
    fn string(&mut self, at: usize, chars: u32) -> usize {
        self.nodes.node(symbol::STRING, u32::from(chars > 0));
        let mut at = self.byte(at, b'"');
        let mut left = chars as usize;
        loop {
            let word = self.words.next_u64();
            // Eight are written whether wanted or not: how many are, no predictor can know. So
            // an empty string takes the same way, and few go round twice.
            let picks: [u8; 8] = array::from_fn(|i| (word >> (4 * i)) as u8 & 15);
            self.bytes(at, picks.map(|pick| CHARS[usize::from(pick)]));
            let now = left.min(8);
            self.chain((symbol::CHARS, symbol::CHAR), &picks.map(|pick| pick & 7)[..now], left);
            at += now;
            left -= now;
            if left == 0 {
                return self.byte(at, b'"');
            }
        }
    }

    #[inline]
    fn number(&mut self, at: usize, more: u32) -> usize {
        let word = self.words.next_u64();
        let form = upper_below(word, 3);
        self.nodes.node(symbol::NUMBER, form as u32);
        self.byte(at, b'-');
        let mut at = self.digits(at + usize::from(form == 1), more);
        if form == 2 {
            at = self.byte(at, b'.');
            at = self.digits(at, word.trailing_zeros());
        }
        at
    }

    /// A digit and `more` of them.
    #[inline]
    fn digits(&mut self, at: usize, more: u32) -> usize {
        let mut at = at;
        let mut left = more as usize + 1;
        loop {
            let word = self.words.next_u64();
            // Sixteen bits scaled to ten values: uniform to 1 part in 6,500.
            let four: [u8; 4] =
                array::from_fn(|i| ((((word >> (16 * i)) & 0xffff) * 10) >> 16) as u8);
            self.bytes(at, four.map(|digit| b'0' + digit));
            let now = left.min(4);
            self.chain((symbol::DIGITS, symbol::DIGIT), &four[..now], left);
            at += now;
            left -= now;
            if left == 0 {
                return at;
            }
        }
    }

    /// The nodes of the next characters of a right-recursive chain that has `left` to come.
    #[inline]
    fn chain(&mut self, (link, item): (u32, u32), choices: &[u8], left: usize) {
        if R::KEEPS {
            for (at, &choice) in choices.iter().enumerate() {
                self.nodes.node(link, u32::from(at + 1 < left));
                self.nodes.node(item, u32::from(choice));
            }
        }
    }

    #[inline]
    fn byte(&mut self, at: usize, byte: u8) -> usize {
        self.out[at] = byte;
        at + 1
    }

    #[inline]
    fn bytes<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> usize {
        self.out[at..at + N].copy_from_slice(&bytes);
        at + N
    }
}

/// One of `0..bound`, from the upper half of a word.
#[inline]
fn upper_below(word: u64, bound: u64) -> usize {
    (((word >> 32) * bound) >> 32) as usize
}
