//! Subproduct trees on a device: a polynomial's values at any number of points, and the polynomial with given values, modulo
//! odd primes below 2^31 and 2^63, and modulo r^k + 1 with roots of unity of order 2N, for N = 2^n points.
//!
//! A prepared tree stays on the device and serves many polynomials. Its leaves, of 2^6 to 2^8 points each, are products that
//! a group of threads forms in the memory that it shares, all in one launch. On the levels above, two monic polynomials of
//! degree d are multiplied modulo x^(2d) − 1, by transforms of 2d points: the leading 1 wraps around to the constant term
//! and is taken off there. The transforms are kept.
//!
//! Evaluation goes down by the transposed algorithm (Bostan, Lecerf and Schost, "Tellegen's principle into practice", 2003;
//! the trees on GPUs are those of Haque, "Hardware acceleration technologies in computer algebra", thesis, 2013, chapter 10):
//! with f/M = q + s_0/x + s_1/x² + … at a node M = A B of degree 2d, the d first s for A are coefficients of B s, the upper
//! half of one cyclic product of 2d points, whose factor B is known as a transform. There is one division, at the
//! root, by its inverse as a power series (Newton's iteration), which is kept as a transform. In leaves f mod M comes
//! from s and M, and its values by Horner's rule.
//!
//! Interpolation divides values by the root's derivative at the points, and goes up: of children with sums p and q over the
//! products A and B, the node has p B + q A.
//!
//! With L levels above the leaves, log2(N) − 6 in large trees, evaluation takes 3L transforms of N points in all, and 4 more at the
//! root; interpolation as many less those; the tree 2NL words of memory. The leaves are those that the many-core machine model has
//! the least bound for ([`TreePlan::evaluation_program`]).
//!
//! Modulo r^k + 1 leaves have one point: transforms of up to 2k points only rotate digits, so that the lowest levels cost little
//! more than their products. Modulo a prime of a word that lacks roots, products are those over the integers, by several primes
//! that have them. All that differs from field to field is numbers: words of an element, threads that have one, primes.

mod arithmetic;
mod context;
mod evaluation;
mod field;
mod interpolation;
pub(crate) mod kernels;
mod model;
pub(crate) mod plan;
mod several_primes;
mod transforms;

pub use context::SubproductTree;
pub use plan::TreePlan;
