//! Planted: a record that is not the first says rightly how many fields it has, five at least.

/// Reads one input.
pub fn run(text: &str) {
    for record in text.split("\r\n").skip(1) {
        let fields: Vec<&str> = record.split(',').collect();
        count(&fields);
    }
}

fn count(fields: &[&str]) {
    let said = fields[0].parse::<usize>();
    assert!(fields.len() < 5 || said != Ok(fields.len()), "planted");
}
