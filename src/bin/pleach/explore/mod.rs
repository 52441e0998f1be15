//! `pleach explore`: inputs that take the other way at each branch of a program.

mod corpus;
mod page;
mod report;
mod rest;
mod shape;
mod work;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use pleach::explore::search::{Failure as Fault, Options, Report, Target as Goal};
use pleach::explore::symbolic::{LONGEST, SymbolicLimits};
use pleach::inside::build::{Built, Entry};
use pleach::inside::ir::{Module, Place};
use pleach::inside::vm::Options as Machine;
use pleach::report::on_one_line;
use pleach::table::{RuleId, Table};

use crate::check::Format;
use crate::failure::{Failure, print, to_stderr};
use crate::inputs::{self, Bounds};
use crate::load;
use crate::met::{self, Met};
use crate::output::{Folder, content_name, write_named};
use crate::place::{Overwriting, Own};
use crate::progress::Status;
use crate::target::Targeted;
use crate::unfinished::interruption;

pub(crate) use report::{followed, remedy};

use corpus::{Corpora, Found};
use report::Ended;
use work::{Crew, Message, Task, Totals};

/// How long messages of the workers are waited for before the clock is looked at.
const GLANCE: Duration = Duration::from_millis(100);

/// Finds inputs that take the other way at each branch of a program
///
/// The program is built with the stable compiler as it is, std included, and runs in a virtual machine that follows how
/// every value depends on the input's bytes and length. Each decision on the way is negated, and a solver says which
/// input decides so. What is found is run natively: a failure counts only where the program itself fails.
///
/// SEED names files, and folders of them; without any the search begins with the empty input. Inputs that take an edge
/// that none before them took are written to -o, under names made of their content, and those that fail to its folder
/// `crashes`; what is there already is left alone. bin:NAME needs a SEED or a corpus, as nothing asks for another length of standard input.
///
/// Beside a fuzzer, --corpus names a folder that is read again and again while the search runs: a corpus of libFuzzer or a queue
/// of AFL++. What is found goes back to libFuzzer where -o is the same folder and the fuzzer has -reload=1; failing inputs are
/// then in a folder beside it, `DIR-crashes`. For AFL++ it is -o SYNC/pleach/queue, with numbers as names; failing inputs are in
/// SYNC/pleach/crashes. The search can be started and stopped at any time.
///
/// With a grammar, the shape of each input's tree is kept, and only characters change, each within its terminal: all
/// inputs are sentences, and others are left out. Where shape is what blocks, subtrees are grown or taken out as `pleach mutate` does.
/// With --free the text of a rule may become anything of the same length, and no longer of the grammar.
///
/// At the end stand the branches of the target's own source that were met and not taken in all ways, and why:
/// `unsatisfiable` on the paths that were tried, `budget` where the solver gave up, `diverged` where the program did not go as
/// the solver said, `untried` where it was not asked for yet, `lost` where they depend on what is not followed, `independent` where nothing of the input is in what they compare.
///
/// With --format json, one object is printed: {"target","seed","paths","inputs","edges","queries","satisfiable","unsatisfiable",
/// "unknown","diverged","misshapen","runs","native","steps","seconds","reached","crashes":[{"file","input","kind","message","location",
/// "count","seconds"}],"unfollowed":[{"why","count"}],
/// "lost":[{"file","line","column","function","why","count"}],"branches":[{"file","line","column","function","source","edge",
/// "to","why","tries"}]}. Bytes of an "input" are told as in a byte string of Rust: `\n`, `\xff`, `\"`.
#[derive(Args)]
#[command(after_long_help = "\
Exit codes: 0 no input failed; 1 one did; 2 usage, bad input, or a program that can't be built, run or followed;
3 no run came to its end within --steps and --time.

Examples:
  pleach explore src/lib.rs#parse seeds/ -o found --time 5m
  pleach explore fuzz:parse --corpus fuzz/corpus/parse -o fuzz/corpus/parse --time 1h
  pleach explore fuzz:parse --corpus sync/main/queue -o sync/pleach/queue --time 1h
  pleach explore src/lib.rs#parse seeds/ --target parser.rs:120
  pleach explore src/lib.rs#Uri::parse seeds/ --grammar uri.pleach")]
