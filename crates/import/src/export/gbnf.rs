//! The grammars of llama.cpp.

use std::fmt::Write as _;

use super::write::{Bond, Style, cases, runs, shown};

pub(super) struct Gbnf;

impl Style for Gbnf {
    const DEFINED: &'static str = " ::= ";
    const OR: &'static str = " | ";
    // A rule goes on after a line that ends so.
    const BREAK: &'static str = " |\n    ";

    fn literal(&self, symbols: &[u32], ignore_case: bool, out: &mut String) -> Bond {
        let is_letter = |symbol: u32| ignore_case && cases(symbol).is_some();
        let mut parts = 0;
        for (letters, run) in runs(symbols, is_letter) {
            if letters {
                for (upper, lower) in run.iter().filter_map(|&symbol| cases(symbol)) {
                    let _ = write!(out, "{}[{upper}{lower}]", if parts > 0 { " " } else { "" });
                    parts += 1;
                }
                continue;
            }
            out.push_str(if parts > 0 { " \"" } else { "\"" });
            run.iter().for_each(|&symbol| escaped(symbol, "\"", out));
            out.push('"');
            parts += 1;
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
        for &(low, high) in ranges {
            escaped(low, "[]^-\"", out);
            if high > low {
                if high > low + 1 {
                    out.push('-');
                }
                escaped(high, "[]^-\"", out);
            }
        }
        out.push(']');
        Bond::Atom
    }

    fn count(&self, min: u32, max: Option<u32>) -> (String, String, Bond) {
        let after = match (min, max) {
            (0, Some(1)) => "?".into(),
            (0, None) => "*".into(),
            (1, None) => "+".into(),
            (min, None) => format!("{{{min},}}"),
            (min, Some(max)) if min == max => format!("{{{min}}}"),
            (min, Some(max)) => format!("{{{min},{max}}}"),
        };
        (String::new(), after, Bond::Atom)
    }

    fn comment(&self, line: &str, out: &mut String) {
        let _ = writeln!(out, "# {line}");
    }
}

/// A symbol between quotes or brackets; some are numbers, for llama.cpp has no other escape of them.
fn escaped(symbol: u32, special: &str, out: &mut String) {
    let _ = match shown(symbol) {
        Some('\\') => write!(out, "\\\\"),
        Some('"') => write!(out, "\\\""),
        Some(shown) if !special.contains(shown) => write!(out, "{shown}"),
        _ => match symbol {
            0x09 => write!(out, "\\t"),
            0x0A => write!(out, "\\n"),
            0x0D => write!(out, "\\r"),
            0..=0xFF => write!(out, "\\x{symbol:02X}"),
            0x100..=0xFFFF => write!(out, "\\u{symbol:04X}"),
            _ => write!(out, "\\U{symbol:08X}"),
        },
    };
}
