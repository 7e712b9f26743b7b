//! Sums, differences and negatives of polynomials over Z and Q, coefficient by coefficient.

use std::ops::{AddAssign, Neg, SubAssign};

use crate::poly::Poly;

/// `a + b`.
pub fn sum<E>(a: &Poly<E>, b: &Poly<E>) -> Poly<E>
where
    E: Clone + Default + PartialEq + for<'x> AddAssign<&'x E>,
{
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut sum = long.coefficients().to_vec();
    for (x, y) in sum.iter_mut().zip(short.coefficients()) {
        *x += y;
    }
    Poly::new(sum)
}

/// `a − b`.
pub fn difference<E>(a: &Poly<E>, b: &Poly<E>) -> Poly<E>
where
    E: Clone + Default + PartialEq + for<'x> SubAssign<&'x E>,
{
    let mut difference = a.coefficients().to_vec();
    difference.resize(a.len().max(b.len()), E::default());
    for (x, y) in difference.iter_mut().zip(b.coefficients()) {
        *x -= y;
    }
    Poly::new(difference)
}

/// `−f`.
pub fn negative<E>(f: &Poly<E>) -> Poly<E>
where
    E: Default + PartialEq,
    for<'x> &'x E: Neg<Output = E>,
{
    Poly::new(f.coefficients().iter().map(|x| -x).collect())
}
