//! Which numbers of any size are prime.
//!
//! **Algorithm.** Below 2^64 the strong test to enough bases is a proof ([`sunzi_field::primality`]). Above, after small divisors, the
//! strong test to base 2 and the strong Lucas test by J. Selfridge's parameters: no composite number is known that passes both (R. Baillie
//! and S. Wagstaff, "Lucas pseudoprimes", 1980; C. Pomerance, J. Selfridge and S. Wagstaff, 1980).

use super::combinatorics::Sieve;
use super::{Integer, Natural};
use sunzi_field::primality::{is_prime, jacobi};

/// Primes below this are tried as divisors.
const SMALL: u64 = 1 << 11;

impl Natural {
    /// Whether the number is prime: proved below 2^64; above, a composite number could be taken for a prime, though none is known.
    ///
    /// O(b) products modulo a number of b bits.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert!(((Natural::ONE << 521) - 1).is_prime());
    /// assert!(!((Natural::ONE << 523) - 1).is_prime());
    /// ```
    pub fn is_prime(&self) -> bool {
        if let Some(word) = self.word() {
            return is_prime(word);
        }
        let has_small_divisor = || Sieve::up_to(SMALL).primes().any(|p| self.rem_word(p) == 0);
        !self.is_even() && !has_small_divisor() && self.passes_both_tests()
    }

    /// The least prime above the number, which is prime as [`Self::is_prime`] tells.
    ///
    /// About 0.05·b tests for b bits: most of the candidates are sieved out before.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(90u32).next_prime(), 97);
    /// assert_eq!((Natural::ONE << 100).next_prime() - (Natural::ONE << 100), 277);
    /// ```
    #[must_use]
    pub fn next_prime(&self) -> Self {
        /// Odd candidates that are sieved at a time.
        const WINDOW: usize = 1 << 10;
        // A prime lies between a number and twice it.
        if let Some(word) = self.word().filter(|word| word >> 63 == 0) {
            let next = (word + 1..).find(|&candidate| is_prime(candidate));
            return Self::from(next.unwrap_or_default());
        }
        let sieve = Sieve::up_to(SMALL);
        let mut first = self + if self.is_even() { 1u32 } else { 2 };
        loop {
            let mut is_composite = [false; WINDOW];
            for prime in sieve.primes() {
                // first + 2·i is a multiple for i = −first/2 modulo the prime.
                let residue = first.rem_word(prime);
                let negated = (prime - residue) % prime;
                let start = match negated % 2 {
                    0 => negated / 2,
                    _ => negated.midpoint(prime),
                };
                for place in (start as usize..WINDOW).step_by(prime as usize) {
                    is_composite[place] = true;
                }
            }
            let candidates = (0..WINDOW).filter(|&place| !is_composite[place]);
            let mut candidates = candidates.map(|place| &first + 2 * place as u64);
            if let Some(prime) = candidates.find(Self::passes_both_tests) {
                return prime;
            }
            first += 2 * WINDOW as u64;
        }
    }

    /// The two tests, of an odd number above 2^63 without small divisors.
    fn passes_both_tests(&self) -> bool {
        self.is_strong_probable_prime() && !self.is_square() && self.is_strong_lucas_prime()
    }

    /// The strong test to base 2: for n − 1 = d·2^s with odd d, 2^d is 1, or one of its first s squares is −1.
    fn is_strong_probable_prime(&self) -> bool {
        let minus_one = self - 1u32;
        let twos = minus_one.trailing_zeros().unwrap_or(0);
        let mut power = Self::from(2u32).pow_mod(&(&minus_one >> twos), self);
        if power.is_one() || power == minus_one {
            return true;
        }
        for _ in 1..twos {
            power = power.square() % self;
            if power == minus_one {
                return true;
            }
        }
        false
    }

    /// The strong Lucas test with P = 1 and Q = (1 − D)/4, for the first D of 5, −7, 9, … that is no square modulo n, if n is prime.
    /// For n + 1 = d·2^s with odd d, U_d is 0, or one of V_d, V_2d, …, s of them, is. The number is no square: there would be no D.
    fn is_strong_lucas_prime(&self) -> bool {
        let discriminants = (0..).map(|i: i64| if i % 2 == 0 { 5 + 2 * i } else { -5 - 2 * i });
        let found = discriminants
            .map(|d| (d, self.jacobi_of(d)))
            .find(|&(_, symbol)| symbol != 1);
        let Some((discriminant, -1)) = found else {
            // The greatest common divisor of D and n is a proper one.
            return false;
        };
        let ring = Ring(self);
        let [d, q] = [discriminant, (1 - discriminant) / 4].map(|x| ring.residue(x));
        let plus_one = self + 1u32;
        let twos = plus_one.trailing_zeros().unwrap_or(0);
        let odd = &plus_one >> twos;
        let (mut u, mut v, mut power) = (Self::ONE, Self::ONE, q.clone());
        for bit in (0..odd.bit_len() - 1).rev() {
            u = ring.product(&u, &v);
            v = ring.doubled(&v, &power);
            power = ring.product(&power, &power);
            if odd.bit(bit) {
                let next = ring.half(&u + &v);
                v = ring.half(ring.product(&d, &u) + v);
                u = next;
                power = ring.product(&power, &q);
            }
        }
        if u.is_zero() {
            return true;
        }
        for _ in 0..twos {
            if v.is_zero() {
                return true;
            }
            v = ring.doubled(&v, &power);
            power = ring.product(&power, &power);
        }
        false
    }

    /// The Jacobi symbol of an odd number over this one, which is odd and above it.
    fn jacobi_of(&self, odd: i64) -> i32 {
        let low = self.as_limbs()[0];
        let magnitude = odd.unsigned_abs();
        let mut symbol = jacobi(self.rem_word(magnitude), magnitude);
        if odd < 0 && low % 4 == 3 {
            symbol = -symbol;
        }
        if magnitude % 4 == 3 && low % 4 == 3 {
            symbol = -symbol;
        }
        symbol
    }
}

impl Integer {
    /// As [`Natural::is_prime`]; negative numbers are not.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert!(Integer::from(97).is_prime() && !Integer::from(-97).is_prime());
    /// ```
    pub fn is_prime(&self) -> bool {
        !self.negative && self.magnitude.is_prime()
    }

    /// The least prime above the number, as [`Natural::next_prime`].
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-5).next_prime(), 2);
    /// ```
    #[must_use]
    pub fn next_prime(&self) -> Self {
        match self.negative {
            true => Self::from(2),
            false => self.magnitude.next_prime().into(),
        }
    }
}

/// Residues modulo an odd number.
struct Ring<'a>(&'a Natural);

impl Ring<'_> {
    fn residue(&self, x: i64) -> Natural {
        let magnitude = Natural::from(x.unsigned_abs()) % self.0;
        match x < 0 && !magnitude.is_zero() {
            true => self.0 - magnitude,
            false => magnitude,
        }
    }

    fn product(&self, a: &Natural, b: &Natural) -> Natural {
        a * b % self.0
    }

    /// V_2k = V_k² − 2·Q^k.
    fn doubled(&self, v: &Natural, power: &Natural) -> Natural {
        (v.square() + ((self.0 - power) << 1)) % self.0
    }

    /// Half of a number below 2n.
    fn half(&self, x: Natural) -> Natural {
        let x = if x.is_even() { x } else { x + self.0 };
        (x >> 1) % self.0
    }
}
