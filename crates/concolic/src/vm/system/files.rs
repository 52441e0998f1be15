//! Files and folders: a tree of inodes, to which paths lead, in one table. What a file has lies in an object of the machine's
//! memory, so that its bytes have shadows, are shared with snapshots and count for the limit as all others do.

use super::streams::Open;
use super::{Call, Tried, errno, int, long};
use crate::build::CLOCK_SECONDS;
use crate::vm::domain::{Domain, Source, Value};
use crate::vm::memory::Kind;
use crate::vm::outcome::Stop;
use crate::vm::{Fault, Machine};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

const KIND_FILE: u32 = 0o100_644;
const KIND_FOLDER: u32 = 0o040_755;
const KIND_PIPE: u32 = 0o010_600;
const KIND_DEVICE: u32 = 0o020_666;
/// The number of `/dev/null`, as a device.
const NULL_DEVICE: u64 = 0x103;
/// `struct stat` of x86-64 has that many bytes, and `struct dirent64` these before the name.
const STAT_BYTES: usize = 144;
const ENTRY_NAME: usize = 19;
/// What `opendir` gives is the number of its descriptor, and behind it such an entry with a name of up to 255 bytes.
const ENTRY: u64 = 8;
const ENTRY_BYTES: u16 = 280;
const MAX_NAME: usize = 255;
/// No system has more files and folders.
const MAX_INODES: usize = 1 << 20;
/// The folder that a path begins in if none is said.
const CURRENT_FOLDER: u32 = -100_i32 as u32;
/// Of `unlinkat`: it is a folder.
const REMOVE_FOLDER: u128 = 0x200;

/// The number of a file or a folder, which it has as long as a name or an open description leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InodeId(u32);

impl InodeId {
    /// What a program is told.
    fn number(self) -> u32 {
        self.0 + 1
    }
}

/// The standard streams are there from the beginning, and the root, which is the current folder too.
pub(super) const INPUT: InodeId = InodeId(0);
pub(super) const OUTPUT: InodeId = InodeId(1);
pub(super) const ERROR: InodeId = InodeId(2);
const ROOT: InodeId = InodeId(3);

/// Bytes in an object of the machine's memory, behind which the object has zeros.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    pub(super) place: u64,
    pub(super) length: u64,
}

/// What an inode is.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Folder {
        parent: InodeId,
        entries: BTreeMap<Arc<[u8]>, InodeId>,
    },
    File(Text),
    Input(Text),
    Output,
    Error,
    /// What is written there is gone.
    Null,
}

#[derive(Clone, Debug)]
struct Inode {
    content: Content,
    /// Whether a path leads to it, or it is always there.
    is_named: bool,
}

/// All files and folders.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    inodes: Vec<Option<Inode>>,
    /// Those that are free.
    free: Vec<InodeId>,
}

/// Where a path leads to.
struct Found {
    folder: InodeId,
    /// Its name there; empty if the path ends with none.
    name: Arc<[u8]>,
    inode: Option<InodeId>,
    /// Whether the path says that it is a folder.
    is_folder: bool,
}

/// The least free place of a table, from one on.
pub(super) fn vacant<T>(slots: &mut Vec<Option<T>>, least: usize) -> usize {
    let free = slots.iter().skip(least).position(Option::is_none);
    let index = free.map_or(slots.len().max(least), |free| least + free);
    if index >= slots.len() {
        slots.resize_with(index + 1, || None);
    }
    index
}

impl Files {
    /// The standard streams and what is on every system.
    fn new(input: Text) -> Files {
        let root = Content::Folder { parent: ROOT, entries: BTreeMap::new() };
        let first = [Content::Input(input), Content::Output, Content::Error, root];
        let inodes = first.map(|content| Some(Inode { content, is_named: true }));
        Files { inodes: inodes.into(), free: Vec::new() }
    }

