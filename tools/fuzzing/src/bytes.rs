//! Numbers out of bytes.

use std::ops::RangeInclusive;
use sunzi_testkit::{Kind, Random};

/// Bytes that are taken one after the other; zeros when there are none left.
pub struct Bytes<'a>(&'a [u8]);

/// What a vector starts from.
struct Start {
    /// Zeros if there is none.
    kind: Option<Kind>,
    len: usize,
    /// Entries from a seam to the next.
    piece: usize,
    random: Random,
}

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

    fn start(&mut self, most: usize) -> Start {
        let kind = usize::from(self.byte()) % (Kind::ALL.len() + 1);
        Start {
            kind: Kind::ALL.get(kind).copied(),
            len: self.within(0..=most),
            piece: 1 << (self.byte() % 13),
            random: Random::new(self.word()),
        }
    }

    /// Limbs of an integer of any kind, to which a few powers of two are added, or from which they are subtracted.
    pub fn limbs(&mut self, most: usize) -> Vec<u64> {
        let mut start = self.start(most);
        let mut limbs = match start.kind {
            Some(kind) => kind.limbs(start.len, start.piece, &mut start.random),
            None => vec![0; start.len],
        };
        for _ in 0..self.byte() % 8 {
            let (limb, bit) = (self.within(0..=most), self.byte());
            step(&mut limbs, limb, bit % 64, bit >= 128);
        }
        limbs
    }

    /// Residues of any kind, of which a few are set.
    pub fn residues(&mut self, most: usize, modulus: u64) -> Vec<u64> {
        let mut start = self.start(most);
        let mut residues = match start.kind {
            Some(kind) => kind.residues(start.len, modulus, start.piece, &mut start.random),
            None => vec![0; start.len],
        };
        for _ in 0..self.byte() % 8 {
            let (place, word) = (self.within(0..=most), self.word());
            if let Some(residue) = residues.get_mut(place) {
                *residue = word % modulus;
            }
        }
        residues
    }
}

/// Adds 2^bit to limbs from one of them on, or subtracts it, modulo a power of 2^64.
fn step(limbs: &mut [u64], limb: usize, bit: u8, subtract: bool) {
    let mut power = 1u64 << bit;
    for limb in limbs.iter_mut().skip(limb) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_borrow_runs_through_every_seam() {
        // Zeros, of 4097 limbs, and one step: 1 is subtracted at limb 0.
        let mut data = vec![6, 1, 16, 0];
        data.extend([0; 8]);
        data.extend([1, 0, 0, 128]);
        assert_eq!(Bytes::new(&data).limbs(6000), [u64::MAX; 4097]);
    }

    #[test]
    fn steps_reach_every_bit() {
        let most = 6000;
        for (limb, bit) in [(0, 0), (1024, 0), (4096, 63), (5999, 63)] {
            let [low, high] = u16::to_le_bytes(limb);
            let mut data = vec![6, 112, 23, 0];
            data.extend([0; 8]);
            data.extend([1, low, high, bit]);
            let limbs = Bytes::new(&data).limbs(most);
            assert_eq!(limbs.len(), most);
            assert_eq!(limbs[usize::from(limb)], 1 << bit);
        }
    }
}
