//! Input for the cases: seeded, so that two runs measure the same numbers.

use std::collections::HashSet;

/// SplitMix64 (Steele, Lea, Flood 2014): small, and good enough for operands.
pub struct Sample(u64);

impl Sample {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A word below `bound`.
    fn residue(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }

    /// `count` words below `bound`, the last one not zero.
    pub fn residues(&mut self, count: usize, bound: u64) -> Vec<u64> {
        let mut words: Vec<u64> = (0..count).map(|_| self.residue(bound)).collect();
        if let Some(last) = words.last_mut() {
            *last = (*last).max(1);
        }
        words
    }

    /// `count` words below `bound`, no two of them equal.
    pub fn distinct_residues(&mut self, count: usize, bound: u64) -> Vec<u64> {
        let mut seen = HashSet::with_capacity(count);
        let mut words = Vec::with_capacity(count);
        while words.len() < count {
            let word = self.residue(bound);
            if seen.insert(word) {
                words.push(word);
            }
        }
        words
    }

    /// A number of exactly `count` limbs, least significant first.
    pub fn limbs(&mut self, count: usize) -> Vec<u64> {
        let mut limbs: Vec<u64> = (0..count).map(|_| self.word()).collect();
        if let Some(top) = limbs.last_mut() {
            *top |= 1 << 63;
        }
        limbs
    }
}
