//! Reports: what a tree, a grammar or a corpus is like, as text, JSON, DOT, SVG and HTML.
//!
//! [`Derivation`] writes trees, [`PathNames`] k-paths, [`Corpus`] measures what inputs cover and
//! finds what they leave out, [`diagram`] draws a rule, and [`Page`] puts it all into one HTML page
//! that needs no network. [`Listing`] is such a page of source files. Whatever bytes inputs and grammars hold, what is written is well formed.

mod chart;
mod corpus;
mod derivation;
mod diagram;
mod escape;
mod hits;
mod listing;
mod names;
mod page;
mod source;

pub use corpus::{Corpus, CorpusWorker, CoverageGap, PartsSummary, minimal_subset};
pub use derivation::Derivation;
pub use diagram::diagram;
pub use escape::{on_one_line, percent, shortened, visible};
pub use hits::Hits;
pub use listing::{Listed, Listing, Note, Shade};
pub use names::PathNames;
pub use page::{Example, Page, Refused};
