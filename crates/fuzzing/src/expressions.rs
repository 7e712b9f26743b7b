//! Polynomials as expressions: against their value at a point, computed while the text is read; and in bounded time.

use std::time::{Duration, Instant};
use sunzi::field::{Field, Fp64};
use sunzi_cli::door;

/// No expression of a few thousand bytes takes longer, whatever machine this is and whatever else it does.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Bytes beyond which an input teaches nothing new.
const LONG: usize = 4096;

pub fn run(data: &[u8]) {
    let text = &data[..data.len().min(LONG)];
    let start = Instant::now();
    let found = door::expression(text);
    assert!(start.elapsed() < MOST_TIME, "{:?}", start.elapsed());
    match found {
        Ok(coefficients) => {
            let field = Fp64::new((1 << 61) - 1).expect("a prime");
            for point in [0, 1, 2, 0x1234_5678_9abc] {
                let x = field.from_u64(point);
                let value = coefficients
                    .iter()
                    .rev()
                    .fold(field.zero(), |value, coefficient| {
                        field.add(field.mul(value, x), field.from_integer(coefficient))
                    });
                let mut reading = Reading {
                    text,
                    field: &field,
                    x,
                };
                let expected = reading.sum().filter(|_| reading.text.is_empty());
                assert_eq!(Some(value), expected, "{}", String::from_utf8_lossy(text));
            }
            assert!(coefficients.last().is_none_or(|last| !last.is_zero()));
        }
        Err((offset, problem)) => assert!(offset <= text.len() && !problem.is_empty()),
    }
}

/// Computes the value at x while it reads, by the grammar that the manual tells.
struct Reading<'a> {
    text: &'a [u8],
    field: &'a Fp64,
    x: u64,
}

impl Reading<'_> {
    fn blanks(&mut self) {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let count = self.text.iter().take_while(|byte| blank(byte)).count();
        self.text = &self.text[count..];
    }

    fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let first = *self.text.first().filter(|first| bytes.contains(first))?;
        self.text = &self.text[1..];
        self.blanks();
        Some(first)
    }

    fn signs(&mut self) -> Option<bool> {
        let mut negative = None;
        while let Some(sign) = self.one_of(b"+-") {
            negative = Some(negative.unwrap_or(false) ^ (sign == b'-'));
        }
        negative
    }

    fn sum(&mut self) -> Option<u64> {
        self.blanks();
        let mut sum = self.field.zero();
        let mut negative = self.signs().unwrap_or(false);
        loop {
            let term = self.product()?;
            sum = match negative {
                true => self.field.sub(sum, term),
                false => self.field.add(sum, term),
            };
            match self.signs() {
                Some(sign) => negative = sign,
                None => return Some(sum),
            }
        }
    }

    fn product(&mut self) -> Option<u64> {
        let mut product = self.power()?;
        loop {
            if self.one_of(b"*").is_some() {
                let negative = self.signs().unwrap_or(false);
                let factor = self.power()?;
                let factor = if negative {
                    self.field.neg(factor)
                } else {
                    factor
                };
                product = self.field.mul(product, factor);
            } else if matches!(self.text.first(), Some(b'x' | b'X' | b'(')) {
                let factor = self.power()?;
                product = self.field.mul(product, factor);
            } else {
                return Some(product);
            }
        }
    }

    fn power(&mut self) -> Option<u64> {
        let base = self.atom()?;
        if self.one_of(b"^").is_none() {
            return Some(base);
        }
        // A digit more is the tenth power, times a few.
        let mut power = self.field.one();
        for digit in self.digits()? {
            let digit = u64::from(digit - b'0');
            power = self.field.pow(power, 10);
            power = self.field.mul(power, self.field.pow(base, digit));
        }
        Some(power)
    }

    fn atom(&mut self) -> Option<u64> {
        if self.one_of(b"xX").is_some() {
            return Some(self.x);
        }
        if self.one_of(b"(").is_some() {
            let sum = self.sum()?;
            return self.one_of(b")").map(|_| sum);
        }
        let ten = self.field.from_u64(10);
        let mut number = self.field.zero();
        for digit in self.digits()? {
            let digit = self.field.from_u64(u64::from(digit - b'0'));
            number = self.field.add(self.field.mul(number, ten), digit);
        }
        Some(number)
    }

    fn digits(&mut self) -> Option<Vec<u8>> {
        let count = self
            .text
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (digits, rest) = self.text.split_at(count);
        self.text = rest;
        self.blanks();
        (count > 0).then(|| digits.to_vec())
    }
}
