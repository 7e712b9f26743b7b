//! Composition: f(g(x)).
//!
//! **Problem.** f(g) for f of n and g of m + 1 coefficients: (n − 1)·m + 1 coefficients. **Algorithm.**
//! Divide and conquer: f(g) = low(g) + g^k·high(g), with the lower k and the higher coefficients of f, k
//! a power of two (W. Hart, A. Novocin, *Practical divide-and-conquer algorithms for polynomial
//! arithmetic*, 2011). Short pieces are combinations of the first powers of g. For linear g it is a shift.
//!
//! **Floor.** The last product, of n·m/2 by n·m/2 coefficients, and as much for the two before it, and so on:
//! log₂ n times a product of that length, and half of one at every level for the powers of g.

use sunzi_dft::internals::progression;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;
use sunzi_machine::threads::Threads;

/// Coefficients of f that combine powers of g without products; a power of two.
const PIECE: usize = 8;

/// Coefficients of results from which on the halves are given to different threads.
const PARALLEL: usize = 1 << 12;

impl<F: CoefficientField> PolyRing<F> {
    /// `f(g(x))`.
    ///
    /// Takes O(M(n·m)·log n) operations for f of degree n and g of degree m ≥ 2, M(n) those of a product,
    /// and as many as [`PolyRing::taylor_shift`] for linear g.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let (f, g) = (Poly::new(vec![1, 0, 1]), Poly::new(vec![0, 1, 1])); // x² + 1, x² + x
    /// assert_eq!(ring.compose(&f, &g)?.coefficients(), [1, 0, 1, 2, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn compose(
        &self,
        f: &Poly<F::Elem>,
        g: &Poly<F::Elem>,
    ) -> Result<Poly<F::Elem>, PolyError> {
        (F::compiled().compose)(self, f, g)
    }

    /// About the bytes that [`compose`](Self::compose) takes beside its operands, the result included.
    pub fn compose_bytes(&self, f: &Poly<F::Elem>, g: &Poly<F::Elem>) -> u64 {
        // Powers of g and halves, or what a shift takes.
        let vectors = if g.len() <= 2 { 8 } else { 6 };
        let len = (f.len() as u64).saturating_mul(g.len().max(1) as u64);
        let own = len.saturating_mul(vectors * size_of::<F::Elem>() as u64);
        own.saturating_add(self.last_product_bytes(len))
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn compose_here(
        &self,
        f: &Poly<F::Elem>,
        g: &Poly<F::Elem>,
    ) -> Result<Poly<F::Elem>, PolyError> {
        let field = self.field();
        let composed = match *g.coefficients() {
            [] => f.coefficients().first().copied().into_iter().collect(),
            [constant] => vec![self.value_at(f.coefficients(), constant)],
            [constant, factor] => {
                let mut shifted = f.coefficients().to_vec();
                self.shift(&mut shifted, constant)?;
                let powers = progression(field, field.one(), factor, f.len());
                field.mul_assign_slice(&mut shifted, &powers);
                shifted
            }
            _ if f.len() <= 1 => return Ok(f.clone()),
            _ => {
                self.require_vectors(6, f.len().saturating_mul(g.len()))?;
                let powers = Powers::new(self, g.coefficients(), f.len())?;
                self.composed(f.coefficients(), &powers)?
            }
        };
        Ok(Poly::new(composed))
    }

    /// `f(g)`, f not empty: as many coefficients as if the last one of f were not 0.
    fn composed(&self, f: &[F::Elem], powers: &Powers<F::Elem>) -> Result<Vec<F::Elem>, PolyError> {
        if f.len() <= PIECE {
            return Ok(self.combined(f, &powers.first));
        }
        let level = (f.len().div_ceil(PIECE) - 1).ilog2();
        let power = &powers.doubled[level as usize];
        let (low, high) = f.split_at(PIECE << level);
        let (low, high) = Threads::when(power.len() >= self.cut(PARALLEL)).join(
            || self.composed(low, powers),
            || self.composed(high, powers),
        );
        let (low, high) = (low?, high?);
        let mut sum = self.product(power, &high)?;
        self.field().add_assign_slice(&mut sum[..low.len()], &low);
        Ok(sum)
    }

    /// The combination of the first powers of g with the coefficients of a piece.
    fn combined(&self, piece: &[F::Elem], powers: &[Vec<F::Elem>]) -> Vec<F::Elem> {
        let field = self.field();
        let mut sum = vec![field.zero(); powers[piece.len() - 1].len()];
        for (&coefficient, power) in piece.iter().zip(powers) {
            for (x, &y) in sum.iter_mut().zip(power) {
                *x = field.add(*x, field.mul(coefficient, y));
            }
        }
        sum
    }
}

/// The powers of g that divide and conquer needs.
struct Powers<E> {
    /// g^0, g^1 …, below g^PIECE.
    first: Vec<Vec<E>>,
    /// g^PIECE, g^(2·PIECE), g^(4·PIECE) ….
    doubled: Vec<Vec<E>>,
}

impl<E: Copy> Powers<E> {
    /// For `len` coefficients of f.
    fn new<F>(ring: &PolyRing<F>, g: &[E], len: usize) -> Result<Self, PolyError>
    where
        F: CoefficientField + sunzi_field::Field<Elem = E>,
    {
        let mut first = vec![vec![ring.field().one()]];
        while first.len() < len.min(PIECE) {
            first.push(ring.product(&first[first.len() - 1], g)?);
        }
        let mut doubled = Vec::new();
        let mut exponent = PIECE;
        while exponent < len {
            let half = doubled.last().unwrap_or(&first[PIECE / 2]);
            doubled.push(ring.product(half, half)?);
            exponent *= 2;
        }
        Ok(Self { first, doubled })
    }
}