    pub(super) fn content(&self, id: InodeId) -> Result<&Content, i32> {
        let inode = self.inodes.get(id.0 as usize).and_then(Option::as_ref);
        inode.map(|inode| &inode.content).ok_or(errno::NOENT)
    }

    fn inode_mut(&mut self, id: InodeId) -> Result<&mut Inode, i32> {
        self.inodes.get_mut(id.0 as usize).and_then(Option::as_mut).ok_or(errno::NOENT)
    }

    pub(super) fn text(&self, id: InodeId) -> Result<Text, i32> {
        match *self.content(id)? {
            Content::File(text) | Content::Input(text) => Ok(text),
            _ => Err(errno::INVAL),
        }
    }

    fn set_text(&mut self, id: InodeId, new: Text) -> Result<(), i32> {
        match &mut self.inode_mut(id)?.content {
            Content::File(text) | Content::Input(text) => *text = new,
            _ => return Err(errno::INVAL),
        }
        Ok(())
    }

    fn entries(&self, id: InodeId) -> Result<&BTreeMap<Arc<[u8]>, InodeId>, i32> {
        match self.content(id)? {
            Content::Folder { entries, .. } => Ok(entries),
            _ => Err(errno::NOTDIR),
        }
    }

    fn entries_mut(&mut self, id: InodeId) -> Result<&mut BTreeMap<Arc<[u8]>, InodeId>, i32> {
        match &mut self.inode_mut(id)?.content {
            Content::Folder { entries, .. } => Ok(entries),
            _ => Err(errno::NOTDIR),
        }
    }

    fn is_folder(&self, id: InodeId) -> bool {
        matches!(self.content(id), Ok(Content::Folder { .. }))
    }

    /// Where a path leads to that begins in a folder, or the number of an error if there is no such folder.
    fn find(&self, mut at: InodeId, path: &[u8]) -> Result<Found, i32> {
        match path.first() {
            None => return Err(errno::NOENT),
            Some(b'/') => at = ROOT,
            Some(_) => {}
        }
        let is_folder = path.ends_with(b"/");
        let mut parts = path.split(|&byte| byte == b'/').filter(|part| !part.is_empty()).peekable();
        while let Some(part) = parts.next() {
            let Content::Folder { parent, entries } = self.content(at)? else {
                return Err(errno::NOTDIR);
            };
            let inode = match part {
                _ if part.len() > MAX_NAME => return Err(errno::NAMETOOLONG),
                b"." => Some(at),
                b".." => Some(*parent),
                _ => entries.get(part).copied(),
            };
            if parts.peek().is_none() && !matches!(part, b"." | b"..") {
                if is_folder && inode.is_some_and(|inode| !self.is_folder(inode)) {
                    return Err(errno::NOTDIR);
                }
                return Ok(Found { folder: at, name: Arc::from(part), inode, is_folder });
            }
            at = inode.ok_or(errno::NOENT)?;
        }
        Ok(Found { folder: at, name: Arc::default(), inode: Some(at), is_folder: true })
    }

    /// Gives something new a name, at which nothing is.
    fn add(&mut self, found: &Found, content: Content) -> Result<InodeId, i32> {
        if !self.inode_mut(found.folder)?.is_named {
            // A folder that was removed, and is still open.
            return Err(errno::NOENT);
        }
        let new = Some(Inode { content, is_named: true });
        let id = match self.free.pop() {
            Some(id) => {
                self.inodes[id.0 as usize] = new;
                id
            }
            None if self.inodes.len() >= MAX_INODES => return Err(errno::NOSPC),
            None => {
                self.inodes.push(new);
                InodeId(self.inodes.len() as u32 - 1)
            }
        };
        self.entries_mut(found.folder)?.insert(Arc::clone(&found.name), id);
        Ok(id)
    }

