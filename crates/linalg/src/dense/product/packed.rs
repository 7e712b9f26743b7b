//! A matrix that is multiplied by some rows after the other.

use super::scheme::Whole;
use super::tile::TileShape;
use super::{Run, multiply, pack_left, pack_right};
use crate::dense::view::{View, ViewMut};
use sunzi_field::Fp32;

/// A matrix B over a prime field of up to 31 bits, packed for products X·B of some rows X.
///
/// A product with one row reads every entry once, so that it is bound by the cache that B fits.
#[derive(Clone, Debug)]
pub(in crate::dense) struct PackedMatrix {
    field: Fp32,
    run: Run,
    shape: TileShape,
    rows: usize,
    columns: usize,
    packed: Vec<u32>,
}

impl PackedMatrix {
    /// For products with this number of rows at a time.
    pub(in crate::dense) fn new(field: &Fp32, matrix: View<'_, u32>, at_a_time: usize) -> Self {
        let run = Run::default();
        let shape = match at_a_time {
            0..=3 => TileShape::of_row(run.set),
            _ => TileShape::of(run.set, 2),
        };
        let mut packed = Vec::new();
        pack_right(Whole::new(field), shape, matrix, &mut packed);
        Self {
            run,
            shape,
            rows: matrix.rows(),
            columns: matrix.columns(),
            packed,
            field: field.clone(),
        }
    }

    pub(in crate::dense) fn field(&self) -> &Fp32 {
        &self.field
    }

    /// `target −= X·B` for the rows of X and as many of the target, one after the other.
    pub(in crate::dense) fn subtract_product(&self, target: &mut [u32], x: &[u32]) {
        if self.packed.is_empty() {
            return;
        }
        let rows = x.len() / self.rows;
        let (scheme, x) = (Whole::new(&self.field), View::new(x, rows, self.rows));
        let mut left = Vec::new();
        pack_left(scheme, self.shape, x, &mut left);
        multiply(
            scheme,
            &self.run,
            self.shape,
            ViewMut::new(target, rows, self.columns),
            (&left, &self.packed),
            self.rows,
        );
    }
}
