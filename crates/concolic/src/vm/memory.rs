//! Memory as objects with bounds, copied when written.
//!
//! An address is the number of an object in its upper half, and an offset in its lower one, so the
//! object is found without a search, what is left and right of it belongs to nobody, and no address is
//! used again. Objects begin a little behind the offset 0, as aligned as `malloc` does and no more.
//! Objects hang in a tree of fixed height whose nodes are shared with snapshots: a copy of the memory
//! is one of the root's pointers, of which there is one for each 1,024 objects; a write copies the
//! path to one page of up to 4 KB, if it is shared.

use crate::ir::{Global, SYMBOL_BASE};
use std::sync::Arc;

/// Bytes that are copied together.
const PAGE: usize = 4096;
const FAN: usize = 32;
/// What `malloc` aligns to.
pub(super) const MALLOC_ALIGN: u64 = 16;

/// What is wrong with an access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The address lies in the first page.
    Null,
    /// The address belongs to an object, but not all of the bytes do.
    OutOfBounds,
    /// The object was freed, or its function has returned.
    AfterFree,
    /// It was freed before.
    DoubleFree,
    /// What is freed was not allocated, or is not an object's beginning.
    NotAllocated,
    /// Nothing was ever there.
    Wild,
    /// A constant is written.
    ReadOnly,
    /// A function is read, written, or none is called.
    Function,
}

/// The first address and the size, in bytes, of the object that an address belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Its first address.
    pub begin: u64,
    /// How many bytes it has.
    pub size: u32,
    /// Whether it is never written.
    pub constant: bool,
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Freed,
    Heap,
    Stack,
    Variable,
    Constant,
    Function,
}

#[derive(Clone, Debug)]
struct Page<S> {
    bytes: Box<[u8]>,
    /// Empty as long as all are the default.
    shadows: Box<[S]>,
}

#[derive(Clone, Debug)]
enum Contents<S> {
    Zeros,
    Small(Arc<Page<S>>),
    Large(Arc<Vec<Option<Arc<Page<S>>>>>),
}

#[derive(Clone, Debug)]
struct Object<S> {
    contents: Contents<S>,
    size: u32,
    /// The offset at which it begins, as a power of two.
    base: u8,
    kind: Kind,
}

#[derive(Clone, Debug)]
struct Leaf<S> {
    objects: Vec<Object<S>>,
    live: u32,
}

type Branch<S> = Vec<Option<Arc<Leaf<S>>>>;

/// A persistent map from addresses to the machine's objects: a copy shares all that neither
/// changes.
#[derive(Clone, Debug)]
pub struct Memory<S> {
    root: Vec<Option<Arc<Branch<S>>>>,
    next: u32,
    /// Bytes that live objects have together.
    live: u64,
    /// How many objects live.
    objects: u64,
    limit: u64,
}

/// What an object takes besides its bytes, for the limit.
const OBJECT: u64 = 64;

/// No memory is left of what the run may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exhausted;

fn id_of(address: u64) -> usize {
    (address >> 32) as usize
}

impl<S: Copy + Default + PartialEq> Page<S> {
    fn new(size: usize) -> Page<S> {
        Page { bytes: vec![0; size].into_boxed_slice(), shadows: Box::default() }
    }
}

impl<S: Copy + Default + PartialEq> Object<S> {
    /// The page of an offset, if anything was written there, and the offset within it.
    fn page(&self, offset: usize) -> (Option<&Page<S>>, usize) {
        match &self.contents {
            Contents::Zeros => (None, offset % PAGE),
            Contents::Small(page) => (Some(page), offset),
            Contents::Large(pages) => {
                (pages.get(offset / PAGE).and_then(|page| page.as_deref()), offset % PAGE)
            }
        }
    }

