//! Slow answers from definitions and from GMP.

use rug::Integer;
use rug::integer::Order;

/// The product of two polynomials over Z, by definition; empty if either is.
///
/// ```
/// use rug::Integer;
///
/// let a = [Integer::from(1), Integer::from(-2)];
/// let square = sunzi_testkit::convolution(&a, &a);
/// assert_eq!(square, [Integer::from(1), Integer::from(-4), Integer::from(4)]);
/// ```
pub fn convolution(a: &[Integer], b: &[Integer]) -> Vec<Integer> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let mut result = vec![Integer::new(); a.len() + b.len() - 1];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            result[i + j] += a * b;
        }
    }
    result
}

/// The product of two polynomials modulo `modulus` > 0, through sums that cannot overflow; empty
/// if either is. Takes residues of any size below 2^64.
///
/// ```
/// assert_eq!(sunzi_testkit::convolution_mod(&[3, 4], &[5, 6], 7), [1, 3, 3]);
/// ```
pub fn convolution_mod(a: &[u64], b: &[u64], modulus: u64) -> Vec<u64> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let modulus = u128::from(modulus);
    let mut result = vec![0; a.len() + b.len() - 1];
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            let product = u128::from(a) * u128::from(b) % modulus;
            let sum: u128 = u128::from(result[i + j]) + product;
            result[i + j] = (sum % modulus) as u64;
        }
    }
    result
}

/// The same by one product of two integers of GMP's, in slots of three limbs a coefficient: for operands
/// that are too long for the definition.
///
/// ```
/// assert_eq!(sunzi_testkit::long_convolution_mod(&[3, 4], &[5, 6], 7), [1, 3, 3]);
/// ```
pub fn long_convolution_mod(a: &[u64], b: &[u64], modulus: u64) -> Vec<u64> {
    const SLOT: usize = 3;
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let [mut product, other] = [a, b].map(|coefficients| {
        let slots = coefficients.iter().flat_map(|&low| [low, 0, 0]);
        Integer::from_digits(&slots.collect::<Vec<u64>>(), Order::Lsf)
    });
    product *= other;
    let mut limbs = product.to_digits::<u64>(Order::Lsf);
    limbs.resize(SLOT * (a.len() + b.len() - 1), 0);
    let modulus = u128::from(modulus);
    let reduce = |slot: &[u64]| {
        let from_top = slot.iter().rev();
        from_top.fold(0, |rest, &limb| (rest << 64 | u128::from(limb)) % modulus) as u64
    };
    limbs.chunks_exact(SLOT).map(reduce).collect()
}

/// The product of two natural numbers given by limbs, least significant first, by GMP:
/// `a.len() + b.len()` limbs.
///
/// ```
/// assert_eq!(sunzi_testkit::mul_limbs(&[u64::MAX], &[2]), [u64::MAX - 1, 1]);
/// ```
pub fn mul_limbs(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut product = Integer::from_digits(a, Order::Lsf);
    product *= Integer::from_digits(b, Order::Lsf);
    let mut limbs = product.to_digits(Order::Lsf);
    limbs.resize(a.len() + b.len(), 0);
    limbs
}
