//! Runs a command on texts: with a time limit, whatever it writes, and all that it starts.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::inputs::shown;
use crate::unfinished::Unfinished;

/// What stands for the file's path in arguments: the first that is in any of them.
pub(crate) const PLACEHOLDERS: [&str; 2] = ["@@", "{}"];

/// How long output is waited for when the command has ended and something that it started and that
/// left its process group keeps the pipe open.
const GRACE: Duration = Duration::from_secs(1);

/// How many bytes of output are kept.
const CAPTURED: u64 = 1 << 20;

/// A command that is run on texts.
#[derive(Debug)]
pub(crate) struct Runs {
    program: OsString,
    arguments: Vec<OsString>,
    placeholder: Option<&'static str>,
    timeout: Duration,
    contains: Option<Vec<u8>>,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Code(i32),
    Signal(i32),
    TimedOut,
}

impl Ending {
    pub(crate) fn of(status: ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::Signal(signal);
        }
        Self::Code(status.code().unwrap_or(-1))
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit status {code}"),
            Self::Signal(signal) => write!(f, "death by signal {signal}"),
            Self::TimedOut => write!(f, "a timeout"),
        }
    }
}

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) ending: Ending,
    /// Whether the text that is looked for was in the output; false if none is.
    pub(crate) contains: bool,
}

impl Runs {
    /// A command; with `stdin` its arguments are left as they are.
    pub(crate) fn new(command: &[OsString], stdin: bool) -> Self {
        let (program, arguments) = match command.split_first() {
            Some((program, arguments)) => (program.clone(), arguments.to_vec()),
            None => (OsString::new(), Vec::new()),
        };
        let has = |mark: &&str| {
            arguments.iter().any(|argument| argument.to_str().is_some_and(|s| s.contains(*mark)))
        };
        let placeholder = PLACEHOLDERS.into_iter().find(|mark| !stdin && has(mark));
        Self { program, arguments, placeholder, timeout: Duration::MAX, contains: None }
    }

    /// Ends each run after this time.
    pub(crate) fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Looks for a text in what the command writes.
    pub(crate) fn contains(self, text: Option<&str>) -> Self {
        Self { contains: text.map(|text| text.as_bytes().to_vec()), ..self }
    }

    fn command(&self, path: &Path, captures: bool) -> io::Result<Command> {
        let mut command = Command::new(&self.program);
        for argument in &self.arguments {
            command.arg(match (self.placeholder, argument.to_str()) {
                (Some(mark), Some(text)) => {
                    let mut pieces = text.split(mark);
                    let mut full = OsString::from(pieces.next().unwrap_or_default());
                    for piece in pieces {
                        full.push(path);
                        full.push(piece);
                    }
                    full
                }
                _ => argument.clone(),
            });
        }
        match self.placeholder {
            Some(_) => command.stdin(Stdio::null()),
            None => command.stdin(File::open(path).map_err(|error| misplaced(path, &error))?),
        };
        let output = |wanted| if wanted { Stdio::piped() } else { Stdio::null() };
        let searches = self.contains.is_some();
        command.stdout(output(searches || captures)).stderr(output(searches));
        // A group of its own, so that what it starts ends with it, and so that Ctrl-C is ours.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(command)
    }

    /// Starts the command. An error says that it cannot be run.
    fn spawn(&self, path: &Path, captures: bool) -> io::Result<Child> {
        let cannot = |error: io::Error| {
            let program = shown(Path::new(&self.program));
            io::Error::new(error.kind(), format!("cannot run {program}: {error}"))
        };
        self.command(path, captures)?.spawn().map_err(cannot)
    }

    /// Runs the command on a text that is written to `path`; none if `stop` was set meanwhile.
    pub(crate) fn run(
        &self,
        path: &Path,
        text: &[u8],
        stop: &dyn Fn() -> bool,
    ) -> io::Result<Option<Run>> {
        place(path, text)?;
        let mut child = self.spawn(path, false)?;
        let search = self.contains.as_ref().map(|wanted| Search::begin(&mut child, wanted));
        let ended = self.wait(&mut child, stop)?;
        let contains = search.is_some_and(|search| ended.is_some() && search.end());
        Ok(ended.map(|ending| Run { ending, contains }))
    }

