//! Regexes of tribble, which are those of `dk.brics.automaton` 1.12.
//!
//! Between the slashes `\\` is a reverse solidus, `\"` a quotation mark, `\/` a solidus, `\n`, `\r` and
//! `\t` are characters, and `\(` and `\)` are parentheses, as `(` and `)` are; there are no other
//! escapes, and no quotation mark without one. What that comes to is the regex. In it `|`, `&`, `~`
//! (complement, which binds tighter than a quantifier), `?`, `*`, `+`, `{n}`, `{n,}`, `{n,m}`, `[abc]`,
//! `[^a-z]`, `.`, `"string"`, `()` and groups are what they are there; a reverse solidus takes the next
//! character for itself; and where a term begins any other character is itself, `|` and `*` as well.
//! tribble turns the other extensions off: `#`, `@` and `<` are characters.
//!
//! A character is a Unicode scalar value here, where Java has units of UTF-16: the same except for what
//! is beyond U+FFFF, of which `.` is one here and half of one there.
//!
//! Without `&` and `~` the regex becomes one of this crate, and otherwise an `except`: `x&~y` is `x`
//! except `y`, and every complement is what all strings have but its operand has not.

use std::fmt::Write as _;

use crate::import::builder::Builder;
use crate::import::ranges::{LAST, complement, union};
use pleach_core::grammar::{Diagnostic, Expr, ExprId, Span};

/// How deep groups may nest, and how many quantifiers may follow one term: more than anyone writes.
const GROUPS: usize = 50;
const QUANTIFIERS: usize = 8;

/// A regular language.
#[derive(Debug)]
enum Regular {
    /// One character of some sorted, disjoint ranges.
    Class(Vec<(u32, u32)>),
    Text(String),
    Sequence(Vec<Regular>),
    Union(Vec<Regular>),
    Repeat(Box<Regular>, u32, Option<u32>),
    Not(Box<Regular>),
    And(Vec<Regular>),
}

/// Reads what stands between the slashes of a regex that stands, slashes included, at a place. A mistake
/// gives no term.
pub(super) fn read(builder: &mut Builder, written: &str, span: Span) -> Option<ExprId> {
    let last = builder.last_symbol();
    let symbols = match unescape(written, span) {
        Ok(symbols) => symbols,
        Err(error) => {
            builder.error(error);
            return None;
        }
    };
    let mut parser = Parser { symbols: &symbols, at: 0, groups: 0, last };
    match parser.whole() {
        Ok(regular) => Some(whole(builder, &regular, span)),
        Err((message, help)) => {
            let start = match symbols.get(parser.at) {
                Some(&(_, start)) => span.start + 1 + start as u32,
                None => span.end - 1,
            };
            let length = written[(start - span.start - 1) as usize..].chars().next();
            let end = start + length.map_or(1, char::len_utf8) as u32;
            builder.error(Diagnostic::error(Span { start, end, ..span }, message).help(help));
            None
        }
    }
}

/// The characters of a regex, each with its offset in what is written.
fn unescape(written: &str, span: Span) -> Result<Vec<(char, usize)>, Diagnostic> {
    let mut symbols = Vec::with_capacity(written.len());
    let mut rest = written.char_indices();
    while let Some((at, symbol)) = rest.next() {
        let start = span.start + 1 + at as u32;
        let mistake = |length: usize, message: &str, help: &str| {
            let span = Span { start, end: start + length as u32, ..span };
            Diagnostic::error(span, message).help(help)
        };
        let symbol = match symbol {
            '"' => return Err(mistake(1, "a quotation mark in a regex", "write `\\\"`")),
            '\\' => match rest.next().map(|(_, symbol)| symbol) {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some(symbol @ ('"' | '\\' | '/' | '(' | ')')) => symbol,
                other => {
                    let length = 1 + other.map_or(0, char::len_utf8);
                    let help =
                        "write `\\\\` for the reverse solidus that takes a character for itself";
                    return Err(mistake(length, "no such escape", help));
                }
            },
            symbol => symbol,
        };
        symbols.push((symbol, at));
    }
    Ok(symbols)
}

type Failure = (&'static str, &'static str);

