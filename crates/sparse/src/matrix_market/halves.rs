//! Files of symmetric and skew-symmetric matrices: each entry stands for the one at the mirrored place, too.

use sunzi_machine::memory::Drawn;

use super::entries::Entries;
use super::error::{MatrixMarketError, Problem};
use super::header::Symmetry;
use super::values::Values;
use crate::{compressed::Compressed, error::Line, matrix::CsrMatrix};
use sunzi_linalg::dense::DenseMatrix;

/// What follows at the mirrored place.
fn mirrored<V: Values>(values: &V, symmetry: Symmetry, value: &V::Value) -> V::Value {
    match symmetry {
        Symmetry::SkewSymmetric => values.negated(value),
        Symmetry::General | Symmetry::Symmetric => value.clone(),
    }
}

/// Why a place and the mirrored one cannot both be as they are given.
fn contradiction(entries: &Entries<'_>, row: usize, column: usize) -> MatrixMarketError {
    let (below, above) = (row.max(column) as u64, row.min(column) as u64);
    let problem = Problem::Halves {
        symmetry: entries.header.symmetry,
        row: below + 1,
        column: above + 1,
    };
    entries.lines.error(None, problem)
}

/// Adds the entries that follow from those of a file, and says how many places were given on both sides of the diagonal.
pub(super) fn complete<V: Values>(
    file: &Entries<'_>,
    values: &V,
    drawn: &Drawn,
    given: &mut Vec<(u32, u32, V::Value)>,
) -> Result<u64, MatrixMarketError>
where
    V::Value: Copy,
{
    let symmetry = file.header.symmetry;
    let size = size_of::<(u32, u32, V::Value)>() as u64;
    let sorted = 2 * (size_of::<u32>() + size_of::<V::Value>()) as u64;
    let draw = |value: &V::Value| {
        let bytes = size.saturating_add(values.heap_bytes(value));
        let room = drawn.draw(bytes, sorted);
        room.map_err(|error| file.refusal(error.into()))
    };
    if file.above.count == 0 {
        for at in 0..given.len() {
            let (row, column, value) = given[at];
            if row != column {
                draw(&value)?;
                given.push((column, row, mirrored(values, symmetry, &value)));
            }
        }
        return Ok(0);
    }
    // Sorted, mirrored, and both together.
    let more = (given.len() as u64).saturating_mul(sorted + 2 * size);
    let room = drawn.rest(more);
    room.map_err(|error| file.refusal(error.into()))?;
    let add = |a, b| values.sum(a, b);
    let (rows, columns) = (file.rows, file.columns);
    let lines = Compressed::from_entries(Line::Row, (rows, columns), given.iter().copied(), add);
    let there = CsrMatrix::of(lines.map_err(|error| file.refusal(error))?);
    given.clear();
    let across = there.transposed();
    let mut twice = 0;
    for i in 0..rows {
        let ((columns, entries), (others, images)) = (there.row(i), across.row(i));
        let mut images = others.iter().zip(images).peekable();
        for (&j, &value) in columns.iter().zip(entries) {
            while let Some((&other, image)) = images.next_if(|&(&other, _)| other < j) {
                given.push((i as u32, other, mirrored(values, symmetry, image)));
            }
            let image = images.next_if(|&(&other, _)| other == j);
            if let (Some((_, image)), true) = (image, i != j as usize) {
                if !values.are_equal(&value, &mirrored(values, symmetry, image)) {
                    return Err(contradiction(file, i, j as usize));
                }
                twice += u64::from(i > j as usize);
            }
            given.push((i as u32, j, value));
        }
        for (&other, image) in images {
            given.push((i as u32, other, mirrored(values, symmetry, image)));
        }
    }
    Ok(twice)
}

/// The same for a dense matrix, of which `is_given` tells which places are.
pub(super) fn complete_dense<V: Values>(
    file: &Entries<'_>,
    values: &V,
    drawn: &Drawn,
    matrix: &mut DenseMatrix<V::Value>,
    is_given: &GivenPlaces,
) -> Result<u64, MatrixMarketError> {
    let symmetry = file.header.symmetry;
    let mut twice = 0;
    for i in 0..file.rows {
        for j in 0..i {
            let (from, to) = match (is_given.has(i, j), is_given.has(j, i)) {
                (false, false) => continue,
                (true, false) => ((i, j), (j, i)),
                (false, true) => ((j, i), (i, j)),
                (true, true) => {
                    let image = mirrored(values, symmetry, &matrix[(j, i)]);
                    if !values.are_equal(&matrix[(i, j)], &image) {
                        return Err(contradiction(file, i, j));
                    }
                    twice += 1;
                    continue;
                }
            };
            let room = drawn.draw(values.heap_bytes(&matrix[from]), 0);
            room.map_err(|error| file.refusal(error.into()))?;
            matrix[to] = mirrored(values, symmetry, &matrix[from]);
        }
    }
    Ok(twice)
}

/// The places of a square matrix that a file gives, a bit each.
pub(super) struct GivenPlaces {
    width: usize,
    bits: Vec<u64>,
}

impl GivenPlaces {
    /// The bytes that those of a matrix of so many rows and columns take.
    pub(super) fn bytes(width: usize) -> u64 {
        (width as u64).saturating_mul(width as u64) / 8
    }

    /// None.
    pub(super) fn none(width: usize) -> Self {
        Self {
            width,
            bits: vec![0; (width * width).div_ceil(64)],
        }
    }

    pub(super) fn add(&mut self, row: usize, column: usize) {
        let place = row * self.width + column;
        self.bits[place / 64] |= 1 << (place % 64);
    }

    fn has(&self, row: usize, column: usize) -> bool {
        let place = row * self.width + column;
        self.bits[place / 64] >> (place % 64) & 1 == 1
    }
}
