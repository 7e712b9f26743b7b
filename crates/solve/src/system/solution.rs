//! What solving a system gives: its real solutions, and what is known of all of them.

use std::fmt;
use sunzi_integer::Integer;
use sunzi_machine::threads::Threads;

use super::shear::Direction;
use crate::apart::{self, DIGITS, line};
use crate::roots::RealRoot;
use sunzi_poly::BivariatePoly;

/// A real solution (x, y) of a system, in a box that holds no other one.
///
/// The ends of the box are dyadic; a coordinate that is itself dyadic may be known as a point, where both ends are that number.
/// Each coordinate is a root of a polynomial in one variable, so that it is refined by itself, and coordinates of different
/// solutions are equal only if their enclosures are the same.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::Poly;
/// use sunzi::solve::{BivariatePoly, BivariateSystem};
///
/// let row = |c: &[i32]| Poly::new(c.iter().map(|&c| Integer::from(c)).collect());
/// // The parabola y = x² and its tangent y = 0.
/// let parabola = BivariatePoly::new(vec![row(&[0, 0, -1]), row(&[1])]);
/// let tangent = BivariatePoly::new(vec![row(&[]), row(&[1])]);
/// let solved = BivariateSystem::over_integers(parabola, tangent).solve()?;
/// let touching = &solved.solutions[0];
/// assert_eq!((solved.solutions.len(), touching.multiplicity(), touching.is_isolated()), (1, 2, true));
/// # Ok::<(), sunzi::poly::PolyError>(())
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
    /// primitive, and its first term, of the highest degree and then of the highest power of x, is positive.
    pub common_curve: Option<BivariatePoly<Integer>>,
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

impl Solutions {
    /// The coordinates of the solutions in decimal, with as many significant digits as are wanted; solutions that would be written alike have
    /// as many more as tell them apart. With each comes how many digits it has.
    ///
    /// ```
    /// use sunzi::solve::BivariateSystem;
    ///
    /// let found = BivariateSystem::new("x^2 - 2".parse()?, "y - x".parse()?).solve()?;
    /// assert_eq!(found.decimals(4)[1], (["1.414", "1.414"].map(String::from), 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn decimals(&self, digits: usize) -> Vec<([String; 2], usize)> {
        apart::written(&self.solutions, digits, |solution, digits| {
            [&solution.x, &solution.y].map(|root| root.to_decimal(digits))
        })
    }
}

/// The common curve, if there is one, and a solution a line, with ten significant digits or as many as are asked for (`{:.20}`), and more
/// where they tell solutions apart.
///
/// ```
/// use sunzi::solve::BivariateSystem;
///
/// let found = BivariateSystem::new("x^2 + y^2 - 1".parse()?, "y - 1".parse()?).solve()?;
/// assert_eq!(found.to_string(), "(0, 1) (multiplicity 2)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Solutions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let curve = self.common_curve.iter().map(|curve| format!("{curve} = 0"));
        let texts = self.decimals(f.precision().unwrap_or(DIGITS).max(1));
        let points = self.solutions.iter().zip(texts);
        let points = points
            .map(|(solution, ([x, y], _))| line(&format!("({x}, {y})"), solution.multiplicity));
        f.write_str(&curve.chain(points).collect::<Vec<_>>().join("\n"))
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
