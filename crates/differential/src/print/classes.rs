//! Classes of symbols, each once, and as they are written.

use fxhash::FxHashMap;

use pleach_core::regular::{Alphabet, class_ranges};

/// Classes that have names, larger before smaller.
const NAMED: &[&str] = &[r"\W", r"\S", r"\D", r"\w", r"\p{L}", r"\p{Ll}", r"\p{Lu}", r"\d", r"\s"];

/// Ranges from which on a class may be one that has a name.
const RAGGED: usize = 8;

/// A class of Unicode's by name.
type Named = (&'static str, Vec<(u32, u32)>);

/// The classes of one alphabet.
pub(super) struct Classes {
    alphabet: Alphabet,
    ranges: Vec<Vec<(u32, u32)>>,
    ids: FxHashMap<Vec<(u32, u32)>, u32>,
    texts: Vec<String>,
    /// Unicode's classes by name, looked up when first needed.
    named: Option<Vec<Named>>,
}

impl Classes {
    pub(super) fn new(alphabet: Alphabet) -> Self {
        Self {
            alphabet,
            ranges: Vec::new(),
            ids: FxHashMap::default(),
            texts: Vec::new(),
            named: None,
        }
    }

    pub(super) fn intern(&mut self, ranges: Vec<(u32, u32)>) -> u32 {
        if let Some(&class) = self.ids.get(&ranges) {
            return class;
        }
        let class = self.ranges.len() as u32;
        let text = self.class_text(&ranges);
        self.texts.push(text);
        self.ranges.push(ranges.clone());
        self.ids.insert(ranges, class);
        class
    }

    pub(super) fn ranges(&self, class: u32) -> &[(u32, u32)] {
        &self.ranges[class as usize]
    }

    pub(super) fn text(&self, class: u32) -> &str {
        &self.texts[class as usize]
    }

    /// Whether a class is written as alternatives: one of plain symbols and one of roles.
    pub(super) fn is_mixed(&self, class: u32) -> bool {
        let boundary = Alphabet::role('\0');
        let ranges = self.ranges(class);
        ranges.first().is_some_and(|range| range.0 < boundary)
            && ranges.last().is_some_and(|range| range.1 >= boundary)
    }

    /// A class as it is written; where it is of both roles, as alternatives.
    fn class_text(&mut self, ranges: &[(u32, u32)]) -> String {
        let boundary = Alphabet::role('\0');
        let plain: Vec<_> = ranges
            .iter()
            .filter(|range| range.0 < boundary)
            .map(|&(low, high)| (low, high.min(boundary - 1)))
            .collect();
        let roles: Vec<_> = ranges
            .iter()
            .filter(|range| range.1 >= boundary)
            .map(|&(low, high)| (low.max(boundary) - boundary, high - boundary))
            .collect();
        match (plain.is_empty(), roles.is_empty()) {
            (_, true) => self.plain_text(&plain),
            (true, _) => format!("(?<data>{})", self.plain_text(&roles)),
            _ => format!("{}|(?<data>{})", self.plain_text(&plain), self.plain_text(&roles)),
        }
    }

    fn plain_text(&mut self, ranges: &[(u32, u32)]) -> String {
        let alphabet = match self.alphabet {
            Alphabet::Roles => Alphabet::Unicode,
            alphabet => alphabet,
        };
        if let [(low, high)] = *ranges
            && low == high
        {
            return literal(low, alphabet, false);
        }
        let others = minus(alphabet.universe(), ranges);
        match *others {
            [] if alphabet == Alphabet::Bytes => return "(?s-u:.)".into(),
            [] => return "(?s:.)".into(),
            [(10, 10)] => return ".".into(),
            _ => {}
        }
        let (listed, is_name) = self.items(ranges, alphabet);
        let (excluded, _) = self.items(&others, alphabet);
        if is_name {
            return listed;
        }
        if excluded.len() < listed.len() { format!("[^{excluded}]") } else { format!("[{listed}]") }
    }

    /// What stands between the brackets of a class, and whether that is one name.
    fn items(&mut self, ranges: &[(u32, u32)], alphabet: Alphabet) -> (String, bool) {
        let mut left = ranges.to_vec();
        let mut items = String::new();
        let mut names = 0;
        if ranges.len() >= RAGGED && alphabet == Alphabet::Unicode {
            let named = self.named.get_or_insert_with(|| {
                let ranges = |name: &&'static str| {
                    let ranges = class_ranges(&format!("[{name}]"), Alphabet::Unicode).ok()?;
                    Some((*name, ranges))
                };
                NAMED.iter().filter_map(ranges).collect()
            });
            for (name, ranges) in named.iter() {
                // The whole class is among what is left.
                if left.len() >= RAGGED && minus(ranges, &left).is_empty() {
                    left = minus(&left, ranges);
                    items.push_str(name);
                    names += 1;
                }
            }
        }
        let is_name = names == 1 && left.is_empty();
        for (low, high) in left {
            items.push_str(&literal(low, alphabet, true));
            if high > low + 1 {
                items.push('-');
            }
            if high > low {
                items.push_str(&literal(high, alphabet, true));
            }
        }
        (items, is_name)
    }
}

/// Sorts ranges and joins those that touch.
pub(super) fn join(ranges: &mut Vec<(u32, u32)>) {
    ranges.sort_unstable();
    let mut joined: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
    for &(low, high) in ranges.iter() {
        match joined.last_mut() {
            Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
            _ => joined.push((low, high)),
        }
    }
    *ranges = joined;
}

/// Those symbols of some ranges that are not in others; both are sorted and disjoint.
fn minus(ranges: &[(u32, u32)], others: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut left = Vec::new();
    let mut others = others.iter().copied().peekable();
    for &(low, high) in ranges {
        let mut from = low;
        while from <= high {
            while others.next_if(|other| other.1 < from).is_some() {}
            match others.peek() {
                Some(&(first, last)) if first <= high => {
                    if first > from {
                        left.push((from, first - 1));
                    }
                    from = last.saturating_add(1);
                }
                _ => {
                    left.push((from, high));
                    break;
                }
            }
        }
    }
    left
}

/// A symbol as it is written, in brackets or not.
fn literal(symbol: u32, alphabet: Alphabet, in_class: bool) -> String {
    let special = if in_class { r"\[]^-&~" } else { r"\.+*?()|[]{}^$" };
    match char::from_u32(symbol) {
        _ if alphabet == Alphabet::Bytes && symbol >= 0x80 => format!("\\x{symbol:02X}"),
        Some('\n') => "\\n".into(),
        Some('\t') => "\\t".into(),
        Some('\r') => "\\r".into(),
        Some(character) if special.contains(character) => format!("\\{character}"),
        Some(character) if character == ' ' || character.is_ascii_graphic() => character.into(),
        Some(character) if character.is_alphanumeric() => character.into(),
        _ if symbol < 0x80 => format!("\\x{symbol:02X}"),
        _ => format!("\\u{{{symbol:X}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_ranges() {
        assert_eq!(
            minus(&[(0, 9), (20, 29)], &[(3, 4), (8, 22), (29, 40)]),
            [(0, 2), (5, 7), (23, 28)]
        );
        assert_eq!(minus(&[(0, 9)], &[]), [(0, 9)]);
        assert_eq!(minus(&[(5, 9)], &[(0, 20)]), []);
    }
}
