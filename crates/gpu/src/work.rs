//! What launches come to: how their descriptions count bytes, multiply-adds and barriers.

use crate::field::Fields;
use crate::word::Word;

/// Operations of a product of doubles.
const DOUBLE_PRODUCT: u64 = 8;

/// Those of a step of Horner's rule modulo a number of two words: two products of 64 bits, with both halves each.
const STEP_MODULO: u64 = 24;

/// 32-bit multiply-adds of a product of two digits, and of a division of three words by r and the rest.
const DIGIT_PRODUCT: u64 = 4;
pub(crate) const DIVISION: u64 = 7;

/// 32-bit multiply-adds of a product modulo a prime of 31 bits, and of a butterfly.
pub(crate) const PRODUCT_MODULO: u64 = 5;

/// 32-bit multiply-adds of a product of two words that is added to a sum, for residues of one word and of two. These are
/// counts; what they come to on a device is for `term_percent` of a configuration to say.
pub(crate) const TERM: [u64; 2] = [2, 8];

/// Multiply-adds of a butterfly modulo a prime below 2^61, or of any product with a factor known before.
pub(crate) const WIDE_BUTTERFLY: u64 = 13;

/// Those of a product of two residues of 64 bits, or of a butterfly modulo a longer prime.
pub(crate) const WIDE_PRODUCT: u64 = 18;

/// Multiply-adds of a sum of so many products of residues and its reduction, in words of 32 bits: one, or two.
pub(crate) const fn sum_of(words: usize, products: usize) -> u64 {
    let place = words - 1;
    let reduction = [PRODUCT_MODULO, WIDE_PRODUCT][place] - TERM[place];
    products as u64 * TERM[place] + reduction
}

/// Multiply-adds of a butterfly of a transform, and of a product modulo the prime.
pub(crate) const fn butterfly_and_product(fields: &Fields) -> [u64; 2] {
    match fields.word() {
        Word::U32 => [PRODUCT_MODULO; 2],
        Word::U64 if fields.is_spare() => [WIDE_BUTTERFLY, WIDE_PRODUCT],
        Word::U64 => [WIDE_PRODUCT; 2],
        Word::F64 => [DOUBLE_PRODUCT; 2],
    }
}

/// Multiply-adds of a residue modulo one of the primes of a basis from so many words.
pub(crate) const fn projection(words: u64) -> u64 {
    words * PRODUCT_MODULO
}

/// Multiply-adds of the mixed-radix digits of a number from its residues modulo so many primes.
pub(crate) const fn mixed_radix(primes: u64) -> u64 {
    primes * primes.saturating_sub(1) / 2 * PRODUCT_MODULO
}

/// Multiply-adds of that number modulo another.
pub(crate) const fn recombination(primes: u64) -> u64 {
    mixed_radix(primes) + primes * STEP_MODULO
}

/// Multiply-adds of one digit of a product modulo r^k + 1: a column of k products, divided three times.
pub(crate) const fn column(digits: u64) -> u64 {
    digits * DIGIT_PRODUCT + 3 * DIVISION
}
