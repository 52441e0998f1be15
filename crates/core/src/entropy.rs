//! Where choices come from.
//!
//! All randomness enters through [`Entropy`], so a seed, a fuzzer's bytes, `arbitrary::Unstructured` or, with the feature
//! `rand`, any generator of that ecosystem can be the source; without it no type of a random number crate is public.
//! Integers are drawn from whole 64-bit words by this module's own arithmetic, so that an
//! upgrade of a dependency cannot change what a seed produces.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// A source of 64-bit words from which every choice is drawn.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no source of choices",
    note = "`Seeded::new(seed)` is one, and so is `Rand(rng)`, with the feature `rand`"
)]
pub trait Entropy {
    /// The next word.
    fn next_u64(&mut self) -> u64;

    /// Whether the source has nothing more to say.
    ///
    /// Production closes a tree by the cheapest way once this is true. The default is `false`.
    fn is_exhausted(&self) -> bool {
        false
    }

    /// A word that need be no better than one of so many random bits, which it has at either end. The
    /// default is the next word; a source that must last, as a fuzzer's bytes, gives no more than is
    /// asked for.
    #[inline]
    fn bits(&mut self, count: u32) -> u64 {
        let _ = count;
        self.next_u64()
    }

    /// An integer in `0..bound`, and 0 where `bound` is 0.
    ///
    /// The high half of a 64 by 64 bit product: one word a draw, never a loop, with a bias
    /// below `bound / 2^64` (Lemire, "Fast Random Integer Generation in an Interval", 2019,
    /// without the rejection step).
    #[inline]
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }
}

impl<E: Entropy + ?Sized> Entropy for &mut E {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        (**self).next_u64()
    }

    #[inline]
    fn is_exhausted(&self) -> bool {
        (**self).is_exhausted()
    }

    #[inline]
    fn bits(&mut self, count: u32) -> u64 {
        (**self).bits(count)
    }

    #[inline]
    fn below(&mut self, bound: u64) -> u64 {
        (**self).below(bound)
    }
}

/// A deterministic source of 64-bit words: ChaCha8 begun with a seed, the same on every platform.
///
/// # Examples
///
/// ```
/// use pleach::{Entropy, Seeded};
///
/// let mut first = Seeded::new(7);
/// let mut second = Seeded::new(7);
/// assert_eq!(first.next_u64(), second.next_u64());
/// ```
#[derive(Debug)]
pub struct Seeded {
    words: ChaCha8Rng,
}

impl Clone for Seeded {
    /// A source that gives the same words from here on.
    fn clone(&self) -> Self {
        let mut words = ChaCha8Rng::from_seed(self.words.get_seed());
        words.set_word_pos(self.words.get_word_pos());
        Self { words }
    }
}

impl Seeded {
    /// A source whose key is `seed` in little-endian order, followed by zeros.
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self { words: ChaCha8Rng::from_seed(key) }
    }
}

impl Entropy for Seeded {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.words.next_u64()
    }
}

/// Choices take as few bytes as they need: one where there are up to 256 ways, none where there is one.
/// So each byte that a fuzzer changes is a choice.
#[cfg(feature = "arbitrary")]
impl Entropy for arbitrary::Unstructured<'_> {
    fn next_u64(&mut self) -> u64 {
        let mut word = [0; 8];
        // `fill_buffer` pads with zeros when the data ends, and never fails.
        let _ = self.fill_buffer(&mut word);
        u64::from_le_bytes(word)
    }

    fn is_exhausted(&self) -> bool {
        self.is_empty()
    }

    fn bits(&mut self, count: u32) -> u64 {
        let mut word = [0; 8];
        let bytes = count.div_ceil(8).min(8) as usize;
        let _ = self.fill_buffer(&mut word[8 - bytes..]);
        word.copy_within(8 - bytes.., 0);
        u64::from_le_bytes(word)
    }

    fn below(&mut self, bound: u64) -> u64 {
        if bound < 2 {
            return 0;
        }
        let word = self.bits(64 - (bound - 1).leading_zeros());
        ((u128::from(word) * u128::from(bound)) >> 64) as u64
    }
}

