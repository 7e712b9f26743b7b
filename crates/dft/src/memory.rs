//! How much memory truncated transforms reach, to be asked before they start.

use crate::Convolver;
use crate::compiled::TransformField;
use crate::tables::ALL_WRITTEN;
use crate::truncated::GRAIN_FRACTION;

/// What a product of some length reads and writes of the memory that is laid out for a transform of
/// the next power of two.
///
/// ```
/// let whole = sunzi_dft::Reach::of(1 << 20);
/// assert_eq!((whole.values, whole.multipliers), (1 << 20, 1 << 20));
/// let above = sunzi_dft::Reach::of((1 << 20) + 1);
/// assert!(above.values < 1_200_000 && above.multipliers < 1_200_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Points of an operand: the first half, and beyond it a block that holds the rest.
    pub values: u64,
    /// Points whose multipliers are written: the first half, and beyond it twice the rest.
    pub multipliers: u64,
}

impl Reach {
    /// That of a product of `len` coefficients. Saturating.
    #[must_use]
    pub fn of(len: usize) -> Self {
        let len = len as u64;
        let points = len.checked_next_power_of_two().unwrap_or(u64::MAX);
        let half = points / 2;
        let grain = (points / GRAIN_FRACTION as u64).max(1);
        let above = len.saturating_sub(half).checked_next_multiple_of(grain);
        let block = above.and_then(u64::checked_next_power_of_two);
        let block = block.filter(|&block| block <= half / 2);
        let twice = above.map(|above| above.saturating_mul(2));
        let twice = twice.filter(|&twice| twice <= half && points > ALL_WRITTEN as u64);
        let rest = points - half;
        Self {
            values: half.saturating_add(block.unwrap_or(rest)),
            multipliers: half.saturating_add(twice.unwrap_or(rest)),
        }
    }
}

impl<F: TransformField> Convolver<F> {
    /// About how many bytes a product of `len` coefficients takes beside operands and result: the
    /// values of both operands, and the multipliers. Saturating.
    ///
    /// ```
    /// use sunzi_dft::Convolver;
    /// use sunzi_field::Fp32;
    ///
    /// let convolver = Convolver::new(&Fp32::new(469762049)?);
    /// assert_eq!(convolver.scratch_bytes(1 << 20), 3 * (4 << 20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn scratch_bytes(&self, len: usize) -> u64 {
        let reach = Reach::of(len);
        let words = self.field().shape(self.kernel()).words() as u64;
        let tables = reach.multipliers.saturating_mul(words);
        let vectors = reach.values.saturating_mul(2).saturating_add(tables);
        vectors.saturating_mul(size_of::<F::Elem>() as u64)
    }
}
