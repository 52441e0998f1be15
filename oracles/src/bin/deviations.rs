//! Prints the table of grammars/DEVIATIONS.md: where released parsers deviate from their standards.

fn main() {
    print!("{}", pleach_oracles::deviations());
}
