//! Rules as text, whatever the notation: what stands between what, and where parentheses are needed.

use pleach_core::grammar::{Encoding, Expr, ExprId, Grammar};

/// Columns after which the alternatives of a rule are broken into lines.
const WIDTH: usize = 100;

/// How tightly an expression holds together, and how tightly what encloses it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Bond {
    Choice,
    Sequence,
    /// What an operand of `-` may be, and a term.
    Term,
    /// What a count applies to.
    Atom,
}

/// What a notation writes.
pub(super) trait Style {
    /// Between a rule's name and its right side.
    const DEFINED: &'static str;
    /// Between alternatives.
    const OR: &'static str;
    /// Between alternatives that are on different lines.
    const BREAK: &'static str;

    /// A text that is not empty.
    fn literal(&self, symbols: &[u32], ignore_case: bool, out: &mut String) -> Bond;

    /// One symbol of some ranges, of which there is one at least.
    fn class(&self, ranges: &[(u32, u32)], out: &mut String) -> Bond;

    /// What stands before and after what is repeated, and how tightly it must hold together.
    fn count(&self, min: u32, max: Option<u32>) -> (String, String, Bond);

    /// A line of a comment.
    fn comment(&self, line: &str, out: &mut String);
}

/// What is still to be written.
enum Work {
    Expr(ExprId, Bond),
    Text(&'static str),
    Owned(String),
}

/// Writes a grammar.
pub(super) fn text<S: Style>(grammar: &Grammar, style: &S) -> String {
    let mut out = String::new();
    for (index, rule) in grammar.rules.iter().enumerate() {
        if !rule.docs.is_empty() {
            if index > 0 {
                out.push('\n');
            }
            rule.docs.lines().for_each(|line| style.comment(line, &mut out));
        }
        let alternatives = match grammar.expr(plain(grammar, rule.body)) {
            Expr::Choice(all) => {
                let each = |id| expr(grammar, style, id, alternative(grammar, id));
                all.iter().map(|one| each(one.expr)).collect()
            }
            _ => vec![expr(grammar, style, rule.body, Bond::Choice)],
        };
        out.push_str(&rule.name.text);
        out.push_str(S::DEFINED);
        let width: usize = alternatives.iter().map(|text| text.len() + S::OR.len()).sum();
        let between = if rule.name.text.len() + width > WIDTH { S::BREAK } else { S::OR };
        out.push_str(&alternatives.join(between));
        out.push('\n');
    }
    out
}

/// What an alternative asks for: of a class that is written as alternatives, these are some of the choice's.
fn alternative(grammar: &Grammar, id: ExprId) -> Bond {
    match grammar.expr(plain(grammar, id)) {
        Expr::Class(_) => Bond::Choice,
        _ => Bond::Sequence,
    }
}

/// An expression without sequences and choices of one around it.
fn plain(grammar: &Grammar, mut id: ExprId) -> ExprId {
    loop {
        id = match grammar.expr(id) {
            Expr::Sequence(items) if items.len() == 1 => items[0],
            Expr::Choice(all) if all.len() == 1 => all[0].expr,
            _ => return id,
        };
    }
}

/// Writes an expression where a bond is needed.
fn expr<S: Style>(grammar: &Grammar, style: &S, id: ExprId, needed: Bond) -> String {
    let mut out = String::new();
    let mut work = vec![Work::Expr(id, needed)];
    while let Some(next) = work.pop() {
        let (id, needed) = match next {
            Work::Expr(id, needed) => (plain(grammar, id), needed),
            Work::Text(text) => {
                out.push_str(text);
                continue;
            }
            Work::Owned(text) => {
                out.push_str(&text);
                continue;
            }
        };
        let expr = grammar.expr(id);
        let bond = match expr {
            Expr::Literal { bytes, ignore_case } if !bytes.is_empty() => {
                terminal(needed, &mut out, |out| {
                    style.literal(&symbols(bytes, grammar.encoding), *ignore_case, out)
                });
                continue;
            }
            Expr::Class(ranges) => {
                terminal(needed, &mut out, |out| style.class(ranges, out));
                continue;
            }
            Expr::Sequence(items) if !items.is_empty() => Bond::Sequence,
            Expr::Choice(_) => Bond::Choice,
            Expr::Repeat { .. } | Expr::Except { .. } => Bond::Term,
            _ => Bond::Atom,
        };
        if bond < needed {
            out.push('(');
            work.push(Work::Text(")"));
        }
        match expr {
            Expr::Reference(name) => out.push_str(name),
            Expr::Sequence(items) if !items.is_empty() => {
                // What is empty among others needs no text.
                let mut first = true;
                let at = work.len();
                for &item in items {
                    if matches!(grammar.expr(plain(grammar, item)), Expr::Sequence(items) if items.is_empty())
                    {
                        continue;
                    }
                    if !std::mem::take(&mut first) {
                        work.push(Work::Text(" "));
                    }
                    work.push(Work::Expr(item, Bond::Sequence));
                }
                if first {
                    work.push(Work::Text("\"\""));
                }
                work[at..].reverse();
            }
            Expr::Choice(all) => {
                for (index, one) in all.iter().enumerate().rev() {
                    work.push(Work::Expr(one.expr, alternative(grammar, one.expr)));
                    if index > 0 {
                        work.push(Work::Text(S::OR));
                    }
                }
            }
            Expr::Repeat { expr, min, max, .. } => {
                let (before, after, bond) = style.count(*min, *max);
                out.push_str(&before);
                work.push(Work::Owned(after));
                work.push(Work::Expr(*expr, bond));
            }
            Expr::Except { base, minus } => {
                work.push(Work::Expr(*minus, Bond::Atom));
                work.push(Work::Text(" - "));
                work.push(Work::Expr(*base, Bond::Atom));
            }
            // The empty text; a regex has been written out.
            _ => out.push_str("\"\""),
        }
    }
    out
}

/// Writes a terminal, in parentheses where it holds together less than needed.
fn terminal(needed: Bond, out: &mut String, write: impl FnOnce(&mut String) -> Bond) {
    let at = out.len();
    if write(out) < needed {
        out.insert(at, '(');
        out.push(')');
    }
}

/// The symbols of a text.
fn symbols(bytes: &[u8], encoding: Encoding) -> Vec<u32> {
    match (encoding, std::str::from_utf8(bytes)) {
        (Encoding::Unicode, Ok(text)) => text.chars().map(u32::from).collect(),
        _ => bytes.iter().map(|&byte| byte.into()).collect(),
    }
}

/// A symbol as a character, if it is one that shows.
pub(super) fn shown(symbol: u32) -> Option<char> {
    let symbol = char::from_u32(symbol)?;
    let shows = match symbol {
        ' ' | '"' | '\'' | '\\' => true,
        _ => symbol.escape_debug().len() == 1 && !symbol.is_whitespace(),
    };
    shows.then_some(symbol)
}

/// Splits a text into runs of symbols that are alike in something.
pub(super) fn runs<T: PartialEq>(
    symbols: &[u32],
    kind: impl Fn(u32) -> T,
) -> impl Iterator<Item = (T, &[u32])> {
    symbols
        .chunk_by(|&one, &other| kind(one) == kind(other))
        .map(|run| (kind(run[0]), run))
        .collect::<Vec<_>>()
        .into_iter()
}

/// Both cases of a letter.
pub(super) fn cases(symbol: u32) -> Option<(char, char)> {
    let letter = char::from_u32(symbol).filter(char::is_ascii_alphabetic)?;
    Some((letter.to_ascii_uppercase(), letter.to_ascii_lowercase()))
}
