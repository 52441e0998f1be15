//! A grammar back into the native notation.
//!
//! Expressions are written with a stack of what is still to be written, so that a tree of any
//! depth prints; parentheses stand only where the tree would be another one without them.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};

use super::same::written;
use crate::grammar::{
    Alternative, Associativity, Binding, Encoding, Expr, ExprId, Grammar, Mark, Name, Rule,
};
use crate::regular::difference;

/// Columns after which a line is broken where it can be.
const WIDTH: usize = 100;

/// Writes the grammar in the native notation, in one file.
///
/// Reading the text gives a grammar for which [`Grammar::same_rules`] holds. A name that the
/// notation does not know as one is replaced by a similar name that is not taken. Groups deeper
/// than the notation allows, counts and references that contradict themselves are written as they
/// are, and reading reports them.
impl fmt::Display for Grammar {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer::new(self);
        printer.directives(out)?;
        for (index, rule) in self.rules.iter().enumerate() {
            let first = index == 0 && !self.has_directives();
            printer.rule(rule, first, index == 0, out)?;
        }
        Ok(())
    }
}

impl Grammar {
    /// Whether an expression is the empty sequence, for which nothing is written.
    fn is_empty(&self, id: ExprId) -> bool {
        matches!(self.expr(self.plain(id)), Expr::Sequence(items) if items.is_empty())
    }

    fn has_directives(&self) -> bool {
        self.encoding != Encoding::Unicode
            || self.start.is_some()
            || self.layout.is_some()
            || !self.lexical.is_empty()
            || !self.parts.is_empty()
    }
}

/// Writes single expressions as the notation does.
pub struct Labels<'g> {
    printer: Printer<'g>,
}

impl<'g> Labels<'g> {
    /// The expressions of a grammar.
    pub fn new(grammar: &'g Grammar) -> Self {
        Self { printer: Printer::new(grammar) }
    }

    /// An expression as it stands in its file, or printed where it stands in none.
    #[expect(clippy::missing_panics_doc, reason = "a string takes any text")]
    pub fn label(&mut self, id: ExprId) -> String {
        let grammar = self.printer.grammar;
        let span = grammar.span(id);
        let file = grammar.files.get(span.file as usize);
        let written = file.and_then(|file| file.text.get(span.start as usize..span.end as usize));
        if let Some(written) = written.filter(|written| !written.is_empty()) {
            return written.to_owned();
        }
        let mut text = String::new();
        self.printer.expr(id, Bond::Choice, &mut text).expect("a string takes any text");
        text
    }
}

/// How tightly an expression holds together, and how tightly what encloses it asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    Choice,
    Sequence,
    /// A term with a quantifier.
    Repeat,
    /// What a quantifier applies to.
    Quantified,
    Except,
    Operand,
}

