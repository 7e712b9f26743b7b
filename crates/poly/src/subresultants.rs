//! Chains of subresultants over a field.
//!
//! **Problem.** All polynomials that the minors of the Sylvester matrix of a and b define. **Algorithm.**
//! They are multiples of the remainders of Euclid's algorithm: if S_{j+1} has degree j + 1 and leading
//! coefficient s, and S_j has degree k ≤ j and leading coefficient c, then
//!
//! - S_k = (c/s)^(j − k)·S_j, and those between the two are 0;
//! - S_{k−1} = (−c/s)^(j − k + 2)·(S_{j+1} mod S_j), and so on from S_k and S_{k−1}
//!
//! (the fundamental theorem of subresultants; L. Ducos, *Optimizations of the subresultant algorithm*,
//! 2000). Remainders are taken times a factor, so that no step inverts an element: where degrees drop by
//! one, as they mostly do, each in one pass over memory with one reduction a coefficient. What a remainder
//! is to be multiplied by is kept as a fraction; all denominators are inverted together at the end.
//!
//! **Floor.** The chain of two polynomials of degree n has n²/2 coefficients, each a sum of three products
//! and then scaled.

use sunzi_field::Field;
use sunzi_machine::memory::Budget;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;

/// The subresultants S_0, S_1, … of two polynomials, from the resultant upward; made by
/// [`PolyRing::subresultant_chain`], which defines them.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::poly::{Poly, PolyRing};
///
/// let ring = PolyRing::new(Fp32::new(101)?);
/// // (x − 1)(x − 2)(x − 3) and (x − 1)(x − 2): S_0 = S_1 = 0, so that S_2 is their common divisor.
/// let (a, b) = (Poly::new(vec![95, 11, 95, 1]), Poly::new(vec![2, 98, 1]));
/// let chain = ring.subresultant_chain(&a, &b)?;
/// let common = chain.iter().find(|subresultant| !subresultant.is_zero());
/// assert_eq!((chain.len(), common), (3, Some(&b)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubresultantChain<E> {
    subresultants: Vec<Poly<E>>,
}

impl<E> SubresultantChain<E> {
    /// S_`j`, whose degree is at most `j`; `None` if the chain ends before.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let chain = ring.subresultant_chain(&Poly::new(vec![1, 0, 1]), &Poly::new(vec![3, 1]))?;
    /// assert_eq!(chain.get(0), Some(&Poly::new(vec![10]))); // x² + 1 at −3
    /// assert_eq!(chain.get(2), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get(&self, j: usize) -> Option<&Poly<E>> {
        self.subresultants.get(j)
    }

    /// How many subresultants there are: the lesser degree plus one, 0 if an operand was 0.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let (a, b) = (Poly::new(vec![1, 0, 0, 1]), Poly::new(vec![3, 1]));
    /// assert_eq!(ring.subresultant_chain(&a, &b)?.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn len(&self) -> usize {
        self.subresultants.len()
    }

    /// Whether there are none, because an operand was 0.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// assert!(ring.subresultant_chain(&Poly::zero(), &Poly::new(vec![3, 1]))?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.subresultants.is_empty()
    }

    /// S_0, S_1, … in order.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let (a, b) = (Poly::new(vec![1, 0, 0, 0, 1]), Poly::new(vec![3, 0, 1])); // x⁴ + 1, x² + 3
    /// let chain = ring.subresultant_chain(&a, &b)?;
    /// let degrees: Vec<_> = chain.iter().map(Poly::degree).collect();
    /// assert_eq!(degrees, [Some(0), Some(0), Some(2)]); // S_1 is defective
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> std::slice::Iter<'_, Poly<E>> {
        self.subresultants.iter()
    }
}

impl<E: Copy + Default> SubresultantChain<E> {
    /// The principal coefficient of S_`j`: that of x^`j`, 0 if the degree of S_`j` is less (S_`j` is
    /// *defective*); `None` if the chain ends before.
    ///
    /// The degree of the greatest common divisor is the least j for which it is not 0.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let (a, b) = (Poly::new(vec![1, 0, 0, 0, 1]), Poly::new(vec![3, 0, 1])); // x⁴ + 1, x² + 3
    /// let chain = ring.subresultant_chain(&a, &b)?;
    /// let principal = [0, 1, 2, 3].map(|j| chain.principal(j));
    /// assert_eq!(principal, [Some(100), Some(0), Some(1), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn principal(&self, j: usize) -> Option<E> {
        let subresultant = self.get(j)?;
        let coefficient = subresultant.coefficients().get(j).copied();
        Some(coefficient.unwrap_or_default())
    }
}