    fn add_folder(&mut self, path: &[u8]) -> Result<(), i32> {
        let found = self.find(ROOT, path)?;
        match found.inode {
            Some(inode) if self.is_folder(inode) => {}
            Some(_) => return Err(errno::NOTDIR),
            None => {
                let parent = found.folder;
                self.add(&found, Content::Folder { parent, entries: BTreeMap::new() })?;
            }
        }
        Ok(())
    }

    /// Takes a name away from what has it.
    fn unname(&mut self, found: &Found, inode: InodeId) -> Result<(), i32> {
        self.entries_mut(found.folder)?.remove(&found.name);
        self.inode_mut(inode)?.is_named = false;
        Ok(())
    }

    /// Whether a folder is another one, or lies somewhere within it.
    fn is_within(&self, mut inner: InodeId, outer: InodeId) -> bool {
        while inner != outer && inner != ROOT {
            match self.content(inner) {
                Ok(Content::Folder { parent, .. }) => inner = *parent,
                _ => return false,
            }
        }
        inner == outer
    }

    /// The path from the root.
    fn path(&self, found: &Found) -> Vec<u8> {
        let mut parts = vec![&found.name[..]];
        let mut at = found.folder;
        while at != ROOT
            && let Ok(Content::Folder { parent, .. }) = self.content(at)
            && let Ok(entries) = self.entries(*parent)
            && let Some((name, _)) = entries.iter().find(|(_, inode)| **inode == at)
        {
            parts.push(name);
            at = *parent;
        }
        let named = parts.into_iter().rev().filter(|part| !part.is_empty());
        let path: Vec<u8> = named.flat_map(|part| [b"/", part].concat()).collect();
        if path.is_empty() { b"/".to_vec() } else { path }
    }
}

pub(super) fn lookup<D: Domain>(name: &str) -> Option<Call<D>> {
    Some(match name {
        "open64" | "open" => |machine, a| {
            let opened = machine.open(None, a[0].bits, a[1].bits as u32);
            machine.answer(opened, int(-1))
        },
        "openat" | "openat64" => |machine, a| {
            let opened = machine.open(Some(a[0].bits), a[1].bits, a[2].bits as u32);
            machine.answer(opened, int(-1))
        },
        "stat64" | "lstat64" | "stat" | "lstat" => |machine, a| {
            let put = machine.status(None, a[0].bits, a[1].bits as u64);
            machine.answer(put, int(-1))
        },
        "fstatat64" | "fstatat" => |machine, a| {
            let put = machine.status(Some(a[0].bits), a[1].bits, a[2].bits as u64);
            machine.answer(put, int(-1))
        },
        "fstat64" | "fstat" => |machine, a| {
            let put = machine.descriptor_status(a[0].bits, a[1].bits as u64);
            machine.answer(put, int(-1))
        },
        // Who is told that there is none asks `stat64`.
        "statx" => |machine, _| machine.fail(errno::NOSYS),
        "access" | "chmod" => |machine, a| {
            let there = machine.inode(None, a[0].bits).map(|_| int(0));
            machine.answer(there, int(-1))
        },
        // There are no links.
        "readlink" => |machine, a| {
            let there = machine.inode(None, a[0].bits);
            machine.answer(there.and_then(|_| Err(errno::INVAL.into())), long(-1))
        },
        "realpath" => |machine, a| {
            let put = machine.real_path(a[0].bits, a[1].bits as u64);
            machine.answer(put, Value::none())
        },
        "getcwd" => |machine, a| {
            if a[1].bits < 2 {
                return machine.answer(Err(errno::RANGE.into()), Value::none());
            }
            machine.put_bytes(a[0].bits as u64, b"/\0")?;
            Ok(a[0])
        },
        "mkdir" => |machine, a| {
            let made = machine.make_folder(a[0].bits);
            machine.answer(made, int(-1))
        },
        "rmdir" => |machine, a| {
            let removed = machine.remove(None, a[0].bits, true);
            machine.answer(removed, int(-1))
        },
        "unlink" => |machine, a| {
            let removed = machine.remove(None, a[0].bits, false);
            machine.answer(removed, int(-1))
        },
        "unlinkat" => |machine, a| {
            let is_folder = a[2].bits & REMOVE_FOLDER != 0;
            let removed = machine.remove(Some(a[0].bits), a[1].bits, is_folder);
            machine.answer(removed, int(-1))
        },
        "rename" => |machine, a| {
            let renamed = machine.rename(a[0].bits, a[1].bits);
            machine.answer(renamed, int(-1))
        },
        "opendir" => |machine, a| {
            let opened = machine.open(None, a[0].bits, super::streams::FOLDER_ONLY);
            let listed = opened.and_then(|number| machine.list(number.bits));
            machine.answer(listed, Value::none())
        },
        "fdopendir" => |machine, a| {
            let listed = machine.list(a[0].bits);
            machine.answer(listed, Value::none())
        },
        "readdir64" | "readdir" => |machine, a| {
            let entry = machine.next_entry(a[0].bits as u64);
            machine.answer(entry, Value::none())
        },
        "dirfd" => |machine, a| Ok(Value::plain(machine.get(a[0].bits as u64, 4)?)),
        "closedir" => |machine, a| {
            let folder = a[0].bits as u64;
            let number = machine.get(folder, 4)?;
            let freed = machine.state.memory.free(folder, Kind::Variable);
            freed.map_err(|fault| Stop::Memory(fault, folder))?;
            let closed = machine.close(number);
            machine.answer(closed, int(-1))
        },
        "fchmod" | "utimensat" | "futimens" | "flock" => |_, _| Ok(int(0)),
        _ => return None,
    })
}

