//! Schoolbook arithmetic with a few short moduli.

use sunzi_field::Field;

use crate::poly::Poly;

/// Degrees of a product of several moduli up to which schoolbook arithmetic wins.
pub(super) const fn degree<E>() -> usize {
    if size_of::<E>() <= 8 { 32 } else { 16 }
}

/// The product of all moduli.
pub(super) fn product<F: Field>(field: &F, moduli: &[Poly<F::Elem>]) -> Vec<F::Elem> {
    let mut product = vec![field.one()];
    for modulus in moduli {
        product = times(field, &product, modulus.coefficients());
    }
    product
}

/// The remainders of a polynomial by all moduli, which are monic.
pub(super) fn remainders<F: Field>(
    field: &F,
    polynomial: &[F::Elem],
    moduli: &[Poly<F::Elem>],
    remainders: &mut [Poly<F::Elem>],
) {
    let mut rest = Vec::with_capacity(polynomial.len());
    for (modulus, remainder) in moduli.iter().zip(remainders) {
        rest.clear();
        rest.extend_from_slice(polynomial);
        let below = &modulus.coefficients()[..modulus.len() - 1];
        while rest.len() > below.len() {
            let start = rest.len() - below.len() - 1;
            let quotient = rest.pop().unwrap_or_default();
            for (x, &y) in rest[start..].iter_mut().zip(below) {
                *x = field.sub(*x, field.mul(quotient, y));
            }
        }
        *remainder = Poly::new(rest.clone());
    }
}

/// The sum of n_i·M/m_i, M the product of the moduli: not more coefficients than M has degrees.
pub(super) fn numerator<F: Field>(
    field: &F,
    moduli: &[Poly<F::Elem>],
    numerators: &[Poly<F::Elem>],
) -> Vec<F::Elem> {
    let mut product = vec![field.one()];
    let mut sum = Vec::new();
    for (modulus, numerator) in moduli.iter().zip(numerators) {
        // s/P + n/m = (s·m + n·P)/(P·m).
        let mut next = times(field, &sum, modulus.coefficients());
        next.resize(product.len() + modulus.len() - 2, field.zero());
        add_product(field, &mut next, numerator.coefficients(), &product);
        sum = next;
        product = times(field, &product, modulus.coefficients());
    }
    sum
}

fn times<F: Field>(field: &F, a: &[F::Elem], b: &[F::Elem]) -> Vec<F::Elem> {
    let mut product = vec![field.zero(); (a.len() + b.len()).saturating_sub(1)];
    add_product(field, &mut product, a, b);
    product
}

fn add_product<F: Field>(field: &F, out: &mut [F::Elem], a: &[F::Elem], b: &[F::Elem]) {
    for (i, &x) in a.iter().enumerate() {
        for (out, &y) in out[i..].iter_mut().zip(b) {
            *out = field.add(*out, field.mul(x, y));
        }
    }
}
