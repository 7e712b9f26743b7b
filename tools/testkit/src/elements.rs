//! Elements of fields, and what definitions make of them.

use dashu_int::UBig;
use sunzi_field::{Digits, Field};

use crate::{Kind, Random};

impl Random {
    /// `count` elements, one in four an edge: 0, ±1, −2, or next to p/2.
    ///
    /// ```
    /// use sunzi_field::{Field, Fp64};
    /// use sunzi_testkit::Random;
    ///
    /// let field = Fp64::new(101)?;
    /// let elements = Random::new(1).elements(&field, 50);
    /// assert!(elements.len() == 50 && elements.iter().all(|&x| field.is_canonical(x)));
    /// # Ok::<(), sunzi_field::FieldError>(())
    /// ```
    pub fn elements<F: Field>(&mut self, field: &F, count: usize) -> Vec<F::Elem> {
        let modulus: UBig = field.modulus();
        let words = modulus.as_words().len();
        let prime = u64::try_from(&modulus).ok();
        let half = field.from_integer(&(modulus >> 1));
        let mut element = || match self.below(24) {
            small @ 0..4 => field.from_i64(small as i64 - 2),
            4 => half,
            5 => field.add(half, field.one()),
            _ => match prime {
                Some(prime) => field.from_u64(self.below(prime)),
                None => field.from_limbs(false, &self.words(words)),
            },
        };
        (0..count).map(|_| element()).collect()
    }

    /// `count` elements modulo r^K + 1 by their digits, one in two of another [`Kind`] than random: −1, powers of r, runs of
    /// r − 1, whose carries go far.
    ///
    /// ```
    /// use sunzi_testkit::Random;
    ///
    /// let elements = Random::new(1).digits::<4>(10, 50);
    /// assert!(elements.contains(&sunzi_field::Digits([9; 4])));
    /// ```
    pub fn digits<const K: usize>(&mut self, radix: u64, count: usize) -> Vec<Digits<K>> {
        let mut element = || {
            let kind = match self.below(2) {
                0 => Kind::Random,
                _ => Kind::ALL[self.below(Kind::ALL.len() as u64) as usize],
            };
            let digits = kind.digits(K, radix, self);
            Digits(std::array::from_fn(|place| digits[place]))
        };
        (0..count).map(|_| element()).collect()
    }
}

/// The value of a polynomial at a point.
///
/// ```
/// let field = sunzi_field::Fp64::new(101)?;
/// assert_eq!(sunzi_testkit::value_at(&field, &[5, 0, 1], 10), 4);
/// # Ok::<(), sunzi_field::FieldError>(())
/// ```
pub fn value_at<F: Field>(field: &F, coefficients: &[F::Elem], point: F::Elem) -> F::Elem {
    let step = |value, &c| field.add(field.mul(value, point), c);
    coefficients.iter().rev().fold(field.zero(), step)
}

/// The product of two polynomials by definition; empty if either is.
///
/// ```
/// let field = sunzi_field::Fp64::new(7)?;
/// assert_eq!(sunzi_testkit::convolution_over(&field, &[3, 4], &[5, 6]), [1, 3, 3]);
/// # Ok::<(), sunzi_field::FieldError>(())
/// ```
pub fn convolution_over<F: Field>(field: &F, a: &[F::Elem], b: &[F::Elem]) -> Vec<F::Elem> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let mut product = vec![field.zero(); a.len() + b.len() - 1];
    for (i, &x) in a.iter().enumerate() {
        for (out, &y) in product[i..].iter_mut().zip(b) {
            *out = field.add(*out, field.mul(x, y));
        }
    }
    product
}
