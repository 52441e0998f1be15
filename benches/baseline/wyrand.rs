//! The random source of the baselines: Wang Yi's wyrand.

use pleach::Entropy;

/// One addition and one 64 by 64 bit multiplication a word, and 64 bits of state.
#[derive(Clone, Debug)]
pub struct WyRand {
    state: u64,
}

impl WyRand {
    /// A source that starts at `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }
}

impl Entropy for WyRand {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        // The constants of wyrand in wyhash's final version 4.
        self.state = self.state.wrapping_add(0x2d35_8dcc_aa6c_78a5);
        let product = u128::from(self.state) * u128::from(self.state ^ 0x8bb8_4b93_962e_acc9);
        (product as u64) ^ ((product >> 64) as u64)
    }
}
