//! The published flow functions.
