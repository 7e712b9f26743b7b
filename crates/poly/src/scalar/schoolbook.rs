//! Schoolbook products by single products in the field.

use sunzi_field::Field;

/// The coefficients of a product from `start` on: `Σ_i short[i] · long[place − i]`.
pub(crate) fn one_by_one<F: Field>(
    field: &F,
    out: &mut [F::Elem],
    start: usize,
    long: &[F::Elem],
    short: &[F::Elem],
) {
    for (place, out) in (start..).zip(out) {
        let least = (place + 1).saturating_sub(long.len());
        let most = place.min(short.len() - 1);
        *out = (least..=most).fold(field.zero(), |sum, index| {
            field.add(sum, field.mul(short[index], long[place - index]))
        });
    }
}
