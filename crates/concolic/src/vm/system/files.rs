//! Files and folders in memory, by their absolute paths.

use super::streams::Descriptor;
use super::{Answer, Call, errno, int, long};
use crate::vm::domain::{Domain, Value};
use crate::vm::outcome::Stop;
use crate::vm::{Machine, Options};
use std::collections::BTreeMap;
use std::sync::Arc;

const CREATE: u128 = 0x40;
const EXCLUSIVE: u128 = 0x80;
const TRUNCATE: u128 = 0x200;
const APPEND: u128 = 0x400;
const FOLDER_ONLY: u128 = 0x1_0000;
const KIND_FILE: u32 = 0o100_000;
const KIND_FOLDER: u32 = 0o040_000;
/// `struct stat` of x86-64 has that many bytes, and `struct dirent64` these before the name.
const STAT_BYTES: usize = 144;
const ENTRY_NAME: usize = 19;

#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) contents: Arc<Vec<u8>>,
    /// Which of the given files it is, as long as nothing was written to it.
    pub(super) source: Option<u32>,
}

#[derive(Clone, Debug)]
enum Node {
    File(File),
    Folder,
}

/// All files and folders.
#[derive(Clone, Debug)]
pub(super) struct Files {
    nodes: BTreeMap<Arc<[u8]>, Node>,
}

impl Files {
    pub(super) fn new(options: &Options) -> Files {
        let mut nodes = BTreeMap::new();
        nodes.insert(Arc::from(&b"/"[..]), Node::Folder);
        nodes.insert(Arc::from(&b"/tmp"[..]), Node::Folder);
        for (index, (path, contents)) in options.files.iter().enumerate() {
            let path = absolute(path);
            let slashes = memchr::memchr_iter(b'/', &path);
            for folder in slashes.filter(|&at| at > 0).map(|at| &path[..at]) {
                nodes.entry(Arc::from(folder)).or_insert(Node::Folder);
            }
            let contents = Arc::new(contents.clone());
            let file = File { contents, source: Some(index as u32) };
            nodes.insert(path, Node::File(file));
        }
        Files { nodes }
    }

    pub(super) fn file(&self, path: &[u8]) -> Option<&File> {
        match self.nodes.get(path)? {
            Node::File(file) => Some(file),
            Node::Folder => None,
        }
    }

    pub(super) fn contents(&self, path: &[u8]) -> Option<&[u8]> {
        self.file(path).map(|file| &file.contents[..])
    }

    /// A file's contents, to be written.
    pub(super) fn change(&mut self, path: &[u8]) -> Option<&mut Vec<u8>> {
        match self.nodes.get_mut(path)? {
            Node::File(file) => {
                file.source = None;
                Some(Arc::make_mut(&mut file.contents))
            }
            Node::Folder => None,
        }
    }

    /// Whether a file may grow to a length.
    pub(super) fn may_grow(&self, path: &[u8], length: usize, limit: u64) -> bool {
        let others = self.nodes.iter().filter(|(other, _)| other[..] != *path);
        let bytes = others.map(|(other, node)| match node {
            Node::File(file) => (other.len() + file.contents.len()) as u64,
            Node::Folder => other.len() as u64,
        });
        bytes.sum::<u64>().saturating_add(length as u64) <= limit
    }

    /// What stands in the way of a new entry: its folder is not there, or no folder.
    fn parent_error(&self, path: &[u8]) -> Option<i32> {
        if path.is_empty() {
            return Some(errno::NOENT);
        }
        let end = memchr::memrchr(b'/', path).unwrap_or(0).max(1);
        match self.nodes.get(&path[..end.min(path.len())]) {
            Some(Node::Folder) => None,
            Some(Node::File(_)) => Some(errno::NOTDIR),
            None => Some(errno::NOENT),
        }
    }

