//! A determinant modulo one prime that is larger than it can be.

use super::bound::Bound;
use super::problem::{IntegerMethod, KnownDeterminant};
use crate::dense::any::AnyDenseMatrix;
use crate::dense::matrix::DenseMatrix;
use crate::error::MatrixError;
use sunzi_field::AnyField;
use sunzi_field::generalized_fermat::{NamedPrime, named_prime};
use sunzi_integer::{Integer, Natural};

/// The named primes that are taken, the smallest first.
const NAMES: [&str; 6] = ["P4", "P8", "P16", "P32", "P64", "P128"];

pub(super) fn determinant(
    matrix: &DenseMatrix<Integer>,
    bound: Option<&Bound>,
) -> Result<KnownDeterminant, MatrixError> {
    let Some(bound) = bound else {
        return Ok(KnownDeterminant::zero(IntegerMethod::BigPrime));
    };
    // The bound is doubled for the sign.
    let bits = bound.bits.ceil() as u64 + 1;
    let too_large = || {
        let greatest = NAMES
            .iter()
            .filter_map(|name| named_prime(name))
            .map(|prime| size(&prime));
        MatrixError::TooLarge {
            bits,
            largest: greatest.max().unwrap_or(0),
        }
    };
    let prime = NAMES
        .iter()
        .filter_map(|name| named_prime(name))
        .find(|prime| size(prime) > bits)
        .ok_or_else(too_large)?;
    let field = AnyField::generalized_fermat(prime.radix, prime.digits).map_err(|_| too_large())?;
    let order = matrix.order()?;
    let mut words = Vec::with_capacity(order * order * field.width());
    for entry in matrix.entries() {
        field.push_integer(entry, &mut words);
    }
    let image = AnyDenseMatrix::new(&field, order, order, words);
    let row = image.and_then(AnyDenseMatrix::determinant);
    let value = least(
        field.integer(&row.map_err(|_| too_large())?),
        field.modulus(),
    );
    Ok(KnownDeterminant {
        value,
        proved: true,
        method: IntegerMethod::BigPrime,
        primes: 1,
    })
}

/// Bits of a prime.
fn size(prime: &NamedPrime) -> u64 {
    (Natural::from(prime.radix).pow(prime.digits) + Natural::ONE).bit_len() as u64
}

/// The integer of least absolute value with this residue.
fn least(residue: Natural, modulus: Natural) -> Integer {
    if &residue + &residue > modulus {
        Integer::from(residue) - Integer::from(modulus)
    } else {
        Integer::from(residue)
    }
}
