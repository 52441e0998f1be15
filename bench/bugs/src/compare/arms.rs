//! The four arms: what makes inputs of a subject.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::Arc;

use pleach_bridge::campaign::{Campaign, Event, Options};
use pleach_bridge::system::{Broken, Bytes, Change, Changing, SystemTester};
use pleach_concolic::build::{Builder, Built, Target};
use pleach_concolic::vm::Options as Machine;
use pleach_explore::random::Random;
use pleach_explore::subject::Subject;
use pleach_explore::symbolic::SymbolicLimits;

use super::counted::Counted;
use super::{Subject as Of, subjects};
use crate::explore::{LENGTH, PATIENCE};

/// How many instructions a run may execute: a program of uutils takes a million before it looks at its input.
pub const STEPS: u64 = 50_000_000;
/// How many processes have none with a new edge before a unit has its turn.
const TURN: u32 = 256;
/// How many texts Radamsa makes at a time.
const TEXTS: u32 = 64;

/// Radamsa's library, asked for many texts of one: each as its length and its bytes.
const SCRIPT: &str = "import sys, pyradamsa
radamsa, text = pyradamsa.Radamsa(), sys.stdin.buffer.read()
first, count = int(sys.argv[1]), int(sys.argv[2])
for seed in range(first, first + count):
    made = radamsa.fuzz(text, seed=seed)
    sys.stdout.buffer.write(len(made).to_bytes(4, 'little') + made)";

/// Radamsa, by Python's package `pyradamsa`.
pub struct Radamsa(pub String);

impl Radamsa {
    /// Why it cannot be used, if so.
    pub fn missing(&self) -> Option<String> {
        let mut command = Command::new(&self.0);
        command.args(["-c", "import pyradamsa"]).stdin(Stdio::null()).stderr(Stdio::null());
        match command.status() {
            Ok(status) if status.success() => None,
            Ok(_) => Some(format!(
                "{} has no package `pyradamsa`: `pip install pyradamsa`, or name a Python with --python",
                self.0
            )),
            Err(error) => Some(format!("{}: {error}: name a Python with --python", self.0)),
        }
    }

    fn texts(&self, text: &[u8], first: u64) -> io::Result<Vec<u8>> {
        let mut command = Command::new(&self.0);
        command.args(["-c", SCRIPT, &first.to_string(), &TEXTS.to_string()]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        // It reads all before it writes.
        child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(text))?;
        let output = child.wait_with_output()?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(io::Error::other(output.status.to_string())),
        }
    }
}

impl Change for Radamsa {
    fn change(
        &mut self,
        text: &[u8],
        longest: usize,
        random: &mut Random,
    ) -> Result<Vec<Vec<u8>>, Broken> {
        let first = u64::from(TEXTS) * random.below(1 << 24) as u64;
        let written = self.texts(text, first).map_err(|error| Broken::NotRun(error.to_string()))?;
        let (mut texts, mut rest) = (Vec::new(), &written[..]);
        while let Some((length, behind)) = rest.split_first_chunk() {
            let Some((text, behind)) =
                behind.split_at_checked(u32::from_le_bytes(*length) as usize)
            else {
                break;
            };
            texts.push(text.to_vec());
            rest = behind;
        }
        texts.retain(|text| text.len() <= longest);
        Ok(texts)
    }
}

/// A system tester whose inputs run as processes: only those that take a new edge come out.
pub struct Natively<C> {
    changing: Changing<C>,
    counted: Rc<RefCell<Counted>>,
    /// Whether it goes on from what was new.
    learns: bool,
}

impl<C: Change> Natively<C> {
    /// One that begins with the seeds.
    pub fn new(change: C, seed: u64, counted: &Rc<RefCell<Counted>>) -> Self {
        Self {
            changing: Changing::new(change, seed, LENGTH),
            counted: counted.clone(),
            learns: true,
        }
    }

    /// Has it make all inputs of the seeds.
    pub fn given(mut self, seeds: &[Vec<u8>]) -> Result<Self, String> {
        for seed in seeds {
            self.counted.borrow_mut().run(seed)?;
            self.changing.learn(seed);
        }
        Ok(self)
    }

    /// Has it learn nothing from what was new, as Radamsa by itself.
    pub fn blind(mut self) -> Self {
        self.learns = false;
        self
    }

    /// Goes on until the time is over.
    pub fn alone(mut self) -> Result<(), String> {
        while !self.counted.borrow().is_over()? {
            self.next().map_err(|broken| broken.to_string())?;
        }
        Ok(())
    }
}

impl<C: Change> SystemTester for Natively<C> {
    fn next(&mut self) -> Result<Option<Vec<u8>>, Broken> {
        for _ in 0..TURN {
            let Some(input) = self.changing.next()? else { continue };
            if self.counted.borrow_mut().run(&input).map_err(Broken::NotRun)? {
                if self.learns {
                    self.changing.learn(&input);
                }
                return Ok(Some(input));
            }
        }
        Ok(None)
    }

    fn learn(&mut self, input: &[u8]) {
        // What does not run has no new edge, and what came from here was counted there.
        if self.counted.borrow_mut().run(input).is_ok_and(|is_new| is_new) {
            self.changing.learn(input);
        }
    }
}

/// A campaign of the bridge, with pleach as the system tester, until the time is over or it is not to go on.
pub fn bridge(
    of: &Of,
    built: &Built,
    options: Options,
    seeds: &[Vec<u8>],
    counted: &Rc<RefCell<Counted>>,
    go_on: &mut dyn FnMut(&Campaign, &Event) -> bool,
) -> Result<Campaign, String> {
    let machine = Machine::new().steps(STEPS);
    let subject = Subject::open(built, machine, SymbolicLimits::default())?;
    let module = Arc::clone(subject.module());
    let admitted = module.functions().filter(|&id| {
        module.definition(id).is_some_and(|place| of.owns(&place.path().display().to_string()))
    });
    let tester = Natively::new(Bytes, options.get_seed(), counted);
    let mut campaign =
        Campaign::new(subject, admitted, options).with_system_tester(Box::new(tester));
    for seed in seeds {
        campaign.add(seed);
    }
    let mut native = built.native.clone().patience(PATIENCE);
    while !counted.borrow().is_over()? {
        match campaign.step(&mut native) {
            Event::BrokenSystem(broken) | Event::BrokenUnits(broken) => {
                return Err(broken.to_string());
            }
            event if !go_on(&campaign, &event) => break,
            _ => {}
        }
    }
    Ok(campaign)
}

/// Builds a subject for the machine.
pub fn build(of: &Of, folder: &Path) -> Result<Built, String> {
    let target = Target::Program { name: of.name.into(), folder: subjects() };
    let built = Builder::new(folder.join("kept")).build(&target);
    built.map_err(|error| format!("{}: {error}", of.name))
}
