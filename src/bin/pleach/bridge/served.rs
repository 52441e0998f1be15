//! Outside commands that test units: each gets its unit as an executable, and runs it as often as it likes.
//!
//! The executable is a script that hands its standard input over, waits for what the unit did, and exits with that. Between the
//! turns of a unit its command waits in such a run.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pleach::bridge::carve::Unit;
use pleach::bridge::system::Broken;
use pleach::bridge::tester::{Did, Trials, UnitTester, UnitTesters};
use pleach::explore::native::Judge;

use super::outside::{LIMITS, ended, quoted};
use crate::runs::{Ending, TemporaryFolder, end_group, has_ended};

/// For how long a command may run no unit.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long it is waited before it is asked whether the command has ended.
const PAUSE: Duration = Duration::from_millis(20);

/// The unit as an executable: one run at a time, which has written its values before it asks.
const SCRIPT: &str = "#!/bin/sh
# Runs the unit on the values on standard input. Exit status 0: nothing that is new; 1: it failed; 3: a new edge.
cd \"${0%/*}\" || exit 2
until mkdir lock 2> /dev/null; do sleep 0.01; done
cat > given
echo > asked
read -r did < answered
rmdir lock
exit \"$did\"
";

/// Tests units by a command of the shell.
#[derive(Debug)]
pub(super) struct ByCommand(pub(super) String);

impl UnitTesters for ByCommand {
    fn begin(&mut self, unit: &Unit, seed: u64) -> Box<dyn UnitTester> {
        Box::new(Served { line: self.0.clone(), seed, trials: Trials::new(unit), begun: None })
    }
}

/// A unit and the command that tests it.
#[derive(Debug)]
struct Served {
    line: String,
    seed: u64,
    trials: Trials,
    begun: Option<Begun>,
}

/// A command that runs.
#[derive(Debug)]
struct Begun {
    /// Gone once it is known to have ended.
    child: Option<Child>,
    given: PathBuf,
    answered: File,
    asked: Receiver<()>,
    /// Ends the thread that listens.
    stop: File,
    _temporary: TemporaryFolder,
}

impl Begun {
    fn new(line: &str, seed: u64, values: &[u8]) -> io::Result<Self> {
        let temporary = TemporaryFolder::new("unit")?;
        let at = |name: &str| temporary.path().join(name);
        fs::write(at("values"), values)?;
        fs::write(at("unit"), SCRIPT)?;
        fs::set_permissions(at("unit"), fs::Permissions::from_mode(0o700))?;
        let made = Command::new("mkfifo").args([at("asked"), at("answered")]).status()?;
        if !made.success() {
            return Err(io::Error::other("mkfifo makes no pipes in the temporary folder"));
        }
        // Open for both, so that neither waits for the other side to come.
        let open = |name: &str| OpenOptions::new().read(true).write(true).open(at(name));
        let (asked, answered) = (open("asked")?, open("answered")?);
        let stop = asked.try_clone()?;
        let [unit, known, folder] =
            [&at("unit"), &at("values"), temporary.path()].map(|path: &Path| quoted(path));
        let line = format!(
            "{LIMITS}; UNIT={unit} VALUES={known} TMPDIR={folder} SEED={seed}; export UNIT VALUES TMPDIR SEED\n{line}"
        );
        let mut command = Command::new("sh");
        command.args(["-c", &line]).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = Some(command.spawn()?);
        let given = at("given");
        Ok(Self { child, given, answered, asked: listen(asked), stop, _temporary: temporary })
    }
}

/// Says when a run is asked for.
fn listen(mut asked: File) -> Receiver<()> {
    let (say, heard) = mpsc::channel();
    thread::spawn(move || {
        let mut byte = [0];
        while asked.read_exact(&mut byte).is_ok() && byte == *b"\n" && say.send(()).is_ok() {}
    });
    heard
}

impl Begun {
    /// Whether the command has ended by itself.
    fn has_ended(&mut self) -> io::Result<bool> {
        self.child.as_mut().map_or(Ok(true), has_ended)
    }

    /// Ends the command and all that it has started.
    fn end(&mut self) -> Option<io::Result<ExitStatus>> {
        let mut child = self.child.take()?;
        end_group(&mut child);
        Some(child.wait())
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        // How it ended is of no interest any more.
        let _ = self.end();
        let _ = self.stop.write_all(b"x");
    }
}

impl Served {
    fn go_on(&mut self, judge: &mut dyn Judge) -> Result<bool, Broken> {
        let not_run = |error: io::Error| Broken::NotRun(error.to_string());
        let begun = match &mut self.begun {
            Some(begun) => begun,
            none => none
                .insert(Begun::new(&self.line, self.seed, self.trials.values()).map_err(not_run)?),
        };
        let mut waited = Duration::ZERO;
        loop {
            match begun.asked.recv_timeout(PAUSE) {
                Ok(()) => break,
                Err(RecvTimeoutError::Disconnected) => return Ok(false),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if begun.has_ended().map_err(not_run)? {
                let Some(status) = begun.end() else { return Ok(false) };
                return match Ending::of(status.map_err(not_run)?) {
                    Ending::Code(0) => Ok(false),
                    ending => Err(ended(ending)),
                };
            }
            waited += PAUSE;
            if waited > PATIENCE {
                return Err(Broken::Ended("a timeout: it has run no unit for ten seconds".into()));
            }
        }
        let mut values = Vec::new();
        let most = self.trials.values().len() as u64;
        File::open(&begun.given)
            .and_then(|file| file.take(most).read_to_end(&mut values))
            .map_err(not_run)?;
        let did = match self.trials.run(&values, judge) {
            Did::Nothing => b"0\n",
            Did::Failed => b"1\n",
            Did::New => b"3\n",
        };
        begun.answered.write_all(did).map_err(not_run)?;
        Ok(true)
    }
}

impl UnitTester for Served {
    fn step(&mut self, judge: &mut dyn Judge) -> Result<bool, Broken> {
        let goes_on = self.go_on(judge);
        if goes_on != Ok(true) {
            self.begun = None;
        }
        goes_on
    }

    fn runs(&self) -> u64 {
        self.trials.runs()
    }

    fn steps(&self) -> u64 {
        self.trials.steps()
    }
}
