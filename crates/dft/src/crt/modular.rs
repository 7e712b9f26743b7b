//! Products of polynomials modulo any word, by transforms over several primes.

use crate::crt::basis::CrtBasis;
use crate::crt::plan::{ProductPlan, Segmentation};
use crate::crt::product::ResidueProduct;
use crate::crt::project::Coefficients;
use crate::problem::DftError;
use dashu_int::UBig;
use std::sync::OnceLock;
use sunzi_field::WordModulus;
use sunzi_machine::simd::{Simd, SimdTask};
use sunzi_machine::{InstructionSet, arrays};
use sunzi_rns::CoefficientBound;

/// Multiplies polynomials with coefficients modulo any m from 1 to 2^64 − 1, prime or not.
///
/// Products are computed over the integers, modulo as many primes as their size asks for, and
/// reduced at the end; the modulus itself needs no roots of unity.
///
/// ```
/// use sunzi_dft::crt::ModularConvolver;
///
/// let convolver = ModularConvolver::new(1_000_000_007)?;
/// let mut product = [0u64; 3];
/// convolver.convolve(&mut product, &[1_000_000_006, 1], &[1_000_000_006, 2])?;
/// assert_eq!(product, [1, 1_000_000_004, 2]);
/// # Ok::<(), sunzi::transform::DftError>(())
/// ```
#[derive(Debug)]
pub struct ModularConvolver {
    modulus: u64,
    kernel: InstructionSet,
    /// One basis a number of primes, made when first needed.
    bases: [OnceLock<CrtBasis>; 4],
}

impl ModularConvolver {
    /// A convolver modulo `modulus`.
    ///
    /// # Errors
    /// [`DftError::ZeroModulus`].
    pub fn new(modulus: u64) -> Result<Self, DftError> {
        Self::with_kernel(modulus, InstructionSet::detect())
    }

    /// The same with the transforms of one kernel.
    ///
    /// # Errors
    /// [`DftError::ZeroModulus`].
    pub fn with_kernel(modulus: u64, kernel: InstructionSet) -> Result<Self, DftError> {
        if modulus == 0 {
            return Err(DftError::ZeroModulus);
        }
        Ok(Self {
            modulus,
            kernel,
            bases: Default::default(),
        })
    }

    /// Primes that products with `terms` terms a coefficient need: 1 to 4.
    #[must_use]
    pub fn primes(&self, terms: usize) -> usize {
        // Every prime exceeds 2^49.9, so that k of them tell 2^⌊49.9k⌋ values apart.
        let largest = u128::from(self.modulus - 1);
        let bits = 2 * (u128::BITS - largest.leading_zeros()) + (terms.max(1)).ilog2() + 1;
        (bits as usize * 10).div_ceil(499).clamp(1, 4)
    }

    pub(crate) fn basis(&self, terms: usize) -> Result<&CrtBasis, DftError> {
        let count = self.primes(terms);
        let slot = &self.bases[count - 1];
        if let Some(basis) = slot.get() {
            return Ok(basis);
        }
        let basis = CrtBasis::with_kernel(count, self.kernel)?;
        let largest = UBig::from(self.modulus - 1);
        basis.check(&CoefficientBound::product(&largest, &largest, terms))?;
        Ok(slot.get_or_init(|| basis))
    }

    /// The plan of a product of operands of these lengths.
    ///
    /// ```
    /// let convolver = sunzi_dft::crt::ModularConvolver::new(97)?;
    /// assert!(convolver.plan(1000, 1000).bytes() < 100_000);
    /// # Ok::<(), sunzi::transform::DftError>(())
    /// ```
    #[must_use]
    pub fn plan(&self, len_a: usize, len_b: usize) -> ProductPlan {
        let len = len_a.saturating_add(len_b);
        ProductPlan::new(self.primes(len_a.min(len_b)), len)
    }

    /// The product of `a` and `b`, whose coefficients must lie in `[0, m)`, as those of the product
    /// do. With others the product is unspecified: the number of primes follows from m.
    ///
    /// # Errors
    /// [`DftError::Shape`] unless `out.len() == a.len() + b.len() − 1`; [`DftError::TooLong`] if that is above 2^32.
    pub fn convolve(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), DftError> {
        self.run(out, a, b, std::ptr::eq(a, b), |value| value)
    }

