//! Processes apart: the fork that keeps a call's context, and from it one for each batch.
//!
//! The first fork does nothing but wait for batches, so that whatever the unit does to its memory, or to itself, ends with its batch.

use super::tester::Tester;
use super::{Call, Values};
use crate::wire::{self, Batch, Row, Told};
use std::ffi::{CString, c_int};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What a process may use: memory beside what it has, and seconds of CPU.
const MEMORY: u64 = 1 << 30;
const SECONDS: u64 = 10;
/// After how many ticks of the clock a run is said not to come to its end, and how many microseconds one takes.
const TICKS: u64 = 5;
const TICK: libc::suseconds_t = 200_000;
/// How many seconds a fork has until it says that it is there.
const BEGINNING: u32 = 5;
/// The exit status of a batch's process that has done what it should, and of one of which a run does not come to its end.
const DONE: c_int = 96;
const HANGS: c_int = 97;
/// How much room there is for rows of values, of which one has half at most.
const ROOM: usize = 1 << 21;

/// Forks; whether this is the fork. The program never hears of it: a process between them ends at once.
pub(super) fn fork() -> bool {
    // SAFETY: the fork has the memory of all threads and runs this one alone. It allocates, which the C library's fork allows for; a
    // lock that another thread had makes the unit one that does not come to its end.
    unsafe {
        match libc::fork() {
            -1 => false,
            0 => {
                // Before there is another process: who ends the program's group would end that with it.
                libc::setsid();
                match libc::fork() {
                    0 => {
                        libc::setpgid(0, 0);
                        // It may come to a lock that another thread had, of which nobody would know.
                        libc::signal(libc::SIGALRM, libc::SIG_DFL);
                        libc::alarm(BEGINNING);
                        true
                    }
                    _ => libc::_exit(0),
                }
            }
            between => {
                while libc::waitpid(between, std::ptr::null_mut(), 0) < 0
                    && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
                {
                }
                false
            }
        }
    }
}

/// Ends this process, and runs nothing of the program for it.
pub(super) fn end(status: c_int) -> ! {
    // SAFETY: it does not return.
    unsafe { libc::_exit(status) }
}

/// How much CPU time this process has had. The clocks that the C library reads may be other than they are, for the program.
pub(super) fn used() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the time that is written to is this function's.
    unsafe {
        #[cfg(target_os = "linux")]
        libc::syscall(libc::SYS_clock_gettime, libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time);
        #[cfg(not(target_os = "linux"))]
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time);
    }
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Runs batches until the campaign has no more.
pub(super) fn serve(folder: &Path, call: &Call, function: &mut dyn FnMut(&Values)) {
    let here = folder.join(format!("unit{}", call.number));
    // It may be there; without it nothing is run.
    let _ = std::fs::create_dir(&here);
    if std::env::set_current_dir(&here).is_err() {
        return;
    }
    leave_files(None);
    leave_mappings(super::hooks::shared());
    let Ok(mut stream) = UnixStream::connect(folder.join(wire::SOCKET)) else { return };
    let Some(page) = Page::new() else { return };
    limit();
    if (Told::Unit { number: call.number, process: std::process::id() }).send(&mut stream).is_err()
    {
        return;
    }
    // SAFETY: the campaign knows of this process from here on, and ends it.
    unsafe { libc::alarm(0) };
    while let Ok(Some(batch)) = Batch::receive(&mut stream) {
        page.runs.store(0, Ordering::Relaxed);
        page.nanoseconds.store(0, Ordering::Relaxed);
        page.calls.store(0, Ordering::Relaxed);
        page.begin.store(0, Ordering::Relaxed);
        page.length.store(0, Ordering::Relaxed);
        // SAFETY: as above; this process has one thread.
        let ended = match unsafe { libc::fork() } {
            -1 => return,
            0 => {
                leave_files(Some(stream.as_raw_fd()));
                watch(page);
                Tester::new(call, batch, page, &mut stream, function).run();
                end(DONE)
            }
            process => wait(process),
        };
        if let Some(signal) = ended
            && (Told::Ended { row: page.row(), signal }).send(&mut stream).is_err()
        {
            return;
        }
        let done = Told::Done {
            runs: page.runs.load(Ordering::Relaxed),
            nanoseconds: page.nanoseconds.load(Ordering::Relaxed),
            calls: page.calls.load(Ordering::Relaxed),
        };
        if done.send(&mut stream).is_err() {
            return;
        }
    }
}

