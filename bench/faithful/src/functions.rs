//! Random Rust functions: arithmetic of all widths, casts, shifts, slices, matches, loops, floats and collections, each
//! of which may panic. A program has a batch of them, and runs one on what it decodes from standard input.

use fastrand::Rng;

/// A type of the functions' arguments and variables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int(&'static str),
    Float(&'static str),
    Bool,
}

const INTEGERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
const FLOATS: [&str; 2] = ["f32", "f64"];

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Int(name) | Self::Float(name) => name,
            Self::Bool => "bool",
        }
    }

    fn any(random: &mut Rng) -> Self {
        match random.u8(..10) {
            0..7 => Self::Int(INTEGERS[random.usize(..INTEGERS.len())]),
            7 | 8 => Self::Float(FLOATS[random.usize(..FLOATS.len())]),
            _ => Self::Bool,
        }
    }
}

/// How deep expressions go.
const DEPTH: u32 = 4;

/// The source of a program with so many functions.
pub(crate) fn program(count: usize, random: &mut Rng) -> String {
    let mut text = String::from(PRELUDE);
    let mut signatures: Vec<Signature> = Vec::new();
    let mut table = format!("const FUNCTIONS: [fn(&mut Bytes) -> String; {count}] = [\n");
    for number in 0..count {
        let arguments: Vec<Kind> = (0..random.usize(1..5)).map(|_| Kind::any(random)).collect();
        let returned = Kind::any(random);
        let mut writer = Writer {
            random,
            variables: Vec::new(),
            made: 0,
            panics: false,
            signatures: &signatures,
        };
        text += &writer.function(number, &arguments, returned);
        let panics = writer.panics;
        let taken: Vec<String> =
            arguments.iter().map(|it| format!("<{}>::take(it)", it.name())).collect();
        table += &format!(
            "    |it| {{ let s = it.slice(); format!(\"{{:?}}\", f{number}(&s, {})) }},\n",
            taken.join(", ")
        );
        // One that panics would end most of those that call it.
        if !panics {
            signatures.push(Signature { number, arguments, returned });
        }
    }
    text + &table + "];\n"
}

/// A function that others may call.
struct Signature {
    number: usize,
    arguments: Vec<Kind>,
    returned: Kind,
}

struct Writer<'a> {
    random: &'a mut Rng,
    variables: Vec<(String, Kind)>,
    made: usize,
    /// Whether something in the function may panic.
    panics: bool,
    /// The functions before this one, which it may call.
    signatures: &'a [Signature],
}

