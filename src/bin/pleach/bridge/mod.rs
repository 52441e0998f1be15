//! `pleach bridge`: units out of a program's runs, tested with their context, and what is found lifted back.

mod report;
mod since;
mod system;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::{Args, ValueEnum};
use pleach::bridge::campaign::{Campaign, Event, Options, Units};
use pleach::bridge::system::Bytes;
use pleach::explore::search::Failure as Fault;
use pleach::inside::build::{Built, Native};
use pleach::inside::ir::{FunctionId, Module};
use pleach::table::{Lowering, Table};

use crate::check::Format;
use crate::explore::{followed, said};
use crate::failure::{Failure, print, talk};
use crate::inputs::Bounds;
use crate::load;
use crate::progress::Status;
use crate::sources::Sources;
use crate::target::Targeted;
use crate::unfinished::interruption;
use crate::units::{self, Output, Running};

use report::Ended;
use since::Changes;
use system::ByGrammar;

/// What tests units.
#[derive(Clone, Copy, ValueEnum)]
enum Tester {
    /// The concolic engine: it negates the unit's branches.
    Concolic,
    /// Random values.
    Fuzz,
}

/// What makes inputs of the whole program beside.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum System {
    /// Nothing: inputs come of seeds and of lifting alone.
    None,
    /// Bytes of inputs, changed at random; with --grammar their trees.
    Mutation,
}

/// Tests a program's functions in the context of its runs, and lifts what is found back to inputs
///
/// The program is built with the stable compiler as it is, std included, and runs in a virtual machine that knows how each byte
/// in memory is computed from the input. Where one of its functions is called with something of the input in reach, the call is carved:
/// the machine's state is its context, and the bytes that come from the input are free. Such a unit runs alone, without what
/// comes before it, and is explored (--units). What it does that no run of the program has done is lifted: a solver turns around
/// what the program computed up to the call. Then the program runs with that input: a failure counts only where
/// the program itself fails, natively.
///
/// SEED names files, and folders of them, to begin with; without any it is the empty input, from which little can be carved. Inputs that take an edge that none before
/// them took are written to -o, under names made of their content, and those that fail to its folder `crashes`. Beside
/// the units, inputs are changed at random (--system), with --grammar as trees.
///
/// At the end stand the failures, each with the unit in which it was found and the bytes of its context that were other; how what was
/// lifted was made, and how much of that did what the unit had done; and how the calls came: with the lifted values, the old ones,
/// others, or not at all.
///
/// With --format json, one object is printed: {"target","seconds","functions":{"called","carved","tested","lifted","effective"},
/// "units","mapped","tested","lifted","effective","found","runs","native","inputs","edges","edges_lifted","detours","ways":[{"way","inputs",
/// "predicted","other","unsatisfiable","unknown"}],"outcomes":{"never","new","old","another"},"causes":{"unliftable","mapping",
/// "context","nondeterminism","repeated"},"refused":{"independent","cut"},"alarms":[{"file","kind","message","location","count","unit":
/// {"function","file","line","way","mapping":[{"place","from","copy","old","new"}]}}],"suspicions":[{"function","message","count"}],
/// "unfollowed":[{"why","count"}]}.
#[derive(Args)]
#[command(after_long_help = "\
Exit codes: 0 no input failed; 1 one did; 2 usage, bad input, or a program that can't be built, run or followed;
3 no run came to its end within --steps.

Examples:
  pleach bridge src/lib.rs#parse seeds/ -o found --time 5m
  pleach bridge fuzz:parse fuzz/corpus/parse -o fuzz/corpus/parse --units fuzz
  pleach bridge src/lib.rs#Uri::parse seeds/ --grammar uri.pleach
  pleach bridge bin:tool seeds/ --focus tool::header::parse
  pleach bridge src/lib.rs#parse seeds/ --since HEAD~1")]
pub(crate) struct Bridge {
    #[command(flatten)]
    targeted: Targeted,
    /// Inputs to begin with, and folders of them; `-` reads standard input
    #[arg(value_name = "SEED")]
    seeds: Vec<PathBuf>,
    /// Write new inputs to this folder, and failing ones to its folder `crashes`
    #[arg(short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// What tests units
    #[arg(long, value_enum, default_value_t = Tester::Concolic)]
    units: Tester,
    /// What makes inputs of the whole program beside
    #[arg(long, value_enum, default_value_t = System::Mutation)]
    system: System,
    /// Change inputs as trees of this grammar
    #[arg(long)]
    grammar: Option<PathBuf>,
    /// Take units of this function alone, by its name in the source or the end of it; may be repeated
    #[arg(long, value_name = "FUNCTION")]
    focus: Vec<String>,
    /// Take units of functions alone that have changed since this revision of the Git repository around
    #[arg(long, value_name = "REVISION", conflicts_with = "focus")]
    since: Option<String>,
    #[command(flatten)]
    running: Running,
    /// List what failed in units and not in the program
    #[arg(long)]
    suspicions: bool,
    /// How the end is told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    bounds: Bounds,
}

