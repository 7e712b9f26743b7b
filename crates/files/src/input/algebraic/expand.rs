//! From a tree to terms, within limits.

use super::super::LineError;
use super::MAX_DEGREE;
use dashu_int::IBig;
use std::collections::BTreeMap;
use sunzi_field::expression::syntax::{Kind, Node};
use sunzi_integer::{Multiplier, text::DecimalTables};

/// Coefficients, none of them zero, by exponent.
pub type Terms = BTreeMap<u64, IBig>;

/// Limbs that all sums and products of an expression together may read, beside what its text
/// pays for: about a second of work.
///
/// Every limb that is not written in the text was read by a sum or product first, so this bounds
/// the memory as well: 128 MiB.
const MAX_WORK: u64 = 1 << 24;

/// Limbs of work for each byte of text, so that sums of many short terms are never too long.
const WORK_PER_BYTE: u64 = 4;

/// Limbs that the power of a number may have: five million digits.
const MAX_POWER: u64 = 1 << 18;

/// Expands the expression of a text of `length` bytes.
pub(super) fn expand(
    tree: &Node,
    length: usize,
    multiplier: &Multiplier,
    tables: &DecimalTables,
) -> Result<Terms, LineError> {
    Expansion {
        multiplier,
        tables,
        left: WORK_PER_BYTE
            .saturating_mul(length as u64)
            .saturating_add(MAX_WORK),
    }
    .terms(tree)
}

struct Expansion<'c> {
    multiplier: &'c Multiplier,
    tables: &'c DecimalTables,
    /// What sums and products may still cost, in limbs.
    left: u64,
}

impl Expansion<'_> {
    fn terms(&mut self, node: &Node) -> Result<Terms, LineError> {
        match &node.kind {
            Kind::Number(digits) => {
                let value = self.tables.parse(self.multiplier, digits);
                let value = value.map_err(|error| {
                    LineError::new(node.offset + error.offset, error.to_string())
                })?;
                Ok(monomial(0, value))
            }
            Kind::Variable => Ok(monomial(1, IBig::ONE)),
            Kind::Sum(terms) => {
                let mut sum = Terms::new();
                for (negative, term) in terms {
                    let next = self.terms(term)?;
                    if sum.is_empty() && !negative {
                        sum = next;
                    } else {
                        self.accumulate(term.offset, &mut sum, *negative, next)?;
                    }
                }
                Ok(sum)
            }
            Kind::Product(factors) => {
                let mut product: Option<Terms> = None;
                for factor in factors {
                    let next = self.terms(factor)?;
                    product = Some(match product {
                        None => next,
                        Some(product) => self.product(factor.offset, &product, &next)?,
                    });
                }
                Ok(product.unwrap_or_else(|| monomial(0, IBig::ONE)))
            }
            Kind::Power(tower) => match &tower[..] {
                [
                    base,
                    Node {
                        kind: Kind::Number(exponent),
                        ..
                    },
                ] => {
                    let base_terms = self.terms(base)?;
                    self.power(node.offset, &base_terms, exponent)
                }
                // Exponents of polynomials are digits.
                _ => Err(too_much(node.offset)),
            },
        }
    }

    /// Adds terms to a sum, or subtracts them.
    fn accumulate(
        &mut self,
        offset: usize,
        sum: &mut Terms,
        negative: bool,
        terms: Terms,
    ) -> Result<(), LineError> {
        for (exponent, coefficient) in terms {
            // Two numbers meet only where the sum has the exponent already.
            let met = sum
                .get(&exponent)
                .map_or(0, |present| limbs(present) + limbs(&coefficient));
            self.spend(offset, 1 + met)?;
            add(
                sum,
                exponent,
                if negative { -coefficient } else { coefficient },
            );
        }
        Ok(())
    }

    fn product(&mut self, offset: usize, a: &Terms, b: &Terms) -> Result<Terms, LineError> {
        check_degree(offset, degree(a).saturating_add(degree(b)))?;
        let cost = |x: &Terms| x.values().map(limbs).sum::<u64>();
        let (count_a, count_b) = (a.len() as u64, b.len() as u64);
        self.spend(
            offset,
            cost(a)
                .saturating_mul(count_b)
                .saturating_add(cost(b).saturating_mul(count_a)),
        )?;
        let mut product = Terms::new();
        for (i, x) in a {
            for (j, y) in b {
                add(&mut product, i + j, self.multiplier.mul_integers(x, y));
            }
        }
        Ok(product)
    }

    fn power(&mut self, offset: usize, base: &Terms, digits: &[u8]) -> Result<Terms, LineError> {
        let exponent = std::str::from_utf8(digits)
            .ok()
            .and_then(|digits| digits.parse::<u64>().ok());
        let exponent = exponent.unwrap_or(u64::MAX);
        let degree = degree(base).saturating_mul(exponent);
        check_degree(offset, degree)?;
        if let (1, Some((&power, coefficient))) = (base.len(), base.first_key_value()) {
            // Of a number that no word holds the last digit still tells this.
            let odd = digits.last().is_some_and(|digit| digit % 2 == 1);
            let coefficient = self.number_power(offset, coefficient, exponent, odd)?;
            return Ok(monomial(power * exponent, coefficient));
        }
        if base.is_empty() {
            return Ok(if exponent == 0 {
                monomial(0, IBig::ONE)
            } else {
                Terms::new()
            });
        }
        let mut result = monomial(0, IBig::ONE);
        for _ in 0..exponent {
            result = self.product(offset, &result, base)?;
        }
        Ok(result)
    }

    /// The power of a number that is not zero, from the highest bit of the exponent downward.
    fn number_power(
        &mut self,
        offset: usize,
        base: &IBig,
        exponent: u64,
        odd: bool,
    ) -> Result<IBig, LineError> {
        if *base == IBig::ONE || *base == IBig::NEG_ONE {
            return Ok(if odd { base.clone() } else { IBig::ONE });
        }
        if bits(base).saturating_mul(exponent) > MAX_POWER * u64::from(u64::BITS) {
            return Err(too_much(offset));
        }
        let mut power = IBig::ONE;
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            self.spend(offset, 2 * limbs(&power))?;
            power = self.multiplier.mul_integers(&power, &power);
            if exponent >> bit & 1 == 1 {
                self.spend(offset, limbs(&power).saturating_add(limbs(base)))?;
                power = self.multiplier.mul_integers(&power, base);
            }
        }
        Ok(power)
    }

    fn spend(&mut self, offset: usize, limbs: u64) -> Result<(), LineError> {
        self.left = self
            .left
            .checked_sub(limbs)
            .ok_or_else(|| too_much(offset))?;
        Ok(())
    }
}

