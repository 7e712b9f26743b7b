//! Products over Z as one product of long integers, reduced at their end.

use sunzi_field::Field;
use sunzi_integer::{Integer, Multiplier};
use sunzi_machine::threads::Threads;

use crate::error::PolyError;
use crate::integer::IntegerPolyRing;
use crate::plan::Algorithm;
use crate::poly::Poly;

/// `out = a · b`, for operands that are not empty.
pub(crate) fn multiply<F: Field>(
    ring: &IntegerPolyRing,
    field: &F,
    out: &mut [F::Elem],
    a: &[F::Elem],
    b: &[F::Elem],
) -> Result<(), PolyError> {
    let lift = |x: &[F::Elem]| -> Poly<Integer> {
        Poly::new(Threads::all().map(x, |&x| field.to_integer(x)))
    };
    let product = if std::ptr::eq(a, b) {
        let a = lift(a);
        ring.mul_with(Algorithm::Kronecker, &a, &a)?
    } else {
        ring.mul_with(Algorithm::Kronecker, &lift(a), &lift(b))?
    };
    let coefficients = product.coefficients();
    let (filled, rest) = out.split_at_mut(coefficients.len());
    let filled = filled.iter_mut().zip(coefficients);
    Threads::all().each(filled, |(out, coefficient)| {
        *out = field.from_integer(coefficient);
    });
    rest.fill(field.zero());
    Ok(())
}

/// The bytes that this takes beside operands and product, for residues of so many words; saturating.
pub(crate) fn scratch_bytes(words: usize, len_a: usize, len_b: usize) -> u64 {
    // Every coefficient of the product takes twice the words and one for their number; the operands lie packed beside it,
    // and all of them as integers, too.
    let limbs = |len: usize| len.saturating_mul(2 * words + 1);
    let packed = limbs(len_a).saturating_add(limbs(len_b)) as u64;
    let multiplication = Multiplier::new().plan(limbs(len_a), limbs(len_b)).bytes();
    packed.saturating_mul(4 * 8).saturating_add(multiplication)
}