    /// The entries of a folder, by the parts of their names behind it.
    fn entries(&self, folder: &[u8]) -> impl Iterator<Item = (&[u8], &Node)> {
        let prefix = if folder == b"/" { folder.to_vec() } else { [folder, b"/"].concat() };
        let length = prefix.len();
        let begin: Arc<[u8]> = Arc::from(&prefix[..]);
        self.nodes
            .range(begin..)
            .take_while(move |(path, _)| path.starts_with(&prefix))
            .map(move |(path, node)| (&path[length..], node))
            .filter(|(name, _)| !name.is_empty() && !name.contains(&b'/'))
    }
}

/// A path from the root, without `.` and `..`; the current folder is the root.
fn absolute(path: &[u8]) -> Arc<[u8]> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let mut whole = Vec::new();
    for part in parts {
        whole.push(b'/');
        whole.extend_from_slice(part);
    }
    if whole.is_empty() {
        whole.push(b'/');
    }
    Arc::from(whole)
}

pub(super) fn lookup<D: Domain>(name: &str) -> Option<Call<D>> {
    Some(match name {
        "open64" | "open" => |machine, a| machine.open(a[0].bits, a[1].bits),
        "openat" | "openat64" => |machine, a| machine.open(a[1].bits, a[2].bits),
        "stat64" | "lstat64" | "stat" | "lstat" => |machine, a| {
            let path = machine.path(a[0].bits)?;
            machine.status(&path, a[1].bits as u64)
        },
        "fstat64" | "fstat" => |machine, a| machine.descriptor_status(a[0].bits, a[1].bits as u64),
        // Who is told that there is none asks `stat64`.
        "statx" => |machine, _| machine.fail(errno::NOSYS),
        "access" | "chmod" => |machine, a| {
            let path = machine.path(a[0].bits)?;
            match machine.state.system.files.nodes.contains_key(&path) {
                true => Ok(int(0)),
                false => machine.fail(errno::NOENT),
            }
        },
        // There are no links.
        "readlink" => |machine, a| {
            let path = machine.path(a[0].bits)?;
            let is_there = machine.state.system.files.nodes.contains_key(&path);
            machine.fail_long(if is_there { errno::INVAL } else { errno::NOENT })
        },
        "realpath" => |machine, a| machine.real_path(a[0].bits, a[1].bits as u64),
        "getcwd" => |machine, a| {
            if a[1].bits < 2 {
                machine.fail_with(errno::RANGE)?;
                return Ok(Value::none());
            }
            machine.put_bytes(a[0].bits as u64, b"/\0")?;
            Ok(a[0])
        },
        "mkdir" => |machine, a| machine.make_folder(a[0].bits),
        "rmdir" => |machine, a| machine.remove(a[0].bits, true),
        "unlink" => |machine, a| machine.remove(a[0].bits, false),
        "rename" => |machine, a| machine.rename(a[0].bits, a[1].bits),
        "ftruncate64" | "ftruncate" => |machine, a| machine.truncate(a[0].bits, a[1].bits as u64),
        "opendir" => |machine, a| machine.open_folder(a[0].bits),
        "readdir64" | "readdir" => |machine, a| machine.next_entry(a[0].bits as u64),
        "dirfd" => |machine, a| Ok(int(machine.folder(a[0].bits as u64)? as i32)),
        "closedir" => |machine, a| {
            let number = machine.folder(a[0].bits as u64)?;
            Arc::make_mut(&mut machine.state.system.descriptors)[number] = None;
            Ok(int(0))
        },
        "fchmod" | "utimensat" | "futimens" | "flock" => |_, _| Ok(int(0)),
        _ => return None,
    })
}

impl<D: Domain> Machine<D> {
    fn path(&self, address: u128) -> Result<Arc<[u8]>, Stop> {
        let path = self.get_string(address as u64)?;
        // An empty path is that of nothing.
        Ok(if path.is_empty() { Arc::default() } else { absolute(&path) })
    }

    fn nodes(&mut self) -> &mut BTreeMap<Arc<[u8]>, Node> {
        &mut Arc::make_mut(&mut self.state.system.files).nodes
    }