struct Parser<'s> {
    symbols: &'s [(char, usize)],
    at: usize,
    /// How many groups are open.
    groups: usize,
    /// The last character of the alphabet.
    last: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.symbols.get(self.at).map(|&(symbol, _)| symbol)
    }

    fn takes(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(symbol);
        self.at += usize::from(found);
        found
    }

    fn next(&mut self) -> Result<char, Failure> {
        let symbol = self.peek().ok_or(("the regex ends here", "a character is missing"))?;
        self.at += 1;
        Ok(symbol)
    }

    fn whole(&mut self) -> Result<Regular, Failure> {
        if self.symbols.is_empty() {
            return Ok(Regular::Text(String::new()));
        }
        let regular = self.union()?;
        match self.peek() {
            None => Ok(regular),
            Some(_) => Err(("no group is open here", "write `\\\\)` for a parenthesis")),
        }
    }

    fn union(&mut self) -> Result<Regular, Failure> {
        let mut parts = vec![self.intersection()?];
        while self.takes('|') {
            parts.push(self.intersection()?);
        }
        Ok(single(parts, Regular::Union))
    }

    fn intersection(&mut self) -> Result<Regular, Failure> {
        let mut parts = vec![self.sequence()?];
        while self.takes('&') {
            parts.push(self.sequence()?);
        }
        Ok(single(parts, Regular::And))
    }

    fn sequence(&mut self) -> Result<Regular, Failure> {
        let mut parts: Vec<Regular> = Vec::new();
        loop {
            let next = self.repetition()?;
            match (parts.last_mut(), next) {
                (Some(Regular::Text(text)), Regular::Text(more)) => text.push_str(&more),
                (_, next) => parts.push(next),
            }
            if matches!(self.peek(), None | Some(')' | '|' | '&')) {
                return Ok(single(parts, Regular::Sequence));
            }
        }
    }

    fn repetition(&mut self) -> Result<Regular, Failure> {
        let mut regular = self.complement()?;
        let mut count = 0;
        while let Some(symbol @ ('?' | '*' | '+' | '{')) = self.peek() {
            count += 1;
            if count > QUANTIFIERS {
                return Err(("too many quantifiers follow one term", "one does, or two"));
            }
            self.at += 1;
            let (min, max) = match symbol {
                '?' => (0, Some(1)),
                '*' => (0, None),
                '+' => (1, None),
                _ => self.count()?,
            };
            regular = Regular::Repeat(Box::new(regular), min, max);
        }
        Ok(regular)
    }

    /// A count after its opening brace.
    fn count(&mut self) -> Result<(u32, Option<u32>), Failure> {
        let help = "counts are {n}, {n,} and {n,m}; write `\\\\{` for a brace";
        let min = self.number()?.ok_or(("no number", help))?;
        let max = if self.takes(',') { self.number()? } else { Some(min) };
        if !self.takes('}') {
            return Err(("this count is not closed", help));
        }
        if max.is_some_and(|max| max < min) {
            return Err(("the count before this ends before it begins", "turn it round"));
        }
        Ok((min, max))
    }

    fn number(&mut self) -> Result<Option<u32>, Failure> {
        let mut number: Option<u32> = None;
        while let Some(digit) = self.peek().filter(char::is_ascii_digit) {
            let value = number.unwrap_or(0).checked_mul(10);
            let value =
                value.and_then(|value| value.checked_add(u32::from(digit) - u32::from('0')));
            number = Some(value.ok_or(("this count is too large", "counts are 32 bits wide"))?);
            self.at += 1;
        }
        Ok(number)
    }

    fn complement(&mut self) -> Result<Regular, Failure> {
        let mut complement = false;
        while self.takes('~') {
            complement = !complement;
        }
        let regular = self.class()?;
        Ok(if complement { Regular::Not(Box::new(regular)) } else { regular })
    }

    fn class(&mut self) -> Result<Regular, Failure> {
        if !self.takes('[') {
            return self.simple();
        }
        let negated = self.takes('^');
        let mut ranges = Vec::new();
        loop {
            ranges.push(self.range()?);
            if self.takes(']') {
                break;
            }
            if self.peek().is_none() {
                return Err(("this class is not closed", "write `]` after it"));
            }
        }
        let mut ranges = union(ranges);
        if negated {
            ranges = complement(ranges, self.last);
        }
        Ok(Regular::Class(ranges))
    }

    fn range(&mut self) -> Result<(u32, u32), Failure> {
        let low = u32::from(self.symbol()?);
        // Before the closing bracket a hyphen is itself, and then the next of the class.
        let is_last = self.symbols.get(self.at + 1).is_some_and(|&(symbol, _)| symbol == ']');
        if self.peek() != Some('-') || is_last {
            return Ok((low, low));
        }
        self.at += 1;
        let high = u32::from(self.symbol()?);
        if high < low {
            self.at -= 1;
            return Err(("this range ends before it begins", "turn it round"));
        }
        Ok((low, high))
    }

    fn symbol(&mut self) -> Result<char, Failure> {
        self.takes('\\');
        self.next()
    }

    fn simple(&mut self) -> Result<Regular, Failure> {
        if self.takes('.') {
            return Ok(Regular::Class(complement([], self.last)));
        }
        if self.takes('"') {
            let mut text = String::new();
            loop {
                match self.next()? {
                    '"' => return Ok(Regular::Text(text)),
                    symbol => text.push(symbol),
                }
            }
        }
        if !self.takes('(') {
            return Ok(Regular::Text(self.symbol()?.to_string()));
        }
        if self.takes(')') {
            return Ok(Regular::Text(String::new()));
        }
        self.groups += 1;
        if self.groups > GROUPS {
            return Err(("groups nest too deep", "write a rule for what is inside"));
        }
        let regular = self.union()?;
        self.groups -= 1;
        if !self.takes(')') {
            return Err(("a group is not closed", "write `)` after it"));
        }
        Ok(regular)
    }
}

