/// How long the values of a text such as `a=b c=d` are.
pub fn words(text: &str) -> usize {
    text.split(' ').map(value).sum()
}

fn value(word: &str) -> usize {
    let Some(at) = word.find('=') else { return 0 };
    let value = &word[at + 1..];
    let quoted = value.starts_with('"') && value.len() > 1;
    if quoted { value[1..].trim_end_matches('"').len() } else { value.chars().count() }
}
