//! Products modulo a long modulus by GMP and FLINT, with safe faces.

use crate::flint::long;
use flint3_sys as sys;
use gmp_mpfr_sys::gmp;
use std::mem::MaybeUninit;
use sunzi_integer::Natural;

unsafe extern "C" {
    // `flint3-sys` declares no header that needs GMP's types; these are in `mpn_extras.h`.
    fn flint_mpn_preinvn(dinv: *mut u64, d: *const u64, n: i64);
    fn flint_mpn_mulmod_preinvn(
        r: *mut u64,
        a: *const u64,
        b: *const u64,
        n: i64,
        d: *const u64,
        dinv: *const u64,
        norm: u64,
    );
    // These are in `mpn_mod.h`.
    fn _gr_ctx_init_mpn_mod(context: *mut sys::gr_ctx_struct, p: *const u64, n: i64) -> i32;
    fn _mpn_mod_poly_mullow(
        out: *mut u64,
        a: *const u64,
        a_length: i64,
        b: *const u64,
        b_length: i64,
        length: i64,
        context: *mut sys::gr_ctx_struct,
    ) -> i32;
}

/// A number in `count` limbs.
pub fn limbs(value: &Natural, count: usize) -> Vec<u64> {
    let mut limbs = value.as_limbs().to_vec();
    limbs.resize(count, 0);
    limbs
}

/// GMP's integers.
pub struct Mpz(gmp::mpz_t);

// SAFETY: the object owns its memory, which any thread may free.
unsafe impl Send for Mpz {}

impl Mpz {
    pub fn new(limbs: &[u64]) -> Self {
        let mut value = MaybeUninit::uninit();
        // SAFETY: `init` makes a valid object; `import` reads the limbs, least significant first.
        unsafe {
            gmp::mpz_init(value.as_mut_ptr());
            gmp::mpz_import(
                value.as_mut_ptr(),
                limbs.len(),
                -1,
                8,
                0,
                0,
                limbs.as_ptr().cast(),
            );
            Self(value.assume_init())
        }
    }

    /// `self = a b mod p`.
    pub fn set_product(&mut self, a: &Self, b: &Self, p: &Self) {
        // SAFETY: valid objects.
        unsafe {
            gmp::mpz_mul(&mut self.0, &a.0, &b.0);
            gmp::mpz_mod(&mut self.0, &self.0, &p.0);
        }
    }

    /// The value in `count` limbs.
    pub fn limbs(&self, count: usize) -> Vec<u64> {
        let mut limbs = vec![0; count];
        let mut used = 0;
        // SAFETY: a residue has no more limbs than its modulus, which has at most `count`.
        unsafe {
            assert!(gmp::mpz_size(&self.0) <= count);
            gmp::mpz_export(limbs.as_mut_ptr().cast(), &mut used, -1, 8, 0, 0, &self.0);
        }
        limbs
    }
}

impl Drop for Mpz {
    fn drop(&mut self) {
        // SAFETY: a valid object, cleared once.
        unsafe { gmp::mpz_clear(&mut self.0) }
    }
}

/// A modulus of n limbs for GMP's functions on limbs: product, then division with remainder.
pub struct MpnModulus {
    modulus: Vec<u64>,
    product: Vec<u64>,
    quotient: Vec<u64>,
}

impl MpnModulus {
    pub fn new(modulus: &[u64]) -> Self {
        Self {
            modulus: modulus.to_vec(),
            product: vec![0; 2 * modulus.len()],
            quotient: vec![0; modulus.len() + 1],
        }
    }

    /// `out = a b`; all have as many limbs as the modulus.
    pub fn multiply(&mut self, out: &mut [u64], a: &[u64], b: &[u64]) {
        let n = self.modulus.len();
        assert!(out.len() == n && a.len() == n && b.len() == n);
        // SAFETY: the lengths are right, and the modulus' top limb is not zero.
        unsafe {
            gmp::mpn_mul_n(self.product.as_mut_ptr(), a.as_ptr(), b.as_ptr(), long(n));
            gmp::mpn_tdiv_qr(
                self.quotient.as_mut_ptr(),
                out.as_mut_ptr(),
                0,
                self.product.as_ptr(),
                long(2 * n),
                self.modulus.as_ptr(),
                long(n),
            );
        }
    }
}

