//! The tokens of the notation, and how deep its groups nest.
//!
//! The parser recurses with the nesting of groups and of the sets in a class, so [`scan`] reads
//! the text once before it and refuses what nests deeper than [`MAX_DEPTH`]. A token that is
//! never closed is found here as well: at its beginning, where a parser would blame its end.
//! The doc comments are gathered on the way, as the parser skips comments.

use crate::grammar::{Diagnostic, Span};

/// How deep groups may nest.
pub const MAX_DEPTH: usize = 200;

/// What a token is, as far as nesting and messages need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, digits, `_` and `-`: a name, a number, a keyword.
    Word,
    /// A quoted text.
    Literal,
    /// `[...]`
    Class,
    /// `/.../`
    Regex,
    /// `..`
    Dots,
    /// Any other single character.
    Symbol(char),
}

/// A token and its bytes in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Token {
    /// Whether this is a regex that goes on beyond its line and does not ask for white space to
    /// be skipped: its end likely is the beginning of a comment or of the next regex.
    pub(super) fn is_long_regex(&self, text: &str) -> bool {
        let text = &text[self.start..self.end];
        self.kind == Kind::Regex && text.contains('\n') && !text.starts_with("/(?x")
    }
}

/// Why there is no next token.
#[derive(Debug)]
pub(super) struct Unclosed {
    /// Where the token begins.
    pub(super) start: usize,
    /// What it is and how it is closed.
    message: &'static str,
    help: &'static str,
}

/// Splits a text into tokens.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// The bytes of the doc comments so far, without their markers.
    docs: Vec<(usize, usize)>,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0, docs: Vec::new() }
    }

    /// The next token; none at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Token>, Unclosed> {
        self.skip()?;
        let start = self.at;
        let bytes = self.text.as_bytes();
        let Some(&first) = bytes.get(start) else {
            return Ok(None);
        };
        let kind = match first {
            b'"' | b'\'' => self.literal(first)?,
            b'[' => self.class()?,
            b'/' => self.regex()?,
            b'.' if bytes.get(start + 1) == Some(&b'.') => {
                self.at += 2;
                Kind::Dots
            }
            _ if is_letter(first) => {
                let rest = bytes[start..].iter().take_while(|&&byte| is_letter(byte));
                self.at += rest.count();
                Kind::Word
            }
            _ => {
                let symbol = self.text[start..].chars().next().unwrap_or_default();
                self.at += symbol.len_utf8();
                Kind::Symbol(symbol)
            }
        };
        Ok(Some(Token { kind, start, end: self.at }))
    }

    /// Passes over white space and comments.
    fn skip(&mut self) -> Result<(), Unclosed> {
        let bytes = self.text.as_bytes();
        loop {
            match &bytes[self.at..] {
                [b' ' | b'\t'..=b'\r', ..] => self.at += 1,
                // The byte order mark that some editors write.
                [0xEF, 0xBB, 0xBF, ..] => self.at += 3,
                [b'/', b'/', rest @ ..] => {
                    let length = rest.iter().position(|&byte| byte == b'\n');
                    let (start, end) =
                        (self.at + 2, length.map_or(bytes.len(), |length| self.at + 2 + length));
                    if rest.first() == Some(&b'/') && rest.get(1) != Some(&b'/') {
                        self.docs.push((start + 1, end));
                    }
                    self.at = end;
                }
                [b'/', b'*', ..] => {
                    let Some(length) = self.text[self.at + 2..].find("*/") else {
                        return Err(Unclosed {
                            start: self.at,
                            message: "unclosed comment",
                            help: "close it with `*/`",
                        });
                    };
                    self.at += length + 4;
                }
                _ => return Ok(()),
            }
        }
    }

    fn literal(&mut self, quote: u8) -> Result<Kind, Unclosed> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        loop {
            match bytes[at..] {
                [byte, ..] if byte == quote => break,
                [b'\\', next, ..] if !matches!(next, b'\n' | b'\r') => at += 2,
                [] | [b'\n' | b'\r' | b'\\', ..] => {
                    return Err(Unclosed {
                        start: self.at,
                        message: "unclosed literal",
                        help: "close it with the quote it begins with; inside, a line break is \
                               written `\\n`",
                    });
                }
                _ => at += 1,
            }
        }
        self.at = at + 1;
        Ok(Kind::Literal)
    }

    fn class(&mut self) -> Result<Kind, Unclosed> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        let mut depth = 0usize;
        loop {
            match bytes[at..] {
                [b'[', ..] => {
                    depth += 1;
                    if depth > MAX_DEPTH {
                        return Err(Unclosed {
                            start: at,
                            message: "the sets of a class nest deeper than 200",
                            help: "write the class with fewer sets inside sets",
                        });
                    }
                    at += 1;
                    at += usize::from(bytes.get(at) == Some(&b'^'));
                    // A `]` right after the opening stands for itself.
                    at += usize::from(bytes.get(at) == Some(&b']'));
                }
                [b']', ..] => {
                    at += 1;
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                [b'\\', next, ..] if !matches!(next, b'\n' | b'\r') => at += 2,
                [] | [b'\n' | b'\r' | b'\\', ..] => {
                    return Err(Unclosed {
                        start: self.at,
                        message: "unclosed class",
                        help: "close it with `]` on the same line; inside, `[` and a leading `]` \
                               are written `\\[` and `\\]`",
                    });
                }
                _ => at += 1,
            }
        }
        self.at = at;
        Ok(Kind::Class)
    }

    fn regex(&mut self) -> Result<Kind, Unclosed> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        loop {
            match bytes[at..] {
                [b'/', ..] => break,
                [b'\\', _, ..] => at += 2,
                [] | [b'\\'] => {
                    return Err(Unclosed {
                        start: self.at,
                        message: "unclosed regex",
                        help: "close it with `/`; inside, `/` is written `\\/`",
                    });
                }
                _ => at += 1,
            }
        }
        self.at = at + 1;
        Ok(Kind::Regex)
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Why the parser must not read the whole text, and how far it may read.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The text up to here holds no such mistake.
    pub(super) at: usize,
    pub(super) diagnostic: Diagnostic,
}

