//! Spring Boot, `BasicJsonParser.parseMap`: an object of strings as a map.
//!
//! Faulty: members are cut at every comma that is in no inner object or list, by two counters, and names
//! from values at colons; that either may stand in a string is not considered. RFC 8259, sections 4 and 7.

use std::fmt;

/// What is wrong with a text.
#[derive(Debug, PartialEq)]
pub enum JsonError {
    /// It is no object.
    NotAnObject,
    /// A member has no colon.
    NoValue(String),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject => f.write_str("cannot parse JSON"),
            Self::NoValue(member) => write!(f, "no value in `{member}`"),
        }
    }
}

/// The names and values of an object, in order, escapes as they stand.
pub fn parse_map(json: &str) -> Result<Vec<(String, String)>, JsonError> {
    let json = json.trim();
    if !json.starts_with('{') || !json.ends_with('}') {
        return Err(JsonError::NotAnObject);
    }
    let mut map = Vec::new();
    for pair in tokenize(trim_one(json, '{', '}')) {
        let mut values = pair.split(':').map(str::trim);
        let name = values.next().unwrap_or_default();
        let value = values.next().ok_or_else(|| JsonError::NoValue(pair.clone()))?;
        map.push((unquote(name).to_owned(), unquote(value).to_owned()));
    }
    Ok(map)
}

fn tokenize(json: &str) -> Vec<String> {
    let mut list = Vec::new();
    let mut in_object = 0;
    let mut in_list = 0;
    let mut build = String::new();
    for current in json.chars() {
        match current {
            '{' => in_object += 1,
            '}' => in_object -= 1,
            '[' => in_list += 1,
            ']' => in_list -= 1,
            _ => {}
        }
        if current == ',' && in_object == 0 && in_list == 0 {
            list.push(std::mem::take(&mut build));
        } else {
            build.push(current);
        }
    }
    if !build.is_empty() {
        list.push(build);
    }
    list
}

fn unquote(text: &str) -> &str {
    trim_one(text, '"', '"')
}

/// A text without one leading and one trailing character, where it has them.
fn trim_one(text: &str, leading: char, trailing: char) -> &str {
    let text = text.strip_suffix(trailing).unwrap_or(text);
    text.strip_prefix(leading).unwrap_or(text)
}
