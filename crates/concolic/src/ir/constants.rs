//! Constants, which are computed as they are read: addresses are known from the beginning.

use super::text::{MAX_DEPTH, Reader};
use super::types::{Type, TypeId};
use super::{Operand, ReadError};

/// Where a constant goes to.
pub(super) enum Sink<'a> {
    /// Its scalars one after the other.
    Slots(&'a mut Vec<u128>),
    /// Its bytes as they lie in memory; those behind the end are zeros.
    Bytes(&'a mut Vec<u8>),
}

/// All ones in that many bits.
#[inline]
pub(crate) fn mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// A number of that many bits with its sign.
#[inline]
pub(crate) fn signed(value: u128, width: u8) -> i128 {
    if width == 0 || width >= 128 {
        return value as i128;
    }
    let shift = 128 - u32::from(width);
    ((value << shift) as i128) >> shift
}

impl<'t> Reader<'t> {
    /// A row of constants as an operand.
    pub(super) fn constant_row(&mut self, values: &[u128]) -> Result<Operand, ReadError> {
        if let &[value] = values {
            return Ok(self.constant_value(value));
        }
        self.charge(size_of_val(values))?;
        let index = self.module.constants.len() as u32;
        self.module.constants.extend(values);
        Ok(Operand::constant(index))
    }

    /// A constant as an operand.
    pub(super) fn constant_value(&mut self, value: u128) -> Operand {
        let constants = &mut self.module.constants;
        let index = *self.pool.entry(value).or_insert_with(|| {
            constants.push(value);
            constants.len() as u32 - 1
        });
        Operand::constant(index)
    }

    /// Takes so many bytes from what the text's contents may have: a few words can ask for gigabytes.
    pub(super) fn charge(&mut self, bytes: usize) -> Result<(), ReadError> {
        let room = self.room.checked_sub(bytes);
        self.room =
            room.ok_or_else(|| self.error("constants of more bytes than the text can mean"))?;
        Ok(())
    }

    fn put(
        &mut self,
        ty: TypeId,
        at: u64,
        value: u128,
        sink: &mut Sink<'_>,
    ) -> Result<(), ReadError> {
        let width = self.types.width(ty);
        match sink {
            Sink::Slots(slots) => slots.push(value & mask(width)),
            Sink::Bytes(bytes) => {
                let size = usize::from(width.div_ceil(8));
                let value = (value & mask(width)).to_le_bytes();
                self.put_bytes(at, &value[..size], bytes)?;
            }
        }
        Ok(())
    }

    pub(super) fn put_bytes(
        &mut self,
        at: u64,
        new: &[u8],
        bytes: &mut Vec<u8>,
    ) -> Result<(), ReadError> {
        let at = at as usize;
        let end = at + new.len();
        if bytes.len() < end {
            self.charge(end - bytes.len())?;
            bytes.resize(end, 0);
        }
        bytes[at..end].copy_from_slice(new);
        Ok(())
    }

    fn zero(&mut self, ty: TypeId, sink: &mut Sink<'_>) -> Result<(), ReadError> {
        if let Sink::Slots(slots) = sink {
            let Some(count) = self.types.slots(ty) else {
                return Err(self.error("a value of too many parts"));
            };
            slots.resize(slots.len() + count as usize, 0);
        }
        Ok(())
    }

    /// A constant of a type, which lies at an offset of what is being read.
    pub(super) fn constant(
        &mut self,
        ty: TypeId,
        at: u64,
        sink: &mut Sink<'_>,
        depth: u32,
    ) -> Result<(), ReadError> {
        if depth > MAX_DEPTH {
            return Err(self.error("constants nest too deep"));
        }
        match self.peek() {
            b'[' => {
                self.at += 1;
                self.items(ty, at, sink, b']', depth)
            }
            b'{' => {
                self.at += 1;
                self.items(ty, at, sink, b'}', depth)
            }
            b'<' => {
                self.at += 1;
                if self.eat(b'{') {
                    self.items(ty, at, sink, b'}', depth)?;
                    return self.expect(b'>');
                }
                self.items(ty, at, sink, b'>', depth)
            }
            _ => match self.peek_word() {
                "zeroinitializer" | "undef" | "poison" | "null" | "none" => {
                    self.word();
                    self.zero(ty, sink)
                }
                "c" => self.string(ty, at, sink),
                "splat" => self.splat(ty, at, sink, depth),
                _ if matches!(self.types.get(ty), Type::Wide(_)) => {
                    let above = match *self.types.get(ty) {
                        Type::Wide(width) => u128::MAX >> (256 - u32::from(width)),
                        _ => 0,
                    };
                    let narrow = self.type_id(Type::Int(128))?;
                    let is_negative = self.peek() == b'-';
                    let low = self.scalar(narrow, depth)?;
                    let high = if is_negative { above } else { 0 };
                    match sink {
                        Sink::Slots(slots) => slots.extend([low, high]),
                        Sink::Bytes(_) => return Err(self.error("wide integers in memory")),
                    }
                    Ok(())
                }
                _ => {
                    let value = self.scalar(ty, depth)?;
                    self.put(ty, at, value, sink)
                }
            },
        }
    }

    fn items(
        &mut self,
        ty: TypeId,
        at: u64,
        sink: &mut Sink<'_>,
        close: u8,
        depth: u32,
    ) -> Result<(), ReadError> {
        let count = match self.types.get(ty) {
            Type::Array(count, _) => *count,
            Type::Vector(lanes, _) => u64::from(*lanes),
            Type::Struct(fields, _) => fields.len() as u64,
            _ => return Err(self.error("parts are given of what has none")),
        };
        let mut end = 0;
        for index in 0..count {
            if index > 0 {
                self.expect(b',')?;
            }
            let said = self.ty(depth + 1)?;
            let part = self.types.next_part(ty, index, &mut end);
            let Some((part, offset)) = part.filter(|&(part, _)| part == said) else {
                return Err(self.error("a part has another type than its whole says"));
            };
            let bits = self.types.width(part);
            if matches!(sink, Sink::Bytes(_))
                && matches!(self.types.get(ty), Type::Vector(..))
                && !bits.is_multiple_of(8)
            {
                return Err(self.error("vectors of parts of bytes are not supported in memory"));
            }
            self.constant(part, at + offset, sink, depth + 1)?;
        }
        self.expect(close)
    }

    fn string(&mut self, ty: TypeId, at: u64, sink: &mut Sink<'_>) -> Result<(), ReadError> {
        self.word();
        let text = self.quoted()?.as_bytes();
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text;
        while let [first, tail @ ..] = rest {
            rest = tail;
            if *first != b'\\' {
                bytes.push(*first);
                continue;
            }
            if tail.first() == Some(&b'\\') {
                bytes.push(b'\\');
                rest = &tail[1..];
                continue;
            }
            let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
            let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
                return Err(self.error("two hexadecimal digits are expected behind \\"));
            };
            bytes.push(byte);
            rest = &tail[2..];
        }
        let fits = matches!(*self.types.get(ty), Type::Array(count, item)
            if count == bytes.len() as u64 && *self.types.get(item) == Type::Int(8));
        if !fits {
            return Err(self.error("a string is not as long as its type says"));
        }
        match sink {
            Sink::Bytes(out) => self.put_bytes(at, &bytes, out),
            Sink::Slots(slots) => {
                slots.extend(bytes.iter().map(|&byte| u128::from(byte)));
                Ok(())
            }
        }
    }

    fn splat(
        &mut self,
        ty: TypeId,
        at: u64,
        sink: &mut Sink<'_>,
        depth: u32,
    ) -> Result<(), ReadError> {
        self.word();
        self.expect(b'(')?;
        let item = self.ty(depth + 1)?;
        let value = self.scalar(item, depth + 1)?;
        self.expect(b')')?;
        for lane in 0..self.types.lanes(ty) {
            let offset = self.types.size(item) * u64::from(lane);
            self.put(item, at + offset, value, sink)?;
        }
        Ok(())
    }

    /// A constant of one scalar.
    pub(super) fn scalar(&mut self, ty: TypeId, depth: u32) -> Result<u128, ReadError> {
        if depth > MAX_DEPTH {
            return Err(self.error("constants nest too deep"));
        }
        if self.peek() == b'@' {
            let name = self.name(b'@')?;
            return Ok(u128::from(self.symbol_address(name)));
        }
        let begin = self.at;
        let word = self.word();
        let width = self.types.width(ty);
        let value = match word {
            "true" => 1,
            "false" | "null" | "undef" | "poison" | "zeroinitializer" => 0,
            "getelementptr" => self.constant_address(depth)?,
            "inttoptr" | "ptrtoint" | "ptrtoaddr" | "bitcast" | "addrspacecast" | "trunc"
            | "zext" => {
                self.expect(b'(')?;
                let from = self.ty(depth + 1)?;
                let value = self.scalar(from, depth + 1)?;
                self.expect_word("to")?;
                self.ty(depth + 1)?;
                self.expect(b')')?;
                value
            }
            "add" | "sub" | "xor" | "mul" | "and" | "or" | "shl" => {
                while matches!(self.peek(), b'n' | b'd') {
                    self.word();
                }
                self.expect(b'(')?;
                let from = self.ty(depth + 1)?;
                let a = self.scalar(from, depth + 1)?;
                self.expect(b',')?;
                self.ty(depth + 1)?;
                let b = self.scalar(from, depth + 1)?;
                self.expect(b')')?;
                match word {
                    "add" => a.wrapping_add(b),
                    "sub" => a.wrapping_sub(b),
                    "mul" => a.wrapping_mul(b),
                    "xor" => a ^ b,
                    "and" => a & b,
                    "or" => a | b,
                    _ => a.checked_shl(b as u32).unwrap_or(0),
                }
            }
            "dso_local_equivalent" | "no_cfi" => self.scalar(ty, depth + 1)?,
            _ => {
                let value = literal(word, self.types.get(ty), self.line());
                let Some((value, more)) = value else {
                    self.at = begin;
                    return Err(self.error(format!("{word:?} is no known constant of its type")));
                };
                self.at += more;
                value
            }
        };
        Ok(value & mask(width))
    }

    fn constant_address(&mut self, depth: u32) -> Result<u128, ReadError> {
        while self.peek() != b'(' {
            match self.word() {
                "" => return Err(self.error("\"(\" is expected")),
                "inrange" => self.skip_parentheses()?,
                _ => {}
            }
        }
        self.expect(b'(')?;
        let pointee = self.ty(depth + 1)?;
        self.expect(b',')?;
        let pointer = self.ty(depth + 1)?;
        let mut address = self.scalar(pointer, depth + 1)?;
        let mut inside = None;
        while self.eat(b',') {
            let index_type = self.ty(depth + 1)?;
            let index = self.scalar(index_type, depth + 1)?;
            let index = signed(index, self.types.width(index_type));
            let Some(whole) = inside else {
                let size = i128::from(self.types.size(pointee));
                address = address.wrapping_add(index.wrapping_mul(size) as u128);
                inside = Some(pointee);
                continue;
            };
            let (part, offset) = self.step(whole, index)?;
            address = address.wrapping_add(offset as u128);
            inside = Some(part);
        }
        self.expect(b')')?;
        Ok(address)
    }

    /// The part of an aggregate that a constant index of an address means, and its offset.
    pub(super) fn step(&mut self, whole: TypeId, index: i128) -> Result<(TypeId, i128), ReadError> {
        match *self.types.get(whole) {
            // An index of an array may be beyond it.
            Type::Array(_, item) | Type::Vector(_, item) => {
                Ok((item, index.wrapping_mul(i128::from(self.types.size(item)))))
            }
            _ => {
                let index = u64::try_from(index).ok();
                let part = index.and_then(|index| self.types.part(whole, index));
                let (part, offset, _) =
                    part.ok_or_else(|| self.error("an address of a part that there is not"))?;
                Ok((part, i128::from(offset)))
            }
        }
    }
}

