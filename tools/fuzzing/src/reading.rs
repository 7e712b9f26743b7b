//! The value of an expression at a point, computed while it is read, with a bound of what expanding it costs.

use crate::tokens::Tokens;
use sunzi::field::{Field, Fp64};

/// As deep may parentheses be nested.
const MOST_DEEP: usize = 64;

/// What expressions may hold.
pub struct Rules {
    /// By variables, the letters that stand for each.
    pub variables: &'static [&'static [u8]],
    /// Whether numbers may divide.
    pub divides: bool,
    /// The degree in a variable that no power and no product may exceed.
    pub most_degree: u64,
}

/// What an expression is.
pub struct Reading {
    /// The value; none where a divisor is 0 in the field.
    pub value: Option<u64>,
    /// Limbs that whoever expands it reads at most.
    pub work: u64,
}

impl Reading {
    /// Reads a text, if it is an expression by these rules; `point` has the values of the variables.
    pub fn of(text: &[u8], field: &Fp64, rules: &Rules, point: &[u64]) -> Option<Self> {
        let mut reader = Reader {
            text: Tokens::new(text),
            field,
            rules,
            point,
            undefined: false,
            work: 0,
            depth: 0,
        };
        let sum = reader.equation().filter(|_| reader.text.is_empty())?;
        Some(Self {
            value: (!reader.undefined).then_some(sum.value),
            work: reader.work,
        })
    }
}

/// The value of a polynomial at a point, and what it is at most.
#[derive(Clone, Copy)]
struct Sum {
    value: u64,
    /// The total degree.
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

/// Computes the value at a point while it reads.
struct Reader<'a> {
    text: Tokens<'a>,
    field: &'a Fp64,
    rules: &'a Rules,
    /// Values of the variables.
    point: &'a [u64],
    /// Whether a divisor was 0 modulo the prime.
    undefined: bool,
    /// Limbs that whoever expands the sum reads at most.
    work: u64,
    depth: usize,
}

impl Reader<'_> {
    fn spend(&mut self, limbs: u64) {
        self.work = self.work.saturating_add(limbs);
    }

    fn reach(&mut self, degree: u64) {
        if degree > self.rules.most_degree {
            self.spend(u64::MAX);
        }
    }

    fn unknown_is_next(&self) -> bool {
        let mut variables = self.rules.variables.iter();
        variables.any(|letters| self.text.is_next(letters))
    }

    /// How many terms a polynomial of this degree has at most.
    fn most_terms(&self, degree: u64) -> u64 {
        let more = degree.saturating_add(1);
        match self.rules.variables.len() {
            1 => more,
            _ => more.saturating_mul(more),
        }
    }

    fn signs(&mut self) -> Option<bool> {
        let mut negative = self.text.sign()?;
        while let Some(sign) = self.text.sign() {
            negative ^= sign;
        }
        Some(negative)
    }

    /// A sum, or one less another behind `=`.
    fn equation(&mut self) -> Option<Sum> {
        let left = self.sum()?;
        match self.text.one_of(b"=") {
            None => Some(left),
            Some(_) => {
                let right = self.sum()?;
                Some(self.plus(left, right, true))
            }
        }
    }

    /// A sum and one more term, which may be subtracted.
    fn plus(&mut self, sum: Sum, term: Sum, negative: bool) -> Sum {
        self.spend(term.terms.saturating_mul(1 + sum.limbs() + term.limbs()));
        if self.rules.divides {
            // Denominators are multiplied, and removed at the end.
            let terms = sum.terms.saturating_add(term.terms);
            let pairs = (1 + sum.limbs()).saturating_mul(1 + term.limbs());
            self.spend(terms.saturating_mul(pairs).saturating_mul(4));
        }
        Sum {
            value: match negative {
                true => self.field.sub(sum.value, term.value),
                false => self.field.add(sum.value, term.value),
            },
            degree: sum.degree.max(term.degree),
            terms: sum.terms.saturating_add(term.terms),
            bits: match self.rules.divides {
                true => sum.bits.saturating_add(term.bits) + 1,
                false => sum.bits.max(term.bits) + 1,
            },
        }
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
            sum = self.plus(sum, term, negative);
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
            } else if self.rules.divides && self.text.one_of(b"/").is_some() {
                let negative = self.signs().unwrap_or(false);
                let mut factor = self.power()?;
                // Only numbers that are not 0 divide.
                if factor.degree > 0 || factor.value == self.field.zero() {
                    self.spend(u64::MAX);
                }
                match self.field.inv(factor.value) {
                    Some(inverse) => factor.value = inverse,
                    None => self.undefined = true,
                }
                if negative {
                    factor.value = self.field.neg(factor.value);
                }
                let limbs = product.limbs() + factor.limbs();
                self.spend(limbs.saturating_mul(limbs).saturating_mul(product.terms));
                product = self.times(product, factor);
            } else if self.text.is_next(b"(") || self.unknown_is_next() {
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
            terms: pairs.min(self.most_terms(degree)),
            bits: a.bits.saturating_add(b.bits).saturating_add(64),
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
            _ => self.most_terms(degree),
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
        for (letters, &value) in self.rules.variables.iter().zip(self.point) {
            if self.text.one_of(letters).is_some() {
                return Some(monomial(value, 1, 1));
            }
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
        let [before, behind] = match self.rules.divides {
            true => self.text.decimal()?,
            false => [self.text.digits()?, ""],
        };
        let digits = before.bytes().chain(behind.bytes());
        let number = digits.fold(self.field.zero(), |number, digit| {
            let digit = self.field.from_u64(u64::from(digit - b'0'));
            self.field.add(self.field.mul(number, ten), digit)
        });
        let below = self.field.inv(self.field.pow(ten, behind.len() as u64))?;
        let number = self.field.mul(number, below);
        // Powers of ten below count, too, and are brought together with others again and again.
        let bits = 4 * (before.len() + 16 * behind.len()) as u64;
        Some(monomial(number, 0, bits))
    }
}