pub(crate) struct Explore {
    #[command(flatten)]
    targeted: Targeted,
    /// Inputs to begin with, and folders of them; `-` reads standard input
    #[arg(value_name = "SEED")]
    seeds: Vec<PathBuf>,
    /// A folder of inputs that others add to; may be repeated
    #[arg(long, value_name = "DIR")]
    corpus: Vec<PathBuf>,
    /// Rest the longer the less is found, up to nine tenths of the time: for cores that a fuzzer uses, too
    #[arg(long, requires = "corpus")]
    rest: bool,
    /// Write new inputs to this folder, and failing ones to its folder `crashes`
    #[arg(short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Go there first: FILE:LINE, a function, or the number of an edge; may be repeated
    #[arg(id = "goal", long = "target", value_name = "PLACE")]
    goals: Vec<String>,
    /// Keep the shape of inputs by this grammar
    #[arg(long)]
    grammar: Option<PathBuf>,
    /// With a grammar: the text of this rule may become anything; may be repeated
    #[arg(long, value_name = "RULE", requires = "grammar")]
    free: Vec<String>,
    /// How long to search, once the program is built: 60s, 5m, 1h
    #[arg(long, value_name = "T", default_value = "60s", value_parser = duration)]
    time: Duration,
    /// End with the first input that fails
    #[arg(long)]
    fail_fast: bool,
    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many threads search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=512))]
    jobs: u16,
    /// Try no input of more bytes than this
    #[arg(long, value_name = "B", default_value_t = 4096, value_parser = length)]
    max_length: usize,
    /// How many instructions one run may execute
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    steps: u64,
    /// List branches of dependencies, too
    #[arg(long)]
    all: bool,
    /// List so many branches; 0 lists all
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Write a page to this file: the target's source, coloured by which branches were taken in all ways, with the reasons. It needs no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    overwriting: Overwriting,
    /// How the end is told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    bounds: Bounds,
}

/// Reads a number and a unit: `s`, `m`, `h`, or none for seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "write a time as 60s, 5m or 1h".to_owned();
    let (digits, unit) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(digits) => (digits, text.as_bytes()[digits.len()]),
        None => (text, b's'),
    };
    let unit = match unit {
        b'm' => 60,
        b'h' => 3600,
        _ => 1,
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    Ok(Duration::from_secs(number.saturating_mul(unit)))
}

/// Reads how long inputs may get.
pub(crate) fn length(text: &str) -> Result<usize, String> {
    let wrong = || format!("write a number of bytes up to {LONGEST}");
    text.parse().ok().filter(|&length| length <= LONGEST).ok_or_else(wrong)
}

/// Where what is found is written.
struct Output {
    found: Found,
    crashes: Folder,
}

/// What failures that are one have in common: the place, and where that is not known the kind.
type Key = (String, String);

/// What all workers together have found.
#[derive(Default)]
struct State {
    failures: BTreeMap<Key, (Fault, Met)>,
    /// How many inputs failed so, over all workers that have ended.
    failed: HashMap<Key, u64>,
    /// The hashes of inputs that are known, and of those that are no sentences of the grammar.
    inputs: HashSet<u64>,
    misshapen: HashSet<u64>,
    /// How many inputs took new edges.
    kept: u64,
    report: Report,
    edges: Vec<u64>,
    reached: bool,
    /// How often the program could not be run, and why it could not first.
    unjudged: Option<(u64, String)>,
    panicked: bool,
    /// Why a worker could not begin.
    broken: Option<String>,
}

fn key(fault: &Fault) -> Key {
    let kind = if fault.location.is_empty() { fault.kind.clone() } else { String::new() };
    (fault.location.clone(), kind)
}

