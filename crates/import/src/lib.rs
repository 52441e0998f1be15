//! Grammars in other notations: into [pleach](https://docs.rs/pleach)'s own, and back.
//!
//! Users depend on `pleach`, which has both modules under the same paths with its feature `import`.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod export;
pub mod import;
