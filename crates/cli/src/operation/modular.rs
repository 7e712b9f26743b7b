//! Products of polynomials modulo a prime.

use super::residues::Residues;
use super::{Operation, Style, named, quoted};
use crate::error::Failure;
use crate::fields::CommandField;
use crate::input::{LineError, algebraic, coefficients};
use sunzi::poly::{Algorithm, Poly, PolyRing};

/// Products of polynomials over Z/P, one a line.
pub struct Modular<F: CommandField> {
    ring: PolyRing<F>,
    residues: Residues<F>,
    forced: Option<Algorithm>,
}

impl<F: CommandField> Modular<F> {
    /// Over a field, with the algorithm of that name or with the one that fits the sizes.
    pub fn new(field: F, algorithm: Option<&str>) -> Result<Self, Failure> {
        let forced = algorithm
            .map(|name| named(name, &Algorithm::ALL, Algorithm::name))
            .transpose()?;
        let ring = PolyRing::new(field);
        Ok(Self {
            residues: Residues::new(ring.field().clone(), "coefficient"),
            ring,
            forced,
        })
    }

    /// The prime in decimal.
    pub fn prime(&self) -> &str {
        self.residues.prime()
    }
}

/// Bytes of an element.
const fn element<F: CommandField>() -> u64 {
    size_of::<F::Elem>() as u64
}

impl<F: CommandField> Operation for Modular<F> {
    type Operand = Poly<F::Elem>;
    type Product = Poly<F::Elem>;

    const NOUN: &'static str = "polynomial";

    fn weight(content: &[u8]) -> usize {
        super::over_integers::weight(content)
    }

    fn parse(&self, content: &[u8]) -> Result<Self::Operand, LineError> {
        if !coefficients::is_algebraic(content) {
            return Ok(Poly::new(coefficients::parse(content, |word| {
                self.residues.read(word)
            })?));
        }
        let (multiplier, tables) = self.residues.tables();
        let values = algebraic::parse(content, multiplier, tables)?;
        let residues = values.iter().enumerate().map(|(exponent, value)| {
            self.residues
                .check(value)
                .map_err(|problem| LineError::new(0, format!("at x^{exponent}, {problem}")))
        });
        Ok(Poly::new(residues.collect::<Result<_, _>>()?))
    }

    fn bytes(&self, operand: &Self::Operand) -> u64 {
        operand.len() as u64 * element::<F>()
    }

    fn needed_bytes(&self, left: &Self::Operand, right: &Self::Operand) -> u64 {
        let digits = self.prime().len() as u64;
        let terms = (left.len() + right.len()) as u64;
        let scratch = match self.forced {
            Some(algorithm) => self
                .ring
                .plan_with(algorithm, left.len(), right.len())
                .map_or(0, |plan| plan.scratch_bytes),
            None => self.ring.plan(left.len(), right.len()).scratch_bytes,
        };
        scratch.saturating_add(terms * (element::<F>() + digits + 1))
    }

    fn algorithm(&self, left: &Self::Operand, right: &Self::Operand) -> &'static str {
        match self.forced {
            Some(algorithm) => algorithm.name(),
            None => self.ring.plan(left.len(), right.len()).algorithm.name(),
        }
    }

    fn explain(&self, left: &Self::Operand, right: &Self::Operand) -> String {
        match self.forced {
            Some(algorithm) => self
                .ring
                .plan_with(algorithm, left.len(), right.len())
                .map_or_else(|error| error.to_string(), |plan| plan.to_string()),
            None => self.ring.plan(left.len(), right.len()).to_string(),
        }
    }

    fn multiply(
        &self,
        left: &Self::Operand,
        right: &Self::Operand,
    ) -> Result<Self::Product, String> {
        let product = match self.forced {
            Some(algorithm) => self.ring.mul_with(algorithm, left, right),
            None => self.ring.try_mul(left, right),
        };
        product.map_err(|error| error.to_string())
    }

    fn write(&self, product: &Self::Product, style: Style, out: &mut Vec<u8>) {
        super::over_integers::write(product.coefficients(), style, out, |&coefficient, out| {
            quoted(style, out, |out| self.residues.write(coefficient, out));
        });
    }
}
