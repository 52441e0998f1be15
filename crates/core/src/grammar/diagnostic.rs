//! Errors and warnings about a grammar's text, shown with the line they are about.
//!
//! A [`Diagnostic`] holds only a message and a [`Span`], so every stage makes them cheaply;
//! [`SourceMap`] turns spans into lines and columns. Its index of a file is built when a span of
//! that file is first asked for, and holds the count of characters before every block of 4096
//! bytes besides the line starts: thousands of warnings on one line of megabytes stay cheap.

use std::cell::OnceCell;
use std::fmt::{self, Write as _};

use super::{SourceFile, Span};

/// Whether a [`Diagnostic`] is an error, which refuses the grammar, or a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The grammar cannot be used.
    Error,
    /// The grammar can be used, and likely is not what was meant.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// An error or a warning about a place in a grammar's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the grammar is refused.
    pub severity: Severity,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// How to mend it.
    pub help: Option<String>,
    /// Where.
    pub span: Span,
    /// Whether a bound on work was reached, so that nobody knows if the grammar could be used.
    pub is_limit: bool,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        let severity = Severity::Error;
        Self { severity, message: message.into(), help: None, span, is_limit: false }
    }

    /// A warning about `span`.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// The same, saying how to mend it. The default is no help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same, saying whether a bound on work was reached. The default is that none was.
    #[must_use]
    pub fn limit(mut self, is_limit: bool) -> Self {
        self.is_limit = is_limit;
        self
    }

    /// The same of a file whose text is not shown, for a message may quote what it is about.
    #[doc(hidden)]
    pub fn unquoted(self) -> Self {
        let help = "the file is outside of the grammar's folder, so its text is not shown: check it by itself";
        Self { message: "this is no grammar in its notation".into(), ..self }.help(help)
    }

    /// The text that a person reads: message, place, source line with a caret underline, help.
    ///
    /// Ends with a newline. For many diagnostics of the same files, [`SourceMap::render`] saves
    /// the index of the lines.
    ///
    /// # Examples
    ///
    /// ```
    /// use pleach::grammar::{Diagnostic, SourceFile, Span};
    ///
    /// let files = [SourceFile::new("a.pleach", "a = b ;")];
    /// let warning = Diagnostic::warning(Span { file: 0, start: 4, end: 5 }, "no such rule")
    ///     .help("define it");
    /// assert_eq!(
    ///     warning.render(&files),
    ///     "\
    /// warning: no such rule
    ///  --> a.pleach:1:5
    ///   |
    /// 1 | a = b ;
    ///   |     ^
    ///   = help: define it
    /// "
    /// );
    /// ```
    pub fn render(&self, files: &[SourceFile]) -> String {
        SourceMap::new(files).render(self)
    }
}

/// The file, line and column that messages name, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location<'f> {
    /// The file's name.
    pub file: &'f str,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// An index of the lines of some files, by which spans become locations.
#[derive(Debug)]
pub struct SourceMap<'f> {
    files: &'f [SourceFile],
    /// One for each file, built when first needed.
    lines: Vec<OnceCell<Lines>>,
}

impl<'f> SourceMap<'f> {
    /// The files that spans point into.
    pub fn new(files: &'f [SourceFile]) -> Self {
        Self { files, lines: files.iter().map(|_| OnceCell::new()).collect() }
    }

    /// Where a span begins; none where it is of none of the files.
    ///
    /// An offset beyond the text or inside a character counts as the nearest place before it.
    pub fn locate(&self, span: Span) -> Option<Location<'f>> {
        let (file, lines) = self.file(span)?;
        let offset = floor(&file.text, span.start as usize).max(lines.starts[0]);
        let line = lines.line(offset);
        let column =
            lines.characters(&file.text, offset) - lines.characters(&file.text, lines.starts[line]);
        Some(Location { file: &file.name, line: line + 1, column: column + 1 })
    }

    /// The text that a person reads, as [`Diagnostic::render`] does it.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        let mut out = format!("{}: {}\n", diagnostic.severity, diagnostic.message);
        let mut gutter = 1;
        if let (Some(location), Some((file, lines))) =
            (self.locate(diagnostic.span), self.file(diagnostic.span))
        {
            if file.hidden {
                let _ = writeln!(out, " --> {location}");
            } else {
                gutter = excerpt(&mut out, (location, file, lines), diagnostic.span);
            }
        }
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(out, "{:gutter$} = help: {help}", "");
        }
        out
    }

    fn file(&self, span: Span) -> Option<(&'f SourceFile, &Lines)> {
        let file = self.files.get(span.file as usize)?;
        let lines = self.lines[span.file as usize].get_or_init(|| Lines::new(&file.text));
        Some((file, lines))
    }
}

