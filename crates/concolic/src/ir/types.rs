//! Types with their layout on x86-64: sizes, alignments, and the scalars that a value consists of.
//!
//! A value of the machine is a row of slots, one for each scalar in it, in the order of memory. So a
//! type knows how many slots it takes, and [`Types::leaves`] where each lies in memory.

use fxhash::FxHashMap;

/// The number of a type in its [`Types`]; equal numbers are equal types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeId(u32);

/// The shape of an IR value: void, scalar, aggregate or what has no values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value.
    Void,
    /// An integer of that many bits, 1 to 128.
    Int(u8),
    /// An integer of 129 to 256 bits, which takes two slots, the low one first. The compiler multiplies
    /// integers of 128 bits so.
    Wide(u16),
    /// An address, of 64 bits.
    Pointer,
    /// A float of 32 or 64 bits.
    Float(u8),
    /// A scalar that can be held and moved, of that many bits, but not computed with: `half`, `fp128`,
    /// `x86_fp80`.
    Foreign(u8),
    /// An array.
    Array(u64, TypeId),
    /// A vector.
    Vector(u32, TypeId),
    /// A structure; whether it is packed.
    Struct(Vec<TypeId>, bool),
    /// A type of functions, labels, metadata or tokens: it has no values here.
    Valueless,
}

/// A scalar within a value: where it lies in memory and how wide it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its offset in bytes from the value's beginning.
    pub offset: u32,
    /// How many bits it has.
    pub width: u8,
    /// How many bytes it takes in memory.
    pub size: u8,
}

#[derive(Clone, Copy, Debug)]
struct Layout {
    size: u64,
    align: u64,
    slots: u64,
}

/// Values with more scalars than that have no slots: no compiler loads such a thing at once.
pub(super) const MAX_SLOTS: u64 = 4096;
/// The largest object: offsets are of 32 bits.
pub(super) const MAX_SIZE: u64 = 1 << 31;

/// The interned types of a module, each once, by [`TypeId`].
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: Vec<Type>,
    layouts: Vec<Layout>,
    known: FxHashMap<Type, TypeId>,
}

impl Types {
    /// The id of a type, which is added if it is new; `None` if it is larger than an object can be.
    pub(super) fn id(&mut self, ty: Type) -> Option<TypeId> {
        if let Some(&id) = self.known.get(&ty) {
            return Some(id);
        }
        let layout = self.layout_of(&ty)?;
        let id = TypeId(u32::try_from(self.types.len()).ok()?);
        self.types.push(ty.clone());
        self.layouts.push(layout);
        self.known.insert(ty, id);
        Some(id)
    }

    fn layout_of(&self, ty: &Type) -> Option<Layout> {
        let scalar = |bits: u64| {
            let size = bits.div_ceil(8).next_power_of_two();
            Layout { size, align: size.min(16), slots: 1 }
        };
        let layout = match ty {
            Type::Void | Type::Valueless => Layout { size: 0, align: 1, slots: 0 },
            Type::Int(width) | Type::Float(width) | Type::Foreign(width) => {
                scalar(u64::from(*width))
            }
            Type::Pointer => scalar(64),
            Type::Wide(_) => Layout { size: 32, align: 16, slots: 2 },
            Type::Array(count, item) => {
                let item = self.layouts[item.0 as usize];
                Layout {
                    size: item.size.checked_mul(*count)?,
                    align: item.align,
                    slots: item.slots.checked_mul(*count)?,
                }
            }
            Type::Vector(lanes, item) => {
                let bits = u64::from(self.width(*item)) * u64::from(*lanes);
                let size = bits.div_ceil(8).next_power_of_two();
                Layout { size, align: size.min(64), slots: u64::from(*lanes) }
            }
            Type::Struct(fields, packed) => {
                let mut layout = Layout { size: 0, align: 1, slots: 0 };
                for field in fields {
                    let field = self.layouts[field.0 as usize];
                    if !packed {
                        layout.size = layout.size.next_multiple_of(field.align);
                        layout.align = layout.align.max(field.align);
                    }
                    layout.size = layout.size.checked_add(field.size)?;
                    layout.slots = layout.slots.checked_add(field.slots)?;
                }
                layout.size = layout.size.next_multiple_of(layout.align);
                layout
            }
        };
        (layout.size <= MAX_SIZE).then_some(layout)
    }

    /// What a type is.
    ///
    /// # Panics
    ///
    /// Where the type is of another module that has more of them.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// How many bytes a value takes in memory, with what pads it.
    ///
    /// # Panics
    ///
    /// Where the type is of another module that has more of them.
    pub fn size(&self, id: TypeId) -> u64 {
        self.layouts[id.0 as usize].size
    }

    /// A type's alignment in bytes.
    ///
    /// # Panics
    ///
    /// Where the type is of another module that has more of them.
    pub fn align(&self, id: TypeId) -> u64 {
        self.layouts[id.0 as usize].align
    }

    /// How many scalars a value has; `None` if these are more than any instruction handles.
    ///
    /// # Panics
    ///
    /// Where the type is of another module that has more of them.
    pub fn slots(&self, id: TypeId) -> Option<u32> {
        let slots = self.layouts[id.0 as usize].slots;
        (slots <= MAX_SLOTS).then_some(slots as u32)
    }

