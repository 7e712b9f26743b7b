//! Bases of primes for transforms, and mixed-radix (Garner) digits modulo them.
//!
//! With primes q_0 < q_1 < …, a value x below their product has unique digits v_j < q_j with
//! x = v_0 + q_0·(v_1 + q_1·(v_2 + …)). From residues r_j, digit j is found modulo q_j alone:
//! `v_j = ((r_j − v_0)/q_0 − v_1)/q_1 − …`, a chain of j subtractions and products by constants
//! (H. Garner, *The residue number system*, 1959; on GPUs: P. Emeliyanenko, *Efficient
//! multiplication of polynomials on graphics hardware*, 2009, §4.2). As the primes ascend, v_i is a
//! residue of every later prime as it stands. All digits are found for a vector of values at once.

use crate::problem::{CoefficientBound, CrtError};
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use sunzi_dft::Convolver;
use sunzi_field::lanes::{Lanes, LanesField, LanesTask};
use sunzi_field::primality::ntt_primes;
use sunzi_field::{Field, Fp50};
use sunzi_machine::InstructionSet;

/// Two-adicity of the primes: transforms of up to 2^32 points.
const TWO_ADICITY: u32 = 32;
/// Primes that a basis may have; there are many more.
const MAX_PRIMES: usize = 1024;

/// Primes below 2^50 with long transforms, ascending, and what mixed-radix digits modulo them need.
///
/// ```
/// use dashu_int::UBig;
/// use sunzi_crt::{CoefficientBound, CrtBasis};
///
/// let basis = CrtBasis::for_bound(&CoefficientBound::new(UBig::from(10u8).pow(40)))?;
/// assert_eq!(basis.len(), 3);
/// # Ok::<(), sunzi_crt::CrtError>(())
/// ```
#[derive(Debug)]
pub struct CrtBasis {
    convolvers: Vec<Convolver<Fp50>>,
    /// `inverses[j][i]`: the prepared multiplier 1/q_i modulo q_j, for i < j.
    inverses: Vec<Vec<[u64; 2]>>,
}

impl CrtBasis {
    /// Most coefficients of a product.
    pub const MAX_LEN: u64 = 1 << TWO_ADICITY;

    /// The basis of the `count` largest suitable primes; of one at least.
    ///
    /// # Errors
    /// [`CrtError::TooManyPrimes`].
    pub fn new(count: usize) -> Result<Self, CrtError> {
        Self::with_kernel(count, InstructionSet::detect())
    }

    /// The same, with the transforms of one kernel.
    ///
    /// # Errors
    /// [`CrtError::TooManyPrimes`].
    pub fn with_kernel(count: usize, kernel: InstructionSet) -> Result<Self, CrtError> {
        if count > MAX_PRIMES {
            return Err(CrtError::TooManyPrimes {
                asked: count,
                max: MAX_PRIMES,
            });
        }
        let mut primes: Vec<u64> = ntt_primes(Fp50::MAX_BITS, TWO_ADICITY)
            .take(count.max(1))
            .collect();
        primes.reverse();
        let fields: Vec<Fp50> = primes.iter().flat_map(|&q| Fp50::new(q)).collect();
        let inverses = fields
            .iter()
            .enumerate()
            .map(|(j, field)| {
                primes[..j]
                    .iter()
                    .map(|&q| {
                        let inverse = field.inv(q).unwrap_or_default();
                        field.dispatch(kernel, Prepare(inverse))
                    })
                    .collect()
            })
            .collect();
        let mut convolvers: Vec<Convolver<Fp50>> = Vec::with_capacity(count);
        for field in &fields {
            let convolver = match convolvers.first() {
                None => Convolver::with_kernel(field, kernel),
                Some(first) => first.sharing_memory(field),
            };
            convolvers.push(convolver);
        }
        Ok(Self {
            convolvers,
            inverses,
        })
    }

