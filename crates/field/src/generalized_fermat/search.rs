//! Search for primes r^k + 1 whose radix is a sum of few signed powers of two.
//!
//! **Problem.** Given k, the size of r and how many roots of unity of order 2^s there must be (the
//! two-adicity s of p − 1 is k times that of r), find primes r^k + 1 with sparse r. **Algorithm.** Each r
//! is written in one way as a sum of signed powers of two no two of which are neighbours (the
//! non-adjacent form), and no other sum has fewer terms. The choices for a power below those already
//! chosen, from the greatest positive to the greatest negative, give descending sums: lower powers
//! together stay below 2/3 of it. So candidates come by the number of terms and then downward, none
//! twice. A prime that divides r^k + 1 is 1 mod 2k, as r has order 2k modulo it: few primes sieve, and
//! what they leave is proved or refuted by powers.
//!
//! **Floor.** About `log p/(2·Σ 1/q)`-th of candidates is prime for sieving primes q; a test takes
//! k·log2 r squares.

use std::fmt;

use super::dispatch::with_digits;
use super::error::GeneralizedFermatError;
use super::field::GeneralizedFermat;
use super::named::DIGITS;
use super::proof::PrimalityProof;
use crate::primality::is_prime;
use crate::word_modulus::WordModulus;

/// A signed power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SignedPower {
    /// Whether it is subtracted.
    pub negative: bool,
    /// The exponent of two.
    pub exponent: u32,
}

/// A prime r^k + 1 that a [`PrimeSearch`] found.
///
/// It displays as an expression that [`expression::parse`](crate::expression::parse) reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparsePrime {
    /// r.
    pub radix: u64,
    /// k.
    pub digits: usize,
    /// r as a sum, the greatest power first.
    pub terms: Vec<SignedPower>,
    /// How r^k + 1 was shown to be prime.
    pub proof: PrimalityProof,
}

impl SparsePrime {
    /// The greatest s such that 2^s divides p − 1.
    #[must_use]
    pub fn two_adicity(&self) -> u32 {
        self.digits as u32 * self.radix.trailing_zeros()
    }
}

impl fmt::Display for SparsePrime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (index, power) in self.terms.iter().enumerate() {
            let sign = match (power.negative, index) {
                (true, _) => "-",
                (false, 0) => "",
                (false, _) => "+",
            };
            write!(f, "{sign}2^{}", power.exponent)?;
        }
        write!(f, ")^{}+1", self.digits)
    }
}

/// Which primes are searched.
///
/// ```
/// use sunzi::field::PrimeSearch;
///
/// let search = PrimeSearch::new(8, 60, 312, 3)?;
/// let found: Vec<String> = search.primes().take(4).map(|prime| prime.to_string()).collect();
/// assert_eq!(found[0], "(2^60-2^54-2^50)^8+1");
/// assert_eq!(found[3], "(2^59+2^57+2^39)^8+1"); // P8
/// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrimeSearch {
    digits: usize,
    bits: u32,
    /// The least exponent of a power in r.
    least: u32,
    terms: usize,
}

impl PrimeSearch {
    /// A search for primes r^`digits` + 1, where r has exactly `bits` bits and is a sum of at most
    /// `terms` signed powers of two, and 2^`two_adicity` divides p − 1.
    ///
    /// # Errors
    /// [`GeneralizedFermatError`] where there can be no such radix.
    ///
    /// ```
    /// use sunzi::field::{GeneralizedFermatError, PrimeSearch};
    ///
    /// let error = PrimeSearch::new(8, 60, 480, 3).unwrap_err();
    /// assert!(error.to_string().contains("at most 8·59 = 472"));
    /// assert_eq!(PrimeSearch::new(6, 60, 0, 3), Err(GeneralizedFermatError::NoSuchPrimes { digits: 6 }));
    /// ```
    pub fn new(
        digits: usize,
        bits: u32,
        two_adicity: u32,
        terms: usize,
    ) -> Result<Self, GeneralizedFermatError> {
        if !DIGITS.contains(&digits) {
            return Err(GeneralizedFermatError::NoSuchPrimes { digits });
        }
        if !(2..=u64::BITS).contains(&bits) {
            return Err(GeneralizedFermatError::RadixBits { bits });
        }
        let greatest = digits as u32 * (bits - 1);
        if two_adicity > greatest {
            return Err(GeneralizedFermatError::TwoAdicity {
                two_adicity,
                bits,
                digits,
                greatest,
            });
        }
        if terms == 0 {
            return Err(GeneralizedFermatError::NoTerms);
        }
        Ok(Self {
            digits,
            bits,
            // An odd r makes p even.
            least: two_adicity.div_ceil(digits as u32).max(1),
            // No sum has more terms than r has bits.
            terms: terms.min(bits as usize),
        })
    }

