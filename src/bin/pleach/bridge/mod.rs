//! `pleach bridge`: units out of a program's runs, tested with their context, and what is found lifted back.

mod libfuzzer;
#[cfg(target_os = "linux")]
mod native;
mod outside;
mod report;
#[cfg(unix)]
mod served;
mod since;

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::Args;
use pleach::bridge::campaign::{Campaign, Event, Options, Units};
use pleach::bridge::system::{Bytes, Changing, SystemTester};
use pleach::inside::build::{Built, Native};
use pleach::inside::ir::{FunctionId, Module};
use pleach::report::on_one_line;
use pleach::table::Table;

use crate::check::Format;
use crate::explore::followed;
use crate::failure::{Failure, print, to_stderr};
use crate::inputs::Bounds;
use crate::load;
use crate::met::Failures;
use crate::progress::Status;
use crate::sentences::ByGrammar;
use crate::target::Targeted;
use crate::unfinished::interruption;
use crate::units::{self, Output, Running};

use libfuzzer::LibFuzzer;
use outside::Outside;
use report::Ended;
use since::Changes;

/// How many functions that have changed are named.
const NAMED: usize = 8;
/// What is said where the functions of --focus were not called.
const NOT_FOCUSED: &str =
    "error: no function of --focus was called as a unit: name a SEED with which it is";

/// What tests units.
#[derive(Clone, Debug)]
enum Tester {
    /// One of pleach.
    Own(Units),
    /// The same natively, with marks on functions.
    Native,
    Command(String),
}

/// A command as `cmd:COMMAND`.
fn command(text: &str) -> Option<String> {
    let command = text.strip_prefix("cmd:")?.trim();
    (!command.is_empty()).then(|| command.to_owned())
}

impl FromStr for Tester {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "concolic" => Ok(Self::Own(Units::Concolic)),
            "fuzz" => Ok(Self::Own(Units::Fuzzer)),
            "native" => Ok(Self::Native),
            _ => command(text)
                .map(Self::Command)
                .ok_or_else(|| "write concolic, fuzz, native or cmd:COMMAND".into()),
        }
    }
}

/// What makes inputs of the whole program beside.
#[derive(Clone, Debug)]
enum System {
    /// Nothing: inputs come of seeds and of lifting alone.
    None,
    /// Bytes of inputs, changed at random; with --grammar their trees.
    Pleach,
    Radamsa,
    /// An executable.
    LibFuzzer(PathBuf),
    Command(String),
}

impl fmt::Display for Tester {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(Units::Concolic) => f.write_str("concolic"),
            Self::Own(Units::Fuzzer) => f.write_str("fuzz"),
            Self::Native => f.write_str("native"),
            Self::Command(command) => write!(f, "cmd:{command}"),
        }
    }
}

