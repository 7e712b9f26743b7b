//! Transforms modulo a long prime as one writes them with GMP: radix 2, elements as rows of limbs, sums by
//! `mpn_add_n` and `mpn_sub_n`, products by roots of unity known beforehand.
//!
//! Decimation in time (J. Cooley, J. Tukey, *An algorithm for the machine calculation of complex Fourier
//! series*, 1965): rows are put into bit-reversed order, then log2 N passes of butterflies
//! (a, b) → (a + w·b, a − w·b). The first passes run part by part, so that a part stays in the cache, and
//! several parts at a time if there are threads; the others share their butterflies between the threads.

use crate::known_products::{KnownProducts, Method};
use crate::parallel;

/// Bytes of a part: half of a usual second-level cache.
const PART_BYTES: usize = 1 << 19;
/// Parts of a transform for each thread, at least.
const PARTS_PER_THREAD: usize = 4;

/// Transforms of N points over the integers modulo a prime of n limbs.
pub struct RadixTwo {
    products: KnownProducts,
    points: usize,
    /// Entries of the root's powers below N/2.
    powers: Vec<u64>,
}

impl RadixTwo {
    /// `root` is a primitive N-th root of unity modulo the prime; N is a power of two.
    pub fn new(method: Method, prime: &[u64], root: &[u64], points: usize) -> Self {
        let products = KnownProducts::new(method, prime);
        let (mut scratch, entry) = (products.scratch(), products.entry(root));
        let mut one = vec![0; prime.len()];
        one[0] = 1;
        let mut power = products.prepare(&one);
        let mut next = power.clone();
        let mut powers = Vec::with_capacity(points / 2 * products.entry_limbs());
        for _ in 0..points / 2 {
            powers.extend(products.entry(&products.residue(&power)));
            products.multiply(&mut next, &power, &entry, &mut scratch);
            std::mem::swap(&mut power, &mut next);
        }
        Self {
            products,
            points,
            powers,
        }
    }

    /// Rows of residues, one after the other, as [`RadixTwo::forward`] takes them.
    pub fn prepare(&self, rows: &[u64]) -> Vec<u64> {
        let rows = rows.chunks_exact(self.products.limbs());
        rows.flat_map(|row| self.products.prepare(row)).collect()
    }

    /// The residues that such rows stand for.
    pub fn residues(&self, rows: &[u64]) -> Vec<u64> {
        let rows = rows.chunks_exact(self.products.limbs());
        rows.flat_map(|row| self.products.residue(row)).collect()
    }

    /// Coefficients to values at the powers of the root, both in natural order, in place.
    pub fn forward(&self, rows: &mut [u64]) {
        let n = self.products.limbs();
        assert_eq!(rows.len(), self.points * n, "a row for each point");
        self.reverse(rows);
        let threads = parallel::threads(self.points, n);
        let least_parts = if threads > 1 {
            PARTS_PER_THREAD * threads
        } else {
            1
        };
        let parts = (8 * rows.len())
            .div_ceil(PART_BYTES)
            .max(least_parts)
            .next_power_of_two()
            .min(self.points);
        let part = self.points / parts;
        let passes = |rows: &mut [u64]| {
            let mut scratch = self.scratch();
            let mut half = 1;
            while half < part {
                for block in rows.chunks_exact_mut(2 * half * n) {
                    let (low, high) = block.split_at_mut(half * n);
                    self.butterflies(low, high, 0, half, &mut scratch);
                }
                half *= 2;
            }
        };
        parallel::each(threads, rows.chunks_exact_mut(part * n), passes);
        let mut half = part;
        while half < self.points {
            for block in rows.chunks_exact_mut(2 * half * n) {
                let (low, high) = block.split_at_mut(half * n);
                // As many butterflies at a time as a part has rows.
                let pairs = low
                    .chunks_exact_mut(part * n)
                    .zip(high.chunks_exact_mut(part * n))
                    .enumerate();
                parallel::each(threads, pairs, |(index, (low, high))| {
                    let mut scratch = self.scratch();
                    self.butterflies(low, high, index * part, half, &mut scratch);
                });
            }
            half *= 2;
        }
    }

    /// Exchanges every row with the one whose index has its bits in reversed order.
    fn reverse(&self, rows: &mut [u64]) {
        let (n, points) = (self.products.limbs(), self.points);
        if points < 4 {
            return;
        }
        let shift = usize::BITS - points.trailing_zeros();
        for i in 0..points {
            let j = i.reverse_bits() >> shift;
            if i < j {
                let (low, high) = rows.split_at_mut(j * n);
                low[i * n..][..n].swap_with_slice(&mut high[..n]);
            }
        }
    }

    /// Memory for a product, and for making it.
    fn scratch(&self) -> [Vec<u64>; 2] {
        [vec![0; self.products.limbs()], self.products.scratch()]
    }

    /// The butterflies of a block of 2·`half` points on some of its rows, from number `from` on.
    fn butterflies(
        &self,
        low: &mut [u64],
        high: &mut [u64],
        from: usize,
        half: usize,
        [product, scratch]: &mut [Vec<u64>; 2],
    ) {
        let (n, entry_limbs) = (self.products.limbs(), self.products.entry_limbs());
        let step = self.points / (2 * half);
        let pairs = low.chunks_exact_mut(n).zip(high.chunks_exact_mut(n));
        for (i, (a, b)) in pairs.enumerate() {
            if from + i == 0 {
                product.copy_from_slice(b);
            } else {
                let entry = &self.powers[(from + i) * step * entry_limbs..][..entry_limbs];
                self.products.multiply(product, b, entry, scratch);
            }
            self.products.sum_and_difference(a, b, product);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residues::limbs;
    use crate::sample::Sample;
    use rayon::ThreadPoolBuilder;
    use sunzi_field::{Field, GeneralizedFermat, TwoAdicField};
    use sunzi_integer::Natural;

    #[test]
    fn values_are_those_of_the_definition() {
        let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap();
        let p: Natural = field.modulus();
        let n = p.as_limbs().len();
        let mut sample = Sample::new(7);
        for log in 1..7 {
            let points = 1 << log;
            let root: Natural = field.to_integer(field.root_of_unity(log).unwrap());
            let x: Vec<Natural> = (0..points)
                .map(|_| Natural::from_limbs(sample.limbs(n)) % &p)
                .collect();
            let input: Vec<u64> = x.iter().flat_map(|x| limbs(x, n)).collect();
            let mut at = Natural::ONE;
            let mut expected = Vec::new();
            for _ in 0..points {
                let horner = |value, x: &Natural| (value * &at + x) % &p;
                let value = x.iter().rev().fold(Natural::ZERO, horner);
                expected.extend(limbs(&value, n));
                at = at * &root % &p;
            }
            for threads in [1, 3] {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                for method in [Method::AddMul, Method::MulLo, Method::Inverse] {
                    let plan = RadixTwo::new(method, &limbs(&p, n), &limbs(&root, n), points);
                    let mut rows = plan.prepare(&input);
                    pool.as_ref().unwrap().install(|| plan.forward(&mut rows));
                    assert_eq!(
                        plan.residues(&rows),
                        expected,
                        "{method:?}, {points} points"
                    );
                }
            }
        }
    }
}
