//! Reciprocals of long integers by Newton's iteration.
//!
//! For a divisor `P` of m limbs let z be the number of leading zero bits of its top limb and
//! `D = P·2^z / 2^(64m)`, so ½ ≤ D < 1. The reciprocal to k limbs is an integer I with
//!
//! `0 ≤ 1/D − I·2^(−64k) < 2·2^(−64k)`,
//!
//! never above the true value. The iteration is `I' = I·(2 − D·I)`, which doubles the number of
//! right limbs and never exceeds 1/D (Brent and Zimmermann, *Modern Computer Arithmetic*, §4.2). Why
//! the bound holds is said at [`step`] and [`direct`].

use crate::multiplier::Multiplier;
use crate::number::Natural;
use sunzi_rns::limbs;

/// Precision, in limbs, up to which one division is cheaper than iterating.
const DIRECT: usize = 8;

/// The reciprocal of `divisor` to `precision` limbs, in `precision + 1` limbs (the top one is 1 or 2).
///
/// The divisor's top limb must not be zero. Costs about three products of `precision` limbs.
pub fn reciprocal(multiplier: &Multiplier, divisor: &[u64], precision: usize) -> Vec<u64> {
    let divisor = normalized(divisor);
    let mut steps = Vec::new();
    let mut k = precision;
    while k > DIRECT {
        steps.push(k);
        k = k / 2 + 1;
    }
    let mut inverse = direct(&divisor, k);
    for &wanted in steps.iter().rev() {
        inverse = step(multiplier, &divisor, &inverse, wanted);
    }
    inverse
}

/// The divisor shifted so that its top bit is set.
fn normalized(divisor: &[u64]) -> Vec<u64> {
    let mut shifted = divisor.to_vec();
    let zeros = divisor.last().map_or(0, |top| top.leading_zeros());
    limbs::shl_assign(&mut shifted, zeros);
    shifted
}

/// D rounded up to at most t limbs; the sum may be 1 exactly, which takes one limb more.
fn rounded_up(divisor: &[u64], t: usize) -> Vec<u64> {
    if divisor.len() <= t {
        return divisor.to_vec();
    }
    let mut top = divisor[divisor.len() - t..].to_vec();
    if limbs::add_1(&mut top, 1) != 0 {
        top.push(1);
    }
    top
}

/// `2^(64(t+k)) / D̂` by division, with t = k + 1 and k ≤ [`DIRECT`]: error at most 2^(−64k) + 4·2^(−64t).
fn direct(divisor: &[u64], k: usize) -> Vec<u64> {
    let t = (k + 1).min(divisor.len());
    let quotient = (Natural::ONE << (64 * (t + k))) / Natural::from_limbs(rounded_up(divisor, t));
    let mut inverse = quotient.into_limbs();
    inverse.resize(k + 1, 0);
    inverse
}

/// One step of the iteration, from the precision of `inverse` to `wanted` limbs.
///
/// Why the bound holds: a step goes from k to k' ≤ 2k − 1 limbs. It replaces D by D̂ ≥ D, D rounded up at limb
/// t = k' + 1 (D itself when it is no longer than that), so `0 ≤ 1/D − 1/D̂ ≤ 4·2^(−64t)`.
/// Let e = 1/D − I be the error before the step, `e < 2·2^(−64k)`.
///
/// - If I ≤ 1/D̂: the exact step would give `1/D̂ − D̂·(1/D̂ − I)² `, at most 1/D and at least
///   `1/D − 4·2^(−64t) − e²`, and e² < 4·2^(−128k) ≤ 4·2^(−64)·2^(−64k'). The residue 1 − D̂·I is cut
///   (rounded down) at limb k' + 1, which lowers the result by less than 2·2^(−64(k'+1)), and the
///   result at limb k', by less than 2^(−64k'). Altogether the error is less than
///   `(1 + 10·2^(−64))·2^(−64k') < 2·2^(−64k')`.
/// - If I > 1/D̂: the residue is negative and is taken as zero, so I stays, and
///   1/D − I < 1/D − 1/D̂ ≤ 4·2^(−64t).
fn step(multiplier: &Multiplier, divisor: &[u64], inverse: &[u64], wanted: usize) -> Vec<u64> {
    let k = inverse.len() - 1;
    debug_assert!(k < wanted && wanted < 2 * k);
    let t = (wanted + 1).min(divisor.len());
    let divisor = rounded_up(divisor, t);
    let mut product = vec![0; divisor.len() + inverse.len()];
    multiplier.mul(&mut product, &divisor, inverse);

    let mut next = vec![0; wanted - k];
    next.extend_from_slice(inverse);
    // The residue 2^(64(t+k)) − product: the product is near that power, below it unless I > 1/D̂.
    if product[t + k..].iter().any(|&limb| limb != 0) {
        return next;
    }
    product.truncate(t + k);
    limbs::negate(&mut product);
    // It is less than 2·2^(64t); what lies below limb k' + 1 of the fraction is cut.
    let cut = (t + k).saturating_sub(wanted + 1);
    let residue = &product[cut..(t + 1).min(t + k)];
    let mut correction = vec![0; residue.len() + inverse.len()];
    multiplier.mul(&mut correction, residue, inverse);
    // Units: residue 2^(−64(t+k−cut)), inverse 2^(−64k), result 2^(−64k').
    let drop = t + 2 * k - cut - wanted;
    let carry = limbs::add_assign(&mut next, &correction[drop.min(correction.len())..]);
    debug_assert_eq!(carry, 0);
    next
}
