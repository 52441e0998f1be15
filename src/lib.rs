#![doc = include_str!("../README.md")]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

#[cfg(feature = "build")]
pub mod build;
#[cfg(feature = "differential")]
pub mod differential;
#[cfg(feature = "report")]
pub mod report;
#[cfg(feature = "arbitrary")]
pub mod sentence;
#[cfg(feature = "proptest")]
pub mod strategy;

#[cfg(feature = "rand")]
#[doc(inline)]
pub use pleach_core::Rand;
#[doc(inline)]
pub use pleach_core::{
    Entropy, Seeded, grammar, kpath, learn, mutate, parse, parts, produce, reduce, regular, table,
    tree,
};
#[cfg(feature = "import")]
#[doc(inline)]
pub use pleach_import::{export, import};
#[cfg(not(feature = "differential"))]
pub use pleach_target::differential_target;
#[doc(inline)]
pub use pleach_target::{fuzz, fuzz_target};

/// Whole Rust programs in a virtual machine: what they do on an input, and why. On Unix alone.
#[cfg(all(feature = "inside", unix))]
#[doc(inline)]
pub use pleach_concolic as inside;

/// From runs of a Rust program to its units, and from what is found there back to the program's input. On Unix alone.
#[cfg(all(feature = "inside", unix))]
#[doc(inline)]
pub use pleach_bridge as bridge;

/// Functions of a native program that may be units, and where the values of their calls stand in its input. On Unix alone.
#[cfg(all(feature = "inside", unix))]
#[doc(inline)]
pub use pleach_native as native;

/// Inputs that take other paths through whole Rust programs. On Unix alone.
#[cfg(all(feature = "inside", unix))]
#[doc(inline)]
pub use pleach_explore as explore;

/// From a failure in a function of a Rust program to an input that makes the program fail there. On Unix alone.
#[cfg(all(feature = "inside", unix))]
#[doc(inline)]
pub use pleach_focal as focal;
