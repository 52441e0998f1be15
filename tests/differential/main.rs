//! Where specification and implementation differ: one file a topic, data in `tests/data/differential/`.

mod cases;
mod data;
mod known;
mod ported;
mod validators;
mod written;
