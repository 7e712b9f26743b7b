//! Systems with an invertible matrix of integers, solved p-adically (J. Dixon, *Exact solution of linear equations using
//! p-adic expansions*, 1982).
//!
//! **Problem.** N and d > 0 with S·N = d·C, for a square S that is invertible. **Bound.** By Cramer's rule, d = |det S|
//! has an N whose entries are determinants of S with a column of C for one of its own; Hadamard's bound holds for both.
//! **Algorithm.** One combination of the columns of C is lifted as far as a fraction needs; the denominator d of one
//! combination of its solution is, for most matrices, that of all entries. Then X = S⁻¹·C is lifted modulo M, only as far
//! as numerators need, and N = d·X mod M. **Proof.** S·N ≡ d·C mod M, and they are equal if both are smaller than M/2; if
//! they are not, d was too small a divisor, and |det S| takes its place.

use super::product::{most_bits, signed};
use crate::dense::integer::bound::Bound;
use crate::dense::integer::integer_determinant;
use crate::dense::integer::lifting::{Lifting, SMALL_BITS, Shape, small_numbers};
use crate::dense::integer::residues::PRIME_BITS;
use crate::dense::matrix::DenseMatrix;
use crate::error::MatrixError;
use sunzi_integer::mul_limbs;
use sunzi_integer::{Integer, Natural};
use sunzi_rns::limbs::bit_len;
use sunzi_rns::{Planes, RadixTree};

/// Most primes that are lifted by at once.
const MOST_LIFTED: usize = 32;

/// Sizes of a system, of which costs and memory follow.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    order: usize,
    columns: usize,
    entry_bits: usize,
    right_bits: usize,
    /// Bits of numerators, and of the denominator, from above.
    numerator: f64,
    denominator: f64,
}

impl Sizes {
    /// `None` if nothing is to be solved, or the matrix has a row or a column of zeros.
    pub fn new(matrix: &DenseMatrix<Integer>, right: &DenseMatrix<Integer>) -> Option<Self> {
        if matrix.rows() == 0 || right.columns() == 0 {
            return None;
        }
        let bound = Bound::of(matrix)?;
        let (order, right_bits) = (matrix.rows(), most_bits(right));
        let length = right_bits as f64 + (order as f64).log2() / 2.0;
        Some(Self {
            order,
            columns: right.columns(),
            entry_bits: most_bits(matrix),
            right_bits,
            numerator: bound.columns - bound.shortest_column + length + 1.0,
            denominator: bound.bits,
        })
    }

    /// About how many bytes the numerators take, with what they are made of and the fractions that they become.
    pub fn bytes(&self) -> u64 {
        let bits = 3.0 * self.numerator + self.denominator;
        let entry = bits / 8.0 + 100.0;
        (entry * self.order as f64 * self.columns as f64) as u64
    }

    /// Bits that combine the columns to one, and the bits of its entries.
    fn combined_bits(&self) -> usize {
        match self.columns {
            1 => self.right_bits,
            _ => self.right_bits + SMALL_BITS as usize + 1 + bit_len(self.columns),
        }
    }

    /// Bits of the numerator of u·S⁻¹·c for the combined column c.
    fn combined_numerator(&self) -> f64 {
        let more = self.combined_bits() - self.right_bits;
        let terms = f64::from(SMALL_BITS) + 1.0 + (self.order as f64).log2();
        self.numerator + more as f64 + terms
    }

    /// Bits of M for which the proof succeeds if d is the denominator.
    fn modulus_bits(&self) -> f64 {
        let rows = (self.entry_bits + bit_len(self.order)) as f64;
        let product = self.numerator + rows;
        product.max(self.denominator + self.right_bits as f64) + 2.0
    }

    /// The shape for s lifted primes, whose steps are those of the numerators, and the steps of the combined column, which
    /// are no fewer.
    fn shape(&self, lifted: usize) -> (Shape, usize) {
        let bits = lifted as f64 * PRIME_BITS;
        let steps = |wanted: f64| (wanted / bits).ceil() as usize;
        let fraction = steps(self.combined_numerator() + self.denominator + 2.0);
        // |r| ≤ n·max|a| + max|c|, and an eighth of the primes' product tells its sign.
        let rest = (self.entry_bits + bit_len(self.order)).max(self.combined_bits()) + 1 + 3;
        let shape = Shape {
            lifted,
            kept: rest.div_ceil(PRIME_BITS as usize),
            steps: steps(self.modulus_bits()),
        };
        (shape, fraction.max(shape.steps))
    }

