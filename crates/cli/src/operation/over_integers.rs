//! Products of polynomials over Z.

use super::{Operation, Style, named, quoted};
use crate::error::Failure;
use crate::input::{LineError, algebraic, coefficients};
use dashu_int::IBig;
use sunzi::integer::{Multiplier, text::DecimalTables};
use sunzi::poly::{Algorithm, IntegerPlan, IntegerPolyRing, Poly, PolyError};

/// Products of polynomials over Z, one a line.
pub struct OverIntegers {
    ring: IntegerPolyRing,
    multiplier: Multiplier,
    tables: DecimalTables,
    forced: Option<Algorithm>,
}

impl OverIntegers {
    /// With the algorithm of that name, or with the one that fits the sizes.
    pub fn new(algorithm: Option<&str>) -> Result<Self, Failure> {
        let forced = algorithm
            .map(|name| named(name, &Algorithm::ALL, Algorithm::name))
            .transpose()?;
        let (ring, multiplier) = (IntegerPolyRing::new(), Multiplier::new());
        Ok(Self {
            ring,
            multiplier,
            tables: DecimalTables::new(),
            forced,
        })
    }

    fn plan(&self, left: &Poly<IBig>, right: &Poly<IBig>) -> Result<IntegerPlan, PolyError> {
        match self.forced {
            Some(algorithm) => self.ring.plan_with(algorithm, left, right),
            None => Ok(self.ring.plan(left, right)),
        }
    }
}

impl Operation for OverIntegers {
    type Operand = Poly<IBig>;
    type Product = Poly<IBig>;

    const NOUN: &'static str = "polynomial";

    fn weight(content: &[u8]) -> usize {
        weight(content)
    }

    fn parse(&self, content: &[u8]) -> Result<Poly<IBig>, LineError> {
        if coefficients::is_algebraic(content) {
            return Ok(Poly::new(algebraic::parse(
                content,
                &self.multiplier,
                &self.tables,
            )?));
        }
        let values = coefficients::parse(content, |word| {
            let parsed = self.tables.parse(&self.multiplier, word);
            parsed.map_err(|error| LineError::new(error.offset, error.to_string()))
        })?;
        Ok(Poly::new(values))
    }

    fn bytes(&self, operand: &Poly<IBig>) -> u64 {
        let long = |value: &IBig| match value.as_sign_words().1.len() {
            // Up to two words lie inside the value itself.
            0..=2 => 0,
            words => 8 * words as u64,
        };
        let values = operand.coefficients();
        size_of_val(values) as u64 + values.iter().map(long).sum::<u64>()
    }

    fn needed_bytes(&self, left: &Poly<IBig>, right: &Poly<IBig>) -> u64 {
        let Ok(plan) = self.plan(left, right) else {
            return 0;
        };
        // 2.4 digits and a blank for each byte of the product.
        let digits = (plan.product_bits as u64 * 10).div_ceil(33) + 2;
        plan.bytes
            .saturating_add((left.len() + right.len()) as u64 * digits)
    }

    fn algorithm(&self, left: &Poly<IBig>, right: &Poly<IBig>) -> &'static str {
        match self.forced {
            Some(algorithm) => algorithm.name(),
            None => self.ring.plan(left, right).algorithm.name(),
        }
    }

    fn explain(&self, left: &Poly<IBig>, right: &Poly<IBig>) -> String {
        self.plan(left, right)
            .map_or_else(|error| error.to_string(), |plan| plan.to_string())
    }

    fn multiply(&self, left: &Poly<IBig>, right: &Poly<IBig>) -> Result<Poly<IBig>, String> {
        let product = match self.forced {
            Some(algorithm) => self.ring.mul_with(algorithm, left, right),
            None => self.ring.try_mul(left, right),
        };
        product.map_err(|error| error.to_string())
    }

    fn write(&self, product: &Poly<IBig>, style: Style, out: &mut Vec<u8>) {
        write(product.coefficients(), style, out, |coefficient, out| {
            quoted(style, out, |out| {
                // Writing to memory has no errors.
                let _ = self.tables.format(&self.multiplier, coefficient, out);
            });
        });
    }
}

/// About how many bytes a polynomial takes, from a glance at its line.
pub(super) fn weight(content: &[u8]) -> usize {
    if coefficients::is_algebraic(content) {
        algebraic::weight(content)
    } else {
        content.len()
    }
}

/// Writes a polynomial as coefficients from the constant term upward; `0` for zero.
pub(super) fn write<T: Sync>(
    polynomial: &[T],
    style: Style,
    out: &mut Vec<u8>,
    write_one: impl Fn(&T, &mut Vec<u8>) + Sync,
) {
    match style {
        Style::Plain if polynomial.is_empty() => out.push(b'0'),
        Style::Plain => coefficients::write(polynomial, b" ", out, write_one),
        Style::Json => {
            out.push(b'[');
            coefficients::write(polynomial, b",", out, write_one);
            out.push(b']');
        }
    }
}