    /// How many bits a scalar has, or each scalar of a vector; 0 for any other type.
    ///
    /// # Panics
    ///
    /// Where the type is of another module that has more of them.
    pub fn width(&self, id: TypeId) -> u8 {
        match *self.get(id) {
            Type::Int(width) | Type::Float(width) | Type::Foreign(width) => width,
            Type::Pointer => 64,
            Type::Vector(_, item) => match *self.get(item) {
                Type::Int(width) | Type::Float(width) | Type::Foreign(width) => width,
                Type::Pointer => 64,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// How many scalars an operation on this type works on one by one: a vector's lanes, or 1.
    ///
    /// # Panics
    ///
    /// Where the type is of another module that has more of them.
    pub fn lanes(&self, id: TypeId) -> u32 {
        match *self.get(id) {
            Type::Vector(lanes, _) => lanes,
            _ => 1,
        }
    }

    /// The part of an aggregate at an index: its type, its offset in bytes and its first slot.
    ///
    /// # Panics
    ///
    /// Where the type is of another module that has more of them.
    pub fn part(&self, id: TypeId, index: u64) -> Option<(TypeId, u64, u64)> {
        match self.get(id) {
            Type::Array(count, item) => {
                // A one past the end is the address of an array's end.
                (index <= *count).then_some(())?;
                let layout = self.layouts[item.0 as usize];
                Some((*item, layout.size * index, layout.slots * index))
            }
            Type::Vector(lanes, item) => {
                (index < u64::from(*lanes)).then_some(())?;
                Some((*item, self.size(*item) * index, index))
            }
            Type::Struct(fields, packed) => {
                let index = usize::try_from(index).ok()?;
                let (mut offset, mut slot) = (0u64, 0);
                for (i, field) in fields.iter().enumerate() {
                    let layout = self.layouts[field.0 as usize];
                    if !packed {
                        offset = offset.next_multiple_of(layout.align);
                    }
                    if i == index {
                        return Some((*field, offset, slot));
                    }
                    offset += layout.size;
                    slot += layout.slots;
                }
                None
            }
            _ => None,
        }
    }

    /// The type and offset of a part, where parts are asked for in their order, from 0: `end` is that of the one before, and becomes that of
    /// this one.
    pub(super) fn next_part(&self, id: TypeId, index: u64, end: &mut u64) -> Option<(TypeId, u64)> {
        let Type::Struct(fields, packed) = self.get(id) else {
            return self.part(id, index).map(|(part, offset, _)| (part, offset));
        };
        let field = *fields.get(usize::try_from(index).ok()?)?;
        let layout = self.layouts[field.0 as usize];
        let offset = if *packed { *end } else { end.next_multiple_of(layout.align) };
        *end = offset + layout.size;
        Some((field, offset))
    }

    /// Appends where a type's scalars lie. `None` if these are too many, or smaller than bytes within
    /// a vector.
    pub(super) fn leaves(&self, id: TypeId, out: &mut Vec<Leaf>) -> Option<()> {
        self.slots(id)?;
        let mut open = vec![(id, 0u64)];
        while let Some((id, at)) = open.pop() {
            // What has no scalars may be repeated without end.
            if self.layouts[id.0 as usize].slots == 0 {
                continue;
            }
            match self.get(id) {
                Type::Void | Type::Valueless => {}
                // Nothing wide was met in memory.
                Type::Wide(_) => return None,
                Type::Int(width) | Type::Float(width) | Type::Foreign(width) => {
                    let size = u64::from(*width).div_ceil(8);
                    out.push(Leaf { offset: at as u32, width: *width, size: size as u8 });
                }
                Type::Pointer => out.push(Leaf { offset: at as u32, width: 64, size: 8 }),
                Type::Array(count, item) => {
                    let size = self.size(*item);
                    open.extend((0..*count).rev().map(|i| (*item, at + i * size)));
                }
                Type::Vector(lanes, item) => {
                    let width = u64::from(self.width(*item));
                    (width > 0 && width % 8 == 0).then_some(())?;
                    let step = width / 8;
                    open.extend((0..u64::from(*lanes)).rev().map(|i| (*item, at + i * step)));
                }
                Type::Struct(fields, _) => {
                    let (begin, mut end) = (open.len(), 0);
                    for index in 0..fields.len() as u64 {
                        let (field, offset) = self.next_part(id, index, &mut end)?;
                        open.push((field, at + offset));
                    }
                    open[begin..].reverse();
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_padded_unless_packed() {
        let mut types = Types::default();
        let byte = types.id(Type::Int(8)).unwrap();
        let word = types.id(Type::Int(32)).unwrap();
        let wide = types.id(Type::Int(128)).unwrap();
        let padded = types.id(Type::Struct(vec![byte, word, wide], false)).unwrap();
        let packed = types.id(Type::Struct(vec![byte, word, wide], true)).unwrap();
        assert_eq!((types.size(padded), types.align(padded)), (32, 16));
        assert_eq!((types.size(packed), types.align(packed)), (21, 1));
        let mut leaves = Vec::new();
        types.leaves(padded, &mut leaves).unwrap();
        assert_eq!(leaves.iter().map(|leaf| leaf.offset).collect::<Vec<_>>(), [0, 4, 16]);
        assert_eq!(types.part(packed, 2), Some((wide, 5, 2)));
    }

    #[test]
    fn an_array_of_nothing_has_no_scalars_however_long() {
        let mut types = Types::default();
        let unit = types.id(Type::Struct(Vec::new(), false)).unwrap();
        let units = types.id(Type::Array(u64::MAX, unit)).unwrap();
        let mut leaves = Vec::new();
        assert_eq!(types.leaves(units, &mut leaves), Some(()));
        assert!(leaves.is_empty());
        let byte = types.id(Type::Int(8)).unwrap();
        assert_eq!(types.id(Type::Array(u64::MAX, byte)), None);
    }
}