    /// How many radices there are to try: the sums of at most so many terms.
    ///
    /// ```
    /// use sunzi::field::PrimeSearch;
    ///
    /// let search = PrimeSearch::new(2, 16, 8, 2)?;
    /// assert_eq!(search.radices(), search.trials().count() as u128);
    /// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
    /// ```
    #[must_use]
    pub fn radices(&self) -> u128 {
        (1..=self.terms)
            .map(|terms| sums(self.bits, self.least, terms))
            .take_while(|&count| count > 0)
            .fold(0, u128::saturating_add)
    }

    /// The primes, with fewest terms first and then the greatest first: one after the other, as the
    /// iterator is asked for them.
    ///
    /// ```
    /// use sunzi::field::PrimeSearch;
    ///
    /// let search = PrimeSearch::new(2, 16, 8, 2)?;
    /// let found: Vec<String> = search.primes().map(|prime| prime.to_string()).collect();
    /// assert_eq!(found, ["(2^16-2^4)^2+1", "(2^16-2^5)^2+1", "(2^15+2^11)^2+1"]);
    /// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
    /// ```
    pub fn primes(&self) -> impl Iterator<Item = SparsePrime> + use<> {
        self.trials().flatten()
    }

    /// The same search radix by radix, each with the prime that it makes, if it does: for those who want to know
    /// how far it is.
    ///
    /// ```
    /// use sunzi::field::PrimeSearch;
    ///
    /// let search = PrimeSearch::new(2, 16, 8, 2)?;
    /// let tried = search.trials().position(|found| found.is_some());
    /// assert_eq!((search.radices(), tried), (22, Some(1))); // (2^16-2^4)^2+1
    /// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
    /// ```
    pub fn trials(&self) -> impl Iterator<Item = Option<SparsePrime>> + use<> {
        let search = *self;
        let sieve = Sieve::new(search.digits);
        (1..=search.terms)
            .flat_map(move |terms| Sums::new(search.bits, search.least, terms))
            .map(move |terms| {
                let radix = value(&terms);
                if sieve.divides(radix) {
                    return None;
                }
                let proof = proof(radix, search.digits)?;
                Some(SparsePrime {
                    radix,
                    digits: search.digits,
                    terms,
                    proof,
                })
            })
    }
}

/// How many sums of `terms` signed powers of two, no two of them neighbours, have `bits` bits and no power below
/// 2^`least`: the first power is one of two and decides on the sign of the second; the others have either.
pub fn sums(bits: u32, least: u32, terms: usize) -> u128 {
    let Some(others) = terms.checked_sub(2) else {
        return u128::from(terms == 1 && bits > least);
    };
    let firsts = [bits - 1, bits].into_iter();
    let choices = firsts.map(|first| {
        // Exponents from `least` to first − 2, of which no two chosen ones are neighbours.
        let room = u128::from((first - 1).saturating_sub(least));
        let chosen = others as u128 + 1;
        match (room + 1).checked_sub(chosen) {
            Some(places) => binomial(places, chosen),
            None => 0,
        }
    });
    let signs = u32::try_from(others)
        .ok()
        .and_then(|others| 1u128.checked_shl(others));
    choices.sum::<u128>().saturating_mul(signs.unwrap_or(0))
}

fn binomial(n: u128, k: u128) -> u128 {
    match k <= n {
        true => (1..=k).fold(1, |product, i| product * (n - k + i) / i),
        false => 0,
    }
}

/// The proof that `radix^digits + 1` is prime, if it is.
fn proof(radix: u64, digits: usize) -> Option<PrimalityProof> {
    with_digits!(
        digits,
        K => GeneralizedFermat::<K>::new(radix).ok().map(|field| field.primality().clone()),
        _ => None
    )
}

/// The sum of signed powers, which is below 2^64.
pub fn value(terms: &[SignedPower]) -> u64 {
    let powers = terms.iter().map(|term| {
        let power = 1i128 << term.exponent;
        if term.negative { -power } else { power }
    });
    powers.sum::<i128>() as u64
}

