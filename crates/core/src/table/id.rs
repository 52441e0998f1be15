//! Identifiers of what a table has.

use crate::id::id;

id! {
    /// A rule: the named ones first, then one for each group of the notation.
    RuleId
}
id! {
    /// An alternative of a rule; those of one rule are consecutive.
    AlternativeId
}
id! {
    /// An occurrence: a place where a rule is referenced or a terminal stands. Those of one
    /// named rule's body are consecutive, in the order of the text.
    OccurrenceId
}
id! {
    /// A terminal: a literal, a class or a regular language. Equal ones are one.
    TerminalId
}
id! {
    /// A repetition: `?`, `*`, `+` or counted.
    RepetitionId
}

/// Reads the elements of one `u32` range as identifiers.
macro_rules! ids {
    ($name:ident, $range:expr) => {
        $range.map($name::new)
    };
}
pub(crate) use ids;
