//! Products by transforms modulo three primes of 50 bits.
//!
//! Limbs are the coefficients of a polynomial in 2^64; a coefficient of the product is a sum of at
//! most n products of two limbs, n the shorter length, and three primes tell 2^149.9 values apart:
//! enough for n up to 2^21.9. Beyond, coefficients of 56 bits take the place of limbs. Each value
//! found from its residues is added in at its place, with carries. Threads do so in segments of the
//! product; what a segment has left over is added behind it when all are written, for a carry may run
//! through all of the next segments, and beyond the last.

use std::sync::OnceLock;
use sunzi_dft::DftError;
use sunzi_dft::crt::{Coefficients, CrtBasis, Segmentation};
use sunzi_machine::InstructionSet;
use sunzi_rns::Composer;
use sunzi_rns::limbs::add_assign;

/// Primes that a coefficient is computed by.
pub(crate) const PRIMES: usize = 3;

/// What limbs are cut into: the coefficients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digits {
    /// Limbs as they stand, of which the shorter operand has at most 2^21: 2^21·2^128 < 2^149.9.
    Limbs,
    /// [`SHORT_DIGIT`] bits each.
    Short,
}

/// Bits of a coefficient where limbs are too long.
const SHORT_DIGIT: usize = 56;

impl Digits {
    /// The longest digits that a shorter operand of `short` limbs allows.
    pub(crate) fn for_limbs(short: usize) -> Self {
        if short <= 1 << 21 {
            Self::Limbs
        } else {
            Self::Short
        }
    }

    /// How many of them hold `limbs` limbs; saturating.
    pub(crate) fn holding(self, limbs: usize) -> usize {
        match self {
            Self::Limbs => limbs,
            // 8 of them hold 7 limbs.
            Self::Short => limbs.saturating_add(limbs.div_ceil(7)),
        }
    }

    /// Whether there are transforms for the product of operands of these lengths.
    pub(crate) fn fit(self, long: usize, short: usize) -> bool {
        let coefficients = self.holding(long).saturating_add(self.holding(short));
        coefficients as u64 <= CrtBasis::MAX_LEN
    }
}

/// The primes and tables of transform products, made when first used and kept.
#[derive(Debug)]
pub struct TransformContext {
    kernel: InstructionSet,
    basis: OnceLock<CrtBasis>,
}

/// A vector of limbs as digits of 56 bits.
struct ShortDigits<'a>(&'a [u64]);

impl Coefficients for ShortDigits<'_> {
    const PIECES: usize = 2;
    const OFFSET: bool = false;

    fn len(&self) -> usize {
        (self.0.len() * 64).div_ceil(SHORT_DIGIT)
    }

    #[inline(always)]
    fn pieces(&self, i: usize) -> [u64; 2] {
        let (limb, shift) = (i * SHORT_DIGIT / 64, i * SHORT_DIGIT % 64);
        let low = self.0[limb] >> shift;
        let high = self
            .0
            .get(limb + 1)
            .map_or(0, |next| (next << 1) << (63 - shift));
        let digit = (low | high) & ((1 << SHORT_DIGIT) - 1);
        [
            digit & ((1 << sunzi_dft::crt::PIECE_BITS) - 1),
            digit >> sunzi_dft::crt::PIECE_BITS,
        ]
    }
}

/// What is still to be added behind the limbs written so far.
#[derive(Clone, Copy, Default)]
struct Carry {
    /// Bits of the next limb, below the value that follows.
    partial: u64,
    /// How many these are.
    partial_bits: u32,
    /// The value that follows them.
    value: [u64; 3],
    /// Limbs written.
    written: usize,
}

impl Carry {
    fn add(&mut self, x: [u64; 3]) {
        let low = u128::from(self.value[0]) + u128::from(x[0]);
        let middle = u128::from(self.value[1]) + u128::from(x[1]) + (low >> 64);
        let high = self.value[2] + x[2] + (middle >> 64) as u64;
        self.value = [low as u64, middle as u64, high];
    }

    /// Everything that is still to be added, from limb `written` on.
    fn rest(self) -> [u64; 4] {
        let [a, b, c] = self.value;
        let bits = self.partial_bits;
        if bits == 0 {
            return [a, b, c, 0];
        }
        let up = |x: u64| x << bits;
        let down = |x: u64| x >> (64 - bits);
        [
            self.partial | up(a),
            down(a) | up(b),
            down(b) | up(c),
            down(c),
        ]
    }
}