impl<D: Domain> Machine<D> {
    pub(super) fn files_mut(&mut self) -> &mut Files {
        Arc::make_mut(&mut self.state.system.files)
    }

    /// Puts standard input and the files into memory, and opens the standard streams.
    pub(super) fn prepare_files(&mut self) -> Result<(), Stop> {
        let options = Arc::clone(&self.options);
        let text = |machine: &mut Self, bytes: &[u8], source| {
            let place = machine.own_input(bytes, bytes.len() as u64, source)?;
            Ok::<_, Stop>(Text { place, length: bytes.len() as u64 })
        };
        let wrong = |_| Stop::Other("a file that is given with a path that no system has");
        let mut files = Files::new(text(self, &options.input, Source::Input)?);
        files.add_folder(b"/tmp").map_err(wrong)?;
        files.add_folder(b"/dev").map_err(wrong)?;
        let null = files.find(ROOT, b"/dev/null").map_err(wrong)?;
        files.add(&null, Content::Null).map_err(wrong)?;
        for (index, (path, bytes)) in options.files.iter().enumerate() {
            for end in memchr::memchr_iter(b'/', path) {
                files.add_folder(&path[..=end]).map_err(wrong)?;
            }
            let found = files.find(ROOT, path).map_err(wrong)?;
            if found.name.is_empty() || found.is_folder {
                return Err(wrong(errno::ISDIR));
            }
            let content = Content::File(text(self, bytes, Source::File(index as u32))?);
            files.add(&found, content).map_err(wrong)?;
        }
        self.state.system.files = Arc::new(files);
        self.state.system.open = Arc::new(Open::standard());
        Ok(())
    }

    /// The bytes of a file.
    pub(in crate::vm) fn file_bytes(&self, path: &[u8]) -> Option<Vec<u8>> {
        let files = &self.state.system.files;
        let text = files.text(files.find(ROOT, path).ok()?.inode?).ok()?;
        self.state.memory.bytes(text.place, text.length).ok()
    }

    fn find(&mut self, folder: Option<u128>, path: u128) -> Tried<Found> {
        let path = self.get_string(path as u64)?;
        let from = match folder.map(|number| number as u32) {
            Some(number) if number != CURRENT_FOLDER && path.first() != Some(&b'/') => {
                self.description(number.into())?.inode
            }
            _ => ROOT,
        };
        Ok(self.state.system.files.find(from, &path)?)
    }

