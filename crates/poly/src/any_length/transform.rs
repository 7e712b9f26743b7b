//! Transforms of one length, whatever it is, ready to run.

use std::fmt;
use std::sync::Arc;

use dashu_int::UBig;
use sunzi_dft::{DftContext, DftError, Direction, Ordering};

use super::AnyLengthError;
use super::chirp::{self, Chirp};
use super::divisors::nearest;
use super::root::root_of_unity;
use crate::CoefficientField;

/// Vectors that a transform of 2^k points takes at most for tables and while it runs.
const POWER_OF_TWO_VECTORS: u64 = 5;

/// Transforms of any number N of points that divides p − 1, over a word-size prime field or one modulo
/// r^K + 1.
///
/// With ω the root of unity of order N ([`AnyLengthDft::root_of_unity`]), a forward transform takes x to
/// `X_j = Σ x_i·ω^{ij}`, an inverse one takes X back to x, with the division by N; both in natural
/// order. Elements are canonical residues.
///
/// Powers of two run the field's own transforms ([`DftContext`]), with the same results. All other lengths
/// run Bluestein's chirp transform (1970): one product of polynomials with N coefficients each, O(N log N)
/// operations where p − 1 has enough factors 2 or p is of word size, and as many as [`PolyRing`]
/// takes elsewhere; it does not matter whether N is prime. The chirp is written in
/// ω^(n(n−1)/2), which needs no root of order 2N.
///
/// A plan is immutable and cheap to clone; many threads may use one. A transform uses the threads of the
/// current rayon pool if it is long enough; its result does not depend on them.
///
/// [`PolyRing`]: crate::PolyRing
///
/// ```
/// use sunzi_field::Fp32;
/// use sunzi_poly::AnyLengthDft;
///
/// let field = Fp32::new(31)?;
/// let plan = AnyLengthDft::new(&field, 3)?;
/// assert_eq!(plan.root_of_unity(), 25); // 3^((31 − 1)/3): 2 is a cube modulo 31, 3 is none
/// let mut x = [1, 2, 3];
/// plan.forward(&mut x)?;
/// assert_eq!(x, [6, 4, 24]); // 1 + 2 + 3, 1 + 2·25 + 3·25², 1 + 2·25² + 3·25
/// plan.inverse(&mut x)?;
/// assert_eq!(x, [1, 2, 3]);
///
/// let error = AnyLengthDft::new(&field, 7).unwrap_err().to_string();
/// assert!(error.ends_with("the nearest lengths that do are 6 and 10"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnyLengthDft<F: CoefficientField> {
    root: F::Elem,
    way: Way<F>,
}

/// How a transform is computed.
#[derive(Clone, Debug)]
enum Way<F: CoefficientField> {
    PowerOfTwo(DftContext<F>),
    Chirp(Arc<Chirp<F>>),
}

impl<F: CoefficientField> AnyLengthDft<F> {
    /// Transforms of `len` points.
    ///
    /// Takes O(N) products for tables, and O(log p) for each prime that divides N.
    ///
    /// # Errors
    /// [`AnyLengthError::NoSuchLength`] if N does not divide p − 1, with the nearest lengths that do;
    /// [`AnyLengthError::Transform`] with [`DftError::OutOfMemory`].
    pub fn new(field: &F, len: usize) -> Result<Self, AnyLengthError> {
        check_length(field, len)?;
        let root = root_of_unity(field, len as u64).ok_or_else(|| no_such_length(field, len))?;
        let way = match len.is_power_of_two() {
            true => Way::PowerOfTwo(field.power_of_two_plan(len)?),
            false => Way::Chirp(Arc::new(Chirp::new(field, len, root)?)),
        };
        Ok(Self { root, way })
    }

