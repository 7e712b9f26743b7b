//! Truncated transforms: those of lengths between powers of two.
//!
//! They compute only the first values, in the order of the output, and invert from these and the
//! knowledge that the other coefficients are zero (J. van der Hoeven, *The truncated Fourier
//! transform and applications*, 2004; D. Harvey and D. Roche, *An in-place truncated Fourier
//! transform*, 2010). So the cost of a product does not double at powers of two.
//!
//! Where at most a quarter of the values lies beyond the first half, the second half's polynomial
//! is reduced in one step to the length of a block that holds them, by Horner's rule. So the
//! points beyond that block are neither read nor written: just above a power of two a transform
//! touches little more memory than at it.

use super::pass::{Shared, SharedView, SplitContext, TransformField, pass};
use super::truncation_steps::{Fold, FoldStep, HalvesPass, HalvesStep};
use sunzi_machine::threads::Threads;

impl<F: TransformField> SplitContext<F> {
    /// The first `outputs` values of [`SplitContext::forward`], given that coefficients from `inputs` on
    /// are zero; those need not be written. Lengths are multiples of `grain`, a power of two that is at least a
    /// square block, as [`truncated_len`](super::plan::truncated_len) makes them.
    pub(crate) fn forward_truncated(
        &self,
        x: &mut [F::Elem],
        index: usize,
        inputs: usize,
        outputs: usize,
        grain: usize,
    ) {
        let (len, half) = (x.len(), x.len() / 2);
        if outputs == 0 {
            return;
        }
        if (inputs == len && outputs == len) || len <= grain {
            x[inputs..].fill(F::Elem::default());
            return self.forward(x, index);
        }
        // Positions below `both` have two coefficients, those up to `low` only the lower one.
        let lanes = self.shape().lanes;
        let both = inputs
            .saturating_sub(half)
            .next_multiple_of(lanes)
            .min(half);
        let low = inputs.min(half).next_multiple_of(lanes);
        x[inputs..if inputs > half { half + both } else { low }].fill(F::Elem::default());
        let short = outputs.saturating_sub(half).next_power_of_two().max(grain);
        let foldable = both == 0 || (index == 0 && both <= short);
        if outputs > half && short <= half / 2 && foldable {
            return self.forward_folded(x, index, [low, both], outputs - half, short, grain);
        }
        if outputs > half {
            self.halves(x, HalvesStep::Forward, 0, both, index);
            x.copy_within(both..low, half + both);
        } else {
            self.halves(x, HalvesStep::ForwardLow, 0, both, index);
        }
        let (left, right) = x.split_at_mut(half);
        let (below, above) = (outputs.min(half), outputs.saturating_sub(half));
        let threads = Threads::when(above > 0 && len >= self.shared_len());
        let left = || self.forward_truncated(left, 2 * index, low, below, grain);
        let right = || self.forward_truncated(right, 2 * index + 1, low, above, grain);
        threads.join(left, right);
    }

    /// From the first `known` values of [`SplitContext::forward`] of a polynomial to its first `known`
    /// coefficients, up to a factor `x.len()`. On entry `x[known..]` holds the other coefficients,
    /// times `x.len()`; what it holds on return is not specified.
    pub(crate) fn inverse_truncated(
        &self,
        x: &mut [F::Elem],
        index: usize,
        known: usize,
        grain: usize,
    ) {
        let (len, half) = (x.len(), x.len() / 2);
        if known == 0 {
            return;
        }
        if known == len {
            return self.inverse(x, index);
        }
        debug_assert!(len > grain && known.is_multiple_of(grain));
        if known >= half {
            let rest = known - half;
            self.inverse(&mut x[..half], 2 * index);
            self.halves(x, HalvesStep::KnownHigh, rest, half, index);
            self.inverse_truncated(&mut x[half..], 2 * index + 1, rest, grain);
            self.halves(x, HalvesStep::Inverse, 0, rest, index);
        } else {
            self.halves(x, HalvesStep::SumOfKnown, known, half, index);
            self.inverse_truncated(&mut x[..half], 2 * index, known, grain);
            self.halves(x, HalvesStep::LowFromSum, 0, known, index);
        }
    }