    /// What a shape costs, in products of residues within blocks.
    fn cost(&self, (shape, fraction): (Shape, usize)) -> f64 {
        const INVERSE: f64 = 4.0 / 3.0;
        const ROW: f64 = 1.5;
        let (n, columns) = (self.order as f64, self.columns as f64);
        let (lifted, kept) = (shape.lifted as f64, shape.kept as f64);
        let inverses = lifted * (n * n * (INVERSE * n + 240.0));
        let reductions = (lifted + kept) * n * n * (self.entry_bits as f64 / PRIME_BITS).ceil();
        // Digits and residues of the other basis are combinations of vectors.
        let vectors = (lifted * lifted + kept * kept) / 2.0 + 2.0 * lifted * kept;
        let step = |rows: f64, product: f64| {
            (lifted + kept) * rows * (n * n * product + 200.0) + vectors * (rows * n + 100.0)
        };
        let together = match self.columns {
            1 => 0.0,
            _ => shape.steps as f64 * step(columns, 1.0),
        };
        inverses + reductions + fraction as f64 * step(1.0, ROW) + together
    }

    fn quickest(&self) -> (Shape, usize) {
        let all = (1..=MOST_LIFTED).map(|lifted| self.shape(lifted));
        let best = all.min_by(|&a, &b| self.cost(a).total_cmp(&self.cost(b)));
        best.unwrap_or_else(|| self.shape(1))
    }

    /// What the quickest shape costs.
    pub fn least_cost(&self) -> f64 {
        self.cost(self.quickest())
    }
}

/// N and d with S·N = d·C; `None` if S is not invertible.
pub fn solve(
    matrix: &DenseMatrix<Integer>,
    right: &DenseMatrix<Integer>,
    sizes: &Sizes,
) -> Result<Option<(DenseMatrix<Integer>, Natural)>, MatrixError> {
    let (n, k) = (matrix.order()?, right.columns());
    let (shape, fraction) = sizes.quickest();
    let planes = Planes::new(matrix.entries().iter());
    let Some(lifting) = Lifting::new(n, &planes, shape, (k, usize::MAX)) else {
        return Ok(None);
    };
    let transposed = right.transposed();
    let kept_residues = |entries: &[Integer]| -> Vec<Vec<u32>> {
        let planes = Planes::new(entries.iter());
        let fields = lifting.kept_fields().iter();
        fields.map(|field| planes.reduce(field)).collect()
    };
    let mut digits = Vec::with_capacity(shape.steps * shape.lifted);
    let d = if k == 1 {
        // The combined column is the only one: numerators need no more than its first steps.
        let mut combined = Vec::with_capacity(fraction);
        lifting.lift(kept_residues(transposed.entries()), fraction, |x| {
            combined.push(lifting.combined(&x));
            if combined.len() <= shape.steps {
                digits.extend(x);
            }
        });
        lifting.combined_denominator(&combined, sizes.combined_numerator())
    } else {
        let factors = small_numbers(k, 3);
        let combined: Vec<Integer> = (0..n)
            .map(|i| {
                let terms = right.row(i).iter().zip(&factors);
                terms.map(|(entry, &factor)| entry * factor).sum()
            })
            .collect();
        let rest = kept_residues(&combined);
        let d = lifting.denominator(rest, fraction, sizes.combined_numerator());
        let rest = kept_residues(transposed.entries());
        lifting.lift(rest, shape.steps, |x| digits.extend(x));
        d
    };
    let primes = (0..shape.steps).flat_map(|_| lifting.lifted_fields());
    let primes: Vec<u64> = primes.map(|field| field.prime().into()).collect();
    let tree = RadixTree::new(&primes, mul_limbs);
    let modulus: Natural = tree.modulus();
    let half = &modulus >> 1;
    let numerators = |d: &Natural| -> Result<DenseMatrix<Integer>, MatrixError> {
        let entries = tree.integers(&digits, |limbs| {
            signed(Natural::from(limbs) * d % &modulus, &modulus, &half)
        });
        Ok(DenseMatrix::new(k, n, entries)?.into_transposed())
    };
    let found = numerators(&d)?;
    let product = most_bits(&found) + sizes.entry_bits + bit_len(n);
    let greatest = product.max(d.bit_len() + sizes.right_bits) + 1;
    if greatest < modulus.bit_len() {
        return Ok(Some((found, d)));
    }
    let d = integer_determinant(matrix)?.into_magnitude();
    Ok(Some((numerators(&d)?, d)))
}
