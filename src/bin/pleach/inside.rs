//! Texts that a function's own branches ask for, beside those that a specification gives.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::Ordering;

use clap::{Args, value_parser};
use pleach::explore::native::{Judge, Verdict};
use pleach::explore::search::{Event, Explorer, Options};
use pleach::explore::subject::{Run, Subject};
use pleach::explore::symbolic::SymbolicLimits;
use pleach::inside::vm::Options as Machine;

use crate::failure::{Failure, to_stderr};
use crate::operand::Operand;
use crate::target::Targeted;
use crate::unfinished::interruption;

/// How many texts the search begins with, of all that there are.
const SEEDS: usize = 500;
/// How many questions each text may cost, over all.
const QUESTIONS: u64 = 20;
/// How many instructions one run may execute.
const STEPS: u64 = 5_000_000;
/// How long texts may get, in bytes, or twice as long as the longest that there is: loops could go on for ever, and what is compared
/// with is seldom longer.
const LENGTH: usize = 64;

/// How far a look inside goes.
#[derive(Args)]
pub(crate) struct Inside {
    /// Look into the function of IMPL, too, and try up to N more texts that its branches ask for, what it compares with among
    /// them: `pleach explore` says how, and on which systems
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_000_000))]
    explore: Option<u32>,
}

/// Texts that take other ways through a function.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Those that reached code that no text before had.
    pub(crate) fresh: Vec<String>,
    /// All others.
    pub(crate) others: Vec<String>,
}

impl Found {
    /// All, those that reached more first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        self.fresh.iter().chain(&self.others).map(String::as_str)
    }
}

/// What is tried is run and judged where all texts are.
struct Later;

impl Judge for Later {
    fn judge(&mut self, _: &[u8], _: Option<&Run>) -> Verdict {
        Verdict::Passed
    }
}

impl Inside {
    /// Refuses to look into what is no function, before anything is run.
    pub(crate) fn refuse(&self, operand: Option<&Operand>) -> Result<(), Failure> {
        if self.explore.is_some() && !matches!(operand, Some(Operand::Function { .. })) {
            return Err(Failure::input(
                "error: --explore needs a function that is run: --impl FILE.rs#FUNCTION",
            ));
        }
        Ok(())
    }

    /// Searches a function from texts, if it is asked for. The same texts lead to the same ones.
    pub(crate) fn search<'t>(
        &self,
        operand: &Operand,
        keep: Option<&Path>,
        texts: impl ExactSizeIterator<Item = &'t [u8]>,
    ) -> Result<Found, Failure> {
        let (Some(most), Operand::Function { file, function, .. }) = (self.explore, operand) else {
            return Ok(Found::default());
        };
        let targeted = Targeted::function(file, function, keep);
        let (built, program) = targeted.build(&targeted.target()?)?;
        let machine = Machine::new().steps(STEPS);
        let module = program.module().clone();
        let subject = Subject::new(module, &built.entry, machine, SymbolicLimits::default())
            .map_err(|outcome| Failure::Input(format!("error: --explore: {outcome}")))?;
        let texts: Vec<&[u8]> = texts.collect();
        let mut known: HashSet<Vec<u8>> = texts.iter().map(|text| text.to_vec()).collect();
        // From everywhere, as texts stand in an order of their own.
        let step = texts.len().div_ceil(SEEDS).max(1);
        let seeds: Vec<&[u8]> = texts.into_iter().step_by(step).collect();
        let longest = seeds.iter().map(|text| text.len()).max().unwrap_or(0);
        let options = Options::new().max_length(LENGTH.max(2 * longest));
        let mut explorer = Explorer::new(subject, options);
        seeds.iter().for_each(|text| explorer.add(text));
        let interrupted = interruption()?;
        let mut found = Found::default();
        let most = most as usize;
        while found.fresh.len() + found.others.len() < most
            && explorer.counts().queries < QUESTIONS * most as u64
        {
            if interrupted.load(Ordering::Relaxed) {
                return Err(Failure::Budget("interrupted".into()));
            }
            match explorer.step(&mut Later) {
                Event::Ran { input, edges, .. } if known.insert(input.clone()) => {
                    // Texts alone are what both sides take.
                    let Ok(text) = String::from_utf8(input) else { continue };
                    let of = if edges > 0 { &mut found.fresh } else { &mut found.others };
                    of.push(text);
                }
                Event::Finished => break,
                _ => {}
            }
        }
        to_stderr(format_args!(
            "explored {}: {} more texts, {} of which reached code that none before did",
            targeted.name(),
            found.fresh.len() + found.others.len(),
            found.fresh.len()
        ));
        Ok(found)
    }
}