    /// The file or folder that a path leads to.
    fn inode(&mut self, folder: Option<u128>, path: u128) -> Tried<InodeId> {
        Ok(self.find(folder, path)?.inode.ok_or(errno::NOENT)?)
    }

    fn open(&mut self, folder: Option<u128>, path: u128, flags: u32) -> Tried<Value<D::Shadow>> {
        use super::streams::{ACCESS, CREATE, EXCLUSIVE, FOLDER_ONLY, TRUNCATE};
        let found = self.find(folder, path)?;
        let (creates, writes) = (flags & CREATE != 0, flags & ACCESS != 0);
        let Some(inode) = found.inode else {
            if !creates {
                return Err(errno::NOENT.into());
            }
            if found.is_folder {
                return Err(errno::ISDIR.into());
            }
            let place = self.own(&[])?;
            let empty = Content::File(Text { place, length: 0 });
            let inode = self.files_mut().add(&found, empty)?;
            return self.open_inode(inode, flags);
        };
        match self.state.system.files.content(inode)? {
            _ if creates && flags & EXCLUSIVE != 0 => return Err(errno::EXIST.into()),
            Content::Folder { .. } if creates || writes => return Err(errno::ISDIR.into()),
            Content::Folder { .. } => {}
            _ if flags & FOLDER_ONLY != 0 => return Err(errno::NOTDIR.into()),
            Content::File(_) if flags & TRUNCATE != 0 && writes => self.set_length(inode, 0)?,
            _ => {}
        }
        self.open_inode(inode, flags)
    }

    /// Makes a file longer or shorter. Behind its end its object has zeros.
    pub(super) fn set_length(&mut self, inode: InodeId, length: u64) -> Tried<()> {
        let old = self.state.system.files.text(inode)?;
        let fault = |fault: Fault| Stop::Memory(fault, old.place);
        let memory = &mut self.state.memory;
        let room = memory.allocated(old.place, Kind::Variable).map_err(fault)?;
        let mut new = Text { length, ..old };
        if length < old.length || length > room {
            // What grows by little each time is not copied each time.
            let size = if length > room { length.max(2 * room) } else { length };
            let kept = length.min(old.length);
            new.place = memory.allocate(size, 1, Kind::Variable).map_err(Stop::from)?;
            memory.copy(new.place, old.place, kept).map_err(fault)?;
            memory.free(old.place, Kind::Variable).map_err(fault)?;
            self.charge(kept);
        }
        Ok(self.files_mut().set_text(inode, new)?)
    }

    /// Forgets what neither a name nor an open description leads to.
    pub(super) fn forget(&mut self, id: InodeId) -> Tried<()> {
        if self.files_mut().inode_mut(id)?.is_named || self.state.system.open.has(id) {
            return Ok(());
        }
        if let Ok(text) = self.state.system.files.text(id) {
            let freed = self.state.memory.free(text.place, Kind::Variable);
            freed.map_err(|fault| Stop::Memory(fault, text.place))?;
        }
        let files = self.files_mut();
        files.inodes[id.0 as usize] = None;
        files.free.push(id);
        Ok(())
    }

    fn status(&mut self, folder: Option<u128>, path: u128, place: u64) -> Tried<Value<D::Shadow>> {
        let inode = self.inode(folder, path)?;
        self.put_status(inode, place)
    }

    fn descriptor_status(&mut self, number: u128, place: u64) -> Tried<Value<D::Shadow>> {
        let inode = self.description(number)?.inode;
        self.put_status(inode, place)
    }

