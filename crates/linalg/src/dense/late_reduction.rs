//! Determinants modulo primes below 2^31 of matrices that stay in a near cache: entries are sums in words of 64 bits, which are
//! reduced when a pivot's row or column is read, once each.
//!
//! **Algorithm.** Gauss's elimination, of which step k subtracts multiples of the k-th row from all below. A multiple is added as
//! the product of two residues, −l and u, without a reduction: sums stay below p² by one subtraction of p² where they are not
//! (Dumas, Giorgi and Pernet, "Dense linear algebra over word-size prime fields", ACM TOMS 35, 2008, delays them likewise).
//!
//! **Floor.** n³/3 products, which fill a vector of eight words of 64 bits each; n² reductions by a reciprocal, n inversions.
//!
//! Columns stand in whole vectors: a step begins at the vector that has its first column. What it does to columns before that is read
//! by nobody.

use sunzi_field::{Field, Fp32};
use sunzi_machine::simd::{InstructionSet, Simd, SimdTask};

use super::matrix::DenseMatrix;

/// Words of a vector.
const LANES: usize = 8;

/// The determinant of a square matrix.
pub fn determinant(set: InstructionSet, field: &Fp32, matrix: &DenseMatrix<u32>) -> u32 {
    set.run_or_portable(Elimination { field, matrix })
}

struct Elimination<'a> {
    field: &'a Fp32,
    matrix: &'a DenseMatrix<u32>,
}

impl<S: Simd> SimdTask<S> for Elimination<'_> {
    type Output = u32;

    #[inline(always)]
    fn run(self, _: S) -> u32 {
        let Self { field, matrix } = self;
        let n = matrix.rows();
        let vectors = n.div_ceil(LANES);
        let square = u64::from(field.prime()).pow(2);
        let mut rows = vec![[0u64; LANES]; n * vectors];
        for (i, row) in rows.chunks_exact_mut(vectors.max(1)).enumerate() {
            let entries = row.as_flattened_mut().iter_mut().zip(matrix.row(i));
            entries.for_each(|(sum, &entry)| *sum = entry.into());
        }
        let mut top = vec![[0u32; LANES]; vectors];
        let mut factors = vec![0; n];
        let mut determinant = field.one();
        for k in 0..n {
            let (vector, lane) = (k / LANES, k % LANES);
            for (factor, row) in factors[k..].iter_mut().zip(k..) {
                *factor = field.reduce(rows[row * vectors + vector][lane]);
            }
            let Some(found) = factors[k..].iter().position(|&factor| factor != 0) else {
                return 0;
            };
            let (pivot_row, below) = rows[k * vectors..].split_at_mut(vectors);
            if found != 0 {
                pivot_row.swap_with_slice(&mut below[(found - 1) * vectors..found * vectors]);
                factors.swap(k, k + found);
                determinant = field.neg(determinant);
            }
            let pivot = factors[k];
            determinant = field.mul(determinant, pivot);
            let Some(inverse) = field.inv(pivot) else {
                return 0;
            };
            let negative = field.neg(inverse);
            for (top, sums) in top[vector..].iter_mut().zip(&pivot_row[vector..]) {
                *top = sums.map(|sum| field.reduce(sum));
            }
            for (row, &factor) in below.chunks_exact_mut(vectors).zip(&factors[k + 1..]) {
                let factor = u64::from(field.mul(factor, negative));
                let sums = row[vector..].as_flattened_mut();
                for (sum, &above) in sums.iter_mut().zip(top[vector..].as_flattened()) {
                    let next = *sum + factor * u64::from(above);
                    *sum = next.min(next.wrapping_sub(square));
                }
            }
        }
        determinant
    }
}
