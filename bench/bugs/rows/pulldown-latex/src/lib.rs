//! A formula becomes MathML.

/// Reads one input.
pub fn run(text: &str) {
    let storage = pulldown_latex::Storage::new();
    let parser = pulldown_latex::Parser::new(text, &storage);
    let _ = pulldown_latex::push_mathml(&mut String::new(), parser, Default::default());
}
