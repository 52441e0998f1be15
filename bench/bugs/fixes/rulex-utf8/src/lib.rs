//! An expression is compiled to a regex: since 0.4.0 there are options of the parser, too, which the row's driver does not know.

use rulex::options::{CompileOptions, ParseOptions};

/// Reads one input.
pub fn run(text: &str) {
    let _ =
        rulex::Rulex::parse_and_compile(text, ParseOptions::default(), CompileOptions::default());
}