fn too_much(offset: usize) -> LineError {
    LineError::new(
        offset,
        "this is too much to expand: write the polynomial as coefficients, from the constant term upward",
    )
}

fn monomial(exponent: u64, coefficient: IBig) -> Terms {
    let mut terms = Terms::new();
    add(&mut terms, exponent, coefficient);
    terms
}

/// Adds a term; what becomes zero is removed.
fn add(terms: &mut Terms, exponent: u64, coefficient: IBig) {
    use std::collections::btree_map::Entry;
    if coefficient == IBig::ZERO {
        return;
    }
    match terms.entry(exponent) {
        Entry::Vacant(place) => {
            place.insert(coefficient);
        }
        Entry::Occupied(mut place) => {
            *place.get_mut() += coefficient;
            if *place.get() == IBig::ZERO {
                place.remove();
            }
        }
    }
}

fn degree(terms: &Terms) -> u64 {
    terms.last_key_value().map_or(0, |(&exponent, _)| exponent)
}

fn limbs(value: &IBig) -> u64 {
    value.as_sign_words().1.len() as u64
}

/// The length of the absolute value in bits.
fn bits(value: &IBig) -> u64 {
    let words = value.as_sign_words().1;
    words.last().map_or(0, |top| {
        words.len() as u64 * u64::from(u64::BITS) - u64::from(top.leading_zeros())
    })
}

fn check_degree(offset: usize, degree: u64) -> Result<(), LineError> {
    if degree > MAX_DEGREE {
        return Err(LineError::new(
            offset,
            format!(
                "the degree is above {MAX_DEGREE}: write such a polynomial as coefficients, from the constant term upward"
            ),
        ));
    }
    Ok(())
}
