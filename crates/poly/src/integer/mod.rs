//! Polynomials over the integers: products and division; GCDs and resultants are in `modular`.

mod compose;
mod crt;
mod division;
pub(crate) mod flat;
mod linear;
pub(crate) mod modular;
pub(crate) mod pack;
pub(crate) mod plan;
mod schoolbook;

use std::sync::OnceLock;
use sunzi_integer::{Integer, Multiplier};
use sunzi_machine::{memory::Budget, threads::Threads};

use crate::bits::WORD;
use crate::error::PolyError;
use crate::plan::{Algorithm, Reason};
use crate::poly::Poly;
use crate::thresholds::IntegerThresholds;
pub use flat::FlatPoly;
use pack::{is_negative, pack, unpack};
pub use plan::IntegerPlan;
use plan::Sizes;

/// What [`Algorithm::CrtNtt`] asks for.
const CRT_LIMITS: &str =
    "its coefficients must be below 2^64, and the product may have 2^32 of them";

/// Limbs of a packed operand from which the operands are packed on different threads.
const PARALLEL_PACKING: usize = 1 << 15;

/// The ring of polynomials over Z: a context that multiplies, and keeps what its products
/// precompute. It may be shared between threads.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::{IntegerPolyRing, Poly};
///
/// let ring = IntegerPolyRing::new();
/// let f = Poly::new(vec![Integer::from(-1), Integer::from(2)]);
/// let square = ring.mul(&f, &f); // (2x − 1)² = 4x² − 4x + 1
/// assert_eq!(square.coefficients(), [1, -4, 4].map(Integer::from));
/// ```
#[derive(Debug, Default)]
pub struct IntegerPolyRing {
    multiplier: Multiplier,
    thresholds: IntegerThresholds,
    /// Primes for transforms.
    bases: crt::Bases,
}

impl IntegerPolyRing {
    /// The ring. Nothing is precomputed before a product needs it.
    pub fn new() -> Self {
        Self::default()
    }

