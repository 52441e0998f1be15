//! Descriptors: standard streams and open files.

use super::{Answer, Call, errno, int, long};
use crate::vm::Machine;
use crate::vm::domain::{Domain, Source, Value};
use crate::vm::outcome::Stop;
use std::sync::Arc;

/// What a descriptor stands for.
#[derive(Clone, Debug)]
pub(super) enum Descriptor {
    Input {
        at: u64,
    },
    Output,
    Error,
    File {
        path: Arc<[u8]>,
        at: u64,
        append: bool,
    },
    /// A folder that is being listed: the place of its entry, and the name before it.
    Folder {
        path: Arc<[u8]>,
        entry: u64,
        last: Option<Arc<[u8]>>,
    },
}

/// Standard input, output and error.
pub(super) fn standard() -> Vec<Option<Descriptor>> {
    vec![Some(Descriptor::Input { at: 0 }), Some(Descriptor::Output), Some(Descriptor::Error)]
}

pub(super) fn lookup<D: Domain>(name: &str) -> Option<Call<D>> {
    Some(match name {
        "read" => {
            |machine, a| machine.read_descriptor(a[0].bits, a[1].bits as u64, a[2].bits as u64)
        }
        "readv" => |machine, a| machine.each_part(a, Machine::read_descriptor),
        "write" => {
            |machine, a| machine.write_descriptor(a[0].bits, a[1].bits as u64, a[2].bits as u64)
        }
        "writev" => |machine, a| machine.each_part(a, Machine::write_descriptor),
        "close" => |machine, a| {
            let descriptors = Arc::make_mut(&mut machine.state.system.descriptors);
            match descriptors.get_mut(a[0].bits as usize).and_then(Option::take) {
                Some(_) => Ok(int(0)),
                None => machine.fail(errno::BADF),
            }
        },
        "lseek64" | "lseek" => |machine, a| machine.seek(a[0].bits, a[1].bits as i64, a[2].bits),
        // Nothing is broken, and nothing waits.
        "poll" => |_, _| Ok(int(0)),
        "fcntl" => |machine, a| match a[1].bits as u32 {
            // F_DUPFD, F_DUPFD_CLOEXEC
            0 | 1030 => machine.duplicate(a[0].bits),
            _ => Ok(int(0)),
        },
        "dup" => |machine, a| machine.duplicate(a[0].bits),
        "isatty" => |_, _| Ok(int(0)),
        "ioctl" => |machine, _| machine.fail(errno::INVAL),
        "fsync" | "fdatasync" => |_, _| Ok(int(0)),
        _ => return None,
    })
}

impl<D: Domain> Machine<D> {
    pub(super) fn descriptor(&self, number: u128) -> Option<&Descriptor> {
        self.state.system.descriptors.get(number as u32 as usize)?.as_ref()
    }

    fn descriptor_mut(&mut self, number: u128) -> Option<&mut Descriptor> {
        let descriptors = Arc::make_mut(&mut self.state.system.descriptors);
        descriptors.get_mut(number as u32 as usize)?.as_mut()
    }

    /// The number of a new descriptor: the least that is free.
    pub(super) fn open_descriptor(&mut self, new: Descriptor) -> Answer<D> {
        let descriptors = Arc::make_mut(&mut self.state.system.descriptors);
        let free = descriptors.iter().position(Option::is_none);
        let number = free.unwrap_or(descriptors.len());
        if number == descriptors.len() {
            if number >= 1024 {
                // EMFILE
                return self.fail(24);
            }
            descriptors.push(None);
        }
        descriptors[number] = Some(new);
        Ok(int(number as i32))
    }

    fn duplicate(&mut self, number: u128) -> Answer<D> {
        match self.descriptor(number).cloned() {
            Some(descriptor) => self.open_descriptor(descriptor),
            None => self.fail(errno::BADF),
        }
    }

