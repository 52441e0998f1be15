pub fn name(text: &str) -> Option<&str> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    if text.bytes().map(|byte| byte ^ 0x20).eq(*b"RESERVED") { None } else { Some(text) }
}
