//! Prime fields of up to 64 bits.

use crate::LongInteger;

use crate::error::FieldError;
use crate::kernels::ScalarKernels;
use crate::primality::{factor, odd_prime};
use crate::rows::{Rows, rows_of_a_word};
use crate::traits::{Field, TwoAdicField};
use crate::word_modulus::WordModulus;

/// The integers modulo any odd prime of one word; an element is a `u64` with `0 ≤ x < p`.
///
/// [`Fp64`](crate::Fp64) has faster kernels for primes below 2^63; this is for those above, such as 2^64 − 2^32 + 1.
///
/// ```
/// use sunzi::field::{Field, FieldError, Fp64Full, TwoAdicField};
///
/// let field = Fp64Full::new(0xffff_ffff_0000_0001)?;
/// assert_eq!(field.mul(1 << 32, 1 << 32), (1 << 32) - 1);
/// assert_eq!(field.two_adicity(), 32);
/// assert!(Fp64Full::new(u64::MAX).is_err());
/// # Ok::<(), FieldError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fp64Full {
    modulus: WordModulus,
}

impl Fp64Full {
    /// The field modulo `prime`.
    ///
    /// # Errors
    /// If `prime` is not an odd prime; the error says why.
    pub fn new(prime: u64) -> Result<Self, FieldError> {
        let modulus = WordModulus::new(odd_prime(prime, u64::BITS)?);
        Ok(Self { modulus })
    }

    /// The prime p.
    #[inline(always)]
    pub const fn prime(&self) -> u64 {
        self.modulus.get()
    }
}

impl Field for Fp64Full {
    type Elem = u64;
    type Kernels = ScalarKernels;

    #[inline(always)]
    fn zero(&self) -> u64 {
        0
    }

    #[inline(always)]
    fn one(&self) -> u64 {
        1
    }

    #[inline(always)]
    fn add(&self, a: u64, b: u64) -> u64 {
        self.modulus.add(a, b)
    }

    #[inline(always)]
    fn sub(&self, a: u64, b: u64) -> u64 {
        self.modulus.sub(a, b)
    }

    #[inline(always)]
    fn neg(&self, a: u64) -> u64 {
        self.modulus.sub(0, a)
    }

    #[inline(always)]
    fn mul(&self, a: u64, b: u64) -> u64 {
        self.modulus.mul(a, b)
    }

    fn inv(&self, a: u64) -> Option<u64> {
        self.modulus.inv(a)
    }

    #[inline(always)]
    fn from_u64(&self, value: u64) -> u64 {
        self.modulus.reduce(value)
    }

    fn from_limbs(&self, negative: bool, limbs: &[u64]) -> u64 {
        self.modulus.reduce_signed_limbs(negative, limbs)
    }

    fn to_limbs(&self, a: u64) -> Vec<u64> {
        vec![a]
    }

    /// Without a vector between.
    fn to_integer<N: LongInteger>(&self, a: u64) -> N {
        N::from_natural_limbs(&[a])
    }

    fn modulus_limbs(&self) -> Vec<u64> {
        vec![self.prime()]
    }

    #[inline(always)]
    fn is_canonical(&self, a: u64) -> bool {
        a < self.prime()
    }
}

impl TwoAdicField for Fp64Full {
    fn two_adicity(&self) -> u32 {
        (self.prime() - 1).trailing_zeros()
    }

    fn root_of_unity(&self, log_n: u32) -> Option<u64> {
        self.modulus.root_of_unity(log_n)
    }

    fn least_non_residue(&self) -> u64 {
        self.modulus.least_non_residue()
    }

    fn order_factors(&self) -> Vec<(u64, u32)> {
        factor(self.prime() - 1)
    }
}

impl Rows for Fp64Full {
    rows_of_a_word!();

    fn description(&self) -> String {
        "Fp64Full: one 64-bit word, all odd primes of so many bits".to_owned()
    }
}
