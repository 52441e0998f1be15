//! `json`, by LibAFL with its Nautilus stages.

fn main() -> std::process::ExitCode {
    pleach_fuzz_nautilus::main(pleach_fuzz::crates::json)
}