    fn page_mut(&mut self, offset: usize) -> (&mut Page<S>, usize) {
        let size = self.size as usize;
        if let Contents::Zeros = self.contents {
            self.contents = if size <= PAGE {
                Contents::Small(Arc::new(Page::new(size)))
            } else {
                Contents::Large(Arc::new(vec![None; size.div_ceil(PAGE)]))
            };
        }
        match &mut self.contents {
            Contents::Small(page) => (Arc::make_mut(page), offset),
            Contents::Large(pages) => {
                let page = &mut Arc::make_mut(pages)[offset / PAGE];
                let page = page.get_or_insert_with(|| Arc::new(Page::new(PAGE)));
                (Arc::make_mut(page), offset % PAGE)
            }
            Contents::Zeros => unreachable!("contents were made above"),
        }
    }

    /// How many bytes from an offset on lie in one page.
    fn run(&self, offset: usize, length: usize) -> usize {
        if self.size as usize <= PAGE { length } else { length.min(PAGE - offset % PAGE) }
    }
}

impl<S: Copy + Default + PartialEq> Memory<S> {
    /// Memory of a number of symbols, which have the first addresses, with at most that many bytes.
    pub(super) fn new(limit: u64) -> Memory<S> {
        let mut memory = Memory { root: Vec::new(), next: 0, live: 0, objects: 0, limit };
        // No object is at the address 0.
        memory.push(Object { contents: Contents::Zeros, size: 0, base: 0, kind: Kind::Freed });
        memory
    }

    fn push(&mut self, object: Object<S>) -> u32 {
        let id = self.next as usize;
        let (root, branch) = (id / (FAN * FAN), id / FAN % FAN);
        if root == self.root.len() {
            self.root.push(Some(Arc::new(Vec::with_capacity(FAN))));
        }
        let node = Arc::make_mut(self.root[root].get_or_insert_default());
        if branch >= node.len() {
            node.resize(branch + 1, None);
        }
        let leaf = node[branch]
            .get_or_insert_with(|| Arc::new(Leaf { objects: Vec::with_capacity(FAN), live: 0 }));
        let leaf = Arc::make_mut(leaf);
        leaf.live += u32::from(object.kind != Kind::Freed);
        leaf.objects.push(object);
        self.next += 1;
        id as u32
    }

    fn object(&self, id: usize) -> Option<&Object<S>> {
        let branch = self.root.get(id / (FAN * FAN))?.as_ref()?;
        branch.get(id / FAN % FAN)?.as_ref()?.objects.get(id % FAN)
    }

    fn object_mut(&mut self, id: usize) -> Option<&mut Object<S>> {
        let branch = Arc::make_mut(self.root.get_mut(id / (FAN * FAN))?.as_mut()?);
        let leaf = Arc::make_mut(branch.get_mut(id / FAN % FAN)?.as_mut()?);
        leaf.objects.get_mut(id % FAN)
    }

    /// What is wrong with an address that belongs to no object.
    #[cold]
    fn missing(&self, address: u64) -> Fault {
        match id_of(address) {
            0 if address < 4096 => Fault::Null,
            0 => Fault::Wild,
            id if id < self.next as usize => Fault::AfterFree,
            _ => Fault::Wild,
        }
    }

    /// The object of some bytes, and their offset in it.
    #[inline]
    fn locate(&self, address: u64, length: u64) -> Result<(&Object<S>, usize), Fault> {
        let Some(object) = self.object(id_of(address)) else {
            return Err(self.missing(address));
        };
        let offset = u64::from(address as u32).wrapping_sub(1 << object.base);
        let inside = offset.checked_add(length).is_some_and(|end| end <= u64::from(object.size));
        if inside && object.kind != Kind::Freed && object.kind != Kind::Function {
            return Ok((object, offset as usize));
        }
        Err(match object.kind {
            Kind::Freed => self.missing(address),
            Kind::Function => Fault::Function,
            _ => Fault::OutOfBounds,
        })
    }

    fn locate_mut(&mut self, address: u64, length: u64) -> Result<(&mut Object<S>, usize), Fault> {
        let (object, offset) = self.locate(address, length)?;
        if object.kind == Kind::Constant {
            return Err(Fault::ReadOnly);
        }
        let object = self.object_mut(id_of(address)).ok_or(Fault::Wild)?;
        Ok((object, offset))
    }

