//! What division and Euclid's algorithm ask of a device for pairs that no group shares.

use super::counts::{LaunchWork, countable, sum_of};
use super::euclid::EuclidWork;
use crate::error::GpuError;
use crate::euclid::EuclidShape;
use crate::euclid::rounds::source;
use crate::field::ResidueWord;
use crate::info::DeviceInfo;
use crate::program::Source;

/// The launches by rounds for `batch` pairs of `lengths` coefficients, none of which is 0, in a shape. Pairs are those that
/// Euclid's algorithm takes longest for: coprime, and degrees drop by one.
///
/// # Errors
/// [`GpuError::Shape`] and [`GpuError::Limits`] if it is no shape for the device, or operands have no coefficients.
///
/// ```
/// use sunzi_gpu::{DeviceInfo, euclid::EuclidShape, tuning::{EuclidWork, euclid_round_counts}};
/// let h100 = DeviceInfo::h100();
/// let shape = EuclidShape::for_device::<u32>(&h100, 100_001);
/// let launches = euclid_round_counts::<u32>(shape, EuclidWork::Gcd, [100_001; 2], 1, &h100)?;
/// // Rounds of 512 steps, each of two launches; two rounds more see that nothing is left.
/// assert_eq!(launches.len(), 2 * (100_001 / 512 + 2) + 2);
/// # Ok::<(), sunzi_gpu::GpuError>(())
/// ```
pub fn euclid_round_counts<E: ResidueWord>(
    shape: EuclidShape,
    work: EuclidWork,
    lengths: [usize; 2],
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let shape = shape.check::<E>(device)?;
    let [n, m] = lengths;
    if n == 0 || m == 0 {
        return Err(GpuError::Shape(
            "pairs with an operand without coefficients take no rounds".to_owned(),
        ));
    }
    let parts = match work {
        EuclidWork::Division | EuclidWork::Gcd => 1,
        EuclidWork::Cofactors => 3,
    };
    countable([batch, n.max(m), 4 * parts])?;
    let mut launches = Launches::<E> {
        shape,
        program: source::<E>(&shape, false),
        batch,
        stride: n.max(m),
        parts,
        all: Vec::new(),
        word: std::marker::PhantomData,
    };
    launches.push("enter", launches.stride, 0, 2 * (n + m), (n + m, 1));
    match work {
        EuclidWork::Division => launches.division(n, m),
        EuclidWork::Gcd | EuclidWork::Cofactors => launches.euclid(n, m),
    }
    let written = parts * launches.stride;
    launches.push("leave", 1, 1, 2 * written, (written, 1));
    Ok(launches.all)
}

/// Launches, in their order.
struct Launches<E> {
    shape: EuclidShape,
    program: Source<'static>,
    batch: usize,
    /// Coefficients of a row, and pairs of rows.
    stride: usize,
    parts: usize,
    all: Vec<LaunchWork>,
    word: std::marker::PhantomData<E>,
}

impl<E: ResidueWord> Launches<E> {
    /// A launch with threads for so many coefficients of a pair, which moves words of it, and adds up so many sums of products.
    fn push(
        &mut self,
        kernel: &'static str,
        wanted: usize,
        barriers: usize,
        words: usize,
        (sums, products): (usize, usize),
    ) {
        let threads = self.shape.round_threads();
        let [of_steps, of_division, of_apply, of_leave] = self.shape.round_bytes::<E>();
        let (each, shared_bytes) = match kernel {
            "steps" => (threads, of_steps),
            "quotients" => (threads, of_division),
            "apply" => (self.shape.outputs::<E>(), of_apply),
            "leave" => (threads, of_leave),
            _ => (threads, 0),
        };
        let multiplications = sums as u64 * sum_of::<E>(products);
        self.all.push(LaunchWork {
            source: self.program.clone(),
            kernel,
            groups: wanted.div_ceil(each) * self.batch,
            threads,
            shared_bytes,
            barriers,
            bytes: (size_of::<E>() * self.batch * words) as u64,
            multiplications: multiplications.saturating_mul(self.batch as u64),
        });
    }

    /// A sum for each coefficient, threads without one waiting for those with one.
    fn met(&self, len: usize) -> usize {
        len.next_multiple_of(self.shape.round_threads())
    }