    fn put_status(&mut self, id: InodeId, place: u64) -> Tried<Value<D::Shadow>> {
        let links = u64::from(self.files_mut().inode_mut(id)?.is_named);
        let (mode, size, device) = match self.state.system.files.content(id)? {
            Content::Folder { .. } => (KIND_FOLDER, 4096, 0),
            Content::File(text) => (KIND_FILE, text.length, 0),
            Content::Null => (KIND_DEVICE, 0, NULL_DEVICE),
            Content::Input(_) | Content::Output | Content::Error => (KIND_PIPE, 0, 0),
        };
        let mut status = [0; STAT_BYTES];
        let mut set = |at: usize, value: u64| {
            status[at..at + 8].copy_from_slice(&value.to_le_bytes());
        };
        set(0, 1);
        set(8, id.number().into());
        set(16, links);
        set(24, mode.into());
        set(40, device);
        set(48, size);
        set(56, 4096);
        set(64, size.div_ceil(512));
        // When it was read, written, changed.
        for time in [72, 88, 104] {
            set(time, CLOCK_SECONDS);
        }
        self.put_bytes(place, &status)?;
        Ok(int(0))
    }

    fn real_path(&mut self, path: u128, place: u64) -> Tried<Value<D::Shadow>> {
        let found = self.find(None, path)?;
        found.inode.ok_or(errno::NOENT)?;
        let text = [&self.state.system.files.path(&found)[..], &[0]].concat();
        let place = match place {
            // Who passes null frees the result.
            0 => {
                let size = text.len() as u64;
                self.state.memory.allocate(size, 16, Kind::Heap).map_err(Stop::from)?
            }
            place => place,
        };
        self.put_bytes(place, &text)?;
        Ok(long(place as i64))
    }

    fn make_folder(&mut self, path: u128) -> Tried<Value<D::Shadow>> {
        let found = self.find(None, path)?;
        if found.inode.is_some() {
            return Err(errno::EXIST.into());
        }
        let parent = found.folder;
        self.files_mut().add(&found, Content::Folder { parent, entries: BTreeMap::new() })?;
        Ok(int(0))
    }

    fn remove(
        &mut self,
        folder: Option<u128>,
        path: u128,
        is_folder: bool,
    ) -> Tried<Value<D::Shadow>> {
        let found = self.find(folder, path)?;
        let inode = found.inode.ok_or(errno::NOENT)?;
        match self.state.system.files.entries(inode) {
            Ok(_) if !is_folder => return Err(errno::ISDIR.into()),
            Ok(_) if found.name.is_empty() => return Err(errno::INVAL.into()),
            Ok(entries) if !entries.is_empty() => return Err(errno::NOTEMPTY.into()),
            Err(error) if is_folder => return Err(error.into()),
            _ => {}
        }
        self.files_mut().unname(&found, inode)?;
        self.forget(inode)?;
        Ok(int(0))
    }

    fn rename(&mut self, from: u128, to: u128) -> Tried<Value<D::Shadow>> {
        let (from, to) = (self.find(None, from)?, self.find(None, to)?);
        let moved = from.inode.ok_or(errno::NOENT)?;
        if from.name.is_empty() || to.name.is_empty() {
            return Err(errno::BUSY.into());
        }
        let files = &self.state.system.files;
        match (files.is_folder(moved), to.inode.map(|old| files.entries(old))) {
            (true, _) if files.is_within(to.folder, moved) => return Err(errno::INVAL.into()),
            (true, Some(Err(error))) => return Err(error.into()),
            (true, Some(Ok(old))) if !old.is_empty() && to.inode != from.inode => {
                return Err(errno::NOTEMPTY.into());
            }
            (false, Some(Ok(_))) => return Err(errno::ISDIR.into()),
            (false, None) if to.is_folder => return Err(errno::NOTDIR.into()),
            _ => {}
        }
        if to.inode == from.inode {
            return Ok(int(0));
        }
        let files = self.files_mut();
        if !files.inode_mut(to.folder)?.is_named {
            return Err(errno::NOENT.into());
        }
        if let Some(old) = to.inode {
            files.unname(&to, old)?;
        }
        files.entries_mut(from.folder)?.remove(&from.name);
        files.entries_mut(to.folder)?.insert(to.name, moved);
        if let Content::Folder { parent, .. } = &mut files.inode_mut(moved)?.content {
            *parent = to.folder;
        }
        if let Some(old) = to.inode {
            self.forget(old)?;
        }
        Ok(int(0))
    }