/// How a batch's process came to an end of itself: by which signal, or 0 where by its exit; by none if it had to be ended.
fn wait(process: libc::pid_t) -> Option<Option<u32>> {
    let mut status = 0;
    // SAFETY: the process is this one's child, and waited for once.
    while unsafe { libc::waitpid(process, &mut status, 0) } < 0 {
        if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            return None;
        }
    }
    match (libc::WIFSIGNALED(status), libc::WEXITSTATUS(status)) {
        (true, _) if libc::WTERMSIG(status) == libc::SIGXCPU => Some(None),
        (true, _) => Some(Some(libc::WTERMSIG(status) as u32)),
        (false, DONE) => None,
        (false, HANGS) => Some(None),
        (false, _) => Some(Some(0)),
    }
}

/// Files that can only be read, from where they stand; and in the place of all else, sockets and pipes, nothing.
fn leave_files(but: Option<c_int>) {
    let Ok(all) = std::fs::read_dir("/proc/self/fd") else { end(0) };
    let numbers: Vec<c_int> =
        all.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    // SAFETY: these are descriptors of this process, and what is put into their place is open, too.
    unsafe {
        let nothing = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        for number in numbers.into_iter().filter(|it| Some(*it) != but && *it != nothing) {
            let mut kind: libc::stat = std::mem::zeroed();
            // The one by which the folder was read is gone.
            if libc::fstat(number, &mut kind) != 0 || kind.st_mode & libc::S_IFMT == libc::S_IFDIR {
                continue;
            }
            let is_file = kind.st_mode & libc::S_IFMT == libc::S_IFREG && !(1..3).contains(&number);
            let path = CString::new(format!("/proc/self/fd/{number}")).unwrap_or_default();
            let again = match is_file {
                true => libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC),
                false => -1,
            };
            if again < 0 {
                libc::dup2(nothing, number);
                continue;
            }
            libc::lseek(again, libc::lseek(number, 0, libc::SEEK_CUR), libc::SEEK_SET);
            libc::dup2(again, number);
            libc::close(again);
        }
        libc::close(nothing);
    }
}

/// Memory of files that is shared, as a copy: what the unit writes there goes nowhere. But for that at an address.
fn leave_mappings(but: *const u8) {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for (range, file) in
        maps.lines().filter_map(mapping).filter(|it| !it.0.contains(&(but as usize)))
    {
        let Ok(path) = CString::new(file.path) else { continue };
        let (at, length) = (range.start as *mut libc::c_void, range.len());
        // SAFETY: what is mapped there stays mapped, with the same bytes or so that it can't be written.
        unsafe {
            let again = libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
            let mut kind: libc::stat = std::mem::zeroed();
            let is_it =
                again >= 0 && libc::fstat(again, &mut kind) == 0 && kind.st_ino == file.number;
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let how = libc::MAP_PRIVATE | libc::MAP_FIXED;
            if !is_it || libc::mmap(at, length, access, how, again, file.offset) == libc::MAP_FAILED
            {
                libc::mprotect(at, length, libc::PROT_READ);
            }
            if again >= 0 {
                libc::close(again);
            }
        }
    }
}

/// A file that memory is of.
struct Mapped<'a> {
    path: &'a str,
    number: libc::ino_t,
    offset: libc::off_t,
}

/// Where memory is that is shared and can be written, by a line of `/proc/self/maps`.
fn mapping(line: &str) -> Option<(std::ops::Range<usize>, Mapped<'_>)> {
    let mut parts = line.splitn(6, ' ');
    let (begin, end) = parts.next()?.split_once('-')?;
    let number = |text| usize::from_str_radix(text, 16).ok();
    let range = number(begin)?..number(end)?;
    let access = parts.next()?;
    let offset = i64::from_str_radix(parts.next()?, 16).ok()? as libc::off_t;
    let number = parts.nth(1)?.parse().ok()?;
    let path = parts.next().unwrap_or_default().trim_start();
    (access.starts_with("rw") && access.ends_with('s'))
        .then_some((range, Mapped { path, number, offset }))
}

