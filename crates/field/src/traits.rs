//! What every prime field offers.
//!
//! A modulus is known at run time only, so a field is a value (a context), and its elements are
//! plain data on which it operates.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};

use crate::LongInteger;
use crate::error::FieldError;

/// A prime field whose elements are canonical residues, `0 ≤ x < p`.
///
/// Every method that takes elements expects canonical ones (see [`Field::is_canonical`]) and
/// returns canonical ones. Elements that are not canonical give unspecified values, never
/// undefined behaviour.
///
/// ```
/// use sunzi::field::{Field, Fp32};
///
/// let field = Fp32::new(17)?;
/// let x = field.from_i64(-3);
/// assert_eq!(x, 14);
/// assert_eq!(field.mul(x, field.inv(x).unwrap()), field.one());
/// # Ok::<(), sunzi::field::FieldError>(())
/// ```
// `from_…` are constructors of elements, which need the field at hand.
#[allow(clippy::wrong_self_convention)]
pub trait Field:
    Clone + Debug + PartialEq + Send + Sync + UnwindSafe + RefUnwindSafe + 'static
{
    /// An element: plain data, meaningful only together with its field.
    type Elem: Copy + Eq + Debug + Default + Send + Sync + UnwindSafe + RefUnwindSafe + 'static;

    /// The kind of kernels that the crates above have for it: [`ScalarKernels`](crate::ScalarKernels) are for any field.
    type Kernels: 'static;

    /// The neutral element of addition.
    fn zero(&self) -> Self::Elem;

    /// The neutral element of multiplication.
    fn one(&self) -> Self::Elem;

    /// `a + b`.
    fn add(&self, a: Self::Elem, b: Self::Elem) -> Self::Elem;

    /// `a − b`.
    fn sub(&self, a: Self::Elem, b: Self::Elem) -> Self::Elem;

    /// `−a`.
    fn neg(&self, a: Self::Elem) -> Self::Elem;

    /// `a · b`.
    fn mul(&self, a: Self::Elem, b: Self::Elem) -> Self::Elem;

    /// The inverse of `a`, or `None` for zero. Costs O(log p) operations.
    fn inv(&self, a: Self::Elem) -> Option<Self::Elem>;

    /// The image of an unsigned word of any size.
    fn from_u64(&self, value: u64) -> Self::Elem;

    /// The image of an integer, given by whether it is negative and by the limbs of its absolute value, the least significant first.
    fn from_limbs(&self, negative: bool, limbs: &[u64]) -> Self::Elem;

    /// The limbs of the least non-negative representative of `a`, the least significant first.
    fn to_limbs(&self, a: Self::Elem) -> Vec<u64>;

    /// The limbs of the prime p, the least significant first.
    fn modulus_limbs(&self) -> Vec<u64>;

    /// The image of an integer of any size and sign; linear in its length for word fields.
    fn from_integer<N: LongInteger>(&self, value: &N) -> Self::Elem {
        let (negative, limbs) = value.sign_and_limbs();
        self.from_limbs(negative, limbs)
    }

    /// The least non-negative representative of `a`.
    fn to_integer<N: LongInteger>(&self, a: Self::Elem) -> N {
        N::from_natural_vec(self.to_limbs(a))
    }

    /// The prime p.
    fn modulus<N: LongInteger>(&self) -> N {
        N::from_natural_vec(self.modulus_limbs())
    }

    /// Whether `a` is the one representation of its class that this field uses.
    fn is_canonical(&self, a: Self::Elem) -> bool;

    /// The image of a signed word.
    fn from_i64(&self, value: i64) -> Self::Elem {
        let magnitude = self.from_u64(value.unsigned_abs());
        if value < 0 {
            self.neg(magnitude)
        } else {
            magnitude
        }
    }

    /// `a^exponent`, with `0^0 = 1`. Costs O(log exponent) products.
    fn pow(&self, a: Self::Elem, exponent: u64) -> Self::Elem {
        let mut result = self.one();
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            result = self.mul(result, result);
            if exponent >> bit & 1 == 1 {
                result = self.mul(result, a);
            }
        }
        result
    }

    /// `x[i] += y[i]`.
    ///
    /// # Panics
    /// If the lengths differ.
    fn add_assign_slice(&self, x: &mut [Self::Elem], y: &[Self::Elem]) {
        assert_eq!(x.len(), y.len(), "slices of equal length");
        for (x, &y) in x.iter_mut().zip(y) {
            *x = self.add(*x, y);
        }
    }

    /// `x[i] −= y[i]`.
    ///
    /// # Panics
    /// If the lengths differ.
    fn sub_assign_slice(&self, x: &mut [Self::Elem], y: &[Self::Elem]) {
        assert_eq!(x.len(), y.len(), "slices of equal length");
        for (x, &y) in x.iter_mut().zip(y) {
            *x = self.sub(*x, y);
        }
    }

    /// `x[i] = −x[i]`.
    fn neg_slice(&self, x: &mut [Self::Elem]) {
        for x in x {
            *x = self.neg(*x);
        }
    }

    /// `x[i] = x[i] · y[i]`.
    ///
    /// # Panics
    /// If the lengths differ.
    fn mul_assign_slice(&self, x: &mut [Self::Elem], y: &[Self::Elem]) {
        assert_eq!(x.len(), y.len(), "slices of equal length");
        for (x, &y) in x.iter_mut().zip(y) {
            *x = self.mul(*x, y);
        }
    }

    /// `x[i] = x[i] · factor`.
    fn scale_slice(&self, x: &mut [Self::Elem], factor: Self::Elem) {
        for x in x {
            *x = self.mul(*x, factor);
        }
    }

    /// `out[i] = Σ factor·operand[i]` over the terms (factor, operand), at most four: more do not compile
    /// for fields of word size.
    ///
    /// ```
    /// use sunzi::field::{Field, Fp32};
    ///
    /// let field = Fp32::new(101)?;
    /// let mut out = [0; 2];
    /// field.combine_slices(&mut out, [(2, &[1, 2]), (100, &[10, 20])]);
    /// assert_eq!(out, [101 - 8, 101 - 16]);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    ///
    /// # Panics
    /// If the lengths differ.
    fn combine_slices<const N: usize>(
        &self,
        out: &mut [Self::Elem],
        terms: [(Self::Elem, &[Self::Elem]); N],
    ) {
        for (_, operand) in terms {
            assert_eq!(out.len(), operand.len(), "slices of equal length");
        }
        for (i, out) in out.iter_mut().enumerate() {
            *out = terms.iter().fold(self.zero(), |sum, &(factor, operand)| {
                self.add(sum, self.mul(factor, operand[i]))
            });
        }
    }

    /// `values[i] = Σ coefficients[j]·points[i]^j`: the polynomial's value at every point, by the rule
    /// of Horner. Takes as many products as there are coefficients times points.
    ///
    /// ```
    /// use sunzi::field::{Field, Fp32};
    ///
    /// let field = Fp32::new(101)?;
    /// let mut values = [0; 3];
    /// field.evaluate_slice(&mut values, &[5, 0, 1], &[0, 1, 10]); // x² + 5
    /// assert_eq!(values, [5, 6, 4]);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    ///
    /// # Panics
    /// If `values` and `points` differ in length.
    fn evaluate_slice(
        &self,
        values: &mut [Self::Elem],
        coefficients: &[Self::Elem],
        points: &[Self::Elem],
    ) {
        assert_eq!(values.len(), points.len(), "slices of equal length");
        values.fill(self.zero());
        for &coefficient in coefficients.iter().rev() {
            self.mul_assign_slice(values, points);
            for value in &mut *values {
                *value = self.add(*value, coefficient);
            }
        }
    }

    /// Inverts every element in place: one inversion and 3(n − 1) products for n elements
    /// (Montgomery's trick; Montgomery, "Speeding the Pollard and elliptic curve methods of
    /// factorization", 1987, §10.3.1).
    ///
    /// # Errors
    /// [`FieldError::ZeroInverse`] names the first zero; the slice is then left as it was.
    fn batch_inv(&self, x: &mut [Self::Elem]) -> Result<(), FieldError> {
        let mut prefixes = Vec::with_capacity(x.len());
        let mut product = self.one();
        for (index, &value) in x.iter().enumerate() {
            if value == self.zero() {
                return Err(FieldError::ZeroInverse { index });
            }
            prefixes.push(product);
            product = self.mul(product, value);
        }
        let Some(mut suffix) = self.inv(product) else {
            // Only elements that are not canonical can lead here: a product of units is a unit.
            return Err(FieldError::ZeroInverse { index: 0 });
        };
        for (value, prefix) in x.iter_mut().zip(prefixes).rev() {
            let inverse = self.mul(suffix, prefix);
            suffix = self.mul(suffix, *value);
            *value = inverse;
        }
        Ok(())
    }
}

