//! Products modulo x^N − 1 and x^N + 1, of any length N.
//!
//! The whole product is folded: O(M(n)) operations for operands of n coefficients, on tables that the ring keeps. Where N is a power
//! of two that a field has roots for, and many products of that length are computed, transforms of
//! [`DftContext::for_convolution`](sunzi_dft::DftContext::for_convolution) take half of that, as nothing is folded there.

use sunzi_dft::Convolution;
use sunzi_integer::Integer;

use crate::error::PolyError;
use crate::integer::IntegerPolyRing;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;

impl<F: CoefficientField> PolyRing<F> {
    /// `a · b` modulo x^N − 1 or x^N + 1, N the length of `out`, or the whole product, which `out` has the length of.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::PolyRing;
    /// use sunzi::transform::Convolution;
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let mut product = [0; 3];
    /// ring.convolve(&mut product, &[1, 2, 3], &[0, 0, 1], Convolution::Cyclic)?;
    /// assert_eq!(product, [2, 3, 1]);
    /// ring.convolve(&mut product, &[1, 2, 3], &[0, 0, 1], Convolution::Negacyclic)?;
    /// assert_eq!(product, [99, 98, 1]);
    /// # Ok::<(), sunzi::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutputLength`] if the whole product has another length; [`PolyError::OutOfMemory`].
    pub fn convolve(
        &self,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
        convolution: Convolution,
    ) -> Result<(), PolyError> {
        (F::compiled().convolve)(self, out, a, b, convolution)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn convolve_here(
        &self,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
        convolution: Convolution,
    ) -> Result<(), PolyError> {
        let field = self.field();
        out.fill(field.zero());
        if a.is_empty() || b.is_empty() || (out.is_empty() && convolution != Convolution::Plain) {
            return Ok(());
        }
        let len = a.len() + b.len() - 1;
        if convolution == Convolution::Plain || len == out.len() {
            return self.try_mul_slices(out, a, b);
        }
        self.require_vectors(1, len)?;
        let mut product = vec![field.zero(); len];
        self.try_mul_slices(&mut product, a, b)?;
        for (turn, part) in product.chunks(out.len()).enumerate() {
            let out = &mut out[..part.len()];
            match convolution == Convolution::Negacyclic && turn % 2 == 1 {
                true => field.sub_assign_slice(out, part),
                false => field.add_assign_slice(out, part),
            }
        }
        Ok(())
    }
}

impl IntegerPolyRing {
    /// The first `n` coefficients of `a · b` modulo x^n − 1 or x^n + 1; of the whole product, which has n coefficients at most.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    /// use sunzi::transform::Convolution;
    ///
    /// let (a, b) = ("3*x^2 + 2*x + 1".parse()?, "x^2".parse()?);
    /// let product = IntegerPolyRing::new().convolve(3, &a, &b, Convolution::Negacyclic)?;
    /// assert_eq!(product, [-2, -3, 1].map(Integer::from));
    /// # Ok::<(), sunzi::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutputLength`] if the whole product has more coefficients; [`PolyError::OutOfMemory`].
    pub fn convolve(
        &self,
        n: usize,
        a: &Poly<Integer>,
        b: &Poly<Integer>,
        convolution: Convolution,
    ) -> Result<Vec<Integer>, PolyError> {
        let product = self.try_mul(a, b)?;
        if convolution == Convolution::Plain && product.len() > n {
            return Err(PolyError::OutputLength {
                expected: product.len(),
                found: n,
            });
        }
        let mut out = vec![Integer::ZERO; n];
        if n == 0 {
            return Ok(out);
        }
        for (turn, part) in product.coefficients().chunks(n).enumerate() {
            for (out, coefficient) in out.iter_mut().zip(part) {
                match convolution == Convolution::Negacyclic && turn % 2 == 1 {
                    true => *out -= coefficient,
                    false => *out += coefficient,
                }
            }
        }
        Ok(out)
    }
}
