//! Rules that are regular are read as one token each.
//!
//! A rule or repetition outside which no recursion leads, and in which no layout stands, has a
//! regular language. Its automaton finds all its ends at once, so that the chart has a step for
//! each number or string and none for each digit or character. What is inside a token is read
//! when a tree is wanted and its text is known. Regular terminals and layout are found in the same way.

use std::sync::Arc;

use crate::grammar::Encoding;
use crate::id::Id as _;
use crate::regular::{Alphabet, ClassId, Dfa};
use crate::table::{Table, Terminal, TerminalId};

/// An automaton with a row of bytes for each state, to be run fast.
#[derive(Clone, Debug)]
pub(super) struct Scanner {
    pub(super) automaton: Dfa,
    /// The target of each state on each ASCII symbol, [`ACCEPTING`] added; 0 where it is dead.
    rows: Vec<u16>,
    /// Whether bytes beyond ASCII are symbols by themselves.
    is_bytes: bool,
}

const ACCEPTING: u16 = 1 << 15;

/// The ends of a token that are left out: by its state, a bit for each ASCII byte that follows.
#[derive(Clone, Debug)]
pub(super) struct Endings {
    /// Where another end is better.
    pub(super) skip: Vec<u128>,
    /// Where no further end is needed.
    pub(super) stop: Vec<u128>,
}

/// The room that is left for the rows of a grammar's scanners.
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        // 64 MiB.
        Self(1 << 25)
    }
}

impl Scanner {
    /// None where there are too many states.
    pub(super) fn new(automaton: &Dfa, room: &mut Room) -> Option<Self> {
        let states = automaton.state_count();
        if states >= usize::from(ACCEPTING) || states > 4096 {
            return None;
        }
        room.0 = room.0.checked_sub(128 * states)?;
        Some(Self::of(automaton.clone()))
    }

    /// Of an automaton that is known to have few enough states.
    #[pleach_unhooked::unhooked]
    pub(super) fn of(automaton: Dfa) -> Self {
        // By classes, of which there are few, and then by symbols.
        let classes: [Option<ClassId>; 128] = std::array::from_fn(|s| automaton.class(s as u32));
        let mut rows = vec![0; 128 * automaton.state_count()];
        let mut targets = vec![0; automaton.class_count()];
        for (state, row) in automaton.states().zip(rows.as_chunks_mut::<128>().0) {
            targets.fill(0);
            for transition in automaton.transitions(state) {
                let is_accepting = automaton.is_accepting(transition.target);
                let accepting = if is_accepting { ACCEPTING } else { 0 };
                targets[transition.class.index()] = transition.target.index() as u16 | accepting;
            }
            for (target, class) in row.iter_mut().zip(classes) {
                *target = class.map_or(0, |class| targets[class.index()]);
            }
        }
        let is_bytes = automaton.alphabet() == Alphabet::Bytes;
        Self { automaton, rows, is_bytes }
    }

    /// Tells where strings that begin at an offset end, nearest first, the empty one left out;
    /// gives the furthest offset that was looked at and did not fit.
    #[inline]
    pub(super) fn ends(&self, text: &[u8], mut at: usize, mut found: impl FnMut(usize)) -> usize {
        let mut state = self.automaton.start().index();
        while let Some(&byte) = text.get(at) {
            if byte < 0x80 {
                let target = self.rows[state * 128 + usize::from(byte)];
                if target == 0 {
                    return at;
                }
                at += 1;
                if target & ACCEPTING != 0 {
                    found(at);
                }
                state = usize::from(target & !ACCEPTING);
                continue;
            }
            let Some((next, length)) = self.beyond_ascii(state, text, at) else { return at };
            state = next;
            at += length;
            if self.automaton.is_accepting(self.automaton.state(state)) {
                found(at);
            }
        }
        at
    }

    /// As [`Scanner::ends`], without the ends that are not needed.
    pub(super) fn needed_ends(
        &self,
        text: &[u8],
        mut at: usize,
        endings: &Endings,
        mut found: impl FnMut(usize),
    ) -> usize {
        let mut state = self.automaton.start().index();
        while let Some(&byte) = text.get(at) {
            let is_accepting;
            if byte < 0x80 {
                let target = self.rows[state * 128 + usize::from(byte)];
                if target == 0 {
                    return at;
                }
                at += 1;
                state = usize::from(target & !ACCEPTING);
                is_accepting = target & ACCEPTING != 0;
            } else {
                let Some((next, length)) = self.beyond_ascii(state, text, at) else { return at };
                at += length;
                state = next;
                is_accepting = self.automaton.is_accepting(self.automaton.state(state));
            }
            if is_accepting {
                let is_in = |mask: u128| {
                    text.get(at).is_some_and(|&next| next < 0x80 && mask >> next & 1 == 1)
                };
                if !is_in(endings.skip[state]) {
                    found(at);
                }
                if is_in(endings.stop[state]) {
                    return at;
                }
            }
        }
        at
    }

    /// Where a state leads by an ASCII symbol.
    #[cfg(feature = "front")]
    pub(super) fn target(&self, state: usize, symbol: usize) -> Option<usize> {
        match self.rows[state * 128 + symbol] {
            0 => None,
            target => Some(usize::from(target & !ACCEPTING)),
        }
    }

    #[cold]
    fn beyond_ascii(&self, state: usize, text: &[u8], at: usize) -> Option<(usize, usize)> {
        let encoding = if self.is_bytes { Encoding::Bytes } else { Encoding::Unicode };
        let (symbol, length) = super::scan::symbol(encoding, text, at)?;
        let target = self.automaton.step(self.automaton.state(state), symbol);
        (!self.automaton.is_dead(target)).then_some((target.index(), length))
    }

    /// Where the longest string that begins at an offset ends, the empty one included.
    #[cfg_attr(not(fuzzing), inline)]
    #[pleach_unhooked::unhooked]
    pub(super) fn longest(&self, text: &[u8], at: usize) -> Option<usize> {
        let start = self.automaton.start();
        let mut longest = self.automaton.is_accepting(start).then_some(at);
        self.ends(text, at, |end| longest = Some(end));
        longest
    }
}

/// What finds the terminals of a table, and layout, that are not fixed.
pub(super) fn scanners(table: &Table) -> Arc<[Option<Scanner>]> {
    let mut room = Room::default();
    let mut scanner = |automaton: &Dfa| Scanner::new(automaton, &mut room);
    let layout = table.layout().map(|layout| scanner(layout.automaton()));
    let scanner = |terminal| match table.terminal(terminal) {
        Terminal::Regular { automaton } => scanner(automaton),
        _ => None,
    };
    let terminals = (0..table.terminal_count()).map(TerminalId::at).map(scanner);
    terminals.chain(layout).collect()
}