impl FromStr for System {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "none" => Self::None,
            "pleach" => Self::Pleach,
            "radamsa" => Self::Radamsa,
            _ => match (command(text), text.strip_prefix("libfuzzer:")) {
                (Some(command), _) => Self::Command(command),
                (None, Some(program)) if !program.is_empty() => Self::LibFuzzer(program.into()),
                _ => {
                    return Err(
                        "write pleach, radamsa, libfuzzer:PROGRAM, cmd:COMMAND or none".into()
                    );
                }
            },
        })
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Pleach => f.write_str("pleach"),
            Self::Radamsa => f.write_str("radamsa"),
            Self::LibFuzzer(program) => write!(f, "libfuzzer:{}", program.display()),
            Self::Command(command) => write!(f, "cmd:{command}"),
        }
    }
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
/// the units, inputs are changed (--system), with --grammar as trees. A program's input is its standard input, or, where it is of several
/// parts (`%parts`), that and its arguments and files.
///
/// At the end stand the failures, each with the unit in which it was found and the bytes of its context that were other; how what was
/// lifted was made, and how much of that did what the unit had done; and how the calls came: with the lifted values, the old ones,
/// others, or not at all.
///
/// A target run:COMMAND is a program of one's own, built with the crate pleach-unit as docs/bridge.md has it: it runs natively as a command of the shell, and so do
/// its units, the functions that it marks.
///
/// With --format json, one object is printed: {"target","seed","seconds","functions":{"called","carved","tested","lifted","effective"},
/// "units","mapped","tested","lifted","effective","found","runs","native","inputs","edges","edges_lifted","detours","ways":[{"way","inputs",
/// "predicted","other","unsatisfiable","unknown"}],"outcomes":{"never","new","old","another"},"causes":{"unliftable","mapping",
/// "context","nondeterminism","repeated"},"refused":{"independent","cut"},"alarms":[{"file","input","kind","message","location","count","seconds","unit":
/// {"function","file","line","way","mapping":[{"place","from","copy","old","new"}]}}],"suspicions":[{"function","message","count"}],
/// "unfollowed":[{"why","count"}]}. Natively it is {"target","seed","seconds","functions","units","lost","tested","nanoseconds","call_nanoseconds",
/// "found","lifted","effective","runs","inputs","edges","edges_lifted","mapped","places":{"never","new","old","another"},"outcomes","values":[{"function","value","bytes","from","form","why"}],
/// "lifts":[{"file","input","function","mapping":[{"value","from","form","old","new"}],"encoded","edges","predicted","seconds"}],"alarms","suspicions"}. Of "values", "mapped" have a place; how the
/// calls came when places were changed to see whether they are read for the values, "places" says. An alarm's "seconds" are those after which it was met first.
/// "from" is where a value's bytes begin in the input, and where they end. Bytes of an "input", and what is "old" and "new", are told as in a byte string of
/// Rust: `\n`, `\xff`, `\"`.
#[derive(Args)]
#[command(after_long_help = "\
Exit codes: 0 no input failed; 1 one did; 2 usage, bad input, or a program that can't be built, run or followed;
3 no run came to its end within --steps.

Examples:
  pleach bridge src/lib.rs#parse seeds/ -o found --time 5m
  pleach bridge fuzz:parse fuzz/corpus/parse -o fuzz/corpus/parse --units fuzz
  pleach bridge src/lib.rs#Uri::parse seeds/ --grammar uri.pleach
  pleach bridge bin:tool seeds/ --focus tool::header::parse --system radamsa
  pleach bridge src/lib.rs#parse seeds/ --since HEAD~1
  pleach bridge 'run:exec ./service 8137' requests/ --connect 127.0.0.1:8137 -o found")]