impl Writer<'_> {
    fn function(&mut self, number: usize, arguments: &[Kind], returned: Kind) -> String {
        let mut parameters = String::from("s: &[u8]");
        for (at, kind) in arguments.iter().enumerate() {
            parameters += &format!(", a{at}: {}", kind.name());
            self.variables.push((format!("a{at}"), *kind));
        }
        let mut body = String::new();
        let mut results = vec!["s.len()".to_owned()];
        for _ in 0..self.random.usize(1..6) {
            let kind = Kind::any(self.random);
            let value = self.statement_value(kind);
            let name = format!("v{}", self.made);
            self.made += 1;
            body += &format!("    let {name}: {} = {value};\n", kind.name());
            results.push(name.clone());
            self.variables.push((name, kind));
        }
        let last = self.expression(returned, DEPTH);
        let shown = results.join(", ");
        format!(
            "#[inline(never)]\nfn f{number}({parameters}) -> {} {{\n{body}    let last = {last};\n    note(&format!(\"{{:?}}\", ({shown})));\n    last\n}}\n",
            returned.name()
        )
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.random.usize(..of.len())]
    }

    /// Whether to write what may panic: rarely, as little is run behind a panic.
    fn rarely(&mut self) -> bool {
        let panics = self.random.u8(..12) == 0;
        self.panics |= panics;
        panics
    }

    /// A value by a loop, a match, a collection, or an expression.
    fn statement_value(&mut self, kind: Kind) -> String {
        let name = kind.name();
        match (self.random.u8(..8), kind) {
            (5, Kind::Int(_)) if self.rarely() => {
                let panics = self.pick(&[
                    "t[1..].len()",
                    "t.bytes().position(|b| b == b'1').unwrap()",
                    "s.split_at(3).1.len()",
                    "s.iter().map(|b| 9 / b).sum::<u8>()",
                    "Vec::from_iter(s).drain(2..).len()",
                    "t.parse::<u16>().unwrap()",
                    "<[u8; 4]>::try_from(&s[..]).unwrap()[0]",
                    "s.chunks(s.len().saturating_sub(4)).count()",
                    "std::time::Duration::from_secs(u64::MAX).checked_add(std::time::Duration::from_secs(s.len() as u64)).expect(&t).as_secs()",
                    "std::cell::RefCell::new(s.len()).try_borrow_mut().map(|n| *n / s.len()).unwrap()",
                ]);
                format!("{{ let t = String::from_utf8_lossy(s); ({panics}) as {name} }}")
            }
            (0, _) => {
                let (first, count) =
                    (self.expression(kind, 2), self.expression(Kind::Int("u8"), 2));
                self.variables.push(("x".to_owned(), kind));
                self.variables.push(("n".to_owned(), Kind::Int("u8")));
                let (next, stop) = (self.expression(kind, 3), self.expression(Kind::Bool, 2));
                self.variables.truncate(self.variables.len() - 2);
                format!(
                    "{{ let mut x: {name} = {first}; for n in 0..({count}) % 20 {{ x = {next}; if {stop} {{ break; }} }} x }}"
                )
            }
            (1, _) => {
                let of = self.expression(Kind::Int("u8"), 3);
                let arms: Vec<String> = (0..4).map(|_| self.expression(kind, 2)).collect();
                let (low, high) = (self.random.u8(..200), self.random.u8(..));
                let (low, high) = (low.min(high), low.max(high).max(1));
                format!(
                    "match ({of}, s) {{ ({low}..={high}, _) => {}, (_, [1, ..]) => {}, (n, [a, .., b]) if a < b => {}, _ => {} }}",
                    arms[0], arms[1], arms[2], arms[3]
                )
            }
            (2, Kind::Int(_)) => {
                let collection = self.pick(&[
                    "std::collections::HashMap<u8, usize>",
                    "std::collections::BTreeMap<u8, usize>",
                ]);
                let step = self.expression(kind, 2);
                format!(
                    "{{ let mut map: {collection} = Default::default(); for b in s {{ *map.entry(*b % 16).or_default() += 1; }} \
                     map.iter().fold({step}, |x, (k, n)| x.wrapping_mul(31).wrapping_add((*k as usize * 7 + n) as {name})) }}"
                )
            }
            (3, Kind::Int(_)) => {
                let by = self.pick(&[
                    "l.sort(); l",
                    "l.sort_by_key(|b| std::cmp::Reverse(*b)); l",
                    "l.sort_unstable(); l.dedup(); l",
                    "l.reverse(); l",
                    "l.retain(|b| b % 3 != 0); l",
                    "l.rotate_left(3); l",
                    "l.insert(l.len() / 2, 9); l",
                    "l.chunks(3).map(|c| c.iter().fold(0u8, |a, b| a ^ b)).collect::<Vec<u8>>()",
                    "l.windows(2).map(|w| w[0].abs_diff(w[1])).collect::<Vec<u8>>()",
                    "l.iter().zip(s.iter().rev()).map(|(a, b)| a | b).collect::<Vec<u8>>()",
                ]);
                let fold = self.pick(&["wrapping_add", "wrapping_mul", "wrapping_sub"]);
                format!(
                    "{{ let mut l = s.to_vec(); let l = {{ {by} }}; l.iter().fold(7 as {name}, |x, b| (x ^ *b as {name}).{fold}(13 as {name})) }}"
                )
            }
            (4, Kind::Int(_)) => {
                let text = self.pick(&[
                    "String::from_utf8_lossy(s).into_owned()",
                    "format!(\"{:>08x?}\", s)",
                    "std::str::from_utf8(s).unwrap_or(\"12\").trim().to_uppercase()",
                    "s.iter().map(|b| char::from(*b)).filter(|c| c.is_alphanumeric()).collect::<String>()",
                ]);
                let end = self.pick(&[
                    "t.len()",
                    "t.chars().rev().map(|c| c as usize).fold(1, |a, c| a ^ (c << 1))",
                    "t.split('a').map(str::len).max().unwrap_or(3)",
                    "t.parse::<i32>().map_or(5, |n| n as usize)",
                    "t.find(char::is_whitespace).unwrap_or(8)",
                    "t.get(1..).map_or(0, str::len)",
                ]);
                format!("{{ let t: String = {text}; ({end}) as {name} }}")
            }
            _ => self.expression(kind, DEPTH),
        }
    }

    fn expression(&mut self, kind: Kind, depth: u32) -> String {
        if depth == 0 || self.random.u8(..8) == 0 {
            return self.leaf(kind);
        }
        let below = depth - 1;
        match self.random.u8(..12) {
            0 => {
                let test = self.expression(Kind::Bool, below);
                let (yes, no) = (self.expression(kind, below), self.expression(kind, below));
                format!("(if {test} {{ {yes} }} else {{ {no} }})")
            }
            1 => self.call(kind, below).unwrap_or_else(|| self.leaf(kind)),
            _ => match kind {
                Kind::Int(name) => self.integer(name, below),
                Kind::Float(name) => self.float(name, below),
                Kind::Bool => self.truth(below),
            },
        }
    }

    /// A call of an earlier function that returns the type.
    fn call(&mut self, kind: Kind, below: u32) -> Option<String> {
        let fit: Vec<&Signature> =
            self.signatures.iter().rev().filter(|it| it.returned == kind).take(3).collect();
        let callee = *fit.get(self.random.usize(..fit.len().max(1)))?;
        let arguments: Vec<String> =
            callee.arguments.iter().map(|it| self.expression(*it, below.min(1))).collect();
        let slice = self.pick(&["s", "&s[..s.len() / 2]", "s.get(1..).unwrap_or(s)", "&[3, 1, 2]"]);
        Some(format!("f{}({slice}, {})", callee.number, arguments.join(", ")))
    }

    fn leaf(&mut self, kind: Kind) -> String {
        let fit: Vec<usize> =
            (0..self.variables.len()).filter(|at| self.variables[*at].1 == kind).collect();
        if !fit.is_empty() && self.random.u8(..4) != 0 {
            return self.variables[fit[self.random.usize(..fit.len())]].0.clone();
        }
        match kind {
            Kind::Int(name) => match self.random.u8(..8) {
                0 => format!("<{name}>::MAX"),
                1 => format!("<{name}>::MIN"),
                2 => format!("(s.len() as {name})"),
                3 => format!("({} as {name})", self.random.u128(..)),
                _ => format!("{}{name}", self.random.u8(..100)),
            },
            Kind::Float(name) => match self.random.u8(..8) {
                0 => format!(
                    "<{name}>::{}",
                    self.pick(&["MAX", "MIN_POSITIVE", "EPSILON", "INFINITY", "NAN"])
                ),
                1 => format!(
                    "({}.{}e{}_{name})",
                    self.random.u8(..),
                    self.random.u8(..),
                    self.random.i8(-40..38)
                ),
                _ => format!("{}.{}_{name}", self.random.u8(..20), self.random.u8(..)),
            },
            Kind::Bool => self.pick(&["true", "false", "s.is_empty()"]).to_owned(),
        }
    }

    fn integer(&mut self, name: &'static str, below: u32) -> String {
        let signed = name.starts_with('i');
        let kind = Kind::Int(name);
        let a = self.expression(kind, below);
        let amount = |writer: &mut Self| writer.expression(Kind::Int("u32"), below.min(1));
        match self.random.u8(..16) {
            0..3 => {
                let b = self.expression(kind, below);
                if self.rarely() {
                    return format!("({a} {} {b})", self.pick(&["+", "-", "*", "/", "%"]));
                }
                let way = self.pick(&["add", "sub", "mul", "div", "rem"]);
                match way {
                    "div" | "rem" => format!("({a}).checked_{way}({b}).unwrap_or(3)"),
                    _ => format!("({a}).wrapping_{way}({b})"),
                }
            }
            3 => {
                let (sign, b) = (self.pick(&["&", "|", "^"]), self.expression(kind, below));
                format!("({a} {sign} {b})")
            }
            4 => {
                let (sign, b) = (self.pick(&["<<", ">>"]), amount(self));
                if self.rarely() {
                    format!("({a} {sign} {b})")
                } else {
                    format!("({a} {sign} ({b} % {name}::BITS))")
                }
            }
            5 => {
                let way = self.pick(&[
                    "wrapping_shl",
                    "wrapping_shr",
                    "rotate_left",
                    "rotate_right",
                    "wrapping_pow",
                ]);
                format!("({a}).{way}({})", amount(self))
            }
            6 | 7 => {
                let way = self.pick(&[
                    "wrapping_add",
                    "wrapping_sub",
                    "wrapping_mul",
                    "saturating_add",
                    "saturating_sub",
                    "saturating_mul",
                    "min",
                    "max",
                    "midpoint",
                ]);
                // Signed midpoints came later than the oldest compiler that is supported.
                let way = if signed && way == "midpoint" { "min" } else { way };
                format!("({a}).{way}({})", self.expression(kind, below))
            }
            8 => {
                let way = self.pick(&[
                    "checked_add",
                    "checked_sub",
                    "checked_mul",
                    "checked_div",
                    "checked_rem",
                ]);
                let b = self.expression(kind, below);
                let end = match self.rarely() {
                    true => self.pick(&["expect(\"it fits\")", "unwrap()"]),
                    false => {
                        self.pick(&["unwrap_or(5)", "unwrap_or_default()", "map_or(1, |x| x ^ 3)"])
                    }
                };
                format!("({a}).{way}({b}).{end}")
            }
            9 => {
                let way = self.pick(&["overflowing_add", "overflowing_sub", "overflowing_mul"]);
                let b = self.expression(kind, below);
                format!("{{ let (x, o) = ({a}).{way}({b}); if o {{ !x }} else {{ x }} }}")
            }
            10 => {
                let way = self.pick(&[
                    "count_ones",
                    "leading_zeros",
                    "trailing_zeros",
                    "count_zeros",
                    "leading_ones",
                ]);
                format!("(({a}).{way}() as {name})")
            }
            11 => {
                let way = self.pick(&["swap_bytes", "reverse_bits", "to_be"]);
                format!("({a}).{way}()")
            }
            12 => {
                if signed {
                    let end = self.pick(&[
                        "signum()",
                        "wrapping_neg()",
                        "wrapping_abs()",
                        "saturating_neg()",
                    ]);
                    match self.rarely() {
                        true => format!("({}({a}).abs())", self.pick(&["-", ""])),
                        false => format!("({a}).{end}"),
                    }
                } else {
                    let end = self.pick(&[
                        "isqrt()",
                        "is_power_of_two() as _",
                        "wrapping_neg()",
                        "checked_next_power_of_two().unwrap_or(1)",
                    ]);
                    let end = end.replace("as _", &format!("as {name}"));
                    format!("(({a}).{end})")
                }
            }
            13 => {
                let index = self.expression(Kind::Int("usize"), below);
                if self.rarely() {
                    format!("(s[{index}] as {name})")
                } else {
                    format!("(s.get(({index}) % 12).copied().unwrap_or(77) as {name})")
                }
            }
            _ => {
                let from = Kind::any(self.random);
                let value = self.expression(from, below);
                format!("(({value}) as {name})")
            }
        }
    }

    fn float(&mut self, name: &'static str, below: u32) -> String {
        let kind = Kind::Float(name);
        let a = self.expression(kind, below);
        match self.random.u8(..9) {
            0..3 => {
                let (sign, b) =
                    (self.pick(&["+", "-", "*", "/", "%"]), self.expression(kind, below));
                format!("({a} {sign} {b})")
            }
            3 => {
                let way = self.pick(&[
                    "sqrt",
                    "abs",
                    "floor",
                    "ceil",
                    "round",
                    "trunc",
                    "fract",
                    "recip",
                    "round_ties_even",
                    "cbrt",
                    "exp",
                    "ln",
                    "sin",
                ]);
                format!("({a}).{way}()")
            }
            4 => {
                // Of two zeros, either may be the lesser: the sum has no sign of its own.
                let (way, b) = (
                    self.pick(&["min", "max", "hypot", "rem_euclid", "powf", "atan2"]),
                    self.expression(kind, below),
                );
                format!("(({a}).{way}({b}) + 0.0)")
            }
            5 => format!(
                "({a}).mul_add({}, {})",
                self.expression(kind, below),
                self.expression(kind, below)
            ),
            6 => format!("({a}).powi({} % 9)", self.expression(Kind::Int("i32"), below.min(1))),
            7 => {
                let bits = if name == "f32" { "u32" } else { "u64" };
                format!("<{name}>::from_bits({})", self.expression(Kind::Int(bits), below))
            }
            _ => {
                let from = match Kind::any(self.random) {
                    Kind::Bool => Kind::Float("f32"),
                    other => other,
                };
                let value = self.expression(from, below);
                format!("(({value}) as {name})")
            }
        }
    }

    fn truth(&mut self, below: u32) -> String {
        match self.random.u8(..6) {
            0 => {
                let (sign, a, b) = (
                    self.pick(&["&&", "||", "^", "&"]),
                    self.expression(Kind::Bool, below),
                    self.expression(Kind::Bool, below),
                );
                format!("({a} {sign} {b})")
            }
            1 => format!("(!{})", self.expression(Kind::Bool, below)),
            2 => {
                let way = self.pick(&[
                    "contains(&7)",
                    "starts_with(&[1])",
                    "iter().any(|b| *b > 200)",
                    "is_sorted()",
                    "is_ascii()",
                    "iter().all(u8::is_ascii_digit)",
                ]);
                format!("s.{way}")
            }
            _ => {
                let kind = match Kind::any(self.random) {
                    Kind::Bool => Kind::Int("i16"),
                    other => other,
                };
                let sign = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let (a, b) = (self.expression(kind, below), self.expression(kind, below));
                format!("(({a}) {sign} ({b}))")
            }
        }
    }
}

