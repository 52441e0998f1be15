//! Words of a source that a program compares without a trace.
//!
//! Where Rust compares a slice with an array of up to 16 bytes, such as `b"key"`, the compiler makes both one number, and sanitizers' callbacks know
//! numbers of 1, 2, 4 and 8 bytes. What was compared is in the source.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::LitByteStr;

/// How long an array can be that is compared as one number.
const LONGEST: usize = 16;

/// Byte strings of a source whose comparison has no callback, those in macros too. None where it is no Rust.
pub fn find(source: &str, words: &mut BTreeSet<Vec<u8>>) {
    // Most sources have none, and to look for that costs next to nothing.
    if ["b\"", "br\"", "br#"].iter().any(|begin| source.contains(begin))
        && let Ok(tokens) = source.parse()
    {
        of_tokens(tokens, words);
    }
}

fn of_tokens(tokens: TokenStream, words: &mut BTreeSet<Vec<u8>>) {
    // Not by calls: how deep a source is may be anything.
    let mut open = vec![tokens];
    while let Some(tokens) = open.pop() {
        for token in tokens {
            match token {
                TokenTree::Group(group) => open.push(group.stream()),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    if text.starts_with('b')
                        && let Ok(literal) = syn::parse_str::<LitByteStr>(&text)
                    {
                        let word = literal.value();
                        if word.len() <= LONGEST && !matches!(word.len(), 0..=2 | 4 | 8) {
                            words.insert(word);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_strings_are_words_but_for_those_whose_comparison_is_seen() {
        let source = r##"//! b"comment"
fn a(bytes: &[u8]) -> bool {
    bytes == b"key" || bytes == br#"a"raw"# || bytes == b"\x00\n\"\\xy" || "no bytes" == "b\"no\""
        || tag!(b"within") || [&b"four"[..], b"of eight", b"ab", b"", b'x'] .contains(&bytes)
        || bytes == b"sixteen of bytes" || bytes == b"seventeen of them"
}"##;
        let mut words = BTreeSet::new();
        find(source, &mut words);
        let all: [&[u8]; 5] = [b"\x00\n\"\\xy", b"a\"raw", b"key", b"sixteen of bytes", b"within"];
        assert!(words.iter().eq(&all), "{words:?}");
        find("fn (b\"is no Rust", &mut words);
        assert_eq!(words.len(), all.len());
    }
}
