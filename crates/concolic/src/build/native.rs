//! Runs a built program natively, under what the machine fixes too, and says how it ended.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use pleach_unit::trace;

/// How much of a stream is kept.
const KEPT: u64 = 16 << 20;

/// What a program is called, wherever it is.
const NAME: &str = "program";

/// What stands before a backtrace.
const TRACE: &str = "\nstack backtrace:\n";

/// What a program exits with whose main thread ended by a panic.
const PANICKED: i32 = 101;

/// libFuzzer runs one file, and leaves failures to the system, so that they are seen as they are.
const LIBFUZZER: [&str; 8] = [
    "-handle_abrt=0",
    "-handle_segv=0",
    "-handle_bus=0",
    "-handle_ill=0",
    "-handle_fpe=0",
    "-rss_limit_mb=0",
    "-malloc_limit_mb=0",
    "-timeout=0",
];

/// How a program takes its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// libFuzzer's `main` is in it, which takes the bytes as a file.
    File,
    /// It calls a function with its standard input.
    Bytes,
    /// As programs do.
    All,
}

/// A program that was built, to be run natively.
#[derive(Clone, Debug)]
pub struct Native {
    program: PathBuf,
    /// The same with panics that unwind, if the program may catch some; none, too, where its own do.
    beside: Option<PathBuf>,
    unwinds: bool,
    preload: PathBuf,
    takes: Takes,
    patience: Duration,
}

/// All that a native run of a program reads: bytes, arguments, files and environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// The bytes that a function or fuzz target gets, or a program's standard input.
    pub bytes: Vec<u8>,
    /// A program's arguments, after its name, which is `program`.
    pub arguments: Vec<Vec<u8>>,
    /// Files in the folder that a program runs in, by their paths from there.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Variables of a program's environment, but those that are always the same.
    pub environment: Vec<(String, Vec<u8>)>,
}

impl Input {
    /// Bytes alone.
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), ..Self::default() }
    }
}

/// The way in which a native process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With an exit code.
    Exited(i32),
    /// By a signal.
    Killed(i32),
    /// Not in time.
    TimedOut,
}

/// The message and place of a native process's panic, as the default hook prints them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// The message.
    pub message: String,
    /// The source file, as the compiler was told it; of a panic within the standard library, that of the program's own from which that was called, if its
    /// debug information says so.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// What is known of a native run after its end: status, panic and output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// The panic that ended it, if one did.
    pub panic: Option<Panic>,
    /// Whether std says that its stack overflowed.
    pub stack_overflow: bool,
    /// Standard output: of a called function, what it printed, and then a line that begins with `=> ` and has the value.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

impl Ran {
    /// Takes the last panic of a program whose panics unwind for that which ended it, or none if it has caught all.
    fn catch(&mut self) {
        let is_caught = matches!(self.end, End::Exited(status) if status != PANICKED);
        self.panic =
            if is_caught { None } else { panics(&String::from_utf8_lossy(&self.stderr)).last() };
    }
}

impl Native {
    pub(super) fn new(program: PathBuf, preload: PathBuf, takes: Takes) -> Self {
        let patience = Duration::from_secs(10);
        Self { program, beside: None, unwinds: false, preload, takes, patience }
    }

    /// With the same program, whose panics unwind: it may catch some.
    pub(super) fn beside(mut self, program: PathBuf) -> Self {
        self.beside = Some(program);
        self
    }

    /// One whose panics unwind.
    pub(super) fn unwinding(mut self) -> Self {
        self.unwinds = true;
        self
    }

    /// The program's file.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Whether it takes arguments, files and variables, too, and not bytes alone.
    pub fn takes_all(&self) -> bool {
        self.takes == Takes::All
    }

