//! Integers of all lengths: the short ones word by word, the long ones by transforms.

use super::pipeline::Pool;
use super::polynomials::PolynomialMultiplier;
use super::problem::{Operand, ProductForm};
use super::rows::{Pair, Piece, RowSlot, Rows, groups, ordered};
use crate::device::Device;
use crate::error::GpuError;
use crate::integer::IntegerContext;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Words of the longer integer up to which products are computed word by word: from there on, a transform's passes
/// over memory take less time than the multiplications.
const MOST_WORDS: usize = 1024;

/// Multiplies batches of integers, whatever the lengths.
#[derive(Debug)]
pub struct IntegerMultiplier {
    device: Device,
    kept: Mutex<HashMap<[usize; 2], Arc<IntegerContext>>>,
    pool: Pool<RowSlot<u32>>,
}

impl IntegerMultiplier {
    /// A multiplier that has no kernels yet.
    pub fn new(device: &Device) -> Self {
        Self {
            device: device.clone(),
            kept: Mutex::default(),
            pool: Pool::default(),
        }
    }

    /// Multiplies pairs of integers, digits of 32 bits with the lowest first, and hands each product's digits to
    /// `take`, with the pair's number: as many as both operands have together, or none if one of them has none.
    /// `transforms` does the long ones.
    ///
    /// # Errors
    /// As [`PolynomialMultiplier::multiply`].
    pub fn multiply(
        &self,
        transforms: &PolynomialMultiplier,
        pairs: &[[&[u32]; 2]],
        mut take: impl FnMut(usize, &[u32]),
    ) -> Result<(), GpuError> {
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for (number, pair) in pairs.iter().enumerate() {
            let lengths = pair.map(<[u32]>::len);
            if lengths.contains(&0) {
                take(number, &[]);
            } else if lengths.iter().any(|&length| length > MOST_WORDS) {
                long.push(number);
            } else {
                short.push((number, lengths));
            }
        }
        for (lengths, numbers) in groups(short.into_iter()) {
            let group: Vec<_> = numbers
                .iter()
                .map(|&number| ordered(pairs[number]))
                .collect();
            self.word_by_word(transforms, lengths, &group, |index, words| {
                take(numbers[index], words)
            })?;
        }
        let operands = long
            .iter()
            .map(|&number| pairs[number].map(|words| Operand::new(words, 1)));
        let operands: Vec<_> = operands.collect();
        transforms.multiply(&ProductForm::INTEGERS, &operands, |index, words| {
            take(long[index], words)
        })
    }

    /// The kernel for integers of these lengths.
    fn context(&self, lengths: [usize; 2]) -> Result<Arc<IntegerContext>, GpuError> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept().get(&lengths).cloned();
        if let Some(context) = found {
            return Ok(context);
        }
        // As plans of polynomials.
        let context = IntegerContext::best(&self.device, lengths[0], lengths[1])?;
        Ok(kept().entry(lengths).or_insert(Arc::new(context)).clone())
    }

    /// Multiplies pairs of integers of these lengths or fewer.
    fn word_by_word(
        &self,
        transforms: &PolynomialMultiplier,
        lengths: [usize; 2],
        pairs: &[Pair<'_>],
        take: impl FnMut(usize, &[u32]),
    ) -> Result<(), GpuError> {
        let context = self.context(lengths)?;
        let rows = Rows {
            lengths,
            overlap: 0,
            work: 0,
        };
        let cut = match rows.cut::<u32>(&self.device, pairs.len()) {
            Err(GpuError::OutOfMemory { .. }) => {
                self.pool.clear();
                transforms.forget();
                rows.cut::<u32>(&self.device, pairs.len())?
            }
            cut => cut?,
        };
        let multiply = |piece: Piece<'_, u32>| {
            let ([a, b], product) = (piece.operands, (piece.product, 0));
            let (count, shared) = (piece.count, piece.shared);
            context.multiply(piece.stream, (a, 0), (b, 0), product, count, shared)
        };
        rows.multiply(&self.device, &self.pool, cut, pairs, multiply, take)
    }
}
