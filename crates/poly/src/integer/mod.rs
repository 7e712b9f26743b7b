//! Products of polynomials over the integers.

mod crt;
mod pack;
mod plain;
mod plan;

use std::sync::OnceLock;

use dashu_int::IBig;
use rayon::prelude::*;
use sunzi_crt::SignedConvolver;
use sunzi_field::memory;
use sunzi_integer::Multiplier;

use crate::bits::{WORD, bit_length};
use crate::plan::{Algorithm, Reason};
use crate::{Poly, PolyError};
use pack::{pack, sign_of_last, unpack};
pub use plan::IntegerPlan;
use plan::Sizes;

/// Coefficients of the shorter operand from which packing the operands into integers wins over
/// plain products of word-size coefficients.
const KRONECKER_FROM: usize = 32;

/// Coefficients of the shorter operand from which transforms over three primes win over packing,
/// for word-size coefficients.
const CRT_FROM: usize = 128;

/// What [`Algorithm::CrtNtt`] cannot do.
const CRT_LIMITS: &str = "its coefficients must be below 2^64, with at most 2^20 terms in a sum";

/// Limbs of a packed operand from which the operands are packed on different threads.
const PARALLEL_PACKING: usize = 1 << 15;

/// The ring of polynomials over Z: a context that multiplies, and keeps what its products
/// precompute. It may be shared between threads.
///
/// ```
/// use dashu_int::IBig;
/// use sunzi_poly::{IntegerPolyRing, Poly};
///
/// let ring = IntegerPolyRing::new();
/// let f = Poly::new(vec![IBig::from(-1), IBig::from(2)]);
/// let square = ring.mul(&f, &f); // (2x − 1)² = 4x² − 4x + 1
/// assert_eq!(square.coefficients(), [1, -4, 4].map(IBig::from));
/// ```
#[derive(Debug, Default)]
pub struct IntegerPolyRing {
    multiplier: Multiplier,
    /// Transforms over three primes, made when first needed; an error in making them means that
    /// they are not available.
    convolver: OnceLock<Option<SignedConvolver>>,
}

impl IntegerPolyRing {
    /// The ring. Nothing is precomputed before a product needs it.
    pub fn new() -> Self {
        Self::default()
    }

    /// `a · b`.
    ///
    /// # Panics
    /// If the memory for it cannot be had; [`Self::try_mul`] returns an error instead.
    pub fn mul(&self, a: &Poly<IBig>, b: &Poly<IBig>) -> Poly<IBig> {
        match self.try_mul(a, b) {
            Ok(product) => product,
            Err(error) => panic!("{error}"),
        }
    }

    /// `a · b`. About as fast as the product of integers of len·(bits_a + bits_b) bits each.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if the machine has not the memory, before anything starts.
    pub fn try_mul(&self, a: &Poly<IBig>, b: &Poly<IBig>) -> Result<Poly<IBig>, PolyError> {
        self.run(&self.plan(a, b), a, b)
    }

    /// `a²`.
    ///
    /// # Panics
    /// If the memory for it cannot be had.
    pub fn sqr(&self, a: &Poly<IBig>) -> Poly<IBig> {
        self.mul(a, a)
    }

    /// `a · b` by the named algorithm.
    ///
    /// # Errors
    /// [`PolyError::Unavailable`] if that algorithm cannot do it, [`PolyError::OutOfMemory`].
    pub fn mul_with(
        &self,
        algorithm: Algorithm,
        a: &Poly<IBig>,
        b: &Poly<IBig>,
    ) -> Result<Poly<IBig>, PolyError> {
        let plan = self.plan_with(algorithm, a, b)?;
        self.run(&plan, a, b)
    }

    /// The products of many pairs, in order, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    ///
    /// ```
    /// use dashu_int::IBig;
    /// use sunzi_poly::{IntegerPolyRing, Poly};
    ///
    /// let ring = IntegerPolyRing::new();
    /// let x = Poly::new(vec![IBig::ZERO, IBig::ONE]);
    /// let pairs = vec![(x.clone(), x.clone()), (x.clone(), Poly::zero())];
    /// let products = ring.mul_batch(&pairs)?;
    /// assert_eq!(products[0].degree(), Some(2));
    /// assert!(products[1].is_zero());
    /// # Ok::<(), sunzi_poly::PolyError>(())
    /// ```
    pub fn mul_batch(
        &self,
        pairs: &[(Poly<IBig>, Poly<IBig>)],
    ) -> Result<Vec<Poly<IBig>>, PolyError> {
        let work = |(a, b): &(Poly<IBig>, Poly<IBig>)| self.try_mul(a, b);
        if pairs.len() > 1 && rayon::current_num_threads() > 1 {
            pairs.par_iter().map(work).collect()
        } else {
            pairs.iter().map(work).collect()
        }
    }