impl<'a, E> IntoIterator for &'a SubresultantChain<E> {
    type Item = &'a Poly<E>;
    type IntoIter = std::slice::Iter<'a, Poly<E>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<F: CoefficientField> PolyRing<F> {
    /// The subresultants S_0, …, S_min(m, n) of `a` of degree m and `b` of degree n.
    ///
    /// For j < min(m, n), S_j is the determinant of the square matrix of size m + n − 2j with these rows:
    /// x^(n−j−1)·a, …, x·a, a, and below them x^(m−j−1)·b, …, x·b, b. Each row lists the polynomial's
    /// coefficients of x^(m+n−j−1), …, x^(j+1), the highest power first, and then, in the last column, the
    /// polynomial itself. So S_j has degree j at most, its coefficient of x^j is the minor of the Sylvester
    /// matrix, and S_0 is the resultant as [`PolyRing::resultant`] has it. Above these
    ///
    /// - if m > n, S_n = lc(b)^(m−n−1)·b, by the same definition: there are no rows of a;
    /// - if m < n, S_m = lc(a)^(n−m−1)·a likewise;
    /// - if m = n, where the matrix would be empty, S_n = b by convention, which like all others commutes
    ///   with homomorphisms that keep both degrees (of two constants S_0 = 1, the resultant).
    ///
    /// Operands may come in any order: for j < min(m, n) the chain of (b, a) has (−1)^((m−j)(n−j))·S_j. Of a
    /// constant c and a polynomial of degree n > 0 it is only S_0 = c^n. If an operand is 0, and thus
    /// without a degree, the chain is empty.
    ///
    /// S_j = u·a + v·b for some u and v with deg u < n − j and deg v < m − j. The first S_j that is not 0,
    /// from S_0 upward, is a greatest common divisor, and has degree j. Takes O(m·n) operations of the field
    /// and one inversion for all degrees that drop by one; the result has up to n²/2 coefficients.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let (a, b) = (Poly::new(vec![5, 0, 0, 1]), Poly::new(vec![1, 3, 2])); // x³ + 5, 2x² + 3x + 1
    /// let chain = ring.subresultant_chain(&a, &b)?;
    /// assert_eq!(chain.get(2), Some(&b));
    /// assert_eq!(chain.get(1), Some(&Poly::new(vec![23, 7]))); // 2²·a − (2x − 3)·b
    /// assert_eq!(chain.principal(0), Some(ring.resultant(&a, &b)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn subresultant_chain(
        &self,
        a: &Poly<F::Elem>,
        b: &Poly<F::Elem>,
    ) -> Result<SubresultantChain<F::Elem>, PolyError> {
        (F::compiled().subresultant_chain)(self, a, b)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn subresultant_chain_here(
        &self,
        a: &Poly<F::Elem>,
        b: &Poly<F::Elem>,
    ) -> Result<SubresultantChain<F::Elem>, PolyError> {
        let (Some(degree_a), Some(degree_b)) = (a.degree(), b.degree()) else {
            return Ok(SubresultantChain {
                subresultants: Vec::new(),
            });
        };
        let (high, low) = if degree_a < degree_b { (b, a) } else { (a, b) };
        Budget::system().require(chain_bytes::<F::Elem>(low.len()))?;
        let Multiples {
            mut remainders,
            factors,
        } = self.multiples(high.coefficients(), low.coefficients())?;
        let field = self.field();
        let mut inverses: Vec<F::Elem> = factors.iter().map(|(_, factor)| factor.under).collect();
        // They are products of leading coefficients: all have inverses.
        let inverted = field.batch_inv(&mut inverses);
        debug_assert!(inverted.is_ok());
        for ((j, factor), inverse) in factors.into_iter().zip(inverses) {
            let mut multiple = field.mul(factor.over, inverse);
            // Rows of one operand trade places with those of the other, one at a time.
            if degree_a < degree_b && (degree_a - j) % 2 == 1 && (degree_b - j) % 2 == 1 {
                multiple = field.neg(multiple);
            }
            if multiple != field.one() {
                field.scale_slice(&mut remainders[j], multiple);
            }
        }
        Ok(SubresultantChain {
            subresultants: remainders.into_iter().map(Poly::new).collect(),
        })
    }

    /// The subresultants of `a` and `b`, no longer than `a`, up to factors. Neither is 0.
    fn multiples(&self, a: &[F::Elem], b: &[F::Elem]) -> Result<Multiples<F::Elem>, PolyError> {
        let field = self.field();
        let one = Ratio::integral(field, field.one());
        let mut remainders = vec![Vec::new(); b.len()];
        let mut factors = Vec::with_capacity(b.len());
        // Two remainders that follow each other. The earlier one, which is a at first, times
        // `factor_above` is regular, of leading coefficient `leading_above`: as if it were 1 for a, of
        // which there are no minors. The later one times `factor` is the subresultant next below.
        let mut above: Option<usize> = None;
        let mut degree = b.len() - 1;
        let (mut factor_above, mut leading_above, mut factor) = (one, one, one);
        remainders[degree] = b.to_vec();
        loop {
            let (upper, lower) = (above.map_or(a, |j| &remainders[j]), &remainders[degree]);
            let leading = Ratio::integral(field, lower[degree]);
            let drop = upper.len() - lower.len();
            let ratio = factor.div(field, leading_above);
            let leading_ratio = ratio.mul(field, leading);
            let regular = match drop {
                0 => one.div(field, leading),
                1 => factor,
                _ => leading_ratio.pow(field, drop - 1).mul(field, factor),
            };
            let by_convention = upper.len() == lower.len() && degree > 0;
            factors.push((degree, if by_convention { one } else { regular }));
            if degree == 0 {
                break;
            }
            let mut next = self.next_remainder(upper, lower)?;
            while next.last() == Some(&field.zero()) {
                next.pop();
            }
            if next.is_empty() {
                break;
            }
            let powers = if pseudo_remainder_is_taken(drop) {
                ratio.pow(field, drop + 1)
            } else {
                leading_ratio.pow(field, drop + 1)
            };
            let mut below = powers.mul(field, factor_above);
            if drop.is_multiple_of(2) {
                below.over = field.neg(below.over);
            }
            let next_degree = next.len() - 1;
            if next_degree < degree - 1 {
                // A defective one, which reappears at the index that is its degree.
                remainders[degree - 1] = next.clone();
                factors.push((degree - 1, below));
            }
            leading_above = regular.mul(field, leading);
            (factor_above, factor) = (regular, below);
            (above, degree) = (Some(degree), next_degree);
            remainders[degree] = next;
        }
        Ok(Multiples {
            remainders,
            factors,
        })
    }

    /// The remainder of `a` by `b`, no longer and not constant; times lc(b)^(1 + deg a − deg b) if
    /// [`pseudo_remainder_is_taken`]. It may end with zeros.
    fn next_remainder(&self, a: &[F::Elem], b: &[F::Elem]) -> Result<Vec<F::Elem>, PolyError> {
        let (field, len) = (self.field(), b.len() - 1);
        let (leading_a, leading_b) = (a[a.len() - 1], b[len]);
        let mut remainder = vec![field.zero(); len];
        match a.len() - b.len() {
            0 => {
                let terms = [(leading_b, &a[..len]), (field.neg(leading_a), &b[..len])];
                field.combine_slices(&mut remainder, terms);
            }
            1 => {
                let square = field.mul(leading_b, leading_b);
                // Minus the pseudo-quotient q₁x + q₀.
                let q1 = field.neg(field.mul(leading_a, leading_b));
                let q0 = field.sub(
                    field.mul(leading_a, b[len - 1]),
                    field.mul(leading_b, a[len]),
                );
                remainder[0] = field.add(field.mul(square, a[0]), field.mul(q0, b[0]));
                let terms = [(square, &a[1..len]), (q0, &b[1..len]), (q1, &b[..len - 1])];
                field.combine_slices(&mut remainder[1..], terms);
            }
            _ => (_, remainder) = self.divide(a, b)?,
        }
        Ok(remainder)
    }
}

