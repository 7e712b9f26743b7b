//! Seeded randomness for permutations and generated matrices.

/// Words that depend on their seed alone (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub(super) struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The words that follow from `seed`.
    pub(super) const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next word, uniform.
    pub(super) const fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound` > 0; its bias is below bound/2^64.
    pub(super) const fn below(&mut self, bound: u64) -> u64 {
        ((self.word() as u128 * bound as u128) >> 64) as u64
    }
}
