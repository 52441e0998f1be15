//! The mutator, in safe Rust: bytes in, bytes out.

use pleach::fuzz::Fuzzer;
use pleach::table::Table;
use pleach::{Entropy, Seeded};

use crate::settings::Settings;
use crate::trim::{Trim, Trimmer};

/// A mutator of texts of one grammar, with the buffer that its results stand in.
pub struct Mutator<'t> {
    fuzzer: Fuzzer<'t>,
    words: Seeded,
    out: Vec<u8>,
    trimmer: Trimmer<'t>,
    trim: Option<Trim<'t>>,
}

/// One call in so many that has a donor begins with a crossover.
const CROSSOVERS: u64 = 4;

/// The most mutations in one call; each is half as likely as the one before. AFL++ runs the target
/// once a call, and each call begins with the queue's entry, so some must go further.
const MOST: u32 = 4;

impl<'t> Mutator<'t> {
    /// A mutator for a table.
    ///
    /// # Errors
    ///
    /// Where a name in the settings is of no mutator.
    pub fn new(table: &'t Table, settings: &Settings, seed: u64) -> Result<Self, String> {
        let fuzzer = settings
            .options()
            .fuzzer(table)
            .map_err(|error| format!("PLEACH_ONLY or PLEACH_WITHOUT: {error}"))?;
        let trimmer = Trimmer::new(table);
        Ok(Self { fuzzer, words: Seeded::new(seed), out: Vec::new(), trimmer, trim: None })
    }

    /// A mutant of a text, which now and then has a part of another one, the donor. It has at most so
    /// many bytes, and none only where that is 0.
    pub fn fuzz(&mut self, base: &[u8], donor: &[u8], max_size: usize) -> &[u8] {
        // As large as mutants come: with `-g`, AFL++ reads on behind a short one.
        let room = max_size.max(base.len());
        if self.out.len() < room {
            self.out.resize(room, 0);
        }
        let draw = self.words.next_u64();
        let crosses = !donor.is_empty() && draw.is_multiple_of(CROSSOVERS);
        let count = 1 + (draw >> 32).trailing_ones().min(MOST - 1);
        let mut size = base.len();
        if !crosses {
            self.out[..size].copy_from_slice(base);
        }
        for index in 0..count {
            let seed = self.words.next_u64();
            size = if crosses && index == 0 {
                self.fuzzer.crossover(base, donor, &mut self.out[..max_size], seed)
            } else {
                self.fuzzer.mutate(&mut self.out, size, max_size, seed, None)
            };
        }
        &self.out[..size]
    }

    /// Begins to trim a text, and gives the most steps; 0 where it cannot get shorter.
    pub fn begin_trim(&mut self, text: &[u8]) -> u32 {
        self.trim = self.trimmer.begin(text);
        if self.trim.is_some() { Trim::STEPS } else { 0 }
    }

    /// The next shorter text to be tried; none between trims.
    pub fn trim(&mut self) -> &[u8] {
        let shorter = self.trim.as_ref().map_or(&[][..], Trim::text);
        // In the buffer for the same reason as mutants.
        if self.out.len() < shorter.len() {
            self.out.resize(shorter.len(), 0);
        }
        self.out[..shorter.len()].copy_from_slice(shorter);
        &self.out[..shorter.len()]
    }

    /// Says whether what was tried is as good, and gives how many steps are done: all where there is
    /// nothing more to be tried.
    pub fn end_step(&mut self, success: bool) -> u32 {
        let Some(trim) = &mut self.trim else { return Trim::STEPS };
        let done = trim.answer(success);
        if done == Trim::STEPS {
            self.trim = None;
        }
        done
    }
}