    /// With another time after which a run is ended. Default: 10 seconds.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Runs the program on an input, in a folder of its own with nothing but the input's files.
    ///
    /// Where it panics and may catch that, it is run again with panics that unwind, and what that run did is the answer: it has no
    /// panic if all were caught, and else the last one.
    ///
    /// # Errors
    ///
    /// Those of the system; a file whose path leads out of the folder.
    pub fn run(&self, input: &Input) -> io::Result<Ran> {
        let (mut ran, mut program) = (self.run_once(input)?, &self.program);
        if let Some(beside) = self.beside.as_ref().filter(|_| ran.panic.is_some()) {
            (ran, program) = (self.run_file(beside, input, false)?, beside);
            ran.catch();
        }
        if let Some(panic) = ran.panic.as_mut().filter(|panic| trace::is_of_std(&panic.file)) {
            let traced = self.run_file(program, input, true)?;
            let said = String::from_utf8_lossy(&traced.stderr);
            // Of the last panic, as that is the one which is told, if it is the same once more.
            let trace = said.rsplit_once(TRACE).map_or("", |(_, trace)| trace);
            let is_same = panics(&said).last().as_ref() == Some(&*panic);
            if let Some((file, line, column)) = trace::own(trace).and_then(place)
                && is_same
            {
                (panic.file, panic.line, panic.column) = (file.to_owned(), line, column);
            }
        }
        Ok(ran)
    }

    /// The same once, for one that asks for no more than how it ends: of a panic within the standard library the place is that.
    ///
    /// # Errors
    ///
    /// Those of the system; a file whose path leads out of the folder.
    pub fn run_once(&self, input: &Input) -> io::Result<Ran> {
        let mut ran = self.run_file(&self.program, input, false)?;
        if self.unwinds {
            ran.catch();
        }
        Ok(ran)
    }

    /// Runs one of the two programs, and has panics say who called whom, or not.
    fn run_file(&self, program: &Path, input: &Input, traces: bool) -> io::Result<Ran> {
        let folder = tempfile::tempdir()?;
        for (path, bytes) in &input.files {
            if !path.components().all(|part| matches!(part, Component::Normal(_))) {
                let text =
                    format!("{}: leads out of the folder: name it from there", path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
            }
            let path = folder.path().join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, bytes)?;
        }
        let mut command = Command::new(program);
        command.arg0(NAME);
        command.env_clear();
        for (name, value) in &input.environment {
            command.env(name, OsString::from_vec(value.clone()));
        }
        command
            .env("RUST_BACKTRACE", if traces { "1" } else { "0" })
            .env("LD_PRELOAD", &self.preload);
        command.current_dir(folder.path()).stdin(Stdio::null());
        let mut bytes = tempfile::NamedTempFile::new()?;
        bytes.write_all(&input.bytes)?;
        if self.takes == Takes::File {
            command.args(LIBFUZZER).arg(bytes.path());
        } else {
            let mut stdin: File = bytes.reopen()?;
            stdin.rewind()?;
            command.stdin(stdin);
            command.args(input.arguments.iter().map(|it| OsString::from_vec(it.clone())));
        }
        self.watch(command)
    }

    /// Runs a command to its end, or until there is no more patience.
    fn watch(&self, mut command: Command) -> io::Result<Ran> {
        let deadline = Instant::now() + self.patience;
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (said, heard) = mpsc::channel();
        drain(0, child.stdout.take(), said.clone());
        drain(1, child.stderr.take(), said);
        // A process has ended when nothing holds its streams, mostly.
        let mut streams = [None, None];
        let mut hear = |until: Instant| {
            while streams.contains(&None)
                && let Ok((at, bytes)) =
                    heard.recv_timeout(until.saturating_duration_since(Instant::now()))
            {
                streams[at] = Some(bytes);
            }
            !streams.contains(&None)
        };
        let closed = hear(deadline);
        let mut status = child.try_wait()?;
        while status.is_none() && closed && Instant::now() < deadline {
            thread::sleep(Duration::from_micros(200));
            status = child.try_wait()?;
        }
        if status.is_none() {
            child.kill()?;
            child.wait()?;
            // What it had started may hold the streams for ever.
            hear(Instant::now() + Duration::from_millis(100));
        }
        let [stdout, stderr] = streams.map(Option::unwrap_or_default);
        let end = match status {
            None => End::TimedOut,
            Some(status) => match (status.code(), status.signal()) {
                (Some(code), _) => End::Exited(code),
                (None, signal) => End::Killed(signal.unwrap_or_default()),
            },
        };
        let said = String::from_utf8_lossy(&stderr);
        let stack_overflow = said.contains("has overflowed its stack");
        let panic = panics(&said).next();
        Ok(Ran { end, panic, stack_overflow, stdout, stderr })
    }
}

