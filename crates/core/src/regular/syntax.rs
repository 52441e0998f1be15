//! Regexes and classes in the syntax of the `regex` crate, through `regex-syntax`.
//!
//! Inline flags, Unicode classes and class operations are as they are there. A pattern always
//! matches a whole string, so `^` and `$` are no-ops where nothing can stand before or after
//! them, and every other look-around is an error. Whether a repetition is greedy, and which
//! group captures, makes no difference to a language, but for one thing: with
//! [`Alphabet::Roles`], what stands in a group whose name begins with `data` is characters in
//! their other role. Several groups may then have one name.

use regex_syntax::ast::{self, AssertionKind, Ast};
use regex_syntax::hir::translate::TranslatorBuilder;
use regex_syntax::hir::{self, Class, ClassBytes, ClassUnicode, Hir, HirKind, Look};
use regex_syntax::utf8::Utf8Sequences;

use super::alphabet::{normalize, shifted};
use super::{Alphabet, AutomatonLimits, Nfa, NfaState, RegularError};

/// How deep groups, classes and repetitions may nest.
const NEST_LIMIT: u32 = 200;

/// How many groups may have a name that another one before them has. Each costs a pass over the
/// pattern.
const NAMESAKES: usize = 1000;

/// With what the name of a group begins in which characters are in their other role.
const DATA: &str = "data";

/// The symbols of a bracketed class, such as `[a-z_]` or `[^\p{Greek}--[α-ω]]`.
///
/// They come as sorted, disjoint, inclusive ranges; a class may be empty. With
/// [`Alphabet::Bytes`], Unicode is off: `[^"]` is all bytes but one, and `\xE9` is a byte.
///
/// # Errors
///
/// Where the pattern is not one bracketed class, or has characters that are not in the alphabet.
///
/// # Examples
///
/// ```
/// use pleach::regular::{Alphabet, class_ranges};
///
/// assert_eq!(class_ranges(r"[a-cx]", Alphabet::Unicode)?, [(0x61, 0x63), (0x78, 0x78)]);
/// assert_eq!(class_ranges(r"[^\x00-\x7F]", Alphabet::Bytes)?, [(0x80, 0xFF)]);
/// # Ok::<(), pleach::regular::RegularError>(())
/// ```
pub fn class_ranges(pattern: &str, alphabet: Alphabet) -> Result<Vec<(u32, u32)>, RegularError> {
    let ast = parse(pattern).map_err(|error| ast_error(&error))?;
    let not_a_class = || {
        let message = "expected one bracketed class: write it as `[...]`";
        RegularError::syntax(message, Some((0, pattern.len())))
    };
    if !matches!(ast, Ast::ClassBracketed(_)) {
        return Err(not_a_class());
    }
    let hir = translate(pattern, &ast, alphabet)?;
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => Ok(scalar_ranges(class)),
        HirKind::Class(Class::Bytes(class)) => Ok(byte_ranges(class)),
        // A class of a single symbol.
        HirKind::Literal(literal) => {
            let symbol = match (alphabet, std::str::from_utf8(&literal.0)) {
                (Alphabet::Unicode | Alphabet::Roles, Ok(text)) => {
                    text.chars().next().map(u32::from)
                }
                _ => literal.0.first().map(|&byte| u32::from(byte)),
            };
            Ok(symbol.map(|symbol| (symbol, symbol)).into_iter().collect())
        }
        _ => Err(not_a_class()),
    }
}

/// What a pattern means; looking around is still in it, and nothing where an automaton can be made of it.
///
/// # Errors
///
/// Where the pattern is malformed, or asks for what the alphabet or this crate does not have.
pub fn pattern(pattern: &str, alphabet: Alphabet) -> Result<Hir, RegularError> {
    let written = Written::new(pattern, alphabet)?;
    let hir = translate(&written.text, &written.ast, alphabet);
    hir.map_err(|error| error.without(&written.insertions))
}

