//! A cursor over the text: words, names, numbers and types.

use super::layout::{Outline, external};
use super::types::{Type, TypeId, Types};
use super::{Module, ReadError, SymbolId};
use fxhash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// Types, constants and what else nests, nest at most that deep.
pub(super) const MAX_DEPTH: u32 = 64;

/// Text that is being read, and what was read so far.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    /// Which of the program's texts it is.
    pub(super) number: usize,
    pub(super) at: usize,
    pub(super) module: Module,
    pub(super) types: Types,
    pub(super) symbols: FxHashMap<&'t str, SymbolId>,
    pub(super) outline: Outline<'t>,
    /// The symbols that all texts share.
    pub(super) externals: FxHashMap<Box<str>, SymbolId>,
    /// Those of which another definition may take the place.
    pub(super) weak: FxHashSet<SymbolId>,
    /// The addresses of those that have no object of their own.
    pub(super) addresses: FxHashMap<SymbolId, u64>,
    pub(super) named_types: FxHashMap<&'t str, TypeId>,
    /// Where each constant is in the pool.
    pub(super) pool: FxHashMap<u128, u32>,
    /// How many bytes the variables' contents may still have.
    pub(super) room: usize,
    /// Up to where lines were counted, and how many there were.
    pub(super) lines: Cell<(usize, usize)>,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-')
}

impl<'t> Reader<'t> {
    pub(super) fn error(&self, message: impl Into<String>) -> ReadError {
        let at = self.at.min(self.text.len());
        let before = &self.text.as_bytes()[..at];
        let begin = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        // Most errors come one behind the other, and each line is counted once then.
        let (counted, lines) = self.lines.get();
        let line = match before.get(counted..) {
            Some(new) => lines + memchr::memchr_iter(b'\n', new).count(),
            None => memchr::memchr_iter(b'\n', before).count(),
        };
        self.lines.set((at, line));
        let line = line + 1;
        ReadError { text: self.number, line, column: at - begin + 1, message: message.into() }
    }

