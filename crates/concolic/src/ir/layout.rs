//! Where symbols lie before anything is read of them. Most have an object of their own, by their number. But an alias lies where
//! another one does, the variables of a section whose bounds somebody asks for (`__start_NAME`, `__stop_NAME`) lie in one row, as the
//! linker puts them, and a weak variable that nobody defines lies nowhere. Each text is looked through for their lines first.

use super::read::linkage;
use super::text::Reader;
use super::types::Type;
use super::{Global, Meaning, Module, ReadError, SYMBOL_BASE, SymbolId, address_of};
use fxhash::{FxHashMap, FxHashSet};
use std::mem::swap;

/// No alias leads to another one more often than that.
const MAX_ALIASES: usize = 8;

/// The lines of a text that say where something lies.
#[derive(Default)]
pub(super) struct Outline<'t> {
    /// What only this text means by its names.
    pub(super) own: FxHashSet<&'t str>,
    aliases: Vec<usize>,
    /// Variables that may be missing.
    weak: Vec<usize>,
    /// Variables with their sections.
    placed: Vec<(usize, &'t str)>,
    /// Sections whose bounds are asked for.
    bounded: Vec<&'t str>,
}

/// The section of a variable, if it has one.
pub(super) fn section(line: &str) -> Option<&str> {
    line.split_once(", section \"")?.1.split_once('"').map(|(name, _)| name)
}

/// The section of which a symbol is the first address, or the one behind the last.
fn bound(name: &str) -> Option<&str> {
    name.strip_prefix("__start_").or_else(|| name.strip_prefix("__stop_"))
}

impl<'t> Outline<'t> {
    pub(super) fn of(text: &'t str) -> Outline<'t> {
        let mut outline = Outline::default();
        let mut begin = 0;
        for line in text.split_inclusive('\n') {
            let at = begin;
            begin += line.len();
            if !line.starts_with('@') && !line.starts_with("define ") {
                continue;
            }
            let name = line.split_once('@').map_or("", |(_, name)| name);
            let (name, behind) = match name.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => name.split_at(name.find([' ', '(']).unwrap_or(name.len())),
            };
            let is_variable = line.starts_with('@');
            let mut words = if is_variable { behind } else { line }.split(' ').take(6);
            let has = |wanted: &str| words.clone().any(|word| word == wanted);
            if is_variable && has("alias") {
                outline.aliases.push(at);
            } else if is_variable && has("extern_weak") && bound(name).is_none() {
                outline.weak.push(at);
            } else if is_variable && has("external") {
                outline.bounded.extend(bound(name));
            } else if is_variable && let Some(section) = section(line) {
                outline.placed.push((at, section));
            }
            if words.any(|word| matches!(word, "internal" | "private")) {
                outline.own.insert(name);
            }
        }
        outline
    }
}

/// The variables of a section, which lie in the object of its first address.
struct Section<'t> {
    name: &'t str,
    size: u64,
}

/// What all texts share.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) module: Module,
    pub(super) externals: FxHashMap<Box<str>, SymbolId>,
    pub(super) weak: FxHashSet<SymbolId>,
    pub(super) addresses: FxHashMap<SymbolId, u64>,
}

impl Shared {
    /// Has each reader go on with it.
    pub(super) fn each<'t>(
        &mut self,
        readers: &mut [Reader<'t>],
        mut what: impl FnMut(&mut Reader<'t>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        for reader in readers {
            self.exchange(reader);
            let done = what(reader);
            self.exchange(reader);
            done?;
        }
        Ok(())
    }

    fn exchange(&mut self, reader: &mut Reader<'_>) {
        swap(&mut self.module, &mut reader.module);
        swap(&mut self.externals, &mut reader.externals);
        swap(&mut self.weak, &mut reader.weak);
        swap(&mut self.addresses, &mut reader.addresses);
    }

