//! Polynomials over Z.

use flint3_sys as sys;

use super::{Signed, long, set_limbs};

/// A polynomial over Z.
pub struct FmpzPoly(sys::fmpz_poly_struct);

// SAFETY: as for `NmodPoly`; fmpz memory may be freed by any thread.
unsafe impl Send for FmpzPoly {}

impl FmpzPoly {
    /// The polynomial with these coefficients, from the constant term upward.
    pub fn new(coefficients: &[Signed]) -> Self {
        let mut poly = sys::fmpz_poly_struct::default();
        // SAFETY: `init2` makes `poly` a valid object; `value` is a valid fmpz from its start at zero to
        // its clear, and setting a coefficient copies it.
        unsafe {
            sys::fmpz_poly_init2(&mut poly, long(coefficients.len()));
            let mut value: sys::fmpz = 0;
            for (index, (negative, limbs)) in coefficients.iter().enumerate() {
                set_limbs(&mut value, limbs);
                if *negative {
                    sys::fmpz_neg(&mut value, &value);
                }
                sys::fmpz_poly_set_coeff_fmpz(&mut poly, long(index), &value);
            }
            sys::fmpz_clear(&mut value);
        }
        Self(poly)
    }

    /// `self = a b`.
    pub fn set_product(&mut self, a: &Self, b: &Self) {
        // SAFETY: three valid objects.
        unsafe { sys::fmpz_poly_mul(&mut self.0, &a.0, &b.0) }
    }

    /// Every coefficient as its sign (1 if negative) and `width` limbs.
    pub fn words(&self, width: usize) -> Vec<u64> {
        let length = usize::try_from(self.0.length).expect("lengths are not negative");
        let mut words = vec![0; length * (width + 1)];
        for (index, entry) in words.chunks_exact_mut(width + 1).enumerate() {
            // SAFETY: `index` is below the length of a valid object, and `width` limbs hold the absolute
            // value, which is checked before the copy.
            unsafe {
                let coefficient = self.0.coeffs.add(index);
                let size = usize::try_from(sys::fmpz_size(coefficient)).expect("not negative");
                assert!(size <= width, "a product's coefficient fits its bound");
                entry[0] = u64::from(sys::fmpz_sgn(coefficient) < 0);
                let mut absolute: sys::fmpz = 0;
                sys::fmpz_abs(&mut absolute, coefficient);
                sys::fmpz_get_ui_array(entry[1..].as_mut_ptr(), long(width), &absolute);
                sys::fmpz_clear(&mut absolute);
            }
        }
        words
    }
}

impl FmpzPoly {
    /// Limbs of the longest coefficient.
    pub fn width(&self) -> usize {
        // SAFETY: a valid object.
        let limbs = unsafe { sys::fmpz_poly_max_limbs(&self.0) };
        usize::try_from(limbs).expect("not negative")
    }

    /// Quotient and remainder of self times the power of the divisor's leading coefficient by the
    /// difference of the lengths plus one.
    pub fn pseudo_divided_by(&self, divisor: &Self) -> [Self; 2] {
        assert!(
            divisor.0.length > 0,
            "FLINT ends the process that divides by zero"
        );
        let (mut quotient, mut remainder) = (Self::new(&[]), Self::new(&[]));
        // SAFETY: four valid objects, the results exclusive, the divisor not zero.
        unsafe {
            sys::fmpz_poly_pseudo_divrem_cohen(
                &mut quotient.0,
                &mut remainder.0,
                &self.0,
                &divisor.0,
            );
        }
        [quotient, remainder]
    }

    /// The primitive part, whose leading coefficient is positive.
    pub fn primitive_part(&self) -> Self {
        let mut part = Self::new(&[]);
        // SAFETY: two valid objects.
        unsafe { sys::fmpz_poly_primitive_part(&mut part.0, &self.0) }
        part
    }

    /// The polynomial with the opposite sign.
    pub fn negated(&self) -> Self {
        let mut negated = Self::new(&[]);
        // SAFETY: two valid objects.
        unsafe { sys::fmpz_poly_neg(&mut negated.0, &self.0) }
        negated
    }

