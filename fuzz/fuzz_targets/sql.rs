//! `sql`, fuzzed by the grammar `sql`.

#![no_main]

pleach::fuzz_target!(grammar: "../../grammars/sql.pleach", |text: &str| {
    pleach_fuzz::crates::sql(text)
});