    /// Runs the command as [`Runs::run`], and gives the first [`CAPTURED`] bytes of its standard output.
    pub(crate) fn capture(
        &self,
        path: &Path,
        text: &[u8],
        stop: &dyn Fn() -> bool,
    ) -> io::Result<Option<(Ending, Vec<u8>)>> {
        place(path, text)?;
        let mut child = self.spawn(path, true)?;
        let output = child.stdout.take().map(collect);
        let ended = self.wait(&mut child, stop)?;
        // What left the group may keep the pipe open.
        let output = output.and_then(|output| output.recv_timeout(GRACE).ok());
        Ok(ended.map(|ending| (ending, output.unwrap_or_default())))
    }

    /// Waits until the command has ended, ends it when it is time to, and then all that is left of
    /// its group.
    fn wait(&self, child: &mut Child, stop: &dyn Fn() -> bool) -> io::Result<Option<Ending>> {
        let started = Instant::now();
        let mut killed = None;
        let mut pause = Duration::from_micros(20);
        while !has_ended(child)? {
            let elapsed = started.elapsed();
            if stop() {
                killed = Some(None);
            } else if elapsed >= self.timeout {
                killed = Some(Some(Ending::TimedOut));
            }
            if killed.is_some() {
                break;
            }
            // A run takes some 6 % longer for this at the most.
            thread::sleep(pause.min(self.timeout.saturating_sub(elapsed)));
            pause = (elapsed / 16).clamp(pause, Duration::from_millis(5));
        }
        // It is not reaped yet, so no other process can have its number.
        end_group(child);
        let status = child.wait()?;
        Ok(killed.unwrap_or_else(|| Some(Ending::of(status))))
    }
}

/// Writes the file that a command reads. Whatever a run before made of it, or of its folder, goes; a
/// link is not followed.
fn place(path: &Path, text: &[u8]) -> io::Result<()> {
    let write = || File::create_new(path)?.write_all(text);
    let again = || {
        if let Some(folder) = path.parent() {
            drop(Unfinished::at(folder.into()));
            fs::create_dir_all(folder)?;
        }
        write()
    };
    let _ = fs::remove_file(path);
    write().or_else(|_| again()).map_err(|error| misplaced(path, &error))
}

/// That the file for a command cannot be written or read.
fn misplaced(path: &Path, error: &io::Error) -> io::Error {
    let text = format!("the file for the command, {}: {error}", shown(path));
    io::Error::new(error.kind(), text)
}

