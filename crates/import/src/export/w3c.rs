//! The EBNF of XML 1.0: texts without escapes, so what does not show is a number.

use std::fmt::Write as _;

use super::write::{Bond, Style, cases, runs, shown};

pub(super) struct W3c;

/// How a symbol of a text is written.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Quote,
    Number,
    Letter(u32),
}

impl Style for W3c {
    const DEFINED: &'static str = " ::= ";
    const OR: &'static str = " | ";
    const BREAK: &'static str = "\n    | ";

    fn literal(&self, symbols: &[u32], ignore_case: bool, out: &mut String) -> Bond {
        let has = |quote: char| symbols.contains(&u32::from(quote));
        let kind = |symbol: u32| match shown(symbol) {
            _ if ignore_case && cases(symbol).is_some() => Kind::Letter(symbol),
            None => Kind::Number,
            // Of texts with both quotes the double ones stand apart.
            Some('"') if has('\'') => Kind::Quote,
            Some(_) => Kind::Plain,
        };
        let mut parts = 0;
        for (kind, run) in runs(symbols, kind) {
            let text = || run.iter().filter_map(|&symbol| char::from_u32(symbol));
            let mut part = |shown: std::fmt::Arguments<'_>| {
                let space = if parts > 0 { " " } else { "" };
                parts += 1;
                let _ = write!(out, "{space}{shown}");
            };
            match kind {
                Kind::Plain | Kind::Quote => {
                    let quote = if run.contains(&0x22) { '\'' } else { '"' };
                    part(format_args!("{quote}{}{quote}", text().collect::<String>()));
                }
                Kind::Number => run.iter().for_each(|symbol| part(format_args!("#x{symbol:X}"))),
                Kind::Letter(_) => {
                    let both = text().filter_map(|symbol| cases(symbol.into()));
                    both.for_each(|(upper, lower)| part(format_args!("[{upper}{lower}]")));
                }
            }
        }
        if parts > 1 { Bond::Sequence } else { Bond::Atom }
    }

    fn class(&self, ranges: &[(u32, u32)], out: &mut String) -> Bond {
        if let &[(low, high)] = ranges
            && low == high
        {
            return self.literal(&[low], false, out);
        }
        out.push('[');
        // After a number a letter or digit would be one more digit of it.
        let mut after_number = false;
        for &(low, high) in ranges {
            let plain = |symbol: u32| char::from_u32(symbol).filter(char::is_ascii_alphanumeric);
            // What is in no range is a number: `[12]` could be that of a rule.
            let _ = match (plain(low), plain(high)) {
                (Some(low), Some(high)) if !after_number && high > low => {
                    write!(out, "{low}-{high}")
                }
                _ => {
                    after_number = true;
                    match high - low {
                        0 => write!(out, "#x{low:X}"),
                        1 => write!(out, "#x{low:X}#x{high:X}"),
                        _ => write!(out, "#x{low:X}-#x{high:X}"),
                    }
                }
            };
        }
        out.push(']');
        Bond::Atom
    }

    fn count(&self, min: u32, max: Option<u32>) -> (String, String, Bond) {
        let after = match (min, max) {
            (_, Some(_)) => "?",
            (0, None) => "*",
            _ => "+",
        };
        (String::new(), after.into(), Bond::Atom)
    }

    fn comment(&self, line: &str, out: &mut String) {
        let line = line.replace("*/", "* /");
        let _ = writeln!(out, "/* {line} */");
    }
}
