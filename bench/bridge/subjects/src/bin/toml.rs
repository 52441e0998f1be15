//! `toml_edit`: standard input is a document.

use subjects as _;

fn main() {
    let Ok(text) = std::io::read_to_string(std::io::stdin()) else { return };
    match text.parse::<toml_edit::DocumentMut>() {
        Ok(document) => println!("{} keys", document.len()),
        Err(error) => println!("{error}"),
    }
}
