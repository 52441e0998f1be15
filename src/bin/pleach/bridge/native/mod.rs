//! The bridge natively: `pleach bridge run:COMMAND`, for a program of one's own, whose units are functions that it marks, and `--units native`, where
//! marks are put on functions of any program.

mod campaign;
mod ear;
mod marked;
mod outcome;
mod report;
mod suspicion;
mod system;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use pleach::inside::build::Target;

use super::{Bridge, NOT_FOCUSED, Tester};
use crate::check::Format;
use crate::failure::{Failure, print, to_stderr};
use crate::load;
use crate::met::Failures;
use crate::progress::Status;
use crate::unfinished::interruption;
use crate::units::{self, Output};

use campaign::{Campaign, Event};
use ear::Ear;
use report::Ended;
use system::System;

/// What a program has to be built with, so that it tells of its edges.
const BUILD: &str = "it needs the crate `pleach-unit` with its feature `campaign`, and RUSTFLAGS as docs/bridge.md has them";

/// What is said where there is no unit.
const NOT_CALLED: &str =
    "error: no function that can be a unit was called: name a SEED with which one is";
const NOT_MARKED: &str = ", or, where its arguments are other than text, bytes, numbers and context by reference, leave --units native";
const MARKED: &str = ", and mark it";

/// What was told: the failures, and the files that what was lifted was written to.
#[derive(Default)]
struct Told {
    failures: Failures,
    lifted: BTreeMap<usize, PathBuf>,
}

/// Runs the campaign on a program that marks its units, by its command.
pub(super) fn run(bridge: &Bridge, command: &str) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::input(format!("error: run:{command}: {error}"));
    if bridge.since.is_some() || matches!(bridge.units, Tester::Native | Tester::Command(_)) {
        return Err(Failure::input(
            "error: a program that is run natively has marked functions as units, which pleach tests: leave --since and --units",
        ));
    }
    let seeds = units::texts(&bridge.inputs(), &bridge.bounds, |_, _| Ok(()))?;
    let ear = Ear::new().map_err(failed)?;
    let system = match bridge.connect {
        Some(address) => System::service(command, address, ear.folder()),
        None => System::piped(command, ear.folder()),
    };
    let system = system.map_err(failed)?;
    campaign(bridge, &seeds, ear, system, &failed)
}

/// Runs the campaign on a program in which functions are marked for it.
pub(super) fn run_marked(bridge: &Bridge) -> Result<(), Failure> {
    let name = bridge.targeted.name();
    let failed = |error: io::Error| Failure::input(format!("error: {name}: {error}"));
    let target = bridge.targeted.target()?;
    if let Target::Fuzz { .. } = target {
        return Err(Failure::input(format!(
            "error: --units native: {name} has the edges of its engine: name the function that it calls, as FILE.rs#FUNCTION"
        )));
    }
    let seeds = units::seeds(&target, &bridge.inputs(), &bridge.bounds)?;
    let marked = marked::build(bridge, &target)?;
    let ear = Ear::new().map_err(failed)?;
    let system = System::Marked(marked, ear.folder().to_owned());
    campaign(bridge, &seeds, ear, system, &failed)
}

/// Runs the campaign.
fn campaign(
    bridge: &Bridge,
    seeds: &[Vec<u8>],
    ear: Ear,
    system: System,
    failed: &dyn Fn(io::Error) -> Failure,
) -> Result<(), Failure> {
    let table = bridge.grammar.as_deref().map(load::table).transpose()?;
    let tester = bridge.system_tester(table)?;
    let mut output = bridge.output.as_deref().map(Output::folder).transpose()?;
    let options = (bridge.running.seed, bridge.running.max_length);
    to_stderr(format_args!("seed {}", bridge.running.seed));
    let time = (bridge.running.time, interruption()?);
    let mut campaign = Campaign::new(ear, system, tester, &bridge.focus, options, time);
    let mut told = Told::default();
    let broken = search(bridge, seeds, &mut campaign, &mut output, &mut told, failed)?;
    let seconds = campaign.seconds();
    told.failures.finish(&campaign.failures, seconds, &mut output, bridge.format)?;
    let ended = Ended {
        target: bridge.targeted.name(),
        seed: bridge.running.seed,
        campaign: &campaign,
        failures: &told.failures,
        lifted: &told.lifted,
        seconds,
        suspicions: bridge.suspicions,
    };
    match bridge.format {
        Format::Text => print(ended.text().as_bytes())?,
        Format::Json => print(ended.json().as_bytes())?,
    }
    if let Some(broken) = broken.as_ref().filter(|_| !campaign.failures.is_empty()) {
        to_stderr(format!("error: {broken}"));
    }
    if matches!(bridge.units, Tester::Native) {
        bridge.hint(campaign.functions.len());
    }
    match (campaign.failures.len(), broken) {
        (0, Some(broken)) => Err(Failure::input(format!("error: {broken}"))),
        (0, None) => Ok(()),
        (1, _) => Err(Failure::No("the program fails at one place".into())),
        (many, _) => Err(Failure::No(format!("the program fails at {many} places"))),
    }
}

