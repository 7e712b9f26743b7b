//! Integers from their residues modulo many primes.
//!
//! **Algorithm.** With M the product of the primes and c_i = (M/p_i)⁻¹ mod p_i, the x of residues r_i is Σ v_i·(M/p_i) modulo M,
//! v_i = r_i·c_i mod p_i (Chinese remainder theorem, the form of J.-L. Lagrange). Primes are taken in groups: within a group
//! that sum is a dot product with precomputed cofactors, quadratic in the group's length alone; groups are put together as a
//! tree, x = x_left·M_right + x_right·M_left. The multiple of M to be taken off is ⌊Σ v_i/p_i⌋, found in doubles and
//! corrected.

use super::lanes::PrimeLanes;
use dashu_int::{IBig, UBig};
use sunzi_field::WordModulus;
use sunzi_field::simd::{Simd, SimdTask, dispatch};
use sunzi_threads::Threads;

/// Primes of a group: fewer than this many are one.
const GROUP: usize = 48;
/// Products of a residue and a limb from which threads share the integers.
const PARALLEL: usize = 1 << 15;
/// Primes of a subtree from which both halves are done by threads of their own.
const PARALLEL_PRIMES: usize = 2048;

/// What integers of either sign are put together with from their residues modulo different odd primes below 2^50.
#[derive(Clone, Debug)]
pub(crate) struct Reconstruction {
    primes: Vec<WordModulus>,
    /// (M/p)⁻¹ mod p for every prime.
    inverses: Vec<u64>,
    root: Node,
}

/// Some primes in a row.
#[derive(Clone, Debug)]
struct Node {
    modulus: UBig,
    parts: Parts,
}

#[derive(Clone, Debug)]
enum Parts {
    /// A row of `width` limbs for each prime p: the product of the others.
    Cofactors { width: usize, rows: Vec<u64> },
    /// The first primes of these are of the first node.
    Halves(usize, Box<[Node; 2]>),
}

impl Reconstruction {
    /// For these primes, all different.
    pub(crate) fn new(primes: &[u64]) -> Self {
        Self {
            primes: primes
                .iter()
                .map(|&prime| WordModulus::new(prime))
                .collect(),
            inverses: inverses(primes),
            root: Node::new(primes),
        }
    }

    /// The product of the primes.
    pub(crate) fn modulus(&self) -> &UBig {
        &self.root.modulus
    }

    /// The integer of least absolute value with these residues, one for each prime.
    pub(crate) fn signed(&self, residues: &[u64]) -> IBig {
        debug_assert_eq!(residues.len(), self.primes.len());
        let mut digits = Vec::with_capacity(residues.len());
        let mut whole = 0.0;
        for ((&residue, ring), &inverse) in residues.iter().zip(&self.primes).zip(&self.inverses) {
            let digit = ring.mul(residue, inverse);
            whole += digit as f64 / ring.get() as f64;
            digits.push(digit);
        }
        let modulus = self.modulus();
        let sum = IBig::from(self.root.sum(&digits));
        // Doubles tell the quotient but for a small error of rounding.
        let mut value = sum - IBig::from(modulus * UBig::from(whole as u64));
        let twice = |value: &IBig| value + value;
        let whole_modulus = modulus.as_ibig();
        while twice(&value) > *whole_modulus {
            value -= whole_modulus;
        }
        while twice(&value) < -whole_modulus {
            value += whole_modulus;
        }
        value
    }

    /// The integers with these images: for each prime a vector of residues, all of one length.
    pub(crate) fn signed_all<R: AsRef<[u64]> + Sync>(&self, images: &[R]) -> Vec<IBig> {
        let count = images.first().map_or(0, |image| image.as_ref().len());
        let limbs = self.modulus().as_words().len();
        let threads = Threads::when(count > 1 && count * limbs * images.len() >= PARALLEL);
        let piece = threads.piece(count, 1);
        let starts = (0..count).step_by(piece);
        let pieces = threads.map(starts, |start| {
            let mut residues = vec![0; images.len()];
            let of = |index: usize| {
                for (residue, image) in residues.iter_mut().zip(images) {
                    *residue = image.as_ref()[index];
                }
                self.signed(&residues)
            };
            (start..count.min(start + piece))
                .map(of)
                .collect::<Vec<_>>()
        });
        pieces.into_iter().flatten().collect()
    }
}

impl Node {
    fn new(primes: &[u64]) -> Self {
        if primes.len() < GROUP {
            let modulus: UBig = primes.iter().map(|&prime| UBig::from(prime)).product();
            let width = modulus.as_words().len() + 1;
            let mut rows = vec![0; primes.len() * width];
            for (row, &prime) in rows.chunks_exact_mut(width).zip(primes) {
                let cofactor = &modulus / UBig::from(prime);
                let words = cofactor.as_words();
                row[..words.len()].copy_from_slice(words);
            }
            let parts = Parts::Cofactors { width, rows };
            return Self { modulus, parts };
        }
        let middle = primes.len() / 2;
        let threads = Threads::when(primes.len() >= PARALLEL_PRIMES);
        let (left, right) = primes.split_at(middle);
        let (left, right) = threads.join(|| Self::new(left), || Self::new(right));
        Self {
            modulus: &left.modulus * &right.modulus,
            parts: Parts::Halves(middle, Box::new([left, right])),
        }
    }

