//! Products modulo a word prime by one product of integers.

use sunzi_integer::Multiplier;
use sunzi_machine::memory::{Budget, OutOfMemory};

use crate::bits::{BitWriter, WORD, bit_length, read_bits};

/// How the coefficients of a product lie in a long integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Bits for each coefficient of the product.
    pub(crate) width: usize,
}

impl Layout {
    /// For sums of `terms` ≥ 1 products of two residues modulo `prime`: a coefficient is at most
    /// terms·(p − 1)².
    pub(crate) const fn for_residues(prime: u64, terms: usize) -> Self {
        // (p − 1)² has at most 2·bits(p − 1) bits, and the factor `terms` adds its own.
        Self {
            width: 2 * bit_length(prime - 1) + bit_length(terms as u64),
        }
    }

    /// The limbs of an integer that holds `len` coefficients; saturating.
    pub(crate) const fn limbs(self, len: usize) -> usize {
        self.width.saturating_mul(len).div_ceil(WORD)
    }

    /// About how many bytes a product of operands of these lengths takes beside them: both as
    /// integers, their product, and its scratch. Saturating.
    pub(crate) fn scratch_bytes(self, len_a: usize, len_b: usize) -> u64 {
        let (limbs_a, limbs_b) = (self.limbs(len_a), self.limbs(len_b));
        let packed = limbs_a.saturating_add(limbs_b) as u64;
        packed
            .saturating_mul(2 * 8)
            .saturating_add(Multiplier::new().plan(limbs_a, limbs_b).bytes())
    }
}

/// `out = a · b` modulo `prime`, where `reduce` takes a word and the words above it (at most two
/// more) to a residue.
pub(crate) fn multiply<T: Copy>(
    multiplier: &Multiplier,
    layout: Layout,
    (out, a, b): (&mut [T], &[T], &[T]),
    coefficient_bits: usize,
    to_word: impl Fn(T) -> u64,
    reduce: impl Fn([u64; 3]) -> T,
) -> Result<(), OutOfMemory> {
    Budget::system().require(layout.scratch_bytes(a.len(), b.len()))?;
    let pack = |operand: &[T]| {
        let mut limbs = vec![0; layout.limbs(operand.len())];
        let mut writer = BitWriter::new(&mut limbs);
        for &coefficient in operand {
            writer.push(to_word(coefficient), coefficient_bits);
            let mut gap = layout.width - coefficient_bits;
            while gap > 0 {
                let step = gap.min(WORD);
                writer.push(0, step);
                gap -= step;
            }
        }
        writer.finish();
        limbs
    };
    let packed_a = pack(a);
    let packed_b = pack(b);
    let mut product = vec![0; packed_a.len() + packed_b.len()];
    multiplier.mul(&mut product, &packed_a, &packed_b);
    drop((packed_a, packed_b));
    for (index, out) in out.iter_mut().enumerate() {
        let start = index * layout.width;
        let word = |position: usize| {
            let count = layout.width.saturating_sub(position * WORD).min(WORD);
            match count {
                0 => 0,
                _ => read_bits(&product, start + position * WORD, count),
            }
        };
        *out = reduce([word(0), word(1), word(2)]);
    }
    Ok(())
}
