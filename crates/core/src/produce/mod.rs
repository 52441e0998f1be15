//! Production: trees and text from a table.

mod budget;
mod cheapest;
mod cover;
mod expand;
mod fragment;
mod frugality;
mod grower;
mod leaf;
mod pool;
mod producer;
mod purdom;
mod random;
mod route;
mod sampler;
mod steering;
mod weights;

pub(crate) use grower::{Grower, Plot};

pub use budget::{Budget, BudgetError, Limits};
pub use cover::{Cover, CoverError, CoverOptions};
pub use leaf::Characters;
pub use producer::{Options, Producer};
pub use purdom::{Purdom, PurdomOptions};
pub use weights::Mode;
