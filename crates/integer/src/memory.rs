//! How much working memory products take, to be asked before they start.

use crate::transform::{MAX_LIMBS_WHOLE, PRIMES};

/// About how many bytes the transforms of one product take beside operands and product.
pub(crate) fn transform_bytes(long: usize, short: usize) -> u64 {
    // Beyond, coefficients have 56 bits, 8 of them for 7 limbs.
    let coefficients = |limbs: usize| match short {
        0..=MAX_LIMBS_WHOLE => limbs,
        _ => limbs.saturating_add(limbs.div_ceil(7)),
    };
    let len = coefficients(long).saturating_add(coefficients(short));
    sunzi_crt::scratch_bytes(PRIMES, len)
}
