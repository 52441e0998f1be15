//! What a parser prepares of its table, as bytes.
//!
//! What is made of a table once is much work for a large grammar, and the code for it much of a fuzz target: automata of
//! all tokens, sets of what comes first and follows. What is inside tokens is many times the rest, and texts have few of
//! them, so each has its own stretch of the bytes, which is looked at when it is first wanted.

use std::sync::Arc;

use super::compiled::{Compiled, Kind, Nonterminal, Position, Production, Terminals};
#[cfg(feature = "front")]
use super::id::SymbolSort;
use super::id::{NonterminalId, PositionId, SymbolId};
use super::id_vec::IdVec;
use super::inside::{Inside, InsideId, Insides, Packed};
use super::next::{Look, Next, NextClasses};
use super::prepared::Prepared;
use super::scan::Beginnings;
use super::scanner::{self, Endings, Scanner};
use crate::id::Id as _;
use crate::pack::{Pack, packed};
use crate::table::{RepetitionId, RuleId, Symbol, Table, TerminalId};

/// The bytes of what a table's parser prepares.
#[cfg(feature = "front")]
pub(crate) fn pack(table: &Table) -> Vec<u8> {
    let mut out = Vec::new();
    Prepared::compile(table).pack(table, &mut out);
    out
}

impl Prepared {
    #[cfg(feature = "front")]
    fn pack(&self, table: &Table, out: &mut Vec<u8>) {
        self.grammar.terminals.shared.to_vec().pack(out);
        self.grammar.counted.pack(out);
        self.grammar.pack(out);
        self.program.pack(out);
        let (mut spans, mut bytes) = (Vec::new(), Vec::new());
        self.insides.each(table, &self.grammar, |id, inside| {
            let before = bytes.len();
            inside.pack(&mut bytes);
            spans.push((id, (bytes.len() - before) as u32));
        });
        spans.pack(out);
        out.extend(bytes);
    }

    /// What was packed with a table.
    #[pleach_unhooked::unhooked]
    pub(super) fn unpack(table: &Table, packed: &Arc<[u8]>) -> Option<Self> {
        let from = &mut &packed[..];
        let beginnings = Vec::unpack(from)?.into();
        let counted = u32::unpack(from)?;
        let shared = Terminals { scanners: scanner::scanners(table), beginnings, counted };
        let grammar = Compiled::unpack(shared, from)?;
        let program = Option::unpack(from)?;
        let sizes: Vec<(InsideId, u32)> = Vec::unpack(from)?;
        let mut packed = Packed::new(Arc::clone(packed));
        let mut at = packed.bytes.len() - from.len();
        for (id, size) in sizes {
            packed.add(id, at..at + size as usize);
            at += size as usize;
        }
        let insides = Insides::packed(table, packed);
        Some(Self { grammar, insides, program })
    }
}

impl Inside {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        self.grammar.pack(out);
        self.program.pack(out);
        self.parts.is_some().pack(out);
        if let Some(parts) = &self.parts {
            parts.pack(out);
        }
    }

    /// What was packed, with what is shared with the whole.
    #[pleach_unhooked::unhooked]
    pub(super) fn unpack(whole: &Compiled, from: &mut &[u8]) -> Option<Self> {
        let grammar = Compiled::unpack(whole.shared(), from)?;
        let program = Option::unpack(from)?;
        let has_parts = bool::unpack(from)?;
        let parts = if has_parts { Some(Compiled::unpack(whole.shared(), from)?) } else { None };
        Some(Self { grammar, program, parts })
    }
}

