//! From which length of the shorter operand on each method is the fastest, as measured by
//! `examples/big_prime_crossover.rs`.

use super::cover::Lengths;

/// Lengths of the shorter operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thresholds {
    /// Transforms over the field win over plain products.
    pub(super) ntt: usize,
    /// The same where the longer operand has at least [`LONG`] coefficients: there plain products are
    /// done by vectors, but transforms have no part that is of no use.
    pub(super) ntt_long: usize,
    /// Karatsuba's method wins over plain products, where no transform is long enough.
    pub(super) karatsuba: usize,
    /// One product of integers wins over Karatsuba's method, where no transform is long enough, and
    /// over transforms without vectors.
    pub(super) kronecker: usize,
}

/// What a long operand is.
pub(super) const LONG: usize = 128;

impl Thresholds {
    /// For fields of so many digits, with or without vectors of elements.
    pub(super) const fn of(digits: usize, vectors: bool) -> Self {
        // Transforms of two digits have no vectors either.
        let (ntt, ntt_long, kronecker) = match digits {
            _ if !vectors => (28, 28, 48),
            2 => (28, 28, 112),
            4 => (10, 5, 64),
            8 => (12, 5, 64),
            _ => (14, 5, 64),
        };
        Self {
            ntt,
            ntt_long,
            karatsuba: 24,
            kronecker,
        }
    }

    /// The one of the two for transforms that fits a longer operand of this length.
    pub(super) const fn ntt_for(&self, long: usize) -> usize {
        if long < LONG { self.ntt } else { self.ntt_long }
    }

    /// The longest operands with which Karatsuba's recursion ends: those below its threshold, or as long
    /// as transforms reach.
    pub(super) fn karatsuba_base(&self, lengths: Lengths) -> usize {
        let transform = lengths.max_points / 2;
        let plain = self.karatsuba.saturating_sub(1).max(1);
        match transform >= self.ntt {
            true => transform.max(plain),
            false => plain,
        }
    }
}
