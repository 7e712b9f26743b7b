//! Moduli as expressions: against GMP, in bounded time.

use rug::Integer;
use rug::ops::Pow;
use std::time::{Duration, Instant};
use sunzi::field::expression;
use sunzi_cli::door;

/// As for expressions in x.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Bytes beyond which an input teaches nothing new.
const LONG: usize = 4096;

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(&data[..data.len().min(LONG)]) else {
        return;
    };
    let start = Instant::now();
    let found = expression::parse(text);
    assert!(start.elapsed() < MOST_TIME, "{:?}", start.elapsed());
    match found {
        Ok(value) => {
            let mut reading = Reading(text.as_bytes());
            let expected = reading.sum().filter(|_| reading.0.is_empty());
            let value: Integer = value.to_string().parse().expect("digits");
            assert_eq!(Some(value), expected, "{text}");
        }
        Err(error) => assert!(error.column <= text.chars().count() + 1),
    }
    if let Err((code, said)) = door::modulus(text) {
        assert!(matches!(code, 1 | 2) && !said.is_empty(), "{said}");
    }
    assert!(start.elapsed() < 3 * MOST_TIME, "{:?}", start.elapsed());
}

/// Computes while it reads. What the program refuses for its size does not come here.
struct Reading<'a>(&'a [u8]);

impl Reading<'_> {
    fn blanks(&mut self) {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let count = self.0.iter().take_while(|byte| blank(byte)).count();
        self.0 = &self.0[count..];
    }

    fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let first = *self.0.first().filter(|first| bytes.contains(first))?;
        self.0 = &self.0[1..];
        self.blanks();
        Some(first)
    }

    fn sum(&mut self) -> Option<Integer> {
        self.blanks();
        let mut sum = Integer::new();
        let mut sign = self.one_of(b"+-");
        loop {
            let term = self.product()?;
            match sign {
                Some(b'-') => sum -= term,
                _ => sum += term,
            }
            sign = self.one_of(b"+-");
            if sign.is_none() {
                return Some(sum);
            }
        }
    }

    fn product(&mut self) -> Option<Integer> {
        let mut product = self.power()?;
        while self.one_of(b"*").is_some() {
            product *= self.power()?;
        }
        Some(product)
    }

    fn power(&mut self) -> Option<Integer> {
        let mut tower = vec![self.atom()?];
        while self.one_of(b"^").is_some() {
            tower.push(self.atom()?);
        }
        let mut power = tower.pop()?;
        while let Some(base) = tower.pop() {
            power = match base.to_i8() {
                Some(0) => Integer::from(u8::from(power == 0)),
                Some(1) => base,
                Some(-1) if power.is_even() => -base,
                Some(-1) => base,
                _ => base.pow(power.to_u32()?),
            };
        }
        Some(power)
    }

    fn atom(&mut self) -> Option<Integer> {
        if self.one_of(b"(").is_some() {
            let sum = self.sum()?;
            return self.one_of(b")").map(|_| sum);
        }
        let count = self
            .0
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        self.blanks();
        std::str::from_utf8(digits).ok()?.parse().ok()
    }
}
