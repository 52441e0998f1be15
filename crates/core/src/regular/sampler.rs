//! Uniform sampling of strings by length.
//!
//! For each length and state the number of strings is known beforehand, and each step is drawn
//! in proportion to what lies behind it. The numbers soon outgrow any integer (a million to the
//! power of the length), a logarithm would round differently from one platform to the next, and
//! `f64` overflows at 51 scalar values, so a count is a 64-bit integer times a power of two, by
//! integer arithmetic alone: exact as far as 2^64, and beyond that right to some sixty bits.

use super::{AutomatonLimits, Dfa, RegularError, StateId, Transition};
use crate::Entropy;

/// How many strings there are: an integer times a power of two.
///
/// Exact below 2^64. Beyond that, each addition and multiplication behind it rounds down by less
/// than one part in 2^62.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StringCount {
    /// At least 2^63 unless the exponent is 0.
    mantissa: u64,
    exponent: u32,
}

impl StringCount {
    const ONE: Self = Self { mantissa: 1, exponent: 0 };

    /// The number, where it is below 2^64.
    pub fn exact(self) -> Option<u64> {
        (self.exponent == 0).then_some(self.mantissa)
    }

    /// The nearest floating-point number, infinite where it is too large for one.
    pub fn to_f64(self) -> f64 {
        let exponent = i32::try_from(self.exponent).unwrap_or(i32::MAX);
        self.mantissa as f64 * 2_f64.powi(exponent)
    }

    /// Whether there is none.
    pub fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    fn new(value: u128, exponent: u32) -> Self {
        let shift = (u128::BITS - value.leading_zeros()).saturating_sub(u64::BITS);
        Self { mantissa: (value >> shift) as u64, exponent: exponent + shift }
    }

    /// `size` is at most 2^32, so that the product fits.
    fn times(self, size: u64) -> Self {
        Self::new(u128::from(self.mantissa) * u128::from(size), self.exponent)
    }

    fn plus(self, other: Self) -> Self {
        let (large, small) =
            if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let aligned = small.at(large.exponent);
        Self::new(u128::from(large.mantissa) + u128::from(aligned), large.exponent)
    }

    /// The mantissa at a greater or equal exponent, rounded down.
    fn at(self, exponent: u32) -> u64 {
        self.mantissa.checked_shr(exponent - self.exponent).unwrap_or(0)
    }
}

/// Draws strings of a given length from a language, each as likely as any other.
///
/// Uniform but for rounding: no set of strings is more or less likely than it should be by more
/// than the length times 2^-38. What is rarer than that may never come.
///
/// # Examples
///
/// ```
/// use pleach::Seeded;
/// use pleach::regular::{Alphabet, Dfa, AutomatonLimits, UniformSampler};
///
/// let limits = AutomatonLimits::default();
/// let dfa = Dfa::from_regex("[ab]*c?", Alphabet::Unicode, &limits)?;
/// let sampler = UniformSampler::new(&dfa, 8, &limits)?;
/// assert_eq!(sampler.count(3).exact(), Some(8 + 4));
/// let mut string = Vec::new();
/// assert!(sampler.sample(3, &mut Seeded::new(1), &mut string));
/// assert!(string.len() == 3 && dfa.contains(string));
/// # Ok::<(), pleach::regular::RegularError>(())
/// ```
#[derive(Clone, Debug)]
pub struct UniformSampler<'a> {
    dfa: &'a Dfa,
    max_len: usize,
    /// The number of strings of `n` symbols accepted from state `q` is
    /// `counts[n * states + q]`.
    counts: Vec<StringCount>,
}

impl<'a> UniformSampler<'a> {
    /// Counts the strings of up to `max_len` symbols.
    ///
    /// # Errors
    ///
    /// Where states times lengths are more than [`AutomatonLimits::cells`].
    pub fn new(
        dfa: &'a Dfa,
        max_len: usize,
        limits: &AutomatonLimits,
    ) -> Result<Self, RegularError> {
        let states = dfa.state_count();
        limits.check_cells(max_len.saturating_add(1).saturating_mul(states))?;
        let mut counts = Vec::with_capacity((max_len + 1) * states);
        counts.extend(dfa.states().map(|state| {
            if dfa.is_accepting(state) { StringCount::ONE } else { StringCount::default() }
        }));
        for len in 1..=max_len {
            let shorter = (len - 1) * states;
            for state in dfa.states() {
                let mut count = StringCount::default();
                for transition in dfa.transitions(state) {
                    let behind = counts[shorter + transition.target.index()];
                    count = count.plus(behind.times(dfa.class_size(transition.class)));
                }
                counts.push(count);
            }
        }
        Ok(Self { dfa, max_len, counts })
    }

