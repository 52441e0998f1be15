//! An executable of libFuzzer as what makes inputs: it goes on from a corpus in a folder, some thousand executions a turn.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pleach::bridge::system::{Broken, SystemTester};

use crate::failure::Failure;
use crate::inputs::shown;
use crate::runs::{Ending, Runs, TemporaryFolder};
use crate::unfinished::interruption;

/// How many executions a turn has beside those of the corpus, and how many seconds at most.
const EXECUTIONS: usize = 4096;
const SECONDS: u64 = 1;
/// How often something is asked for in vain before the next turn: units have theirs meanwhile.
const PAUSE: u32 = 64;
/// How long an execution may take, in seconds, and how long the engine may for a turn.
const HANG: u64 = 5;
const PATIENCE: Duration = Duration::from_secs(60);
/// What the engine exits with when it has written an input that fails, takes too long, or too much memory.
const FOUND: [i32; 3] = [77, 70, 71];
/// How many inputs of a turn are read.
const FILES: usize = 1024;

/// What the engine keeps of the inputs that it makes, and those that it came upon and that fail.
#[derive(Debug)]
pub(super) struct LibFuzzer {
    program: PathBuf,
    _temporary: TemporaryFolder,
    corpus: PathBuf,
    failing: PathBuf,
    /// An empty file: the engine reads no standard input.
    nothing: PathBuf,
    /// What is in the corpus and known to the campaign, by name.
    known: BTreeSet<OsString>,
    waiting: VecDeque<Vec<u8>>,
    /// What was handed over or told last.
    last: Vec<u8>,
    /// How often there was nothing that waits.
    empty: u32,
    seed: u64,
    longest: usize,
    stopped: Arc<AtomicBool>,
}

impl LibFuzzer {
    pub(super) fn new(program: &Path, seed: u64, longest: usize) -> Result<Self, Failure> {
        let io = |error: io::Error| {
            Failure::Input(format!("error: the temporary folder for libFuzzer: {error}"))
        };
        let temporary = TemporaryFolder::new("libfuzzer").map_err(io)?;
        let nothing = temporary.file(0, "nothing".as_ref()).map_err(io)?;
        let [corpus, failing] = ["corpus", "failing"].map(|name| temporary.path().join(name));
        fs::create_dir(&corpus).and_then(|()| fs::create_dir(&failing)).map_err(io)?;
        // A name without a folder would be looked for elsewhere.
        let program = program
            .canonicalize()
            .map_err(|error| Failure::Input(format!("error: {}: {error}", shown(program))))?;
        let help = Runs::new(&[program.clone().into(), "-help=1".into()], true)
            .timeout(Duration::from_secs(HANG))
            .contains(Some("max_total_time"))
            .run(&nothing, b"", &|| false)
            .map_err(|error| Failure::Input(format!("error: {error}")))?;
        if !help.is_some_and(|help| help.contains) {
            return Err(Failure::Input(format!(
                "error: {}: this is no executable of libFuzzer: name one that `cargo fuzz build` makes, of a target with \
                 the same inputs",
                shown(&program)
            )));
        }
        let (known, waiting, stopped) = (BTreeSet::new(), VecDeque::new(), interruption()?);
        Ok(Self {
            program,
            _temporary: temporary,
            corpus,
            failing,
            nothing,
            known,
            waiting,
            last: Vec::new(),
            empty: 0,
            seed,
            longest,
            stopped,
        })
    }

    /// Lets the engine go on for a turn; whether it came to its end.
    fn turn(&mut self) -> Result<bool, Broken> {
        self.seed = self.seed.wrapping_add(1);
        // 0 is a seed of the engine's own choice, and it reads 32 bits.
        let seed = 1 + self.seed % u64::from(u32::MAX);
        let mut command: Vec<OsString> = vec![self.program.clone().into()];
        let mut failing = OsString::from("-artifact_prefix=");
        failing.push(self.failing.join(""));
        command.push(failing);
        command.extend(
            [
                format!("-runs={}", self.known.len() + EXECUTIONS),
                format!("-max_total_time={SECONDS}"),
                format!("-seed={seed}"),
                format!("-max_len={}", self.longest.max(1)),
                format!("-timeout={HANG}"),
                "-rss_limit_mb=2048".into(),
                "-detect_leaks=0".into(),
            ]
            .map(OsString::from),
        );
        command.push(self.corpus.clone().into());
        let runs = Runs::new(&command, true).timeout(PATIENCE);
        let stop = || self.stopped.load(Ordering::Relaxed);
        match runs.run(&self.nothing, b"", &stop).map_err(not_run)?.map(|run| run.ending) {
            None => Ok(false),
            Some(Ending::Code(0)) => Ok(true),
            Some(Ending::Code(code)) if FOUND.contains(&code) => Ok(true),
            Some(ending) => Err(Broken::Ended(ending.to_string())),
        }
    }

    /// Takes what is new.
    fn gather(&mut self) -> io::Result<()> {
        for path in paths(&self.failing)? {
            let input = read(&path, self.longest)?;
            fs::remove_file(path)?;
            // The engine would fail with it at the begin of each turn.
            for kept in paths(&self.corpus)? {
                if read(&kept, self.longest)? == input {
                    fs::remove_file(kept)?;
                }
            }
            self.waiting.push_back(input);
        }
        for path in paths(&self.corpus)? {
            let name = path.file_name().unwrap_or_default().to_owned();
            if self.waiting.len() < FILES && self.known.insert(name) {
                self.waiting.push_back(read(&path, self.longest)?);
            }
        }
        self.waiting.retain(|input| input.len() <= self.longest);
        Ok(())
    }
}

impl SystemTester for LibFuzzer {
    /// Where there is nothing new, the last one again, which is no work: there may be something later.
    fn next(&mut self) -> Result<Option<Vec<u8>>, Broken> {
        if self.waiting.is_empty() {
            if self.empty.is_multiple_of(PAUSE) && self.turn()? {
                self.gather().map_err(not_run)?;
            }
            self.empty = self.empty.wrapping_add(1);
        }
        if let Some(input) = self.waiting.pop_front() {
            self.last = input;
        }
        Ok(Some(self.last.clone()))
    }

    fn learn(&mut self, input: &[u8]) {
        input.clone_into(&mut self.last);
        let name = OsString::from(format!("learnt-{}", self.known.len()));
        // An input that cannot be written is one that the engine does not go on from, and no more.
        if fs::write(self.corpus.join(&name), input).is_ok() {
            self.known.insert(name);
        }
    }
}

/// The files of a folder, by name.
fn paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// A file, or what shows that it is too long.
fn read(path: &Path, longest: usize) -> io::Result<Vec<u8>> {
    let mut input = Vec::new();
    File::open(path)?.take(longest as u64 + 1).read_to_end(&mut input)?;
    Ok(input)
}

fn not_run(error: io::Error) -> Broken {
    Broken::NotRun(error.to_string())
}