    fn open(&mut self, path: u128, flags: u128) -> Answer<D> {
        let path = self.path(path)?;
        let files = Arc::clone(&self.state.system.files);
        let writes = flags & 3 != 0;
        match files.nodes.get(&path) {
            Some(_) if flags & (CREATE | EXCLUSIVE) == CREATE | EXCLUSIVE => {
                return self.fail(errno::EXIST);
            }
            Some(Node::Folder) if writes => return self.fail(errno::ISDIR),
            Some(Node::File(_)) if flags & FOLDER_ONLY != 0 => return self.fail(errno::NOTDIR),
            Some(Node::File(_)) if flags & TRUNCATE != 0 && writes => {
                let files = Arc::make_mut(&mut self.state.system.files);
                if let Some(contents) = files.change(&path) {
                    contents.clear();
                }
            }
            Some(_) => {}
            None if flags & CREATE == 0 => return self.fail(errno::NOENT),
            None => {
                if let Some(error) = files.parent_error(&path) {
                    return self.fail(error);
                }
                let file = File { contents: Arc::default(), source: None };
                self.nodes().insert(Arc::clone(&path), Node::File(file));
            }
        }
        let append = flags & APPEND != 0;
        self.open_descriptor(Descriptor::File { path, at: 0, append })
    }

    fn status(&mut self, path: &[u8], place: u64) -> Answer<D> {
        let files = Arc::clone(&self.state.system.files);
        match files.nodes.get(path) {
            None => self.fail(errno::NOENT),
            Some(Node::Folder) => self.put_status(place, KIND_FOLDER | 0o755, 4096),
            Some(Node::File(file)) => {
                self.put_status(place, KIND_FILE | 0o644, file.contents.len() as u64)
            }
        }
    }

    fn descriptor_status(&mut self, number: u128, place: u64) -> Answer<D> {
        match self.descriptor(number).cloned() {
            None => self.fail(errno::BADF),
            Some(Descriptor::File { path, .. } | Descriptor::Folder { path, .. }) => {
                self.status(&path, place)
            }
            // A pipe.
            Some(_) => self.put_status(place, 0o010_600, 0),
        }
    }

    fn put_status(&mut self, place: u64, mode: u32, size: u64) -> Answer<D> {
        let mut status = [0; STAT_BYTES];
        status[16..24].copy_from_slice(&1u64.to_le_bytes());
        status[24..28].copy_from_slice(&mode.to_le_bytes());
        status[48..56].copy_from_slice(&size.to_le_bytes());
        status[56..64].copy_from_slice(&4096u64.to_le_bytes());
        status[64..72].copy_from_slice(&size.div_ceil(512).to_le_bytes());
        self.put_bytes(place, &status)?;
        Ok(int(0))
    }

    fn real_path(&mut self, path: u128, place: u64) -> Answer<D> {
        let path = self.path(path)?;
        if !self.state.system.files.nodes.contains_key(&path) {
            self.fail_with(errno::NOENT)?;
            return Ok(Value::none());
        }
        let text = [&path[..], &[0]].concat();
        let place = match place {
            // Who passes null frees the result.
            0 => {
                let size = text.len() as u64;
                self.state.memory.allocate(size, 16, crate::vm::memory::Kind::Heap)?
            }
            place => place,
        };
        self.put_bytes(place, &text)?;
        Ok(long(place as i64))
    }

    fn make_folder(&mut self, path: u128) -> Answer<D> {
        let path = self.path(path)?;
        if self.state.system.files.nodes.contains_key(&path) {
            return self.fail(errno::EXIST);
        }
        if let Some(error) = self.state.system.files.parent_error(&path) {
            return self.fail(error);
        }
        self.nodes().insert(path, Node::Folder);
        Ok(int(0))
    }

    fn remove(&mut self, path: u128, folder: bool) -> Answer<D> {
        let path = self.path(path)?;
        let files = &self.state.system.files;
        match files.nodes.get(&path) {
            None => return self.fail(errno::NOENT),
            Some(Node::File(_)) if folder => return self.fail(errno::NOTDIR),
            Some(Node::Folder) if !folder => return self.fail(errno::ISDIR),
            Some(Node::Folder) if files.entries(&path).next().is_some() => {
                return self.fail(errno::NOTEMPTY);
            }
            Some(_) => {}
        }
        self.nodes().remove(&path);
        Ok(int(0))
    }

