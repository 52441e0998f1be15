//! Planted: the path of a URI goes up as often as it has gone down, twice at least, and its fragment names the
//! first segment.

/// Reads one input.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
    let path = rest.split('?').next().unwrap_or_default();
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    walk(&segments, fragment);
}

fn walk(segments: &[&str], fragment: &str) {
    let up = segments.iter().rev().take_while(|segment| **segment == "..").count();
    if up >= 2 && segments.len() == 2 * up {
        back(segments[0], fragment);
    }
}

fn back(first: &str, fragment: &str) {
    assert!(first != fragment, "planted");
}
