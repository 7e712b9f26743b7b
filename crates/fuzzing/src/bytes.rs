//! Numbers out of bytes.

use std::ops::RangeInclusive;

/// Bytes that are taken one after the other; zeros when there are none left.
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        Self(data)
    }

    /// What is left.
    pub fn rest(self) -> &'a [u8] {
        self.0
    }

    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&first, rest)) => {
                self.0 = rest;
                first
            }
            None => 0,
        }
    }

    pub fn word(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// A number in a range, from two bytes.
    pub fn within(&mut self, range: RangeInclusive<usize>) -> usize {
        let number = usize::from(u16::from_le_bytes([self.byte(), self.byte()]));
        range.start() + number % (range.end() - range.start() + 1)
    }

    /// Limbs of an integer: runs of zeros, of ones and of one word, single words, and powers of two that are added or
    /// subtracted, where carries run.
    pub fn limbs(&mut self, most: usize) -> Vec<u64> {
        let mut limbs = Vec::new();
        let pieces = self.byte() % 12;
        for _ in 0..=pieces {
            let kind = self.byte();
            match kind % 6 {
                0 => limbs.push(self.word()),
                1 => limbs.extend(std::iter::repeat_n(0, self.within(0..=most))),
                2 => limbs.extend(std::iter::repeat_n(u64::MAX, self.within(0..=most))),
                3 => {
                    let word = self.word();
                    limbs.extend(std::iter::repeat_n(word, self.within(0..=most)));
                }
                4 => {
                    // Pseudorandom.
                    let mut word = self.word() | 1;
                    for _ in 0..self.within(0..=most) {
                        word = word.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
                        limbs.push(word ^ word >> 29);
                    }
                }
                _ => {
                    let bit = self.within(0..=usize::from(u16::MAX));
                    let place = bit % (64 * limbs.len().max(1));
                    step(&mut limbs, place, kind >= 128);
                }
            }
        }
        limbs.truncate(most);
        limbs
    }
}

/// Adds 2^bit to limbs, or subtracts it, modulo a power of 2^64.
fn step(limbs: &mut [u64], bit: usize, subtract: bool) {
    let mut power = 1u64 << (bit % 64);
    for limb in limbs.iter_mut().skip(bit / 64) {
        let (next, over) = match subtract {
            true => limb.overflowing_sub(power),
            false => limb.overflowing_add(power),
        };
        *limb = next;
        if !over {
            return;
        }
        power = 1;
    }
}
