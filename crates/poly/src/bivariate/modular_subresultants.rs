//! Subresultants in y modulo a prime.
//!
//! **Problem.** S_j of f and g as polynomials in y, whose coefficients are polynomials in x. **Algorithm.** Evaluation and
//! interpolation (G. Collins, *The calculation of multivariate polynomial resultants*, 1971): at enough points ([`degrees`])
//! chains are computed ([`chains`]), and of the coefficients in demand polynomials in x are made ([`points`]).
//! No point is bad: S_j(x) is a minor of the values, whatever leading coefficients vanish there ([`formal`]). **Cost.** With n
//! for the degrees in y and D for that in x: O(D·n²) operations for the chains, and O(D log D) for each polynomial.
//!
//! [`degrees`]: super::degrees
//! [`chains`]: super::chains
//! [`points`]: super::points
//! [`formal`]: super::formal

use super::chains::Chains;
use super::degrees::subresultant_degree;
use super::lockstep::ChainShape;
use super::points::{HORNER, Points};
use super::{BivariateField, BivariatePoly, product_words};
use crate::{Poly, PolyError, PolyRing};
use sunzi_field::lanes::MAX_LANES;
use sunzi_machine::{InstructionSet, threads::Threads};

/// Products of words from which threads share the points.
const PARALLEL: usize = 1 << 18;
/// Points of a piece, at least.
const LEAST_POINTS: usize = 4 * MAX_LANES;

/// The subresultants of two polynomials that are computed at points: what all primes have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) shape: ChainShape,
    /// Whether the second polynomial has the greater degree in y, and comes first.
    pub(super) exchanged: bool,
    /// More than the degree in x of any of them.
    pub(super) count: usize,
    /// Transforms that one prime takes.
    pub(super) transforms: usize,
}

impl Problem {
    /// For polynomials that are not 0, whose degrees in y are both above all those in demand.
    pub(super) fn new<E>(f: &BivariatePoly<E>, g: &BivariatePoly<E>, wanted: Vec<usize>) -> Self {
        let degrees = [f, g].map(|f| f.rows().iter().map(Poly::degree).collect::<Vec<_>>());
        let bound = |&j: &usize| subresultant_degree(&degrees[0], &degrees[1], j);
        let count = wanted.iter().map(bound).max().unwrap_or(0) + 1;
        let exchanged = degrees[0].len() < degrees[1].len();
        let [high, low] = if exchanged { [1, 0] } else { [0, 1] };
        let shape = ChainShape::new([degrees[high].len() - 1, degrees[low].len() - 1], wanted);
        let long = |f: &BivariatePoly<E>| f.rows().iter().filter(|row| row.len() > HORNER).count();
        Self {
            transforms: shape.rows_out() + long(f) + long(g),
            shape,
            exchanged,
            count,
        }
    }

    /// About how many products of residues the chains take at all points.
    pub(super) fn products(&self) -> usize {
        let [m, n] = self.shape.degrees();
        self.count.saturating_mul((m + n).saturating_mul(n))
    }
}

/// Polynomials in x and y over a prime field, as polynomials in y.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::poly::Poly;
/// use sunzi::solve::{BivariatePoly, BivariateRing};
///
/// // x² + y² − 5 and xy − 2 meet where x⁴ − 5x² + 4 = 0.
/// let ring = BivariateRing::new(Fp32::new(101)?);
/// let f = BivariatePoly::new(vec![Poly::new(vec![96, 0, 1]), Poly::zero(), Poly::new(vec![1])]);
/// let g = BivariatePoly::new(vec![Poly::new(vec![99]), Poly::new(vec![0, 1])]);
/// assert_eq!(ring.resultant_y(&f, &g)?, Poly::new(vec![4, 0, 96, 0, 1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BivariateRing<F: BivariateField> {
    ring: PolyRing<F>,
    kernel: InstructionSet,
}

impl<F: BivariateField> BivariateRing<F> {
    /// Over this field, with the widest vectors of the processor.
    pub fn new(field: F) -> Self {
        Self::with_kernel(field, InstructionSet::detect())
    }

    /// With these vectors, or without any if the processor lacks them.
    pub fn with_kernel(field: F, kernel: InstructionSet) -> Self {
        Self {
            ring: PolyRing::new(field),
            kernel,
        }
    }