    /// Up to 16 bytes as a number, the first byte lowest.
    ///
    /// # Errors
    ///
    /// Where not all of the bytes are in one live object.
    #[inline]
    pub fn read(&self, address: u64, size: u8) -> Result<u128, Fault> {
        let size = usize::from(size.min(16));
        let (object, offset) = self.locate(address, size as u64)?;
        let mut bytes = [0; 16];
        if object.run(offset, size) == size {
            if let (Some(page), at) = object.page(offset) {
                if size == 8
                    && let Some(word) = page.bytes[at..].first_chunk::<8>()
                {
                    return Ok(u128::from(u64::from_le_bytes(*word)));
                }
                bytes[..size].copy_from_slice(&page.bytes[at..at + size]);
            }
        } else {
            self.read_into(address, &mut bytes[..size])?;
        }
        Ok(u128::from_le_bytes(bytes))
    }

    /// Writes a number of up to 16 bytes; their shadows become the default.
    ///
    /// # Errors
    ///
    /// Where not all of the bytes are in one live object, or they may not be written.
    #[inline]
    pub fn write(&mut self, address: u64, size: u8, value: u128) -> Result<(), Fault> {
        let size = usize::from(size.min(16));
        let bytes = value.to_le_bytes();
        let (object, offset) = self.locate_mut(address, size as u64)?;
        if size == 0 {
            return Ok(());
        }
        if object.run(offset, size) < size {
            return self.write_bytes(address, &bytes[..size]);
        }
        let (page, at) = object.page_mut(offset);
        page.bytes[at..at + size].copy_from_slice(&bytes[..size]);
        if size_of::<S>() > 0 && !page.shadows.is_empty() {
            page.shadows[at..at + size].fill(S::default());
        }
        Ok(())
    }

    /// Fills a buffer with bytes.
    ///
    /// # Errors
    ///
    /// Where not all of the bytes are in one live object.
    pub fn read_into(&self, address: u64, out: &mut [u8]) -> Result<(), Fault> {
        if out.is_empty() {
            return Ok(());
        }
        let (object, mut offset) = self.locate(address, out.len() as u64)?;
        let mut rest = out;
        while !rest.is_empty() {
            let (now, later) = rest.split_at_mut(object.run(offset, rest.len()));
            match object.page(offset) {
                (Some(page), at) => now.copy_from_slice(&page.bytes[at..at + now.len()]),
                (None, _) => now.fill(0),
            }
            offset += now.len();
            rest = later;
        }
        Ok(())
    }