    /// [`SplitContext::forward_truncated`] where the values beyond the first half, `above` of them, lie in a
    /// block of `short` points, at most a quarter of `x`. So do the coefficients beyond it, `both`;
    /// but there may be some only in block 0.
    fn forward_folded(
        &self,
        x: &mut [F::Elem],
        index: usize,
        [low, both]: [usize; 2],
        above: usize,
        short: usize,
        grain: usize,
    ) {
        let half = x.len() / 2;
        self.halves(x, HalvesStep::ForwardLow, 0, both, index);
        let (left, right) = x.split_at_mut(half);
        let right = &mut right[..short];
        let block = folded_index(2 * index + 1, half, short);
        // As many full rows, and positions that the last row reaches.
        let (rows, reached) = (low / short, low % short);
        if rows == 0 {
            right[reached..].fill(F::Elem::default());
        }
        // The left half is a + b by now, and the right half's polynomial a − b: that less twice b.
        let minus_two = self.prepared(self.field.neg(self.field.from_u64(2)));
        self.fold(
            left,
            right,
            0..both,
            rows,
            block,
            FoldStep::AddToScaled(minus_two),
        );
        self.fold(left, right, 0..reached, rows + 1, block, FoldStep::Store);
        self.fold(
            left,
            right,
            reached.max(both)..short,
            rows,
            block,
            FoldStep::Store,
        );
        let threads = Threads::when(half >= self.shared_len() / 2);
        let left = || self.forward_truncated(left, 2 * index, low, half, grain);
        let right = || self.forward_truncated(right, block, short, above, grain);
        threads.join(left, right);
    }

    /// From the first `known` values of [`SplitContext::forward`] of a polynomial that has no further
    /// coefficients to these, up to a factor, the logarithm of which is returned. More than half of
    /// the values are known. What `x[known..]` holds on entry and on return is not specified.
    pub(crate) fn inverse_to_length(&self, x: &mut [F::Elem], known: usize, grain: usize) -> u32 {
        let (len, half) = (x.len(), x.len() / 2);
        let above = known.saturating_sub(half);
        let short = above.next_power_of_two().max(grain);
        debug_assert!(known > half);
        if short > half / 2 {
            x[known..].fill(F::Elem::default());
            self.inverse_truncated(x, 0, known, grain);
            return len.trailing_zeros();
        }
        self.inverse(&mut x[..half], 0);
        // With half times the coefficients, of which those from `above` on are the second block's
        // too, as far as they are known.
        let (left, right) = x.split_at_mut(half);
        let right = &mut right[..short];
        let block = folded_index(1, half, short);
        let rows = half / short;
        let ratio = self.field.from_u64(rows as u64);
        let known_step =
            FoldStep::StoreScaled(self.prepared(self.field.inv(ratio).unwrap_or(ratio)));
        self.fold(left, right, above..short, rows, block, known_step);
        self.inverse_truncated(right, block, above, grain);
        let unknown_step = FoldStep::SubtractFromScaled(self.prepared(ratio));
        self.fold(
            &left[short..],
            right,
            0..above,
            rows - 1,
            block,
            unknown_step,
        );
        self.halves(x, HalvesStep::InverseHalved, 0, above, 0);
        half.trailing_zeros()
    }

    /// The table entry of a multiplier.
    fn prepared(&self, value: F::Elem) -> [F::Elem; 2] {
        self.field.prepare(self.kernel, self.field.to_word(value))
    }

    /// Runs `step` at the given positions of `to` with the sums of `rows` rows of `from`, as many
    /// points apart as `to` has, modulo the polynomial of block `index` ≥ 2 of their level.
    fn fold(
        &self,
        from: &[F::Elem],
        to: &mut [F::Elem],
        positions: std::ops::Range<usize>,
        rows: usize,
        index: usize,
        step: FoldStep<F::Elem>,
    ) {
        if positions.is_empty() || rows == 0 {
            return;
        }
        assert!(
            (rows - 1) * to.len() + positions.end <= from.len() && positions.end <= to.len(),
            "rows of the lengths that are folded"
        );
        debug_assert!(index.is_multiple_of(2));
        self.tables().check_vectors(positions.len());
        self.tables().check_block(to.len(), index);
        let stride = to.len();
        let (from, to) = (Shared(from.as_ptr().cast_mut()), Shared(to.as_mut_ptr()));
        let view = SharedView(self.tables().view());
        pass(self, positions.len(), |offset, count| Fold {
            from: from.at(positions.start + offset),
            to: to.at(positions.start + offset),
            stride,
            rows,
            count,
            // The block's points are roots of x^n − t with t the multiplier of the block around it.
            index: index / 2,
            view: view.get(),
            step,
        });
    }

    fn halves(&self, x: &mut [F::Elem], step: HalvesStep, from: usize, to: usize, index: usize) {
        if from >= to {
            return;
        }
        let half = x.len() / 2;
        assert!(to <= half, "positions of a half");
        self.tables().check_vectors(to - from);
        self.tables().check_block(x.len(), index);
        let shared = Shared(x.as_mut_ptr());
        let shared_view = SharedView(self.tables().view());
        pass(self, to - from, |offset, count| HalvesPass {
            low: shared.at(from + offset),
            high: shared.at(half + from + offset),
            count,
            index,
            view: shared_view.get(),
            step,
        });
    }
}

/// The index, at its level, of the first block of `short` points within block `index` of the level
/// of blocks with `len` points.
fn folded_index(index: usize, len: usize, short: usize) -> usize {
    index * (len / short)
}