/// Whether a child has ended; it is not reaped.
#[cfg(unix)]
pub(crate) fn has_ended(child: &mut Child) -> io::Result<bool> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(Pid::from_child(child)), options) {
        Ok(status) => Ok(status.is_some()),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
pub(crate) fn has_ended(child: &mut Child) -> io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

/// Kills a child and its group; that there is nothing left to kill is no error.
#[cfg(unix)]
pub(crate) fn end_group(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
pub(crate) fn end_group(child: &mut Child) {
    let _ = child.kill();
}

/// The search for a text in the output, while the command runs: pipes are emptied whatever comes,
/// and no more than a buffer of it is kept.
struct Search {
    found: Arc<AtomicBool>,
    ended: mpsc::Receiver<()>,
}

impl Search {
    fn begin(child: &mut Child, wanted: &[u8]) -> Self {
        let found = Arc::new(AtomicBool::new(wanted.is_empty()));
        let (sender, ended) = mpsc::channel();
        if let Some(stdout) = child.stdout.take() {
            drain(stdout, wanted, &found, &sender);
        }
        if let Some(stderr) = child.stderr.take() {
            drain(stderr, wanted, &found, &sender);
        }
        Self { found, ended }
    }

    /// Whether the text was there; waits for the rest of the output, but not for ever.
    fn end(self) -> bool {
        let deadline = Instant::now() + GRACE;
        // Each of the two threads drops its sender at the end.
        while !self.found.load(Ordering::Relaxed) {
            let left = deadline.saturating_duration_since(Instant::now());
            if self.ended.recv_timeout(left).is_err() {
                break;
            }
        }
        self.found.load(Ordering::Relaxed)
    }
}

fn drain(
    mut stream: impl Read + Send + 'static,
    wanted: &[u8],
    found: &Arc<AtomicBool>,
    ended: &Sender<()>,
) {
    let (wanted, found, ended) = (wanted.to_vec(), Arc::clone(found), ended.clone());
    thread::spawn(move || {
        let mut buffer = vec![0; (1 << 16).max(2 * wanted.len())];
        // What a match could begin in, from the piece before.
        let mut kept = 0;
        loop {
            match stream.read(&mut buffer[kept..]) {
                Ok(0) => break,
                Ok(read) => {
                    let text = &buffer[..kept + read];
                    if !found.load(Ordering::Relaxed) && has(text, &wanted) {
                        found.store(true, Ordering::Relaxed);
                    }
                    let keep = text.len().min(wanted.len().saturating_sub(1));
                    let from = text.len() - keep;
                    buffer.copy_within(from..from + keep, 0);
                    kept = keep;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        // Nobody may listen any more.
        let _ = ended.send(());
    });
}

/// Reads a stream to its end in a thread of its own, and sends the beginning.
fn collect(mut stream: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (sender, output) = mpsc::channel();
    thread::spawn(move || {
        let mut kept = Vec::new();
        // An error ends the output as its end does.
        let _ = stream.by_ref().take(CAPTURED).read_to_end(&mut kept);
        let _ = io::copy(&mut stream, &mut io::sink());
        let _ = sender.send(kept);
    });
    output
}

fn has(text: &[u8], wanted: &[u8]) -> bool {
    let Some(&first) = wanted.first() else { return true };
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&byte| byte == first) {
        if rest[at..].starts_with(wanted) {
            return true;
        }
        rest = &rest[at + 1..];
    }
    false
}

/// A temporary folder for the files that commands read; it is removed at the end.
#[derive(Debug)]
pub(crate) struct TemporaryFolder {
    folder: Unfinished,
}

impl TemporaryFolder {
    /// Makes a new folder among the temporary ones, whose name says what for.
    pub(crate) fn new(purpose: &str) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let parent = std::env::temp_dir();
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("pleach-{purpose}-{}-{number}", std::process::id()));
            match Unfinished::folder(path) {
                Ok(folder) => return Ok(Self { folder }),
                // A run that was killed and had the same number left it.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The file of one worker, in a folder of its own: some commands go by a file's name, and some
    /// write others beside it.
    pub(crate) fn file(&self, worker: usize, name: &OsStr) -> io::Result<PathBuf> {
        let folder = self.path().join(worker.to_string());
        fs::create_dir(&folder)?;
        Ok(folder.join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_placeholder_in_use_is_replaced() {
        let shown = |arguments: &[&str], stdin| {
            let command: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            let runs = Runs::new(&command, stdin);
            let command = runs.command(Path::new("/dev/null"), false).unwrap();
            command.get_args().map(|a| a.to_str().unwrap().into()).collect::<Vec<String>>()
        };
        assert_eq!(shown(&["x", "-f@@:@@", "{}"], false), ["-f/dev/null:/dev/null", "{}"]);
        assert_eq!(shown(&["x", "a{}b"], false), ["a/dev/nullb"]);
        assert_eq!(shown(&["x", "a{}b", "@@"], true), ["a{}b", "@@"]);
        assert_eq!(shown(&["@@", "a"], false), ["a"]);
    }

    #[test]
    fn texts_are_found_across_reads() {
        /// One byte a read.
        struct Slow(Vec<u8>);
        impl Read for Slow {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                if self.0.is_empty() {
                    return Ok(0);
                }
                buffer[0] = self.0.remove(0);
                Ok(1)
            }
        }
        for (text, wanted, expected) in [
            ("xxabcx", "abc", true),
            ("aabc", "abc", true),
            ("abab", "abc", false),
            ("", "a", false),
            ("ababac", "abac", true),
        ] {
            let found = Arc::new(AtomicBool::new(false));
            let (sender, ended) = mpsc::channel();
            drain(Slow(text.into()), wanted.as_bytes(), &found, &sender);
            drop(sender);
            assert_eq!(Search { found, ended }.end(), expected, "{text}");
        }
    }
}
