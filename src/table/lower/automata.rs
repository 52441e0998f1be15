//! The automata of a grammar's regular terminals, without a table.

use super::LoweringLimits;
use super::language::Languages;
use super::resolve::Resolved;
use crate::grammar::{ExprId, Grammar, GrammarError};
use crate::regular::Dfa;

/// The automata of a grammar's regular terminals, whose names are all defined, once each.
pub(crate) struct Automata {
    languages: Languages,
    names: Resolved,
    limits: LoweringLimits,
}

impl Automata {
    /// # Errors
    ///
    /// As lowering has them: names that are undefined or defined twice, and expressions that are not regular
    /// or too large.
    pub(crate) fn new(grammar: &Grammar) -> Result<Self, GrammarError> {
        let limits = LoweringLimits::default();
        let fail = |diagnostics| GrammarError::new(grammar.files.clone(), diagnostics);
        let names = Resolved::new(grammar, None, &limits).map_err(fail)?;
        let languages = Languages::new(grammar, &names, &limits).map_err(fail)?;
        Ok(Self { languages, names, limits })
    }

    /// The automaton of a regex or an `except` that some rule has.
    pub(crate) fn of(&self, id: ExprId) -> &Dfa {
        self.languages.automaton(id)
    }

    /// Whether the layout may be empty; not where its automaton is too large.
    pub(crate) fn is_layout_nullable(&self, grammar: &Grammar, rule: u32) -> bool {
        let layout = self.languages.layout(grammar, &self.names, rule, &self.limits);
        layout.is_ok_and(|(layout, _)| layout.is_accepting(layout.start()))
    }
}