fn limit() {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = statm.split(' ').next().and_then(|it| it.parse().ok()).unwrap_or_default();
    // SAFETY: these are limits of this process and its children.
    unsafe {
        let size = pages * libc::sysconf(libc::_SC_PAGESIZE).max(0) as u64;
        let set = |which, limit| {
            let limit = libc::rlimit { rlim_cur: limit, rlim_max: limit };
            libc::setrlimit(which, &limit);
        };
        set(libc::RLIMIT_AS, size + MEMORY);
        set(libc::RLIMIT_CORE, 0);
        // No file grows, wherever it is.
        set(libc::RLIMIT_FSIZE, 0);
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

static WATCHED: AtomicU64 = AtomicU64::new(0);

/// Ends a run that does not come to its end, and the process that has taken its time.
fn watch(page: &'static Page) {
    extern "C" fn tick(_: c_int) {
        static LAST: AtomicU64 = AtomicU64::new(0);
        static SAME: AtomicU64 = AtomicU64::new(0);
        let runs = WATCHED.load(Ordering::Relaxed) as *const AtomicU64;
        // SAFETY: the page is never given back.
        let runs = unsafe { (*runs).load(Ordering::Relaxed) };
        if LAST.swap(runs, Ordering::Relaxed) != runs {
            SAME.store(0, Ordering::Relaxed);
        } else if SAME.fetch_add(1, Ordering::Relaxed) + 1 >= TICKS {
            end(HANGS);
        }
    }
    WATCHED.store(&raw const page.runs as u64, Ordering::Relaxed);
    // SAFETY: the handler uses statics and the page alone.
    unsafe {
        let limit = libc::rlimit { rlim_cur: SECONDS, rlim_max: SECONDS };
        libc::setrlimit(libc::RLIMIT_CPU, &limit);
        libc::signal(libc::SIGXCPU, libc::SIG_DFL);
        libc::signal(libc::SIGALRM, tick as *const () as libc::sighandler_t);
        let every = libc::timeval { tv_sec: 0, tv_usec: TICK };
        let timer = libc::itimerval { it_interval: every, it_value: every };
        libc::setitimer(libc::ITIMER_REAL, &timer, std::ptr::null_mut());
        let mut alarm: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut alarm);
        libc::sigaddset(&mut alarm, libc::SIGALRM);
        libc::sigprocmask(libc::SIG_UNBLOCK, &alarm, std::ptr::null_mut());
    }
}

/// Memory that a batch's process and the one that waits for it share.
#[repr(C)]
pub(super) struct Page {
    pub(super) runs: AtomicU64,
    pub(super) nanoseconds: AtomicU64,
    pub(super) calls: AtomicU64,
    /// Where the last row stands.
    begin: AtomicU64,
    length: AtomicU64,
    room: std::cell::UnsafeCell<[u8; ROOM]>,
}

impl Page {
    fn new() -> Option<&'static Page> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let shared = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
        // SAFETY: the memory is new, full of zeros, of which all fields can be made, and never given back.
        unsafe {
            let at = libc::mmap(std::ptr::null_mut(), size_of::<Page>(), access, shared, -1, 0);
            (at != libc::MAP_FAILED).then(|| &*at.cast::<Page>())
        }
    }

    /// Where rows are written.
    fn room(&self) -> *mut u8 {
        self.room.get().cast()
    }

    /// Writes values down before they are run, behind those before, and at the front again where there is no room; not if they are too long.
    pub(super) fn write(&'static self, row: &Row) -> Option<&'static [u8]> {
        let length: usize = row.iter().map(|value| 4 + value.len()).sum();
        if length > ROOM / 2 {
            return None;
        }
        let behind = self.begin.load(Ordering::Relaxed) + self.length.load(Ordering::Relaxed);
        let begin = Some(behind as usize).filter(|it| *it <= ROOM - length).unwrap_or_default();
        // SAFETY: the page is never given back; the one process that writes has one thread, and the other one reads when this one has ended. A unit
        // that keeps values may have a reference to what is written: it runs apart, and what it does with others there comes to nothing.
        let room = unsafe { std::slice::from_raw_parts_mut(self.room().add(begin), length) };
        let mut rest = &mut *room;
        for value in row {
            let (begin, behind) = std::mem::take(&mut rest).split_at_mut(4);
            begin.copy_from_slice(&(value.len() as u32).to_le_bytes());
            let (bytes, behind) = behind.split_at_mut(value.len());
            bytes.copy_from_slice(value);
            rest = behind;
        }
        self.begin.store(begin as u64, Ordering::Relaxed);
        self.length.store(length as u64, Ordering::Relaxed);
        Some(room)
    }

    /// The values that were written last. The unit may have written there, too.
    fn row(&self) -> Row {
        let [begin, length] =
            [&self.begin, &self.length].map(|it| (it.load(Ordering::Relaxed) as usize).min(ROOM));
        // SAFETY: as above, and what is read ends with the room.
        let written =
            unsafe { std::slice::from_raw_parts(self.room().add(begin), length.min(ROOM - begin)) };
        values(written).map(<[u8]>::to_vec).collect()
    }
}

/// Values as they are written: each behind its length.
pub(super) fn values(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, behind) = rest.split_first_chunk::<4>()?;
        let (value, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        rest = behind;
        Some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;
    use std::sync::Mutex;

    /// Held where memory that is shared is in use: all of the process's own becomes private in one of the tests.
    static SHARED: Mutex<()> = Mutex::new(());

    #[test]
    fn a_file_that_is_mapped_is_not_written_by_a_unit() {
        let _alone = SHARED.lock();
        let path = std::env::temp_dir().join(format!("pleach-unit-mapped-{}", std::process::id()));
        std::fs::write(&path, b"as it was").unwrap();
        let file = std::fs::File::options().read(true).write(true).open(&path).unwrap();
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the mappings are new, and the file has a byte there.
        let (own, other) = unsafe {
            let map = || {
                let shared = libc::MAP_SHARED;
                libc::mmap(std::ptr::null_mut(), 1, access, shared, file.as_raw_fd(), 0)
                    .cast::<u8>()
            };
            (map(), map())
        };
        leave_mappings(other);
        // SAFETY: as above.
        unsafe {
            assert_eq!(*own, b'a');
            own.write_volatile(b'x');
            assert_eq!(std::fs::read(&path).unwrap(), b"as it was");
            other.write_volatile(b'y');
        }
        assert_eq!(std::fs::read(&path).unwrap(), b"ys it was", "but for one");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_a_unit_keeps_of_its_values_stays_for_a_while() {
        let _alone = SHARED.lock();
        let page = Page::new().unwrap();
        let rows = [
            vec![b"a".to_vec(), Vec::new()],
            vec![vec![b'x'; ROOM / 2 - 4]],
            vec![vec![0; ROOM / 2]],
        ];
        let first = page.write(&rows[0]).unwrap();
        assert_eq!(page.row(), rows[0]);
        assert!(page.write(&rows[1]).is_some() && page.write(&rows[2]).is_none());
        assert_eq!(page.row(), rows[1]);
        assert_eq!(values(first).collect::<Vec<_>>(), rows[0], "it is where it was");
        let again = page.write(&rows[1]).unwrap();
        assert_eq!(again.as_ptr(), first.as_ptr(), "there was no room behind the others");
    }

    #[test]
    fn mappings_are_read_with_names_that_have_spaces() {
        let line = "7f00-8f00 rw-s 00001000 fe:01 42                         /a b/c";
        let (range, file) = mapping(line).unwrap();
        assert_eq!(
            (range, file.path, file.number, file.offset),
            (0x7f00..0x8f00, "/a b/c", 42, 4096)
        );
        for other in ["7f00-8f00 rw-p 0 fe:01 42 /a", "7f00-8f00 r--s 0 fe:01 42 /a", "", "x"] {
            assert!(mapping(other).is_none(), "{other}");
        }
    }
}
