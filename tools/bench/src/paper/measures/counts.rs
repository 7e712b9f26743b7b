//! What is counted, not timed: the same on every machine.

use super::{Asked, Ours, count, failed};
use sunzi::field::named_prime;
use sunzi_files::failure::Failure;

/// The power of two that divides p − 1 = r^k.
pub fn two_adicities(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["log2 of the greatest N"]);
    for row in asked.rows(usize::MAX) {
        let name = row[0].to_string();
        let prime = named_prime(&name).ok_or_else(|| failed(format!("no prime {name}")))?;
        let power = prime.radix.trailing_zeros() as usize * prime.digits;
        ours.push([&name], vec![Some(power as f64)]);
    }
    Ok(ours)
}

/// Additions of Algorithm 8, by definition, where a product of digits costs `eta` of them: k² products, and a sum of
/// three digits for each but those that come first.
fn naive_work(k: f64, eta: f64) -> f64 {
    k * k * eta + 3.0 * (k - 1.0) * (k - 1.0)
}

/// Additions of Karatsuba's intermediate product, (a − a')·(b' − b) + z + z', and of the sum that takes it: two
/// differences, a product, three sums of three digits.
fn intermediate_work(eta: f64) -> f64 {
    2.0 + eta + 9.0
}

/// Additions of Algorithm 9 and of M5Mult: a product for each digit, an intermediate one for each pair, a sum for each
/// digit.
fn karatsuba_work(k: f64, eta: f64) -> f64 {
    k * eta + k * (k - 1.0) / 2.0 * intermediate_work(eta) + 3.0 * k
}

/// Additions one after the other in M5Mult with chunks of s digits: a product, the pairs of a chunk with itself, those
/// of a thread's chunks with others, a sum.
fn m5_span(k: f64, s: f64, eta: f64) -> f64 {
    let pairs = s * (s - 1.0) / 2.0 + k / s * s * s;
    eta + pairs * intermediate_work(eta) + 3.0
}

/// The digits of Figures 5.1 and 5.2.
fn lengths(asked: &Asked<'_>) -> impl Iterator<Item = u32> + use<> {
    (5..=if asked.quick { 7 } else { 14 }).map(|log| 1 << log)
}

/// Figure 5.1 of the thesis of 2021.
pub fn work_ratios(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["Algorithm 9 over 8"]);
    for eta in 1..=5 {
        for k in lengths(asked) {
            let (length, cost) = (f64::from(k), f64::from(eta));
            let ratio = karatsuba_work(length, cost) / naive_work(length, cost);
            ours.push([&eta, &k], vec![Some(ratio)]);
        }
    }
    Ok(ours)
}

/// Figure 5.2 of the thesis of 2021.
pub fn parallelism(asked: &Asked<'_>) -> Result<Ours, Failure> {
    const ETA: f64 = 5.0;
    const CHUNK: f64 = 32.0;
    let mut ours = Ours::of(&["work over span"]);
    for k in lengths(asked) {
        let length = f64::from(k);
        let parallelism = karatsuba_work(length, ETA) / m5_span(length, CHUNK, ETA);
        ours.push([&k], vec![Some(parallelism)]);
    }
    Ok(ours)
}

/// Products by powers of r and others in a transform of K^e points by Algorithm 5: each of e levels has N/K base cases of
/// (K/2)·log2 K butterflies, and N products with twiddle factors stand between two levels.
pub fn products_of_a_transform(big_k: usize, e: u32) -> [f64; 2] {
    let points = (big_k as f64).powi(e as i32);
    let cheap = f64::from(e) * points / 2.0 * f64::from(big_k.ilog2());
    [cheap, f64::from(e - 1) * points]
}

/// K and e of a row that has k and e.
pub fn shape(k: &super::Cell, e: &super::Cell) -> Result<(usize, u32), Failure> {
    Ok((2 * count(k)?, count(e)? as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_thesis() {
        // Equation for T∞ of M5Mult: (η + 11)(2ks + s² − s)/2 + η + 3.
        for (k, s, eta) in [(32.0, 32.0, 5.0), (256.0, 32.0, 2.0)] {
            let expected = (eta + 11.0) * (2.0 * k * s + s * s - s) / 2.0 + eta + 3.0;
            assert!((m5_span(k, s, eta) - expected).abs() < 1e-9);
        }
        // Two digits: products a0·b0 and a1·b1, one intermediate, two sums.
        assert_eq!(karatsuba_work(2.0, 1.0), 2.0 + 12.0 + 6.0);
        assert_eq!(naive_work(2.0, 1.0), 4.0 + 3.0);
    }

    #[test]
    fn products_of_a_transform_are_counted() {
        // 8² points: 16 base cases of 12 butterflies, 64 twiddle factors.
        assert_eq!(products_of_a_transform(8, 2), [192.0, 64.0]);
    }
}