impl TransformContext {
    pub const fn new(kernel: InstructionSet) -> Self {
        Self {
            kernel,
            basis: OnceLock::new(),
        }
    }

    /// `out = a · b`, or the square of `a` where both are the same; `cut` says where a product of
    /// that many coefficients is cut.
    ///
    /// Neither is empty; `out.len() == a.len() + b.len()`; the digits [fit](Digits::fit).
    ///
    /// # Errors
    /// [`DftError::TooLong`] for more than [`CrtBasis::MAX_LEN`] coefficients.
    pub fn mul(
        &self,
        digits: Digits,
        square: bool,
        out: &mut [u64],
        [a, b]: [&[u64]; 2],
        cut: impl Fn(usize) -> Segmentation,
    ) -> Result<(), DftError> {
        match digits {
            Digits::Limbs => self.run(out, a, b, square, 64, cut),
            Digits::Short => {
                let (a, b) = (ShortDigits(a), ShortDigits(b));
                self.run(out, &a, &b, square, SHORT_DIGIT, cut)
            }
        }
    }

    fn basis(&self) -> Result<&CrtBasis, DftError> {
        if let Some(basis) = self.basis.get() {
            return Ok(basis);
        }
        let basis = CrtBasis::with_kernel(PRIMES, self.kernel)?;
        Ok(self.basis.get_or_init(|| basis))
    }

    fn run<C: Coefficients + ?Sized>(
        &self,
        out: &mut [u64],
        a: &C,
        b: &C,
        square: bool,
        bits: usize,
        cut: impl Fn(usize) -> Segmentation,
    ) -> Result<(), DftError> {
        let basis = self.basis()?;
        let composer = Composer::<PRIMES>::new(basis.primes());
        let product = basis.multiply(a, (!square).then_some(b))?;
        // Segments begin at whole limbs.
        let cut = cut(product.len());
        let limbs = cut.segment() * bits / 64;
        let carries = product.digits(out, cut, limbs, |carry: &mut Carry, out, _, digits| {
            let of_value = |i| [digits[0][i], digits[1][i], digits[2][i]];
            let count = digits[0].len();
            if bits == 64 {
                let limbs = &mut out[carry.written..carry.written + count];
                let [low, high, _] = carry.value;
                let carried = u128::from(low) | u128::from(high) << 64;
                let carried = composer.overlapping(limbs, carried, of_value);
                carry.value = [carried as u64, (carried >> 64) as u64, 0];
                carry.written += count;
            } else {
                let value = |i| composer.unsigned(of_value(i));
                write_short_digits(carry, out, count, value);
            }
        });
        let len = out.len();
        let end = |(index, carry): (usize, &Carry)| (index * limbs + carry.written).min(len);
        // No segment wrote what lies behind the last one, and carries are added to it.
        let written = carries.iter().enumerate().next_back().map_or(0, end);
        out[written..].fill(0);
        for (index, carry) in carries.iter().enumerate() {
            let rest = carry.rest();
            let behind = &mut out[end((index, carry))..];
            // The product fits `out`, so what lies beyond its end is zero.
            let fitting = rest.len().min(behind.len());
            add_assign(behind, &rest[..fitting]);
        }
        Ok(())
    }
}

/// Adds values every 56 bits; writes the limbs that are complete.
#[inline(always)]
fn write_short_digits(
    carry: &mut Carry,
    out: &mut [u64],
    count: usize,
    value: impl Fn(usize) -> [u64; 3],
) {
    for i in 0..count {
        carry.add(value(i));
        let [a, b, c] = carry.value;
        let digit = a & ((1 << SHORT_DIGIT) - 1);
        carry.value = [
            a >> SHORT_DIGIT | b << 8,
            b >> SHORT_DIGIT | c << 8,
            c >> SHORT_DIGIT,
        ];
        let bits = u128::from(digit) << carry.partial_bits | u128::from(carry.partial);
        carry.partial = bits as u64;
        carry.partial_bits += SHORT_DIGIT as u32;
        if carry.partial_bits >= 64 {
            // Digits beyond the end of the product are zero.
            if let Some(limb) = out.get_mut(carry.written) {
                *limb = carry.partial;
                carry.written += 1;
            }
            carry.partial = (bits >> 64) as u64;
            carry.partial_bits -= 64;
        }
    }
}
