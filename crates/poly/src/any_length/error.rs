//! Why there is no transform of some length.

use sunzi_dft::DftError;
use thiserror::Error;

use crate::PolyError;

/// Why a transform cannot be computed as asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnyLengthError {
    /// The field has no root of unity of that order.
    #[error(
        "a transform of {len} points needs {len} to divide p - 1, which it does not: {}",
        nearest(*below, *above)
    )]
    NoSuchLength {
        /// The length asked for.
        len: usize,
        /// The longest length below it that the field has.
        below: Option<usize>,
        /// The shortest length above it that the field has.
        above: Option<usize>,
    },
    /// The vector has the wrong length, or the memory is too small.
    #[error(transparent)]
    Transform(#[from] DftError),
    /// The product that the transform is made of needs more memory than there is.
    #[error(transparent)]
    Product(#[from] PolyError),
}

/// The lengths that would do, in a sentence.
fn nearest(below: Option<usize>, above: Option<usize>) -> String {
    match (below, above) {
        (Some(below), Some(above)) => {
            format!("the nearest lengths that do are {below} and {above}")
        }
        (Some(below), None) => format!("the longest length that does is {below}"),
        (None, Some(above)) => format!("the shortest length that does is {above}"),
        (None, None) => "the shortest length that does is 1".to_owned(),
    }
}