    /// The smallest basis that tells the values of `bound` apart.
    ///
    /// # Errors
    /// [`CrtError::TooManyPrimes`].
    pub fn for_bound(bound: &CoefficientBound) -> Result<Self, CrtError> {
        let values = bound.values();
        let mut product = UBig::ONE;
        let mut count = 0;
        for q in ntt_primes(Fp50::MAX_BITS, TWO_ADICITY) {
            if product >= values || count > MAX_PRIMES {
                break;
            }
            product *= q;
            count += 1;
        }
        Self::new(count)
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
    pub fn primes(&self) -> impl Iterator<Item = u64> {
        self.convolvers.iter().map(|c| c.field().prime())
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
    pub fn modulus(&self) -> UBig {
        self.primes().fold(UBig::ONE, |product, q| product * q)
    }

    /// Whether the basis tells the values of `bound` apart.
    ///
    /// # Errors
    /// [`CrtError::BasisTooSmall`] if it does not.
    pub fn check(&self, bound: &CoefficientBound) -> Result<(), CrtError> {
        let (modulus, values) = (self.modulus(), bound.values());
        if modulus < values {
            return Err(CrtError::BasisTooSmall {
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

    /// The prepared multipliers 1/q_i modulo q_j, for i < j.
    pub(crate) fn inverses(&self, j: usize) -> &[[u64; 2]] {
        &self.inverses[j]
    }

    /// Turns the products modulo the primes, at positions `from..to`, into mixed-radix digits, in
    /// place: `values[j]` then holds digit j of each value.
    pub(crate) fn digits(&self, scales: &[[u64; 2]], values: &mut [&mut [u64]]) {
        for (j, scale) in scales.iter().enumerate().take(values.len()) {
            let (digits, rest) = values.split_at_mut(j);
            let values = &mut *rest[0];
            let task = Digit {
                values,
                scale,
                digits,
                inverses: &self.inverses[j],
            };
            let convolver = &self.convolvers[j];
            convolver.field().dispatch(convolver.kernel(), task);
        }
    }
}

/// The table entry of a multiplier.
pub(crate) struct Prepare(pub(crate) u64);

impl LanesTask<u64> for Prepare {
    type Output = [u64; 2];

    #[inline(always)]
    fn run<L: Lanes<Word = u64>>(self, lanes: L) -> [u64; 2] {
        let mut entry = [0; 2];
        lanes.prepare(self.0, &mut entry[..L::TWIDDLE_WORDS]);
        entry
    }
}

/// One more digit of each value.
struct Digit<'a, 'b> {
    /// Residues in private form, times a constant; becomes digits.
    values: &'a mut [u64],
    /// Removes the constant.
    scale: &'a [u64; 2],
    digits: &'a [&'b mut [u64]],
    inverses: &'a [[u64; 2]],
}

impl LanesTask<u64> for Digit<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = u64>>(self, lanes: L) {
        let count = self.values.len();
        assert!(count.is_multiple_of(L::LANES));
        assert!(self.digits.iter().all(|digits| digits.len() >= count));
        let values = self.values.as_mut_ptr();
        let scale = lanes.twiddle(self.scale);
        // SAFETY: `count` is a multiple of L, so vectors end within `values` and, which are no shorter, the digits.
        unsafe {
            let Some((last, chain)) = self.inverses.split_last() else {
                for i in (0..count).step_by(L::LANES) {
                    let value = lanes.export(lanes.load(values.add(i)), scale);
                    lanes.store(values.add(i), value);
                }
                return;
            };
            let last_digits = self.digits[chain.len()].as_ptr();
            let last = lanes.twiddle(last);
            for i in (0..count).step_by(L::LANES) {
                let mut x = lanes.scale(lanes.load(values.add(i)), scale);
                for (digits, inverse) in self.digits.iter().zip(chain) {
                    let digit = lanes.import(lanes.load(digits.as_ptr().add(i)));
                    let inverse = lanes.twiddle(inverse);
                    x = lanes.scale(lanes.sub(x, digit), inverse);
                }
                let digit = lanes.import(lanes.load(last_digits.add(i)));
                lanes.store(values.add(i), lanes.export(lanes.sub(x, digit), last));
            }
        }
    }
}
