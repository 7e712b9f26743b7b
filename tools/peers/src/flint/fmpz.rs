//! Integers, and π.

use std::ffi::{CStr, CString};

use flint3_sys as sys;

use super::{long, set_limbs};

/// An integer.
#[repr(transparent)]
pub struct Fmpz(pub(super) sys::fmpz);

// SAFETY: fmpz memory may be freed by any thread.
unsafe impl Send for Fmpz {}

/// A new integer that a function of FLINT sets.
macro_rules! set_by {
    ($out:ident => $call:expr) => {{
        let mut $out = Fmpz::default();
        // SAFETY: valid objects; the result is exclusive.
        unsafe { $call };
        $out
    }};
}

impl Fmpz {
    pub fn new(limbs: &[u64]) -> Self {
        set_by!(out => set_limbs(&mut out.0, limbs))
    }

    pub(super) fn is_zero(&self) -> bool {
        // SAFETY: a valid object.
        unsafe { sys::fmpz_is_zero(&self.0) != 0 }
    }

    /// The lowest limbs of the absolute value, zeros where it has fewer.
    pub fn limbs(&self, count: usize) -> Vec<u64> {
        let mut limbs = vec![0; count];
        // SAFETY: no more limbs than `count`, as callers know.
        unsafe { sys::fmpz_get_ui_array(limbs.as_mut_ptr(), long(count), &self.0) }
        limbs
    }

    /// The limbs of a number that is not negative.
    pub fn all_limbs(&self) -> Vec<u64> {
        // SAFETY: a valid object.
        let size = unsafe { sys::fmpz_size(&self.0) };
        let mut limbs = self.limbs(usize::try_from(size).expect("not negative").max(1));
        if self.is_zero() {
            limbs.clear();
        }
        limbs
    }

    pub fn times(&self, other: &Self) -> Self {
        set_by!(out => sys::fmpz_mul(&mut out.0, &self.0, &other.0))
    }

    pub fn div_rem(&self, divisor: &Self) -> [Self; 2] {
        let mut quotient = Self::default();
        let remainder =
            set_by!(out => sys::fmpz_tdiv_qr(&mut quotient.0, &mut out.0, &self.0, &divisor.0));
        [quotient, remainder]
    }

    pub fn gcd(&self, other: &Self) -> Self {
        set_by!(out => sys::fmpz_gcd(&mut out.0, &self.0, &other.0))
    }

    pub fn gcd_ext(&self, other: &Self) -> [Self; 3] {
        let (mut s, mut t) = (Self::default(), Self::default());
        let gcd = set_by!(out => sys::fmpz_xgcd(&mut out.0, &mut s.0, &mut t.0, &self.0, &other.0));
        [gcd, s, t]
    }

    pub fn sqrt(&self) -> Self {
        set_by!(out => sys::fmpz_sqrt(&mut out.0, &self.0))
    }

    pub fn pow(&self, exponent: u32) -> Self {
        set_by!(out => sys::fmpz_pow_ui(&mut out.0, &self.0, exponent.into()))
    }

    pub fn pow_mod(&self, exponent: &Self, modulus: &Self) -> Self {
        set_by!(out => sys::fmpz_powm(&mut out.0, &self.0, &exponent.0, &modulus.0))
    }

    /// In decimal.
    pub fn to_text(&self) -> String {
        // SAFETY: FLINT makes a text that ends in zero, which is freed once it is copied.
        unsafe {
            let text = sys::fmpz_get_str(std::ptr::null_mut(), 10, &self.0);
            let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
            sys::flint_free(text.cast());
            copy
        }
    }

    pub fn from_text(text: &str) -> Self {
        let text = CString::new(text).expect("digits alone");
        set_by!(out => sys::fmpz_set_str(&mut out.0, text.as_ptr(), 10))
    }
}

impl Default for Fmpz {
    fn default() -> Self {
        Self(sys::fmpz::default())
    }
}

impl Clone for Fmpz {
    fn clone(&self) -> Self {
        set_by!(out => sys::fmpz_set(&mut out.0, &self.0))
    }
}

impl Drop for Fmpz {
    fn drop(&mut self) {
        // SAFETY: a valid object, cleared once.
        unsafe { sys::fmpz_clear(&mut self.0) }
    }
}

/// π, whose digits FLINT keeps: a few bits more are asked for each time, so that they are computed again.
#[derive(Default)]
pub struct Pi {
    more: i64,
}

impl Pi {
    /// ⌊π·10^count⌋ as text.
    pub fn digits(&mut self, count: usize) -> String {
        self.more += 1;
        let bits = (count as f64 * std::f64::consts::LOG2_10) as i64 + 64 + self.more;
        let power = set_by!(out => sys::fmpz_ui_pow_ui(&mut out.0, 10, count as u64));
        let mut pi = sys::arb_struct::default();
        // SAFETY: `pi` is valid from its initialization to its end.
        let number = unsafe {
            sys::arb_init(&mut pi);
            sys::arb_const_pi(&mut pi, bits);
            sys::arb_mul_fmpz(&mut pi, &pi, &power.0, bits);
            let mut number = Fmpz::default();
            sys::arf_get_fmpz(&mut number.0, &pi.mid, sys::arf_rnd_t_ARF_RND_FLOOR);
            sys::arb_clear(&mut pi);
            number
        };
        number.to_text()
    }
}
