//! Where specification and implementation differ: one file a topic, data in `tests/data/differential/`.

mod by_hand;
mod cases;
mod cover;
mod data;
mod formats;
mod known;
mod languages;
mod ported;
mod rules;
mod validators;
mod written;
