//! Greatest common divisors, cofactors and resultants over a field.
//!
//! **Problem.** For a and b: their monic greatest common divisor g; s and t with g = s·a + t·b; their
//! resultant. **Algorithm.** Euclid's, in which degrees may drop by more than one at any step.
//!
//! - Short operands go step by step (`euclid`). A remainder is taken times a factor, so that no step
//!   inverts an element: where the degree drops by one, r = l²·a − (q₁x + q₀)·b, l the leading
//!   coefficient of b, in one pass over memory with one reduction a coefficient.
//! - What a number of steps does to a and b depends on their leading coefficients alone. It is found from
//!   these and then applied to the others at once, as a matrix of polynomials (`half`): the half-GCD
//!   (R. Moenck, *Fast computation of GCDs*, 1973; K. Thull, C. Yap, *A unified approach to HGCD
//!   algorithms for polynomials and integers*, 1990), whose shortest blocks of steps are those of
//!   S. Haque and M. Moreno Maza, *Plain polynomial arithmetic on GPU* (2012). Every polynomial that is
//!   multiplied more than once (the matrices' entries) is transformed once, and sums of products are
//!   transformed back as one, but for those over big prime fields (`matrix`).
//! - The resultant follows from the leading coefficients and degrees of all remainders (`history`), which
//!   the half-GCD passes by.
//!
//! **Floor.** With T(n) a transform of n points, halving the degree n takes 8·T(3n/4) for the first half of
//! the steps and 8·T(n/2) for the second, and as much again in each half, recursively, and 8·T(n/2) for the
//! product of the two matrices: 14·T(n)·log₂(n/n₀) down to blocks of n₀ coefficients.

mod euclid;
mod half;
mod history;
mod matrix;
mod square_free;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::{Poly, trim};
use crate::ring::PolyRing;
use history::History;
use matrix::Matrix;
pub use square_free::SquareFreeFactors;
use sunzi_machine::threads::Threads;

/// A greatest common divisor and its cofactors: `gcd = s·a + t·b`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtendedGcd<E> {
    /// The greatest common divisor, monic; 0 if both operands are.
    pub gcd: Poly<E>,
    /// The cofactor of the first operand.
    pub s: Poly<E>,
    /// The cofactor of the second operand.
    pub t: Poly<E>,
}

impl<F: CoefficientField> PolyRing<F> {
    /// The monic greatest common divisor of `a` and `b`; 0 if both are 0.
    ///
    /// Takes O(M(n)·log n) operations, M(n) those of a product of the operands' length.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let (a, b) = (Poly::new(vec![100, 0, 1]), Poly::new(vec![2, 4, 2])); // x² − 1, 2(x + 1)²
    /// assert_eq!(ring.gcd(&a, &b)?.coefficients(), [1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn gcd(&self, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Result<Poly<F::Elem>, PolyError> {
        (F::compiled().gcd)(self, a, b)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn gcd_here(
        &self,
        a: &Poly<F::Elem>,
        b: &Poly<F::Elem>,
    ) -> Result<Poly<F::Elem>, PolyError> {
        let mut run = Run::of(self, a, b);
        run.finish()?;
        let mut gcd = run.a;
        self.make_monic(&mut gcd);
        Ok(Poly::new(gcd))
    }

