//! Shifts by any number of bits: whole limbs, and the rest by a shift of each pair of limbs.

use super::storage::Storage;
use super::{Integer, MachineInteger, Natural};
use std::iter::repeat_n;
use std::ops::{Shl, ShlAssign, Shr, ShrAssign};
use sunzi_rns::limbs::{extract_bits, shl_assign, shr_assign};

impl Natural {
    fn shifted_left(&self, bits: usize) -> Self {
        if let Some(wide) = self.wide()
            && (bits <= wide.leading_zeros() as usize || wide == 0)
        {
            return Self::from_wide(wide.checked_shl(bits as u32).unwrap_or(0));
        }
        let (whole, rest) = (bits / 64, (bits % 64) as u32);
        let limbs = self.as_limbs();
        let mut shifted = Vec::with_capacity(whole + limbs.len() + 1);
        shifted.resize(whole, 0);
        shifted.extend_from_slice(limbs);
        let over = shl_assign(&mut shifted[whole..], rest);
        if over != 0 {
            shifted.push(over);
        }
        Self::from_limbs(shifted)
    }

    fn shift_left(&mut self, bits: usize) {
        if let Storage::Inline(_) = self.storage {
            *self = self.shifted_left(bits);
            return;
        }
        self.edit(|limbs| {
            let over = shl_assign(limbs, (bits % 64) as u32);
            if over != 0 {
                limbs.push(over);
            }
            limbs.splice(0..0, repeat_n(0, bits / 64));
        });
    }

    fn shifted_right(&self, bits: usize) -> Self {
        if let Some(wide) = self.wide() {
            let bits = u32::try_from(bits).unwrap_or(u32::MAX);
            return Self::from_wide(wide.checked_shr(bits).unwrap_or(0));
        }
        let limbs = self.as_limbs();
        let mut shifted = vec![0; limbs.len().saturating_sub(bits / 64)];
        extract_bits(&mut shifted, limbs, bits);
        Self::from_limbs(shifted)
    }

    fn shift_right(&mut self, bits: usize) {
        if let Storage::Inline(_) = self.storage {
            *self = self.shifted_right(bits);
            return;
        }
        self.edit(|limbs| {
            limbs.drain(..limbs.len().min(bits / 64));
            shr_assign(limbs, (bits % 64) as u32);
        });
    }

    /// Whether some of the lowest bits is one.
    pub(super) fn has_ones_below(&self, bits: usize) -> bool {
        self.trailing_zeros().is_some_and(|zeros| zeros < bits)
    }
}

impl Integer {
    fn shifted_left(&self, bits: usize) -> Self {
        Self {
            negative: self.negative,
            magnitude: self.magnitude.shifted_left(bits),
        }
    }

    fn shift_left(&mut self, bits: usize) {
        self.magnitude.shift_left(bits);
    }

    /// Rounded down.
    fn shifted_right(&self, bits: usize) -> Self {
        let up = self.negative && self.magnitude.has_ones_below(bits);
        let magnitude = self.magnitude.shifted_right(bits);
        Self::rounded_shift(self.negative, magnitude, up)
    }

    fn shift_right(&mut self, bits: usize) {
        let up = self.negative && self.magnitude.has_ones_below(bits);
        let mut magnitude = std::mem::take(&mut self.magnitude);
        magnitude.shift_right(bits);
        *self = Self::rounded_shift(self.negative, magnitude, up);
    }

    fn rounded_shift(negative: bool, mut magnitude: Natural, up: bool) -> Self {
        if up {
            magnitude += 1u32;
        }
        Self::from_sign_magnitude(negative, magnitude)
    }
}

/// How many bits that is.
#[track_caller]
fn amount<M: MachineInteger>(bits: M) -> usize {
    assert!(
        bits >= M::default(),
        "attempt to shift by a negative number of bits"
    );
    // No number has so many bits: all of them are shifted out, or memory ends.
    bits.try_into().unwrap_or(usize::MAX)
}

macro_rules! shifts {
    ($($T:ty)*) => {$(
        impl<M: MachineInteger> Shl<M> for &$T {
            type Output = $T;

            #[track_caller]
            fn shl(self, bits: M) -> $T {
                self.shifted_left(amount(bits))
            }
        }

        impl<M: MachineInteger> Shl<M> for $T {
            type Output = $T;

            #[track_caller]
            fn shl(mut self, bits: M) -> $T {
                self <<= bits;
                self
            }
        }

        impl<M: MachineInteger> ShlAssign<M> for $T {
            #[track_caller]
            fn shl_assign(&mut self, bits: M) {
                self.shift_left(amount(bits));
            }
        }

        impl<M: MachineInteger> Shr<M> for &$T {
            type Output = $T;

            #[track_caller]
            fn shr(self, bits: M) -> $T {
                self.shifted_right(amount(bits))
            }
        }

        impl<M: MachineInteger> Shr<M> for $T {
            type Output = $T;

            #[track_caller]
            fn shr(mut self, bits: M) -> $T {
                self >>= bits;
                self
            }
        }

        impl<M: MachineInteger> ShrAssign<M> for $T {
            #[track_caller]
            fn shr_assign(&mut self, bits: M) {
                self.shift_right(amount(bits));
            }
        }
    )*};
}

shifts!(Natural Integer);
