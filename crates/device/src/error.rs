//! What can go wrong between the host and a device.

use crate::info::Backend;
use thiserror::Error;

/// Why a device could not do what was asked.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no such device.
    #[error("there is no device for `{wanted}`: {found}")]
    NoDevice {
        /// What was asked for.
        wanted: String,
        /// What there is instead, or why there is nothing.
        found: String,
        /// Whether there may be one that cannot be used: a driver that does not start, for one.
        unusable: bool,
    },
    /// The device's memory does not suffice.
    #[error(
        "{device} has too little memory: {wanted} bytes were asked for, {free} of the {limit} that may be used are \
         free, and one buffer holds at most {largest}; cut the work into smaller pieces"
    )]
    OutOfMemory {
        /// The device's name.
        device: String,
        /// Bytes asked for.
        wanted: u64,
        /// Bytes that were free.
        free: u64,
        /// Bytes that may be used in all.
        limit: u64,
        /// Bytes of the largest buffer.
        largest: u64,
    },
    /// The device stopped answering; nothing that was on it can be trusted.
    #[error(
        "{device} was lost ({code} from {call}): nothing that was on it can be trusted, and the process may have to be started again"
    )]
    DeviceLost {
        /// The device's name.
        device: String,
        /// The driver's function that said so.
        call: &'static str,
        /// The driver's name of the error.
        code: String,
    },
    /// A program does not compile on the device.
    #[error("{program} does not compile for {device}:\n{log}")]
    Compile {
        /// The program's name.
        program: String,
        /// The device's name.
        device: String,
        /// What the compiler said.
        log: String,
    },
    /// The library that compiles for the device is not there.
    #[error("{device} cannot be used through {backend}: {reason}")]
    NoCompiler {
        /// The device's name.
        device: String,
        /// The interface.
        backend: Backend,
        /// What is missing, and what to do.
        reason: String,
    },
    /// A kernel asks for more than the device has: a larger group, more local memory.
    #[error("{device} cannot run {kernel}: {reason}")]
    Limits {
        /// The device's name.
        device: String,
        /// The kernel's name.
        kernel: String,
        /// What is beyond which limit.
        reason: String,
    },
    /// Any other refusal of the driver.
    #[error("{call} failed on {device}: {code}")]
    Driver {
        /// The device's name.
        device: String,
        /// The driver's function.
        call: &'static str,
        /// The driver's name of the error.
        code: String,
    },
    /// There are not enough primes of 31 bits with transforms of that length, or more than a device puts together.
    #[error(
        "values of {bits} bits take more primes below 2^31 with transforms of 2^{log_points} points than a device \
         can use: shorter operands, or a processor, can do it"
    )]
    TooFewPrimes {
        /// Bits of the number of values to be told apart.
        bits: u64,
        /// log₂ of the points.
        log_points: u32,
    },
    /// The caller's sizes do not fit together.
    #[error("{0}")]
    Shape(String),
}
