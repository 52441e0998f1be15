//! Fails the build where the grammar is bad.

fn main() {
    pleach::build::check("grammar.pleach");
}
