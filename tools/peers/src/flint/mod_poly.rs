//! Integers and polynomials over the integers modulo n, of any length.

use std::mem::MaybeUninit;
use std::sync::Arc;

use flint3_sys as sys;

use super::{Fmpz, long};

/// FLINT's integers modulo n.
pub struct FmpzModulus(pub(super) Box<sys::fmpz_mod_ctx_struct>);

// SAFETY: the context owns its memory and is only read after it is made.
unsafe impl Send for FmpzModulus {}
// SAFETY: as above.
unsafe impl Sync for FmpzModulus {}

impl FmpzModulus {
    pub fn new(modulus: &[u64]) -> Self {
        let modulus = Fmpz::new(modulus);
        let mut context = Box::new(MaybeUninit::uninit());
        // SAFETY: `init` makes a valid context, which stays where it is.
        unsafe {
            sys::fmpz_mod_ctx_init(context.as_mut_ptr(), &modulus.0);
            Self(Box::from_raw(Box::into_raw(context).cast()))
        }
    }

    fn times(&self, a: &Fmpz, b: &Fmpz) -> Fmpz {
        let mut out = Fmpz::new(&[]);
        self.multiply(&mut out, a, b);
        out
    }

    fn reduced(&self, a: &Fmpz) -> Fmpz {
        let mut out = Fmpz::new(&[]);
        // SAFETY: valid objects; the result is exclusive.
        unsafe { sys::fmpz_mod_set_fmpz(&mut out.0, &a.0, &*self.0) }
        out
    }

    fn plus(&self, a: &Fmpz, b: &Fmpz) -> Fmpz {
        let mut out = Fmpz::new(&[]);
        // SAFETY: valid objects, reduced; the result is exclusive.
        unsafe { sys::fmpz_mod_add(&mut out.0, &a.0, &b.0, &*self.0) }
        out
    }

    fn less_one(&self, a: &Fmpz) -> Fmpz {
        let one = Fmpz::new(&[1]);
        let mut out = Fmpz::new(&[]);
        // SAFETY: valid objects, reduced; the result is exclusive.
        unsafe { sys::fmpz_mod_sub(&mut out.0, &a.0, &one.0, &*self.0) }
        out
    }

    /// Of a number that is not zero, modulo a prime.
    fn inverse(&self, a: &Fmpz) -> Fmpz {
        assert!(!a.is_zero(), "FLINT ends the process that divides by zero");
        let mut out = Fmpz::new(&[]);
        // SAFETY: valid objects, reduced; the result is exclusive.
        unsafe { sys::fmpz_mod_inv(&mut out.0, &a.0, &*self.0) }
        out
    }

    /// `out = a b`.
    pub fn multiply(&self, out: &mut Fmpz, a: &Fmpz, b: &Fmpz) {
        // SAFETY: valid objects.
        unsafe { sys::fmpz_mod_mul(&mut out.0, &a.0, &b.0, &*self.0) }
    }
}

impl Drop for FmpzModulus {
    fn drop(&mut self) {
        // SAFETY: a valid context, cleared once.
        unsafe { sys::fmpz_mod_ctx_clear(&mut *self.0) }
    }
}

/// FLINT's polynomials over the integers modulo n.
pub struct FmpzModPoly {
    poly: sys::fmpz_mod_poly_struct,
    modulus: Arc<FmpzModulus>,
}

// SAFETY: the object owns its memory; fmpz memory may be freed by any thread.
unsafe impl Send for FmpzModPoly {}

impl FmpzModPoly {
    /// The polynomial whose coefficients are rows of `n` limbs, from the constant term upward.
    pub fn new(modulus: &Arc<FmpzModulus>, rows: &[u64], n: usize) -> Self {
        let mut poly = sys::fmpz_mod_poly_struct::default();
        let rows = rows.chunks_exact(n);
        // SAFETY: `init2` makes a valid object; setting a coefficient copies it.
        unsafe {
            sys::fmpz_mod_poly_init2(&mut poly, long(rows.len()), &*modulus.0);
            for (index, row) in rows.enumerate() {
                let value = Fmpz::new(row);
                sys::fmpz_mod_poly_set_coeff_fmpz(&mut poly, long(index), &value.0, &*modulus.0);
            }
        }
        Self {
            poly,
            modulus: modulus.clone(),
        }
    }