/// Whether a group of this name makes characters of [`Alphabet::Roles`] be in their other role.
pub fn is_data(name: Option<&str>) -> bool {
    name.is_some_and(|name| name.starts_with(DATA))
}

/// The name that a group has in the pattern, of which its own may be a variant.
pub fn written_name(name: &str) -> &str {
    name.split_once('[').map_or(name, |(name, _)| name)
}

/// A pattern's syntax tree.
struct Written<'p> {
    /// The pattern, or with [`Alphabet::Roles`] one in which no two groups have the same name.
    text: std::borrow::Cow<'p, str>,
    ast: Ast,
    /// What was inserted into the text to that end: offsets in it and lengths, ascending.
    insertions: Vec<(usize, usize)>,
}

impl<'p> Written<'p> {
    fn new(pattern: &'p str, alphabet: Alphabet) -> Result<Self, RegularError> {
        let mut text = std::borrow::Cow::Borrowed(pattern);
        let mut insertions = Vec::new();
        loop {
            let error = match parse(&text) {
                Ok(ast) => return Ok(Self { text, ast, insertions }),
                Err(error) => error,
            };
            // The parser goes from left to right, so each namesake is behind those before it.
            let is_namesake = matches!(error.kind(), ast::ErrorKind::GroupNameDuplicate { .. });
            if alphabet != Alphabet::Roles || !is_namesake {
                return Err(ast_error(&error).without(&insertions));
            }
            if insertions.len() == NAMESAKES {
                return Err(RegularError::too_large("groups of one name", NAMESAKES as u64));
            }
            let at = error.span().end.offset;
            let suffix = format!("[{}]", insertions.len() + 2);
            text.to_mut().insert_str(at, &suffix);
            insertions.push((at, suffix.len()));
        }
    }
}

fn parse(pattern: &str) -> Result<Ast, Box<ast::Error>> {
    let mut parser = ast::parse::ParserBuilder::new().nest_limit(NEST_LIMIT).build();
    parser.parse(pattern).map_err(Box::new)
}

/// The meaning of a pattern; with [`Alphabet::Bytes`] Unicode is off until a flag turns it on.
fn translate(pattern: &str, ast: &Ast, alphabet: Alphabet) -> Result<Hir, RegularError> {
    let unicode = alphabet != Alphabet::Bytes;
    let mut translator = TranslatorBuilder::new().unicode(unicode).utf8(unicode).build();
    translator.translate(pattern, ast).map_err(|error| hir_error(&error))
}

fn offsets(span: &ast::Span) -> Option<(usize, usize)> {
    Some((span.start.offset, span.end.offset))
}

fn ast_error(error: &ast::Error) -> RegularError {
    use ast::ErrorKind::*;
    let span = offsets(error.span());
    let mend = match error.kind() {
        NestLimitExceeded(limit) => return RegularError::too_deep(*limit, span),
        UnsupportedBackreference => {
            let message = "backreferences are not regular: write out what they repeat";
            return RegularError::unsupported(message, span);
        }
        UnsupportedLookAround => {
            let message = "look-ahead and look-behind are not supported: \
                           subtract a language with `except` instead";
            return RegularError::unsupported(message, span);
        }
        ClassUnclosed => "close it with `]`, or write the bracket as `\\[`",
        GroupUnclosed | GroupNameUnexpectedEof => "close it with `)`, or write it as `\\(`",
        GroupUnopened => "open it with `(`, or write it as `\\)`",
        RepetitionMissing => "put something before it, or escape it with `\\`",
        RepetitionCountInvalid | ClassRangeInvalid => "exchange the two ends",
        RepetitionCountDecimalEmpty | RepetitionCountUnclosed | DecimalEmpty | DecimalInvalid => {
            "write `{n}`, `{n,}` or `{n,m}`, or a brace as `\\{`"
        }
        EscapeUnrecognized | EscapeUnexpectedEof | ClassEscapeInvalid => {
            "write a backslash as `\\\\`"
        }
        EscapeHexEmpty | EscapeHexInvalid | EscapeHexInvalidDigit => {
            "write `\\xHH` or `\\u{H...}`, with surrogates excluded"
        }
        _ => "see the syntax of the `regex` crate",
    };
    RegularError::syntax(format!("{}: {mend}", error.kind()), span)
}

