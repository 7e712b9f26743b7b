//! One error for programs that do not care which part of Sunzi failed.

#[cfg(feature = "matrix")]
use crate::matrix;
#[cfg(feature = "poly")]
use crate::poly;
#[cfg(all(feature = "scale", unix))]
use crate::scale;
#[cfg(feature = "sort")]
use crate::sort;
#[cfg(feature = "sparse")]
use crate::sparse;
#[cfg(feature = "gpu")]
use crate::{engine, gpu, tune};
use crate::{field, images, integer, memory, transform};
use std::error::Error as StdError;
use std::fmt;

/// What a caller may do about an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operation has no result for these operands, or does not take them: other operands are needed.
    Input,
    /// A text was not understood: the sentence says where.
    Text,
    /// The machine has too little memory for it: smaller operands, or a larger [`Budget`](crate::memory::Budget).
    Memory,
    /// A file could not be read or written, or is not as it was written: the sentence names it.
    File,
    /// A device is missing or failed: the processor computes the same.
    Device,
}

/// Any error of the library: a kind, and the sentence of the part that failed. The operator `?` makes it of all others.
///
/// ```
/// use sunzi::field::Fp64;
/// use sunzi::poly::{Poly, PolyRing};
/// use sunzi::{Error, ErrorKind};
///
/// fn quotient(p: u64, a: Vec<u64>, b: Vec<u64>) -> Result<Poly<u64>, Error> {
///     let ring = PolyRing::new(Fp64::new(p)?);
///     Ok(ring.divrem(&Poly::new(a), &Poly::new(b))?.0)
/// }
/// let error = quotient(97, vec![1, 2, 3], vec![]).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Input);
/// assert_eq!(error.to_string(), "division by the zero polynomial");
/// assert!(error.is::<sunzi::poly::PolyError>());
/// ```
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    error: Box<dyn StdError + Send + Sync>,
}

impl Error {
    /// What may be done about it.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Whether it was made of a `T`.
    #[must_use]
    pub fn is<T: StdError + 'static>(&self) -> bool {
        self.error.is::<T>()
    }

    /// The error that it was made of, if that is a `T`.
    #[must_use]
    pub fn downcast_ref<T: StdError + 'static>(&self) -> Option<&T> {
        self.error.downcast_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.error.source()
    }
}

/// An error of a part of the library.
trait Part {
    fn kind(&self) -> ErrorKind;
}

macro_rules! parts {
    ($($error:ty: $($pattern:pat => $kind:expr),+;)+) => {$(
        impl Part for $error {
            fn kind(&self) -> ErrorKind {
                match self {
                    $($pattern => $kind,)+
                }
            }
        }

        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self { kind: error.kind(), error: Box::new(error) }
            }
        }
    )+};
}

#[cfg(feature = "gpu")]
use ErrorKind::Device;
use ErrorKind::{Input, Memory, Text};

parts! {
    memory::OutOfMemory: _ => Memory;

    field::FieldError: Self::Expression(_) => Text, _ => Input;
    field::GeneralizedFermatError: _ => Input;
    field::ExpressionError: _ => Text;

    integer::DivisionByZero: _ => Input;
    integer::ArithmeticError: _ => Input;
    integer::MulError: _ => Input;
    integer::OutOfRange: _ => Input;
    integer::TextError: _ => Text;

    transform::DftError: Self::OutOfMemory(_) => Memory, _ => Input;

    images::PartsError: Self::Memory(_) => Memory, _ => Input;
}

#[cfg(feature = "poly")]
parts! {
    poly::PolyError: Self::OutOfMemory(_) => Memory, Self::Transform(error) => error.kind(), _ => Input;
    poly::ParsePolyError: _ => Text;
}

#[cfg(feature = "matrix")]
parts! {
    matrix::MatrixError: Self::Memory(_) => Memory, _ => Input;
    matrix::ParseMatrixError: _ => Text;
}

#[cfg(feature = "sparse")]
parts! {
    sparse::SparseError: Self::Memory(_) => Memory, _ => Input;
    sparse::cache::CacheError: _ => Input;
    sparse::matrix_market::MatrixMarketError: _ => Text;
}

#[cfg(feature = "sort")]
parts! {
    sort::SortError: _ => Input;
}

#[cfg(all(feature = "scale", unix))]
parts! {
    scale::ScaleError: Self::Memory { .. } => Memory,
        Self::Dft(error) => error.kind(),
        Self::Field(_) | Self::Input { .. } | Self::Output { .. } | Self::OtherJob { .. } => Input,
        _ => ErrorKind::File;
}

#[cfg(all(feature = "scale", unix))]
impl<E: Part> Part for scale::SharedError<E> {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Images(error) => error.kind(),
            Self::Parts(error) => error.kind(),
            Self::OtherJob { .. } => Input,
            _ => ErrorKind::File,
        }
    }
}

#[cfg(all(feature = "scale", unix))]
impl<E: Part + StdError + Send + Sync + 'static> From<scale::SharedError<E>> for Error {
    fn from(error: scale::SharedError<E>) -> Self {
        Self {
            kind: error.kind(),
            error: Box::new(error),
        }
    }
}

#[cfg(feature = "gpu")]
parts! {
    gpu::GpuError: _ => Device;

    tune::ModelError: _ => Input;
    tune::DescriptionError: _ => Text;
    tune::LaunchError: Self::Gpu(_) => Device, _ => Input;
    tune::ProgramError: _ => Input;
    tune::TuningError: Self::Gpu(_) => Device, _ => Input;

    engine::EngineError: Self::Gpu(_) => Device,
        Self::Matrix(error) => error.kind(),
        Self::Polynomial(error) => error.kind(),
        _ => Input;
}

#[cfg(all(test, feature = "poly", feature = "sort"))]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_within_errors() {
        let memory = memory::OutOfMemory {
            needed: 2,
            available: 1,
        };
        let within = transform::DftError::OutOfMemory(memory);
        let within = poly::PolyError::Transform(within);
        let error = Error::from(within);
        assert_eq!(error.kind(), Memory);
        assert_eq!(error.to_string(), memory.to_string());

        assert_eq!(Error::from(sort::SortError::NoStarts).kind(), Input);
        let text = "x ^ y".parse::<poly::Poly<crate::Integer>>().unwrap_err();
        assert_eq!(Error::from(text).kind(), Text);
    }
}