    /// The monic greatest common divisor of `a` and `b`, with cofactors s and t: g = s·a + t·b.
    ///
    /// Where neither operand divides the other, deg s < deg b − deg g and deg t < deg a − deg g, which
    /// determines them. If b divides a, s is 0 and t constant; else, if a divides b, t is 0. Takes as many
    /// operations as [`PolyRing::gcd`], up to a constant.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let (a, b) = (Poly::new(vec![1, 0, 1]), Poly::new(vec![0, 1])); // x² + 1, x
    /// let found = ring.xgcd(&a, &b)?; // 1 = (x² + 1) − x·x
    /// assert_eq!(found.gcd.coefficients(), [1]);
    /// assert_eq!(found.s.coefficients(), [1]);
    /// assert_eq!(found.t.coefficients(), [0, 100]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn xgcd(
        &self,
        a: &Poly<F::Elem>,
        b: &Poly<F::Elem>,
    ) -> Result<ExtendedGcd<F::Elem>, PolyError> {
        (F::compiled().xgcd)(self, a, b)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn xgcd_here(
        &self,
        a: &Poly<F::Elem>,
        b: &Poly<F::Elem>,
    ) -> Result<ExtendedGcd<F::Elem>, PolyError> {
        let mut run = Run::of(self, a, b);
        run.matrices = Some(Vec::new());
        run.finish()?;
        let [mut s, mut t] = match run.matrices {
            // The first row of the matrices' product, the latest first.
            Some(matrices) if !matrices.is_empty() => matrix::first_row(self, &matrices)?,
            _ => [vec![self.field().one()], Vec::new()],
        };
        let mut gcd = run.a;
        let factor = self.make_monic(&mut gcd);
        self.field().scale_slice(&mut s, factor);
        self.field().scale_slice(&mut t, factor);
        Ok(ExtendedGcd {
            gcd: Poly::new(gcd),
            s: Poly::new(s),
            t: Poly::new(t),
        })
    }

    /// The resultant of `a` and `b`: the determinant of their Sylvester matrix, the product of the leading
    /// coefficients' powers and of all differences of a root of `a` and one of `b`.
    ///
    /// It is 0 if they have a common root. Of a constant c and a polynomial of degree n it is c^n, of two
    /// constants 1; of 0 and any polynomial it is 0, as FLINT and SymPy have it: then the product with any other operand has
    /// the product of the resultants. Takes as long as [`PolyRing::gcd`].
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let (a, b) = (Poly::new(vec![6, 96, 1]), Poly::new(vec![97, 2])); // (x − 2)(x − 3), 2(x − 2)
    /// assert_eq!(ring.resultant(&a, &b)?, 0);
    /// assert_eq!(ring.resultant(&a, &Poly::new(vec![0, 1]))?, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn resultant(&self, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Result<F::Elem, PolyError> {
        (F::compiled().resultant)(self, a, b)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn resultant_here(
        &self,
        a: &Poly<F::Elem>,
        b: &Poly<F::Elem>,
    ) -> Result<F::Elem, PolyError> {
        let field = self.field();
        let (Some(degree_a), Some(degree_b)) = (a.degree(), b.degree()) else {
            return Ok(field.zero());
        };
        let mut run = Run::of(self, a, b);
        run.history = Some(History::new());
        run.finish()?;
        let history = run.history.unwrap_or_default();
        Ok(history.resultant(field, [degree_a, degree_b], &run.a))
    }

    /// The discriminant of `f` of degree n and leading coefficient l: (−1)^(n(n−1)/2)·res(f, f')/l, the resultant being that of a
    /// derivative of degree n − 1, so that it is the image of the discriminant over Z, also where p divides n.
    ///
    /// It is l^(2n − 2) times the product of the squares of all differences of roots, and 0 if and only if there is a multiple root.
    /// Of constants it is 0 by convention, of degree 1 it is 1. Takes as long as [`PolyRing::gcd`].
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// assert_eq!(ring.discriminant(&Poly::new(vec![5, 3, 2]))?, 70); // 2x² + 3x + 5: 3² − 4·2·5 = −31
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn discriminant(&self, f: &Poly<F::Elem>) -> Result<F::Elem, PolyError> {
        let field = self.field();
        let (Some(degree @ 1..), Some(&leading)) = (f.degree(), f.coefficients().last()) else {
            return Ok(field.zero());
        };
        let derivative = self.derivative(f);
        let Some(own) = derivative.degree() else {
            return Ok(field.zero());
        };
        let resultant = self.resultant(f, &derivative)?;
        // A row more for every degree that the derivative lacks, and one row is divided out.
        let missing = degree - 1 - own;
        let value = match (missing, field.inv(leading)) {
            (0, Some(inverse)) => field.mul(resultant, inverse),
            _ => field.mul(resultant, field.pow(leading, missing as u64 - 1)),
        };
        Ok(match degree % 4 {
            0 | 1 => value,
            _ => field.neg(value),
        })
    }

    /// The greatest common divisors of many pairs, several at a time if there are threads.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let (a, b) = (Poly::new(vec![100, 0, 1]), Poly::new(vec![1, 1])); // x² − 1, x + 1
    /// let found = ring.gcd_all(&[[a, b.clone()], [b.clone(), Poly::new(vec![2])]])?;
    /// assert_eq!(found, [b, Poly::new(vec![1])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::gcd`].
    pub fn gcd_all(&self, pairs: &[[Poly<F::Elem>; 2]]) -> Result<Vec<Poly<F::Elem>>, PolyError> {
        Threads::all().try_map(pairs, |[a, b]| self.gcd(a, b))
    }

    /// The resultants of many pairs, several at a time if there are threads.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let pair = |c| [vec![c, 1], vec![0, 1]].map(Poly::new); // x + c, x
    /// assert_eq!(ring.resultant_all(&[pair(7), pair(0)])?, [94, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::resultant`].
    pub fn resultant_all(&self, pairs: &[[Poly<F::Elem>; 2]]) -> Result<Vec<F::Elem>, PolyError> {
        Threads::all().try_map(pairs, |[a, b]| self.resultant(a, b))
    }

    /// Divides by the leading coefficient; returns the factor that does it, 1 for the zero polynomial.
    fn make_monic(&self, a: &mut [F::Elem]) -> F::Elem {
        let inverse = a.last().and_then(|&leading| self.field().inv(leading));
        let inverse = inverse.unwrap_or(self.field().one());
        self.field().scale_slice(a, inverse);
        inverse
    }
}