    /// About how many bytes a plan and a transform of `len` points take at most beside the vector, known
    /// before anything is computed. Saturating.
    ///
    /// # Errors
    /// [`AnyLengthError::NoSuchLength`] if N does not divide p − 1.
    ///
    /// ```
    /// use sunzi_field::Fp32;
    /// use sunzi_poly::AnyLengthDft;
    ///
    /// let field = Fp32::new(469762049)?; // 7·2^26 + 1
    /// assert_eq!(AnyLengthDft::working_bytes(&field, 1 << 20)?, 5 * (4 << 20));
    /// assert!(AnyLengthDft::working_bytes(&field, 7 << 18)? > 5 * (28 << 18));
    /// assert!(AnyLengthDft::working_bytes(&field, 3 << 18).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn working_bytes(field: &F, len: usize) -> Result<u64, AnyLengthError> {
        check_length(field, len)?;
        let vector = (len as u64).saturating_mul(size_of::<F::Elem>() as u64);
        Ok(match len.is_power_of_two() {
            true => vector.saturating_mul(POWER_OF_TWO_VECTORS),
            false => chirp::working_bytes(field, len),
        })
    }

    /// Points N: every vector has this length.
    #[must_use]
    pub fn points(&self) -> usize {
        match &self.way {
            Way::PowerOfTwo(plan) => plan.points(),
            Way::Chirp(chirp) => chirp.points(),
        }
    }

    /// The root of unity ω of order N, the same on every machine.
    ///
    /// For a power of two it is the field's
    /// ([`TwoAdicField::root_of_unity`](sunzi_field::TwoAdicField::root_of_unity)). For a power q^e of
    /// an odd prime it is a^((p−1)/q^e), a ≥ 2 the least integer that is no q-th power modulo p. For
    /// other N it is the one whose powers ω^(N/q^e) are those roots, for every prime power q^e that
    /// divides N exactly. So the root of order N/d is the d-th power of that of order N.
    ///
    /// ```
    /// use sunzi_field::{Field, Fp64, TwoAdicField};
    /// use sunzi_poly::AnyLengthDft;
    ///
    /// let field = Fp64::new((1 << 60) - (1 << 18) + 1)?;
    /// let root = AnyLengthDft::new(&field, 9 * 16)?.root_of_unity();
    /// assert_eq!(Some(field.pow(root, 9)), field.root_of_unity(4));
    /// assert_eq!(field.pow(root, 16), AnyLengthDft::new(&field, 9)?.root_of_unity());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn root_of_unity(&self) -> F::Elem {
        self.root
    }

    /// Coefficients to values, or back, in place and in natural order.
    ///
    /// # Errors
    /// [`AnyLengthError::Transform`] with [`DftError::Shape`] if `data` has not N elements;
    /// [`AnyLengthError::Product`] if the memory is too small; `data` is then as before.
    pub fn transform(
        &self,
        data: &mut [F::Elem],
        direction: Direction,
    ) -> Result<(), AnyLengthError> {
        let (expected, found) = (self.points(), data.len());
        if expected != found {
            return Err(DftError::Shape { expected, found }.into());
        }
        match (&self.way, direction) {
            (Way::PowerOfTwo(plan), _) => {
                plan.transform(data, direction, Ordering::Natural)?;
                Ok(())
            }
            (Way::Chirp(chirp), Direction::Forward) => chirp.forward(data),
            (Way::Chirp(chirp), Direction::Inverse) => chirp.inverse(data),
        }
    }

    /// Values of the polynomial with coefficients `data` at 1, ω, ω² ….
    ///
    /// # Errors
    /// As [`AnyLengthDft::transform`].
    pub fn forward(&self, data: &mut [F::Elem]) -> Result<(), AnyLengthError> {
        self.transform(data, Direction::Forward)
    }

    /// Coefficients of the polynomial with values `data` at 1, ω, ω² ….
    ///
    /// # Errors
    /// As [`AnyLengthDft::transform`].
    pub fn inverse(&self, data: &mut [F::Elem]) -> Result<(), AnyLengthError> {
        self.transform(data, Direction::Inverse)
    }
}

impl<F: CoefficientField> fmt::Display for AnyLengthDft<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.way {
            Way::PowerOfTwo(plan) => plan.fmt(f),
            Way::Chirp(chirp) => write!(
                f,
                "chirp transform of {} points by a product: {}",
                chirp.points(),
                chirp.product_plan()
            ),
        }
    }
}

/// An error unless `len` divides p − 1.
fn check_length<F: CoefficientField>(field: &F, len: usize) -> Result<(), AnyLengthError> {
    let units = field.modulus() - UBig::ONE;
    match len > 0 && units % UBig::from(len) == UBig::ZERO {
        true => Ok(()),
        false => Err(no_such_length(field, len)),
    }
}

/// That there is no such transform, and the nearest ones.
fn no_such_length<F: CoefficientField>(field: &F, len: usize) -> AnyLengthError {
    let (below, above) = nearest(&field.order_factors(), len);
    AnyLengthError::NoSuchLength { len, below, above }
}
