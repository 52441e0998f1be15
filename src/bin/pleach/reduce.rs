//! `pleach reduce`: a small input that still does what a large one does.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use pleach::parse::Parser;
use pleach::reduce::{Candidate, Options, TextReducer, Ticket};

use crate::check::Format;
use crate::document::{check_stdin, read_text};
use crate::failure::{Failure, print, to_stderr};
use crate::inputs::{Bounds, shown};
use crate::load::Load;
use crate::output::write_named;
use crate::place::{Overwriting, Own};
use crate::progress::Status;
use crate::report::{ReduceReport, json};
use crate::runs::{Ending, Run, Runs, TemporaryFolder};
use crate::unfinished::listen;

/// How often the smallest input so far is written, at the most.
const SAVING: Duration = Duration::from_millis(200);

/// Makes an input small while a command does on it what it does on FILE
///
/// COMMAND is run on smaller and smaller inputs. Its exit status, or the signal that kills it, or that
/// it exceeds the timeout, has to stay what it is on FILE; with --output-contains, instead, TEXT has
/// to be in what it writes.
///
/// Where FILE is of the grammar, so is each input that is tried. Where it is not, lines are left out,
/// then the largest parts that are of some rule and what stands between them; each part is reduced by
/// its tree, and at last tokens and characters go.
///
/// Where an argument of COMMAND contains @@, the path of a temporary file with the input stands for
/// it; where none does, for {}. Where there is neither, or with --stdin, the input is COMMAND's
/// standard input. The file has FILE's name, in a folder that each job has for itself; COMMAND runs
/// in the current folder. It must do the same on the same input each time.
///
/// What is left is small in that no subtree can be dropped, moved up or replaced by the smallest of
/// its rule any more; of what is not of the grammar, in that no character can be left out. It does
/// not depend on --jobs. Ctrl-C ends the work and keeps the smallest input so far.
///
/// With --format json the report is {"before","after","runs","kept","ahead","seconds","keeps",
/// "finished","sentence"}: bytes before and after; the runs that one job would take, and those that were kept;
/// further runs of other jobs that were not needed; what COMMAND does, in words; whether nothing more
/// can be done; and whether FILE is of the grammar.
#[derive(Args)]
#[command(after_long_help = "\
Exit codes: 0 done; 1 COMMAND's output on FILE lacks TEXT; 2 usage or bad input, or COMMAND cannot be \
run; 3 --max-runs or Ctrl-C ended the work early, and what is left may get smaller yet.

Examples:
  pleach reduce grammars/json.pleach crash.json -o small.json -- ./parser @@
  pleach reduce grammars/sql.pleach slow.sql --timeout 2 -- ./db --file={}
  pleach reduce grammars/json.pleach in.json --output-contains 'assertion failed' -- ./parser")]
pub(crate) struct Reduce {
    #[command(flatten)]
    load: Load,
    /// The input to make small; `-` reads standard input
    file: PathBuf,
    /// Write the smallest input to this file, and each smaller one as it is found; without it, to
    /// standard output at the end
    #[arg(short, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    overwriting: Overwriting,
    /// Keep this text in the standard output or standard error of COMMAND, whatever its status
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    #[arg(allow_hyphen_values = true)]
    output_contains: Option<String>,
    /// End COMMAND, and all that it started, after so many seconds, which is a status of its own
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// How many COMMANDs run at a time; by default as many as there are processors
    #[arg(short, long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// End after so many runs, counted as with one job; exit code 3. The default is no bound where
    /// FILE is of the grammar, else 10000
    #[arg(long, value_name = "N")]
    max_runs: Option<u64>,
    /// Shorten the texts of tokens, too, and simplify their characters
    #[arg(long)]
    tokens: bool,
    /// Always give the input as standard input, and leave @@ and {} in COMMAND alone
    #[arg(long)]
    stdin: bool,
    /// With json, print the report on standard output; needs -o
    #[arg(long, value_enum, default_value_t = Format::Text)]
    #[arg(requires_if("json", "output"))]
    format: Format,
    /// The command and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|&seconds| seconds > 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a number of seconds above 0, as in 2 or 0.5".into())
}

/// What has to stay.
struct Wanted {
    ending: Ending,
    contains: bool,
}

impl Wanted {
    fn is_met(&self, run: Run) -> bool {
        if self.contains { run.contains } else { run.ending == self.ending }
    }
}

/// What happens while candidates are tried.
enum Event {
    /// A run is over; no result where it was not needed any more.
    Ran(Ticket, std::io::Result<Option<Run>>),
    Interrupted,
}

/// What workers share.
struct Shop {
    runs: Runs,
    wanted: Wanted,
    jobs: Mutex<Receiver<(u64, Candidate)>>,
    /// Runs of candidates from before this generation are ended.
    generation: AtomicU64,
    interrupted: Arc<AtomicBool>,
}