    /// `self = a b`.
    pub fn set_product(&mut self, a: &Self, b: &Self) {
        // SAFETY: valid objects of one modulus.
        unsafe { sys::fmpz_mod_poly_mul(&mut self.poly, &a.poly, &b.poly, &*self.modulus.0) }
    }

    /// The coefficients as rows of `n` limbs, as many as there are without trailing zeros.
    pub fn rows(&self, n: usize) -> Vec<u64> {
        let mut value = Fmpz::new(&[0]);
        let coefficient = |index| {
            // SAFETY: valid objects.
            unsafe {
                let modulus = &*self.modulus.0;
                sys::fmpz_mod_poly_get_coeff_fmpz(&mut value.0, &self.poly, index, modulus);
            }
            value.limbs(n)
        };
        (0..self.poly.length).flat_map(coefficient).collect()
    }
}

impl Drop for FmpzModPoly {
    fn drop(&mut self) {
        // SAFETY: a valid object, cleared once.
        unsafe { sys::fmpz_mod_poly_clear(&mut self.poly, &*self.modulus.0) }
    }
}

/// Functions of one polynomial, of two, and of one or two and a number.
macro_rules! functions {
    (unary { $($one:ident = $flint_one:ident,)* }
     binary { $($two:ident = $flint_two:ident,)* }
     numbered { $($number:ident = $flint_number:ident,)* }) => {
        impl FmpzModPoly {
            $(
                #[doc = concat!("FLINT's `", stringify!($flint_one), "`.")]
                pub fn $one(&self) -> Self {
                    let mut out = Self::zero(&self.modulus);
                    // SAFETY: valid objects of one modulus, the result exclusive.
                    unsafe { sys::$flint_one(&mut out.poly, &self.poly, &*self.modulus.0) }
                    out
                }
            )*
            $(
                #[doc = concat!("FLINT's `", stringify!($flint_two), "`.")]
                pub fn $two(&self, other: &Self) -> Self {
                    let mut out = Self::zero(&self.modulus);
                    // SAFETY: valid objects of one modulus, the result exclusive.
                    unsafe {
                        sys::$flint_two(&mut out.poly, &self.poly, &other.poly, &*self.modulus.0);
                    }
                    out
                }
            )*
            $(
                #[doc = concat!("FLINT's `", stringify!($flint_number), "`.")]
                pub fn $number(&self, number: usize) -> Self {
                    let mut out = Self::zero(&self.modulus);
                    let number = long(number);
                    // SAFETY: valid objects of one modulus, the result exclusive.
                    unsafe {
                        sys::$flint_number(&mut out.poly, &self.poly, number, &*self.modulus.0);
                    }
                    out
                }
            )*
        }
    };
}

functions! {
    unary {
        negated = fmpz_mod_poly_neg,
        derivative = fmpz_mod_poly_derivative,
        monic = fmpz_mod_poly_make_monic,
    }
    binary {
        plus = fmpz_mod_poly_add,
        minus = fmpz_mod_poly_sub,
        times = fmpz_mod_poly_mul,
        gcd = fmpz_mod_poly_gcd,
        composed = fmpz_mod_poly_compose,
    }
    numbered {
        truncated = fmpz_mod_poly_set_trunc,
        reversed = fmpz_mod_poly_reverse,
        shifted_up = fmpz_mod_poly_shift_left,
        shifted_down = fmpz_mod_poly_shift_right,
        inverse_series = fmpz_mod_poly_inv_series,
    }
}

impl FmpzModPoly {
    fn zero(modulus: &Arc<FmpzModulus>) -> Self {
        Self::new(modulus, &[], 1)
    }

    pub fn is_zero(&self) -> bool {
        self.poly.length == 0
    }

    /// How many coefficients there are.
    pub fn len(&self) -> usize {
        usize::try_from(self.poly.length).expect("lengths are not negative")
    }

