//! Open files, as POSIX has them: a descriptor leads to a description, which `open` has made and `dup` shares, and that to an
//! inode, whatever names it has by now.

use super::files::{Content, ERROR, INPUT, InodeId, OUTPUT, vacant};
use super::{Answer, Call, Tried, errno, int, long};
use crate::vm::Machine;
use crate::vm::domain::{Domain, Value};
use crate::vm::outcome::Stop;
use std::sync::Arc;

/// The flags of `open`: how a file is used, and how it is opened.
pub(super) const ACCESS: u32 = 3;
const READ_ONLY: u32 = 0;
const WRITE_ONLY: u32 = 1;
pub(super) const CREATE: u32 = 0x40;
pub(super) const EXCLUSIVE: u32 = 0x80;
pub(super) const TRUNCATE: u32 = 0x200;
const APPEND: u32 = 0x400;
const NONBLOCK: u32 = 0x800;
pub(super) const FOLDER_ONLY: u32 = 0x1_0000;
/// Those that can be changed later.
const CHANGED: u32 = APPEND | NONBLOCK;

/// How many descriptors a process may have.
const MAX_DESCRIPTORS: usize = 1024;

/// What `poll` is asked and says of a descriptor.
const POLL_READABLE: u16 = 0x41;
const POLL_WRITABLE: u16 = 0x104;
const POLL_NOT_OPEN: u16 = 0x20;

/// The number of an open file description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DescriptionId(u32);

/// What `open` has made.
#[derive(Clone, Debug)]
pub(super) struct Description {
    pub(super) inode: InodeId,
    at: u64,
    flags: u32,
    /// How many descriptors lead to it.
    descriptors: u32,
}

impl Description {
    fn reads(&self) -> bool {
        self.flags & ACCESS != WRITE_ONLY
    }

    fn writes(&self) -> bool {
        self.flags & ACCESS != READ_ONLY
    }
}

/// All that is open.
#[derive(Clone, Debug, Default)]
pub(super) struct Open {
    descriptions: Vec<Option<Description>>,
    descriptors: Vec<Option<DescriptionId>>,
}

impl Open {
    /// Standard input, output and error.
    pub(super) fn standard() -> Open {
        let mut open = Open::default();
        for (number, (inode, flags)) in
            [(INPUT, READ_ONLY), (OUTPUT, WRITE_ONLY), (ERROR, WRITE_ONLY)].into_iter().enumerate()
        {
            open.descriptions.push(Some(Description { inode, at: 0, flags, descriptors: 1 }));
            open.descriptors.push(Some(DescriptionId(number as u32)));
        }
        open
    }

    /// Whether anything leads to an inode.
    pub(super) fn has(&self, inode: InodeId) -> bool {
        self.descriptions.iter().flatten().any(|description| description.inode == inode)
    }

    fn id(&self, number: u128) -> Result<DescriptionId, i32> {
        let id = self.descriptors.get(number as u32 as usize).copied().flatten();
        id.ok_or(errno::BADF)
    }

    fn get(&self, number: u128) -> Result<&Description, i32> {
        let id = self.id(number)?;
        self.descriptions[id.0 as usize].as_ref().ok_or(errno::BADF)
    }

    fn get_mut(&mut self, number: u128) -> Result<&mut Description, i32> {
        let id = self.id(number)?;
        self.descriptions[id.0 as usize].as_mut().ok_or(errno::BADF)
    }

    /// The number of a new descriptor: the least that is free, from one on.
    fn lead(&mut self, id: DescriptionId, least: usize) -> Result<usize, i32> {
        if least >= MAX_DESCRIPTORS {
            return Err(errno::INVAL);
        }
        let number = vacant(&mut self.descriptors, least);
        if number >= MAX_DESCRIPTORS {
            self.descriptors.truncate(MAX_DESCRIPTORS);
            return Err(errno::MFILE);
        }
        self.descriptors[number] = Some(id);
        if let Some(description) = &mut self.descriptions[id.0 as usize] {
            description.descriptors += 1;
        }
        Ok(number)
    }

    /// Closes a descriptor; the inode of a description to which no other one leads.
    fn close(&mut self, number: u128) -> Result<Option<InodeId>, i32> {
        let id = self.id(number)?;
        self.descriptors[number as u32 as usize] = None;
        let description = &mut self.descriptions[id.0 as usize];
        let Some(open) = description else { return Err(errno::BADF) };
        open.descriptors -= 1;
        let inode = open.inode;
        if open.descriptors > 0 {
            return Ok(None);
        }
        *description = None;
        Ok(Some(inode))
    }
}

