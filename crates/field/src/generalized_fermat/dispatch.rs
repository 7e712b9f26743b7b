//! From a number of digits known at run time to the type that has it.

use super::{DIGITS, GeneralizedFermat, GeneralizedFermatError};

/// Work in a field whose number of digits is known at run time only.
///
/// ```
/// use sunzi_field::generalized_fermat::{FieldTask, named_prime, run};
/// use sunzi_field::{GeneralizedFermat, TwoAdicField};
///
/// struct TwoAdicity;
/// impl FieldTask for TwoAdicity {
///     type Output = u32;
///     fn run<const K: usize>(self, field: GeneralizedFermat<K>) -> u32 {
///         field.two_adicity()
///     }
/// }
/// let prime = named_prime("P16").unwrap();
/// assert_eq!(run(prime.radix, prime.digits, TwoAdicity)?, 720);
/// # Ok::<(), sunzi_field::GeneralizedFermatError>(())
/// ```
pub trait FieldTask {
    /// What comes of it.
    type Output;

    /// Does the work.
    fn run<const K: usize>(self, field: GeneralizedFermat<K>) -> Self::Output;
}

/// Runs a task in the field modulo `radix^digits + 1`.
///
/// # Errors
/// As [`GeneralizedFermat::new`]; [`GeneralizedFermatError::Digits`] for other numbers of digits than
/// [`DIGITS`].
pub fn run<T: FieldTask>(
    radix: u64,
    digits: usize,
    task: T,
) -> Result<T::Output, GeneralizedFermatError> {
    macro_rules! among {
        ($($k:literal)*) => {
            match digits {
                $($k => Ok(task.run(GeneralizedFermat::<$k>::new(radix)?)),)*
                _ => {
                    debug_assert!(!DIGITS.contains(&digits));
                    Err(GeneralizedFermatError::Digits { digits })
                }
            }
        };
    }
    among!(2 4 8 16 32 64 128 256)
}
