//! Factorials and binomial coefficients.
//!
//! **Algorithms.** n! is ⌊n/2⌋!² times the *swing* n!/⌊n/2⌋!², whose primes are known: p divides it as often as ⌊n/pⁱ⌋ is odd (P. Luschny,
//! "Divide, swing and conquer the factorial", 2008). Squares are the fastest products, and the swing has about n bits where n! has
//! n·log n. The power of p in a binomial coefficient is the number of carries where k and n − k are added in base p (E. Kummer, 1852). So
//! both are products of known primes, by a balanced tree. Where n is far above k, factors n, n − 1, … are fewer.

use super::{Integer, Natural};
use std::iter;

/// The greatest n whose factorial has one word.
const WORD: u64 = 20;

impl Natural {
    /// The product of all numbers from 1 to n.
    ///
    /// O(M(b)) operations for the b limbs of the result, and O(n·log log n) to find the primes up to n.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::factorial(25).to_string(), "15511210043330985984000000");
    /// ```
    #[must_use]
    pub fn factorial(n: u64) -> Self {
        let shift = (n - u64::from(n.count_ones())) as usize;
        odd_factorial(n, &Sieve::up_to(n)) << shift
    }

    /// The number of ways to choose k out of this many: n·(n − 1)⋯(n − k + 1)/k!.
    ///
    /// O(M(b)·log b) operations for the b limbs of the result.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(52u32).binomial(5), 2_598_960);
    /// assert_eq!(Natural::from(3u32).binomial(5), 0);
    /// ```
    #[must_use]
    pub fn binomial(&self, k: u64) -> Self {
        /// How many primes cost as much as one factor less.
        const PRIMES_EACH: u64 = 64;
        let Ok(n) = u64::try_from(self) else {
            let factors = (0..k).map(|i| self - i);
            return factors.product::<Self>() / Self::factorial(k);
        };
        if k > n {
            return Self::ZERO;
        }
        let k = k.min(n - k);
        if k == 0 {
            return Self::ONE;
        }
        if n / PRIMES_EACH > k {
            return (n - k + 1..=n).product::<Self>() / Self::factorial(k);
        }
        let mut factors = Packed::default();
        for prime in iter::once(2).chain(Sieve::up_to(n).primes()) {
            let (mut n, mut k, mut carry) = (n, k, false);
            while n > 0 {
                carry = n % prime < k % prime + u64::from(carry);
                if carry {
                    factors.push(prime);
                }
                (n, k) = (n / prime, k / prime);
            }
        }
        factors.product()
    }
}

impl Integer {
    /// n·(n − 1)⋯(n − k + 1)/k!, for negative n, too.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-2).binomial(3), -4);
    /// ```
    #[must_use]
    pub fn binomial(&self, k: u64) -> Self {
        if !self.negative {
            return self.magnitude.binomial(k).into();
        }
        // Each factor has its sign turned around.
        let upward = if k == 0 {
            Natural::ONE
        } else {
            (&self.magnitude + (k - 1)).binomial(k)
        };
        Self::from_sign_magnitude(k % 2 == 1, upward)
    }
}

/// The greatest odd number that divides n!, by a sieve up to n or beyond.
fn odd_factorial(n: u64, sieve: &Sieve) -> Natural {
    if n <= WORD {
        let factorial: u64 = (1..=n).product();
        return (factorial >> factorial.trailing_zeros()).into();
    }
    let mut swing = Packed::default();
    for prime in sieve.primes().take_while(|&prime| prime <= n) {
        let mut quotient = n / prime;
        while quotient > 0 {
            if quotient % 2 == 1 {
                swing.push(prime);
            }
            quotient /= prime;
        }
    }
    odd_factorial(n / 2, sieve).square() * swing.product()
}

/// Small factors, as many to a word as it holds.
#[derive(Default)]
struct Packed(Vec<u64>);

impl Packed {
    fn push(&mut self, factor: u64) {
        match self.0.last_mut() {
            Some(last) if last.checked_mul(factor).is_some() => *last *= factor,
            _ => self.0.push(factor),
        }
    }

    fn product(self) -> Natural {
        self.0.into_iter().product()
    }
}

/// Which odd numbers up to a bound are prime, by the sieve of Eratosthenes: n/16 bytes.
pub(super) struct Sieve {
    /// Bit i is set if 2i + 1 has a proper divisor.
    composite: Vec<u64>,
    bits: u64,
}

impl Sieve {
    pub(super) fn up_to(n: u64) -> Self {
        let bits = n.div_ceil(2);
        let mut sieve = Self {
            composite: vec![0; bits.div_ceil(64) as usize],
            bits,
        };
        for i in (1..bits).take_while(|&i| (2 * i + 1).saturating_mul(2 * i + 1) <= n) {
            if sieve.is_prime(i) {
                let prime = 2 * i + 1;
                for multiple in (prime * prime / 2..bits).step_by(prime as usize) {
                    sieve.composite[(multiple / 64) as usize] |= 1 << (multiple % 64);
                }
            }
        }
        sieve
    }

    fn is_prime(&self, i: u64) -> bool {
        self.composite[(i / 64) as usize] >> (i % 64) & 1 == 0
    }

    /// The odd primes, the least first.
    pub(super) fn primes(&self) -> impl Iterator<Item = u64> {
        let places = (1..self.bits).filter(|&i| self.is_prime(i));
        places.map(|i| 2 * i + 1)
    }
}