pub(super) fn lookup<D: Domain>(name: &str) -> Option<Call<D>> {
    Some(match name {
        "read" => |machine, a| {
            let read = machine.read(a[0].bits, a[1].bits as u64, a[2].bits as u64);
            machine.answer(read, long(-1))
        },
        "readv" => |machine, a| machine.each_part(a, Machine::read),
        "write" => |machine, a| {
            let written = machine.write(a[0].bits, a[1].bits as u64, a[2].bits as u64);
            machine.answer(written, long(-1))
        },
        "writev" => |machine, a| machine.each_part(a, Machine::write),
        "close" => |machine, a| {
            let closed = machine.close(a[0].bits);
            machine.answer(closed, int(-1))
        },
        "lseek64" | "lseek" => |machine, a| {
            let moved = machine.seek(a[0].bits, a[1].bits as i64, a[2].bits as u32);
            machine.answer(moved, long(-1))
        },
        "ftruncate64" | "ftruncate" => |machine, a| {
            let changed = machine.truncate(a[0].bits, a[1].bits as i64);
            machine.answer(changed, int(-1))
        },
        "poll" => |machine, a| machine.poll(a[0].bits as u64, a[1].bits as u64, a[2].bits as i32),
        "fcntl" => |machine, a| {
            let done = machine.control(a[0].bits, a[1].bits as u32, a[2].bits as u32);
            machine.answer(done, int(-1))
        },
        "dup" => |machine, a| {
            let new = machine.duplicate(a[0].bits, 0);
            machine.answer(new, int(-1))
        },
        "dup2" | "dup3" => |machine, a| {
            let new = machine.duplicate_to(a[0].bits, a[1].bits);
            machine.answer(new, int(-1))
        },
        "isatty" => |_, _| Ok(int(0)),
        "ioctl" => |machine, _| machine.fail(errno::INVAL),
        "fsync" | "fdatasync" => |_, _| Ok(int(0)),
        _ => return None,
    })
}

impl<D: Domain> Machine<D> {
    fn open_mut(&mut self) -> &mut Open {
        Arc::make_mut(&mut self.state.system.open)
    }

    pub(super) fn description(&self, number: u128) -> Tried<&Description> {
        Ok(self.state.system.open.get(number)?)
    }

    /// The number of the descriptor of a new description.
    pub(super) fn open_inode(&mut self, inode: InodeId, flags: u32) -> Tried<Value<D::Shadow>> {
        let open = self.open_mut();
        let index = vacant(&mut open.descriptions, 0);
        open.descriptions[index] = Some(Description { inode, at: 0, flags, descriptors: 0 });
        match open.lead(DescriptionId(index as u32), 0) {
            Ok(number) => Ok(int(number as i32)),
            Err(error) => {
                open.descriptions[index] = None;
                Err(error.into())
            }
        }
    }

    pub(super) fn close(&mut self, number: u128) -> Tried<Value<D::Shadow>> {
        if let Some(inode) = self.open_mut().close(number)? {
            self.forget(inode)?;
        }
        Ok(int(0))
    }

    fn duplicate(&mut self, number: u128, least: usize) -> Tried<Value<D::Shadow>> {
        let open = self.open_mut();
        let id = open.id(number)?;
        Ok(int(open.lead(id, least)? as i32))
    }

    fn duplicate_to(&mut self, number: u128, to: u128) -> Tried<Value<D::Shadow>> {
        let (id, place) = (self.state.system.open.id(number)?, to as u32 as usize);
        if place >= MAX_DESCRIPTORS {
            return Err(errno::BADF.into());
        }
        if number as u32 != to as u32 {
            if self.state.system.open.id(to).is_ok() {
                self.close(to)?;
            }
            self.open_mut().lead(id, place)?;
        }
        Ok(int(place as i32))
    }

    fn control(&mut self, number: u128, what: u32, value: u32) -> Tried<Value<D::Shadow>> {
        let description = self.open_mut().get_mut(number)?;
        match what {
            // F_DUPFD, F_DUPFD_CLOEXEC
            0 | 1030 => self.duplicate(number, value as usize),
            // F_GETFL, F_SETFL
            3 => Ok(int((description.flags & (ACCESS | CHANGED)) as i32)),
            4 => {
                description.flags = description.flags & !CHANGED | value & CHANGED;
                Ok(int(0))
            }
            _ => Ok(int(0)),
        }
    }

    fn read(&mut self, number: u128, place: u64, length: u64) -> Tried<Value<D::Shadow>> {
        let description = self.description(number)?;
        let (inode, at) = (description.inode, description.at);
        if !description.reads() {
            return Err(errno::BADF.into());
        }
        let text = match *self.state.system.files.content(inode)? {
            Content::Folder { .. } => return Err(errno::ISDIR.into()),
            Content::File(text) | Content::Input(text) => text,
            Content::Null | Content::Output | Content::Error => return Ok(long(0)),
        };
        let count = length.min(text.length.saturating_sub(at));
        self.charge(count);
        let copied = self.state.memory.copy(place, text.place.wrapping_add(at), count);
        copied.map_err(|fault| Stop::Memory(fault, place))?;
        self.open_mut().get_mut(number)?.at += count;
        Ok(long(count as i64))
    }