/// Primes that may divide r^k + 1.
struct Sieve {
    digits: u32,
    primes: Vec<WordModulus>,
}

impl Sieve {
    fn new(digits: usize) -> Self {
        // A test of primality takes k·log2 r products of k² words: it is worth some hundred to thousand
        // primes, of which each takes log2 k products of one.
        let limit = (digits * digits) as u64 * 512;
        let primes = (1..limit)
            .step_by(2 * digits)
            .filter(|&q| is_prime(q))
            .map(WordModulus::new)
            .collect();
        Self {
            digits: digits as u32,
            primes,
        }
    }

    /// Whether one of them divides r^k + 1 properly.
    fn divides(&self, radix: u64) -> bool {
        let itself = radix
            .checked_pow(self.digits)
            .and_then(|power| power.checked_add(1));
        self.primes.iter().any(|ring| {
            let q = ring.get();
            ring.pow(ring.reduce(radix), self.digits.into()) == q - 1 && itself != Some(q)
        })
    }
}

/// Sums of a given number of signed powers of two, no two of them neighbours, in descending order.
pub struct Sums {
    bits: u32,
    least: u32,
    count: usize,
    /// What comes next, if anything does.
    terms: Vec<SignedPower>,
}

impl Sums {
    /// Those with `bits` bits and no power below 2^`least`.
    pub fn new(bits: u32, least: u32, count: usize) -> Self {
        let mut sums = Self {
            bits,
            least,
            count,
            terms: vec![],
        };
        // A power too high, from which another is subtracted; or the top bit.
        let top = if count > 1 { bits } else { bits - 1 };
        sums.begin(top);
        sums
    }

    /// Puts the greatest sum with that top power next, or one with the power below where there is
    /// none, or nothing.
    fn begin(&mut self, top: u32) {
        for exponent in [top, self.bits - 1] {
            self.terms = vec![SignedPower {
                negative: false,
                exponent,
            }];
            if exponent >= self.least && self.fill() {
                return;
            }
        }
        self.terms.clear();
    }

    /// The exponents of term `index`, by those before it: at least two below the last, and high enough
    /// for those that follow.
    fn exponents(&self, index: usize) -> std::ops::RangeInclusive<u32> {
        let above = self.terms[index - 1].exponent;
        let following = (self.count - 1 - index) as u32;
        self.least.saturating_add(2 * following)..=above.saturating_sub(2)
    }

    /// Signs that term `index` may have: the second one decides on the number of bits.
    fn signs(&self, index: usize) -> (bool, bool) {
        let second = index == 1;
        let above = self.terms[0].exponent == self.bits;
        (!second || !above, !second || above)
    }

    /// Appends the greatest choices for all terms that lack; tells whether there are any.
    fn fill(&mut self) -> bool {
        while self.terms.len() < self.count {
            let index = self.terms.len();
            let exponents = self.exponents(index);
            if exponents.is_empty() {
                return false;
            }
            let (positive, _) = self.signs(index);
            let exponent = if positive {
                *exponents.end()
            } else {
                *exponents.start()
            };
            self.terms.push(SignedPower {
                negative: !positive,
                exponent,
            });
        }
        true
    }

    /// Puts the next lower sum next, or nothing.
    fn step(&mut self) {
        while let Some(last) = self.terms.pop() {
            let index = self.terms.len();
            if index == 0 {
                if last.exponent == self.bits {
                    self.begin(self.bits - 1);
                }
                return;
            }
            let exponents = self.exponents(index);
            let (_, negative) = self.signs(index);
            let next = if last.negative {
                let exponent = last.exponent + 1;
                exponents.contains(&exponent).then_some((true, exponent))
            } else if last.exponent > *exponents.start() {
                Some((false, last.exponent - 1))
            } else {
                negative.then_some((true, *exponents.start()))
            };
            if let Some((negative, exponent)) = next {
                self.terms.push(SignedPower { negative, exponent });
                // A power that is high enough leaves room for all that follow.
                if self.fill() {
                    return;
                }
            }
        }
    }
}

impl Iterator for Sums {
    type Item = Vec<SignedPower>;

    fn next(&mut self) -> Option<Vec<SignedPower>> {
        if self.terms.is_empty() {
            return None;
        }
        let terms = self.terms.clone();
        self.step();
        Some(terms)
    }
}