/// What is still to be written.
enum Work<'g> {
    Expr(ExprId, Bond),
    Text(&'static str),
    Said(&'g Alternative),
    Quantifier(&'g Expr),
}

struct Printer<'g> {
    grammar: &'g Grammar,
    /// Names whose written form is another.
    names: HashMap<&'g str, String>,
    work: Vec<Work<'g>>,
}

impl<'g> Printer<'g> {
    fn new(grammar: &'g Grammar) -> Self {
        Self { grammar, names: renamed(grammar), work: Vec::new() }
    }

    fn name<'n>(&'n self, name: &'n str) -> &'n str {
        self.names.get(name).map_or(name, |name| name)
    }

    fn directives(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let directive = |out: &mut fmt::Formatter<'_>, word: &str, name: &Option<Name>| match name {
            Some(name) => writeln!(out, "%{word} {};", self.name(&name.text)),
            None => Ok(()),
        };
        if self.grammar.encoding == Encoding::Bytes {
            writeln!(out, "%encoding bytes;")?;
        }
        directive(out, "start", &self.grammar.start)?;
        directive(out, "layout", &self.grammar.layout)?;
        let mut column = 0;
        for (index, name) in self.grammar.lexical.iter().enumerate() {
            let name = self.name(&name.text);
            if index == 0 || column + name.len() > WIDTH {
                column = "%lexical".len();
                out.write_str(if index == 0 { "%lexical" } else { ";\n%lexical" })?;
            }
            column += 1 + name.len();
            write!(out, " {name}")?;
        }
        if !self.grammar.lexical.is_empty() {
            out.write_str(";\n")?;
        }
        for part in &self.grammar.parts {
            write!(out, "%part {} ", part.kind.word())?;
            if let Some(name) = part.kind.name() {
                let mut quoted = String::new();
                literal(name.as_bytes(), Encoding::Unicode, &mut quoted)?;
                write!(out, "\"{quoted}\" ")?;
            }
            writeln!(out, "{};", self.name(&part.rule.text))?;
        }
        Ok(())
    }

    /// Writes a rule; `first` where nothing stands before it, `leading` where no rule does.
    fn rule(
        &mut self,
        rule: &Rule,
        first: bool,
        leading: bool,
        out: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        if !first && (leading || !rule.docs.is_empty()) {
            out.write_str("\n")?;
        }
        if !rule.docs.is_empty() {
            for line in rule.docs.split('\n') {
                let line = line.replace('\r', "");
                let space = if line.is_empty() { "" } else { " " };
                writeln!(out, "///{space}{line}")?;
            }
        }
        let grammar = self.grammar;
        let body = grammar.plain(rule.body);
        let alternatives: Vec<String> = match grammar.expr(body) {
            Expr::Choice(alternatives) if !alternatives.is_empty() => alternatives
                .iter()
                .map(|alternative| {
                    let mut text = String::new();
                    if !alternative.is_plain() {
                        said(alternative, &mut text)?;
                        text.push_str(if grammar.is_empty(alternative.expr) { "" } else { " " });
                    }
                    self.expr(alternative.expr, Bond::Sequence, &mut text)?;
                    Ok(text)
                })
                .collect::<Result<_, fmt::Error>>()?,
            _ => {
                let mut text = String::new();
                self.expr(body, Bond::Sequence, &mut text)?;
                vec![text]
            }
        };
        let name = self.name(&rule.name.text);
        let width: usize = alternatives.iter().map(|text| text.len() + 3).sum();
        let wrapped = alternatives.len() > 1 && name.len() + width > WIDTH;
        let (begin, between, end) =
            if wrapped { ("\n    ", "\n    ", "\n    ") } else { (" ", " ", " ") };
        write!(out, "{name}")?;
        for (index, alternative) in alternatives.iter().enumerate() {
            let (gap, sign) = if index == 0 { (begin, '=') } else { (between, '|') };
            let space = if alternative.is_empty() { "" } else { " " };
            write!(out, "{gap}{sign}{space}{alternative}")?;
        }
        writeln!(out, "{end};")
    }

    /// Writes an expression where a given bond is needed.
    fn expr(&mut self, id: ExprId, needed: Bond, out: &mut String) -> fmt::Result {
        let grammar = self.grammar;
        self.work.push(Work::Expr(id, needed));
        while let Some(work) = self.work.pop() {
            match work {
                Work::Text(text) => out.push_str(text),
                Work::Said(alternative) => said(alternative, out)?,
                Work::Quantifier(expr) => quantifier(expr, out)?,
                Work::Expr(id, needed) => {
                    let expr = grammar.expr(grammar.plain(id));
                    if bond(expr) < needed {
                        out.push('(');
                        self.work.push(Work::Text(")"));
                    }
                    self.parts(expr, out)?;
                }
            }
        }
        Ok(())
    }

    /// Writes an expression without inner ones, and plans to write the inner ones of another.
    fn parts(&mut self, expr: &'g Expr, out: &mut String) -> fmt::Result {
        match expr {
            Expr::Literal { bytes, ignore_case } => {
                out.push_str(if *ignore_case { "i\"" } else { "\"" });
                literal(bytes, self.grammar.encoding, out)?;
                out.push('"');
            }
            Expr::Regex(regex) => {
                out.push('/');
                out.push_str(&written(regex));
                out.push('/');
            }
            Expr::Reference(name) => out.push_str(self.name(name)),
            Expr::Sequence(items) => {
                for (index, &item) in items.iter().enumerate().rev() {
                    self.work.push(Work::Expr(item, Bond::Repeat));
                    if index > 0 {
                        self.work.push(Work::Text(" "));
                    }
                }
            }
            Expr::Choice(alternatives) if !alternatives.is_empty() => {
                for (index, alternative) in alternatives.iter().enumerate().rev() {
                    self.work.push(Work::Expr(alternative.expr, Bond::Sequence));
                    if !alternative.is_plain() {
                        // An empty alternative writes nothing after what is said of it.
                        if !self.grammar.is_empty(alternative.expr) {
                            self.work.push(Work::Text(" "));
                        }
                        self.work.push(Work::Said(alternative));
                    }
                    if index > 0 {
                        self.work.push(Work::Text(" | "));
                    }
                }
            }
            Expr::Class(_) | Expr::Choice(_) => {
                let ranges = self.grammar.symbols(expr).unwrap_or_default();
                class(&ranges, self.grammar.encoding, out)?;
            }
            Expr::Repeat { expr: inner, .. } => {
                self.work.push(Work::Quantifier(expr));
                self.work.push(Work::Expr(*inner, Bond::Quantified));
            }
            Expr::Except { base, minus } => {
                self.work.push(Work::Expr(*minus, Bond::Operand));
                self.work.push(Work::Text(" except "));
                self.work.push(Work::Expr(*base, Bond::Except));
            }
        }
        Ok(())
    }
}

