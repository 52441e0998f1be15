//! A setting such as `n=7`.

/// What the setting says.
pub fn number(text: &str) -> Option<u32> {
    Some(ratio(text.strip_prefix("n=")?.parse().ok()?))
}

#[inline(never)]
fn ratio(parts: u32) -> u32 {
    1_000_000 / (parts ^ 123_456)
}
