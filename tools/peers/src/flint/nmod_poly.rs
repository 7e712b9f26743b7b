//! Polynomials over Z/p, p of word size.

use flint3_sys as sys;

use super::long;

/// A polynomial over Z/p.
pub struct NmodPoly(pub(super) sys::nmod_poly_struct);

// SAFETY: the object owns its memory, and FLINT keeps no reference to the thread that made it.
unsafe impl Send for NmodPoly {}

impl NmodPoly {
    /// The polynomial with these residues, from the constant term upward.
    pub fn new(p: u64, residues: &[u64]) -> Self {
        let mut poly = sys::nmod_poly_struct::default();
        // SAFETY: `init2` makes `poly` a valid object with room for the residues, which are then copied
        // into that room; `_nmod_poly_normalise` sees a length that is within it.
        unsafe {
            sys::nmod_poly_init2(&mut poly, p, long(residues.len()));
            if !residues.is_empty() {
                std::ptr::copy_nonoverlapping(residues.as_ptr(), poly.coeffs, residues.len());
            }
            poly.length = long(residues.len());
            sys::_nmod_poly_normalise(&mut poly);
        }
        Self(poly)
    }

    /// `self = a b`.
    pub fn set_product(&mut self, a: &Self, b: &Self) {
        // SAFETY: three valid objects, of one modulus because a case makes them of one.
        unsafe { sys::nmod_poly_mul(&mut self.0, &a.0, &b.0) }
    }

    /// `a = self b + remainder`.
    pub fn set_quotient(&mut self, remainder: &mut Self, a: &Self, b: &Self) {
        assert!(!b.is_zero(), "FLINT ends the process that divides by zero");
        // SAFETY: four valid objects of one modulus, the results exclusive, the divisor not zero.
        unsafe { sys::nmod_poly_divrem(&mut self.0, &mut remainder.0, &a.0, &b.0) }
    }

    /// As [`Self::set_quotient`], by the quadratic algorithm.
    pub fn set_quotient_basecase(&mut self, remainder: &mut Self, a: &Self, b: &Self) {
        assert!(!b.is_zero(), "FLINT ends the process that divides by zero");
        // SAFETY: as in `set_quotient`.
        unsafe { sys::nmod_poly_divrem_basecase(&mut self.0, &mut remainder.0, &a.0, &b.0) }
    }

    /// `self` = the monic greatest common divisor.
    pub fn set_gcd(&mut self, a: &Self, b: &Self) {
        // SAFETY: three valid objects of one modulus, which is prime.
        unsafe { sys::nmod_poly_gcd(&mut self.0, &a.0, &b.0) }
    }

    /// The resultant.
    pub fn resultant(&self, other: &Self) -> u64 {
        // SAFETY: two valid objects of one modulus, which is prime.
        unsafe { sys::nmod_poly_resultant(&self.0, &other.0) }
    }

    /// The values at reduced points.
    pub fn evaluate(&self, values: &mut [u64], points: &[u64]) {
        assert_eq!(values.len(), points.len());
        let count = long(points.len());
        // SAFETY: a valid object; as many values as points, and `values` is exclusive.
        unsafe {
            sys::nmod_poly_evaluate_nmod_vec(values.as_mut_ptr(), &self.0, points.as_ptr(), count);
        }
    }

    /// As [`Self::evaluate`], at one point after the other.
    pub fn evaluate_one_by_one(&self, values: &mut [u64], points: &[u64]) {
        assert_eq!(values.len(), points.len());
        let count = long(points.len());
        // SAFETY: as in `evaluate`.
        unsafe {
            sys::nmod_poly_evaluate_nmod_vec_iter(
                values.as_mut_ptr(),
                &self.0,
                points.as_ptr(),
                count,
            );
        }
    }

    /// `self` = the polynomial of least degree with these values at distinct reduced points.
    pub fn set_interpolation(&mut self, points: &[u64], values: &[u64]) {
        assert_eq!(values.len(), points.len());
        let count = long(points.len());
        // SAFETY: a valid object; as many values as points.
        unsafe {
            sys::nmod_poly_interpolate_nmod_vec(
                &mut self.0,
                points.as_ptr(),
                values.as_ptr(),
                count,
            );
        }
    }

    /// The modulus in FLINT's form.
    pub(super) fn modulus(&self) -> sys::nmod_t {
        let sys::nmod_t { n, ninv, norm } = self.0.mod_;
        sys::nmod_t { n, ninv, norm }
    }

    fn is_zero(&self) -> bool {
        self.0.length == 0
    }

    /// The residues, without trailing zeros.
    pub fn residues(&self) -> Vec<u64> {
        let length = usize::try_from(self.0.length).expect("lengths are not negative");
        if length == 0 {
            return Vec::new();
        }
        // SAFETY: a valid object holds `length` coefficients.
        unsafe { std::slice::from_raw_parts(self.0.coeffs, length) }.to_vec()
    }
}

impl Drop for NmodPoly {
    fn drop(&mut self) {
        // SAFETY: a valid object, cleared once.
        unsafe { sys::nmod_poly_clear(&mut self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poly(residues: &[u64]) -> NmodPoly {
        NmodPoly::new(7, residues)
    }

    #[test]
    fn small_products() {
        let (a, b) = (poly(&[1, 2]), poly(&[3, 6, 0]));
        let mut c = poly(&[]);
        c.set_product(&a, &b);
        assert_eq!(c.residues(), [3, 5, 5]);
    }

    #[test]
    fn small_quotients() {
        // x² + 3x + 5 = (x + 1)(x + 2) + 3
        let (a, b) = (poly(&[5, 3, 1]), poly(&[1, 1]));
        for divide in [NmodPoly::set_quotient, NmodPoly::set_quotient_basecase] {
            let (mut quotient, mut remainder) = (poly(&[]), poly(&[]));
            divide(&mut quotient, &mut remainder, &a, &b);
            assert_eq!(quotient.residues(), [2, 1]);
            assert_eq!(remainder.residues(), [3]);
        }
    }

    #[test]
    fn common_factors() {
        // 2(x + 1)(x + 2) and (x + 1)(x + 3)
        let (a, b) = (poly(&[4, 6, 2]), poly(&[3, 4, 1]));
        let mut common = poly(&[]);
        common.set_gcd(&a, &b);
        assert_eq!(common.residues(), [1, 1]);
        assert_eq!(a.resultant(&b), 0);
        // res(x - 2, x² + 1) = 2² + 1
        let (a, b) = (poly(&[5, 1]), poly(&[1, 0, 1]));
        assert_eq!(a.resultant(&b), 5);
    }

    #[test]
    fn values_and_back() {
        let (a, points) = (poly(&[1, 0, 1]), [0, 3, 6]);
        for evaluate in [NmodPoly::evaluate, NmodPoly::evaluate_one_by_one] {
            let mut values = [0; 3];
            evaluate(&a, &mut values, &points);
            assert_eq!(values, [1, 3, 2]);
        }
        let mut found = poly(&[]);
        found.set_interpolation(&points, &[1, 3, 2]);
        assert_eq!(found.residues(), a.residues());
    }
}
