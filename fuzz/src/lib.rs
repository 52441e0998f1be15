//! What the fuzz targets run, as plain functions: [`crates`] over released parsers, [`own`] over pleach, and
//! with the features `import` and `inside` those over its importers and its machine.
//!
//! None returns anything: a target fails by a panic. `cargo test` runs each over a few inputs.

mod calls;
pub mod crates;
#[cfg(feature = "import")]
pub mod importers;
#[cfg(feature = "inside")]
pub mod machine;
pub mod own;
