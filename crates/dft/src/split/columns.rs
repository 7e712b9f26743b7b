//! Transforms of the columns of a matrix over a prime of a word, a tile of a few columns at a time.
//!
//! A tile is moved in and out of the second-level cache once; rows are put in order, and multiplied by powers, on
//! that way. A column costs as many butterflies as a transform of its length, and two products a point. Fewer columns
//! than a tile has at least are transposed.

use super::block::{ForwardPass, InversePass};
use super::pass::{BLOCK_BYTES, Task, TransformField};
use super::tables::{Squares, Tables};
use super::tile::{CHAINS, ForwardRows, InverseRows, MoveRows, Rows, Twist, Way};
use crate::bands::Decimation;
use crate::bands::columns::{
    ColumnTransforms, ColumnWork, LINE_BYTES, PIECE_BYTES, TransposedColumns,
};
use crate::context::DftContext;
use crate::plan::DftPlan;
use crate::problem::{Convolution, DftError, Direction};
use crate::progressions::progression;
use sunzi_machine::memory::Budget;
use sunzi_machine::{Grain, InstructionSet};

/// Transforms of columns of one length.
#[derive(Debug)]
pub(crate) struct SplitColumns<F: TransformField> {
    field: F,
    kernel: InstructionSet,
    height: usize,
    tables: Tables<F::Elem>,
    /// What undoes the factor of a product, and that of a product and an inverse transform.
    factors: [F::Elem; 2],
    /// For fewer columns than a tile has.
    narrow: TransposedColumns<F>,
}

impl<F: TransformField> SplitColumns<F> {
    /// For columns of `height` points, a power of two, by a kernel or the next below it that there is.
    ///
    /// # Errors
    /// [`DftError::OutOfMemory`] if the tables do not keep within the budget.
    pub(crate) fn new(
        field: &F,
        height: usize,
        kernel: InstructionSet,
        budget: Budget,
    ) -> Result<Self, DftError> {
        let kernel = field.supported(kernel);
        let plan = DftPlan::choose(field, height, Convolution::Cyclic, kernel)?;
        let narrow = DftContext::from_plan_within(field, plan, budget)?;
        let budget = budget.holding(narrow.table_bytes() as u64);
        let shape = field.shape(kernel);
        let bytes = height.saturating_mul(shape.words() * size_of::<F::Elem>());
        budget.require(bytes as u64)?;
        // Factors of products of units are units.
        let inverse = |a| field.inv(a).unwrap_or(field.one());
        let factor = field.from_word(field.product_factor(kernel));
        let points = field.from_u64(height as u64);
        Ok(Self {
            field: field.clone(),
            kernel,
            height,
            tables: field.build(kernel, height * shape.lanes, Squares::LeftOut),
            factors: [inverse(factor), inverse(field.mul(factor, points))],
            narrow: TransposedColumns(narrow),
        })
    }

    fn run_task(&self, task: impl Into<Task<F::Elem>>) {
        self.field.run(self.kernel, task.into());
    }

    /// What a tile of `width` columns is multiplied by, whose first is column `first` of the whole.
    fn powers(&self, work: &ColumnWork<F::Elem>, first: usize, width: usize) -> Vec<F::Elem> {
        let field = &self.field;
        let [factor, scaled] = self.factors;
        let scale = match work.direction {
            Direction::Forward => factor,
            Direction::Inverse => scaled,
        };
        let ratio = work.ratio;
        let power = field.pow(ratio, first as u64);
        let [squared, square] = [ratio, power].map(|a| field.mul(a, a));
        let mut powers = vec![scale; width];
        powers.extend(progression(field, field.mul(scale, power), ratio, width));
        powers.extend(progression(
            field,
            field.mul(factor, square),
            squared,
            width,
        ));
        powers
    }