    /// The same for a modulus of at most 2^32, whose residues fit 32 bits.
    ///
    /// # Errors
    /// [`DftError::ModulusTooLarge`] for a larger one; else as [`ModularConvolver::convolve`].
    pub fn convolve_short(&self, out: &mut [u32], a: &[u32], b: &[u32]) -> Result<(), DftError> {
        self.check_short()?;
        self.run(out, a, b, std::ptr::eq(a, b), |value| value as u32)
    }

    /// An error unless residues fit 32 bits.
    pub(crate) fn check_short(&self) -> Result<(), DftError> {
        match u32::try_from(self.modulus - 1) {
            Ok(_) => Ok(()),
            Err(_) => Err(DftError::ModulusTooLarge {
                modulus: self.modulus,
            }),
        }
    }

    fn run<C: Coefficients + ?Sized, T: Copy + Send + Default>(
        &self,
        out: &mut [T],
        a: &C,
        b: &C,
        square: bool,
        narrow: impl Fn(u64) -> T + Sync,
    ) -> Result<(), DftError> {
        let expected = if a.is_empty() || b.is_empty() {
            0
        } else {
            a.len() + b.len() - 1
        };
        if out.len() != expected {
            let found = out.len();
            return Err(DftError::Shape { expected, found });
        }
        if expected == 0 {
            return Ok(());
        }
        let basis = self.basis(a.len().min(b.len()))?;
        let product = basis.multiply(a, (!square).then_some(b))?;
        self.reduce(basis, product, out, narrow);
        Ok(())
    }

    /// The residues of a product modulo m, from those modulo the primes of its basis.
    pub(crate) fn reduce<T: Send>(
        &self,
        basis: &CrtBasis,
        product: ResidueProduct<'_>,
        out: &mut [T],
        narrow: impl Fn(u64) -> T + Sync,
    ) {
        let ring = WordModulus::new(self.modulus);
        // x mod m = v_0 + (q_0 mod m)·v_1 + (q_0·q_1 mod m)·v_2 + …
        let mut weights = [0u64; 4];
        let mut weight = ring.reduce(1);
        for (slot, &q) in weights.iter_mut().zip(basis.primes()) {
            *slot = weight;
            weight = ring.mul(weight, ring.reduce(q));
        }
        let cut = Segmentation::for_threads(product.len());
        let items = cut.segment();
        product.digits(out, cut, items, |(): &mut (), out, from, digits| {
            let (out, narrow) = (&mut out[from..from + digits[0].len()], &narrow);
            let (ring, weights) = (&ring, &weights);
            basis.kernel().run_or_portable(Reduce {
                ring,
                weights,
                digits,
                out,
                narrow,
            });
        });
    }
}

/// Residues modulo a word from mixed-radix digits: a task, so that words are multiplied by what instructions there are.
struct Reduce<'a, T, N> {
    ring: &'a WordModulus,
    weights: &'a [u64; 4],
    digits: &'a [&'a [u64]],
    out: &'a mut [T],
    narrow: &'a N,
}

impl<S: Simd, T, N: Fn(u64) -> T> SimdTask<S> for Reduce<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: S) {
        match self.digits.len() {
            1 => self.of::<1>(),
            2 => self.of::<2>(),
            3 => self.of::<3>(),
            _ => self.of::<4>(),
        }
    }
}

impl<T, N: Fn(u64) -> T> Reduce<'_, T, N> {
    /// Of as many digits: a constant, so that the loop over them is unrolled.
    #[inline(always)]
    fn of<const K: usize>(self) {
        let rows: [&[u64]; K] = arrays::from_fn(
            #[inline(always)]
            |j| &self.digits[j][..self.out.len()],
        );
        for (i, out) in self.out.iter_mut().enumerate() {
            // Up to four products of a word and a digit below 2^50 stay below m·2^64, as
            // reduction asks: m·2^50·4 for the products, of which the first has weight 1.
            let mut sum = u128::from(rows[0][i]);
            for (row, &weight) in rows.iter().zip(self.weights).skip(1) {
                sum += u128::from(weight) * u128::from(row[i]);
            }
            *out = (self.narrow)(self.ring.reduce_wide(sum));
        }
    }
}