/// A modulus of n limbs for FLINT's functions on limbs, with its inverse known beforehand.
pub struct FlintModulus {
    modulus: Vec<u64>,
    inverse: Vec<u64>,
    /// All numbers are shifted to the left by as many bits as the modulus has leading zeros.
    shift: u32,
}

impl FlintModulus {
    pub fn new(modulus: &[u64]) -> Self {
        let shift = modulus.last().expect("limbs").leading_zeros();
        let modulus = shift_left(modulus, shift);
        let mut inverse = vec![0; modulus.len()];
        // SAFETY: the modulus is normalized; both have n limbs.
        unsafe { flint_mpn_preinvn(inverse.as_mut_ptr(), modulus.as_ptr(), long(modulus.len())) }
        Self {
            modulus,
            inverse,
            shift,
        }
    }

    /// A residue as [`FlintModulus::multiply`] takes it.
    pub fn prepare(&self, residue: &[u64]) -> Vec<u64> {
        shift_left(residue, self.shift)
    }

    /// The residue that a prepared one stands for.
    pub fn residue(&self, prepared: &[u64]) -> Vec<u64> {
        let shift = self.shift;
        let mut above = prepared.iter().skip(1);
        prepared
            .iter()
            .map(|&limb| {
                let above = above.next().copied().unwrap_or(0);
                limb >> shift | above.checked_shl(64 - shift).unwrap_or(0)
            })
            .collect()
    }

    /// `out = a b`, all prepared.
    pub fn multiply(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        let n = self.modulus.len();
        assert!(out.len() == n && a.len() == n && b.len() == n);
        // SAFETY: n limbs each, the modulus normalized by `shift`, the inverse of FLINT's making.
        unsafe {
            flint_mpn_mulmod_preinvn(
                out.as_mut_ptr(),
                a.as_ptr(),
                b.as_ptr(),
                long(n),
                self.modulus.as_ptr(),
                self.inverse.as_ptr(),
                self.shift.into(),
            );
        }
    }
}

/// Without bits lost: the top limb has room.
fn shift_left(limbs: &[u64], shift: u32) -> Vec<u64> {
    let mut below = 0;
    limbs
        .iter()
        .map(|&limb| {
            let shifted = limb << shift | below;
            below = limb.checked_shr(64 - shift).unwrap_or(0);
            shifted
        })
        .collect()
}

/// Polynomials over the integers modulo n in FLINT's other way: coefficients in rows of limbs, for moduli of
/// 2 to 16 limbs.
pub struct MpnModRing {
    context: Box<sys::gr_ctx_struct>,
    n: usize,
}

// SAFETY: the context owns its memory, which any thread may free.
unsafe impl Send for MpnModRing {}

impl MpnModRing {
    /// `None` for a modulus that is too short or too long.
    pub fn new(modulus: &[u64]) -> Option<Self> {
        let (mut context, n) = (Box::<sys::gr_ctx_struct>::default(), modulus.len());
        // SAFETY: the modulus is copied into the context, which is valid if the answer is zero.
        let refused = unsafe { _gr_ctx_init_mpn_mod(&mut *context, modulus.as_ptr(), long(n)) };
        (refused == 0).then(|| Self { context, n })
    }

    /// `out = a b`, as rows of limbs from the constant term upward.
    pub fn multiply(&mut self, out: &mut [u64], a: &[u64], b: &[u64]) {
        let n = self.n;
        let rows = |x: &[u64]| x.len() / n;
        assert!(rows(a) >= rows(b) && rows(b) > 0 && out.len() == a.len() + b.len() - n);
        // SAFETY: whole rows, as many as just checked.
        let refused = unsafe {
            _mpn_mod_poly_mullow(
                out.as_mut_ptr(),
                a.as_ptr(),
                long(rows(a)),
                b.as_ptr(),
                long(rows(b)),
                long(rows(out)),
                &mut *self.context,
            )
        };
        assert_eq!(refused, 0, "FLINT multiplies");
    }
}

impl Drop for MpnModRing {
    fn drop(&mut self) {
        // SAFETY: a valid context, cleared once.
        unsafe { sys::gr_ctx_clear(&mut *self.context) }
    }
}
