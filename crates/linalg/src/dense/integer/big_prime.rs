//! A determinant modulo one prime that is larger than it can be.

use super::bound::Bound;
use super::problem::{IntegerDeterminantError, IntegerMethod, KnownDeterminant};
use crate::dense::decomposition;
use crate::dense::matrix::{DenseMatrix, ShapeError};
use crate::dense::product::MatrixField;
use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use sunzi_field::generalized_fermat::{NamedPrime, named_prime};
use sunzi_field::{AnyField, with_field};

/// The named primes that are taken, the smallest first.
const NAMES: [&str; 6] = ["P4", "P8", "P16", "P32", "P64", "P128"];

pub(super) fn determinant(
    matrix: &DenseMatrix<IBig>,
    bound: Option<&Bound>,
) -> Result<KnownDeterminant, IntegerDeterminantError> {
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
        IntegerDeterminantError::TooLarge {
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
    let value = with_field!(
        &field,
        field: GeneralizedFermat => least(field, matrix)?,
        _ => return Err(too_large())
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
    (UBig::from(prime.radix).pow(prime.digits) + UBig::ONE).bit_len() as u64
}

/// The determinant in one field, as the integer of least absolute value.
fn least<F: MatrixField>(field: &F, matrix: &DenseMatrix<IBig>) -> Result<IBig, ShapeError> {
    let image = matrix.map(|entry| field.from_integer(entry));
    let residue = field.to_integer(decomposition::determinant(field, image)?);
    let modulus = field.modulus();
    Ok(if &residue + &residue > modulus {
        IBig::from(residue) - IBig::from(modulus)
    } else {
        IBig::from(residue)
    })
}
