//! Determinants of many small matrices on a device, modulo odd primes below 2^31 and 2^63.
//!
//! One group of threads has a matrix, in the memory that its threads share, and does the whole elimination: a batch is one
//! launch, also modulo several primes, as determinants over ℤ by residues take them. Orders are bounded by that memory: 240
//! of 31 bits and 169 of 63 on an H100.
//!
//! Elimination is free of fractions, as condensation is (Haque, "Hardware acceleration technologies in computer algebra:
//! challenges and impact", thesis, 2013, chapter 7, where a step is a launch): two products and one reduction an entry, and
//! one barrier a step, in place of an inverse, and a barrier for it. The powers of the pivots that rows are multiplied by
//! are divided out at the end, by all threads at a time. About 2n³/3 products and n³/3 reductions.

pub(crate) mod context;
pub(crate) mod plan;

pub use context::DeterminantContext;
pub use plan::DeterminantShape;
