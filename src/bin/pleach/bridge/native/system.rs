//! The program as it runs natively: a process for each input, or a service that gets each as what comes by one connection.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pleach::explore::native::{Judge, Verdict};
use pleach::inside::build::End;
use pleach::native::unit::wire;
use pleach::parts::Parts;

use super::super::outside::quoted;
use super::marked::Marked;
use crate::runs::{Ending, Runs, TemporaryFolder, end_group, has_ended};

/// How long a process may take for its input.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a service may take until it listens.
const BEGINNING: Duration = Duration::from_secs(20);
/// With which statuses a shell tells of the signal that has ended a command of its.
const KILLED: std::ops::RangeInclusive<i32> = 129..=192;
/// How long a service may take for the next part of an answer, and how many bytes of it are read, in [`PATIENCE`] at most.
const ANSWER: Duration = Duration::from_secs(2);
const LONGEST: u64 = 1 << 20;
/// What is said of a service that answers nothing, and did before.
const HANGS: &str = "the service does not answer any more";
/// How often is looked whether it listens, and for how long after an answer whether it has ended.
const PAUSE: Duration = Duration::from_millis(10);

/// How inputs get in.
#[derive(Debug)]
pub(super) enum System {
    /// As standard input of a process each.
    Piped {
        runs: Runs,
        input: PathBuf,
        _temporary: TemporaryFolder,
    },
    Service(Service),
    /// A process each, of a program that was built with marks.
    Marked(Marked, PathBuf),
}

#[derive(Debug)]
pub(super) struct Service {
    line: String,
    address: SocketAddr,
    child: Option<Child>,
    /// The last input that it has answered.
    answered: Option<Vec<u8>>,
}

/// A command of the shell that knows of the campaign, and is the process itself.
fn line(command: &str, campaign: &Path) -> String {
    format!("{}={}; export {}\n{command}", wire::VARIABLE, quoted(campaign), wire::VARIABLE)
}

impl System {
    pub(super) fn piped(command: &str, campaign: &Path) -> io::Result<Self> {
        let shell: [OsString; 3] = ["sh".into(), "-c".into(), line(command, campaign).into()];
        let temporary = TemporaryFolder::new("input")?;
        let input = temporary.file(0, "input".as_ref())?;
        Ok(Self::Piped {
            runs: Runs::new(&shell, true).timeout(PATIENCE),
            input,
            _temporary: temporary,
        })
    }

    /// A service, which is started.
    pub(super) fn service(command: &str, address: SocketAddr, campaign: &Path) -> io::Result<Self> {
        if TcpStream::connect_timeout(&address, ANSWER).is_ok() {
            return Err(io::Error::other(format!(
                "something listens at {address} already: end it, or name another port"
            )));
        }
        let mut service =
            Service { line: line(command, campaign), address, child: None, answered: None };
        service.begin()?;
        Ok(Self::Service(service))
    }

    /// What it compares values with of which it does not tell, as far as that is known.
    pub(super) fn words(&self) -> &[Vec<u8>] {
        match self {
            Self::Marked(marked, _) => &marked.words,
            Self::Piped { .. } | Self::Service(_) => &[],
        }
    }

    /// Gives the program an input: how it failed, if no panic says so. Nothing if somebody interrupts.
    pub(super) fn run(
        &mut self,
        input: &[u8],
        stopped: &AtomicBool,
    ) -> io::Result<Option<Option<String>>> {
        match self {
            Self::Piped { runs, input: file, .. } => {
                let stop = || stopped.load(Ordering::Relaxed);
                Ok(runs.run(file, input, &stop)?.map(|run| match run.ending {
                    // That of a process which the shell waited for.
                    Ending::Code(code) if KILLED.contains(&code) => {
                        Some(Ending::Signal(code - 128).to_string())
                    }
                    Ending::Code(_) => None,
                    ending => Some(ending.to_string()),
                }))
            }
            Self::Service(service) => service.run(input, stopped),
            // What says that it has parts and has none is no input of the program.
            Self::Marked(marked, _)
                if marked.program.takes_all()
                    && input.starts_with(b"%parts\n")
                    && Parts::read(input).is_err() =>
            {
                Ok(Some(None))
            }
            Self::Marked(marked, campaign) => {
                let mut input = marked.input(input);
                let campaign = campaign.as_os_str().as_bytes().to_owned();
                input.environment.push((wire::VARIABLE.to_owned(), campaign));
                let ran = match marked.program.run_once(&input) {
                    // A zero in an argument, or a file outside of its folder.
                    Err(error) if error.kind() == ErrorKind::InvalidInput => return Ok(Some(None)),
                    ran => ran?,
                };
                let is_over = stopped.load(Ordering::Relaxed);
                Ok((!is_over).then(|| match ran.end {
                    End::Exited(_) => None,
                    End::Killed(signal) => Some(Ending::Signal(signal).to_string()),
                    End::TimedOut => Some(Ending::TimedOut.to_string()),
                }))
            }
        }
    }

