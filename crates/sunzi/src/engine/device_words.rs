//! Elements of a field as the words of 32 bits that devices have.

use super::on_device::limbs_of;
use crate::field::{AnyField, Fp32, Fp64};
use crate::matrix::{AnyDenseMatrix, MatrixError};
use crate::poly::{AnyPoly, Poly, PolyError};
use sunzi_gpu::Word;

/// Words of a device's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DeviceWords {
    /// Limbs of a row.
    width: usize,
    /// Whether the device has half of each.
    narrow: bool,
}

impl DeviceWords {
    /// Those of a field that devices know.
    pub(super) fn of(field: &AnyField) -> Self {
        Self {
            width: field.width(),
            narrow: field.over::<Fp32>().is_some(),
        }
    }

    /// Those of a field modulo an odd prime below 2^63.
    pub(super) fn of_word(field: &AnyField) -> Option<Self> {
        let words = Self::of(field);
        (words.narrow || field.over::<Fp64>().is_some()).then_some(words)
    }

    /// The kind of word of a residue.
    pub(super) const fn word(self) -> Word {
        match self.narrow {
            true => Word::U32,
            false => Word::U64,
        }
    }

    /// Words of 32 bits of so many elements.
    pub(super) const fn count(self, elements: usize) -> usize {
        match self.narrow {
            true => elements,
            false => 2 * self.width * elements,
        }
    }

    /// Rows at the beginning of words, and zeros behind them.
    pub(super) fn fill(self, to: &mut [u32], rows: &[u64]) {
        let (kept, rest) = to.split_at_mut(self.count(rows.len() / self.width));
        match self.narrow {
            true => kept
                .iter_mut()
                .zip(rows)
                .for_each(|(to, &row)| *to = row as u32),
            false => kept.copy_from_slice(bytemuck::cast_slice(rows)),
        }
        rest.fill(0);
    }

    /// The rows of such words.
    pub(super) fn rows(self, words: &[u32]) -> Vec<u64> {
        match self.narrow {
            true => words.iter().map(|&word| word.into()).collect(),
            false => limbs_of(words),
        }
    }

    /// The words of a polynomial's residues.
    pub(super) fn of_polynomial(self, polynomial: &AnyPoly) -> Result<&[u32], PolyError> {
        Ok(match self.narrow {
            true => polynomial.over::<Fp32>()?.coefficients(),
            false => bytemuck::cast_slice(polynomial.over::<Fp64>()?.coefficients()),
        })
    }

    /// The polynomial of residues of such words.
    pub(super) fn polynomial(self, words: &[u32]) -> AnyPoly {
        match self.narrow {
            true => AnyPoly::new::<Fp32>(Poly::new(words.to_vec())),
            false => AnyPoly::new::<Fp64>(Poly::new(limbs_of(words))),
        }
    }

    /// The words of a matrix's residues.
    pub(super) fn of_matrix(self, matrix: &AnyDenseMatrix) -> Result<&[u32], MatrixError> {
        Ok(match self.narrow {
            true => matrix.elements::<Fp32>()?.entries(),
            false => bytemuck::cast_slice(matrix.elements::<Fp64>()?.entries()),
        })
    }
}
