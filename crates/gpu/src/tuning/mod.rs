//! What whoever chooses configurations of products needs: those that a problem may be computed by, and what each asks of a device.
//!
//! Both are found without a device, from what is known of it ([`DeviceInfo`](sunzi_device::DeviceInfo)): [`candidates`] are some
//! tens of configurations that the device takes, [`counts()`] are the launches of each, and
//! [`Prediction`](sunzi_device::Prediction) tells what these come to: bytes, multiplications, and how long they should take. So
//! configurations can be compared by a model first, and the best few by the clock; the one that is taken is passed down as
//! [`PolynomialMultiplier::with_configs`](crate::products::PolynomialMultiplier::with_configs) says. What any other context launches
//! is counted by running it on a [`Recorder`](sunzi_device::Recorder).
//!
//! ```
//! use sunzi::gpu::{DeviceInfo, ProductForm, ProductProblem};
//! use sunzi_gpu::tuning::{candidates, counts};
//! # fn main() -> Result<(), sunzi::gpu::GpuError> {
//! // A thousand products of integers of 10000 words: which configuration moves the fewest bytes?
//! let (h100, form) = (DeviceInfo::h100(), ProductForm::INTEGERS);
//! let problem = ProductProblem { form, terms: [10_000; 2], batch: 1000 };
//! let mut best = u64::MAX;
//! for config in candidates(&h100, &problem) {
//!     let launches = counts(&config, &problem, &h100)?;
//!     best = best.min(launches.iter().map(|launch| launch.bytes).sum());
//! }
//! assert!(best < 20_000_000_000);
//! # Ok(())
//! # }
//! ```

mod candidates;
mod counts;
pub(crate) mod model;

pub use candidates::{candidates, transform_candidates};
pub use counts::{counts, counts_by, plan_counts, transform_counts};
pub use model::machine_program;