/// Any random number generator of rand 0.10 and of what shares its `rand_core` as a source of choices. Of one of an older
/// version the compiler says that it is no `TryRng`.
///
/// A wrapper, as a blanket implementation would keep anybody else from implementing [`Entropy`]. What a seed of such a
/// generator produces changes with the crate that it is from; [`Seeded`] does not.
///
/// # Examples
///
/// ```
/// use pleach::produce::{Options, Producer};
/// use pleach::{Rand, table::Table};
/// use rand::{SeedableRng, rngs::StdRng};
///
/// let table = Table::parse(r#"list = "[" ( item ("," item)* )? "]"; item = "a" | list;"#)?;
/// let mut producer = Producer::new(&table, Options::new())?;
/// let mut rng = StdRng::seed_from_u64(1);
/// let sentence = producer.sentences(Rand(&mut rng)).next();
/// assert!(sentence.is_some_and(|it| it.starts_with(b"[")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "rand")]
#[derive(Clone, Debug)]
pub struct Rand<R>(pub R);

#[cfg(feature = "rand")]
impl<R: rand_core::Rng> Entropy for Rand<R> {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_gives_the_same_words_from_there_on() {
        let mut source = Seeded::new(7);
        for _ in 0..100 {
            let (mut here, mut copy) = (source.clone(), source.clone().clone());
            for _ in 0..70 {
                assert_eq!(here.next_u64(), copy.next_u64());
            }
            let mut copy = source.clone();
            assert_eq!(source.next_u64(), copy.next_u64());
        }
    }

    struct Fixed(u64);

    impl Entropy for Fixed {
        fn next_u64(&mut self) -> u64 {
            self.0
        }
    }

    #[test]
    fn below_covers_its_interval_and_nothing_else() {
        assert_eq!(Fixed(0).below(10), 0);
        assert_eq!(Fixed(u64::MAX).below(10), 9);
        assert_eq!(Fixed(u64::MAX).below(1), 0);
        assert_eq!(Fixed(u64::MAX).below(0), 0);
    }

    #[cfg(feature = "rand")]
    #[test]
    fn a_generator_of_others_gives_its_own_words() {
        let mut generator = ChaCha8Rng::from_seed([7; 32]);
        let mut same = Rand(ChaCha8Rng::from_seed([7; 32]));
        for _ in 0..10 {
            assert_eq!(same.next_u64(), generator.next_u64());
        }
        let dynamic: &mut dyn Rng = &mut generator;
        assert_eq!(Rand(dynamic).below(1), 0);
    }

    #[cfg(feature = "arbitrary")]
    #[test]
    fn bytes_last_as_long_as_they_can() {
        let bytes: Vec<u8> = (0..=255).collect();
        for bound in [1, 2, 7, 256, 257, 65_536, 65_537] {
            let mut source = arbitrary::Unstructured::new(&bytes);
            assert!(source.below(bound) < bound);
            let taken = [bound > 1, bound > 256, bound > 65_536].map(usize::from);
            assert_eq!(bytes.len() - source.len(), taken.iter().sum::<usize>(), "{bound}");
        }
        // Every integer comes from some byte.
        let mut source = arbitrary::Unstructured::new(&bytes);
        let drawn: std::collections::BTreeSet<_> =
            bytes.iter().map(|_| source.below(200)).collect();
        assert_eq!(drawn.len(), 200);
        assert!(source.is_exhausted());
        assert_eq!((source.below(200), source.next_u64(), source.bits(3)), (0, 0, 0));
    }

    #[test]
    fn a_seed_is_the_same_words_for_ever() {
        let mut words = Seeded::new(1);
        let first: Vec<u64> = (0..3).map(|_| words.next_u64()).collect();
        assert_eq!(first, GOLDEN);
    }

    /// The first words of seed 1; a change here changes what every seed produces.
    const GOLDEN: [u64; 3] = [7037237572835827407, 5440448899038119230, 14725191807199933458];
}
