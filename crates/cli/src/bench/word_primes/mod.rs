//! Transforms of long integers modulo as many primes below 2^50 as hold their bits: residues, a transform for
//! each prime, and the integers that the values stand for by mixed radix (H. Garner, *The residue number
//! system*, 1959). This is what transforms modulo one big prime have to beat.
//!
//! Integers are taken 64 at a time: what one step leaves for the next stays in the first-level cache.

mod vectors;

use dashu_int::UBig;
use std::error::Error;
use sunzi::crt::{CoefficientBound, CrtBasis};
use sunzi::dft::{DftPlan, Direction, Ordering};
use sunzi::field::lanes::{Kernel, LanesField};
use sunzi::field::{Field, Fp50};
use vectors::{BLOCK, Block, Entry, NextDigit, Prepare, Residues};

/// Bits of a piece of an integer: the primes of a basis are the largest below 2^50, so above 2^49.
const PIECE_BITS: usize = 49;
/// Integers composed side by side: their carries do not wait for each other.
const GROUP: usize = 4;

/// A prime, its transform, and its constants.
struct Channel {
    prime: u64,
    plan: DftPlan<Fp50>,
    /// 2^(i·[`PIECE_BITS`]), prepared as a multiplier.
    powers: Vec<Entry>,
    /// The inverses of the primes before, prepared as multipliers.
    inverses: Vec<Entry>,
    /// Limbs of the product of this prime and those after it.
    limbs_from_here: usize,
}

/// Transforms of one length, of integers below a modulus.
pub struct WordPrimes {
    channels: Vec<Channel>,
    kernel: Kernel,
    points: usize,
    /// Limbs of an integer at first.
    limbs: usize,
}

impl WordPrimes {
    /// For `points` integers below `modulus`.
    pub fn new(modulus: &UBig, points: usize) -> Result<Self, Box<dyn Error>> {
        let basis = CrtBasis::for_bound(&CoefficientBound::new(modulus.clone()))?;
        let (primes, kernel): (Vec<u64>, _) = (basis.primes().collect(), basis.kernel());
        debug_assert!(primes.iter().all(|prime| prime >> PIECE_BITS != 0));
        let limbs = modulus.as_words().len();
        let pieces = (64 * limbs).div_ceil(PIECE_BITS);
        let mut channels = Vec::with_capacity(primes.len());
        let mut product = UBig::ONE;
        for (j, &prime) in primes.iter().enumerate().rev() {
            let field = Fp50::new(prime)?;
            let prepared = |multiplier| field.dispatch(kernel, Prepare(multiplier));
            let step = field.from_u64(1 << PIECE_BITS);
            let powers = std::iter::successors(Some(field.one()), |&x| Some(field.mul(x, step)));
            // Distinct primes are units of each other.
            let inverses = primes[..j].iter().filter_map(|&before| field.inv(before));
            product *= prime;
            channels.push(Channel {
                prime,
                plan: DftPlan::new(&field, points)?,
                powers: powers.take(pieces).map(prepared).collect(),
                inverses: inverses.map(prepared).collect(),
                limbs_from_here: product.as_words().len(),
            });
        }
        channels.reverse();
        Ok(Self {
            channels,
            kernel,
            points,
            limbs,
        })
    }

    /// How many primes there are.
    pub fn count(&self) -> usize {
        self.channels.len()
    }

    /// Limbs of an integer at the end.
    pub fn width(&self) -> usize {
        self.channels.first().map_or(0, |all| all.limbs_from_here)
    }

    /// A row for each prime, of a value for each integer.
    pub fn rows(&self) -> Vec<Vec<u64>> {
        vec![vec![0; self.points]; self.channels.len()]
    }

    /// The residues of integers.
    pub fn project(&self, integers: &[u64], rows: &mut [Vec<u64>]) {
        let pieces = (64 * self.limbs).div_ceil(PIECE_BITS);
        let mut pieces: Vec<Block> = vec![[0; BLOCK]; pieces];
        for (block, integers) in integers.chunks(BLOCK * self.limbs).enumerate() {
            cut(integers, self.limbs, &mut pieces);
            let (from, count) = (block * BLOCK, integers.len() / self.limbs);
            for (channel, row) in self.channels.iter().zip(&mut *rows) {
                let task = Residues {
                    count,
                    pieces: &pieces,
                    powers: &channel.powers,
                };
                let residues = channel.plan.field().dispatch(self.kernel, task);
                row[from..from + count].copy_from_slice(&residues[..count]);
            }
        }
    }

    /// The transforms of all rows, in natural order.
    pub fn transform(&self, rows: &mut [Vec<u64>], scratch: &mut Vec<u64>) {
        for (Channel { plan, .. }, row) in self.channels.iter().zip(rows) {
            scratch.resize(plan.scratch_len(), 0);
            let done =
                plan.transform_with_scratch(row, scratch, Direction::Forward, Ordering::Natural);
            debug_assert!(done.is_ok(), "the row has a value for each point");
        }
    }

