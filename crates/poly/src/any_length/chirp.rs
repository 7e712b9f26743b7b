//! The chirp transform of any length.
//!
//! With C(n, 2) = n(n − 1)/2 for every integer n, ij = C(i + 1, 2) + C(j, 2) − C(j − i, 2). So
//!
//! `X_j = ω^C(j,2) · Σ_i x_i·ω^C(i+1,2) · ω^(−C(j−i,2))`,
//!
//! a convolution with the chirp c_n = ω^(−C(n,2)), in which ω needs no square root (L. Bluestein, *A
//! linear filtering approach to the computation of discrete Fourier transform*, 1970; L. Rabiner,
//! R. Schafer, C. Rader, *The chirp z-transform algorithm*, 1969; both with squares n²/2). As
//! C(n + N, 2) is C(n, 2) modulo N for odd N, and N/2 more for even N, c_(n+N) is c_n or −c_n: the
//! convolution is cyclic or negacyclic, and one product of N by N coefficients holds it all.

use dashu_int::UBig;
use sunzi_dft::DftError;
use sunzi_field::memory;

use super::AnyLengthError;
use crate::tables::{chirp, in_chunks};
use crate::{CoefficientField, Plan, PolyRing};

/// What transforms of one length N ≥ 1 keep.
#[derive(Debug)]
pub(super) struct Chirp<F: CoefficientField> {
    field: F,
    ring: PolyRing<F>,
    /// ω^C(j,2) for j = 0 … N.
    weights: Vec<F::Elem>,
    /// ω^(−C(n,2)) for n = 0 … N − 1.
    chirp: Vec<F::Elem>,
    /// 1/N.
    scale: F::Elem,
}

impl<F: CoefficientField> Chirp<F> {
    /// With a root of unity of order `points`, which divides p − 1.
    ///
    /// # Errors
    /// If the memory of the machine is too small.
    pub(super) fn new(field: &F, points: usize, root: F::Elem) -> Result<Self, AnyLengthError> {
        memory::require(working_bytes(field, points)).map_err(DftError::from)?;
        // ω^N = 1, and N·(p − 1)/N = −1.
        let inverse = field.pow(root, points as u64 - 1);
        let cofactor = (field.modulus() - UBig::ONE) / UBig::from(points);
        Ok(Self {
            ring: PolyRing::new(field.clone()),
            weights: chirp(field, field.one(), root, points + 1),
            chirp: chirp(field, field.one(), inverse, points),
            scale: field.neg(field.from_integer(&cofactor.into())),
            field: field.clone(),
        })
    }

    pub(super) fn points(&self) -> usize {
        self.chirp.len()
    }

    /// The product that a transform is made of.
    pub(super) fn product_plan(&self) -> Plan {
        self.ring.plan(self.points(), self.points())
    }

    /// The values at the powers of ω, in place; after an error `x` is as before.
    pub(super) fn forward(&self, x: &mut [F::Elem]) -> Result<(), AnyLengthError> {
        let (field, points) = (&self.field, self.points());
        let mut weighted = x.to_vec();
        in_chunks(&mut weighted, |start, weighted| {
            let weights = &self.weights[start + 1..][..weighted.len()];
            field.mul_assign_slice(weighted, weights);
        });
        let mut product = vec![field.zero(); 2 * points - 1];
        self.ring
            .try_mul_slices(&mut product, &weighted, &self.chirp)?;
        let (low, high) = product.split_at(points);
        in_chunks(x, |start, x| {
            x.copy_from_slice(&low[start..][..x.len()]);
            // The product has no coefficient 2N − 1, so the last value has nothing to add.
            let high = &high[start..(start + x.len()).min(points - 1)];
            let wrapped = &mut x[..high.len()];
            match points % 2 {
                0 => field.sub_assign_slice(wrapped, high),
                _ => field.add_assign_slice(wrapped, high),
            }
            field.mul_assign_slice(x, &self.weights[start..][..x.len()]);
        });
        Ok(())
    }

    /// Undoes [`Chirp::forward`]: at ω^−1 the values are those at ω, read backwards from the first.
    pub(super) fn inverse(&self, x: &mut [F::Elem]) -> Result<(), AnyLengthError> {
        self.forward(x)?;
        if let Some(others) = x.get_mut(1..) {
            others.reverse();
        }
        in_chunks(x, |_, x| self.field.scale_slice(x, self.scale));
        Ok(())
    }
}

/// About how many bytes tables and a transform take beside the vector: two tables, the weighted vector,
/// the product, and what multiplying takes. Saturating.
pub(super) fn working_bytes<F: CoefficientField>(field: &F, points: usize) -> u64 {
    let vectors = (points as u64).saturating_mul(5 * size_of::<F::Elem>() as u64);
    let product = field.multiplier().plan(points, points);
    vectors.saturating_add(product.scratch_bytes)
}
