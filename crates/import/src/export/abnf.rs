//! ABNF, RFC 5234, with `%s"..."` of RFC 7405 for texts in one case.

use std::fmt::Write as _;

use super::write::{Bond, Style, cases, runs};

pub(super) struct Abnf;

impl Style for Abnf {
    const DEFINED: &'static str = " = ";
    const OR: &'static str = " / ";
    const BREAK: &'static str = "\n    / ";

    fn literal(&self, symbols: &[u32], ignore_case: bool, out: &mut String) -> Bond {
        // What may stand between quotes, in which there are no escapes.
        let quoted = |symbol: u32| matches!(symbol, 0x20..=0x7E) && symbol != 0x22;
        let mut parts = 0;
        for (quoted, run) in runs(symbols, quoted) {
            if parts > 0 {
                out.push(' ');
            }
            parts += 1;
            if quoted {
                let letters = run.iter().any(|&symbol| cases(symbol).is_some());
                out.push_str(if letters && !ignore_case { "%s\"" } else { "\"" });
                out.extend(run.iter().filter_map(|&symbol| char::from_u32(symbol)));
                out.push('"');
            } else {
                for (index, symbol) in run.iter().enumerate() {
                    let _ = write!(out, "{}{symbol:02X}", if index > 0 { "." } else { "%x" });
                }
            }
        }
        if parts > 1 { Bond::Sequence } else { Bond::Atom }
    }

    fn class(&self, ranges: &[(u32, u32)], out: &mut String) -> Bond {
        for (index, &(low, high)) in ranges.iter().enumerate() {
            if index > 0 {
                out.push_str(Self::OR);
            }
            let _ = match low == high {
                true => write!(out, "%x{low:02X}"),
                false => write!(out, "%x{low:02X}-{high:02X}"),
            };
        }
        if ranges.len() > 1 { Bond::Choice } else { Bond::Atom }
    }

    fn count(&self, min: u32, max: Option<u32>) -> (String, String, Bond) {
        let before = match (min, max) {
            (0, Some(1)) => return ("[".into(), "]".into(), Bond::Choice),
            (0, None) => "*".into(),
            (min, None) => format!("{min}*"),
            (min, Some(max)) if min == max => format!("{min}"),
            (0, Some(max)) => format!("*{max}"),
            (min, Some(max)) => format!("{min}*{max}"),
        };
        (before, String::new(), Bond::Atom)
    }

    fn comment(&self, line: &str, out: &mut String) {
        let _ = writeln!(out, "; {line}");
    }
}
