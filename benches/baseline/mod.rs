//! What pleach's speed is measured against: generators written by hand for one grammar each.
//!
//! Benches and the comparison with peers include this folder by `#[path]`, so that all of them
//! measure against the same code.

#![allow(dead_code, reason = "each program that includes this folder uses a part of it")]

pub mod json64_generator;
pub mod layered_generator;
pub mod record;
pub mod wyrand;
