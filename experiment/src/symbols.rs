//! Which crate an edge is of: that in which the function is defined whose code holds it.
//!
//! A generic function is compiled in the crate that calls it, so neither the object file nor the
//! place of the code tells; its name does. Rust's v0 mangling begins, whatever the function is, with
//! the path to where it is defined, and that path ends in a crate (RFC 2603).

use std::io::{self, Read, Write};

use object::read::ReadCache;
use object::{Object, ObjectSymbol, SymbolKind};

use crate::Flags;

/// The functions of this program, by address.
pub struct Functions {
    /// In rising order of addresses, which are those of the file.
    symbols: Vec<(u64, String)>,
    /// What the program's addresses are beyond the file's.
    bias: u64,
}

impl Functions {
    /// Reads this program's own symbols.
    ///
    /// # Errors
    ///
    /// Where its file cannot be read, or has no symbols.
    pub fn read() -> io::Result<Self> {
        let file = ReadCache::new(std::fs::File::open(std::env::current_exe()?)?);
        let file = object::File::parse(&file).map_err(io::Error::other)?;
        let (address, landmark) = Flags::landmark();
        let mut bias = None;
        let mut symbols = Vec::new();
        for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
            let name = symbol.name().map_err(io::Error::other)?;
            // Some platforms put an underscore before every name.
            if name.trim_start_matches('_') == landmark.trim_start_matches('_') {
                bias = Some((address as u64).wrapping_sub(symbol.address()));
            }
            symbols.push((symbol.address(), name.to_owned()));
        }
        symbols.sort_unstable();
        let bias = bias.ok_or_else(|| io::Error::other("the program's file has no symbols"))?;
        Ok(Self { symbols, bias })
    }

    /// The mangled name of the function whose code is at an address of the running program.
    pub fn at(&self, address: usize) -> Option<&str> {
        let address = (address as u64).wrapping_sub(self.bias);
        let after = self.symbols.partition_point(|(start, _)| *start <= address);
        Some(self.symbols[after.checked_sub(1)?].1.as_str())
    }

    /// The edges of some crates, in rising order.
    pub fn edges_of(&self, flags: Flags, crates: &[&str]) -> Vec<u32> {
        let edges = 0..u32::try_from(flags.count()).expect("a program of less than 4 GiB");
        let is_of = |edge: &u32| {
            let name = self.at(flags.address(*edge)).and_then(defining_crate);
            name.is_some_and(|name| crates.contains(&name))
        };
        edges.filter(is_of).collect()
    }

    /// Writes the mangled name of the function that holds each edge whose number is in a text, both
    /// one a line.
    ///
    /// # Errors
    ///
    /// Where reading or writing fails, or there is no such edge.
    pub fn tell(&self, flags: Flags, mut numbers: impl Read, mut to: impl Write) -> io::Result<()> {
        let mut text = String::new();
        numbers.read_to_string(&mut text)?;
        for number in text.lines() {
            let edge: u32 = number.parse().map_err(io::Error::other)?;
            if edge as usize >= flags.count() {
                return Err(io::Error::other(format!("there is no edge {edge}")));
            }
            writeln!(to, "{}", self.at(flags.address(edge)).unwrap_or("?"))?;
        }
        to.flush()
    }
}

/// The crate in which a function is defined, by its mangled name; none where the name is not one of
/// Rust's v0 mangling, or that of a function of no crate.
fn defining_crate(symbol: &str) -> Option<&str> {
    let all = symbol.trim_start_matches('_').strip_prefix('R')?.as_bytes();
    let mut rest = all;
    // The path of a default method of a trait is after the type that has it.
    let mut is_type = false;
    // Where what was referred to begins: a reference in it is to what is before that.
    let mut referred = all.len();
    loop {
        let (&tag, further) = rest.split_first()?;
        rest = further;
        match tag {
            // A crate's root.
            b'C' => return str::from_utf8(identifier(rest)?).ok(),
            // An implementation: the path to it comes first.
            b'M' | b'X' => rest = after_disambiguator(rest)?,
            b'Y' => is_type = true,
            // An item of a name space within a path.
            b'N' => rest = rest.get(1..)?,
            // With generic arguments, which come after it.
            b'I' => {}
            // The same as before, counted from the first byte after `_R`.
            b'B' => {
                let (position, _) = base62(rest)?;
                let here = all.len() - rest.len() - 1;
                referred = Some(position).filter(|&to| to < here.min(referred))?;
                rest = &all[position..];
            }
            // References, pointers, slices and arrays of a type.
            b'R' | b'Q' if is_type => {
                if let Some(lifetime) = rest.strip_prefix(b"L") {
                    rest = base62(lifetime)?.1;
                }
            }
            b'P' | b'O' | b'S' | b'A' if is_type => {}
            // A type of the language: the path of the trait is next.
            b'a'..=b'z' if is_type => is_type = false,
            _ => return None,
        }
    }
}

/// Skips `s` and a number, where there is one.
fn after_disambiguator(text: &[u8]) -> Option<&[u8]> {
    match text.strip_prefix(b"s") {
        Some(number) => Some(base62(number)?.1),
        None => Some(text),
    }
}

/// A number up to `_`, and what follows: `_` alone is 0, and `0_` is 1.
fn base62(text: &[u8]) -> Option<(usize, &[u8])> {
    let end = text.iter().position(|&byte| byte == b'_')?;
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'z' => Some(byte - b'a' + 10),
        b'A'..=b'Z' => Some(byte - b'A' + 36),
        _ => None,
    };
    let number = text[..end].iter().try_fold(0_usize, |number, &byte| {
        number.checked_mul(62)?.checked_add(digit(byte)?.into())
    })?;
    let number = if end == 0 { 0 } else { number.checked_add(1)? };
    Some((number, &text[end + 1..]))
}

/// An identifier: a disambiguator, a length, and the letters.
fn identifier(text: &[u8]) -> Option<&[u8]> {
    let text = after_disambiguator(text)?;
    let digits = text.iter().position(|byte| !byte.is_ascii_digit())?;
    let length: usize = str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    let letters = &text[digits..];
    // Between a length and letters that begin with a digit or an underscore stands one more.
    letters.strip_prefix(b"_").unwrap_or(letters).get(..length)
}

#[cfg(test)]
mod tests {
    use super::defining_crate;

    #[test]
    fn a_function_is_of_the_crate_that_defines_it() {
        for (symbol, expected) in [
            // parser::read
            ("_RNvCs1234_6parser4read", "parser"),
            // parser::read::<other::T>
            ("_RINvCs1234_6parser4readNtCs99_5other1TEB2_", "parser"),
            // <other::T as third::Trait>::method, implemented in parser
            ("_RNvXs_Cs1234_6parserNtCs99_5other1TNtCs88_5third5Trait6method", "parser"),
            // <&other::T as third::Trait>::method, as the trait defines it for all
            ("_RNvYRNtCs99_5other1TNtCs88_5third5Trait6method", "other"),
            // <u8 as third::Trait>::method
            ("_RNvYhNtCs88_5third5Trait6method", "third"),
            // A closure in an inherent method.
            ("_RNCNvMs0_NtCs1234_6parser2deNtB5_6Reader4read0B7_", "parser"),
        ] {
            assert_eq!(defining_crate(symbol), Some(expected), "{symbol}");
        }
        for symbol in ["main", "_ZN6parser4readE", "_R", "_RNvB_", "_RNvC", "_RNvC9parser"] {
            assert_eq!(defining_crate(symbol), None, "{symbol}");
        }
    }
}
