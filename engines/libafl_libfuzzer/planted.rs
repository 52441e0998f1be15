//! A target with a fault that a grammar finds soon, built as `json.rs` is. Coverage says little about
//! it, so trees grow freely and few calls are of bytes.

#![no_main]

pleach::fuzz_target!(
    grammar: "../../grammars/json.pleach",
    start: "array",
    bytes: 8,
    free_size: usize::MAX,
    max_depth: 64,
    max_bytes: 4096,
    |data: &[u8]| {
        if let Ok(serde_json::Value::Array(items)) = serde_json::from_slice(data) {
            let members = |item: &serde_json::Value| item.as_object().map_or(0, serde_json::Map::len);
            let large = items.iter().filter(|item| members(item) > 1).count();
            assert!(large < 2, "two objects of two members");
        }
    }
);
