//! Pairs of polynomials on the host and on a device, and what is found of them.

use super::plan::EuclidConfig;
use crate::elements::Elements;
use crate::field::Fields;
use sunzi_device::{Buffer, Device, GpuError, Stream};

/// The text of steps with pairs.
pub(super) const STEPS: &str = include_str!("steps.cl");

/// What is computed of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    Division,
    Gcd,
    Cofactors,
    Resultant,
}

/// A polynomial without the zeros it ends with: the words of its coefficients, and how many coefficients it has.
#[derive(Clone, Copy)]
pub(super) struct Polynomial<'a> {
    pub words: &'a [u32],
    pub len: usize,
}

/// Two polynomials.
pub(super) type Polynomials<'a> = [Polynomial<'a>; 2];

/// Pairs on the device.
pub(super) struct Uploaded {
    pub coefficients: Elements,
    pub spans: Buffer<u32>,
}

/// Results of one pair without zeros at their ends, in the order in which callers are given them: a quotient and a remainder;
/// a divisor, and its cofactors; a resultant.
pub(super) type Parts<'a> = [&'a [u32]; 3];

/// What was found of some pairs, in their order.
pub(super) struct Found {
    pub pairs: usize,
    pub rows: Vec<Rows>,
}

/// Words of results, each in a row that is filled up with zeros.
pub(super) struct Rows {
    pub words: Vec<u32>,
    /// Words of a row, and rows of a pair.
    pub row: usize,
    pub each: usize,
}

impl Found {
    pub(super) fn parts(&self, pair: usize, width: usize) -> Parts<'_> {
        let mut parts: Parts<'_> = [&[]; 3];
        let rows = self.rows.iter().flat_map(|rows| {
            let words = rows.each * rows.row;
            rows.words[pair * words..][..words].chunks(rows.row)
        });
        for (part, row) in parts.iter_mut().zip(rows) {
            *part = trimmed(row, width);
        }
        parts
    }
}

/// Where pairs are computed with: the prime, and how they are laid out.
#[derive(Debug)]
pub(super) struct OnDevice {
    pub device: Device,
    pub fields: Fields,
    pub config: EuclidConfig,
}

impl OnDevice {
    /// Memory for so many coefficients.
    pub(super) fn buffer(&self, len: usize) -> Result<Elements, GpuError> {
        Elements::uninit(&self.device, len, self.fields.word().width())
    }

    /// Rows of so many elements, of which a pair has `each`, on the host.
    pub(super) fn rows(
        &self,
        stream: &Stream,
        from: &Elements,
        stride: usize,
        each: usize,
    ) -> Result<Rows, GpuError> {
        Ok(Rows {
            words: read(stream, from.words())?,
            row: stride * self.fields.word().width(),
            each,
        })
    }

    /// Copies pairs to the device.
    pub(super) fn upload(
        &self,
        stream: &Stream,
        piece: &[Polynomials<'_>],
    ) -> Result<Uploaded, GpuError> {
        let width = self.fields.word().width();
        let (mut words, mut start) = (Vec::new(), 0);
        let mut spans = Vec::with_capacity(4 * piece.len());
        for operand in piece.iter().flatten() {
            spans.extend([start as u32, operand.len as u32]);
            start += operand.len;
            words.extend_from_slice(operand.words);
        }
        if words.is_empty() {
            words.resize(width, 0);
        }
        Ok(Uploaded {
            coefficients: Elements::new(self.device.filled(stream, &words)?, width),
            spans: self.device.filled(stream, &spans)?,
        })
    }
}

/// Coefficients of the longest operands of either side.
pub(super) fn longest_of(pairs: &[Polynomials<'_>]) -> [usize; 2] {
    [0, 1].map(|side| pairs.iter().map(|pair| pair[side].len).max().unwrap_or(0))
}

/// All elements of a buffer.
pub(super) fn read<T: bytemuck::Pod>(
    stream: &Stream,
    from: &Buffer<T>,
) -> Result<Vec<T>, GpuError> {
    let mut elements = vec![T::zeroed(); from.len()];
    stream.read(from, &mut elements)?;
    Ok(elements)
}

/// The words of a polynomial without those of zeros it ends with, where a coefficient has `width`.
pub(super) fn trimmed(words: &[u32], width: usize) -> &[u32] {
    let last = words.iter().rposition(|&word| word != 0);
    &words[..last.map_or(0, |place| (place + 1).next_multiple_of(width))]
}