fn hir_error(error: &hir::Error) -> RegularError {
    use hir::ErrorKind::*;
    let span = offsets(error.span());
    match error.kind() {
        UnicodeNotAllowed => RegularError::unsupported(
            "a character beyond ASCII or a Unicode class stands where symbols are bytes: write \
             bytes as `\\xHH`, or `(?u)` before the class for its characters in UTF-8",
            span,
        ),
        InvalidUtf8 => RegularError::unsupported(
            "the pattern matches bytes that are not UTF-8: take out `(?-u)`, or use the bytes \
             alphabet",
            span,
        ),
        UnicodePropertyNotFound | UnicodePropertyValueNotFound => RegularError::syntax(
            "unknown Unicode property: see Unicode's lists of general categories and scripts",
            span,
        ),
        kind => RegularError::syntax(
            format!("{}: see the syntax of the `regex` crate", kind.to_string().to_lowercase()),
            span,
        ),
    }
}

fn scalar_ranges(class: &ClassUnicode) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> =
        class.iter().map(|range| (range.start().into(), range.end().into())).collect();
    // A range across the surrogates is one for `char` and two for an alphabet without them.
    if let Some(i) = ranges.iter().position(|&(low, high)| low < 0xD800 && high > 0xDFFF) {
        let high = ranges[i].1;
        ranges[i].1 = 0xD7FF;
        ranges.insert(i + 1, (0xE000, high));
    }
    ranges
}

fn byte_ranges(class: &ClassBytes) -> Vec<(u32, u32)> {
    let mut ranges = class.iter().map(|range| (range.start().into(), range.end().into())).collect();
    normalize(&mut ranges);
    ranges
}

/// A part that is still to be added between two states.
struct Task<'h> {
    from: NfaState,
    hir: &'h Hir,
    to: NfaState,
    /// Whether nothing can stand before this part.
    at_start: bool,
    /// Whether nothing can stand after this part.
    at_end: bool,
    /// Whether its characters are in their other role.
    is_data: bool,
}

impl Nfa {
    /// Adds paths for the strings that a regex matches as a whole.
    ///
    /// The syntax is that of the `regex` crate with its inline flags. With [`Alphabet::Bytes`],
    /// `.`, `\w` and classes are of bytes, until `(?u)` turns Unicode on. A character beyond ASCII
    /// is its UTF-8 bytes; in a class it needs `(?u)`. With [`Alphabet::Roles`], what stands in a
    /// group whose name begins with `data` is characters in their other role, as the second colon
    /// in `[^:]*:([^:]|(?<data>:))*`; whatever stands elsewhere, `.` and `[^,]` as well, is not.
    /// Several groups may have one name there.
    ///
    /// # Errors
    ///
    /// Where the pattern is malformed; has look-around other than `^`, `$`, `\A` and `\z` at its
    /// ends; matches bytes that are not UTF-8 in a Unicode alphabet; nests deeper than 200
    /// levels; or [`AutomatonLimits::nfa`] would be passed.
    pub fn regex(
        &mut self,
        from: NfaState,
        pattern: &str,
        to: NfaState,
        limits: &AutomatonLimits,
    ) -> Result<(), RegularError> {
        let written = Written::new(pattern, self.alphabet())?;
        self.written(from, &written, to, limits).map_err(|error| error.without(&written.insertions))
    }