    /// What the product of these operands will run, and why.
    pub fn plan(&self, a: &Poly<IBig>, b: &Poly<IBig>) -> IntegerPlan {
        let sizes = sizes(a, b);
        let threshold = KRONECKER_FROM;
        let short = sizes.len_a.min(sizes.len_b);
        let (algorithm, reason) = if short == 0 {
            (Algorithm::Plain, Reason::NoTerms)
        } else if !fits_words(sizes) {
            (Algorithm::Kronecker, Reason::OnlyOne)
        } else if short >= CRT_FROM && self.crt_fits(sizes) {
            let threshold = CRT_FROM;
            (Algorithm::CrtNtt, Reason::From { threshold })
        } else if short < threshold {
            (Algorithm::Plain, Reason::Below { threshold })
        } else {
            (Algorithm::Kronecker, Reason::From { threshold })
        };
        sizes.plan(algorithm, reason)
    }

    /// The plan that runs the named algorithm.
    ///
    /// # Errors
    /// [`PolyError::Unavailable`] if it cannot do this product.
    pub fn plan_with(
        &self,
        algorithm: Algorithm,
        a: &Poly<IBig>,
        b: &Poly<IBig>,
    ) -> Result<IntegerPlan, PolyError> {
        let sizes = sizes(a, b);
        let problem = match algorithm {
            Algorithm::Plain if fits_words(sizes) => None,
            Algorithm::Plain => Some("its coefficients must be below 2^64"),
            Algorithm::Kronecker => None,
            Algorithm::CrtNtt if fits_words(sizes) && self.crt_fits(sizes) => None,
            Algorithm::CrtNtt => Some(CRT_LIMITS),
            _ => Some("it needs a field"),
        };
        match problem {
            None => Ok(sizes.plan(algorithm, Reason::Asked)),
            Some(reason) => Err(PolyError::Unavailable {
                algorithm,
                len_a: a.len(),
                len_b: b.len(),
                reason,
            }),
        }
    }

    fn convolver(&self) -> Option<&SignedConvolver> {
        self.convolver
            .get_or_init(|| SignedConvolver::new().ok())
            .as_ref()
    }

    /// Whether three primes hold the product of operands of word-size coefficients.
    fn crt_fits(&self, sizes: Sizes) -> bool {
        let terms = sizes.len_a.min(sizes.len_b);
        (sizes.len_a.saturating_add(sizes.len_b) as u64) <= 1 << 32
            && self
                .convolver()
                .is_some_and(|convolver| terms <= convolver.max_terms())
    }

    fn run(
        &self,
        plan: &IntegerPlan,
        a: &Poly<IBig>,
        b: &Poly<IBig>,
    ) -> Result<Poly<IBig>, PolyError> {
        if a.is_zero() || b.is_zero() {
            return Ok(Poly::zero());
        }
        memory::require(plan.bytes)?;
        let (a, b) = (a.coefficients(), b.coefficients());
        Ok(Poly::new(match (plan.algorithm, self.convolver.get()) {
            (Algorithm::Plain, _) => plain::multiply(a, b),
            (Algorithm::CrtNtt, Some(Some(convolver))) => {
                crt::multiply(convolver, a, b).ok_or(PolyError::Unavailable {
                    algorithm: plan.algorithm,
                    len_a: plan.len_a,
                    len_b: plan.len_b,
                    reason: CRT_LIMITS,
                })?
            }
            _ => self.kronecker(a, b, plan.product_bits),
        }))
    }

    fn kronecker(&self, a: &[IBig], b: &[IBig], width: usize) -> Vec<IBig> {
        let negative = sign_of_last(a) != sign_of_last(b);
        let product = if std::ptr::eq(a, b) {
            let packed = pack(a, width);
            let mut product = vec![0; 2 * packed.len()];
            self.multiplier.sqr(&mut product, &packed);
            product
        } else {
            let limbs = (a.len().max(b.len()) * width).div_ceil(WORD);
            let (packed_a, packed_b) = match limbs >= PARALLEL_PACKING {
                true => rayon::join(|| pack(a, width), || pack(b, width)),
                false => (pack(a, width), pack(b, width)),
            };
            let mut product = vec![0; packed_a.len() + packed_b.len()];
            self.multiplier.mul(&mut product, &packed_a, &packed_b);
            product
        };
        unpack(&product, width, a.len() + b.len() - 1, negative)
    }
}

fn fits_words(sizes: Sizes) -> bool {
    sizes.bits_a <= WORD && sizes.bits_b <= WORD
}

fn sizes(a: &Poly<IBig>, b: &Poly<IBig>) -> Sizes {
    Sizes {
        len_a: a.len(),
        len_b: b.len(),
        bits_a: widest(a.coefficients()),
        bits_b: widest(b.coefficients()),
    }
}

/// The bits of the widest coefficient.
fn widest(coefficients: &[IBig]) -> usize {
    // All words of the widest but its top one, and the bits of the greatest top word as wide.
    let (mut words, mut top) = (0, 0);
    for coefficient in coefficients {
        let (_, magnitude) = coefficient.as_sign_words();
        if magnitude.len() > words {
            (words, top) = (magnitude.len(), 0);
        }
        if magnitude.len() == words {
            top |= magnitude.last().copied().unwrap_or(0);
        }
    }
    words.saturating_sub(1) * WORD + bit_length(top)
}
