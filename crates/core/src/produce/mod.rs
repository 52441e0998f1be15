//! Production: trees and text from a table.

mod budget;
mod characters;
mod cheapest;
mod costs;
mod cover;
mod exotic;
mod expand;
mod leaf;
#[cfg(feature = "front")]
mod learnt;
mod pool;
mod prefix;
mod producer;
mod purdom;
mod random;
mod route;
mod sampler;
#[cfg(feature = "sizes")]
mod sized;
mod spread;
mod steering;
mod subtree;
mod typical;
mod weights;

pub(crate) use subtree::{Request, SubtreeGenerator};

pub use budget::{Budget, BudgetError, TreeLimits};
pub use characters::Characters;
pub use cover::{Cover, CoverError, CoverOptions};
pub use producer::{Options, Producer};
pub use purdom::{Purdom, PurdomOptions};
#[cfg(feature = "sizes")]
pub use sized::{BySize, Measure, SizeError};
pub use weights::Mode;
