//! A package of somebody else, which marks nothing.
#![deny(warnings)]

/// What can't be cloned.
pub struct Once(pub u32);

pub fn settings(text: &str) -> usize { text.lines().filter_map(|line| line.split_once('=')).map(|(name, value)| set(&mut Vec::new(), name, value)).sum() }

fn set<'a>(all: &mut Vec<&'a str>, name: &'a str, value: &str) -> usize {
    all.push(name);
    match name {
        "limit" => value.parse().map_or(0, |number| limit(number, Once(1))),
        "mode" => mode(value.as_bytes()),
        _ => all.len(),
    }
}

fn limit(number: u32, once: Once) -> usize {
    shared(number) + once.0 as usize
}

fn shared(number: u32) -> usize {
    assert!(number != 305_419_896, "nobody has as many");
    number as usize
}

fn mode(bytes: &[u8]) -> usize {
    match bytes.starts_with(b"slow-but-sure") {
        true => bytes.iter().filter(|it| it.is_ascii_digit()).count(),
        false => generic(bytes.len()),
    }
}

fn generic<T: Into<usize>>(length: T) -> usize {
    length.into()
}
