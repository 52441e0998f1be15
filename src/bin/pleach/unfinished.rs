//! What is to be removed when a signal ends the process: files that are being written, and folders
//! of temporary ones.
//!
//! There is one handler for SIGINT, SIGTERM and SIGHUP. The first signal goes to those who listen,
//! who end their work in order; where nobody does, or at the second one, what is unfinished is
//! removed and the process ends.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

use crate::failure::Failure;

/// What the handler goes by.
struct State {
    paths: BTreeSet<PathBuf>,
    listeners: Vec<Box<dyn Fn() + Send>>,
    asked: bool,
}

static STATE: Mutex<State> =
    Mutex::new(State { paths: BTreeSet::new(), listeners: Vec::new(), asked: false });

/// Whoever panicked left the state as good as it was.
fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Exit status after a signal that nobody listens to: that of SIGINT, as shells have it.
const INTERRUPTED: i32 = 130;

fn on_signal() {
    // It is not unlocked again where the process ends: nothing new is begun meanwhile.
    let mut state = state();
    let again = std::mem::replace(&mut state.asked, true);
    if !again && !state.listeners.is_empty() {
        state.listeners.iter().for_each(|listener| listener());
        return;
    }
    for path in &state.paths {
        remove(path);
    }
    std::process::exit(if state.listeners.is_empty() { INTERRUPTED } else { 3 });
}

fn handle() -> Result<(), ctrlc::Error> {
    static HANDLED: Once = Once::new();
    let mut result = Ok(());
    HANDLED.call_once(|| result = ctrlc::set_handler(on_signal));
    result
}

/// Has the first signal call this instead of ending the process.
pub(crate) fn listen(listener: impl Fn() + Send + 'static) -> Result<(), Failure> {
    handle().map_err(|error| Failure::Input(format!("error: signals: {error}")))?;
    state().listeners.push(Box::new(listener));
    Ok(())
}

/// A flag that the first signal sets.
pub(crate) fn interruption() -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    listen(move || flag.store(true, Ordering::Relaxed))?;
    Ok(interrupted)
}

/// A file or folder that does not outlive this, nor the process if a signal ends it.
#[derive(Debug)]
pub(crate) struct Unfinished {
    path: PathBuf,
}

impl Unfinished {
    /// Makes a file beside another, under a name by which readers of folders know it.
    pub(crate) fn beside(path: &Path) -> io::Result<(Self, File)> {
        Self::make(beside(path), |path| File::create(path))
    }

    /// Makes a folder beside another, or beside where it is to be, under such a name.
    pub(crate) fn folder_beside(path: &Path) -> io::Result<Self> {
        Self::folder(beside(path))
    }

    /// Makes a folder.
    pub(crate) fn folder(path: PathBuf) -> io::Result<Self> {
        Ok(Self::make(path, |path| fs::create_dir(path))?.0)
    }

    /// Takes what is there over, if anything is.
    pub(crate) fn at(path: PathBuf) -> Self {
        state().paths.insert(path.clone());
        Self { path }
    }

    fn make<T>(path: PathBuf, make: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<(Self, T)> {
        // Without a handler it is removed at the end all the same.
        let _ = handle();
        let mut state = state();
        let made = make(&path)?;
        state.paths.insert(path.clone());
        Ok((Self { path }, made))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// A new name beside a path.
fn beside(path: &Path) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!("{BEFORE}{}-{number}{AFTER}", std::process::id()))
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut state = state();
        state.paths.remove(&self.path);
        remove(&self.path);
    }
}

/// Removes a file, or a folder with all that is in it, as far as that can be done: nothing depends
/// on it.
fn remove(path: &Path) {
    let Ok(found) = path.symlink_metadata() else { return };
    if !found.is_dir() {
        let _ = fs::remove_file(path);
        return;
    }
    if fs::remove_dir_all(path).is_err() {
        // What was run may have taken away the right to change a folder, or be writing still.
        open(path);
        let _ = fs::remove_dir_all(path);
    }
}

/// Gives folders back to their owner.
#[cfg(unix)]
fn open(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        let _ = fs::set_permissions(&folder, fs::Permissions::from_mode(0o700));
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        pending.extend(folders.map(|entry| entry.path()));
    }
}

#[cfg(not(unix))]
fn open(_: &Path) {}

/// What the names of files that are being written begin and end with; the process and a number
/// stand between.
const BEFORE: &str = ".pleach-";
const AFTER: &str = ".tmp";

/// Whether a file has the name of one that is being written, or that a killed run left.
pub(crate) fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let inner = name.and_then(|name| name.strip_prefix(BEFORE)?.strip_suffix(AFTER));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    inner.and_then(|inner| inner.split_once('-')).is_some_and(|(a, b)| digits(a) && digits(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_unfinished_files_are_told_from_others() {
        for (name, is) in [
            (".pleach-7-0.tmp", true),
            ("a/.pleach-70-12.tmp", true),
            (".pleach-7-.tmp", false),
            (".pleach-7.tmp", false),
            ("pleach-7-0.tmp", false),
            (".pleach-7-0.tmp.json", false),
            (".pleach-x-0.tmp", false),
        ] {
            assert_eq!(is_unfinished(Path::new(name)), is, "{name}");
        }
    }
}
