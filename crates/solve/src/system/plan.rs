//! What solving will take, before it starts.

use std::fmt;

use super::image::degree_bound;
use super::problem::BivariateSystem;

/// What solving a system will take if the direction x is generic and there is no common curve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemPlan {
    /// The degrees of f and g in x.
    pub degrees_x: [usize; 2],
    /// The degrees of f and g in y.
    pub degrees_y: [usize; 2],
    /// The total degrees of f and g.
    pub total_degrees: [usize; 2],
    /// The resultants' degrees are at most this: so many complex solutions there can be.
    pub solutions: usize,
}

impl SystemPlan {
    pub(super) fn new(system: &BivariateSystem) -> Self {
        let both = [&system.f, &system.g];
        Self {
            degrees_x: both.map(|f| f.degree_x().unwrap_or(0)),
            degrees_y: both.map(|f| f.degree_y().unwrap_or(0)),
            total_degrees: both.map(|f| f.total_degree().unwrap_or(0)),
            solutions: degree_bound(both[0], both[1]),
        }
    }
}

impl fmt::Display for SystemPlan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            degrees_x: [a, b],
            degrees_y: [m, n],
            total_degrees: [d, e],
            solutions,
        } = self;
        writeln!(
            out,
            "degrees in x {a} and {b}, in y {m} and {n}, total {d} and {e}"
        )?;
        write!(out, "at most {solutions} complex solutions")
    }
}
