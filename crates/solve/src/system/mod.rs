//! All solutions of two equations f(x, y) = g(x, y) = 0 over Z and Q.
//!
//! **Problem.** Every real solution in a box that is proved to hold no other one, with its multiplicity; how many complex ones there
//! are; the common curve. **Algorithm.** Elimination by projection in a generic direction:
//!
//! 1. The solutions are projected to t = x, t = y, or t = x + s·y for a small integer s ([`shear`]). Modulo one prime it shows which
//!    direction is generic, and whether f and g have a common factor h ([`image`]); if so, f/h and g/h are solved.
//! 2. The resultant R(t) and some subresultants are computed over Z by their images modulo many primes ([`eliminate`]), and so are
//!    the resultants R_x and R_y of the given polynomials.
//! 3. [`separate`] proves that there is one point over each root of R, and tells the point by a quotient of polynomials in t. The
//!    multiplicity of the root is that of the point.
//! 4. Real roots of R, R_x and R_y are isolated, and each real root of R is *lifted*: [`lift`] finds the roots of R_x and R_y that
//!    are its point's coordinates. Boxes are made of their isolating intervals.
//!
//! Nothing at infinity is among the solutions: R has no root for such a point, since leading coefficients have no common root. Steps
//! 1 and 2 are as those of E. Berberich, P. Emeliyanenko, A. Kobel, M. Sagraloff, *Exact symbolic-numeric computation of planar
//! algebraic curves* (2011); Y. Bouzidi, S. Lazard, M. Pouget, F. Rouillier, *Separating linear forms for bivariate systems* (2013),
//! tell of generic directions.

pub(crate) mod ball;
mod common;
mod eliminate;
mod image;
mod lift;
mod plan;
mod problem;
mod search;
mod separate;
mod shear;
mod solution;
mod solver;

pub use plan::SystemPlan;
pub use problem::BivariateSystem;
pub use shear::Direction;
pub use solution::{ComplexCount, Solution, Solutions, Steps};