    /// The greatest common divisor of the coefficients, as a constant.
    pub fn content(&self) -> Self {
        let mut content = Self::new(&[]);
        let mut value: sys::fmpz = 0;
        // SAFETY: valid objects; `value` is a valid fmpz from its start at zero to its clear.
        unsafe {
            sys::fmpz_poly_content(&mut value, &self.0);
            sys::fmpz_poly_set_fmpz(&mut content.0, &value);
            sys::fmpz_clear(&mut value);
        }
        content
    }
}

impl FmpzPoly {
    /// The derivative.
    pub fn derivative(&self) -> Self {
        let mut derivative = Self::new(&[]);
        // SAFETY: two valid objects, the result exclusive.
        unsafe { sys::fmpz_poly_derivative(&mut derivative.0, &self.0) }
        derivative
    }

    /// The greatest common divisor.
    pub fn gcd(&self, other: &Self) -> Self {
        let mut gcd = Self::new(&[]);
        // SAFETY: three valid objects, the result exclusive.
        unsafe { sys::fmpz_poly_gcd(&mut gcd.0, &self.0, &other.0) }
        gcd
    }

    /// The resultant, as a constant.
    pub fn resultant(&self, other: &Self) -> Self {
        let mut resultant = Self::new(&[]);
        let mut value: sys::fmpz = 0;
        // SAFETY: valid objects; `value` is a valid fmpz from its start at zero to its clear.
        unsafe {
            sys::fmpz_poly_resultant(&mut value, &self.0, &other.0);
            sys::fmpz_poly_set_fmpz(&mut resultant.0, &value);
            sys::fmpz_clear(&mut value);
        }
        resultant
    }

    /// The real roots to so many bits, as the nearest doubles. The polynomial is not zero, and has no multiple roots.
    pub fn real_roots(&self, bits: usize) -> Vec<f64> {
        assert!(self.0.length > 0, "every number is a root of zero");
        let degree = self.0.length - 1;
        // SAFETY: a vector of as many valid numbers as there can be roots, from its start to its clear; each number
        // that is read is below the count of roots found. Rounding 4 is to the nearest.
        unsafe {
            let roots = sys::_arb_vec_init(degree);
            let count = sys::arb_fmpz_poly_real_roots(roots, &self.0, 0, long(bits));
            let count = usize::try_from(count).expect("not negative");
            let values = (0..count).map(|i| sys::arf_get_d(&(*roots.add(i)).mid, 4));
            let values = values.collect();
            sys::_arb_vec_clear(roots, degree);
            values
        }
    }
}

impl Drop for FmpzPoly {
    fn drop(&mut self) {
        // SAFETY: a valid object, cleared once.
        unsafe { sys::fmpz_poly_clear(&mut self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_polynomials() {
        let (a, b) = (
            FmpzPoly::new(&[(true, vec![2]), (false, vec![1])]),
            FmpzPoly::new(&[(false, vec![u64::MAX])]),
        );
        let mut c = FmpzPoly::new(&[]);
        c.set_product(&a, &b);
        assert_eq!(c.words(2), [1, u64::MAX - 1, 1, 0, u64::MAX, 0]);
    }

    #[test]
    fn a_coefficient_without_limbs_is_zero() {
        let poly = FmpzPoly::new(&[(false, vec![7]), (true, Vec::new()), (false, vec![1])]);
        assert_eq!(poly.words(1), [0, 7, 0, 0, 0, 1]);
    }

    #[test]
    fn pseudo_quotients_and_contents() {
        // 9(x² + 1) = (3x − 1)(3x + 1) + 10
        let poly = |coefficients: &[(bool, u64)]| {
            let signed: Vec<Signed> = coefficients.iter().map(|&(s, x)| (s, vec![x])).collect();
            FmpzPoly::new(&signed)
        };
        let [q, r] = poly(&[(false, 1), (false, 0), (false, 1)])
            .pseudo_divided_by(&poly(&[(false, 1), (false, 3)]));
        assert_eq!((q.words(1), r.words(1)), (vec![1, 1, 0, 3], vec![0, 10]));
        let a = poly(&[(false, 6), (true, 4)]);
        assert_eq!(a.content().words(1), [0, 2]);
        assert_eq!(a.primitive_part().words(1), [1, 3, 0, 2]);
        assert_eq!((a.negated().words(1), a.width()), (vec![1, 6, 0, 4], 1));
    }
}
