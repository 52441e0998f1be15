//! `pleach focal`: failures of a program's functions, composed backwards to inputs of the program.

mod report;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::{Args, value_parser};
use pleach::focal::campaign::{Campaign, Event, Options, Phase, Variant};
use pleach::inside::build::Native;
use pleach::inside::ir::FunctionId;

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

use report::{Ended, Phases};

/// Looks for failures in a program's functions, and composes inputs that make the program fail there
///
/// The program is built with the stable compiler as it is, std included, and runs in a virtual machine. Its seeds, and what is made of them
/// at random (--fuzz), say which of its functions call which, and how relevant these are to each other; and each function that is given
/// something of the input is carved with its context, as `pleach bridge` does. Each such unit is explored alone: with the branches
/// of its function and of those that are most relevant to it (--relevance). Where it fails is a target. Beside, the whole program is explored. A path on which it
/// fails is combined with a path of its most relevant caller up to the call, that with one of the caller's caller, and so on to the program's
/// entry; where a solver says that two exclude each other, the next path or caller comes, and where all of them do, callers are explored for paths that
/// do not, guided by interpolants. The input that comes of it counts if the program itself fails on it, natively, at the same place.
///
/// SEED names files, and folders of them, to begin with. Inputs that take an edge that none before them took are written to -o, under names made of
/// their content, and those that fail to its folder `crashes`.
///
/// At the end stand the failures, each with the functions whose paths were combined, the bytes of the input that were changed, and the places
/// that decide otherwise for them. What fails was made shorter for as long as it fails at the same place, in 256 runs at most.
/// Targets at which the program was not made to fail are counted, and listed with --targets.
///
/// With --format json, one object is printed: {"target","seed","seconds","functions":{"called","carved","without_context"},"units","full","unit_runs","slices","targets",
/// "validated","formulas","validating","combined","conflicts","unknown","refinements":{"callers","solved","rounds","interpolants",
/// "unchecked","branches","runs"},"runs","native","edges","phases":{"profiles","targets","satisfiability","interpolants",
/// "refinement","reduction"},"crashes":[{"file","input","kind","message","location","count","seconds","chain":[{"function","file","line"}],"composed","bytes":
/// [{"at","old","new","why":[{"function","file","line"}]}]}],"open":[{"message","function","file","line","place":
/// {"function","file","line"},"combined","conflicts","unknown","formulas","why"}],"unfollowed":[{"why","count"}]}. "formulas" came to
/// the program's entry, "full" is how many summaries had no room for another path, and "validating" made it fail at the same place; "phases" are seconds, and "bytes" are those of "composed", the input
/// before it was made shorter. "why" says for a target at which the program was not made to fail what the way
/// backwards ended with. Those of "input" and "composed" are told as in a byte string of Rust: `\n`, `\xff`, `\"`.
#[derive(Args)]
#[command(after_long_help = "\
Exit codes: 0 no input failed; 1 one did; 2 usage, bad input, or a program that can't be built, run or followed;
3 no run came to its end within --steps.

Examples:
  pleach focal src/lib.rs#parse seeds/ -o found --time 5m
  pleach focal bin:tool seeds/ --fail-fast
  pleach focal fuzz:parse fuzz/corpus/parse --targets")]
pub(crate) struct Focal {
    #[command(flatten)]
    targeted: Targeted,
    /// Inputs to begin with, and folders of them; `-` reads standard input
    #[arg(value_name = "SEED")]
    seeds: Vec<PathBuf>,
    /// A folder of inputs to begin with, as a SEED is; may be repeated
    #[arg(long, value_name = "DIR")]
    corpus: Vec<PathBuf>,
    /// Change inputs to begin with as trees of this grammar, and not bytes
    #[arg(long)]
    grammar: Option<PathBuf>,
    /// Write new inputs to this folder, and failing ones to its folder `crashes`
    #[arg(short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// How many of 100 pairs of functions count as relevant to each other, the most relevant ones
    #[arg(long, value_name = "PERCENT", default_value_t = 20, value_parser = value_parser!(u32).range(..=100))]
    relevance: u32,
    /// How many inputs are made of the seeds, at random, before calls are counted; fewer if their runs take more than 30 million instructions
    #[arg(long, value_name = "N", default_value_t = 256)]
    fuzz: u32,
    /// Do without a part of the approach, to compare: I without interpolants, E without extended units, R with random ones, W by
    /// exploration of the whole program towards the targets, M by exploration of callers backwards
    #[arg(long, value_name = "VARIANT", value_parser = variant)]
    variant: Option<Variant>,
    #[command(flatten)]
    running: Running,
    /// List what failed in units and not in the program
    #[arg(long)]
    targets: bool,
    /// How the end is told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    bounds: Bounds,
}

