//! One transform of N = n1·n2 points as the columns and rows of a matrix, of which a band is in memory at a time.
//!
//! **Problem.** The vector x of N points is longer than memory, or lies on several machines: a whole transform cannot be called.
//! **Algorithm.** As a matrix of n1 rows, `i = i1·n2 + i2`, with `j = j1 + n1·j2`,
//!
//! `X_j = Σ_{i2} ω^{i2·j1}·(Σ_{i1} x_i·ω^{n2·i1·j1})·ω^{n1·i2·j2}`:
//!
//! transforms of the columns, products with ω^(i2·j1), transforms of the rows. Columns depend on no other columns, rows on no other
//! rows; whoever calls moves the matrix between the two. What comes out at row j1 and column j2 is X_j: the values are in natural order
//! once that matrix is transposed. Taken backwards, rows first, the same steps lead from this order to the natural one.
//! D. Bailey, *FFTs in external or hierarchical memory* (1990), after W. Gentleman and G. Sande (1966).
//!
//! **Bound.** As many operations as one transform of N points, and 2N products with powers of ω, of which N make the powers. A band of
//! columns is moved in and out of the second-level cache once, by pieces of a few columns.

pub(crate) mod any;
pub(crate) mod columns;

use crate::context::{DftContext, DftField, TransformKernels, expect_len};
use crate::problem::{Convolution, DftError, Direction, Ordering, checked_log};
use crate::progressions::progression;
use crate::transposition::transpose;
use columns::{ColumnTransforms, ColumnWork, PIECE_BYTES};
use std::sync::Arc;
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::{self, Threads};
use sunzi_machine::{Grain, InstructionSet};

/// Vectors of as many elements as a transform has points that its tables take at most while they are made.
const TABLES: usize = 4;

/// Elements of a band from which threads share it.
const SHARED: usize = 1 << 14;

/// Columns that are multiplied and summed at a time, few enough for the first-level cache.
const SUMMED: usize = 1 << 9;

/// On which side of the transforms of columns the products with powers of ω are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decimation {
    /// Behind them: columns are transformed before rows, from natural order to that of the matrix.
    InFrequency,
    /// Before them: rows are transformed before columns, from the order of the matrix to the natural one.
    InTime,
}

/// A transform of N = n1·n2 points as transforms of n2 columns of n1 points and n1 rows of n2 points, bands of which lie in memory.
///
/// Both are powers of two, and ω is the field's root of unity of order N, so that values are those of
/// [`DftContext`] for N points. What the band of rows or columns is called with stands where it was, in natural order.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::memory::Budget;
/// use sunzi::transform::{Bands, Decimation, Direction, DftContext, Ordering};
///
/// let field = Fp32::new(97)?;
/// let x: Vec<u32> = (1..=8).collect();
/// let bands = Bands::new(&field, 2, 4, Budget::system())?;
///
/// // The matrix of two rows in two bands of two columns each, and then each of its rows.
/// let (mut left, mut right) = ([1, 2, 5, 6], [3, 4, 7, 8]);
/// bands.columns(&mut left, 0, Direction::Forward, Decimation::InFrequency)?;
/// bands.columns(&mut right, 2, Direction::Forward, Decimation::InFrequency)?;
/// let mut rows = [left[0], left[1], right[0], right[1], left[2], left[3], right[2], right[3]];
/// bands.rows(&mut rows, Direction::Forward)?;
///
/// let mut values = [0; 8];
/// bands.transpose(&rows, &mut values, 4)?;
/// let mut expected = x;
/// DftContext::new(&field, 8)?.forward(&mut expected, Ordering::Natural)?;
/// assert_eq!(values[..], expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bands<F: DftField> {
    field: F,
    height: usize,
    columns: Arc<dyn ColumnTransforms<F>>,
    rows: DftContext<F>,
    root: F::Elem,
    inverse_root: F::Elem,
    grain: Grain,
}

impl<F: DftField> Bands<F> {
    /// Transforms of `height` times `width` points, whose tables and working memory keep within the budget.
    ///
    /// Takes O(n1 + n2) operations for the tables.
    ///
    /// # Errors
    /// [`DftError::NotPowerOfTwo`]; [`DftError::TooLong`] if N does not divide p − 1; [`DftError::OutOfMemory`].
    pub fn new(field: &F, height: usize, width: usize, budget: Budget) -> Result<Self, DftError> {
        let points = height.saturating_mul(width);
        checked_log(field, points, Convolution::Cyclic)?;
        let rows = field.fastest_dft_within(width, budget)?;
        let budget = budget.holding(rows.table_bytes() as u64);
        let root = field.root_of_unity(points.trailing_zeros());
        let root = root.unwrap_or(field.one());
        Ok(Self {
            height,
            columns: F::Kernels::fastest_columns(field, height, InstructionSet::detect(), budget)?,
            rows,
            root,
            inverse_root: field.inv(root).unwrap_or(field.one()),
            field: field.clone(),
            grain: Grain::default(),
        })
    }

