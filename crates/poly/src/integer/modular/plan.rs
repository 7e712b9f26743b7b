//! Which primes a result over the integers will be computed modulo.
//!
//! Words win wherever both can do it: in `cargo run --release -p sunzi-poly --example integer_times` they took a 50th to a 330th of
//! the time of one large prime for resultants of degree 10 to 40, and a 19th to a 67th for greatest common divisors of polynomials of
//! degree 20 to 1000 (Intel Xeon with AVX-512 IFMA, one thread, 25 November 2026). Eight primes of a word are one lane each,
//! and products of digits of a large one are not.
//!
//! For greatest common divisors, values win over words up to about 60 limbs, and for coefficients of 60 bits at any length: in the same example
//! they took a fifth of the time at degree 4, two thirds at 100, and hardly more or less from 200 on, where half of the degree is common; of
//! coprime polynomials, for which eight primes are enough, a third at degree 4 and as long at 64 (AMD EPYC with AVX-512 IFMA, one thread, 29
//! November 2026).

use super::big_prime::prime_above;
use super::gcd_words::FIRST_BATCH;
use super::method::Method;
use crate::PolyError;
use std::fmt;
use sunzi_rns::primes_above;

/// Which primes a result over the integers will be computed modulo, before any is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModularPlan {
    /// How; never [`Method::Automatic`].
    pub method: Method,
    /// Numbers that are put together from images have at most so many bits; for a greatest common divisor by words, so many are
    /// expected. Values have at most so many.
    pub bits: u64,
    /// How many primes that takes, if none has to be dropped; none where the method is [`Method::Linear`] or [`Method::Values`].
    pub primes: usize,
    /// The one prime r^k + 1, if it is one: its name and bits.
    pub big_prime: Option<(&'static str, u64)>,
}

impl ModularPlan {
    pub(super) fn new(method: Method, bits: u64) -> Result<Self, PolyError> {
        // A bit more tells the sign.
        let with_sign = bits.saturating_add(1);
        Ok(match method {
            Method::Automatic | Method::Words | Method::Linear | Method::Values => Self {
                method: Method::Words,
                bits,
                primes: primes_above(with_sign),
                big_prime: None,
            },
            Method::BigPrime => {
                let prime = prime_above(with_sign)?;
                Self {
                    method,
                    bits,
                    primes: 1,
                    big_prime: Some((prime.name, prime.bit_len())),
                }
            }
        })
    }
}

impl ModularPlan {
    /// A value of that many bits, without primes.
    pub(super) const fn linear(bits: u64) -> Self {
        Self {
            method: Method::Linear,
            bits,
            primes: 0,
            big_prime: None,
        }
    }

    /// Two values of so many bits at most, without primes.
    pub(super) const fn values(bits: u64) -> Self {
        Self {
            method: Method::Values,
            bits,
            primes: 0,
            big_prime: None,
        }
    }

    /// Bytes that it takes to compute `images` residues modulo every prime and the numbers that are made of them.
    pub fn bytes(&self, images: usize) -> u64 {
        if self.method == Method::Linear {
            // The value and its halves, the powers that they are multiplied by, and products on their way.
            return (self.bits / 8).saturating_mul(6);
        }
        if self.method == Method::Values {
            // Operands in rows, the values, their divisor and two quotients, as wide as if a larger power were needed; and the first
            // primes, should they be.
            let values = (self.bits / 8).saturating_mul(16);
            let images = (images as u64).saturating_mul(40 * FIRST_BATCH as u64 + 64);
            return values.saturating_add(images);
        }
        // Of every prime also the product of the other ones of its group.
        let primes = self.primes as u64;
        let residues = (images as u64).saturating_mul(primes.saturating_mul(40) + 64);
        residues.saturating_add(primes.saturating_mul(512))
    }
}

impl fmt::Display for ModularPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (method, bits) = (self.method, self.bits);
        match self.big_prime {
            Some((name, size)) => write!(
                f,
                "{method}: {name} of {size} bits, for numbers of {bits} bits"
            ),
            None if method == Method::Linear => {
                write!(f, "{method}: a value of up to {bits} bits, without primes")
            }
            None if method == Method::Values => {
                write!(f, "{method}: two of up to {bits} bits, without primes")
            }
            None if self.primes == 1 => write!(
                f,
                "{method}: 1 prime below 2^50, for numbers of {bits} bits"
            ),
            None => write!(
                f,
                "{method}: {} primes below 2^50, for numbers of {bits} bits",
                self.primes
            ),
        }
    }
}
