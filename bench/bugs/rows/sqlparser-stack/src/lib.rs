//! A query is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = sqlparser::parser::Parser::parse_sql(&sqlparser::dialect::GenericDialect {}, text);
}
