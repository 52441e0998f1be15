//! A document is read.

/// Reads one input.
pub fn run(text: &str) {
    let mut data = text.as_bytes();
    let mut parser = libyaml_safer::Parser::new();
    parser.set_input_string(&mut data);
    let _ = libyaml_safer::Document::load(&mut parser);
}
