//! What is computed of one band.

use super::carry::Carries;
use super::check::Check;
use super::combine::Combiner;
use super::entries::Entries;
use super::stages::{Place, Share, Stage, Step};
use super::{Given, Operation, Task};
use crate::buffer::Buffer;
use crate::error::ScaleError;
use crate::matrix::Bands;
use bytemuck::{cast_slice, cast_slice_mut};
use std::path::PathBuf;
use sunzi_dft::{AnyBands, Decimation, Direction};
use sunzi_field::WordRows;
use sunzi_machine::memory::Budget;

/// What one pass computes.
pub(crate) struct BandWork<'a> {
    pub(crate) task: &'a Task,
    /// Those of the field that the pass computes in.
    pub(crate) tables: &'a AnyBands,
    pub(crate) stage: &'a Stage,
    pub(crate) check: Option<&'a Check>,
    /// The inputs in sentences.
    pub(crate) inputs: &'a [PathBuf],
    /// What limbs of the bands before have left over.
    pub(crate) carries: Carries<'a>,
}

impl BandWork<'_> {
    /// Takes part in what all ranks do in a round in which this one has no band.
    pub(crate) fn without_band(&mut self) -> Result<(), ScaleError> {
        if let (Step::Combination, Entries::Limbs) = (self.stage.step, &self.task.entries) {
            self.carries.round(None)?;
        }
        Ok(())
    }

    /// Computes a band, of which each operand has a buffer and the result takes the first; gives what it comes to in what is checked, and
    /// behind that what limbs leave over.
    pub(crate) fn run(
        &mut self,
        band: usize,
        buffers: &mut [Buffer],
        spare: &mut Option<Buffer>,
    ) -> Result<Vec<u64>, ScaleError> {
        let (task, plan, stage) = (self.task, &self.task.plan, self.stage);
        let word = task.word;
        let elements = task.band_elements(stage);
        let words = elements * task.fields[0].width();
        let mut shares = Vec::new();
        for (buffer, &(place, bands)) in buffers.iter_mut().zip(&stage.sources) {
            if let Place::Input(number) = place {
                self.refuse_others(band, bands, number, buffer, words)?;
                shares.extend(match task.is_combined() {
                    false => self.take_elements(band, bands, number, buffer, words)?,
                    true => self.take_entries(band, bands, number, buffer, spare)?,
                });
            }
        }
        let tables = self.tables;
        match stage.step {
            Step::Columns(direction, decimation) => {
                let first = band * plan.band_columns;
                let columns = buffers[0].words_mut(words, word);
                tables.columns(columns, first, direction, decimation)?;
            }
            Step::Rows(direction) => tables.rows(buffers[0].words_mut(words, word), direction)?,
            Step::Products => self.products(buffers, words)?,
            Step::Transposition => self.transpose(&mut buffers[0], spare, plan.moved_columns)?,
            Step::Combination => {
                let output = spare_of(spare);
                shares.extend(self.combine(band, buffers, output)?);
                std::mem::swap(&mut buffers[0], output);
            }
            Step::All if task.is_combined() => shares.extend(self.all_primes(buffers, spare)?),
            Step::All => self.all(buffers, spare, words)?,
        }
        if stage.sink.0 == Place::Output && !task.is_combined() {
            if let Some(check) = self.check_of(Share::Output) {
                let matrix = buffers[0].words(words, word);
                shares.extend(self.shares(check, band, stage.sink.1, matrix)?);
            }
            buffers[0].resize_words(words, word, task.word_of_output);
        }
        Ok(shares)
    }

    /// What is checked, if a share of it is of this pass.
    fn check_of(&self, share: Share) -> Option<&Check> {
        self.check.filter(|_| self.stage.shares.contains(&share))
    }

    /// An error where a word is no element.
    fn refuse_others(
        &self,
        band: usize,
        bands: Bands,
        input: usize,
        buffer: &Buffer,
        words: usize,
    ) -> Result<(), ScaleError> {
        let plan = &self.task.plan;
        let Some(field) = self.task.entries.field() else {
            return Ok(());
        };
        let words = buffer.words(words, self.task.inputs[input].word);
        let Some(index) = field.first_outside(words) else {
            return Ok(());
        };
        let place = match bands {
            Bands::Rows => band * plan.band_rows * plan.width + index,
            Bands::Columns => {
                let (row, column) = (index / plan.band_columns, index % plan.band_columns);
                row * plan.width + band * plan.band_columns + column
            }
        };
        let problem = format!(
            "entry {place} is no element: it is not below the modulus, {}",
            self.task.entries.name()
        );
        Err(ScaleError::input(&self.inputs[input], problem))
    }

    /// Makes what was read elements of the field; gives what they come to in what is checked.
    fn take_elements(
        &self,
        band: usize,
        bands: Bands,
        input: usize,
        buffer: &mut Buffer,
        words: usize,
    ) -> Result<Vec<u64>, ScaleError> {
        let word = self.task.word;
        buffer.resize_words(words, self.task.inputs[input].word, word);
        match self.check_of(Share::Input(input)) {
            Some(check) => self.shares(check, band, bands, buffer.words(words, word)),
            None => Ok(Vec::new()),
        }
    }

    /// Makes what was read residues, where the pass computes modulo one prime; gives what entries come to in what is checked.
    fn take_entries(
        &self,
        band: usize,
        bands: Bands,
        input: usize,
        buffer: &mut Buffer,
        spare: &mut Option<Buffer>,
    ) -> Result<Vec<u64>, ScaleError> {
        let Given { word, is_signed, .. } = self.task.inputs[input];
        let count = self.task.band_elements(self.stage);
        let images = spare_of(spare);
        let mut shares = Vec::new();
        if let Some(check) = self.check_of(Share::Input(input)) {
            buffer.write_images(count, word, is_signed, &check.field, images)?;
            let matrix = images.words(count, check.field.word_bits() / 8);
            shares = self.shares(check, band, bands, matrix)?;
        }
        if self.stage.step != Step::All {
            let field = &self.task.fields[self.stage.prime];
            buffer.write_images(count, word, is_signed, field, images)?;
            std::mem::swap(buffer, images);
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
                let [a, others @ ..] = buffers else {
                    unreachable!("a product has an operand");
                };
                self.whole_product(tables, a, others.first_mut(), words)?;
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
        let other = spare_of(spare);
        let words = self.task.plan.height * width * self.task.fields[0].width();
        let word = self.task.word;
        let (from, to) = (buffer.words(words, word), other.words_mut(words, word));
        self.tables.transpose(from, to, width)?;
        std::mem::swap(buffer, other);
        Ok(())
    }

    /// What a band of elements of the field of a check comes to in it.
    fn shares(
        &self,
        check: &Check,
        band: usize,
        bands: Bands,
        matrix: WordRows<'_>,
    ) -> Result<Vec<u64>, ScaleError> {
        let columns = match bands {
            Bands::Columns => self.task.plan.band_columns,
            Bands::Rows => self.task.plan.width,
        };
        check.shares(matrix, columns, self.task.indices(bands, band))
    }

    /// A product of what is in memory whole, modulo all primes.
    fn all_primes(
        &mut self,
        buffers: &mut [Buffer],
        spare: &mut Option<Buffer>,
    ) -> Result<Vec<u64>, ScaleError> {
        let (task, plan) = (self.task, &self.task.plan);
        let count = task.band_elements(self.stage);
        let write = |number: usize, field, from: &Buffer, to: &mut Buffer| {
            let Given { word, is_signed, .. } = task.inputs[number];
            from.write_images(count, word, is_signed, field, to)
        };
        let mut residues = Vec::new();
        for field in &task.fields {
            let mut product = Buffer::new(count * task.word);
            write(0, field, &buffers[0], &mut product)?;
            let other = match buffers.get(1) {
                Some(other) => {
                    let images = spare_of(spare);
                    write(1, field, other, images)?;
                    Some(images)
                }
                None => None,
            };
            let budget = Budget::within(Some(plan.memory.max(1)));
            let tables = AnyBands::new(field, plan.height, plan.width, budget)?;
            self.whole_product(&tables, &mut product, other, count)?;
            residues.push(product);
        }
        self.combine(0, &mut residues, &mut buffers[0])
    }

    /// The product of two operands that are in memory whole, or the square of one, in place of the first.
    fn whole_product(
        &self,
        tables: &AnyBands,
        a: &mut Buffer,
        mut b: Option<&mut Buffer>,
        words: usize,
    ) -> Result<(), ScaleError> {
        let word = self.task.word;
        let (forward, inverse) = (Direction::Forward, Direction::Inverse);
        tables.columns(a.words_mut(words, word), 0, forward, Decimation::InFrequency)?;
        if let Some(b) = &mut b {
            tables.columns(b.words_mut(words, word), 0, forward, Decimation::InFrequency)?;
        }
        let b = b.map(|b| b.words_mut(words, word));
        tables.multiply_rows(a.words_mut(words, word), b)?;
        Ok(tables.columns(a.words_mut(words, word), 0, inverse, Decimation::InTime)?)
    }

    /// Puts residues together to entries of the output; gives what these come to in what is checked, and what limbs of all ranks leave over.
    fn combine(
        &mut self,
        band: usize,
        residues: &mut [Buffer],
        output: &mut Buffer,
    ) -> Result<Vec<u64>, ScaleError> {
        let (task, bands) = (self.task, self.stage.sink.1);
        let (count, digits) = (task.band_elements(self.stage), task.digits_of_output);
        let combiner = Combiner::new(residues.len());
        let left_over = combiner.run(&task.entries, residues, output, count, digits)?;
        let carried = match task.entries {
            Entries::Limbs => {
                let limbs = &mut cast_slice_mut(output.bytes_mut())[..count];
                let carried = self.carries.round(Some((limbs, left_over)))?;
                Vec::from([carried as u64, (carried >> 64) as u64])
            }
            Entries::Elements(_) | Entries::Integers => Vec::new(),
        };
        let mut shares = Vec::new();
        match (&task.entries, self.check_of(Share::Output)) {
            (Entries::Elements(field), check) => {
                let word = field.word_bits() / 8;
                if let Some(check) = check {
                    shares = self.shares(check, band, bands, output.words(count, word))?;
                }
                output.resize_words(count, word, task.word_of_output);
            }
            (_, Some(check)) => shares = self.shares_of_digits(check, band, residues, output)?,
            (_, None) => {}
        }
        shares.extend(carried);
        Ok(shares)
    }

    /// What integers of several words come to, plane by plane of their digits; buffers that nobody needs are used.
    fn shares_of_digits(
        &self,
        check: &Check,
        band: usize,
        unused: &mut [Buffer],
        output: &Buffer,
    ) -> Result<Vec<u64>, ScaleError> {
        let [images, others @ ..] = unused else {
            unreachable!("there are residues");
        };
        let (task, bands) = (self.task, self.stage.sink.1);
        let (count, digits) = (task.band_elements(self.stage), task.digits_of_output);
        let has_sign = matches!(task.entries, Entries::Integers);
        let mut all = vec![0];
        for digit in 0..digits {
            let is_signed = has_sign && digit == digits - 1;
            let plane = match others.first_mut().filter(|_| digits > 1) {
                Some(plane) => {
                    let entries = cast_slice::<_, u64>(output.bytes()).chunks_exact(digits);
                    let words: &mut [u64] = cast_slice_mut(plane.bytes_mut());
                    words.iter_mut().zip(entries.take(count)).for_each(|(word, entry)| *word = entry[digit]);
                    &*plane
                }
                None => output,
            };
            plane.write_images(count, 8, is_signed, &check.field, images)?;
            let shares = self.shares(check, band, bands, images.words(count, 8))?;
            let weight = check.field.power_row(&[2], 64 * digit as u64);
            all = check.field.sum_row(&all, &check.field.product_row(&shares, &weight));
        }
        Ok(all)
    }
}

/// The buffer beside those of operands.
fn spare_of(spare: &mut Option<Buffer>) -> &mut Buffer {
    let Some(spare) = spare else {
        unreachable!("the pass has a spare buffer");
    };
    spare
}
