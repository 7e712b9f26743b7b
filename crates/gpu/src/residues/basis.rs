//! The primes that values are computed by, and what kernels are told of them.

use sunzi_device::GpuError;
use sunzi_field::WordModulus;
use sunzi_field::primality::{is_prime, ntt_primes};
use sunzi_rns::{CoefficientBound, enough};

/// Products modulo run-time primes.
pub(super) const MONTGOMERY: &str = include_str!("montgomery32.cl");

/// Bits of the primes.
const BITS: u32 = 31;
/// Primes of a basis: a thread keeps as many digits when values are put together.
const MOST_PRIMES: usize = 256;
/// Two-adicities that bases are taken from: the first that suffices and has primes enough. Few of them, so that
/// transforms of many sizes share their primes.
const TWO_ADICITIES: [u32; 7] = [20, 16, 22, 24, 25, 26, 27];

/// Ascending primes below 2^31 with transforms of 2^n points.
///
/// ```
/// use sunzi_gpu::internals::ResidueBasis;
///
/// let basis = ResidueBasis::new(82, 18)?;
/// assert_eq!(basis.primes().len(), 3);
/// assert!(ResidueBasis::new(82, 28).is_err());
/// # Ok::<(), sunzi::gpu::GpuError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResidueBasis {
    primes: Vec<u64>,
}

impl ResidueBasis {
    /// The largest primes with transforms of 2^`log_points` points, as many as it takes for their product to be
    /// 2^`bits` at least; one at least.
    ///
    /// # Errors
    /// [`GpuError::TooFewPrimes`] if there are not enough, or it takes more than 256: 2^27 points are the most, and few
    /// primes have long transforms.
    pub fn new(bits: u64, log_points: u32) -> Result<Self, GpuError> {
        let adicities = TWO_ADICITIES
            .iter()
            .filter(|&&adicity| adicity >= log_points);
        adicities
            .filter_map(|&adicity| Self::of_adicity(bits, adicity))
            .next()
            .ok_or(GpuError::TooFewPrimes { bits, log_points })
    }

    /// One prime below 2^31 alone.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if it is not an odd prime below 2^31.
    pub fn of_prime(prime: u32) -> Result<Self, GpuError> {
        if prime >> BITS != 0 || prime == 2 || !is_prime(prime.into()) {
            return Err(GpuError::Shape(format!(
                "{prime} is no odd prime below 2^{BITS}"
            )));
        }
        Ok(Self {
            primes: vec![prime.into()],
        })
    }

    fn of_adicity(bits: u64, adicity: u32) -> Option<Self> {
        // More than all primes of a basis have are not even counted.
        let bits = usize::try_from(bits)
            .ok()
            .filter(|&bits| bits <= MOST_PRIMES * BITS as usize)?;
        let bound = CoefficientBound::of_bits(bits);
        let primes = enough(ntt_primes(BITS, adicity), &bound, MOST_PRIMES)?;
        Some(Self { primes })
    }

    /// The primes, ascending.
    pub fn primes(&self) -> &[u64] {
        &self.primes
    }

    /// How many primes.
    pub fn len(&self) -> usize {
        self.primes.len()
    }

    /// Never: there is one prime at least.
    pub fn is_empty(&self) -> bool {
        self.primes.is_empty()
    }
}

/// x·2^32 mod p.
pub(super) fn montgomery_form(x: u64, p: u64) -> u32 {
    let modulus = WordModulus::new(p);
    modulus.mul(modulus.reduce(x), modulus.reduce(1 << 32)) as u32
}