/// Reads a stream to its end, and then says what it kept.
fn drain(
    at: usize,
    stream: Option<impl Read + Send + 'static>,
    said: mpsc::Sender<(usize, Vec<u8>)>,
) {
    thread::spawn(move || {
        let mut kept = Vec::new();
        if let Some(mut stream) = stream {
            // A stream that breaks off has what was read.
            let _ = stream.by_ref().take(KEPT).read_to_end(&mut kept);
            let _ = io::copy(&mut stream, &mut io::sink());
        }
        // Nobody listens any more after a time-out.
        let _ = said.send((at, kept));
    });
}

/// The panics that a standard error reports, in their order.
fn panics(said: &str) -> impl Iterator<Item = Panic> + '_ {
    const AT: &str = " panicked at ";
    let starts = said.match_indices(AT).filter(|&(at, _)| {
        let line_start = said[..at].rfind('\n').map_or(0, |it| it + 1);
        said[line_start..at].starts_with("thread ")
    });
    starts.filter_map(|(at, _)| panic(&said[at + AT.len()..]))
}

/// Reads a panic that is reported from its place on.
fn panic(said: &str) -> Option<Panic> {
    let (at, message) = said.split_once('\n')?;
    let (file, line, column) = place(at.strip_suffix(':')?)?;
    let ends =
        ["\nnote: run with `RUST_BACKTRACE", "\nthread '", TRACE].map(|end| message.find(end));
    let message = match ends.into_iter().flatten().min() {
        Some(end) => &message[..end],
        None => message.strip_suffix('\n').unwrap_or(message),
    };
    Some(Panic { message: message.to_owned(), file: file.to_owned(), line, column })
}

/// A file, a line and a column.
fn place(text: &str) -> Option<(&str, u32, u32)> {
    let mut parts = text.rsplitn(3, ':');
    let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    Some((file, line.parse().ok()?, column.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_read_with_all_lines_of_their_messages() {
        let said = "noise panicked at\n\nthread 'main' (12) panicked at src/a b.rs:3:15:\nleft\n\nright\n\
            note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\
            \nthread 'main' (12) panicked at b.rs:1:2:\nmore\n";
        let panic = |message: &str, file: &str, line, column| Panic {
            message: message.to_owned(),
            file: file.to_owned(),
            line,
            column,
        };
        let found: Vec<Panic> = panics(said).collect();
        assert_eq!(
            found,
            [panic("left\n\nright", "src/a b.rs", 3, 15), panic("more", "b.rs", 1, 2)]
        );
        assert_eq!(panics("nothing panicked at x:1:1:\n").next(), None);
    }

    fn shell(script: &str, patience: Duration) -> Ran {
        let native = Native::new("/bin/sh".into(), PathBuf::new(), Takes::All).patience(patience);
        let arguments = vec![b"-c".to_vec(), script.as_bytes().to_vec()];
        native
            .run(&Input {
                bytes: b"in".to_vec(),
                arguments,
                files: vec![("a/b".into(), b"f".to_vec())],
                environment: vec![("LIKE".into(), b"this".to_vec())],
            })
            .expect("it runs")
    }

    #[test]
    fn a_run_ends_in_each_way() {
        let long = Duration::from_secs(60);
        let ran = shell("cat - a/b; printf $LIKE; exit 3", long);
        assert_eq!((ran.end, &ran.stdout[..]), (End::Exited(3), &b"infthis"[..]));
        assert_eq!(shell("kill -SEGV $$", long).end, End::Killed(11));
        assert_eq!(shell("exec sleep 60", Duration::from_millis(50)).end, End::TimedOut);
        assert_eq!(
            shell("exec >&- 2>&-; exec sleep 60", Duration::from_millis(50)).end,
            End::TimedOut
        );
        let ran = shell("head -c 20000000 /dev/zero", long);
        assert_eq!((ran.end, ran.stdout.len() as u64), (End::Exited(0), KEPT));
    }
}
