//! Transforms of one length that divides p − 1, ready to run.

use super::chirp::{self, Chirp, ChirpProduct};
use super::problem::{check_length, no_such_length};
use super::root::{is_root_of_order, power_of_root, root_of_unity};
use crate::context::{DftContext, DftField};
use crate::problem::{DftError, Direction, Ordering};
use std::fmt;
use std::sync::Arc;

/// Vectors that a transform of 2^k points takes at most for tables and while it runs.
const POWER_OF_TWO_VECTORS: u64 = 5;

/// Transforms of any number N of points that divides p − 1, over a word-size prime field or one modulo
/// r^K + 1; `P` multiplies polynomials.
///
/// With ω the root of unity of order N ([`AnyLengthDft::root_of_unity`]), a forward transform takes x to
/// `X_j = Σ x_i·ω^{ij}`, an inverse one takes X back to x, with the division by N; both in natural
/// order. Elements are canonical residues.
///
/// Powers of two run the field's own transforms ([`DftContext`]), with the same results. All other lengths
/// run Bluestein's chirp transform (1970): one product of polynomials with N coefficients each, O(N log N)
/// operations where p − 1 has enough factors 2 or p is of word size, and as many as `P` takes elsewhere; it
/// does not matter whether N is prime. The chirp is written in ω^(n(n−1)/2), which needs no root of order 2N.
///
/// It is immutable and cheap to clone; many threads may use one. A transform uses the threads of the
/// current rayon pool if it is long enough; its result does not depend on them.
///
/// For an example see [`ChirpProduct`].
#[derive(Debug)]
pub struct AnyLengthDft<F: DftField, P: ChirpProduct<F>> {
    root: F::Elem,
    method: Method<F, P>,
    /// The j of ω = ω₀^j, ω₀ the root that the method's tables are made of: values at the powers of ω are those at the powers of ω₀
    /// in another order.
    power: usize,
}

/// How a transform is computed.
#[derive(Debug)]
enum Method<F: DftField, P> {
    PowerOfTwo(DftContext<F>),
    Chirp(Arc<Chirp<F, P>>),
}

impl<F: DftField, P: ChirpProduct<F>> AnyLengthDft<F, P> {
    /// Transforms of `len` points.
    ///
    /// Takes O(N) products for tables, and O(log p) for each prime that divides N.
    ///
    /// # Errors
    /// [`DftError::NoSuchLength`] if N does not divide p − 1, with the nearest lengths that do; [`DftError::OutOfMemory`].
    pub fn new(field: &F, len: usize) -> Result<Self, DftError> {
        check_length(field, len)?;
        let root = root_of_unity(field, len as u64).ok_or_else(|| no_such_length(field, len))?;
        Self::at_powers_of(field, len, root, 1)
    }

    /// Transforms of `len` points at the powers of a root of unity of one's own, as that of another library.
    ///
    /// Takes as long as [`AnyLengthDft::new`]. Transforms of 2^k points put values in order by one more pass through one more vector, up to
    /// twice the time together; in [`Ordering::Internal`] it is left out.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::transform::AnyLengthDft;
    ///
    /// let dft = AnyLengthDft::with_root(&Fp32::new(31)?, 3, 5)?; // 5 = 25², 25 that of `new`
    /// let mut x = [1, 2, 3];
    /// dft.forward(&mut x)?;
    /// assert_eq!(x, [6, 24, 4]);
    ///
    /// let error = AnyLengthDft::with_root(&Fp32::new(31)?, 3, 2).unwrap_err().to_string();
    /// assert_eq!(error, "the root given is no root of unity of order 3: its powers repeat earlier, or do not come back to 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`AnyLengthDft::new`]; [`DftError::NoRootOfOrder`] if the order of the root is not `len`.
    pub fn with_root(field: &F, len: usize, root: F::Elem) -> Result<Self, DftError> {
        check_length(field, len)?;
        if !is_root_of_order(field, root, len as u64) {
            return Err(DftError::NoRootOfOrder { order: len });
        }
        let power = match len.trailing_zeros() {
            log_n if len.is_power_of_two() => power_of_root(field, root, log_n),
            _ => Some(1),
        };
        let power = power.ok_or_else(|| no_such_length(field, len))?;
        Self::at_powers_of(field, len, root, power)
    }

    fn at_powers_of(field: &F, len: usize, root: F::Elem, power: usize) -> Result<Self, DftError> {
        let method = match len.is_power_of_two() {
            true => Method::PowerOfTwo(field.fastest_dft(len)?),
            false => Method::Chirp(Arc::new(Chirp::new(field, len, root)?)),
        };
        Ok(Self {
            root,
            method,
            power,
        })
    }

    /// About how many bytes tables and a transform of `len` points take at most beside the vector, known
    /// before anything is computed. Saturating.
    ///
    /// # Errors
    /// [`DftError::NoSuchLength`] if N does not divide p − 1.
    pub fn working_bytes(field: &F, len: usize) -> Result<u64, DftError> {
        check_length(field, len)?;
        let vector = (len as u64).saturating_mul(size_of::<F::Elem>() as u64);
        Ok(match len.is_power_of_two() {
            true => vector.saturating_mul(POWER_OF_TWO_VECTORS),
            false => chirp::working_bytes(&P::over(field), len),
        })
    }

