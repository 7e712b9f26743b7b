//! How many values residues have to tell apart.

use dashu_int::UBig;
use sunzi_field::LongInteger;

/// A bound on values that a residue number system must tell apart: how it arises, and how many
/// residues it takes.
///
/// ```
/// use sunzi::Natural;
/// use sunzi_rns::CoefficientBound;
///
/// // Products of polynomials with coefficients below 2^64 in absolute value, 1000 terms a sum.
/// let operand = Natural::from(u64::MAX);
/// let bound = CoefficientBound::product(&operand, &operand, 1000).signed();
/// assert_eq!(bound.values::<Natural>().bit_len(), 128 + 10 + 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoefficientBound {
    largest: UBig,
    signed: bool,
}

impl CoefficientBound {
    /// Values from 0 to `largest`.
    #[must_use]
    pub fn new(largest: &impl LongInteger) -> Self {
        Self {
            largest: natural(largest),
            signed: false,
        }
    }

    /// Values of this number of bits at most.
    #[must_use]
    pub fn of_bits(bits: usize) -> Self {
        Self::new(&((UBig::ONE << bits) - UBig::ONE))
    }

    /// Coefficients of a product: sums of at most `terms` products of factors that are at most
    /// `a` and `b` in absolute value.
    #[must_use]
    pub fn product<N: LongInteger>(a: &N, b: &N, terms: usize) -> Self {
        Self::new(&(natural(a) * natural(b) * terms))
    }

    /// The same for values of both signs.
    #[must_use]
    pub fn signed(self) -> Self {
        Self {
            signed: true,
            ..self
        }
    }

    /// How many values there are: the product of the primes must be at least this.
    #[must_use]
    pub fn values<N: LongInteger>(&self) -> N {
        N::from_natural_limbs(self.count().as_words())
    }

    fn count(&self) -> UBig {
        if self.signed {
            &self.largest * UBig::from(2u8) + UBig::ONE
        } else {
            &self.largest + UBig::ONE
        }
    }
}

/// The absolute value.
fn natural(value: &impl LongInteger) -> UBig {
    UBig::from_words(value.sign_and_limbs().1)
}