    /// Transforms the columns of rows of `width` points each, by way of a tile with room for them.
    fn tile(
        &self,
        rows: &mut [*mut F::Elem],
        tile: &mut [F::Elem],
        width: usize,
        first: usize,
        work: &ColumnWork<F::Elem>,
    ) {
        let powers = self.powers(work, first, width);
        let twist = Twist {
            start: powers.as_ptr(),
            step: powers[CHAINS * width..].as_ptr(),
        };
        let [before, after] = match work.decimation {
            Decimation::InFrequency => [None, Some(twist)],
            Decimation::InTime => [Some(twist), None],
        };
        let len = self.height * width;
        let tile = tile[..len].as_mut_ptr();
        let moved = |way, is_reversed, twist| MoveRows {
            rows: rows.as_ptr(),
            tile,
            height: self.height,
            width,
            way,
            is_reversed,
            twist,
        };
        let is_inverse = work.direction == Direction::Inverse;
        self.run_task(moved(Way::In, is_inverse, before));
        let rows = Rows {
            data: tile,
            len,
            width,
            index: 0,
            view: self.tables.view(),
        };
        self.levels(rows, work.direction);
        self.run_task(moved(Way::Out, !is_inverse, after));
    }

    fn is_block(len: usize, width: usize) -> bool {
        len * size_of::<F::Elem>() <= BLOCK_BYTES || len < 4 * width
    }

    /// Transforms the columns of some rows, down to blocks that fit the first-level cache and then within them, or undoes it up to a
    /// factor, their number.
    fn levels(&self, rows: Rows<F::Elem>, direction: Direction) {
        let Rows {
            data,
            len,
            width,
            index,
            view,
        } = rows;
        if Self::is_block(len, width) {
            return match direction {
                Direction::Forward => self.run_task(ForwardRows(rows)),
                Direction::Inverse => self.run_task(InverseRows(rows)),
            };
        }
        let count = len / 4;
        let quarters = [0, 1, 2, 3].map(|q| data.wrapping_add(q * count));
        if direction == Direction::Forward {
            self.run_task(ForwardPass {
                quarters,
                count,
                index,
                view,
            });
        }
        for (q, data) in quarters.into_iter().enumerate() {
            let quarter = Rows {
                data,
                len: count,
                index: 4 * index + q,
                ..rows
            };
            self.levels(quarter, direction);
        }
        if direction == Direction::Inverse {
            self.run_task(InversePass {
                quarters,
                count,
                index,
                view,
            });
        }
    }
}

impl<F: TransformField> ColumnTransforms<F> for SplitColumns<F> {
    fn least_width(&self) -> usize {
        let line = LINE_BYTES / size_of::<F::Elem>();
        line.next_multiple_of(2 * self.tables.shape().lanes)
    }

    fn at_a_time(&self, grain: Grain) -> usize {
        let least = self.least_width();
        let columns = grain.of(PIECE_BYTES) / (self.height * size_of::<F::Elem>());
        (columns / least).max(1) * least
    }

    fn run(&self, rows: &mut [&mut [F::Elem]], work: &ColumnWork<F::Elem>) {
        assert_eq!(rows.len(), self.height, "rows of the band");
        self.tables.check_rows(self.height);
        let (least, zero) = (self.least_width(), self.field.zero());
        let width = rows[0].len();
        assert!(
            rows.iter().all(|row| row.len() == width),
            "rows of one length"
        );
        let whole = width / least * least;
        let at_a_time = self.at_a_time(work.grain).min(whole);
        // Vectors that begin where lines do are read at once.
        let mut tile = vec![zero; self.height * at_a_time + LINE_BYTES / size_of::<F::Elem>()];
        let skipped = tile
            .as_ptr()
            .align_offset(LINE_BYTES)
            .min(LINE_BYTES / size_of::<F::Elem>());
        let tile = &mut tile[skipped..];
        for start in (0..whole).step_by(at_a_time.max(1)) {
            let columns = at_a_time.min(whole - start);
            let mut places: Vec<_> = rows
                .iter_mut()
                .map(|row| row[start..start + columns].as_mut_ptr())
                .collect();
            self.tile(&mut places, tile, columns, work.first + start, work);
        }
        if whole < width {
            let mut rest: Vec<_> = rows.iter_mut().map(|row| &mut row[whole..]).collect();
            let first = work.first + whole;
            self.narrow.run(&mut rest, &ColumnWork { first, ..*work });
        }
    }
}
