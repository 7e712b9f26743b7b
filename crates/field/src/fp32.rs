//! Prime fields of up to 31 bits.

use crate::LongInteger;
use std::borrow::Cow;

use crate::error::FieldError;
use crate::kernels::WordKernels;
use crate::lazy::{Lazy32, Prepared32, lazy_operations};
use crate::primality::{factor, odd_prime};
use crate::rows::{Rows, WordRows, WordRowsMut, copy_residues};
use crate::slices;
use crate::traits::{Field, TwoAdicField};
use crate::word_modulus::{Modulus31, WordModulus};

/// The integers modulo an odd prime below 2^31; an element is a `u32` with `0 ≤ x < p`.
///
/// ```
/// use sunzi::field::{Field, FieldError, Fp32};
///
/// let field = Fp32::new(469762049)?;
/// assert_eq!(field.mul(1 << 20, 1 << 20), field.from_u64(1 << 40));
/// assert_eq!(Fp32::new(91), Err(FieldError::Composite { modulus: 91, factor: 7 }));
/// # Ok::<(), FieldError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fp32 {
    arithmetic: Modulus31,
    modulus: WordModulus,
}

impl Fp32 {
    /// The field modulo `prime`.
    ///
    /// # Errors
    /// If `prime` is not an odd prime below 2^31; the error says why.
    pub fn new(prime: u32) -> Result<Self, FieldError> {
        let prime = odd_prime(u64::from(prime), 31)? as u32;
        Ok(Self {
            arithmetic: Modulus31::new(prime),
            modulus: WordModulus::new(u64::from(prime)),
        })
    }

    /// The prime p.
    #[inline(always)]
    pub const fn prime(&self) -> u32 {
        self.arithmetic.prime()
    }

    /// `value` mod p for any word: the reciprocal is less than one too small relative to
    /// 2^64/p, so the quotient is at most one too small.
    #[inline(always)]
    pub const fn reduce(&self, value: u64) -> u32 {
        self.arithmetic.reduce(value)
    }
}

impl Field for Fp32 {
    type Elem = u32;
    type Kernels = WordKernels;

    #[inline(always)]
    fn zero(&self) -> u32 {
        0
    }

    #[inline(always)]
    fn one(&self) -> u32 {
        1
    }

    #[inline(always)]
    fn add(&self, a: u32, b: u32) -> u32 {
        self.arithmetic.add(a, b)
    }

    #[inline(always)]
    fn sub(&self, a: u32, b: u32) -> u32 {
        self.arithmetic.sub(a, b)
    }

    #[inline(always)]
    fn neg(&self, a: u32) -> u32 {
        self.sub(0, a)
    }

    #[inline(always)]
    fn mul(&self, a: u32, b: u32) -> u32 {
        self.arithmetic.mul(a, b)
    }

    fn inv(&self, a: u32) -> Option<u32> {
        self.modulus.inv(u64::from(a)).map(|inverse| inverse as u32)
    }

    #[inline(always)]
    fn from_u64(&self, value: u64) -> u32 {
        self.reduce(value)
    }

    fn from_limbs(&self, negative: bool, limbs: &[u64]) -> u32 {
        self.modulus.reduce_signed_limbs(negative, limbs) as u32
    }

    fn to_limbs(&self, a: u32) -> Vec<u64> {
        vec![a.into()]
    }

    /// Without a vector between.
    fn to_integer<N: LongInteger>(&self, a: u32) -> N {
        N::from_natural_limbs(&[u64::from(a)])
    }

    fn modulus_limbs(&self) -> Vec<u64> {
        vec![self.prime().into()]
    }

    #[inline(always)]
    fn is_canonical(&self, a: u32) -> bool {
        a < self.prime()
    }

    fn add_assign_slice(&self, x: &mut [u32], y: &[u32]) {
        slices::add_assign_32(&self.arithmetic, x, y);
    }

    fn sub_assign_slice(&self, x: &mut [u32], y: &[u32]) {
        slices::sub_assign_32(&self.arithmetic, x, y);
    }

    fn neg_slice(&self, x: &mut [u32]) {
        slices::neg_32(&self.arithmetic, x);
    }

    fn mul_assign_slice(&self, x: &mut [u32], y: &[u32]) {
        slices::mul_assign_32(&self.arithmetic, x, y);
    }

    fn scale_slice(&self, x: &mut [u32], factor: u32) {
        slices::scale_32(&self.arithmetic, x, factor);
    }

    fn combine_slices<const N: usize>(&self, out: &mut [u32], terms: [(u32, &[u32]); N]) {
        slices::combine_32(&self.arithmetic, out, terms);
    }

    fn evaluate_slice(&self, values: &mut [u32], coefficients: &[u32], points: &[u32]) {
        slices::evaluate_32(&self.arithmetic, values, coefficients, points);
    }
}

impl TwoAdicField for Fp32 {
    fn two_adicity(&self) -> u32 {
        (self.prime() - 1).trailing_zeros()
    }

    fn root_of_unity(&self, log_n: u32) -> Option<u32> {
        self.modulus.root_of_unity(log_n).map(|root| root as u32)
    }

    fn least_non_residue(&self) -> u64 {
        self.modulus.least_non_residue()
    }

    fn order_factors(&self) -> Vec<(u64, u32)> {
        factor(self.modulus.get() - 1)
    }
}

/// Words that are no elements of any such field stay none.
fn narrow(word: u64) -> u32 {
    u32::try_from(word).unwrap_or(u32::MAX)
}

impl Rows for Fp32 {
    const WIDTH: usize = 1;

    fn rows(elements: &[u32]) -> Cow<'_, [u64]> {
        elements.iter().map(|&element| element.into()).collect()
    }

    fn from_rows(rows: Vec<u64>) -> Vec<u32> {
        rows.into_iter().map(narrow).collect()
    }

    fn into_rows(elements: Vec<u32>) -> Vec<u64> {
        elements.into_iter().map(u64::from).collect()
    }

    fn words(elements: &[u32]) -> WordRows<'_> {
        WordRows::Words32(elements)
    }

    fn of_words(words: WordRows<'_>) -> Option<&[u32]> {
        match words {
            WordRows::Words32(words) => Some(words),
            WordRows::Words64(_) => None,
        }
    }

    fn in_words(words: WordRowsMut<'_>) -> Option<&mut [u32]> {
        match words {
            WordRowsMut::Words32(words) => Some(words),
            WordRowsMut::Words64(_) => None,
        }
    }

    fn copy_rows(&self, rows: WordRows<'_>, elements: &mut [u32]) -> Result<(), usize> {
        let prime = self.prime();
        match rows {
            WordRows::Words32(rows) => copy_residues(rows, elements, move |x| x < prime, |x| x),
            WordRows::Words64(rows) => {
                copy_residues(rows, elements, move |x| x < u64::from(prime), |x| x as u32)
            }
        }
    }

    fn description(&self) -> String {
        "Fp32: one 32-bit word, primes below 2^31".to_owned()
    }

    fn from_row(row: &[u64]) -> u32 {
        row.first().map_or(0, |&word| narrow(word))
    }

    fn push_row(element: u32, rows: &mut Vec<u64>) {
        rows.push(element.into());
    }
}

lazy_operations!(Fp32, Lazy32, Prepared32, u32, "Fp32::new(1009)");
