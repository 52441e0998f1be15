//! `pleach dict`: the grammar's words as a dictionary for libFuzzer and AFL++.
//!
//! Both read one entry a line in double quotes, `\\`, `\"` and `\xNN` escaped.

use std::collections::HashSet;
use std::fmt::Write;

use clap::Args;
use pleach::grammar::Encoding;
use pleach::regular::Dfa;
use pleach::table::{Table, Terminal, TerminalId};

use crate::failure::{Failure, print};
use crate::load::Load;

/// The longest entry that AFL++ takes (`MAX_DICT_FILE` in its config.h); libFuzzer passes over
/// what is longer than 64.
const LONGEST: usize = 128;
/// Single bytes are what the engines change anyway.
const SHORTEST: usize = 2;
/// A regular terminal with more words is no list of keywords.
const WORDS: usize = 64;

/// Prints a libFuzzer/AFL++ dictionary of the grammar's words
///
/// Listed are the literals and the words of small finite regular terminals, of 2 to 128 bytes, each
/// once, in the order of the grammar. A literal whose case is ignored stands as it is written.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  pleach dict grammars/json.pleach > json.dict
  cargo fuzz run json -- -dict=json.dict")]
pub(crate) struct Dict {
    #[command(flatten)]
    load: Load,
}

impl Dict {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let table = self.load.load_quietly()?.table;
        print(dictionary(&table).as_bytes())
    }
}

/// The dictionary of a table's words, a line each.
pub(crate) fn dictionary(table: &Table) -> String {
    let mut seen = HashSet::new();
    let mut out = String::new();
    for terminal in (0..table.terminal_count() as u32).map(TerminalId::new) {
        let words = match table.terminal(terminal) {
            Terminal::Literal { bytes, .. } => vec![bytes.to_vec()],
            Terminal::Class { .. } => Vec::new(),
            Terminal::Regular { automaton } => words(automaton, table.encoding()),
        };
        for word in words {
            if (SHORTEST..=LONGEST).contains(&word.len()) && !seen.contains(&word) {
                entry(&word, &mut out);
                seen.insert(word);
            }
        }
    }
    out
}

/// Writes a line.
fn entry(word: &[u8], out: &mut String) {
    out.push('"');
    for &byte in word {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(byte.into());
            }
            b' '..=b'~' => out.push(byte.into()),
            // Writing to a string cannot fail.
            _ => {
                let _ = write!(out, "\\x{byte:02X}");
            }
        }
    }
    out.push_str("\"\n");
}

/// All words of a language; none where it has more than [`WORDS`], or a longer one than
/// [`LONGEST`].
fn words(automaton: &Dfa, encoding: Encoding) -> Vec<Vec<u8>> {
    if automaton.max_len().is_none_or(|longest| longest > LONGEST) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut open = vec![(automaton.start(), Vec::new())];
    while let Some((state, word)) = open.pop() {
        // What leads nowhere is left out, so that each prefix is one of a word.
        for next in automaton.transitions(state).iter().rev() {
            if automaton.is_dead(next.target) {
                continue;
            }
            if automaton.class_size(next.class) > WORDS as u64 {
                return Vec::new();
            }
            for &(low, high) in automaton.class_ranges(next.class).iter().rev() {
                for symbol in (low..=high).rev() {
                    let mut longer = word.clone();
                    match (encoding, char::from_u32(symbol)) {
                        (Encoding::Bytes, _) => longer.push(symbol as u8),
                        (Encoding::Unicode, Some(scalar)) => {
                            longer.extend(scalar.encode_utf8(&mut [0; 4]).bytes());
                        }
                        (Encoding::Unicode, None) => continue,
                    }
                    open.push((next.target, longer));
                }
            }
        }
        if automaton.is_accepting(state) {
            found.push(word);
        }
        if found.len() + open.len() > WORDS {
            return Vec::new();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach::{grammar::Grammar, table::Lowering};

    fn of(text: &str) -> String {
        let grammar = Grammar::parse(text).unwrap();
        dictionary(&Lowering::new().lower(&grammar).unwrap().table)
    }

    #[test]
    fn words_stand_once_and_short_ones_not_at_all() {
        assert_eq!(
            of(r#"a = "if" "x" "if" i"Else" /else|while|[a-z]/ ;"#),
            concat!("\"if\"\n", "\"Else\"\n", "\"else\"\n", "\"while\"\n")
        );
    }

    #[test]
    fn what_is_no_printable_ascii_is_escaped() {
        assert_eq!(
            of(r#"a = "\"\\" "\n\t" "é" ;"#),
            "\"\\\"\\\\\"\n\"\\x0A\\x09\"\n\"\\xC3\\xA9\"\n"
        );
    }

    #[test]
    fn large_languages_are_no_lists() {
        assert_eq!(of(r#"a = /[a-z]{2}/ /ab*/ /[0-9]{500}/ /aa|[a-d]b/ ;"#).lines().count(), 5);
    }
}
