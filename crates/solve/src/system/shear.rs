//! Directions of projection, and polynomials in coordinates along them.
//!
//! The solutions (x, y) are projected to t = x + s·y for a small integer s, or to t = y. In coordinates (t, u) the polynomial f
//! is f(t − s·u, u), or f with its variables exchanged: f(u, t). Both maps have determinant ±1, so that they keep intersection
//! numbers. By the binomial theorem the first takes i + 1 products for each term x^i·y^j: d³/6 for a dense f of degree d.

use std::fmt;

use sunzi_integer::Integer;

use sunzi_poly::{BivariatePoly, Poly};

/// From here on all integers are taken.
const MOST_GROWING: i64 = 1000;

/// Onto which line solutions are projected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Onto t = y.
    Y,
    /// Onto t = x + `slope`·y.
    Shear {
        /// The integer before y; 0 projects onto x.
        slope: i64,
    },
}

impl Direction {
    /// Infinitely many, the simplest first: x, y, then x + s·y for growing s of either sign. Points with small integers as
    /// coordinates coincide in many directions of small integers, so that s grows by Fibonacci's numbers at first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let growing = std::iter::successors(Some((1i64, 2i64)), |&(a, b)| Some((b, a + b)));
        let growing = growing.map(|(a, _)| a).take_while(|&s| s < MOST_GROWING);
        let signs = [1, -1].into_iter().cycle();
        let slopes = [1, -1].into_iter().chain(
            growing
                .skip(1)
                .chain(MOST_GROWING..)
                .zip(signs)
                .map(|(s, sign)| s * sign),
        );
        let shears = slopes.map(|slope| Self::Shear { slope });
        [Self::Shear { slope: 0 }, Self::Y]
            .into_iter()
            .chain(shears)
    }

    /// The polynomial in coordinates t and u, where the second coordinate u is y, or x if t = y.
    pub(crate) fn apply(self, f: &BivariatePoly<Integer>) -> BivariatePoly<Integer> {
        match self {
            Self::Y => f.swapped(),
            Self::Shear { slope: 0 } => f.clone(),
            Self::Shear { slope } => sheared(f, slope),
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Y => write!(out, "y"),
            Self::Shear { slope: 0 } => write!(out, "x"),
            Self::Shear { slope: 1 } => write!(out, "x + y"),
            Self::Shear { slope: -1 } => write!(out, "x - y"),
            Self::Shear { slope } if slope < 0 => write!(out, "x - {}*y", slope.unsigned_abs()),
            Self::Shear { slope } => write!(out, "x + {slope}*y"),
        }
    }
}

/// f(t − s·u, u) by rows of powers of u.
fn sheared(f: &BivariatePoly<Integer>, slope: i64) -> BivariatePoly<Integer> {
    let Some(degree) = f.total_degree() else {
        return BivariatePoly::zero();
    };
    // rows[j][i]: the coefficient of t^i·u^j.
    let row = |j: usize| vec![Integer::ZERO; degree + 1 - j];
    let mut rows: Vec<Vec<Integer>> = (0..=degree).map(row).collect();
    for power in 0..=f.degree_x().unwrap_or(0) {
        let of_power = |row: &'_ Poly<Integer>| row.coefficients().get(power).cloned();
        let terms = (0..).zip(f.rows().iter().map(of_power));
        let terms: Vec<(usize, Integer)> = terms
            .filter_map(|(j, c)| Some((j, c.filter(|c| !c.is_zero())?)))
            .collect();
        if terms.is_empty() {
            continue;
        }
        // C(power, k)·(−s)^k.
        let mut factor = Integer::ONE;
        for k in 0..=power {
            for (j, coefficient) in &terms {
                rows[j + k][power - k] += coefficient * &factor;
            }
            factor = factor * Integer::from(power - k) * -slope / Integer::from(k + 1);
        }
    }
    BivariatePoly::new(rows.into_iter().map(Poly::new).collect())
}
