//! What tests of several packages share: the harness of the command line, folders, bundled grammars, and the data
//! set that all readers of texts run.
//!
//! It is no part of what users get: packages depend on it for tests, by path alone, and it is never published.

mod command;
mod grammars;
mod readers;

pub use command::{Pleach, text};
pub use grammars::{grammar_files, table};
pub use readers::{Case, readers};