impl Compiled {
    /// The bytes of all but what is shared, and what follows from the rest.
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        let mut looks = Looks::default();
        let first: Vec<u32> = self.first.iter().map(|look| looks.number(look)).collect();
        let follow = self.nonterminals.iter().map(|nonterminal| &nonterminal.follow);
        let follow: Vec<u32> = follow.map(|look| looks.number(look)).collect();
        looks.all.pack(out);
        (self.nonterminals.len() as u64).pack(out);
        for (nonterminal, look) in self.nonterminals.iter().zip(follow) {
            let Nonterminal { kind, starts, productions, nullable, cyclic, .. } = nonterminal;
            kind.pack(out);
            starts.pack(out);
            productions.pack(out);
            look.pack(out);
            nullable.pack(out);
            cyclic.pack(out);
        }
        (self.positions.len() as u64).pack(out);
        let mut before = NonterminalId::TEXT;
        for ((at, position), first) in self.positions.pairs().zip(first) {
            let Position { symbol, target, item, owner, production } = *position;
            self.number(symbol).pack(out);
            if symbol != SymbolId::NONE {
                item.pack(out);
                // Mostly the next one.
                target.get().wrapping_sub(at.get() + 1).pack(out);
            }
            (owner.get() - before.get()).pack(out);
            before = owner;
            production.pack(out);
            first.pack(out);
            self.rest_nullable[at].pack(out);
        }
        self.terminals.own.pack(out);
        self.byte_classes.pack(out);
        self.byte_class_count.pack(out);
        self.next_classes.pack(out);
        let endings = self.endings.pairs();
        let endings = endings.filter_map(|(terminal, of)| Some((terminal, of.clone()?)));
        (!self.endings.is_empty()).pack(out);
        endings.collect::<Vec<_>>().pack(out);
        self.token_scanners.pack(out);
        self.tokens.pack(out);
        self.number(self.layout).pack(out);
        self.token_first.pack(out);
        (self.longest as u64).pack(out);
    }

    /// The number of a symbol: terminals stand behind the nonterminals that there are, so that all are small.
    #[cfg(feature = "front")]
    fn number(&self, symbol: SymbolId) -> u32 {
        match symbol.sort() {
            _ if symbol == SymbolId::NONE => u32::MAX,
            SymbolSort::Nonterminal(nonterminal) => nonterminal.get(),
            SymbolSort::Terminal(terminal) => self.nonterminals.end().get() + terminal.get(),
        }
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(shared: Terminals, from: &mut &[u8]) -> Option<Self> {
        let Terminals { scanners, beginnings, counted } = shared;
        let looks: Vec<Look> = Vec::unpack(from)?;
        let look = |from: &mut &[u8]| looks.get(u32::unpack(from)? as usize).copied();
        let mut nonterminals: IdVec<NonterminalId, Nonterminal> = IdVec::default();
        for _ in 0..u64::unpack(from)? {
            nonterminals.push(Nonterminal {
                kind: Kind::unpack(from)?,
                starts: Vec::unpack(from)?,
                productions: Vec::unpack(from)?,
                follow: look(from)?,
                nullable: bool::unpack(from)?,
                cyclic: bool::unpack(from)?,
            });
        }
        let mut positions: IdVec<PositionId, Position> = IdVec::default();
        let mut first = IdVec::default();
        let mut rest_nullable = IdVec::default();
        let nonterminal_count = nonterminals.end().get();
        let symbol = |number: u32| match number.checked_sub(nonterminal_count) {
            _ if number == u32::MAX => SymbolId::NONE,
            None => NonterminalId::new(number).into(),
            Some(terminal) => TerminalId::new(terminal).into(),
        };
        let mut owner = NonterminalId::TEXT;
        for _ in 0..u64::unpack(from)? {
            let symbol = symbol(u32::unpack(from)?);
            let (mut item, mut target) = (Symbol::LAYOUT, PositionId::NONE);
            if symbol != SymbolId::NONE {
                item = Symbol::unpack(from)?;
                let next = positions.end().plus(1);
                target = PositionId::new(u32::unpack(from)?.wrapping_add(next.get()));
            }
            owner = owner.plus(u32::unpack(from)?);
            let production = Production::unpack(from)?;
            positions.push(Position { symbol, target, item, owner, production });
            first.push(look(from)?);
            rest_nullable.push(bool::unpack(from)?);
        }
        let first_token = TerminalId::at(beginnings.len());
        let terminals = Beginnings { shared: beginnings, own: Vec::unpack(from)? };
        let mut compiled = Self {
            nonterminals,
            positions,
            incoming: IdVec::default(),
            back: IdVec::default(),
            first,
            rest_nullable,
            byte_classes: Pack::unpack(from)?,
            byte_class_count: u32::unpack(from)?,
            next_classes: NextClasses::unpack(from)?,
            scanners,
            endings: endings(terminals.len(), from)?,
            terminals,
            token_scanners: IdVec::unpack(from)?,
            tokens: IdVec::unpack(from)?,
            first_token,
            layout: symbol(u32::unpack(from)?),
            token_first: Next::unpack(from)?,
            counted,
            longest: u64::unpack(from)? as usize,
        };
        compiled.find_incoming();
        compiled.find_back();
        Some(compiled)
    }
}

