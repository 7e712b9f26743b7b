//! The lengths from which each way to multiply is the fastest: values that a ring has.
//!
//! The built-in ones are where the lines of the times of all methods against the length crossed, for operands of equal
//! lengths, on the processors at hand when they were written. [`PolyRing::with_thresholds`] and
//! [`IntegerPolyRing::with_thresholds`] take what was found on another one.
//!
//! [`PolyRing::with_thresholds`]: crate::PolyRing::with_thresholds
//! [`IntegerPolyRing::with_thresholds`]: crate::IntegerPolyRing::with_thresholds

/// The lengths of the shorter operand from which methods win in products over a field; `usize::MAX` for one that never does.
///
/// They decide about time alone: products are the same by all methods.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::poly::{Algorithm, PolyRing, Thresholds};
///
/// let ring = PolyRing::new(Fp32::new(469_762_049)?);
/// let early = Thresholds { ntt: 20, ntt_long: 20, ..ring.thresholds() };
/// let ring = ring.with_thresholds(early);
/// assert_eq!(ring.plan(20, 30).algorithm, Algorithm::Ntt);
/// assert_eq!(ring.plan(19, 30).algorithm, Algorithm::Schoolbook);
/// # Ok::<(), sunzi::field::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Thresholds {
    /// Transforms over the field win over schoolbook products, where it has some that are long enough.
    pub ntt: usize,
    /// The same where the longer operand has 128 coefficients or more: there schoolbook products of big primes are done
    /// by vectors, but no part of a transform is wasted.
    pub ntt_long: usize,
    /// Karatsuba's method wins over schoolbook products, where the field has no transform that is long enough; from 2 on.
    pub karatsuba: usize,
    /// Products over Z win over Karatsuba's method, likewise: modulo a prime of one word by transforms over several primes,
    /// modulo a big one as one product of long integers.
    pub over_integers: usize,
    /// The binary logarithm of the points at which trees end, and schoolbook arithmetic begins. Where the shortest
    /// transforms are longer, it is theirs.
    pub leaf_log: u32,
}

/// What a long operand is.
const LONG: usize = 128;

impl Thresholds {
    /// The length from which transforms over the field win.
    pub(crate) const fn ntt_for(&self, long: usize) -> usize {
        if long < LONG { self.ntt } else { self.ntt_long }
    }

    /// The same, as Karatsuba's recursion can have them.
    pub(crate) fn fitting(self) -> Self {
        Self {
            karatsuba: self.karatsuba.max(2),
            ..self
        }
    }
}

/// The lengths of the shorter operand from which methods win in products over Z, for coefficients of one word; `usize::MAX`
/// for one that never does.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::{Algorithm, IntegerPolyRing, IntegerThresholds, Poly};
///
/// let built_in = IntegerPolyRing::new().thresholds();
/// let ring = IntegerPolyRing::new().with_thresholds(IntegerThresholds { kronecker: 2, ..built_in });
/// let f = Poly::new(vec![Integer::ONE, Integer::from(5)]);
/// assert_eq!(ring.plan(&f, &f).algorithm, Algorithm::Kronecker);
/// assert_eq!(ring.mul(&f, &f), IntegerPolyRing::new().mul(&f, &f));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerThresholds {
    /// Packing operands into integers wins over schoolbook products.
    pub kronecker: usize,
    /// Transforms over a few primes win over packing.
    pub crt_ntt: usize,
}

impl Default for IntegerThresholds {
    /// The built-in ones.
    fn default() -> Self {
        Self {
            kronecker: 40,
            crt_ntt: 112,
        }
    }
}