fn bond(expr: &Expr) -> Bond {
    match expr {
        Expr::Choice(alternatives) if !alternatives.is_empty() => Bond::Choice,
        Expr::Sequence(_) => Bond::Sequence,
        Expr::Repeat { .. } => Bond::Repeat,
        Expr::Except { .. } => Bond::Except,
        _ => Bond::Operand,
    }
}

impl Grammar {
    /// An expression that would be written inside more groups than are read back, if there is one.
    #[doc(hidden)]
    pub fn too_deep(&self) -> Option<ExprId> {
        use super::nesting::MAX_DEPTH;
        // By expression, one more than the most groups that it was met in: what is shared is not walked anew for
        // each of its uses.
        let mut met = vec![0; self.exprs.len()];
        let mut stack: Vec<(ExprId, Bond, usize)> =
            self.rules.iter().map(|rule| (rule.body, Bond::Choice, 0)).collect();
        while let Some((id, needed, depth)) = stack.pop() {
            let expr = self.expr(self.plain(id));
            let depth = depth + usize::from(bond(expr) < needed);
            if depth > MAX_DEPTH {
                return Some(id);
            }
            let met = &mut met[id.0 as usize];
            if *met > depth {
                continue;
            }
            *met = depth + 1;
            let inner = match expr {
                Expr::Sequence(_) => Bond::Repeat,
                Expr::Choice(_) => Bond::Sequence,
                Expr::Repeat { .. } => Bond::Quantified,
                &Expr::Except { base, minus } => {
                    stack.extend([(base, Bond::Except, depth), (minus, Bond::Operand, depth)]);
                    continue;
                }
                _ => continue,
            };
            stack.extend(expr.children().map(|child| (child, inner, depth)));
        }
        None
    }
}

/// Writes what is said of an alternative.
fn said(alternative: &Alternative, out: &mut String) -> fmt::Result {
    match alternative.mark {
        Some(Mark::Weight(weight)) => write!(out, "@{weight}")?,
        Some(Mark::ParseOnly) => out.push_str("@read"),
        None => {}
    }
    let Some(Binding { level, associativity }) = alternative.binding else { return Ok(()) };
    let word = match associativity {
        Associativity::Left => "left",
        Associativity::Right => "right",
        Associativity::Unspecified => "prec",
    };
    let space = if alternative.mark.is_some() { " " } else { "" };
    write!(out, "{space}@{word} {level}")
}

fn quantifier(expr: &Expr, out: &mut String) -> fmt::Result {
    let &Expr::Repeat { min, max, weight, .. } = expr else { return Ok(()) };
    match (min, max) {
        (0, Some(1)) => out.push('?'),
        (0, None) => out.push('*'),
        (1, None) => out.push('+'),
        (low, None) => write!(out, "{{{low},}}")?,
        (low, Some(high)) if low == high => write!(out, "{{{low}}}")?,
        (0, Some(high)) => write!(out, "{{,{high}}}")?,
        (low, Some(high)) => write!(out, "{{{low},{high}}}")?,
    }
    match weight {
        Some(weight) => write!(out, "@{weight}"),
        None => Ok(()),
    }
}

/// Writes what stands between the quotes of a literal.
fn literal(bytes: &[u8], encoding: Encoding, out: &mut String) -> fmt::Result {
    if encoding == Encoding::Bytes {
        return bytes.iter().try_for_each(|&byte| match byte {
            0..=0x7F => character(char::from(byte), out),
            _ => write!(out, "\\x{byte:02X}"),
        });
    }
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().try_for_each(|symbol| character(symbol, out))?;
        // No literal of a Unicode grammar may hold such bytes: reading reports them.
        chunk.invalid().iter().try_for_each(|byte| write!(out, "\\x{byte:02X}"))?;
    }
    Ok(())
}

