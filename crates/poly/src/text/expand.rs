//! From a tree to terms, within limits.
//!
//! Coefficients are integers over one denominator, which is 1 wherever nothing is divided. The sum of terms with different
//! denominators is found by groups of one denominator each, which meet at the end.

use std::collections::BTreeMap;

use sunzi_field::expression::syntax::{Kind, Node};
use sunzi_integer::{Integer, Natural};
use sunzi_integer::{Multiplier, text::DecimalTables};

use super::error::{ParsePolyError, ParsePolyProblem};

/// Coefficients, none of them zero, by the exponents of the variables.
pub type Terms<const N: usize> = BTreeMap<[u64; N], Integer>;

/// A polynomial with rational coefficients: terms over a positive denominator.
pub struct Fraction<const N: usize> {
    /// The numerator.
    pub terms: Terms<N>,
    /// What it is divided by.
    pub denominator: Integer,
}

/// What an expression may not exceed, and what is said then.
pub struct Limits {
    /// The highest degree in a variable.
    pub degree: u64,
    /// What to do with a polynomial that exceeds it, or that is too much to expand.
    pub advice: &'static str,
}

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
pub fn expand<const N: usize>(
    tree: &Node,
    length: usize,
    limits: &Limits,
    multiplier: &Multiplier,
    tables: &DecimalTables,
) -> Result<Fraction<N>, ParsePolyError> {
    let mut expansion = Expansion::new(length, limits, multiplier, tables);
    let found = expansion.fraction(tree)?;
    expansion.reduced(tree.offset, found)
}

pub(super) struct Expansion<'c> {
    limits: &'c Limits,
    multiplier: &'c Multiplier,
    tables: &'c DecimalTables,
    /// What sums and products may still cost, in limbs.
    left: u64,
}

impl<'c> Expansion<'c> {
    /// That of a text of `length` bytes.
    pub(super) fn new(
        length: usize,
        limits: &'c Limits,
        multiplier: &'c Multiplier,
        tables: &'c DecimalTables,
    ) -> Self {
        Self {
            limits,
            multiplier,
            tables,
            left: WORK_PER_BYTE
                .saturating_mul(length as u64)
                .saturating_add(MAX_WORK),
        }
    }

    pub(super) fn fraction<const N: usize>(
        &mut self,
        node: &Node,
    ) -> Result<Fraction<N>, ParsePolyError> {
        match &node.kind {
            Kind::Number(digits) => {
                let (before, behind) = match digits.iter().position(|&byte| byte == b'.') {
                    Some(point) => (&digits[..point], &digits[point + 1..]),
                    None => (*digits, &[][..]),
                };
                // A decimal is all its digits, divided by ten for each behind the point.
                let value = match behind {
                    [] => self.tables.parse(self.multiplier, before),
                    _ => self
                        .tables
                        .parse(self.multiplier, &[before, behind].concat()),
                };
                let value = value.map_err(|error| ParsePolyError {
                    offset: node.offset + error.offset,
                    problem: ParsePolyProblem::Number(error.kind),
                })?;
                Ok(Fraction {
                    denominator: Integer::from(10).pow(behind.len()),
                    ..whole(monomial([0; N], value))
                })
            }
            Kind::Variable(index) => {
                let mut exponents = [0; N];
                exponents[*index] = 1;
                Ok(whole(monomial(exponents, Integer::ONE)))
            }
            Kind::Sum(terms) => self.sum(node.offset, terms),
            Kind::Product(factors) => {
                let mut product: Option<Fraction<N>> = None;
                for (divides, factor) in factors {
                    let next = self.fraction(factor)?;
                    product = Some(match (product, divides) {
                        (Some(product), true) => self.quotient(factor.offset, product, &next)?,
                        (Some(product), false) => self.product(factor.offset, &product, &next)?,
                        (None, _) => next,
                    });
                }
                Ok(product.unwrap_or_else(|| whole(monomial([0; N], Integer::ONE))))
            }
            Kind::Power(tower) => match &tower[..] {
                [
                    base,
                    Node {
                        kind: Kind::Number(exponent),
                        ..
                    },
                ] => {
                    let base_terms = self.fraction(base)?;
                    self.power(node.offset, &base_terms, exponent)
                }
                // Exponents of polynomials are digits.
                _ => Err(self.too_much(node.offset)),
            },
        }
    }

