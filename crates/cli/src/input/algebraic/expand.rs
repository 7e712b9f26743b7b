//! From a tree to terms, within limits.

use super::super::LineError;
use super::MAX_DEGREE;
use super::syntax::{Kind, Node};
use dashu_int::IBig;
use std::collections::BTreeMap;
use sunzi::integer::{Multiplier, text::DecimalTables};

/// Coefficients, none of them zero, by exponent.
pub(super) type Terms = BTreeMap<u64, IBig>;

/// Limbs that all products of an expression together may read: about a second of work.
const MAX_WORK: u64 = 1 << 24;

/// Limbs that the power of a number may have: five million digits.
const MAX_POWER: u64 = 1 << 18;

/// Expands an expression.
pub(super) fn expand(
    tree: &Node,
    multiplier: &Multiplier,
    tables: &DecimalTables,
) -> Result<Terms, LineError> {
    Expansion {
        multiplier,
        tables,
        work: 0,
    }
    .terms(tree)
}

struct Expansion<'c> {
    multiplier: &'c Multiplier,
    tables: &'c DecimalTables,
    /// What products have cost so far, in limbs.
    work: u64,
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
                    for (exponent, coefficient) in self.terms(term)? {
                        add(
                            &mut sum,
                            exponent,
                            if *negative { -coefficient } else { coefficient },
                        );
                    }
                }
                Ok(sum)
            }
            Kind::Product(factors) => {
                let mut product = monomial(0, IBig::ONE);
                for factor in factors {
                    let factor_terms = self.terms(factor)?;
                    product = self.product(factor.offset, product, &factor_terms)?;
                }
                Ok(product)
            }
            Kind::Power(base, exponent) => {
                let base_terms = self.terms(base)?;
                self.power(node.offset, &base_terms, exponent)
            }
        }
    }

    fn product(&mut self, offset: usize, a: Terms, b: &Terms) -> Result<Terms, LineError> {
        check_degree(offset, degree(&a).saturating_add(degree(b)))?;
        if is_one(&a) {
            return Ok(b.clone());
        }
        let cost = |x: &Terms| x.values().map(limbs).sum::<u64>();
        let (count_a, count_b) = (a.len() as u64, b.len() as u64);
        self.spend(
            offset,
            cost(&a)
                .saturating_mul(count_b)
                .saturating_add(cost(b).saturating_mul(count_a)),
        )?;
        let mut product = Terms::new();
        for (i, x) in &a {
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
            let unit = *coefficient == IBig::ONE || *coefficient == IBig::NEG_ONE;
            if !unit && limbs(coefficient).saturating_mul(exponent) > MAX_POWER {
                return Err(too_much(offset));
            }
            let parity = if unit { exponent % 2 } else { exponent };
            // The exponent is bounded, unless the coefficient is 1 or −1.
            return Ok(monomial(power * exponent, coefficient.pow(parity as usize)));
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
            result = self.product(offset, result, base)?;
        }
        Ok(result)
    }

    fn spend(&mut self, offset: usize, limbs: u64) -> Result<(), LineError> {
        self.work = self.work.saturating_add(limbs);
        if self.work > MAX_WORK {
            return Err(too_much(offset));
        }
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

fn is_one(terms: &Terms) -> bool {
    terms.len() == 1
        && terms
            .get(&0)
            .is_some_and(|coefficient| *coefficient == IBig::ONE)
}

fn degree(terms: &Terms) -> u64 {
    terms.last_key_value().map_or(0, |(&exponent, _)| exponent)
}

fn limbs(value: &IBig) -> u64 {
    value.as_sign_words().1.len() as u64
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
