//! Planted: a member has the name of one that it is inside of, two or more levels up, and is an array of two.

use serde_json::Value;

/// Reads one input.
pub fn run(text: &str) {
    let Ok(value) = serde_json::from_str(text) else { return };
    let mut open: Vec<(Value, Vec<String>)> = vec![(value, Vec::new())];
    while let Some((value, path)) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.into_iter().map(|item| (item, path.clone()))),
            Value::Object(members) => {
                for (name, member) in members {
                    let above = &path[..path.len().saturating_sub(1)];
                    look(&name, &member, above);
                    open.push((member, [path.as_slice(), std::slice::from_ref(&name)].concat()));
                }
            }
            _ => {}
        }
    }
}

fn look(name: &str, member: &Value, above: &[String]) {
    let two = member.as_array().is_some_and(|items| items.len() == 2);
    assert!(!two || !above.iter().any(|one| one == name), "planted");
}
