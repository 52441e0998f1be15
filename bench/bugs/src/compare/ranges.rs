//! Numbers in order as a text of ranges, such as `0-3,7`: edges that are taken stand together.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

pub fn serialize<S: Serializer>(numbers: &[u32], serializer: S) -> Result<S::Ok, S::Error> {
    let mut texts = Vec::new();
    for range in numbers.chunk_by(|&a, &b| b == a + 1) {
        texts.push(match *range {
            [first, .., last] => format!("{first}-{last}"),
            [one] => one.to_string(),
            [] => continue,
        });
    }
    serializer.serialize_str(&texts.join(","))
}

pub fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let mut numbers = Vec::new();
    for range in text.split(',').filter(|range| !range.is_empty()) {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.parse::<u32>().map_err(D::Error::custom);
        numbers.extend(number(first)?..=number(last)?);
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

        for (numbers, text) in [(vec![], ""), (vec![7], "7"), (vec![0, 1, 2, 4, 8, 9], "0-2,4,8-9")]
        {
            let numbers = Numbers(numbers);
            let written = serde_json::to_string(&numbers).unwrap();
            assert_eq!(written, format!("{text:?}"));
            assert_eq!(serde_json::from_str::<Numbers>(&written).unwrap(), numbers);
        }
        for bad in ["\"a\"", "\"1-\"", "3"] {
            assert!(serde_json::from_str::<Numbers>(bad).is_err(), "{bad}");
        }
    }
}
