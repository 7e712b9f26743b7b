//! Products of residues by multipliers known beforehand, modulo a long modulus, by the functions of GMP and
//! FLINT on limbs.
//!
//! What is known of a multiplier w beforehand may be more than w itself. With B = 2^64 and a modulus p of n
//! limbs, Montgomery's reduction divides by B^n, so w·B^n mod p in the place of w makes the product come out
//! as x·w, and x stays as it is; and a rounded quotient w' = ⌊w·B^n/p⌋ gives that of the product,
//! q = ⌊x·w'/B^n⌋, so that x·w − q·p needs only lower halves of products and lies within [0, 2p).

use gmp_mpfr_sys::gmp;
use sunzi_integer::Natural;

use crate::contender::{contender, work};
use crate::flint::long;
use crate::residues::{FlintModulus, limbs};
use sunzi_measure::{Clock, Work, in_turn};

unsafe extern "C" {
    // GMP's own reductions and lower products: its library exports them, its header does not name them.
    #[link_name = "__gmpn_redc_1"]
    fn redc_1(r: *mut u64, u: *mut u64, p: *const u64, n: i64, minus_inverse: u64) -> u64;
    #[link_name = "__gmpn_redc_n"]
    fn redc_n(r: *mut u64, u: *mut u64, p: *const u64, n: i64, inverse: *const u64);
    #[link_name = "__gmpn_mullo_n"]
    fn mullo_n(r: *mut u64, x: *const u64, y: *const u64, n: i64);
    // `flint3-sys` declares no header that needs GMP's types; these are in `mpn_extras.h`.
    fn flint_mpn_mulhigh_n(r: *mut u64, x: *const u64, y: *const u64, n: i64) -> u64;
    fn flint_mpn_mullow_n(r: *mut u64, x: *const u64, y: *const u64, n: i64) -> u64;
}

/// The least n that `mpn_redc_n` takes, and one more.
const LEAST_REDC_N: usize = 10;

/// Up to this many limbs a correction that is needed every other time costs less without a branch.
const BRANCHLESS_LIMBS: usize = 16;

/// How a product is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Division with remainder.
    Division,
    /// Montgomery's reduction limb by limb, with what GMP documents.
    AddMul,
    /// The same by GMP's own function for it.
    Redc1,
    /// Montgomery's reduction by products of n limbs.
    RedcN,
    /// The rounded quotient, whole and lower products by GMP.
    MulLo,
    /// Division by FLINT's inverse of the modulus.
    Inverse,
    /// The rounded quotient, upper and lower halves of products by FLINT.
    MulHigh,
}

impl Method {
    /// With the functions of GMP alone.
    pub const GMP: [Self; 5] = [
        Self::Division,
        Self::AddMul,
        Self::Redc1,
        Self::RedcN,
        Self::MulLo,
    ];
    /// With those of FLINT.
    pub const FLINT: [Self; 2] = [Self::Inverse, Self::MulHigh];

    /// Whether the method is right for the modulus.
    fn suits(self, modulus: &[u64]) -> bool {
        let free_bits = free_bits(modulus);
        match self {
            Self::Division | Self::AddMul | Self::Redc1 | Self::Inverse => true,
            Self::RedcN => modulus.len() >= LEAST_REDC_N,
            // What is left after the quotient's multiple is below 2p, and below 3p if the quotient may be
            // one less, as FLINT's upper halves leave out a carry: it must fit n limbs.
            Self::MulLo => free_bits >= 1,
            Self::MulHigh => free_bits >= 2,
        }
    }