    /// Finds the addresses of symbols that have no object of their own.
    pub(super) fn lay_out(&mut self, readers: &mut [Reader<'_>]) -> Result<(), ReadError> {
        let texts: Vec<&str> = readers.iter().map(|reader| reader.text).collect();
        let bounded = readers.iter().flat_map(|reader| reader.outline.bounded.iter().copied());
        let mut sections: Vec<Section<'_>> = Vec::new();
        for name in bounded {
            if sections.iter().all(|section| section.name != name) {
                sections.push(Section { name, size: 0 });
            }
        }
        self.each(readers, |reader| reader.place_variables(&texts, &mut sections))?;
        for Section { name, size } in sections {
            let [start, stop] =
                ["__start_", "__stop_"].map(|bound| self.external(&format!("{bound}{name}")));
            self.addresses.insert(stop, address_of(start) + size);
            self.module.symbols[start.0 as usize].meaning =
                Meaning::Global(self.module.globals.len() as u32);
            let (size, bytes) = (size as u32, Box::default());
            self.module.globals.push(Global { symbol: start, size, writable: false, bytes });
        }
        for _ in 0..MAX_ALIASES {
            let before = self.addresses.clone();
            self.each(readers, |reader| reader.place_aliases(&texts))?;
            if before == self.addresses {
                break;
            }
        }
        Ok(())
    }

    fn external(&mut self, name: &str) -> SymbolId {
        external(&mut self.externals, &mut self.module, name)
    }
}

/// The symbol that all texts mean by a name.
pub(super) fn external(
    externals: &mut FxHashMap<Box<str>, SymbolId>,
    module: &mut Module,
    name: &str,
) -> SymbolId {
    if let Some(&id) = externals.get(name) {
        return id;
    }
    let id = module.declare(name);
    externals.insert(name.into(), id);
    id
}

/// Whether a text says what a name means, and not only that it is somewhere.
fn defines(text: &str, name: &str) -> bool {
    let (variable, function) = (format!("@{name} = "), format!("@{name}("));
    text.lines().any(|line| match line.strip_prefix(&variable) {
        Some(words) => {
            !words.split(' ').take(4).any(|word| matches!(word, "external" | "extern_weak"))
        }
        None => line.starts_with("define ") && line.contains(&function),
    })
}

impl<'t> Reader<'t> {
    /// The address of a symbol.
    pub(super) fn symbol_address(&mut self, name: &'t str) -> u64 {
        let symbol = self.symbol(name);
        self.addresses.get(&symbol).copied().unwrap_or_else(|| address_of(symbol))
    }

    fn others_define(&self, texts: &[&str], name: &str) -> bool {
        let mut others = texts.iter().enumerate().filter(|(number, _)| *number != self.number);
        others.any(|(_, text)| defines(text, name))
    }

    /// Gives variables of sections their places in these, and what is missing that of nothing.
    fn place_variables(
        &mut self,
        texts: &[&str],
        sections: &mut [Section<'_>],
    ) -> Result<(), ReadError> {
        for at in self.outline.weak.clone() {
            self.at = at;
            let name = self.name(b'@')?;
            if !self.others_define(texts, name) {
                let symbol = self.symbol(name);
                self.addresses.insert(symbol, 0);
            }
        }
        for (at, name) in self.outline.placed.clone() {
            let Some(section) = sections.iter_mut().find(|section| section.name == name) else {
                continue;
            };
            self.at = at;
            let variable = self.name(b'@')?;
            self.expect(b'=')?;
            while !matches!(self.word(), "global" | "constant" | "") {}
            let ty = self.ty(0)?;
            let said = self.line().rsplit_once(", align ");
            let said = said.and_then(|(_, align)| align.split([',', ' ']).next()?.parse().ok());
            let align: u64 = said.unwrap_or(self.types.align(ty));
            let symbol = self.symbol(variable);
            let start = external(&mut self.externals, &mut self.module, &format!("__start_{name}"));
            let offset = section.size.next_multiple_of(align.max(1));
            if self.addresses.insert(symbol, address_of(start) + offset).is_none() {
                section.size = offset + self.types.size(ty);
            }
            if section.size > u64::from(u32::MAX >> 1) {
                return Err(self.error("a section of more than 2 GB"));
            }
        }
        Ok(())
    }

    fn place_aliases(&mut self, texts: &[&str]) -> Result<(), ReadError> {
        for at in self.outline.aliases.clone() {
            self.at = at;
            let name = self.name(b'@')?;
            self.expect(b'=')?;
            let mut is_weak = false;
            loop {
                match self.word() {
                    "alias" => break,
                    "" => return Err(self.error("an alias is expected")),
                    word => is_weak |= linkage(word).is_some(),
                }
            }
            if is_weak && self.others_define(texts, name) {
                continue;
            }
            self.ty(0)?;
            if self.peek() == b'(' {
                self.skip_parentheses()?;
            }
            self.expect(b',')?;
            self.skip();
            // Before what is computed stands no type.
            if self.peek_word() == "ptr" {
                self.ty(0)?;
            }
            let pointer = self.type_id(Type::Pointer)?;
            let address = self.scalar(pointer, 0)? as u64;
            let symbol = self.symbol(name);
            self.addresses.insert(symbol, address);
        }
        Ok(())
    }

    /// What lies in the object of another symbol: that symbol, and where.
    pub(super) fn placed(&self, symbol: SymbolId) -> Option<(SymbolId, u64)> {
        let address = *self.addresses.get(&symbol)?;
        let whole = u32::try_from(address >> 32).ok()?.checked_sub(1)?;
        Some((SymbolId(whole), (address & 0xffff_ffff).wrapping_sub(SYMBOL_BASE)))
    }
}
