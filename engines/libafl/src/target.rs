//! What is fuzzed: a calculator, whose language `calc.pleach` describes, with a mistake in it.
//!
//! Its places are marked by hand, so that the example builds like any other program. With
//! `-Cpasses=sancov-module` in `RUSTFLAGS` the compiler marks all of them instead, and
//! `libafl_targets::extra_counters` has the map.

use std::sync::atomic::{AtomicU8, Ordering};

/// How many places there are.
pub const PLACES: usize = 32;

/// How often each place was passed, which the observer reads.
pub static PASSED: [AtomicU8; PLACES] = [const { AtomicU8::new(0) }; PLACES];

fn pass(place: usize) {
    PASSED[place].fetch_add(1, Ordering::Relaxed);
}

/// Why a program ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It is not of the language, is nested too deep, or divides by a literal zero.
    Rejected,
    /// What must not happen: a division by a zero that was computed from a variable.
    Fault,
}

/// How deep parentheses may be nested.
const DEPTH: usize = 64;

/// Runs a program and gives what its last line says.
///
/// # Errors
///
/// [`Stop`] says which there are.
pub fn run(program: &[u8]) -> Result<i64, Stop> {
    let mut run = Run { rest: program, variables: [0; 3], used: false, depth: 0 };
    let mut last = 0;
    while !run.rest.is_empty() {
        let name = if run.takes(b"let ") {
            let name = run.name().ok_or(Stop::Rejected)?;
            run.expect(b" = ")?;
            pass(1 + name);
            Some(name)
        } else {
            run.expect(b"print ")?;
            pass(4);
            None
        };
        last = run.sum()?;
        run.expect(b"\n")?;
        if let Some(name) = name {
            run.variables[name] = last;
        }
    }
    pass(5);
    Ok(last)
}

struct Run<'p> {
    rest: &'p [u8],
    variables: [i64; 3],
    /// Whether the atom or parenthesis that was just read uses a variable.
    used: bool,
    depth: usize,
}

impl Run<'_> {
    fn takes(&mut self, text: &[u8]) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, text: &[u8]) -> Result<(), Stop> {
        if self.takes(text) { Ok(()) } else { Err(Stop::Rejected) }
    }

    fn name(&mut self) -> Option<usize> {
        [b"a", b"b", b"c"].iter().position(|name| self.takes(*name))
    }

    fn sum(&mut self) -> Result<i64, Stop> {
        let mut value = self.product()?;
        loop {
            if self.takes(b"+") {
                pass(6);
                value = value.wrapping_add(self.product()?);
            } else if self.takes(b"-") {
                pass(7);
                value = value.wrapping_sub(self.product()?);
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<i64, Stop> {
        let mut value = self.atom()?;
        loop {
            if self.takes(b"*") {
                pass(8);
                value = value.wrapping_mul(self.atom()?);
            } else if self.takes(b"/") {
                pass(9);
                self.used = false;
                let by = self.atom()?;
                pass(if by == 0 { 10 } else { 11 });
                // The check was written for literals alone.
                value = match value.checked_div(by) {
                    Some(value) => value,
                    None if self.used && self.depth > 0 => return Err(Stop::Fault),
                    None => return Err(Stop::Rejected),
                };
            } else {
                return Ok(value);
            }
        }
    }

    fn atom(&mut self) -> Result<i64, Stop> {
        if let Some(name) = self.name() {
            pass(12 + name);
            self.used = true;
            return Ok(self.variables[name]);
        }
        if self.takes(b"(") {
            self.depth += 1;
            pass(15 + self.depth.min(8));
            if self.depth > DEPTH {
                return Err(Stop::Rejected);
            }
            let value = self.sum()?;
            self.expect(b")")?;
            self.depth -= 1;
            return Ok(value);
        }
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        pass(24 + digits.min(3));
        let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        number.ok_or(Stop::Rejected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_calculates() {
        for (program, expected) in [
            ("print 1+2*3\n", Ok(7)),
            ("let a = 10\nlet b = (a-4)/2\nprint a*b\n", Ok(30)),
            ("print 1/0\n", Err(Stop::Rejected)),
            ("print (1/a)\n", Err(Stop::Fault)),
            ("print 1/a\n", Err(Stop::Rejected)),
            ("print 1", Err(Stop::Rejected)),
        ] {
            assert_eq!(run(program.as_bytes()), expected, "{program}");
        }
    }
}
