//! Fractions from their residues.
//!
//! **Problem.** A fraction n/d from n·d⁻¹ modulo M, where |n| and d are small. **Algorithm** (P. Wang, *A p-adic algorithm for
//! univariate partial fractions*, 1981). The remainders r of Euclid's algorithm for M and the residue come with cofactors s such
//! that s·residue ≡ r and |s|·r ≤ M: the first remainder below the bound of numerators is n, up to a common sign.
//! **Bound.** For |n| < N and d ≤ D there is one such fraction at most, if 2·N·D ≤ M.

use dashu_int::IBig;
use sunzi_field::LongInteger;
use sunzi_field::euclid::first_remainder_below;

/// The numerator, below `bound` in absolute value, and the denominator of the fraction that is congruent to `residue`; in lowest
/// terms if there is one within the bounds, and then it is the only one.
///
/// ```
/// use sunzi::{Integer, Natural};
/// use sunzi_rns::fraction;
///
/// // −3/7 modulo 101 is 14.
/// let [residue, modulus, bound] = [14u8, 101, 7].map(Natural::from);
/// assert_eq!(fraction(&residue, &modulus, &bound), (Integer::from(-3), Natural::from(7u8)));
/// ```
///
/// # Panics
/// If `bound` or `modulus` is 0.
pub fn fraction<Z: LongInteger, N: LongInteger>(residue: &N, modulus: &N, bound: &N) -> (Z, N) {
    let (numerator, denominator): (N, IBig) = first_remainder_below(modulus, residue, bound);
    let (negative, denominator) = denominator.sign_and_limbs();
    (
        Z::from_sign_and_limbs(negative, numerator.sign_and_limbs().1),
        N::from_natural_limbs(denominator),
    )
}