    fn sum<const N: usize>(
        &mut self,
        offset: usize,
        terms: &[(bool, Node)],
    ) -> Result<Fraction<N>, ParsePolyError> {
        let mut groups: BTreeMap<Integer, Terms<N>> = BTreeMap::new();
        for (negative, term) in terms {
            let next = self.fraction(term)?;
            let group = groups.entry(next.denominator).or_default();
            if group.is_empty() && !negative {
                *group = next.terms;
            } else {
                self.accumulate(term.offset, group, *negative, next.terms)?;
            }
        }
        if groups.len() <= 1 {
            let only = groups.pop_first();
            let (denominator, terms) = only.unwrap_or((Integer::ONE, Terms::new()));
            return Ok(Fraction { terms, denominator });
        }
        let mut denominator = Integer::ONE;
        for next in groups.keys() {
            self.spend(offset, limbs(&denominator).saturating_mul(limbs(next)))?;
            let common = Integer::from(denominator.gcd(next));
            denominator = self.multiplier.mul_integers(&denominator, &(next / common));
        }
        let mut sum = Terms::new();
        for (own, group) in groups {
            let scale = &denominator / own;
            let group = self.scaled(offset, group, &scale)?;
            self.accumulate(offset, &mut sum, false, group)?;
        }
        Ok(Fraction {
            terms: sum,
            denominator,
        })
    }

    /// Adds terms to a sum, or subtracts them.
    fn accumulate<const N: usize>(
        &mut self,
        offset: usize,
        sum: &mut Terms<N>,
        negative: bool,
        terms: Terms<N>,
    ) -> Result<(), ParsePolyError> {
        for (exponents, coefficient) in terms {
            // Two numbers meet only where the sum has the exponents already.
            let met = sum
                .get(&exponents)
                .map_or(0, |present| limbs(present) + limbs(&coefficient));
            self.spend(offset, 1 + met)?;
            add(
                sum,
                exponents,
                if negative { -coefficient } else { coefficient },
            );
        }
        Ok(())
    }

    /// Terms times a number that is not zero.
    fn scaled<const N: usize>(
        &mut self,
        offset: usize,
        mut terms: Terms<N>,
        scale: &Integer,
    ) -> Result<Terms<N>, ParsePolyError> {
        if scale.is_one() {
            return Ok(terms);
        }
        for coefficient in terms.values_mut() {
            self.spend(offset, limbs(coefficient).saturating_add(limbs(scale)))?;
            *coefficient = self.multiplier.mul_integers(coefficient, scale);
        }
        Ok(terms)
    }

    fn product<const N: usize>(
        &mut self,
        offset: usize,
        a: &Fraction<N>,
        b: &Fraction<N>,
    ) -> Result<Fraction<N>, ParsePolyError> {
        let denominator = self.denominators(offset, &a.denominator, &b.denominator)?;
        let (a, b) = (&a.terms, &b.terms);
        let (degrees_a, degrees_b) = (degrees(a), degrees(b));
        self.check_degree(offset, sums(degrees_a, degrees_b))?;
        let cost = |x: &Terms<N>| x.values().map(limbs).sum::<u64>();
        let (count_a, count_b) = (a.len() as u64, b.len() as u64);
        self.spend(
            offset,
            cost(a)
                .saturating_mul(count_b)
                .saturating_add(cost(b).saturating_mul(count_a)),
        )?;
        let mut terms = Terms::new();
        for (i, x) in a {
            for (j, y) in b {
                add(&mut terms, sums(*i, *j), self.multiplier.mul_integers(x, y));
            }
        }
        Ok(Fraction { terms, denominator })
    }

    /// The product of two denominators.
    fn denominators(
        &mut self,
        offset: usize,
        a: &Integer,
        b: &Integer,
    ) -> Result<Integer, ParsePolyError> {
        if a.is_one() || b.is_one() {
            return Ok(if a.is_one() { b.clone() } else { a.clone() });
        }
        self.spend(offset, limbs(a).saturating_add(limbs(b)))?;
        Ok(self.multiplier.mul_integers(a, b))
    }

    /// Divides by what must be a number.
    fn quotient<const N: usize>(
        &mut self,
        offset: usize,
        dividend: Fraction<N>,
        divisor: &Fraction<N>,
    ) -> Result<Fraction<N>, ParsePolyError> {
        let value = match (divisor.terms.len(), divisor.terms.first_key_value()) {
            (0, _) => {
                let problem = ParsePolyProblem::ZeroDivisor;
                return Err(ParsePolyError { offset, problem });
            }
            (1, Some((exponents, value))) if *exponents == [0; N] => value,
            _ => {
                let problem = ParsePolyProblem::DivisorNotNumber;
                return Err(ParsePolyError { offset, problem });
            }
        };
        let factor = &divisor.denominator * value.signum();
        let denominator = self.denominators(offset, &dividend.denominator, &value.abs())?;
        Ok(Fraction {
            terms: self.scaled(offset, dividend.terms, &factor)?,
            denominator,
        })
    }

