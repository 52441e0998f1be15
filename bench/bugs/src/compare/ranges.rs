//! Numbers in order as a text of ranges, each by how many numbers lie before it and how many come behind its first: `0-2,1,3-1` are 0, 1,
//! 2, 4, 8 and 9. Edges that are taken stand together, and near others.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

pub fn serialize<S: Serializer>(numbers: &[u32], serializer: S) -> Result<S::Ok, S::Error> {
    let mut texts = Vec::new();
    let mut next = 0;
    for range in numbers.chunk_by(|&a, &b| b == a + 1) {
        let gap = range[0] - next;
        texts.push(match range.len() - 1 {
            0 => gap.to_string(),
            more => format!("{gap}-{more}"),
        });
        next = range[0] + range.len() as u32;
    }
    serializer.serialize_str(&texts.join(","))
}

pub fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let number = |text: &str| text.parse::<u32>().map_err(D::Error::custom);
    let beyond = || D::Error::custom("numbers of more than 32 bits");
    let mut numbers = Vec::new();
    let mut next = 0_u32;
    for range in text.split(',').filter(|range| !range.is_empty()) {
        let (gap, more) = range.split_once('-').unwrap_or((range, "0"));
        let first = next.checked_add(number(gap)?).ok_or_else(beyond)?;
        let last = first.checked_add(number(more)?).ok_or_else(beyond)?;
        numbers.extend(first..=last);
        next = last.checked_add(1).ok_or_else(beyond)?;
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back() {
        #[derive(Debug, PartialEq, serde::Serialize, Deserialize)]
        struct Numbers(#[serde(with = "super")] Vec<u32>);

        for (numbers, text) in [(vec![], ""), (vec![7], "7"), (vec![0, 1, 2, 4, 8, 9], "0-2,1,3-1")]
        {
            let numbers = Numbers(numbers);
            let written = serde_json::to_string(&numbers).unwrap();
            assert_eq!(written, format!("{text:?}"));
            assert_eq!(serde_json::from_str::<Numbers>(&written).unwrap(), numbers);
        }
        for bad in ["\"a\"", "\"1-\"", "\"7,4294967295\"", "3"] {
            assert!(serde_json::from_str::<Numbers>(bad).is_err(), "{bad}");
        }
    }
}
