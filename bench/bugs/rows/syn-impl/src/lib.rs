//! A file of Rust is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = syn::parse_str::<syn::File>(text);
}
