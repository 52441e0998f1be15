/// Reads a setting such as `limit=100`: how often it may be reached in a minute.
pub fn limit(text: &str) -> Option<u32> {
    let (name, value) = text.split_once('=')?;
    let value: u16 = value.parse().ok()?;
    match name {
        "limit" => Some(60_000 / u32::from(value ^ 1000)),
        _ => None,
    }
}