pub(crate) struct Bridge {
    #[command(flatten)]
    targeted: Targeted,
    /// Inputs to begin with, and folders of them; `-` reads standard input
    #[arg(value_name = "SEED")]
    seeds: Vec<PathBuf>,
    /// A folder of inputs to begin with, as a SEED is; may be repeated
    #[arg(long, value_name = "DIR")]
    corpus: Vec<PathBuf>,
    /// Write new inputs to this folder, and failing ones to its folder `crashes`
    #[arg(short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Start a program that is run natively once, and give it each input as what comes by a connection to this address
    #[arg(long, value_name = "IP:PORT")]
    connect: Option<SocketAddr>,
    /// What tests units: concolic, which negates their branches, fuzz, random values, native, the same with program and units run natively, or
    /// cmd:COMMAND
    #[arg(long, value_name = "TESTER", default_value = "concolic")]
    units: Tester,
    /// What makes inputs of the whole program beside: pleach, which changes bytes or trees, radamsa,
    /// libfuzzer:PROGRAM, an executable of it, cmd:COMMAND or none
    #[arg(long, value_name = "TESTER", default_value_t = System::Pleach)]
    system: System,
    /// Have pleach change inputs as trees of this grammar
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
        match (self.targeted.name().strip_prefix("run:"), self.connect) {
            #[cfg(target_os = "linux")]
            (Some(command), _) => return native::run(self, command),
            #[cfg(not(target_os = "linux"))]
            (Some(_), _) => {
                return Err(Failure::input("error: a program is run natively on Linux alone"));
            }
            (None, Some(_)) => {
                return Err(Failure::input(
                    "error: --connect is for a program that is run natively: write run:COMMAND",
                ));
            }
            #[cfg(target_os = "linux")]
            (None, None) if matches!(self.units, Tester::Native) => {
                return native::run_marked(self);
            }
            #[cfg(not(target_os = "linux"))]
            (None, None) if matches!(self.units, Tester::Native) => {
                return Err(Failure::input("error: --units native is for Linux alone"));
            }
            (None, None) => {}
        }
        let target = self.targeted.target()?;
        let seeds = units::seeds(&target, &self.inputs(), &self.bounds)?;
        let table = self.grammar.as_deref().map(load::table).transpose()?;
        let mut output = self.output.as_deref().map(Output::folder).transpose()?;
        let tester = self.system_tester(table)?;
        let (built, program) = self.targeted.build(&target)?;
        units::refuse_empty(&built, &seeds, self.targeted.name())?;
        let module = Arc::clone(program.module());
        let admitted = self.admitted(&module, &built)?;
        let subject = units::subject(&module, &built, self.running.steps)?;
        let units = match &self.units {
            Tester::Own(units) => *units,
            Tester::Native | Tester::Command(_) => Units::default(),
        };
        let options = Options::new().seed(self.running.seed).units(units);
        let mut campaign = Campaign::new(subject, admitted, options);
        if let Tester::Command(line) = &self.units {
            campaign = by_command(campaign, line)?;
        }
        if let Some(tester) = tester {
            campaign = campaign.with_system_tester(tester);
        }
        for seed in &seeds {
            campaign.add(seed);
        }
        to_stderr(format_args!("seed {}", self.running.seed));
        let begun = Instant::now();
        let (failures, broken) = self.search(&mut campaign, built.native, &mut output, begun)?;
        let ended = Ended {
            target: self.targeted.name(),
            seed: self.running.seed,
            campaign: &campaign,
            failures: &failures,
            seconds: begun.elapsed().as_secs_f64(),
            suspicions: self.suspicions,
        };
        match self.format {
            Format::Text => print(ended.text().as_bytes())?,
            Format::Json => print(ended.json().as_bytes())?,
        }
        self.hint(campaign.counts().called as usize);
        match campaign.failures().len() {
            0 if let Some(broken) = broken => Err(Failure::Input(format!("error: {broken}"))),
            0 => self.whole(&campaign),
            1 => Err(Failure::No("the program fails at one place".into())),
            many => Err(Failure::No(format!("the program fails at {many} places"))),
        }
    }

    /// Where the inputs to begin with are.
    fn inputs(&self) -> Vec<PathBuf> {
        [&self.seeds[..], &self.corpus].concat()
    }

    /// What makes inputs of the whole program beside.
    fn system_tester(
        &self,
        table: Option<Table>,
    ) -> Result<Option<Box<dyn SystemTester>>, Failure> {
        let (seed, longest) = (self.running.seed, self.running.max_length);
        let outside = |outside| Box::new(Changing::new(outside, seed, longest));
        Ok(Some(match (&self.system, table) {
            (System::None, _) => return Ok(None),
            (System::Pleach, None) => Box::new(Changing::new(Bytes, seed, longest)),
            (System::Pleach, Some(table)) => {
                Box::new(ByGrammar::new(Arc::new(table), self.bounds.limits(), seed, longest))
            }
            (System::Radamsa, _) => outside(Outside::radamsa()?),
            (System::LibFuzzer(program), _) => Box::new(LibFuzzer::new(program, seed, longest)?),
            (System::Command(line), _) => outside(Outside::command(line)?),
        }))
    }

    /// The functions that may be units.
    fn admitted(&self, module: &Module, built: &Built) -> Result<Vec<FunctionId>, Failure> {
        let is_own = |id: &FunctionId| units::is_own(*id, module, built, self.running.all);
        if let Some(revision) = &self.since {
            let changed = Changes::since(revision)?.functions(module);
            let admitted: Vec<FunctionId> = changed.into_iter().filter(is_own).collect();
            if admitted.is_empty() {
                return Err(Failure::input(format!(
                    "error: --since {revision}: no function of the program has changed: name an earlier revision"
                )));
            }
            if self.format == Format::Text {
                let names = admitted.iter().map(|&id| module.source_name(id));
                let mut names: Vec<String> = names.map(|name| on_one_line(&name)).collect();
                names.sort();
                names.dedup();
                let more = names.len().saturating_sub(NAMED);
                names.truncate(NAMED);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                to_stderr(format_args!("changed since {revision}: {}{more}", names.join(", ")));
            }
            return Ok(admitted);
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

    /// Says what to do where the target does next to nothing itself.
    fn hint(&self, called: usize) {
        let is_narrow = !self.running.all && self.focus.is_empty() && self.since.is_none();
        if called <= 1 && is_narrow && self.format == Format::Text {
            to_stderr(
                "units are of the target's own package: --all takes those of its dependencies, too",
            );
        }
    }

    /// Whether a campaign that has found no failure could have found one.
    fn whole(&self, campaign: &Campaign) -> Result<(), Failure> {
        followed(campaign.unfollowed(), campaign.counts().runs, self.running.steps)?;
        match campaign.counts().called {
            0 if !self.focus.is_empty() => Err(Failure::input(NOT_FOCUSED)),
            _ => Ok(()),
        }
    }

    /// Goes on until the time is over, somebody interrupts, or nothing is left: of each failure the file that it was written to, and
    /// which tester could not go on, and why.
    fn search(
        &self,
        campaign: &mut Campaign,
        mut native: Native,
        output: &mut Option<Output>,
        begun: Instant,
    ) -> Result<(Failures, Option<String>), Failure> {
        let interrupted = interruption()?;
        let mut failures = Failures::default();
        let mut status = Status::new();
        let (mut judged, mut broken) = (false, None);
        while begun.elapsed() < self.running.time && !interrupted.load(Ordering::Relaxed) {
            let event = campaign.step(&mut native);
            status.tick(|| report::progress(campaign));
            let Event::Ran { input, edges, failure, fails, error } = event else {
                match event {
                    Event::Finished => break,
                    Event::BrokenSystem(why) => {
                        broken = Some(format!("--system {}: {why}", self.system));
                    }
                    // The others would be, too.
                    Event::BrokenUnits(why) => {
                        broken = Some(format!("--units {}: {why}", self.units));
                        break;
                    }
                    _ => {}
                }
                continue;
            };
            if let Some(error) = error.filter(|_| !interrupted.load(Ordering::Relaxed)) {
                match judged {
                    false => return Err(Failure::input(format!("error: {error}"))),
                    true => to_stderr(format_args!("the program could not be run: {error}")),
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
                let (fault, seconds) = (&campaign.failures()[at], begun.elapsed().as_secs_f64());
                failures.meet(at, fault, seconds, output.as_mut(), self.format)?;
                if self.running.fail_fast {
                    break;
                }
            }
        }
        let seconds = begun.elapsed().as_secs_f64();
        failures.finish(campaign.failures(), seconds, output, self.format)?;
        Ok((failures, broken))
    }
}

/// Has a command of the shell test units.
#[cfg(unix)]
fn by_command(campaign: Campaign, line: &str) -> Result<Campaign, Failure> {
    Ok(campaign.with_unit_testers(Box::new(served::ByCommand(line.to_owned()))))
}

#[cfg(not(unix))]
fn by_command(_: Campaign, _: &str) -> Result<Campaign, Failure> {
    Err(Failure::input("error: --units cmd:COMMAND needs named pipes, which this system has not"))
}
