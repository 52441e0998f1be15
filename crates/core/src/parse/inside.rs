//! What is inside tokens: grammars of their own.
//!
//! They are made when one is first wanted, or were made ahead. How they are read says
//! [`tokens`](super::tokens).

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use fxhash::FxHashMap;

use super::compiled::{Compiled, Kind};
use super::id_vec::IdVec;
use super::predict::Program;
use crate::id::{Id as _, id};
use crate::table::Table;

id! {
    /// What is inside a kind of tokens.
    InsideId
}

/// What is inside tokens. It is made when it is first wanted: texts have few kinds of tokens, and of
/// many the inside is never looked at.
#[derive(Clone, Debug)]
pub(super) struct Insides {
    /// Of rules, and after them of repetitions.
    all: IdVec<InsideId, OnceLock<Box<Inside>>>,
    /// The first of the repetitions.
    repetitions: InsideId,
    /// Those that were made ahead.
    packed: Option<Packed>,
    /// Whether only the chart is to read, symbol by symbol.
    #[cfg(test)]
    pub(super) is_plain: bool,
}

/// What is inside tokens, as bytes.
#[derive(Clone)]
pub(super) struct Packed {
    pub(super) bytes: Arc<[u8]>,
    /// Where the bytes of each are.
    spans: FxHashMap<InsideId, Range<usize>>,
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Packed({} tokens)", self.spans.len())
    }
}

impl Packed {
    pub(super) fn new(bytes: Arc<[u8]>) -> Self {
        Self { bytes, spans: FxHashMap::default() }
    }

    /// Says where the bytes of one are.
    pub(super) fn add(&mut self, id: InsideId, span: Range<usize>) {
        self.spans.insert(id, span);
    }

    fn get(&self, grammar: &Compiled, id: InsideId) -> Option<Inside> {
        let span = self.spans.get(&id)?;
        Inside::unpack(grammar, &mut self.bytes.get(span.clone())?)
    }
}

impl Insides {
    #[cfg(feature = "front")]
    pub(super) fn new(table: &Table) -> Self {
        Self::of(table, None)
    }

    /// Those that were made ahead.
    pub(super) fn packed(table: &Table, packed: Packed) -> Self {
        Self::of(table, Some(packed))
    }

    fn of(table: &Table, packed: Option<Packed>) -> Self {
        let rules = table.rule_count();
        Self {
            all: vec![OnceLock::new(); rules + table.repetition_count()].into(),
            repetitions: InsideId::at(rules),
            packed,
            #[cfg(test)]
            is_plain: false,
        }
    }

    /// How many kinds of tokens there may be.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// What is inside a kind of tokens.
    pub(super) fn id(&self, kind: Kind) -> InsideId {
        match kind {
            Kind::Text => unreachable!("a whole text is no token"),
            Kind::Rule(rule) => InsideId::new(rule.get()),
            Kind::Repetition(repetition) => self.repetitions.plus(repetition.get()),
        }
    }

    /// What is inside a kind of tokens; the grammar is that of whole texts.
    #[inline]
    pub(super) fn get(&self, table: &Table, grammar: &Compiled, kind: Kind) -> &Inside {
        let id = self.id(kind);
        self.all[id].get_or_init(|| Box::new(self.make(table, grammar, kind, id)))
    }

    #[cold]
    #[pleach_unhooked::unhooked]
    fn make(&self, table: &Table, grammar: &Compiled, kind: Kind, id: InsideId) -> Inside {
        #[cfg(test)]
        if self.is_plain {
            return Inside { grammar: grammar.inside(table, kind), program: None, parts: None };
        }
        match &self.packed {
            Some(packed) => packed
                .get(grammar, id)
                .expect("all that parsing comes to was packed by this version"),
            None => Inside::new(table, grammar, kind),
        }
    }

    /// What was made ahead.
    #[cfg(test)]
    pub(super) fn unpacked(&self, grammar: &Compiled, id: InsideId) -> Option<Inside> {
        self.packed.as_ref()?.get(grammar, id)
    }

    /// Goes through what is inside the tokens of a grammar, and inside those.
    #[cfg(feature = "front")]
    pub(super) fn each(
        &self,
        table: &Table,
        grammar: &Compiled,
        mut of: impl FnMut(InsideId, &Inside),
    ) {
        let mut seen: IdVec<InsideId, bool> = vec![false; self.all.len()].into();
        let mut queue = grammar.tokens.to_vec();
        while let Some(kind) = queue.pop() {
            let id = self.id(kind);
            if !std::mem::replace(&mut seen[id], true) {
                // Not kept: all of them together may be large.
                let inside = Inside::new(table, grammar, kind);
                of(id, &inside);
                queue.extend(inside.parts.iter().flat_map(|parts| &parts.tokens));
            }
        }
    }
}

/// What is inside a token.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    /// Its grammar, symbol by symbol.
    pub(super) grammar: Compiled,
    pub(super) program: Option<Program>,
    /// Where there is no program and texts may be long, its grammar by tokens.
    pub(super) parts: Option<Compiled>,
}

impl Inside {
    #[cfg(feature = "front")]
    fn new(table: &Table, grammar: &Compiled, kind: Kind) -> Self {
        let flat = grammar.inside(table, kind);
        let program = Program::new(table, &flat);
        let has_parts = program.is_none() && may_be_long(table, &flat);
        let parts = has_parts.then(|| grammar.within(table, kind));
        Self { grammar: flat, program, parts }
    }

    /// There is no table that was not made ahead.
    #[cfg(not(feature = "front"))]
    fn new(_: &Table, _: &Compiled, _: Kind) -> Self {
        unreachable!("a table that was made ahead has what is inside its tokens")
    }
}

/// Whether a grammar has texts of any length.
#[cfg(feature = "front")]
fn may_be_long(table: &Table, grammar: &Compiled) -> bool {
    let unbounded = crate::table::Repetition::UNBOUNDED;
    let is_long = |kind| match kind {
        Kind::Repetition(repetition) => table.repetition(repetition).max == unbounded,
        _ => false,
    };
    let symbols = grammar.positions.iter().map(|position| position.symbol);
    let mut terminals = symbols.filter_map(|symbol| symbol.terminal());
    grammar.nonterminals.iter().any(|nonterminal| is_long(nonterminal.kind))
        || terminals.any(|terminal| grammar.scanner(terminal).is_some())
}