    fn written(
        &mut self,
        from: NfaState,
        written: &Written<'_>,
        to: NfaState,
        limits: &AutomatonLimits,
    ) -> Result<(), RegularError> {
        let hir = translate(&written.text, &written.ast, self.alphabet())?;
        let first = Task { from, hir: &hir, to, at_start: true, at_end: true, is_data: false };
        let mut tasks = vec![first];
        while let Some(task) = tasks.pop() {
            self.check(limits)?;
            match task.hir.kind() {
                HirKind::Empty => self.epsilon(task.from, task.to),
                HirKind::Literal(literal) if task.is_data => {
                    self.data(task.from, &literal.0, task.to, limits)?;
                }
                HirKind::Literal(literal) => {
                    self.literal(task.from, &literal.0, false, task.to, limits)?;
                }
                HirKind::Class(Class::Unicode(class)) if task.is_data => {
                    self.edge(task.from, &shifted(&scalar_ranges(class)), task.to);
                }
                HirKind::Class(class) => self.class(task.from, class, task.to, limits)?,
                HirKind::Look(look) => {
                    if !is_trivial(*look, &task) {
                        return Err(look_error(*look, task.hir, &hir, &written.ast));
                    }
                    self.epsilon(task.from, task.to);
                }
                HirKind::Capture(capture) => {
                    let is_named =
                        self.alphabet() == Alphabet::Roles && is_data(capture.name.as_deref());
                    let is_data = task.is_data || is_named;
                    tasks.push(Task { hir: &capture.sub, is_data, ..task });
                }
                HirKind::Alternation(parts) => {
                    tasks.extend(parts.iter().map(|hir| Task { hir, ..task }));
                }
                HirKind::Concat(parts) => self.concat(&task, parts, &mut tasks),
                HirKind::Repetition(repetition) => {
                    let hir = &*repetition.sub;
                    let (min, max) = (repetition.min, repetition.max);
                    let alone = max == Some(1) || is_zero_width(hir);
                    for (from, to) in self.repeat(task.from, min, max, task.to, limits)? {
                        let at_start = task.at_start && alone;
                        let at_end = task.at_end && alone;
                        tasks.push(Task { from, hir, to, at_start, at_end, ..task });
                    }
                }
            }
        }
        self.check(limits)
    }

    /// Adds a path that spells a literal, each character in its other role.
    fn data(
        &mut self,
        from: NfaState,
        bytes: &[u8],
        to: NfaState,
        limits: &AutomatonLimits,
    ) -> Result<(), RegularError> {
        // Patterns that match anything but UTF-8 are refused before.
        let text = String::from_utf8_lossy(bytes);
        let symbols: Vec<_> = text
            .chars()
            .map(|character| [(Alphabet::role(character), Alphabet::role(character))])
            .collect();
        self.sequence(from, symbols.iter().map(|symbol| &symbol[..]), to, limits)
    }

