//! Prime fields of up to 63 bits, and those of up to 50 bits that transforms over several primes
//! use.

use crate::LongInteger;

use crate::error::FieldError;
use crate::kernels::WordKernels;
use crate::lazy::{Lazy64, Prepared64, lazy_operations};
use crate::primality::{factor, odd_prime};
use crate::rows::{Rows, rows_of_a_word};
use crate::slices::{self, Montgomery104};
use crate::traits::{Field, TwoAdicField};
use crate::word_modulus::WordModulus;

/// Defines a field whose elements are one `u64` each; they differ in the bound on the prime,
/// hence in the kernels that other crates may use on them.
macro_rules! field_of_words {
    ($(#[$doc:meta])* $name:ident, $bits:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            modulus: WordModulus,
            montgomery: Montgomery104,
        }

        impl $name {
            #[doc = concat!("The field holds primes below 2^", stringify!($bits), ".")]
            pub const MAX_BITS: u32 = $bits;

            /// The field modulo `prime`.
            ///
            /// # Errors
            #[doc = concat!(
                "If `prime` is not an odd prime below 2^", stringify!($bits), "; the error says why."
            )]
            pub fn new(prime: u64) -> Result<Self, FieldError> {
                let modulus = WordModulus::new(odd_prime(prime, $bits)?);
                let montgomery = Montgomery104::new(&modulus);
                Ok(Self { modulus, montgomery })
            }

            /// The prime p.
            #[inline(always)]
            pub const fn prime(&self) -> u64 {
                self.modulus.get()
            }

            /// `value` mod p, for any `value < p·2^64`.
            #[inline(always)]
            pub const fn reduce_wide(&self, value: u128) -> u64 {
                self.modulus.reduce_wide(value)
            }
        }

        impl Field for $name {
            type Elem = u64;
            type Kernels = WordKernels;

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
                let sum = a.wrapping_add(b);
                sum.min(sum.wrapping_sub(self.prime()))
            }

            #[inline(always)]
            fn sub(&self, a: u64, b: u64) -> u64 {
                let difference = a.wrapping_sub(b);
                difference.min(difference.wrapping_add(self.prime()))
            }

            #[inline(always)]
            fn neg(&self, a: u64) -> u64 {
                self.sub(0, a)
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

            fn add_assign_slice(&self, x: &mut [u64], y: &[u64]) {
                slices::add_assign_64(&self.modulus, x, y);
            }

            fn sub_assign_slice(&self, x: &mut [u64], y: &[u64]) {
                slices::sub_assign_64(&self.modulus, x, y);
            }

            fn neg_slice(&self, x: &mut [u64]) {
                slices::neg_64(&self.modulus, x);
            }

            fn mul_assign_slice(&self, x: &mut [u64], y: &[u64]) {
                slices::mul_assign_64(&self.modulus, x, y);
            }

            fn scale_slice(&self, x: &mut [u64], factor: u64) {
                slices::scale_64(&self.modulus, x, factor);
            }

            fn combine_slices<const N: usize>(&self, out: &mut [u64], terms: [(u64, &[u64]); N]) {
                slices::combine_64(&self.modulus, self.montgomery, out, terms);
            }

            fn evaluate_slice(&self, values: &mut [u64], coefficients: &[u64], points: &[u64]) {
                slices::evaluate_64(&self.modulus, self.montgomery, values, coefficients, points);
            }
        }

        impl TwoAdicField for $name {
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
    };
}

field_of_words! {
    /// The integers modulo an odd prime below 2^63; an element is a `u64` with `0 ≤ x < p`.
    ///
    /// ```
    /// use sunzi::field::{Field, FieldError, Fp64};
    ///
    /// let field = Fp64::new((1 << 60) - (1 << 18) + 1)?;
    /// let x = field.from_i64(-1);
    /// assert_eq!(field.mul(x, x), 1);
    /// assert_eq!(Fp64::new(10), Err(FieldError::Even { modulus: 10 }));
    /// # Ok::<(), FieldError>(())
    /// ```
    Fp64, 63
}

field_of_words! {
    /// The integers modulo an odd prime below 2^50; an element is a `u64` with `0 ≤ x < p`.
    ///
    /// The same arithmetic as [`Fp64`], under a bound that leaves room in 52-bit multipliers and
    /// in doubles: the type of the word primes of transforms over several primes.
    ///
    /// ```
    /// use sunzi::field::{Field, FieldError, Fp50, ntt_primes};
    ///
    /// let prime = ntt_primes(50, 32).next().unwrap();
    /// let field = Fp50::new(prime)?;
    /// assert_eq!(field.add(prime - 1, 1), 0);
    /// assert!(Fp50::new((1 << 60) - (1 << 18) + 1).is_err());
    /// # Ok::<(), FieldError>(())
    /// ```
    Fp50, 50
}

impl Rows for Fp64 {
    rows_of_a_word!();

    fn description(&self) -> String {
        "Fp64: one 64-bit word, primes below 2^63".to_owned()
    }
}

lazy_operations!(Fp50, Lazy64, Prepared64, u64, "Fp50::new(1009)");
lazy_operations!(Fp64, Lazy64, Prepared64, u64, "Fp64::new(1009)");