    fn rename(&mut self, from: u128, to: u128) -> Answer<D> {
        let (from, to) = (self.path(from)?, self.path(to)?);
        match self.state.system.files.nodes.get(&from) {
            None => return self.fail(errno::NOENT),
            Some(Node::Folder) => return Err(Stop::Other("renaming folders")),
            Some(Node::File(_)) => {}
        }
        if let Some(error) = self.state.system.files.parent_error(&to) {
            return self.fail(error);
        }
        if let Some(Node::Folder) = self.state.system.files.nodes.get(&to) {
            return self.fail(errno::ISDIR);
        }
        if let Some(node) = self.nodes().remove(&from) {
            self.nodes().insert(to, node);
        }
        Ok(int(0))
    }

    fn truncate(&mut self, number: u128, length: u64) -> Answer<D> {
        let Some(Descriptor::File { path, .. }) = self.descriptor(number).cloned() else {
            return self.fail(errno::INVAL);
        };
        self.charge(length);
        if !self.state.system.files.may_grow(&path, length as usize, self.options.memory) {
            return Err(Stop::OutOfMemory);
        }
        match Arc::make_mut(&mut self.state.system.files).change(&path) {
            Some(contents) => {
                contents.resize(length as usize, 0);
                Ok(int(0))
            }
            None => self.fail(errno::BADF),
        }
    }

    fn open_folder(&mut self, path: u128) -> Answer<D> {
        let path = self.path(path)?;
        let error = match self.state.system.files.nodes.get(&path) {
            Some(Node::Folder) => None,
            Some(Node::File(_)) => Some(errno::NOTDIR),
            None => Some(errno::NOENT),
        };
        if let Some(error) = error {
            self.fail_with(error)?;
            return Ok(Value::none());
        }
        let entry = self.own(&[0; 280])?;
        let descriptor = Descriptor::Folder { path, entry, last: None };
        let number = self.open_descriptor(descriptor)?;
        Ok(if number.bits as i32 == -1 { Value::none() } else { long(entry as i64) })
    }

    /// The number of the descriptor whose entries are put there.
    fn folder(&self, place: u64) -> Result<usize, Stop> {
        let mut descriptors = self.state.system.descriptors.iter();
        let found = descriptors.position(
            |open| matches!(open, Some(Descriptor::Folder { entry, .. }) if *entry == place),
        );
        found.ok_or(Stop::Other("a folder that is not open"))
    }

    fn next_entry(&mut self, place: u64) -> Answer<D> {
        let number = self.folder(place)?;
        let files = Arc::clone(&self.state.system.files);
        let descriptors = Arc::make_mut(&mut self.state.system.descriptors);
        let Some(Descriptor::Folder { path, last, .. }) = &mut descriptors[number] else {
            return Ok(Value::none());
        };
        let next = files.entries(path).find(|(name, _)| last.as_deref().is_none_or(|l| *name > l));
        let Some((name, node)) = next else {
            return Ok(Value::none());
        };
        *last = Some(Arc::from(name));
        let mut entry = vec![0; ENTRY_NAME];
        entry[0] = 1;
        entry[16..18].copy_from_slice(&280u16.to_le_bytes());
        entry[18] = if matches!(node, Node::Folder) { 4 } else { 8 };
        entry.extend_from_slice(&name[..name.len().min(255)]);
        entry.push(0);
        self.put_bytes(place, &entry)?;
        Ok(long(place as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_made_plain() {
        assert_eq!(&*absolute(b"a/./b//../c"), b"/a/c");
        assert_eq!(&*absolute(b"../.."), b"/");
    }

    #[test]
    fn a_folder_lists_what_lies_directly_in_it() {
        let files = [b"/a/b/c".to_vec(), b"/a/d".to_vec(), b"/ab".to_vec()];
        let files = files.into_iter().map(|path| (path, Vec::new()));
        let files = Files::new(&Options::new().files(files));
        let names: Vec<_> = files.entries(b"/a").map(|(name, _)| name).collect();
        assert_eq!(names, [&b"b"[..], b"d"]);
    }
}
