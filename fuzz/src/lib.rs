//! What the fuzz targets run, as plain functions: [`crates`] over released parsers, [`own`] over pleach.
//!
//! None returns anything: a target fails by a panic. `cargo test` runs each over a few inputs.

mod calls;
pub mod crates;
pub mod own;