    /// How the program itself fails on an input with which it has failed here; itself nothing where it is the same program.
    pub(super) fn judge(&mut self, input: &[u8]) -> Option<Verdict> {
        match self {
            Self::Piped { .. } | Self::Service(_) => None,
            Self::Marked(marked, _) => Some(marked.plain.judge(input, None)),
        }
    }

    /// A place in the source, of a panic.
    pub(super) fn place(&self, place: String) -> String {
        let Self::Marked(marked, _) = self else { return place };
        let path = Path::new(&place);
        let own = marked.copies.iter().find_map(|(copy, package)| {
            Some(package.join(path.strip_prefix(copy).ok()?).display().to_string())
        });
        own.unwrap_or(place)
    }
}

impl Service {
    /// Starts it, and waits until it listens.
    fn begin(&mut self) -> io::Result<()> {
        let mut command = Command::new("sh");
        command.args(["-c", &self.line]).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = self.child.insert(command.spawn()?);
        let begun = Instant::now();
        while TcpStream::connect_timeout(&self.address, ANSWER).is_err() {
            if has_ended(child)? {
                let ending = Ending::of(child.wait()?);
                return Err(io::Error::other(format!(
                    "it ended with {ending} before it listened at {}",
                    self.address
                )));
            }
            if begun.elapsed() > BEGINNING {
                return Err(io::Error::other(format!(
                    "it does not listen at {} after {} s",
                    self.address,
                    BEGINNING.as_secs()
                )));
            }
            thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// Gives it an input by a connection.
    fn exchange(&self, input: &[u8]) -> Answer {
        let stream = TcpStream::connect_timeout(&self.address, ANSWER);
        match stream.and_then(|stream| exchange(stream, input)) {
            Ok(()) => Answer::Some,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                Answer::Late
            }
            Err(_) => Answer::None,
        }
    }

    fn run(&mut self, input: &[u8], stopped: &AtomicBool) -> io::Result<Option<Option<String>>> {
        if self.child.is_none() {
            self.begin()?;
        }
        let answer = self.exchange(input);
        let hangs = answer == Answer::Late && {
            let again = self.answered.take();
            // One that has never answered may be such a service.
            let is_late = again.as_ref().is_some_and(|it| self.exchange(it) == Answer::Late);
            self.answered = again;
            is_late
        };
        if stopped.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let answered = answer == Answer::Some;
        if answered {
            self.answered = Some(input.to_vec());
        }
        // That it comes to an end is seen a little later than that it does not answer.
        let begun = Instant::now();
        let Some(child) = &mut self.child else { return Ok(Some(None)) };
        loop {
            if has_ended(child)? {
                end_group(child);
                let ending = Ending::of(child.wait()?);
                self.child = None;
                return Ok(Some(Some(format!("the service ended with {ending}"))));
            }
            if hangs {
                end_group(child);
                child.wait()?;
                self.child = None;
                return Ok(Some(Some(HANGS.to_owned())));
            }
            if answered || begun.elapsed() > 10 * PAUSE {
                return Ok(Some(None));
            }
            thread::sleep(PAUSE);
        }
    }
}

/// What came of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Some,
    /// It was closed.
    None,
    /// There was none in time.
    Late,
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            end_group(&mut child);
            // How it ended is of no interest any more.
            let _ = child.wait();
        }
    }
}

/// Writes an input, and reads the answer to its end; an error is that there is none.
fn exchange(mut stream: TcpStream, input: &[u8]) -> io::Result<()> {
    stream.set_read_timeout(Some(ANSWER))?;
    stream.set_write_timeout(Some(ANSWER))?;
    // A service may have answered, and closed, before it has read all.
    let _ = stream.write_all(input).and_then(|()| stream.shutdown(Shutdown::Write));
    let (mut answer, mut length, begun) = ([0; 4096], 0, Instant::now());
    while length < LONGEST && begun.elapsed() < PATIENCE {
        match stream.read(&mut answer) {
            Ok(0) => break,
            Ok(read) => length += read as u64,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if length == 0 => return Err(error),
            Err(_) => break,
        }
    }
    if length == 0 { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// How inputs end, one after the other, of a service that answers until one is `hang`.
    fn ends(inputs: &[&str]) -> Vec<Option<String>> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let mut held = Vec::new();
            for mut stream in listener.incoming().flatten() {
                let mut input = String::new();
                let _ = stream.read_to_string(&mut input);
                if input == "hang" || !held.is_empty() {
                    held.push(stream);
                } else {
                    let _ = stream.write_all(b"answer");
                }
            }
        });
        let line = "exec sleep 60".to_owned();
        let mut service = Service { line, address, child: None, answered: None };
        let stopped = AtomicBool::new(false);
        let run = |input: &&str| service.run(input.as_bytes(), &stopped).unwrap().unwrap();
        inputs.iter().map(run).collect()
    }

    #[test]
    fn a_service_hangs_that_does_not_answer_what_it_answered_before() {
        assert_eq!(ends(&["it", "hang"]), [None, Some(HANGS.to_owned())]);
        assert_eq!(ends(&["hang"]), [None], "it may never answer");
    }
}