/// Euclid's algorithm on its way: two remainders that follow each other, up to factors.
struct Run<'r, F: CoefficientField> {
    ring: &'r PolyRing<F>,
    /// Without zeros at its end, as is `b`.
    a: Vec<F::Elem>,
    b: Vec<F::Elem>,
    /// What has led from the operands to `a` and `b`, if wanted: the latest last.
    matrices: Option<Vec<Matrix<F::Elem>>>,
    /// What resultants need to know of the steps, if wanted.
    history: Option<History<F::Elem>>,
}

impl<'r, F: CoefficientField> Run<'r, F> {
    fn of(ring: &'r PolyRing<F>, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Self {
        Self {
            ring,
            a: a.coefficients().to_vec(),
            b: b.coefficients().to_vec(),
            matrices: None,
            history: None,
        }
    }

    /// Goes on until `b` is 0.
    fn finish(&mut self) -> Result<(), PolyError> {
        while !self.b.is_empty() {
            let keep = self.matrices.is_some();
            let long = !euclid::is_short::<F>(self.b.len(), keep);
            if long && self.a.len() > self.b.len() && self.a.len() < 2 * self.b.len() {
                let (a, b) = (std::mem::take(&mut self.a), std::mem::take(&mut self.b));
                let half = half::half_gcd(self.ring, a, b, keep, self.history.as_mut())?;
                (self.a, self.b) = (half.a, half.b);
                self.keep(half.matrix);
            } else if long || self.a.len() > 2 * self.b.len() || self.a.len() < self.b.len() {
                self.divide()?;
            } else {
                let (a, b) = (std::mem::take(&mut self.a), std::mem::take(&mut self.b));
                let steps = euclid::steps(self.ring.field(), a, b, 0, keep, self.history.as_mut());
                (self.a, self.b) = (steps.a, steps.b);
                self.keep(steps.matrix);
            }
        }
        Ok(())
    }

    /// One step, by a division.
    fn divide(&mut self) -> Result<(), PolyError> {
        let (quotient, mut remainder) = self.ring.divide(&self.a, &self.b)?;
        trim(&mut remainder);
        if let Some(history) = &mut self.history {
            history.push(self.a.len(), &self.b, self.ring.field().one());
        }
        self.a = std::mem::replace(&mut self.b, remainder);
        if self.matrices.is_some() {
            self.keep(Some(Matrix::of_quotient(self.ring.field(), quotient)));
        }
        Ok(())
    }

    fn keep(&mut self, matrix: Option<Matrix<F::Elem>>) {
        if let (Some(matrices), Some(matrix)) = (&mut self.matrices, matrix) {
            matrices.push(matrix);
        }
    }
}