    /// The one that operators compute with, which keeps what was precomputed for all of them.
    ///
    /// ```
    /// use sunzi::poly::IntegerPolyRing;
    ///
    /// let f = "x^3 - 2*x + 5".parse()?;
    /// assert_eq!(IntegerPolyRing::shared().derivative(&f).to_string(), "3*x^2 - 2");
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<IntegerPolyRing> = OnceLock::new();
        SHARED.get_or_init(Self::new)
    }

    /// The same with other lengths from which ways to multiply win: products do not change, only their times.
    #[must_use]
    pub fn with_thresholds(self, thresholds: IntegerThresholds) -> Self {
        Self { thresholds, ..self }
    }

    /// The same with what multiplies packed operands.
    ///
    /// ```
    /// use sunzi::integer::{Multiplier, Thresholds};
    /// use sunzi::poly::IntegerPolyRing;
    ///
    /// let early = Thresholds { karatsuba: 9, ..Multiplier::new().thresholds() };
    /// let ring = IntegerPolyRing::new().with_multiplier(Multiplier::new().with_thresholds(early));
    /// ```
    #[must_use]
    pub fn with_multiplier(self, multiplier: Multiplier) -> Self {
        Self { multiplier, ..self }
    }

    /// The lengths from which its ways to multiply win.
    pub const fn thresholds(&self) -> IntegerThresholds {
        self.thresholds
    }

    /// `a · b`.
    ///
    /// # Panics
    /// If there is too little memory; [`Self::try_mul`] returns an error instead.
    pub fn mul(&self, a: &Poly<Integer>, b: &Poly<Integer>) -> Poly<Integer> {
        match self.try_mul(a, b) {
            Ok(product) => product,
            Err(error) => panic!("{error}"),
        }
    }

    /// `a · b`. About as fast as the product of integers of len·(bits_a + bits_b) bits each.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory, before anything starts.
    pub fn try_mul(
        &self,
        a: &Poly<Integer>,
        b: &Poly<Integer>,
    ) -> Result<Poly<Integer>, PolyError> {
        self.run(&self.plan(a, b), a, b)
    }

    /// `a²`.
    ///
    /// # Panics
    /// If there is too little memory; [`Self::try_mul`] returns an error instead.
    pub fn sqr(&self, a: &Poly<Integer>) -> Poly<Integer> {
        self.mul(a, a)
    }

    /// `a · b` by the named algorithm.
    ///
    /// # Errors
    /// [`PolyError::Unavailable`] if that algorithm cannot do it, [`PolyError::OutOfMemory`].
    pub fn mul_with(
        &self,
        algorithm: Algorithm,
        a: &Poly<Integer>,
        b: &Poly<Integer>,
    ) -> Result<Poly<Integer>, PolyError> {
        let plan = self.plan_with(algorithm, a, b)?;
        self.run(&plan, a, b)
    }

    /// The products of many pairs, in order, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let ring = IntegerPolyRing::new();
    /// let x = Poly::new(vec![Integer::ZERO, Integer::ONE]);
    /// let pairs = vec![(x.clone(), x.clone()), (x.clone(), Poly::zero())];
    /// let products = ring.mul_batch(&pairs)?;
    /// assert_eq!(products[0].degree(), Some(2));
    /// assert!(products[1].is_zero());
    /// # Ok::<(), sunzi::poly::PolyError>(())
    /// ```
    pub fn mul_batch(
        &self,
        pairs: &[(Poly<Integer>, Poly<Integer>)],
    ) -> Result<Vec<Poly<Integer>>, PolyError> {
        let work = |(a, b): &(Poly<Integer>, Poly<Integer>)| self.try_mul(a, b);
        Threads::when(pairs.len() > 1).try_map(pairs, work)
    }

    /// What the product of these operands will run, and why.
    pub fn plan(&self, a: &Poly<Integer>, b: &Poly<Integer>) -> IntegerPlan {
        self.choose(Sizes::of_polys(a, b))
    }

    /// What [`IntegerPolyRing::mul_flat`] will run, and why; its bytes count the product as integers.
    pub fn plan_flat(&self, a: &FlatPoly, b: &FlatPoly) -> IntegerPlan {
        self.choose(Sizes::of_flat(a, b))
    }

    /// The plan that runs the named algorithm.
    ///
    /// # Errors
    /// [`PolyError::Unavailable`] if it cannot do this product.
    pub fn plan_with(
        &self,
        algorithm: Algorithm,
        a: &Poly<Integer>,
        b: &Poly<Integer>,
    ) -> Result<IntegerPlan, PolyError> {
        let sizes = Sizes::of_polys(a, b);
        let problem = match algorithm {
            Algorithm::Schoolbook if fits_words(sizes) => None,
            Algorithm::Schoolbook => Some("its coefficients must be below 2^64"),
            Algorithm::Kronecker => None,
            Algorithm::CrtNtt if fits_words(sizes) && self.crt_fits(sizes) => None,
            Algorithm::CrtNtt => Some(CRT_LIMITS),
            _ => Some("it needs a field"),
        };
        match problem {
            None => Ok(sizes.plan(algorithm, Reason::Asked, &self.multiplier)),
            Some(reason) => Err(PolyError::Unavailable {
                algorithm,
                len_a: a.len(),
                len_b: b.len(),
                reason: reason.into(),
            }),
        }
    }

    /// `out = a · b`, where `out` gives its memory: repeated products of one shape allocate
    /// little. Its coefficients get as many limbs as the product's bound asks for.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory, before anything starts.
    pub fn mul_flat(
        &self,
        out: &mut FlatPoly,
        a: &FlatPoly,
        b: &FlatPoly,
    ) -> Result<(), PolyError> {
        let plan = self.plan_flat(a, b);
        Budget::system().require(plan.bytes)?;
        self.execute(&plan, out, a, b)
    }

    fn choose(&self, sizes: Sizes) -> IntegerPlan {
        let short = sizes.len_a.min(sizes.len_b);
        let IntegerThresholds { kronecker, crt_ntt } = self.thresholds;
        let (algorithm, reason) = if short == 0 {
            (Algorithm::Schoolbook, Reason::NoTerms)
        } else if !fits_words(sizes) {
            (Algorithm::Kronecker, Reason::OnlyOne)
        } else if short >= crt_ntt && self.crt_fits(sizes) {
            let threshold = crt_ntt;
            (Algorithm::CrtNtt, Reason::From { threshold })
        } else if short >= kronecker {
            let threshold = kronecker;
            (Algorithm::Kronecker, Reason::From { threshold })
        } else {
            let threshold = kronecker.min(crt_ntt);
            (Algorithm::Schoolbook, Reason::Below { threshold })
        };
        sizes.plan(algorithm, reason, &self.multiplier)
    }

    /// Whether few enough primes hold the product of operands of word-size coefficients.
    fn crt_fits(&self, sizes: Sizes) -> bool {
        (sizes.len_a.saturating_add(sizes.len_b) as u64) <= 1 << 32
            && self.bases.for_bits(sizes.product_bits()).is_some()
    }

    fn run(
        &self,
        plan: &IntegerPlan,
        a: &Poly<Integer>,
        b: &Poly<Integer>,
    ) -> Result<Poly<Integer>, PolyError> {
        if a.is_zero() || b.is_zero() {
            return Ok(Poly::zero());
        }
        Budget::system().require(plan.bytes)?;
        let mut out = FlatPoly::default();
        let flat_a = FlatPoly::from_poly(a);
        if std::ptr::eq(a, b) {
            self.execute(plan, &mut out, &flat_a, &flat_a)?;
        } else {
            self.execute(plan, &mut out, &flat_a, &FlatPoly::from_poly(b))?;
        }
        Ok(out.to_poly())
    }

    fn execute(
        &self,
        plan: &IntegerPlan,
        out: &mut FlatPoly,
        a: &FlatPoly,
        b: &FlatPoly,
    ) -> Result<(), PolyError> {
        if a.is_empty() || b.is_empty() {
            out.reshape(0, 1);
            return Ok(());
        }
        let width = plan.product_bits.div_ceil(WORD);
        let limbs = out.reshape(a.len() + b.len() - 1, width);
        match plan.algorithm {
            Algorithm::Schoolbook => schoolbook::multiply(limbs, width, a, b),
            Algorithm::CrtNtt => {
                let basis = self.bases.for_bits(plan.product_bits);
                basis
                    .and_then(|basis| crt::multiply(basis, limbs, width, a, b))
                    .ok_or(PolyError::Unavailable {
                        algorithm: plan.algorithm,
                        len_a: plan.len_a,
                        len_b: plan.len_b,
                        reason: CRT_LIMITS.into(),
                    })?;
            }
            _ => self.kronecker(limbs, width, plan.product_bits, a, b),
        }
        Ok(())
    }

    /// Writes `a · b` into rows of `width` limbs, through integers of `bits` bits a coefficient.
    fn kronecker(&self, out: &mut [u64], width: usize, bits: usize, a: &FlatPoly, b: &FlatPoly) {
        if std::ptr::eq(a, b) {
            let packed = pack(a, bits);
            let mut product = vec![0; 2 * packed.len()];
            self.multiplier.sqr(&mut product, &packed);
            return unpack(out, width, &product, bits, false);
        }
        let limbs = (a.len().max(b.len()) * bits).div_ceil(WORD);
        let threads = Threads::when(limbs >= PARALLEL_PACKING);
        let (packed_a, packed_b) = threads.join(|| pack(a, bits), || pack(b, bits));
        let mut product = vec![0; packed_a.len() + packed_b.len()];
        self.multiplier.mul(&mut product, &packed_a, &packed_b);
        drop((packed_a, packed_b));
        unpack(out, width, &product, bits, is_negative(a) != is_negative(b));
    }
}

fn fits_words(sizes: Sizes) -> bool {
    sizes.bits_a <= WORD && sizes.bits_b <= WORD
}
