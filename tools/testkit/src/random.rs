//! Seeded randomness.

use dashu_int::UBig;
use sunzi_field::LongInteger;

/// A reproducible stream of words: SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014). Not for secrets.
///
/// ```
/// use sunzi_testkit::Random;
///
/// let mut random = Random::new(1);
/// assert!(random.below(10) < 10);
/// assert_eq!(random.residues(5, 17).len(), 5);
/// assert_eq!(Random::new(7).word(), Random::new(7).word());
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next word, uniform.
    pub const fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound` > 0; its bias is below bound/2^64.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.word() as u128 * bound as u128) >> 64) as u64
    }

    /// `count` words.
    pub fn words(&mut self, count: usize) -> Vec<u64> {
        (0..count).map(|_| self.word()).collect()
    }

    /// `count` decimal digits, the first of them not zero.
    pub fn decimal(&mut self, count: usize) -> String {
        let mut digit = |least: u64| char::from(b'0' + (least + self.below(10 - least)) as u8);
        (0..count).map(|i| digit(u64::from(i == 0))).collect()
    }

    /// Fewer than `most` letters of an alphabet, in which some may stand several times.
    pub fn text(&mut self, alphabet: &[u8], most: u64) -> Vec<u8> {
        let len = self.below(most);
        let mut letter = || alphabet[self.below(alphabet.len() as u64) as usize];
        (0..len).map(|_| letter()).collect()
    }

    /// `count` residues below `modulus`, one in eight of them an edge (0, 1, p − 2, p − 1).
    pub fn residues(&mut self, count: usize, modulus: u64) -> Vec<u64> {
        (0..count)
            .map(|_| match self.below(32) {
                0 => 0,
                1 => 1 % modulus,
                2 => modulus - 1,
                3 => modulus.saturating_sub(2),
                _ => self.below(modulus),
            })
            .collect()
    }

    /// An integer of at most `bits` bits, of either sign.
    pub fn integer<N: LongInteger>(&mut self, bits: usize) -> N {
        let words = self.words(bits.div_ceil(64));
        let magnitude = UBig::from_words(&words) >> (64 * words.len() - bits);
        N::from_sign_and_limbs(self.below(2) == 1, magnitude.as_words())
    }

    /// `count` residues below `modulus` < 2^32, as [`Random::residues`].
    pub fn residues32(&mut self, count: usize, modulus: u32) -> Vec<u32> {
        let residues = self.residues(count, u64::from(modulus));
        residues.into_iter().map(|residue| residue as u32).collect()
    }
}