    /// Points N: every vector has this length.
    #[must_use]
    pub fn points(&self) -> usize {
        match &self.method {
            Method::PowerOfTwo(context) => context.points(),
            Method::Chirp(chirp) => chirp.points(),
        }
    }

    /// The root of unity ω of order N: the one that was given, or else one that is the same on every machine.
    ///
    /// For a power of two it is the field's
    /// ([`TwoAdicField::root_of_unity`](sunzi_field::TwoAdicField::root_of_unity)). For a power q^e of
    /// an odd prime it is a^((p−1)/q^e), a ≥ 2 the least integer that is no q-th power modulo p. For
    /// other N it is the one whose powers ω^(N/q^e) are those roots, for every prime power q^e that
    /// divides N exactly. So the root of order N/d is the d-th power of that of order N.
    #[must_use]
    pub fn root_of_unity(&self) -> F::Elem {
        self.root
    }

    /// Coefficients to values, or back, in place and in natural order.
    ///
    /// # Errors
    /// [`DftError::Shape`] if `data` does not have N elements; those of products, if the memory is too small; `data` is
    /// then as before.
    pub fn transform(&self, data: &mut [F::Elem], direction: Direction) -> Result<(), P::Error> {
        let (expected, found) = (self.points(), data.len());
        if expected != found {
            return Err(DftError::Shape { expected, found }.into());
        }
        match (&self.method, direction) {
            (Method::PowerOfTwo(context), _) if self.power == 1 => {
                Ok(context.transform(data, direction, Ordering::Natural)?)
            }
            (Method::PowerOfTwo(context), _) => Ok(self.reordered(data, direction, |data| {
                context.transform(data, direction, Ordering::Natural)
            })?),
            (Method::Chirp(chirp), Direction::Forward) => chirp.forward(data),
            (Method::Chirp(chirp), Direction::Inverse) => chirp.inverse(data),
        }
    }

    /// A transform at the powers of ω by one at those of ω₀: the value at ω^i is that at ω₀^(ij).
    fn reordered(
        &self,
        data: &mut [F::Elem],
        direction: Direction,
        transform: impl Fn(&mut [F::Elem]) -> Result<(), DftError>,
    ) -> Result<(), DftError> {
        let last = data.len() - 1;
        let places = (0..data.len()).map(|i| i.wrapping_mul(self.power) & last);
        let mut values = vec![F::Elem::default(); data.len()];
        match direction {
            Direction::Forward => {
                transform(data)?;
                for (value, place) in values.iter_mut().zip(places) {
                    *value = data[place];
                }
            }
            Direction::Inverse => {
                for (&value, place) in data.iter().zip(places) {
                    values[place] = value;
                }
                transform(&mut values)?;
            }
        }
        data.copy_from_slice(&values);
        Ok(())
    }

    /// Transforms of vectors that lie one after the other, in place. Values of 2^k points are in this order; those of
    /// other lengths in natural order, except that [`Ordering::Internal`] is natural order there, too.
    ///
    /// # Errors
    /// [`DftError::Shape`] if `data` is no whole number of vectors; [`DftError::OrderOfLength`] for bit-reversed order of other
    /// lengths, or of a root of one's own; those of products, after which `data` holds anything.
    pub fn transform_batch(
        &self,
        data: &mut [F::Elem],
        direction: Direction,
        ordering: Ordering,
    ) -> Result<(), P::Error> {
        let points = self.points();
        match &self.method {
            Method::PowerOfTwo(context) if self.power == 1 || ordering == Ordering::Internal => {
                Ok(context.transform_batch(data, direction, ordering)?)
            }
            _ if ordering == Ordering::BitReversed => {
                Err(DftError::OrderOfLength { points }.into())
            }
            _ if !data.len().is_multiple_of(points) => Err(DftError::Shape {
                expected: data.len().next_multiple_of(points),
                found: data.len(),
            }
            .into()),
            // A long one uses all threads.
            _ => data
                .chunks_exact_mut(points)
                .try_for_each(|vector| self.transform(vector, direction)),
        }
    }

    /// Values of the polynomial with coefficients `data` at 1, ω, ω² ….
    ///
    /// # Errors
    /// As [`AnyLengthDft::transform`].
    pub fn forward(&self, data: &mut [F::Elem]) -> Result<(), P::Error> {
        self.transform(data, Direction::Forward)
    }

    /// Coefficients of the polynomial with values `data` at 1, ω, ω² ….
    ///
    /// # Errors
    /// As [`AnyLengthDft::transform`].
    pub fn inverse(&self, data: &mut [F::Elem]) -> Result<(), P::Error> {
        self.transform(data, Direction::Inverse)
    }
}

impl<F: DftField, P: ChirpProduct<F>> Clone for AnyLengthDft<F, P> {
    fn clone(&self) -> Self {
        let method = match &self.method {
            Method::PowerOfTwo(context) => Method::PowerOfTwo(context.clone()),
            Method::Chirp(chirp) => Method::Chirp(Arc::clone(chirp)),
        };
        Self {
            root: self.root,
            method,
            power: self.power,
        }
    }
}

impl<F: DftField, P: ChirpProduct<F>> fmt::Display for AnyLengthDft<F, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.method {
            Method::PowerOfTwo(context) => context.fmt(f),
            Method::Chirp(chirp) => write!(
                f,
                "chirp transform of {} points by a product: {}",
                chirp.points(),
                chirp.product_plan()
            ),
        }
    }
}
