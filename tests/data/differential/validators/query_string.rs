//! Parameters of a form: `name=value` pairs between ampersands.

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '+')
}

fn parse_pair(pair: &str) -> Option<(&str, &str)> {
    let (name, value) = pair.split_once('=')?;
    if name.is_empty() || !is_word(name) || !is_word(value) {
        return None;
    }
    Some((name, value))
}

/// The parameters, in order.
pub fn parse_query(query: &str) -> Option<Vec<(&str, &str)>> {
    query.split('&').map(parse_pair).collect()
}
