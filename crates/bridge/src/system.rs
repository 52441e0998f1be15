//! System testers: where inputs of the whole program come from beside the bridge.

use crate::mutate;
use pleach_explore::random::Random;

/// How many inputs are kept to go on from.
const KEPT: usize = 1024;

/// Makes inputs of the whole program.
pub trait SystemTester {
    /// The next one; nothing if there is none now.
    fn next(&mut self) -> Option<Vec<u8>>;

    /// An input did what none before it had done: it may be one to go on from.
    fn learn(&mut self, input: &[u8]);
}

/// Changes bytes of inputs at random.
#[derive(Debug)]
pub struct Bytes {
    random: Random,
    longest: usize,
    kept: Vec<Vec<u8>>,
}

impl Bytes {
    /// Without inputs yet; it makes none that are longer.
    pub fn new(seed: u64, longest: usize) -> Bytes {
        Bytes { random: Random(seed), longest, kept: Vec::new() }
    }
}

impl SystemTester for Bytes {
    fn next(&mut self) -> Option<Vec<u8>> {
        let random = &mut self.random;
        let mut input = self.kept.get(random.below(self.kept.len().max(1)))?.clone();
        for _ in 0..1u32 << random.below(4) {
            mutate::input(&mut input, self.longest, random);
        }
        Some(input)
    }

    fn learn(&mut self, input: &[u8]) {
        if self.kept.len() >= KEPT {
            let out = self.random.below(self.kept.len());
            self.kept.swap_remove(out);
        }
        self.kept.push(input.to_vec());
    }
}