    fn read_descriptor(&mut self, number: u128, place: u64, length: u64) -> Answer<D> {
        let input = Arc::clone(&self.state.system.input);
        let files = Arc::clone(&self.state.system.files);
        let (contents, source, at) = match self.descriptor_mut(number) {
            Some(Descriptor::Input { at }) => (&input[..], Some(Source::Input), at),
            Some(Descriptor::File { path, at, .. }) => match files.file(path) {
                Some(file) => (&file.contents[..], file.source.map(Source::File), at),
                None => return self.fail_long(errno::BADF),
            },
            Some(Descriptor::Folder { .. }) => return self.fail_long(errno::ISDIR),
            _ => return self.fail_long(errno::BADF),
        };
        let begin = contents.len().min(*at as usize);
        let end = contents.len().min(begin.saturating_add(length as usize));
        *at += (end - begin) as u64;
        let bytes = &contents[begin..end];
        self.put_bytes(place, bytes)?;
        if D::SHADOWED
            && let Some(source) = source
        {
            let inputs = begin as u64..end as u64;
            let shadows: Vec<_> = inputs.map(|i| self.domain.input(source, i)).collect();
            let marked = self.state.memory.set_shadows(place, &shadows);
            marked.map_err(|fault| Stop::Memory(fault, place))?;
        }
        Ok(long(bytes.len() as i64))
    }

    fn write_descriptor(&mut self, number: u128, place: u64, length: u64) -> Answer<D> {
        let bytes = self.get_bytes(place, length)?;
        let limit = self.options.memory as usize;
        let system = &mut self.state.system;
        let descriptors = Arc::make_mut(&mut system.descriptors);
        let descriptor = descriptors.get_mut(number as u32 as usize).and_then(Option::as_mut);
        let stream = match descriptor {
            Some(Descriptor::Output) => Arc::make_mut(&mut system.output),
            Some(Descriptor::Error) => Arc::make_mut(&mut system.error),
            Some(Descriptor::File { path, at, append }) => {
                let files = Arc::make_mut(&mut system.files);
                let Some(length) = files.contents(path).map(<[u8]>::len) else {
                    return self.fail_long(errno::BADF);
                };
                if *append {
                    *at = length as u64;
                }
                let begin = *at as usize;
                let end = begin.saturating_add(bytes.len());
                if !files.may_grow(path, end, limit as u64) {
                    return Err(Stop::OutOfMemory);
                }
                let Some(contents) = files.change(path) else {
                    return self.fail_long(errno::BADF);
                };
                contents.resize(contents.len().max(end), 0);
                contents[begin..end].copy_from_slice(&bytes);
                *at = end as u64;
                return Ok(long(bytes.len() as i64));
            }
            _ => return self.fail_long(errno::BADF),
        };
        if stream.len().saturating_add(bytes.len()) > limit {
            return Err(Stop::OutOfMemory);
        }
        stream.extend_from_slice(&bytes);
        Ok(long(bytes.len() as i64))
    }

    /// Reads or writes the parts of an array of places and lengths, until one is short.
    fn each_part(
        &mut self,
        a: &[Value<D::Shadow>],
        one: fn(&mut Machine<D>, u128, u64, u64) -> Answer<D>,
    ) -> Answer<D> {
        let (parts, count) = (a[1].bits as u64, u64::from(a[2].bits as u32));
        let mut total = 0;
        for part in 0..count {
            let place = self.get(parts.wrapping_add(16 * part), 8)? as u64;
            let length = self.get(parts.wrapping_add(16 * part + 8), 8)? as u64;
            if length == 0 {
                continue;
            }
            let done = one(self, a[0].bits, place, length)?.bits as u64;
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

    fn seek(&mut self, number: u128, offset: i64, whence: u128) -> Answer<D> {
        let files = Arc::clone(&self.state.system.files);
        let Some(Descriptor::File { path, at, .. }) = self.descriptor_mut(number) else {
            return self.fail_long(errno::SPIPE);
        };
        let length = files.contents(path).map_or(0, <[u8]>::len) as i64;
        let from = match whence as u32 {
            0 => 0,
            1 => *at as i64,
            _ => length,
        };
        match from.checked_add(offset) {
            Some(new) if new >= 0 => {
                *at = new as u64;
                Ok(long(new))
            }
            _ => self.fail_long(errno::INVAL),
        }
    }
}
