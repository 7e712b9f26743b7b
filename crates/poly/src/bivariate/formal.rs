//! Subresultants at one point, where leading coefficients may vanish.
//!
//! **Problem.** S_j of a and b of *formal* degrees m and n: the minors of a Sylvester matrix whose leading coefficients may be 0,
//! which the values of S_j(x) at a point are. **Algorithm.** If the leading coefficient of b is 0, the first column of the
//! matrix holds that of a alone, in the first row; if that of a is 0, it holds that of b alone, in row n − j + 1. Developed by
//! that column, again and again, S_j becomes the subresultant of the true degrees, or a matrix without rows of the other
//! operand: that is 0 or, of one row, the operand itself.

use super::BivariateField;
use crate::{Poly, PolyError, PolyRing};

/// The S_j in demand, j below both formal degrees, which are the lengths less one; leading coefficients may be 0.
pub(super) fn subresultants<F: BivariateField>(
    ring: &PolyRing<F>,
    a: &[F::Elem],
    b: &[F::Elem],
    wanted: &[usize],
) -> Result<Vec<Poly<F::Elem>>, PolyError> {
    let field = ring.field();
    let zero = field.zero();
    let (m, n) = (a.len() - 1, b.len() - 1);
    let (leading_a, leading_b) = (a[m], b[n]);
    if leading_a == zero && leading_b == zero {
        // So is the first column.
        return Ok(vec![Poly::zero(); wanted.len()]);
    }
    let (a, b) = (Poly::new(a.to_vec()), Poly::new(b.to_vec()));
    let chain = ring.subresultant_chain(&a, &b)?;
    let mut found = Vec::with_capacity(wanted.len());
    for &j in wanted {
        // The operand whose degree is less than it seems, that degree, and what the matrix is developed by.
        let (short, formal, other, leading) = if leading_b == zero {
            (&b, n, m, leading_a)
        } else if (n - j) % 2 == 0 {
            (&a, m, n, leading_b)
        } else {
            (&a, m, n, field.neg(leading_b))
        };
        let (steps, subresultant) = match short.degree() {
            Some(degree) if degree >= j => (formal - degree, chain.get(j).cloned()),
            _ if other == j + 1 => (formal - j, Some(short.clone())),
            _ => (0, None),
        };
        let factor = field.pow(leading, steps as u64);
        let mut coefficients = subresultant.unwrap_or_default().into_coefficients();
        field.scale_slice(&mut coefficients, factor);
        found.push(Poly::new(coefficients));
    }
    Ok(found)
}