/// The endings of so many terminals.
#[pleach_unhooked::unhooked]
fn endings(terminals: usize, from: &mut &[u8]) -> Option<IdVec<TerminalId, Option<Endings>>> {
    let has_some = bool::unpack(from)?;
    let mut endings = IdVec::from(vec![None; if has_some { terminals } else { 0 }]);
    for (terminal, of) in Vec::<(TerminalId, Endings)>::unpack(from)? {
        *endings.get_mut(terminal)? = Some(of);
    }
    Some(endings)
}

/// Different looks, of which a grammar has few.
#[cfg(feature = "front")]
#[derive(Default)]
struct Looks {
    all: Vec<Look>,
    numbers: fxhash::FxHashMap<(u128, u128), u32>,
}

#[cfg(feature = "front")]
impl Looks {
    fn number(&mut self, look: &Look) -> u32 {
        let Self { all, numbers } = self;
        *numbers.entry((look.at_once, look.after)).or_insert_with(|| {
            all.push(*look);
            all.len() as u32 - 1
        })
    }
}

/// The automaton, of which the rest is made.
impl Pack for Scanner {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        self.automaton.pack(out);
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        Some(Self::of(Pack::unpack(from)?))
    }
}

impl Pack for Kind {
    #[cfg(feature = "front")]
    fn pack(&self, out: &mut Vec<u8>) {
        let number = match *self {
            Self::Text => u32::MAX,
            Self::Rule(rule) => rule.get() << 1,
            Self::Repetition(repetition) => repetition.get() << 1 | 1,
        };
        number.pack(out);
    }

    #[cfg_attr(fuzzing, inline(always))]
    fn unpack(from: &mut &[u8]) -> Option<Self> {
        Some(match u32::unpack(from)? {
            u32::MAX => Self::Text,
            number if number & 1 == 0 => Self::Rule(RuleId::new(number >> 1)),
            number => Self::Repetition(RepetitionId::new(number >> 1)),
        })
    }
}

packed!(struct Endings { skip, stop });

#[cfg(test)]
mod tests {
    use std::fmt::Debug;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::grammar::{Files, Grammar};
    use crate::table::Lowering;

    /// The tables of the grammars in a folder, by their files.
    fn tables(folder: &str) -> Vec<(PathBuf, Table)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        let paths = fs::read_dir(folder).expect("the folder is there");
        let paths = paths.map(|entry| entry.expect("it has an entry").path());
        let paths = paths.filter(|path| path.extension().is_some_and(|it| it == "pleach"));
        let texts: Vec<(String, String, PathBuf)> = paths
            .map(|path| {
                let name = path.file_name().expect("it is a file").to_string_lossy().into_owned();
                (name, fs::read_to_string(&path).expect("it is text"), path)
            })
            .collect();
        let files = Files::new(texts.iter().map(|(name, text, _)| (name.clone(), text.clone())));
        let table = |(name, text, path): &(String, String, PathBuf)| {
            let grammar = Grammar::read(name, text, &files).ok()?;
            Some((path.clone(), Lowering::new().lower(&grammar).ok()?.table))
        };
        texts.iter().filter_map(table).collect()
    }

    #[test]
    fn every_parser_is_the_same_afterwards() {
        let tables: Vec<_> =
            ["grammars", "tests/data/lowering", "tests/data/notation/ok", "fuzz/grammars"]
                .into_iter()
                .flat_map(tables)
                .collect();
        assert!(tables.len() > 20);
        let mut insides = 0;
        for (path, table) in tables {
            let bytes = pack(&table).into();
            let made = Prepared::unpack(&table, &bytes).expect("it was packed here");
            let compiled = Prepared::compile(&table);
            // Written out, the large ones take half a minute.
            let is_same = |made: &dyn Debug, compiled: &dyn Debug| {
                bytes.len() > 1 << 17 || format!("{made:?}") == format!("{compiled:?}")
            };
            assert!(is_same(&made.grammar, &compiled.grammar), "{path:?}");
            assert!(is_same(&made.program, &compiled.program), "{path:?}");
            compiled.insides.each(&table, &compiled.grammar, |id, inside| {
                let made = made.insides.unpacked(&made.grammar, id).expect("it is packed");
                assert!(is_same(&made, inside), "{path:?}: {id:?}");
                let (mut left, mut right) = (Vec::new(), Vec::new());
                made.pack(&mut left);
                inside.pack(&mut right);
                assert!(left == right, "{path:?}: {id:?}");
                insides += 1;
            });
        }
        assert!(insides > 1000, "{insides}");
    }
}
