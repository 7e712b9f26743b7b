//! What solving will take, before it starts.

use std::fmt;

use super::image::degree_bound;
use super::problem::BivariateSystem;
use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, subresultant_bits};

/// Bits of the primes of images, and what they have at least.
const PRIME_BITS: f64 = 29.0;

/// What the resultant and the first subresultant in y take, which is most of solving a system if the direction x is generic and there is
/// no common curve. Another direction takes two resultants more, and another bound; zero or constant operands take nothing.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::Poly;
/// use sunzi::solve::{BivariatePoly, BivariateSystem};
///
/// let row = |c: &[i32]| Poly::new(c.iter().map(|&c| Integer::from(c)).collect());
/// let cubic = BivariatePoly::new(vec![row(&[1, 0, 0, 5]), row(&[-3, 2]), row(&[]), row(&[1])]);
/// let line = BivariatePoly::new(vec![row(&[0, 1]), row(&[-1])]);
/// let plan = BivariateSystem::over_integers(cubic, line).plan();
/// assert_eq!((plan.solutions, plan.points, plan.primes), (3, 4, 1));
/// println!("{plan}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemPlan {
    /// The degrees of f and g in x.
    pub degrees_x: [usize; 2],
    /// The degrees of f and g in y.
    pub degrees_y: [usize; 2],
    /// The total degrees of f and g.
    pub total_degrees: [usize; 2],
    /// Resultants' degrees are at most this: so many complex solutions there can be.
    pub solutions: usize,
    /// Bits of the bound of all coefficients of the resultant in y.
    pub bound_bits: usize,
    /// About how many primes that is.
    pub primes: usize,
    /// Points of evaluation for each prime.
    pub points: usize,
    /// About the bytes of all images, and of the integers that they are put together to.
    pub bytes: u64,
}

impl BivariateSystem {
    /// What solving will take, at least, if the direction x is generic and there is no common curve: computed from degrees and
    /// lengths of coefficients alone.
    pub fn plan(&self) -> SystemPlan {
        let both = [&self.f, &self.g];
        let some = |degree: fn(&BivariatePoly<Integer>) -> Option<usize>| {
            both.map(|f| degree(f).unwrap_or(0))
        };
        let degrees_y = some(BivariatePoly::degree_y);
        let trivial = both.iter().any(|f| f.total_degree().unwrap_or(0) == 0);
        let solutions = if trivial {
            0
        } else {
            degree_bound(both[0], both[1])
        };
        let bits = if trivial {
            0.0
        } else {
            subresultant_bits(both[0], both[1], 0)
        };
        let points = if trivial { 0 } else { solutions + 1 };
        // S_0, and both coefficients of S_1; a residue is a word, first as a value, then as a coefficient.
        let columns = if degrees_y.iter().min() > Some(&1) {
            3
        } else {
            1
        };
        let primes = (bits / PRIME_BITS).ceil() as usize;
        let words = 2 * primes as u64 + bits as u64 / 64 + 4;
        SystemPlan {
            degrees_x: some(BivariatePoly::degree_x),
            degrees_y,
            total_degrees: some(BivariatePoly::total_degree),
            solutions,
            bound_bits: bits.ceil() as usize,
            primes,
            points,
            bytes: (8 * columns * points as u64).saturating_mul(words),
        }
    }
}

impl fmt::Display for SystemPlan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([a, b], [m, n], [d, e]) = (self.degrees_x, self.degrees_y, self.total_degrees);
        writeln!(
            out,
            "degrees in x {a} and {b}, in y {m} and {n}, total {d} and {e}"
        )?;
        writeln!(out, "at most {} complex solutions", self.solutions)?;
        let (bits, primes, points) = (self.bound_bits, self.primes, self.points);
        writeln!(
            out,
            "resultant in y: coefficients of {bits} bits, {primes} primes, {points} points"
        )?;
        write!(out, "about {} bytes", self.bytes)
    }
}
