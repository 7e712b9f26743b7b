//! Vectors of integers modulo several primes, and what they are modulo others.

use crate::dense::product::add_combination;
use dashu_int::{IBig, UBig};
use sunzi_field::{Field, Fp32};

/// Ascending primes, which hold integers below their product.
#[derive(Clone, Debug)]
pub(in crate::dense) struct Basis {
    fields: Vec<Fp32>,
    /// For each prime the inverses of those before it.
    inverses: Vec<Vec<u32>>,
}

impl Basis {
    pub(in crate::dense) fn new(fields: Vec<Fp32>) -> Self {
        debug_assert!(fields.is_sorted_by_key(Fp32::prime));
        let inverses_in = |(index, field): (usize, &Fp32)| {
            let before = fields[..index].iter();
            let inverse = |other: &Fp32| field.inv(other.prime());
            before.filter_map(inverse).collect()
        };
        let inverses = fields.iter().enumerate().map(inverses_in).collect();
        Self { fields, inverses }
    }

    pub(in crate::dense) fn fields(&self) -> &[Fp32] {
        &self.fields
    }

    /// The product of the primes.
    pub(in crate::dense) fn modulus(&self) -> UBig {
        self.products().last().unwrap_or(UBig::ONE)
    }

    /// 1, p₀, p₀·p₁, …, the product of all.
    fn products(&self) -> impl Iterator<Item = UBig> + '_ {
        let mut product = UBig::ONE;
        let rest = self.fields.iter().map(move |field| {
            product *= field.prime();
            product.clone()
        });
        std::iter::once(UBig::ONE).chain(rest)
    }

    /// Residues modulo each prime as digits d₀ + d₁·p₀ + d₂·p₀·p₁ + … (H. Garner, 1959).
    pub(in crate::dense) fn digits(&self, residues: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let mut digits: Vec<Vec<u32>> = Vec::with_capacity(self.fields.len());
        for ((field, inverses), residues) in self.fields.iter().zip(&self.inverses).zip(residues) {
            let mut digit = residues.clone();
            let mut next = vec![0; digit.len()];
            for (&inverse, before) in inverses.iter().zip(&digits) {
                // Digits of smaller primes are residues here.
                let terms = [(inverse, &digit[..]), (field.neg(inverse), &before[..])];
                field.combine_slices(&mut next, terms);
                std::mem::swap(&mut digit, &mut next);
            }
            digits.push(digit);
        }
        digits
    }

    /// How digits become residues modulo another prime.
    pub(in crate::dense) fn weights(&self, field: &Fp32) -> Weights {
        let products: Vec<UBig> = self.products().collect();
        let residue = |product: &UBig| field.from_integer(&IBig::from(product.clone()));
        let mut weights: Vec<u32> = products.iter().map(residue).collect();
        let modulus = weights.pop().unwrap_or(1);
        Weights {
            greatest: self.fields.last().map_or(1, Fp32::prime),
            inverse_modulus: field.inv(modulus).unwrap_or(0),
            weights,
            modulus,
            field: field.clone(),
        }
    }

    /// Σ factors[i]·x[i] for the x of these digits; the factors are small.
    pub(in crate::dense) fn dot_product(&self, factors: &[u32], digits: &[Vec<u32>]) -> UBig {
        let sums = digits.iter().map(|digits| -> u64 {
            let products = factors.iter().zip(digits);
            products.map(|(&x, &y)| u64::from(x) * u64::from(y)).sum()
        });
        self.products()
            .zip(sums)
            .map(|(product, sum)| product * sum)
            .sum()
    }
}

/// The digits' places modulo a prime that is not of the basis.
#[derive(Clone, Debug)]
pub(in crate::dense) struct Weights {
    field: Fp32,
    weights: Vec<u32>,
    /// The basis's product modulo the prime.
    modulus: u32,
    inverse_modulus: u32,
    /// The greatest prime of the basis.
    greatest: u32,
}

impl Weights {
    /// The residue of the basis's product, inverted.
    pub(in crate::dense) fn inverse_modulus(&self) -> u32 {
        self.inverse_modulus
    }

    /// The residues of the integers in `[0, product)` of these digits.
    pub(in crate::dense) fn unsigned(&self, digits: &[Vec<u32>]) -> Vec<u32> {
        let prime = self.field.prime();
        let mut residues = vec![0; digits.first().map_or(0, Vec::len)];
        let add = |residues: &mut Vec<u32>, digits: &[Vec<u32>]| {
            add_combination(&self.field, residues, &self.weights, |t| &digits[t]);
        };
        if self.greatest <= prime {
            add(&mut residues, digits);
        } else {
            // All primes are between 2^30 and 2^31.
            let reduce = |digit: &u32| (*digit).min(digit.wrapping_sub(prime));
            let reduced: Vec<Vec<u32>> = digits
                .iter()
                .map(|digits| digits.iter().map(reduce).collect())
                .collect();
            add(&mut residues, &reduced);
        }
        residues
    }

    /// The residues of the integers of either sign, an eighth of the product at most, that have these digits
    /// modulo the product: negative ones have a great last digit.
    pub(in crate::dense) fn signed(&self, digits: &[Vec<u32>]) -> Vec<u32> {
        let mut residues = self.unsigned(digits);
        let Some(last) = digits.last() else {
            return residues;
        };
        for (residue, &digit) in residues.iter_mut().zip(last) {
            if digit > self.greatest / 2 {
                *residue = self.field.sub(*residue, self.modulus);
            }
        }
        residues
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::integer::residues::prime_fields;

    #[test]
    fn digits_and_residues() {
        let fields: Vec<Fp32> = prime_fields().take(9).collect();
        for (basis, others) in [
            (&fields[..4], &fields[4..]),
            (&fields[5..], &fields[..5]),
            (&fields[..1], &fields[1..]),
        ] {
            let basis = Basis::new(basis.to_vec());
            let modulus = IBig::from(basis.modulus());
            let eighth = &modulus / IBig::from(8);
            let values: Vec<IBig> = [0, 1, 5, 1 << 30]
                .into_iter()
                .flat_map(|offset| [&eighth - IBig::from(offset), IBig::from(offset)])
                .flat_map(|value| [-value.clone(), value])
                .filter(|value| *value < eighth && -value < eighth)
                .collect();
            let residues_in = |field: &Fp32| -> Vec<u32> {
                values
                    .iter()
                    .map(|value| field.from_integer(value))
                    .collect()
            };
            let residues: Vec<Vec<u32>> = basis.fields().iter().map(residues_in).collect();
            let digits = basis.digits(&residues);
            let factors: Vec<u32> = (1..=values.len() as u32).collect();
            let positive = |value: &IBig| {
                if *value < IBig::ZERO {
                    value + &modulus
                } else {
                    value.clone()
                }
            };
            let sum: IBig = values
                .iter()
                .zip(&factors)
                .map(|(value, &x)| positive(value) * IBig::from(x))
                .sum();
            assert_eq!(IBig::from(basis.dot_product(&factors, &digits)), sum);
            for field in others {
                assert_eq!(basis.weights(field).signed(&digits), residues_in(field));
                let expected: Vec<u32> = values
                    .iter()
                    .map(|value| field.from_integer(&positive(value)))
                    .collect();
                assert_eq!(basis.weights(field).unsigned(&digits), expected);
            }
        }
    }
}
