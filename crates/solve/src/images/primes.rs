//! The primes that images are taken modulo, in their order.

use super::lanes::PRIME_BITS;
use sunzi_field::primality::is_prime;

/// Numbers of a window of the sieve.
const WINDOW: u64 = 1 << 16;
/// Odd numbers below this one sieve: after them more than half of the numbers left are prime.
const SIEVED_BY: u64 = 1 << 12;

/// The primes below 2^50, the largest first: the order in which every plan takes them.
///
/// An Eratosthenes sieve by small primes leaves candidates of which more than every second is prime; a proof of primality
/// decides about each.
#[derive(Clone, Debug)]
pub(crate) struct WordPrimes {
    /// Of which smaller primes have been told already, and then the candidates below, ascending.
    window: u64,
    candidates: Vec<u64>,
    small: Vec<u64>,
}

impl WordPrimes {
    /// From the first one on.
    pub(crate) fn new() -> Self {
        let small = (3..SIEVED_BY).step_by(2).filter(|&p| is_prime(p));
        Self {
            window: 1 << PRIME_BITS,
            candidates: Vec::new(),
            small: small.collect(),
        }
    }

    /// The candidates of the next window.
    fn sieve(&mut self) {
        self.window -= WINDOW;
        let start = self.window + 1;
        // Entry i stands for start + 2i.
        let mut composite = vec![false; (WINDOW / 2) as usize];
        for &p in &self.small {
            // The first odd multiple of p from the start on.
            let rest = start % p;
            let distance = if rest == 0 { 0 } else { p - rest };
            let distance = if distance % 2 == 0 {
                distance
            } else {
                distance + p
            };
            for index in (distance as usize / 2..composite.len()).step_by(p as usize) {
                composite[index] = true;
            }
        }
        let left = (0..).zip(composite).filter(|(_, composite)| !composite);
        self.candidates = left.map(|(index, _)| start + 2 * index).collect();
    }
}

impl Iterator for WordPrimes {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        loop {
            while let Some(candidate) = self.candidates.pop() {
                if is_prime(candidate) {
                    return Some(candidate);
                }
            }
            if self.window < SIEVED_BY * SIEVED_BY + WINDOW {
                return None;
            }
            self.sieve();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_is_left_out() {
        let by_definition = (0..1u64 << PRIME_BITS).rev().filter(|&n| is_prime(n));
        // More than one window.
        let count = 2500;
        assert!(WordPrimes::new().take(count).eq(by_definition.take(count)));
    }
}