/// Whether remainders of polynomials whose degrees differ by `drop` are taken times a power of a leading
/// coefficient, which saves an inversion. Degrees that differ by more are rare.
const fn pseudo_remainder_is_taken(drop: usize) -> bool {
    drop <= 1
}

/// A chain up to factors.
struct Multiples<E> {
    /// By index; zeros have no coefficients.
    remainders: Vec<Vec<E>>,
    /// An index, and what its remainder times is the subresultant.
    factors: Vec<(usize, Ratio<E>)>,
}

/// An element as a fraction, which puts off its inversion.
#[derive(Clone, Copy)]
struct Ratio<E> {
    over: E,
    under: E,
}

impl<E: Copy> Ratio<E> {
    fn integral<F: Field<Elem = E>>(field: &F, over: E) -> Self {
        let under = field.one();
        Self { over, under }
    }

    fn mul<F: Field<Elem = E>>(self, field: &F, other: Self) -> Self {
        Self {
            over: field.mul(self.over, other.over),
            under: field.mul(self.under, other.under),
        }
    }

    /// By another that is not 0.
    fn div<F: Field<Elem = E>>(self, field: &F, other: Self) -> Self {
        self.mul(
            field,
            Self {
                over: other.under,
                under: other.over,
            },
        )
    }

    fn pow<F: Field<Elem = E>>(self, field: &F, exponent: usize) -> Self {
        Self {
            over: field.pow(self.over, exponent as u64),
            under: field.pow(self.under, exponent as u64),
        }
    }
}

/// Bytes of a chain whose longest polynomial has `len` coefficients.
const fn chain_bytes<E>(len: usize) -> u64 {
    let each = size_of::<E>() as u64;
    let len = len as u64;
    let coefficients = len.saturating_mul(len.saturating_add(1)) / 2;
    coefficients
        .saturating_mul(each)
        .saturating_add(len.saturating_mul(size_of::<Poly<E>>() as u64))
}
