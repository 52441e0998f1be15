//! Specification against implementation: languages, their differences, and strings of these.

mod cases;
mod cover;
mod formats;
mod languages;
mod rules;
