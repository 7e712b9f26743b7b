//! Word-size coefficients by transforms over three primes.

use dashu_int::{IBig, Sign, UBig};
use rayon::prelude::*;
use sunzi_crt::{SignedConvolver, SignedLimbs};

/// Coefficients from which the way back to integers is spread over threads.
const PARALLEL_COEFFICIENTS: usize = 1 << 13;

/// The product of polynomials with coefficients below 2^64 in absolute value; `None` if the
/// convolver refuses the operands.
pub(super) fn multiply(convolver: &SignedConvolver, a: &[IBig], b: &[IBig]) -> Option<Vec<IBig>> {
    let words = |values: &[IBig]| values.iter().map(word).collect::<Vec<i128>>();
    let product = convolver.convolve(&words(a), &words(b)).ok()?;
    Some(
        if product.len() >= PARALLEL_COEFFICIENTS && rayon::current_num_threads() > 1 {
            let chunks = product.par_iter().with_min_len(PARALLEL_COEFFICIENTS / 4);
            chunks.map(integer).collect()
        } else {
            product.iter().map(integer).collect()
        },
    )
}

fn word(value: &IBig) -> i128 {
    let (sign, words) = value.as_sign_words();
    let magnitude = i128::from(words.first().copied().unwrap_or(0));
    match sign {
        Sign::Negative => -magnitude,
        Sign::Positive => magnitude,
    }
}

fn integer(value: &SignedLimbs) -> IBig {
    IBig::from_parts(
        Sign::from(value.negative),
        UBig::from_words(&value.magnitude),
    )
}