impl Shop {
    /// Runs what comes until nothing more does.
    fn work(&self, path: &Path, events: &Sender<Event>) {
        loop {
            // A worker that panicked leaves the receiver as good as it was.
            let next = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((generation, candidate)) = next else { return };
            let stop = || {
                self.generation.load(Ordering::Relaxed) != generation
                    || self.interrupted.load(Ordering::Relaxed)
            };
            let ran = if stop() { Ok(None) } else { self.runs.run(path, &candidate.text, &stop) };
            if events.send(Event::Ran(candidate.ticket, ran)).is_err() {
                return;
            }
        }
    }
}

/// Where the smallest input goes.
struct Keeper<'a> {
    path: Option<&'a Path>,
    /// Whether it is a file that can be written again and again.
    again: bool,
    saved: Instant,
}

impl Keeper<'_> {
    /// Saves what was found on the way, if it is time to.
    fn save(&mut self, text: &[u8]) -> Result<(), Failure> {
        match self.path {
            Some(path) if self.again && self.saved.elapsed() >= SAVING => {
                self.saved = Instant::now();
                write_named(path, text)
            }
            _ => Ok(()),
        }
    }

    fn finish(&self, text: &[u8]) -> Result<(), Failure> {
        match self.path {
            Some(path) => write_named(path, text),
            None => print(text),
        }
    }
}

