//! The automata of a grammar's regular terminals, without a table.

use super::LoweringLimits;
use super::language::Languages;
use super::language::is_not_regular;
use super::resolve::Resolved;
use crate::grammar::ExprId;
use crate::grammar::{Grammar, GrammarError};
use crate::regular::Dfa;

/// The automaton of a rule that is regular, or of a part of it.
pub struct RuleLanguage {
    /// What the rule derives.
    pub automaton: Dfa,
    /// Whether what stands too deep in itself is left out.
    pub cut: bool,
    /// Whether layout may stand between its tokens.
    pub layout: bool,
}

/// The reason for which no automaton could be made of a rule.
pub enum RuleFailure {
    /// There is no such rule.
    Missing,
    /// What is wrong with the grammar.
    Grammar(GrammarError),
    /// What in the rule is not regular.
    NotRegular(GrammarError),
    /// What in the rule passes a limit.
    TooLarge(GrammarError),
}

impl RuleLanguage {
    /// What a rule derives; as [`Languages::rule`] says.
    ///
    /// # Errors
    ///
    /// The reason for which the rule has no automaton.
    pub fn of(
        grammar: &Grammar,
        rule: &str,
        depth: Option<usize>,
        limits: &crate::regular::AutomatonLimits,
    ) -> Result<Self, RuleFailure> {
        let limits = LoweringLimits { automata: *limits, ..LoweringLimits::default() };
        let rules = &grammar.rules;
        let found = rules.iter().position(|it| it.name.text == rule);
        let rule = found.ok_or(RuleFailure::Missing)? as u32;
        let fail = |diagnostics: Vec<crate::grammar::Diagnostic>| {
            let is_regular = !diagnostics.iter().any(is_not_regular);
            let is_large = diagnostics.iter().any(|found| found.is_limit);
            let error = GrammarError::new(grammar.files.clone(), diagnostics);
            match (is_regular, is_large) {
                (false, _) => RuleFailure::NotRegular(error),
                (_, true) => RuleFailure::TooLarge(error),
                _ => RuleFailure::Grammar(error),
            }
        };
        let names = Resolved::new(grammar, None, &limits).map_err(fail)?;
        let languages = Languages::new(grammar, &names, &limits).map_err(fail)?;
        let layout = match names.layout {
            Some(layout) => {
                let layout = languages.layout(grammar, &names, layout, &limits);
                Some(layout.map_err(|found| fail(vec![found]))?)
            }
            None => None,
        };
        // Layout may always be left out.
        let layout = layout
            .map(|(layout, _)| layout.or_empty(&limits.automata))
            .transpose()
            .map_err(|error| fail(vec![super::language::layout_too_large(grammar, &error)]))?;
        let is_lexical = names.lexical[rule as usize];
        let (automaton, cut) = languages
            .rule(grammar, &names, rule, (depth, layout.as_ref()), &limits)
            .map_err(|found| fail(vec![found]))?;
        Ok(Self { automaton, cut, layout: layout.is_some() && !is_lexical })
    }
}

/// The automata of a grammar's regular terminals, whose names are all defined, once each.
pub struct Automata {
    languages: Languages,
    names: Resolved,
    limits: LoweringLimits,
}

impl Automata {
    /// # Errors
    ///
    /// As lowering has them: names that are undefined or defined twice, and expressions that are not regular
    /// or too large.
    pub fn new(grammar: &Grammar) -> Result<Self, GrammarError> {
        let limits = LoweringLimits::default();
        let fail = |diagnostics| GrammarError::new(grammar.files.clone(), diagnostics);
        let names = Resolved::new(grammar, None, &limits).map_err(fail)?;
        let languages = Languages::new(grammar, &names, &limits).map_err(fail)?;
        Ok(Self { languages, names, limits })
    }

    /// The automaton of a regex or an `except` that some rule has.
    pub fn of(&self, id: ExprId) -> &Dfa {
        self.languages.automaton(id)
    }

    /// Whether the layout may be empty; not where its automaton is too large.
    pub fn is_layout_nullable(&self, grammar: &Grammar, rule: u32) -> bool {
        let layout = self.languages.layout(grammar, &self.names, rule, &self.limits);
        layout.is_ok_and(|(layout, _)| layout.is_accepting(layout.start()))
    }
}
