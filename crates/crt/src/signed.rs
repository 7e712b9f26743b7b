//! Products of polynomials with word-size integer coefficients of both signs.

use crate::product::segment_len;
use crate::project::SignedWords;
use crate::{CoefficientBound, CrtBasis, CrtError};
use dashu_int::UBig;
use sunzi_field::lanes::Kernel;

/// A coefficient of a product: its sign and its absolute value in limbs, least significant first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignedLimbs {
    /// Whether it is below zero.
    pub negative: bool,
    /// Its absolute value.
    pub magnitude: [u64; 3],
}

/// Multiplies polynomials whose coefficients are below 2^64 in absolute value, by transforms
/// modulo three primes.
///
/// ```
/// use sunzi_crt::SignedConvolver;
///
/// let convolver = SignedConvolver::new()?;
/// let product = convolver.convolve(&[1, -2], &[3, 5])?;
/// assert_eq!(product[1].magnitude, [1, 0, 0]);
/// assert!(product[1].negative); // 5 − 6
/// # Ok::<(), sunzi_crt::CrtError>(())
/// ```
#[derive(Debug)]
pub struct SignedConvolver {
    basis: CrtBasis,
    primes: [u64; 3],
    /// Half the modulus, rounded down: what exceeds it stands for a negative value.
    half: [u64; 3],
    modulus: [u64; 3],
}

impl SignedConvolver {
    /// A convolver with the fastest kernel of this processor.
    ///
    /// # Errors
    /// None that can happen; the basis' type says so.
    pub fn new() -> Result<Self, CrtError> {
        Self::with_kernel(Kernel::detect())
    }

    /// The same with the transforms of one kernel.
    ///
    /// # Errors
    /// As [`SignedConvolver::new`].
    pub fn with_kernel(kernel: Kernel) -> Result<Self, CrtError> {
        let basis = CrtBasis::with_kernel(3, kernel)?;
        let mut primes = [0; 3];
        for (slot, q) in primes.iter_mut().zip(basis.primes()) {
            *slot = q;
        }
        let limbs = |value: &UBig| {
            let mut limbs = [0; 3];
            for (slot, &limb) in limbs.iter_mut().zip(value.as_words()) {
                *slot = limb;
            }
            limbs
        };
        let modulus = basis.modulus();
        Ok(Self {
            primes,
            half: limbs(&(&modulus >> 1)),
            modulus: limbs(&modulus),
            basis,
        })
    }

    /// The most terms that a coefficient of a product may have: about 2^20.9.
    #[must_use]
    pub fn max_terms(&self) -> usize {
        let square = UBig::from(u64::MAX) * UBig::from(u64::MAX) * UBig::from(2u8);
        ((self.basis.modulus() - UBig::ONE) / square)
            .try_into()
            .unwrap_or(usize::MAX)
    }

    /// The product of `a` and `b`, of `a.len() + b.len() − 1` coefficients, or none where an
    /// operand is empty.
    ///
    /// # Errors
    /// [`CrtError::OutOfRange`] if a coefficient is 2^64 or more in absolute value;
    /// [`CrtError::BasisTooSmall`] if the shorter operand is longer than
    /// [`SignedConvolver::max_terms`].
    pub fn convolve(&self, a: &[i128], b: &[i128]) -> Result<Vec<SignedLimbs>, CrtError> {
        if a.is_empty() || b.is_empty() {
            return Ok(vec![]);
        }
        let too_large = |&x: &i128| x.unsigned_abs() >> 64 != 0;
        if let Some(index) = a
            .iter()
            .position(too_large)
            .or(b.iter().position(too_large))
        {
            return Err(CrtError::OutOfRange { index });
        }
        let largest = UBig::from(u64::MAX);
        let terms = a.len().min(b.len());
        self.basis
            .check(&CoefficientBound::product(&largest, &largest, terms).signed())?;
        let mut out = vec![SignedLimbs::default(); a.len() + b.len() - 1];
        let second = SignedWords(b);
        let product = self.basis.multiply(&SignedWords(a), Some(&second))?;
        let segment = segment_len(out.len());
        product.digits(
            &mut out,
            segment,
            segment,
            |(): &mut (), out, from, digits| {
                for (i, out) in out[from..from + digits[0].len()].iter_mut().enumerate() {
                    let value = self.compose([digits[0][i], digits[1][i], digits[2][i]]);
                    *out = self.balance(value);
                }
            },
        );
        Ok(out)
    }

    fn compose(&self, digits: [u64; 3]) -> [u64; 3] {
        compose(digits, [self.primes[0], self.primes[1]])
    }

    fn balance(&self, value: [u64; 3]) -> SignedLimbs {
        if value.iter().rev().le(self.half.iter().rev()) {
            return SignedLimbs {
                negative: false,
                magnitude: value,
            };
        }
        let mut borrow = false;
        let mut magnitude = [0; 3];
        for (i, slot) in magnitude.iter_mut().enumerate() {
            let (difference, first) = self.modulus[i].overflowing_sub(value[i]);
            let (difference, second) = difference.overflowing_sub(borrow.into());
            (*slot, borrow) = (difference, first || second);
        }
        SignedLimbs {
            negative: true,
            magnitude,
        }
    }
}

/// `v_0 + q_0·(v_1 + q_1·v_2)` for three digits below 2^50.
#[inline(always)]
#[must_use]
pub fn compose(digits: [u64; 3], primes: [u64; 2]) -> [u64; 3] {
    let inner = u128::from(primes[1]) * u128::from(digits[2]) + u128::from(digits[1]);
    let low = u128::from(primes[0]) * u128::from(inner as u64) + u128::from(digits[0]);
    let high = u128::from(primes[0]) * (inner >> 64) + (low >> 64);
    [low as u64, high as u64, (high >> 64) as u64]
}