/// A field with roots of unity of order 2^k, which transforms of length 2^k need.
pub trait TwoAdicField: Field {
    /// The greatest s such that 2^s divides p − 1.
    fn two_adicity(&self) -> u32;

    /// The primitive root of unity of order N = 2^`log_n` that every Sunzi program uses, or
    /// `None` when the field has none.
    ///
    /// It is ω = a^((p−1)/N), where a ≥ 2 is the least quadratic non-residue mod p; so
    /// ω^(N/2) = −1, and the root for N/2 is the square of the root for N.
    ///
    /// ```
    /// use sunzi::field::{Field, Fp32, TwoAdicField};
    ///
    /// let field = Fp32::new(469762049)?;
    /// assert_eq!(field.two_adicity(), 26);
    /// let omega = field.root_of_unity(4).unwrap();
    /// assert_eq!(field.pow(omega, 8), field.neg(field.one()));
    /// assert!(field.root_of_unity(27).is_none());
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    fn root_of_unity(&self, log_n: u32) -> Option<Self::Elem>;

    /// The least a ≥ 2 that is no square in the field.
    fn least_non_residue(&self) -> u64;

    /// The prime factors of p − 1 with their exponents, ascending: transforms have no lengths but its divisors.
    ///
    /// ```
    /// use sunzi::field::{Fp32, TwoAdicField};
    ///
    /// assert_eq!(Fp32::new(469762049)?.order_factors(), [(2, 26), (7, 1)]);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    fn order_factors(&self) -> Vec<(u64, u32)>;
}
