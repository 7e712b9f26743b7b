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
    /// K² products of words (thesis, Algorithm 3).
    Plain,
    /// The same, eight at a time, where the processor has AVX-512 IFMA and `r ≥ 2^40`; elsewhere
    /// [`Multiplication::Plain`].
    Vectors,
    /// Three products of half as many digits instead of four, again and again: O(K^1.58).
    Karatsuba,
    /// Transforms modulo two or three word-size primes (thesis, Algorithm 4): O(K·log K).
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

/// Digits from which on transforms of words are the fastest, measured: at 64 they take a little longer than
/// plain products, and at 128 two thirds of their time where two primes serve.
const LEAST_TRANSFORM: usize = 128;

/// The fastest where there are no vectors.
pub(super) const fn fastest_of_words(digits: usize) -> Multiplication {
    if digits < LEAST_TRANSFORM {
        Multiplication::Plain
    } else {
        Multiplication::Transform
    }
}

impl<const K: usize> Ring<K> {
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
