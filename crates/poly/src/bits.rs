//! Fields of bits in a row of limbs: how Kronecker substitution lays out coefficients.
//!
//! A polynomial evaluated at x = 2^width is an integer in which each coefficient has `width` bits
//! of its own (Kronecker, 1882; Schönhage, "Asymptotically fast algorithms for the numerical
//! multiplication and division of polynomials with complex coefficients", 1982; D. Harvey,
//! "Faster polynomial multiplication via multipoint Kronecker substitution", 2009, §2).

/// The bits of a word.
pub const WORD: usize = u64::BITS as usize;

/// The bits that hold any number `≤ value`.
pub const fn bit_length(value: u64) -> usize {
    (u64::BITS - value.leading_zeros()) as usize
}

/// Writes non-negative numbers of fixed width one after the other, from bit 0 upward.
pub struct BitWriter<'a> {
    limbs: &'a mut [u64],
    /// The limb being filled.
    index: usize,
    /// How many of its bits are filled: less than 64.
    filled: usize,
    /// Its value so far.
    pending: u64,
}

impl<'a> BitWriter<'a> {
    /// Starts at the lowest bit of `limbs`, which need no preparation.
    pub const fn new(limbs: &'a mut [u64]) -> Self {
        Self {
            limbs,
            index: 0,
            filled: 0,
            pending: 0,
        }
    }

    /// Appends the low `count ≤ 64` bits of `value`, whose other bits must be 0.
    #[inline(always)]
    pub fn push(&mut self, value: u64, count: usize) {
        self.pending |= value << self.filled;
        let total = self.filled + count;
        if total >= WORD {
            self.limbs[self.index] = self.pending;
            self.index += 1;
            let taken = WORD - self.filled;
            self.pending = if taken < WORD { value >> taken } else { 0 };
            self.filled = total - WORD;
        } else {
            self.filled = total;
        }
    }

    /// Writes what is pending, and zeros to the end.
    pub fn finish(self) {
        let mut rest = self.limbs[self.index..].iter_mut();
        if self.filled > 0
            && let Some(limb) = rest.next()
        {
            *limb = self.pending;
        }
        rest.for_each(|limb| *limb = 0);
    }
}

/// The `count ≤ 64` bits of `limbs` from bit `start` on; bits past the end are 0.
#[inline(always)]
pub fn read_bits(limbs: &[u64], start: usize, count: usize) -> u64 {
    let (index, shift) = (start / WORD, start % WORD);
    let low = limbs.get(index).map_or(0, |limb| limb >> shift);
    let high = match shift {
        0 => 0,
        _ => limbs
            .get(index + 1)
            .map_or(0, |limb| limb << (WORD - shift)),
    };
    match count {
        WORD => low | high,
        _ => (low | high) & ((1 << count) - 1),
    }
}
