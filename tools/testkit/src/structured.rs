//! Inputs made for the seams: where work is cut into words, digits, blocks and segments, random values hardly ever
//! carry from one piece through the whole of the next. These do.

use std::fmt;

use crate::{Random, edge_residues};

/// What a structured input looks like, of integers, elements and vectors alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Uniform.
    Random,
    /// All bits of an integer, 2^a − 1; every digit r − 1; every coefficient p − 1.
    Ones,
    /// Sums of one to three powers of two (of r, of x), placed at the ends of pieces or anywhere.
    Powers,
    /// Runs of ones (of r − 1, of p − 1) that begin and end where pieces do, or a bit beside.
    Runs,
    /// Words, digits or coefficients near the ends of their range, and low words of 0.
    Edges,
    /// Few bits (digits, coefficients) that differ from 0.
    Sparse,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Random,
        Self::Ones,
        Self::Powers,
        Self::Runs,
        Self::Edges,
        Self::Sparse,
    ];

    /// A word for tables and options.
    ///
    /// ```
    /// use sunzi_testkit::Kind;
    ///
    /// assert_eq!(Kind::Runs.name(), "runs");
    /// assert!(Kind::ALL.into_iter().all(|kind| Kind::named(kind.name()) == Some(kind)));
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Ones => "ones",
            Self::Powers => "powers",
            Self::Runs => "runs",
            Self::Edges => "edges",
            Self::Sparse => "sparse",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// A natural number of `len` limbs, least significant first, for work that is cut every `piece` limbs.
    ///
    /// ```
    /// use sunzi_testkit::{Kind, Random};
    ///
    /// let ones = Kind::Ones.limbs(3, 1, &mut Random::new(1));
    /// assert_eq!(ones.len(), 3);
    /// ```
    #[must_use]
    pub fn limbs(self, len: usize, piece: usize, random: &mut Random) -> Vec<u64> {
        let bits = 64 * len;
        let cut = |random: &mut Random| boundary(bits, 64 * piece.max(1), random);
        let mut limbs = vec![0; len];
        if len == 0 {
            return limbs;
        }
        match self {
            Self::Random => return random.words(len),
            Self::Ones => {
                let end = match random.below(2) {
                    0 => bits,
                    _ => cut(random),
                };
                set_ones(&mut limbs, 0, end);
            }
            Self::Powers => {
                for _ in 0..=random.below(3) {
                    let bit = cut(random).min(bits - 1);
                    limbs[bit / 64] |= 1 << (bit % 64);
                }
            }
            Self::Runs => {
                for _ in 0..=random.below(3) {
                    let (one, other) = (cut(random), cut(random));
                    set_ones(&mut limbs, one.min(other), one.max(other));
                }
            }
            Self::Edges => {
                let edges = crate::edge_words();
                limbs.fill_with(|| edges[random.below(edges.len() as u64) as usize]);
                // What lies below may be all zeros.
                let zeros = random.below(len as u64 + 1) as usize;
                if random.below(2) == 0 {
                    limbs[..zeros].fill(0);
                }
            }
            Self::Sparse => {
                for _ in 0..=random.below(8) {
                    limbs[random.below(len as u64) as usize] ^= 1 << random.below(64);
                }
            }
        }
        limbs
    }

    /// `count` residues modulo `modulus` > 0, for work that is cut every `piece` residues.
    ///
    /// ```
    /// use sunzi_testkit::{Kind, Random};
    ///
    /// assert_eq!(Kind::Ones.residues(2, 97, 1, &mut Random::new(1)), [96, 96]);
    /// ```
    #[must_use]
    pub fn residues(
        self,
        count: usize,
        modulus: u64,
        piece: usize,
        random: &mut Random,
    ) -> Vec<u64> {
        let cut = |random: &mut Random| boundary(count, piece.max(1), random);
        let mut residues = vec![0; count];
        if count == 0 {
            return residues;
        }
        match self {
            Self::Random => residues.fill_with(|| random.below(modulus)),
            Self::Ones => residues.fill(modulus - 1),
            Self::Powers => {
                for _ in 0..=random.below(3) {
                    let at = cut(random).min(count - 1);
                    residues[at] = match random.below(3) {
                        0 => 1 % modulus,
                        1 => modulus - 1,
                        _ => (1 << random.below(63)) % modulus,
                    };
                }
            }
            Self::Runs => {
                for _ in 0..=random.below(3) {
                    let (one, other) = (cut(random), cut(random));
                    residues[one.min(other)..one.max(other)].fill(modulus - 1);
                }
            }
            Self::Edges => {
                let edges = edge_residues(modulus);
                residues.fill_with(|| edges[random.below(edges.len() as u64) as usize]);
            }
            Self::Sparse => {
                for _ in 0..=random.below(8) {
                    residues[random.below(count as u64) as usize] = random.below(modulus);
                }
            }
        }
        residues
    }

    /// An element of the integers modulo r^k + 1 by its k digits: each below `radix`, or (0, …, 0, r) for r^k.
    ///
    /// ```
    /// use sunzi_testkit::{Kind, Random};
    ///
    /// assert_eq!(Kind::Ones.digits(4, 10, &mut Random::new(1)), [9; 4]);
    /// ```
    #[must_use]
    pub fn digits(self, k: usize, radix: u64, random: &mut Random) -> Vec<u64> {
        if self != Self::Edges {
            let mut digits = self.residues(k, radix, 1, random);
            if self == Self::Powers {
                // Powers of r have digits 1; others are left to the edges.
                digits.iter_mut().for_each(|digit| *digit = (*digit).min(1));
            }
            return digits;
        }
        let mut digits = vec![0; k];
        match random.below(6) {
            // p − 1.
            0 => digits[k - 1] = radix,
            // Digits 0 to 3 below a borrow.
            1 => {
                digits.fill(radix - 1);
                digits[0] = random.below(4).min(radix - 1);
            }
            // p − 2, and what lies next to it.
            2 => {
                digits.fill(radix - 1);
                digits[random.below(k as u64) as usize] = radix.saturating_sub(2);
            }
            // A low word of 0, wherever the radix is even.
            3 => {
                digits.fill_with(|| random.below(radix));
                digits[0] = 0;
                digits[1 % k] &= u64::MAX << 32;
            }
            // Small numbers.
            4 => digits[0] = random.below(4).min(radix - 1),
            _ => return Self::Edges.residues(k, radix, 1, random),
        }
        digits
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// 2^`bits` − 1 in the given number of limbs.
///
/// ```
/// assert_eq!(sunzi_testkit::ones(65, 3), [u64::MAX, 1, 0]);
/// ```
///
/// # Panics
/// If the limbs have fewer bits.
#[must_use]
pub fn ones(bits: usize, len: usize) -> Vec<u64> {
    let mut limbs = vec![0; len];
    set_ones(&mut limbs, 0, bits);
    limbs
}

/// The sum of powers of two with different exponents, in the given number of limbs.
///
/// ```
/// assert_eq!(sunzi_testkit::power_sum(&[0, 64], 2), [1, 1]);
/// ```
///
/// # Panics
/// If the limbs have fewer bits.
#[must_use]
pub fn power_sum(exponents: &[usize], len: usize) -> Vec<u64> {
    let mut limbs = vec![0; len];
    for exponent in exponents {
        limbs[exponent / 64] |= 1 << (exponent % 64);
    }
    limbs
}

/// Sets the bits `from..to`.
fn set_ones(limbs: &mut [u64], from: usize, to: usize) {
    for bit in from..to.min(from.next_multiple_of(64)) {
        limbs[bit / 64] |= 1 << (bit % 64);
    }
    if from.next_multiple_of(64) < to {
        limbs[from.div_ceil(64)..to / 64].fill(u64::MAX);
        if !to.is_multiple_of(64) {
            limbs[to / 64] |= (1 << (to % 64)) - 1;
        }
    }
}

/// A position from 0 to `end`: a seam of pieces or words or one beside it, or any.
fn boundary(end: usize, piece: usize, random: &mut Random) -> usize {
    let grain = match random.below(4) {
        0 => 1,
        1 => 64.min(piece),
        _ => piece,
    };
    let seam = random.below((end / grain) as u64 + 1) as usize * grain;
    let beside = match random.below(4) {
        0 => seam.saturating_sub(1),
        1 => seam + 1,
        _ => seam,
    };
    beside.min(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::Integer;
    use rug::integer::Order;

    #[test]
    fn runs_of_ones_are_differences_of_powers() {
        for from in 0..140 {
            for to in from..150 {
                let mut limbs = vec![0; 3];
                set_ones(&mut limbs, from, to);
                let expected = (Integer::from(1) << to as u32) - (Integer::from(1) << from as u32);
                assert_eq!(Integer::from_digits(&limbs, Order::Lsf), expected);
            }
        }
    }

    #[test]
    fn inputs_are_in_range() {
        let mut random = Random::new(5);
        for kind in Kind::ALL {
            for _ in 0..500 {
                for len in [0, 1, 2, 8] {
                    assert_eq!(kind.limbs(len, 2, &mut random).len(), len);
                    let residues = kind.residues(len, 97, 2, &mut random);
                    assert!(residues.len() == len && residues.iter().all(|&x| x < 97));
                }
                for radix in [2, 10, (1 << 59) + 2, u64::MAX] {
                    let digits = kind.digits(4, radix, &mut random);
                    let top = digits == [0, 0, 0, radix];
                    assert!(top || digits.iter().all(|&digit| digit < radix), "{kind}");
                }
            }
        }
    }

    /// Places at which entries are followed by others: ends of runs.
    fn ends<T: PartialEq>(entries: &[T]) -> impl Iterator<Item = usize> {
        (1..entries.len()).filter(|&place| entries[place - 1] != entries[place])
    }

    #[test]
    fn every_seam_is_met() {
        const PIECE: usize = 2;
        const LEN: usize = 8;
        let seams = (PIECE..LEN).step_by(PIECE);
        let mut random = Random::new(7);
        // Runs end at every seam of limbs, and a bit before and behind it.
        for kind in [Kind::Ones, Kind::Runs] {
            let mut met = [false; 64 * LEN + 1];
            for _ in 0..2000 {
                let limbs = kind.limbs(LEN, PIECE, &mut random);
                let bits: Vec<bool> = (0..64 * LEN)
                    .map(|bit| limbs[bit / 64] >> (bit % 64) & 1 == 1)
                    .collect();
                ends(&bits).for_each(|bit| met[bit] = true);
                met[64 * LEN] |= bits[64 * LEN - 1];
            }
            let beside = |seam: usize| 64 * seam - 1..=64 * seam + 1;
            assert!(seams.clone().flat_map(beside).all(|bit| met[bit]), "{kind}");
            assert!(met[64 * LEN], "{kind}");
        }
        // Single bits stand at both sides of every seam, and behind it.
        let mut met = [false; 64 * LEN];
        for _ in 0..2000 {
            let limbs = Kind::Powers.limbs(LEN, PIECE, &mut random);
            assert!(limbs.iter().map(|limb| limb.count_ones()).sum::<u32>() <= 3);
            (0..64 * LEN).for_each(|bit| met[bit] |= limbs[bit / 64] >> (bit % 64) & 1 == 1);
        }
        let beside = |seam: usize| 64 * seam - 1..=64 * seam + 1;
        assert!(seams.clone().flat_map(beside).all(|bit| met[bit]));
        assert!(met[0] && met[64 * LEN - 1]);
    }

    #[test]
    fn every_seam_of_residues_is_met() {
        const PIECE: usize = 3;
        const LEN: usize = 12;
        const MODULUS: u64 = 97;
        let seams = (PIECE..LEN).step_by(PIECE);
        let mut random = Random::new(8);
        let mut ended = [false; LEN];
        let mut stood = [false; LEN];
        for _ in 0..1000 {
            let runs = Kind::Runs.residues(LEN, MODULUS, PIECE, &mut random);
            assert!(runs.iter().all(|&x| x == 0 || x == MODULUS - 1));
            ends(&runs).for_each(|place| ended[place] = true);
            let powers = Kind::Powers.residues(LEN, MODULUS, PIECE, &mut random);
            (0..LEN).for_each(|place| stood[place] |= powers[place] != 0);
        }
        let beside = |seam: usize| seam - 1..=seam + 1;
        assert!(seams.clone().flat_map(beside).all(|place| ended[place]));
        assert!(seams.clone().flat_map(beside).all(|place| stood[place]));
        assert!(stood[0] && stood[LEN - 1]);
    }
}
