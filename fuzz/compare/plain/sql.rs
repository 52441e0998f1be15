//! `sql`, by the engine's own mutators.

#![no_main]

pleach_fuzz_compare::plain!(sql);
