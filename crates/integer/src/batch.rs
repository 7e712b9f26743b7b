//! Many products of equal sizes at once, over the threads of the current rayon pool.

use crate::multiplier::Multiplier;
use crate::problem::{MulError, check_batch};
use crate::schoolbook;
use sunzi_machine::threads::Threads;

/// Products of limbs in one task.
const TASK_LIMB_PRODUCTS: usize = 1 << 17;

impl Multiplier {
    /// Products of limbs, about 0.1 ms of work, from which on a batch is spread over threads: a hand-over to
    /// another thread costs about 10 µs.
    #[doc(hidden)]
    pub const SHARED_LIMB_PRODUCTS: usize = 1 << 19;

    /// Products of many pairs of operands: `out[i] = a[i] · b[i]`, where `a` holds operands of `limbs_a`
    /// limbs one after the other, `b` as many of `limbs_b`, and `out` products of `limbs_a + limbs_b`.
    ///
    /// Large batches run on all threads of the current rayon pool.
    ///
    /// # Errors
    /// [`MulError::BatchLength`] unless `a` and `b` hold the same number of whole operands,
    /// [`MulError::OutputLength`] unless `out` holds exactly as many products.
    ///
    /// ```
    /// let multiplier = sunzi::integer::Multiplier::new();
    /// let mut products = [0; 4];
    /// multiplier.mul_batch(&mut products, &[2, 3], &[5, 7], 1, 1)?;
    /// assert_eq!(products, [10, 0, 21, 0]);
    /// # Ok::<(), sunzi::integer::MulError>(())
    /// ```
    pub fn mul_batch(
        &self,
        out: &mut [u64],
        a: &[u64],
        b: &[u64],
        limbs_a: usize,
        limbs_b: usize,
    ) -> Result<(), MulError> {
        check_batch(out.len(), [a.len(), b.len()], [limbs_a, limbs_b])?;
        if limbs_a == 0 || limbs_b == 0 || a.is_empty() {
            // Without operands their lengths may be anything, and have no sum.
            out.fill(0);
            return Ok(());
        }
        let count = a.len() / limbs_a;
        let work = limbs_a.saturating_mul(limbs_b);
        let pairs = (self.grain.of(TASK_LIMB_PRODUCTS) / work).clamp(1, count);
        let outs = out.chunks_mut(pairs * (limbs_a + limbs_b));
        let operands = a.chunks(pairs * limbs_a).zip(b.chunks(pairs * limbs_b));
        let shared = self.grain.of(Self::SHARED_LIMB_PRODUCTS);
        let threads = Threads::when(work.saturating_mul(count) >= shared);
        threads.each(outs.zip(operands), |(out, (a, b))| {
            self.mul_each(out, a, b, limbs_a, limbs_b);
        });
        Ok(())
    }

    fn mul_each(&self, out: &mut [u64], a: &[u64], b: &[u64], limbs_a: usize, limbs_b: usize) {
        let operands = a.chunks_exact(limbs_a).zip(b.chunks_exact(limbs_b));
        let products = out.chunks_exact_mut(limbs_a + limbs_b).zip(operands);
        if self.planner.is_unrolled(limbs_a, limbs_b) {
            for (out, (a, b)) in products {
                // SAFETY: planned for these lengths, and the output has as many limbs as both.
                unsafe { schoolbook::unrolled(out.as_mut_ptr(), a, b) };
            }
        } else {
            for (out, (a, b)) in products {
                self.mul(out, a, b);
            }
        }
    }
}
