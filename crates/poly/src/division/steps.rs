//! Division of short operands, two coefficients of the quotient at a time.

use sunzi_field::Field;

/// Coefficients of quotient and remainder, with zeros at the end perhaps.
pub(crate) type Slices<E> = (Vec<E>, Vec<E>);

/// Coefficients of the divisor up to which steps win over blocks, as measured. Elements longer than a word
/// have vectors only for products of polynomials.
const fn short_divisor<F: Field>() -> usize {
    match size_of::<F::Elem>() {
        4 => 128,
        8 => 64,
        _ => 0,
    }
}

/// Coefficients of the quotient up to which steps win for every divisor: an inverse does not pay.
const SHORT_QUOTIENT: usize = 8;

/// Whether steps win for these numbers of coefficients.
pub(super) const fn win<F: Field>(divisor: usize, quotient: usize) -> bool {
    quotient <= SHORT_QUOTIENT || divisor <= short_divisor::<F>()
}

/// Quotient and remainder of `a` by `b`, which is not longer and ends in the inverse of `inverse`. As many
/// passes over `b` as half the coefficients of the quotient.
pub(super) fn divide<F: Field>(
    field: &F,
    a: &[F::Elem],
    b: &[F::Elem],
    inverse: F::Elem,
) -> Slices<F::Elem> {
    let degree = b.len() - 1;
    let below = &b[..degree];
    let next = below.last().copied().unwrap_or(field.zero());
    let mut rest = a.to_vec();
    let mut quotient = vec![field.zero(); a.len() - degree];
    let mut window = vec![field.zero(); degree];
    while rest.len() > degree {
        let missing = rest.len() - degree;
        let top = rest.len() - 1;
        let first = field.mul(rest[top], inverse);
        quotient[missing - 1] = first;
        let step = if missing == 1 { 1 } else { 2 };
        let start = missing - step;
        if step == 1 {
            let terms = [
                (field.one(), &rest[start..start + degree]),
                (field.neg(first), below),
            ];
            field.combine_slices(&mut window, terms);
        } else {
            let known = field.sub(rest[top - 1], field.mul(first, next));
            let second = field.mul(known, inverse);
            quotient[start] = second;
            if let Some((lowest, window)) = window.split_first_mut() {
                *lowest = field.sub(rest[start], field.mul(second, b[0]));
                let terms = [
                    (field.one(), &rest[start + 1..start + degree]),
                    (field.neg(first), &below[..degree - 1]),
                    (field.neg(second), &below[1..]),
                ];
                field.combine_slices(window, terms);
            }
        }
        rest.truncate(start + degree);
        rest[start..].copy_from_slice(&window);
    }
    (quotient, rest)
}