    fn concat<'h>(&mut self, whole: &Task<'h>, parts: &'h [Hir], tasks: &mut Vec<Task<'h>>) {
        let first = parts.iter().position(|part| !is_zero_width(part)).unwrap_or(parts.len());
        let last = parts.iter().rposition(|part| !is_zero_width(part)).unwrap_or(0);
        let mut at = whole.from;
        for (i, hir) in parts.iter().enumerate() {
            let next = if i + 1 == parts.len() { whole.to } else { self.state() };
            let at_start = whole.at_start && i <= first;
            let at_end = whole.at_end && i >= last;
            tasks.push(Task { from: at, hir, to: next, at_start, at_end, ..*whole });
            at = next;
        }
    }

    fn class(
        &mut self,
        from: NfaState,
        class: &Class,
        to: NfaState,
        limits: &AutomatonLimits,
    ) -> Result<(), RegularError> {
        match class {
            Class::Bytes(class) => self.edge(from, &byte_ranges(class), to),
            Class::Unicode(class) if self.alphabet() != Alphabet::Bytes => {
                self.edge(from, &scalar_ranges(class), to);
            }
            Class::Unicode(class) => {
                for range in class.iter() {
                    for sequence in Utf8Sequences::new(range.start(), range.end()) {
                        let bytes: Vec<[(u32, u32); 1]> = sequence
                            .as_slice()
                            .iter()
                            .map(|bytes| [(bytes.start.into(), bytes.end.into())])
                            .collect();
                        let sets = bytes.iter().map(|range| &range[..]);
                        self.sequence(from, sets, to, limits)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether a part can only match the empty string.
fn is_zero_width(hir: &Hir) -> bool {
    hir.properties().maximum_len() == Some(0)
}

/// Whether an assertion holds wherever its part stands.
fn is_trivial(look: Look, task: &Task) -> bool {
    match look {
        Look::Start | Look::StartLF | Look::StartCRLF => task.at_start,
        Look::End | Look::EndLF | Look::EndCRLF => task.at_end,
        _ => false,
    }
}

fn look_error(look: Look, at: &Hir, whole: &Hir, ast: &Ast) -> RegularError {
    let span = look_span(look, at, whole, ast);
    let is_anchor = matches!(
        look,
        Look::Start | Look::StartLF | Look::StartCRLF | Look::End | Look::EndLF | Look::EndCRLF
    );
    let message = if is_anchor {
        "an anchor inside a pattern is not supported: the whole string matches anyway, so take \
         it out"
    } else {
        "word boundaries are not supported: write out what may stand on either side, or subtract \
         a language with `except`"
    };
    RegularError::unsupported(message, span)
}

/// Where an assertion is written, if that is certain.
///
/// Translation keeps no spans, and may drop or unite assertions. Where it did neither, the n-th
/// here is the n-th there; else a kind of which there is only one will do.
fn look_span(look: Look, at: &Hir, whole: &Hir, ast: &Ast) -> Option<(usize, usize)> {
    let mut looks = Vec::new();
    let mut stack = vec![whole];
    while let Some(hir) = stack.pop() {
        match hir.kind() {
            HirKind::Look(_) => looks.push(hir),
            HirKind::Capture(capture) => stack.push(&capture.sub),
            HirKind::Repetition(repetition) => stack.push(&repetition.sub),
            HirKind::Concat(parts) | HirKind::Alternation(parts) => {
                stack.extend(parts.iter().rev())
            }
            HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => {}
        }
    }
    let Ok(written) = ast::visit(ast, Assertions(Vec::new()));
    if looks.len() == written.len() {
        let index = looks.iter().position(|&hir| std::ptr::eq(hir, at))?;
        return offsets(&written[index].span);
    }
    let mut alike = written.iter().filter(|assertion| may_mean(&assertion.kind, look));
    match (alike.next(), alike.next()) {
        (Some(assertion), None) => offsets(&assertion.span),
        _ => None,
    }
}

fn may_mean(kind: &AssertionKind, look: Look) -> bool {
    match look {
        Look::Start => matches!(kind, AssertionKind::StartLine | AssertionKind::StartText),
        Look::StartLF | Look::StartCRLF => matches!(kind, AssertionKind::StartLine),
        Look::End => matches!(kind, AssertionKind::EndLine | AssertionKind::EndText),
        Look::EndLF | Look::EndCRLF => matches!(kind, AssertionKind::EndLine),
        _ => !matches!(
            kind,
            AssertionKind::StartLine
                | AssertionKind::StartText
                | AssertionKind::EndLine
                | AssertionKind::EndText
        ),
    }
}

/// Collects assertions in the order in which they are written.
struct Assertions(Vec<ast::Assertion>);

impl ast::Visitor for Assertions {
    type Output = Vec<ast::Assertion>;
    type Err = std::convert::Infallible;

    fn finish(self) -> Result<Self::Output, Self::Err> {
        Ok(self.0)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        if let Ast::Assertion(assertion) = ast {
            self.0.push((**assertion).clone());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regular::Dfa;

    fn regex(pattern: &str, alphabet: Alphabet) -> Result<Dfa, RegularError> {
        Dfa::from_regex(pattern, alphabet, &AutomatonLimits::default())
    }

    #[test]
    fn anchors_at_the_ends_are_no_ops() {
        let plain = regex("a|bc", Alphabet::Unicode).expect("well formed");
        for pattern in [
            "^(?:a|bc)$",
            r"\Aa\z|^bc$",
            "^^(a|(bc)$)$",
            "(?m)^(?:a|bc)$",
            "(?:^)?(^a|^(bc$)$)",
            "(?:^){3}(?:a|bc)(?:$|$)",
        ] {
            assert_eq!(regex(pattern, Alphabet::Unicode).as_ref(), Ok(&plain), "{pattern}");
        }
    }

    #[test]
    fn other_look_around_is_refused_where_it_stands() {
        for (pattern, span) in [
            ("a^b", Some((1, 2))),
            ("^a$b", Some((2, 3))),
            ("^(?:a$|b)*$", Some((5, 6))),
            (r"\bword", Some((0, 2))),
            (r"x|y\Bz", Some((3, 5))),
            (r"(?:\b){0}a\b|a\b", None),
            ("a(?=b)", Some((1, 4))),
            (r"(a)\1", Some((3, 5))),
        ] {
            let error = regex(pattern, Alphabet::Unicode).expect_err(pattern);
            assert!(error.is_unsupported(), "{pattern}: {error}");
            assert_eq!(error.span(), span, "{pattern}");
        }
    }

    #[test]
    fn malformed_patterns_are_syntax_errors_with_a_way_out() {
        for (pattern, span, word) in [
            ("a(b", (1, 2), "`)`"),
            ("a)", (1, 2), "`(`"),
            ("*", (0, 0), "before"),
            ("x[a", (1, 2), "`]`"),
            ("a{3,2}", (1, 6), "exchange"),
            (r"\u{D800}", (3, 7), "surrogates"),
            (r"\p{Nonsense}", (0, 12), "property"),
        ] {
            let error = regex(pattern, Alphabet::Unicode).expect_err(pattern);
            assert!(error.is_syntax(), "{pattern}: {error}");
            assert_eq!(error.span(), Some(span), "{pattern}");
            assert!(error.to_string().contains(word), "{pattern}: {error}");
        }
    }

    #[test]
    fn bytes_and_scalars_keep_apart() {
        let error = regex(r"(?-u)\xFF", Alphabet::Unicode).expect_err("not UTF-8");
        assert!(error.is_unsupported() && error.span() == Some((5, 9)), "{error:?}");
        let error = regex("(?-u:.)", Alphabet::Unicode).expect_err("not UTF-8");
        assert!(error.is_unsupported());
        for pattern in [r"\p{L}", "[é]", r"[\u{E9}]"] {
            let error = regex(pattern, Alphabet::Bytes).expect_err("not a byte");
            assert!(error.is_unsupported(), "{pattern}: {error}");
            assert!(error.to_string().contains(r"\xHH"), "{pattern}: {error}");
        }
        let both = [r"é\u{E9}\xE9", r"(?u)é\u{E9}(?-u)\xE9", r"\xC3\xA9\xC3\xA9\xE9"];
        let [a, b, c] = both.map(|pattern| regex(pattern, Alphabet::Bytes).expect(pattern));
        assert!(a == c && b == c);
        let ascii = regex(r"(?-u:\w)", Alphabet::Unicode).expect("ASCII");
        assert!(ascii.contains_bytes(b"w") && !ascii.contains_bytes("é".as_bytes()));
    }

    #[test]
    fn data_groups_are_characters_in_their_other_role() {
        let symbols = |text: &str| -> Vec<u32> {
            // A character after `~` is in its other role.
            let mut symbols = Vec::new();
            let mut characters = text.chars();
            while let Some(character) = characters.next() {
                symbols.push(match character {
                    '~' => Alphabet::role(characters.next().expect("something after ~")),
                    character => character.into(),
                });
            }
            symbols
        };
        for (pattern, accepted, refused) in [
            (
                r"[^:]*:(?:[^:]|(?<data>:))*",
                &["a:b~:c", ":", ":~:~:"][..],
                &["a:b:c", "~::", ":~a"][..],
            ),
            (r"(?<data>:)|(?<data>@)", &["~:", "~@"], &[":", "@", ""]),
            (r"(?<data2>[:@]{2})|(?P<dataset>ab)", &["~:~@", "~a~b"], &["~:@", "ab", "a~b"]),
            (r"(?<x>a)(?<x>b)(?<dat>c)", &["abc"], &["~abc", "ab~c"]),
            (r"(?<data>a(?<inner>b)c)", &["~a~b~c"], &["~ab~c"]),
            (r"(?s:.)*", &["ab", ":"], &["~a"]),
            (r"(?<data>(?i)k)", &["~k", "~\u{212A}"], &["k"]),
        ] {
            let dfa = regex(pattern, Alphabet::Roles).expect(pattern);
            for text in accepted {
                assert!(dfa.contains(symbols(text)), "{pattern} on {text}");
            }
            for text in refused {
                assert!(!dfa.contains(symbols(text)), "{pattern} on {text}");
            }
            assert!(regex(pattern, Alphabet::Unicode).map_or_else(
                |error| error.is_syntax(),
                |dfa| { dfa.contains(accepted[0].chars().filter(|&c| c != '~').map(u32::from)) }
            ));
        }
    }

    #[test]
    fn faults_stand_where_they_are_written_whatever_groups_are_called() {
        for (pattern, span) in [
            ("(?<data>a)(?<data>b)(?<data>c)x(", (31, 32)),
            (r"(?<data>a)(?<data>b)\b", (20, 22)),
            ("(?<d>a)(?<d>b)[x", (14, 15)),
        ] {
            let error = regex(pattern, Alphabet::Roles).expect_err(pattern);
            assert_eq!(error.span(), Some(span), "{pattern}: {error}");
        }
        let error = regex(&"(?<data>a)".repeat(1100), Alphabet::Roles).expect_err("too many");
        assert!(error.is_size_limit_exceeded());
    }

    #[test]
    fn classes_are_ranges() {
        let unicode = |pattern| class_ranges(pattern, Alphabet::Unicode).expect(pattern);
        let bytes = |pattern| class_ranges(pattern, Alphabet::Bytes).expect(pattern);
        assert_eq!(unicode("[b-da]"), [(97, 100)]);
        assert_eq!(unicode("[é]"), [(0xE9, 0xE9)]);
        assert_eq!(unicode(r#"[^"]"#), [(0, 33), (35, 0xD7FF), (0xE000, 0x10_FFFF)]);
        assert_eq!(unicode(r"[\x{D7FE}-\x{E001}]"), [(0xD7FE, 0xD7FF), (0xE000, 0xE001)]);
        assert_eq!(unicode("[a&&b]"), []);
        assert_eq!(unicode(r"[\p{Lu}&&\p{ASCII}]"), [(65, 90)]);
        assert_eq!(bytes(r#"[^"]"#), [(0, 33), (35, 255)]);
        assert_eq!(bytes(r"[\xE9]"), [(0xE9, 0xE9)]);
        assert_eq!(bytes(r"[\x80-\xFF&&[^\xF0-\xFE]]"), [(0x80, 0xEF), (0xFF, 0xFF)]);
        assert_eq!(bytes("[a&&b]"), []);
        for pattern in ["a", "[a]+", "(?i)[a]", "[a][b]", ".", ""] {
            let error = class_ranges(pattern, Alphabet::Unicode).expect_err("not a class");
            assert!(error.is_syntax(), "{pattern}: {error}");
        }
    }
}