    /// A matrix with polynomials of `count` coefficients, applied to rows of these lengths: two for each pair of rows.
    fn apply(&mut self, count: usize, rows: &[usize], terms: usize) {
        let each = self.shape.outputs::<E>();
        let sums = rows.iter().map(|len| len.next_multiple_of(each)).sum();
        let words = 2 * rows.iter().sum::<usize>();
        let barriers = 2 * terms * count.div_ceil(crate::euclid::plan::CHUNK);
        let wanted = self.stride.next_multiple_of(each) * self.parts;
        self.push("apply", wanted, barriers, words, (sums, terms * count));
    }

    /// Each round takes s coefficients of the quotient.
    fn division(&mut self, n: usize, m: usize) {
        let mut left = (n + 1).saturating_sub(m);
        while left > 0 {
            let count = self.shape.steps.min(left);
            let sums = (0..count).map(|k| self.met(k)).sum();
            self.push("quotients", 1, count + 1, 2 * count, (sums, 1));
            let len = m - 1 + left;
            self.apply(count, &[len], 1);
            left -= count;
        }
    }

    /// Each round takes s off both lengths, by as many steps of two terms at a time.
    fn euclid(&mut self, n: usize, m: usize) {
        let steps = self.shape.steps;
        let rounds = (n + m) / (2 * steps) + 2;
        for round in 0..rounds {
            let done = round * steps;
            let left = [n.saturating_sub(done), m.saturating_sub(done)];
            let count = steps.min(left[0].min(left[1]));
            let window = (2 * steps).min(left[0].max(left[1]));
            let sums = (0..count).map(|k| self.met(window.saturating_sub(k)) + 2 * self.met(k));
            self.push("steps", 1, count + 4, 2 * window, (sums.sum(), 3));
            let mut rows = left.to_vec();
            if self.parts > 1 && count > 0 {
                rows.extend([done + count; 4]);
            }
            self.apply(count, &rows, 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(work: EuclidWork, lengths: [usize; 2]) -> Vec<LaunchWork> {
        let shape = EuclidShape {
            threads: 1,
            row: 4,
            pairs: 1,
            steps: 4,
        };
        euclid_round_counts::<u32>(shape, work, lengths, 3, &DeviceInfo::h100()).unwrap()
    }

    #[test]
    fn rounds_are_counted_as_they_are_submitted() {
        // Seven coefficients of the quotient, 4 and 3 at a time.
        let division = of(EuclidWork::Division, [10, 4]);
        let found: Vec<_> = division
            .iter()
            .map(|launch| (launch.kernel, launch.barriers))
            .collect();
        let round = |count: usize| [("quotients", count + 1), ("apply", 2)];
        let expected = [&[("enter", 0)][..], &round(4), &round(3), &[("leave", 1)]];
        assert_eq!(found, expected.concat());
        // 6 products in sums of their own find 4 coefficients; 10 coefficients, in groups of 5, lose 4 products each.
        assert_eq!(division[1].multiplications, 3 * 6 * 5);
        assert_eq!(division[2].multiplications, 3 * 10 * (4 * 2 + 3));
        assert_eq!(of(EuclidWork::Division, [4, 10]).len(), 2);
        let gcd = of(EuclidWork::Gcd, [9, 9]);
        assert_eq!(gcd.len(), 2 + 2 * (18 / 8 + 2));
        // 4 steps with windows of 8, 7, 6 and 5 coefficients, and twice 0, 1, 2 and 3 of the matrix.
        assert_eq!(gcd[1].multiplications, 3 * (26 + 12) * (3 * 2 + 3));
        // Two rows of 9, two terms of 4 products.
        assert_eq!(gcd[2].multiplications, 3 * 20 * (8 * 2 + 3));
        let cofactors = of(EuclidWork::Cofactors, [9, 9]);
        assert_eq!(cofactors[2].bytes, 3 * 4 * 2 * (18 + 16));
    }

    #[test]
    fn what_takes_no_rounds_is_refused() {
        let h100 = DeviceInfo::h100();
        let shape = EuclidShape::for_device::<u64>(&h100, 100);
        for lengths in [[0, 1], [1, 0]] {
            let refused = euclid_round_counts::<u64>(shape, EuclidWork::Gcd, lengths, 1, &h100);
            assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
        }
        let lengths = [usize::MAX; 2];
        let refused = euclid_round_counts::<u64>(shape, EuclidWork::Gcd, lengths, 2, &h100);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
}
