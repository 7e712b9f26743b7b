//! What whoever chooses shapes needs: the shapes that a problem may be computed by, and what each asks of a device.
//!
//! Both are found without a device, from what is known of it ([`DeviceInfo`](crate::DeviceInfo)): [`candidates`] are some
//! tens of shapes that the device takes, [`counts()`] are the launches of each, and [`Prediction`] tells what these come to:
//! bytes, multiplications, and how long they should take. So shapes can be compared by a model
//! first, and the best few by the clock; the one that is taken is passed down as
//! [`PolynomialMultiplier::with_shapes`](crate::products::PolynomialMultiplier::with_shapes) says.
//!
//! ```
//! use sunzi_device::DeviceInfo;
//! use sunzi_gpu::products::{ProductForm, ProductProblem};
//! use sunzi_gpu::tuning::{candidates, counts};
//! # fn main() -> Result<(), sunzi_device::GpuError> {
//! // A thousand products of integers of 10000 words: which shape moves the fewest bytes?
//! let (h100, form) = (DeviceInfo::h100(), ProductForm::INTEGERS);
//! let problem = ProductProblem { form, terms: [10_000; 2], batch: 1000 };
//! let mut best = u64::MAX;
//! for shape in candidates(&h100, &problem) {
//!     let launches = counts(&shape, &problem, &h100)?;
//!     best = best.min(launches.iter().map(|launch| launch.bytes).sum());
//! }
//! assert!(best < 20_000_000_000);
//! # Ok(())
//! # }
//! ```

mod big_prime;
mod candidates;
mod counts;
mod determinant;
mod element_tree;
mod euclid;
mod tree;

pub use big_prime::big_prime_counts;
pub use candidates::{candidates, transform_candidates};
pub use counts::{counts, counts_by, plan_counts, transform_counts};
pub use determinant::{determinant_counts, float_determinant_counts};
pub use element_tree::element_tree_counts;
pub use euclid::{EuclidWork, euclid_counts, euclid_round_counts};
pub use tree::{TreeWork, tree_counts};
