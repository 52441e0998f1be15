//! How deep a text nests, found before it is parsed.
//!
//! The parser of the crate `pest_meta` recurses with groups, with comments inside comments and with the
//! escapes of a literal. [`scan`] reads the text once and refuses what has too many of one in another.

use crate::import::comments;
use pleach_core::grammar::{Diagnostic, Span};

/// How deep groups and comments may nest, and how many escapes a literal may have.
pub(super) const MAX_DEPTH: usize = 100;

/// Checks a text.
pub(super) fn scan(text: &str, file: u32) -> Result<(), Diagnostic> {
    let bytes = text.as_bytes();
    let refusal = |at: usize, message: &str, help: &str| {
        let span = Span { file, start: at as u32, end: at as u32 + 1 };
        Diagnostic::error(span, message).help(help)
    };
    let (mut at, mut depth) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += bytes[at..].iter().take_while(|&&byte| byte != b'\n').count();
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let rest = &bytes[at..];
                let (length, depth) = comments::length(rest, [b"/*", b"*/"]);
                if depth > MAX_DEPTH {
                    let message = "comments nest deeper than 100";
                    return Err(refusal(at, message, "close them before"));
                }
                at += length.unwrap_or(rest.len());
            }
            b'"' => {
                let begin = at;
                let mut escapes = 0;
                at += 1;
                while let Some(&byte) = bytes.get(at) {
                    at += 1;
                    match byte {
                        b'"' => break,
                        b'\\' => (at, escapes) = (at + 1, escapes + 1),
                        _ => {}
                    }
                }
                if escapes > MAX_DEPTH {
                    let help = "split it: \"...\" ~ \"...\" in an atomic rule";
                    return Err(refusal(begin, "this literal has more than 100 escapes", help));
                }
            }
            // A character, which may be a quote or a parenthesis.
            b'\'' => {
                let escaped = usize::from(bytes.get(at + 1) == Some(&b'\\'));
                at += 2 + escaped;
                while bytes.get(at).is_some_and(|&byte| byte != b'\'') {
                    at += 1;
                }
                at += 1;
            }
            b'(' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    let help = "name the inner ones with rules of their own";
                    return Err(refusal(at, "groups nest deeper than 100", help));
                }
                at += 1;
            }
            b')' => {
                depth -= usize::from(depth > 0);
                at += 1;
            }
            _ => at += 1,
        }
    }
    Ok(())
}