    /// Bytes that tables and working memory take at most beside the band, known before anything is computed. Saturating.
    #[must_use]
    pub fn working_bytes(height: usize, width: usize) -> u64 {
        let threads = threads::count();
        let vectors = TABLES + threads * <F::Kernels as TransformKernels<F>>::SCRATCH;
        // A piece of columns, or the fewest that are done at a time.
        let row = size_of::<F::Elem>().max(<F::Kernels as TransformKernels<F>>::LEAST_ROW);
        let least = height.saturating_mul(row);
        let pieces = (1 + threads).saturating_mul(least.max(PIECE_BYTES));
        // Rows of all pieces, each in two words.
        let pieces = pieces.saturating_add(height.saturating_mul(16 * 8 * threads));
        let elements = height.saturating_add(width).saturating_mul(vectors);
        elements
            .saturating_mul(size_of::<F::Elem>())
            .saturating_add(pieces) as u64
    }

    /// The same with other lengths of pieces and of what threads share.
    #[doc(hidden)]
    #[must_use]
    pub fn with_grain(self, grain: Grain) -> Self {
        Self { grain, ..self }
    }

    /// The same by another kernel for columns.
    ///
    /// # Errors
    /// As [`Bands::new`].
    #[doc(hidden)]
    pub fn with_kernel(self, kernel: InstructionSet) -> Result<Self, DftError> {
        let budget = Budget::system();
        let columns = F::Kernels::fastest_columns(&self.field, self.height, kernel, budget)?;
        Ok(Self { columns, ..self })
    }