    /// Σ digit·(modulus/p).
    fn sum(&self, digits: &[u64]) -> UBig {
        match &self.parts {
            Parts::Cofactors { width, rows } => {
                // Below the modulus times the number of digits: one limb more holds it.
                let mut sum = vec![0; *width];
                for (&digit, row) in digits.iter().zip(rows.chunks_exact(*width)) {
                    add_multiple(&mut sum, row, digit);
                }
                UBig::from_words(&sum)
            }
            Parts::Halves(middle, halves) => {
                let threads = Threads::when(digits.len() >= PARALLEL_PRIMES);
                let [left, right] = &**halves;
                let (a, b) = digits.split_at(*middle);
                let (a, b) = threads.join(
                    || left.sum(a) * &right.modulus,
                    || right.sum(b) * &left.modulus,
                );
                a + b
            }
        }
    }
}

/// `sum += factor·row`.
fn add_multiple(sum: &mut [u64], row: &[u64], factor: u64) {
    let mut carry = 0;
    for (sum, &limb) in sum.iter_mut().zip(row) {
        let wide = u128::from(limb) * u128::from(factor) + u128::from(*sum) + carry;
        *sum = wide as u64;
        carry = wide >> 64;
    }
}

/// The inverses of all M/p modulo p.
fn inverses(primes: &[u64]) -> Vec<u64> {
    let threads = Threads::when(primes.len() >= PARALLEL_PRIMES / 8);
    let chunks = (0..primes.len()).step_by(8);
    let inverses = threads.map(chunks, |start| dispatch(Inverses { primes, start }));
    inverses.into_iter().flatten().collect()
}

/// The inverses of M/p for eight primes, from number `start` on.
struct Inverses<'a> {
    primes: &'a [u64],
    start: usize,
}

impl<S: Simd> SimdTask<S> for Inverses<'_> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run(self, simd: S) -> Vec<u64> {
        let end = self.primes.len().min(self.start + 8);
        let mut inverses = Vec::with_capacity(end - self.start);
        for start in (self.start..end).step_by(S::LANES) {
            let here = start..end.min(start + S::LANES);
            let mut own = [self.primes[start]; 8];
            own[..here.len()].copy_from_slice(&self.primes[here.clone()]);
            let lanes = PrimeLanes::new(simd, &own);
            // The product of the others in the form of products, but for 2^(−52) with each.
            let mut product = lanes.one();
            for (index, &prime) in self.primes.iter().enumerate() {
                let factor = if here.contains(&index) {
                    let factors = own.map(|own| if own == prime { 1 } else { prime });
                    simd.load(&factors[..])
                } else {
                    simd.splat64(prime)
                };
                product = lanes.mul(product, factor);
            }
            // 1 is the form of 2^(−52).
            let scale = lanes.pow(simd.splat64(1), self.primes.len() as u64);
            let inverse = lanes.mul(lanes.inverse(lanes.canonical(product)), scale);
            let inverse = lanes.mul(lanes.canonical(inverse), simd.splat64(1));
            let mut row = [0; 8];
            simd.store(&mut row[..], lanes.canonical(inverse));
            inverses.extend_from_slice(&row[..here.len()]);
        }
        inverses
    }
}

#[cfg(test)]
mod tests {
    use super::super::{WordPrimes, residues};
    use super::*;

    #[test]
    fn integers_come_back_from_their_residues() {
        for count in [1, 2, 3, 7, 8, 9, GROUP - 1, GROUP, 2 * GROUP + 5, 300] {
            let mut primes: Vec<u64> = WordPrimes::new().take(count).collect();
            // Primes of other sizes are as good.
            primes[count / 2] = 469_762_049;
            let reconstruction = Reconstruction::new(&primes);
            let product: UBig = primes.iter().map(|&prime| UBig::from(prime)).product();
            assert_eq!(*reconstruction.modulus(), product);
            let half = IBig::from(product) / IBig::from(2);
            let mut values = vec![IBig::ZERO, half.clone(), -half.clone()];
            for offset in [1, 2, 1i64 << 20] {
                let offset = IBig::from(offset);
                values.extend([&half - &offset, &offset - &half, offset.clone(), -offset]);
            }
            values.push(&half / IBig::from(3));
            let images = residues(&values, &primes);
            for (&prime, image) in primes.iter().zip(&images) {
                let ring = WordModulus::new(prime);
                let expected = values.iter().map(|value| ring.reduce_integer(value));
                assert!(expected.eq(image.iter().copied()));
            }
            assert_eq!(reconstruction.signed_all(&images), values, "{count} primes");
        }
    }
}
