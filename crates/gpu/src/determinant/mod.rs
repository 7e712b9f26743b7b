//! Determinants on a device, modulo odd primes below 2^31 and 2^63, modulo several of them at a time, as determinants over ℤ
//! by residues take them.
//!
//! One group of threads has a small matrix in the memory that its threads share, 240 rows of 31 bits or 169 of 63 on an
//! H100, and does the whole elimination: a batch is one launch. Elimination is free of fractions, as condensation is
//! (Haque, "Hardware acceleration technologies in computer algebra: challenges and impact", thesis, 2013, chapter 7, where a
//! step is a launch): two products and one reduction an entry, and one barrier a step, in place of an inverse, and a
//! barrier for it. The powers of the pivots that rows are multiplied by are divided out at the end, by all threads at a
//! time. About 2n³/3 products and n³/3 reductions.
//!
//! Larger matrices lie in the device's memory, and 32 of their rows are eliminated at a time: one group finds their pivots,
//! without fractions, and the inverse of the square that these stand in; all groups then take the product of the columns
//! above and the rows of the panel off what is left, with one reduction for 32 products. n³/3 products, n²·n/32 words of
//! traffic each way, and three launches for a panel.
//!
//! In floating point ([`FloatContext`]) a step is a launch and a row has a group, mantissas and powers of two apart.

pub(crate) mod context;
pub(crate) mod float;
pub(crate) mod panels;
pub(crate) mod plan;

pub use context::DeterminantContext;
pub use float::{FloatContext, FloatPivot, FloatPivoting};
pub use plan::{DeterminantConfig, DeterminantPlan, PanelConfig};