    /// Stores a row of bytes from an address on; their shadows become the default.
    ///
    /// # Errors
    ///
    /// Where not all of the bytes are in one live object, or they may not be written.
    pub fn write_bytes(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (object, mut offset) = self.locate_mut(address, bytes.len() as u64)?;
        let mut rest = bytes;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(object.run(offset, rest.len()));
            let (page, at) = object.page_mut(offset);
            page.bytes[at..at + now.len()].copy_from_slice(now);
            if size_of::<S>() > 0 && !page.shadows.is_empty() {
                page.shadows[at..at + now.len()].fill(S::default());
            }
            offset += now.len();
            rest = later;
        }
        Ok(())
    }

    /// The object that has a byte at an address.
    pub fn extent(&self, address: u64) -> Option<Extent> {
        let (object, offset) = self.locate(address, 1).ok()?;
        let begin = address - offset as u64;
        Some(Extent { begin, size: object.size, constant: object.kind == Kind::Constant })
    }

    /// Whether that many bytes are there.
    ///
    /// # Errors
    ///
    /// Where not all of the bytes are in one live object.
    pub fn check(&self, address: u64, length: u64) -> Result<(), Fault> {
        if length > 0 { self.locate(address, length).map(|_| ()) } else { Ok(()) }
    }

    /// That many bytes.
    ///
    /// # Errors
    ///
    /// Where not all of the bytes are in one live object.
    pub fn bytes(&self, address: u64, length: u64) -> Result<Vec<u8>, Fault> {
        // Before a length that somebody made up is allocated.
        self.check(address, length)?;
        let mut bytes = vec![0; length as usize];
        self.read_into(address, &mut bytes)?;
        Ok(bytes)
    }

    /// The bytes up to the first zero.
    ///
    /// # Errors
    ///
    /// Where its object is not live, or ends before a zero.
    pub fn c_string(&self, address: u64) -> Result<Vec<u8>, Fault> {
        let (object, mut offset) = self.locate(address, 1)?;
        let mut bytes = Vec::new();
        while offset < object.size as usize {
            let run = object.run(offset, object.size as usize - offset);
            let (Some(page), at) = object.page(offset) else { return Ok(bytes) };
            let part = &page.bytes[at..at + run];
            let end = memchr::memchr(0, part);
            bytes.extend_from_slice(&part[..end.unwrap_or(run)]);
            if end.is_some() {
                return Ok(bytes);
            }
            offset += run;
        }
        Err(Fault::OutOfBounds)
    }

    /// The shadows of bytes.
    ///
    /// # Errors
    ///
    /// Where not all of the bytes are in one live object.
    pub fn shadows(&self, address: u64, out: &mut [S]) -> Result<(), Fault> {
        out.fill(S::default());
        if out.is_empty() || size_of::<S>() == 0 {
            return Ok(());
        }
        let (object, mut offset) = self.locate(address, out.len() as u64)?;
        let mut rest = out;
        while !rest.is_empty() {
            let (now, later) = rest.split_at_mut(object.run(offset, rest.len()));
            if let (Some(page), at) = object.page(offset)
                && !page.shadows.is_empty()
            {
                now.copy_from_slice(&page.shadows[at..at + now.len()]);
            }
            offset += now.len();
            rest = later;
        }
        Ok(())
    }

    /// Sets the shadows of bytes.
    ///
    /// # Errors
    ///
    /// Where not all of the bytes are in one live object, or they may not be written.
    pub fn set_shadows(&mut self, address: u64, shadows: &[S]) -> Result<(), Fault> {
        if size_of::<S>() == 0 || shadows.is_empty() {
            return Ok(());
        }
        let (object, mut offset) = self.locate_mut(address, shadows.len() as u64)?;
        let mut rest = shadows;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(object.run(offset, rest.len()));
            let (page, at) = object.page_mut(offset);
            if page.shadows.is_empty() {
                page.shadows = vec![S::default(); page.bytes.len()].into_boxed_slice();
            }
            page.shadows[at..at + now.len()].copy_from_slice(now);
            offset += now.len();
            rest = later;
        }
        Ok(())
    }

    /// Gives all bytes the default as their shadow.
    pub(super) fn forget_shadows(&mut self) {
        if size_of::<S>() == 0 {
            return;
        }
        let is_shadowed = |page: &Arc<Page<S>>| !page.shadows.is_empty();
        let has_shadows = |object: &Object<S>| match &object.contents {
            Contents::Zeros => false,
            Contents::Small(page) => is_shadowed(page),
            Contents::Large(pages) => pages.iter().flatten().any(is_shadowed),
        };
        for branch in self.root.iter_mut().flatten() {
            let leaves = |leaf: &Arc<Leaf<S>>| leaf.objects.iter().any(has_shadows);
            if !branch.iter().flatten().any(leaves) {
                continue;
            }
            for leaf in Arc::make_mut(branch).iter_mut().flatten().filter(|leaf| leaves(leaf)) {
                let objects = Arc::make_mut(leaf).objects.iter_mut();
                for object in objects.filter(|object| has_shadows(object)) {
                    match &mut object.contents {
                        Contents::Zeros => {}
                        Contents::Small(page) => Arc::make_mut(page).shadows = Box::default(),
                        Contents::Large(pages) => {
                            let pages = Arc::make_mut(pages).iter_mut().flatten();
                            for page in pages.filter(|page| is_shadowed(page)) {
                                Arc::make_mut(page).shadows = Box::default();
                            }
                        }
                    }
                }
            }
        }
    }

    /// Copies bytes and their shadows; both may overlap.
    ///
    /// # Errors
    ///
    /// Where not all of the bytes on a side are in one live object, or those of `to` may not be written.
    pub fn copy(&mut self, to: u64, from: u64, length: u64) -> Result<(), Fault> {
        if length == 0 {
            return Ok(());
        }
        if length <= 64 && size_of::<S>() == 0 {
            let mut bytes = [0; 64];
            let bytes = &mut bytes[..length as usize];
            self.read_into(from, bytes)?;
            return self.write_bytes(to, bytes);
        }
        let bytes = self.bytes(from, length)?;
        // Read before the bytes are written, which takes the shadows that were there: both may overlap.
        let count = if self.is_shadowed(from, length) { length as usize } else { 0 };
        let mut shadows = vec![S::default(); count];
        self.shadows(from, &mut shadows)?;
        self.write_bytes(to, &bytes)?;
        if shadows.iter().any(|shadow| *shadow != S::default()) {
            self.set_shadows(to, &shadows)?;
        }
        Ok(())
    }

    /// Whether bytes lie in pages that have shadows.
    pub(super) fn is_shadowed(&self, address: u64, length: u64) -> bool {
        if size_of::<S>() == 0 {
            return false;
        }
        let Ok((object, offset)) = self.locate(address, length) else { return false };
        match &object.contents {
            Contents::Zeros => false,
            Contents::Small(page) => !page.shadows.is_empty(),
            Contents::Large(pages) => {
                let end = (offset + length as usize).div_ceil(PAGE);
                let pages = pages.iter().take(end).skip(offset / PAGE);
                pages.flatten().any(|page| !page.shadows.is_empty())
            }
        }
    }

    /// Counts a new object, if there is room for it.
    fn count(&mut self, size: u64) -> bool {
        let total = (self.objects + 1).saturating_mul(OBJECT);
        let fits = total.saturating_add(self.live).saturating_add(size) <= self.limit;
        if fits {
            self.live += size;
            self.objects += 1;
        }
        fits
    }

    /// A new object of zeros.
    pub(super) fn allocate(&mut self, size: u64, align: u64, kind: Kind) -> Result<u64, Exhausted> {
        let align = align.max(MALLOC_ALIGN);
        let fits = size <= 1 << 31 && align <= 1 << 30 && self.next < u32::MAX >> 1;
        if !fits || !self.count(size) {
            return Err(Exhausted);
        }
        let base = align.trailing_zeros() as u8;
        let object = Object { contents: Contents::Zeros, size: size as u32, base, kind };
        let id = self.push(object);
        Ok(u64::from(id) << 32 | 1 << base)
    }

    /// The object of a symbol: of a variable, or of what only has an address.
    pub(super) fn add_symbol(&mut self, global: Option<&Global>) -> Result<(), Exhausted> {
        let (size, kind) = match global {
            None => (0, Kind::Function),
            Some(global) if global.writable => (global.size, Kind::Variable),
            Some(global) => (global.size, Kind::Constant),
        };
        if !self.count(u64::from(size)) {
            return Err(Exhausted);
        }
        let base = SYMBOL_BASE.trailing_zeros() as u8;
        let mut object = Object { contents: Contents::Zeros, size, base, kind };
        let bytes = global.map_or(&[][..], |global| &global.bytes);
        for (index, part) in bytes.chunks(PAGE).enumerate() {
            let (page, at) = object.page_mut(index * PAGE);
            page.bytes[at..at + part.len()].copy_from_slice(part);
        }
        self.push(object);
        Ok(())
    }

    /// The size of an allocated object, by the address of its beginning.
    pub(super) fn allocated(&self, address: u64, kind: Kind) -> Result<u64, Fault> {
        let Some(object) = self.object(id_of(address)) else {
            return Err(match self.missing(address) {
                Fault::AfterFree => Fault::DoubleFree,
                _ => Fault::NotAllocated,
            });
        };
        match object.kind {
            Kind::Freed => Err(Fault::DoubleFree),
            found if found == kind && u64::from(address as u32) == 1 << object.base => {
                Ok(u64::from(object.size))
            }
            _ => Err(Fault::NotAllocated),
        }
    }

    /// Ends an object's life.
    pub(super) fn free(&mut self, address: u64, kind: Kind) -> Result<(), Fault> {
        let size = self.allocated(address, kind)?;
        let id = id_of(address);
        self.live -= size;
        self.objects -= 1;
        let full = (id / FAN + 1) * FAN <= self.next as usize;
        let Some(branch) = self.root.get_mut(id / (FAN * FAN)).and_then(|node| node.as_mut())
        else {
            return Err(Fault::DoubleFree);
        };
        let branch = Arc::make_mut(branch);
        let slot = &mut branch[id / FAN % FAN];
        let Some(leaf) = slot else {
            return Err(Fault::DoubleFree);
        };
        if leaf.live == 1 && full {
            // A leaf without objects that live is remembered by its absence.
            *slot = None;
            let full = (id / (FAN * FAN) + 1) * FAN * FAN <= self.next as usize;
            if full && branch.iter().all(Option::is_none) {
                self.root[id / (FAN * FAN)] = None;
            }
            return Ok(());
        }
        let leaf = Arc::make_mut(leaf);
        leaf.live -= 1;
        let object = &mut leaf.objects[id % FAN];
        object.contents = Contents::Zeros;
        object.kind = Kind::Freed;
        Ok(())
    }

    /// How many bytes all live objects have together.
    pub fn live(&self) -> u64 {
        self.live
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Memory<u8> {
        Memory::new(1 << 30)
    }

    #[test]
    fn forgotten_shadows_are_gone_here_and_not_in_copies() {
        let mut memory = memory();
        let size = 3 * PAGE as u64;
        let places = [24, size].map(|size| memory.allocate(size, 8, Kind::Heap).unwrap());
        let ends = [places[0] + 20, places[1] + size - 4];
        for end in ends {
            memory.write(end, 4, 0x0403_0201).unwrap();
            memory.set_shadows(end, &[1, 2, 3, 4]).unwrap();
        }
        let copy = memory.clone();
        memory.forget_shadows();
        for end in ends {
            let mut shadows = [9; 4];
            memory.shadows(end, &mut shadows).unwrap();
            assert_eq!((shadows, memory.read(end, 4)), ([0; 4], Ok(0x0403_0201)));
            copy.shadows(end, &mut shadows).unwrap();
            assert_eq!(shadows, [1, 2, 3, 4]);
        }
    }

    #[test]
    fn objects_have_bounds_and_end() {
        let mut memory = memory();
        let a = memory.allocate(24, 8, Kind::Heap).unwrap();
        assert_eq!(a % 16, 0);
        memory.write(a + 16, 8, 7).unwrap();
        assert_eq!(memory.read(a + 16, 8), Ok(7));
        assert_eq!(memory.read(a + 17, 8), Err(Fault::OutOfBounds));
        assert_eq!(memory.read(a - 1, 1), Err(Fault::OutOfBounds));
        assert_eq!(memory.free(a + 1, Kind::Heap), Err(Fault::NotAllocated));
        memory.free(a, Kind::Heap).unwrap();
        assert_eq!(memory.read(a, 1), Err(Fault::AfterFree));
        assert_eq!(memory.free(a, Kind::Heap), Err(Fault::DoubleFree));
        assert_eq!(memory.read(8, 1), Err(Fault::Null));
        assert_eq!(memory.read(1 << 60, 1), Err(Fault::Wild));
    }

    #[test]
    fn addresses_are_not_used_again_when_whole_leaves_end() {
        let mut memory = memory();
        let all: Vec<u64> = (0..5000).map(|_| memory.allocate(8, 1, Kind::Heap).unwrap()).collect();
        for &address in &all {
            memory.free(address, Kind::Heap).unwrap();
        }
        let next = memory.allocate(8, 1, Kind::Heap).unwrap();
        assert!(!all.contains(&next));
        for &address in &all {
            assert_eq!(memory.free(address, Kind::Heap), Err(Fault::DoubleFree));
            assert_eq!(memory.read(address, 1), Err(Fault::AfterFree));
        }
        assert_eq!(memory.live(), 8);
    }

    #[test]
    fn shadows_are_one_for_each_byte_at_most_and_do_not_count_for_the_limit() {
        let sizes = [100, 3 * PAGE as u64];
        let mut memory =
            Memory::<u32>::new(sizes.iter().map(|size| size + OBJECT).sum::<u64>() + OBJECT);
        let places = sizes.map(|size| memory.allocate(size, 1, Kind::Heap).unwrap());
        for _ in 0..2 {
            for (place, size) in places.into_iter().zip(sizes) {
                memory.set_shadows(place, &vec![7; size as usize]).unwrap();
            }
        }
        let pages = |object: &Object<u32>| match &object.contents {
            Contents::Zeros => 0,
            Contents::Small(page) => page.shadows.len(),
            Contents::Large(pages) => pages.iter().flatten().map(|page| page.shadows.len()).sum(),
        };
        let kept: usize = places.iter().filter_map(|&at| memory.object(id_of(at))).map(pages).sum();
        assert_eq!(kept as u64, sizes.iter().sum::<u64>());
        assert_eq!(memory.live(), sizes.iter().sum::<u64>());
        assert!(memory.allocate(0, 1, Kind::Heap).is_ok());
        assert_eq!(memory.allocate(OBJECT, 1, Kind::Heap), Err(Exhausted));
    }

    #[test]
    fn a_copy_does_not_see_what_is_written_later() {
        let mut memory = memory();
        let small = memory.allocate(100, 1, Kind::Heap).unwrap();
        let large = memory.allocate(1 << 20, 1, Kind::Heap).unwrap();
        memory.write(small, 1, 1).unwrap();
        memory.write(large + 5000, 1, 1).unwrap();
        let copy = memory.clone();
        memory.write(small, 1, 2).unwrap();
        memory.write(large + 5000, 1, 2).unwrap();
        memory.free(small, Kind::Heap).unwrap();
        assert_eq!(copy.read(small, 1), Ok(1));
        assert_eq!(copy.read(large + 5000, 1), Ok(1));
        assert_eq!(memory.read(large + 5000, 1), Ok(2));
    }

    #[test]
    fn accesses_cross_pages_and_shadows_follow_copies() {
        let mut memory = memory();
        let large = memory.allocate(3 * PAGE as u64, 1, Kind::Heap).unwrap();
        let at = large + PAGE as u64 - 3;
        memory.write(at, 16, u128::MAX - 5).unwrap();
        assert_eq!(memory.read(at, 16), Ok(u128::MAX - 5));
        memory.set_shadows(at, &[1, 2, 3, 4, 5]).unwrap();
        memory.copy(large + 1, at, 8).unwrap();
        let mut shadows = [9; 8];
        memory.shadows(large + 1, &mut shadows).unwrap();
        assert_eq!(shadows, [1, 2, 3, 4, 5, 0, 0, 0]);
        memory.write(large + 2, 2, 0).unwrap();
        memory.shadows(large + 1, &mut shadows).unwrap();
        assert_eq!(shadows, [1, 0, 0, 4, 5, 0, 0, 0]);
        // Both may overlap, either way.
        memory.copy(large + 2, large + 1, 5).unwrap();
        memory.shadows(large + 1, &mut shadows).unwrap();
        assert_eq!(shadows, [1, 1, 0, 0, 4, 5, 0, 0]);
        memory.copy(large + 1, large + 2, 5).unwrap();
        memory.shadows(large + 1, &mut shadows).unwrap();
        assert_eq!(shadows, [1, 0, 0, 4, 5, 5, 0, 0]);
    }
}
