//! What is computed of one band.

use super::stages::{Place, Share, Stage, Step};
use super::{Operation, Task};
use crate::buffer::Buffer;
use crate::error::ScaleError;
use crate::matrix::Bands;
use std::path::PathBuf;
use sunzi_dft::{AnyBands, Decimation, Direction};

/// What one pass computes.
pub(crate) struct BandWork<'a> {
    pub(crate) task: &'a Task,
    pub(crate) tables: &'a AnyBands,
    pub(crate) stage: &'a Stage,
    /// What is checked: the indices of values, or points at which polynomials have values.
    pub(crate) places: &'a [usize],
    /// The inputs in sentences.
    pub(crate) inputs: &'a [PathBuf],
}

impl BandWork<'_> {
    /// Computes a band, of which each operand has a buffer and the result takes the first; gives what it comes to in what is checked.
    pub(crate) fn run(
        &self,
        band: usize,
        buffers: &mut [Buffer],
        spare: &mut Option<Buffer>,
    ) -> Result<Vec<u64>, ScaleError> {
        let (task, plan) = (self.task, &self.task.plan);
        let word = task.word;
        let words = task.band_elements(self.stage) * task.field.width();
        let mut shares = Vec::new();
        for (buffer, &(place, bands)) in buffers.iter_mut().zip(&self.stage.sources) {
            if let Place::Input(number) = place {
                self.take_in(band, bands, number, buffer, words)?;
                if self.stage.shares.contains(&Share::Input(number)) {
                    shares.extend(self.shares(band, bands, buffer, words)?);
                }
            }
        }
        let tables = self.tables;
        match self.stage.step {
            Step::Columns(direction, decimation) => {
                let first = band * plan.band_columns;
                let columns = buffers[0].words_mut(words, word);
                tables.columns(columns, first, direction, decimation)?;
            }
            Step::Rows(direction) => tables.rows(buffers[0].words_mut(words, word), direction)?,
            Step::Products => self.products(buffers, words)?,
            Step::Transposition => self.transpose(&mut buffers[0], spare, plan.moved_columns)?,
            Step::All => self.all(buffers, spare, words)?,
        }
        if self.stage.sink.0 == Place::Output {
            if self.stage.shares.contains(&Share::Output) {
                shares.extend(self.shares(band, self.stage.sink.1, &buffers[0], words)?);
            }
            buffers[0].resize_words(words, word, task.word_of_output);
        }
        Ok(shares)
    }

    /// An operation on what is in memory whole.
    fn all(
        &self,
        buffers: &mut [Buffer],
        spare: &mut Option<Buffer>,
        words: usize,
    ) -> Result<(), ScaleError> {
        let (task, tables, word) = (self.task, self.tables, self.task.word);
        match task.operation {
            Operation::Transform { direction, .. } if task.operation.is_transposed()[0] => {
                tables.rows(buffers[0].words_mut(words, word), direction)?;
                let band = buffers[0].words_mut(words, word);
                tables.columns(band, 0, direction, Decimation::InTime)?;
            }
            Operation::Transform { direction, .. } => {
                let band = buffers[0].words_mut(words, word);
                tables.columns(band, 0, direction, Decimation::InFrequency)?;
                tables.rows(buffers[0].words_mut(words, word), direction)?;
                if task.operation.is_to_natural() {
                    self.transpose(&mut buffers[0], spare, task.plan.width)?;
                }
            }
            Operation::Product => {
                for buffer in &mut *buffers {
                    let band = buffer.words_mut(words, word);
                    tables.columns(band, 0, Direction::Forward, Decimation::InFrequency)?;
                }
                self.products(buffers, words)?;
                let band = buffers[0].words_mut(words, word);
                tables.columns(band, 0, Direction::Inverse, Decimation::InTime)?;
            }
        }
        Ok(())
    }

    /// Products of rows, in place of the rows of the first operand.
    fn products(&self, buffers: &mut [Buffer], words: usize) -> Result<(), ScaleError> {
        let word = self.task.word;
        let [a, others @ ..] = buffers else {
            unreachable!("an operation has an operand");
        };
        let b = others.first_mut().map(|b| b.words_mut(words, word));
        Ok(self.tables.multiply_rows(a.words_mut(words, word), b)?)
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
    fn take_in(
        &self,
        band: usize,
        bands: Bands,
        input: usize,
        buffer: &mut Buffer,
        words: usize,
    ) -> Result<(), ScaleError> {
        let (field, plan) = (&self.task.field, &self.task.plan);
        let word = self.task.inputs[input].word;
        if let Some(index) = field.first_outside(buffer.words(words, word)) {
            let place = match bands {
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
            return Err(ScaleError::input(&self.inputs[input], problem));
        }
        buffer.resize_words(words, word, self.task.word);
        Ok(())
    }

    /// What a band comes to in what is checked: entry i of a vector is multiplied by ω^(i·j), or by its inverse and 1/N, and entry i of a
    /// polynomial by z^i.
    fn shares(
        &self,
        band: usize,
        bands: Bands,
        buffer: &Buffer,
        words: usize,
    ) -> Result<Vec<u64>, ScaleError> {
        let (field, plan) = (&self.task.field, &self.task.plan);
        let points = plan.height * plan.width;
        let columns = match bands {
            Bands::Columns => plan.band_columns,
            Bands::Rows => plan.width,
        };
        let [start, down, across] = self.task.indices(bands, band);
        let element = |value: usize| {
            let mut row = Vec::new();
            field.push_u64(value as u64, &mut row);
            row
        };
        let mut shares = Vec::new();
        for &place in self.places {
            let root = || {
                field
                    .root_of_unity_row(points.trailing_zeros())
                    .unwrap_or_default()
            };
            let (ratio, scale) = match self.task.operation {
                Operation::Product => (element(place), None),
                Operation::Transform {
                    direction: Direction::Forward,
                    ..
                } => (field.power_row(&root(), place as u64), None),
                // ω has order N: its inverse is its power N − 1.
                Operation::Transform {
                    direction: Direction::Inverse,
                    ..
                } => {
                    let ratio = field.power_row(&root(), (points - place) as u64);
                    (ratio, field.inverse_row(&element(points)))
                }
            };
            let power = |exponent: usize| field.power_row(&ratio, exponent as u64);
            let matrix = buffer.words(words, self.task.word);
            let sum = self
                .tables
                .evaluate(matrix, columns, [&power(down), &power(across)])?;
            let share = field.product_row(&sum, &power(start));
            shares.extend(match scale {
                Some(scale) => field.product_row(&share, &scale),
                None => share,
            });
        }
        Ok(shares)
    }
}
