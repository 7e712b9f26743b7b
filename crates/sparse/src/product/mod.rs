//! Products of sparse matrices and vectors.
//!
//! **Algorithm.** With lines along the result (y = A·x by rows, y = Aᵀ·x by columns) every line is one sum of
//! products (thesis, §6.2.2, Algorithm 6); with lines across it, every line's entries are added to where they
//! belong. The former is faster and serves all threads; the latter needs no second copy of the matrix.
//! Lines are dealt out by their entries.
//!
//! **Same result everywhere.** The order in which doubles are added depends on the matrix alone, not on
//! threads or instruction sets, and no product is fused with a sum. In a line of n entries there are 8 sums,
//! of the entries whose places in the line have the same rest by 8, without the last n mod 8 entries; they
//! are added by halves, 0 to 3 and 4 to 7 first, and then the last entries one by one.
//!
//! **Vectors.** The 8 sums are lanes that the compiler puts into the vectors of the machine; elements of x are
//! loaded one by one, not gathered.
//!
//! **Floor.** A product with doubles reads 12 bytes an entry, 8 a line, and x; it writes y. It computes
//! next to nothing, so that it runs at the speed of the memory where x stays in a cache.

pub(crate) mod modular;
pub(crate) mod real;
pub(crate) mod run;

pub use modular::ModularProduct;
pub(super) use real::dot;
