//! What a kernel is given.

use crate::Buffer;
use crate::backend::Raw;
use crate::device::DeviceIdentity;
use bytemuck::Pod;

/// An argument of a kernel, in the order of its parameters.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// A buffer of the device; see [`Argument::of`].
    Memory(MemoryArgument),
    /// A `u32`.
    U32(u32),
    /// A `u64`.
    U64(u64),
}

/// A buffer of the device as an argument.
#[derive(Clone, Copy, Debug)]
pub struct MemoryArgument {
    pub(crate) raw: Raw,
    /// The device that it is on.
    pub(crate) device: DeviceIdentity,
}

impl Argument {
    /// A buffer. It must live until the stream has come past the launch.
    pub fn of<T: Pod>(buffer: &Buffer<T>) -> Self {
        Self::Memory(MemoryArgument {
            raw: buffer.raw(),
            device: buffer.device().identity(),
        })
    }
}

impl<T: Pod> From<&Buffer<T>> for Argument {
    fn from(buffer: &Buffer<T>) -> Self {
        Self::of(buffer)
    }
}

impl<T: Pod> From<&mut Buffer<T>> for Argument {
    fn from(buffer: &mut Buffer<T>) -> Self {
        Self::of(buffer)
    }
}

impl From<u32> for Argument {
    fn from(value: u32) -> Self {
        Self::U32(value)
    }
}

impl From<u64> for Argument {
    fn from(value: u64) -> Self {
        Self::U64(value)
    }
}
