//! Orderings of rows and columns in which a product A·x finds more of x in the cache.
//!
//! **Problem.** In y = A·x the elements of x are read in the order of the column indices, row after row. Where these
//! jump about, each costs a line of cache. Choose an order of the rows and one of the columns, in time proportional
//! to the number of non-zeros, so that they jump less.
//!
//! **Algorithm.** [`gray_ordering`]: columns are read as binary reflected Gray codes, the first row the most significant
//! bit, and sorted by rank as far as that tells them apart; rows in which no column begins follow the columns that
//! most of their non-zeros share (Haque, thesis, 2013, ch. 6, Algorithms 7, 8 and 9). [`classify`] tells which
//! non-zeros the analysis of such orders covers. [`auto_ordering`] chooses between it, the orders of Cuthill and McKee
//! ([`CsrMatrix::bipartite_cuthill_mckee`](super::CsrMatrix::bipartite_cuthill_mckee) and its sisters), and the matrix
//! as it is, by misses that it counts.
//!
//! **Bound.** O(m + n + τ) for each step of the refinement, of which there are few in practice; of the non-zeros α, β
//! and δ, x costs 3n/L + O(√(n/L)) + 1 lines when the cache holds 2√(nL) words (Proposition 20).
//!
//! **Floor.** Three passes over the non-zeros with one random access each (the first rows of columns, the lists that
//! win rows, the columns' new lists), each about the cost of one product with the matrix as it was given.

mod auto;
mod classify;
mod gray;
mod refine;
mod rows;

pub use auto::{AutoChoice, AutoOrdering, Method, Reason, Trial, auto_ordering};
pub use classify::{NonZeroKind, NonZeroKinds, classify};
pub use gray::{GrayOrdering, GrayReport, Reordering, gray_ordering};
