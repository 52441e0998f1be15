//! The text's outermost level: named types, variables, functions, debug information.

use super::constants::Sink;
use super::function::Body;
use super::layout::{Outline, Shared, section};
use super::text::{MAX_DEPTH, Reader};
use super::types::{Type, TypeId, Types};
use super::{Global, Meaning, Module, ReadError, SYMBOL_BASE, SymbolId};
use fxhash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// Variables with more bytes than this, and the text's own size sixteen times, are a mistake.
const ROOM: usize = 1 << 24;
/// Initializers without a number are the last ones.
const DEFAULT_PRIORITY: u32 = 65535;

/// Reads texts that make one program. Names that are no text's own mean the same in all of them.
pub(super) fn read(texts: &[&str]) -> Result<Module, ReadError> {
    let mut readers = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let mut reader = Reader {
            text,
            number,
            at: 0,
            module: Module::default(),
            types: Types::default(),
            symbols: FxHashMap::default(),
            outline: Outline::of(text),
            externals: FxHashMap::default(),
            weak: FxHashSet::default(),
            addresses: FxHashMap::default(),
            named_types: FxHashMap::default(),
            pool: FxHashMap::default(),
            lines: Cell::default(),
            room: text.len().saturating_mul(16).saturating_add(ROOM),
        };
        if u32::try_from(text.len()).is_err() {
            return Err(reader.error("a text of more than 4 GB"));
        }
        reader.named_types()?;
        readers.push(reader);
    }
    let mut shared = Shared::default();
    shared.lay_out(&mut readers)?;
    let mut initializers: Vec<(u32, SymbolId)> = Vec::new();
    shared.each(&mut readers, |reader| {
        reader.at = 0;
        reader.whole_text(&mut initializers)?;
        reader.module.places.next_text();
        Ok(())
    })?;
    let Shared { mut module, externals, .. } = shared;
    // Those of sections with a number are first, and within a section they stay in their order.
    initializers.sort_by_key(|it| it.0);
    module.initializers = initializers.into_iter().map(|(_, symbol)| symbol).collect();
    module.names = externals;
    for (id, symbol) in module.symbols.iter().enumerate() {
        module.names.entry(symbol.name.clone()).or_insert(SymbolId(id as u32));
    }
    Ok(module)
}

/// How strongly a symbol is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Linkage {
    Strong,
    /// Another definition may take its place.
    Weak,
}

pub(super) fn linkage(word: &str) -> Option<Linkage> {
    let weak = ["weak", "weak_odr", "linkonce", "linkonce_odr", "common", "available_externally"];
    weak.contains(&word).then_some(Linkage::Weak)
}

impl<'t> Reader<'t> {
    fn whole_text(&mut self, initializers: &mut Vec<(u32, SymbolId)>) -> Result<(), ReadError> {
        let mut body = Body::default();
        loop {
            match self.peek() {
                0 => return Ok(()),
                b'@' => self.variable(initializers)?,
                b'!' => self.metadata()?,
                b'%' | b'$' | b'^' => self.skip_line(),
                _ => match self.peek_word() {
                    "define" => self.define(&mut body)?,
                    "declare" => self.declare()?,
                    "source_filename" | "target" | "attributes" | "uselistorder"
                    | "uselistorder_bb" => self.skip_line(),
                    "module" => return Err(self.error("assembly is not supported")),
                    _ => return Err(self.error("what stands here is not known")),
                },
            }
        }
    }

