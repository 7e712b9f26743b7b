//! What is known of a device before it is open.

use std::fmt;

/// An interface to devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// NVIDIA's driver.
    Cuda,
    /// Any vendor's OpenCL.
    OpenCl,
}

impl Backend {
    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cuda => "cuda",
            Self::OpenCl => "opencl",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cuda => "CUDA",
            Self::OpenCl => "OpenCL",
        })
    }
}

/// What a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceKind {
    /// A graphics processor.
    Gpu,
    /// The processor itself, by an OpenCL that runs on it.
    Cpu,
    /// Anything else.
    Accelerator,
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gpu => "GPU",
            Self::Cpu => "CPU",
            Self::Accelerator => "accelerator",
        })
    }
}

/// A device and its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// The interface.
    pub backend: Backend,
    /// Its number among those of the interface.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// The driver's version.
    pub driver: String,
    /// What it is.
    pub kind: DeviceKind,
    /// What code is compiled for: `sm_90`; empty where the driver knows by itself.
    pub architecture: String,
    /// Bytes of its memory.
    pub memory: u64,
    /// Bytes of the largest buffer.
    pub largest_buffer: u64,
    /// Bytes of memory that the threads of a group share.
    pub shared_memory: usize,
    /// Threads of a group at most.
    pub group_threads: usize,
    /// Threads that run in step; 1 where unknown.
    pub simd_width: usize,
    /// Processors.
    pub units: usize,
    /// Megahertz at most; 0 where unknown.
    pub clock_mhz: u32,
    /// Threads that a processor has at a time at most; 0 where unknown.
    pub unit_threads: usize,
    /// Groups that a processor has at a time at most; 0 where unknown.
    pub unit_groups: usize,
    /// Registers of 32 bits that the threads of a processor share; 0 where unknown.
    pub unit_registers: usize,
    /// Bytes of shared memory that the groups on a processor have together; 0 where unknown.
    pub unit_shared_memory: usize,
    /// Bytes of the cache before its memory; 0 where unknown.
    pub cache: u64,
    /// Bytes a second from its memory by clock and width; 0 where unknown.
    pub bandwidth: u64,
    /// Whether it computes with doubles.
    pub doubles: bool,
}

impl DeviceInfo {
    /// An NVIDIA H100 SXM by its data sheet: to plan and count for one where there is none.
    ///
    /// ```
    /// let h100 = sunzi::gpu::DeviceInfo::h100();
    /// assert_eq!((h100.units, h100.shared_memory), (132, 227 << 10));
    /// ```
    pub fn h100() -> Self {
        Self {
            backend: Backend::Cuda,
            index: 0,
            name: "NVIDIA H100 SXM".to_owned(),
            driver: String::new(),
            kind: DeviceKind::Gpu,
            architecture: "sm_90".to_owned(),
            memory: 80 << 30,
            largest_buffer: 80 << 30,
            shared_memory: 227 << 10,
            group_threads: 1024,
            simd_width: 32,
            units: 132,
            clock_mhz: 1980,
            unit_threads: 2048,
            unit_groups: 32,
            unit_registers: 1 << 16,
            unit_shared_memory: 228 << 10,
            cache: 50 << 20,
            bandwidth: 3_350_000_000_000,
            doubles: true,
        }
    }

    /// A GPU of an interface, for tests that need no device.
    #[cfg(test)]
    pub(crate) fn sample(backend: Backend, kind: DeviceKind) -> Self {
        Self {
            backend,
            index: 0,
            name: "a device".to_owned(),
            driver: String::new(),
            kind,
            architecture: String::new(),
            memory: 1 << 30,
            largest_buffer: 1 << 30,
            shared_memory: 0,
            group_threads: 0,
            simd_width: 0,
            units: 0,
            clock_mhz: 0,
            unit_threads: 0,
            unit_groups: 0,
            unit_registers: 0,
            unit_shared_memory: 0,
            cache: 0,
            bandwidth: 0,
            doubles: true,
        }
    }
}