impl Reduce {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let started = Instant::now();
        check_stdin(&self.load, &self.file)?;
        let (grammar, lowered) = self.load.load_both_quietly()?;
        let table = lowered.table;
        if let Some(path) = &self.output {
            let read = self.load.paths(&grammar);
            self.overwriting.check(path, Own::Never, &read)?;
        }
        let text = read_text(&self.file, &self.bounds)?;
        let (events, outcomes) = mpsc::channel();
        let interrupted = handle_signals(&events)?;
        let folder = |error| Failure::Input(format!("error: a temporary folder: {error}"));
        let temporary = TemporaryFolder::new("reduce").map_err(folder)?;
        let runs = Runs::new(&self.command, self.stdin)
            .timeout(self.timeout)
            .contains(self.output_contains.as_deref());
        let name = self.file.file_name().filter(|_| self.file != Path::new("-"));
        let name = name.unwrap_or(OsStr::new("input"));
        let jobs = self
            .jobs
            .map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
        let paths: Vec<PathBuf> = (0..jobs)
            .map(|worker| temporary.file(worker, name))
            .collect::<Result<_, _>>()
            .map_err(folder)?;
        let Some(wanted) = self.try_first(&runs, &paths[0], &text, &interrupted)? else {
            return Err(Failure::Budget("interrupted before the command had ended".into()));
        };
        let keeps = self.describe(&wanted);
        to_stderr(format_args!("keeping {keeps}"));
        let mut reducer = self.reducer(&Parser::new(&table).limits(self.bounds.limits()), &text);
        let again = self
            .output
            .as_ref()
            .is_some_and(|path| fs::metadata(path).map_or(true, |found| found.is_file()));
        let mut keeper = Keeper { path: self.output.as_deref(), again, saved: Instant::now() };
        if let Some(path) = self.output.as_deref().filter(|_| again) {
            // Better now than after hours if it cannot be written.
            write_named(path, &text)?;
        }
        let (sender, jobs) = mpsc::channel();
        let shop = Shop {
            runs,
            wanted,
            jobs: Mutex::new(jobs),
            generation: AtomicU64::new(0),
            interrupted,
        };
        let run = thread::scope(|scope| {
            for path in &paths {
                let (shop, events) = (&shop, events.clone());
                scope.spawn(move || shop.work(path, &events));
            }
            drop(events);
            let queue = Queue { sender, outcomes, workers: paths.len() };
            let done = self.reduce(&mut reducer, &shop, queue, &mut keeper);
            // What still runs is not needed.
            shop.generation.fetch_add(1, Ordering::Relaxed);
            done
        });
        // What was found is kept whatever went wrong.
        keeper.finish(reducer.text())?;
        let ahead = run?;
        let report = ReduceReport {
            before: text.len(),
            after: reducer.text().len(),
            runs: reducer.tried(),
            kept: reducer.taken(),
            ahead,
            seconds: started.elapsed().as_secs_f64(),
            keeps,
            finished: reducer.is_done(),
            sentence: reducer.refusal().is_none(),
        };
        self.tell(&report, shop.interrupted.load(Ordering::Relaxed))
    }

    /// The reducer of a text; says so where it is no sentence.
    fn reducer<'t>(&self, parser: &Parser<'t>, text: &[u8]) -> TextReducer<'t> {
        let mut options = Options::new().tokens(self.tokens);
        if let Some(most) = self.max_runs {
            options = options.runs(most);
        }
        let reducer = TextReducer::new(parser, text, options);
        if let Some(why) = reducer.refusal() {
            to_stderr(format_args!(
                "{} is no sentence of the grammar ({why}): it is reduced by its largest parts that are, \
                 and by lines, tokens and characters",
                shown(&self.file)
            ));
        }
        reducer
    }

    fn tell(&self, report: &ReduceReport, interrupted: bool) -> Result<(), Failure> {
        let ReduceReport { before, after, runs, kept, ahead, seconds, .. } = report;
        let more = if *ahead > 0 { format!(" and {ahead} ahead of need") } else { String::new() };
        to_stderr(format_args!(
            "{before} -> {after} bytes, {seconds:.2} s; {runs} runs{more}, {kept} kept"
        ));
        if self.format == Format::Json {
            print(json(&report)?.as_bytes())?;
        }
        if report.finished {
            return Ok(());
        }
        let why = match (interrupted, self.max_runs) {
            (true, _) => "interrupted".to_owned(),
            (false, Some(_)) => "--max-runs is spent".to_owned(),
            (false, None) => format!("{runs} runs are spent, and --max-runs allows more"),
        };
        Err(Failure::Budget(format!("{why}: what is left may get smaller yet")))
    }

    /// Runs the command on the input as it is, and gives what has to stay; none if interrupted.
    fn try_first(
        &self,
        runs: &Runs,
        path: &Path,
        text: &[u8],
        interrupted: &AtomicBool,
    ) -> Result<Option<Wanted>, Failure> {
        let ran = runs.run(path, text, &|| interrupted.load(Ordering::Relaxed));
        let Some(run) = ran.map_err(|error| Self::cannot_run(&error))? else {
            return Ok(None);
        };
        if let Some(wanted) = self.output_contains.as_ref().filter(|_| !run.contains) {
            return Err(Failure::No(format!(
                "error: the command does not write {wanted:?} on {} (it ends with {})",
                shown(&self.file),
                run.ending
            )));
        }
        let wanted = Wanted { ending: run.ending, contains: self.output_contains.is_some() };
        if !wanted.contains {
            match run.ending {
                Ending::TimedOut => to_stderr(
                    "the command does not end within --timeout, which is kept; raise it if the \
                     command is only slow",
                ),
                Ending::Code(0) => to_stderr(
                    "the command ends with status 0, which is kept: most inputs may do that",
                ),
                _ => {}
            }
        }
        Ok(Some(wanted))
    }

    fn describe(&self, wanted: &Wanted) -> String {
        match &self.output_contains {
            Some(text) => format!("{text:?} in the output"),
            None => wanted.ending.to_string(),
        }
    }

    fn cannot_run(error: &std::io::Error) -> Failure {
        Failure::Input(format!("error: {error}"))
    }

    /// Tries candidates until there are no more; gives how many runs were not needed.
    fn reduce(
        &self,
        reducer: &mut TextReducer<'_>,
        shop: &Shop,
        queue: Queue,
        keeper: &mut Keeper<'_>,
    ) -> Result<u64, Failure> {
        let (before, mut running, mut done) = (reducer.text().len(), 0, 0_u64);
        let mut status = Status::new();
        loop {
            while running < queue.workers {
                let Some(candidate) = reducer.propose() else { break };
                let generation = shop.generation.load(Ordering::Relaxed);
                if queue.sender.send((generation, candidate)).is_err() {
                    break;
                }
                running += 1;
            }
            if running == 0 {
                break;
            }
            status.tick(|| {
                let (now, runs) = (reducer.text().len(), reducer.tried());
                format!("{now} of {before} bytes left after {runs} runs")
            });
            match queue.outcomes.recv() {
                Ok(Event::Ran(ticket, ran)) => {
                    running -= 1;
                    // A run that was ended is counted by nobody.
                    let Some(run) = ran.map_err(|error| Self::cannot_run(&error))? else {
                        continue;
                    };
                    done += 1;
                    if reducer.answer(ticket, shop.wanted.is_met(run)) {
                        shop.generation.fetch_add(1, Ordering::Relaxed);
                        keeper.save(reducer.text())?;
                    }
                }
                Ok(Event::Interrupted) | Err(_) => break,
            }
        }
        Ok(done.saturating_sub(reducer.tried()))
    }
}

/// The main thread's ends of the channels; workers end when it is dropped.
struct Queue {
    sender: Sender<(u64, Candidate)>,
    outcomes: Receiver<Event>,
    workers: usize,
}

/// Lets Ctrl-C, SIGTERM and SIGHUP end the work instead of the process.
fn handle_signals(events: &Sender<Event>) -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let (flag, events) = (Arc::clone(&interrupted), events.clone());
    listen(move || {
        flag.store(true, Ordering::Relaxed);
        // The work may have ended.
        let _ = events.send(Event::Interrupted);
    })?;
    Ok(interrupted)
}
