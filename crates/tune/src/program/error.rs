//! Why programs are refused.

use thiserror::Error;

/// Why a program is refused, or not evaluated.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ProgramError {
    /// A version that is not read.
    #[error("version {0} of rational programs is unknown; this program reads version 1: fit anew")]
    Version(u32),
    /// A step over one that does not come before it, or an input that is not there.
    #[error("step {step} is over something that does not come before it")]
    Order {
        /// The step, from 0.
        step: usize,
    },
    /// A divisor that may be zero.
    #[error("step {step} divides by what may be zero: it is between {lowest} and {highest}")]
    Divisor {
        /// The step, from 0.
        step: usize,
        /// The divisor's least value, as far as it is known.
        lowest: f64,
        /// Its largest value, as far as it is known.
        highest: f64,
    },
    /// A value that may be larger than numbers are.
    #[error("step {step} may come to more than 2^1000: narrow the ranges of the inputs")]
    Overflow {
        /// The step, from 0.
        step: usize,
    },
    /// A constant or a range that is none.
    #[error("{0} is not a range of finite numbers, or not a finite number")]
    Range(String),
    /// A name that is none, or stands for two things.
    #[error("{0:?} is no name of letters, digits and underscores, or there are two of it")]
    Name(String),
    /// A program that gives nothing.
    #[error("a program has one output at least")]
    Empty,
    /// Values that are not those of the inputs.
    #[error("{given} values are given for the {wanted} inputs of the program")]
    Count {
        /// How many are given.
        given: usize,
        /// How many are wanted.
        wanted: usize,
    },
    /// A value out of the input's range.
    #[error("{name} = {value} is not between {from} and {to}")]
    Input {
        /// The input's name.
        name: String,
        /// The value given.
        value: f64,
        /// The least value.
        from: f64,
        /// The largest value.
        to: f64,
    },
}