    /// The integers below the product of all primes that have these residues, [`WordPrimes::width`] limbs each.
    pub fn recombine(&self, rows: &[Vec<u64>], integers: &mut [u64]) {
        let width = self.width();
        let mut digits: Vec<Block> = vec![[0; BLOCK]; self.channels.len()];
        let mut values = vec![[0; GROUP]; width];
        for (block, integers) in integers.chunks_mut(BLOCK * width).enumerate() {
            let (from, count) = (block * BLOCK, integers.len() / width);
            for (j, (channel, row)) in self.channels.iter().zip(rows).enumerate() {
                let (known, rest) = digits.split_at_mut(j);
                if let [digit, ..] = rest {
                    digit[..count].copy_from_slice(&row[from..from + count]);
                    let inverses = &channel.inverses;
                    let task = NextDigit {
                        count,
                        known,
                        inverses,
                        digit,
                    };
                    channel.plan.field().dispatch(self.kernel, task);
                }
            }
            for (group, integers) in integers.chunks_mut(GROUP * width).enumerate() {
                self.compose(&digits, group * GROUP, &mut values);
                for (i, integer) in integers.chunks_exact_mut(width).enumerate() {
                    for (limb, value) in integer.iter_mut().zip(&values) {
                        *limb = value[i];
                    }
                }
            }
        }
    }

    /// `v_0 + q_0·(v_1 + q_1·(v_2 + …))` of a group of integers, from the last digit on.
    fn compose(&self, digits: &[Block], from: usize, values: &mut [[u64; GROUP]]) {
        values.fill([0; GROUP]);
        for (channel, digits) in self.channels.iter().zip(digits).rev() {
            let mut carries: [u128; GROUP] = std::array::from_fn(|i| digits[from + i].into());
            for limbs in &mut values[..channel.limbs_from_here] {
                for (limb, carry) in limbs.iter_mut().zip(&mut carries) {
                    *carry += u128::from(channel.prime) * u128::from(*limb);
                    *limb = *carry as u64;
                    *carry >>= u64::BITS;
                }
            }
        }
    }
}

/// Cuts up to [`BLOCK`] integers of so many limbs into pieces.
fn cut(integers: &[u64], limbs: usize, pieces: &mut [Block]) {
    for (index, integer) in integers.chunks_exact(limbs).enumerate() {
        for (i, piece) in pieces.iter_mut().enumerate() {
            let (limb, shift) = (i * PIECE_BITS / 64, i * PIECE_BITS % 64);
            let above = integer.get(limb + 1).copied().unwrap_or(0);
            let both = u128::from(integer[limb]) | u128::from(above) << 64;
            piece[index] = (both >> shift) as u64 & ((1 << PIECE_BITS) - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::subject::Sample;
    use sunzi::field::TwoAdicField;
    use sunzi::field::generalized_fermat::NAMED;

    /// Integers recombine from their residues, which are those that a division gives, and the transforms take
    /// the values that the definition says.
    #[test]
    fn residues_values_and_integers_are_right() {
        for (prime, points) in NAMED
            .into_iter()
            .zip([4, 8, 64, 128, 256, 512].iter().cycle())
        {
            let modulus = UBig::from(prime.radix).pow(prime.digits) + UBig::ONE;
            let primes = WordPrimes::new(&modulus, *points).unwrap();
            let (limbs, width) = (modulus.as_words().len(), primes.width());
            assert!(width >= limbs, "{}", prime.name);
            let mut integers = vec![0; limbs * points];
            let mut sample = Sample::new(7);
            integers.fill_with(|| sample.word());
            // The least and the greatest that may come.
            integers[..limbs].fill(0);
            let below = &modulus - UBig::ONE;
            integers[limbs..2 * limbs].fill(0);
            integers[limbs..limbs + below.as_words().len()].copy_from_slice(below.as_words());
            for integer in integers.chunks_exact_mut(limbs) {
                let reduced = UBig::from_words(integer) % &modulus;
                integer.fill(0);
                integer[..reduced.as_words().len()].copy_from_slice(reduced.as_words());
            }
            let mut rows = primes.rows();
            primes.project(&integers, &mut rows);
            for (channel, row) in primes.channels.iter().zip(&rows) {
                for (integer, &residue) in integers.chunks_exact(limbs).zip(row) {
                    assert_eq!(UBig::from_words(integer) % channel.prime, residue);
                }
            }
            let mut again = vec![u64::MAX; width * points];
            primes.recombine(&rows, &mut again);
            for (before, after) in integers.chunks_exact(limbs).zip(again.chunks_exact(width)) {
                assert_eq!(UBig::from_words(before), UBig::from_words(after));
            }
            let coefficients = rows.clone();
            primes.transform(&mut rows, &mut Vec::new());
            for (channel, (values, coefficients)) in
                primes.channels.iter().zip(rows.iter().zip(&coefficients))
            {
                let field = channel.plan.field();
                let root = field.root_of_unity(points.ilog2()).unwrap();
                for j in [0, 1, points / 2 + 1] {
                    let x = field.pow(root, j as u64);
                    let value = coefficients
                        .iter()
                        .rev()
                        .fold(0, |value, &c| field.add(field.mul(value, x), c));
                    assert_eq!(values[j], value);
                }
            }
        }
    }
}
