//! Seeded randomness for permutations, generated matrices, and primes.

/// Words that depend on their seed alone (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The words that follow from `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next word, uniform.
    pub const fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.state)
    }

    /// A number below `bound` > 0; its bias is below bound/2^64.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.word() as u128 * bound as u128) >> 64) as u64
    }
}

/// A word of which each bit depends on all bits of the argument.
pub const fn mixed(word: u64) -> u64 {
    let z = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