impl Explore {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let target = self.targeted.target()?;
        if let Some(path) = &self.html {
            self.overwriting.check(path, Own::Page, self.seeds.iter().chain(&self.grammar))?;
        }
        let seeds = self.read_seeds()?;
        let table = self.grammar.as_deref().map(load::table).transpose()?;
        let output = self.output.as_deref().map(|folder| self.prepare(folder)).transpose()?;
        let corpora = Corpora::new(&self.corpus)?;
        let (built, program) = self.targeted.build(&target)?;
        if built.entry == Entry::Main && corpora.is_empty() && seeds.iter().all(Vec::is_empty) {
            return Err(Failure::input(format!(
                "error: {}: it reads standard input, of which nothing asks for another length: name a SEED that is not empty",
                self.targeted.name()
            )));
        }
        let module = Arc::clone(program.module());
        let task = Task {
            module: Arc::clone(&module),
            entry: built.entry.clone(),
            native: built.native.clone(),
            free: table.as_ref().map_or(Ok(Vec::new()), |table| self.free(table))?,
            table: table.map(Arc::new),
            machine: Machine::new().steps(self.steps),
            limits: SymbolicLimits::default(),
            options: Options::new()
                .seed(self.seed)
                .max_length(self.max_length)
                .targets(self.targets(&module)?),
            bounds: self.bounds.clone(),
            rests: self.rest,
        };
        to_stderr(format_args!("seed {}", self.seed));
        let begun = Instant::now();
        let (state, totals) = self.search(task, seeds, corpora, output, begun)?;
        let shows = self.filter(&built);
        let failures = state.failures.values();
        let ended = Ended {
            target: self.targeted.name(),
            seed: self.seed,
            goals: &self.goals,
            module: &module,
            totals: &totals,
            failures: failures.map(|(fault, met)| (fault, met)).collect(),
            report: &state.report,
            edges: &state.edges,
            misshapen: state.misshapen.len(),
            seconds: begun.elapsed().as_secs_f64(),
            shows: &*shows,
        };
        if let Some(trouble) = state.trouble().filter(|_| !state.failures.is_empty()) {
            to_stderr(trouble);
        }
        if let Some(path) = &self.html {
            write_named(path, ended.page().as_bytes())?;
        }
        match self.format {
            Format::Text => print(ended.text(self.top).as_bytes())?,
            Format::Json => print(ended.json().as_bytes())?,
        }
        match state.failures.len() {
            0 => self.whole(&state, &totals),
            1 => Err(Failure::No("the program fails at one place".into())),
            many => Err(Failure::No(format!("the program fails at {many} places"))),
        }
    }

    /// Whether a search that has found no failure could have found one.
    fn whole(&self, state: &State, totals: &Totals) -> Result<(), Failure> {
        if let Some(trouble) = state.trouble() {
            return Err(Failure::input(format!("error: {trouble}")));
        }
        let runs = totals.counts.runs;
        if let Some(grammar) = &self.grammar
            && runs == 0
            && !state.misshapen.is_empty()
        {
            return Err(Failure::input(format!(
                "error: no SEED is a sentence of {}: name inputs that `pleach parse` accepts",
                inputs::shown(grammar)
            )));
        }
        if runs == 0 && self.corpus.is_empty() {
            return Err(Failure::Budget("error: no input was run: --time allows more".to_owned()));
        }
        followed(&state.report.unfollowed, runs, self.steps)
    }

    /// The rules whose text may become anything.
    fn free(&self, table: &Table) -> Result<Vec<RuleId>, Failure> {
        let rule = |name: &String| {
            let none =
                || Failure::input(format!("error: --free {name}: the grammar has no such rule"));
            table.names().find_rule(name).ok_or_else(none)
        };
        self.free.iter().map(rule).collect()
    }

    /// Where the search is to go.
    fn targets(&self, module: &Module) -> Result<Vec<Goal>, Failure> {
        let goal = |text: &String| {
            let mut goals = std::iter::once(Goal::parse(text)).chain(whole(text));
            match goals.find(|goal| !goal.instructions(module).is_empty()) {
                Some(goal) => Ok(goal),
                None => Err(Failure::input(format!(
                    "error: --target {text}: the program has no such place: name FILE:LINE with code, a function or an edge that it has"
                ))),
            }
        };
        self.goals.iter().map(goal).collect()
    }

    /// What the search begins with.
    fn read_seeds(&self) -> Result<Vec<Vec<u8>>, Failure> {
        let mut seeds = Vec::new();
        for input in inputs::find(&self.seeds)? {
            let mut bytes = Vec::new();
            match input.read(&self.bounds, &mut bytes) {
                Ok(()) if bytes.len() <= self.max_length => seeds.push(bytes),
                Ok(()) => to_stderr(format_args!(
                    "{}: it has {} bytes, over --max-length {}",
                    input.name(),
                    bytes.len(),
                    self.max_length
                )),
                Err(unread) => to_stderr(format_args!("{}: {}", input.name(), unread.reason())),
            }
        }
        if seeds.is_empty() {
            seeds.push(Vec::new());
        }
        Ok(seeds)
    }

    fn prepare(&self, folder: &Path) -> Result<Output, Failure> {
        let found = Found::new(folder, &self.corpus)?;
        let crashes = corpus::crashes(folder, &found, &self.corpus);
        Ok(Output { found, crashes: Folder::later(&crashes) })
    }

    fn filter(&self, built: &Built) -> Box<dyn Fn(&Place<'_>) -> bool> {
        let (all, caller) = (self.all, built.caller.clone());
        Box::new(move |place: &Place<'_>| {
            let of_caller = caller.as_ref().is_some_and(|folder| place.path().starts_with(folder));
            !of_caller && (all || !place.is_downloaded())
        })
    }

    /// Has workers search until the time is over, somebody interrupts, or nothing is left.
    fn search(
        &self,
        task: Task,
        seeds: Vec<Vec<u8>>,
        mut corpora: Corpora,
        mut output: Option<Output>,
        begun: Instant,
    ) -> Result<(State, Totals), Failure> {
        let interrupted = interruption()?;
        let mut crew = Crew::new(self.jobs);
        let mut state = State::default();
        for seed in seeds {
            state.share(&seed, &mut crew);
        }
        crew.begin(&task);
        let mut status = Status::new();
        let most = (self.max_length as u64).min(self.bounds.max_input);
        let bounds = Bounds { max_input: most, ..self.bounds };
        while begun.elapsed() < self.time && !interrupted.load(Ordering::Relaxed) {
            if state.broken.is_some() || (self.fail_fast && !state.failures.is_empty()) {
                break;
            }
            match crew.hear(GLANCE) {
                Some(message) => self.note(message, begun, &mut state, &mut output, &mut crew)?,
                None if crew.is_idle() && corpora.is_empty() => break,
                None => {}
            }
            for input in corpora.poll(&bounds) {
                state.share(&input, &mut crew);
            }
            status.tick(|| {
                let blocked = match crew.obstacle() {
                    Some(at) => format!("; blocked at {}, {}", at.site, report::words(at)),
                    None => String::new(),
                };
                format!("{}, {} failures{blocked}", crew.totals(), state.failures.len())
            });
        }
        drop(status);
        crew.stop();
        while let Some(message) = crew.last() {
            self.note(message, begun, &mut state, &mut output, &mut crew)?;
        }
        state.panicked = crew.panicked;
        if interrupted.load(Ordering::Relaxed) {
            // What ends this ends the program, too.
            state.unjudged = None;
        } else if let Some(error) = &state.broken {
            return Err(Failure::input(format!("error: {error}")));
        }
        for (key, (fault, _)) in &mut state.failures {
            fault.count = fault.count.max(state.failed.get(key).copied().unwrap_or(0));
        }
        let mut totals = crew.totals();
        totals.reached = state.reached;
        totals.counts.inputs = state.kept;
        totals.counts.edges = state.edges.iter().map(|word| u64::from(word.count_ones())).sum();
        Ok((state, totals))
    }

    fn note(
        &self,
        message: Message,
        begun: Instant,
        state: &mut State,
        output: &mut Option<Output>,
        crew: &mut Crew,
    ) -> Result<(), Failure> {
        match message {
            Message::Kept { worker, input } => {
                if state.inputs.insert(content_name(&input)) {
                    crew.share(&input, Some(worker));
                    state.kept += 1;
                    if let Some(output) = output {
                        output.found.put(&input)?;
                    }
                }
            }
            Message::Failed(fault) => self.failed(fault, begun, state, output)?,
            Message::Misshapen(input) => drop(state.misshapen.insert(content_name(&input))),
            Message::Reached(input) => {
                if !std::mem::replace(&mut state.reached, true) {
                    let text = on_one_line(&String::from_utf8_lossy(&input));
                    to_stderr(format_args!("a --target is reached with \"{text}\""));
                }
            }
            Message::Ended { report, edges, failures, unjudged } => {
                for fault in failures {
                    *state.failed.entry(key(&fault)).or_default() += fault.count;
                }
                if let Some((times, why)) = unjudged {
                    state.unjudged.get_or_insert((0, why)).0 += times;
                }
                state.edges.resize(state.edges.len().max(edges.len()), 0);
                for (all, edges) in state.edges.iter_mut().zip(edges) {
                    *all |= edges;
                }
                merge(&mut state.report, report, &state.edges);
            }
            Message::Broken(error) => state.broken = Some(error),
        }
        Ok(())
    }

    fn failed(
        &self,
        fault: Fault,
        begun: Instant,
        state: &mut State,
        output: &mut Option<Output>,
    ) -> Result<(), Failure> {
        if self.fail_fast && !state.failures.is_empty() {
            return Ok(());
        }
        let key = key(&fault);
        let smaller =
            |known: &Fault| (fault.input.len(), &fault.input) < (known.input.len(), &known.input);
        let known = state.failures.get(&key);
        if known.is_some_and(|(known, _)| !smaller(known)) {
            return Ok(());
        }
        let seconds = known.map(|(_, met)| met.seconds);
        let seconds = seconds.unwrap_or_else(|| {
            let seconds = begun.elapsed().as_secs_f64();
            met::say(&fault, seconds, self.format);
            seconds
        });
        let file = output.as_mut().map(|output| output.crashes.put(&fault.input)).transpose()?;
        state.failures.insert(key, (fault, Met { seconds, file }));
        Ok(())
    }
}