impl Bridge {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let target = self.targeted.target()?;
        let seeds = units::seeds(&self.seeds, &self.bounds)?;
        let table = self.grammar.as_deref().map(table).transpose()?;
        let mut output = self.output.as_deref().map(Output::folder).transpose()?;
        let (built, program) = self.targeted.build(&target)?;
        units::refuse_empty(&built, &seeds, self.targeted.name())?;
        let module = Arc::clone(program.module());
        let admitted = self.admitted(&module, &built)?;
        let subject = units::subject(&module, &built, self.running.steps)?;
        let units = match self.units {
            Tester::Concolic => Units::Concolic,
            Tester::Fuzz => Units::Fuzzer,
        };
        let options = Options { seed: self.running.seed, units, ..Options::default() };
        let mut campaign = Campaign::new(subject, admitted, options);
        campaign = match (self.system, table) {
            (System::None, _) => campaign,
            (System::Mutation, Some(table)) => {
                let limits = self.bounds.limits();
                let made = ByGrammar::new(
                    Arc::new(table),
                    limits,
                    self.running.seed,
                    self.running.max_length,
                );
                campaign.with_system_tester(Box::new(made))
            }
            (System::Mutation, None) => campaign.with_system_tester(Box::new(Bytes::new(
                self.running.seed,
                self.running.max_length,
            ))),
        };
        for seed in &seeds {
            campaign.add(seed);
        }
        let begun = Instant::now();
        let files = self.search(&mut campaign, built.native, &mut output, begun)?;
        let ended = Ended {
            target: self.targeted.name(),
            campaign: &campaign,
            files: &files,
            seconds: begun.elapsed().as_secs_f64(),
            suspicions: self.suspicions,
        };
        match self.format {
            Format::Text => print(ended.text().as_bytes())?,
            Format::Json => print(ended.json().as_bytes())?,
        }
        match campaign.failures().len() {
            0 => self.whole(&campaign),
            1 => Err(Failure::No("the program fails at one place".into())),
            many => Err(Failure::No(format!("the program fails at {many} places"))),
        }
    }

    /// The functions that may be units.
    fn admitted(&self, module: &Module, built: &Built) -> Result<Vec<FunctionId>, Failure> {
        let is_own = |id: &FunctionId| units::is_own(*id, module, built, self.running.all);
        if let Some(revision) = &self.since {
            let changed = Changes::since(revision)?.functions(module);
            let admitted: Vec<FunctionId> = changed.into_iter().filter(is_own).collect();
            return match admitted.is_empty() {
                false => Ok(admitted),
                true => Err(Failure::input(format!(
                    "error: --since {revision}: no function of the program has changed: name an earlier revision"
                ))),
            };
        }
        if self.focus.is_empty() {
            return Ok(module.functions().filter(is_own).collect());
        }
        let mut admitted = Vec::new();
        for focus in &self.focus {
            let before = admitted.len();
            admitted.extend(module.functions().filter(|&id| {
                let name = module.source_name(id);
                let end = name.strip_suffix(focus.as_str());
                end.is_some_and(|before| before.is_empty() || before.ends_with("::"))
            }));
            if admitted.len() == before {
                return Err(Failure::input(format!(
                    "error: --focus {focus}: the program has no such function: name one as `pleach trace` shows it"
                )));
            }
        }
        Ok(admitted)
    }

    /// Whether a campaign that has found no failure could have found one.
    fn whole(&self, campaign: &Campaign) -> Result<(), Failure> {
        followed(campaign.unfollowed(), campaign.counts().runs, self.running.steps)
    }

    /// Goes on until the time is over, somebody interrupts, or nothing is left: of each failure the file that it was written to.
    fn search(
        &self,
        campaign: &mut Campaign,
        mut native: Native,
        output: &mut Option<Output>,
        begun: Instant,
    ) -> Result<BTreeMap<usize, PathBuf>, Failure> {
        let interrupted = interruption()?;
        let mut files = BTreeMap::new();
        let mut status = Status::new();
        let mut judged = false;
        while begun.elapsed() < self.running.time && !interrupted.load(Ordering::Relaxed) {
            let event = campaign.step(&mut native);
            status.tick(|| report::progress(campaign));
            let Event::Ran { input, edges, failure, fails, error } = event else {
                if event == Event::Finished {
                    break;
                }
                continue;
            };
            if let Some(error) = error.filter(|_| !interrupted.load(Ordering::Relaxed)) {
                match judged {
                    false => return Err(Failure::input(format!("error: {error}"))),
                    true => talk(format_args!("the program could not be run: {error}")),
                }
            }
            judged |= campaign.counts().native > 0;
            if edges > 0
                && !fails
                && let Some(output) = output
            {
                output.found.put(&input)?;
            }
            if let Some(at) = failure {
                let known = files.contains_key(&at) || self.output.is_none();
                let fault = &campaign.failures()[at];
                self.failed(at, fault, known, output, &mut files)?;
                if self.running.fail_fast {
                    break;
                }
            }
        }
        Ok(files)
    }

    fn failed(
        &self,
        at: usize,
        fault: &Fault,
        known: bool,
        output: &mut Option<Output>,
        files: &mut BTreeMap<usize, PathBuf>,
    ) -> Result<(), Failure> {
        if !known && self.format == Format::Text {
            talk(said(fault, &Sources::new()));
        }
        if let Some(output) = output {
            files.insert(at, output.crash(&fault.input)?);
        }
        Ok(())
    }
}

fn table(path: &Path) -> Result<Table, Failure> {
    let grammar = load::grammar(path)?;
    Ok(Lowering::new().lower(&grammar).map_err(Failure::grammar)?.table)
}
