//! Devices: GPUs by CUDA and OpenCL, and processors by OpenCL. Drivers and compilers are loaded at run time, so that programs are built
//! and run where there are none.
//!
//! This crate knows no algorithm. A [`Device`] is [found](discover) and opened; [`Buffer`]s are its memory, [`Stream`]s its queues
//! of work, and what streams do with the same buffer keeps its order. A [`Program`] is compiled from a [`Source`]: text over a
//! prelude of macros that is OpenCL C and CUDA C++ at once, specialized by definitions, and kept on disk once compiled. A kernel's
//! parameters are described once, beside its text, by [`kernel!`]: launches by that description are checked, so that they are safe
//! code, and a [`Recorder`] counts them without a device, for [`Prediction`]s.
//!
//! ```
//! use sunzi::gpu::{Buffer, Device, Launch, Selection, Source};
//! use sunzi_device::kernel;
//!
//! kernel! {
//!     /// x[i] = 2·x[i].
//!     unsafe struct Twice<'a> for "twice" {
//!         x: &'a mut Buffer<u32> [count],
//!         count: u32,
//!     }
//! }
//! # fn main() -> Result<(), sunzi::gpu::GpuError> {
//! let device = match Device::open(Selection::Any) {
//!     Ok(device) => device,
//!     Err(none) => return Ok(println!("{none}")),
//! };
//! let text = "KERNEL twice(GLOBAL u32* x, u32 count) {
//!     u32 i = BLOCK * GROUP + THREAD;
//!     if (i < count) x[i] *= 2;
//! }";
//! let twice = device.program(&Source::new("twice", 64).part(text))?.kernel("twice")?;
//! let stream = device.stream()?;
//! let mut numbers = device.filled(&stream, &[2, 3, 5, 7])?;
//! stream.launch(&twice, Launch::new(1, 64, 0)?, Twice { x: &mut numbers, count: 4 })?;
//! let mut back = [0; 4];
//! stream.read(&numbers, &mut back)?;
//! assert_eq!(back, [4, 6, 10, 14]);
//! // The buffer is shorter than the kernel takes it to be.
//! assert!(stream.launch(&twice, Launch::new(1, 64, 0)?, Twice { x: &mut numbers, count: 5 }).is_err());
//! # Ok(())
//! # }
//! ```

mod backend;
mod buffer;
mod cache;
mod device;
mod discovery;
pub mod double_buffer;
mod error;
mod event;
mod group;
mod hazards;
mod info;
mod mark;
mod memo;
pub mod nvidia;
mod options;
pub mod parameters;
mod prediction;
mod profile;
mod program;
mod recorder;
mod signatures;
mod source;
mod stream;
mod work;

pub use backend::{Argument, DeviceIdentity, Launch, StreamIdentity};
pub use buffer::{Buffer, Staging};
pub use device::Device;
pub use discovery::{Discovery, Selection, discover, may_have_gpu};
pub use error::GpuError;
pub use event::Event;
pub use info::{Backend, DeviceInfo, DeviceKind};
pub use memo::Memo;
pub use options::{CacheFolder, DeviceOptions};
pub use prediction::{Prediction, Rates};
pub use profile::{Command, CommandTime};
pub use program::{Kernel, Program};
pub use recorder::Recorder;
pub use source::Source;
pub use stream::Stream;
pub use work::{LaunchWork, Work};
