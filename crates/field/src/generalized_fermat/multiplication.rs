//! Which algorithm multiplies.

use std::fmt;

use super::Digits;
use super::ring::Ring;
use super::{karatsuba, plain, transform};

/// How two elements of a [`GeneralizedFermat`](super::GeneralizedFermat) field are multiplied. Every
/// algorithm gives the same product, for every radix; they differ in time.
///
/// ```
/// use sunzi_field::generalized_fermat::{Multiplication, named_prime};
/// use sunzi_field::{Digits, Field, GeneralizedFermat};
///
/// let field = GeneralizedFermat::<16>::new(named_prime("P16").unwrap().radix)?;
/// let x = Digits([12345; 16]);
/// for algorithm in Multiplication::ALL {
///     assert_eq!(field.mul_by(algorithm, x, x), field.mul(x, x), "{algorithm}");
/// }
/// # Ok::<(), sunzi_field::GeneralizedFermatError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Multiplication {
    /// K² products of words (thesis, Algorithm 3); the fastest for two digits.
    Plain,
    /// The same, eight at a time, where the processor has AVX-512 IFMA and `r ≥ 2^40`, and there the
    /// fastest from four digits on; elsewhere [`Multiplication::Plain`].
    Vectors,
    /// Three products of half as many digits instead of four, again and again: O(K^1.58). It is here to be
    /// compared with.
    Karatsuba,
    /// Transforms modulo two or three word-size primes (thesis, Algorithm 4): O(K·log K). Without vectors
    /// the fastest for 256 digits, and for 128 with `r < 2^58`.
    Transform,
}

impl Multiplication {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Vectors, Self::Karatsuba, Self::Transform];
}

impl fmt::Display for Multiplication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "plain",
            Self::Vectors => "vectors",
            Self::Karatsuba => "Karatsuba",
            Self::Transform => "transform",
        })
    }
}

impl<const K: usize> Ring<K> {
    /// The fastest algorithm for this radix on this machine, as measured.
    #[inline]
    pub(super) fn fastest(&self) -> Multiplication {
        // Two digits leave a vector nearly empty.
        if K > 2 && self.has_vectors() {
            return Multiplication::Vectors;
        }
        // Modulo two primes, transforms take two thirds of the time of plain products at 128 digits;
        // modulo three, as long; at 256 digits, half. At 64 they do not win. Karatsuba's algorithm beats
        // plain products at 256 only: sums of three words take what it saves.
        let two_primes = self.radix() < 1 << 58;
        if K >= 256 || K == 128 && two_primes {
            Multiplication::Transform
        } else {
            Multiplication::Plain
        }
    }

    /// `x·y` by that algorithm.
    pub(super) fn mul_by(
        &self,
        algorithm: Multiplication,
        x: &Digits<K>,
        y: &Digits<K>,
    ) -> Digits<K> {
        match algorithm {
            Multiplication::Vectors => self
                .mul_by_vectors(x, y)
                .unwrap_or_else(|| plain::multiply(self.word(), x, y)),
            Multiplication::Plain => plain::multiply(self.word(), x, y),
            Multiplication::Karatsuba => karatsuba::multiply(self.word(), x, y),
            Multiplication::Transform => transform::multiply(self.plan(), self.word(), x, y),
        }
    }
}
