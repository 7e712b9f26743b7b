//! Radix 2 between two vectors, from natural to natural order.
//!
//! Each of the log N levels reads one vector and writes the other so that the bits of positions
//! move by one place; after the last, all are where they belong. It costs the memory of a second
//! vector and has no permutation. T. Stockham's algorithm, as in W. Cochran et al., *What is the
//! fast Fourier transform?* (1967), and C. Van Loan, *Computational frameworks for the fast Fourier
//! transform* (1992), §1.7.

use super::algorithm::{Order, ScalarDft};
use sunzi_field::TwoAdicField;

/// The transform of one length.
#[derive(Debug)]
pub(crate) struct Stockham<F: TwoAdicField> {
    field: F,
    /// ω^i for i < N/2.
    powers: Vec<F::Elem>,
}

impl<F: TwoAdicField> Stockham<F> {
    /// For `2^log_n` points.
    pub(crate) fn new(field: &F, root: F::Elem, log_n: u32) -> Self {
        let next = |&power: &F::Elem| Some(field.mul(power, root));
        let powers = std::iter::successors(Some(field.one()), next);
        Self {
            field: field.clone(),
            powers: powers.take((1 << log_n) / 2).collect(),
        }
    }

    /// One level: `stride` interleaved vectors of `x.len()/stride` points become twice as many of
    /// half the length.
    fn level(&self, x: &[F::Elem], y: &mut [F::Elem], stride: usize) {
        let field = &self.field;
        let (low, high) = x.split_at(x.len() / 2);
        let inputs = low.chunks_exact(stride).zip(high.chunks_exact(stride));
        for (p, (block, (low, high))) in y.chunks_exact_mut(2 * stride).zip(inputs).enumerate() {
            let power = self.powers[p * stride];
            let (sums, differences) = block.split_at_mut(stride);
            for q in 0..stride {
                sums[q] = field.add(low[q], high[q]);
                differences[q] = field.mul(field.sub(low[q], high[q]), power);
            }
        }
    }
}

impl<F: TwoAdicField> ScalarDft<F> for Stockham<F> {
    fn order(&self) -> Order {
        Order::Natural
    }

    fn scratch_len(&self, len: usize) -> usize {
        len
    }

    fn table_len(&self) -> usize {
        self.powers.len()
    }

    fn forward(&self, data: &mut [F::Elem], scratch: &mut [F::Elem]) {
        let len = data.len();
        let mut stride = 1;
        while 2 * stride < len {
            self.level(data, scratch, stride);
            self.level(scratch, data, 2 * stride);
            stride *= 4;
        }
        if stride < len {
            self.level(data, scratch, stride);
            data.copy_from_slice(scratch);
        }
    }
}