    /// The greatest length that can be asked for.
    pub fn max_len(&self) -> usize {
        self.max_len
    }

    /// How many strings of `len` symbols there are.
    ///
    /// # Panics
    ///
    /// Where `len` is greater than [`UniformSampler::max_len`].
    pub fn count(&self, len: usize) -> StringCount {
        assert!(len <= self.max_len, "length {len} is beyond {}", self.max_len);
        self.count_from(self.dfa.start(), len)
    }

    fn count_from(&self, state: StateId, len: usize) -> StringCount {
        self.counts[len * self.dfa.state_count() + state.index()]
    }

    /// Appends a string of `len` symbols, and says whether there is one.
    ///
    /// Where there is none, or `len` is greater than [`UniformSampler::max_len`], nothing is
    /// appended or drawn. Two words are drawn for each symbol at most, and nothing is allocated
    /// but for `out`.
    pub fn sample(&self, len: usize, entropy: &mut impl Entropy, out: &mut Vec<u32>) -> bool {
        if len > self.max_len || self.count(len).is_zero() {
            return false;
        }
        let mut state = self.dfa.start();
        for left in (0..len).rev() {
            let Some(transition) = self.choose(state, left, entropy) else {
                return false;
            };
            let size = self.dfa.class_size(transition.class);
            let index = if size > 1 { entropy.below(size) } else { 0 };
            out.extend(self.dfa.class_symbol(transition.class, index));
            state = transition.target;
        }
        true
    }

    /// A transition after which `left` more symbols can follow; there is one if any of one more
    /// could follow before.
    fn choose(
        &self,
        state: StateId,
        left: usize,
        entropy: &mut impl Entropy,
    ) -> Option<Transition> {
        let weight = |transition: &Transition| {
            let behind = self.count_from(transition.target, left);
            behind.times(self.dfa.class_size(transition.class))
        };
        let transitions = self.dfa.transitions(state);
        if let [only] = transitions {
            return Some(*only);
        }
        let total = self.count_from(state, left + 1);
        let mut rest = entropy.below(total.mantissa);
        let mut last = None;
        for transition in transitions {
            let weight = weight(transition);
            if weight.is_zero() {
                continue;
            }
            // What rounding leaves over belongs to the last one.
            last = Some(*transition);
            let share = weight.at(total.exponent);
            if rest < share {
                break;
            }
            rest -= share;
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seeded;
    use crate::regular::Alphabet;

    #[test]
    fn counts_are_exact_up_to_64_bits_and_close_beyond() {
        let limits = AutomatonLimits::default();
        let all = Dfa::universal(Alphabet::Bytes);
        let sampler = UniformSampler::new(&all, 200, &limits).expect("small");
        assert_eq!(sampler.count(7).exact(), Some(1 << 56));
        assert_eq!(sampler.count(8).exact(), None);
        assert_eq!(sampler.count(8).to_f64(), 2_f64.powi(64));
        assert_eq!(sampler.count(200).to_f64(), f64::INFINITY);
        let decimal = Dfa::from_regex("[0-9]{19}", Alphabet::Bytes, &limits).expect("small");
        let sampler = UniformSampler::new(&decimal, 19, &limits).expect("small");
        assert_eq!(sampler.count(19).exact(), Some(10_u64.pow(19)));
        assert!(sampler.count(18).is_zero());
    }

    #[test]
    fn long_strings_and_rare_branches_can_be_drawn() {
        let limits = AutomatonLimits::default();
        // One string is of odd length, beside some 10^1800 of even ones as long.
        let dfa = Dfa::from_regex("(?s)xa{300}|(?:..){0,400}", Alphabet::Unicode, &limits);
        let dfa = dfa.expect("small");
        let sampler = UniformSampler::new(&dfa, 801, &limits).expect("small");
        let mut seed = Seeded::new(3);
        for len in [0, 300, 301, 800] {
            let mut out = Vec::new();
            assert!(sampler.sample(len, &mut seed, &mut out), "length {len}");
            assert!(out.len() == len && dfa.contains(out.iter().copied()), "length {len}");
        }
        let mut out = vec![7];
        assert!(!sampler.sample(303, &mut seed, &mut out));
        assert!(!sampler.sample(802, &mut seed, &mut out));
        assert_eq!(out, [7]);
    }

    #[test]
    fn the_table_of_counts_is_bounded() {
        let dfa = Dfa::universal(Alphabet::Bytes);
        let error =
            UniformSampler::new(&dfa, usize::MAX, &AutomatonLimits::default()).expect_err("bound");
        assert!(error.is_size_limit_exceeded());
    }
}
