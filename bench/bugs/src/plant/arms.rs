//! Who looks for a planted fault.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::rc::Rc;

use experiment::remove;
use pleach_bridge::campaign::{Campaign, Event, Options, Units};
use pleach_bridge::system::{Bytes, Changing, SystemTester};
use pleach_concolic::build::Built;
use pleach_concolic::ir::FunctionId;
use pleach_explore::native::{Fault, Judge, Verdict};
use pleach_explore::search::{self, Explorer, Failure};
use pleach_explore::subject::{Site, Subject};
use pleach_explore::symbolic::SymbolicLimits;
use serde::{Deserialize, Serialize};

use super::host::{Host, Kind};
use super::told::Met;
use crate::beside::pleach;
use crate::check::with_stack;
use crate::compare::arms::{Natively, bridge as bridge_of_program};
use crate::compare::counted::{self, Counted};
use crate::explore::{LENGTH, PATIENCE, now, own};
use crate::kept::{INSIDE, NATIVE};
use crate::plan::{Corpus, Job, Method};
use crate::run;
use crate::watched::{LONG, found_by_unit, watch};

/// Which part of the time the function alone has.
const PART: f64 = 5.0;

/// Who looks for a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arm {
    /// Concolic exploration of the whole program.
    Explore,
    /// Pleach's fuzzer.
    Fuzz,
    /// The bridge natively.
    Native,
    /// The bridge with units that the concolic engine tests.
    Concolic,
    /// The function alone.
    Alone,
}

impl Arm {
    pub const ALL: [Self; 5] =
        [Self::Explore, Self::Fuzz, Self::Native, Self::Concolic, Self::Alone];

    /// The sources that decide what it does.
    pub fn sources(self) -> Vec<&'static str> {
        const OWN: [&str; 1] = ["bench/bugs/src/plant/arms.rs"];
        const COUNTED: [&str; 2] =
            ["bench/bugs/src/compare/arms.rs", "bench/bugs/src/compare/counted.rs"];
        match self {
            // Exploration does without the bridge, which is the first.
            Self::Explore => [&OWN[..], &INSIDE[1..]].concat(),
            Self::Fuzz => {
                let engine = [
                    "bench/bugs/src/run.rs",
                    "crates/bridge/src/system.rs",
                    "crates/core/src",
                    "crates/target/src",
                ];
                [&OWN[..], &COUNTED, &engine].concat()
            }
            Self::Native => [&OWN[..], &NATIVE].concat(),
            Self::Concolic | Self::Alone => [&OWN[..], &COUNTED, &INSIDE].concat(),
        }
    }
}

/// What a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Seconds of CPU time until the fault was found.
    pub hit: Option<f64>,
    /// Whether a unit has found it.
    pub by_unit: bool,
    /// Of the function alone, where there is one that was not inlined everywhere: failures by place and kind, without the fault, and those of them that the program shows.
    #[serde(default)]
    pub failures: Option<(u64, u64)>,
}

/// A fault, and who looks for it how long.
pub struct Search<'a> {
    pub host: &'a Host,
    pub met: &'a Met,
    pub built: &'a Built,
    pub fault: &'a Fault,
    pub seconds: u64,
    pub seed: u64,
}

