//! Integers from their digits in mixed radix.

use dashu_int::UBig;
use sunzi_field::Fp32;
use sunzi_machine::threads::{Threads, Work};

/// Digits that one word pair holds: primes are below 2^31.
const LEAF: usize = 4;

/// Entries that one task makes.
const PIECE: usize = 64;

/// What digits by primes p₀, p₁, … stand for: d₀ + d₁·p₀ + d₂·p₀·p₁ + …
///
/// Neighbours are joined in a tree, so that long integers are made by few long products.
#[derive(Clone, Debug)]
pub(super) struct MixedRadix {
    primes: Vec<u32>,
    /// The products of groups of primes, then of pairs of groups, and so on, up to that of all.
    levels: Vec<Vec<UBig>>,
}

impl MixedRadix {
    pub(super) fn new<'a>(fields: impl Iterator<Item = &'a Fp32>) -> Self {
        let primes: Vec<u32> = fields.map(Fp32::prime).collect();
        let leaf = |group: &[u32]| group.iter().map(|&prime| UBig::from(prime)).product();
        let mut levels: Vec<Vec<UBig>> = vec![primes.chunks(LEAF).map(leaf).collect()];
        while let Some(last) = levels.last().filter(|last| last.len() > 1) {
            let next = last.chunks(2).map(|pair| pair.iter().product()).collect();
            levels.push(next);
        }
        Self { primes, levels }
    }

    /// The product of all primes.
    pub(super) fn modulus(&self) -> UBig {
        let top = self.levels.last().and_then(|level| level.first());
        top.cloned().unwrap_or(UBig::ONE)
    }

    /// The integers whose digits are given prime by prime, each of them `made` into something.
    pub(super) fn integers<T: Send>(
        &self,
        digits: &[Vec<u32>],
        made: impl Fn(UBig) -> T + Sync,
    ) -> Vec<T> {
        let count = digits.first().map_or(0, Vec::len);
        let pieces = (0..count).step_by(PIECE);
        let work = Work::new(count as u64, "entries");
        let pieces = Threads::all().map(pieces, |first| {
            let entries = first..count.min(first + PIECE);
            let integers = entries.map(|entry| made(self.integer(|t| digits[t][entry])));
            let integers: Vec<T> = integers.collect();
            work.done(integers.len() as u64);
            integers
        });
        pieces.into_iter().flatten().collect()
    }

    fn integer(&self, digit: impl Fn(usize) -> u32) -> UBig {
        let leaf = |(group, primes): (usize, &[u32])| {
            let places = primes.iter().enumerate().rev();
            UBig::from(places.fold(0, |sum: u128, (t, &prime)| {
                sum * u128::from(prime) + u128::from(digit(group * LEAF + t))
            }))
        };
        if self.primes.len() <= LEAF {
            return leaf((0, &self.primes));
        }
        let leaves = self.primes.chunks(LEAF).enumerate();
        let mut values: Vec<UBig> = leaves.map(leaf).collect();
        for level in &self.levels {
            if values.len() < 2 {
                break;
            }
            let join = |(pair, product): (&[UBig], &UBig)| match pair {
                [low, high] => low + product * high,
                rest => rest.iter().sum(),
            };
            values = values
                .chunks(2)
                .zip(level.iter().step_by(2))
                .map(join)
                .collect();
        }
        values.pop().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::integer::basis::Basis;
    use crate::dense::integer::residues::prime_fields;
    use dashu_int::IBig;
    use sunzi_field::Field;

    #[test]
    fn residues_come_back() {
        for count in 0..20 {
            let fields: Vec<Fp32> = prime_fields().take(count).collect();
            let radix = MixedRadix::new(fields.iter());
            let modulus = radix.modulus();
            let values = [
                UBig::ZERO,
                &modulus / UBig::from(3u8),
                &modulus - UBig::ONE,
                UBig::ONE % &modulus,
            ];
            let residue = |field: &Fp32| -> Vec<u32> {
                let values = values.iter().cloned();
                values
                    .map(|value| field.from_integer(&IBig::from(value)))
                    .collect()
            };
            let residues: Vec<Vec<u32>> = fields.iter().map(residue).collect();
            let digits = Basis::new(fields).digits(&residues);
            let expected = if count == 0 { &[] } else { &values[..] };
            assert_eq!(radix.integers(&digits, |value| value), expected, "{count}");
        }
    }
}