/// Bytes for the arguments of a function: many are such that decode to bounds and small numbers.
pub(crate) fn arguments(random: &mut Rng) -> Vec<u8> {
    let mut bytes = vec![random.u8(..16)];
    bytes.extend(
        (0..random.usize(16..100))
            .map(|_| if random.bool() { random.u8(..8) } else { random.u8(..) }),
    );
    bytes
}

/// What each program begins with.
const PRELUDE: &str = r#"#![allow(warnings, arithmetic_overflow, unconditional_panic, overflowing_literals)]
use std::io::Read;

struct Bytes(Vec<u8>, usize);

impl Bytes {
    fn next(&mut self) -> u8 {
        self.1 += 1;
        self.0.get(self.1 - 1).copied().unwrap_or(0)
    }

    fn slice(&mut self) -> Vec<u8> {
        let length = self.next() % 16;
        (0..length).map(|_| self.next()).collect()
    }

    fn bits(&mut self) -> u128 {
        (0..16).fold(0, |bits, _| bits << 8 | u128::from(self.next()))
    }
}

trait Take {
    fn take(it: &mut Bytes) -> Self;
}
macro_rules! integers {
    ($($kind:ty),*) => { $(impl Take for $kind {
        fn take(it: &mut Bytes) -> Self {
            match it.next() {
                0 => 0,
                1 => 1,
                2 => <$kind>::MAX,
                3 => <$kind>::MIN,
                4 => <$kind>::MAX - 1,
                5 => (0 as $kind).wrapping_sub(1),
                6..128 => it.next() as $kind,
                _ => it.bits() as $kind,
            }
        }
    })* };
}
integers!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
macro_rules! floats {
    ($($kind:ty, $bits:ty);*) => { $(impl Take for $kind {
        fn take(it: &mut Bytes) -> Self {
            match it.next() {
                0 => 0.0,
                1 => -0.0,
                2 => <$kind>::INFINITY,
                3 => <$kind>::NAN,
                4 => 0.1,
                5..128 => it.next() as $kind / 8.0,
                _ => <$kind>::from_bits(it.bits() as $bits),
            }
        }
    })* };
}
floats!(f32, u32; f64, u64);
impl Take for bool {
    fn take(it: &mut Bytes) -> Self {
        it.next() % 2 == 1
    }
}

fn note(text: &str) {
    println!("{text}");
}

fn main() {
    let number: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).unwrap();
    println!("= {}", FUNCTIONS[number](&mut Bytes(bytes, 0)));
}

"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_functions() {
        let program = |seed| program(20, &mut Rng::with_seed(seed));
        assert_eq!(program(1), program(1));
        assert_ne!(program(1), program(2));
    }
}
