//! A determinant modulo one prime that is larger than it can be.

use super::bound::Bound;
use super::problem::{IntegerMethod, KnownDeterminant};
use crate::dense::any::AnyDenseMatrix;
use crate::dense::matrix::DenseMatrix;
use crate::error::MatrixError;
use sunzi_field::AnyField;
use sunzi_field::generalized_fermat::NamedPrime;
use sunzi_integer::{Integer, Natural};

pub(super) fn determinant(
    matrix: &DenseMatrix<Integer>,
    bound: Option<&Bound>,
) -> Result<KnownDeterminant, MatrixError> {
    let Some(bound) = bound else {
        return Ok(KnownDeterminant::zero(IntegerMethod::BigPrime));
    };
    // The bound is doubled for the sign.
    let bits = bound.bits.ceil() as u64 + 1;
    let too_large = |largest: NamedPrime| MatrixError::TooLarge {
        bits,
        largest: largest.bit_len(),
    };
    let prime = NamedPrime::above(bits).map_err(too_large)?;
    let field = AnyField::generalized_fermat(prime.radix, prime.digits);
    // Named ones are primes.
    let field = field.map_err(|_| too_large(prime))?;
    let order = matrix.order()?;
    let mut words = Vec::with_capacity(order * order * field.width());
    for entry in matrix.entries() {
        field.push_integer(entry, &mut words);
    }
    let row = AnyDenseMatrix::new(&field, order, order, words)?.determinant()?;
    let value = least(field.integer(&row), field.modulus());
    Ok(KnownDeterminant {
        value,
        proved: true,
        method: IntegerMethod::BigPrime,
        primes: 1,
    })
}

/// The integer of least absolute value with this residue.
fn least(residue: Natural, modulus: Natural) -> Integer {
    if &residue + &residue > modulus {
        Integer::from(residue) - Integer::from(modulus)
    } else {
        Integer::from(residue)
    }
}