fn single(mut parts: Vec<Regular>, several: fn(Vec<Regular>) -> Regular) -> Regular {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            several(parts)
        }
    }
}

/// Whether a language is written without complement and intersection.
fn is_plain(regular: &Regular) -> bool {
    match regular {
        Regular::Class(_) | Regular::Text(_) => true,
        Regular::Sequence(parts) | Regular::Union(parts) => parts.iter().all(is_plain),
        Regular::Repeat(part, ..) => is_plain(part),
        Regular::Not(_) | Regular::And(_) => false,
    }
}

/// A regex as one terminal.
fn whole(builder: &mut Builder, regular: &Regular, span: Span) -> ExprId {
    let expr = term(builder, regular, span);
    if is_plain(regular) || matches!(builder.grammar.expr(expr), Expr::Except { .. }) {
        return expr;
    }
    // Twice the complement is the same, and one terminal.
    let (all, most) = (anything(builder, span), anything(builder, span));
    let rest = builder.except(all, expr, span);
    builder.except(most, rest, span)
}

fn term(builder: &mut Builder, regular: &Regular, span: Span) -> ExprId {
    if let Regular::Class(ranges) = regular {
        return builder.class(ranges.as_slice(), span);
    }
    if is_plain(regular) {
        let mut regex = String::new();
        pattern(regular, 0, &mut regex);
        return builder.grammar.push(Expr::Regex(regex), span);
    }
    match regular {
        Regular::Sequence(parts) => {
            let parts: Vec<ExprId> = parts.iter().map(|part| term(builder, part, span)).collect();
            builder.sequence(&parts, span)
        }
        Regular::Union(parts) => {
            let parts: Vec<ExprId> = parts.iter().map(|part| term(builder, part, span)).collect();
            builder.choice(&parts, span)
        }
        Regular::Repeat(part, min, max) => {
            let part = term(builder, part, span);
            builder.repeat(part, *min, *max, span)
        }
        Regular::Not(part) => not(builder, part, span),
        Regular::And(parts) => {
            let is_not = |part: &&Regular| matches!(part, Regular::Not(_));
            let base = parts.iter().position(|part| !is_not(&part));
            let minus: Vec<ExprId> = parts
                .iter()
                .enumerate()
                .filter(|&(at, _)| Some(at) != base)
                .map(|(_, part)| match part {
                    Regular::Not(part) => term(builder, part, span),
                    part => not(builder, part, span),
                })
                .collect();
            let base = match base {
                Some(base) => term(builder, &parts[base], span),
                None => anything(builder, span),
            };
            let minus = builder.choice(&minus, span);
            builder.except(base, minus, span)
        }
        Regular::Class(_) | Regular::Text(_) => unreachable!("these are plain"),
    }
}

