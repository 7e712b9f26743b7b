//! What will run for a product over Z.

use std::fmt;

use sunzi_dft::crt::ProductPlan;
use sunzi_integer::{Integer, Multiplier};

use super::crt::MAX_PRIMES;
use super::flat::{FlatPoly, widest};
use crate::bits::{WORD, bit_length};
use crate::plan::{Algorithm, Reason};
use crate::poly::Poly;

/// The algorithm chosen for a product over Z, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerPlan {
    /// Coefficients of the left operand.
    pub len_a: usize,
    /// Coefficients of the right operand.
    pub len_b: usize,
    /// Bits of the left operand's widest coefficient.
    pub bits_a: usize,
    /// Bits of the right operand's widest coefficient.
    pub bits_b: usize,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Why it was chosen.
    pub reason: Reason,
    /// Bits that hold any coefficient of the product and its sign.
    pub product_bits: usize,
    /// About how many bytes it takes beside the operands, the result included.
    pub bytes: u64,
}

impl fmt::Display for IntegerPlan {
    /// One sentence, such as `kronecker for 100 × 50 coefficients of 64 and 512 bits: …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} for {} × {} coefficients of {} and {} bits: {}",
            self.algorithm, self.len_a, self.len_b, self.bits_a, self.bits_b, self.reason
        )
    }
}

/// Sizes of the operands of a product over Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    pub len_a: usize,
    pub len_b: usize,
    pub bits_a: usize,
    pub bits_b: usize,
}

impl Sizes {
    pub(super) fn of_polys(a: &Poly<Integer>, b: &Poly<Integer>) -> Self {
        Self {
            len_a: a.len(),
            len_b: b.len(),
            bits_a: widest(a.coefficients()),
            bits_b: widest(b.coefficients()),
        }
    }

    pub(super) fn of_flat(a: &FlatPoly, b: &FlatPoly) -> Self {
        Self {
            len_a: a.len(),
            len_b: b.len(),
            bits_a: a.magnitude_bits(),
            bits_b: b.magnitude_bits(),
        }
    }

    /// Bits of any coefficient of the product, and one for its sign: it is a sum of at most t =
    /// min(len_a, len_b) products below 2^(bits_a + bits_b), so below 2^(product_bits − 1) when
    /// ⌈log₂ t⌉ bits are added.
    pub(super) const fn product_bits(self) -> usize {
        let terms = if self.len_a < self.len_b {
            self.len_a
        } else {
            self.len_b
        };
        self.bits_a + self.bits_b + bit_length((terms as u64).saturating_sub(1)) + 1
    }

    /// The limbs of an operand of `len` coefficients at 2^product_bits; saturating.
    pub(super) const fn packed_limbs(self, len: usize) -> usize {
        self.product_bits().saturating_mul(len).div_ceil(WORD)
    }

    /// About the fewest primes that tell apart the coefficients of the product: every one
    /// exceeds 2^49.9.
    const fn primes(self) -> usize {
        let primes = self.product_bits().saturating_mul(10).div_ceil(499);
        if primes < MAX_PRIMES {
            primes
        } else {
            MAX_PRIMES
        }
    }

    /// The plan that runs `algorithm`, by this multiplier where operands are packed.
    pub fn plan(
        self,
        algorithm: Algorithm,
        reason: Reason,
        multiplier: &Multiplier,
    ) -> IntegerPlan {
        let Self {
            len_a,
            len_b,
            bits_a,
            bits_b,
        } = self;
        let count = len_a.saturating_add(len_b);
        let scratch = match algorithm {
            Algorithm::CrtNtt => ProductPlan::new(self.primes(), count).bytes(),
            // Packed operands, their product, and its scratch.
            Algorithm::Kronecker => {
                let (limbs_a, limbs_b) = (self.packed_limbs(len_a), self.packed_limbs(len_b));
                let packed = limbs_a.saturating_add(limbs_b) as u64;
                packed
                    .saturating_mul(2 * 8)
                    .saturating_add(multiplier.plan(limbs_a, limbs_b).bytes())
            }
            _ => 0,
        };
        // The coefficients in limbs, and as integers with their headers.
        let flat = |bits: usize| 8 * (bits / WORD + 1) as u64;
        let each = (size_of::<Integer>() as u64).saturating_add(2 * flat(self.product_bits()));
        let operands = (len_a as u64)
            .saturating_mul(flat(bits_a))
            .saturating_add((len_b as u64).saturating_mul(flat(bits_b)));
        let result = (count as u64).saturating_mul(each).saturating_add(operands);
        IntegerPlan {
            len_a,
            len_b,
            bits_a,
            bits_b,
            algorithm,
            reason,
            product_bits: self.product_bits(),
            bytes: scratch.saturating_add(result),
        }
    }
}
