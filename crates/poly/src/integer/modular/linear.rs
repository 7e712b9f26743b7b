//! Resultants of a polynomial and a linear one, without primes.
//!
//! **Algorithm.** res(f, a·x + b) = (−1)^m Σ f_i (−b)^i a^(m−i) for f of degree m: a value of the homogeneous form of f, by
//! halves (G. Estrin, 1960), so that long products have factors of equal length. By primes it would take m steps for each of
//! about m·(bits of a and b)/50 of them.

use sunzi_integer::Integer;

/// Σ f_i p^i q^(m−i) for f of degree m.
pub(crate) fn homogeneous(f: &[Integer], p: &Integer, q: &Integer) -> Integer {
    let mut powers = vec![p.clone()];
    while f.len() > 1 << powers.len() {
        let last = &powers[powers.len() - 1];
        powers.push(last.square());
    }
    form(f, &powers, q)
}

/// The same, with p^1, p^2, p^4 … below the number of coefficients.
fn form(f: &[Integer], powers: &[Integer], q: &Integer) -> Integer {
    match f {
        [] => Integer::ZERO,
        [constant] => constant.clone(),
        _ => {
            let level = (f.len() - 1).ilog2() as usize;
            let (low, high) = f.split_at(1 << level);
            let [low, high] = [low, high].map(|half| form(half, powers, q));
            let high = high * &powers[level];
            // The lower half has degree 2^level − 1.
            match *q == Integer::ONE || low.is_zero() {
                true => low + high,
                false => low * q.pow(f.len() - (1 << level)) + high,
            }
        }
    }
}