/// Writes a place and its source line with what a span underlines, and gives the width of the line's number.
fn excerpt(
    out: &mut String,
    (location, file, lines): (Location<'_>, &SourceFile, &Lines),
    span: Span,
) -> usize {
    let number = location.line.to_string();
    let gutter = number.len();
    let start = floor(&file.text, span.start as usize).max(lines.starts[0]);
    let end = floor(&file.text, span.end as usize).max(start);
    let excerpt = Excerpt::new(lines.text(&file.text, location.line - 1), start, end);
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "{:gutter$}--> {location}\n{:gutter$} |\n{number} | {}\n{:gutter$} | {:indent$}{}\n",
        "",
        "",
        excerpt.line,
        "",
        "",
        "^".repeat(excerpt.length),
        indent = excerpt.indent,
    );
    gutter
}

/// The greatest character boundary up to `offset`.
fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Bytes between two stored counts of characters.
const BLOCK: usize = 4096;

/// Where the lines of a text begin.
#[derive(Debug)]
struct Lines {
    /// Offsets of the first byte of each line.
    starts: Vec<usize>,
    /// How many characters begin before each block.
    characters: Vec<usize>,
}

impl Lines {
    fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        // A byte order mark is before the first line.
        let first = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let starts = std::iter::once(first).chain(breaks.map(|(at, _)| at + 1)).collect();
        let characters = std::iter::once(0)
            .chain(text.as_bytes().chunks(BLOCK).scan(0, |sum, block| {
                *sum += characters(block);
                Some(*sum)
            }))
            .collect();
        Self { starts, characters }
    }

    /// The line that an offset is on, from 0.
    fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// How many characters begin before an offset.
    fn characters(&self, text: &str, offset: usize) -> usize {
        let block = offset / BLOCK;
        self.characters[block] + characters(&text.as_bytes()[block * BLOCK..offset])
    }

    /// A line without its end, and the offset of its first byte.
    fn text<'t>(&self, text: &'t str, line: usize) -> (&'t str, usize) {
        let start = self.starts[line];
        let end = self.starts.get(line + 1).map_or(text.len(), |&next| next - 1);
        let line = &text[start..end];
        (line.strip_suffix('\r').unwrap_or(line), start)
    }
}

/// How many characters begin in some UTF-8 bytes.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

/// Cells shown before the place, at most.
const LEFT: usize = 80;
/// Cells shown of a line, at most.
const TOTAL: usize = 120;

/// The part of a line around a place, as it is shown.
struct Excerpt {
    line: String,
    /// Cells before the first caret.
    indent: usize,
    /// How many carets.
    length: usize,
}

impl Excerpt {
    /// Of a line that begins at an offset, and the offsets of what is underlined.
    fn new((line, offset): (&str, usize), start: usize, end: usize) -> Self {
        // A place in the line's end is shown after its last character.
        let at = (start - offset).min(line.len());
        let mut indent = 0;
        let mut from = at;
        for (index, symbol) in line[..at].char_indices().rev() {
            if indent + width(symbol) > LEFT {
                break;
            }
            indent += width(symbol);
            from = index;
        }
        let mut cells = indent;
        let mut length = 0;
        let mut to = at;
        for (index, symbol) in line[at..].char_indices() {
            if cells + width(symbol) > TOTAL {
                break;
            }
            cells += width(symbol);
            to = at + index + symbol.len_utf8();
            if offset + at + index < end {
                length += width(symbol);
            }
        }
        let mut shown = String::new();
        if from > 0 {
            shown.push_str("...");
            indent += 3;
        }
        line[from..to].chars().for_each(|symbol| show(symbol, &mut shown));
        if to < line.len() {
            shown.push_str("...");
        }
        shown.truncate(shown.trim_end().len());
        Self { line: shown, indent, length: length.max(1) }
    }
}

/// Writes a character of a source line so that it takes [`width`] cells.
fn show(symbol: char, out: &mut String) {
    match symbol {
        '\t' => out.push_str("    "),
        // Characters which would move the cursor or the writing direction.
        _ if symbol.is_control() || is_bidirectional(symbol) => out.push('\u{FFFD}'),
        _ => out.push(symbol),
    }
}

/// Whether a character changes the direction in which the line is shown.
fn is_bidirectional(symbol: char) -> bool {
    matches!(symbol, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// How many cells of a terminal a character takes, nearly: the blocks of wide and of combining
/// characters, not each single one.
fn width(symbol: char) -> usize {
    match symbol {
        '\t' => 4,
        '\u{300}'..='\u{36F}'
        | '\u{200B}'..='\u{200D}'
        | '\u{20D0}'..='\u{20FF}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' => 0,
        '\u{1100}'..='\u{115F}'
        | '\u{2E80}'..='\u{A4CF}'
        | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE6F}'
        | '\u{FF00}'..='\u{FF60}'
        | '\u{FFE0}'..='\u{FFE6}'
        | '\u{1F300}'..='\u{1FAFF}'
        | '\u{20000}'..='\u{3FFFD}' => 2,
        _ => 1,
    }
}

/// The error with which a grammar is refused: at least one [`Diagnostic`], and the files they are
/// about.
///
/// Displaying it renders them all, in the order in which they were found.
#[derive(Clone, PartialEq, Eq)]
pub struct GrammarError {
    files: Vec<SourceFile>,
    diagnostics: Vec<Diagnostic>,
}

impl GrammarError {
    /// What was found in some files; `diagnostics` has at least one error.
    #[doc(hidden)]
    pub fn new(files: Vec<SourceFile>, diagnostics: Vec<Diagnostic>) -> Self {
        debug_assert!(diagnostics.iter().any(|found| found.severity == Severity::Error));
        Self { files, diagnostics }
    }

    /// What was found: at least one.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether there is no error but that bounds on work were reached.
    pub fn is_size_limit_exceeded(&self) -> bool {
        let mut errors = self.diagnostics.iter().filter(|it| it.severity == Severity::Error);
        errors.all(|error| error.is_limit)
    }

    /// The files that the spans of [`GrammarError::diagnostics`] point into.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }
}

impl fmt::Display for GrammarError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sources = SourceMap::new(&self.files);
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            let text = sources.render(diagnostic);
            let end = if index + 1 == self.diagnostics.len() { "" } else { "\n\n" };
            write!(out, "{}{end}", text.trim_end())?;
        }
        Ok(())
    }
}

