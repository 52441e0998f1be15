//! Where a specification and an implementation differ.

#[cfg(feature = "infer")]
pub mod infer;
