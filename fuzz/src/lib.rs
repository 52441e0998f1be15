//! What the fuzz targets run, as plain functions: [`crates`] over released parsers, [`own`] over pleach, and
//! with the feature `import` those over its importers.
//!
//! None returns anything: a target fails by a panic. `cargo test` runs each over a few inputs.

mod calls;
pub mod crates;
#[cfg(feature = "import")]
pub mod importers;
pub mod own;
