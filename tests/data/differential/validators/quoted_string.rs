//! A string in quotation marks, in which a backslash takes the next character as it is.

/// What a string consists of, its escapes resolved.
pub fn unquote(text: &str) -> Option<String> {
    let mut chars = text.chars();
    if chars.next() != Some('"') {
        return None;
    }
    let mut content = String::new();
    loop {
        match chars.next()? {
            '"' => break,
            '\\' => content.push(chars.next()?),
            '\n' => return None,
            c => content.push(c),
        }
    }
    if chars.next().is_some() { None } else { Some(content) }
}