impl Search<'_> {
    fn subject(&self) -> Result<Subject, String> {
        Subject::open(self.built, self.host.machine(), SymbolicLimits::default())
    }

    fn is_found(&self, failure: &Failure) -> bool {
        self.is_at(&failure.location, &failure.message)
    }

    /// Whether a failure with a file, a line and a column is the fault.
    fn is_at(&self, location: &str, message: &str) -> bool {
        let mut parts = location.rsplitn(3, ':');
        let (_, line, file) = (parts.next(), parts.next(), parts.next());
        let line = line.and_then(|it| it.parse().ok());
        line.zip(file).is_some_and(|(line, file)| self.met.is_at(file, line, message))
    }

    /// Has one look for it.
    pub fn run(&self, arm: Arm) -> Result<Run, String> {
        match arm {
            Arm::Explore => self.explore(),
            Arm::Fuzz => self.fuzz(),
            Arm::Native => self.native(),
            Arm::Concolic => self.bridge(),
            Arm::Alone => self.alone(),
        }
    }

    /// Concolic exploration of the whole program.
    fn explore(&self) -> Result<Run, String> {
        let begin = now()?;
        let options = search::Options::new().seed(self.seed).max_length(LENGTH);
        let mut explorer = Explorer::new(self.subject()?, options);
        self.host.seeds.iter().for_each(|seed| explorer.add(seed));
        let mut native = self.built.native.clone().patience(PATIENCE);
        while now()? - begin < self.seconds as f64 {
            match explorer.step(&mut native) {
                search::Event::Finished => break,
                search::Event::Ran { failure: Some(at), .. }
                    if self.is_found(&explorer.failures()[at]) =>
                {
                    return Ok(Run { hit: Some(now()? - begin), ..Run::default() });
                }
                _ => {}
            }
        }
        Ok(Run::default())
    }

    /// Pleach's fuzzer: of a row libFuzzer with its grammar, of a program, which is a process for each input, changes of what took new edges.
    fn fuzz(&self) -> Result<Run, String> {
        let said = |error: std::io::Error| format!("{}: {error}", self.host.name);
        let Kind::Program(of) = &self.host.kind else {
            let row = self.host.as_row(self.fault)?;
            let row = row.ok_or_else(|| format!("{}: it is no row", self.host.name))?;
            let folder = self.host.place("fuzzed");
            let made = run::make(&row, Method::Pleach, &folder, self.host.seeds.clone());
            let job = Job {
                row: &row,
                method: Method::Pleach,
                corpus: Corpus::Row,
                seed: self.seed as u32,
                seconds: self.seconds,
            };
            let record = run::fuzz(&job, &made.map_err(said)?, &folder.join("run"));
            return Ok(Run { hit: record.map_err(said)?.hit, ..Run::default() });
        };
        let counted = self.counted(of.name)?;
        let begin = now()?;
        let mut native = self.built.native.clone().patience(PATIENCE);
        let tester = Natively::new(Bytes, self.seed, &counted);
        let mut tester = tester.given(&self.host.seeds)?;
        while !counted.borrow().is_over()? {
            let made = tester.next().map_err(|broken| broken.to_string())?;
            // The fault has an edge of its own.
            if let Some(input) = made
                && let Verdict::Failed(fault) = native.judge(&input, None)
                && self.met.is(&fault)
            {
                return Ok(Run { hit: Some(now()? - begin), ..Run::default() });
            }
        }
        Ok(Run::default())
    }

    /// The program with counters, whose time begins now.
    fn counted(&self, name: &str) -> Result<Rc<RefCell<Counted>>, String> {
        let program = counted::build(name, &self.host.driver(), &self.host.place("counters"));
        let program = program.map_err(|error| format!("{}: {error}", self.host.name))?;
        let counted = Counted::new(program, self.seconds as f64, &self.host.place("counted-place"));
        Ok(Rc::new(RefCell::new(counted?)))
    }

    /// The bridge, with units that the concolic engine tests and the same changes of inputs beside.
    fn bridge(&self) -> Result<Run, String> {
        let options = Options::new().seed(self.seed).units(Units::Concolic);
        let seeds = &self.host.seeds;
        let mut hit = None;
        let (begin, campaign);
        if let Kind::Program(of) = &self.host.kind {
            let counted = self.counted(of.name)?;
            begin = now()?;
            let mut time = Ok(0.0);
            let go_on = &mut |campaign: &Campaign, event: &Event| {
                if let Event::Ran { failure: Some(at), .. } = event
                    && self.is_found(&campaign.failures()[*at])
                {
                    (hit, time) = (Some(*at), now());
                }
                hit.is_none()
            };
            let ended = bridge_of_program(of, self.built, options, seeds, &counted, go_on)?;
            return Ok(found(&ended, hit, time? - begin));
        }
        begin = now()?;
        let subject = self.subject()?;
        let functions = own(&std::sync::Arc::clone(subject.module()), self.built);
        campaign = Campaign::new(subject, functions, options)
            .with_system_tester(Box::new(Changing::new(Bytes, self.seed, LENGTH)));
        let ended = self.until(campaign, (begin, self.seconds as f64), |campaign, at| {
            self.is_found(&campaign.failures()[at])
        })?;
        Ok(found(&ended.0, ended.1, now()? - begin))
    }

    /// The bridge natively, as the command, which is built with what it needs beforehand.
    fn native(&self) -> Result<Run, String> {
        let said = |error: std::io::Error| format!("{}: {error}", self.host.name);
        let pleach = pleach().map_err(said)?;
        let given = self.host.place("given");
        remove(&given).and_then(|()| fs::create_dir_all(&given)).map_err(said)?;
        for (number, seed) in self.host.seeds.iter().enumerate() {
            fs::write(given.join(number.to_string()), seed).map_err(said)?;
        }
        let bridge = |time: &str| {
            let mut command = with_stack(&pleach);
            command.arg("bridge");
            match &self.host.kind {
                Kind::Program(of) => {
                    command.args([&format!("bin:{}", of.name), "--features", of.name]);
                }
                Kind::Row(_) | Kind::Wrapped(_) => {
                    command.arg("src/lib.rs#run");
                }
            }
            command.arg(&given).args(["--units", "native", "--time", time]);
            command.args(["--seed", &self.seed.to_string(), "--keep"]).arg(self.host.kept());
            command.current_dir(self.host.driver()).stdin(Stdio::null());
            command
        };
        let ended = bridge("0s").stdout(Stdio::null()).stderr(Stdio::null()).status();
        ended.map_err(said)?;
        let is_wanted = |line: &str| {
            let Some((_, rest)) = line.split_once(" at ") else { return false };
            let Some((location, message)) = rest.split_once(": ") else { return false };
            self.is_at(location, message)
        };
        let place = self.host.place("native");
        let ended = watch(bridge(LONG), &place, self.seconds, is_wanted).map_err(said)?;
        let by_unit = found_by_unit(&ended.report, is_wanted);
        Ok(Run { hit: ended.hit, by_unit, ..Run::default() })
    }

    /// Runs a campaign until it has found what is wanted, or its time is over.
    fn until(
        &self,
        mut campaign: Campaign,
        (begin, seconds): (f64, f64),
        is_wanted: impl Fn(&Campaign, usize) -> bool,
    ) -> Result<(Campaign, Option<usize>), String> {
        self.host.seeds.iter().for_each(|seed| campaign.add(seed));
        let mut native = self.built.native.clone().patience(PATIENCE);
        while now()? - begin < seconds {
            match campaign.step(&mut native) {
                Event::Finished => break,
                Event::Ran { error: Some(error), .. } => return Err(error),
                Event::Ran { failure: Some(at), .. } if is_wanted(&campaign, at) => {
                    return Ok((campaign, Some(at)));
                }
                _ => {}
            }
        }
        Ok((campaign, None))
    }

    /// The function alone with random values, for a part of the time: what fails there, and what of that the program shows.
    fn alone(&self) -> Result<Run, String> {
        let begin = now()?;
        let subject = self.subject()?;
        let module = std::sync::Arc::clone(subject.module());
        let (first, last) = self.met.site.lines;
        let is_it = |id: &FunctionId| {
            module.definition(*id).is_some_and(|place| {
                place.path().ends_with(&self.met.site.file) && (first..=last).contains(&place.line)
            })
        };
        let functions: Vec<FunctionId> = module.functions().filter(is_it).collect();
        if functions.is_empty() {
            return Ok(Run::default());
        }
        let options = Options::new().seed(self.seed).units(Units::Fuzzer);
        let campaign = Campaign::new(subject, functions, options);
        let time = (begin, self.seconds as f64 / PART);
        let (campaign, _) = self.until(campaign, time, |_, _| false)?;
        let is_other = |at: usize| !self.is_found(&campaign.failures()[at]);
        let shown = campaign.alarms().iter().filter(|it| is_other(it.failure)).count() as u64;
        let is_fault = |site: &Site| {
            self.met.site.line == site.line && Path::new(&site.file).ends_with(&self.met.site.file)
        };
        let not_shown =
            campaign.suspicions().filter(|it| !it.failing.site.as_ref().is_some_and(is_fault));
        let failures = Some((not_shown.count() as u64 + shown, shown));
        Ok(Run { failures, ..Run::default() })
    }
}

/// What a campaign came to that has found a fault, or not.
fn found(campaign: &Campaign, hit: Option<usize>, seconds: f64) -> Run {
    let by_unit = hit.is_some_and(|at| campaign.alarms().iter().any(|it| it.failure == at));
    Run { hit: hit.map(|_| seconds), by_unit, ..Run::default() }
}