    /// Rows n1 of the matrix: the points of a column.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Columns n2 of the matrix: the points of a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.rows.points()
    }

    /// Transforms whole columns, and multiplies the entry of row i and column j by ω^(i·j), or by its inverse: after the transform, or
    /// before it. The band is a matrix of n1 rows; its first column is column `first` of the whole.
    ///
    /// # Errors
    /// [`DftError::Shape`] if the band is no matrix of n1 rows, or reaches beyond column n2.
    pub fn columns(
        &self,
        band: &mut [F::Elem],
        first: usize,
        direction: Direction,
        decimation: Decimation,
    ) -> Result<(), DftError> {
        let (height, len) = (self.height(), band.len());
        let most = height * self.width().saturating_sub(first);
        expect_len(len.next_multiple_of(height).min(most), len)?;
        let width = len / height;
        // A column of one entry is its own transform, and ω^0 = 1.
        if width == 0 || height == 1 {
            return Ok(());
        }
        let work = ColumnWork {
            first,
            direction,
            decimation,
            ratio: match direction {
                Direction::Forward => self.root,
                Direction::Inverse => self.inverse_root,
            },
            grain: self.grain,
        };
        let threads = Threads::when(len >= self.grain.of(SHARED));
        let piece = threads.piece(width, self.columns.at_a_time(self.grain).min(width));
        let piece = piece.next_multiple_of(self.columns.least_width());
        let mut pieces: Vec<Vec<&mut [F::Elem]>> = Vec::new();
        pieces.resize_with(width.div_ceil(piece), || Vec::with_capacity(height));
        for row in band.chunks_exact_mut(width) {
            for (piece, part) in pieces.iter_mut().zip(row.chunks_mut(piece)) {
                piece.push(part);
            }
        }
        threads.each(pieces.into_iter().enumerate(), |(index, mut rows)| {
            let first = first + index * piece;
            self.columns.run(&mut rows, &ColumnWork { first, ..work });
        });
        Ok(())
    }

    /// Transforms whole rows, which lie one after the other.
    ///
    /// # Errors
    /// [`DftError::Shape`] if their length together is no multiple of n2.
    pub fn rows(&self, band: &mut [F::Elem], direction: Direction) -> Result<(), DftError> {
        self.rows
            .transform_batch(band, direction, Ordering::Natural)
    }

    /// Multiplies rows as polynomials modulo x^n2 − 1: each row of `a` by that of `b`, which is used up, or by itself, for which each
    /// thread takes a row.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::memory::Budget;
    /// use sunzi::transform::Bands;
    ///
    /// let bands = Bands::new(&Fp32::new(97)?, 1, 4, Budget::system())?;
    /// let mut rows = [1, 1, 0, 0, 0, 0, 0, 2]; // 1 + x, and 2·x³
    /// bands.multiply_rows(&mut rows, None)?;
    /// assert_eq!(rows, [1, 2, 1, 0, 0, 0, 4, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DftError::Shape`] if the length of `a` is no multiple of n2, or `b` has another length.
    pub fn multiply_rows(
        &self,
        a: &mut [F::Elem],
        b: Option<&mut [F::Elem]>,
    ) -> Result<(), DftError> {
        let (width, len) = (self.width(), a.len());
        expect_len(len.next_multiple_of(width), len)?;
        let transforms = self.rows.transforms();
        let threads = Threads::when(len >= self.grain.of(SHARED));
        let piece = threads.piece(len / width, (SHARED / 4).div_ceil(width)) * width;
        match b {
            Some(b) => {
                expect_len(len, b.len())?;
                threads.each(a.chunks_mut(piece).zip(b.chunks_mut(piece)), |(a, b)| {
                    let mut scratch = self.rows.scratch();
                    for (a, b) in a.chunks_exact_mut(width).zip(b.chunks_exact_mut(width)) {
                        transforms.evaluate(a, &mut scratch);
                        transforms.evaluate(b, &mut scratch);
                        transforms.multiply(a, b, &mut scratch);
                    }
                });
            }
            None => threads.each(a.chunks_mut(piece), |a| {
                let mut scratch = self.rows.scratch();
                let mut again = vec![self.field.zero(); width];
                for a in a.chunks_exact_mut(width) {
                    transforms.evaluate(a, &mut scratch);
                    again.copy_from_slice(a);
                    transforms.multiply(a, &again, &mut scratch);
                }
            }),
        }
        Ok(())
    }

    /// `to` becomes the transpose of `from`, a matrix of rows of `width`.
    ///
    /// # Errors
    /// [`DftError::Shape`] if `from` is no such matrix, or `to` has another length.
    pub fn transpose(
        &self,
        from: &[F::Elem],
        to: &mut [F::Elem],
        width: usize,
    ) -> Result<(), DftError> {
        expect_len(from.len().next_multiple_of(width.max(1)), from.len())?;
        expect_len(from.len(), to.len())?;
        transpose(from, to, width.max(1), self.grain.of(SHARED));
        Ok(())
    }

    /// `Σ x_{i,k}·u^i·v^k` over the entries of a matrix with rows of `width`: what they come to in one value of a transform, by
    /// operations that have nothing in common with it.
    ///
    /// Takes a product and a sum for each entry.
    ///
    /// # Errors
    /// [`DftError::Shape`] if it is no such matrix.
    pub fn evaluate(
        &self,
        matrix: &[F::Elem],
        width: usize,
        [u, v]: [F::Elem; 2],
    ) -> Result<F::Elem, DftError> {
        let (field, width) = (&self.field, width.max(1));
        expect_len(matrix.len().next_multiple_of(width), matrix.len())?;
        let u2 = field.mul(u, u);
        let u3 = field.mul(u2, u);
        let powers = progression(field, field.one(), v, SUMMED.min(width));
        let chunk_sum = |start: usize| {
            let len = SUMMED.min(width - start);
            let mut sums = vec![field.zero(); len];
            let mut next = vec![field.zero(); len];
            // Horner's rule on three rows at a time, from the last on.
            let mut rows = matrix
                .chunks_exact(width)
                .map(|row| &row[start..start + len])
                .rev();
            while let Some(third) = rows.next() {
                let (second, first) = (rows.next(), rows.next());
                match (second, first) {
                    (Some(second), Some(first)) => field.combine_slices(
                        &mut next,
                        [
                            (u3, &sums[..]),
                            (u2, third),
                            (u, second),
                            (field.one(), first),
                        ],
                    ),
                    (Some(second), None) => {
                        field.combine_slices(
                            &mut next,
                            [(u2, &sums[..]), (u, third), (field.one(), second)],
                        );
                    }
                    _ => field.combine_slices(&mut next, [(u, &sums[..]), (field.one(), third)]),
                }
                std::mem::swap(&mut sums, &mut next);
            }
            field.mul_assign_slice(&mut sums, &powers[..len]);
            let sum = sums.iter().fold(field.zero(), |sum, &x| field.add(sum, x));
            field.mul(sum, field.pow(v, start as u64))
        };
        let threads = Threads::when(matrix.len() >= self.grain.of(SHARED));
        let sums = threads.map((0..width).step_by(SUMMED), chunk_sum);
        Ok(sums
            .into_iter()
            .fold(field.zero(), |sum, x| field.add(sum, x)))
    }
}