    /// A radix-2 transform with such products.
    pub fn radix_two_name(self) -> &'static str {
        match self {
            Self::Division => "GMP radix 2 (mpn_mul_n, mpn_tdiv_qr)",
            Self::AddMul => "GMP radix 2 (mpn_mul_n, mpn_addmul_1)",
            Self::Redc1 => "GMP radix 2 (mpn_mul_n, mpn_redc_1)",
            Self::RedcN => "GMP radix 2 (mpn_mul_n, mpn_redc_n)",
            Self::MulLo => "GMP radix 2 (mpn_mul_n, mpn_mullo_n)",
            Self::Inverse => "FLINT radix 2 (flint_mpn_mulmod_preinvn)",
            Self::MulHigh => "FLINT radix 2 (flint_mpn_mulhigh_n, mullow_n)",
        }
    }

    /// The quickest of the methods for a modulus, here and now.
    pub fn fastest(among: &[Self], modulus: &[u64]) -> Self {
        const PRODUCTS: usize = 64;
        const SECONDS: f64 = 0.1;
        let suitable: Vec<Self> = among
            .iter()
            .copied()
            .filter(|method| method.suits(modulus))
            .collect();
        let powers = |&method: &Self| {
            let products = KnownProducts::new(method, modulus);
            let x = products.prepare(&half(modulus));
            let entry = products.entry(&half(modulus));
            let scratch = products.scratch();
            contender(
                (x.clone(), x, entry, scratch, products),
                |(x, out, entry, scratch, products)| {
                    for _ in 0..PRODUCTS {
                        products.multiply(out, x, entry, scratch);
                        std::mem::swap(out, x);
                    }
                },
                |(x, _, _, _, products)| products.residue(x),
            )
        };
        let mut contenders: Vec<_> = suitable.iter().map(powers).collect();
        let works = contenders
            .iter_mut()
            .map(|contender| work(&mut **contender));
        let mut works: Vec<Work> = works.collect();
        let times = in_turn(&mut works, Clock::Processor, SECONDS);
        let fastest = times
            .iter()
            .zip(suitable)
            // Close ones are told apart best by the passes that nothing disturbed.
            .min_by(|(x, _), (y, _)| x.quartile1.total_cmp(&y.quartile1));
        let (_, method) = fastest.expect("a list starts with a method that suits every modulus");
        method
    }
}

/// Leading zeros of the top limb.
fn free_bits(modulus: &[u64]) -> u32 {
    modulus.last().map_or(0, |top| top.leading_zeros())
}

/// About half the modulus: a residue whose powers look random.
fn half(modulus: &[u64]) -> Vec<u64> {
    limbs(&(Natural::from(modulus) >> 1), modulus.len())
}

/// The inverse of an odd number modulo 2^(64·n), by Newton's iteration: each step doubles the right bits, of
/// which the number itself has three.
fn inverse_of_odd(value: &Natural, n: usize) -> Natural {
    let bits = 64 * n;
    let modulus = Natural::ONE << bits;
    let two = &modulus + 2;
    let (mut inverse, mut right) = (value % &modulus, 3);
    while right < bits {
        let product = value * &inverse % &modulus;
        inverse = inverse * (&two - product) % &modulus;
        right *= 2;
    }
    inverse
}

/// A modulus of n limbs, ready for products of residues by known multipliers.
pub struct KnownProducts {
    method: Method,
    /// As the residues lie: shifted to the left for [`Method::Inverse`].
    modulus: Vec<u64>,
    /// The modulus as it is.
    value: Natural,
    /// The inverse of the modulus modulo B^n, negative for [`Method::AddMul`] and [`Method::Redc1`].
    inverse: Vec<u64>,
    flint: FlintModulus,
    /// Whether Montgomery's reduction leaves values on both sides of a short modulus: the nearer that is to
    /// B^n, the more often.
    full: bool,
}

impl KnownProducts {
    pub fn new(method: Method, modulus: &[u64]) -> Self {
        let n = modulus.len();
        let value = Natural::from(modulus);
        let flint = FlintModulus::new(modulus);
        let inverse = inverse_of_odd(&value, n);
        let inverse = match method {
            Method::AddMul | Method::Redc1 => (Natural::ONE << (64 * n)) - inverse,
            _ => inverse,
        };
        let modulus = match method {
            Method::Inverse => flint.prepare(modulus),
            _ => modulus.to_vec(),
        };
        let full = free_bits(&modulus) < 2 && n <= BRANCHLESS_LIMBS;
        Self {
            method,
            modulus,
            full,
            inverse: limbs(&inverse, n),
            value,
            flint,
        }
    }

