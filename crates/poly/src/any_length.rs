//! Transforms of any length, made of the products of this crate's rings.

use sunzi_dft::ChirpProduct;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::plan::Plan;
use crate::ring::PolyRing;

/// Transforms of any number N of points that divides p − 1: those of [`sunzi_dft`], made of products by a
/// [`PolyRing`].
///
/// ```
/// use sunzi::field::{Field, Fp32, Fp64, TwoAdicField};
/// use sunzi::transform::AnyLengthDft;
///
/// let field = Fp32::new(31)?;
/// let dft = AnyLengthDft::new(&field, 3)?;
/// assert_eq!(dft.root_of_unity(), 25); // 3^((31 − 1)/3): 2 is a cube modulo 31, 3 is none
/// let mut x = [1, 2, 3];
/// dft.forward(&mut x)?;
/// assert_eq!(x, [6, 4, 24]); // 1 + 2 + 3, 1 + 2·25 + 3·25², 1 + 2·25² + 3·25
/// dft.inverse(&mut x)?;
/// assert_eq!(x, [1, 2, 3]);
///
/// let error = AnyLengthDft::new(&field, 7).unwrap_err().to_string();
/// assert!(error.ends_with("the nearest lengths that do are 6 and 10"));
///
/// // Roots of unity are powers of each other, and of the field's.
/// let field = Fp64::new((1 << 60) - (1 << 18) + 1)?;
/// let root = AnyLengthDft::new(&field, 9 * 16)?.root_of_unity();
/// assert_eq!(Some(field.pow(root, 9)), field.root_of_unity(4));
/// assert_eq!(field.pow(root, 16), AnyLengthDft::new(&field, 9)?.root_of_unity());
///
/// // The memory that a transform takes is known before it starts.
/// let field = Fp32::new(469762049)?; // 7·2^26 + 1
/// assert_eq!(AnyLengthDft::working_bytes(&field, 1 << 20)?, 5 * (4 << 20));
/// assert!(AnyLengthDft::working_bytes(&field, 7 << 18)? > 5 * (28 << 18));
/// assert!(AnyLengthDft::working_bytes(&field, 3 << 18).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type AnyLengthDft<F> = sunzi_dft::AnyLengthDft<F, PolyRing<F>>;

impl<F: CoefficientField> ChirpProduct<F> for PolyRing<F> {
    type Plan = Plan;
    type Error = PolyError;

    fn over(field: &F) -> Self {
        Self::new(field.clone())
    }

    fn plan(&self, len: usize) -> Plan {
        self.plan(len, len)
    }

    fn scratch_bytes(&self, len: usize) -> u64 {
        self.plan(len, len).scratch_bytes
    }

    fn multiply(&self, out: &mut [F::Elem], a: &[F::Elem], b: &[F::Elem]) -> Result<(), PolyError> {
        self.try_mul_slices(out, a, b)
    }
}
