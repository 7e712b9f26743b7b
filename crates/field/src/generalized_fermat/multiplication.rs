//! Which algorithm multiplies.

use std::fmt;

use super::digits::Digits;
use super::dispatch::with_digits;
use super::field::GeneralizedFermat;
use super::ring::Ring;
use super::transform::{Plan, ProductTimes};
use super::{karatsuba, schoolbook, transform};
use crate::word_modulus::WordModulus;

/// How two elements of a [`GeneralizedFermat`](super::GeneralizedFermat) field are multiplied. Every
/// algorithm gives the same product, for every radix; they differ in time.
///
/// ```
/// use sunzi::field::{Digits, Field, GeneralizedFermat, named_prime};
/// use sunzi_field::generalized_fermat::Multiplication;
///
/// let field = GeneralizedFermat::<16>::new(named_prime("P16").unwrap().radix)?;
/// let x = Digits([12345; 16]);
/// for algorithm in Multiplication::ALL {
///     assert_eq!(field.mul_by(algorithm, x, x), field.mul(x, x), "{algorithm}");
/// }
/// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Multiplication {
    /// K² products of words (thesis, Algorithm 3); the fastest for two digits.
    Schoolbook,
    /// The same, eight at a time, where the processor has AVX-512 IFMA and `r ≥ 2^40`, and there the
    /// fastest from four digits on; elsewhere [`Multiplication::Schoolbook`].
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
    pub const ALL: [Self; 4] = [
        Self::Schoolbook,
        Self::Vectors,
        Self::Karatsuba,
        Self::Transform,
    ];
}

impl fmt::Display for Multiplication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Schoolbook => "schoolbook",
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
        // Modulo two primes, transforms take two thirds of the time of schoolbook products at 128 digits;
        // modulo three, as long; at 256 digits, half. At 64 they do not win. Karatsuba's algorithm beats
        // schoolbook products at 256 only: sums of three words take what it saves.
        let two_primes = self.radix() < 1 << 58;
        if K >= 256 || K == 128 && two_primes {
            Multiplication::Transform
        } else {
            Multiplication::Schoolbook
        }
    }

    /// `x·y` by that algorithm.
    pub fn mul_by(&self, algorithm: Multiplication, x: &Digits<K>, y: &Digits<K>) -> Digits<K> {
        match algorithm {
            Multiplication::Vectors => self
                .mul_by_vectors(x, y)
                .unwrap_or_else(|| schoolbook::multiply(self.word(), x, y)),
            Multiplication::Schoolbook => schoolbook::multiply(self.word(), x, y),
            Multiplication::Karatsuba => {
                let mut product = Digits::default();
                karatsuba_of_words(self.word(), &mut product.0, [&x.0, &y.0]);
                product
            }
            Multiplication::Transform => {
                let mut product = Digits::default();
                transform_of_words(self.word(), self.plan(), &mut product.0, [&x.0, &y.0]);
                product
            }
        }
    }
}

impl<const K: usize> GeneralizedFermat<K> {
    /// The products of pairs of elements by [`Multiplication::Transform`], with what the steps took.
    ///
    /// ```
    /// use sunzi::field::{Digits, Field, GeneralizedFermat, named_prime};
    ///
    /// let field = GeneralizedFermat::<16>::new(named_prime("P16").unwrap().radix)?;
    /// let x = Digits([12345; 16]);
    /// let (products, times) = field.products_timed(&[[x, x]]);
    /// assert_eq!(products, [field.mul(x, x)]);
    /// println!("{times:?}");
    /// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
    /// ```
    pub fn products_timed(&self, pairs: &[[Digits<K>; 2]]) -> (Vec<Digits<K>>, ProductTimes) {
        transform::multiply_timed(self.ring.plan(), self.ring.word(), pairs)
    }
}

// The number of digits is told at run time here: so these algorithms are compiled in this crate, once, and not wherever
// a field is used.

fn karatsuba_of_words(radix: &WordModulus, product: &mut [u64], [x, y]: [&[u64]; 2]) {
    with_digits!(product.len(), K => {
        if let ([x], [y]) = (Digits::<K>::from_words(x), Digits::from_words(y)) {
            product.copy_from_slice(&karatsuba::multiply(radix, x, y).0);
        }
    }, _ => unreachable!("no field has elements of {} digits", product.len()));
}

fn transform_of_words(radix: &WordModulus, plan: &Plan, product: &mut [u64], [x, y]: [&[u64]; 2]) {
    with_digits!(product.len(), K => {
        if let ([x], [y]) = (Digits::<K>::from_words(x), Digits::from_words(y)) {
            product.copy_from_slice(&transform::multiply(plan, radix, x, y).0);
        }
    }, _ => unreachable!("no field has elements of {} digits", product.len()));
}
