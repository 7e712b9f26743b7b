//! What others measured of batches of products of polynomials.
//!
//! P. Emeliyanenko, *Efficient multiplication of polynomials on graphics hardware*, 2009, table 1: milliseconds of
//! batches of convolutions on a GeForce GTX 280, four primes of 24 bits for coefficients of 41 bits. Four convolutions
//! make one product.

/// Who measured, and on what.
pub const ORIGIN: &str = "Emeliyanenko, 2009, GeForce GTX 280";

/// 512-point convolutions: products of 256 by 256 terms.
const TERMS_256: [(u64, f64); 6] = [
    (128, 0.26e-3),
    (512, 0.98e-3),
    (2048, 4.04e-3),
    (4096, 7.78e-3),
    (8192, 15.22e-3),
    (16384, 29.13e-3),
];
/// 2048-point convolutions: products of 1024 by 1024 terms.
const TERMS_1024: [(u64, f64); 6] = [
    (64, 0.74e-3),
    (256, 2.49e-3),
    (1024, 9.83e-3),
    (2048, 19.34e-3),
    (4096, 38.39e-3),
    (8192, 76.55e-3),
];

/// Batches and seconds of products of this many terms, with coefficients of this many bits.
pub fn batches(terms: u64, bits: u32) -> &'static [(u64, f64)] {
    match (terms, bits) {
        (256, 41) => &TERMS_256,
        (1024, 41) => &TERMS_1024,
        _ => &[],
    }
}

/// Seconds of a batch.
pub fn seconds(terms: u64, bits: u32, batch: u64) -> Option<f64> {
    let mut batches = batches(terms, bits).iter();
    Some(batches.find(|(count, _)| *count == batch)?.1)
}
