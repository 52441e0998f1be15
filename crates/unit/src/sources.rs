//! This crate and that of its attribute as text, to be built for programs of others, which do not depend on them.

/// The files of both packages, by their paths in a folder. They need nothing of the workspace that they are kept in.
pub const FILES: [(&str, &str); 15] = [
    ("Cargo.toml", UNIT),
    ("src/campaign/apart.rs", include_str!("campaign/apart.rs")),
    ("src/campaign/hooks.rs", include_str!("campaign/hooks.rs")),
    ("src/campaign/mod.rs", include_str!("campaign/mod.rs")),
    ("src/campaign/pieces.rs", include_str!("campaign/pieces.rs")),
    ("src/campaign/shared.rs", include_str!("campaign/shared.rs")),
    ("src/campaign/tester.rs", include_str!("campaign/tester.rs")),
    ("src/lib.rs", include_str!("lib.rs")),
    ("src/lengths.rs", include_str!("lengths.rs")),
    ("src/mutate.rs", include_str!("mutate.rs")),
    ("src/random.rs", include_str!("random.rs")),
    ("src/trace.rs", include_str!("trace.rs")),
    ("src/wire.rs", include_str!("wire.rs")),
    ("macros/Cargo.toml", MACROS),
    ("macros/src/lib.rs", pleach_unit_macros::source!()),
];

const UNIT: &str = r#"[package]
name = "pleach-unit"
version = "0.1.0"
edition = "2024"

[workspace]

[features]
default = ["campaign"]
campaign = ["dep:libc", "pleach-unit-macros/campaign"]
sources = []

[dependencies]
pleach-unit-macros = { path = "macros" }
libc = { version = "0.2", optional = true }
"#;

const MACROS: &str = r#"[package]
name = "pleach-unit-macros"
version = "0.1.0"
edition = "2024"

[lib]
proc-macro = true

[features]
campaign = []
sources = []
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_of_the_crate_are_among_them() {
        let mut left = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
        while let Some(folder) = left.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    left.push(path);
                    continue;
                }
                let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
                // This one is left out there.
                if name == std::path::Path::new("src/sources.rs") {
                    continue;
                }
                assert!(
                    FILES.iter().any(|(file, _)| name == std::path::Path::new(file)),
                    "{name:?}"
                );
            }
        }
    }
}
