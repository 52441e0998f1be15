//! Where specification and implementation differ: one file a topic, data in `tests/data/differential/`.

mod cases;
mod cover;
mod data;
#[cfg(feature = "infer")]
mod exposed;
mod formats;
#[cfg(feature = "infer")]
mod generated;
#[cfg(feature = "infer")]
mod inferred;
mod known;
mod languages;
mod pairs;
mod ported;
mod rules;
mod validators;
mod written;