    fn rest(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at.min(self.text.len())..]
    }

    /// Goes over white space and comments.
    pub(super) fn skip(&mut self) {
        loop {
            let rest = self.rest();
            match rest.first() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b';') => self.skip_line(),
                _ => return,
            }
        }
    }

    /// Goes behind the end of the line.
    pub(super) fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
    }

    /// The rest of the line.
    pub(super) fn line(&self) -> &'t str {
        let rest = self.rest();
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        // The cursor stands between characters: a line is cut at ASCII characters only.
        self.text.get(self.at..self.at + end).unwrap_or("")
    }

    /// The next byte that is no white space, 0 at the end.
    pub(super) fn peek(&mut self) -> u8 {
        self.skip();
        self.rest().first().copied().unwrap_or(0)
    }

    /// The byte right at the cursor.
    pub(super) fn here(&self) -> u8 {
        self.rest().first().copied().unwrap_or(0)
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, byte: u8) -> Result<(), ReadError> {
        if self.eat(byte) {
            return Ok(());
        }
        Err(self.error(format!("{:?} is expected", char::from(byte))))
    }

    /// The next word, which may be empty.
    pub(super) fn word(&mut self) -> &'t str {
        self.skip();
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    /// The word at the cursor.
    pub(super) fn peek_word(&self) -> &'t str {
        let rest = self.rest();
        let end = rest.iter().position(|&byte| !is_name(byte)).unwrap_or(rest.len());
        self.text.get(self.at..self.at + end).unwrap_or("")
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        self.skip();
        let found = self.peek_word() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<(), ReadError> {
        if self.eat_word(word) {
            return Ok(());
        }
        Err(self.error(format!("\"{word}\" is expected")))
    }

    /// What stands between quotes; escapes stay as they are.
    pub(super) fn quoted(&mut self) -> Result<&'t str, ReadError> {
        self.expect(b'"')?;
        let begin = self.at;
        let Some(length) = memchr::memchr(b'"', self.rest()) else {
            return Err(self.error("a quote is not closed"));
        };
        self.at += length + 1;
        self.text.get(begin..begin + length).ok_or_else(|| self.error("a broken character"))
    }

    /// A name behind `%` or `@`.
    pub(super) fn name(&mut self, sigil: u8) -> Result<&'t str, ReadError> {
        self.expect(sigil)?;
        let name = if self.here() == b'"' { self.quoted()? } else { self.word_here() };
        if name.is_empty() {
            return Err(self.error("a name is expected"));
        }
        Ok(name)
    }

    fn word_here(&mut self) -> &'t str {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    /// A count or an index.
    pub(super) fn number(&mut self) -> Result<u64, ReadError> {
        let word = self.word();
        word.parse().map_err(|_| self.error("a number is expected"))
    }

    /// Goes behind the parenthesis that closes the one at the cursor.
    pub(super) fn skip_parentheses(&mut self) -> Result<(), ReadError> {
        self.expect(b'(')?;
        let mut depth = 1u32;
        while depth > 0 {
            match self.here() {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'"' => {
                    self.quoted()?;
                    continue;
                }
                0 => return Err(self.error("a parenthesis is not closed")),
                _ => {}
            }
            self.at += 1;
        }
        Ok(())
    }

    pub(super) fn symbol(&mut self, name: &'t str) -> SymbolId {
        if let Some(&id) = self.symbols.get(name) {
            return id;
        }
        let id = match self.outline.own.contains(name) {
            true => self.module.declare(name),
            false => external(&mut self.externals, &mut self.module, name),
        };
        self.symbols.insert(name, id);
        id
    }

    /// A type.
    pub(super) fn ty(&mut self, depth: u32) -> Result<TypeId, ReadError> {
        if depth > MAX_DEPTH {
            return Err(self.error("types nest too deep"));
        }
        let ty = match self.peek() {
            b'[' => {
                self.at += 1;
                let count = self.number()?;
                self.expect_word("x")?;
                let item = self.ty(depth + 1)?;
                self.expect(b']')?;
                Type::Array(count, item)
            }
            b'<' => {
                self.at += 1;
                if self.eat(b'{') {
                    let fields = self.fields(depth)?;
                    self.expect(b'>')?;
                    Type::Struct(fields, true)
                } else {
                    let lanes = self.number()?;
                    self.expect_word("x")?;
                    let item = self.ty(depth + 1)?;
                    self.expect(b'>')?;
                    let scalar = self.types.slots(item) == Some(1) && self.types.width(item) > 0;
                    match u32::try_from(lanes) {
                        Ok(lanes) if scalar && (1..=1024).contains(&lanes) => {
                            Type::Vector(lanes, item)
                        }
                        _ => return Err(self.error("a vector has up to 1024 scalars")),
                    }
                }
            }
            b'{' => {
                self.at += 1;
                Type::Struct(self.fields(depth)?, false)
            }
            b'%' => {
                let name = self.name(b'%')?;
                let known = self.named_types.get(name).copied();
                return known.ok_or_else(|| self.error(format!("the type %{name} is unknown")));
            }
            _ => self.scalar_type()?,
        };
        self.type_id(ty)
    }

    pub(super) fn type_id(&mut self, ty: Type) -> Result<TypeId, ReadError> {
        self.types.id(ty).ok_or_else(|| self.error("a type of more than 2 GB"))
    }

    fn fields(&mut self, depth: u32) -> Result<Vec<TypeId>, ReadError> {
        let mut fields = Vec::new();
        if self.eat(b'}') {
            return Ok(fields);
        }
        loop {
            fields.push(self.ty(depth + 1)?);
            if self.eat(b'}') {
                return Ok(fields);
            }
            self.expect(b',')?;
        }
    }

    fn scalar_type(&mut self) -> Result<Type, ReadError> {
        let begin = self.at;
        let word = self.word();
        Ok(match word {
            "ptr" => {
                if self.here() == b' ' && self.line().starts_with(" addrspace(") {
                    self.word();
                    self.skip_parentheses()?;
                }
                Type::Pointer
            }
            "void" => Type::Void,
            "float" => Type::Float(32),
            "double" => Type::Float(64),
            "half" | "bfloat" => Type::Foreign(16),
            "x86_fp80" => Type::Foreign(80),
            "fp128" => Type::Foreign(128),
            "label" | "metadata" | "token" | "opaque" => Type::Valueless,
            _ => {
                let width = word.strip_prefix('i').and_then(|digits| digits.parse::<u32>().ok());
                match width {
                    Some(width @ 1..=128) => Type::Int(width as u8),
                    Some(width @ 129..=256) => Type::Wide(width as u16),
                    Some(_) => {
                        self.at = begin;
                        return Err(self.error("integers of more than 256 bits are not supported"));
                    }
                    None => {
                        self.at = begin;
                        return Err(self.error("a type is expected"));
                    }
                }
            }
        })
    }
}