    /// Begins to list the entries of an open folder.
    fn list(&mut self, number: u128) -> Tried<Value<D::Shadow>> {
        let inode = self.description(number)?.inode;
        self.state.system.files.entries(inode)?;
        let mut folder = vec![0; usize::from(ENTRY_BYTES)];
        folder[..4].copy_from_slice(&(number as u32).to_le_bytes());
        folder.resize(folder.len() + ENTRY as usize, 0);
        Ok(long(self.own(&folder)? as i64))
    }

    /// The entry behind the one that is there.
    fn next_entry(&mut self, folder: u64) -> Tried<Value<D::Shadow>> {
        let number = self.get(folder, 4)?;
        let entry = folder.wrapping_add(ENTRY);
        let last = self.get_string(entry.wrapping_add(ENTRY_NAME as u64))?;
        let inode = self.description(number)?.inode;
        let files = Arc::clone(&self.state.system.files);
        let behind = (Bound::Excluded(&last[..]), Bound::Unbounded);
        let Some((name, &inode)) = files.entries(inode)?.range::<[u8], _>(behind).next() else {
            return Ok(Value::none());
        };
        let kind = match files.content(inode)? {
            Content::Folder { .. } => 4,
            Content::Null => 2,
            _ => 8,
        };
        let mut bytes = vec![0; ENTRY_NAME];
        bytes[..4].copy_from_slice(&inode.number().to_le_bytes());
        bytes[16..18].copy_from_slice(&ENTRY_BYTES.to_le_bytes());
        bytes[18] = kind;
        bytes.extend_from_slice(name);
        bytes.push(0);
        self.put_bytes(entry, &bytes)?;
        Ok(long(entry as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        let mut files = Files::new(Text { place: 0, length: 0 });
        for folder in [&b"/a"[..], b"/a/b", b"/ab/"] {
            files.add_folder(folder).expect("its folder is there");
        }
        let found = files.find(ROOT, b"a/file").expect("its folder is there");
        files.add(&found, Content::Null).expect("there is room");
        files
    }

    #[test]
    fn paths_lead_through_folders_that_are_there() {
        let files = files();
        let path = |path: &[u8]| files.find(ROOT, path).map(|found| files.path(&found));
        assert_eq!(path(b"a/./b//../new"), Ok(b"/a/new".to_vec()));
        assert_eq!(path(b"../.."), Ok(b"/".to_vec()));
        assert_eq!(path(b"/"), Ok(b"/".to_vec()));
        assert_eq!(path(b"a/b/."), Ok(b"/a/b".to_vec()));
        assert_eq!(path(b"a/none/../b"), Err(errno::NOENT));
        assert_eq!(path(b"a/file/"), Err(errno::NOTDIR));
        assert_eq!(path(b"a/file/x"), Err(errno::NOTDIR));
        assert_eq!(path(b""), Err(errno::NOENT));
        assert_eq!(path(&[b'x'; 256]), Err(errno::NAMETOOLONG));
    }

    #[test]
    fn a_folder_is_not_moved_into_itself() {
        let files = files();
        let id = |path| files.find(ROOT, path).ok().and_then(|found| found.inode);
        let (Some(a), Some(b), Some(ab)) = (id(b"/a"), id(b"/a/b"), id(b"/ab")) else { panic!() };
        assert!(files.is_within(b, a) && files.is_within(a, a));
        assert!(!files.is_within(a, b) && !files.is_within(ab, a));
    }
}
