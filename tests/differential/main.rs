//! Specification against implementation: languages, their differences, and strings of these.

mod cases;
mod cover;
mod languages;
mod rules;