/// All strings but those of a language.
fn not(builder: &mut Builder, regular: &Regular, span: Span) -> ExprId {
    let (base, minus) = (anything(builder, span), term(builder, regular, span));
    builder.except(base, minus, span)
}

fn anything(builder: &mut Builder, span: Span) -> ExprId {
    builder.grammar.push(Expr::Regex("(?s:.*)".to_owned()), span)
}

/// Writes a plain language as a regex of this crate, in a group where it would not hold together: 0 in
/// a union, 1 in a sequence, 2 before a quantifier.
fn pattern(regular: &Regular, bond: u8, out: &mut String) {
    let own = match regular {
        Regular::Class(_) => 2,
        Regular::Text(text) if text.chars().count() == 1 => 2,
        Regular::Text(text) if text.is_empty() => 0,
        Regular::Text(_) | Regular::Sequence(_) | Regular::Repeat(..) => 1,
        _ => 0,
    };
    if own < bond {
        out.push_str("(?:");
    }
    match regular {
        Regular::Class(ranges) => class(ranges, out),
        Regular::Text(text) => text.chars().for_each(|symbol| character(symbol.into(), out)),
        Regular::Sequence(parts) => parts.iter().for_each(|part| pattern(part, 1, out)),
        Regular::Union(parts) => {
            for (at, part) in parts.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "|" });
                pattern(part, 1, out);
            }
        }
        Regular::Repeat(part, min, max) => {
            pattern(part, 2, out);
            match (min, max) {
                (0, Some(1)) => out.push('?'),
                (0, None) => out.push('*'),
                (1, None) => out.push('+'),
                (min, None) => _ = write!(out, "{{{min},}}"),
                (min, Some(max)) if min == max => _ = write!(out, "{{{min}}}"),
                (min, Some(max)) => _ = write!(out, "{{{min},{max}}}"),
            }
        }
        Regular::Not(_) | Regular::And(_) => unreachable!("these are not plain"),
    }
    if own < bond {
        out.push(')');
    }
}

fn class(ranges: &[(u32, u32)], out: &mut String) {
    if let &[(0, last)] = ranges
        && last > 0x7F
    {
        return out.push_str("(?s:.)");
    }
    if let &[(low, high)] = ranges
        && low == high
    {
        return character(low, out);
    }
    if ranges.is_empty() {
        return out.push_str("[a&&b]");
    }
    // What is left out is shorter where the class goes to the end of all characters.
    let rest = complement(ranges, LAST);
    let negated = ranges.last().is_some_and(|range| range.1 == LAST);
    out.push_str(if negated { "[^" } else { "[" });
    for &(low, high) in if negated { rest.as_slice() } else { ranges } {
        character(low, out);
        if high > low + 1 {
            out.push('-');
        }
        if high > low {
            character(high, out);
        }
    }
    out.push(']');
}

/// Writes one character of a regex or of a class.
fn character(symbol: u32, out: &mut String) {
    match char::from_u32(symbol) {
        Some('\n') => out.push_str("\\n"),
        Some('\r') => out.push_str("\\r"),
        Some('\t') => out.push_str("\\t"),
        Some(symbol) if regex_syntax::is_meta_character(symbol) => {
            out.push('\\');
            out.push(symbol);
        }
        Some(symbol @ ' '..='~') => out.push(symbol),
        // Surrogates are no characters; ranges of scalar values pass over them.
        Some(symbol) => _ = write!(out, "\\x{{{:X}}}", u32::from(symbol)),
        None => _ = write!(out, "\\x{{{:X}}}", if symbol <= 0xDBFF { 0xD7FF } else { 0xE000 }),
    }
}