fn character(symbol: char, out: &mut String) -> fmt::Result {
    match symbol {
        '\'' => out.push(symbol),
        // `escape_debug` writes `\n`, `\r`, `\t`, `\0`, `\\`, `\"` and `\u{...}`, and leaves what
        // can be seen.
        _ => out.extend(symbol.escape_debug()),
    }
    Ok(())
}

fn class(ranges: &[(u32, u32)], encoding: Encoding, out: &mut String) -> fmt::Result {
    if ranges.is_empty() {
        out.push_str("[a&&b]");
        return Ok(());
    }
    let rest = difference(encoding.alphabet().universe(), ranges);
    let negated = !rest.is_empty() && rest.len() < ranges.len();
    out.push_str(if negated { "[^" } else { "[" });
    let mut shown = if negated { rest } else { ranges.to_vec() };
    // The regex crate skips the surrogates in a range.
    if let Some(gap) = shown.windows(2).position(|pair| (pair[0].1, pair[1].0) == (0xD7FF, 0xE000))
    {
        shown[gap].1 = shown[gap + 1].1;
        shown.remove(gap + 1);
    }
    for (low, high) in shown {
        member(low, encoding, out)?;
        if high > low {
            if high > low + 1 {
                out.push('-');
            }
            member(high, encoding, out)?;
        }
    }
    out.push(']');
    Ok(())
}

/// Writes a symbol inside a class.
fn member(symbol: u32, encoding: Encoding, out: &mut String) -> fmt::Result {
    let shown = char::from_u32(symbol).filter(|_| encoding == Encoding::Unicode || symbol < 0x80);
    match shown {
        Some(symbol @ ('\\' | '[' | ']' | '^' | '-' | '&' | '~')) => write!(out, "\\{symbol}"),
        Some('\n') => out.write_str("\\n"),
        Some('\r') => out.write_str("\\r"),
        Some('\t') => out.write_str("\\t"),
        Some(symbol @ (' ' | '"' | '\'')) => out.write_char(symbol),
        Some(symbol) if symbol.escape_debug().len() == 1 => out.write_char(symbol),
        _ if symbol < 0x100 => write!(out, "\\x{symbol:02X}"),
        _ => write!(out, "\\u{{{symbol:X}}}"),
    }
}

/// Names for those that the notation does not know as such.
fn renamed(grammar: &Grammar) -> HashMap<&str, String> {
    let references = grammar.exprs.iter().filter_map(|expr| match expr {
        Expr::Reference(name) => Some(name.as_str()),
        _ => None,
    });
    let names = (grammar.start.iter())
        .chain(&grammar.layout)
        .chain(&grammar.lexical)
        .chain(grammar.parts.iter().map(|part| &part.rule))
        .chain(grammar.rules.iter().map(|rule| &rule.name))
        .map(|name| name.text.as_str())
        .chain(references);
    let (valid, invalid): (Vec<&str>, Vec<&str>) = names.partition(|name| is_name(name));
    let mut renamed = HashMap::new();
    if invalid.is_empty() {
        return renamed;
    }
    let mut taken: HashSet<String> = valid.into_iter().map(String::from).collect();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for name in invalid {
        if renamed.contains_key(name) {
            continue;
        }
        let similar = similar(name);
        let number = numbers.entry(similar.clone()).or_insert(1);
        let mut chosen = similar.clone();
        while is_keyword(&chosen) || !taken.insert(chosen.clone()) {
            *number += 1;
            chosen = format!("{similar}{number}");
        }
        renamed.insert(name, chosen);
    }
    renamed
}

/// Whether the notation reads a text as one name.
fn is_name(text: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && part.bytes().all(letter)
    };
    !is_keyword(text) && text.split('.').all(part)
}

fn is_keyword(text: &str) -> bool {
    text == "except"
}

/// A text that the notation reads as one name, unless it is a keyword.
fn similar(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 1);
    let mut begins = true;
    for symbol in name.chars() {
        match symbol {
            '0'..='9' | '-' if begins => {
                out.push('_');
                out.push(symbol);
            }
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => out.push(symbol),
            _ => out.push('_'),
        }
        begins = false;
    }
    if out.is_empty() { "_".into() } else { out }
}
