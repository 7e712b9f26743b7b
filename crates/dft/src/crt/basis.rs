//! Bases of primes for transforms.

use crate::Convolver;
use crate::problem::DftError;
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use sunzi_field::primality::ntt_primes;
use sunzi_field::{Fp50, LongInteger};
use sunzi_machine::InstructionSet;
use sunzi_rns::{CoefficientBound, MixedRadix, enough};

/// Two-adicity of the primes: transforms of up to 2^32 points.
const TWO_ADICITY: u32 = 32;
/// Primes that a basis may have; there are many more.
const MAX_PRIMES: usize = 1024;

/// The primes that bases are taken from, the largest first.
fn candidates() -> impl Iterator<Item = u64> {
    ntt_primes(Fp50::MAX_BITS, TWO_ADICITY)
}

/// Primes below 2^50 with long transforms, ascending, and what mixed-radix digits modulo them need.
///
/// ```
/// use sunzi::Natural;
/// use sunzi_dft::crt::CrtBasis;
/// use sunzi_rns::CoefficientBound;
///
/// let basis = CrtBasis::for_bound(&CoefficientBound::new(&Natural::from(10u8).pow(40)))?;
/// assert_eq!(basis.len(), 3);
/// # Ok::<(), sunzi::transform::DftError>(())
/// ```
#[derive(Debug)]
pub struct CrtBasis {
    primes: Vec<u64>,
    convolvers: Vec<Convolver<Fp50>>,
    radix: MixedRadix<Fp50>,
}

impl CrtBasis {
    /// Most coefficients of a product.
    pub const MAX_LEN: u64 = 1 << TWO_ADICITY;

    /// The basis of the `count` largest suitable primes; of one at least.
    ///
    /// # Errors
    /// [`DftError::TooManyPrimes`].
    pub fn new(count: usize) -> Result<Self, DftError> {
        Self::with_kernel(count, InstructionSet::detect())
    }

    /// The same, with the transforms of one kernel.
    ///
    /// # Errors
    /// [`DftError::TooManyPrimes`].
    pub fn with_kernel(count: usize, kernel: InstructionSet) -> Result<Self, DftError> {
        if count > MAX_PRIMES {
            return Err(too_many(count));
        }
        let mut primes: Vec<u64> = candidates().take(count.max(1)).collect();
        primes.sort_unstable();
        Ok(Self::of(primes, kernel))
    }

    fn of(primes: Vec<u64>, kernel: InstructionSet) -> Self {
        let fields: Vec<Fp50> = primes.iter().flat_map(|&q| Fp50::new(q)).collect();
        let mut convolvers: Vec<Convolver<Fp50>> = Vec::with_capacity(fields.len());
        for field in &fields {
            let convolver = match convolvers.first() {
                None => Convolver::with_kernel(field, kernel),
                Some(first) => first.sharing_memory(field),
            };
            convolvers.push(convolver);
        }
        Self {
            primes,
            convolvers,
            radix: MixedRadix::with_kernel(fields, kernel),
        }
    }

    /// The smallest basis that tells the values of `bound` apart.
    ///
    /// # Errors
    /// [`DftError::TooManyPrimes`].
    pub fn for_bound(bound: &CoefficientBound) -> Result<Self, DftError> {
        let primes = enough(candidates(), bound, MAX_PRIMES);
        let primes = primes.ok_or_else(|| too_many(MAX_PRIMES + 1))?;
        Ok(Self::of(primes, InstructionSet::detect()))
    }

    /// Primes of the basis.
    #[must_use]
    pub fn len(&self) -> usize {
        self.convolvers.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.convolvers.is_empty()
    }

    /// The primes, ascending.
    pub fn primes(&self) -> &[u64] {
        &self.primes
    }

    /// The kernel of its transforms.
    #[must_use]
    pub fn kernel(&self) -> InstructionSet {
        self.convolvers
            .first()
            .map_or(InstructionSet::Portable, Convolver::kernel)
    }

    /// The product of the primes.
    #[must_use]
    pub fn modulus<N: LongInteger>(&self) -> N {
        self.radix.modulus()
    }

    /// Whether the basis tells the values of `bound` apart.
    ///
    /// # Errors
    /// [`DftError::BasisTooSmall`] if it does not.
    pub fn check(&self, bound: &CoefficientBound) -> Result<(), DftError> {
        let (modulus, values): (UBig, UBig) = (self.modulus(), bound.values());
        if modulus < values {
            return Err(DftError::BasisTooSmall {
                primes: self.len(),
                basis_bits: modulus.bit_len(),
                needed_bits: values.bit_len(),
            });
        }
        Ok(())
    }

    /// The convolvers, one a prime.
    pub(crate) fn convolvers(&self) -> &[Convolver<Fp50>] {
        &self.convolvers
    }

    /// Turns the products modulo the primes, at positions `from..to`, into mixed-radix digits, in
    /// place: `values[j]` then holds digit j of each value.
    pub(crate) fn digits(&self, scales: &[[u64; 2]], values: &mut [&mut [u64]]) {
        for (j, scale) in scales.iter().enumerate().take(values.len()) {
            let (digits, rest) = values.split_at_mut(j);
            self.radix.next_digit(digits, &mut *rest[0], Some(scale));
        }
    }

    /// Digits modulo the primes.
    pub(crate) fn radix(&self) -> &MixedRadix<Fp50> {
        &self.radix
    }
}

fn too_many(asked: usize) -> DftError {
    DftError::TooManyPrimes {
        asked,
        max: MAX_PRIMES,
    }
}