/// Goes on until the time is over, somebody interrupts, or nothing is left: why the tester beside can't go on, if it can't.
fn search(
    bridge: &Bridge,
    seeds: &[Vec<u8>],
    campaign: &mut Campaign,
    output: &mut Option<Output>,
    told: &mut Told,
    failed: &dyn Fn(io::Error) -> Failure,
) -> Result<Option<String>, Failure> {
    let mut status = Status::new();
    let mut broken = None;
    for seed in seeds {
        let goes_on = campaign.seed(seed);
        tell(bridge, campaign, output, told)?;
        match goes_on {
            Ok(true) if bridge.running.fail_fast && !campaign.failures.is_empty() => break,
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) if campaign.failures.is_empty() => return Err(failed(error)),
            Err(error) => return Ok(Some(format!("{}: {error}", bridge.targeted.name()))),
        }
    }
    match campaign.heard().map_err(failed)? {
        (0, _) => {
            return Err(Failure::input(format!(
                "error: the program does not tell of itself: {BUILD}"
            )));
        }
        (_, 0) => return Err(Failure::input(format!("error: the program has no edges: {BUILD}"))),
        _ => {}
    }
    if campaign.functions.is_empty() && campaign.failures.is_empty() {
        return Err(Failure::input(match (bridge.focus.is_empty(), &bridge.units) {
            (true, _) => NOT_CALLED.to_owned(),
            (false, Tester::Native) => format!("{NOT_FOCUSED}{NOT_MARKED}"),
            (false, _) => format!("{NOT_FOCUSED}{MARKED}"),
        }));
    }
    loop {
        let failures = campaign.failures.len();
        tell(bridge, campaign, output, told)?;
        if (failures > 0 && bridge.running.fail_fast) || campaign.has_ended() {
            break;
        }
        let goes_on = match campaign.step() {
            // A process that ends by the same interruption is none that can't be run.
            Err(_) if campaign.is_stopped() => false,
            Ok(goes_on) => goes_on,
            // What was found so far is told in any case.
            Err(error) => {
                tell(bridge, campaign, output, told)?;
                broken = Some(format!("{}: {error}", bridge.targeted.name()));
                break;
            }
        };
        status.tick(|| report::progress(campaign));
        if let Some(why) = campaign.broken() {
            broken = Some(format!("--system {}: {why}", bridge.system));
        }
        if !goes_on {
            break;
        }
    }
    Ok(broken)
}

/// Writes and says what has happened.
fn tell(
    bridge: &Bridge,
    campaign: &mut Campaign,
    output: &mut Option<Output>,
    told: &mut Told,
) -> Result<(), Failure> {
    while let Some(event) = campaign.events.pop_front() {
        match (event, &mut *output) {
            (Event::Input(input), Some(output)) => {
                output.found.put(&input)?;
            }
            (Event::Failure(at), output) => {
                let (fault, seconds) = (&campaign.failures[at], campaign.seconds());
                told.failures.meet(at, fault, seconds, output.as_mut(), bridge.format)?;
            }
            (Event::Lifted(at), Some(output)) => {
                let lift = &campaign.lifts[at];
                let file = match lift.failure {
                    None => output.found.put(&lift.input)?,
                    Some(_) => output.crashes.put(&lift.input)?,
                };
                told.lifted.insert(at, file);
            }
            _ => {}
        }
    }
    Ok(())
}
