//! Spring Boot, `JsonParser.parseMap`: an object of strings as a map.
//!
//! Faulty: that the text begins with a brace is all that is checked; the closing brace, quotes and
//! colons may be missing. RFC 8259, section 4: `object = begin-object [ member *( value-separator member ) ]
//! end-object`.

/// The names and values of an object, in order.
pub fn parse_map(json: &str) -> Option<Vec<(&str, &str)>> {
    let json = json.trim();
    if json.starts_with('{') { Some(members(json)) } else { None }
}

fn members(json: &str) -> Vec<(&str, &str)> {
    let inner = json.trim_start_matches('{').trim_end_matches('}');
    let mut found = Vec::new();
    let mut start = 0;
    let mut in_string = false;
    let mut escaped = false;
    for (index, c) in inner.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            ',' if !in_string => {
                found.push(member(&inner[start..index]));
                start = index + 1;
            }
            _ => {}
        }
    }
    if start < inner.len() {
        found.push(member(&inner[start..]));
    }
    found
}

fn member(text: &str) -> (&str, &str) {
    let (name, value) = match text.split_once("\":") {
        Some((name, value)) => (name, value),
        None => (text, ""),
    };
    (name.trim().trim_matches('"'), value.trim().trim_matches('"'))
}
