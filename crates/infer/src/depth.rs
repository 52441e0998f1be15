//! How deep source nests, before it is parsed.
//!
//! `syn` reads by recursive descent, its trees are dropped by recursion, and the interpreter
//! follows them. So text is measured first: brackets nest, and so does what stands between two
//! separators, for `!!!x`, `a.b().c()` and `if … else if …` make a tree as deep as they are long.

use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};

/// Whether brackets nest no deeper than so much; quotes and comments are skipped.
///
/// It is asked of the text before there are tokens, since making tokens recurses too.
pub(super) fn brackets_within(text: &str, limit: usize) -> bool {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                if depth > limit {
                    return false;
                }
            }
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'/' if bytes.get(at) == Some(&b'/') => {
                at += bytes[at..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - at);
            }
            b'/' if bytes.get(at) == Some(&b'*') => match skip_comment(bytes, at + 1, limit) {
                Some(end) => at = end,
                None => return false,
            },
            b'"' => at = skip_string(bytes, at),
            b'r' if !before_is_word(bytes, at - 1) => at = skip_raw(bytes, at),
            b'\'' => at = skip_quote(bytes, at),
            _ => {}
        }
    }
    true
}

fn before_is_word(bytes: &[u8], at: usize) -> bool {
    // `br"` is raw too.
    let before = |back: usize| at.checked_sub(back).and_then(|at| bytes.get(at));
    let is_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    match before(1) {
        Some(b'b' | b'c') => is_word(before(2)),
        byte => is_word(byte),
    }
}

fn skip_comment(bytes: &[u8], mut at: usize, limit: usize) -> Option<usize> {
    let mut depth = 1_usize;
    while depth > 0 {
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'/'), Some(b'*')) => {
                depth += 1;
                at += 2;
                if depth > limit {
                    return None;
                }
            }
            (Some(b'*'), Some(b'/')) => {
                depth -= 1;
                at += 2;
            }
            (Some(_), _) => at += 1,
            (None, _) => break,
        }
    }
    Some(at)
}

fn skip_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\\' => at += 1,
            b'"' => break,
            _ => {}
        }
    }
    at
}

fn skip_raw(bytes: &[u8], from: usize) -> usize {
    let hashes = bytes[from..].iter().take_while(|&&b| b == b'#').count();
    if bytes.get(from + hashes) != Some(&b'"') {
        return from;
    }
    let mut at = from + hashes + 1;
    while at < bytes.len() {
        if bytes[at] == b'"'
            && bytes[at + 1..].iter().take(hashes).filter(|&&b| b == b'#').count() == hashes
        {
            return at + 1 + hashes;
        }
        at += 1;
    }
    at
}

/// A character, or else a lifetime.
fn skip_quote(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'\\') => {
            let end = bytes[(at + 2).min(bytes.len())..].iter().position(|&b| b == b'\'');
            end.map_or(bytes.len(), |end| at + 2 + end + 1)
        }
        Some(&byte) => {
            let width = match byte {
                0..0x80 => 1,
                0x80..0xE0 => 2,
                0xE0..0xF0 => 3,
                _ => 4,
            };
            if bytes.get(at + width) == Some(&b'\'') { at + width + 1 } else { at }
        }
        None => at,
    }
}

/// Where tokens would make a tree that is deeper than a limit.
pub(super) fn too_deep(tokens: TokenStream, limit: usize) -> Option<LineColumn> {
    // Per open group: its tokens, how many of the level's were met since its last separator, and
    // whether the last one was a block.
    let mut levels = vec![(tokens.into_iter(), 0_usize, false)];
    let mut total = 0;
    while let Some((tokens, run, behind_block)) = levels.last_mut() {
        let Some(token) = tokens.next() else {
            total -= *run;
            levels.pop();
            continue;
        };
        let goes_on = match &token {
            TokenTree::Punct(punct) => !matches!(punct.as_char(), ',' | ';' | '#'),
            TokenTree::Ident(ident) if *behind_block => ident == "else" || ident == "as",
            TokenTree::Ident(ident) => !is_item(&ident.to_string()),
            TokenTree::Group(_) | TokenTree::Literal(_) => !*behind_block,
        };
        if !goes_on {
            total -= *run;
            *run = 0;
        }
        *behind_block = false;
        let more = match &token {
            TokenTree::Group(_) => 2,
            TokenTree::Punct(_) => 1,
            TokenTree::Ident(ident) => usize::from(ident == "else" || ident == "return"),
            TokenTree::Literal(_) => 0,
        };
        *run += more;
        total += more;
        if total > limit {
            return Some(token.span().start());
        }
        if let TokenTree::Group(group) = token {
            *behind_block = group.delimiter() == Delimiter::Brace;
            levels.push((group.stream().into_iter(), 0, false));
        }
    }
    None
}

/// Whether a word begins an item or a statement, so that nothing goes on behind it.
fn is_item(word: &str) -> bool {
    matches!(word, "fn" | "impl" | "let" | "mod" | "pub" | "struct" | "enum" | "trait" | "const")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_quotes_and_comments_do_not_count() {
        assert!(brackets_within("f(g(1))", 2) && !brackets_within("f(g(1))", 1));
        for text in [
            "('(' , '\\'', '\\u{28}', 'ä', b'[', '(')",
            "(\"((\\\"((\")",
            "(r#\"((\"((\"#, br\"((\")",
            "( /* (( /* (( */ (( */ ) // ((",
            "fn f<'a>(x: &'a str) {}",
        ] {
            assert!(brackets_within(text, 2), "{text}");
        }
        assert!(!brackets_within(&"/*".repeat(100), 50));
    }

    #[test]
    fn long_chains_are_deep() {
        let deep = |text: &str| too_deep(text.parse().expect("tokens"), 100).is_some();
        assert!(!deep(&"let x = 1 + 2;".repeat(1000)));
        assert!(!deep(&format!("[{}]", "1, ".repeat(1000))));
        assert!(deep(&format!("let x = 1{};", " + 1".repeat(101))));
        assert!(deep(&format!("let x = {}1;", "!".repeat(101))));
        assert!(deep(&format!("let x = a{};", ".b()".repeat(51))));
        assert!(deep(&format!("let x = {}1{};", "(".repeat(51), ")".repeat(51))));
    }
}
