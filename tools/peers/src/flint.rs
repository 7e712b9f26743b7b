//! The few FLINT and GMP objects that the cases use, with safe faces.

mod fmpz;
mod fmpz_poly;
mod matrices;
mod mod_matrix;
mod mod_poly;
mod mpoly;
mod nmod_poly;
mod nmod_tree;
mod systems;

use flint3_sys as sys;
use gmp_mpfr_sys::gmp;

pub use fmpz::{Fmpz, Pi};
pub use fmpz_poly::FmpzPoly;
pub use matrices::{FmpzMatrix, NmodMatrix};
pub use mod_matrix::FmpzModMatrix;
pub use mod_poly::{FmpzModPoly, FmpzModulus};
pub use mpoly::{FmpzBivariate, NmodBivariate};
pub use nmod_poly::NmodPoly;
pub use nmod_tree::NmodTree;
pub use systems::{CHECK_PRIME, FmpqMatrix};

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

/// Sets an integer to a natural number; FLINT reads a limb where there is none.
///
/// # Safety
/// `value` is a valid fmpz.
unsafe fn set_limbs(value: *mut sys::fmpz, limbs: &[u64]) {
    // SAFETY: a valid fmpz, as promised, and as many limbs as are said, one at least.
    unsafe {
        match limbs.len() {
            0 => sys::fmpz_zero(value),
            count => sys::fmpz_set_ui_array(value, limbs.as_ptr(), long(count)),
        }
    }
}

/// A signed coefficient: whether it is negative, and its limbs.
pub type Signed = (bool, Vec<u64>);

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
}
