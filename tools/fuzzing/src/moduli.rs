//! Moduli as expressions: against GMP, in bounded time.

use crate::tokens::Tokens;
use rug::Integer;
use rug::integer::IsPrime;
use rug::ops::Pow;
use std::time::{Duration, Instant};
use sunzi::Natural;
use sunzi::field::named_prime;
use sunzi_cli::door;
use sunzi_field::expression;

/// As for expressions in x.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Bytes beyond which an input teaches nothing new.
const LONG: usize = 4096;

/// Bits of values with which an expression of this many bytes is never too much to compute.
const CHEAP: u64 = 1 << 16;

/// As deep may parentheses be nested.
const MOST_DEEP: usize = 64;

pub fn run(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(&data[..data.len().min(LONG)]) else {
        return false;
    };
    let start = Instant::now();
    let found = expression::parse::<Natural>(text);
    assert!(start.elapsed() < MOST_TIME, "{:?}", start.elapsed());
    let mut reading = Reading {
        text: Tokens::new(text.as_bytes()),
        most: match found {
            Ok(_) => 2 * expression::MAX_BITS as u64,
            Err(_) => CHEAP,
        },
        depth: 0,
    };
    let expected = reading.sum().filter(|_| reading.text.is_empty());
    let expected = expected.filter(|value| !value.is_negative());
    let value = found.as_ref().ok();
    let value = value.map(|value| value.to_string().parse().expect("digits"));
    // What is too much to compute may be refused, and nothing else.
    assert_eq!(value, expected, "{text}: {found:?}");
    if let Err(error) = &found {
        assert!(error.column <= text.chars().count() + 1);
    }
    let modulus = door::modulus(text);
    if let Err((code, said)) = &modulus {
        assert!(matches!(code, 1 | 2) && !said.is_empty(), "{said}");
    }
    let is_named = named_prime(text.trim()).is_some();
    let of_a_field = |value: &Integer| value.significant_bits() <= 64 && value.is_odd();
    let is_prime = |value: &Integer| value.is_probably_prime(30) != IsPrime::No;
    let prime = value.filter(|value| !is_named && of_a_field(value) && is_prime(value));
    assert_eq!(modulus.is_ok(), prime.is_some(), "{text}: {modulus:?}");
    assert!(start.elapsed() < 3 * MOST_TIME, "{:?}", start.elapsed());
    found.is_ok()
}

/// Computes while it reads; no value has more than this many bits.
struct Reading<'a> {
    text: Tokens<'a>,
    most: u64,
    depth: usize,
}

impl Reading<'_> {
    fn bounded(&self, value: Integer) -> Option<Integer> {
        Some(value).filter(|value| u64::from(value.significant_bits()) <= self.most)
    }

    fn sum(&mut self) -> Option<Integer> {
        let mut sum = Integer::new();
        let mut negative = self.text.sign().unwrap_or(false);
        loop {
            let term = self.product()?;
            sum = self.bounded(if negative { sum - term } else { sum + term })?;
            match self.text.sign() {
                Some(sign) => negative = sign,
                None => return Some(sum),
            }
        }
    }

    fn product(&mut self) -> Option<Integer> {
        let mut product = self.power()?;
        while self.text.one_of(b"*").is_some() {
            let factor = self.power()?;
            product = self.bounded(product * factor)?;
        }
        Some(product)
    }

    fn power(&mut self) -> Option<Integer> {
        let mut tower = vec![self.atom()?];
        while self.text.one_of(b"^").is_some() {
            tower.push(self.atom()?);
        }
        let mut power = tower.pop()?;
        while let Some(base) = tower.pop() {
            if power.is_negative() {
                return None;
            }
            power = match base.to_i8() {
                Some(0) => Integer::from(u8::from(power == 0)),
                Some(1) => base,
                Some(-1) if power.is_even() => -base,
                Some(-1) => base,
                _ => {
                    let least = u64::from(base.significant_bits() - 1);
                    let exponent = power.to_u32()?;
                    if least.saturating_mul(exponent.into()) > self.most {
                        return None;
                    }
                    self.bounded(base.pow(exponent))?
                }
            };
        }
        Some(power)
    }

    fn atom(&mut self) -> Option<Integer> {
        if self.text.one_of(b"(").is_some() {
            self.depth += 1;
            if self.depth > MOST_DEEP {
                return None;
            }
            let sum = self.sum()?;
            self.depth -= 1;
            return self.text.one_of(b")").map(|_| sum);
        }
        let value = match self.text.hexadecimal() {
            Some(digits) => Integer::from_str_radix(digits, 16),
            None => Integer::from_str_radix(self.text.digits()?, 10),
        };
        self.bounded(value.ok()?)
    }
}
