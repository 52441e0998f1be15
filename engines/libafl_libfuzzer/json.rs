//! A target for both engines: the same file is built by `Cargo.toml`, with LibAFL, and by
//! `libfuzzer/Cargo.toml`, with libFuzzer.

#![no_main]

pleach::fuzz_target!(
    grammar: "../../grammars/json.pleach",
    max_depth: 64,
    max_bytes: 4096,
    |text: &str| {
        if let Ok(value) = serde_json::from_str::<serde_json::Value>(text) {
            let written = value.to_string();
            assert!(serde_json::from_str::<serde_json::Value>(&written).is_ok());
        }
    }
);
