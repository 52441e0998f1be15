//! An expression is compiled to a regex.

/// Reads one input.
pub fn run(text: &str) {
    let _ = rulex::Rulex::parse_and_compile(text, rulex::options::CompileOptions::default());
}