    /// Limbs of a residue.
    pub fn limbs(&self) -> usize {
        self.modulus.len()
    }

    /// Limbs of a multiplier's entry.
    pub fn entry_limbs(&self) -> usize {
        let n = self.limbs();
        match self.method {
            Method::MulLo | Method::MulHigh => 2 * n,
            _ => n,
        }
    }

    /// A residue as [`KnownProducts::multiply`] takes it.
    pub fn prepare(&self, residue: &[u64]) -> Vec<u64> {
        match self.method {
            Method::Inverse => self.flint.prepare(residue),
            _ => residue.to_vec(),
        }
    }

    /// The residue that a prepared one stands for.
    pub fn residue(&self, prepared: &[u64]) -> Vec<u64> {
        match self.method {
            Method::Inverse => self.flint.residue(prepared),
            _ => prepared.to_vec(),
        }
    }

    /// What is known of a multiplier beforehand.
    pub fn entry(&self, multiplier: &[u64]) -> Vec<u64> {
        let n = self.limbs();
        let raised = Natural::from(multiplier) << (64 * n);
        match self.method {
            Method::Division => multiplier.to_vec(),
            Method::Inverse => self.flint.prepare(multiplier),
            Method::AddMul | Method::Redc1 | Method::RedcN => limbs(&(raised % &self.value), n),
            Method::MulLo | Method::MulHigh => {
                let quotient = limbs(&(raised / &self.value), n);
                [multiplier, &quotient].concat()
            }
        }
    }

    /// Memory for [`KnownProducts::multiply`].
    pub fn scratch(&self) -> Vec<u64> {
        vec![0; 3 * self.limbs() + 1]
    }

    /// `out = x·w`, reduced, with the entry of w.
    pub fn multiply(&self, out: &mut [u64], x: &[u64], entry: &[u64], scratch: &mut [u64]) {
        let n = self.limbs();
        assert!(out.len() == n && x.len() == n && entry.len() == self.entry_limbs());
        assert!(scratch.len() > 3 * n);
        let (size, p) = (long(n), self.modulus.as_ptr());
        let (r, x) = (out.as_mut_ptr(), x.as_ptr());
        let (product, rest) = scratch.split_at_mut(2 * n);
        let (t, rest) = (product.as_mut_ptr(), rest.as_mut_ptr());
        let w = entry.as_ptr();
        // SAFETY: residues of n limbs, 2n of a product, n + 1 of the rest, and n or 2n of an entry, as just
        // checked; nothing overlaps. The functions that suit some moduli only are used for those only.
        unsafe {
            match self.method {
                Method::Division => {
                    gmp::mpn_mul_n(t, x, w, size);
                    gmp::mpn_tdiv_qr(rest, r, 0, t, 2 * size, p, size);
                }
                Method::AddMul => {
                    gmp::mpn_mul_n(t, x, w, size);
                    let minus_inverse = self.inverse[0];
                    // The carry of step i belongs to limb i + n; limb i, now zero, keeps it.
                    for i in 0..n {
                        let limb = t.add(i);
                        *limb =
                            gmp::mpn_addmul_1(limb, p, size, (*limb).wrapping_mul(minus_inverse));
                    }
                    let carry = gmp::mpn_add_n(r, t.add(n), t, size);
                    self.correct(r, carry, self.full);
                }
                Method::Redc1 => {
                    gmp::mpn_mul_n(t, x, w, size);
                    let carry = redc_1(r, t, p, size, self.inverse[0]);
                    self.correct(r, carry, self.full);
                }
                Method::RedcN => {
                    gmp::mpn_mul_n(t, x, w, size);
                    redc_n(r, t, p, size, self.inverse.as_ptr());
                }
                Method::MulLo => {
                    gmp::mpn_mul_n(t, x, w.add(n), size);
                    mullo_n(r, x, w, size);
                    mullo_n(rest, t.add(n), p, size);
                    gmp::mpn_sub_n(r, r, rest, size);
                    self.correct(r, 0, false);
                }
                Method::MulHigh => {
                    flint_mpn_mulhigh_n(t, x, w.add(n), size);
                    flint_mpn_mullow_n(r, x, w, size);
                    flint_mpn_mullow_n(rest, t, p, size);
                    gmp::mpn_sub_n(r, r, rest, size);
                    self.correct(r, 0, false);
                    self.correct(r, 0, false);
                }
                Method::Inverse => {
                    let entry = std::slice::from_raw_parts(w, n);
                    let x = std::slice::from_raw_parts(x, n);
                    self.flint.multiply(out, x, entry);
                }
            }
        }
    }