/// The bits of a number as it is written, and how many bytes of what follows the word belong to it.
fn literal(word: &str, ty: &Type, rest: &str) -> Option<(u128, usize)> {
    match *ty {
        Type::Int(_) | Type::Pointer => {
            let (negative, digits) = match word.strip_prefix('-') {
                Some(digits) => (true, digits),
                None => (false, word),
            };
            let value = match digits.strip_prefix("u0x").or_else(|| digits.strip_prefix("s0x")) {
                Some(hex) => u128::from_str_radix(hex, 16).ok()?,
                None if digits.starts_with('+') => return None,
                None => digits.parse::<u128>().ok()?,
            };
            Some((if negative { value.wrapping_neg() } else { value }, 0))
        }
        Type::Float(width) => {
            // A sign of the exponent is no part of a word.
            let more = match (word.as_bytes().last(), rest.as_bytes().first()) {
                (Some(b'e' | b'E'), Some(b'+')) => {
                    1 + rest[1..].bytes().take_while(u8::is_ascii_digit).count()
                }
                _ => 0,
            };
            let value = match word.strip_prefix("0x") {
                Some(hex) => f64::from_bits(u64::from_str_radix(hex, 16).ok()?),
                None => format!("{word}{}", &rest[..more]).parse().ok()?,
            };
            let bits = match width {
                32 => u128::from(narrow(value).to_bits()),
                _ => u128::from(value.to_bits()),
            };
            Some((bits, more))
        }
        Type::Foreign(_) => {
            let hex = word.strip_prefix("0x")?.get(1..)?;
            // The two halves of an `fp128` are written low one first.
            let value = u128::from_str_radix(hex, 16).ok()?;
            let value = if word.starts_with("0xL") { value.rotate_left(64) } else { value };
            Some((value, 0))
        }
        _ => None,
    }
}

/// A float of 32 bits that is written as one of 64; what is no number keeps its payload.
fn narrow(value: f64) -> f32 {
    if value.is_nan() {
        let bits = value.to_bits();
        return f32::from_bits(
            ((bits >> 32) as u32 & 0x8000_0000) | 0x7f80_0000 | ((bits >> 29) as u32 & 0x007f_ffff),
        );
    }
    value as f32
}
