//! A text or a word of it made as long as its length was compared with, so that what is compared behind the length is seen.

use std::ops::Range;

/// How many words of one kind become longer or shorter at most.
const PLACES: usize = 8;
/// What may stand between words.
const BETWEEN: [fn(&u8) -> bool; 3] = [
    u8::is_ascii_whitespace,
    |byte| byte.is_ascii_whitespace() || b"\"'`()[]{}<>,;=".contains(byte),
    |byte| byte.is_ascii() && !byte.is_ascii_alphanumeric() && *byte != b'_',
];

/// Calls with what a text becomes where a word of one length, or the text if it has that, gets another one: it is cut, or goes on with its last byte. The same may
/// come more than once.
pub fn resized(text: &[u8], length: usize, wanted: usize, take: &mut dyn FnMut(Vec<u8>)) {
    let mut resize = |word: Range<usize>| {
        let mut other = text[..word.end].to_vec();
        other.resize(word.start + wanted, text[..word.end].last().copied().unwrap_or(b'x'));
        other.extend(&text[word.end..]);
        take(other);
    };
    if length == text.len() {
        return resize(0..length);
    }
    if length == 0 || length > text.len() {
        return;
    }
    for is_between in BETWEEN {
        let mut end = 0;
        let words = text.split(is_between).map(|word| {
            // What is between two words is one byte.
            let begin = end;
            end = begin + word.len() + 1;
            begin..begin + word.len()
        });
        words.filter(|word| word.len() == length).take(PLACES).for_each(&mut resize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, length: usize, wanted: usize) -> Vec<String> {
        let mut all = Vec::new();
        resized(text.as_bytes(), length, wanted, &mut |it| {
            all.push(String::from_utf8(it).unwrap());
        });
        all
    }

    #[test]
    fn a_text_or_a_word_gets_another_length() {
        for (wanted, text) in [(5, "abccc"), (2, "ab"), (0, "")] {
            assert_eq!(all("abc", 3, wanted), [text]);
        }
        assert_eq!(all("", 0, 2), ["xx"]);
        assert_eq!(all("a = 2020-05 # \"b-c\"", 7, 9)[0], "a = 2020-0555 # \"b-c\"");
        assert_eq!(all("a = 2020-05 # \"b-c\"", 3, 4)[0], "a = 2020-05 # \"b-cc\"");
        assert!(all("f(more, less)", 4, 6).contains(&"f(moreee, less)".to_owned()));
        assert!(all("abc", 9, 10).is_empty() && all("abc ", 0, 3).is_empty());
    }
}
