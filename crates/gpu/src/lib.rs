//! Exact arithmetic on GPUs: transforms, and in batches products, Euclid's algorithm, determinants, and values of polynomials at
//! many points.
//!
//! Devices are those of [`sunzi_device`]. Kernels are written once, in the common subset of OpenCL C and CUDA C++ over its
//! prelude, and compiled on the device at hand with the sizes as definitions.
//!
//! Every algorithm is a folder: a plan (a value: which kernels run, with which parameters), a context (what is compiled
//! and precomputed, and submits the kernels to a stream), and the kernels, each with a description of its parameters beside its
//! text, by which launches are safe and checked, and counted without a device. Products take a
//! [`ProductConfig`](products::ProductConfig), which has all plans and limits that are chosen for a device; [`tuning`] has
//! the configurations that there are to choose from.
//!
//! | module | computes, in batches | by | for degrees or orders n |
//! |---|---|---|---|
//! | [`products`], [`integer`], [`schoolbook`] | products of polynomials and integers | word by word up to 1024 words an integer; else transforms modulo several primes | n² or O(n·log n) |
//! | [`ntt`] | transforms modulo words | passes of 2^t points in local memory | n·log₂(n)/2 butterflies, 2n words of traffic a pass |
//! | [`big_prime`] | transforms modulo r^k + 1 | passes of up to 2k points without products | k² digit products an element and pass |
//! | [`euclid`] | division, GCDs, resultants | steps without fractions, a pair a group; long pairs by rounds | 3n² or 2n² products |
//! | [`determinant`] | determinants modulo words, and of doubles | elimination, a matrix a group; large ones by panels of 32 rows | 2n³/3 or n³/3 products |
//! | [`tree`] | values at many points, interpolation | subproduct trees, evaluation transposed | 3·(log₂(n) − 6) transforms of n points |
//!
//! **Bounds.** Results are those of the processor to the last bit; what does not fit the device's memory is an error. Tests run
//! all kernels on OpenCL in software and on a stand-in for NVIDIA's driver. Sources stand in each module.
//!
//! ```
//! use sunzi::gpu::{Device, Operand, PolynomialMultiplier, ProductForm, Selection};
//! # fn main() -> Result<(), sunzi::gpu::GpuError> {
//! let device = match Device::open(Selection::Any) {
//!     Ok(device) => device,
//!     Err(none) => return Ok(println!("{none}")),
//! };
//! let (a, b) = ([u32::MAX, 1], [3]); // words of 32 bits, the lowest first
//! let pair = [Operand::new(&a, 1), Operand::new(&b, 1)];
//! let mut product = Vec::new();
//! PolynomialMultiplier::new(&device).multiply(&ProductForm::INTEGERS, &[pair], |_, words| {
//!     product.extend_from_slice(words);
//! })?;
//! assert_eq!(product, [u32::MAX - 2, 5, 0]);
//! # Ok(())
//! # }
//! ```

pub mod big_prime;
mod carry;
pub mod determinant;
pub mod digits;
mod elements;
pub mod euclid;
mod field;
pub mod integer;
pub mod ntt;
#[cfg(feature = "bench")]
pub mod peak;
pub mod products;
mod residues;
pub mod schoolbook;
pub mod tree;
pub mod tuning;
mod word;
mod work;

pub use word::{ResidueWord, Word};

/// What tests and checks of the crate need beside its face. It may change at any time.
#[doc(hidden)]
pub mod internals {
    pub use crate::carry::context::{CarryContext, Coefficients};
    pub use crate::residues::basis::ResidueBasis;
    pub use crate::residues::combine::{CombineContext, CombineModuloContext, ValueForm};
    pub use crate::residues::project::{Polynomials, ProjectContext};
}
