//! Shorter inputs that fail in the same way: parts are left out, half of the input at first and single bytes in the end.
//!
//! As the reduction of A. Zeller and R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002, goes through
//! complements: a part that can be left out is, and the next one comes at the same place.

use pleach_explore::subject::Site;

/// How many inputs are tried, at most, and how many instructions their runs may execute.
const TRIED: u32 = 256;
const STEPS: u64 = 10_000_000;

/// What is left out next.
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    /// The failure that is to stay, and where it is in the machine.
    pub(crate) failure: usize,
    pub(crate) place: Option<Site>,
    /// How long a part is, and where the next one begins.
    size: usize,
    at: usize,
    /// Whether something was left out with parts of this length.
    has_shrunk: bool,
    left: u32,
    steps: u64,
}

impl Reduction {
    /// Of an input of so many bytes.
    pub(crate) fn new(failure: usize, place: Option<Site>, length: usize) -> Reduction {
        let size = length.div_ceil(2);
        Reduction { failure, place, size, at: 0, has_shrunk: false, left: TRIED, steps: STEPS }
    }

    /// The input without the next part; nothing if that is all.
    pub(crate) fn next(&mut self, input: &[u8]) -> Option<Vec<u8>> {
        if self.at >= input.len() {
            if self.size <= 1 && !self.has_shrunk {
                return None;
            }
            self.size = self.size.div_ceil(2).max(1);
            (self.at, self.has_shrunk) = (0, false);
        }
        self.left = self.left.checked_sub(1)?;
        if input.is_empty() || self.steps == 0 {
            return None;
        }
        let end = input.len().min(self.at + self.size);
        Some([&input[..self.at], &input[end..]].concat())
    }

    /// Whether what [`Self::next`] gave does the same, and how many instructions its run has executed.
    pub(crate) fn tell(&mut self, is_same: bool, steps: u64) {
        self.steps = self.steps.saturating_sub(steps);
        self.has_shrunk |= is_same;
        self.at += if is_same { 0 } else { self.size };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of an input where this is to hold, and how many inputs were tried.
    fn reduced(input: &[u8], holds: impl Fn(&[u8]) -> bool) -> (Vec<u8>, u32) {
        reduced_in(0, input, holds)
    }

    /// The same where each run executes so many instructions.
    fn reduced_in(steps: u64, input: &[u8], holds: impl Fn(&[u8]) -> bool) -> (Vec<u8>, u32) {
        let mut reduction = Reduction::new(0, None, input.len());
        let (mut input, mut tried) = (input.to_vec(), 0);
        while let Some(shorter) = reduction.next(&input) {
            assert!(shorter.len() < input.len());
            tried += 1;
            let is_same = holds(&shorter);
            reduction.tell(is_same, steps);
            if is_same {
                input = shorter;
            }
        }
        (input, tried)
    }

    #[test]
    fn no_byte_of_what_is_left_can_be_left_out() {
        let needed = |input: &[u8]| input.contains(&b'x') && input.ends_with(b"yz");
        let (input, tried) = reduced(b"aaaaxaaaaaaaaaaaaaaaaayz", needed);
        assert_eq!(input, b"xyz");
        assert!(tried < 40, "{tried}");
    }

    #[test]
    fn it_ends_on_nothing_on_all_and_on_too_much() {
        assert_eq!(reduced(b"", |_| true), (Vec::new(), 0));
        assert_eq!(reduced(b"abcdefg", |_| true).0, b"");
        let (input, tried) = reduced(&[7; 1000], |_| false);
        assert_eq!((input.len(), tried), (1000, TRIED));
        let (input, tried) = reduced_in(STEPS / 10, &[7; 1000], |_| false);
        assert_eq!((input.len(), tried), (1000, 10));
    }
}
