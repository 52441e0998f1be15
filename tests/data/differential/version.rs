pub fn is_version(text: &str) -> bool {
    let (core, tags) = text.split_once('-').unwrap_or((text, "x"));
    let numbers: Vec<&str> = core.split('.').collect();
    numbers.len() == 3 && numbers.iter().all(|number| is_number(number)) && !tags.is_empty()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}