impl fmt::Debug for GrammarError {
    /// As it is displayed, so that an `unwrap` in a test shows the line.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "GrammarError:\n{self}")
    }
}

impl std::error::Error for GrammarError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str, start: usize, end: usize) -> String {
        let files = [SourceFile::new("f", text)];
        let span = Span { file: 0, start: start as u32, end: end as u32 };
        Diagnostic::error(span, "m").render(&files)
    }

    /// The source line and the underline.
    fn excerpt(text: &str, start: usize, end: usize) -> (String, String) {
        let rendered = rendered(text, start, end);
        let lines: Vec<&str> = rendered.lines().collect();
        let cut = |line: &str| line.split_once("| ").unwrap().1.to_string();
        (cut(lines[3]), cut(lines[4]))
    }

    #[test]
    fn tabs_and_wide_characters_keep_the_caret_in_place() {
        assert_eq!(excerpt("\ta", 1, 2), ("    a".into(), "    ^".into()));
        assert_eq!(excerpt("漢字 a", 7, 8), ("漢字 a".into(), "     ^".into()));
        assert_eq!(excerpt("e\u{301}a", 3, 4), ("e\u{301}a".into(), " ^".into()));
        assert_eq!(excerpt("\u{202E}a", 3, 4), ("\u{FFFD}a".into(), " ^".into()));
    }

    #[test]
    fn a_byte_order_mark_is_before_the_first_column() {
        assert_eq!(excerpt("\u{feff}ab\ncd", 4, 5), ("ab".into(), " ^".into()));
        assert!(rendered("\u{feff}ab\ncd", 4, 5).contains("f:1:2\n"));
        assert!(rendered("\u{feff}ab\ncd", 0, 1).contains("f:1:1\n"));
        assert!(rendered("\u{feff}", 3, 3).contains("f:1:1\n"));
    }

    #[test]
    fn spans_end_with_their_line() {
        assert_eq!(excerpt("ab\r\ncd", 1, 6), ("ab".into(), " ^".into()));
        assert!(rendered("ab\r\ncd", 4, 6).contains("f:2:1\n"));
        assert_eq!(excerpt("ab\r\ncd", 3, 4), ("ab".into(), "  ^".into()));
    }

    #[test]
    fn long_lines_are_cut_to_a_window() {
        let text = format!("{}X{}", "é".repeat(10_000), "b".repeat(10_000));
        let (line, carets) = excerpt(&text, 20_000, 20_001);
        assert!(line.starts_with("...é") && line.ends_with("b..."));
        assert_eq!(line.chars().count(), TOTAL + 6);
        assert_eq!(line.chars().position(|c| c == 'X'), carets.find('^'));
        assert!(rendered(&text, 20_000, 20_001).contains("f:1:10001\n"));
    }

    #[test]
    fn places_outside_of_the_text_are_no_panic() {
        let files = [SourceFile::new("f", "é\n")];
        for start in 0..6 {
            for end in 0..6 {
                for file in 0..2 {
                    Diagnostic::error(Span { file, start, end }, "m").render(&files);
                }
            }
        }
        let end = SourceMap::new(&files).locate(Span { file: 0, start: 9, end: 9 }).unwrap();
        assert_eq!((end.line, end.column), (2, 1));
        assert_eq!(
            Diagnostic::error(Span { file: 3, ..Span::default() }, "m").render(&files),
            "error: m\n"
        );
    }

    #[test]
    fn columns_agree_with_counting() {
        let text: String = (0..9000).map(|i| ['a', 'é', '漢', '\n'][i * 7 % 11 % 4]).collect();
        let files = [SourceFile::new("f", text.clone())];
        let sources = SourceMap::new(&files);
        let (mut line, mut column) = (1, 1);
        for (at, symbol) in text.char_indices() {
            let found = sources.locate(Span { file: 0, start: at as u32, end: 0 }).unwrap();
            assert_eq!((found.line, found.column), (line, column));
            (line, column) = if symbol == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
    }
}
