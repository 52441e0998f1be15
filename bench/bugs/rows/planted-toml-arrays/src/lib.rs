//! Planted: of an array of tables the third has a key that the first has too, of another type.

use toml::Value;

/// Reads one input.
pub fn run(text: &str) {
    let Ok(table) = text.parse::<toml::Table>() else { return };
    let mut open: Vec<Value> = table.into_iter().map(|(_, value)| value).collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => {
                if let [Value::Table(first), _, Value::Table(third), ..] = &items[..] {
                    compare(first, third);
                }
                open.extend(items);
            }
            Value::Table(table) => open.extend(table.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}

fn compare(first: &toml::Table, third: &toml::Table) {
    for (key, value) in third {
        let other = first.get(key).is_some_and(|other| !other.same_type(value));
        assert!(!other, "planted");
    }
}
