//! The primes that have names, and how a number `r^k + 1` is recognized.

use crate::LongInteger;
use dashu_int::UBig;
use dashu_int::ops::{BitTest, SquareRoot};

/// Digits that an element may have.
pub const DIGITS: [usize; 8] = super::dispatch::with_digits!(@list numbers ());

/// A prime r^k + 1 with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedPrime {
    /// Its name, such as `P8`.
    pub name: &'static str,
    /// r.
    pub radix: u64,
    /// k.
    pub digits: usize,
}

impl NamedPrime {
    /// Bits of the prime.
    #[must_use]
    pub fn bit_len(&self) -> u64 {
        let power = UBig::from(self.radix).pow(self.digits);
        (power + UBig::ONE).bit_len() as u64
    }

    /// The smallest prime of more than `bits` bits among P4, P8 … P128, or else the largest of them.
    ///
    /// ```
    /// use sunzi::field::NamedPrime;
    ///
    /// assert_eq!(NamedPrime::above(400).map(|prime| prime.name), Ok("P8"));
    /// assert_eq!(NamedPrime::above(1 << 20).map_err(|largest| largest.name), Err("P128"));
    /// ```
    ///
    /// # Errors
    /// The largest one, if it has no more bits.
    pub fn above(bits: u64) -> Result<Self, Self> {
        let [.., largest] = NAMED;
        let mut sparse = NAMED[TABLE_3_1..].iter();
        sparse
            .find(|prime| prime.bit_len() > bits)
            .copied()
            .ok_or(largest)
    }
}

/// Where those begin that have digits of less than 60 bits.
const TABLE_3_1: usize = 7;

/// `2^a + 2^b − 2^c + …`: the radix as a sum of signed powers, of which the top one may be 2^64.
const fn sum(powers: &[i32]) -> u64 {
    let mut sum: i128 = 0;
    let mut i = 0;
    while i < powers.len() {
        let power = 1i128 << powers[i].unsigned_abs();
        sum += if powers[i] < 0 { -power } else { power };
        i += 1;
    }
    sum as u64
}

const fn named(name: &'static str, digits: usize, powers: &[i32]) -> NamedPrime {
    NamedPrime {
        name,
        radix: sum(powers),
        digits,
    }
}

/// The sparse radix primes of D. Mohajerani, *Parallel Arbitrary-precision Integer Arithmetic*
/// (2021): Table 2.1 with an F at the end of the name, then Table 3.1.
pub const NAMED: [NamedPrime; 13] = [
    named("P2F", 2, &[63, 53]),
    named("P4F", 4, &[64, -50]),
    named("P8F", 8, &[63, 34]),
    named("P16F", 16, &[62, 36]),
    named("P32F", 32, &[62, 56]),
    named("P64F", 64, &[63, -40]),
    named("P128F", 128, &[64, -28]),
    named("P4", 4, &[59, 58, 11]),
    named("P8", 8, &[59, 57, 39]),
    named("P16", 16, &[58, 55, 45]),
    named("P32", 32, &[58, 55, 17]),
    named("P64", 64, &[57, 56, 11]),
    named("P128", 128, &[57, 52, 20]),
];

/// The named prime of that name, in letters of either case.
///
/// ```
/// let prime = sunzi::field::named_prime("P8").unwrap();
/// assert_eq!((prime.radix, prime.digits), ((1 << 59) + (1 << 57) + (1 << 39), 8));
/// ```
#[must_use]
pub fn named_prime(name: &str) -> Option<NamedPrime> {
    NAMED
        .into_iter()
        .find(|prime| prime.name.eq_ignore_ascii_case(name))
}

/// `(r, k)` with `value = r^k + 1` for the least k of [`DIGITS`] that leaves r below 2^64, if there is
/// one.
///
/// ```
/// use sunzi::Natural;
/// use sunzi::field::{parse_expression, recognize};
///
/// let value: Natural = parse_expression("(2^59+2^57+2^39)^8+1").unwrap();
/// assert_eq!(recognize(&value), Some(((1 << 59) + (1 << 57) + (1 << 39), 8)));
/// assert_eq!(recognize(&(Natural::ONE << 63)), None);
/// ```
#[must_use]
pub fn recognize(value: &impl LongInteger) -> Option<(u64, usize)> {
    let value = match value.sign_and_limbs() {
        (false, limbs @ [_, ..]) if limbs != [1] => UBig::from_words(limbs),
        _ => return None,
    };
    let mut root = value - UBig::ONE;
    DIGITS.into_iter().find_map(|digits| {
        // The square root of what the digits before left, if it is one.
        let next = root.sqrt();
        if &next * &next != root {
            root = UBig::ZERO;
        } else {
            root = next;
        }
        u64::try_from(&root)
            .ok()
            .filter(|&radix| radix > 1)
            .map(|radix| (radix, digits))
    })
}
