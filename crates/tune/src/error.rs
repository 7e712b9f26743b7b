//! Why nothing is known of a kernel's speed.

use crate::program::ProgramError;
use thiserror::Error;

/// Why no model, function or limit is found, read or used.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// Nothing was measured.
    #[error("no shape that fits the device was measured")]
    NoSamples,
    /// A time that is none.
    #[error("sample {index} took {milliseconds} ms; times are finite and positive")]
    SampleTime {
        /// Which sample, from 0.
        index: usize,
        /// Its time.
        milliseconds: f64,
    },
    /// Data out of range.
    #[error("sample {index} is of data {data:?}, which the kernel's description does not take")]
    SampleData {
        /// Which sample, from 0.
        index: usize,
        /// Its data.
        data: Vec<i64>,
    },
    /// A shape that violates the constraints.
    #[error("sample {index} is of shape {shape:?}, which the kernel's description does not allow")]
    SampleShape {
        /// Which sample, from 0.
        index: usize,
        /// Its shape.
        shape: Vec<i64>,
    },
    /// A kernel or a device of which no program can be made.
    #[error("no program can be made of the kernel's description: {0}")]
    Program(#[from] ProgramError),
    /// A version that is not read.
    #[error("version {0} of models is unknown; this program reads version 1: fit anew")]
    Version(u32),
    /// No JSON, or not that of a model.
    #[error("this is no model: {0}")]
    Json(String),
    /// Parts that do not fit together.
    #[error("the model's {0}")]
    Parts(&'static str),
    /// Data out of range.
    #[error("data {0:?} are out of the ranges of the kernel's description")]
    Data(Vec<i64>),
    /// No shape that was measured fits the device.
    #[error("no shape that was measured fits the device for data {0:?}")]
    NoShape(Vec<i64>),
    /// A line that is missing, or has no positive number.
    #[error("the profile has no line `[{0}: …]` with a positive number")]
    Profile(&'static str),
    /// Points, values, degrees or ranges that do not belong together.
    #[error("{0}")]
    Samples(&'static str),
    /// Too few samples.
    #[error("{samples} samples are too few for {variables} coefficients")]
    TooFew {
        /// How many there are.
        samples: usize,
        /// How many are wanted.
        variables: usize,
    },
    /// Numbers that are none, or too large.
    #[error("sample {0} is not of finite numbers")]
    NotFinite(usize),
    /// The decomposition did not converge.
    #[error("the samples' equations have no decomposition into singular values")]
    NoDecomposition,
    /// A number that must be positive, or must not be negative.
    #[error(
        "{0} is out of range: rates, latencies and sizes are positive, counts are not negative, and all are finite"
    )]
    Range(&'static str),
    /// A block is more than a multiprocessor has room for.
    #[error("a block takes {wanted} {what}, and a multiprocessor has {there}: take a smaller one")]
    TooLarge {
        /// Of what.
        what: &'static str,
        /// What the block takes.
        wanted: u64,
        /// What there is.
        there: u64,
    },
    /// A block without threads.
    #[error("a block has one thread at least")]
    NoThreads,
    /// Nothing is known of the device.
    #[error(
        "no limit of the device is known: give the number of blocks that reside on a multiprocessor"
    )]
    NoLimits,
}
