//! Polynomials as expressions: against their value at a point, computed while the text is read; and in bounded time.

use crate::tokens::Tokens;
use std::time::{Duration, Instant};
use sunzi::field::{Field, Fp64};
use sunzi::integer::Multiplier;
use sunzi::integer::text::DecimalTables;
use sunzi_files::input::algebraic;

/// No expression of a few thousand bytes takes longer, whatever machine this is and whatever else it does.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Bytes beyond which an input teaches nothing new.
const LONG: usize = 4096;

/// Limbs that sums and products may read without ever being too much.
const CHEAP: u64 = 1 << 20;

/// The degree that no power and no product may exceed.
const MOST_DEGREE: u64 = 1 << 24;

/// As deep may parentheses be nested.
const MOST_DEEP: usize = 64;

pub fn run(data: &[u8]) -> bool {
    let text = &data[..data.len().min(LONG)];
    let start = Instant::now();
    let found = algebraic::integers(text, &Multiplier::new(), &DecimalTables::new());
    assert!(start.elapsed() < MOST_TIME, "{:?}", start.elapsed());
    let field = Fp64::new((1 << 61) - 1).expect("a prime");
    let read = |point| {
        let mut reading = Reading {
            text: Tokens::new(text),
            field: &field,
            x: field.from_u64(point),
            work: 0,
            depth: 0,
        };
        let sum = reading.sum().filter(|_| reading.text.is_empty());
        sum.map(|sum| (sum, reading.work))
    };
    match &found {
        Ok(coefficients) => {
            for point in [0, 1, 2, 0x1234_5678_9abc] {
                let x = field.from_u64(point);
                let (mut value, mut power, mut reached) = (field.zero(), field.one(), 0);
                for (degree, coefficient) in coefficients.iter().enumerate() {
                    if !coefficient.is_zero() {
                        power = field.mul(power, field.pow(x, (degree - reached) as u64));
                        reached = degree;
                        let term = field.mul(power, field.from_integer(coefficient));
                        value = field.add(value, term);
                    }
                }
                let expected = read(point).map(|(sum, _)| sum.value);
                assert_eq!(Some(value), expected, "{}", String::from_utf8_lossy(text));
            }
            assert!(coefficients.last().is_none_or(|last| !last.is_zero()));
        }
        Err(error) => {
            assert!(error.offset <= text.len() && !error.problem.is_empty());
            // What is clear, and cheap, must not be refused.
            let refused = read(0).filter(|&(_, work)| work <= CHEAP && is_clear(text));
            assert!(
                refused.is_none(),
                "{}: {}",
                String::from_utf8_lossy(text),
                error.problem
            );
        }
    }
    found.is_ok()
}

/// Whether a text can be nothing but an expression: operators and parentheses tell, or a variable without blanks.
fn is_clear(text: &[u8]) -> bool {
    let is_one_of = |bytes: &'static [u8]| move |byte: &u8| bytes.contains(byte);
    text.iter().any(is_one_of(b"*^()"))
        || text.iter().any(is_one_of(b"xX")) && !text.iter().any(u8::is_ascii_whitespace)
}

/// The value of a polynomial at x, and what it is at most.
#[derive(Clone, Copy)]
struct Sum {
    value: u64,
    degree: u64,
    /// How many coefficients are not zero.
    terms: u64,
    /// Bits of a coefficient.
    bits: u64,
}

impl Sum {
    fn limbs(self) -> u64 {
        self.bits / 64 + 1
    }
}

/// Computes the value at x while it reads, by the grammar that the manual tells.
struct Reading<'a> {
    text: Tokens<'a>,
    field: &'a Fp64,
    x: u64,
    /// Limbs that whoever expands the sum reads at most.
    work: u64,
    depth: usize,
}

