//! What methods that work on whole rows share: every row is replaced by a shorter one, bands of rows in
//! parallel.

use std::mem;
use sunzi_machine::threads::Threads;

use super::matrix::DenseMatrix;
use crate::error::MatrixError;

/// Below this many bytes of rows a step is too short to be worth a second thread.
const PARALLEL_BYTES: usize = 1 << 17;

/// The rows of a square matrix, each on its own.
pub(super) fn rows_of_square<E: Copy>(matrix: &DenseMatrix<E>) -> Result<Vec<Vec<E>>, MatrixError> {
    let n = matrix.order()?;
    Ok((0..n).map(|i| matrix.row(i).to_vec()).collect())
}

/// Replaces every row by one of `length` elements, which `write(row, new)` writes.
///
/// What a row leaves behind becomes the next one's place, so that it is written while it is still in the
/// cache, and rows take no more memory than one copy of the matrix.
pub(super) fn replace_rows<E: Copy + Default + Send + Sync>(
    rows: &mut [Vec<E>],
    length: usize,
    write: impl Fn(&[E], &mut [E]) + Sync,
) {
    let band = |rows: &mut [Vec<E>]| {
        let mut spare = vec![E::default(); length];
        for row in rows {
            spare.truncate(length);
            write(row, &mut spare);
            mem::swap(row, &mut spare);
        }
    };
    let threads = Threads::when(rows.len() * length * size_of::<E>() >= PARALLEL_BYTES);
    let bands = threads.piece(rows.len(), 1);
    threads.each(rows.chunks_mut(bands), band);
}
