//! Number-theoretic transforms (NTT): discrete Fourier transforms over prime fields, of 2^k points or of any length that divides p − 1,
//! and the convolutions that they give.
//!
//! ```
//! use sunzi::field::Fp64;
//! use sunzi::transform::{Convolution, DftContext, Direction, Ordering};
//!
//! let field = Fp64::new((1 << 60) - (1 << 18) + 1)?;
//! let context = DftContext::for_convolution(&field, 8, Convolution::Negacyclic)?;
//! let mut values = vec![1, 2, 3, 4, 5, 6, 7, 8];
//! context.transform_batch(&mut values, Direction::Forward, Ordering::Internal)?;
//! context.transform_batch(&mut values, Direction::Inverse, Ordering::Internal)?;
//! assert_eq!(values, [1, 2, 3, 4, 5, 6, 7, 8]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc(inline)]
pub use sunzi_dft::{
    Algorithm, AnyBands, Bands, BigPrimeOptions, Convolution, Convolver, Decimation, DftContext,
    DftError, DftField, DftPlan, Direction, Ordering, Reason, Spectrum, StepTimes, TransformField,
    Transformed,
};
#[cfg(feature = "poly")]
#[doc(inline)]
pub use sunzi_poly::{AnyDft, AnyLengthDft};