/// Checks the nesting of a text; gives the bytes of its doc comments, without their markers.
pub(super) fn scan(text: &str, file: u32) -> Result<Vec<(usize, usize)>, Refusal> {
    let refusal = |at, start: usize, end: usize, message: &str, help: &str| {
        let span = Span { file, start: start as u32, end: end as u32 };
        Refusal { at, diagnostic: Diagnostic::error(span, message).help(help) }
    };
    let unclosed = |open: usize, at: usize| {
        refusal(at, open, open + 1, "unclosed group", "close it with `)` before the `;`")
    };
    let mut scanner = Scanner::new(text);
    let mut open = Vec::new();
    // Where the first regex begins that goes on beyond its line.
    let mut long = None;
    loop {
        let token = match scanner.next() {
            Ok(token) => token,
            Err(Unclosed { start, message, help }) => {
                // An odd slash at the end: the one that lacks its fellow may be an earlier one.
                let start = long.filter(|_| text[start..].starts_with('/')).unwrap_or(start);
                return Err(refusal(scanner.at, start, start + 1, message, help));
            }
        };
        if let Some(token) = token.filter(|token| token.is_long_regex(text)) {
            long.get_or_insert(token.start);
        }
        match (token.map(|token| (token.kind, token.start)), open.last()) {
            (Some((Kind::Symbol('('), start)), _) => {
                if open.len() == MAX_DEPTH {
                    let help = "give inner groups rules of their own";
                    let message = "groups nest deeper than 200";
                    return Err(refusal(start, start, start + 1, message, help));
                }
                open.push(start);
            }
            (Some((Kind::Symbol(')'), start)), None) => {
                let help = "remove it, or open the group with `(`";
                return Err(refusal(start, start, start + 1, "`)` without a `(`", help));
            }
            (Some((Kind::Symbol(')'), _)), Some(_)) => {
                open.pop();
            }
            (Some((Kind::Symbol(';'), at)), Some(&start)) => return Err(unclosed(start, at)),
            (None, Some(&start)) => return Err(unclosed(start, text.len())),
            (None, None) => return Ok(scanner.docs),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let mut scanner = Scanner::new(text);
        std::iter::from_fn(|| scanner.next().expect(text).map(|token| token.kind)).collect()
    }

    #[test]
    fn brackets_inside_tokens_are_no_tokens() {
        assert_eq!(kinds(r#" "(" '(' "\"(" [(] [](] [^](] [\](] [a[(]] /(\/(/ // ( "#).len(), 9);
        assert_eq!(kinds("/* ( */ a-b..c"), [Kind::Word, Kind::Dots, Kind::Word]);
        assert_eq!(kinds("[[:alpha:]]"), [Kind::Class]);
    }

    #[test]
    fn the_limit_is_200() {
        let nested = |depth| format!("a = {}{} ;", "(".repeat(depth), ")".repeat(depth));
        assert!(scan(&nested(200), 0).is_ok());
        assert_eq!(scan(&nested(201), 0).unwrap_err().at, 204);
        assert_eq!(scan(&nested(1_000_000), 0).unwrap_err().at, 204);
        assert!(scan(&"[".repeat(1_000_000), 0).is_err());
    }

    #[test]
    fn four_slashes_are_no_doc_comment() {
        let text = "/// a\n//// b\n// c\n///\n";
        let docs = scan(text, 0).unwrap();
        assert_eq!(docs.iter().map(|&(s, e)| &text[s..e]).collect::<Vec<_>>(), [" a", ""]);
    }
}
