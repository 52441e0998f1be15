//! A document is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = yaml_rust::YamlLoader::load_from_str(text);
}
