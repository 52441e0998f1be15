//! A regex is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = regex_syntax::Parser::new().parse(text);
}