    /// Quotient and remainder.
    pub fn divided_by(&self, divisor: &Self) -> [Self; 2] {
        assert!(
            !divisor.is_zero(),
            "FLINT ends the process that divides by zero"
        );
        let [mut quotient, mut remainder] = [(); 2].map(|()| Self::zero(&self.modulus));
        // SAFETY: valid objects of one prime modulus, the results exclusive, the divisor not zero.
        unsafe {
            sys::fmpz_mod_poly_divrem(
                &mut quotient.poly,
                &mut remainder.poly,
                &self.poly,
                &divisor.poly,
                &*self.modulus.0,
            );
        }
        [quotient, remainder]
    }

    /// g, s and t with g = s·self + t·other, g monic.
    pub fn extended_gcd(&self, other: &Self) -> [Self; 3] {
        let [mut g, mut s, mut t] = [(); 3].map(|()| Self::zero(&self.modulus));
        // SAFETY: valid objects of one prime modulus, the results exclusive.
        unsafe {
            sys::fmpz_mod_poly_xgcd(
                &mut g.poly,
                &mut s.poly,
                &mut t.poly,
                &self.poly,
                &other.poly,
                &*self.modulus.0,
            );
        }
        [g, s, t]
    }

    pub fn resultant(&self, other: &Self) -> Fmpz {
        let mut value = Fmpz::new(&[]);
        // SAFETY: valid objects of one prime modulus, the result exclusive.
        unsafe {
            sys::fmpz_mod_poly_resultant(&mut value.0, &self.poly, &other.poly, &*self.modulus.0);
        }
        value
    }

    /// The quotient of two power series; the divisor begins with a unit.
    pub fn divided_series(&self, divisor: &Self, terms: usize) -> Self {
        let mut out = Self::zero(&self.modulus);
        // SAFETY: valid objects of one prime modulus, the result exclusive.
        unsafe {
            sys::fmpz_mod_poly_div_series(
                &mut out.poly,
                &self.poly,
                &divisor.poly,
                long(terms),
                &*self.modulus.0,
            );
        }
        out
    }

    pub fn scaled(&self, factor: &Fmpz) -> Self {
        let mut out = Self::zero(&self.modulus);
        // SAFETY: valid objects of one modulus, the result exclusive.
        unsafe {
            sys::fmpz_mod_poly_scalar_mul_fmpz(
                &mut out.poly,
                &self.poly,
                &factor.0,
                &*self.modulus.0,
            );
        }
        out
    }

    /// The values at reduced points, given and returned as rows of `n` limbs.
    pub fn values(&self, points: &[u64], n: usize) -> Vec<u64> {
        let points: Vec<Fmpz> = points.chunks_exact(n).map(Fmpz::new).collect();
        let mut values: Vec<Fmpz> = points.iter().map(|_| Fmpz::new(&[])).collect();
        // SAFETY: `Fmpz` is FLINT's type and nothing else; as many values as points, the values exclusive.
        unsafe {
            sys::fmpz_mod_poly_evaluate_fmpz_vec(
                values.as_mut_ptr().cast(),
                &self.poly,
                points.as_ptr().cast(),
                long(points.len()),
                &*self.modulus.0,
            );
        }
        values.iter().flat_map(|value| value.limbs(n)).collect()
    }

