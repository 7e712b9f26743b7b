//! The fields that commands compute in, under one face, and the one that a user's prime asks for.

use crate::error::Failure;
use crate::modulus::{self, WordField};
use sunzi::engine::DeviceField;
use sunzi::field::generalized_fermat::{FieldTask, run as in_big_field};
use sunzi::field::{Digits, Fp32, Fp64, GeneralizedFermat};
use sunzi::linalg::dense::MatrixField;

/// A prime field that commands compute in.
pub trait CommandField: DeviceField + MatrixField {
    /// The value of an element, where every element is a word.
    fn word(&self, element: Self::Elem) -> Option<u64>;
}

impl CommandField for Fp32 {
    fn word(&self, element: u32) -> Option<u64> {
        Some(element.into())
    }
}

impl CommandField for Fp64 {
    fn word(&self, element: u64) -> Option<u64> {
        Some(element)
    }
}

impl<const K: usize> CommandField for GeneralizedFermat<K> {
    fn word(&self, _element: Digits<K>) -> Option<u64> {
        None
    }
}

/// What a command does in a field that is known at run time only.
pub trait CommandTask {
    fn run<F: CommandField>(self, field: F) -> Result<(), Failure>;
}

/// Runs a task in the field of the prime that `text` names.
pub fn run<T: CommandTask>(text: &str, task: T) -> Result<(), Failure> {
    if let Some((radix, digits)) = modulus::generalized_fermat(text) {
        return in_big_field(radix, digits, InBigField(task))
            .map_err(|error| Failure::Computation(error.to_string()))?;
    }
    match modulus::field(text)? {
        WordField::Fp32(field) => task.run(field),
        WordField::Fp64(field) => task.run(field),
    }
}

struct InBigField<T>(T);

impl<T: CommandTask> FieldTask for InBigField<T> {
    type Output = Result<(), Failure>;

    fn run<const K: usize>(self, field: GeneralizedFermat<K>) -> Self::Output {
        self.0.run(field)
    }
}
