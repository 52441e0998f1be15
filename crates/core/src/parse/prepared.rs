//! What reading takes of a table.

use super::compiled::Compiled;
#[cfg(feature = "front")]
use super::compiled::Kind;
use super::inside::Insides;
use super::predict::Program;
use crate::table::Table;

/// A table, prepared for reading.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub(super) grammar: Compiled,
    pub(super) insides: Insides,
    pub(super) program: Option<Program>,
}

impl Prepared {
    /// What was made ahead, and else made here.
    pub(super) fn new(table: &Table) -> Self {
        match &table.ahead.parser {
            Some(packed) => {
                Self::unpack(table, packed).expect("the table was packed by this version")
            }
            None => Self::compile(table),
        }
    }

    #[cfg(not(feature = "front"))]
    pub(super) fn compile(_: &Table) -> Self {
        unreachable!("a table is lowered here, or was made ahead with its parser")
    }

    #[cfg(feature = "front")]
    pub(super) fn compile(table: &Table) -> Self {
        let start = Kind::Rule(table.start());
        let grammar = Compiled::new(table, start);
        let insides = Insides::new(table);
        let program = Program::new(table, &grammar);
        // What is read by prediction is nested in one way.
        let grammar = match &program {
            None => grammar.with_bindings(table, start),
            Some(_) => grammar,
        };
        Self { grammar, insides, program }
    }
}
