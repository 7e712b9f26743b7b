//! Euclid's algorithm modulo several primes at once, a prime a lane.
//!
//! **Problem.** Remainders of two polynomials over Z modulo many primes. **Algorithm.** The degrees of remainders are nearly
//! always the same modulo all primes, and drop by one. So all lanes do the same; a lane whose leading coefficient vanishes
//! where that of another does not is *out*: what it computes from then on means nothing, and its prime is looked at by itself.
//! No usual step inverts anything: where the degree drops by one, r = l²·a − (q₁x + q₀)·b, l the leading coefficient of b, in one
//! pass with one reduction a coefficient; else one term of the quotient after the other. For a long quotient l is inverted, so that
//! coefficients far below stay as they are. **Floor.** n²/2 coefficients for degree n, each three products for all lanes.

use sunzi_machine::simd::Simd;
use sunzi_rns::PrimeLanes;

/// Terms of a quotient from which an inverse of the leading coefficient costs less than its products with all coefficients.
const LONG_QUOTIENT: usize = 24;

/// Two remainders that follow each other, up to factors, in the form of products: residues below 4p. Both have leading
/// coefficients that are not 0 in any lane that is not out, and canonical.
pub(crate) struct Euclid<S: Simd> {
    simd: S,
    lanes: PrimeLanes<S>,
    pub(crate) a: Vec<S::Vector>,
    pub(crate) b: Vec<S::Vector>,
    /// Lanes that are not out.
    live: u8,
}

/// What a step has done: with l of degree `degree`, r = `factor`·(a mod b) took the place of a, and then both changed places.
pub(crate) struct Step<V> {
    pub(crate) leading: V,
    /// A power of `leading`: 1 for a long quotient.
    pub(crate) factor: V,
    pub(crate) degree_a: usize,
    pub(crate) degree_b: usize,
}

impl<S: Simd> Euclid<S> {
    /// Of polynomials of these coefficients, in the form of products; lanes beyond `live` do not count.
    #[inline(always)]
    pub(crate) fn new(
        simd: S,
        lanes: PrimeLanes<S>,
        [a, b]: [Vec<S::Vector>; 2],
        live: u8,
    ) -> Self {
        let mut euclid = Self {
            simd,
            lanes,
            a,
            b,
            live,
        };
        // Each once in the place of the other.
        for _ in 0..2 {
            euclid.trim();
            std::mem::swap(&mut euclid.a, &mut euclid.b);
        }
        if euclid.a.len() < euclid.b.len() {
            std::mem::swap(&mut euclid.a, &mut euclid.b);
        }
        euclid
    }

    /// Lanes that are not out, the first the lowest bit.
    #[inline(always)]
    pub(crate) fn live(&self) -> u8 {
        self.live
    }

    /// Lanes in which a canonical residue is not 0.
    #[inline(always)]
    fn nonzero(&self, a: S::Vector) -> u8 {
        self.simd
            .top_bits64(self.simd.less64(self.simd.splat64(0), a))
    }

    /// Drops leading coefficients of `b` that are 0 in all lanes; lanes in which only some are 0 are out.
    #[inline(always)]
    fn trim(&mut self) {
        while let Some(last) = self.b.last_mut() {
            let canonical = self.lanes.canonical(*last);
            *last = canonical;
            let nonzero = self.nonzero(canonical) & self.live;
            if nonzero != 0 {
                self.live = nonzero;
                return;
            }
            self.b.pop();
        }
    }

    /// One step, if `b` is not 0.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> Option<Step<S::Vector>> {
        let (lanes, len) = (self.lanes, self.b.len());
        let leading = *self.b.last()?;
        let (degree_a, degree_b) = (self.a.len() - 1, len - 1);
        let factor = if degree_a == len && len > 1 {
            self.linear_step(leading)
        } else if self.a.len() >= len + LONG_QUOTIENT {
            let inverse = lanes.inverse(leading);
            while self.a.len() >= len {
                self.cancel_by(inverse);
            }
            lanes.one()
        } else {
            let mut factor = lanes.one();
            while self.a.len() >= len {
                self.cancel(leading);
                factor = lanes.product(factor, leading);
            }
            factor
        };
        std::mem::swap(&mut self.a, &mut self.b);
        self.trim();
        Some(Step {
            leading,
            factor,
            degree_a,
            degree_b,
        })
    }

    /// The usual step: `a` has one coefficient more than `b`, of which there are two at least. The factor is l².
    #[inline(always)]
    fn linear_step(&mut self, leading: S::Vector) -> S::Vector {
        let (lanes, len) = (self.lanes, self.b.len());
        let zero = self.simd.splat64(0);
        let top = self.a[len];
        let square = lanes.product(leading, leading);
        let q1 = lanes.sub(zero, lanes.product(top, leading));
        let q0 = lanes.sub(
            lanes.product(top, self.b[len - 2]),
            lanes.product(leading, self.a[len - 1]),
        );
        self.a.truncate(len - 1);
        let mut below = zero;
        for (a, &b) in self.a.iter_mut().zip(&self.b) {
            let sum = lanes.add_product(lanes.sum(), square, *a);
            let sum = lanes.add_product(sum, q0, b);
            let sum = lanes.add_product(sum, q1, below);
            *a = lanes.reduce(sum);
            below = b;
        }
        square
    }

    /// `a` times l less a multiple of `b`, so that its leading coefficient vanishes.
    #[inline(always)]
    fn cancel(&mut self, leading: S::Vector) {
        let lanes = self.lanes;
        let Some(top) = self.a.pop() else { return };
        let minus = lanes.sub(self.simd.splat64(0), lanes.canonical(top));
        let shift = self.a.len() + 1 - self.b.len();
        for a in &mut self.a[..shift] {
            *a = lanes.mul(*a, leading);
        }
        for (a, &b) in self.a[shift..].iter_mut().zip(&self.b) {
            let sum = lanes.add_product(lanes.sum(), leading, *a);
            *a = lanes.reduce(lanes.add_product(sum, minus, b));
        }
    }

    /// `a` less a multiple of `b`, so that its leading coefficient vanishes; by the inverse of that of `b`.
    #[inline(always)]
    fn cancel_by(&mut self, inverse: S::Vector) {
        let lanes = self.lanes;
        let Some(top) = self.a.pop() else { return };
        let quotient = lanes.product(lanes.canonical(top), inverse);
        let minus = lanes.sub(self.simd.splat64(0), quotient);
        let (one, shift) = (lanes.one(), self.a.len() + 1 - self.b.len());
        for (a, &b) in self.a[shift..].iter_mut().zip(&self.b) {
            let sum = lanes.add_product(lanes.sum(), one, *a);
            *a = lanes.reduce(lanes.add_product(sum, minus, b));
        }
    }
}