    /// The ring of the coefficients, polynomials in x.
    pub fn coefficients(&self) -> &PolyRing<F> {
        &self.ring
    }

    /// The resultant of f and g with respect to y, a polynomial in x: the determinant of their Sylvester matrix, in which rows
    /// of f come first. Conventions are those of [`PolyRing::resultant`]: of two polynomials of degree 0 in y it is 1, of 0 and any
    /// other 0.
    ///
    /// # Errors
    /// As [`BivariateRing::subresultants_y`].
    pub fn resultant_y(
        &self,
        f: &BivariatePoly<F::Elem>,
        g: &BivariatePoly<F::Elem>,
    ) -> Result<Poly<F::Elem>, PolyError> {
        let degrees = [f, g].map(BivariatePoly::degree_y);
        if degrees.contains(&None) {
            self.check(f)?;
            self.check(g)?;
            return Ok(Poly::zero());
        }
        let mut found = self.subresultants_y(f, g, &[0])?;
        let rows = found.pop().map(BivariatePoly::into_rows);
        Ok(rows.unwrap_or_default().pop().unwrap_or_default())
    }

    /// The subresultants S_j of f and g with respect to y, for each j in `wanted`: with m = deg_y f and n = deg_y g as
    /// [`PolyRing::subresultant_chain`] defines them for the coefficients in F_p\[x\]. Both are not 0, and j ≤ min(m, n).
    ///
    /// Takes O(D·m·n) operations for degrees up to D in x, of the size of m·n for polynomials of total degrees m and n, however
    /// many subresultants there are, and O(D log D) for each of their coefficients. Threads share points.
    ///
    /// # Errors
    /// [`PolyError::NoSubresultant`]; [`PolyError::FewPoints`] if p ≤ D; [`PolyError::CoefficientOutside`]; too little memory.
    pub fn subresultants_y(
        &self,
        f: &BivariatePoly<F::Elem>,
        g: &BivariatePoly<F::Elem>,
        wanted: &[usize],
    ) -> Result<Vec<BivariatePoly<F::Elem>>, PolyError> {
        self.check(f)?;
        self.check(g)?;
        let demand = Demand::new(f, g, wanted)?;
        let mut computed = Vec::new();
        if !demand.inner.is_empty() {
            let problem = Problem::new(f, g, demand.inner.clone());
            let points = Points::new(&self.ring, problem.count, problem.transforms)?;
            let threads =
                Threads::when(problem.products().saturating_mul(product_words::<F>()) >= PARALLEL);
            let rows = |f: &BivariatePoly<F::Elem>| f.rows().to_vec();
            computed = self.image(&problem, &points, [rows(f), rows(g)], threads)?;
        }
        let one = Poly::new(vec![self.ring.field().one()]);
        let top = || top_subresultant(f, g, &one, |a, b| self.ring.mul(a, b));
        Ok(demand.answer(wanted, computed, top))
    }

    /// Refuses coefficients that are no residues.
    pub(crate) fn check(&self, f: &BivariatePoly<F::Elem>) -> Result<(), PolyError> {
        let field = self.ring.field();
        for row in f.rows() {
            if let Some(index) = row
                .coefficients()
                .iter()
                .position(|&c| !field.is_canonical(c))
            {
                return Err(PolyError::CoefficientOutside { index });
            }
        }
        Ok(())
    }

