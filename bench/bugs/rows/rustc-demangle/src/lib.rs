//! A name is demangled.

/// Reads one input.
pub fn run(text: &str) {
    let _ = rustc_demangle::demangle(text).to_string();
}
