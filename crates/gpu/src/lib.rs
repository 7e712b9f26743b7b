//! Exact arithmetic on GPUs: devices, kernels from one source, transforms, and products in batches.
//!
//! A device is found at run time, through NVIDIA's driver or through any vendor's OpenCL; the crate builds and its
//! programs run on a machine that has neither. Kernels are written once, in the common subset of OpenCL C and CUDA C++
//! over the macros of `kernels/prelude.h`, and compiled on the device at hand with the prime, the sizes and the shape
//! of the launch as definitions. What was compiled is kept in memory and on disk.
//!
//! | item | is |
//! |---|---|
//! | [`survey`], [`Selection`], [`Device`] | what there is; which to take; an open device with its limits |
//! | [`may_have_gpu`] | whether it is worth while to look |
//! | [`Buffer`], [`Staging`] | memory of the device; memory of the host that it reads and writes directly |
//! | [`Stream`], [`Event`] | work in order; a point in it that can be waited for and timed |
//! | [`Source`], [`Program`], [`Kernel`] | text and definitions; compiled; one entry point |
//! | [`ntt`] | transforms and convolutions modulo primes of a word |
//! | [`plain`] | products of polynomials term by term |
//! | [`residues`] | residues modulo several primes, and values from them |
//! | [`integer`], [`carry`] | batches of integers word by word; carries by a parallel prefix |
//! | [`products`] | whole batches from the host, of all lengths, in pieces; operands that stay on the device |
//! | [`ceilings`] | what a device does at most, measured |
//! | [`catalogue`], [`nvidia`] | every program; what each needs of an NVIDIA GPU, without one |
//! | [`catalogue`](catalogue()), [`nvidia`] | every program of the crate; what kernels need on NVIDIA's GPUs |
//!
//! ```
//! use sunzi_gpu::{Device, Selection};
//! # fn main() -> Result<(), sunzi_gpu::GpuError> {
//! let device = match Device::open(Selection::Any) {
//!     Ok(device) => device,
//!     Err(none) => return Ok(println!("{none}")),
//! };
//! let stream = device.stream()?;
//! let mut numbers = device.buffer::<u32>(4)?;
//! stream.write(&mut numbers, &[2, 3, 5, 7])?;
//! let mut back = [0; 4];
//! stream.read(&numbers, &mut back)?;
//! assert_eq!(back, [2, 3, 5, 7]);
//! # Ok(())
//! # }
//! ```

mod argument;
mod backend;
mod buffer;
mod cache;
pub mod carry;
mod catalogue;
pub mod ceilings;
mod device;
mod error;
mod extent;
pub mod integer;
pub mod ntt;
pub mod nvidia;
mod options;
pub mod plain;
mod presence;
pub mod products;
mod program;
pub mod residues;
mod selection;
mod stream;

pub use argument::Argument;
pub use backend::{Backend, Launch};
pub use buffer::{Buffer, Staging};
pub use cache::CacheFolder;
pub use catalogue::catalogue;
pub use device::{Device, DeviceInfo, DeviceKind, Survey, survey};
pub use error::GpuError;
pub use options::DeviceOptions;
pub use presence::may_have_gpu;
pub use program::{Kernel, Program, Source};
pub use selection::Selection;
pub use stream::{Event, Stream};
