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
    /// It is not of the language, is nested too deep, uses a variable that has no value, or divides
    /// by zero.
    Rejected,
    /// What must not happen: a product that does not fit, which was not thought of.
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
    let mut run = Run { rest: program, variables: [None; 3], depth: 0 };
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
            run.variables[name] = Some(last);
        }
    }
    pass(5);
    Ok(last)
}

struct Run<'p> {
    rest: &'p [u8],
    variables: [Option<i64>; 3],
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
                value = value.saturating_add(self.product()?);
            } else if self.takes(b"-") {
                pass(7);
                value = value.saturating_sub(self.product()?);
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
                value = value.checked_mul(self.atom()?).ok_or(Stop::Fault)?;
                // Its magnitude, a place for each byte.
                pass(24 + (63 - value.unsigned_abs().leading_zeros().min(63) as usize) / 8);
            } else if self.takes(b"/") {
                pass(9);
                let by = self.atom()?;
                pass(if by == 0 { 10 } else { 11 });
                value = value.checked_div(by).ok_or(Stop::Rejected)?;
            } else {
                return Ok(value);
            }
        }
    }

    fn atom(&mut self) -> Result<i64, Stop> {
        if let Some(name) = self.name() {
            pass(12 + name);
            return self.variables[name].ok_or(Stop::Rejected);
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
            ("print a\n", Err(Stop::Rejected)),
            ("let a = 999*999*999\nprint a*a\n", Ok(994_014_980_014_994_001)),
            ("let a = 999*999*999\nprint a*a*a\n", Err(Stop::Fault)),
            ("print 1", Err(Stop::Rejected)),
        ] {
            assert_eq!(run(program.as_bytes()), expected, "{program}");
        }
    }
}
