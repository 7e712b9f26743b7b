//! Digits of π: `cargo run --release -p sunzi --example pi -- 1000000`.
//!
//! The series of D. and G. Chudnovsky (1988), 14.18 digits a term, summed up by halves: for the terms from a to b, P, Q and T are
//! integers with P(a, b) = P(a, m)·P(m, b), Q likewise, and T(a, b) = T(a, m)·Q(m, b) + P(a, m)·T(m, b).

use std::time::Instant;
use sunzi::{Integer, Natural};

/// 640320³/24.
const C: u64 = 10_939_058_860_032_000;

/// P, Q and T of the terms from `a` to `b`.
fn halves(a: u64, b: u64, last: bool) -> [Integer; 3] {
    if b - a == 1 {
        let p = Integer::from(6 * a - 5) * (2 * a - 1) * (6 * a - 1);
        let q = Integer::from(a).pow(3) * C;
        let t = &p * (13_591_409 + 545_140_134 * i128::from(a));
        return [p, q, if a % 2 == 1 { -t } else { t }];
    }
    let middle = a.midpoint(b);
    let ([p, q, t], [p2, q2, t2]) =
        rayon::join(|| halves(a, middle, false), || halves(middle, b, last));
    let t = t * &q2 + &p * t2;
    // The last P of all is of no use.
    [if last { Integer::ZERO } else { p * p2 }, q * q2, t]
}

/// ⌊π·10^digits⌋.
pub(crate) fn pi(digits: usize) -> Natural {
    let terms = digits as u64 / 14 + 2;
    let [_, q, t] = halves(1, terms, true);
    // Ten digits more than are told.
    let one = Natural::from(10u32).pow(digits + 10);
    let root = (Natural::from(10_005u32) * &one * &one).sqrt();
    let pi = q.magnitude() * 426_880u32 * root / (q * 13_591_409 + t).into_magnitude();
    pi / Natural::from(10u32).pow(10)
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let digits = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 1000,
    };
    let start = Instant::now();
    let number = pi(digits);
    let computed = start.elapsed();
    let text = number.to_string();
    println!(
        "3.{}…{}",
        &text[1..text.len().min(21)],
        &text[text.len().saturating_sub(20)..]
    );
    println!(
        "{digits} digits: computed in {computed:.3?}, with text in {:.3?}",
        start.elapsed()
    );
    Ok(())
}