    /// Σ z^j·f(ω^j) over j < n for this polynomial f of at most n coefficients x_i and a root of unity ω of order n,
    /// without its values: Σ x_i·(z^n − 1)/(z·ω^i − 1), where a term with z·ω^i = 1 is n·x_i.
    pub fn sum_of_transform(&self, root: &Fmpz, z: &Fmpz, n: usize) -> Fmpz {
        let modulus = &*self.modulus;
        let one = Fmpz::new(&[1]);
        let (mut powers, mut products) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let (mut power, mut product, mut whole) = (z.clone(), one.clone(), one.clone());
        for _ in 0..n {
            let less = modulus.less_one(&power);
            products.push(product.clone());
            if !less.is_zero() {
                product = modulus.times(&product, &less);
            }
            powers.push(less);
            power = modulus.times(&power, root);
            whole = modulus.times(&whole, z);
        }
        // One inverse for all; z^n is z times itself n times.
        let (mut inverse, whole) = (modulus.inverse(&product), modulus.less_one(&whole));
        let (mut sum, mut single) = (Fmpz::new(&[]), Fmpz::new(&[]));
        let count = Fmpz::new(&[n as u64]);
        for i in (0..n).rev() {
            let mut x = Fmpz::new(&[]);
            // SAFETY: valid objects; a coefficient beyond the end is zero.
            unsafe {
                sys::fmpz_mod_poly_get_coeff_fmpz(&mut x.0, &self.poly, long(i), &*modulus.0);
            }
            if powers[i].is_zero() {
                single = modulus.plus(&single, &modulus.times(&modulus.reduced(&count), &x));
                continue;
            }
            let own = modulus.times(&inverse, &products[i]);
            sum = modulus.plus(&sum, &modulus.times(&own, &x));
            inverse = modulus.times(&inverse, &powers[i]);
        }
        modulus.plus(&modulus.times(&sum, &whole), &single)
    }

    /// The product of x - u over points u, given as rows of `n` limbs.
    pub fn with_roots(modulus: &Arc<FmpzModulus>, points: &[u64], n: usize) -> Self {
        let points: Vec<Fmpz> = points.chunks_exact(n).map(Fmpz::new).collect();
        let mut out = Self::zero(modulus);
        // SAFETY: as in `values`.
        unsafe {
            sys::fmpz_mod_poly_product_roots_fmpz_vec(
                &mut out.poly,
                points.as_ptr().cast(),
                long(points.len()),
                &*modulus.0,
            );
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_polynomials() {
        let modulus = Arc::new(FmpzModulus::new(&[7]));
        let poly = |rows: &[u64]| FmpzModPoly::new(&modulus, rows, 1);
        // (x + 1)(x + 2) and (x + 1)(x + 3)
        let (a, b) = (poly(&[2, 3, 1]), poly(&[3, 4, 1]));
        assert_eq!(a.times(&b).rows(1), [6, 3, 3, 0, 1]);
        let [quotient, remainder] = a.divided_by(&poly(&[1, 1]));
        assert_eq!((quotient.rows(1), remainder.is_zero()), (vec![2, 1], true));
        let [g, s, t] = a.extended_gcd(&b);
        assert_eq!(g.rows(1), [1, 1]);
        assert_eq!(s.times(&a).plus(&t.times(&b)).rows(1), [1, 1]);
        assert_eq!(a.resultant(&b).limbs(1), [0]);
        assert_eq!(a.values(&[0, 6, 1], 1), [2, 0, 6]);
        assert_eq!(
            FmpzModPoly::with_roots(&modulus, &[6, 5], 1).rows(1),
            a.rows(1)
        );
        assert_eq!(a.composed(&poly(&[1, 1])).rows(1), [6, 5, 1]);
        assert_eq!(poly(&[1, 6]).inverse_series(3).rows(1), [1, 1, 1]);
        assert_eq!(a.divided_series(&poly(&[1, 1]), 5).rows(1), [2, 1]);
    }

    #[test]
    fn sums_of_transforms() {
        // Modulo 17 a root of order 4 is 4, and 2 one of order 8: every z is taken.
        let modulus = Arc::new(FmpzModulus::new(&[17]));
        for (n, root) in [(1, 1), (4, 4), (8, 2)] {
            let rows: Vec<u64> = (3..3 + n).collect();
            let f = FmpzModPoly::new(&modulus, &rows, 1);
            let powers = std::iter::successors(Some(1), |power| Some(power * root % 17));
            let powers: Vec<u64> = powers.take(rows.len()).collect();
            let values = FmpzModPoly::new(&modulus, &f.values(&powers, 1), 1);
            for z in 0..17 {
                let sum = f.sum_of_transform(&Fmpz::new(&[root]), &Fmpz::new(&[z]), rows.len());
                assert_eq!(sum.limbs(1), values.values(&[z], 1), "{n} {z}");
            }
        }
    }
}
