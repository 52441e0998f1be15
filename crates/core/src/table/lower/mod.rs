//! Lowering: a grammar's syntax tree into the flat table, with every finding named.
//!
//! The order: [`resolve`] checks the arena and finds what each name means, [`parts`] makes one text of
//! inputs of several parts, [`language`] compiles
//! regular terminals, [`productive`] finds what derives a finite string, [`reach`] what the start
//! rule uses, [`duplicate`] alternatives that say the same, and [`emit`] writes the arrays. Each
//! is iterative, linear in the grammar up to sorting, and collects its findings rather than
//! stopping at the first.

pub(crate) mod automata;
mod duplicate;
mod emit;
mod language;
mod layout;
mod minima;
pub(crate) mod parts;
mod productive;
mod reach;
mod resolve;
mod terminals;

use super::minima::Minima;
use super::production::Table;
use crate::grammar::{Diagnostic, Grammar, GrammarError};

/// A builder of tables from grammars, with the start rule and the limits to be used.
///
/// # Examples
///
/// ```
/// use pleach::{grammar::Grammar, table::Lowering};
///
/// let grammar = Grammar::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
/// let lowered = Lowering::new().lower(&grammar)?;
/// assert!(lowered.warnings.is_empty());
/// assert_eq!(lowered.table.occurrence_count(), 7);
/// # Ok::<(), pleach::grammar::GrammarError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lowering {
    start: Option<String>,
    limits: Option<LoweringLimits>,
}

/// What a grammar may cost to lower.
#[derive(Clone, Debug)]
pub(crate) struct LoweringLimits {
    /// Occurrences, alternatives, groups and repetitions, all together.
    pub(crate) parts: usize,
    /// For each automaton; `cells` also for all that are built, together.
    pub(crate) automata: crate::regular::AutomatonLimits,
    /// Diagnostics of one kind that are reported.
    pub(crate) reports: usize,
}

impl Default for LoweringLimits {
    fn default() -> Self {
        Self { parts: 1 << 24, automata: crate::regular::AutomatonLimits::default(), reports: 50 }
    }
}

impl Table {
    /// The table of a grammar in pleach's notation: [`Grammar::parse`] and [`Lowering::lower`] in one step.
    ///
    /// Warnings are left out; `pleach check` shows them, and [`Lowered::warnings`] has them.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, with line and column: all that is wrong with its notation, or all that lowering
    /// finds.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::table::Table;
    ///
    /// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
    /// assert_eq!(table.alternative_count(), 5);
    /// assert!(Table::parse("list = item ;").is_err());
    /// # Ok::<(), pleach::grammar::GrammarError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, GrammarError> {
        Ok(Lowering::new().lower(&Grammar::parse(text)?)?.table)
    }
}

/// A table, and what lowering noticed on the way.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The table.
    pub table: Table,
    /// Warnings, in the order of the text.
    pub warnings: Vec<Diagnostic>,
}

impl Lowering {
    /// Lowering from the grammar's own start rule.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lowers from this rule instead of the grammar's start rule.
    #[must_use]
    pub fn start(mut self, rule: impl Into<String>) -> Self {
        self.start = Some(rule.into());
        self
    }

    /// Bounds the occurrences, alternatives, groups and repetitions of the table, all together, and
    /// how often expressions that a grammar shares among several places are written out again. The
    /// default is 16,777,216.
    #[must_use]
    pub fn max_parts(mut self, parts: usize) -> Self {
        self.limits.get_or_insert_default().parts = parts;
        self
    }

    /// Bounds each automaton of a regular terminal, of `except` and of layout. The bound on table
    /// entries holds for all of them together as well.
    #[must_use]
    pub fn automaton_limits(mut self, automata: crate::regular::AutomatonLimits) -> Self {
        self.limits.get_or_insert_default().automata = automata;
        self
    }

    /// Compiles a grammar into its table.
    ///
    /// # Errors
    ///
    /// Names that are undefined or defined twice, a start rule that derives no finite string, a
    /// regular expression that cannot be compiled within its limits, and a table over the limits.
    pub fn lower(&self, grammar: &Grammar) -> Result<Lowered, GrammarError> {
        let limits = self.limits.clone().unwrap_or_default();
        let fail = |diagnostics| GrammarError::new(grammar.files.clone(), diagnostics);
        let start = self.start.as_deref();
        let mut names = resolve::Resolved::new(grammar, start, &limits).map_err(fail)?;
        let mut warnings = Vec::new();
        let joined = parts::join(grammar, &names, &limits).map_err(fail)?;
        let grammar = joined.as_ref().map_or(grammar, |joined| &joined.grammar);
        if let Some(joined) = &joined {
            names = resolve::Resolved::new(grammar, start, &limits).map_err(fail)?;
            names.headers.clone_from(&joined.headers);
            names.wholes.clone_from(&joined.wholes);
        } else if self.start.is_none() {
            parts::report(grammar, &names, &mut warnings);
        }
        let languages = language::Languages::new(grammar, &names, &limits).map_err(fail)?;
        let productive = productive::Productive::new(grammar, &names, &languages);
        productive.report(grammar, &names, &limits, &mut warnings).map_err(fail)?;
        let reached = reach::Reached::new(grammar, &names, &productive);
        if self.start.is_none() {
            reached.report(grammar, &names, &productive, &limits, &mut warnings);
        }
        duplicate::report(grammar, &names, &limits, &mut warnings);
        let mut table =
            emit::emit(grammar, &names, &languages, &productive, &reached, &limits, &mut warnings)
                .map_err(|diagnostic| fail(vec![diagnostic]))?;
        table.minima = Minima::compute(&table);
        table.has_parts = joined.is_some();
        warnings.sort_by_key(|warning| (warning.span.file, warning.span.start));
        Ok(Lowered { table, warnings })
    }
}
