//! A document is read.

/// Reads one input.
pub fn run(text: &str) {
    let options = pulldown_cmark::Options::all();
    pulldown_cmark::Parser::new_ext(text, options).for_each(drop);
}
