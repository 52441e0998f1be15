//! The text of leaves: literals, symbols of classes, strings of regular terminals.

use super::characters::{Characters, choose_symbol, printable_count};
use crate::entropy::Entropy;
use crate::regular::{Dfa, StateId, Transition};
use crate::table::{Table, Terminal, TerminalId, encode};

/// One of how many strings of a regular terminal ends where it may.
const STOP: u64 = 4;

/// One of how many strings of regular terminals is long in exotic text, and one of how many of these ends
/// where it may.
const LONG: u64 = 8;
const LONG_STOP: u64 = 64;

/// After so many symbols a string of a regular terminal takes the nearest way to its end: where
/// few moves lead there, as in `/.*end/`, a random walk would hardly ever arrive.
const PATIENCE: u32 = 64;

/// Writes the text of a terminal, at most `bytes` long where its shortest string is.
#[cfg_attr(fuzzing, inline(always))]
pub(super) fn write(
    table: &Table,
    terminal: TerminalId,
    characters: Characters,
    bytes: u64,
    entropy: &mut impl Entropy,
    out: &mut Vec<u8>,
) {
    match table.terminal(terminal) {
        Terminal::Literal { bytes, ignore_case }
            if !ignore_case || characters == Characters::Plain =>
        {
            out.extend_from_slice(bytes);
        }
        Terminal::Literal { bytes, .. } => {
            let mut coins = 0;
            for (index, &byte) in bytes.iter().enumerate() {
                if index % 64 == 0 {
                    coins = entropy.next_u64();
                }
                let flip = byte.is_ascii_alphabetic() && coins & 1 == 1;
                out.push(if flip { byte ^ 0x20 } else { byte });
                coins >>= 1;
            }
        }
        Terminal::Class { ranges } => {
            let start = out.len();
            encode(table.encoding(), choose_symbol(characters, ranges, entropy), out);
            if (out.len() - start) as u64 > bytes {
                out.truncate(start);
                out.extend_from_slice(table.shortest(terminal));
            }
        }
        Terminal::Regular { automaton } => {
            let start = out.len();
            if !walk(table, automaton, characters, bytes, entropy, out) {
                out.truncate(start);
                out.extend_from_slice(table.shortest(terminal));
            }
        }
    }
}

/// Writes a string of an automaton by walking it at random; tells whether it stayed within the
/// bytes.
#[cfg_attr(fuzzing, inline(always))]
pub(super) fn walk(
    table: &Table,
    automaton: &Dfa,
    characters: Characters,
    bytes: u64,
    entropy: &mut impl Entropy,
    out: &mut Vec<u8>,
) -> bool {
    let start = out.len();
    let mut state = automaton.start();
    let mut symbols = 0;
    let is_long = characters == Characters::Exotic && entropy.below(LONG) == 0;
    let stop = if is_long { LONG_STOP } else { STOP };
    loop {
        let spent = (out.len() - start) as u64;
        if spent > bytes {
            return false;
        }
        if automaton.is_accepting(state)
            && (entropy.is_exhausted()
                || entropy.below(stop) == 0
                || automaton.transitions(state).is_empty())
        {
            return true;
        }
        // Four bytes are the most that a symbol takes.
        let short = symbols >= PATIENCE
            || entropy.is_exhausted()
            || (bytes - spent) / 4 <= least(automaton, state);
        symbols += 1;
        let Some(Transition { class, target: next }) =
            step(automaton, state, characters, short, entropy)
        else {
            return automaton.is_accepting(state);
        };
        let symbol = choose_symbol(characters, automaton.class_ranges(class), entropy);
        encode(table.encoding(), symbol, out);
        state = next;
    }
}

/// No text that [`write`] gives a terminal has more bytes than this.
pub(super) fn longest(table: &Table, terminal: TerminalId) -> u64 {
    match table.terminal(terminal) {
        Terminal::Literal { bytes, .. } => bytes.len() as u64,
        Terminal::Class { .. } => 4,
        Terminal::Regular { automaton } => {
            let nearest = automaton.states().map(|state| least(automaton, state)).max();
            4 * (u64::from(PATIENCE) + nearest.unwrap_or(0))
        }
    }
}

fn least(automaton: &Dfa, state: StateId) -> u64 {
    automaton.distance(state).map_or(0, u64::from)
}

/// A transition out of a state, weighted by the bits of its class's size, so that large classes
/// come often and small ones are not lost, and in plain text by its printable symbols; the nearest way
/// to acceptance where it must be short.
fn step(
    automaton: &Dfa,
    state: StateId,
    characters: Characters,
    short: bool,
    entropy: &mut impl Entropy,
) -> Option<Transition> {
    if characters == Characters::Plain {
        let weight =
            |transition: &Transition| printable_count(automaton.class_ranges(transition.class));
        let plain = choose(automaton, state, short, entropy, weight);
        if plain.is_some() {
            return plain;
        }
    }
    choose(automaton, state, short, entropy, |transition| {
        u64::from(u64::BITS - automaton.class_size(transition.class).leading_zeros())
    })
}

/// A transition by weight; none where all weigh nothing.
fn choose(
    automaton: &Dfa,
    state: StateId,
    short: bool,
    entropy: &mut impl Entropy,
    weight: impl Fn(&Transition) -> u64,
) -> Option<Transition> {
    let distance = least(automaton, state);
    let allowed = |next: StateId| !short || least(automaton, next) < distance;
    let allowed = || automaton.transitions(state).iter().filter(|next| allowed(next.target));
    let total: u64 = allowed().map(&weight).sum();
    if total == 0 {
        return None;
    }
    let mut index = entropy.below(total);
    for transition in allowed() {
        let weight = weight(transition);
        if index < weight {
            return Some(*transition);
        }
        index -= weight;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::Seeded;

    fn table(text: &str) -> Table {
        Table::parse(text).unwrap()
    }

    #[test]
    fn strings_whose_end_is_unlikely_end() {
        let table = table("a = /(?s).*abcdefghij/ ;");
        let mut out = Vec::new();
        for seed in 0..100 {
            out.clear();
            let mut entropy = Seeded::new(seed);
            let terminal = TerminalId::new(0);
            write(&table, terminal, Characters::Mixed, u64::MAX, &mut entropy, &mut out);
            assert!(out.ends_with(b"abcdefghij") && out.len() < 4 * 80);
        }
    }

    #[test]
    fn strings_keep_to_their_bytes() {
        for (text, shortest) in [
            (r"a = /\u{1F600}|ab|[\u{E9}a]{3,}/ ;", 2),
            (r"a = [\u{E9}\u{1F600}a] ;", 1),
            (r"a = /\u{1F600}{2}|abcde/ ;", 5),
            (r"a = /\u{1F600}|[\u{E9}\u{E8}]b?/ ;", 2),
            (r"a = /[\u{1F600}\x01]/ ;", 1),
        ] {
            let table = table(text);
            let terminal = TerminalId::new(0);
            let least = table.shortest(terminal).len() as u64;
            assert_eq!(least, shortest, "{text}");
            for seed in 0..100 {
                let (bytes, mut out) = (least + seed % 5, Vec::new());
                let mut entropy = Seeded::new(seed);
                write(&table, terminal, Characters::Uniform, bytes, &mut entropy, &mut out);
                assert!(out.len() as u64 <= bytes, "{text}");
                assert!(out.len() as u64 <= longest(&table, terminal), "{text}");
            }
        }
    }
}
