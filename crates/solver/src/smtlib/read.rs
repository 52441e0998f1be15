//! Reads scripts: commands and operations of QF_BV as they are written here, nested or not.

use super::Question;
use super::write::OLD;
use crate::Model;
use crate::terms::{Binary, Compare, TermId, Terms};
use fxhash::FxHashMap;
use std::fmt;

/// A parse error of an SMT-LIB script, or something of it that is not supported, with line and
/// column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

/// What stands between brackets.
#[derive(Clone, Debug)]
enum Item<'a> {
    Open,
    Word(&'a str),
    Term(TermId),
    /// An operation with numbers.
    Indexed(&'a str, [u32; 2]),
    /// The type of so many bits.
    Bits(u8),
    /// What means nothing here, `()` among it.
    Nothing,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    items: Vec<Item<'a>>,
    names: FxHashMap<&'a str, TermId>,
    /// The name of each variable that was declared here.
    numbers: FxHashMap<u32, &'a str>,
    asserted: Vec<TermId>,
    old: Model,
}

impl Terms {
    /// Reads a question that [`Terms::question_to_smtlib`] wrote, or another script of declarations,
    /// definitions without parameters, and assertions, the last of which is taken for the goal.
    ///
    /// A variable's number is what follows `v` in its name, if that is how it is called, or else how
    /// many were declared before.
    ///
    /// # Errors
    /// The text is no such script, or asserts nothing.
    pub fn question_from_smtlib(&mut self, text: &str) -> Result<Question, ReadError> {
        let mut reader = Reader {
            text,
            at: 0,
            items: Vec::new(),
            names: FxHashMap::default(),
            numbers: FxHashMap::default(),
            asserted: Vec::new(),
            old: Model::new(),
        };
        reader.read(self)?;
        let Some(goal) = reader.asserted.pop() else {
            return Err(reader.error("nothing is asserted; add (assert ...)"));
        };
        Ok(Question { path: reader.asserted, goal, old: reader.old })
    }
}

impl<'a> Reader<'a> {
    fn error(&self, message: impl Into<String>) -> ReadError {
        let before = &self.text.as_bytes()[..self.at.min(self.text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        ReadError { line, column: 1 + before.len() - start, message: message.into() }
    }

    fn read(&mut self, terms: &mut Terms) -> Result<(), ReadError> {
        while let Some(word) = self.word()? {
            match word {
                "(" => self.items.push(Item::Open),
                ")" => self.close(terms)?,
                _ if self.items.is_empty() => return Err(self.error("a word outside of brackets")),
                _ => {
                    let known = self.names.get(word).map(|&term| Item::Term(term));
                    let item = known.or_else(|| number(terms, word).map(Item::Term));
                    self.items.push(item.unwrap_or(Item::Word(word)));
                }
            }
            if terms.is_full() {
                return Err(self.error("more terms than there may be"));
            }
        }
        if self.items.is_empty() { Ok(()) } else { Err(self.error("a bracket is not closed")) }
    }

    /// The next bracket, word or text in quotes; comments and space are passed over.
    fn word(&mut self) -> Result<Option<&'a str>, ReadError> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                None => return Ok(None),
                Some(byte) if byte.is_ascii_whitespace() => self.at += 1,
                Some(b';') => {
                    while bytes.get(self.at).is_some_and(|&byte| byte != b'\n') {
                        self.at += 1;
                    }
                }
                Some(_) => break,
            }
        }
        let from = self.at;
        match bytes[from] {
            b'(' | b')' => self.at += 1,
            quote @ (b'"' | b'|') => {
                let length = bytes[from + 1..].iter().position(|&byte| byte == quote);
                let Some(length) = length else { return Err(self.error("a quote is not closed")) };
                self.at += length + 2;
            }
            _ => {
                let ends = |byte: &u8| {
                    byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b';' | b'"' | b'|')
                };
                let length = bytes[from..].iter().position(ends);
                self.at = length.map_or(bytes.len(), |length| from + length);
            }
        }
        Ok(Some(&self.text[from..self.at]))
    }

    fn close(&mut self, terms: &mut Terms) -> Result<(), ReadError> {
        let open = self.items.iter().rposition(|item| matches!(item, Item::Open));
        let Some(open) = open else { return Err(self.error("a bracket too many")) };
        let row: Vec<Item<'a>> = self.items.drain(open..).skip(1).collect();
        if self.items.is_empty() {
            return self.command(terms, &row);
        }
        let item = self.expression(terms, &row)?;
        self.items.push(item);
        Ok(())
    }

    fn command(&mut self, terms: &mut Terms, row: &[Item<'a>]) -> Result<(), ReadError> {
        match row {
            [Item::Word("set-info"), Item::Word(key), Item::Word(values)] if *key == OLD => {
                for pair in values.trim_matches('"').split_whitespace() {
                    let parsed = pair.split_once('=').and_then(|(variable, value)| {
                        Some((variable.parse().ok()?, value.parse().ok()?))
                    });
                    let Some((variable, value)) = parsed else {
                        return Err(self.error(format!("`{pair}` is no value; write 3=48")));
                    };
                    self.old.set(variable, value);
                }
            }
            [
                Item::Word(
                    "set-info" | "set-logic" | "set-option" | "check-sat" | "exit" | "get-model"
                    | "get-value",
                ),
                ..,
            ] => {}
            [Item::Word("declare-const"), Item::Word(name), Item::Bits(width)]
            | [Item::Word("declare-fun"), Item::Word(name), Item::Nothing, Item::Bits(width)] => {
                let numbered = name.strip_prefix('v').and_then(|number| number.parse().ok());
                let number = numbered.unwrap_or(self.names.len() as u32);
                let before = self.numbers.insert(number, name);
                if before.is_some_and(|other| other != *name)
                    || terms.variable_width(number).is_some_and(|other| other != *width)
                {
                    return Err(self.error(format!("`{name}` has the number of another variable")));
                }
                let variable = terms.variable(number, *width);
                self.names.insert(name, variable);
            }
            [
                Item::Word("define-fun"),
                Item::Word(name),
                Item::Nothing,
                Item::Bits(width),
                Item::Term(term),
            ] => {
                if terms.width(*term) != *width {
                    let had = terms.width(*term);
                    return Err(self.error(format!("`{name}` has {had} bits, not {width}")));
                }
                self.names.insert(name, *term);
            }
            [Item::Word("assert"), Item::Term(term)] if terms.width(*term) == 1 => {
                self.asserted.push(*term);
            }
            _ => return Err(self.error("no command that is read here")),
        }
        Ok(())
    }

    fn expression(&self, terms: &mut Terms, row: &[Item<'a>]) -> Result<Item<'a>, ReadError> {
        let number = |word: &str| word.parse::<u32>().map_err(|_| self.error("no number"));
        match row {
            [] => Ok(Item::Nothing),
            [Item::Word("_"), Item::Word("BitVec"), Item::Word(width)] => match width.parse() {
                Ok(width @ 1..=128) => Ok(Item::Bits(width)),
                _ => Err(self.error(format!("a width of {width} bits; 1 to 128 are read"))),
            },
            [Item::Word("_"), Item::Word(value), Item::Word(width)] if value.starts_with("bv") => {
                let value = value[2..].parse::<u128>();
                match (value, width.parse::<u8>()) {
                    (Ok(value), Ok(width @ 1..=128)) => {
                        Ok(Item::Term(terms.constant(width, value)))
                    }
                    _ => Err(self.error("no number of 1 to 128 bits")),
                }
            }
            [Item::Word("_"), Item::Word(name), Item::Word(a)] => {
                Ok(Item::Indexed(name, [number(a)?, 0]))
            }
            [Item::Word("_"), Item::Word(name), Item::Word(a), Item::Word(b)] => {
                Ok(Item::Indexed(name, [number(a)?, number(b)?]))
            }
            [Item::Indexed(name, numbers), Item::Term(a)] => {
                self.indexed(terms, name, *numbers, *a).map(Item::Term)
            }
            [Item::Word(name), operands @ ..] => {
                let mut given = Vec::new();
                for operand in operands {
                    match operand {
                        Item::Term(term) => given.push(*term),
                        Item::Word(word) => {
                            return Err(self.error(format!("`{word}` is not defined before")));
                        }
                        _ => return Err(self.error("an operand that is no term")),
                    }
                }
                self.operation(terms, name, &given).map(Item::Term)
            }
            _ => Err(self.error("no expression that is read here")),
        }
    }

    fn indexed(
        &self,
        terms: &mut Terms,
        name: &str,
        [a, b]: [u32; 2],
        of: TermId,
    ) -> Result<TermId, ReadError> {
        let had = u32::from(terms.width(of));
        match name {
            "extract" if b <= a && a < had => Ok(terms.extract(of, b as u8, (a - b + 1) as u8)),
            "zero_extend" if had.saturating_add(a) <= 128 => Ok(terms.zext(of, (had + a) as u8)),
            "sign_extend" if had.saturating_add(a) <= 128 => Ok(terms.sext(of, (had + a) as u8)),
            _ => Err(self.error(format!("`{name}` is not read here with these numbers"))),
        }
    }

    fn operation(
        &self,
        terms: &mut Terms,
        name: &str,
        given: &[TermId],
    ) -> Result<TermId, ReadError> {
        let widths: Vec<u8> = given.iter().map(|&term| terms.width(term)).collect();
        let same = widths.windows(2).all(|pair| pair[0] == pair[1]);
        if let Some(op) = binary(name)
            && let [first, rest @ ..] = given
            && same
        {
            return Ok(rest.iter().fold(*first, |a, &b| terms.binary(op, a, b)));
        }
        match (name, given) {
            ("not" | "bvnot", [a]) => Ok(terms.not(*a)),
            ("bvneg", [a]) => Ok(terms.neg(*a)),
            ("ite", [c, a, b]) if widths[0] == 1 && widths[1] == widths[2] => {
                Ok(terms.ite(*c, *a, *b))
            }
            ("concat", [a, b]) if u32::from(widths[0]) + u32::from(widths[1]) <= 128 => {
                Ok(terms.concat(*a, *b))
            }
            ("distinct", [a, b]) if same => {
                let equal = terms.compare(Compare::Eq, *a, *b);
                Ok(terms.not(equal))
            }
            (_, [a, b]) if same => {
                let (op, a, b) = match name {
                    "=" => (Compare::Eq, a, b),
                    "bvult" => (Compare::Ult, a, b),
                    "bvule" => (Compare::Ule, a, b),
                    "bvslt" => (Compare::Slt, a, b),
                    "bvsle" => (Compare::Sle, a, b),
                    "bvugt" => (Compare::Ult, b, a),
                    "bvuge" => (Compare::Ule, b, a),
                    "bvsgt" => (Compare::Slt, b, a),
                    "bvsge" => (Compare::Sle, b, a),
                    _ => return Err(self.error(format!("`{name}` is not read here"))),
                };
                Ok(terms.compare(op, *a, *b))
            }
            _ => Err(self.error(format!("`{name}` is not read here with these operands"))),
        }
    }
}

/// A number in digits of two or of sixteen, or a boolean.
fn number(terms: &mut Terms, word: &str) -> Option<TermId> {
    match word {
        "true" => return Some(terms.constant(1, 1)),
        "false" => return Some(terms.constant(1, 0)),
        _ => {}
    }
    let (digits, radix, bits) = match word.get(..2)? {
        "#b" => (&word[2..], 2, 1),
        "#x" => (&word[2..], 16, 4),
        _ => return None,
    };
    let width = digits.len().checked_mul(bits).filter(|width| (1..=128).contains(width))?;
    // A sign is no digit.
    let value = digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let value = value.then(|| u128::from_str_radix(digits, radix).ok())??;
    Some(terms.constant(width as u8, value))
}

fn binary(name: &str) -> Option<Binary> {
    Some(match name {
        "bvadd" => Binary::Add,
        "bvsub" => Binary::Sub,
        "bvmul" => Binary::Mul,
        "bvudiv" => Binary::UDiv,
        "bvurem" => Binary::URem,
        "bvsdiv" => Binary::SDiv,
        "bvsrem" => Binary::SRem,
        "bvand" | "and" => Binary::And,
        "bvor" | "or" => Binary::Or,
        "bvxor" | "xor" => Binary::Xor,
        "bvshl" => Binary::Shl,
        "bvlshr" => Binary::LShr,
        "bvashr" => Binary::AShr,
        _ => return None,
    })
}
