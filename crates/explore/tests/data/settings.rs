//! Reads one setting. Each kind has a fault that only some values show.

use std::collections::HashMap;

const KINDS: [u8; 8] = [3, 1, 4, 1, 5, 9, 2, 6];

pub fn read(text: &str) -> Result<u32, String> {
    let (head, rest) = text.split_once('=').ok_or("there is no =")?;
    match head.trim() {
        "width" => width(rest),
        "date" => date(rest),
        "list" => list(rest),
        "kind" => kind(rest),
        "name" => name(rest),
        _ => Err("unknown".into()),
    }
}

/// A number that is written out in full.
fn width(text: &str) -> Result<u32, String> {
    let number: u16 = text.parse().map_err(|_| "no number")?;
    assert_ne!(number, 4242, "the planted width");
    Ok(number.into())
}

fn date(text: &str) -> Result<u32, String> {
    let (day, month) = text.split_once('-').ok_or("there is no -")?;
    let (day, month): (u32, u32) =
        (day.parse().map_err(|_| "no day")?, month.parse().map_err(|_| "no month")?);
    if !(1..=31).contains(&day) || !(1..=12).contains(&month) {
        return Err("no such day".into());
    }
    if month == 2 && day > 29 {
        panic!("the planted date");
    }
    Ok(day * 100 + month)
}

/// Brackets within brackets.
fn list(text: &str) -> Result<u32, String> {
    let (mut depth, mut most) = (0u32, 0);
    for c in text.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.checked_sub(1).ok_or("too many ]")?,
            _ => return Err("neither [ nor ]".into()),
        }
        most = most.max(depth);
    }
    if depth == 0 && most == 3 {
        panic!("the planted depth");
    }
    Ok(most)
}

/// Through a table.
fn kind(text: &str) -> Result<u32, String> {
    let &[a, b] = text.as_bytes() else {
        return Err("two letters are expected".into());
    };
    let (x, y) = (KINDS[usize::from(a & 7)], KINDS[usize::from(b & 7)]);
    if x == 9 && y == 2 && a.is_ascii_lowercase() {
        panic!("the planted kind");
    }
    Ok(u32::from(x) * 10 + u32::from(y))
}

/// Through a hash map and floats, which are not followed.
fn name(text: &str) -> Result<u32, String> {
    let mut known = HashMap::new();
    known.insert("one", 1);
    known.insert("two", 2);
    match known.get(text) {
        Some(&number) => Ok(number),
        None => text.parse::<f64>().map(|number| number as u32).map_err(|error| error.to_string()),
    }
}