    fn power<const N: usize>(
        &mut self,
        offset: usize,
        base: &Fraction<N>,
        digits: &[u8],
    ) -> Result<Fraction<N>, ParsePolyError> {
        let exponent = std::str::from_utf8(digits)
            .ok()
            .and_then(|digits| digits.parse::<u64>().ok());
        let exponent = exponent.unwrap_or(u64::MAX);
        let highest = degrees(&base.terms).map(|degree| degree.saturating_mul(exponent));
        self.check_degree(offset, highest)?;
        if let (1, Some((powers, coefficient))) = (base.terms.len(), base.terms.first_key_value()) {
            // Of a number that no word holds the last digit still tells this.
            let odd = digits.last().is_some_and(|digit| digit % 2 == 1);
            let powers = powers.map(|power| power * exponent);
            let coefficient = self.number_power(offset, coefficient, exponent, odd)?;
            return Ok(Fraction {
                terms: monomial(powers, coefficient),
                denominator: self.number_power(offset, &base.denominator, exponent, odd)?,
            });
        }
        if base.terms.is_empty() {
            return Ok(whole(if exponent == 0 {
                monomial([0; N], Integer::ONE)
            } else {
                Terms::new()
            }));
        }
        let mut result = whole(monomial([0; N], Integer::ONE));
        for _ in 0..exponent {
            result = self.product(offset, &result, base)?;
        }
        Ok(result)
    }

    /// The power of a number that is not zero, from the highest bit of the exponent downward.
    fn number_power(
        &mut self,
        offset: usize,
        base: &Integer,
        exponent: u64,
        odd: bool,
    ) -> Result<Integer, ParsePolyError> {
        if *base == Integer::ONE || *base == Integer::MINUS_ONE {
            return Ok(if odd { base.clone() } else { Integer::ONE });
        }
        if bits(base).saturating_mul(exponent) > MAX_POWER * u64::from(u64::BITS) {
            return Err(self.too_much(offset));
        }
        let mut power = Integer::ONE;
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

    /// The fraction in lowest terms.
    fn reduced<const N: usize>(
        &mut self,
        offset: usize,
        mut fraction: Fraction<N>,
    ) -> Result<Fraction<N>, ParsePolyError> {
        let mut common: Natural = fraction.denominator.magnitude().clone();
        for coefficient in fraction.terms.values() {
            if common.is_one() {
                return Ok(fraction);
            }
            let work = (common.as_limbs().len() as u64).saturating_mul(limbs(coefficient));
            self.spend(offset, work)?;
            common = common.gcd(coefficient.magnitude());
        }
        let common = Integer::from(common);
        for coefficient in fraction.terms.values_mut() {
            *coefficient = &*coefficient / &common;
        }
        fraction.denominator /= common;
        Ok(fraction)
    }

    pub(super) fn spend(&mut self, offset: usize, limbs: u64) -> Result<(), ParsePolyError> {
        let left = self.left.checked_sub(limbs);
        self.left = left.ok_or_else(|| self.too_much(offset))?;
        Ok(())
    }

    fn too_much(&self, offset: usize) -> ParsePolyError {
        let advice = self.limits.advice;
        let problem = ParsePolyProblem::TooMuch { advice };
        ParsePolyError { offset, problem }
    }

    fn check_degree<const N: usize>(
        &self,
        offset: usize,
        degrees: [u64; N],
    ) -> Result<(), ParsePolyError> {
        let Limits {
            degree: most,
            advice,
        } = *self.limits;
        if degrees.iter().any(|&one| one > most) {
            let problem = ParsePolyProblem::DegreeTooHigh { most, advice };
            return Err(ParsePolyError { offset, problem });
        }
        Ok(())
    }
}

/// Terms over the denominator 1.
fn whole<const N: usize>(terms: Terms<N>) -> Fraction<N> {
    Fraction {
        terms,
        denominator: Integer::ONE,
    }
}

fn monomial<const N: usize>(exponents: [u64; N], coefficient: Integer) -> Terms<N> {
    let mut terms = Terms::new();
    add(&mut terms, exponents, coefficient);
    terms
}

/// Adds a term; what becomes zero is removed.
fn add<const N: usize>(terms: &mut Terms<N>, exponents: [u64; N], coefficient: Integer) {
    use std::collections::btree_map::Entry;
    if coefficient == Integer::ZERO {
        return;
    }
    match terms.entry(exponents) {
        Entry::Vacant(place) => {
            place.insert(coefficient);
        }
        Entry::Occupied(mut place) => {
            *place.get_mut() += coefficient;
            if *place.get() == Integer::ZERO {
                place.remove();
            }
        }
    }
}

/// By variables, the highest exponent.
pub fn degrees<const N: usize>(terms: &Terms<N>) -> [u64; N] {
    let mut highest = [0; N];
    for exponents in terms.keys() {
        for (highest, &exponent) in highest.iter_mut().zip(exponents) {
            *highest = (*highest).max(exponent);
        }
    }
    highest
}

fn sums<const N: usize>(a: [u64; N], b: [u64; N]) -> [u64; N] {
    std::array::from_fn(|index| a[index].saturating_add(b[index]))
}

pub(super) fn limbs(value: &Integer) -> u64 {
    value.magnitude().as_limbs().len() as u64
}

/// The length of the absolute value in bits.
fn bits(value: &Integer) -> u64 {
    value.bit_len() as u64
}
