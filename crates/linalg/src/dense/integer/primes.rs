//! The primes that determinants over Z are computed with.

use sunzi_field::Fp32;
use sunzi_field::primality::is_prime;

/// Primes from 2^30 upward, as fields: just above, products of residues are reduced least often.
///
/// There are 50 million of them below 2^31, more than any determinant that fits a memory asks for.
pub(super) fn fields() -> impl Iterator<Item = Fp32> {
    ((1 << 30) + 1..1 << 31)
        .step_by(2)
        .filter(|&candidate| is_prime(u64::from(candidate)))
        .filter_map(|prime: u32| Fp32::new(prime).ok())
}

/// Bits that each of them adds to a product at least.
pub(super) const BITS: f64 = 30.0;
