//! A line of a settings file: `key = value`.

/// The key and the value, without white space around them.
pub fn parse_setting(line: &str) -> Result<(&str, &str), String> {
    let equals = line.find('=').ok_or_else(|| format!("no `=` in `{line}`"))?;
    let key = line[..equals].trim_end_matches(' ');
    let value = line[equals + 1..].trim_start_matches(' ');
    if key.is_empty() || !key.chars().all(|c| c.is_ascii_lowercase() || c == '-') {
        return Err(format!("bad key `{key}`"));
    }
    if value.contains(['\n', '\r']) {
        return Err(String::from("a value ends with its line"));
    }
    Ok((key, value))
}