    /// The S_j of a problem from the coefficients of two polynomials, as many as their formal degrees in y say and one more:
    /// leading ones may be 0.
    pub(super) fn image(
        &self,
        problem: &Problem,
        points: &Points<F>,
        operands: [Vec<Poly<F::Elem>>; 2],
        threads: Threads,
    ) -> Result<Vec<BivariatePoly<F::Elem>>, PolyError> {
        let (field, shape) = (self.ring.field(), &problem.shape);
        let [f, g] = &operands;
        let [high, low] = if problem.exchanged { [g, f] } else { [f, g] };
        debug_assert_eq!([high.len() - 1, low.len() - 1], shape.degrees());
        // Rows not a power of 2 apart, which would all fall into the same lines of a cache.
        let stride = points.len() + MAX_LANES;
        let mut values = vec![field.zero(); stride * shape.rows_in()];
        let rows = values.chunks_mut(stride).zip(high.iter().chain(low));
        threads.try_each(rows, |(values, row)| {
            points.evaluate(&mut values[..points.len()], row)
        })?;
        let piece = threads
            .piece(points.len(), LEAST_POINTS)
            .next_multiple_of(MAX_LANES);
        let starts = (0..points.len()).step_by(piece);
        let pieces = threads.try_map(starts, |start| {
            F::chains(&Chains {
                ring: &self.ring,
                kernel: self.kernel,
                shape,
                values: &values[start..],
                stride,
                points: points.len().min(start + piece) - start,
            })
        })?;
        let rows = threads.try_map(0..shape.rows_out(), |row| {
            let mut values = Vec::with_capacity(points.len());
            for piece in &pieces {
                let len = piece.len() / shape.rows_out();
                values.extend_from_slice(&piece[row * len..(row + 1) * len]);
            }
            points.interpolate(&mut values)
        })?;
        let mut rows = rows.into_iter();
        let [m, n] = shape.degrees();
        let subresultant = |&j: &usize| {
            let mut rows: Vec<_> = rows.by_ref().take(j + 1).collect();
            if problem.exchanged && (m - j) % 2 == 1 && (n - j) % 2 == 1 {
                rows = rows.iter().map(|row| self.ring.neg(row)).collect();
            }
            BivariatePoly::new(rows)
        };
        Ok(shape.wanted().iter().map(subresultant).collect())
    }
}

/// Subresultants in demand: those below both degrees in y, ascending, and perhaps the one above these.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    pub(super) inner: Vec<usize>,
    lesser: usize,
}

impl Demand {
    /// # Errors
    /// [`PolyError::NoSubresultant`].
    pub(super) fn new<E>(
        f: &BivariatePoly<E>,
        g: &BivariatePoly<E>,
        wanted: &[usize],
    ) -> Result<Self, PolyError> {
        let lesser = f.degree_y().zip(g.degree_y()).map(|(m, n)| m.min(n));
        if let Some(&index) = wanted
            .iter()
            .find(|&&j| lesser.is_none_or(|lesser| j > lesser))
        {
            return Err(PolyError::NoSubresultant {
                index,
                greatest: lesser,
            });
        }
        let lesser = lesser.unwrap_or(0);
        let mut inner: Vec<usize> = wanted.iter().copied().filter(|&j| j < lesser).collect();
        inner.sort_unstable();
        inner.dedup();
        Ok(Self { inner, lesser })
    }

    /// The subresultants in the order of `wanted`, from those of `inner` and what gives the one of the lesser degree.
    pub(super) fn answer<E: Clone>(
        &self,
        wanted: &[usize],
        computed: Vec<BivariatePoly<E>>,
        top: impl Fn() -> BivariatePoly<E>,
    ) -> Vec<BivariatePoly<E>> {
        let of = |j: &usize| match self.inner.binary_search(j) {
            Ok(place) if *j < self.lesser => computed[place].clone(),
            _ => top(),
        };
        wanted.iter().map(of).collect()
    }
}

/// S_j for the lesser degree j in y: a power of a leading coefficient times the polynomial that has it.
pub(super) fn top_subresultant<E: Clone + Default + PartialEq>(
    f: &BivariatePoly<E>,
    g: &BivariatePoly<E>,
    one: &Poly<E>,
    mul: impl Fn(&Poly<E>, &Poly<E>) -> Poly<E>,
) -> BivariatePoly<E> {
    let (m, n) = (f.rows().len(), g.rows().len());
    if m == n {
        return match n {
            1 => BivariatePoly::new(vec![one.clone()]),
            _ => g.clone(),
        };
    }
    let low = if m > n { g } else { f };
    let leading = &low.rows()[m.min(n) - 1];
    let exponent = m.abs_diff(n) - 1;
    let mut factor = one.clone();
    for bit in (0..usize::BITS - exponent.leading_zeros()).rev() {
        factor = mul(&factor, &factor);
        if exponent >> bit & 1 == 1 {
            factor = mul(&factor, leading);
        }
    }
    BivariatePoly::new(low.rows().iter().map(|row| mul(&factor, row)).collect())
}