    fn write(&mut self, number: u128, place: u64, length: u64) -> Tried<Value<D::Shadow>> {
        let description = self.description(number)?;
        let (inode, mut at) = (description.inode, description.at);
        let (writes, appends) = (description.writes(), description.flags & APPEND != 0);
        if !writes {
            return Err(errno::BADF.into());
        }
        // Before anything else, so that the address in the outcome is the wrong one.
        let there = self.state.memory.check(place, length);
        there.map_err(|fault| Stop::Memory(fault, place))?;
        let stream = match *self.state.system.files.content(inode)? {
            Content::Folder { .. } | Content::Input(_) => return Err(errno::BADF.into()),
            Content::Null => return Ok(long(length as i64)),
            Content::Output => &mut self.state.system.output,
            Content::Error => &mut self.state.system.error,
            Content::File(text) => {
                if appends {
                    at = text.length;
                }
                let end = at.saturating_add(length);
                if length > 0 && end > text.length {
                    self.set_length(inode, end)?;
                }
                self.charge(length);
                let to = self.state.system.files.text(inode)?.place.wrapping_add(at);
                let copied = self.state.memory.copy(to, place, length);
                copied.map_err(|fault| Stop::Memory(fault, place))?;
                self.open_mut().get_mut(number)?.at = end;
                return Ok(long(length as i64));
            }
        };
        if (stream.len() as u64).saturating_add(length) > self.options.memory {
            return Err(Stop::OutOfMemory.into());
        }
        let bytes = self.state.memory.bytes(place, length);
        let bytes = bytes.map_err(|fault| Stop::Memory(fault, place))?;
        Arc::make_mut(stream).extend_from_slice(&bytes);
        self.charge(length);
        Ok(long(length as i64))
    }

    /// Reads or writes the parts of an array of places and lengths, until one is short.
    fn each_part(
        &mut self,
        a: &[Value<D::Shadow>],
        one: impl Fn(&mut Machine<D>, u128, u64, u64) -> Tried<Value<D::Shadow>>,
    ) -> Answer<D> {
        let (parts, count) = (a[1].bits as u64, u64::from(a[2].bits as u32));
        let mut total = 0;
        for part in 0..count {
            let place = self.get(parts.wrapping_add(16 * part), 8)? as u64;
            let length = self.get(parts.wrapping_add(16 * part + 8), 8)? as u64;
            if length == 0 {
                continue;
            }
            let done = one(self, a[0].bits, place, length);
            let done = self.answer(done, long(-1))?.bits as u64;
            if done as i64 == -1 {
                return Ok(long(if total > 0 { total } else { -1 }));
            }
            total += done as i64;
            if done < length {
                break;
            }
        }
        Ok(long(total))
    }

    fn seek(&mut self, number: u128, offset: i64, whence: u32) -> Tried<Value<D::Shadow>> {
        let description = self.description(number)?;
        let length = match self.state.system.files.content(description.inode)? {
            Content::File(text) => text.length as i64,
            Content::Folder { .. } | Content::Null => 0,
            Content::Input(_) | Content::Output | Content::Error => {
                return Err(errno::SPIPE.into());
            }
        };
        let from = match whence {
            0 => 0,
            1 => description.at as i64,
            2 => length,
            _ => return Err(errno::INVAL.into()),
        };
        let new = from.checked_add(offset).filter(|&new| new >= 0).ok_or(errno::INVAL)?;
        self.open_mut().get_mut(number)?.at = new as u64;
        Ok(long(new))
    }

    fn truncate(&mut self, number: u128, length: i64) -> Tried<Value<D::Shadow>> {
        let description = self.description(number)?;
        let inode = description.inode;
        if length < 0 || !description.writes() {
            return Err(errno::INVAL.into());
        }
        self.set_length(inode, length as u64)?;
        Ok(int(0))
    }

    /// What is open can be read and written at once, as it was opened.
    fn poll(&mut self, place: u64, count: u64, timeout: i32) -> Answer<D> {
        let mut ready = 0;
        for index in 0..count {
            let place = place.wrapping_add(8 * index);
            let number = self.get(place, 4)?;
            let asked = self.get(place.wrapping_add(4), 2)? as u16;
            let found = match self.state.system.open.get(number) {
                _ if (number as i32) < 0 => 0,
                Err(_) => POLL_NOT_OPEN,
                Ok(open) => {
                    let reads = if open.reads() { POLL_READABLE } else { 0 };
                    let writes = if open.writes() { POLL_WRITABLE } else { 0 };
                    asked & (reads | writes)
                }
            };
            self.put(place.wrapping_add(6), 2, found.into())?;
            ready += i32::from(found != 0);
        }
        match u64::try_from(timeout) {
            _ if ready > 0 => {}
            Ok(milliseconds) => self.pass(1_000 * milliseconds),
            Err(_) => return Err(Stop::Deadlock),
        }
        Ok(int(ready))
    }
}
