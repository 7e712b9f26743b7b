//! Many products of equal sizes at once, over the threads of the current rayon pool.

use crate::error::MulError;
use crate::multiplier::Multiplier;
use sunzi_threads::Threads;

/// Products of limbs, about 0.1 ms of work, from which on a batch is spread over threads: a hand-over to
/// another thread costs about 10 µs.
const PARALLEL_LIMB_PRODUCTS: usize = 1 << 19;
/// Products of limbs in one task.
const TASK_LIMB_PRODUCTS: usize = 1 << 17;

impl Multiplier {
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
    /// let multiplier = sunzi_integer::Multiplier::new();
    /// let mut products = [0; 4];
    /// multiplier.mul_batch(&mut products, &[2, 3], &[5, 7], 1, 1)?;
    /// assert_eq!(products, [10, 0, 21, 0]);
    /// # Ok::<(), sunzi_integer::MulError>(())
    /// ```
    pub fn mul_batch(
        &self,
        out: &mut [u64],
        a: &[u64],
        b: &[u64],
        limbs_a: usize,
        limbs_b: usize,
    ) -> Result<(), MulError> {
        let batch_error = MulError::BatchLength {
            limbs_a,
            limbs_b,
            found_a: a.len(),
            found_b: b.len(),
        };
        if a.len() as u128 * limbs_b as u128 != b.len() as u128 * limbs_a as u128
            || !whole(a.len(), limbs_a)
            || !whole(b.len(), limbs_b)
        {
            return Err(batch_error);
        }
        let expected = a.len() + b.len();
        if out.len() != expected {
            return Err(MulError::OutputLength {
                expected,
                found: out.len(),
            });
        }
        if limbs_a == 0 || limbs_b == 0 || a.is_empty() {
            // Without operands their lengths may be anything, and have no sum.
            out.fill(0);
            return Ok(());
        }
        let count = a.len() / limbs_a;
        let work = limbs_a.saturating_mul(limbs_b);
        let pairs = (TASK_LIMB_PRODUCTS / work).clamp(1, count);
        let outs = out.chunks_mut(pairs * (limbs_a + limbs_b));
        let operands = a.chunks(pairs * limbs_a).zip(b.chunks(pairs * limbs_b));
        let threads = Threads::when(work.saturating_mul(count) >= PARALLEL_LIMB_PRODUCTS);
        threads.each(outs.zip(operands), |(out, (a, b))| {
            self.mul_each(out, a, b, limbs_a, limbs_b);
        });
        Ok(())
    }

    fn mul_each(&self, out: &mut [u64], a: &[u64], b: &[u64], limbs_a: usize, limbs_b: usize) {
        let operands = a.chunks_exact(limbs_a).zip(b.chunks_exact(limbs_b));
        for (out, (a, b)) in out.chunks_exact_mut(limbs_a + limbs_b).zip(operands) {
            self.mul(out, a, b);
        }
    }
}

/// Whether `total` limbs are a whole number of operands.
fn whole(total: usize, limbs: usize) -> bool {
    if limbs == 0 {
        total == 0
    } else {
        total.is_multiple_of(limbs)
    }
}
