//! What tests of several packages share: the harness of the command line, folders, files, bundled grammars, and the
//! data set that all readers of texts run.
//!
//! It is no part of what users get: packages depend on it for tests, by path alone, and it is never published.

mod command;
mod files;
mod grammars;
mod judges;
mod readers;

pub use command::{Pleach, text};
pub use files::copied;
pub use grammars::{grammar_files, table};
pub use judges::is_json;
pub use readers::{Case, readers};
