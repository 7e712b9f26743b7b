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

use crate::context::DftField;
use crate::problem::DftError;
use crate::progressions::{chirp, in_chunks};
use dashu_int::UBig;
use std::fmt;
use sunzi_machine::memory::Budget;

/// Products of polynomials over a field, of which transforms of most lengths are made.
///
/// They are the caller's: over a field with too few roots of unity they take more than this crate has, such as
/// transforms over several primes. The rings of `sunzi-poly` multiply over every field.
///
/// ```
/// use sunzi::field::{Field, Fp32};
/// use sunzi::transform::DftError;
/// use sunzi_dft::{AnyLengthDft, ChirpProduct};
///
/// #[derive(Debug)]
/// struct Schoolbook(Fp32);
///
/// impl ChirpProduct<Fp32> for Schoolbook {
///     type Plan = &'static str;
///     type Error = DftError;
///
///     fn over(field: &Fp32) -> Self {
///         Self(field.clone())
///     }
///     fn plan(&self, _len: usize) -> &'static str {
///         "by definition"
///     }
///     fn scratch_bytes(&self, _len: usize) -> u64 {
///         0
///     }
///     fn multiply(&self, out: &mut [u32], a: &[u32], b: &[u32]) -> Result<(), DftError> {
///         out.fill(0);
///         for (i, &a) in a.iter().enumerate() {
///             for (out, &b) in out[i..].iter_mut().zip(b) {
///                 *out = self.0.add(*out, self.0.mul(a, b));
///             }
///         }
///         Ok(())
///     }
/// }
///
/// let dft = AnyLengthDft::<Fp32, Schoolbook>::new(&Fp32::new(31)?, 3)?; // ω = 25
/// let mut x = [1, 2, 3];
/// dft.forward(&mut x)?;
/// assert_eq!(x, [6, 4, 24]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ChirpProduct<F: DftField>: fmt::Debug + Send + Sync + Sized {
    /// What says how products are computed.
    type Plan: fmt::Display;
    /// Why a product, or the transform that is made of it, cannot be computed.
    type Error: std::error::Error + From<DftError>;

    /// Products over a field.
    fn over(field: &F) -> Self;

    /// How two polynomials of `len` coefficients are multiplied.
    fn plan(&self, len: usize) -> Self::Plan;

    /// About how many bytes that takes beside operands and result.
    fn scratch_bytes(&self, len: usize) -> u64;

    /// `out = a·b`; `out` has a place for every coefficient.
    ///
    /// # Errors
    /// If the memory is too small.
    fn multiply(
        &self,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<(), Self::Error>;
}

/// What transforms of one length N ≥ 1 keep.
#[derive(Debug)]
pub(super) struct Chirp<F: DftField, P> {
    field: F,
    product: P,
    /// ω^C(j,2) for j = 0 … N.
    weights: Vec<F::Elem>,
    /// ω^(−C(n,2)) for n = 0 … N − 1.
    chirp: Vec<F::Elem>,
    /// 1/N.
    scale: F::Elem,
}

impl<F: DftField, P: ChirpProduct<F>> Chirp<F, P> {
    /// With a root of unity of order `points`, which divides p − 1.
    ///
    /// # Errors
    /// If the memory of the machine is too small.
    pub(super) fn new(field: &F, points: usize, root: F::Elem) -> Result<Self, DftError> {
        let product = P::over(field);
        Budget::system().require(working_bytes(&product, points))?;
        // ω^N = 1, and N·(p − 1)/N = −1.
        let inverse = field.pow(root, points as u64 - 1);
        let cofactor = (field.modulus::<UBig>() - UBig::ONE) / UBig::from(points);
        Ok(Self {
            product,
            weights: chirp(field, field.one(), root, points + 1),
            chirp: chirp(field, field.one(), inverse, points),
            scale: field.neg(field.from_integer(&cofactor)),
            field: field.clone(),
        })
    }

    pub(super) fn points(&self) -> usize {
        self.chirp.len()
    }

    /// The product that a transform is made of.
    pub(super) fn product_plan(&self) -> P::Plan {
        self.product.plan(self.points())
    }

    /// The values at the powers of ω, in place; after an error `x` is as before.
    pub(super) fn forward(&self, x: &mut [F::Elem]) -> Result<(), P::Error> {
        let (field, points) = (&self.field, self.points());
        let mut weighted = x.to_vec();
        in_chunks(&mut weighted, &|start, weighted| {
            let weights = &self.weights[start + 1..][..weighted.len()];
            field.mul_assign_slice(weighted, weights);
        });
        let mut product = vec![field.zero(); 2 * points - 1];
        self.product
            .multiply(&mut product, &weighted, &self.chirp)?;
        let (low, high) = product.split_at(points);
        in_chunks(x, &|start, x| {
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
    pub(super) fn inverse(&self, x: &mut [F::Elem]) -> Result<(), P::Error> {
        self.forward(x)?;
        if let Some(others) = x.get_mut(1..) {
            others.reverse();
        }
        in_chunks(x, &|_, x| self.field.scale_slice(x, self.scale));
        Ok(())
    }
}

/// About how many bytes tables and a transform take beside the vector: two tables, the weighted vector,
/// the product, and what multiplying takes. Saturating.
pub(super) fn working_bytes<F: DftField, P: ChirpProduct<F>>(product: &P, points: usize) -> u64 {
    let vectors = (points as u64).saturating_mul(5 * size_of::<F::Elem>() as u64);
    vectors.saturating_add(product.scratch_bytes(points))
}