    /// Reads all named types, which may be used before they are said: those whose parts are not yet
    /// known wait for them.
    fn named_types(&mut self) -> Result<(), ReadError> {
        let mut waiting: Vec<(&'t str, usize)> = Vec::new();
        let mut begin = 0;
        for line in self.text.split_inclusive('\n') {
            if line.starts_with('%') {
                self.at = begin;
                let name = self.name(b'%')?;
                self.expect(b'=')?;
                self.expect_word("type")?;
                waiting.push((name, self.at));
            }
            begin += line.len();
        }
        for _ in 0..MAX_DEPTH {
            let before = waiting.len();
            let mut result = Ok(());
            waiting.retain(|&(name, at)| {
                self.at = at;
                match self.ty(0) {
                    Ok(ty) => {
                        self.named_types.insert(name, ty);
                        false
                    }
                    Err(error) => {
                        // The first one is the cause, if the others only wait for it.
                        if result.is_ok() {
                            result = Err(error);
                        }
                        true
                    }
                }
            });
            if waiting.is_empty() {
                self.at = 0;
                return Ok(());
            }
            if waiting.len() == before {
                return result;
            }
        }
        Err(self.error("types nest too deep"))
    }

    fn metadata(&mut self) -> Result<(), ReadError> {
        let line = self.line();
        if line.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
            && !self.module.places.read(line, self.text.len())
        {
            return Err(self.error("a node of metadata with a number is expected"));
        }
        self.skip_line();
        Ok(())
    }

    fn define_symbol(
        &mut self,
        name: &'t str,
        meaning: Meaning,
        linkage: Linkage,
    ) -> Result<SymbolId, ReadError> {
        let symbol = self.symbol(name);
        let known = &mut self.module.symbols[symbol.0 as usize].meaning;
        let replaced = *known == Meaning::Declared || self.weak.remove(&symbol);
        if replaced {
            *known = meaning;
            if linkage == Linkage::Weak {
                self.weak.insert(symbol);
            }
        } else if linkage == Linkage::Strong {
            return Err(self.error(format!("@{name} is defined twice")));
        }
        Ok(symbol)
    }

    fn variable(&mut self, initializers: &mut Vec<(u32, SymbolId)>) -> Result<(), ReadError> {
        let name = self.name(b'@')?;
        self.expect(b'=')?;
        let mut declared = false;
        let mut strength = Linkage::Strong;
        let writable = loop {
            let word = self.word();
            strength = linkage(word).unwrap_or(strength);
            match word {
                "global" => break true,
                "constant" => break false,
                "external" | "extern_weak" => declared = true,
                "alias" => return self.alias(name, strength),
                "thread_local" | "addrspace" if self.here() == b'(' => self.skip_parentheses()?,
                "" => return Err(self.error("a variable is expected")),
                "ifunc" => return Err(self.error("functions chosen when loaded are not supported")),
                _ => {}
            }
        };
        if declared {
            // Another text may define it, or the system knows it.
            self.symbol(name);
            self.skip_line();
            return Ok(());
        }
        let ty = self.ty(0)?;
        let size = self.types.size(ty) as u32;
        let mut bytes = Vec::new();
        self.constant(ty, 0, &mut Sink::Bytes(&mut bytes), 0)?;
        if name == "llvm.global_ctors" {
            // A number, a function, and what it goes with.
            for entry in bytes.chunks(24).filter(|entry| entry.len() >= 16) {
                let number = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
                let number = if number < DEFAULT_PRIORITY { number } else { u32::MAX };
                initializers.extend(pointers(&entry[8..16]).map(|symbol| (number, symbol)));
            }
        } else if let Some(section) = section(self.line())
            && let Some(number) = section.strip_prefix(".init_array")
        {
            let number = number.strip_prefix('.').and_then(|number| number.parse().ok());
            let number = number.unwrap_or(u32::MAX);
            initializers.extend(pointers(&bytes).map(|symbol| (number, symbol)));
        }
        let symbol = self.symbol(name);
        if let Some((whole, at)) = self.placed(symbol)
            && let Meaning::Global(index) = self.module.meaning(whole)
        {
            self.define_symbol(name, Meaning::Alias(whole), strength)?;
            let global = &mut self.module.globals[index as usize];
            global.writable |= writable;
            let mut all = std::mem::take(&mut global.bytes).into_vec();
            self.put_bytes(at, &bytes, &mut all)?;
            self.module.globals[index as usize].bytes = all.into_boxed_slice();
            self.skip_line();
            return Ok(());
        }
        let index = self.module.globals.len() as u32;
        let symbol = self.define_symbol(name, Meaning::Global(index), strength)?;
        let bytes = bytes.into_boxed_slice();
        self.module.globals.push(Global { symbol, size, writable, bytes });
        self.skip_line();
        Ok(())
    }

    fn alias(&mut self, name: &'t str, strength: Linkage) -> Result<(), ReadError> {
        let symbol = self.symbol(name);
        if let Some((whole, _)) = self.placed(symbol) {
            self.define_symbol(name, Meaning::Alias(whole), strength)?;
        }
        self.skip_line();
        Ok(())
    }

    fn declare(&mut self) -> Result<(), ReadError> {
        if let Some(at) = memchr::memchr(b'@', self.line().as_bytes()) {
            self.at += at;
            let name = self.name(b'@')?;
            self.symbol(name);
        }
        self.skip_line();
        Ok(())
    }

    /// Goes over attributes, of parameters or before a type.
    pub(super) fn skip_attributes(&mut self) -> Result<(), ReadError> {
        loop {
            if self.peek() == b'"' {
                self.quoted()?;
                if self.here() == b'=' {
                    self.at += 1;
                    self.quoted()?;
                }
                continue;
            }
            let word = self.peek_word();
            if word == "byval" || word == "inalloca" || word == "preallocated" {
                return Err(self.error(format!("arguments that are {word} are not supported")));
            }
            if !is_attribute(word) {
                return Ok(());
            }
            self.at += word.len();
            if self.here() == b'(' {
                self.skip_parentheses()?;
            } else if word == "align" || word == "alignstack" {
                self.number()?;
            }
        }
    }

    fn define(&mut self, body: &mut Body<'t>) -> Result<(), ReadError> {
        self.word();
        // Linkage, calling convention, attributes; then the type of the result.
        let mut strength = Linkage::Strong;
        loop {
            self.skip_attributes()?;
            if self.peek() == b'@' {
                return Err(self.error("the type of a function's result is expected"));
            }
            let at = self.at;
            if let Ok(result) = self.ty(0)
                && self.peek() == b'@'
            {
                return self.define_with(result, strength, body);
            }
            self.at = at;
            let word = self.word();
            strength = linkage(word).unwrap_or(strength);
            if word.is_empty() {
                return Err(self.error("a function is expected"));
            }
            if self.here() == b'(' {
                self.skip_parentheses()?;
            }
        }
    }

    fn define_with(
        &mut self,
        result: TypeId,
        strength: Linkage,
        body: &mut Body<'t>,
    ) -> Result<(), ReadError> {
        let name = self.name(b'@')?;
        let id = super::FunctionId(self.module.functions.len() as u32);
        let symbol = self.define_symbol(name, Meaning::Function(id), strength)?;
        body.begin();
        self.expect(b'(')?;
        while !self.eat(b')') {
            if self.eat_word("...") {
                continue;
            }
            let ty = self.ty(0)?;
            self.skip_parameter_attributes()?;
            if self.peek() == b'%' {
                let name = self.name(b'%')?;
                self.parameter(body, name, ty)?;
            } else {
                return Err(self.error("a parameter's name is expected"));
            }
            if self.peek() != b')' {
                self.expect(b',')?;
            }
        }
        let place = self.place();
        if !self.line().trim_end().ends_with('{') {
            return Err(self.error("the function's body is expected"));
        }
        self.skip_line();
        self.function(symbol, result, place, body)
    }

    /// The attributes of a parameter that is being defined: the copy is the caller's business.
    fn skip_parameter_attributes(&mut self) -> Result<(), ReadError> {
        loop {
            match self.skip_attributes() {
                Err(error) if self.peek_word() != "byval" => return Err(error),
                Err(_) => {
                    self.word();
                    self.skip_parentheses()?;
                }
                Ok(()) => return Ok(()),
            }
        }
    }

    /// How many slots a type takes.
    pub(super) fn slots(&self, ty: TypeId) -> Result<u32, ReadError> {
        self.types.slots(ty).ok_or_else(|| self.error("a value of too many parts"))
    }

    /// A constant as an operand.
    pub(super) fn constant_operand(&mut self, ty: TypeId) -> Result<super::Operand, ReadError> {
        if matches!(self.types.get(ty), Type::Int(_) | Type::Pointer)
            && !matches!(self.peek(), b'[' | b'{' | b'<')
        {
            let value = self.scalar(ty, 0)?;
            return Ok(self.constant_value(value));
        }
        let mut values = Vec::new();
        self.constant(ty, 0, &mut Sink::Slots(&mut values), 0)?;
        if values.len() != self.slots(ty)? as usize {
            return Err(self.error("a constant of another type"));
        }
        self.constant_row(&values)
    }
}

/// The symbols whose addresses lie in a row of bytes.
fn pointers(bytes: &[u8]) -> impl Iterator<Item = SymbolId> + '_ {
    bytes.chunks_exact(8).filter_map(|chunk| {
        let address = u64::from_le_bytes(chunk.try_into().ok()?);
        let id = u32::try_from(address >> 32).ok()?.checked_sub(1)?;
        (address & 0xffff_ffff == SYMBOL_BASE).then_some(SymbolId(id))
    })
}

fn is_attribute(word: &str) -> bool {
    matches!(
        word,
        "align"
            | "alignstack"
            | "allocalign"
            | "allocptr"
            | "captures"
            | "dead_on_return"
            | "dead_on_unwind"
            | "dereferenceable"
            | "dereferenceable_or_null"
            | "elementtype"
            | "immarg"
            | "initializes"
            | "inreg"
            | "nest"
            | "noalias"
            | "nocapture"
            | "noext"
            | "nofpclass"
            | "nofree"
            | "nonnull"
            | "noundef"
            | "range"
            | "readnone"
            | "readonly"
            | "returned"
            | "signext"
            | "sret"
            | "swiftasync"
            | "swifterror"
            | "swiftself"
            | "writable"
            | "writeonly"
            | "zeroext"
            | "byref"
    )
}
