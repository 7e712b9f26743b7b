//! Schoolbook arithmetic over few points.

use sunzi_field::Field;

/// The product of 1 − u·x over the points u, without its constant term 1: as many coefficients as points.
pub(super) fn product<F: Field>(field: &F, out: &mut [F::Elem], points: &[F::Elem]) {
    let mut product = vec![field.zero(); points.len() + 1];
    let mut next = product.clone();
    product[0] = field.one();
    for (len, &point) in points.iter().enumerate() {
        times_linear(field, &mut next, &product, len, point);
        std::mem::swap(&mut product, &mut next);
    }
    out.copy_from_slice(&product[1..]);
}

/// `next = product·(1 − u·x)` where the product has degree `len`, and 0 beyond it.
fn times_linear<F: Field>(
    field: &F,
    next: &mut [F::Elem],
    product: &[F::Elem],
    len: usize,
    point: F::Elem,
) {
    next[0] = product[0];
    let terms = [
        (field.one(), &product[1..len + 2]),
        (field.neg(point), &product[..=len]),
    ];
    field.combine_slices(&mut next[1..len + 2], terms);
}

/// The sum of w/(1 − u·x) over the points u and their weights w, times the product of all 1 − u·x: as many
/// coefficients as points.
pub(super) fn numerator<F: Field>(
    field: &F,
    out: &mut [F::Elem],
    points: &[F::Elem],
    weights: &[F::Elem],
) {
    let zeros = || vec![field.zero(); points.len() + 2];
    let (product, next_product) = (&mut zeros(), &mut zeros());
    let (sum, next_sum) = (&mut zeros(), &mut zeros());
    product[0] = field.one();
    for (len, (&point, &weight)) in points.iter().zip(weights).enumerate() {
        // (s/P + w/(1 − u·x))·P·(1 − u·x) = s·(1 − u·x) + w·P.
        next_sum[0] = field.add(sum[0], field.mul(weight, product[0]));
        let terms = [
            (field.one(), &sum[1..len + 2]),
            (field.neg(point), &sum[..=len]),
            (weight, &product[1..len + 2]),
        ];
        field.combine_slices(&mut next_sum[1..len + 2], terms);
        times_linear(field, next_product, product, len, point);
        std::mem::swap(product, next_product);
        std::mem::swap(sum, next_sum);
    }
    out.copy_from_slice(&sum[..points.len()]);
}
