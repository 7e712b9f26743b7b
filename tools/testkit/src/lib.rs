//! Test helpers of the Sunzi workspace: edge batteries, seeded randomness, oracles.
//!
//! Random inputs alone hide the worst bugs, and a fast path must not be checked by its sibling:
//! this crate holds the values at which carries, borrows and reductions go wrong, inputs made for the
//! seams where work is cut ([`Kind`]), slow, independent answers to compare with, and the laws that every
//! field obeys ([`field_laws`]).

mod c_library;
mod cuda_stand_in;
mod data;
mod device;
mod edges;
mod elements;
mod field_laws;
mod files;
mod gmp;
mod nvrtc;
mod opencl_late;
mod oracle;
#[cfg(feature = "devices")]
mod place;
mod random;
#[cfg(feature = "devices")]
mod runtimes;
#[cfg(feature = "devices")]
pub mod streams;
mod structured;
mod threads;
mod wide_prime;

pub use cuda_stand_in::{CudaStandIn, LaunchWork, LoadedStandIn, SeenLaunch};
pub use data::{ZxProduct, data_dir, parse_zx_product, zx_products};
pub use device::required_or_skipped;
pub use edges::{edge_lengths, edge_limb_vectors, edge_residues, edge_words, lengths_around};
pub use elements::{convolution_over, value_at};
pub use field_laws::{any_field_laws, field_laws, field_laws_on};
pub use files::{Pieces, gzip};
pub use gmp::{from_gmp, gmp_modulus, gmp_residue, to_gmp};
pub use nvrtc::{ARCHITECTURES, is_nvrtc_required, nvrtc};
pub use opencl_late::OpenClLate;
pub use oracle::{convolution, convolution_mod, long_convolution_mod, mul_limbs};
#[cfg(feature = "devices")]
pub use place::Place;
pub use random::Random;
#[cfg(feature = "devices")]
pub use runtimes::{run_late_and_shuffled, run_on_a_second_runtime};
pub use structured::{Kind, ones, power_sum};
pub use threads::{THREAD_COUNTS, on_every_thread_count, on_threads};
pub use wide_prime::WidePrime;

/// Says on standard error that a check was left out, and why.
pub fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
}
