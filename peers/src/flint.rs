//! The few FLINT and GMP objects that the cases use, with safe faces.

mod matrices;
mod nmod_poly;
mod nmod_tree;

use flint3_sys as sys;
use gmp_mpfr_sys::gmp;

pub use matrices::{FmpzMatrix, NmodMatrix};
pub use nmod_poly::NmodPoly;
pub use nmod_tree::NmodTree;

unsafe extern "C" {
    // `flint3-sys` declares no header that needs GMP's types; these are in `mpn_extras.h` and `flint.h`.
    fn flint_mpn_mul(r: *mut u64, x: *const u64, xn: i64, y: *const u64, yn: i64) -> u64;
    fn flint_mpn_mul_n(r: *mut u64, x: *const u64, y: *const u64, n: i64);
    fn flint_mpn_sqr(r: *mut u64, x: *const u64, n: i64) -> u64;
}

/// How many threads FLINT may use from now on.
pub fn set_threads(threads: usize) {
    let threads = i32::try_from(threads).expect("a count of threads is small");
    // SAFETY: takes any positive count; the caller's thread is the only one in FLINT here.
    unsafe { sys::flint_set_num_threads(threads) }
}

/// Lengths as C sees them.
pub fn long(length: usize) -> i64 {
    i64::try_from(length).expect("a length in memory fits")
}

/// `out = a b` by FLINT; `a` is the longer one.
pub fn mul_limbs_flint(out: &mut [u64], a: &[u64], b: &[u64]) {
    assert!(a.len() >= b.len() && !b.is_empty() && out.len() == a.len() + b.len());
    // SAFETY: lengths as FLINT wants them (just checked); `out` is exclusive, so it overlaps neither.
    unsafe {
        if a.len() == b.len() {
            flint_mpn_mul_n(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), long(a.len()));
        } else {
            flint_mpn_mul(
                out.as_mut_ptr(),
                a.as_ptr(),
                long(a.len()),
                b.as_ptr(),
                long(b.len()),
            );
        }
    }
}

/// `out = a b` by GMP; `a` is the longer one.
pub fn mul_limbs_gmp(out: &mut [u64], a: &[u64], b: &[u64]) {
    assert!(a.len() >= b.len() && !b.is_empty() && out.len() == a.len() + b.len());
    // SAFETY: lengths as GMP wants them (just checked); `out` is exclusive, so it overlaps neither.
    unsafe {
        if a.len() == b.len() {
            gmp::mpn_mul_n(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), long(a.len()));
        } else {
            gmp::mpn_mul(
                out.as_mut_ptr(),
                a.as_ptr(),
                long(a.len()),
                b.as_ptr(),
                long(b.len()),
            );
        }
    }
}

/// `out = a²` by FLINT.
pub fn sqr_limbs_flint(out: &mut [u64], a: &[u64]) {
    assert!(!a.is_empty() && out.len() == 2 * a.len());
    // SAFETY: lengths just checked; `out` is exclusive.
    unsafe {
        flint_mpn_sqr(out.as_mut_ptr(), a.as_ptr(), long(a.len()));
    }
}

/// `out = a²` by GMP.
pub fn sqr_limbs_gmp(out: &mut [u64], a: &[u64]) {
    assert!(!a.is_empty() && out.len() == 2 * a.len());
    // SAFETY: lengths just checked; `out` is exclusive.
    unsafe { gmp::mpn_sqr(out.as_mut_ptr(), a.as_ptr(), long(a.len())) }
}

/// A signed coefficient: whether it is negative, and its limbs.
pub type Signed = (bool, Vec<u64>);

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
                sys::fmpz_set_ui_array(&mut value, limbs.as_ptr(), long(limbs.len()));
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

impl Drop for FmpzPoly {
    fn drop(&mut self) {
        // SAFETY: a valid object, cleared once.
        unsafe { sys::fmpz_poly_clear(&mut self.0) }
    }
}

/// FLINT's version, such as `3.6.0`.
pub fn flint_version() -> String {
    // `flint_version` is a C array of characters that ends in zero.
    unsafe extern "C" {
        static flint_version: [u8; 16];
    }
    // SAFETY: the address of the array is taken, and read up to the zero that ends it.
    let text = unsafe { std::ffi::CStr::from_ptr((&raw const flint_version).cast()) };
    text.to_string_lossy().into_owned()
}

/// GMP's version, such as `6.3.0`.
pub fn gmp_version() -> String {
    // SAFETY: GMP's constant string, which ends in zero and is never written.
    let text = unsafe { std::ffi::CStr::from_ptr(gmp::version) };
    text.to_string_lossy().into_owned()
}

/// The flags GMP was compiled with.
pub fn gmp_flags() -> String {
    // SAFETY: a constant string made by the build, which ends in zero.
    let text = unsafe { std::ffi::CStr::from_ptr(gmp::CFLAGS) };
    text.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limb_products_of_both_libraries() {
        let (a, b) = ([u64::MAX, u64::MAX, 1], [u64::MAX, 7]);
        let (mut by_gmp, mut by_flint) = ([0; 5], [0; 5]);
        mul_limbs_gmp(&mut by_gmp, &a, &b);
        mul_limbs_flint(&mut by_flint, &a, &b);
        assert_eq!(by_gmp, by_flint);
        assert_eq!(by_gmp[0], 1);
    }

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
}
