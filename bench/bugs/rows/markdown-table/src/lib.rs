//! A document becomes HTML.

/// Reads one input.
pub fn run(text: &str) {
    let options = pulldown_cmark::Options::all();
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, pulldown_cmark::Parser::new_ext(text, options));
}
