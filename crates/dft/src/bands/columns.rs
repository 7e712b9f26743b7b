//! What transforms columns, and the way that every field has: columns are transposed, a few at a time.

use super::Decimation;
use crate::context::DftContext;
use crate::problem::{Direction, Ordering};
use crate::progressions::progression;
use crate::transposition::{gather_columns, scatter_columns};
use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use sunzi_field::TwoAdicField;
use sunzi_machine::Grain;

/// Bytes of a piece of columns, half of what a second-level cache holds at least, where that are some columns.
pub(crate) const PIECE_BYTES: usize = 1 << 17;

/// Bytes of each row that are moved at a time at least: processors fetch lines of 64 by pairs.
pub(crate) const LINE_BYTES: usize = 128;

/// What is done with columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnWork<E> {
    /// The number of the first in the whole.
    pub(crate) first: usize,
    pub(crate) direction: Direction,
    pub(crate) decimation: Decimation,
    /// ω, or its inverse: the entry of row i and column j is multiplied by this to the power of i·j.
    pub(crate) ratio: E,
    pub(crate) grain: Grain,
}

/// Transforms of the columns of a matrix of N rows, which lie anywhere. The bands have checked all lengths.
pub(crate) trait ColumnTransforms<F: TwoAdicField>:
    Debug + Send + Sync + UnwindSafe + RefUnwindSafe
{
    /// Columns of a multiple of which a piece has to be: others take longer.
    fn least_width(&self) -> usize;

    /// Columns that are done at a time.
    fn at_a_time(&self, grain: Grain) -> usize;

    /// Transforms all columns of some rows, N of one length, from and to natural order, and multiplies their entries.
    fn run(&self, rows: &mut [&mut [F::Elem]], work: &ColumnWork<F::Elem>);
}

/// Columns become rows, which are transformed, and columns again.
#[derive(Debug)]
pub(crate) struct TransposedColumns<F: TwoAdicField>(pub(crate) DftContext<F>);

impl<F: TwoAdicField> TransposedColumns<F> {
    /// Multiplies entry i of column j by `ratio^(i·j)`; `first` is the first j, and the powers of the ratio are given.
    fn twist(&self, columns: &mut [F::Elem], first: usize, ratio: F::Elem, ratios: &[F::Elem]) {
        let field = self.0.field();
        let step = field.pow(ratio, first as u64);
        let mut powers = progression(field, field.one(), step, ratios.len());
        for column in columns.chunks_exact_mut(ratios.len()) {
            field.mul_assign_slice(column, &powers);
            field.mul_assign_slice(&mut powers, ratios);
        }
    }
}

impl<F: TwoAdicField> ColumnTransforms<F> for TransposedColumns<F> {
    fn least_width(&self) -> usize {
        1
    }

    fn at_a_time(&self, grain: Grain) -> usize {
        (grain.of(PIECE_BYTES) / (self.0.points() * size_of::<F::Elem>())).max(1)
    }

    fn run(&self, rows: &mut [&mut [F::Elem]], work: &ColumnWork<F::Elem>) {
        let field = self.0.field();
        let (height, width) = (rows.len(), rows.first().map_or(0, |row| row.len()));
        let at_a_time = self.at_a_time(work.grain).min(width);
        let mut piece = vec![field.zero(); at_a_time * height];
        let mut scratch = self.0.scratch();
        let ratios = progression(field, field.one(), work.ratio, height);
        for start in (0..width).step_by(at_a_time) {
            let len = at_a_time.min(width - start) * height;
            let columns = &mut piece[..len];
            gather_columns(rows, start, columns);
            if work.decimation == Decimation::InTime {
                self.twist(columns, work.first + start, work.ratio, &ratios);
            }
            for column in columns.chunks_exact_mut(height) {
                let transforms = self.0.transforms();
                transforms.transform(column, &mut scratch, work.direction, Ordering::Natural);
            }
            if work.decimation == Decimation::InFrequency {
                self.twist(columns, work.first + start, work.ratio, &ratios);
            }
            scatter_columns(rows, start, columns);
        }
    }
}