/// A variant by its letter.
fn variant(letter: &str) -> Result<Variant, String> {
    Variant::named(letter).ok_or_else(|| "there are the variants I, E, R, W and M".to_owned())
}

impl Focal {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let target = self.targeted.target()?;
        let seeds = [&self.seeds[..], &self.corpus].concat();
        let seeds = units::seeds(&target, &seeds, &self.bounds)?;
        let table = self.grammar.as_deref().map(load::table).transpose()?;
        let mut output = self.output.as_deref().map(Output::folder).transpose()?;
        let (built, program) = self.targeted.build(&target)?;
        units::refuse_empty(&built, &seeds, self.targeted.name())?;
        let module = Arc::clone(program.module());
        let is_own = |id: &FunctionId| units::is_own(*id, &module, &built, self.running.all);
        let own: Vec<FunctionId> = module.functions().filter(is_own).collect();
        let subject = units::subject(&module, &built, self.running.steps)?;
        let options = Options::new()
            .variant(self.variant.unwrap_or_default())
            .seed(self.running.seed)
            .fuzz(self.fuzz)
            .max_length(self.running.max_length)
            .percent(self.relevance);
        let mut campaign = Campaign::new(subject, own, options);
        if let Some(table) = table {
            let (seed, longest) = (self.running.seed, self.running.max_length);
            let tester = ByGrammar::new(Arc::new(table), self.bounds.limits(), seed, longest);
            campaign = campaign.with_system_tester(Box::new(tester));
        }
        for seed in &seeds {
            campaign.add(seed);
        }
        to_stderr(format_args!("seed {}", self.running.seed));
        let begun = Instant::now();
        let (failures, phases) = self.search(&mut campaign, built.native, &mut output, begun)?;
        let ended = Ended {
            target: self.targeted.name(),
            seed: self.running.seed,
            campaign: &campaign,
            failures: &failures,
            phases,
            seconds: begun.elapsed().as_secs_f64(),
            targets: self.targets,
        };
        match self.format {
            Format::Text => print(ended.text().as_bytes())?,
            Format::Json => print(ended.json().as_bytes())?,
        }
        match campaign.failures().len() {
            0 => followed(campaign.unfollowed(), campaign.counts().runs, self.running.steps),
            1 => Err(Failure::No("the program fails at one place".into())),
            many => Err(Failure::No(format!("the program fails at {many} places"))),
        }
    }

    /// Goes on until the time is over, somebody interrupts, or nothing is left: how failures were met, and how long each phase took.
    fn search(
        &self,
        campaign: &mut Campaign,
        mut native: Native,
        output: &mut Option<Output>,
        begun: Instant,
    ) -> Result<(Failures, Phases), Failure> {
        let interrupted = interruption()?;
        let (mut failures, mut phases) = (Failures::default(), Phases::default());
        let mut status = Status::new();
        let mut unjudged = 0;
        while begun.elapsed() < self.running.time && !interrupted.load(Ordering::Relaxed) {
            let (phase, before) = (campaign.phase(), Instant::now());
            let event = campaign.step(&mut native);
            *match phase {
                Phase::Profiles => &mut phases.profiles,
                Phase::Targets => &mut phases.targets,
                Phase::Composition => &mut phases.satisfiability,
                Phase::Interpolants => &mut phases.interpolants,
                Phase::Refinement => &mut phases.refinement,
                Phase::Reduction => &mut phases.reduction,
            } += before.elapsed();
            status.tick(|| report::progress(campaign));
            let (input, edges, failure, fails, error) = match event {
                Event::Ran { input, edges, failure, fails, error } => {
                    (input, edges, failure, fails, error)
                }
                Event::Finished => break,
                Event::Broken(why) => {
                    to_stderr(format_args!("what makes inputs of the seeds: {why}"));
                    continue;
                }
                Event::Tested | Event::Combined => continue,
            };
            if let Some(error) = error.filter(|_| !interrupted.load(Ordering::Relaxed)) {
                unjudged += 1;
                match campaign.counts().native > unjudged {
                    false => return Err(Failure::input(format!("error: {error}"))),
                    true => to_stderr(format_args!("the program could not be run: {error}")),
                }
            }
            if edges > 0
                && !fails
                && let Some(output) = output
            {
                output.found.put(&input)?;
            }
            if let Some(at) = failure {
                let (fault, seconds) = (&campaign.failures()[at], begun.elapsed().as_secs_f64());
                // What is still made shorter is written when it is.
                let is_small = campaign.phase() != Phase::Reduction;
                let output = output.as_mut().filter(|_| is_small);
                failures.meet(at, fault, seconds, output, self.format)?;
                if is_small && self.running.fail_fast {
                    break;
                }
            }
        }
        let seconds = begun.elapsed().as_secs_f64();
        failures.finish(campaign.failures(), seconds, output, self.format)?;
        Ok((failures, phases))
    }
}
