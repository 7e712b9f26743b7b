//! A matrix that is multiplied by one row after the other.

use super::scheme::{Scheme, Whole};
use super::tile::{Strip, TileShape};
use super::{pack_right, words_a_lane};
use crate::dense::view::View;
use sunzi_field::Fp32;
use sunzi_field::simd::InstructionSet;

/// A matrix B over a prime field of up to 31 bits, packed for products x·B of rows x.
///
/// Such a product reads every entry once, so that it is bound by the cache that B fits.
#[derive(Clone, Debug)]
pub(in crate::dense) struct PackedMatrix {
    field: Fp32,
    set: InstructionSet,
    shape: TileShape,
    rows: usize,
    columns: usize,
    packed: Vec<u32>,
}

impl PackedMatrix {
    pub(in crate::dense) fn new(field: &Fp32, matrix: View<'_, u32>) -> Self {
        let set = InstructionSet::detect();
        let shape = TileShape::of_row(set);
        Self {
            set,
            shape,
            rows: matrix.rows(),
            columns: matrix.columns(),
            packed: pack_right(Whole::new(field), shape, matrix),
            field: field.clone(),
        }
    }

    pub(in crate::dense) fn field(&self) -> &Fp32 {
        &self.field
    }

    /// `target −= x·B`.
    pub(in crate::dense) fn subtract_product(&self, target: &mut [u32], x: &[u32]) {
        assert!(x.len() == self.rows && target.len() == self.columns);
        if self.packed.is_empty() {
            return;
        }
        let scheme = Whole::new(&self.field);
        let left: Vec<u32> = x.iter().flat_map(|&x| scheme.left(x)).collect();
        let words = self.shape.lanes * words_a_lane::<u32>();
        let width = self.columns.div_ceil(words) * self.shape.lanes;
        let mut sums = vec![0; 2 * width];
        self.set.run_or_portable(Strip {
            scheme,
            shape: self.shape,
            terms: self.rows,
            left: &left,
            right: &self.packed,
            sums: &mut sums,
            width,
        });
        let mut scratch = vec![0; 2 * width];
        scheme.finish(self.set, target, &mut sums, width, &mut scratch);
    }
}
