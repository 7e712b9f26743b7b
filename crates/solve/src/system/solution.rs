//! What solving a system gives: its real solutions, and what is known of all of them.

use dashu_int::IBig;
use sunzi_machine::threads::Threads;

use super::shear::Direction;
use crate::roots::RealRoot;
use sunzi_poly::BivariatePoly;

/// A real solution (x, y) of a system, in a box that holds no other one.
///
/// The ends of the box are dyadic; a coordinate that is itself dyadic may be known as a point, where both ends are that number.
/// Each coordinate is a root of a polynomial in one variable, so that it is refined by itself, and coordinates of different
/// solutions are equal only if their enclosures are the same.
///
/// ```
/// use dashu_int::IBig;
/// use sunzi_poly::Poly;
/// use sunzi_poly::BivariatePoly;
/// use sunzi_solve::BivariateSystem;
///
/// let row = |c: &[i32]| Poly::new(c.iter().map(|&c| IBig::from(c)).collect());
/// // The parabola y = x² and its tangent y = 0.
/// let parabola = BivariatePoly::new(vec![row(&[0, 0, -1]), row(&[1])]);
/// let tangent = BivariatePoly::new(vec![row(&[]), row(&[1])]);
/// let solved = BivariateSystem::new(parabola, tangent).solve()?;
/// let touching = &solved.solutions[0];
/// assert_eq!((solved.solutions.len(), touching.multiplicity(), touching.is_isolated()), (1, 2, true));
/// # Ok::<(), sunzi_poly::PolyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solution {
    pub(super) x: RealRoot,
    pub(super) y: RealRoot,
    pub(super) multiplicity: usize,
    pub(super) isolated: bool,
}

impl Solution {
    /// The first coordinate; its multiplicity as a root is that in the polynomial that y was eliminated from.
    pub fn x(&self) -> &RealRoot {
        &self.x
    }

    /// The second coordinate.
    pub fn y(&self) -> &RealRoot {
        &self.y
    }

    /// The intersection number of the two curves at this point: 1 if they cross there with different tangents. Where the curves
    /// have a common one, it is that of the curves that are left without it.
    pub fn multiplicity(&self) -> usize {
        self.multiplicity
    }

    /// Whether the solution is not on a common curve.
    pub fn is_isolated(&self) -> bool {
        self.isolated
    }

    /// Makes both sides of the box at most 2^−`bits` wide.
    pub fn refine(&mut self, bits: i64) {
        self.x.refine(bits);
        self.y.refine(bits);
    }
}

/// How many solutions a system has over the complex numbers, without those at infinity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComplexCount {
    /// Points.
    pub distinct: usize,
    /// The sum of their multiplicities.
    pub with_multiplicity: usize,
}

/// All solutions of a system, and how they are known.
#[derive(Clone, Debug)]
pub struct Solutions {
    /// The real solutions in disjoint boxes, ascending by x, then by y. If there is a common curve: those of the system without
    /// it, of which some may lie on it.
    pub solutions: Vec<Solution>,
    /// The greatest common divisor of both polynomials if it is no constant: every point of that curve is a solution. It is
    /// primitive.
    pub common_curve: Option<BivariatePoly<IBig>>,
    /// Complex solutions; if there is a common curve, those of the system without it.
    pub complex: ComplexCount,
    /// Onto which line the solutions were projected; `None` if none was needed, as for a constant polynomial.
    pub direction: Option<Direction>,
    /// Bits of the proved bound of the coefficients of the resultant in that direction.
    pub bound_bits: usize,
    /// Primes modulo which polynomials were eliminated, for all of them together.
    pub primes: usize,
    /// Primes that were dropped.
    pub dropped: usize,
    /// Whether all that is told is proved: always without early termination. Else it is wrong for one seed in
    /// 2^[`ERROR_BITS`](sunzi_rns::early::ERROR_BITS) at most.
    pub proved: bool,
    /// Where the time went.
    pub steps: Steps,
}

impl Solutions {
    /// Makes both sides of all boxes at most 2^−`bits` wide.
    pub fn refine(&mut self, bits: i64) {
        let refinement = &mut self.steps.refinement;
        let all = self.solutions.iter_mut();
        timed(refinement, || {
            Threads::all().each(all, |solution| solution.refine(bits))
        });
    }
}

/// Seconds that each step of solving took, by the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steps {
    /// The common curve, and a direction in which no two solutions coincide, found by images modulo one prime.
    pub direction: f64,
    /// Resultants and subresultants over Z.
    pub elimination: f64,
    /// Square-free parts, and the proof that the direction is one.
    pub separation: f64,
    /// Real roots of the resultants.
    pub isolation: f64,
    /// The points over the roots, and what their coordinates are roots of.
    pub lifting: f64,
    /// Boxes as small as asked for.
    pub refinement: f64,
}

impl Steps {
    /// All of them.
    pub fn total(&self) -> f64 {
        self.named().iter().map(|(_, seconds)| seconds).sum()
    }

    /// The steps in their order, with their names.
    pub fn named(&self) -> [(&'static str, f64); 6] {
        [
            ("direction", self.direction),
            ("elimination", self.elimination),
            ("separation", self.separation),
            ("isolation", self.isolation),
            ("lifting", self.lifting),
            ("refinement", self.refinement),
        ]
    }
}

/// Adds the time that `work` takes to `seconds`.
pub(super) fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = std::time::Instant::now();
    let done = work();
    *seconds += start.elapsed().as_secs_f64();
    done
}