    /// `(a, b) = (a + t, a − t)`, reduced; the former b does not matter.
    pub fn sum_and_difference(&self, a: &mut [u64], b: &mut [u64], t: &[u64]) {
        let n = self.limbs();
        assert!(a.len() == n && b.len() == n && t.len() == n);
        let (size, p) = (long(n), self.modulus.as_ptr());
        let (a, b, t) = (a.as_mut_ptr(), b.as_mut_ptr(), t.as_ptr());
        // SAFETY: n limbs each, as just checked; whole overlap of a result with an operand is allowed.
        unsafe {
            let borrow = gmp::mpn_sub_n(b, a, t, size);
            if n <= BRANCHLESS_LIMBS {
                gmp::mpn_cnd_add_n(borrow, b, b, p, size);
            } else if borrow != 0 {
                gmp::mpn_add_n(b, b, p, size);
            }
            let carry = gmp::mpn_add_n(a, a, t, size);
            self.correct(a, carry, n <= BRANCHLESS_LIMBS);
        }
    }

    /// Subtracts the modulus once if the number is not below it; without a branch if asked to.
    ///
    /// # Safety
    /// `number` points to n limbs.
    #[inline]
    unsafe fn correct(&self, number: *mut u64, carry: u64, branchless: bool) {
        let (p, size) = (self.modulus.as_ptr(), long(self.limbs()));
        // SAFETY: n limbs each.
        unsafe {
            if branchless {
                let borrow = gmp::mpn_sub_n(number, number, p, size);
                gmp::mpn_cnd_add_n(borrow & !carry, number, number, p, size);
            } else if carry != 0 || gmp::mpn_cmp(number, p, size) >= 0 {
                gmp::mpn_sub_n(number, number, p, size);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    /// Every method that suits the modulus against Natural, on residues at both ends and in between.
    fn check(modulus: &Natural) {
        let n = modulus.as_limbs().len();
        let p = limbs(modulus, n);
        let mut sample = Sample::new(n as u64);
        let mut values = vec![Natural::ZERO, Natural::ONE, modulus - 1, modulus >> 1];
        values.extend((0..4).map(|_| Natural::from_limbs(sample.limbs(n + 1)) % modulus));
        let methods = Method::GMP.into_iter().chain(Method::FLINT);
        for method in methods.filter(|method| method.suits(&p)) {
            let products = KnownProducts::new(method, &p);
            let (mut out, mut scratch) = (vec![0; n], products.scratch());
            for x in &values {
                for w in &values {
                    let prepared = products.prepare(&limbs(x, n));
                    let entry = products.entry(&limbs(w, n));
                    products.multiply(&mut out, &prepared, &entry, &mut scratch);
                    let found = products.residue(&out);
                    assert_eq!(found, limbs(&(x * w % modulus), n), "{method:?}, {n} limbs");
                }
            }
        }
    }

    #[test]
    fn every_method_is_right() {
        for prime in sunzi_field::generalized_fermat::NAMED {
            check(&(Natural::from(prime.radix).pow(prime.digits) + 1));
        }
    }
}
