//! What is computed of one band.

use super::stages::{Place, Stage, Step, Task};
use crate::buffer::Buffer;
use crate::error::ScaleError;
use crate::matrix::Bands;
use crate::plan::Order;
use std::path::Path;
use sunzi_dft::{AnyBands, Decimation, Direction};

/// What one pass computes.
pub(super) struct BandWork<'a> {
    pub(super) task: &'a Task,
    pub(super) tables: &'a AnyBands,
    pub(super) stage: &'a Stage,
    /// The values to which shares are summed up.
    pub(super) places: &'a [usize],
    /// The input in sentences.
    pub(super) input: &'a Path,
}

impl BandWork<'_> {
    /// Computes a band, and gives what it comes to in the values that are checked.
    pub(super) fn run(
        &self,
        band: usize,
        buffer: &mut Buffer,
        spare: &mut Option<Buffer>,
    ) -> Result<Vec<u64>, ScaleError> {
        let (task, plan) = (self.task, &self.task.plan);
        let (width, word) = (task.field.width(), task.word);
        let elements = match self.stage.step {
            Step::All => plan.height * plan.width,
            Step::Rows => plan.band_rows * plan.width,
            Step::Columns(_) => plan.height * plan.band_columns,
            Step::Transposition => plan.height * plan.moved_columns,
        };
        let words = elements * width;
        let mut shares = Vec::new();
        if self.stage.source.0 == Place::Input {
            self.take_in(band, buffer, words)?;
            shares = self.shares(band, buffer, words)?;
        }
        let (tables, direction) = (self.tables, task.direction);
        match self.stage.step {
            Step::Columns(decimation) => {
                let first = band * plan.band_columns;
                tables.columns(buffer.words_mut(words, word), first, direction, decimation)?;
            }
            Step::Rows => tables.rows(buffer.words_mut(words, word), direction)?,
            Step::Transposition => self.transpose(buffer, spare, plan.moved_columns)?,
            Step::All if task.is_given_transposed => {
                tables.rows(buffer.words_mut(words, word), direction)?;
                let band = buffer.words_mut(words, word);
                tables.columns(band, 0, direction, Decimation::InTime)?;
            }
            Step::All => {
                let band = buffer.words_mut(words, word);
                tables.columns(band, 0, direction, Decimation::InFrequency)?;
                tables.rows(buffer.words_mut(words, word), direction)?;
                if task.order == Order::Natural {
                    self.transpose(buffer, spare, plan.width)?;
                }
            }
        }
        if self.stage.sink.0 == Place::Output {
            buffer.resize_words(words, word, task.word_of_output);
        }
        Ok(shares)
    }

    /// Exchanges rows of `width` elements and columns, by way of the other buffer.
    fn transpose(
        &self,
        buffer: &mut Buffer,
        spare: &mut Option<Buffer>,
        width: usize,
    ) -> Result<(), ScaleError> {
        let Some(other) = spare else {
            unreachable!("a pass that transposes has two buffers");
        };
        let words = self.task.plan.height * width * self.task.field.width();
        let word = self.task.word;
        let (from, to) = (buffer.words(words, word), other.words_mut(words, word));
        self.tables.transpose(from, to, width)?;
        std::mem::swap(buffer, other);
        Ok(())
    }

    /// Makes what was read elements of the field.
    fn take_in(&self, band: usize, buffer: &mut Buffer, words: usize) -> Result<(), ScaleError> {
        let (field, plan) = (&self.task.field, &self.task.plan);
        if let Some(index) = field.first_outside(buffer.words(words, self.task.word_of_input)) {
            let place = match self.stage.source.1 {
                Bands::Rows => band * plan.band_rows * plan.width + index,
                Bands::Columns => {
                    let (row, column) = (index / plan.band_columns, index % plan.band_columns);
                    row * plan.width + band * plan.band_columns + column
                }
            };
            let problem = format!(
                "entry {place} is no element: it is not below the modulus, {}",
                field.modulus::<dashu_int::UBig>()
            );
            return Err(ScaleError::input(self.input, problem));
        }
        buffer.resize_words(words, self.task.word_of_input, self.task.word);
        Ok(())
    }

    /// What a band of the input comes to in the values that are checked: x_i is multiplied by ω^(i·j), or by its inverse and 1/N.
    fn shares(&self, band: usize, buffer: &Buffer, words: usize) -> Result<Vec<u64>, ScaleError> {
        let (field, plan) = (&self.task.field, &self.task.plan);
        let points = plan.height * plan.width;
        let log = points.trailing_zeros();
        let mut shares = Vec::new();
        for &place in self.places {
            let root = field.root_of_unity_row(log).unwrap_or_default();
            // ω has order N: its inverse is its power N − 1.
            let exponent = match self.task.direction {
                Direction::Forward => place,
                Direction::Inverse => points - place,
            };
            let ratio = field.power_row(&root, exponent as u64);
            let power = |exponent: usize| field.power_row(&ratio, exponent as u64);
            // The index of the entry in row r and column c of the band is `start + r·down + c·across`.
            let is_matrix = self.task.is_given_transposed;
            let [down, across] = match is_matrix {
                true => [1, plan.height],
                false => [plan.width, 1],
            };
            let (start, columns) = match (self.stage.source.1, is_matrix) {
                (Bands::Columns, _) => (band * plan.band_columns * across, plan.band_columns),
                (Bands::Rows, _) => (band * plan.band_rows * down, plan.width),
            };
            let matrix = buffer.words(words, self.task.word);
            let sum = self
                .tables
                .evaluate(matrix, columns, [&power(down), &power(across)])?;
            let mut share = field.product_row(&sum, &power(start));
            if self.task.direction == Direction::Inverse {
                let mut row = Vec::new();
                field.push_u64(points as u64, &mut row);
                let inverse = field.inverse_row(&row).unwrap_or_default();
                share = field.product_row(&share, &inverse);
            }
            shares.extend(share);
        }
        Ok(shares)
    }
}
