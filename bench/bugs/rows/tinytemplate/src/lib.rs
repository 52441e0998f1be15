//! A template is compiled.

/// Reads one input.
pub fn run(text: &str) {
    let _ = tinytemplate::TinyTemplate::new().add_template("t", text);
}