impl Reading<'_> {
    fn spend(&mut self, limbs: u64) {
        self.work = self.work.saturating_add(limbs);
    }

    fn reach(&mut self, degree: u64) {
        if degree > MOST_DEGREE {
            self.spend(u64::MAX);
        }
    }

    fn signs(&mut self) -> Option<bool> {
        let mut negative = self.text.sign()?;
        while let Some(sign) = self.text.sign() {
            negative ^= sign;
        }
        Some(negative)
    }

    fn sum(&mut self) -> Option<Sum> {
        let mut negative = self.signs().unwrap_or(false);
        let mut sum = Sum {
            value: self.field.zero(),
            degree: 0,
            terms: 0,
            bits: 0,
        };
        loop {
            let term = self.product()?;
            self.spend(term.terms.saturating_mul(1 + sum.limbs() + term.limbs()));
            sum = Sum {
                value: match negative {
                    true => self.field.sub(sum.value, term.value),
                    false => self.field.add(sum.value, term.value),
                },
                degree: sum.degree.max(term.degree),
                terms: sum.terms.saturating_add(term.terms),
                bits: sum.bits.max(term.bits) + 1,
            };
            match self.signs() {
                Some(sign) => negative = sign,
                None => return Some(sum),
            }
        }
    }

    fn product(&mut self) -> Option<Sum> {
        let mut product = self.power()?;
        loop {
            if self.text.one_of(b"*").is_some() {
                let negative = self.signs().unwrap_or(false);
                let mut factor = self.power()?;
                if negative {
                    factor.value = self.field.neg(factor.value);
                    self.spend(factor.terms.saturating_mul(1 + factor.limbs()));
                }
                product = self.times(product, factor);
            } else if self.text.is_next(b"xX(") {
                let factor = self.power()?;
                product = self.times(product, factor);
            } else {
                return Some(product);
            }
        }
    }

    fn times(&mut self, a: Sum, b: Sum) -> Sum {
        let pairs = a.terms.saturating_mul(b.terms);
        self.spend(pairs.saturating_mul(a.limbs() + b.limbs()));
        let degree = a.degree.saturating_add(b.degree);
        self.reach(degree);
        Sum {
            value: self.field.mul(a.value, b.value),
            degree,
            terms: pairs.min(degree.saturating_add(1)),
            bits: a.bits + b.bits + 64,
        }
    }

    fn power(&mut self) -> Option<Sum> {
        let base = self.atom()?;
        if self.text.one_of(b"^").is_none() {
            return Some(base);
        }
        let digits = self.text.digits()?;
        // A digit more is the tenth power, times a few.
        let value = digits.bytes().fold(self.field.one(), |power, digit| {
            let few = self.field.pow(base.value, u64::from(digit - b'0'));
            self.field.mul(self.field.pow(power, 10), few)
        });
        let exponent = digits.parse().unwrap_or(u64::MAX);
        let degree = base.degree.saturating_mul(exponent);
        self.reach(degree);
        let terms = match base.terms {
            0 | 1 => 1,
            _ => degree.saturating_add(1),
        };
        // A product of powers has as many factors as the exponent has bits or, of several terms, as it says.
        let bits = exponent.saturating_mul(base.bits + 64);
        let factors = if base.terms > 1 { exponent } else { 64 };
        let pairs = factors.saturating_mul(terms).saturating_mul(base.terms);
        self.spend(pairs.saturating_mul(4 * (bits / 64 + 1 + base.limbs())));
        Some(Sum {
            value,
            degree,
            terms,
            bits: bits.min(u64::MAX >> 16),
        })
    }

    fn atom(&mut self) -> Option<Sum> {
        let monomial = |value, degree, bits| Sum {
            value,
            degree,
            terms: 1,
            bits,
        };
        if self.text.one_of(b"xX").is_some() {
            return Some(monomial(self.x, 1, 1));
        }
        if self.text.one_of(b"(").is_some() {
            self.depth += 1;
            if self.depth > MOST_DEEP {
                return None;
            }
            let sum = self.sum()?;
            self.depth -= 1;
            return self.text.one_of(b")").map(|_| sum);
        }
        let ten = self.field.from_u64(10);
        let digits = self.text.digits()?;
        let number = digits.bytes().fold(self.field.zero(), |number, digit| {
            let digit = self.field.from_u64(u64::from(digit - b'0'));
            self.field.add(self.field.mul(number, ten), digit)
        });
        Some(monomial(number, 0, 4 * digits.len() as u64))
    }
}
