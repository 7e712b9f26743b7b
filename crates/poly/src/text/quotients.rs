//! From a tree to terms with rational coefficients.
//!
//! The terms of the whole sum are added as quotients, each in lowest terms: a common denominator of many would be far longer
//! than what is written. Inside parentheses it is found as in `expand`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use sunzi_field::expression::syntax::{Kind, Node};
use sunzi_integer::{Integer, Rational};
use sunzi_integer::{Multiplier, text::DecimalTables};

use super::error::ParsePolyError;
use super::expand::{Expansion, Limits, limbs};

/// Expands the expression of a text of `length` bytes in one variable: coefficients, none of them zero, by degree.
pub fn expand(
    tree: &Node,
    length: usize,
    limits: &Limits,
    multiplier: &Multiplier,
    tables: &DecimalTables,
) -> Result<BTreeMap<u64, Rational>, ParsePolyError> {
    let mut expansion = Expansion::new(length, limits, multiplier, tables);
    let mut sum = BTreeMap::new();
    match &tree.kind {
        Kind::Sum(terms) => {
            for (negative, term) in terms {
                expansion.add_quotients(&mut sum, *negative, term)?;
            }
        }
        _ => expansion.add_quotients(&mut sum, false, tree)?,
    }
    Ok(sum)
}

impl Expansion<'_> {
    /// Adds a term to a sum, or subtracts it.
    fn add_quotients(
        &mut self,
        sum: &mut BTreeMap<u64, Rational>,
        negative: bool,
        term: &Node,
    ) -> Result<(), ParsePolyError> {
        let found = self.fraction::<1>(term)?;
        let denominator = found.denominator.into_magnitude();
        for ([degree], numerator) in found.terms {
            // Quotients are brought to lowest terms, for which short numbers take no time.
            let lengths = [limbs(&numerator), denominator.as_limbs().len() as u64];
            self.spend_product(term.offset, lengths)?;
            let numerator = if negative { -numerator } else { numerator };
            let quotient = Rational::from_parts(numerator, denominator.clone());
            match sum.entry(degree) {
                Entry::Vacant(place) => {
                    place.insert(quotient);
                }
                Entry::Occupied(mut place) => {
                    self.spend_product(term.offset, [width(place.get()), width(&quotient)])?;
                    *place.get_mut() += quotient;
                    if *place.get().numerator() == Integer::ZERO {
                        place.remove();
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts the work of a greatest common divisor of numbers of these lengths.
    fn spend_product(&mut self, offset: usize, [a, b]: [u64; 2]) -> Result<(), ParsePolyError> {
        self.spend(offset, a.saturating_mul(b))
    }
}

/// The length of both parts of a quotient.
fn width(quotient: &Rational) -> u64 {
    limbs(quotient.numerator()) + quotient.denominator().as_limbs().len() as u64
}
