//! System testers: where inputs of the whole program come from beside the bridge.

use pleach_explore::parts;
use pleach_unit::mutate;
use pleach_unit::random::Random;
use std::collections::VecDeque;

/// How many inputs are kept to go on from.
const KEPT: usize = 1024;

/// Why a tester can't go on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Broken {
    /// It can't be run.
    NotRun(String),
    /// It ended as it should not: how.
    Ended(String),
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Broken::NotRun(why) => write!(f, "it can't be run: {why}"),
            Broken::Ended(how) => write!(f, "it ended with {how}"),
        }
    }
}

impl std::error::Error for Broken {}

/// Makes inputs of the whole program.
pub trait SystemTester {
    /// The next one; nothing if there is none now.
    ///
    /// # Errors
    /// There will be none any more.
    fn next(&mut self) -> Result<Option<Vec<u8>>, Broken>;

    /// An input did what none before it had done: it may be one to go on from.
    fn learn(&mut self, input: &[u8]);
}

/// A mutator of whole texts: the seam between a system tester and what makes its inputs.
pub trait Change {
    /// One or more texts made of this one, as far as that can be none longer than so many bytes.
    ///
    /// # Errors
    /// There will be none any more.
    fn change(
        &mut self,
        text: &[u8],
        longest: usize,
        random: &mut Random,
    ) -> Result<Vec<Vec<u8>>, Broken>;
}

/// The mutator that changes bytes of a text at random.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bytes;

impl Change for Bytes {
    fn change(
        &mut self,
        text: &[u8],
        longest: usize,
        random: &mut Random,
    ) -> Result<Vec<Vec<u8>>, Broken> {
        let mut text = text.to_vec();
        for _ in 0..1u32 << random.below(4) {
            mutate::input(&mut text, longest, random);
        }
        Ok(vec![text])
    }
}

/// Changes inputs that did something new; of one of several parts a part.
#[derive(Debug)]
pub struct Changing<C> {
    change: C,
    random: Random,
    longest: usize,
    kept: Vec<Vec<u8>>,
    waiting: VecDeque<Vec<u8>>,
}

impl<C> Changing<C> {
    /// Without inputs yet; it makes none that are longer.
    pub fn new(change: C, seed: u64, longest: usize) -> Changing<C> {
        let (random, kept, waiting) = (Random(seed), Vec::new(), VecDeque::new());
        Changing { change, random, longest, kept, waiting }
    }
}

impl<C: Change> SystemTester for Changing<C> {
    fn next(&mut self) -> Result<Option<Vec<u8>>, Broken> {
        if let Some(input) = self.waiting.pop_front() {
            return Ok(Some(input));
        }
        let random = &mut self.random;
        let Some(base) = self.kept.get(random.below(self.kept.len().max(1))) else {
            return Ok(None);
        };
        let texts = parts::texts(base).filter(|it| !it.is_empty());
        let made = match texts {
            Some(texts) => {
                let which = random.below(texts.len());
                let others = base.len().saturating_sub(texts[which].len());
                let longest = self.longest.saturating_sub(others);
                let new = self.change.change(&texts[which], longest, random)?;
                new.iter().filter_map(|it| parts::replace(base, which, it)).collect()
            }
            None => self.change.change(base, self.longest, random)?,
        };
        // Marks are bytes, too.
        self.waiting.extend(made.into_iter().filter(|it| it.len() <= self.longest));
        Ok(self.waiting.pop_front())
    }

    fn learn(&mut self, input: &[u8]) {
        if self.kept.len() >= KEPT {
            let out = self.random.below(self.kept.len());
            self.kept.swap_remove(out);
        }
        self.kept.push(input.to_vec());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_parts_one_changes_and_all_can_be_read() {
        let text = b"%parts\nargs\n|-c\n|1\nstdin\n|a b\n|\nfile x\n|y\n";
        let mut tester = Changing::new(Bytes, 1, 200);
        assert_eq!(tester.next(), Ok(None));
        tester.learn(text);
        let old = parts::texts(text).unwrap();
        let mut changed = [0; 3];
        for _ in 0..300 {
            let Some(input) = tester.next().unwrap() else { continue };
            let new = parts::texts(&input).expect("it is of parts");
            let differ: Vec<usize> = (0..3).filter(|&at| old[at] != new[at]).collect();
            assert!(differ.len() <= 1 && input.len() <= 200, "{}", input.escape_ascii());
            differ.iter().for_each(|&at| changed[at] += 1);
        }
        assert!(changed.iter().all(|&it| it > 50), "{changed:?}");
    }
}