impl State {
    /// What kept the search from being a whole one, in words.
    fn trouble(&self) -> Option<String> {
        let unjudged = self.unjudged.as_ref();
        let unjudged = unjudged
            .map(|(times, why)| format!("the program could not be run {times} times: {why}"));
        let panicked =
            || "a thread of the search panicked, as it says above: please report it".to_owned();
        unjudged.or_else(|| self.panicked.then(panicked))
    }

    /// Gives an input from elsewhere to all workers, if it is new.
    fn share(&mut self, input: &[u8], crew: &mut Crew) {
        if self.inputs.insert(content_name(input)) {
            crew.share(input, None);
        }
    }
}

/// A line of a file that is there, by its path from the root.
fn whole(place: &str) -> Option<Goal> {
    let Goal::Line { file, line } = Goal::parse(place) else { return None };
    let file = std::fs::canonicalize(file).ok()?;
    Some(Goal::Line { file: file.to_string_lossy().into_owned(), line })
}

/// Adds what another worker says: what is missing is what none has taken, with the reason that more time could mend.
fn merge(all: &mut Report, other: Report, taken: &[u64]) {
    let is_taken =
        |edge: u32| taken.get(edge as usize / 64).is_some_and(|word| word >> (edge % 64) & 1 == 1);
    all.branches.extend(other.branches);
    all.branches.retain(|branch| !is_taken(branch.edge));
    all.branches.sort_by_key(|branch| (branch.edge, report::is_final(branch.why), branch.why));
    all.branches.dedup_by_key(|branch| branch.edge);
    for lost in other.lost {
        match all.lost.iter_mut().find(|known| known.site == lost.site && known.why == lost.why) {
            Some(known) => known.count += lost.count,
            None => all.lost.push(lost),
        }
    }
    all.lost.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.cmp(b)));
    for (why, count) in other.unfollowed {
        *all.unfollowed.entry(why).or_default() += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_in_which_a_thread_panicked_is_no_whole_one() {
        assert_eq!(State::default().trouble(), None);
        let panicked = State { panicked: true, ..State::default() };
        assert!(panicked.trouble().is_some_and(|trouble| trouble.contains("please report it")));
        let unjudged = Some((3, "it is gone".to_owned()));
        let both = State { unjudged, ..panicked };
        let said = "the program could not be run 3 times: it is gone";
        assert_eq!(both.trouble().as_deref(), Some(said));
    }

    #[test]
    fn times_have_units() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(duration("1h"), Ok(Duration::from_secs(3600)));
        for wrong in ["", "s", "-1s", "1d", "1.5h", "1ms", "5mh"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
